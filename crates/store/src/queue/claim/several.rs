//! Taking several jobs of one line in one transaction, for a worker that has several slots free.
//!
//! They are those that as many claims one after the other would take. Where that is not so simple, one is taken as ever.

use super::{Claimant, Claimed, claimed, take_first};
use crate::{
    Job, Store, StoreError,
    database::write::Write,
    entity::job::{self as table, Column},
    queue::order::{in_order, waits_in_line},
    rows::{
        has_come,
        jobs::{
            self,
            several::{LockedJob, Move, store as store_all},
        },
        previews,
    },
    sql::in_steps,
};
use domain::{
    Lease, Stage, Timestamp,
    billing::Lane,
    job::PAUSE_MAX_MS,
    scheduling::{Candidate, LineOf, Rotation, claimed_at_once},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{LockBehavior, LockType},
};
use std::sync::PoisonError;

/// So many candidates are locked past each other at once for each job that is to be taken.
const LOOKED_AT_FOR_EACH: usize = 2;

/// Of what was chosen, line by line, as many as may be taken at once: none behind one of `alone`, which is a claim, or a wait, of its own.
pub(super) async fn take(
    store: &Store,
    claimant: Claimant<'_>,
    (lane, chosen, alone): (Lane, Vec<Candidate>, Vec<Candidate>),
    lease_ms: i64,
) -> Result<Vec<Claimed>, StoreError> {
    let at_once = claimed_at_once(claimant.free, chosen.len(), claimant.workers);
    let line = first_line(&chosen, &alone);
    let turn = {
        let mut rotation = claimant.rotation.lock().unwrap_or_else(PoisonError::into_inner);
        turn_of_first_line(rotation.of(lane), &chosen, line, at_once)
    };
    if turn > 1 {
        match take_some(store, claimant, (lane, &chosen, line), (lease_ms, turn)).await {
            Ok(taken) if !taken.is_empty() => return Ok(taken),
            Err(error) if !error.is_of_row() => return Err(error),
            // One by one, it is told which it is that cannot be read.
            Ok(_) | Err(_) => {}
        }
    }
    Ok(take_first(store, claimant, (lane, chosen), lease_ms).await?.into_iter().collect())
}

/// How many of the first line stand before any of these that is of it.
fn first_line(chosen: &[Candidate], alone: &[Candidate]) -> usize {
    let Some(first) = chosen.first() else { return 0 };
    let until = alone.iter().filter(|candidate| candidate.model == first.model).map(|candidate| candidate.place).min();
    let is_before = |candidate: &&Candidate| candidate.model == first.model && until.is_none_or(|until| candidate.place < until);
    chosen.iter().take_while(is_before).count()
}

/// How many jobs of the first line, of which so many may be, would be taken before another line has its turn, at most `at_once`.
fn turn_of_first_line(rotation: &Rotation, chosen: &[Candidate], line: usize, at_once: usize) -> usize {
    let Some(first) = chosen.first() else { return 0 };
    let others = &chosen[chosen.iter().take_while(|candidate| candidate.model == first.model).count()..];
    let line = &chosen[..line];
    if others.is_empty() {
        return line.len().min(at_once);
    }
    let (mut rotation, tenants) = (rotation.clone(), |of: &[Candidate]| of.iter().map(|candidate| candidate.tenant).collect::<Vec<_>>());
    let mut turn = 0;
    while turn < line.len().min(at_once) {
        let mine = rotation.least_had(tenants(&line[turn..]));
        let theirs = rotation.least_had(tenants(others));
        if turn > 0 && theirs <= mine {
            break;
        }
        let least = mine.into_iter().chain(theirs).min();
        rotation.took(line[turn].tenant, line[turn].tag, least);
        turn += 1;
    }
    turn
}

/// Those of the first line that nobody else is just taking, in its order. Empty: there are none, or others have had them since.
async fn take_some(
    store: &Store,
    claimant: Claimant<'_>,
    (lane, chosen, line): (Lane, &[Candidate], usize),
    (lease_ms, at_once): (i64, usize),
) -> Result<Vec<Claimed>, StoreError> {
    let Some(model) = chosen.first().map(|first| first.model) else { return Ok(Vec::new()) };
    let line: Vec<_> = chosen[..line].iter().collect();
    let mut write = store.write().await?;
    let moves = async {
        let rows = lock_some(&write, claimant.stage, &line, at_once).await?;
        // They may have been paused while this waited for the transaction.
        let (pauses, of) = (store.pauses_by(&write.tx).await?, LineOf { lane, model: claimant.models[model] });
        let begins: Vec<_> = line.iter().copied().filter(|candidate| pauses.of(of, candidate.tenant).is_none()).collect();
        rows.into_iter().filter_map(|row| begun(&write, claimant, &begins, row, lease_ms).transpose()).collect()
    };
    let moves: Result<Vec<Move>, StoreError> = moves.await;
    let stored = async {
        let moves = moves?;
        if claimant.stage == Stage::Sampling {
            previews::remove_all(&write, &moves.iter().map(|moved| moved.of.job.id.uuid()).collect::<Vec<_>>()).await?;
        }
        store_all(&mut write, moves).await
    };
    let stored = stored.await;
    let stored = write.end(stored).await?;
    let mut rotation = claimant.rotation.lock().unwrap_or_else(PoisonError::into_inner);
    for job in &stored {
        let least = rotation.of(lane).least_had(chosen.iter().map(|candidate| candidate.tenant));
        rotation.of(lane).took(job.tenant, job.tag, least);
    }
    Ok(stored.into_iter().map(|job| claimed(claimant.stage, job)).collect())
}

/// The first of those that still wait, in the order of the line: mostly few are to be passed over, which others are just taking.
async fn lock_some(write: &Write, stage: Stage, line: &[&Candidate], at_once: usize) -> Result<Vec<table::Model>, StoreError> {
    let mut rows = Vec::new();
    for some in line.chunks(at_once * LOOKED_AT_FOR_EACH) {
        rows.extend(lock_first_of(write, stage, some, at_once - rows.len()).await?);
        if rows.len() >= at_once {
            break;
        }
    }
    Ok(rows)
}

async fn lock_first_of(write: &Write, stage: Stage, line: &[&Candidate], limit: usize) -> Result<Vec<table::Model>, StoreError> {
    let ids = in_steps(line.iter().map(|candidate| candidate.place.job.uuid()).collect());
    let waiting = table::Entity::find()
        .filter(Column::Id.is_in(ids))
        .filter(waits_in_line(stage))
        // The clock may have been put back since the look.
        .filter(has_come(Column::NotBeforeMs, write.now, PAUSE_MAX_MS))
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    Ok(in_order(waiting).limit(limit as u64).all(&write.tx).await?)
}

/// Whether a job is as it was when it was looked at: no other worker has had it since, and it has not gone over to another model, which this worker
/// may not have.
pub(super) fn is_as_seen(claimant: Claimant<'_>, candidate: &Candidate, (epoch, model): (u32, &str)) -> bool {
    candidate.epoch == epoch && claimant.models[candidate.model] == model
}

/// `None`: it is none of these. One that is not as it was seen is another choice.
fn begun(write: &Write, claimant: Claimant<'_>, line: &[&Candidate], row: table::Model, lease_ms: i64) -> Result<Option<Move>, StoreError> {
    let Claimant { stage, worker, .. } = claimant;
    let job = jobs::consistent(row.clone())?;
    let now = (job.lifecycle.epoch, &*job.spec.model);
    if !line.iter().any(|candidate| candidate.place.job == job.id && is_as_seen(claimant, candidate, now)) {
        return Ok(None);
    }
    let lease = Lease { worker, expires_at: write.now.plus_ms(lease_ms) };
    let next = job.lifecycle.clone().claim(stage, lease, write.now);
    let next = next.map_err(|_| StoreError::inconsistent(jobs::TABLE, "waits_for", stage))?;
    let mut also = table::ActiveModel::default();
    begin(&mut also, stage, &job, write.now);
    Ok(Some(Move { of: LockedJob::new(job, row), next, also }))
}

/// What is set where a job is begun, or a stage of it.
pub(super) fn begin(row: &mut table::ActiveModel, stage: Stage, job: &Job, now: Timestamp) {
    row.stage = Set(Some(stage.as_str().to_owned()));
    row.started_at_ms = Set(Some(job.started_at.unwrap_or(now).ms()));
    row.decoded_permille = Set(None);
    if stage == Stage::Sampling {
        row.step = Set(0);
        row.preview_step = Set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        JobId, TenantId, WorkerId,
        scheduling::{Place, Tag, VirtualTime},
    };
    use std::sync::Mutex;
    use uuid::Uuid;

    fn waiting(tenant: u128, model: usize, jobs: u128) -> Vec<Candidate> {
        let tag = Tag { start: VirtualTime::new(0), finish: VirtualTime::new(10) };
        let candidate = |n| Candidate {
            place: Place { finish: tag.finish, job: JobId::from_uuid(Uuid::from_u128(n)) },
            tenant: TenantId::from_uuid(Uuid::from_u128(tenant)),
            tag,
            model,
            epoch: 0,
            attempts: 0,
            suspect: false,
            avoid: None,
            needs_memory: None,
            reservation: None,
        };
        (0..jobs).map(candidate).collect()
    }

    #[test]
    fn a_line_is_left_when_another_one_has_its_turn() {
        let mut rotation = Rotation::default();
        let both = [waiting(1, 0, 6), waiting(2, 1, 1)].concat();
        let turn =
            |rotation: &Rotation, chosen: &[Candidate], at_once| turn_of_first_line(rotation, chosen, first_line(chosen, &[]), at_once);
        assert_eq!(turn(&rotation, &both, 8), 1);
        // The other team has had three jobs of this worker, while this one waited.
        for job in waiting(2, 1, 3) {
            rotation.took(job.tenant, job.tag, Some(VirtualTime::new(0)));
        }
        assert_eq!(turn(&rotation, &both, 8), 3);
        assert_eq!(turn(&rotation, &both, 2), 2);
        assert_eq!(turn(&rotation, &waiting(1, 0, 6), 8), 6);
    }

    #[test]
    fn a_job_that_another_has_had_or_that_went_over_to_another_model_is_not_as_it_was_seen() {
        let (worker, rotation) = (WorkerId::from_uuid(Uuid::nil()), Mutex::default());
        let models = ["a", "b"];
        let claimant = Claimant { stage: Stage::Sampling, worker, models: &models, lanes: &[], rotation: &rotation, free: 1, workers: 1 };
        let seen = |now| is_as_seen(claimant, &waiting(1, 1, 1)[0], now);
        assert_eq!([seen((0, "b")), seen((1, "b")), seen((0, "a")), seen((0, "c"))], [true, false, false, false]);
    }

    #[test]
    fn a_suspect_is_in_no_claim_of_several() {
        let line = waiting(1, 0, 6);
        assert_eq!(first_line(&line, &line[2..3]), 2);
        // Also where it was not chosen, as this worker is to become idle for it.
        let chosen = [&line[..2], &line[3..]].concat();
        assert_eq!((first_line(&chosen, &line[2..3]), first_line(&chosen, &[])), (2, 5));
        assert_eq!(first_line(&line, &line[..1]), 0);
        assert_eq!(first_line(&line, &waiting(2, 1, 1)), 6, "one of another line");
    }
}
