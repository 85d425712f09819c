//! People of sports, and musicians in what they play in.

use super::CAP;
use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

pub const GOALKEEPER: Person = Person {
    name: "goalkeeper",
    metres: 1.8,
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x4a2f23,
    top: 0x46b94a,
    lower: Lower::Shorts,
    bottom: 0x26303f,
    shoe: 0xf28a2c,
    accent: 0xffffff,
    glove: Some(0xf2f2f6),
    chest: "p t M12.9 14.5L16 17L19.6 14.5L19.7 16.6L16 19.2L12.7 16.6z;p A M15.5 13.6L16.6 13.2V16.4H15.7V14.6z",
    cuff: "r -1.7 2.4 3.4 1.3 .5 #e8443a;o 0 4.3 1.7 1.8 G;o -1.4 3.9 .7 1 G",
    shin: "r -1.4 .8 2.8 3 .5 #46b94a;r -1.4 1 2.8 .6 .1 W",
    ..ADULT
};

pub const GYMNAST: Person = Person {
    name: "gymnast",
    metres: 1.55,
    girth: 0.9,
    skin: 1,
    hair: Hair::Bun,
    hair_colour: 0x5a3522,
    lashes: true,
    top: 0xb02f86,
    lower: Lower::Shorts,
    bottom: 0xb02f86,
    shoe: 0xf6c99b,
    accent: 0xffd84a,
    chest: "p S M14 12C14.4 13.8 17.8 13.8 18.2 12z;l A .5 M13 16.6C15 18.6 17.6 18.6 19.5 16.6;l A .4 M13 18C15 20 17.6 20 19.5 18;o 16 15.2 .5 .5 A",
    ..ADULT
};

pub const FIGURE_SKATER: Person = Person {
    name: "figure-skater",
    metres: 1.6,
    girth: 0.9,
    skin: 0,
    hair: Hair::Bun,
    hair_colour: 0x7a4a26,
    lashes: true,
    top: 0x4a7fe0,
    lower: Lower::Tutu,
    bottom: 0xf0d9c8,
    shoe: 0xf4f6fb,
    accent: 0x9fc4ff,
    chest: "p S M14 12C14.4 14 17.8 14 18.2 12z;o 14.6 16.2 .3 .3 W;o 16.6 15.6 .3 .3 W;o 15.4 18 .3 .3 W;o 17.8 17.8 .3 .3 W;o 14 19.4 .3 .3 W;o 16.8 20 .3 .3 W",
    shin: "p W M-1.5 1.8H1.5L1.5 4.6H-1.6z;l #9aa6bd .7 M-3.4 5.55H2",
    ..ADULT
};

pub const TENNIS_PLAYER: Person = Person {
    name: "tennis-player",
    skin: 2,
    hair: Hair::Ponytail,
    hair_colour: 0x3a241a,
    lashes: true,
    top: 0xffffff,
    sleeve: Sleeve::None,
    lower: Lower::Skirt,
    bottom: 0xffffff,
    shoe: 0xffffff,
    accent: 0x39b38a,
    chest: "p S M14 12C14.4 14 17.8 14 18.2 12z;l A .5 M14 12.4C14.6 14.4 17.6 14.4 18.2 12.4;l A .6 M13.2 14V21.6",
    hem: "l A .6 M10.9 25C14 26.4 18.4 26.4 21.4 25",
    hat: "l A 1.1 M-4.3 -2.6C-1.8 -3.8 2 -3.8 4.8 -2.2",
    ..ADULT
};

pub const BASEBALL_PLAYER: Person = Person {
    name: "baseball-player",
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x4a2f23,
    top: 0xf4f4f8,
    sleeve: Sleeve::Short,
    bottom: 0xf4f4f8,
    shoe: 0x26242e,
    accent: 0x2b54b0,
    chest: "l #2b54b0 .25 M14.2 12.4V21.8M16 12.4V21.8M17.8 12.4V21.8;l A .6 M14.6 12L16 13.4L17.6 12M16 13.4V21.8;r 12.8 20.8 6.9 .9 .2 A",
    hat: CAP,
    shin: "r -1.5 1.4 3 2.6 .4 A",
    ..ADULT
};

pub const GOLFER: Person = Person {
    name: "golfer",
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x8a6a4a,
    top: 0xf2a8b8,
    sleeve: Sleeve::Short,
    bottom: 0xe9e2d0,
    shoe: 0xffffff,
    accent: 0xffffff,
    glove: None,
    chest: "p W M14.4 12L16 13.6L17.8 12L18.2 12.8L16 15L14 12.8z;l t .4 M16 14.6V17.6;l #6b4a2e .8 M12.9 21.2H19.6",
    hat: CAP,
    ..ADULT
};

pub const HOCKEY_PLAYER: Person = Person {
    name: "hockey-player",
    girth: 1.3,
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x5a3a22,
    top: 0xc9303a,
    bottom: 0x26324a,
    shoe: 0x2a2a33,
    accent: 0xffffff,
    glove: Some(0x26324a),
    chest: "p A M12.7 18.6H19.7V20H12.7z;p #26324a M12.7 20H19.7V20.6H12.7z;p A M15.4 13.8L16.6 13.4V17H15.6V15z",
    cuff: "r -1.9 1.8 3.8 2.6 .8 #26324a",
    hat: "p A M-4.8 -1.6C-5 -5.6 -2.4 -7.2 .6 -7.2C4 -7.2 6 -5.2 5.6 -.4L4.6 1.8L3 -.6C.4 -2.2 -2.4 -2.4 -4.8 -1.6z;l a .5 M-1.6 -6.8C-1 -5 -1 -3.6 -1.2 -2.6;l #26324a .5 M4.2 .8C4 3.4 2 4.8 -.2 4.9",
    shin: "r -1.7 0 3.4 3.4 .8 A;l #c9303a .8 M-1.6 1.6H1.6;l #9aa6bd .7 M-3.4 5.55H2",
    ..ADULT
};

pub const FOOTBALL_PLAYER: Person = Person {
    name: "american-football-player",
    metres: 1.85,
    girth: 1.34,
    skin: 3,
    hair: Hair::None,
    top: 0x2b54b0,
    sleeve: Sleeve::Short,
    bottom: 0xf1f1f6,
    shoe: 0x26242e,
    accent: 0xffc83d,
    chest: "p W M13.8 15.4H15.4V16.2H14.6V17.2H15.4C16 17.8 15.8 19.4 13.8 19.4V18.6H14.6V18H13.8z;p W M16.6 15.4H18.4V19.4H17.6V16.2H16.6z;r 12.8 20.9 6.9 .8 .1 A",
    arm: "l A .6 M-1.4 1.2H1.4",
    hat: "p T M-4.6 -1.2C-5 -5.4 -2.4 -7.4 .8 -7.4C4.6 -7.4 6.6 -4.6 6.2 -.6C6 2.2 5 4.4 3 4.8C2.2 3.4 2.4 1.4 2.2 -.6C0 -1.6 -2.4 -1.6 -4.6 -1.2z;l A 1 M-2.8 -6C-1 -7.2 3 -7.2 5 -5;o 4 .6 .7 .7 A;l #e3e3ec .7 M2.4 2.2H-4.6M2.6 3.8H-3.8M-4.6 1V4.4",
    ..ADULT
};

pub const KARATEKA: Person = Person {
    name: "karateka",
    skin: 2,
    hair: Hair::Short,
    hair_colour: 0x1f1b24,
    top: 0xf7f7fa,
    bottom: 0xf7f7fa,
    shoe: 0xdba171,
    accent: 0x26242e,
    chest: "p S M14.8 12L16.2 15.4L17.6 12z;l w .6 M14.4 12L18 20M17.8 12L16 15.6;r 12.7 19.4 7 1.3 .3 A;l A .8 M15.4 20.4L14.6 22.6M16 20.4L16.6 22.6",
    ..ADULT
};

pub const CHEERLEADER: Person = Person {
    name: "cheerleader",
    metres: 1.6,
    girth: 0.92,
    skin: 1,
    hair: Hair::Ponytail,
    hair_colour: 0xd9a441,
    lashes: true,
    top: 0xe0313a,
    sleeve: Sleeve::None,
    lower: Lower::Skirt,
    bottom: 0xe0313a,
    shoe: 0xffffff,
    accent: 0xffffff,
    chest: "l A .8 M13 14.4L16 17.4L19.4 14.4;p S M14.4 12L16 13.6L17.8 12z",
    hem: "p A M13.8 20H14.8L13.4 25.6H12zM17.2 20H18.2L20 25.6H18.6z",
    cuff: "o 0 4.3 2.6 2.4 #ffd84a;o -1.4 3.4 1 1 #fff0a8;o 1.2 5.2 1 1 #fff0a8;o -1 5.6 .8 .8 #e8b92f",
    ..ADULT
};

pub const SWIMMER: Person = Person {
    name: "swimmer",
    skin: 1,
    hair: Hair::None,
    top: 0x2f63d0,
    sleeve: Sleeve::None,
    lower: Lower::Shorts,
    bottom: 0x2f63d0,
    shoe: 0xf6c99b,
    accent: 0xe8443a,
    chest: "p S M13.4 12.6C14.4 15.4 17.8 15.4 18.8 12.6C17.6 11.7 14.8 11.7 13.4 12.6z;l A .7 M13 18.8H19.6",
    hat: "p A M-4.5 -1.4C-4.8 -4.6 -2.6 -6.2 .4 -6.2C4 -6.2 5.8 -3.4 5.2 -.2C2 -1.6 -2 -1.8 -4.5 -1.4z;l W .5 M-1.4 -5.8C-.6 -4.4 -.6 -3 -.8 -2",
    mask: "p #3a3f52 M-4.2 -.6C-3 -1.2 2 -1.2 3.6 -.6L3.4 1.1C2.2 1.5 .4 1.5 -.6 .8C-1.8 1.5 -3.4 1.5 -4.2 .9z;p #7fd0f0 M-3.7 -.4C-2.8 -.7 -1.6 -.6 -1.1 -.2C-1.4 .9 -3 1.1 -3.7 .6zM-.2 -.3C.6 -.7 2.2 -.7 3 -.3L2.8 .7C1.8 1 .4 1 -.2 -.3z",
    ..ADULT
};

pub const CLIMBER: Person = Person {
    name: "climber",
    skin: 2,
    hair: Hair::Short,
    hair_colour: 0x33241f,
    top: 0x3fa0d0,
    bottom: 0x55524a,
    shoe: 0xd94c3a,
    accent: 0xe8443a,
    chest: "l A .9 M12.9 20.6H19.6;l A .6 M14.4 20.6L15 22.4M17.8 20.6L17.4 22.4;o 16 20.8 .6 .6 #c8c8d4;l #f2c53c .7 M13.6 12.6C15 16 18 17 19.2 19.6",
    hat: "p A M-4.6 -2.2C-4.8 -6 -2.4 -7.4 .8 -7.4C4 -7.4 5.8 -5.4 5.4 -1.8C2 -3 -2 -3 -4.6 -2.2z;l a .6 M-2.4 -4.4H3.6;l #33302a .4 M-3.8 -2C-3.6 2 -2.4 4 -.6 4.8M3.6 -1.6C3.6 2 2 4.2 -.2 4.8",
    ..ADULT
};

pub const VIOLINIST: Person = Person {
    name: "violinist",
    skin: 1,
    hair: Hair::Long,
    hair_colour: 0x33241f,
    lashes: true,
    top: 0x2e2c3a,
    lower: Lower::Gown,
    bottom: 0x2e2c3a,
    shoe: 0x1f1d26,
    accent: 0xd9c7ff,
    chest: "p S M13.8 12C14.4 14.4 17.8 14.4 18.4 12z;l A .4 M13.9 12.4C14.6 14.8 17.6 14.8 18.3 12.4;l A .6 M12.9 19.8H19.5",
    ..ADULT
};

pub const PIANIST: Person = Person {
    name: "pianist",
    skin: 1,
    hair: Hair::Wavy,
    hair_colour: 0x4a3a33,
    top: 0x26242e,
    lower: Lower::Coat,
    bottom: 0x26242e,
    shoe: 0x17151c,
    accent: 0xffffff,
    chest: "p W M14 12L15.2 20.6H16.9L18.1 12z;p W M16.1 13.4L14.4 12.6V14.6zM16.1 13.4L17.8 12.6V14.6z;l w .3 M16.1 14.6V20.4;o 16.1 13.5 .5 .5 w",
    ..ADULT
};

pub const GUITARIST: Person = Person {
    name: "guitarist",
    skin: 2,
    hair: Hair::Long,
    hair_colour: 0x2d201d,
    top: 0x33303c,
    bottom: 0x46567a,
    shoe: 0x1f1d26,
    accent: 0xe8443a,
    chest: "p #f4efe4 M14 12L14.6 22H17.4L18.2 12z;p A M16 15L16.6 16.4L18 16.5L16.9 17.4L17.3 18.8L16 18L14.7 18.8L15.1 17.4L14 16.5L15.4 16.4z;p t M14 12L13 14L14 22H14.6zM18.2 12L19.4 14L18.4 22H17.4z;l #b9c1d3 .5 M12.9 21.2H14.4",
    hat: "l A 1 M-4.3 -2.6C-1.8 -3.8 2 -3.8 4.8 -2.2;l A .7 M4.8 -2.2L7 -.6M4.8 -2.2L6.4 .8",
    ..ADULT
};
