//! Where drawing is allowed: a box of whole pixels, and within it the inside of paths.

use resvg::tiny_skia::{FillRule, Mask, Path, PathBuilder, Rect};

use super::area::{Area, Bounds};
use super::{Canvas, blend};

/// Where drawing is allowed.
pub(super) struct Clip {
    pub bounds: Bounds,
    /// Of the whole canvas; drawing is allowed where both agree.
    pub mask: Option<Mask>,
    /// `mask` with nothing outside of `bounds`, made when a path first needs it.
    pub cut: Option<Mask>,
}

impl Canvas {
    /// Draws inside of a path alone (in the present coordinates).
    pub fn clipped<T>(&mut self, path: &Path, draw: impl FnOnce(&mut Self) -> T) -> T {
        let (low, high) = self.reach(path, 0.0);
        let mut clip = Clip { bounds: self.clip.bounds.within(low, high), mask: None, cut: None };
        if !clip.bounds.is_empty() {
            clip.mask = self.path_mask(path, clip.bounds);
        }
        self.with_clip(clip, draw)
    }

    /// As [`Canvas::clipped`] for a box, much cheaper: its edges move to the nearest whole pixel.
    pub fn clipped_to<T>(&mut self, area: Area, draw: impl FnOnce(&mut Self) -> T) -> T {
        let Some(rect) = Rect::from_ltrb(area.left, area.top, area.right, area.bottom) else {
            return self.with_clip(Clip { bounds: self.clip.bounds.none(), mask: None, cut: None }, draw);
        };
        if self.transform.has_skew() {
            return self.clipped(&PathBuilder::from_rect(rect), draw);
        }
        let (low, high) = self.box_of(area);
        let bounds = self.clip.bounds.within(low.map(f32::round), high.map(f32::round));
        let clip = Clip { bounds, mask: self.clip.mask.take(), cut: None };
        let outer = std::mem::replace(&mut self.clip, clip);
        let drawn = draw(self);
        let mask = self.clip.mask.take();
        self.clip = Clip { mask, ..outer };
        drawn
    }

    /// Where `path` and the present mask both allow to draw.
    fn path_mask(&self, path: &Path, bounds: Bounds) -> Option<Mask> {
        let mut mask = Mask::new(self.width as u32, self.height as u32)?;
        mask.fill_path(path, FillRule::Winding, true, self.transform);
        if let Some(outer) = &self.clip.mask {
            let rows = mask.data_mut().chunks_exact_mut(self.width).zip(outer.data().chunks_exact(self.width));
            for (row, outer) in rows.take(bounds.bottom).skip(bounds.top) {
                for (value, outer) in row.iter_mut().zip(outer) {
                    *value = blend::share(*value, *outer);
                }
            }
        }
        Some(mask)
    }

    fn with_clip<T>(&mut self, clip: Clip, draw: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.clip, clip);
        let drawn = draw(self);
        self.clip = outer;
        drawn
    }
}

impl Clip {
    pub fn cut_mask(&mut self, width: usize, height: usize) {
        if self.cut.is_some() {
            return;
        }
        let Some(mut cut) = Mask::new(width as u32, height as u32) else { return };
        let Bounds { left, top, right, bottom } = self.bounds;
        for (y, row) in cut.data_mut().chunks_exact_mut(width).enumerate().take(bottom).skip(top) {
            match self.mask.as_ref().and_then(|mask| mask.data().get(y * width + left..y * width + right)) {
                Some(from) => row[left..right].copy_from_slice(from),
                None => row[left..right].fill(255),
            }
        }
        self.cut = Some(cut);
    }
}
