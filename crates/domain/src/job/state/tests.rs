//! The ways from one state to the next, and those that there are not.

use super::*;
use crate::{
    JobId,
    job::{ATTEMPTS_MAX, Device, OtherWorker, pause_ms},
};
use proptest::prelude::*;
use uuid::Uuid;

const NOW: Timestamp = Timestamp::from_ms(1_000_000);

fn lease() -> Lease {
    Lease { worker: WorkerId::from_uuid(Uuid::from_u128(1)), expires_at: NOW.plus_ms(10_000) }
}

fn claimed(job: Lifecycle, stage: Stage) -> Lifecycle {
    job.claim(stage, lease(), NOW.plus_ms(100_000)).unwrap()
}

fn lost(job: Lifecycle) -> Lifecycle {
    expired(job, NOW.plus_ms(10_000)).unwrap()
}

const DEVICE: Device = Device { kind: String::new(), memory_bytes: None };
/// Of a worker that is the only one there is.
const SETTING: Setting = Setting { job: JobId::from_uuid(Uuid::nil()), device: &DEVICE, past: &[], others: &[], allows_fallback: false };

fn failed(job: Lifecycle, epoch: u32, class: FailureClass, now: Timestamp) -> Moved {
    Ok(job.fail(epoch, &class.into(), &SETTING, now)?.0)
}

fn expired(job: Lifecycle, now: Timestamp) -> Moved {
    Ok(job.expire_lease(&FailureClass::Poison.into(), &SETTING, now)?.0)
}

/// The moment at which a job is tried again that fails its first attempt now.
fn again_at() -> Timestamp {
    NOW.plus_ms(pause_ms(SETTING.job, 1))
}

#[test]
fn a_job_of_a_model_that_is_not_on_offer_any_more_fails_unless_somebody_has_it() {
    let running = claimed(Lifecycle::submitted(), Stage::Sampling);
    assert!(running.clone().withdraw().is_err());
    let waiting =
        [Lifecycle::throttled(), Lifecycle::submitted(), running.clone().hand_over(1).unwrap(), running.give_back(1, NOW).unwrap()];
    for job in waiting {
        let ended = job.withdraw().unwrap();
        assert_eq!(ended.state, JobState::Failed(Failure::new(FailureCode::ModelWithdrawn)));
        assert!(ended.withdraw().is_err());
    }
}

/// One in each state that a job may wait in.
fn waiting() -> [Lifecycle; 4] {
    let running = claimed(Lifecycle::submitted(), Stage::Sampling);
    [Lifecycle::throttled(), Lifecycle::submitted(), running.clone().hand_over(1).unwrap(), running.give_back(1, NOW).unwrap()]
}

#[test]
fn a_job_in_quarantine_is_claimed_by_nobody_and_waits_for_the_same_afterwards() {
    for job in waiting() {
        let (held, stage) = (job.clone().quarantine().unwrap(), job.waits_for());
        assert_eq!((held.waits_for(), &held.state), (None, &job.state));
        for stage in [Stage::Sampling, Stage::Decoding] {
            assert!(held.clone().claim(stage, lease(), NOW).is_err(), "{job:?}");
        }
        assert!(held.clone().quarantine().is_err());
        assert_eq!((held.clone().lift().unwrap(), held.clone().lift().unwrap().waits_for()), (job, stage));
        for end in [Lifecycle::cancel, Lifecycle::withdraw, Lifecycle::miss_deadline] {
            let ended = end(held.clone()).unwrap();
            assert!(ended.state.is_terminal() && !ended.quarantined, "{ended:?}");
        }
    }
    let released = Lifecycle::throttled().quarantine().unwrap().release().unwrap();
    assert_eq!((released.state.name(), released.waits_for()), ("ready", None), "it keeps its turn to enter, and is begun by nobody");
}

#[test]
fn what_runs_and_what_is_done_goes_into_no_quarantine() {
    let running = claimed(Lifecycle::submitted(), Stage::Sampling);
    let decoding = claimed(running.clone().hand_over(1).unwrap(), Stage::Decoding);
    let refused = running.clone().quarantine().unwrap_err();
    assert_eq!(refused.to_string(), "cannot quarantine a job that is sampling");
    for job in [running.clone().cancel().unwrap(), decoding.clone().succeed(2).unwrap(), decoding] {
        assert!(job.clone().quarantine().is_err() && job.clone().lift().is_err() && job.requeue().is_err());
    }
}

#[test]
fn a_job_that_failed_is_tried_once_more_and_no_oftener() {
    let mut job = Lifecycle::submitted();
    let mut now = NOW;
    while !job.state.is_terminal() {
        job = job.claim(Stage::Sampling, Lease { expires_at: now.plus_ms(10_000), ..lease() }, now).unwrap();
        now = now.plus_ms(10_000);
        job = expired(job, now).unwrap();
        now = now.plus_ms(100_000);
    }
    assert_eq!(job.attempts, ATTEMPTS_MAX);
    let again = job.clone().requeue().unwrap();
    assert_eq!((again.state.name(), again.attempts, again.epoch, again.suspect), ("ready", job.attempts, job.epoch, true));
    let running = again.claim(Stage::Sampling, Lease { expires_at: now.plus_ms(10_000), ..lease() }, now).unwrap();
    assert!(running.clone().requeue().is_err());
    let ended = expired(running, now.plus_ms(10_000)).unwrap();
    assert!(matches!(ended.state, JobState::Failed(_)), "one attempt is one attempt: {ended:?}");
    let held = ended.quarantine().unwrap();
    assert_eq!(held.clone().requeue().unwrap_err().to_string(), "cannot requeue a job that is quarantined");
    assert!(held.clone().cancel().is_err() && held.lift().unwrap().requeue().is_ok());
}

#[test]
fn a_throttled_job_is_claimed_when_it_has_been_released_and_once() {
    let job = Lifecycle::throttled();
    assert!(job.clone().claim(Stage::Sampling, lease(), NOW).is_err());
    assert_eq!(job.clone().cancel().unwrap().state, JobState::Cancelled);
    let released = job.release().unwrap();
    assert_eq!(released, Lifecycle::submitted());
    assert!(released.release().is_err());
}

#[test]
fn an_undisturbed_job_is_one_attempt_in_two_leases() {
    let job = claimed(Lifecycle::submitted(), Stage::Sampling).hand_over(1).unwrap();
    let job = claimed(job, Stage::Decoding).succeed(2).unwrap();
    assert_eq!((job.state, job.epoch, job.attempts), (JobState::Succeeded, 2, 1));
}

#[test]
fn a_worker_lost_in_either_stage_costs_one_attempt_and_resumes_there() {
    let job = lost(claimed(Lifecycle::submitted(), Stage::Sampling));
    assert_eq!((job.state.name(), job.attempts, job.suspect), ("retry_sampling", 1, true));
    let job = claimed(job, Stage::Sampling).hand_over(2).unwrap();
    assert_eq!((job.attempts, job.suspect), (2, false));
    let job = lost(claimed(job, Stage::Decoding));
    assert_eq!((job.state.name(), job.attempts), ("retry_decoding", 2));
}

#[test]
fn a_job_that_kills_every_worker_is_started_exactly_three_times() {
    let mut job = Lifecycle::submitted();
    for _ in 0..2 {
        job = lost(claimed(job, Stage::Sampling));
    }
    job = lost(claimed(job, Stage::Sampling));
    assert_eq!(job.state, JobState::Failed(Failure::new(FailureCode::WorkerLost)));
}

#[test]
fn a_stale_epoch_is_refused_whatever_it_reports() {
    let job = claimed(lost(claimed(Lifecycle::submitted(), Stage::Sampling)), Stage::Sampling);
    let stale = TransitionError::StaleLease { given: 1, current: 2 };
    assert_eq!(job.clone().hand_over(1), Err(stale.clone()));
    assert_eq!(job.clone().give_back(1, NOW), Err(stale.clone()));
    assert_eq!(failed(job, 1, FailureClass::Bug, NOW), Err(stale));
}

#[test]
fn a_lease_cannot_expire_early_nor_a_retry_start_early() {
    let job = claimed(Lifecycle::submitted(), Stage::Sampling);
    assert!(expired(job.clone(), NOW).is_err());
    let job = failed(job, 1, FailureClass::Bug, NOW).unwrap();
    assert!(job.clone().claim(Stage::Sampling, lease(), NOW).is_err());
    assert!(job.claim(Stage::Sampling, lease(), NOW.plus_ms(1000)).is_ok());
}

#[test]
fn lost_latents_are_made_again_while_an_attempt_is_left() {
    let mut job = Lifecycle::submitted();
    for attempt in 1..=3 {
        let (sampling, decoding) = (2 * attempt - 1, 2 * attempt);
        job = claimed(job, Stage::Sampling).hand_over(sampling).unwrap();
        job = failed(claimed(job, Stage::Decoding), decoding, FailureClass::LostLatents, NOW).unwrap();
        assert_eq!(job.attempts, attempt);
    }
    assert_eq!(job.state, JobState::Failed(Failure::new(FailureCode::StorageError)));
}

#[test]
fn lost_latents_are_told_by_who_decodes_alone() {
    let job = claimed(Lifecycle::submitted(), Stage::Sampling);
    assert!(failed(job, 1, FailureClass::LostLatents, NOW).is_err());
}

#[test]
fn a_retry_remembers_who_failed_it_until_its_stage_is_done() {
    let avoided = Some(Avoided { worker: lease().worker, from: again_at() });
    let job = || claimed(Lifecycle::submitted(), Stage::Sampling);
    assert_eq!(failed(job(), 1, FailureClass::Timeout, NOW).unwrap().avoid, avoided);
    assert_eq!(job().give_back(1, NOW).unwrap().avoid, None, "nobody has failed it");
    let failed = failed(job(), 1, FailureClass::Bug, NOW).unwrap();
    assert_eq!(failed.avoid, avoided);
    let again = failed.claim(Stage::Sampling, lease(), NOW.plus_ms(1000)).unwrap();
    let given_back = again.clone().give_back(2, NOW.plus_ms(60_000)).unwrap();
    assert_eq!(given_back.avoid, avoided);
    assert_eq!(given_back.state, JobState::Retrying { stage: Stage::Sampling, not_before: again_at() });
    let put_back = again.clone().give_back(2, NOW.plus_ms(-3_600_000)).unwrap();
    assert_eq!(put_back.avoid.map(|avoid| avoid.from), Some(NOW.plus_ms(-3_600_000)), "by a clock that was put back");
    assert_eq!(again.hand_over(2).unwrap().avoid, None);
}

#[test]
fn a_job_that_hangs_its_worker_is_what_one_is_that_kills_it() {
    let held = claimed(Lifecycle::submitted(), Stage::Sampling);
    let (hung, now) = (|epoch, now| failed(held.clone(), epoch, FailureClass::Timeout, now), NOW.plus_ms(10_000));
    assert_eq!(hung(1, now), expired(held.clone(), now));
    assert!(hung(1, NOW).is_ok() && hung(2, NOW).is_err());
}

#[test]
fn an_outage_costs_no_attempt() {
    let job = failed(claimed(Lifecycle::submitted(), Stage::Sampling), 1, FailureClass::Network, NOW).unwrap();
    assert_eq!(job, claimed(Lifecycle::submitted(), Stage::Sampling).give_back(1, NOW).unwrap());
}

#[test]
fn a_job_that_wants_memory_runs_alone_where_there_is_as_much_until_its_stage_is_done() {
    let device = Device { kind: "small".into(), memory_bytes: Some(100) };
    let larger = OtherWorker { worker: lease().worker, device: Device { kind: "large".into(), memory_bytes: Some(200) } };
    for (others, needs) in [(vec![], 100), (vec![larger], 101)] {
        let setting = Setting { device: &device, others: &others, ..SETTING };
        let (job, _) = claimed(Lifecycle::submitted(), Stage::Sampling).fail(1, &FailureClass::DeviceMemory.into(), &setting, NOW).unwrap();
        assert_eq!((job.suspect, job.needs_memory), (true, Some(needs)));
        let done = claimed(job, Stage::Sampling).hand_over(2).unwrap();
        assert_eq!((done.suspect, done.needs_memory), (false, None));
    }
}

#[test]
fn a_request_that_allows_another_model_begins_again_with_it() {
    let setting = Setting { allows_fallback: true, ..SETTING };
    let job = claimed(claimed(Lifecycle::submitted(), Stage::Sampling).hand_over(1).unwrap(), Stage::Decoding);
    let (job, decision) = job.fail(2, &FailureClass::BrokenWeights.into(), &setting, NOW).unwrap();
    assert!(matches!(decision, Decision::FallBack { .. }));
    assert_eq!((job.state, job.attempts), (JobState::Retrying { stage: Stage::Sampling, not_before: again_at() }, 1));
}

#[test]
fn giving_back_costs_no_attempt_and_a_cancelled_job_stays_cancelled() {
    let job = claimed(Lifecycle::submitted(), Stage::Sampling).give_back(1, NOW).unwrap();
    assert_eq!((job.state.name(), job.attempts, job.suspect), ("retry_sampling", 0, false));
    let job = claimed(job, Stage::Sampling).cancel().unwrap();
    assert!(job.clone().hand_over(2).is_err());
    assert!(job.cancel().is_err());
}

proptest! {
    #[test]
    fn whatever_happens_a_job_is_begun_at_most_three_times_and_ends_once(moves in prop::collection::vec(0_usize..14, 0..60)) {
        let (mut job, mut now, mut starts, mut given_back) = (Lifecycle::submitted(), NOW, 0_u32, 0_u32);
        for step in moves {
            now = now.plus_ms(20_000);
            let lease = Lease { worker: lease().worker, expires_at: now.plus_ms(10_000) };
            let (before, epoch) = (job.clone(), job.epoch);
            let moved = match step {
                0 => job.claim(Stage::Sampling, lease, now),
                1 => job.claim(Stage::Decoding, lease, now),
                2 => job.hand_over(epoch),
                3 => job.succeed(epoch),
                4 => expired(job, now),
                5 => job.give_back(epoch, now),
                class => failed(job, epoch, FailureClass::ALL[class - 6], now),
            };
            prop_assert!(!(before.state.is_terminal() && moved.is_ok()));
            starts += u32::from(moved.as_ref().is_ok_and(|after| after.attempts > before.attempts));
            given_back += u32::from([5, 7].contains(&step) && moved.is_ok());
            job = moved.unwrap_or(before);
            prop_assert!(job.attempts <= ATTEMPTS_MAX);
            prop_assert!(starts <= ATTEMPTS_MAX + given_back);
        }
    }
}

#[test]
fn what_waits_is_made_by_another_model_from_the_beginning_while_it_may_be_begun_once_more() {
    let [throttled, ready, sampled, retrying] = waiting().map(|job| job.fall_back().unwrap());
    assert_eq!(throttled.state, JobState::Throttled);
    assert_eq!([&ready, &sampled, &retrying].map(|job| job.waits_for()), [Some(Stage::Sampling); 3]);
    assert_eq!(sampled.attempts, 1, "those that were begun count");
    let running = claimed(Lifecycle::submitted(), Stage::Sampling);
    assert!(running.clone().fall_back().is_err(), "who has it goes on");
    let last = Lifecycle { attempts: ATTEMPTS_MAX, ..running.hand_over(1).unwrap() };
    assert!(last.fall_back().is_err());
}

#[test]
fn a_job_that_killed_workers_runs_alone_with_the_other_model_too_and_others_do_not() {
    let allowed = Setting { allows_fallback: true, ..SETTING };
    let fallen_back = |class: FailureClass| {
        let job = Lifecycle { attempts: ATTEMPTS_MAX - 1, suspect: true, ..claimed(Lifecycle::submitted(), Stage::Sampling) };
        let (next, decision) = job.fail(1, &class.into(), &allowed, NOW).unwrap();
        (decision.as_str(), next.suspect, next.needs_memory)
    };
    assert_eq!(fallen_back(FailureClass::Poison), ("fall_back", true, None));
    assert_eq!(fallen_back(FailureClass::DeviceMemory), ("fall_back", false, None));
}
