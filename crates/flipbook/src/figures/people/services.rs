//! People who serve others: in shops and offices, at the door, in the air.

use super::{APRON, CAP, GLASSES, SUIT};
use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

pub const BARBER: Person = Person {
    name: "barber",
    skin: 2,
    hair: Hair::Side,
    hair_colour: 0x241a18,
    top: 0xf6f7fb,
    bottom: 0x2e3448,
    shoe: 0x2a2228,
    accent: 0x2f7f86,
    chest: "p A M13.4 12.6L15.9 16L18.6 12.6L19.6 15V22H12.8V15z;l a .4 M16 16V22;r 17.2 17.6 1.9 2.2 .2 a;l #d9dde6 .5 M17.7 16.6V18.6M18.6 16.8V18.6;p #c2313a M16.1 13.5L14.6 12.7V14.5zM16.1 13.5L17.6 12.7V14.5z",
    beard: "p H M-3.6 2.3C-3 1.4 -1.5 1.5 -.9 2C-.2 1.5 1.3 1.5 2 2.3L2.8 1.7C2.4 3.2 -.2 3.1 -.9 2.6C-1.6 3.1 -4 3.2 -4.3 1.7z",
    ..ADULT
};

pub const BAKER: Person = Person {
    name: "baker",
    girth: 1.12,
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x8a5426,
    top: 0xf3ead9,
    sleeve: Sleeve::Short,
    bottom: 0x8a6a4c,
    shoe: 0x4a3327,
    accent: 0xffffff,
    chest: APRON,
    hat: "p W M-4.4 -2.4C-6.4 -3 -6.6 -6 -3.8 -6.4C-2.2 -8.4 3 -8.6 4.6 -6.2C6.8 -5.6 6.8 -2.8 5.1 -2.2C2 -3.4 -1.6 -3.4 -4.4 -2.4z;p w M-4.4 -3.8L-4.4 -2.2C-1.6 -3.4 2 -3.4 5.1 -2L5.1 -3.6C2 -4.8 -1.6 -4.8 -4.4 -3.8z",
    ..ADULT
};

pub const CASHIER: Person = Person {
    name: "cashier",
    skin: 3,
    hair: Hair::Ponytail,
    hair_colour: 0x2c1e1a,
    lashes: true,
    top: 0xf4f4f8,
    sleeve: Sleeve::Short,
    bottom: 0x3b4660,
    shoe: 0x33303a,
    accent: 0x2fa35a,
    chest: APRON,
    hat: CAP,
    ..ADULT
};

pub const LIBRARIAN: Person = Person {
    name: "librarian",
    skin: 1,
    hair: Hair::Bun,
    hair_colour: 0x6b3a22,
    lashes: true,
    top: 0x8f4a5e,
    lower: Lower::Skirt,
    bottom: 0x4a4358,
    shoe: 0x3a2d33,
    accent: 0xe9c46a,
    chest: "p W M14.2 12L16 16.4L17.9 12z;l t .4 M16 16.4V21.8;o 15.3 18 .3 .3 A;o 15.3 20 .3 .3 A;l A .35 M13.8 12.6C13.6 15 14.6 16.2 15.4 16.2M18.4 12.6C18.6 14.6 17.6 16.2 16.6 16.2",
    mask: GLASSES,
    ..ADULT
};

pub const POSTMAN: Person = Person {
    name: "postman",
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x6b3f22,
    top: 0x4f86c6,
    bottom: 0x2c4a78,
    shoe: 0x26242e,
    accent: 0x2c4a78,
    chest: "p W M14.3 12L16 14L17.9 12z;l #b07a45 1 M18.8 12.2L13 20.4;r 11.2 17.6 5 4.4 .6 #c08a52;p #a06c38 M11.2 18.2L13.7 20.2L16.2 18.2L16 17.6H11.4z;r 17.2 15 1.5 1 .1 W",
    hat: "p A M-4.8 -2.2C-5.2 -5.4 -3 -6.6 .6 -6.6C4.4 -6.6 6 -5 5.6 -2.2z;l #f2c14e .7 M-4.6 -2.7C-1.8 -3.6 2.4 -3.6 5.4 -2.6;p #1f2f4d M-6.8 -1C-6 -2.4 -3.4 -2.9 -.6 -2.6L-.8 -1.7C-3 -1.8 -5 -1.4 -6.8 -1z;o -1.6 -4.8 .8 .7 #f2c14e",
    ..ADULT
};

pub const DENTIST: Person = Person {
    name: "dentist",
    skin: 1,
    hair: Hair::Side,
    hair_colour: 0x3d2a22,
    top: 0xf7fbfd,
    sleeve: Sleeve::Short,
    lower: Lower::Coat,
    bottom: 0x6fb7c4,
    shoe: 0xffffff,
    accent: 0x6fb7c4,
    glove: Some(0x8fd6e0),
    chest: "p A M14.3 12L16 14L17.8 12L18.6 12.8L16 16L13.6 12.8z;l w .4 M16 15.8V21.8;r 17.1 16.6 1.9 2 .2 w;l #9aa6bd .4 M17.7 15.6V17.4M18.4 15.8V17.4",
    hat: "l #9aa6bd .7 M-4.4 -2.6C-2 -4 2 -4 4.8 -2.2;o -2.4 -4 1.5 1.5 #dfe7f2;o -2.4 -4 .5 .5 #7b88a1",
    beard: "p #8fd6e0 M-4.1 1.4C-2.6 .9 .6 .9 3 1.2C3 3.6 1.6 4.9 -.4 4.9C-2.6 4.9 -4.1 3.6 -4.1 1.4z;l #6fb7c4 .35 M-3.6 2.6H2.4",
    mouth: false,
    ..ADULT
};

pub const VET: Person = Person {
    name: "vet",
    skin: 2,
    hair: Hair::Ponytail,
    hair_colour: 0x4a2b1d,
    lashes: true,
    top: 0x3fae8f,
    sleeve: Sleeve::Short,
    bottom: 0x3fae8f,
    shoe: 0xffffff,
    accent: 0xffffff,
    chest: "p S M14.4 12L16 14.6L17.8 12z;o 17.8 18.4 .8 .7 W;o 17 17.3 .35 .4 W;o 17.8 16.9 .35 .4 W;o 18.6 17.3 .35 .4 W;l #3c4a5c .5 M14.2 12.2C13.6 15 14.4 16.6 15.3 16.8M18 12.2C18.4 14 18.2 15 17.8 15.8;o 15.5 17 .6 .6 #9aa6bd",
    ..ADULT
};

pub const BUTCHER: Person = Person {
    name: "butcher",
    girth: 1.2,
    skin: 0,
    hair: Hair::Bald,
    hair_colour: 0x6b4a33,
    top: 0xf2f2f6,
    sleeve: Sleeve::Short,
    bottom: 0x3a3f52,
    shoe: 0x2a2228,
    accent: 0xb8303a,
    chest: "p A M14.2 13.4H17.9L18.6 16.2H19.6L19.7 22H12.8V16.2H13.6z;l w .6 M14.6 16.6V22M16.2 14V22M17.8 16.6V22;l A .5 M14.3 13.6L14.6 12M17.8 13.6L17.6 12",
    hat: "p W M-4.2 -2.8L-4.6 -6.2C-1.6 -7.4 2.8 -7.4 5.4 -6L4.9 -2.4C2 -3.6 -1.4 -3.6 -4.2 -2.8z",
    beard: "p H M-3.6 2.3C-3 1.4 -1.5 1.5 -.9 2C-.2 1.5 1.3 1.5 2 2.4C1.2 3 -.2 3.1 -.9 2.6C-1.6 3.1 -3 3 -3.6 2.3z",
    ..ADULT
};

pub const BUSINESSMAN: Person = Person {
    name: "businessman",
    skin: 1,
    hair: Hair::Side,
    hair_colour: 0x33241f,
    top: 0x3c4a66,
    bottom: 0x3c4a66,
    shoe: 0x26212a,
    accent: 0xc2313a,
    chest: SUIT,
    ..ADULT
};

pub const BUSINESSWOMAN: Person = Person {
    name: "businesswoman",
    girth: 0.95,
    skin: 2,
    hair: Hair::Bob,
    hair_colour: 0x2d201d,
    lashes: true,
    top: 0x4a4f6e,
    lower: Lower::Skirt,
    bottom: 0x4a4f6e,
    shoe: 0x26212a,
    accent: 0xf1f1f6,
    chest: "p A M14 12L15.8 17.6H16.4L18.1 12z;p t M14 12L13.4 14.2L15.9 18.4L16.2 18.4L18.8 14.2L18.1 12L16.1 16.8z;o 16 19.4 .3 .3 #26212a;o 16 21 .3 .3 #26212a",
    ..ADULT
};

pub const FLIGHT_ATTENDANT: Person = Person {
    name: "flight-attendant",
    girth: 0.95,
    skin: 1,
    hair: Hair::Bun,
    hair_colour: 0x5a3522,
    lashes: true,
    top: 0x2b4c8c,
    lower: Lower::Skirt,
    bottom: 0x2b4c8c,
    shoe: 0x1f2a44,
    accent: 0xe8443a,
    chest: "p W M14.2 12L16 15L17.9 12z;p A M14.4 12.4L16 14.2L17.8 12.4L17.2 14.8L18 16.6L16.6 16L15.8 14.6z;l #ffd24a .5 M13.6 15.4L15 15.6;o 16 18.4 .3 .3 #ffd24a;o 16 20.2 .3 .3 #ffd24a",
    hat: "p T M-3.4 -4C-3 -6.6 .4 -7.8 3.6 -6C4.4 -5.4 4.6 -4.4 4.4 -3.6C2 -4.8 -.8 -5 -3.4 -4z;l A .6 M-3.3 -4.4C-.8 -5.4 2 -5.2 4.3 -4.2",
    ..ADULT
};

pub const TAILOR: Person = Person {
    name: "tailor",
    skin: 2,
    hair: Hair::Side,
    hair_colour: 0x4d4a52,
    top: 0xf4efe4,
    bottom: 0x4a4a5a,
    shoe: 0x3a2d33,
    accent: 0x6f4a8c,
    chest: "p A M13.2 12.8L16 17.4L18.8 12.8L19.6 15V22H12.8V15z;l #ffd23c .8 M13.6 12.4C12.9 15.4 13.4 18.4 14 20.6M18.5 12.4C19.2 15 18.8 17 18.4 19;o 16 19.4 .3 .3 W;o 16 21 .3 .3 W",
    mask: GLASSES,
    ..ADULT
};

pub const REPORTER: Person = Person {
    name: "reporter",
    skin: 1,
    hair: Hair::Messy,
    hair_colour: 0x7a4a26,
    top: 0xc9a06a,
    lower: Lower::Coat,
    bottom: 0x46506b,
    shoe: 0x4a3327,
    accent: 0xd94c4c,
    chest: "p W M14.2 12L16 15.4L17.9 12z;p A M15.6 13.4H16.5L16.9 17L16 18L15.2 17z;l t .5 M16 18V22;l #2c2a33 .4 M14 12.4L13.4 17.6;r 12.8 17.4 1.6 2 .2 W",
    ..ADULT
};
