//! What a face shows of a feeling: brows and cheeks, a mouth, and eyes where they differ. A new feeling is a line of the table.

use crate::codes::Effect;
use crate::figures::rig::Rig;
use crate::figures::skeleton::Shows;

/// In the notation of [`crate::figures::pen`], about the middle of the head.
struct Face {
    feeling: Effect,
    brows: &'static str,
    mouth: &'static str,
    /// Empty: the usual ones.
    eyes: &'static str,
}

const CALM: &str = "l h .5 M-3 -1.25Q-2.4 -1.7 -1.75 -1.45;l h .5 M.25 -1.5Q.95 -1.8 1.6 -1.3";
const WIDE: &str = "o -2.35 0 1.05 1.3 W;o .9 0 1.1 1.35 W;o -2.5 .15 .5 .65 K;o .75 .15 .52 .68 K";
const GRIN: &str = "p R M-2.5 2.1Q-.9 2.5 .9 2.1Q.7 4.1 -.9 4.1Q-2.4 4.0 -2.5 2.1z;p W M-2.4 2.2Q-.9 2.6 .8 2.2L.7 2.8Q-.9 3.1 -2.3 2.8z";

const FACES: [Face; 9] = [
    Face {
        feeling: Effect::Anger,
        brows: "o -3 1.7 1 .7 #e8584f66;o 1.4 1.8 1.1 .75 #e8584f66;l h .8 M-3.5 -1.9L-1.4 -.75;l h .8 M2.1 -1.95L-.1 -.75",
        mouth: "p R M-2.4 3.7Q-1 1.9 .8 3.7Q-.9 4.2 -2.4 3.7z;p W M-2.0 3.45Q-1 2.5 .4 3.4L.2 3.7H-1.9z",
        eyes: "",
    },
    Face { feeling: Effect::Joy, brows: "l h .5 M-3.1 -1.5Q-2.4 -2.1 -1.6 -1.7;l h .5 M.1 -1.75Q.9 -2.2 1.8 -1.6", mouth: GRIN, eyes: "" },
    Face {
        feeling: Effect::Sadness,
        brows: "l h .6 M-3.4 -.9L-1.7 -1.75;l h .6 M2 -.9L.2 -1.75;p #6fc3f7 M-3.1 1.2Q-2.5 2.3 -3.1 2.6Q-3.8 2.3 -3.1 1.2z",
        mouth: "l M .6 M-2.1 3.6Q-.9 2.3 .5 3.6",
        eyes: "",
    },
    Face {
        feeling: Effect::Fear,
        brows: "l h .55 M-3.5 -1.5L-1.8 -2.2;l h .55 M2.1 -1.5L.4 -2.2",
        mouth: "l M .55 M-2.3 3.2L-1.7 2.7L-1.1 3.3L-.5 2.7L.1 3.3L.7 2.8",
        eyes: WIDE,
    },
    Face {
        feeling: Effect::Surprise,
        brows: "l h .55 M-3.3 -1.9Q-2.5 -2.7 -1.7 -2.2;l h .55 M.1 -2.2Q1 -2.8 1.9 -2",
        mouth: "o -.8 3.2 .85 1.05 R",
        eyes: WIDE,
    },
    Face {
        feeling: Effect::Shyness,
        brows: "l h .5 M-3.2 -1.1Q-2.4 -1.75 -1.7 -1.5;l h .5 M.2 -1.5Q1 -1.75 1.8 -1.1;o -3 1.7 1.15 .8 #f0566c88;o 1.4 1.8 1.25 .85 #f0566c88",
        mouth: "l M .5 M-1.5 2.9Q-.9 3.2 -.2 2.85",
        eyes: "",
    },
    Face {
        feeling: Effect::Dizziness,
        brows: CALM,
        mouth: "l M .55 M-2.2 3.1Q-1.5 2.4 -.9 3.1Q-.3 3.7 .4 3",
        eyes: "l K .4 M-3.1 .2A.8 .8 0 1 1 -1.6 .3A.6 .6 0 1 1 -2.7 .1A.3 .3 0 1 1 -2.2 .2;l K .4 M.1 .2A.8 .8 0 1 1 1.6 .3A.6 .6 0 1 1 .5 .1A.3 .3 0 1 1 1 .2",
    },
    Face {
        feeling: Effect::Tiredness,
        brows: "l h .5 M-3.2 -.9Q-2.4 -1.1 -1.7 -1.3;l h .5 M.2 -1.3Q1 -1.1 1.8 -.9",
        mouth: "l M .5 M-1.9 3.1Q-.9 2.8 .1 3.1",
        eyes: "o -2.3 .35 .58 .6 K;o .85 .35 .62 .62 K;p S M-3.2 .3H-1.4V-.9H-3.2z;p S M-.1 .3H1.8V-.9H-.1z;l K .4 M-3.1 .25H-1.5;l K .4 M.1 .25H1.7",
    },
    Face {
        feeling: Effect::Doubt,
        brows: "l h .55 M-3.2 -1.1L-1.7 -1.2;l h .55 M.1 -1.9Q1 -2.5 1.8 -1.7",
        mouth: "l M .5 M-1.9 3L.1 2.7",
        eyes: "",
    },
];

/// Adds all of them to a head; `at` puts a script where the head is.
pub(super) fn feelings(rig: &mut Rig, head: usize, at: impl Fn(&str) -> String) {
    for face in &FACES {
        let own = |script: &str| if script.is_empty() { String::new() } else { at(script) };
        rig.face(head, 12, Shows::FeelingEyes(face.feeling), own(face.eyes));
        rig.face(head, 12, Shows::Feeling(face.feeling), own(face.brows));
        rig.face(head, 12, Shows::FeelingMouth(face.feeling), own(face.mouth));
    }
}
