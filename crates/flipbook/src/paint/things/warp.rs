//! Cut-outs on the frame: bent and turned as their pose has it, by joints or on a mesh.

use std::f32::consts::TAU;

use crate::canvas::{Canvas, Tint, Vertex};
use crate::codes::{Act, Kind, Motion, Relation};
use crate::figures::turned;
use crate::paint::film::{Film, Moment};
use crate::paint::kept::cast::{Drawing, version};
use crate::pose::Pose;
use crate::scene::Slot;
use crate::sprites::{self, Sprite};

/// Cells of a mesh along each side.
const CELLS: usize = 10;
/// Height of a cast shadow, as a share of what casts it.
const FLAT: f32 = 0.16;

/// How a cut-out is laid onto the frame.
#[derive(Clone, Copy)]
pub(super) enum Lay {
    Upright,
    /// On the ground, as a shadow: pixels to the left for each pixel of height.
    Shadow(f32),
    /// Upside down below this line, in pixels.
    Mirrored(f32),
}

impl Film {
    #[expect(clippy::too_many_arguments)]
    pub(super) fn draw(&self, c: &mut Canvas, m: &Moment, place: usize, pose: &Pose, tint: Tint, alpha: f32, lay: Lay) {
        let Some(slot) = self.brief.slots.get(place) else { return };
        let ink = sprites::atlas().get(slot.sprite).ink;
        let (wide, high) = (pose.w * self.width * pose.scale, pose.h * self.height * pose.scale);
        if wide <= 0.0 || high <= 0.0 {
            return;
        }
        let warp = self.warp(m, place, pose, lay);
        match self.cast.drawing(place) {
            Some(Drawing::Jointed(sizes)) => {
                let size = if matches!(lay, Lay::Shadow(_)) { &sizes[1] } else { &sizes[0] };
                let stance = self.stance(m, place, size.figure());
                size.draw(c, self.warp_box(m, place, pose, lay), &stance, tint, alpha);
            }
            Some(Drawing::Turning(sizes)) => {
                let size = if matches!(lay, Lay::Shadow(_)) { &sizes[1] } else { &sizes[0] };
                size.draw(c, self.warp_box(m, place, pose, lay), &turned(self.turn_of_part(m, place)), tint, alpha);
            }
            Some(Drawing::Flat(versions)) => {
                let Some(largest) = versions.first() else { return };
                let across = largest.width as f32 * (ink.right - ink.left) / wide;
                let down = largest.height as f32 * (ink.bottom - ink.top) / high;
                let texels = match lay {
                    Lay::Shadow(_) => across.max(down / FLAT) * 0.7, // a soft one
                    Lay::Upright | Lay::Mirrored(_) => (across * down).sqrt(),
                };
                let Some(picture) = version(versions, texels) else { return };
                // Halving rounds odd sizes up: what was at 1 lies at the half of it, not at the border.
                let halvings = (largest.width as f32 / picture.width.max(1) as f32).log2().round();
                let side = largest.width as f32 / halvings.exp2();
                let along = |step: usize| step as f32 / CELLS as f32;
                let from = |u: f32, v: f32| [ink.left + u * (ink.right - ink.left), ink.top + v * (ink.bottom - ink.top)];
                let mesh: Vec<Vertex> = (0..=CELLS)
                    .flat_map(|row| (0..=CELLS).map(move |column| (along(column), along(row))))
                    .map(|(u, v)| Vertex { at: warp(u, v), from: from(u, v).map(|part| part * side) })
                    .collect();
                c.mesh(picture, &mesh, CELLS, CELLS, tint, alpha);
            }
            None => {}
        }
    }

    /// As [`Film::warp`], for a point in shares of the drawing's box.
    pub(super) fn warp_box<'a>(&'a self, m: &'a Moment, place: usize, pose: &'a Pose, lay: Lay) -> impl Fn([f32; 2]) -> [f32; 2] + 'a {
        let ink = self.brief.slots.get(place).map(|slot| sprites::atlas().get(slot.sprite).ink);
        let ink = ink.unwrap_or(sprites::Ink { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 });
        let warp = self.warp(m, place, pose, lay);
        move |[x, y]| warp((x - ink.left) / (ink.right - ink.left), (y - ink.top) / (ink.bottom - ink.top))
    }

    /// Where a point of a cut-out lies in pixels: squashed, stepping, wagging, flapping, bowed and turned as its pose has it. The
    /// point is given in shares of the ink, from its left and from its top.
    fn warp<'a>(&'a self, m: &'a Moment, place: usize, pose: &'a Pose, lay: Lay) -> Box<dyn Fn(f32, f32) -> [f32; 2] + 'a> {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else {
            return Box::new(|_, _| [0.0; 2]);
        };
        let sprite = sprites::atlas().get(slot.sprite);
        let jointed = matches!(self.cast.drawing(place), Some(Drawing::Jointed(_)));
        let flip = flipped(slot, sprite, object.dir, pose);
        let narrow = pose.facing_turn.map_or(1.0, |turn| turn.abs().sqrt().max(0.25));
        let (wide, high) = (pose.w * self.width * pose.scale * narrow, pose.h * self.height * pose.scale);
        let turn = match lay {
            Lay::Shadow(_) => 0.0,
            Lay::Upright | Lay::Mirrored(_) => pose.turn + heading(slot, sprite, flip),
        };
        let (sin, cos) = (TAU * turn).sin_cos();
        let around_foot = matches!(slot.motion, Motion::Dance | Motion::Play | Motion::Swing | Motion::Walk | Motion::Run | Motion::Jump)
            && slot.act != Some(Act::Tumble)
            || matches!(slot.relation, Relation::Ride | Relation::On);
        let pivot = if around_foot { 0.0 } else { -high / 2.0 * pose.sy };
        let (foot_x, foot_y) = (pose.x * self.width, pose.y * self.height);
        let lift = pose.lift * self.height;
        Box::new(move |u: f32, v: f32| {
            let plain = [(u - 0.5) * wide, (v - 1.0) * high];
            // What has joints moves its limbs by them.
            let [mut x, mut y] = if jointed { plain } else { limbs(slot, sprite, pose, u, v, [wide, high]) };
            x *= pose.sx;
            y *= pose.sy;
            // Of the top, in the frame's own direction.
            x += pose.bend * high * (v - 1.0).powi(2) * if flip { -1.0 } else { 1.0 };
            if flip {
                x = -x;
            }
            if let Lay::Shadow(slant) = lay {
                (x, y) = (x + slant * y, -FLAT * y);
            }
            let (x, y) = (x * cos - (y - pivot) * sin, x * sin + (y - pivot) * cos + pivot);
            match lay {
                Lay::Upright => [foot_x + x, foot_y + y - lift],
                Lay::Shadow(_) => [foot_x + x, foot_y + y],
                Lay::Mirrored(line) => {
                    let y = 2.0 * line - (foot_y - lift + y);
                    [foot_x + x + self.short * 0.006 * (y / self.short * 60.0 + m.t * 5.0).sin(), y]
                }
            }
        })
    }
}

/// Whether a drawing is mirrored to face its way.
fn flipped(slot: &Slot, sprite: &Sprite, dir: f32, pose: &Pose) -> bool {
    let facing = f32::from(slot.facing);
    let way = if pose.flip { -dir } else { dir };
    if let Some(turn) = pose.facing_turn {
        return if slot.facing == 0 { -turn } else { facing * turn } < 0.0;
    }
    if sprite.heading.is_some() {
        return way < 0.0 && !matches!(slot.motion, Motion::Launch | Motion::Rise);
    }
    if slot.facing == 0 { pose.flip } else { facing * way < 0.0 }
}

/// Turns by which a drawing that is drawn to fly slantwise comes to its course.
fn heading(slot: &Slot, sprite: &Sprite, flip: bool) -> f32 {
    let wanted = match slot.motion {
        Motion::Launch | Motion::Rise => 90.0,
        Motion::Fall => -70.0,
        _ => 18.0,
    };
    // A board is drawn with its nose far up; on the water it lies nearly level.
    let level = if sprite.name == "surfboard" { if flip { 0.04 } else { -0.04 } } else { 0.0 };
    sprite.heading.map_or(level, |drawn| (drawn - wanted) / 360.0 * if flip { -1.0 } else { 1.0 })
}

/// A point of a cut-out in pixels from its foot, moved by legs, tail and wings. `u` is 0 at the left and 1 at the right of
/// the drawing, `v` 0 at its top and 1 at its foot.
fn limbs(slot: &Slot, sprite: &Sprite, pose: &Pose, u: f32, v: f32, [wide, high]: [f32; 2]) -> [f32; 2] {
    let [mut x, mut y] = [(u - 0.5) * wide, (v - 1.0) * high];
    let towards_nose = if slot.facing == 0 { -1.0 } else { f32::from(slot.facing) };
    let front = (u - 0.5) * towards_nose + 0.5; // 1 at the nose
    if pose.legs != 0.0 && matches!(slot.kind, Kind::Animal | Kind::Person) && slot.facing != 0 {
        let low = ((v - 0.68) / 0.32).clamp(0.0, 1.0);
        x += low * (TAU * u + 0.6).sin() * pose.legs * wide * 0.10;
        y -= low * ((TAU * u + 2.0).sin() * pose.legs).max(0.0) * high * 0.05;
    }
    if pose.wag != 0.0 {
        y += high * 0.10 * pose.wag * (1.0 - front).powi(2);
        x += if slot.facing == 0 {
            wide * 0.05 * pose.wag * (v * 6.0).sin() * v
        } else {
            wide * 0.06 * pose.wag * (v * 4.0).sin() * (1.0 - front)
        };
    }
    if pose.flap != 0.0 {
        let reach = if sprite.name == "gull" { 0.42 } else { 0.10 };
        y -= high * pose.flap * (reach * ((u - 0.5).abs() * 2.0).powf(1.3) - 0.1);
    }
    [x, y]
}
