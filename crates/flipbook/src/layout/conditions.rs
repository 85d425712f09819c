//! What the network reads of a brief: codes, each with an embedding of its own, and numbers. Weights depend on every value here.

use super::places::{Zone, zone};
use crate::scene::{Brief, SLOTS, Slot};

/// Tokens of a scene at most: the frame's, and one for each slot.
pub const TOKENS: usize = 1 + SLOTS;
/// Numbers that describe a token.
pub const NUMBERS: usize = 6;

/// | token | codes                                                 | numbers                                                        |
/// |-------|-------------------------------------------------------|----------------------------------------------------------------|
/// | frame | backdrop, weather, hour, slots, 0                     | log2 aspect, seconds / 4 - 1, 0, 0, 0, 0                       |
/// | slot  | kind, motion, relation, parent's slot + 1, size + 2   | log2(metres) / 3, log2 of the ink's aspect, facing,            |
/// |       |                                                       | rank / 3 - 1/2, copies / 3 - 1/2, zone / 3                     |
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// `[1 + slots, codes]`, 0 past `tokens`.
    pub codes: [[u32; 5]; TOKENS],
    /// `[1 + slots, numbers]`, 0 past `tokens`.
    pub numbers: [[f32; NUMBERS]; TOKENS],
    /// Rows in use: 1 + slots.
    pub tokens: usize,
}

pub fn conditions(brief: &Brief) -> Conditions {
    let slots = brief.slots.iter().take(SLOTS);
    let mut read = Conditions { codes: [[0; 5]; TOKENS], numbers: [[0.0; NUMBERS]; TOKENS], tokens: 1 + slots.len() };
    read.codes[0] = [brief.backdrop.code(), brief.weather.code(), brief.hour.code(), slots.len(), 0].map(|code| code as u32);
    read.numbers[0] = [log2(brief.aspect), brief.seconds / 4.0 - 1.0, 0.0, 0.0, 0.0, 0.0];
    for (token, slot) in slots.enumerate() {
        read.codes[1 + token] = codes(slot);
        read.numbers[1 + token] = numbers(slot, zone(slot, brief.backdrop));
    }
    read
}

fn codes(slot: &Slot) -> [u32; 5] {
    let parent = slot.parent.map_or(0, |parent| parent + 1);
    let size = usize::from(slot.size.saturating_add(2).clamp(0, 4).unsigned_abs());
    [slot.kind.code(), slot.motion.code(), slot.relation.code(), parent, size].map(|code| code as u32)
}

fn numbers(slot: &Slot, zone: Zone) -> [f32; NUMBERS] {
    let third = |count: usize| (count as f64 / 3.0 - 0.5) as f32;
    [
        (f64::from(slot.metres).log2() / 3.0) as f32,
        log2(slot.aspect),
        f32::from(slot.facing),
        third(slot.rank),
        third(slot.copies),
        (f64::from(zone_code(zone)) / 3.0) as f32,
    ]
}

fn log2(value: f32) -> f32 {
    f64::from(value).log2() as f32
}

/// 0 has no meaning.
fn zone_code(zone: Zone) -> u8 {
    match zone {
        Zone::Free => 1,
        Zone::Air => 2,
        Zone::Ground => 3,
        Zone::Surface => 4,
        Zone::Centre => 5,
    }
}
