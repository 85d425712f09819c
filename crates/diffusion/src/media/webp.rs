//! Still pictures for pages: posters, previews, and sheets of all frames to scrub through.

use super::{Clip, Frame, MediaError, resize};

/// libwebp's limit for a side.
const LONGEST_SIDE: usize = 16_383;
const POSTER_QUALITY: f32 = 82.0;
const SHEET_QUALITY: f32 = 70.0;
/// Enough to scrub through, few enough to be loaded at once.
const MOST_TILES: usize = 64;

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
/// As [`Clip::frame`] and [`webp`].
pub fn poster(clip: &Clip) -> Result<Vec<u8>, MediaError> {
    webp(&clip.middle()?, POSTER_QUALITY)
}

/// The frames in reading order, some to a row, each reduced. Of a clip with more than [`MOST_TILES`], or than such a sheet has room
/// for, every second frame, or every third, and so on. Places left over in the last row are black.
pub(super) struct Sheet {
    picture: Frame,
    shape: Shape,
    columns: usize,
}

/// What the tiles of a sheet are like.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    width: usize,
    height: usize,
    /// Of so many frames, the first is shown.
    every: usize,
}

impl Sheet {
    /// A black sheet for the clip, `columns` a row, each `width` pixels wide.
    ///
    /// # Errors
    /// [`MediaError::Size`] when it is too large for WebP, or has no size.
    pub fn new(clip: &Clip, columns: usize, width: usize) -> Result<Self, MediaError> {
        let height = (width * clip.height()).div_ceil(clip.width());
        let most = (columns.max(1) * (LONGEST_SIDE / height.max(1)).max(1)).min(MOST_TILES);
        let every = clip.frames().div_ceil(most);
        let tiles = clip.frames().div_ceil(every);
        let columns = columns.clamp(1, tiles);
        let rows = tiles.div_ceil(columns);
        let (across, down) = (columns.saturating_mul(width), rows.saturating_mul(height));
        if across.max(down) > LONGEST_SIDE || across.min(down) == 0 {
            return Err(MediaError::Size { width: across, height: down, limit: "1 to 16383 pixels a side" });
        }
        let picture = Frame { width: across, height: down, rgb: vec![0; across * down * 3] };
        Ok(Self { picture, shape: Shape { width, height, every }, columns })
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Puts the tile of frame `index` where it belongs.
    pub fn place(&mut self, index: usize, tile: &Frame) {
        let Shape { width, height, every } = self.shape;
        let place = index / every;
        paste(&mut self.picture, tile, place % self.columns * width, place / self.columns * height);
    }

    pub fn webp(&self) -> Result<Vec<u8>, MediaError> {
        webp(&self.picture, SHEET_QUALITY)
    }
}

impl Shape {
    /// The tile of frame `index`, if it is shown.
    pub fn tile(&self, index: usize, frame: &Frame) -> Result<Option<Frame>, MediaError> {
        index.is_multiple_of(self.every).then(|| resize(frame, self.width, self.height)).transpose()
    }
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
        Clip::new((0..frames).map(frame).collect(), 8).unwrap()
    }

    fn spritesheet(clip: &Clip, columns: usize, width: usize) -> Result<Vec<u8>, MediaError> {
        let mut sheet = Sheet::new(clip, columns, width)?;
        for index in 0..clip.frames() {
            if let Some(tile) = sheet.shape().tile(index, &clip.frame(index)?)? {
                sheet.place(index, &tile);
            }
        }
        sheet.webp()
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
        let tall = |frames| Clip::new(vec![Frame { width: 1, height: 400, rgb: vec![0; 1200] }; frames], 8).unwrap();
        let height = |frames| size(&spritesheet(&tall(frames), 1, 10).unwrap()).1;
        assert_eq!([4, 5, 10].map(height), [16_000, 12_000, 16_000], "all four, every second of five, every third of ten");
        assert_eq!(size(&spritesheet(&clip(288), 4, 4).unwrap()), (16, 30), "every fifth of 288, 58 in all");
    }

    #[test]
    fn what_cannot_be_encoded_is_an_error() {
        assert!(matches!(spritesheet(&clip(4), 2, 10_000), Err(MediaError::Size { .. })));
        assert!(matches!(spritesheet(&clip(4), 2, 0), Err(MediaError::Size { .. })));
        let long = Frame { width: 20_000, height: 1, rgb: vec![0; 60_000] };
        assert!(matches!(webp(&long, 80.0), Err(MediaError::Size { .. })));
    }
}
