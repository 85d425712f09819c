//! Enlarging and reducing pictures with a Lanczos window of three lobes.
//!
//! The sRGB values are filtered as they are: in linear light, tried on stars, fireworks and boats, small
//! lights grew hard edges with black rims and the result looked blockier. The weights of one output
//! pixel add up to one, so a constant picture stays constant.

use super::{Frame, MediaError};

const LOBES: f64 = 3.0;
/// Larger pictures than this are a mistake upstream.
const MOST_PIXELS: usize = 1 << 26;

/// A picture of another size.
///
/// # Errors
/// [`MediaError::Size`] for a side of 0 or too many pixels, [`MediaError::Pixels`] for a broken picture.
pub fn resize(frame: &Frame, width: usize, height: usize) -> Result<Frame, MediaError> {
    frame.check()?;
    check_size(width, height)?;
    if (width, height) == (frame.width, frame.height) {
        return Ok(frame.clone());
    }
    Ok(filter(frame, &taps(frame.width, width), &taps(frame.height, height)))
}

pub(super) fn check_size(width: usize, height: usize) -> Result<(), MediaError> {
    let fits = width.checked_mul(height).is_some_and(|pixels| pixels > 0 && pixels <= MOST_PIXELS);
    if fits { Ok(()) } else { Err(MediaError::Size { width, height, limit: "1 to 2^26 pixels" }) }
}

/// The input pixels that make up one output pixel, from `first` on.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

/// Taps for each of `to` output pixels along a line of `from`; beyond the ends the window is cut and rescaled.
fn taps(from: usize, to: usize) -> Vec<Taps> {
    let scale = from as f64 / to as f64;
    let stretch = scale.max(1.0); // reducing widens the window, so that nothing is skipped
    let one = |i: usize| {
        let centre = (i as f64 + 0.5) * scale - 0.5;
        let first = (centre - LOBES * stretch).ceil().max(0.0) as usize;
        let last = ((centre + LOBES * stretch).floor() as usize).min(from - 1);
        let weights: Vec<f64> = (first..=last).map(|x| lanczos((x as f64 - centre) / stretch)).collect();
        let total: f64 = weights.iter().sum();
        Taps { first, weights: weights.iter().map(|weight| (weight / total) as f32).collect() }
    };
    (0..to).map(one).collect()
}

fn lanczos(x: f64) -> f64 {
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (std::f64::consts::PI * x).sin() / (std::f64::consts::PI * x) };
    if x.abs() < LOBES { sinc(x) * sinc(x / LOBES) } else { 0.0 }
}

/// Vertically first (whole rows are added up, which vectorises), then horizontally.
fn filter(frame: &Frame, across: &[Taps], down: &[Taps]) -> Frame {
    let stride = frame.width * 3;
    let mut rgb = Vec::with_capacity(across.len() * down.len() * 3);
    let mut line = vec![0f32; stride];
    for taps in down {
        line.fill(0.0);
        for (row, weight) in frame.rgb[taps.first * stride..].chunks_exact(stride).zip(&taps.weights) {
            line.iter_mut().zip(row).for_each(|(sum, &x)| *sum += weight * f32::from(x));
        }
        for taps in across {
            let mut pixel = [0f32; 3];
            for (x, weight) in line[taps.first * 3..].chunks_exact(3).zip(&taps.weights) {
                pixel.iter_mut().zip(x).for_each(|(sum, x)| *sum += weight * x);
            }
            rgb.extend(pixel.map(|x| (x + 0.5) as u8)); // the cast clamps the overshoot
        }
    }
    Frame { width: across.len(), height: down.len(), rgb }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize, of: impl Fn(usize, usize) -> [u8; 3]) -> Frame {
        let rgb = (0..width * height).flat_map(|i| of(i % width, i / width)).collect();
        Frame { width, height, rgb }
    }

    #[test]
    fn a_constant_picture_stays_constant_at_any_size() {
        let flat = picture(7, 5, |_, _| [0, 127, 255]);
        for (width, height) in [(28, 20), (3, 2), (1, 1), (5, 40)] {
            assert_eq!(resize(&flat, width, height).unwrap(), picture(width, height, |_, _| [0, 127, 255]));
        }
    }

    #[test]
    fn the_same_size_is_the_same_picture() {
        let noisy = picture(9, 4, |x, y| [(x * 29) as u8, (y * 61) as u8, (x * y * 17) as u8]);
        assert_eq!(resize(&noisy, 9, 4).unwrap(), noisy);
    }

    #[test]
    fn a_mirrored_picture_enlarges_to_the_mirrored_enlargement() {
        let of = |x: usize, y: usize| [(x * 40) as u8, (y * 50) as u8, ((x * y * 13) % 256) as u8];
        let (there, back) = (picture(6, 4, of), picture(6, 4, |x, y| of(5 - x, y)));
        let (there, back) = (resize(&there, 24, 16).unwrap(), resize(&back, 24, 16).unwrap());
        let mirrored = picture(24, 16, |x, y| {
            let at = (y * 24 + 23 - x) * 3;
            [back.rgb[at], back.rgb[at + 1], back.rgb[at + 2]]
        });
        assert!(there.rgb.iter().zip(&mirrored.rgb).all(|(a, b)| a.abs_diff(*b) <= 1));
    }

    #[test]
    fn enlarging_and_reducing_again_gives_a_smooth_picture_back() {
        let smooth = picture(12, 12, |x, y| [(x * 15 + 30) as u8, (y * 15 + 30) as u8, 128]);
        let back = resize(&resize(&smooth, 48, 48).unwrap(), 12, 12).unwrap();
        assert!(back.rgb.iter().zip(&smooth.rgb).all(|(a, b)| a.abs_diff(*b) <= 4));
    }

    #[test]
    fn black_beside_white_does_not_wrap_around() {
        let edge = picture(8, 1, |x, _| [if x < 4 { 0 } else { 255 }; 3]);
        let large = resize(&edge, 32, 4).unwrap();
        assert!(large.rgb[..10 * 3].iter().all(|&x| x < 40) && large.rgb[32 * 3 - 10 * 3..32 * 3].iter().all(|&x| x > 215));
    }

    #[test]
    fn impossible_sizes_and_broken_pictures_are_errors() {
        let flat = picture(2, 2, |_, _| [1; 3]);
        assert!(matches!(resize(&flat, 0, 4), Err(MediaError::Size { .. })));
        assert!(matches!(resize(&flat, usize::MAX, 2), Err(MediaError::Size { .. })));
        let broken = Frame { rgb: vec![0; 11], ..flat };
        assert!(matches!(resize(&broken, 4, 4), Err(MediaError::Pixels { .. })));
    }
}
