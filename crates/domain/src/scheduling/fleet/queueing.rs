//! How long jobs wait for one of several equal workers, by the share of their time that is filled: the M/G/c queue.
//!
//! Jobs come at random (Poisson) and take times of any distribution. The probability that a job waits is Erlang's C, exact for
//! exponential times; the mean wait is that of M/M/c, corrected for the variance of the times as Allen and Cunneen do:
//! `W = W(M/M/c) * (1 + scv) / 2`, which is exact for one worker (Pollaczek and Khinchine) and for exponential times. A job that
//! waits does so for an exponential time, which is exact for M/M/c.
//!
//! Source: Allen, Probability, Statistics and Queueing Theory, 2nd ed. 1990, section 5.3.

use serde::Serialize;

/// Equal workers with one queue.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Station {
    pub workers: u32,
    /// The mean time of a job, in milliseconds.
    pub service_ms: f64,
    /// The variance of a job's time divided by the square of its mean: 0 where all are alike, 1 of exponential times.
    pub service_scv: f64,
}

/// How long jobs wait before they begin, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WaitPoint {
    /// The part of the workers' time that is filled, in `[0, 1)`.
    pub utilisation: f64,
    /// The probability that a job waits at all.
    pub waiting: f64,
    pub mean_ms: f64,
    pub p50_ms: f64,
    pub p90_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
}

/// The probability that all workers are busy where no job waits: Erlang's B.
///
/// `offered` is the work that comes, in workers that it fills. By the recurrence `1/B(c) = 1 + c / (a B(c-1))`, which loses no digits and
/// overflows nowhere.
#[must_use]
pub fn erlang_b(workers: u32, offered: f64) -> f64 {
    (1..=workers).fold(1.0, |blocked, workers| offered * blocked / (f64::from(workers) + offered * blocked))
}

/// The probability that a job waits: Erlang's C. `utilisation` is the part of the workers' time that is filled; from 1 on every job waits.
#[must_use]
pub fn erlang_c(workers: u32, utilisation: f64) -> f64 {
    if utilisation >= 1.0 {
        return 1.0;
    }
    let blocked = erlang_b(workers, utilisation * f64::from(workers));
    blocked / (1.0 - utilisation * (1.0 - blocked))
}

impl Station {
    /// The waits at a utilisation; `None`: from 1 on they grow for ever.
    #[must_use]
    pub fn waits(&self, utilisation: f64) -> Option<WaitPoint> {
        if !(0.0..1.0).contains(&utilisation) {
            return None;
        }
        let waiting = erlang_c(self.workers, utilisation);
        // Of those that wait.
        let mean_of_waiting_ms = self.service_ms / (f64::from(self.workers) * (1.0 - utilisation)) * f64::midpoint(1.0, self.service_scv);
        let quantile = |part: f64| {
            let later = 1.0 - part;
            if waiting <= later { 0.0 } else { mean_of_waiting_ms * (waiting / later).ln() }
        };
        let (p50_ms, p90_ms, p95_ms, p99_ms) = (quantile(0.5), quantile(0.9), quantile(0.95), quantile(0.99));
        Some(WaitPoint { utilisation, waiting, mean_ms: waiting * mean_of_waiting_ms, p50_ms, p90_ms, p95_ms, p99_ms })
    }

    /// Of 1, the part of the jobs that begin within so many milliseconds. `None`: the queue grows for ever.
    #[must_use]
    pub fn begun_within(&self, utilisation: f64, within_ms: f64) -> Option<f64> {
        let waits = self.waits(utilisation)?;
        // Those that wait do so for an exponential time.
        let later = if waits.waiting > 0.0 { waits.waiting * (-within_ms * waits.waiting / waits.mean_ms).exp() } else { 0.0 };
        Some(1.0 - later)
    }

    /// The largest utilisation at which 95 of 100 jobs wait for no longer than a mean job takes.
    ///
    /// That rule is taken rather than the point of largest curvature, since the latter moves with the scale of the axes, and this one is
    /// what a customer notices: waiting as long again as the job itself.
    #[must_use]
    pub fn knee(&self) -> f64 {
        let is_below = |utilisation: f64| self.waits(utilisation).is_some_and(|waits| waits.p95_ms <= self.service_ms);
        let (mut below, mut above) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = f64::midpoint(below, above);
            if is_below(middle) { below = middle } else { above = middle }
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn station(workers: u32, service_scv: f64) -> Station {
        Station { workers, service_ms: 1000.0, service_scv }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
    }

    /// By its definition, with the sum of `a^n / n!` divided by its last term: no term of that overflows while `a` is near to `c`.
    fn erlang_c_by_definition(workers: u32, utilisation: f64) -> f64 {
        let offered = utilisation * f64::from(workers);
        let (mut term, mut sum) = (1.0, 0.0);
        for n in (1..=workers).rev() {
            term *= f64::from(n) / offered;
            sum += term;
        }
        1.0 / (1.0 - utilisation) / (sum + 1.0 / (1.0 - utilisation))
    }

    #[test]
    fn with_one_worker_a_job_waits_as_often_as_it_is_busy_and_for_four_jobs_at_four_fifths() {
        assert!(near(erlang_c(1, 0.8), 0.8));
        let waits = station(1, 1.0).waits(0.8).unwrap();
        assert!(near(waits.mean_ms, 4000.0));
        // P(W > t) = 0.8 exp(-t / 5 s).
        assert!(near(waits.p95_ms, 5000.0 * 16_f64.ln()));
    }

    #[test]
    fn erlangs_formulas_have_their_known_values() {
        // By hand: B(1) = 1/2, B(2) = 1/2 / (2 + 1/2) = 1/5, and C = 1/5 / (1 - 1/2 * 4/5) = 1/3.
        assert!(near(erlang_b(2, 1.0), 0.2) && near(erlang_c(2, 0.5), 1.0 / 3.0));
        // B(3) = 2 * 2/5 / (3 + 2 * 2/5) = 4/19, of a = 2, and C = 4/19 / (1 - 2/3 * 15/19) = 4/9.
        assert!(near(erlang_b(3, 2.0), 4.0 / 19.0) && near(erlang_c(3, 2.0 / 3.0), 4.0 / 9.0));
        assert!((erlang_c(10, 0.9) - 0.6687).abs() < 1e-4, "{}", erlang_c(10, 0.9));
        for (workers, utilisation) in [(1, 0.3), (7, 0.95), (10, 0.9), (100, 0.8), (1000, 0.9), (1000, 0.99)] {
            assert!(near(erlang_c(workers, utilisation), erlang_c_by_definition(workers, utilisation)), "{workers} {utilisation}");
        }
    }

    #[test]
    fn a_thousand_workers_overflow_nothing() {
        let (low, high) = (erlang_c(1000, 0.5), erlang_c(1000, 0.99));
        assert!((0.0..1e-50).contains(&low), "{low}");
        // Halfin and Whitt 1981: 1 / (1 + x F(x) / f(x)) of the normal distribution at x = (1 - utilisation) sqrt(c) = 0.3162.
        assert!((high - 0.658).abs() < 0.002, "{high}");
        assert!(erlang_c(100_000, 0.999).is_finite());
    }

    #[test]
    fn jobs_that_are_alike_wait_half_as_long_for_one_worker() {
        // Pollaczek and Khinchine: W = utilisation * S / (2 (1 - utilisation)).
        assert!(near(station(1, 0.0).waits(0.8).unwrap().mean_ms, 2000.0));
        assert!(near(station(1, 3.0).waits(0.5).unwrap().mean_ms, 2000.0));
    }

    #[test]
    fn from_full_utilisation_on_there_is_no_wait_to_tell() {
        assert_eq!([1.0, 1.5, -0.1, f64::NAN].map(|utilisation| station(4, 1.0).waits(utilisation)), [None; 4]);
        assert!(near(erlang_c(4, 1.0), 1.0));
    }

    #[test]
    fn as_many_begin_within_a_percentile_as_it_says() {
        for (workers, scv, utilisation) in [(1, 1.0, 0.9), (4, 0.3, 0.95), (30, 2.0, 0.97)] {
            let (station, waits) = (station(workers, scv), station(workers, scv).waits(utilisation).unwrap());
            for (ms, part) in [(waits.p90_ms, 0.9), (waits.p95_ms, 0.95), (waits.p99_ms, 0.99)] {
                assert!(near(station.begun_within(utilisation, ms).unwrap(), part), "{workers} {part}");
            }
            assert!(near(station.begun_within(utilisation, 0.0).unwrap(), 1.0 - waits.waiting));
        }
        assert_eq!((station(4, 1.0).begun_within(1.0, 5.0), station(4, 1.0).begun_within(0.0, 0.0)), (None, Some(1.0)));
    }

    #[test]
    fn more_workers_can_be_filled_further() {
        let knees = [1, 2, 10, 100, 1000].map(|workers| station(workers, 1.0).knee());
        assert!(knees.is_sorted(), "{knees:?}");
        let waits = station(10, 1.0).waits(knees[2]).unwrap();
        assert!((waits.p95_ms - 1000.0).abs() < 0.01, "{waits:?}");
        // ln(20 x) = 1 - x of one worker.
        assert!((20.0 * knees[0]).ln() + knees[0] - 1.0 < 1e-6);
    }

    proptest! {
        #[test]
        fn waits_grow_with_the_utilisation_and_the_variance_and_fall_with_workers(
            workers in 1_u32..300, utilisation in 0.01_f64..0.98, more in 0.001_f64..0.01, scv in 0.0_f64..4.0,
        ) {
            let here = station(workers, scv).waits(utilisation).unwrap();
            let fuller = station(workers, scv).waits(utilisation + more).unwrap();
            prop_assert!(fuller.waiting > here.waiting || here.waiting == 0.0);
            prop_assert!(fuller.mean_ms >= here.mean_ms && fuller.p50_ms >= here.p50_ms && fuller.p99_ms >= here.p99_ms);
            prop_assert!(station(workers, scv + 0.5).waits(utilisation).unwrap().mean_ms >= here.mean_ms);
            prop_assert!(station(workers + 1, scv).waits(utilisation).unwrap().mean_ms <= here.mean_ms);
            prop_assert!(here.p50_ms <= here.p90_ms && here.p90_ms <= here.p95_ms && here.p95_ms <= here.p99_ms);
            prop_assert!((0.0..=1.0).contains(&here.waiting));
        }

        #[test]
        fn the_knee_falls_with_the_variance(workers in 1_u32..300, scv in 0.0_f64..4.0) {
            prop_assert!(station(workers, scv + 0.5).knee() <= station(workers, scv).knee());
        }
    }
}
