//! Animals on two legs, birds, the robot and the alien: a head on a rounded body, arms or wings, short legs, a tail.

mod alien;
mod birds;
mod body;
mod dinosaur;
mod mammals;
mod plush;
mod robot;
mod songbirds;

use super::heads::{self, Head};
use super::skeleton::Manner;
use crate::codes::Kind;
pub use alien::alien;
pub use dinosaur::dinosaur;
pub use robot::robot;

/// What is on the shoulders' sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arms {
    Paws,
    Wings,
}

#[derive(Clone, Copy, Debug)]
pub struct Creature {
    pub name: &'static str,
    pub kind: Kind,
    pub metres: f32,
    /// Coat, light parts, second colour, feet and beaks.
    pub coat: u32,
    pub light: u32,
    pub second: u32,
    pub accent: u32,
    pub nose: u32,
    pub inner_ear: u32,
    pub head: &'static Head,
    pub skull: f32,
    /// Middle of the skull.
    pub at: [f32; 2],
    /// About (16, 20), 10 wide and 12 high.
    pub body: &'static str,
    /// Half width and half height of the body, 5 and 6 as drawn.
    pub size: [f32; 2],
    /// Letter of arms, of legs and of feet.
    pub limbs: [char; 3],
    pub arms: Arms,
    /// Length of upper and lower arm, half width.
    pub arm: [f32; 2],
    /// Length of thigh and shin, half width, length of the foot.
    pub leg: [f32; 3],
    /// About its root behind the hips.
    pub tail: &'static str,
    pub root: [f32; 2],
    pub manner: Manner,
}

const EGG: &str = "p M M16 13.2C19 13.2 20.6 16.4 21 20C21.4 23.8 19.6 26 16 26C12.4 26 10.6 23.8 11 20C11.4 16.4 13 13.2 16 13.2z;p L M15.2 15.6C17.4 15.6 18.6 18 18.8 20.6C19 23.4 17.4 25 15 25C12.6 25 11.2 23.4 11.4 20.6C11.6 18 13 15.6 15.2 15.6z";

const PLUSH: Creature = Creature {
    name: "",
    kind: Kind::Animal,
    metres: 0.6,
    coat: 0x9aa0ac,
    light: 0xf2f2f5,
    second: 0x3b3b46,
    accent: 0xffa033,
    nose: 0x3a2d33,
    inner_ear: 0xf7a8b4,
    head: &heads::BEAR,
    skull: 1.14,
    at: [16.0, 9.4],
    body: EGG,
    size: [5.6, 6.0],
    limbs: ['M', 'M', 'M'],
    arms: Arms::Paws,
    arm: [2.9, 1.45],
    leg: [2.6, 1.8, 4.0],
    tail: "",
    root: [19.6, 23.2],
    manner: Manner { level: false, hops: false, glides: false, wings: false, fin: false, paws: false },
};

/// In the order of the cast.
pub const CREATURES: &[Creature] = &[
    plush::PANDA,
    plush::KOALA,
    plush::RABBIT,
    plush::MOUSE,
    plush::HAMSTER,
    plush::SQUIRREL,
    plush::MONKEY,
    plush::KANGAROO,
    plush::FROG,
    birds::PENGUIN,
    birds::OWL,
    birds::CHICKEN,
    birds::DUCK,
    songbirds::SONGBIRD,
    songbirds::ROBIN,
    songbirds::SPARROW,
    songbirds::PIGEON,
    songbirds::CROW,
    songbirds::TOUCAN,
    songbirds::WOODPECKER,
    songbirds::ROOSTER,
    songbirds::TURKEY,
    songbirds::GOOSE,
    songbirds::PELICAN,
    mammals::GORILLA,
    mammals::ORANGUTAN,
    mammals::CHIMPANZEE,
    mammals::MEERKAT,
    mammals::OTTER,
    mammals::BEAVER,
    mammals::RAT,
    mammals::MOLE,
    mammals::RED_PANDA,
    mammals::CHIPMUNK,
    mammals::TOAD,
];
