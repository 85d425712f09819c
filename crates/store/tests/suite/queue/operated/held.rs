//! Jobs in quarantine, as their owners meet them: in their own queue, where they are not moved, and with deadlines.

use super::super::deadlines::NONE;
use super::control::because;
use crate::World;
use domain::{
    JobState, VideoTime,
    billing::{Lane, Plan},
    job::{Deadlines, FailureCode},
    scheduling::{MoveRefusal, MoveTo},
};
use store::{OwnPhase, Texts, Waiting, on_both_engines};

on_both_engines! {
    async fn a_held_job_is_not_moved_nor_another_in_front_of_it(database: TempDatabase) {
        let world = World::new(database).await;
        let [first, held, last] = [world.own(2000).await, world.own(2000).await, world.own(2000).await];
        world.quarantine(held).await.unwrap();
        for to in [MoveTo::Front, MoveTo::Up, MoveTo::Before(first)] {
            assert_eq!(world.refusal(held, to).await, MoveRefusal::Held);
        }
        assert_eq!(world.refusal(last, MoveTo::Before(held)).await, MoveRefusal::TargetElsewhere);
        world.jobs().move_to(last, MoveTo::Front).await.unwrap();
        world.lift(held).await.unwrap();
        world.jobs().move_to(held, MoveTo::Front).await.unwrap();
    }

    async fn a_held_job_is_in_its_owners_queue_once_and_is_cancelled_with_the_others(database: TempDatabase) {
        let world = World::new(database).await;
        let [a, b, c, d] = [world.own(2000).await, world.own(2000).await, world.own(2000).await, world.own(2000).await];
        world.quarantine(b).await.unwrap();
        world.quarantine(d).await.unwrap();
        let expected =
            [(a, OwnPhase::Waiting, false), (c, OwnPhase::Waiting, true), (b, OwnPhase::Held, false), (d, OwnPhase::Held, false)];
        for limit in [1, 2, 3, 10] {
            assert_eq!(world.queue_of(world.user, limit).await, expected, "{limit} a page");
        }
        let of_four = Waiting { jobs: 4, billed: VideoTime::from_ms(8000) };
        assert_eq!(world.jobs().own_waiting(world.user).await.unwrap(), of_four);
        let mut cancelled = 0;
        loop {
            match world.jobs().cancel_own_waiting(world.user, None, 10).await.unwrap() {
                0 => break,
                some => cancelled += some,
            }
        }
        assert_eq!(cancelled, 4);
        assert_eq!(world.jobs().own_waiting(world.user).await.unwrap(), Waiting::default());
        assert!(world.queue_of(world.user, 10).await.is_empty());
        assert!(world.store.operator().in_quarantine().await.unwrap().is_empty());
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn one_that_is_throttled_and_held_is_listed_and_counted_once(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("few", |plan| Plan { lane: Lane::Batch, concurrency: Some(1), ..plan }).await;
        let (first, second) = (world.submit_by(team).await, world.submit_by(team).await);
        world.store.tenant(team.tenant).acts().quarantine(second, because("why?")).await.unwrap();
        let state = world.queue().state().await.unwrap();
        assert!(state.jobs.iter().any(|job| job.id == first) && state.jobs.iter().all(|job| job.id != second));
        assert_eq!(state.held.iter().map(|job| job.id).collect::<Vec<_>>(), [second], "it enters by the rate as any other");
        let jobs = world.store.tenant(team.tenant).jobs();
        let page = jobs.own_queue(team.user, None, 10, Texts::LeftOut).await.unwrap().unwrap();
        let listed: Vec<_> = page.jobs.iter().map(|own| (own.job.id, own.phase)).collect();
        assert_eq!(listed, [(first, OwnPhase::Waiting), (second, OwnPhase::Throttled)]);
        assert_eq!(jobs.own_waiting(team.user).await.unwrap().jobs, 2);
    }

    async fn a_held_job_fails_when_its_deadline_passes(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let start = world.submit_with(team, Deadlines { start_by: world.in_ms(1000).await, ..NONE }).await;
        let finish = world.submit_with(team, Deadlines { finish_by: world.in_ms(1000).await, ..NONE }).await;
        let acts = world.store.tenant(team.tenant).acts();
        acts.quarantine(start, because("why?")).await.unwrap();
        acts.quarantine(finish, because("why?")).await.unwrap();
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 0);
        world.dial.advance_ms(1100);
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 2);
        for id in [start, finish] {
            let job = world.of(team, id).await;
            let JobState::Failed(failure) = &job.lifecycle.state else { panic!("{job:?}") };
            assert_eq!((failure.code, job.lifecycle.quarantined, job.quarantine_reason), (FailureCode::DeadlinePassed, false, None));
        }
        assert!(world.store.operator().in_quarantine().await.unwrap().is_empty());
        acts.requeue(start, because("")).await.unwrap();
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn a_job_that_is_tried_once_more_forgets_the_deadlines_that_have_passed(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let ahead = world.in_ms(600_000).await;
        let id = world.submit_with(team, Deadlines { start_by: world.in_ms(1000).await, finish_by: ahead }).await;
        world.dial.advance_ms(1100);
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 1);
        world.store.tenant(team.tenant).acts().requeue(id, because("it was paused")).await.unwrap();
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 0);
        let again = world.of(team, id).await;
        assert_eq!((again.lifecycle.state.name(), again.deadlines), ("ready", Deadlines { start_by: None, finish_by: ahead }));
        world.dial.advance_ms(600_000);
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 1, "that one is still to be kept");
    }
}
