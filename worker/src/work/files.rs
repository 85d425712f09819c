//! The files of a finished job, from its frames at native size.

use crate::work::publish::Product;
use diffusion::media::{Clip, MediaError, mp4_and_sheet, poster, webp};
use domain::JobSpec;
use store::ArtifactKind;

/// A sheet to scrub through: four frames a row, each small.
const SHEET_COLUMNS: usize = 4;
const SHEET_FRAME_WIDTH: usize = 160;
/// The longer side: enough for a card in a grid on a screen of twice as many pixels.
const THUMBNAIL_SIDE: usize = 640;
/// Of an image that somebody keeps.
const IMAGE_QUALITY: f32 = 95.0;

/// What [`ArtifactKind::results`] lists of such a job, made of `clip`.
///
/// # Errors
/// [`MediaError`] when a size or a clip cannot be encoded.
pub fn files(clip: &Clip, spec: &JobSpec) -> Result<Vec<Product>, MediaError> {
    let (width, height) = (spec.size.width as usize, spec.size.height as usize);
    let full = clip.resized(width, height)?;
    let card = (ArtifactKind::Thumbnail, thumbnail(clip, width, height)?);
    let made = if spec.is_image() {
        vec![(ArtifactKind::Image, webp(&full.middle()?, IMAGE_QUALITY)?), card]
    } else {
        // Both at once: a frame is made when it is asked for, and each is to be made once.
        let (video, sheet) = mp4_and_sheet(&full, SHEET_COLUMNS, SHEET_FRAME_WIDTH.min(width))?;
        vec![(ArtifactKind::Video, video), card, (ArtifactKind::Spritesheet, sheet)]
    };
    Ok(made.into_iter().map(|(kind, bytes)| Product { kind, bytes: bytes.into() }).collect())
}

/// From the frame as the model made it, and not from an enlarged one.
fn thumbnail(clip: &Clip, width: usize, height: usize) -> Result<Vec<u8>, MediaError> {
    let longer = width.max(height);
    let card = THUMBNAIL_SIDE.min(longer).min(clip.width().max(clip.height()));
    let reduced = |side: usize| (side * card).div_ceil(longer);
    poster(&clip.resized(reduced(width), reduced(height))?)
}
