//! A drawing as `data/sprites.json.br` holds it: a JSON array of these, in the order of the emoji, which packs best.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::codes::Kind;
use crate::sprites::{Ink, Sprite};

/// Pixels of a side in which ink boxes are given.
pub const GRID: u8 = 64;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub emoji: String,
    pub group: String,
    #[serde(with = "kind_by_name")]
    pub kind: Kind,
    pub metres: f32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub facing: i8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<f32>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub glows: bool,
    /// Left, top, right, bottom of [`GRID`].
    pub ink: [u8; 4],
    pub head: f32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Empty for jointed characters, which are drawn by `figures`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
}

impl From<Row> for Sprite {
    fn from(row: Row) -> Self {
        let Row { name, emoji, group, kind, metres, facing, heading, glows, ink, head, words, body: _ } = row;
        let [left, top, right, bottom] = ink.map(|edge| f32::from(edge) / f32::from(GRID));
        let ink = Ink { left, top, right, bottom };
        Self { name, emoji, group, kind, metres, facing, heading, glows, ink, head, words, figure: OnceLock::new() }
    }
}

fn is_zero(number: &i8) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

mod kind_by_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::codes::Kind;

    pub fn serialize<S: Serializer>(kind: &Kind, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(kind.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Kind, D::Error> {
        let name = String::deserialize(from)?;
        Kind::named(&name).ok_or_else(|| D::Error::custom(format!("no kind {name}")))
    }
}
