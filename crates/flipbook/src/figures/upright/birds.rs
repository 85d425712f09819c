//! Birds, as data.

use super::{Arms, Creature, PLUSH};
use crate::codes::Kind;
use crate::figures::heads;
use crate::figures::skeleton::Manner;

const BIRD: Manner = Manner { level: true, wings: true, ..PLUSH.manner };

pub const PENGUIN: Creature = Creature {
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
};

pub const OWL: Creature = Creature {
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
};

pub const CHICKEN: Creature = Creature {
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
};

pub const DUCK: Creature = Creature {
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
};
