//! Use cases and reconcilers, called alike by the pages' server functions, the public API and the
//! command line. The hidden decision: which rows and objects a use case touches, and in which order.

mod access;
pub mod account;
pub mod alerts;
pub mod backup;
pub mod batch;
pub mod billing;
pub mod check;
pub mod config;
mod costs;
pub mod deadline;
pub mod expansion;
pub mod job;
pub mod key;
pub mod mail;
pub mod models;
pub mod numbers;
pub mod operator;
pub mod outbox;
pub mod payment;
pub mod placement;
mod recent;
mod reconcile;
pub mod requests;
pub mod scaling;
pub mod seal;
pub mod spending;
pub mod team;
pub mod telemetry;
pub mod understanding;
pub mod webhook;
pub mod word_model;

pub use access::AccessError;
pub use account::{SignIn, SignInError, SignUpError, User};
pub use batch::{
    BatchError, BatchEta, BatchRequest, BatchView, FileContent, FileError, FileUpload, LineFormat, LineOutcome, LineRequest, LineResult,
    LinesPage, ListedBatch, NewFile, ReadLine,
};
pub use costs::StageTime;
pub use job::{
    Accepted, ContentError, JobList, LinkError, MoveError, OutputLink, OutputLinks, OwnJobView, OwnQueue, OwnWaiting, QueueError,
    Submission, SubmitError,
};
pub use key::{KeyError, KeyRequest, NewKey, NotOpened, Opened};
pub use mail::Mailer;
pub use models::{AliasError, OfferError};
pub use reconcile::{expire_leases, reconcile};
pub use store::{
    ALIVE_MS, ApiKey, Asked, AuditEntry, Batch, BatchPage, BatchQuery, BatchRepetition, COUNTED_MAX, ChangeError, Drained, ENDED_READ_MAX,
    FLEET_JOBS_MAX, FLEET_WORKERS_MAX, FailedJob, Failures, Fate, File, FilePage, FileQuery, FleetJob, FleetWorker, HOURLY_READ_MAX,
    HeldModel, HeldState, Hour, Invitation, InviteError, JoinError, KeptMail, LATENCY_BOUNDS_MS, Latency, LedgerEntries, LedgerEntry,
    LedgerFilter, LedgerPage, LedgerPlace, LedgerRow, LinkedIdentity, ListedJobs, LiveWorker, Load, LoadCost, Member, ModelRule,
    OWN_COUNTED_MAX, Offer, OfferChange, OfferedModel, Order, OwnPhase, OwnTenant, PageQuery, Percentiles, PlacementChange, PlanVersion,
    Project, PromoCodeRow, QUARANTINED_LISTED, QueuedRow, RateChange, Redemption, Refunded, Revenue, SESSION_ADDRESS, SESSION_DEVICE,
    SESSION_KEPT_FOR, SESSION_TENANT, SESSION_USER, SESSION_VIEWING, ScalingDecision, SeenSession, SessionId, StageLoad, StoreError,
    Subscribers, TenantFound, TenantPage, TenantRow, ThrottledWork, Undelivered, UnreadableRow, Waited, Waiting, WebhookAttempt,
    WebhookChange, WebhookDelivery, WebhookEndpoint, WebhookRefusal, WorkerSeen, WorkerSlots,
    queue::EtaCoverage,
    requests::{MadeBy, RequestFilter, RequestPage, RequestPlace, RequestRow, RequestStatus, RequestTimes, SharedWith, Slow},
};

use account::{Passwords, RefusedTries};
use costs::Costs;
use domain::{ApiKeyId, BatchId, Catalog, NoEta, TenantId, Timestamp, VideoTime, scheduling::Fleet};
use job::{Confirmed, Estimates, Forecasts, Places, Watchers};
use operator::{RecentParts, SlowRequests};
use outbox::Deliveries;
use recent::Recent;
use seal::SealKey;
use std::{ops::Deref, sync::Arc};
use store::{Store, Transition, objects::Objects};
use telemetry::{Metrics, Traces};
use tokio::sync::OnceCell;
use word_model::WordModels;

/// The most bytes that the files of one tenant have, unless the operator says otherwise.
const FILES_BYTES_MAX: u64 = 10 * 1024 * 1024 * 1024;

/// Everything a use case needs, built once in `main` and cloned into handlers and loops: a request is passed through dozens of
/// layers, each with a clone.
#[derive(Clone)]
pub struct Services {
    parts: Arc<Parts>,
}

impl Deref for Services {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// What [`Services`] are made of.
#[derive(Clone)]
pub struct Parts {
    pub store: Store,
    pub objects: Objects,
    /// What this process counts and times.
    pub metrics: Arc<Metrics>,
    passwords: Passwords,
    places: Places,
    refused_tries: Arc<RefusedTries>,
    browser_key: Arc<OnceCell<SealKey>>,
    output_key: Arc<OnceCell<job::OutputKey>>,
    catalog: Arc<Recent<(), Arc<Catalog>>>,
    costs: Costs,
    forecasts: Arc<Forecasts>,
    fleet: Arc<Recent<(), Fleet>>,
    waiting: Arc<Recent<TenantId, Waiting>>,
    batch_etas: Arc<Recent<BatchId, Result<BatchEta, NoEta>>>,
    kept: Arc<Recent<TenantId, (Option<u32>, Timestamp)>>,
    open_work: Arc<Recent<(), VideoTime>>,
    /// Whether they open anything, for streams that are open.
    live_keys: Arc<Recent<ApiKeyId, bool>>,
    requests_per_minute: Arc<Recent<TenantId, u32>>,
    deliveries: Deliveries,
    estimates: Arc<Estimates>,
    confirmed: Arc<Confirmed>,
    watchers: Arc<Watchers>,
    recent_parts: Arc<RecentParts>,
    recent_tallies: Arc<numbers::RecentTallies>,
    word_models: Arc<WordModels>,
    /// `None`: nothing can be paid here.
    processor: Option<Arc<payment::Processor>>,
    ledger_check: Arc<billing::RunningCheck>,
    /// `None`: this server has no workers started.
    scaling: Option<Arc<scaling::Scaling>>,
    placement: placement::PlacementOptions,
    /// The most video time that all tenants may have waiting and running, if there is a limit.
    queue_max: Option<VideoTime>,
    /// The most bytes that the files of one tenant may have.
    files_max: u64,
    /// `None`: this process goes on with no batches.
    line_format: Option<Arc<dyn LineFormat>>,
    /// Else they stay with the operator.
    pub sends_mails: bool,
    /// `None`: nobody signs in by a provider here.
    sign_in_provider: Option<Arc<account::oidc::SignInProvider>>,
    /// What this process answered slowly.
    pub slow_requests: Arc<SlowRequests>,
    webhooks: Arc<webhook::Sending>,
    /// `None`: this process tells no address of a job.
    callback_body: Option<webhook::CallbackBody>,

    /// Where spans go.
    pub traces: Traces,
    /// What this server was told at its start.
    setup: Arc<operator::Setup>,
}

impl Services {
    /// All tenants together may have so much video time waiting and running.
    #[must_use]
    pub fn with_queue_max(self, queue_max: VideoTime) -> Self {
        self.with(|parts| parts.queue_max = Some(queue_max))
    }

    /// The files of one tenant may have so many bytes together.
    #[must_use]
    pub fn with_files_max(self, files_max: u64) -> Self {
        self.with(|parts| parts.files_max = files_max)
    }

    /// From now on this process goes on with batches, whose lines are written like this.
    #[must_use]
    pub fn with_line_format(self, format: Arc<dyn LineFormat>) -> Self {
        self.with(|parts| parts.line_format = Some(format))
    }

    /// Everything is stored by `store`, which is on the same database.
    #[must_use]
    pub fn with_store(self, store: Store) -> Self {
        self.with(|parts| parts.store = store)
    }

    /// Spans are told to `traces`.
    #[must_use]
    pub fn with_traces(self, traces: Traces) -> Self {
        self.with(|parts| parts.traces = traces)
    }

    #[must_use]
    pub fn new(store: Store, objects: Objects) -> Self {
        let metrics = Arc::new(Metrics::default());
        let counting = Arc::clone(&metrics);
        let observer = Arc::new(move |transition: &Transition| counting.note_transition(transition));
        let parts = Parts {
            store: store.observed_by(observer),
            objects,
            metrics,
            passwords: Passwords::new(),
            places: Places::new(),
            catalog: Arc::new(Recent::for_a_second()),
            costs: Costs::default(),
            forecasts: Arc::new(Forecasts::new(placement::PlacementOptions::default().wait_max_ms())),
            fleet: Arc::new(Recent::for_a_second()),
            refused_tries: Arc::default(),
            browser_key: Arc::default(),
            output_key: Arc::default(),
            waiting: Arc::new(Recent::by_its_cost()),
            batch_etas: Arc::new(Recent::by_its_cost()),
            kept: Arc::new(Recent::for_a_second()),
            open_work: Arc::new(Recent::by_its_cost()),
            live_keys: Arc::new(Recent::for_a_moment()),
            requests_per_minute: Arc::new(Recent::for_a_second()),
            deliveries: Deliveries::default(),
            estimates: Arc::default(),
            confirmed: Arc::default(),
            watchers: Arc::default(),
            recent_parts: Arc::default(),
            recent_tallies: Arc::new(Recent::by_its_cost()),
            word_models: Arc::default(),
            processor: None,
            ledger_check: Arc::default(),
            queue_max: None,
            files_max: FILES_BYTES_MAX,
            line_format: None,
            scaling: None,
            placement: placement::PlacementOptions::default(),
            sends_mails: false,
            sign_in_provider: None,
            slow_requests: Arc::default(),
            webhooks: Arc::default(),
            callback_body: None,
            traces: Traces::default(),
            setup: Arc::default(),
        };
        Self { parts: Arc::new(parts) }
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.parts));
        self
    }

    #[must_use]
    pub fn with_placement(self, options: &placement::PlacementOptions) -> Self {
        self.with(|parts| {
            parts.placement = options.clone();
            parts.forecasts = Arc::new(Forecasts::new(options.wait_max_ms()));
        })
    }
}
