//! Rules and how each stands. With [`super::settle`], the only place that writes `alert_rules`.

use super::{Alerts, refusal::AlertRefusal, telling};
use crate::{ActOfOperator, StoreError, chance, database::write::Write};
use domain::{
    Act, AlertRuleId, Timestamp,
    alerts::{RULES_MAX, Rule, Standing, Told},
};
use sea_orm::{ConnectionTrait, FromQueryResult};

/// Names the lock of PostgreSQL under which rules are added.
const ALERTS_LOCK: i64 = 0x5265_656c_0010;

/// A rule, and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertRow {
    pub id: AlertRuleId,
    pub rule: Rule,
    pub is_enabled: bool,
    pub standing: Standing,
    /// Raised with every change of the row.
    pub version: i64,
    pub changed_at: Timestamp,
}

/// What is to be otherwise of a rule. `None`: it stays.
#[derive(Debug, Clone, Default)]
pub struct RuleChange {
    pub rule: Option<Rule>,
    pub is_enabled: Option<bool>,
}

#[derive(FromQueryResult)]
pub(super) struct Row {
    id: String,
    rule: String,
    is_enabled: bool,
    standing: String,
    version: i64,
    changed_at_ms: i64,
}

impl Row {
    /// `None`: of a newer version, whose numbers this one does not know.
    pub(super) fn read(self) -> Option<AlertRow> {
        Some(AlertRow {
            id: self.id.parse().ok()?,
            rule: serde_json::from_str(&self.rule).ok()?,
            is_enabled: self.is_enabled,
            standing: serde_json::from_str(&self.standing).ok()?,
            version: self.version,
            changed_at: Timestamp::from_ms(self.changed_at_ms),
        })
    }
}

/// All of them: they are few, by [`RULES_MAX`].
const ALL: &str = "SELECT id, rule, is_enabled, standing, version, changed_at_ms FROM alert_rules ORDER BY id LIMIT 200";
const ONE: &str = "SELECT id, rule, is_enabled, standing, version, changed_at_ms FROM alert_rules WHERE id = $1";

impl Alerts<'_> {
    /// The oldest first. One of a newer version is passed over.
    pub async fn rules(self) -> Result<Vec<AlertRow>, StoreError> {
        let rows: Vec<Row> = self.read(ALL, vec![]).await?;
        Ok(rows.into_iter().filter_map(Row::read).collect())
    }

    /// `None`: there is no such rule.
    pub async fn rule(self, id: AlertRuleId) -> Result<Option<AlertRow>, StoreError> {
        let rows: Vec<Row> = self.read(ONE, vec![id.to_string().into()]).await?;
        Ok(rows.into_iter().next().and_then(Row::read))
    }

    /// Adds rules, all or none.
    ///
    /// # Errors
    /// [`AlertRefusal`]: there are too many, or one has the name of another.
    pub async fn add_rules(self, rules: &[Rule], is_enabled: bool, act: ActOfOperator<'_>) -> Result<Vec<AlertRuleId>, AlertRefusal> {
        let write = self.store.write().await?;
        write.alone(ALERTS_LOCK).await?;
        let mut names = names(&write).await?;
        let mut ids = Vec::with_capacity(rules.len());
        for rule in rules {
            if names.len() >= RULES_MAX {
                write.abandon().await?;
                return Err(AlertRefusal::Full);
            }
            if names.iter().any(|(_, name)| *name == rule.name) {
                write.abandon().await?;
                return Err(AlertRefusal::Taken);
            }
            let id = AlertRuleId::from_uuid(chance::new_id());
            let sql = "INSERT INTO alert_rules (id, rule, is_enabled, standing, version, changed_at_ms) VALUES ($1, $2, $5, $3, 1, $4)";
            let values =
                [id.to_string().into(), text(rule).into(), text(&Standing::default()).into(), write.now.ms().into(), is_enabled.into()];
            write.tx.execute_raw(write.statement(sql, values)).await.map_err(StoreError::from)?;
            act.note(&write, None, Act::AlertsChanged, format!("made the rule {}", rule.name)).await?;
            names.push((id, rule.name.clone()));
            ids.push(id);
        }
        write.commit().await?;
        Ok(ids)
    }

    /// Changes a rule. One that says something else begins anew; what was told of it is taken back when it is next looked at.
    ///
    /// # Errors
    /// [`AlertRefusal`]: there is none, or another one has its name.
    pub async fn change_rule(self, id: AlertRuleId, change: RuleChange, act: ActOfOperator<'_>) -> Result<AlertRow, AlertRefusal> {
        let write = self.store.write().await?;
        write.alone(ALERTS_LOCK).await?;
        let Some(mut row) = lock(&write, id).await? else {
            write.abandon().await?;
            return Err(AlertRefusal::Unknown);
        };
        let rule = change.rule.unwrap_or_else(|| row.rule.clone());
        if names(&write).await?.iter().any(|(other, name)| *other != id && *name == rule.name) {
            write.abandon().await?;
            return Err(AlertRefusal::Taken);
        }
        let is_enabled = change.is_enabled.unwrap_or(row.is_enabled);
        let begins_anew = is_enabled != row.is_enabled || rule != row.rule;
        if !begins_anew {
            write.abandon().await?;
            return Ok(row);
        }
        let said = if rule == row.rule { if is_enabled { "enabled" } else { "disabled" } } else { "changed" };
        act.note(&write, None, Act::AlertsChanged, format!("{said} the rule {}", rule.name)).await?;
        let standing = row.standing.of_changed_rule();
        row = AlertRow { rule, is_enabled, standing, version: row.version + 1, changed_at: write.now, ..row };
        let sql = "UPDATE alert_rules SET rule = $2, is_enabled = $3, standing = $4, version = $5, changed_at_ms = $6 WHERE id = $1";
        let values = [
            id.to_string().into(),
            text(&row.rule).into(),
            row.is_enabled.into(),
            text(&row.standing).into(),
            row.version.into(),
            row.changed_at.ms().into(),
        ];
        write.tx.execute_raw(write.statement(sql, values)).await.map_err(StoreError::from)?;
        write.commit().await?;
        Ok(row)
    }

    /// Deletes a rule, and its silences. `resolved`: what is told where somebody believes that it fires, unless they want to hear nothing.
    ///
    /// # Errors
    /// [`AlertRefusal::Unknown`].
    pub async fn delete_rule(
        self,
        id: AlertRuleId,
        resolved: impl FnOnce(&AlertRow, Timestamp) -> Told,
        act: ActOfOperator<'_>,
    ) -> Result<(), AlertRefusal> {
        let mut write = self.store.write().await?;
        let Some(row) = lock(&write, id).await? else {
            write.abandon().await?;
            return Err(AlertRefusal::Unknown);
        };
        let is_silenced = is_silenced(&write, id).await?;
        for sql in ["DELETE FROM alert_rules WHERE id = $1", "DELETE FROM alert_silences WHERE rule_id = $1"] {
            write.tx.execute_raw(write.statement(sql, [id.to_string().into()])).await.map_err(StoreError::from)?;
        }
        act.note(&write, None, Act::AlertsChanged, format!("deleted the rule {}", row.rule.name)).await?;
        if row.standing.told_firing && !is_silenced {
            let told = resolved(&row, write.now);
            telling::tell(&mut write, &[told]).await?;
        }
        write.commit().await?;
        Ok(())
    }
}

async fn is_silenced(write: &Write, id: AlertRuleId) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM alert_silences WHERE until_ms > $2 AND from_ms <= $2 AND (rule_id IS NULL OR rule_id = $1) LIMIT 1";
    Ok(write.tx.query_one_raw(write.statement(sql, [id.to_string().into(), write.now.ms().into()])).await?.is_some())
}

/// The row as it is. Who holds a lock on a silence takes none on a rule: who deletes a rule takes them the other way round.
pub(super) async fn find(write: &Write, id: AlertRuleId) -> Result<Option<AlertRow>, StoreError> {
    let row = Row::find_by_statement(write.statement(ONE, [id.to_string().into()])).one(&write.tx).await?;
    Ok(row.and_then(Row::read))
}

/// The row, locked.
async fn lock(write: &Write, id: AlertRuleId) -> Result<Option<AlertRow>, StoreError> {
    let lock = if write.backend() == sea_orm::DbBackend::Postgres { " FOR UPDATE" } else { "" };
    let row = Row::find_by_statement(write.statement(&format!("{ONE}{lock}"), [id.to_string().into()])).one(&write.tx).await?;
    Ok(row.and_then(Row::read))
}

async fn names(write: &Write) -> Result<Vec<(AlertRuleId, String)>, StoreError> {
    let rows = Row::find_by_statement(write.statement(ALL, [])).all(&write.tx).await?;
    Ok(rows.into_iter().filter_map(Row::read).map(|row| (row.id, row.rule.name)).collect())
}

pub(super) fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
