//! Instruments that are sat at, finds, rescues and tricks.

use super::{ALONE, Held, Key, Mark, Piece, Plant, Posture, Practice, STANDS, Stand, Touch};
use crate::codes::{Act, Effect};
use crate::figures::{Gesture, Joint::*};

pub(super) const PRACTICES: &[Practice] = &[
    Practice {
        act: Act::Harp,
        high: 0.46,
        postures: &[Posture {
            base: Gesture::Sit,
            pace: 0.8,
            bends: &[
                (ThighNear, 1.45, 0.0, 0.0),
                (ShinNear, -1.4, 0.0, 0.0),
                (ThighFar, 1.5, 0.0, 0.0),
                (ShinFar, -1.45, 0.0, 0.0),
                (Head, -0.02, 0.05, 0.0),
                (ArmNear, 1.25, 0.18, 0.0),
                (ForearmNear, 0.25, 0.15, 0.2),
                (ArmFar, 1.4, 0.18, 0.5),
                (ForearmFar, 0.2, 0.1, 0.5),
            ],
            plant: Plant::Seat(0.26),
            ..STANDS
        }],
        behind: &[Piece::Stools(0.22, 0x7a5230)],
        before: &[
            Piece::Bar([0.34, 0.16, 0.34, 0.98], 0.012, 0xf4efe4),
            Piece::Bar([0.41, 0.14, 0.41, 0.93], 0.012, 0xf4efe4),
            Piece::Bar([0.48, 0.12, 0.48, 0.93], 0.012, 0xf4efe4),
            Piece::Bar([0.55, 0.10, 0.55, 0.98], 0.012, 0xf4efe4),
            Piece::Bar([0.62, 0.09, 0.62, 1.06], 0.012, 0xf4efe4),
            Piece::Bar([0.24, 0.16, 0.72, 0.06], 0.07, 0xc98a2e),
            Piece::Bar([0.72, 0.04, 0.72, 1.18], 0.06, 0xe0a83c),
            Piece::Bar([0.22, 1.0, 0.24, 0.16], 0.065, 0xd99a34),
            Piece::Sag([0.22, 1.0, 0.72, 1.16], 0.07, 0.065, 0xe0a83c),
            Piece::Slab([0.58, -0.02, 0.28, 0.07], 0.02, 0xb5791f),
        ],
        reach: (0.4, 0.95),
        marks: &[Mark::Notes],
        shows: &["banjo"],
        ..ALONE
    },
    Practice {
        act: Act::Cello,
        high: 0.48,
        postures: &[Posture {
            base: Gesture::Sit,
            pace: 0.7,
            bends: &[
                (ThighNear, 1.35, 0.0, 0.0),
                (ShinNear, -1.35, 0.0, 0.0),
                (ThighFar, 1.5, 0.0, 0.0),
                (ShinFar, -1.45, 0.0, 0.0),
                (Head, -0.04, 0.05, 0.0),
                (ArmNear, 0.75, 0.30, 0.0),
                (ForearmNear, 0.45, 0.2, 0.0),
            ],
            far: Touch::Own(0.28, 0.66),
            plant: Plant::Seat(0.26),
            held: Held::Stick(0.42, 0.018, 0xf4e6c8, 0.9),
            ..STANDS
        }],
        behind: &[
            Piece::Stools(0.22, 0x7a5230),
            Piece::Oval([0.34, 0.22, 0.15, 0.15], 0x8f4a1f),
            Piece::Oval([0.33, 0.42, 0.12, 0.12], 0x8f4a1f),
            Piece::Oval([0.34, 0.22, 0.12, 0.12], 0xb5622a),
            Piece::Oval([0.33, 0.42, 0.09, 0.09], 0xb5622a),
            Piece::Bar([0.335, 0.30, 0.28, 0.86], 0.045, 0x3a2a20),
            Piece::Bar([0.35, 0.12, 0.335, 0.36], 0.03, 0x3a2a20),
            Piece::Bar([0.36, 0.08, 0.37, 0.0], 0.014, 0x5a5f6b),
            Piece::Oval([0.27, 0.89, 0.04, 0.04], 0x8f4a1f),
        ],
        reach: (0.4, 0.6),
        marks: &[Mark::Notes],
        shows: &["violin"],
        ..ALONE
    },
    Practice {
        act: Act::EggHunt,
        stand: Stand::Row(0.85),
        high: 0.42,
        postures: &[
            Posture { base: Gesture::Build, pace: 0.6, feeling: Some(Effect::Joy), ..STANDS },
            Posture { near: Touch::Own(0.22, 0.36), held: Held::Drawing("basket", 0.26, 0.0), feeling: Some(Effect::Joy), ..STANDS },
        ],
        before: &[
            Piece::Oval([0.42, 0.02, 0.05, 0.065], 0xe8559a),
            Piece::Oval([-0.62, -0.05, 0.05, 0.065], 0x3fa0e8),
            Piece::Oval([0.98, -0.06, 0.05, 0.065], 0xf2c13c),
            Piece::Oval([-0.95, 0.03, 0.05, 0.065], 0x6fc24a),
            Piece::Oval([0.70, 0.05, 0.045, 0.06], 0x9a5bd6),
            Piece::Oval([-0.25, -0.08, 0.05, 0.065], 0xf07838),
        ],
        reach: (1.1, 1.1),
        shows: &["egg", "basket"],
        ..ALONE
    },
    Practice {
        act: Act::Rescue,
        high: 0.38,
        postures: &[Posture {
            base: Gesture::Climb,
            near: Touch::Own(0.30, 1.02),
            path: &[Key(0.0, 0.02, 0.35, 0.0), Key(1.0, 0.02, 0.55, 0.0)],
            ..STANDS
        }],
        behind: &[
            Piece::Bar([0.95, 0.0, 0.95, 1.3], 0.22, 0x7a5230),
            Piece::Oval([0.95, 1.75, 0.72, 0.5], 0x4f9a40),
            Piece::Oval([0.55, 1.55, 0.42, 0.34], 0x5cab4a),
            Piece::Bar([0.90, 1.05, 0.36, 1.18], 0.09, 0x7a5230),
            Piece::Drawing("cat", [0.48, 1.18], 0.34),
            Piece::Bar([0.02, 0.0, 0.20, 1.35], 0.04, 0xc79a5b),
            Piece::Bar([0.22, 0.0, 0.40, 1.35], 0.04, 0xc79a5b),
            Piece::Bar([0.06, 0.25, 0.26, 0.25], 0.03, 0xc79a5b),
            Piece::Bar([0.09, 0.5, 0.29, 0.5], 0.03, 0xc79a5b),
            Piece::Bar([0.12, 0.75, 0.32, 0.75], 0.03, 0xc79a5b),
        ],
        reach: (0.4, 1.75),
        ..ALONE
    },
    Practice {
        act: Act::Conjure,
        high: 0.46,
        postures: &[Posture {
            near: Touch::Own(0.34, 0.86),
            far: Touch::Own(0.26, 0.44),
            mouth: Some(true),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        before: &[
            Piece::Slab([0.16, 0.0, 0.52, 0.36], 0.03, 0x7a2fa8),
            Piece::Slab([0.12, 0.34, 0.60, 0.05], 0.02, 0x5a1f80),
            Piece::Drawing("rabbit", [0.40, 0.52], 0.36),
            Piece::Slab([0.28, 0.39, 0.26, 0.24], 0.02, 0x23262e),
            Piece::Slab([0.22, 0.60, 0.38, 0.04], 0.01, 0x15171c),
            Piece::Slab([0.28, 0.53, 0.26, 0.05], 0.0, 0xe0343a),
        ],
        marks: &[Mark::Burst],
        reach: (0.3, 0.8),
        shows: &["rabbit-figure", "rabbit", "top-hat"],
        ..ALONE
    },
    Practice {
        act: Act::CardTrick,
        high: 0.5,
        postures: &[Posture {
            near: Touch::Own(0.30, 0.60),
            far: Touch::Own(0.20, 0.62),
            held: Held::Drawing("joker", 0.26, 0.0),
            mouth: Some(true),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        marks: &[Mark::Burst],
        shows: &["joker"],
        ..ALONE
    },
    Practice {
        act: Act::Keep,
        high: 0.44,
        postures: &[Posture {
            bends: &[
                (ArmNear, 2.35, 0.1, 0.0),
                (ArmFar, 2.6, 0.1, 0.0),
                (ForearmNear, 0.2, 0.0, 0.0),
                (ForearmFar, 0.1, 0.0, 0.0),
                (ThighNear, -0.3, 0.1, 0.0),
                (ThighFar, 0.6, 0.1, 0.0),
                (ShinFar, -0.9, 0.0, 0.0),
            ],
            path: &[
                Key(0.0, -0.3, 0.0, 0.0),
                Key(0.25, -0.2, 0.0, 0.0),
                Key(0.48, 0.25, 0.25, 0.10),
                Key(0.8, 0.5, 0.0, 0.14),
                Key(1.0, 0.5, 0.0, 0.14),
            ],
            ..STANDS
        }],
        behind: &[
            Piece::Net([-1.3, 0.0, 2.6, 1.32], 0xffffff),
            Piece::Bar([-1.3, 0.0, -1.3, 1.35], 0.07, 0xfafafa),
            Piece::Bar([1.3, 0.0, 1.3, 1.35], 0.07, 0xfafafa),
            Piece::Bar([-1.33, 1.35, 1.33, 1.35], 0.07, 0xfafafa),
        ],
        marks: &[Mark::Ball("soccer-ball", 0.2, 1.0, &[[0.0, 2.4, 0.1], [0.25, 1.8, 0.3], [0.48, 0.42, 1.0], [1.0, 0.42, 1.0]])],
        reach: (1.45, 1.6),
        shows: &["soccer-ball", "goal-net"],
        ..ALONE
    },
];
