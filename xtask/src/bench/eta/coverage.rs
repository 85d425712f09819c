//! How well what was told of jobs' times held.

use std::fmt;

use super::drive::Told;
use super::ended::Ended;

/// Of ten jobs nine should end by the bound that was told: no fewer, and hardly more.
const BY_P90: std::ops::RangeInclusive<f64> = 0.87..=0.93;
const SHOWN_MIN: f64 = 0.95;
const WIDTH_MAX: f64 = 0.5;

/// What came of one job.
pub struct Outcome {
    pub lane: String,
    /// What most of its time was foretold to go to; `None` where that is not written down.
    pub basis: Option<String>,
    /// In milliseconds, as the answer to the submission had it.
    shown: Option<(f64, f64)>,
    /// `None`: no video was made.
    took_ms: Option<f64>,
}

impl Outcome {
    pub fn new(told: &Told, ended: &Ended) -> Self {
        let took_ms = ended.succeeded.then_some(ended.ended_ms - ended.created_ms);
        Self { lane: ended.lane.clone(), basis: ended.basis.clone(), shown: told.eta_ms, took_ms }
    }
}

#[derive(Default)]
pub struct Coverage {
    made: usize,
    not_made: usize,
    shown: usize,
    by_p90: usize,
    by_p50: usize,
    /// Of each that was shown, how much longer the bound is than what is likely.
    widths: Vec<f64>,
}

impl Coverage {
    pub fn add(&mut self, outcome: &Outcome) {
        let Some(took_ms) = outcome.took_ms else {
            self.not_made += 1;
            return;
        };
        self.made += 1;
        if let Some((p50_ms, p90_ms)) = outcome.shown {
            self.shown += 1;
            self.by_p50 += usize::from(took_ms <= p50_ms);
            self.by_p90 += usize::from(took_ms <= p90_ms);
            self.widths.push((p90_ms - p50_ms) / p50_ms.max(1.0));
        }
    }

    pub fn is_good(&self) -> bool {
        let shown = share(self.shown, self.made);
        BY_P90.contains(&share(self.by_p90, self.shown)) && shown >= SHOWN_MIN && self.width() <= WIDTH_MAX
    }

    fn width(&self) -> f64 {
        let mut widths = self.widths.clone();
        widths.sort_by(f64::total_cmp);
        widths.get(widths.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

impl<'a> FromIterator<&'a Outcome> for Coverage {
    fn from_iter<I: IntoIterator<Item = &'a Outcome>>(outcomes: I) -> Self {
        let mut coverage = Self::default();
        outcomes.into_iter().for_each(|outcome| coverage.add(outcome));
        coverage
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part, whole| share(part, whole) * 100.0;
        write!(f, "{} | {:.1} | ", self.made, percent(self.shown, self.made))?;
        write!(f, "{:.1} | {:.1} | ", percent(self.by_p90, self.shown), percent(self.by_p50, self.shown))?;
        write!(f, "{:.2} | {}", self.width(), self.not_made)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(shown: Option<(f64, f64)>, took_ms: Option<f64>) -> Outcome {
        Outcome { lane: "batch".to_owned(), basis: None, shown, took_ms }
    }

    #[test]
    fn nine_of_ten_by_the_bound_is_good_and_all_is_not() {
        let jobs = |late: usize| -> Coverage {
            let all: Vec<_> = (0..100).map(|n| outcome(Some((1000.0, 1400.0)), Some(if n < late { 1500.0 } else { 900.0 }))).collect();
            all.iter().collect()
        };
        assert_eq!([0, 7, 13, 14].map(|late| jobs(late).is_good()), [false, true, true, false]);
        assert_eq!(jobs(10).to_string(), "100 | 100.0 | 90.0 | 90.0 | 0.40 | 0");
    }

    #[test]
    fn what_was_not_shown_counts_against_it_and_what_was_not_made_is_told() {
        let all = [outcome(None, Some(1.0)), outcome(Some((1.0, 1.0)), Some(1.0)), outcome(Some((1.0, 2.0)), None)];
        let coverage: Coverage = all.iter().collect();
        assert_eq!(coverage.to_string(), "2 | 50.0 | 100.0 | 100.0 | 0.00 | 1");
        assert!(!coverage.is_good());
        assert!(!Coverage::default().is_good());
    }
}
