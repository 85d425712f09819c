//! Where jobs stand in their lines when the operator has kept them for a while, or puts one to the front.

use super::super::shares::Team;
use super::control::because;
use crate::World;
use domain::{JobId, Stage, job::FailureClass, scheduling::Tag};
use store::on_both_engines;

impl World {
    pub(super) async fn tag(&self, team: Team, id: JobId) -> Tag {
        self.store.tenant(team.tenant).jobs().get(id).await.unwrap().unwrap().tag
    }

    /// Where these start, in lengths of the first one. They are as long as one another.
    pub(super) async fn starts(&self, team: Team, ids: &[JobId]) -> Vec<i64> {
        let mut starts = Vec::new();
        for id in ids {
            let tag = self.tag(team, *id).await;
            starts.push(tag.start.value() / tag.length().value());
        }
        starts
    }

    pub(super) async fn submit_many_by(&self, team: Team, jobs: usize) -> Vec<JobId> {
        let mut ids = Vec::new();
        for _ in 0..jobs {
            ids.push(self.submit_by(team).await);
        }
        ids
    }

    async fn cancel_of(&self, team: Team, ids: &[JobId]) {
        for id in ids {
            self.store.tenant(team.tenant).jobs().cancel(*id).await.unwrap();
        }
    }

    async fn next_job(&self) -> JobId {
        self.claim(Stage::Sampling).await.unwrap().token.job
    }
}

on_both_engines! {
    async fn a_job_in_quarantine_keeps_no_other_of_its_tenant_behind_it(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.team("ada2", |plan| plan).await;
        let ids = world.submit_many_by(ada, 5).await;
        world.store.tenant(ada.tenant).acts().quarantine(ids[4], because("why?")).await.unwrap();
        world.cancel_of(ada, &ids[..4]).await;
        let new = world.submit_by(ada).await;
        assert_eq!(world.starts(ada, &[ids[4], new]).await, [4, 0], "the line has begun anew");
    }

    async fn a_job_whose_quarantine_ends_is_back_where_its_line_is(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve, bob) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await, world.team("bob", |plan| plan).await);
        let acts = world.store.tenant(ada.tenant).acts();
        let ids = world.submit_many_by(ada, 3).await;
        acts.quarantine(ids[1], because("why?")).await.unwrap();
        acts.lift(ids[1], because("")).await.unwrap();
        assert_eq!(world.starts(ada, &ids).await, [0, 1, 2], "the line has not moved");
        // The line goes on without it.
        acts.quarantine(ids[0], because("why?")).await.unwrap();
        world.cancel_of(ada, &ids[1..]).await;
        let hers = world.submit_many_by(eve, 10).await;
        for id in &hers[..6] {
            assert_eq!(world.next_job().await, *id);
        }
        acts.lift(ids[0], because("")).await.unwrap();
        assert_eq!(world.starts(ada, &ids[..1]).await, [6]);
        let newcomer = world.submit_by(bob).await;
        assert_eq!(world.starts(bob, &[newcomer]).await, [6], "a newcomer passes none of those that wait");
        assert_eq!([world.next_job().await, world.next_job().await, world.next_job().await], [ids[0], hers[6], newcomer]);
    }

    async fn a_job_whose_quarantine_ends_in_a_line_that_has_begun_anew_is_no_later_than_a_new_one(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        let acts = world.store.tenant(ada.tenant).acts();
        let ids = world.submit_many_by(ada, 6).await;
        acts.quarantine(ids[4], because("why?")).await.unwrap();
        acts.quarantine(ids[5], because("why?")).await.unwrap();
        world.cancel_of(ada, &ids[..4]).await;
        world.submit_many_by(eve, 3).await;
        acts.lift(ids[4], because("")).await.unwrap();
        acts.lift(ids[5], because("")).await.unwrap();
        assert_eq!(world.starts(ada, &ids[4..]).await, [0, 1], "and not beside one another");
    }

    async fn what_came_while_its_tenant_was_paused_is_behind_the_others_and_no_further(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        let paused = format!("tenant:{}", ada.tenant);
        let held = world.submit_by(ada).await;
        let mut ids = world.submit_many_by(ada, 2).await;
        world.submit_many_by(eve, 20).await;
        world.store.tenant(ada.tenant).acts().quarantine(held, because("why?")).await.unwrap();
        world.pause(&paused).await;
        for _ in 0..10 {
            assert_eq!(world.begin_next().await, Some(eve.tenant));
        }
        ids.push(world.submit_by(ada).await);
        assert_eq!(world.starts(ada, &ids).await, [1, 2, 10]);
        assert!(world.resume(&paused).await);
        assert_eq!(world.starts(ada, &ids).await, [10, 11, 12], "end to end from where the line is");
        assert_eq!(world.starts(ada, &[held]).await, [0]);
        world.pause(&paused).await;
        assert!(world.resume(&paused).await);
        assert_eq!(world.starts(ada, &ids).await, [10, 11, 12], "nothing has moved meanwhile");
        let mut had = 0;
        for _ in 0..6 {
            had += usize::from(world.begin_next().await == Some(ada.tenant));
        }
        assert_eq!(had, 3, "half is its share");
    }

    async fn a_pause_gains_nothing_for_who_has_jobs_with_workers(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        let ids = world.submit_many_by(ada, 4).await;
        for id in &ids[..2] {
            assert_eq!(world.next_job().await, *id);
        }
        world.submit_many_by(eve, 2).await;
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        assert!(world.resume(&paused).await);
        assert_eq!(world.starts(ada, &ids).await, [0, 1, 2, 3]);
    }

    async fn who_is_resumed_in_a_line_that_has_begun_anew_is_not_behind_all_others(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        let hers = world.submit_many_by(eve, 10).await;
        for _ in 0..9 {
            world.begin_next().await.unwrap();
        }
        let ids = world.submit_many_by(ada, 2).await;
        assert_eq!(world.starts(ada, &ids).await, [9, 10]);
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        world.cancel_of(eve, &hers).await;
        world.submit_many_by(eve, 5).await;
        assert!(world.resume(&paused).await);
        assert_eq!(world.starts(ada, &ids).await, [0, 1]);
    }

    async fn what_is_put_to_the_front_is_there_beside_a_paused_tenant(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve, bob) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await, world.team("bob", |plan| plan).await);
        world.submit_many_by(ada, 2).await;
        let hers = world.submit_many_by(eve, 10).await;
        world.pause(&format!("tenant:{}", ada.tenant)).await;
        for id in &hers[..6] {
            assert_eq!(world.next_job().await, *id);
        }
        let acts = world.store.tenant(eve.tenant).acts();
        for _ in 0..2 {
            acts.expedite(hers[9], because("a fair")).await.unwrap();
            assert_eq!(world.starts(eve, &hers[6..7]).await, [6]);
            assert!(world.tag(eve, hers[9]).await.start >= world.tag(eve, hers[6]).await.start, "the line is as far as it was");
        }
        let newcomer = world.submit_by(bob).await;
        assert_eq!([world.next_job().await, world.next_job().await, world.next_job().await], [hers[9], hers[6], newcomer]);
    }

    async fn what_is_put_to_the_front_is_there_beside_one_in_its_pause(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.team("ada2", |plan| plan).await;
        let ids = world.submit_many_by(ada, 10).await;
        let failed = world.claim(Stage::Sampling).await.unwrap();
        for id in &ids[1..6] {
            assert_eq!(world.next_job().await, *id);
        }
        world.queue().report_failure(&failed.token, FailureClass::Bug).await.unwrap();
        world.store.tenant(ada.tenant).acts().expedite(ids[9], because("a fair")).await.unwrap();
        assert!(world.tag(ada, ids[9]).await.start >= world.tag(ada, ids[6]).await.start);
        assert_eq!([world.next_job().await, world.next_job().await], [ids[9], ids[6]]);
    }
}
