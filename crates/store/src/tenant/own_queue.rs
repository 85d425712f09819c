//! The jobs of one person in a tenant that have not ended, in the order in which they are made: those that have begun, those that wait in
//! their lines, those that have not entered the queue, those that the operator holds.
//!
//! Every look is at one stretch of an index, however many jobs the person or others of the tenant have.

use super::batch_lines;
use crate::{
    Job, Store, StoreError, Waiting,
    entity::{job as table, unsigned},
    rows::{jobs, places_by, readable_tuples, texts::Texts, this_place, unreadable::Locked},
};
use domain::{JobId, JobState, Stage, TenantId, UserId, VideoTime, billing::Lane, scheduling::Tag};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, Order, QueryFilter, QueryOrder, QuerySelect, Select, Statement,
    sea_query::{Expr, ExprTrait, Func, LockBehavior, LockType, SimpleExpr},
};
use std::collections::HashMap;
use table::Column;
use uuid::Uuid;

/// Waiting jobs that are counted; who has more is told so.
pub const OWN_COUNTED_MAX: u64 = 10_000;
/// In the words of the index `jobs_throttled_by_user`: SQLite takes it for nothing else. What is always so makes it the narrower one to SQLite, else
/// it might walk along all that a person has ever made.
const IS_THROTTLED: &str = "state = 'throttled' AND created_at_ms >= 0";
/// The same of those in the queue, with `jobs_waiting_by_user`.
const WAITS_FOR_FIRST_STEP: &str = "waits_for IS NOT NULL AND epoch >= 0 AND step = 0";
/// The same of those in quarantine, with `jobs_held_by_user`; those that are throttled as well are met among these.
const IS_HELD: &str = "quarantined_since_ms IS NOT NULL AND ended_at_ms IS NULL AND state <> 'throttled'";
const HELD_BEFORE_FIRST_STEP: &str = "quarantined_since_ms IS NOT NULL AND ended_at_ms IS NULL AND state <> 'throttled' AND step = 0";
const LANES: [Lane; 2] = [Lane::Interactive, Lane::Batch];

/// Whose jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) tenant: TenantId,
    pub(super) user: UserId,
}

/// Which part of a person's queue a job is in, in the order of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnPhase {
    /// A worker has or had it.
    Begun,
    /// In its line, as it was submitted.
    Waiting,
    /// Not in the queue yet, by the limits of its tenant's plan.
    Throttled,
    /// In quarantine.
    Held,
}

/// One of a person's jobs in their queue.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnJob {
    pub job: Job,
    pub phase: OwnPhase,
    /// Jobs of the same person wait in front of it in its line, so it can be moved up.
    pub can_move: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OwnPage {
    pub jobs: Vec<OwnJob>,
    pub has_more: bool,
    /// Behind it the next page begins; a job that could not be read may be it.
    pub last: Option<JobId>,
}

/// Which job of a page there is; of one that waits, also its line.
struct Standing {
    id: JobId,
    phase: OwnPhase,
    line: Option<(Lane, String)>,
}

impl Standing {
    const fn new(id: JobId, phase: OwnPhase) -> Self {
        Self { id, phase, line: None }
    }
}

/// Behind what a page begins.
enum Behind {
    Nothing,
    Begun(JobId),
    Waiting { lane: Lane, model: String, finish_tag: i64, id: Uuid },
    Throttled { created_at_ms: i64, id: Uuid },
    Held(Uuid),
}

impl Behind {
    /// One that has begun since it was shown is met by its new place, so some are shown twice, and none is left out. Where the operator has held
    /// it since, what is left are others that are held.
    fn of(job: &Job) -> Self {
        let id = job.id.uuid();
        // One without a tag had not entered when it ended.
        if job.lifecycle.state == JobState::Throttled || job.tag == Tag::default() {
            Self::Throttled { created_at_ms: job.created_at.ms(), id }
        } else if job.lifecycle.quarantined && !job.lifecycle.state.is_terminal() {
            Self::Held(id)
        } else if job.lifecycle.epoch > 0 {
            Self::Begun(job.id)
        } else {
            Self::Waiting { lane: job.lane(), model: job.spec.model.clone(), finish_tag: job.tag.finish.value(), id }
        }
    }
}

/// `None`: `after` is no job of this person.
pub(super) async fn page(
    store: &Store,
    owner: Owner,
    (after, limit): (Option<JobId>, u64),
    texts: Texts,
) -> Result<Option<OwnPage>, StoreError> {
    let db = store.of(owner.tenant);
    let behind = match after {
        None => Behind::Nothing,
        Some(id) => {
            let query = jobs::visible(owner.tenant, Texts::LeftOut).filter(Column::Id.eq(id.uuid()));
            let found = jobs::one(&db, query, jobs::Lock::No).await?.filter(|job| job.user == owner.user);
            let Some(job) = found else { return Ok(None) };
            Behind::of(&job)
        }
    };
    let mut standing = standing(&db, owner, &behind, limit.saturating_add(1)).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = standing.len() > limit;
    standing.truncate(limit);
    let ids = standing.iter().map(|job| job.id.uuid());
    let read = jobs::readable(store, owner.tenant, jobs::visible(owner.tenant, texts).filter(Column::Id.is_in(ids))).await?;
    let mut read: HashMap<_, _> = read.jobs.into_iter().map(|job| (job.id, job)).collect();
    let mut line = match behind {
        Behind::Waiting { lane, model, .. } => Some((lane, model)),
        _ => None,
    };
    let last = standing.last().map(|job| job.id);
    let jobs = standing.into_iter().filter_map(|Standing { id, phase, line: its }| {
        let can_move = its.is_some() && its == line;
        line = its;
        Some(OwnJob { job: read.remove(&id)?, phase, can_move })
    });
    Ok(Some(OwnPage { jobs: jobs.collect(), has_more, last }))
}

async fn standing(db: &impl ConnectionTrait, owner: Owner, behind: &Behind, limit: u64) -> Result<Vec<Standing>, StoreError> {
    let mut found = Vec::new();
    let has_room = |found: &Vec<Standing>| (found.len() as u64) < limit;
    if let Behind::Nothing | Behind::Begun(_) = behind {
        let after = if let Behind::Begun(after) = behind { after.uuid() } else { Uuid::nil() };
        let mut ids = Vec::new();
        for begun in begun(owner, after, limit) {
            ids.extend(readable_tuples::<(Uuid,)>(db, begun).await?.into_iter().map(|(id,)| JobId::from_uuid(id)));
        }
        // One that was given back between the two looks is met in both.
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        found.extend(ids.into_iter().map(|id| Standing::new(id, OwnPhase::Begun)));
    }
    for lane in LANES {
        let place = match behind {
            Behind::Throttled { .. } | Behind::Held(_) => break,
            Behind::Waiting { lane: of, .. } if *of == Lane::Batch && lane == Lane::Interactive => continue,
            Behind::Waiting { lane: of, model, finish_tag, id } if *of == lane => Some((model.as_str(), *finish_tag, *id)),
            _ => None,
        };
        if has_room(&found) {
            let rows: Vec<(String, Uuid)> = readable_tuples(db, waiting(owner, lane, place, limit - found.len() as u64)).await?;
            let waits = |(model, id)| Standing { line: Some((lane, model)), ..Standing::new(JobId::from_uuid(id), OwnPhase::Waiting) };
            found.extend(rows.into_iter().map(waits));
        }
    }
    if has_room(&found) && !matches!(behind, Behind::Held(_)) {
        let place = if let Behind::Throttled { created_at_ms, id } = behind { Some((*created_at_ms, *id)) } else { None };
        let rows: Vec<(Uuid,)> = readable_tuples(db, throttled(owner, place, limit - found.len() as u64)).await?;
        found.extend(rows.into_iter().map(|(id,)| Standing::new(JobId::from_uuid(id), OwnPhase::Throttled)));
    }
    if has_room(&found) {
        let after = if let Behind::Held(after) = behind { *after } else { Uuid::nil() };
        let rows: Vec<(Uuid,)> = readable_tuples(db, held(owner, after, limit - found.len() as u64)).await?;
        found.extend(rows.into_iter().map(|(id,)| Standing::new(JobId::from_uuid(id), OwnPhase::Held)));
    }
    Ok(found)
}

fn own(owner: Owner) -> Select<table::Entity> {
    table::Entity::find().select_only().filter(Column::TenantId.eq(owner.tenant.uuid())).filter(Column::UserId.eq(owner.user.uuid()))
}

/// Those with a worker, and those that wait for one again or for their next stage; of each the first so many behind `after`.
fn begun(owner: Owner, after: Uuid, limit: u64) -> [Select<table::Entity>; 2] {
    // All that run are fewer than all that a person has ever made: neither index by user is to be taken, nor the one of all ids.
    let same = |column: Column| SimpleExpr::from(Func::coalesce([Expr::col(column), Expr::col(column)]));
    let running = table::Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::State.is_in([Stage::Sampling, Stage::Decoding].map(Stage::as_str)))
        .filter(Column::EndedAtMs.is_null())
        .filter(same(Column::TenantId).eq(owner.tenant.uuid()))
        .filter(same(Column::UserId).eq(owner.user.uuid()));
    let again = own(owner).column(Column::Id).filter(Column::WaitsFor.is_not_null()).filter(Column::Epoch.gt(0));
    [running, again].map(|begun| begun.filter(same(Column::Id).gt(after)).order_by(same(Column::Id), Order::Asc).limit(limit))
}

/// Those that no worker has had, line by line, each in its order.
fn waiting(owner: Owner, lane: Lane, behind: Option<(&str, i64, Uuid)>, limit: u64) -> Select<table::Entity> {
    let waiting = never_had(owner).filter(Column::Lane.eq(lane.as_str())).columns([Column::Model, Column::Id]);
    let waiting = match behind {
        Some((model, finish_tag, id)) => {
            let columns = [Column::Model, Column::FinishTag, Column::Id].map(Expr::col);
            waiting.filter(Expr::tuple(columns).gt(Expr::tuple([model.into(), finish_tag.into(), id.into()])))
        }
        None => waiting,
    };
    waiting.order_by_asc(Column::Model).order_by_asc(Column::FinishTag).order_by_asc(Column::Id).limit(limit)
}

/// A person's jobs that wait in a line and were never claimed, by the index `jobs_waiting_by_user`.
pub(super) fn never_had(owner: Owner) -> Select<table::Entity> {
    own(owner).filter(Column::WaitsFor.is_not_null()).filter(Column::Epoch.eq(0))
}

fn throttled(owner: Owner, behind: Option<(i64, Uuid)>, limit: u64) -> Select<table::Entity> {
    let throttled = own(owner).column(Column::Id);
    let throttled = match behind {
        Some(place) => throttled.filter(Expr::cust("state = 'throttled'")).filter(places_by(Column::CreatedAtMs).gt(this_place(place))),
        None => throttled.filter(Expr::cust(IS_THROTTLED)),
    };
    throttled.order_by_asc(Column::CreatedAtMs).order_by_asc(Column::Id).limit(limit)
}

fn held(owner: Owner, after: Uuid, limit: u64) -> Select<table::Entity> {
    own(owner).column(Column::Id).filter(Expr::cust(IS_HELD)).filter(Column::Id.gt(after)).order_by_asc(Column::Id).limit(limit)
}

/// Those that can be cancelled before their first step, of one place each; of one model or all. Lines of batches are left out.
fn before_the_first_step(owner: Owner, model: Option<&str>) -> [Select<table::Entity>; 3] {
    [WAITS_FOR_FIRST_STEP, IS_THROTTLED, HELD_BEFORE_FIRST_STEP].map(|place| {
        let jobs = own(owner).filter(Expr::cust(place)).filter(Column::Id.not_in_subquery(batch_lines::open(owner.tenant)));
        model.into_iter().fold(jobs, |jobs, model| jobs.filter(Column::Model.eq(model)))
    })
}

/// How many jobs wait for their first step and what they would be billed, up to [`OWN_COUNTED_MAX`] in and outside of the queue and held each.
pub(super) async fn total(store: &Store, owner: Owner) -> Result<Waiting, StoreError> {
    #[derive(FromQueryResult)]
    struct Sum {
        jobs: i64,
        billed_ms: i64,
    }
    let db = store.of(owner.tenant);
    let mut total = Waiting::default();
    for place in [WAITS_FOR_FIRST_STEP, IS_THROTTLED, HELD_BEFORE_FIRST_STEP] {
        let values = [owner.tenant.uuid().into(), owner.user.uuid().into()];
        let row = db.query_one_raw(Statement::from_sql_and_values(db.get_database_backend(), sum(place), values)).await?;
        let Some(Sum { jobs, billed_ms }) = row.map(|row| Sum::from_query_result(&row, "")).transpose()? else { continue };
        total.jobs += unsigned::<u64>(jobs::TABLE, "id", jobs)?;
        total.billed = total.billed + VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", billed_ms)?);
    }
    Ok(total)
}

/// `$1`: the tenant; `$2`: the user.
fn sum(place: &str) -> String {
    // PostgreSQL adds up BIGINT to NUMERIC.
    format!(
        "SELECT COUNT(*) AS jobs, CAST(COALESCE(SUM(billed_ms), 0) AS BIGINT) AS billed_ms FROM \
         (SELECT billed_ms FROM jobs WHERE tenant_id = $1 AND user_id = $2 AND {place} LIMIT {OWN_COUNTED_MAX}) AS counted"
    )
}

/// Cancels at most `limit` of those in one transaction, and says how many these were: none when all are cancelled that can be read.
pub(super) async fn cancel(store: &Store, owner: Owner, model: Option<&str>, limit: u64) -> Result<u64, StoreError> {
    for place in before_the_first_step(owner, model) {
        loop {
            let known = store.unreadable().len();
            let cancelled = cancel_some(store, owner, place.clone(), limit).await?;
            if cancelled > 0 {
                return Ok(cancelled);
            }
            if store.unreadable().len() <= known {
                break;
            }
        }
    }
    Ok(0)
}

async fn cancel_some(store: &Store, owner: Owner, place: Select<table::Entity>, limit: u64) -> Result<u64, StoreError> {
    let mut write = store.write_of(owner.tenant).await?;
    write.in_turn(owner.tenant).await?;
    // Who is just claimed goes on.
    let some = place.column(Column::Id).filter(Column::Id.is_not_in(store.unreadable())).limit(limit);
    let ids: Vec<Uuid> = some.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked).into_tuple().all(&write.tx).await?;
    let mut locked = Locked::read(&write, jobs::visible(owner.tenant, Texts::LeftOut), ids).await?;
    let mut cancelled = 0;
    for job in std::mem::take(&mut locked.jobs) {
        let Ok(next) = job.lifecycle.clone().cancel() else {
            // It says that it waits, and does not.
            store.remember_unreadable(job.id.uuid());
            continue;
        };
        match jobs::store(&mut write, &job, next, |_| ()).await {
            Ok(_) => cancelled += 1,
            Err(error) => locked.pass_over(job.id, error)?,
        }
    }
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(cancelled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, QueryTrait};

    #[tokio::test]
    async fn each_look_is_at_one_stretch_of_an_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let owner = Owner { tenant: TenantId::from_uuid(Uuid::nil()), user: UserId::from_uuid(Uuid::nil()) };
        let behind = Some(("m", 5, Uuid::nil()));
        let [running, again] = begun(owner, Uuid::nil(), 5);
        let [in_queue, outside, kept] = before_the_first_step(owner, None).map(|jobs| jobs.column(Column::Id));
        let by_user = "INDEX jobs_waiting_by_user (tenant_id=? AND user_id=? AND epoch>?)";
        let throttled_by_user = "INDEX jobs_throttled_by_user (tenant_id=? AND user_id=? AND created_at_ms>?)";
        let held_by_user = "INDEX jobs_held_by_user (tenant_id=? AND user_id=?)";
        let looks = [
            (running, "INDEX jobs_by_state_and_end (state=? AND ended_at_ms=?)"),
            (again, by_user),
            (waiting(owner, Lane::Batch, None, 5), "INDEX jobs_waiting_by_user (tenant_id=? AND user_id=? AND epoch=? AND lane=?)"),
            (waiting(owner, Lane::Batch, behind, 5), "INDEX jobs_waiting_by_user (tenant_id=? AND user_id=? AND epoch=? AND lane=? AND"),
            (throttled(owner, None, 5), throttled_by_user),
            (
                throttled(owner, Some((1, Uuid::nil())), 5),
                "INDEX jobs_throttled_by_user (tenant_id=? AND user_id=? AND (created_at_ms,id)>(?,?))",
            ),
            (in_queue, by_user),
            (outside, throttled_by_user),
            (held(owner, Uuid::nil(), 5), "INDEX jobs_held_by_user (tenant_id=? AND user_id=? AND id>?)"),
            (kept, held_by_user),
        ];
        let looks = looks.map(|(query, index)| (query.build(DbBackend::Sqlite).to_string(), index)).into_iter();
        let nobody = |sql: String| sql.replace("$1", "x'00'").replace("$2", "x'00'");
        let (sum_by_user, sum_throttled) = (format!("COVERING {by_user}"), format!("COVERING {throttled_by_user}"));
        let sums = [
            (nobody(sum(WAITS_FOR_FIRST_STEP)), &*sum_by_user),
            (nobody(sum(IS_THROTTLED)), &*sum_throttled),
            (nobody(sum(HELD_BEFORE_FIRST_STEP)), held_by_user),
        ];
        for (sql, index) in looks.chain(sums) {
            let is_of_begun = sql.contains("COALESCE(\"id\"");
            let sql = format!("EXPLAIN QUERY PLAN {sql}");
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            // What has begun is put in order: it is as many as run at once, or have not been decoded yet.
            let sorts = |step: &str| step.contains("B-TREE") && !is_of_begun;
            let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ") || sorts(step)).collect();
            assert!(of_jobs.len() == 1 && of_jobs[0].contains(index), "{steps:?} {index}");
        }
    }
}
