//! Bedrooms, dining rooms, hallways and the other rooms of a house, and what they are at Christmas and on a birthday.

use super::super::panes::Panes;
use super::super::parts::What;
use super::super::walls::{Floor, Wall};
use super::super::{CEILING, Room, across, hung, standing};
use crate::codes::Setting;

const TOYS: &[&str] = &["teddy-bear", "yo-yo", "puzzle-piece", "brick", "soccer-ball", "kite", "nesting-dolls"];
const CLOTHES: &[&str] = &["dress", "t-shirt", "coat", "jeans", "running-shirt"];
const SHOES: &[&str] = &["high-heeled-shoe", "running-shoe", "hiking-boot", "handbag", "womans-hat"];

pub(super) const ROOMS: &[Room] = &[
    Room {
        setting: Setting::Bedroom,
        wall: Wall::Papered(0xc9d3ee),
        floor: Floor::Boards,
        panes: Panes::Curtained(0x8f7fd0),
        parts: &[
            standing(What::Bed(0x5f7fd0), 0.82, 0.74, 0.30),
            hung(What::Picture(1), 0.82, 0.40, 0.22, 0.165),
            standing(What::Lamp, 0.52, 0.15, 0.40),
            standing(What::Plant, 0.05, 0.16, 0.20),
            across(What::Rug([0x8f7fd0, 0xb7aae8, 0xe6e0fa]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::Nursery,
        wall: Wall::Papered(0xfbdfe8),
        floor: Floor::Boards,
        panes: Panes::Curtained(0xf2b45f),
        parts: &[
            standing(What::Sprite("crib"), 0.78, 0.42, 0.34),
            across(What::Bunting, CEILING, 0.16),
            hung(What::Row(TOYS), 0.80, 0.40, 0.44, 0.12),
            standing(What::Sprite("teddy-bear"), 0.97, 0.16, 0.20),
            standing(What::Sprite("carousel-horse"), 0.06, 0.20, 0.24),
            across(What::Rug([0xf29ab0, 0xfcd5de, 0xfff3c8]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::Playroom,
        wall: Wall::Papered(0xcdebd2),
        floor: Floor::Boards,
        panes: Panes::One,
        parts: &[
            standing(What::Case(TOYS, 0xf2a03c), 0.80, 0.50, 0.46),
            across(What::Bunting, CEILING, 0.16),
            standing(What::Sprite("carousel-horse"), 0.06, 0.22, 0.26),
            standing(What::Sprite("teddy-bear"), 0.54, 0.16, 0.19),
            across(What::Rug([0xe86a5f, 0xf7c05a, 0x6fb8e8]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::DiningRoom,
        wall: Wall::Panelled(0xe9cfa6, 0xa8744c),
        floor: Floor::Boards,
        panes: Panes::Curtained(0xb8484f),
        parts: &[
            standing(What::Table(0xfaf4e8), 0.76, 0.80, 0.34),
            across(What::Pendants(0xe0a03c), CEILING, 0.1),
            hung(What::Picture(0), 0.76, 0.42, 0.24, 0.18),
            standing(What::Plant, 0.04, 0.18, 0.24),
        ],
    },
    Room {
        setting: Setting::Fireside,
        wall: Wall::Papered(0xe3c49c),
        floor: Floor::Boards,
        panes: Panes::Curtained(0x8f4a44),
        parts: &[
            standing(What::Fireplace, 0.76, 0.50, 0.42),
            hung(What::Picture(2), 0.97, 0.34, 0.18, 0.14),
            standing(What::Books, 0.05, 0.26, 0.50),
            across(What::Rug([0x8f3f44, 0xc9766a, 0xf0cfae]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::Christmas,
        wall: Wall::Papered(0xc7605a),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            standing(What::Sprite("christmas-tree"), 0.16, 0.44, 0.60),
            standing(What::Fireplace, 0.74, 0.48, 0.40),
            across(What::Garland, CEILING, 0.16),
            standing(What::Sprite("wrapped-gift"), 0.36, 0.15, 0.15),
            standing(What::Sprite("wrapped-gift"), 0.47, 0.11, 0.11),
            hung(What::Sprite("socks"), 0.97, 0.34, 0.12, 0.14),
            across(What::Rug([0x2f7d46, 0x6fae6a, 0xf0e6c8]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::Birthday,
        wall: Wall::Papered(0xffe0ae),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            across(What::Bunting, CEILING, 0.16),
            hung(What::Balloons, 0.12, 0.10, 0.30, 0.44),
            hung(What::Balloons, 0.88, 0.10, 0.30, 0.44),
            standing(What::Sprite("wrapped-gift"), 0.30, 0.17, 0.17),
            standing(What::Sprite("wrapped-gift"), 0.70, 0.14, 0.14),
            hung(What::Balloons, 0.50, 0.22, 0.24, 0.34),
            across(What::Rug([0x3aa0e8, 0x9ad4f7, 0xfff3c8]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::Wedding,
        wall: Wall::Plain(0xf7efe9),
        floor: Floor::Tiles(0xf6efe6, 0xeadfd2),
        panes: Panes::Arched,
        parts: &[
            across(What::Runner(0xd98a9a), 0.0, 0.0),
            across(What::Bulbs, CEILING, 0.16),
            standing(What::Column(0xfdf8f2), 0.30, 0.11, 0.36),
            standing(What::Column(0xfdf8f2), 0.70, 0.11, 0.36),
            hung(What::Sprite("bouquet"), 0.30, 0.35, 0.20, 0.22),
            hung(What::Sprite("bouquet"), 0.70, 0.35, 0.20, 0.22),
            standing(What::Sprite("rose-bush"), 0.06, 0.26, 0.26),
            standing(What::Sprite("rose-bush"), 0.94, 0.26, 0.26),
        ],
    },
    Room {
        setting: Setting::Laundry,
        wall: Wall::Tiles(0xcfe3ee),
        floor: Floor::Tiles(0xeef3f5, 0xc9d9e2),
        panes: Panes::One,
        parts: &[
            standing(What::Washer, 0.62, 0.25, 0.27),
            standing(What::Washer, 0.79, 0.25, 0.27),
            standing(What::Washer, 0.96, 0.25, 0.27),
            hung(What::Row(&["lotion-bottle", "soap", "roll-of-paper", "sponge"]), 0.80, 0.38, 0.50, 0.13),
            standing(What::Sprite("basket"), 0.06, 0.20, 0.18),
        ],
    },
    Room {
        setting: Setting::Closet,
        wall: Wall::Plain(0xe6d6bd),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            hung(What::Rail(CLOTHES), 0.24, 0.14, 0.74, 0.36),
            hung(What::Rail(CLOTHES), 0.78, 0.14, 0.66, 0.36),
            across(What::Shelf(&["package", "top-hat", "handbag", "package", "womans-hat"]), 0.53, 0.11),
            hung(What::Row(SHOES), 0.24, 0.0, 0.70, 0.10),
            hung(What::Row(SHOES), 0.78, 0.0, 0.60, 0.10),
        ],
    },
    Room {
        setting: Setting::Hallway,
        wall: Wall::Panelled(0xd9e3d2, 0xf2ece0),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            standing(What::Door(0x7f9a86), 0.14, 0.27, 0.56),
            standing(What::Door(0x7f9a86), 0.86, 0.27, 0.56),
            hung(What::Mirror, 0.40, 0.28, 0.18, 0.26),
            hung(What::Picture(0), 0.62, 0.34, 0.20, 0.15),
            across(What::Runner(0xa8505a), 0.0, 0.0),
            hung(What::Picture(2), 0.5, 0.34, 0.16, 0.12),
            across(What::Pendants(0xe0b060), CEILING, 0.1),
        ],
    },
    Room {
        setting: Setting::Sauna,
        wall: Wall::Logs(0xd29a5c),
        floor: Floor::Even(0xb98452),
        panes: Panes::None,
        parts: &[
            across(What::Benches(0xdda96c), 0.0, 0.0),
            standing(What::Furnace, 0.90, 0.26, 0.32),
            hung(What::Sprite("bucket"), 0.12, 0.26, 0.12, 0.11),
            hung(What::Sprite("thermometer"), 0.50, 0.36, 0.10, 0.16),
        ],
    },
    Room {
        setting: Setting::Elevator,
        wall: Wall::Steel(0xb9a58c),
        floor: Floor::Tiles(0xd9d2c6, 0xb9b0a2),
        panes: Panes::None,
        parts: &[
            standing(What::Doors(0xb4bcc6), 0.5, 0.56, 0.48),
            standing(What::Plant, 0.06, 0.18, 0.26),
            standing(What::Plant, 0.94, 0.18, 0.26),
        ],
    },
];
