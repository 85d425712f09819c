//! A model on offer: what it makes, within which bounds, and what that weighs in the price.
//!
//! A manifest beside the weights says it, and its row in the database repeats the manifest.

use super::Understands;
use crate::VideoTime;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Of an id or an alias, in characters.
pub const MODEL_NAME_MAX: usize = 64;
/// Bounds under which no price overflows.
const WEIGHT_MAX: u32 = 1_000_000;
const STEPS_MAX: u32 = 1000;
const DURATION_MAX: VideoTime = VideoTime::from_minutes(60);
const SIDE_MAX: u32 = 16_383;
const FRAMES_PER_SECOND_MAX: u32 = 240;

/// Width and height of the finished picture, in pixels; stored and sent as `WIDTHxHEIGHT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a size is written as 384x384")]
pub struct SizeError;

impl TryFrom<String> for Size {
    type Error = SizeError;

    fn try_from(text: String) -> Result<Self, SizeError> {
        text.parse()
    }
}

impl FromStr for Size {
    type Err = SizeError;

    /// `WIDTHxHEIGHT` in plain decimal digits.
    fn from_str(text: &str) -> Result<Self, SizeError> {
        let side = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| digits.parse().ok()).flatten().ok_or(SizeError)
        };
        let (width, height) = text.split_once('x').ok_or(SizeError)?;
        Ok(Self { width: side(width)?, height: side(height)? })
    }
}

/// A size on offer and its weight in the price; 1000 is that of a usual size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeOption {
    pub size: Size,
    pub weight_permille: u32,
}

/// What a number may be, and what it is when left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds<T> {
    pub min: T,
    pub max: T,
    pub default: T,
}

impl<T: PartialOrd + Copy> Bounds<T> {
    pub fn contains(&self, value: T) -> bool {
        self.min <= value && value <= self.max
    }

    fn is_sound(&self) -> bool {
        self.contains(self.default)
    }
}

/// What comes out of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    Video {
        frames_per_second: u32,
        #[serde(rename = "durations_ms")]
        durations: Vec<VideoTime>,
        #[serde(rename = "duration_default_ms")]
        duration_default: VideoTime,
    },
    Image {
        /// The length of video that one image counts as.
        #[serde(rename = "billed_as_ms")]
        billed_as: VideoTime,
    },
}

/// A prompt that the model does well, offered beside the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    pub label: String,
    pub prompt: String,
}

/// One entry of the catalog.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
// Browsers are told by us, in order: they need no words for what is misspelt, and not every field.
#[cfg_attr(not(target_family = "wasm"), serde(deny_unknown_fields))]
pub struct Model {
    /// What clients name; also the name of the folder with its weights.
    pub id: String,
    /// Which engine family computes it.
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub family: String,
    /// What people read.
    pub name: String,
    pub description: String,
    /// When the weights were published, unix seconds.
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub created: i64,
    /// Its place in lists: the smallest is the default model.
    #[serde(default)]
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub order: i32,
    pub output: Output,
    pub sizes: Vec<SizeOption>,
    pub size_default: Size,
    pub steps: Bounds<u32>,
    pub guidance: Bounds<f64>,
    #[serde(default)]
    pub examples: Vec<Example>,
    /// Which words mean something to it.
    #[serde(default, skip_serializing_if = "Understands::is_anything")]
    #[cfg_attr(target_family = "wasm", serde(deserialize_with = "Understands::of_page"))]
    pub understands: Understands,
}

/// Why a model cannot be offered as its manifest says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` {problem}")]
pub struct ManifestError {
    pub field: &'static str,
    pub problem: &'static str,
}

impl Model {
    #[must_use]
    pub fn size_option(&self, size: Size) -> Option<&SizeOption> {
        self.sizes.iter().find(|option| option.size == size)
    }

    /// Whether what a prompt leaves open can be added to it.
    #[must_use]
    pub const fn can_be_enriched(&self) -> bool {
        matches!(self.understands, Understands::Scenes)
    }

    /// Whether a word of a prompt chooses the style of its picture.
    #[must_use]
    pub const fn has_styles(&self) -> bool {
        matches!(self.understands, Understands::Scenes)
    }

    /// The same without the words that it knows, which a page has no use for.
    #[must_use]
    pub fn for_page(&self) -> Self {
        let understands = if self.can_be_enriched() { Understands::Scenes } else { Understands::Anything };
        Self { understands, ..self.clone() }
    }

    /// What it is put in order by.
    #[must_use]
    pub fn place(&self) -> (i32, &str) {
        (self.order, &self.id)
    }

    #[must_use]
    pub const fn makes_images(&self) -> bool {
        matches!(self.output, Output::Image { .. })
    }

    /// The lengths on offer; none of a model that makes images.
    #[must_use]
    pub fn durations(&self) -> &[VideoTime] {
        match &self.output {
            Output::Video { durations, .. } => durations,
            Output::Image { .. } => &[],
        }
    }

    /// Whether somebody can say where things stand.
    #[must_use]
    pub const fn places_things(&self) -> bool {
        matches!(self.understands, Understands::Scenes)
    }

    /// Whether something this long can be asked for: nothing but 0 of a model that makes images.
    #[must_use]
    pub fn has_duration(&self, duration: VideoTime) -> bool {
        match &self.output {
            Output::Video { durations, .. } => durations.contains(&duration),
            Output::Image { .. } => duration.ms() == 0,
        }
    }

    /// The length of what a request gets that names none; an image has none.
    #[must_use]
    pub const fn duration_default(&self) -> VideoTime {
        match &self.output {
            Output::Video { duration_default, .. } => *duration_default,
            Output::Image { .. } => VideoTime::from_ms(0),
        }
    }

    /// Frames of what is this long: one of an image.
    #[must_use]
    pub const fn frames(&self, duration: VideoTime) -> u32 {
        match &self.output {
            Output::Video { frames_per_second, .. } => (duration.ms() * *frames_per_second as u64 / 1000) as u32,
            Output::Image { .. } => 1,
        }
    }

    /// The length of video that a job counts as which makes something this long.
    #[must_use]
    pub const fn counts_as(&self, duration: VideoTime) -> VideoTime {
        match &self.output {
            Output::Video { .. } => duration,
            Output::Image { billed_as } => *billed_as,
        }
    }

    /// Whether it can be offered.
    ///
    /// # Errors
    /// [`ManifestError`] names the first field that makes no sense.
    pub fn check(&self) -> Result<(), ManifestError> {
        let weights = 1..=WEIGHT_MAX;
        let is_side = |side: u32| (1..=SIDE_MAX).contains(&side);
        let is_size = |option: &SizeOption| is_side(option.size.width) && is_side(option.size.height);
        let (sizes, durations) = (&self.sizes, self.durations());
        let rules = [
            (is_model_name(&self.id), "id", "must be 1 to 64 of a-z, 0-9, `.`, `_` and `-`, and begin with a letter or digit"),
            (!self.family.is_empty(), "family", "is empty"),
            (!self.name.trim().is_empty(), "name", "is empty"),
            (!sizes.is_empty(), "sizes", "are none"),
            (sizes.iter().all(is_size), "sizes", "must have sides of 1 to 16383 pixels"),
            (sizes.iter().all(|option| weights.contains(&option.weight_permille)), "sizes", "must weigh 1 to 1000000"),
            (self.size_option(self.size_default).is_some(), "size_default", "is not one of `sizes`"),
            (self.steps.min >= 1 && self.steps.max <= STEPS_MAX, "steps", "must lie between 1 and 1000"),
            (self.steps.is_sound(), "steps", "must have a default within its bounds"),
            (self.guidance.min.is_finite() && self.guidance.max.is_finite(), "guidance", "must be finite"),
            (self.guidance.is_sound(), "guidance", "must have a default within its bounds"),
            (
                durations.iter().all(|length| self.is_length(*length)),
                "output",
                "must have lengths of at least two frames and at most an hour",
            ),
            (self.is_output_sound(), "output", "must have lengths with a default among them, or a price between a millisecond and an hour"),
        ];
        match rules.into_iter().find(|(holds, ..)| !holds) {
            Some((_, field, problem)) => Err(ManifestError { field, problem }),
            None => Ok(()),
        }
    }

    fn is_length(&self, length: VideoTime) -> bool {
        length <= DURATION_MAX && self.frames(length) >= 2
    }

    fn is_output_sound(&self) -> bool {
        match &self.output {
            Output::Video { frames_per_second, durations, duration_default } => {
                (1..=FRAMES_PER_SECOND_MAX).contains(frames_per_second) && durations.contains(duration_default)
            }
            Output::Image { billed_as } => (VideoTime::from_ms(1)..=DURATION_MAX).contains(billed_as),
        }
    }
}

/// Whether this can be an id or an alias: a name that is also that of a folder, and stands in addresses as it is.
#[must_use]
pub fn is_model_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=MODEL_NAME_MAX).contains(&text.len())
        && text.bytes().next().is_some_and(is_plain)
        && text.bytes().all(|byte| is_plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::testing::{image_model, video_model};

    const SHIPPED: &str = include_str!("../../../diffusion/weights/vignette-1/manifest.json");

    #[test]
    fn the_manifest_that_ships_is_the_model_of_the_tests() {
        let shipped: Model = serde_json::from_str(SHIPPED).unwrap();
        assert_eq!(Model { understands: Understands::Anything, ..shipped }, video_model());
    }

    #[test]
    fn the_first_of_the_models_that_ship_draws_scenes_in_every_size_that_clients_ask_for() {
        let shipped: Model = serde_json::from_str(include_str!("../../../diffusion/weights/flipbook-1/manifest.json")).unwrap();
        assert_eq!((shipped.check(), shipped.understands.clone()), (Ok(()), Understands::Scenes));
        assert!(shipped.place() < video_model().place());
        let lengths = [4, 8, 12].map(|seconds| VideoTime::from_ms(seconds * 1000));
        assert!(lengths.iter().all(|length| shipped.durations().contains(length)));
        for size in ["720x1280", "1280x720", "1024x1792", "1792x1024"] {
            assert!(shipped.size_option(size.parse().unwrap()).is_some(), "{size}");
        }
    }

    #[test]
    fn a_manifest_is_written_as_it_is_read() {
        for model in [video_model(), image_model()] {
            assert_eq!(model.check(), Ok(()));
            assert_eq!(serde_json::from_str::<Model>(&serde_json::to_string(&model).unwrap()).unwrap(), model);
        }
        let misspelt = SHIPPED.replace("\"order\"", "\"ordr\"");
        assert!(serde_json::from_str::<Model>(&misspelt).unwrap_err().to_string().contains("ordr"));
    }

    #[test]
    fn what_cannot_be_offered_is_named() {
        let field = |change: fn(&mut Model)| {
            let mut model = video_model();
            change(&mut model);
            model.check().unwrap_err().field
        };
        assert_eq!(field(|m| m.id = "../up".into()), "id");
        assert_eq!(field(|m| m.id = "a".repeat(65)), "id");
        assert_eq!(field(|m| m.name = " ".into()), "name");
        assert_eq!(field(|m| m.sizes.clear()), "sizes");
        assert_eq!(field(|m| m.sizes[0].weight_permille = 0), "sizes");
        assert_eq!(field(|m| m.sizes[0].size.width = 0), "sizes");
        assert_eq!(field(|m| m.size_default.width = 1), "size_default");
        assert_eq!(field(|m| m.steps.min = 0), "steps");
        assert_eq!(field(|m| m.steps.default = 300), "steps");
        assert_eq!(field(|m| m.guidance.max = f64::INFINITY), "guidance");
        assert_eq!(field(|m| m.guidance.default = f64::NAN), "guidance");
        assert_eq!(field(|m| m.output = Output::Image { billed_as: VideoTime::from_ms(0) }), "output");
        let video = |frames_per_second, durations: Vec<VideoTime>, duration_default| Output::Video {
            frames_per_second,
            durations,
            duration_default,
        };
        let second = VideoTime::from_ms(1000);
        for output in [
            video(8, vec![], second),
            video(0, vec![second], second),
            video(1, vec![second], second),
            video(8, vec![second], second + second),
        ] {
            let model = Model { output, ..video_model() };
            assert_eq!(model.check().unwrap_err().field, "output");
        }
    }

    #[test]
    fn an_image_has_one_frame_and_no_length() {
        let model = image_model();
        assert_eq!((model.frames(VideoTime::from_ms(5000)), model.duration_default().ms(), model.durations().len()), (1, 0, 0));
        assert_eq!(model.counts_as(model.duration_default()).ms(), 250);
        assert_eq!((video_model().frames(VideoTime::from_ms(2000)), video_model().counts_as(VideoTime::from_ms(2000)).ms()), (16, 2000));
    }
}
