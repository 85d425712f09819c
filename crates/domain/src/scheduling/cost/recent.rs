//! How far predictions were off of late: each was made before its measurement was learned, so that nothing is flattered (Dawid 1984).

use std::collections::VecDeque;

/// Predictions that are remembered of each stage of a model on a kind of device.
const WINDOW: usize = 64;
/// More is told of no prediction.
const LN_OFF_MAX: f64 = 60.0;
/// Logarithms of measured by predicted before anything was measured: what a normal distribution with a standard deviation of a fifth has at
/// 5 %, 15 % ... 95 %.
const PRIOR: [f32; 10] = [-0.329, -0.207, -0.135, -0.077, -0.025, 0.025, 0.077, 0.135, 0.207, 0.329];

#[derive(Debug, Clone, Default)]
pub struct Recent {
    /// Logarithms of measured by predicted.
    off: VecDeque<f32>,
}

impl Recent {
    pub fn note(&mut self, ln_off: f64) {
        if self.off.len() == WINDOW {
            self.off.pop_front();
        }
        self.off.push_back(ln_off.clamp(-LN_OFF_MAX, LN_OFF_MAX) as f32);
    }

    /// What nine of ten measurements stay below, as the logarithm of the part of what was predicted; by the prior where there are few.
    pub fn ln_p90(&self) -> f64 {
        let mut off: Vec<f32> = self.off.iter().copied().chain(PRIOR).collect();
        percentile(&mut off, 90).map_or(0.0, |ln| f64::from(ln).max(0.0))
    }

    /// `|predicted − measured| / measured` of each.
    pub fn relative_errors(&self) -> impl Iterator<Item = f32> + '_ {
        self.off.iter().map(|ln| ((-f64::from(*ln)).exp() - 1.0).abs() as f32)
    }
}

/// By the nearest rank; `None` of nothing.
pub fn percentile(values: &mut [f32], percent: usize) -> Option<f32> {
    let rank = (values.len() * percent).div_ceil(100).saturating_sub(1);
    (rank < values.len()).then(|| *values.select_nth_unstable_by(rank, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_there() {
        let mut values: Vec<f32> = (1..=20_u8).rev().map(f32::from).collect();
        assert_eq!([50, 90, 95, 100].map(|percent| percentile(&mut values, percent)), [10.0, 18.0, 19.0, 20.0].map(Some));
        assert_eq!((percentile(&mut [], 50), percentile(&mut [7.0], 95)), (None, Some(7.0)));
    }

    #[test]
    fn what_was_measured_replaces_the_prior() {
        let mut recent = Recent::default();
        assert_eq!(recent.ln_p90(), f64::from(PRIOR[8]));
        (0..1000).for_each(|n| recent.note(if n % 2 == 0 { 0.01 } else { -0.01 }));
        assert_eq!((recent.off.len(), recent.ln_p90() as f32), (WINDOW, 0.01));
        assert!(recent.relative_errors().all(|error| error < 0.0101));
    }

    #[test]
    fn errors_are_relative_to_what_was_measured() {
        let mut recent = Recent::default();
        for factor in [2.0_f64, 0.5] {
            recent.note(factor.ln());
        }
        let errors: Vec<f32> = recent.relative_errors().collect();
        assert!((errors[0] - 0.5).abs() < 1e-6 && (errors[1] - 1.0).abs() < 1e-6, "{errors:?}");
    }
}
