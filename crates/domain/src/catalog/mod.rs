//! The models on offer and what each of them can do.

mod spec;

pub use spec::{JobRequest, JobSpec, PROMPT_CHARS_MAX, Seed, SpecError, TEXT_BYTES_MAX};

use crate::VideoTime;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{fmt, str::FromStr};

/// Width and height of the finished video, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = ();

    /// `WIDTHxHEIGHT` in plain decimal digits.
    fn from_str(text: &str) -> Result<Self, ()> {
        let side = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| digits.parse().ok()).flatten().ok_or(())
        };
        let (width, height) = text.split_once('x').ok_or(())?;
        Ok(Self { width: side(width)?, height: side(height)? })
    }
}

/// A size on offer and its weight in the price; 1000 is the default size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeOption {
    pub size: Size,
    pub weight_permille: u32,
}

/// One entry of the catalog.
#[derive(Debug, PartialEq)]
pub struct Model {
    /// What clients name.
    pub id: &'static str,
    /// What people read.
    pub name: &'static str,
    pub description: &'static str,
    /// Which engine family computes it.
    pub family: &'static str,
    /// When the weights were published, unix seconds.
    pub created: i64,
    pub sizes: &'static [SizeOption],
    pub size_default: Size,
    pub durations: &'static [VideoTime],
    pub duration_default: VideoTime,
    pub frames_per_second: u32,
    pub steps_min: u32,
    pub steps_max: u32,
    pub steps_default: u32,
    pub guidance_min: f64,
    pub guidance_max: f64,
    pub guidance_default: f64,
}

impl Model {
    #[must_use]
    pub fn size_option(&self, size: Size) -> Option<&SizeOption> {
        self.sizes.iter().find(|option| option.size == size)
    }

    /// Frames in a clip of this length.
    #[must_use]
    pub const fn frames(&self, duration: VideoTime) -> u32 {
        (duration.ms() * self.frames_per_second as u64 / 1000) as u32
    }
}

/// By its id: the entry itself is part of each program.
impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

impl<'de> Deserialize<'de> for &'static Model {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        find_model(&id).ok_or_else(|| D::Error::custom(format_args!("there is no model `{id}`")))
    }
}

const fn square(side: u32, weight_permille: u32) -> SizeOption {
    SizeOption { size: Size { width: side, height: side }, weight_permille }
}

const VIGNETTE_1: Model = Model {
    id: "vignette-1",
    name: "Vignette 1",
    description: "Small model for simple scenes, described in a few English words. Runs on any processor.",
    family: "vignette",
    created: 1_795_219_200,
    sizes: &[square(96, 500), square(192, 750), square(384, 1000), square(768, 1500)],
    size_default: Size { width: 384, height: 384 },
    durations: &[VideoTime::from_ms(2000)],
    duration_default: VideoTime::from_ms(2000),
    frames_per_second: 8,
    steps_min: 1,
    steps_max: 200,
    steps_default: 24,
    guidance_min: 1.0,
    guidance_max: 12.0,
    guidance_default: 3.0,
};

/// A model stays here for as long as jobs of it are stored: those of another cannot be read.
static MODELS: &[Model] = &[VIGNETTE_1];

/// Every model on offer; the first is the default.
#[must_use]
pub fn models() -> &'static [Model] {
    MODELS
}

/// The model a request means that names none.
#[must_use]
pub fn default_model() -> &'static Model {
    &MODELS[0]
}

#[must_use]
pub fn find_model(id: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.id == id)
}
