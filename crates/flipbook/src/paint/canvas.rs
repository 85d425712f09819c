//! What the painter draws with: paths by tiny-skia, rectangles, spots, pictures and meshes by loops of our own.
//!
//! A frame holds hundreds of spots, a handful of layers as wide as itself and a few bent pictures. Those have loops here
//! that go along rows; everything else is a path.

mod blend;
mod shade;
mod spot;
mod texture;

use std::sync::OnceLock;

use resvg::tiny_skia::{BlendMode, FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, PixmapMut, Point, Rect, Stroke, Transform};

use crate::sprites::Picture;
use blend::Surface;
use shade::Shader;
use texture::{Look, Texels};

pub(crate) use texture::halved;

/// Red, green, blue in 0 to 1, sRGB, not premultiplied; what lies outside is clamped when it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rgb(pub [f32; 3]);

impl Rgb {
    pub const BLACK: Self = Self([0.0; 3]);
    pub const WHITE: Self = Self([1.0; 3]);

    /// Of `0xrrggbb`.
    pub const fn hex(hex: u32) -> Self {
        Self([(hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0])
    }

    /// `share` of the way to `other`.
    pub fn mix(self, other: Self, share: f32) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + (other.0[i] - self.0[i]) * share))
    }

    pub fn times(self, factor: f32) -> Self {
        Self(self.0.map(|value| value * factor))
    }

    /// Channel by channel.
    pub fn tinted(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
}

/// A colour along a gradient: where (0 to 1), what, how opaque.
pub type Stop = (f32, Rgb, f32);

#[derive(Clone, Debug)]
pub enum Shade {
    Flat(Rgb, f32),
    Linear { from: [f32; 2], to: [f32; 2], stops: Vec<Stop> },
    Radial { centre: [f32; 2], radius: f32, stops: Vec<Stop> },
}

/// How a shape is filled.
#[derive(Clone, Debug)]
pub struct Ink {
    pub shade: Shade,
    /// Light: added to what is there.
    pub add: bool,
}

impl Ink {
    pub fn flat(colour: Rgb, alpha: f32) -> Self {
        Self { shade: Shade::Flat(colour, alpha), add: false }
    }

    /// Stops spread evenly.
    pub fn linear(from: [f32; 2], to: [f32; 2], stops: &[(Rgb, f32)]) -> Self {
        let last = stops.len().saturating_sub(1).max(1) as f32;
        let spread = stops.iter().enumerate().map(|(place, (colour, alpha))| (place as f32 / last, *colour, *alpha));
        Self { shade: Shade::Linear { from, to, stops: spread.collect() }, add: false }
    }

    /// Stops in the order of their places.
    pub fn linear_at(from: [f32; 2], to: [f32; 2], stops: &[Stop]) -> Self {
        Self { shade: Shade::Linear { from, to, stops: stops.to_vec() }, add: false }
    }

    /// Stops in the order of their places, the last of them at the rim.
    pub fn radial(centre: [f32; 2], radius: f32, stops: &[Stop]) -> Self {
        Self { shade: Shade::Radial { centre, radius, stops: stops.to_vec() }, add: false }
    }

    pub fn adding(self) -> Self {
        Self { add: true, ..self }
    }
}

/// A box in pixels; empty where right does not lie beyond left, or bottom beyond top.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// What becomes of the colours of a picture: `colour x scale + offset`, alpha untouched (straight colours, not
/// premultiplied ones).
#[derive(Clone, Copy, Debug)]
pub struct Tint {
    pub scale: Rgb,
    pub offset: Rgb,
}

impl Tint {
    pub const NONE: Self = Self { scale: Rgb::WHITE, offset: Rgb::BLACK };

    /// A silhouette of one colour.
    pub fn solid(colour: Rgb) -> Self {
        Self { scale: Rgb::BLACK, offset: colour }
    }
}

/// A corner of a mesh: where on the canvas, and where in the picture, both in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    pub at: [f32; 2],
    pub from: [f32; 2],
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Puff {
    pub add: bool,
    pub firm: bool,
}

/// Whole pixels that may be drawn on; right and bottom are outside.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Bounds {
    fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// What of it lies between `low` and `high`, both in pixels. Pixels that are touched count.
    fn within(self, low: [f32; 2], high: [f32; 2]) -> Self {
        let whole = |value: f32| value.max(0.0) as usize; // saturates
        Self {
            left: self.left.max(whole(low[0].floor())),
            top: self.top.max(whole(low[1].floor())),
            right: self.right.min(whole(high[0].ceil())),
            bottom: self.bottom.min(whole(high[1].ceil())),
        }
    }
}

/// Where drawing is allowed.
struct Clip {
    bounds: Bounds,
    /// Of the whole canvas; drawing is allowed where both agree.
    mask: Option<Mask>,
    /// `mask` with nothing outside of `bounds`, made when a path first needs it.
    cut: Option<Mask>,
}

/// A picture being drawn, with a transform that everything passes.
pub struct Canvas {
    width: usize,
    height: usize,
    /// `[r, g, b, a]`, premultiplied, row by row.
    pixels: Vec<u8>,
    transform: Transform,
    clip: Clip,
    /// What of each row is drawn on, found when the canvas is first drawn on another.
    rows: OnceLock<Vec<texture::Extent>>,
}

impl Canvas {
    /// Transparent; of at least one pixel.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Self {
            width,
            height,
            pixels: vec![0; width * height * 4],
            transform: Transform::identity(),
            clip: Clip { bounds: Bounds { left: 0, top: 0, right: width, bottom: height }, mask: None, cut: None },
            rows: OnceLock::new(),
        }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// `[r, g, b, a]`, premultiplied, row by row.
    pub fn pixels(&self) -> &[[u8; 4]] {
        self.pixels.as_chunks().0
    }

    /// From the present coordinates to pixels.
    pub fn transform(&self) -> Transform {
        self.transform
    }

    /// Every pixel becomes this, whatever transform and clip are.
    pub fn clear(&mut self, colour: Rgb, alpha: f32) {
        self.rows.take();
        self.pixels.as_chunks_mut().0.fill(shade::premultiplied(colour, alpha));
    }

    /// Draws with `transform` before the present one.
    pub fn within<T>(&mut self, transform: Transform, draw: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.transform;
        self.transform = outer.pre_concat(transform);
        let drawn = draw(self);
        self.transform = outer;
        drawn
    }

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
            let bounds = Bounds { right: 0, ..self.clip.bounds };
            return self.with_clip(Clip { bounds, mask: None, cut: None }, draw);
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

    pub fn rect(&mut self, area: Area, ink: &Ink) {
        if area.right <= area.left || area.bottom <= area.top {
            return;
        }
        if let Some(shader) = Shader::of(&ink.shade, self.transform) {
            if !self.transform.has_skew() {
                let (low, high) = self.box_of(area);
                return shade::rect(&mut self.surface(), low, high, &shader, ink.add);
            }
            if self.covers(area) {
                let [low, high] = [[f32::NEG_INFINITY; 2], [f32::INFINITY; 2]];
                return shade::rect(&mut self.surface(), low, high, &shader, ink.add);
            }
            if let Some(rect) = Rect::from_ltrb(area.left, area.top, area.right, area.bottom) {
                self.fill(&PathBuilder::from_rect(rect), ink);
            }
        }
    }

    pub fn round_rect(&mut self, area: Area, radius: f32, ink: &Ink) {
        let Area { left, top, right, bottom } = area;
        let radius = radius.min((right - left) / 2.0).min((bottom - top) / 2.0);
        if radius <= 0.0 {
            return self.rect(area, ink);
        }
        if let Some(path) = round_rect(area, radius) {
            self.fill(&path, ink);
        }
    }

    pub fn oval(&mut self, area: Area, ink: &Ink) {
        let Area { left, top, right, bottom } = area;
        if let Shade::Flat(colour, alpha) = ink.shade {
            let spot = [(left + right) / 2.0, (top + bottom) / 2.0, (right - left) / 2.0, (bottom - top) / 2.0];
            let transform = self.transform;
            spot::oval(&mut self.surface(), transform, spot, colour, alpha, ink.add);
        } else if let Some(path) = Rect::from_ltrb(left, top, right, bottom).and_then(PathBuilder::from_oval) {
            self.fill(&path, ink);
        }
    }

    pub fn circle(&mut self, x: f32, y: f32, radius: f32, ink: &Ink) {
        self.oval(Area { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius }, ink);
    }

    /// Filled by the winding rule, with soft edges.
    pub fn fill(&mut self, path: &Path, ink: &Ink) {
        let (low, high) = self.reach(path, 0.0);
        self.paint(low, high, ink, |pixels, paint, transform, mask| pixels.fill_path(path, paint, FillRule::Winding, transform, mask));
    }

    /// Round caps and joins.
    pub fn stroke(&mut self, path: &Path, width: f32, ink: &Ink) {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        let (low, high) = self.reach(path, width / 2.0);
        self.paint(low, high, ink, |pixels, paint, transform, mask| pixels.stroke_path(path, paint, &stroke, transform, mask));
    }

    /// A soft spot: opaque in the middle, nothing at the rim; `firm` spots are opaque for half of the way.
    #[expect(clippy::too_many_arguments)]
    pub fn puff(&mut self, x: f32, y: f32, rx: f32, ry: f32, colour: Rgb, alpha: f32, look: Puff) {
        let transform = self.transform;
        spot::puff(&mut self.surface(), transform, [x, y, rx, ry], colour, alpha, look);
    }

    /// A picture stretched over `area` (in the present coordinates), by linear sampling; shrunk by more than half, from
    /// a smaller version of it. An area whose right lies left of its left mirrors it.
    pub fn picture(&mut self, picture: &Picture, area: Area, tint: Tint, alpha: f32) {
        let Area { left, top, right, bottom } = area;
        let (across, down) = self.scale();
        let drawn = [(right - left).abs() * across, (bottom - top).abs() * down];
        let smaller = texture::shrunk(picture, drawn);
        let picture = smaller.as_ref().unwrap_or(picture);
        let texels = Texels { width: picture.width, height: picture.height, pixels: &picture.pixels, rows: None };
        self.texels(texels, area, &Look::of(tint, alpha));
    }

    /// A picture bent over a grid of `columns` x `rows` cells whose corners are `vertices`, row by row. Where the mesh
    /// folds, what comes later lies on top. Neighbouring triangles leave no seam and nothing is drawn twice along it.
    pub fn mesh(&mut self, picture: &Picture, vertices: &[Vertex], columns: usize, rows: usize, tint: Tint, alpha: f32) {
        let transform = self.transform;
        let placed: Vec<Vertex> = vertices.iter().map(|vertex| Vertex { at: mapped(transform, vertex.at), from: vertex.from }).collect();
        let texels = Texels { width: picture.width, height: picture.height, pixels: &picture.pixels, rows: None };
        texture::mesh(&mut self.surface(), &texels, &placed, columns, rows, &Look::of(tint, alpha));
    }

    /// Another canvas' pixels on top of this one's, its left top corner at (x, y), which may lie between pixels.
    pub fn canvas(&mut self, other: &Canvas, x: f32, y: f32) {
        let rows = other.rows.get_or_init(|| texture::extents(other.pixels(), other.width));
        let texels = Texels { width: other.width, height: other.height, pixels: other.pixels(), rows: Some(rows) };
        let area = Area { left: x, top: y, right: x + other.width as f32, bottom: y + other.height as f32 };
        self.texels(texels, area, &Look::of(Tint::NONE, 1.0));
    }

    /// Red, green, blue of every pixel, row by row.
    pub fn rgb(&self) -> Vec<u8> {
        let mut rgb = vec![0; self.width * self.height * 3];
        for (to, [r, g, b, _]) in rgb.as_chunks_mut().0.iter_mut().zip(self.pixels()) {
            *to = [*r, *g, *b];
        }
        rgb
    }

    /// Pixels for each unit along x and along y.
    fn scale(&self) -> (f32, f32) {
        (self.transform.sx.hypot(self.transform.ky), self.transform.kx.hypot(self.transform.sy))
    }

    fn texels(&mut self, texels: Texels, area: Area, look: &Look) {
        let transform = self.transform;
        if transform.has_skew() {
            texture::quad(&mut self.surface(), &texels, transform, area, look);
        } else {
            let [left, top] = mapped(transform, [area.left, area.top]);
            let [right, bottom] = mapped(transform, [area.right, area.bottom]);
            texture::upright(&mut self.surface(), &texels, Area { left, top, right, bottom }, look);
        }
    }

    fn surface(&mut self) -> Surface<'_> {
        self.rows.take();
        let mask = self.clip.mask.as_ref().map(Mask::data);
        Surface { pixels: self.pixels.as_chunks_mut().0, stride: self.width, bounds: self.clip.bounds, mask }
    }

    /// The corners of an upright box in pixels, for transforms that leave it upright.
    fn box_of(&self, area: Area) -> ([f32; 2], [f32; 2]) {
        let (a, b) = (mapped(self.transform, [area.left, area.top]), mapped(self.transform, [area.right, area.bottom]));
        ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])])
    }

    /// Whether `area` hides all that may be drawn on.
    fn covers(&self, area: Area) -> bool {
        let Bounds { left, top, right, bottom } = self.clip.bounds;
        self.transform.invert().is_some_and(|back| {
            [(left, top), (right, top), (left, bottom), (right, bottom)].into_iter().all(|(x, y)| {
                let [x, y] = mapped(back, [x as f32, y as f32]);
                area.left <= x && x <= area.right && area.top <= y && y <= area.bottom
            })
        })
    }

    /// The box of a path in pixels, with room for half a line's width and soft edges.
    fn reach(&self, path: &Path, around: f32) -> ([f32; 2], [f32; 2]) {
        let bounds = path.bounds();
        let corners = [
            (bounds.left(), bounds.top()),
            (bounds.right(), bounds.top()),
            (bounds.left(), bounds.bottom()),
            (bounds.right(), bounds.bottom()),
        ]
        .map(|(x, y)| mapped(self.transform, [x, y]));
        let (across, down) = self.scale();
        let room = around * across.max(down) + 1.0;
        let least = |axis: usize| corners.iter().map(|corner| corner[axis]).fold(f32::INFINITY, f32::min) - room;
        let most = |axis: usize| corners.iter().map(|corner| corner[axis]).fold(f32::NEG_INFINITY, f32::max) + room;
        ([least(0), least(1)], [most(0), most(1)])
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

    /// Lets tiny-skia draw something that reaches from `low` to `high`, in pixels.
    fn paint(&mut self, low: [f32; 2], high: [f32; 2], ink: &Ink, draw: impl FnOnce(&mut PixmapMut, &Paint, Transform, Option<&Mask>)) {
        let inside = self.clip.bounds.within(low, high);
        let Some(shader) = shade::of_tiny_skia(&ink.shade) else { return };
        if inside.is_empty() || low.iter().chain(&high).any(|value| !value.is_finite()) {
            return;
        }
        self.rows.take();
        let paint = Paint {
            shader,
            blend_mode: if ink.add { BlendMode::Plus } else { BlendMode::SourceOver },
            anti_alias: true,
            ..Paint::default()
        };
        let Bounds { left, top, right, bottom } = self.clip.bounds;
        let crosses = (left > 0 && low[0] < left as f32) || (right < self.width && high[0] > right as f32);
        if crosses || self.clip.mask.is_some() {
            self.clip.cut_mask(self.width, self.height);
            let mask = self.clip.cut.as_ref();
            if let Some(mut pixels) = PixmapMut::from_bytes(&mut self.pixels, self.width as u32, self.height as u32) {
                draw(&mut pixels, &paint, self.transform, mask);
            }
        } else if let Some(rows) = self.pixels.get_mut(top * self.width * 4..bottom * self.width * 4)
            && let Some(mut pixels) = PixmapMut::from_bytes(rows, self.width as u32, (bottom - top) as u32)
        {
            draw(&mut pixels, &paint, self.transform.post_translate(0.0, -(top as f32)), None);
        }
    }
}

impl Clip {
    fn cut_mask(&mut self, width: usize, height: usize) {
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

fn mapped(transform: Transform, [x, y]: [f32; 2]) -> [f32; 2] {
    let mut point = Point::from_xy(x, y);
    transform.map_point(&mut point);
    [point.x, point.y]
}

fn round_rect(area: Area, radius: f32) -> Option<Path> {
    let Area { left, top, right, bottom } = area;
    let handle = radius * 0.4477; // of a cubic that follows a quarter of a circle, from the corner
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - handle, top, right, top + handle, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - handle, right - handle, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.cubic_to(left + handle, bottom, left, bottom - handle, left, bottom - radius);
    path.line_to(left, top + radius);
    path.cubic_to(left, top + handle, left + handle, top, left + radius, top);
    path.close();
    path.finish()
}
