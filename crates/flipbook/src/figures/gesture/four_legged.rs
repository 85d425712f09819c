//! Every gesture of those on four legs, and their gaits.

use std::f32::consts::{PI, TAU};

use super::{Gesture, animals, hump, part};
use crate::figures::skeleton::{Figure, Joint, Stance};
use Joint::*;

/// Forelegs and hind legs of one side and the other, with the share of a stride by which they follow.
const LEGS: [(Joint, Joint, bool); 4] =
    [(ThighNear, ShinNear, false), (ArmNear, ForearmNear, true), (ThighFar, ShinFar, false), (ArmFar, ForearmFar, true)];

fn gait(s: &mut Stance, p: f32, offsets: [f32; 4], reach: f32, fold: f32) {
    for ((upper, lower, fore), offset) in LEGS.into_iter().zip(offsets) {
        let phase = p - TAU * offset;
        let forward = phase.cos().max(0.0);
        s[upper] = reach * phase.sin() + if fore { 0.25 * fold * forward } else { 0.1 * fold * forward };
        s[lower] = -(0.04 + fold * forward);
    }
}

/// Front end up by `by` radians, hind legs under it, forelegs free.
fn rear(s: &mut Stance, by: f32) {
    s.turn = by;
    for (upper, lower) in [(ThighNear, ShinNear), (ThighFar, ShinFar)] {
        s[upper] = -by * 0.82;
        s[lower] = -by * 0.16;
    }
    s[Neck] = -by * 0.55;
    s[Head] = -by * 0.35;
    s[Tail] = -by * 0.35;
    s[ArmNear] = 0.25 - by * 0.4;
    s[ArmFar] = 0.45 - by * 0.4;
    s[ForearmNear] = -0.35;
    s[ForearmFar] = -0.35;
}

/// Haunches on the ground, forelegs straight.
fn sit_down(s: &mut Stance) {
    s.turn = 0.52;
    for (upper, lower) in [(ThighNear, ShinNear), (ThighFar, ShinFar)] {
        s[upper] = 1.05;
        s[lower] = -1.57;
    }
    s[ArmNear] = -0.5;
    s[ArmFar] = -0.42;
    s[ForearmNear] = -0.04;
    s[ForearmFar] = -0.04;
    s[Neck] = -0.3;
    s[Head] = -0.2;
    s[Tail] = -0.7;
}

/// Length of the neck in design units; 0 for those with wings, who do not graze.
fn neck(figure: &Figure) -> f32 {
    let of = |joint: Joint| figure.parts.iter().find(|part| part.joint == joint).map(|part| part.pivot);
    match (of(Neck), of(Head), of(WingNear)) {
        (Some([x, y]), Some([hx, hy]), None) => (x - hx).hypot(y - hy),
        _ => 0.0,
    }
}

/// How far neck and head go down to eat: to the grass for those who graze, nowhere for a giraffe.
fn grazing(figure: &Figure) -> (f32, f32) {
    match neck(figure) {
        long if long > 12.0 => (-0.12, 0.1),
        long if long > 6.0 => (-1.8, 0.75),
        _ => (-0.95, -0.2),
    }
}

pub(super) fn four_legged(figure: &Figure, gesture: Gesture, beat: f32, v: f32, s: &mut Stance) {
    let p = TAU * beat;
    let u = part(beat);
    let wave = p.sin();
    let breath = (p * 0.5).sin();
    s[Head] = 0.03 * (p * 0.5 - 0.7).sin();
    s[Neck] = 0.02 * breath;
    match gesture {
        Gesture::Stand | Gesture::Ride | Gesture::Hold => {}
        Gesture::Walk | Gesture::Push | Gesture::Pull | Gesture::Crawl => {
            gait(s, p, [0.0, 0.25, 0.5, 0.75], 0.34 + 0.16 * v, 0.55);
            s[Neck] = 0.05 * (2.0 * p).sin();
            s[Head] = -0.05 * (2.0 * p - 0.5).sin();
            if gesture != Gesture::Walk {
                s[Neck] -= 0.22;
            }
        }
        Gesture::Call | Gesture::Cry | Gesture::Laugh | Gesture::Raise => {
            let out = hump(u, -0.04, 0.9);
            s[Neck] = 0.08 + 0.28 * out;
            s[Head] = 0.06 + 0.36 * out;
            s[Chest] = 0.05 * out;
            s.mouth_open = out > 0.25;
        }
        Gesture::Dig => {
            // Hands go one after the other, quickly, with the front low.
            let scratch = (3.0 * p).sin();
            s.turn = -0.16;
            s[ArmNear] = 0.45 + 0.6 * scratch;
            s[ArmFar] = 0.45 - 0.6 * scratch;
            s[ForearmNear] = -0.35 - 0.35 * scratch;
            s[ForearmFar] = -0.35 + 0.35 * scratch;
            s[Neck] = -0.42;
            s[Head] = -0.12 + 0.05 * scratch;
            s[Tail] = -0.5;
        }
        Gesture::Stretch => {
            // Front low, back high.
            let low = 0.5 - 0.5 * (0.5 * p).cos();
            s.turn = -0.34 * low;
            for (upper, lower, fore) in LEGS {
                s[upper] = if fore { 0.95 * low } else { 0.30 * low };
                s[lower] = 0.0;
            }
            s[Neck] = 0.25 * low;
            s[Tail] = -0.6 * low;
        }
        Gesture::Glide | Gesture::Skate | Gesture::Pedal | Gesture::Hang => {
            let sway = 0.06 * wave;
            for (upper, _, fore) in LEGS {
                s[upper] = if fore { 0.22 } else { -0.22 } + sway;
            }
        }
        Gesture::Run => {
            gait(s, p, [0.0, 0.48, 0.1, 0.58], 0.75 + 0.2 * v, 1.15);
            s.turn = 0.07 * (p + 0.6).sin();
            s[Neck] = -0.12 + 0.1 * (p + 1.2).sin();
            s[Head] = 0.1 - 0.06 * (p + 1.2).sin();
            s[Tail] = -0.15;
            s.lift = (0.02 + 0.025 * v) * (0.5 + 0.5 * (p + 2.2).sin());
            s[EarNear] = 0.25;
            s[EarFar] = 0.25;
        }
        Gesture::Jump => {
            let low = hump(u, 0.0, 0.22) + 0.8 * hump(u, 0.8, 1.0);
            let air = hump(u, 0.16, 0.84);
            let rise = if air > 0.0 { (PI * ((u - 0.16) / 0.68).clamp(0.0, 1.0)).cos() } else { 0.0 };
            s.turn = 0.26 * air.max(0.0).sqrt() * rise;
            for (upper, lower, fore) in LEGS {
                s[upper] = if fore { 0.3 * low + 0.95 * air } else { 0.45 * low - 0.75 * air };
                s[lower] = if fore { -0.75 * low - 0.7 * air } else { -0.85 * low - 0.2 * air };
            }
            s[Neck] = -0.15 * low - 0.1 * air;
            s[Tail] = -0.3 * air;
            s[EarNear] = 0.4 * air;
            s[EarFar] = 0.4 * air;
            s.mouth_open = air > 0.3;
        }
        Gesture::Dance => {
            rear(s, 0.82 + 0.05 * (2.0 * p).sin());
            s[ArmNear] = 0.3 + 0.45 * wave;
            s[ArmFar] = 0.3 - 0.45 * wave;
            s[ForearmNear] = -0.55;
            s[ForearmFar] = -0.55;
            s[ThighNear] += 0.22 * wave;
            s[ThighFar] -= 0.22 * wave;
            s[ShinNear] -= 0.25 * wave.max(0.0);
            s[ShinFar] -= 0.25 * (-wave).max(0.0);
            s[Head] += 0.14 * (p - 0.5).sin();
            s.mouth_open = v > 0.8;
        }
        Gesture::Sit => {
            sit_down(s);
            s[Head] += 0.03 * breath;
        }
        Gesture::Sleep => {
            for (upper, lower, fore) in LEGS {
                s[upper] = if fore { 1.5 } else { 1.62 };
                s[lower] = -0.05;
            }
            s[Neck] = -0.62 + 0.02 * breath;
            s[Head] = 0.12;
            s[Tail] = if neck(figure) > 6.0 { -0.85 } else { 0.1 };
            s[Trunk] = 1.15;
            s[TrunkTip] = 0.2;
        }
        Gesture::Swim => {
            s.afloat = true;
            gait(s, p, [0.0, 0.5, 0.5, 0.0], 0.5, 0.9);
            s.turn = 0.08;
            s[ArmNear] += 0.4;
            s[ArmFar] += 0.4;
            s[ThighNear] -= 0.4;
            s[ThighFar] -= 0.4;
            s[Neck] = 0.12;
        }
        Gesture::Fly => {
            s.afloat = true;
            s.turn = 0.1 + 0.04 * wave;
            for (upper, lower, fore) in LEGS {
                s[upper] = if fore { 0.8 } else { -0.85 };
                s[lower] = if fore { -1.1 } else { -0.2 } + 0.12 * (p - 0.5).sin();
            }
            s[WingNear] = 0.75 * wave;
            s[WingFar] = 0.75 * (p - 0.3).sin();
            s[Neck] = 0.03 * wave - 0.06;
            s[Tail] = 0.12 * (p - 1.0).sin();
        }
        Gesture::Wave | Gesture::Point => {
            sit_down(s);
            s[ArmNear] = 0.85 + 0.1 * wave;
            s[ForearmNear] = 0.55 + 0.4 * (2.0 * p).sin();
            s.mouth_open = u < 0.5;
        }
        Gesture::Play
        | Gesture::Cook
        | Gesture::Read
        | Gesture::Fish
        | Gesture::Juggle
        | Gesture::Clap
        | Gesture::Blow
        | Gesture::Brush
        | Gesture::Build
        | Gesture::Sweep
        | Gesture::Reach
        | Gesture::Rub
        | Gesture::Strike
        | Gesture::Press
        | Gesture::Saw
        | Gesture::Comb
        | Gesture::Peer
        | Gesture::Kneel => {
            let tap = (2.0 * p).sin();
            sit_down(s);
            s.turn = 0.68;
            for upper in [ThighNear, ThighFar] {
                s[upper] = 0.9;
            }
            s[ArmNear] = 0.35 + 0.16 * tap;
            s[ForearmNear] = 0.25 - 0.25 * tap;
            s[ArmFar] = 0.5 - 0.16 * tap;
            s[ForearmFar] = 0.25 + 0.25 * tap;
            s[Neck] = -0.42;
            s[Head] = -0.24 + 0.08 * (2.0 * p - 0.5).sin();
        }
        Gesture::Throw | Gesture::Catch | Gesture::Fight | Gesture::Fence | Gesture::Hug | Gesture::Cast | Gesture::Climb => {
            let swing = hump(u, 0.1, 0.54);
            let steep = if gesture == Gesture::Climb { 1.0 } else { 0.78 };
            rear(s, steep);
            s[ArmNear] = 0.1 + 0.7 * swing;
            s[ArmFar] = 0.55 - 0.3 * swing;
            s[ForearmNear] = -0.7 + 0.7 * swing;
            s[ForearmFar] = -0.2 - 0.4 * swing;
            if gesture == Gesture::Climb {
                s[ArmNear] = 0.7 + 0.4 * wave;
                s[ArmFar] = 0.7 - 0.4 * wave;
                s[ThighNear] -= 0.25 * wave;
                s[ThighFar] += 0.25 * wave;
            }
            s.eyes_shut |= gesture == Gesture::Hug;
        }
        Gesture::Kick => {
            let kick = hump(u, 0.25, 0.75);
            s[ArmNear] = 1.1 * kick;
            s[ForearmNear] = -0.9 * hump(u, 0.1, 0.5);
            s[Head] = -0.08 * kick;
        }
        Gesture::Eat | Gesture::Water | Gesture::Pour => {
            let chew = part(beat * 3.0);
            let short = (0.1..=6.0).contains(&neck(figure));
            let (bow, head) = grazing(figure);
            s[Neck] = bow - 0.03 * (3.0 * p).sin();
            s[Head] = head + 0.05 * (3.0 * p).sin();
            s[Trunk] = 0.5;
            if gesture == Gesture::Eat && short {
                s.turn = -0.12;
                for upper in [ArmNear, ArmFar, ThighNear, ThighFar] {
                    s[upper] = 0.12;
                }
            }
            s.mouth_open = chew < 0.5;
        }
        Gesture::Wag
        | Gesture::Yawn
        | Gesture::Sneeze
        | Gesture::Lick
        | Gesture::Scratch
        | Gesture::Wallow
        | Gesture::Butt
        | Gesture::Peck => animals::on_four_legs(gesture, beat, s),
        Gesture::Sing => {
            sit_down(s);
            s[Neck] = 0.05 + 0.05 * wave;
            s[Head] = 0.18 + 0.05 * wave;
            s.mouth_open = part(beat * 2.0) < 0.7;
        }
    }
    if !matches!(gesture, Gesture::Fly) {
        s[WingNear] += 0.06 * (p * 0.5).sin();
        s[WingFar] += 0.06 * (p * 0.5 - 0.4).sin();
    }
}
