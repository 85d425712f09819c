//! Jobs that are not simply next: over which a worker was lost, which a worker failed, whose row cannot be read.

use crate::{LEASE_MS, MODELS, World, worker};
use domain::{
    Clock, JobId, Stage, WorkerId,
    billing::Lane,
    job::{AVOID_MS, FailureClass},
    scheduling::{Fleet, Suspects},
};
use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use std::time::Duration;
use store::{
    Claimed, Registration, WorkerRole, on_both_engines,
    queue::{Slots, StageBackend},
    testing::Engine,
};
use tokio_util::sync::CancellationToken;

async fn claim(world: &World, me: WorkerId, suspects: Suspects) -> Option<JobId> {
    let claimed = world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, suspects).await.unwrap();
    claimed.map(|Claimed { token, .. }| token.job)
}

async fn reserve(world: &World, me: WorkerId) -> bool {
    world.queue().reserve_suspect(Stage::Sampling, me, MODELS).await.unwrap()
}

/// Jobs over which a worker was lost, ready to be claimed again.
async fn suspects<const N: usize>(world: &World) -> [JobId; N] {
    let mut ids = [JobId::from_uuid(uuid::Uuid::nil()); N];
    for id in &mut ids {
        *id = world.submit().await.id;
    }
    for id in ids {
        assert_eq!(claim(world, worker(), Suspects::Take).await, Some(id));
        world.store.end_lease(id).await.unwrap();
    }
    world.expire_leases().await;
    world.pass_pause();
    ids
}

/// Workers for both stages that are there.
async fn registered<const N: usize>(world: &World) -> [WorkerId; N] {
    let ids = [(); N].map(|()| worker());
    for id in ids {
        world.store.workers().register(id, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
    }
    ids
}

/// A job that `me` has failed, ready to be claimed again.
async fn failed_by(world: &World, me: WorkerId) -> JobId {
    world.submit().await;
    let job = claim_and_fail(world, me).await.unwrap();
    world.pass_pause();
    job
}

async fn claim_and_fail(world: &World, me: WorkerId) -> Option<JobId> {
    claim_and_fail_of(world, me, FailureClass::Bug).await
}

async fn claim_and_fail_of(world: &World, me: WorkerId, class: FailureClass) -> Option<JobId> {
    let claimed = world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap()?;
    world.queue().report_failure(&claimed.token, class).await.unwrap();
    Some(claimed.token.job)
}

on_both_engines! {
    async fn a_suspect_is_left_to_who_runs_nothing_else(database: TempDatabase) {
        let world = World::new(database).await;
        let [suspect] = suspects(&world).await;
        let ordinary = world.submit().await.id;
        assert_eq!(claim(&world, worker(), Suspects::LeaveOut).await, Some(ordinary));
        assert_eq!(claim(&world, worker(), Suspects::Take).await, Some(suspect));
    }

    async fn one_worker_becomes_idle_for_a_suspect_and_says_so_again_and_again(database: TempDatabase) {
        let world = World::new(database).await;
        let (one, other) = (worker(), worker());
        assert!(!reserve(&world, one).await, "there is none");
        suspects::<2>(&world).await;
        for _ in 0..5 {
            assert!(reserve(&world, one).await);
            assert!(!reserve(&world, other).await, "one at a time, also when there are two suspects");
            world.dial.advance_ms(10_000);
        }
        world.dial.advance_ms(5_000);
        assert!(reserve(&world, other).await, "the first one has fallen silent");
        assert!(!reserve(&world, one).await);
    }

    async fn a_suspect_stays_with_who_asked_for_it_a_little_later_and_was_first(database: TempDatabase) {
        let world = World::new(database).await;
        let (one, other) = (worker(), worker());
        suspects::<1>(&world).await;
        world.dial.advance_ms(10);
        assert!(reserve(&world, one).await);
        world.dial.advance_ms(-10);
        assert!(!reserve(&world, other).await);
        if world.database.engine == Engine::Sqlite {
            // It has one writer.
            return;
        }
        // Once more, while the other waits for the row.
        world.dial.advance_ms(60_000);
        let db = Database::connect(world.database.url_of_all()).await.unwrap();
        let first = db.begin().await.unwrap();
        let until_ms = world.dial.now().ms() + 15_010;
        first.execute_unprepared(&format!("UPDATE jobs SET reserved_by = gen_random_uuid(), reserved_until_ms = {until_ms}")).await.unwrap();
        let waiting = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let until_it_waits = async { while world.texts(waiting).await.is_empty() {} };
        let mut reserved = Box::pin(reserve(&world, other));
        tokio::select! {
            reserved = &mut reserved => panic!("the row is held: {reserved}"),
            () = until_it_waits => {}
        }
        first.commit().await.unwrap();
        assert!(!reserved.await);
        db.close().await.unwrap();
    }

    async fn an_idle_worker_takes_a_suspect_that_another_is_becoming_idle_for(database: TempDatabase) {
        let world = World::new(database).await;
        let (busy, idle) = (worker(), worker());
        let [suspect] = suspects(&world).await;
        assert!(reserve(&world, busy).await);
        assert_eq!(claim(&world, idle, Suspects::Take).await, Some(suspect));
        assert!(!reserve(&world, busy).await, "it need not become idle any more");
    }

    async fn a_reservation_ends_with_the_claim(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        let [id] = suspects(&world).await;
        assert!(reserve(&world, me).await);
        assert_eq!(claim(&world, me, Suspects::Take).await, Some(id));
        world.store.end_lease(id).await.unwrap();
        world.expire_leases().await;
        world.pass_pause();
        assert!(reserve(&world, worker()).await);
    }

    async fn three_busy_workers_go_on_while_one_becomes_idle_for_a_suspect(database: TempDatabase) {
        let world = World::new(database).await;
        suspects::<1>(&world).await;
        let mut busy = Vec::new();
        for _ in 0..4 {
            let slots = Slots::new(2, 1);
            let running = slots.try_reserve(Stage::Sampling).unwrap().start(Lane::Interactive, false);
            busy.push((slots, running));
        }
        let ordinary: Vec<_> = { let mut ids = Vec::new(); for _ in 0..4 { ids.push(world.submit().await.id); } ids };
        let stop = CancellationToken::new();
        let mut feeds = Vec::new();
        for (slots, _) in &busy {
            let models = MODELS.iter().map(ToString::to_string).collect();
            feeds.push(StageBackend::new(world.store.clone(), Stage::Sampling, worker(), models, LEASE_MS, slots.clone(), stop.clone()));
        }
        let mut workers: Vec<_> = feeds.into_iter().map(|feed| tokio::spawn(crate::queue::backend::first_job(feed))).collect();
        let mut taken = Vec::new();
        let mut went_on = 0;
        while went_on < 3 {
            let (work, index, _) = futures::future::select_all(workers.iter_mut()).await;
            drop(workers.remove(index));
            taken.push(work.unwrap());
            went_on += 1;
        }
        assert!(taken.iter().all(|work| ordinary.contains(&work.claimed.token.job)), "three go on with ordinary jobs");
        let draining = || busy.iter().filter(|(slots, _)| slots.draining_lane(Stage::Sampling).is_some()).count();
        tokio::time::timeout(Duration::from_secs(60), async { while draining() != 1 { tokio::task::yield_now().await; } }).await.expect("one becomes idle");
        stop.cancel();
    }

    async fn a_retry_is_left_to_another_worker_while_there_is_one(database: TempDatabase) {
        let world = World::new(database).await;
        let [me, other] = registered(&world).await;
        let job = failed_by(&world, me).await;
        assert_eq!(claim(&world, me, Suspects::Take).await, None);
        assert_eq!(claim(&world, other, Suspects::Take).await, Some(job));
    }

    async fn a_retry_is_left_to_a_worker_that_was_there_when_it_failed(database: TempDatabase) {
        let world = World::new(database).await;
        let (elder, failed, again) = (worker(), worker(), worker());
        let register = async |id| {
            world.dial.advance_ms(1);
            world.store.workers().register(id, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        };
        for id in [elder, failed] {
            register(id).await;
        }
        let job = failed_by(&world, failed).await;
        world.store.workers().retire(failed).await.unwrap();
        register(again).await;
        world.dial.advance_ms(AVOID_MS);
        for id in [elder, again] {
            world.store.workers().beat(id, store::WorkerCondition::Working, store::SpareTime::default()).await.unwrap();
        }
        assert_eq!(claim(&world, again, Suspects::Take).await, None, "it may be the one that failed it, started again");
        assert_eq!(claim(&world, elder, Suspects::Take).await, Some(job));
        let other = failed_by(&world, elder).await;
        let newcomer = worker();
        register(newcomer).await;
        assert_eq!(claim(&world, newcomer, Suspects::Take).await, Some(other), "the one that failed it lives, so this is another");
    }

    async fn where_all_workers_have_started_since_a_retry_waits_for_none_of_them(database: TempDatabase) {
        let world = World::new(database).await;
        let (failed, again, younger) = (worker(), worker(), worker());
        world.store.workers().register(failed, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        world.dial.advance_ms(1);
        let job = failed_by(&world, failed).await;
        world.submit().await;
        world.store.workers().retire(failed).await.unwrap();
        for id in [again, younger] {
            world.dial.advance_ms(1);
            world.store.workers().register(id, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        }
        assert_eq!(claim(&world, younger, Suspects::LeaveOut).await, Some(job), "in its turn, also by a worker that is busy");
    }

    async fn who_was_there_is_seen_by_when_it_failed_not_by_when_it_is_tried_again(database: TempDatabase) {
        let world = World::new(database).await;
        let (elder, failed, again) = (worker(), worker(), worker());
        for id in [elder, failed] {
            world.store.workers().register(id, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        }
        world.dial.advance_ms(1);
        let job = failed_by(&world, elder).await;
        assert_eq!(claim_and_fail_of(&world, failed, FailureClass::BrokenWeights).await, Some(job));
        world.store.workers().retire(failed).await.unwrap();
        world.dial.advance_ms(1);
        world.store.workers().register(again, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        world.pass_pause();
        world.store.workers().beat(elder, store::WorkerCondition::Working, store::SpareTime::default()).await.unwrap();
        assert_eq!(claim(&world, again, Suspects::Take).await, None, "it has started within the pause of four seconds");
        assert_eq!(claim(&world, elder, Suspects::Take).await, Some(job));
    }

    async fn a_lone_worker_that_is_busy_takes_its_own_retry_when_nothing_else_waits(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        world.store.workers().register(me, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        let job = failed_by(&world, me).await;
        let slots = Slots::new(2, 1);
        let running = slots.try_reserve(Stage::Sampling).unwrap().start(Lane::Interactive, false);
        let models = MODELS.iter().map(ToString::to_string).collect();
        let feed = StageBackend::new(world.store.clone(), Stage::Sampling, me, models, LEASE_MS, slots, CancellationToken::new());
        let taken = tokio::time::timeout(Duration::from_secs(60), crate::queue::backend::first_job(feed)).await;
        assert_eq!(taken.expect("it does not wait for others that are not there").claimed.token.job, job);
        drop(running);
    }

    async fn a_job_that_another_worker_gives_back_is_still_left_to_others(database: TempDatabase) {
        let world = World::new(database).await;
        let [failed, other] = registered(&world).await;
        let job = failed_by(&world, failed).await;
        let held = world.queue().claim(Stage::Sampling, other, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap();
        world.queue().give_back(&held.token).await.unwrap();
        assert_eq!(claim(&world, failed, Suspects::Take).await, None);
        assert_eq!(claim(&world, other, Suspects::Take).await, Some(job));
    }

    async fn a_retry_waits_for_no_other_worker_when_there_is_none_or_it_does_not_come(database: TempDatabase) {
        let world = World::new(database).await;
        let (me, other) = (worker(), worker());
        world.store.workers().register(me, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        world.store.workers().register(worker(), Registration::new(WorkerRole::Decoder, "cpu", MODELS)).await.unwrap();
        world.store.workers().register(worker(), Registration::new(WorkerRole::Sampler, "cpu", &["another-1"])).await.unwrap();
        let alone = failed_by(&world, me).await;
        assert_eq!(claim(&world, me, Suspects::Take).await, Some(alone), "nobody else samples this model");
        world.store.workers().register(other, Registration::new(WorkerRole::Sampler, "cpu", MODELS)).await.unwrap();
        let left = failed_by(&world, me).await;
        assert_eq!(claim(&world, me, Suspects::Take).await, None);
        world.dial.advance_ms(AVOID_MS);
        world.store.workers().beat(other, store::WorkerCondition::Working, store::SpareTime::default()).await.unwrap();
        assert_eq!(claim(&world, me, Suspects::Take).await, Some(left), "the other one had its time");
    }

    async fn a_clock_that_is_put_back_keeps_no_retry_from_the_last_worker(database: TempDatabase) {
        let world = World::new(database).await;
        let [me, _gone] = registered(&world).await;
        let job = failed_by(&world, me).await;
        world.dial.advance_ms(-60 * 60_000);
        world.store.workers().beat(me, store::WorkerCondition::Working, store::SpareTime::default()).await.unwrap();
        assert_eq!(world.store.workers().fleet(store::ALIVE_MS).await.unwrap(), Fleet { samplers: 1, decoders: 1 });
        assert_eq!(claim(&world, me, Suspects::Take).await, Some(job));
    }

    async fn a_retry_that_seems_to_lie_far_ahead_was_left_to_others_long_enough(database: TempDatabase) {
        let world = World::new(database).await;
        let [me, other] = registered(&world).await;
        let job = failed_by(&world, me).await;
        world.dial.advance_ms(-60 * 60_000);
        world.store.workers().beat(other, store::WorkerCondition::Working, store::SpareTime::default()).await.unwrap();
        assert_eq!(claim(&world, me, Suspects::Take).await, Some(job));
    }

    async fn a_row_that_contradicts_itself_keeps_nobody_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (spoilt, ordinary) = (world.submit().await.id, world.submit().await.id);
        world.store.spoil(spoilt, "ended_at_ms", 1).await.unwrap();
        assert_eq!(claim(&world, worker(), Suspects::Take).await, Some(ordinary));
    }

    async fn a_suspect_is_not_reserved_by_the_worker_that_leaves_it_to_others(database: TempDatabase) {
        let world = World::new(database).await;
        let [me, other] = registered(&world).await;
        let [suspect] = suspects(&world).await;
        let claimed = world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap();
        assert_eq!(claimed.token.job, suspect);
        world.queue().report_failure(&claimed.token, FailureClass::Bug).await.unwrap();
        world.pass_pause();
        assert!(!reserve(&world, me).await);
        assert!(reserve(&world, other).await);
    }

    async fn no_worker_becomes_idle_for_a_suspect_that_cannot_be_read(database: TempDatabase) {
        let world = World::new(database).await;
        let [suspect] = suspects(&world).await;
        world.store.spoil(suspect, "steps", -1).await.unwrap();
        assert!(!reserve(&world, worker()).await);
        world.sql("UPDATE jobs SET steps = 24").await;
        world.dial.advance_ms(60_000);
        assert!(reserve(&world, worker()).await, "it has been mended");
    }

    async fn a_row_that_cannot_be_read_keeps_nobody_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (seed, expired) = (world.submit().await.id, world.submit().await.id);
        let ordinary = [world.submit().await.id, world.submit().await.id];
        world.store.spoil(seed, "seed", -1).await.unwrap();
        assert_eq!(claim(&world, worker(), Suspects::Take).await, Some(expired));
        assert_eq!(claim(&world, worker(), Suspects::Take).await, Some(ordinary[0]));
        world.store.spoil(expired, "steps", -1).await.unwrap();
        assert_eq!(world.lose_leases().await, 1, "the one that can be read");
        assert_eq!(world.state(ordinary[0]).await, "retry_sampling");
        assert_eq!(claim(&world, worker(), Suspects::Take).await, Some(ordinary[1]));
    }
}
