//! Animals on two legs, birds, the robot and the alien: a head on a rounded body, arms or wings, short legs, a tail.

use super::four_legged::taper;
use super::heads::{self, Head};
use super::pen::{Palette, draw, placed, related, shade};
use super::rig::Rig;
use super::skeleton::{Build, Figure, Joint, Manner, Shows};
use crate::codes::Kind;

/// What is on the shoulders' sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arms {
    Paws,
    Wings,
}

#[derive(Clone, Copy, Debug)]
pub struct Creature {
    pub name: &'static str,
    pub kind: Kind,
    pub metres: f32,
    /// Coat, light parts, second colour, feet and beaks.
    pub coat: u32,
    pub light: u32,
    pub second: u32,
    pub accent: u32,
    pub nose: u32,
    pub inner_ear: u32,
    pub head: &'static Head,
    pub skull: f32,
    /// Middle of the skull.
    pub at: [f32; 2],
    /// About (16, 20), 10 wide and 12 high.
    pub body: &'static str,
    /// Half width and half height of the body, 5 and 6 as drawn.
    pub size: [f32; 2],
    /// Letter of arms, of legs and of feet.
    pub limbs: [char; 3],
    pub arms: Arms,
    /// Length of upper and lower arm, half width.
    pub arm: [f32; 2],
    /// Length of thigh and shin, half width, length of the foot.
    pub leg: [f32; 3],
    /// About its root behind the hips.
    pub tail: &'static str,
    pub root: [f32; 2],
    pub manner: Manner,
}

const EGG: &str = "p M M16 13.2C19 13.2 20.6 16.4 21 20C21.4 23.8 19.6 26 16 26C12.4 26 10.6 23.8 11 20C11.4 16.4 13 13.2 16 13.2z;p L M15.2 15.6C17.4 15.6 18.6 18 18.8 20.6C19 23.4 17.4 25 15 25C12.6 25 11.2 23.4 11.4 20.6C11.6 18 13 15.6 15.2 15.6z";

const PLUSH: Creature = Creature {
    name: "",
    kind: Kind::Animal,
    metres: 0.6,
    coat: 0x9aa0ac,
    light: 0xf2f2f5,
    second: 0x3b3b46,
    accent: 0xffa033,
    nose: 0x3a2d33,
    inner_ear: 0xf7a8b4,
    head: &heads::BEAR,
    skull: 1.14,
    at: [16.0, 9.4],
    body: EGG,
    size: [5.6, 6.0],
    limbs: ['M', 'M', 'M'],
    arms: Arms::Paws,
    arm: [2.9, 1.45],
    leg: [2.6, 1.8, 4.0],
    tail: "",
    root: [19.6, 23.2],
    manner: Manner { level: false, hops: false, glides: false, wings: false, fin: false, paws: false },
};

const BIRD: Manner = Manner { level: true, wings: true, ..PLUSH.manner };

pub const CREATURES: &[Creature] = &[
    Creature {
        name: "panda-figure",
        metres: 1.2,
        coat: 0xfafafc,
        light: 0xfafafc,
        second: 0x34343f,
        inner_ear: 0x34343f,
        head: &heads::PANDA,
        skull: 1.16,
        body: "p M M16 13.2C19.2 13.2 21 16.4 21.2 20C21.4 23.8 19.6 26.2 16 26.2C12.4 26.2 10.6 23.8 10.8 20C11 16.4 12.8 13.2 16 13.2z;p E M16 13.2C18.8 13.2 20.4 15.4 21 18C18 19.4 13.6 19.4 11 18C11.6 15.4 13.2 13.2 16 13.2z",
        size: [6.3, 6.0],
        limbs: ['E', 'E', 'E'],
        arm: [2.9, 1.7],
        leg: [2.4, 2.2, 4.4],
        tail: "o .8 0 1.4 1.3 M",
        ..PLUSH
    },
    Creature {
        name: "koala-figure",
        metres: 0.7,
        coat: 0xa3abba,
        light: 0xf0f2f6,
        second: 0x6f7888,
        inner_ear: 0xf5c6cf,
        nose: 0x3d4150,
        head: &heads::KOALA,
        skull: 1.14,
        size: [5.7, 6.0],
        arm: [2.9, 1.55],
        leg: [2.2, 2.0, 4.0],
        ..PLUSH
    },
    Creature {
        name: "rabbit-figure",
        metres: 0.4,
        coat: 0xe9e3dc,
        light: 0xffffff,
        second: 0xc4b8ac,
        nose: 0xef7f92,
        head: &heads::RABBIT,
        skull: 1.12,
        size: [5.2, 6.0],
        leg: [2.4, 1.9, 5.0],
        tail: "o 1 .4 1.8 1.7 W",
        manner: Manner { hops: true, ..PLUSH.manner },
        ..PLUSH
    },
    Creature {
        name: "mouse-figure",
        metres: 0.12,
        coat: 0xaab0bd,
        light: 0xeceef3,
        second: 0x7d8494,
        nose: 0xf08a9c,
        head: &heads::MOUSE,
        skull: 1.16,
        size: [4.9, 5.8],
        arm: [2.6, 1.2],
        leg: [2.2, 1.5, 3.6],
        limbs: ['M', 'M', 'I'],
        tail: "l I .9 M0 0C3 .6 5.6 1.4 6.4 -.8C7 -2.6 8.6 -3.4 9.8 -2.6",
        ..PLUSH
    },
    Creature {
        name: "hamster-figure",
        metres: 0.14,
        coat: 0xeeb062,
        light: 0xfff4e2,
        second: 0xc9853a,
        nose: 0xe87f86,
        head: &heads::HAMSTER,
        skull: 1.16,
        at: [16.0, 10.4],
        body: "p M M16 13C20 13 22 16.6 22.2 20.4C22.2 24 20 26.2 16 26.2C12 26.2 9.8 24 9.8 20.4C10 16.6 12 13 16 13z;p L M15 15.4C18 15.4 19.6 18 19.6 20.8C19.6 23.6 17.8 25.2 15 25.2C12.2 25.2 10.6 23.6 10.6 20.8C10.6 18 12.4 15.4 15 15.4z",
        size: [5.6, 5.6],
        arm: [2.1, 1.2],
        leg: [1.5, 1.5, 3.4],
        limbs: ['M', 'M', 'I'],
        tail: "o .8 .2 1 .9 I",
        ..PLUSH
    },
    Creature {
        name: "squirrel-figure",
        metres: 0.25,
        coat: 0xc9703a,
        light: 0xfbe3c4,
        second: 0x9c4f24,
        nose: 0x4a2d26,
        head: &heads::SQUIRREL,
        skull: 1.06,
        size: [4.8, 6.0],
        arm: [2.6, 1.2],
        leg: [2.2, 1.7, 4.0],
        tail: "p M M-1.2 .6C1 2.4 4.4 2 6 -.4C7.6 -3 6.2 -5.4 5.6 -7.6C5.2 -9.4 6.4 -10.6 7.8 -9.8C8.8 -9.2 8.4 -8 7.6 -8C9 -6.8 10.8 -8 10.6 -10.6C10.4 -13.4 7.6 -15 4.8 -14.2C1.6 -13.2 .4 -10 1 -6.8C1.4 -4.4 1.6 -2.4 -.8 -1.4z;p D M1.6 .8C3.6 .4 5 -1 5 -3.2C4.8 -5.4 3 -7.4 3.2 -10C3.4 -11.6 4.4 -12.8 6 -13.2C3.4 -13.2 1.8 -10.8 2.2 -7.6C2.6 -4.8 3.8 -1.6 1.6 .8z",
        root: [19.2, 23.6],
        manner: Manner { level: true, ..PLUSH.manner },
        ..PLUSH
    },
    Creature {
        name: "monkey-figure",
        metres: 0.8,
        coat: 0x8b5a3c,
        light: 0xf3cfa2,
        second: 0x6b4029,
        nose: 0x4a2d26,
        head: &heads::MONKEY,
        skull: 1.1,
        size: [4.6, 5.8],
        arm: [3.9, 1.2],
        leg: [3.0, 1.4, 3.8],
        limbs: ['M', 'M', 'L'],
        tail: "l M 1.3 M0 0C3 1.8 6 1 6.4 -1.8C6.8 -4.4 4.8 -6 5.8 -8C6.6 -9.6 9 -9.2 8.8 -7.4C8.7 -6.4 7.6 -6.2 7.3 -7",
        ..PLUSH
    },
    Creature {
        name: "kangaroo-figure",
        metres: 1.5,
        coat: 0xc98a55,
        light: 0xf6dcb8,
        second: 0x96602f,
        nose: 0x3f2b28,
        head: &heads::KANGAROO,
        skull: 0.94,
        at: [13.4, 7.4],
        body: "p M M13.8 9C15.8 8.8 16.8 12 17.8 14.4C19.6 17.2 21.8 19.4 21.8 22.6C21.8 25.6 19.2 26.8 16.2 26.6C12.6 26.4 11.2 23.8 11.4 20C11.6 16.4 11 9.2 13.8 9z;p L M12.2 15.4C14 16.4 15.6 19 15.6 21.8C15.6 24.4 14.4 25.8 13 25.4C11.4 24.2 11.2 22 11.4 20C11.5 18.4 11.7 16.8 12.2 15.4z;l D .5 M11.4 21.2Q13.4 22.2 15.6 21.2",
        size: [5.0, 6.0],
        arm: [2.5, 1.05],
        leg: [3.0, 2.3, 6.4],
        tail: "p M M-2.4 -3C1.4 -2.6 3.6 1.8 6.6 4C8.8 5.6 11 5.6 12.6 5.2C12.8 6.6 10.6 7.6 7.4 7.2C3.4 6.6 .4 5 -2.4 2.8z",
        root: [20.2, 22.6],
        manner: Manner { hops: true, paws: true, level: true, ..PLUSH.manner },
        ..PLUSH
    },
    Creature {
        name: "frog-figure",
        metres: 0.12,
        coat: 0x5cc15a,
        light: 0xe6f7b8,
        second: 0x3f9a44,
        nose: 0x2f7a3a,
        head: &heads::FROG,
        skull: 1.08,
        at: [16.0, 12.4],
        size: [5.2, 5.4],
        body: "p M M16 13.8C19.6 13.8 21.4 17 21.6 20.4C21.6 24 19.6 26 16 26C12.4 26 10.4 24 10.4 20.4C10.6 17 12.4 13.8 16 13.8z;p L M15.2 16C17.8 16 19 18 19.2 20.8C19.2 23.4 17.6 25 15.2 25C12.8 25 11.2 23.4 11.2 20.8C11.4 18 12.6 16 15.2 16z",
        arm: [2.5, 1.05],
        leg: [2.2, 1.5, 5.4],
        manner: Manner { hops: true, ..PLUSH.manner },
        ..PLUSH
    },
    Creature {
        name: "penguin-figure",
        metres: 0.8,
        coat: 0x3a4260,
        light: 0xffffff,
        second: 0x2a304a,
        accent: 0xffa033,
        head: &heads::PENGUIN,
        skull: 1.1,
        at: [16.0, 9.6],
        body: "p M M16 12.4C20 12.4 21.8 16.4 22 20.6C22 24.4 19.8 27 16 27C12.2 27 10 24.4 10 20.6C10.2 16.4 12 12.4 16 12.4z;p L M14.8 14.6C18 14.6 19.6 17.6 19.6 21C19.6 24.2 17.6 26.2 14.8 26.2C12 26.2 10.4 24.2 10.4 21C10.4 17.6 11.8 14.6 14.8 14.6z",
        size: [5.2, 6.0],
        limbs: ['M', 'A', 'A'],
        arms: Arms::Wings,
        arm: [6.4, 1.7],
        leg: [1.2, 0.9, 4.0],
        tail: "p M M-1.6 -1.8L2.8 2.4L-1.6 2.2z",
        root: [19.0, 24.4],
        manner: BIRD,
        ..PLUSH
    },
    Creature {
        name: "owl-figure",
        kind: Kind::Flyer,
        metres: 0.45,
        coat: 0x8f6244,
        light: 0xf3dcb8,
        second: 0x6a442c,
        accent: 0xffb02e,
        nose: 0xe8892b,
        head: &heads::OWL,
        skull: 1.1,
        at: [16.0, 10.0],
        body: "p M M16 12.4C20 12.4 21.8 16.4 22 20.4C22 24.4 19.8 27 16 27C12.2 27 10 24.4 10 20.4C10.2 16.4 12 12.4 16 12.4z;p L M15 15.4C17.8 15.4 19.4 18 19.4 21C19.4 24.2 17.6 26 15 26C12.4 26 10.8 24.2 10.8 21C10.8 18 12.2 15.4 15 15.4z;l D .5 M12.4 18.6Q13.2 19.6 14 18.6M15.2 18.6Q16 19.6 16.8 18.6M13.6 21Q14.6 22 15.6 21M16.4 21Q17.2 22 18 21M12.6 23.4Q13.4 24.4 14.2 23.4M15.4 23.4Q16.2 24.4 17 23.4",
        size: [5.4, 6.0],
        limbs: ['M', 'A', 'A'],
        arms: Arms::Wings,
        arm: [7.0, 2.3],
        leg: [1.1, 0.7, 2.8],
        tail: "p E M-1.4 -1.6L3.4 3.4L-1.6 2.4z",
        root: [19.0, 24.0],
        manner: BIRD,
        ..PLUSH
    },
    Creature {
        name: "chicken-figure",
        metres: 0.4,
        coat: 0xfffaf0,
        light: 0xfffaf0,
        second: 0xf1ddb8,
        accent: 0xe8403c,
        nose: 0xffb02e,
        head: &heads::CHICKEN,
        skull: 1.0,
        at: [12.0, 8.6],
        body: "p M M12.4 9.4C14.6 9.4 15.8 11.4 16.4 13.6C18.6 14.8 21.4 12.8 23.8 10.6C25.6 13 25.4 18.4 22.6 21.8C20 24.8 15.4 25.4 12.2 23.2C9 21 8.4 16.4 9 13C9.3 11 10.4 9.4 12.4 9.4z",
        size: [5.0, 6.0],
        limbs: ['D', 'N', 'N'],
        arms: Arms::Wings,
        arm: [7.4, 2.6],
        leg: [2.6, 0.5, 3.0],
        tail: "p M M-2 .8C-1 -3 1.4 -6.4 4.4 -7C5 -6 4.6 -5 4.2 -4.4C5.4 -4.6 6.4 -4 6.6 -3C6 -2 5 -1.4 4.6 -1C5.4 -.8 6 0 6 1C3.6 2.6 .4 2.8 -2 .8z;p E M4.2 -4.4C2.6 -3.6 1.2 -2 .6 0C1.6 -.6 3.2 -1.2 4.6 -1C5 -1.4 6 -2 6.6 -3C5.6 -3 4.6 -3.2 4.2 -4.4z",
        root: [21.6, 15.6],
        manner: BIRD,
        ..PLUSH
    },
    Creature {
        name: "duck-figure",
        metres: 0.4,
        coat: 0xffd54a,
        light: 0xffe994,
        second: 0xf2b632,
        accent: 0xff9430,
        nose: 0xff9430,
        head: &heads::DUCK,
        skull: 1.08,
        at: [11.8, 10.0],
        body: "p M M10.4 13.4C11.8 11.6 14.6 12.4 15.2 14.4C17.4 15.8 20.6 15.6 23.4 13.8C25.4 15.6 24.8 20 22.4 22.6C19.8 25.2 14.6 25.6 11.4 23.8C8 21.8 8 16.4 10.4 13.4z",
        size: [5.0, 6.0],
        limbs: ['D', 'N', 'N'],
        arms: Arms::Wings,
        arm: [7.2, 2.4],
        leg: [1.8, 0.55, 3.6],
        tail: "p M M-2.4 -1C.4 -1.4 2.4 -3 3.8 -4.6C4.8 -2 3.4 1.6 -1.4 2.6z",
        root: [22.2, 17.4],
        manner: BIRD,
        ..PLUSH
    },
];

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

/// A tyrannosaur: upright, in profile, with a tail that balances it.
pub fn dinosaur() -> Figure {
    let coat = 0x58b368;
    let palette = Palette::of(&[
        ('M', coat),
        ('D', shade(coat, 0.8)),
        ('L', 0xf3efb4),
        ('A', 0xff9a3d),
        ('a', 0xd97a28),
        ('C', 0xff9c94),
        ('K', 0x2c2730),
        ('W', 0xffffff),
        ('R', 0x8d2f3c),
        ('P', 0xff8a8a),
        ('I', 0xf7a8a8),
        ('N', 0x2f6a3c),
    ]);
    let mut rig = Rig::new(Build::Upright, palette, "MD");
    rig.manner = Manner { paws: true, level: true, ..Manner::default() };
    let hips = rig.add(Joint::Root, None, [17.0, 20.6], -3, "o 17 20.4 4 3.6 M");
    let chest = rig.add(
        Joint::Chest,
        Some(hips),
        [17.0, 20.0],
        0,
        "p A M14.6 8.6L17 8.4L16 10.4zM16 11L18.8 11.2L17.6 13.2zM18 13.8L21 14.6L19.4 16.4z
        p M M11.8 8.4C14.4 7.8 15.8 9.8 16.6 12C18.2 14.2 21.6 16 22 19.6C22.2 23 19.8 24.6 17 24.6C13 24.6 11.2 22 10.8 18.6C10.4 15 9.6 9.2 11.8 8.4z
        p L M10.4 13.4C12.6 14.6 14.4 17.4 14.6 20.6C14.7 22.4 14.2 23.6 13.4 23.6C11.8 22.6 11 20.8 10.8 18.6C10.7 17 10.4 15.2 10.4 13.4z;l D .35 M10.8 16.2L13 16.6;l D .35 M11 18.6L14 19;l D .35 M11.6 21L14.4 21.2",
    );
    rig.touches(chest, &[[16.0, 24.6], [21.4, 20.0]]);
    rig.anchors.back = Rig::anchor(chest, [19.0, 15.0]);
    rig.anchors.seat = Rig::anchor(hips, [17.0, 24.4]);
    let at = [11.6, 6.4];
    heads::add(&mut rig, &heads::DINOSAUR, chest, at, 1.02, [12.6, 8.8]);
    let tail = rig.add(
        Joint::Tail,
        Some(hips),
        [19.6, 20.6],
        -4,
        "p A M21.6 16.4L24 16.8L23 18.6zM24.4 18L26.8 18.8L25.4 20.4z;p M M17.6 17C21.6 16.6 25 18.4 28 21.2C28.8 22.4 28 23.6 26.4 23.8C23 24.4 19.6 24.6 16.8 23.6z",
    );
    rig.add(Joint::TailTip, Some(tail), [26.6, 22.4], -5, "p A M28.6 20.6L31 21.6L29.4 23zM31.4 22L33.4 23L31.8 24;p M M25.4 21C28.6 21 32.4 22.6 35.6 25.4C32.4 25.8 28.6 25.2 25.8 23.8C24.8 23 24.6 21.6 25.4 21z");
    for (near, x, depth) in [(true, 14.0, 20), (false, 11.9, -20)] {
        let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
        let c = if near { 'M' } else { 'D' };
        let shoulder = [x, 14.6];
        let upper = rig.add_svg(
            arm,
            Some(chest),
            shoulder,
            depth,
            placed(&draw(&format!("{}\n{}", taper('D', 2.2, 1.15, 1.0), taper(c, 2.0, 0.9, 0.7))), shoulder, [1.0, 1.0]),
        );
        let elbow = [x, 16.7];
        let hand = format!("{}\np W M-1.1 1.8L-1.7 3L-.5 2.5zM.1 2.1L-.2 3.2L.9 2.3z", taper('D', 1.6, 0.95, 0.8));
        let lower = rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&draw(&hand), elbow, [1.0, 1.0]));
        if near {
            rig.anchors.hand = Rig::anchor(lower, [x - 0.4, 19.0]);
        }
    }
    for (near, x, depth) in [(false, 15.2, -10), (true, 18.2, 6)] {
        let (thigh, shin, foot) =
            if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
        let c = if near { 'M' } else { 'D' };
        let hip = [x, 20.8];
        let line = if near { "\nl D .5 M-2.9 -1.2C-2.6 1.4 -1.4 3.4 .2 4.6" } else { "" };
        let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw(&(taper(c, 4.6, 3.1, 1.7) + line)), hip, [1.0, 1.0]));
        let knee = [x, 25.4];
        let lower = rig.add_svg(shin, Some(upper), knee, depth - 1, placed(&draw(&taper(c, 3.2, 1.65, 1.15)), knee, [1.0, 1.0]));
        let ankle = [x, 28.6];
        let script = format!(
            "p {c} M1.6 2C2 .6 1.6 -1 0 -1C-1.6 -1 -2.2 -.2 -3.2 .2C-4.4 .6 -4.6 2 -4 2z;p W M-4.4 2C-4.4 1.2 -3.8 .9 -3.4 1.2L-3 2zM-2.6 2C-2.6 1.3 -2 1 -1.6 1.3L-1.2 2z"
        );
        let step = rig.add_svg(foot, Some(lower), ankle, depth - 2, placed(&draw(&script), ankle, [1.0, 1.0]));
        rig.touches(step, &[[x - 4.2, 30.6], [x + 1.6, 30.6]]);
        rig.touches(lower, &[[x + 1.4, 26.0]]);
    }
    rig.finish("dinosaur-figure", Kind::Animal, 4.0)
}

/// A robot of rounded boxes.
pub fn robot() -> Figure {
    let palette = Palette::of(&[
        ('M', 0x8fb4d9),
        ('D', 0x6b8fb8),
        ('L', 0xdbe7f3),
        ('A', 0xff8a3d),
        ('a', 0xd96c26),
        ('E', 0x2f3a54),
        ('e', 0x56637f),
        ('C', 0x4ff0e0),
        ('K', 0x2c2730),
        ('W', 0xffffff),
        ('R', 0xff5a5a),
        ('G', 0x7a869c),
    ]);
    let mut rig = Rig::new(Build::Upright, palette, "MD");
    let hips = rig.add(Joint::Root, None, [16.0, 21.4], -3, "r 11.8 19.8 8.4 3.4 1.4 G;r 13 20.6 6 1.2 .6 e");
    let chest = rig.add(
        Joint::Chest,
        Some(hips),
        [16.0, 20.6],
        0,
        "r 14.4 10 3.4 3.6 .6 G;r 10.2 12 11.8 9.4 2.4 M;p D M18.6 12H19.6C21 12 22 13 22 14.4V19C22 20.4 21 21.4 19.6 21.4H18.6z;r 11.8 13.8 6.6 4.6 1 L;o 13.6 15.4 .8 .8 R;o 15.6 15.4 .8 .8 #ffc83d;r 12.8 16.8 4.6 .8 .4 C;o 12.2 20 .4 .4 D;o 17.6 20 .4 .4 D",
    );
    rig.touches(hips, &[[13.0, 23.2], [19.0, 23.2]]);
    rig.touches(chest, &[[22.0, 16.0], [10.2, 16.0]]);
    let head = rig.add(
        Joint::Head,
        Some(chest),
        [16.2, 10.6],
        10,
        "l G .7 M16.4 3.2V.6;o 16.4 .4 1 1 A;r 20.6 5.2 2.2 3.6 1 A;r 9.4 5.4 1.6 3.2 .8 a;r 10 2.4 12 9 2.8 M;p D M19 2.4H19.2C20.8 2.4 22 3.6 22 5.2V8.6C22 10.2 20.8 11.4 19.2 11.4H18.4C19.6 8.6 19.8 5.2 19 2.4z;r 10.8 4 8 5.6 1.8 E",
    );
    rig.touches(head, &[[22.6, 7.0]]);
    rig.face(head, 12, Shows::EyesOpen, draw("o 12.9 6.3 1 1.15 C;o 16.5 6.3 1.1 1.2 C;o 12.6 5.9 .3 .35 W;o 16.2 5.9 .32 .38 W"));
    rig.face(head, 12, Shows::EyesShut, draw("l C .6 M12 6.4H13.8;l C .6 M15.6 6.4H17.4"));
    rig.face(head, 12, Shows::MouthShut, draw("l C .5 M13.4 8.3Q14.6 9 15.9 8.3"));
    rig.face(head, 12, Shows::MouthOpen, draw("r 13.2 8 2.8 1.1 .5 C"));
    rig.anchors.head_top = Rig::anchor(head, [16.2, 2.4]);
    rig.anchors.mouth = Rig::anchor(head, [14.4, 8.6]);
    rig.anchors.back = Rig::anchor(chest, [18.0, 12.2]);
    rig.anchors.seat = Rig::anchor(hips, [16.0, 23.2]);
    for (near, x, depth) in [(true, 21.3, 20), (false, 10.9, -20)] {
        let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
        let (c, claw) = if near { ("M", "A") } else { ("D", "a") };
        let shoulder = [x, 14.0];
        let upper = rig.add_svg(
            arm,
            Some(chest),
            shoulder,
            depth,
            placed(&draw(&format!("l G 1.4 M0 0V3.6;o 0 0 1.7 1.7 {c};o 0 3.6 .9 .9 e")), shoulder, [1.0, 1.0]),
        );
        let elbow = [x, 17.6];
        let script = format!(
            "r -1.4 .2 2.8 3 1 {c};o 0 0 1 1 {c};p {claw} M-1.2 3.2H1.2C2 4 1.8 5.6 .8 6.2L.4 4.8H-.4L-.8 6.2C-1.8 5.6 -2 4 -1.2 3.2z"
        );
        let lower = rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&draw(&script), elbow, [1.0, 1.0]));
        if near {
            rig.anchors.hand = Rig::anchor(lower, [x, 22.6]);
        }
    }
    for (near, x, depth) in [(false, 13.6, -10), (true, 18.4, -5)] {
        let (thigh, shin, foot) =
            if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
        let (c, shoe) = if near { ("M", "A") } else { ("D", "a") };
        let hip = [x, 22.0];
        let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw("l G 1.7 M0 0V3.4;o 0 3.4 1.2 1.2 e"), hip, [1.0, 1.0]));
        let knee = [x, 25.4];
        let lower = rig.add_svg(shin, Some(upper), knee, depth + 1, placed(&draw(&format!("r -1.6 -.6 3.2 4 1.2 {c}")), knee, [1.0, 1.0]));
        let ankle = [x, 28.4];
        let step = rig.add_svg(
            foot,
            Some(lower),
            ankle,
            depth,
            placed(&draw(&format!("p {shoe} M2 2.4V1C2 -.4 1.2 -1 0 -1C-2 -1 -3.4 .2 -3.4 2.4z")), ankle, [1.0, 1.0]),
        );
        rig.touches(step, &[[x - 3.2, 30.8], [x + 2.0, 30.8]]);
        rig.touches(lower, &[[x + 1.4, 26.0]]);
    }
    rig.finish("robot-figure", Kind::Person, 1.6)
}

/// A small green visitor.
pub fn alien() -> Figure {
    let coat = 0x7ed957;
    let palette = Palette::of(&[
        ('M', coat),
        ('D', shade(coat, 0.82)),
        ('E', 0x6c5ce7),
        ('e', 0x5546c4),
        ('A', 0xffd24a),
        ('a', 0xd9a92c),
        ('C', 0xb6f09a),
        ('K', 0x231f33),
        ('W', 0xffffff),
        ('R', 0x3d6b2f),
        ('P', 0xff8a8a),
    ]);
    let mut rig = Rig::new(Build::Upright, palette, "MD");
    let hips = rig.add(Joint::Root, None, [16.0, 22.0], -3, "r 12.9 20.2 6.4 3.6 1.7 E");
    let chest = rig.add(Joint::Chest, Some(hips), [16.0, 21.4], 0, "l D 2 M16 12.4V15.6;p E M13.4 17C13.4 15.6 14.4 15 15.4 15H17C18.2 15 19 15.8 19.2 17L19.6 21.6C19.6 22.8 18.8 23.2 17.8 23.2H14.4C13.4 23.2 12.6 22.6 12.7 21.6z;p e M17.2 15C18.3 15 19 15.8 19.2 17L19.6 21.6C19.6 22.8 18.8 23.2 17.8 23.2H17C18.2 20.6 18.2 17.6 17.2 15z;p A M15.6 16.6L16.2 17.9L17.6 18.1L16.6 19L16.9 20.4L15.6 19.7L14.3 20.4L14.6 19L13.6 18.1L15 17.9z");
    rig.touches(hips, &[[14.0, 23.8], [18.0, 23.8]]);
    rig.touches(chest, &[[19.4, 17.0]]);
    let head = rig.add(Joint::Head, Some(chest), [16.0, 13.0], 10, "l D .8 M13.4 3.4C12.6 1.6 11.6 .8 10.4 .6M18.6 3.4C19.2 1.6 20.2 .6 21.4 .4;o 10.2 .6 1.1 1.1 A;o 21.8 .4 1.1 1.1 A;p M M16 2.2C20.6 2.2 23.4 4.8 23.4 8C23.4 11.2 20 14.4 16 14.4C12 14.4 8.4 11.2 8.4 8C8.4 4.8 11.4 2.2 16 2.2z;p D M19.4 2.9C22 4 23.4 5.8 23.4 8C23.4 11.2 20 14.4 16 14.4C19.4 13 21.2 10.6 21.2 7.6C21.2 5.8 20.6 4.2 19.4 2.9z");
    rig.touches(head, &[[23.2, 8.0]]);
    rig.face(head, 12, Shows::EyesOpen, draw("p K M10 7.2C10.4 5.6 12.8 6.4 13.6 8.2C14.2 9.8 13 10.8 11.8 10.2C10.6 9.6 9.7 8.4 10 7.2z;p K M19.8 7C19.2 5.4 16.8 6.4 16.2 8.2C15.7 9.8 17 10.8 18.2 10.2C19.4 9.4 20.2 8.2 19.8 7z;o 11.4 7.5 .7 .6 W;o 17.6 7.5 .75 .6 W"));
    rig.face(head, 12, Shows::EyesShut, draw("l K .5 M10.4 8.4Q12 9.8 13.6 8.8;l K .5 M16.2 8.8Q18 9.8 19.6 8.2"));
    rig.face(head, 12, Shows::MouthShut, draw("l R .5 M13.6 12Q14.9 12.8 16.2 12"));
    rig.face(head, 12, Shows::MouthOpen, draw("o 14.9 12.2 1.1 .8 R"));
    rig.anchors.head_top = Rig::anchor(head, [16.0, 2.4]);
    rig.anchors.mouth = Rig::anchor(head, [14.9, 12.2]);
    rig.anchors.back = Rig::anchor(chest, [17.4, 15.2]);
    rig.anchors.seat = Rig::anchor(hips, [16.0, 23.8]);
    for (near, x, depth) in [(true, 18.8, 20), (false, 13.5, -20)] {
        let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
        let (c, cloth) = if near { ('M', 'E') } else { ('D', 'e') };
        let shoulder = [x, 16.6];
        let upper = rig.add_svg(
            arm,
            Some(chest),
            shoulder,
            depth,
            placed(&draw(&format!("{}\nl {cloth} 2.3 M0 0V1", taper(c, 3.4, 0.85, 0.75))), shoulder, [1.0, 1.0]),
        );
        let elbow = [x, 20.0];
        let script = format!("{}\no 0 3.6 1.15 1.2 {c};l {c} .8 M-.7 3.8L-1.3 4.9M0 4.2L-.1 5.4M.7 3.9L1.1 4.9", taper(c, 3.2, 0.75, 0.75));
        let lower = rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&draw(&script), elbow, [1.0, 1.0]));
        if near {
            rig.anchors.hand = Rig::anchor(lower, [x - 0.2, 24.0]);
        }
    }
    for (near, x, depth) in [(false, 14.4, -10), (true, 17.6, -5)] {
        let (thigh, shin, foot) =
            if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
        let cloth = if near { 'E' } else { 'e' };
        let hip = [x, 22.4];
        let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw(&taper(cloth, 3.4, 1.45, 1.2)), hip, [1.0, 1.0]));
        let knee = [x, 25.8];
        let lower = rig.add_svg(shin, Some(upper), knee, depth - 1, placed(&draw(&taper(cloth, 2.8, 1.2, 1.1)), knee, [1.0, 1.0]));
        let ankle = [x, 28.8];
        let shoe = if near { 'A' } else { 'a' };
        let step = rig.add_svg(
            foot,
            Some(lower),
            ankle,
            depth - 2,
            placed(&draw(&format!("p {shoe} M1.5 2C1.9 .4 1.5 -1 0 -1C-1.4 -1 -3.2 .2 -3.2 2z")), ankle, [1.0, 1.0]),
        );
        rig.touches(step, &[[x - 3.0, 30.8], [x + 1.5, 30.8]]);
        rig.touches(lower, &[[x + 1.2, 26.4]]);
    }
    rig.finish("alien-figure", Kind::Person, 1.2)
}
