//! People dressed up for a show, a wedding or a sport.

use crate::figures::person::{ADULT, Board, Hair, Lower, Person, Sleeve};

pub const BALLERINA: Person = Person {
    name: "ballerina",
    metres: 1.6,
    girth: 0.88,
    legs: 1.08,
    skin: 0,
    hair: Hair::Bun,
    hair_colour: 0x5a3522,
    lashes: true,
    top: 0xff9ac2,
    sleeve: Sleeve::None,
    lower: Lower::Tutu,
    bottom: 0xffe0e8,
    shoe: 0xff7fb0,
    accent: 0xffc8de,
    chest: "p S M13.6 12.6C14.6 15.4 17.6 15.4 18.8 12.6C17.6 11.7 14.8 11.7 13.6 12.6z;l T .7 M13.8 14L13.9 12.4M18.7 14L18.5 12.4",
    hat: "p A M-1 -5.6L-2.2 -6.8L-2 -4.8zM-1 -5.6L.3 -6.6L-.1 -4.7z;o -1 -5.6 .5 .5 T",
    shin: "l T .5 M-1.2 2.4L1.2 3.4M1.2 2.4L-1.2 3.4",
    ..ADULT
};

pub const BRIDE: Person = Person {
    name: "bride",
    girth: 0.94,
    skin: 2,
    hair: Hair::Bun,
    hair_colour: 0x4a2b1d,
    lashes: true,
    top: 0xffffff,
    sleeve: Sleeve::None,
    lower: Lower::Gown,
    bottom: 0xffffff,
    shoe: 0xf1e9f2,
    accent: 0xf9b7c9,
    chest: "p S M13 13.4C14.6 15.6 17.6 15.6 19.4 13.4C18 11.7 14.4 11.7 13 13.4z;l w .4 M13 14.4C14.6 16 17.6 16 19.5 14.4;l A .8 M12.8 19.5H19.6",
    behind: "p #eef0fb M-1 -5.4C3 -7.4 6.6 -4.6 7.4 0C8.4 6 9.6 12 10.6 17.6C7 19.4 2.6 19.2 -.6 17.6C1.6 10 1 2 -1 -5.4z;p #dfe3f4 M5 -4C6.4 4 7.6 12 8 18.6C9 18.4 9.8 18 10.6 17.6C9.6 12 8.4 6 7.4 0C6.8 -2 6 -3.2 5 -4z",
    hat: "o -1.8 -5 .9 .8 A;o -.2 -5.6 1 .9 W;o 1.4 -5.5 .9 .8 A;o 2.8 -4.9 .7 .7 W",
    hem: "l w .5 M13.4 21.6C14.6 22.6 17.6 22.6 18.8 21.6;l w .5 M11.4 25.4C13.6 27 18.8 27 20.9 25.4",
    ..ADULT
};

pub const GROOM: Person = Person {
    name: "groom",
    girth: 1.06,
    skin: 1,
    hair: Hair::Side,
    hair_colour: 0x3a261c,
    top: 0x353a4d,
    bottom: 0x353a4d,
    shoe: 0x1f1d26,
    accent: 0xf9b7c9,
    chest: "p W M14 12L15.4 18.6H16.9L18.1 12z;p t M14 12L13.6 14.6L15.9 19L16.2 19L18.6 14.6L18.1 12L16.1 17.6z;p #1f1d26 M16.1 13.4L14.4 12.6V14.6zM16.1 13.4L17.8 12.6V14.6z;o 16.1 13.6 .5 .5 #1f1d26;o 16 20 .3 .3 #1f1d26;o 14 16.2 .8 .75 A;o 13.8 16 .4 .4 #f3859f",
    ..ADULT
};

pub const CLOWN: Person = Person {
    name: "clown",
    skin: 0,
    hair: Hair::None,
    hair_colour: 0xff5a4d,
    top: 0xffd23f,
    bottom: 0x3fa9f5,
    shoe: 0xe8443a,
    accent: 0xff5a4d,
    girth: 1.2,
    glove: Some(0xffffff),
    chest: "o 16 15.4 .7 .7 A;o 16 18.4 .7 .7 A;o 13.9 17 .6 .6 #3fa9f5;o 18.2 17 .6 .6 #34c38f;p W M12.6 12.8C13.4 11.6 18.8 11.6 19.8 12.8C19.4 14.4 18.4 13.6 17.8 14.6C17 13.8 16.2 15.2 15.4 14.4C14.6 15 14.2 13.8 13.4 14.2z",
    behind: "o 4.6 -1 2.5 2.5 H;o 5.2 1.6 2.2 2.2 #3fa9f5;o -4.4 -1.8 2 2.2 #34c38f;o -4.6 .6 1.5 1.7 H",
    hat: "o 4.9 -1.6 2 2 H;o 5 .8 1.7 1.7 #3fa9f5;p #7b52d6 M-2.2 -4L1 -10.4L3.4 -3.6C1.6 -4.6 -.6 -4.7 -2.2 -4z;o 1 -10.4 1 1 A;o .6 -6.6 .5 .5 #ffd23f;o 1.6 -5 .5 .5 #34c38f;o -.4 -5 .45 .45 #ffd23f",
    beard: "p W M-3.8 2.6C-2.8 1.4 1 1.4 2.4 2.4C2.6 4 1 4.6 -.8 4.5C-2.6 4.5 -3.8 3.8 -3.8 2.6z;o -2.3 -.1 1.3 1.6 W;o .9 -.1 1.4 1.6 W",
    mask: "o -1.5 1.4 1.15 1.1 #f8312f;o -1.85 1 .35 .3 #ff8a80",
    ..ADULT
};

pub const SURFER: Person = Person {
    name: "surfer",
    skin: 2,
    hair: Hair::Messy,
    hair_colour: 0xf0c05a,
    top: 0x2b6cb8,
    sleeve: Sleeve::Short,
    lower: Lower::Shorts,
    bottom: 0xff8a3d,
    shoe: 0xdba171,
    accent: 0xffd447,
    chest: "p #49c5d6 M12.9 15.6L19.6 14.6V16.8L12.8 17.8z",
    board: Board::Surf,
    ..ADULT
};

pub const SKATER: Person = Person {
    name: "skater",
    metres: 1.6,
    head: 1.08,
    skin: 4,
    hair: Hair::Short,
    hair_colour: 0x221a1a,
    top: 0xff8a3d,
    bottom: 0x55607d,
    shoe: 0xffffff,
    accent: 0x24b2a2,
    chest: "l t .5 M13.8 18.4L14.6 20.8H17.6L18.4 18.4z;p t M13.6 12.6C14.6 14.6 17.8 14.6 18.8 12.6L17.6 11.8H14.8z;l W .35 M15.2 13.6V15.8M17 13.6V15.4",
    hat: "p A M-4.6 -1.9C-4.8 -5.8 -2.4 -7 .6 -6.8C4 -6.6 5.6 -4.4 5.2 -1.4C2 -2.9 -1.8 -3 -4.6 -1.9z;p a M-4.4 -2.7C-5.6 -2.6 -7.6 -2.2 -8 -1.4C-7.8 -.9 -6 -1.1 -4.2 -1.7C-1.6 -2.6 2 -2.6 5.2 -1.2L5.3 -2.4C2.4 -3.8 -1.6 -4 -4.4 -2.7z;o .6 -6.8 .7 .5 a",
    board: Board::Skate,
    ..ADULT
};

pub const CYCLIST: Person = Person {
    name: "cyclist-rider",
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x4a3022,
    top: 0xf5d327,
    sleeve: Sleeve::Short,
    lower: Lower::Shorts,
    bottom: 0x2c2f3d,
    shoe: 0xe8443a,
    accent: 0xe8443a,
    glove: Some(0x2c2f3d),
    chest: "r 12.8 16.2 6.9 1.6 0 A;l t .35 M15.7 12.4V16",
    hat: "p A M-5.4 -1.8C-5.4 -5.8 -2.6 -7.4 1 -7.2C4.8 -7 7.2 -4.6 6.8 -2.2C6 -1.4 4.8 -1 3.8 -1.2C1 -2.6 -2.4 -2.6 -5.4 -1.8z;p W M-3.8 -3.8C-2.8 -5.4 -1 -6.2 1 -6.2L.4 -5C-1 -4.9 -2.4 -4.4 -3.8 -3.8zM2.6 -6C4.2 -5.6 5.4 -4.6 5.8 -3.4L4.4 -3.6C4 -4.4 3.2 -4.9 2.2 -5.1z;l #2c2f3d .45 M3.6 -1.2L2.4 3.6L.4 4.7",
    ..ADULT
};
