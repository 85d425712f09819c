//! What is told of jobs' times where the operator has paused something.

use super::{World, until};
use crate::User;
use domain::{
    Actor, NoEta, Status,
    billing::Lane,
    job::WaitReason,
    scheduling::{LineOf, PauseScope, QueueAct},
};
use store::on_both_engines;

on_both_engines! {
    async fn of_what_the_operator_keeps_no_time_is_told_and_others_go_on_without_it(database: TempDatabase) {
        let world = World::new(database).await;
        let bob = world.on_plan("bob", |plan| plan).await;
        for _ in 0..30 {
            world.submit(&bob).await;
        }
        let (hers, his) = (world.submit(&world.ada).await.id, world.submit(&bob).await.id);
        let see = async |user: &User, id| world.services.job(user.actor(), id).await.unwrap().unwrap();
        let behind = see(&bob, his).await.eta.unwrap().p50_ms;
        let change = async |act: QueueAct, reason: &str| world.services.change_queue(Actor::Operator, None, &act, reason).await.unwrap();
        change(QueueAct::Pause(PauseScope::Tenant(bob.tenant)), "the team is moving").await;
        let paused = see(&bob, his).await;
        assert_eq!((paused.status, paused.eta, paused.queue_position), (Status::Queued, Err(NoEta::Paused), None));
        let waiting = paused.waiting.unwrap();
        assert_eq!((waiting.sentence.as_str(), waiting.reason), ("Paused by the operator: the team is moving.", Some(WaitReason::Paused)));
        let (model, shape, steps) = (&world.job.spec.model, world.job.spec.shape(), world.job.spec.steps);
        assert_eq!(world.services.expected_time(Some(bob.tenant), model, shape, steps).await, Err(NoEta::Paused));
        // Behind one of her own alone. What is known of the queue may be a little old.
        let is_soon = async || see(&world.ada, hers).await.eta.ok().filter(|eta| eta.p50_ms < 8_000);
        until(is_soon).await;
        change(QueueAct::Resume(PauseScope::Tenant(bob.tenant)), "").await;
        until(async || see(&bob, his).await.eta.ok().filter(|eta| eta.p50_ms > behind / 2)).await;
        change(QueueAct::Quarantine(his), "Is this yours?").await;
        let held = see(&bob, his).await;
        assert_eq!((held.eta, held.waiting.unwrap().sentence.as_str()), (Err(NoEta::Paused), "Held by the operator: Is this yours?"));
        change(QueueAct::Lift(his), "").await;
        until(async || see(&bob, his).await.eta.ok()).await;
    }

    async fn a_wait_is_told_of_each_lane_and_none_of_one_that_is_paused(database: TempDatabase) {
        let world = World::new(database).await;
        let wait = async |lane| {
            let line = LineOf { lane, model: &world.job.spec.model };
            world.services.expected_wait(line, world.job.spec.shape()).await
        };
        until(async || wait(Lane::Batch).await.ok()).await;
        let pause = QueueAct::Pause(PauseScope::Lane(Lane::Batch));
        world.services.change_queue(Actor::Operator, None, &pause, "the team is moving").await.unwrap();
        assert_eq!(wait(Lane::Batch).await, Err(NoEta::Paused));
        assert!(wait(Lane::Interactive).await.is_ok());
        let [(first, of_first), (second, of_second)] = world.services.overview(Actor::Operator).await.unwrap().waits;
        assert_eq!((first, of_first.is_ok(), second, of_second), (Lane::Interactive, true, Lane::Batch, Err(NoEta::Paused)));
    }
}
