//! Every act that is done together or with an apparatus, as data: one entry each.

mod company;
mod exercise;
mod feats;
mod games;
mod shows;
mod tables;

use super::{Held, Plant, Posture, Practice, Stand, Touch};
use crate::codes::Act;
use crate::figures::Gesture;

pub(super) const PRACTICES: &[&[Practice]] =
    &[company::PRACTICES, exercise::PRACTICES, feats::PRACTICES, games::PRACTICES, shows::PRACTICES, tables::PRACTICES];

/// Somebody who stands there.
const STANDS: Posture = Posture {
    base: Gesture::Stand,
    pace: 0.75,
    bends: &[],
    turn: (0.0, 0.0),
    plant: Plant::Feet,
    near: Touch::Free,
    far: Touch::Free,
    mouth: None,
    held: Held::Nothing,
    path: &[],
    feeling: None,
};

/// Somebody alone who does nothing in particular.
const ALONE: Practice = Practice {
    act: Act::Hide,
    stand: Stand::Alone,
    high: 0.0,
    postures: &[STANDS],
    behind: &[],
    before: &[],
    reach: (0.0, 0.0),
    marks: &[],
    shows: &[],
};
