//! Rooms of tales: a wizard's tower, a haunted house, a treehouse, tents and an igloo.

use super::super::panes::Panes;
use super::super::parts::What;
use super::super::walls::{Floor, Wall};
use super::super::{CEILING, Room, across, hung, standing};
use crate::codes::Setting;

const POTIONS: &[&str] = &["alembic", "crystal-ball", "candle", "books", "skull", "jar", "amphora", "scroll"];

pub(super) const ROOMS: &[Room] = &[
    Room {
        setting: Setting::Tower,
        wall: Wall::Stones(0x8d86a4),
        floor: Floor::Tiles(0x9c94ac, 0x857d98),
        panes: Panes::Slit,
        parts: &[
            standing(What::Case(POTIONS, 0x6a4a3c), 0.84, 0.46, 0.48),
            hung(What::Flames, 0.56, 0.26, 0.16, 0.20),
            standing(What::Sprite("cauldron"), 0.58, 0.22, 0.22),
            standing(What::Sprite("telescope"), 0.06, 0.24, 0.28),
            hung(What::Sprite("scroll"), 0.06, 0.34, 0.18, 0.18),
            across(What::Rug([0x4a3a7a, 0x7a63b0, 0xe8c86a]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::Haunted,
        wall: Wall::Papered(0x665478),
        floor: Floor::Boards,
        panes: Panes::Curtained(0x4a3a52),
        parts: &[
            hung(What::Sprite("spider-web"), 0.94, CEILING, 0.22, 0.22),
            standing(What::Sprite("coffin"), 0.90, 0.26, 0.36),
            hung(What::Picture(1), 0.66, 0.34, 0.26, 0.195),
            hung(What::Sprite("spider-web"), 0.04, CEILING, 0.17, 0.17),
            hung(What::Row(&["candle", "skull", "candle"]), 0.66, 0.22, 0.34, 0.11),
            hung(What::Sprite("bat"), 0.50, 0.46, 0.18, 0.12),
            standing(What::Sprite("mantelpiece-clock"), 0.05, 0.16, 0.24),
        ],
    },
    Room {
        setting: Setting::Treehouse,
        wall: Wall::Planks(0xb98654),
        floor: Floor::Boards,
        panes: Panes::One,
        parts: &[
            standing(What::Column(0x7a5433), 0.62, 0.24, 0.62),
            across(What::Leaves, CEILING, 0.12),
            standing(What::Sprite("ladder"), 0.93, 0.20, 0.46),
            hung(What::Sprite("pirate-flag"), 0.80, 0.36, 0.18, 0.18),
            standing(What::Sprite("telescope"), 0.06, 0.20, 0.24),
        ],
    },
    Room {
        setting: Setting::Tent,
        wall: Wall::Cloth(0xf0b25a, 0xe0963c),
        floor: Floor::Even(0x8f9a6a),
        panes: Panes::None,
        parts: &[
            across(What::Rug([0x3f7f8c, 0x6fb0b4, 0xd6ecdf]), 0.0, 0.0),
            standing(What::Sprite("backpack"), 0.90, 0.22, 0.24),
            standing(What::Sprite("kettle"), 0.10, 0.15, 0.15),
            hung(What::Sprite("red-paper-lantern"), 0.5, CEILING, 0.14, 0.18),
            standing(What::Sprite("flashlight"), 0.77, 0.12, 0.12),
        ],
    },
    Room {
        setting: Setting::Igloo,
        wall: Wall::Ice,
        floor: Floor::Even(0xdfeef8),
        panes: Panes::None,
        parts: &[
            hung(What::Flames, 0.76, 0.24, 0.16, 0.18),
            standing(What::Sprite("fish"), 0.92, 0.20, 0.12),
            standing(What::Sprite("ice"), 0.06, 0.16, 0.15),
            across(What::Rug([0x8a6a50, 0xb4927a, 0xe6d6c4]), 0.0, 0.0),
        ],
    },
];
