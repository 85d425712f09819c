//! Jobs with deadlines: in front of the others of their tenant, and not made when it is too late.

use super::shares::Team;
use crate::{LEASE_MS, MODELS, World, new_job, worker};
use domain::{
    JobId, JobState, Stage, Timestamp,
    billing::{Lane, Plan},
    job::{Deadlines, FailureCode},
    scheduling::{MoveTo, Suspects, Tag},
};
use futures::future::try_join_all;
use store::on_both_engines;

impl World {
    pub(super) async fn submit_with(&self, team: Team, deadlines: Deadlines) -> JobId {
        self.dial.advance_ms(1);
        let job = store::NewJob { deadlines, ..new_job(team.user) };
        self.store.tenant(team.tenant).jobs().submit(job, None).await.unwrap().job.id
    }

    pub(super) async fn of(&self, team: Team, id: JobId) -> store::Job {
        self.store.tenant(team.tenant).jobs().get(id).await.unwrap().unwrap()
    }

    pub(super) async fn in_ms(&self, ms: i64) -> Option<Timestamp> {
        Some(self.store.now().await.unwrap().plus_ms(ms))
    }

    async fn next_id(&self) -> JobId {
        self.queue().claim(Stage::Sampling, worker(), MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap().token.job
    }
}

pub(super) const NONE: Deadlines = Deadlines { start_by: None, finish_by: None };

on_both_engines! {
    async fn the_earliest_deadline_of_a_team_goes_first_and_its_share_stays_what_it_was(database: TempDatabase) {
        let world = World::new(database).await;
        let (one, other) = (world.team("one", |plan| plan).await, world.team("other", |plan| plan).await);
        let mut usual = Vec::new();
        for _ in 0..3 {
            usual.push(world.submit_with(one, NONE).await);
            world.submit_with(other, NONE).await;
        }
        let tags = async |ids: &[JobId]| {
            let mut tags: Vec<Tag> = Vec::new();
            for id in ids {
                tags.push(world.of(one, *id).await.tag);
            }
            tags
        };
        let length = world.of(one, usual[0]).await.tag.length().value();
        let late = world.submit_with(one, Deadlines { finish_by: world.in_ms(900_000).await, ..NONE }).await;
        let soon = world.submit_with(one, Deadlines { start_by: world.in_ms(600_000).await, ..NONE }).await;
        let ids = [soon, late, usual[0], usual[1], usual[2]];
        let after = tags(&ids).await;
        let starts: Vec<i64> = after.iter().map(|tag| tag.start.value()).collect();
        assert_eq!(starts, (0..5).map(|n| starts[0] + n * length).collect::<Vec<_>>(), "end to end as before");
        let of_one = async |jobs: usize| {
            let mut had = Vec::new();
            for _ in 0..jobs {
                had.push(world.next_id().await);
            }
            had.retain(|id| ids.contains(id));
            had
        };
        let first = of_one(4).await;
        assert_eq!(first, ids[..2], "two of four");
        assert_eq!(of_one(4).await, ids[2..], "the other team has no more");
    }

    async fn whatever_order_a_team_makes_its_jobs_lie_end_to_end(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let usual = world.submit_with(team, NONE).await;
        let mut ids = vec![usual];
        for round in 0..3 {
            let ms = 900_000 + round;
            for _ in 0..3 {
                ids.push(world.submit_with(team, Deadlines { finish_by: world.in_ms(ms).await, ..NONE }).await);
            }
            world.store.tenant(team.tenant).jobs().move_to(usual, MoveTo::Front).await.unwrap();
        }
        let mut tags = Vec::new();
        for id in &ids {
            tags.push(world.of(team, *id).await.tag);
        }
        tags.sort_by_key(|tag| tag.start);
        assert!(tags.windows(2).all(|two| two[0].finish <= two[1].start), "{tags:?}");
    }

    async fn where_one_stands_is_told_before_it_is_submitted(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let (mut taken, now) = (Vec::new(), world.store.now().await.unwrap());
        for ms in [None, Some(900_000), None, Some(300_000), Some(900_000), Some(600_000), Some(300_000), None] {
            let (job, deadline) = (new_job(team.user), ms.map(|ms| now.plus_ms(ms)));
            let (_, told) = world.queue().would_stand(team.tenant, &job.spec.model, job.quote.billed, deadline).await.unwrap();
            let id = world.submit_with(team, Deadlines { finish_by: deadline, ..NONE }).await;
            assert_eq!(world.of(team, id).await.tag, told, "{ms:?}");
            taken.push(id);
        }
        for n in [3, 6, 5, 1, 4] {
            assert_eq!(world.next_id().await, taken[n], "of two with one deadline the first goes first");
        }
    }

    async fn of_more_than_a_thousand_the_last_make_room_and_that_is_told(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let mut ids = Vec::new();
        for _ in 0..1005 {
            ids.push(world.submit_with(team, NONE).await);
        }
        let (job, deadline, first) = (new_job(team.user), world.in_ms(900_000).await, world.of(team, ids[5]).await.tag.start);
        let (_, told) = world.queue().would_stand(team.tenant, &job.spec.model, job.quote.billed, deadline).await.unwrap();
        assert_eq!(told.start, first, "five are in front of it");
        let urgent = world.submit_with(team, Deadlines { finish_by: deadline, ..NONE }).await;
        assert_eq!(world.of(team, urgent).await.tag, told);
    }

    async fn what_was_moved_to_the_front_makes_room_too(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let (first, moved) = (world.submit_with(team, NONE).await, world.submit_with(team, NONE).await);
        world.store.tenant(team.tenant).jobs().move_to(moved, MoveTo::Front).await.unwrap();
        let urgent = world.submit_with(team, Deadlines { finish_by: world.in_ms(600_000).await, ..NONE }).await;
        assert_eq!([world.next_id().await, world.next_id().await, world.next_id().await], [urgent, moved, first]);
    }

    async fn what_a_worker_has_keeps_its_place(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let (first, second) = (world.submit_with(team, NONE).await, world.submit_with(team, NONE).await);
        let before = world.of(team, first).await.tag;
        assert_eq!(world.next_id().await, first);
        let urgent = world.submit_with(team, Deadlines { finish_by: world.in_ms(60_000).await, ..NONE }).await;
        assert_eq!(world.of(team, first).await.tag, before);
        assert_eq!([world.next_id().await, world.next_id().await], [urgent, second]);
    }

    async fn many_with_deadlines_come_at_once_while_workers_claim(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        for _ in 0..10 {
            world.submit_with(team, NONE).await;
        }
        let deadline = world.in_ms(600_000).await;
        let submit = |n: i64| {
            let job = store::NewJob { deadlines: Deadlines { finish_by: deadline.map(|at| at.plus_ms(-n)), ..NONE }, ..new_job(team.user) };
            let (store, tenant) = (world.store.clone(), team.tenant);
            async move { store.tenant(tenant).jobs().submit(job, None).await.map_err(|error| error.to_string()) }
        };
        let claim = || async {
            let claimed = world.queue().claim(Stage::Sampling, worker(), MODELS, LEASE_MS, Suspects::Take).await;
            claimed.map(|claimed| claimed.map(|claimed| claimed.token.job)).map_err(|error| error.to_string())
        };
        let (submitted, claimed) = futures::future::join(try_join_all((0..10).map(submit)), try_join_all((0..10).map(|_| claim()))).await;
        assert_eq!(submitted.unwrap().len(), 10);
        let mut taken: Vec<JobId> = claimed.unwrap().into_iter().flatten().collect();
        while let Some(more) = claim().await.unwrap() {
            taken.push(more);
        }
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), 20, "each once");
    }

    async fn who_waits_when_it_is_too_late_fails_and_costs_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| plan).await;
        let begun = world.submit_with(team, Deadlines { start_by: world.in_ms(1000).await, finish_by: world.in_ms(5000).await }).await;
        assert_eq!(world.next_id().await, begun);
        let start = world.submit_with(team, Deadlines { start_by: world.in_ms(1000).await, ..NONE }).await;
        let finish = world.submit_with(team, Deadlines { finish_by: world.in_ms(5000).await, ..NONE }).await;
        let usual = world.submit_with(team, NONE).await;
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 0);
        let states = async || {
            let mut states = Vec::new();
            for id in [begun, start, finish, usual] {
                states.push(world.of(team, id).await.lifecycle.state.name());
            }
            states
        };
        world.dial.advance_ms(1100);
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 1);
        assert_eq!(states().await, ["sampling", "failed", "ready", "ready"]);
        world.dial.advance_ms(5000);
        let both = futures::future::join(world.queue().fail_overdue(), world.queue().fail_overdue()).await;
        assert_eq!(both.0.unwrap() + both.1.unwrap(), 1, "once, whoever does it");
        assert_eq!(states().await, ["sampling", "failed", "failed", "ready"], "what has begun goes on");
        let failed = world.of(team, finish).await;
        let JobState::Failed(failure) = failed.lifecycle.state else { panic!("{failed:?}") };
        assert_eq!((failure.code, failed.charge.charged.unwrap().ms()), (FailureCode::DeadlinePassed, 0));
    }

    async fn one_that_is_outside_of_the_queue_fails_too(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| Plan { lane: Lane::Batch, concurrency: Some(1), ..plan }).await;
        world.submit_with(team, NONE).await;
        let throttled = world.submit_with(team, Deadlines { start_by: world.in_ms(1000).await, ..NONE }).await;
        assert_eq!(world.of(team, throttled).await.lifecycle.state, JobState::Throttled);
        world.dial.advance_ms(1100);
        assert_eq!(world.queue().fail_overdue().await.unwrap(), 1);
        assert_eq!(world.of(team, throttled).await.lifecycle.state.name(), "failed");
    }

    async fn one_that_enters_the_queue_later_goes_first_then(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| Plan { lane: Lane::Batch, concurrency: Some(2), ..plan }).await;
        let (first, second) = (world.submit_with(team, NONE).await, world.submit_with(team, NONE).await);
        let urgent = world.submit_with(team, Deadlines { finish_by: world.in_ms(600_000).await, ..NONE }).await;
        world.store.tenant(team.tenant).jobs().cancel(first).await.unwrap();
        world.dial.advance_ms(3000);
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        assert_eq!([world.next_id().await, world.next_id().await], [urgent, second]);
    }
}
