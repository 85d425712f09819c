//! The queue under a real apalis worker.

use crate::{LEASE_MS, MODELS, World, worker};
use apalis::prelude::*;
use domain::Stage;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use store::{
    Store, on_both_engines,
    queue::{Slots, StageBackend, StageWork},
};
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

const MOMENT: Duration = Duration::from_millis(20);

/// What happened inside the handlers.
#[derive(Default)]
struct Seen {
    starts: Mutex<HashMap<domain::JobId, u32>>,
    running: AtomicUsize,
    most: AtomicUsize,
    /// Jobs that were not alone although they had to be.
    crowded: AtomicUsize,
    done: AtomicUsize,
}

struct Rig {
    seen: Arc<Seen>,
    slots: Slots,
    shutdown: CancellationToken,
    running: JoinHandle<Result<(), WorkerError>>,
}

/// Nothing here takes so long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// One says little: what a busy machine does in ten milliseconds decides as well.
const ROUNDS: usize = 20;

/// A sampler with `slots` slots whose jobs take a moment, and last until the `gate` is open unless they run alone.
fn sampler(store: &Store, slots: usize, gate: &CancellationToken) -> Rig {
    let (seen, slots, shutdown) = (Arc::<Seen>::default(), Slots::new(slots, 1), CancellationToken::new());
    let models = MODELS.iter().map(ToString::to_string).collect();
    let backend = StageBackend::new(store.clone(), Stage::Sampling, worker(), models, LEASE_MS, slots.clone(), shutdown.clone())
        .with_slow_timer(Duration::from_secs(600));
    let (store, counts, gate) = (store.clone(), seen.clone(), gate.clone());
    let handler = move |work: StageWork| {
        let (store, seen, gate) = (store.clone(), counts.clone(), gate.clone());
        async move {
            *seen.starts.lock().unwrap().entry(work.claimed.token.job).or_default() += 1;
            let beside = seen.running.fetch_add(1, Ordering::SeqCst);
            seen.most.fetch_max(beside + 1, Ordering::SeqCst);
            tokio::time::sleep(MOMENT).await;
            if !work.permit.is_alone() {
                gate.cancelled().await;
            }
            if work.permit.is_alone() && (beside > 0 || seen.running.load(Ordering::SeqCst) > 1) {
                seen.crowded.fetch_add(1, Ordering::SeqCst);
            }
            seen.running.fetch_sub(1, Ordering::SeqCst);
            let failure = domain::job::AttemptFailure::refused(domain::FailureCode::EngineError);
            store.queue().report_failure(&work.claimed.token, failure).await.map_err(Box::new)?;
            seen.done.fetch_add(1, Ordering::SeqCst);
            drop(work.permit);
            Ok::<_, BoxDynError>(())
        }
    };
    let worker = WorkerBuilder::new("sampler").backend(backend).concurrency(4).build(handler);
    Rig { seen, slots, shutdown, running: tokio::spawn(worker.run()) }
}

/// The first job that this backend hands out.
pub async fn first_job(mut backend: StageBackend) -> StageWork {
    use apalis_core::backend::Backend;
    let context = WorkerContext::new("one job");
    let task = std::future::poll_fn(|cx| backend.poll_next(cx, &context)).await;
    task.expect("the backend runs").unwrap().args
}

async fn until(what: &str, condition: impl Fn() -> bool) {
    let waiting = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{what}"));
}

impl World {
    /// How many of six jobs that come one after the other each worker has.
    async fn six_over_three_workers(&self) -> Vec<usize> {
        let gate = CancellationToken::new();
        let rigs: Vec<Rig> = (0..3).map(|_| sampler(&self.store, 4, &gate)).collect();
        let running = |rig: &Rig| rig.seen.running.load(Ordering::SeqCst);
        for taken in 1..=6 {
            self.submit().await;
            until("it is taken", || rigs.iter().map(running).sum::<usize>() == taken).await;
        }
        let jobs = rigs.iter().map(running).collect();
        gate.cancel();
        until("all done", || rigs.iter().map(|rig| rig.seen.done.load(Ordering::SeqCst)).sum::<usize>() == 6).await;
        for rig in rigs {
            rig.shutdown.cancel();
            timeout(PATIENCE, rig.running).await.expect("an idle worker stops").unwrap().unwrap();
        }
        jobs
    }
}

on_both_engines! {
    async fn jobs_that_come_are_spread_over_the_workers(database: TempDatabase) {
        let world = World::new(database).await;
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            rounds.push(world.six_over_three_workers().await);
        }
        // Who was looked at first by chance has three of them; where the machine stands still for longer than workers leave jobs to others,
        // now and then a worker has more, and hardly ever one has none. If nothing were left to others, one would have none in half of all.
        let spread = rounds.iter().filter(|jobs| jobs.iter().all(|jobs| (1..=3).contains(jobs))).count();
        let idle = rounds.iter().filter(|jobs| jobs.contains(&0)).count();
        assert!(spread * 3 >= ROUNDS * 2 && idle * 5 <= ROUNDS, "{rounds:?}");
    }

    async fn fifty_jobs_run_once_each_and_never_more_than_there_are_slots(database: TempDatabase) {
        let world = World::new(database).await;
        for _ in 0..25 {
            world.submit().await;
        }
        let gate = CancellationToken::new();
        let rig = sampler(&world.store, 4, &gate);
        for _ in 0..25 {
            world.submit().await;
        }
        until("every slot is taken", || rig.seen.running.load(Ordering::SeqCst) == 4).await;
        gate.cancel();
        until("all fifty done", || rig.seen.done.load(Ordering::SeqCst) == 50).await;
        assert!(rig.seen.starts.lock().unwrap().values().all(|starts| *starts == 1));
        assert_eq!(rig.seen.most.load(Ordering::SeqCst), 4);
        until("every slot is free again", || rig.slots.running() == 0).await;
        rig.shutdown.cancel();
        timeout(PATIENCE, rig.running).await.expect("an idle worker stops").unwrap().unwrap();
    }

    async fn a_worker_told_to_stop_finishes_what_runs_and_claims_no_more(database: TempDatabase) {
        let world = World::new(database).await;
        for _ in 0..6 {
            world.submit().await;
        }
        let gate = CancellationToken::new();
        let rig = sampler(&world.store, 2, &gate);
        until("two run", || rig.seen.running.load(Ordering::SeqCst) == 2).await;
        rig.shutdown.cancel();
        gate.cancel();
        timeout(PATIENCE, rig.running).await.expect("it stops").unwrap().unwrap();
        assert_eq!(rig.seen.done.load(Ordering::SeqCst), 2);
        assert_eq!(world.queue().snapshot().await.unwrap().jobs_of(Stage::Sampling).waiting, 4);
    }

    async fn a_suspect_gets_its_turn_among_busy_neighbours_and_runs_alone(database: TempDatabase) {
        let world = World::new(database).await;
        let suspect = world.submit().await.id;
        world.claim(Stage::Sampling).await.unwrap();
        world.lose_leases().await;
        world.pass_pause();
        let ordinary: Vec<_> = { let mut ids = Vec::new(); for _ in 0..30 { ids.push(world.submit().await.id); } ids };
        let gate = CancellationToken::new();
        let rig = sampler(&world.store, 4, &gate);
        until("the others need not be alone", || rig.seen.running.load(Ordering::SeqCst) == 4).await;
        gate.cancel();
        until("all done", || rig.seen.done.load(Ordering::SeqCst) == 31).await;
        assert_eq!(rig.seen.crowded.load(Ordering::SeqCst), 0);
        assert_eq!((world.state(suspect).await, world.state(ordinary[29]).await), ("failed", "failed"));
        rig.shutdown.cancel();
        timeout(PATIENCE, rig.running).await.expect("it stops").unwrap().unwrap();
    }

    async fn a_worker_dropped_in_the_middle_loses_no_job(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let rig = sampler(&world.store, 1, &CancellationToken::new());
        until("it runs", || rig.seen.running.load(Ordering::SeqCst) == 1).await;
        rig.running.abort();
        until("its slot is free", || rig.slots.running() == 0).await;
        world.lose_leases().await;
        assert_eq!(world.state(id).await, "retry_sampling");
    }
}
