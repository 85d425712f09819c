//! What is done together or with an apparatus: who stands how to whom, with which posture, and what is painted around them. What
//! each of these acts is like is data ([`table`]); this module finds who takes part.

mod apparatus;
mod form;
mod marks;
mod posture;
mod table;

use crate::codes::{Act, Effect, Kind, Relation};
use crate::figures::{Gesture, Joint};
use crate::paint::film::Film;
use crate::scene::Slot;
use crate::sprites::atlas;
use table::PRACTICES;

/// One of these acts. Lengths are in heights of who does it.
pub(super) struct Practice {
    act: Act,
    stand: Stand,
    /// How high a figure is at most, in frame heights.
    high: f32,
    /// Of the first, of the second, and so on in turn.
    postures: &'static [Posture],
    /// Painted behind and before those who take part.
    behind: &'static [Piece],
    before: &'static [Piece],
    /// How far all that reaches back and ahead.
    reach: (f32, f32),
    marks: &'static [Mark],
    /// Named things that the pieces show already.
    shows: &'static [&'static str],
}

impl Practice {
    /// How high all of it is, in heights of a figure.
    fn tall(&self) -> f32 {
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
enum Stand {
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
enum Bears {
    Arms,
    Overhead,
    Shoulders,
}

/// Angle of a joint: at rest, how far it swings, and its phase in turns.
type Bend = (Joint, f32, f32, f32);

struct Posture {
    base: Gesture,
    /// Beats a second.
    pace: f32,
    bends: &'static [Bend],
    /// Of the whole, radians; and its swing.
    turn: (f32, f32),
    plant: Plant,
    near: Touch,
    far: Touch,
    /// `None`: as the base has it.
    mouth: Option<bool>,
    held: Held,
    path: &'static [Key],
    feeling: Option<Effect>,
}

/// What rests where.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plant {
    Feet,
    /// The near hand so high above the ground.
    Hand(f32),
    Seat(f32),
    /// Lifted with the clip, from here to there.
    Rising(f32, f32),
}

/// Where a hand goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Touch {
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
enum Held {
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
struct Key(f32, f32, f32, f32);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
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
enum Mark {
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
pub(super) struct Company {
    practice: &'static Practice,
    members: Vec<usize>,
    rank: usize,
}

impl Company {
    fn posture(&self) -> Option<&'static Posture> {
        self.practice.postures.get(self.rank % self.practice.postures.len().max(1))
    }

    /// The one that somebody does it with.
    fn other(&self) -> Option<usize> {
        let other = match self.practice.stand {
            Stand::Sides(_) | Stand::Facing(_) | Stand::Turning(_) => self.rank ^ 1,
            _ if self.rank == 0 => 1,
            _ => self.rank - 1,
        };
        self.members.get(other).copied()
    }
}

impl Film {
    /// With whom somebody does what the table has.
    pub(super) fn company(&self, place: usize) -> Option<Company> {
        (0..self.brief.slots.len()).find_map(|first| {
            let practice = self.practice_of(first)?;
            let doers = || (0..self.brief.slots.len()).filter(|slot| self.practice_of(*slot).is_some_and(|own| own.act == practice.act));
            if doers().next() != Some(first) {
                return None;
            }
            let mut members = Vec::with_capacity(2);
            for doer in doers() {
                let partner = self.partner_of(doer, practice);
                for slot in [Some(doer), partner].into_iter().flatten() {
                    if !members.contains(&slot) {
                        members.push(slot);
                    }
                }
            }
            let rank = members.iter().position(|slot| *slot == place)?;
            if matches!(practice.stand, Stand::Bears(_)) && members.len() < 2 || matches!(practice.act, Act::Hug) && members.len() < 2 {
                return None;
            }
            let alone = practice.stand == Stand::Alone && practice.postures.len() < 2;
            Some(if alone { Company { practice, members: vec![place], rank: 0 } } else { Company { practice, members, rank } })
        })
    }

    fn practice_of(&self, place: usize) -> Option<&'static Practice> {
        let slot = self.brief.slots.get(place)?;
        let alive = matches!(slot.kind, Kind::Person | Kind::Animal | Kind::Flyer | Kind::Swimmer) || self.cast.figure(place).is_some();
        let act = self.act_of(place).filter(|_| alive)?;
        let act = match act {
            // A child or a pet is held otherwise than a thing.
            Act::Hold | Act::Lift if self.small_one_of(place).is_some() => {
                if act == Act::Hold {
                    Act::Cradle
                } else {
                    Act::HoldUp
                }
            }
            act => act,
        };
        PRACTICES.iter().copied().flatten().find(|practice| practice.act == act)
    }

    /// A living one that somebody can bear.
    fn small_one_of(&self, place: usize) -> Option<usize> {
        let own = self.brief.slots.get(place)?;
        self.related_to(place).filter(|other| self.brief.slots.get(*other).is_some_and(|slot| slot.metres < 0.9 * own.metres))
    }

    /// The living one that stands to this one, or to which this one stands.
    fn related_to(&self, place: usize) -> Option<usize> {
        let near = |slot: &Slot| matches!(slot.relation, Relation::Beside | Relation::Play | Relation::Front | Relation::Between);
        let own = self.brief.slots.get(place)?;
        if matches!(self.act_of(place), Some(Act::Dream | Act::Think)) {
            return None;
        }
        let alive = |other: &usize| {
            let slot = self.brief.slots.get(*other);
            *other != place && slot.is_some_and(|slot| matches!(slot.kind, Kind::Person | Kind::Animal | Kind::Flyer | Kind::Swimmer))
        };
        let child = self.brief.slots.iter().position(|slot| slot.parent == Some(place) && near(slot)).filter(alive);
        child.or_else(|| own.parent.filter(|_| near(own)).filter(alive))
    }

    fn partner_of(&self, doer: usize, practice: &Practice) -> Option<usize> {
        if practice.stand == Stand::Alone && practice.postures.len() < 2 {
            return None;
        }
        self.related_to(doer).filter(|other| self.practice_of(*other).is_none_or(|own| own.act == practice.act))
    }

    /// In whose arms, or above whose head, somebody is: drawn before them.
    pub(super) fn borne_by(&self, place: usize) -> Option<usize> {
        let company = self.company(place).filter(|company| company.rank == 1)?;
        let before = matches!(company.practice.stand, Stand::Bears(Bears::Arms | Bears::Overhead));
        company.members.first().copied().filter(|_| before)
    }

    /// What somebody thinks or dreams of, in the cloud above them.
    fn thought_of(&self, place: usize) -> Option<usize> {
        self.brief.slots.iter().position(|slot| slot.parent == Some(place) && !slot.relation.attached())
    }

    /// Whether an apparatus that is painted shows what the slot is.
    pub(super) fn is_apparatus(&self, place: usize) -> bool {
        let Some(slot) = self.brief.slots.get(place) else { return false };
        let name = &atlas().get(slot.sprite).name;
        let thinks = |of: &usize| matches!(self.act_of(*of), Some(Act::Dream | Act::Think));
        if slot.parent.filter(thinks).is_some_and(|parent| self.thought_of(parent) == Some(place)) {
            return true;
        }
        (0..self.brief.slots.len())
            .any(|other| self.practice_of(other).is_some_and(|practice| practice.shows.iter().any(|shown| *shown == name)))
    }

    /// What somebody's face shows.
    pub(super) fn feeling_of(&self, place: usize) -> Option<Effect> {
        let slot = self.brief.slots.get(place)?;
        let said = self.program.things.get(slot.thing).and_then(|thing| thing.effect).filter(|effect| Self::is_feeling(*effect));
        said.or_else(|| self.company(place)?.posture()?.feeling)
    }

    pub(super) fn is_feeling(effect: Effect) -> bool {
        effect >= Effect::Anger
    }
}

#[cfg(test)]
mod tests;
