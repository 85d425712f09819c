//! From a forecast to an interval that holds: how long jobs took, against what was forecast for jobs like them.
//!
//! A forecast does not know which jobs come later, what a device does beside, or what goes wrong. So the ratio of what a job took to what was
//! forecast is learned: its median makes the forecast likely. A forecast that was followed into several likely futures has a late end as well, and the
//! 90th percentile of what jobs took to that is a bound that nine of ten jobs keep, narrow where the futures agree (conformalized quantile regression,
//! Romano, Patterson and Candès 2019). Where loads change, the level at which it is taken follows how many kept the bounds they were shown (adaptive
//! conformal inference, Gibbs and Candès 2021).

use crate::{billing::Lane, eta::Interval};
use std::collections::{BTreeMap, VecDeque};

/// Of so many jobs of a kind the ratios are kept, and from so many on they speak for themselves.
const KEPT: usize = 256;
const ENOUGH: usize = 24;
/// The part of the jobs that is to end before the bound.
const COVERED: f64 = 0.9;
/// How much one job moves the level, and how far it goes.
const LEVEL_STEP: f64 = 0.01;
const LEVEL_LEAST: f64 = 0.7;
const LEVEL_MOST: f64 = 0.99;

/// What most of the time until a job has ended goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EtaBasis {
    /// Its own work.
    Work,
    /// The work in front of it.
    Queue,
    /// The release rate of its tenant's plan.
    Release,
}

impl EtaBasis {
    const ALL: [Self; 3] = [Self::Work, Self::Queue, Self::Release];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Queue => "queue",
            Self::Release => "release",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|basis| basis.as_str() == name)
    }

    /// Jobs that took as forecast, and as long as some did, before anything was learned.
    const fn first_guess(self) -> Ratios {
        match self {
            Self::Work => Ratios { likely: 1.0, bound: 1.3 },
            Self::Queue => Ratios { likely: 1.0, bound: 1.5 },
            Self::Release => Ratios { likely: 1.0, bound: 1.1 },
        }
    }
}

/// A time that was forecast for a job from its submission to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forecast {
    pub lane: Lane,
    pub basis: EtaBasis,
    pub ms: u64,
    /// Its end in a late one of the likely futures, at least `ms`. `None`: it was followed into one alone.
    pub late_ms: Option<u64>,
}

impl Forecast {
    fn late_ms(self) -> u64 {
        self.late_ms.unwrap_or(self.ms)
    }
}

/// A forecast, the bound that was shown for it, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForecastOutcome {
    pub forecast: Forecast,
    pub shown: Interval,
    pub took_ms: u64,
}

impl ForecastOutcome {
    /// Whether the job ended before the bound.
    #[must_use]
    pub const fn is_covered(&self) -> bool {
        self.took_ms <= self.shown.p90_ms
    }
}

/// By what a forecast is multiplied, and its late end.
#[derive(Debug, Clone, Copy)]
struct Ratios {
    likely: f64,
    bound: f64,
}

/// How far the likely futures of a forecast lie apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spread {
    Unknown,
    /// The late end is later by a tenth at most.
    Agree,
    /// By a half at most.
    Differ,
    FarApart,
}

impl Spread {
    fn of(forecast: Forecast) -> Self {
        let Some(late_ms) = forecast.late_ms else { return Self::Unknown };
        match late_ms as f64 / forecast.ms.max(1) as f64 {
            ..=1.1 => Self::Agree,
            ..=1.5 => Self::Differ,
            _ => Self::FarApart,
        }
    }
}

/// Forecasts of one lane, basis, spread and length: of lengths each four times the one before.
type Kind = (&'static str, EtaBasis, Spread, u32);

/// What was learned of jobs of one kind.
#[derive(Debug, Clone)]
struct Learned {
    /// The newest last.
    ratios: VecDeque<Ratios>,
    level: f64,
}

impl Default for Learned {
    fn default() -> Self {
        Self { ratios: VecDeque::new(), level: COVERED }
    }
}

impl Learned {
    fn learn(&mut self, outcome: &ForecastOutcome) {
        if self.ratios.len() == KEPT {
            self.ratios.pop_front();
        }
        let ratio = |ms: u64| (outcome.took_ms as f64 / ms.max(1) as f64).max(f64::MIN_POSITIVE);
        self.ratios.push_back(Ratios { likely: ratio(outcome.forecast.ms), bound: ratio(outcome.forecast.late_ms()) });
        let missed = if outcome.is_covered() { 0.0 } else { 1.0 };
        self.level = (self.level + LEVEL_STEP * (missed - (1.0 - COVERED))).clamp(LEVEL_LEAST, LEVEL_MOST);
    }

    fn ratios(&self) -> Ratios {
        // The smallest that at least so large a part of one more than all would not pass.
        let at = |level: f64, of: fn(&Ratios) -> f64| {
            let mut sorted: Vec<f64> = self.ratios.iter().map(of).collect();
            sorted.sort_by(f64::total_cmp);
            let rank = (level * (sorted.len() + 1) as f64).ceil() as usize;
            sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(1.0)
        };
        Ratios { likely: at(0.5, |ratios| ratios.likely), bound: at(self.level, |ratios| ratios.bound) }
    }
}

/// What was learned from the jobs that have ended.
#[derive(Debug, Clone, Default)]
pub struct Calibration {
    kinds: BTreeMap<Kind, Learned>,
    /// Of all lanes and lengths, for kinds of which little is known.
    bases: BTreeMap<(EtaBasis, Spread), Learned>,
}

impl Calibration {
    /// Outcomes are learned in the order in which the jobs ended.
    pub fn learn(&mut self, outcome: &ForecastOutcome) {
        self.kinds.entry(kind(outcome.forecast)).or_default().learn(outcome);
        self.bases.entry((outcome.forecast.basis, Spread::of(outcome.forecast))).or_default().learn(outcome);
    }

    /// What is told of a job for which this is forecast.
    #[must_use]
    pub fn interval(&self, forecast: Forecast) -> Interval {
        let first_guess = forecast.basis.first_guess();
        let of_basis = self.bases.get(&(forecast.basis, Spread::of(forecast))).map_or(first_guess, |learned| learned.beside(first_guess));
        let Ratios { likely, bound } = self.kinds.get(&kind(forecast)).map_or(of_basis, |learned| learned.beside(of_basis));
        let times = |ms: u64, ratio: f64| (ms as f64 * ratio).round() as u64;
        let p50_ms = times(forecast.ms, likely);
        Interval { p50_ms, p90_ms: times(forecast.late_ms(), bound).max(p50_ms) }
    }
}

impl Learned {
    /// The fewer jobs are known, the more of what is known of others.
    fn beside(&self, others: Ratios) -> Ratios {
        let part = (self.ratios.len() as f64 / ENOUGH as f64).min(1.0);
        let own = self.ratios();
        let mix = |own: f64, others: f64| (own.ln() * part + others.ln() * (1.0 - part)).exp();
        Ratios { likely: mix(own.likely, others.likely), bound: mix(own.bound, others.bound) }
    }
}

fn kind(forecast: Forecast) -> Kind {
    (forecast.lane.as_str(), forecast.basis, Spread::of(forecast), forecast.ms.max(1).ilog2() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn forecast(ms: u64) -> Forecast {
        Forecast { lane: Lane::Interactive, basis: EtaBasis::Queue, ms, late_ms: None }
    }

    /// Normal numbers of a fixed order, by Box and Muller.
    struct Normal(u64);

    impl Normal {
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        }

        fn next(&mut self) -> f64 {
            (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
        }
    }

    /// The part of the last so many jobs that ended before the bound, and the median width, where a job takes `of(n, chance)` times its forecast.
    fn coverage(jobs: usize, of_last: usize, of: impl Fn(usize, f64) -> f64) -> (f64, f64) {
        let (mut calibration, mut chance) = (Calibration::default(), Normal(7));
        let (mut covered, mut widths) = (0, Vec::new());
        for n in 0..jobs {
            let forecast = forecast(20_000 + (n as u64 * 7919) % 30_000);
            let shown = calibration.interval(forecast);
            let took_ms = (forecast.ms as f64 * of(n, chance.next())) as u64;
            let outcome = ForecastOutcome { forecast, shown, took_ms };
            calibration.learn(&outcome);
            if n >= jobs - of_last {
                covered += usize::from(outcome.is_covered());
                widths.push((shown.p90_ms - shown.p50_ms) as f64 / shown.p50_ms as f64);
            }
        }
        widths.sort_by(f64::total_cmp);
        (covered as f64 / of_last as f64, widths[of_last / 2])
    }

    #[test]
    fn nine_of_ten_end_before_the_bound_whatever_the_forecast_leaves_out() {
        for (bias, spread) in [(1.0, 0.1), (1.4, 0.25), (0.7, 0.4), (3.0, 0.05)] {
            let (covered, width) = coverage(3000, 2000, |_, chance| bias * (spread * chance).exp());
            assert!((0.87..=0.93).contains(&covered), "{covered} for {bias} and {spread}");
            assert!(width <= (1.4 * spread).exp_m1() * 1.15, "{width} for {spread}");
        }
    }

    #[test]
    fn where_the_load_changes_the_bound_follows() {
        let (covered, _) = coverage(4000, 3000, |n, chance| if n / 500 % 2 == 0 { 1.0 } else { 1.8 } * (0.15 * chance).exp());
        assert!((0.87..=0.93).contains(&covered), "{covered}");
    }

    #[test]
    fn where_the_futures_agree_the_interval_is_narrow_and_nine_of_ten_keep_it_all_the_same() {
        let (mut calibration, mut chance) = (Calibration::default(), Normal(11));
        // Of two moments one is quiet; in the other a job takes up to twice as long, and the futures say so.
        let mut outcomes = Vec::new();
        for n in 0..4000 {
            let is_quiet = n % 2 == 0;
            let forecast = Forecast { late_ms: Some(if is_quiet { 10_000 } else { 20_000 }), ..forecast(10_000) };
            let shown = calibration.interval(forecast);
            let later = if is_quiet { 1.0 } else { 1.0 + chance.uniform() };
            let took_ms = (10_000.0 * later * (0.05 * chance.next()).exp()) as u64;
            let outcome = ForecastOutcome { forecast, shown, took_ms };
            calibration.learn(&outcome);
            if n >= 1000 {
                outcomes.push((is_quiet, outcome.is_covered(), (shown.p90_ms - shown.p50_ms) as f64 / shown.p50_ms as f64));
            }
        }
        for (quiet, width_max) in [(true, 0.1), (false, 0.4)] {
            let of_these: Vec<_> = outcomes.iter().filter(|(is_quiet, ..)| *is_quiet == quiet).collect();
            let part =
                |of: &dyn Fn(&(bool, bool, f64)) -> f64| of_these.iter().map(|outcome| of(outcome)).sum::<f64>() / of_these.len() as f64;
            let (covered, width) = (part(&|(_, covered, _)| f64::from(u8::from(*covered))), part(&|(.., width)| *width));
            assert!((0.87..=0.93).contains(&covered) && width <= width_max, "{covered} and {width}, quiet: {quiet}");
        }
    }

    #[test]
    fn before_anything_is_known_a_first_guess_is_told_and_few_jobs_do_not_overturn_it() {
        let mut calibration = Calibration::default();
        assert_eq!(calibration.interval(forecast(10_000)), Interval { p50_ms: 10_000, p90_ms: 15_000 });
        let outcome = ForecastOutcome { forecast: forecast(10_000), shown: Interval { p50_ms: 10_000, p90_ms: 15_000 }, took_ms: 100_000 };
        calibration.learn(&outcome);
        let told = calibration.interval(forecast(10_000));
        assert!((10_000..15_000).contains(&told.p50_ms), "{told:?}");
        let release = calibration.interval(Forecast { basis: EtaBasis::Release, ..forecast(10_000) });
        assert_eq!(release, Interval { p50_ms: 10_000, p90_ms: 11_000 });
    }

    #[test]
    fn names_are_read_again() {
        assert!(EtaBasis::ALL.into_iter().all(|basis| EtaBasis::named(basis.as_str()) == Some(basis)));
        assert_eq!(EtaBasis::named("other"), None);
    }

    proptest! {
        #[test]
        fn the_bound_is_never_below_what_is_likely(
            times in prop::collection::vec((0_u64..=u64::MAX, any::<Option<u64>>(), 0_u64..=u64::MAX), 1..100),
            asked: u64,
            late: Option<u64>,
        ) {
            let of = |ms: u64, late: Option<u64>| Forecast { late_ms: late.map(|late| late.max(ms)), ..forecast(ms) };
            let mut calibration = Calibration::default();
            for (ms, late, took_ms) in times {
                let shown = calibration.interval(of(ms, late));
                calibration.learn(&ForecastOutcome { forecast: of(ms, late), shown, took_ms });
            }
            let told = calibration.interval(of(asked, late));
            prop_assert!(told.p50_ms <= told.p90_ms, "{told:?}");
        }
    }
}
