//! The jobs of a tenant that is paused lie behind the end of their lines, and are brought back in their order.

use super::{
    super::shares::Team,
    control::{because, claim_by},
};
use crate::{World, new_job};
use domain::{JobId, Stage, TenantId, scheduling::VirtualTime};
use futures::future::join_all;
use store::{on_both_engines, testing::Engine};

/// More than are moved in two transactions.
const MANY: i64 = 1100;

impl World {
    async fn is_aside(&self, team: Team, id: JobId) -> bool {
        self.tag(team, id).await.start >= VirtualTime::ASIDE
    }

    async fn follow_pauses(&self) -> u64 {
        self.store.operator().follow_pauses().await.unwrap()
    }

    /// [`MANY`] that stand in one place. Returns how long they are.
    async fn submit_many_alike(&self) -> i64 {
        let first = self.submit().await;
        let (numbers, id) = if self.database.url.starts_with("postgres") {
            (format!("generate_series(2, {MANY})"), "gen_random_uuid()")
        } else {
            (
                format!("(WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) SELECT i FROM n)"),
                "randomblob(16)",
            )
        };
        self.sql(&format!(
            "CREATE TEMPORARY TABLE copies AS SELECT jobs.* FROM jobs, {numbers} AS numbers; UPDATE copies SET id = {id}; INSERT INTO jobs SELECT * FROM copies"
        ))
        .await;
        first.tag.length().value()
    }

    /// From now on nothing of a tenant's jobs can be written.
    async fn break_off(&self, tenant: TenantId) {
        let id = tenant.uuid();
        let break_off = match self.database.engine {
            Engine::Sqlite => format!(
                "CREATE TRIGGER break_off BEFORE UPDATE ON jobs WHEN OLD.tenant_id = x'{}' BEGIN SELECT RAISE(ABORT, 'broken off'); END",
                id.simple()
            ),
            Engine::Postgres => format!(
                "CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$; \
                 CREATE TRIGGER break_off BEFORE UPDATE ON jobs FOR EACH ROW WHEN (OLD.tenant_id = '{id}') EXECUTE FUNCTION break_off()"
            ),
        };
        self.sql(&break_off).await;
    }

    /// In the order of the ids.
    async fn finishes(&self) -> Vec<i64> {
        let finishes = self.texts("SELECT CAST(finish_tag AS TEXT) FROM jobs ORDER BY id").await;
        finishes.iter().map(|tag| tag.parse().unwrap()).collect()
    }

    /// All that waits, as it is begun.
    async fn begun(&self) -> Vec<JobId> {
        let mut begun = Vec::new();
        while let Some(claimed) = self.claim(Stage::Sampling).await {
            begun.push(claimed.token.job);
        }
        begun
    }
}

on_both_engines! {
    async fn what_is_paused_lies_behind_the_end_of_its_line_and_goes_on_where_that_is_by_then(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        let begun = world.submit_by(ada).await;
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, begun);
        let mut ids = world.submit_many_by(ada, 5).await;
        world.submit_many_by(eve, 20).await;
        assert_eq!(world.follow_pauses().await, 0);
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        assert_eq!((world.follow_pauses().await, world.follow_pauses().await), (5, 0));
        ids.push(world.submit_by(ada).await);
        for id in &ids {
            assert!(world.is_aside(ada, *id).await);
        }
        assert!(!world.is_aside(ada, begun).await, "a worker has it");
        assert_eq!(world.follow_pauses().await, 0, "what came meanwhile stands behind them");
        for _ in 0..10 {
            assert_eq!(world.begin_next().await, Some(eve.tenant));
        }
        assert!(world.resume(&paused).await);
        let starts = world.starts(ada, &ids).await;
        assert_eq!(starts, (0..6).map(|n| starts[0] + n).collect::<Vec<_>>(), "end to end");
        assert!((10..=11).contains(&starts[0]), "{starts:?}: where the line is");
        assert_eq!(world.follow_pauses().await, 0);
        let begun = world.begun().await;
        assert_eq!(begun.into_iter().filter(|id| ids.contains(id)).collect::<Vec<_>>(), ids);
    }

    async fn a_long_line_of_a_paused_tenant_keeps_its_order(database: TempDatabase) {
        let world = World::new(database).await;
        let length = world.submit_many_alike().await;
        let paused = format!("tenant:{}", world.tenant);
        world.pause(&paused).await;
        assert_eq!(world.follow_pauses().await, MANY.unsigned_abs());
        assert_eq!(world.texts(&format!("SELECT CAST(1 AS TEXT) FROM jobs WHERE start_tag < {}", VirtualTime::ASIDE.value())).await.len(), 0);
        assert!(world.resume(&paused).await);
        let expected: Vec<_> = (1..=MANY).map(|n| n * length).collect();
        assert_eq!(world.finishes().await, expected, "of those that finished at once the order is that of their ids");
    }

    async fn what_a_server_has_left_aside_is_begun_by_nobody_until_another_brings_it_back(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, bob) = (world.team("ada2", |plan| plan).await, world.team("bob", |plan| plan).await);
        let ids = world.submit_many_by(ada, 3).await;
        world.pause(&format!("tenant:{}", ada.tenant)).await;
        assert_eq!(world.follow_pauses().await, 3);
        world.sql("UPDATE queue_pauses SET resumed_ms = 1").await;
        let elsewhere = world.database.open_at(&world.dial).await.unwrap();
        assert_eq!(claim_by(&elsewhere).await, None);
        let newcomer = elsewhere.tenant(bob.tenant).jobs().submit(new_job(bob.user), None).await.unwrap().job.id;
        assert_eq!(world.starts(bob, &[newcomer]).await, [0], "the line is not where they lie");
        assert_eq!(elsewhere.operator().follow_pauses().await.unwrap(), 3);
        assert_eq!(world.starts(ada, &ids).await, [0, 1, 2]);
        assert!(claim_by(&elsewhere).await.is_some());
    }

    async fn what_a_worker_of_the_version_before_began_of_what_lies_aside_takes_no_line_there(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, bob) = (world.team("ada2", |plan| plan).await, world.team("bob", |plan| plan).await);
        world.submit_by(ada).await;
        world.claim(Stage::Sampling).await.unwrap();
        let aside = VirtualTime::ASIDE.value();
        world.sql(&format!("UPDATE jobs SET start_tag = start_tag + {aside}, finish_tag = finish_tag + {aside}")).await;
        let newcomer = world.submit_by(bob).await;
        assert!(!world.is_aside(bob, newcomer).await);
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, newcomer);
    }

    async fn who_is_paused_again_before_all_are_brought_back_keeps_the_order(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.team("ada2", |plan| plan).await;
        let ids = world.submit_many_by(ada, 3).await;
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        assert_eq!(world.follow_pauses().await, 3);
        // By a server that ended when it had brought back the first, to where its line was by then.
        world.sql("UPDATE queue_pauses SET resumed_ms = 1").await;
        let (aside, line) = (VirtualTime::ASIDE.value(), 1_i64 << 40);
        let back = |tag: &str| format!("{tag} = {tag} - {aside} + {line}");
        let first = format!("UPDATE jobs SET {}, {} WHERE start_tag = {aside}", back("start_tag"), back("finish_tag"));
        assert_eq!(world.sql(&first).await.rows_affected(), 1);
        world.pause(&paused).await;
        assert_eq!(world.follow_pauses().await, 3);
        assert!(world.resume(&paused).await);
        assert_eq!(world.begun().await, ids);
    }

    async fn servers_that_bring_back_at_once_lay_each_behind_the_one_before(database: TempDatabase) {
        let world = World::new(database).await;
        let length = world.submit_many_alike().await;
        world.pause(&format!("tenant:{}", world.tenant)).await;
        assert_eq!(world.follow_pauses().await, MANY.unsigned_abs());
        world.sql("UPDATE queue_pauses SET resumed_ms = 1").await;
        let mut servers = Vec::new();
        for _ in 0..4 {
            servers.push(world.database.open_at(&world.dial).await.unwrap());
        }
        let moved = join_all(servers.iter().map(|server| server.operator().follow_pauses())).await;
        assert_eq!(moved.into_iter().map(Result::unwrap).sum::<u64>(), MANY.unsigned_abs(), "none twice");
        assert_eq!(world.finishes().await, (1..=MANY).map(|n| n * length).collect::<Vec<_>>());
    }

    async fn a_tenant_whose_jobs_cannot_be_moved_keeps_no_other_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, bob) = (world.team("ada2", |plan| plan).await, world.team("bob", |plan| plan).await);
        let (adas, bobs) = (world.submit_by(ada).await, world.submit_by(bob).await);
        for team in [ada, bob] {
            world.pause(&format!("tenant:{}", team.tenant)).await;
        }
        world.break_off(ada.tenant).await;
        assert!(world.store.operator().follow_pauses().await.is_err());
        assert_eq!((world.is_aside(ada, adas).await, world.is_aside(bob, bobs).await), (false, true));
    }

    async fn a_pause_is_forgotten_a_day_after_its_end_once_nothing_lies_aside_for_it(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.team("ada2", |plan| plan).await;
        world.submit_many_by(ada, 3).await;
        let paused = format!("tenant:{}", ada.tenant);
        let known = async || world.texts("SELECT scope FROM queue_pauses").await;
        world.pause(&paused).await;
        assert_eq!(world.follow_pauses().await, 3);
        world.dial.advance_ms(25 * 3_600_000);
        assert_eq!((world.follow_pauses().await, known().await), (0, vec![paused.clone()]), "it goes on");
        assert!(world.resume(&paused).await);
        assert_eq!((world.follow_pauses().await, known().await), (0, vec![paused.clone()]), "what took long meanwhile is not learned from");
        world.pause(&paused).await;
        assert_eq!(world.follow_pauses().await, 3);
        world.sql("UPDATE queue_pauses SET resumed_ms = 1").await;
        assert_eq!((world.follow_pauses().await, known().await), (3, vec![paused]));
        assert_eq!((world.follow_pauses().await, known().await), (0, vec![]));
    }

    async fn what_is_put_to_the_front_of_a_paused_tenant_is_its_next(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        let ids = world.submit_many_by(ada, 3).await;
        world.submit_many_by(eve, 2).await;
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        world.follow_pauses().await;
        world.store.tenant(ada.tenant).acts().expedite(ids[2], because("a fair")).await.unwrap();
        assert!(world.is_aside(ada, ids[2]).await);
        assert!(world.resume(&paused).await);
        let begun = world.begun().await;
        assert_eq!(begun.into_iter().filter(|id| ids.contains(id)).collect::<Vec<_>>(), [ids[2], ids[0], ids[1]]);
    }

    async fn a_job_in_quarantine_that_was_laid_aside_is_back_where_its_line_is(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.team("ada2", |plan| plan).await;
        let ids = world.submit_many_by(ada, 3).await;
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        world.follow_pauses().await;
        let acts = world.store.tenant(ada.tenant).acts();
        acts.quarantine(ids[0], because("why?")).await.unwrap();
        assert!(world.resume(&paused).await);
        acts.lift(ids[0], because("")).await.unwrap();
        assert_eq!(world.starts(ada, &ids).await, [0, 0, 1]);
        assert_eq!(world.begun().await.len(), 3);
    }

    async fn a_job_whose_quarantine_ends_while_its_tenant_is_paused_is_where_it_stood_among_the_others(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, eve) = (world.team("ada2", |plan| plan).await, world.team("eve", |plan| plan).await);
        let ids = world.submit_many_by(ada, 3).await;
        world.submit_many_by(eve, 20).await;
        let acts = world.store.tenant(ada.tenant).acts();
        for id in &ids[..2] {
            acts.quarantine(*id, because("why?")).await.unwrap();
        }
        let paused = format!("tenant:{}", ada.tenant);
        world.pause(&paused).await;
        assert_eq!(world.follow_pauses().await, 1);
        for _ in 0..10 {
            assert_eq!(world.begin_next().await, Some(eve.tenant));
        }
        for id in &ids[..2] {
            acts.lift(*id, because("")).await.unwrap();
            assert!(world.is_aside(ada, *id).await);
        }
        assert!(world.resume(&paused).await);
        let begun = world.begun().await;
        assert_eq!(begun.into_iter().filter(|id| ids.contains(id)).collect::<Vec<_>>(), ids);
    }
}
