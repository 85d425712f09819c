//! The shapes of arrangements and layouts in the public API's JSON.

use domain::{JobId, catalog, job, job::Layout};
use serde::Serialize;
use utoipa::ToSchema;

/// Where a thing of a video was put.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Pin {
    pub shot: u32,
    pub slot: u32,
    /// Its centre in frame widths.
    #[schema(example = 0.25)]
    pub x: f32,
    /// Its foot in frame heights, from above.
    #[schema(example = 0.9)]
    pub y: f32,
    /// Its longer side in the frame's shorter side; absent where that was left to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f32>,
}

impl From<catalog::Pin> for Pin {
    fn from(catalog::Pin { shot, slot, x, y, size }: catalog::Pin) -> Self {
        Self { shot, slot, x, y, size }
    }
}

/// Where the things of a finished video are drawn.
#[derive(Debug, Serialize, ToSchema)]
pub struct VideoLayout {
    #[schema(example = "job_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "video.layout")]
    pub object: &'static str,
    pub shots: Vec<ShotLayout>,
}

/// A shot in its middle.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShotLayout {
    /// When that is shown, in seconds of the video.
    #[schema(example = 2.0)]
    pub seconds: f32,
    /// What is moved by 1 in the scene moves by this in the frame.
    #[schema(example = 1.03)]
    pub zoom: f32,
    pub things: Vec<PlacedThing>,
}

/// A thing: where it stands, as an arrangement has it, and the box in which it is seen, in frame widths and heights.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacedThing {
    pub slot: u32,
    #[schema(example = "cat")]
    pub name: String,
    #[schema(example = 0.4)]
    pub x: f32,
    #[schema(example = 0.9)]
    pub y: f32,
    #[schema(example = 0.4)]
    pub size: f32,
    #[schema(example = 0.3)]
    pub left: f32,
    #[schema(example = 0.5)]
    pub top: f32,
    #[schema(example = 0.2)]
    pub width: f32,
    #[schema(example = 0.4)]
    pub height: f32,
    /// The slot of what carries it: it goes with that, and cannot be put elsewhere by itself.
    pub carried_by: Option<u32>,
}

impl VideoLayout {
    pub fn new(id: JobId, layout: Layout) -> Self {
        let thing = |thing: job::PlacedThing| {
            let job::PlacedThing { slot, name, x, y, size, left, top, width, height, carried_by } = thing;
            PlacedThing { slot, name, x, y, size, left, top, width, height, carried_by }
        };
        let shot =
            |job::ShotLayout { seconds, zoom, things }| ShotLayout { seconds, zoom, things: things.into_iter().map(thing).collect() };
        Self { id: id.to_string(), object: "video.layout", shots: layout.shots.into_iter().map(shot).collect() }
    }
}
