//! The files of a finished job, from its frames at native size.

use crate::work::publish::Product;
use diffusion::media::{Clip, MediaError, mp4, poster, resize_clip, spritesheet, webp};
use domain::JobSpec;
use store::ArtifactKind;

/// A sheet to scrub through: four frames a row, each small.
const SHEET_COLUMNS: usize = 4;
const SHEET_FRAME_WIDTH: usize = 160;
/// Wide enough for a card in a grid.
const THUMBNAIL_WIDTH: usize = 320;
/// Of an image that somebody keeps.
const IMAGE_QUALITY: f32 = 95.0;

/// What [`ArtifactKind::results`] lists of such a job, made of `clip`.
///
/// # Errors
/// [`MediaError`] when a size or a clip cannot be encoded.
pub fn files(clip: &Clip, spec: &JobSpec) -> Result<Vec<Product>, MediaError> {
    let (width, height) = (spec.size.width as usize, spec.size.height as usize);
    let full = resize_clip(clip, width, height)?;
    let file = |kind| {
        let bytes = match kind {
            ArtifactKind::Image => webp(full.middle().ok_or(MediaError::NoFrames)?, IMAGE_QUALITY)?,
            ArtifactKind::Thumbnail => thumbnail(clip, width, height)?,
            ArtifactKind::Spritesheet => spritesheet(&full, SHEET_COLUMNS, SHEET_FRAME_WIDTH.min(width))?,
            ArtifactKind::Video | ArtifactKind::Latents => mp4(&full)?,
        };
        Ok(Product { kind, bytes: bytes.into() })
    };
    ArtifactKind::results(spec).iter().copied().map(file).collect()
}

fn thumbnail(clip: &Clip, width: usize, height: usize) -> Result<Vec<u8>, MediaError> {
    let card = THUMBNAIL_WIDTH.min(width);
    let still = Clip { frames: clip.middle().cloned().into_iter().collect(), fps: clip.fps };
    poster(&resize_clip(&still, card, (card * height).div_ceil(width))?)
}
