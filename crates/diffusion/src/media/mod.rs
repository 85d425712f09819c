//! Pictures and clips as bytes that browsers play: resizing, H.264 in MP4, WebP.

mod clip;
mod mp4;
mod resize;
mod webp;

use thiserror::Error;

pub use clip::Clip;
pub use mp4::{check_video_size, mp4, mp4_and_sheet};
pub use resize::resize;
pub use webp::{poster, webp};

/// One picture: `width * height` pixels of red, green, blue, row by row, sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub width: usize,
    pub height: usize,
    pub rgb: Vec<u8>,
}

impl Frame {
    fn check(&self) -> Result<(), MediaError> {
        let &Self { width, height, ref rgb } = self;
        let bytes = rgb.len();
        match width.checked_mul(height).and_then(|pixels| pixels.checked_mul(3)) {
            Some(wanted) if wanted == bytes && wanted > 0 => Ok(()),
            _ => Err(MediaError::Pixels { width, height, bytes }),
        }
    }
}

/// Why no media came out.
#[derive(Debug, Error)]
pub enum MediaError {
    #[error("a clip without frames")]
    NoFrames,
    #[error("a clip of {frames} frame: a video needs two")]
    TooShort { frames: usize },
    #[error("a clip without a frame rate")]
    NoFrameRate,
    #[error("frame {index} has another size than the first")]
    MixedSizes { index: usize },
    #[error("{bytes} bytes are no picture of {width} x {height}")]
    Pixels { width: usize, height: usize, bytes: usize },
    #[error("{width} x {height} cannot be encoded: {limit}")]
    Size { width: usize, height: usize, limit: &'static str },
    #[error("the H.264 encoder failed at frame {index}")]
    H264 {
        index: usize,
        #[source]
        source: openh264::Error,
    },
    #[error("the MP4 file could not be written")]
    Mp4(#[source] muxide::api::MuxerError),
    #[error("the WebP encoder failed: {reason}")]
    WebP { reason: String },
}
