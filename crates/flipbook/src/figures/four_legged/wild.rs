//! Large wild animals and beasts of burden, as data.

use super::hoofs::{COW, DEER, HORSE};
use super::paws::BEAR;
use super::{Beast, PLAIN};
use crate::codes::Kind;
use crate::figures::heads;

pub const POLAR_BEAR: Beast = Beast { name: "polar-bear", metres: 1.6, coat: 0xf4f7fb, light: 0xffffff, second: 0xd3dce8, ..BEAR };

pub const MOOSE: Beast = Beast {
    name: "moose",
    metres: 2.1,
    coat: 0x7a4f33,
    light: 0x9a6f4c,
    second: 0x5a3826,
    mane: 0xd9a95c,
    body: [15.6, 8.4],
    leg: [8.4, 2.3],
    neck: [-3.6, -4.6],
    girth: [3.6, 2.8],
    head: &heads::MOOSE,
    skull: 0.92,
    marks: "",
    neck_marks: "",
    sock: 'L',
    ..DEER
};

pub const DONKEY: Beast = Beast {
    name: "donkey",
    metres: 1.3,
    coat: 0x9a9aa6,
    light: 0xe9e6e4,
    second: 0x7c7c88,
    mane: 0x4a4650,
    body: [14.4, 7.2],
    leg: [6.4, 2.2],
    neck: [-3.2, -6.2],
    head: &heads::DONKEY,
    tail: "l M .9 M0 -.4C2.4 .4 3 2.6 2.8 5;p A M2.2 4.6C3.6 4.6 4 7 3.4 9C2 8.6 1.6 6.4 2.2 4.6z",
    crest: "p A M1 -1C2.6 -2.4 2.8 -6 2.4 -9L-.4 -10L.2 -4z",
    marks: "",
    ..HORSE
};

pub const BULL: Beast = Beast {
    name: "ox",
    metres: 1.6,
    coat: 0x6b4433,
    light: 0xd9b48f,
    second: 0x4f3226,
    body: [16.2, 9.0],
    leg: [4.8, 2.9],
    neck: [-3.0, -3.2],
    girth: [4.6, 3.6],
    head: &heads::BULL,
    marks: "",
    ..COW
};

pub const RHINO: Beast = Beast {
    name: "rhinoceros",
    metres: 1.7,
    coat: 0x98a0ab,
    light: 0x98a0ab,
    second: 0x7f8793,
    mane: 0xeceae2,
    body: [17.4, 10.4],
    leg: [3.6, 3.6],
    neck: [-4.0, -1.6],
    girth: [4.4, 3.6],
    head: &heads::RHINO,
    skull: 1.0,
    tail: "l M .9 M0 0C1.8 .6 2.4 2.6 2 5;o 2 5.6 .7 1.1 D",
    marks: "l D .45 M-3.4 -3.6C-4.4 -1 -4.2 1.6 -3.2 3.4;l D .45 M3.6 -3.8C2.8 -1.4 3 1.4 4 3.2",
    foot: 'D',
    hoof: true,
    ..PLAIN
};

pub const HIPPO: Beast = Beast {
    name: "hippopotamus",
    metres: 1.5,
    coat: 0x9a8fa6,
    light: 0xd9b8c0,
    second: 0x7d7389,
    mane: 0x7d7389,
    body: [17.0, 10.8],
    leg: [2.6, 3.7],
    neck: [-3.6, -2.2],
    girth: [4.6, 3.8],
    head: &heads::HIPPO,
    skull: 1.0,
    tail: "l M .9 M0 0C1.4 .6 1.8 2 1.6 3.4;o 1.6 3.8 .7 .8 D",
    foot: 'D',
    hoof: true,
    ..PLAIN
};

pub const CROCODILE: Beast = Beast {
    name: "crocodile",
    metres: 0.9,
    coat: 0x5c9a4a,
    light: 0xe2e3a4,
    second: 0x3f7a3a,
    mane: 0x3f7a3a,
    body: [17.0, 5.8],
    leg: [1.9, 2.1],
    neck: [-2.4, -0.6],
    girth: [2.6, 2.2],
    head: &heads::CROCODILE,
    skull: 0.82,
    tail: "p M M-1.6 -1.4C2 -1.8 6 -.6 9.4 .8C12 1.8 14.4 1.6 16.6 .2C15.4 3.4 11.4 4.8 7.4 4.4C3.8 4 .6 3.6 -2 3z;p E M1 -1.6L2.2 -3L3.2 -1.2L4.6 -2.4L5.4 -.6L7 -1.6L7.6 .2L9.2 -.4L9.8 1z",
    marks: "p E M-6.4 -3.8L-5.2 -5.4L-4 -3.8L-2.6 -5.4L-1.4 -3.8L0 -5.4L1.2 -3.8L2.6 -5.4L3.8 -3.9L5.2 -5.2L6.4 -3.6z;o -4 -.8 .7 .6 D;o -.8 -1.4 .7 .6 D;o 2.4 -.8 .7 .6 D;o 5 -1.4 .7 .6 D",
    foot: 'M',
    ..PLAIN
};

pub const LLAMA: Beast = Beast {
    name: "llama",
    metres: 1.6,
    coat: 0xf1e4cf,
    light: 0xfff6e8,
    second: 0xd3bf9f,
    mane: 0x8a6a4c,
    body: [13.6, 8.0],
    leg: [6.4, 2.2],
    neck: [-2.4, -9.0],
    girth: [2.9, 2.3],
    head: &heads::LLAMA,
    skull: 0.9,
    tail: "o 1 0 1.7 1.5 M",
    trunk: Some(
        "p M M-8 -1C-8.4 -3 -6.6 -4.4 -5 -3.8C-4.4 -5 -2.2 -5 -1.4 -4C-.4 -5 1.6 -5 2.4 -4C3.6 -5 5.6 -4.6 6 -3.6C7.6 -3.8 8.8 -2 8.2 -.6C9 .6 8.4 2.4 7 2.6C6.6 3.8 4.6 4.2 3.6 3.4C2.6 4.4 .6 4.4 -.4 3.6C-1.4 4.6 -3.6 4.4 -4.2 3.4C-5.6 3.8 -7.2 3 -7 1.6C-8.4 1.2 -8.8 -.2 -8 -1z",
    ),
    foot: 'A',
    hoof: true,
    ..PLAIN
};

pub const SKUNK: Beast = Beast {
    name: "skunk",
    metres: 0.35,
    coat: 0x3a3a46,
    light: 0xf7f7fa,
    second: 0xf7f7fa,
    body: [12.4, 6.4],
    leg: [2.6, 2.0],
    neck: [-2.6, -2.2],
    head: &heads::SKUNK,
    tail: "o 0 .4 1.2 1.2 M;p M M-1 1C2 1.6 4 -1 3.6 -4.6C3.2 -8.6 6 -11.6 9.4 -10.4C12 -9 12 -5 10 -2.4C7.6 1.4 3.6 4.4 -.6 3z;p L M9.4 -10.4C12 -9 12 -5 10 -2.4C8.2 .4 5.6 2.8 2.8 3.2C6 .4 7.6 -4.6 9.4 -10.4z",
    marks: "p L M-6.6 -3.4C-2 -4.6 3 -4.4 7.6 -3C6.6 -1.6 2 -2.6 -1 -2.4C-3.4 -2.2 -5.4 -2.2 -6.6 -3.4z",
    ..PLAIN
};

pub const CAPYBARA: Beast = Beast {
    name: "capybara",
    kind: Kind::Animal,
    metres: 0.6,
    coat: 0xa87449,
    light: 0xc99a6a,
    second: 0x8a5c38,
    body: [14.6, 8.2],
    leg: [2.8, 2.3],
    neck: [-3.2, -3.0],
    girth: [3.4, 3.0],
    head: &heads::CAPYBARA,
    skull: 1.0,
    foot: 'D',
    ..PLAIN
};
