//! From a transaction to the outbox: what is told of alerts, to each address in the form that it has. Nothing is lost between a change and its telling,
//! since both are committed at once.

use super::{
    Alerts,
    addresses::{self, AddressKind},
};
use crate::{
    StoreError,
    database::{events::NewEvent, write::Write},
};
use domain::{AlertAddressId, Email, UserId, account::mail::Mail, alerts::Told};
use sea_orm::FromQueryResult;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The kind of events that go to receivers of webhooks.
pub const ALERT: &str = "alert";
/// Operators that are told.
const OPERATORS: &str = "SELECT id FROM users WHERE is_operator ORDER BY id LIMIT 20";

/// As it lies in the outbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertEvent {
    pub address: AlertAddressId,
    pub told: Told,
}

#[derive(FromQueryResult)]
struct OperatorRow {
    id: Uuid,
}

impl Alerts<'_> {
    /// Tells one address, for somebody who wants to know whether it arrives. `false`: there is no such address.
    pub async fn tell_one(self, address: AlertAddressId, told: &Told) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
        let Some((id, kind, target)) = addresses::all(&write).await?.into_iter().find(|(id, ..)| *id == address) else {
            write.abandon().await?;
            return Ok(false);
        };
        let operators = if kind == AddressKind::Operators { operators(&write).await? } else { vec![] };
        add(&mut write, (id, kind, &target), std::slice::from_ref(told), &operators);
        write.commit().await?;
        Ok(true)
    }
}

/// Has every address told, when this transaction is committed: by mail all at once, by webhook one by one.
pub(super) async fn tell(write: &mut Write, told: &[Told]) -> Result<(), StoreError> {
    if told.is_empty() {
        return Ok(());
    }
    let addresses = addresses::all(write).await?;
    let wants_operators = addresses.iter().any(|(_, kind, _)| *kind == AddressKind::Operators);
    let operators = if wants_operators { operators(write).await? } else { vec![] };
    for (id, kind, target) in &addresses {
        add(write, (*id, *kind, target), told, &operators);
    }
    Ok(())
}

fn add(write: &mut Write, (address, kind, target): (AlertAddressId, AddressKind, &str), told: &[Told], operators: &[UserId]) {
    match kind {
        AddressKind::Operators => {
            for user in operators {
                write.add_mail(&Mail::Alerts { user: Some(*user), email: None, told: told.to_vec() });
            }
        }
        AddressKind::Mail => {
            if let Ok(email) = target.parse::<Email>() {
                write.add_mail(&Mail::Alerts { user: None, email: Some(email), told: told.to_vec() });
            }
        }
        AddressKind::Webhook => {
            for told in told {
                // One after the other for each rule, so that a receiver that hangs at one hears of the others. A test waits for nothing.
                let about = told.rule.map_or_else(|| told.key.clone(), |rule| rule.to_string());
                let payload = serde_json::to_value(AlertEvent { address, told: told.clone() }).unwrap_or_default();
                write.add_event(NewEvent { subject: format!("alert {address} {about}"), kind: ALERT, payload });
            }
        }
    }
}

async fn operators(write: &Write) -> Result<Vec<UserId>, StoreError> {
    let rows = OperatorRow::find_by_statement(write.statement(OPERATORS, [])).all(&write.tx).await?;
    Ok(rows.into_iter().map(|row| UserId::from_uuid(row.id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{ConnectionTrait, DbBackend, Statement};

    #[tokio::test]
    async fn operators_and_what_is_over_are_found_along_their_indexes() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let history = "SELECT at_ms, what || ': ' || name AS what FROM alert_history WHERE at_ms >= 1 AND at_ms < 9 AND what IN ('fired', 'resolved') ORDER BY 1 DESC LIMIT 20";
        for (sql, index) in [
            (OPERATORS, "users_operators"),
            ("SELECT id FROM alert_silences WHERE until_ms > 5 ORDER BY until_ms LIMIT 5", "alert_silences_by_end (until_ms>?)"),
            ("DELETE FROM alert_history WHERE at_ms < 5", "alert_history_by_time (at_ms<?)"),
            (history, "alert_history_by_time (at_ms>? AND at_ms<?)"),
        ] {
            let explained = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
            let plan = store.shared.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.len() == 1 && steps[0].contains(index), "{sql}: {steps:?}");
        }
    }
}
