//! Turns what a client sent into a job that a model can do, or says what to mend.
//!
//! All numbers arrive as text, whether from a form, a multipart body or JSON: one parser, one set of messages.

use super::{Model, Size, default_model, find_model, models};
use crate::{VideoTime, number::grouped};
use serde::{Deserialize, Serialize};

pub const PROMPT_CHARS_MAX: usize = 32_000;
/// Of one text in UTF-8, whatever its characters: what a row, an answer and a page of a list are reckoned by.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

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

/// What a client asked for, as text. `None` and blank mean "the model's default".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobRequest {
    pub prompt: String,
    pub negative_prompt: Option<String>,
    pub model: Option<String>,
    pub size: Option<String>,
    pub seconds: Option<String>,
    pub steps: Option<String>,
    pub guidance: Option<String>,
    pub seed: Option<String>,
}

/// A job that its model can do: every field checked, every default filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobSpec {
    pub prompt: String,
    pub negative_prompt: Option<String>,
    /// Of the catalog. No spec names another model: one that does cannot be read.
    pub model: &'static Model,
    pub size: Size,
    pub duration: VideoTime,
    pub steps: u32,
    pub guidance: f64,
    pub seed: Seed,
}

/// What to mend in a request.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpecError {
    #[error("Type a prompt: say what the video should show.")]
    PromptEmpty,
    #[error("`{field}` has {} characters; at most {} are allowed.", grouped(*chars as u64), grouped(PROMPT_CHARS_MAX as u64))]
    TextTooLong { field: &'static str, chars: usize },
    #[error("`{field}` has {} bytes in UTF-8; at most {} are allowed.", grouped(*bytes as u64), grouped(TEXT_BYTES_MAX as u64))]
    TextTooLarge { field: &'static str, bytes: usize },
    #[error("`{field}` contains the character U+0000, which text cannot hold.")]
    TextHasNul { field: &'static str },
    #[error("The model `{model}` does not exist. Available: {available}.")]
    ModelUnknown { model: String, available: String },
    #[error("`{model}` cannot make size '{size}'. Supported: {supported}.")]
    SizeUnsupported { model: &'static str, size: String, supported: String },
    #[error("`{model}` cannot make '{seconds}' seconds. Supported: {supported}.")]
    SecondsUnsupported { model: &'static str, seconds: String, supported: String },
    #[error("`{field}` must be {expected}, not '{given}'.")]
    NumberInvalid { field: &'static str, given: String, expected: String },
}

impl SpecError {
    /// The request's field that is wrong.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::PromptEmpty => "prompt",
            Self::ModelUnknown { .. } => "model",
            Self::SizeUnsupported { .. } => "size",
            Self::SecondsUnsupported { .. } => "seconds",
            Self::TextTooLong { field, .. }
            | Self::TextTooLarge { field, .. }
            | Self::TextHasNul { field }
            | Self::NumberInvalid { field, .. } => field,
        }
    }

    /// A stable name for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::PromptEmpty => "prompt_empty",
            Self::TextTooLong { .. } => "text_too_long",
            Self::TextTooLarge { .. } => "text_too_large",
            Self::TextHasNul { .. } => "text_invalid",
            Self::ModelUnknown { .. } => "model_not_found",
            Self::SizeUnsupported { .. } => "size_unsupported",
            Self::SecondsUnsupported { .. } => "seconds_unsupported",
            Self::NumberInvalid { .. } => "number_invalid",
        }
    }
}

impl JobRequest {
    /// Checks the request against the catalog; `random` is the seed of a request that names none.
    ///
    /// # Errors
    /// The first [`SpecError`] in the order in which a person reads the form.
    pub fn parse(&self, random: Seed) -> Result<JobSpec, SpecError> {
        let prompt = checked_text("prompt", &self.prompt)?.trim();
        if prompt.is_empty() {
            return Err(SpecError::PromptEmpty);
        }
        let negative = checked_text("negative_prompt", self.negative_prompt.as_deref().unwrap_or_default())?.trim();
        let model = filled(&self.model).map_or(Ok(default_model()), |id| {
            find_model(id).ok_or_else(|| SpecError::ModelUnknown { model: shortened(id), available: list(models(), |m| m.id) })
        })?;
        Ok(JobSpec {
            prompt: prompt.to_owned(),
            negative_prompt: (!negative.is_empty()).then(|| negative.to_owned()),
            model,
            size: size(model, filled(&self.size))?,
            duration: duration(model, filled(&self.seconds))?,
            steps: number("steps", filled(&self.steps), model.steps_default, model.steps_min..=model.steps_max)?,
            guidance: guidance(model, filled(&self.guidance))?,
            seed: seed(filled(&self.seed), random)?,
        })
    }
}

impl JobSpec {
    #[must_use]
    pub fn size_weight_permille(&self) -> u32 {
        self.model.size_option(self.size).map_or(1000, |option| option.weight_permille)
    }
}

fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn checked_text<'a>(field: &'static str, text: &'a str) -> Result<&'a str, SpecError> {
    let chars = text.chars().count();
    if chars > PROMPT_CHARS_MAX {
        Err(SpecError::TextTooLong { field, chars })
    } else if text.len() > TEXT_BYTES_MAX {
        Err(SpecError::TextTooLarge { field, bytes: text.len() })
    } else if text.contains('\0') {
        Err(SpecError::TextHasNul { field })
    } else {
        Ok(text)
    }
}

fn size(model: &'static Model, text: Option<&str>) -> Result<Size, SpecError> {
    let Some(text) = text else { return Ok(model.size_default) };
    let offered = text.parse().ok().filter(|size| model.size_option(*size).is_some());
    offered.ok_or_else(|| SpecError::SizeUnsupported {
        model: model.id,
        size: shortened(text),
        supported: list(model.sizes, |option| option.size),
    })
}

fn duration(model: &'static Model, text: Option<&str>) -> Result<VideoTime, SpecError> {
    let Some(text) = text else { return Ok(model.duration_default) };
    let offered = text.parse::<f64>().ok().and_then(|seconds| model.durations.iter().find(|duration| duration.seconds() == seconds));
    offered.copied().ok_or_else(|| SpecError::SecondsUnsupported {
        model: model.id,
        seconds: shortened(text),
        supported: list(model.durations, ToString::to_string),
    })
}

fn number(field: &'static str, text: Option<&str>, default: u32, range: std::ops::RangeInclusive<u32>) -> Result<u32, SpecError> {
    let Some(text) = text else { return Ok(default) };
    text.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| SpecError::NumberInvalid {
        field,
        given: shortened(text),
        expected: format!("a whole number from {} to {}", range.start(), range.end()),
    })
}

fn guidance(model: &'static Model, text: Option<&str>) -> Result<f64, SpecError> {
    let Some(text) = text else { return Ok(model.guidance_default) };
    let range = model.guidance_min..=model.guidance_max;
    text.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| SpecError::NumberInvalid {
        field: "guidance",
        given: shortened(text),
        expected: format!("a number from {} to {}", model.guidance_min, model.guidance_max),
    })
}

fn seed(text: Option<&str>, random: Seed) -> Result<Seed, SpecError> {
    let Some(text) = text else { return Ok(random) };
    text.parse().ok().and_then(Seed::new).ok_or_else(|| SpecError::NumberInvalid {
        field: "seed",
        given: shortened(text),
        expected: format!("a whole number from 0 to {}", grouped(Seed::MAX)),
    })
}

fn list<T, D: ToString>(items: &[T], show: impl Fn(&T) -> D) -> String {
    items.iter().map(|item| show(item).to_string()).collect::<Vec<_>>().join(", ")
}

/// The client's own words, short enough for an error message.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANDOM: Seed = Seed(7);

    fn asked(change: impl FnOnce(&mut JobRequest)) -> Result<JobSpec, SpecError> {
        let mut request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
        change(&mut request);
        request.parse(RANDOM)
    }

    #[test]
    fn a_prompt_alone_gets_every_default() {
        let spec = asked(|_| ()).unwrap();
        assert_eq!((spec.model.id, spec.size.to_string().as_str()), ("vignette-1", "384x384"));
        assert_eq!((spec.duration.ms(), spec.steps, spec.guidance, spec.seed), (2000, 24, 3.0, RANDOM));
        assert_eq!(asked(|r| r.size = Some("  ".into())).unwrap(), spec);
    }

    #[test]
    fn what_the_model_cannot_do_is_answered_with_what_it_can() {
        let message = asked(|r| r.size = Some("1280x720".into())).unwrap_err().to_string();
        assert!(message.contains("96x96, 192x192, 384x384, 768x768"), "{message}");
        for seconds in ["4", "-2", "2e99", "NaN", "two"] {
            let error = asked(|r| r.seconds = Some(seconds.into())).unwrap_err();
            assert_eq!((error.field(), error.code()), ("seconds", "seconds_unsupported"));
            assert!(error.to_string().ends_with("Supported: 2."), "{error}");
        }
        for size in ["99999999999999999999x1", "-96x96", "+96x96", "96", "x", "96X96"] {
            assert_eq!(asked(|r| r.size = Some(size.into())).unwrap_err().code(), "size_unsupported", "{size}");
        }
    }

    #[test]
    fn numbers_out_of_range_name_the_range() {
        for (field, text) in [
            ("steps", "0"),
            ("steps", "201"),
            ("steps", "2.5"),
            ("guidance", "0.5"),
            ("guidance", "NaN"),
            ("seed", "-1"),
            ("seed", "9007199254740992"),
        ] {
            let error = asked(|r| match field {
                "steps" => r.steps = Some(text.into()),
                "guidance" => r.guidance = Some(text.into()),
                _ => r.seed = Some(text.into()),
            })
            .unwrap_err();
            assert_eq!((error.field(), error.code()), (field, "number_invalid"), "{text}");
        }
        assert_eq!(asked(|r| r.seed = Some("9007199254740991".into())).unwrap().seed.value(), Seed::MAX);
    }

    #[test]
    fn texts_that_are_empty_too_long_or_unstorable_are_refused() {
        assert_eq!(asked(|r| r.prompt = " \n\t ".into()), Err(SpecError::PromptEmpty));
        assert_eq!(asked(|r| r.prompt = "é".repeat(32_001)), Err(SpecError::TextTooLong { field: "prompt", chars: 32_001 }));
        assert_eq!(asked(|r| r.prompt = "a\0b".into()), Err(SpecError::TextHasNul { field: "prompt" }));
        assert_eq!(asked(|r| r.negative_prompt = Some("\0".into())), Err(SpecError::TextHasNul { field: "negative_prompt" }));
        assert!(asked(|r| r.prompt = "é".repeat(32_000)).is_ok());
        let message = asked(|r| r.prompt = "é".repeat(32_001)).unwrap_err().to_string();
        assert_eq!(message, "`prompt` has 32,001 characters; at most 32,000 are allowed.");
    }

    #[test]
    fn a_text_is_bounded_in_bytes_as_well_as_in_characters() {
        let emoji = |bytes: usize| "🎞".repeat(bytes / 4);
        let too_large = SpecError::TextTooLarge { field: "negative_prompt", bytes: TEXT_BYTES_MAX + 4 };
        assert_eq!(asked(|r| r.negative_prompt = Some(emoji(TEXT_BYTES_MAX + 4))).unwrap_err(), too_large);
        assert_eq!((too_large.field(), too_large.code()), ("negative_prompt", "text_too_large"));
        assert!(asked(|r| r.prompt = emoji(TEXT_BYTES_MAX)).is_ok());
    }

    #[test]
    fn a_message_repeats_at_most_sixty_characters_of_the_client() {
        let error = asked(|r| r.model = Some("m".repeat(10_000))).unwrap_err();
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn a_spec_of_a_model_that_the_catalog_does_not_know_cannot_be_read() {
        let spec = asked(|_| ()).unwrap();
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<JobSpec>(&json).unwrap(), spec);
        let error = serde_json::from_str::<JobSpec>(&json.replace("vignette-1", "retired-1")).unwrap_err().to_string();
        assert!(error.contains("`retired-1`"), "{error}");
    }
}
