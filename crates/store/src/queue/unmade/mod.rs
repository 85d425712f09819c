//! Ending jobs that wait and will not be made: their model is not on offer any more or cannot be loaded, or their deadline has passed.

mod overdue;
mod unloadable;
mod withdrawn;

use crate::{
    Job, Store, StoreError,
    entity::job as table,
    rows::{
        jobs,
        texts::{self, Texts},
        unreadable::Locked,
    },
};
use domain::{Lifecycle, Timestamp, job::TransitionError};
use sea_orm::{
    QuerySelect, Select,
    sea_query::{LockBehavior, LockType},
};
use uuid::Uuid;

pub(super) use overdue::fail_overdue;
pub use unloadable::UnloadableModel;
pub(super) use unloadable::fail_unloadable;
pub(super) use withdrawn::fail_withdrawn;

/// Jobs ended in one transaction, so that nobody who writes waits long.
const ENDED_AT_ONCE: u64 = 20;

type Rule = fn(Lifecycle) -> Result<Lifecycle, TransitionError>;

/// Nothing else is set of a job that ends.
fn no_more(_: &Job, _: Timestamp, _: &mut table::ActiveModel) {}

/// Ends those jobs by `rule` whose ids these are, the given number at most, with whatever else `also` sets; says how many these were. Rows that
/// cannot be read are passed over.
async fn end_those(
    store: &Store,
    ids: impl Fn(&Store, u64) -> Select<table::Entity>,
    rule: Rule,
    also: impl Fn(&Job, Timestamp, &mut table::ActiveModel),
) -> Result<u64, StoreError> {
    let mut ended = 0;
    loop {
        // Mostly there are none, and nobody has to wait for a writer.
        if ids(store, 1).into_tuple::<Uuid>().one(&store.db).await?.is_none() {
            return Ok(ended);
        }
        let known = store.unreadable().len();
        let Some(some) = end_some(store, ids(store, ENDED_AT_ONCE), rule, &also).await? else { return Ok(ended) };
        ended += some;
        if some == 0 && store.unreadable().len() <= known {
            // More cannot be read than are remembered: those behind them have their turn next time.
            return Ok(ended);
        }
    }
}

/// How many could be read and have ended; the others are passed over next time. `None`: others are just writing them all.
async fn end_some(
    store: &Store,
    ids: Select<table::Entity>,
    rule: Rule,
    also: &impl Fn(&Job, Timestamp, &mut table::ActiveModel),
) -> Result<Option<u64>, StoreError> {
    let mut write = store.write().await?;
    let now = write.now;
    let some: Vec<Uuid> = ids.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked).into_tuple().all(&write.tx).await?;
    if some.is_empty() {
        write.abandon().await?;
        return Ok(None);
    }
    let mut locked = Locked::read(&write, texts::jobs(Texts::LeftOut), some).await?;
    let mut ended = 0;
    for job in std::mem::take(&mut locked.jobs) {
        let Ok(next) = rule(job.lifecycle.clone()) else {
            // It says that it waits, and does not.
            store.remember_unreadable(job.id.uuid());
            continue;
        };
        match jobs::store(&mut write, &job, next, |row| also(&job, now, row)).await {
            Ok(_) => ended += 1,
            Err(error) => locked.pass_over(job.id, error)?,
        }
    }
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(Some(ended))
}

#[cfg(test)]
async fn query_plan(store: &Store, ids: Select<table::Entity>) -> Vec<String> {
    use sea_orm::{ConnectionTrait, DbBackend, QueryTrait, Statement};
    let sql = format!("EXPLAIN QUERY PLAN {}", ids.build(DbBackend::Sqlite));
    let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
    plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect()
}
