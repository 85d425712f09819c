//! The animator's rules: which angle every joint has in a gesture at a moment of its cycle. Opposite arm and leg swing
//! together, knees bend on the way forward, tails and ears follow late, and nobody at rest holds their breath.

mod acts;
mod animals;
mod arms;
mod four_legged;
mod legs;
mod limits;
mod trails;
mod upright;

use std::f32::consts::PI;

use super::skeleton::{Build, Figure, Stance};

/// Beats of an act a second.
pub const PACE: f32 = 0.75;

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
    /// With fists or paws: a blow in the first half of a beat, on guard in the second.
    Fight,
    Climb,
    Sing,
    /// As [`Self::Fight`], with a blade or a staff.
    Fence,
    /// Steps, leaning against something ahead.
    Push,
    /// Steps, with something behind in tow.
    Pull,
    Juggle,
    Cry,
    Laugh,
    /// Shouts, roars, barks, howls.
    Call,
    Dig,
    Sweep,
    Clap,
    Point,
    /// On hands and knees.
    Crawl,
    /// Something small before the mouth.
    Blow,
    Brush,
    /// With both hands on the ground before it.
    Build,
    /// On one leg, arms above the head.
    Stretch,
    /// On a board or on skis.
    Glide,
    Skate,
    /// As [`Self::Ride`], with feet that go round.
    Pedal,
    /// By one hand.
    Hang,
    /// A hand held out.
    Reach,
    /// A hand goes up and down what is before it.
    Rub,
    /// With a hammer or an axe: up, and down at 0.4 of a beat.
    Strike,
    /// Both hands above the head.
    Raise,
    /// On one knee.
    Kneel,
    /// The tail, to and fro.
    Wag,
    Yawn,
    /// Out at 0.5 of a beat.
    Sneeze,
    /// A paw or a hand before the mouth.
    Lick,
    /// Behind the ear, with a hind leg or a hand.
    Scratch,
    /// On the back, legs up.
    Wallow,
    /// Head down, ahead at 0.4 of a beat.
    Butt,
    Peck,
    /// Both hands on what lies before it.
    Press,
    /// A hand goes to and fro.
    Saw,
    /// A hand at its own hair.
    Comb,
    /// Something before the eyes.
    Peer,
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
        Self::Fence,
        Self::Push,
        Self::Pull,
        Self::Juggle,
        Self::Cry,
        Self::Laugh,
        Self::Call,
        Self::Dig,
        Self::Sweep,
        Self::Clap,
        Self::Point,
        Self::Crawl,
        Self::Blow,
        Self::Brush,
        Self::Build,
        Self::Stretch,
        Self::Glide,
        Self::Skate,
        Self::Pedal,
        Self::Hang,
        Self::Reach,
        Self::Rub,
        Self::Strike,
        Self::Raise,
        Self::Kneel,
        Self::Wag,
        Self::Yawn,
        Self::Sneeze,
        Self::Lick,
        Self::Scratch,
        Self::Wallow,
        Self::Butt,
        Self::Peck,
        Self::Press,
        Self::Saw,
        Self::Comb,
        Self::Peer,
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
        Build::Upright => upright::upright(figure, gesture, beat, vigour, &mut s),
        Build::FourLegged => four_legged::four_legged(figure, gesture, beat, vigour, &mut s),
    }
    trails::followers(gesture, beat, vigour, &mut s);
    for (angle, (low, high)) in s.angles.iter_mut().zip(limits::LIMITS) {
        *angle = angle.clamp(low, high);
    }
    limits::restrict(figure, gesture, &mut s);
    s
}
