//! Ovals and soft spots, straight from their equation: a frame has hundreds of them and most are a few pixels wide.

use resvg::tiny_skia::Transform;

use super::blend::{self, Surface};
use super::{Puff, Rgb, mapped, shade};

/// Pixels of a row whose coverage is found in one go.
const RUN: usize = 128;
/// Radii in pixels below which an oval grows fainter in place of smaller.
const SMALL: f32 = 0.75;

/// An oval as the unit circle under an affine map.
struct Unit {
    /// Of the unit circle's middle, in pixels.
    centre: [f32; 2],
    /// Pixels to the rim at most, along x and y.
    reach: [f32; 2],
    /// From pixels around the middle to the unit circle: `u = u[0] dx + u[1] dy`, and so `v`.
    u: [f32; 2],
    v: [f32; 2],
}

impl Unit {
    /// Of centre and radii (both in the coordinates before `transform`).
    fn of(transform: Transform, [x, y, rx, ry]: [f32; 4]) -> Option<Self> {
        let [a, c, b, d] = [transform.sx * rx, transform.kx * ry, transform.ky * rx, transform.sy * ry];
        let area = a * d - b * c;
        let centre = mapped(transform, [x, y]);
        let usable = area.is_finite() && area.abs() > 1e-9 && centre.iter().all(|value| value.is_finite());
        usable.then(|| Self { centre, reach: [a.hypot(c), b.hypot(d)], u: [d / area, -c / area], v: [-b / area, a / area] })
    }

    /// Draws a colour wherever `coverage` (0 to 1) of `u`, `v` asks for it, up to `room` pixels beyond the rim.
    fn draw(&self, surface: &mut Surface, ink: Colour, room: f32, coverage: impl Fn(f32, f32) -> f32) {
        let low = [self.centre[0] - self.reach[0] - room, self.centre[1] - self.reach[1] - room];
        let high = [self.centre[0] + self.reach[0] + room, self.centre[1] + self.reach[1] + room];
        let bounds = surface.bounds.within(low, high);
        let most = 255.0 * ink.alpha;
        let mut parts = [0u8; RUN];
        for y in bounds.top..bounds.bottom {
            let dy = y as f32 + 0.5 - self.centre[1];
            let (left, right) = self.chord(dy, room);
            let row = bounds.within([left, y as f32], [right, y as f32 + 1.0]);
            for from in (row.left..row.right).step_by(RUN) {
                let to = row.right.min(from + RUN);
                let dx = from as f32 + 0.5 - self.centre[0];
                let (u, v) = (self.u[0] * dx + self.u[1] * dy, self.v[0] * dx + self.v[1] * dy);
                for (at, part) in parts.iter_mut().take(to - from).enumerate() {
                    let at = at as f32;
                    *part = byte(most * coverage(u + self.u[0] * at, v + self.v[0] * at));
                }
                blend::covered(surface.row(y, from, to), ink.rgb, parts.get(..to - from).unwrap_or_default(), ink.add);
            }
        }
    }

    /// Where the row `dy` pixels below the middle enters and leaves the oval, with `room` and a pixel more at each side.
    fn chord(&self, dy: f32, room: f32) -> (f32, f32) {
        let rim = 1.0 + (room + 1.0) / self.thinnest();
        let a = self.u[0] * self.u[0] + self.v[0] * self.v[0];
        let b = (self.u[0] * self.u[1] + self.v[0] * self.v[1]) * dy;
        let c = (self.u[1] * self.u[1] + self.v[1] * self.v[1]) * dy * dy - rim * rim;
        let half = (b * b - a * c).max(0.0).sqrt();
        (self.centre[0] - (b + half) / a - 1.0, self.centre[0] - (b - half) / a + 1.0)
    }

    /// A radius in pixels that no radius of the oval falls below.
    fn thinnest(&self) -> f32 {
        1.0 / (self.u[0].hypot(self.u[1]).hypot(self.v[0].hypot(self.v[1]))).max(1e-9)
    }
}

/// What a spot is drawn with.
#[derive(Clone, Copy)]
struct Colour {
    /// And 255, as a pixel.
    rgb: [u8; 4],
    alpha: f32,
    add: bool,
}

impl Colour {
    /// `None` for what cannot be seen.
    fn of(colour: Rgb, alpha: f32, add: bool) -> Option<Self> {
        let alpha = alpha.min(1.0);
        (alpha > 0.0).then(|| Self { rgb: shade::premultiplied(colour, 1.0), alpha, add })
    }
}

/// Of a value from 0 to 255, rounded. (The sum's lowest bits are the value: cheaper by far than a cast that saturates.)
fn byte(value: f32) -> u8 {
    (value + 8_388_608.0).to_bits() as u8
}

pub(super) fn puff(surface: &mut Surface, transform: Transform, spot: [f32; 4], colour: Rgb, alpha: f32, look: Puff) {
    let (Some(unit), Some(ink)) = (Unit::of(transform, spot), Colour::of(colour, alpha, look.add)) else { return };
    if look.firm {
        unit.draw(surface, ink, 0.0, |u, v| ((1.0 - (u * u + v * v).sqrt()) * 2.2).clamp(0.0, 1.0));
    } else {
        unit.draw(surface, ink, 0.0, |u, v| {
            let left = (1.0 - (u * u + v * v).sqrt()).max(0.0);
            let root = left.sqrt();
            left * root * (0.8 + 0.2 * root) // left^1.6 to 1 in 200
        });
    }
}

/// Of one colour, with soft edges.
pub(super) fn oval(surface: &mut Surface, transform: Transform, [x, y, rx, ry]: [f32; 4], colour: Rgb, alpha: f32, add: bool) {
    // A soft edge adds a twelfth of a square pixel to the square of a radius.
    let drawn =
        |radius: f32, scale: f32| (((radius * scale).max(SMALL).powi(2) - 1.0 / 12.0).sqrt() / scale, (radius * scale / SMALL).min(1.0));
    let (wide, fainter) = drawn(rx, transform.sx.hypot(transform.ky).max(1e-6));
    let (high, fainter_still) = drawn(ry, transform.kx.hypot(transform.sy).max(1e-6));
    let Some(ink) = Colour::of(colour, alpha * fainter * fainter_still, add).filter(|_| rx > 0.0 && ry > 0.0) else { return };
    let Some(unit) = Unit::of(transform, [x, y, wide, high]) else { return };
    let (a, b) = (unit.u, unit.v);
    unit.draw(surface, ink, 0.5, |u, v| {
        let squared = u * u + v * v;
        // Distance from the rim in pixels: how far off the equation is, over how fast it changes.
        let slope = [u * a[0] + v * b[0], u * a[1] + v * b[1]];
        let steep = (slope[0] * slope[0] + slope[1] * slope[1]).max(1e-12).sqrt();
        let radius = squared.sqrt().max(1e-6);
        (0.5 - (squared - radius) / steep).clamp(0.0, 1.0)
    });
}
