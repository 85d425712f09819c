//! What stands where people play: goal and hoop, ramps, swings and slides.

use crate::canvas::{Ink, Rgb};
use crate::codes::Act;
use crate::paint::scenery::Layer;
use crate::paint::shape::Pen;

impl Layer<'_> {
    /// The light of tall masts on a field, at night.
    pub(in crate::paint::scenery::settings::built) fn floodlit(&mut self) {
        if self.film.light.dark {
            let at = [self.middle(), self.down(0.35)];
            self.pool_of_light(at, 0.9 * self.film.width, 1.1 * self.ground_depth(), Rgb([0.86, 0.95, 0.82]), 0.42);
        }
    }

    pub(in crate::paint::scenery::settings::built) fn football_field(&mut self) {
        self.lawn();
        let unit = self.unit();
        let white = 0xfdfdf6;
        for line in [
            &[[-4.0, 0.10], [4.0, 0.10]][..],
            &[[-0.78, 0.10], [-0.78, 0.46], [0.78, 0.46], [0.78, 0.10]],
            &[[-0.46, 0.10], [-0.46, 0.24], [0.46, 0.24], [0.46, 0.10]],
        ] {
            self.marking(line, white);
        }
        self.circle(0.0, 1.02, 0.42, white);
        let scores = self.film.brief.slots.iter().any(|slot| slot.act == Some(Act::Score));
        if !scores && !self.film.casts("goal") {
            let [x, foot] = self.spot(0.0, 0.10);
            let half = (0.46 * unit).min(0.34 * self.film.width);
            self.goal([x, foot], half, 0.26 * unit);
        }
    }

    /// A goal seen from the front.
    pub(in crate::paint::scenery::settings::built) fn goal(&mut self, [x, foot]: [f32; 2], half: f32, high: f32) {
        let (top, back) = (foot - high, 0.78);
        let net = Ink::flat(self.tone(0xf4f7fa), 0.55);
        let mut mesh = Pen::default();
        for j in 0..=16 {
            let t = 2.0 * j as f32 / 16.0 - 1.0;
            mesh = mesh.to(x + t * half, top).line(x + t * half * back, top + 0.2 * high).line(x + t * half * back, foot - 0.06 * high);
        }
        for j in 1..8 {
            let y = top + 0.2 * high + (0.74 * high) * j as f32 / 8.0;
            mesh = mesh.to(x - half * back, y).line(x + half * back, y);
        }
        mesh.stroke(self.c, 0.010 * high, &net);
        let posts = Ink::flat(self.tone(0xffffff), 1.0);
        Pen::at(x - half, foot).line(x - half, top).line(x + half, top).line(x + half, foot).stroke(self.c, 0.07 * high, &posts);
    }

    /// A board with a ring and a net on a pole.
    pub(in crate::paint::scenery::settings::built) fn hoop(&mut self, [x, foot]: [f32; 2], high: f32) {
        let top = foot - high;
        self.bar([x, foot], [x, top], 0.055 * high, 0x5f6873);
        let (w, h) = (0.27 * high, 0.17 * high);
        self.block([x - w, top - h, x + w, top + h], 0xfafbfd);
        for (scale, hex) in [(1.0, 0x39424d), (0.42, 0xd9412f)] {
            let ink = Ink::flat(self.tone(hex), 1.0);
            let (w, low) = (scale * w, top + h * if scale < 1.0 { 0.62 } else { 1.0 });
            Pen::default().rect(x - w, low - 2.0 * scale * h, x + w, low).stroke(self.c, 0.022 * high, &ink);
        }
        let (ring, y) = (0.105 * high, top + 0.72 * h);
        let net = Ink::flat(self.tone(0xffffff), 0.95);
        let mut mesh = Pen::default();
        for j in 0..=5 {
            let t = 2.0 * j as f32 / 5.0 - 1.0;
            mesh = mesh.to(x + t * ring, y).line(x + 0.55 * t * ring, y + 0.15 * high);
        }
        mesh.stroke(self.c, 0.010 * high, &net);
        self.bar([x - ring, y], [x + ring, y], 0.028 * high, 0xe8542a);
    }

    /// A chequered line over the track.
    pub(in crate::paint::scenery::settings::built) fn chequers(&mut self, u: f32) {
        let rows = 12;
        for row in 0..rows {
            let at = |k: usize| 0.17 + 0.74 * (k as f32 / rows as f32).powf(1.15);
            for column in 0..3 {
                let wide = 0.055;
                let left = u + wide * column as f32;
                let corners = [[left, at(row)], [left + wide, at(row)], [left + wide, at(row + 1)], [left, at(row + 1)]];
                self.shape(&corners.map(|[u, v]| self.spot(u, v)), if (row + column) % 2 == 0 { 0xf8f8f8 } else { 0x23262e });
            }
        }
    }

    /// Letters that nobody can read, in bright colours.
    pub(in crate::paint::scenery::settings::built) fn graffiti(&mut self, [top, bottom]: [f32; 2]) {
        let high = bottom - top;
        for (j, x) in self.every(1.9 * high, 0.2) {
            for k in 0..3 {
                let hex = [0xf0498a, 0x2fb8d8, 0xf7c23c, 0x7fd34f, 0x9a5fe0][(j + k).rem_euclid(5) as usize];
                let (cx, r) = (x + (k as f32 - 1.0) * 0.44 * high, 0.30 * high * self.random.within(0.8, 1.1));
                let cy = top + 0.5 * high + self.random.within(-0.08, 0.08) * high;
                let ink = Ink::flat(self.tone(0x2a2438), 1.0);
                Pen::default().circle(cx, cy, 1.16 * r).fill(self.c, &ink);
                self.oval([cx, cy], r, r, hex);
                let hole = Ink::flat(self.tone(hex).mix(Rgb::WHITE, 0.6), 1.0);
                Pen::at(cx - 0.5 * r, cy + 0.4 * r).quad([cx, cy - 1.2 * r], cx + 0.5 * r, cy + 0.4 * r).stroke(self.c, 0.22 * r, &hole);
            }
        }
    }

    /// A ramp at one side of the frame.
    pub(in crate::paint::scenery::settings::built) fn quarter_pipe(&mut self, side: f32, high: f32) {
        let foot = self.down(0.22);
        let edge = self.middle() + side * (0.5 * self.film.width + 0.10 * self.film.short);
        let (toe, lip) = (edge - side * 1.9 * high, edge - side * 0.8 * high);
        let far = edge + side * 2.0 * self.film.width;
        let (face, dark) = (self.tone(0xe3c9a0), self.tone(0xa97f52));
        let ink = Ink::linear([toe, 0.0], [lip, 0.0], &[(face, 1.0), (dark, 1.0)]);
        Pen::at(toe, foot)
            .quad([lip - side * 0.05 * high, foot], lip, foot - high)
            .line(far, foot - high)
            .line(far, foot)
            .close()
            .fill(self.c, &ink);
        self.bar([lip, foot - high], [far, foot - high], 0.06 * high, 0xe8b03a);
        self.bar([lip + side * 0.3 * high, foot - high], [lip + side * 0.3 * high, foot - 1.4 * high], 0.04 * high, 0x5d6672);
        self.bar([lip + side * 0.3 * high, foot - 1.36 * high], [far, foot - 1.36 * high], 0.04 * high, 0x5d6672);
    }

    /// A little house with a slide and a ladder; the slide goes to the `way` side.
    pub(in crate::paint::scenery::settings::built) fn climbing_house(&mut self, [x, foot]: [f32; 2], high: f32, way: f32) {
        let (half, deck, eaves) = (0.22 * high, foot - 0.42 * high, foot - 0.78 * high);
        for side in [-1.0, 1.0] {
            self.bar([x + side * half, foot], [x + side * half, eaves], 0.045 * high, 0x9a6a3f);
        }
        self.block([x - half, deck - 0.14 * high, x + half, deck + 0.04 * high], 0x3fa7e0);
        self.shape(&[[x - 1.4 * half, eaves], [x, foot - 1.04 * high], [x + 1.4 * half, eaves]], 0xe8483f);
        self.snow_on(x - 0.8 * half, x + 0.8 * half, eaves - 0.06 * high);
        let (start, end) = (x + way * half, x + way * (half + 0.62 * high));
        let slide = Ink::flat(self.tone(0xf7c23c), 1.0);
        Pen::at(start, deck)
            .cubic([start + way * 0.22 * high, deck + 0.02 * high], [end - way * 0.30 * high, foot - 0.05 * high], end, foot - 0.04 * high)
            .stroke(self.c, 0.085 * high, &slide);
        let rim = Ink::flat(self.tone(0xd9972a), 1.0);
        Pen::at(start, deck - 0.05 * high)
            .cubic([start + way * 0.22 * high, deck - 0.03 * high], [end - way * 0.30 * high, foot - 0.10 * high], end, foot - 0.09 * high)
            .stroke(self.c, 0.022 * high, &rim);
        let ladder = x - way * half;
        let low = ladder - way * 0.16 * high;
        for shift in [0.0, -0.12 * high * way] {
            self.bar([low + shift, foot], [ladder + shift, deck - 0.1 * high], 0.028 * high, 0x58b857);
        }
        for j in 1..5 {
            let t = j as f32 / 5.0;
            let (lx, ly) = (low + (ladder - low) * t, foot + (deck - foot) * t);
            self.bar([lx, ly], [lx - way * 0.12 * high, ly], 0.024 * high, 0x58b857);
        }
    }

    pub(in crate::paint::scenery::settings::built) fn swings(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (half, top) = (0.62 * high, foot - high);
        for side in [-1.0, 1.0] {
            for lean in [-0.16, 0.16] {
                self.bar([x + side * half + lean * high, foot], [x + side * half, top], 0.05 * high, 0xe8483f);
            }
        }
        self.bar([x - half, top], [x + half, top], 0.06 * high, 0xe8483f);
        for (seat, hex) in [(-0.32, 0x3fa7e0), (0.26, 0xf7c23c)] {
            let (sx, sy) = (x + seat * high, foot - 0.24 * high);
            for cord in [-0.09, 0.09] {
                self.bar([sx + cord * high, top], [sx + cord * high, sy], 0.016 * high, 0x5d6672);
            }
            self.block([sx - 0.13 * high, sy, sx + 0.13 * high, sy + 0.05 * high], hex);
        }
    }

    pub(in crate::paint::scenery::settings::built) fn seesaw(&mut self, [x, foot]: [f32; 2], size: f32) {
        self.shape(&[[x - 0.12 * size, foot], [x, foot - 0.26 * size], [x + 0.12 * size, foot]], 0x9a6a3f);
        self.bar([x - 0.62 * size, foot - 0.36 * size], [x + 0.62 * size, foot - 0.12 * size], 0.07 * size, 0x58b857);
        for (dx, dy) in [(-0.5, -0.34), (0.5, -0.14)] {
            self.bar([x + dx * size, foot + dy * size], [x + dx * size, foot + (dy - 0.14) * size], 0.03 * size, 0xe8483f);
        }
    }
}
