//! A person's head: face, hair, and what is worn on it.

use super::Person;
use super::feelings::feelings;
use crate::figures::pen::{draw, placed};
use crate::figures::rig::Rig;
use crate::figures::skeleton::{Joint, Shows};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hair {
    None,
    Bald,
    Short,
    Messy,
    Side,
    Long,
    Wavy,
    Bob,
    Bun,
    Pigtails,
    Ponytail,
    Curly,
    Curl,
}

impl Person {
    pub(super) fn head(&self, rig: &mut Rig, chest: usize) -> usize {
        let k = self.head;
        let middle = [16.0, 12.2 - 4.6 * k];
        let at = |script: &str| placed(&draw(script), middle, [k, k]);
        let pivot = [16.1, 11.9 - 0.3 * k];
        let (back, front) = hair(self.hair);
        let behind = format!("{}{}", if back.is_empty() { String::new() } else { at(back) }, at(self.behind));
        let face = "o 2.9 .9 1.15 1.35 S;o 3 .9 .6 .8 s
            p S M-4.35 -.2C-4.35 -3.2 -2.4 -4.6 .1 -4.6C2.8 -4.6 4.5 -2.6 4.5 -.1C4.5 2.9 2.7 4.7 -.2 4.7C-3 4.7 -4.35 2.8 -4.35 -.2z
            o -3 1.75 .85 .55 C;o 1.35 1.85 .95 .6 C
            l s .55 M-1.35 .55C-1.9 1 -1.9 1.45 -1.2 1.5";
        let brows = "l h .5 M-3 -1.25Q-2.4 -1.7 -1.75 -1.45;l h .5 M.25 -1.5Q.95 -1.8 1.6 -1.3";
        let svg = at(face) + &at(self.beard) + &at(front) + &at(self.hat);
        let head = rig.add_svg(Joint::Head, Some(chest), pivot, 10, svg);
        if self.hair != Hair::None {
            rig.face(head, 11, Shows::Calm, at(brows));
        }
        if self.mouth {
            feelings(rig, head, at);
        }
        let depth = match self.hair {
            Hair::Pigtails | Hair::Ponytail => 8.0,
            Hair::Long | Hair::Wavy => 6.4,
            Hair::Bun => 5.8,
            _ => 5.2,
        };
        rig.touches(head, &[[16.0 + depth * k, middle[1]], [16.0 - 4.4 * k, middle[1]]]);
        if !back.is_empty() || !self.behind.is_empty() {
            // A disc behind the skull, about which it swings.
            rig.add_svg(Joint::Hair, Some(head), [16.0 + 0.2 * k, middle[1] - k], -26, at("o .2 -1 2.5 2.5 H") + &behind);
        }
        let lashes = if self.lashes { "l K .35 M-2.95 -.35L-3.35 -.75;l K .35 M1.5 -.4L1.95 -.8" } else { "" };
        let eyes = "o -2.3 .15 .58 .85 K;o .85 .15 .62 .88 K;o -2.5 -.15 .2 .28 W;o .65 -.15 .22 .3 W";
        rig.face(head, 12, Shows::EyesOpen, at(eyes) + &at(lashes));
        rig.face(head, 12, Shows::EyesShut, at("l K .5 M-2.95 .2Q-2.35 .85 -1.75 .25;l K .5 M.2 .25Q.85 .9 1.5 .2"));
        if self.mouth {
            rig.face(head, 12, Shows::MouthShut, at("l M .5 M-1.95 2.65Q-.95 3.45 .25 2.65"));
            rig.face(
                head,
                12,
                Shows::MouthOpen,
                at("p R M-2.1 2.4H.5C.5 3.6 -.1 4.2 -.8 4.2C-1.5 4.2 -2.1 3.6 -2.1 2.4z;o -.8 3.75 .75 .4 P"),
            );
        }
        rig.face(head, 14, Shows::Always, if self.mask.is_empty() { String::new() } else { at(self.mask) });
        head
    }
}

/// What hangs behind the shoulders, and what lies on the skull.
fn hair(style: Hair) -> (&'static str, &'static str) {
    const CAP: &str = "p H M-4.1 -1.2C-4.9 -4.2 -2.4 -5.9 .4 -5.7C3.8 -5.6 5.5 -3.2 5 .4C4.9 1.2 4.5 1.8 4.1 2C4 1.1 3.8 .2 3.2 -.6C2.2 -.9 1.6 -1.7 1.3 -2.6C-.4 -1.6 -2.4 -1.5 -4.1 -1.2z";
    match style {
        Hair::None => ("", ""),
        Hair::Bald => ("", "p H M4.5 -1.6C5.3 -.6 5.2 1.4 4.2 2.6C3.8 3 3.2 2.8 3.1 2.3C3.6 2 4 1.2 3.8 .4C3.5 -.3 3.6 -1.2 4.5 -1.6z"),
        Hair::Short => ("", CAP),
        Hair::Messy => (
            "",
            "p H M-4.2 -.9C-5.1 -2.2 -4.9 -3.4 -4.2 -4C-4.3 -4.6 -3.9 -5.2 -3.2 -5.3C-2.9 -6.1 -1.8 -6.5 -.9 -6C-.2 -6.9 1.4 -6.8 2.1 -5.8C3.2 -6 4.3 -5.2 4.4 -4.1C5.4 -3.4 5.6 -2 5.1 -.9C5.2 .2 4.8 1.4 4.1 2C4 1 3.7 .2 3.1 -.5C2.4 -.8 1.9 -1.5 1.6 -2.3C1 -1.7 .2 -1.5 -.5 -1.6C-.7 -2 -.8 -2.3 -.8 -2.6C-1.6 -1.7 -3 -1 -4.2 -.9z",
        ),
        Hair::Side => (
            "",
            "p H M-4.3 -1.6C-4.9 -4.8 -1.9 -6.3 1 -5.9C4 -5.6 5.6 -3 5 .4C4.9 1.1 4.5 1.7 4.1 2C4 1.1 3.8 .3 3.2 -.6C2.6 -1.4 2.6 -2.2 2.7 -2.9C.6 -3.4 -2.6 -3.2 -4.3 -1.6z;l h .45 M2.4 -3.4C.6 -4.2 -1.6 -4.2 -3.4 -3.2",
        ),
        Hair::Long => (
            "p H M-3.2 -3.6C-2 -6 4.8 -6 5.2 -.6C5.6 3 6.2 6 5.9 9.2C4.4 10.2 1.2 10.3 -.6 9.6C-2.6 6 -3.6 .4 -3.2 -3.6z;p h M3 -3C5 2 5 6.4 4.4 9.8C5 9.6 5.5 9.4 5.9 9.2C6.2 6 5.6 3 5.2 -.6C4.8 -2.2 4 -3 3 -3z",
            "p H M-4.3 -.6C-5 -4.2 -2.6 -6 .4 -5.8C4 -5.7 5.7 -3 5.2 .6C5.2 2.6 5.4 4.6 5.6 5.8C4.6 6 3.9 5.4 3.7 4.2C3.8 2.6 3.6 .6 3 -.6C2 -1.1 1.2 -2.2 .9 -3.2C-.4 -1.8 -2.4 -1 -4.3 -.6z",
        ),
        Hair::Wavy => (
            "p H M-3.4 -3.6C-2 -6 5 -6 5.4 -.6C6.6 .6 5.8 2.4 6.6 3.6C7.6 5.2 6.2 6.2 6.9 7.8C7.4 9.6 5.6 10.6 4 10.2C2 11 -.4 10.4 -1 9C-2.8 6 -3.8 .4 -3.4 -3.6z",
            "p H M-4.3 -.6C-5 -4.2 -2.6 -6 .4 -5.8C4 -5.7 5.8 -3 5.3 .6C5.8 2 5.2 3 5.8 4.2C6.2 5.6 5 6.4 4.2 5.8C3.4 5 4 3.4 3.6 2C3.8 1 3.5 .2 3 -.6C1.8 -1.2 .8 -2.4 .4 -3.4C-.8 -2 -2.6 -1.2 -4.3 -.6z",
        ),
        Hair::Bob => (
            "p H M-3.4 -3.6C-2 -6 5 -6 5.4 -.6C5.9 2 5.8 4 5 5C3 5.8 -1.4 5.6 -3 4.6C-3.6 2 -3.8 -1 -3.4 -3.6z",
            "p H M-4.4 .4C-5.2 -3.8 -2.8 -6 .4 -5.9C4 -5.8 5.8 -3 5.3 .6C5.4 2.4 5.2 4 4.6 4.9C3.6 5.2 3 4.4 3.4 3C3.6 1.6 3.6 0 3 -1C.6 -1 -1.4 -1.6 -2.4 -2.8C-3 -1.6 -4 -1 -4.4 .4z",
        ),
        Hair::Bun => (
            "",
            "o 3.9 -5.2 2.2 2.1 H;o 4.1 -5.3 1.3 1.2 h;p H M-4.2 -1.1C-5 -4.2 -2.6 -5.9 .4 -5.7C3.9 -5.6 5.5 -3.2 5 .4C4.9 1.1 4.5 1.6 4.1 1.8C4 1 3.8 .2 3.2 -.6C1.4 -1.2 -.2 -2.2 -.8 -3.4C-1.6 -2.2 -3 -1.4 -4.2 -1.1z",
        ),
        Hair::Pigtails => (
            "p H M4 -2.6C6.4 -4.4 8.8 -2.6 8.4 .4C8.3 2.4 7.4 4 6 4.6C5.6 2.8 5.4 .4 4 -2.6z;p H M-3.6 -2.6C-5.8 -4 -7.6 -2.4 -7.2 0C-7 1.8 -6.4 3.2 -5.2 3.8C-4.6 2 -4.4 .2 -3.6 -2.6z;o 4.6 -2.6 .8 .9 A;o -4.4 -2.7 .7 .8 A",
            "p H M-4.4 -.4C-5.2 -4 -2.8 -6 .4 -5.8C4 -5.7 5.6 -3.2 5 .6C4.9 1.2 4.5 1.7 4.1 1.9C4 1 3.8 .2 3.2 -.6C2 -.9 .9 -1.2 .1 -1.9C-1.2 -1.1 -3 -.9 -4.4 -.4z;o 4.7 -2.5 .75 .85 A",
        ),
        Hair::Ponytail => (
            "p H M3.4 -4.4C6.8 -6 9.2 -3.6 8.7 0C8.4 2.8 7.8 5.2 6.4 6.4C6.2 4 5.6 .6 3.4 -2.2z;p h M6.8 -4C8.4 -2.4 7.6 2 6.8 6C8 4.8 8.4 2.4 8.7 0C8.9 -2 8.2 -3.4 6.8 -4z",
            "p H M-4.2 -1.1C-5 -4.2 -2.6 -5.9 .4 -5.7C3.9 -5.6 5.5 -3.2 5 .4C4.9 1.1 4.5 1.6 4.1 1.8C4 1 3.8 .2 3.2 -.6C1.4 -1.2 -.2 -2.2 -.8 -3.4C-1.6 -2.2 -3 -1.4 -4.2 -1.1z;o 4.6 -3.6 .7 .9 A",
        ),
        Hair::Curly => (
            "o 4.4 -.8 2 2.2 H;o 4.8 1.6 1.7 1.7 H;o -3.6 -2.6 1.8 1.8 H",
            "o -3.2 -3.4 1.9 1.7 H;o -1.2 -4.9 2 1.8 H;o 1.4 -5.1 2.1 1.9 H;o 3.6 -3.7 2 2 H;o 4.7 -1.4 1.7 1.8 H;o 4.4 .8 1.3 1.5 H;o -1.4 -3.3 1.6 1.3 H;o 1.2 -3.4 1.7 1.4 H;o 3.2 -1.9 1.3 1.2 H;l h .4 M-1.6 -5Q-.6 -5.6 .2 -4.8;l h .4 M2.2 -4.6Q3.2 -4.8 3.6 -3.8",
        ),
        Hair::Curl => ("", "p H M-.6 -4.2C-1.6 -5.8 .6 -7.2 1.6 -5.8C2 -5 1 -4.2 .5 -4.8C1.2 -4.2 .6 -3.4 -.6 -4.2z"),
    }
}
