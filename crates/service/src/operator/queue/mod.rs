//! The queue as its operator is shown it: how much waits where, who had what share, and what is kept from being begun.

mod acts;

pub use acts::QueueChangeError;

use super::{Part, part};
use crate::{Services, recent::Recent};
use domain::{
    Actor, Forbidden, JobId, Permission, TenantId, Timestamp, VideoTime,
    billing::Lane,
    scheduling::{LineOf, Pause, Pauses, TenantShare, TenantWork, shares_of},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{ALIVE_MS, AuditEntry, COUNTED_MAX, LineWaiting, LiveWorker, QueuedRow, Store, StoreError, ThrottledWork, WeighedTenant};

/// Shares are counted over so long.
const HOUR_MS: i64 = 60 * 60 * 1000;
const TENANTS_SHOWN: usize = 100;
/// Of the jobs that have waited longest, on one page.
pub const WAITING_SHOWN: usize = 25;
const ACTS_SHOWN: u64 = 20;

/// The queue at one moment.
#[derive(Debug, Clone)]
pub struct QueueDesk {
    pub now: Timestamp,
    pub numbers: Part<QueueNumbers>,
    pub pauses: Part<Vec<Pause>>,
    pub quarantined: Part<Vec<NamedJob>>,
    pub longest: Part<LongestWaiting>,
    /// What operators did to the queue, the newest first.
    pub acts: Part<Vec<AuditEntry>>,
}

/// What is counted, and kept for a moment.
#[derive(Debug, Clone, Default)]
pub struct QueueNumbers {
    /// By model, device and lane.
    pub lines: Vec<LineDepth>,
    /// Those with the most waiting first.
    pub tenants: Vec<TenantOfQueue>,
    /// By the limits of their plans; those with the most first.
    pub throttled: Vec<(String, ThrottledWork)>,
    /// More are kept outside than were counted, maybe of other tenants.
    pub throttled_is_part: bool,
    /// Jobs that wait.
    pub jobs: u64,
    /// There is a line in which more wait than were counted.
    pub is_part: bool,
}

/// What waits in a line that a kind of device can make. Where several can, it stands with each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDepth {
    pub model: String,
    /// `None`: no worker that is alive has the model.
    pub device: Option<String>,
    pub workers: usize,
    pub lane: Lane,
    pub jobs: u64,
    pub billed: VideoTime,
    /// When the oldest was submitted.
    pub since: Timestamp,
    /// Since when the first has waited in it that is of no tenant that is paused: those wait for nothing but the operator. `None`: there is no other.
    pub going_on_since: Option<Timestamp>,
    /// The operator keeps all of it from being begun.
    pub is_held: bool,
    /// More wait than were counted.
    pub is_part: bool,
}

/// A tenant that waits, or that had something within the hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantOfQueue {
    pub id: TenantId,
    pub name: String,
    pub weight: u32,
    pub share: TenantShare,
    pub waiting: VideoTime,
    /// When its oldest job was submitted that waits.
    pub since: Option<Timestamp>,
}

/// A job with the name of its tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedJob {
    pub job: QueuedRow,
    pub tenant_name: String,
}

/// A page of the jobs that have waited longest.
#[derive(Debug, Clone, Default)]
pub struct LongestWaiting {
    pub jobs: Vec<NamedJob>,
    /// The last of this page, where there are more behind it.
    pub next: Option<JobId>,
}

/// The parts that are kept for a moment.
pub(crate) struct RecentQueue {
    numbers: Recent<(), QueueNumbers>,
    longest: Recent<Option<JobId>, LongestWaiting>,
}

impl Default for RecentQueue {
    fn default() -> Self {
        Self { numbers: Recent::by_its_cost(), longest: Recent::by_its_cost() }
    }
}

impl Services {
    /// The jobs that have waited longest are those behind `after`.
    ///
    /// # Errors
    /// [`Forbidden`] when `actor` may not look. What could not be read is told in its place.
    pub async fn queue_desk(&self, actor: Actor, after: Option<JobId>) -> Result<QueueDesk, Forbidden> {
        actor.require(Permission::InspectInstallation)?;
        let operator = self.store.operator();
        let (numbers, pauses, quarantined, longest, acts, now) = tokio::join!(
            part("queue in numbers", self.queue_numbers()),
            part("pauses", async { Ok(self.store.pauses().await?.all().to_vec()) }),
            part("quarantine", async { named(&self.store, operator.in_quarantine().await?).await }),
            part("longest waiting jobs", self.longest_waiting(after)),
            part("acts upon the queue", operator.queue_acts(ACTS_SHOWN)),
            part("clock", self.store.now()),
        );
        let now = now.unwrap_or_else(|_| self.store.local_now());
        Ok(QueueDesk { now, numbers, pauses, quarantined, longest, acts })
    }

    pub(crate) async fn queue_numbers(&self) -> Part<QueueNumbers> {
        let store = self.store.clone();
        self.recent_parts.queue.numbers.get((), || async move { count(&store).await }).await
    }

    async fn longest_waiting(&self, after: Option<JobId>) -> Part<LongestWaiting> {
        let store = self.store.clone();
        let ask = || async move {
            let mut rows = store.operator().longest_waiting(after, WAITING_SHOWN as u64 + 1).await?;
            let has_more = rows.len() > WAITING_SHOWN;
            rows.truncate(WAITING_SHOWN);
            let next = rows.last().filter(|_| has_more).map(|row| row.id);
            Ok(LongestWaiting { jobs: named(&store, rows).await?, next })
        };
        self.recent_parts.queue.longest.get(after, ask).await
    }

    /// Has the next who looks at the queue see it as it is.
    fn forget_queue(&self) {
        self.recent_parts.queue.numbers.forget(&());
        self.recent_parts.queue.longest.forget(&None);
    }
}

async fn named(store: &Store, rows: Vec<QueuedRow>) -> Result<Vec<NamedJob>, StoreError> {
    let mut ids: Vec<_> = rows.iter().map(|row| row.tenant).collect();
    ids.sort_unstable();
    ids.dedup();
    let tenants = store.operator().weighed(&ids).await?;
    let name = |id: &TenantId| tenants.get(id).map(|tenant| tenant.name.clone()).unwrap_or_default();
    Ok(rows.into_iter().map(|job| NamedJob { tenant_name: name(&job.tenant), job }).collect())
}

async fn count(store: &Store) -> Result<QueueNumbers, StoreError> {
    let operator = store.operator();
    let since = store.now().await?.plus_ms(-HOUR_MS);
    // Before what waits: of a pause that is over by then the time is left out of the waits.
    let pauses = store.pauses().await?;
    let (waiting, throttled) = (operator.waiting_by_line().await?, operator.throttled_by_tenant().await?);
    let (had, workers) = (operator.work_had(since).await?, store.workers().live(ALIVE_MS).await?);
    let mut ids: Vec<_> = waiting.iter().map(|line| line.tenant).chain(throttled.iter().map(|work| work.tenant)).collect();
    ids.extend(had.keys());
    ids.sort_unstable();
    ids.dedup();
    let tenants = operator.weighed(&ids).await?;
    let throttled_is_part = is_part(&throttled);
    let mut throttled: Vec<_> =
        throttled.into_iter().map(|work| (tenants.get(&work.tenant).map(|tenant| tenant.name.clone()).unwrap_or_default(), work)).collect();
    throttled.sort_by_key(|(_, work)| std::cmp::Reverse(work.billed));
    throttled.truncate(TENANTS_SHOWN);
    Ok(QueueNumbers {
        lines: depths(&waiting, &workers, &pauses),
        tenants: of_tenants(&waiting, &had, &tenants),
        throttled,
        throttled_is_part,
        jobs: waiting.iter().map(|line| line.jobs).sum(),
        is_part: waiting.iter().any(|line| line.is_part),
    })
}

/// Whether more may be kept outside of the queue than these, which are all that were counted.
fn is_part(throttled: &[ThrottledWork]) -> bool {
    throttled.iter().map(|work| work.jobs).sum::<u64>() >= COUNTED_MAX
}

/// What waits in a line for both stages together, as [`LineDepth`] has it.
struct LineSum {
    lane: Lane,
    jobs: u64,
    billed: VideoTime,
    since: Timestamp,
    going_on_since: Option<Timestamp>,
    is_part: bool,
}

impl LineSum {
    const fn empty(lane: Lane, since: Timestamp) -> Self {
        Self { lane, jobs: 0, billed: VideoTime::from_ms(0), since, going_on_since: None, is_part: false }
    }

    fn add(&mut self, line: &LineWaiting, is_paused: bool) {
        let going_on_since = (!is_paused).then_some(line.in_line_since);
        self.jobs += line.jobs;
        self.billed = self.billed + line.billed;
        self.since = self.since.min(line.since);
        self.going_on_since = self.going_on_since.into_iter().chain(going_on_since).min();
        self.is_part |= line.is_part;
    }
}

/// Each line with each kind of device that has its model.
fn depths(waiting: &[LineWaiting], workers: &[LiveWorker], pauses: &Pauses) -> Vec<LineDepth> {
    let paused: BTreeSet<_> = pauses.tenants().collect();
    let mut lines: BTreeMap<(&str, &str), LineSum> = BTreeMap::new();
    for line in waiting {
        let sum = lines.entry((&line.model, line.lane.as_str())).or_insert(LineSum::empty(line.lane, line.since));
        sum.add(line, paused.contains(&line.tenant));
    }
    let mut depths = Vec::new();
    for ((model, _), LineSum { lane, jobs, billed, since, going_on_since, is_part }) in lines {
        let mut devices: BTreeMap<&str, usize> = BTreeMap::new();
        for worker in workers.iter().filter(|worker| !worker.is_draining && worker.serves(model)) {
            *devices.entry(&worker.device).or_default() += 1;
        }
        let depth = |device: Option<&str>, workers| LineDepth {
            model: model.to_owned(),
            device: device.map(str::to_owned),
            workers,
            lane,
            jobs,
            billed,
            since,
            going_on_since,
            is_held: pauses.hold_line(LineOf { lane, model }),
            is_part,
        };
        if devices.is_empty() {
            depths.push(depth(None, 0));
        }
        depths.extend(devices.into_iter().map(|(device, workers)| depth(Some(device), workers)));
    }
    depths
}

fn of_tenants(
    waiting: &[LineWaiting],
    had: &HashMap<TenantId, VideoTime>,
    tenants: &HashMap<TenantId, WeighedTenant>,
) -> Vec<TenantOfQueue> {
    let mut waits: BTreeMap<TenantId, (VideoTime, Timestamp)> = BTreeMap::new();
    for line in waiting {
        let sum = waits.entry(line.tenant).or_insert((VideoTime::default(), line.since));
        *sum = (sum.0 + line.billed, sum.1.min(line.since));
    }
    let ids: BTreeSet<_> = waits.keys().chain(had.keys()).copied().collect();
    let works: Vec<_> = ids
        .into_iter()
        .map(|tenant| TenantWork {
            tenant,
            weight: tenants.get(&tenant).map_or(1, |tenant| tenant.weight),
            had: had.get(&tenant).copied().unwrap_or_default(),
            waiting: waits.get(&tenant).map(|(waiting, _)| *waiting).unwrap_or_default(),
        })
        .collect();
    let mut shown: Vec<_> = works.iter().zip(shares_of(&works)).collect();
    shown.sort_by_key(|(work, _)| std::cmp::Reverse((work.waiting, work.had)));
    shown.truncate(TENANTS_SHOWN);
    let of_queue = |(work, share): (&TenantWork, TenantShare)| TenantOfQueue {
        id: work.tenant,
        name: tenants.get(&work.tenant).map(|tenant| tenant.name.clone()).unwrap_or_default(),
        weight: work.weight,
        share,
        waiting: work.waiting,
        since: waits.get(&work.tenant).map(|(_, since)| *since),
    };
    shown.into_iter().map(of_queue).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Stage, WorkerId, scheduling::PauseScope};
    use store::WorkerSlots;
    use uuid::Uuid;

    fn line(tenant: u128, model: &str, stage: Stage, billed: u64, since: i64) -> LineWaiting {
        let tenant = TenantId::from_uuid(Uuid::from_u128(tenant));
        let (billed, since) = (VideoTime::from_ms(billed), Timestamp::from_ms(since));
        let (lane, in_line_since) = (Lane::Batch, since.plus_ms(1));
        LineWaiting { tenant, model: model.into(), lane, stage, jobs: 1, billed, since, in_line_since, is_part: false }
    }

    fn worker(n: u128, device: &str, models: &[&str]) -> LiveWorker {
        LiveWorker {
            id: WorkerId::from_uuid(Uuid::from_u128(n)),
            device: device.into(),
            slots: WorkerSlots::default(),
            models: Some(models.iter().map(|model| (*model).to_owned()).collect()),
            memory_bytes: None,
            held: None,
            desired: None,
            started_at: Timestamp::from_ms(0),
            is_draining: false,
        }
    }

    #[test]
    fn a_line_stands_with_each_kind_of_device_that_can_make_it_and_with_none() {
        let waiting = [line(1, "a", Stage::Sampling, 10, 5), line(2, "a", Stage::Decoding, 20, 3), line(1, "b", Stage::Sampling, 1, 9)];
        let leaving = LiveWorker { is_draining: true, ..worker(4, "cpu", &["b"]) };
        let workers = [worker(1, "h100", &["a"]), worker(2, "h100", &["a"]), worker(3, "cpu", &["a"]), leaving];
        let told: Vec<_> = depths(&waiting, &workers, &Pauses::default())
            .into_iter()
            .map(|depth| (depth.model, depth.device, depth.workers, depth.jobs, depth.billed.ms(), depth.since.ms()))
            .collect();
        let expected = [("a", Some("cpu"), 1, 2, 30, 3), ("a", Some("h100"), 2, 2, 30, 3), ("b", None, 0, 1, 1, 9)];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(model, device, workers, jobs, ms, since)| (model.to_owned(), device.map(str::to_owned), workers, jobs, ms, since))
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn who_is_paused_waits_and_is_none_of_those_whose_turn_comes() {
        let waiting = [line(1, "a", Stage::Sampling, 10, 3), line(2, "a", Stage::Sampling, 20, 5)];
        let told = |paused: &[u128]| {
            let scopes = paused.iter().map(|n| PauseScope::Tenant(TenantId::from_uuid(Uuid::from_u128(*n))));
            let pauses = scopes.map(|scope| Pause { scope, reason: None, since: Timestamp::from_ms(0) });
            let depth = depths(&waiting, &[], &Pauses::new(pauses.collect())).remove(0);
            assert!(!depth.is_held, "others of the line may be begun");
            (depth.jobs, depth.since.ms(), depth.going_on_since.map(Timestamp::ms))
        };
        assert_eq!([told(&[]), told(&[1]), told(&[1, 2])], [(2, 3, Some(4)), (2, 3, Some(6)), (2, 3, None)]);
    }

    #[test]
    fn what_is_kept_outside_is_a_part_where_no_more_is_counted() {
        let of = |tenant, jobs| {
            let tenant = TenantId::from_uuid(Uuid::from_u128(tenant));
            ThrottledWork { tenant, jobs, billed: VideoTime::from_ms(jobs), since: Timestamp::from_ms(0) }
        };
        assert!(!is_part(&[]) && !is_part(&[of(1, COUNTED_MAX - 2), of(2, 1)]));
        assert!(is_part(&[of(1, COUNTED_MAX - 2), of(2, 2)]));
    }

    #[test]
    fn who_waits_most_stands_first_and_who_waits_for_nothing_wants_no_share() {
        let id = |n| TenantId::from_uuid(Uuid::from_u128(n));
        let waiting = [line(1, "a", Stage::Sampling, 10, 5), line(2, "a", Stage::Sampling, 20, 3)];
        let weighed = |name: &str, weight| WeighedTenant { name: name.into(), weight };
        let tenants = HashMap::from([(id(1), weighed("ada", 3)), (id(2), weighed("bob", 1)), (id(3), weighed("eve", 9))]);
        let had = HashMap::from([(id(1), VideoTime::from_ms(1)), (id(3), VideoTime::from_ms(3))]);
        let told: Vec<_> = of_tenants(&waiting, &had, &tenants)
            .into_iter()
            .map(|tenant| (tenant.name, tenant.share.wanted_permille, tenant.share.had_permille, tenant.since.map(Timestamp::ms)))
            .collect();
        let expected = [("bob", Some(250), 0, Some(3)), ("ada", Some(750), 250, Some(5)), ("eve", None, 750, None)];
        assert_eq!(told, expected.map(|(name, wanted, had, since)| (name.to_owned(), wanted, had, since)));
    }
}
