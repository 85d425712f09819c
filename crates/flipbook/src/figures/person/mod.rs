//! People: one skeleton with proportions, hair, outfit and what is worn. The cast itself is in [`super::people`].
//!
//! Design units: an adult is some 29 high, hips at (16, 20.6), the neck's foot at (16, 12). Heads are drawn about their
//! own middle, 4.6 in radius, looking left by three quarters.

mod body;
mod clothes;
mod head;
mod variety;

use super::pen::{Palette, blend, shade};
use super::rig::Rig;
use super::skeleton::{Build, Figure, Manner};
use crate::codes::Kind;
pub use head::Hair;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sleeve {
    Long,
    Short,
    None,
}

/// What is below the belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lower {
    Trousers,
    Shorts,
    /// Skirt to the knee, bare legs.
    Skirt,
    /// To the ground, wide.
    Gown,
    /// To the ankles, straight.
    Robe,
    Tutu,
    /// A coat's tails over trousers.
    Coat,
    /// A fish's tail.
    Fin,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Board {
    None,
    Skate,
    Surf,
}

/// A person as data. Scripts are in the notation of [`super::pen`]; their letters: `S s` skin, `H h` hair, `T t` top,
/// `B b` below the belt, `F f` shoes, `A a` accent, `G` hands or gloves, `C` cheeks, `K` ink, `W` white.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    pub name: &'static str,
    pub metres: f32,
    /// Of the head, 1 for adults.
    pub head: f32,
    /// Width of the trunk, 1 for adults.
    pub girth: f32,
    /// Length of the legs, 1 for adults.
    pub legs: f32,
    /// 0 light to 4 dark.
    pub skin: usize,
    /// Face, shade of it and cheeks where they are none of the five: of the dead, of trolls, of dough.
    pub flesh: Option<[u32; 3]>,
    pub hair: Hair,
    pub hair_colour: u32,
    pub lashes: bool,
    pub top: u32,
    pub sleeve: Sleeve,
    pub lower: Lower,
    pub bottom: u32,
    pub shoe: u32,
    pub accent: u32,
    pub glove: Option<u32>,
    /// Over the trunk.
    pub chest: &'static str,
    /// On the head, over the hair.
    pub hat: &'static str,
    /// Behind the head, swinging with it: veils, ribbons.
    pub behind: &'static str,
    /// Behind the trunk, in design units.
    pub pack: &'static str,
    /// Over eyes and mouth.
    pub mask: &'static str,
    /// Beards: over the face, under eyes and mouth.
    pub beard: &'static str,
    pub cape: Option<u32>,
    /// Over the upper arm, about the shoulder at (0, 0), the elbow at (0, 3.7).
    pub arm: &'static str,
    /// Over the forearm, about the elbow at (0, 0), the hand at (0, 3.7).
    pub cuff: &'static str,
    /// Over the lower leg, about the knee at (0, 0), the ankle at (0, 4).
    pub shin: &'static str,
    /// Over the skirt, in design units.
    pub hem: &'static str,
    pub board: Board,
    pub mouth: bool,
}

pub const ADULT: Person = Person {
    name: "",
    metres: 1.7,
    head: 1.0,
    girth: 1.0,
    legs: 1.0,
    skin: 0,
    flesh: None,
    hair: Hair::Short,
    hair_colour: 0x4a2f23,
    lashes: false,
    top: 0x3b82f6,
    sleeve: Sleeve::Long,
    lower: Lower::Trousers,
    bottom: 0x334155,
    shoe: 0x3f3a44,
    accent: 0xffc83d,
    glove: None,
    chest: "",
    hat: "",
    behind: "",
    pack: "",
    mask: "",
    beard: "",
    cape: None,
    arm: "",
    cuff: "",
    shin: "",
    hem: "",
    board: Board::None,
    mouth: true,
};

/// Face, shade of it, cheeks: light to dark.
pub const SKINS: [[u32; 3]; 5] = [
    [0xffd9ba, 0xf0b48d, 0xffab9a],
    [0xf6c99b, 0xdfa274, 0xf5987f],
    [0xdba171, 0xba7d50, 0xd97f66],
    [0xac7148, 0x875232, 0xb4614a],
    [0x7b4c35, 0x5b3525, 0x94483c],
];

impl Person {
    pub fn palette(&self) -> Palette {
        let [skin, dark, cheek] = self.flesh.unwrap_or(SKINS[self.skin.min(SKINS.len() - 1)]);
        let two = |colour: u32| (colour, shade(colour, if colour == 0xffffff { 0.88 } else { 0.82 }));
        let ((h, hd), (t, td), (b, bd)) = (two(self.hair_colour), two(self.top), two(self.bottom));
        let (f, a) = (self.shoe, two(self.accent));
        Palette::of(&[
            ('S', skin),
            ('s', dark),
            ('C', cheek),
            ('H', h),
            ('h', if self.hair_colour < 0x555555 { shade(h, 1.14) } else { hd }),
            ('T', t),
            ('t', td),
            ('B', b),
            ('b', bd),
            ('F', f),
            ('f', blend(f, if f == 0xffffff { 0x888899 } else { 0xffffff }, 0.55)),
            ('A', a.0),
            ('a', a.1),
            ('G', self.glove.unwrap_or(skin)),
            ('g', shade(self.glove.unwrap_or(skin), 0.85)),
            ('K', 0x2c2730),
            ('W', 0xffffff),
            ('w', 0xe4e4ee),
            ('R', 0x8d2f3c),
            ('P', 0xff8a8a),
            ('M', blend(dark, 0x6d2a2a, 0.6)),
            ('Y', blend(b, 0x000000, 0.35)),
        ])
    }

    pub fn figure(&self) -> Figure {
        let coat = match self.lower {
            Lower::Fin => "Bb",
            Lower::Gown => "TtBb",
            _ if self.bottom == self.top => "TtBb",
            _ => "Tt",
        };
        let mut rig = Rig::new(Build::Upright, self.palette(), coat);
        rig.manner = Manner { glides: self.board != Board::None, fin: self.lower == Lower::Fin, ..Manner::default() };
        let hips = self.hips(&mut rig);
        let chest = self.chest(&mut rig, hips);
        let head = self.head(&mut rig, chest);
        self.arms(&mut rig, chest);
        if self.lower == Lower::Fin {
            self.fin(&mut rig, hips);
        } else {
            self.legs(&mut rig, hips);
        }
        self.skirt(&mut rig, hips);
        rig.anchors.head_top = Rig::anchor(head, [16.2, 12.0 - 9.0 * self.head]);
        rig.anchors.mouth = Rig::anchor(head, [14.9, 12.0 - 1.9 * self.head]);
        rig.anchors.back = Rig::anchor(chest, [17.5, 12.4]);
        rig.anchors.seat = Rig::anchor(hips, [16.0, 22.2]);
        rig.finish(self.name, Kind::Person, self.metres)
    }
}
