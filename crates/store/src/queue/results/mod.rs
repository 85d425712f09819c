//! What holders of leases announce and bring: the writes of all jobs of a process that come at once are done in one transaction, with about as
//! many statements as those of one job.
//!
//! Each is answered for itself: one whose lease is lost changes nothing, and the others hold.

mod together;

pub(crate) use together::Together;

use super::{LeaseError, LeaseToken, StageTook};
use crate::{
    ArtifactKind, Store, StoreError, StoredObject,
    database::write::Write,
    device_time,
    entity::{job as table, signed},
    in_time,
    rows::{
        artifacts,
        jobs::{
            self,
            several::{self, LockedJob, Move},
        },
    },
};
use domain::{Lifecycle, WorkerId, job::Layout};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbBackend};
use std::collections::HashMap;

/// A write under a lease.
#[derive(Clone)]
pub(crate) struct Asked {
    pub token: LeaseToken,
    pub act: Act,
}

#[derive(Clone)]
pub(crate) enum Act {
    Announce(Vec<ArtifactKind>),
    HandOver { latents: StoredObject, took: StageTook },
    Succeed { artifacts: Vec<StoredObject>, layout: Option<String>, took: StageTook },
}

pub(super) async fn announce(store: &Store, token: &LeaseToken, kinds: &[ArtifactKind]) -> Result<Vec<String>, LeaseError> {
    store.results.write(store, Asked { token: *token, act: Act::Announce(kinds.to_vec()) }).await?;
    Ok(artifacts::object_keys(token, kinds))
}

pub(super) async fn hand_over(store: &Store, token: &LeaseToken, latents: StoredObject, took: StageTook) -> Result<(), LeaseError> {
    store.results.write(store, Asked { token: *token, act: Act::HandOver { latents, took } }).await
}

pub(super) async fn succeed(
    store: &Store,
    token: &LeaseToken,
    artifacts: Vec<StoredObject>,
    layout: Option<&Layout>,
    took: StageTook,
) -> Result<(), LeaseError> {
    let layout = layout.and_then(|layout| serde_json::to_string(layout).ok());
    store.results.write(store, Asked { token: *token, act: Act::Succeed { artifacts, layout, took } }).await
}

/// Several that wait for one that is locked are better written each for itself. Sooner than PostgreSQL looks for circles of those that wait for
/// each other, so that nobody else's transaction is ended for it.
const LET_GO: &str = "SET LOCAL lock_timeout = '900ms'";

const WAIT_AGAIN: &str = "SET LOCAL lock_timeout = 0";

/// Why nothing is known to have been written.
#[derive(Debug)]
enum Failed {
    /// Nothing was: the database is away.
    NotBegun(StoreError),
    /// Nothing was.
    Before(StoreError),
    /// There was no answer: it may have been.
    Unknown(StoreError),
}

impl Failed {
    fn into_error(self) -> StoreError {
        match self {
            Self::NotBegun(error) | Self::Before(error) | Self::Unknown(error) => error,
        }
    }
}

/// As [`perform`], given up with its connection where the database is silent.
async fn perform_in_time(store: &Store, asked: &[Asked]) -> Result<Vec<bool>, Failed> {
    let in_time = in_time(async { Ok::<_, StoreError>(perform(store, asked).await) });
    in_time.await.unwrap_or_else(|late| Err(Failed::Unknown(late)))
}

/// Does what was asked, each of another job, in one transaction. Returns whose lease was held, in their order: the others are lost.
async fn perform(store: &Store, asked: &[Asked]) -> Result<Vec<bool>, Failed> {
    let mut write = store.write().await.map_err(Failed::NotBegun)?;
    let lets_go = asked.len() > 1 && write.backend() == DbBackend::Postgres;
    let done = async {
        if lets_go {
            write.tx.execute_unprepared(LET_GO).await?;
        }
        let held = write_all(&mut write, asked).await?;
        write.settle().await?;
        if lets_go {
            // Commits that notify wait for each other.
            write.tx.execute_unprepared(WAIT_AGAIN).await?;
        }
        Ok(held)
    };
    match done.await {
        Ok(held) if held.iter().any(|held| *held) => {
            write.commit().await.map_err(Failed::Unknown)?;
            Ok(held)
        }
        Ok(held) => {
            write.abandon().await.map_err(Failed::Before)?;
            Ok(held)
        }
        Err(error) => {
            write.abandon().await.map_err(Failed::Before)?;
            Err(Failed::Before(error))
        }
    }
}

async fn write_all(write: &mut Write, asked: &[Asked]) -> Result<Vec<bool>, StoreError> {
    let locked = several::lock(write, asked.iter().map(|asked| asked.token.job.uuid()).collect()).await?;
    let mut locked: HashMap<_, _> = locked.into_iter().map(|locked| (locked.job.id, locked)).collect();
    let mut held = Vec::with_capacity(asked.len());
    let (mut announced, mut ending) = (Vec::new(), Vec::new());
    for Asked { token, act } in asked {
        let job = locked.remove(&token.job).filter(|locked| locked.job.tenant == token.tenant && token.is_of(&locked.job.lifecycle));
        let next = match (&job, act) {
            (Some(locked), Act::HandOver { .. }) => locked.job.lifecycle.clone().hand_over(token.epoch).ok(),
            (Some(locked), Act::Succeed { .. }) => locked.job.lifecycle.clone().succeed(token.epoch).ok(),
            (_, Act::Announce(_)) | (None, _) => None,
        };
        match (job, next, act) {
            (Some(_), _, Act::Announce(kinds)) => announced.extend(kinds.iter().map(|kind| (*token, *kind))),
            (Some(locked), Some(next), _) => ending.push((locked, next, token, act)),
            _ => {
                held.push(false);
                continue;
            }
        }
        held.push(true);
    }
    artifacts::announce(write, &announced).await?;
    end(write, ending).await?;
    Ok(held)
}

/// Moves on the jobs that end a stage, with what they have brought.
async fn end(write: &mut Write, ending: Vec<(LockedJob, Lifecycle, &LeaseToken, &Act)>) -> Result<(), StoreError> {
    let brought = ending.iter().flat_map(|(_, _, token, act)| act.brings().iter().map(move |object| (**token, object)));
    artifacts::commit(write, &brought.collect::<Vec<_>>()).await?;
    let samplers = ending.iter().filter(|(.., act)| matches!(act, Act::HandOver { .. })).filter_map(|(locked, ..)| worker_of(locked));
    let devices = device_time::devices_of(&write.tx, samplers.collect()).await?;
    let mut moves = Vec::with_capacity(ending.len());
    for (of, next, _, act) in ending {
        let device = worker_of(&of).and_then(|worker| devices.get(&worker.uuid()).cloned());
        let also = act.columns(write, &of, device)?;
        moves.push(Move { of, next, also });
    }
    several::store(write, moves).await?;
    Ok(())
}

fn worker_of(locked: &LockedJob) -> Option<WorkerId> {
    locked.job.lifecycle.state.lease().map(|(_, lease)| lease.worker)
}

impl Act {
    fn brings(&self) -> &[StoredObject] {
        match self {
            Self::Announce(_) => &[],
            Self::HandOver { latents, .. } => std::slice::from_ref(latents),
            Self::Succeed { artifacts, .. } => artifacts,
        }
    }

    /// What it sets besides the lifecycle. `device`: on which the job was sampled.
    fn columns(&self, write: &Write, of: &LockedJob, device: Option<String>) -> Result<table::ActiveModel, StoreError> {
        let mut row = table::ActiveModel::default();
        match self {
            Self::Announce(_) => {}
            Self::HandOver { took, .. } => {
                let [sampling_ms, device_ms, load_ms, encode_ms, upload_ms] = milliseconds(*took)?;
                row.sampling_ms = Set(Some(sampling_ms));
                row.lease_device_ms = Set(device_ms);
                row.step = Set(signed(jobs::TABLE, "step", of.job.spec.steps)?);
                row.device = Set(device);
                row.sampled_at_ms = Set(Some(write.now.ms()));
                row.sampled_by = Set(worker_of(of).map(WorkerId::uuid));
                row.load_ms = Set(Some(load_ms));
                row.encode_ms = Set(Some(encode_ms));
                row.latents_upload_ms = Set(Some(upload_ms));
                row.sampling_device_ms = Set(Some(device_ms));
            }
            Self::Succeed { layout, took, .. } => {
                let [decoding_ms, device_ms, _, _, upload_ms] = milliseconds(*took)?;
                row.decoding_ms = Set(Some(decoding_ms));
                row.lease_device_ms = Set(device_ms);
                row.upload_ms = Set(Some(upload_ms));
                row.decoding_device_ms = Set(Some(device_ms));
                row.layout = Set(layout.clone());
            }
        }
        Ok(row)
    }
}

/// As they are stored: what passed, of the device, loading, encoding, uploading.
fn milliseconds(took: StageTook) -> Result<[i64; 5], StoreError> {
    let StageTook { elapsed_ms, device_ms, load_ms, encode_ms, upload_ms } = took;
    let mut all = [0; 5];
    for (stored, ms) in all.iter_mut().zip([elapsed_ms, device_ms, load_ms, encode_ms, upload_ms]) {
        *stored = signed(jobs::TABLE, "sampling_ms", ms)?;
    }
    Ok(all)
}
