//! What the operator is shown of the whole installation.
//!
//! Each part is read by itself and within some seconds: what cannot be had leaves the others as they are. What costs
//! more than a look at a few rows is kept for a moment, as the snapshot of the queue is.

pub mod capacity;
mod costs;
mod fleet;
mod queue;
mod readiness;
mod slow_requests;
mod status;

pub use costs::{COST_DAYS_MAX, Costs, DevicePriceError};
pub use fleet::{DECISIONS_SHOWN, DrainError, FleetSeen, ScalingOf};
pub use queue::{LineDepth, LongestWaiting, NamedJob, QueueChangeError, QueueDesk, QueueNumbers, TenantOfQueue};
pub use readiness::{ReadinessSeen, Setup};
pub use slow_requests::{AnsweredRequest, SlowRequest, SlowRequests};
pub(crate) use status::{LOOK_AT_STATUS, follow as follow_status};
pub use status::{PartStatus, StatusDesk, StatusError, StatusSeen, soon};

use crate::{Services, costs::StageTime, recent::Recent};
use capacity::{NotSimulated, SimulatedWaits};
use domain::{Actor, Forbidden, Interval, NoEta, Permission, Timestamp, VideoTime, billing::Lane, scheduling::LineOf};
use futures::future::BoxFuture;
use std::{
    error::Error,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};
use store::{
    Ending, Failures, Hour, Latency, OfferedModel, StageLoad, Store, StoreError, UnreadableRow, WorkerSeen, queue::EtaCoverage, within,
};

/// So far back jobs that have ended are looked at.
pub const HOURS: u16 = 24;
const HOUR_MS: i64 = 60 * 60 * 1000;
/// No part of the overview is waited for any longer.
const PART_WITHIN: Duration = Duration::from_secs(4);

/// What is known of one thing, or why it is not.
pub type Part<T> = Result<T, StoreError>;

/// How the installation fares.
#[derive(Debug, Clone)]
pub struct Overview {
    /// When it was asked for.
    pub now: Timestamp,
    /// Those seen last first.
    pub workers: Part<Vec<WorkerSeen>>,
    /// Every one that is or was on offer.
    pub models: Part<Vec<OfferedModel>>,
    /// What waits and what is at work.
    pub load: Part<[StageLoad; 2]>,
    /// How long a job of the usual shape would wait in each lane, of a tenant that has none open.
    pub waits: [(Lane, Result<Interval, NoEta>); 2],
    /// What was finished in each hour, the current one last.
    pub finished: Part<Vec<Hour>>,
    /// What failed in each hour, the current one last.
    pub failed: Part<Vec<Hour>>,
    /// How long jobs took. `None`: none was finished.
    pub latency: Part<Option<Latency>>,
    /// How well the times held that were told.
    pub eta_coverage: Part<EtaCoverage>,
    /// What stages take, as estimates and shares of the queue go by it.
    pub stage_times: Vec<StageTime>,
    pub failures: Part<Failures>,
    /// Of this process, within the last hour; the slowest first.
    pub slow_requests: Vec<SlowRequest>,
    /// Rows that are passed over because they cannot be read; those seen last first.
    pub unreadable_rows: Part<Vec<UnreadableRow>>,
}

/// The parts that are kept for a moment.
pub(crate) struct RecentParts {
    load: Recent<(), [StageLoad; 2]>,
    ended: Recent<Ending, Vec<Hour>>,
    latency: Recent<(), Option<Latency>>,
    eta_coverage: Recent<(), EtaCoverage>,
    failures: Recent<(), Failures>,
    queue: queue::RecentQueue,
    lately: Recent<(), capacity::Lately>,
    /// Of all tenants: to use, and held.
    credit_totals: Recent<(), (VideoTime, VideoTime)>,
    /// `None`: there is no such page.
    status: Recent<(), Option<Arc<StatusSeen>>>,
    /// What it showed last, for when the database is away.
    last_status: Mutex<Option<Arc<StatusSeen>>>,
    /// Whether there is such a page, as far as this server knows.
    shows_status: AtomicBool,
    /// What was simulated, by the question.
    capacity: Recent<String, Result<Vec<SimulatedWaits>, NotSimulated>>,
}

impl Default for RecentParts {
    fn default() -> Self {
        Self {
            load: Recent::by_its_cost(),
            ended: Recent::by_its_cost(),
            latency: Recent::by_its_cost(),
            eta_coverage: Recent::by_its_cost(),
            failures: Recent::by_its_cost(),
            queue: queue::RecentQueue::default(),
            lately: Recent::by_its_cost(),
            credit_totals: Recent::by_its_cost(),
            status: Recent::for_a_second(),
            last_status: Mutex::default(),
            shows_status: AtomicBool::default(),
            capacity: Recent::by_its_cost(),
        }
    }
}

impl Services {
    /// # Errors
    /// [`Forbidden`] when `actor` may not look. What could not be read is told in its place.
    pub async fn overview(&self, actor: Actor) -> Result<Overview, Forbidden> {
        actor.require(Permission::InspectInstallation)?;
        let operator = self.store.operator();
        let (workers, models, load, waits, finished, failed, latency, eta_coverage, failures, unreadable_rows, now) = tokio::join!(
            part("workers", operator.workers()),
            part("models", self.store.models().list()),
            part("load", self.load()),
            Box::pin(self.usual_waits()),
            part("finished jobs by hour", self.ended_by_hour(Ending::Succeeded)),
            part("failed jobs by hour", self.ended_by_hour(Ending::Failed)),
            part("latency", self.latency()),
            part("kept times", self.eta_coverage()),
            part("failures", self.failures()),
            part("unreadable rows", operator.unreadable_rows()),
            part("clock", self.store.now()),
        );
        let now = now.unwrap_or_else(|_| self.store.local_now());
        let slow_requests = self.slow_requests.slowest(now);
        let stage_times = self.stage_times().await;
        Ok(Overview {
            now,
            workers,
            models,
            load,
            waits,
            finished,
            failed,
            latency,
            eta_coverage,
            stage_times,
            failures,
            slow_requests,
            unreadable_rows,
        })
    }

    async fn load(&self) -> Part<[StageLoad; 2]> {
        let store = self.store.clone();
        self.recent_parts.load.get((), || async move { store.operator().load().await }).await
    }

    async fn usual_waits(&self) -> [(Lane, Result<Interval, NoEta>); 2] {
        let (interactive, batch) = tokio::join!(self.usual_wait(Lane::Interactive), self.usual_wait(Lane::Batch));
        [(Lane::Interactive, interactive), (Lane::Batch, batch)]
    }

    async fn usual_wait(&self, lane: Lane) -> Result<Interval, NoEta> {
        let catalog = self.catalog_soon().await.ok_or(NoEta::NotAsked)?;
        let model = catalog.default_model().ok_or(NoEta::NotAsked)?;
        self.expected_wait(LineOf { lane, model: &model.id }, model.shape_default()).await
    }

    /// By the hours of the clock, so that an hour that has passed keeps its number but for jobs that are deleted.
    async fn ended_by_hour(&self, ending: Ending) -> Part<Vec<Hour>> {
        let store = self.store.clone();
        let ask = || async move {
            let now_ms = store.now().await?.ms();
            let first_ms = (now_ms.div_euclid(HOUR_MS) - i64::from(HOURS) + 1) * HOUR_MS;
            store.operator().ended_by_hour(ending, Timestamp::from_ms(first_ms), HOURS).await
        };
        self.recent_parts.ended.get(ending, ask).await
    }

    async fn latency(&self) -> Part<Option<Latency>> {
        let store = self.store.clone();
        self.recent_parts.latency.get((), || async move { store.operator().latency(beginning(&store).await?).await }).await
    }

    pub(crate) async fn eta_coverage(&self) -> Part<EtaCoverage> {
        let store = self.store.clone();
        self.recent_parts.eta_coverage.get((), || async move { store.queue().eta_coverage(beginning(&store).await?).await }).await
    }

    /// What is known by now; what was measured since is left out where the database does not answer.
    async fn stage_times(&self) -> Vec<StageTime> {
        let (catalog, _) = tokio::join!(self.catalog_soon(), part("measured times", self.costs.refresh(&self.store)));
        self.costs.stage_times(catalog.as_deref())
    }

    async fn failures(&self) -> Part<Failures> {
        let store = self.store.clone();
        self.recent_parts.failures.get((), || async move { store.operator().failures(beginning(&store).await?).await }).await
    }
}

/// Where the hours that are looked at begin.
async fn beginning(store: &Store) -> Result<Timestamp, StoreError> {
    Ok(store.now().await?.plus_ms(-i64::from(HOURS) * HOUR_MS))
}

/// One part of the overview; a failure is written down here, and told in its place.
fn part<'a, T: Send + 'a>(name: &'static str, asked: impl Future<Output = Result<T, StoreError>> + Send + 'a) -> BoxFuture<'a, Part<T>> {
    Box::pin(async move {
        let answer = within(PART_WITHIN, asked).await;
        if let Err(error) = &answer {
            tracing::warn!(error = error as &dyn Error, "the overview is shown without its {name}");
        }
        answer
    })
}
