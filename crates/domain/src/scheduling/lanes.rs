//! The slots that a worker has for each lane, and the order of the lanes in a claim.

use crate::billing::Lane;

/// How many jobs a stage runs at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageSlots {
    all: usize,
    /// Of them, those for interactive jobs.
    reserved: usize,
}

impl StageSlots {
    /// At least one of them is reserved where there are any, and at most all.
    #[must_use]
    pub fn new(all: usize, reserved: usize) -> Self {
        Self { all, reserved: reserved.max(1).min(all) }
    }

    #[must_use]
    pub const fn all(self) -> usize {
        self.all
    }

    /// For interactive jobs.
    #[must_use]
    pub const fn reserved(self) -> usize {
        self.reserved
    }
}

/// A quarter is left to batches, as what interactive jobs do not need is lent to them anyway.
impl From<usize> for StageSlots {
    fn from(all: usize) -> Self {
        Self::new(all, all - all / 4)
    }
}

/// From which lanes a claim takes, and from which first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneOrder {
    InteractiveFirst,
    BatchFirst,
    /// All slots are taken, and a batch job makes room.
    InteractiveOnly,
}

impl LaneOrder {
    #[must_use]
    pub const fn lanes(self) -> &'static [Lane] {
        match self {
            Self::InteractiveFirst => &[Lane::Interactive, Lane::Batch],
            Self::BatchFirst => &[Lane::Batch, Lane::Interactive],
            Self::InteractiveOnly => &[Lane::Interactive],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_slots_but_a_quarter_are_reserved_for_interactive_jobs_and_never_none() {
        assert_eq!([1, 2, 4, 16].map(|all| StageSlots::from(all).reserved()), [1, 2, 3, 12]);
        assert_eq!([(4, 0), (4, 9), (0, 3)].map(|(all, reserved)| StageSlots::new(all, reserved).reserved()), [1, 4, 0]);
    }
}
