//! What is made in the shape of a person, people of faith, and dancers.

use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

const DOUGH: [u32; 3] = [0xc98746, 0xa8692f, 0xd99a6a];

pub const GINGERBREAD_MAN: Person = Person {
    name: "gingerbread-man",
    metres: 0.5,
    girth: 1.12,
    legs: 0.72,
    head: 1.16,
    flesh: Some(DOUGH),
    hair: Hair::None,
    top: 0xc98746,
    bottom: 0xc98746,
    shoe: 0xc98746,
    accent: 0xffffff,
    chest: "o 16 14.8 .75 .75 #e8443a;o 16 17.4 .75 .75 #3fa85a;o 16 20 .75 .75 #e8443a",
    cuff: "l W .5 M-1.3 2L-.6 2.6L0 2L.6 2.6L1.3 2",
    shin: "l W .5 M-1.4 2.6L-.7 3.2L0 2.6L.7 3.2L1.4 2.6",
    hat: "l W .5 M-2.6 -3.4C-1.6 -4.2 -.6 -3.2 .2 -4C1 -4.6 2 -3.4 3 -3.4",
    ..ADULT
};

pub const TOY_SOLDIER: Person = Person {
    name: "toy-soldier",
    metres: 0.4,
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x26202e,
    top: 0xd8343c,
    bottom: 0x2f4a8c,
    shoe: 0x1f1d26,
    accent: 0xffc83d,
    chest: "l W .9 M13 13L19.4 20M19.4 13L13 20;o 16 16.4 .6 .6 A;l A .8 M12.9 21H19.6;o 13.4 13 1.1 .6 A;o 18.8 13 1.1 .6 A",
    cuff: "r -1.5 1.8 3 1 .3 A",
    hat: "p #26242e M-4 -2.6L-4.4 -11C-1.6 -12.2 3.2 -12.2 5.4 -11L4.9 -2.2C2 -3.4 -1.4 -3.4 -4 -2.6z;l A .8 M-3.9 -3.2C-1.4 -4 2 -4 4.8 -2.8;o -1.6 -7 1.1 1.2 A;p #e8443a M-1.8 -11.4C-2.4 -14 1 -15 1.4 -12L.2 -11.4z",
    mask: "o -3 1.8 1 .9 #ff8a8a;o 1.6 1.9 1.1 1 #ff8a8a",
    ..ADULT
};

pub const MONK: Person = Person {
    name: "monk",
    girth: 1.12,
    skin: 1,
    hair: Hair::Bald,
    hair_colour: 0x5a3a22,
    top: 0x8a5a36,
    lower: Lower::Robe,
    bottom: 0x8a5a36,
    shoe: 0x4a3626,
    accent: 0xe9dcc0,
    chest: "l A .8 M12.9 19.6H19.5M15 19.6L14.6 23.6;p t M13.2 12.4C14.4 14.6 17.8 14.6 19 12.4L19.4 14C17.6 16.4 14.6 16.4 13 14z",
    ..ADULT
};

pub const NUN: Person = Person {
    name: "nun",
    skin: 0,
    hair: Hair::None,
    lashes: true,
    top: 0x2e2c38,
    lower: Lower::Robe,
    bottom: 0x2e2c38,
    shoe: 0x1c1a22,
    accent: 0xf2c14e,
    chest: "p W M13 12.8C14.4 11.6 17.8 11.6 19.4 12.8C19 15.4 13.4 15.4 13 12.8z;l A .5 M16 15V18.6M14.9 16.2H17.1",
    behind: "p #2e2c38 M-3 -4.6C0 -7 5.6 -6 6.2 0C6.6 5 7 8 7.4 11C5 12 1.6 12 -.6 11z",
    hat: "p W M-4.6 -.8C-5 -4.4 -2.6 -5.9 .4 -5.7C4 -5.7 5.6 -3 5.2 1.6C4.8 3.8 4 5 3 5.2C3.8 3 3.8 .4 3 -1.4C.6 -2.6 -2.2 -2.2 -4.6 -.8z;p T M-4.6 -2.4C-4.6 -5.4 -2.4 -6.6 .6 -6.6C4.6 -6.6 6.4 -3.6 6 2C5.4 .6 5.2 -1 4.6 -2.4C2 -4.2 -1.8 -4 -4.6 -2.4z",
    ..ADULT
};

pub const PRIEST: Person = Person {
    name: "priest",
    skin: 0,
    hair: Hair::Side,
    hair_colour: 0x9a9aa4,
    top: 0x2a2932,
    lower: Lower::Robe,
    bottom: 0x2a2932,
    shoe: 0x17151c,
    accent: 0xf2c14e,
    chest: "r 14.8 12 2.6 1 .2 W;l A .5 M16 14V18M14.8 15.2H17.2;l t .4 M16 18V22",
    ..ADULT
};

pub const DANCER: Person = Person {
    name: "woman-dancing",
    girth: 0.92,
    skin: 1,
    hair: Hair::Long,
    hair_colour: 0x2d201d,
    lashes: true,
    top: 0xd8283c,
    sleeve: Sleeve::None,
    lower: Lower::Gown,
    bottom: 0xd8283c,
    shoe: 0x2a2228,
    accent: 0xffc83d,
    chest: "p S M13.4 12.8C14.6 15.4 17.6 15.4 19 12.8C17.8 11.7 14.6 11.7 13.4 12.8z;l b .5 M12.9 19.6H19.6",
    hem: "l b .7 M11.4 24.4C14 26 18.6 26 20.8 24.4M9.6 27.6C13.4 29.4 19.2 29.4 22.8 27.6",
    hat: "o 3.6 -3 1.1 1 A;o 4.2 -3.8 .8 .8 #ff7a5c",
    ..ADULT
};
