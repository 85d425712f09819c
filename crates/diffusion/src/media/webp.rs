//! Still pictures for pages: posters, previews, and sheets of all frames to scrub through.

use super::{Clip, Frame, MediaError, resize};

/// libwebp's limit for a side.
const LONGEST_SIDE: usize = 16_383;
const POSTER_QUALITY: f32 = 82.0;
const SHEET_QUALITY: f32 = 70.0;

/// A picture as lossy WebP, `quality` from 0 to 100.
///
/// # Errors
/// [`MediaError`] for a broken or too large picture.
pub fn webp(frame: &Frame, quality: f32) -> Result<Vec<u8>, MediaError> {
    frame.check()?;
    let &Frame { width, height, ref rgb } = frame;
    if width.max(height) > LONGEST_SIDE {
        return Err(MediaError::Size { width, height, limit: "16383 pixels a side" });
    }
    let encoder = webp::Encoder::from_rgb(rgb, width as u32, height as u32);
    let bytes = encoder.encode_simple(false, quality.clamp(0.0, 100.0));
    bytes.map(|bytes| bytes.to_vec()).map_err(|error| MediaError::WebP { reason: format!("{error:?}") })
}

/// The clip's middle frame as WebP.
///
/// # Errors
/// [`MediaError::NoFrames`], or as [`webp`].
pub fn poster(clip: &Clip) -> Result<Vec<u8>, MediaError> {
    webp(clip.middle().ok_or(MediaError::NoFrames)?, POSTER_QUALITY)
}

/// The frames in reading order, `columns` a row, each reduced to `width` pixels, as one WebP. Of a clip with more than such a sheet
/// has room for, every second frame, or every third, and so on. Places left over in the last row are black.
///
/// # Errors
/// [`MediaError`] for an empty or broken clip, or a sheet too large for WebP.
pub fn spritesheet(clip: &Clip, columns: usize, width: usize) -> Result<Vec<u8>, MediaError> {
    let (native_width, native_height) = clip.check()?;
    let height = (width * native_height).div_ceil(native_width);
    let most = columns.max(1) * (LONGEST_SIDE / height.max(1)).max(1);
    let frames: Vec<_> = clip.frames.iter().step_by(clip.frames.len().div_ceil(most)).collect();
    let columns = columns.clamp(1, frames.len());
    let rows = frames.len().div_ceil(columns);
    if columns.saturating_mul(width).max(rows.saturating_mul(height)) > LONGEST_SIDE {
        return Err(MediaError::Size { width: columns * width, height: rows * height, limit: "16383 pixels a side" });
    }
    let mut sheet = Frame { width: columns * width, height: rows * height, rgb: vec![0; columns * width * rows * height * 3] };
    for (index, frame) in frames.into_iter().enumerate() {
        paste(&mut sheet, &resize(frame, width, height)?, index % columns * width, index / columns * height);
    }
    webp(&sheet, SHEET_QUALITY)
}

/// Copies a picture into a larger one with its corner at (`left`, `top`).
fn paste(sheet: &mut Frame, frame: &Frame, left: usize, top: usize) {
    for (row, pixels) in frame.rgb.chunks_exact(frame.width * 3).enumerate() {
        let at = ((top + row) * sheet.width + left) * 3;
        sheet.rgb[at..at + pixels.len()].copy_from_slice(pixels);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(frames: usize) -> Clip {
        let frame = |i: usize| Frame { width: 8, height: 4, rgb: vec![(i * 40) as u8; 8 * 4 * 3] };
        Clip { frames: (0..frames).map(frame).collect(), fps: 8 }
    }

    /// Width and height in the header of a lossy WebP (RFC 9649, section 2.5).
    fn size(bytes: &[u8]) -> (u16, u16) {
        assert_eq!((&bytes[..4], &bytes[8..16]), (&b"RIFF"[..], &b"WEBPVP8 "[..]));
        (u16::from_le_bytes([bytes[26], bytes[27]]), u16::from_le_bytes([bytes[28], bytes[29]]))
    }

    #[test]
    fn a_poster_has_the_clips_size() {
        assert_eq!(size(&poster(&clip(3)).unwrap()), (8, 4));
    }

    #[test]
    fn a_sheet_is_a_grid_of_reduced_frames() {
        assert_eq!(size(&spritesheet(&clip(16), 4, 4).unwrap()), (16, 8));
        assert_eq!(size(&spritesheet(&clip(5), 4, 4).unwrap()), (16, 4));
        assert_eq!(size(&spritesheet(&clip(2), 9, 4).unwrap()), (8, 2));
    }

    #[test]
    fn a_clip_that_is_too_long_for_a_sheet_leaves_frames_out() {
        let tall = |frames| Clip { frames: vec![Frame { width: 1, height: 400, rgb: vec![0; 1200] }; frames], fps: 8 };
        let height = |frames| size(&spritesheet(&tall(frames), 1, 10).unwrap()).1;
        assert_eq!([4, 5, 10].map(height), [16_000, 12_000, 16_000], "all four, every second of five, every third of ten");
    }

    #[test]
    fn what_cannot_be_encoded_is_an_error() {
        assert!(matches!(poster(&clip(0)), Err(MediaError::NoFrames)));
        assert!(matches!(spritesheet(&clip(4), 2, 10_000), Err(MediaError::Size { .. })));
        assert!(matches!(spritesheet(&clip(4), 2, 0), Err(MediaError::Size { .. })));
        let long = Frame { width: 20_000, height: 1, rgb: vec![0; 60_000] };
        assert!(matches!(webp(&long, 80.0), Err(MediaError::Size { .. })));
    }
}
