//! Rules that write a plausible scene for a brief: what the network learns from, and what stands in for it.
//!
//! Feet go on the backdrop's band of ground, nearer is lower and larger; sizes grow with natural height to the power 0.21 and
//! the camera steps up to small subjects; one story has one direction; travellers get room ahead and the camera follows them.

use super::brief::extent;
use super::judge::overlap;
use super::parents_first;
use super::places::{Medium, Place, Zone, place_of, zone};
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

/// From, to.
type Range = [f32; 2];

/// How far, how strongly and how fast a thing moves.
struct Move {
    /// Frame widths over the clip, along the thing's direction.
    dx: Range,
    /// Frame heights over the clip.
    dy: Range,
    amp: Range,
    /// Per second.
    rate: Range,
}

fn move_of(motion: Motion) -> Move {
    const NONE: Range = [0.0, 0.0];
    let (dx, dy, amp, rate) = match motion {
        Motion::Still => (NONE, NONE, NONE, [0.3, 0.5]),
        Motion::Idle => (NONE, NONE, [0.010, 0.018], [0.45, 0.65]),
        Motion::Walk => ([0.10, 0.22], NONE, [0.012, 0.02], [1.6, 2.1]),
        Motion::Run => ([0.10, 0.26], NONE, [0.03, 0.05], [2.2, 2.8]),
        Motion::Jump => ([0.18, 0.34], NONE, [0.18, 0.28], [0.7, 0.95]),
        Motion::Bounce => ([-0.04, 0.04], NONE, [0.30, 0.44], [0.85, 1.1]),
        Motion::Fly => ([0.22, 0.44], [-0.12, 0.02], [0.025, 0.05], [0.5, 0.8]),
        Motion::Hover => ([-0.05, 0.10], [-0.06, -0.01], [0.02, 0.035], [0.25, 0.4]),
        Motion::Swim => ([0.16, 0.36], [-0.05, 0.05], [0.02, 0.04], [0.5, 0.8]),
        Motion::Drive => ([0.06, 0.22], NONE, [0.006, 0.010], [3.0, 4.0]),
        Motion::Sail => ([0.10, 0.22], NONE, [0.010, 0.02], [0.3, 0.45]),
        Motion::Fall => ([-0.06, 0.06], [0.55, 0.85], [0.02, 0.04], [0.5, 0.8]),
        Motion::Rise => ([-0.06, 0.06], [-0.6, -0.35], [0.015, 0.03], [0.35, 0.5]),
        Motion::Spin => (NONE, NONE, [0.01, 0.02], [0.3, 0.5]),
        Motion::Roll => ([0.4, 0.6], NONE, NONE, [0.5, 0.8]),
        Motion::Grow | Motion::Shrink => (NONE, NONE, [0.5, 0.7], [0.3, 0.4]),
        Motion::Pulse => (NONE, NONE, [0.10, 0.16], [1.0, 1.3]),
        Motion::Orbit => (NONE, NONE, [0.14, 0.22], [0.22, 0.34]),
        Motion::Dance => ([-0.03, 0.03], NONE, [0.04, 0.06], [1.7, 2.1]),
        Motion::Swing => (NONE, NONE, [0.02, 0.035], [0.4, 0.6]),
        Motion::Launch => (NONE, [-1.15, -0.95], [0.004, 0.008], [6.0, 8.0]),
        Motion::Explode => (NONE, NONE, [0.4, 0.6], [0.5, 0.7]),
        Motion::Shake => (NONE, NONE, [0.01, 0.015], [6.0, 8.0]),
        Motion::Approach => (NONE, NONE, [0.7, 1.0], [0.4, 0.5]),
        Motion::Play => (NONE, NONE, [0.015, 0.025], [1.8, 2.2]),
    };
    Move { dx, dy, amp, rate }
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

    /// Riders, hats and the like: size, place and motion come from the carrier.
    fn attach(&mut self, slot: &Slot, draft: &mut Draft, carrier: &Slot, parent: &ObjectToken) {
        let relation = slot.relation;
        let [parent_width, parent_height] = self.extent(carrier, parent.size);
        let handheld = relation == Relation::Play && carrier.metres < 0.6;
        let share = self.within(match relation {
            Relation::On => [0.42, 0.58],
            Relation::Ride => [0.58, 0.70],
            Relation::Play => [0.80, 0.95],
            _ => [0.36, 0.44],
        });
        let token = &mut draft.token;
        let small = relation == Relation::On && slot.metres < carrier.metres * 0.5;
        token.size = if small { token.size.min(parent.size * share) } else { parent.size * share * 1.12f32.powf(f32::from(slot.size)) };
        if handheld {
            token.size = parent.size * self.random.within(1.6, 1.9);
        }
        (token.depth, token.dx, token.dy, token.dir) = (parent.depth, parent.dx, parent.dy, parent.dir);
        let [width, height] = extent(slot, token.size, self.brief.aspect);
        let faces = if carrier.facing == 0 { 0.0 } else { parent.dir };
        let random = &mut *self.random;
        let (x, y) = match relation {
            Relation::On => (random.within(-0.12, 0.12) * parent_width, -parent_height * random.within(0.88, 0.96)),
            Relation::Ride => (-faces * random.within(0.02, 0.08) * parent_width, -parent_height * random.within(0.46, 0.54)),
            Relation::In => (random.within(-0.08, 0.08) * parent_width, -parent_height * 0.5 + height * 0.62),
            Relation::Wear => (faces * random.within(0.14, 0.22) * parent_width, -parent_height * random.within(0.90, 0.96)),
            _ if handheld => (random.within(-0.03, 0.03), height * random.within(0.20, 0.28)),
            _ => {
                let side = random.side();
                (token.dir, token.depth) = (-side, parent.depth - 0.05);
                (side * (parent_width * random.within(0.42, 0.50) + width * 0.36), random.within(0.012, 0.03))
            }
        };
        (draft.x, draft.y) = (Some(parent.x + x), Some(parent.y + y));
        if relation == Relation::In && slot.motion == Motion::Swim {
            (draft.token.dx, draft.token.amp) = (0.0, self.random.within(0.02, 0.04));
        }
    }

    /// Neighbours, pursuers, covers: where they stand follows from the parent, how large they are does not.
    fn stand_by(&mut self, slot: &Slot, draft: &mut Draft, neighbour: &Slot, parent: &ObjectToken) {
        let backdrop = self.brief.backdrop;
        let [parent_width, parent_height] = self.extent(neighbour, parent.size);
        let [width, _] = self.extent(slot, draft.token.size);
        let both = parent_width + width;
        let random = &mut *self.random;
        let token = &mut draft.token;
        token.depth = parent.depth;
        let level = parent.y + random.within(-0.01, 0.02);
        let (mut x, mut y) = (None, Some(level));
        match slot.relation {
            Relation::Above => {
                (x, y) = (Some(parent.x + random.within(-0.1, 0.1)), Some(parent.y - parent_height - random.within(0.04, 0.10)));
                token.size = token.size.min(((parent.y - parent_height) * 0.55).max(0.16));
            }
            Relation::Under => x = Some(parent.x + random.within(-0.03, 0.03)),
            Relation::Chase => {
                (token.dir, token.dx) = (parent.dir, parent.dx * random.within(0.9, 1.15));
                let behind = parent.x - parent.dir * both * random.within(0.54, 0.66);
                (x, y) = (Some(behind), Some(parent.y + random.within(-0.02, 0.02)));
                let inside = behind.max(width / 2.0).min(1.0 - width / 2.0);
                if !(width / 2.0 - 0.03 < behind && behind < 1.0 - width / 2.0 + 0.03) {
                    // Both step ahead until the pursuer is in the frame.
                    x = Some(inside);
                    let ahead = (parent.x + inside - behind).max(parent_width / 2.0).min(1.0 - parent_width / 2.0);
                    if let Some(Some(object)) = slot.parent.and_then(|parent| self.objects.get_mut(parent)) {
                        object.x = ahead;
                    }
                }
            }
            Relation::Beside => {
                let aside = parent.x + random.side() * both * random.within(0.54, 0.68);
                let fits = width / 2.0 - 0.02 < aside && aside < 1.0 - width / 2.0 + 0.02;
                x = Some(if fits { aside } else { 2.0 * parent.x - aside });
                y = (zone(neighbour, backdrop) == zone(slot, backdrop)).then(|| parent.y + random.within(-0.02, 0.02));
            }
            Relation::Behind => {
                token.depth = parent.depth + random.within(0.15, 0.3);
                x = Some(parent.x + random.side() * both * random.within(0.25, 0.4));
                y = Some(parent.y - random.within(0.03, 0.06));
            }
            Relation::Front => {
                token.depth = parent.depth - 0.1;
                x = Some(parent.x + random.side() * both * random.within(0.25, 0.4));
                y = Some(parent.y + random.within(0.03, 0.06));
            }
            _ => {}
        }
        (draft.x, draft.y) = (x, y);
    }

    /// Where a thing of this width goes along the frame, unless its parent has said so. Copies stand in a row: over the frame,
    /// or over what carries them.
    fn decide_x(&mut self, slot: &Slot, draft: &mut Draft, width: f32) {
        let decided = draft.x;
        let travels = if slot.motion.travels() { draft.token.dir } else { 0.0 };
        let mut x = match decided {
            Some(x) => x,
            None if self.lone_root => 0.5 - 0.06 * travels + self.random.normal(0.0, 0.05),
            None if width < 1.0 => self.random.within(width * 0.5, 1.0 - width * 0.5),
            None => 0.5,
        };
        if slot.copies > 1 {
            let share = (slot.rank as f32 + 0.5 + self.random.within(-0.22, 0.22)) / slot.copies as f32;
            let carrier = self.parent(slot).filter(|_| slot.relation.attached());
            x = match carrier {
                Some((carrier, parent)) => parent.x + (share - 0.5) * 0.6 * self.extent(carrier, parent.size)[0],
                None => share * 0.86 + 0.07,
            };
        }
        draft.token.x = x;
    }

    /// Where the feet of a thing of this height go, unless its parent has said so.
    fn decide_y(&mut self, slot: &Slot, draft: &mut Draft, height: f32) {
        let depth = draft.token.depth;
        draft.token.y = match draft.y {
            Some(y) => y,
            None => self.free_y(slot, depth, height),
        };
    }

    fn free_y(&mut self, slot: &Slot, depth: f32, height: f32) -> f32 {
        let zone = zone(slot, self.brief.backdrop);
        let horizon = self.frame.horizon;
        let left = 1.0 - horizon;
        let [far, near] = self.place.ground;
        let crowd = self.brief.slots.len() > 1;
        let random = &mut *self.random;
        let y = match zone {
            Zone::Ground if self.place.medium == Medium::Deep => horizon + 0.05 * random.unit(),
            Zone::Ground => horizon + left * (far + (near - far) * (1.0 - depth).powf(1.2)),
            Zone::Surface => {
                let draught = if slot.kind == Kind::Boat { 0.10 } else { 0.22 };
                horizon + left * (far + (near - far) * (1.0 - depth)) * random.within(0.75, 1.0) + height * draught
            }
            Zone::Centre => 0.5 + height * 0.5 + random.normal(0.0, 0.01),
            Zone::Air => {
                const TOP: f32 = 0.06;
                let low = (horizon - 0.06).max(height + 0.1);
                (TOP + height + random.within(0.05, 0.75) * (low - TOP - height).max(0.02)).min(low)
            }
            Zone::Free if crowd => random.within(0.16 + height * 0.7, 0.84 + height * 0.2),
            Zone::Free => 0.5 + height * 0.5 + random.normal(0.0, 0.06),
        };
        match slot.motion {
            Motion::Bounce if zone == Zone::Ground => y.min(0.94),
            Motion::Rise if matches!(zone, Zone::Air | Zone::Free) => 0.48 + height / 2.0 + random.normal(0.0, 0.04),
            Motion::Fall => 0.45 + height / 2.0 + random.normal(0.0, 0.06),
            _ => y,
        }
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

/// How far the camera follows somebody over the clip, in frame widths; `None` where it stays.
fn tracked(motion: Motion) -> Option<Range> {
    match motion {
        Motion::Walk => Some([0.25, 0.5]),
        Motion::Run => Some([0.9, 1.4]),
        Motion::Drive => Some([1.2, 2.0]),
        Motion::Fly => Some([0.3, 0.7]),
        Motion::Roll => Some([0.1, 0.3]),
        _ => None,
    }
}
