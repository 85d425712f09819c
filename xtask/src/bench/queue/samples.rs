//! Durations taken in pairs, and how they compare.

use std::fmt;
use std::time::Duration;

const PARTS: usize = 10;

#[derive(Default)]
pub struct Samples {
    /// In milliseconds: of the empty queue, of the long one.
    pairs: Vec<(f64, f64)>,
}

impl Samples {
    pub fn push(&mut self, (empty, long): (Duration, Duration)) {
        self.pairs.push((empty.as_secs_f64() * 1000.0, long.as_secs_f64() * 1000.0));
    }

    /// The median with a long queue in terms of the median with an empty one.
    pub fn ratio(&self) -> f64 {
        ratio(&self.pairs)
    }

    /// The least and the greatest ratio of the ten parts of the time.
    fn spread(&self) -> (f64, f64) {
        let parts = self.pairs.chunks(self.pairs.len().div_ceil(PARTS).max(1)).map(ratio);
        parts.fold((f64::INFINITY, 0.0), |(least, greatest), ratio| (ratio.min(least), ratio.max(greatest)))
    }
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (empty, long) = (column(&self.pairs, |pair| pair.0), column(&self.pairs, |pair| pair.1));
        write!(f, "{:.1} | {:.1} | ", percentile(&empty, 50), percentile(&empty, 95))?;
        write!(f, "{:.1} | {:.1} | ", percentile(&long, 50), percentile(&long, 95))?;
        let (least, greatest) = self.spread();
        write!(f, "{:.2} | {least:.2} to {greatest:.2}", self.ratio())
    }
}

fn ratio(pairs: &[(f64, f64)]) -> f64 {
    percentile(&column(pairs, |pair| pair.1), 50) / percentile(&column(pairs, |pair| pair.0), 50)
}

/// One of the two, in order.
fn column(pairs: &[(f64, f64)], which: fn(&(f64, f64)) -> f64) -> Vec<f64> {
    let mut column: Vec<_> = pairs.iter().map(which).collect();
    column.sort_by(f64::total_cmp);
    column
}

/// By the nearest rank.
fn percentile(in_order: &[f64], percent: usize) -> f64 {
    in_order.get((in_order.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_compared_and_the_spread_is_that_of_the_parts() {
        let mut samples = Samples::default();
        for n in 0..20 {
            samples.push((Duration::from_millis(10), Duration::from_millis(if n < 2 { 30 } else { 15 })));
        }
        assert_eq!(samples.to_string(), "10.0 | 10.0 | 15.0 | 30.0 | 1.50 | 1.50 to 3.00");
    }
}
