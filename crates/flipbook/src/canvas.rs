//! What the painter draws with: paths by tiny-skia, rectangles, spots, pictures and meshes by loops of our own.
//!
//! A frame holds hundreds of spots, a handful of layers as wide as itself and a few bent pictures. Those have loops here
//! that go along rows; everything else is a path.

mod area;
mod blend;
mod clip;
mod ink;
mod picture;
mod shade;
mod spot;
mod texture;

use std::sync::OnceLock;

use resvg::tiny_skia::{BlendMode, FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, PixmapMut, Point, Rect, Stroke, Transform};

use area::Bounds;
use blend::Surface;
use clip::Clip;
use shade::Shader;
use texture::{Look, Texels};

pub use area::Area;
pub use ink::{Ink, Puff, Rgb, Shade, Stop, Tint, Vertex};
pub use picture::Picture;
pub(crate) use texture::halved;

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
