//! Where people work, dig, grow and keep animals.

use super::super::panes::Panes;
use super::super::parts::What;
use super::super::walls::{Floor, Wall};
use super::super::{CEILING, Room, across, hung, standing};
use crate::codes::Setting;

pub(super) const ROOMS: &[Room] = &[
    Room {
        setting: Setting::Factory,
        wall: Wall::Bricks(0xa89a90),
        floor: Floor::Even(0xa3a5a8),
        panes: Panes::None,
        parts: &[
            across(What::Belt, -0.001, 0.22),
            across(What::Pipes(0x6f9a8a), 0.50, 0.14),
            hung(What::Machine(0x3f86a8), 0.20, 0.16, 0.44, 0.30),
            hung(What::Machine(0xe0963c), 0.80, 0.16, 0.44, 0.30),
            hung(What::Sprite("gear"), 0.50, 0.22, 0.22, 0.22),
        ],
    },
    Room {
        setting: Setting::Warehouse,
        wall: Wall::Steel(0xb4bcc2),
        floor: Floor::Even(0xa8aaac),
        panes: Panes::None,
        parts: &[
            standing(What::Case(&["package"], 0x3f6fb0), 0.14, 0.46, 0.56),
            standing(What::Case(&["package"], 0x3f6fb0), 0.86, 0.46, 0.56),
            standing(What::Case(&["package"], 0xe0803c), 0.50, 0.46, 0.56),
            across(What::Tubes, CEILING, 0.1),
        ],
    },
    Room {
        setting: Setting::Barn,
        wall: Wall::Planks(0xa65f42),
        floor: Floor::Straw,
        panes: Panes::One,
        parts: &[
            standing(What::Hay, 0.82, 0.42, 0.27),
            across(What::Beams(0x8a5a3c), CEILING, 0.1),
            standing(What::Hay, 0.06, 0.30, 0.20),
            hung(What::Sprite("wheel"), 0.62, 0.32, 0.18, 0.18),
            standing(What::Barrel, 0.58, 0.15, 0.18),
            hung(What::Sprite("ladder"), 0.98, 0.28, 0.16, 0.28),
        ],
    },
    Room {
        setting: Setting::Stable,
        wall: Wall::Planks(0xb98a5c),
        floor: Floor::Straw,
        panes: Panes::None,
        parts: &[
            across(What::Stalls(0x9a653f), 0.0, 0.46),
            across(What::Beams(0x8a5a3c), CEILING, 0.1),
            standing(What::Sprite("bucket"), 0.05, 0.13, 0.13),
        ],
    },
    Room {
        setting: Setting::Greenhouse,
        wall: Wall::Glass,
        floor: Floor::Even(0xb59c78),
        panes: Panes::None,
        parts: &[
            across(What::Crops(&["tomato", "potted-plant", "herb", "seedling", "potted-plant", "hot-pepper"]), 0.0, 0.30),
            standing(What::Plant, 0.04, 0.24, 0.40),
            standing(What::Plant, 0.96, 0.24, 0.40),
            hung(What::Sprite("watering-can"), 0.76, 0.135, 0.14, 0.12),
        ],
    },
    Room {
        setting: Setting::Mine,
        wall: Wall::Rock(0x6a5a54),
        floor: Floor::Even(0x6f5c50),
        panes: Panes::None,
        parts: &[
            across(What::Timbers, 0.0, 0.0),
            across(What::Rails, 0.0, 0.0),
            hung(What::Flames, 0.24, 0.22, 0.16, 0.18),
            hung(What::Flames, 0.76, 0.22, 0.16, 0.18),
            standing(What::Sprite("gem-stone"), 0.06, 0.14, 0.13),
            standing(What::Sprite("pick"), 0.94, 0.18, 0.20),
        ],
    },
    Room {
        setting: Setting::TvStudio,
        wall: Wall::Plain(0x2f4a80),
        floor: Floor::Even(0x3f5a8f),
        panes: Panes::None,
        parts: &[
            hung(What::Screen, 0.28, 0.26, 0.60, 0.32),
            standing(What::Sprite("movie-camera"), 0.93, 0.26, 0.24),
            standing(What::Desk(0xc9d6e8), 0.28, 0.56, 0.19),
            across(What::Tubes, CEILING, 0.1),
            hung(What::Sprite("world-map"), 0.74, 0.32, 0.34, 0.24),
        ],
    },
];
