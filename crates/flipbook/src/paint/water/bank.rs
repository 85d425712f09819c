//! Who has feet and does not swim stands at the water, not in it: a bank reaches from the side of the frame under their feet.

use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::{Act, Backdrop, Kind, Motion, Relation, Setting};
use crate::layout::{Zone, zone};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::Pen;
use crate::sprites::atlas;

/// Who is at home in water.
const AT_HOME: [&str; 12] =
    ["duck", "swan", "goose", "otter", "turtle", "crocodile", "frog", "mermaid", "beaver", "hippopotamus", "swimming", "merperson"];

impl Film {
    /// Whether a slot stands on a bank.
    pub(in crate::paint) fn is_ashore(&self, place: usize) -> bool {
        let Some(slot) = self.brief.slots.get(place) else { return false };
        let walks = matches!(slot.kind, Kind::Animal | Kind::Person) && self.cast.figure(place).is_some();
        let dry = matches!(
            slot.motion,
            Motion::Still | Motion::Idle | Motion::Walk | Motion::Run | Motion::Dance | Motion::Shake | Motion::Play | Motion::Jump
        );
        let name = &atlas().get(slot.sprite).name;
        let act = self.program.things.get(slot.thing).and_then(|thing| thing.act);
        self.medium == Medium::Water
            && self.program.setting != Some(Setting::HotSpring)
            && (self.root(place) == place || slot.relation == Relation::Play)
            && walks
            && dry
            && zone(slot, self.brief.backdrop) == Zone::Surface
            && !matches!(act, Some(Act::Water | Act::Splash | Act::Bathe))
            && (self.sits_on_a_pad(place) || !AT_HOME.iter().any(|part| name.contains(part)))
    }

    /// Frogs sit on the leaves of water lilies.
    fn sits_on_a_pad(&self, place: usize) -> bool {
        let frog = self.brief.slots.get(place).is_some_and(|slot| atlas().get(slot.sprite).name.contains("frog"));
        frog && self.program.setting == Some(Setting::LilyPond)
    }

    /// Draws the bank that a slot stands on.
    pub(in crate::paint) fn bank(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(pose), Some(object)) = (m.poses.get(place), self.layout.objects.get(place)) else { return };
        if self.sits_on_a_pad(place) {
            return self.pad_under(c, m, place);
        }
        let sand = self.brief.backdrop == Backdrop::Sea;
        let (short, foot) = (self.short, pose.y * self.height);
        // Behind its back, so that it faces the water; with nothing between it and the near side of the frame.
        let side = if object.dir < 0.0 { 1.0 } else { -1.0 };
        let edge = if side > 0.0 { self.width + 0.1 * short } else { -0.1 * short };
        let nose = pose.x * self.width - side * (0.62 * pose.w * self.width * pose.scale + 0.05 * short);
        let (low, rise) = (self.height + 0.1 * short, 0.035 * short);
        let lit = |hex: u32| self.light.lit(Rgb::hex(hex));
        let (top, soil, wet) = match (sand, self.light.white) {
            (_, true) => (lit(0xf4f8fc), lit(0xd5e2ee), lit(0xb9cfe0)),
            (true, _) => (lit(0xf0d9a4), lit(0xdcbf86), lit(0xc2a16c)),
            _ => (lit(0x6fbf52), lit(0x4f9a40), lit(0x7d6a48)),
        };
        let shape = |inset: f32| {
            let nose = nose + side * inset;
            let back = pose.x * self.width + side * 0.9 * pose.w * self.width;
            Pen::at(nose, foot + 0.030 * short)
                .cubic([nose + side * 0.01 * short, foot - 0.5 * rise], [back - side * 0.2 * short, foot - rise], edge, foot - 1.6 * rise)
                .line(edge, low)
                .line(nose + side * 0.34 * short, low)
                .cubic(
                    [nose + side * 0.22 * short, foot + 0.22 * short],
                    [nose - side * 0.02 * short, foot + 0.10 * short],
                    nose,
                    foot + 0.030 * short,
                )
                .close()
        };
        let foam = self.light.lit(Rgb::WHITE).mix(Rgb::WHITE, 0.4);
        shape(-0.022 * short - 0.005 * short * (1.8 * m.t).sin()).fill(c, &Ink::flat(foam, 0.35));
        shape(0.0).fill(c, &Ink::flat(wet, 1.0));
        shape(0.012 * short).fill(c, &Ink::linear([0.0, foot - rise], [0.0, low], &[(top, 1.0), (soil, 1.0)]));
        if !sand {
            // Blades along the rim.
            for j in 0..16 {
                let share = j as f32 / 16.0;
                let x = nose + side * (0.03 * short + share * (edge - nose).abs());
                let y = foot + 0.02 * short - share * 1.6 * rise + 0.10 * short * (3.1 * j as f32).sin().abs();
                let sway = 0.008 * short * (1.6 * m.t + j as f32).sin();
                Pen::at(x - 0.008 * short, y)
                    .line(x + sway, y - 0.03 * short)
                    .line(x + 0.008 * short, y)
                    .close()
                    .fill(c, &Ink::flat(soil, 1.0));
            }
        }
    }
}
