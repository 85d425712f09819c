//! Puts what somebody goes by where the way needs it: the fence in the middle and no higher than a leap, the hoop wide enough,
//! the tree tall enough to climb. Who goes there is posed by the film.

use crate::codes::{Act, Kind, Motion, Way};
use crate::layout::held::put_back;
use crate::layout::{Held, Zone, extent, zone};
use crate::scene::{Brief, Layout, ObjectToken, Slot};
use crate::sprites::atlas;

/// What a thing is to who goes by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landmark {
    /// One goes through it upright.
    Ring,
    /// One comes out of it at its foot.
    Tunnel,
    /// It lies flat on the ground.
    Flat,
    /// Its drawing hides who is in it.
    Holder,
    /// One lands softly on it.
    Cushion,
    /// One is seen before it: a house, a tent, a car.
    House,
    Stairs,
    /// Leaves and apples fall from it.
    Tree,
    /// A bow in the sky that one runs on.
    Bow,
    Sky,
}

/// What sort of landmark a drawing is.
pub fn landmark(slot: &Slot) -> Landmark {
    match atlas().get(slot.sprite).name.as_str() {
        "hoop" | "flaming-hoop" | "ring" | "door" | "window" | "shinto-shrine" | "mirror" => Landmark::Ring,
        "tunnel" | "cave" | "mountain" | "snow-capped-mountain" => Landmark::Tunnel,
        "hole" | "puddle" | "mud-puddle" | "water-wave" | "ring-buoy" => Landmark::Flat,
        "bed" | "couch-and-lamp" | "fallen-leaf" | "sheaf-of-rice" | "trampoline" | "hammock" => Landmark::Cushion,
        "stairs" | "slide" | "playground-slide" => Landmark::Stairs,
        "rainbow" => Landmark::Bow,
        "chimney" | "well" | "flower-pot" | "jack-o-lantern" => Landmark::Holder,
        _ => match slot.kind {
            Kind::Plant if slot.metres > 1.0 => Landmark::Tree,
            Kind::Building | Kind::Vehicle | Kind::Aircraft | Kind::Plant => Landmark::House,
            Kind::Boat => Landmark::Holder,
            Kind::Sky => Landmark::Sky,
            _ if matches!(atlas().get(slot.sprite).name.as_str(), "tent" | "camping" | "castle") => Landmark::House,
            _ => Landmark::Holder,
        },
    }
}

struct Pair<'a> {
    brief: &'a Brief,
    layout: &'a mut Layout,
    goer: usize,
    by: usize,
}

/// All ways of a scene, round what is held.
pub(in crate::layout) fn lay_courses(brief: &Brief, layout: &mut Layout, held: &[Held]) {
    for (goer, slot) in brief.slots.iter().enumerate() {
        let Some((way, by)) = slot.course.and_then(|course| Some((course.way, course.by?))) else { continue };
        if by < brief.slots.len() && goer < layout.objects.len() && by != goer {
            Pair { brief, layout, goer, by }.lay(way);
        }
    }
    for by in 0..brief.slots.len().min(layout.objects.len()) {
        let Some(goer) = brief.slots[by].parent.filter(|goer| brief.slots.get(*goer).is_some_and(|slot| slot.act == Some(Act::Dangle)))
        else {
            continue;
        };
        let mut pair = Pair { brief, layout, goer, by };
        pair.bound(goer, 0.12, 0.24);
        pair.heighten(by, 0.7);
    }
    // Who leaps is in the air in the middle of the clip.
    for (slot, object) in brief.slots.iter().zip(&mut layout.objects) {
        if slot.motion == Motion::Jump && slot.rank == 0 && slot.parent.is_none() {
            object.phase = (0.5 / 0.9 - object.rate.max(0.1) * 0.45 * brief.seconds).rem_euclid(1.0 / 0.9);
        }
    }
    put_back(held, &mut layout.objects);
}

impl Pair<'_> {
    fn slot(&self, index: usize) -> &Slot {
        &self.brief.slots[index]
    }

    fn object(&mut self, index: usize) -> &mut ObjectToken {
        &mut self.layout.objects[index]
    }

    /// Width and height, in frame widths and heights.
    fn extent(&self, index: usize) -> [f32; 2] {
        extent(self.slot(index), self.layout.objects[index].size, self.brief.aspect)
    }

    /// Makes it so high, if the frame has room.
    fn heighten(&mut self, index: usize, height: f32) {
        let [wide, high] = self.extent(index);
        let most = (0.9 / wide.max(1e-3)).min(height / high.max(1e-3));
        let object = self.object(index);
        object.size = (object.size * most).clamp(0.05, 0.85);
    }

    /// Not higher, or not lower, than these.
    fn bound(&mut self, index: usize, least: f32, most: f32) {
        let [_, high] = self.extent(index);
        if high < least || high > most {
            self.heighten(index, if high < least { least } else { most });
        }
    }

    /// The line on which both stand.
    fn ground(&self) -> f32 {
        let horizon = self.layout.frame.horizon;
        if horizon > 1.0 { 0.86 } else { (horizon + 0.62 * (1.0 - horizon)).clamp(0.6, 0.92) }
    }

    fn lay(&mut self, way: Way) {
        let (goer, by) = (self.goer, self.by);
        let shape = landmark(self.slot(by));
        let afloat = zone(self.slot(goer), self.brief.backdrop) == Zone::Surface;
        let dir = self.layout.objects[goer].dir;
        let ground = if afloat { self.layout.objects[goer].y.clamp(0.55, 0.88) } else { self.ground() };
        let aloft = matches!(self.slot(goer).kind, Kind::Flyer | Kind::Aircraft) || self.slot(goer).motion == Motion::Fly;
        let [_, mut own] = self.extent(goer);
        let narrow = self.brief.aspect.min(1.0);
        if self.slot(goer).copies == 1 {
            let [least, most] = match way {
                Way::Past | Way::Toward | Way::Across | Way::Down => [0.12, 0.5],
                Way::Up => [0.14, 0.28],
                _ => [0.14, 0.32],
            };
            self.bound(goer, least * narrow, most * narrow);
            [_, own] = self.extent(goer);
        }
        let mut x = 0.5;
        match (way, shape) {
            (Way::Over, Landmark::Bow) => {
                self.bound(goer, 0.12, 0.22 * narrow);
                let [wide, high] = self.extent(by);
                self.heighten(by, high * (0.66 / wide.max(1e-3)).min(0.5 / high.max(1e-3)));
            }
            (Way::Over, Landmark::Sky) => {
                self.bound(goer, 0.12, 0.22 * narrow);
                self.bound(by, 0.16, 0.24);
            }
            (Way::Over, _) if aloft => {
                let [_, high] = self.extent(by);
                self.heighten(by, high.min(ground - 1.25 * own - 0.06).min(0.5));
            }
            (Way::Over, Landmark::Flat) => self.bound(by, 0.16 * own, 0.4 * own),
            (Way::Over, _) => {
                self.bound(goer, 0.18, 0.30 * narrow);
                [_, own] = self.extent(goer);
                let [wide, _] = self.extent(by);
                self.bound(by, 0.5 * own, (0.95 * own).min(ground - 1.15 * own - 0.05));
                let [after, high] = self.extent(by);
                if after > 0.45 && wide > 0.0 {
                    self.heighten(by, high * 0.45 / after);
                }
            }
            (Way::Through, Landmark::Ring) => {
                let [wide, _] = self.extent(goer);
                let tall = own.max(0.6 * wide * self.brief.aspect);
                self.heighten(by, (2.0 * tall).min(ground - 0.06));
            }
            (Way::Through | Way::Out | Way::Into, Landmark::Tunnel) => {
                let [wide, _] = self.extent(goer);
                self.bound(by, 1.7 * own.max(0.25 * wide * self.brief.aspect), 0.62);
                x = if way == Way::Into { 0.5 + 0.2 * dir } else { 0.5 - 0.2 * dir };
            }
            (Way::Out | Way::Into, Landmark::House | Landmark::Tree) => {
                self.bound(by, 1.5 * own, (ground - 0.05).min(0.66));
                x = if way == Way::Into { 0.5 + 0.16 * dir } else { 0.5 - 0.16 * dir };
            }
            (Way::Out | Way::Into, Landmark::Flat) => {
                let [wide, _] = self.extent(goer);
                let [across, high] = self.extent(by);
                self.heighten(by, (high * 1.5 * wide / across.max(1e-3)).max(0.05));
            }
            (Way::Out | Way::Into, Landmark::Cushion) => self.bound(by, 0.8 * own, 1.4 * own),
            (Way::Out | Way::Into, _) => {
                let [wide, _] = self.extent(goer);
                let [across, high] = self.extent(by);
                self.heighten(by, (high * 1.15 * wide / across.max(1e-3)).clamp(0.75 * own, 1.3 * own));
            }
            (Way::Around, _) => {
                let [wide, _] = self.extent(by);
                let most = if wide > 0.3 { 0.3 / wide } else { 1.0 };
                let [_, high] = self.extent(by);
                self.heighten(by, (high * most).min(0.62).max(0.9 * own));
            }
            (Way::Past, _) => {
                self.bound(by, 1.25 * own, 0.66);
                x = 0.5 - 0.16 * dir;
            }
            (Way::Up | Way::Down, Landmark::Stairs) => self.heighten(by, 0.52),
            (Way::Up | Way::Down, _) => self.bound(by, 2.2 * own, (ground - 0.06).max(0.3)),
            (Way::Off, Landmark::Tree) => {
                self.heighten(by, 0.66);
                self.bound(goer, 0.05, 0.10);
            }
            (Way::Off, _) => {
                let tall =
                    matches!(atlas().get(self.slot(by).sprite).name.as_str(), "ladder" | "diving-board" | "house" | "deciduous-tree");
                self.bound(by, if tall { 1.9 * own } else { 0.6 * own }, if tall { 0.62 } else { 0.42 });
                x = 0.5 - 0.13 * dir;
            }
            (Way::Toward, _) => x = 0.5 + 0.26 * dir,
            (Way::Across | Way::Through, _) => {}
        }
        self.stand(way, shape, x, ground);
    }

    /// Both at their places; a long way for who crosses the frame.
    fn stand(&mut self, way: Way, shape: Landmark, x: f32, ground: f32) {
        let (goer, by) = (self.goer, self.by);
        let [_, high] = self.extent(by);
        let carried = self.slot(by).relation.attached();
        let far = match way {
            Way::Past => -0.05,
            Way::Around => -0.02,
            _ => 0.0,
        };
        let y = match shape {
            Landmark::Sky if way == Way::Over => 0.5 + 0.5 * high,
            Landmark::Sky => 0.36 + 0.5 * high,
            Landmark::Bow => ground - 0.02,
            _ => ground + far,
        };
        let depth = self.layout.objects[goer].depth;
        let tall = zone(self.slot(by), self.brief.backdrop) == Zone::Surface;
        let object = self.object(by);
        if !carried && way != Way::Across {
            (object.x, object.dx, object.dy, object.tilt, object.amp) = (x, 0.0, 0.0, 0.0, 0.0);
            object.y = if tall && way == Way::Past { object.y.min(ground - 0.04) } else { y };
            object.depth = if shape == Landmark::Sky { 0.3 } else { depth + if way == Way::Past { 0.05 } else { 0.0 } };
        }
        let object = self.object(goer);
        if way != Way::Across && object.x.is_finite() {
            (object.y, object.dy) = (ground, 0.0);
        }
    }
}
