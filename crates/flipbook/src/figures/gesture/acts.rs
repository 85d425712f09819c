//! What those on two legs do with their hands and with their voice, beyond the gestures of [`super::upright`].

use std::f32::consts::{PI, TAU};

use super::arms::carry;
use super::legs::{FAR_LEG, NEAR_LEG, crouch, glide, step, straddle};
use super::{Gesture, hump, part, smooth};
use crate::figures::skeleton::{Figure, Joint, Stance};
use Joint::*;

pub(super) fn act(figure: &Figure, gesture: Gesture, beat: f32, s: &mut Stance) {
    let p = TAU * beat;
    let u = part(beat);
    let wave = p.sin();
    match gesture {
        Gesture::Push | Gesture::Pull => {
            step(s, NEAR_LEG, p, 0.46, 0.8, 1.0);
            step(s, FAR_LEG, p + PI, 0.46, 0.8, 1.0);
            s[Chest] = -0.34 + 0.03 * (2.0 * p).cos();
            s[Head] = 0.24;
            let (arm, forearm) = if gesture == Gesture::Push { (1.72, 0.22) } else { (-0.62, 0.1) };
            s[ArmNear] = arm;
            s[ArmFar] = arm + 0.14;
            s[ForearmNear] = forearm;
            s[ForearmFar] = forearm;
        }
        Gesture::Juggle => {
            let (near, far) = (hump(part(2.0 * beat), 0.0, 0.5), hump(part(2.0 * beat), 0.5, 1.0));
            s[ArmNear] = 0.30 + 0.25 * near;
            s[ForearmNear] = 1.15 + 0.35 * near;
            s[ArmFar] = 0.75 + 0.25 * far;
            s[ForearmFar] = 1.05 + 0.35 * far;
            s[Head] = 0.16 + 0.04 * (2.0 * p).sin();
        }
        Gesture::Cry => {
            carry(figure, s, 1.0, [-0.3, -2.6]);
            s[ForearmNear] += 0.10 * (3.0 * p).sin();
            s[ArmFar] = s[ArmNear] + 0.25;
            s[ForearmFar] = s[ForearmNear];
            s[Chest] = -0.10 + 0.04 * (4.0 * p).sin();
            s[Head] = -0.14 + 0.05 * (4.0 * p - 0.5).sin();
            s.eyes_shut = true;
            s.mouth_open = part(beat * 2.0) < 0.8;
        }
        Gesture::Laugh => {
            let shake = (5.0 * p).sin();
            s[Chest] = 0.14 + 0.07 * shake;
            s[Head] = 0.26 + 0.08 * shake;
            s[ArmNear] = 0.35;
            s[ForearmNear] = 1.75 + 0.06 * shake;
            s[ArmFar] = 0.45;
            s[ForearmFar] = 1.65;
            crouch(s, 0.10 + 0.06 * shake);
            s.eyes_shut = true;
            s.mouth_open = true;
        }
        Gesture::Call => {
            let out = hump(u, -0.04, 0.9);
            carry(figure, s, 1.0, [-1.8, 0.8]);
            s[ArmFar] = s[ArmNear] + 0.35;
            s[ForearmFar] = s[ForearmNear];
            s[Chest] = 0.05 - 0.14 * out;
            s[Head] = 0.06 + 0.06 * out;
            s.mouth_open = out > 0.25;
        }
        Gesture::Dig => {
            let toss = smooth((u - 0.45) / 0.2) - smooth((u - 0.75) / 0.25);
            straddle(s, 0.30, 0.24);
            crouch(s, 0.12);
            s[Chest] = -0.42 + 0.42 * toss;
            s[ArmNear] = 0.50 + 0.75 * toss;
            s[ForearmNear] = 0.10 + 0.25 * toss;
            s[ArmFar] = 0.85 + 0.75 * toss;
            s[ForearmFar] = 0.15;
            s[Head] = 0.05;
        }
        Gesture::Sweep => {
            straddle(s, 0.16, 0.14);
            s[Chest] = -0.18 + 0.05 * wave;
            s[ArmNear] = 0.52 + 0.36 * wave;
            s[ForearmNear] = 0.25;
            s[ArmFar] = 0.85 + 0.30 * wave;
            s[ForearmFar] = 0.35;
            s[Head] = -0.06;
        }
        Gesture::Clap => {
            let apart = 0.5 + 0.5 * (4.0 * p).cos();
            s[ArmNear] = 0.85 - 0.45 * apart;
            s[ForearmNear] = 1.05;
            s[ArmFar] = 0.85 + 0.35 * apart;
            s[ForearmFar] = 1.05 - 0.1 * apart;
            s[Head] = 0.05 + 0.03 * wave;
            s.mouth_open = u < 0.6;
        }
        Gesture::Point => {
            s[ArmNear] = 1.82 + 0.05 * (2.0 * p).sin();
            s[ForearmNear] = -0.05;
            s[ArmFar] = -0.35;
            s[ForearmFar] = 1.1;
            s[Chest] = -0.05;
            s[Head] = 0.08;
            s.mouth_open = u < 0.35;
        }
        Gesture::Crawl => {
            s.turn = -1.2;
            for (arm, forearm, thigh, shin, foot, way) in
                [(ArmNear, ForearmNear, ThighNear, ShinNear, FootNear, 1.0), (ArmFar, ForearmFar, ThighFar, ShinFar, FootFar, -1.0)]
            {
                s[arm] = 1.30 + 0.38 * way * wave;
                s[forearm] = 0.12;
                s[thigh] = 1.25 - 0.38 * way * wave;
                s[shin] = -1.55 + 0.15 * way * wave;
                s[foot] = -0.5;
            }
            s[Head] = 0.8;
        }
        Gesture::Blow | Gesture::Brush => {
            let rub = if gesture == Gesture::Brush { 0.07 * (6.0 * p).sin() } else { 0.0 };
            carry(figure, s, 0.93 + rub, [-2.0, 0.9]);
            s[Head] = 0.04 + 0.03 * wave;
            s[Chest] = if gesture == Gesture::Blow { -0.05 * hump(u, 0.1, 0.7) } else { 0.0 };
        }
        Gesture::Build => {
            let pat = (2.0 * p).sin();
            crouch(s, 0.72);
            s[Chest] = -0.5 + 0.03 * pat;
            s[Head] = 0.3;
            s[ArmNear] = 1.05 + 0.22 * pat;
            s[ArmFar] = 1.25 - 0.22 * pat;
            s[ForearmNear] = 0.25;
            s[ForearmFar] = 0.25;
        }
        Gesture::Stretch => {
            let up = 0.94 + 0.06 * wave;
            s[ArmNear] = 0.3 + 2.65 * up;
            s[ArmFar] = 0.4 + 2.65 * up;
            s[ForearmNear] = 0.15 + 0.2 * up;
            s[ForearmFar] = 0.15;
            s[ThighFar] = 1.15 * up;
            s[ShinFar] = -2.1 * up;
            s[Head] = 0.08 * up;
            s.eyes_shut |= up > 0.7;
        }
        Gesture::Glide => glide(s, p, 0.6),
        Gesture::Skate => {
            let (near, far) = (wave.max(0.0), (-wave).max(0.0));
            for ([thigh, shin, foot], push) in [(NEAR_LEG, near), (FAR_LEG, far)] {
                s[thigh] = 0.42 - 1.15 * push;
                s[shin] = -0.62 + 0.25 * push;
                s[foot] = 0.2 - 0.3 * push;
            }
            s[Chest] = -0.30;
            s[Head] = 0.2;
            s[ArmNear] = -0.35 + 0.75 * wave;
            s[ArmFar] = 0.35 - 0.75 * wave;
            s[ForearmNear] = 0.45;
            s[ForearmFar] = 0.45;
        }
        Gesture::Pedal => {
            for ([thigh, shin, foot], angle) in [(NEAR_LEG, p), (FAR_LEG, p + PI)] {
                s[thigh] = 0.95 + 0.36 * angle.sin();
                s[shin] = -1.12 - 0.34 * angle.cos();
                s[foot] = 0.15;
            }
            s[Chest] = -0.10;
            s[Head] = 0.08;
            s[ArmNear] = 0.85;
            s[ArmFar] = 1.0;
            s[ForearmNear] = 0.55;
            s[ForearmFar] = 0.45;
        }
        Gesture::Hang => {
            s[ArmNear] = 3.05;
            s[ForearmNear] = 0.05;
            s[ArmFar] = 0.7 + 0.3 * wave;
            s[ForearmFar] = 0.4;
            s[ThighNear] = 0.25 + 0.25 * wave;
            s[ShinNear] = -0.6;
            s[ThighFar] = 0.6 + 0.25 * wave;
            s[ShinFar] = -0.8;
            s[Head] = 0.1;
            s.mouth_open = u < 0.5;
        }
        Gesture::Reach => {
            s[ArmNear] = 1.25 + 0.10 * wave;
            s[ForearmNear] = 0.30 + 0.12 * wave;
            s[Chest] = -0.12;
            s[Head] = -0.02;
        }
        Gesture::Rub => {
            s[ArmNear] = 1.30 + 0.30 * (2.0 * p).sin();
            s[ForearmNear] = 0.20;
            s[ArmFar] = 1.10;
            s[ForearmFar] = 0.35;
            s[Chest] = -0.14;
        }
        Gesture::Strike => {
            let down = smooth((u - 0.30) / 0.10) - smooth((u - 0.50) / 0.35);
            straddle(s, 0.22, 0.18);
            s[ArmNear] = 2.7 - 1.55 * down;
            s[ForearmNear] = 0.75 - 0.55 * down;
            s[ArmFar] = 1.0;
            s[ForearmFar] = 0.4;
            s[Chest] = 0.06 - 0.26 * down;
            s[Head] = -0.04;
        }
        Gesture::Raise => {
            straddle(s, 0.14, 0.12);
            crouch(s, 0.05 + 0.05 * (2.0 * p).sin());
            s[ArmNear] = 2.85;
            s[ArmFar] = 3.3;
            s[ForearmNear] = 0.15;
            s[ForearmFar] = 0.1;
            s[Head] = 0.14;
        }
        Gesture::Kneel => {
            s[ThighNear] = 1.45;
            s[ShinNear] = -1.45;
            s[ThighFar] = -0.05;
            s[ShinFar] = -1.55;
            s[FootFar] = -0.5;
            s[ArmNear] = 0.75;
            s[ForearmNear] = 1.05 + 0.04 * wave;
            s[ArmFar] = 0.85;
            s[ForearmFar] = 1.0;
            s[Head] = -0.08;
        }
        Gesture::Press => {
            s[ArmNear] = 0.72 + 0.16 * wave;
            s[ForearmNear] = 0.42 - 0.14 * wave;
            s[ArmFar] = 0.90 - 0.16 * wave;
            s[ForearmFar] = 0.36 + 0.14 * wave;
            s[Chest] = -0.16 + 0.04 * wave;
            s[Head] = -0.02;
        }
        Gesture::Saw => {
            let pull = (2.0 * p).sin();
            s[ArmNear] = 0.62 + 0.30 * pull;
            s[ForearmNear] = 0.66 - 0.34 * pull;
            s[ArmFar] = 0.85;
            s[ForearmFar] = 0.40;
            s[Chest] = -0.14 + 0.03 * pull;
            s[Head] = -0.04;
        }
        Gesture::Comb => {
            let ([x, y], [mx, my]) = (figure.anchors.head_top.at, figure.anchors.mouth.at);
            carry(figure, s, 1.0, [x - mx + 1.2, 0.55 * (y - my) + 1.6 * (2.0 * p).sin()]);
            s[Head] = 0.05 + 0.03 * wave;
        }
        Gesture::Peer => {
            carry(figure, s, 1.0, [-2.6, -1.6]);
            s[ArmFar] = 1.15;
            s[ForearmFar] = 1.15;
            s[Chest] = -0.06;
            s[Head] = 0.02 * wave;
        }
        _ => super::animals::on_two_legs(figure, gesture, beat, s),
    }
}
