//! Batches from their first line to their last: each line one job, charged once, whatever is broken off on the way.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod asked_again;
mod closing;
mod left_alone;
mod lines;
mod long_lines;
mod turns;
mod world;

use domain::{
    Actor, VideoTime,
    batch::{BatchStatus, BatchWait, FILE_BYTES_MAX, FileExpiry, FilePurpose},
    billing::{GrantKind, Included, Lane, Plan},
};
use futures::future::join_all;
use lines::{Site, line};
use service::{BatchError, BatchView, FileError, NewFile};
use std::collections::BTreeSet;
use store::{FileQuery, NewGrant, on_both_engines, testing::TempDatabase};

const HOUR_MS: i64 = 3_600_000;

fn numbered(lines: u32) -> String {
    (0..lines).map(|n| line(&format!("line-{n}"), "a red ball")).collect()
}

on_both_engines! {
    async fn every_line_becomes_one_job_and_is_charged_once_however_often_the_work_is_broken_off(database: TempDatabase) {
        let site = Site::new(database).await;
        let before = site.charged().await;
        let batch = site.batch(&numbered(60), "24h").await;
        let mut turns = 0;
        while !site.look(batch).await.batch.status.is_final() {
            // Dropped wherever it is; its lease runs out.
            site.step_broken_off_after(turns * 7 % 90).await;
            if turns % 5 == 4 {
                site.step().await;
                site.make_all().await;
            }
            turns += 1;
            assert!(turns < 2000, "{:?}", site.look(batch).await);
        }
        let BatchView { batch: ended, .. } = site.look(batch).await;
        assert_eq!((ended.status, ended.lines, ended.completed, ended.failed), (BatchStatus::Completed, 60, 60, 0));
        assert_eq!(ended.charged, ended.quoted);
        assert_eq!(site.charged().await, before + ended.charged, "the ledger says the same");
        let jobs = site.texts("SELECT CAST(batch_line AS TEXT) FROM jobs WHERE batch_id IS NOT NULL").await;
        assert_eq!((jobs.len(), jobs.iter().collect::<BTreeSet<_>>().len()), (60, 60));
        assert_eq!(site.texts("SELECT DISTINCT lane FROM jobs WHERE batch_id IS NOT NULL").await, ["batch"]);
        let traces = site.texts("SELECT COALESCE(substr(traceparent, 4, 32), '') FROM jobs WHERE batch_id IS NOT NULL").await;
        assert_eq!(traces.iter().filter(|trace| trace.len() == 32).collect::<BTreeSet<_>>().len(), 60, "each has one of its own");
        assert_eq!(site.events().await, ["batch.completed"]);
        let output = site.content(ended.output.unwrap()).await;
        let names: Vec<_> = output.lines().map(|line| line.split('|').nth(1).unwrap().to_owned()).collect();
        assert_eq!(names, (0..60).map(|n| format!("line-{n}")).collect::<Vec<_>>(), "in the order of the input");
        assert_eq!(ended.errors, None);
        site.settle().await;
        assert_eq!(site.stored_files().await, 2, "nothing is left of files that were begun and broken off");
    }

    async fn all_that_is_wrong_is_told_by_line_and_nothing_is_made(database: TempDatabase) {
        let site = Site::new(database).await;
        let text = [line("a", "sea"), "nonsense\n".into(), "\n".into(), line("a", "again"), line("b", ""), line("c", "ok")].concat();
        let batch = site.batch(&text, "24h").await;
        site.step().await;
        let view = site.look(batch).await;
        let told: Vec<_> = view.faults.iter().map(|(line, fault)| (*line, fault.code.as_str())).collect();
        assert_eq!(told, [(2, "invalid_json_line"), (4, "duplicate_custom_id"), (5, "prompt_empty")]);
        assert_eq!((view.batch.status, view.batch.lines, view.batch.invalid), (BatchStatus::Failed, 5, 3));
        assert_eq!(site.events().await, ["batch.failed"]);
        assert_eq!(site.results(batch).await.len(), 3);
        assert_eq!(site.texts("SELECT state FROM jobs").await, Vec::<String>::new());
        for (text, code) in [(String::new(), "empty_file"), ("\n \n".into(), "empty_file")] {
            let batch = site.batch(&text, "24h").await;
            site.step().await;
            let view = site.look(batch).await;
            assert_eq!((view.batch.status, view.faults[0].1.code.as_str(), view.faults.len()), (BatchStatus::Failed, code, 1));
        }
    }

    async fn thousands_of_lines_are_read_in_short_transactions_and_more_than_a_plan_allows_are_refused(database: TempDatabase) {
        let site = Site::new(database).await;
        let batch = site.quoted(&numbered(3000)).await;
        site.step().await;
        let view = site.look(batch).await;
        assert_eq!((view.batch.status, view.batch.lines), (BatchStatus::Completed, 3000));
        assert_eq!(view.batch.quoted.ms() % 3000, 0);
        assert_eq!(site.events().await, Vec::<String>::new(), "nobody waits for the end of a question");
        assert_eq!(site.texts("SELECT state FROM jobs").await, Vec::<String>::new());
        site.set_plan(|plan| Plan { batch_size_max: Some(10), ..plan }).await;
        let batch = site.batch(&numbered(11), "24h").await;
        site.step().await;
        assert_eq!(site.look(batch).await.faults[0].1.code, "too_many_lines");
    }

    async fn no_more_of_a_batch_is_open_than_its_plan_lets_and_single_requests_keep_their_room(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { open_work_max_ms: VideoTime::from_ms(16_000), ..plan }).await;
        let batch = site.batch(&numbered(40), "24h").await;
        for _ in 0..6 {
            site.step().await;
        }
        let view = site.look(batch).await;
        assert_eq!(view.open.lines, 6, "of 16 seconds three quarters");
        assert_eq!(view.batch.wait.unwrap().0, BatchWait::Pace);
        site.world.make(&site.world.ada, "one beside it").await;
        while !site.look(batch).await.batch.status.is_final() {
            site.step().await;
            assert!(site.look(batch).await.open.lines <= 6);
            site.make_all().await;
        }
        assert_eq!(site.look(batch).await.batch.completed, 40);
    }

    async fn a_long_input_is_read_in_several_turns_and_empty_lines_are_no_work(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { batch_size_max: None, ..plan }).await;
        let batch = site.quoted(&format!("{}{}", "\n".repeat(100_000), numbered(10_500))).await;
        site.step().await;
        let view = site.look(batch).await;
        assert_eq!((view.batch.status, view.batch.read_lines, view.batch.lines), (BatchStatus::Validating, 110_000, 10_000));
        site.step().await;
        let view = site.look(batch).await;
        assert_eq!((view.batch.status, view.batch.lines), (BatchStatus::Completed, 10_500));
    }

    async fn many_looks_at_once_have_their_estimate(database: TempDatabase) {
        let site = Site::new(database).await;
        site.measured_worker().await;
        let batch = site.quoted(&numbered(10)).await;
        site.step().await;
        join_all((0..4).map(|_| site.look(batch))).await;
        let mut eta = None;
        for _ in 0..50 {
            eta = eta.or(site.look(batch).await.eta.ok());
            tokio::task::yield_now().await;
        }
        assert!(eta.is_some(), "none waits for a turn that another one holds");
    }

    async fn when_all_is_made_the_end_is_told_until_it_is_written_down(database: TempDatabase) {
        let site = Site::new(database).await;
        site.measured_worker().await;
        let batch = site.batch(&numbered(2), "24h").await;
        site.step().await;
        site.step().await;
        site.make_all().await;
        let (mut eta, now) = (None, site.world.services.store.now().await.unwrap());
        for _ in 0..50 {
            eta = eta.or(site.look(batch).await.eta.ok());
            tokio::task::yield_now().await;
        }
        assert_eq!(site.look(batch).await.batch.status, BatchStatus::InProgress);
        assert_eq!(eta.map(|eta| eta.p90_at), Some(now));
    }

    async fn lines_wait_for_credit_and_go_on_when_there_is_some(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { included: Included::MonthlyMs(VideoTime::from_ms(4000)), overage: None, ..plan }).await;
        let batch = site.batch(&numbered(3), "24h").await;
        for _ in 0..4 {
            site.step().await;
            site.make_all().await;
        }
        let view = site.look(batch).await;
        assert_eq!((view.batch.completed, view.batch.wait.map(|(wait, _)| wait)), (2, Some(BatchWait::Credit)));
        let credits = site.world.services.store.tenant(site.world.ada.tenant);
        let gift = NewGrant { kind: GrantKind::Gift, amount: VideoTime::from_minutes(1), expires_at: None, cause: "x".into(), price: None, note: None };
        credits.credits().grant(gift).await.unwrap();
        site.run_until_ended(batch).await;
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.status, ended.completed, ended.charged), (BatchStatus::Completed, 3, ended.quoted));
    }

    async fn at_the_end_of_its_window_the_rest_expires_and_what_runs_is_delivered(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { concurrency: Some(1), ..plan }).await;
        let batch = site.batch(&numbered(5), "1h").await;
        for _ in 0..3 {
            site.step().await;
        }
        let running = site.begin_one().await;
        site.world.dial.advance_ms(HOUR_MS);
        for _ in 0..4 {
            site.step().await;
        }
        let view = site.look(batch).await;
        assert_eq!((view.batch.status, view.open.lines, view.batch.failed), (BatchStatus::InProgress, 1, 4), "{view:?}");
        site.end_one(&running).await;
        site.run_until_ended(batch).await;
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.status, ended.completed, ended.failed), (BatchStatus::Expired, 1, 4));
        assert_eq!(ended.charged.ms() * 5, ended.quoted.ms(), "what was made is charged and nothing else");
        assert!(site.content(ended.errors.unwrap()).await.lines().all(|line| line.ends_with("batch_expired")));
        assert_eq!(site.events().await, ["batch.expired"]);
    }

    async fn who_looks_at_a_batch_has_none_of_its_ended_lines_counted(database: TempDatabase) {
        let site = Site::new(database).await;
        let batch = site.batch(&numbered(2), "24h").await;
        site.step().await;
        site.world.services.cancel_batch(site.actor(), batch).await.unwrap().unwrap();
        site.run_until_ended(batch).await;
        site.world.database.damage("UPDATE batch_lines SET billed_ms = -1").await;
        assert_eq!(site.look(batch).await.batch.failed, 2);
        assert!(site.world.services.unmade_lines(site.actor(), batch).await.is_err(), "who counts them finds what is wrong");
    }

    async fn a_file_that_cannot_be_begun_takes_no_room(database: TempDatabase) {
        let site = Site::new(database).await;
        let root = site.world.folder.path();
        let aside = root.with_extension("aside");
        std::fs::rename(root, &aside).unwrap();
        std::fs::write(root, "no folder").unwrap();
        assert!(matches!(site.world.services.begin_file(site.actor()).await, Err(FileError::Object(_))));
        std::fs::remove_file(root).unwrap();
        std::fs::rename(&aside, root).unwrap();
        let files = site.world.services.store.tenant(site.world.ada.tenant).files();
        for _ in 0..1000 {
            if files.used().await.unwrap().files == 0 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        assert_eq!(files.used().await.unwrap().files, 0);
    }

    async fn a_dry_run_promises_what_the_release_rate_lets_in(database: TempDatabase) {
        let site = Site::new(database).await;
        let rate = Some(VideoTime::from_minutes(1));
        site.set_plan(|plan| Plan { lane: Lane::Batch, release_rate: rate, open_work_max_ms: VideoTime::from_minutes(10_000), ..plan }).await;
        site.measured_worker().await;
        // 6,000 clips of two seconds: 200 video-minutes.
        let batch = site.quoted(&numbered(6000)).await;
        site.step().await;
        let mut view = site.look(batch).await;
        for _ in 0..50 {
            if view.eta.is_ok() {
                break;
            }
            tokio::task::yield_now().await;
            view = site.look(batch).await;
        }
        assert_eq!(view.batch.quoted, VideoTime::from_minutes(200));
        let eta = view.eta.unwrap();
        let minutes = |at: domain::Timestamp| at.ms_since(view.batch.created_at) / 60_000;
        assert!((200..=215).contains(&minutes(eta.p50_at)), "{} minutes", minutes(eta.p50_at));
        assert!(eta.p90_at >= eta.p50_at && minutes(eta.p90_at) < 300, "{} minutes", minutes(eta.p90_at));
    }

    async fn an_upload_that_breaks_off_leaves_nothing_and_no_team_fills_the_store(database: TempDatabase) {
        let site = Site::new(database).await;
        let services = &site.world.services;
        let mut upload = services.begin_file(site.actor()).await.unwrap();
        upload.write(vec![7; 100_000].into()).await.unwrap();
        assert_eq!(site.listed().await, 0, "a file counts when it is whole");
        drop(upload);
        // As if the process had ended: nobody gives it up.
        let mut lost = services.begin_file(site.actor()).await.unwrap();
        lost.write(vec![7; 100_000].into()).await.unwrap();
        std::mem::forget(lost);
        site.world.dial.advance_ms(2 * HOUR_MS);
        services.expire_files(Actor::System).await.unwrap();
        site.settle().await;
        assert_eq!(site.stored_files().await, 0);
        assert_eq!(site.texts("SELECT name FROM files").await, Vec::<String>::new());

        let small = services.clone().with_files_max(2000);
        let mut first = small.begin_file(site.actor()).await.unwrap();
        first.write(vec![7; 2000].into()).await.unwrap();
        let new = NewFile { name: "../a.jsonl".into(), purpose: FilePurpose::Batch, expiry: FileExpiry::default() };
        let file = first.finish(new).await.unwrap();
        assert_eq!((file.name.as_str(), file.bytes), ("a.jsonl", 2000));
        assert!(matches!(small.begin_file(site.actor()).await, Err(FileError::NoRoom { .. })));
        let request = site.request(file.id, "24h", false);
        assert!(matches!(small.create_batch(site.actor(), request.clone()).await, Err(BatchError::NoRoom { .. })));
        services.create_batch(site.actor(), request).await.unwrap();
        assert!(matches!(services.delete_file(site.actor(), file.id).await, Err(FileError::InUse)));
    }

    async fn an_account_that_goes_takes_its_batches_and_files_along(database: TempDatabase) {
        let site = Site::new(database).await;
        let services = &site.world.services;
        let bob = services.sign_up("bob@example.com", world::PASSWORD).await.unwrap();
        let file = site.upload_by(bob.actor(), &line("zebrafinch", "sea")).await;
        let batch = services.create_batch(bob.actor(), site.request(file, "24h", false)).await.unwrap().batch;
        site.step().await;
        site.step().await;
        assert!(services.batch(site.actor(), batch.id).await.unwrap().is_none(), "another team's");
        assert_eq!(services.unmade_lines(site.actor(), batch.id).await.unwrap(), None);
        services.delete_account(bob.actor(), world::PASSWORD, "198.51.100.7").await.unwrap();
        site.step().await;
        site.world.settle().await;
        assert!(!site.world.holds("zebrafinch").await);
        assert_eq!(site.stored_files().await, 0);
        assert_eq!(site.texts("SELECT status FROM batches").await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused_before_it_is_whole() {
    let site = Site::new(TempDatabase::sqlite()).await;
    let mut upload = site.world.services.begin_file(site.actor()).await.unwrap();
    let piece = bytes::Bytes::from(vec![0; 16 * 1024 * 1024]);
    let mut written = 0;
    let refused = loop {
        match upload.write(piece.clone()).await {
            Ok(()) => written += piece.len() as u64,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, FileError::TooLarge) && written <= FILE_BYTES_MAX, "{refused} after {written}");
    drop(upload);
    let listed = site.world.services.files(site.actor(), FileQuery { after: None, limit: 10, oldest_first: false, purpose: None });
    assert!(listed.await.unwrap().files.is_empty());
}
