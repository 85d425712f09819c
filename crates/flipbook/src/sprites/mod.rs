//! The atlas: every drawing with its traits. A drawing is the body of an SVG with a view box of 32 x 32.
//!
//! The data is packed from packages, `data/traits.txt` and `examples/pack/own/*.svg` by `cargo run --example pack`; what is in
//! `data/drawings.json` is read beside it.

mod raster;
mod recolour;
pub mod row;

use std::collections::HashMap;
use std::io::BufReader;
use std::sync::OnceLock;

use brotli_decompressor::Decompressor;
use serde::{Deserialize, de::DeserializeOwned};

use crate::codes::{Colour, Kind};
use crate::figures;

pub use crate::canvas::Picture;
pub use raster::{Measured, measure, raster};
pub use recolour::{asked, recolour};
use row::Row;

static PACKED: &[u8] = include_bytes!("../../data/sprites.json.br");
/// Drawings that came after the pack, as plain text.
static LATER: &str = include_str!("../../data/drawings.json");

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

#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Row")]
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
    /// SVG elements of a jointed character, which is not packed but drawn; empty until asked for.
    figure: OnceLock<String>,
}

impl Sprite {
    /// SVG elements.
    pub fn body(&self) -> &str {
        match bodies().get(&self.name) {
            Some(body) => body,
            None => self.figure.get_or_init(|| figures::standing(&self.name).unwrap_or_default()),
        }
    }
}

/// What is packed of a drawing, to draw it.
#[derive(Deserialize)]
struct Body {
    name: String,
    #[serde(default)]
    body: String,
}

/// SVG elements by the name of their drawing. They are most of the atlas, and whoever reads prompts draws nothing: so they are unpacked with the
/// first that is drawn.
fn bodies() -> &'static HashMap<String, String> {
    static BODIES: OnceLock<HashMap<String, String>> = OnceLock::new();
    BODIES.get_or_init(|| {
        let packed = unpacked::<Body>().into_iter().filter(|drawing| !drawing.body.is_empty());
        packed.map(|drawing| (drawing.name, drawing.body)).collect()
    })
}

/// All drawings, unpacked once.
pub fn atlas() -> &'static Atlas {
    static ATLAS: OnceLock<Atlas> = OnceLock::new();
    ATLAS.get_or_init(Atlas::unpack)
}

/// Rows of all drawings, read one after the other: their text is never in memory as a whole.
#[expect(clippy::expect_used, reason = "the data is part of this crate and its tests unpack it")]
fn unpacked<T: DeserializeOwned>() -> Vec<T> {
    let text = BufReader::new(Decompressor::new(PACKED, 1 << 16));
    let mut rows: Vec<T> = serde_json::from_reader(text).expect("rows of the atlas, packed with brotli");
    let later: Vec<T> = serde_json::from_str(LATER).expect("rows of the atlas");
    rows.extend(later);
    rows
}

/// By name, in alphabetical order.
pub struct Atlas {
    sprites: Vec<Sprite>,
}

impl Atlas {
    fn unpack() -> Self {
        let mut sprites: Vec<Sprite> = unpacked();
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
