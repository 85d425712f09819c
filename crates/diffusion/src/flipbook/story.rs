//! From a prompt to shots, and from their layouts to a clip.

use std::sync::Arc;

use flipbook::codes::Style;
use flipbook::layout::{brief, settle};
use flipbook::paint::film::Film;
use flipbook::scene::{Brief, Layout, Program};
use flipbook::words::understand;
use serde::{Deserialize, Serialize};

use crate::media::{Clip, Frame, MediaError};
use crate::request::Request;
use crate::spec::Size;

/// What the decoder needs to know of a request: written beside the layouts.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Script {
    pub prompt: String,
    pub width: usize,
    pub height: usize,
    pub frames: usize,
    pub seed: u64,
    /// Of the shots, as [`digest`] has it.
    pub story: u64,
}

/// One of the story's shots, as the network is told of it.
pub(super) struct Shot {
    pub program: Program,
    pub brief: Brief,
    /// Which frames of the clip are its own.
    pub frames: std::ops::Range<usize>,
}

impl Script {
    pub fn of(request: &Request, shots: &[&Shot]) -> Self {
        let &Request { ref prompt, size: Size { width, height }, frames, seed, .. } = request;
        Self { prompt: prompt.clone(), width, height, frames, seed, story: digest(shots.iter().copied()) }
    }

    /// Its shots, if the prompt is understood as it was when it was written.
    pub fn shots(&self, fps: u32) -> Option<(Vec<Shot>, Option<Style>)> {
        let (shots, style) = shots(&self.prompt, self.width, self.height, self.frames, fps);
        (digest(&shots) == self.story).then_some((shots, style))
    }

    /// The clip of settled layouts, one a shot.
    pub fn clip(&self, fps: u32, shots: Vec<Shot>, style: Option<Style>, layouts: Vec<Layout>) -> Result<Clip, MediaError> {
        let starts: Vec<usize> = shots.iter().map(|shot| shot.frames.start).collect();
        let films: Vec<Film> = shots.into_iter().zip(layouts).map(|(shot, layout)| self.film(shot, layout, style, fps)).collect();
        let (films, width, height) = (Arc::new(films), self.width, self.height);
        Clip::drawn(width, height, self.frames, fps, move |index| {
            let shot = starts.partition_point(|start| *start <= index).saturating_sub(1);
            let rgb = films.get(shot).map(|film| film.frame(index - starts[shot])).unwrap_or_default();
            Frame { width, height, rgb }
        })
    }

    fn film(&self, shot: Shot, layout: Layout, style: Option<Style>, fps: u32) -> Film {
        let settled = settle(&shot.brief, layout);
        Film::new(shot.program, shot.brief, settled, self.width, self.height, fps, self.seed).in_style(style)
    }
}

impl Shot {
    /// Of the frame and of each object.
    pub fn tokens(&self) -> usize {
        1 + self.brief.slots.len()
    }
}

/// The shots of a request, which share its frames among them; of a picture, the first alone. At least one.
pub(super) fn shots(prompt: &str, width: usize, height: usize, frames: usize, fps: u32) -> (Vec<Shot>, Option<Style>) {
    let story = understand(prompt).story;
    let aspect = width as f32 / height as f32;
    let count = story.shots.len().min(frames).max(1);
    let shot = |(index, program): (usize, Program)| {
        let frames = frames * index / count..frames * (index + 1) / count;
        let seconds = frames.len() as f32 / fps as f32;
        Shot { brief: brief(&program, aspect, seconds), program, frames }
    };
    (story.shots.into_iter().take(count).enumerate().map(shot).collect(), story.style)
}

/// Tells one understanding of a prompt from another, such as that of another version: FNV-1a of all that the shots say.
pub(super) fn digest<'a>(shots: impl IntoIterator<Item = &'a Shot>) -> u64 {
    let said: String = shots.into_iter().map(|shot| format!("{:?}{:?}", shot.program, shot.brief)).collect();
    said.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
