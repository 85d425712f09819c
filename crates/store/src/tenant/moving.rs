//! Moving a job among the jobs of the same person in its line.
//!
//! Moves take turns within a tenant, and hold no row while they wait for another: what is just being claimed or cancelled keeps its place, and
//! the others are laid into what they held.

use super::own_queue::{Owner, never_had};
use crate::{
    Change, Job, Store, StoreError,
    database::write::Write,
    entity::{job as table, signed},
    rows::{
        jobs::{self, Lock},
        places_by,
        texts::Texts,
        this_place,
    },
};
use domain::{
    JobId, JobState, Stage, TenantId,
    scheduling::{MoveRefusal, MoveTo, PASSED_MAX, Tag, VirtualTime, laid_anew},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, QueryFilter, QueryOrder, QuerySelect, Select, Statement, Value,
    sea_query::{ExprTrait, LockBehavior, LockType},
};
use table::Column;
use uuid::Uuid;

#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error(transparent)]
    Refused(#[from] MoveRefusal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DbErr> for MoveError {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}

pub(super) async fn move_to(store: &Store, tenant: TenantId, id: JobId, to: MoveTo) -> Result<Job, MoveError> {
    let mut write = store.write_of(tenant).await?;
    let moved = moved(&mut write, tenant, id, to).await;
    write.end(moved).await
}

async fn moved(write: &mut Write, tenant: TenantId, id: JobId, to: MoveTo) -> Result<Job, MoveError> {
    write.in_turn(tenant).await?;
    let job = jobs::find(&write.tx, tenant, id, Lock::Yes).await?.ok_or(MoveRefusal::Unknown)?;
    match &job.lifecycle.state {
        _ if waits_for_its_first(&job) => {}
        JobState::Throttled => return Err(MoveRefusal::Throttled.into()),
        state if state.is_terminal() => return Err(MoveRefusal::Ended.into()),
        _ if job.lifecycle.quarantined => return Err(MoveRefusal::Held.into()),
        _ => return Err(MoveRefusal::Begun.into()),
    }
    let (passed, goes_forward) = passed(write, &job, to).await?;
    if passed.is_empty() {
        return Ok(job);
    }
    let moving = (job.id.uuid(), job.tag);
    let (rows, order): (Vec<_>, Vec<_>) = if goes_forward {
        let last = passed.len();
        (passed.into_iter().chain([moving]).collect(), [last].into_iter().chain(0..last).collect())
    } else {
        let last = passed.len();
        ([moving].into_iter().chain(passed).collect(), (1..=last).chain([0]).collect())
    };
    let (ids, held): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let laid = laid_anew(&held, &order);
    let tags: Vec<_> = ids.into_iter().zip(laid).collect();
    let done = write.tx.execute_raw(statement(write.backend(), &job, &tags)?).await?;
    if done.rows_affected() != tags.len() as u64 {
        return Err(StoreError::Raced { table: jobs::TABLE }.into());
    }
    write.tell(Change::Job(job.id));
    write.tell(Change::Queue(Stage::Sampling));
    let tag = tags.iter().find(|(id, _)| *id == job.id.uuid()).map_or(job.tag, |(_, tag)| *tag);
    Ok(Job { tag, revision: job.revision + 1, ..job })
}

/// Whether no worker has had it, and any may.
fn waits_for_its_first(job: &Job) -> bool {
    job.lifecycle.waits_for() == Some(Stage::Sampling) && job.lifecycle.epoch == 0
}

/// Which jobs change places with this one, in their order, locked; and whether it goes in front of them.
async fn passed(write: &Write, job: &Job, to: MoveTo) -> Result<(Vec<(Uuid, Tag)>, bool), MoveError> {
    let (line, place) = job.place();
    let here = (place.finish.value(), job.id.uuid());
    let own = never_had(Owner { tenant: job.tenant, user: job.user })
        .columns([Column::Id, Column::StartTag, Column::FinishTag])
        .filter(Column::Lane.eq(line.lane.as_str()))
        .filter(Column::Model.eq(line.model));
    let in_front = own.clone().filter(places_by(Column::FinishTag).lt(this_place(here)));
    match to {
        MoveTo::Up => {
            let nearest = in_front.order_by_desc(Column::FinishTag).order_by_desc(Column::Id).limit(1);
            Ok((locked(write, nearest).await?, true))
        }
        MoveTo::Front => Ok((in_order(write, in_front).await?, true)),
        MoveTo::Before(target) if target == job.id => Ok((Vec::new(), true)),
        MoveTo::Before(target) => {
            let there = jobs::visible(job.tenant, Texts::LeftOut).filter(Column::Id.eq(target.uuid()));
            let there = jobs::one(&write.tx, there, Lock::No).await?.ok_or(MoveRefusal::TargetUnknown)?;
            let (of, target) = there.place();
            if !waits_for_its_first(&there) || there.user != job.user || of != line {
                return Err(MoveRefusal::TargetElsewhere.into());
            }
            let there = this_place((target.finish.value(), target.job.uuid()));
            if target < place {
                return Ok((in_order(write, in_front.filter(places_by(Column::FinishTag).gte(there))).await?, true));
            }
            let between = own.filter(places_by(Column::FinishTag).gt(this_place(here))).filter(places_by(Column::FinishTag).lt(there));
            Ok((in_order(write, between).await?, false))
        }
    }
}

async fn in_order(write: &Write, jobs: Select<table::Entity>) -> Result<Vec<(Uuid, Tag)>, MoveError> {
    let passed = locked(write, jobs.order_by_asc(Column::FinishTag).order_by_asc(Column::Id).limit(PASSED_MAX + 1)).await?;
    if passed.len() as u64 > PASSED_MAX {
        return Err(MoveRefusal::TooFar.into());
    }
    Ok(passed)
}

/// Those of them that nobody else is just writing.
async fn locked(write: &Write, jobs: Select<table::Entity>) -> Result<Vec<(Uuid, Tag)>, MoveError> {
    let jobs = jobs.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let rows: Vec<(Uuid, i64, i64)> = jobs.into_tuple().all(&write.tx).await?;
    let tag = |start, finish| Tag { start: VirtualTime::new(start), finish: VirtualTime::new(finish) };
    Ok(rows.into_iter().map(|(id, start, finish)| (id, tag(start, finish))).collect())
}

/// Stores all these tags; the row of `job` counts as changed.
fn statement(backend: DbBackend, job: &Job, tags: &[(Uuid, Tag)]) -> Result<Statement, StoreError> {
    let mut values: Vec<Value> = vec![job.id.uuid().into(), signed::<_, i64>(jobs::TABLE, "revision", job.revision + 1)?.into()];
    let mut rows = Vec::with_capacity(tags.len());
    for (id, tag) in tags {
        let [at, start, finish] = [1, 2, 3].map(|place| values.len() + place);
        rows.push(match backend {
            // Its types follow from nothing else.
            DbBackend::Postgres => format!("(${at}::uuid, ${start}::bigint, ${finish}::bigint)"),
            _ => format!("(${at}, ${start}, ${finish})"),
        });
        values.extend([(*id).into(), tag.start.value().into(), tag.finish.value().into()]);
    }
    let sql = format!(
        "WITH laid (job_id, starts, finishes) AS (VALUES {}) \
         UPDATE jobs SET start_tag = laid.starts, finish_tag = laid.finishes, revision = CASE WHEN id = $1 THEN $2 ELSE revision END \
         FROM laid WHERE id = laid.job_id AND waits_for IS NOT NULL AND epoch = 0",
        rows.join(", ")
    );
    Ok(Statement::from_sql_and_values(backend, sql, values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use domain::UserId;
    use sea_orm::QueryTrait;

    #[tokio::test]
    async fn only_jobs_of_the_same_person_in_the_line_are_looked_at() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let owner = Owner { tenant: TenantId::from_uuid(Uuid::nil()), user: UserId::from_uuid(Uuid::nil()) };
        let own = never_had(owner).columns([Column::Id, Column::StartTag, Column::FinishTag]);
        let line = own.filter(Column::Lane.eq("batch")).filter(Column::Model.eq("m"));
        let front = line.filter(places_by(Column::FinishTag).lt(this_place((5, Uuid::nil()))));
        let front = front.order_by_desc(Column::FinishTag).order_by_desc(Column::Id).limit(1);
        let sql = format!("EXPLAIN QUERY PLAN {}", front.build(DbBackend::Sqlite));
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let index = "INDEX jobs_waiting_by_user (tenant_id=? AND user_id=? AND epoch=? AND lane=? AND model=? AND";
        assert!(steps.len() == 1 && steps[0].contains(index), "{steps:?}");
    }
}
