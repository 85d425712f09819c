//! What the rows of batches keep true by themselves, whoever writes them and however many at once.

mod bounds;
mod uploads;

use crate::World;
use domain::{
    Clock, VideoTime,
    batch::{BatchStatus, Closing, FaultCode, FileExpiry, FilePurpose, LineFault, LineState},
};
use futures::future::join_all;
use store::{
    Batch, BatchLineKey, BatchQuery, BatchRefusal, BatchRepetition, BatchSource, BatchSteps, Batches, FileDeletion, FileOwner, FileTerms,
    ListedJobs, NewBatch, NewLine, Order, PageQuery, Repetition, StoreError, SubmitError, Texts, Waiting, on_both_engines,
};

const LEASE_MS: i64 = 30_000;

impl World {
    fn batches(&self) -> Batches<'_> {
        self.store.tenant(self.tenant).batches()
    }

    fn steps(&self, batch: &Batch) -> BatchSteps<'_> {
        self.batches().steps(batch.id)
    }

    fn owner(&self) -> FileOwner {
        FileOwner { user: self.user, api_key: None, project: None }
    }

    async fn file(&self, purpose: FilePurpose) -> store::File {
        let files = self.store.tenant(self.tenant).files();
        let announced = files.announce(self.owner(), "a.jsonl").await.unwrap();
        let terms = FileTerms { name: "a.jsonl".into(), purpose, expiry: FileExpiry::default(), bytes: 100 };
        files.store(announced.id, terms).await.unwrap().unwrap()
    }

    fn new_batch(&self, source: BatchSource) -> NewBatch {
        let (endpoint, window) = ("/v1/videos".to_owned(), "1h".parse().unwrap());
        let (owner, output_expiry) = (self.owner(), FileExpiry::default());
        NewBatch {
            owner,
            endpoint,
            window,
            metadata: None,
            output_expiry,
            is_dry_run: false,
            source,
            repetition: BatchRepetition::default(),
            files_max: u64::MAX,
            file_bytes_max: u64::MAX,
        }
    }

    /// One whose lines are read.
    async fn batch(&self, lines: u32) -> Batch {
        let file = self.file(FilePurpose::Batch).await;
        let batch = self.batches().create(self.new_batch(BatchSource::File(file.id))).await.unwrap();
        let steps = self.steps(&batch);
        let found: Vec<_> = (1..=lines).map(|n| line(n, None)).collect();
        assert!(steps.add_lines(&batch, &found, (lines, 100), (Some("vignette-1"), LEASE_MS)).await.unwrap());
        let batch = self.batches().get(batch.id).await.unwrap().unwrap();
        assert!(steps.validated(&batch).await.unwrap());
        self.batches().get(batch.id).await.unwrap().unwrap()
    }

    async fn open(&self, batch: &Batch, line: u32) -> Result<store::Submitted, SubmitError> {
        let key = Repetition::Line(BatchLineKey { batch: batch.id, line });
        self.store.tenant(self.tenant).jobs().submit(self.new_job(), key).await
    }
}

fn line(n: u32, fault: Option<LineFault>) -> NewLine {
    let (custom_id, billed) = (Some(format!("line-{n}")), VideoTime::from_ms(2000));
    NewLine { line: n, custom_id, offset: u64::from(n), length: 1, billed, fault, unknown_field: None }
}

on_both_engines! {
    async fn a_line_is_one_job_however_many_submit_it_at_once(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(2).await;
        let opened = join_all((0..8).map(|_| world.open(&batch, 1))).await;
        let ids: Vec<_> = opened.iter().map(|opened| opened.as_ref().unwrap().job.id).collect();
        assert!(ids.iter().all(|id| *id == ids[0]));
        assert_eq!(opened.iter().filter(|opened| !opened.as_ref().unwrap().replayed).count(), 1);
        assert_eq!(world.texts("SELECT state FROM jobs WHERE batch_id IS NOT NULL").await.len(), 1);
        assert_eq!(world.batches().open_lines(batch.id).await.unwrap(), (1, VideoTime::from_ms(2000)));
        let other = world.submit().await.id;
        let twice = "UPDATE jobs SET batch_line = 1, batch_id = (SELECT id FROM batches) WHERE id <> (SELECT job_id FROM batch_lines WHERE line = 1)";
        assert!(is_refused(&world, twice).await, "no second job of the line, {other}");
    }

    async fn of_a_batch_that_is_closed_no_line_becomes_a_job(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(1).await;
        world.batches().cancel(batch.id).await.unwrap().unwrap();
        assert!(matches!(world.open(&batch, 1).await, Err(SubmitError::Store(StoreError::Raced { .. }))));
        assert_eq!(world.count("jobs").await, 0);
        let open: VideoTime = world.store.tenant(world.tenant).jobs().open_work().await.unwrap();
        assert_eq!(open, VideoTime::default(), "nothing is held for it");
        let steps = world.steps(&batch);
        assert_eq!(steps.withdraw_waiting(Closing::Cancelled, 10).await.unwrap(), 1);
        assert!(steps.finish(BatchStatus::Cancelled, None, None).await.unwrap());
        assert!(!steps.finish(BatchStatus::Cancelled, None, None).await.unwrap(), "it ends once");
        assert!(world.texts("SELECT kind FROM outbox WHERE kind LIKE 'batch.%'").await.is_empty(), "nobody wants to be told");
    }

    async fn a_batch_that_is_cancelled_while_it_ends_is_cancelled(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(1).await;
        let steps = world.steps(&batch);
        steps.fail_line(1, LineFault::new(FaultCode::InvalidJson, "no")).await.unwrap();
        // All of it has ended, and before its files are written somebody cancels it.
        assert_eq!(world.batches().cancel(batch.id).await.unwrap().unwrap().status, BatchStatus::Cancelling);
        steps.finalize(LEASE_MS).await.unwrap();
        assert!(steps.finish(BatchStatus::Completed, None, None).await.unwrap());
        assert_eq!(world.batches().get(batch.id).await.unwrap().unwrap().status, BatchStatus::Cancelled);
    }

    async fn a_file_is_kept_from_when_it_was_made_however_long_it_takes_to_arrive(database: TempDatabase) {
        let world = World::new(database).await;
        let files = world.store.tenant(world.tenant).files();
        let expiry = FileExpiry::parse(Some("created_at"), Some("3600")).unwrap();
        for (purpose, kept_ms) in [(FilePurpose::Batch, Some(3_600_000)), (FilePurpose::UserData, None)] {
            let announced = files.announce(world.owner(), "a.jsonl").await.unwrap();
            world.dial.advance_ms(90_000);
            let expiry = if kept_ms.is_some() { expiry } else { FileExpiry::default() };
            let stored = files.store(announced.id, FileTerms { name: "a.jsonl".into(), purpose, expiry, bytes: 100 }).await.unwrap().unwrap();
            assert_eq!(stored.expires_at.map(|at| at.ms() - stored.created_at.ms()), kept_ms);
        }
    }

    async fn jobs_are_listed_apart_from_lines_of_batches_and_batch_by_batch(database: TempDatabase) {
        use Order::{NewestFirst, OldestFirst};
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let (first, second) = (world.batch(3).await, world.batch(1).await);
        let early = world.submit().await.id;
        let mut lines = Vec::new();
        for n in 1..=3 {
            lines.push(world.open(&first, n).await.unwrap().job.id);
        }
        let other = world.open(&second, 1).await.unwrap().job.id;
        let late = world.submit().await.id;
        let listed = async |of, after, order| {
            let page = jobs.list_of(of, PageQuery { after, limit: 2, order }, Texts::LeftOut).await.unwrap();
            (page.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), page.has_more)
        };
        assert_eq!(listed(ListedJobs::All, None, NewestFirst).await, (vec![late, other], true));
        assert_eq!(listed(ListedJobs::Singles, None, NewestFirst).await, (vec![late, early], false));
        assert_eq!(listed(ListedJobs::Singles, Some(other), NewestFirst).await, (vec![early], false));
        assert_eq!(listed(ListedJobs::Singles, Some(early), OldestFirst).await, (vec![late], false));
        let of_first = ListedJobs::OfBatch(first.id);
        assert_eq!(listed(of_first, None, NewestFirst).await, (vec![lines[2], lines[1]], true));
        assert_eq!(listed(of_first, None, OldestFirst).await, (vec![lines[0], lines[1]], true));
        assert_eq!(listed(ListedJobs::OfBatch(second.id), None, NewestFirst).await, (vec![other], false));
        assert!(jobs.delete(lines[1]).await.unwrap() && jobs.delete(late).await.unwrap());
        assert_eq!(listed(of_first, Some(lines[1]), NewestFirst).await, (vec![lines[0]], false), "behind one that is deleted");
        assert_eq!(listed(of_first, Some(lines[1]), OldestFirst).await, (vec![lines[2]], false));
        assert_eq!(listed(of_first, Some(other), NewestFirst).await, (Vec::new(), false), "it is none of its lines");
        assert_eq!(listed(ListedJobs::Singles, None, NewestFirst).await, (vec![early], false));
        let (stranger, _) = crate::account(&world.store, "eve@example.com").await;
        for of in [ListedJobs::All, ListedJobs::Singles, of_first] {
            let page = PageQuery { after: None, limit: 2, order: NewestFirst };
            let theirs = world.store.tenant(stranger).jobs().list_of(of, page, Texts::LeftOut).await.unwrap();
            assert!(theirs.jobs.is_empty(), "{of:?}");
        }
    }

    async fn who_cancels_all_that_waits_leaves_lines_of_batches_to_their_batch(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let batch = world.batch(2).await;
        let lines = [world.open(&batch, 1).await.unwrap().job.id, world.open(&batch, 2).await.unwrap().job.id];
        let (alone, billed) = (world.submit().await.id, world.new_job().quote.billed);
        assert_eq!(jobs.own_waiting(world.user).await.unwrap().jobs, 3);
        assert_eq!(jobs.own_waiting_of_batches(world.user).await.unwrap(), Waiting { jobs: 2, billed: billed + billed });
        let of = jobs.batches_of(&[lines[0], alone]).await.unwrap();
        assert_eq!((of.get(&lines[0]).copied(), of.len()), (Some(batch.id), 1));
        let (stranger, eve) = crate::account(&world.store, "eve@example.com").await;
        assert!(world.store.tenant(stranger).jobs().batches_of(&lines).await.unwrap().is_empty(), "of another tenant");
        assert_eq!(jobs.own_waiting_of_batches(eve).await.unwrap(), Waiting::default());
        let cancelled = [jobs.cancel_own_waiting(world.user, None, 1).await.unwrap(), jobs.cancel_own_waiting(world.user, None, 1).await.unwrap()];
        assert_eq!((cancelled, world.state(alone).await), ([1, 0], "cancelled"));
        assert_eq!((world.state(lines[0]).await, world.state(lines[1]).await), ("ready", "ready"));
        assert_eq!((jobs.waiting().await.unwrap(), jobs.cancel_waiting(10).await.unwrap()), (Waiting::default(), 0), "of the whole team");
        world.submit().await;
        assert_eq!(jobs.waiting().await.unwrap(), Waiting { jobs: 1, billed });
        assert_eq!((jobs.cancel_waiting(1).await.unwrap(), jobs.cancel_waiting(1).await.unwrap()), (1, 0));
        assert_eq!((world.state(lines[0]).await, world.state(lines[1]).await), ("ready", "ready"));
        jobs.cancel(lines[0]).await.unwrap();
        assert_eq!(jobs.own_waiting_of_batches(world.user).await.unwrap().jobs, 1);
    }

    async fn two_who_read_the_same_input_write_each_line_once(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let batch = world.batches().create(world.new_batch(BatchSource::File(file.id))).await.unwrap();
        let steps = world.steps(&batch);
        let lines = [line(1, None), line(2, Some(LineFault::new(FaultCode::InvalidMethod, "no")))];
        let added = join_all((0..4).map(|_| steps.add_lines(&batch, &lines, (2, 50), (None, LEASE_MS)))).await;
        assert_eq!(added.into_iter().filter(|added| *added.as_ref().unwrap()).count(), 1);
        let read = world.batches().get(batch.id).await.unwrap().unwrap();
        assert_eq!((read.lines, read.invalid, read.read_bytes, read.quoted.ms()), (2, 1, 50, 2000));
        assert!(!steps.validated(&batch).await.unwrap(), "by what it was before");
        assert!(steps.validated(&read).await.unwrap());
        assert_eq!(world.batches().get(batch.id).await.unwrap().unwrap().status, BatchStatus::Failed);
    }

    async fn a_batch_is_in_one_hand_at_a_time_and_lines_that_end_are_numbered_once(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(20).await;
        let claims = join_all((0..4).map(|_| world.steps(&batch).claim(LEASE_MS))).await;
        assert_eq!(claims.into_iter().filter(|claim| claim.as_ref().unwrap().is_some()).count(), 1);
        let fault = || LineFault::new(FaultCode::InvalidParameter, "no");
        let steps = world.steps(&batch);
        join_all((1..=20).chain(1..=20).map(|n| steps.fail_line(n, fault()))).await.into_iter().for_each(|done| done.unwrap());
        let numbers: Vec<_> = world.batches().finished_lines(batch.id, 0, 100).await.unwrap().iter().map(|line| line.number.unwrap()).collect();
        assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
        assert!(world.batches().finished_lines(batch.id, 18, 100).await.unwrap().iter().all(|line| line.state == LineState::Failed));
        let ended = world.batches().get(batch.id).await.unwrap().unwrap();
        assert_eq!((ended.finished, ended.failed, ended.completed), (20, 20, 0));
    }

    async fn a_batch_stays_in_hand_as_long_as_that_is_said_and_no_longer(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(1).await;
        let (steps, other) = (world.steps(&batch), world.steps(&batch));
        assert!(steps.claim(LEASE_MS).await.unwrap().is_some());
        for _ in 0..3 {
            world.dial.advance_ms(LEASE_MS * 2 / 3);
            steps.renew(LEASE_MS).await.unwrap();
            assert!(other.claim(LEASE_MS).await.unwrap().is_none());
            assert!(world.store.batch_rows().due(10).await.unwrap().is_empty());
        }
        world.dial.advance_ms(LEASE_MS);
        assert!(other.claim(LEASE_MS).await.unwrap().is_some());
        other.withdraw_waiting(Closing::Cancelled, 10).await.unwrap();
        assert!(other.finish(BatchStatus::Cancelled, None, None).await.unwrap());
        steps.renew(LEASE_MS).await.unwrap();
        world.dial.advance_ms(LEASE_MS);
        assert!(world.store.batch_rows().due(10).await.unwrap().is_empty(), "it has ended");
    }

    async fn what_was_put_off_before_the_clock_was_put_back_goes_on_beside_what_is_due(database: TempDatabase) {
        let world = World::new(database).await;
        let (ahead, due) = (world.batch(1).await, world.batch(2).await);
        let later = world.dial.now().plus_ms(3_600_000).ms();
        world.sql(&format!("UPDATE batches SET step_after_ms = {later} WHERE lines = 1")).await;
        let found = async |limit| world.store.batch_rows().due(limit).await.unwrap().into_iter().map(|due| due.id).collect::<Vec<_>>();
        assert_eq!((found(10).await, found(1).await), (vec![due.id, ahead.id], vec![due.id]));
    }

    async fn a_batch_that_is_asked_for_again_is_the_first_one(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let create = async |key: Option<&str>, retry_count: u32, is_dry_run: bool| {
            let repetition = BatchRepetition { key: key.map(ToOwned::to_owned), retry_count };
            world.batches().create(NewBatch { repetition, is_dry_run, ..world.new_batch(BatchSource::File(file.id)) }).await
        };
        let first = create(Some("a"), 0, false).await.unwrap();
        assert_eq!(create(Some("a"), 0, false).await.unwrap().id, first.id);
        assert!(matches!(create(Some("a"), 0, true).await, Err(BatchRefusal::KeyReused)));
        let second = create(None, 0, true).await.unwrap();
        assert_eq!(create(None, 1, true).await.unwrap().id, second.id);
        assert_eq!(create(None, 2, true).await.unwrap().id, second.id);
        world.dial.advance_ms(16 * 60_000);
        assert_ne!(create(None, 3, true).await.unwrap().id, second.id, "that was long ago");
    }

    async fn a_second_batch_that_is_alike_is_another_one_also_where_it_is_tried_again(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let create = async |retry_count: u32| {
            let repetition = BatchRepetition { key: None, retry_count };
            world.batches().create(NewBatch { repetition, ..world.new_batch(BatchSource::File(file.id)) }).await.unwrap().id
        };
        let first = create(0).await;
        let second = create(0).await;
        assert_ne!(second, first, "nobody said that it was sent before");
        assert_eq!((create(1).await, create(1).await), (second, first), "each try finds a batch of its own");
        world.batches().confirm(first).await.unwrap();
        world.batches().confirm(second).await.unwrap();
        let third = create(1).await;
        assert!(third != first && third != second, "the client knows the other two: its first try of this one was lost");
        assert_eq!(create(2).await, third);
    }

    async fn another_teams_batches_and_files_are_not_there(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(1).await;
        let (stranger, _) = crate::account(&world.store, "eve@example.com").await;
        let other = world.store.tenant(stranger);
        assert!(other.batches().get(batch.id).await.unwrap().is_none() && other.batches().cancel(batch.id).await.unwrap().is_none());
        assert!(other.files().get(batch.input).await.unwrap().is_none());
        assert_eq!(other.files().delete(batch.input).await.unwrap(), FileDeletion::Unknown);
        assert!(other.batches().lines_after(batch.id, 0, 10).await.unwrap().is_empty());
        let query = BatchQuery { after: None, limit: 10, oldest_first: false };
        assert!(other.batches().list(query).await.unwrap().batches.is_empty());
        let refused = other.batches().create(NewBatch { ..world.new_batch(BatchSource::File(batch.input)) }).await;
        assert!(matches!(refused, Err(BatchRefusal::InputUnknown)));
        let refused = other.batches().create(world.new_batch(BatchSource::FailedOf(batch.id))).await;
        assert!(matches!(refused, Err(BatchRefusal::SourceUnknown)));
    }

    async fn a_file_is_for_one_purpose_and_stays_while_it_is_read(database: TempDatabase) {
        let world = World::new(database).await;
        let files = world.store.tenant(world.tenant).files();
        let other = world.file(FilePurpose::UserData).await;
        assert!(matches!(world.batches().create(world.new_batch(BatchSource::File(other.id))).await, Err(BatchRefusal::InputNotForBatches)));
        let batch = world.batch(1).await;
        assert_eq!(files.delete(batch.input).await.unwrap(), FileDeletion::InUse);
        // Not when its time has come either.
        world.dial.advance_ms(31 * 24 * 3_600_000);
        world.store.file_rows().expire().await.unwrap();
        assert!(files.get(batch.input).await.unwrap().is_some());
        world.steps(&batch).withdraw_waiting(Closing::Expired, 10).await.unwrap();
        world.steps(&batch).finish(BatchStatus::Expired, None, None).await.unwrap();
        world.store.file_rows().expire().await.unwrap();
        assert!(files.get(batch.input).await.unwrap().is_none());
        let keys = world.store.file_rows().garbage(0, 10).await.unwrap();
        assert_eq!(keys.len(), 1);
        world.store.file_rows().forget(&keys).await.unwrap();
        world.dial.advance_ms(91 * 24 * 3_600_000);
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 1);
        assert_eq!((world.count("batches").await, world.count("batch_lines").await), (0, 0));
    }
}

async fn is_refused(world: &World, statement: &str) -> bool {
    use sea_orm::ConnectionTrait;
    let db = sea_orm::Database::connect(world.database.url_of_all()).await.unwrap();
    let refused = db.execute_unprepared(statement).await.is_err();
    db.close().await.unwrap();
    refused
}
