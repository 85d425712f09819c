//! How far joints turn, and what a build leaves of a gesture made for all.

use std::f32::consts::{PI, TAU};

use super::Gesture;
use super::legs::{FAR_LEG, NEAR_LEG};
use crate::figures::skeleton::{Figure, JOINTS, Joint, Stance};
use Joint::*;

/// How far each joint turns, radians, in the order of [`Joint`].
pub(super) const LIMITS: [(f32, f32); JOINTS] = [
    (-0.5, 0.5),  // Root
    (-0.9, 0.7),  // Chest
    (-2.1, 0.9),  // Neck
    (-0.8, 1.0),  // Head
    (-7.0, 7.0),  // ArmNear: goes all round
    (-7.0, 7.0),  // ArmFar
    (-1.3, 2.6),  // ForearmNear
    (-1.3, 2.6),  // ForearmFar
    (-1.1, 2.0),  // ThighNear
    (-1.1, 2.0),  // ThighFar
    (-2.4, 1.2),  // ShinNear
    (-2.4, 1.2),  // ShinFar
    (-0.9, 0.9),  // FootNear
    (-0.9, 0.9),  // FootFar
    (-0.9, 0.9),  // Tail
    (-0.8, 0.8),  // TailTip
    (-0.6, 0.6),  // EarNear
    (-0.6, 0.6),  // EarFar
    (-0.35, 0.5), // Hair
    (-0.5, 1.6),  // Skirt
    (-1.3, 0.3),  // Cape
    (-0.9, 0.9),  // WingNear
    (-0.9, 0.9),  // WingFar
    (-1.4, 1.4),  // Trunk
    (-1.2, 1.2),  // TrunkTip
    (-9.0, 9.0),  // Board: levels itself
    (0.0, 0.0),   // Fixed
];

/// What a figure's build leaves of a gesture made for all.
pub(super) fn restrict(figure: &Figure, gesture: Gesture, s: &mut Stance) {
    let manner = figure.manner;
    if manner.level {
        s.turn = s.turn.clamp(-0.3, 0.3);
    }
    if manner.wings {
        for wing in [ArmNear, ArmFar] {
            let angle = s[wing].rem_euclid(TAU);
            let angle = if angle > PI { angle - TAU } else { angle };
            // Wings rise away from the body, whatever an arm would do.
            let angle = if gesture == Gesture::Swim { 0.1 * angle } else { angle };
            s[wing] = match (wing, folded(figure)) {
                (_, true) => -(0.4 * angle.abs()).min(0.75),
                (ArmNear, _) => -angle.abs().min(2.0),
                _ => angle.abs().min(2.0),
            };
        }
        if !matches!(gesture, Gesture::Sit | Gesture::Sleep | Gesture::Ride) {
            for [thigh, shin, foot] in [NEAR_LEG, FAR_LEG] {
                s[thigh] = s[thigh].clamp(-0.3, 0.45);
                s[shin] = s[shin].clamp(-0.6, 0.2);
                s[foot] = s[foot].clamp(-0.5, 0.5);
            }
        }
    }
    if manner.paws {
        for (arm, forearm) in [(ArmNear, ForearmNear), (ArmFar, ForearmFar)] {
            s[arm] = s[arm].clamp(-0.7, 1.0);
            s[forearm] = s[forearm].clamp(-0.4, 0.9);
        }
    }
    if figure.parts.iter().any(|part| part.joint == Trunk) {
        // The trunk reaches the ground for it.
        s[Neck] *= 0.25;
        s[Head] *= 0.5;
    }
    if manner.fin {
        let swing = (s[ThighNear] - s[ThighFar]) * 0.5;
        let seated = s[ThighNear].min(s[ThighFar]).max(0.0);
        s[ThighNear] = (swing * 0.5).clamp(-0.35, 0.35) + seated * 0.6;
        s[ShinNear] = (swing * 0.6).clamp(-0.4, 0.4) + (s[ShinNear] * 0.1).clamp(-0.2, 0.2);
    }
}

/// Wings that lie along the back, as a hen's.
fn folded(figure: &Figure) -> bool {
    let shoulder = figure.parts.iter().find(|part| part.joint == ArmNear).map_or([0.0; 2], |part| part.pivot);
    let hand = figure.anchors.hand.at;
    (hand[0] - shoulder[0]).abs() > (hand[1] - shoulder[1]).abs()
}
