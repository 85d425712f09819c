//! The only speaker of SQL and of object storage.
//!
//! Rows of a tenant are reached through it (`store.tenant(id).jobs()`), so a query without an owner has no
//! spelling; the queue, the workers and the sign-in have doors of their own.

mod account;
pub mod alerts;
mod batches;
mod billing;
mod check;
mod database;
mod device_time;
mod entity;
mod error;
mod inbox;
mod job;
pub mod metrics;
mod models;
pub mod objects;
mod open_work;
mod operator;
mod outbox;
mod payment;
pub mod queue;
pub mod requests;
mod retention;
mod rows;
mod settings;
mod signals;
mod signing_keys;
mod sql;
mod system;
mod tenant;
#[cfg(feature = "testing")]
pub mod testing;
mod timings;
mod webhook;
mod workers;

pub use account::{
    Accounts, Asked, CodeTried, CountedTry, Credentials, Deletion, Deletions, EmailChange, Fate, Identities, JoinError, KeptMail,
    LinkedIdentity, Linking, Mails, NewAccount, Offer, OwnTenant, SESSION_ADDRESS, SESSION_DEVICE, SESSION_KEPT_FOR, SESSION_TENANT,
    SESSION_USER, SESSION_VIEWING, SecondFactor, SecondFactors, SeenSession, SessionId, SessionRows, Subject, Through, TooEarly, TryCounts,
    TrySubject, TurnedOn, Unlinking,
};
pub use batches::{
    AnnouncedFile, Batch, BatchLine, BatchPage, BatchQuery, BatchRefusal, BatchRepetition, BatchRows, BatchSource, BatchSteps, Batches,
    DueBatch, File, FileDeletion, FileOwner, FilePage, FileQuery, FileRows, FileTerms, Files, FilesUsed, NewBatch, NewLine, WrittenFile,
};
pub use billing::{
    Credits, Granted, LedgerFault, LedgerPage, LedgerRow, MeterEvent, Metering, NewGrant, NewRefund, PlanVersion, Plans, RateChange,
    RatesSet, RefundError, Refunded, Verified,
};
pub use check::{Check, CheckedArtifact, CheckedJob};
pub use database::{
    connect::Addresses,
    events::{MAIL, NewEvent},
    transitions::{Transition, TransitionKind, TransitionObserver},
};
pub use device_time::SpareTime;
pub use error::{StoreError, SubmitError, in_time, within};
pub use inbox::Inbox;
pub use job::{Artifact, ArtifactKind, BatchLineKey, Idempotency, Job, LeaseToken, NewJob, Preview, Repetition, StoredObject, Submitted};
pub use models::{Models, OfferChange, OfferedModel};
pub use open_work::{OpenWork, Repaired};
pub use operator::{
    ActOfOperator, COUNTED_MAX, Demand, Drained, ENDED_READ_MAX, Ending, FLEET_JOBS_MAX, FLEET_WORKERS_MAX, FailedJob, Failures, FleetJob,
    FleetWorker, HOURLY_READ_MAX, Hour, LATENCY_BOUNDS_MS, Latency, LedgerEntries, LedgerEntry, LedgerFilter, LedgerPlace, LineWaiting,
    Load, LoadCost, MeasuredDemand, ModelDemand, ModelRule, Operator, PartSeen, Percentiles, Placement, PlacementChange,
    QUARANTINED_LISTED, QueuedRow, Revenue, Said, Scaling, ScalingDecision, StageLoad, Submission, Subscribers, TenantFound, TenantPage,
    TenantRow, ThrottledWork, UnreadableRow, Waited, WeighedTenant, WorkerSeen,
};
pub use outbox::{Event as OutboxEvent, Outbox, Undelivered};
pub use payment::{CREDIT_CUSTOMER, DELETE_CUSTOMER, FETCH_CUSTOMER, Fetched, PaymentAccount, Payments, fetch_customer};
pub use queue::{Claimed, LeaseError, ProgressReport, Queue, Renewal, StageTook};
pub use retention::{Retention, TenantOfPlan};
pub use rows::account::tokens::{NewToken, Proof};
pub use rows::account::{audit::AuditEntry, invitations::Invitation, projects::Project};
pub use rows::jobs::listed::{ListedJobs, Order, PageQuery};
pub use rows::texts::Texts;
pub use settings::Settings;
pub use signals::{Change, Signals};
pub use signing_keys::{SigningKey, SigningKeys};
pub use system::{Leaders, chance, clock, clock::SystemClock, sqlite_file};
pub use tenant::{
    ApiKey, ApiKeys, ChangeError, Earlier, FoundKey, InviteError, JobActError, JobActs, JobOutline, JobPage, Jobs, KeySecret, KeyTerms,
    Member, Members, MoveError, NewApiKey, NewPromoCode, NoKey, OWN_COUNTED_MAX, OwnJob, OwnPage, OwnPhase, PageOutline, ProjectError,
    Projects, PromoCodeRow, PromoCodes, PromoError, Redemption, SpendingRows, Tenant, Waiting,
};
pub use timings::{StageTiming, TimingPlace, Timings};
pub use webhook::{
    AfterAttempt, CALLBACK_DUE, ClaimedWebhook, NewWebhookEndpoint, ReplayRange, SealedSecret, WebhookAttempt, WebhookChange,
    WebhookDelivery, WebhookEndpoint, WebhookEndpoints, WebhookHappened, WebhookLog, WebhookQueue, WebhookRefusal, WebhookRoom,
};
pub use workers::{
    ALIVE_MS, Beat, DesiredModel, HeldModel, HeldModels, HeldState, LiveWorker, ModelReport, ModelsReport, Registration, Told,
    WorkerCondition, WorkerRole, WorkerSlots, Workers,
};

use database::{
    connect::{self, Connections, TimeSource},
    group_commit::GroupCommit,
    wall::{Scope, Walled},
};
use domain::{Clock, JobId, TenantId, Timestamp};
use rows::unreadable::Unreadable;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};
use std::{collections::HashMap, sync::Arc, time::Duration};

/// The database, opened. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    /// For single statements about the rows of all tenants; for those of one see [`Store::of`].
    db: Walled,
    /// For single statements about what is no tenant's.
    shared: Walled,
    /// For transactions that write; on SQLite one after the other, as it has one writer.
    writer: DatabaseConnection,
    /// Where the schema is changed.
    migrator: DatabaseConnection,
    group_commit: Option<Arc<GroupCommit>>,
    time: TimeSource,
    signals: Signals,
    observer: Option<TransitionObserver>,
    unreadable: Unreadable,
    noted: operator::Noted,
    noting_use: tenant::key_use::NotingUse,
    pauses: operator::KeptPauses,
    take_in_within: Duration,
    results: queue::results::Together,
}

/// The longest that taking in a job waits for locks and writes.
const TAKE_IN_WITHIN: Duration = Duration::from_secs(4);

impl Store {
    /// Opens `sqlite:///path/file.db` (created when missing) or `postgres://..`. The present is the
    /// database server's, so that no lease depends on a worker's clock; on SQLite, which has no server, it
    /// is this machine's. `connections` limits how many are made to PostgreSQL, or for reading from SQLite.
    ///
    /// # Errors
    /// [`StoreError`] when the address is not one of these or nothing answers there.
    pub async fn open(url: &str, connections: Option<u32>) -> Result<Self, StoreError> {
        Self::open_through(Addresses { url, direct_url: None }, connections).await
    }

    /// As [`Self::open`], through something that hands out connections by the transaction, such as PgBouncer.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_through(addresses: Addresses<'_>, connections: Option<u32>) -> Result<Self, StoreError> {
        Self::connect(addresses, connections, None).await
    }

    /// As [`Self::open`], with every moment taken from `clock`: for tests and simulations.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_at(url: &str, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        Self::connect(Addresses { url, direct_url: None }, None, Some(clock)).await
    }

    async fn connect(addresses: Addresses<'_>, connections: Option<u32>, clock: Option<Arc<dyn Clock>>) -> Result<Self, StoreError> {
        let Connections { door, writer, migrator, group_commit, signals } = connect::open(addresses, connections).await?;
        let (db, shared) = (door.clone().of(Scope::System), door.of(Scope::Nobody));
        let time = match clock {
            Some(clock) => TimeSource::Given(clock),
            None if db.get_database_backend() == DbBackend::Postgres => TimeSource::Database,
            None => TimeSource::Given(Arc::new(SystemClock)),
        };
        let (unreadable, noted, noting_use) = (Unreadable::default(), operator::Noted::default(), tenant::key_use::NotingUse::default());
        let group_commit = group_commit.map(Arc::new);
        let (observer, take_in_within, pauses) = (None, TAKE_IN_WITHIN, operator::KeptPauses::default());
        Ok(Self {
            db,
            shared,
            writer,
            migrator,
            group_commit,
            time,
            signals,
            observer,
            unreadable,
            noted,
            noting_use,
            pauses,
            take_in_within,
            results: Default::default(),
        })
    }

    /// The same store, and `observer` is told of every transition of a job that is committed through it or a clone of it.
    #[must_use]
    pub fn observed_by(self, observer: TransitionObserver) -> Self {
        Self { observer: Some(observer), results: Default::default(), ..self }
    }

    /// Brings the schema up to date. Safe to run from several processes at once.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer or refuses a step.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        connect::migrate(&self.migrator).await
    }

    /// Answers when the schema is as new as this program.
    ///
    /// # Errors
    /// [`StoreError::NotMigrated`] when it is older, [`StoreError::Database`] also when there is none.
    pub async fn check_schema(&self) -> Result<(), StoreError> {
        connect::check_schema(&self.shared).await
    }

    /// Answers when the database does.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        Ok(self.shared.execute_unprepared("SELECT 1").await.map(drop)?)
    }

    /// This machine's present, at no cost: to wait by, not to compare with what is stored.
    #[must_use]
    pub fn local_now(&self) -> Timestamp {
        self.time.local_now()
    }

    /// The present, by the clock that all processes share: the database server's where there is one.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn now(&self) -> Result<Timestamp, StoreError> {
        self.time.now(&self.shared).await
    }

    /// For single statements about the rows of this tenant; on PostgreSQL they see no others.
    pub(crate) fn of(&self, tenant: TenantId) -> Walled {
        self.db.to(Scope::Tenant(tenant))
    }

    #[must_use]
    pub fn tenant(&self, id: TenantId) -> Tenant<'_> {
        Tenant::new(self, id)
    }

    #[must_use]
    pub const fn leaders(&self) -> Leaders<'_> {
        Leaders::new(self)
    }

    #[must_use]
    pub const fn scaling(&self) -> Scaling<'_> {
        Scaling::new(self)
    }

    /// Which models should be in the memory of which worker.
    #[must_use]
    pub const fn placement(&self) -> Placement<'_> {
        Placement::new(self)
    }

    #[must_use]
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts::new(self)
    }

    #[must_use]
    pub const fn tries(&self) -> TryCounts<'_> {
        TryCounts::new(self)
    }

    /// Mails that stay here, and those that wait.
    #[must_use]
    pub const fn mails(&self) -> Mails<'_> {
        Mails::new(self)
    }

    #[must_use]
    pub const fn second_factors(&self) -> SecondFactors<'_> {
        SecondFactors::new(self)
    }

    /// Who people are at a provider by which they sign in.
    #[must_use]
    pub const fn identities(&self) -> Identities<'_> {
        Identities::new(self)
    }

    /// What is left of accounts that were deleted.
    #[must_use]
    pub const fn deletions(&self) -> Deletions<'_> {
        Deletions::new(self)
    }

    #[must_use]
    pub const fn settings(&self) -> Settings<'_> {
        Settings::new(self)
    }

    /// By which client tokens are signed.
    #[must_use]
    pub const fn signing_keys(&self) -> SigningKeys<'_> {
        SigningKeys::new(self)
    }

    #[must_use]
    pub const fn models(&self) -> Models<'_> {
        Models::new(self)
    }

    #[must_use]
    pub const fn plans(&self) -> Plans<'_> {
        Plans::new(self)
    }

    #[must_use]
    pub const fn promo_codes(&self) -> PromoCodes<'_> {
        PromoCodes::new(self)
    }

    /// What a payment processor knows of tenants.
    #[must_use]
    pub const fn payments(&self) -> Payments<'_> {
        Payments::new(self)
    }

    /// What is paid for afterwards, on its way to whoever bills it.
    #[must_use]
    pub const fn metering(&self) -> Metering<'_> {
        Metering::new(self)
    }

    /// Events on their way out.
    #[must_use]
    pub const fn outbox(&self) -> Outbox<'_> {
        Outbox::new(self)
    }

    /// Events on their way in.
    #[must_use]
    pub const fn inbox(&self) -> Inbox<'_> {
        Inbox::new(self)
    }

    #[must_use]
    pub const fn operator(&self) -> Operator<'_> {
        Operator::new(self)
    }

    #[must_use]
    pub fn queue(&self) -> Queue<'_> {
        Queue::new(self)
    }

    /// What plans keep no longer.
    #[must_use]
    pub const fn retention(&self) -> Retention<'_> {
        Retention::new(self)
    }

    #[must_use]
    pub fn workers(&self) -> Workers<'_> {
        Workers::new(self)
    }

    #[must_use]
    pub fn timings(&self) -> Timings<'_> {
        Timings::new(self)
    }

    #[must_use]
    pub fn open_work(&self) -> OpenWork<'_> {
        OpenWork::new(self)
    }

    #[must_use]
    pub fn check(&self) -> Check<'_> {
        Check::new(self)
    }

    #[must_use]
    pub fn sessions(&self) -> SessionRows {
        SessionRows::new(self.clone())
    }

    /// The revisions of those of these jobs that are there and not deleted, whosever they are: for one look
    /// on behalf of many watchers, who then read their job through its tenant.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn revisions(&self, jobs: &[JobId]) -> Result<HashMap<JobId, u64>, StoreError> {
        rows::jobs::revisions(&self.db, jobs).await
    }

    #[must_use]
    pub const fn signals(&self) -> &Signals {
        &self.signals
    }
}
