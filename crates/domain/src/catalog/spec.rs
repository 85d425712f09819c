//! A job that a model can do, as it is stored, priced and run.

use super::{Arrangement, Field, JobRequest, Model, Shape, Size};
use crate::VideoTime;
use serde::{Deserialize, Serialize};

/// Start of the noise. At most 2^53 - 1, so that every JSON reader keeps it exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(u64);

impl Seed {
    pub const MAX: u64 = (1 << 53) - 1;
    pub const ZERO: Self = Self(0);

    #[must_use]
    pub const fn new(value: u64) -> Option<Self> {
        if value <= Self::MAX { Some(Self(value)) } else { None }
    }

    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// A job that its model can do: every field checked, every default filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobSpec {
    pub prompt: String,
    /// What the model gets in place of the prompt, where that is to be made richer: the prompt itself until it is expanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expanded_prompt: Option<String>,
    /// What the model gets in place of both, where names stand in it for words that it does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_as: Option<String>,
    pub negative_prompt: Option<String>,
    /// Its id. The model may have left the catalog since.
    pub model: String,
    pub size: Size,
    /// Zero of an image.
    pub duration: VideoTime,
    pub steps: u32,
    pub guidance: f64,
    pub seed: Seed,
    /// Of a model that places things.
    #[serde(default)]
    pub arrangement: Option<Arrangement>,
}

impl JobSpec {
    #[must_use]
    pub const fn shape(&self) -> Shape {
        Shape { size: self.size, duration: self.duration }
    }

    #[must_use]
    pub const fn is_image(&self) -> bool {
        self.duration.ms() == 0
    }

    /// The text that the model makes it from.
    #[must_use]
    pub fn model_prompt(&self) -> &str {
        self.read_as.as_deref().unwrap_or_else(|| self.text())
    }

    /// What was typed, or what was made of it where it was to be richer.
    #[must_use]
    pub fn text(&self) -> &str {
        self.expanded_prompt.as_ref().unwrap_or(&self.prompt)
    }

    /// The request that asks for it, with every field that it has.
    #[must_use]
    pub fn request(&self) -> JobRequest {
        JobRequest::of_fields(|field| match field {
            Field::Prompt => Some(self.prompt.clone()),
            Field::NegativePrompt => self.negative_prompt.clone(),
            Field::Model => Some(self.model.clone()),
            Field::Size => Some(self.size.to_string()),
            Field::Seconds => (!self.is_image()).then(|| self.duration.to_string()),
            Field::Steps => Some(self.steps.to_string()),
            Field::Guidance => Some(self.guidance.to_string()),
            Field::Seed => Some(self.seed.value().to_string()),
            Field::Arrangement => self.arrangement.as_ref().map(|arrangement| arrangement.as_str().to_owned()),
            Field::Enrich => self.expanded_prompt.is_some().then(|| true.to_string()),
        })
    }

    /// The same without what it would be anyway, where `model` is still on offer; the size, the length and the seed are
    /// always said.
    #[must_use]
    pub fn short_request(&self, model: Option<&Model>) -> JobRequest {
        let mut request = self.request();
        if model.is_some_and(|model| model.steps.default == self.steps) {
            request.steps = None;
        }
        if model.is_some_and(|model| model.guidance.default.to_bits() == self.guidance.to_bits()) {
            request.guidance = None;
        }
        request
    }
}
