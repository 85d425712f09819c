//! What is on a figure stays on it as it moves: riders on the back, hats on the head. What is in a vessel shows above its side.

use super::warp::Lay;
use crate::canvas::{Area, Canvas};
use crate::codes::Relation;
use crate::figures::{Build, Figure, Gesture};
use crate::layout::{carried_with, parents_first, rim, sits};
use crate::paint::film::{Film, Moment};

impl Film {
    /// Poses of what figures carry, where their joints have it now.
    pub(super) fn posed_on_figures(&self, m: &mut Moment) {
        for place in parents_first(&self.brief) {
            let Some([x, y]) = self.slipped(m, place) else { continue };
            if let Some(pose) = m.poses.get_mut(place) {
                (pose.x, pose.y) = (pose.x + x / self.width, pose.y + y / self.height);
            }
        }
    }

    /// How far something has to move to be back on its carrier, in pixels.
    fn slipped(&self, m: &Moment, place: usize) -> Option<[f32; 2]> {
        let slot = self.brief.slots.get(place)?;
        let parent = slot.parent?;
        let (carrier, figure) = (self.brief.slots.get(parent)?, self.cast.figure(parent)?);
        let stance = self.stance(m, parent, figure);
        let warp = self.warp_box(m, parent, m.poses.get(parent)?, Lay::Upright);
        let apart = |[a, b]: [f32; 2], [c, d]: [f32; 2]| [a - c, b - d];
        let apart_from_rest = || {
            let rest = figure.stance(Gesture::Stand, 0.0, 0.5);
            Some(apart(warp(figure.head_top(&stance)), warp(Figure::head_top(figure, &rest))))
        };
        match slot.relation {
            // On a shoulder it goes where the head goes.
            Relation::On if figure.build == Build::Upright => apart_from_rest(),
            Relation::Ride | Relation::On => {
                let pose = m.poses.get(place)?;
                let foot = [pose.x * self.width, (pose.y - pose.lift) * self.height];
                let own = match self.cast.figure(place).filter(|_| sits(slot, carrier)) {
                    Some(rider) => self.warp_box(m, place, pose, Lay::Upright)(rider.seat(&self.stance(m, place, rider))),
                    None => foot,
                };
                let [x, y] = apart(warp(figure.back(&stance)), own);
                // Several keep their places along its back.
                let is_alone = carried_with(&self.brief, slot).1 == 1;
                Some([if is_alone { x } else { 0.0 }, y])
            }
            Relation::Wear => apart_from_rest(),
            _ => None,
        }
    }

    /// Draws with what the side of its vessel hides left out.
    pub(super) fn above_rim(&self, c: &mut Canvas, m: &Moment, place: usize, draw: impl FnOnce(&mut Canvas)) {
        let vessel = self.brief.slots.get(place).and_then(|slot| {
            let parent = slot.parent?;
            let up = rim(slot, self.brief.slots.get(parent)?)?;
            let pose = m.poses.get(parent)?;
            Some((pose.y - pose.lift - up * pose.h * pose.scale * pose.sy) * self.height)
        });
        match vessel {
            Some(bottom) => c.clipped_to(Area { left: -9.0, top: -9.0, right: self.width + 9.0, bottom }, draw),
            None => draw(c),
        }
    }
}
