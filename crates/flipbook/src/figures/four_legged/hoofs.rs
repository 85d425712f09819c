//! Beasts on hooves and soles, as data: horses, cattle, and the tall ones.

use super::{Beast, PLAIN};
use crate::figures::heads;

/// What the horse, the unicorn and the zebra share.
const HORSE_BUILD: Beast = Beast {
    metres: 1.8,
    coat: 0xb06a3c,
    light: 0xb06a3c,
    second: 0x8a4e2b,
    mane: 0x4a2a1c,
    body: [15.5, 7.4],
    leg: [8.6, 2.3],
    neck: [-3.6, -8.2],
    girth: [3.0, 2.0],
    head: &heads::HORSE,
    skull: 0.82,
    tail: "p A M-.6 -.8C3 -2 5.2 .6 5 4C4.9 6.4 5.6 8 6.2 8.8C3.6 9.4 1.4 7.8 1.5 5C1.5 3 1 1.6 -.6 .9z;p a M2 -.6C4 1 3.6 5 4.4 8.8C5 9 5.6 8.9 6.2 8.8C5.6 8 4.9 6.4 5 4C5.1 1.6 4 -.4 2 -.6z",
    crest: "p A M1 -1C3.6 -2 3.8 -6 3.2 -9.2C2.8 -11 1.4 -12.4 .2 -12.2L-.6 -9C.4 -6 .6 -3 1 -1z",
    foot: 'A',
    hoof: true,
    ..PLAIN
};

pub const ELEPHANT: Beast = Beast {
    name: "elephant-figure",
    metres: 3.2,
    coat: 0x9aa5b8,
    light: 0x9aa5b8,
    second: 0xc4ccd9,
    mane: 0xeceff4,
    body: [17.0, 11.4],
    leg: [5.0, 4.2],
    neck: [-4.2, -3.8],
    girth: [4.6, 3.8],
    head: &heads::ELEPHANT,
    skull: 1.12,
    tail: "l M .9 M0 0C1.8 .6 2.4 2.6 2 5;o 2 5.6 .7 1.1 D",
    trunk: Some(
        "p M M-8 -.6C-8.2 -3.2 -6 -4.2 -3.6 -4.2C-1 -4.2 1.6 -4.4 4 -4.2C6.8 -4 8.3 -2.4 8.2 0C8.1 2.6 7 3.8 5 3.6C2.6 3.4 -.4 3.6 -2.6 3.9C-5.6 4.2 -7.8 2.4 -8 -.6z",
    ),
    foot: 'D',
    hoof: true,
    trunk_nose: true,
    ..PLAIN
};

pub const HORSE: Beast = Beast { name: "horse-figure", ..HORSE_BUILD };

pub const UNICORN: Beast = Beast {
    name: "unicorn-figure",
    coat: 0xfaf6ff,
    light: 0xfaf6ff,
    second: 0xe4d8f2,
    mane: 0xff8ad0,
    head: &heads::UNICORN,
    crest: "p A M1 -1C3.6 -2 3.8 -6 3.2 -9.2C2.8 -11 1.4 -12.4 .2 -12.2L-.6 -9C.4 -6 .6 -3 1 -1z;p #8f7bff M1 -1C3.6 -2 3.9 -5 3.5 -7.6C2.4 -6.6 1.6 -5.4 .3 -4.6z;p #5fd0ff M1 -1C2.6 -1.6 3.4 -3 3.6 -4.6C2.6 -4 1.6 -3 .8 -2.6z",
    tail: "p A M-.6 -.8C3 -2 5.2 .6 5 4C4.9 6.4 5.6 8 6.2 8.8C3.6 9.4 1.4 7.8 1.5 5C1.5 3 1 1.6 -.6 .9z;p #8f7bff M2 -.4C4 1 3.4 5 4.2 9C5 9.1 5.6 8.9 6.2 8.8C5.6 8 4.9 6.4 5 4C5.1 1.6 4 -.4 2 -.4z;p #5fd0ff M3.6 1C4.4 3.4 4 6 4.9 9C5.4 9 5.8 8.9 6.2 8.8C5.6 8 4.9 6.4 5 4C5 2.8 4.6 1.8 3.6 1z",
    ..HORSE_BUILD
};

pub const ZEBRA: Beast = Beast {
    name: "zebra-figure",
    metres: 1.5,
    coat: 0xf7f7fa,
    light: 0xf7f7fa,
    second: 0x34343f,
    mane: 0x34343f,
    leg: [7.4, 2.2],
    neck: [-3.2, -7.2],
    head: &heads::ZEBRA,
    crest: "p A M1.4 -2C3.2 -4 3.2 -8 2.6 -11C2 -12 1 -12 .6 -11.4L.6 -4z",
    tail: "l M .9 M0 0C1.8 .4 2.4 2.4 2.2 4.4;p E M1.6 4C2.8 3.8 3.4 6 3 8C1.8 7.6 1.2 5.6 1.6 4z",
    marks: "p E M-5.4 -3.9L-4.6 1.4L-3.8 -3.8zM-2.4 -3.8L-1.8 2.4L-.8 -3.8zM.8 -3.9L1.2 2.2L2.4 -3.9zM4.2 -4L3.8 .6L6 -3.8zM7.6 -2.4L4.6 1.2L8 -.8zM7.9 1L5.4 2.4L7.2 2.6z",
    neck_marks: "l E 1 M-2.4 2.4L.6 3.4;l E 1 M-2.1 5L.6 5.8;l E .9 M-1.8 7.4L.6 8",
    ..HORSE_BUILD
};

pub const COW: Beast = Beast {
    name: "cow-figure",
    metres: 1.5,
    coat: 0xfbf8f4,
    light: 0xfbf8f4,
    second: 0x4c4048,
    mane: 0x5f5360,
    body: [17.0, 9.0],
    leg: [4.8, 2.8],
    neck: [-3.2, -4.2],
    girth: [3.6, 3.0],
    head: &heads::COW,
    skull: 0.94,
    tail: "l M 1 M0 0C2 .4 2.6 2.6 2.4 5;p E M1.8 4.6C3 4.6 3.6 6.6 3.2 8.2C2 7.8 1.4 6 1.8 4.6z",
    trunk: Some(
        "p M M-8 -.8C-8.2 -3.2 -6 -4.1 -3.6 -4C-1 -3.9 1.6 -3.9 4 -4C6.8 -4.1 8.2 -2.6 8.1 -.2C8 2.4 7 3.6 5 3.6C2.6 3.6 -.4 3.7 -2.6 4C-5.6 4.3 -7.8 2.4 -8 -.8z;p I M1.6 3.4C1.8 4.6 4.6 4.8 5 3.4z",
    ),
    marks: "p E M-4.4 -4C-5.2 -1.6 -3.4 .4 -1.6 -.2C.4 -1 .6 -3 0 -3.9z;p E M3.6 -4C2.8 -2.6 4 -.6 5.6 -.8C7 -1 8 -1.8 7.9 -2C7.4 -3.4 6 -4 3.6 -4z;p E M.4 3.5C.2 2 1.6 1 3 1.4C4.2 1.8 4.6 2.8 4.2 3.5z",
    foot: 'A',
    hoof: true,
    ..PLAIN
};

pub const PIG: Beast = Beast {
    name: "pig-figure",
    metres: 0.8,
    coat: 0xffb3bf,
    light: 0xffc6cf,
    second: 0xf48a9d,
    mane: 0xc96a7c,
    body: [15.0, 9.0],
    leg: [3.0, 2.7],
    neck: [-2.6, -2.6],
    girth: [3.8, 3.4],
    head: &heads::PIG,
    tail: "l E .9 M0 0C1.6 -.2 2.4 -1.4 1.5 -1.9C.6 -2.2 .3 -.9 1.6 -.6C2.8 -.4 3.4 -1.2 3.6 -2.2",
    foot: 'A',
    hoof: true,
    ..PLAIN
};

pub const SHEEP: Beast = Beast {
    name: "sheep-figure",
    metres: 0.9,
    coat: 0xfaf6ee,
    light: 0xece5d8,
    second: 0x5a4d52,
    mane: 0x3d3338,
    body: [14.5, 9.0],
    leg: [3.8, 1.9],
    neck: [-2.8, -2.8],
    girth: [3.2, 2.6],
    head: &heads::SHEEP,
    tail: "o .9 .3 1.9 1.7 M",
    trunk: Some(
        "o -5.6 -1.6 2.8 2.6 M;o -2.4 -2.8 3 2.4 M;o 1.6 -2.9 3 2.4 M;o 5.2 -1.8 2.9 2.7 M;o 6.2 1 2.4 2.3 M;o 3.6 2.6 2.6 2 M;o 0 3 2.8 1.9 M;o -3.8 2.6 2.8 2 M;o -6.2 .9 2.4 2.4 M;o 0 0 6.4 3.4 M;l L .6 M-4.4 -.6Q-3.2 .6 -2 -.4;l L .6 M.4 .6Q1.6 1.8 2.8 .8;l L .6 M3.4 -1.6Q4.6 -.4 5.8 -1.4;l L .6 M-1.4 -2.4Q-.2 -1.2 1 -2.2",
    ),
    foot: 'A',
    hoof: true,
    sock: 'E',
    ..PLAIN
};

pub const GOAT: Beast = Beast {
    name: "goat-figure",
    metres: 0.8,
    coat: 0xd8c3a5,
    light: 0xf6eddf,
    second: 0xb09a7c,
    mane: 0x7d6650,
    body: [13.0, 7.0],
    leg: [5.4, 2.0],
    neck: [-2.4, -5.0],
    girth: [2.6, 2.0],
    head: &heads::GOAT,
    skull: 0.86,
    tail: "p M M-.4 -.4C.4 -2.4 2 -3.4 3.2 -3C3 -1.4 1.8 .6 -.2 1z",
    foot: 'A',
    hoof: true,
    ..PLAIN
};

pub const DEER: Beast = Beast {
    name: "deer-figure",
    metres: 1.5,
    coat: 0xc07a42,
    light: 0xf7e3c8,
    second: 0x8f552b,
    mane: 0x6b4630,
    body: [13.4, 6.4],
    leg: [7.4, 1.8],
    neck: [-3.0, -6.8],
    girth: [2.4, 1.7],
    head: &heads::DEER,
    skull: 0.88,
    tail: "p M M-.6 -.8C.8 -2.2 2.4 -2 2.8 -.6C2.4 .8 .8 1.2 -.6 .8z;p L M.6 .9C1.6 .7 2.4 .2 2.8 -.6C2.9 .8 1.8 1.6 .6 .9z",
    marks: "o -1 -2.4 .5 .7 L;o 1.4 -2.6 .5 .7 L;o 3.8 -2.4 .5 .7 L;o .2 -1 .45 .65 L;o 2.6 -1 .45 .65 L;o 5.2 -1.2 .45 .65 L",
    foot: 'A',
    hoof: true,
    ..PLAIN
};

pub const GIRAFFE: Beast = Beast {
    name: "giraffe-figure",
    metres: 4.5,
    coat: 0xf5c451,
    light: 0xfce6b0,
    second: 0xb86f2c,
    mane: 0x8a5426,
    body: [12.4, 7.4],
    leg: [9.4, 2.1],
    neck: [-4.2, -14.6],
    girth: [2.7, 1.6],
    head: &heads::GIRAFFE,
    skull: 0.8,
    tail: "l M .9 M0 0C1.6 .6 2.2 2.8 2 5.2;o 2 6 .8 1.3 A",
    trunk: Some(
        "p M M-8 -1C-8.2 -3.6 -6 -4.4 -3.6 -4.1C-1 -3.6 1.6 -3.2 4 -3C6.8 -2.8 8.2 -2 8.1 .2C8 2.4 7 3.4 5 3.4C2.6 3.3 -.4 3.6 -2.6 4C-5.6 4.4 -7.8 2.4 -8 -1z",
    ),
    marks: "p E M-5.6 -3L-3.4 -3.4L-2.6 -1.6L-4.6 -.4L-6.4 -1.4zM-1.4 -3.2L1.4 -2.8L1.2 -.8L-1 -.4L-2 -1.8zM2.6 -2.6L5 -2.4L5.6 -.6L3.6 .4L2.2 -.8zM-5.2 .6L-3 .4L-2.2 2.2L-4.4 3L-5.8 2zM-1 .8L1.2 .6L2 2.2L.2 3L-1.4 2.2zM3.4 1.4L5.4 .6L6.6 2L5 2.8z",
    neck_marks: "p E M-1.8 1L.4 .6L1.6 2L-.4 2.8zM-1.4 3.4L.8 3.2L1.4 4.6L-.8 4.9zM-1 5.5L.6 5.2L1 6.6L-.9 6.9zM-.9 7.4L.6 7.2L.8 8.4L-.7 8.6z",
    crest: "p A M1.8 -.6C2.8 -4 2.2 -9 1.4 -10.6L.4 -10L1 -.6z",
    foot: 'A',
    hoof: true,
    ..PLAIN
};

pub const CAMEL: Beast = Beast {
    name: "camel-figure",
    metres: 2.1,
    coat: 0xd9a35c,
    light: 0xe9c58c,
    second: 0xb37d3c,
    mane: 0x7a4f28,
    body: [15.4, 7.2],
    leg: [7.4, 2.2],
    neck: [-4.8, -6.2],
    girth: [2.7, 1.9],
    head: &heads::CAMEL,
    skull: 0.86,
    tail: "l M .9 M0 0C1.6 .6 2.2 2.4 2 4.4;o 2 5 .7 1.1 D",
    humps: "p M M-5.4 -2C-5.4 -5 -4.6 -8.4 -2.8 -8.4C-1 -8.4 -.4 -5.4 .6 -3.2C1.2 -5.6 1.8 -8.2 3.6 -8.2C5.6 -8.2 6.4 -5 7 -2z;p D M-4 -7.2C-3.6 -8 -3.2 -8.4 -2.8 -8.4C-1.9 -8.4 -1.3 -7.6 -.8 -6.6C-1.8 -5.8 -3.4 -6 -4 -7.2zM2.3 -7.2C2.7 -7.9 3.1 -8.2 3.6 -8.2C4.6 -8.2 5.3 -7.4 5.8 -6.4C4.6 -5.6 3 -6 2.3 -7.2z",
    foot: 'D',
    ..PLAIN
};
