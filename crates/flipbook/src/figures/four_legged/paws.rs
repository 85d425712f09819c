//! Beasts on paws, as data: pets, the hunters, and the dragon.

use super::{Beast, PLAIN};
use crate::codes::Kind;
use crate::figures::heads;

pub const CAT: Beast = Beast {
    name: "cat-figure",
    metres: 0.4,
    coat: 0xf2a541,
    light: 0xfff0d9,
    second: 0xd17f22,
    body: [12.6, 6.4],
    leg: [4.2, 2.3],
    neck: [-2.6, -4.4],
    head: &heads::CAT,
    tail: "l M 1.9 M0 .4C3.4 .8 4.8 -1.4 4.5 -4.2C4.3 -6 4.8 -7.2 6 -7.6;l E 1.9 M4.5 -4.9C4.4 -6.2 4.9 -7.3 6 -7.6",
    marks: "p E M-1.6 -4L-.9 -1.2L0 -4zM1.6 -4L2.2 -1.2L3.2 -4.1zM4.6 -4.1L4.8 -1.4L6 -3.9z",
    foot: 'L',
    ..PLAIN
};

pub const DOG: Beast = Beast {
    name: "dog-figure",
    metres: 0.6,
    coat: 0xdca05c,
    light: 0xf9e6c8,
    second: 0xb87436,
    tail: "l M 2 M0 .6C2.4 .4 3.8 -1.4 4 -4.4",
    neck_marks: "l #e8443a 1.3 M-3 5.2L3 5.6",
    foot: 'L',
    ..PLAIN
};

pub const FOX: Beast = Beast {
    name: "fox-figure",
    metres: 0.45,
    coat: 0xf27a32,
    light: 0xfff6ea,
    second: 0x4a3230,
    body: [12.6, 6.0],
    leg: [4.6, 2.1],
    neck: [-2.8, -4.4],
    head: &heads::FOX,
    tail: "p M M-1 -1C1.6 -4.2 6.6 -5.4 9.4 -3.4C10.8 -2.4 11.4 -.6 11.6 1C8.6 3.6 3 3.8 -.8 1.2z;p L M9.2 -3.5C10.8 -2.4 11.4 -.6 11.6 1C10.6 1.9 9.4 2.5 8.1 2.8C8.6 2 8 1.4 8.8 .6C8 0 9 -.8 8.4 -1.6C9.4 -2 8.8 -2.8 9.2 -3.5z",
    foot: 'E',
    sock: 'E',
    ..PLAIN
};

pub const WOLF: Beast = Beast {
    name: "wolf-figure",
    metres: 0.8,
    coat: 0x8591a5,
    light: 0xeef2f7,
    second: 0x5d6880,
    body: [13.6, 6.8],
    leg: [5.6, 2.4],
    neck: [-3.0, -4.6],
    head: &heads::FOX,
    tail: "p M M-1 -1C1.8 -2.8 5.4 -1.6 7.2 1C8.4 2.8 8.8 4.6 8.8 6C5.2 6 1.2 4.4 -.8 1.4z;p E M7.2 1C8.4 2.8 8.8 4.6 8.8 6C7.4 6 5.8 5.7 4.4 5.1C5.6 4.4 7 3 7.2 1z",
    marks: "p E M-5.6 -4C-2 -3.8 2 -3.8 6.6 -3.4C5 -2.2 3.4 -2.8 2.4 -1.8C1 -2.8 -.2 -1.8 -1.4 -2.6C-2.8 -1.8 -4.4 -2.6 -5.6 -4z",
    foot: 'L',
    sock: 'L',
    ..PLAIN
};

pub const BEAR: Beast = Beast {
    name: "bear-figure",
    metres: 1.5,
    coat: 0x93603a,
    light: 0xd9a876,
    second: 0x734726,
    body: [15.5, 9.4],
    leg: [4.2, 3.7],
    neck: [-3.2, -3.8],
    girth: [4.2, 3.6],
    head: &heads::BEAR,
    tail: "o .8 0 1.5 1.4 D",
    trunk: Some(
        "p M M-8 -.6C-8.2 -3.2 -6 -4.2 -3.6 -4.2C-1 -4.2 1.6 -4 4 -4C6.8 -4 8.3 -2.4 8.2 0C8.1 2.6 7 3.8 5 3.8C2.6 3.8 -.4 4 -2.6 4C-5.6 4.2 -7.8 2.4 -8 -.6z",
    ),
    foot: 'D',
    ..PLAIN
};

pub const LION: Beast = Beast {
    name: "lion-figure",
    metres: 1.2,
    coat: 0xf0b04a,
    light: 0xfde6b8,
    second: 0xa8551f,
    body: [14.6, 7.0],
    leg: [5.0, 2.8],
    neck: [-2.8, -4.2],
    girth: [3.2, 2.8],
    head: &heads::LION,
    tail: "l M 1.2 M0 .2C3 .2 4.2 2 4.2 4.2C4.2 5.8 5 6.6 6 6.4;p E M5.2 6.4C5.4 5 7 4.6 8.4 3.6C9 5.4 8.2 7.8 6.4 8.2C5.4 8.2 5 7.4 5.2 6.4z",
    foot: 'L',
    ..PLAIN
};

pub const TIGER: Beast = Beast {
    name: "tiger-figure",
    metres: 1.1,
    coat: 0xf59331,
    light: 0xfff3e0,
    second: 0x3b2d2b,
    body: [15.0, 7.0],
    leg: [4.8, 2.8],
    neck: [-2.8, -4.0],
    girth: [3.2, 2.8],
    head: &heads::TIGER,
    tail: "l M 1.8 M0 .4C3.2 .6 5 -1.2 5.2 -4C5.3 -5.8 6.2 -6.8 7.4 -6.8;l E 1.9 M3.4 -.6L3.8 -1;l E 1.9 M5.1 -3.4L5.2 -3.8;l E 1.8 M6.6 -6.6L7.4 -6.8",
    marks: "p E M-4.4 -3.9L-3.6 -.4L-2.6 -3.8zM-1.4 -3.8L-.6 0L.5 -3.8zM1.8 -3.9L2.4 -.2L3.6 -4zM4.8 -4L5 -.8L6.6 -3.7zM-2.4 3L-1.8 .8L-.8 2.9zM1 2.6L1.6 .6L2.6 2.6zM7.9 -1.4L5.8 -.2L8 .2z",
    foot: 'L',
    ..PLAIN
};

pub const RACCOON: Beast = Beast {
    name: "raccoon-figure",
    metres: 0.4,
    coat: 0x8c919e,
    light: 0xf1f2f5,
    second: 0x3f414d,
    body: [12.6, 7.4],
    leg: [3.2, 2.3],
    neck: [-2.6, -3.6],
    girth: [3.2, 2.8],
    head: &heads::RACCOON,
    tail: "p M M-1 -1C1.6 -3.6 6 -4.8 9 -3.4C10.6 -2.4 10.8 -.4 9.8 .8C7 2.8 2.6 3.2 -.8 1.4z;p E M2 -2.8L3.9 -3.8C4.7 -1.8 4.4 .8 3.4 2.4L1.7 2.3C2.8 .8 2.9 -1.2 2 -2.8zM5.8 -4.2L7.6 -3.9C8.3 -2.2 8 -.2 6.9 1.9L5.2 2.2C6.4 .4 6.6 -2 5.8 -4.2zM9 -3.4C10.6 -2.4 10.8 -.4 9.8 .8C9.5 1 9.2 1.2 8.8 1.3C9.6 -.4 9.6 -2 9 -3.4z",
    foot: 'E',
    sock: 'E',
    ..PLAIN
};

pub const HEDGEHOG: Beast = Beast {
    name: "hedgehog-figure",
    metres: 0.22,
    coat: 0xedcfa6,
    light: 0xf6dfbf,
    second: 0x6b4a3a,
    body: [13.0, 8.4],
    leg: [1.8, 2.1],
    neck: [-1.6, -0.6],
    girth: [3.2, 3.0],
    head: &heads::HEDGEHOG,
    skull: 1.08,
    cloak: true,
    trunk: Some("p L M-8 1C-7 4 5 4.6 7.4 2.6L6 -2H-6z"),
    humps: "",
    marks: "p E M-6.6 1.4L-8.2 -.4L-6.6 -.8L-7.8 -2.8L-5.8 -2.6L-6.2 -5L-4 -4.2L-3.6 -6.4L-1.6 -5L-.4 -7L1.2 -5.2L3.2 -6.6L3.8 -4.4L6.2 -5L6 -2.8L8.4 -2.4L7.2 -.6L9.2 .6L7.4 1.6L8.6 3.2C4 2.4 -2 2.8 -6.6 1.4z;l #94705c .5 M-4 -2.6L-3.2 -1.4;l #94705c .5 M-1 -3.6L-.4 -2.2;l #94705c .5 M2.2 -3.4L2.6 -2;l #94705c .5 M5 -2L5 -.6;l #94705c .5 M-2.4 -.4L-1.8 .8;l #94705c .5 M.8 -.8L1.2 .6;l #94705c .5 M3.8 .2L3.9 1.4",
    ..PLAIN
};

pub const DRAGON: Beast = Beast {
    name: "dragon-figure",
    metres: 3.5,
    kind: Kind::Flyer,
    coat: 0x3fb86b,
    light: 0xfbe49a,
    second: 0x2f9a57,
    mane: 0xff8a3d,
    body: [14.0, 8.4],
    leg: [4.2, 3.1],
    neck: [-4.4, -7.4],
    girth: [3.4, 2.4],
    head: &heads::DRAGON,
    skull: 1.12,
    tail: "p M M-2 -2.6C2.4 -2.4 5 .6 8.8 -.2C10.8 -.8 11.6 -2.6 11.8 -4.4L13.4 -4.2C14 -.8 13 2.6 9.6 3.6C5.4 4.6 .8 3.8 -2 2.6z;p A M12.6 -3.4C10.6 -4.2 10 -5.6 10.4 -7.2C11.2 -6.6 11.8 -6.6 12.4 -7.8C13.4 -6.8 14 -6.8 15 -7.4C15.4 -5.6 14.6 -4.2 12.6 -3.4z;p A M2.6 -1.4L4 -3L5 -.4zM6 .2L7.8 -1.6L8.4 -.1z",
    humps: "p A M-4.6 -3.4L-3.4 -5.6L-1.8 -3.4zM-1.6 -3.4L-.2 -5.6L1.4 -3.4zM1.8 -3.4L3.2 -5.4L4.8 -3.4zM5 -3L6.6 -4.8L7.4 -2.4z",
    neck_marks: "p L M-3.2 -1C-2.8 3 -2.6 6 -2.6 9.4L-1 9C-.8 6 -.9 3 -1.2 -.6z",
    crest: "p A M1.8 -2L4.4 -3L2 -4.4zM1.6 -4.8L4 -5.8L1.6 -7zM1.4 -7.4L3.6 -8.4L1.2 -9.4z",
    foot: 'D',
    wings: true,
    ..PLAIN
};
