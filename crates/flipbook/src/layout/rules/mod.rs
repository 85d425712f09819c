//! Rules that write a plausible scene for a brief: what the network learns from, and what stands in for it.
//!
//! Feet go on the backdrop's band of ground, nearer is lower and larger; sizes grow with natural height to the power 0.21 and
//! the camera steps up to small subjects; one story has one direction; travellers get room ahead and the camera follows them.

mod moves;
mod placing;

use self::moves::{Move, Range, move_of, tracked};
use super::extent::extent;
use super::judge::overlap;
use super::parents_first;
use super::places::{Medium, Place, place_of};
use crate::codes::{Hour, Kind, Motion, Relation, Weather};
use crate::random::Random;
use crate::scene::{Brief, FrameToken, Layout, ObjectToken, Slot};

/// Times that a thing is placed anew while it hides others or leaves the frame.
const TRIES: usize = 14;

/// One plausible layout, by rule and chance.
pub fn write(brief: &Brief, random: &mut Random) -> Layout {
    let place = place_of(brief.backdrop);
    let frame = write_frame(brief, &place, random);
    let mut writer = Writer::new(brief, place, frame, random);
    for slot in parents_first(brief) {
        writer.place_best(slot);
        if brief.slots[slot].relation == Relation::Under {
            writer.cover(slot);
        }
    }
    writer.finish()
}

fn write_frame(brief: &Brief, place: &Place, random: &mut Random) -> FrameToken {
    let [high, low] = place.horizon;
    let mut frame = FrameToken {
        horizon: random.within(high, low),
        sun_x: if random.chance(0.5) { random.within(0.12, 0.32) } else { random.within(0.68, 0.88) },
        sun_y: random.within(0.14, 0.24),
        warmth: random.normal(0.0, 0.35),
        saturation: random.normal(0.0, 0.3),
        hue: random.normal(0.0, 0.3),
        pan: random.within(-0.06, 0.06),
        zoom: random.within(0.02, 0.12),
        clouds: random.within(0.2, 0.9),
        wind: random.normal(0.0, 0.4),
        relief: random.within(0.3, 0.9),
        density: random.within(0.3, 0.9),
    };
    if matches!(brief.hour, Hour::Sunset | Hour::Dawn) && frame.horizon < 1.0 {
        frame.sun_y = frame.horizon - random.within(0.05, 0.13);
        frame.sun_x = random.within(0.3, 0.7);
    }
    if matches!(brief.weather, Weather::Storm | Weather::Wind) {
        frame.wind = random.side() * random.within(0.6, 1.1);
    }
    frame
}

/// A thing that is being placed: what is not decided yet is `None`.
struct Draft {
    token: ObjectToken,
    x: Option<f32>,
    y: Option<f32>,
}

struct Writer<'a> {
    brief: &'a Brief,
    place: Place,
    frame: FrameToken,
    random: &'a mut Random,
    /// What is placed so far.
    objects: Vec<Option<ObjectToken>>,
    /// One story, one direction: -1 or 1.
    heading: f32,
    /// Nothing but one thing, what it carries and a neighbour or two.
    family: bool,
    /// Exactly one thing stands by itself.
    lone_root: bool,
    /// How much larger all is for want of something large.
    closer: f32,
}

impl<'a> Writer<'a> {
    fn new(brief: &'a Brief, place: Place, frame: FrameToken, random: &'a mut Random) -> Self {
        let roots = brief.slots.iter().filter(|slot| slot.parent.is_none() || !slot.relation.attached()).count();
        let lone_root = roots == 1;
        let family = lone_root && brief.slots.len() < 4;
        let biggest = brief.slots.iter().map(|slot| natural_size(slot.metres)).fold(0.01, f32::max);
        Self {
            brief,
            place,
            frame,
            objects: vec![None; brief.slots.len()],
            heading: random.side(),
            family,
            lone_root,
            closer: ((if family { 0.50 } else { 0.40 }) / biggest).max(1.0),
            random,
        }
    }

    fn within(&mut self, [low, high]: Range) -> f32 {
        self.random.within(low, high)
    }

    fn parent(&self, slot: &Slot) -> Option<(&'a Slot, ObjectToken)> {
        let parent = slot.parent?;
        Some((self.brief.slots.get(parent)?, (*self.objects.get(parent)?)?))
    }

    fn extent(&self, slot: &Slot, size: f32) -> [f32; 2] {
        extent(slot, size, self.brief.aspect)
    }

    /// Places a slot several times and keeps what clashes least.
    fn place_best(&mut self, slot: usize) {
        let (mut least, mut best) = (f32::INFINITY, None);
        for _ in 0..TRIES {
            let object = self.propose(slot);
            let clash = self.clash(slot, &object);
            if clash < least {
                (least, best) = (clash, Some(object));
            }
            if clash < 0.02 {
                break;
            }
        }
        self.objects[slot] = best;
    }

    /// One way to place a slot. A chased parent may step ahead for it.
    fn propose(&mut self, index: usize) -> ObjectToken {
        let brief = self.brief;
        let slot = &brief.slots[index];
        let mut draft = self.draft(slot);
        draft.token.size = self.base_size(slot) * (1.0 - 0.35 * draft.token.depth);
        if let Some((parent_slot, parent)) = self.parent(slot) {
            if slot.relation.attached() {
                self.attach(slot, &mut draft, parent_slot, &parent);
            } else if !matches!(slot.relation, Relation::None | Relation::Between) {
                self.stand_by(slot, &mut draft, parent_slot, &parent);
            }
        }
        let [width, height] = self.extent(slot, draft.token.size);
        self.decide_x(slot, &mut draft, width);
        self.decide_y(slot, &mut draft, height);
        self.with_room_to_move(slot, draft.token, height)
    }

    /// Direction, depth and motion.
    fn draft(&mut self, slot: &Slot) -> Draft {
        let motion = slot.motion;
        let mut dir = if motion.travels() || slot.facing != 0 { self.heading } else { self.random.side() };
        if slot.copies > 1 && !motion.travels() && self.random.chance(0.5) {
            dir = -dir;
        }
        let Move { dx, dy, amp, rate } = move_of(motion);
        let queues = motion == Motion::Grow || slot.copies > 1 && matches!(motion, Motion::Rise | Motion::Fall);
        let token = ObjectToken {
            depth: if self.brief.slots.len() == 1 { self.random.within(0.02, 0.16) } else { self.random.within(0.05, 0.45) },
            tilt: self.random.normal(0.0, 0.004),
            dir,
            phase: self.random.within(-0.5, 0.5),
            entry: if queues { slot.rank as f32 / slot.copies.max(1) as f32 * 0.25 } else { 0.0 },
            dx: dir * self.within(dx),
            dy: self.within(dy),
            amp: self.within(amp),
            rate: self.within(rate),
            ..ObjectToken::default()
        };
        Draft { token, x: None, y: None }
    }

    /// In frame-short-sides, before depth takes from it.
    fn base_size(&mut self, slot: &Slot) -> f32 {
        let (step, count) = (f32::from(slot.size), self.brief.slots.len() as f32);
        let crowd = if self.family { 1.0 } else { count.powf(-0.22) };
        let wide = if slot.aspect > 1.6 { 1.18 } else { 1.0 };
        let mut size = self.closer * natural_size(slot.metres * 1.6f32.powf(step)) * crowd * wide;
        size *= self.random.normal(0.0, 0.07).exp() * 1.12f32.powf(step);
        if slot.kind == Kind::Flyer && slot.copies > 1 {
            size *= 0.62;
        }
        if slot.kind == Kind::Symbol || self.brief.slots.len() == 1 && self.brief.backdrop == crate::codes::Backdrop::Plain {
            size = size.max(self.random.within(0.42, 0.54));
        }
        if self.brief.slots.iter().any(|other| other.relation == Relation::Chase) {
            size *= 0.8;
        }
        size.min(0.68)
    }

    /// Launches go straight up; leaps stay in the frame.
    fn with_room_to_move(&self, slot: &Slot, mut token: ObjectToken, height: f32) -> ObjectToken {
        if slot.motion == Motion::Launch {
            (token.dir, token.tilt) = (1.0, 0.0);
        }
        if matches!(slot.motion, Motion::Bounce | Motion::Jump) {
            token.amp = token.amp.min((token.y - height - 0.06).max(0.06));
        }
        token
    }

    /// How much of a thing lies outside of the frame, and how much of it and its neighbours is covered; 0 is best.
    fn clash(&self, index: usize, object: &ObjectToken) -> f32 {
        let slot = &self.brief.slots[index];
        let [width, height] = self.extent(slot, object.size);
        let (left, right) = (object.x - width / 2.0, object.x + width / 2.0);
        let mut clash = (-left).max(0.0) + (right - 1.0).max(0.0) + (height - object.y).max(0.0) + (object.y - 0.985).max(0.0) * 3.0;
        clash += 0.5 * (object.dx.abs() / 2.0 + (object.x - 0.5).abs() - 0.52).max(0.0);
        let may_cover = slot.relation.attached() || matches!(slot.relation, Relation::Under | Relation::Behind | Relation::Front);
        for (other_index, (other_slot, other)) in self.brief.slots.iter().zip(&self.objects).enumerate() {
            let Some(other) = other else { continue };
            if slot.parent == Some(other_index) && may_cover {
                continue;
            }
            let other_extent = self.extent(other_slot, other.size);
            let [across, down] = overlap(object, [width, height], other, other_extent);
            if across > 0.0 && down > 0.0 {
                clash += across * down / (width * height).min(other_extent[0] * other_extent[1]);
            }
        }
        clash
    }

    /// A light cover (an umbrella, the sun) goes over the one who is under it.
    fn cover(&mut self, index: usize) {
        let brief = self.brief;
        let slot = &brief.slots[index];
        let (Some(parent), Some(own)) = (slot.parent, self.objects[index]) else { return };
        let Some(over) = brief.slots.get(parent) else { return };
        if !matches!(over.kind, Kind::Prop | Kind::Sky) || over.metres >= 3.0 {
            return;
        }
        let [_, height] = self.extent(slot, own.size);
        let (size, above) = (own.size * self.random.within(0.95, 1.1), height * self.random.within(0.62, 0.72));
        if let Some(Some(cover)) = self.objects.get_mut(parent) {
            *cover = ObjectToken { size, x: own.x, y: own.y - above, dx: own.dx, dy: own.dy, depth: own.depth - 0.03, ..*cover };
        }
    }

    /// The camera follows the first who travels by themselves.
    fn finish(mut self) -> Layout {
        let objects: Vec<ObjectToken> = self.objects.iter().map(|object| object.unwrap_or_default()).collect();
        if self.place.medium != Medium::Floor {
            let lead = self.brief.slots.iter().zip(&objects).find_map(|(slot, object)| {
                let range = if slot.parent.is_none() { tracked(slot.motion)? } else { return None };
                Some((object.dir, range))
            });
            if let Some((dir, range)) = lead {
                self.frame.pan = dir * self.within(range);
            }
        }
        Layout { frame: self.frame, objects }
    }
}

/// Size in frame-short-sides of something that tall, in metres.
fn natural_size(metres: f32) -> f32 {
    0.36 * (metres / 0.8).powf(0.21)
}
