//! Taking the next job of a stage: look at the candidates of each line, let [`domain::scheduling`] choose, and take the first of the
//! chosen ones that nobody else is just taking, in a short transaction that repeats what the choice went by.
//!
//! A row that cannot be read, written by another version perhaps, is passed over.

mod several;

use super::{
    Claimed, LeaseToken,
    order::{behind, in_order, waits_in_line},
};
use crate::{
    Job, Store, StoreError,
    database::write::Write,
    entity::{job as table, job::Column},
    rows::{has_come, jobs, previews},
    workers,
};
use domain::{
    JobId, Lease, Stage, TenantId, Timestamp, WorkerId,
    billing::Lane,
    job::{Avoided, PAUSE_MAX_MS},
    scheduling::{
        self, Candidate, Choice, LOOK_MIN, LaneRotations, LineOf, Pauses, Place, RESERVED_AHEAD_MAX_MS, RESERVED_MS, SuspectReservation,
        Suspects, Tag, VirtualTime,
    },
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryResult, QuerySelect, QueryTrait, TryGetableMany,
    sea_query::{Expr, ExprTrait, LockBehavior, LockType, Query, SelectStatement},
};
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// The most candidates of each line that are looked at at once; where none of the first may be taken, each further look is at eight times more.
const LOOK_MAX: u64 = 8192;
/// The most of each line that are looked at first, as many as the fleet could take.
const LOOK_FIRST_MAX: u64 = 128;

/// Who claims, and for what.
#[derive(Clone, Copy)]
pub(super) struct Claimant<'a> {
    pub stage: Stage,
    pub worker: WorkerId,
    pub models: &'a [&'a str],
    /// From which lanes, and from which first.
    pub lanes: &'a [Lane],
    /// What tenants have had of this worker.
    pub rotation: &'a Mutex<LaneRotations>,
    /// At most so many jobs at once.
    pub free: usize,
    /// That take jobs of the stage, this one among them: they get as many of those that wait.
    pub workers: usize,
}

impl Claimant<'_> {
    async fn choose(self, store: &Store, suspects: Suspects, candidates: &[Candidate], now: Timestamp) -> Result<Choice, StoreError> {
        // Only who might leave a retry to others has to know them.
        let fleet = if candidates.iter().any(|candidate| candidate.avoid.is_some() || candidate.needs_memory.is_some()) {
            workers::colleagues(store, self.stage, self.models, self.worker, now).await?
        } else {
            Vec::new()
        };
        Ok(scheduling::Claimant { worker: self.worker, suspects, fleet: &fleet }.choose(candidates, now))
    }
}

/// Jobs of one lane that a stage may take now, some at a time.
struct Candidates<'a> {
    store: &'a Store,
    claimant: Claimant<'a>,
    lane: Lane,
    now: Timestamp,
    /// What the operator keeps from being begun.
    pauses: Arc<Pauses>,
    next_look: u64,
    look_min: u64,
    /// The last that was looked at of each model's line.
    behind: Vec<Option<Place>>,
}

impl<'a> Candidates<'a> {
    async fn new(store: &'a Store, claimant: Claimant<'a>, lane: Lane) -> Result<Self, StoreError> {
        let behind = vec![None; claimant.models.len()];
        let (pauses, now) = (store.pauses().await?, store.now().await?);
        let look_min = (claimant.free.saturating_mul(claimant.workers) as u64).clamp(LOOK_MIN, LOOK_FIRST_MAX);
        Ok(Self { store, claimant, lane, now, pauses, next_look: LOOK_MIN, look_min, behind })
    }

    /// Line by line, that one first in which the tenant waits that has had least of this worker. Empty: there are no more.
    async fn next(&mut self) -> Result<Vec<Candidate>, StoreError> {
        let mut lines = Vec::new();
        for model in 0..self.claimant.models.len() {
            let line = self.of(model).await?;
            self.behind[model] = line.last().map(|last| last.place).or(self.behind[model]);
            lines.push(line);
        }
        self.next_look = std::cmp::min(self.next_look * 8, LOOK_MAX);
        let mut rotation = self.claimant.rotation.lock().unwrap_or_else(PoisonError::into_inner);
        let rotation = rotation.of(self.lane);
        // Of two that have had the same, the older job.
        lines.sort_by_key(|line| {
            let least = rotation.least_had(line.iter().map(|candidate| candidate.tenant));
            (least, line.first().map(|first| first.place.job))
        });
        Ok(lines.concat())
    }

    /// Of one model: each has a line of its own in the index, in which nobody else's jobs are passed over.
    async fn of(&self, model: usize) -> Result<Vec<Candidate>, StoreError> {
        if self.pauses.hold_line(LineOf { lane: self.lane, model: self.claimant.models[model] }) {
            return Ok(Vec::new());
        }
        let rows = self.store.db.query_all(&self.line(model)).await?;
        Ok(rows.iter().filter_map(candidate).map(|candidate| Candidate { model, ..candidate }).collect())
    }

    fn line(&self, model: usize) -> SelectStatement {
        let mut waiting = table::Entity::find()
            .filter(waits_in_line(self.claimant.stage))
            .filter(has_come(Column::NotBeforeMs, self.now, PAUSE_MAX_MS))
            .filter(Column::Model.eq(self.claimant.models[model]))
            .filter(Column::Lane.eq(self.lane.as_str()))
            .filter(Column::Id.is_not_in(self.store.unreadable()));
        if let Some(place) = self.behind[model] {
            waiting = waiting.filter(behind(place));
        }
        let mut paused = self.pauses.tenants().map(TenantId::uuid).peekable();
        if paused.peek().is_some() {
            waiting = waiting.filter(Column::TenantId.is_not_in(paused));
        }
        let columns = [
            Column::FinishTag,
            Column::Id,
            Column::TenantId,
            Column::StartTag,
            Column::Epoch,
            Column::Attempts,
            Column::Suspect,
            Column::AvoidWorker,
            Column::NeedsMemoryBytes,
            Column::NotBeforeMs,
            Column::ReservedBy,
            Column::ReservedUntilMs,
        ];
        in_order(waiting).limit(std::cmp::max(self.next_look, self.look_min)).select_only().columns(columns).into_query()
    }
}

type Row = (i64, Uuid, Uuid, i64, i32, i32, bool, Option<Uuid>, Option<i64>, i64, Option<Uuid>, Option<i64>);

/// What cannot be read here is noticed when the row is read in full.
fn candidate(row: &QueryResult) -> Option<Candidate> {
    let (finish, id, tenant) = <(i64, Uuid, Uuid)>::try_get_many_by_index(row).ok()?;
    let (finish, tenant) = (VirtualTime::new(finish), TenantId::from_uuid(tenant));
    let (place, tag) = (Place { finish, job: JobId::from_uuid(id) }, Tag { start: finish, finish });
    let waiting = Candidate {
        place,
        tenant,
        tag,
        model: 0,
        epoch: 0,
        attempts: 0,
        suspect: false,
        avoid: None,
        needs_memory: None,
        reservation: None,
    };
    let Ok((_, _, _, start, epoch, attempts, suspect, avoid_worker, needs_bytes, not_before_ms, reserved_by, reserved_until_ms)) =
        Row::try_get_many_by_index(row)
    else {
        return Some(waiting);
    };
    let worker = WorkerId::from_uuid;
    let reservation = reserved_by.zip(reserved_until_ms);
    Some(Candidate {
        tag: Tag { start: VirtualTime::new(start), finish },
        epoch: epoch.try_into().unwrap_or(0),
        attempts: attempts.try_into().unwrap_or(0),
        suspect,
        avoid: avoid_worker.map(|id| Avoided { worker: worker(id), from: Timestamp::from_ms(not_before_ms) }),
        needs_memory: needs_bytes.and_then(|bytes| bytes.try_into().ok()),
        reservation: reservation.map(|(id, ms)| SuspectReservation { worker: worker(id), until: Timestamp::from_ms(ms) }),
        ..waiting
    })
}

/// What a claim comes to.
pub(super) enum Outcome {
    /// One at least.
    Claimed(Vec<Claimed>),
    /// A suspect of this lane is kept for this worker, which takes nothing more until it is idle.
    BecomeIdle(Lane),
    Nothing,
}

pub(super) async fn claim(store: &Store, claimant: Claimant<'_>, lease_ms: i64, suspects: Suspects) -> Result<Outcome, StoreError> {
    for lane in claimant.lanes {
        match claim_of(store, claimant, *lane, lease_ms, suspects).await? {
            Outcome::Nothing => {}
            outcome => return Ok(outcome),
        }
    }
    Ok(Outcome::Nothing)
}

async fn claim_of(store: &Store, claimant: Claimant<'_>, lane: Lane, lease_ms: i64, mut suspects: Suspects) -> Result<Outcome, StoreError> {
    let mut line = Candidates::new(store, claimant, lane).await?;
    loop {
        let candidates = line.next().await?;
        if candidates.is_empty() {
            return Ok(Outcome::Nothing);
        }
        let mut choice = claimant.choose(store, suspects, &candidates, line.now).await?;
        if let Choice::BecomeIdleFor(suspect) = choice {
            if reserve_this(store, claimant, suspect).await? {
                return Ok(Outcome::BecomeIdle(lane));
            }
            // Another worker does: go on with the others.
            suspects = Suspects::LeaveOut;
            choice = claimant.choose(store, suspects, &candidates, line.now).await?;
        }
        if let Choice::Claim(chosen) = choice {
            let alone = candidates.into_iter().filter(|candidate| candidate.suspect && suspects != Suspects::LeaveOut).collect();
            let claimed = several::take(store, claimant, (lane, chosen, alone), lease_ms).await?;
            if !claimed.is_empty() {
                return Ok(Outcome::Claimed(claimed));
            }
        }
    }
}

/// Keeps the suspect that is next for this worker, which becomes idle for it. Said again, it is kept for longer.
/// `false`: none is, or another worker becomes idle for one.
pub(super) async fn reserve(store: &Store, claimant: Claimant<'_>) -> Result<bool, StoreError> {
    for lane in claimant.lanes {
        let mut line = Candidates::new(store, claimant, *lane).await?;
        loop {
            let candidates = line.next().await?;
            match claimant.choose(store, Suspects::Reserve, &candidates, line.now).await? {
                Choice::BecomeIdleFor(suspect) => return reserve_this(store, claimant, suspect).await,
                Choice::Claim(_) if candidates.is_empty() => break,
                Choice::Claim(chosen) if !chosen.is_empty() => return Ok(false),
                Choice::Claim(_) => {}
            }
        }
    }
    Ok(false)
}

/// One worker of the fleet at a time becomes idle for a stage's suspect, and none for one that cannot be read.
async fn reserve_this(store: &Store, claimant: Claimant<'_>, suspect: JobId) -> Result<bool, StoreError> {
    let write = store.write().await?;
    let row = table::Entity::find_by_id(suspect.uuid()).one(&write.tx).await.map_err(StoreError::from);
    if let Err(error) = row.and_then(|row| row.map(jobs::consistent).transpose()) {
        write.abandon().await?;
        return pass_over(store, suspect, error).await.map(|()| false);
    }
    let (me, stage, now) = (claimant.worker.uuid(), claimant.stage.as_str(), write.now);
    let others = Query::select()
        .expr(Expr::val(1))
        .from(table::Entity)
        .and_where(Column::ReservedUntilMs.between(now.ms() + 1, now.plus_ms(RESERVED_AHEAD_MAX_MS).ms()))
        .and_where(Column::ReservedBy.ne(me))
        .and_where(Column::WaitsFor.eq(stage))
        .take();
    // PostgreSQL looks at this again where it had to wait for the row, and not at the others.
    let has_fallen_silent = has_come(Column::ReservedUntilMs, now, RESERVED_AHEAD_MAX_MS);
    let is_free = Condition::any().add(Column::ReservedBy.is_null()).add(Column::ReservedBy.eq(me)).add(has_fallen_silent);
    let done = table::Entity::update_many()
        .col_expr(Column::ReservedBy, Expr::value(me))
        .col_expr(Column::ReservedUntilMs, Expr::value(now.plus_ms(RESERVED_MS).ms()))
        .filter(Column::Id.eq(suspect.uuid()))
        .filter(Column::WaitsFor.eq(stage))
        .filter(is_free)
        .filter(Expr::exists(others).not())
        .exec(&write.tx)
        .await?;
    write.commit().await?;
    Ok(done.rows_affected == 1)
}

/// The first of these that nobody else is just taking, or has taken since. One that cannot be read is passed over.
async fn take_first(
    store: &Store,
    claimant: Claimant<'_>,
    (lane, mut chosen): (Lane, Vec<Candidate>),
    lease_ms: i64,
) -> Result<Option<Claimed>, StoreError> {
    let rotation = || claimant.rotation.lock().unwrap_or_else(PoisonError::into_inner);
    let least = rotation().of(lane).least_had(chosen.iter().map(|candidate| candidate.tenant));
    while let Some(first) = chosen.first() {
        let model = first.model;
        let line = chosen.iter().take_while(|candidate| candidate.model == model).count();
        let write = store.write().await?;
        let first = lock_first(&write, claimant.stage, &chosen[..line]).await?;
        let Some(first) = first.and_then(|id| chosen.extract_if(..line, |candidate| candidate.place.job == id).next()) else {
            write.abandon().await?;
            chosen.drain(..line);
            continue;
        };
        // They may have been paused while this waited for the transaction.
        let line = LineOf { lane, model: claimant.models[first.model] };
        if store.pauses_by(&write.tx).await?.of(line, first.tenant).is_some() {
            write.abandon().await?;
            continue;
        }
        match take(write, claimant, &first, lease_ms).await {
            Ok(None) => {}
            Ok(claimed) => {
                rotation().of(lane).took(first.tenant, first.tag, least);
                return Ok(claimed);
            }
            Err(error) => pass_over(store, first.place.job, error).await?,
        }
    }
    Ok(None)
}

/// Remembers a row that cannot be read, and writes it down for the operator.
///
/// # Errors
/// `error`, when it is not about the row.
async fn pass_over(store: &Store, job: JobId, error: StoreError) -> Result<(), StoreError> {
    if !error.is_of_row() {
        return Err(error);
    }
    store.remember_unreadable(job.uuid());
    store.operator().note_in_passing(&[(job, error)]).await;
    Ok(())
}

async fn lock_first(write: &Write, stage: Stage, chosen: &[Candidate]) -> Result<Option<JobId>, StoreError> {
    let waiting = table::Entity::find()
        .filter(Column::Id.is_in(crate::sql::in_steps(chosen.iter().map(|candidate| candidate.place.job.uuid()).collect())))
        .filter(waits_in_line(stage))
        // The clock may have been put back since the look.
        .filter(has_come(Column::NotBeforeMs, write.now, PAUSE_MAX_MS))
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let first = in_order(waiting).limit(1).select_only().column(Column::Id).into_tuple::<Uuid>();
    Ok(first.one(&write.tx).await?.map(JobId::from_uuid))
}

/// Ends the transaction. `None`: the job is gone, or is not as it was seen, which makes it another choice.
async fn take(mut write: Write, claimant: Claimant<'_>, chosen: &Candidate, lease_ms: i64) -> Result<Option<Claimed>, StoreError> {
    let claimed = match table::Entity::find_by_id(chosen.place.job.uuid()).one(&write.tx).await?.map(jobs::consistent) {
        Some(Ok(job)) if !several::is_as_seen(claimant, chosen, (job.lifecycle.epoch, &job.spec.model)) => Ok(None),
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
    let lease = Lease { worker, expires_at: write.now.plus_ms(lease_ms) };
    let Ok(next) = job.lifecycle.clone().claim(stage, lease, write.now) else {
        return Err(StoreError::inconsistent(jobs::TABLE, "waits_for", stage));
    };
    let begun_at = write.now;
    if stage == Stage::Sampling {
        previews::remove(write, job.id).await?;
    }
    let stored = jobs::store(write, job, next, |row| several::begin(row, stage, job, begun_at)).await?;
    Ok(claimed(stage, stored))
}

fn claimed(stage: Stage, job: Job) -> Claimed {
    Claimed { token: LeaseToken { job: job.id, tenant: job.tenant, stage, epoch: job.lifecycle.epoch }, job }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, Statement};

    #[tokio::test]
    async fn no_job_of_another_model_is_looked_at() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let (worker, rotation) = (WorkerId::from_uuid(Uuid::nil()), Mutex::default());
        let claimant = Claimant { stage: Stage::Sampling, worker, models: &["a"], lanes: &[], rotation: &rotation, free: 1, workers: 1 };
        let mut line = Candidates::new(&store, claimant, Lane::Batch).await.unwrap();
        for behind in [None, Some(Place { finish: VirtualTime::new(1), job: JobId::from_uuid(Uuid::nil()) })] {
            line.behind[0] = behind;
            let sql = format!("EXPLAIN QUERY PLAN {}", DbBackend::Sqlite.build(&line.line(0)));
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let along = "INDEX jobs_by_line (waits_for=? AND model=? AND lane=? AND ";
            assert!(steps.iter().all(|step| step.contains(along) && step.contains("finish_tag<?)")), "{steps:?}");
        }
    }
}
