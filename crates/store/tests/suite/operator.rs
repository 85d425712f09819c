//! The operator's numbers: what is open, what has ended, how long it took, and why it failed.

use crate::{LEASE_MS, MODELS, World, report, worker};
use domain::{
    Clock, FailureCode, Stage, Timestamp, VideoTime,
    billing::{
        Day,
        costs::{Books, DeviceWork},
    },
    job::AttemptFailure,
    scheduling::Suspects,
};
use store::{
    Beat, Ending, Hour, Load, Percentiles, ProgressReport, Registration, ScalingDecision, SpareTime, StageLoad, WorkerCondition,
    WorkerRole, on_both_engines,
};

const HOUR_MS: i64 = 60 * 60 * 1000;
const BEGINNING: Timestamp = Timestamp::from_ms(0);

/// So many jobs of the usual price.
fn load(jobs: u64) -> Load {
    Load { jobs, billed: VideoTime::from_ms(2000 * jobs) }
}

impl World {
    /// Submits so many jobs, each a millisecond after the one before; says when the one before the first would have been.
    async fn submit_some(&self, jobs: u64) -> i64 {
        let before_ms = self.dial.now().ms();
        for _ in 0..jobs {
            self.submit().await;
        }
        before_ms
    }
}

on_both_engines! {
    async fn what_waits_and_what_is_at_work_is_added_up_by_stage(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        world.store.workers().register(me, Registration::new(WorkerRole::Sampler, "a device", MODELS)).await.unwrap();
        world.submit_some(4).await;
        let handed_over = world.claim(Stage::Sampling).await.unwrap().token;
        world.hand_over(&handed_over).await;
        world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap();
        let expected = [
            StageLoad { stage: Stage::Sampling, waiting: load(2), at_work: load(1) },
            StageLoad { stage: Stage::Decoding, waiting: load(1), at_work: load(0) },
        ];
        assert_eq!(world.store.operator().load().await.unwrap(), expected);
        world.claim(Stage::Decoding).await.unwrap();
        assert_eq!(world.store.operator().load().await.unwrap()[1], StageLoad { stage: Stage::Decoding, waiting: load(0), at_work: load(1) });
        let seen = world.store.operator().workers().await.unwrap();
        assert_eq!(seen.iter().map(|seen| (seen.id, seen.sampling, seen.decoding)).collect::<Vec<_>>(), [(me, 1, 0)]);
        let held = world.store.operator().jobs_by_worker().await.unwrap();
        assert_eq!((held.get(&(me, Stage::Sampling)), held.get(&(me, Stage::Decoding))), (Some(&1), None));
        assert_eq!(held.iter().filter(|((_, stage), _)| *stage == Stage::Decoding).map(|(_, jobs)| *jobs).collect::<Vec<_>>(), [1]);
    }

    async fn percentiles_are_the_times_of_jobs_by_the_nearest_rank(database: TempDatabase) {
        let world = World::new(database).await;
        assert_eq!(world.store.operator().latency(BEGINNING).await.unwrap(), None);
        let before_ms = world.submit_some(11).await;
        let nth = format!("(created_at_ms - {before_ms})");
        world.sql(&format!(
            "UPDATE jobs SET state = 'succeeded', waits_for = NULL, ended_at_ms = created_at_ms + {nth} * 1000, started_at_ms = created_at_ms + {nth} * 100"
        )).await;
        // One that ended otherwise took no time that counts.
        world.sql(&format!("UPDATE jobs SET state = 'cancelled' WHERE {nth} = 11")).await;
        let latency = world.store.operator().latency(BEGINNING).await.unwrap().unwrap();
        assert_eq!(latency.jobs, 10);
        assert_eq!(latency.total, Percentiles { p50_ms: 5000, p90_ms: 9000, p99_ms: 10_000, p999_ms: 10_000 });
        assert_eq!(latency.waiting, Percentiles { p50_ms: 500, p90_ms: 900, p99_ms: 1000, p999_ms: 1000 });
        assert_eq!(latency.by_total, [1, 1, 3, 5, 0, 0, 0, 0, 0, 0, 0]);
        let end_of_fifth = Timestamp::from_ms(before_ms + 5 + 5000);
        let later = world.store.operator().latency(end_of_fifth).await.unwrap().unwrap();
        assert_eq!((later.jobs, later.total.p50_ms), (5, 8000));
    }

    async fn what_ended_is_added_up_by_hour_also_where_nothing_did(database: TempDatabase) {
        let world = World::new(database).await;
        let before_ms = world.submit_some(4).await;
        let first = Timestamp::from_ms(before_ms - before_ms.rem_euclid(HOUR_MS));
        // In the first hour two, in the third one, and one in the fourth, which is not asked for.
        for (nth, hour) in [(1, 0), (2, 0), (3, 2), (4, 3)] {
            let ended_ms = first.ms() + hour * HOUR_MS + nth;
            world.sql(&format!(
                "UPDATE jobs SET state = 'succeeded', waits_for = NULL, ended_at_ms = {ended_ms} WHERE created_at_ms = {}",
                before_ms + nth
            )).await;
        }
        let hour = |number: i64, jobs: u64| Hour { start: first.plus_ms(number * HOUR_MS), jobs, billed: VideoTime::from_ms(2000 * jobs) };
        let operator = world.store.operator();
        assert_eq!(operator.ended_by_hour(Ending::Succeeded, first, 3).await.unwrap(), [hour(0, 2), hour(1, 0), hour(2, 1)]);
        assert_eq!(operator.ended_by_hour(Ending::Failed, first, 2).await.unwrap(), [hour(0, 0), hour(1, 0)]);
    }

    async fn failures_are_counted_by_reason_and_the_newest_come_first(database: TempDatabase) {
        let world = World::new(database).await;
        let mut failed = Vec::new();
        for code in [FailureCode::OutOfMemory, FailureCode::OutOfMemory, FailureCode::EngineError] {
            world.submit().await;
            let token = world.claim(Stage::Sampling).await.unwrap().token;
            world.queue().report_failure(&token, AttemptFailure::refused(code)).await.unwrap();
            failed.push(token.job);
        }
        let failures = world.store.operator().failures(BEGINNING).await.unwrap();
        assert_eq!((failures.jobs, failures.reasons), (3, vec![(Some(FailureCode::OutOfMemory), 2), (Some(FailureCode::EngineError), 1)]));
        failed.reverse();
        assert_eq!(failures.newest.iter().map(|failed| failed.job).collect::<Vec<_>>(), failed);
        let newest = &failures.newest[0];
        assert_eq!((newest.tenant, newest.tenant_name.as_str(), newest.reason), (world.tenant, "ada", Some(FailureCode::EngineError)));
        assert_eq!(world.store.operator().failures(newest.ended_at).await.unwrap().jobs, 0);
        world.sql("UPDATE jobs SET failure_code = 'from_the_future' WHERE failure_code = 'engine_error'").await;
        let failures = world.store.operator().failures(BEGINNING).await.unwrap();
        assert_eq!((failures.reasons[1], failures.newest[0].reason), ((None, 1), None));
    }

    async fn what_a_stage_took_of_a_device_is_booked_when_its_lease_ends(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        world.store.workers().register(me, Registration::new(WorkerRole::All, "h100", MODELS)).await.unwrap();
        let claim = async |stage| world.queue().claim(stage, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap();
        let told = async |token, device_ms| {
            world.queue().progress(vec![ProgressReport { device_ms, ..report(token, 1) }]).await.unwrap();
        };
        // One is lost with its worker, and made again.
        world.submit().await;
        let lost = claim(Stage::Sampling).await.token;
        told(lost, 500).await;
        told(lost, 700).await;
        world.lose_leases().await;
        world.pass_pause();
        let again = claim(Stage::Sampling).await.token;
        told(again, 90).await;
        world.hand_over(&again).await;
        let decoding = claim(Stage::Decoding).await.token;
        world.succeed(&decoding).await;
        // One is cancelled, and one fails after its last word.
        let cancelled = world.submit().await.id;
        told(claim(Stage::Sampling).await.token, 40).await;
        world.store.tenant(world.tenant).jobs().cancel(cancelled).await.unwrap();
        world.submit().await;
        let failing = claim(Stage::Sampling).await.token;
        world.queue().note_device_time(&failing, 60).await.unwrap();
        world.queue().report_failure(&failing, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        assert!(world.queue().note_device_time(&failing, 70).await.is_err());
        world.dial.advance_ms(3000);
        let spare = SpareTime { idle_ms: 2000, loading_ms: 400, unseen_ms: 400 };
        assert_eq!(world.store.workers().beat(me, WorkerCondition::Working, spare).await.unwrap(), Beat::GoOn);
        let now = world.store.now().await.unwrap();
        let today = Day::of(now);
        let Books { devices, work, sold, .. } = world.store.operator().books(today, today.plus(1), now).await.unwrap();
        let expected = DeviceWork {
            tenant: world.tenant,
            model: "vignette-1".into(),
            device: "h100".into(),
            done_ms: 1200 + 300,
            failed_ms: 700 + 60,
            cancelled_ms: 40,
        };
        assert_eq!(work, [expected]);
        let [device] = &devices[..] else { panic!("{devices:?}") };
        assert_eq!((device.device.as_str(), device.idle_ms, device.loading_ms), ("h100", 2000, 400));
        assert!(device.present_ms > 3400, "{device:?}");
        assert_eq!(sold.iter().map(|sold| (sold.tenant, sold.videos)).collect::<Vec<_>>(), [(world.tenant, 1)]);
        let none = world.store.operator().books(today.plus(1), today.plus(2), now).await.unwrap();
        assert_eq!(none, Books::default());
    }

    async fn what_is_loaded_while_a_worker_is_seen_makes_it_present_no_longer(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        world.store.workers().register(me, Registration::new(WorkerRole::All, "h100", &["vignette-1"])).await.unwrap();
        let at_start = SpareTime { idle_ms: 3000, loading_ms: 400, unseen_ms: 400 };
        let swapping = SpareTime { idle_ms: 4000, loading_ms: 6000, unseen_ms: 0 };
        for (passed_ms, spare) in [(3000, at_start), (10_000, swapping)] {
            world.dial.advance_ms(passed_ms);
            world.store.workers().beat(me, WorkerCondition::Working, spare).await.unwrap();
        }
        let now = world.store.now().await.unwrap();
        let books = world.store.operator().books(Day::of(now), Day::of(now).plus(1), now).await.unwrap();
        let times: Vec<_> = books.devices.iter().map(|device| (device.present_ms, device.idle_ms, device.loading_ms)).collect();
        assert_eq!(times, [(13_400, 7000, 6400)]);
    }

    async fn what_a_device_did_before_midnight_is_of_the_day_before(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        let today = Day::of(world.store.now().await.unwrap());
        let midnight = today.plus(1).start();
        world.dial.advance_ms(midnight.ms() - HOUR_MS - world.dial.now().ms());
        world.store.workers().register(me, Registration::new(WorkerRole::All, "h100", &["vignette-1"])).await.unwrap();
        world.dial.advance_ms(4 * HOUR_MS);
        let spare = SpareTime { idle_ms: 2 * HOUR_MS.unsigned_abs(), loading_ms: HOUR_MS.unsigned_abs() + 400, unseen_ms: 400 };
        world.store.workers().beat(me, WorkerCondition::Working, spare).await.unwrap();
        let now = world.store.now().await.unwrap();
        let mut days = Vec::new();
        for day in [today, today.plus(1)] {
            let books = world.store.operator().books(day, day.plus(1), now).await.unwrap();
            days.extend(books.devices.iter().map(|device| (device.present_ms, device.idle_ms, device.loading_ms)));
        }
        let minutes = |minutes: u64| minutes * 60_000;
        assert_eq!(days, [(minutes(60), minutes(30), minutes(15)), (minutes(180) + 400, minutes(90), minutes(45) + 400)]);
    }

    async fn what_was_loaded_is_no_more_than_has_passed_also_where_it_is_told_again(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        world.store.workers().register(me, Registration::new(WorkerRole::All, "h100", &["vignette-1"])).await.unwrap();
        // The answer to the first was lost.
        for passed_ms in [6000, 500] {
            world.dial.advance_ms(passed_ms);
            let swapping = SpareTime { idle_ms: 0, loading_ms: 6000, unseen_ms: 0 };
            world.store.workers().beat(me, WorkerCondition::Working, swapping).await.unwrap();
        }
        let now = world.store.now().await.unwrap();
        let books = world.store.operator().books(Day::of(now), Day::of(now).plus(1), now).await.unwrap();
        let times: Vec<_> = books.devices.iter().map(|device| (device.present_ms, device.loading_ms)).collect();
        assert_eq!(times, [(6500, 6500)]);
    }

    async fn one_of_several_leads_until_it_falls_silent_or_lets_go(database: TempDatabase) {
        let world = World::new(database).await;
        let leaders = world.store.leaders();
        let hold = async |holder| leaders.hold("scaling", holder, 4000).await.unwrap();
        let held: Vec<bool> = futures::future::join_all(["a", "b", "c"].map(hold)).await;
        assert_eq!(held.iter().filter(|held| **held).count(), 1, "{held:?}");
        let (first, other) = if held[0] { ("a", "b") } else if held[1] { ("b", "a") } else { ("c", "a") };
        for _ in 0..3 {
            world.dial.advance_ms(3000);
            assert!(hold(first).await && !hold(other).await);
        }
        world.dial.advance_ms(4000);
        assert!(hold(other).await && !hold(first).await, "it fell silent");
        leaders.release("scaling", first).await.unwrap();
        assert!(!hold(first).await, "nobody lets go of what another holds");
        leaders.release("scaling", other).await.unwrap();
        assert!(hold(first).await && leaders.hold("another", other, 4000).await.unwrap());
        assert!(leaders.hold("scaling", first, 4005).await.unwrap());
        assert!(!hold(other).await, "it was held a moment later by who came a moment earlier");
        world.dial.advance_ms(-86_400_000);
        assert!(hold(other).await, "it was held by a clock that was put back");
    }

    async fn a_worker_is_told_at_its_next_sign_of_life_that_it_is_to_end(database: TempDatabase) {
        let world = World::new(database).await;
        let workers = world.store.workers();
        let (one, other) = (worker(), worker());
        for id in [one, other] {
            workers.register(id, Registration::new(WorkerRole::All, "cpu", MODELS)).await.unwrap();
        }
        assert_eq!([workers.drain(&[one]).await.unwrap(), workers.drain(&[one]).await.unwrap(), workers.drain(&[]).await.unwrap()], [1, 0, 0]);
        let beat = async |id| workers.beat(id, WorkerCondition::Working, SpareTime::default()).await.unwrap();
        assert_eq!([beat(one).await, beat(other).await], [Beat::Drain, Beat::GoOn]);
        let state = world.queue().state().await.unwrap();
        assert_eq!(state.workers.iter().filter(|worker| worker.is_draining).map(|worker| worker.id).collect::<Vec<_>>(), [one]);
    }

    async fn decisions_about_workers_are_kept_for_a_while(database: TempDatabase) {
        let world = World::new(database).await;
        let scaling = world.store.scaling();
        let decision = |wanted| ScalingDecision {
            at: world.store.local_now(), device: "cpu".into(), workers: 1, wanted, started: 1, drained: 0, reason: "enough to do".into(),
        };
        assert_eq!(scaling.wanted("cpu").await.unwrap(), None);
        for wanted in 0..3 {
            world.dial.advance_ms(1);
            scaling.note(&decision(wanted)).await.unwrap();
        }
        assert_eq!((scaling.wanted("cpu").await.unwrap(), scaling.wanted("h100").await.unwrap()), (Some(2), None));
        let all = scaling.decisions(2).await.unwrap();
        assert_eq!(all.iter().map(|decision| decision.wanted).collect::<Vec<_>>(), [2, 1]);
        scaling.note(&ScalingDecision { started: 0, ..decision(2) }).await.unwrap();
        assert_eq!(scaling.changes(2).await.unwrap(), all, "one that changed nothing is none of them");
        let leaders = world.store.leaders();
        assert!(leaders.hold("scaling", "one", 4000).await.unwrap());
        assert!(scaling.note_as(("scaling", "one"), &decision(3)).await.unwrap().is_some());
        world.dial.advance_ms(4000);
        assert_eq!(scaling.note_as(("scaling", "one"), &decision(4)).await.unwrap(), None, "its time is over");
        assert!(leaders.hold("scaling", "other", 4000).await.unwrap());
        assert_eq!(scaling.note_as(("scaling", "one"), &decision(4)).await.unwrap(), None);
        assert_eq!(scaling.wanted("cpu").await.unwrap(), Some(3));
    }

    async fn how_many_workers_there_should_be_is_known_however_much_was_decided_about_others_since(database: TempDatabase) {
        let world = World::new(database).await;
        let scaling = world.store.scaling();
        let decision = |device: &str, wanted| ScalingDecision {
            at: world.store.local_now(), device: device.into(), workers: 1, wanted, started: 0, drained: 0, reason: String::new(),
        };
        scaling.note(&decision("h100", 3)).await.unwrap();
        let others = format!(
            "INSERT INTO scaling_decisions (id, at_ms, device, workers, wanted, started, drained, reason) \
             WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000) \
             SELECT 'd' || CAST(n AS TEXT), {} + n, 'cpu', 1, 1, 0, 0, '' FROM numbers",
            world.dial.now().ms()
        );
        world.database.damage(&others).await;
        world.dial.advance_ms(2000);
        scaling.note(&decision("cpu", 2)).await.unwrap();
        assert_eq!((scaling.wanted("h100").await.unwrap(), scaling.wanted("cpu").await.unwrap()), (Some(3), Some(2)));
        assert_eq!(scaling.decisions(2000).await.unwrap().len(), 1001, "of those about the other kind the newest thousand");
    }
}
