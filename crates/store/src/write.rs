//! A writing transaction: the moment it happens at, and whom it wakes once it is committed.

use crate::{Change, Store, StoreError, connect, signals};
use domain::Timestamp;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Statement};

pub(crate) struct Write {
    pub tx: DatabaseTransaction,
    /// The present, asked for once.
    pub now: Timestamp,
    changes: Vec<Change>,
    store: Store,
}

impl Store {
    /// Begins a transaction that writes; without [`Write::commit`] it never happened.
    pub(crate) async fn write(&self) -> Result<Write, StoreError> {
        let tx = connect::begin(&self.writer).await?;
        let now = self.time.now(&tx).await?;
        Ok(Write { tx, now, changes: Vec::new(), store: self.clone() })
    }
}

impl Write {
    /// Wakes whoever waits for `change`, if and when this transaction is committed.
    pub(crate) fn tell(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    pub(crate) fn backend(&self) -> DbBackend {
        self.tx.get_database_backend()
    }

    pub(crate) fn statement<const N: usize>(&self, sql: &str, values: [sea_orm::Value; N]) -> Statement {
        Statement::from_sql_and_values(self.backend(), sql, values)
    }

    /// PostgreSQL tells every process by itself, this one included. On SQLite the others find out by
    /// polling; here it is said at once.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        let postgres = self.backend() == DbBackend::Postgres;
        if postgres {
            for change in &self.changes {
                let payload = signals::payload(*change);
                let notify = self.statement("SELECT pg_notify($1, $2)", [signals::CHANNEL.into(), payload.into()]);
                self.tx.query_one_raw(notify).await?;
            }
        }
        self.tx.commit().await?;
        if !postgres {
            for change in self.changes {
                self.store.signals.send(change);
            }
        }
        Ok(())
    }

    /// Gives up, and every lock with it before this returns; a drop would let go of them some time later.
    pub(crate) async fn abandon(self) -> Result<(), StoreError> {
        Ok(self.tx.rollback().await?)
    }
}
