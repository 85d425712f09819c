//! Where who goes over, through, out of, into, around, up, down or off a thing is at a time, by where that thing stands.

mod legs;
mod marks;

use crate::codes::{Act, Kind, Motion, Way};
use crate::figures::{Build, Gesture};
use crate::layout::{Landmark, Zone, landmark, zone};
use crate::paint::film::{Film, Medium, Moment};
use crate::pose::Pose;

/// Share of the clip in which somebody is over, or at, the middle of what they go by.
const MIDDLE: f32 = 0.45;
/// When who has come out of something leaves it.
const LEAVES: f32 = 0.62;
/// Rounds a second.
const ROUNDS: f32 = 0.3;
/// Height of a slope over the frame, in frame heights.
const SLOPE: f32 = 0.34;

/// A way at a moment.
pub(super) struct Passage {
    pub way: Way,
    pub by: Option<usize>,
    pub shape: Option<Landmark>,
    /// 0 to 1 while somebody is off the ground, where they leap.
    pub flight: f32,
    /// Drawn behind what they go by.
    pub behind: bool,
    /// Nothing of it is seen below this line, in frame heights.
    pub cut: Option<f32>,
}

fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

fn arc(v: f32) -> f32 {
    let v = v.clamp(0.0, 1.0);
    4.0 * v * (1.0 - v)
}

/// Everything that a way is worked out from, in frame widths and heights.
pub(super) struct Leg {
    /// Share of the clip, later for each of several.
    p: f32,
    t: f32,
    dir: f32,
    lag: f32,
    own: Pose,
    mark: Pose,
    /// Width and height of who goes, and of what they go by.
    size: [f32; 2],
    span: [f32; 2],
    aspect: f32,
    /// In the air, or in the water.
    aloft: bool,
    leaps: bool,
    idle: bool,
}

impl Film {
    /// How a slot goes by something now; `None` where it does not, or is carried.
    pub(super) fn passage(&self, m: &Moment, place: usize) -> Option<Passage> {
        let course = self.brief.slots.get(place).filter(|slot| slot.act != Some(Act::Crash))?.course?;
        let shape = course.by.and_then(|by| self.brief.slots.get(by)).map(landmark);
        let mut passage = Passage { way: course.way, by: course.by, shape, flight: 0.0, behind: false, cut: None };
        let leg = self.leg(m, place)?;
        let _ = leg.course(&mut passage);
        Some(passage)
    }

    fn leg(&self, m: &Moment, place: usize) -> Option<Leg> {
        let (slot, object, own) = (self.brief.slots.get(place)?, self.layout.objects.get(place)?, *m.poses.get(place)?);
        let course = slot.course?;
        let mark = match course.by {
            Some(by) => *m.poses.get(by).filter(|_| by != place)?,
            None => Pose { x: 0.5, y: object.y, w: 0.2, h: 0.0, scale: 1.0, ..own },
        };
        let bow = course.by.and_then(|by| self.brief.slots.get(by)).map(landmark) == Some(Landmark::Bow);
        let scale = |pose: &Pose| if bow { self.bow() } else { [pose.w * pose.scale, pose.h * pose.scale] };
        let of_thing = slot.rank as f32 / slot.copies.max(1) as f32;
        Some(Leg {
            p: m.p - 0.28 * of_thing,
            t: m.t,
            dir: self.way(place),
            lag: of_thing,
            own: Pose { y: object.y, scale: 1.0, ..own },
            mark,
            size: [own.w, own.h],
            span: scale(&mark),
            aspect: self.brief.aspect,
            aloft: matches!(slot.kind, Kind::Flyer | Kind::Aircraft)
                || matches!(slot.motion, Motion::Fly | Motion::Hover | Motion::Orbit)
                || self.medium == Medium::Deep,
            leaps: matches!(slot.motion, Motion::Jump | Motion::Bounce | Motion::Fly | Motion::Rise | Motion::Launch),
            idle: matches!(slot.motion, Motion::Idle | Motion::Still),
        })
    }

    /// Poses of who goes by something.
    pub(super) fn posed_on_a_course(&self, m: &mut Moment, place: usize) {
        let Some(slot) = self.brief.slots.get(place) else { return };
        let Some(course) = slot.course.filter(|_| self.slide_of(place).is_none() && slot.act != Some(Act::Crash)) else { return };
        let shape = course.by.and_then(|by| self.brief.slots.get(by)).map(landmark);
        let mut passage = Passage { way: course.way, by: course.by, shape, flight: 0.0, behind: false, cut: None };
        let Some(leg) = self.leg(m, place) else { return };
        let Some(mut pose) = leg.course(&mut passage) else { return };
        let four = self.cast.figure(place).is_none_or(|figure| figure.build == Build::FourLegged);
        if matches!(course.way, Way::Up | Way::Down) && course.by.is_some() && shape != Some(Landmark::Stairs) {
            pose.turn = if four && slot.facing != 0 && slot.kind != Kind::Person { -0.25 * leg.dir } else { 0.0 };
        }
        let steps = matches!(slot.motion, Motion::Walk | Motion::Run) && passage.flight == 0.0;
        if steps && pose.lift == 0.0 {
            pose.lift = leg.own.lift;
        }
        if let Some(old) = m.poses.get_mut(place) {
            *old = pose;
        }
        if let (Way::Toward, Some(by)) = (course.way, course.by)
            && let Some(mark) = m.poses.get_mut(by)
        {
            mark.facing_turn = Some(-leg.dir);
        }
    }

    /// What a figure does with its limbs on its way, and the beat of that.
    pub(super) fn gesture_on_a_course(&self, m: &Moment, place: usize) -> Option<(Gesture, f32)> {
        let (slot, figure) = (self.brief.slots.get(place)?, self.cast.figure(place)?);
        let passage = self.passage(m, place)?;
        let upright = figure.build == Build::Upright;
        let flies = slot.motion == Motion::Fly;
        match passage.way {
            _ if flies || slot.motion == Motion::Roll => None,
            Way::Over | Way::Through if passage.flight > 0.0 => Some((Gesture::Jump, 0.18 + 0.64 * passage.flight)),
            Way::Over if passage.shape.is_some() && slot.motion == Motion::Jump => Some((Gesture::Run, 1.6 * m.t)),
            Way::Out if passage.cut.is_some() && upright => Some((Gesture::Raise, 0.8 * m.t)),
            Way::Into if passage.flight > 0.0 => Some((Gesture::Jump, 0.18 + 0.64 * passage.flight)),
            Way::Up | Way::Down if passage.by.is_some() && passage.shape != Some(Landmark::Stairs) => {
                Some((if upright { Gesture::Climb } else { Gesture::Walk }, if slot.motion == Motion::Drive { 0.0 } else { 0.8 * m.t }))
            }
            Way::Up | Way::Down if passage.by.is_none() && slot.act == Some(Act::Climb) => Some((Gesture::Walk, 0.9 * m.t)),
            Way::Off if upright && passage.flight > 0.0 => Some((Gesture::Raise, 2.0 * m.t)),
            Way::Off if upright && slot.motion == Motion::Fall => Some((Gesture::Sit, 0.5 * m.t)),
            Way::Off if upright => Some((Gesture::Stand, 0.5 * m.t)),
            Way::Around | Way::Past | Way::Toward if slot.motion == Motion::Orbit && upright => Some((Gesture::Run, 1.4 * m.t)),
            _ => None,
        }
    }

    /// How far away who goes by something is drawn: before or behind it.
    pub(super) fn depth_on_a_course(&self, m: &Moment, place: usize) -> Option<f32> {
        let passage = self.passage(m, place)?;
        let by = self.layout.objects.get(passage.by?)?.depth;
        Some(by + if passage.behind { 0.003 } else { -0.003 })
    }

    /// Width and height of a rainbow that somebody runs on, in frame widths and heights.
    pub(super) fn bow(&self) -> [f32; 2] {
        [0.7, (0.35 * self.width / self.height).min(0.44)]
    }

    /// Whether a slot is a rainbow that somebody runs on, which is painted whole.
    pub(super) fn is_run_on(&self, place: usize) -> bool {
        self.brief.slots.get(place).is_some_and(|slot| landmark(slot) == Landmark::Bow)
            && self.brief.slots.iter().any(|slot| slot.course.is_some_and(|course| course.way == Way::Over && course.by == Some(place)))
    }

    /// Whether a slot on the water goes by something in it.
    pub(super) fn is_in_water(&self, place: usize) -> bool {
        self.brief.slots.get(place).is_some_and(|slot| zone(slot, self.brief.backdrop) == Zone::Surface) || self.medium == Medium::Water
    }
}

/// The line of a slope that falls to the side of `fall`, through `middle` in the middle of the frame; in frame heights.
pub(super) fn slope(middle: f32, fall: f32, x: f32) -> f32 {
    middle - 0.08 + fall * SLOPE * (x - 0.5)
}
