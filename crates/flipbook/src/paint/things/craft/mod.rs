//! What people do with their hands, as one mechanism: a gesture, a tool in the hand, the place of what is worked on, and the mark
//! that it leaves. [`table`] says which of each belongs to an act; this file finds what is worked on and puts it within reach.

mod fittings;
mod further;
mod growth;
mod marks;
mod reach;
mod site;
mod stuff;
mod table;
mod utensils;

use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::{Act, Kind, Motion, Relation};
use crate::layout::natural_height;
use crate::paint::film::{Film, Moment};
use crate::paint::kept::of_each_slot;
use crate::paint::shape::Pen;
use crate::scene::Slot;
use crate::sprites::atlas;
use site::Site;
use table::Craft;

pub(super) use table::gesture;

/// Of a table's middle beyond the hands, in heights of who works.
const BEYOND: f32 = 0.20;
/// What is higher stands on the ground instead of on a table, in metres.
const TALL: f32 = 0.95;

/// Who works at what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub craft: &'static Craft,
    /// Where the object is, which may be another place than the table says.
    pub site: Site,
    /// The first of those who do the same at the same place, and which of them this is.
    lead: usize,
    number: usize,
    /// What is worked on, by its slot.
    object: Option<usize>,
    /// What lies beside it.
    second: Option<usize>,
    /// Who is worked on.
    patient: Option<usize>,
    /// -1 or 1: to which side the first of them works.
    side: f32,
}

/// A place to paint at: an origin in pixels, a direction and a length.
#[derive(Clone, Copy, Debug)]
struct Plane {
    origin: [f32; 2],
    u: [f32; 2],
    v: [f32; 2],
    unit: f32,
}

impl Work {
    /// Whether the stuff of the craft is before the hands and what was named beside it.
    fn is_beside_the_stuff(&self, slot: Option<&Slot>) -> bool {
        (self.craft.always && !self.craft.hides) || self.craft.vessel && !is_vessel(slot)
    }
}

impl Plane {
    /// Upright on the ground or on a table: `u` to the side that `way` says, `v` upwards.
    fn upright(x: f32, y: f32, unit: f32, way: f32) -> Self {
        Self { origin: [x, y], u: [way, 0.0], v: [0.0, -1.0], unit }
    }

    fn at(&self, u: f32, v: f32) -> [f32; 2] {
        let along = |i: usize| self.origin[i] + self.unit * (u * self.u[i] + v * self.v[i]);
        [along(0), along(1)]
    }
}

/// A part of a flat drawing in the units of a [`Plane`].
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// A closed outline.
    Shape(u32, &'static [[f32; 2]]),
    /// From, to, and half its width.
    Bar(u32, [f32; 2], [f32; 2], f32),
    Disc(u32, [f32; 2], f32),
    Ring(u32, [f32; 2], f32, f32),
}

impl Film {
    fn ink(&self, hex: u32) -> Ink {
        Ink::flat(Rgb::hex(hex).tinted(self.light.ambient), 1.0)
    }

    fn pieces(&self, c: &mut Canvas, plane: &Plane, pieces: &[Piece]) {
        for piece in pieces {
            match *piece {
                Piece::Shape(hex, points) => {
                    let points: Vec<[f32; 2]> = points.iter().map(|[u, v]| plane.at(*u, *v)).collect();
                    Pen::default().polygon(&points).fill(c, &self.ink(hex));
                }
                Piece::Bar(hex, from, to, half) => {
                    let ends = [from, to].map(|[u, v]| plane.at(u, v));
                    Pen::default().line_through(&ends).stroke(c, 2.0 * half * plane.unit, &self.ink(hex));
                }
                Piece::Disc(hex, [u, v], radius) => {
                    let [x, y] = plane.at(u, v);
                    c.circle(x, y, radius * plane.unit, &self.ink(hex));
                }
                Piece::Ring(hex, [u, v], radius, half) => {
                    let [x, y] = plane.at(u, v);
                    Pen::default().circle(x, y, radius * plane.unit).stroke(c, 2.0 * half * plane.unit, &self.ink(hex));
                }
            }
        }
    }

    /// What the slot works at with its hands.
    pub(super) fn work_of(&self, place: usize) -> Option<Work> {
        let slot = self.brief.slots.get(place).filter(|slot| lives(slot) || self.cast.figure(place).is_some())?;
        let act = self.act_of(place).or_else(|| self.act_with(place))?;
        let craft = self.craft_of(place, act)?;
        let team: Vec<usize> = (0..self.brief.slots.len())
            .filter(|other| *other == place || craft.site.is_shared() && self.act_of(*other) == Some(act))
            .filter(|other| self.brief.slots.get(*other).is_some_and(|slot| slot.relation != Relation::Ride))
            .collect();
        let lead = team.first().copied().unwrap_or(place);
        let [object, second] = self.objects_among(&team, craft);
        let patient = (craft.site == Site::Other || act == Act::Draw).then(|| self.patient_among(&team, place)).flatten();
        let thing = object.and_then(|object| self.brief.slots.get(object));
        let high = thing.map_or(0.0, natural_height);
        let site = match craft.site {
            _ if slot.relation == Relation::Ride => Site::None,
            Site::Table | Site::Both if high > TALL && !is_flat(thing) || thing.is_some_and(is_cauldron) => Site::Ground,
            Site::Other if patient.is_none() && object.is_some() => Site::Ground,
            Site::Other if patient.is_none() => Site::None,
            Site::Ground if high > 2.0 => Site::Wall,
            Site::Eyes if high > 1.0 => Site::Wall,
            site => site,
        };
        let x = self.layout.objects.get(lead).map_or(0.5, |object| object.x);
        let side = if x <= 0.5 { 1.0 } else { -1.0 };
        let number = team.iter().position(|other| *other == place).unwrap_or(0);
        Some(Work { craft, site, lead, number, object, second, patient, side })
    }

    /// What is done with an instrument that stands by somebody who was not said to do anything.
    fn act_with(&self, place: usize) -> Option<Act> {
        const INSTRUMENTS: [(&str, Act); 3] = [("stethoscope", Act::Listen), ("telescope", Act::Gaze), ("microscope", Act::Magnify)];
        let own = self.brief.slots.get(place).filter(|own| own.kind == Kind::Person)?;
        let idle = matches!(own.motion, Motion::Idle | Motion::Still);
        let by = |at: usize, slot: &Slot| slot.parent == Some(place) || own.parent == Some(at) && !own.relation.attached();
        let mut all = self.brief.slots.iter().enumerate().filter(|(at, slot)| idle && by(*at, slot));
        all.find_map(|(_, slot)| INSTRUMENTS.iter().find(|(name, _)| *name == atlas().get(slot.sprite).name).map(|(_, act)| *act))
    }

    /// The craft of an act; walls and fences are painted, pictures are painted at an easel.
    fn craft_of(&self, place: usize, act: Act) -> Option<&'static Craft> {
        let tall = |slot: &Slot| slot.kind != Kind::Person && natural_height(slot) > 0.8 && !lives(slot);
        match act {
            Act::Paint => {
                let own = self.brief.slots.get(place)?;
                let paints = |other: Option<usize>| other.is_some_and(|other| self.act_of(other) == Some(act));
                let related =
                    self.brief.slots.iter().enumerate().any(|(at, slot)| (paints(slot.parent) || own.parent == Some(at)) && tall(slot));
                let easel = self.brief.slots.iter().any(|slot| atlas().get(slot.sprite).name == "easel");
                (related && !easel).then(|| table::craft(act)).flatten()
            }
            Act::Pick if self.brief.slots.iter().enumerate().any(|(at, slot)| at != place && grows_low(slot)) => table::craft(Act::Gather),
            Act::Wash if self.brief.slots.iter().any(|slot| slot.kind == Kind::Prop && natural_height(slot) < 0.3) => {
                table::craft(Act::Rinse)
            }
            Act::Slice if self.is_done_to_somebody(place) => table::craft(Act::CutHair),
            Act::Write | Act::Draw if self.brief.slots.iter().any(is_board) => table::craft(Act::WriteUp),
            _ => table::craft(act),
        }
    }

    /// `cutting a man's hair`
    fn is_done_to_somebody(&self, place: usize) -> bool {
        let Some(own) = self.brief.slots.get(place) else { return false };
        let related = |at: usize, slot: &Slot| slot.parent == Some(place) && !slot.relation.attached() || own.parent == Some(at);
        let mut all = self.brief.slots.iter().enumerate();
        all.any(|(at, slot)| at != place && slot.kind == Kind::Person && self.act_of(at).is_none() && related(at, slot))
    }

    /// What one of a team is said to work on, and what else they are said to work with.
    fn objects_among(&self, team: &[usize], craft: &Craft) -> [Option<usize>; 2] {
        let slots = &self.brief.slots;
        let stands = |slot: &Slot| matches!(slot.relation, Relation::Beside | Relation::Play | Relation::Front | Relation::None);
        let free = |at: usize| {
            slots.get(at).is_some_and(|slot| {
                let added = self.program.things.get(slot.thing).is_some_and(|thing| thing.added);
                (!lives(slot) || craft.site == Site::Hook && slot.kind == Kind::Swimmer)
                    && slot.kind != Kind::Sky
                    && !team.contains(&at)
                    // Who works is nobody's work: each would be drawn by the other, without end.
                    && self.act_of(at).is_none_or(Act::is_of_things)
                    && !added
                    && !craft.takes(&atlas().get(slot.sprite).name)
            })
        };
        let of_team = |at: &usize| {
            let bound = slots.get(*at).is_some_and(|slot| stands(slot) && slot.parent.is_some_and(|parent| team.contains(&parent)));
            free(*at) && (bound || team.iter().any(|one| slots.get(*one).is_some_and(|one| one.parent == Some(*at) && stands(one))))
        };
        // `a cake on the table`: it bears what is worked on.
        let borne = |at: &usize| {
            let carrier = slots.get(*at).and_then(|slot| slot.parent.filter(|_| matches!(slot.relation, Relation::On | Relation::In)));
            free(*at) && carrier.is_some_and(|carrier| slots.get(carrier).is_some_and(|slot| !lives(slot)))
        };
        let all = 0..slots.len();
        let vessel = craft.vessel.then(|| all.clone().find(|at| free(*at) && is_vessel(slots.get(*at)))).flatten();
        let loose = |at: &usize| free(*at) && slots.get(*at).is_some_and(|slot| slot.parent.is_none() && natural_height(slot) < 1.5);
        // What is not drawn, as paint covers it, is theirs alone.
        let others = |at: &usize| !craft.hides && borne(at);
        let near = |at: &usize| !craft.hides && loose(at);
        let first = vessel.or_else(|| all.clone().find(of_team)).or_else(|| all.clone().find(others)).or_else(|| all.clone().find(near));
        let thing = |at: usize| slots.get(at).map(|slot| slot.thing);
        let small = |at: &usize| slots.get(*at).is_some_and(|slot| natural_height(slot) < TALL);
        let second =
            all.clone().find(|at| first.is_some_and(|first| thing(first) != thing(*at)) && small(at) && (of_team(at) || others(at)));
        [first, second.filter(|_| matches!(craft.site, Site::Table | Site::Basin | Site::Ground))]
    }

    /// Who is worked on.
    fn patient_among(&self, team: &[usize], place: usize) -> Option<usize> {
        let own = self.brief.slots.get(place)?;
        let bound = |at: &usize| {
            let slot = self.brief.slots.get(*at);
            let related = slot.is_some_and(|slot| slot.parent == Some(place) && !slot.relation.attached()) || own.parent == Some(*at);
            related && !team.contains(at) && (slot.is_some_and(lives) || self.cast.figure(*at).is_some() || is_a_doll(slot))
        };
        let near = |at: &usize| {
            let slot = self.brief.slots.get(*at).filter(|slot| !slot.relation.attached());
            *at != place && self.act_of(*at).is_none() && !team.contains(at) && slot.is_some_and(lives)
        };
        let all = 0..self.brief.slots.len();
        all.clone().find(bound).or_else(|| all.clone().find(near).filter(|_| self.act_of(place) != Some(Act::Draw)))
    }

    /// The copies of what is worked on.
    fn copies(&self, object: usize) -> Vec<usize> {
        let thing = self.brief.slots.get(object).map(|slot| slot.thing);
        (0..self.brief.slots.len()).filter(|at| self.brief.slots.get(*at).map(|slot| slot.thing) == thing).collect()
    }

    /// Whether who works at it draws it, or has it in hand as a tool.
    pub(super) fn is_worked_on(&self, place: usize) -> bool {
        let all = of_each_slot(&self.roles.worked_on, self.brief.slots.len(), |place| self.find_whether_worked_on(place));
        all.get(place).is_some_and(|worked_on| *worked_on)
    }

    fn find_whether_worked_on(&self, place: usize) -> bool {
        let Some(slot) = self.brief.slots.get(place) else { return false };
        (0..self.brief.slots.len()).any(|doer| {
            let Some(work) = self.work_of(doer).filter(|_| doer != place) else { return false };
            let same = |object: Option<usize>| {
                object.and_then(|object| self.brief.slots.get(object)).is_some_and(|object| object.thing == slot.thing)
            };
            let drawn = work.patient == Some(place) && work.site != Site::Other;
            let worked = same(work.object) || same(work.second) || drawn;
            let users: Vec<usize> = [Some(doer), work.object, work.second, work.patient].into_iter().flatten().collect();
            let tool = !lives(slot) && self.act_of(place).is_none() && work.craft.takes(&atlas().get(slot.sprite).name);
            worked && work.site != Site::None || tool && self.is_used_by(place, &users)
        })
    }

    /// Whether somebody cuts, combs or examines who is there: they sit for it.
    pub(super) fn is_tended(&self, place: usize) -> bool {
        self.act_of(place).is_none()
            && (0..self.brief.slots.len())
                .any(|doer| self.work_of(doer).is_some_and(|work| work.patient == Some(place) && work.craft.seats))
    }

    /// What is drawn before who works: the workplace and what stands on it.
    pub(super) fn before_work(&self, c: &mut Canvas, m: &Moment, place: usize) {
        if self.is_tended(place) {
            self.stool(c, m, place);
        }
        let Some(work) = self.work_of(place).filter(|work| work.lead == place || !work.craft.site.is_shared()) else { return };
        self.fitting(c, m, place, &work);
        if work.site.is_behind() {
            self.draw_object(c, m, &work);
            self.stuffed(c, m, place, &work);
        }
    }

    /// What is drawn over who works: what is in the hands, the tool and the mark.
    pub(super) fn after_work(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(work) = self.work_of(place) else { return };
        if !work.site.is_behind() && (work.lead == place || !work.craft.site.is_shared()) {
            self.stuffed(c, m, place, &work);
            self.draw_object(c, m, &work);
        }
        self.utensil(c, m, place, &work);
        self.marked(c, m, place, &work);
    }

    fn draw_object(&self, c: &mut Canvas, m: &Moment, work: &Work) {
        if work.site == Site::None || work.craft.hides {
            return;
        }
        for at in work.object.into_iter().chain(work.second).flat_map(|object| self.copies(object)).filter(|at| self.work_of(*at).is_none())
        {
            if matches!(work.site, Site::Ground | Site::Wall | Site::Other | Site::Patch)
                && m.poses.get(at).is_some_and(|pose| pose.lift < 0.05)
            {
                self.shadow(c, m, at);
            }
            let effect = self.brief.slots.get(at).and_then(|slot| self.program.things.get(slot.thing)).and_then(|thing| thing.effect);
            if let Some(effect) = effect {
                self.effect(c, m, at, effect, true);
            }
            self.thing(c, m, at);
            if let Some(effect) = effect {
                self.effect(c, m, at, effect, false);
            }
        }
    }
}

fn lives(slot: &Slot) -> bool {
    matches!(slot.kind, Kind::Animal | Kind::Person | Kind::Flyer | Kind::Swimmer)
}

/// It is picked from the ground and not from a tree.
fn grows_low(slot: &Slot) -> bool {
    const ON_TREES: [&str; 12] =
        ["red-apple", "green-apple", "pear", "peach", "cherries", "tangerine", "lemon", "mango", "banana", "olive", "coconut", "avocado"];
    let name = atlas().get(slot.sprite).name.as_str();
    !lives(slot) && natural_height(slot) < 1.0 && !matches!(name, "basket" | "ladder" | "bucket") && !ON_TREES.contains(&name)
}

fn is_cauldron(slot: &Slot) -> bool {
    atlas().get(slot.sprite).name == "cauldron"
}

/// It is written and drawn on.
fn is_board(slot: &Slot) -> bool {
    matches!(atlas().get(slot.sprite).name.as_str(), "blackboard" | "stone-wall" | "fence" | "mirror")
}

fn is_a_doll(slot: Option<&Slot>) -> bool {
    slot.is_some_and(|slot| matches!(atlas().get(slot.sprite).name.as_str(), "teddy-bear" | "nesting-dolls" | "robot"))
}

/// Clothes and paper are laid on a table, however long they are.
fn is_flat(slot: Option<&Slot>) -> bool {
    const FLAT: [&str; 9] = ["dress", "scarf", "coat", "t-shirt", "kimono", "sari", "world-map", "map-of-japan", "jeans"];
    slot.is_some_and(|slot| FLAT.contains(&atlas().get(slot.sprite).name.as_str()))
}

fn is_vessel(slot: Option<&Slot>) -> bool {
    const VESSELS: [&str; 10] = [
        "cauldron",
        "pot-of-food",
        "shallow-pan-of-food",
        "bowl-with-spoon",
        "green-salad",
        "steaming-bowl",
        "bucket",
        "teacup-without-handle",
        "cooking",
        "fondue",
    ];
    slot.is_some_and(|slot| VESSELS.contains(&atlas().get(slot.sprite).name.as_str()))
}
