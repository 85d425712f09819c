//! What a person wears or stands on that is a part of its own: skirts and gowns, a fish's tail, boards.

use super::{Board, Lower, Person};
use crate::figures::pen::{draw, placed};
use crate::figures::rig::Rig;
use crate::figures::skeleton::Joint;

impl Person {
    pub(super) fn wide(&self, svg: &str) -> String {
        placed(svg, [16.0 * (1.0 - self.girth), 0.0], [self.girth, 1.0])
    }

    pub(super) fn board(&self, rig: &mut Rig, foot: usize, [x, y]: [f32; 2]) {
        let (script, half, low) = match self.board {
            Board::None => return,
            Board::Skate => (
                "p A M-8 -1.1C-7.4 -.2 -6.6 .2 -5.6 .2H5.6C6.6 .2 7.4 -.2 8 -1.1L8.5 -.6C7.8 .7 6.8 1.2 5.6 1.2H-5.6C-6.8 1.2 -7.8 .7 -8.5 -.6z
                r -5.4 1 1.6 .7 .2 #8b8fa3;r 3.8 1 1.6 .7 .2 #8b8fa3;o -4.6 2.2 1.1 1.1 K;o 4.6 2.2 1.1 1.1 K;o -4.6 2.2 .45 .45 w;o 4.6 2.2 .45 .45 w",
                4.6,
                3.3,
            ),
            Board::Surf => (
                "p A M-13 -1.2C-10 -.2 -5 0 0 0H9C11.5 0 12.5 .3 12.6 .8C12 1.6 8 1.9 0 1.8C-7 1.8 -11.5 .8 -13 -1.2z
                p W M-7 .1C-5 .1 -4 .1 -3 .1L-2.4 1.7C-3.8 1.7 -5 1.6 -6 1.4z;p a M8.4 1.6L11 1.2L11.2 3.1C10 2.9 9 2.3 8.4 1.6z",
                8.0,
                3.1,
            ),
        };
        let svg = placed(&draw(script), [x, y - 0.3], [1.0, 1.0]);
        let ankle = rig.parts.get(foot).map_or([x, y], |part| part.pivot);
        // Under the foot's middle, where both meet.
        let board = rig.add_svg(Joint::Board, Some(foot), [ankle[0] - 0.4, y - 0.05], -16, svg);
        rig.touches(board, &[[x - half, y - 0.3 + low], [x + half, y - 0.3 + low]]);
    }

    pub(super) fn skirt(&self, rig: &mut Rig, hips: usize) {
        let low = 20.8 + (4.7 + 4.1) * self.legs;
        let knee = 20.8 + 4.6 * self.legs;
        let script = match self.lower {
            Lower::Trousers | Lower::Shorts | Lower::Fin => return,
            Lower::Skirt => format!(
                "p B M12.9 19.2H19.5C20 21.6 20.9 {a} 21.5 {knee}C19 {b} 13.4 {b} 10.8 {knee}C11.6 {a} 12.4 21.6 12.9 19.2z;p b M17.4 19.2H19.5C20 21.6 20.9 {a} 21.5 {knee}C20.6 {c} 19.4 {d} 18 {d}C18.4 23.4 18.2 21.4 17.4 19.2z",
                a = knee - 1.8, b = knee + 1.3, c = knee + 0.45, d = knee + 0.85
            ),
            Lower::Gown => format!(
                "p B M12.9 19H19.5C20.6 22.4 23 26.6 24 {low}C20 {b} 12.2 {b} 8.3 {low}C9.4 26.6 11.8 22.4 12.9 19z;p b M17.3 19H19.5C20.6 22.4 23 26.6 24 {low}C22.6 {c} 21 {d} 19.2 {d}C19.6 26 18.6 21.6 17.3 19z",
                b = low + 1.5, c = low + 0.5, d = low + 0.9
            ),
            Lower::Robe => format!(
                "p T M12.8 18.6H19.6C20 22 20.9 26 21.6 {low}C19 {b} 13 {b} 10.7 {low}C11.4 26 12.3 22 12.8 18.6z;p t M17.4 18.6H19.6C20 22 20.9 26 21.6 {low}C20.6 {c} 19.4 {d} 18.2 {d}C18.6 26 18.2 21.6 17.4 18.6z",
                b = low + 1.2, c = low + 0.4, d = low + 0.7
            ),
            Lower::Coat => format!(
                "p T M12.7 19.2H19.7C19.9 21 20.4 23 20.8 {knee}H17C16.4 23.4 15.8 22 15.4 21.6C14.8 22.4 14.3 23.4 13.8 {knee}H11.5C12 23 12.5 21 12.7 19.2z;p t M17.6 19.2H19.7C19.9 21 20.4 23 20.8 {knee}H18.6C18.6 22.6 18.2 21 17.6 19.2z"
            ),
            Lower::Tutu => "p A M16 19C20 19 24.2 21.6 24.6 23C22.8 23.5 21.9 23.3 20.6 23.9C19 24.2 17.6 23.8 16 24.4C14.2 23.8 12.8 24.2 11.3 23.9C10 23.3 9 23.5 7.3 23C7.8 21.6 11.8 19 16 19z
                p T M16 18.8C19.6 18.9 22.8 20.6 23.2 21.8C21.6 22.4 20.2 22 18.8 22.5C17.4 22.8 16.6 22.3 15.6 22.6C14.2 22.9 12.8 22.3 11.6 22.5C10.4 22 9.6 22.2 8.7 21.8C9.2 20.6 12.4 18.9 16 18.8z".to_owned(),
        };
        let svg = self.wide(&(draw(&script) + &draw(self.hem)));
        // A tutu stands off and stays level.
        let joint = if self.lower == Lower::Tutu { Joint::Fixed } else { Joint::Skirt };
        rig.add_svg(joint, Some(hips), [16.0, 20.0], -2, svg);
    }

    /// A fish's tail in two joints, in place of legs.
    pub(super) fn fin(&self, rig: &mut Rig, hips: usize) {
        let upper = "p B M12.8 19.4H19.5C20.3 22 19.6 25.4 18.2 27.2C17.2 28 15.4 28 14.6 27C12.8 25 12.2 22 12.8 19.4z
            p b M17.4 19.4H19.5C20.3 22 19.6 25.4 18.2 27.2C17.9 27.5 17.5 27.7 17 27.8C18.4 25 18.4 22 17.4 19.4z
            l b .5 M13.8 22Q14.7 23 15.6 22;l b .5 M15.8 22Q16.7 23 17.6 22;l b .5 M14.8 24Q15.7 25 16.6 24";
        let thigh = rig.add(Joint::ThighNear, Some(hips), [16.1, 20.8], -2, upper);
        let lower = "p B M14.4 26C14.6 25 18.2 25 18.4 26C18.6 28 18 29.6 17.4 30.6C19 31.2 21 32.6 21.6 34.6C19.6 35 17.8 34.4 16.7 33.4C15.6 34.6 13.4 35.2 11.2 34.6C12 32.6 13.8 31.2 15.6 30.6C14.8 29.4 14.3 28 14.4 26z
            p b M16.7 33.4C16.6 32.2 16.8 31.4 17.4 30.6C19 31.2 21 32.6 21.6 34.6C19.6 35 17.8 34.4 16.7 33.4z";
        let shin = rig.add(Joint::ShinNear, Some(thigh), [16.3, 26.6], -6, lower);
        rig.touches(shin, &[[11.6, 34.7], [21.2, 34.7]]);
        rig.touches(thigh, &[[13.0, 24.0], [19.4, 24.0]]);
        // The far leg's joint steers the fin, too: nothing is drawn for it.
    }
}
