//! Catalogs for tests: of this crate, and of whoever stands on it.

use super::{Bounds, Catalog, Example, Model, Output, Size, SizeOption, Understands};
use crate::VideoTime;
use std::collections::BTreeMap;

const EXAMPLES: [(&str, &str); 8] = [
    ("Sea", "the sea at sunset"),
    ("Campfire", "campfire at night"),
    ("Northern lights", "northern lights over the mountains"),
    ("Space", "flying through space"),
    ("Hills", "hills at dawn"),
    ("Desert", "the desert at sunset"),
    ("Underwater", "underwater"),
    ("City", "the city at night"),
];

/// A model with the numbers of one that ships, and that takes any prompt.
#[must_use]
pub fn video_model() -> Model {
    let square = |side, weight_permille| SizeOption { size: Size { width: side, height: side }, weight_permille };
    let length = VideoTime::from_ms(2000);
    Model {
        id: "vignette-1".to_owned(),
        family: "vignette".to_owned(),
        name: "Vignette 1".to_owned(),
        description: "Small model for simple scenes, described in a few English words. Runs on any processor.".to_owned(),
        created: 1_795_219_200,
        order: 10,
        output: Output::Video { frames_per_second: 8, durations: vec![length], duration_default: length },
        sizes: vec![square(96, 500), square(192, 750), square(384, 1000), square(768, 1500)],
        size_default: Size { width: 384, height: 384 },
        steps: Bounds { min: 1, max: 200, default: 24 },
        guidance: Bounds { min: 1.0, max: 12.0, default: 3.0 },
        examples: EXAMPLES.map(|(label, prompt)| Example { label: label.to_owned(), prompt: prompt.to_owned() }).into(),
        understands: Understands::Anything,
    }
}

/// A model of another kind: pictures of two sizes.
#[must_use]
pub fn image_model() -> Model {
    let (small, wide) = (Size { width: 32, height: 32 }, Size { width: 64, height: 32 });
    Model {
        id: "tiny-1".to_owned(),
        family: "tiny".to_owned(),
        name: "Tiny 1".to_owned(),
        description: "Draws nothing, in a moment.".to_owned(),
        created: 1_795_219_200,
        order: 20,
        output: Output::Image { billed_as: VideoTime::from_ms(250) },
        sizes: vec![SizeOption { size: small, weight_permille: 1000 }, SizeOption { size: wide, weight_permille: 2000 }],
        size_default: small,
        steps: Bounds { min: 1, max: 50, default: 4 },
        guidance: Bounds { min: 1.0, max: 4.0, default: 2.0 },
        examples: Vec::new(),
        understands: Understands::Anything,
    }
}

/// What is on offer where nobody has added to it.
#[must_use]
pub fn catalog() -> Catalog {
    Catalog::new(vec![video_model()], BTreeMap::new())
}
