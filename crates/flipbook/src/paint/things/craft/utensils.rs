//! Tools in a hand, each a few flat shapes along the hand: `u` points away from the hand, `v` down where the tool is held level.

use super::Piece::{Bar, Disc, Ring, Shape};
use super::{Piece, Plane, Work};
use crate::canvas::Canvas;
use crate::figures::Figure;
use crate::paint::film::{Film, Moment};
use crate::paint::things::stamp::Stamp;
use crate::paint::things::warp::Lay;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::paint::things) enum Utensil {
    Bag,
    Knife,
    Whisk,
    Spoon,
    Pan,
    Jug,
    Match,
    Tray,
    Sponge,
    Duster,
    Cloth,
    Mop,
    Roller,
    Trowel,
    Rake,
    Shears,
    Crayon,
    Pen,
    Pad,
    Seal,
    Hammer,
    Saw,
    Drill,
    Torch,
    Wrench,
    Pipe,
    Blade,
    Razor,
    Scissors,
    Comb,
    Lipstick,
    Lens,
    Scanner,
    Note,
    Paddle,
    Whistle,
    Bell,
    Flask,
    Binoculars,
    Baton,
    Camera,
    Rod,
    Spatula,
}

/// To where a tool points.
enum Way {
    /// So many radians forwards from the forearm.
    Arm(f32),
    /// So many radians below the level.
    Level(f32),
}

use Utensil as U;

const STEEL: u32 = 0xdde4ec;
const DARK: u32 = 0x4a4f5c;
const WOOD: u32 = 0x9a6a3c;

impl Utensil {
    fn way(self) -> Way {
        match self {
            Self::Mop | Self::Rake => Way::Arm(0.0),
            Self::Hammer => Way::Arm(0.7),
            Self::Rod => Way::Arm(0.75),
            Self::Baton | Self::Paddle | Self::Crayon | Self::Pen | Self::Match => Way::Arm(0.5),
            Self::Whisk | Self::Spoon => Way::Level(0.9),
            Self::Knife | Self::Bag => Way::Level(0.35),
            Self::Spatula | Self::Torch | Self::Trowel | Self::Sponge | Self::Wrench => Way::Level(0.5),
            Self::Comb => Way::Level(-2.6),
            Self::Jug | Self::Flask => Way::Level(0.55),
            _ => Way::Level(0.0),
        }
    }

    #[rustfmt::skip]
    fn pieces(self) -> &'static [Piece] {
        match self {
            U::Bag => &[Shape(0xfff3df, &[[-0.12, -0.05], [0.08, 0.0], [-0.12, 0.05]]), Bar(0xff8fc0, [0.06, 0.0], [0.10, 0.0], 0.010)],
            U::Knife => &[
                Shape(STEEL, &[[0.03, -0.022], [0.22, -0.022], [0.26, 0.008], [0.22, 0.022], [0.03, 0.022]]), Bar(0x5b3a24, [-0.06, 0.0], [0.03, 0.0], 0.016),
            ],
            U::Blade => &[Shape(STEEL, &[[0.03, -0.018], [0.40, -0.014], [0.46, 0.0], [0.40, 0.014], [0.03, 0.018]]), Bar(0x6b4226, [-0.06, 0.0], [0.03, 0.0], 0.015), Bar(0xe0a93b, [0.03, -0.06], [0.03, 0.06], 0.012)],
            U::Whisk => &[
                Bar(DARK, [-0.06, 0.0], [0.06, 0.0], 0.012), Ring(0xb9c2cc, [0.13, 0.0], 0.05, 0.005), Shape(0xcfd6de, &[[0.06, 0.0], [0.13, -0.022], [0.20, 0.0], [0.13, 0.022]]),
            ],
            U::Spoon => &[Bar(WOOD, [-0.09, 0.0], [0.16, 0.0], 0.010), Disc(0xb98250, [0.18, 0.0], 0.032)],
            U::Pan => &[Bar(DARK, [-0.03, 0.0], [0.14, 0.0], 0.014), Shape(0x2f333d, &[[0.12, -0.015], [0.40, -0.015], [0.37, 0.03], [0.15, 0.03]])],
            U::Jug => &[
                Shape(0xf4f6fa, &[[-0.10, -0.09], [0.06, -0.09], [0.13, -0.10], [0.08, -0.02], [0.09, 0.07], [-0.11, 0.07]]),
                Shape(0x6fa8dc, &[[-0.10, -0.03], [0.08, -0.03], [0.083, 0.01], [-0.105, 0.01]]), Ring(0xdfe5ec, [-0.12, -0.01], 0.045, 0.010),
            ],
            U::Match => &[Bar(0xd7a061, [0.0, 0.0], [0.11, 0.0], 0.006), Disc(0xff9a2e, [0.13, 0.0], 0.022), Disc(0xffe27a, [0.135, 0.0], 0.011)],
            U::Tray => &[Shape(0xb9c2cc, &[[-0.08, -0.012], [0.34, -0.012], [0.31, 0.014], [-0.05, 0.014]])],
            U::Sponge => &[Shape(0xf7c948, &[[-0.03, -0.03], [0.09, -0.03], [0.09, 0.03], [-0.03, 0.03]])],
            U::Duster => &[Bar(WOOD, [-0.05, 0.0], [0.10, 0.0], 0.010), Disc(0xd98fd0, [0.13, 0.0], 0.035), Disc(0xe7a9de, [0.17, 0.01], 0.045), Disc(0xd98fd0, [0.22, 0.0], 0.04)],
            U::Cloth => &[Shape(0x4fa3e0, &[[-0.03, -0.05], [0.06, -0.07], [0.08, 0.02], [0.07, 0.09], [-0.01, 0.07]])],
            U::Mop => &[
                Bar(WOOD, [-0.34, 0.0], [0.40, 0.0], 0.013), Bar(0x4fa3e0, [0.38, -0.05], [0.38, 0.05], 0.018),
                Shape(0xeef1f4, &[[0.38, -0.07], [0.52, -0.12], [0.50, -0.04], [0.54, 0.0], [0.50, 0.04], [0.52, 0.12], [0.38, 0.07]]),
            ],
            U::Roller => &[Bar(DARK, [-0.04, 0.0], [0.08, 0.0], 0.012), Bar(0xf0f2f5, [0.10, -0.08], [0.10, 0.08], 0.034), Bar(0xf9a826, [0.115, -0.07], [0.115, 0.07], 0.022)],
            U::Trowel => &[Bar(WOOD, [-0.04, 0.0], [0.05, 0.0], 0.014), Shape(0xaab4c0, &[[0.06, -0.03], [0.16, 0.0], [0.06, 0.03]])],
            U::Rake => &[
                Bar(WOOD, [-0.34, 0.0], [0.44, 0.0], 0.012), Bar(0x6b7078, [0.44, -0.10], [0.44, 0.10], 0.010), Bar(0x6b7078, [0.44, -0.10], [0.50, -0.10], 0.006),
                Bar(0x6b7078, [0.44, -0.05], [0.51, -0.05], 0.006), Bar(0x6b7078, [0.44, 0.0], [0.51, 0.0], 0.006), Bar(0x6b7078, [0.44, 0.05], [0.51, 0.05], 0.006), Bar(0x6b7078, [0.44, 0.10], [0.50, 0.10], 0.006),
            ],
            U::Shears => &[
                Bar(0xd8333b, [-0.05, -0.03], [0.08, 0.0], 0.013), Bar(0xd8333b, [-0.05, 0.03], [0.08, 0.0], 0.013), Shape(STEEL, &[[0.07, 0.0], [0.26, -0.045], [0.24, -0.01]]), Shape(0xb9c2cc, &[[0.07, 0.0], [0.26, 0.045], [0.24, 0.01]]),
            ],
            U::Crayon => &[Bar(0xe8413c, [-0.05, 0.0], [0.07, 0.0], 0.014), Shape(0xe8413c, &[[0.07, -0.012], [0.105, 0.0], [0.07, 0.012]])],
            U::Pen => &[Bar(0xf7b82e, [-0.07, 0.0], [0.08, 0.0], 0.010), Shape(0x3b3f4c, &[[0.08, -0.009], [0.115, 0.0], [0.08, 0.009]])],
            U::Pad => &[Shape(0x3b3f4c, &[[-0.07, -0.035], [0.13, -0.035], [0.15, 0.05], [0.10, 0.03], [-0.04, 0.03], [-0.09, 0.05]]), Disc(0xe8413c, [0.09, -0.01], 0.013), Disc(0x6fd08c, [0.06, 0.0], 0.011), Disc(0xcfd6de, [-0.02, -0.005], 0.016)],
            U::Seal => &[Bar(WOOD, [0.0, 0.0], [0.10, 0.0], 0.018), Bar(0x6b4226, [0.12, -0.04], [0.12, 0.04], 0.022)],
            U::Hammer => &[Bar(WOOD, [-0.06, 0.0], [0.22, 0.0], 0.013), Shape(0x8792a0, &[[0.19, -0.06], [0.26, -0.06], [0.26, 0.06], [0.19, 0.07]])],
            U::Saw => &[
                Shape(STEEL, &[[0.04, -0.04], [0.40, 0.0], [0.40, 0.035], [0.04, 0.04]]), Bar(0x9aa7b5, [0.05, 0.045], [0.39, 0.04], 0.006), Shape(WOOD, &[[-0.06, -0.055], [0.05, -0.05], [0.05, 0.05], [-0.04, 0.05]]),
            ],
            U::Drill => &[
                Shape(0xf9a826, &[[-0.05, -0.05], [0.12, -0.05], [0.14, -0.01], [-0.05, 0.0]]), Shape(0x3b3f4c, &[[-0.04, 0.0], [0.02, 0.0], [0.01, 0.10], [-0.06, 0.10]]), Bar(0x8792a0, [0.13, -0.028], [0.26, -0.028], 0.008),
            ],
            U::Torch => &[Bar(0x3b3f4c, [-0.08, 0.0], [0.10, 0.0], 0.013), Bar(0xe0a93b, [0.10, 0.0], [0.15, 0.02], 0.010)],
            U::Wrench => &[Bar(0x9aa7b5, [-0.06, 0.0], [0.16, 0.0], 0.016), Ring(0x9aa7b5, [0.19, 0.0], 0.032, 0.013)],
            U::Pipe => &[Bar(0x8792a0, [-0.05, 0.0], [0.40, 0.0], 0.012)],
            U::Razor => &[Bar(0x2f8fe0, [-0.08, 0.02], [0.02, 0.0], 0.010), Bar(STEEL, [0.03, -0.025], [0.03, 0.025], 0.012)],
            U::Scissors => &[Ring(0xd8333b, [-0.01, -0.03], 0.024, 0.008), Ring(0xd8333b, [-0.01, 0.03], 0.024, 0.008), Bar(STEEL, [0.02, -0.02], [0.15, 0.018], 0.009), Bar(0xb9c2cc, [0.02, 0.02], [0.15, -0.018], 0.009)],
            U::Comb => &[Bar(0xe0457b, [-0.03, 0.0], [0.15, 0.0], 0.014), Bar(0xe0457b, [0.03, 0.0], [0.03, 0.05], 0.006), Bar(0xe0457b, [0.06, 0.0], [0.06, 0.05], 0.006), Bar(0xe0457b, [0.09, 0.0], [0.09, 0.05], 0.006), Bar(0xe0457b, [0.12, 0.0], [0.12, 0.05], 0.006), Bar(0xe0457b, [0.15, 0.0], [0.15, 0.05], 0.006)],
            U::Lipstick => &[Bar(0x2d313b, [0.05, 0.0], [0.0, 0.0], 0.018), Bar(0xe0a93b, [-0.01, 0.0], [-0.03, 0.0], 0.015), Bar(0xe8213c, [-0.04, 0.0], [-0.06, 0.0], 0.012)],
            U::Lens => &[Bar(WOOD, [-0.05, 0.0], [0.07, 0.0], 0.012), Disc(0xd9f1ff, [0.13, 0.0], 0.055), Ring(0x5b6573, [0.13, 0.0], 0.058, 0.010)],
            U::Scanner => &[Shape(0x3b3f4c, &[[-0.04, -0.035], [0.12, -0.04], [0.12, 0.02], [0.0, 0.015], [-0.02, 0.09], [-0.06, 0.08]]), Bar(0xff3b3b, [0.12, -0.03], [0.12, 0.01], 0.006)],
            U::Note => &[Shape(0x6fbf73, &[[-0.02, -0.045], [0.16, -0.055], [0.16, 0.045], [-0.02, 0.05]]), Disc(0xe8f5e4, [0.07, -0.002], 0.026)],
            U::Paddle => &[Bar(0xf4f6fa, [-0.04, 0.0], [0.16, 0.0], 0.012), Disc(0xe8313c, [0.22, 0.0], 0.075), Bar(0xffffff, [0.22, -0.045], [0.22, 0.045], 0.014)],
            U::Whistle => &[Disc(0xf7b82e, [0.02, 0.01], 0.034), Bar(0xf7b82e, [-0.04, -0.014], [0.02, -0.014], 0.012), Disc(0x8a5a1e, [0.02, 0.008], 0.013)],
            U::Flask => &[Shape(0x5fe08a, &[[-0.11, 0.06], [-0.02, -0.015], [0.05, -0.012], [0.05, 0.02], [-0.02, 0.02], [-0.06, 0.10]]), Bar(0xe6f5ff, [0.02, 0.0], [0.13, 0.0], 0.018)],
            U::Binoculars => &[Bar(0x2d313b, [-0.06, -0.03], [0.08, -0.03], 0.028), Bar(0x3f4452, [-0.06, 0.03], [0.08, 0.03], 0.028), Disc(0x8fd3ff, [0.09, -0.03], 0.018), Disc(0x8fd3ff, [0.09, 0.03], 0.018)],
            U::Spatula => &[Bar(WOOD, [-0.06, 0.0], [0.10, 0.0], 0.010), Bar(0x8792a0, [0.10, 0.0], [0.22, 0.02], 0.007), Shape(0x8792a0, &[[0.22, -0.01], [0.32, 0.0], [0.32, 0.03], [0.22, 0.03]])],
            U::Baton => &[Bar(0xfaf6ec, [0.0, 0.0], [0.26, 0.0], 0.007), Disc(WOOD, [0.0, 0.0], 0.017)],
            U::Rod => &[Bar(0x6b4226, [-0.14, 0.0], [0.04, 0.0], 0.014), Bar(0x9a6a3c, [0.04, 0.0], [0.62, 0.0], 0.008), Ring(0x8792a0, [0.05, 0.03], 0.026, 0.010)],
            U::Bell | U::Camera => &[],
        }
    }
}

impl Film {
    /// The frame of the tool in a hand.
    pub(super) fn held_plane(&self, m: &Moment, place: usize, tool: Utensil) -> Option<Plane> {
        let (unit, side) = (self.tall(m, place), self.way_of(m, place));
        let hand = self.point(m, place, Figure::hand).or_else(|| self.reach(m, place, crate::figures::Gesture::Press))?;
        let angled = |angle: f32| {
            let (sin, cos) = angle.sin_cos();
            Plane { origin: hand, u: [side * cos, sin], v: [-side * sin, cos], unit }
        };
        let figure = self.cast.figure(place);
        Some(match (tool.way(), figure) {
            (Way::Level(angle), _) => angled(angle),
            (Way::Arm(_), None) => angled(0.3),
            (Way::Arm(lean), Some(figure)) => {
                let (from, to) = figure.grip(&self.stance(m, place, figure), lean);
                let warp = self.warp_box(m, place, m.poses.get(place)?, Lay::Upright);
                let ([x, y], [fx, fy]) = (warp(from), warp(to));
                let long = (fx - x).hypot(fy - y).max(1e-3);
                let u = [(fx - x) / long, (fy - y) / long];
                Plane { origin: hand, u, v: [-side * u[1], side * u[0]], unit }
            }
        })
    }

    /// Draws the tool of a work.
    pub(super) fn utensil(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let Some(tool) = work.craft.tool else { return };
        let Some(plane) = self.held_plane(m, place, tool) else { return };
        let flip = plane.u[0] > 0.0;
        match tool {
            U::Bell => {
                let [x, y] = plane.at(0.02, 0.16);
                let turn = 0.06 * (9.0 * m.t).sin();
                self.stamp(c, "bell", Stamp { turn, ..Stamp::at(x, y, 0.20 * plane.unit) });
            }
            U::Camera => {
                let [x, y] = plane.at(0.06, 0.10);
                self.stamp(c, "video-camera", Stamp { flip, ..Stamp::at(x, y, 0.20 * plane.unit) });
            }
            _ => self.pieces(c, &plane, tool.pieces()),
        }
    }
}
