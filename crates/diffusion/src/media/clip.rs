//! A clip whose frames are there, or are made when they are asked for.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use super::resize::{check_size, resize};
use super::{Frame, MediaError};

/// `frames` pictures of one size, `fps` of them a second.
///
/// A minute of large pictures does not fit in memory, so a clip gives one frame at a time, in any order and to any
/// number of threads.
#[derive(Clone)]
pub struct Clip {
    width: usize,
    height: usize,
    frames: usize,
    fps: u32,
    draw: Arc<dyn Fn(usize) -> Frame + Send + Sync>,
}

impl Clip {
    /// A clip of frames that are there.
    ///
    /// # Errors
    /// [`MediaError`] when there are none, or no frame rate, or they differ in size.
    pub fn new(frames: Vec<Frame>, fps: u32) -> Result<Self, MediaError> {
        let first = frames.first().ok_or(MediaError::NoFrames)?;
        let (width, height) = (first.width, first.height);
        for (index, frame) in frames.iter().enumerate() {
            frame.check()?;
            if (frame.width, frame.height) != (width, height) {
                return Err(MediaError::MixedSizes { index });
            }
        }
        Self::drawn(width, height, frames.len(), fps, move |index| frames[index].clone())
    }

    /// A clip of frames that `draw` makes, of this size, for every index below `frames`.
    ///
    /// # Errors
    /// [`MediaError`] when there are none, or no frame rate.
    pub fn drawn(
        width: usize,
        height: usize,
        frames: usize,
        fps: u32,
        draw: impl Fn(usize) -> Frame + Send + Sync + 'static,
    ) -> Result<Self, MediaError> {
        if frames == 0 {
            return Err(MediaError::NoFrames);
        }
        if fps == 0 {
            return Err(MediaError::NoFrameRate);
        }
        Ok(Self { width, height, frames, fps, draw: Arc::new(draw) })
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// How many there are; at least one.
    pub fn frames(&self) -> usize {
        self.frames
    }

    pub fn fps(&self) -> u32 {
        self.fps
    }

    /// How long the clip plays.
    pub fn duration_ms(&self) -> u64 {
        self.frames as u64 * 1000 / u64::from(self.fps)
    }

    /// Frame `index`, the last one for every index beyond.
    ///
    /// # Errors
    /// [`MediaError::Pixels`] or [`MediaError::MixedSizes`] when what was drawn is no frame of this clip.
    pub fn frame(&self, index: usize) -> Result<Frame, MediaError> {
        let index = index.min(self.frames - 1);
        let frame = (self.draw)(index);
        frame.check()?;
        if (frame.width, frame.height) == (self.width, self.height) { Ok(frame) } else { Err(MediaError::MixedSizes { index }) }
    }

    /// The picture that stands for the clip: the one in the middle, as scenes have settled by then.
    ///
    /// # Errors
    /// As [`Clip::frame`].
    pub fn middle(&self) -> Result<Frame, MediaError> {
        self.frame(self.frames / 2)
    }

    /// Calls `make` for each frame, several at a time, and `take` for what came of it, in order. At most a few frames
    /// are in memory at once; the next ones are made while one is taken.
    ///
    /// # Errors
    /// The first that either of them returns.
    pub(super) fn each<T: Send>(
        &self,
        make: impl Fn(usize, Frame) -> Result<T, MediaError> + Sync,
        mut take: impl FnMut(usize, T) -> Result<(), MediaError> + Send,
    ) -> Result<(), MediaError> {
        let several = 2 * rayon::current_num_threads().max(1);
        let batch = |first: usize| {
            let indices = first..(first + several).min(self.frames);
            indices.into_par_iter().map(|index| make(index, self.frame(index)?)).collect::<Vec<_>>()
        };
        let (mut first, mut ready) = (0, batch(0));
        while !ready.is_empty() {
            let mut take_all = || ready.drain(..).enumerate().try_for_each(|(index, made)| take(first + index, made?));
            let (taken, next) = rayon::join(&mut take_all, || batch(first + several));
            taken?;
            (first, ready) = (first + several, next);
        }
        Ok(())
    }

    /// The same clip, which calls `drawn` whenever a frame was made.
    #[must_use]
    pub fn watched(&self, drawn: impl Fn() + Send + Sync + 'static) -> Self {
        let own = Arc::clone(&self.draw);
        let draw = move |index| {
            let frame = own(index);
            drawn();
            frame
        };
        Self { draw: Arc::new(draw), ..self.clone() }
    }

    /// The same clip in another size. Frames are resized when they are asked for.
    ///
    /// # Errors
    /// [`MediaError::Size`] for a side of 0 or too many pixels.
    pub fn resized(&self, width: usize, height: usize) -> Result<Self, MediaError> {
        if (width, height) == (self.width, self.height) {
            return Ok(self.clone());
        }
        check_size(width, height)?;
        let own = self.clone();
        // What cannot be resized stays as it is, and is refused as a frame of another size.
        let draw = move |index| {
            let frame = (own.draw)(index);
            resize(&frame, width, height).unwrap_or(frame)
        };
        Self::drawn(width, height, self.frames, self.fps, draw)
    }
}

impl fmt::Debug for Clip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, frames, fps, draw: _ } = self;
        write!(f, "Clip({frames} frames of {width} x {height}, {fps} a second)")
    }
}
