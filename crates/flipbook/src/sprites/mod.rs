//! The atlas: every drawing with its traits. A drawing is the body of an SVG with a view box of 32 x 32.
//!
//! The data is packed from packages, `data/traits.txt` and `examples/pack/own/*.svg` by `cargo run --example pack`.

mod raster;
mod recolour;
pub mod row;

use std::io::Read;
use std::sync::OnceLock;

use crate::codes::{Colour, Kind};
use crate::figures;

pub use crate::canvas::Picture;
pub use raster::{Measured, measure, raster};
pub use recolour::{asked, recolour};
use row::Row;

/// A drawing's place in the atlas. Valid for the atlas of this build alone: names are what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpriteId(pub u16);

/// A box in units of the drawing: 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

#[derive(Clone, Debug)]
pub struct Sprite {
    pub name: String,
    /// Empty for drawings of our own.
    pub emoji: String,
    /// The emoji's subgroup, as in `musical-instrument`.
    pub group: String,
    pub kind: Kind,
    /// Natural height.
    pub metres: f32,
    /// -1 drawn facing left, 1 right, 0 neither.
    pub facing: i8,
    /// Degrees above "to the right" in which it is drawn to move.
    pub heading: Option<f32>,
    pub glows: bool,
    pub ink: Ink,
    /// Where the top of the drawing is, as a share of the ink's width: hats go there.
    pub head: f32,
    /// What a drawing of our own is called, in English; empty for emoji, whose names are among the words.
    pub words: Vec<String>,
    /// SVG elements; empty until asked for where the drawing is a jointed character, which is not packed but drawn.
    body: OnceLock<String>,
}

impl Sprite {
    /// SVG elements.
    pub fn body(&self) -> &str {
        self.body.get_or_init(|| figures::standing(&self.name).unwrap_or_default())
    }
}

/// All drawings, unpacked once.
pub fn atlas() -> &'static Atlas {
    static ATLAS: OnceLock<Atlas> = OnceLock::new();
    ATLAS.get_or_init(|| Atlas::unpack(include_bytes!("../../data/sprites.json.br")))
}

/// By name, in alphabetical order.
pub struct Atlas {
    sprites: Vec<Sprite>,
}

impl Atlas {
    #[expect(clippy::expect_used, reason = "the data is part of this crate and its tests unpack it")]
    fn unpack(packed: &[u8]) -> Self {
        let mut json = Vec::new();
        brotli_decompressor::Decompressor::new(packed, 1 << 16).read_to_end(&mut json).expect("packed with brotli");
        let rows: Vec<Row> = serde_json::from_slice(&json).expect("rows of the atlas");
        let mut sprites: Vec<Sprite> = rows.into_iter().map(Sprite::from).collect();
        sprites.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Self { sprites }
    }

    pub fn get(&self, id: SpriteId) -> &Sprite {
        &self.sprites[usize::from(id.0)]
    }

    pub fn named(&self, name: &str) -> Option<SpriteId> {
        self.sprites.binary_search_by(|sprite| sprite.name.as_str().cmp(name)).ok().map(|index| SpriteId(index as u16))
    }

    pub fn ids(&self) -> impl Iterator<Item = SpriteId> {
        (0..self.sprites.len()).map(|index| SpriteId(index as u16))
    }
}

/// The drawing at `side` x `side` pixels, its main colour moved to `colour`.
pub fn picture(id: SpriteId, side: usize, colour: Option<Colour>) -> Picture {
    let sprite = atlas().get(id);
    match colour {
        Some(colour) => raster(&recolour(sprite, colour), side),
        None => raster(sprite.body(), side),
    }
}
