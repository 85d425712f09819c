//! A distribution of times in a few hundred bytes, from which any percentile is told with a relative error of at most 1 %.
//!
//! Values are counted in classes whose bounds grow by a constant factor, as DDSketch does (Masson, Rim and Lee, 2019). Two sketches are merged
//! by adding their counts, in any order and grouping, and what was merged says the same as if all values had been added to one.

use std::collections::BTreeMap;

/// The relative error of a class's middle; half of what is promised, as rounding to whole milliseconds comes on top: below 100 ms it rounds to the exact
/// value, and above it adds no more than the other half.
const ERROR: f64 = 0.005;
/// That of the first version.
const ERROR_OF_FIRST: f64 = 0.0075;
/// What is larger counts as this: 100 days in milliseconds.
const VALUE_MAX: u64 = 100 * 24 * 60 * 60 * 1000;
/// Of the stored form.
const VERSION: u8 = 2;
/// With wider classes, which are read as their middles.
const FIRST_VERSION: u8 = 1;
/// Parts in which a whole is told: 9,990 of them are the 99.9th percentile.
pub const WHOLE: u32 = 10_000;

/// Counts of values by class. Values are whole milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sketch {
    zeros: u64,
    /// By the number of the class: the values above `ratio^(number - 1)` and up to `ratio^number`.
    classes: BTreeMap<u16, u64>,
    sum: u64,
    max: u64,
}

impl Sketch {
    pub fn add(&mut self, value: u64) {
        let value = value.min(VALUE_MAX);
        match class_of(value) {
            None => self.zeros += 1,
            Some(class) => *self.classes.entry(class).or_default() += 1,
        }
        self.sum = self.sum.saturating_add(value);
        self.max = self.max.max(value);
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &Self) {
        self.zeros += other.zeros;
        for (class, count) in &other.classes {
            *self.classes.entry(*class).or_default() += count;
        }
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.zeros + self.classes.values().sum::<u64>()
    }

    /// Of all values, exact.
    #[must_use]
    pub const fn sum(&self) -> u64 {
        self.sum
    }

    /// Exact. 0: there is none.
    #[must_use]
    pub const fn max(&self) -> u64 {
        self.max
    }

    /// The value that `parts` of [`WHOLE`] do not exceed, by the nearest rank. `None`: there are no values.
    #[must_use]
    pub fn quantile(&self, parts: u32) -> Option<u64> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let wanted = (u128::from(count) * u128::from(parts.min(WHOLE))).div_ceil(u128::from(WHOLE)).max(1);
        let mut passed = u128::from(self.zeros);
        if passed >= wanted {
            return Some(0);
        }
        for (class, of_class) in &self.classes {
            passed += u128::from(*of_class);
            if passed >= wanted {
                return Some(middle_of(*class, ERROR).min(self.max));
            }
        }
        Some(self.max)
    }

    /// How many values lie up to each bound and above the one before; last those above all bounds. A class counts where its middle lies.
    #[must_use]
    pub fn by_bounds(&self, bounds: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; bounds.len() + 1];
        let place = |value: u64| bounds.iter().position(|bound| value <= *bound).unwrap_or(bounds.len());
        counts[place(0)] += self.zeros;
        for (class, of_class) in &self.classes {
            counts[place(middle_of(*class, ERROR).min(self.max))] += of_class;
        }
        counts
    }

    /// The stored form: a version, then numbers of seven bits a byte. Classes are told by how far each is from the one before.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        for number in [self.zeros, self.sum, self.max, self.classes.len() as u64] {
            write_number(&mut bytes, number);
        }
        let mut before = 0;
        for (class, count) in &self.classes {
            write_number(&mut bytes, u64::from(class - before));
            write_number(&mut bytes, *count);
            before = *class;
        }
        bytes
    }

    /// Reads a stored form from the front of `bytes`, and takes it off. `None`: of another version, or damaged.
    #[must_use]
    pub fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        let error = match *version {
            VERSION => ERROR,
            FIRST_VERSION => ERROR_OF_FIRST,
            _ => return None,
        };
        *bytes = rest;
        let [zeros, sum, max, length] = [read_number(bytes)?, read_number(bytes)?, read_number(bytes)?, read_number(bytes)?];
        let (mut classes, mut before) = (BTreeMap::new(), 0_u16);
        for _ in 0..length {
            before = before.checked_add(read_number(bytes)?.try_into().ok()?)?;
            let count = read_number(bytes)?;
            let class =
                if *version == VERSION { before } else { class_of(middle_of(before, error).clamp(1, VALUE_MAX)).unwrap_or_default() };
            let of_class: &mut u64 = classes.entry(class).or_default();
            *of_class = of_class.saturating_add(count);
        }
        Some(Self { zeros, classes, sum, max })
    }
}

fn ratio(error: f64) -> f64 {
    (1.0 + error) / (1.0 - error)
}

/// `None`: of nothing.
fn class_of(value: u64) -> Option<u16> {
    // At most 2,288 for the largest value.
    (value > 0).then(|| ((value as f64).ln() / ratio(ERROR).ln()).ceil() as u16)
}

/// The value that is no further from any of its class than the error, relatively.
fn middle_of(class: u16, error: f64) -> u64 {
    let ratio = ratio(error);
    (2.0 * ratio.powi(i32::from(class)) / (ratio + 1.0)).round() as u64
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for place in 0..10 {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(place * 7)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64]) -> Sketch {
        let mut sketch = Sketch::default();
        values.iter().for_each(|value| sketch.add(*value));
        sketch
    }

    fn exact(values: &[u64], parts: u32) -> u64 {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let rank = (sorted.len() as u64 * u64::from(parts)).div_ceil(u64::from(WHOLE)).max(1);
        sorted[rank as usize - 1]
    }

    /// From milliseconds to days, as many of each order of magnitude.
    fn times() -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec((0.0..8.5_f64).prop_map(|power| 10_f64.powf(power) as u64 - 1), 1..400)
    }

    proptest! {
        #[test]
        fn percentiles_are_within_a_hundredth_of_the_exact_ones(values in times()) {
            let sketch = of(&values);
            for parts in [5000, 9000, 9500, 9900, 9990] {
                let (told, exact) = (sketch.quantile(parts).unwrap(), exact(&values, parts));
                // Below 50 ms a whole millisecond is more than a hundredth.
                prop_assert!(told.abs_diff(exact) as f64 <= (exact as f64 * 0.01).max(0.51), "{parts}: {told} for {exact}");
            }
        }

        #[test]
        fn merging_knows_no_order(a in times(), b in times(), c in times()) {
            let merged = |first: &Sketch, second: &Sketch| { let mut all = first.clone(); all.merge(second); all };
            let (a, b, c) = (of(&a), of(&b), of(&c));
            prop_assert_eq!(merged(&a, &b), merged(&b, &a));
            prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
        }

        #[test]
        fn what_was_merged_is_what_was_added_to_one(a in times(), b in times()) {
            let mut merged = of(&a);
            merged.merge(&of(&b));
            prop_assert_eq!(merged, of(&[a, b].concat()));
        }

        #[test]
        fn what_was_stored_is_read_back(values in times(), rest in prop::collection::vec(any::<u8>(), 0..8)) {
            let sketch = of(&values);
            let bytes = [sketch.encode(), rest.clone()].concat();
            let mut left = bytes.as_slice();
            prop_assert_eq!(Sketch::decode(&mut left), Some(sketch));
            prop_assert_eq!(left, &rest);
        }

        #[test]
        fn nothing_that_is_stored_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Sketch::decode(&mut bytes.as_slice());
        }
    }

    #[test]
    fn an_hour_of_jobs_takes_a_few_hundred_bytes() {
        let values: Vec<u64> = (0..5000).map(|number| 20_000 + (number * 7919) % 40_000).collect();
        let bytes = of(&values).encode().len();
        assert!(bytes < 400, "{bytes}");
        assert!(Sketch::default().encode().len() < 10);
    }

    #[test]
    fn what_is_larger_than_can_be_counts_as_the_largest() {
        let sketch = of(&[u64::MAX, 0]);
        assert_eq!((sketch.max(), sketch.count(), sketch.quantile(5000)), (VALUE_MAX, 2, Some(0)));
        assert_eq!(class_of(VALUE_MAX), Some(2288));
        assert_eq!(Sketch::default().quantile(5000), None);
    }

    #[test]
    fn what_the_first_version_stored_is_read_and_merged() {
        // One of nothing, 60 of 1,000 ms and one of 20,000 ms.
        let of_first = |value: u64| ((value as f64).ln() / ratio(ERROR_OF_FIRST).ln()).ceil() as u64;
        let mut bytes = vec![FIRST_VERSION];
        for number in [1, 80_000, 20_000, 2, of_first(1000), 60, of_first(20_000) - of_first(1000), 1] {
            write_number(&mut bytes, number);
        }
        let mut sketch = Sketch::decode(&mut bytes.as_slice()).unwrap();
        assert_eq!((sketch.count(), sketch.sum(), sketch.max()), (62, 80_000, 20_000));
        sketch.merge(&of(&[1000]));
        let told = sketch.quantile(5000).unwrap();
        assert!(told.abs_diff(1000) <= 13, "{told}");
        assert_eq!(Sketch::decode(&mut sketch.encode().as_slice()), Some(sketch));
    }

    #[test]
    fn every_value_alone_is_told_within_a_hundredth() {
        for value in (0..50_000_u64).chain((0..400).map(|power| 1.05_f64.powi(power) as u64)) {
            let mut sketch = Sketch { max: VALUE_MAX, ..of(&[value]) };
            sketch.add(VALUE_MAX);
            let told = sketch.quantile(5000).unwrap();
            assert!(told.abs_diff(value.min(VALUE_MAX)) * 100 <= value, "{told} for {value}");
        }
    }

    #[test]
    fn values_are_told_by_bounds() {
        assert_eq!(of(&[0, 5, 500, 5000, 50_000]).by_bounds(&[10, 1000]), [2, 1, 2]);
    }
}
