//! People in the clothes of their work.

use crate::figures::person::{ADULT, Hair, Lower, Person};

pub const CHEF: Person = Person {
    name: "chef",
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x4a3022,
    top: 0xffffff,
    bottom: 0x4d5566,
    shoe: 0x33303a,
    girth: 1.15,
    accent: 0xe8443a,
    chest: "p A M13.7 12.5C14.8 13.7 17.4 13.8 18.5 12.5L17 14.6L16 13.9L14.9 14.6z;l w .35 M16 14.8V21.8;o 14.6 16 .35 .35 #9aa0b0;o 14.6 18 .35 .35 #9aa0b0;o 14.6 20 .35 .35 #9aa0b0;o 17.2 16 .35 .35 #9aa0b0;o 17.2 18 .35 .35 #9aa0b0;o 17.2 20 .35 .35 #9aa0b0",
    hat: "p W M-4.2 -2.4L-4.5 -5C-7 -5.6 -7 -9.4 -4 -9.6C-3.4 -12 .2 -12.6 1.6 -10.8C3.8 -12.2 6.8 -10.6 6.2 -8.2C7.8 -7 7.2 -4.6 5.2 -4.4L4.9 -2C2 -3.4 -1.6 -3.4 -4.2 -2.4z;p w M-4.4 -4.4L-4.2 -2.4C-1.6 -3.4 2 -3.4 4.9 -2L5.1 -4C2 -5.4 -1.6 -5.4 -4.4 -4.4z;l w .5 M-2.4 -6L-2.8 -8;l w .5 M.5 -6.2V-8.8;l w .5 M3.2 -5.8L3.8 -8",
    beard: "p H M-3.5 2.3C-3 1.5 -1.5 1.5 -.9 2C-.2 1.5 1.3 1.5 1.9 2.4C1.2 2.7 -.2 3 -.9 2.5C-1.6 3 -3 2.8 -3.5 2.3z",
    ..ADULT
};

pub const ASTRONAUT: Person = Person {
    name: "astronaut-figure",
    girth: 1.22,
    legs: 0.92,
    head: 1.02,
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x5a3825,
    top: 0xf3f4fa,
    bottom: 0xf3f4fa,
    shoe: 0x7b8296,
    accent: 0xff7a2f,
    glove: Some(0x7b8296),
    chest: "r 13.6 14.4 4.6 3.6 .8 #9aa6bd;o 14.8 15.6 .55 .55 #f8475f;o 16.2 15.6 .55 .55 #ffc83d;r 14.3 16.7 3.2 .6 .3 #5c6579;l A .8 M12.9 19.8H19.5;r 13 11.4 6.2 1.4 .7 #9aa6bd",
    pack: "r 18 11.8 6.2 9.4 1.6 #b9c1d3;r 22.6 12.8 1.6 7.6 .8 #98a2b8",
    mask: "p #ffffff M-6.2 0C-6.2 -4.2 -3.4 -6.6 .3 -6.6C4.2 -6.6 6.6 -3.8 6.6 0C6.6 3.8 4.2 6 .3 6C-3.4 6 -6.2 3.8 -6.2 0zM-5 .2C-5 3.4 -3 4.9 -.4 4.9C2.6 4.9 4.2 3 4.2 .2C4.2 -2.8 2.2 -4.6 -.6 -4.6C-3.2 -4.6 -5 -2.8 -5 .2z;p #cfd5e4 M4 -5.2C5.6 -4 6.6 -2.2 6.6 0C6.6 3.8 4.2 6 .3 6C3.6 5 5 2.8 5 0C5 -2.2 4.6 -4 4 -5.2z;l #ffffff .9 M-3.8 -1.6C-3.4 -2.8 -2.6 -3.4 -1.8 -3.6;o 6.1 .6 .9 1.5 A",
    arm: "l A .8 M-1.35 2.2H1.35",
    cuff: "r -1.55 2.3 3.1 1.1 .5 #9aa6bd",
    shin: "r -1.7 2.4 3.4 1.3 .5 #9aa6bd",
    ..ADULT
};

pub const DOCTOR: Person = Person {
    name: "doctor",
    skin: 3,
    hair: Hair::Ponytail,
    hair_colour: 0x2b2120,
    lashes: true,
    top: 0xf7f9fd,
    lower: Lower::Coat,
    bottom: 0x3fa7a0,
    shoe: 0xffffff,
    accent: 0x3fa7a0,
    chest: "p #57c4bb M14.2 12L15.6 22H16.8L18 12z;p S M14.9 12L16 13.8L17.2 12z;l w .5 M14.1 12.2L15.5 21.8M18 12.2L16.9 21.8;l #4a5468 .55 M14.4 12.2C13.8 14.6 14.4 16.2 15.2 16.4M17.8 12.2C18.6 14.4 18.4 15.6 17.8 16.6;o 15.4 16.9 .75 .75 #8c96a8;r 17.4 18 1.6 1.5 .2 w;l #e8443a .4 M18.2 18.3V19.2M17.8 18.75H18.6",
    ..ADULT
};

pub const FARMER: Person = Person {
    name: "farmer",
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x8a5426,
    top: 0xd8463c,
    bottom: 0x4a74b8,
    shoe: 0x6b4a2e,
    accent: 0xf2c14e,
    girth: 1.1,
    chest: "l #f2a09a .3 M13 14.6H19.5M14 12.6V16M18.6 12.6V16;p B M13.9 16H18.4V19H19.6V22H12.8V19H13.9z;p b M17.4 16H18.4V19H19.6V22H17.8z;l B 1 M14.4 16.6L13.9 12.8M17.9 16.6L18.4 12.8;o 14.5 16.6 .4 .4 A;o 17.8 16.6 .4 .4 A;r 14.9 17.2 2.4 2 .4 b",
    hat: "p A M-4.2 -2.6C-4.4 -6 -2.2 -7.4 .6 -7.4C3.6 -7.4 5.4 -5.6 5.1 -2.2z;p a M-4.3 -3.6C-2 -4.6 2.6 -4.6 5.1 -3.2L5 -2.2L-4.2 -2.6z;p A M-7.8 -2C-4.6 -3.8 5.6 -4 9 -1.4C7.4 -.6 5.6 -1.2 4 -1.6C.6 -2.4 -3 -2.2 -5 -1.6C-6.2 -1.2 -7.4 -1.2 -7.8 -2z;l #d93b32 .8 M-4.2 -3.1C-2 -4 2.6 -4 5 -2.7",
    ..ADULT
};

pub const FIREFIGHTER: Person = Person {
    name: "firefighter",
    skin: 2,
    hair: Hair::Short,
    hair_colour: 0x33241f,
    top: 0x3b4766,
    lower: Lower::Trousers,
    bottom: 0x3b4766,
    shoe: 0x26232c,
    accent: 0xffd83a,
    girth: 1.16,
    glove: Some(0x5a4636),
    chest: "r 12.7 14.8 7 1.5 0 A;r 12.8 15.3 6.8 .5 0 W;r 12.7 19.4 7 1.5 0 A;r 12.8 19.9 6.8 .5 0 W;l #26232c .5 M16 12.2V22",
    arm: "r -1.4 1.6 2.8 1.2 .1 A",
    cuff: "r -1.35 1 2.7 1.1 .1 A",
    shin: "r -1.45 1.6 2.9 1.2 .1 A",
    hat: "p #e23b36 M-4.6 -1.8C-4.8 -5.8 -2.4 -7.6 .8 -7.6C4 -7.6 5.8 -5.4 5.6 -1.8z;p #b82a2d M2.6 -7.2C4.8 -6.4 5.8 -4.4 5.6 -1.8H3.4C3.8 -3.8 3.6 -5.6 2.6 -7.2z;p #c93032 M-7 -.6C-5.4 -2.6 4.6 -3 6.2 -1.6C8 -1 9 .2 8.8 1.2C7 -.4 4.4 -1 2 -1C-1 -1 -4.6 -.8 -7 -.6z;p A M-2.9 -6.2C-2 -6.8 -.6 -6.8 .4 -6.2C.4 -4.2 -.2 -2.8 -1.3 -2.2C-2.4 -2.8 -3 -4.2 -2.9 -6.2z;p #e23b36 M-1.3 -5.8C-.6 -5 -.5 -4.2 -.8 -3.6C-1.2 -3.2 -1.8 -3.4 -2 -4C-2.1 -4.6 -1.4 -5 -1.3 -5.8z",
    ..ADULT
};

pub const POLICE_OFFICER: Person = Person {
    name: "police-officer",
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x3b281f,
    top: 0x3f7ec9,
    bottom: 0x27375a,
    shoe: 0x211f29,
    accent: 0xffd24a,
    girth: 1.08,
    chest: "p #27375a M15.3 12.4H16.8L17.2 18L16.1 19.2L15 18z;p #2f63a5 M14 12L15.8 13.6L14.6 14.6z;p #2f63a5 M18.1 12L16.4 13.6L17.6 14.6z;p A M13.4 15.2L14.3 14.8L15 15.4C15 16.6 14.4 17.2 13.9 17.4C13.3 17 13.2 16.2 13.4 15.2z;l #211f29 1.1 M12.9 20.8H19.6;r 15.2 20 1.7 1.6 .3 A",
    hat: "p #27375a M-5 -2.6C-6.8 -4.8 -6 -6.8 -3.2 -7.2C0 -7.9 4 -7.8 6 -6.2C7 -5 6.2 -3.4 5.2 -2z;p #1d2a47 M-4.8 -3.6C-2 -4.6 2.6 -4.6 5.3 -3L5.2 -1.6C2.2 -3 -1.8 -3 -4.6 -2z;p #14161f M-4.6 -2.2C-3 -2.9 0 -2.8 1 -2.4C-.8 -1.4 -4 -.9 -6 -1.3C-5.8 -1.8 -5.2 -2 -4.6 -2.2z;p A M-1.6 -6.4L-.9 -5.4L.2 -5.3L-.6 -4.5L-.5 -3.5L-1.5 -4L-2.5 -3.5L-2.3 -4.5L-3.1 -5.3L-2 -5.4z",
    ..ADULT
};
