//! Everything that a process counts and times as it happens, in one list: [`Metrics::default`]. What is read when somebody asks stands in
//! `gauges.rs`.
//!
//! A metric counts what this process did. What several processes do, such as taking jobs to their end, is added up by
//! whoever collects it.

use super::{
    gauges::{WorkerGauges, register_build},
    labels::{Answered, Delivery, Ended, OfModel, OfStage, Route, Run, StageOfModel, class, method},
};
use domain::Stage;
use prometheus_client::{
    encoding::{
        EncodeLabelSet,
        text::{encode_eof, encode_registry},
    },
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::{Registry, Unit},
};
use std::{
    fmt::{self, Debug},
    hash::Hash,
    time::Duration,
};
use store::{Transition, TransitionKind};

/// Of the text that [`Metrics::text`] makes: OpenMetrics, which Prometheus reads.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// In front of every name.
const PREFIX: &str = "reelmill";
/// Upper bounds in seconds.
const REQUEST_BUCKETS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
const STAGE_BUCKETS: [f64; 12] = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0];
const WAIT_BUCKETS: [f64; 11] = [0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0];
const LOAD_BUCKETS: [f64; 10] = [0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0];

type Counters<L> = Family<L, Counter>;
type Histograms<L> = Family<L, Histogram>;

/// What this process counts and times. It is handed on, so that each test has its own.
#[derive(Debug)]
pub struct Metrics {
    requests: Counters<Answered>,
    request_duration: Histograms<Route>,
    jobs_submitted: Counters<OfModel>,
    jobs_ended: Counters<Ended>,
    job_wait: Histograms<OfModel>,
    decoder_wait: Histograms<OfModel>,
    claims: Counters<StageOfModel>,
    requeued: Counters<StageOfModel>,
    stage_duration: Histograms<StageOfModel>,
    reconciler_runs: Counters<Run>,
    deliveries: Counters<Delivery>,
    claim_errors: Counters<OfStage>,
    leases_lost: Counters<OfStage>,
    model_load_duration: Histograms<OfModel>,
    model_load_failures: Counters<OfModel>,
    registry: Registry,
}

impl Default for Metrics {
    #[rustfmt::skip] // One line for each metric: its name, what it is, and its buckets.
    fn default() -> Self {
        let mut list = Registry::with_prefix(PREFIX);
        Self {
            requests: counters(&mut list, "http_requests", "Requests that were answered, by route, method and class of the status"),
            request_duration: histograms(&mut list, "http_request_duration", "Time to the head of the answer, by route and method", || Histogram::new(REQUEST_BUCKETS)),
            jobs_submitted: counters(&mut list, "jobs_submitted", "Jobs taken in, by model"),
            jobs_ended: counters(&mut list, "jobs_ended", "Jobs that ended, by model and outcome: succeeded, failed or cancelled"),
            job_wait: histograms(&mut list, "job_wait", "Time from the submission of a job to its first claim, by model", || Histogram::new(WAIT_BUCKETS)),
            decoder_wait: histograms(&mut list, "decoder_wait", "Time for which a job that succeeded waited for a decoder once it was sampled, by model", || Histogram::new(WAIT_BUCKETS)),
            claims: counters(&mut list, "claims", "Jobs that workers took for a stage, by model and stage"),
            requeued: counters(&mut list, "jobs_requeued", "Jobs that were begun and wait again, by model and the stage that they wait for"),
            stage_duration: histograms(&mut list, "stage_duration", "Time a worker took for a stage of a job, uploads included, by model and stage", || Histogram::new(STAGE_BUCKETS)),
            reconciler_runs: counters(&mut list, "reconciler_runs", "Runs of the reconcilers, by outcome: done or failed"),
            deliveries: counters(&mut list, "event_deliveries", "Tries to deliver an event, by its kind and outcome: delivered, failed or given_up"),
            claim_errors: counters(&mut list, "claim_errors", "Tries to take a job that the database failed or did not answer, by stage"),
            leases_lost: counters(&mut list, "leases_lost", "Jobs that were dropped because their lease was lost, by stage"),
            model_load_duration: histograms(&mut list, "model_load_duration", "Time to load a model until its first clip is made, by model", || Histogram::new(LOAD_BUCKETS)),
            model_load_failures: counters(&mut list, "model_load_failures", "Models that could not be loaded, by model"),
            registry: list,
        }
    }
}

/// What became of an event that was to be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivered {
    Yes,
    /// It is tried again.
    NotYet,
    GivenUp,
}

impl Metrics {
    /// A request was answered, to be told by the pattern of its route; it has none where no route of ours is.
    pub fn note_request(&self, route: Option<&str>, method_name: &str, status: u16, took: Duration) {
        let (route, method) = (route.unwrap_or("other").to_owned(), method(method_name));
        self.requests.get_or_create(&Answered { route: route.clone(), method, status: class(status) }).inc();
        self.request_duration.get_or_create(&Route { route, method }).observe(took.as_secs_f64());
    }

    /// To be told of every transition of a job that this process commits.
    pub(crate) fn note_transition(&self, Transition { model, kind }: &Transition) {
        let of_model = || OfModel { model: model.clone() };
        match *kind {
            TransitionKind::Submitted => {
                self.jobs_submitted.get_or_create(&of_model()).inc();
            }
            TransitionKind::Claimed { stage, waited_ms } => {
                self.claims.get_or_create(&StageOfModel::new(model, stage)).inc();
                if let Some(waited_ms) = waited_ms {
                    self.job_wait.get_or_create(&of_model()).observe(seconds(waited_ms));
                }
            }
            TransitionKind::StageDone { stage, took_ms } => {
                self.stage_duration.get_or_create(&StageOfModel::new(model, stage)).observe(seconds(took_ms));
            }
            TransitionKind::Requeued { stage } => {
                self.requeued.get_or_create(&StageOfModel::new(model, stage)).inc();
            }
            TransitionKind::Succeeded { waited_ms } => {
                self.note_end(model, "succeeded");
                if let Some(waited_ms) = waited_ms {
                    self.decoder_wait.get_or_create(&of_model()).observe(seconds(waited_ms));
                }
            }
            TransitionKind::Failed => self.note_end(model, "failed"),
            TransitionKind::Cancelled => self.note_end(model, "cancelled"),
        }
    }

    fn note_end(&self, model: &str, outcome: &'static str) {
        self.jobs_ended.get_or_create(&Ended { model: model.to_owned(), outcome }).inc();
    }

    pub(crate) fn note_run(&self, reconciler: &'static str, is_done: bool) {
        let outcome = if is_done { "done" } else { "failed" };
        self.reconciler_runs.get_or_create(&Run { reconciler, outcome }).inc();
    }

    pub(crate) fn note_delivery(&self, kind: &str, delivered: Delivered) {
        let outcome = match delivered {
            Delivered::Yes => "delivered",
            Delivered::NotYet => "failed",
            Delivered::GivenUp => "given_up",
        };
        self.deliveries.get_or_create(&Delivery { kind: kind.to_owned(), outcome }).inc();
    }

    /// A claim failed, or was not answered; it is tried again.
    pub fn note_claim_error(&self, stage: Stage) {
        self.claim_errors.get_or_create(&OfStage { stage: stage.as_str() }).inc();
    }

    /// A job was dropped that is somebody else's by now, or nobody's.
    pub fn note_lease_lost(&self, stage: Stage) {
        self.leases_lost.get_or_create(&OfStage { stage: stage.as_str() }).inc();
    }

    /// Tells of what has not happened yet that it has happened no time: a counter that is first told after something happened has not risen for those who
    /// compare it with before.
    pub(crate) fn expect_deliveries(&self, kind: &str) {
        for outcome in ["delivered", "failed", "given_up"] {
            drop(self.deliveries.get_or_create(&Delivery { kind: kind.to_owned(), outcome }));
        }
    }

    /// The same of a worker's models.
    pub fn expect_loads(&self, model: &str) {
        drop(self.model_load_failures.get_or_create(&OfModel { model: model.to_owned() }));
    }

    /// A model was loaded, or could not be.
    pub fn note_load(&self, model: &str, took: Option<Duration>) {
        let of_model = OfModel { model: model.to_owned() };
        match took {
            Some(took) => self.model_load_duration.get_or_create(&of_model).observe(took.as_secs_f64()),
            None => {
                self.model_load_failures.get_or_create(&of_model).inc();
            }
        }
    }

    /// All that this process has counted and timed.
    ///
    /// # Errors
    /// When a value cannot be written as text.
    pub fn text(&self) -> Result<String, fmt::Error> {
        self.text_with(|_| {})
    }

    /// The same of a worker, and how its device stands.
    ///
    /// # Errors
    /// When a value cannot be written as text.
    pub fn text_of_worker(&self, gauges: &WorkerGauges) -> Result<String, fmt::Error> {
        self.text_with(|list| gauges.register(list))
    }

    pub(super) fn text_with(&self, register: impl FnOnce(&mut Registry)) -> Result<String, fmt::Error> {
        let mut read_now = Registry::with_prefix(PREFIX);
        register_build(&mut read_now);
        register(&mut read_now);
        let mut text = String::new();
        encode_registry(&mut text, &self.registry)?;
        encode_registry(&mut text, &read_now)?;
        encode_eof(&mut text)?;
        Ok(text)
    }
}

/// What a metric is told apart by.
trait Labels: EncodeLabelSet + Clone + Eq + Hash + Debug + Send + Sync + 'static {}

impl<L: EncodeLabelSet + Clone + Eq + Hash + Debug + Send + Sync + 'static> Labels for L {}

/// `_total` is put behind the name.
fn counters<L: Labels>(list: &mut Registry, name: &str, help: &str) -> Counters<L> {
    let counters: Counters<L> = Counters::default();
    list.register(name, help, counters.clone());
    counters
}

/// In seconds, which is put behind the name.
fn histograms<L: Labels>(list: &mut Registry, name: &str, help: &str, make: fn() -> Histogram) -> Histograms<L> {
    let histograms: Histograms<L> = Histograms::new_with_constructor(make);
    list.register_with_unit(name, help, Unit::Seconds, histograms.clone());
    histograms
}

fn seconds(ms: u64) -> f64 {
    Duration::from_millis(ms).as_secs_f64()
}
