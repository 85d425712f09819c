//! The check of everything that is stored: silent about a sound product, and exact about each kind of damage.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod stored;

use bytes::Bytes;
use domain::Stage;
use service::check::Flaw;
use std::{fs, time::Duration};
use store::{ArtifactKind::Latents, on_both_engines, testing::TempDatabase};
use stored::{BYTES, World};

impl World {
    /// What a thorough check calls wrong, which names `what`.
    async fn flaws(&self, what: &str) -> Vec<Flaw> {
        let report = self.check(true, Duration::ZERO).await;
        let mut flaws: Vec<Flaw> = report.findings.iter().map(|finding| finding.flaw).collect();
        flaws.sort();
        let named = report.findings.iter().flat_map(|finding| &finding.examples).any(|example| example.contains(what));
        assert!(named, "{what} is not named: {report}");
        flaws
    }

    /// The flaws after this statement, for which the video that was made stands.
    async fn damaged(database: TempDatabase, sql: &str) -> Vec<Flaw> {
        let world = Self::new(database).await;
        world.database.damage(sql).await;
        world.flaws(&world.completed.to_string()).await
    }
}

on_both_engines! {
    async fn a_product_at_work_has_no_flaws(database: TempDatabase) {
        let world = World::new(database).await;
        for _ in 0..3 {
            world.submit().await;
        }
        let sampling = world.claim(Stage::Sampling).await;
        world.upload(&sampling, &[Latents]).await;
        let jobs = world.services.store.tenant(world.user.tenant).jobs();
        jobs.cancel(world.submit().await).await.unwrap();
        let deleted = world.claim(Stage::Sampling).await;
        world.upload(&deleted, &[Latents]).await;
        jobs.delete(deleted.job).await.unwrap();
        let report = world.check(true, Duration::ZERO).await;
        assert!(report.is_clean(), "{report}");
        let states: Vec<(&str, u64)> = report.jobs.iter().map(|(state, count)| (&**state, *count)).collect();
        assert_eq!(states, [("cancelled", 2), ("ready", 1), ("sampling", 1), ("succeeded", 1)]);
        assert_eq!((report.objects, report.garbage), (3, 2));
    }

    async fn a_column_that_contradicts_the_state_is_found(database: TempDatabase) {
        assert_eq!(World::damaged(database, "UPDATE jobs SET waits_for = 'sampling'").await, [Flaw::RowContradictory]);
    }

    async fn a_completed_job_without_its_file_is_found(database: TempDatabase) {
        let flaws = World::damaged(database, "DELETE FROM artifacts WHERE kind = 'video'").await;
        assert_eq!(flaws, [Flaw::FileMissing, Flaw::ObjectUnnamed]);
    }

    async fn a_second_result_is_found(database: TempDatabase) {
        let columns = "object_key, content_type, bytes, sha256, committed, unneeded_since_ms, created_at_ms";
        let values = format!("SELECT job_id, kind, epoch + 1, {columns} FROM artifacts WHERE kind = 'video'");
        let sql = format!("INSERT INTO artifacts (job_id, kind, epoch, {columns}) {values}");
        assert_eq!(World::damaged(database, &sql).await, [Flaw::ResultTwice]);
    }

    async fn a_result_of_a_job_that_is_not_completed_is_found(database: TempDatabase) {
        assert_eq!(World::damaged(database, "UPDATE jobs SET state = 'cancelled'").await, [Flaw::ResultWithoutEnd]);
    }

    async fn a_lease_that_nobody_takes_back_is_found(database: TempDatabase) {
        let world = World::new(database).await;
        let job = world.submit().await;
        world.claim(Stage::Sampling).await;
        world.database.damage("UPDATE jobs SET lease_expires_at_ms = 1 WHERE state = 'sampling'").await;
        assert_eq!(world.flaws(&job.to_string()).await, [Flaw::LeaseForgotten]);
    }

    async fn an_object_that_the_garbage_collection_forgot_is_found(database: TempDatabase) {
        let flaws = World::damaged(database, "UPDATE artifacts SET unneeded_since_ms = NULL WHERE kind = 'latents'").await;
        assert_eq!(flaws, [Flaw::GarbageForgotten]);
    }

    async fn an_object_that_is_gone_is_found(database: TempDatabase) {
        let world = World::new(database).await;
        let key = world.video_key().await;
        world.services.objects.delete(&key).await.unwrap();
        assert_eq!(world.flaws(&key).await, [Flaw::ObjectMissing]);
    }

    async fn an_object_of_another_size_is_found_by_any_check_and_other_bytes_by_their_hash(database: TempDatabase) {
        let world = World::new(database).await;
        let key = world.video_key().await;
        let mut other = BYTES.to_vec();
        other[0] ^= 1;
        world.services.objects.put(&key, "video/mp4", other.into()).await.unwrap();
        assert!(world.check(false, Duration::ZERO).await.is_clean());
        assert_eq!(world.flaws(&key).await, [Flaw::ObjectDiffers]);
        world.services.objects.put(&key, "video/mp4", Bytes::from_static(b"short")).await.unwrap();
        assert!(!world.check(false, Duration::ZERO).await.is_clean());
    }

    async fn what_no_row_names_is_found_once_it_is_old_enough(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.objects.put("tenants/nobody/video.mp4", "video/mp4", BYTES).await.unwrap();
        let young = world.check(false, Duration::from_secs(600)).await;
        assert_eq!((young.is_clean(), young.young_strays), (true, 1));
        assert_eq!(world.flaws("tenants/nobody/video.mp4").await, [Flaw::ObjectUnnamed]);
    }

    async fn what_a_killed_process_was_writing_is_found(database: TempDatabase) {
        let world = World::new(database).await;
        fs::write(world.folder.path().join("objects/tenants/.0190aaaa"), "half").unwrap();
        assert_eq!(world.flaws("tenants/.0190aaaa").await, [Flaw::TemporaryLeft]);
    }
}
