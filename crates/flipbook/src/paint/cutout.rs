//! The things of a scene: drawings on a mesh that their pose bends, with their shadows, reflections and wakes.

use std::f32::consts::TAU;

use resvg::tiny_skia::{Path, PathBuilder, Rect};

use super::canvas::{Area, Canvas, Ink, Puff, Rgb, Tint, Vertex, halved};
use super::film::{Film, Medium, Moment};
use crate::codes::{Act, Colour, Hour, Kind, Motion, Relation, Weather};
use crate::figures::{Figure, Gesture, Puppet, Stance, figure};
use crate::layout::{Zone, zone};
use crate::pose::Pose;
use crate::scene::{Brief, Layout, Program, Slot};
use crate::sprites::{self, Picture, Sprite, SpriteId};

/// Cells of a mesh along each side.
const CELLS: usize = 10;
/// Sides of pictures in pixels.
const SIDES: (f32, f32) = (24.0, 1024.0);
/// Texels for each pixel, so that zooming in leaves drawings crisp.
const SPARE: f32 = 1.15;
/// Height of a cast shadow, as a share of what casts it.
const FLAT: f32 = 0.16;
/// Colours of balloons in a bunch.
const BUNCH: [Option<Colour>; 6] =
    [None, Some(Colour::Blue), Some(Colour::Yellow), Some(Colour::Green), Some(Colour::Purple), Some(Colour::Orange)];

/// The drawings of a scene's things, at the size at which they are seen.
pub struct Cast {
    drawings: Vec<Drawing>,
    /// Which drawing a slot has.
    of_slot: Vec<usize>,
}

impl Cast {
    /// `short` is the frame's shorter side in pixels.
    pub fn of(program: &Program, brief: &Brief, layout: &Layout, short: f32, seed: u64) -> Self {
        let mut keys: Vec<(SpriteId, usize, Option<Colour>, u64)> = Vec::new();
        let mut of_slot = Vec::new();
        for (slot, object) in brief.slots.iter().zip(&layout.objects) {
            let ink = sprites::atlas().get(slot.sprite).ink;
            let longest = (ink.right - ink.left).max(ink.bottom - ink.top).max(1e-3);
            let side = (object.size * short / longest * SPARE * largest(slot.motion)).clamp(SIDES.0, SIDES.1);
            // People differ, also where there are several of one name.
            let tone = if slot.kind == Kind::Person { seed ^ slot.rank as u64 } else { 0 };
            let key = (slot.sprite, (side as usize).next_multiple_of(8), colour(program, slot), tone);
            of_slot.push(keys.iter().position(|other| *other == key).unwrap_or(keys.len()));
            if of_slot.last() == Some(&keys.len()) {
                keys.push(key);
            }
        }
        let drawings = keys.into_iter().map(|(sprite, side, colour, tone)| Drawing::of(sprite, side, colour, tone)).collect();
        Self { drawings, of_slot }
    }

    /// The figure that a slot is drawn as, if it has joints.
    pub(super) fn figure(&self, slot: usize) -> Option<&Figure> {
        match self.drawing(slot)? {
            Drawing::Jointed(sizes) => Some(sizes[0].figure()),
            Drawing::Flat(_) => None,
        }
    }

    fn drawing(&self, slot: usize) -> Option<&Drawing> {
        self.of_slot.get(slot).and_then(|place| self.drawings.get(*place))
    }
}

/// How a thing is drawn.
enum Drawing {
    /// In one piece, with ever smaller versions of it, every one of half the size of the one before.
    Flat(Vec<Picture>),
    /// With joints: at full size and, for its shadow, at a quarter of it.
    Jointed(Box<[Puppet; 2]>),
}

impl Drawing {
    fn of(sprite: SpriteId, side: usize, colour: Option<Colour>, tone: u64) -> Self {
        match figure(&sprites::atlas().get(sprite).name) {
            Some(figure) => Self::Jointed(Box::new([side, side / 4].map(|side| Puppet::of(&figure.toned(tone), side, colour)))),
            None => Self::Flat(versions(sprites::picture(sprite, side, colour))),
        }
    }
}

/// The version that sampling by fours can shrink, given texels for each pixel at full size.
fn version(versions: &[Picture], texels: f32) -> Option<&Picture> {
    let halvings = (texels / 2.0).max(1.0).log2().ceil() as usize;
    versions.get(halvings).or(versions.last())
}

/// How much larger than its size a motion shows a thing.
fn largest(motion: Motion) -> f32 {
    match motion {
        Motion::Approach | Motion::Explode => 1.3,
        Motion::Pulse | Motion::Orbit => 1.15,
        _ => 1.0,
    }
}

fn colour(program: &Program, slot: &Slot) -> Option<Colour> {
    let asked = program.things.get(slot.thing).and_then(|thing| thing.colour);
    let bunch = slot.copies > 1 && sprites::atlas().get(slot.sprite).name.contains("balloon");
    if bunch && asked.is_none() { BUNCH[slot.rank % BUNCH.len()] } else { asked }
}

fn versions(picture: Picture) -> Vec<Picture> {
    let mut versions = vec![picture];
    while let Some(smallest) = versions.last().filter(|picture| picture.width.min(picture.height) > 8) {
        let next = halved(smallest);
        versions.push(next);
    }
    versions
}

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
    /// Slots from far to near; what is carried lies right before or behind its carrier.
    pub(super) fn order(&self) -> Vec<usize> {
        let depth = |slot: usize| self.layout.objects.get(slot).map_or(0.0, |object| object.depth);
        let key = |place: usize, slot: &Slot| match slot.parent.and_then(|parent| Some((parent, self.brief.slots.get(parent)?))) {
            None => depth(place),
            Some((parent, carrier)) => depth(parent) + behind(slot, carrier),
        };
        let mut order: Vec<(usize, f32)> = self.brief.slots.iter().enumerate().map(|(place, slot)| (place, key(place, slot))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.into_iter().map(|(place, _)| place).collect()
    }

    /// Draws these slots, in this order, with all that belongs to them.
    pub(super) fn cutouts(&self, c: &mut Canvas, m: &Moment, which: &[usize]) {
        for &place in which {
            let (Some(slot), Some(pose)) = (self.brief.slots.get(place), m.poses.get(place)) else { continue };
            let effect = self.program.things.get(slot.thing).and_then(|thing| thing.effect).filter(|_| slot.rank == 0);
            let carried = slot.parent.is_some() && matches!(slot.relation, Relation::Ride | Relation::On | Relation::In | Relation::Wear);
            let zone = zone(slot, self.brief.backdrop);
            let afloat = zone == Zone::Surface && !carried;
            if zone == Zone::Ground && !carried && pose.alpha > 0.1 {
                self.shadow(c, m, place);
            }
            self.glow(c, m, place);
            if let Some(effect) = effect {
                self.effect(c, m, place, effect, true);
            }
            if afloat {
                self.reflect(c, m, place);
                let above = self.above_water(m, place);
                if let Some(path) = above {
                    c.clipped(&path, |c| self.thing(c, m, place));
                }
                self.wake(c, m, place);
            } else {
                self.thing(c, m, place);
            }
            if let Some(effect) = effect {
                self.effect(c, m, place, effect, false);
            }
            if slot.motion == Motion::Explode && m.p > 0.44 {
                let radius = pose.w * self.width * pose.scale / 2.0;
                self.burst(c, m, pose.x * self.width, (pose.y - pose.h / 2.0) * self.height, radius);
            }
        }
    }

    /// The cut-out itself, in the light of the scene.
    fn thing(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(place), self.layout.objects.get(place), m.poses.get(place))
        else {
            return;
        };
        let glows = sprites::atlas().get(slot.sprite).glows && self.light.dark;
        let haze = if self.medium == Medium::Floor { 0.0 } else { ((object.depth - 0.15) * 0.55).clamp(0.0, 0.5) };
        self.draw(c, m, place, pose, self.light.tint(glows, haze, 1.0), pose.alpha, Lay::Upright);
        self.tool(c, m, place);
    }

    /// Where it touches the ground, and where the sun throws its shape.
    fn shadow(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(place), self.layout.objects.get(place), m.poses.get(place))
        else {
            return;
        };
        if !matches!(self.medium, Medium::Ground | Medium::Floor | Medium::Deep) {
            return;
        }
        let base = if slot.motion == Motion::Launch { object.y } else { pose.y } * self.height;
        let lift = (base - (pose.y - pose.lift) * self.height).max(0.0) / self.short;
        if slot.motion == Motion::Launch && lift >= 0.3 {
            return;
        }
        let near = 1.0 / (1.0 + 3.0 * lift);
        let sunny = matches!(self.brief.hour, Hour::Day | Hour::Dawn | Hour::Sunset)
            && matches!(self.brief.weather, Weather::Clear | Weather::Wind | Weather::Blossom | Weather::Leaves | Weather::Hearts);
        if sunny && self.medium == Medium::Ground {
            let side = if self.layout.frame.sun_x > 0.5 { 1.0 } else { -1.0 };
            let long = if self.brief.hour == Hour::Day { 0.77 } else { 1.32 };
            let pose = Pose { y: base / self.height, lift: 0.0, ..*pose };
            let shade = Tint::solid(Rgb([0.08, 0.06, 0.18]));
            self.draw(c, m, place, &pose, shade, 0.20 * near * pose.alpha, Lay::Shadow(side * long));
        }
        let half = pose.w * self.width * pose.scale / 2.0;
        let (rx, ry) = (half * (1.0 + lift) * 1.15, (half * 0.20).max(3.0));
        let alpha = 0.425 * near * pose.alpha;
        c.puff(pose.x * self.width, base - 0.004 * self.short, rx, ry, Rgb([0.05, 0.04, 0.12]), alpha, Puff::default());
    }

    /// The light around what shines by itself.
    fn glow(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(pose)) = (self.brief.slots.get(place), m.poses.get(place)) else { return };
        let sprite = sprites::atlas().get(slot.sprite);
        if !sprite.glows || !(self.light.dark || matches!(sprite.name.as_str(), "campfire" | "fire" | "sun")) {
            return;
        }
        let colour = Rgb(match sprite.name.as_str() {
            "jellyfish" => [0.4, 0.7, 1.0],
            "ghost" => [0.8, 0.85, 1.0],
            "flying-saucer" => [0.6, 1.0, 0.7],
            _ => [1.0, 0.65, 0.25],
        });
        let flicker = 1.0 + 0.08 * (11.0 * m.t).sin() + 0.05 * (17.0 * m.t).sin();
        let radius = pose.w * self.width * pose.scale / 2.0 * 3.4 * flicker;
        let y = (pose.y - pose.lift - pose.h * 0.5) * self.height;
        c.puff(pose.x * self.width, y, radius, radius, colour, 0.55 * pose.alpha, Puff { add: true, firm: false });
    }

    /// A thing upside down in the water.
    pub(super) fn reflect(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(pose) = m.poses.get(place) else { return };
        let line = self.waterline(m, place);
        let below = Area { left: -9.0, top: line, right: self.width + 9.0, bottom: self.height + 9.0 };
        let tint = self.light.tint(false, 0.0, 0.8);
        c.clipped_to(below, |c| self.draw(c, m, place, pose, tint, 0.30 * pose.alpha, Lay::Mirrored(line)));
    }

    /// The air around a thing that floats, down to the waves at its hull; `None` where it has no extent.
    pub(super) fn above_water(&self, m: &Moment, place: usize) -> Option<Path> {
        let pose = m.poses.get(place)?;
        let base = self.waterline(m, place) + pose.h * self.height * 0.05;
        let (wide, high) = (pose.w * self.width * pose.scale, pose.h * self.height * pose.scale);
        let reach = wide.max(high) * 1.3 + 0.02 * self.short;
        let top = ((pose.y - pose.lift) * self.height - 2.0 * reach).min(base - reach);
        let (left, right) = (pose.x * self.width - reach, pose.x * self.width + reach);
        let wave = |x: f32| base + 0.006 * self.short * (x / self.short * 22.0 + 2.5 * m.t).sin();
        let steps = 48;
        let mut path = PathBuilder::new();
        path.move_to(left, top);
        for step in 0..=steps {
            let x = left + (right - left) * step as f32 / steps as f32;
            path.line_to(x, wave(x));
        }
        path.line_to(right, top);
        path.close();
        path.finish()
    }

    /// Water in front of a hull or a swimmer: rings of foam at the waterline, spray behind, a splash where one jumps in.
    pub(super) fn wake(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(place), self.layout.objects.get(place), m.poses.get(place))
        else {
            return;
        };
        let jumps = slot.motion == Motion::Jump;
        if jumps && pose.lift > 0.06 {
            return;
        }
        let (line, x, half, short, t) = (self.waterline(m, place), pose.x * self.width, pose.w * self.width / 2.0, self.short, m.t);
        let foam = if self.light.level > 0.5 { self.light.sky[2].mix(Rgb::WHITE, 0.6) } else { Rgb([0.55, 0.65, 0.9]) };
        let base = line + pose.h * self.height * 0.055;
        for ring in 0..3 {
            let ring = ring as f32;
            let wide = half * (1.05 + 0.16 * ring + 0.05 * (2.0 * t + ring).sin());
            let (top, bottom) = (base - 0.012 * short + ring * 0.008 * short, base + 0.012 * short + ring * 0.012 * short);
            if let Some(path) = Rect::from_ltrb(x - wide, top, x + wide, bottom).and_then(PathBuilder::from_oval) {
                c.stroke(&path, short * 0.005, &Ink::flat(foam, (0.30 - 0.07 * ring) * pose.alpha));
            }
        }
        for fleck in 0..9 {
            let way = if slot.motion.travels() {
                -object.dir
            } else if fleck % 2 == 1 {
                1.0
            } else {
                -1.0
            };
            let place = fleck as f32;
            let age = (place / 9.0 + t * 0.7).fract();
            let (fx, fy) = (x + way * half * (0.6 + age * 0.9), base + 0.006 * short * (place * 3.0).sin());
            c.puff(fx, fy, short * (0.012 + 0.02 * age), short * 0.007, foam, 0.55 * (1.0 - age) * pose.alpha, Puff::default());
        }
        if jumps && pose.lift > 0.0 && pose.lift < 0.05 {
            for drop in 0..14 {
                let (sin, cos) = (TAU * drop as f32 / 14.0).sin_cos();
                let far = (drop % 3 + 1) as f32 / 3.0;
                let high = short * 0.10 * sin.abs() * (1.0 - pose.lift / 0.05);
                c.puff(x + short * 0.16 * cos * far, line - high, short * 0.016, short * 0.016, Rgb::WHITE, 0.8, Puff::default());
            }
        }
    }

    #[expect(clippy::too_many_arguments)]
    fn draw(&self, c: &mut Canvas, m: &Moment, place: usize, pose: &Pose, tint: Tint, alpha: f32, lay: Lay) {
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

    /// How a figure stands at this moment.
    pub(super) fn stance(&self, m: &Moment, place: usize, figure: &Figure) -> Stance {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else {
            return figure.stance(Gesture::Stand, 0.0, 0.5);
        };
        let act = self.program.things.get(slot.thing).and_then(|thing| thing.act);
        let cycles = object.rate.max(0.1) * m.t + object.phase;
        let (gesture, beat) = match (act, slot.relation, slot.motion) {
            (Some(act), ..) => (gesture_of(act), 0.6 * m.t + object.phase),
            (None, Relation::Ride, _) => (Gesture::Ride, m.t + object.phase),
            (None, Relation::Play, _) | (None, _, Motion::Play) => (Gesture::Play, 2.0 * m.t),
            (.., Motion::Walk) => (Gesture::Walk, 0.5 * cycles),
            (.., Motion::Run) => (Gesture::Run, 0.5 * cycles),
            (.., Motion::Jump) => (Gesture::Jump, 0.9 * cycles),
            (.., Motion::Dance) => (Gesture::Dance, 0.5 * cycles),
            (.., Motion::Swim) => (Gesture::Swim, 1.6 * m.t + object.phase),
            (.., Motion::Fly | Motion::Hover | Motion::Rise) => (Gesture::Fly, m.t + object.phase),
            _ => (Gesture::Stand, 0.5 * m.t + object.phase),
        };
        figure.stance(gesture, beat, if slot.motion == Motion::Run { 1.0 } else { 0.6 })
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

/// What somebody does who does this.
fn gesture_of(act: Act) -> Gesture {
    match act {
        Act::Throw => Gesture::Throw,
        Act::Catch => Gesture::Catch,
        Act::Kick => Gesture::Kick,
        Act::Eat => Gesture::Eat,
        Act::Hug => Gesture::Hug,
        Act::Water => Gesture::Water,
        Act::Pour => Gesture::Pour,
        Act::Hold | Act::Paint => Gesture::Hold,
        Act::Read => Gesture::Read,
        Act::Cook => Gesture::Cook,
        Act::Cast => Gesture::Cast,
        Act::Fish => Gesture::Fish,
        Act::Sing => Gesture::Sing,
        Act::Wave => Gesture::Wave,
        Act::Sleep => Gesture::Sleep,
        Act::Sit => Gesture::Sit,
        Act::Climb => Gesture::Climb,
        Act::Fight => Gesture::Fight,
    }
}

/// How much further away than its carrier a thing lies.
fn behind(slot: &Slot, carrier: &Slot) -> f32 {
    match slot.relation {
        Relation::Ride if slot.kind == Kind::Person || slot.facing == 0 => 0.004,
        Relation::Play if carrier.metres <= 0.6 => 0.004,
        Relation::Ride | Relation::Play | Relation::In | Relation::On | Relation::Wear => -0.004,
        Relation::Front => -0.06,
        Relation::Behind => 0.06,
        Relation::Under => 0.002,
        _ => 0.0,
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
    sprite.heading.map_or(0.0, |drawn| (drawn - wanted) / 360.0 * if flip { -1.0 } else { 1.0 })
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
