//! The jobs that wait, line by line, and the workers that would take one.

use domain::{
    Stage,
    billing::Lane,
    scheduling::{LineProgress, Place, Tag, VirtualTime},
};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const STAGES: [Stage; 2] = [Stage::Sampling, Stage::Decoding];
pub(super) const LANES: [Lane; 2] = [Lane::Interactive, Lane::Batch];

pub(super) const fn number(stage: Stage) -> usize {
    match stage {
        Stage::Sampling => 0,
        Stage::Decoding => 1,
    }
}

/// The line of a lane and a model, by number.
pub(super) const fn line_of(lane: Lane, model: usize) -> usize {
    model * 2
        + match lane {
            Lane::Interactive => 0,
            Lane::Batch => 1,
        }
}

/// A job that waits: which one, and where it begins in virtual time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub job: u32,
    pub tenant: u32,
    pub start: VirtualTime,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// By stage.
    pub waiting: [BTreeMap<Place, Entry>; 2],
    /// Those that workers have.
    pub taken: BTreeSet<Place>,
    /// Workers that would take a job of this line, by stage: how many jobs each has, and its number.
    pub takers: [BTreeSet<(u32, u32)>; 2],
}

impl Line {
    /// How far the line has come, as the live system reads it from its rows.
    pub fn progress(&self) -> LineProgress {
        let head =
            |stage: usize| self.waiting[stage].first_key_value().map(|(place, entry)| Tag { start: entry.start, finish: place.finish });
        LineProgress::of([head(0), head(1)].into_iter().flatten(), self.taken.last().map(|place| place.finish))
    }

    /// Who is asked first: of those that have fewest jobs all in turn, as a race would have it in the long run.
    pub fn taker(&self, stage: Stage, behind: u32) -> Option<u32> {
        let takers = &self.takers[number(stage)];
        let (least, first) = *takers.first()?;
        let next = takers.range((least, behind.saturating_add(1))..).next().filter(|(jobs, _)| *jobs == least);
        Some(next.map_or(first, |(_, worker)| *worker))
    }
}
