//! Reads values that are known from `tests/data`: briefs, layouts and what became of them.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use flipbook::codes::{Backdrop, Hour, Kind, Motion, Relation, Weather};
use flipbook::scene::{Brief, Layout, Slot, WIDTH};
use flipbook::sprites::atlas;
use serde_json::Value;

pub fn read(file: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/{file}", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn read_slot(value: &Value) -> Slot {
    let count = |key: &str| value[key].as_u64().unwrap() as usize;
    let small = |key: &str| value[key].as_i64().unwrap() as i8;
    Slot {
        sprite: atlas().named(text(&value["sprite"])).unwrap(),
        thing: count("thing"),
        kind: Kind::named(text(&value["kind"])).unwrap(),
        motion: Motion::named(text(&value["motion"])).unwrap(),
        relation: Relation::named(text(&value["relation"])).unwrap(),
        parent: value["parent"].as_u64().map(|parent| parent as usize), // -1: none
        size: small("size"),
        metres: number(&value["metres"]),
        aspect: number(&value["aspect"]),
        facing: small("facing"),
        rank: count("rank"),
        copies: count("copies"),
        members: 1,
        act: None,
        course: None,
    }
}

pub fn read_brief(value: &Value) -> Brief {
    Brief {
        slots: value["slots"].as_array().unwrap().iter().map(read_slot).collect(),
        backdrop: Backdrop::named(text(&value["backdrop"])).unwrap(),
        weather: Weather::named(text(&value["weather"])).unwrap(),
        hour: Hour::named(text(&value["time"])).unwrap(),
        aspect: number(&value["aspect"]),
        seconds: number(&value["seconds"]),
    }
}

/// Rows whose sizes are plain, not log2.
pub fn read_layout(value: &Value) -> Layout {
    let mut rows: Vec<[f32; WIDTH]> = value
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_array().unwrap().iter().map(number).collect::<Vec<_>>().try_into().unwrap())
        .collect();
    rows[1..].iter_mut().for_each(|row| row[2] = row[2].log2());
    Layout::of_rows(&rows)
}
