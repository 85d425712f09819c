//! Neon: the dark, and every edge a glowing tube in the colour of what it borders.

use super::plane::Plane;
use super::{Frame, byte};

/// How different neighbours must be before a tube is seen, of 255.
const QUIET: i32 = 20;

pub fn neon(frame: &mut Frame) {
    let step = (0.75 * frame.scale).round().max(1.0) as usize;
    let small = frame.shrunk(step);
    let tubes = tubes(&small);
    let glow = halved(&halved(&tubes)).blurred(2);
    let wide = halved(&halved(&halved(&tubes))).blurred(4);
    // Both glows and the tubes, at the small size.
    let mut light = tubes;
    let width = light.width;
    let height = light.height;
    for (from, strength) in [(glow, 300), (wide, 330)] {
        let values = &mut light.values;
        from.stretched(width, height, |y, row| {
            let Some(line) = values.get_mut(y * width..(y + 1) * width) else { return };
            for (to, from) in line.iter_mut().zip(row) {
                for (to, from) in to.iter_mut().zip(from) {
                    *to = byte(i32::from(*to) + ((i32::from(*from) * strength) >> 8));
                }
            }
        });
    }
    let (width, height) = (frame.width, frame.height);
    let pixels = &mut *frame.pixels;
    light.stretched(width, height, |y, row| {
        let Some(line) = pixels.get_mut(y * width..(y + 1) * width) else { return };
        for (pixel, light) in line.iter_mut().zip(row) {
            const NIGHT: [i32; 3] = [9, 6, 22];
            *pixel = std::array::from_fn(|k| byte(NIGHT[k] + ((i32::from(pixel[k]) * 34) >> 8) + i32::from(light[k])));
        }
    });
}

/// Edges in the full colour of the livelier side, black elsewhere.
fn tubes(small: &Plane<[u8; 3]>) -> Plane<[u8; 3]> {
    let mut values = Vec::with_capacity(small.values.len());
    for y in 0..small.height {
        let [above, here, below] = small.rows(y);
        for x in 0..small.width {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(small.width - 1));
            let mut edge = 0;
            for k in 0..3 {
                let across = (i32::from(here[right][k]) - i32::from(here[left][k])).abs();
                let down = (i32::from(below[x][k]) - i32::from(above[x][k])).abs();
                edge = edge.max(across.max(down) + across.min(down) / 2);
            }
            let strength = ((edge - QUIET) * 4).clamp(0, 256);
            values.push(if strength == 0 {
                [0; 3]
            } else {
                lively([here[left], here[right], above[x], below[x]]).map(|value| ((i32::from(value) * strength) >> 8) as u8)
            });
        }
    }
    Plane { width: small.width, height: small.height, values }
}

/// The most colourful of these, made as bright and pure as it gets.
fn lively(colours: [[u8; 3]; 4]) -> [u8; 3] {
    let spread = |colour: &[u8; 3]| {
        let (low, high) = (colour.iter().min().copied().unwrap_or(0), colour.iter().max().copied().unwrap_or(0));
        i32::from(high - low) * 2 + i32::from(high) / 4
    };
    let colour = colours.into_iter().max_by_key(spread).unwrap_or_default();
    let (low, high) = (i32::from(colour.iter().min().copied().unwrap_or(0)), i32::from(colour.iter().max().copied().unwrap_or(0)));
    if high - low < 26 {
        return [150, 205, 255]; // grey things shine icy blue
    }
    // Two thirds of the way to the pure hue.
    colour.map(|value| byte((i32::from(value) - low * 2 / 3) * 255 / (high - low * 2 / 3).max(1)))
}

fn halved(plane: &Plane<[u8; 3]>) -> Plane<[u8; 3]> {
    let mut values = plane.values.clone();
    Frame { width: plane.width, height: plane.height, scale: 1.0, seed: 0, pixels: &mut values }.shrunk(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_red_thing_has_a_red_tube() {
        let [red, green, blue] = lively([[20, 20, 30], [200, 60, 50], [20, 20, 30], [30, 30, 30]]);
        assert!(red == 255 && green < 90 && blue < 90, "{red} {green} {blue}");
    }
}
