//! What batches leave behind has a bound, and what goes wrong beside them keeps none of them open.

use super::{LEASE_MS, line};
use crate::World;
use domain::{
    ApiKeyId, FailureCode, Stage, VideoTime,
    batch::{BatchStatus, Closing, FaultCode, FilePurpose, LINES_KEPT_MAX, LineFault, LineState, WITHDRAWN_KEPT_MS},
    job::AttemptFailure,
};
use futures::future::join_all;
use store::{BatchRefusal, BatchRepetition, BatchSource, FileOwner, JobActError, NewBatch, NewLine, StoreError, chance, on_both_engines};

on_both_engines! {
    async fn what_is_kept_of_a_fault_is_short_and_can_be_stored(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let batch = world.batches().create(world.new_batch(BatchSource::File(file.id))).await.unwrap();
        let fault = LineFault::new(FaultCode::InvalidJson, format!("It is \0 and {}.", "x".repeat(1_000_000)));
        let lines = [line(1, Some(fault.clone()))];
        assert!(world.steps(&batch).add_lines(&batch, &lines, (1, 50), (None, LEASE_MS)).await.unwrap());
        let kept = world.batches().lines_in(batch.id, LineState::Invalid, None, 10).await.unwrap();
        assert_eq!(kept[0].fault, Some(fault.kept()));
    }

    async fn lines_with_a_field_that_no_request_has_are_counted_and_the_first_of_them_is_kept(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let mut batch = world.batches().create(world.new_batch(BatchSource::File(file.id))).await.unwrap();
        assert_eq!((batch.unknown_lines, batch.first_unknown.as_ref()), (0, None));
        let with = |n: u32, field: Option<&str>| NewLine { unknown_field: field.map(ToOwned::to_owned), ..line(n, None) };
        // As they are read, some at a time.
        for lines in [[with(1, None), with(2, None)], [with(3, Some("si\0e")), with(4, Some("promt"))], [with(5, None), with(6, Some("seeed"))]] {
            let read_bytes = u64::from(lines[1].line);
            assert!(world.steps(&batch).add_lines(&batch, &lines, (2, read_bytes), (None, LEASE_MS)).await.unwrap());
            batch = world.batches().get(batch.id).await.unwrap().unwrap();
        }
        assert_eq!((batch.unknown_lines, batch.first_unknown), (3, Some((3, "si\u{fffd}e".to_owned()))));
    }

    async fn more_lines_than_one_statement_adds_are_all_there(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(121).await;
        let lines = world.batches().lines_in(batch.id, LineState::Waiting, None, 1000).await.unwrap();
        assert!(batch.lines == 121 && lines.iter().map(|line| line.line).eq(1..=121), "{lines:?}");
    }

    async fn a_batch_that_fails_keeps_no_lines_that_could_be_made_and_goes_soon(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let batch = world.batches().create(world.new_batch(BatchSource::File(file.id))).await.unwrap();
        let steps = world.steps(&batch);
        let mut lines: Vec<_> = (1..=9).map(|n| line(n, None)).collect();
        lines.push(line(10, Some(LineFault::new(FaultCode::InvalidMethod, "no"))));
        assert!(steps.add_lines(&batch, &lines, (10, 50), (None, LEASE_MS)).await.unwrap());
        assert_eq!((steps.forget_sound(5).await.unwrap(), steps.forget_sound(5).await.unwrap()), (5, 4));
        let read = world.batches().get(batch.id).await.unwrap().unwrap();
        assert!(steps.validated(&read).await.unwrap());
        let ended = world.batches().get(batch.id).await.unwrap().unwrap();
        assert_eq!((ended.status, ended.lines, ended.invalid), (BatchStatus::Failed, 10, 1));
        assert_eq!(world.count("batch_lines").await, 1);
        world.dial.advance_ms(25 * 3_600_000);
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 1);
        // Of one that goes on nothing is forgotten.
        let going_on = world.batch(3).await;
        assert_eq!(world.steps(&going_on).forget_sound(5).await.unwrap(), 0);
        world.sql(&format!("UPDATE batches SET lines = {LINES_KEPT_MAX}")).await;
        let file = world.file(FilePurpose::Batch).await;
        let refused = world.batches().create(world.new_batch(BatchSource::File(file.id))).await;
        assert!(matches!(refused, Err(BatchRefusal::TooManyKept)));
    }

    async fn what_a_page_sent_goes_with_a_quote_of_which_nothing_came(database: TempDatabase) {
        let world = World::new(database).await;
        let quoted = async |owner: FileOwner| {
            let file = world.file(FilePurpose::Batch).await.id;
            let asked = NewBatch { owner, is_dry_run: true, ..world.new_batch(BatchSource::File(file)) };
            let quote = world.batches().create(asked).await.unwrap();
            assert!(world.steps(&quote).add_lines(&quote, &[line(1, None)], (1, 50), (None, LEASE_MS)).await.unwrap());
            let read = world.batches().get(quote.id).await.unwrap().unwrap();
            assert!(world.steps(&read).validated(&read).await.unwrap());
            file
        };
        let program = FileOwner { api_key: Some(ApiKeyId::from_uuid(chance::new_id())), ..world.owner() };
        let (left, started, of_program) = (quoted(world.owner()).await, quoted(world.owner()).await, quoted(program).await);
        world.batches().create(world.new_batch(BatchSource::File(started))).await.unwrap();
        world.dial.advance_ms(25 * 3_600_000);
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 3);
        let files = world.store.tenant(world.tenant).files();
        for (file, is_kept) in [(left, false), (started, true), (of_program, true)] {
            assert_eq!(files.get(file).await.unwrap().is_some(), is_kept);
        }
    }

    async fn what_another_batch_takes_over_is_kept_until_it_has_all_of_it(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let look = async |id| world.batches().get(id).await.unwrap().unwrap();
        let asked = NewBatch { is_dry_run: true, ..world.new_batch(BatchSource::File(file.id)) };
        let quote = world.batches().create(asked).await.unwrap();
        let lines: Vec<_> = (1..=3).map(|n| line(n, None)).collect();
        assert!(world.steps(&quote).add_lines(&quote, &lines, (3, 50), (Some("vignette-1"), LEASE_MS)).await.unwrap());
        assert!(world.steps(&quote).validated(&look(quote.id).await).await.unwrap());
        let started = world.batches().create(world.new_batch(BatchSource::Quote(quote.id))).await.unwrap();
        let steps = world.steps(&started);
        assert_eq!(steps.copy_lines(&started, quote.id, 1, LEASE_MS).await.unwrap(), Some(1));
        let taken = look(started.id).await;
        assert_eq!((taken.read_lines, taken.read_bytes), (1, 2), "the second line begins there");
        world.dial.advance_ms(25 * 3_600_000);
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 0);
        assert_eq!(steps.copy_lines(&taken, quote.id, 10, LEASE_MS).await.unwrap(), Some(2));
        let taken = look(started.id).await;
        assert_eq!((taken.read_lines, taken.read_bytes), (3, 50), "all of the file");
        assert!(steps.validated(&look(started.id).await).await.unwrap());
        assert_eq!(look(started.id).await.lines, 3);
        let late = world.batches().create(world.new_batch(BatchSource::Quote(quote.id))).await;
        assert!(matches!(late, Err(BatchRefusal::SourceUnknown)), "its lines may be half gone");
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 1);
    }

    async fn of_tries_that_come_at_once_all_find_one_batch(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        for key in [Some("a".to_owned()), None] {
            // A client without a key counts its tries, of which a later one may be here sooner.
            let repetition = |retry_count| BatchRepetition { key: key.clone(), retry_count: if key.is_some() { 0 } else { retry_count } };
            let is_dry_run = key.is_none();
            let new = |n| NewBatch { repetition: repetition(n), is_dry_run, ..world.new_batch(BatchSource::File(file.id)) };
            let made = join_all([3, 1, 6, 2, 5, 4].map(|n| world.batches().create(new(n)))).await;
            let ids: Vec<_> = made.into_iter().map(|made| made.unwrap().id).collect();
            assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        }
        assert_eq!(world.count("batches").await, 2);
    }

    async fn lines_of_a_question_that_was_given_up_are_not_made_by_trying_them_again(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let owner = FileOwner { api_key: Some(ApiKeyId::from_uuid(chance::new_id())), ..world.owner() };
        let asked = NewBatch { owner, is_dry_run: true, ..world.new_batch(BatchSource::File(file.id)) };
        let quote = world.batches().create(asked).await.unwrap();
        let steps = world.steps(&quote);
        assert!(steps.add_lines(&quote, &[line(1, None)], (1, 50), (None, LEASE_MS)).await.unwrap());
        world.batches().cancel(quote.id).await.unwrap().unwrap();
        assert_eq!(steps.withdraw_waiting(Closing::Cancelled, 10).await.unwrap(), 1);
        assert!(steps.finish(BatchStatus::Cancelled, None, None).await.unwrap());
        let again = world.batches().create(world.new_batch(BatchSource::FailedOf(quote.id))).await;
        assert!(matches!(again, Err(BatchRefusal::NothingFailed)), "{again:?}");
    }

    async fn a_line_that_has_failed_is_tried_again_with_its_batch_alone(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(2).await;
        let job = world.open(&batch, 1).await.unwrap().job.id;
        let others = world.batch(3).await;
        let mut open = world.batches().open_of_each().await.unwrap();
        open.sort_by_key(|(_, open)| open.lines);
        let seen: Vec<_> = open.into_iter().map(|(id, open)| (id, open.lines, open.work, open.has_more)).collect();
        assert_eq!(seen, [(others.id, 0, VideoTime::default(), true), (batch.id, 1, VideoTime::from_ms(2000), true)]);
        world.batches().cancel(others.id).await.unwrap();
        assert!(world.batches().open_of_each().await.unwrap().iter().all(|(id, open)| open.has_more == (*id == batch.id)), "it wants no more");
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        world.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        world.steps(&batch).collect(0, 10).await.unwrap();
        assert!(matches!(world.requeue(job).await, Err(JobActError::OfBatch)));
    }

    async fn a_job_that_cannot_be_read_keeps_no_batch_open(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(3).await;
        for n in 1..=3 {
            world.open(&batch, n).await.unwrap();
        }
        world.sql("UPDATE jobs SET seed = -1 WHERE batch_line = 1").await;
        world.batches().cancel(batch.id).await.unwrap().unwrap();
        let steps = world.steps(&batch);
        assert_eq!(steps.withdraw_jobs(Closing::Cancelled, 10).await.unwrap(), 2, "those behind it are withdrawn");
        steps.collect(0, 10).await.unwrap();
        steps.cancel_jobs(10).await.unwrap();
        let closed = world.batches().get(batch.id).await.unwrap().unwrap();
        assert_eq!((closed.finished, world.batches().open_lines(batch.id).await.unwrap().0), (3, 0));
        assert_eq!(steps.withdraw_waiting(Closing::Cancelled, 10).await.unwrap(), 0);
    }

    async fn a_batch_that_cannot_be_read_is_left_alone_for_as_long_as_any(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(1).await;
        world.sql("UPDATE batches SET completion_window = 'nonsense', status = 'nonsense'").await;
        assert_eq!(world.store.batch_rows().due(10).await.unwrap().len(), 1);
        assert!(world.steps(&batch).claim(LEASE_MS).await.is_err());
        assert!(world.store.batch_rows().due(10).await.unwrap().is_empty(), "others come first");
        world.dial.advance_ms(LEASE_MS);
        assert_eq!(world.store.batch_rows().due(10).await.unwrap().len(), 1);
    }

    async fn a_job_that_is_tried_once_more_while_its_end_is_noted_has_its_line_open(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(12).await;
        for n in 1..=12 {
            let job = world.open(&batch, n).await.unwrap().job.id;
            let claimed = world.claim(Stage::Sampling).await.unwrap();
            world.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
            let steps = world.steps(&batch);
            let (collected, tried) = if n % 2 == 0 {
                tokio::join!(steps.collect(0, 10), world.requeue(job))
            } else {
                let (tried, collected) = tokio::join!(world.requeue(job), steps.collect(0, 10));
                (collected, tried)
            };
            collected.unwrap();
            let line = world.batches().lines_after(batch.id, n - 1, 1).await.unwrap()[0].clone();
            let (is_open, is_going) = (line.state == LineState::Open, world.job(job).await.ended_at.is_none());
            assert_eq!((is_open, is_going), (tried.is_ok(), tried.is_ok()), "line {n}");
            world.store.tenant(world.tenant).jobs().cancel(job).await.unwrap();
        }
    }

    async fn small_batches_count_and_one_that_was_never_begun_goes_soon(database: TempDatabase) {
        let world = World::new(database).await;
        let file = world.file(FilePurpose::Batch).await;
        let empty = world.batches().create(world.new_batch(BatchSource::File(file.id))).await.unwrap();
        world.batches().cancel(empty.id).await.unwrap();
        assert!(world.steps(&empty).finish(BatchStatus::Cancelled, None, None).await.unwrap());
        let made = world.batch(1).await;
        world.steps(&made).withdraw_waiting(Closing::Cancelled, 10).await.unwrap();
        assert!(world.steps(&made).finish(BatchStatus::Cancelled, None, None).await.unwrap());
        // Of two batches one has 1 line, and the other as many as leave room for no more than 100.
        world.sql(&format!("UPDATE batches SET lines = {} WHERE lines = 0", LINES_KEPT_MAX - 100)).await;
        let refused = world.batches().create(world.new_batch(BatchSource::File(file.id))).await;
        assert!(matches!(refused, Err(BatchRefusal::TooManyKept)), "{refused:?}");
        world.dial.advance_ms(25 * 3_600_000);
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 1);
        assert!(world.batches().get(made.id).await.unwrap().is_some(), "of this one a line has ended");
        assert!(world.batches().create(world.new_batch(BatchSource::File(file.id))).await.is_ok());
    }

    async fn one_that_was_cancelled_before_anything_came_of_it_goes_after_a_week(database: TempDatabase) {
        let world = World::new(database).await;
        let mut ended = Vec::new();
        for has_failed in [false, true] {
            let batch = world.batch(2).await;
            let steps = world.steps(&batch);
            if has_failed {
                steps.fail_line(1, LineFault::new(FaultCode::InvalidJson, "no")).await.unwrap();
            }
            world.batches().cancel(batch.id).await.unwrap();
            steps.withdraw_waiting(Closing::Cancelled, 10).await.unwrap();
            assert!(steps.finish(BatchStatus::Cancelled, None, None).await.unwrap());
            ended.push(batch.id);
        }
        world.dial.advance_ms(WITHDRAWN_KEPT_MS - 1);
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 0);
        world.dial.advance_ms(1);
        assert_eq!(world.store.batch_rows().forget_old().await.unwrap(), 1);
        assert!(world.batches().get(ended[0]).await.unwrap().is_none());
        assert!(world.batches().get(ended[1]).await.unwrap().is_some(), "it says what was wrong");
        assert_eq!(world.count("batch_lines").await, 2);
    }

    async fn however_many_remove_a_batch_at_once_none_of_its_lines_is_left(database: TempDatabase) {
        let world = World::new(database).await;
        let batch = world.batch(1).await;
        let more = "WITH RECURSIVE numbers (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < 12000) \
             INSERT INTO batch_lines (batch_id, line, tenant_id, byte_offset, byte_length, state, billed_ms) \
             SELECT id, number, tenant_id, 0, 1, 'cancelled', 0 FROM batches CROSS JOIN numbers";
        world.sql(more).await;
        world.sql("UPDATE batches SET status = 'cancelled', ended_at_ms = 1, step_after_ms = NULL, remove_after_ms = 1").await;
        let removing = join_all((0..4).map(|_| world.store.batch_rows().forget_old()));
        assert!(removing.await.into_iter().all(|removed| removed.is_ok()));
        assert!(world.batches().get(batch.id).await.unwrap().is_none());
        assert_eq!(world.count("batch_lines").await, 0);
    }

    async fn no_file_arrives_for_a_team_that_is_gone(database: TempDatabase) {
        let world = World::new(database).await;
        let (tenant, user) = crate::account(&world.store, "bob@example.com").await;
        let files = world.store.tenant(tenant).files();
        let owner = FileOwner { user, api_key: None, project: None };
        files.announce(owner, "a").await.unwrap();
        world.store.accounts().delete(user).await.unwrap();
        assert!(matches!(files.announce(owner, "b").await, Err(StoreError::TenantGone(_))));
        // As one of a server that knew nothing of it.
        world.sql("UPDATE files SET unneeded_since_ms = NULL").await;
        world.store.deletions().finish().await.unwrap();
        let keys = world.store.file_rows().garbage(0, 10).await.unwrap();
        assert_eq!(keys.len(), 1);
    }
}
