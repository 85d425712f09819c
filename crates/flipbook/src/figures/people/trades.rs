//! People by what they wear at work: the laboratory, the ward, the building site, the school, the ship.

use super::GLASSES;
use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

pub const SCIENTIST: Person = Person {
    name: "scientist",
    skin: 1,
    hair: Hair::Messy,
    hair_colour: 0xb9b9c6,
    top: 0xf7f9fd,
    lower: Lower::Coat,
    bottom: 0x55627a,
    shoe: 0x3a3440,
    accent: 0x58c878,
    glove: Some(0x7cc4e8),
    chest: "p #7fb3d9 M14.2 12L15.6 22H16.8L18 12z;p S M14.9 12L16 13.8L17.2 12z;l w .5 M14.1 12.2L15.5 21.8M18 12.2L16.9 21.8;r 17.5 15 1.7 1.9 .2 w;l A .5 M17.9 14.2V15.4;l #e8443a .5 M18.6 14V15.4",
    mask: GLASSES,
    ..ADULT
};

pub const NURSE: Person = Person {
    name: "nurse",
    skin: 2,
    hair: Hair::Bun,
    hair_colour: 0x3a241a,
    lashes: true,
    top: 0x57b8d9,
    sleeve: Sleeve::Short,
    bottom: 0x57b8d9,
    shoe: 0xffffff,
    accent: 0xffffff,
    chest: "p S M14.4 12L16 15L17.8 12z;l t .45 M14.3 12.2L16 15.4L17.9 12.2;r 17.2 16.6 2 2 .3 t;l #e8443a .45 M14.2 16.4V18.2M13.3 17.3H15.1;l #4a5468 .5 M14.4 12.2C13.8 14.6 14.4 16.2 15.2 16.4M17.8 12.2C18.6 14.4 18.4 15.6 17.8 16.6",
    hat: "p W M-3.6 -3.9C-3.4 -6.6 -1 -7.4 .8 -7.2C3 -7 4.4 -5.6 4.3 -3.6C2 -4.8 -1.2 -4.9 -3.6 -3.9z;l #e8443a .55 M-.9 -5.8H1.5M.3 -6.9V-4.8",
    ..ADULT
};

pub const MECHANIC: Person = Person {
    name: "mechanic",
    girth: 1.06,
    skin: 3,
    hair: Hair::Curly,
    hair_colour: 0x2a1f1b,
    top: 0x4a78b8,
    bottom: 0x4a78b8,
    shoe: 0x33303a,
    accent: 0xf2a03c,
    chest: "l t .4 M16 12.4V21.8;r 13.2 14.6 2 1.6 .2 W;l #e8443a .35 M13.6 15.4H14.8;l t .45 M14.1 12L16 13.6L18 12;l #2c2a33 .8 M12.9 20.6H19.6;l #9aa6bd .55 M18.3 15.2V17.4;o 18.3 15 .5 .5 #9aa6bd",
    hat: "p #3a5f97 M-4.4 -2.2C-4.6 -5.8 -2.2 -7.2 .8 -7.2C3.8 -7.2 5.4 -5.2 5.2 -2.2z;p A M-7.2 -1.2C-6.4 -2.6 -3.6 -3.2 -.6 -2.9L-.8 -1.9C-3 -2 -5.4 -1.6 -7.2 -1.2z",
    ..ADULT
};

pub const BUILDER: Person = Person {
    name: "construction-worker",
    girth: 1.14,
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x5a3a22,
    top: 0xf08a2c,
    bottom: 0x4f6a94,
    shoe: 0x7a5230,
    accent: 0xffd23c,
    chest: "r 13.1 12.6 1.1 9 0 A;r 17.9 12.6 1.1 9 0 A;r 12.7 18 7 1.2 0 A;r 12.7 18.4 7 .4 0 W;p #3f7ec9 M15 12L16 14L17.1 12z;r 12.8 20.8 6.9 1 .2 #6b4a2e",
    hat: "p A M-4.6 -2.2C-4.8 -6 -2.4 -7.6 .8 -7.6C4 -7.6 5.8 -5.6 5.4 -2.2z;p a M2.6 -7.2C4.8 -6.4 5.7 -4.6 5.4 -2.2H3.2C3.8 -4.2 3.6 -5.8 2.6 -7.2z;l a .6 M-.8 -7.4C-.8 -5.6 -.9 -3.8 -1.2 -2.4;p A M-7 -1C-5.2 -2.8 4.4 -2.9 5.9 -1.9C6.2 -1.4 5.8 -1.2 5.2 -1.3C1.6 -1.7 -3.4 -1.7 -7 -1z",
    ..ADULT
};

pub const TEACHER: Person = Person {
    name: "teacher",
    skin: 0,
    hair: Hair::Bob,
    hair_colour: 0x7a4a26,
    lashes: true,
    top: 0x2f8f7a,
    lower: Lower::Skirt,
    bottom: 0x45506b,
    shoe: 0x8a4a3a,
    accent: 0xf2c14e,
    chest: "p W M14.2 12L16 14.6L17.9 12L18.7 13.2L16 16L13.5 13.2z;l t .4 M16 15.8V21.8;o 15.3 17.4 .3 .3 A;o 15.3 19.4 .3 .3 A",
    mask: GLASSES,
    ..ADULT
};

pub const WAITER: Person = Person {
    name: "waiter",
    skin: 1,
    hair: Hair::Side,
    hair_colour: 0x2a2020,
    top: 0xffffff,
    bottom: 0x26242e,
    shoe: 0x17151c,
    accent: 0xc2313a,
    chest: "p #26242e M13 13.2L16 19.4L19.2 13.2L19.6 22H12.8zM16 19.4L14 12.2L13 13.2z;p #26242e M19.2 13.2L18.2 12.2L16 19.4z;p A M16.1 13.3L14.4 12.5V14.5zM16.1 13.3L17.8 12.5V14.5z;o 16.1 13.5 .5 .5 A;o 16 20.2 .3 .3 W;o 16 21.2 .3 .3 W",
    ..ADULT
};

pub const ARTIST: Person = Person {
    name: "artist",
    skin: 2,
    hair: Hair::Wavy,
    hair_colour: 0x4a2a1c,
    lashes: true,
    top: 0xf4efe4,
    bottom: 0x3f5fa0,
    shoe: 0x6a3f2c,
    accent: 0xd8434a,
    chest: "p #7a94c8 M13.9 15.4H18.4V22H13.4z;l #7a94c8 .7 M14.2 15.6L14 12.2M18 15.6L18.3 12.2;o 15 17.4 .6 .5 #e8503a;o 16.8 18.8 .5 .6 #ffc93c;o 15.2 20.2 .6 .5 #4cb963;o 17.4 16.8 .4 .4 #9a5bd6",
    hat: "p A M-5.4 -3C-6 -5.4 -3 -7.6 .6 -7.5C4.4 -7.5 6.8 -5.4 6 -3.4C3.6 -4.8 -2.4 -4.8 -5.4 -3z;l A .7 M.4 -7.3L.8 -8.5",
    ..ADULT
};

pub const STUDENT: Person = Person {
    name: "student",
    metres: 1.45,
    head: 1.12,
    legs: 0.9,
    skin: 3,
    hair: Hair::Ponytail,
    hair_colour: 0x2a1d18,
    lashes: true,
    top: 0xe2564a,
    bottom: 0x44598a,
    shoe: 0xffffff,
    accent: 0xffc93c,
    chest: "p W M14.4 12C14.8 13.6 17.2 13.6 17.7 12z;l W .35 M15.2 13.2V15.6M16.9 13.2V15.6;l #3b4a70 .8 M13.5 12.4L13.8 20M18.8 12.4L18.5 20",
    pack: "r 18 12.4 5.4 8.4 1.6 #3b6fb0;r 19 16.6 4.6 3.6 .9 #2f5a92",
    ..ADULT
};

pub const PILOT: Person = Person {
    name: "pilot",
    skin: 2,
    hair: Hair::Short,
    hair_colour: 0x33261f,
    top: 0x2c3a5e,
    bottom: 0x232f4c,
    shoe: 0x17161d,
    accent: 0xffd24a,
    chest: "p W M14.4 12L16 16.2L17.8 12z;p #17161d M15.5 12.8H16.7L17 16L16.1 17L15.2 16z;l A .45 M13.4 15.4H15M13.8 15H14.6;o 15.2 18 .3 .3 A;o 15.2 20 .3 .3 A;o 17.2 18 .3 .3 A;o 17.2 20 .3 .3 A",
    hat: "p #2c3a5e M-5 -2.6C-6.8 -4.8 -6 -6.8 -3.2 -7.2C0 -7.9 4 -7.8 6 -6.2C7 -5 6.2 -3.4 5.2 -2z;p W M-4.8 -3.6C-2 -4.6 2.6 -4.6 5.3 -3L5.2 -1.9C2.2 -3.2 -1.8 -3.2 -4.6 -2.3z;p #14161f M-4.6 -2.2C-3 -2.9 0 -2.8 1 -2.4C-.8 -1.4 -4 -.9 -6 -1.3C-5.8 -1.8 -5.2 -2 -4.6 -2.2z;o -1.4 -5.2 1 .8 A",
    cuff: "r -1.3 1.4 2.6 .4 0 A;r -1.3 2.2 2.6 .4 0 A",
    ..ADULT
};

pub const SAILOR: Person = Person {
    name: "sailor",
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0xb9762c,
    top: 0xffffff,
    bottom: 0x27407a,
    shoe: 0x22202a,
    accent: 0x27407a,
    chest: "p A M13.2 12.2L16 16.6L19 12.2L18 12L16 14.6L14.1 12z;p #d8434a M15.3 15.6L16.7 15.6L17.2 18.4L16 17.6L14.8 18.4z;l A .4 M12.9 19.6H19.6M12.9 20.6H19.6",
    hat: "p W M-4 -3.4C-4.6 -5.8 -2.4 -7.4 .6 -7.4C3.8 -7.4 5.6 -5.6 4.8 -3.2C2 -4.2 -1.4 -4.3 -4 -3.4z;p W M-4.6 -2.2L-4.9 -4.6C-2 -5.6 2.8 -5.5 5.6 -4.2L5.1 -2C2 -3.2 -1.6 -3.2 -4.6 -2.2z;l A .4 M-4.6 -2.9C-1.6 -3.9 2 -3.9 5.1 -2.7",
    cuff: "r -1.3 1.6 2.6 .4 0 A",
    ..ADULT
};

pub const JUDGE: Person = Person {
    name: "judge",
    skin: 1,
    hair: Hair::Curly,
    hair_colour: 0xd9d9e0,
    top: 0x2b2833,
    lower: Lower::Robe,
    bottom: 0x2b2833,
    shoe: 0x17151c,
    accent: 0xffffff,
    chest: "p W M14.3 12L15.2 17.4L16 16.2L16.9 17.4L17.9 12z;l #463f52 .4 M14 13L14.6 22M18.4 13L17.8 22",
    mask: GLASSES,
    ..ADULT
};
