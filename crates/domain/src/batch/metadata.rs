//! What a client keeps with a batch: a few pairs of texts that mean something to it.

use std::collections::BTreeMap;

pub const PAIRS_MAX: usize = 16;
pub const KEY_CHARS_MAX: usize = 64;
pub const VALUE_CHARS_MAX: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "`metadata` has at most {PAIRS_MAX} pairs of texts, with keys of 1 to {KEY_CHARS_MAX} characters and values of at most {VALUE_CHARS_MAX}."
)]
pub struct MetadataError;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata(BTreeMap<String, String>);

impl Metadata {
    /// # Errors
    /// [`MetadataError`] for too many pairs, or one that is too long.
    pub fn new(pairs: BTreeMap<String, String>) -> Result<Self, MetadataError> {
        let fits = |(key, value): (&String, &String)| {
            (1..=KEY_CHARS_MAX).contains(&key.chars().count()) && value.chars().count() <= VALUE_CHARS_MAX
        };
        if pairs.len() <= PAIRS_MAX && pairs.iter().all(fits) { Ok(Self(pairs)) } else { Err(MetadataError) }
    }

    #[must_use]
    pub const fn pairs(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Metadata, MetadataError> {
        Metadata::new(pairs.into_iter().collect())
    }

    #[test]
    fn sixteen_short_pairs_are_kept_and_no_more() {
        let pair = |n: usize| (format!("key{n}"), "v".repeat(VALUE_CHARS_MAX));
        assert_eq!(of((0..16).map(pair)).unwrap().pairs().len(), 16);
        assert_eq!(of((0..17).map(pair)), Err(MetadataError));
        for (key, value) in [(String::new(), String::new()), ("k".repeat(65), String::new()), ("k".into(), "v".repeat(513))] {
            assert_eq!(of([(key, value)]), Err(MetadataError));
        }
        assert!(of([("ü".repeat(64), String::new())]).is_ok(), "characters are counted, not bytes");
    }
}
