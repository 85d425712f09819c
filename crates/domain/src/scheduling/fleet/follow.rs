//! Which model usually follows which: counts that forget, learned from each change of model.
//!
//! Each change multiplies what was counted after the same model by 15/16 and counts itself as 1/16. So the counts of a row are
//! probabilities with an exponential window of sixteen changes, and a habit that ends is forgotten.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One change, and what a row sums up to when it is full.
const ONE: u64 = 1 << 20;
const WINDOW: u64 = 16;
/// A row says nothing before about four changes were seen: 1 - (15/16)^4 = 0.23.
const EVIDENCE: u64 = ONE * 22 / 100;
/// What has faded to less is dropped.
const FORGOTTEN: u64 = ONE / 1000;

/// What models followed each model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FollowTable {
    rows: BTreeMap<String, BTreeMap<String, u64>>,
}

impl FollowTable {
    /// Work of `next` came after work of `previous`. The same model twice is no change.
    pub fn observe(&mut self, previous: &str, next: &str) {
        if previous == next {
            return;
        }
        let row = self.rows.entry(previous.to_owned()).or_default();
        row.values_mut().for_each(|count| *count -= *count / WINDOW);
        *row.entry(next.to_owned()).or_default() += ONE / WINDOW;
        row.retain(|_, count| *count >= FORGOTTEN);
    }

    /// The model that follows most often, with its probability in thousandths; of two that are as likely, the first by name. `None`: too
    /// little was seen.
    #[must_use]
    pub fn likely_after(&self, model: &str) -> Option<(&str, u64)> {
        let row = self.rows.get(model)?;
        let sum: u64 = row.values().sum();
        let most = row.iter().rev().max_by_key(|(_, count)| **count).filter(|_| sum >= EVIDENCE)?;
        Some((most.0, most.1 * 1000 / sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_follows_most_often_is_likely_once_it_was_seen_a_few_times() {
        let mut table = FollowTable::default();
        table.observe("a", "b");
        assert_eq!(table.likely_after("a"), None);
        for next in ["b", "c", "b", "a", "b"] {
            table.observe("a", next);
        }
        let (next, permille) = table.likely_after("a").unwrap();
        assert_eq!(next, "b");
        assert!((750..850).contains(&permille), "{permille}");
        assert_eq!(table.likely_after("b"), None);
    }

    #[test]
    fn a_habit_that_ends_is_forgotten() {
        let mut table = FollowTable::default();
        (0..1000).for_each(|_| table.observe("a", "b"));
        (0..12).for_each(|_| table.observe("a", "c"));
        assert_eq!(table.likely_after("a").map(|(next, _)| next), Some("c"));
        (0..200).for_each(|_| table.observe("a", "c"));
        assert_eq!(table.likely_after("a"), Some(("c", 1000)));
    }

    proptest! {
        #[test]
        fn a_row_stays_small_and_its_most_likely_is_no_less_likely_than_evenly(nexts in prop::collection::vec(0_u8..40, 8..300)) {
            let mut table = FollowTable::default();
            nexts.iter().for_each(|next| table.observe("m", &next.to_string()));
            let (_, permille) = table.likely_after("m").unwrap();
            let row = &table.rows["m"];
            prop_assert!(row.values().sum::<u64>() <= ONE + ONE / 100);
            prop_assert!(permille >= 1000 / row.len() as u64 && permille <= 1000);
        }
    }
}
