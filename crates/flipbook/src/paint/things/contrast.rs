//! Things stand out from what is behind them: where both are about as light, an edge of light (or of shade) and a glow behind
//! it set them apart.

use super::warp::Lay;
use crate::canvas::{Canvas, Puff, Rgb, Tint};
use crate::layout::extent;
use crate::paint::film::{Film, Moment};
use crate::paint::kept::Apart;
use crate::paint::shape::BLEED;
use crate::pose::Pose;

/// Difference in lightness, 0 to 1, from which on nothing has to help.
const ENOUGH: f32 = 0.16;
const ENOUGH_AT_NIGHT: f32 = 0.24;
/// The same of red, green and blue together.
const ENOUGH_HUE: f32 = 0.45;
/// Breadth of the edge in short sides.
const EDGE: f32 = 0.006;

/// Lightness, 0 to 1.
pub(in crate::paint) fn lightness(colour: Rgb) -> f32 {
    let [red, green, blue] = colour.0;
    0.299 * red + 0.587 * green + 0.114 * blue
}

impl Film {
    /// Of every slot, where it is at mid-clip.
    pub(in crate::paint) fn measured_contrast(&self) -> Vec<Apart> {
        (0..self.brief.slots.len())
            .map(|place| self.contrast(place).unwrap_or(Apart { need: 0.0, edge: Rgb::WHITE, glow: Rgb::WHITE }))
            .collect()
    }

    fn contrast(&self, place: usize) -> Option<Apart> {
        const SAMPLES: usize = 5;
        let (slot, object) = (self.brief.slots.get(place)?, self.layout.objects.get(place)?);
        let [w, h] = extent(slot, object.size, self.brief.aspect);
        let own = self.cast.drawing(place)?.mean().tinted(self.light.ambient);
        let mut behind = Rgb::BLACK;
        for j in 0..SAMPLES * SAMPLES {
            let share = |step: usize| step as f32 / (SAMPLES - 1) as f32;
            let at = [object.x + (share(j % SAMPLES) - 0.5) * 1.1 * w, object.y - (1.05 * share(j / SAMPLES) + 0.02) * h];
            let seen = self.seen_behind([at[0] * self.width, at[1] * self.height]);
            behind = Rgb(std::array::from_fn(|i| behind.0[i] + seen.0[i] / (SAMPLES * SAMPLES) as f32));
        }
        let hues = own.0.iter().zip(behind.0).map(|(one, other)| (one - other).powi(2)).sum::<f32>().sqrt();
        let (own, ground) = (lightness(own), lightness(behind));
        let enough = if self.light.dark { ENOUGH_AT_NIGHT } else { ENOUGH };
        let need = (1.0 - (own - ground).abs() / enough).min(1.0 - hues / ENOUGH_HUE).clamp(0.0, 1.0);
        // Pale on dark, for what is pale itself on a pale ground dark.
        let edge = if own.min(ground) > 0.6 { behind.times(0.45) } else { behind.mix(self.light.sun.mix(Rgb::WHITE, 0.4), 0.75) };
        Some(Apart { need, edge, glow: behind.mix(edge, 0.55) })
    }

    /// The scenery at a point of the frame, with the camera in the middle of its way.
    pub(in crate::paint) fn seen_behind(&self, [x, y]: [f32; 2]) -> Rgb {
        let (x, y) = (x.clamp(0.0, self.width - 1.0), y.clamp(0.0, self.height - 1.0));
        if let Some(colour) = self.water_at(y) {
            return colour;
        }
        let (mut colour, mut left) = (Rgb::BLACK, 1.0);
        let still = self.sky.still.iter().map(|still| (still, -BLEED, -BLEED));
        for (canvas, from, top) in self.strips.iter().rev().map(|strip| (&strip.canvas, strip.left, strip.top)).chain(still) {
            let (px, py) = ((x - from) as usize, (y - top).max(-1.0) as i64);
            if py < 0 || py as usize >= canvas.height() || px >= canvas.width() {
                continue;
            }
            let Some([red, green, blue, alpha]) = canvas.pixels().get(py as usize * canvas.width() + px) else { continue };
            let seen = [*red, *green, *blue].map(|value| f32::from(value) / 255.0 * left);
            colour = Rgb(std::array::from_fn(|i| colour.0[i] + seen[i]));
            left *= 1.0 - f32::from(*alpha) / 255.0;
            if left < 0.02 {
                break;
            }
        }
        Rgb(std::array::from_fn(|i| colour.0[i] + left * self.light.sky[1].0[i]))
    }

    /// Draws what sets a thing apart, behind it.
    pub(super) fn set_apart(&self, c: &mut Canvas, m: &Moment, place: usize, pose: &Pose) {
        let Some(apart) = self.apart.get(place).filter(|apart| apart.need > 0.05 && pose.alpha > 0.5) else { return };
        let (wide, high) = (pose.w * self.width * pose.scale, pose.h * self.height * pose.scale);
        let y = (pose.y - pose.lift) * self.height - 0.5 * high;
        c.puff(pose.x * self.width, y, 0.95 * wide.max(0.6 * high), 0.80 * high, apart.glow, 0.42 * apart.need, Puff::default());
        let share = EDGE * self.short / high.max(1.0);
        let wider = Pose { scale: pose.scale * (1.0 + 2.0 * share), lift: pose.lift - share * high / self.height, ..*pose };
        self.draw(c, m, place, &wider, Tint::solid(apart.edge), (0.35 + 0.55 * apart.need) * pose.alpha, Lay::Upright);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Backdrop, Hour, Motion, Relation, Weather};
    use crate::layout;
    use crate::random::Random;
    use crate::scene::{Program, Thing};
    use crate::sprites::atlas;

    /// Share of a thing's outline along which it is lighter or darker than what is right outside by a fifteenth.
    fn seen_outline(film: &Film) -> f32 {
        const STEP: i64 = 3;
        let (m, wide) = (Moment::at(film, film.frames / 2), film.width as i64);
        let mut shape = Canvas::new(film.width as usize, film.height as usize);
        shape.within(film.camera(&m), |c| film.draw(c, &m, 0, &m.poses[0], Tint::NONE, 1.0, Lay::Upright));
        let inside = |x: i64, y: i64| shape.pixels().get((y * wide + x) as usize).is_some_and(|pixel| pixel[3] > 127);
        let frame = film.frame(film.frames / 2);
        let light = |x: i64, y: i64| {
            let pixel = &frame[3 * (y * wide + x) as usize..][..3];
            lightness(Rgb([0, 1, 2].map(|channel| f32::from(pixel[channel]) / 255.0)))
        };
        let (mut edges, mut seen) = (0, 0);
        for y in 8..film.height as i64 - 8 {
            for x in 8..wide - 8 {
                for (dx, dy) in [(1, 0), (-1, 0), (0, -1)] {
                    if inside(x, y) && !inside(x + dx, y + dy) && !inside(x + STEP * dx, y + STEP * dy) {
                        let own = light(x - 2 * dx, y - 2 * dy);
                        let far = (1..=STEP).map(|step| (light(x + step * dx, y + step * dy) - own).abs()).fold(0.0, f32::max);
                        (edges, seen) = (edges + 1, seen + usize::from(far > 1.0 / 15.0));
                    }
                }
            }
        }
        assert!(edges > 100, "{edges}");
        seen as f32 / edges as f32
    }

    #[test]
    fn dark_things_are_seen_on_dark_ground_and_pale_ones_on_pale() {
        let cases = [
            ("black-cat", Backdrop::Forest, Hour::Night),
            ("black-cat", Backdrop::City, Hour::Night),
            ("ninja", Backdrop::Street, Hour::Night),
            ("gorilla", Backdrop::Jungle, Hour::Night),
            ("camel-figure", Backdrop::Desert, Hour::Sunset),
            ("sheep-figure", Backdrop::Snowfield, Hour::Day),
        ];
        for (sprite, backdrop, hour) in cases {
            let thing = Thing {
                sprite: atlas().named(sprite).expect("a drawing"),
                motion: Motion::Idle,
                colour: None,
                size: 1,
                count: 1,
                relation: Relation::None,
                parent: None,
                effect: None,
                act: None,
                course: None,
                added: false,
            };
            let program =
                Program { things: vec![thing], backdrop, weather: Weather::Clear, hour, setting: None, aurora: false, caption: None };
            let brief = layout::brief(&program, 1.0, 2.0);
            let layout = layout::write(&brief, &mut Random::new(4));
            let film = Film::of_layout(program, brief, layout, 256, 256, 24, 4);
            let seen = seen_outline(&film);
            assert!(seen > 0.72, "{sprite} in {backdrop:?}: {seen}");
        }
    }
}
