//! People who are out of doors for work or leave: in the garden, the woods, the hills, abroad and in the field.

use super::{CAP, WIDE_HAT};
use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

pub const GARDENER: Person = Person {
    name: "gardener",
    skin: 1,
    hair: Hair::Bob,
    hair_colour: 0x8a5426,
    top: 0xf2a8a0,
    sleeve: Sleeve::Short,
    bottom: 0x4f8a5b,
    shoe: 0x3f6b3a,
    accent: 0xf1d58a,
    glove: Some(0x7fb069),
    chest: "p B M14.2 14.6H17.9L18.2 17H19.6L19.7 22H12.8V17H13.9z;l B .9 M14.5 14.8L14.2 12.2M17.6 14.8L18 12.2;r 14.6 17.2 3 2.4 .3 b;l #c8c8d4 .5 M15.4 16.4V18",
    hat: WIDE_HAT,
    shin: "p F M-1.7 .8H1.7L1.5 4.4H-1.5z",
    ..ADULT
};

pub const LUMBERJACK: Person = Person {
    name: "lumberjack",
    girth: 1.2,
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x8a4a22,
    top: 0xc53a3a,
    bottom: 0x3f5f8f,
    shoe: 0x6b4526,
    accent: 0x3a4a5c,
    chest: "l #7d2030 .7 M14.2 12.2V22M17.8 12.2V22M12.8 15H19.6M12.8 18.4H19.7;l #6b4526 .9 M14.6 21.8L14.2 12.2M17.6 21.8L18 12.2;p W M14.8 12L16 13.2L17.4 12z",
    arm: "l #7d2030 .6 M-1.4 1.4H1.4M0 -1V3.6",
    hat: "p A M-4.7 -1.8C-5 -5.6 -2.2 -7.2 .6 -7.2C3.8 -7.2 5.6 -5.2 5.3 -1.6z;p a M-4.9 -1.2C-4.9 -2.6 -3 -3.4 .4 -3.4C3.6 -3.4 5.5 -2.4 5.4 -1L5.2 -.6C2 -2 -2 -2 -4.7 -.8z",
    beard: "p H M-4.3 .6C-3.4 2 -2.4 1.6 -1 1.8C.4 1.7 2.4 2 3.6 .2C4.4 3.6 2.8 6.6 -.6 6.8C-3.2 6.8 -4.6 4.2 -4.3 .6z;o -.8 3 1.5 .7 S",
    shin: "p F M-1.7 1.6H1.7L1.5 4.4H-1.5z",
    ..ADULT
};

pub const FISHERMAN: Person = Person {
    name: "fisherman",
    girth: 1.12,
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0xb8bac4,
    top: 0xf2b632,
    lower: Lower::Coat,
    bottom: 0x54617a,
    shoe: 0x3f7a4f,
    accent: 0x4d6bb0,
    chest: "p A M14 12L16.1 13.8L18.2 12L18.4 13L16.1 15L13.8 13z;l t .5 M16 14.8V22;o 15.2 16.6 .3 .3 #8a6a20;o 15.2 18.6 .3 .3 #8a6a20;o 15.2 20.6 .3 .3 #8a6a20",
    hat: "p T M-4.2 -2.6C-4 -6 -1.8 -7 .6 -7C3.2 -7 4.8 -5.6 4.9 -2.4z;p t M-6.4 -1C-5.6 -3 -3 -3.4 .4 -3.4C4 -3.4 7 -2.2 8 .8C6 -.8 3 -2 .4 -2C-2.6 -2 -4.8 -1.6 -6.4 -1z",
    beard: "p H M-4.2 1.2C-3.4 2.2 -2.4 1.8 -1 1.9C.4 1.9 2.4 2.2 3.6 .6C4 3.6 2.4 5.8 -.6 5.9C-3 5.9 -4.4 4 -4.2 1.2z;o -.8 3 1.5 .7 S",
    shin: "p F M-1.8 .4H1.8L1.6 4.4H-1.6z",
    ..ADULT
};

pub const SHEPHERD: Person = Person {
    name: "shepherd",
    skin: 2,
    hair: Hair::Curly,
    hair_colour: 0x3a281e,
    top: 0xd9c7a0,
    lower: Lower::Robe,
    bottom: 0xd9c7a0,
    shoe: 0x7a5230,
    accent: 0x8a5a3a,
    chest: "p A M13 12.8C14 12 15 12.6 15.4 13.6L14.6 22H12.8zM19.5 12.8C18.4 12 17.2 12.6 16.8 13.6L17.4 22H19.7z;l #6b4526 .8 M12.9 20H19.5",
    hem: "p A M12.6 20.6H14.6L13.8 26.4H11.4zM17.4 20.6H19.6L20.6 26.4H18.2z",
    hat: "p #f2ead6 M-4.6 -1.4C-5 -4.8 -2.6 -6.6 .4 -6.4C4 -6.4 5.8 -3.6 5.4 0L6.2 5.2C5 5.8 4 5.2 3.8 4.2L3.2 -1.4C.6 -2.4 -2 -2.2 -4.6 -1.4z;l A .9 M-4.5 -2.4C-1.6 -3.6 2 -3.6 5 -2",
    beard: "p H M-4.2 1.4C-3.4 2.2 -2.4 1.8 -1 1.9C.4 1.9 2.4 2.2 3.6 .6C4 3.4 2.4 5.4 -.6 5.5C-3 5.5 -4.4 4 -4.2 1.4z;o -.8 3 1.4 .65 S",
    ..ADULT
};

pub const TOURIST: Person = Person {
    name: "tourist",
    girth: 1.1,
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0xa9662e,
    top: 0x35b0b8,
    sleeve: Sleeve::Short,
    lower: Lower::Shorts,
    bottom: 0xd9c08a,
    shoe: 0x8a5a3a,
    accent: 0xf1e2b4,
    chest: "o 14 18.6 .9 .9 #ff8a5c;o 18.2 15 .9 .9 #ffd84a;o 18 20.4 .8 .8 #ff8a5c;o 13.8 14.8 .7 .7 #ffd84a;l #2c2a33 .5 M14.2 12L15.2 16.4M18 12L17 16.4;r 14.4 16.2 3.4 2.3 .4 #2c2a33;o 16.1 17.4 .8 .8 #9fc4e8",
    pack: "r 18.6 12.4 4.4 8 1.4 #e2603f;r 21.6 14.6 1.8 4.6 .8 #bd4a30",
    hat: WIDE_HAT,
    shin: "r -1.4 2.4 2.8 1.2 .3 W",
    ..ADULT
};

pub const HIKER: Person = Person {
    name: "hiker",
    skin: 2,
    hair: Hair::Messy,
    hair_colour: 0x3a281e,
    top: 0xe2703f,
    bottom: 0x6a6f4c,
    shoe: 0x7a4f2c,
    accent: 0x3f6f8c,
    chest: "l t .5 M16 13V22;l A .9 M14.4 12.2L13.8 21.6M17.7 12.2L18.4 21.6;l A .6 M14 16.4H18.2",
    pack: "r 18.2 11 5.4 10.4 1.6 A;r 21.8 14.6 2.2 5.6 .9 a;r 18.6 9.2 4.8 2.2 1 #e8d9b0",
    hat: CAP,
    shin: "p F M-1.7 2H1.7L1.5 4.4H-1.5z",
    ..ADULT
};

pub const SOLDIER: Person = Person {
    name: "soldier",
    girth: 1.08,
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x3a281e,
    top: 0x6b7a4a,
    bottom: 0x6b7a4a,
    shoe: 0x33302a,
    accent: 0x4d5a34,
    chest: "o 14.2 15 1.3 .9 A;o 17.8 18.6 1.4 .9 A;o 14.4 19 .9 .8 #8a9463;o 18.2 14.4 .8 .7 #8a9463;l #33302a 1 M12.9 21H19.6;r 15.2 20.4 1.6 1.3 .2 #c9b458;l t .4 M16 13V20.6",
    arm: "o -.4 1 .9 .7 A;o .5 2.8 .7 .6 #8a9463",
    hat: "p A M-5.4 -1.4C-5.6 -5.6 -2.8 -7.4 .6 -7.4C4.2 -7.4 6.4 -5.2 6 -1.2C3 -2.4 -2.4 -2.6 -5.4 -1.4z;p T M-4.6 -3C-4 -6 -1.8 -7.2 .8 -7.2C3 -7.2 4.6 -6 5.2 -4C2.4 -5 -1.6 -4.8 -4.6 -3z;l #33302a .5 M-3.6 -1.8C-3.6 2 -2.6 4.2 -.6 4.8M3.4 -1.6C3.6 2 2 4.2 -.2 4.8",
    shin: "p F M-1.7 1.2H1.7L1.5 4.4H-1.5z",
    ..ADULT
};

pub const MINER: Person = Person {
    name: "miner",
    girth: 1.12,
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x3a281e,
    top: 0x8a7a68,
    bottom: 0x4a5570,
    shoe: 0x33302a,
    accent: 0xf2c53c,
    chest: "p B M14.2 14.6H17.9L18.2 17H19.6L19.7 22H12.8V17H13.9z;l B .9 M14.5 14.8L14.2 12.2M17.6 14.8L18 12.2;o 14.6 19.6 .8 .5 b",
    hat: "p A M-4.8 -2.2C-5 -6 -2.4 -7.6 .8 -7.6C4 -7.6 5.8 -5.6 5.4 -2.2z;p A M-6.6 -1.2C-5 -2.8 4.4 -2.9 5.9 -1.9C6.2 -1.4 5.8 -1.2 5.2 -1.3C1.6 -1.7 -3.4 -1.7 -6.6 -1.2z;o -3.6 -4.2 1.6 1.6 #6b6b78;o -3.9 -4.2 1.1 1.1 #fff6c8",
    mask: "o 1.4 2.8 .9 .4 #6a5a50;o -3.2 2.4 .6 .3 #6a5a50",
    ..ADULT
};

pub const PLUMBER: Person = Person {
    name: "plumber",
    girth: 1.16,
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x4a2f23,
    top: 0xd94c3a,
    bottom: 0x3a62b0,
    shoe: 0x5a3a22,
    accent: 0xd94c3a,
    chest: "p B M14.2 14.6H17.9L18.2 17H19.6L19.7 22H12.8V17H13.9z;l B 1 M14.5 14.8L14.2 12.2M17.6 14.8L18 12.2;o 14.5 15 .4 .4 #ffd23c;o 17.6 15 .4 .4 #ffd23c;r 14.6 17.6 3 2.4 .3 b;l #b9c1d3 .7 M15.4 16.4V18.6",
    hat: CAP,
    beard: "p H M-3.8 2.4C-3.2 1.3 -1.6 1.5 -.9 2C-.2 1.5 1.5 1.3 2.2 2.4C1.4 3.2 -.2 3.2 -.9 2.7C-1.6 3.2 -3 3.2 -3.8 2.4z",
    ..ADULT
};

pub const ELECTRICIAN: Person = Person {
    name: "electrician",
    skin: 3,
    hair: Hair::Short,
    hair_colour: 0x241a18,
    top: 0xf2c53c,
    bottom: 0x3f4a66,
    shoe: 0x4a3327,
    accent: 0xffffff,
    glove: Some(0xe8893a),
    chest: "p #3f4a66 M12.9 15.4H19.6V16.6H12.8zM12.8 18.6H19.7V19.8H12.7z;p #ffd23c M16.6 12.8L14.8 15.6H16L15.4 17.6L17.8 14.6H16.4L17.2 12.8z;l #6b4a2e 1 M12.9 21.2H19.6;l #e8443a .6 M13.6 20V22.4;l #9aa6bd .6 M18.6 20V22.4",
    hat: "p A M-4.6 -2.2C-4.8 -6 -2.4 -7.6 .8 -7.6C4 -7.6 5.8 -5.6 5.4 -2.2z;p A M-7 -1C-5.2 -2.8 4.4 -2.9 5.9 -1.9C6.2 -1.4 5.8 -1.2 5.2 -1.3C1.6 -1.7 -3.4 -1.7 -7 -1z;l a .6 M-.8 -7.4C-.8 -5.6 -.9 -3.8 -1.2 -2.4",
    ..ADULT
};
