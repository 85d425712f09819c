//! A drawing's body becomes pixels, and pixels become its ink box.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::canvas::Picture;
use crate::sprites::row::GRID;

/// Units of the view box.
const BOX: f32 = 32.0;
/// Pixels more opaque than this are ink.
const OPAQUE: u8 = 40;

/// The body of an SVG at `side` x `side` pixels; nothing where it is not valid.
pub fn raster(body: &str, side: usize) -> Picture {
    let pixels = pixmap(body, side).map_or_else(|| vec![[0; 4]; side * side], |pixmap| pixmap.data().as_chunks::<4>().0.to_vec());
    Picture { width: side, height: side, pixels }
}

fn pixmap(body: &str, side: usize) -> Option<Pixmap> {
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">{body}</svg>"#);
    let tree = Tree::from_str(&svg, &Options::default()).ok()?;
    let mut pixmap = Pixmap::new(side as u32, side as u32)?;
    let scale = side as f32 / BOX;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Some(pixmap)
}

/// Where a drawing has its ink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Left, top, right, bottom of [`GRID`].
    pub ink: [u8; 4],
    /// Mean place of the ink's uppermost eighth, as a share of its width.
    pub head: f32,
}

/// `None` for a drawing without ink.
pub fn measure(body: &str) -> Option<Measured> {
    let side = usize::from(GRID);
    let picture = raster(body, side);
    let inked = |x: usize, y: usize| picture.pixels[y * side + x][3] > OPAQUE;
    let columns = |from: usize, to: usize| (0..side).filter(move |x| (from..to).any(|y| inked(*x, y)));
    let rows: Vec<usize> = (0..side).filter(|y| (0..side).any(|x| inked(x, *y))).collect();
    let (top, bottom) = (*rows.first()?, rows.last()? + 1);
    let (left, right) = (columns(top, bottom).next()?, columns(top, bottom).next_back()? + 1);
    let crown: Vec<usize> = columns(top, top + ((bottom - top) / 8).max(2).min(bottom - top)).collect();
    let middle = crown.iter().map(|x| (x - left) as f32).sum::<f32>() / crown.len().max(1) as f32;
    Some(Measured { ink: [left, top, right, bottom].map(|edge| edge as u8), head: middle / (right - left) as f32 })
}
