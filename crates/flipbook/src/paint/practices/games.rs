//! Games with balls and the like: what flies where, and what is stood before.

use super::{ALONE, Held, Key, Mark, Piece, Posture, Practice, STANDS, Stand, Touch};
use crate::codes::{Act, Effect};
use crate::figures::{Gesture, Joint::*};

const STEEL: u32 = 0xaab3c0;
const WOOD: u32 = 0x9a6a3c;
const WHITE: u32 = 0xf7f7f7;
const THROWER: Posture = Posture { base: Gesture::Throw, feeling: Some(Effect::Joy), ..STANDS };

pub(super) const PRACTICES: &[Practice] = &[
    Practice {
        act: Act::PlayCatch,
        stand: Stand::Sides(0.95),
        high: 0.45,
        postures: &[THROWER, Posture { base: Gesture::Catch, feeling: Some(Effect::Joy), ..STANDS }],
        marks: &[Mark::Toss("baseball", 0.13, 0.55)],
        shows: &["baseball", "soccer-ball", "softball"],
        ..ALONE
    },
    Practice {
        act: Act::SnowballFight,
        stand: Stand::Sides(0.9),
        high: 0.42,
        postures: &[THROWER],
        marks: &[Mark::Toss("", 0.11, 0.5)],
        behind: &[Piece::Oval([-1.35, 0.0, 0.22, 0.12], 0xf4f8fd), Piece::Oval([1.35, 0.0, 0.22, 0.12], 0xf4f8fd)],
        reach: (1.5, 1.5),
        ..ALONE
    },
    Practice {
        act: Act::Dart,
        high: 0.5,
        postures: &[Posture { base: Gesture::Throw, ..STANDS }],
        behind: &[Piece::Slab([1.25, 0.55, 0.6, 0.62], 0.05, 0x7a5230), Piece::Drawing("bullseye", [1.55, 0.60], 0.5)],
        marks: &[Mark::Ball("arrow", 0.2, 1.0, &[[0.0, 0.3, 0.85], [0.3, 0.35, 0.88], [0.55, 1.5, 0.86], [1.0, 1.5, 0.86]])],
        reach: (0.4, 1.9),
        shows: &["bullseye"],
        ..ALONE
    },
    Practice {
        act: Act::Header,
        high: 0.5,
        postures: &[Posture {
            base: Gesture::Stand,
            bends: &[
                (ArmNear, -0.9, 0.2, 0.0),
                (ArmFar, 1.0, 0.2, 0.0),
                (ThighNear, 0.2, 0.2, 0.0),
                (ShinNear, -0.7, 0.2, 0.0),
                (ThighFar, 0.5, 0.2, 0.0),
                (ShinFar, -0.8, 0.0, 0.0),
                (Head, 0.12, 0.1, 0.0),
            ],
            path: &[Key(0.0, 0.0, 0.1, 0.0), Key(0.5, 0.0, 0.22, 0.0), Key(1.0, 0.0, 0.1, 0.0)],
            ..STANDS
        }],
        marks: &[Mark::Ball("soccer-ball", 0.2, 2.0, &[[0.0, 1.1, 0.7], [0.35, 0.16, 1.22], [0.65, 0.16, 1.26], [1.0, 1.2, 1.5]])],
        reach: (0.4, 1.2),
        shows: &["soccer-ball"],
        ..ALONE
    },
    Practice {
        act: Act::Dribble,
        postures: &[Posture {
            pace: 1.4,
            bends: &[
                (ArmNear, 0.75, 0.25, 0.0),
                (ForearmNear, 0.6, 0.25, 0.0),
                (ThighNear, 0.3, 0.1, 0.0),
                (ShinNear, -0.5, 0.1, 0.0),
                (ThighFar, 0.35, 0.1, 0.5),
                (ShinFar, -0.55, 0.1, 0.5),
                (Chest, -0.18, 0.0, 0.0),
            ],
            ..STANDS
        }],
        marks: &[Mark::Ball("basketball", 0.2, 4.0, &[[0.0, 0.34, 0.36], [0.5, 0.34, 0.02], [1.0, 0.34, 0.36]])],
        reach: (0.2, 0.5),
        shows: &["basketball", "soccer-ball"],
        ..ALONE
    },
    Practice {
        act: Act::Tennis,
        stand: Stand::Sides(1.3),
        high: 0.40,
        postures: &[Posture { base: Gesture::Throw, pace: 0.7, held: Held::Racket, ..STANDS }],
        behind: &[Piece::Net([-0.03, 0.0, 0.06, 0.5], WHITE)],
        before: &[
            Piece::Net([-0.16, -0.08, 0.32, 0.52], WHITE),
            Piece::Bar([-0.16, 0.44, 0.16, 0.44], 0.035, WHITE),
            Piece::Bar([-0.16, -0.08, -0.16, 0.48], 0.035, STEEL),
            Piece::Bar([0.16, -0.08, 0.16, 0.48], 0.035, STEEL),
        ],
        marks: &[Mark::Toss("tennis-ball", 0.09, 0.35)],
        reach: (0.6, 1.6),
        shows: &["tennis", "badminton", "ping-pong"],
    },
    Practice {
        act: Act::Volleyball,
        stand: Stand::Sides(0.95),
        high: 0.36,
        postures: &[Posture { base: Gesture::Raise, bends: &[(ArmNear, 2.5, 0.25, 0.0), (ArmFar, 2.3, 0.25, 0.0)], ..STANDS }],
        before: &[
            Piece::Net([-0.12, 0.75, 0.24, 0.55], WHITE),
            Piece::Bar([-0.12, -0.05, -0.12, 1.32], 0.04, STEEL),
            Piece::Bar([0.12, -0.05, 0.12, 1.32], 0.04, STEEL),
        ],
        marks: &[Mark::Toss("volleyball", 0.17, 0.7)],
        reach: (0.7, 1.4),
        shows: &["volleyball"],
        ..ALONE
    },
    Practice {
        act: Act::Bat,
        high: 0.46,
        postures: &[Posture {
            base: Gesture::Stand,
            pace: 0.66,
            bends: &[
                (ThighFar, 0.45, 0.0, 0.0),
                (ShinFar, -0.35, 0.0, 0.0),
                (ThighNear, -0.3, 0.0, 0.0),
                (ArmNear, 1.5, 0.75, 0.1),
                (ForearmNear, 0.7, 0.5, 0.1),
                (ArmFar, 1.5, 0.6, 0.1),
                (ForearmFar, 0.7, 0.4, 0.1),
                (Chest, -0.05, 0.15, 0.1),
            ],
            held: Held::Stick(0.55, 0.075, 0xd9a866, 0.4),
            ..STANDS
        }],
        marks: &[Mark::Ball(
            "baseball",
            0.12,
            1.0,
            &[[0.0, 2.2, 0.9], [0.36, 0.5, 0.62], [0.5, 1.2, 1.1], [0.75, 2.4, 2.0], [1.0, 3.4, 2.6]],
        )],
        reach: (0.5, 1.7),
        shows: &["baseball", "bat", "cricket-game", "softball"],
        ..ALONE
    },
    Practice {
        act: Act::Golf,
        high: 0.46,
        postures: &[Posture {
            base: Gesture::Stand,
            pace: 0.5,
            bends: &[
                (ThighFar, 0.25, 0.0, 0.0),
                (ShinFar, -0.3, 0.0, 0.0),
                (ThighNear, -0.12, 0.0, 0.0),
                (ShinNear, -0.15, 0.0, 0.0),
                (Chest, -0.26, 0.05, 0.2),
                (ArmNear, 0.9, 0.85, 0.2),
                (ArmFar, 1.0, 0.85, 0.2),
                (ForearmNear, 0.1, 0.0, 0.0),
                (ForearmFar, 0.1, 0.0, 0.0),
            ],
            held: Held::Stick(0.52, 0.022, 0x7d8694, 0.25),
            ..STANDS
        }],
        behind: &[
            Piece::Oval([1.7, 0.0, 0.5, 0.05], 0x7ccf63),
            Piece::Oval([1.7, 0.0, 0.07, 0.016], 0x2f4a2a),
            Piece::Bar([1.7, 0.0, 1.7, 0.85], 0.025, WHITE),
            Piece::Slab([1.7, 0.62, 0.32, 0.22], 0.0, 0xe0483e),
        ],
        marks: &[Mark::Ball(
            "",
            0.07,
            1.0,
            &[[0.0, 0.42, 0.03], [0.25, 0.42, 0.03], [0.42, 0.9, 0.5], [0.58, 1.35, 0.02], [0.8, 1.66, 0.02], [1.0, 1.66, 0.02]],
        )],
        reach: (0.6, 2.25),
        shows: &["flag-in-hole", "golf"],
        ..ALONE
    },
    Practice {
        act: Act::Bowl,
        high: 0.42,
        postures: &[Posture {
            base: Gesture::Stand,
            pace: 0.5,
            bends: &[
                (ThighFar, 0.95, 0.0, 0.0),
                (ShinFar, -1.1, 0.0, 0.0),
                (ThighNear, -0.55, 0.0, 0.0),
                (ShinNear, -0.5, 0.0, 0.0),
                (Chest, -0.45, 0.0, 0.0),
                (Head, 0.25, 0.0, 0.0),
                (ArmNear, 0.6, 0.7, 0.6),
                (ForearmNear, 0.1, 0.0, 0.0),
                (ArmFar, -0.8, 0.0, 0.0),
            ],
            ..STANDS
        }],
        behind: &[
            Piece::Slab([-0.3, -0.09, 3.1, 0.14], 0.0, 0xe2b878),
            Piece::Slab([-0.3, -0.02, 3.1, 0.02], 0.0, 0xc79555),
            Piece::Oval([2.25, 0.16, 0.055, 0.16], WHITE),
            Piece::Oval([2.42, 0.18, 0.055, 0.16], WHITE),
            Piece::Oval([2.58, 0.16, 0.055, 0.16], WHITE),
            Piece::Oval([2.34, 0.13, 0.055, 0.16], WHITE),
            Piece::Oval([2.50, 0.13, 0.055, 0.16], WHITE),
            Piece::Slab([2.20, 0.20, 0.10, 0.03], 0.0, 0xe0483e),
            Piece::Slab([2.29, 0.17, 0.10, 0.03], 0.0, 0xe0483e),
            Piece::Slab([2.45, 0.17, 0.10, 0.03], 0.0, 0xe0483e),
            Piece::Slab([2.53, 0.20, 0.10, 0.03], 0.0, 0xe0483e),
        ],
        marks: &[Mark::Ball("bowl", 0.18, 1.0, &[[0.0, 0.3, 0.09], [0.15, 0.4, 0.09], [0.8, 2.15, 0.09], [1.0, 2.3, 0.09]])],
        reach: (0.5, 2.9),
        shows: &["bowling"],
        ..ALONE
    },
    Practice {
        act: Act::Decorate,
        stand: Stand::Sides(0.62),
        postures: &[Posture {
            pace: 0.5,
            near: Touch::Own(0.34, 0.80),
            bends: &[(Head, 0.1, 0.04, 0.0)],
            held: Held::Drawing("red-circle", 0.10, 0.0),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        behind: &[Piece::Drawing("christmas-tree", [0.0, 0.02], 1.45)],
        high: 0.46,
        reach: (0.5, 0.5),
        shows: &["christmas-tree"],
        ..ALONE
    },
    Practice {
        act: Act::TrickOrTreat,
        stand: Stand::Row(0.62),
        high: 0.42,
        postures: &[
            Posture {
                near: Touch::Own(0.24, 0.42),
                held: Held::Drawing("jack-o-lantern", 0.26, 0.0),
                mouth: Some(true),
                feeling: Some(Effect::Joy),
                ..STANDS
            },
            Posture { near: Touch::Own(0.24, 0.42), held: Held::Drawing("candy", 0.2, 0.0), feeling: Some(Effect::Joy), ..STANDS },
        ],
        behind: &[
            Piece::Slab([1.05, 0.0, 0.75, 1.5], 0.04, 0x6b4a34),
            Piece::Slab([1.12, 0.0, 0.61, 1.4], 0.03, 0x9a4a2f),
            Piece::Oval([1.22, 0.65, 0.035, 0.035], 0xf2c14e),
            Piece::Drawing("jack-o-lantern", [2.0, -0.02], 0.36),
            Piece::Bar([1.0, -0.02, 1.85, -0.02], 0.06, WOOD),
        ],
        reach: (0.8, 2.2),
        ..ALONE
    },
];
