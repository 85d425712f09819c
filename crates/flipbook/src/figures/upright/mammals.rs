//! More furry animals on two legs, as data: apes, what stands up to look round, what gnaws, digs and swims.

use super::plush::{FROG, MONKEY, MOUSE, PANDA, SQUIRREL};
use super::{Creature, PLUSH};
use crate::figures::heads;

pub const GORILLA: Creature = Creature {
    name: "gorilla",
    metres: 1.7,
    coat: 0x4a4c58,
    light: 0x8a8c98,
    second: 0x33353f,
    nose: 0x26272e,
    head: &heads::MONKEY,
    skull: 1.0,
    at: [16.0, 9.2],
    size: [7.4, 6.4],
    arm: [4.3, 2.1],
    leg: [1.8, 2.4, 4.4],
    tail: "",
    ..MONKEY
};

pub const ORANGUTAN: Creature = Creature {
    name: "orangutan",
    metres: 1.4,
    coat: 0xc9622c,
    light: 0xe8b58a,
    second: 0x9c4a20,
    size: [6.2, 6.2],
    arm: [4.4, 1.7],
    leg: [1.8, 2.0, 4.2],
    tail: "",
    ..MONKEY
};

pub const CHIMPANZEE: Creature =
    Creature { name: "chimpanzee", metres: 1.2, coat: 0x4a3a33, light: 0xd9ab84, second: 0x33281f, size: [5.2, 6.0], tail: "", ..MONKEY };

pub const MEERKAT: Creature = Creature {
    name: "meerkat",
    metres: 0.3,
    coat: 0xd3a46c,
    light: 0xf6e3c2,
    second: 0x4a3628,
    nose: 0x3a2a24,
    inner_ear: 0x4a3628,
    head: &heads::MEERKAT,
    skull: 0.96,
    at: [16.0, 9.2],
    size: [3.9, 6.8],
    arm: [3.0, 1.05],
    leg: [2.2, 1.5, 3.6],
    tail: "l M 1.3 M0 .6C2.6 2.6 5.4 2.2 7.4 .4;l E 1.3 M6.6 1L7.6 .2",
    ..PLUSH
};

pub const OTTER: Creature = Creature {
    name: "otter",
    metres: 0.5,
    coat: 0x8a5f42,
    light: 0xe6c8a2,
    second: 0x6b4730,
    nose: 0x3a2a24,
    head: &heads::OTTER,
    skull: 1.06,
    size: [4.8, 6.4],
    arm: [2.6, 1.3],
    leg: [1.9, 1.7, 4.2],
    tail: "p M M-1.6 -1.4C2 -.4 6 1.6 9.6 1.4C10.6 1.6 10.6 2.8 9.6 3.2C5.6 4.4 .8 3.6 -1.8 2z",
    ..PLUSH
};

pub const BEAVER: Creature = Creature {
    name: "beaver",
    metres: 0.5,
    coat: 0x95603a,
    light: 0xc99563,
    second: 0x5a4436,
    nose: 0x3a2a24,
    head: &heads::BEAVER,
    skull: 1.1,
    size: [5.8, 5.8],
    arm: [2.3, 1.35],
    leg: [1.6, 1.8, 4.4],
    tail: "p E M-1 -1C2 -1.6 6 -2 9 -.4C11.4 1.2 11 4 8.4 4.4C4.8 4.8 1 3.6 -1.4 2z;l e .4 M2 -1L4 3.4M5 -1.4L7 3.8M3.6 3.4L6 -1.2M6.8 3.8L8.8 0",
    ..PLUSH
};

pub const RAT: Creature =
    Creature { name: "rat", metres: 0.18, coat: 0x6f6a74, light: 0xc9c2c4, second: 0x55505a, skull: 1.0, size: [5.0, 6.2], ..MOUSE };

pub const MOLE: Creature = Creature {
    name: "mole",
    metres: 0.15,
    coat: 0x55505e,
    light: 0x7a7482,
    second: 0x3f3b47,
    nose: 0xf08a9c,
    head: &heads::MOLE,
    skull: 1.02,
    at: [16.0, 10.2],
    size: [5.6, 5.8],
    arm: [2.2, 1.6],
    leg: [1.2, 1.5, 3.6],
    limbs: ['M', 'M', 'I'],
    tail: "o .6 .2 1.2 .9 I",
    ..PLUSH
};

pub const RED_PANDA: Creature = Creature {
    name: "red-panda",
    metres: 0.55,
    coat: 0xc9592c,
    light: 0x3f2a26,
    second: 0x3f2a26,
    inner_ear: 0xfff3e2,
    nose: 0x2c1f1c,
    head: &heads::RED_PANDA,
    skull: 1.12,
    size: [5.4, 6.0],
    limbs: ['E', 'E', 'E'],
    tail: "p M M-1.4 -1C2 -1.4 6 -3.6 9 -6.4C11.4 -6 12 -3 10.4 -.8C7.6 2.6 2.4 4 -1.4 2.2z;l #f3c9a0 1.3 M2.4 -.8L3.6 2.2;l #f3c9a0 1.3 M5.6 -2.8L7.4 .4;l #f3c9a0 1.2 M8.4 -5L10 -2",
    body: "p M M16 13.2C19.2 13.2 21 16.4 21.2 20C21.4 23.8 19.6 26.2 16 26.2C12.4 26.2 10.6 23.8 10.8 20C11 16.4 12.8 13.2 16 13.2z;p L M15.2 15.6C17.4 15.6 18.6 18 18.8 20.6C19 23.4 17.4 25 15 25C12.6 25 11.2 23.4 11.4 20.6C11.6 18 13 15.6 15.2 15.6z",
    ..PANDA
};

pub const CHIPMUNK: Creature = Creature {
    name: "chipmunk",
    metres: 0.18,
    coat: 0xd08a4a,
    light: 0xfdeacb,
    second: 0x6b4226,
    size: [4.9, 5.8],
    tail: "o 0 .6 1.2 1.2 M;p M M-1.2 .8C2 2.2 5.2 .4 6.4 -3C7 -5.4 8.6 -7 10.4 -6.6C11.2 -3.6 10 .4 7.2 2.6C4.4 4.4 1 4 -1 2.6z;l E .8 M1.6 2.6C5 2 7.6 -1.4 9.2 -5.2",
    ..SQUIRREL
};

pub const TOAD: Creature = Creature { name: "toad", coat: 0x8a7a4a, light: 0xe3d6a8, second: 0x6b5c36, ..FROG };
