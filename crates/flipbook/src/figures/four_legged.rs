//! Four-legged animals in side view: one skeleton with a body, a neck, legs of two segments and a tail.
//!
//! Bodies, marks and humps are drawn about the body's middle as if it were 16 long and 8 deep, and stretched; tails are
//! drawn about their root, wings and trunks about theirs.

use super::heads::{self, Head};
use super::pen::{Palette, draw, placed, related, shade};
use super::rig::Rig;
use super::skeleton::{Build, Figure, Joint, Shows};
use crate::codes::Kind;

#[derive(Clone, Copy, Debug)]
pub struct Beast {
    pub name: &'static str,
    pub kind: Kind,
    pub metres: f32,
    /// Coat, light parts, second colour, mane or hooves.
    pub coat: u32,
    pub light: u32,
    pub second: u32,
    pub mane: u32,
    /// Length and depth of the body.
    pub body: [f32; 2],
    /// Length below the belly, and width.
    pub leg: [f32; 2],
    /// From the chest to the middle of the skull.
    pub neck: [f32; 2],
    /// Half its width below and above.
    pub girth: [f32; 2],
    pub head: &'static Head,
    pub skull: f32,
    pub tail: &'static str,
    /// In place of the plain body.
    pub trunk: Option<&'static str>,
    /// Before the body: humps.
    pub humps: &'static str,
    /// On the body: stripes, spots.
    pub marks: &'static str,
    /// On the neck, about its foot, in units of its length (10 up along it), x across.
    pub neck_marks: &'static str,
    /// Marks lie over the legs, too: spines.
    pub cloak: bool,
    /// Behind the neck, up along it to -10: a mane.
    pub crest: &'static str,
    /// Letter of the feet: hooves are `A` or `E`, paws `M` or `L`.
    pub foot: char,
    pub hoof: bool,
    /// Letter of the lower legs.
    pub sock: char,
    pub wings: bool,
    pub trunk_nose: bool,
}

const BODY: &str = "p M M-8 -1C-8.2 -3.4 -6 -4.1 -3.6 -3.9C-1 -3.7 1.6 -3.9 4 -4C6.8 -4.1 8.2 -2.6 8.1 -.2C8 2.2 7 3.4 5 3.4C2.6 3.3 -.4 3.6 -2.6 4C-5.6 4.4 -7.8 2.4 -8 -1z
p L M-6.7 2.2C-3.6 3 2 2 5.8 2.3C6.2 2.8 5.6 3.4 5 3.4C2.6 3.3 -.4 3.6 -2.6 4C-4.4 4.2 -5.8 3.5 -6.7 2.2z";

const PLAIN: Beast = Beast {
    name: "",
    kind: Kind::Animal,
    metres: 0.8,
    coat: 0xe09a4c,
    light: 0xfbe3c2,
    second: 0xb8722f,
    mane: 0x5b3a26,
    body: [13.5, 7.0],
    leg: [4.6, 2.6],
    neck: [-2.6, -4.6],
    girth: [2.8, 2.6],
    head: &heads::DOG,
    skull: 1.0,
    tail: "",
    trunk: None,
    humps: "",
    marks: "",
    neck_marks: "",
    cloak: false,
    crest: "",
    foot: 'M',
    hoof: false,
    sock: 'M',
    wings: false,
    trunk_nose: false,
};

const HORSE: Beast = Beast {
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

pub const BEASTS: &[Beast] = &[
    Beast {
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
    },
    Beast {
        name: "dog-figure",
        metres: 0.6,
        coat: 0xdca05c,
        light: 0xf9e6c8,
        second: 0xb87436,
        tail: "l M 2 M0 .6C2.4 .4 3.8 -1.4 4 -4.4",
        neck_marks: "l #e8443a 1.3 M-3 5.2L3 5.6",
        foot: 'L',
        ..PLAIN
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast { name: "horse-figure", ..HORSE },
    Beast {
        name: "unicorn-figure",
        coat: 0xfaf6ff,
        light: 0xfaf6ff,
        second: 0xe4d8f2,
        mane: 0xff8ad0,
        head: &heads::UNICORN,
        crest: "p A M1 -1C3.6 -2 3.8 -6 3.2 -9.2C2.8 -11 1.4 -12.4 .2 -12.2L-.6 -9C.4 -6 .6 -3 1 -1z;p #8f7bff M1 -1C3.6 -2 3.9 -5 3.5 -7.6C2.4 -6.6 1.6 -5.4 .3 -4.6z;p #5fd0ff M1 -1C2.6 -1.6 3.4 -3 3.6 -4.6C2.6 -4 1.6 -3 .8 -2.6z",
        tail: "p A M-.6 -.8C3 -2 5.2 .6 5 4C4.9 6.4 5.6 8 6.2 8.8C3.6 9.4 1.4 7.8 1.5 5C1.5 3 1 1.6 -.6 .9z;p #8f7bff M2 -.4C4 1 3.4 5 4.2 9C5 9.1 5.6 8.9 6.2 8.8C5.6 8 4.9 6.4 5 4C5.1 1.6 4 -.4 2 -.4z;p #5fd0ff M3.6 1C4.4 3.4 4 6 4.9 9C5.4 9 5.8 8.9 6.2 8.8C5.6 8 4.9 6.4 5 4C5 2.8 4.6 1.8 3.6 1z",
        ..HORSE
    },
    Beast {
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
        ..HORSE
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
    Beast {
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
    },
];

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
