//! Ending jobs that wait and will not be made: their model is not on offer any more or cannot be loaded, or their deadline has passed.

mod overdue;
mod unloadable;
mod withdrawn;

use super::fallback::{self, OtherModel};
use crate::{
    Job, Store, StoreError,
    database::write::Write,
    entity::job as table,
    rows::{
        jobs,
        texts::{self, Texts},
        unreadable::Locked,
    },
};
use domain::{
    Lifecycle, Timestamp,
    job::{self, Decision, FailedAttempt, TransitionError},
};
use sea_orm::{
    ActiveValue::Set,
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

/// What is kept with a job, of which this was decided then.
type AttemptOf<'a> = dyn Fn(&Job, Decision, Timestamp) -> FailedAttempt + Sync + 'a;

/// Why jobs are not made.
struct Unmade<'a> {
    /// By which those of them end that no other model makes.
    rule: Rule,
    /// What is kept with a job of which it was decided so. `None`: it is not for want of its model.
    attempt: Option<&'a AttemptOf<'a>>,
}

/// Ends those jobs whose ids these are, the given number at most, unless their model is wanting and another makes them; says how many these were. Rows
/// that cannot be read are passed over.
async fn end_those(store: &Store, ids: impl Fn(&Store, u64) -> Select<table::Entity>, why: &Unmade<'_>) -> Result<u64, StoreError> {
    let mut ended = 0;
    loop {
        // Mostly there are none, and nobody has to wait for a writer.
        if ids(store, 1).into_tuple::<Uuid>().one(&store.db).await?.is_none() {
            return Ok(ended);
        }
        let known = store.unreadable().len();
        let Some(some) = end_some(store, ids(store, ENDED_AT_ONCE), why).await? else { return Ok(ended) };
        ended += some;
        if some == 0 && store.unreadable().len() <= known {
            // More cannot be read than are remembered: those behind them have their turn next time.
            return Ok(ended);
        }
    }
}

/// How many could be read and wait for this no more; the others are passed over next time. `None`: others are just writing them all.
async fn end_some(store: &Store, ids: Select<table::Entity>, why: &Unmade<'_>) -> Result<Option<u64>, StoreError> {
    let mut write = store.write().await?;
    let some: Vec<Uuid> = ids.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked).into_tuple().all(&write.tx).await?;
    if some.is_empty() {
        write.abandon().await?;
        return Ok(None);
    }
    let mut locked = Locked::read(&write, texts::jobs(Texts::LeftOut), some).await?;
    let mut ended = 0;
    for job in std::mem::take(&mut locked.jobs) {
        match Box::pin(end(store, &mut write, &job, why)).await {
            Ok(true) => ended += 1,
            // It says that it waits, and does not.
            Ok(false) => store.remember_unreadable(job.id.uuid()),
            Err(error) => locked.pass_over(job.id, error)?,
        }
    }
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(Some(ended))
}

/// Ends one, or has it made by the other model that it allows. `false`: it does not wait.
async fn end(store: &Store, write: &mut Write, job: &Job, why: &Unmade<'_>) -> Result<bool, StoreError> {
    let fallback = if why.attempt.is_some() { fallback::of(write, job).await? } else { None };
    let other = fallback.and_then(|fallback| Some((job.lifecycle.clone().fall_back().ok()?, fallback)));
    let (next, decision, other) = match other {
        Some((next, fallback)) => {
            (next, Decision::FallBack { pause_ms: 0 }, Some(OtherModel::take_over(store, write, job, fallback).await?))
        }
        None => {
            let Ok(next) = (why.rule)(job.lifecycle.clone()) else { return Ok(false) };
            (next, Decision::Fail, None)
        }
    };
    let attempts = why.attempt.map(|attempt| {
        let mut attempts = job.failed_attempts.clone();
        job::keep(&mut attempts, attempt(job, decision, write.now));
        attempts
    });
    let also = |row: &mut table::ActiveModel| {
        if let Some(attempts) = attempts {
            row.failed_attempts = Set(serde_json::to_string(&attempts).ok());
        }
        other.map_or(Ok(()), |other| other.set(row, job))
    };
    jobs::try_store(write, job, next, also).await.map(|_| true)
}

#[cfg(test)]
async fn query_plan(store: &Store, ids: Select<table::Entity>) -> Vec<String> {
    use sea_orm::{ConnectionTrait, DbBackend, QueryTrait, Statement};
    let sql = format!("EXPLAIN QUERY PLAN {}", ids.build(DbBackend::Sqlite));
    let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
    plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect()
}
