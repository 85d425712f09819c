//! Breeds of dogs and kinds of cats, great and small, as data.

use super::Beast;
use super::paws::{CAT, DOG, LION, TIGER, WOLF};
use crate::figures::heads;

/// Spots over the flank.
const SPOTS: &str = "o -5 -2 .7 .8 E;o -3.2 .2 .7 .8 E;o -2.4 -2.6 .8 .8 E;o -.8 -.6 .7 .8 E;o .6 -2.8 .8 .8 E;o 1.6 0 .7 .8 E;o 3 -2 .8 .9 E;o 4.6 .2 .7 .8 E;o 5.6 -2.4 .7 .8 E;o -1.8 1.8 .6 .7 E;o 3 1.8 .6 .7 E;o 6.8 -.4 .6 .7 E;o -5.6 .6 .6 .7 E";
const CURLED: &str = "o 0 .4 1.2 1.1 M;p M M-.8 .8C1.6 .6 2.6 -1.4 2 -4C1.4 -6.8 3.4 -9 6 -8.4C8.4 -7.6 8.4 -4.6 6.6 -3.8C7 -1 4.6 1.8 .8 2z;p L M6 -8.4C8.4 -7.6 8.4 -4.6 6.6 -3.8C5.4 -3.6 4.6 -4.4 4.8 -5.6C5 -6.4 5.4 -7.2 6 -8.4z";

pub const HUSKY: Beast = Beast {
    name: "husky",
    metres: 0.65,
    coat: 0x65707f,
    light: 0xf7f9fc,
    second: 0x4a5361,
    leg: [5.2, 2.4],
    head: &heads::HUSKY,
    tail: CURLED,
    neck_marks: "",
    marks: "",
    sock: 'L',
    ..WOLF
};

pub const CORGI: Beast = Beast {
    name: "corgi",
    metres: 0.42,
    coat: 0xe8974a,
    light: 0xfff6ea,
    body: [14.6, 6.8],
    leg: [2.2, 2.3],
    head: &heads::CORGI,
    tail: "o 1 -.4 1.8 1.5 L",
    neck_marks: "p L M-3.4 1C-2.6 5 2.6 5 3.4 1L2.4 7.6C1 8.6 -1 8.6 -2.4 7.6z",
    foot: 'L',
    sock: 'L',
    ..DOG
};

pub const DACHSHUND: Beast = Beast {
    name: "dachshund",
    metres: 0.38,
    coat: 0x9a5a30,
    light: 0xd99a5c,
    second: 0x7a4424,
    body: [19.0, 5.6],
    leg: [2.0, 1.9],
    skull: 0.86,
    tail: "l M 1.5 M0 .4C2.6 0 4.2 -1.4 5.6 -3.4",
    ..DOG
};

pub const RETRIEVER: Beast = Beast {
    name: "golden-retriever",
    metres: 0.65,
    coat: 0xecbc6a,
    light: 0xfbe6bc,
    second: 0xd0963f,
    body: [14.2, 7.4],
    leg: [5.0, 2.7],
    tail: "p M M-.8 -.6C2.6 -1.2 5.6 -3 8.6 -6.4C9.6 -3.6 9.2 -.2 7 1.8C4.4 4 1.2 3.2 -.8 1.4z;p E M8.6 -6.4C9.6 -3.6 9.2 -.2 7 1.8C5.8 2.8 4.4 3.2 3 3.1C5.4 1 7.2 -2.4 8.6 -6.4z",
    neck_marks: "p L M-3 .4C-2.4 3.6 2.4 3.6 3 .4L2 6.4L.8 5.4L-.2 7L-1.2 5.4L-2 6.4z",
    ..DOG
};

pub const DALMATIAN: Beast = Beast {
    name: "dalmatian",
    coat: 0xfafafc,
    light: 0xfafafc,
    second: 0x34343f,
    leg: [5.4, 2.4],
    tail: "l M 1.7 M0 .6C2.4 .4 4.2 -1.6 5 -5;o 2.8 -.4 .5 .5 E",
    marks: SPOTS,
    ..DOG
};

pub const SHEPHERD_DOG: Beast = Beast {
    name: "german-shepherd",
    metres: 0.65,
    coat: 0xc98f4e,
    light: 0xe6c08a,
    second: 0x3a322e,
    body: [14.4, 6.8],
    leg: [5.2, 2.5],
    head: &heads::SHEPHERD,
    tail: "p M M-1 -1C1.8 -2.4 5.4 -1 7.2 1.6C8.4 3.4 8.8 5 8.8 6.2C5.2 6.2 1.2 4.4 -.8 1.4z;p E M-1 -1C1.8 -2.4 5.4 -1 7.2 1.6C5.2 1.4 2.4 .6 -1 -1z",
    marks: "p E M-5.8 -4C-2 -4.2 3 -4.2 7.4 -3.4C8 -2 7.6 .4 6 .8C4 .6 3.6 -1 1.6 -1C-.6 -.8 -1.6 .4 -3 -.6C-4.4 -1.6 -5.6 -2.6 -5.8 -4z",
    ..DOG
};

pub const PUG: Beast = Beast {
    name: "pug",
    metres: 0.32,
    coat: 0xe3c08a,
    light: 0xf3dfba,
    second: 0x4a3a33,
    body: [12.0, 7.2],
    leg: [2.8, 2.2],
    head: &heads::PUG,
    tail: "l M 1.5 M0 .4C2.6 .4 3.4 -2 1.8 -2.8C.6 -3.2 .2 -1.6 1.4 -1.2",
    ..DOG
};

pub const BLACK_CAT: Beast = Beast {
    name: "black-cat",
    coat: 0x3a3a48,
    light: 0x3a3a48,
    second: 0x3a3a48,
    head: &heads::BLACK_CAT,
    marks: "",
    tail: "l M 1.9 M0 .4C3.4 .8 4.8 -1.4 4.5 -4.2C4.3 -6 4.8 -7.2 6 -7.6",
    ..CAT
};

pub const LEOPARD: Beast = Beast {
    name: "leopard",
    metres: 0.9,
    coat: 0xf0b65a,
    light: 0xfdeccb,
    second: 0x4a3426,
    head: &heads::SPOTTED_CAT,
    marks: SPOTS,
    tail: "l M 1.7 M0 .4C3.2 .6 5 -1.2 5.2 -4C5.3 -5.8 6.2 -6.8 7.4 -6.8;o 3 .1 .5 .5 E;o 4.9 -2 .5 .5 E;o 5.4 -4.6 .5 .5 E;l E 1.7 M6.8 -6.7L7.4 -6.8",
    ..TIGER
};

pub const CHEETAH: Beast = Beast { name: "cheetah", body: [14.4, 6.0], leg: [6.4, 2.2], skull: 0.84, coat: 0xf4c46a, ..LEOPARD };

pub const PANTHER: Beast = Beast {
    name: "panther",
    coat: 0x3a3a48,
    light: 0x3a3a48,
    second: 0x3a3a48,
    head: &heads::PANTHER,
    marks: "",
    tail: "l M 1.7 M0 .4C3.2 .6 5 -1.2 5.2 -4C5.3 -5.8 6.2 -6.8 7.4 -6.8",
    ..LEOPARD
};

pub const LIONESS: Beast = Beast { name: "lioness", head: &heads::LIONESS, coat: 0xe5b262, ..LION };
