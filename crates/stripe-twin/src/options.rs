//! How a twin is started.

use crate::webhooks::Faults;
use crate::world::Settings;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Zero finds a free one.
    pub port: u16,
    /// The same seed makes the same ids in the same order of requests; without one they differ from run to run.
    pub seed: Option<u64>,
    /// Hears of everything from the beginning on.
    pub webhook: Option<Webhook>,
    pub settings: Settings,
    pub faults: Faults,
}

#[derive(Clone, Debug)]
pub struct Webhook {
    pub url: String,
    pub secret: String,
}
