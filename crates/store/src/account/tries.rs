//! Counts of failed tries, shared by all servers. What they mean is decided by `domain::account::tries`.

use crate::{Store, StoreError, database::write::Write, entity::tries as table};
use domain::{
    Timestamp,
    account::tries::{AHEAD_MAX_MS, Allowance, Tries},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{LockBehavior, LockType, OnConflict},
};

/// Rows that are kept; beyond them the ones that would be forgotten first go.
const ROWS_MAX: u64 = 100_000;
const REMOVED_AT_ONCE: u64 = 5000;
/// A row can go between its making and its lock; it does not go on doing so.
const LOCK_TRIALS: usize = 10;

/// Against whom a try is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrySubject {
    /// A digest: what was typed is not kept.
    pub key: String,
    pub allowance: Allowance,
}

/// A try that was counted as a failure until it is known to be none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedTry {
    pub subject: TrySubject,
    before: Tries,
    after: Tries,
}

impl CountedTry {
    /// How long the subject has to wait after this try. Milliseconds.
    #[must_use]
    pub fn wait_ms(&self) -> u64 {
        self.after.open_at(self.subject.allowance).ms_since(self.after.last_at)
    }
}

/// A try that came too early; it was not counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooEarly {
    pub key: String,
    pub wait_ms: u64,
}

#[derive(Clone, Copy)]
pub struct TryCounts<'a> {
    store: &'a Store,
}

impl<'a> TryCounts<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Counts a failure against every subject, or against none when one of them has to wait.
    pub async fn count(self, mut subjects: Vec<TrySubject>) -> Result<Result<Vec<CountedTry>, TooEarly>, StoreError> {
        // One order for all, so that no two wait for each other.
        subjects.sort_by(|a, b| a.key.cmp(&b.key));
        let write = self.store.write().await?;
        let mut counted = Vec::with_capacity(subjects.len());
        for subject in subjects {
            let before = locked(&write, &subject.key).await?.seen_at(write.now, subject.allowance);
            let wait_ms = before.early_ms(write.now, subject.allowance);
            if wait_ms > 0 {
                write.abandon().await?;
                return Ok(Err(TooEarly { key: subject.key, wait_ms }));
            }
            let after = before.and_one_at(write.now, subject.allowance);
            replace(&write, &subject.key, after).await?;
            counted.push(CountedTry { subject, before, after });
        }
        write.commit().await?;
        Ok(Ok(counted))
    }

    /// The try was right: it is taken back, and of the subjects in `cleared` everything.
    pub async fn forgive(self, counted: &[CountedTry], cleared: &[String]) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        for CountedTry { subject, before, after } in counted {
            if cleared.contains(&subject.key) {
                table::Entity::delete_by_id(&subject.key).exec(&write.tx).await?;
                continue;
            }
            let mut tries = locked(&write, &subject.key).await?.seen_at(write.now, subject.allowance);
            tries.forgotten_at = tries.forgotten_at.plus_ms(-subject.allowance.forgets_after_ms);
            if tries.last_at == after.last_at {
                tries.last_at = before.last_at;
            }
            replace(&write, &subject.key, tries).await?;
        }
        write.commit().await
    }

    /// Removes what is forgotten, and what is too much, some thousand rows at once.
    pub async fn tidy(self) -> Result<(), StoreError> {
        while self.remove_first(REMOVED_AT_ONCE, Some(self.store.now().await?)).await? == REMOVED_AT_ONCE {}
        let mut surplus = table::Entity::find().count(&self.store.shared).await?.saturating_sub(ROWS_MAX);
        while surplus > 0 {
            let removed = self.remove_first(surplus.min(REMOVED_AT_ONCE), None).await?;
            surplus = if removed == 0 { 0 } else { surplus.saturating_sub(removed) };
        }
        Ok(())
    }

    /// Passes over rows that are being counted; those are locked in another order than they would be here.
    async fn remove_first(self, limit: u64, until: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut first = table::Entity::find().select_only().column(table::Column::Subject);
        if let Some(until) = until {
            // A clock that was ahead may have put off the forgetting for years.
            let ahead = table::Column::LastAtMs.gt(until.plus_ms(AHEAD_MAX_MS).ms());
            first = first.filter(Condition::any().add(table::Column::ForgottenAtMs.lte(until.ms())).add(ahead));
        }
        let first = first.order_by_asc(table::Column::ForgottenAtMs).limit(limit);
        let first = first.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).into_query();
        let write = self.store.write().await?;
        let done = table::Entity::delete_many().filter(table::Column::Subject.in_subquery(first)).exec(&write.tx).await?;
        write.commit().await?;
        Ok(done.rows_affected)
    }
}

/// The subject's row, made if need be, under a lock until the transaction ends.
async fn locked(write: &Write, key: &str) -> Result<Tries, StoreError> {
    for _ in 0..LOCK_TRIALS {
        let there = OnConflict::column(table::Column::Subject).do_nothing().to_owned();
        table::Entity::insert(row(key, Tries::none(write.now))).on_conflict(there).exec_without_returning(&write.tx).await?;
        if let Some(row) = table::Entity::find_by_id(key).lock(LockType::NoKeyUpdate).one(&write.tx).await? {
            return Ok(Tries { last_at: Timestamp::from_ms(row.last_at_ms), forgotten_at: Timestamp::from_ms(row.forgotten_at_ms) });
        }
    }
    Err(StoreError::Raced { table: "tries" })
}

async fn replace(write: &Write, key: &str, tries: Tries) -> Result<(), StoreError> {
    table::Entity::update(row(key, tries)).exec(&write.tx).await?;
    Ok(())
}

fn row(key: &str, tries: Tries) -> table::ActiveModel {
    table::ActiveModel { subject: Set(key.to_owned()), last_at_ms: Set(tries.last_at.ms()), forgotten_at_ms: Set(tries.forgotten_at.ms()) }
}
