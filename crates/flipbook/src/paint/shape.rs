//! Outlines: a pen for paths and a wave for the lines of hills.

use std::f32::consts::TAU;

use resvg::tiny_skia::{Path, PathBuilder, Rect};

use crate::canvas::{Area, Canvas, Ink};
use crate::random::Random;

/// Where the water stands at swimmers with limbs, in heights from their foot.
pub(in crate::paint) const SWIMMER: f32 = 0.46;

/// Room above and below the frame that layers fill, in pixels.
pub const BLEED: f32 = 8.0;

/// Builds a path and gives it to a canvas. Coordinates are in pixels of the frame; what is not finite draws nothing.
#[derive(Default)]
pub struct Pen(PathBuilder);

impl Pen {
    pub fn at(x: f32, y: f32) -> Self {
        Self::default().to(x, y)
    }

    /// Starts another outline.
    pub fn to(mut self, x: f32, y: f32) -> Self {
        self.0.move_to(x, y);
        self
    }

    pub fn line(mut self, x: f32, y: f32) -> Self {
        self.0.line_to(x, y);
        self
    }

    pub fn quad(mut self, via: [f32; 2], x: f32, y: f32) -> Self {
        self.0.quad_to(via[0], via[1], x, y);
        self
    }

    pub fn cubic(mut self, first: [f32; 2], second: [f32; 2], x: f32, y: f32) -> Self {
        self.0.cubic_to(first[0], first[1], second[0], second[1], x, y);
        self
    }

    pub fn close(mut self) -> Self {
        self.0.close();
        self
    }

    pub fn circle(mut self, x: f32, y: f32, radius: f32) -> Self {
        self.0.push_circle(x, y, radius.max(0.05));
        self
    }

    pub fn oval(mut self, x: f32, y: f32, rx: f32, ry: f32) -> Self {
        if let Some(bounds) = Rect::from_ltrb(x - rx, y - ry, x + rx, y + ry) {
            self.0.push_oval(bounds);
        }
        self
    }

    pub fn rect(mut self, left: f32, top: f32, right: f32, bottom: f32) -> Self {
        if let Some(bounds) = Rect::from_ltrb(left, top, right, bottom) {
            self.0.push_rect(bounds);
        }
        self
    }

    /// A closed outline through all of these.
    pub fn polygon(self, points: &[[f32; 2]]) -> Self {
        self.line_through(points).close()
    }

    /// An open line through all of these.
    pub fn line_through(mut self, points: &[[f32; 2]]) -> Self {
        for (index, [x, y]) in points.iter().enumerate() {
            self = if index == 0 { self.to(*x, *y) } else { self.line(*x, *y) };
        }
        self
    }

    /// On from where the pen is, through all of these.
    pub fn line_through_on(self, points: &[[f32; 2]]) -> Self {
        points.iter().fold(self, |pen, [x, y]| pen.line(*x, *y))
    }

    pub fn path(self) -> Option<Path> {
        self.0.finish()
    }

    pub fn fill(self, c: &mut Canvas, ink: &Ink) {
        if let Some(path) = self.path() {
            c.fill(&path, ink);
        }
    }

    /// `width` in pixels.
    pub fn stroke(self, c: &mut Canvas, width: f32, ink: &Ink) {
        if let Some(path) = self.path() {
            c.stroke(&path, width.max(0.6), ink);
        }
    }
}

/// A box by its corner and its sides, in pixels.
pub fn area(x: f32, y: f32, width: f32, height: f32) -> Area {
    Area { left: x, top: y, right: x + width, bottom: y + height }
}

/// A box about a point.
pub fn about(x: f32, y: f32, rx: f32, ry: f32) -> Area {
    Area { left: x - rx, top: y - ry, right: x + rx, bottom: y + ry }
}

/// The line of a range of hills: some sines on top of each other.
#[derive(Clone, Debug)]
pub struct Wave {
    /// Radians per pixel, radians, share.
    parts: Vec<[f32; 3]>,
    /// Lowest line, in pixels.
    pub base: f32,
    /// From lowest to highest line, in pixels.
    pub height: f32,
}

impl Wave {
    /// `length` is that of the longest hill in pixels, `rough` how many sines there are.
    pub fn of(random: &mut Random, base: f32, height: f32, length: f32, rough: usize) -> Self {
        let parts: Vec<[f32; 3]> = (0..rough.max(1))
            .map(|j| {
                let harmonic = j as f32 + 1.0;
                [TAU / length * random.within(0.75, 1.25) * harmonic, random.within(0.0, TAU), harmonic.powf(-1.3)]
            })
            .collect();
        let total: f32 = parts.iter().map(|part| part[2]).sum();
        Self { parts: parts.into_iter().map(|[f, p, m]| [f, p, m / total]).collect(), base, height }
    }

    /// Height of the line at `x`, both in pixels from the left top.
    pub fn y(&self, x: f32) -> f32 {
        let sum: f32 = self.parts.iter().map(|[f, p, m]| m * (f * x + p).sin()).sum();
        self.base - self.height * (0.5 + 0.5 * sum)
    }

    /// Pixels down for each pixel to the right.
    pub fn slope(&self, x: f32) -> f32 {
        let sum: f32 = self.parts.iter().map(|[f, p, m]| m * f * (f * x + p).cos()).sum();
        -self.height * 0.5 * sum
    }

    /// The same line, lower by so many pixels.
    pub fn lowered(&self, by: f32) -> Self {
        Self { base: self.base + by, ..self.clone() }
    }
}
