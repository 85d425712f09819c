//! How those who take part come to stand: as far from each other as their hands reach, facing whom they mean, on what they are on,
//! and all of it in the frame.

use std::f32::consts::TAU;

use super::marks::seesaw;
use crate::codes::{Act, Hour, Kind, Motion};
use crate::figures::{Build, Figure};
use crate::paint::film::{Film, Moment, Spot};
use crate::paint::practices::{Bears, Company, Key, Plant, Stand};
use crate::pose::Pose;
use crate::scene::Slot;

/// Of the frame's width, what stays free at each side.
const MARGIN: f32 = 0.02;
/// Of those who take part, in frame heights, where the table says nothing; and how much larger than the layout has them at most.
const HIGH: f32 = 0.46;
const GROWN: f32 = 1.5;
/// How far those behind a table stand up the picture, in heights.
const BEHIND: f32 = 0.10;

/// Where one of them stands: ahead and up of the middle in heights, and to which side it looks.
struct Place {
    x: f32,
    y: f32,
    look: f32,
}

impl Film {
    /// Puts all who do something together where they belong.
    pub(in crate::paint::things) fn form_up(&self, m: &mut Moment) {
        for first in 0..m.poses.len() {
            let Some(company) = self.company(first).filter(|company| company.rank == 0) else { continue };
            self.form(m, company);
        }
    }

    fn form(&self, m: &mut Moment, company: &Company) {
        let practice = company.practice;
        let high = |m: &Moment, place: usize| m.poses.get(place).map_or(1.0, |pose| pose.h * pose.scale * self.height);
        let members = &company.members;
        // Who bears another counts, and not how large the layout has the one in the arms.
        let counted = if matches!(practice.stand, Stand::Bears(_)) { 1 } else { members.len() };
        let tallest = members.iter().take(counted).map(|place| high(m, *place)).fold(1.0, f32::max);
        let mut size = members.iter().map(|place| high(m, *place)).sum::<f32>() / members.len().max(1) as f32;
        let count = members.len().max(1) as f32;
        let mean = |of: &dyn Fn(&Pose) -> f32| members.iter().filter_map(|place| m.poses.get(*place)).map(of).sum::<f32>() / count;
        let sun = self.layout.frame.sun_x;
        let sunward = practice.act == Act::WatchSky && (self.brief.hour != Hour::Night);
        let way = if sunward {
            if sun < mean(&|pose| pose.x) { -1.0 } else { 1.0 }
        } else {
            self.look_of(m, members.first().copied().unwrap_or(0))
        };
        // Few are drawn large, as far as there is room above them.
        let wanted = if practice.high > 0.0 { practice.high } else { HIGH };
        let room = mean(&|pose| pose.y) * self.height * 0.86 / practice.tall();
        let pairs =
            || m.poses.iter().enumerate().filter_map(|(place, _)| self.company(place)).filter(|other| other.practice.act == practice.act);
        let grown = match practice.stand {
            // Beside another pair there is no room.
            Stand::Bears(_) if pairs().count() > members.len() => 1.0,
            Stand::Bears(_) => 1.5 * GROWN,
            _ => GROWN,
        };
        let mut shrunk = ((wanted * self.height).min(room) / tallest).min(grown);
        if practice.high == 0.0 && members.len() == 1 {
            shrunk = shrunk.max(1.0);
        }
        let travels = members.iter().any(|place| self.brief.slots.get(*place).is_some_and(|slot| slot.motion.travels()));
        let places = places(self.widened(m, practice.stand, members, size), members.len(), way, travels, TAU * 0.11 * m.t);
        let half =
            members.iter().map(|place| m.poses.get(*place).map_or(0.0, |pose| 0.5 * pose.w * pose.scale * self.width)).fold(0.0, f32::max);
        let half = (half / size.max(1.0)).min(1.2);
        let (back, ahead) = practice.reach;
        let (low, far) = if way > 0.0 { (-back, ahead) } else { (-ahead, back) };
        let left = places.iter().map(|place| place.x - half).fold(low, f32::min);
        let right = places.iter().map(|place| place.x + half).fold(far, f32::max);
        shrunk = shrunk.min((1.0 - 2.0 * MARGIN) * self.width / ((right - left) * size).max(1.0));
        size *= shrunk;
        let count = members.len().max(1) as f32;
        let mean = |of: &dyn Fn(&Pose) -> f32| members.iter().filter_map(|place| m.poses.get(*place)).map(of).sum::<f32>() / count;
        let (x, foot) = (mean(&|pose| pose.x) * self.width, mean(&|pose| pose.y) * self.height);
        let room = [MARGIN * self.width - left * size, (1.0 - MARGIN) * self.width - right * size];
        let x = if room[0] > room[1] { (room[0] + room[1]) / 2.0 } else { x.clamp(room[0], room[1]) };
        let spot = Spot { x, foot, size, way };
        for (rank, (place, stands)) in members.iter().zip(&places).enumerate() {
            self.resize(m, members, *place, shrunk);
            let Some(pose) = m.poses.get(*place).copied() else { continue };
            let to = [(x + stands.x * size) / self.width, (foot - stands.y * size) / self.height];
            self.shift(m, *place, [to[0] - pose.x, to[1] - pose.y], stands.look);
            if let Some(pose) = m.poses.get_mut(*place) {
                (pose.bend, pose.sx, pose.sy, pose.turn, pose.lift) = (0.0, 1.0, 1.0, 0.0, 0.0);
            }
            m.spots.push((*place, spot));
            self.follow(m, &Company { practice, members: members.clone(), rank }, *place, spot);
        }
        for (rank, place) in members.iter().enumerate() {
            self.settle_down(m, &Company { practice, members: members.clone(), rank }, *place, spot);
        }
        self.place_between(m, company, spot);
        if let (Stand::Bears(how), [carrier, borne]) = (practice.stand, members.as_slice()) {
            self.bear(m, [*carrier, *borne], how);
        }
    }

    /// Those that are longer than high stand further apart.
    fn widened(&self, m: &Moment, stand: Stand, members: &[usize], size: f32) -> Stand {
        let long = |place: &usize| {
            let upright = self.cast.figure(*place).is_some_and(|figure| figure.build == Build::Upright);
            m.poses.get(*place).filter(|_| !upright).map_or(0.0, |pose| pose.w * pose.scale * self.width / size.max(1.0))
        };
        let wide = members.iter().map(long).fold(0.0, f32::max);
        let mean = members.iter().map(long).sum::<f32>() / members.len().max(1) as f32;
        match stand {
            // In each other's arms they rear.
            Stand::Facing(apart) => Stand::Facing(apart.max(if apart < 0.4 { 0.5 } else { 0.85 } * mean)),
            Stand::Row(apart) => Stand::Row(apart.max(0.8 * wide)),
            Stand::Queue(apart) => Stand::Queue(apart.abs().max(0.95 * wide) * apart.signum()),
            Stand::Sides(far) => Stand::Sides(far.max(0.75 * wide)),
            Stand::Around(far) => Stand::Around(far.max(0.2 + 0.5 * wide)),
            stand => stand,
        }
    }

    /// Along the way that a posture goes over the clip.
    fn follow(&self, m: &mut Moment, company: &Company, place: usize, spot: Spot) {
        let Some(posture) = company.posture() else { return };
        let late = 0.06 * company.rank as f32;
        if let Some([x, y, turn]) = along(posture.path, (m.p - late).max(0.0))
            && let Some(pose) = m.poses.get_mut(place)
        {
            pose.x += spot.way * x * spot.size / self.width;
            pose.lift += y * spot.size / self.height;
            pose.turn += spot.way * turn;
        }
    }

    /// Hands or seat where they rest.
    fn settle_down(&self, m: &mut Moment, company: &Company, place: usize, spot: Spot) {
        let Some(posture) = company.posture() else { return };
        let upright = self.cast.figure(place).is_some_and(|figure| figure.build == Build::Upright);
        let (point, up) = match posture.plant {
            Plant::Feet => return,
            Plant::Rising(from, to) => {
                if let Some(pose) = m.poses.get_mut(place) {
                    pose.lift += (from + (to - from) * m.p) * spot.size / self.height;
                }
                return;
            }
            Plant::Hand(up) if upright => (self.point(m, place, Figure::hand), up),
            Plant::Seat(up) if upright => {
                let tilt = if company.practice.act == Act::Seesaw { seesaw(m.t) } else { 0.0 };
                (self.point(m, place, Figure::seat), up + if company.rank.is_multiple_of(2) { -tilt } else { tilt })
            }
            Plant::Hand(up) | Plant::Seat(up) => {
                let seat = if posture.plant == Plant::Seat(up) { up - 0.04 } else { 0.0 };
                if let Some(pose) = m.poses.get_mut(place) {
                    pose.lift += seat * spot.size / self.height;
                }
                return;
            }
        };
        let hangs = matches!(posture.plant, Plant::Hand(up) if up > 0.0);
        if let (Some([x, y]), Some(pose)) = (point, m.poses.get_mut(place)) {
            pose.lift += (y - (pose.y * self.height - up * pose.h * pose.scale * self.height)) / self.height;
            if hangs {
                pose.x += (pose.x * self.width - x) / self.width;
            }
        }
    }

    /// In the arms, above the head or on the shoulders.
    fn bear(&self, m: &mut Moment, [carrier, borne]: [usize; 2], how: Bears) {
        let (Some(figure), Some(who)) = (self.cast.figure(carrier), m.poses.get(carrier).copied()) else { return };
        let Some(small) = m.poses.get(borne).copied() else { return };
        let share = (match how {
            Bears::Arms => 0.36,
            Bears::Overhead => 0.46,
            Bears::Shoulders => 0.55,
        } * who.h
            * who.scale
            / (small.h * small.scale).max(1e-3))
        .min(1.0);
        self.resize(m, &[carrier, borne], borne, share);
        let look = self.look_of(m, carrier);
        let side = match how {
            Bears::Overhead => -look,
            Bears::Shoulders | Bears::Arms => look,
        };
        let at = match how {
            Bears::Shoulders => self
                .point(m, carrier, Figure::back)
                .map(|[x, y]| [x - 0.04 * look * who.h * who.scale * self.height, y - 0.15 * who.h * who.scale * self.height]),
            Bears::Overhead if figure.build == Build::Upright => self.point(m, carrier, Figure::hand),
            _ => Some([
                (who.x * self.width) + look * 0.24 * who.h * who.scale * self.height,
                (who.y - who.lift - 0.38 * who.h * who.scale) * self.height,
            ]),
        };
        let (Some([x, y]), Some(pose)) = (at, m.poses.get(borne).copied()) else { return };
        let seat = |m: &Moment| self.point(m, borne, Figure::seat).unwrap_or([pose.x * self.width, (pose.y - 0.4 * pose.h) * self.height]);
        if let Some(pose) = m.poses.get_mut(borne) {
            (pose.facing_turn, pose.lift, pose.y) = (Some(side), 0.0, who.y);
            pose.turn = if how == Bears::Arms { -0.15 * look } else { 0.0 };
        }
        let [sx, sy] = seat(m);
        if let Some(pose) = m.poses.get_mut(borne) {
            pose.x += (x - sx) / self.width;
            pose.lift += (sy - y) / self.height;
        }
    }

    /// What two share is between them, and what is balanced on the head.
    fn place_between(&self, m: &mut Moment, company: &Company, spot: Spot) {
        let balanced = company.practice.act == Act::BalanceOn;
        if !balanced && company.practice.act != Act::Share {
            return;
        }
        let members = &company.members;
        let Some(first) = members.first().copied() else { return };
        let owned = |slot: &Slot| slot.parent.is_none_or(|parent| members.contains(&parent));
        let small = |slot: &Slot| matches!(slot.kind, Kind::Prop | Kind::Plant | Kind::Symbol) && owned(slot);
        let stood_on =
            |place: usize| members.iter().any(|member| self.brief.slots.get(*member).is_some_and(|slot| slot.parent == Some(place)));
        let Some(thing) = self.brief.slots.iter().enumerate().position(|(place, slot)| small(slot) && !stood_on(place)) else { return };
        let share = if balanced { 0.26 } else { 0.30 };
        let top = if self.cast.figure(first).is_some_and(|figure| figure.build == Build::Upright) {
            self.point(m, first, Figure::head_top)
        } else {
            m.poses.get(first).map(|pose| {
                let ahead = 0.36 * self.look_of(m, first) * pose.w * pose.scale;
                [(pose.x + ahead) * self.width, (pose.y - pose.lift - 0.96 * pose.h * pose.scale) * self.height]
            })
        };
        let at = if balanced { top } else { Some([spot.x, spot.foot - 0.42 * spot.size]) };
        if let (Some([x, y]), Some(pose)) = (at, m.poses.get_mut(thing)) {
            let large = share * spot.size / (pose.h * self.height).max(pose.w * self.width).max(1.0);
            (pose.w, pose.h, pose.scale) = (pose.w * large, pose.h * large, 1.0);
            (pose.x, pose.y, pose.lift) = (x / self.width, spot.foot / self.height, (spot.foot - y) / self.height);
            (pose.turn, pose.bend, pose.sx, pose.sy) = (if balanced { 0.015 * (3.0 * m.t).sin() } else { 0.0 }, 0.0, 1.0, 1.0);
        }
    }

    /// One of them and what belongs to it; the others of them have a size of their own.
    fn resize(&self, m: &mut Moment, members: &[usize], place: usize, share: f32) {
        for other in 0..m.poses.len() {
            let has = |slot: &Slot| slot.parent == Some(place) && slot.relation.attached() && !members.contains(&other);
            let own = other == place || self.brief.slots.get(other).is_some_and(has);
            if let Some(pose) = m.poses.get_mut(other).filter(|_| own) {
                (pose.w, pose.h) = (pose.w * share, pose.h * share);
            }
        }
    }

    /// -1 or 1: the side that somebody looks to now.
    pub(in crate::paint::things) fn look_of(&self, m: &Moment, place: usize) -> f32 {
        let turned = m.poses.get(place).and_then(|pose| pose.facing_turn);
        turned.map_or(self.way(place), |turn| if turn < 0.0 { -1.0 } else { 1.0 })
    }

    pub(super) fn spot_of(&self, m: &Moment, place: usize) -> Option<Spot> {
        m.spots.iter().find(|(slot, _)| *slot == place).map(|(_, spot)| *spot)
    }

    pub(super) fn walks(&self, place: usize) -> bool {
        self.brief.slots.get(place).is_some_and(|slot| matches!(slot.motion, Motion::Walk | Motion::Run))
    }
}

/// Ahead, up and turned at a share of the clip.
pub(super) fn along(path: &[Key], share: f32) -> Option<[f32; 3]> {
    let (first, last) = (path.first()?, path.last()?);
    let Key(_, x, y, turn) = if share >= last.0 { last } else { first };
    let mut at = [*x, *y, *turn];
    for pair in path.windows(2) {
        if let [from, to] = pair
            && (from.0..to.0).contains(&share)
        {
            let v = (share - from.0) / (to.0 - from.0).max(1e-4);
            // Up and down as thrown, ahead at one speed.
            let rise = if to.2 > from.2 { 1.0 - (1.0 - v).powi(2) } else { v * v };
            at = [from.1 + (to.1 - from.1) * v, from.2 + (to.2 - from.2) * rise, from.3 + (to.3 - from.3) * v];
        }
    }
    Some(at)
}

/// Of all who take part, from left to right where they face each other.
fn places(stand: Stand, count: usize, way: f32, travels: bool, turn: f32) -> Vec<Place> {
    let middle = (count as f32 - 1.0) / 2.0;
    (0..count)
        .map(|rank| {
            let side = if rank % 2 == 0 { -1.0 } else { 1.0 };
            let pair = (rank / 2) as f32;
            let pairs = count.div_ceil(2) as f32;
            match stand {
                Stand::Alone | Stand::Bears(_) => Place { x: 0.0, y: 0.0, look: way },
                // Hand in hand they walk the same way.
                Stand::Facing(apart) if travels => Place { x: way * apart * (middle - rank as f32), y: 0.0, look: way },
                Stand::Facing(apart) if count < 2 => Place { x: 0.0 * apart, y: 0.0, look: way },
                Stand::Facing(apart) => {
                    let centre = (pair - (pairs - 1.0) / 2.0) * (apart + 0.75);
                    // One who is left over stands with the others and looks at them.
                    let alone = rank + 1 == count && count % 2 == 1;
                    Place { x: centre + if alone { 0.0 } else { side * apart / 2.0 }, y: 0.0, look: -side }
                }
                Stand::Row(apart) => Place { x: apart * (rank as f32 - middle), y: 0.0, look: way },
                Stand::Queue(apart) => Place { x: way * apart * (rank as f32 - middle), y: 0.0, look: way },
                Stand::Around(far) if rank < 2 => Place { x: side * far, y: 0.0, look: -side },
                Stand::Around(far) => {
                    let behind = (count - 2) as f32;
                    let x = 1.5 * far * ((rank as f32 - 2.0 + 0.5) / behind - 0.5);
                    Place { x, y: BEHIND, look: if x > 0.0 { -1.0 } else { 1.0 } }
                }
                Stand::Sides(far) => Place { x: side * (far + 0.42 * pair), y: 0.08 * (pair % 2.0), look: -side },
                Stand::Turning(apart) if count == 1 => Place { x: 0.0 * apart, y: 0.0, look: turn.cos() },
                Stand::Turning(apart) => {
                    let centre = (pair - (pairs - 1.0) / 2.0) * (apart + 0.75);
                    let angle = 3.0 * turn + 0.6 + pair;
                    let narrow = angle.cos();
                    Place { x: centre + side * 0.5 * apart * (0.35 * narrow.signum() + 0.65 * narrow), y: 0.0, look: -side * narrow }
                }
            }
        })
        .collect()
}
