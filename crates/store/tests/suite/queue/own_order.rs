//! A person's own queue: its order, moving in it, and cancelling all that waits.

use crate::{LEASE_MS, MODELS, World, account, new_job, worker};
use domain::{
    JobId, Stage, UserId, VideoTime,
    billing::Plan,
    scheduling::{MoveRefusal, MoveTo, PASSED_MAX, Suspects, Tag},
};
use futures::future::join_all;
use std::collections::{BTreeMap, BTreeSet};
use store::{Jobs, MoveError, OwnPhase, Texts, Waiting, on_both_engines};

const MODEL: &str = MODELS[0];

impl World {
    pub(super) fn jobs(&self) -> Jobs<'_> {
        self.store.tenant(self.tenant).jobs()
    }

    /// Somebody else of the same tenant.
    async fn colleague(&self) -> UserId {
        account(&self.store, "bob@example.com").await.1
    }

    async fn submit_as(&self, user: UserId, model: &str, work_ms: u64) -> JobId {
        self.dial.advance_ms(1);
        let mut job = new_job(user);
        job.spec.model = model.into();
        job.quote.billed = VideoTime::from_ms(work_ms);
        self.jobs().submit(job, None).await.unwrap().job.id
    }

    pub(super) async fn own(&self, work_ms: u64) -> JobId {
        self.submit_as(self.user, MODEL, work_ms).await
    }

    pub(super) async fn refusal(&self, id: JobId, to: MoveTo) -> MoveRefusal {
        match self.jobs().move_to(id, to).await {
            Err(MoveError::Refused(refusal)) => refusal,
            other => panic!("{other:?}"),
        }
    }

    /// The person's queue, page by page.
    pub(super) async fn queue_of(&self, user: UserId, limit: u64) -> Vec<(JobId, OwnPhase, bool)> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = self.jobs().own_queue(user, after, limit, Texts::LeftOut).await.unwrap().unwrap();
            all.extend(page.jobs.iter().map(|own| (own.job.id, own.phase, own.can_move)));
            after = page.last;
            if !page.has_more {
                return all;
            }
        }
    }

    async fn order(&self, user: UserId) -> Vec<JobId> {
        self.queue_of(user, 100).await.into_iter().map(|(id, ..)| id).collect()
    }

    async fn tags(&self, ids: &[JobId]) -> BTreeMap<JobId, Tag> {
        let mut tags = BTreeMap::new();
        for id in ids {
            tags.insert(*id, self.job(*id).await.tag);
        }
        tags
    }

    /// All that waits, in the order in which it is claimed.
    async fn claimed(&self, models: &[&str]) -> Vec<JobId> {
        let mut claimed = Vec::new();
        while let Some(next) = self.queue().claim(Stage::Sampling, worker(), models, LEASE_MS, Suspects::Take).await.unwrap() {
            claimed.push(next.job.id);
        }
        claimed
    }
}

/// What jobs hold of the virtual time, where they hold it without gaps.
fn held(tags: &BTreeMap<JobId, Tag>) -> (i64, i64, i64) {
    let edge = |of: fn(&Tag) -> i64| tags.values().map(of);
    let whole = edge(|tag| tag.length().value()).sum();
    (edge(|tag| tag.start.value()).min().unwrap(), edge(|tag| tag.finish.value()).max().unwrap(), whole)
}

on_both_engines! {
    async fn a_job_goes_to_the_front_up_and_before_another_and_is_claimed_there(database: TempDatabase) {
        let world = World::new(database).await;
        let [a, b, c, d] = [world.own(2000).await, world.own(500).await, world.own(3000).await, world.own(1000).await];
        let before = world.tags(&[a, b, c, d]).await;
        let moved = world.jobs().move_to(d, MoveTo::Front).await.unwrap();
        assert_eq!((moved.id, moved.revision, moved.tag), (d, 2, world.job(d).await.tag));
        assert_eq!(world.order(world.user).await, [d, a, b, c]);
        world.jobs().move_to(c, MoveTo::Up).await.unwrap();
        assert_eq!(world.order(world.user).await, [d, a, c, b]);
        world.jobs().move_to(b, MoveTo::Before(a)).await.unwrap();
        assert_eq!(world.order(world.user).await, [d, b, a, c]);
        // Back, too.
        world.jobs().move_to(d, MoveTo::Before(c)).await.unwrap();
        assert_eq!(world.order(world.user).await, [b, a, d, c]);
        // Where it stands already.
        for to in [MoveTo::Front, MoveTo::Up, MoveTo::Before(b), MoveTo::Before(a)] {
            world.jobs().move_to(b, to).await.unwrap();
        }
        let after = world.tags(&[a, b, c, d]).await;
        assert_eq!(held(&after), held(&before));
        assert!(before.iter().all(|(id, tag)| after[id].length() == tag.length()), "{before:?} {after:?}");
        // What comes later is behind all of them.
        let last = world.own(1).await;
        assert_eq!(world.claimed(MODELS).await, [b, a, d, c, last]);
    }

    async fn nobody_elses_jobs_move(database: TempDatabase) {
        let world = World::new(database).await;
        let (colleague, team) = (world.colleague().await, world.team("others", |plan| plan).await);
        let mut own = Vec::new();
        for _ in 0..3 {
            own.push(world.own(2000).await);
            world.submit_as(colleague, MODEL, 3000).await;
            world.submit_of(team, MODEL, 2000).await;
        }
        let theirs = world.order(colleague).await;
        let of_team = || async {
            let page = store::PageQuery { after: None, limit: 100, order: store::Order::OldestFirst };
            world.store.tenant(team.tenant).jobs().list(page, Texts::LeftOut).await.unwrap().jobs
        };
        let (before, team_before) = (world.tags(&theirs).await, of_team().await);
        world.jobs().move_to(own[2], MoveTo::Front).await.unwrap();
        assert_eq!((world.tags(&theirs).await, of_team().await), (before, team_before));
        assert_eq!(world.order(world.user).await, [own[2], own[0], own[1]]);
        let claimed = world.claimed(MODELS).await;
        let of = |ids: &[JobId]| claimed.iter().filter(|id| ids.contains(id)).copied().collect::<Vec<_>>();
        assert_eq!((of(&own), of(&theirs), claimed.len()), (vec![own[2], own[0], own[1]], theirs, 9));
    }

    async fn what_cannot_be_moved_says_why(database: TempDatabase) {
        let world = World::new(database).await;
        let colleague = world.colleague().await;
        let [begun, ended, last, back] = [world.own(2000).await, world.own(2000).await, world.own(2000).await, world.own(2000).await];
        let (other_model, theirs) = (world.submit_as(world.user, "tiny-1", 2000).await, world.submit_as(colleague, MODEL, 2000).await);
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().job.id, begun);
        world.jobs().cancel(ended).await.unwrap();
        for (id, refusal) in [(begun, MoveRefusal::Begun), (ended, MoveRefusal::Ended), (JobId::from_uuid(uuid::Uuid::now_v7()), MoveRefusal::Unknown)] {
            for to in [MoveTo::Front, MoveTo::Up, MoveTo::Before(last)] {
                assert_eq!(world.refusal(id, to).await, refusal);
            }
        }
        for target in [begun, ended, other_model, theirs] {
            assert_eq!(world.refusal(last, MoveTo::Before(target)).await, MoveRefusal::TargetElsewhere);
        }
        let (stranger, eve) = account(&world.store, "eve@example.com").await;
        let foreign = world.store.tenant(stranger).jobs().submit(new_job(eve), None).await.unwrap().job.id;
        assert_eq!(world.refusal(last, MoveTo::Before(foreign)).await, MoveRefusal::TargetUnknown);
        assert_eq!(world.refusal(foreign, MoveTo::Front).await, MoveRefusal::Unknown);
        // One that a worker has had keeps its place, and is passed by nobody.
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        assert_eq!(token.job, last);
        world.queue().give_back(&token).await.unwrap();
        assert_eq!(world.refusal(last, MoveTo::Front).await, MoveRefusal::Begun);
        let held = world.job(last).await.tag;
        world.jobs().move_to(back, MoveTo::Front).await.unwrap();
        assert_eq!(world.job(last).await.tag, held);
    }

    async fn what_has_not_entered_is_not_moved_and_stands_last(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("few", |plan| Plan { concurrency: Some(2), ..plan }).await;
        for _ in 0..4 {
            world.submit_of(team, MODEL, 2000).await;
        }
        let jobs = world.store.tenant(team.tenant).jobs();
        let page = jobs.own_queue(team.user, None, 10, Texts::LeftOut).await.unwrap().unwrap();
        let phases: Vec<_> = page.jobs.iter().map(|own| (own.phase, own.can_move)).collect();
        assert_eq!(phases, [(OwnPhase::Waiting, false), (OwnPhase::Waiting, true), (OwnPhase::Throttled, false), (OwnPhase::Throttled, false)]);
        let refused = jobs.move_to(page.jobs[3].job.id, MoveTo::Front).await;
        assert!(matches!(refused, Err(MoveError::Refused(MoveRefusal::Throttled))), "{refused:?}");
        assert_eq!(jobs.own_waiting(team.user).await.unwrap().jobs, 4);
        assert_eq!(jobs.cancel_own_waiting(team.user, None, 10).await.unwrap(), 2);
        assert_eq!(jobs.cancel_own_waiting(team.user, None, 10).await.unwrap(), 2);
        assert_eq!(jobs.own_waiting(team.user).await.unwrap(), Waiting::default());
    }

    async fn more_are_not_passed_than_can_be_locked_together(database: TempDatabase) {
        let world = World::new(database).await;
        let first = world.own(2000).await;
        // Rows as that one, as many as make it one too many.
        let (numbers, id) = if world.database.url.starts_with("postgres") {
            (format!("generate_series(1, {PASSED_MAX})"), "gen_random_uuid()")
        } else {
            (format!("(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PASSED_MAX}) SELECT i FROM n)"), "randomblob(16)")
        };
        world.sql(&format!(
            "CREATE TEMPORARY TABLE copies AS SELECT jobs.* FROM jobs, {numbers} AS numbers; UPDATE copies SET id = {id}, finish_tag = finish_tag + 1; INSERT INTO jobs SELECT * FROM copies"
        )).await;
        let last = world.own(2000).await;
        assert_eq!(world.refusal(last, MoveTo::Front).await, MoveRefusal::TooFar);
        assert_eq!(world.refusal(last, MoveTo::Before(first)).await, MoveRefusal::TooFar);
        world.jobs().move_to(last, MoveTo::Up).await.unwrap();
        world.jobs().move_to(last, MoveTo::Front).await.unwrap();
        assert_eq!(world.jobs().own_queue(world.user, None, 1, Texts::LeftOut).await.unwrap().unwrap().jobs[0].job.id, last);
    }

    async fn moves_and_claims_at_the_same_time_lose_nothing_and_make_nothing_twice(database: TempDatabase) {
        let world = World::new(database).await;
        let colleague = world.colleague().await;
        let mut own = Vec::new();
        for n in 0..24 {
            own.push(world.own(500 + 100 * n).await);
        }
        let theirs = [world.submit_as(colleague, MODEL, 700).await, world.submit_as(colleague, MODEL, 700).await];
        let all: Vec<_> = own.iter().chain(&theirs).copied().collect();
        let before = world.tags(&all).await;
        let moves = own.iter().rev().enumerate().map(|(n, id)| {
            let jobs = world.jobs();
            let to = [MoveTo::Front, MoveTo::Up, MoveTo::Before(own[n])][n % 3];
            async move {
                match jobs.move_to(*id, to).await {
                    Ok(_) | Err(MoveError::Refused(MoveRefusal::Begun | MoveRefusal::Ended | MoveRefusal::TargetElsewhere)) => {}
                    Err(error) => panic!("{error:?}"),
                }
                None::<JobId>
            }
        });
        let claims = (0..10).map(|_| {
            let queue = world.queue();
            async move { queue.claim(Stage::Sampling, worker(), MODELS, LEASE_MS, Suspects::Take).await.unwrap().map(|claimed| claimed.job.id) }
        });
        let cancels = own.iter().skip(20).map(|id| {
            let jobs = world.jobs();
            async move {
                jobs.cancel(*id).await.unwrap();
                None::<JobId>
            }
        });
        let (moved, claimed, cancelled) = tokio::join!(join_all(moves), join_all(claims), join_all(cancels));
        drop((moved, cancelled));
        let mut claimed: Vec<_> = claimed.into_iter().flatten().collect();
        let after = world.tags(&all).await;
        assert!(before.iter().all(|(id, tag)| after[id].length() == tag.length()), "{before:?} {after:?}");
        assert!(theirs.iter().all(|id| after[id] == before[id]));
        let waiting = world.order(world.user).await;
        // One that was passed by while it was being claimed may end where another one ends now.
        let finishes: BTreeSet<_> = waiting.iter().map(|id| after[id].finish).collect();
        assert_eq!(finishes.len(), waiting.len(), "each that waits has its own");
        assert_eq!(after.values().map(|tag| tag.finish).max(), before.values().map(|tag| tag.finish).max());
        claimed.extend(world.claimed(MODELS).await);
        let distinct: BTreeSet<_> = claimed.iter().collect();
        assert_eq!(distinct.len(), claimed.len(), "none is claimed twice");
        assert!(waiting.iter().all(|id| own.contains(id)));
        assert!(all.iter().all(|id| distinct.contains(id) || own[20..].contains(id)), "all that were not cancelled are claimed");
        assert!(world.store.check().ledger().await.unwrap().faults.is_empty());
    }

    async fn a_queue_is_read_page_by_page_as_it_is_made(database: TempDatabase) {
        let world = World::new(database).await;
        let colleague = world.colleague().await;
        let running = world.own(1000).await;
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().job.id, running);
        let [b1, a1, b2, a2] = [
            world.submit_as(world.user, MODEL, 1000).await,
            world.submit_as(world.user, "tiny-1", 1000).await,
            world.submit_as(world.user, MODEL, 1000).await,
            world.submit_as(world.user, "tiny-1", 1000).await,
        ];
        let theirs = world.submit_as(colleague, MODEL, 1000).await;
        let expected = [
            (running, OwnPhase::Begun, false),
            (a1, OwnPhase::Waiting, false),
            (a2, OwnPhase::Waiting, true),
            (b1, OwnPhase::Waiting, false),
            (b2, OwnPhase::Waiting, true),
        ];
        for limit in [1, 2, 3, 10] {
            assert_eq!(world.queue_of(world.user, limit).await, expected, "{limit} a page");
        }
        assert_eq!(world.queue_of(colleague, 10).await, [(theirs, OwnPhase::Waiting, false)]);
        let unknown = JobId::from_uuid(uuid::Uuid::now_v7());
        for none in [theirs, unknown] {
            assert_eq!(world.jobs().own_queue(world.user, Some(none), 10, Texts::LeftOut).await.unwrap(), None);
        }
        // Behind one that was cancelled since.
        world.jobs().cancel(a2).await.unwrap();
        let rest = world.jobs().own_queue(world.user, Some(a2), 10, Texts::LeftOut).await.unwrap().unwrap();
        assert_eq!(rest.jobs.iter().map(|own| own.job.id).collect::<Vec<_>>(), [b1, b2]);
    }

    async fn all_that_one_has_waiting_is_cancelled_once_also_while_it_is_claimed(database: TempDatabase) {
        let world = World::new(database).await;
        let colleague = world.colleague().await;
        let theirs = world.submit_as(colleague, MODEL, 2000).await;
        let mut own = Vec::new();
        for _ in 0..20 {
            own.push(world.own(1000).await);
        }
        let other = world.submit_as(world.user, "tiny-1", 1000).await;
        assert_eq!(world.jobs().own_waiting(world.user).await.unwrap(), Waiting { jobs: 21, billed: VideoTime::from_ms(21_000) });
        assert_eq!(world.jobs().cancel_own_waiting(world.user, Some("tiny-1"), 50).await.unwrap(), 1);
        assert_eq!(world.state(other).await, "cancelled");
        let cancels = (0..3).map(|_| async {
            let mut cancelled = 0;
            loop {
                match world.jobs().cancel_own_waiting(world.user, None, 4).await.unwrap() {
                    0 => return cancelled,
                    some => cancelled += some,
                }
            }
        });
        let claims = (0..6).map(|_| async { world.claim(Stage::Sampling).await.map(|claimed| claimed.job.id) });
        let (cancelled, claimed) = tokio::join!(join_all(cancels), join_all(claims));
        let claimed: BTreeSet<_> = claimed.into_iter().flatten().collect();
        // One that was just being claimed, and was not after all, is still there.
        let left: u64 = world.jobs().cancel_own_waiting(world.user, None, 50).await.unwrap();
        let began = own.iter().filter(|id| claimed.contains(id)).count() as u64;
        assert_eq!(cancelled.iter().sum::<u64>() + left + began, 20);
        assert_eq!(world.jobs().own_waiting(world.user).await.unwrap(), Waiting::default());
        let open = VideoTime::from_ms(2000 + 1000 * began);
        assert_eq!(world.jobs().open_work().await.unwrap(), open, "each hold is given back once");
        assert!(["ready", "sampling"].contains(&world.state(theirs).await));
        assert!(world.store.check().ledger().await.unwrap().faults.is_empty());
        assert!(world.store.open_work().repair(None, 100).await.unwrap().0.is_empty());
    }
}
