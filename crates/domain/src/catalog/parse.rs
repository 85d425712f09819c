//! Turns what a client sent into a job that a model can do, or says what to mend.
//!
//! All numbers arrive as text, whether from a form, a multipart body or JSON: one parser, one set of messages.

use super::{Arrangement, Bounds, Catalog, Field, JobRequest, JobSpec, Model, Quote, Seed, Size};
use crate::{VideoTime, number::grouped};
use std::{fmt, str::FromStr};

pub const PROMPT_CHARS_MAX: usize = 32_000;
/// Of one text in UTF-8, whatever its characters: what a row, an answer and a page of a list are reckoned by.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

/// What to mend in a request.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpecError {
    #[error("Type a prompt: say what it should show.")]
    PromptEmpty,
    #[error("`{field}` has {} characters; at most {} are allowed.", grouped(*chars as u64), grouped(PROMPT_CHARS_MAX as u64))]
    TextTooLong { field: &'static str, chars: usize },
    #[error("`{field}` has {} bytes in UTF-8; at most {} are allowed.", grouped(*bytes as u64), grouped(TEXT_BYTES_MAX as u64))]
    TextTooLarge { field: &'static str, bytes: usize },
    #[error("`{field}` contains the character U+0000, which text cannot hold.")]
    TextHasNul { field: &'static str },
    #[error("{model} knows none of these words{}", told(others))]
    PromptNotUnderstood {
        model: String,
        /// Models that know some, with the words.
        others: Vec<(String, Vec<String>)>,
    },
    #[error("No model is on offer at the moment. The operator of this service has to add one.")]
    NoModel,
    #[error("The model `{model}` does not exist. Available: {available}.")]
    ModelUnknown { model: String, available: String },
    #[error("`{model}` cannot make size '{size}'. Supported: {supported}.")]
    SizeUnsupported { model: String, size: String, supported: String },
    #[error("`{model}` cannot make '{seconds}' seconds. Supported: {supported}.")]
    SecondsUnsupported { model: String, seconds: String, supported: String },
    #[error("`{model}` makes images, which have no length: leave `seconds` out.")]
    NoSeconds { model: String },
    #[error("`{model}` cannot have its prompts made richer: leave `enrich` out.")]
    EnrichUnsupported { model: String },
    #[error("`{field}` must be true or false, not '{given}'.")]
    FlagInvalid { field: &'static str, given: String },
    #[error("`{field}` must be {expected}, not '{given}'.")]
    NumberInvalid { field: &'static str, given: String, expected: String },
    #[error("`arrangement` {reason}.")]
    ArrangementInvalid { reason: String },
    #[error("`{model}` places no things: leave `arrangement` out.")]
    ArrangementUnsupported { model: String },
}

impl SpecError {
    /// The request's field that is wrong.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::PromptEmpty | Self::PromptNotUnderstood { .. } => Field::Prompt.name(),
            Self::NoModel | Self::ModelUnknown { .. } => Field::Model.name(),
            Self::SizeUnsupported { .. } => Field::Size.name(),
            Self::SecondsUnsupported { .. } | Self::NoSeconds { .. } => Field::Seconds.name(),
            Self::ArrangementInvalid { .. } | Self::ArrangementUnsupported { .. } => Field::Arrangement.name(),
            Self::EnrichUnsupported { .. } => Field::Enrich.name(),
            Self::TextTooLong { field, .. }
            | Self::TextTooLarge { field, .. }
            | Self::TextHasNul { field }
            | Self::FlagInvalid { field, .. }
            | Self::NumberInvalid { field, .. } => field,
        }
    }

    /// A stable name for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::PromptEmpty => "prompt_empty",
            Self::PromptNotUnderstood { .. } => "prompt_not_understood",
            Self::TextTooLong { .. } => "text_too_long",
            Self::TextTooLarge { .. } => "text_too_large",
            Self::TextHasNul { .. } => "text_invalid",
            Self::NoModel | Self::ModelUnknown { .. } => "model_not_found",
            Self::SizeUnsupported { .. } => "size_unsupported",
            Self::SecondsUnsupported { .. } | Self::NoSeconds { .. } => "seconds_unsupported",
            Self::EnrichUnsupported { .. } => "enrich_unsupported",
            Self::FlagInvalid { .. } => "flag_invalid",
            Self::NumberInvalid { .. } => "number_invalid",
            Self::ArrangementInvalid { .. } => "arrangement_invalid",
            Self::ArrangementUnsupported { .. } => "arrangement_unsupported",
        }
    }
}

/// How many words of another model are told.
const WORDS_TOLD: usize = 6;

fn told(others: &[(String, Vec<String>)]) -> String {
    match others.first() {
        None => ", so the result would have nothing to do with them.".to_owned(),
        Some((other, words)) => {
            format!(". {other} can draw: {}.", words.iter().take(WORDS_TOLD).map(|word| shortened(word)).collect::<Vec<_>>().join(", "))
        }
    }
}

impl JobRequest {
    /// Checks the request against the catalog, and prices it; `random` is the seed of a request that names none. The arrangement
    /// is left out: see [`JobRequest::parse_arranged`].
    ///
    /// # Errors
    /// The first [`SpecError`] in the order in which a person reads the form.
    pub fn parse(&self, catalog: &Catalog, random: Seed) -> Result<(JobSpec, Quote), SpecError> {
        let prompt = self.checked_text(Field::Prompt)?.trim();
        if prompt.is_empty() {
            return Err(SpecError::PromptEmpty);
        }
        let negative = self.checked_text(Field::NegativePrompt)?.trim();
        let model = self.model(catalog)?;
        let spec = JobSpec {
            prompt: prompt.to_owned(),
            expanded_prompt: self.enriched(model)?.then(|| prompt.to_owned()),
            read_as: None,
            negative_prompt: (!negative.is_empty()).then(|| negative.to_owned()),
            model: model.id.clone(),
            size: self.size(model)?,
            duration: self.duration(model)?,
            steps: self.number(Field::Steps, model.steps, "a whole number")?,
            guidance: self.number(Field::Guidance, model.guidance, "a number")?,
            seed: self.seed(random)?,
            arrangement: None,
        };
        let quote = model.quote(spec.shape(), spec.steps);
        Ok((spec, quote))
    }

    /// As [`JobRequest::parse`], with the arrangement, which that leaves out.
    ///
    /// # Errors
    /// What that refuses; [`SpecError::ArrangementInvalid`] and [`SpecError::ArrangementUnsupported`].
    pub fn parse_arranged(&self, catalog: &Catalog, random: Seed) -> Result<(JobSpec, Quote), SpecError> {
        let (mut spec, quote) = self.parse(catalog, random)?;
        let arrangement = self.filled(Field::Arrangement).map_or(Ok(None), Arrangement::parse);
        spec.arrangement = arrangement.map_err(|reason| SpecError::ArrangementInvalid { reason })?;
        if spec.arrangement.is_some() && !catalog.by_id(&spec.model).is_some_and(Model::places_things) {
            return Err(SpecError::ArrangementUnsupported { model: spec.model });
        }
        Ok((spec, quote))
    }

    fn checked_text(&self, field: Field) -> Result<&str, SpecError> {
        let (text, field) = (self.get(field).unwrap_or_default(), field.name());
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

    fn model<'a>(&self, catalog: &'a Catalog) -> Result<&'a Model, SpecError> {
        let default = catalog.default_model().ok_or(SpecError::NoModel)?;
        let Some(name) = self.filled(Field::Model) else { return Ok(default) };
        let unknown = || SpecError::ModelUnknown { model: shortened(name), available: list(catalog.models(), |model| model.id.clone()) };
        catalog.find(name).ok_or_else(unknown)
    }

    fn size(&self, model: &Model) -> Result<Size, SpecError> {
        let Some(text) = self.filled(Field::Size) else { return Ok(model.size_default) };
        let offered = text.parse().ok().filter(|size| model.size_option(*size).is_some());
        offered.ok_or_else(|| SpecError::SizeUnsupported {
            model: model.id.clone(),
            size: shortened(text),
            supported: list(&model.sizes, |option| option.size),
        })
    }

    /// What is finished says that an image has 0 seconds, so that may be asked for again.
    fn duration(&self, model: &Model) -> Result<VideoTime, SpecError> {
        let Some(text) = self.filled(Field::Seconds) else { return Ok(model.duration_default()) };
        let asked = text.parse::<f64>().ok();
        if model.makes_images() {
            let is_none = asked == Some(0.0);
            return if is_none { Ok(model.duration_default()) } else { Err(SpecError::NoSeconds { model: model.id.clone() }) };
        }
        let offered = asked.and_then(|seconds| model.durations().iter().find(|duration| duration.seconds() == seconds));
        offered.copied().ok_or_else(|| SpecError::SecondsUnsupported {
            model: model.id.clone(),
            seconds: shortened(text),
            supported: list(model.durations(), ToString::to_string),
        })
    }

    fn number<T: FromStr + PartialOrd + Copy + fmt::Display>(
        &self,
        field: Field,
        bounds: Bounds<T>,
        what: &'static str,
    ) -> Result<T, SpecError> {
        let Some(text) = self.filled(field) else { return Ok(bounds.default) };
        text.parse().ok().filter(|value| bounds.contains(*value)).ok_or_else(|| SpecError::NumberInvalid {
            field: field.name(),
            given: shortened(text),
            expected: format!("{what} from {} to {}", bounds.min, bounds.max),
        })
    }

    fn enriched(&self, model: &Model) -> Result<bool, SpecError> {
        match self.filled(Field::Enrich) {
            None | Some("false") => Ok(false),
            Some("true") if model.can_be_enriched() => Ok(true),
            Some("true") => Err(SpecError::EnrichUnsupported { model: model.id.clone() }),
            Some(given) => Err(SpecError::FlagInvalid { field: Field::Enrich.name(), given: shortened(given) }),
        }
    }

    fn seed(&self, random: Seed) -> Result<Seed, SpecError> {
        let Some(text) = self.filled(Field::Seed) else { return Ok(random) };
        text.parse().ok().and_then(Seed::new).ok_or_else(|| SpecError::NumberInvalid {
            field: Field::Seed.name(),
            given: shortened(text),
            expected: format!("a whole number from 0 to {}", grouped(Seed::MAX)),
        })
    }
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
    use crate::catalog::{Understands, testing};
    use std::collections::BTreeMap;

    const RANDOM: Seed = match Seed::new(7) {
        Some(seed) => seed,
        None => Seed::ZERO,
    };

    fn asked(change: impl FnOnce(&mut JobRequest)) -> Result<JobSpec, SpecError> {
        let mut request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
        change(&mut request);
        request.parse(&testing::catalog(), RANDOM).map(|(spec, _)| spec)
    }

    #[test]
    fn a_prompt_alone_gets_every_default() {
        let spec = asked(|_| ()).unwrap();
        assert_eq!((&*spec.model, spec.size.to_string().as_str()), ("vignette-1", "384x384"));
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
    fn a_model_of_images_takes_no_length_and_has_a_price_of_its_own() {
        let catalog =
            Catalog::new(vec![testing::video_model(), testing::image_model()], BTreeMap::from([("sora-2".into(), "tiny-1".into())]));
        let asked = |seconds: Option<&str>, size: &str| {
            let (model, seconds, size) = (Some("sora-2".into()), seconds.map(Into::into), Some(size.into()));
            JobRequest { prompt: "a ball".into(), model, seconds, size, ..JobRequest::default() }.parse(&catalog, RANDOM)
        };
        let (spec, quote) = asked(None, "64x32").unwrap();
        assert_eq!((&*spec.model, spec.is_image(), spec.duration.ms(), spec.steps), ("tiny-1", true, 0, 4));
        assert_eq!((quote.duration.ms(), quote.billed.ms()), (250, 500));
        assert_eq!(asked(Some("0"), "64x32").unwrap().0, spec);
        assert_eq!(spec.request().parse(&catalog, Seed::ZERO).unwrap(), (spec, quote));
        let error = asked(Some("2"), "64x32").unwrap_err();
        assert_eq!((error.field(), error.code()), ("seconds", "seconds_unsupported"));
        assert_eq!(error.to_string(), "`tiny-1` makes images, which have no length: leave `seconds` out.");
        assert_eq!(asked(None, "384x384").unwrap_err().code(), "size_unsupported");
    }

    #[test]
    fn a_prompt_is_made_richer_where_that_is_asked_for_and_the_model_reads_scenes() {
        let scenes = Model { understands: Understands::Scenes, ..testing::video_model() };
        let asked = |model: &Model, enrich: &str| {
            let request = JobRequest { prompt: " a ball ".into(), enrich: Some(enrich.into()), ..JobRequest::default() };
            request.parse(&Catalog::new(vec![model.clone()], BTreeMap::new()), RANDOM)
        };
        let (spec, quote) = asked(&scenes, "true").unwrap();
        assert_eq!((spec.expanded_prompt.as_deref(), spec.request().enrich.as_deref()), (Some("a ball"), Some("true")));
        let (plain, plain_quote) = asked(&scenes, "false").unwrap();
        assert_eq!((plain.expanded_prompt, quote), (None, plain_quote), "it costs nothing");
        assert_eq!(asked(&testing::video_model(), "false").unwrap().0.expanded_prompt, None);
        for (error, code) in [(asked(&testing::video_model(), "true"), "enrich_unsupported"), (asked(&scenes, "yes"), "flag_invalid")] {
            let error = error.unwrap_err();
            assert_eq!((error.field(), error.code()), ("enrich", code));
        }
        let form = Catalog::new(vec![scenes, testing::video_model()], BTreeMap::new()).for_form();
        assert!(form.models().iter().any(Model::can_be_enriched), "a form knows it too");
    }

    #[test]
    fn an_unknown_model_is_an_error_and_never_the_default() {
        let error = asked(|r| r.model = Some("sora-2".into())).unwrap_err();
        assert_eq!((error.field(), error.code()), ("model", "model_not_found"));
        assert_eq!(error.to_string(), "The model `sora-2` does not exist. Available: vignette-1.");
        let nothing = JobRequest { prompt: "sea".into(), ..JobRequest::default() }.parse(&Catalog::default(), RANDOM);
        assert_eq!(nothing.unwrap_err(), SpecError::NoModel);
    }

    #[test]
    fn a_job_asked_for_again_is_the_same_one() {
        let spec =
            asked(|r| (r.steps, r.guidance, r.negative_prompt) = (Some("8".into()), Some("2.5".into()), Some("fog".into()))).unwrap();
        let catalog = testing::catalog();
        let model = catalog.default_model();
        assert_eq!(spec.request().parse(&catalog, Seed::ZERO).unwrap().0, spec);
        assert_eq!(spec.short_request(model).parse(&catalog, Seed::ZERO).unwrap().0, spec);
        let plain = asked(|_| ()).unwrap();
        let short = plain.short_request(model);
        assert_eq!((short.steps.as_deref(), short.guidance.as_deref(), short.seed.as_deref()), (None, None, Some("7")));
        assert_eq!(plain.short_request(None), plain.request());
    }
}
