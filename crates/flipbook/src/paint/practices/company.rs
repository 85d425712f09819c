//! What two or more do with each other.

use super::{ALONE, Bears, Held, Mark, Piece, Plant, Posture, Practice, STANDS, Stand, Touch};
use crate::codes::{Act, Effect};
use crate::figures::{Gesture, Joint::*};

const JOINED: Posture = Posture { far: Touch::Middle(0.36, 0.015), feeling: Some(Effect::Joy), ..STANDS };
const RIDER: Posture =
    Posture { base: Gesture::Ride, bends: &[(ArmNear, 0.9, 0.05, 0.0), (ArmFar, 1.1, 0.05, 0.0)], feeling: Some(Effect::Joy), ..STANDS };

pub(super) const PRACTICES: &[Practice] = &[
    Practice { act: Act::HoldHands, stand: Stand::Facing(0.46), postures: &[JOINED], ..ALONE },
    Practice {
        act: Act::ShakeHands,
        stand: Stand::Facing(0.62),
        postures: &[Posture { far: Touch::Middle(0.46, 0.03), feeling: Some(Effect::Joy), ..STANDS }],
        ..ALONE
    },
    Practice {
        act: Act::HighFive,
        stand: Stand::Facing(0.52),
        postures: &[Posture { far: Touch::Middle(0.86, 0.025), mouth: Some(true), feeling: Some(Effect::Joy), ..STANDS }],
        marks: &[Mark::Clap(0.88)],
        ..ALONE
    },
    Practice {
        act: Act::Kiss,
        stand: Stand::Facing(0.30),
        postures: &[Posture {
            base: Gesture::Hug,
            bends: &[(Chest, -0.06, 0.0, 0.0), (Head, -0.04, 0.02, 0.0)],
            near: Touch::Other(0.02, 0.55),
            far: Touch::Other(0.0, 0.48),
            ..STANDS
        }],
        marks: &[Mark::Hearts],
        ..ALONE
    },
    Practice {
        act: Act::Hug,
        stand: Stand::Facing(0.30),
        postures: &[Posture {
            base: Gesture::Hug,
            bends: &[(Chest, -0.05, 0.01, 0.0), (Head, -0.08, 0.02, 0.0)],
            near: Touch::Other(-0.03, 0.52),
            far: Touch::Other(-0.03, 0.60),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        ..ALONE
    },
    Practice {
        act: Act::Share,
        stand: Stand::Facing(0.56),
        postures: &[Posture { base: Gesture::Eat, pace: 0.5, near: Touch::Middle(0.50, 0.01), feeling: Some(Effect::Joy), ..STANDS }],
        ..ALONE
    },
    Practice {
        act: Act::WatchSky,
        stand: Stand::Row(0.34),
        postures: &[
            Posture { pace: 0.3, bends: &[(Head, 0.26, 0.02, 0.0), (Chest, 0.06, 0.01, 0.0)], far: Touch::Other(0.0, 0.62), ..STANDS },
            Posture {
                pace: 0.3,
                bends: &[(Head, 0.26, 0.02, 0.0), (Chest, 0.06, 0.01, 0.0)],
                near: Touch::Own(0.24, 0.86),
                feeling: Some(Effect::Joy),
                ..STANDS
            },
        ],
        ..ALONE
    },
    Practice {
        act: Act::Comfort,
        stand: Stand::Facing(0.36),
        postures: &[
            Posture {
                bends: &[(Head, -0.12, 0.02, 0.0), (Chest, -0.08, 0.0, 0.0)],
                near: Touch::Other(-0.06, 0.62),
                far: Touch::Other(0.06, 0.55),
                ..STANDS
            },
            Posture { base: Gesture::Cry, feeling: Some(Effect::Sadness), ..STANDS },
        ],
        ..ALONE
    },
    Practice {
        act: Act::Whisper,
        stand: Stand::Queue(0.36),
        postures: &[
            Posture {
                bends: &[(Chest, -0.10, 0.02, 0.0), (Head, -0.05, 0.0, 0.0)],
                near: Touch::Face(0.07, 0.0),
                mouth: Some(true),
                ..STANDS
            },
            Posture { bends: &[(Head, 0.14, 0.02, 0.0)], feeling: Some(Effect::Surprise), ..STANDS },
        ],
        marks: &[Mark::Voice(0x6b7a90)],
        ..ALONE
    },
    Practice {
        act: Act::Tickle,
        stand: Stand::Facing(0.46),
        postures: &[
            Posture {
                pace: 2.2,
                bends: &[(Chest, -0.18, 0.03, 0.0)],
                near: Touch::Other(0.06, 0.42),
                far: Touch::Other(0.08, 0.36),
                feeling: Some(Effect::Joy),
                ..STANDS
            },
            Posture { base: Gesture::Laugh, pace: 1.2, ..STANDS },
        ],
        ..ALONE
    },
    Practice {
        act: Act::Shoulder,
        stand: Stand::Bears(Bears::Shoulders),
        high: 0.52,
        postures: &[Posture { near: Touch::Own(0.04, 0.66), far: Touch::Own(0.15, 0.66), feeling: Some(Effect::Joy), ..STANDS }, RIDER],
        ..ALONE
    },
    Practice {
        act: Act::Cradle,
        stand: Stand::Bears(Bears::Arms),
        postures: &[
            Posture {
                pace: 0.5,
                bends: &[
                    (ArmNear, 0.75, 0.08, 0.0),
                    (ForearmNear, 1.05, 0.0, 0.0),
                    (ArmFar, 0.9, 0.08, 0.0),
                    (ForearmFar, 0.9, 0.0, 0.0),
                    (Head, -0.16, 0.03, 0.0),
                ],
                turn: (0.0, 0.035),
                ..STANDS
            },
            Posture { base: Gesture::Ride, pace: 0.5, bends: &[(ThighNear, 0.9, 0.05, 0.0), (ThighFar, 1.1, 0.05, 0.5)], ..STANDS },
        ],
        ..ALONE
    },
    Practice {
        act: Act::HoldUp,
        stand: Stand::Bears(Bears::Overhead),
        high: 0.44,
        postures: &[
            Posture {
                base: Gesture::Raise,
                bends: &[(ArmNear, 2.5, 0.08, 0.0), (ArmFar, 2.7, 0.08, 0.0), (Head, 0.2, 0.0, 0.0)],
                feeling: Some(Effect::Joy),
                ..STANDS
            },
            Posture {
                bends: &[(ArmNear, 2.1, 0.2, 0.0), (ArmFar, 1.8, 0.2, 0.0), (ThighNear, 0.5, 0.2, 0.0), (ThighFar, 0.8, 0.2, 0.5)],
                feeling: Some(Effect::Joy),
                ..STANDS
            },
        ],
        ..ALONE
    },
    Practice {
        act: Act::Lead,
        stand: Stand::Queue(-1.0),
        postures: &[STANDS, Posture { near: Touch::Own(-0.24, 0.42), ..STANDS }],
        marks: &[Mark::Leash(0xb8322f)],
        ..ALONE
    },
    Practice {
        act: Act::March,
        stand: Stand::Queue(0.52),
        postures: &[Posture {
            pace: 0.9,
            bends: &[
                (ThighNear, 0.42, 0.62, 0.0),
                (ShinNear, -0.5, 0.4, 0.0),
                (ThighFar, 0.42, 0.62, 0.5),
                (ShinFar, -0.5, 0.4, 0.5),
                (ArmNear, 0.1, 0.75, 0.5),
                (ArmFar, 0.1, 0.75, 0.0),
                (FootNear, 0.0, 0.0, 0.0),
            ],
            ..STANDS
        }],
        ..ALONE
    },
    Practice {
        act: Act::Waltz,
        stand: Stand::Turning(0.42),
        postures: &[
            Posture {
                near: Touch::Other(-0.03, 0.52),
                far: Touch::Middle(0.74, 0.02),
                bends: &[(ThighNear, 0.1, 0.25, 0.0), (ShinNear, -0.2, 0.2, 0.0)],
                feeling: Some(Effect::Joy),
                ..STANDS
            },
            Posture {
                near: Touch::Free,
                far: Touch::Other(0.02, 0.66),
                bends: &[(ThighNear, 0.1, 0.25, 0.5), (ShinNear, -0.2, 0.2, 0.5)],
                feeling: Some(Effect::Joy),
                ..STANDS
            },
        ],
        marks: &[Mark::Notes],
        ..ALONE
    },
    Practice {
        act: Act::Tug,
        stand: Stand::Sides(0.75),
        postures: &[Posture {
            pace: 0.6,
            bends: &[
                (ThighNear, -0.1, 0.06, 0.0),
                (ShinNear, -0.25, 0.0, 0.0),
                (ThighFar, 0.75, 0.06, 0.0),
                (ShinFar, -0.4, 0.0, 0.0),
                (Chest, 0.22, 0.06, 0.0),
                (Head, -0.1, 0.0, 0.0),
            ],
            turn: (0.30, 0.05),
            near: Touch::Own(0.22, 0.45),
            far: Touch::Own(0.32, 0.45),
            ..STANDS
        }],
        marks: &[Mark::Rope(0xc79a5b)],
        ..ALONE
    },
    Practice {
        act: Act::Argue,
        stand: Stand::Facing(0.66),
        postures: &[
            Posture { base: Gesture::Point, mouth: Some(true), feeling: Some(Effect::Anger), ..STANDS },
            Posture {
                pace: 1.1,
                bends: &[
                    (ArmNear, 0.9, 0.3, 0.0),
                    (ForearmNear, 1.3, 0.2, 0.0),
                    (ArmFar, 0.8, 0.3, 0.3),
                    (ForearmFar, 1.4, 0.0, 0.0),
                    (Chest, -0.12, 0.03, 0.0),
                ],
                mouth: Some(true),
                feeling: Some(Effect::Anger),
                ..STANDS
            },
        ],
        marks: &[Mark::Voice(0xe0483e)],
        ..ALONE
    },
    Practice {
        act: Act::Propose,
        stand: Stand::Facing(0.62),
        postures: &[
            Posture {
                base: Gesture::Kneel,
                near: Touch::Own(0.34, 0.5),
                far: Touch::Own(0.28, 0.46),
                held: Held::Drawing("ring", 0.16, 0.0),
                feeling: Some(Effect::Joy),
                ..STANDS
            },
            Posture { near: Touch::Face(0.05, -0.03), far: Touch::Face(0.02, -0.05), feeling: Some(Effect::Surprise), ..STANDS },
        ],
        marks: &[Mark::Hearts],
        shows: &["ring"],
        ..ALONE
    },
    Practice {
        act: Act::Interview,
        stand: Stand::Facing(0.50),
        postures: &[
            Posture { near: Touch::Middle(0.62, 0.01), held: Held::Drawing("microphone", 0.22, 0.0), ..STANDS },
            Posture { bends: &[(ArmFar, 0.7, 0.2, 0.0), (ForearmFar, 1.0, 0.2, 0.0)], mouth: Some(true), ..STANDS },
        ],
        marks: &[Mark::Speech],
        shows: &["microphone", "studio-microphone"],
        ..ALONE
    },
    Practice {
        act: Act::Selfie,
        stand: Stand::Row(0.40),
        postures: &[
            Posture { near: Touch::Own(0.30, 0.98), held: Held::Drawing("mobile-phone", 0.17, 0.0), feeling: Some(Effect::Joy), ..STANDS },
            Posture {
                bends: &[(Head, 0.12, 0.02, 0.0), (ArmNear, 2.3, 0.1, 0.0), (ForearmNear, 0.4, 0.1, 0.0)],
                feeling: Some(Effect::Joy),
                ..STANDS
            },
        ],
        marks: &[Mark::Flash],
        ..ALONE
    },
    Practice {
        act: Act::Shelter,
        stand: Stand::Row(0.34),
        postures: &[
            Posture { near: Touch::Own(0.12, 0.56), feeling: Some(Effect::Joy), ..STANDS },
            Posture { feeling: Some(Effect::Joy), ..STANDS },
        ],
        before: &[Piece::Drawing("umbrella", [0.13, 0.50], 0.85)],
        shows: &["umbrella", "umbrella-with-rain-drops", "closed-umbrella"],
        high: 0.5,
        ..ALONE
    },
    Practice {
        act: Act::Toast,
        stand: Stand::Facing(0.52),
        postures: &[Posture {
            near: Touch::Middle(0.66, 0.02),
            held: Held::Drawing("wine-glass", 0.20, 0.02),
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        marks: &[Mark::Clap(0.72)],
        shows: &["clinking-glasses", "clinking-beer-mugs", "wine-glass", "bottle-with-popping-cork", "glasses", "tumbler-glass"],
        ..ALONE
    },
    Practice {
        act: Act::PillowFight,
        stand: Stand::Facing(0.74),
        postures: &[Posture { base: Gesture::Fence, pace: 0.8, held: Held::Pillow, feeling: Some(Effect::Joy), ..STANDS }],
        marks: &[Mark::Feathers],
        ..ALONE
    },
    Practice {
        act: Act::Box,
        stand: Stand::Facing(0.62),
        postures: &[Posture {
            base: Gesture::Fight,
            held: Held::Drawing("boxing-glove", 0.17, 0.0),
            feeling: Some(Effect::Anger),
            ..STANDS
        }],
        shows: &["boxing-glove"],
        ..ALONE
    },
    Practice {
        act: Act::Seesaw,
        stand: Stand::Sides(0.95),
        high: 0.42,
        postures: &[Posture {
            base: Gesture::Ride,
            plant: Plant::Seat(0.36),
            bends: &[(ArmNear, 0.5, 0.0, 0.0), (ArmFar, 0.6, 0.0, 0.0)],
            feeling: Some(Effect::Joy),
            ..STANDS
        }],
        before: &[Piece::Plank(1.15, 0xe8553f)],
        reach: (1.2, 1.2),
        ..ALONE
    },
];
