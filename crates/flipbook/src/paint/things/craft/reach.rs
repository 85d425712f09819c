//! Who works, and what or who is worked on, within reach of each other and in proportion.

use super::site::Site;
use super::{BEYOND, Work, is_vessel};
use crate::codes::{Act, Kind, Relation};
use crate::figures::{Figure, Gesture};
use crate::layout::natural_height;
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::things::warp::Lay;
use crate::pose::Pose;

/// Free space behind who works, in their heights.
const BACK: f32 = 0.28;

impl Film {
    /// Where the hand is on the whole while it works, in pixels.
    pub(super) fn reach(&self, m: &Moment, place: usize, gesture: Gesture) -> Option<[f32; 2]> {
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
    pub(super) fn way_of(&self, m: &Moment, place: usize) -> f32 {
        let turned = m.poses.get(place).and_then(|pose| pose.facing_turn);
        turned.unwrap_or_else(|| self.layout.objects.get(place).map_or(1.0, |object| object.dir)).signum()
    }

    /// Height of somebody in pixels.
    pub(super) fn tall(&self, m: &Moment, place: usize) -> f32 {
        m.poses.get(place).map_or(1.0, |pose| (pose.h * self.height * pose.scale).max(1.0))
    }

    /// Puts who works, and what or who is worked on, within reach of each other.
    pub(in crate::paint::things) fn posed_at_work(&self, m: &mut Moment) {
        for place in 0..m.poses.len() {
            if let Some(work) = self.work_of(place) {
                self.take_place(m, place, &work);
            }
        }
        for place in 0..m.poses.len() {
            if let Some(work) = self.work_of(place).filter(|work| work.lead == place || !work.craft.site.is_shared()) {
                self.fetch(m, place, &work);
            }
        }
    }

    /// The first works to one side, the second from the other side; all of it is in the frame.
    fn take_place(&self, m: &mut Moment, place: usize, work: &Work) {
        let Some(lead) = m.poses.get(work.lead).copied() else { return };
        let tall = self.tall(m, work.lead) / self.width;
        let far = work.site.far() + if self.shared_by(work) > 1 { 0.35 } else { 0.0 } + self.overhang(m, work);
        let (from, to) = (BACK * tall, far * tall);
        let alone = (0..self.brief.slots.len()).all(|at| self.is_part_of(at, work));
        let x = if alone { lead.x.clamp(0.5 - 0.5 * tall, 0.5 + 0.5 * tall) } else { lead.x };
        let room = |x: f32| if work.side > 0.0 { x.clamp(from, (1.0 - to).max(from)) } else { x.clamp(to.min(1.0 - from), 1.0 - from) };
        // The work as a whole is about the middle.
        let x = if work.number == 0 { room(x) } else { lead.x };
        // Feet are on the ground, whatever what is worked on stands on.
        let ground = self.horizon / self.height + 0.45 * (1.0 - self.horizon / self.height);
        let afloat = self.medium == Medium::Water || self.medium == Medium::Air;
        let low = |y: f32| if afloat { y } else { y.max(ground.min(0.96)) };
        if work.site == Site::None {
            let rides = self.brief.slots.get(place).is_none_or(|slot| slot.relation.attached() && slot.relation != Relation::Play);
            if let Some(pose) = m.poses.get_mut(place).filter(|_| alone && !rides) {
                pose.x = x;
            }
            return;
        }
        if let Some(pose) = m.poses.get_mut(place) {
            match work.number {
                0 => (pose.x, pose.y, pose.facing_turn) = (x, low(pose.y), Some(work.side)),
                1 => {
                    let across = (2.0 * (0.36 + BEYOND) * tall).max(1.15 * lead.w * lead.scale);
                    (pose.x, pose.y, pose.facing_turn) = (lead.x + work.side * across, lead.y, Some(-work.side));
                }
                2 => (pose.x, pose.y, pose.facing_turn) = (lead.x - work.side * 0.5 * tall, lead.y - 0.01, Some(work.side)),
                _ => {}
            }
        }
    }

    /// Whether a slot is one of the team, or what or whom they work on.
    fn is_part_of(&self, place: usize, work: &Work) -> bool {
        let act = self.act_of(work.lead);
        let doer = self.act_of(place) == act || work.patient == Some(place);
        doer || self.is_worked_on(place)
    }

    fn shared_by(&self, work: &Work) -> usize {
        let act = self.act_of(work.lead);
        if !work.craft.site.is_shared() { 1 } else { (0..self.brief.slots.len()).filter(|at| self.act_of(*at) == act).count() }
    }

    /// How much further what is worked on reaches than a table does, in heights of who works.
    fn overhang(&self, m: &Moment, work: &Work) -> f32 {
        let at = work.object.or(work.patient).filter(|_| matches!(work.site, Site::Ground | Site::Wall | Site::Other));
        let wide = at.and_then(|at| m.poses.get(at)).map_or(0.0, |pose| pose.w * pose.scale * self.width);
        (wide / self.tall(m, work.lead) - 0.4).max(0.0)
    }

    /// Brings what is worked on to where the hands are.
    fn fetch(&self, m: &mut Moment, place: usize, work: &Work) {
        let Some(hand) = self.reach(m, place, work.craft.gesture) else { return };
        let (Some(who), tall, way) = (m.poses.get(place).copied(), self.tall(m, place), self.way_of(m, place)) else { return };
        if let Some(patient) = work.patient.filter(|_| work.site == Site::Other) {
            self.seat_patient(m, patient, [hand[0], tall], way, who);
        }
        let first = work.object.map(|object| self.copies(object)).unwrap_or_default();
        let second = work.second.map(|object| self.copies(object)).unwrap_or_default();
        let placed = [(first, 0.0), (second, 0.27)];
        let each = placed.iter().flat_map(|(copies, past)| copies.iter().enumerate().map(move |(number, at)| (copies, *past, number, at)));
        for (copies, past, number, at) in each {
            let past = if past == 0.0 && work.is_beside_the_stuff(self.brief.slots.get(*at)) { 0.24 } else { past };
            let (Some(slot), Some(old)) = (self.brief.slots.get(*at), m.poses.get(*at).copied()) else { continue };
            let [wide, high] = [old.w * self.width, old.h * self.height].map(|side| side.max(1e-3));
            let natural = natural_height(slot) / self.brief.slots.get(place).map_or(1.7, natural_height).max(0.3);
            let longest = wide.max(high);
            // Where there are many, they lie close together.
            let close = (4.0 / copies.len().max(1) as f32).min(1.0);
            let aside = |each: f32| close * each * (number as f32 - 0.5 * (copies.len() as f32 - 1.0));
            let (size, x, foot) = match work.site {
                Site::Table | Site::Basin | Site::Eyes | Site::Till => {
                    let size = (0.85 * natural.powf(0.5)).clamp(0.22, 0.40) * if copies.len() > 1 { 0.62 * close.sqrt() } else { 1.0 };
                    (
                        if past > 0.0 { 0.8 * size } else { size },
                        hand[0] + way * ((BEYOND + past) * tall + aside(0.17 * tall)),
                        self.table_top(m, place, work),
                    )
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
                        (0.84 * natural.powf(0.5)).clamp(if self.act_of(place) == Some(Act::Build) { 0.62 } else { 0.30 }, 1.3)
                            * if copies.len() > 2 { 0.75 * close.sqrt() } else { 1.0 }
                    };
                    let half = 0.5 * size * tall * wide / longest;
                    let near = (hand[0] - who.x * self.width).abs().max(0.2 * tall);
                    let x = who.x * self.width + way * (near + 0.6 * half + past * tall) + way * 1.6 * half * close.sqrt() * number as f32;
                    (size, x, (who.y + 0.012) * self.height)
                }
                Site::Hook => (0.26, hand[0] + way * 0.62 * tall, f32::NAN),
                Site::None => continue,
            };
            let share = size * tall / longest;
            let (w, h) = (old.w * share, old.h * share);
            let centre = match work.site {
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
            let turn = if work.site == Site::Toss { 0.5 * (2.4 * m.t).sin() } else { 0.0 };
            let lift = who.y - (centre[1] / self.height + 0.5 * h);
            // One hand has room for one.
            let alpha = if number > 0 && matches!(work.site, Site::Hand | Site::Mouth | Site::Both | Site::Toss | Site::Hook) {
                0.0
            } else {
                old.alpha
            };
            if let Some(pose) = m.poses.get_mut(*at) {
                *pose =
                    Pose { alpha, x: centre[0] / self.width, y: who.y, lift, w, h, turn, bend: 0.0, sx: 1.0, sy: 1.0, scale: 1.0, ..old };
            }
        }
    }

    /// Beside the lips, as far as the hand is there.
    pub(super) fn mouthful(&self, m: &Moment, place: usize, tall: f32) -> [f32; 2] {
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
    pub(super) fn table_top(&self, m: &Moment, place: usize, work: &Work) -> f32 {
        let foot = m.poses.get(place).map_or(0.0, |pose| (pose.y - pose.lift) * self.height);
        let tall = self.tall(m, place);
        let hand = self.reach(m, place, work.craft.surface()).map_or(foot, |hand| hand[1]);
        (hand + 0.04 * tall).clamp(foot - 0.50 * tall, foot - 0.26 * tall)
    }
}
