//! This queue: jobs of ten tenants in both lanes go through both of their stages.

use crate::{CLAIMERS, taken::Taken};
use anyhow::{Context, Result, ensure};
use domain::{
    JobId, JobRequest, Seed, Stage, TenantId, UserId, WorkerId,
    billing::{Lane, Plan},
    catalog,
    job::Deadlines,
    scheduling::Suspects,
};
use futures::future::try_join_all;
use std::sync::Arc;
use store::{ArtifactKind, NewAccount, NewJob, Store, StoredObject, chance::new_id, clock::Instant};

pub const MODELS: &[&str] = &["vignette-1"];
pub const LEASE_MS: i64 = 60_000;
const TENANTS: usize = 10;
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
pub async fn measure(store: &Store, jobs: usize) -> Result<f64> {
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

    let (taken, begun) = (Arc::new(Taken::new()), Instant::now());
    let claimers = (0..CLAIMERS).map(|_| {
        let (store, taken) = (store.clone(), taken.clone());
        tokio::spawn(async move { claim(&store, &taken).await })
    });
    for claimer in claimers.collect::<Vec<_>>() {
        claimer.await??;
    }
    let elapsed = begun.elapsed();
    ensure!(taken.len() == 2 * jobs, "{} of {} stages were claimed", taken.len(), 2 * jobs);
    Ok(taken.len() as f64 / elapsed.as_secs_f64())
}

/// Samples and decodes in turns, for as long as there is something.
async fn claim(store: &Store, taken: &Taken<(JobId, Stage)>) -> Result<()> {
    let worker = WorkerId::from_uuid(new_id());
    loop {
        let sampled = one(store, worker, Stage::Sampling, taken).await?;
        let decoded = one(store, worker, Stage::Decoding, taken).await?;
        if !sampled && !decoded {
            return Ok(());
        }
    }
}

/// Whether there was something.
async fn one(store: &Store, worker: WorkerId, stage: Stage, taken: &Taken<(JobId, Stage)>) -> Result<bool> {
    let queue = store.queue();
    let Some(claimed) = queue.claim(stage, worker, MODELS, LEASE_MS, Suspects::Take).await? else { return Ok(false) };
    let token = claimed.token;
    taken.add((token.job, stage))?;
    match stage {
        Stage::Sampling => {
            queue.announce(&token, &[ArtifactKind::Latents]).await?;
            queue.hand_over(&token, object(ArtifactKind::Latents), 1200).await?;
        }
        Stage::Decoding => {
            let kinds = [ArtifactKind::Video, ArtifactKind::Thumbnail, ArtifactKind::Spritesheet];
            queue.announce(&token, &kinds).await?;
            queue.succeed(&token, kinds.map(object).to_vec(), None, 300).await?;
        }
    }
    Ok(true)
}

fn object(kind: ArtifactKind) -> StoredObject {
    StoredObject { kind, bytes: 42, sha256: "ab".repeat(32) }
}
