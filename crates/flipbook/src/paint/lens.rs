//! What the lens adds: corners a little darker than the middle, and a fine grain that hides the steps of gradients.

use crate::random::Random;

/// Of the corners, as a share of the light.
const DARKER: f32 = 0.20;
/// Deviation of the grain in steps of 8 bits.
const DEVIATION: f32 = 1.3;
/// Mean and deviation of the sum of four bytes.
const SUM: (f32, f32) = (510.0, 147.801);

/// Steps of the grain's numbers: these many make one step of 8 bits.
const FINE: f32 = 16.0;

/// Made once for a film.
pub struct Grain {
    /// Values of a row: three for each pixel.
    row: usize,
    height: usize,
    /// Light that is left of each value, in 65536ths: the upper half of the frame, the lower one mirrors it.
    light: Vec<u16>,
    /// For each value, in 16ths of a step; the three colours of a pixel have the same.
    field: Vec<i8>,
}

impl Grain {
    /// Of a frame of `width` x `height` pixels.
    pub fn of(width: usize, height: usize, seed: u64) -> Self {
        let field = field(width * height, &mut Random::of(seed, 77));
        Self { row: 3 * width, height, light: vignette(width, height), field }
    }

    /// Changes the frame of index `frame`: red, green, blue, row by row. Three grains take turns: the field from a third
    /// of its rows on.
    pub fn apply(&self, frame: usize, rgb: &mut [u8]) {
        let first = frame % 3 * (self.height / 3);
        let rows = self.field.chunks_exact(self.row.max(1));
        let turned = rows.clone().skip(first).chain(rows.take(first));
        for ((y, row), grain) in rgb.chunks_exact_mut(self.row.max(1)).enumerate().zip(turned) {
            let light = y.min(self.height.saturating_sub(1 + y)) * self.row;
            let light = self.light.get(light..light + self.row).unwrap_or_default();
            for ((value, light), grain) in row.iter_mut().zip(light).zip(grain) {
                // In 128ths of a step: more than 255 saturates.
                let lit = ((u32::from(u16::from(*value) << 7) * u32::from(*light)) >> 16) as i16;
                *value = (lit.saturating_add(i16::from(*grain) * 8 + 64) >> 7).max(0) as u8;
            }
        }
    }
}

/// Each number of the generator gives two samples: four bytes' sum is normal enough for the eye.
fn field(pixels: usize, random: &mut Random) -> Vec<i8> {
    let mut field = Vec::with_capacity(3 * pixels + 3);
    while field.len() < 3 * pixels {
        let bytes = random.bits().to_le_bytes();
        for four in bytes.as_chunks::<4>().0 {
            let sum = four.iter().map(|byte| u16::from(*byte)).sum::<u16>();
            let grain = ((f32::from(sum) - SUM.0) / SUM.1 * DEVIATION * FINE).round() as i8;
            field.extend([grain; 3]);
        }
    }
    field.truncate(3 * pixels);
    field
}

fn vignette(width: usize, height: usize) -> Vec<u16> {
    let squared = |at: usize, of: usize| (2.0 * at as f32 / of.saturating_sub(1).max(1) as f32 - 1.0).powi(2);
    let columns: Vec<f32> = (0..width).map(|x| squared(x, width)).collect();
    let row = |y: usize| {
        let down = squared(y, height);
        columns.iter().flat_map(move |across| [(65535.0 * (1.0 - DARKER * (0.5 * (across + down)).clamp(0.0, 1.0).powf(1.3))) as u16; 3])
    };
    (0..height.div_ceil(2)).flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grain_has_the_deviation_asked_for_and_no_mean() {
        let grain = Grain::of(200, 100, 5);
        let steps: Vec<f32> = grain.field.iter().step_by(3).map(|value| f32::from(*value) / FINE).collect();
        let mean = steps.iter().sum::<f32>() / steps.len() as f32;
        let variance = steps.iter().map(|step| (step - mean).powi(2)).sum::<f32>() / steps.len() as f32;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((variance.sqrt() - DEVIATION).abs() < 0.03, "{variance}");
    }

    #[test]
    fn corners_lose_a_fifth_of_their_light_and_the_middle_none() {
        let (width, height) = (65, 33);
        let grain = Grain { row: 3 * width, height, light: vignette(width, height), field: vec![0; 3 * width * height] };
        let mut rgb = vec![200; 3 * width * height];
        grain.apply(0, &mut rgb);
        for corner in [0, width - 1, (height - 1) * width, height * width - 1] {
            assert_eq!(rgb[3 * corner..][..3], [160; 3]);
        }
        assert_eq!(rgb[3 * (16 * width + 32)], 200);
    }

    #[test]
    fn three_frames_have_three_grains_and_the_fourth_has_the_first_again() {
        let grain = Grain::of(16, 9, 5);
        let frames: Vec<Vec<u8>> = (0..4)
            .map(|frame| {
                let mut rgb = vec![100; 16 * 9 * 3];
                grain.apply(frame, &mut rgb);
                rgb
            })
            .collect();
        assert_ne!(frames[0], frames[1]);
        assert_ne!(frames[1], frames[2]);
        assert_eq!(frames[0], frames[3]);
    }

    #[test]
    fn black_and_white_do_not_wrap() {
        let grain = Grain::of(64, 64, 1);
        for ends in [0u8, 255] {
            let mut rgb = vec![ends; 64 * 64 * 3];
            grain.apply(1, &mut rgb);
            assert!(rgb.iter().all(|value| value.abs_diff(ends) < 64), "{ends}");
        }
    }
}
