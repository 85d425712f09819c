//! Inside what flies and dives.

use super::super::panes::{Panes, View};
use super::super::parts::What;
use super::super::walls::{Floor, Wall};
use super::super::{CEILING, Room, across, hung};
use crate::codes::Setting;

pub(super) const ROOMS: &[Room] = &[
    Room {
        setting: Setting::Cockpit,
        wall: Wall::Plain(0x59626e),
        floor: Floor::Even(0x4a525c),
        panes: Panes::Wide(View::Clouds),
        parts: &[
            across(What::Console(0x47505c), 0.0, 0.24),
            hung(What::Wheel, 0.26, 0.10, 0.22, 0.20),
            hung(What::Wheel, 0.74, 0.10, 0.22, 0.20),
        ],
    },
    Room {
        setting: Setting::SpaceCockpit,
        wall: Wall::Plain(0x4c5a80),
        floor: Floor::Even(0x414d72),
        panes: Panes::Wide(View::Space),
        parts: &[across(What::Console(0x5a6a9a), 0.0, 0.24), across(What::Tubes, CEILING, 0.1)],
    },
    Room {
        setting: Setting::SpaceStation,
        wall: Wall::Steel(0xd3dae2),
        floor: Floor::Even(0xb4bec9),
        panes: Panes::Round(View::Space),
        parts: &[across(What::Console(0x9aa8ba), 0.0, 0.16), across(What::Pipes(0xc9a25a), 0.58, 0.10), across(What::Tubes, CEILING, 0.1)],
    },
    Room {
        setting: Setting::Cabin,
        wall: Wall::Plain(0xe3e8ec),
        floor: Floor::Even(0x6a7a94),
        panes: Panes::Round(View::Clouds),
        parts: &[across(What::Bins, CEILING, 0.12), across(What::Seats(0x3f5fa8), 0.0, 0.2)],
    },
    Room {
        setting: Setting::Submarine,
        wall: Wall::Steel(0x7f9288),
        floor: Floor::Even(0x66766f),
        panes: Panes::Round(View::Deep),
        parts: &[across(What::Pipes(0xb99a4a), 0.54, 0.14), across(What::Console(0x5a6a62), 0.0, 0.16)],
    },
];
