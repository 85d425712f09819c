//! Large pixels of few colours, mixed by an ordered pattern.

use super::{Frame, byte};

/// Blocks along the shorter side.
const BLOCKS: f32 = 108.0;
/// Order in which the blocks of a 4 x 4 cell change their level.
const ORDER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
/// From one level of 5 bits to the next.
const LEVEL: i32 = 8;

pub fn pixel(frame: &mut Frame) {
    let side = (frame.width.min(frame.height) as f32 / BLOCKS).round().max(1.0) as usize;
    let small = frame.shrunk(side);
    for (row, line) in frame.pixels.chunks_exact_mut(frame.width).enumerate() {
        let y = row / side;
        let Some(blocks) = small.values.get(y * small.width..(y + 1) * small.width) else { continue };
        for (x, (run, block)) in line.chunks_mut(side).zip(blocks).enumerate() {
            run.fill(quantised(*block, ORDER[y % 4][x % 4]));
        }
    }
}

/// Five bits a channel; `order` (0 to 15) decides which way what lies between goes.
fn quantised(colour: [u8; 3], order: i32) -> [u8; 3] {
    let grey = i32::from(super::luma(colour));
    colour.map(|value| {
        let vivid = grey + (i32::from(value) - grey) * 9 / 8;
        let level = (vivid * 2 + order - 8).max(0) / (2 * LEVEL);
        byte(level.min(31) * 255 / 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_of_one_colour_and_colours_are_few() {
        let (width, height) = (432, 216); // blocks of two pixels
        let mut pixels: Vec<[u8; 3]> = (0..width * height).map(|j| [(j % 251) as u8, (j / 431 % 256) as u8, 77]).collect();
        pixel(&mut Frame { width, height, scale: 0.6, seed: 0, pixels: &mut pixels });
        for y in (0..height).step_by(2) {
            for x in (0..width).step_by(2) {
                let at = |dx: usize, dy: usize| pixels[(y + dy) * width + x + dx];
                assert!(at(0, 0) == at(1, 0) && at(0, 0) == at(0, 1) && at(0, 0) == at(1, 1));
            }
        }
        let levels: std::collections::BTreeSet<u8> = pixels.iter().flatten().copied().collect();
        assert!(levels.len() <= 32);
    }

    #[test]
    fn black_and_white_stay() {
        for order in 0..16 {
            assert_eq!(quantised([0, 0, 0], order), [0, 0, 0]);
            assert!(quantised([255, 255, 255], order)[0] >= 240);
        }
    }
}
