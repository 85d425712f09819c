//! What a job costs, and who works.

/// What the stages of a job take a device that has nothing else to do, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageCosts {
    pub sampling_ms: f64,
    /// Decoding and encoding.
    pub decoding_ms: f64,
}

impl StageCosts {
    /// The part that is sampling, in thousandths; `None` where neither stage takes any time.
    pub(super) fn sampling_permille(self) -> Option<u64> {
        let all = self.sampling_ms + self.decoding_ms;
        (all > 0.0).then(|| (self.sampling_ms * 1000.0 / all) as u64)
    }
}

/// Live workers by what they do; a worker for all stages counts in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fleet {
    pub samplers: u64,
    pub decoders: u64,
}
