//! Kings, knights, wizards and everyone else whom a tale is told of.

use super::CROWN;
use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

pub const KNIGHT: Person = Person {
    name: "knight",
    girth: 1.16,
    skin: 0,
    hair: Hair::None,
    top: 0xb8c2d3,
    bottom: 0x97a3b8,
    shoe: 0x76829a,
    accent: 0xd93a49,
    glove: Some(0x76829a),
    chest: "p A M13.6 13.4H18.4L18.6 20.6L16 22L13.4 20.6z;p #ffd65a M15.3 14.6H16.7V16.2H18V17.6H16.7V20H15.3V17.6H14V16.2H15.3z;l #6d788e .9 M12.9 20.6H19.5",
    hat: "p A M1 -6C1.4 -9.4 5.8 -10.6 8.2 -7.8C9.8 -5.6 9.4 -2.4 8.2 -.6C8 -3.4 6.6 -5.4 4 -5.6z;p #c3ccdb M-4.8 -.6C-5 -4.2 -2.6 -6.6 .6 -6.6C4 -6.6 5.9 -4 5.7 -.4C5.6 2 5.2 4 4.2 5.2C3.4 5.4 2.6 5.2 2 4.8C3 3.6 3.2 1.6 2.9 -1C.4 -1.8 -2.4 -1.6 -4.8 -.6z;p #9fabc0 M3.4 -5.6C5.2 -4.6 5.8 -2.6 5.7 -.4C5.6 2 5.2 4 4.2 5.2C3.4 5.4 2.6 5.2 2 4.8C4.4 3.4 4.8 -1.8 3.4 -5.6z;p #dfe5ee M-5.2 -1.4C-5.4 -4 -3.4 -5.2 -1 -4.9L3 -3.2C3.4 -2.4 3.4 -1.6 3 -1C.4 -2 -2.6 -2 -5.2 -1.4z;o 2.6 -2 .7 .7 #7b88a1;l #7b88a1 .4 M-4 -3.2L-.6 -3.6;l #7b88a1 .4 M-3.8 -2.4L-.4 -2.8",
    arm: "p #d6dde8 M-1.9 1.2C-2.3 -2.2 2.3 -2.2 1.9 1.2C.8 2 -.8 2 -1.9 1.2z;o 0 3.5 1.3 1.1 #d6dde8",
    cuff: "r -1.6 1.6 3.2 1.8 .6 #d6dde8",
    shin: "o -.4 0 1.5 1.4 #d6dde8",
    ..ADULT
};

pub const WIZARD: Person = Person {
    name: "wizard",
    metres: 1.9,
    skin: 0,
    hair: Hair::Bald,
    hair_colour: 0xf1f1f6,
    top: 0x5b46b8,
    lower: Lower::Robe,
    bottom: 0x5b46b8,
    shoe: 0x6b4a2e,
    accent: 0xffd24a,
    chest: "l A .9 M12.9 20H19.5;p A M14.4 15.2L14.7 16L15.5 16.1L14.9 16.6L15.1 17.4L14.4 17L13.7 17.4L13.9 16.6L13.3 16.1L14.1 16z",
    hem: "l A .9 M10.9 29.2C13.6 30.4 18.6 30.4 21.4 29.2;p A M14 23.4L14.4 24.5L15.5 24.6L14.7 25.3L14.9 26.4L14 25.8L13.1 26.4L13.3 25.3L12.5 24.6L13.6 24.5z;o 17.6 23 .45 .45 A;o 17.2 27 .45 .45 A",
    hat: "p T M-4.6 -2.8C-3 -6.6 -1.6 -9.6 .6 -13.6C1.6 -14.4 4.4 -13 4.8 -12C3.6 -12.2 3 -11.8 2.8 -11C3.6 -8.4 4.6 -5.4 5.4 -2.2z;p t M2.2 -12.8C2 -9.4 2.6 -5.6 2.6 -2.4L5.4 -2.2C4.6 -5.4 3.6 -8.4 2.8 -11C3 -11.8 3.6 -12.2 4.8 -12C4.4 -12.8 3 -13.6 2.2 -12.8z;p T M-7.6 -1.8C-5 -4.2 5.4 -4.4 8.2 -1.4C5.6 -2.4 -4.6 -2.8 -7.6 -1.8z;p A M-4.4 -3.2C-2 -4.2 2.6 -4.2 5.1 -2.9L4.8 -4.2C2.4 -5.4 -1.8 -5.4 -3.9 -4.4z;p A M-.6 -9.4L-.2 -8.4L.8 -8.3L.1 -7.6L.3 -6.6L-.6 -7.2L-1.5 -6.6L-1.3 -7.6L-2 -8.3L-1 -8.4z",
    beard: "p H M-4.2 1C-3.8 2 -2.6 2 -1.9 1.6C-1.2 1.2 -.6 1.2 0 1.6C1.2 2.2 2.8 1.8 3.4 .6C4.2 2.6 3.6 5.4 2.4 7.8C1.4 9.8 .2 11.6 -1 12.2C-2.6 11 -3.8 8.4 -4.3 5.4C-4.6 3.6 -4.6 2 -4.2 1z;p #d9d9e4 M2 2C2.8 5 1 9 -1 12.2C.2 11.6 1.4 9.8 2.4 7.8C3.6 5.4 4.2 2.6 3.4 .6C3 1.4 2.6 1.8 2 2z",
    ..ADULT
};

pub const WITCH: Person = Person {
    name: "witch-figure",
    skin: 0,
    hair: Hair::Wavy,
    hair_colour: 0xe8742c,
    lashes: true,
    top: 0x45395e,
    lower: Lower::Skirt,
    bottom: 0x45395e,
    shoe: 0x2b2438,
    accent: 0x9b5de5,
    chest: "l A 1 M12.9 19.9H19.5;r 14.7 19.1 2 1.7 .3 #ffc83d;p A M14.4 12L16 14L17.7 12z",
    hat: "p T M-4.6 -2.8C-3 -6.6 -1.4 -9.6 .8 -13C2 -14.2 5.4 -13.2 6.2 -11.2C4.6 -11.8 3.4 -11.4 3 -10.4C3.8 -8 4.8 -5.4 5.4 -2.2z;p T M-8.2 -1.8C-5 -4.4 6 -4.6 9 -1.2C6 -2.2 -5 -2.8 -8.2 -1.8z;p A M-4.4 -3.2C-2 -4.2 2.6 -4.2 5.1 -2.9L4.7 -4.6C2.4 -5.8 -1.6 -5.8 -3.7 -4.8z;r -1.1 -5.6 2 1.7 .3 #ffc83d",
    shin: "l A .8 M-1.2 .8H1.2;l A .8 M-1.2 2.6H1.2",
    ..ADULT
};

pub const PIRATE: Person = Person {
    name: "pirate",
    skin: 2,
    hair: Hair::Wavy,
    hair_colour: 0x2d201d,
    top: 0xa3293a,
    lower: Lower::Coat,
    bottom: 0x3d4258,
    shoe: 0x2b2530,
    accent: 0xffc83d,
    girth: 1.1,
    chest: "p W M13.9 12.1L15.4 22H17L18 12z;p #3c5f9e M14.2 14H17.9L17.7 15.4H14.4zM14.6 16.8H17.5L17.4 18.2H14.8zM15 19.6H17.2L17.1 21H15.2z;l #2b2530 1 M13 20.9H19.6;r 14.9 20 1.9 1.8 .3 A",
    hat: "p #2f2b3d M-6.4 -2.2C-7.6 -5 -4.6 -7.6 -1.6 -6.6C-.2 -8.8 2.6 -8.6 3.6 -6.4C6.4 -7 8.6 -4.4 7 -1.6C3.6 -3.4 -2.8 -3.6 -6.4 -2.2z;l A .5 M-6.6 -2.5C-3 -3.9 3.6 -3.8 7.2 -2;o .6 -5.7 1.15 1.1 W;r 0 -5.1 1.2 1.1 .3 W;o .2 -5.7 .28 .3 #2f2b3d;o 1 -5.7 .28 .3 #2f2b3d",
    mask: "p #2b2530 M-.5 -.9C.2 -1.4 1.6 -1.4 2.2 -.8C2.3 .7 1.7 1.5 .8 1.5C0 1.5 -.6 .6 -.5 -.9z;l #2b2530 .45 M-4.3 -1.6L-.3 -.7L2 -.6L4 -1.4",
    beard: "p H M-4.2 1.6C-3.2 2.4 -2.2 2 -1 2C.4 2 2.2 2.4 3.6 .8C3.9 3.4 2.2 5.6 -.6 5.7C-2.8 5.7 -4.1 4 -4.2 1.6z;o -.8 3.1 1.6 .8 S",
    shin: "p #2b2530 M-1.8 1H1.8L1.5 4.4H-1.5z",
    ..ADULT
};

pub const KING: Person = Person {
    name: "king",
    girth: 1.22,
    skin: 0,
    hair: Hair::Bob,
    hair_colour: 0x8a5426,
    top: 0xb3243f,
    lower: Lower::Coat,
    bottom: 0xf0e6d8,
    shoe: 0x6b3b22,
    accent: 0xffc83d,
    cape: Some(0xc92f4a),
    chest: "l A .6 M16 13V21.8;p W M12.9 14.4C13.4 11.4 18.8 11.4 19.5 14.4C18 15.6 14.4 15.6 12.9 14.4z;o 14.6 14 .3 .4 K;o 16.2 14.5 .3 .4 K;o 17.9 14 .3 .4 K;l A .9 M12.9 20H19.5",
    hat: CROWN,
    beard: "p H M-4.2 1.2C-3.4 2.4 -2.4 1.8 -1 1.9C.4 1.9 2.4 2.2 3.6 .6C4.2 3.6 2.6 6.4 -.6 6.6C-3 6.6 -4.4 4.2 -4.2 1.2z;o -.8 3.1 1.5 .75 S",
    ..ADULT
};

pub const QUEEN: Person = Person {
    name: "queen",
    skin: 3,
    hair: Hair::Bun,
    hair_colour: 0x2d201d,
    lashes: true,
    top: 0x7b3fb5,
    lower: Lower::Gown,
    bottom: 0x7b3fb5,
    shoe: 0xffc83d,
    accent: 0xffc83d,
    cape: Some(0xb3243f),
    chest: "p S M13.9 12C14.4 14.4 17.8 14.4 18.3 12z;l A .5 M13.9 12.6C14.6 15 17.6 15 18.3 12.6;o 16 14.6 .55 .6 #3bd1c4;l A .9 M12.8 19.6H19.6",
    hem: "p #f3e3ff M15.3 19.8H16.9C17.4 23 18.4 26.6 18.6 30.3C17 30.6 14.6 30.6 13 30.3C13.4 26.6 14.6 23 15.3 19.8z;l A .7 M8.8 28.7C13 30.6 19.6 30.6 23.6 28.7",
    hat: CROWN,
    ..ADULT
};

pub const PRINCESS: Person = Person {
    name: "princess-figure",
    metres: 1.6,
    head: 1.08,
    girth: 0.94,
    legs: 0.94,
    skin: 0,
    hair: Hair::Wavy,
    hair_colour: 0xf2bd4b,
    lashes: true,
    top: 0xff7fb5,
    sleeve: Sleeve::Short,
    lower: Lower::Gown,
    bottom: 0xff9cc8,
    shoe: 0xd94f8b,
    accent: 0xffe27a,
    chest: "p S M13.8 12C14.4 14.2 17.8 14.2 18.4 12z;l W .6 M13.4 13.6C14.8 15.2 17.4 15.2 18.9 13.6;l A .8 M12.8 19.6H19.6",
    hem: "p #ffd1e6 M15.4 20H16.8C17.3 23 18 26 18.2 29.4C16.8 29.7 14.8 29.7 13.4 29.4C13.8 26 14.8 23 15.4 20z",
    arm: "o 0 .6 1.9 1.8 T",
    hat: "p A M-3.7 -3.4L-3.9 -5.4L-2 -4.9L-.6 -7.4L1 -5L3.2 -5.6L2.8 -3.6C.8 -4.6 -1.6 -4.6 -3.7 -3.4z;o -.6 -5.2 .6 .7 #ff5fa2",
    ..ADULT
};

pub const NINJA: Person = Person {
    name: "ninja",
    skin: 1,
    hair: Hair::None,
    hair_colour: 0x2b2b33,
    top: 0x3b3f54,
    bottom: 0x3b3f54,
    shoe: 0x25262f,
    accent: 0xe8443a,
    glove: Some(0x25262f),
    chest: "l #25262f .6 M14 12.2L17.4 17L18.4 12.2;l A 1.2 M12.9 19.9H19.5",
    behind: "p A M4 -2.4C6 -3.4 7.6 -2.6 9.4 -3.6C8.8 -2.2 8.4 -1.6 9.6 -.2C7.6 -.6 6 .2 4 -1z",
    hat: "p T M-4.9 -1.6C-5.2 -4.4 -2.6 -5.9 .4 -5.7C4 -5.6 5.8 -3 5.3 .6C5 3.8 3 5.6 -.2 5.6C-3.2 5.6 -4.9 4 -4.9 1.6C-2 2.2 1 2.2 3 1.2C3.6 .4 3.6 -.6 3 -1.4C.6 -1.9 -2.4 -1.9 -4.9 -1.6z;p t M3.2 -4.8C4.8 -3.6 5.5 -1.6 5.3 .6C5 3.8 3 5.6 -.2 5.6C2.6 4.6 4 3 4.2 .4C4.3 -1.6 4 -3.4 3.2 -4.8z;p A M-4.9 -3.2C-2.4 -3.9 2.6 -3.9 5.3 -2.2L5.4 -.6C2.6 -2.3 -2.4 -2.3 -5 -1.5z;o 5 -1.3 .8 .9 a",
    beard: "l #2b2b33 .55 M-3.1 -1L-1.8 -.7M2 -1L.5 -.7",
    mouth: false,
    shin: "l #25262f .5 M-1.3 1L1.3 1.6M-1.3 2.2L1.3 2.8",
    ..ADULT
};

pub const SUPERHERO: Person = Person {
    name: "superhero-figure",
    metres: 1.85,
    girth: 1.16,
    skin: 1,
    hair: Hair::Side,
    hair_colour: 0x2b2430,
    top: 0x2f6fde,
    bottom: 0x2f6fde,
    shoe: 0xe23b36,
    accent: 0xffc83d,
    glove: Some(0xe23b36),
    cape: Some(0xe23b36),
    chest: "p A M13.6 14.6H18.4L18.9 15.8L16 19.4L13.1 15.8z;p #e23b36 M16.9 15L14.6 17.2H15.8L15.1 18.6L17.4 16.4H16.2z;p #e23b36 M12.7 20.2H19.7C19.7 21.4 19 22 17.9 22H14.4C13.3 22 12.7 21.4 12.7 20.2z;l A .9 M12.9 20H19.6",
    mask: "",
    beard: "p #e23b36 M-4.35 -.9C-2.6 -1.6 1.6 -1.7 3.4 -.9C3.6 .8 2.4 1.9 .9 1.6C0 1.4 -.6 .9 -.9 .6C-1.4 1.2 -2.4 1.7 -3.2 1.5C-4.2 1.2 -4.4 0 -4.35 -.9z;o -2.3 .1 .9 .95 W;o .85 .1 1 1 W",
    cuff: "r -1.5 1.5 3 1.9 .5 #e23b36",
    shin: "p #e23b36 M-1.6 1.2H1.6L1.4 4.4H-1.4z",
    ..ADULT
};

pub const SANTA: Person = Person {
    name: "santa",
    girth: 1.34,
    skin: 0,
    hair: Hair::Bald,
    hair_colour: 0xffffff,
    top: 0xe0313a,
    bottom: 0xe0313a,
    shoe: 0x2b2530,
    accent: 0xffc83d,
    glove: Some(0x2b2530),
    chest: "r 15.1 13 1.8 9 .3 W;r 12.6 18.3 7.2 1.7 .3 #2b2530;r 14.7 17.9 2.5 2.4 .4 A;r 15.4 18.6 1.1 1 .2 #2b2530;r 12.6 21 7.2 1.3 .6 W",
    cuff: "r -1.65 2 3.3 1.4 .7 W",
    shin: "r -1.75 1.6 3.5 1.3 .6 W;p #2b2530 M-1.5 2.8H1.5L1.4 4.4H-1.4z",
    hat: "p T M-4.4 -3.2C-4 -7.4 0 -9.2 3.6 -8.2C7 -7.2 8.8 -4.2 8.6 -.4C7.8 -2.4 6.6 -3.2 5.2 -2.6z;p t M3.6 -8.2C7 -7.2 8.8 -4.2 8.6 -.4C7.8 -2.4 6.6 -3.2 5.2 -2.6C5.4 -4.6 5 -6.6 3.6 -8.2z;r -5.2 -4.2 10.8 2.3 1.1 W;o 8.5 .6 1.4 1.4 W",
    beard: "p H M-4.4 .8C-3.8 2 -2.8 2 -1.9 1.6C-1.2 1.2 -.6 1.2 0 1.6C1.4 2.2 2.8 1.8 3.6 .2C5 2.4 4.8 5.2 3 6.8C2 7.8 .4 8.4 -1 8.2C-3.8 7.8 -5.4 4.4 -4.4 .8z;p w M-3.2 2.6C-2.6 1.8 -1.4 1.8 -.9 2.3C-.3 1.8 1 1.8 1.7 2.6C1 3.2 -.2 3.2 -.9 2.8C-1.6 3.2 -2.6 3.2 -3.2 2.6z",
    ..ADULT
};

pub const MERMAID: Person = Person {
    name: "mermaid-figure",
    girth: 0.92,
    skin: 1,
    hair: Hair::Wavy,
    hair_colour: 0xd9433b,
    lashes: true,
    top: 0xf6c99b,
    sleeve: Sleeve::None,
    lower: Lower::Fin,
    bottom: 0x2bb5a0,
    accent: 0xb06fd8,
    chest: "p A M12.9 15.2C14 14.2 15.6 14.4 16 15.6C16.6 14.4 18.4 14.2 19.6 15.2C19.6 17 18.6 17.8 17.6 17.6C16.8 17.6 16.2 17 16 16.4C15.7 17 15.2 17.6 14.4 17.6C13.4 17.8 12.8 16.8 12.9 15.2z",
    hat: "p #ffe27a M-2.2 -5.4L-1.6 -4.2L-.3 -4.1L-1.2 -3.2L-1 -2L-2.2 -2.6L-3.4 -2L-3.2 -3.2L-4.1 -4.1L-2.8 -4.2z",
    ..ADULT
};
