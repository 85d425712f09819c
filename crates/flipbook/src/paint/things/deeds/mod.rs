//! The marks of what somebody does: tears, the sound of a call, clods of earth, foam, juggled balls, ropes and strings.

mod chores;
mod leaps;
mod sports;

use std::f32::consts::{PI, TAU};

use super::stamp::Stamp;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Act, Colour, Relation};
use crate::figures::PACE;
use crate::figures::{Build, Figure};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::{Pen, about, area};
use crate::scene::Slot;
use crate::sprites::{asked, atlas};

/// Who does something, in pixels.
struct Doer {
    hand: [f32; 2],
    mouth: [f32; 2],
    x: f32,
    foot: f32,
    /// Height.
    size: f32,
    /// -1 or 1: the side it faces.
    way: f32,
    /// Beats of its gesture.
    beat: f32,
    four_legged: bool,
}

impl Film {
    /// Draws the marks of what a figure does, over it.
    pub(super) fn deed(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(act) = self.act_of(place) else { return };
        let (Some(pose), Some(object)) = (m.poses.get(place), self.layout.objects.get(place)) else { return };
        let (hand, mouth) = match (self.point(m, place, Figure::hand), self.point(m, place, Figure::mouth)) {
            (Some(hand), Some(mouth)) => (hand, mouth),
            _ if matches!(act, Act::Call | Act::Feed | Act::Splash | Act::Bathe) => {
                let mouth = self.front(m, place);
                (mouth, mouth)
            }
            _ => return,
        };
        let (x, foot) = (pose.x * self.width, pose.y * self.height);
        let doer = Doer {
            hand,
            mouth,
            x,
            foot,
            size: pose.h * self.height * pose.scale,
            way: if mouth[0] < x { -1.0 } else { 1.0 },
            beat: PACE * m.t + object.phase,
            four_legged: self.cast.figure(place).is_some_and(|figure| figure.build == Build::FourLegged),
        };
        match act {
            Act::Cry => self.tears(c, m, &doer),
            Act::Call | Act::Laugh => self.voice(c, &doer, act == Act::Call),
            Act::Clap => self.claps(c, &doer),
            Act::Juggle => self.juggled(c, m, &doer, place),
            Act::Dig => self.clods(c, m, &doer),
            Act::Sweep => self.swept(c, m, &doer, place),
            Act::Blow => self.soap_bubbles(c, m, &doer),
            Act::Wash if self.handled_by(place).is_some() => self.groomed(c, m, &doer, true),
            Act::Brush | Act::Wash => self.foam(c, m, &doer, act == Act::Wash),
            Act::Water => self.watered(c, m, &doer, place),
            Act::Knit => self.knitting(c, m, &doer, place),
            Act::Hide => self.tall_grass(c, m, &doer, place),
            Act::Pull => self.rope(c, m, &doer, place),
            Act::Kick | Act::Score | Act::Dunk | Act::Skip => self.sport(c, m, &doer, place, act),
            _ => self.chore(c, m, &doer, place, act),
        }
    }

    /// The mouth of a drawing in one piece: high in front, in pixels.
    pub(super) fn front(&self, m: &Moment, place: usize) -> [f32; 2] {
        let Some(pose) = m.poses.get(place) else { return [0.0; 2] };
        let sideways = self.brief.slots.get(place).is_some_and(|slot| slot.facing != 0);
        let (ahead, up) = if sideways { (0.40, 0.74) } else { (0.0, 0.40) };
        let x = pose.x + ahead * self.way(place) * pose.w * pose.scale;
        [x * self.width, (pose.y - pose.lift - up * pose.h * pose.scale) * self.height]
    }

    fn colour(&self, hex: u32) -> Rgb {
        Rgb::hex(hex).tinted(self.light.ambient)
    }

    fn tears(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        let eye = [d.mouth[0] - 0.10 * d.way * d.size, d.mouth[1] - 0.09 * d.size];
        for j in 0..8 {
            let (age, side) = ((1.1 * m.t + j as f32 / 8.0).fract(), if j % 2 == 0 { 1.0 } else { -1.0 });
            let far = side * (0.10 + 0.16 * age) * d.size;
            let (x, y) = (eye[0] + far, eye[1] + d.size * (0.42 * age * age - 0.10 * age));
            let radius = 0.021 * d.size * (1.0 - 0.4 * age);
            let ink = Ink::flat(Rgb::hex(0x4fb4f5), (4.0 * (1.0 - age)).min(1.0));
            Pen::at(x, y - 2.0 * radius).line(x - radius, y).line(x + radius, y).close().fill(c, &ink);
            c.circle(x, y, radius, &ink);
        }
    }

    /// Arcs that leave the mouth while it is open.
    fn voice(&self, c: &mut Canvas, d: &Doer, loud: bool) {
        let u = if loud { d.beat.fract() } else { (2.0 * d.beat).fract() };
        let age = ((u - 0.02) / 0.86).clamp(0.0, 1.0);
        if age <= 0.0 || age >= 1.0 {
            return;
        }
        let [x, y] = [d.mouth[0] + 0.15 * d.way * d.size, d.mouth[1]];
        let spread = if loud { 0.85 } else { 0.6 };
        for j in 0..3 {
            let radius = d.size * (0.09 + 0.10 * j as f32 + 0.07 * age) * if loud { 1.0 } else { 0.6 };
            let shown = (8.0 * age - 0.6 * j as f32).clamp(0.0, 1.0) * (3.0 * (1.0 - age)).min(1.0);
            let at = |angle: f32, radius: f32| [x + d.way * radius * angle.cos(), y + radius * angle.sin()];
            let ([ax, ay], [bx, by]) = (at(-spread, radius), at(spread, radius));
            for (colour, width) in [(Rgb::WHITE, 0.050), (Rgb::hex(0xf07818), 0.030)] {
                let arc = Pen::at(ax, ay).quad(at(0.0, radius * (2.0 - spread.cos())), bx, by);
                arc.stroke(c, width * d.size, &Ink::flat(colour, 0.9 * shown));
            }
        }
    }

    /// Short lines around the hands where they meet.
    fn claps(&self, c: &mut Canvas, d: &Doer) {
        let met = (0.5 - 0.5 * (4.0 * TAU * d.beat).cos() - 0.55) / 0.45;
        if met > 0.0 {
            let [x, y] = [d.hand[0] + 0.04 * d.way * d.size, d.hand[1]];
            for j in 0..6 {
                let (sin, cos) = (TAU * (j as f32 + 0.5) / 6.0).sin_cos();
                let (near, far) = (d.size * (0.07 + 0.02 * met), d.size * (0.09 + 0.06 * met));
                let line = Pen::at(x + near * cos, y + near * sin).line(x + far * cos, y + far * sin);
                line.stroke(c, 0.018 * d.size, &Ink::flat(Rgb::hex(0xffb52e), met));
            }
        }
    }

    /// Three balls, or what was named, from hand to hand.
    fn juggled(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        const COLOURS: [u32; 5] = [0xe8413c, 0xf7b82e, 0x2f8fe0, 0x3fb46b, 0x9a5bd6];
        let named = (0..self.brief.slots.len()).filter(|slot| self.is_made_by(*slot, place)).collect::<Vec<_>>();
        // Of those that nobody counted there are three.
        let count = if named.is_empty() { 3 } else { named.len() };
        let [x, y] = [d.x + 0.16 * d.way * d.size, d.foot - 0.48 * d.size];
        for j in 0..count {
            let turn = (0.75 * m.t + j as f32 / count as f32).fract();
            // Up and over one way, then up and over the other.
            let (side, v) = if turn < 0.5 { (1.0, 2.0 * turn) } else { (-1.0, 2.0 * turn - 1.0) };
            let (bx, by) = (x + side * 0.19 * d.size * (2.0 * v - 1.0), y - 0.62 * d.size * 4.0 * v * (1.0 - v));
            match named.get(j % named.len().max(1)).and_then(|slot| self.brief.slots.get(*slot)) {
                Some(slot) => {
                    let size = 0.16 * d.size;
                    let stamp = Stamp { turn: (v - 0.5) * side, ..Stamp::at(bx, by + 0.5 * size, size) };
                    self.stamp(c, &atlas().get(slot.sprite).name, stamp);
                }
                None => {
                    let radius = 0.058 * d.size;
                    c.circle(bx, by, radius, &Ink::flat(self.colour(COLOURS[j % COLOURS.len()]), 1.0));
                    c.circle(bx - 0.3 * radius, by - 0.35 * radius, 0.28 * radius, &Ink::flat(Rgb::WHITE, 0.7));
                }
            }
        }
    }

    /// Whether a slot is what a juggler has in the air, a ball that is dunked, or the hole that somebody digs.
    fn is_made_by(&self, place: usize, juggler: usize) -> bool {
        let (Some(slot), Some(own)) = (self.brief.slots.get(place), self.brief.slots.get(juggler)) else { return false };
        let related = slot.parent == Some(juggler) || own.parent == Some(place);
        let hole = self.act_of(juggler) == Some(Act::Dig) && atlas().get(slot.sprite).name == "hole";
        let tossed = self.act_of(juggler) == Some(Act::Juggle) && slot.metres <= 0.8;
        let dunked = self.act_of(juggler) == Some(Act::Dunk) && atlas().get(slot.sprite).name == "basketball";
        related && (hole || tossed || dunked) && self.cast.figure(place).is_none()
    }

    pub(super) fn is_made(&self, place: usize) -> bool {
        (0..self.brief.slots.len()).any(|juggler| self.is_made_by(place, juggler) && self.cast.figure(juggler).is_some())
    }

    /// Earth flies off the spade, or from under the paws to behind.
    fn clods(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        let (start, way, rate) = if d.four_legged { (0.42 * d.way, -d.way, 1.3) } else { (0.50 * d.way, -0.6 * d.way, 0.9) };
        let (x, brown) = (d.x + start * d.size, if self.light.white { 0xe8eef5 } else { 0x7a5230 });
        c.oval(about(x - 0.1 * d.way * d.size, d.foot, 0.20 * d.size, 0.05 * d.size), &Ink::flat(self.colour(0x4a3524), 1.0));
        let heap = (0.35 + 0.65 * m.p) * 0.11 * d.size;
        c.oval(about(x + 0.05 * d.way * d.size, d.foot, 2.2 * heap, heap), &Ink::flat(self.colour(brown), 1.0));
        for j in 0..12 {
            let age = (rate * m.t + j as f32 / 12.0).fract();
            let spread = 0.7 + 0.5 * (2.7 * j as f32).sin();
            let (fx, fy) = (x + way * 0.75 * spread * age * d.size, d.foot - d.size * (1.5 * spread * age * (1.0 - age)));
            let radius = d.size * (0.014 + 0.012 * (1.9 * j as f32).cos().abs());
            c.circle(fx, fy.min(d.foot), radius, &Ink::flat(self.colour(brown), (6.0 * (1.0 - age)).min(1.0)));
        }
    }

    fn swept(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let Some(grip) = self.tool_of(place).and_then(|tool| self.grip(m, place, tool)) else { return };
        let [x, _] = grip.at(0.5, 0.0);
        for j in 0..8 {
            let age = (0.9 * m.t + j as f32 / 8.0).fract();
            let (fx, fy) =
                (x + d.way * (0.06 + 0.22 * age) * d.size, d.foot - 0.10 * d.size * (PI * age).sin() * (0.4 + 0.2 * (j % 3) as f32));
            let radius = d.size * (0.02 + 0.035 * age);
            c.puff(fx, fy, 1.3 * radius, radius, self.colour(0xd9cbb0), 0.55 * (1.0 - age), Puff::default());
        }
    }

    fn bubble(&self, c: &mut Canvas, [x, y]: [f32; 2], radius: f32, alpha: f32) {
        c.circle(x, y, radius, &Ink::flat(Rgb::hex(0xd9f1ff), 0.35 * alpha));
        Pen::default().circle(x, y, radius).stroke(c, 0.10 * radius + 0.5, &Ink::flat(Rgb::WHITE, 0.9 * alpha));
        c.circle(x - 0.35 * radius, y - 0.4 * radius, 0.2 * radius, &Ink::flat(Rgb::WHITE, alpha));
    }

    fn soap_bubbles(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        for j in 0..9 {
            let age = (0.36 * m.t + j as f32 / 9.0).fract();
            let sway = 0.05 * d.size * (4.0 * age + 2.1 * j as f32).sin();
            let x = d.hand[0] + d.way * d.size * (0.14 + 0.85 * age);
            let y = d.hand[1] - d.size * (0.10 + (0.45 + 0.25 * (1.7 * j as f32).sin()) * age) + sway;
            let radius = d.size * (0.018 + 0.055 * (3.0 * age).min(1.0) * (0.6 + 0.4 * (2.3 * j as f32).cos().abs()));
            self.bubble(c, [x, y], radius, (8.0 * (1.0 - age)).min(1.0));
        }
    }

    /// Lather at the mouth, or on a plate in the hands with bubbles that rise from it.
    fn foam(&self, c: &mut Canvas, m: &Moment, d: &Doer, plate: bool) {
        let [x, y] = if plate { [d.hand[0] + 0.05 * d.way * d.size, d.hand[1]] } else { [d.mouth[0], d.mouth[1] + 0.035 * d.size] };
        if plate {
            c.oval(about(x, y, 0.13 * d.size, 0.11 * d.size), &Ink::flat(self.colour(0xf4f6fa), 1.0));
            c.oval(about(x, y, 0.08 * d.size, 0.065 * d.size), &Ink::flat(self.colour(0xcfdbe8), 1.0));
        }
        let reach = if plate { 0.11 } else { 0.045 };
        for j in 0..7 {
            let angle = 2.4 * j as f32 + 0.6 * (3.0 * m.t + j as f32).sin();
            let at = [x + reach * d.size * angle.cos(), y + 0.7 * reach * d.size * angle.sin()];
            c.circle(at[0], at[1], 0.45 * reach * d.size * (0.7 + 0.3 * (1.3 * j as f32).cos()), &Ink::flat(Rgb::WHITE, 0.95));
        }
        for j in 0..if plate { 6 } else { 3 } {
            let age = (0.5 * m.t + j as f32 / 6.0).fract();
            let at = [x + reach * d.size * (1.5 * (2.0 * j as f32).sin() + 0.4 * (5.0 * age).sin()), y - 0.4 * age * d.size];
            self.bubble(c, at, d.size * (0.016 + 0.016 * (j % 3) as f32), 1.0 - age);
        }
    }

    /// Drops from the rose of the can down to the ground.
    fn watered(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        if self.has_a_hose(place) || d.four_legged {
            let target = self.served_by(place).and_then(|thing| m.poses.get(thing));
            let far = target.map_or(1.25, |thing| ((thing.x * self.width - d.x) * d.way / d.size).max(1.25));
            return self.jet(c, m, d, far);
        }
        let [x, y] = [d.hand[0] + 0.17 * d.way * d.size, d.hand[1] - 0.02 * d.size];
        let deep = (d.foot - y).max(0.1 * d.size);
        for j in 0..18 {
            let age = (1.5 * m.t + j as f32 / 18.0).fract();
            let fan = 0.06 + 0.05 * (j % 4) as f32;
            let (dx, dy) = (x + d.way * fan * d.size * (0.3 + age), y + deep * age * age);
            let tail = 0.075 * d.size * (0.4 + age);
            Pen::at(dx, dy).line(dx - 0.3 * d.way * tail * fan, dy - tail).stroke(
                c,
                0.022 * d.size,
                &Ink::flat(Rgb::hex(0x8fd3ff), 0.85 * (6.0 * (1.0 - age)).min(1.0)),
            );
        }
    }

    pub(super) fn has_a_hose(&self, place: usize) -> bool {
        self.cast.figure(place).is_some_and(|figure| figure.name == "firefighter")
    }

    /// An arc of water from a hose in the hand, or from a trunk, `far` heights away.
    fn jet(&self, c: &mut Canvas, m: &Moment, d: &Doer, far: f32) {
        let [x, y] = if d.four_legged { d.mouth } else { [d.hand[0] + 0.10 * d.way * d.size, d.hand[1]] };
        if !d.four_legged {
            Pen::at(d.x - 0.5 * d.way * d.size, d.foot)
                .quad([d.x - 0.1 * d.way * d.size, d.foot - 0.1 * d.size], d.hand[0], d.hand[1])
                .stroke(c, 0.045 * d.size, &Ink::flat(self.colour(0x6b7078), 1.0));
            Pen::at(d.hand[0], d.hand[1]).line(x, y - 0.03 * d.size).stroke(c, 0.055 * d.size, &Ink::flat(self.colour(0xc23a34), 1.0));
        }
        let end = [x + d.way * far * d.size, y - 0.1 * d.size];
        let top = [x + 0.5 * d.way * far * d.size, y - (0.9 + 0.5 * far) * d.size];
        for (hex, width) in [(0x8fcdf5, 0.075), (0xe3f4ff, 0.035)] {
            Pen::at(x, y).quad(top, end[0], end[1]).stroke(c, width * d.size, &Ink::flat(Rgb::hex(hex), 0.8));
        }
        for j in 0..26 {
            let age = (1.4 * m.t + j as f32 / 26.0).fract();
            let spread = (2.3 * j as f32).sin() * 0.10 * age;
            let along = |from: f32, via: f32, to: f32| from + 2.0 * age * (via - from) + age * age * (from - 2.0 * via + to);
            let (px, py) = (along(x, top[0], end[0]) + spread * d.size, along(y, top[1], end[1]) + 0.5 * spread * d.size);
            let radius = d.size * (0.022 + 0.045 * age);
            c.puff(px, py, radius, radius, Rgb::hex(0xbfe6ff), 0.85 * (3.0 * (1.0 - age)).min(1.0), Puff { add: false, firm: true });
        }
    }

    /// Tall grass before who hides in the open.
    fn tall_grass(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let behind = self.brief.slots.get(place).is_some_and(|slot| slot.parent.is_some());
        if behind || self.medium != Medium::Ground || d.size < 4.0 {
            return;
        }
        let wide = m.poses.get(place).map_or(d.size, |pose| 0.62 * pose.w * self.width * pose.scale + 0.06 * d.size);
        let tones = if self.light.white { [0xdfe9f2, 0xcddbe8] } else { [0x4f9a40, 0x62b04d] }.map(|hex| self.light.lit(Rgb::hex(hex)));
        let step = 0.035 * d.size;
        for j in 0..(2.0 * wide / step) as usize {
            let x = d.x - wide + step * (j as f32 + 0.4 * (5.1 * j as f32).sin());
            let high = d.size * (0.46 + 0.16 * (3.7 * j as f32).sin()) * (1.0 - 0.45 * ((x - d.x) / wide).powi(2));
            let sway = 0.05 * d.size * (1.4 * m.t + 0.3 * j as f32).sin();
            let foot = d.foot + 0.05 * d.size;
            let blade = Pen::at(x - 0.030 * d.size, foot).quad([x, foot - 0.6 * high], x + sway, foot - high);
            blade.quad([x + 0.03 * d.size, foot - 0.5 * high], x + 0.030 * d.size, foot).close().fill(c, &Ink::flat(tones[j % 2], 1.0));
        }
    }

    /// Two needles, and what has grown on them.
    fn knitting(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let ([x, y], click) = ([d.hand[0] + 0.05 * d.way * d.size, d.hand[1] - 0.02 * d.size], 0.03 * (14.0 * m.t).sin());
        let (wide, long) = (0.20 * d.size, (0.10 + 0.22 * m.p) * d.size);
        let colour = self.colour_of_work(place);
        let wool = colour.map_or(Rgb::hex(0xe0457b), |colour| Rgb(asked(colour))).tinted(self.light.ambient);
        let seam = wool.times(0.8);
        c.round_rect(area(x - 0.5 * wide, y, wide, long), 0.02 * d.size, &Ink::flat(wool, 1.0));
        let rows = (long / (0.035 * d.size)) as usize;
        for row in 1..rows.max(1) {
            c.rect(area(x - 0.5 * wide, y + 0.035 * d.size * row as f32, wide, 0.008 * d.size), &Ink::flat(seam, 0.8));
        }
        for side in [-1.0, 1.0] {
            let tip = [x - side * 0.07 * d.size, y - (0.10 + side * click) * d.size];
            let end = [x + side * 0.15 * d.size, y + (0.03 - side * click) * d.size];
            Pen::at(end[0], end[1]).line(tip[0], tip[1]).stroke(c, 0.013 * d.size, &Ink::flat(self.colour(0x5b6573), 1.0));
            c.circle(end[0], end[1], 0.014 * d.size, &Ink::flat(self.colour(0xf7b82e), 1.0));
        }
        let ball = [d.x + 0.42 * d.way * d.size, d.foot];
        Pen::at(x, y + long).quad([x, d.foot - 0.05 * d.size], ball[0], ball[1] - 0.1 * d.size).stroke(
            c,
            0.010 * d.size,
            &Ink::flat(wool, 1.0),
        );
        self.stamp(c, "yarn", Stamp { colour, turn: 0.02 * (3.0 * m.t).sin(), ..Stamp::at(ball[0], ball[1], 0.17 * d.size) });
    }

    /// The colour that was named of what somebody makes.
    fn colour_of_work(&self, place: usize) -> Option<Colour> {
        let is_made = |(at, slot): &(usize, &Slot)| match slot.parent {
            Some(parent) => parent == place && slot.relation != Relation::Wear,
            None => self.is_worked_on(*at),
        };
        let made = self.brief.slots.iter().enumerate().filter(is_made);
        made.filter_map(|(_, slot)| self.program.things.get(slot.thing)).find_map(|thing| thing.colour)
    }

    fn rope(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let Some(load) = self.load_of(place).and_then(|load| m.poses.get(load)) else { return };
        let from = if d.four_legged { [d.x + 0.1 * d.way * d.size, d.foot - 0.5 * d.size] } else { d.hand };
        let to = [load.x * self.width + d.way * 0.46 * load.w * self.width, (load.y - 0.30 * load.h) * self.height];
        let low = [(from[0] + to[0]) / 2.0, from[1].max(to[1]) + 0.03 * d.size];
        Pen::at(from[0], from[1]).quad(low, to[0], to[1]).stroke(c, 0.016 * d.size, &Ink::flat(self.colour(0x8a6a44), 1.0));
    }

    /// The string of what flies, from the hand of who holds it.
    pub(super) fn string(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(holder) = self.flier_of(place) else { return };
        let (Some([x, y]), Some(kite)) = (self.point(m, holder, Figure::hand), m.poses.get(place)) else { return };
        let to = [kite.x * self.width, (kite.y - kite.lift - 0.45 * kite.h) * self.height];
        let low = [(x + to[0]) / 2.0, (y + to[1]) / 2.0 + 0.10 * (x - to[0]).hypot(y - to[1])];
        Pen::at(x, y).quad(low, to[0], to[1]).stroke(c, 0.0045 * self.short, &Ink::flat(self.colour(0x4a4f5c), 0.85));
    }
}
