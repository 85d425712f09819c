//! Joints, parts and forward kinematics: how the angles of a stance become the place of every part. This is the only
//! place that multiplies transforms.
//!
//! A figure is designed in units of its own, facing left, and fitted to the 32 x 32 box once; angles are in radians,
//! positive is clockwise on the screen: what hangs down moves forward (left), what stands up moves back.

use std::ops::{Index, IndexMut};

use super::pen::Palette;
use crate::codes::{Colour, Effect, Kind};

/// What turns. `Near` is the side of the one who looks, `Far` the other. Four-legged animals have their forelegs as arms
/// and their hind legs as legs; birds have wings for arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joint {
    /// The part that all others hang from: hips, or the body of a four-legged animal. The whole figure's turn is its angle.
    Root,
    Chest,
    Neck,
    Head,
    ArmNear,
    ArmFar,
    ForearmNear,
    ForearmFar,
    ThighNear,
    ThighFar,
    ShinNear,
    ShinFar,
    FootNear,
    FootFar,
    Tail,
    TailTip,
    EarNear,
    EarFar,
    Hair,
    Skirt,
    Cape,
    WingNear,
    WingFar,
    Trunk,
    TrunkTip,
    /// Stays level whatever the leg above it does: a board.
    Board,
    /// Never turns by itself: eyes, mouths, hats.
    Fixed,
}

/// How many joints there are.
pub const JOINTS: usize = Joint::Fixed as usize + 1;

/// Where every joint is at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// Radians, by [`Joint`].
    pub angles: [f32; JOINTS],
    /// Of the whole, radians: lying, swimming, rearing.
    pub turn: f32,
    /// How far the lowest foot (or back, or belly) is above the ground line, in box heights.
    pub lift: f32,
    /// In the air or in water: turned about the middle of the box, and nothing is put on the ground.
    pub afloat: bool,
    pub eyes_shut: bool,
    pub mouth_open: bool,
    /// What the face shows: one of the effects that are feelings.
    pub feeling: Option<Effect>,
}

impl Stance {
    pub fn rest() -> Self {
        Self { angles: [0.0; JOINTS], turn: 0.0, lift: 0.0, afloat: false, eyes_shut: false, mouth_open: false, feeling: None }
    }
}

impl Index<Joint> for Stance {
    type Output = f32;

    fn index(&self, joint: Joint) -> &f32 {
        &self.angles[joint as usize]
    }
}

impl IndexMut<Joint> for Stance {
    fn index_mut(&mut self, joint: Joint) -> &mut f32 {
        &mut self.angles[joint as usize]
    }
}

/// When a part is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    Always,
    EyesOpen,
    EyesShut,
    MouthOpen,
    MouthShut,
    /// Brows of who feels nothing in particular.
    Calm,
    /// Brows and cheeks of a feeling.
    Feeling(Effect),
    /// Its mouth, where that is not open for another reason.
    FeelingMouth(Effect),
    /// Its eyes, in place of open ones.
    FeelingEyes(Effect),
}

/// Feelings that have eyes of their own.
const OWN_EYES: [Effect; 4] = [Effect::Dizziness, Effect::Tiredness, Effect::Surprise, Effect::Fear];

impl Shows {
    pub fn at(self, stance: &Stance) -> bool {
        match self {
            Self::Always => true,
            Self::EyesOpen => !stance.eyes_shut && !stance.feeling.is_some_and(|feeling| OWN_EYES.contains(&feeling)),
            Self::EyesShut => stance.eyes_shut,
            Self::MouthOpen => stance.mouth_open,
            Self::MouthShut => !stance.mouth_open && stance.feeling.is_none(),
            Self::Calm => stance.feeling.is_none(),
            Self::Feeling(feeling) => stance.feeling == Some(feeling),
            Self::FeelingMouth(feeling) => stance.feeling == Some(feeling) && !stance.mouth_open,
            Self::FeelingEyes(feeling) => stance.feeling == Some(feeling) && !stance.eyes_shut,
        }
    }
}

/// One piece of a cut-out puppet.
#[derive(Clone, Debug)]
pub struct Part {
    pub joint: Joint,
    /// Index of the part it hangs from, which comes before it; `None` for the root alone.
    pub parent: Option<usize>,
    /// The point it turns about, in design units, covered by its own ink and by its parent's.
    pub pivot: [f32; 2],
    /// Low is behind, high is in front.
    pub depth: i32,
    /// SVG elements in design units with palette letters for colours.
    pub svg: String,
    pub shows: Shows,
    /// Points that may touch the ground, in design units.
    pub contacts: Vec<[f32; 2]>,
}

/// A transform of the plane: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine(pub [f32; 6]);

impl Affine {
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub fn shifted(by: [f32; 2]) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, by[0], by[1]])
    }

    pub fn scaled(by: f32) -> Self {
        Self([by, 0.0, 0.0, by, 0.0, 0.0])
    }

    /// Clockwise by `angle` radians about `pivot`.
    pub fn turned(angle: f32, pivot: [f32; 2]) -> Self {
        let (sin, cos) = angle.sin_cos();
        let [x, y] = pivot;
        Self([cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y])
    }

    /// `inner` first, then this one.
    pub fn after(self, inner: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [p, q, r, s, t, u] = inner.0;
        Self([a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f])
    }

    pub fn of(self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [a, b, c, d, e, f] = self.0;
        [a * x + c * y + e, b * x + d * y + f]
    }

    /// The clockwise turn in it, radians.
    pub fn angle(self) -> f32 {
        self.0[1].atan2(self.0[0])
    }
}

/// How a figure moves, where it differs from its relatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    /// Keeps its body level: lies down on its belly, floats when it swims (birds, robots on wheels).
    pub level: bool,
    /// Both feet at once.
    pub hops: bool,
    /// Stands on a board and glides.
    pub glides: bool,
    /// Wings for arms.
    pub wings: bool,
    /// A fish's tail for legs.
    pub fin: bool,
    /// Short arms held before the chest.
    pub paws: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    Upright,
    FourLegged,
}

/// A point of a part: where things go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Anchor {
    pub part: usize,
    /// Design units.
    pub at: [f32; 2],
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Anchors {
    pub hand: Anchor,
    pub mouth: Anchor,
    pub back: Anchor,
    pub head_top: Anchor,
    pub seat: Anchor,
}

/// A jointed character. Parents come before children in `parts`.
#[derive(Clone, Debug)]
pub struct Figure {
    pub name: &'static str,
    pub kind: Kind,
    /// Natural height.
    pub metres: f32,
    /// -1: drawn facing left, as all of them.
    pub facing: i8,
    pub parts: Vec<Part>,
    pub palette: Palette,
    pub build: Build,
    pub manner: Manner,
    /// Letters of the palette that an asked-for colour replaces: main tone first.
    pub(super) coat: &'static str,
    pub(super) anchors: Anchors,
    /// Indices into `parts`, from back to front.
    pub(super) order: Vec<usize>,
    /// From design units to the 32 x 32 box, at rest.
    pub(super) fit: Affine,
    /// Ground line in design units.
    pub(super) ground: f32,
    /// Middle of the ink at rest, design units.
    pub(super) middle: [f32; 2],
}

/// The side of the box that figures are fitted into.
pub const BOX: f32 = 32.0;
/// Where the feet are, in units of the box of 32.
pub const GROUND: f32 = 31.0;

impl Figure {
    /// For every part, where its design units lie in the 32 x 32 box.
    pub fn places(&self, stance: &Stance) -> Vec<Affine> {
        let mut places = self.limbs(stance);
        let whole = Affine::turned(stance.turn, self.middle);
        let scale = self.fit.0[0].max(1e-6);
        let mut shift = [0.0, -stance.lift * BOX / scale];
        if !stance.afloat {
            let lowest = self
                .parts
                .iter()
                .zip(&places)
                .flat_map(|(part, place)| part.contacts.iter().map(|at| whole.of(place.of(*at))[1]))
                .fold(f32::NEG_INFINITY, f32::max);
            if lowest.is_finite() {
                shift[1] += self.ground - lowest;
            }
        }
        let outer = self.fit.after(Affine::shifted(shift)).after(whole);
        for place in &mut places {
            *place = outer.after(*place);
        }
        places
    }

    /// The same before the whole is turned, put on the ground and fitted.
    fn limbs(&self, stance: &Stance) -> Vec<Affine> {
        let mut places: Vec<Affine> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let above = part.parent.and_then(|parent| places.get(parent).copied()).unwrap_or(Affine::IDENTITY);
            let angle = match part.joint {
                Joint::Board => -above.angle() - stance.turn,
                joint => stance[joint],
            };
            let mut place = Affine::turned(angle, part.pivot);
            if part.joint == Joint::Skirt {
                // A skirt laid along the thighs folds together.
                let width = 1.0 - 0.38 * angle.clamp(0.0, 1.6);
                place = place.after(Affine([width, 0.0, 0.0, 1.0, part.pivot[0] * (1.0 - width), 0.0]));
            }
            places.push(above.after(place));
        }
        places
    }

    /// A point of a part in the box at this stance, 0 to 1.
    pub(super) fn anchor(&self, anchor: Anchor, stance: &Stance) -> [f32; 2] {
        let places = self.places(stance);
        places.get(anchor.part).map_or([0.5, 0.5], |place| place.of(anchor.at).map(|value| value / BOX))
    }

    /// What replaces the palette when a colour is asked for: outfits of people, coats of animals.
    pub(super) fn coloured(&self, colour: Colour) -> Palette {
        let mut palette = self.palette.clone();
        let asked = super::hue(colour);
        let light = |colour: u32| [16, 8, 0].map(|shift| (colour >> shift & 255) as f32).into_iter().fold(1.0, f32::max);
        let main = self.coat.chars().next().and_then(|letter| self.palette.get(letter)).map_or(255.0, light);
        for letter in self.coat.chars() {
            if let Some(old) = self.palette.get(letter) {
                palette.set(letter, super::pen::shade(asked, (light(old) / main).clamp(0.55, 1.35)));
            }
        }
        palette
    }
}
