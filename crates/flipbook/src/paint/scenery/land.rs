//! Open land: meadow, hills, mountains, desert, snowfield, volcano, road.

use super::plants::{Grove, Tree};
use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::codes::{Backdrop, Weather};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, Wave};

/// How far the camera passes the volcano, as a share of its way.
pub(in crate::paint) const CONE_PARALLAX: f32 = 0.08;

impl Film {
    /// Crater of the volcano: centre x and rim y, in pixels, with the camera in the middle; none where it is a cut-out.
    pub(in crate::paint) fn crater(&self) -> Option<[f32; 2]> {
        let side = if self.seed.is_multiple_of(2) { 0.36 } else { 0.64 };
        let shown = self.brief.backdrop == Backdrop::Volcano && !self.casts("volcano");
        shown.then(|| [self.width * side, self.horizon - 0.42 * self.rise()])
    }
}

impl Layers<'_> {
    /// Hills far away: `height` and `base` in units of the rise, above and below the horizon.
    pub(super) fn far_hills(&mut self, parallax: f32, haze: f32, colour: u32, [base, height]: [f32; 2]) {
        let (rise, horizon) = (self.film.rise(), self.film.horizon);
        let (base, height) = (horizon + base * rise, height * rise * (0.55 + 0.6 * self.film.layout.frame.relief));
        self.add(parallax, haze, [base - height - 4.0, horizon + 0.10 * self.film.short], |l| {
            let wave = Wave::of(&mut l.random, base, height, 1.5 * l.film.rise(), 3);
            let colour = l.soil(colour);
            l.ridge(&wave, colour);
        });
    }

    /// Hills with trees on their backs.
    pub(super) fn wooded_hills(&mut self, parallax: f32, haze: f32, colour: u32, [base, height]: [f32; 2], of: &[Tree], density: f32) {
        let (rise, horizon) = (self.film.rise(), self.film.horizon);
        let size = 0.075 * rise;
        let (base, height) = (horizon + base * rise, height * rise * (0.55 + 0.6 * self.film.layout.frame.relief));
        self.add(parallax, haze, [base - height - 1.4 * size, horizon + 0.10 * self.film.short], |l| {
            let wave = Wave::of(&mut l.random, base, height, 1.3 * l.film.rise(), 3);
            let colour = l.soil(colour);
            let sunk = wave.lowered(0.012 * rise);
            l.grove(&Grove { of, density, size, spread: 0.0 }, |x| sunk.y(x));
            l.ridge(&wave, colour);
        });
    }

    /// A row of trees at the horizon.
    pub(super) fn tree_line(&mut self, parallax: f32, haze: f32, of: &[Tree], density: f32, size: f32, drop: f32) {
        let (horizon, short) = (self.film.horizon, self.film.short);
        let (size, foot) = (size * self.film.rise().min(1.2 * short), horizon + drop * short);
        self.add(parallax, haze, [foot - 1.35 * size, horizon + 0.14 * short], |l| {
            l.grove(&Grove { of, density, size, spread: 0.02 * short }, |_| foot);
        });
    }

    pub(super) fn meadow(&mut self) {
        let density = self.film.layout.frame.density;
        self.far_hills(0.06, 0.62, 0x6fa9a0, [0.02, 0.26]);
        self.wooded_hills(0.14, 0.40, 0x74b876, [0.02, 0.17], &[Tree::Round, Tree::Fir], 3.0 * density);
        self.far_hills(0.24, 0.18, 0x7cc25f, [0.02, 0.09]);
        self.tree_line(0.32, 0.12, self.leafy(&[Tree::Round, Tree::Round, Tree::Fir]), 4.0 * density, 0.13, 0.01);
        self.hedge();
        self.floor(|l| l.grass(0x8fd65a, 0x4fae3d, true));
    }

    /// Trees of the season: in bloom when petals fall.
    pub(super) fn leafy<'t>(&self, usual: &'t [Tree]) -> &'t [Tree] {
        if self.film.brief.weather == Weather::Blossom { &[Tree::Blossom] } else { usual }
    }

    /// Bushes where the ground begins.
    pub(super) fn hedge(&mut self) {
        let (horizon, short) = (self.film.horizon, self.film.short);
        self.add(0.40, 0.10, [horizon - 0.07 * short, horizon + 0.06 * short], |l| {
            for x in l.along(5.0) {
                let size = short * l.random.within(0.018, 0.036);
                let hex = l.random.one(&[0x5aa548, 0x4c9642, 0x6bb552]);
                l.bush(x, horizon + 0.012 * short, size, hex);
            }
        });
    }

    pub(super) fn hills(&mut self) {
        let trees: &[Tree] = &[Tree::Round, Tree::Round, Tree::Fir, Tree::Poplar];
        self.far_hills(0.05, 0.70, 0x6f9fae, [0.02, 0.58]);
        self.far_hills(0.10, 0.50, 0x6ea88c, [0.02, 0.42]);
        self.wooded_hills(0.18, 0.30, 0x78b872, [0.03, 0.27], self.leafy(trees), 2.5);
        self.wooded_hills(0.30, 0.10, 0x86c95f, [0.04, 0.15], self.leafy(trees), 3.5);
        self.hedge();
        self.floor(|l| l.grass(0x9bd868, 0x58b043, true));
    }

    /// A range of peaks before the sky.
    pub(super) fn peaks(&mut self, parallax: f32, haze: f32, height: f32, colour: u32) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let (base, height) = (horizon + 0.03 * rise, height * rise * (0.62 + 0.45 * self.film.layout.frame.relief));
        self.add(parallax, haze, [base - 1.15 * height, horizon + 0.10 * short], |l| l.range(base, height, colour));
    }

    pub(super) fn mountains(&mut self) {
        self.peaks(0.04, 0.62, 0.62, 0x7f8fae);
        self.peaks(0.09, 0.30, 0.44, 0x74839f);
        self.wooded_hills(0.18, 0.30, 0x6fa873, [0.03, 0.15], &[Tree::Fir], 9.0);
        self.tree_line(0.30, 0.14, &[Tree::Fir], 6.0 + 8.0 * self.film.layout.frame.density, 0.13, 0.012);
        self.floor(|l| l.grass(0x86c46a, 0x4e9a4a, true));
    }

    pub(super) fn snowfield(&mut self) {
        self.peaks(0.04, 0.66, 0.56, 0x8fa5c6);
        self.peaks(0.09, 0.42, 0.38, 0x8097bd);
        self.drifts(0.20, 0.28, [0.02, 0.12]);
        self.tree_line(0.28, 0.30, &[Tree::Fir], 9.0 * self.film.layout.frame.density, 0.12, 0.010);
        self.drifts(0.42, 0.06, [0.035, 0.05]);
        self.floor(|l| l.snow());
    }

    pub(super) fn drifts(&mut self, parallax: f32, haze: f32, [base, height]: [f32; 2]) {
        let (rise, horizon) = (self.film.rise(), self.film.horizon);
        let (base, height) = (horizon + base * rise, height * rise);
        self.add(parallax, haze, [base - height - 4.0, horizon + 0.10 * self.film.short], |l| {
            let wave = Wave::of(&mut l.random, base, height, 0.9 * l.film.rise(), 3);
            let snow = l.tone(0xeaf3fc);
            l.ridge(&wave, snow);
        });
    }

    pub(super) fn desert(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.04, 0.58, [horizon - 0.46 * rise, horizon + 0.06 * short], |l| {
            for x in l.along(0.9) {
                let (height, half) = (rise * l.random.within(0.16, 0.36), rise * l.random.within(0.12, 0.26));
                l.mesa(x, horizon + 0.03 * short, half, height);
            }
        });
        for (parallax, haze, hex, height) in [(0.09, 0.40, 0xe0ad70, 0.30), (0.17, 0.22, 0xe8b878, 0.21), (0.28, 0.08, 0xefc483, 0.13)] {
            let relief = 0.6 + 0.6 * self.film.layout.frame.relief;
            self.add(parallax, haze, [horizon - 1.1 * height * rise * relief, horizon + 0.10 * short], |l| {
                l.dunes(horizon + 0.03 * short, height * rise * relief, hex);
            });
        }
        self.tree_line(0.40, 0.08, &[Tree::Cactus], 2.4, 0.12, 0.04);
        self.floor(|l| l.sand(0xf3cf8a, 0xe0a85c));
    }

    pub(super) fn volcano(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.04, 0.60, [horizon - 0.36 * rise, horizon + 0.08 * short], |l| l.range(horizon + 0.03 * rise, 0.28 * rise, 0x6d6570));
        if let Some([x, y]) = self.film.crater() {
            self.add(CONE_PARALLAX, 0.16, [y - 0.04 * rise, horizon + 0.10 * short], |l| l.cone(x, y));
        }
        self.add(0.28, 0.10, [horizon - 0.12 * rise, horizon + 0.10 * short], |l| {
            let wave = Wave::of(&mut l.random, horizon + 0.03 * short, 0.08 * rise, 0.8 * rise, 5);
            let colour = l.tone(0x5c4f52);
            l.ridge(&wave, colour);
        });
        let glow = (self.film.light.level < 0.8).then_some(Rgb([1.0, 0.42, 0.10]));
        self.floor(|l| l.rock(0x74625f, 0x453b3f, glow));
    }

    pub(super) fn road(&mut self) {
        let short = self.film.short;
        self.far_hills(0.06, 0.60, 0x7ba6a8, [0.02, 0.28]);
        self.wooded_hills(0.14, 0.36, 0x79b268, [0.02, 0.16], &[Tree::Round, Tree::Fir], 5.0);
        self.far_hills(0.24, 0.16, 0x8cc860, [0.02, 0.07]);
        self.tree_line(0.34, 0.12, self.leafy(&[Tree::Round, Tree::Fir, Tree::Poplar]), 4.0, 0.16, 0.012);
        self.floor(|l| l.highway());
        let foot = self.film.horizon + 0.16 * (self.film.height - self.film.horizon);
        self.add(0.72, 0.05, [foot - 0.34 * short, foot + 0.02 * short], |l| l.poles(foot));
    }
}

impl Layer<'_> {
    /// Peaks from `base` up to `height` pixels, the higher ones behind.
    pub(super) fn range(&mut self, base: f32, height: f32, colour: u32) {
        let mut peaks: Vec<[f32; 2]> = Vec::new();
        let mut x = self.a - 0.5 * height;
        while x < self.b + 0.5 * height {
            peaks.push([x, height * self.random.within(0.55, 1.08)]);
            x += height * self.random.within(0.40, 0.75);
        }
        peaks.sort_by(|one, other| other[1].total_cmp(&one[1]));
        for [x, high] in peaks {
            let half = high * self.random.within(0.75, 1.05);
            self.peak([x, base], half, high, colour);
        }
    }

    /// A mountain with a lit and a shaded face and snow on top.
    pub(super) fn peak(&mut self, [x, base]: [f32; 2], half: f32, high: f32, colour: u32) {
        const STEPS: usize = 8;
        let sun = self.film.sun_side();
        let mut outline = |to: f32, rough: f32| -> Vec<[f32; 2]> {
            (0..=STEPS)
                .map(|j| {
                    let t = j as f32 / STEPS as f32;
                    let jitter = if j == 0 || j == STEPS { 0.0 } else { self.random.within(-rough, rough) };
                    [x + to * t.powf(1.12) + jitter * half, base - high * (1.0 - t) + 0.4 * jitter * high]
                })
                .collect()
        };
        let side = sun;
        let (lit_edge, spine, dark_edge) = (outline(side * half, 0.045), outline(-side * 0.10 * half, 0.06), outline(-side * half, 0.045));
        let colour = self.tone(colour);
        let (lit, dark) = (colour.mix(self.far(self.film.light.sun), 0.24), colour.mix(self.far(Rgb([0.10, 0.13, 0.32])), 0.30));
        let foot = self.film.light.haze;
        let slope = |tone: Rgb| {
            Ink::linear([0.0, base - high], [0.0, base], &[(tone, 1.0), (tone.mix(foot, 0.18), 1.0), (tone.mix(foot, 0.55), 1.0)])
        };
        let face = |edge: &[[f32; 2]]| -> Vec<[f32; 2]> { edge.iter().chain(spine.iter().rev()).copied().collect() };
        let whole: Vec<[f32; 2]> = lit_edge.iter().chain(dark_edge.iter().rev()).copied().collect();
        Pen::default().polygon(&whole).fill(self.c, &slope(lit));
        Pen::default().polygon(&face(&dark_edge)).fill(self.c, &slope(dark));
        let white = self.far(self.film.light.lit_by(Rgb::WHITE, 1.0)).mix(self.far(self.film.light.sun), 0.10);
        let shade = white.mix(self.far(Rgb([0.45, 0.60, 0.88])), 0.42);
        let line = if self.film.light.white { 5 } else { 3 };
        for (edge, tone) in [(&lit_edge, white), (&dark_edge, shade)] {
            let Some(cap) = snow_cap(edge, &spine, line, 0.085 * high) else { continue };
            Pen::default().polygon(&cap).fill(self.c, &Ink::flat(tone, 1.0));
        }
    }

    /// Dunes with a long slope to the wind and a steep one in shade.
    pub(super) fn dunes(&mut self, base: f32, height: f32, hex: u32) {
        let sand = self.tone(hex);
        let side = self.film.sun_side();
        let (lit, shade) = (sand.mix(self.far(self.film.light.sun), 0.30), sand.mix(self.far(Rgb([0.42, 0.18, 0.20])), 0.38));
        let wave = Wave::of(&mut self.random, base, 0.35 * height, 2.4 * height, 2);
        self.ridge(&wave, sand);
        let mut dunes: Vec<[f32; 2]> = self.along(0.36 / (height / self.film.short)).into_iter().map(|x| [x, 0.0]).collect();
        for dune in &mut dunes {
            dune[1] = height * self.random.within(0.5, 1.0);
        }
        dunes.sort_by(|one, other| other[1].total_cmp(&one[1]));
        for [x, high] in dunes {
            let (long, steep) = (side * 2.3 * high, -side * 1.35 * high);
            let top = base - high;
            Pen::at(x + long, base + 2.0)
                .cubic([x + 0.55 * long, base - 0.05 * high], [x + 0.30 * long, top + 0.12 * high], x, top)
                .cubic([x + 0.35 * steep, top + 0.25 * high], [x + 0.50 * steep, base - 0.10 * high], x + steep, base + 2.0)
                .close()
                .fill(self.c, &Ink::linear([0.0, top], [0.0, base], &[(lit, 1.0), (sand, 1.0)]));
            Pen::at(x, top)
                .cubic([x + 0.35 * steep, top + 0.25 * high], [x + 0.50 * steep, base - 0.10 * high], x + steep, base + 2.0)
                .line(x - 0.10 * steep, base + 2.0)
                .cubic([x - 0.25 * steep, base - 0.30 * high], [x + 0.30 * steep, base - 0.55 * high], x, top)
                .close()
                .fill(self.c, &Ink::linear([0.0, top], [0.0, base], &[(shade, 1.0), (shade.mix(sand, 0.45), 1.0)]));
        }
        Pen::default().rect(self.a, base, self.b, self.bottom + 1.0).fill(self.c, &Ink::flat(sand, 1.0));
    }

    /// A table mountain of red rock.
    pub(super) fn mesa(&mut self, x: f32, base: f32, half: f32, height: f32) {
        let side = self.film.sun_side();
        let red = self.tone(0xc8714a);
        let (lit, dark) = (red.mix(self.far(self.film.light.sun), 0.25), red.mix(self.far(Rgb([0.25, 0.10, 0.25])), 0.35));
        let top = base - height;
        let ink = Ink::linear([x + side * half, 0.0], [x - side * half, 0.0], &[(lit, 1.0), (red, 1.0), (dark, 1.0)]);
        let notch = self.random.within(0.2, 0.5) * half;
        Pen::default()
            .polygon(&[
                [x - 1.5 * half, base],
                [x - 0.95 * half, base - 0.45 * height],
                [x - 0.85 * half, top + 0.10 * height],
                [x - 0.80 * half, top],
                [x + notch, top],
                [x + notch + 0.04 * half, top + 0.12 * height],
                [x + 0.84 * half, top + 0.12 * height],
                [x + 0.95 * half, base - 0.45 * height],
                [x + 1.5 * half, base],
            ])
            .fill(self.c, &ink);
        let bands = [0.22, 0.34, 0.42].iter().fold(Pen::default(), |pen, share| {
            pen.rect(x - 0.86 * half, top + share * height, x + 0.86 * half, top + (share + 0.025) * height)
        });
        bands.fill(self.c, &Ink::flat(dark, 0.35));
    }

    /// The volcano: two faces, a glowing rim and lava in its gullies.
    pub(super) fn cone(&mut self, x: f32, top: f32) {
        let (rise, side) = (self.film.rise(), self.film.sun_side());
        let base = self.film.horizon + 0.06 * rise;
        let (half, rim) = (0.72 * rise, 0.078 * rise);
        let rock = self.tone(0x65504f);
        let (lit, dark) = (rock.mix(self.far(self.film.light.sun), 0.20), rock.mix(Rgb([0.07, 0.04, 0.12]), 0.42));
        let outline = |way: f32| {
            let edge = |share: f32, up: f32| [x + way * share * rise, top + up * rise];
            [edge(0.14, 0.13), edge(0.26, 0.38), [x + way * half, base]]
        };
        let ([l1, l2, l3], [r1, r2, r3]) = (outline(-1.0), outline(1.0));
        let body = |lean: f32, left: bool, right: bool| {
            let mut pen = Pen::at(x + lean, top);
            pen = if left {
                pen.line(x - rim, top).cubic(l1, l2, l3[0], l3[1])
            } else {
                pen.quad([x + lean + 0.06 * rise, top + 0.3 * rise], x - lean, base)
            };
            pen = if right {
                pen.line(r3[0], r3[1]).cubic(r2, r1, x + rim, top)
            } else {
                pen.line(x + 2.0 * lean, base).quad([x - lean, top + 0.25 * rise], x + lean, top)
            };
            pen.close()
        };
        body(0.0, true, true)
            .fill(self.c, &Ink::linear([0.0, top], [0.0, base], &[(lit, 1.0), (lit.mix(self.film.light.haze, 0.35), 1.0)]));
        let shade = Ink::linear([0.0, top], [0.0, base], &[(dark, 1.0), (dark.mix(self.film.light.haze, 0.30), 1.0)]);
        body(0.012 * rise, side > 0.0, side < 0.0).fill(self.c, &shade);
        let glow = if self.film.light.level < 0.8 { 1.0 } else { 0.45 };
        for (start, end, length, width) in [(-0.052, -0.20, 0.28, 0.018), (0.012, 0.05, 0.36, 0.023), (0.055, 0.17, 0.22, 0.016)] {
            let stream = |wide: f32| {
                let (sx, ex, ey) = (x + start * rise, x + end * rise, top + length * rise);
                let w = wide * width * rise;
                let middle = [x + (start + 0.30 * (end - start)) * rise, top + 0.5 * length * rise];
                Pen::at(sx - w, top)
                    .quad([middle[0] - w, middle[1]], ex - 0.3 * w, ey)
                    .quad([ex, ey + 0.8 * w], ex + 0.3 * w, ey)
                    .quad([middle[0] + w, middle[1]], sx + w, top)
                    .close()
            };
            stream(2.3).fill(self.c, &Ink::flat(Rgb([1.0, 0.35, 0.08]), 0.22 * glow));
            let hot = Ink::linear(
                [0.0, top],
                [0.0, top + length * rise],
                &[(Rgb([1.0, 0.86, 0.40]), 1.0), (Rgb([1.0, 0.48, 0.12]), 1.0), (Rgb([0.85, 0.22, 0.10]), 1.0)],
            );
            stream(1.0).fill(self.c, &hot);
        }
        Pen::default().oval(x, top + 0.004 * rise, rim, 0.020 * rise).fill(self.c, &Ink::flat(dark.times(0.7), 1.0));
        Pen::default().oval(x, top + 0.008 * rise, 0.82 * rim, 0.013 * rise).fill(self.c, &Ink::flat(Rgb([1.0, 0.62, 0.20]), 1.0));
    }

    /// Poles and wires along a road.
    fn poles(&mut self, foot: f32) {
        let short = self.film.short;
        let (step, high) = (0.85 * short, 0.28 * short);
        let wood = self.tone(0x7a6250);
        let mut x = (self.a / step).floor() * step + 0.31 * step;
        let (mut poles, mut wires) = (Pen::default(), Pen::default());
        while x < self.b + step {
            poles = poles.rect(x - 0.006 * short, foot - high, x + 0.006 * short, foot).rect(
                x - 0.045 * short,
                foot - 0.94 * high,
                x + 0.045 * short,
                foot - 0.915 * high,
            );
            for arm in [-0.04, 0.04] {
                let (left, y) = (x - step + arm * short, foot - 0.95 * high);
                wires = wires.to(left, y).quad([left + 0.5 * step, y + 0.05 * short], left + step, y);
            }
            x += step;
        }
        wires.stroke(self.c, 0.0022 * short, &Ink::flat(wood.times(0.6), 0.7));
        poles.fill(self.c, &Ink::flat(wood, 1.0));
    }
}

/// The upper part of a face, between its edge and the spine, with a ragged lower line.
fn snow_cap(edge: &[[f32; 2]], spine: &[[f32; 2]], line: usize, rag: f32) -> Option<Vec<[f32; 2]>> {
    let (outer, inner) = (edge.get(line)?, spine.get(line)?);
    let between = |share: f32, drop: f32| [outer[0] + (inner[0] - outer[0]) * share, outer[1] + (inner[1] - outer[1]) * share + drop];
    let rim = [
        between(0.0, 0.0),
        between(0.22, 0.9 * rag),
        between(0.40, -0.3 * rag),
        between(0.62, 1.1 * rag),
        between(0.80, -0.2 * rag),
        between(1.0, 0.5 * rag),
    ];
    Some(edge.iter().take(line).chain(&rim).chain(spine.iter().take(line).rev()).copied().collect())
}
