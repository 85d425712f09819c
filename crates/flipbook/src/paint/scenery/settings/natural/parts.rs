//! What several places in nature are built from: walls of layered rock, bare and flat-topped trees, mushrooms, crystals, mounds of
//! cloud. What stands has its foot at (x, y) and is `size` pixels high.

use std::f32::consts::TAU;

use super::Layer;
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::Pen;

impl Film {
    /// From the leftmost to the rightmost of what stands on the ground, in pixels, its way included.
    pub(super) fn span_of_things(&self) -> [f32; 2] {
        let ends = self.layout.objects.iter().filter(|object| object.y > self.layout.frame.horizon).map(|object| {
            let half = 0.5 * object.size * self.short + 0.5 * object.dx.abs() * self.width;
            [object.x * self.width - half, object.x * self.width + half]
        });
        ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([0.4 * self.width, 0.6 * self.width])
    }

    /// The side that the first thing leaves free: -1 left, 1 right.
    pub(super) fn free_side(&self) -> f32 {
        match self.layout.objects.first() {
            Some(object) if (object.x - 0.5).abs() > 0.04 => -(object.x - 0.5).signum(),
            _ if self.seed.is_multiple_of(2) => 1.0,
            _ => -1.0,
        }
    }
}

impl Layer<'_> {
    /// An outline filled from light to dark away from the sun, from `x - half` to `x + half`.
    pub(super) fn shaded(&mut self, points: &[[f32; 2]], [x, half]: [f32; 2], colour: Rgb) {
        let (lit, dark) = (colour.mix(self.far(self.film.light.sun), 0.20), colour.mix(self.far(Rgb([0.16, 0.08, 0.26])), 0.36));
        let ink = self.sidelight(x, half, lit, dark);
        Pen::default().polygon(points).fill(self.c, &ink);
    }

    /// Rock in level bands within an outline.
    pub(super) fn strata(&mut self, points: &[[f32; 2]], [x, half]: [f32; 2], [top, bottom]: [f32; 2], hexes: &[u32]) {
        let first = hexes.first().copied().unwrap_or(0xb5603c);
        let base = self.tone(first);
        self.shaded(points, [x, half], base);
        let Some(path) = Pen::default().polygon(points).path() else { return };
        let colours: Vec<Rgb> = hexes.iter().map(|hex| self.tone(*hex)).collect();
        let (mut y, mut bands) = (top, Vec::new());
        let unit = (bottom - top) / 13.0;
        while y < bottom {
            let thick = unit * self.random.within(0.45, 1.5);
            bands.push([y, thick, self.random.within(-1.0, 1.0)]);
            y += thick;
        }
        let (a, b) = (x - 1.6 * half, x + 1.6 * half);
        self.c.clipped(&path, |c| {
            for (index, [y, thick, lean]) in bands.into_iter().enumerate() {
                let Some(colour) = colours.get(index % colours.len().max(1)) else { continue };
                let lean = 0.15 * lean * thick;
                Pen::at(a, y + lean)
                    .quad([x, y - 0.3 * thick], b, y - lean)
                    .line(b, y + thick - lean)
                    .quad([x, y + 0.7 * thick], a, y + thick + lean)
                    .close()
                    .fill(c, &Ink::flat(*colour, 0.45));
            }
        });
    }

    /// A butte: steps of layered rock up to a flat top.
    pub(super) fn butte(&mut self, x: f32, base: f32, half: f32, height: f32) {
        let top = base - height;
        let step = |l: &mut Self| l.random.within(0.85, 1.1);
        let mut left = Vec::new();
        let mut right = Vec::new();
        for (wide, up) in [(1.30, 0.0), (1.10, 0.26), (0.98, 0.32), (0.90, 0.62), (0.76, 0.68), (0.70, 1.0)] {
            left.push([x - half * wide * step(self), base - height * up]);
            right.push([x + half * wide * step(self), base - height * up]);
        }
        right.reverse();
        left.extend(right);
        self.strata(&left, [x, half], [top, base], &[0xc86a42, 0xe39a68, 0xa9502f, 0xd88452, 0x8f4530]);
    }

    /// A flat-topped tree of the savanna.
    pub(super) fn acacia(&mut self, x: f32, y: f32, size: f32) {
        let (bark, leaf) = (self.tone(0x6b4c36), self.leaf(0x6f8f3c));
        let (deep, bright) = (leaf.mix(self.far(Rgb([0.10, 0.14, 0.08])), 0.45), leaf.mix(self.far(self.film.light.sun), 0.28));
        let w = 0.035 * size;
        let crown = y - 0.72 * size;
        let mut limbs = Pen::default();
        for (to, bend) in [(-0.40, -0.06), (-0.16, 0.0), (0.14, 0.02), (0.38, 0.08)] {
            limbs = limbs.to(x, y - 0.30 * size).quad([x + (0.5 * to + bend) * size, y - 0.50 * size], x + to * size, crown + 0.02 * size);
        }
        limbs.stroke(self.c, 0.9 * w, &Ink::flat(bark, 1.0));
        Pen::at(x - 1.3 * w, y)
            .quad([x - 0.5 * w, y - 0.2 * size], x - 0.6 * w, y - 0.40 * size)
            .line(x + 0.6 * w, y - 0.40 * size)
            .quad([x + 0.5 * w, y - 0.2 * size], x + 1.3 * w, y)
            .close()
            .fill(self.c, &Ink::flat(bark, 1.0));
        let pads = [(-0.36, 0.02, 0.26), (0.34, 0.0, 0.28), (0.0, -0.06, 0.36), (-0.20, -0.13, 0.24), (0.20, -0.14, 0.25)];
        let shape = |lift: f32, k: f32| {
            pads.iter().fold(Pen::default(), |pen, (dx, dy, r)| {
                pen.oval(x + dx * size, crown + (dy - lift) * size, r * size * k, 0.075 * size * k)
            })
        };
        shape(-0.012, 1.04).fill(self.c, &Ink::flat(deep, 1.0));
        shape(0.0, 1.0).fill(self.c, &Ink::flat(leaf, 1.0));
        shape(0.022, 0.72).fill(self.c, &Ink::flat(bright, 0.7));
    }

    /// A tree without leaves, its branches like fingers.
    pub(super) fn bare_tree(&mut self, x: f32, y: f32, size: f32, hex: u32) {
        let bark = self.tone(hex);
        let mut limbs = vec![([x, y], -0.25 + self.random.within(-0.02, 0.02), 0.36 * size, 0.075 * size)];
        let mut depth = 0;
        while depth < 5 {
            let mut next = Vec::new();
            for ([px, py], turn, long, thick) in limbs {
                let angle = TAU * turn;
                let bow = self.random.within(-0.16, 0.16) * long;
                let end = [px + long * angle.cos(), py + long * angle.sin()];
                let via = [(px + end[0]) / 2.0 - bow * angle.sin(), (py + end[1]) / 2.0 + bow * angle.cos()];
                Pen::at(px, py).quad(via, end[0], end[1]).stroke(self.c, thick, &Ink::flat(bark, 1.0));
                for side in [-1.0, 1.0] {
                    if depth == 0 || self.random.chance(0.9) {
                        let turn = turn + side * self.random.within(0.055, 0.13);
                        next.push((end, turn, long * self.random.within(0.60, 0.80), 0.60 * thick));
                    }
                }
            }
            limbs = next;
            depth += 1;
        }
        Pen::at(x - 0.10 * size, y)
            .quad([x - 0.03 * size, y - 0.04 * size], x - 0.035 * size, y - 0.22 * size)
            .line(x + 0.035 * size, y - 0.22 * size)
            .quad([x + 0.03 * size, y - 0.04 * size], x + 0.10 * size, y)
            .close()
            .fill(self.c, &Ink::flat(bark, 1.0));
    }

    /// A mushroom that shines.
    pub(super) fn glowing_mushroom(&mut self, x: f32, y: f32, size: f32, hex: u32) {
        let cap = Rgb::hex(hex);
        self.c.puff(x, y - 0.6 * size, 1.5 * size, 1.3 * size, cap, 0.55, Puff { add: true, firm: false });
        let (stem, pale) = (cap.mix(Rgb::WHITE, 0.72), cap.mix(Rgb::WHITE, 0.55));
        Pen::at(x - 0.13 * size, y)
            .quad([x - 0.06 * size, y - 0.3 * size], x - 0.08 * size, y - 0.55 * size)
            .line(x + 0.08 * size, y - 0.55 * size)
            .quad([x + 0.06 * size, y - 0.3 * size], x + 0.13 * size, y)
            .close()
            .fill(self.c, &Ink::linear([0.0, y - 0.55 * size], [0.0, y], &[(stem, 1.0), (stem.times(0.7), 1.0)]));
        Pen::at(x - 0.52 * size, y - 0.46 * size)
            .cubic([x - 0.50 * size, y - 1.12 * size], [x + 0.50 * size, y - 1.12 * size], x + 0.52 * size, y - 0.46 * size)
            .quad([x, y - 0.64 * size], x - 0.52 * size, y - 0.46 * size)
            .close()
            .fill(self.c, &Ink::linear([0.0, y - size], [0.0, y - 0.46 * size], &[(pale, 1.0), (cap, 1.0)]));
        Pen::default()
            .circle(x - 0.22 * size, y - 0.66 * size, 0.06 * size)
            .circle(x + 0.20 * size, y - 0.68 * size, 0.07 * size)
            .circle(x, y - 0.82 * size, 0.06 * size)
            .fill(self.c, &Ink::flat(Rgb::WHITE, 0.85));
    }

    /// A bank of cloud along a line: mounds whose tops are lit.
    pub(super) fn cloud_bank(&mut self, y: f32, size: f32, density: f32, tones: [Rgb; 2]) {
        let [light, shade] = tones;
        let (mut body, mut tops) = (Pen::default(), Pen::default());
        let side = self.film.sun_side();
        for x in self.along(density) {
            let (r, lift) = (size * self.random.within(0.55, 1.1), size * self.random.within(-0.25, 0.25));
            body = body.circle(x, y + lift, r);
            tops = tops.circle(x + side * 0.10 * r, y + lift - 0.14 * r, 0.78 * r);
        }
        let body = body.rect(self.a - 2.0, y, self.b + 2.0, self.bottom + 2.0);
        body.fill(self.c, &Ink::linear([0.0, y - size], [0.0, y + 1.6 * size], &[(light, 1.0), (shade, 1.0)]));
        tops.fill(self.c, &Ink::linear([0.0, y - size], [0.0, y + 0.6 * size], &[(light.mix(Rgb::WHITE, 0.6), 0.9), (light, 0.0)]));
    }

    /// A layer's whole lower part under a line of `points`, from left to right.
    pub(super) fn under(&mut self, points: &[[f32; 2]], ink: &Ink) {
        let mut outline = vec![[self.a - 2.0, self.bottom + 2.0]];
        outline.extend_from_slice(points);
        outline.push([self.b + 2.0, self.bottom + 2.0]);
        Pen::default().polygon(&outline).fill(self.c, ink);
    }
}
