//! The files of a finished video, from its clip at native size.

use crate::work::publish::Product;
use diffusion::media::{Clip, MediaError, mp4, poster, resize_clip, spritesheet};
use domain::Size;
use store::ArtifactKind;

/// A sheet to scrub through: four frames a row, each small.
const SHEET_COLUMNS: usize = 4;
const SHEET_FRAME_WIDTH: usize = 160;
/// Wide enough for a card in a grid.
const THUMBNAIL_WIDTH: usize = 320;

/// Video, thumbnail and spritesheet of `clip` at `size`.
///
/// # Errors
/// [`MediaError`] when a size or a clip cannot be encoded.
pub fn files(clip: &Clip, size: Size) -> Result<Vec<Product>, MediaError> {
    let (width, height) = (size.width as usize, size.height as usize);
    let full = resize_clip(clip, width, height)?;
    let card = THUMBNAIL_WIDTH.min(width);
    let still = Clip { frames: clip.middle().cloned().into_iter().collect(), fps: clip.fps };
    let thumbnail = resize_clip(&still, card, (card * height).div_ceil(width))?;
    Ok(vec![
        Product { kind: ArtifactKind::Video, bytes: mp4(&full)?.into() },
        Product { kind: ArtifactKind::Thumbnail, bytes: poster(&thumbnail)?.into() },
        Product { kind: ArtifactKind::Spritesheet, bytes: spritesheet(&full, SHEET_COLUMNS, SHEET_FRAME_WIDTH.min(width))?.into() },
    ])
}
