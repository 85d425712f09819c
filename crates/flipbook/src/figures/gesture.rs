//! The animator's rules: which angle every joint has in a gesture at a moment of its cycle. Opposite arm and leg swing
//! together, knees bend on the way forward, tails and ears follow late, and nobody at rest holds their breath.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::skeleton::{Build, Figure, JOINTS, Joint, Stance};
use Joint::*;

/// What a figure is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    Stand,
    Walk,
    Run,
    /// Crouch, flight and landing of one beat; the way up and down is the caller's ([`Stance::lift`] stays 0).
    Jump,
    Dance,
    /// On the ground, knees up.
    Sit,
    Sleep,
    /// Astride: see [`Figure::seat`] and [`Figure::back`].
    Ride,
    Swim,
    Fly,
    Wave,
    /// An instrument before it.
    Play,
    Throw,
    Catch,
    Kick,
    Eat,
    Hug,
    Water,
    Pour,
    Hold,
    Read,
    Cook,
    Cast,
    Fish,
    Fight,
    Climb,
    Sing,
}

impl Gesture {
    pub const ALL: &[Self] = &[
        Self::Stand,
        Self::Walk,
        Self::Run,
        Self::Jump,
        Self::Dance,
        Self::Sit,
        Self::Sleep,
        Self::Ride,
        Self::Swim,
        Self::Fly,
        Self::Wave,
        Self::Play,
        Self::Throw,
        Self::Catch,
        Self::Kick,
        Self::Eat,
        Self::Hug,
        Self::Water,
        Self::Pour,
        Self::Hold,
        Self::Read,
        Self::Cook,
        Self::Cast,
        Self::Fish,
        Self::Fight,
        Self::Climb,
        Self::Sing,
    ];
}

/// 0 to 1, slow at both ends.
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// 0 up to 1 and down again within `from..to` of a cycle.
fn hump(u: f32, from: f32, to: f32) -> f32 {
    let x = ((u - from) / (to - from)).clamp(0.0, 1.0);
    (PI * x).sin()
}

/// The share of a cycle that has passed, 0 to 1.
fn part(beat: f32) -> f32 {
    beat - beat.floor()
}

pub(super) fn stance(figure: &Figure, gesture: Gesture, beat: f32, vigour: f32) -> Stance {
    let vigour = if vigour.is_finite() { vigour.clamp(0.0, 1.5) } else { 0.5 };
    let beat = if beat.is_finite() { beat } else { 0.0 };
    let mut s = Stance::rest();
    // A blink every three cycles or so, each figure at its own time.
    let own = figure.name.bytes().fold(0u32, |sum, byte| (sum * 31 + u32::from(byte)) % 89) as f32 / 100.0;
    s.eyes_shut = gesture == Gesture::Sleep || part(beat * 0.31 + own) > 0.955;
    match figure.build {
        Build::Upright => upright(figure, gesture, beat, vigour, &mut s),
        Build::FourLegged => four_legged(figure, gesture, beat, vigour, &mut s),
    }
    followers(gesture, beat, vigour, &mut s);
    for (angle, (low, high)) in s.angles.iter_mut().zip(LIMITS) {
        *angle = angle.clamp(low, high);
    }
    restrict(figure, gesture, &mut s);
    s
}

/// How far each joint turns, radians, in the order of [`Joint`].
const LIMITS: [(f32, f32); JOINTS] = [
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
fn restrict(figure: &Figure, gesture: Gesture, s: &mut Stance) {
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

/// What hangs and trails: a little behind the body's beat.
fn followers(gesture: Gesture, beat: f32, vigour: f32, s: &mut Stance) {
    let p = TAU * beat;
    let (reach, pace) = match gesture {
        Gesture::Run | Gesture::Jump | Gesture::Dance => (0.34, 1.0),
        Gesture::Walk | Gesture::Play | Gesture::Fight | Gesture::Swim | Gesture::Fly => (0.24, 1.0),
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
        Gesture::Run | Gesture::Ride => -0.75,
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

/// Swings one leg of a walk: `phase` in radians, 0 at mid-stance going back to front.
fn step(s: &mut Stance, leg: [Joint; 3], phase: f32, reach: f32, fold: f32, toe: f32) {
    let [thigh, shin, foot] = leg;
    let forward = phase.cos().max(0.0);
    s[thigh] = reach * phase.sin() + 0.18 * fold * forward;
    s[shin] = -(0.08 + fold * forward);
    s[foot] = -(s[thigh] + s[shin]) * 0.85 - toe * (phase - 0.5).sin().min(0.0) * -0.3;
}

const NEAR_LEG: [Joint; 3] = [ThighNear, ShinNear, FootNear];
const FAR_LEG: [Joint; 3] = [ThighFar, ShinFar, FootFar];

/// Bends both knees so that the feet stay flat.
fn crouch(s: &mut Stance, by: f32) {
    for [thigh, shin, foot] in [NEAR_LEG, FAR_LEG] {
        s[thigh] += by;
        s[shin] -= 1.9 * by;
        s[foot] += 0.9 * by;
    }
}

/// Legs apart, feet flat.
fn straddle(s: &mut Stance, forward: f32, back: f32) {
    s[ThighFar] = forward + 0.12;
    s[ShinFar] = -0.3;
    s[FootFar] = 0.18 - forward;
    s[ThighNear] = -back;
    s[ShinNear] = -0.2;
    s[FootNear] = 0.2 + back;
}

fn upright(figure: &Figure, gesture: Gesture, beat: f32, v: f32, s: &mut Stance) {
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
            let thrust = hump(u, 0.2, 0.6);
            straddle(s, 0.34 + 0.15 * thrust, 0.34);
            s[ArmNear] = 0.55 + 0.95 * thrust;
            s[ForearmNear] = 1.5 - 1.45 * thrust;
            s[ArmFar] = 0.8;
            s[ForearmFar] = 1.6;
            s[Chest] = -0.05 - 0.22 * thrust;
            s[Head] = 0.05;
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

/// On the ground: one leg stretched, one knee up.
fn seat(s: &mut Stance, breath: f32) {
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
fn glide(s: &mut Stance, p: f32, v: f32) {
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
fn bound(s: &mut Stance, u: f32, strength: f32) {
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

fn kick_feet(s: &mut Stance, phase: f32, reach: f32) {
    s[ThighNear] = reach * phase.sin();
    s[ThighFar] = -reach * phase.sin();
    s[ShinNear] = -0.15 - reach * (1.0 + phase.cos());
    s[ShinFar] = -0.15 - reach * (1.0 - phase.cos());
    s[FootNear] = -0.7;
    s[FootFar] = -0.7;
}

/// Puts the near hand `share` of the way from before the belly to the mouth, `off` design units away from it.
fn carry(figure: &Figure, s: &mut Stance, share: f32, off: [f32; 2]) {
    let of = |joint: Joint| figure.parts.iter().find(|part| part.joint == joint).map(|part| part.pivot);
    let (Some(shoulder), Some(elbow)) = (of(ArmNear), of(ForearmNear)) else { return };
    let (hand, mouth) = (figure.anchors.hand.at, figure.anchors.mouth.at);
    let span = |a: [f32; 2], b: [f32; 2]| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
    let (upper, lower) = (span(shoulder, elbow).max(0.1), span(elbow, hand).max(0.1));
    let low = [shoulder[0] - 0.7 * upper, shoulder[1] + 0.9 * upper];
    let target: [f32; 2] = std::array::from_fn(|i| low[i] + (mouth[i] + off[i] - low[i]) * share);
    let away = [target[0] - shoulder[0], target[1] - shoulder[1]];
    let far = span(target, shoulder).clamp((upper - lower).abs() + 0.05, upper + lower - 0.02);
    let corner = |a: f32, b: f32, c: f32| ((a * a + b * b - c * c) / (2.0 * a * b)).clamp(-1.0, 1.0).acos();
    s[ArmNear] = (-away[0]).atan2(away[1]) - corner(upper, far, lower);
    s[ForearmNear] = PI - corner(upper, lower, far);
}

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
        _ => (-0.5, -0.12),
    }
}

fn four_legged(figure: &Figure, gesture: Gesture, beat: f32, v: f32, s: &mut Stance) {
    let p = TAU * beat;
    let u = part(beat);
    let wave = p.sin();
    let breath = (p * 0.5).sin();
    s[Head] = 0.03 * (p * 0.5 - 0.7).sin();
    s[Neck] = 0.02 * breath;
    match gesture {
        Gesture::Stand | Gesture::Ride | Gesture::Hold => {}
        Gesture::Walk => {
            gait(s, p, [0.0, 0.25, 0.5, 0.75], 0.34 + 0.16 * v, 0.55);
            s[Neck] = 0.05 * (2.0 * p).sin();
            s[Head] = -0.05 * (2.0 * p - 0.5).sin();
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
            s.turn = 0.26 * air.sqrt() * rise;
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
        Gesture::Wave => {
            sit_down(s);
            s[ArmNear] = 0.85 + 0.1 * wave;
            s[ForearmNear] = 0.55 + 0.4 * (2.0 * p).sin();
            s.mouth_open = u < 0.5;
        }
        Gesture::Play | Gesture::Cook | Gesture::Read | Gesture::Fish => {
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
        Gesture::Throw | Gesture::Catch | Gesture::Fight | Gesture::Hug | Gesture::Cast | Gesture::Climb => {
            let swing = hump(u, 0.2, 0.7);
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
            let (neck, head) = grazing(figure);
            s[Neck] = neck - 0.03 * (3.0 * p).sin();
            s[Head] = head + 0.05 * (3.0 * p).sin();
            s[Trunk] = 0.5;
            s.mouth_open = chew < 0.5;
        }
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
