//! From tensors to pictures.

use candle_core::{Error, Result, Tensor};

use crate::media::Frame;

/// Frames `[1, t, 3, height, width]` in `[-1, 1]` as t pictures.
///
/// # Errors
/// When a value is no number, or the device fails.
pub(crate) fn pictures(frames: &Tensor) -> Result<Vec<Frame>> {
    let (_, t, _, height, width) = frames.dims5()?;
    let values: Vec<f32> = frames.permute((0, 1, 3, 4, 2))?.flatten_all()?.to_vec1()?; // [t, height, width, 3]
    if values.iter().any(|value| !value.is_finite()) {
        return Err(Error::Msg("the pictures are no numbers: the sample has run away".into()));
    }
    let rgb: Vec<u8> = values.iter().map(|x| ((x + 1.0) * 127.5).round() as u8).collect();
    Ok(rgb.chunks_exact(rgb.len() / t).map(|rgb| Frame { width, height, rgb: rgb.to_vec() }).collect())
}
