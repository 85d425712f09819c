//! A job that was taken in keeps its price, and how that came about, whatever the catalog says later.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use domain::{JobId, JobRequest, Quote, VideoTime};
use service::{Accepted, Services, Submission, SubmitError, User};
use store::{
    Order, PageQuery,
    objects::{ObjectsConfig, open},
    on_both_engines,
    testing::TempDatabase,
};
use tempfile::TempDir;

/// A product that has taken in one job, of 48 steps at the default size: 4 seconds.
struct World {
    services: Services,
    user: User,
    job: JobId,
    database: TempDatabase,
    _folder: TempDir,
}

impl World {
    async fn new(database: TempDatabase) -> Self {
        let folder = TempDir::new().unwrap();
        let store = database.open().await.unwrap();
        let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let services = Services::new(store, objects);
        let user = services.sign_up("ada@example.com", "correct horse battery").await.unwrap();
        let request = JobRequest { prompt: "the sea".into(), steps: Some("48".into()), ..JobRequest::default() };
        let view = services.submit(user.actor(), Submission { request, ..Submission::default() }).await.unwrap().job;
        assert_eq!(view.quote, quote(1000, 24, 4000));
        Self { services, user, job: view.id, database, _folder: folder }
    }

    /// The quote that the job's own page shows, and the one in a list.
    async fn shown(&self) -> [Quote; 2] {
        let alone = self.services.job(self.user.actor(), self.job).await.unwrap().unwrap();
        let page = PageQuery { after: None, limit: 1, order: Order::NewestFirst };
        let (listed, _) = self.services.jobs(self.user.actor(), page).await.unwrap();
        [alone.quote, listed[0].quote]
    }
}

fn quote(size_weight_permille: u32, steps_default: u32, billed_ms: u64) -> Quote {
    let (duration, billed) = (VideoTime::from_ms(2000), VideoTime::from_ms(billed_ms));
    Quote { duration, size_weight_permille, steps: 48, steps_default, billed }
}

on_both_engines! {
    async fn a_job_keeps_its_quote_when_the_catalog_has_other_numbers(database: TempDatabase) {
        let world = World::new(database).await;
        assert_eq!(world.shown().await, [quote(1000, 24, 4000); 2]);
        world.database.damage("UPDATE jobs SET size_weight_permille = 1250, steps_default = 30, billed_ms = 4000").await;
        assert_eq!(world.shown().await, [quote(1250, 30, 4000); 2]);
    }

    async fn nothing_is_taken_in_for_another_price_than_was_shown_and_what_was_taken_in_is_found_again(database: TempDatabase) {
        let world = World::new(database).await;
        let request = JobRequest { prompt: "the moon".into(), ..JobRequest::default() };
        let submit = async |shown_ms| {
            let (shown_price, idempotency_key) = (Some(VideoTime::from_ms(shown_ms)), Some("k".to_owned()));
            let submission = Submission { request: request.clone(), shown_price, idempotency_key, ..Submission::default() };
            world.services.submit(world.user.actor(), submission).await
        };
        let refused = submit(1999).await;
        assert!(matches!(refused, Err(SubmitError::PriceNotShown(price)) if price.ms() == 2000), "{refused:?}");
        let Accepted { job, replayed, .. } = submit(2000).await.unwrap();
        assert!(!replayed);
        let dearer = domain::Model { steps: domain::catalog::Bounds { min: 1, max: 200, default: 12 }, ..domain::catalog::testing::video_model() };
        world.services.store.models().offer(&[dearer]).await.unwrap();
        let Accepted { job: again, replayed, .. } = submit(1).await.unwrap();
        assert_eq!((again.id, replayed, again.quote.billed.ms()), (job.id, true, 2000));
    }

    async fn a_job_from_before_quotes_were_stored_keeps_what_it_is_billed(database: TempDatabase) {
        let world = World::new(database).await;
        world.database.damage("UPDATE jobs SET size_weight_permille = NULL, steps_default = NULL, billed_ms = 1234").await;
        assert_eq!(world.shown().await, [quote(1000, 24, 1234); 2]);
    }
}
