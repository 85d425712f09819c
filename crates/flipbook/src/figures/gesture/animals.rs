//! What animals do by themselves: wag, yawn, sneeze, lick, scratch, roll on their back, peck, butt.

use std::f32::consts::{PI, TAU};

use super::{Gesture, hump, part, smooth};
use crate::figures::skeleton::{Figure, Joint, Stance};
use Joint::*;

const HIND: [(Joint, Joint); 2] = [(ThighNear, ShinNear), (ThighFar, ShinFar)];

pub(super) fn on_four_legs(gesture: Gesture, beat: f32, s: &mut Stance) {
    let (p, u) = (TAU * beat, part(beat));
    let quick = (4.0 * p).sin();
    match gesture {
        Gesture::Wag => {
            s[Tail] = 0.75 * (3.0 * p).sin() - 0.1;
            s[TailTip] = 0.5 * (3.0 * p - 0.8).sin();
            s.turn = 0.02 * (3.0 * p).sin();
            s[Head] = 0.08;
            s.mouth_open = u < 0.7;
        }
        Gesture::Yawn => {
            let wide = hump(u, 0.05, 0.95);
            s.turn = -0.12 * wide;
            s[ArmNear] = 0.45 * wide;
            s[ArmFar] = 0.35 * wide;
            s[Neck] = 0.12 + 0.22 * wide;
            s[Head] = 0.10 + 0.42 * wide;
            s.eyes_shut |= wide > 0.3;
            s.mouth_open = wide > 0.2;
        }
        Gesture::Sneeze => {
            let (back, out) = (smooth(u / 0.45) - smooth((u - 0.5) / 0.06), hump(u, 0.5, 0.9));
            s[Neck] = 0.30 * back - 0.50 * out;
            s[Head] = 0.35 * back - 0.30 * out;
            s.turn = 0.05 * back - 0.06 * out;
            s.eyes_shut = u > 0.3 && u < 0.85;
            s.mouth_open = u > 0.48 && u < 0.85;
        }
        Gesture::Lick | Gesture::Scratch => {
            s.turn = 0.52;
            for (upper, lower) in HIND {
                s[upper] = 1.05;
                s[lower] = -1.57;
            }
            s[ArmFar] = -0.42;
            s[Tail] = -0.7;
            if gesture == Gesture::Lick {
                s[ArmNear] = 0.95 + 0.10 * (2.0 * p).sin();
                s[ForearmNear] = 0.95 + 0.10 * (2.0 * p).sin();
                s[Neck] = -0.45;
                s[Head] = -0.40 + 0.12 * (2.0 * p).sin();
                s.mouth_open = part(2.0 * beat) < 0.6;
            } else {
                s[ArmNear] = -0.45;
                s[ThighNear] = 1.75 + 0.22 * quick;
                s[ShinNear] = -0.9 + 0.25 * quick;
                s[Neck] = 0.05;
                s[Head] = 0.35 + 0.05 * quick;
                s.eyes_shut = true;
            }
        }
        Gesture::Wallow => {
            s.afloat = true;
            s.turn = PI + 0.22 * p.sin();
            for (j, joint) in [ArmNear, ThighNear, ArmFar, ThighFar].into_iter().enumerate() {
                s[joint] = 0.5 * (p + 1.5 * j as f32).sin();
            }
            for joint in [ForearmNear, ShinNear, ForearmFar, ShinFar] {
                s[joint] = -0.7 + 0.2 * quick;
            }
            s.mouth_open = true;
            s.eyes_shut = u < 0.5;
        }
        Gesture::Butt => {
            let charge = hump(u, 0.2, 0.6);
            s.turn = -0.10;
            s[Neck] = -0.55 - 0.1 * charge;
            s[Head] = -0.45;
            for (upper, _) in HIND {
                s[upper] = -0.35 * charge;
            }
            s[ArmNear] = 0.35 * charge;
            s[ArmFar] = 0.2 * charge;
        }
        _ => {
            let down = hump(part(2.0 * beat), 0.1, 0.6);
            s[Neck] = -0.7 * down;
            s[Head] = -0.5 * down;
        }
    }
}

pub(super) fn on_two_legs(figure: &Figure, gesture: Gesture, beat: f32, s: &mut Stance) {
    let (p, u) = (TAU * beat, part(beat));
    let bird = figure.manner.level;
    match gesture {
        Gesture::Wag => s[Tail] = 0.7 * (3.0 * p).sin(),
        Gesture::Yawn => {
            let wide = hump(u, 0.05, 0.95);
            s[ArmNear] = -0.2 + 2.9 * wide;
            s[ArmFar] = 0.2 + 2.9 * wide;
            s[ForearmNear] = 0.5 * wide;
            s[ForearmFar] = 0.4 * wide;
            s[Chest] = 0.10 * wide;
            s[Head] = 0.22 * wide;
            s.eyes_shut |= wide > 0.3;
            s.mouth_open = wide > 0.2;
        }
        Gesture::Sneeze => {
            let (back, out) = (smooth(u / 0.45) - smooth((u - 0.5) / 0.06), hump(u, 0.5, 0.95));
            s[Chest] = 0.12 * back - 0.34 * out;
            s[Head] = 0.22 * back - 0.28 * out;
            s[ArmNear] = 0.5 + 0.7 * out;
            s[ForearmNear] = 1.3;
            s.eyes_shut = u > 0.3 && u < 0.9;
            s.mouth_open = u > 0.48 && u < 0.9;
        }
        Gesture::Lick => {
            s[ArmNear] = 0.9;
            s[ForearmNear] = 1.75 + 0.08 * (2.0 * p).sin();
            s[Head] = -0.12 + 0.08 * (2.0 * p).sin();
            s.mouth_open = part(2.0 * beat) < 0.6;
        }
        Gesture::Scratch => {
            s[ArmNear] = 0.7;
            s[ForearmNear] = 2.2 + 0.18 * (5.0 * p).sin();
            s[Head] = 0.10 + 0.03 * (5.0 * p).sin();
        }
        Gesture::Wallow => {
            s.turn = 1.8 + 0.15 * p.sin();
            s[ArmNear] = 1.1 + 0.5 * (2.0 * p).sin();
            s[ArmFar] = 1.1 - 0.5 * (2.0 * p).sin();
            s[ThighNear] = 0.6 + 0.4 * (2.0 * p).sin();
            s[ThighFar] = 0.6 - 0.4 * (2.0 * p).sin();
            s[ShinNear] = -0.9;
            s[ShinFar] = -0.9;
            s.mouth_open = true;
        }
        Gesture::Peck if bird => {
            let down = hump(part(2.0 * beat), 0.08, 0.62);
            s.turn = -0.75 * down;
            for thigh in [ThighNear, ThighFar] {
                s[thigh] = 0.75 * down;
            }
            s[Head] = -0.45 * down;
        }
        Gesture::Peck | Gesture::Butt => {
            let down = hump(part(2.0 * beat), 0.08, 0.62);
            s[Chest] = -0.55 - 0.25 * down;
            s[Head] = -0.15 * down;
        }
        _ => {}
    }
}
