//! What a verb means for who does it: a car drifts around a corner, a balloon drifts in the air.

use crate::codes::{Act, Kind, Motion};
use crate::words::lexicon::Sense;
use crate::words::traits::{base, traits};

use super::Draft;

/// Motion and act that a verb gives to a thing.
pub(super) fn suited(sense: &Sense, thing: &Draft) -> (Option<Motion>, Option<Act>) {
    let (kind, alive) = (thing.kind(), thing.alive());
    let Some(act) = sense.act else { return (sense.motion, None) };
    let told = (sense.motion, Some(act));
    match act {
        Act::Glide if matches!(kind, Kind::Person | Kind::Animal | Kind::Vehicle) && !traits().has(thing.sprite, "flies") => {
            (Some(Motion::Drive), Some(act))
        }
        Act::Glide if kind == Kind::Boat => (Some(Motion::Sail), None),
        Act::Glide if kind == Kind::Swimmer => (Some(Motion::Swim), None),
        Act::Glide => (Some(Motion::Fly), Some(act)),
        Act::Dive if matches!(kind, Kind::Flyer | Kind::Aircraft) => (Some(Motion::Fly), Some(act)),
        Act::Dive if matches!(kind, Kind::Swimmer | Kind::Boat) => told,
        Act::Dive => (Some(Motion::Jump), None),
        Act::Drift if kind != Kind::Vehicle => (Some(Motion::Hover), None),
        Act::Halt if kind != Kind::Vehicle => (Some(Motion::Idle), None),
        Act::TakeOff if matches!(base(thing.sprite), "rocket" | "spaceship" | "flying-saucer") => (Some(Motion::Launch), None),
        Act::TakeOff if !matches!(kind, Kind::Aircraft | Kind::Flyer) => (None, None),
        Act::Tip | Act::Crash | Act::Collapse if alive => (Some(Motion::Fall), None),
        Act::BalanceOn if kind != Kind::Person => (sense.motion, Some(Act::Balance)),
        Act::Stack if kind == Kind::Person => (sense.motion, Some(Act::PileUp)),
        Act::LickTreat if kind != Kind::Person => (sense.motion, Some(Act::Lick)),
        Act::WeaveCloth if kind != Kind::Person => (sense.motion, Some(Act::Weave)),
        Act::Pop | Act::Open | Act::Stack | Act::Spill | Act::Overflow | Act::Drip if alive && sense.object.is_none() => {
            (sense.motion, None)
        }
        Act::Wallow if !alive => (Some(Motion::Roll), None),
        Act::Melt if alive && !base(thing.sprite).starts_with("snowman") => (Some(Motion::Shrink), None),
        Act::Wag | Act::Yawn | Act::Sneeze | Act::Lick | Act::Scratch if !alive => (sense.motion, None),
        _ => told,
    }
}
