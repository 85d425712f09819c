//! Small birds, and fowl and water birds beside the hen and the duck, as data.

use super::Creature;
use super::birds::{CHICKEN, DUCK};
use crate::codes::Kind;
use crate::figures::heads;

/// A round body with a light breast.
const ROUND: &str = "p M M10 13.4C11.8 11.6 14.8 12 15.6 14C17.6 15.4 20.6 15.8 22.8 16.4C24 19 22.8 22.4 20.4 23.8C17.6 25.2 13.6 25.2 11 23.4C7.8 21 7.8 16.4 10 13.4z;p L M9.2 15C11.2 15.6 13.6 18 14 21C14.2 23 14 24.2 13.4 24.6C12.4 24.4 11.6 23.9 11 23.4C8.4 21.4 7.8 17.8 9.2 15z";

pub const SONGBIRD: Creature = Creature {
    name: "songbird",
    kind: Kind::Flyer,
    metres: 0.22,
    coat: 0x4d95d9,
    light: 0xffe6c4,
    second: 0x3674b5,
    nose: 0xf5a63a,
    head: &heads::SONGBIRD,
    skull: 1.12,
    at: [12.4, 10.4],
    body: ROUND,
    limbs: ['D', 'N', 'N'],
    arm: [7.0, 2.3],
    leg: [2.0, 0.45, 2.6],
    tail: "p E M-2 -1.4C2 -1.2 6 .4 9.4 2.4C9.4 3.6 8.6 4.4 7.6 4.6C4.4 4.2 .8 3.2 -2 1.8z",
    root: [21.2, 18.4],
    ..DUCK
};

pub const ROBIN: Creature = Creature { name: "robin", coat: 0x8a6a50, light: 0xf0803c, second: 0x6b4f3a, nose: 0x5a4a40, ..SONGBIRD };

pub const SPARROW: Creature = Creature { name: "sparrow", coat: 0xb08a5e, light: 0xf3e6d2, second: 0x7d5a3a, nose: 0x6b5544, ..SONGBIRD };

pub const PIGEON: Creature = Creature {
    name: "pigeon",
    metres: 0.32,
    coat: 0x9aa3b5,
    light: 0x7f8fa0,
    second: 0x6d768c,
    nose: 0xe89a8a,
    skull: 0.92,
    at: [12.0, 9.6],
    ..SONGBIRD
};

pub const CROW: Creature = Creature {
    name: "crow",
    metres: 0.42,
    coat: 0x3a3a4c,
    light: 0x3a3a4c,
    second: 0x2b2b3a,
    nose: 0x5a5a68,
    head: &heads::CROW,
    skull: 1.0,
    ..SONGBIRD
};

pub const TOUCAN: Creature = Creature {
    name: "toucan",
    metres: 0.5,
    coat: 0x33333f,
    light: 0xfff6dc,
    second: 0x26262f,
    nose: 0xff9a2e,
    head: &heads::TOUCAN,
    ..SONGBIRD
};

pub const WOODPECKER: Creature = Creature {
    name: "woodpecker",
    metres: 0.3,
    coat: 0x3a3a48,
    light: 0xf4f1e6,
    second: 0x2c2c38,
    accent: 0xe0313a,
    nose: 0x8a8a94,
    head: &heads::WOODPECKER,
    ..SONGBIRD
};

pub const ROOSTER: Creature = Creature {
    name: "rooster",
    metres: 0.55,
    coat: 0xc8642c,
    light: 0xe89a4c,
    second: 0x8a3f24,
    head: &heads::ROOSTER,
    tail: "p #2f7a5a M-2.4 .8C-1.8 -4.6 2.2 -9.4 7.4 -9C10.4 -8.4 11.2 -5 10.2 -2C9.4 -4.4 7.6 -5.6 5.8 -5C8 -3.8 8.6 -1 7.6 1.6C6.4 -.6 4.8 -1.2 3.4 -.4C4.6 .6 4.8 2 4.2 3.2C1.6 3.4 -1 2.4 -2.4 .8z;p #1f5a48 M3.4 -.4C3 -3.6 4 -5.2 5.8 -5C7.6 -5.6 9.4 -4.4 10.2 -2C11.2 -5 10.4 -8.4 7.4 -9C4.4 -7.6 1.6 -4 3.4 -.4z",
    ..CHICKEN
};

pub const TURKEY: Creature = Creature {
    name: "turkey",
    metres: 0.9,
    coat: 0x7a4a33,
    light: 0x9a6a48,
    second: 0x5a3424,
    head: &heads::TURKEY,
    skull: 0.86,
    tail: "p E M-3 4C-6.4 -1 -5.4 -8.6 0 -12.4C6 -14.6 11.6 -9.4 11.4 -2.6C11 3.4 5 6.4 -1 6z;p #e0a45a M-1.6 -11.2C-1 -11.7 -.6 -12 0 -12.4C6 -14.6 11.6 -9.4 11.4 -2.6C11.2 -.2 10.2 1.8 8.6 3.2L7.4 2C10.4 -1.4 9.8 -6.6 6.6 -9.2C4.2 -11 1.4 -11.2 -.8 -10.2z;l e .5 M0 2L1 -9.4M1.4 2.6L6 -7M2 3.6L8.6 -2.6",
    ..CHICKEN
};

pub const GOOSE: Creature = Creature {
    name: "goose",
    metres: 0.75,
    coat: 0xfaf9f4,
    light: 0xffffff,
    second: 0xe3ded2,
    head: &heads::GOOSE,
    skull: 0.96,
    at: [9.8, 5.6],
    body: "p M M8.6 6.6C10.2 5.6 12 6.4 12 8.6C12 11 12.8 13.2 15.4 14.4C17.6 15.8 20.6 15.6 23.4 13.8C25.4 15.6 24.8 20 22.4 22.6C19.8 25.2 14.6 25.6 11.4 23.8C8 21.8 7.6 17.6 8.2 14.4C8.8 11.6 7.4 8.4 8.6 6.6z",
    ..DUCK
};

pub const PELICAN: Creature = Creature {
    name: "pelican",
    metres: 1.2,
    coat: 0xf7f3ea,
    light: 0xffffff,
    second: 0x8a8f9c,
    nose: 0xffb347,
    head: &heads::PELICAN,
    ..GOOSE
};
