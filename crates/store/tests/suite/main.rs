//! What every engine must do alike: SQLite in each run, PostgreSQL where one is at hand.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod accounts;
mod batches;
mod billing;
mod jobs;
mod kept;
mod migrating;
mod models;
mod numbers;
mod objects;
mod open_work;
mod operations;
mod operator;
mod outbox;
mod queue;
mod signals;
mod sqlite;
mod submit;
mod transitions;
mod unreadable;
mod waiting;
mod walls;
mod webhooks;

use domain::{JobId, JobRequest, Seed, Stage, TenantId, UserId, WorkerId, catalog, job::Deadlines, scheduling::Suspects};
use sea_orm::ConnectionTrait;
use store::{
    ArtifactKind, Claimed, Job, LeaseToken, NewAccount, NewJob, ProgressReport, Queue, Store, StoredObject,
    testing::{Dial, TempDatabase},
};
use uuid::Uuid;

const LEASE_MS: i64 = 10_000;
const MODELS: &[&str] = &["vignette-1"];

/// A database with one tenant, on a dial.
struct World {
    store: Store,
    dial: Dial,
    tenant: TenantId,
    user: UserId,
    database: TempDatabase,
}

impl World {
    async fn new(database: TempDatabase) -> Self {
        let dial = Dial::default();
        let store = database.open_at(&dial).await.unwrap();
        let (tenant, user) = account(&store, "ada@example.com").await;
        Self { store, dial, tenant, user, database }
    }

    fn queue(&self) -> Queue<'_> {
        self.store.queue()
    }

    fn new_job(&self) -> NewJob {
        new_job(self.user)
    }

    async fn submit(&self) -> Job {
        self.dial.advance_ms(1);
        self.store.tenant(self.tenant).jobs().submit(self.new_job(), None).await.unwrap().job
    }

    async fn job(&self, id: JobId) -> Job {
        self.store.tenant(self.tenant).jobs().get(id).await.unwrap().unwrap()
    }

    async fn state(&self, id: JobId) -> &'static str {
        self.job(id).await.lifecycle.state.name()
    }

    async fn claim(&self, stage: Stage) -> Option<Claimed> {
        self.queue().claim(stage, worker(), MODELS, LEASE_MS, Suspects::Take).await.unwrap()
    }

    /// A job whose sampling is done, claimed by a decoder.
    async fn decoding(&self) -> Claimed {
        self.submit().await;
        let claimed = self.claim(Stage::Sampling).await.unwrap();
        self.hand_over(&claimed.token).await;
        self.claim(Stage::Decoding).await.unwrap()
    }

    async fn hand_over(&self, token: &LeaseToken) {
        self.queue().announce(token, &[ArtifactKind::Latents]).await.unwrap();
        self.queue().hand_over(token, object(ArtifactKind::Latents), 1200).await.unwrap();
    }

    async fn succeed(&self, token: &LeaseToken) {
        let kinds = [ArtifactKind::Video, ArtifactKind::Thumbnail, ArtifactKind::Spritesheet];
        self.queue().announce(token, &kinds).await.unwrap();
        self.queue().succeed(token, kinds.map(object).to_vec(), None, 300).await.unwrap();
    }

    /// What only a hand or another version does to the rows.
    async fn sql(&self, statement: &str) -> sea_orm::ExecResult {
        let db = sea_orm::Database::connect(self.database.url_of_all()).await.unwrap();
        let done = db.execute_unprepared(statement).await.unwrap();
        db.close().await.unwrap();
        done
    }

    async fn texts(&self, select: &str) -> Vec<String> {
        self.database.texts(select).await
    }

    async fn count(&self, table: &str) -> usize {
        self.texts(&format!("SELECT CAST(1 AS TEXT) FROM {table}")).await.len()
    }

    /// Lets every lease run out and ends them.
    async fn lose_leases(&self) -> u64 {
        self.dial.advance_ms(LEASE_MS);
        self.expire_leases().await
    }

    async fn expire_leases(&self) -> u64 {
        self.queue().expire_leases(self.store.now().await.unwrap()).await.unwrap()
    }

    /// Lets the longest pause between two attempts pass.
    fn pass_pause(&self) {
        self.dial.advance_ms(4000);
    }
}

async fn account(store: &Store, email: &str) -> (TenantId, UserId) {
    let (tenant, user) = (TenantId::from_uuid(Uuid::now_v7()), UserId::from_uuid(Uuid::now_v7()));
    let account = NewAccount { tenant, user, email: email.parse().unwrap(), password_hash: Some("hash".into()), is_verified: true };
    store.accounts().create(account).await.unwrap().unwrap();
    (tenant, user)
}

fn new_job(user: UserId) -> NewJob {
    let request = JobRequest { prompt: "a red ball".into(), negative_prompt: Some("blue".into()), ..JobRequest::default() };
    let (spec, quote) = request.parse(&catalog::testing::catalog(), Seed::new(Seed::MAX).unwrap()).unwrap();
    NewJob {
        user,
        api_key: None,
        project: None,
        remixed_from: None,
        trace_id: None,
        traceparent: None,
        quote,
        work: None,
        spec,
        understanding: None,
        deadlines: Deadlines::default(),
        fallback: None,
        callback: None,
        refused: None,
    }
}

fn worker() -> WorkerId {
    WorkerId::from_uuid(Uuid::now_v7())
}

fn report(token: LeaseToken, step: u32) -> ProgressReport {
    ProgressReport { token, step, decoded_permille: 0, device_ms: 0, preview: None }
}

fn object(kind: ArtifactKind) -> StoredObject {
    StoredObject { kind, bytes: 42, sha256: "ab".repeat(32) }
}
