//! Where something is learnt, heard or looked at.

use super::super::panes::{Panes, View};
use super::super::parts::What;
use super::super::walls::{Floor, Wall};
use super::super::{CEILING, Room, across, hung, standing};
use crate::codes::Setting;

pub(super) const ROOMS: &[Room] = &[
    Room {
        setting: Setting::Classroom,
        wall: Wall::Panelled(0xf5e6bd, 0xcfa16c),
        floor: Floor::Boards,
        panes: Panes::One,
        parts: &[
            hung(What::Blackboard, 0.72, 0.27, 0.74, 0.31),
            hung(What::Clock, 0.46, 0.50, 0.10, 0.10),
            hung(What::Sprite("world-map"), 0.08, 0.30, 0.24, 0.20),
            standing(What::Desk(0xb98654), 0.93, 0.26, 0.17),
            standing(What::Sprite("globe-showing-europe-africa"), 0.07, 0.12, 0.13),
        ],
    },
    Room {
        setting: Setting::Library,
        wall: Wall::Plain(0xb08a62),
        floor: Floor::Even(0x8a4a44),
        panes: Panes::None,
        parts: &[
            standing(What::Books, 0.11, 0.34, 0.58),
            standing(What::Books, 0.31, 0.34, 0.58),
            standing(What::Books, 0.89, 0.34, 0.58),
            standing(What::Books, 0.69, 0.34, 0.58),
            standing(What::Books, 0.50, 0.34, 0.58),
            across(What::Pendants(0x3f7a5a), CEILING, 0.1),
        ],
    },
    Room {
        setting: Setting::Bookshop,
        wall: Wall::Plain(0xe0c69c),
        floor: Floor::Boards,
        panes: Panes::One,
        parts: &[
            standing(What::Books, 0.70, 0.34, 0.50),
            standing(What::Books, 0.90, 0.34, 0.50),
            standing(What::Case(&["books", "blue-book", "green-book", "orange-book", "notebook"], 0x9a6a44), 0.06, 0.34, 0.40),
            hung(What::Sign("books", 0xb8584a), 0.50, 0.48, 0.30, 0.12),
            across(What::Rug([0x8f5f3c, 0xc9996a, 0xf0dcb8]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::Museum,
        wall: Wall::Panelled(0xe6d9c6, 0xd2c2aa),
        floor: Floor::Tiles(0xf0e9dd, 0xdacdb8),
        panes: Panes::None,
        parts: &[
            hung(What::Picture(0), 0.24, 0.29, 0.42, 0.31),
            hung(What::Picture(1), 0.78, 0.29, 0.40, 0.30),
            hung(What::Picture(2), 0.52, 0.34, 0.24, 0.18),
            standing(What::Sprite("moai"), 0.14, 0.16, 0.26),
            standing(What::Sprite("amphora"), 0.88, 0.16, 0.24),
            standing(What::Sprite("sauropod"), 0.36, 0.22, 0.24),
            standing(What::Column(0xf4ecdf), 0.03, 0.13, 0.60),
            standing(What::Column(0xf4ecdf), 0.97, 0.13, 0.60),
        ],
    },
    Room {
        setting: Setting::Church,
        wall: Wall::Stones(0xd6c8b0),
        floor: Floor::Tiles(0xe6dcc8, 0xd0c2a8),
        panes: Panes::Stained,
        parts: &[across(What::Pews(0x9a653f), 0.0, 0.0), across(What::Runner(0xb0303c), 0.0, 0.0), standing(What::Altar, 0.5, 0.42, 0.40)],
    },
    Room {
        setting: Setting::Cinema,
        wall: Wall::Plain(0x4a2c44),
        floor: Floor::Even(0x5c3440),
        panes: Panes::None,
        parts: &[
            hung(What::Screen, 0.5, 0.19, 1.05, 0.42),
            across(What::Drapes(0xa8283c), 0.0, 0.66),
            across(What::Seats(0xb0303c), 0.0, 0.2),
        ],
    },
    Room {
        setting: Setting::ArtStudio,
        wall: Wall::Plain(0xf2ecdc),
        floor: Floor::Boards,
        panes: Panes::One,
        parts: &[
            standing(What::Sprite("easel"), 0.80, 0.30, 0.40),
            hung(What::Picture(0), 0.60, 0.36, 0.24, 0.18),
            hung(What::Sprite("artist-palette"), 0.96, 0.40, 0.16, 0.15),
            hung(What::Row(&["paintbrush", "jar", "crayon", "pencil", "artist-palette"]), 0.10, 0.20, 0.34, 0.11),
            hung(What::Picture(1), 0.08, 0.38, 0.20, 0.15),
            standing(What::Sprite("easel"), 0.05, 0.24, 0.32),
        ],
    },
    Room {
        setting: Setting::MusicStudio,
        wall: Wall::Planks(0x7d5f86),
        floor: Floor::Even(0x5a4468),
        panes: Panes::None,
        parts: &[
            standing(What::Sprite("drum-kit"), 0.82, 0.44, 0.34),
            hung(What::Sprite("guitar"), 0.10, 0.24, 0.20, 0.30),
            hung(What::Sprite("violin"), 0.24, 0.27, 0.18, 0.26),
            hung(What::Sprite("trumpet"), 0.40, 0.32, 0.20, 0.18),
            hung(What::Sprite("saxophone"), 0.56, 0.30, 0.16, 0.24),
            hung(What::Sprite("musical-notes"), 0.90, 0.42, 0.18, 0.16),
            standing(What::Sprite("musical-keyboard"), 0.18, 0.30, 0.20),
            across(What::Rug([0x9a4a5a, 0xc9808a, 0xf0cdb0]), 0.0, 0.0),
        ],
    },
    Room {
        setting: Setting::DanceStudio,
        wall: Wall::Plain(0xf3e2ea),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            across(What::Barre, 0.08, 0.46),
            across(What::Tubes, CEILING, 0.1),
            hung(What::Sprite("ballet-shoes"), 0.94, 0.56, 0.10, 0.08),
        ],
    },
    Room {
        setting: Setting::Aquarium,
        wall: Wall::Plain(0x24406e),
        floor: Floor::Even(0x35527f),
        panes: Panes::None,
        parts: &[across(What::Tank, 0.07, 0.46)],
    },
    Room {
        setting: Setting::Observatory,
        wall: Wall::Panelled(0x3a4672, 0x6a5a80),
        floor: Floor::Boards,
        panes: Panes::Wide(View::Space),
        parts: &[
            standing(What::Sprite("telescope"), 0.80, 0.36, 0.38),
            standing(What::Books, 0.07, 0.24, 0.42),
            standing(What::Desk(0x8a5c3a), 0.30, 0.28, 0.17),
        ],
    },
];
