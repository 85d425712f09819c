//! A clip as H.264 in MP4: plays in every browser, starts before it has arrived, says which colours it means.

use muxide::api::{MuxerBuilder, VideoCodec};
use openh264::encoder::{
    BitRate, Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, Profile, QpRange, RateControlMode, UsageType,
    VuiConfig,
};
use openh264::formats::YUVSlices;
use openh264::{OpenH264API, Timestamp};

use super::webp::Sheet;
use super::{Clip, Frame, MediaError};

/// One quantiser for all frames: quality is the promise, size follows from the scene (384 x 384, two
/// seconds: 15 kB underwater to 150 kB of flying stars). 26 already shows bands in dark gradients.
const QUANTISER: QpRange = QpRange::new(24, 24);

/// Encodes a clip: H.264 High profile, 4:2:0, BT.709 in limited range and labelled so, one key frame at
/// the start, `moov` before `mdat`.
///
/// # Errors
/// [`MediaError`] for fewer than two frames, odd or too large sizes, or a failing encoder.
pub fn mp4(clip: &Clip) -> Result<Vec<u8>, MediaError> {
    encode(clip, |_, _| Ok(()), |_, ()| Ok(()))
}

/// As [`mp4`], and the clip's [`Sheet`] as WebP, `columns` pictures a row, each `width` pixels wide: both of one pass over the
/// frames, so that none is made twice.
///
/// # Errors
/// As [`mp4`], or when the sheet is too large for WebP.
pub fn mp4_and_sheet(clip: &Clip, columns: usize, width: usize) -> Result<(Vec<u8>, Vec<u8>), MediaError> {
    let mut sheet = Sheet::new(clip, columns, width)?;
    let (shape, mut place) = (sheet.shape(), |index, tile: Option<Frame>| {
        tile.into_iter().for_each(|tile| sheet.place(index, &tile));
        Ok(())
    });
    let file = encode(clip, |index, frame| shape.tile(index, frame), &mut place)?;
    Ok((file, sheet.webp()?))
}

/// Frames are made and converted to 4:2:0, several at a time, while earlier ones are coded in order. `also` makes something else
/// of each frame, and `take` gets it.
fn encode<T: Send>(
    clip: &Clip,
    also: impl Fn(usize, &Frame) -> Result<T, MediaError> + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), MediaError> + Send,
) -> Result<Vec<u8>, MediaError> {
    let (width, height, fps) = (clip.width(), clip.height(), clip.fps());
    check_video_size(width, height)?;
    if clip.frames() < 2 {
        return Err(MediaError::TooShort { frames: clip.frames() });
    }
    let mut file = Vec::new();
    let mut muxer = MuxerBuilder::new(&mut file)
        .video(VideoCodec::H264, width as u32, height as u32, f64::from(fps))
        .with_fast_start(true)
        .build()
        .map_err(MediaError::Mp4)?;
    let failed = |index| move |source| MediaError::H264 { index, source };
    let mut encoder = Encoder::with_api_config(OpenH264API::from_source(), config(clip)).map_err(failed(0))?;
    clip.each(
        |index, frame| Ok((Yuv::new(&frame), also(index, &frame)?)),
        |index, (yuv, made)| {
            let at = Timestamp::from_millis(index as u64 * 1000 / u64::from(fps));
            let coded = encoder.encode_at(&yuv.slices(), at).map_err(failed(index))?;
            let key = matches!(coded.frame_type(), FrameType::IDR);
            muxer.write_video(index as f64 / f64::from(fps), &coded.to_vec(), key).map_err(MediaError::Mp4)?;
            take(index, made)
        },
    )?;
    muxer.finish().map_err(MediaError::Mp4)?;
    Ok(file)
}

/// Whether a video of this size can be encoded.
///
/// # Errors
/// [`MediaError::Size`] names the limit.
pub fn check_video_size(width: usize, height: usize) -> Result<(), MediaError> {
    let refuse = |limit| Err(MediaError::Size { width, height, limit });
    match (width.max(height), width.min(height)) {
        (3841.., _) | (_, 2161..) => refuse("at most 3840 x 2160"),
        (_, ..16) => refuse("at least 16 pixels a side"),
        _ if width % 2 == 1 || height % 2 == 1 => refuse("sides must be even for 4:2:0"),
        _ => Ok(()),
    }
}

fn config(clip: &Clip) -> EncoderConfig {
    let bits = (clip.width() * clip.height()) as f64 * f64::from(clip.fps()); // far above need, so that no frame is cut short
    EncoderConfig::new()
        .profile(Profile::High)
        .usage_type(UsageType::CameraVideoRealTime)
        .complexity(Complexity::High)
        // Quality and bitrate mode drop frames, or complain on stderr when forbidden to; this one does neither.
        .rate_control_mode(RateControlMode::Bufferbased)
        .bitrate(BitRate::from_bps(bits.clamp(50e3, 50e6) as u32))
        .qp(QUANTISER)
        .max_frame_rate(FrameRate::from_hz(clip.fps() as f32))
        .intra_frame_period(IntraFramePeriod::from_num_frames(clip.frames() as u32))
        .scene_change_detect(false)
        .background_detection(false)
        .skip_frames(false)
        .num_threads(1)
        .vui(VuiConfig::bt709())
}

/// Planes of 4:2:0: full luma, chroma averaged over 2 x 2 pixels.
struct Yuv {
    width: usize,
    height: usize,
    y: Vec<u8>,
    u: Vec<u8>,
    v: Vec<u8>,
}

impl Yuv {
    fn new(frame: &Frame) -> Self {
        let &Frame { width, height, ref rgb } = frame;
        let y = rgb.chunks_exact(3).map(|pixel| luma([0, 1, 2].map(|i| f32::from(pixel[i])))).collect();
        let (mut u, mut v) = (Vec::with_capacity(width * height / 4), Vec::with_capacity(width * height / 4));
        for (top, left) in (0..height).step_by(2).flat_map(|top| (0..width).step_by(2).map(move |left| (top, left))) {
            let at = (top * width + left) * 3;
            let corners = [at, at + 3, at + width * 3, at + width * 3 + 3];
            let [blue, red] = chroma([0, 1, 2].map(|i| corners.iter().map(|c| f32::from(rgb[c + i])).sum::<f32>() / 4.0));
            u.push(blue);
            v.push(red);
        }
        Self { width, height, y, u, v }
    }

    fn slices(&self) -> YUVSlices<'_> {
        let (width, half) = (self.width, self.width / 2);
        YUVSlices::new((&self.y, &self.u, &self.v), (width, self.height), (width, half, half))
    }
}

/// Weights of red and blue in the luma of BT.709.
const RED: f32 = 0.2126;
const BLUE: f32 = 0.0722;

fn brightness([r, g, b]: [f32; 3]) -> f32 {
    RED * r + (1.0 - RED - BLUE) * g + BLUE * b
}

/// 16 for black to 235 for white.
fn luma(rgb: [f32; 3]) -> u8 {
    (brightness(rgb) * 219.0 / 255.0 + 16.5) as u8
}

/// Blue and red difference, 128 for grey, 16 to 240.
fn chroma(rgb: [f32; 3]) -> [u8; 2] {
    let y = brightness(rgb);
    let difference = |x: f32, weight: f32| ((x - y) / (2.0 * (1.0 - weight)) * 224.0 / 255.0 + 128.5) as u8;
    [difference(rgb[2], BLUE), difference(rgb[0], RED)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(width: usize, height: usize, colour: [u8; 3]) -> Frame {
        Frame { width, height, rgb: colour.repeat(width * height) }
    }

    #[test]
    fn greys_have_no_chroma_and_span_the_limited_range() {
        for (grey, y) in [(0.0, 16), (255.0, 235)] {
            assert_eq!((luma([grey; 3]), chroma([grey; 3])), (y, [128, 128]));
        }
        assert_eq!(chroma([0.0, 0.0, 255.0])[0], 240);
        assert_eq!(chroma([255.0, 0.0, 0.0])[1], 240);
    }

    #[test]
    fn what_cannot_be_a_video_is_an_error() {
        let clip = |frames| Clip::new(frames, 8).unwrap();
        let grey = |width, height| flat(width, height, [128; 3]);
        assert!(matches!(Clip::new(vec![], 8), Err(MediaError::NoFrames)));
        assert!(matches!(mp4(&clip(vec![grey(16, 16)])), Err(MediaError::TooShort { frames: 1 })));
        assert!(matches!(mp4(&clip(vec![grey(17, 16); 2])), Err(MediaError::Size { .. })));
        assert!(matches!(mp4(&clip(vec![grey(3842, 16); 2])), Err(MediaError::Size { .. })));
        assert!(matches!(mp4(&clip(vec![grey(2, 2); 2])), Err(MediaError::Size { .. })));
        assert!(matches!(Clip::new(vec![grey(16, 16), grey(32, 16)], 8), Err(MediaError::MixedSizes { index: 1 })));
        assert!(matches!(Clip::new(vec![grey(16, 16); 2], 0), Err(MediaError::NoFrameRate)));
        let mixed = Clip::drawn(16, 16, 9, 8, move |index| if index == 5 { grey(32, 16) } else { grey(16, 16) }).unwrap();
        assert!(matches!(mp4(&mixed), Err(MediaError::MixedSizes { index: 5 })));
    }
}
