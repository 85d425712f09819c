//! The log of requests: pages, filters, whose they are, and one request with all its times.

use crate::{LEASE_MS, MODELS, World, account, new_job};
use domain::{
    Clock, FailureCode, JobId, Stage, WorkerId,
    job::{AttemptFailure, FailureClass},
    metrics::{Phase, PhaseTimes, StretchOf},
    scheduling::Suspects,
};
use store::{
    on_both_engines,
    requests::{MadeBy, RequestFilter, RequestPage, RequestPlace, RequestStatus, SharedWith, Slow},
};
use uuid::Uuid;

fn ids(page: &RequestPage) -> Vec<JobId> {
    page.rows.iter().map(|row| row.id).collect()
}

on_both_engines! {
    async fn pages_go_on_where_the_one_before_ended_and_show_their_own_alone(database: TempDatabase) {
        let world = World::new(database).await;
        let (eve, eves_user) = account(&world.store, "eve@example.com").await;
        let mut mine = Vec::new();
        for _ in 0..5 {
            mine.push(world.submit().await.id);
        }
        let theirs = world.store.tenant(eve).jobs().submit(new_job(eves_user), None).await.unwrap().job.id;
        world.store.tenant(world.tenant).jobs().delete(mine.remove(2)).await.unwrap();
        mine.reverse();
        let requests = world.store.tenant(world.tenant).requests();
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = requests.page(&RequestFilter::default(), after, 3).await.unwrap();
            seen.extend(ids(&page));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, mine);
        // Another tenant's, asked for by name: no filter leads out of one's own.
        let filter = RequestFilter { tenant: Some(eve), ..RequestFilter::default() };
        assert_eq!(ids(&requests.page(&filter, None, 10).await.unwrap()), mine);
        assert_eq!(requests.times(theirs).await.unwrap(), None);
        let all = world.store.operator().requests();
        assert_eq!((ids(&all.page(&filter, None, 10).await.unwrap()), all.page(&RequestFilter::default(), None, 10).await.unwrap().rows.len()), (vec![theirs], 5));
        assert!(all.page(&RequestFilter::default(), None, 10).await.unwrap().rows.iter().all(|row| row.prompt.is_empty()));
        assert!(requests.page(&RequestFilter::default(), None, 1).await.unwrap().rows[0].prompt.contains("a red ball"));
    }

    async fn a_row_that_cannot_be_read_is_left_out_and_the_log_goes_on_behind_it(database: TempDatabase) {
        let world = World::new(database).await;
        let mut jobs = Vec::new();
        for _ in 0..4 {
            jobs.push(world.submit().await.id);
            world.dial.advance_ms(1);
        }
        jobs.reverse();
        let damaged = world.job(jobs[1]).await.created_at.ms();
        world.sql(&format!("UPDATE jobs SET billed_ms = -1 WHERE created_at_ms = {damaged}")).await;
        let requests = world.store.tenant(world.tenant).requests();
        let first = requests.page(&RequestFilter::default(), None, 2).await.unwrap();
        assert_eq!(ids(&first), [jobs[0]]);
        let second = requests.page(&RequestFilter::default(), first.next, 1).await.unwrap();
        assert_eq!(ids(&second), [jobs[2]]);
    }

    async fn each_filter_leaves_what_it_says(database: TempDatabase) {
        let world = World::new(database).await;
        let decoding = world.decoding().await;
        world.succeed(&decoding.token).await;
        let made = decoding.token.job;
        world.submit().await;
        let failing = world.claim(Stage::Sampling).await.unwrap().token;
        world.queue().report_failure(&failing, AttemptFailure::refused(FailureCode::OutOfMemory)).await.unwrap();
        let open = world.submit().await.id;
        world.sql(&format!("UPDATE jobs SET prompt = 'A 50% Blue_Cat [É]' WHERE created_at_ms = {}", world.job(open).await.created_at.ms())).await;
        let requests = world.store.tenant(world.tenant).requests();
        let found = async |filter: RequestFilter| ids(&requests.page(&filter, None, 10).await.unwrap());
        let any = RequestFilter::default;
        let (everything, all) = (vec![open, failing.job, made], found(any()).await);
        assert_eq!(all, everything);
        for (status, expected) in [(RequestStatus::Open, vec![open]), (RequestStatus::Succeeded, vec![made]), (RequestStatus::Failed, vec![failing.job]), (RequestStatus::Cancelled, vec![])] {
            assert_eq!(found(RequestFilter { status: Some(status), ..any() }).await, expected, "{status:?}");
        }
        assert_eq!(found(RequestFilter { failure: Some(FailureCode::OutOfMemory), ..any() }).await, [failing.job]);
        assert_eq!(found(RequestFilter { text: Some("50% blue_c".into()), ..any() }).await, [open]);
        assert_eq!(found(RequestFilter { text: Some("50x".into()), ..any() }).await, []);
        assert_eq!(found(RequestFilter { text: Some("_".into()), ..any() }).await, [open]);
        assert_eq!(found(RequestFilter { text: Some("[é".into()), ..any() }).await, [open]);
        assert_eq!(found(RequestFilter { text: Some("*".into()), ..any() }).await, []);
        assert_eq!(found(RequestFilter { made_by: Some(MadeBy::Browser), ..any() }).await, everything);
        assert_eq!(found(RequestFilter { made_by: Some(MadeBy::Key("key_0190aaaabbbb7ccc8dddeeeeffff0001".parse().unwrap())), ..any() }).await, []);
        assert_eq!(found(RequestFilter { model: Some("vignette-1".into()), ..any() }).await, everything);
        assert_eq!(found(RequestFilter { model: Some("another".into()), ..any() }).await, []);
        assert_eq!(found(RequestFilter { lane: Some(domain::billing::Lane::Batch), ..any() }).await, []);
        assert_eq!(found(RequestFilter { device: Some("h100".into()), ..any() }).await, []);
        let slow = |phase, at_least_ms| RequestFilter { slow: Some(Slow { phase, at_least_ms }), ..any() };
        for phase in Phase::ALL {
            assert_eq!((found(slow(phase, 0)).await, found(slow(phase, 86_400_000)).await), (vec![made], vec![]), "{phase}");
        }
        assert_eq!((found(slow(Phase::Denoise, 1200)).await, found(slow(Phase::Denoise, 1201)).await), (vec![made], vec![]));
        // By their ends, the newest first.
        let (first, last) = (world.job(made).await.ended_at.unwrap(), world.job(failing.job).await.ended_at.unwrap());
        let ended = |from: domain::Timestamp, until: domain::Timestamp| RequestFilter { ended: Some((from, until)), ..any() };
        assert_eq!(found(ended(first, last.plus_ms(1))).await, [failing.job, made]);
        assert_eq!(found(ended(first, last)).await, [made]);
        let page = requests.page(&ended(first, last.plus_ms(1)), None, 1).await.unwrap();
        assert_eq!(page.next, Some(RequestPlace { ended_at: Some(last), job: failing.job }));
        assert_eq!(ids(&requests.page(&ended(first, last.plus_ms(1)), page.next, 10).await.unwrap()), [made]);
    }

    async fn a_request_whose_latents_are_lost_is_told_as_one_that_is_still_to_be_sampled(database: TempDatabase) {
        let world = World::new(database).await;
        let decoding = world.decoding().await;
        let requests = world.store.tenant(world.tenant).requests();
        let times = requests.times(decoding.token.job).await.unwrap().unwrap();
        assert!(times.timeline.is_decoded && times.timeline.sampled_at.is_some());
        world.queue().report_failure(&decoding.token, FailureClass::LostLatents).await.unwrap();
        let times = requests.times(decoding.token.job).await.unwrap().unwrap();
        assert_eq!((times.state.as_str(), times.worker, times.timeline.is_decoded), ("retry_sampling", None, false));
        assert_eq!((times.timeline.sampled_at, times.timeline.times), (None, PhaseTimes::default()));
    }

    async fn a_request_that_waits_for_its_next_attempt_is_not_told_as_one_that_is_sampled(database: TempDatabase) {
        let world = World::new(database).await;
        let job = world.submit().await.id;
        let requests = world.store.tenant(world.tenant).requests();
        let waits_again = async || requests.times(job).await.unwrap().unwrap().timeline.waits_again;
        assert!(!waits_again().await, "it was never begun");
        let begun = world.claim(Stage::Sampling).await.unwrap().token;
        assert!(!waits_again().await);
        world.queue().report_failure(&begun, FailureClass::Bug).await.unwrap();
        assert!(waits_again().await);
    }

    async fn a_request_that_was_cancelled_at_a_decoder_is_not_told_as_one_that_waited_all_along(database: TempDatabase) {
        let world = World::new(database).await;
        let tenant = world.store.tenant(world.tenant);
        let decoding = world.decoding().await.token.job;
        world.submit().await;
        let sampled = world.claim(Stage::Sampling).await.unwrap().token;
        world.hand_over(&sampled).await;
        for (job, is_decoded) in [(decoding, true), (sampled.job, false)] {
            tenant.jobs().cancel(job).await.unwrap().unwrap();
            let times = tenant.requests().times(job).await.unwrap().unwrap();
            assert_eq!((times.state.as_str(), times.timeline.is_decoded), ("cancelled", is_decoded));
        }
    }

    async fn a_request_that_ended_while_it_waited_for_a_decoder_has_waited_for_it(database: TempDatabase) {
        let world = World::new(database).await;
        let tenant = world.store.tenant(world.tenant);
        let decoding = world.decoding().await.token.job;
        let begun = world.submit().await.id;
        world.claim(Stage::Sampling).await.unwrap();
        let mut waiting = Vec::new();
        for _ in 0..2 {
            world.submit().await;
            let sampled = world.claim(Stage::Sampling).await.unwrap().token;
            world.hand_over(&sampled).await;
            waiting.push(sampled.job);
        }
        world.dial.advance_ms(8100);
        for job in [decoding, begun, waiting[0]] {
            tenant.jobs().cancel(job).await.unwrap().unwrap();
        }
        let rows = tenant.requests().page(&RequestFilter::default(), None, 10).await.unwrap().rows;
        let waited = |job: JobId| rows.iter().find(|row| row.id == job).unwrap().decoder_wait_ms;
        // One is still open, the first was at a decoder for some of that time, and the second was never sampled.
        assert_eq!([waiting[1], decoding, begun].map(waited), [None; 3]);
        let times = tenant.requests().times(waiting[0]).await.unwrap().unwrap();
        let last = times.timeline.stretches(world.dial.now()).pop().unwrap();
        assert_eq!((last.what, Some(last.until.ms_since(last.from))), (StretchOf::WaitingForDecoder, waited(waiting[0])));
        let slow = Some(Slow { phase: Phase::DecoderWait, at_least_ms: 1 });
        let slow = tenant.requests().page(&RequestFilter { slow, ..RequestFilter::default() }, None, 10).await.unwrap();
        assert_eq!(ids(&slow), [], "phases are of what was made");
    }

    async fn one_request_is_told_with_all_its_times(database: TempDatabase) {
        let world = World::new(database).await;
        let decoding = world.decoding().await;
        world.dial.advance_ms(300);
        world.succeed(&decoding.token).await;
        let times = world.store.tenant(world.tenant).requests().times(decoding.token.job).await.unwrap().unwrap();
        assert_eq!((times.state.as_str(), times.tenant, times.attempts), ("succeeded", world.tenant, 1));
        assert!(times.worker.is_some(), "it was sampled by somebody");
        let timeline = times.timeline;
        assert_eq!((timeline.times.sampling_ms, timeline.times.decoding_ms, timeline.times.load_ms), (Some(1200), Some(300), Some(0)));
        assert!(timeline.sampled_at.is_some() && timeline.ended_at > timeline.sampled_at);
        assert_eq!(world.store.operator().requests().times(decoding.token.job).await.unwrap().map(|times| times.timeline), Some(timeline));
    }

    async fn a_request_says_with_whom_it_shared_a_batch_and_names_nobody_elses(database: TempDatabase) {
        let world = World::new(database).await;
        let (eve, eves_user) = account(&world.store, "eve@example.com").await;
        let one = WorkerId::from_uuid(Uuid::now_v7());
        let sampled = async |worker: WorkerId| {
            let claimed = world.queue().claim(Stage::Sampling, worker, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap();
            world.hand_over(&claimed.token).await;
            claimed.token.job
        };
        let mine = [world.submit().await.id, world.submit().await.id];
        let theirs = world.store.tenant(eve).jobs().submit(new_job(eves_user), None).await.unwrap().job.id;
        let mut done = [sampled(one).await, sampled(one).await, sampled(one).await];
        done.sort_unstable();
        let mut all = [mine[0], mine[1], theirs];
        all.sort_unstable();
        assert_eq!(done, all);
        // One of another worker at the same time, and one that this worker made later: each took 1.2 s.
        world.submit().await;
        sampled(WorkerId::from_uuid(Uuid::now_v7())).await;
        world.dial.advance_ms(1300);
        let later = world.submit().await.id;
        assert_eq!(sampled(one).await, later);
        let own = world.store.tenant(world.tenant).requests();
        let shared = own.shared_with(mine[0]).await.unwrap();
        assert_eq!((shared.jobs, shared.others, shared.has_more), (vec![(world.tenant, mine[1])], 1, false));
        assert_eq!(own.shared_with(later).await.unwrap(), SharedWith::default());
        let of_all = world.store.operator().requests().shared_with(mine[0]).await.unwrap();
        let mut named: Vec<_> = of_all.jobs.into_iter().collect();
        named.sort_unstable_by_key(|(_, job)| *job);
        let mut expected = vec![(world.tenant, mine[1]), (eve, theirs)];
        expected.sort_unstable_by_key(|(_, job)| *job);
        assert_eq!((named, of_all.others), (expected, 0));
    }
}
