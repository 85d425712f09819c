//! What is asked for.

use crate::error::{Bound, Error, Result};
use crate::spec::{Size, Spec};

/// What one sample is made from. Equal requests give equal bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub prompt: String,
    /// What to steer away from, in place of the empty prompt; without effect at guidance 1.
    pub negative_prompt: Option<String>,
    /// Of the decoded frames.
    pub size: Size,
    /// 1 is a picture.
    pub frames: usize,
    pub seed: u64,
    /// Steps from noise to data, 1 to [`Request::MOST_STEPS`].
    pub steps: usize,
    /// How far to go beyond what the prompt predicts: 1 is the plain prediction at half the cost.
    pub guidance: f64,
}

impl Request {
    /// More steps than this are a mistake: no solver gains from them.
    pub const MOST_STEPS: usize = 1000;

    /// A request for what the model makes when it may choose.
    pub fn new(spec: &Spec, prompt: &str, seed: u64) -> Self {
        let &Spec { size, frames, steps, guidance, .. } = spec;
        Self { prompt: prompt.to_owned(), negative_prompt: None, size, frames, seed, steps, guidance }
    }

    /// Pixels of all frames together: what a step's time grows with.
    pub fn pixels(&self) -> usize {
        self.size.width * self.size.height * self.frames
    }

    /// What no sampler could honour, of whichever family.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for the steps, [`Error::Guidance`].
    pub(crate) fn check_sampling(&self) -> Result<()> {
        Bound::Between { least: 1, most: Self::MOST_STEPS }.check("steps", self.steps)?;
        if self.guidance.is_finite() { Ok(()) } else { Err(Error::Guidance { guidance: self.guidance }) }
    }
}
