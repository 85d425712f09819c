//! How many workers there are: one server at a time decides, and has them started and drained.

mod absence;
mod coming;
mod last_look;
mod leading;
mod provisioner;
mod room;
mod starting;
mod view;

pub(crate) use last_look::LastLook;
pub(crate) use leading::{HELD_MS, until_another_leads};
pub use provisioner::{LocalProcesses, OperatorCommand, Provisioner};
pub(crate) use starting::starting;
pub(crate) use view::Starting;

use crate::Services;
use absence::Absence;
use clap::Args;
use domain::{
    Timestamp, WorkerId,
    scheduling::fleet::{Decision, ScalingChange, ScalingHistory, ScalingLimits, WeekForecast, decide},
};
use std::{collections::BTreeSet, error::Error, io, sync::Arc, time::Duration};
use store::{ScalingDecision, StoreError, chance, clock::Instant, in_time, within};
use tokio::task::{JoinHandle, JoinSet};
use view::{Look, Seen};

/// Of the reconciler.
pub(crate) const NAME: &str = "scale workers";
/// Who decides about a kind of device is told by this name.
const LEADER: &str = "scaling of ";
/// A look that takes longer has lost its connection.
const DECIDED_WITHIN: Duration = Duration::from_secs(30);
/// After a start that failed; doubled each time.
const FIRST_PAUSE_MS: i64 = 5000;
const LONGEST_PAUSE_MS: i64 = 300_000;
/// Decisions that are read to know what is on its way.
const READ_BACK: u32 = 1000;
/// The same at each look, of all kinds of device.
const STARTING_READ: u32 = 50;
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The work of each hour of the week, as it is kept.
const WEEK: &str = "scaling week of ";
const KEEP_WEEK_EVERY_MS: u64 = 5 * 60_000;

/// How workers are started, and how many there may be.
#[derive(Debug, Clone, Args)]
pub struct ScalingOptions {
    /// Workers that are always there
    #[arg(long, env = "REELMILL_WORKERS_MIN", default_value_t = 0)]
    pub workers_min: u32,
    /// Workers that this server has started when there is enough to do; 0: none
    #[arg(long, env = "REELMILL_WORKERS_MAX", default_value_t = 0)]
    pub workers_max: u32,
    /// Workers beside those that are needed
    #[arg(long, env = "REELMILL_WORKERS_HEADROOM", default_value_t = 0)]
    pub workers_headroom: u32,
    /// Seconds for which fewer workers must have been enough before one is drained
    #[arg(long, env = "REELMILL_WORKERS_IDLE", default_value_t = 600)]
    pub workers_idle: u32,
    /// What the kind of device of these workers is called
    #[arg(long, env = "REELMILL_WORKERS_DEVICE", default_value = "cpu")]
    pub workers_device: String,
    /// Command that starts one more worker, which is told the kind of device as REELMILL_DEVICE_NAME; without it workers run beside this server
    #[arg(long, env = "REELMILL_WORKERS_COMMAND")]
    pub workers_command: Option<String>,
}

impl ScalingOptions {
    fn limits(&self) -> ScalingLimits {
        let idle_ms = u64::from(self.workers_idle) * 1000;
        ScalingLimits {
            min: self.workers_min,
            max: self.workers_max,
            headroom: self.workers_headroom,
            idle_ms,
            cooldown_ms: (idle_ms / 5).min(ScalingLimits::default().cooldown_ms),
            ..ScalingLimits::default()
        }
    }
}

/// What is asked of a server that has workers started.
pub(crate) struct Scaling {
    pub(crate) limits: ScalingLimits,
    pub(crate) device: String,
    pub(crate) provisioner: Arc<dyn Provisioner>,
}

impl Services {
    /// This server has workers started, by `provisioner`, where `options` say so.
    #[must_use]
    pub fn with_scaling(self, options: &ScalingOptions, provisioner: Arc<dyn Provisioner>) -> Self {
        if options.workers_max == 0 {
            return self;
        }
        let scaling = Scaling { limits: options.limits(), device: options.workers_device.clone(), provisioner };
        self.with(|parts| parts.scaling = Some(Arc::new(scaling)))
    }
}

/// Decides again and again while this server leads. Runs until dropped.
pub(crate) async fn scale(services: Services) {
    let Some(scaling) = services.scaling.clone() else { return std::future::pending().await };
    let (leader, holder) = (format!("{LEADER}{}", scaling.device), chance::new_id().to_string());
    let mut leading: Option<Leading> = None;
    loop {
        match in_time(services.store.leaders().hold(&leader, &holder, HELD_MS)).await {
            Ok(true) => {
                let begun = leading.is_some();
                let decided = match leading.take() {
                    Some(leading) => Ok(leading),
                    None => in_time(Leading::begin(&services, &scaling)).await,
                };
                let decided = match decided {
                    Ok(mut now) => {
                        if !begun {
                            tracing::info!(workers.device = scaling.device, "this server decides how many workers there are");
                        }
                        let decided = tokio::select! {
                            decided = Box::pin(within(DECIDED_WITHIN, now.decide(&services, &scaling, (&leader, &holder)))) => decided,
                            () = until_another_leads(&services, &leader, &holder) => continue,
                        };
                        leading = Some(now);
                        decided
                    }
                    Err(error) => Err(error),
                };
                if let Err(error) = &decided {
                    if let Some(leading) = &mut leading {
                        leading.absence = Absence::begun(Instant::now());
                    }
                    tracing::warn!(error = error as &dyn Error, "the number of workers is left as it is; trying again");
                }
                services.metrics.note_run(NAME, decided.is_ok());
            }
            Ok(false) => leading = None,
            Err(error) => {
                leading = None;
                services.metrics.note_run(NAME, false);
                tracing::warn!(error = &error as &dyn Error, "it is not known who decides how many workers there are");
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// What a server knows while it leads.
struct Leading {
    history: ScalingHistory,
    week: WeekForecast,
    week_kept_at: Timestamp,
    seen: Seen,
    /// What was decided last, not to write down the same again and again.
    last: Option<u32>,
    /// Starts that are under way, with what ends with the worker, where that can be seen.
    starting: JoinSet<(Start, io::Result<Option<JoinHandle<()>>>)>,
    /// Workers beside this server, each until it ends.
    beside: JoinSet<Start>,
    /// After a start that failed none is tried before this moment.
    not_before: Option<(Timestamp, i64)>,
    absence: Absence,
    last_look: LastLook,
    /// By how much the clock was put back since this server leads.
    put_back_ms: i64,
}

/// A worker that was asked for.
struct Start {
    /// The decision that it is of.
    noted: String,
    /// By a clock that was never put back since this server leads.
    asked_at: Timestamp,
    worker: WorkerId,
}

/// What was begun to be started is, whoever decides from now on.
impl Drop for Leading {
    fn drop(&mut self) {
        self.starting.detach_all();
    }
}

impl Leading {
    async fn begin(services: &Services, scaling: &Scaling) -> Result<Self, StoreError> {
        let week = services.store.settings().find(&format!("{WEEK}{}", scaling.device)).await?;
        let week = week.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let now = services.store.now().await?;
        let seen = Seen::from_decisions(&services.store.scaling().changes(READ_BACK).await?, &scaling.device, scaling.limits.idle_ms, now);
        Ok(Self {
            history: ScalingHistory::default(),
            week,
            week_kept_at: now,
            seen,
            last: None,
            starting: JoinSet::new(),
            beside: JoinSet::new(),
            not_before: None,
            absence: Absence::begun(Instant::now()),
            last_look: LastLook::default(),
            put_back_ms: 0,
        })
    }

    /// Decides, and does what was decided, while `leader`, a name and its holder, lead.
    async fn decide(&mut self, services: &Services, scaling: &Scaling, leader: (&str, &str)) -> Result<(), StoreError> {
        services.costs.refresh(&services.store).await?;
        let (asked, state) = (Instant::now(), services.store.queue().state_of_queue().await?);
        let now = state.now;
        self.notice_clock(now);
        let silent_may_live = self.absence.lasts(asked, now);
        self.settle_starts(services, now).await?;
        let rules = services.store.placement().rules().await?;
        let offered: BTreeSet<String> = services.catalog().await?.models().iter().map(|model| model.id.clone()).collect();
        let starting = starting(&services.store.scaling().changes(STARTING_READ).await?, &state.workers, now);
        let (costs, device) = (&services.costs, &*scaling.device);
        let look = Look { state: &state, rules: &rules, offered: &offered, costs, starting: &starting, device };
        let (view, arrived_ms) = self.seen.view(look);
        self.week.observe(now, arrived_ms);
        if now.ms_since(self.week_kept_at) > KEEP_WEEK_EVERY_MS
            && let Ok(text) = serde_json::to_string(&self.week)
        {
            services.store.settings().set(&format!("{WEEK}{}", scaling.device), &text).await?;
            self.week_kept_at = now;
        }
        let Decision { wanted, change, reason, history } = decide(&view, &scaling.limits, &self.week, self.history.clone(), now);
        let workers = view.workers.iter().filter(|worker| !worker.draining).count() as u32 + view.starting;
        self.history = history;
        if matches!(change, ScalingChange::Start(_)) && self.not_before.is_some_and(|(not_before, _)| now < not_before) {
            return Ok(());
        }
        // Those that could not say that they live may be enough.
        if matches!(change, ScalingChange::Start(_)) && silent_may_live && services.store.workers().any_silent(&scaling.device).await? {
            return Ok(());
        }
        let (started, drained) = match &change {
            ScalingChange::None => (0, 0),
            ScalingChange::Start(request) => (request.count, 0),
            ScalingChange::Drain(ids) => (0, ids.len() as u32),
        };
        if started + drained == 0 && self.last == Some(wanted) {
            return Ok(());
        }
        let (device, reason) = (scaling.device.clone(), reason.to_string());
        tracing::info!(workers, workers.wanted = wanted, workers.started = started, workers.drained = drained, reason, "scaling");
        // First: who leads after this server knows what is on its way.
        let decision = ScalingDecision { at: now, device, workers, wanted, started, drained, reason };
        let Some(noted) = services.store.scaling().note_as(leader, &decision).await? else { return Ok(()) };
        self.last = Some(wanted);
        match change {
            ScalingChange::None => {}
            ScalingChange::Start(request) => {
                for _ in 0..request.count {
                    self.seen.asked(now);
                    let (provisioner, kind) = (Arc::clone(&scaling.provisioner), request.kind.clone());
                    let (asked_at, worker) = (now.plus_ms(self.put_back_ms), WorkerId::from_uuid(chance::new_id()));
                    let start = Start { noted: noted.clone(), asked_at, worker };
                    self.starting.spawn(async move {
                        let started = provisioner.start(&kind, start.worker).await;
                        if let Err(error) = &started {
                            tracing::error!(error = error as &dyn Error, "no worker could be started");
                        }
                        (start, started)
                    });
                }
            }
            ScalingChange::Drain(ids) => {
                services.store.workers().drain(&ids).await?;
            }
        }
        Ok(())
    }

    /// What was remembered is as long ago as it was, also where the clock was put back since the last look: else what is on its way, a pause after
    /// a start that failed, and what came lately would last until the clock is there again.
    fn notice_clock(&mut self, now: Timestamp) {
        let ms = self.last_look.put_back_ms(now);
        self.put_back_ms = self.put_back_ms.saturating_add(ms);
        self.seen.put_back(ms);
        self.week_kept_at = self.week_kept_at.plus_ms(-ms);
        self.not_before = self.not_before.map(|(not_before, pause_ms)| (not_before.plus_ms(-ms), pause_ms));
    }

    /// Starts that have failed are not on their way, and are not tried again at once.
    async fn settle_starts(&mut self, services: &Services, now: Timestamp) -> Result<(), StoreError> {
        let put_back_ms = self.put_back_ms;
        let asked_at = |start: &Start| start.asked_at.plus_ms(-put_back_ms);
        while let Some(started) = self.starting.try_join_next() {
            match started {
                Ok((start, Ok(Some(ended)))) => {
                    self.seen.started_beside(start.worker);
                    self.beside.spawn(async move {
                        drop(ended.await);
                        start
                    });
                }
                Ok((_, Ok(None))) => self.not_before = None,
                Ok((start, Err(_))) => {
                    self.seen.failed(asked_at(&start));
                    self.pause(now);
                    services.store.scaling().one_failed(&start.noted).await?;
                }
                Err(_) => {}
            }
        }
        while let Some(ended) = self.beside.try_join_next() {
            let Ok(start) = ended else { continue };
            if self.seen.ended_beside(start.worker, asked_at(&start), now) {
                tracing::error!(worker.id = %start.worker, "a worker ended before it was ready");
                self.pause(now);
                services.store.scaling().one_failed(&start.noted).await?;
            } else {
                self.not_before = None;
            }
        }
        Ok(())
    }

    /// After a start that failed.
    fn pause(&mut self, now: Timestamp) {
        let pause_ms = self.not_before.map_or(FIRST_PAUSE_MS, |(_, pause_ms)| (pause_ms * 2).min(LONGEST_PAUSE_MS));
        self.not_before = Some((now.plus_ms(pause_ms), pause_ms));
    }
}

#[cfg(test)]
mod tests;
