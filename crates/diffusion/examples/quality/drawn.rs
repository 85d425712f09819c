//! What is seen of each thing, counted on pixels: a frame is drawn with and without it, and with it alone.

use flipbook::layout::Settled;
use flipbook::paint::film::Film;
use flipbook::scene::{Brief, Layout};

use crate::scene::Scene;

/// Longer side of a frame that is judged, in pixels.
const SIDE: usize = 256;
/// Where in the clip: near the middle, before what explodes or takes off is gone.
const AT: f32 = 0.4;
/// A pixel is changed by more than this, of 255: less is haze and rounding.
const CHANGED: u8 = 8;
/// Share of the frame that a thing changes at least.
const SEEN: f32 = 0.0008;
/// Share of what is seen of a thing alone that is left in company.
const LEFT: f32 = 0.35;
/// How far what a thing changes differs from what is behind it, of 255, on average.
const CONTRAST: f32 = 24.0;
/// Of a thing's longer side, in the frame's shorter side; of one that was asked to be small, half as much.
const READABLE: f32 = 0.08;

pub type Found = (&'static str, bool);

/// Whether each thing is large enough to tell what it is.
pub fn readable(brief: &Brief, layout: &Layout) -> Vec<Found> {
    let least = |size: i8| if size < 0 { READABLE / 2.0 } else { READABLE };
    brief.slots.iter().zip(&layout.objects).map(|(slot, object)| ("large enough", object.size >= least(slot.size))).collect()
}

/// Whether each thing is there, not hidden by others, and stands out from what is behind it.
pub fn judge(scene: &Scene, settled: Settled) -> Vec<Found> {
    let mut film = scene.film(settled, SIDE);
    let slots = film.layout.objects.len();
    let all = shown(&mut film, |_| true);
    let none = shown(&mut film, |_| false);
    let pixels = (all.len() / 3) as f32;
    let mut found = Vec::new();
    for slot in 0..slots {
        let alone = changes(&shown(&mut film, |other| other == slot), &none);
        let seen = alone.len() as f32 / pixels;
        found.push(("seen", seen >= SEEN));
        if alone.is_empty() {
            continue;
        }
        let contrast = alone.iter().map(|change| f32::from(*change)).sum::<f32>() / alone.len() as f32;
        found.push(("stands out", contrast >= CONTRAST));
        if slots > 1 {
            let left = changes(&all, &shown(&mut film, |other| other != slot)).len() as f32;
            found.push(("not hidden", left >= LEFT * alone.len() as f32));
        }
    }
    found
}

/// The frame with some of the things; the others shrink to nothing where they are, so that all else stays.
fn shown(film: &mut Film, which: impl Fn(usize) -> bool) -> Vec<u8> {
    let layout = film.layout.clone();
    let hidden = film.layout.objects.iter_mut().enumerate().filter(|(slot, _)| !which(*slot));
    hidden.for_each(|(_, object)| object.size = 1e-3);
    let frame = film.frame((film.frames as f32 * AT) as usize);
    film.layout = layout;
    frame
}

/// By how much each pixel that two frames do not share differs, in the channel that differs most.
fn changes(a: &[u8], b: &[u8]) -> Vec<u8> {
    let most = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    a.chunks_exact(3).zip(b.chunks_exact(3)).map(most).filter(|change| *change > CHANGED).collect()
}
