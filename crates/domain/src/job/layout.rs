//! Where the things of a finished video are drawn: what a creator takes hold of to put it elsewhere.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    pub shots: Vec<ShotLayout>,
}

/// A shot in its middle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShotLayout {
    /// When that is shown, in seconds of the video.
    pub seconds: f32,
    /// How near the camera is: what is moved by 1 in the scene moves by this in the frame.
    pub zoom: f32,
    pub things: Vec<PlacedThing>,
}

/// A thing of a shot: where it stands in the scene, as a [`crate::catalog::Pin`] has it, and the box in which it is seen, in frame
/// widths and heights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlacedThing {
    pub slot: u32,
    /// What it is, in English.
    pub name: String,
    pub x: f32,
    pub y: f32,
    pub size: f32,
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    /// The slot of what carries it and takes it along; `None` of what stands by itself.
    pub carried_by: Option<u32>,
}
