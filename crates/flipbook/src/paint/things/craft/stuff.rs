//! What is worked on where nobody named it, or what always lies there: dough, paper, planks, walls that grow as the clip goes on.

use super::Piece::{Bar, Disc, Ring, Shape};
use super::site::Site;
use super::{Piece, Plane, Work, is_vessel};
use crate::canvas::{Canvas, Puff, Rgb};
use crate::figures::Figure;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about};
use crate::paint::things::stamp::Stamp;
use crate::sprites::atlas;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::paint::things) enum Stuff {
    None,
    /// A drawing, so many heights of who works high.
    Sprite(&'static str, f32),
    Dough,
    FlatDough,
    Bowl,
    Pot,
    Pancake,
    Cup,
    Glasses,
    Plates,
    Grater,
    Crockery,
    Linen,
    Pane,
    Seedling,
    Basket,
    Leaves,
    Hedge,
    Scribble,
    Lines,
    Screen,
    SewingMachine,
    Loom,
    Rope,
    Plank,
    Slab,
    Metal,
    Pipe,
    Wall,
    Blocks,
    Statue,
    Clay,
    Grindstone,
    Groceries,
    Scales,
    Parcel,
    Coins,
    Suitcase,
    Pile,
    Flasks,
    Wheel,
    Roast,
    Vegetables,
    Grill,
}

use Stuff as S;

/// Of what lies on a table, so that it is seen.
const LARGE: f32 = 1.3;

impl Stuff {
    /// What stands still, in heights of who works, upwards from its foot and to the side that is worked to.
    #[rustfmt::skip]
    fn pieces(self) -> &'static [Piece] {
        match self {
            S::Bowl => &[Shape(0x6fb7e0, &[[-0.17, 0.15], [0.17, 0.15], [0.10, 0.0], [-0.10, 0.0]]), Bar(0xffe9a8, [-0.14, 0.15], [0.14, 0.15], 0.016), Bar(0x4f9ac8, [-0.17, 0.155], [0.17, 0.155], 0.006)],
            S::Pot => &[Shape(0xe0524a, &[[-0.16, 0.20], [0.16, 0.20], [0.15, 0.01], [-0.15, 0.01]]), Bar(0xb93a36, [-0.16, 0.20], [0.16, 0.20], 0.016), Bar(0xb93a36, [-0.20, 0.15], [-0.15, 0.15], 0.014), Bar(0xb93a36, [0.15, 0.15], [0.20, 0.15], 0.014)],
            S::Pancake => &[Bar(0xb9742e, [-0.07, 0.0], [0.07, 0.0], 0.022), Bar(0xf2bd6a, [-0.07, 0.008], [0.07, 0.008], 0.014)],
            S::Cup => &[Ring(0xe9edf2, [0.07, 0.065], 0.030, 0.010), Shape(0xf8fafc, &[[-0.065, 0.12], [0.065, 0.12], [0.05, 0.0], [-0.05, 0.0]]), Bar(0x9a5a2c, [-0.052, 0.116], [0.052, 0.116], 0.007)],
            S::Glasses => &[
                Shape(0xf7b82e, &[[-0.03, 0.15], [0.03, 0.15], [0.024, 0.0], [-0.024, 0.0]]), Shape(0xe8613c, &[[0.08, 0.13], [0.15, 0.13], [0.14, 0.0], [0.09, 0.0]]), Shape(0xcfeaf8, &[[-0.03, 0.18], [0.03, 0.18], [0.03, 0.15], [-0.03, 0.15]]),
            ],
            S::Plates => &[
                Bar(0xf6f8fb, [-0.27, 0.012], [-0.12, 0.012], 0.016), Bar(0xf6f8fb, [0.12, 0.012], [0.27, 0.012], 0.016), Shape(0xcfeaf8, &[[-0.08, 0.14], [-0.02, 0.14], [-0.03, 0.0], [-0.07, 0.0]]),
                Shape(0xcfeaf8, &[[0.02, 0.14], [0.08, 0.14], [0.07, 0.0], [0.03, 0.0]]), Bar(0xd8333b, [-0.20, 0.03], [-0.19, 0.07], 0.03), Bar(0xd8333b, [0.20, 0.03], [0.19, 0.07], 0.03),
            ],
            S::Grater => &[Shape(0xb9c2cc, &[[-0.10, 0.0], [-0.06, 0.26], [0.06, 0.26], [0.10, 0.0]]), Disc(0x8792a0, [-0.03, 0.06], 0.012), Disc(0x8792a0, [0.03, 0.08], 0.012), Disc(0x8792a0, [-0.02, 0.13], 0.012), Disc(0x8792a0, [0.03, 0.16], 0.012), Bar(0x3b3f4c, [-0.05, 0.28], [0.05, 0.28], 0.014), Shape(0xffc83d, &[[0.0, 0.10], [0.12, 0.10], [0.14, 0.20], [0.02, 0.20]])],
            S::Crockery => &[Bar(0xf6f8fb, [-0.28, 0.02], [-0.16, 0.02], 0.012), Bar(0xdfe7ef, [-0.28, 0.045], [-0.16, 0.045], 0.012), Bar(0xf6f8fb, [-0.28, 0.07], [-0.16, 0.07], 0.012), Disc(0xf6f8fb, [0.0, 0.05], 0.10), Disc(0xd5e2ee, [0.0, 0.05], 0.062)],
            S::Linen => &[Bar(0x4fa3e0, [-0.24, 0.02], [-0.08, 0.02], 0.022), Bar(0xf7b82e, [-0.24, 0.06], [-0.08, 0.06], 0.022), Bar(0xe0457b, [-0.24, 0.10], [-0.08, 0.10], 0.022)],
            S::Hedge => &[
                Shape(0x3f8a3a, &[[-0.30, 0.0], [-0.32, 0.62], [-0.24, 0.70], [0.24, 0.70], [0.34, 0.60], [0.32, 0.0]]), Disc(0x57a84b, [-0.2, 0.55], 0.13), Disc(0x57a84b, [0.02, 0.58], 0.13), Disc(0x57a84b, [0.22, 0.52], 0.13),
                Disc(0x4c9a43, [-0.14, 0.28], 0.14), Disc(0x4c9a43, [0.14, 0.26], 0.15), Disc(0x6fbf5f, [-0.22, 0.64], 0.05), Disc(0x6fbf5f, [0.10, 0.66], 0.05),
            ],
            S::Pane => &[Shape(0x9a6a3c, &[[-0.30, 0.22], [-0.30, 0.98], [0.30, 0.98], [0.30, 0.22]]), Shape(0x9fd8f5, &[[-0.26, 0.26], [-0.26, 0.94], [0.26, 0.94], [0.26, 0.26]]), Shape(0xc9ecfb, &[[-0.2, 0.30], [0.02, 0.90], [0.12, 0.90], [-0.10, 0.30]]), Bar(0x9a6a3c, [0.0, 0.26], [0.0, 0.94], 0.014)],
            S::SewingMachine => &[
                Bar(0x2d313b, [-0.16, 0.025], [0.18, 0.025], 0.025), Shape(0x3b4a6b, &[[0.08, 0.04], [0.17, 0.04], [0.17, 0.22], [0.08, 0.22]]), Shape(0x3b4a6b, &[[-0.16, 0.15], [0.17, 0.15], [0.17, 0.24], [-0.16, 0.24]]),
                Shape(0x3b4a6b, &[[-0.16, 0.10], [-0.09, 0.10], [-0.09, 0.22], [-0.16, 0.22]]), Ring(0xe0a93b, [0.19, 0.18], 0.045, 0.012), Bar(0xe0457b, [0.02, 0.26], [0.02, 0.29], 0.02),
            ],
            S::Loom => &[Bar(0x9a6a3c, [-0.26, 0.0], [-0.26, 0.95], 0.022), Bar(0x9a6a3c, [0.26, 0.0], [0.26, 0.95], 0.022), Bar(0x9a6a3c, [-0.30, 0.92], [0.30, 0.92], 0.02), Bar(0x9a6a3c, [-0.30, 0.2], [0.30, 0.2], 0.02)],
            S::Rope => &[Ring(0xc9a26a, [0.0, 0.0], 0.07, 0.016), Bar(0xc9a26a, [-0.06, 0.02], [-0.13, -0.16], 0.016), Bar(0xb58c54, [0.05, 0.03], [0.12, -0.14], 0.016), Bar(0xb58c54, [-0.06, -0.05], [0.06, 0.05], 0.018)],
            S::Plank => &[Bar(0xd7a56e, [-0.24, 0.03], [0.30, 0.03], 0.028), Bar(0xc08a55, [-0.22, 0.022], [0.28, 0.022], 0.006), Bar(0x8792a0, [0.06, 0.06], [0.06, 0.10], 0.007), Bar(0x8792a0, [0.14, 0.06], [0.14, 0.085], 0.007)],
            S::Slab => &[Shape(0xe9dcc6, &[[-0.06, 0.0], [-0.06, 1.12], [0.34, 1.12], [0.34, 0.0]]), Shape(0xcfbf9f, &[[-0.06, 0.0], [-0.06, 0.10], [0.34, 0.10], [0.34, 0.0]])],
            S::Metal => &[Shape(0x6b7078, &[[-0.18, 0.0], [-0.12, 0.12], [0.2, 0.12], [0.24, 0.0]]), Bar(0xff7a2e, [0.0, 0.02], [0.02, 0.11], 0.010)],
            S::Pipe => &[Bar(0x8792a0, [-0.06, 0.42], [0.30, 0.42], 0.035), Bar(0x8792a0, [0.26, 0.42], [0.26, 0.0], 0.035), Bar(0xb9c2cc, [-0.06, 0.435], [0.28, 0.435], 0.008), Bar(0xe0a93b, [0.06, 0.36], [0.06, 0.48], 0.022)],
            S::Statue => &[
                Shape(0xb8b2a6, &[[-0.24, 0.0], [-0.24, 0.20], [0.24, 0.20], [0.24, 0.0]]), Shape(0xe6e2da, &[[-0.20, 0.20], [-0.16, 0.42], [-0.06, 0.50], [0.06, 0.50], [0.18, 0.42], [0.22, 0.20]]),
                Bar(0xe6e2da, [0.0, 0.50], [0.0, 0.58], 0.06), Disc(0xe6e2da, [0.0, 0.70], 0.14), Disc(0xcfc9bd, [-0.06, 0.72], 0.016), Disc(0xcfc9bd, [0.04, 0.72], 0.016), Bar(0xcfc9bd, [-0.04, 0.63], [0.03, 0.63], 0.008), Disc(0xd8d3c8, [0.02, 0.82], 0.06),
            ],
            S::Grindstone => &[Disc(0x9a948a, [0.02, 0.15], 0.15), Disc(0xb8b2a6, [0.02, 0.15], 0.11), Disc(0x6b6459, [0.02, 0.15], 0.02)],
            S::Scales => &[Bar(0x6b7078, [-0.12, 0.02], [0.12, 0.02], 0.02), Bar(0x6b7078, [0.0, 0.02], [0.0, 0.20], 0.02), Disc(0xf4f6fa, [0.0, 0.13], 0.075), Bar(0xd8333b, [0.0, 0.13], [0.03, 0.18], 0.008), Bar(0xb9c2cc, [-0.15, 0.23], [0.15, 0.23], 0.016)],
            S::Suitcase => &[Shape(0x8a4f2a, &[[-0.22, 0.0], [-0.22, 0.18], [0.24, 0.18], [0.24, 0.0]]), Shape(0xa8653a, &[[-0.20, 0.18], [-0.10, 0.44], [0.32, 0.44], [0.24, 0.18]]), Shape(0xf2dcc0, &[[-0.16, 0.20], [-0.08, 0.40], [0.28, 0.40], [0.21, 0.20]]), Bar(0x4fa3e0, [-0.15, 0.20], [0.0, 0.20], 0.03), Bar(0xe0457b, [0.02, 0.20], [0.18, 0.20], 0.03), Bar(0xe0a93b, [-0.04, 0.09], [0.06, 0.09], 0.012)],
            S::Flasks => &[
                Shape(0xd9f1ff, &[[-0.17, 0.26], [-0.11, 0.26], [-0.11, 0.15], [-0.02, 0.0], [-0.26, 0.0], [-0.17, 0.15]]), Shape(0x5fe08a, &[[-0.20, 0.10], [-0.08, 0.10], [-0.03, 0.008], [-0.25, 0.008]]), Shape(0xe6d5ff, &[[0.13, 0.20], [0.19, 0.20], [0.19, 0.0], [0.13, 0.0]]), Shape(0xa45be0, &[[0.135, 0.12], [0.185, 0.12], [0.185, 0.008], [0.135, 0.008]]), Shape(0xffe3c9, &[[0.23, 0.17], [0.28, 0.17], [0.28, 0.0], [0.23, 0.0]]), Shape(0xff8a3c, &[[0.235, 0.09], [0.275, 0.09], [0.275, 0.008], [0.235, 0.008]]),
            ],
            S::Roast => &[
                Bar(0xf6f8fb, [-0.25, 0.012], [0.25, 0.012], 0.016), Shape(0xb9692e, &[[-0.20, 0.03], [-0.19, 0.13], [-0.08, 0.21], [0.08, 0.21], [0.19, 0.13], [0.20, 0.03]]), Disc(0xcf8340, [-0.04, 0.13], 0.075),
                Bar(0xa85a24, [0.12, 0.09], [0.26, 0.16], 0.035), Disc(0xfdf3e0, [0.28, 0.17], 0.022), Disc(0xfdf3e0, [0.29, 0.155], 0.018), Disc(0x5fae4a, [-0.22, 0.04], 0.03), Disc(0x5fae4a, [0.22, 0.035], 0.03),
            ],
            S::Vegetables => &[
                Bar(0xe0b884, [-0.24, 0.014], [0.24, 0.014], 0.016), Bar(0xff8a2e, [-0.02, 0.05], [0.14, 0.05], 0.026), Disc(0xff8a2e, [-0.08, 0.05], 0.026), Disc(0xffb066, [-0.08, 0.05], 0.014), Disc(0xff8a2e, [-0.14, 0.05], 0.024),
                Disc(0xffb066, [-0.14, 0.05], 0.013), Shape(0x4fae4a, &[[0.16, 0.05], [0.24, 0.10], [0.22, 0.04]]), Disc(0xe8413c, [0.21, 0.055], 0.04), Disc(0x57b84b, [-0.21, 0.06], 0.045), Disc(0x7fcf6a, [-0.20, 0.075], 0.02),
            ],
            S::Grill => &[
                Bar(0x4a4f5c, [-0.10, 0.0], [-0.04, 0.24], 0.014), Bar(0x4a4f5c, [0.16, 0.0], [0.10, 0.24], 0.014), Shape(0x2f333d, &[[-0.16, 0.38], [0.22, 0.38], [0.15, 0.22], [-0.09, 0.22]]), Bar(0xff8a2e, [-0.13, 0.375], [0.19, 0.375], 0.010), Bar(0x9aa7b5, [-0.18, 0.395], [0.24, 0.395], 0.008),
            ],
            S::Screen => &[Shape(0x7a5230, &[[-0.24, 0.0], [-0.24, 0.22], [0.34, 0.22], [0.34, 0.0]]), Shape(0x2d313b, &[[-0.22, 0.24], [-0.22, 0.66], [0.32, 0.66], [0.32, 0.24]]), Shape(0x4a7fe0, &[[-0.19, 0.27], [-0.19, 0.63], [0.29, 0.63], [0.29, 0.27]]), Shape(0x5fc46a, &[[-0.19, 0.27], [-0.19, 0.36], [0.29, 0.36], [0.29, 0.27]])],
            _ => &[],
        }
    }
}

impl Film {
    /// Where the stuff of a work is: on its table, on the ground, in the hand.
    fn stuff_plane(&self, m: &Moment, place: usize, work: &Work) -> Option<Plane> {
        let (tall, way) = (self.tall(m, place), self.way_of(m, place));
        let [x, y] = match work.site {
            Site::Table | Site::Basin | Site::Till | Site::Eyes => self.table_at(m, place, work)?,
            Site::Ground | Site::Patch | Site::Tree | Site::Wall | Site::Line | Site::Helm | Site::Other => {
                self.ground_at(m, place, work)?
            }
            Site::Toss => {
                let [x, y] = self.point(m, place, Figure::hand)?;
                [x + way * 0.27 * tall, y - (0.04 + 0.45 * (2.4 * m.t).sin().abs()) * tall]
            }
            Site::Hook => {
                let [x, y] = self.reach(m, place, work.craft.gesture)?;
                [x + way * 0.62 * tall, y - 0.06 * m.p * tall]
            }
            Site::None => return None,
            Site::Tray => self.point(m, place, Figure::hand).map(|[x, y]| [x + way * 0.06 * tall, y - 0.012 * tall])?,
            Site::Hand | Site::Mouth | Site::Both => self.point(m, place, Figure::hand).map(|[x, y]| [x + way * 0.04 * tall, y])?,
        };
        let unit = if matches!(work.site, Site::Table | Site::Basin) { LARGE * tall } else { tall };
        Some(Plane::upright(x, y, unit, way))
    }

    pub(super) fn stuffed(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let craft = work.craft;
        let named = work.object.and_then(|object| self.brief.slots.get(object));
        let filled = craft.vessel && !is_vessel(named);
        if named.is_some() && !craft.always && !filled {
            return;
        }
        let Some(plane) = self.stuff_plane(m, place, work) else { return };
        if let S::Sprite(name, size) = craft.stuff {
            let high = size * self.tall(m, place);
            let low = if matches!(work.site, Site::Hand | Site::Both | Site::Mouth) { 0.5 * high } else { 0.0 };
            let [x, y] = if work.site == Site::Mouth { self.mouthful(m, place, plane.unit) } else { plane.at(0.0, 0.0) };
            if work.site == Site::Ground {
                c.puff(x, y, 0.5 * high, 0.05 * plane.unit, Rgb([0.05, 0.04, 0.12]), 0.35, Puff::default());
            }
            return self.stamp(c, name, Stamp { flip: plane.u[0] > 0.0, ..Stamp::at(x, y + low, high) });
        }
        if matches!(work.site, Site::Ground | Site::Wall) {
            let [x, y] = plane.at(0.0, 0.0);
            c.puff(x, y, 0.36 * plane.unit, 0.05 * plane.unit, Rgb([0.05, 0.04, 0.12]), 0.35, Puff::default());
        }
        let plane = if work.site == Site::Mouth {
            let [x, y] = self.mouthful(m, place, plane.unit);
            Plane::upright(x, y + 0.06 * plane.unit, plane.unit, plane.u[0])
        } else {
            plane
        };
        self.pieces(c, &plane, craft.stuff.pieces());
        self.growing(c, m, &plane, work);
    }

    /// What moves or grows of the stuff.
    fn growing(&self, c: &mut Canvas, m: &Moment, plane: &Plane, work: &Work) {
        let unit = plane.unit;
        let bar = |c: &mut Canvas, hex: u32, from: [f32; 2], to: [f32; 2], half: f32| {
            self.pieces(c, plane, &[Bar(hex, from, to, half)]);
        };
        match work.craft.stuff {
            S::Dough => {
                let press = (std::f32::consts::TAU * crate::figures::PACE * m.t).sin();
                let [x, y] = plane.at(-0.02, 0.065);
                c.oval(about(x, y, (0.20 + 0.025 * press) * unit, (0.085 - 0.02 * press) * unit), &self.ink(0xe8cfa0));
                c.oval(
                    about(x - 0.03 * unit, y - 0.02 * unit, (0.14 + 0.02 * press) * unit, (0.05 - 0.015 * press) * unit),
                    &self.ink(0xf6e4bf),
                );
                bar(c, 0xfffaf0, [-0.28, 0.0], [0.28, 0.0], 0.008);
            }
            S::FlatDough => {
                let roll = 0.11 * (std::f32::consts::TAU * crate::figures::PACE * m.t).sin();
                bar(c, 0xf2ddb4, [-0.26, 0.012], [0.24, 0.012], 0.020);
                bar(c, 0xfffaf0, [-0.30, 0.0], [0.28, 0.0], 0.006);
                bar(c, 0xb98250, [roll - 0.17, 0.075], [roll + 0.13, 0.075], 0.016);
                bar(c, 0xd7a56e, [roll - 0.11, 0.075], [roll + 0.07, 0.075], 0.046);
            }
            S::Crockery => {}
            S::Linen => {
                let lift = 0.06 * (2.0 * m.t).sin().max(0.0);
                self.pieces(
                    c,
                    plane,
                    &[Bar(0xf4f6fa, [0.0, 0.02], [0.22, 0.02], 0.02), Bar(0xe3ebf3, [0.0, 0.05], [0.12 + lift, 0.05 + lift], 0.018)],
                );
            }
            S::Seedling => {
                let grown = 0.35 + 0.65 * m.p;
                let [x, y] = plane.at(0.0, 0.0);
                c.oval(about(x, y, 0.17 * unit, 0.055 * unit), &self.ink(0x7a5230));
                self.stamp(c, "seedling", Stamp::at(x, y - 0.03 * unit, 0.22 * grown * unit));
            }
            S::Basket => {
                let [x, y] = plane.at(if work.site == Site::Tree { -0.34 } else { 0.42 }, -0.03);
                let name = self.fruit(work);
                if work.object.is_some() || work.site == Site::Tree {
                    for (dx, dy) in [(-0.06, 0.13), (0.05, 0.13), (0.0, 0.17)] {
                        self.stamp(c, &name, Stamp::at(x + dx * unit, y - (dy - 0.02) * unit, 0.10 * unit));
                    }
                }
                if work.object.is_none() && work.site == Site::Patch {
                    for u in [-0.08, 0.06, 0.20] {
                        let [gx, gy] = plane.at(u, 0.0);
                        self.stamp(c, "sheaf-of-rice", Stamp::at(gx, gy, 0.30 * unit));
                    }
                }
                self.stamp(c, "basket", Stamp::at(x, y, 0.20 * unit));
            }
            S::Leaves => {
                for j in 0..16 {
                    let (u, v) = (0.16 * (2.4 * j as f32).sin(), 0.10 * (1.7 * j as f32).cos().abs());
                    let [x, y] = plane.at(0.22 + u * (1.4 - 4.0 * v), v);
                    let hex = [0xe07b2e, 0xd8a02e, 0xc2482e, 0xe8b84a][j % 4];
                    c.oval(about(x, y, 0.05 * unit, 0.028 * unit), &self.ink(hex));
                }
            }
            S::Scribble | S::Lines => self.sheet(c, m, plane, work),
            S::Screen => {
                let [x, y] = plane.at(0.05 + 0.14 * (1.3 * m.t).sin(), 0.40 + 0.09 * (4.0 * m.t).sin().abs());
                c.circle(x, y, 0.035 * unit, &self.ink(0xff5a4e));
                self.pieces(
                    c,
                    plane,
                    &[
                        Disc(0xffd93b, [0.2, 0.52], 0.022),
                        Disc(0xffd93b, [-0.1, 0.55], 0.022),
                        Bar(0xb9742e, [-0.05, 0.45], [0.06, 0.45], 0.016),
                    ],
                );
            }
            S::Loom => {
                let woven = 0.22 + (0.25 + 0.4 * m.p);
                let rows = ((woven - 0.22) / 0.045) as usize;
                for row in 0..rows {
                    let hex = [0xd8333b, 0xf7b82e, 0x2f8fe0, 0x3fb46b][row % 4];
                    let v = 0.24 + 0.045 * row as f32;
                    bar(c, hex, [-0.20, v], [0.20, v], 0.020);
                }
                for thread in 0..9 {
                    let u = -0.20 + 0.05 * thread as f32;
                    bar(c, 0xf6efdf, [u, woven], [u, 0.92], 0.005);
                }
            }
            S::Wall => self.laid(c, m, plane, &[0xc2553c, 0xb34a34, 0xcc6248], [0.13, 0.07], 5),
            S::Blocks => self.laid(c, m, plane, &[0xe8413c, 0xf7b82e, 0x2f8fe0, 0x3fb46b, 0x9a5bd6], [0.15, 0.14], 2),
            S::Clay => {
                let spin = (9.0 * m.t).sin();
                self.pieces(c, plane, &[Bar(0x6b7078, [0.0, 0.0], [0.0, 0.05], 0.03), Bar(0x8792a0, [-0.17, 0.06], [0.17, 0.06], 0.018)]);
                let wide = 0.11 + 0.008 * spin;
                let high = 0.12 + 0.10 * m.p;
                let points = [
                    [-0.08, 0.08],
                    [-wide, 0.08 + 0.5 * high],
                    [-0.07, 0.08 + high],
                    [0.07, 0.08 + high],
                    [wide, 0.08 + 0.5 * high],
                    [0.08, 0.08],
                ];
                let points: Vec<[f32; 2]> = points.iter().map(|[u, v]| plane.at(*u, *v)).collect();
                Pen::default().polygon(&points).fill(c, &self.ink(0xb9704a));
                bar(c, 0xd08a62, [0.03 * spin - 0.05, 0.08 + 0.5 * high], [0.03 * spin + 0.03, 0.08 + 0.5 * high], 0.007);
                bar(c, 0x8f5235, [-0.06, 0.08 + high], [0.06, 0.08 + high], 0.010);
            }
            S::Groceries => {
                let goods = ["bread", "glass-of-milk", "red-apple", "cheese-wedge", "banana"];
                for (j, name) in goods.iter().enumerate() {
                    let u = 0.42 - ((0.10 * m.t + j as f32 / 5.0).fract()) * 0.84 + 0.08;
                    let [x, y] = plane.at(u, 0.015);
                    self.stamp(c, name, Stamp::at(x, y, 0.13 * unit));
                }
            }
            S::Parcel => {
                let [x, y] = plane.at(0.02, -0.12);
                self.stamp(c, "package", Stamp::at(x, y, 0.26 * unit));
            }
            S::Coins => {
                for pile in 0..4 {
                    let count = [3.0, 5.0, 2.0 + 5.0 * m.p, 4.0][pile] as usize;
                    for coin in 0..count {
                        let [x, y] = plane.at(-0.20 + 0.12 * pile as f32, 0.015 + 0.026 * coin as f32);
                        c.oval(about(x, y, 0.052 * unit, 0.020 * unit), &self.ink(0xd99a1e));
                        c.oval(about(x, y - 0.007 * unit, 0.052 * unit, 0.018 * unit), &self.ink(0xffd34a));
                    }
                }
            }
            S::Grill => {
                let slot = work.object.and_then(|object| self.brief.slots.get(object)).filter(|slot| slot.metres < 0.6);
                let name = slot.map_or("cut-of-meat", |slot| atlas().get(slot.sprite).name.as_str());
                for u in [-0.08, 0.04, 0.16] {
                    let [x, y] = plane.at(u, 0.40);
                    self.stamp(c, name, Stamp::at(x, y, 0.11 * unit));
                }
            }
            S::Pile => self.piled(c, m, plane, work),
            _ => {}
        }
    }
}
