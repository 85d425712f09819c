//! What became of alerts. The only place that writes `alert_history`.

use super::Alerts;
use crate::{StoreError, database::write::Write};
use domain::{
    AlertRuleId, Timestamp,
    alerts::{HISTORY_KEPT_MS, HISTORY_ROWS_MAX},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Value};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlertEntryKind {
    Fired,
    Resolved,
    /// It fired before and was not told, since it was silenced or told too often.
    Told,
    Silenced,
    /// Before its time.
    SilenceEnded,
}

impl AlertEntryKind {
    pub const ALL: [Self; 5] = [Self::Fired, Self::Resolved, Self::Told, Self::Silenced, Self::SilenceEnded];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fired => "fired",
            Self::Resolved => "resolved",
            Self::Told => "told",
            Self::Silenced => "silenced",
            Self::SilenceEnded => "silence_ended",
        }
    }
}

/// Something that became of an alert.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertEntry {
    pub id: Uuid,
    /// `None`: of all rules.
    pub rule: Option<AlertRuleId>,
    /// Of the rule, as it was then.
    pub name: String,
    pub severity: String,
    pub kind: AlertEntryKind,
    pub at: Timestamp,
    /// What was measured, in the unit of the rule.
    pub value: Option<f64>,
    /// In words; empty: nothing.
    pub note: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: String,
    rule_id: Option<String>,
    name: String,
    severity: String,
    what: String,
    at_ms: i64,
    value: Option<f64>,
    note: String,
}

const READ: &str = "SELECT id, rule_id, name, severity, what, at_ms, value, note FROM alert_history";

impl Alerts<'_> {
    /// The newest first, behind `after`.
    pub async fn history(self, after: Option<Uuid>, limit: u16) -> Result<Vec<AlertEntry>, StoreError> {
        let mut values: Vec<Value> = vec![i64::from(limit).into()];
        let behind = after.map_or("", |after| {
            values.push(after.to_string().into());
            "WHERE id < $2"
        });
        let rows: Vec<Row> = self.read(&format!("{READ} {behind} ORDER BY id DESC LIMIT $1"), values).await?;
        let entry = |row: Row| {
            Some(AlertEntry {
                id: row.id.parse().ok()?,
                rule: row.rule_id.and_then(|id| id.parse().ok()),
                name: row.name,
                severity: row.severity,
                kind: AlertEntryKind::ALL.into_iter().find(|kind| kind.as_str() == row.what)?,
                at: Timestamp::from_ms(row.at_ms),
                value: row.value,
                note: row.note,
            })
        };
        Ok(rows.into_iter().filter_map(entry).collect())
    }
}

pub(super) async fn insert(write: &Write, entry: &AlertEntry) -> Result<(), StoreError> {
    let sql = "INSERT INTO alert_history (id, rule_id, name, severity, what, at_ms, value, note) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values = [
        entry.id.to_string().into(),
        entry.rule.map(|rule| rule.to_string()).into(),
        entry.name.as_str().into(),
        entry.severity.as_str().into(),
        entry.kind.as_str().into(),
        entry.at.ms().into(),
        entry.value.into(),
        entry.note.as_str().into(),
    ];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    Ok(())
}

/// What is kept no longer, and silences that are as old.
pub(super) async fn forget(write: &Write) -> Result<(), StoreError> {
    let old = write.now.plus_ms(-HISTORY_KEPT_MS).ms();
    for sql in ["DELETE FROM alert_history WHERE at_ms < $1", "DELETE FROM alert_silences WHERE until_ms < $1"] {
        write.tx.execute_raw(write.statement(sql, [old.into()])).await?;
    }
    let sql = "DELETE FROM alert_history WHERE at_ms < (SELECT at_ms FROM alert_history ORDER BY at_ms DESC LIMIT 1 OFFSET $1)";
    write.tx.execute_raw(write.statement(sql, [HISTORY_ROWS_MAX.into()])).await?;
    Ok(())
}
