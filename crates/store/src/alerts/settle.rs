//! What became of rules at a look: how each stands, the history, and what is told of it, all in one transaction.
//!
//! Whoever looks has read the rules before; a rule that somebody has changed since is left as it is, with what would have been told of it.

use super::{
    Alerts,
    history::{self, AlertEntry, AlertEntryKind},
    rules::text,
    telling::tell,
};
use crate::{StoreError, chance, system::leader};
use domain::{
    AlertRuleId,
    alerts::{Standing, Told},
};
use sea_orm::ConnectionTrait;

/// What follows for a rule from a look at it.
#[derive(Debug, Clone)]
pub struct AlertStep {
    pub id: AlertRuleId,
    /// As it was read.
    pub version: i64,
    pub standing: Standing,
    /// For the history.
    pub entries: Vec<(AlertEntryKind, Option<f64>, String)>,
    pub name: String,
    pub severity: &'static str,
    pub told: Option<Told>,
}

impl Alerts<'_> {
    /// Writes down what follows from a look, as long as `leader` (a name and who holds it) leads. `false`: somebody else does.
    pub async fn settle(self, leader: Option<(&str, &str)>, steps: &[AlertStep]) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
        if let Some(leader) = leader
            && !leader::leads(&write.tx, write.now, leader).await?
        {
            write.abandon().await?;
            return Ok(false);
        }
        let (mut told, mut is_written) = (Vec::new(), false);
        for step in steps {
            let sql = "UPDATE alert_rules SET standing = $3, version = version + 1 WHERE id = $1 AND version = $2";
            let values = [step.id.to_string().into(), step.version.into(), text(&step.standing).into()];
            if write.tx.execute_raw(write.statement(sql, values)).await?.rows_affected() != 1 {
                continue;
            }
            for (kind, value, note) in &step.entries {
                let entry = AlertEntry {
                    id: chance::new_id(),
                    rule: Some(step.id),
                    name: step.name.clone(),
                    severity: step.severity.to_owned(),
                    kind: *kind,
                    at: write.now,
                    value: *value,
                    note: note.clone(),
                };
                history::insert(&write, &entry).await?;
                is_written = true;
            }
            told.extend(step.told.clone());
        }
        if is_written {
            history::forget(&write).await?;
        }
        tell(&mut write, &told).await?;
        write.commit().await?;
        Ok(true)
    }
}
