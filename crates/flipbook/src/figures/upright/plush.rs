//! Furry animals on two legs, and the frog, as data.

use super::{Creature, PLUSH};
use crate::figures::heads;
use crate::figures::skeleton::Manner;

pub const PANDA: Creature = Creature {
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
};

pub const KOALA: Creature = Creature {
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
};

pub const RABBIT: Creature = Creature {
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
};

pub const MOUSE: Creature = Creature {
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
};

pub const HAMSTER: Creature = Creature {
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
};

pub const SQUIRREL: Creature = Creature {
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
};

pub const MONKEY: Creature = Creature {
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
};

pub const KANGAROO: Creature = Creature {
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
};

pub const FROG: Creature = Creature {
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
};
