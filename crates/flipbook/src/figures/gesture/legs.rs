//! What two legs do in more than one gesture: steps, crouches, leaps, seats.

use super::hump;
use crate::figures::skeleton::{Joint, Stance};
use Joint::*;

/// Swings one leg of a walk: `phase` in radians, 0 at mid-stance going back to front.
pub(super) fn step(s: &mut Stance, leg: [Joint; 3], phase: f32, reach: f32, fold: f32, toe: f32) {
    let [thigh, shin, foot] = leg;
    let forward = phase.cos().max(0.0);
    s[thigh] = reach * phase.sin() + 0.18 * fold * forward;
    s[shin] = -(0.08 + fold * forward);
    s[foot] = -(s[thigh] + s[shin]) * 0.85 - toe * (phase - 0.5).sin().min(0.0) * -0.3;
}

pub(super) const NEAR_LEG: [Joint; 3] = [ThighNear, ShinNear, FootNear];
pub(super) const FAR_LEG: [Joint; 3] = [ThighFar, ShinFar, FootFar];

/// Bends both knees so that the feet stay flat.
pub(super) fn crouch(s: &mut Stance, by: f32) {
    for [thigh, shin, foot] in [NEAR_LEG, FAR_LEG] {
        s[thigh] += by;
        s[shin] -= 1.9 * by;
        s[foot] += 0.9 * by;
    }
}

/// Legs apart, feet flat.
pub(super) fn straddle(s: &mut Stance, forward: f32, back: f32) {
    s[ThighFar] = forward + 0.12;
    s[ShinFar] = -0.3;
    s[FootFar] = 0.18 - forward;
    s[ThighNear] = -back;
    s[ShinNear] = -0.2;
    s[FootNear] = 0.2 + back;
}

/// On the ground: one leg stretched, one knee up.
pub(super) fn seat(s: &mut Stance, breath: f32) {
    s[Tail] = -0.35;
    s[ThighNear] = 1.5;
    s[ShinNear] = -0.55;
    s[FootNear] = -0.35;
    s[ThighFar] = 1.85;
    s[ShinFar] = -1.5;
    s[FootFar] = -0.3;
    s[Chest] = 0.1 + 0.01 * breath;
    s[ArmNear] = -0.45;
    s[ForearmNear] = 0.1;
    s[ArmFar] = 0.75;
    s[ForearmFar] = 0.35;
    s[Head] = 0.03 * breath - 0.05;
}

/// On a board: knees bent, arms out for balance.
pub(super) fn glide(s: &mut Stance, p: f32, v: f32) {
    let sway = (p * 0.5).sin();
    s[ThighFar] = 0.5 + 0.08 * sway;
    s[ShinFar] = -0.85;
    s[FootFar] = 0.35;
    s[ThighNear] = 0.1 + 0.08 * sway;
    s[ShinNear] = -0.75 - 0.1 * sway;
    s[FootNear] = 0.65;
    s[ArmNear] = -1.25 + 0.25 * sway;
    s[ArmFar] = 1.3 + 0.25 * sway;
    s[ForearmNear] = 0.2;
    s[ForearmFar] = 0.2;
    s[Chest] = -0.18 - 0.05 * v + 0.05 * sway;
    s[Head] = 0.14;
}

/// Crouch (to 0.2 of a cycle), flight (to 0.8), landing.
pub(super) fn bound(s: &mut Stance, u: f32, strength: f32) {
    let low = hump(u, 0.0, 0.22) + 0.9 * hump(u, 0.8, 1.0);
    let air = hump(u, 0.18, 0.82);
    crouch(s, 0.62 * low * strength.min(1.0));
    s[Chest] = -0.32 * low + 0.04 * air;
    s[Head] = 0.18 * low + 0.04;
    s[ArmNear] = -0.9 * low - 2.4 * air * strength.min(1.0) - 0.14;
    s[ArmFar] = 0.14 - 0.7 * low + 2.6 * air * strength.min(1.0);
    s[ForearmNear] = 0.3 - 0.3 * air;
    s[ForearmFar] = 0.3;
    s[ThighNear] += 0.2 * air;
    s[ShinNear] -= 0.85 * air;
    s[ThighFar] += 0.75 * air;
    s[ShinFar] -= 1.05 * air;
    s[FootNear] -= 0.3 * air;
    s[Tail] -= 0.4 * air - 0.3 * low;
    s[EarNear] += 0.45 * air;
    s[EarFar] += 0.45 * air;
    s.mouth_open = air > 0.3;
}

pub(super) fn kick_feet(s: &mut Stance, phase: f32, reach: f32) {
    s[ThighNear] = reach * phase.sin();
    s[ThighFar] = -reach * phase.sin();
    s[ShinNear] = -0.15 - reach * (1.0 + phase.cos());
    s[ShinFar] = -0.15 - reach * (1.0 - phase.cos());
    s[FootNear] = -0.7;
    s[FootFar] = -0.7;
}
