//! Which of the jobs that wait for a stage a worker takes next.
//!
//! They are taken in the order of their lines, with two exceptions. A **suspect**, over which a worker was lost, runs
//! alone: a worker that has other jobs running leaves it out, or becomes idle for it, one worker of the fleet at a time.
//! A retry is left to other workers than the one that failed it, for a while.

use super::{Place, Tag};
use crate::{
    JobId, TenantId, Timestamp, WorkerId,
    job::{AVOID_MS, Avoided, PAUSE_MAX_MS, STARTED_SINCE_MS, pause_ms},
};

/// How long a suspect is kept for the worker that becomes idle for it, unless that says again that it does.
pub const RESERVED_MS: i64 = 15_000;
/// One that ends further ahead was said before the clock was put back; by a little more than [`RESERVED_MS`], after `now` was asked for.
pub const RESERVED_AHEAD_MAX_MS: i64 = 2 * RESERVED_MS;

/// A job that waits for the stage, and whose time has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub place: Place,
    pub tenant: TenantId,
    pub tag: Tag,
    /// Of the claimant's models, which one, by number.
    pub model: usize,
    /// Counts its claims: where it differs, somebody has had the job since.
    pub epoch: u32,
    /// Runs begun.
    pub attempts: u32,
    /// A worker was lost over it.
    pub suspect: bool,
    pub avoid: Option<Avoided>,
    /// Devices that are known to have less memory are too small for it, in bytes.
    pub needs_memory: Option<u64>,
    pub reservation: Option<SuspectReservation>,
}

/// A suspect is kept for a worker that becomes idle for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuspectReservation {
    pub worker: WorkerId,
    pub until: Timestamp,
}

/// What a claim does with suspects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suspects {
    /// Takes them: the worker runs nothing else, and will run a suspect alone.
    Take,
    /// Becomes idle for one that is next: the worker has others running.
    Reserve,
    LeaveOut,
}

/// A worker process, as those see it that might leave a job to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colleague {
    pub worker: WorkerId,
    pub started_at: Timestamp,
    /// Was seen lately.
    pub alive: bool,
    /// Of its device. `None`: it does not say.
    pub memory_bytes: Option<u64>,
    /// Of the claimant's models, by number, those of which it takes jobs of the stage; none when it is not alive.
    pub takes: Vec<usize>,
    /// Those of which it takes such jobs, or will once it has loaded them.
    pub serves: Vec<usize>,
}

/// The worker that asks for work.
#[derive(Debug, Clone, Copy)]
pub struct Claimant<'a> {
    pub worker: WorkerId,
    pub suspects: Suspects,
    /// The worker processes that are known, this one among them.
    pub fleet: &'a [Colleague],
}

/// What a worker does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Takes the first of these that nobody else is just taking. Empty: none of them is for this worker.
    Claim(Vec<Candidate>),
    /// Takes nothing more until it is idle, to run this suspect.
    BecomeIdleFor(JobId),
}

impl Candidate {
    fn is_reserved_for_another(&self, me: WorkerId, now: Timestamp) -> bool {
        self.reservation.is_some_and(|kept| kept.worker != me && !kept.until.has_come(now, RESERVED_AHEAD_MAX_MS))
    }
}

impl Claimant<'_> {
    /// `candidates` line by line, each in its order.
    #[must_use]
    pub fn choose(&self, candidates: &[Candidate], now: Timestamp) -> Choice {
        let mine = || candidates.iter().filter(|candidate| !self.leaves_to_others(candidate, now)).copied();
        let another_becomes_idle = candidates.iter().any(|candidate| candidate.is_reserved_for_another(self.worker, now));
        match (self.suspects, mine().next()) {
            (Suspects::Take, _) => Choice::Claim(mine().collect()),
            (Suspects::Reserve, Some(next)) if next.suspect && !another_becomes_idle => Choice::BecomeIdleFor(next.place.job),
            (Suspects::Reserve | Suspects::LeaveOut, _) => Choice::Claim(mine().filter(|candidate| !candidate.suspect).collect()),
        }
    }

    /// A retry is left to others by those whose devices are too small for it, by the worker that failed it and, while there are workers that were there then, by those
    /// that have started since, as one of them may stand for the one that failed it.
    fn leaves_to_others(&self, candidate: &Candidate, now: Timestamp) -> bool {
        let is_large_enough =
            |colleague: &Colleague| colleague.memory_bytes.is_none_or(|bytes| candidate.needs_memory.is_none_or(|needed| bytes >= needed));
        let takes = |other: &&Colleague| other.takes.contains(&candidate.model) && is_large_enough(other);
        let me_is_too_small = self.fleet.iter().any(|colleague| colleague.worker == self.worker && !is_large_enough(colleague));
        // Where the model is not warm there, it comes to the job, as that is waited for.
        let serves = |other: &Colleague| other.serves.contains(&candidate.model) && is_large_enough(other);
        if me_is_too_small && self.others().any(serves) {
            return true;
        }
        let Some(avoid) = candidate.avoid else { return false };
        if !self.others().any(|other| takes(&other)) {
            return false;
        }
        // Also where the clock has been put back since.
        let is_old = |ms: i64| avoid.from.has_come(now.plus_ms(-ms), ms + PAUSE_MAX_MS);
        if avoid.worker == self.worker {
            return !is_old(AVOID_MS);
        }
        let failed_at = avoid.from.plus_ms(-pause_ms(candidate.place.job, candidate.attempts));
        let was_there = |colleague: &Colleague| colleague.started_at <= failed_at;
        let me_was_there = self.fleet.iter().any(|colleague| colleague.worker == self.worker && was_there(colleague));
        let avoided_lives = self.fleet.iter().any(|colleague| colleague.worker == avoid.worker && colleague.alive);
        let others_were_there = self.others().any(|other| takes(&other) && was_there(other));
        !candidate.suspect && !me_was_there && !avoided_lives && others_were_there && !is_old(STARTED_SINCE_MS)
    }

    fn others(&self) -> impl Iterator<Item = &Colleague> {
        self.fleet.iter().filter(|colleague| colleague.worker != self.worker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduling::VirtualTime;
    use proptest::prelude::*;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::from_ms(1_000_000);

    fn worker(n: u128) -> WorkerId {
        WorkerId::from_uuid(Uuid::from_u128(n))
    }

    /// The `n`-th in line.
    fn waiting(n: u8) -> Candidate {
        let place = Place { finish: VirtualTime::new(n.into()), job: JobId::from_uuid(Uuid::from_u128(n.into())) };
        Candidate {
            place,
            tenant: TenantId::from_uuid(Uuid::nil()),
            tag: Tag::default(),
            model: 0,
            epoch: 0,
            attempts: 0,
            suspect: false,
            avoid: None,
            needs_memory: None,
            reservation: None,
        }
    }

    fn suspect(n: u8) -> Candidate {
        Candidate { suspect: true, ..waiting(n) }
    }

    /// Failed once by `failed_by`, and free again since `since_ms`.
    fn retry(n: u8, failed_by: u128, since_ms: i64) -> Candidate {
        let avoid = Avoided { worker: worker(failed_by), from: NOW.plus_ms(-since_ms) };
        Candidate { attempts: 1, avoid: Some(avoid), ..waiting(n) }
    }

    fn kept(candidate: Candidate, by: u128, for_ms: i64) -> Candidate {
        Candidate { reservation: Some(SuspectReservation { worker: worker(by), until: NOW.plus_ms(for_ms) }), ..candidate }
    }

    fn colleague(n: u128, started_ago_ms: i64) -> Colleague {
        Colleague {
            worker: worker(n),
            started_at: NOW.plus_ms(-started_ago_ms),
            alive: true,
            memory_bytes: None,
            takes: vec![0],
            serves: vec![0],
        }
    }

    fn choose(suspects: Suspects, fleet: &[Colleague], candidates: &[Candidate]) -> Choice {
        Claimant { worker: worker(1), suspects, fleet }.choose(candidates, NOW)
    }

    #[test]
    fn jobs_are_taken_in_the_order_of_the_queue() {
        let line = [waiting(1), waiting(2), waiting(3)];
        for suspects in [Suspects::Take, Suspects::Reserve, Suspects::LeaveOut] {
            assert_eq!(choose(suspects, &[], &line), Choice::Claim(line.to_vec()));
        }
    }

    #[test]
    fn a_suspect_is_taken_by_an_idle_worker_and_a_busy_one_becomes_idle_for_it_in_its_turn() {
        let line = [suspect(1), waiting(2)];
        assert_eq!(choose(Suspects::Take, &[], &line), Choice::Claim(line.to_vec()));
        assert_eq!(choose(Suspects::Reserve, &[], &line), Choice::BecomeIdleFor(line[0].place.job));
        assert_eq!(choose(Suspects::LeaveOut, &[], &line), Choice::Claim(vec![line[1]]));
        let behind = [waiting(1), suspect(2), waiting(3)];
        assert_eq!(choose(Suspects::Reserve, &[], &behind), Choice::Claim(vec![behind[0], behind[2]]), "in its turn");
    }

    #[test]
    fn a_suspect_that_is_kept_for_another_is_left_to_it_until_that_falls_silent() {
        let ordinary = waiting(2);
        assert_eq!(choose(Suspects::Reserve, &[], &[kept(suspect(1), 2, 1), ordinary]), Choice::Claim(vec![ordinary]));
        let two = [suspect(1), ordinary, kept(suspect(3), 2, 1)];
        assert_eq!(choose(Suspects::Reserve, &[], &two), Choice::Claim(vec![ordinary]), "one worker at a time becomes idle");
        let silent = kept(suspect(1), 2, 0);
        assert_eq!(choose(Suspects::Reserve, &[], &[silent, ordinary]), Choice::BecomeIdleFor(silent.place.job));
        let mine = kept(suspect(1), 1, 1);
        assert_eq!(choose(Suspects::Reserve, &[], &[mine]), Choice::BecomeIdleFor(mine.place.job));
        let others = kept(suspect(1), 2, 1);
        assert_eq!(choose(Suspects::Take, &[], &[others]), Choice::Claim(vec![others]), "an idle worker waits for nobody");
        let just_now = kept(suspect(1), 2, RESERVED_MS + 1);
        assert_eq!(choose(Suspects::Reserve, &[], &[just_now, ordinary]), Choice::Claim(vec![ordinary]), "it was kept since `now`");
        let far_ahead = kept(suspect(1), 2, RESERVED_AHEAD_MAX_MS + 1);
        assert_eq!(choose(Suspects::Reserve, &[], &[far_ahead]), Choice::BecomeIdleFor(far_ahead.place.job), "the clock was put back");
    }

    #[test]
    fn a_retry_is_left_to_others_for_a_while_if_there_are_any() {
        let (fleet, failed) = ([colleague(1, 100_000), colleague(2, 100_000)], retry(1, 1, 0));
        assert_eq!(choose(Suspects::Take, &fleet, &[failed, waiting(2)]), Choice::Claim(vec![waiting(2)]));
        assert_eq!(choose(Suspects::Take, &fleet[..1], &[failed]), Choice::Claim(vec![failed]), "nobody else is there");
        let decoder = Colleague { takes: vec![], serves: vec![], ..fleet[1].clone() };
        assert_eq!(choose(Suspects::Take, &[fleet[0].clone(), decoder], &[failed]), Choice::Claim(vec![failed]), "nobody else does this");
        let of_another_model = Candidate { model: 1, ..failed };
        assert_eq!(choose(Suspects::Take, &fleet, &[of_another_model]), Choice::Claim(vec![of_another_model]), "nobody else has the model");
        let old = retry(1, 1, AVOID_MS);
        assert_eq!(choose(Suspects::Take, &fleet, &[old]), Choice::Claim(vec![old]), "the others had their time");
        let others = retry(1, 2, 0);
        assert_eq!(choose(Suspects::Take, &fleet, &[others]), Choice::Claim(vec![others]));
    }

    #[test]
    fn a_retry_is_left_to_those_that_were_there_by_those_that_have_started_since() {
        // Failed at the end of an attempt, one second before `from`: worker 3, which is gone.
        let failed = retry(1, 3, 0);
        let (young, elder) = (colleague(1, 500), colleague(2, 100_000));
        assert_eq!(choose(Suspects::Take, &[young.clone(), elder.clone()], &[failed]), Choice::Claim(vec![]));
        assert_eq!(choose(Suspects::Take, &[young.clone(), colleague(2, 500)], &[failed]), Choice::Claim(vec![failed]), "all have");
        assert_eq!(
            choose(Suspects::Take, &[young.clone(), elder.clone(), colleague(3, 100_000)], &[failed]),
            Choice::Claim(vec![failed]),
            "it lives"
        );
        let has_another_model = Colleague { takes: vec![1], serves: vec![1], ..elder.clone() };
        assert_eq!(
            choose(Suspects::Take, &[young.clone(), has_another_model], &[failed]),
            Choice::Claim(vec![failed]),
            "it has another model"
        );
        let suspect = Candidate { suspect: true, ..failed };
        assert_eq!(
            choose(Suspects::Take, &[young.clone(), elder.clone()], &[suspect]),
            Choice::Claim(vec![suspect]),
            "a lost worker is no failing device"
        );
        let old = retry(1, 3, STARTED_SINCE_MS);
        assert_eq!(choose(Suspects::Take, &[young, elder], &[old]), Choice::Claim(vec![old]));
    }

    #[test]
    fn who_ran_out_of_memory_beside_others_never_goes_back_to_that_busy_device_while_another_is_there() {
        let with = |n: u128, bytes: u64| Colleague { memory_bytes: Some(bytes), ..colleague(n, 100_000) };
        let failed = Candidate { suspect: true, needs_memory: Some(100), ..retry(1, 1, 0) };
        let (mine, smaller, alike) = (with(1, 100), with(2, 50), with(3, 100));
        assert_eq!(choose(Suspects::Take, &[mine.clone(), alike.clone()], &[failed]), Choice::Claim(vec![]), "not even when it is idle");
        assert_eq!(choose(Suspects::Take, &[mine.clone(), smaller.clone()], &[failed]), Choice::Claim(vec![failed]), "too small");
        let later = Candidate { avoid: retry(1, 1, AVOID_MS).avoid, ..failed };
        assert_eq!(choose(Suspects::LeaveOut, &[mine, alike.clone()], &[later]), Choice::Claim(vec![]), "busy");
        let me_small = with(1, 50);
        let by_another = Candidate { avoid: retry(1, 3, STARTED_SINCE_MS).avoid, ..failed };
        assert_eq!(choose(Suspects::Take, &[me_small.clone(), alike], &[by_another]), Choice::Claim(vec![]), "for as long as it takes");
        assert_eq!(
            choose(Suspects::Take, &[me_small.clone(), smaller], &[by_another]),
            Choice::Claim(vec![by_another]),
            "none is large enough"
        );
        let cold = Colleague { takes: vec![], ..with(3, 100) };
        assert_eq!(choose(Suspects::Take, &[me_small.clone(), cold.clone()], &[by_another]), Choice::Claim(vec![]), "it loads the model");
        let cannot = Colleague { serves: vec![], ..cold };
        assert_eq!(choose(Suspects::Take, &[me_small, cannot], &[by_another]), Choice::Claim(vec![by_another]), "it cannot");
    }

    fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
        let failed = prop::option::of((0_u128..4, -40_000_i64..700_000));
        let needs = prop::option::of(0_u64..3);
        let one = (any::<bool>(), 0_usize..2, failed, needs, prop::option::of((0_u128..4, -20_000_i64..20_000)));
        prop::collection::vec(one, 0..12).prop_map(|line| {
            let each = line.into_iter().zip(1..).map(|((suspect, model, failed, needs_memory, reserved), n)| {
                let candidate = failed.map_or(waiting(n), |(by, since_ms)| retry(n, by, since_ms));
                let candidate = Candidate { suspect, model, needs_memory, ..candidate };
                reserved.map_or(candidate, |(by, for_ms)| kept(candidate, by, for_ms))
            });
            each.collect()
        })
    }

    fn fleets() -> impl Strategy<Value = Vec<Colleague>> {
        let memory = prop::option::of(0_u64..3);
        let models = || prop::sample::subsequence(vec![0, 1], 0..=2);
        let one = (0_i64..700_000, any::<bool>(), memory, models(), models());
        prop::collection::btree_map(0_u128..4, one, 0..5).prop_map(|fleet| {
            let each = fleet.into_iter().map(|(n, (ago_ms, alive, memory_bytes, takes, cold))| {
                let takes = if alive { takes } else { Vec::new() };
                let serves = [0, 1].into_iter().filter(|model| takes.contains(model) || (alive && cold.contains(model))).collect();
                Colleague { alive, takes, serves, memory_bytes, ..colleague(n, ago_ms) }
            });
            each.collect()
        })
    }

    proptest! {
        #[test]
        fn a_choice_keeps_the_order_and_never_lets_a_suspect_run_beside_others(line in candidates(), fleet in fleets()) {
            for suspects in [Suspects::Take, Suspects::Reserve, Suspects::LeaveOut] {
                let Choice::Claim(chosen) = choose(suspects, &fleet, &line) else { continue };
                prop_assert!(chosen.is_sorted_by_key(|candidate| candidate.place));
                prop_assert!(suspects == Suspects::Take || chosen.iter().all(|candidate| !candidate.suspect));
            }
        }

        /// Whatever one worker leaves to others, one of them that has its model takes, or has time to, or will once it is loaded.
        #[test]
        fn every_job_is_for_some_worker_of_the_fleet(line in candidates(), fleet in fleets()) {
            let served = |candidate: &Candidate| fleet.iter().any(|colleague| colleague.takes.contains(&candidate.model));
            for candidate in line.into_iter().filter(served) {
                let takes = |colleague: &&Colleague| {
                    let claimant = Claimant { worker: colleague.worker, suspects: Suspects::Take, fleet: &fleet };
                    claimant.choose(&[candidate], NOW) == Choice::Claim(vec![candidate])
                };
                let mut those = fleet.iter().filter(|colleague| colleague.serves.contains(&candidate.model));
                prop_assert!(those.any(|colleague| takes(&colleague)), "{candidate:?} {fleet:?}");
            }
        }
    }
}
