//! Shops, and where one eats and drinks.

use super::super::panes::Panes;
use super::super::parts::What;
use super::super::walls::{Floor, Wall};
use super::super::{CEILING, Room, across, hung, standing};
use crate::codes::Setting;

const BREADS: &[&str] = &["bread", "baguette-bread", "croissant", "pretzel", "bagel"];
const CAKES: &[&str] = &["shortcake", "cupcake", "doughnut", "pie", "croissant", "birthday-cake"];
const FLOWERS: &[&str] = &["tulip", "sunflower", "rose", "hibiscus", "bouquet", "hyacinth", "white-flower"];
const TOYS: &[&str] = &["teddy-bear", "yo-yo", "puzzle-piece", "kite", "soccer-ball", "nesting-dolls", "robot", "racing-car"];
const SWEETS: &[&str] = &["lollipop", "candy", "chocolate-bar", "cookie", "doughnut"];
const ICES: &[&str] = &["ice-cream", "soft-ice-cream", "shaved-ice", "custard"];
const DRINKS: &[&str] = &["wine-glass", "cocktail-glass", "beer-mug", "bottle-with-popping-cork", "tropical-drink", "sake"];
const CLOTHES: &[&str] = &["dress", "t-shirt", "coat", "jeans", "kimono"];
const PETS: &[&str] = &["hamster", "parrot", "fish-bowl", "rabbit", "turtle"];

pub(super) const ROOMS: &[Room] = &[
    Room {
        setting: Setting::Barbershop,
        wall: Wall::Panelled(0xcfe0dc, 0x3f6a70),
        floor: Floor::Tiles(0xf4f4ef, 0x3a444c),
        panes: Panes::None,
        parts: &[
            standing(What::Barber, 0.22, 0.24, 0.29),
            standing(What::Barber, 0.78, 0.24, 0.29),
            hung(What::Mirror, 0.22, 0.34, 0.26, 0.25),
            hung(What::Mirror, 0.78, 0.34, 0.26, 0.25),
            standing(What::Sprite("barber-pole"), 0.96, 0.14, 0.46),
            hung(What::Sign("scissors", 0xb9303c), 0.50, 0.46, 0.30, 0.12),
            standing(What::Sprite("barber-pole"), 0.04, 0.14, 0.46),
            hung(What::Row(&["lotion-bottle", "scissors", "razor", "hair-pick"]), 0.50, 0.27, 0.34, 0.10),
        ],
    },
    Room {
        setting: Setting::Bakery,
        wall: Wall::Plain(0xf2d7a6),
        floor: Floor::Tiles(0xf6eee0, 0xe0c9a8),
        panes: Panes::None,
        parts: &[
            standing(What::Vitrine(CAKES, 0xb9773f), 0.24, 0.66, 0.25),
            standing(What::Case(BREADS, 0xa8703f), 0.82, 0.54, 0.50),
            hung(What::Row(BREADS), 0.24, 0.36, 0.60, 0.13),
            hung(What::Menu, 0.52, 0.34, 0.26, 0.22),
            across(What::Pendants(0xe0803c), CEILING, 0.1),
        ],
    },
    Room {
        setting: Setting::ToyShop,
        wall: Wall::Plain(0xffe39a),
        floor: Floor::Tiles(0xf7f2e6, 0xf2c9c0),
        panes: Panes::None,
        parts: &[
            standing(What::Case(TOYS, 0xe0566a), 0.16, 0.48, 0.48),
            standing(What::Case(TOYS, 0x3a9be0), 0.84, 0.48, 0.48),
            standing(What::Case(TOYS, 0x4fae6a), 0.50, 0.44, 0.42),
            across(What::Bunting, CEILING, 0.16),
        ],
    },
    Room {
        setting: Setting::Florist,
        wall: Wall::Planks(0xc4dcc0),
        floor: Floor::Tiles(0xe9e6da, 0xcfd6c4),
        panes: Panes::None,
        parts: &[
            across(What::Crops(FLOWERS), 0.0, 0.30),
            across(What::Shelf(FLOWERS), 0.36, 0.15),
            hung(What::Sign("bouquet", 0xe07a9a), 0.5, 0.53, 0.40, 0.12),
        ],
    },
    Room {
        setting: Setting::PetShop,
        wall: Wall::Plain(0xbfe3d0),
        floor: Floor::Tiles(0xf2efe6, 0xd2e2d6),
        panes: Panes::None,
        parts: &[
            standing(What::Case(PETS, 0x8a6a4a), 0.84, 0.46, 0.46),
            hung(What::Tank, 0.20, 0.18, 0.56, 0.24),
            hung(What::Sign("paw-prints", 0x3f9a6a), 0.50, 0.46, 0.36, 0.13),
            standing(What::Desk(0xa8744c), 0.20, 0.56, 0.16),
            hung(What::Row(&["bone", "canned-food", "tennis"]), 0.20, 0.48, 0.40, 0.10),
        ],
    },
    Room {
        setting: Setting::IceCream,
        wall: Wall::Panelled(0xffd0de, 0x8fd6cf),
        floor: Floor::Tiles(0xffffff, 0xf7b8cb),
        panes: Panes::None,
        parts: &[
            standing(What::Vitrine(ICES, 0xf08aa8), 0.26, 0.80, 0.25),
            hung(What::Sign("soft-ice-cream", 0x3fb0a8), 0.26, 0.40, 0.50, 0.16),
            hung(What::Menu, 0.82, 0.32, 0.34, 0.26),
            across(What::Pendants(0xf0e05a), CEILING, 0.1),
            standing(What::Sprite("chair"), 0.94, 0.16, 0.22),
        ],
    },
    Room {
        setting: Setting::CandyShop,
        wall: Wall::Plain(0xe3c8f2),
        floor: Floor::Tiles(0xffffff, 0xd9b8ec),
        panes: Panes::None,
        parts: &[
            standing(What::Vitrine(SWEETS, 0x9a63c8), 0.24, 0.66, 0.25),
            standing(What::Case(SWEETS, 0xf06a9a), 0.82, 0.52, 0.50),
            hung(What::Sign("lollipop", 0xf0a03c), 0.24, 0.40, 0.50, 0.15),
            hung(What::Sprite("lollipop"), 0.52, 0.24, 0.18, 0.32),
            across(What::Bulbs, CEILING, 0.1),
        ],
    },
    Room {
        setting: Setting::ClothesShop,
        wall: Wall::Plain(0xe8ddea),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            hung(What::Rail(CLOTHES), 0.20, 0.10, 0.60, 0.36),
            hung(What::Rail(CLOTHES), 0.84, 0.10, 0.46, 0.36),
            hung(What::Mirror, 0.52, 0.08, 0.22, 0.44),
            hung(What::Sign("dress", 0x8a5a9a), 0.20, 0.50, 0.36, 0.11),
            hung(What::Row(&["handbag", "high-heeled-shoe", "womans-hat", "purse"]), 0.84, 0.50, 0.40, 0.11),
            across(What::Tubes, CEILING, 0.1),
        ],
    },
    Room {
        setting: Setting::Pharmacy,
        wall: Wall::Plain(0xdff0e6),
        floor: Floor::Tiles(0xf4f7f6, 0xd6e6de),
        panes: Panes::None,
        parts: &[
            standing(What::Case(&["lotion-bottle", "pill", "jar", "package", "soap"], 0xe9f2ee), 0.18, 0.50, 0.50),
            standing(What::Case(&["lotion-bottle", "pill", "jar", "thermometer", "toothbrush"], 0xe9f2ee), 0.82, 0.50, 0.50),
            hung(What::Cross(0x3fa86a), 0.50, 0.36, 0.20, 0.20),
            standing(What::Desk(0x5fb08a), 0.50, 0.44, 0.19),
        ],
    },
    Room {
        setting: Setting::RestaurantKitchen,
        wall: Wall::Tiles(0xdfe7e9),
        floor: Floor::Tiles(0xcfd4d6, 0xa9b1b6),
        panes: Panes::None,
        parts: &[
            across(What::Worktops(0xaab3bc), 0.0, 0.17),
            hung(What::Pans, 0.20, 0.30, 0.56, 0.20),
            hung(What::Pans, 0.80, 0.30, 0.56, 0.20),
            across(What::Shelf(&["jar", "bowl-with-spoon", "salt", "tomato", "onion", "garlic"]), 0.52, 0.11),
            hung(What::Clock, 0.50, 0.34, 0.12, 0.12),
        ],
    },
    Room {
        setting: Setting::Restaurant,
        wall: Wall::Panelled(0xe2b98f, 0x7f3f3a),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            standing(What::Table(0xfbf5ea), 0.17, 0.58, 0.28),
            standing(What::Table(0xfbf5ea), 0.83, 0.58, 0.28),
            across(What::Pendants(0xd8503c), CEILING, 0.1),
            hung(What::Picture(1), 0.17, 0.36, 0.24, 0.18),
            hung(What::Menu, 0.50, 0.30, 0.26, 0.24),
            hung(What::Row(DRINKS), 0.83, 0.36, 0.46, 0.13),
        ],
    },
    Room {
        setting: Setting::Bar,
        wall: Wall::Bricks(0x9a5a48),
        floor: Floor::Boards,
        panes: Panes::None,
        parts: &[
            across(What::Counter(0x6a4230, 0xb98654), 0.0, 0.17),
            across(What::Shelf(DRINKS), 0.30, 0.14),
            across(What::Shelf(DRINKS), 0.48, 0.14),
            across(What::Pendants(0xf0b040), CEILING, 0.1),
            hung(What::Sprite("beer-mug"), 0.20, 0.158, 0.10, 0.09),
            hung(What::Sprite("cocktail-glass"), 0.76, 0.158, 0.10, 0.09),
        ],
    },
];
