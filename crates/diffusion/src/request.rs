//! What is asked for.

use crate::error::{Error, Result, STEPS_MAX};
use crate::spec::Spec;

/// What one sample is made from. Equal requests give equal bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub prompt: String,
    /// What to steer away from, in place of the empty prompt; without effect at guidance 1.
    pub negative_prompt: Option<String>,
    pub seed: u64,
    /// Denoiser evaluations, 1 to [`Request::MOST_STEPS`].
    pub steps: usize,
    /// How far to go beyond what the prompt predicts: 1 is the plain prediction at half the cost.
    pub guidance: f64,
}

impl Request {
    /// More steps than this are a mistake: no solver gains from them.
    pub const MOST_STEPS: usize = STEPS_MAX;

    /// A request with the family's own steps and guidance.
    pub fn new(spec: &Spec, prompt: &str, seed: u64) -> Self {
        let (steps, guidance) = (spec.steps, spec.guidance);
        Self { prompt: prompt.to_owned(), negative_prompt: None, seed, steps, guidance }
    }

    /// # Errors
    /// [`Error::Steps`] or [`Error::Guidance`] when no sampler could honour it.
    pub fn check(&self) -> Result<()> {
        if !(1..=Self::MOST_STEPS).contains(&self.steps) {
            return Err(Error::Steps { steps: self.steps });
        }
        if !self.guidance.is_finite() {
            return Err(Error::Guidance { guidance: self.guidance });
        }
        Ok(())
    }
}
