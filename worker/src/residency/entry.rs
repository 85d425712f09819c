//! One model of this process: where it stands, what it takes, and what is said of it.

use diffusion::Memory;
use std::time::Duration;
use store::{HeldState, ModelReport, clock::Instant};

/// After a load that failed; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// While it loads, no more than this is told to be done, in thousandths.
const LOADED_MAX: u64 = 990;

pub(super) struct Entry {
    /// Of its parts.
    memory: Memory,
    /// What they took when they were loaded last; before that, what was expected.
    known_bytes: u64,
    /// With less, the device ran out of memory.
    least_bytes: u64,
    pub phase: Phase,
    /// Jobs of it.
    pub running: u32,
    /// When it was warm first. While it loads: when that began.
    pub since: Instant,
    pub used_at: Instant,
    load_took: Option<Duration>,
    pause: Duration,
    /// Why it could not be loaded, until it was.
    failed: Option<String>,
}

#[derive(Debug)]
pub(super) enum Phase {
    Absent,
    Failed {
        problem: String,
        not_before: Instant,
    },
    Loading,
    Warm,
    /// Its memory is being given back.
    Going,
}

impl Entry {
    pub fn new(memory: Memory, expected_bytes: u64) -> Self {
        let now = Instant::now();
        Self {
            memory,
            known_bytes: expected_bytes,
            least_bytes: 0,
            phase: Phase::Absent,
            running: 0,
            since: now,
            used_at: now,
            load_took: None,
            pause: FIRST_PAUSE,
            failed: None,
        }
    }

    /// What it takes of the memory.
    pub const fn bytes(&self) -> u64 {
        self.known_bytes
    }

    pub const fn is_present(&self) -> bool {
        matches!(self.phase, Phase::Loading | Phase::Warm | Phase::Going)
    }

    /// Whether it is absent, and no pause after a failure runs.
    pub fn may_load(&self) -> bool {
        match self.phase {
            Phase::Absent => true,
            Phase::Failed { not_before, .. } => Instant::now() >= not_before,
            _ => false,
        }
    }

    pub fn warm_up(&mut self, took: Duration) {
        let now = Instant::now();
        let loaded = self.memory.loaded_model_bytes();
        self.known_bytes = if loaded > 0 { loaded.max(self.least_bytes) } else { self.known_bytes };
        (self.phase, self.since, self.used_at) = (Phase::Warm, now, now);
        (self.load_took, self.pause, self.failed) = (Some(took), FIRST_PAUSE, None);
    }

    pub fn fail(&mut self, problem: String) {
        self.failed = Some(problem.clone());
        self.wait(problem);
    }

    /// The device ran out of memory: it is expected to take half as much again, and `max_bytes` at the most. With all of them it has failed.
    pub fn run_out_of_memory(&mut self, problem: String, max_bytes: u64) {
        if self.known_bytes >= max_bytes {
            return self.fail(problem);
        }
        self.known_bytes = self.known_bytes.saturating_add(self.known_bytes / 2).max(1).min(max_bytes);
        self.least_bytes = self.known_bytes;
        self.wait(problem);
    }

    fn wait(&mut self, problem: String) {
        self.phase = Phase::Failed { problem, not_before: Instant::now() + self.pause };
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }

    /// `expected`: what loading it takes elsewhere.
    pub fn report(&self, model: &str, stays: bool, expected: Option<Duration>) -> ModelReport {
        let state = match &self.phase {
            Phase::Absent => HeldState::Absent,
            Phase::Failed { .. } if self.may_load() => HeldState::Absent,
            Phase::Failed { problem, .. } => HeldState::Failed { problem: problem.clone() },
            Phase::Loading => HeldState::Loading { permille: self.loaded_permille(expected) },
            Phase::Warm if stays => HeldState::Warm,
            Phase::Warm | Phase::Going => HeldState::Unloading,
        };
        let ms = |since: Instant| since.elapsed().as_millis() as u64;
        ModelReport {
            model: model.to_owned(),
            memory_bytes: self.bytes(),
            state,
            since_ms: ms(self.since),
            used_ms: if self.running > 0 { 0 } else { ms(self.used_at) },
            running: self.running,
            load_ms: self.load_took.map(|took| took.as_millis() as u64),
            failed: self.failed.clone(),
        }
    }

    /// By the parts that are loaded, and by the time that loading took before: whichever says more.
    fn loaded_permille(&self, expected: Option<Duration>) -> u32 {
        let by_parts = (self.memory.loaded_model_bytes() * 1000).checked_div(self.bytes()).unwrap_or(0);
        let expected_ms = self.load_took.or(expected).map_or(0, |took| took.as_millis() as u64);
        let by_time = (self.since.elapsed().as_millis() as u64 * 1000).checked_div(expected_ms).unwrap_or(0);
        by_parts.max(by_time).min(LOADED_MAX) as u32
    }
}
