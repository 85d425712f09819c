//! What follows from each class of failure, and what never does.

use super::*;
use crate::{
    Lease, Lifecycle, Stage, Timestamp,
    job::{AttemptFailure, JobState, keep},
};
use proptest::prelude::*;
use uuid::Uuid;

const JOB: JobId = JobId::from_uuid(Uuid::from_u128(7));
const GIB: u64 = 1 << 30;

fn worker(n: u8) -> WorkerId {
    WorkerId::from_uuid(Uuid::from_u128(n.into()))
}

/// So many GiB; 0: it does not say.
fn device(gib: u64) -> Device {
    Device { kind: format!("of-{gib}"), memory_bytes: (gib > 0).then_some(gib * GIB) }
}

fn other(n: u8, gib: u64) -> OtherWorker {
    OtherWorker { worker: worker(n), device: device(gib) }
}

fn failed(class: FailureClass, by: u8, on_gib: u64) -> FailedAttempt {
    FailedAttempt {
        attempt: 1,
        stage: Stage::Sampling,
        worker: worker(by),
        device: device(on_gib),
        class,
        detail: String::new(),
        decision: Decision::Fail,
        failed_at: Timestamp::from_ms(0),
    }
}

/// Of worker 1, which has 40 GiB.
#[derive(Default)]
struct Case {
    attempts: u32,
    was_alone: bool,
    past: Vec<FailedAttempt>,
    others: Vec<OtherWorker>,
    allows_fallback: bool,
}

impl Case {
    fn decide(&self, class: FailureClass) -> &'static str {
        let Self { attempts, was_alone, past, others, allows_fallback } = self;
        let setting = Setting { job: JOB, device: &device(40), past, others, allows_fallback: *allows_fallback };
        decide(class, &Attempt { attempts: *attempts, worker: worker(1), was_alone: *was_alone, setting: &setting }).as_str()
    }
}

fn first(others: &[OtherWorker]) -> Case {
    Case { attempts: 1, others: others.to_vec(), ..Case::default() }
}

fn second(past: FailedAttempt, others: &[OtherWorker]) -> Case {
    Case { attempts: 2, past: vec![past], others: others.to_vec(), ..Case::default() }
}

#[test]
fn what_follows_the_first_failure_of_each_class() {
    use FailureClass::{BrokenWeights, Bug, DeviceMemory, LostLatents, Network, Poison, Refused, Timeout, Withdrawn};
    for (class, alone, beside_one_like_it) in [
        (DeviceMemory, "retry_alone", "retry_alone"),
        (Network, "give_back", "give_back"),
        (Timeout, "retry", "retry_elsewhere"),
        (BrokenWeights, "fail", "retry_elsewhere"),
        (Poison, "retry", "retry_elsewhere"),
        (Bug, "retry", "retry_elsewhere"),
        (LostLatents, "retry", "retry"),
        (Refused, "fail", "fail"),
        (Withdrawn, "fail", "fail"),
    ] {
        assert_eq!([first(&[]).decide(class), first(&[other(2, 40)]).decide(class)], [alone, beside_one_like_it], "{class:?}");
    }
}

#[test]
fn who_wants_memory_goes_to_a_larger_device_or_runs_alone_and_then_gives_up() {
    let alone = |others: &[OtherWorker]| Case { was_alone: true, ..second(failed(FailureClass::DeviceMemory, 1, 40), others) };
    assert_eq!(first(&[other(2, 24), other(3, 80)]).decide(FailureClass::DeviceMemory), "retry_on_larger_device");
    assert_eq!(first(&[other(2, 24)]).decide(FailureClass::DeviceMemory), "retry_alone");
    assert_eq!(alone(&[other(2, 40), other(3, 24)]).decide(FailureClass::DeviceMemory), "fail");
    assert_eq!(alone(&[other(2, 80)]).decide(FailureClass::DeviceMemory), "retry_on_larger_device");
    assert_eq!(alone(&[other(2, 0)]).decide(FailureClass::DeviceMemory), "retry_on_larger_device", "it may be, as it is of another kind");
    let on_the_largest = Case { was_alone: true, ..second(failed(FailureClass::DeviceMemory, 2, 80), &[other(3, 80)]) };
    assert_eq!(on_the_largest.decide(FailureClass::DeviceMemory), "fail", "it was too small as well");
}

#[test]
fn broken_weights_end_a_job_when_they_are_broken_everywhere() {
    let past = || failed(FailureClass::BrokenWeights, 2, 40);
    assert_eq!(second(past(), &[other(2, 40)]).decide(FailureClass::BrokenWeights), "fail");
    assert_eq!(second(past(), &[other(2, 40), other(3, 40)]).decide(FailureClass::BrokenWeights), "retry_elsewhere");
}

#[test]
fn a_bug_that_meets_two_workers_or_the_only_one_twice_is_the_jobs_own() {
    let others = [other(2, 40), other(3, 40)];
    assert_eq!(second(failed(FailureClass::Bug, 2, 40), &others).decide(FailureClass::Bug), "fail");
    assert_eq!(second(failed(FailureClass::Bug, 1, 40), &others).decide(FailureClass::Bug), "retry_elsewhere", "the same worker twice");
    assert_eq!(second(failed(FailureClass::Bug, 1, 40), &[]).decide(FailureClass::Bug), "fail");
    assert_eq!(second(failed(FailureClass::Poison, 2, 40), &others).decide(FailureClass::Bug), "retry_elsewhere", "the first was none");
}

#[test]
fn a_job_loses_three_workers_and_no_more() {
    let lost = [failed(FailureClass::Timeout, 2, 40), failed(FailureClass::Poison, 3, 40)];
    let case = |past: &[FailedAttempt]| Case { attempts: 2, past: past.to_vec(), ..Case::default() };
    assert_eq!(case(&lost[..1]).decide(FailureClass::Poison), "retry");
    assert_eq!(case(&lost).decide(FailureClass::Poison), "fail", "whatever the attempts are");
}

#[test]
fn another_model_is_taken_where_it_may_help_and_is_allowed() {
    let case = |allows_fallback| Case { was_alone: true, allows_fallback, ..second(failed(FailureClass::Bug, 1, 40), &[]) };
    for class in [FailureClass::DeviceMemory, FailureClass::BrokenWeights, FailureClass::Bug] {
        assert_eq!([case(true).decide(class), case(false).decide(class)], ["fall_back", "fail"]);
    }
    assert_eq!(case(true).decide(FailureClass::Refused), "fail");
    assert_eq!(Case { attempts: 3, ..case(true) }.decide(FailureClass::Bug), "fail", "no attempt is left");
    assert_eq!(
        [true, false].map(|allows_fallback| Case { allows_fallback, ..first(&[]) }.decide(FailureClass::Withdrawn)),
        ["fall_back", "fail"]
    );
}

#[test]
fn the_last_attempt_is_kept_for_the_other_model() {
    use FailureClass::{BrokenWeights, Bug, LostLatents, Poison, Timeout};
    let others = [other(2, 40), other(3, 40)];
    for (class, first_time, second_time) in [
        (BrokenWeights, "retry_elsewhere", "fall_back"),
        (Bug, "retry_elsewhere", "fall_back"),
        (Poison, "retry_elsewhere", "fall_back"),
        (Timeout, "retry_elsewhere", "fall_back"),
        (LostLatents, "retry", "retry"),
    ] {
        let case = Case { allows_fallback: true, ..first(&others) };
        assert_eq!(case.decide(class), first_time, "{class:?}");
        let case = Case { allows_fallback: true, ..second(failed(class, 1, 40), &others) };
        assert_eq!(case.decide(class), second_time, "{class:?}");
    }
}

#[test]
fn what_failed_with_the_first_model_is_not_held_against_the_other_but_for_lost_workers() {
    let fell_back = |class| FailedAttempt { decision: Decision::FallBack { pause_ms: 1 }, ..failed(class, 2, 40) };
    let with = |class| Case { attempts: 2, past: vec![fell_back(class)], others: vec![other(2, 40)], ..Case::default() };
    assert_eq!(
        with(FailureClass::BrokenWeights).decide(FailureClass::BrokenWeights),
        "retry_elsewhere",
        "the other has weights of its own"
    );
    assert_eq!(with(FailureClass::Bug).decide(FailureClass::Bug), "retry_elsewhere");
    let lost = Case { past: vec![failed(FailureClass::Timeout, 2, 40), fell_back(FailureClass::Poison)], ..with(FailureClass::Bug) };
    assert_eq!(lost.decide(FailureClass::Timeout), "fail", "three workers lost are enough");
}

/// One event of a job's life: what it fails of, by which worker, and who else is there.
type Event = (usize, u8, Vec<(u8, u64)>);

fn events() -> impl Strategy<Value = Vec<Event>> {
    let others = prop::collection::vec((1_u8..6, prop::sample::select(vec![0, 24, 40, 80])), 0..4);
    prop::collection::vec((0..FailureClass::ALL.len(), 1_u8..6, others), 0..20)
}

proptest! {
    #[test]
    fn no_job_is_begun_more_often_than_allowed_nor_loses_more_workers(events in events(), allows_fallback in any::<bool>()) {
        let (mut job, mut now, mut past, mut outages) = (Lifecycle::submitted(), Timestamp::from_ms(1_000_000), Vec::new(), 0_u32);
        let mut begun = 0_u32;
        for (class, by, others) in events {
            if job.state.is_terminal() {
                break;
            }
            now = now.plus_ms(20_000);
            let stage = if let JobState::Retrying { stage, .. } = job.state { stage } else { Stage::Sampling };
            job = job.claim(stage, Lease { worker: worker(by), expires_at: now.plus_ms(10_000) }, now).unwrap();
            begun += 1;
            let (class, on) = (FailureClass::ALL[class], device(40));
            let others: Vec<_> = others.into_iter().filter(|(n, _)| *n != by).map(|(n, gib)| other(n, gib)).collect();
            let setting = Setting { job: JOB, device: &on, past: &past, others: &others, allows_fallback };
            // A job has one other model.
            let setting = Setting { allows_fallback: allows_fallback && !has_fallen_back(&past), ..setting };
            let (was_alone, attempts, epoch) = (job.suspect, job.attempts, job.epoch);
            let Ok((next, decision)) = job.clone().fail(epoch, &AttemptFailure::from(class), &setting, now) else { continue_after(&mut job, epoch, now); outages += 1; continue };
            outages += u32::from(decision == Decision::GiveBack);
            prop_assert_eq!(decision == Decision::GiveBack, class == FailureClass::Network);
            prop_assert!(begun <= ATTEMPTS_MAX + outages && next.attempts <= ATTEMPTS_MAX);
            if let JobState::Retrying { not_before, .. } = next.state {
                prop_assert!(not_before.ms() - now.ms() <= 16_000);
            }
            if let (FailureClass::DeviceMemory, Decision::Retry { place, .. }) = (class, decision) {
                prop_assert!(next.suspect && next.avoid.is_some_and(|avoid| avoid.worker == worker(by)), "never beside others again, and left to others");
                prop_assert!(matches!(place, RetryPlace::LargerDevice | RetryPlace::Alone));
                prop_assert!(!(was_alone && place == RetryPlace::Alone), "what failed alone is not tried alone on the like");
            }
            let attempt = FailedAttempt { attempt: attempts, decision, ..failed(class, by, 40) };
            keep(&mut past, attempt);
            let lost = past.iter().filter(|attempt| attempt.class.loses_worker()).count();
            prop_assert!(lost <= WORKERS_LOST_MAX && (lost < WORKERS_LOST_MAX || next.state.is_terminal()));
            job = next;
        }
    }
}

fn has_fallen_back(past: &[FailedAttempt]) -> bool {
    past.iter().any(|attempt| matches!(attempt.decision, Decision::FallBack { .. }))
}

/// Latents are lost by decoders alone: the event does not happen.
fn continue_after(job: &mut Lifecycle, epoch: u32, now: Timestamp) {
    *job = job.clone().give_back(epoch, now).unwrap();
}
