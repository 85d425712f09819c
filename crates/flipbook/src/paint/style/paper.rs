//! Cut paper (few tones, raised edges, fibres) and pastel (soft, lifted, chalky).

use super::plane::Plane;
use super::texture::{TILE, Texture};
use super::{Frame, byte, luma};

/// Tones that paper comes in.
const TONES: f32 = 7.0;

/// Sheets of a few tones on top of each other: their edges catch light from the upper left and throw a soft shadow to the
/// lower right.
pub fn paper(frame: &mut Frame) {
    let step = (1.5 * frame.scale).round().max(1.0) as usize;
    let small = frame.shrunk(step);
    // The relief: flattened brightness, softened, and its slope along the diagonal.
    let steps = tones();
    let soft =
        small.map(|pixel| [steps[usize::from(luma(pixel))], byte(i32::from(pixel[0]) - i32::from(pixel[2]) + 128) & 0xe0]).blurred(1);
    let mut relief = Plane { width: soft.width, height: soft.height, values: vec![[128u8]; soft.values.len()] };
    const REACH: usize = 2;
    for y in 0..soft.height {
        let row = |y: usize| soft.values.get(y * soft.width..(y + 1) * soft.width).unwrap_or_default();
        let (above, below) = (row(y.saturating_sub(REACH)), row((y + REACH).min(soft.height - 1)));
        let Some(to) = relief.values.get_mut(y * soft.width..(y + 1) * soft.width) else { continue };
        // Columns too near to the sides stay flat.
        for ((to, up), down) in to.iter_mut().skip(REACH).zip(above).zip(below.iter().skip(2 * REACH)) {
            let slope = |k: usize| i32::from(down[k]) - i32::from(up[k]);
            // Hue counts as well: sheets of one brightness have edges too.
            let step = if slope(0).abs() > slope(1).abs() / 2 { slope(0) } else { slope(1) / 2 };
            // A step up towards the lower right is an edge that faces the light.
            *to = [byte(128 + step.clamp(-70, 46))];
        }
    }
    let fibres = Texture::grain(frame.seed, 3, 9);
    let (width, height) = (frame.width, frame.height);
    let pixels = &mut *frame.pixels;
    relief.stretched(width, height, |y, row| {
        let Some(line) = pixels.get_mut(y * width..(y + 1) * width) else { return };
        let grain = fibres.row(y);
        for (run, relief) in line.chunks_mut(TILE).zip(row.chunks(TILE)) {
            for ((pixel, [edge]), grain) in run.iter_mut().zip(relief).zip(grain) {
                let light = luma(*pixel);
                let to = i32::from(steps[usize::from(light)]);
                let gain = to * 256 / i32::from(light.max(8));
                let add = i32::from(*grain) + (i32::from(*edge) - 128) * 7 / 10;
                *pixel = pixel.map(|value| byte(((i32::from(value) * gain) >> 8).clamp(14, 246) + add));
            }
        }
    });
}

/// From brightness to one of a few, with a short slope between two so that edges stay smooth.
fn tones() -> [u8; 256] {
    std::array::from_fn(|light| {
        let at = light as f32 / 255.0 * TONES;
        let (whole, rest) = (at.floor(), at.fract());
        let slope = ((rest - 0.5) / 0.10 + 0.5).clamp(0.0, 1.0);
        (255.0 * ((whole + slope) / TONES).powf(0.94)) as u8
    })
}

/// Light and low in contrast, with a bloom from what is around, on paper with a tooth.
pub fn pastel(frame: &mut Frame) {
    let step = (4.0 * frame.scale).round().max(1.0) as usize;
    let bloom = frame.shrunk(step).blurred(2);
    let tooth = Texture::grain(frame.seed, 1, 13);
    let (width, height) = (frame.width, frame.height);
    let pixels = &mut *frame.pixels;
    bloom.stretched(width, height, |y, row| {
        let Some(line) = pixels.get_mut(y * width..(y + 1) * width) else { return };
        let grain = tooth.row(y);
        for (run, around) in line.chunks_mut(TILE).zip(row.chunks(TILE)) {
            for ((pixel, around), grain) in run.iter_mut().zip(around).zip(grain) {
                let grey = i32::from(luma(*pixel));
                for (value, around) in pixel.iter_mut().zip(around) {
                    let own = i32::from(*value);
                    let soft = (own * 7 + i32::from(*around) * 3) / 10;
                    let pale = grey + (soft - grey) * 19 / 16;
                    // From 0..255 to 62..250: lifted.
                    let lifted = 62 + pale * 188 / 255;
                    *value = byte(lifted + i32::from(*grain) * (300 - lifted) / 220);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_rise_and_are_few() {
        let steps = tones();
        assert!(steps.windows(2).all(|pair| pair[0] <= pair[1]));
        let level = steps.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!(level > 200, "{level}");
    }

    #[test]
    fn pastel_has_no_dark() {
        let mut pixels = vec![[0, 0, 0]; 64 * 64];
        pastel(&mut Frame { width: 64, height: 64, scale: 0.2, seed: 1, pixels: &mut pixels });
        assert!(pixels.iter().flatten().all(|value| *value > 40));
    }
}
