//! The loop that goes on with batches: whichever are due, some at once, each by one step. Any number of servers run it.

use crate::{AccessError, Services};
use domain::{
    Actor, BatchId, Permission, TenantId, Timestamp,
    batch::{BatchStatus, BatchWait, Closing, LineCounts, LineState, Step},
};
use futures::{StreamExt, stream::FuturesUnordered};
use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    time::Duration,
};
use store::{Batch, DueBatch, StoreError};
use tokio::time::{sleep, timeout};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

pub(crate) const NAME: &str = "batches";

/// For so long nobody else goes on with a batch that somebody has in hand, and has said so: when a server is killed, its batches stand so long.
pub(super) const LEASE_MS: i64 = 6000;
/// How often that is said during a step that takes long. One that is not heard of in time is done twice, which its guards allow for.
const RENEWED_EVERY: Duration = Duration::from_secs(2);
/// After ten minutes a step hangs, and another server may go on.
const RENEWALS_MAX: u32 = 300;
/// Batches that this process has in hand.
const AT_ONCE: usize = 8;
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// A batch with which this process could not go on is left alone so long, and keeps its place meanwhile.
const FAILED_PAUSE: Duration = Duration::from_secs(2);
/// Ends of lines that are noted in one transaction, and in one step.
const COLLECTED_AT_ONCE: u32 = 200;
const COLLECTED_MAX: u32 = 1000;
/// Lines that are withdrawn in one transaction, and jobs in one step.
const WITHDRAWN_AT_ONCE: u32 = 200;
/// While nothing ends, and while something does.
const QUIET_MS: i64 = 2000;
const BUSY_MS: i64 = 300;
/// What is being made when a batch is closed is waited for so long, and then cancelled.
const GRACE_MS: i64 = 60 * 60 * 1000;

/// How long a batch is left alone, and why its lines wait meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pause {
    ms: i64,
    wait: Option<(BatchWait, String)>,
}

impl Pause {
    pub(super) const NONE: Self = Self { ms: 0, wait: None };
    /// After something else than what was found. Where that is found again and again, as in a row of a newer version, this keeps nobody busy.
    pub(super) const OVERTAKEN: Self = Self { ms: BUSY_MS, wait: None };

    pub(super) fn of(wait: BatchWait) -> Self {
        Self::saying(wait, wait.text().to_owned())
    }

    /// To another batch of its team.
    pub(super) fn giving_way(ms: i64) -> Self {
        Self { ms, ..Self::of(BatchWait::Pace) }
    }

    pub(super) const fn saying(wait: BatchWait, text: String) -> Self {
        Self { ms: wait.pause_ms(), wait: Some((wait, text)) }
    }
}

/// Goes on with batches until it is dropped.
pub(crate) async fn run(services: Services) {
    if services.line_format.is_none() {
        return std::future::pending().await;
    }
    let mut in_hand = FuturesUnordered::new();
    let mut names = BTreeMap::new();
    loop {
        let due = match services.next_batches(&names, AT_ONCE - in_hand.len()).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(error = &error as &dyn Error, "batches wait: the database does not answer");
                Vec::new()
            }
        };
        services.metrics.note_run(NAME, true);
        for batch in due {
            names.insert(batch.id, batch.tenant);
            let services = services.clone();
            let going_on = AbortOnDropHandle::new(tokio::spawn(async move {
                if !services.go_on_with(batch).await {
                    sleep(FAILED_PAUSE).await;
                }
            }));
            in_hand.push(async move {
                let _ = going_on.await;
                batch.id
            });
        }
        let done = if in_hand.is_empty() {
            sleep(LOOK_EVERY).await;
            None
        } else if in_hand.len() < AT_ONCE {
            timeout(LOOK_EVERY, in_hand.next()).await.ok().flatten()
        } else {
            in_hand.next().await
        };
        if let Some(id) = done {
            names.remove(&id);
        }
    }
}

/// Does a step, and meanwhile `renew`, which is never broken off: it writes.
async fn renewed<T, F: Future<Output = ()>>(every: Duration, renew: impl Fn() -> F, step: impl Future<Output = T>) -> T {
    let over = CancellationToken::new();
    let stepping = async {
        let done = step.await;
        over.cancel();
        done
    };
    let renewing = async {
        for _ in 0..RENEWALS_MAX {
            if over.run_until_cancelled(sleep(every)).await.is_none() {
                break;
            }
            renew().await;
        }
    };
    tokio::join!(stepping, renewing).0
}

impl Services {
    /// Goes on with every batch that is due by one step; says how many these were.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn step_batches(&self, actor: Actor) -> Result<u64, AccessError> {
        actor.require(Permission::Maintain)?;
        let due = self.store.batch_rows().due(100).await?;
        for batch in &due {
            self.go_on_with(*batch).await;
        }
        Ok(due.len() as u64)
    }

    /// Those with which this process goes on next, at most `room`, beside what it has in hand: of tenants first of which that is none. One with many
    /// batches keeps no other waiting until each of them had its turn.
    async fn next_batches(&self, in_hand: &BTreeMap<BatchId, TenantId>, room: usize) -> Result<Vec<DueBatch>, StoreError> {
        let rows = self.store.batch_rows();
        let tenants: Vec<_> = in_hand.values().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let mut next = if tenants.is_empty() { Vec::new() } else { rows.due_of_others(&tenants, room as u64).await? };
        // A batch in hand is not due, unless it could not be taken.
        let all = rows.due(2 * AT_ONCE as u64).await?.into_iter();
        let others: Vec<_> = all.filter(|due| !in_hand.contains_key(&due.id) && !next.contains(due)).collect();
        next.extend(others);
        next.truncate(room);
        Ok(next)
    }

    /// `false`: it could not.
    async fn go_on_with(&self, due: DueBatch) -> bool {
        if self.line_format.is_none() {
            return true;
        }
        let steps = self.store.tenant(due.tenant).batches().steps(due.id);
        let done = async {
            let Some(batch) = steps.claim(LEASE_MS).await? else { return Ok(()) };
            let renew = || async move {
                if let Err(error) = steps.renew(LEASE_MS).await {
                    tracing::warn!(batch.id = %due.id, error = &error as &dyn Error, "that a batch is in hand could not be said");
                }
            };
            let Pause { ms, wait } = renewed(RENEWED_EVERY, renew, Box::pin(self.step(batch))).await?;
            Ok::<_, AccessError>(steps.rest(ms, wait).await?)
        };
        let done = done.await;
        if let Err(error) = &done {
            // Its lease runs out.
            tracing::warn!(batch.id = %due.id, error = error as &dyn Error, "a batch waits for a while");
        }
        done.is_ok()
    }

    async fn step(&self, batch: Batch) -> Result<Pause, AccessError> {
        let now = self.store.now().await?;
        if batch.status == BatchStatus::Validating {
            return match Step::next(batch.status, batch.closing, LineCounts::default(), batch.expires_at, now) {
                Step::Finish(end) => Box::pin(self.write_files(&batch, end)).await,
                _ => Box::pin(self.validate(batch)).await,
            };
        }
        let collected = self.collect(&batch).await?;
        let batches = self.store.tenant(batch.tenant).batches();
        let Some(batch) = batches.get(batch.id).await? else { return Ok(Pause::NONE) };
        let (open, _) = batches.open_lines(batch.id).await?;
        let waiting = match batch.closing {
            None => batch.lines.saturating_sub(batch.invalid + batch.finished + open),
            // Of one that was about to fail lines are counted that are not there any more.
            Some(_) => u32::from(!batches.lines_in(batch.id, LineState::Waiting, None, 1).await?.is_empty()),
        };
        let quiet = Pause { ms: if collected > 0 { BUSY_MS } else { QUIET_MS }, wait: None };
        match Step::next(batch.status, batch.closing, LineCounts { waiting, open }, batch.expires_at, now) {
            Step::Validate | Step::Nothing => Ok(Pause::NONE),
            Step::Close(closing) => {
                let is_closed = batches.steps(batch.id).close(closing).await?;
                Ok(if is_closed { Pause::NONE } else { Pause::OVERTAKEN })
            }
            Step::Open => match self.room_of(&batch, collected > 0).await? {
                Ok(room) => {
                    let pause = Box::pin(self.open_lines(&batch, room)).await?;
                    // What has just ended made room.
                    Ok(if collected > 0 { Pause { ms: pause.ms.min(BUSY_MS), ..pause } } else { pause })
                }
                Err(gives_way) => Ok(gives_way),
            },
            Step::Withdraw(closing) => self.withdraw(&batch, closing, now).await,
            Step::Wait => Ok(quiet),
            Step::Finish(end) => Box::pin(self.write_files(&batch, end)).await,
        }
    }

    /// Notes which lines have ended; says how many these were.
    async fn collect(&self, batch: &Batch) -> Result<u32, AccessError> {
        let steps = self.store.tenant(batch.tenant).batches().steps(batch.id);
        let (mut collected, mut after) = (0, 0);
        while collected < COLLECTED_MAX {
            let (ended, last) = steps.collect(after, COLLECTED_AT_ONCE).await?;
            (collected, after) = (collected + ended, last);
            if ended < COLLECTED_AT_ONCE {
                break;
            }
        }
        Ok(collected)
    }

    async fn withdraw(&self, batch: &Batch, closing: Closing, now: Timestamp) -> Result<Pause, AccessError> {
        let steps = self.store.tenant(batch.tenant).batches().steps(batch.id);
        let waiting = steps.withdraw_waiting(closing, WITHDRAWN_AT_ONCE).await?;
        let jobs = steps.withdraw_jobs(closing, WITHDRAWN_AT_ONCE).await?;
        let closed_at = batch.cancelling_at.unwrap_or(batch.expires_at);
        if now.ms_since(closed_at) > GRACE_MS.unsigned_abs() {
            steps.cancel_jobs(WITHDRAWN_AT_ONCE).await?;
        }
        Ok(Pause { ms: if waiting + jobs > 0 { 0 } else { BUSY_MS }, wait: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{BatchRequest, NewFile};
    use domain::batch::{FileExpiry, FilePurpose};
    use store::{
        BatchRepetition,
        objects::{ObjectsConfig, open},
        on_both_engines,
        testing::Dial,
    };
    use tokio::sync::Semaphore;

    on_both_engines! {
        async fn who_has_one_batch_does_not_wait_for_a_turn_of_each_of_somebody_elses(database: TempDatabase) {
            let (folder, dial) = (tempfile::tempdir().unwrap(), Dial::default());
            let store = database.open_at(&dial).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let mut made = Vec::new();
            for (address, batches) in [("ada@example.com", 3), ("eve@example.com", 1)] {
                let user = services.sign_up(address, "a lantern on the water").await.unwrap();
                for _ in 0..batches {
                    dial.advance_ms(1);
                    let mut upload = services.begin_file(user.actor()).await.unwrap();
                    upload.write(bytes::Bytes::from_static(b"x")).await.unwrap();
                    let new = NewFile { name: "a.jsonl".to_owned(), purpose: FilePurpose::Batch, expiry: FileExpiry::default() };
                    let request = BatchRequest {
                        input: upload.finish(new).await.unwrap().id,
                        endpoint: "/v1/videos".to_owned(),
                        window: "24h".parse().unwrap(),
                        metadata: None,
                        output_expiry: FileExpiry::default(),
                        is_dry_run: false,
                        repetition: BatchRepetition::default(),
                    };
                    let Batch { id, tenant, .. } = services.create_batch(user.actor(), request).await.unwrap().batch;
                    made.push(DueBatch { tenant, id });
                }
            }
            assert_eq!(services.next_batches(&BTreeMap::new(), 2).await.unwrap(), made[..2], "the longest due first");
            let in_hand = BTreeMap::from([(made[0].id, made[0].tenant)]);
            assert_eq!(services.next_batches(&in_hand, 1).await.unwrap(), [made[3]]);
            assert_eq!(services.next_batches(&in_hand, 8).await.unwrap(), [made[3], made[1], made[2]]);
        }
    }

    #[tokio::test]
    async fn a_step_that_takes_long_is_renewed_until_it_is_done() {
        let renewals = Semaphore::new(0);
        let renew = || async { renewals.add_permits(1) };
        let long = async { renewals.acquire_many(3).await.map(drop) };
        assert!(renewed(Duration::from_millis(1), renew, long).await.is_ok());
        let permits = renewals.available_permits();
        assert!(renewed(Duration::from_secs(3600), renew, async { true }).await, "a short one waits for nothing");
        assert_eq!(renewals.available_permits(), permits);
    }
}
