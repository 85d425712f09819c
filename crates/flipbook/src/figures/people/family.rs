//! The people of a household, from the baby to the old.

use super::GLASSES;
use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

pub const WOMAN: Person = Person {
    name: "woman",
    skin: 1,
    hair: Hair::Long,
    hair_colour: 0x6b3a22,
    lashes: true,
    top: 0xff6f61,
    sleeve: Sleeve::Short,
    bottom: 0x4667a5,
    shoe: 0xffffff,
    chest: "p S M14.1 12C14.3 13.9 17.6 14 18 12z",
    ..ADULT
};

pub const MAN: Person = Person {
    name: "man",
    skin: 2,
    hair: Hair::Side,
    hair_colour: 0x33241f,
    top: 0x35a7c4,
    bottom: 0x46506b,
    shoe: 0x7a4a2e,
    girth: 1.08,
    chest: "p W M14.3 12L16 14.2L17.9 12L18.6 13.4L16.1 15.4L13.8 13.3z;l t .35 M15.9 15.6V21.6;o 15.3 17 .22 .22 W;o 15.3 19 .22 .22 W",
    ..ADULT
};

pub const BEARDED_MAN: Person = Person {
    name: "bearded-man",
    beard: "p H M-4.3 .4C-3.4 1.9 -2.4 1.5 -1 1.7C.4 1.6 2.4 1.9 3.6 .1C4.6 3.6 3.4 7 1.2 8.4C0 9.2 -1.6 9.2 -2.6 8.2C-4.4 6.6 -4.8 3.4 -4.3 .4z;p h M1.8 3.4C2 5.4 1.4 7.2 .4 8.7C.7 8.6 1 8.5 1.2 8.4C3.4 7 4.6 3.6 3.6 .1C3.2 1.4 2.6 2.6 1.8 3.4z;o -.8 3 1.5 .7 S",
    ..MAN
};

pub const GIRL: Person = Person {
    name: "girl",
    metres: 1.2,
    head: 1.24,
    legs: 0.78,
    girth: 0.94,
    skin: 0,
    hair: Hair::Pigtails,
    hair_colour: 0xb9622c,
    lashes: true,
    top: 0xffc93c,
    sleeve: Sleeve::Short,
    lower: Lower::Skirt,
    bottom: 0xffc93c,
    shoe: 0xe4577b,
    accent: 0xe4577b,
    chest: "p W M13.6 12.4C14.4 14.4 17.8 14.6 18.8 12.4C17.6 11.8 14.8 11.8 13.6 12.4z;o 15.8 14.4 .8 .7 A",
    hem: "o 13.4 22.6 .5 .5 W;o 16 23.8 .5 .5 W;o 18.6 22.4 .5 .5 W;o 15.6 21.4 .5 .5 W",
    ..ADULT
};

pub const BOY: Person = Person {
    name: "boy",
    metres: 1.2,
    head: 1.24,
    legs: 0.78,
    girth: 0.96,
    skin: 3,
    hair: Hair::Curly,
    hair_colour: 0x2d201d,
    top: 0x4cb963,
    sleeve: Sleeve::Short,
    lower: Lower::Shorts,
    bottom: 0x3e6ab3,
    shoe: 0xe8503a,
    chest: "p W M12.8 15.4H19.6V16.8H12.8z;p W M12.7 18.2H19.7V19.6H12.7z",
    ..ADULT
};

pub const BABY: Person = Person {
    name: "baby",
    metres: 0.7,
    head: 1.5,
    legs: 0.5,
    girth: 1.05,
    skin: 1,
    hair: Hair::Curl,
    hair_colour: 0x8a5a35,
    top: 0x8fd3f4,
    bottom: 0x8fd3f4,
    shoe: 0x8fd3f4,
    chest: "o 15.6 17 2.2 2.6 W;p A M15.6 16.4C15 15.6 13.9 16.3 14.4 17.2L15.6 18.4L16.8 17.2C17.3 16.3 16.2 15.6 15.6 16.4z",
    accent: 0xffa6c1,
    ..ADULT
};

pub const OLD_WOMAN: Person = Person {
    name: "old-woman",
    metres: 1.55,
    head: 1.06,
    legs: 0.84,
    girth: 1.1,
    skin: 0,
    hair: Hair::Bun,
    hair_colour: 0xd5d5df,
    top: 0x9a6bc9,
    lower: Lower::Skirt,
    bottom: 0x5f5a8a,
    shoe: 0x4a3b3b,
    chest: "p W M14.4 12L16 17L17.8 12z;l t .4 M16 17V21.8;o 15.2 18.6 .3 .3 A;o 15.2 20.4 .3 .3 A",
    mask: GLASSES,
    ..ADULT
};

pub const OLD_MAN: Person = Person {
    name: "old-man",
    metres: 1.65,
    head: 1.05,
    legs: 0.88,
    girth: 1.1,
    skin: 1,
    hair: Hair::Bald,
    hair_colour: 0xdcdce4,
    top: 0x7c8f56,
    bottom: 0x6a5444,
    shoe: 0x4a3327,
    chest: "p W M14 12L15.9 16L18 12z;p #b5483c M15.4 13.2H16.5L16.9 16.4L15.9 17.4L15.1 16.4z;l t .4 M15.9 17.4V21.8",
    mask: GLASSES,
    beard: "p H M-3.3 2.3C-2.6 1.5 -1.4 1.6 -.9 2.1C-.2 1.6 1 1.6 1.6 2.4C.9 3.2 -.4 3.2 -.9 2.7C-1.5 3.2 -2.7 3 -3.3 2.3z",
    ..ADULT
};
