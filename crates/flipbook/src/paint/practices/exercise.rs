//! What somebody does with the whole body, and the apparatus for it.

use super::{ALONE, Bend, Held, Key, Mark, Piece, Plant, Posture, Practice, STANDS, Stand, Touch};
use crate::codes::{Act, Effect};
use crate::figures::{Gesture, Joint::*};

const UP: f32 = 3.05;
/// Arms and legs in one line.
const STRAIGHT: &[Bend] = &[
    (ArmNear, UP, 0.0, 0.0),
    (ArmFar, UP, 0.0, 0.0),
    (ForearmNear, 0.0, 0.0, 0.0),
    (ForearmFar, 0.0, 0.0, 0.0),
    (ThighNear, 0.05, 0.05, 0.0),
    (ThighFar, -0.05, 0.05, 0.5),
    (FootNear, -0.6, 0.0, 0.0),
    (FootFar, -0.6, 0.0, 0.0),
];
const HANGING: &[Bend] = &[
    (ArmNear, UP, 0.0, 0.0),
    (ArmFar, UP, 0.0, 0.0),
    (ForearmNear, 0.0, 0.0, 0.0),
    (ForearmFar, 0.0, 0.0, 0.0),
    (ThighNear, 0.35, 0.3, 0.1),
    (ThighFar, 0.45, 0.3, 0.1),
    (ShinNear, -0.3, 0.1, 0.0),
    (ShinFar, -0.4, 0.1, 0.0),
];
const WOOD: u32 = 0x9a6a3c;
const STEEL: u32 = 0xaab3c0;
const RED: u32 = 0xe0483e;
const WHITE: u32 = 0xf7f7f7;
const MAT: Piece = Piece::Slab([-0.95, -0.05, 1.9, 0.07], 0.03, 0x3f7fd0);

pub(super) const PRACTICES: &[Practice] = &[
    Practice {
        act: Act::Handstand,
        high: 0.5,
        postures: &[Posture { bends: STRAIGHT, turn: (std::f32::consts::PI, 0.05), plant: Plant::Hand(0.0), ..STANDS }],
        ..ALONE
    },
    Practice {
        act: Act::PushUp,
        high: 0.52,
        postures: &[Posture {
            bends: &[
                (ArmNear, 1.30, 0.30, 0.0),
                (ForearmNear, 0.30, -0.28, 0.0),
                (ArmFar, 1.38, 0.30, 0.0),
                (ForearmFar, 0.30, -0.28, 0.0),
                (Head, 0.3, 0.0, 0.0),
                (FootNear, 0.5, 0.0, 0.0),
                (FootFar, 0.5, 0.0, 0.0),
            ],
            turn: (-1.36, 0.07),
            plant: Plant::Hand(0.02),
            ..STANDS
        }],
        behind: &[MAT],
        reach: (0.95, 0.95),
        ..ALONE
    },
    Practice {
        act: Act::SitUp,
        postures: &[Posture {
            base: Gesture::Sit,
            bends: &[
                (Chest, 0.30, 0.40, 0.0),
                (ThighNear, 1.75, 0.0, 0.0),
                (ShinNear, -1.75, 0.0, 0.0),
                (ThighFar, 1.8, 0.0, 0.0),
                (ShinFar, -1.8, 0.0, 0.0),
                (ArmNear, 2.4, 0.0, 0.0),
                (ForearmNear, 2.3, 0.0, 0.0),
                (ArmFar, 2.4, 0.0, 0.0),
                (ForearmFar, 2.3, 0.0, 0.0),
            ],
            ..STANDS
        }],
        behind: &[MAT],
        reach: (0.9, 0.9),
        ..ALONE
    },
    Practice {
        act: Act::Hula,
        high: 0.55,
        postures: &[Posture {
            pace: 1.2,
            bends: &[
                (ArmNear, -1.3, 0.15, 0.0),
                (ArmFar, 1.3, 0.15, 0.0),
                (ForearmNear, -0.5, 0.2, 0.0),
                (ForearmFar, 0.5, 0.2, 0.0),
                (Chest, 0.0, 0.12, 0.25),
            ],
            turn: (0.0, 0.06),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        before: &[Piece::Hoop(0.36, 0xff5fa2)],
        reach: (0.4, 0.4),
        shows: &["ring-buoy", "basket"],
        ..ALONE
    },
    Practice {
        act: Act::Bars,
        high: 0.40,
        postures: &[Posture { pace: 0.55, bends: HANGING, turn: (0.0, 0.75), plant: Plant::Hand(1.55), ..STANDS }],
        behind: &[
            Piece::Bar([-0.8, 0.0, -0.8, 1.56], 0.05, STEEL),
            Piece::Bar([0.8, 0.0, 0.8, 1.56], 0.05, STEEL),
            Piece::Slab([-1.1, -0.06, 2.2, 0.09], 0.03, 0x3f7fd0),
        ],
        before: &[Piece::Bar([-0.85, 1.56, 0.85, 1.56], 0.045, WOOD)],
        reach: (1.1, 1.1),
        ..ALONE
    },
    Practice {
        act: Act::Trapeze,
        high: 0.34,
        postures: &[Posture { pace: 0.4, bends: HANGING, turn: (0.0, 0.7), plant: Plant::Hand(1.75), ..STANDS }],
        before: &[Piece::Bar([-0.2, 1.76, 0.2, 1.76], 0.05, WOOD)],
        marks: &[Mark::Hung(0.17)],
        reach: (1.0, 1.0),
        ..ALONE
    },
    Practice {
        act: Act::Tightrope,
        high: 0.34,
        postures: &[Posture {
            base: Gesture::Walk,
            pace: 0.5,
            bends: &[(ArmNear, -1.35, 0.2, 0.0), (ArmFar, 1.35, 0.2, 0.0)],
            turn: (0.0, 0.07),
            path: &[Key(0.0, -0.5, 0.98, 0.0), Key(1.0, 0.5, 0.98, 0.0)],
            ..STANDS
        }],
        behind: &[
            Piece::Bar([-1.7, 0.0, -1.7, 1.1], 0.07, WOOD),
            Piece::Bar([1.7, 0.0, 1.7, 1.1], 0.07, WOOD),
            Piece::Slab([-1.95, 1.0, 0.4, 0.06], 0.02, RED),
            Piece::Slab([1.55, 1.0, 0.4, 0.06], 0.02, RED),
        ],
        before: &[Piece::Sag([-1.7, 1.0, 1.7, 1.0], 0.03, 0.028, 0x5a5f6b)],
        reach: (2.0, 2.0),
        ..ALONE
    },
    Practice {
        act: Act::ClimbRope,
        high: 0.40,
        postures: &[Posture { base: Gesture::Climb, plant: Plant::Rising(0.25, 0.8), ..STANDS }],
        behind: &[Piece::Bar([0.17, 0.05, 0.17, 4.0], 0.05, 0xc79a5b)],
        reach: (0.4, 0.4),
        ..ALONE
    },
    Practice {
        act: Act::ClimbWall,
        high: 0.38,
        postures: &[Posture { base: Gesture::Climb, plant: Plant::Rising(0.15, 0.75), ..STANDS }],
        behind: &[
            Piece::Slab([-0.85, 0.0, 1.9, 2.25], 0.04, 0xb9a48a),
            Piece::Slab([-0.85, 0.0, 0.95, 2.25], 0.04, 0xc9b69c),
            Piece::Oval([-0.55, 0.35, 0.07, 0.05], RED),
            Piece::Oval([-0.15, 0.62, 0.06, 0.06], 0x3f7fd0),
            Piece::Oval([0.35, 0.40, 0.07, 0.05], 0xf2b632),
            Piece::Oval([-0.45, 1.0, 0.07, 0.05], 0x3fb46b),
            Piece::Oval([0.45, 0.95, 0.06, 0.05], RED),
            Piece::Oval([0.10, 1.30, 0.07, 0.05], 0xf2b632),
            Piece::Oval([-0.50, 1.60, 0.06, 0.05], 0x3f7fd0),
            Piece::Oval([0.50, 1.62, 0.07, 0.05], 0x3fb46b),
            Piece::Oval([0.0, 1.95, 0.07, 0.05], RED),
        ],
        reach: (0.9, 1.1),
        shows: &["stone-wall", "brick"],
        ..ALONE
    },
    Practice {
        act: Act::Finish,
        stand: Stand::Queue(0.75),
        high: 0.42,
        postures: &[Posture { base: Gesture::Run, pace: 1.5, path: &[Key(0.0, -0.7, 0.0, 0.0), Key(1.0, 0.5, 0.0, 0.0)], ..STANDS }],
        behind: &[Piece::Bar([0.9, 0.0, 0.9, 1.55], 0.06, STEEL), Piece::Bar([1.9, 0.06, 1.9, 1.6], 0.06, STEEL)],
        before: &[
            Piece::Drawing("chequered-flag", [1.95, 1.35], 0.5),
            Piece::Slab([0.85, 1.38, 1.1, 0.24], 0.02, RED),
            Piece::Slab([0.95, 1.46, 0.9, 0.08], 0.02, WHITE),
            Piece::Sag([0.9, 0.62, 1.9, 0.66], 0.05, 0.05, 0xf5d13a),
        ],
        reach: (0.9, 2.1),
        ..ALONE
    },
    Practice {
        act: Act::Hurdle,
        high: 0.40,
        postures: &[Posture {
            base: Gesture::Run,
            pace: 1.3,
            bends: &[(ThighFar, 1.2, 0.3, 0.0), (ShinFar, -0.3, 0.0, 0.0), (ThighNear, -0.5, 0.3, 0.5)],
            path: &[
                Key(0.0, -1.6, 0.0, 0.0),
                Key(0.26, -0.5, 0.0, 0.0),
                Key(0.44, 0.0, 0.42, 0.0),
                Key(0.62, 0.5, 0.0, 0.0),
                Key(1.0, 1.6, 0.0, 0.0),
            ],
            ..STANDS
        }],
        behind: &[Piece::Bar([-0.05, 0.0, -0.05, 0.42], 0.04, STEEL), Piece::Bar([1.55, 0.0, 1.55, 0.42], 0.04, STEEL)],
        before: &[
            Piece::Bar([0.12, 0.0, 0.12, 0.42], 0.04, STEEL),
            Piece::Slab([-0.1, 0.36, 0.28, 0.10], 0.02, WHITE),
            Piece::Slab([0.0, 0.36, 0.09, 0.10], 0.0, RED),
            Piece::Bar([1.72, 0.0, 1.72, 0.42], 0.04, STEEL),
            Piece::Slab([1.5, 0.36, 0.28, 0.10], 0.02, WHITE),
            Piece::Slab([1.6, 0.36, 0.09, 0.10], 0.0, RED),
        ],
        reach: (1.7, 1.9),
        ..ALONE
    },
    Practice {
        act: Act::HighJump,
        high: 0.36,
        postures: &[Posture {
            base: Gesture::Run,
            bends: &[
                (ArmNear, 2.6, 0.2, 0.0),
                (ArmFar, 2.4, 0.2, 0.0),
                (ThighNear, 0.2, 0.2, 0.0),
                (ThighFar, 1.0, 0.2, 0.0),
                (ShinFar, -1.1, 0.0, 0.0),
            ],
            path: &[
                Key(0.0, -1.5, 0.0, 0.0),
                Key(0.28, -0.55, 0.0, 0.0),
                Key(0.46, 0.0, 0.95, -0.22),
                Key(0.66, 0.6, 0.25, -0.27),
                Key(1.0, 0.6, 0.25, -0.27),
            ],
            ..STANDS
        }],
        behind: &[Piece::Bar([-0.05, 0.0, -0.05, 1.1], 0.04, STEEL), Piece::Slab([0.2, 0.0, 1.2, 0.32], 0.05, 0x3f7fd0)],
        before: &[Piece::Bar([0.15, -0.05, 0.15, 1.05], 0.04, STEEL), Piece::Bar([-0.06, 1.0, 0.16, 0.96], 0.035, RED)],
        reach: (1.6, 1.5),
        ..ALONE
    },
    Practice {
        act: Act::LongJump,
        high: 0.38,
        postures: &[Posture {
            base: Gesture::Run,
            bends: &[
                (ArmNear, 2.3, 0.2, 0.0),
                (ArmFar, 2.1, 0.2, 0.0),
                (ThighNear, 1.1, 0.1, 0.0),
                (ThighFar, 1.3, 0.1, 0.0),
                (ShinNear, -0.4, 0.0, 0.0),
                (ShinFar, -0.3, 0.0, 0.0),
                (Chest, -0.3, 0.0, 0.0),
            ],
            path: &[
                Key(0.0, -1.6, 0.0, 0.0),
                Key(0.28, -0.6, 0.0, 0.0),
                Key(0.48, 0.25, 0.5, 0.0),
                Key(0.7, 1.1, 0.0, 0.0),
                Key(1.0, 1.1, 0.0, 0.0),
            ],
            ..STANDS
        }],
        behind: &[
            Piece::Oval([0.95, 0.0, 1.0, 0.11], 0xe6c88a),
            Piece::Oval([1.1, 0.01, 0.5, 0.05], 0xd4b270),
            Piece::Slab([-0.75, -0.03, 0.22, 0.05], 0.0, WHITE),
        ],
        reach: (1.7, 1.95),
        ..ALONE
    },
    Practice {
        act: Act::DiveOff,
        high: 0.30,
        postures: &[Posture {
            bends: STRAIGHT,
            path: &[
                Key(0.0, -0.75, 1.22, 0.0),
                Key(0.22, -0.7, 1.22, 0.0),
                Key(0.38, -0.25, 1.75, 0.2),
                Key(0.75, 0.55, 0.05, 0.42),
                Key(0.85, 0.6, -0.7, 0.45),
                Key(1.0, 0.6, -1.6, 0.45),
            ],
            turn: (0.0, 0.0),
            ..STANDS
        }],
        behind: &[
            Piece::Bar([-1.35, 0.0, -1.35, 1.2], 0.09, STEEL),
            Piece::Bar([-1.05, 0.0, -1.05, 1.2], 0.05, STEEL),
            Piece::Bar([-1.35, 0.3, -1.05, 0.3], 0.03, STEEL),
            Piece::Bar([-1.35, 0.6, -1.05, 0.6], 0.03, STEEL),
            Piece::Bar([-1.35, 0.9, -1.05, 0.9], 0.03, STEEL),
            Piece::Slab([-1.45, 1.14, 0.95, 0.07], 0.02, 0x49b2e8),
        ],
        before: &[
            Piece::Slab([-0.3, -0.30, 1.9, 0.36], 0.08, 0x3aa6e0),
            Piece::Slab([-0.2, -0.24, 1.7, 0.20], 0.08, 0x6cc8f2),
            Piece::Slab([-0.3, 0.02, 1.9, 0.05], 0.02, WHITE),
        ],
        reach: (1.5, 1.7),
        shows: &["clapper-board"],
        ..ALONE
    },
    Practice {
        act: Act::SkateTrick,
        high: 0.5,
        postures: &[Posture {
            bends: &[
                (ThighNear, 0.5, 0.1, 0.0),
                (ThighFar, 1.0, 0.1, 0.0),
                (ShinNear, -1.0, 0.1, 0.0),
                (ShinFar, -1.2, 0.1, 0.0),
                (ArmNear, -1.5, 0.2, 0.0),
                (ArmFar, 1.6, 0.2, 0.0),
                (Chest, -0.15, 0.0, 0.0),
            ],
            path: &[
                Key(0.0, -1.0, 0.0, 0.0),
                Key(0.25, -0.4, 0.0, 0.0),
                Key(0.46, 0.0, 0.5, -0.05),
                Key(0.68, 0.4, 0.0, 0.0),
                Key(1.0, 1.0, 0.0, 0.0),
            ],
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        before: &[Piece::Each("skateboard", [0.0, -0.06], 0.16)],
        reach: (1.2, 1.2),
        shows: &["skateboard"],
        ..ALONE
    },
    Practice {
        act: Act::BalanceOn,
        high: 0.5,
        postures: &[Posture { pace: 0.5, bends: &[(ArmNear, -1.0, 0.15, 0.0), (ArmFar, 1.0, 0.15, 0.0)], turn: (0.0, 0.03), ..STANDS }],
        ..ALONE
    },
    Practice {
        act: Act::Archery,
        stand: Stand::Alone,
        high: 0.42,
        postures: &[Posture { near: Touch::Own(0.42, 0.70), far: Touch::Own(0.04, 0.70), held: Held::Bow, ..STANDS }],
        behind: &[
            Piece::Bar([1.85, 0.0, 1.95, 0.8], 0.04, WOOD),
            Piece::Bar([2.15, 0.0, 2.0, 0.8], 0.04, WOOD),
            Piece::Drawing("bullseye", [2.0, 0.45], 0.55),
        ],
        marks: &[Mark::Ball(
            "arrow",
            0.5,
            1.0,
            &[[0.0, 0.5, 0.70], [0.3, 0.5, 0.70], [0.42, 1.2, 0.76], [0.55, 1.85, 0.72], [1.0, 1.85, 0.72]],
        )],
        reach: (0.3, 2.35),
        shows: &["bow-and-arrow", "bullseye"],
        ..ALONE
    },
];
