//! The parts of one figure as pictures, rasterised once, and drawn at any stance through the cut-out's own mesh.

use resvg::{tiny_skia, usvg};

use super::rig::ink;
use super::skeleton::{Affine, BOX, Figure, Stance};
use crate::canvas::{Canvas, Picture, Tint, Vertex};
use crate::codes::Colour;

/// One part as a picture.
struct Cut {
    picture: Picture,
    /// Left and top of the picture in design units of the figure.
    corner: [f32; 2],
    /// Design units in a pixel.
    step: f32,
}

/// A part where a stance puts it.
pub struct Placed<'a> {
    pub picture: &'a Picture,
    /// From pixels of the picture to box units, 0 to 1.
    pub place: Affine,
}

/// A figure ready to be drawn at one size.
pub struct Puppet {
    figure: Figure,
    /// As many as the figure has parts; `None` for a part without ink.
    cuts: Vec<Option<Cut>>,
}

impl Puppet {
    /// For a box of `side` x `side` pixels; `colour` replaces the outfit's or the coat's.
    pub fn of(figure: &Figure, side: usize, colour: Option<Colour>) -> Self {
        let mut figure = figure.clone();
        if let Some(colour) = colour {
            figure.palette = figure.coloured(colour);
        }
        let scale = figure.fit.0[0] * side.max(8) as f32 / BOX;
        let cuts = figure.parts.iter().map(|part| cut(&figure.palette.paint(&part.svg), scale)).collect();
        Self { figure, cuts }
    }

    pub fn figure(&self) -> &Figure {
        &self.figure
    }

    /// Of all parts, in no order that matters.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.cuts.iter().flatten().map(|cut| &cut.picture)
    }

    /// What is seen at a stance, from back to front.
    pub fn layers(&self, stance: &Stance) -> Vec<Placed<'_>> {
        let places = self.figure.places(stance);
        self.figure
            .seen(stance)
            .filter_map(|index| {
                let (cut, place) = (self.cuts.get(index)?.as_ref()?, places.get(index)?);
                let pixels = Affine::shifted(cut.corner).after(Affine::scaled(cut.step));
                Some(Placed { picture: &cut.picture, place: Affine::scaled(1.0 / BOX).after(*place).after(pixels) })
            })
            .collect()
    }

    /// Draws the figure. `place` takes box units (0 to 1, y down; parts may reach out of the box) to pixels of the canvas:
    /// the cut-out's own transform with its flip, squash, bend and turn.
    pub fn draw(&self, canvas: &mut Canvas, place: impl Fn([f32; 2]) -> [f32; 2], stance: &Stance, tint: Tint, alpha: f32) {
        for layer in self.layers(stance) {
            let (vertices, columns, rows) = layer.mesh(&place);
            canvas.mesh(layer.picture, &vertices, columns, rows, tint, alpha);
        }
    }
}

impl Placed<'_> {
    /// Corners of a grid over the picture, row by row, and how many columns and rows of cells it has: a cell is at most an
    /// eighth of the box, so that a bent mesh stays smooth.
    pub fn mesh(&self, place: impl Fn([f32; 2]) -> [f32; 2]) -> (Vec<Vertex>, usize, usize) {
        let (width, height) = (self.picture.width as f32, self.picture.height as f32);
        let [a, b, ..] = self.place.0;
        let unit = (a * a + b * b).sqrt();
        let cells = |pixels: f32| ((pixels * unit * 8.0).ceil() as usize).clamp(1, 8);
        let (columns, rows) = (cells(width), cells(height));
        let vertices = (0..=rows)
            .flat_map(|row| (0..=columns).map(move |column| (column, row)))
            .map(|(column, row)| {
                let from = [width * column as f32 / columns as f32, height * row as f32 / rows as f32];
                Vertex { at: place(self.place.of(from)), from }
            })
            .collect();
        (vertices, columns, rows)
    }
}

/// `body` in design units, at `scale` pixels a unit, with a rim of two empty pixels.
fn cut(body: &str, scale: f32) -> Option<Cut> {
    const RIM: f32 = 2.0;
    let [left, top, right, bottom] = ink(body)?;
    let step = 1.0 / scale.max(1e-3);
    let corner = [left - RIM * step, top - RIM * step];
    let size = |length: f32| (length * scale + 2.0 * RIM).ceil().clamp(1.0, 4096.0) as u32;
    let (width, height) = (size(right - left), size(bottom - top));
    let (w, h) = (width as f32 * step, height as f32 * step);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"{} {} {w} {h}\">{body}</svg>",
        corner[0], corner[1]
    );
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).ok()?;
    let mut pixmap = tiny_skia::Pixmap::new(width, height)?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    let pixels = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]).collect();
    Some(Cut { picture: Picture { width: width as usize, height: height as usize, pixels }, corner, step })
}
