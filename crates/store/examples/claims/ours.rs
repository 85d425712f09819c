//! This queue: jobs of ten tenants in both lanes go through both of their stages, claimed and completed by the calls that workers make.

use crate::{CLAIMERS, taken::Taken};
use anyhow::{Context, Result, ensure};
use apalis_core::{backend::Backend, worker::context::WorkerContext};
use domain::{
    JobId, JobRequest, Seed, Stage, TenantId, UserId, WorkerId,
    billing::{Lane, Plan},
    catalog,
    job::Deadlines,
};
use futures::future::try_join_all;
use std::{future::poll_fn, sync::Arc, time::Duration};
use store::{
    ArtifactKind, LeaseToken, NewAccount, NewJob, Registration, Store, StoredObject, WorkerRole, WorkerSlots,
    chance::new_id,
    clock::Instant,
    queue::{Slots, StageBackend},
};
use tokio::{sync::mpsc, time::timeout};
use tokio_util::sync::CancellationToken;

pub const MODELS: &[&str] = &["vignette-1"];
pub const LEASE_MS: i64 = 60_000;
const TENANTS: usize = 10;
/// Of each worker and stage: as many jobs as a worker of apalis takes at once.
const SLOTS: usize = 10;
/// Without a completion.
const PATIENCE: Duration = Duration::from_secs(60);
/// At once.
const SUBMITTERS: usize = 8;

#[derive(Clone, Copy)]
pub struct Team {
    tenant: TenantId,
    user: UserId,
}

/// With today's schema, and the models that tests have.
pub async fn open(url: &str) -> Result<Store> {
    let store = Store::open(url, Some(CLAIMERS)).await?;
    store.migrate().await?;
    store.models().offer(catalog::testing::catalog().models()).await?;
    Ok(store.patient())
}

impl Team {
    /// On a plan of its own, of this lane and weight.
    pub async fn new(store: &Store, name: &str, lane: Lane, weight: u32) -> Result<Self> {
        let (tenant, user) = (TenantId::from_uuid(new_id()), UserId::from_uuid(new_id()));
        let email = format!("{name}@example.com").parse()?;
        let account = NewAccount { tenant, user, email, password_hash: Some("hash".to_owned()), is_verified: true };
        store.accounts().create(account).await?.context("the account is new")?;
        let credits = store.tenant(tenant).credits();
        let plan = Plan { id: name.to_owned(), lane, weight, ..credits.plan().await? };
        store.plans().define(&plan, None).await?;
        credits.set_plan(name).await?;
        Ok(Self { tenant, user })
    }

    pub async fn submit(self, store: &Store) -> Result<JobId> {
        let request = JobRequest { prompt: "a red ball".to_owned(), ..JobRequest::default() };
        let (spec, quote) = request.parse(&catalog::testing::catalog(), Seed::ZERO)?;
        let Self { tenant, user } = self;
        let (api_key, project, remixed_from, trace_id, traceparent, work, understanding) = (None, None, None, None, None, None, None);
        let job = NewJob {
            user,
            api_key,
            project,
            remixed_from,
            trace_id,
            traceparent,
            quote,
            work,
            spec,
            understanding,
            deadlines: Deadlines::default(),
            fallback: None,
            callback: None,
            refused: None,
        };
        Ok(store.tenant(tenant).jobs().submit(job, None).await?.job.id)
    }
}

/// Claims a second, each with what ends it: a job has one of each stage.
pub async fn measure(store: &Store, url: &str, jobs: usize) -> Result<f64> {
    let lanes = [Lane::Interactive, Lane::Batch];
    let teams = (0..TENANTS).map(|n| async move { Team::new(store, &format!("team-{n}"), lanes[n % 2], 1 + n as u32).await });
    let teams = try_join_all(teams).await?;
    let submitter = |first: usize| {
        let teams = &teams;
        async move {
            for job in (first..jobs).step_by(SUBMITTERS) {
                teams[job % TENANTS].submit(store).await?;
            }
            Ok::<_, anyhow::Error>(())
        }
    };
    try_join_all((0..SUBMITTERS).map(submitter)).await?;

    let stores = workers_of(store, url).await?;
    let (taken, shutdown, (done, mut ended)) = (Arc::new(Taken::new()), CancellationToken::new(), mpsc::unbounded_channel());
    let begun = Instant::now();
    for store in stores {
        Worker { store, taken: taken.clone(), done: done.clone() }.start(&shutdown).await?;
    }
    for _ in 0..2 * jobs {
        let ended = timeout(PATIENCE, ended.recv()).await.context("a job was not claimed, or not completed")?;
        ended.context("all workers ended")??;
    }
    let elapsed = begun.elapsed();
    shutdown.cancel();
    ensure!(taken.len() == 2 * jobs, "{} of {} stages were claimed", taken.len(), 2 * jobs);
    Ok(taken.len() as f64 / elapsed.as_secs_f64())
}

/// Each worker is a process of its own on PostgreSQL, with one connection. On SQLite, which is one machine's, they share what a process has.
async fn workers_of(store: &Store, url: &str) -> Result<Vec<Store>> {
    if url.starts_with("postgres") {
        try_join_all((0..CLAIMERS).map(|_| async { Ok(Store::open(url, Some(1)).await?.patient()) })).await
    } else {
        Ok((0..CLAIMERS).map(|_| store.clone()).collect())
    }
}

/// A worker whose device takes no time: it claims as workers do, and writes what they write.
#[derive(Clone)]
struct Worker {
    store: Store,
    taken: Arc<Taken<(JobId, Stage)>>,
    done: mpsc::UnboundedSender<Result<()>>,
}

impl Worker {
    async fn start(self, shutdown: &CancellationToken) -> Result<()> {
        let worker = WorkerId::from_uuid(new_id());
        let slots = WorkerSlots { sampling: SLOTS.into(), decoding: SLOTS.into() };
        let registration = Registration { slots, ..Registration::new(WorkerRole::All, "none", MODELS) };
        self.store.workers().register(worker, registration).await?;
        let slots = Slots::new(slots.sampling, slots.decoding);
        for stage in [Stage::Sampling, Stage::Decoding] {
            let models = MODELS.iter().map(ToString::to_string).collect();
            let backend = StageBackend::new(self.store.clone(), stage, worker, models, LEASE_MS, slots.clone(), shutdown.clone());
            tokio::spawn(self.clone().run(backend));
        }
        Ok(())
    }

    async fn run(self, mut backend: StageBackend) {
        let context = WorkerContext::new("claims");
        while let Some(Ok(task)) = poll_fn(|cx| backend.poll_next(cx, &context)).await {
            let worker = self.clone();
            tokio::spawn(async move {
                let done = worker.complete(&task.args.claimed.token).await;
                let _ = worker.done.send(done);
                // Its slot is free again.
                drop(task);
            });
        }
    }

    async fn complete(&self, token: &LeaseToken) -> Result<()> {
        let queue = self.store.queue();
        self.taken.add((token.job, token.stage))?;
        match token.stage {
            Stage::Sampling => {
                queue.announce(token, &[ArtifactKind::Latents]).await?;
                queue.hand_over(token, object(ArtifactKind::Latents), 1200).await?;
            }
            Stage::Decoding => {
                let kinds = [ArtifactKind::Video, ArtifactKind::Thumbnail, ArtifactKind::Spritesheet];
                queue.announce(token, &kinds).await?;
                queue.succeed(token, kinds.map(object).to_vec(), None, 300).await?;
            }
        }
        Ok(())
    }
}

fn object(kind: ArtifactKind) -> StoredObject {
    StoredObject { kind, bytes: 42, sha256: "ab".repeat(32) }
}
