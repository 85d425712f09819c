//! The inputs of a job as clients of other services spell them: by our own names, or by those that are usual there.
//!
//! `num_inference_steps`, `guidance_scale` and `duration` are other names of fields. A size may come as `width` and `height`, as
//! `image_size` or as `aspect_ratio`, and a length as `num_frames` at the model's `fps`. What a model does not have is refused by its name.

use crate::{
    api::fields::{Fields, Given, Known},
    error::{ApiError, NotOffered},
};
use domain::{
    Model,
    catalog::{Field, Output, Size},
};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use std::fmt;

/// More are nobody's.
const INPUTS_MAX: usize = 64;
/// By how much a picture's proportions may differ from those that were asked for, in thousandths.
const RATIO_PERMILLE: u64 = 10;
/// Names of proportions at fal.
const NAMED_SIZES: [(&str, (u32, u32)); 6] = [
    ("square_hd", (1, 1)),
    ("square", (1, 1)),
    ("portrait_4_3", (3, 4)),
    ("portrait_16_9", (9, 16)),
    ("landscape_4_3", (4, 3)),
    ("landscape_16_9", (16, 9)),
];

/// As they were sent, unread.
#[derive(Debug, Default)]
pub struct Inputs(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Inputs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Inputs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of inputs")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Inputs, A::Error> {
                let mut inputs = Vec::new();
                while let Some(input) = map.next_entry()? {
                    if inputs.len() == INPUTS_MAX {
                        return Err(A::Error::custom(format_args!("more than {INPUTS_MAX} inputs")));
                    }
                    inputs.push(input);
                }
                Ok(Inputs(inputs))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// What has to be looked at together.
#[derive(Debug, Default)]
struct Shape {
    width: Option<u32>,
    height: Option<u32>,
    ratio: Option<(&'static str, (u32, u32))>,
    frames: Option<u32>,
    frames_per_second: Option<(&'static str, u32)>,
}

impl Inputs {
    /// The fields that these inputs fill in a request to `model`.
    pub fn fields(self, model: &Model) -> Result<Fields, ApiError> {
        let (mut fields, mut shape) = (Fields::default(), Shape::default());
        let mut taken: Vec<Known> = Vec::new();
        for (name, value) in self.0.into_iter().filter(|(_, value)| value.get() != "null") {
            let Some(known) = known(&name) else {
                if !shape.take(&name, &value)? {
                    return Err(refused(format!("`{name}` is no input of `{}`.", model.id)));
                }
                continue;
            };
            if taken.contains(&known) {
                return Err(given_twice(known));
            }
            taken.push(known);
            fields.insert(known, given(known, &value)?);
        }
        for (field, text) in [(Field::Size, shape.size(model)?), (Field::Seconds, shape.seconds(model)?)] {
            let Some(text) = text else { continue };
            if taken.contains(&Known::Field(field)) {
                return Err(given_twice(Known::Field(field)));
            }
            fields.insert(Known::Field(field), Given::Text(text));
        }
        Ok(fields)
    }
}

/// The field that an input fills by itself. Which model it is says the address.
fn known(name: &str) -> Option<Known> {
    let own = match name {
        "num_inference_steps" => Field::Steps.name(),
        "guidance_scale" => Field::Guidance.name(),
        "duration" => Field::Seconds.name(),
        own => own,
    };
    Known::find(own).filter(|known| *known != Known::Field(Field::Model))
}

fn given(known: Known, value: &RawValue) -> Result<Given, ApiError> {
    if known.takes_lists() && value.get().starts_with('[') {
        return Ok(Given::List(value.get().to_owned()));
    }
    serde_json::from_str(value.get()).map_err(|error| refused(format!("`{}` cannot be read: {error}.", known.name())))
}

impl Shape {
    /// `false`: this is none of what it is about.
    fn take(&mut self, name: &str, value: &RawValue) -> Result<bool, ApiError> {
        match name {
            "width" => once(name, &mut self.width, number(name, value)?)?,
            "height" => once(name, &mut self.height, number(name, value)?)?,
            "image_size" => self.take_image_size(name, value)?,
            "aspect_ratio" => {
                let sides: Option<String> = serde_json::from_str(value.get()).ok();
                let ratio = sides.as_deref().and_then(|text| text.split_once(':')).and_then(|(width, height)| {
                    let (width, height) = (width.trim().parse().ok()?, height.trim().parse().ok()?);
                    (1..10_000).contains(&width).then_some(())?;
                    (1..10_000).contains(&height).then_some((width, height))
                });
                let ratio = ratio.ok_or_else(|| refused("`aspect_ratio` must be two numbers such as 16:9.".to_owned()))?;
                once(name, &mut self.ratio, ("aspect_ratio", ratio))?;
            }
            "num_frames" => once(name, &mut self.frames, number(name, value)?)?,
            "fps" => once(name, &mut self.frames_per_second, ("fps", number(name, value)?))?,
            "frames_per_second" => once(name, &mut self.frames_per_second, ("frames_per_second", number(name, value)?))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// By name, or as an object of two sides.
    fn take_image_size(&mut self, name: &str, value: &RawValue) -> Result<(), ApiError> {
        #[derive(Deserialize)]
        struct Sides {
            width: u32,
            height: u32,
        }
        let named: Option<String> = serde_json::from_str(value.get()).ok();
        if let Some((_, ratio)) = NAMED_SIZES.iter().find(|(known, _)| named.as_deref() == Some(*known)) {
            return once(name, &mut self.ratio, ("image_size", *ratio));
        }
        let written = named.as_deref().and_then(|text| text.parse().ok());
        let sides = written.or_else(|| serde_json::from_str(value.get()).ok().map(|Sides { width, height }| Size { width, height }));
        let names = || NAMED_SIZES.map(|(name, _)| name).join(", ");
        let Size { width, height } =
            sides.ok_or_else(|| refused(format!("`image_size` must be one of {}, or have a `width` and a `height`.", names())))?;
        once(name, &mut self.width, width)?;
        once(name, &mut self.height, height)
    }

    fn size(&self, model: &Model) -> Result<Option<String>, ApiError> {
        match (self.width, self.height, self.ratio) {
            (None, None, None) => Ok(None),
            (Some(width), Some(height), None) => Ok(Some(Size { width, height }.to_string())),
            (None, None, Some((name, ratio))) => {
                let sizes = || model.sizes.iter().map(|option| option.size);
                let found = [model.size_default].into_iter().chain(sizes()).find(|size| has_ratio(*size, ratio));
                let listed = || sizes().map(|size| size.to_string()).collect::<Vec<_>>().join(", ");
                let message = || format!("`{name}`: `{}` has no size of {}:{}. Its sizes: {}.", model.id, ratio.0, ratio.1, listed());
                found.map(|size| Some(size.to_string())).ok_or_else(|| refused(message()))
            }
            (_, _, Some((name, _))) => Err(refused(format!("`{name}` is given beside `width` and `height`: give one of them."))),
            (Some(_), None, None) => Err(refused("`height` is missing: give both sides.".to_owned())),
            (None, Some(_), None) => Err(refused("`width` is missing: give both sides.".to_owned())),
        }
    }

    fn seconds(&self, model: &Model) -> Result<Option<String>, ApiError> {
        let (frames, rate) = (self.frames, self.frames_per_second);
        if frames.is_none() && rate.is_none() {
            return Ok(None);
        }
        let Output::Video { frames_per_second, durations, .. } = &model.output else {
            let name = rate.map_or("num_frames", |(name, _)| name);
            return Err(refused(format!("`{}` makes images, which have no frames: leave `{name}` out.", model.id)));
        };
        if let Some((name, asked)) = rate.filter(|(_, asked)| asked != frames_per_second) {
            return Err(refused(format!("`{name}` cannot be {asked}: `{}` makes {frames_per_second} frames a second.", model.id)));
        }
        let Some(frames) = frames else { return Ok(None) };
        let frames_of = |ms: u64| u32::try_from(ms * u64::from(*frames_per_second) / 1000).unwrap_or(u32::MAX);
        // Many models make one frame more than their length has.
        let found = durations.iter().find(|length| [frames_of(length.ms()), frames_of(length.ms()).saturating_add(1)].contains(&frames));
        let listed = || durations.iter().map(|length| frames_of(length.ms()).to_string()).collect::<Vec<_>>().join(", ");
        found
            .map(|length| Some(length.to_string()))
            .ok_or_else(|| refused(format!("`num_frames` cannot be {frames}: `{}` makes videos of {} frames.", model.id, listed())))
    }
}

fn has_ratio(size: Size, (width, height): (u32, u32)) -> bool {
    let (have, want) = (u64::from(size.width) * u64::from(height), u64::from(size.height) * u64::from(width));
    have.abs_diff(want) * 1000 <= want * RATIO_PERMILLE
}

fn number(name: &str, value: &RawValue) -> Result<u32, ApiError> {
    serde_json::from_str(value.get()).map_err(|_| refused(format!("`{name}` must be a whole number.")))
}

/// Of two inputs that say the same thing the last would count, and the client may have meant the other.
fn once<T>(name: &str, place: &mut Option<T>, said: T) -> Result<(), ApiError> {
    match place.replace(said) {
        None => Ok(()),
        Some(_) => Err(refused(format!("`{name}` says what another input says already: give one of them."))),
    }
}

fn given_twice(known: Known) -> ApiError {
    refused(format!("`{}` is given twice, under two names: give one of them.", known.name()))
}

fn refused(message: String) -> ApiError {
    NotOffered::Input { message }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        JobRequest,
        catalog::testing::{image_model, video_model},
    };

    fn wide() -> Model {
        let mut model = video_model();
        model.sizes[0].size = Size { width: 960, height: 540 };
        model
    }

    fn request(model: &Model, json: &str) -> Result<JobRequest, String> {
        let inputs: Inputs = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let made = inputs.fields(model).and_then(|fields| fields.over(JobRequest::default()));
        made.map_err(|error| match error {
            ApiError::NotOffered(NotOffered::Input { message }) | ApiError::Invalid { message, .. } => message,
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn inputs_fill_fields_by_our_names_and_by_those_that_are_usual_elsewhere() {
        let own = r#"{"prompt":"a","negative_prompt":"b","size":"960x540","seconds":2,"steps":4,"guidance":2.5,"seed":7,"enrich":true}"#;
        let other = r#"{"prompt":"a","negative_prompt":"b","width":960,"height":540,"num_frames":16,"fps":8,"num_inference_steps":4,
            "guidance_scale":2.5,"seed":7,"enrich":true,"arrangement":null}"#;
        assert_eq!(request(&wide(), own), request(&wide(), other));
        let sized = |json: &str| request(&wide(), json).map(|request| request.size);
        for json in [r#"{"aspect_ratio":"16:9"}"#, r#"{"image_size":"landscape_16_9"}"#, r#"{"image_size":{"width":960,"height":540}}"#] {
            assert_eq!(sized(json), Ok(Some("960x540".into())), "{json}");
        }
        assert_eq!(sized(r#"{"aspect_ratio":"1:1"}"#), Ok(Some("384x384".into())), "the default comes first");
        let long = |json: &str| request(&wide(), json).map(|request| request.seconds);
        assert_eq!((long(r#"{"num_frames":17}"#), long(r#"{"duration":"2"}"#)), (Ok(Some("2".into())), Ok(Some("2".into()))));
        assert_eq!(long(r#"{"fps":8}"#), Ok(None));
    }

    #[test]
    fn what_a_model_does_not_have_is_refused_by_its_name() {
        for (json, said) in [
            (r#"{"prompt":"a","lora":"x"}"#, "`lora` is no input of `vignette-1`."),
            (r#"{"model":"x"}"#, "`model` is no input of `vignette-1`."),
            (
                r#"{"aspect_ratio":"9:16"}"#,
                "`aspect_ratio`: `vignette-1` has no size of 9:16. Its sizes: 960x540, 192x192, 384x384, 768x768.",
            ),
            (r#"{"aspect_ratio":"0:9"}"#, "`aspect_ratio` must be two numbers such as 16:9."),
            (r#"{"width":96}"#, "`height` is missing: give both sides."),
            (r#"{"width":96,"height":96,"size":"96x96"}"#, "`size` is given twice, under two names: give one of them."),
            (r#"{"steps":1,"num_inference_steps":1}"#, "`steps` is given twice, under two names: give one of them."),
            (
                r#"{"image_size":{"width":96,"height":96},"height":192,"width":192}"#,
                "`height` says what another input says already: give one of them.",
            ),
            (r#"{"width":96,"image_size":"96x96"}"#, "`image_size` says what another input says already: give one of them."),
            (
                r#"{"aspect_ratio":"1:1","image_size":"landscape_4_3"}"#,
                "`image_size` says what another input says already: give one of them.",
            ),
            (r#"{"fps":8,"frames_per_second":8}"#, "`frames_per_second` says what another input says already: give one of them."),
            (r#"{"width":"wide","height":96}"#, "`width` must be a whole number."),
            (r#"{"fps":24}"#, "`fps` cannot be 24: `vignette-1` makes 8 frames a second."),
            (r#"{"num_frames":81}"#, "`num_frames` cannot be 81: `vignette-1` makes videos of 16 frames."),
            (r#"{"prompt":{}}"#, "`prompt` must be a string, not an object."),
        ] {
            assert_eq!(request(&wide(), json), Err(said.into()), "{json}");
        }
        let image = request(&image_model(), r#"{"num_frames":16}"#);
        assert_eq!(image, Err("`tiny-1` makes images, which have no frames: leave `num_frames` out.".into()));
        let many: Vec<_> = (0..65).map(|number| format!("\"a{number}\":1")).collect();
        assert!(request(&wide(), &format!("{{{}}}", many.join(","))).unwrap_err().contains("more than 64 inputs"));
    }
}
