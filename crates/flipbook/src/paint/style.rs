//! Looks that the finished frame is given: cut paper, neon, pencil, pastel, pixels. Each is a function of the frame alone,
//! and its textures stand still, so that nothing flickers but what moves.

mod neon;
mod paper;
mod pencil;
mod pixel;
mod plane;
mod texture;

use crate::codes::Style;

/// What a look works on.
struct Frame<'a> {
    width: usize,
    height: usize,
    /// The shorter side in pixels, in units of 360: lines are as many pixels wide as this says.
    scale: f32,
    seed: u64,
    /// Red, green, blue, row by row; `width * height` of them.
    pixels: &'a mut [[u8; 3]],
}

/// Gives a frame (`rgb`: red, green, blue, row by row) its look. `frame` is its index. A buffer that is smaller than
/// `width` x `height` is left as it is.
pub(super) fn stylise(style: Style, width: usize, height: usize, seed: u64, _frame: usize, rgb: &mut [u8]) {
    let Some(pixels) = rgb.as_chunks_mut().0.get_mut(..width * height) else { return };
    if width < 4 || height < 4 {
        return;
    }
    let mut frame = Frame { width, height, scale: width.min(height) as f32 / 360.0, seed, pixels };
    match style {
        Style::Paper => paper::paper(&mut frame),
        Style::Neon => neon::neon(&mut frame),
        Style::Pencil => pencil::pencil(&mut frame),
        Style::Pastel => paper::pastel(&mut frame),
        Style::Pixel => pixel::pixel(&mut frame),
    }
}

/// Brightness, 0 to 255.
fn luma([red, green, blue]: [u8; 3]) -> u8 {
    ((u32::from(red) * 77 + u32::from(green) * 150 + u32::from(blue) * 29) >> 8) as u8
}

fn byte(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [usize; 2] = [160, 90];
    const ALL: [Style; 5] = [Style::Paper, Style::Neon, Style::Pencil, Style::Pastel, Style::Pixel];

    /// A disc on a gradient.
    fn scene() -> Vec<u8> {
        let [width, height] = SIZE;
        (0..width * height)
            .flat_map(|index| {
                let (x, y) = ((index % width) as i32, (index / width) as i32);
                if (x - 70).pow(2) + (y - 45).pow(2) < 900 { [230, 60, 40] } else { [90, (100 + y) as u8, 220] }
            })
            .collect()
    }

    fn styled(style: Style, seed: u64, frame: usize) -> Vec<u8> {
        let mut rgb = scene();
        stylise(style, SIZE[0], SIZE[1], seed, frame, &mut rgb);
        rgb
    }

    #[test]
    fn every_look_changes_a_frame_and_no_two_agree() {
        let all: Vec<Vec<u8>> = ALL.iter().map(|style| styled(*style, 1, 0)).collect();
        for (place, one) in all.iter().enumerate() {
            assert_ne!(*one, scene());
            assert!(all[..place].iter().all(|other| other != one));
        }
    }

    #[test]
    fn a_still_scene_stays_still() {
        for style in ALL {
            assert_eq!(styled(style, 3, 0), styled(style, 3, 17), "{}", style.name());
        }
    }

    #[test]
    fn frames_of_any_size_are_taken() {
        for style in ALL {
            for (width, height) in [(1, 1), (4, 4), (5, 7), (31, 64), (200, 5)] {
                let mut rgb = vec![99; width * height * 3];
                stylise(style, width, height, 1, 0, &mut rgb);
                assert_eq!(rgb.len(), width * height * 3);
            }
            let mut short = vec![7; 10];
            stylise(style, 8, 8, 1, 0, &mut short);
            assert_eq!(short, [7; 10]);
        }
    }

    #[test]
    fn neon_is_dark_but_for_edges_and_pencil_is_bright() {
        let mean = |style| styled(style, 1, 0).iter().map(|value| u64::from(*value)).sum::<u64>() / (SIZE[0] * SIZE[1] * 3) as u64;
        assert!(mean(Style::Neon) < 70, "{}", mean(Style::Neon));
        assert!(mean(Style::Pencil) > 150, "{}", mean(Style::Pencil));
    }
}
