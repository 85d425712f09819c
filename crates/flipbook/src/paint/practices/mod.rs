//! Acts that are done together or with an apparatus, as data, one entry each: who stands how to whom, with which posture, and what
//! is painted around them.

mod company;
mod exercise;
mod feats;
mod games;
mod shows;
mod tables;

use crate::codes::{Act, Effect};
use crate::figures::{Gesture, Joint};

const PRACTICES: [&[Practice]; 6] =
    [company::PRACTICES, exercise::PRACTICES, feats::PRACTICES, games::PRACTICES, shows::PRACTICES, tables::PRACTICES];

/// All of them.
pub fn practices() -> impl Iterator<Item = &'static Practice> {
    PRACTICES.into_iter().flatten()
}

/// One of these acts. Lengths are in heights of who does it.
pub struct Practice {
    pub act: Act,
    pub stand: Stand,
    /// How high a figure is at most, in frame heights.
    pub high: f32,
    /// Of the first, of the second, and so on in turn.
    pub postures: &'static [Posture],
    /// Painted behind and before those who take part.
    pub behind: &'static [Piece],
    pub before: &'static [Piece],
    /// How far all that reaches back and ahead.
    pub reach: (f32, f32),
    pub marks: &'static [Mark],
    /// Named things that the pieces show already.
    pub shows: &'static [&'static str],
}

impl Practice {
    /// How high all of it is, in heights of a figure.
    pub fn tall(&self) -> f32 {
        let piece = |piece: &Piece| match *piece {
            Piece::Bar([_, a, _, b], ..) if a.max(b) < 3.0 => a.max(b),
            Piece::Slab([_, foot, _, high], ..) | Piece::Net([_, foot, _, high], _) => foot + high,
            Piece::Drawing(_, [_, foot], high) => foot + high,
            _ => 1.0,
        };
        let held = match self.stand {
            Stand::Bears(_) => 1.4,
            _ => 1.0,
        };
        let path = self.postures.iter().flat_map(|posture| posture.path).map(|key| key.2 + 1.0).fold(held, f32::max);
        self.behind.iter().chain(self.before).map(piece).fold(path, f32::max)
    }
}

/// How those who take part stand to each other; distances from middle to middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stand {
    /// Each where the layout has them.
    Alone,
    /// Two and two, face to face.
    Facing(f32),
    /// Side by side, looking the same way.
    Row(f32),
    /// One after the other, all the same way: the first of them is the last one, or below 0 the foremost.
    Queue(f32),
    /// Two at the ends of a table or a blanket so far from its middle, the others behind it.
    Around(f32),
    /// Half of them on each side, so far from the middle, facing each other.
    Sides(f32),
    /// The second one in the arms, above the head or on the shoulders of the first.
    Bears(Bears),
    /// A couple that goes round.
    Turning(f32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bears {
    Arms,
    Overhead,
    Shoulders,
}

/// Angle of a joint: at rest, how far it swings, and its phase in turns.
pub type Bend = (Joint, f32, f32, f32);

pub struct Posture {
    pub base: Gesture,
    /// Beats a second.
    pub pace: f32,
    pub bends: &'static [Bend],
    /// Of the whole, radians; and its swing.
    pub turn: (f32, f32),
    pub plant: Plant,
    pub near: Touch,
    pub far: Touch,
    /// `None`: as the base has it.
    pub mouth: Option<bool>,
    pub held: Held,
    pub path: &'static [Key],
    pub feeling: Option<Effect>,
}

/// What rests where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plant {
    Feet,
    /// The near hand so high above the ground.
    Hand(f32),
    Seat(f32),
    /// Lifted with the clip, from here to there.
    Rising(f32, f32),
}

/// Where a hand goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    Free,
    /// Half way to the other one, so high; and how far it moves up and down.
    Middle(f32, f32),
    /// From the other's middle towards oneself, and up.
    Other(f32, f32),
    /// Ahead of oneself and up.
    Own(f32, f32),
    /// From the mouth ahead and up.
    Face(f32, f32),
    /// Ahead of where all stand, and up.
    Place(f32, f32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    Nothing,
    /// A drawing by its name, its size, and its turn.
    Drawing(&'static str, f32, f32),
    /// Length, width, colour, and radians from the forearm forwards; thicker at its end.
    Stick(f32, f32, u32, f32),
    Racket,
    Pillow,
    Bow,
}

/// Where somebody is at a share of the clip: ahead, up, and turned by so many turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key(pub f32, pub f32, pub f32, pub f32);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// A line from here to there, its width and colour.
    Bar([f32; 4], f32, u32),
    /// Left, foot, width, height, and how round its corners are.
    Slab([f32; 4], f32, u32),
    /// Middle and radii.
    Oval([f32; 4], u32),
    /// A drawing, the middle of its foot, and its height.
    Drawing(&'static str, [f32; 2], f32),
    /// A net of lines in a box.
    Net([f32; 4], u32),
    /// A line that hangs through between its ends.
    Sag([f32; 4], f32, f32, u32),
    /// A plank on its middle that goes up and down with those at its ends.
    Plank(f32, u32),
    /// A ring about the hips.
    Hoop(f32, u32),
    /// A seat of each of those who sit.
    Stools(f32, u32),
    /// What stands beside each one's feet.
    Each(&'static str, [f32; 2], f32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// From hand to hand of all, pulled tight.
    Rope(u32),
    /// From the hand of the first to the neck of the second.
    Leash(u32),
    /// Back and forth between both, so high.
    Toss(&'static str, f32, f32),
    /// Goes round along this way, so many times in a clip.
    Ball(&'static str, f32, f32, &'static [[f32; 3]]),
    /// A flash so high between both.
    Clap(f32),
    Feathers,
    /// A cloud over the head with a drawing in it; empty: what was named, or dots.
    Thought(&'static str),
    /// Lines that leave the mouth.
    Voice(u32),
    /// A balloon with scribbled lines, in turn.
    Speech,
    /// Paper ribbons out of the hand.
    Burst,
    Flash,
    /// A strap of a rope from the ceiling to the hands.
    Hung(f32),
    Notes,
    Hearts,
}

/// Those who take part in one act, by their slots.
pub struct Company {
    pub practice: &'static Practice,
    pub members: Vec<usize>,
    pub rank: usize,
}

impl Company {
    pub fn posture(&self) -> Option<&'static Posture> {
        self.practice.postures.get(self.rank % self.practice.postures.len().max(1))
    }

    /// The one that somebody does it with.
    pub fn other(&self) -> Option<usize> {
        let other = match self.practice.stand {
            Stand::Sides(_) | Stand::Facing(_) | Stand::Turning(_) => self.rank ^ 1,
            _ if self.rank == 0 => 1,
            _ => self.rank - 1,
        };
        self.members.get(other).copied()
    }
}

/// Somebody who stands there.
const STANDS: Posture = Posture {
    base: Gesture::Stand,
    pace: 0.75,
    bends: &[],
    turn: (0.0, 0.0),
    plant: Plant::Feet,
    near: Touch::Free,
    far: Touch::Free,
    mouth: None,
    held: Held::Nothing,
    path: &[],
    feeling: None,
};

/// Somebody alone who does nothing in particular.
const ALONE: Practice = Practice {
    act: Act::Hide,
    stand: Stand::Alone,
    high: 0.0,
    postures: &[STANDS],
    behind: &[],
    before: &[],
    reach: (0.0, 0.0),
    marks: &[],
    shows: &[],
};
