//! How many workers there are: one server at a time decides, and has them started and drained.

mod provisioner;
mod view;

pub use provisioner::{LocalProcesses, OperatorCommand, Provisioner};

use crate::Services;
use clap::Args;
use domain::{
    Timestamp,
    scheduling::fleet::{Decision, ScalingChange, ScalingHistory, ScalingLimits, WeekForecast, decide},
};
use std::{error::Error, sync::Arc, time::Duration};
use store::{ScalingDecision, StoreError, chance};
use view::Seen;

/// Of the reconciler.
pub(crate) const NAME: &str = "scale workers";
/// Who decides is told by this name.
const LEADER: &str = "scaling";
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A server that fell silent is replaced by then.
const HELD_MS: i64 = 4000;
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
        Self { scaling: Some(Arc::new(scaling)), ..self }
    }
}

/// Decides again and again while this server leads. Runs until dropped.
pub(crate) async fn scale(services: Services) {
    let Some(scaling) = services.scaling.clone() else { return std::future::pending().await };
    let holder = chance::new_id().to_string();
    let mut leading: Option<Leading> = None;
    loop {
        match services.store.leaders().hold(LEADER, &holder, HELD_MS).await {
            Ok(true) => {
                let begun = leading.is_some();
                let decided = match leading.take() {
                    Some(leading) => Ok(leading),
                    None => Leading::begin(&services, &scaling).await,
                };
                let decided = match decided {
                    Ok(mut now) => {
                        if !begun {
                            tracing::info!(workers.device = scaling.device, "this server decides how many workers there are");
                        }
                        let decided = now.decide(&services, &scaling).await;
                        leading = Some(now);
                        decided
                    }
                    Err(error) => Err(error),
                };
                if let Err(error) = &decided {
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
    last: Option<(u32, String)>,
}

impl Leading {
    async fn begin(services: &Services, scaling: &Scaling) -> Result<Self, StoreError> {
        let week = services.store.settings().find(&format!("{WEEK}{}", scaling.device)).await?;
        let week = week.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let now = services.store.now().await?;
        let seen = Seen::from_decisions(&services.store.scaling().decisions(100).await?, &scaling.device, scaling.limits.idle_ms, now);
        Ok(Self { history: ScalingHistory::default(), week, week_kept_at: now, seen, last: None })
    }

    async fn decide(&mut self, services: &Services, scaling: &Scaling) -> Result<(), StoreError> {
        services.costs.refresh(&services.store).await?;
        let state = services.store.queue().state().await?;
        let now = state.now;
        let (view, arrived_ms) = self.seen.view(&state, &services.costs, &scaling.device);
        self.week.observe(now, arrived_ms);
        if now.ms_since(self.week_kept_at) > KEEP_WEEK_EVERY_MS
            && let Ok(text) = serde_json::to_string(&self.week)
        {
            services.store.settings().set(&format!("{WEEK}{}", scaling.device), &text).await?;
            self.week_kept_at = now;
        }
        let Decision { wanted, change, reason, history } = decide(&view, &scaling.limits, &self.week, self.history.clone(), now);
        let workers = view.workers.iter().filter(|worker| !worker.draining).count() as u32 + view.starting;
        let (started, drained) = match &change {
            ScalingChange::None => (0, 0),
            ScalingChange::Start(request) => (request.count, 0),
            ScalingChange::Drain(ids) => (0, ids.len() as u32),
        };
        let reason = reason.to_string();
        let is_news = started + drained > 0 || self.last.as_ref().is_none_or(|(last, _)| *last != wanted);
        if is_news {
            let device = scaling.device.clone();
            tracing::info!(workers, workers.wanted = wanted, workers.started = started, workers.drained = drained, reason, "scaling");
            // First: who leads after this server knows what is on its way.
            services
                .store
                .scaling()
                .note(&ScalingDecision { at: now, device, workers, wanted, started, drained, reason: reason.clone() })
                .await?;
            self.last = Some((wanted, reason));
        }
        self.history = history;
        match change {
            ScalingChange::None => {}
            ScalingChange::Start(request) => {
                for _ in 0..request.count {
                    match scaling.provisioner.start(&request.kind).await {
                        Ok(()) => self.seen.asked(now),
                        Err(error) => tracing::error!(error = &error as &dyn Error, "no worker could be started"),
                    }
                }
            }
            ScalingChange::Drain(ids) => {
                services.store.workers().drain(&ids).await?;
            }
        }
        Ok(())
    }
}
