//! Times in which alerts are not told. The only place that writes `alert_silences`, but for those of a rule that is deleted and what is kept no longer.

use super::{
    Alerts,
    history::{self, AlertEntry, AlertEntryKind},
    refusal::AlertRefusal,
    rules,
};
use crate::{ActOfOperator, StoreError, chance, database::write::Write};
use domain::{Act, AlertRuleId, AlertSilenceId, Timestamp, UserId, alerts::SILENCES_MAX};
use sea_orm::{ConnectionTrait, FromQueryResult};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertSilence {
    pub id: AlertSilenceId,
    /// `None`: of all rules.
    pub rule: Option<AlertRuleId>,
    pub from: Timestamp,
    pub until: Timestamp,
    pub reason: String,
    /// Who wanted it. `None`: whoever has the command line.
    pub by: Option<UserId>,
}

impl AlertSilence {
    /// Whether it silences this rule at this moment.
    #[must_use]
    pub fn holds(&self, rule: AlertRuleId, now: Timestamp) -> bool {
        self.rule.is_none_or(|of| of == rule) && self.from <= now && now < self.until
    }
}

#[derive(Debug, Clone)]
pub struct NewSilence {
    /// With its name and severity, for the history. `None`: all rules.
    pub rule: Option<(AlertRuleId, String, &'static str)>,
    /// From now on for so long.
    pub ms: i64,
    pub reason: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: String,
    rule_id: Option<String>,
    from_ms: i64,
    until_ms: i64,
    reason: String,
    user_id: Option<String>,
}

const OPEN: &str =
    "SELECT id, rule_id, from_ms, until_ms, reason, user_id FROM alert_silences WHERE until_ms > $1 ORDER BY until_ms LIMIT 100";

/// What is silenced where no rule is named.
const ALL_RULES: &str = "all rules";

impl Alerts<'_> {
    /// Those that are not over, the next to end first.
    pub async fn silences(self, now: Timestamp) -> Result<Vec<AlertSilence>, StoreError> {
        let rows: Vec<Row> = self.read(OPEN, vec![now.ms().into()]).await?;
        let silence = |row: Row| {
            Some(AlertSilence {
                id: row.id.parse().ok()?,
                // One that cannot be read must not silence all.
                rule: match row.rule_id {
                    Some(id) => Some(id.parse().ok()?),
                    None => None,
                },
                from: Timestamp::from_ms(row.from_ms),
                until: Timestamp::from_ms(row.until_ms),
                reason: row.reason,
                by: row.user_id.and_then(|id| id.parse().ok()),
            })
        };
        Ok(rows.into_iter().filter_map(silence).collect())
    }

    /// # Errors
    /// [`AlertRefusal`]: there are too many, or the rule is gone.
    pub async fn silence(self, new: &NewSilence, act: ActOfOperator<'_>) -> Result<AlertSilenceId, AlertRefusal> {
        let write = self.store.write().await?;
        if let Some((rule, ..)) = &new.rule {
            let sql = "SELECT 1 FROM alert_rules WHERE id = $1";
            let found = write.tx.query_one_raw(write.statement(sql, [rule.to_string().into()])).await.map_err(StoreError::from)?;
            if found.is_none() {
                write.abandon().await?;
                return Err(AlertRefusal::Unknown);
            }
        }
        let open = Row::find_by_statement(write.statement(OPEN, [write.now.ms().into()])).all(&write.tx).await.map_err(StoreError::from)?;
        if open.len() >= SILENCES_MAX {
            write.abandon().await?;
            return Err(AlertRefusal::Full);
        }
        let id = AlertSilenceId::from_uuid(chance::new_id());
        let sql = "INSERT INTO alert_silences (id, rule_id, from_ms, until_ms, reason, user_id) VALUES ($1, $2, $3, $4, $5, $6)";
        let values = [
            id.to_string().into(),
            new.rule.as_ref().map(|(rule, ..)| rule.to_string()).into(),
            write.now.ms().into(),
            write.now.plus_ms(new.ms).ms().into(),
            new.reason.as_str().into(),
            act.by.map(|by| by.user.to_string()).into(),
        ];
        write.tx.execute_raw(write.statement(sql, values)).await.map_err(StoreError::from)?;
        let minutes = new.ms / 60_000;
        note(&write, new.rule.clone(), AlertEntryKind::Silenced, format!("for {minutes} minutes: {}", new.reason)).await?;
        let name = new.rule.as_ref().map_or(ALL_RULES, |(_, name, _)| name);
        act.note(&write, None, Act::AlertsChanged, format!("silenced {name} for {minutes} minutes: {}", new.reason)).await?;
        write.commit().await?;
        Ok(id)
    }

    /// Ends a silence before its time.
    ///
    /// # Errors
    /// [`AlertRefusal::Unknown`]: there is none, or it is over.
    pub async fn end_silence(self, id: AlertSilenceId, act: ActOfOperator<'_>) -> Result<(), AlertRefusal> {
        let write = self.store.write().await?;
        let sql = "UPDATE alert_silences SET until_ms = $2 WHERE id = $1 AND until_ms > $2 RETURNING rule_id";
        let values = [id.to_string().into(), write.now.ms().into()];
        let Some(row) = write.tx.query_one_raw(write.statement(sql, values)).await.map_err(StoreError::from)? else {
            write.abandon().await?;
            return Err(AlertRefusal::Unknown);
        };
        let rule: Option<String> = row.try_get_by_index(0).map_err(StoreError::from)?;
        let rule = match rule.and_then(|id| id.parse::<AlertRuleId>().ok()) {
            Some(id) => Some(named(&write, id).await?),
            None => None,
        };
        let name = rule.as_ref().map_or_else(|| ALL_RULES.to_owned(), |(_, name, _)| name.clone());
        note(&write, rule, AlertEntryKind::SilenceEnded, String::new()).await?;
        act.note(&write, None, Act::AlertsChanged, format!("ended a silence of {name}")).await?;
        write.commit().await?;
        Ok(())
    }
}

/// A rule with its name and severity. One that cannot be read is named by its id.
async fn named(write: &Write, id: AlertRuleId) -> Result<(AlertRuleId, String, &'static str), StoreError> {
    let found = rules::find(write, id).await?.map(|row| row.rule);
    Ok(found.map_or_else(|| (id, id.to_string(), ""), |rule| (id, rule.name, rule.severity.as_str())))
}

async fn note(
    write: &Write,
    rule: Option<(AlertRuleId, String, &'static str)>,
    kind: AlertEntryKind,
    note: String,
) -> Result<(), StoreError> {
    let (rule, name, severity) = rule.map_or((None, ALL_RULES.to_owned(), ""), |(id, name, severity)| (Some(id), name, severity));
    let (id, severity) = (chance::new_id(), severity.to_owned());
    history::insert(write, &AlertEntry { id, rule, name, severity, kind, at: write.now, value: None, note }).await
}
