//! Who asks for what, and when: Poisson processes of requests, each of one job or several, the same for the same seed.

use serde_json::{Value, json};

use super::models::{MODELS, Model, REFERENCE_PIXELS};
use crate::torture::support::random::Random;

/// Of a request for several: the same prompt in several seeds.
pub struct Tenant {
    pub email: &'static str,
    pub plan: &'static str,
    pub is_batch: bool,
    pub weight: u32,
    /// Of the work that all ask for.
    share: f64,
    /// Jobs of a request, on the average.
    burst: usize,
    /// Video time that enters the queue, as a multiple of what the tenant asks for on the average when devices are fully used.
    release: Option<f64>,
}

const fn tenant(email: &'static str, (plan, weight): (&'static str, u32), share: f64, burst: usize) -> Tenant {
    Tenant { email, plan, weight, is_batch: false, share, burst, release: None }
}

const fn batch(tenant: Tenant) -> Tenant {
    Tenant { is_batch: true, ..tenant }
}

/// Weights are those of the plans.
pub const TENANTS: [Tenant; 8] = [
    tenant("a@example.com", ("bench-pro", 4), 0.18, 1),
    tenant("b@example.com", ("bench-pro", 4), 0.12, 4),
    tenant("c@example.com", ("bench-basic", 1), 0.14, 1),
    tenant("d@example.com", ("bench-basic", 1), 0.08, 2),
    tenant("e@example.com", ("bench-basic", 1), 0.08, 1),
    batch(tenant("f@example.com", ("bench-batch", 4), 0.15, 12)),
    batch(tenant("g@example.com", ("bench-batch", 4), 0.10, 30)),
    Tenant { release: Some(1.5), ..batch(tenant("h@example.com", ("bench-released", 4), 0.15, 20)) },
];

/// How often each is chosen, in hundredths.
const SIZES: [(&str, f64, u64); 3] = [("32x32", 1.0, 50), ("64x32", 2.0, 30), ("64x64", 4.0, 20)];
/// With the number of frames.
const SECONDS: [(&str, f64, u64); 3] = [("0.625", 5.0, 30), ("1.125", 9.0, 50), ("2.125", 17.0, 20)];
const STEPS: [(u32, u64); 3] = [(4, 20), (8, 50), (16, 30)];
/// That the quicker of the two models is chosen.
const QUICKER: u64 = 60;

#[derive(Clone, Copy)]
pub struct Fleet {
    pub workers: usize,
}

/// A job that is asked for at a moment.
pub struct Job {
    pub at_ms: f64,
    /// Which of [`TENANTS`].
    pub tenant: usize,
    model: &'static Model,
    size: &'static str,
    seconds: &'static str,
    steps: u32,
    seed: u64,
    /// As a multiple of what times were recorded of.
    pixels: f64,
}

pub struct Plan {
    /// In the order of their times.
    pub jobs: Vec<Job>,
}

impl Plan {
    /// Jobs that come for `ms`, of which the devices of the fleet are busy for so much of the time.
    pub fn new(fleet: Fleet, load: f64, ms: f64, seed: u64) -> Self {
        let mut chance = Random::new(seed);
        let mut jobs: Vec<Job> = Vec::new();
        for (number, tenant) in TENANTS.iter().enumerate() {
            let mut own = chance.split();
            let pause_ms = tenant.burst as f64 * mean_work_ms() / (tenant.share * load * fleet.workers as f64);
            let mut at_ms = -pause_ms * unit(&mut own).ln();
            while at_ms < ms {
                let request = Job::drawn(&mut own, number, at_ms);
                let count = if tenant.burst == 1 { 1 } else { 1 + own.below(2 * tenant.burst - 1) };
                jobs.extend((0..count).map(|_| Job { seed: own.next() >> 32, ..request }));
                at_ms -= pause_ms * unit(&mut own).ln();
            }
        }
        jobs.sort_by(|one, other| one.at_ms.total_cmp(&other.at_ms));
        Self { jobs }
    }
}

impl Job {
    fn drawn(chance: &mut Random, tenant: usize, at_ms: f64) -> Self {
        let model = &MODELS[usize::from(chance.next() % 100 >= QUICKER)];
        let (size, area, _) = chosen(chance, &SIZES, |size| size.2);
        let (seconds, frames, _) = chosen(chance, &SECONDS, |seconds| seconds.2);
        let (steps, _) = chosen(chance, &STEPS, |steps| steps.1);
        Self { at_ms, tenant, model, size, seconds, steps, seed: 0, pixels: pixels(area, frames) }
    }

    pub fn model(&self) -> &'static str {
        self.model.id
    }

    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// As the API takes it.
    pub fn body(&self) -> Value {
        let Self { model, size, seconds, steps, seed, .. } = self;
        json!({ "model": model.id, "prompt": "a lighthouse at dusk", "size": size, "seconds": seconds, "steps": steps, "seed": seed })
    }

    /// What its steps take of a device, as the model replays them.
    pub fn sampling_ms(&self) -> f64 {
        let recorded = &self.model.times().step_ms;
        let steps = (0..u64::from(self.steps)).map(|step| recorded[((self.seed + step) % recorded.len() as u64) as usize]);
        steps.sum::<f64>() * self.pixels
    }

    pub fn decoding_ms(&self) -> f64 {
        self.model.times().decode_mean_ms() * self.pixels
    }
}

impl Tenant {
    /// Video time a minute.
    pub fn release_rate_ms(&self, fleet: Fleet) -> Option<u64> {
        let jobs_a_minute = self.share * fleet.workers as f64 * 60_000.0 / mean_work_ms();
        self.release.map(|times| (times * jobs_a_minute * mean_billed_ms()) as u64)
    }
}

fn pixels(area: f64, frames: f64) -> f64 {
    area * 32.0 * 32.0 * frames / REFERENCE_PIXELS
}

fn chosen<T: Copy>(chance: &mut Random, among: &[T], hundredths: fn(&T) -> u64) -> T {
    let mut left = chance.next() % 100;
    let mut last = among[0];
    for one in among {
        last = *one;
        match left.checked_sub(hundredths(one)) {
            Some(rest) => left = rest,
            None => break,
        }
    }
    last
}

/// In `(0, 1]`.
fn unit(chance: &mut Random) -> f64 {
    ((chance.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
}

fn mean<T>(among: &[T], of: fn(&T) -> (f64, u64)) -> f64 {
    among.iter().map(of).map(|(value, hundredths)| value * hundredths as f64 / 100.0).sum()
}

fn mean_steps() -> f64 {
    mean(&STEPS, |(steps, often)| (f64::from(*steps), *often))
}

/// Of a job, on a device.
fn mean_work_ms() -> f64 {
    let pixels = mean(&SIZES, |size| (size.1, size.2)) * mean(&SECONDS, |seconds| (pixels(1.0, seconds.1), seconds.2));
    let of = |model: &Model| (mean_steps() * model.times().step_mean_ms() + model.times().decode_mean_ms()) * pixels;
    (QUICKER as f64 * of(&MODELS[0]) + (100 - QUICKER) as f64 * of(&MODELS[1])) / 100.0
}

/// The price is the length times the weight of the size and the part of eight steps.
fn mean_billed_ms() -> f64 {
    let seconds = mean(&SECONDS, |(text, _, often)| (text.parse().unwrap_or(0.0), *often));
    1000.0 * seconds * mean(&SIZES, |size| (size.1, size.2)) * mean_steps() / 8.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ask_together_for_the_load_that_was_wanted() {
        let (fleet, ms) = (Fleet { workers: 4 }, 4_000_000.0);
        let plan = Plan::new(fleet, 0.8, ms, 1);
        let work_ms: f64 = plan.jobs.iter().map(|job| job.sampling_ms() + job.decoding_ms()).sum();
        assert!((work_ms / ms / 4.0 - 0.8).abs() < 0.05, "{}", work_ms / ms / 4.0);
        assert!(plan.jobs.is_sorted_by_key(|job| job.at_ms));
        assert!((TENANTS.iter().map(|tenant| tenant.share).sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_same_seed_makes_the_same_jobs() {
        let bodies = |seed| Plan::new(Fleet { workers: 2 }, 0.5, 60_000.0, seed).jobs.iter().map(Job::body).collect::<Vec<_>>();
        assert_eq!(bodies(7), bodies(7));
        assert_ne!(bodies(7), bodies(8));
    }
}
