//! Beings of tales and of the night, and what is made in the shape of a person.

use super::CROWN;
use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

/// Flesh of bone.
const BONE: [u32; 3] = [0xf1ede0, 0xc9c3b0, 0xe6dfcf];

pub const VAMPIRE: Person = Person {
    name: "vampire",
    flesh: Some([0xe3dff0, 0xb9b2cf, 0xd7c3d8]),
    hair: Hair::Short,
    hair_colour: 0x26202e,
    top: 0x2e2a3a,
    bottom: 0x2a2636,
    shoe: 0x17151c,
    accent: 0xc2203a,
    cape: Some(0x8f1f3a),
    chest: "p W M14 12L15.4 18.6H16.9L18.1 12z;p A M14.6 13.4L16 17.6L17.6 13.4L18.6 21.8H13.4z;p #2e2a3a M16.1 13.4L14.4 12.6V14.6zM16.1 13.4L17.8 12.6V14.6z;p #8f1f3a M12 9.6L15 12.6L12.8 14.6zM20.6 9.6L17.8 12.6L19.8 14.6z",
    beard: "p W M-2.2 3L-1.8 4.2L-1.4 3.1zM-.2 3.1L.2 4.2L.6 2.9z",
    ..ADULT
};

pub const ZOMBIE: Person = Person {
    name: "zombie",
    flesh: Some([0x9bb97a, 0x75945a, 0x86a86a]),
    hair: Hair::Messy,
    hair_colour: 0x3f3a33,
    top: 0x6d6a7a,
    sleeve: Sleeve::Short,
    bottom: 0x5a5148,
    shoe: 0x3a332c,
    accent: 0xa83232,
    chest: "p S M13.4 17L15 16.4L15.6 18.6L14 19.4zM17.6 20L19.2 19L19.4 22H18z;l t .5 M16 12.4L15.4 15L16.6 17;p A M17.2 14.4L18.4 14L18.2 15.6z",
    mask: "l #4f6b3f .5 M-3.9 -2.2L-2.4 -1.6M-3.4 -2.6L-3 -1.4;o -2.3 .1 1.1 1.1 #f4f2d0;o .9 .1 1 1 #f4f2d0;o -2.2 .2 .4 .4 K;o 1 .2 .4 .4 K",
    ..ADULT
};

pub const MUMMY: Person = Person {
    name: "mummy",
    flesh: Some([0xe6dcc0, 0xc4b894, 0xdcd0b0]),
    hair: Hair::None,
    top: 0xe6dcc0,
    bottom: 0xe6dcc0,
    shoe: 0xd6caa8,
    accent: 0xc4b894,
    chest: "l A .5 M12.9 14.4L19.4 13.4M12.8 16.4L19.6 16M12.8 18.2L19.6 19M12.8 20.6L19.6 20",
    arm: "l A .5 M-1.4 .6L1.4 1.2M-1.4 2.4L1.4 2",
    cuff: "l A .5 M-1.3 .4L1.3 .8M-1.3 2L1.3 1.6",
    shin: "l A .5 M-1.4 .4L1.4 .8M-1.4 2L1.4 1.6M-1.4 3.2L1.4 3.6",
    hat: "l A .5 M-3.8 -2.6L4 -3.4M-4.2 -1.6L4.4 -1.8M-2.6 -4L3 -4.4",
    beard: "p #3a3448 M-4.2 -.9L4.2 -1.1L4.2 1.1L-4.1 1.3z;l A .5 M-4 2L4.2 2.2M-3.4 3.4L3.4 3",
    mask: "o -2.3 .1 .8 .8 #ffe27a;o .9 .1 .8 .8 #ffe27a;o -2.3 .1 .35 .4 K;o .9 .1 .35 .4 K",
    mouth: false,
    ..ADULT
};

pub const SKELETON: Person = Person {
    name: "skeleton",
    girth: 0.86,
    flesh: Some(BONE),
    hair: Hair::None,
    top: 0x3a3a48,
    bottom: 0x3a3a48,
    shoe: 0xf1ede0,
    accent: 0xf1ede0,
    chest: "l A .9 M16 12V22;l A .8 M13 14.2C14.6 13 17.8 13 19.4 14.2M13 16C14.6 14.8 17.8 14.8 19.4 16M13.2 17.8C14.6 16.6 17.8 16.6 19.2 17.8;p A M13.4 20.2C15 19.6 17.4 19.6 19 20.2L18 22H14.4z",
    arm: "l A 1 M0 -.4V3.4;o 0 -.6 .8 .7 A",
    cuff: "l A .9 M0 0V2.6;o 0 0 .8 .7 A",
    shin: "l A 1 M0 0V3.4;o 0 0 1 .8 A",
    beard: "l #5a5648 .4 M-3 2.6H1.8M-2 2V3.4M-.8 2V3.4M.4 2V3.4",
    mask: "o -2.2 0 1.25 1.4 #2c2730;o 1 0 1.25 1.4 #2c2730;p #2c2730 M-.9 1.2L-1.4 2H-.4z",
    mouth: false,
    ..ADULT
};

pub const PRINCE: Person = Person {
    name: "prince",
    skin: 1,
    hair: Hair::Side,
    hair_colour: 0x8a5426,
    top: 0x3f6fc9,
    lower: Lower::Coat,
    bottom: 0xf0e6d8,
    shoe: 0x6b3b22,
    accent: 0xffc83d,
    cape: Some(0xb3243f),
    chest: "l A .5 M16 13V21.8;l A .4 M14.4 14.4H17.6M14.4 16H17.6M14.4 17.6H17.6;l A .9 M12.9 20H19.5;o 13.2 13.2 1 .7 A;o 19 13.2 1 .7 A",
    hat: CROWN,
    ..ADULT
};

pub const SAMURAI: Person = Person {
    name: "samurai",
    girth: 1.16,
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x1f1b24,
    top: 0x9c2f38,
    lower: Lower::Skirt,
    bottom: 0x3a3448,
    shoe: 0x6b4a2e,
    accent: 0xffc83d,
    chest: "l #3a3448 .6 M12.9 14.6H19.6M12.8 16.6H19.7M12.8 18.6H19.7;l A .5 M14.4 12.4V20M17.8 12.4V20;l #3a3448 1 M12.9 20.6H19.6;l #26242e .8 M18.6 19L22.6 21.6",
    arm: "r -2.1 -1.4 4.2 3.6 .6 #9c2f38;l #3a3448 .5 M-2 0H2M-2 1.2H2",
    hat: "p #3a3448 M-5.4 -1.4C-5.6 -5.4 -2.8 -7 .6 -7C4.4 -7 6.6 -4.8 6.8 1.6C5.6 2 4.6 1.4 4.2 .4L3.6 -1.6C.8 -2.8 -2.6 -2.6 -5.4 -1.4z;p A M-2.6 -6C-5 -7.4 -5.6 -9.6 -5 -11.4C-4 -9 -2.6 -8 -1.2 -7.4C0 -8.2 1.4 -9.4 1.8 -11.6C2.8 -9.4 2 -7 0 -5.6z;o -1.2 -5.6 .8 .8 A",
    hem: "l A .4 M14 20.6L12.8 25.4M16.2 20.6V26M18.4 20.6L19.8 25.4",
    ..ADULT
};

pub const VIKING: Person = Person {
    name: "viking",
    girth: 1.22,
    skin: 0,
    hair: Hair::Long,
    hair_colour: 0xd98a3a,
    top: 0x6b4a33,
    sleeve: Sleeve::Short,
    bottom: 0x5a5f6e,
    shoe: 0x5a3a22,
    accent: 0xb9a27a,
    chest: "p A M13 13.4C13.6 11.6 18.8 11.6 19.4 13.4C18 15.4 14.4 15.4 13 13.4z;l #3a2a1e 1 M12.9 20.4H19.6;o 16 20.4 .9 .9 #ffc83d;l a .3 M14.4 12.6L14 14.4M16 12.4V14.8M17.8 12.6L18.2 14.4",
    cuff: "r -1.5 1.2 3 2 .4 #5a3a22",
    shin: "p A M-1.8 1.4H1.8L1.6 4.4H-1.6z;l #5a3a22 .4 M-1.6 2.2L1.6 3M-1.6 3.2L1.6 4",
    hat: "p #f1ead8 M-4.4 -4C-7 -4.4 -8.4 -6.6 -7.8 -9.4C-6.8 -7.6 -5.4 -6.8 -3.4 -6.4zM5 -4C7.6 -4.4 9 -6.6 8.4 -9.4C7.4 -7.6 6 -6.8 4 -6.4z;p #9aa3b3 M-4.8 -2C-5 -5.6 -2.6 -7.2 .4 -7.2C3.8 -7.2 5.8 -5.2 5.4 -1.6C2 -2.8 -2 -2.8 -4.8 -2z;l #6d768a .9 M-4.8 -2.4C-2 -3.2 2 -3.2 5.4 -2;l #6d768a .8 M-1 -7V-3",
    beard: "p H M-4.3 .6C-3.4 2 -2.4 1.6 -1 1.8C.4 1.7 2.4 2 3.6 .2C4.4 3.6 3 6.8 1.4 8.6L.4 7.6L-.8 9.4L-1.8 7.6L-3 8C-4.4 6 -4.8 3.4 -4.3 .6z;o -.8 3 1.5 .7 S",
    ..ADULT
};

pub const MAGICIAN: Person = Person {
    name: "magician",
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x26202e,
    top: 0x26242e,
    lower: Lower::Coat,
    bottom: 0x26242e,
    shoe: 0x17151c,
    accent: 0xc2203a,
    glove: Some(0xffffff),
    cape: Some(0x7a2a5e),
    chest: "p W M14 12L15.4 18.6H16.9L18.1 12z;p A M14.4 15L16.1 19.4L17.8 15L18.4 21.8H13.6z;p A M16.1 13.4L14.4 12.6V14.6zM16.1 13.4L17.8 12.6V14.6z",
    hat: "p T M-3.8 -3L-4.2 -10.2C-1.6 -11.2 3.4 -11.2 5.6 -10L4.6 -2.6z;p A M-3.9 -4.6L-3.8 -3C-1.4 -3.8 2 -3.6 4.6 -2.6L4.9 -4.4C2 -5.6 -1.4 -5.6 -3.9 -4.6z;p T M-7.2 -2C-4.6 -4 5.4 -4 7.8 -1.4C5 -2.4 -4.4 -2.8 -7.2 -2z",
    beard: "p H M-3.6 2.3C-3 1.4 -1.5 1.6 -.9 2.1C-.2 1.6 1.3 1.4 2 2.1C1.4 2.7 -.2 3 -.9 2.6C-1.6 3 -3 2.9 -3.6 2.3z",
    ..ADULT
};

pub const GENIE: Person = Person {
    name: "genie",
    girth: 1.2,
    flesh: Some([0x5fa8e8, 0x3f86c9, 0x7f9fe8]),
    hair: Hair::Bald,
    hair_colour: 0x26202e,
    top: 0x5fa8e8,
    sleeve: Sleeve::None,
    bottom: 0xb04fc0,
    shoe: 0xffc83d,
    accent: 0xffc83d,
    chest: "p #7a3a9c M13 13.4C14 12 15 12.4 15.2 14L14.4 20.6H12.8zM19.4 13.4C18.4 12 17.4 12.4 17.2 14L17.8 20.6H19.7z;r 12.7 20.2 7 1.6 .4 A",
    cuff: "r -1.5 1.6 3 1.4 .5 A",
    shin: "r -1.9 2.4 3.8 1.4 .5 A",
    hat: "o -1.2 -4.8 1.4 1.2 A;p H M-.6 -5C-1.4 -8.4 1.4 -10.4 4.4 -9.2C3 -8.6 1.6 -7.4 .8 -5z",
    beard: "p H M-2 4C-1.6 3.8 -.2 3.8 .4 4C.2 5.6 -.4 7 -1 7.4C-1.6 6.8 -2 5.4 -2 4z",
    ..ADULT
};

pub const TROLL: Person = Person {
    name: "troll",
    metres: 2.2,
    girth: 1.44,
    legs: 0.7,
    head: 1.14,
    flesh: Some([0x8fae6a, 0x6d8c4e, 0xa3b86a]),
    hair: Hair::Messy,
    hair_colour: 0x5a4a33,
    top: 0x8a6a45,
    sleeve: Sleeve::None,
    bottom: 0x6b4f36,
    shoe: 0x6d8c4e,
    accent: 0xf4efe0,
    chest: "p t M12.7 19.6L14 21.8L15.2 20L16.6 22L18 20.2L19.7 21.6V22H12.7z;l #4a3626 .9 M13 13L19.4 19.6",
    beard: "o -1.6 1.6 1.7 1.3 s;p A M-2.6 3.4L-2.2 1.9L-1.7 3.4zM.4 3.4L.8 1.9L1.3 3.3z",
    ..ADULT
};

pub const OGRE: Person = Person {
    name: "ogre",
    metres: 2.4,
    girth: 1.5,
    legs: 0.78,
    flesh: Some([0xd98a5c, 0xb0683f, 0xe07a5a]),
    hair: Hair::Bald,
    hair_colour: 0x3a2a20,
    top: 0x7a5a3a,
    sleeve: Sleeve::None,
    bottom: 0x5a452f,
    shoe: 0xb0683f,
    accent: 0xf4efe0,
    chest: "l #4a3626 1 M12.8 20.4H19.7;o 16 17.6 2.2 2 t;p t M12.8 14L13.6 12.4L14.6 13.6z",
    hat: "p A M-3 -4.2L-3.6 -7.2L-1.2 -4.8zM2 -4.8L3.4 -7.4L3.8 -4z",
    beard: "o -1.4 1.5 1.5 1.1 s;p A M-2.8 3.5L-2.4 1.8L-1.9 3.5zM.6 3.4L1 1.8L1.5 3.3z",
    ..ADULT
};

pub const GOBLIN: Person = Person {
    name: "goblin",
    metres: 1.1,
    girth: 0.92,
    legs: 0.76,
    head: 1.26,
    flesh: Some([0x6fb05a, 0x4f8c3f, 0x8fb85a]),
    hair: Hair::Bald,
    hair_colour: 0x3a2a20,
    top: 0x7a4f33,
    sleeve: Sleeve::None,
    bottom: 0x5a4030,
    shoe: 0x4a3626,
    accent: 0xffd84a,
    chest: "l #4a3626 .9 M12.8 20H19.7;p t M12.7 20.6L14 22L15.4 20.8L16.8 22L18.2 20.8L19.7 22H12.7z",
    behind: "p s M3.4 -1.4C5.4 -3.4 8 -4.4 10 -4C8.8 -1.6 6.8 .8 4.4 1.4zM-4 -1.4C-6 -3.2 -8.2 -4 -9.8 -3.6C-8.6 -1.4 -6.8 .6 -4.6 1z",
    mask: "o -2.3 .1 .9 1 A;o .9 .1 .9 1 A;o -2.3 .1 .3 .7 K;o .9 .1 .3 .7 K",
    ..ADULT
};

pub const ANGEL: Person = Person {
    name: "angel",
    metres: 1.6,
    skin: 0,
    hair: Hair::Curly,
    hair_colour: 0xe8b94a,
    lashes: true,
    top: 0xffffff,
    lower: Lower::Robe,
    bottom: 0xffffff,
    shoe: 0xf1d58a,
    accent: 0xffd84a,
    chest: "l A .8 M12.9 19.8H19.5;p S M14.4 12C14.8 13.4 17.4 13.4 17.8 12z",
    pack: "p #f4f6ff M18 14C20.4 8.6 25 7 29 8.6C28.8 11.4 28 13 26.8 14C27.6 15.2 27.4 17 26 18C26.2 19.6 24.6 21 22.4 20.6C20 20 18.4 17.4 18 14z;l #d5dcf2 .5 M20 14.6C22 12.4 25 11.6 27.4 12.6M20.6 16.8C22.4 15.4 24.6 15.2 26.2 16;p #e6ebfb M14 14C11.6 8.6 7 7 3 8.6C3.2 11.4 4 13 5.2 14C4.4 15.2 4.6 17 6 18C5.8 19.6 7.4 21 9.6 20.6C12 20 13.6 17.4 14 14z",
    hat: "l A .9 M-3.4 -8C-3.4 -9.4 4.2 -9.4 4.2 -8C4.2 -6.8 -3.4 -6.8 -3.4 -8z",
    ..ADULT
};

pub const DEVIL: Person = Person {
    name: "devil",
    flesh: Some([0xe0413a, 0xb82f30, 0xff7a5c]),
    hair: Hair::Short,
    hair_colour: 0x2c1a20,
    top: 0xb02430,
    bottom: 0x8f1c2a,
    shoe: 0x2c1a20,
    accent: 0x2c1a20,
    cape: Some(0x3a1a26),
    chest: "l A .8 M12.9 20.4H19.6;p A M14.4 12L16 14.4L17.8 12L18.6 13L16 16L13.6 13z",
    hat: "p #f4d9a8 M-3.4 -3.6C-5 -5.4 -4.8 -7.6 -3.4 -8.8C-3.4 -7 -2.6 -5.6 -1.2 -4.8zM2.4 -4.8C3.8 -5.6 4.6 -7 4.6 -8.8C6 -7.4 6.2 -5.2 4.6 -3.4z",
    beard: "p H M-1.8 4C-1.4 3.8 -.4 3.8 .2 4C0 5.4 -.4 6.4 -.9 6.8C-1.4 6.2 -1.8 5.2 -1.8 4z",
    ..ADULT
};

pub const GRIM_REAPER: Person = Person {
    name: "grim-reaper",
    metres: 1.9,
    flesh: Some(BONE),
    hair: Hair::None,
    top: 0x2e2c38,
    lower: Lower::Robe,
    bottom: 0x2e2c38,
    shoe: 0x1c1a22,
    chest: "l #17151c .8 M12.9 20H19.5",
    hat: "p T M-4.6 .6C-5.6 -4.6 -3 -7.6 1 -7.4C5.6 -7.2 7.4 -3 6.6 2C6 4.6 4.6 6.2 2.6 6C3.6 3.6 3.8 .8 3 -2C.6 -3.6 -2.6 -3 -4.6 .6z;p t M3 -7C6.4 -6 7.4 -2 6.6 2C6 4.6 4.6 6.2 2.6 6C5.6 2.6 5.4 -4 3 -7z",
    beard: "l #5a5648 .4 M-3 2.6H1.8M-2 2V3.4M-.8 2V3.4M.4 2V3.4",
    mask: "o -2.2 0 1.25 1.4 #2c2730;o 1 0 1.25 1.4 #2c2730;p #2c2730 M-.9 1.2L-1.4 2H-.4z",
    mouth: false,
    ..ADULT
};

pub const CAVEMAN: Person = Person {
    name: "caveman",
    girth: 1.2,
    skin: 1,
    hair: Hair::Messy,
    hair_colour: 0x3a281e,
    top: 0xc98a45,
    sleeve: Sleeve::None,
    lower: Lower::Skirt,
    bottom: 0xc98a45,
    shoe: 0xf6c99b,
    accent: 0x6b4526,
    chest: "p S M15.4 12C17 12 19.4 12.8 19.6 14.4L19.7 17C17.6 16 16 14 15.4 12z;o 14.2 15.4 .7 .6 A;o 15.6 19 .8 .6 A;o 18.2 20.4 .7 .5 A",
    hem: "o 13.6 22.6 .8 .6 A;o 17.4 23.6 .9 .7 A;o 19.2 21.6 .6 .5 A",
    beard: "p H M-4.3 .6C-3.4 2 -2.4 1.6 -1 1.8C.4 1.7 2.4 2 3.6 .2C4.4 3.6 2.8 6.8 -.6 7C-3.2 7 -4.6 4.2 -4.3 .6z;o -.8 3 1.5 .7 S",
    ..ADULT
};

pub const YETI: Person = Person {
    name: "yeti",
    metres: 2.4,
    girth: 1.46,
    legs: 0.8,
    head: 1.1,
    flesh: Some([0x9fc4e0, 0x7fa6c9, 0xb8cfe8]),
    hair: Hair::Curly,
    hair_colour: 0xf4f8fc,
    top: 0xf4f8fc,
    bottom: 0xf4f8fc,
    shoe: 0x9fc4e0,
    accent: 0xdce8f2,
    chest: "p A M13 16L14 17.6L15 16.2L16 18L17.2 16.2L18.4 17.6L19.4 16V22H13z;l A .5 M13.4 13.4L14.2 14.6M18.8 13.4L18 14.6",
    arm: "p W M-2 -1C-2.6 1 -2 2.6 -1.4 3.4L0 2.6L1.4 3.4C2 2.6 2.6 1 2 -1z",
    shin: "p W M-2 -.4L-2 3L-1 2.4L0 3.4L1 2.4L2 3V-.4z",
    beard: "p W M-4.6 1.6C-4 2.6 -3 2.2 -2.4 1.8C-1.6 1.4 .8 1.4 1.4 1.8C2.4 2.4 3.8 1.6 4.2 0C4.8 3.4 3.4 5.8 1.4 6.4L.4 5.6L-.8 6.8L-1.8 5.6L-3 6.2C-4.4 5.2 -5 3.4 -4.6 1.6z",
    ..ADULT
};

pub const MONSTER: Person = Person {
    name: "monster",
    metres: 1.6,
    girth: 1.4,
    legs: 0.6,
    head: 1.2,
    flesh: Some([0x8a63d2, 0x6a46b0, 0xb48af0]),
    hair: Hair::Messy,
    hair_colour: 0x6a46b0,
    top: 0x8a63d2,
    bottom: 0x8a63d2,
    shoe: 0x6a46b0,
    accent: 0xc9f27a,
    chest: "o 15.6 18 2.6 3.2 A;o 13.6 13.6 .7 .6 a;o 18.8 20.4 .7 .6 a",
    hat: "p #f4d9a8 M-3.4 -3.8C-5.4 -5.4 -5.4 -7.6 -4 -9C-3.8 -7.2 -2.8 -5.8 -1.2 -5zM2.4 -5C4 -5.8 5 -7.2 5.2 -9C6.6 -7.6 6.6 -5.4 4.6 -3.6z",
    beard: "p W M-2.4 2.7L-2 4L-1.5 2.8zM.2 2.8L.6 4L1.1 2.6z",
    ..ADULT
};
