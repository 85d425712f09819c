//! A writing transaction: the moment it happens at, and whom it wakes once it is committed.

use crate::{
    Change, Store, StoreError,
    billing::Settlement,
    database::{
        connect::{self, TimeSource},
        events::{self, NewEvent},
        group_commit::GroupCommit,
        transitions::Transition,
        wall::Scope,
    },
    device_time::Booking,
    signals,
    sql::in_steps,
};
use domain::{TenantId, Timestamp, account::mail::Mail};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, Statement};
use std::{mem, sync::Arc};
use tokio::sync::OwnedMutexGuard;

pub(crate) struct Write {
    pub tx: DatabaseTransaction,
    /// The present, asked for once.
    pub now: Timestamp,
    /// The jobs that this transaction ends.
    pub settlement: Settlement,
    /// What the leases took of devices that this transaction ends.
    pub booking: Booking,
    changes: Vec<Change>,
    transitions: Vec<Transition>,
    events: Vec<NewEvent>,
    store: Store,
    /// Ends after the transaction.
    turn: Option<OwnedMutexGuard<()>>,
    group: Option<Arc<GroupCommit>>,
}

impl Store {
    /// Begins a transaction that writes what belongs to whomsoever; without [`Write::commit`] it never happened.
    pub(crate) async fn write(&self) -> Result<Write, StoreError> {
        self.begin(&self.writer, None, Scope::System).await
    }

    /// The same, where nothing but this tenant's is read or written.
    pub(crate) async fn write_of(&self, tenant: TenantId) -> Result<Write, StoreError> {
        self.begin(&self.writer, None, Scope::Tenant(tenant)).await
    }

    /// The same for what many do at once. On SQLite others may see it a moment before it outlives a power cut.
    pub(crate) async fn write_in_group_of(&self, tenant: TenantId) -> Result<Write, StoreError> {
        match &self.group_commit {
            Some(group) => self.begin(&group.connection, Some(Arc::clone(group)), Scope::Tenant(tenant)).await,
            None => self.write_of(tenant).await,
        }
    }

    /// Does a transaction that many do at once where it waits for nothing else.
    pub(crate) async fn perform<T, F>(&self, work: impl FnOnce(Self) -> F) -> T
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let work = work(self.clone());
        match &self.group_commit {
            Some(group) => group.perform(work).await,
            None => work.await,
        }
    }

    async fn begin(&self, connection: &DatabaseConnection, group: Option<Arc<GroupCommit>>, scope: Scope) -> Result<Write, StoreError> {
        let turn = match &self.group_commit {
            Some(group) => Some(group.turn().await?),
            None => None,
        };
        let tx = connect::begin(connection).await?;
        let now = match (self.db.door().enter(&tx, scope).await?, &self.time) {
            (Some(ms), TimeSource::Database) => Timestamp::from_ms(ms),
            (_, time) => time.now(&tx).await?,
        };
        let (changes, transitions, events) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Write {
            tx,
            now,
            settlement: Settlement::default(),
            booking: Booking::default(),
            changes,
            transitions,
            events,
            store: self.clone(),
            turn,
            group,
        })
    }
}

impl Write {
    /// Wakes whoever waits for `change`, if and when this transaction is committed.
    pub(crate) fn tell(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    /// Tells the observer of these, if and when this transaction is committed.
    pub(crate) fn note(&mut self, transitions: impl IntoIterator<Item = Transition>) {
        self.transitions.extend(transitions);
    }

    /// Adds an event to the outbox, if and when this transaction is committed.
    pub(crate) fn add_event(&mut self, event: NewEvent) {
        self.events.push(event);
    }

    /// Has a mail sent, if and when this transaction is committed.
    pub(crate) fn add_mail(&mut self, mail: &Mail) {
        self.add_event(NewEvent::mail(mail));
    }

    /// Of those that name the same lock, one at a time until it ends; on SQLite all are.
    pub(crate) async fn alone(&self, lock: i64) -> Result<(), StoreError> {
        if self.backend() == DbBackend::Postgres {
            connect::lock(&self.tx, lock).await?;
        }
        Ok(())
    }

    /// One at a time in a tenant until it ends: of those that change what its people have in the queue, none meets rows that another holds.
    pub(crate) async fn in_turn(&self, tenant: TenantId) -> Result<(), StoreError> {
        let (high, low) = tenant.uuid().as_u64_pair();
        self.alone((high ^ low).cast_signed()).await
    }

    pub(crate) fn backend(&self) -> DbBackend {
        self.tx.get_database_backend()
    }

    pub(crate) fn statement<const N: usize>(&self, sql: &str, values: [sea_orm::Value; N]) -> Statement {
        Statement::from_sql_and_values(self.backend(), sql, values)
    }

    /// Writes all that is written last, so that nothing but the commit is left to be done: what fails until then has not happened.
    pub(crate) async fn settle(&mut self) -> Result<(), StoreError> {
        if self.backend() == DbBackend::Postgres && !self.changes.is_empty() {
            let payloads: Vec<_> = in_steps(signals::payloads(&mem::take(&mut self.changes)));
            let calls: Vec<_> = (0..payloads.len()).map(|at| format!("pg_notify($1, ${})", at + 2)).collect();
            let values = std::iter::once(signals::CHANNEL.into()).chain(payloads.into_iter().map(Into::into));
            let notify = Statement::from_sql_and_values(DbBackend::Postgres, format!("SELECT {}", calls.join(", ")), values);
            self.tx.query_one_raw(notify).await?;
        }
        let booking = mem::take(&mut self.booking);
        let devices = booking.devices(&self.tx).await?;
        // From here on rows are locked that many want.
        mem::take(&mut self.settlement).apply(&self.tx, self.now).await?;
        booking.apply(&self.tx, self.now, &devices).await?;
        events::add(&self.tx, self.now, mem::take(&mut self.events)).await?;
        Ok(())
    }

    /// PostgreSQL tells every process by itself, this one included. On SQLite the others find out by
    /// polling; here it is said at once. Returns when what was written outlives a power cut.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        self.settle().await?;
        let postgres = self.backend() == DbBackend::Postgres;
        self.tx.commit().await?;
        drop(self.turn);
        if let Some(observer) = &self.store.observer {
            for transition in &self.transitions {
                observer(transition);
            }
        }
        if !postgres {
            for change in self.changes {
                self.store.signals.send(change);
            }
        }
        match self.group {
            Some(group) => group.wait().await,
            None => Ok(()),
        }
    }

    /// Commits what was done, or gives up where it went wrong.
    pub(crate) async fn end<T, E: From<StoreError>>(self, done: Result<T, E>) -> Result<T, E> {
        match done {
            Ok(done) => {
                self.commit().await?;
                Ok(done)
            }
            Err(error) => {
                self.abandon().await?;
                Err(error)
            }
        }
    }

    /// Gives up, and every lock with it before this returns; a drop would let go of them some time later.
    pub(crate) async fn abandon(self) -> Result<(), StoreError> {
        Ok(self.tx.rollback().await?)
    }
}
