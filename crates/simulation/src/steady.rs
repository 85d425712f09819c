//! How long jobs wait where as much comes all the time: a mix of jobs by a few numbers, at random, over a fleet that stays as it is.

use crate::{Device, Engine, Event, Job, Observer, Policy, ServedModel, StageMs, State, Tenant, Worker, load::normal};
use domain::{JobId, Stage, TenantId, VideoTime, billing::Lane};
use fastrand::Rng;
use uuid::Uuid;

/// Those whose jobs are interactive.
const INTERACTIVE_TENANTS: usize = 8;
/// Of every job: a batch job makes room between two of them.
const STEPS: u32 = 20;
/// Of the jobs, those that find the fleet empty at first are not counted.
const WARM_UP: f64 = 0.25;
/// How often is asked whether to go on.
const ASKED_EVERY: u64 = 128;
/// More than this happens to a job only where something is wrong.
const EVENTS_PER_JOB: u64 = 400;
/// Nothing takes no time, once it runs.
const LEAST_MS: f64 = 1e-6;

/// Equal workers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyWorkers {
    pub count: u32,
    /// How many times as fast as the device that the jobs were measured on.
    pub speed: f64,
}

/// Jobs that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyKind {
    pub model: usize,
    pub lane: Lane,
    /// How many of them come, beside those of other kinds; in any unit.
    pub jobs: f64,
    /// The mean time that a job takes of a device of speed 1.
    pub device_ms: f64,
    /// The variance of that divided by the square of its mean.
    pub device_scv: f64,
    /// The part of it, of 1, that is decoding.
    pub decoding: f64,
}

/// A fleet and what comes to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Steady {
    pub workers: Vec<SteadyWorkers>,
    /// Jobs that a worker samples at once.
    pub slots: usize,
    pub kinds: Vec<SteadyKind>,
    /// Tenants that share the batch jobs.
    pub batch_tenants: usize,
    /// How many jobs come in a run.
    pub jobs: usize,
    pub seed: u64,
}

/// From the arrival of each job until a worker began it, in milliseconds, the shortest first.
#[derive(Debug, Clone, PartialEq)]
pub struct SteadyWaits(Vec<f64>);

impl SteadyWaits {
    #[must_use]
    pub const fn jobs(&self) -> usize {
        self.0.len()
    }

    /// The wait of the job at the nearest rank; 0 where there are none.
    #[must_use]
    pub fn at_percent(&self, percent: usize) -> f64 {
        self.0.get((self.0.len() * percent).div_ceil(100).max(1) - 1).copied().unwrap_or(0.0)
    }

    /// Of 1, the part of the jobs that began within so many milliseconds.
    #[must_use]
    pub fn begun_within(&self, ms: f64) -> f64 {
        self.0.partition_point(|wait| *wait <= ms) as f64 / self.0.len().max(1) as f64
    }

    #[must_use]
    pub fn mean_ms(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }
}

/// Waits by the number of the job.
struct Noted {
    arrived_ms: Vec<f64>,
    waited_ms: Vec<Option<f64>>,
    left: usize,
}

impl Observer for Noted {
    fn observe(&mut self, at_ms: f64, job: &Job, event: Event) {
        let number = job.id.uuid().as_u128() as usize;
        if let Event::Begun { stage: Stage::Sampling, .. } = event
            && self.waited_ms[number].is_none()
        {
            self.waited_ms[number] = Some(at_ms - self.arrived_ms[number]);
            self.left -= 1;
        }
    }
}

impl Steady {
    /// Lets jobs come that fill this part of the workers' time, until all have begun. `goes_on` is asked now and then.
    ///
    /// `None`: it said no, or there is nothing to simulate.
    #[must_use]
    pub fn waits(&self, utilisation: f64, goes_on: &mut dyn FnMut() -> bool) -> Option<SteadyWaits> {
        let mut rng = Rng::with_seed(self.seed);
        let arrivals_per_ms = self.arrivals_per_ms(utilisation)?;
        let mut engine = self.engine()?;
        let mut noted = Noted { arrived_ms: Vec::with_capacity(self.jobs), waited_ms: vec![None; self.jobs], left: self.jobs };
        let (mut happened, mut at_ms) = (0, 0.0);
        let mut is_over = move || {
            happened += 1;
            happened % ASKED_EVERY == 0 && !(goes_on() && happened < EVENTS_PER_JOB * self.jobs as u64)
        };
        for number in 0..self.jobs {
            at_ms -= (1.0 - rng.f64()).ln() / arrivals_per_ms;
            while engine.next_ms().is_some_and(|next| next <= at_ms) {
                engine.step(&mut noted);
                if is_over() {
                    return None;
                }
            }
            engine.advance(at_ms, &mut noted);
            noted.arrived_ms.push(at_ms);
            engine.submit(self.job(&mut rng, number), &mut noted);
        }
        while noted.left > 0 && engine.step(&mut noted) {
            if is_over() {
                return None;
            }
        }
        let mut waited: Vec<f64> = noted.waited_ms.into_iter().skip((self.jobs as f64 * WARM_UP) as usize).flatten().collect();
        waited.sort_unstable_by(f64::total_cmp);
        Some(SteadyWaits(waited))
    }

    /// `None`: no work fills any part of these workers.
    fn arrivals_per_ms(&self, utilisation: f64) -> Option<f64> {
        let speed: f64 = self.workers.iter().map(|workers| f64::from(workers.count) * workers.speed).sum();
        let jobs: f64 = self.kinds.iter().map(|kind| kind.jobs).sum();
        let device_ms = self.kinds.iter().map(|kind| kind.jobs * kind.device_ms).sum::<f64>() / jobs;
        let rate = utilisation * speed / device_ms;
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }

    fn engine(&self) -> Option<Engine> {
        let models = self.kinds.iter().map(|kind| kind.model + 1).max()?;
        let tenant = |number: usize| Tenant::new(TenantId::from_uuid(Uuid::from_u128(number as u128)), 1);
        let worker = |speed: f64| Worker {
            sampling: self.slots.max(1).into(),
            decoding: 1.into(),
            device: Device { speed, batch_gain: 0.0 },
            models: (0..models).map(ServedModel::loaded).collect(),
            available_at_ms: 0.0,
            claim_ms: 0.0,
        };
        let workers = self.workers.iter().flat_map(|workers| std::iter::repeat_n(worker(workers.speed), workers.count as usize));
        let tenants = (0..INTERACTIVE_TENANTS + self.batch_tenants.max(1)).map(tenant);
        let mut engine =
            Engine::new(Policy::Fair, State { models, tenants: tenants.collect(), workers: workers.collect(), ..State::default() }).ok()?;
        // Workers are there before the first job.
        engine.advance(0.0, &mut ());
        Some(engine)
    }

    fn job(&self, rng: &mut Rng, number: usize) -> Job {
        let kind = self.drawn(rng);
        let tenant = match kind.lane {
            Lane::Interactive => rng.usize(..INTERACTIVE_TENANTS),
            Lane::Batch => INTERACTIVE_TENANTS + rng.usize(..self.batch_tenants.max(1)),
        };
        // Log-normal, of this mean and variance.
        let variance = kind.device_scv.max(0.0).ln_1p();
        let device_ms = kind.device_ms * (variance.sqrt() * normal(rng) - variance / 2.0).exp();
        let decoding = (device_ms * kind.decoding.clamp(0.0, 1.0)).max(LEAST_MS);
        let (id, work) = (JobId::from_uuid(Uuid::from_u128(number as u128)), VideoTime::from_ms(device_ms.max(1.0) as u64));
        Job {
            id,
            tenant,
            lane: kind.lane,
            stands: None,
            has_entered: false,
            model: kind.model,
            steps: STEPS,
            work,
            billed: work,
            device_ms: StageMs { sampling: (device_ms - decoding).max(LEAST_MS), decoding },
            overhead_ms: StageMs::default(),
        }
    }

    fn drawn(&self, rng: &mut Rng) -> SteadyKind {
        let mut at = rng.f64() * self.kinds.iter().map(|kind| kind.jobs).sum::<f64>();
        let found = self.kinds.iter().find(|kind| {
            at -= kind.jobs;
            at < 0.0
        });
        *found.unwrap_or(&self.kinds[self.kinds.len() - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(lane: Lane, jobs: f64, device_scv: f64) -> SteadyKind {
        SteadyKind { model: 0, lane, jobs, device_ms: 1000.0, device_scv, decoding: 0.0 }
    }

    fn steady(workers: u32, kinds: Vec<SteadyKind>) -> Steady {
        Steady { workers: vec![SteadyWorkers { count: workers, speed: 1.0 }], slots: 1, kinds, batch_tenants: 2, jobs: 20_000, seed: 7 }
    }

    fn waits(of: &Steady, utilisation: f64) -> SteadyWaits {
        of.waits(utilisation, &mut || true).unwrap()
    }

    #[test]
    fn one_worker_that_takes_one_job_at_once_keeps_jobs_waiting_as_pollaczek_and_khinchine_say() {
        // Utilisation * S * (1 + scv) / (2 (1 - utilisation)).
        let mean_ms = |scv, utilisation| waits(&steady(1, vec![kind(Lane::Interactive, 1.0, scv)]), utilisation).mean_ms();
        for (utilisation, expected_ms) in [(0.5, 500.0), (0.8, 2000.0)] {
            let mean_ms = mean_ms(0.0, utilisation);
            assert!((mean_ms / expected_ms - 1.0).abs() < 0.1, "{utilisation}: {mean_ms}");
        }
        // Of jobs that are not alike, shares let short ones in front of long ones.
        let mean_ms = mean_ms(1.0, 0.5);
        assert!((700.0..1000.0).contains(&mean_ms), "{mean_ms}");
    }

    #[test]
    fn fuller_fleets_keep_jobs_waiting_longer_and_faster_ones_are_less_full() {
        let fleet = steady(4, vec![kind(Lane::Interactive, 1.0, 0.5), kind(Lane::Batch, 3.0, 0.5)]);
        let p95 = [0.5, 0.8, 0.95].map(|utilisation| waits(&fleet, utilisation).at_percent(95));
        assert!(p95.is_sorted() && p95[0] < p95[2], "{p95:?}");
        let (slow, fast) = (waits(&fleet, 0.8), waits(&Steady { workers: vec![SteadyWorkers { count: 4, speed: 2.0 }], ..fleet }, 0.8));
        assert!((slow.mean_ms() / fast.mean_ms() / 2.0 - 1.0).abs() < 0.05, "{} {}", slow.mean_ms(), fast.mean_ms());
    }

    #[test]
    fn waits_are_told_at_a_rank_and_up_to_a_bound() {
        let waits = SteadyWaits(vec![0.0, 10.0, 20.0, 30.0]);
        assert_eq!(
            [waits.at_percent(50), waits.at_percent(95), waits.begun_within(20.0), waits.begun_within(-1.0)],
            [10.0, 30.0, 0.75, 0.0]
        );
        assert_eq!((SteadyWaits(Vec::new()).at_percent(50), SteadyWaits(Vec::new()).begun_within(1.0)), (0.0, 0.0));
    }

    #[test]
    fn a_run_ends_when_it_is_told_to_and_nothing_is_not_simulated() {
        let fleet = steady(2, vec![kind(Lane::Batch, 1.0, 0.0)]);
        let mut asked = 0;
        assert_eq!(
            fleet.waits(0.9, &mut || {
                asked += 1;
                asked < 3
            }),
            None
        );
        assert_eq!(asked, 3);
        assert_eq!(steady(2, Vec::new()).waits(0.5, &mut || true), None);
        assert_eq!(steady(0, vec![kind(Lane::Batch, 1.0, 0.0)]).waits(0.5, &mut || true), None);
        assert_eq!(waits(&fleet, 0.7), waits(&fleet, 0.7), "the same numbers make the same run");
    }
}
