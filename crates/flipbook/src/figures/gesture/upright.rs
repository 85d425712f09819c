//! Every gesture of those on two legs.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::arms::carry;
use super::legs::{FAR_LEG, NEAR_LEG, bound, crouch, glide, kick_feet, seat, step, straddle};
use super::{Gesture, acts, hump, part, smooth};
use crate::figures::skeleton::{Figure, Joint, Stance};
use Joint::*;

pub(super) fn upright(figure: &Figure, gesture: Gesture, beat: f32, v: f32, s: &mut Stance) {
    let p = TAU * beat;
    let u = part(beat);
    let wave = p.sin();
    let breath = (p * 0.5).sin();
    let hop = figure.manner.hops;
    // At rest: arms a little away from the body, breathing.
    s[ArmNear] = -0.14 - 0.02 * breath;
    s[ArmFar] = 0.14 + 0.02 * breath;
    s[ForearmNear] = 0.1;
    s[ForearmFar] = 0.1;
    s[Chest] = 0.008 * breath;
    s[Head] = 0.02 * (p * 0.5 - 0.7).sin();
    match gesture {
        Gesture::Stand => {}
        Gesture::Walk | Gesture::Run if figure.manner.glides => glide(s, p, v),
        Gesture::Walk if hop => bound(s, u, 0.5 + 0.4 * v),
        Gesture::Run if hop => bound(s, u, 0.8 + 0.4 * v),
        Gesture::Walk => {
            let reach = 0.36 + 0.2 * v;
            step(s, NEAR_LEG, p, reach, 0.75, 1.0);
            step(s, FAR_LEG, p + PI, reach, 0.75, 1.0);
            s[ArmNear] = -0.06 - (0.3 + 0.35 * v) * wave;
            s[ArmFar] = 0.06 + (0.3 + 0.35 * v) * wave;
            s[ForearmNear] = 0.22 + 0.2 * (-wave).max(0.0);
            s[ForearmFar] = 0.22 + 0.2 * wave.max(0.0);
            s[Chest] = -0.05 + 0.02 * (2.0 * p).cos();
            s[Head] = 0.03 * (2.0 * p - 0.6).cos();
        }
        Gesture::Run => {
            let reach = 0.72 + 0.2 * v;
            step(s, NEAR_LEG, p, reach, 1.5, 1.0);
            step(s, FAR_LEG, p + PI, reach, 1.5, 1.0);
            s[ArmNear] = -0.1 - (0.75 + 0.2 * v) * wave;
            s[ArmFar] = 0.1 + (0.75 + 0.2 * v) * wave;
            s[ForearmNear] = 1.35;
            s[ForearmFar] = 1.35;
            s[Chest] = -0.22 + 0.03 * (2.0 * p).cos();
            s[Head] = 0.16;
            s.lift = (0.02 + 0.02 * v) * wave * wave;
        }
        Gesture::Jump => bound(s, u, 1.0),
        Gesture::Dance => {
            s.turn = 0.07 * wave;
            s[ArmNear] = -1.7 + 0.75 * (p + 0.5).sin();
            s[ArmFar] = 1.7 + 0.75 * (p + 0.5).sin();
            s[ForearmNear] = -0.45 + 0.3 * (2.0 * p).sin();
            s[ForearmFar] = 0.45 - 0.3 * (2.0 * p).sin();
            let (near, far) = (wave.max(0.0), (-wave).max(0.0));
            crouch(s, 0.12 + 0.1 * (2.0 * p).cos());
            s[ThighNear] += 0.55 * near * near;
            s[ShinNear] -= 0.75 * near * near;
            s[ThighFar] += 0.55 * far * far;
            s[ShinFar] -= 0.75 * far * far;
            s[Chest] = -0.08 * wave;
            s[Head] = 0.13 * (p - 0.6).sin();
            s.lift = 0.012 * wave.abs() * v;
            s.mouth_open = v > 0.8;
        }
        Gesture::Sleep if figure.manner.level => {
            seat(s, breath);
            s[ArmNear] = -0.1;
            s[ArmFar] = 0.1;
            s[Chest] = -0.03 + 0.012 * breath;
            s[Head] = -0.16 + 0.02 * breath;
        }
        Gesture::Sit => {
            seat(s, breath);
        }
        Gesture::Sleep => {
            s.turn = FRAC_PI_2;
            s[Chest] = 0.02 * breath;
            s[ArmNear] = 0.35 + 0.03 * breath;
            s[ForearmNear] = 1.15;
            s[ArmFar] = 0.2;
            s[ThighNear] = 0.05;
            s[ShinNear] = -0.08;
            s[ThighFar] = 0.75;
            s[ShinFar] = -1.35;
            s[Head] = -0.12;
        }
        Gesture::Ride => {
            let bob = (2.0 * p).sin();
            for [thigh, shin, foot] in [NEAR_LEG, FAR_LEG] {
                s[thigh] = 1.05;
                s[shin] = -1.1;
                s[foot] = 0.1;
            }
            s[Chest] = -0.06 + 0.05 * bob * (0.4 + v);
            s[Head] = 0.05 - 0.04 * bob;
            s[ArmNear] = 0.72 + 0.1 * bob;
            s[ArmFar] = 0.92 + 0.1 * bob;
            s[ForearmNear] = 0.75 - 0.1 * bob;
            s[ForearmFar] = 0.6 - 0.1 * bob;
        }
        Gesture::Swim => {
            s.afloat = true;
            s.turn = if figure.manner.fin { -1.15 } else { -1.42 };
            s[ArmNear] = PI - p;
            s[ArmFar] = -p;
            s[ForearmNear] = 0.25 + 0.3 * wave.max(0.0);
            s[ForearmFar] = 0.25 + 0.3 * (-wave).max(0.0);
            kick_feet(s, 2.0 * p, 0.3);
            s[Head] = 0.6;
            s[Chest] = 0.06 * wave;
        }
        Gesture::Fly => {
            s.afloat = true;
            s.turn = -1.12 + 0.04 * breath;
            // One arm ahead, the other along the body, so that the face is seen.
            s[ArmNear] = -0.3 + 0.06 * wave;
            s[ArmFar] = 2.55 - 0.06 * wave;
            s[ForearmNear] = 0.2;
            s[ForearmFar] = 0.25;
            kick_feet(s, p, 0.12);
            s[Head] = 0.62;
            if figure.manner.wings {
                s[ArmNear] = -(1.1 + 0.9 * wave);
                s[ArmFar] = 1.1 + 0.9 * wave;
                s[ThighNear] = -0.5;
                s[ThighFar] = -0.5;
            }
        }
        Gesture::Wave => {
            s[ArmNear] = -2.45 + 0.08 * wave;
            s[ForearmNear] = -0.25 + 0.5 * (2.0 * p).sin();
            s[Chest] = 0.04;
            s[Head] = 0.08 + 0.03 * wave;
            s.mouth_open = u < 0.5;
        }
        Gesture::Play => {
            let tap = (2.0 * p).sin();
            s[ArmNear] = 0.62 + 0.16 * tap;
            s[ForearmNear] = 0.85 - 0.22 * tap;
            s[ArmFar] = 0.8 - 0.16 * tap;
            s[ForearmFar] = 0.8 + 0.22 * tap;
            s[Chest] = -0.06 + 0.04 * wave;
            s[Head] = -0.04 + 0.09 * (p * 2.0 - 0.5).sin();
            s[ThighFar] = 0.12;
            s[FootFar] = 0.12 * tap.max(0.0) - 0.1;
        }
        Gesture::Throw => {
            let swing = smooth((u - 0.42) / 0.2) - smooth((u - 0.72) / 0.25);
            straddle(s, 0.3, 0.28);
            s[ArmNear] = 3.9 - 2.9 * swing;
            s[ForearmNear] = 0.5 - 0.4 * swing - 0.5;
            s[ArmFar] = 0.9 - 0.9 * swing;
            s[ForearmFar] = 0.3;
            s[Chest] = 0.14 - 0.4 * swing;
            s[Head] = -0.05 + 0.1 * swing;
        }
        Gesture::Catch => {
            let near = hump(u, 0.35, 0.75);
            s[ArmNear] = 1.25 + 0.35 * near;
            s[ArmFar] = 1.6 + 0.15 * near;
            s[ForearmNear] = 0.25 + 0.5 * near;
            s[ForearmFar] = 0.2 + 0.45 * near;
            crouch(s, 0.3 - 0.15 * near);
            s[Chest] = -0.1 + 0.12 * near;
            s[Head] = 0.1;
        }
        Gesture::Kick => {
            let back = hump(u, 0.0, 0.45);
            let kick = hump(u, 0.35, 0.85);
            s[ThighNear] = -0.75 * back * (1.0 - kick) + 1.25 * kick;
            s[ShinNear] = -1.1 * back * (1.0 - kick) - 0.1;
            s[FootNear] = -0.2 * kick;
            s[ThighFar] = -0.08 * kick;
            s[ShinFar] = -0.1;
            s[FootFar] = 0.15;
            s[ArmNear] = -0.4 - 0.8 * kick + 0.6 * back;
            s[ArmFar] = 0.5 + 0.8 * kick;
            s[ForearmFar] = 0.3;
            s[Chest] = 0.16 * kick - 0.12 * back;
        }
        Gesture::Eat => {
            let bite = smooth(hump(u, 0.1, 0.75) * 1.4);
            carry(figure, s, 0.35 + 0.65 * bite, [-0.9, 0.6]);
            s[ArmFar] = 0.45;
            s[ForearmFar] = 0.9;
            s[Head] = -0.06 * bite;
            s.mouth_open = (0.22..0.42).contains(&u) || (0.6..0.95).contains(&u) && part(beat * 4.0) < 0.5;
        }
        Gesture::Sing => {
            carry(figure, s, 0.9, [-2.4, 2.4]);
            s[ArmFar] = 1.2 + 0.35 * wave;
            s[ForearmFar] = 0.5;
            s[Head] = 0.1 + 0.06 * wave;
            s[Chest] = 0.05 * wave;
            s.turn = 0.025 * wave;
            s.mouth_open = part(beat * 2.0) < 0.68;
        }
        Gesture::Hug => {
            let close = 0.5 + 0.5 * wave;
            s[ArmNear] = 1.05 + 0.15 * close;
            s[ForearmNear] = 0.35 + 0.4 * close;
            s[ArmFar] = 1.35 + 0.1 * close;
            s[ForearmFar] = 0.2 + 0.4 * close;
            s[Chest] = -0.1;
            s[Head] = -0.1 + 0.04 * wave;
            s.eyes_shut = true;
        }
        Gesture::Water | Gesture::Pour => {
            let tip = 0.5 + 0.5 * wave;
            let high = if gesture == Gesture::Pour { 0.25 } else { 0.0 };
            s[ArmNear] = 0.85 + high;
            s[ForearmNear] = 0.55 - 0.25 * tip;
            s[ArmFar] = 0.45;
            s[ForearmFar] = 0.5;
            s[Chest] = -0.12 - 0.03 * tip;
            s[Head] = -0.1;
        }
        Gesture::Hold => {
            s[ArmNear] = 0.5 + 0.03 * breath;
            s[ForearmNear] = 1.0;
        }
        Gesture::Read => {
            s[ArmNear] = 0.55;
            s[ForearmNear] = 1.25 + 0.03 * breath;
            s[ArmFar] = 0.75;
            s[ForearmFar] = 1.05 + 0.03 * breath;
            s[Head] = -0.14 + 0.03 * wave;
        }
        Gesture::Cook => {
            s[ArmNear] = 0.72 + 0.14 * wave;
            s[ForearmNear] = 0.7 + 0.22 * p.cos();
            s[ArmFar] = 0.6;
            s[ForearmFar] = 0.75;
            s[Chest] = -0.05;
            s[Head] = -0.1 + 0.03 * wave;
        }
        Gesture::Cast => {
            let flick = hump(u, 0.35, 0.7);
            straddle(s, 0.16, 0.14);
            s[ArmNear] = 3.6 - 2.2 * flick;
            s[ForearmNear] = 0.05;
            s[ArmFar] = 0.7 + 0.5 * flick;
            s[ForearmFar] = 0.2;
            s[Chest] = 0.08 - 0.16 * flick;
            s[Head] = 0.06;
            s.mouth_open = flick > 0.4;
        }
        Gesture::Fish => {
            let pull = hump(u, 0.65, 0.9);
            s[ArmNear] = 0.7 + 0.25 * pull;
            s[ForearmNear] = 0.7 + 0.3 * pull;
            s[ArmFar] = 0.95 + 0.2 * pull;
            s[ForearmFar] = 0.4 + 0.3 * pull;
            s[Chest] = 0.03 + 0.1 * pull;
        }
        Gesture::Fight => {
            let (thrust, guard) = (hump(u, 0.12, 0.52), hump(u, 0.58, 0.98));
            straddle(s, 0.34 + 0.15 * thrust, 0.34);
            s[ArmNear] = 0.55 + 0.95 * thrust;
            s[ForearmNear] = 1.5 - 1.45 * thrust;
            s[ArmFar] = 0.8 + 0.25 * guard;
            s[ForearmFar] = 1.6 + 0.3 * guard;
            s[Chest] = -0.05 - 0.22 * thrust + 0.16 * guard;
            s[Head] = 0.05;
        }
        Gesture::Fence => {
            // Up and back behind the shoulder, down with a step, then across the body against the other's blow.
            let strike = smooth((u - 0.18) / 0.10) - smooth((u - 0.38) / 0.16);
            let (back, guard) = (hump(u, 0.0, 0.34) * (1.0 - strike), hump(u, 0.58, 0.98));
            straddle(s, 0.32 + 0.18 * strike, 0.34 - 0.06 * guard);
            s[ArmNear] = 0.70 + 2.5 * back + 0.75 * strike + 0.35 * guard;
            s[ForearmNear] = 1.10 - 0.6 * back - 1.0 * strike + 0.25 * guard;
            s[ArmFar] = -0.35 - 0.25 * strike;
            s[ForearmFar] = 0.5;
            s[Chest] = -0.04 + 0.14 * back - 0.26 * strike + 0.14 * guard;
            s[Head] = 0.05;
            s.mouth_open = strike > 0.5;
        }
        Gesture::Climb => {
            s[ArmNear] = 2.35 + 0.45 * wave;
            s[ArmFar] = 2.35 - 0.45 * wave;
            s[ForearmNear] = 0.55 - 0.35 * wave;
            s[ForearmFar] = 0.55 + 0.35 * wave;
            s[ThighNear] = 0.75 - 0.55 * wave;
            s[ThighFar] = 0.75 + 0.55 * wave;
            s[ShinNear] = -1.05 + 0.6 * wave;
            s[ShinFar] = -1.05 - 0.6 * wave;
            s[Head] = 0.15;
        }
        _ => acts::act(figure, gesture, beat, s),
    }
    if figure.manner.glides && matches!(gesture, Gesture::Stand | Gesture::Wave | Gesture::Hold | Gesture::Sing) {
        s[ThighFar] = 0.28;
        s[ShinFar] = -0.42;
        s[ThighNear] = -0.1;
        s[ShinNear] = -0.3;
        s[FootNear] = 0.4;
        s[FootFar] = 0.14;
        if gesture == Gesture::Stand {
            s[ArmNear] = -0.75;
            s[ArmFar] = 0.95 + 0.05 * wave;
        }
    }
}
