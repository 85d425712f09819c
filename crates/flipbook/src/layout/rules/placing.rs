//! Where one thing goes: on its carrier, by its neighbour, or by itself along the frame and on the ground.

use super::{Draft, Writer};
use crate::codes::{Kind, Motion, Relation};
use crate::layout::{Medium, Zone, extent, zone};
use crate::scene::{ObjectToken, Slot};

impl Writer<'_> {
    /// Riders, hats and the like: size, place and motion come from the carrier.
    pub(super) fn attach(&mut self, slot: &Slot, draft: &mut Draft, carrier: &Slot, parent: &ObjectToken) {
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
    pub(super) fn stand_by(&mut self, slot: &Slot, draft: &mut Draft, neighbour: &Slot, parent: &ObjectToken) {
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
    pub(super) fn decide_x(&mut self, slot: &Slot, draft: &mut Draft, width: f32) {
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
    pub(super) fn decide_y(&mut self, slot: &Slot, draft: &mut Draft, height: f32) {
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
}
