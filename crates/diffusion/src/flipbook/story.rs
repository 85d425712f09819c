//! From a prompt to shots, and from their layouts to a clip.

use std::sync::Arc;

use flipbook::codes::Style;
use flipbook::layout::{Held, Settled, brief, settle_around};
use flipbook::paint::film::Film;
use flipbook::paint::seen;
use flipbook::scene::{Brief, Layout, Program, Slot};
use flipbook::words::{Story, understand_without};
use serde::{Deserialize, Serialize};

use crate::family::ShotLayout;
use crate::media::{Clip, Frame, MediaError};
use crate::request::{Pin, Request};
use crate::spec::Size;

/// What the decoder needs to know of a request: written beside the layouts.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Script {
    pub prompt: String,
    /// Of this nothing is added.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub left_out: String,
    pub width: usize,
    pub height: usize,
    pub frames: usize,
    pub seed: u64,
    /// Of the shots, as [`digest`] has it.
    pub story: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrangement: Vec<Pin>,
}

/// One of the story's shots, as the network is told of it.
pub(super) struct Shot {
    pub program: Program,
    pub brief: Brief,
    /// What stands where somebody put it.
    pub held: Vec<Held>,
    /// Which frames of the clip are its own.
    pub frames: std::ops::Range<usize>,
}

impl Script {
    pub fn of(request: &Request, shots: &[&Shot], style: Option<Style>) -> Self {
        let &Request { ref prompt, size: Size { width, height }, frames, seed, ref arrangement, .. } = request;
        let (story, left_out) = (digest(shots.iter().copied(), style), request.negative_prompt.clone().unwrap_or_default());
        Self { prompt: prompt.clone(), left_out, width, height, frames, seed, story, arrangement: arrangement.clone() }
    }

    /// Its shots, if the prompt is understood as it was when it was written.
    pub fn shots(&self, fps: u32) -> Option<(Vec<Shot>, Option<Style>)> {
        let story = understand_without(&self.prompt, &self.left_out).story;
        let (shots, style) = shots(story, &self.arrangement, self.width, self.height, self.frames, fps);
        (digest(&shots, style) == self.story).then_some((shots, style))
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
        let settled = shot.settled(layout);
        Film::new(shot.program, shot.brief, settled, self.width, self.height, fps, self.seed).in_style(style)
    }
}

impl Shot {
    /// Of the frame and of each object.
    pub fn tokens(&self) -> usize {
        1 + self.brief.slots.len()
    }

    /// A layout of it that can be drawn.
    pub fn settled(&self, layout: Layout) -> Settled {
        settle_around(&self.brief, layout, &self.held)
    }

    /// Where its things are drawn.
    pub fn seen(&self, layout: Layout, fps: u32) -> ShotLayout {
        let (zoom, things) = seen(&self.program, &self.brief, &self.settled(layout), fps);
        ShotLayout { seconds: (self.frames.start + self.frames.len() / 2) as f32 / fps as f32, zoom, things }
    }
}

/// What of an arrangement there is in a shot to be held: what something else carries goes with that.
fn held(arrangement: &[Pin], shot: usize, slots: &[Slot]) -> Vec<Held> {
    let stands = |pin: &&Pin| slots.get(pin.slot).is_some_and(|slot| slot.parent.is_none() || !slot.relation.attached());
    let pins = arrangement.iter().filter(|pin| pin.shot == shot).filter(stands);
    pins.map(|&Pin { slot, x, y, size, .. }| Held { slot, x, y, size }).collect()
}

/// The shots of a story, which share the frames among them; of a picture, the first alone. At least one.
pub(super) fn shots(story: Story, arrangement: &[Pin], width: usize, height: usize, frames: usize, fps: u32) -> (Vec<Shot>, Option<Style>) {
    let aspect = width as f32 / height as f32;
    let count = story.shots.len().min(frames).max(1);
    let shot = |(index, program): (usize, Program)| {
        let frames = frames * index / count..frames * (index + 1) / count;
        let seconds = frames.len() as f32 / fps as f32;
        let brief = brief(&program, aspect, seconds);
        Shot { held: held(arrangement, index, &brief.slots), brief, program, frames }
    };
    (story.shots.into_iter().take(count).enumerate().map(shot).collect(), story.style)
}

/// Tells one understanding of a prompt from another, such as that of another version, and one arrangement from another: FNV-1a of
/// all that the shots say, and the style.
pub(super) fn digest<'a>(shots: impl IntoIterator<Item = &'a Shot>, style: Option<Style>) -> u64 {
    let held = |shot: &Shot| if shot.held.is_empty() { String::new() } else { format!("{:?}", shot.held) };
    let said: String = shots.into_iter().map(|shot| format!("{:?}{:?}{}", shot.program, shot.brief, held(shot))).collect();
    let style = style.map_or("", Style::name);
    said.bytes().chain(style.bytes()).fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
