//! Models as rows: what is on offer, under which names, and what becomes of the jobs of one that is not any more.

use crate::{LEASE_MS, World, worker};
use domain::{FailureCode, JobId, JobState, Model, Stage, catalog::testing, scheduling::Suspects};
use store::{OfferChange, Order, PageQuery, Texts, on_both_engines};

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

async fn offer(world: &World, models: &[Model]) -> OfferChange {
    world.store.models().offer(models).await.unwrap()
}

async fn ids(world: &World) -> Vec<String> {
    world.store.models().catalog().await.unwrap().models().iter().map(|model| model.id.clone()).collect()
}

fn named(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

async fn claim(world: &World, model: &str) -> Option<JobId> {
    let claimed = world.queue().claim(Stage::Sampling, worker(), &[model], LEASE_MS, Suspects::Take).await.unwrap();
    claimed.map(|claimed| claimed.token.job)
}

on_both_engines! {
    async fn what_is_offered_is_the_catalog_until_something_else_is(database: TempDatabase) {
        let world = World::new(database).await;
        let (video, image) = (testing::video_model(), testing::image_model());
        let change = offer(&world, &[video.clone(), image.clone()]).await;
        assert_eq!(change, OfferChange { added: named(&["tiny-1"]), ..OfferChange::default() });
        assert_eq!(ids(&world).await, ["vignette-1", "tiny-1"]);
        let dearer = Model { order: 30, ..video.clone() };
        let change = offer(&world, &[dearer.clone(), image.clone()]).await;
        assert_eq!(change, OfferChange { changed: named(&["vignette-1"]), ..OfferChange::default() });
        assert_eq!(world.store.models().catalog().await.unwrap().models(), [image.clone(), dearer]);
        let change = offer(&world, std::slice::from_ref(&image)).await;
        assert_eq!(change, OfferChange { withdrawn: named(&["vignette-1"]), ..OfferChange::default() });
        assert_eq!(ids(&world).await, ["tiny-1"]);
        assert_eq!(world.store.models().list().await.unwrap().iter().map(|row| row.is_offered).collect::<Vec<_>>(), [true, false]);
        assert_eq!(offer(&world, &[image]).await, OfferChange::default());
        assert_eq!(offer(&world, &[video]).await.added, ["vignette-1"]);
    }

    async fn an_alias_stands_for_one_model_and_can_be_moved_and_removed(database: TempDatabase) {
        let world = World::new(database).await;
        offer(&world, &[testing::video_model(), testing::image_model()]).await;
        let meant = async || world.store.models().catalog().await.unwrap().find("sora-2").map(|model| model.id.clone());
        for id in ["vignette-1", "tiny-1"] {
            world.store.models().set_alias("sora-2", id).await.unwrap();
            assert_eq!(meant().await.as_deref(), Some(id));
        }
        assert_eq!(world.store.models().list().await.unwrap()[1].aliases, ["sora-2"]);
        offer(&world, &[testing::video_model()]).await;
        assert_eq!(meant().await, None, "never another model");
        assert!(world.store.models().set_alias("nobody", "retired-1").await.is_err());
        assert!(world.store.models().remove_alias("sora-2").await.unwrap());
        assert!(!world.store.models().remove_alias("sora-2").await.unwrap());
    }

    async fn a_manifest_that_makes_no_sense_is_passed_over_and_written_down(database: TempDatabase) {
        let world = World::new(database).await;
        offer(&world, &[testing::video_model(), testing::image_model()]).await;
        world.sql(r#"UPDATE models SET manifest = REPLACE(manifest, '"default":4', '"default":0') WHERE id = 'tiny-1'"#).await;
        assert_eq!(ids(&world).await, ["vignette-1"]);
        let noted = world.store.operator().unreadable_rows().await.unwrap();
        assert_eq!((noted[0].table.as_str(), noted[0].row.as_str(), noted[0].column.as_str()), ("models", "tiny-1", "manifest"));
    }

    async fn a_manifest_that_cannot_be_read_keeps_nobody_waiting_for_the_writer(database: TempDatabase) {
        let world = World::new(database).await;
        offer(&world, &[testing::video_model(), testing::image_model()]).await;
        world.sql("UPDATE models SET manifest = '{' WHERE id = 'tiny-1'").await;
        let _hold = world.database.hold("BEGIN IMMEDIATE", "LOCK TABLE unreadable_rows IN ACCESS EXCLUSIVE MODE").await;
        assert_eq!(ids(&world).await, ["vignette-1"]);
    }

    async fn an_alias_is_set_only_where_the_offer_allows_it_at_that_moment(database: TempDatabase) {
        let world = World::new(database).await;
        let (video, image) = (testing::video_model(), testing::image_model());
        offer(&world, &[video, image.clone()]).await;
        let set = async |alias, id| world.store.models().set_alias(alias, id).await.unwrap();
        assert!(!set("tiny-1", "vignette-1").await, "a model's own id");
        assert!(set("sora-2", "vignette-1").await);
        offer(&world, &[image]).await;
        assert!(!set("sora-3", "vignette-1").await && !set("vignette-1", "tiny-1").await, "withdrawn since");
        assert!(world.store.models().list().await.unwrap().iter().all(|row| row.aliases.iter().all(|alias| alias == "sora-2")));
    }

    async fn what_a_model_has_for_its_id_is_no_alias_of_another(database: TempDatabase) {
        let world = World::new(database).await;
        world.store.models().set_alias("tiny-1", "vignette-1").await.unwrap();
        offer(&world, &[testing::video_model(), testing::image_model()]).await;
        offer(&world, &[testing::video_model()]).await;
        assert!(world.store.models().catalog().await.unwrap().find("tiny-1").is_none());
    }

    async fn jobs_that_cannot_be_read_keep_no_others_waiting_for_a_withdrawn_model(database: TempDatabase) {
        let world = World::new(database).await;
        for _ in 0..25 {
            world.submit().await;
        }
        world.sql("UPDATE jobs SET seed = -1 WHERE id IN (SELECT id FROM jobs ORDER BY created_at_ms LIMIT 21)").await;
        offer(&world, &[testing::image_model()]).await;
        assert_eq!(world.queue().fail_withdrawn(0).await.unwrap(), 4);
        // In passing: as many as are written down within a second.
        assert!(!world.store.operator().unreadable_rows().await.unwrap().is_empty());
    }

    async fn a_job_that_says_it_waits_and_does_not_ends_no_round(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        world.claim(Stage::Sampling).await;
        world.sql("UPDATE jobs SET waits_for = 'sampling'").await;
        let waiting = world.submit().await.id;
        offer(&world, &[testing::image_model()]).await;
        assert_eq!(world.queue().fail_withdrawn(0).await.unwrap(), 1);
        assert_eq!(world.state(waiting).await, "failed");
    }

    async fn a_job_of_a_model_that_is_not_on_offer_is_seen_and_only_claimed_by_who_has_the_model(database: TempDatabase) {
        let world = World::new(database).await;
        let job = world.submit().await;
        offer(&world, &[testing::image_model()]).await;
        let all = PageQuery { after: None, limit: 10, order: Order::NewestFirst };
        assert_eq!(world.store.tenant(world.tenant).jobs().list(all, Texts::Whole).await.unwrap().jobs, std::slice::from_ref(&job));
        assert!(world.store.operator().unreadable_rows().await.unwrap().is_empty());
        assert_eq!([claim(&world, "tiny-1").await, claim(&world, "vignette-1").await], [None, Some(job.id)]);
    }

    async fn jobs_that_wait_for_a_model_fail_an_hour_after_it_was_withdrawn(database: TempDatabase) {
        let world = World::new(database).await;
        let (running, waiting) = (world.submit().await.id, world.submit().await.id);
        let lease = world.claim(Stage::Sampling).await.unwrap();
        for _ in 0..25 {
            world.submit().await;
        }
        assert_eq!(world.queue().fail_withdrawn(HOUR_MS).await.unwrap(), 0);
        offer(&world, &[testing::image_model()]).await;
        world.dial.advance_ms(HOUR_MS - 1);
        assert_eq!(world.queue().fail_withdrawn(HOUR_MS).await.unwrap(), 0);
        world.dial.advance_ms(1);
        assert_eq!(world.queue().fail_withdrawn(HOUR_MS).await.unwrap(), 26);
        let JobState::Failed(failure) = world.job(waiting).await.lifecycle.state else { panic!("it waits still") };
        assert_eq!(failure.code, FailureCode::ModelWithdrawn);
        assert_eq!((lease.token.job, world.state(running).await), (running, "sampling"));
        assert_eq!(world.store.tenant(world.tenant).jobs().open_work().await.unwrap().ms(), 2000, "of the one that runs");
        offer(&world, &[testing::video_model()]).await;
        world.submit().await;
        world.dial.advance_ms(2 * HOUR_MS);
        assert_eq!(world.queue().fail_withdrawn(HOUR_MS).await.unwrap(), 0, "it is on offer again");
    }
}
