//! What is done around a table, a blanket or a cake.

use super::{ALONE, Bend, Held, Piece, Plant, Posture, Practice, STANDS, Stand, Touch};
use crate::codes::{Act, Effect};
use crate::figures::{Gesture, Joint::*};

const WOOD: u32 = 0xa9713f;
const EDGE: u32 = 0x83552d;
/// On a stool.
const SEATED: &[Bend] = &[
    (ThighNear, 1.45, 0.0, 0.0),
    (ShinNear, -1.4, 0.0, 0.0),
    (ThighFar, 1.5, 0.0, 0.0),
    (ShinFar, -1.45, 0.0, 0.0),
    (FootNear, 0.0, 0.0, 0.0),
    (FootFar, 0.0, 0.0, 0.0),
    (ArmNear, 0.55, 0.08, 0.0),
    (ForearmNear, 0.95, 0.08, 0.0),
    (ArmFar, 0.7, 0.08, 0.4),
    (ForearmFar, 0.8, 0.08, 0.4),
    (Chest, -0.06, 0.02, 0.0),
    (Head, -0.08, 0.03, 0.0),
];
const SITS: Posture = Posture { base: Gesture::Ride, pace: 0.6, bends: SEATED, plant: Plant::Seat(0.24), ..STANDS };
const TOP: Piece = Piece::Slab([-0.52, 0.38, 1.04, 0.06], 0.02, WOOD);
const LEG: Piece = Piece::Slab([-0.05, 0.0, 0.10, 0.38], 0.0, EDGE);
const FOOT: Piece = Piece::Slab([-0.24, -0.02, 0.48, 0.05], 0.02, EDGE);
const STOOLS: &[Piece] = &[Piece::Stools(0.20, 0x7a5230)];
const BLANKET: &[Piece] = &[
    Piece::Oval([0.0, -0.02, 1.15, 0.20], 0xd8403c),
    Piece::Oval([0.0, -0.01, 1.02, 0.165], 0xf4efe4),
    Piece::Oval([0.0, -0.01, 0.88, 0.135], 0xd8403c),
];

pub(super) const PRACTICES: &[Practice] = &[
    Practice {
        act: Act::Chess,
        stand: Stand::Around(0.78),
        high: 0.52,
        postures: &[Posture { near: Touch::Place(-0.1, 0.5), feeling: Some(Effect::Doubt), ..SITS }, SITS],
        behind: STOOLS,
        before: &[
            LEG,
            FOOT,
            TOP,
            Piece::Slab([-0.26, 0.44, 0.52, 0.035], 0.0, 0xf0d9b0),
            Piece::Slab([-0.26, 0.44, 0.065, 0.035], 0.0, 0x4a3222),
            Piece::Slab([-0.13, 0.44, 0.065, 0.035], 0.0, 0x4a3222),
            Piece::Slab([0.0, 0.44, 0.065, 0.035], 0.0, 0x4a3222),
            Piece::Slab([0.13, 0.44, 0.065, 0.035], 0.0, 0x4a3222),
            Piece::Drawing("chess-pawn", [-0.19, 0.47], 0.14),
            Piece::Drawing("chess-pawn", [-0.07, 0.47], 0.14),
            Piece::Drawing("chess-pawn", [0.12, 0.47], 0.14),
            Piece::Drawing("chess-pawn", [0.22, 0.47], 0.14),
        ],
        reach: (1.0, 1.0),
        shows: &["chess-pawn", "table"],
        ..ALONE
    },
    Practice {
        act: Act::Cards,
        stand: Stand::Around(0.82),
        high: 0.50,
        postures: &[Posture { held: Held::Drawing("joker", 0.17, 0.0), ..SITS }],
        behind: STOOLS,
        before: &[
            LEG,
            FOOT,
            TOP,
            Piece::Slab([-0.48, 0.41, 0.96, 0.03], 0.01, 0x2f8f5a),
            Piece::Slab([-0.14, 0.44, 0.12, 0.02], 0.0, 0xffffff),
            Piece::Slab([0.04, 0.44, 0.12, 0.02], 0.0, 0xffffff),
            Piece::Slab([-0.06, 0.46, 0.12, 0.05], 0.01, 0xc8343a),
        ],
        reach: (1.0, 1.0),
        shows: &["joker", "table", "flower-playing-cards"],
        ..ALONE
    },
    Practice {
        act: Act::BoardGame,
        stand: Stand::Around(0.82),
        high: 0.50,
        postures: &[
            Posture { near: Touch::Place(-0.16, 0.5), feeling: Some(Effect::Joy), ..SITS },
            Posture { feeling: Some(Effect::Joy), ..SITS },
        ],
        behind: STOOLS,
        before: &[
            LEG,
            FOOT,
            TOP,
            Piece::Slab([-0.34, 0.44, 0.68, 0.03], 0.0, 0xf2e3b8),
            Piece::Oval([-0.2, 0.49, 0.03, 0.04], 0xe0483e),
            Piece::Oval([-0.05, 0.49, 0.03, 0.04], 0x3f7fd0),
            Piece::Oval([0.2, 0.49, 0.03, 0.04], 0x3fb46b),
            Piece::Drawing("game-die", [0.08, 0.46], 0.10),
        ],
        reach: (1.0, 1.0),
        shows: &["table", "clapper-board", "game-die", "puzzle-piece"],
        ..ALONE
    },
    Practice {
        act: Act::ArmWrestle,
        stand: Stand::Around(0.58),
        high: 0.52,
        postures: &[Posture { far: Touch::Place(0.0, 0.62), feeling: Some(Effect::Anger), ..SITS }],
        behind: STOOLS,
        before: &[LEG, FOOT, Piece::Slab([-0.40, 0.38, 0.80, 0.06], 0.02, WOOD)],
        reach: (0.8, 0.8),
        shows: &["table"],
        ..ALONE
    },
    Practice {
        act: Act::Tea,
        stand: Stand::Around(0.80),
        high: 0.50,
        postures: &[
            Posture {
                held: Held::Drawing("teacup-without-handle", 0.13, 0.0),
                near: Touch::Face(0.10, -0.05),
                feeling: Some(Effect::Joy),
                ..SITS
            },
            Posture {
                held: Held::Drawing("teacup-without-handle", 0.13, 0.0),
                near: Touch::Own(0.28, 0.42),
                feeling: Some(Effect::Joy),
                ..SITS
            },
        ],
        behind: STOOLS,
        before: &[
            LEG,
            FOOT,
            Piece::Slab([-0.56, 0.24, 1.12, 0.20], 0.02, 0xf7e3ea),
            Piece::Slab([-0.56, 0.24, 1.12, 0.03], 0.0, 0xdfb8c6),
            Piece::Drawing("teapot", [-0.02, 0.44], 0.22),
            Piece::Drawing("cupcake", [0.24, 0.44], 0.12),
            Piece::Drawing("cookie", [-0.26, 0.44], 0.09),
        ],
        reach: (1.0, 1.0),
        shows: &["table", "teapot", "teacup-without-handle", "hot-beverage", "candle"],
        ..ALONE
    },
    Practice {
        act: Act::Dine,
        stand: Stand::Around(0.80),
        high: 0.50,
        postures: &[Posture {
            base: Gesture::Eat,
            pace: 0.5,
            bends: &[
                (ThighNear, 1.45, 0.0, 0.0),
                (ShinNear, -1.4, 0.0, 0.0),
                (ThighFar, 1.5, 0.0, 0.0),
                (ShinFar, -1.45, 0.0, 0.0),
                (FootNear, 0.0, 0.0, 0.0),
                (FootFar, 0.0, 0.0, 0.0),
            ],
            plant: Plant::Seat(0.24),
            ..STANDS
        }],
        behind: STOOLS,
        before: &[
            LEG,
            FOOT,
            Piece::Slab([-0.56, 0.20, 1.12, 0.24], 0.02, 0xf7f4ee),
            Piece::Slab([-0.56, 0.20, 1.12, 0.03], 0.0, 0xd9d3c6),
            Piece::Oval([-0.34, 0.46, 0.14, 0.03], 0xffffff),
            Piece::Oval([0.34, 0.46, 0.14, 0.03], 0xffffff),
            Piece::Oval([-0.34, 0.475, 0.09, 0.025], 0xd9803a),
            Piece::Oval([0.34, 0.475, 0.09, 0.025], 0xd9803a),
            Piece::Drawing("candle", [0.0, 0.44], 0.24),
            Piece::Drawing("wine-glass", [-0.14, 0.44], 0.15),
            Piece::Drawing("wine-glass", [0.14, 0.44], 0.15),
        ],
        reach: (1.0, 1.0),
        shows: &["table", "candle", "fork-and-knife-with-plate", "fork-and-knife", "wine-glass"],
        ..ALONE
    },
    Practice {
        act: Act::Picnic,
        stand: Stand::Around(0.66),
        high: 0.50,
        postures: &[Posture {
            base: Gesture::Eat,
            pace: 0.5,
            bends: &[
                (ThighNear, 1.5, 0.0, 0.0),
                (ShinNear, -0.55, 0.0, 0.0),
                (ThighFar, 1.85, 0.0, 0.0),
                (ShinFar, -1.5, 0.0, 0.0),
                (FootNear, -0.35, 0.0, 0.0),
                (Chest, 0.06, 0.02, 0.0),
            ],
            plant: Plant::Seat(0.06),
            held: Held::Drawing("sandwich", 0.13, 0.0),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        behind: BLANKET,
        before: &[
            Piece::Drawing("basket", [0.06, -0.02], 0.30),
            Piece::Drawing("red-apple", [-0.16, -0.08], 0.10),
            Piece::Drawing("sandwich", [0.28, -0.09], 0.12),
        ],
        reach: (1.2, 1.2),
        shows: &["basket", "sandwich", "red-apple"],
        ..ALONE
    },
];
