//! What is told of the transitions of jobs, and the request that a job came with.

use crate::World;
use domain::Stage;
use std::sync::{Arc, Mutex};
use store::{NewJob, Store, Transition, TransitionKind, on_both_engines};

type Told = Arc<Mutex<Vec<TransitionKind>>>;

/// The same store, and what it tells.
fn observed(store: &Store) -> (Store, Told) {
    let told = Told::default();
    let hears = Arc::clone(&told);
    let observer = Arc::new(move |transition: &Transition| {
        assert_eq!(transition.model, "vignette-1");
        hears.lock().unwrap().push(transition.kind);
    });
    (store.clone().observed_by(observer), told)
}

on_both_engines! {
    async fn each_transition_is_told_once_and_in_its_order(database: TempDatabase) {
        use TransitionKind::{Claimed, Requeued, StageDone, Submitted, Succeeded};
        let mut world = World::new(database).await;
        let (store, told) = observed(&world.store);
        world.store = store;
        world.submit().await;
        world.dial.advance_ms(7);
        assert!(world.claim(Stage::Sampling).await.is_some());
        assert_eq!(world.lose_leases().await, 1);
        world.pass_pause();
        let again = world.claim(Stage::Sampling).await.unwrap();
        world.hand_over(&again.token).await;
        world.dial.advance_ms(5000);
        let decoding = world.claim(Stage::Decoding).await.unwrap();
        world.dial.advance_ms(300);
        world.succeed(&decoding.token).await;
        let expected = [
            Submitted,
            Claimed { stage: Stage::Sampling, waited_ms: Some(7) },
            Requeued { stage: Stage::Sampling },
            Claimed { stage: Stage::Sampling, waited_ms: None },
            StageDone { stage: Stage::Sampling, took_ms: 1200 },
            Claimed { stage: Stage::Decoding, waited_ms: None },
            StageDone { stage: Stage::Decoding, took_ms: 300 },
            Succeeded { waited_ms: Some(5000) },
        ];
        assert_eq!(*told.lock().unwrap(), expected);
    }

    async fn what_changes_nothing_is_not_told(database: TempDatabase) {
        let mut world = World::new(database).await;
        let (store, told) = observed(&world.store);
        world.store = store;
        let id = world.submit().await.id;
        let jobs = world.store.tenant(world.tenant).jobs();
        for _ in 0..2 {
            assert!(jobs.cancel(id).await.unwrap().is_some());
        }
        assert_eq!(*told.lock().unwrap(), [TransitionKind::Submitted, TransitionKind::Cancelled]);
    }

    async fn a_worker_is_told_the_request_that_a_job_came_with(database: TempDatabase) {
        let world = World::new(database).await;
        let job = NewJob { trace_id: Some("req_of_a_client".into()), ..world.new_job() };
        let jobs = world.store.tenant(world.tenant).jobs();
        let submitted = jobs.submit(job, None).await.unwrap().job;
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        for trace_id in [submitted.trace_id, claimed.job.trace_id] {
            assert_eq!(trace_id.as_deref(), Some("req_of_a_client"));
        }
    }
}
