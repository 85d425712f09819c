//! Alerts of the operator: rules and how each stands, where they are told to, silences, and what became of them. Nothing of a tenant is in these
//! tables; what is told goes into the outbox in the transaction in which it is so.

mod addresses;
mod history;
mod refusal;
mod rules;
mod settle;
mod silences;
mod telling;

pub use addresses::{AddressKind, AlertAddress, NewAlertAddress};
pub use history::{AlertEntry, AlertEntryKind};
pub use refusal::AlertRefusal;
pub use rules::{AlertRow, RuleChange};
pub use settle::AlertStep;
pub use silences::{AlertSilence, NewSilence};
pub use telling::{ALERT, AlertEvent};

use crate::{Store, StoreError};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};

#[derive(Clone, Copy)]
pub struct Alerts<'a> {
    store: &'a Store,
}

impl Store {
    /// Alerts of the operator.
    #[must_use]
    pub const fn alerts(&self) -> Alerts<'_> {
        Alerts { store: self }
    }
}

impl Alerts<'_> {
    async fn read<T: FromQueryResult>(self, sql: &str, values: Vec<Value>) -> Result<Vec<T>, StoreError> {
        let db = &self.store.shared;
        Ok(T::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).all(db).await?)
    }
}
