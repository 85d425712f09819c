//! The other model that a request may allow: what it makes in place of the one that was asked for, and at which price.

use crate::{
    JobRequest, JobSpec, Quote, SpecError, VideoTime,
    catalog::{Field, Understanding},
};
use serde::{Deserialize, Serialize};

/// The other model by which a job is made that its own model cannot make, checked and priced when the job was taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fallback {
    pub model: String,
    pub steps: u32,
    pub guidance: f64,
    pub quote: Quote,
    /// By which shares of the queue count it.
    pub work: VideoTime,
    /// They may be long, and are kept beside it.
    #[serde(skip)]
    pub texts: FallbackTexts,
}

/// What that model gets in place of the prompt, and how it reads that, as far as these differ from what was typed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FallbackTexts {
    pub expanded_prompt: Option<String>,
    pub read_as: Option<String>,
    pub understanding: Option<Understanding>,
}

/// Why a model cannot stand in for the one that was asked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FallbackError {
    #[error("`fallback_model` names the model that is asked for: name another, or leave it out.")]
    Same,
    /// In the words of a request to that model.
    #[error("`fallback_model` cannot make this. {0}")]
    Spec(SpecError),
    #[error("`fallback_model` cannot make this. {0}")]
    Plan(String),
}

impl FallbackError {
    /// The plan of this name does not have the other model.
    #[must_use]
    pub fn of_plan(name: &str) -> Self {
        Self::Plan(format!("The plan {name} does not have it."))
    }

    /// A stable name for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Spec(error @ SpecError::ModelUnknown { .. }) => error.code(),
            Self::Plan(_) => "model_not_in_plan",
            Self::Same | Self::Spec(_) => "fallback_unsupported",
        }
    }
}

/// The request to `model` for what `spec` is, of a client who asked for `asked`: the same picture in size, length and seed. Steps and guidance
/// that the client did not name are the model's own.
#[must_use]
pub fn request_of_fallback(model: &str, asked: &JobRequest, spec: &JobSpec) -> JobRequest {
    let whole = spec.request();
    JobRequest::of_fields(|field| match field {
        Field::Model => Some(model.to_owned()),
        // Also of an image, which no model of videos makes.
        Field::Seconds => Some(spec.duration.to_string()),
        Field::Steps | Field::Guidance => asked.filled(field).map(ToOwned::to_owned),
        field => whole.get(field).map(ToOwned::to_owned),
    })
}

/// Whether `other`, which is what [`request_of_fallback`] asks for, may be made in place of `spec`.
///
/// # Errors
/// [`FallbackError`]: it is the same model, or a model of images that takes a length of none.
pub fn check_fallback(spec: &JobSpec, other: &JobSpec) -> Result<(), FallbackError> {
    if other.model == spec.model {
        return Err(FallbackError::Same);
    }
    if other.shape() != spec.shape() {
        let (model, seconds, supported) = (other.model.clone(), spec.duration.to_string(), other.duration.to_string());
        return Err(FallbackError::Spec(SpecError::SecondsUnsupported { model, seconds, supported }));
    }
    Ok(())
}

/// What is held while a job is made: the price of the dearer of the models that may make it.
#[must_use]
pub fn held(quote: &Quote, fallback: Option<&Fallback>) -> VideoTime {
    fallback.map_or(quote.billed, |fallback| quote.billed.max(fallback.quote.billed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Catalog, Model, Seed,
        catalog::testing::{image_model, video_model},
    };
    use std::collections::BTreeMap;

    /// The usual model, one like it with other steps, and one of images.
    fn catalog() -> Catalog {
        let steps = crate::catalog::Bounds { default: 12, ..video_model().steps };
        let fast = Model { id: "fast-1".into(), steps, ..video_model() };
        Catalog::new(vec![video_model(), fast, image_model()], BTreeMap::new())
    }

    fn by(model: &str, asked: &JobRequest) -> Result<(JobSpec, Quote), SpecError> {
        let catalog = catalog();
        let (spec, _) = asked.parse(&catalog, Seed::new(5).unwrap()).unwrap();
        request_of_fallback(model, asked, &spec).parse(&catalog, Seed::ZERO)
    }

    fn ball() -> JobRequest {
        JobRequest { prompt: "a ball".into(), size: Some("192x192".into()), ..JobRequest::default() }
    }

    #[test]
    fn the_other_model_makes_the_same_with_steps_of_its_own() {
        let (spec, quote) = by("fast-1", &ball()).unwrap();
        assert_eq!((spec.size.to_string().as_str(), spec.duration.ms(), spec.steps, spec.seed.value()), ("192x192", 2000, 12, 5));
        assert_eq!(quote.steps_default, 12);
        let (spec, _) = by("fast-1", &JobRequest { steps: Some("30".into()), ..ball() }).unwrap();
        assert_eq!(spec.steps, 30, "those that were asked for");
    }

    #[test]
    fn a_video_is_not_made_by_a_model_of_images_nor_an_image_by_one_of_videos() {
        assert_eq!(by("tiny-1", &ball()).unwrap_err().code(), "size_unsupported");
        let image = JobRequest { prompt: "a ball".into(), model: Some("tiny-1".into()), ..JobRequest::default() };
        assert!(by("fast-1", &image).is_err());
    }

    #[test]
    fn the_dearer_price_is_held() {
        let (_, quote) = by("fast-1", &ball()).unwrap();
        let of = |ms| Quote { billed: VideoTime::from_ms(ms), ..quote };
        let fallback = |ms| Fallback {
            model: "fast-1".into(),
            steps: 1,
            guidance: 1.0,
            quote: of(ms),
            work: VideoTime::default(),
            texts: FallbackTexts::default(),
        };
        assert_eq!([held(&of(5), None), held(&of(5), Some(&fallback(3))), held(&of(5), Some(&fallback(8)))].map(VideoTime::ms), [5, 5, 8]);
    }
}
