//! From the data of a creature to its parts: body, paws or wings, legs.

use super::{Arms, Creature};
use crate::figures::four_legged::taper;
use crate::figures::heads;
use crate::figures::pen::{Palette, draw, placed, related, shade};
use crate::figures::rig::Rig;
use crate::figures::skeleton::{Build, Figure, Joint};

impl Creature {
    fn palette(&self) -> Palette {
        Palette::of(&[
            ('M', self.coat),
            ('m', shade(self.coat, 0.93)),
            ('D', shade(self.coat, 0.84)),
            ('L', self.light),
            ('l', shade(self.light, 0.88)),
            ('E', self.second),
            ('e', shade(self.second, 0.85)),
            ('A', self.accent),
            ('a', shade(self.accent, 0.82)),
            ('I', self.inner_ear),
            ('i', shade(self.inner_ear, 0.85)),
            ('N', self.nose),
            ('n', shade(self.nose, 0.8)),
            ('C', 0xff9c94),
            ('K', 0x2c2730),
            ('W', 0xffffff),
            ('w', 0xf4f4f8),
            ('R', 0x8d2f3c),
            ('P', 0xff8a8a),
        ])
    }

    /// Whether the body lies along x: hens and ducks.
    fn lying(&self) -> bool {
        self.root[1] < 20.0
    }

    /// Half the distance of the legs.
    fn spread(&self) -> f32 {
        if self.lying() { 1.0 } else { (self.size[0] * 0.44).min(2.9) }
    }

    pub fn figure(&self) -> Figure {
        let coat = if related(self.second, self.coat) { "MmDEe" } else { "MmD" };
        let mut rig = Rig::new(Build::Upright, self.palette(), coat);
        rig.manner = self.manner;
        let [wide, high] = [self.size[0] / 5.0, self.size[1] / 6.0];
        let on = |p: [f32; 2]| [16.0 + (p[0] - 16.0) * wide, 20.0 + (p[1] - 20.0) * high];
        let body = placed(&draw(self.body), [16.0 - 16.0 * wide, 20.0 - 20.0 * high], [wide, high]);
        let hips = rig.add_svg(
            Joint::Root,
            None,
            [16.0, 22.0],
            -3,
            placed(&draw(&format!("o 16 22.8 {} 2.8 {}", self.spread() + 1.3, self.limbs[1])), [0.0; 2], [1.0; 2]),
        );
        let chest = rig.add_svg(Joint::Chest, Some(hips), [16.0, 22.4], 0, body);
        let low = on([16.0, 26.0]);
        rig.touches(chest, &[[low[0] - 1.5, low[1]], [low[0] + 1.5, low[1]], on([21.0, 20.0]), on([20.0, 15.5])]);
        rig.anchors.back = Rig::anchor(chest, if self.lying() { on([17.6, 15.2]) } else { on([18.0, 14.4]) });
        rig.anchors.seat = Rig::anchor(hips, low);
        // In the chin and in the body, whichever way the head looks.
        let neck = match (self.lying(), self.manner.paws) {
            (true, _) => [self.at[0] + 0.4, self.at[1] + 3.0],
            (_, true) => [self.at[0] + 0.2, self.at[1] + 3.2 * self.skull],
            _ => [self.at[0] + 0.2, self.at[1] + 4.0 * self.skull],
        };
        heads::add(&mut rig, self.head, chest, self.at, self.skull, neck);
        if !self.tail.is_empty() {
            let root = on(self.root);
            rig.add_svg(Joint::Tail, Some(chest), root, -8, placed(&draw(self.tail), root, [1.0, 1.0]));
        }
        match self.arms {
            Arms::Paws if self.manner.paws => self.paws(&mut rig, chest, [on([15.4, 15.2]), on([13.2, 15.2])]),
            Arms::Paws => self.paws(&mut rig, chest, [on([19.3, 17.0]), on([12.6, 17.0])]),
            Arms::Wings if self.lying() => self.folded(&mut rig, chest, on([14.6, 16.6])),
            Arms::Wings => self.wings(&mut rig, chest, [on([20.4, 16.0]), on([11.4, 16.0])]),
        }
        self.legs(&mut rig, hips, low[1]);
        rig.finish(self.name, self.kind, self.metres)
    }

    fn tone(letter: char, near: bool) -> char {
        match (letter, near) {
            ('M', false) => 'D',
            (letter, false) => letter.to_ascii_lowercase(),
            (letter, true) => letter,
        }
    }

    fn paws(&self, rig: &mut Rig, chest: usize, shoulders: [[f32; 2]; 2]) {
        let [length, half] = self.arm;
        for (near, [x, y]) in [true, false].into_iter().zip(shoulders) {
            let (arm, forearm, depth) =
                if near { (Joint::ArmNear, Joint::ForearmNear, 20) } else { (Joint::ArmFar, Joint::ForearmFar, -20) };
            let c = if near && self.limbs[0] == 'M' { 'm' } else { Self::tone(self.limbs[0], near) };
            let hand = if self.limbs[2] == 'I' || self.limbs[2] == 'L' { Self::tone(self.limbs[2], near) } else { c };
            let upper =
                rig.add_svg(arm, Some(chest), [x, y], depth, placed(&draw(&taper(c, length, half, half * 0.92)), [x, y], [1.0, 1.0]));
            let elbow = [x, y + length];
            let script = format!(
                "{}\no 0 {} {h} {h} {hand}\no {} {} {t} {t} {hand}",
                taper(c, length * 0.8, half * 0.92, half * 0.8),
                length,
                -half * 0.7,
                length - 0.35,
                h = half * 0.98,
                t = half * 0.5
            );
            let lower = rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&draw(&script), elbow, [1.0, 1.0]));
            if near {
                rig.anchors.hand = Rig::anchor(lower, [x - 0.2, y + 2.0 * length + 0.2]);
            }
        }
    }

    /// Wings that hang beside an upright body.
    fn wings(&self, rig: &mut Rig, chest: usize, shoulders: [[f32; 2]; 2]) {
        let [length, half] = self.arm;
        for (near, [x, y]) in [true, false].into_iter().zip(shoulders) {
            let (arm, depth) = if near { (Joint::ArmNear, 20) } else { (Joint::ArmFar, -20) };
            let c = if near { 'm' } else { 'E' };
            let out = if near { 1.0 } else { -1.0 };
            let script = format!(
                "p {c} M{} -1C{} -2 {} -1.4 {h} 1C{} {m} {} {n} {} {length}C{} {m} {} {k} {} -1z",
                -half * 0.8,
                -half * 0.4,
                half * 0.8,
                half * 1.1,
                half * 0.8,
                half * 0.3,
                -half * 0.6,
                -half * 1.1,
                -half * 0.8,
                h = half,
                m = length * 0.6,
                n = length * 0.86,
                k = length * 0.3
            );
            let edge = if near {
                format!("\nl D .5 M0 1.4C.4 {} .4 {} {} {}", length * 0.4, length * 0.6, half * 0.2, length * 0.8)
            } else {
                String::new()
            };
            let wing = rig.add_svg(arm, Some(chest), [x, y], depth, placed(&draw(&(script + &edge)), [x, y], [out, 1.0]));
            if near {
                rig.anchors.hand = Rig::anchor(wing, [x + 0.3 * half, y + length * 0.9]);
            }
        }
    }

    /// Wings folded along a lying body.
    fn folded(&self, rig: &mut Rig, chest: usize, [x, y]: [f32; 2]) {
        let [length, half] = self.arm;
        let script = |c: char, d: char| {
            format!(
                "p {c} M-1.4 -.4C-.6 -{half} {} -{half} {length} {}C{} {half} {} {} 1 {half}C-.8 {} -1.6 1 -1.4 -.4z;l {d} .5 M2 {}Q{} {} {} {}",
                length * 0.6,
                -half * 0.5,
                length * 0.9,
                length * 0.6,
                half * 1.2,
                half * 0.8,
                half * 0.4,
                length * 0.5,
                half * 0.6,
                length * 0.78,
                half * 0.1
            )
        };
        rig.add_svg(Joint::ArmFar, Some(chest), [x - 0.6, y], -20, placed(&draw(&script('D', 'e')), [x - 0.6, y], [1.0, 1.0]));
        let wing = rig.add_svg(Joint::ArmNear, Some(chest), [x, y], 20, placed(&draw(&script('E', 'e')), [x, y], [1.0, 1.0]));
        rig.anchors.hand = Rig::anchor(wing, [x + length * 0.8, y]);
    }

    fn legs(&self, rig: &mut Rig, hips: usize, low: f32) {
        let [length, half, foot] = self.leg;
        let spread = self.spread();
        for (near, x, depth) in [(false, 16.0 - spread, -10), (true, 16.0 + spread, -5)] {
            let (thigh, shin, step) =
                if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
            let c = Self::tone(self.limbs[1], near);
            let f = Self::tone(self.limbs[2], near);
            let hip = [x, (low - half - 0.3).min(23.4)];
            let drop = low - hip[1] + length * 0.5;
            let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw(&taper(c, drop, half * 1.15, half)), hip, [1.0, 1.0]));
            let knee = [x, hip[1] + drop];
            let (sole, high) = (0.8 + 0.2 * half, (half * 0.9).max(0.7));
            // Its round end stays above the sole.
            let end = (length * 0.6 + (sole - half * 0.9).min(0.0)).max(0.2);
            let lower = rig.add_svg(shin, Some(upper), knee, depth - 1, placed(&draw(&taper(c, end, half, half * 0.9)), knee, [1.0, 1.0]));
            let ankle = [x, knee[1] + length * 0.6];
            let back = (half * 1.0).max(0.8);
            let script = format!(
                "p {f} M{back} {sole}C{} {} {} -{high} 0 -{high}C-{} -{high} -{foot} -.2 -{foot} {}C-{foot} {sole} -{} {sole} -{} {sole}z",
                back * 1.2,
                -high * 0.4,
                back * 0.8,
                foot * 0.4,
                sole * 0.4,
                foot * 0.96,
                foot * 0.9
            );
            let part = rig.add_svg(step, Some(lower), ankle, depth - 2, placed(&draw(&script), ankle, [1.0, 1.0]));
            rig.touches(part, &[[x - foot * 0.9, ankle[1] + sole], [x + back, ankle[1] + sole]]);
            rig.touches(lower, &[[x + half, knee[1]]]);
        }
    }
}
