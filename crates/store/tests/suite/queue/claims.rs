//! Who gets which job.

use crate::{LEASE_MS, MODELS, World, worker};
use apalis_core::{backend::Backend, worker::context::WorkerContext};
use domain::{
    Stage, TenantId,
    billing::Plan,
    job::FailureClass,
    scheduling::{PauseScope, StageSlots, Suspects},
};
use futures::future::join_all;
use std::{collections::HashSet, future::poll_fn, time::Duration, time::Instant};
use store::{
    ActOfOperator, Store, on_both_engines,
    queue::{Slots, StageBackend, StageWork},
    testing::TempDatabase,
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// A worker with several slots, which claims several jobs at once.
struct Sampler {
    backend: StageBackend,
    shutdown: CancellationToken,
}

impl Sampler {
    fn start(store: &Store, slots: usize) -> Self {
        let (shutdown, models) = (CancellationToken::new(), MODELS.iter().map(ToString::to_string).collect());
        let slots = Slots::new(StageSlots::new(slots, slots), 1);
        let backend = StageBackend::new(store.clone(), Stage::Sampling, worker(), models, LEASE_MS, slots, shutdown.clone());
        Self { backend, shutdown }
    }

    /// `None`: nothing came for a while.
    async fn next(&mut self, patience: Duration) -> Option<StageWork> {
        let context = WorkerContext::new("sampler");
        let task = timeout(patience, poll_fn(|cx| self.backend.poll_next(cx, &context))).await.ok()?;
        Some(task.unwrap().unwrap().args)
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

/// Two teams of different weights, of which each has twenty jobs.
async fn two_teams(database: TempDatabase) -> (World, [TenantId; 2]) {
    let world = World::new(database).await;
    let teams =
        [world.team("light", |plan| Plan { weight: 1, ..plan }).await, world.team("heavy", |plan| Plan { weight: 3, ..plan }).await];
    for _ in 0..20 {
        for team in teams {
            world.submit_of(team, MODELS[0], 2000).await;
        }
    }
    (world, teams.map(|team| team.tenant))
}

const LONG: Duration = Duration::from_secs(60);

on_both_engines! {
    async fn the_oldest_job_of_a_wanted_model_is_next(database: TempDatabase) {
        let world = World::new(database).await;
        let (first, second) = (world.submit().await.id, world.submit().await.id);
        let other = world.queue().claim(Stage::Sampling, worker(), &["flux"], LEASE_MS, Suspects::Take).await.unwrap();
        assert!(other.is_none());
        assert!(world.claim(Stage::Decoding).await.is_none());
        assert!(world.queue().claim(Stage::Sampling, worker(), &[], LEASE_MS, Suspects::Take).await.unwrap().is_none());
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, first);
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, second);
        assert!(world.claim(Stage::Sampling).await.is_none());
    }

    async fn sixteen_claimers_take_four_hundred_jobs_once_each(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        for _ in 0..400 {
            jobs.submit(world.new_job(), None).await.unwrap();
        }
        let started = Instant::now();
        let claimers = (0..16).map(|_| async {
            let (me, mut mine) = (worker(), Vec::new());
            while let Some(claimed) = world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap() {
                mine.push((claimed.token.job, claimed.token.epoch));
            }
            mine
        });
        let taken: Vec<_> = join_all(claimers).await.into_iter().flatten().collect();
        eprintln!("400 claims by 16 claimers on {:?}: {:?}", world.database.engine, started.elapsed());
        assert_eq!(taken.len(), 400);
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), 400);
        assert!(taken.iter().all(|(_, epoch)| *epoch == 1));
    }

    async fn a_claim_of_several_takes_those_that_claims_one_by_one_would(database: TempDatabase) {
        let engine = database.engine;
        let (world, teams) = two_teams(database).await;
        let of = |teams: [TenantId; 2], tenant| teams.iter().position(|team| *team == tenant).unwrap();
        let mut one_by_one = Vec::new();
        for _ in 0..8 {
            one_by_one.push(of(teams, world.claim(Stage::Sampling).await.unwrap().token.tenant));
        }
        let Some(another) = TempDatabase::new(engine).await else { return };
        let (world, teams) = two_teams(another).await;
        let (mut sampler, mut kept) = (Sampler::start(&world.store, 8), Vec::new());
        for _ in 0..8 {
            kept.push(sampler.next(LONG).await.unwrap());
        }
        let at_once: Vec<_> = kept.iter().map(|work| of(teams, work.claimed.token.tenant)).collect();
        assert_eq!(at_once, one_by_one);
        for work in &kept {
            let claimed = &work.claimed;
            assert_eq!(world.store.tenant(claimed.token.tenant).jobs().get(claimed.token.job).await.unwrap().unwrap(), claimed.job);
        }
    }

    async fn workers_with_several_slots_take_each_job_once(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        for _ in 0..120 {
            jobs.submit(world.new_job(), None).await.unwrap();
        }
        let workers = (0..4).map(|_| async {
            let (mut sampler, mut mine) = (Sampler::start(&world.store, 8), Vec::new());
            while let Some(work) = sampler.next(Duration::from_secs(2)).await {
                mine.push((work.claimed.token.job, work.claimed.token.epoch));
                world.queue().report_failure(&work.claimed.token, FailureClass::Refused).await.unwrap();
            }
            mine
        });
        let taken: Vec<_> = join_all(workers).await.into_iter().flatten().collect();
        assert_eq!((taken.len(), taken.iter().collect::<HashSet<_>>().len()), (120, 120));
        assert!(taken.iter().all(|(_, epoch)| *epoch == 1));
    }

    async fn of_a_paused_tenant_none_is_in_a_claim_of_several(database: TempDatabase) {
        let (world, [light, heavy]) = two_teams(database).await;
        world.store.operator().pause(&PauseScope::Tenant(heavy), ActOfOperator { by: None, reason: "" }).await.unwrap();
        let (mut sampler, mut kept) = (Sampler::start(&world.store, 8), Vec::new());
        for _ in 0..8 {
            kept.push(sampler.next(LONG).await.unwrap());
        }
        assert!(kept.iter().all(|work| work.claimed.token.tenant == light));
    }
}
