//! Pencil: outlines and hatching on off-white paper, with a wash of the thing's colour.

use super::plane::Plane;
use super::texture::{TILE, Texture};
use super::{Frame, byte};
use crate::random::Random;

const PAPER: [i32; 3] = [247, 243, 234];
const LEAD: [i32; 3] = [52, 52, 64];

/// A set of parallel strokes: for brightness below `below`, and which way they run.
struct Hatch {
    below: i32,
    /// Of x and y, in 1/256 turns of the pattern for each pixel.
    across: [i32; 2],
}

pub fn pencil(frame: &mut Frame) {
    let step = (0.75 * frame.scale).round().max(1.0) as usize;
    let small = frame.shrunk(step);
    let grey = small.grey();
    // Edges of brightness, and brightness itself, at the small size; then both at full size.
    let mut lines = Plane { width: grey.width, height: grey.height, values: Vec::with_capacity(grey.values.len()) };
    for y in 0..grey.height {
        let [above, here, below] = grey.rows(y);
        let [colour_above, colour, colour_below] = small.rows(y);
        for x in 0..grey.width {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(grey.width - 1));
            let slope = |a: u8, b: u8| (i32::from(a) - i32::from(b)).abs();
            let hue = |a: [u8; 3], b: [u8; 3]| ((i32::from(a[0]) - i32::from(a[2])) - (i32::from(b[0]) - i32::from(b[2]))).abs() / 3;
            let across = slope(here[left], here[right]).max(hue(colour[left], colour[right]));
            let down = slope(above[x], below[x]).max(hue(colour_above[x], colour_below[x]));
            lines.values.push([((across.max(down) + across.min(down) / 2 - 14) * 5).clamp(0, 225) as u8, here[x]]);
        }
    }
    let turns = |pixels: f32| (256.0 / (pixels * frame.scale.max(0.4))) as i32;
    let (close, wide) = (turns(4.4), turns(5.4));
    let hatches = [
        Hatch { below: 196, across: [wide * 7 / 10, wide * 7 / 10] },
        Hatch { below: 138, across: [close * 8 / 10, -close * 6 / 10] },
        Hatch { below: 84, across: [close * 2 / 10, close] },
    ];
    let tooth = Texture::grain(frame.seed, 1, 40);
    let wobble = wobble(frame.seed, frame.height);
    let (width, height) = (frame.width, frame.height);
    let pixels = &mut *frame.pixels;
    lines.stretched(width, height, |y, row| {
        let Some(line) = pixels.get_mut(y * width..(y + 1) * width) else { return };
        let (grain, shift) = (tooth.row(y), wobble.get(y).copied().unwrap_or(0));
        for (place, (pixel, [edge, light])) in line.iter_mut().zip(row).enumerate() {
            let grain = i32::from(grain[place % TILE]);
            let x = place as i32;
            let mut lead = i32::from(*edge);
            for Hatch { below, across } in &hatches {
                let dark = below - i32::from(*light);
                if dark > 0 {
                    // A triangle wave: strokes grow broader and darker where it is darker.
                    let turn = (x * across[0] + y as i32 * across[1] + shift) & 255;
                    let ridge = 255 - 2 * (turn - 128).abs();
                    let stroke = (ridge - 150 + dark.min(70)).clamp(0, 110) * dark.min(60) / 45;
                    lead = lead.max(stroke.min(150) + lead / 4);
                }
            }
            let lead = (lead + ((grain * lead.min(120)) >> 7)).clamp(0, 235);
            *pixel = std::array::from_fn(|k| {
                let wash = PAPER[k] + (((i32::from(pixel[k]).max(70) - PAPER[k]) * 74) >> 8) + grain / 10;
                byte(wash + (((LEAD[k] - wash) * lead) >> 8))
            });
        }
    });
}

/// How far the strokes of each row are off, in 1/256 turns: a hand is not a ruler.
fn wobble(seed: u64, height: usize) -> Vec<i32> {
    let mut random = Random::of(seed, 9610);
    let phases = [random.within(0.0, 6.0), random.within(0.0, 6.0)];
    (0..height).map(|y| (22.0 * (y as f32 * 0.043 + phases[0]).sin() + 12.0 * (y as f32 * 0.117 + phases[1]).sin()) as i32).collect()
}
