//! A person's trunk and limbs, in the sleeves and trousers that turn with them.

use super::{Lower, Person, Sleeve};
use crate::figures::pen::{draw, placed, shade};
use crate::figures::rig::Rig;
use crate::figures::skeleton::{Joint, Shows};

impl Person {
    pub(super) fn hips(&self, rig: &mut Rig) -> usize {
        let colour = if matches!(self.lower, Lower::Gown | Lower::Robe | Lower::Tutu) { 'T' } else { 'B' };
        let svg = self.wide(&draw(&format!("r 12.8 18.9 6.7 3.5 1.7 {colour}")));
        let hips = rig.add_svg(Joint::Root, None, [16.0, 20.6], -3, svg);
        rig.touches(hips, &[[16.0 - 2.0 * self.girth, 22.4], [16.0 + 2.0 * self.girth, 22.4]]);
        hips
    }

    pub(super) fn chest(&self, rig: &mut Rig, hips: usize) -> usize {
        let neck = "l s 2.7 M16.1 10V13";
        let trunk = "p T M12.9 14.5C12.9 12.8 14 12 15.3 12H17C18.4 12 19.5 12.9 19.6 14.5L19.7 20.2C19.7 21.4 19 22 17.9 22H14.4C13.3 22 12.7 21.4 12.7 20.2z
            p t M17.3 12C18.6 12.1 19.5 12.9 19.6 14.5L19.7 20.2C19.7 21.4 19 22 17.9 22H16.9C18.1 19 18.2 15 17.3 12z";
        let svg = format!("{}{}", draw(neck), self.wide(&(draw(trunk) + &draw(self.chest))));
        let chest = rig.add_svg(Joint::Chest, Some(hips), [16.0, 20.2], 0, svg);
        rig.touches(chest, &[[16.0 + 3.6 * self.girth, 14.0], [16.0 - 3.1 * self.girth, 14.0]]);
        if !self.pack.is_empty() {
            rig.face(chest, -28, Shows::Always, draw(self.pack));
            rig.touches(chest, &[[24.0, 16.0]]);
        }
        if let Some(colour) = self.cape {
            rig.palette.set('Z', colour);
            rig.palette.set('z', shade(colour, 0.8));
            let script = "p Z M15 12.6C18 11.6 20 12.6 20.6 14.6C21.6 19 23 24 23.6 28.2C21.4 29.6 18 29.9 14.6 29C13.4 24 13.4 17 15 12.6z
                p z M18.2 13C19.8 18 20.8 24 20.6 29.3C21.6 29.2 22.8 28.8 23.6 28.2C23 24 21.6 19 20.6 14.6C20.2 13.4 19.4 12.9 18.2 13z";
            rig.add(Joint::Cape, Some(chest), [17.4, 13.8], -30, script);
        }
        chest
    }

    pub(super) fn arms(&self, rig: &mut Rig, chest: usize) {
        let reach = 2.9 * self.girth;
        for (near, x, depth) in [(true, 16.2 + reach, 20), (false, 16.2 - reach * 1.04, -20)] {
            let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
            let cloth = if near { 'T' } else { 't' };
            let skin = if near { 'S' } else { 's' };
            let upper = match self.sleeve {
                Sleeve::Long => format!("l {cloth} 2.8 M0 0V3.7"),
                Sleeve::Short => format!("l {skin} 2.3 M0 0V3.7;l {cloth} 2.9 M0 0V1.7"),
                Sleeve::None => format!("l {skin} 2.3 M0 0V3.7"),
            };
            let hand = if near { 'G' } else { 'g' };
            let lower = match self.sleeve {
                Sleeve::Long => {
                    format!("o 0 4.3 1.3 1.45 {hand};o -1 3.9 .55 .75 {hand};l {cloth} 2.6 M0 0V2.3;r -1.35 2.2 2.7 1.2 .5 {cloth}")
                }
                _ => format!("l {skin} 2.1 M0 0V3;o 0 4.1 1.3 1.45 {hand};o -1 3.7 .55 .75 {hand}"),
            };
            let far = |script: &str| if near { script.to_owned() } else { script.replace(" A", " a").replace(" W", " w") };
            let shoulder = [x, 14.0];
            let elbow = [x, 17.6];
            let upper =
                rig.add_svg(arm, Some(chest), shoulder, depth, placed(&(draw(&upper) + &draw(&far(self.arm))), shoulder, [1.0, 1.0]));
            let lower =
                rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&(draw(&lower) + &draw(&far(self.cuff))), elbow, [1.0, 1.0]));
            if near {
                rig.anchors.hand = Rig::anchor(lower, [x - 0.3, 21.9]);
            }
        }
    }

    pub(super) fn legs(&self, rig: &mut Rig, hips: usize) {
        let (up, down) = (4.7 * self.legs, 4.1 * self.legs);
        for (near, x, depth) in [(false, 16.0 - 1.65 * self.girth, -10), (true, 16.0 + 1.6 * self.girth, -5)] {
            let (thigh, shin, foot) =
                if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
            let cloth = match (self.lower, near) {
                (Lower::Robe | Lower::Gown, true) => 'T',
                (Lower::Robe | Lower::Gown, false) => 't',
                (_, true) => 'B',
                (_, false) => 'b',
            };
            let skin = if near { 'S' } else { 's' };
            let bare = matches!(self.lower, Lower::Shorts | Lower::Skirt | Lower::Gown);
            let (wide, slim) = (3.3, 2.8);
            let above = match self.lower {
                Lower::Shorts => format!("l {skin} 2.7 M0 0V{up};l {cloth} {wide} M0 0V{}", up * 0.72),
                Lower::Skirt | Lower::Gown => format!("l {skin} 2.7 M0 0V{up};o 0 0 1.5 1.2 {cloth}"),
                _ => format!("l {cloth} {wide} M0 0V{up}"),
            };
            let below = if bare { format!("l {skin} 2.4 M0 0V{}", down - 1.0) } else { format!("l {cloth} {slim} M0 0V{}", down - 1.3) };
            let hip = [x, 20.8];
            let knee = [x, 20.8 + up];
            let ankle = [x, 20.8 + up + down];
            let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw(&above), hip, [1.0, 1.0]));
            let overlay = placed(&draw(self.shin), [0.0, 0.0], [1.0, self.legs]);
            let lower = rig.add_svg(shin, Some(upper), knee, depth - 1, placed(&(draw(&below) + &overlay), knee, [1.0, 1.0]));
            let shoe = "p F M1.35 -.9C1.75 .3 1.8 1.2 1.7 1.75H-2.9C-3.7 1.75 -3.6 .5 -2.5 .15C-1.7 -.1 -1.5 -.4 -1.4 -.9z;p f M-3.45 1.25H1.75C1.8 1.5 1.75 1.6 1.7 1.75H-2.9C-3.3 1.75 -3.5 1.5 -3.45 1.25z";
            let step = rig.add_svg(foot, Some(lower), ankle, depth - 2, placed(&draw(shoe), ankle, [1.0, 1.0]));
            rig.touches(step, &[[x - 3.0, ankle[1] + 1.75], [x + 1.6, ankle[1] + 1.75]]);
            rig.touches(lower, &[[x + 1.2, knee[1] + 0.5], [x + 1.2, ankle[1]]]);
            if near {
                self.board(rig, step, [16.0, ankle[1] + 1.75]);
            }
        }
    }
}
