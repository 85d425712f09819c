//! People: one skeleton with proportions, hair, outfit and what is worn. The cast itself is in [`super::people`].
//!
//! Design units: an adult is some 29 high, hips at (16, 20.6), the neck's foot at (16, 12). Heads are drawn about their
//! own middle, 4.6 in radius, looking left by three quarters.

use super::pen::{Palette, blend, draw, placed, shade};
use super::rig::Rig;
use super::skeleton::{Build, Figure, Joint, Manner, Shows};
use crate::codes::Kind;

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

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sleeve {
    Long,
    Short,
    None,
}

/// What is below the belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lower {
    Trousers,
    Shorts,
    /// Skirt to the knee, bare legs.
    Skirt,
    /// To the ground, wide.
    Gown,
    /// To the ankles, straight.
    Robe,
    Tutu,
    /// A coat's tails over trousers.
    Coat,
    /// A fish's tail.
    Fin,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Board {
    None,
    Skate,
    Surf,
}

/// A person as data. Scripts are in the notation of [`super::pen`]; their letters: `S s` skin, `H h` hair, `T t` top,
/// `B b` below the belt, `F f` shoes, `A a` accent, `G` hands or gloves, `C` cheeks, `K` ink, `W` white.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    pub name: &'static str,
    pub metres: f32,
    /// Of the head, 1 for adults.
    pub head: f32,
    /// Width of the trunk, 1 for adults.
    pub girth: f32,
    /// Length of the legs, 1 for adults.
    pub legs: f32,
    /// 0 light to 4 dark.
    pub skin: usize,
    pub hair: Hair,
    pub hair_colour: u32,
    pub lashes: bool,
    pub top: u32,
    pub sleeve: Sleeve,
    pub lower: Lower,
    pub bottom: u32,
    pub shoe: u32,
    pub accent: u32,
    pub glove: Option<u32>,
    /// Over the trunk.
    pub chest: &'static str,
    /// On the head, over the hair.
    pub hat: &'static str,
    /// Behind the head, swinging with it: veils, ribbons.
    pub behind: &'static str,
    /// Behind the trunk, in design units.
    pub pack: &'static str,
    /// Over eyes and mouth.
    pub mask: &'static str,
    /// Beards: over the face, under eyes and mouth.
    pub beard: &'static str,
    pub cape: Option<u32>,
    /// Over the upper arm, about the shoulder at (0, 0), the elbow at (0, 3.7).
    pub arm: &'static str,
    /// Over the forearm, about the elbow at (0, 0), the hand at (0, 3.7).
    pub cuff: &'static str,
    /// Over the lower leg, about the knee at (0, 0), the ankle at (0, 4).
    pub shin: &'static str,
    /// Over the skirt, in design units.
    pub hem: &'static str,
    pub board: Board,
    pub mouth: bool,
}

pub const ADULT: Person = Person {
    name: "",
    metres: 1.7,
    head: 1.0,
    girth: 1.0,
    legs: 1.0,
    skin: 0,
    hair: Hair::Short,
    hair_colour: 0x4a2f23,
    lashes: false,
    top: 0x3b82f6,
    sleeve: Sleeve::Long,
    lower: Lower::Trousers,
    bottom: 0x334155,
    shoe: 0x3f3a44,
    accent: 0xffc83d,
    glove: None,
    chest: "",
    hat: "",
    behind: "",
    pack: "",
    mask: "",
    beard: "",
    cape: None,
    arm: "",
    cuff: "",
    shin: "",
    hem: "",
    board: Board::None,
    mouth: true,
};

/// Face, shade of it, cheeks: light to dark.
pub const SKINS: [[u32; 3]; 5] = [
    [0xffd9ba, 0xf0b48d, 0xffab9a],
    [0xf6c99b, 0xdfa274, 0xf5987f],
    [0xdba171, 0xba7d50, 0xd97f66],
    [0xac7148, 0x875232, 0xb4614a],
    [0x7b4c35, 0x5b3525, 0x94483c],
];

impl Person {
    pub fn palette(&self) -> Palette {
        let [skin, dark, cheek] = SKINS[self.skin.min(SKINS.len() - 1)];
        let two = |colour: u32| (colour, shade(colour, if colour == 0xffffff { 0.88 } else { 0.82 }));
        let ((h, hd), (t, td), (b, bd)) = (two(self.hair_colour), two(self.top), two(self.bottom));
        let (f, a) = (self.shoe, two(self.accent));
        Palette::of(&[
            ('S', skin),
            ('s', dark),
            ('C', cheek),
            ('H', h),
            ('h', if self.hair_colour < 0x555555 { shade(h, 1.14) } else { hd }),
            ('T', t),
            ('t', td),
            ('B', b),
            ('b', bd),
            ('F', f),
            ('f', blend(f, if f == 0xffffff { 0x888899 } else { 0xffffff }, 0.55)),
            ('A', a.0),
            ('a', a.1),
            ('G', self.glove.unwrap_or(skin)),
            ('g', shade(self.glove.unwrap_or(skin), 0.85)),
            ('K', 0x2c2730),
            ('W', 0xffffff),
            ('w', 0xe4e4ee),
            ('R', 0x8d2f3c),
            ('P', 0xff8a8a),
            ('M', blend(dark, 0x6d2a2a, 0.6)),
            ('Y', blend(b, 0x000000, 0.35)),
        ])
    }

    pub fn figure(&self) -> Figure {
        let coat = match self.lower {
            Lower::Fin => "Bb",
            Lower::Gown => "TtBb",
            _ if self.bottom == self.top => "TtBb",
            _ => "Tt",
        };
        let mut rig = Rig::new(Build::Upright, self.palette(), coat);
        rig.manner = Manner { glides: self.board != Board::None, fin: self.lower == Lower::Fin, ..Manner::default() };
        let hips = self.hips(&mut rig);
        let chest = self.chest(&mut rig, hips);
        let head = self.head(&mut rig, chest);
        self.arms(&mut rig, chest);
        if self.lower == Lower::Fin {
            self.fin(&mut rig, hips);
        } else {
            self.legs(&mut rig, hips);
        }
        self.skirt(&mut rig, hips);
        rig.anchors.head_top = Rig::anchor(head, [16.2, 12.0 - 9.0 * self.head]);
        rig.anchors.mouth = Rig::anchor(head, [14.9, 12.0 - 1.9 * self.head]);
        rig.anchors.back = Rig::anchor(chest, [17.5, 12.4]);
        rig.anchors.seat = Rig::anchor(hips, [16.0, 22.2]);
        rig.finish(self.name, Kind::Person, self.metres)
    }

    fn wide(&self, svg: &str) -> String {
        placed(svg, [16.0 * (1.0 - self.girth), 0.0], [self.girth, 1.0])
    }

    fn hips(&self, rig: &mut Rig) -> usize {
        let colour = if matches!(self.lower, Lower::Gown | Lower::Robe | Lower::Tutu) { 'T' } else { 'B' };
        let svg = self.wide(&draw(&format!("r 12.8 18.9 6.7 3.5 1.7 {colour}")));
        let hips = rig.add_svg(Joint::Root, None, [16.0, 20.6], -3, svg);
        rig.touches(hips, &[[16.0 - 2.0 * self.girth, 22.4], [16.0 + 2.0 * self.girth, 22.4]]);
        hips
    }

    fn chest(&self, rig: &mut Rig, hips: usize) -> usize {
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

    fn head(&self, rig: &mut Rig, chest: usize) -> usize {
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
        let svg = at(face) + &at(self.beard) + &at(if self.hair == Hair::None { "" } else { brows }) + &at(front) + &at(self.hat);
        let head = rig.add_svg(Joint::Head, Some(chest), pivot, 10, svg);
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

    fn arms(&self, rig: &mut Rig, chest: usize) {
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

    fn legs(&self, rig: &mut Rig, hips: usize) {
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

    fn board(&self, rig: &mut Rig, foot: usize, [x, y]: [f32; 2]) {
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

    fn skirt(&self, rig: &mut Rig, hips: usize) {
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
    fn fin(&self, rig: &mut Rig, hips: usize) {
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
