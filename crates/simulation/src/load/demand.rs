//! A load that is made up: tenants of different plans and sizes, three kinds of jobs, and arrivals by chance.
//!
//! How much tenants ask for falls by Zipf's law: the k-th asks for 1/k of what the first does. Requests come as a Poisson process. One of a batch
//! tenant brings many jobs at once, their number geometrically distributed. What a job takes scatters log-normally about the mean of its kind.

use super::Load;
use crate::{Arrival, Job, StageMs, Tenant};
use domain::{JobId, TenantId, Timestamp, VideoTime, billing::Lane, scheduling::ReleaseGate};
use fastrand::Rng;
use std::f64::consts::TAU;
use uuid::Uuid;

/// A load by a few numbers. The same numbers make the same load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    pub jobs: usize,
    pub tenants: usize,
    /// What is asked for, as a share of what so many devices of speed 1 do.
    pub load: f64,
    pub devices: usize,
    /// Jobs that a request of a batch tenant brings, on the average.
    pub burst: f64,
    /// Milliseconds of each stage that need no device.
    pub overhead_ms: StageMs,
    pub seed: u64,
}

/// Jobs of one kind.
struct Mix {
    model: usize,
    steps: u32,
    work_ms: u64,
    device_ms: StageMs,
    /// Of all jobs, in hundredths.
    share: u64,
}

const MODELS: [&str; 2] = ["small", "large"];

const KINDS: [Mix; 3] = [
    Mix { model: 0, steps: 8, work_ms: 2000, device_ms: StageMs { sampling: 4000.0, decoding: 1000.0 }, share: 50 },
    Mix { model: 0, steps: 24, work_ms: 4000, device_ms: StageMs { sampling: 20_000.0, decoding: 3000.0 }, share: 35 },
    Mix { model: 1, steps: 40, work_ms: 8000, device_ms: StageMs { sampling: 90_000.0, decoding: 8000.0 }, share: 15 },
];

/// The standard deviation of the logarithm of what a job takes, of which the mean is 1.
const SCATTER: f64 = 0.25;

/// How a tenant's plan treats it, and how many of a hundred tenants have that plan.
struct PlanOf {
    lane: Lane,
    weight: u32,
    limit: Limit,
    share: u64,
}

enum Limit {
    None,
    /// A number at once that is four times what the tenant keeps devices busy with on the average, and four at least.
    AtOnce,
    /// A rate of twice what the tenant asks for on the average, by which a request of the mean size enters within ten minutes.
    Rate,
}

const PLANS: [PlanOf; 4] = [
    PlanOf { lane: Lane::Interactive, weight: 1, limit: Limit::AtOnce, share: 40 },
    PlanOf { lane: Lane::Interactive, weight: 4, limit: Limit::None, share: 25 },
    PlanOf { lane: Lane::Batch, weight: 1, limit: Limit::Rate, share: 20 },
    PlanOf { lane: Lane::Batch, weight: 8, limit: Limit::None, share: 15 },
];

/// The mean of something over all kinds.
fn mean(of: impl Fn(&Mix) -> f64) -> f64 {
    KINDS.iter().map(|kind| of(kind) * kind.share as f64 / 100.0).sum()
}

impl Demand {
    #[must_use]
    pub fn make(&self) -> Load {
        let mut rng = Rng::with_seed(self.seed);
        let device_ms = mean(|kind| kind.device_ms.sampling + kind.device_ms.decoding);
        // Jobs a millisecond, of all tenants.
        let rate = self.load * self.devices as f64 / device_ms;
        let all: f64 = (1..=self.tenants).map(|k| 1.0 / k as f64).sum();
        let rates: Vec<f64> = (1..=self.tenants).map(|k| rate / (k as f64 * all)).collect();
        let plans: Vec<&PlanOf> = rates.iter().map(|_| drawn(&mut rng, &PLANS, |plan| plan.share)).collect();
        let tenants = plans.iter().zip(&rates).enumerate().map(|(n, (plan, rate))| tenant(n, plan, (*rate, self.burst), device_ms));
        Load {
            models: MODELS.map(str::to_owned).into(),
            tenants: tenants.collect(),
            arrivals: self.arrivals(&mut rng, &plans, &rates),
            waited_ms: Vec::new(),
        }
    }

    fn arrivals(&self, rng: &mut Rng, plans: &[&PlanOf], rates: &[f64]) -> Vec<Arrival> {
        let burst = |plan: &PlanOf| if plan.lane == Lane::Batch { self.burst.max(1.0) } else { 1.0 };
        // Requests a millisecond, of the first so many tenants.
        let mut requests = 0.0;
        let up_to: Vec<f64> = plans
            .iter()
            .zip(rates)
            .map(|(plan, rate)| {
                requests += rate / burst(plan);
                requests
            })
            .collect();
        let (mut now_ms, mut arrivals) = (0.0, Vec::with_capacity(self.jobs));
        while arrivals.len() < self.jobs && requests > 0.0 {
            now_ms -= (1.0 - rng.f64()).ln() / requests;
            let drawn_at = rng.f64() * requests;
            let tenant = up_to.partition_point(|end| *end <= drawn_at).min(plans.len() - 1);
            let kind = drawn(rng, &KINDS, |kind| kind.share);
            for _ in 0..geometric(rng, burst(plans[tenant])).min(self.jobs - arrivals.len()) {
                let number = arrivals.len();
                arrivals.push(Arrival { at_ms: now_ms, job: self.job(rng, number, tenant, plans[tenant].lane, kind) });
            }
        }
        arrivals
    }

    fn job(&self, rng: &mut Rng, number: usize, tenant: usize, lane: Lane, kind: &Mix) -> Job {
        let scatter = (SCATTER * normal(rng) - SCATTER * SCATTER / 2.0).exp();
        let device_ms = StageMs { sampling: kind.device_ms.sampling * scatter, decoding: kind.device_ms.decoding * scatter };
        let (id, work) = (JobId::from_uuid(Uuid::from_u128(number as u128)), VideoTime::from_ms(kind.work_ms));
        Job {
            id,
            tenant,
            lane,
            stands: None,
            has_entered: false,
            model: kind.model,
            steps: kind.steps,
            work,
            billed: work,
            device_ms,
            overhead_ms: self.overhead_ms,
        }
    }
}

/// The `n`-th tenant, which asks for `rate` jobs a millisecond, `burst` of them at a time.
fn tenant(n: usize, plan: &PlanOf, (rate, burst): (f64, f64), device_ms: f64) -> Tenant {
    let id = TenantId::from_uuid(Uuid::from_u128(n as u128));
    let gate = match plan.limit {
        Limit::None => None,
        Limit::AtOnce => ReleaseGate::new(None, Some((4.0 * rate * device_ms).ceil().max(4.0) as u32)),
        Limit::Rate => {
            let a_minute = (2.0 * 60_000.0 * rate).max(burst / 10.0) * mean(|kind| kind.work_ms as f64);
            ReleaseGate::new(Some(VideoTime::from_ms(a_minute.ceil() as u64)), None)
        }
    };
    Tenant { id, weight: plan.weight, gate, free_at: Timestamp::from_ms(0) }
}

/// One of these, as often as its share is of a hundred.
fn drawn<'a, T>(rng: &mut Rng, of: &'a [T], share: impl Fn(&T) -> u64) -> &'a T {
    let mut at = rng.u64(0..100);
    let found = of.iter().find(|one| {
        let is_it = at < share(one);
        at = at.saturating_sub(share(one));
        is_it
    });
    found.unwrap_or(&of[0])
}

/// From 1 on, with this mean.
fn geometric(rng: &mut Rng, mean: f64) -> usize {
    if mean <= 1.0 {
        return 1;
    }
    1 + ((1.0 - rng.f64()).ln() / (1.0 - 1.0 / mean).ln()) as usize
}

/// Of mean 0 and variance 1 (Box and Muller 1958).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (TAU * rng.f64()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMAND: Demand = Demand {
        jobs: 40_000,
        tenants: 20,
        load: 0.9,
        devices: 50,
        burst: 10.0,
        overhead_ms: StageMs { sampling: 0.0, decoding: 0.0 },
        seed: 1,
    };

    #[test]
    fn as_much_is_asked_for_as_the_load_says() {
        let load = DEMAND.make();
        let asked: f64 = load.arrivals.iter().map(|arrival| arrival.job.device_ms.sampling + arrival.job.device_ms.decoding).sum();
        let offered = asked / (load.arrivals.last().unwrap().at_ms * 50.0);
        assert!((offered - 0.9).abs() < 0.05, "{offered}");
        assert_eq!(load.arrivals.len(), 40_000);
        assert!(load.arrivals.is_sorted_by_key(|arrival| arrival.at_ms.to_bits()));
    }

    #[test]
    fn the_first_tenant_asks_for_twice_as_much_as_the_second() {
        // Without bursts, which scatter more.
        let load = Demand { burst: 1.0, ..DEMAND }.make();
        let of = |tenant| load.arrivals.iter().filter(|arrival| arrival.job.tenant == tenant).count() as f64;
        assert!((of(0) / of(1) - 2.0).abs() < 0.1, "{} {}", of(0), of(1));
    }

    #[test]
    fn a_seed_makes_the_same_load_again() {
        assert_eq!(DEMAND.make(), DEMAND.make());
        assert_ne!(DEMAND.make(), Demand { seed: 2, ..DEMAND }.make());
    }
}
