//! Inks: what colour a pixel of a filled shape has, and rectangles, which need nothing else.

use resvg::tiny_skia::{self, Color, GradientStop, LinearGradient, RadialGradient, SpreadMode, Transform};

use super::blend::{self, Row, Surface};
use super::{Rgb, Shade, Stop, mapped};

/// Pixels of a row whose colours are found in one go.
const RUN: usize = 256;
/// Colours along a gradient that is looked up.
const STEPS: usize = 512;

/// A shade in pixels.
pub(super) enum Shader<'a> {
    Flat([u8; 4]),
    /// The place along the gradient is `slope * y + start`: every row has one colour.
    Rows {
        slope: f32,
        start: f32,
        stops: &'a [Stop],
    },
    /// The place is `slope[0] * x + slope[1] * y + start`.
    Slanted {
        slope: [f32; 2],
        start: f32,
        table: Vec<[u8; 4]>,
    },
    /// The place is the distance from the middle after `back`.
    Round {
        back: Transform,
        table: Vec<[u8; 4]>,
    },
}

impl<'a> Shader<'a> {
    /// `None` for what cannot be seen.
    pub fn of(shade: &'a Shade, transform: Transform) -> Option<Self> {
        match shade {
            Shade::Flat(colour, alpha) => Some(premultiplied(*colour, *alpha)).filter(|colour| *colour != [0; 4]).map(Self::Flat),
            Shade::Linear { from, to, stops } => {
                let back = transform.invert()?;
                let along = [to[0] - from[0], to[1] - from[1]];
                let length = along[0] * along[0] + along[1] * along[1];
                if length <= 1e-9 {
                    return Some(Self::Flat(colour_at(stops, 1.0)));
                }
                let [dx, dy] = along.map(|value| value / length);
                let slope = [back.sx * dx + back.ky * dy, back.kx * dx + back.sy * dy];
                let start = (back.tx - from[0]) * dx + (back.ty - from[1]) * dy;
                // A row of 10,000 pixels changes by less than one step of 8 bits.
                if slope[0].abs() < 1e-7 {
                    return Some(Self::Rows { slope: slope[1], start, stops });
                }
                Some(Self::Slanted { slope, start, table: table(stops) })
            }
            Shade::Radial { centre, radius, stops } => {
                let radius = radius.max(1e-3);
                let back = transform.invert()?.post_translate(-centre[0], -centre[1]).post_scale(1.0 / radius, 1.0 / radius);
                Some(Self::Round { back, table: table(stops) })
            }
        }
    }
}

/// Fills a box in pixels. Edges between pixels are soft.
pub(super) fn rect(surface: &mut Surface, low: [f32; 2], high: [f32; 2], shader: &Shader, add: bool) {
    let bounds = surface.bounds.within(low, high);
    if bounds.is_empty() {
        return;
    }
    let inside = |from: f32, to: f32, pixel: usize| (to.min(pixel as f32 + 1.0) - from.max(pixel as f32)).clamp(0.0, 1.0);
    for y in bounds.top..bounds.bottom {
        let down = inside(low[1], high[1], y);
        // One soft pixel at each side; what lies between them is alike.
        let left = inside(low[0], high[0], bounds.left);
        let right = if bounds.right - bounds.left > 1 { inside(low[0], high[0], bounds.right - 1) } else { 1.0 };
        let from = bounds.left + usize::from(left < 1.0);
        let to = bounds.right - usize::from(right < 1.0);
        if left < 1.0 {
            span(surface.row(y, bounds.left, bounds.left + 1), bounds.left, y, part(left * down), shader, add);
        }
        span(surface.row(y, from, to.max(from)), from, y, part(down), shader, add);
        if right < 1.0 {
            span(surface.row(y, bounds.right - 1, bounds.right), bounds.right - 1, y, part(right * down), shader, add);
        }
    }
}

fn part(share: f32) -> u8 {
    (share * 255.0 + 0.5) as u8
}

/// Fills a row that begins at (x, y), all of it covered by `part` / 255.
fn span(row: Row, x: usize, y: usize, part: u8, shader: &Shader, add: bool) {
    if row.pixels.is_empty() || part == 0 {
        return;
    }
    let (centre, height) = (x as f32 + 0.5, y as f32 + 0.5);
    match shader {
        Shader::Flat(colour) => blend::flat(row, blend::shared(*colour, part), add),
        Shader::Rows { slope, start, stops } => blend::flat(row, blend::shared(colour_at(stops, slope * height + start), part), add),
        Shader::Slanted { slope, start, table } => {
            let start = slope[1] * height + start;
            runs(row, part, add, |at| pick(table, slope[0] * (centre + at) + start));
        }
        Shader::Round { back, table } => {
            let [u, v] = mapped(*back, [centre, height]);
            runs(row, part, add, |at| {
                let (u, v) = (u + back.sx * at, v + back.ky * at);
                pick(table, (u * u + v * v).sqrt())
            });
        }
    }
}

fn runs(row: Row, part: u8, add: bool, colour: impl Fn(f32) -> [u8; 4]) {
    let mut run = [[0; 4]; RUN];
    let Row { pixels, mask } = row;
    for (place, pixels) in pixels.chunks_mut(RUN).enumerate() {
        let from = place * RUN;
        for (at, pixel) in run.iter_mut().take(pixels.len()).enumerate() {
            *pixel = colour((from + at) as f32);
        }
        if part < 255 {
            run.iter_mut().for_each(|pixel| *pixel = blend::shared(*pixel, part));
        }
        let mask = mask.and_then(|mask| mask.get(from..from + pixels.len()));
        blend::pixels(Row { pixels, mask }, &run, add);
    }
}

fn pick(table: &[[u8; 4]], place: f32) -> [u8; 4] {
    table.get((place.clamp(0.0, 1.0) * (STEPS - 1) as f32 + 0.5) as usize).copied().unwrap_or_default()
}

fn table(stops: &[Stop]) -> Vec<[u8; 4]> {
    (0..STEPS).map(|step| colour_at(stops, step as f32 / (STEPS - 1) as f32)).collect()
}

/// The colour at a place along a gradient; before the first stop and after the last nothing changes.
fn colour_at(stops: &[Stop], place: f32) -> [u8; 4] {
    let (Some(first), Some(last)) = (stops.first(), stops.last()) else { return [0; 4] };
    let next = stops.iter().position(|stop| stop.0 > place);
    let (before, after) = match next {
        None => (last, last),
        Some(next) => (next.checked_sub(1).and_then(|before| stops.get(before)).unwrap_or(first), stops.get(next).unwrap_or(last)),
    };
    let share = if after.0 > before.0 { (place - before.0) / (after.0 - before.0) } else { 0.0 };
    let (colour, alpha) = (before.1.mix(after.1, share), before.2 + (after.2 - before.2) * share);
    premultiplied(colour, alpha)
}

/// As 8 bits each; what lies outside of 0 to 1 is clamped.
pub(super) fn premultiplied(colour: Rgb, alpha: f32) -> [u8; 4] {
    let alpha = alpha.clamp(0.0, 1.0);
    let [r, g, b] = colour.0.map(|value| (value.clamp(0.0, 1.0) * alpha * 255.0 + 0.5) as u8);
    [r, g, b, (alpha * 255.0 + 0.5) as u8]
}

/// As tiny-skia wants it; `None` for what cannot be seen.
pub(super) fn of_tiny_skia(shade: &Shade) -> Option<tiny_skia::Shader<'static>> {
    let point = |[x, y]: [f32; 2]| tiny_skia::Point::from_xy(x, y);
    let listed = |stops: &[Stop]| stops.iter().map(|(at, colour, alpha)| GradientStop::new(*at, straight(*colour, *alpha))).collect();
    let last = |stops: &[Stop]| stops.last().map(|(_, colour, alpha)| tiny_skia::Shader::SolidColor(straight(*colour, *alpha)));
    match shade {
        Shade::Flat(colour, alpha) => Some(tiny_skia::Shader::SolidColor(straight(*colour, *alpha))).filter(|_| *alpha > 0.0),
        Shade::Linear { from, to, stops } => {
            let gradient = LinearGradient::new(point(*from), point(*to), listed(stops), SpreadMode::Pad, Transform::identity());
            gradient.or_else(|| last(stops))
        }
        Shade::Radial { centre, radius, stops } => {
            let (centre, radius) = (point(*centre), radius.max(1e-3));
            let gradient = RadialGradient::new(centre, 0.0, centre, radius, listed(stops), SpreadMode::Pad, Transform::identity());
            gradient.or_else(|| last(stops))
        }
    }
}

fn straight(colour: Rgb, alpha: f32) -> Color {
    let [r, g, b] = colour.0.map(|value| value.clamp(0.0, 1.0));
    Color::from_rgba(r, g, b, alpha.clamp(0.0, 1.0)).unwrap_or(Color::TRANSPARENT)
}
