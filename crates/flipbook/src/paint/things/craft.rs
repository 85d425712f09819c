//! What people do with their hands, as one mechanism: a gesture, a tool in the hand, the place of what is worked on, and the mark
//! that it leaves. [`table`] says which of each belongs to an act; this file finds what is worked on and puts it within reach.

mod fittings;
mod marks;
mod stuff;
mod table;
mod utensils;

use super::warp::Lay;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::{Act, Kind, Relation};
use crate::figures::{Figure, Gesture};
use crate::layout::natural_height;
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::Pen;
use crate::pose::Pose;
use crate::scene::Slot;
use crate::sprites::atlas;
use table::{Craft, Site};

pub(super) use table::gesture;

/// Of a table's middle beyond the hands, and of the free space behind who works, in heights of who works.
const BEYOND: f32 = 0.20;
const BACK: f32 = 0.28;
/// What is higher stands on the ground instead of on a table, in metres.
const TALL: f32 = 0.95;
/// Of one object that is worked on, most are shown.
const MOST: usize = 4;

/// Who works at what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
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

impl Job {
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
    pub(super) fn job(&self, place: usize) -> Option<Job> {
        let slot = self.brief.slots.get(place).filter(|slot| lives(slot) || self.cast.figure(place).is_some())?;
        let act = self.act_of(place)?;
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
        Some(Job { craft, site, lead, number, object, second, patient, side })
    }

    /// The craft of an act; walls and fences are painted, pictures are painted at an easel.
    fn craft_of(&self, place: usize, act: Act) -> Option<&'static Craft> {
        let tall = |slot: &Slot| slot.kind != Kind::Person && natural_height(slot) > 0.8 && !lives(slot);
        match act {
            Act::Paint => {
                let own = self.brief.slots.get(place)?;
                let paints = |other: Option<usize>| other.is_some_and(|other| self.act_of(other) == Some(act));
                let related = self.brief.slots.iter().enumerate().any(|(at, slot)| (paints(slot.parent) || own.parent == Some(at)) && tall(slot));
                let easel = self.brief.slots.iter().any(|slot| atlas().get(slot.sprite).name == "easel");
                (related && !easel).then(|| table::craft(act)).flatten()
            }
            Act::Pick if self.brief.slots.iter().enumerate().any(|(at, slot)| at != place && grows_low(slot)) => table::craft(Act::Gather),
            Act::Wash if self.brief.slots.iter().any(|slot| slot.kind == Kind::Prop && natural_height(slot) < 0.3) => table::craft(Act::Rinse),
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
                !lives(slot) && slot.kind != Kind::Sky && !team.contains(&at) && !added && !craft.takes(&atlas().get(slot.sprite).name)
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
        let first = vessel.or_else(|| all.clone().find(of_team)).or_else(|| all.clone().find(borne)).or_else(|| all.clone().find(loose));
        let thing = |at: usize| slots.get(at).map(|slot| slot.thing);
        let small = |at: &usize| slots.get(*at).is_some_and(|slot| natural_height(slot) < TALL);
        let second = all.clone().find(|at| first.is_some_and(|first| thing(first) != thing(*at)) && small(at) && (of_team(at) || borne(at)));
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
        (0..self.brief.slots.len()).find(bound)
    }

    /// The copies of what is worked on.
    fn copies(&self, object: usize) -> Vec<usize> {
        let thing = self.brief.slots.get(object).map(|slot| slot.thing);
        (0..self.brief.slots.len()).filter(|at| self.brief.slots.get(*at).map(|slot| slot.thing) == thing).take(MOST).collect()
    }

    /// Whether who works at it draws it, or has it in hand as a tool.
    pub(super) fn is_worked_on(&self, place: usize) -> bool {
        let Some(slot) = self.brief.slots.get(place) else { return false };
        (0..self.brief.slots.len()).any(|doer| {
            let Some(job) = self.job(doer).filter(|_| doer != place) else { return false };
            let same = |object: Option<usize>| object.and_then(|object| self.brief.slots.get(object)).is_some_and(|object| object.thing == slot.thing);
            let drawn = job.patient == Some(place) && job.site != Site::Other;
            let worked = same(job.object) || same(job.second) || drawn;
            worked && job.site != Site::None || !lives(slot) && self.act_of(place).is_none() && job.craft.takes(&atlas().get(slot.sprite).name)
        })
    }

    /// Whether somebody cuts, combs or examines who is there: they sit for it.
    pub(super) fn is_tended(&self, place: usize) -> bool {
        self.act_of(place).is_none()
            && (0..self.brief.slots.len()).any(|doer| self.job(doer).is_some_and(|job| job.patient == Some(place) && job.craft.seats))
    }

    /// Where the hand is on the whole while it works, in pixels.
    fn reach(&self, m: &Moment, place: usize, gesture: Gesture) -> Option<[f32; 2]> {
        let pose = m.poses.get(place)?;
        let Some(figure) = self.cast.figure(place) else {
            let x = pose.x + 0.36 * self.way_of(m, place) * pose.w * pose.scale;
            return Some([x * self.width, (pose.y - pose.lift - 0.42 * pose.h * pose.scale) * self.height]);
        };
        let warp = self.warp_box(m, place, pose, Lay::Upright);
        let hands = (0..6).map(|step| warp(Figure::hand(figure, &figure.stance(gesture, step as f32 / 6.0, 0.6))));
        let [x, y] = hands.fold([0.0; 2], |[x, y], hand| [x + hand[0] / 6.0, y + hand[1] / 6.0]);
        Some([x, y])
    }

    /// -1 or 1: where somebody looks now.
    fn way_of(&self, m: &Moment, place: usize) -> f32 {
        let turned = m.poses.get(place).and_then(|pose| pose.facing_turn);
        turned.unwrap_or_else(|| self.layout.objects.get(place).map_or(1.0, |object| object.dir)).signum()
    }

    /// Height of somebody in pixels.
    fn tall(&self, m: &Moment, place: usize) -> f32 {
        m.poses.get(place).map_or(1.0, |pose| (pose.h * self.height * pose.scale).max(1.0))
    }

    /// Puts who works, and what or who is worked on, within reach of each other.
    pub(super) fn posed_at_work(&self, m: &mut Moment) {
        for place in 0..m.poses.len() {
            if let Some(job) = self.job(place) {
                self.take_place(m, place, &job);
            }
        }
        for place in 0..m.poses.len() {
            if let Some(job) = self.job(place).filter(|job| job.lead == place || !job.craft.site.is_shared()) {
                self.fetch(m, place, &job);
            }
        }
    }

    /// The first works to one side, the second from the other side; all of it is in the frame.
    fn take_place(&self, m: &mut Moment, place: usize, job: &Job) {
        let Some(lead) = m.poses.get(job.lead).copied() else { return };
        let tall = self.tall(m, job.lead) / self.width;
        let far = job.site.far() + if self.shared_by(job) > 1 { 0.35 } else { 0.0 } + self.overhang(m, job);
        let (from, to) = (BACK * tall, far * tall);
        let alone = (0..self.brief.slots.len()).all(|at| self.is_part_of(at, job));
        let x = if alone { lead.x.clamp(0.5 - 0.5 * tall, 0.5 + 0.5 * tall) } else { lead.x };
        let room = |x: f32| if job.side > 0.0 { x.clamp(from, (1.0 - to).max(from)) } else { x.clamp(to.min(1.0 - from), 1.0 - from) };
        // The work as a whole is about the middle.
        let x = if job.number == 0 { room(x) } else { lead.x };
        // Feet are on the ground, whatever what is worked on stands on.
        let ground = self.horizon / self.height + 0.45 * (1.0 - self.horizon / self.height);
        let afloat = self.medium == Medium::Water || self.medium == Medium::Air;
        let low = |y: f32| if afloat { y } else { y.max(ground.min(0.96)) };
        if job.site == Site::None {
            let rides = self.brief.slots.get(place).is_none_or(|slot| slot.relation.attached() && slot.relation != Relation::Play);
            if let Some(pose) = m.poses.get_mut(place).filter(|_| alone && !rides) {
                pose.x = x;
            }
            return;
        }
        if let Some(pose) = m.poses.get_mut(place) {
            match job.number {
                0 => (pose.x, pose.y, pose.facing_turn) = (x, low(pose.y), Some(job.side)),
                1 => {
                    let across = (2.0 * (0.36 + BEYOND) * tall).max(1.15 * lead.w * lead.scale);
                    (pose.x, pose.y, pose.facing_turn) = (lead.x + job.side * across, lead.y, Some(-job.side));
                }
                2 => (pose.x, pose.y, pose.facing_turn) = (lead.x - job.side * 0.5 * tall, lead.y - 0.01, Some(job.side)),
                _ => {}
            }
        }
    }

    /// Whether a slot is one of the team, or what or whom they work on.
    fn is_part_of(&self, place: usize, job: &Job) -> bool {
        let act = self.act_of(job.lead);
        let doer = self.act_of(place) == act || job.patient == Some(place);
        doer || self.is_worked_on(place)
    }

    fn shared_by(&self, job: &Job) -> usize {
        let act = self.act_of(job.lead);
        if !job.craft.site.is_shared() { 1 } else { (0..self.brief.slots.len()).filter(|at| self.act_of(*at) == act).count() }
    }

    /// How much further what is worked on reaches than a table does, in heights of who works.
    fn overhang(&self, m: &Moment, job: &Job) -> f32 {
        let at = job.object.or(job.patient).filter(|_| matches!(job.site, Site::Ground | Site::Wall | Site::Other));
        let wide = at.and_then(|at| m.poses.get(at)).map_or(0.0, |pose| pose.w * pose.scale * self.width);
        (wide / self.tall(m, job.lead) - 0.4).max(0.0)
    }

    /// Brings what is worked on to where the hands are.
    fn fetch(&self, m: &mut Moment, place: usize, job: &Job) {
        let Some(hand) = self.reach(m, place, job.craft.gesture) else { return };
        let (Some(who), tall, way) = (m.poses.get(place).copied(), self.tall(m, place), self.way_of(m, place)) else { return };
        if let Some(patient) = job.patient.filter(|_| job.site == Site::Other) {
            self.seat_patient(m, patient, [hand[0], tall], way, who);
        }
        let first = job.object.map(|object| self.copies(object)).unwrap_or_default();
        let second = job.second.map(|object| self.copies(object)).unwrap_or_default();
        let placed = [(first, 0.0), (second, 0.27)];
        let each = placed.iter().flat_map(|(copies, past)| copies.iter().enumerate().map(move |(number, at)| (copies, *past, number, at)));
        for (copies, past, number, at) in each {
            let past = if past == 0.0 && job.is_beside_the_stuff(self.brief.slots.get(*at)) { 0.24 } else { past };
            let (Some(slot), Some(old)) = (self.brief.slots.get(*at), m.poses.get(*at).copied()) else { continue };
            let [wide, high] = [old.w * self.width, old.h * self.height].map(|side| side.max(1e-3));
            let natural = natural_height(slot) / self.brief.slots.get(place).map_or(1.7, natural_height).max(0.3);
            let longest = wide.max(high);
            let aside = |each: f32| each * (number as f32 - 0.5 * (copies.len() as f32 - 1.0));
            let (size, x, foot) = match job.site {
                Site::Table | Site::Basin | Site::Eyes | Site::Till => {
                    let size = (0.85 * natural.powf(0.5)).clamp(0.22, 0.40) * if copies.len() > 1 { 0.62 } else { 1.0 };
                    (if past > 0.0 { 0.8 * size } else { size }, hand[0] + way * ((BEYOND + past) * tall + aside(0.17 * tall)), self.table_top(m, place, job))
                }
                Site::Hand | Site::Mouth => (0.27, hand[0], f32::NAN),
                Site::Both => (0.36, hand[0] + way * 0.05 * tall, f32::NAN),
                Site::Toss => (0.22, hand[0] + way * 0.24 * tall, f32::NAN),
                Site::Tray => (0.24, hand[0] + way * (0.10 * tall + aside(0.13 * tall)), hand[1] - 0.035 * tall),
                Site::Wall => {
                    let size = (longest / tall).clamp(0.85, 2.4);
                    let half = 0.5 * size * tall * wide / longest;
                    (size, who.x * self.width + way * (0.30 * tall + half), who.y * self.height - 0.01 * tall)
                }
                Site::Other | Site::Ground | Site::Patch | Site::Tree | Site::Line | Site::Helm => {
                    let size = if is_vessel(Some(slot)) && !matches!(slot.kind, Kind::Building) {
                        0.46
                    } else {
                        (0.84 * natural.powf(0.5)).clamp(if self.act_of(place) == Some(Act::Build) { 0.62 } else { 0.30 }, 1.3) * if copies.len() > 2 { 0.75 } else { 1.0 }
                    };
                    let half = 0.5 * size * tall * wide / longest;
                    let near = (hand[0] - who.x * self.width).abs().max(0.2 * tall);
                    let x = who.x * self.width + way * (near + 0.6 * half + past * tall) + way * 1.6 * half * number as f32;
                    (size, x, (who.y + 0.012) * self.height)
                }
                Site::Hook => (0.26, hand[0] + way * 0.62 * tall, f32::NAN),
                Site::None => continue,
            };
            let share = size * tall / longest;
            let (w, h) = (old.w * share, old.h * share);
            let centre = match job.site {
                Site::Hand => self.point(m, place, Figure::hand).map_or(hand, |[x, y]| [x + way * 0.02 * tall, y]),
                Site::Mouth => self.mouthful(m, place, tall),
                Site::Toss => {
                    let up = (2.4 * m.t).sin().abs();
                    let [x, y] = self.point(m, place, Figure::hand).unwrap_or(hand);
                    [x + way * 0.24 * tall, y - (0.05 + 0.42 * up) * tall]
                }
                Site::Both => self.point(m, place, Figure::hand).map_or(hand, |[x, y]| [x + way * 0.05 * tall, y]),
                Site::Hook => [x, hand[1] - (0.02 + 0.10 * m.p) * tall],
                _ => [x, foot - 0.5 * h * self.height],
            };
            let turn = if job.site == Site::Toss { 0.5 * (2.4 * m.t).sin() } else { 0.0 };
            let lift = who.y - (centre[1] / self.height + 0.5 * h);
            // One hand has room for one.
            let alpha = if number > 0 && matches!(job.site, Site::Hand | Site::Mouth | Site::Both | Site::Toss | Site::Hook) { 0.0 } else { old.alpha };
            if let Some(pose) = m.poses.get_mut(*at) {
                *pose = Pose { alpha, x: centre[0] / self.width, y: who.y, lift, w, h, turn, bend: 0.0, sx: 1.0, sy: 1.0, scale: 1.0, ..old };
            }
        }
    }

    /// Beside the lips, as far as the hand is there.
    fn mouthful(&self, m: &Moment, place: usize, tall: f32) -> [f32; 2] {
        let way = self.way_of(m, place);
        let hand = self.point(m, place, Figure::hand);
        hand.map_or_else(|| self.front(m, place), |[x, y]| [x + way * 0.03 * tall, y - 0.05 * tall])
    }

    /// Who is worked on sits or stands right before the hands.
    fn seat_patient(&self, m: &mut Moment, patient: usize, [hand, tall]: [f32; 2], way: f32, who: Pose) {
        let wide = m.poses.get(patient).map_or(0.0, |pose| pose.w * pose.scale * self.width);
        if let Some(pose) = m.poses.get_mut(patient) {
            pose.x = (hand + way * (0.06 * tall + 0.30 * wide)) / self.width;
            (pose.y, pose.facing_turn) = (who.y - 0.004, Some(-way));
            pose.lift = 0.0;
        }
    }

    /// How high the table stands at which somebody works, in pixels from above.
    fn table_top(&self, m: &Moment, place: usize, job: &Job) -> f32 {
        let foot = m.poses.get(place).map_or(0.0, |pose| (pose.y - pose.lift) * self.height);
        let tall = self.tall(m, place);
        let hand = self.reach(m, place, job.craft.surface()).map_or(foot, |hand| hand[1]);
        (hand + 0.04 * tall).clamp(foot - 0.50 * tall, foot - 0.26 * tall)
    }

    /// What is drawn before who works: the workplace and what stands on it.
    pub(super) fn before_work(&self, c: &mut Canvas, m: &Moment, place: usize) {
        if self.is_tended(place) {
            self.stool(c, m, place);
        }
        let Some(job) = self.job(place).filter(|job| job.lead == place || !job.craft.site.is_shared()) else { return };
        self.fitting(c, m, place, &job);
        if job.site.is_behind() {
            self.draw_object(c, m, &job);
            self.stuffed(c, m, place, &job);
        }
    }

    /// What is drawn over who works: what is in the hands, the tool and the mark.
    pub(super) fn after_work(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(job) = self.job(place) else { return };
        if !job.site.is_behind() && (job.lead == place || !job.craft.site.is_shared()) {
            self.stuffed(c, m, place, &job);
            self.draw_object(c, m, &job);
        }
        self.utensil(c, m, place, &job);
        self.marked(c, m, place, &job);
    }

    fn draw_object(&self, c: &mut Canvas, m: &Moment, job: &Job) {
        if job.site == Site::None || job.craft.hides {
            return;
        }
        for at in job.object.into_iter().chain(job.second).flat_map(|object| self.copies(object)) {
            if matches!(job.site, Site::Ground | Site::Wall | Site::Other | Site::Patch) && m.poses.get(at).is_some_and(|pose| pose.lift < 0.05) {
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
    const ON_TREES: [&str; 12] = [
        "red-apple", "green-apple", "pear", "peach", "cherries", "tangerine", "lemon", "mango", "banana", "olive", "coconut", "avocado",
    ];
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
