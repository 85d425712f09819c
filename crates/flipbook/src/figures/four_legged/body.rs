//! From the data of a beast to its parts: body, neck, legs, wings, the trunk of an elephant.

use super::Beast;
use crate::figures::heads;
use crate::figures::pen::{Palette, draw, placed, related, shade};
use crate::figures::rig::Rig;
use crate::figures::skeleton::{Build, Figure, Joint, Shows};

const BODY: &str = "p M M-8 -1C-8.2 -3.4 -6 -4.1 -3.6 -3.9C-1 -3.7 1.6 -3.9 4 -4C6.8 -4.1 8.2 -2.6 8.1 -.2C8 2.2 7 3.4 5 3.4C2.6 3.3 -.4 3.6 -2.6 4C-5.6 4.4 -7.8 2.4 -8 -1z
p L M-6.7 2.2C-3.6 3 2 2 5.8 2.3C6.2 2.8 5.6 3.4 5 3.4C2.6 3.3 -.4 3.6 -2.6 4C-4.4 4.2 -5.8 3.5 -6.7 2.2z";

/// A limb that gets thinner: from `(0, 0)` to `(0, length)`, half widths `a` and `b`.
pub fn taper(colour: char, length: f32, a: f32, b: f32) -> String {
    format!(
        "p {colour} M{} 0C{} {m} {} {m} {} {length}A{b} {b} 0 0 0 {b} {length}C{} {m} {} {m} {a} 0A{a} {a} 0 0 0 {} 0z",
        -a,
        -a,
        -b,
        -b,
        b,
        a,
        -a,
        m = length * 0.5
    )
}

impl Beast {
    fn palette(&self) -> Palette {
        Palette::of(&[
            ('M', self.coat),
            ('D', shade(self.coat, 0.8)),
            ('L', self.light),
            ('l', shade(self.light, 0.88)),
            ('E', self.second),
            ('e', shade(self.second, 0.82)),
            ('A', self.mane),
            ('a', shade(self.mane, 0.8)),
            ('I', 0xf7a8a8),
            ('N', 0x3a2d33),
            ('C', 0xff9c94),
            ('K', 0x2c2730),
            ('W', 0xffffff),
            ('w', 0xf4f4f8),
            ('R', 0x8d2f3c),
            ('P', 0xff8a8a),
        ])
    }

    pub fn figure(&self) -> Figure {
        let coat = match (self.light == self.coat, related(self.second, self.coat)) {
            (true, true) => "MDLlEe",
            (true, false) => "MDLl",
            (false, true) => "MDEe",
            (false, false) => "MD",
        };
        let mut rig = Rig::new(Build::FourLegged, self.palette(), coat);
        let [length, depth] = self.body;
        let (half, deep) = (length * 0.5, depth * 0.5);
        let middle = [18.0, 16.0];
        let on = |script: &str| placed(&draw(script), middle, [half / 8.0, deep / 4.0]);
        let at = |x: f32, y: f32| [middle[0] + x * half / 8.0, middle[1] + y * deep / 4.0];
        let body = rig.add_svg(
            Joint::Root,
            None,
            middle,
            0,
            on(self.humps) + &on(self.trunk.unwrap_or(BODY)) + &on(if self.cloak { "" } else { self.marks }),
        );
        if self.cloak {
            rig.face(body, 6, Shows::Always, on(self.marks));
        }
        rig.touches(body, &[at(-3.0, 4.0), at(4.6, 3.6), at(7.6, 1.4)]);
        rig.anchors.back = Rig::anchor(body, at(0.6, -3.9));
        rig.anchors.seat = Rig::anchor(body, at(5.0, 3.2));
        if !self.tail.is_empty() {
            let root = at(7.1, -1.8);
            rig.add_svg(Joint::Tail, Some(body), root, -4, placed(&draw(self.tail), root, [1.0, 1.0]));
        }
        if self.wings {
            self.wings(&mut rig, body, at(-1.6, -2.4));
        }
        self.legs(&mut rig, body, at(-5.0, 0.9), at(4.9, 0.9), middle[1] + deep + self.leg[0]);
        let foot = at(-5.2, -0.6);
        let skull = [foot[0] + self.neck[0], foot[1] + self.neck[1]];
        let neck = self.neck(&mut rig, body, foot);
        let head = heads::add(&mut rig, self.head, neck, skull, self.skull, skull);
        if self.trunk_nose {
            self.trunk_nose(&mut rig, head, skull);
        }
        rig.finish(self.name, self.kind, self.metres)
    }

    /// Drawn upright, 10 long, then turned and stretched to where it points.
    fn neck(&self, rig: &mut Rig, body: usize, foot: [f32; 2]) -> usize {
        let [x, y] = self.neck;
        let long = (x * x + y * y).sqrt();
        let lean = x.atan2(-y);
        let [a, b] = self.girth;
        let turned = |svg: &str, k: f32| {
            let (sin, cos) = lean.sin_cos();
            format!("<g transform=\"matrix({:.4} {:.4} {:.4} {:.4} {:.3} {:.3})\">{svg}</g>", cos, sin, -sin * k, cos * k, foot[0], foot[1])
        };
        let plain = turned(&placed(&draw(&taper('M', long, a, b)), [0.0, 0.0], [1.0, -1.0]), 1.0);
        // Marks are written upwards from 0 to 10.
        let marks = turned(&placed(&draw(self.neck_marks), [0.0, 0.0], [1.0, -1.0]), long / 10.0);
        let crest = turned(&draw(self.crest), long / 10.0);
        let neck = rig.add_svg(Joint::Neck, Some(body), foot, 7, crest + &plain + &marks);
        rig.touches(neck, &[]);
        neck
    }

    fn legs(&self, rig: &mut Rig, body: usize, fore: [f32; 2], hind: [f32; 2], ground: f32) {
        let width = self.leg[1];
        let sole = if self.hoof { 0.2 * width } else { 0.3 * width };
        let aside = 0.11 * self.body[0];
        let legs = [
            (Joint::ArmFar, Joint::ForearmFar, [fore[0] - aside * 0.6, fore[1]], -10, false),
            (Joint::ThighFar, Joint::ShinFar, [hind[0] - aside, hind[1]], -10, true),
            (Joint::ThighNear, Joint::ShinNear, hind, 5, true),
            (Joint::ArmNear, Joint::ForearmNear, [fore[0] + aside * 0.3, fore[1]], 5, false),
        ];
        for (upper, lower, [x, y], order, back) in legs {
            let near = order > 0;
            let tone = |letter: char| if near { letter } else { letter.to_ascii_uppercase() };
            let coat = if near { 'M' } else { 'D' };
            let whole = ground - y - sole;
            let up = whole * 0.5;
            let down = whole - up;
            let thick = if back { 1.02 } else { 0.86 } * width;
            let upper_svg = placed(&draw(&taper(coat, up, thick, width * 0.54)), [x, y], [1.0, 1.0]);
            let upper = rig.add_svg(upper, Some(body), [x, y], order, upper_svg);
            let sock = if self.sock == 'M' { coat } else { tone(self.sock) };
            let shoe = match (self.foot, near) {
                ('M', false) => 'D',
                ('L', false) => 'l',
                ('A', false) => 'a',
                (letter, _) => letter,
            };
            let knee = [x, y + up];
            // Its round end stays above the sole.
            let end = down + sole - width * 0.44;
            let mut script = taper(coat, end, width * 0.53, width * 0.44);
            if sock != coat {
                script += &format!("\n{}", taper(sock, end, width * 0.53, width * 0.44));
            }
            let w = width;
            script += &if self.hoof {
                format!(
                    "\np {shoe} M{} {}L{} {}H{}L{} {}z",
                    -0.5 * w,
                    down - 0.5 * w,
                    -0.62 * w,
                    down + sole,
                    0.56 * w,
                    0.46 * w,
                    down - 0.5 * w
                )
            } else {
                format!(
                    "\np {shoe} M{l} {low}C{l} {h} {m} {h} {e} {h}C{r} {h} {r} {low} {r} {low}z",
                    l = -0.95 * w,
                    m = -0.7 * w,
                    e = 0.1 * w,
                    r = 0.52 * w,
                    h = down - 0.42 * w,
                    low = down + sole
                )
            };
            let lower = rig.add_svg(lower, Some(upper), knee, order - 1, placed(&draw(&script), knee, [1.0, 1.0]));
            rig.touches(lower, &[[x - 0.6 * w, ground], [x + 0.5 * w, ground]]);
            rig.touches(upper, &[[x + 0.3 * w, y + up]]);
            if near && !back {
                rig.anchors.hand = Rig::anchor(lower, [x - 0.3 * w, ground - sole]);
            }
        }
    }

    fn wings(&self, rig: &mut Rig, body: usize, root: [f32; 2]) {
        let near = "p A M-1 .6C-.4 -4.6 2.6 -9.6 8.4 -13.2C8.2 -11 8.6 -9.8 9.8 -8.8C12 -8.8 13.6 -8.2 15 -6.8C13 -6 12 -5 11.6 -3.4C9.6 -3.8 8 -3.2 7 -1.6C5.4 -2.2 3.4 -1 1.6 1.2C.8 1.8 -.6 1.6 -1 .6z;l a .9 M.2 .2C1.4 -4.8 4 -9 8.4 -13;l a .7 M1.6 -3.4C5 -5 8 -6.4 15 -6.8M1.2 -1.4C4.4 -2.6 7.6 -3.2 11.6 -3.4";
        let far = near.replace("p A", "p a").replace("l a", "l E");
        rig.add_svg(Joint::WingFar, Some(body), [root[0] - 2.4, root[1]], -12, placed(&draw(&far), [root[0] - 2.4, root[1]], [1.2, 1.28]));
        rig.add_svg(Joint::WingNear, Some(body), root, 8, placed(&draw(near), root, [1.3, 1.3]));
    }

    fn trunk_nose(&self, rig: &mut Rig, head: usize, skull: [f32; 2]) {
        let k = self.skull;
        let root = [skull[0] - 4.0 * k, skull[1] + 1.6 * k];
        let upper = taper('M', 5.4, 2.5, 1.7);
        let trunk = rig.add_svg(Joint::Trunk, Some(head), root, 11, placed(&draw(&upper), root, [1.0, 1.0]));
        let bend = [root[0], root[1] + 5.4];
        let lower = "p M M-1.7 0C-1.7 2.4 -2 3.8 -3.2 4.6C-4.2 5.2 -4.2 6.8 -2.8 6.9C.2 7 1.5 4 1.7 0A1.7 1.7 0 0 0 -1.7 0z;l D .35 M-1.5 1.2H.4;l D .35 M-1.6 2.6H.2";
        rig.add_svg(Joint::TrunkTip, Some(trunk), bend, 12, placed(&draw(lower), bend, [1.0, 1.0]));
        let tusk = "p A M-1.4 3.2C-2.4 5.6 -4.4 6.6 -6.4 5.8C-5 5.2 -3.6 4.2 -3 2.6z";
        let svg = placed(&draw(tusk), skull, [k, k]);
        rig.face(head, 11, Shows::Always, svg);
    }
}
