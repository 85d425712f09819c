//! What is left of a batch, behind the live queue.

use super::{Costs, InFutures, Limits, LineOf, NoEta, OVERHEAD, Outlook, Simulated, Timestamp, device_ms, tenant};
use domain::{JobId, VideoTime, scheduling::Workload};
use simulation::{Arrival, Foretold, StageMs, Wanted, forecast_within};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use store::Job;
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

/// The most jobs that are followed: of a longer batch several lines together are one, which takes as long as they all do.
const GROUPS_MAX: u32 = 1000;
/// What happens before they have ended.
const FOLLOWED: u64 = 400_000;
/// How many likely futures are looked at.
const FUTURES: usize = 3;
/// Below those of jobs that are likely to come, and above all others.
const FIRST_ID: u128 = u128::MAX - (1 << 65);

/// Lines of a batch that are to become jobs, all of them like one of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchAhead<'a> {
    pub(crate) limits: Limits,
    pub(crate) line: LineOf<'a>,
    /// Of the one, which is billed so much.
    pub(crate) workload: Workload,
    pub(crate) work: VideoTime,
    pub(crate) billed: VideoTime,
    /// What each is billed in the mean: as much more as this is, the others are longer.
    pub(crate) each: VideoTime,
    pub(crate) jobs: u32,
    /// By the clock of the database.
    pub(crate) at: Timestamp,
}

impl Simulated {
    /// When the last of them will have ended, in the middle of likely futures. `turn`: kept until that is computed, also where nobody waits for it
    /// any more.
    pub(crate) async fn of_batch(
        self: &Arc<Self>,
        ahead: &BatchAhead<'_>,
        costs: &Costs,
        turn: OwnedSemaphorePermit,
    ) -> Result<Outlook, NoEta> {
        let (model, _) = self.served(ahead.line.model)?;
        let one = device_ms(costs, ahead.line.model, ahead.workload).ok_or(NoEta::NotMeasured)?;
        let longer = ahead.each.ms() as f64 / (ahead.billed.ms() as f64).max(1.0);
        let groups = ahead.jobs.clamp(1, GROUPS_MAX);
        let lines = f64::from(ahead.jobs) / f64::from(groups);
        let times = |time: VideoTime, by: f64| VideoTime::from_ms((time.ms() as f64 * by).round() as u64);
        let (mut engine, known) = (self.engine.clone(), self.names.tenants.get(&ahead.limits.tenant));
        let number = match known {
            Some(of_tenant) => of_tenant.number,
            None => engine.add_tenant(tenant(&ahead.limits)),
        };
        let at_ms = ahead.at.max(self.at).ms() as f64;
        let job = |n: u32| simulation::Job {
            id: JobId::from_uuid(Uuid::from_u128(FIRST_ID + u128::from(n))),
            tenant: number,
            lane: ahead.line.lane,
            stands: None,
            has_entered: false,
            model,
            steps: ahead.workload.steps,
            work: times(ahead.work, longer * lines),
            billed: times(ahead.each, lines),
            device_ms: StageMs { sampling: one.sampling * longer * lines, decoding: one.decoding * longer * lines },
            overhead_ms: OVERHEAD,
        };
        let coming: Vec<Arrival> = (0..groups).map(|n| Arrival { at_ms, job: job(n) }).collect();
        let simulated = Arc::clone(self);
        let followed = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let wanted: BTreeSet<JobId> = coming.iter().map(|arrival| arrival.job.id).collect();
            let follow = |future: Vec<Arrival>| {
                let arrivals: Vec<Arrival> = coming.iter().copied().chain(future).collect();
                last_of(&forecast_within(engine.clone(), &arrivals, Wanted::These(wanted.clone()), &mut FOLLOWED.clone()), wanted.len())
            };
            let foretold = follow(Vec::new())?;
            let for_ms = foretold.ended_ms.unwrap_or(at_ms) - at_ms;
            let futures = simulated.arrivals.futures((at_ms, for_ms), None, FUTURES);
            let in_futures: Vec<Foretold> = futures.into_iter().map(|future| follow(future).unwrap_or_default()).collect();
            Some(InFutures::of(&in_futures, foretold))
        });
        let last = followed.await.ok().flatten().ok_or(NoEta::NotMeasured)?;
        self.told(ahead.line.model, &last, ahead.at)
    }

    /// What lies before a job that was there.
    pub(crate) fn end_of(&self, job: &Job, costs: &Costs, now: Timestamp) -> Option<Outlook> {
        self.of_known(job, costs, now)?.ok()
    }
}

/// The last moments of so many jobs, each by itself. `None`: not all of them have ended.
fn last_of(foretold: &BTreeMap<JobId, Foretold>, jobs: usize) -> Option<Foretold> {
    let all = foretold.values().filter(|foretold| foretold.ended_ms.is_some());
    if all.clone().count() < jobs {
        return None;
    }
    let last = |moment: fn(&Foretold) -> Option<f64>| all.clone().filter_map(moment).max_by(f64::total_cmp);
    Some(Foretold {
        released_ms: last(|foretold| foretold.released_ms),
        sampling_ms: last(|foretold| foretold.sampling_ms),
        decoding_ms: last(|foretold| foretold.decoding_ms),
        ended_ms: last(|foretold| foretold.ended_ms),
    })
}
