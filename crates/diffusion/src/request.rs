//! What is asked for.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, Error, Result};
use crate::spec::{Size, Spec};

/// What one sample is made from. Equal requests give equal bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub prompt: String,
    /// What to steer away from: in place of the empty prompt, without effect at guidance 1; of a story, what nothing is added of.
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
    /// Things that stand where somebody put them; the rest is arranged around them. Empty where the model places no things.
    pub arrangement: Vec<Pin>,
}

/// Where a thing of a scene was put, in the middle of its shot.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Pin {
    /// Counted from 0. What the prompt has no shot or slot for, and what something else carries, is passed over.
    pub shot: usize,
    pub slot: usize,
    /// Centre, 0 to 1 frame widths.
    pub x: f32,
    /// Lowest ink, 0 to 1 frame heights from above.
    pub y: f32,
    /// Longer side in the frame's shorter side, 0.05 to 0.85; `None` leaves it to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<f32>,
}

impl Pin {
    fn is_in_frame(&self) -> bool {
        let size = self.size.unwrap_or(0.5);
        (0.0..=1.0).contains(&self.x) && (0.0..=1.0).contains(&self.y) && (0.05..=0.85).contains(&size)
    }
}

impl Request {
    /// More steps than this are a mistake: no solver gains from them.
    pub const MOST_STEPS: usize = 1000;

    /// A request for what the model makes when it may choose.
    pub fn new(spec: &Spec, prompt: &str, seed: u64) -> Self {
        let &Spec { size, frames, steps, guidance, .. } = spec;
        Self { prompt: prompt.to_owned(), negative_prompt: None, size, frames, seed, steps, guidance, arrangement: Vec::new() }
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

    /// # Errors
    /// [`Error::Arrangement`] when something is not put into the frame.
    pub(crate) fn check_arrangement(&self) -> Result<()> {
        if self.arrangement.iter().all(Pin::is_in_frame) { Ok(()) } else { Err(Error::Arrangement { bound: "in the frame" }) }
    }

    /// # Errors
    /// [`Error::Arrangement`] when there is one.
    pub(crate) fn check_unarranged(&self) -> Result<()> {
        if self.arrangement.is_empty() { Ok(()) } else { Err(Error::Arrangement { bound: "empty for a model that places no things" }) }
    }
}
