//! What the tests of scenes share: briefs and layouts by chance, and programs of a few things.

#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

pub mod known;

use flipbook::codes::{Backdrop, Hour, Motion, Relation, Weather};
use flipbook::layout::random_brief;
use flipbook::random::Random;
use flipbook::scene::{Brief, Layout, Program, Thing, WIDTH};
use flipbook::sprites::atlas;

const BRIEFS: u64 = 500;

/// Briefs, each with a stream of chance of its own.
pub fn briefs() -> impl Iterator<Item = (Brief, Random)> {
    (0..BRIEFS).map(|seed| {
        let mut random = Random::of(seed, 1);
        (random_brief(&mut random), random)
    })
}

/// What a network that learnt nothing would give: numbers spread as those of real scenes.
pub fn noise(brief: &Brief, random: &mut Random) -> Layout {
    const FRAME: [[f32; 2]; WIDTH] = [
        [0.7, 0.17],
        [0.5, 0.28],
        [0.2, 0.14],
        [0.0, 0.35],
        [0.0, 0.3],
        [0.0, 0.3],
        [0.0, 0.8],
        [0.07, 0.03],
        [0.5, 0.2],
        [0.0, 0.5],
        [0.6, 0.17],
        [0.6, 0.17],
    ];
    const OBJECT: [[f32; 2]; WIDTH] = [
        [0.5, 0.25],
        [0.75, 0.25],
        [-2.0, 0.6],
        [0.0, 0.005],
        [0.25, 0.12],
        [0.0, 1.0],
        [0.0, 0.2],
        [0.0, 0.3],
        [0.06, 0.12],
        [1.2, 1.3],
        [0.0, 0.29],
        [0.02, 0.06],
    ];
    let mut row = |from: [[f32; 2]; WIDTH]| from.map(|[mean, deviation]| random.normal(mean, deviation));
    let rows: Vec<_> = std::iter::once(FRAME).chain(brief.slots.iter().map(|_| OBJECT)).map(&mut row).collect();
    Layout::of_rows(&rows)
}

pub fn all_finite(layout: &Layout) -> bool {
    layout.rows().iter().flatten().all(|number| number.is_finite())
}

pub fn program(things: Vec<Thing>) -> Program {
    Program { things, backdrop: Backdrop::Meadow, weather: Weather::Clear, hour: Hour::Day, setting: None, aurora: false, caption: None }
}

pub fn thing(sprite: &str, count: usize) -> Thing {
    Thing {
        sprite: atlas().named(sprite).unwrap(),
        motion: Motion::Idle,
        colour: None,
        size: 0,
        count,
        relation: Relation::None,
        parent: None,
        effect: None,
        act: None,
        course: None,
        added: false,
    }
}

pub fn related(sprite: &str, relation: Relation, parent: usize) -> Thing {
    Thing { relation, parent: Some(parent), ..thing(sprite, 1) }
}
