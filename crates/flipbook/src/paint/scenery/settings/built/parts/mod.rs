//! Parts that many places made by people share: drawings put down as scenery, blocks and bars, garlands, stalls, crowds, rails,
//! fences. Lengths are in pixels unless something else is said.

mod floors;
mod houses;
mod monuments;
mod playthings;
mod street_furniture;

use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::Pen;
use crate::paint::things::Stamp;

pub(super) use houses::{Roof, Terrace};

pub(super) const LAMPLIGHT: Rgb = Rgb([1.0, 0.82, 0.42]);
pub(super) const FLAGS: [u32; 5] = [0xe8483f, 0xf7c23c, 0x3fa7e0, 0x58b857, 0xf07fb0];
const SHIRTS: [u32; 6] = [0xe0574f, 0x4f8fd0, 0xf0c04a, 0x5fae6a, 0xf3f0e8, 0x8a63c0];
const SKINS: [u32; 3] = [0xf2c9a4, 0xc98f63, 0x8a5a3c];

impl Layers<'_> {
    /// The unit of what stands at the horizon: higher in tall frames, and no wider than they are.
    pub(in crate::paint::scenery::settings::built) fn unit(&self) -> f32 {
        self.film.rise().min(1.2 * self.film.short)
    }

    /// A layer behind the ground, from `up` units above the horizon.
    pub(in crate::paint::scenery::settings::built) fn behind(
        &mut self,
        parallax: f32,
        haze: f32,
        up: f32,
        draw: impl FnOnce(&mut Layer<'_>),
    ) {
        let top = self.film.horizon - up * self.unit();
        self.add(parallax, haze, [top, self.film.horizon + 0.08 * self.film.short], draw);
    }

    /// The ground and what stands on it, from `up` units above the horizon.
    pub(in crate::paint::scenery::settings::built) fn grounds(&mut self, up: f32, draw: impl FnOnce(&mut Layer<'_>)) {
        let top = self.film.horizon - up * self.unit();
        self.add(0.72, 0.0, [top, self.film.height + crate::paint::shape::BLEED], draw);
    }

    /// What hides the sky: a wall or a vault from the upper edge to below the horizon.
    pub(in crate::paint::scenery::settings::built) fn enclosing(&mut self, draw: impl FnOnce(&mut Layer<'_>)) {
        self.add(0.45, 0.0, [-9.0, self.film.horizon + 0.08 * self.film.short], draw);
    }
}

impl Layer<'_> {
    pub(in crate::paint::scenery::settings::built) fn unit(&self) -> f32 {
        self.film.rise().min(1.2 * self.film.short)
    }

    /// A height above the horizon: `share` units, or as much as the frame shows.
    pub(in crate::paint::scenery::settings::built) fn fit(&self, share: f32) -> f32 {
        (share * self.unit()).min(0.92 * self.film.horizon)
    }

    pub(in crate::paint::scenery::settings::built) fn middle(&self) -> f32 {
        0.5 * self.film.width
    }

    /// -1 or 1: the side of the frame where this seed puts what stands at one side.
    pub(in crate::paint::scenery::settings::built) fn side(&self) -> f32 {
        if self.film.seed.is_multiple_of(2) { -1.0 } else { 1.0 }
    }

    /// A place at the side of the frame, `share` of half its width from the middle.
    pub(in crate::paint::scenery::settings::built) fn aside(&self, share: f32) -> f32 {
        self.middle() + 0.5 * self.side() * share * self.film.width
    }

    /// Lamps are lit.
    pub(in crate::paint::scenery::settings::built) fn lit_up(&self) -> bool {
        self.film.light.level < 0.8
    }

    /// A point of the ground: `u` short sides from the middle, `v` from the horizon (0) to the lower edge (1).
    pub(in crate::paint::scenery::settings::built) fn spot(&self, u: f32, v: f32) -> [f32; 2] {
        [self.middle() + u * self.film.short * (0.58 + 0.42 * v), self.down(v)]
    }

    /// Places `step` apart over the whole layer, the same for each camera.
    pub(in crate::paint::scenery::settings::built) fn every(&self, step: f32, shift: f32) -> Vec<(i32, f32)> {
        let first = ((self.a - self.middle()) / step - shift).floor() as i32;
        let last = ((self.b - self.middle()) / step - shift).ceil() as i32;
        (first..=last).map(|j| (j, self.middle() + (j as f32 + shift) * step)).collect()
    }

    /// A drawing that stands at (x, y), unless the scene has one of that name as a thing.
    pub(in crate::paint::scenery::settings::built) fn put(&mut self, name: &str, [x, y]: [f32; 2], size: f32) {
        if !self.film.casts(name) {
            let film = self.film;
            film.stamp(self.c, name, Stamp { haze: 0.9 * self.haze, ..Stamp::at(x, y, size) });
        }
    }

    pub(in crate::paint::scenery::settings::built) fn put_turned(&mut self, name: &str, [x, y]: [f32; 2], size: f32) {
        if !self.film.casts(name) {
            let film = self.film;
            film.stamp(self.c, name, Stamp { haze: 0.9 * self.haze, flip: true, ..Stamp::at(x, y, size) });
        }
    }

    /// An upright block: left, top, right, bottom.
    pub(in crate::paint::scenery::settings::built) fn block(&mut self, [left, top, right, bottom]: [f32; 4], hex: u32) {
        let colour = self.tone(hex);
        let ink = Ink::linear([0.0, top], [0.0, bottom], &[(colour.mix(Rgb::WHITE, 0.10), 1.0), (colour.times(0.90), 1.0)]);
        Pen::default().rect(left, top, right, bottom).fill(self.c, &ink);
    }

    /// A flat shape of one colour.
    pub(in crate::paint::scenery::settings::built) fn shape(&mut self, points: &[[f32; 2]], hex: u32) {
        let ink = Ink::flat(self.tone(hex), 1.0);
        Pen::default().polygon(points).fill(self.c, &ink);
    }

    /// A straight bar, pole or line.
    pub(in crate::paint::scenery::settings::built) fn bar(&mut self, from: [f32; 2], to: [f32; 2], width: f32, hex: u32) {
        let ink = Ink::flat(self.tone(hex), 1.0);
        Pen::at(from[0], from[1]).line(to[0], to[1]).stroke(self.c, width, &ink);
    }

    pub(in crate::paint::scenery::settings::built) fn oval(&mut self, [x, y]: [f32; 2], rx: f32, ry: f32, hex: u32) {
        let ink = Ink::flat(self.tone(hex), 1.0);
        Pen::default().oval(x, y, rx, ry).fill(self.c, &ink);
    }

    /// A lamp that shines where it is dark.
    pub(in crate::paint::scenery::settings::built) fn bulb(&mut self, [x, y]: [f32; 2], radius: f32, hex: u32) {
        let lit = self.lit_up();
        let colour = if lit { Rgb::hex(hex).mix(Rgb::WHITE, 0.45) } else { self.tone(hex) };
        Pen::default().circle(x, y, radius).fill(self.c, &Ink::flat(colour, 1.0));
        if lit {
            self.glow(x, y, 5.0 * radius, Rgb::hex(hex), 0.35);
        }
    }

    /// Snow on a flat top.
    pub(in crate::paint::scenery::settings::built) fn snow_on(&mut self, left: f32, right: f32, y: f32) {
        if self.film.light.white {
            let (snow, high) = (self.far(self.film.light.lit(Rgb::WHITE)), 0.011 * self.film.short);
            let ink = Ink::flat(snow, 1.0);
            self.c.round_rect(crate::paint::shape::area(left, y - high, right - left, 1.7 * high), 0.8 * high, &ink);
        }
    }

    /// A pane or an opening: dark by day, with a light in it at night.
    pub(in crate::paint::scenery::settings::built) fn pane(&mut self, [left, top, right, bottom]: [f32; 4]) {
        let lights = self.film.lights_on();
        let lit = lights > 0.0 && self.random.chance(0.35 + lights);
        let colour = if lit { LAMPLIGHT } else { self.far(self.film.light.lit(Rgb::hex(0x7fa9c4))) };
        let ink = Ink::linear([0.0, top], [0.0, bottom], &[(colour.mix(Rgb::WHITE, 0.25), 1.0), (colour, 1.0)]);
        Pen::default().rect(left, top, right, bottom).fill(self.c, &ink);
    }

    /// Cords across the layer with flags or lamps on them; `step` from post to post.
    pub(in crate::paint::scenery::settings::built) fn garlands(&mut self, y: f32, step: f32, sag: f32, lamps: bool) {
        let (short, wire) = (self.film.short, self.tone(0x5a5560));
        for (j, x) in self.every(step, 0.0) {
            let lift = if j % 2 == 0 { 0.0 } else { 0.35 * sag };
            let point = |t: f32| [x + step * t, y + 4.0 * sag * t * (1.0 - t) + lift * (1.0 - 2.0 * t)];
            let line: Vec<[f32; 2]> = (0..=10).map(|k| point(k as f32 / 10.0)).collect();
            Pen::default().line_through(&line).stroke(self.c, 0.0035 * short, &Ink::flat(wire, 1.0));
            let count = (step / (0.055 * short)).max(3.0) as usize;
            for k in 0..count {
                let [px, py] = point((k as f32 + 0.5) / count as f32);
                let hex = FLAGS[(k + j.unsigned_abs() as usize) % FLAGS.len()];
                if lamps {
                    self.bulb(
                        [px, py + 0.010 * short],
                        0.009 * short,
                        if self.lit_up() { [0xffd36a, 0xff9f5a, 0xfff0b0][k % 3] } else { hex },
                    );
                } else {
                    let w = 0.016 * short;
                    self.shape(&[[px - w, py], [px + w, py], [px, py + 2.4 * w]], hex);
                }
            }
        }
    }

    /// A market stall: posts, a striped awning, a counter with goods on it.
    pub(in crate::paint::scenery::settings::built) fn stall(&mut self, [x, foot]: [f32; 2], size: f32, hex: u32, goods: &[&str]) {
        let (half, top) = (0.62 * size, foot - size);
        for side in [-1.0, 1.0] {
            self.block([x + side * 0.9 * half - 0.02 * size, top + 0.1 * size, x + side * 0.9 * half + 0.02 * size, foot], 0x8a6244);
        }
        self.block([x - 0.9 * half, top + 0.28 * size, x + 0.9 * half, foot - 0.4 * size], if self.lit_up() { 0xc9905a } else { 0x6f5a58 });
        if self.lit_up() {
            self.glow(x, top + 0.45 * size, 0.7 * size, LAMPLIGHT, 0.45);
        }
        let count = 4;
        for j in 0..count {
            let name = goods[(j + self.random.below(goods.len())) % goods.len()];
            let gx = x + half * 0.9 * (2.0 * (j as f32 + 0.5) / count as f32 - 1.0);
            self.put(name, [gx - 0.05 * size, foot - 0.36 * size], 0.18 * size);
            self.put(name, [gx + 0.06 * size, foot - 0.36 * size], 0.20 * size);
        }
        self.block([x - half, foot - 0.38 * size, x + half, foot], 0xb5824f);
        self.block([x - half, foot - 0.40 * size, x + half, foot - 0.35 * size], 0xd9a66a);
        for j in 0..6 {
            let bx = x - half + 2.0 * half * (j as f32 + 0.5) / 6.0;
            self.bar([bx, foot - 0.33 * size], [bx, foot], 0.01 * size, 0x8f6239);
        }
        let stripes = 8;
        for j in 0..stripes {
            let at = |k: usize, flare: f32| x + flare * half * (2.0 * k as f32 / stripes as f32 - 1.0);
            let colour = if j % 2 == 0 { hex } else { 0xfaf5ea };
            let low = top + 0.30 * size;
            self.shape(&[[at(j, 0.92), top], [at(j + 1, 0.92), top], [at(j + 1, 1.14), low], [at(j, 1.14), low]], colour);
            let r = 0.5 * (at(1, 1.14) - at(0, 1.14));
            self.oval([at(j, 1.14) + r, low], r, 0.045 * size, colour);
        }
        self.snow_on(x - half, x + half, top);
    }

    /// People in rows, far ones above.
    pub(in crate::paint::scenery::settings::built) fn crowd(&mut self, [top, bottom]: [f32; 2], rows: usize) {
        let step = (bottom - top) / rows as f32;
        for row in 0..rows {
            let y = top + step * (row as f32 + 0.6);
            let mut shirts: [Pen; SHIRTS.len()] = std::array::from_fn(|_| Pen::default());
            let mut heads: [Pen; SKINS.len()] = std::array::from_fn(|_| Pen::default());
            for (_, x) in self.every(0.85 * step, 0.5 * (row % 2) as f32) {
                if self.random.chance(0.08) {
                    continue;
                }
                let (x, y) = (x + self.random.within(-0.12, 0.12) * step, y + self.random.within(-0.1, 0.1) * step);
                let (shirt, skin) = (self.random.below(SHIRTS.len()), self.random.below(SKINS.len()));
                shirts[shirt] = std::mem::take(&mut shirts[shirt]).oval(x, y + 0.62 * step, 0.36 * step, 0.5 * step);
                heads[skin] = std::mem::take(&mut heads[skin]).circle(x, y, 0.23 * step);
            }
            for (pen, hex) in shirts.into_iter().zip(SHIRTS).chain(heads.into_iter().zip(SKINS)) {
                let ink = Ink::flat(self.tone(hex), 1.0);
                pen.fill(self.c, &ink);
            }
        }
    }

    /// A fence of wire between posts.
    pub(in crate::paint::scenery::settings::built) fn wire_fence(&mut self, foot: f32, high: f32, hex: u32) {
        let ink = Ink::flat(self.tone(hex), 0.45);
        let mut mesh = Pen::default();
        for (_, x) in self.every(0.22 * high, 0.0) {
            mesh = mesh.to(x, foot).line(x + high, foot - high).to(x, foot).line(x - high, foot - high);
        }
        mesh.stroke(self.c, 0.010 * high, &ink);
        for (_, x) in self.every(1.1 * high, 0.5) {
            self.bar([x, foot], [x, foot - 1.04 * high], 0.05 * high, hex);
        }
        for y in [foot - high, foot - 0.04 * high] {
            self.bar([self.a, y], [self.b, y], 0.03 * high, hex);
        }
    }

    /// A row of upright bars with two rails: iron railings, a picket fence, a parapet of bars.
    pub(in crate::paint::scenery::settings::built) fn railing(&mut self, foot: f32, high: f32, step: f32, hex: u32) {
        let ink = Ink::flat(self.tone(hex), 1.0);
        let mut bars = Pen::default().rect(self.a, foot - 0.95 * high, self.b, foot - 0.84 * high).rect(
            self.a,
            foot - 0.2 * high,
            self.b,
            foot - 0.12 * high,
        );
        for (_, x) in self.every(step, 0.5) {
            let w = 0.13 * step;
            bars = bars.polygon(&[
                [x - w, foot],
                [x - w, foot - 0.97 * high],
                [x, foot - 1.08 * high],
                [x + w, foot - 0.97 * high],
                [x + w, foot],
            ]);
        }
        bars.fill(self.c, &ink);
        self.snow_on(self.a, self.b, foot - 0.95 * high);
    }

    /// Boards side by side: a wooden fence.
    pub(in crate::paint::scenery::settings::built) fn board_fence(&mut self, foot: f32, high: f32, hex: u32) {
        self.block([self.a, foot - 0.8 * high, self.b, foot - 0.1 * high], hex);
        let wide = 0.28 * high;
        for (j, x) in self.every(wide, 0.0) {
            let shade = if j % 3 == 0 { 0.94 } else { 1.0 };
            let colour = self.tone(hex).times(shade);
            let ink = Ink::linear([0.0, foot - high], [0.0, foot], &[(colour.mix(Rgb::WHITE, 0.12), 1.0), (colour.times(0.86), 1.0)]);
            let (left, right) = (x + 0.04 * wide, x + 0.96 * wide);
            Pen::default()
                .polygon(&[
                    [left, foot],
                    [left, foot - 0.94 * high],
                    [x + 0.5 * wide, foot - 1.06 * high],
                    [right, foot - 0.94 * high],
                    [right, foot],
                ])
                .fill(self.c, &ink);
        }
        self.snow_on(self.a, self.b, foot - 0.98 * high);
    }

    /// A tall mast with a row of floodlights.
    pub(in crate::paint::scenery::settings::built) fn floodlight(&mut self, [x, foot]: [f32; 2], high: f32) {
        self.bar([x, foot], [x, foot - high], 0.03 * high, 0x8f98a3);
        let (w, top) = (0.16 * high, foot - high);
        self.block([x - w, top - 0.07 * high, x + w, top + 0.07 * high], 0x5d6672);
        for j in 0..8 {
            let px = x - w + 2.0 * w * ((j % 4) as f32 + 0.5) / 4.0;
            self.bulb([px, top + if j < 4 { -0.033 } else { 0.033 } * high], 0.024 * high, 0xfff6d8);
        }
    }

    /// A sign on a post.
    pub(in crate::paint::scenery::settings::built) fn signpost(&mut self, [x, foot]: [f32; 2], high: f32, hex: u32) -> [f32; 3] {
        self.bar([x, foot], [x, foot - high], 0.05 * high, 0x7d858f);
        let (half, y) = (0.24 * high, foot - 0.82 * high);
        let ink = Ink::flat(self.tone(hex), 1.0);
        self.c.round_rect(crate::paint::shape::area(x - half, y - half, 2.0 * half, 2.0 * half), 0.2 * half, &ink);
        [x, y, half]
    }

    /// A letter P, in white, about (x, y).
    pub(in crate::paint::scenery::settings::built) fn letter_p(&mut self, [x, y, half]: [f32; 3]) {
        let ink = Ink::flat(self.tone(0xffffff), 1.0);
        Pen::at(x - 0.35 * half, y + 0.62 * half)
            .line(x - 0.35 * half, y - 0.55 * half)
            .line(x + 0.05 * half, y - 0.55 * half)
            .cubic([x + 0.6 * half, y - 0.55 * half], [x + 0.6 * half, y + 0.12 * half], x + 0.05 * half, y + 0.12 * half)
            .line(x - 0.35 * half, y + 0.12 * half)
            .stroke(self.c, 0.24 * half, &ink);
    }

    /// A light shaft from above.
    pub(in crate::paint::scenery::settings::built) fn beam(&mut self, from: [f32; 2], to: [f32; 2], half: f32, colour: Rgb, alpha: f32) {
        let points = [[from[0] - 0.08 * half, from[1]], [from[0] + 0.08 * half, from[1]], [to[0] + half, to[1]], [to[0] - half, to[1]]];
        Pen::default().polygon(&points).fill(self.c, &Ink::linear(from, to, &[(colour, alpha), (colour, 0.12 * alpha)]).adding());
    }

    /// A pool of light on the ground.
    pub(in crate::paint::scenery::settings::built) fn pool_of_light(
        &mut self,
        [x, y]: [f32; 2],
        rx: f32,
        ry: f32,
        colour: Rgb,
        alpha: f32,
    ) {
        self.c.puff(x, y, rx, ry, colour, alpha, Puff { add: true, firm: false });
    }
}
