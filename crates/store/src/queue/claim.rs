//! Taking the next job of a stage.
//!
//! Three kinds of jobs are not simply next: a **suspect**, over which a worker was lost, is left to a worker that runs
//! nothing else; a retry is left to other workers than the one that failed it, for a while; and a row that
//! cannot be read, written by another version perhaps, is passed over.

use super::{Claimed, Company, LeaseToken};
use crate::{
    Job, Store, StoreError,
    database::write::Write,
    entity::{job as table, worker},
    rows::{Place, has_come, jobs, places_by, previews, this_place},
    workers,
};
use domain::{
    JobId, Lease, Stage, Timestamp, WorkerId,
    job::{AVOID_MS, PAUSE_MAX_MS, STARTED_SINCE_MS, pause_ms},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait, LockBehavior, LockType, Query},
};
use uuid::Uuid;

/// How long a suspect is kept for the worker that becomes idle for it, unless that says again that it does.
const RESERVED_MS: i64 = 15_000;

/// Who claims, and for what.
#[derive(Clone, Copy)]
pub(super) struct Claimant<'a> {
    pub stage: Stage,
    pub worker: WorkerId,
    pub models: &'a [&'a str],
}

impl Claimant<'_> {
    /// Jobs that the stage may take now, in the order of the queue, but for rows that cannot be read.
    fn claimable(self, store: &Store, now: Timestamp) -> Select<table::Entity> {
        table::Entity::find()
            .filter(table::Column::WaitsFor.eq(self.stage.as_str()))
            .filter(has_come(table::Column::NotBeforeMs, now, PAUSE_MAX_MS))
            .filter(table::Column::Model.is_in(self.models.iter().copied()))
            .filter(table::Column::Id.is_not_in(store.unreadable()))
            .order_by_asc(table::Column::CreatedAtMs)
            .order_by_asc(table::Column::Id)
            .limit(1)
    }

    /// All but the retries that this worker leaves to others: those that it failed, and, while there are workers that were
    /// there then, those that were failed before it started, as it may stand for the one that did.
    fn not_avoided(self, now: Timestamp) -> Condition {
        let pause = Expr::case(table::Column::Attempts.gt(1), pause_ms(2)).finally(pause_ms(1));
        let failed_at = Expr::col((table::Entity, table::Column::NotBeforeMs)).sub(pause);
        let was_there = |workers: Select<worker::Entity>| {
            let before = failed_at.clone().gte(Expr::col((worker::Entity, worker::Column::StartedAtMs)));
            Expr::exists(workers.select_only().expr(Expr::val(1)).filter(before).into_query())
        };
        let avoided_lives = Expr::exists(workers::alive(Expr::col((table::Entity, table::Column::AvoidWorker)), now));
        // Also where the clock has been put back since.
        let is_old = |ms: i64| has_come(table::Column::NotBeforeMs, now.plus_ms(-ms), ms + PAUSE_MAX_MS);
        Condition::any()
            .add(table::Column::AvoidWorker.is_null())
            .add(
                Condition::all().add(table::Column::AvoidWorker.ne(self.worker.uuid())).add(
                    Condition::any()
                        .add(table::Column::Suspect.eq(true))
                        .add(was_there(worker::Entity::find_by_id(self.worker.uuid())))
                        .add(avoided_lives)
                        .add(was_there(self.others(now)).not())
                        .add(is_old(STARTED_SINCE_MS)),
                ),
            )
            .add(Condition::all().add(table::Column::AvoidWorker.eq(self.worker.uuid())).add(is_old(AVOID_MS)))
    }

    /// All but the suspects for which another worker is becoming idle.
    fn not_reserved(self, now: Timestamp) -> Condition {
        Condition::any()
            .add(table::Column::Suspect.eq(false))
            .add(table::Column::ReservedBy.is_null())
            .add(table::Column::ReservedBy.eq(self.worker.uuid()))
            .add(has_come(table::Column::ReservedUntilMs, now, RESERVED_MS))
    }

    /// Who else could do what this worker should leave to others.
    fn others(self, now: Timestamp) -> Select<worker::Entity> {
        workers::at_work_of(self.stage, now).filter(worker::Column::Id.ne(self.worker.uuid()))
    }

    async fn has_others(self, db: &impl ConnectionTrait, now: Timestamp) -> Result<bool, StoreError> {
        Ok(self.others(now).one(db).await?.is_some())
    }
}

/// A row that another claimer is just taking is skipped, not waited for.
pub(super) async fn claim(store: &Store, claimant: Claimant<'_>, lease_ms: i64, company: Company) -> Result<Option<Claimed>, StoreError> {
    // Where there are too many rows to remember that cannot be read.
    let mut behind = None;
    loop {
        let write = store.write().await?;
        let Some(place) = next_locked(store, &write, claimant, company, behind).await? else {
            write.abandon().await?;
            return Ok(None);
        };
        let (_, id) = place;
        match take(write, claimant, id, lease_ms).await {
            Ok(None) => {}
            Err(error) if error.is_of_row() => {
                if !store.remember_unreadable(id) {
                    behind = Some(place);
                }
                store.operator().note_in_passing(&[(JobId::from_uuid(id), error)]).await;
            }
            claimed => return claimed,
        }
    }
}

async fn next_locked(
    store: &Store,
    write: &Write,
    claimant: Claimant<'_>,
    company: Company,
    behind: Option<Place>,
) -> Result<Option<Place>, StoreError> {
    let mut query = claimant.claimable(store, write.now).select_only().columns([table::Column::CreatedAtMs, table::Column::Id]);
    query = query.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    if let Some(place) = behind {
        query = query.filter(places_by(table::Column::CreatedAtMs).gt(this_place(place)));
    }
    if company == Company::Unsuspected {
        query = query.filter(table::Column::Suspect.eq(false));
    }
    let preferred = query.clone().filter(claimant.not_avoided(write.now)).into_tuple().one(&write.tx).await?;
    if preferred.is_some() || claimant.has_others(&write.tx, write.now).await? {
        return Ok(preferred);
    }
    Ok(query.into_tuple().one(&write.tx).await?)
}

/// Ends the transaction. `None`: the job is gone.
async fn take(mut write: Write, claimant: Claimant<'_>, id: Uuid, lease_ms: i64) -> Result<Option<Claimed>, StoreError> {
    let claimed = match table::Entity::find_by_id(id).one(&write.tx).await?.map(jobs::consistent) {
        Some(Ok(job)) => lease_to(&mut write, claimant, &job, lease_ms).await.map(Some),
        Some(Err(error)) => Err(error),
        None => Ok(None),
    };
    if matches!(claimed, Ok(Some(_))) {
        write.commit().await?
    } else {
        write.abandon().await?
    }
    claimed
}

async fn lease_to(write: &mut Write, claimant: Claimant<'_>, job: &Job, lease_ms: i64) -> Result<Claimed, StoreError> {
    let Claimant { stage, worker, .. } = claimant;
    let (now, lease) = (write.now, Lease { worker, expires_at: write.now.plus_ms(lease_ms) });
    let Ok(next) = job.lifecycle.clone().claim(stage, lease, now) else {
        return Err(StoreError::inconsistent(jobs::TABLE, "waits_for", stage));
    };
    let again = stage == Stage::Sampling;
    let begun_ms = job.started_at.unwrap_or(now).ms();
    if again {
        previews::remove(write, job.id).await?;
    }
    let job = jobs::store(write, job, next, |row| {
        row.stage = Set(Some(stage.as_str().to_owned()));
        row.started_at_ms = Set(Some(begun_ms));
        if again {
            row.step = Set(0);
            row.preview_step = Set(None);
        }
    })
    .await?;
    Ok(Claimed { token: LeaseToken { job: job.id, tenant: job.tenant, stage, epoch: job.lifecycle.epoch }, job })
}

/// What stands first in line.
pub(super) enum Next {
    Nothing,
    Ordinary,
    Suspect(Uuid),
}

/// A look takes no lock. Who runs nothing else may take a suspect from whoever is still becoming idle for it.
pub(super) async fn next(store: &Store, claimant: Claimant<'_>, company: Company) -> Result<Next, StoreError> {
    let now = store.now().await?;
    let mut query = claimant.claimable(store, now);
    let left = query.clone().filter(table::Column::Suspect.eq(false)).select_only().column(table::Column::Id).into_tuple::<Uuid>();
    if company == Company::Unsuspected {
        // Nor is it becoming idle for a suspect that it leaves to others.
        query = query.filter(claimant.not_reserved(now)).filter(claimant.not_avoided(now));
    }
    let query = query.select_only().columns([table::Column::Id, table::Column::Suspect]);
    let first: Option<(Uuid, bool)> = query.into_tuple().one(&store.db).await?;
    Ok(match first {
        // There are no others to whom it could leave what it leaves to others.
        None if company == Company::Unsuspected && !claimant.has_others(&store.db, now).await? && left.one(&store.db).await?.is_some() => {
            Next::Ordinary
        }
        None => Next::Nothing,
        Some((_, false)) => Next::Ordinary,
        Some((id, true)) => Next::Suspect(id),
    })
}

/// Keeps the first suspect in line for this worker, which becomes idle for it: one worker of the fleet at a time
/// does, all others go on. Said again, it is kept for longer. `false`: there is none, or another worker does.
pub(super) async fn reserve(store: &Store, claimant: Claimant<'_>) -> Result<bool, StoreError> {
    let Next::Suspect(id) = next(store, claimant, Company::Unsuspected).await? else { return Ok(false) };
    let write = store.write().await?;
    let (me, now) = (claimant.worker.uuid(), write.now);
    let others = Query::select()
        .expr(Expr::val(1))
        .from(table::Entity)
        .and_where(table::Column::ReservedUntilMs.between(now.ms() + 1, now.plus_ms(RESERVED_MS).ms()))
        .and_where(table::Column::ReservedBy.ne(me))
        .and_where(table::Column::WaitsFor.eq(claimant.stage.as_str()))
        .take();
    let done = table::Entity::update_many()
        .col_expr(table::Column::ReservedBy, Expr::value(me))
        .col_expr(table::Column::ReservedUntilMs, Expr::value(now.plus_ms(RESERVED_MS).ms()))
        .filter(table::Column::Id.eq(id))
        .filter(table::Column::WaitsFor.eq(claimant.stage.as_str()))
        .filter(claimant.not_reserved(now))
        .filter(Expr::exists(others).not())
        .exec(&write.tx)
        .await?;
    write.commit().await?;
    Ok(done.rows_affected == 1)
}
