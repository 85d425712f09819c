//! Four-legged animals in side view: one skeleton with a body, a neck, legs of two segments and a tail.
//!
//! Bodies, marks and humps are drawn about the body's middle as if it were 16 long and 8 deep, and stretched; tails are
//! drawn about their root, wings and trunks about theirs.

mod body;
mod breeds;
mod hoofs;
mod paws;
mod wild;

use super::heads::{self, Head};
use crate::codes::Kind;
pub use body::taper;

#[derive(Clone, Copy, Debug)]
pub struct Beast {
    pub name: &'static str,
    pub kind: Kind,
    pub metres: f32,
    /// Coat, light parts, second colour, mane or hooves.
    pub coat: u32,
    pub light: u32,
    pub second: u32,
    pub mane: u32,
    /// Length and depth of the body.
    pub body: [f32; 2],
    /// Length below the belly, and width.
    pub leg: [f32; 2],
    /// From the chest to the middle of the skull.
    pub neck: [f32; 2],
    /// Half its width below and above.
    pub girth: [f32; 2],
    pub head: &'static Head,
    pub skull: f32,
    pub tail: &'static str,
    /// In place of the plain body.
    pub trunk: Option<&'static str>,
    /// Before the body: humps.
    pub humps: &'static str,
    /// On the body: stripes, spots.
    pub marks: &'static str,
    /// On the neck, about its foot, in units of its length (10 up along it), x across.
    pub neck_marks: &'static str,
    /// Marks lie over the legs, too: spines.
    pub cloak: bool,
    /// Behind the neck, up along it to -10: a mane.
    pub crest: &'static str,
    /// Letter of the feet: hooves are `A` or `E`, paws `M` or `L`.
    pub foot: char,
    pub hoof: bool,
    /// Letter of the lower legs.
    pub sock: char,
    pub wings: bool,
    pub trunk_nose: bool,
}

const PLAIN: Beast = Beast {
    name: "",
    kind: Kind::Animal,
    metres: 0.8,
    coat: 0xe09a4c,
    light: 0xfbe3c2,
    second: 0xb8722f,
    mane: 0x5b3a26,
    body: [13.5, 7.0],
    leg: [4.6, 2.6],
    neck: [-2.6, -4.6],
    girth: [2.8, 2.6],
    head: &heads::DOG,
    skull: 1.0,
    tail: "",
    trunk: None,
    humps: "",
    marks: "",
    neck_marks: "",
    cloak: false,
    crest: "",
    foot: 'M',
    hoof: false,
    sock: 'M',
    wings: false,
    trunk_nose: false,
};

/// In the order of the cast.
pub const BEASTS: &[Beast] = &[
    paws::CAT,
    paws::DOG,
    paws::FOX,
    paws::WOLF,
    paws::BEAR,
    paws::LION,
    paws::TIGER,
    hoofs::ELEPHANT,
    hoofs::HORSE,
    hoofs::UNICORN,
    hoofs::ZEBRA,
    hoofs::COW,
    hoofs::PIG,
    hoofs::SHEEP,
    hoofs::GOAT,
    hoofs::DEER,
    hoofs::GIRAFFE,
    hoofs::CAMEL,
    paws::RACCOON,
    paws::HEDGEHOG,
    paws::DRAGON,
    breeds::HUSKY,
    breeds::CORGI,
    breeds::DACHSHUND,
    breeds::RETRIEVER,
    breeds::DALMATIAN,
    breeds::SHEPHERD_DOG,
    breeds::PUG,
    breeds::BLACK_CAT,
    breeds::LEOPARD,
    breeds::CHEETAH,
    breeds::PANTHER,
    breeds::LIONESS,
    wild::POLAR_BEAR,
    wild::MOOSE,
    wild::DONKEY,
    wild::BULL,
    wild::RHINO,
    wild::HIPPO,
    wild::CROCODILE,
    wild::LLAMA,
    wild::SKUNK,
    wild::CAPYBARA,
];
