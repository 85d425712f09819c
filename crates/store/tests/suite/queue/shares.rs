//! Whose job is next: shares between tenants, lanes, and lines of several models.

use crate::{LEASE_MS, MODELS, World, account, new_job, worker};
use apalis_core::{backend::Backend, worker::context::WorkerContext};
use domain::{
    Stage, TenantId, UserId, VideoTime,
    billing::{Lane, Plan},
    job::FailureClass,
    scheduling::{LineOf, Suspects},
};
use std::{collections::HashMap, sync::Arc, time::Duration};
use store::{
    Claimed, on_both_engines,
    queue::{Slots, StageBackend},
};
use tokio_util::sync::CancellationToken;

#[derive(Clone, Copy)]
pub(in crate::queue) struct Team {
    pub(in crate::queue) tenant: TenantId,
    pub(in crate::queue) user: UserId,
}

impl World {
    /// A team on a plan of its own.
    pub(in crate::queue) async fn team(&self, name: &str, plan: impl Fn(Plan) -> Plan) -> Team {
        let (tenant, user) = account(&self.store, &format!("{name}@example.com")).await;
        let credits = self.store.tenant(tenant).credits();
        let plan = Plan { id: name.into(), ..plan(credits.plan().await.unwrap()) };
        self.store.plans().define(&plan, None).await.unwrap();
        credits.set_plan(name).await.unwrap();
        Team { tenant, user }
    }

    pub(in crate::queue) async fn submit_of(&self, team: Team, model: &str, work_ms: u64) {
        self.dial.advance_ms(1);
        let mut job = new_job(team.user);
        job.spec.model = model.into();
        job.quote.billed = VideoTime::from_ms(work_ms);
        self.store.tenant(team.tenant).jobs().submit(job, None).await.unwrap();
    }

    async fn claim_of(&self, models: &[&str]) -> Option<Claimed> {
        self.queue().claim(Stage::Sampling, worker(), models, LEASE_MS, Suspects::Take).await.unwrap()
    }

    /// What each team has of the next so many jobs, in milliseconds.
    async fn next(&self, jobs: usize) -> HashMap<TenantId, u64> {
        let mut had = HashMap::new();
        for _ in 0..jobs {
            let claimed = self.claim_of(MODELS).await.unwrap();
            *had.entry(claimed.token.tenant).or_default() += claimed.job.quote.billed.ms();
        }
        had
    }
}

/// The first job of a team of which twenty of forty were taken, and another team.
async fn in_the_middle_of_a_line(world: &World) -> (Claimed, Team) {
    let (many, one) = (world.team("many", |plan| plan).await, world.team("one", |plan| plan).await);
    for _ in 0..40 {
        world.submit_of(many, MODELS[0], 2000).await;
    }
    let first = world.claim_of(MODELS).await.unwrap();
    world.next(19).await;
    (first, one)
}

/// How many of the next six jobs are those of a team that submits ten now.
async fn turns_of_newcomer(world: &World, newcomer: Team) -> usize {
    for _ in 0..10 {
        world.submit_of(newcomer, MODELS[0], 2000).await;
    }
    let mut turns = 0;
    for _ in 0..6 {
        let claimed = world.queue().claim(Stage::Sampling, worker(), MODELS, LEASE_MS, Suspects::LeaveOut).await.unwrap().unwrap();
        turns += usize::from(claimed.token.tenant == newcomer.tenant);
    }
    turns
}

on_both_engines! {
    async fn a_single_job_is_among_the_next_beside_a_hundred_of_another_team(database: TempDatabase) {
        let world = World::new(database).await;
        let (many, one) = (world.team("many", |plan| plan).await, world.team("one", |plan| plan).await);
        for _ in 0..100 {
            world.submit_of(many, MODELS[0], 2000).await;
        }
        world.next(10).await;
        world.submit_of(one, MODELS[0], 2000).await;
        assert!(world.next(2).await.contains_key(&one.tenant));
    }

    async fn who_waits_for_a_decoder_is_as_far_as_its_line_was(database: TempDatabase) {
        let world = World::new(database).await;
        let (many, one) = (world.team("many", |plan| plan).await, world.team("one", |plan| plan).await);
        for _ in 0..20 {
            world.submit_of(many, MODELS[0], 2000).await;
            let claimed = world.claim_of(MODELS).await.unwrap();
            world.hand_over(&claimed.token).await;
        }
        world.submit_of(one, MODELS[0], 2000).await;
        let claimed = world.claim_of(MODELS).await.unwrap();
        world.hand_over(&claimed.token).await;
        let mut turn = 1;
        while world.claim(Stage::Decoding).await.unwrap().token.tenant != one.tenant {
            turn += 1;
        }
        assert!(turn <= 2, "{turn}");
    }

    async fn teams_get_work_by_the_weights_of_their_plans_whatever_their_jobs_are(database: TempDatabase) {
        let world = World::new(database).await;
        let (light, heavy) = (world.team("light", |plan| Plan { weight: 1, ..plan }).await, world.team("heavy", |plan| Plan { weight: 3, ..plan }).await);
        for _ in 0..80 {
            world.submit_of(light, MODELS[0], 500).await;
        }
        for _ in 0..40 {
            world.submit_of(heavy, MODELS[0], 3000).await;
        }
        let had = world.next(70).await;
        let share = had[&heavy.tenant] as f64 / had.values().sum::<u64>() as f64;
        assert!((0.72..0.78).contains(&share), "{share}");
    }

    async fn interactive_jobs_are_first_and_a_line_each_of_two_models_is_taken_from_in_turns(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.team("batch", |plan| Plan { lane: Lane::Batch, ..plan }).await;
        let (both, one) = (world.team("both", |plan| plan).await, world.team("one", |plan| plan).await);
        for _ in 0..10 {
            world.submit_of(batch, "a", 2000).await;
            world.submit_of(both, "a", 2000).await;
            world.submit_of(both, "b", 2000).await;
            world.submit_of(one, "b", 2000).await;
        }
        let slots = Slots::new(12, 1);
        let shutdown = CancellationToken::new();
        let models = vec!["a".to_owned(), "b".to_owned()];
        let mut backend = StageBackend::new(world.store.clone(), Stage::Sampling, worker(), models, LEASE_MS, slots, shutdown.clone())
            .with_slow_timer(Duration::from_millis(20));
        let context = WorkerContext::new("sampler");
        let mut had: HashMap<TenantId, usize> = HashMap::new();
        let mut kept = Vec::new();
        for _ in 0..12 {
            let task = std::future::poll_fn(|cx| backend.poll_next(cx, &context)).await;
            let work = task.unwrap().unwrap().args;
            *had.entry(work.claimed.token.tenant).or_default() += 1;
            kept.push(Arc::new(work));
        }
        shutdown.cancel();
        // Nine slots are reserved, and taken first; the others are for batches first.
        assert_eq!(had[&batch.tenant], 3, "{had:?}");
        assert!(had[&both.tenant].abs_diff(had[&one.tenant]) <= 1, "{had:?}");
    }

    async fn a_flood_in_one_line_keeps_nobody_waiting_in_another(database: TempDatabase) {
        let world = World::new(database).await;
        let (many, one) = (world.team("many", |plan| plan).await, world.team("one", |plan| plan).await);
        for _ in 0..20 {
            world.submit_of(many, "a", 2000).await;
        }
        world.submit_of(many, "b", 2000).await;
        world.submit_of(one, "b", 2000).await;
        let (slots, shutdown) = (Slots::new(8, 1), CancellationToken::new());
        let models = vec!["a".to_owned(), "b".to_owned()];
        let mut backend = StageBackend::new(world.store.clone(), Stage::Sampling, worker(), models, LEASE_MS, slots, shutdown.clone());
        let context = WorkerContext::new("sampler");
        let mut kept = Vec::new();
        for _ in 0..4 {
            kept.push(std::future::poll_fn(|cx| backend.poll_next(cx, &context)).await.unwrap().unwrap().args);
        }
        shutdown.cancel();
        assert!(kept.iter().any(|work| work.claimed.token.tenant == one.tenant));
    }

    async fn a_worker_that_batches_have_for_themselves_does_not_look_all_the_time(database: TempDatabase) {
        let world = World::new(database).await;
        let slots = Slots::new(2, 1);
        let _batch = [(); 2].map(|()| slots.try_reserve(Stage::Sampling).unwrap().start(Lane::Batch, false));
        let shutdown = CancellationToken::new();
        let mut freed = slots.freed();
        let models = MODELS.iter().map(ToString::to_string).collect();
        let mut backend = StageBackend::new(world.store.clone(), Stage::Sampling, worker(), models, LEASE_MS, slots.clone(), shutdown.clone())
            .with_slow_timer(Duration::from_secs(600));
        let context = WorkerContext::new("sampler");
        let looking = std::future::poll_fn(|cx| backend.poll_next(cx, &context));
        assert!(tokio::time::timeout(Duration::from_millis(200), looking).await.is_err());
        assert!(!freed.has_changed().unwrap());
        // An interactive job is taken at once all the same.
        world.submit().await;
        let taken = std::future::poll_fn(|cx| backend.poll_next(cx, &context));
        assert!(tokio::time::timeout(Duration::from_secs(10), taken).await.is_ok());
        freed.mark_unchanged();
        shutdown.cancel();
    }

    async fn a_job_in_its_pause_lets_no_newcomer_pass_all_others(database: TempDatabase) {
        let world = World::new(database).await;
        let (taken, newcomer) = in_the_middle_of_a_line(&world).await;
        world.queue().report_failure(&taken.token, FailureClass::Bug).await.unwrap();
        assert!((2..=4).contains(&turns_of_newcomer(&world, newcomer).await));
    }

    async fn a_job_that_runs_alone_lets_no_newcomer_pass_all_others(database: TempDatabase) {
        let world = World::new(database).await;
        let (taken, newcomer) = in_the_middle_of_a_line(&world).await;
        world.store.end_lease(taken.token.job).await.unwrap();
        world.expire_leases().await;
        world.pass_pause();
        assert!((2..=4).contains(&turns_of_newcomer(&world, newcomer).await));
    }

    async fn the_lane_of_a_plan_is_told_to_a_newcomer(database: TempDatabase) {
        let world = World::new(database).await;
        let (many, batch) = (world.team("many", |plan| plan).await, world.team("batch", |plan| Plan { lane: Lane::Batch, ..plan }).await);
        for _ in 0..5 {
            world.submit_of(many, MODELS[0], 2000).await;
        }
        let work = VideoTime::from_ms(2000);
        let (lane, own) = world.queue().would_stand(many.tenant, MODELS[0], work, None).await.unwrap();
        let other = world.queue().stranger_would_stand(LineOf { lane, model: MODELS[0] }, work).await.unwrap();
        assert!(lane == Lane::Interactive && own.finish > other.finish, "{own:?} {other:?}");
        assert_eq!(world.queue().would_stand(batch.tenant, MODELS[0], work, None).await.unwrap().0, Lane::Batch);
    }
}
