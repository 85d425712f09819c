//! Which parts are to be unloaded so that the loaded ones stay within a number of bytes: the bookkeeping alone.
//!
//! Parts in use are never unloaded. Where they alone are more than the limit, they exceed it until they are no longer in
//! use: a call that has begun is not held up by another.

use std::collections::HashMap;

/// A part of a model, among all parts of all models of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PartId(pub u64);

/// The parts that are loaded or being loaded, and the limit for their bytes.
#[derive(Debug)]
pub(super) struct Budget {
    /// In bytes; `None` keeps everything.
    limit: Option<u64>,
    parts: HashMap<PartId, Held>,
    /// Counts the uses of all parts.
    uses: u64,
}

#[derive(Debug)]
struct Held {
    bytes: u64,
    /// The number of its latest use.
    latest: u64,
    /// Calls that use it now.
    users: usize,
}

impl Budget {
    pub fn new(limit: Option<u64>) -> Self {
        Self { limit, parts: HashMap::new(), uses: 0 }
    }

    /// A call begins to use a part of `bytes`, which is to be loaded if it is not. Answers the parts that are to be
    /// unloaded before, the least recently used first.
    pub fn begin(&mut self, part: PartId, bytes: u64) -> Vec<PartId> {
        self.uses += 1;
        let held = self.parts.entry(part).or_insert(Held { bytes, latest: 0, users: 0 });
        held.latest = self.uses;
        held.users += 1;
        self.make_room()
    }

    /// A call uses a part no longer.
    pub fn end(&mut self, part: PartId) {
        if let Some(held) = self.parts.get_mut(&part) {
            held.users = held.users.saturating_sub(1);
        }
    }

    /// A part is not loaded any more, or could not be.
    pub fn forget(&mut self, part: PartId) {
        self.parts.remove(&part);
    }

    /// The same of one that no call uses; `false`: one does, or it was not there.
    pub fn forget_idle(&mut self, part: PartId) -> bool {
        let is_idle = self.parts.get(&part).is_some_and(|held| held.users == 0);
        if is_idle {
            self.parts.remove(&part);
        }
        is_idle
    }

    pub fn holds(&self, part: PartId) -> bool {
        self.parts.contains_key(&part)
    }

    /// 0 of one that is not there.
    pub fn bytes_of(&self, part: PartId) -> u64 {
        self.parts.get(&part).map_or(0, |held| held.bytes)
    }

    /// Bytes of all parts that are loaded or being loaded.
    pub fn bytes(&self) -> u64 {
        self.parts.values().map(|held| held.bytes).sum()
    }

    fn make_room(&mut self) -> Vec<PartId> {
        let limit = self.limit.unwrap_or(u64::MAX);
        let mut unloaded = Vec::new();
        while self.bytes() > limit
            && let Some(part) = self.least_recently_used()
        {
            self.parts.remove(&part);
            unloaded.push(part);
        }
        unloaded
    }

    fn least_recently_used(&self) -> Option<PartId> {
        let idle = self.parts.iter().filter(|(_, held)| held.users == 0);
        idle.min_by_key(|(_, held)| held.latest).map(|(part, _)| *part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: PartId = PartId(0);
    const DENOISER: PartId = PartId(1);
    const DECODER: PartId = PartId(2);

    /// Uses a part of 10 bytes and lets it go.
    fn use_once(budget: &mut Budget, part: PartId) -> Vec<PartId> {
        let unloaded = budget.begin(part, 10);
        budget.end(part);
        unloaded
    }

    #[test]
    fn without_a_limit_everything_stays() {
        let mut budget = Budget::new(None);
        assert!((0..100).all(|part| use_once(&mut budget, PartId(part)).is_empty()));
        assert_eq!(budget.bytes(), 1000);
    }

    #[test]
    fn the_least_recently_used_part_makes_room() {
        let mut budget = Budget::new(Some(20));
        for part in [TEXT, DENOISER, TEXT] {
            assert!(use_once(&mut budget, part).is_empty());
        }
        assert_eq!(use_once(&mut budget, DECODER), [DENOISER]);
        assert_eq!(budget.bytes(), 20);
    }

    #[test]
    fn as_many_go_as_a_large_part_needs() {
        let mut budget = Budget::new(Some(30));
        for part in [TEXT, DENOISER, DECODER] {
            use_once(&mut budget, part);
        }
        assert_eq!(budget.begin(PartId(3), 15), [TEXT, DENOISER]);
    }

    #[test]
    fn what_is_in_use_stays_and_the_limit_is_kept_again_with_the_next_use() {
        let mut budget = Budget::new(Some(20));
        assert!(budget.begin(DENOISER, 15).is_empty());
        assert!(budget.begin(DECODER, 15).is_empty());
        assert_eq!(budget.bytes(), 30);
        budget.end(DECODER);
        assert_eq!(budget.begin(DENOISER, 15), [DECODER]);
        assert_eq!(budget.bytes(), 15);
    }

    #[test]
    fn a_part_with_two_users_is_idle_after_the_second() {
        let mut budget = Budget::new(Some(10));
        budget.begin(TEXT, 10);
        budget.begin(TEXT, 10);
        budget.end(TEXT);
        assert!(use_once(&mut budget, DENOISER).is_empty());
        budget.end(TEXT);
        assert_eq!(use_once(&mut budget, DENOISER), [TEXT]);
    }

    #[test]
    fn a_part_that_could_not_be_loaded_takes_no_room() {
        let mut budget = Budget::new(Some(10));
        budget.begin(TEXT, 10);
        budget.forget(TEXT);
        budget.end(TEXT);
        assert_eq!((budget.bytes(), budget.begin(DENOISER, 10)), (0, vec![]));
    }
}
