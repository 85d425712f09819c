//! What is shown to others or felt before them: on a stage, at a feast, before a screen, in thought.

use super::{ALONE, Held, Mark, Piece, Plant, Posture, Practice, STANDS, Stand, Touch};
use crate::codes::{Act, Effect};
use crate::figures::{Gesture, Joint::*};

const WOOD: u32 = 0x9a6a3c;
const DARK: u32 = 0x3a3f4b;
const CHEERS: Posture = Posture {
    pace: 1.1,
    bends: &[
        (ArmNear, 2.75, 0.3, 0.0),
        (ArmFar, 2.85, 0.3, 0.3),
        (ForearmNear, 0.3, 0.2, 0.0),
        (ForearmFar, 0.3, 0.2, 0.3),
        (Head, 0.12, 0.04, 0.0),
    ],
    mouth: Some(true),
    feeling: Some(Effect::Joy),
    ..STANDS
};

pub(super) const PRACTICES: &[Practice] = &[
    Practice { act: Act::Cheer, postures: &[CHEERS], ..ALONE },
    Practice {
        act: Act::Triumph,
        stand: Stand::Row(0.58),
        high: 0.46,
        postures: &[
            Posture {
                near: Touch::Own(0.12, 1.06),
                far: Touch::Own(0.20, 1.04),
                held: Held::Drawing("trophy", 0.36, 0.0),
                mouth: Some(true),
                feeling: Some(Effect::Joy),
                ..STANDS
            },
            CHEERS,
        ],
        marks: &[Mark::Burst],
        shows: &["trophy", "1st-place-medal", "sports-medal"],
        ..ALONE
    },
    Practice {
        act: Act::PartyPopper,
        postures: &[Posture {
            near: Touch::Own(0.26, 0.72),
            held: Held::Drawing("party-popper", 0.26, 0.0),
            mouth: Some(true),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        marks: &[Mark::Burst],
        shows: &["party-popper", "confetti-ball"],
        ..ALONE
    },
    Practice {
        act: Act::CutRibbon,
        high: 0.48,
        postures: &[Posture {
            near: Touch::Own(0.33, 0.46),
            held: Held::Drawing("scissors", 0.2, 0.0),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        behind: &[Piece::Bar([-0.75, 0.0, -0.75, 0.62], 0.05, 0xd8b04a), Piece::Bar([1.15, 0.0, 1.15, 0.62], 0.05, 0xd8b04a)],
        before: &[Piece::Sag([-0.75, 0.52, 1.15, 0.52], 0.06, 0.07, 0xe0343a), Piece::Drawing("ribbon", [0.62, 0.34], 0.26)],
        reach: (0.85, 1.25),
        shows: &["ribbon", "scissors"],
        ..ALONE
    },
    Practice {
        act: Act::DjMix,
        high: 0.46,
        postures: &[Posture {
            pace: 1.0,
            bends: &[(Head, 0.02, 0.12, 0.0), (ArmFar, 2.4, 0.35, 0.0), (ForearmFar, 0.4, 0.2, 0.0)],
            near: Touch::Own(0.30, 0.52),
            held: Held::Nothing,
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        before: &[
            Piece::Slab([-0.5, -0.03, 1.5, 0.44], 0.03, DARK),
            Piece::Slab([-0.54, 0.40, 1.58, 0.06], 0.02, 0x545b6b),
            Piece::Oval([-0.08, 0.48, 0.27, 0.055], 0x15171c),
            Piece::Oval([0.60, 0.48, 0.27, 0.055], 0x15171c),
            Piece::Oval([-0.08, 0.48, 0.08, 0.018], 0xe0483e),
            Piece::Oval([0.60, 0.48, 0.08, 0.018], 0x3fb4e8),
            Piece::Slab([-0.3, 0.08, 0.28, 0.22], 0.03, 0xe03fa8),
            Piece::Slab([0.42, 0.08, 0.28, 0.22], 0.03, 0x3fb4e8),
        ],
        marks: &[Mark::Notes],
        reach: (0.6, 1.1),
        ..ALONE
    },
    Practice {
        act: Act::Bow,
        postures: &[Posture {
            pace: 0.4,
            bends: &[
                (Chest, -0.62, 0.25, 0.0),
                (Head, -0.35, 0.1, 0.0),
                (ArmNear, 0.9, 0.1, 0.0),
                (ForearmNear, 1.3, 0.1, 0.0),
                (ArmFar, -0.5, 0.1, 0.0),
            ],
            ..STANDS
        }],
        ..ALONE
    },
    Practice {
        act: Act::Salute,
        postures: &[Posture {
            pace: 0.3,
            near: Touch::Face(-0.03, 0.15),
            bends: &[(Chest, 0.04, 0.0, 0.0), (Head, 0.06, 0.0, 0.0)],
            ..STANDS
        }],
        ..ALONE
    },
    Practice {
        act: Act::Teach,
        high: 0.46,
        postures: &[Posture {
            pace: 0.5,
            near: Touch::Own(0.42, 0.80),
            held: Held::Stick(0.36, 0.02, WOOD, 0.6),
            mouth: Some(true),
            ..STANDS
        }],
        behind: &[
            Piece::Slab([0.32, 0.55, 1.6, 0.95], 0.03, WOOD),
            Piece::Slab([0.37, 0.60, 1.5, 0.85], 0.02, 0x2f5d4a),
            Piece::Bar([0.55, 1.25, 1.1, 1.25], 0.025, 0xe8efe9),
            Piece::Bar([0.55, 1.1, 1.35, 1.1], 0.025, 0xe8efe9),
            Piece::Bar([0.9, 0.8, 1.2, 0.98], 0.02, 0xf2d96b),
            Piece::Bar([1.2, 0.98, 1.5, 0.8], 0.02, 0xf2d96b),
            Piece::Bar([0.9, 0.8, 1.5, 0.8], 0.02, 0xf2d96b),
        ],
        reach: (0.5, 2.0),
        shows: &["blackboard"],
        ..ALONE
    },
    Practice {
        act: Act::Speak,
        high: 0.5,
        postures: &[Posture {
            pace: 0.8,
            bends: &[
                (ArmNear, 1.2, 0.3, 0.0),
                (ForearmNear, 0.8, 0.3, 0.2),
                (ArmFar, 1.5, 0.35, 0.5),
                (ForearmFar, 0.6, 0.2, 0.0),
                (Head, 0.04, 0.05, 0.0),
            ],
            mouth: Some(true),
            ..STANDS
        }],
        before: &[
            Piece::Slab([0.14, -0.02, 0.5, 0.5], 0.03, WOOD),
            Piece::Slab([0.10, 0.46, 0.58, 0.06], 0.02, 0x7a5230),
            Piece::Slab([0.26, 0.16, 0.26, 0.18], 0.02, 0xe2b04a),
            Piece::Bar([0.36, 0.52, 0.28, 0.68], 0.02, DARK),
            Piece::Oval([0.27, 0.70, 0.035, 0.045], DARK),
        ],
        marks: &[Mark::Speech],
        reach: (0.4, 0.8),
        shows: &["microphone", "studio-microphone"],
        ..ALONE
    },
    Practice {
        act: Act::Think,
        postures: &[Posture {
            pace: 0.4,
            bends: &[(Head, 0.10, 0.03, 0.0), (ArmFar, 0.9, 0.0, 0.0), (ForearmFar, 1.4, 0.0, 0.0)],
            near: Touch::Face(0.01, -0.06),
            feeling: Some(Effect::Doubt),
            ..STANDS
        }],
        marks: &[Mark::Thought("")],
        reach: (0.3, 0.9),
        high: 0.5,
        ..ALONE
    },
    Practice {
        act: Act::Dream,
        postures: &[Posture { base: Gesture::Sit, pace: 0.3, ..STANDS }],
        marks: &[Mark::Thought("")],
        reach: (0.4, 1.1),
        high: 0.44,
        ..ALONE
    },
    Practice {
        act: Act::Wake,
        postures: &[Posture {
            base: Gesture::Sit,
            pace: 0.33,
            bends: &[
                (ArmNear, 2.6, 0.15, 0.0),
                (ArmFar, 2.9, 0.15, 0.0),
                (ForearmNear, 0.5, 0.2, 0.0),
                (ForearmFar, 0.4, 0.2, 0.0),
                (Head, 0.14, 0.05, 0.0),
            ],
            mouth: Some(true),
            feeling: Some(Effect::Tiredness),
            plant: Plant::Seat(0.38),
            ..STANDS
        }],
        behind: &[
            Piece::Slab([-0.72, 0.0, 0.10, 0.75], 0.03, WOOD),
            Piece::Slab([-0.65, 0.16, 1.75, 0.16], 0.05, 0xf5f1e8),
            Piece::Slab([-0.65, 0.08, 1.75, 0.10], 0.02, WOOD),
            Piece::Slab([-0.62, 0.30, 0.34, 0.14], 0.06, 0xffffff),
            Piece::Bar([-0.66, 0.0, -0.66, 0.1], 0.07, WOOD),
            Piece::Bar([1.08, 0.0, 1.08, 0.4], 0.08, WOOD),
        ],
        before: &[Piece::Slab([0.08, 0.12, 1.0, 0.30], 0.08, 0x5b8fe0), Piece::Slab([0.06, 0.34, 0.22, 0.10], 0.05, 0xffffff)],
        reach: (0.8, 1.2),
        high: 0.42,
        shows: &["bed"],
        ..ALONE
    },
    Practice {
        act: Act::Watch,
        stand: Stand::Row(0.5),
        high: 0.42,
        postures: &[Posture {
            base: Gesture::Sit,
            pace: 0.4,
            bends: &[
                (Head, 0.04, 0.02, 0.0),
                (ThighNear, 1.5, 0.0, 0.0),
                (ThighFar, 1.5, 0.0, 0.0),
                (ShinNear, -1.4, 0.0, 0.0),
                (ShinFar, -1.45, 0.0, 0.0),
                (ArmNear, 0.45, 0.03, 0.0),
                (ForearmNear, 0.9, 0.0, 0.0),
                (Chest, 0.05, 0.01, 0.0),
            ],
            plant: Plant::Seat(0.27),
            mouth: None,
            ..STANDS
        }],
        behind: &[
            Piece::Slab([-0.95, 0.0, 1.9, 0.62], 0.12, 0xc75a4a),
            Piece::Slab([-1.05, 0.0, 2.1, 0.26], 0.08, 0xb14c3e),
            Piece::Slab([1.55, 0.0, 0.72, 0.30], 0.02, WOOD),
            Piece::Slab([1.62, 0.30, 0.58, 0.46], 0.03, 0x23262e),
            Piece::Slab([1.66, 0.34, 0.50, 0.38], 0.02, 0x7fd0f5),
            Piece::Oval([1.91, 0.50, 0.12, 0.10], 0xf5d35e),
        ],
        before: &[Piece::Slab([-1.12, 0.0, 0.20, 0.42], 0.08, 0xa84438), Piece::Slab([0.92, 0.0, 0.20, 0.42], 0.08, 0xa84438)],
        reach: (1.2, 2.4),
        shows: &["television", "couch-and-lamp"],
        ..ALONE
    },
    Practice {
        act: Act::VideoGame,
        stand: Stand::Row(0.5),
        high: 0.42,
        postures: &[Posture {
            base: Gesture::Sit,
            pace: 1.2,
            bends: &[
                (Head, -0.04, 0.04, 0.0),
                (ThighNear, 1.5, 0.0, 0.0),
                (ThighFar, 1.5, 0.0, 0.0),
                (ShinNear, -1.4, 0.0, 0.0),
                (ShinFar, -1.45, 0.0, 0.0),
                (ArmNear, 0.6, 0.06, 0.0),
                (ForearmNear, 1.15, 0.08, 0.0),
                (ArmFar, 0.7, 0.06, 0.3),
                (ForearmFar, 1.0, 0.08, 0.3),
                (Chest, -0.1, 0.02, 0.0),
            ],
            plant: Plant::Seat(0.27),
            held: Held::Drawing("video-game", 0.16, 0.0),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        behind: &[
            Piece::Slab([-0.95, 0.0, 1.9, 0.62], 0.12, 0x4f74c4),
            Piece::Slab([-1.05, 0.0, 2.1, 0.26], 0.08, 0x4263ad),
            Piece::Slab([1.55, 0.0, 0.72, 0.30], 0.02, WOOD),
            Piece::Slab([1.62, 0.30, 0.58, 0.46], 0.03, 0x23262e),
            Piece::Slab([1.66, 0.34, 0.50, 0.38], 0.02, 0x6a3fd0),
            Piece::Drawing("alien-monster", [1.91, 0.42], 0.2),
        ],
        before: &[Piece::Slab([-1.12, 0.0, 0.20, 0.42], 0.08, 0x3a589c), Piece::Slab([0.92, 0.0, 0.20, 0.42], 0.08, 0x3a589c)],
        reach: (1.2, 2.4),
        shows: &["video-game", "joystick", "couch-and-lamp", "television"],
        ..ALONE
    },
    Practice {
        act: Act::HearMusic,
        postures: &[Posture {
            pace: 1.0,
            bends: &[(Head, 0.02, 0.10, 0.0), (ArmFar, 0.6, 0.3, 0.5), (ForearmFar, 1.1, 0.2, 0.5), (ThighNear, 0.0, 0.0, 0.0)],
            near: Touch::Face(-0.10, 0.06),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        marks: &[Mark::Notes],
        ..ALONE
    },
];
