//! Tails, ears, hair and cloth: what follows a body late.

use std::f32::consts::TAU;

use super::{Gesture, hump, part};
use crate::figures::skeleton::{Joint, Stance};
use Joint::*;

/// What hangs and trails: a little behind the body's beat.
pub(super) fn followers(gesture: Gesture, beat: f32, vigour: f32, s: &mut Stance) {
    let p = TAU * beat;
    let (reach, pace) = match gesture {
        Gesture::Run | Gesture::Jump | Gesture::Dance => (0.34, 1.0),
        Gesture::Walk | Gesture::Play | Gesture::Fight | Gesture::Fence | Gesture::Swim | Gesture::Fly => (0.24, 1.0),
        Gesture::Sleep => (0.04, 0.3),
        _ => (0.16, 0.5),
    };
    let reach = reach * (0.6 + 0.6 * vigour);
    s[Tail] += reach * (p * pace - 0.9).sin();
    s[TailTip] += reach * 0.9 * (p * pace - 1.9).sin();
    s[EarNear] += reach * 0.35 * (2.0 * p * pace - 1.2).sin() + 0.3 * hump(part(beat * 0.23), 0.8, 0.86);
    s[EarFar] += reach * 0.35 * (2.0 * p * pace - 1.5).sin();
    s[Hair] += reach * 0.4 * (2.0 * p * pace - 1.2).sin();
    s[Trunk] += reach * 0.6 * (p * pace - 0.6).sin();
    s[TrunkTip] += reach * 0.8 * (p * pace - 1.4).sin();
    let wind = match gesture {
        Gesture::Run | Gesture::Ride | Gesture::Glide | Gesture::Skate | Gesture::Pedal => -0.75,
        Gesture::Walk | Gesture::Jump => -0.3,
        Gesture::Fly | Gesture::Swim => -0.15,
        Gesture::Sit => -0.95,
        Gesture::Sleep => 0.3,
        _ => -0.06,
    };
    s[Cape] += wind + 0.1 * (2.0 * p * pace - 1.0).sin();
    if matches!(gesture, Gesture::Run | Gesture::Ride) {
        s[Hair] -= 0.22;
    }
    // Cloth goes with the thighs under it.
    let (near, far) = (s[ThighNear], s[ThighFar]);
    s[Skirt] += 0.48 * (near + far).max(0.0) + 0.12 * (near - far) * 0.3 + reach * 0.25 * (p * pace - 0.8).sin();
}
