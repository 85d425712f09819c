//! Singer, players of ball games, boxer, cowboy, fairy and elf.

use crate::figures::person::{ADULT, Hair, Lower, Person, Sleeve};

pub const SINGER: Person = Person {
    name: "singer",
    skin: 3,
    hair: Hair::Wavy,
    hair_colour: 0x2b1a2a,
    lashes: true,
    top: 0xb3329a,
    sleeve: Sleeve::None,
    lower: Lower::Gown,
    bottom: 0xb3329a,
    shoe: 0xf2c94c,
    accent: 0xffd84a,
    chest: "p S M13.2 13.2C14.6 15.4 17.6 15.4 19.2 13.2C18 11.7 14.4 11.7 13.2 13.2z;o 14.4 16.4 .3 .3 A;o 16.6 17 .3 .3 A;o 15.2 18.6 .3 .3 A;o 17.8 19 .3 .3 A;l A .7 M12.9 20.4H19.6",
    hem: "o 12.4 24 .35 .35 A;o 15.8 25.4 .35 .35 A;o 19 24.2 .35 .35 A;o 14 27 .35 .35 A;o 18 27.2 .35 .35 A",
    ..ADULT
};

pub const SOCCER_PLAYER: Person = Person {
    name: "soccer-player",
    skin: 2,
    hair: Hair::Short,
    hair_colour: 0x2c211c,
    top: 0xe23b4a,
    sleeve: Sleeve::Short,
    lower: Lower::Shorts,
    bottom: 0xffffff,
    shoe: 0x22c55e,
    accent: 0xffffff,
    chest: "p A M14.2 12L16 13.8L17.9 12L18.4 12.8L16 15L13.7 12.8z;l A .7 M15.2 16.4L16.4 15.8V20.4",
    shin: "r -1.4 .8 2.8 3 .5 #e23b4a;r -1.4 1 2.8 .6 .1 W",
    ..ADULT
};

pub const BASKETBALL_PLAYER: Person = Person {
    name: "basketball-player",
    metres: 1.85,
    legs: 1.1,
    skin: 4,
    hair: Hair::Short,
    hair_colour: 0x1d1716,
    top: 0x2f63d0,
    sleeve: Sleeve::None,
    lower: Lower::Shorts,
    bottom: 0x2f63d0,
    shoe: 0xffffff,
    accent: 0xffc83d,
    chest: "l A .6 M14.2 12C14.6 14.4 17.6 14.4 18 12;p A M14.4 16.2H15.8V17H15.2V18H15.8C16.2 18.6 16 20 14.4 20V19.2H15.1V18.7H14.4z;p A M16.6 16.2H18V17H17.4V18H18C18.4 18.6 18.2 20 16.6 20V19.2H17.3V18.7H16.6z",
    ..ADULT
};

pub const BOXER: Person = Person {
    name: "boxer",
    girth: 1.12,
    skin: 3,
    hair: Hair::Short,
    hair_colour: 0x211a18,
    top: 0xac7148,
    sleeve: Sleeve::None,
    lower: Lower::Shorts,
    bottom: 0xd8343c,
    shoe: 0x22202a,
    accent: 0xffd24a,
    glove: Some(0xd8343c),
    chest: "l s .4 M13.6 15.6C14.6 16.8 15.6 16.6 16 15.8C16.6 16.8 17.8 16.8 18.8 15.4;l s .3 M16 16V19.4;r 12.8 20.4 6.9 1.6 .2 A",
    ..ADULT
};

pub const COWBOY: Person = Person {
    name: "cowboy",
    skin: 1,
    hair: Hair::Short,
    hair_colour: 0x5a3820,
    top: 0xb5523c,
    bottom: 0x44618f,
    shoe: 0x6a3f22,
    accent: 0x9a6a3c,
    chest: "p #5f3d22 M12.8 13L14.6 12L14.9 22H12.8zM17.5 12L19.4 13L19.6 22H17.4z;p #d8343c M14.2 12.2L16 15.2L18 12.2L16.2 13z;r 12.8 20.6 6.9 1.1 .2 #4a2f1c;r 15.3 20.5 1.6 1.3 .3 #ffd24a",
    hat: "p A M-3.9 -2.8C-4 -6.6 -2.6 -8.4 -.8 -7.6C.2 -7.2 1 -7.2 2 -7.7C4 -8.3 5.2 -6 4.9 -2.6z;p A M-8.4 -3.6C-5.6 -2 -2.6 -3.4 .4 -3.4C4 -3.4 6.8 -2 9.4 -4.2C9 -1.6 5.4 -.6 1 -1C-3 -1.4 -7.4 -.9 -8.4 -3.6z;l #5a3820 .8 M-3.9 -3.3C-1.6 -4 2.4 -4 4.9 -3.1",
    ..ADULT
};

pub const FAIRY: Person = Person {
    name: "fairy",
    metres: 1.2,
    head: 1.2,
    girth: 0.86,
    legs: 0.86,
    skin: 0,
    hair: Hair::Ponytail,
    hair_colour: 0xf2b84a,
    lashes: true,
    top: 0x7fd36a,
    sleeve: Sleeve::None,
    lower: Lower::Tutu,
    bottom: 0xa8e88a,
    shoe: 0x58b84a,
    accent: 0xff8fc2,
    chest: "p S M13.6 12.6C14.6 15 17.6 15 18.8 12.6C17.6 11.7 14.8 11.7 13.6 12.6z;o 16 17 .6 .6 A",
    hat: "o -2.2 -5.2 .9 .8 A;o -.4 -5.9 .9 .8 #ffd84a;o 1.4 -5.7 .9 .8 A",
    pack: "p #bfe9ff M17.6 15C20 7.6 25.6 5.2 27.6 7.4C29.2 9.6 26 14 18.4 16.6z;p #d9c8ff M17.8 17C23.4 16.4 27.4 18.6 26.8 21C26 23.2 21 22 17.6 18.4z;l #ffffff .35 M18.4 15.6C21.4 11.6 24.4 9.4 26.6 8.6M18.6 17.6C21.6 18.2 24.4 19.4 25.8 20.6",
    ..ADULT
};

pub const ELF: Person = Person {
    name: "elf",
    metres: 1.3,
    head: 1.16,
    legs: 0.84,
    skin: 0,
    hair: Hair::Messy,
    hair_colour: 0xa8642c,
    top: 0x2f9a4a,
    bottom: 0xc23a3a,
    shoe: 0x2f7f3a,
    accent: 0xffd24a,
    chest: "p #c23a3a M13.2 12.4L14.6 14L16 12.8L17.4 14L18.8 12.4C17 11.7 15 11.7 13.2 12.4z;r 12.8 19.4 6.9 1.2 .2 #5a3820;r 15.3 19.2 1.6 1.6 .3 A",
    hat: "p #2f9a4a M-4.4 -2.4C-4 -6 -1.4 -8.4 3 -10.6C5.4 -11.4 7.4 -9.6 7.2 -7.4C6 -8.2 5 -7.8 4.6 -6.4L5.1 -2.2z;o 7.2 -7 .9 .9 A;p #c23a3a M-4.8 -1.6L-4.6 -3.4C-1.6 -4.6 2.2 -4.5 5.4 -3.2L5.2 -1.4C2.2 -2.8 -1.8 -2.8 -4.8 -1.6z",
    ..ADULT
};
