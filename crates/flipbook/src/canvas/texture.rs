//! Pictures on the canvas: upright by rows, bent by triangles. Outside of a picture is nothing, so that its border is as
//! soft as its inside.

use resvg::tiny_skia::Transform;

use super::blend::{self, Row, Surface};
use super::picture::Picture;
use super::{Area, Tint, Vertex, mapped};

/// Pixels that are read.
pub(super) struct Texels<'a> {
    pub width: usize,
    pub height: usize,
    pub pixels: &'a [[u8; 4]],
    /// What of each row is drawn on, where that is known.
    pub rows: Option<&'a [Extent]>,
}

/// The drawn part of a row: `from..to`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Extent {
    pub from: usize,
    pub to: usize,
    /// All of the row, nothing shines through.
    pub opaque: bool,
}

pub(super) fn extents(pixels: &[[u8; 4]], width: usize) -> Vec<Extent> {
    let extent = |row: &[[u8; 4]]| {
        let drawn = |pixel: &[u8; 4]| *pixel != [0; 4];
        let from = row.iter().position(drawn).unwrap_or(row.len());
        let to = row.iter().rposition(drawn).map_or(from, |last| last + 1);
        Extent { from, to, opaque: row.iter().all(|pixel| pixel[3] == 255) }
    };
    pixels.chunks_exact(width.max(1)).map(extent).collect()
}

/// A tint and an opacity, as whole numbers.
pub(super) struct Look {
    tinted: bool,
    /// In 4096ths.
    scale: [i32; 3],
    offset: [i32; 3],
    /// In 255ths.
    alpha: u8,
}

impl Look {
    pub fn of(tint: Tint, alpha: f32) -> Self {
        let whole = |value: f32| (value.clamp(-8.0, 8.0) * 4096.0).round() as i32;
        let (scale, offset) = (tint.scale.0.map(whole), tint.offset.0.map(whole));
        Self { tinted: scale != [4096; 3] || offset != [0; 3], scale, offset, alpha: (alpha.clamp(0.0, 1.0) * 255.0 + 0.5) as u8 }
    }

    fn is_plain(&self) -> bool {
        !self.tinted && self.alpha == 255
    }

    #[inline]
    fn seen(&self, pixel: [u8; 4]) -> [u8; 4] {
        let [r, g, b, a] = pixel;
        let mut seen = pixel;
        if self.tinted {
            let alpha = i32::from(a);
            let channel =
                |value: u8, at: usize| ((i32::from(value) * self.scale[at] + alpha * self.offset[at] + 2048) >> 12).clamp(0, alpha) as u8;
            seen = [channel(r, 0), channel(g, 1), channel(b, 2), a];
        }
        if self.alpha < 255 { blend::shared(seen, self.alpha) } else { seen }
    }
}

/// Two pixels' colours, `part` / 256 of the way from one to the other.
#[inline]
fn between(one: u32, other: u32, part: u32) -> u32 {
    const EVEN: u32 = 0x00ff_00ff;
    const HALF: u32 = 0x0080_0080;
    let left = 256 - part;
    let even = ((one & EVEN) * left + (other & EVEN) * part + HALF) >> 8;
    let odd = ((one >> 8) & EVEN) * left + ((other >> 8) & EVEN) * part + HALF;
    (even & EVEN) | (odd & !EVEN)
}

impl Texels<'_> {
    fn at(&self, x: i64, y: i64) -> u32 {
        let inside = 0 <= x && x < self.width as i64 && 0 <= y && y < self.height as i64;
        let pixel = if inside { self.pixels.get(y as usize * self.width + x as usize) } else { None };
        u32::from_le_bytes(pixel.copied().unwrap_or_default())
    }

    /// Between the pixels whose middles surround (u, v), both in 65536ths of a pixel from the first pixel's middle.
    #[inline(always)]
    fn sample(&self, u: i64, v: i64) -> u32 {
        let (x, y) = (u >> 16, v >> 16);
        let (across, down) = ((u >> 8 & 255) as u32, (v >> 8 & 255) as u32);
        let inside = 0 <= x && x + 1 < self.width as i64 && 0 <= y && y + 1 < self.height as i64;
        let first = if inside { y as usize * self.width + x as usize } else { usize::MAX - self.width - 2 };
        let (upper, lower) = (self.pixels.get(first..first + 2), self.pixels.get(first + self.width..first + self.width + 2));
        let [a, b, c, d] = match (upper, lower) {
            (Some([a, b]), Some([c, d])) => [*a, *b, *c, *d].map(u32::from_le_bytes),
            _ => [self.at(x, y), self.at(x + 1, y), self.at(x, y + 1), self.at(x + 1, y + 1)],
        };
        if a == b && a == c && a == d {
            return a;
        }
        between(between(a, b, across), between(c, d, across), down)
    }

    fn row(&self, y: i64) -> &[[u8; 4]] {
        let inside = 0 <= y && y < self.height as i64;
        if inside { self.pixels.get(y as usize * self.width..(y as usize + 1) * self.width).unwrap_or_default() } else { &[] }
    }

    fn extent(&self, y: i64) -> Extent {
        if y < 0 || y >= self.height as i64 {
            return Extent { from: self.width, to: 0, opaque: false };
        }
        let whole = Extent { from: 0, to: self.width, opaque: false };
        self.rows.map_or(whole, |rows| rows.get(y as usize).copied().unwrap_or_default())
    }
}

/// Stretches a picture over a box in pixels. It is mirrored where right lies left of left.
pub(super) fn upright(surface: &mut Surface, texels: &Texels, area: Area, look: &Look) {
    let (across, down) = (area.right - area.left, area.bottom - area.top);
    if look.alpha == 0 || !(across.is_finite() && down.is_finite()) || across.abs() < 1e-3 || down.abs() < 1e-3 {
        return;
    }
    // Texels for each pixel, and half of a pixel more at each side for the soft border.
    let (step_x, step_y) = (f64::from(texels.width as f32 / across), f64::from(texels.height as f32 / down));
    let (room_x, room_y) = (0.5 / step_x.abs() as f32, 0.5 / step_y.abs() as f32);
    let low = [area.left.min(area.right) - room_x, area.top.min(area.bottom) - room_y];
    let high = [area.left.max(area.right) + room_x, area.top.max(area.bottom) + room_y];
    let bounds = surface.bounds.within(low, high);
    if bounds.is_empty() {
        return;
    }
    let place = |pixel: usize, start: f32, step: f64| (((pixel as f64 + 0.5 - f64::from(start)) * step - 0.5) * 65536.0).round() as i64;
    let columns: Vec<Column> = (bounds.left..bounds.right).map(|x| Column::of(place(x, area.left, step_x), texels.width)).collect();
    // Which pixel of the row lies at a texel or just before it.
    let pixel_of = |texel: f32| (area.left + texel / texels.width as f32 * across - bounds.left as f32).clamp(0.0, columns.len() as f32);
    // Texels of the two rows, mixed, with one of nothing at either end.
    let mut line = vec![[0u8; 4]; texels.width + 2];
    let mut run = vec![[0u8; 4]; columns.len()];
    for y in bounds.top..bounds.bottom {
        let v = place(y, area.top, step_y);
        let (row, part) = (v >> 16, (v >> 8 & 255) as u32);
        let (upper, lower) = (texels.extent(row), texels.extent(row + 1));
        let (mut from, mut to) = (upper.from, upper.to);
        if part > 0 {
            (from, to) = (from.min(lower.from), to.max(lower.to));
        }
        if from >= to {
            continue;
        }
        // Only what lies over drawn texels, a texel more at each side.
        let ends = [pixel_of(from as f32 - 1.0), pixel_of(to as f32 + 1.0)];
        let (first, last) = (ends[0].min(ends[1]).floor() as usize, ends[0].max(ends[1]).ceil() as usize);
        let (Some(columns), Some(run)) = (columns.get(first..last), run.get_mut(first..last)) else { continue };
        let Some((start, end)) = columns.first().zip(columns.last()).map(|(a, b)| (a.at.min(b.at), a.at.max(b.at) + 2)) else { continue };
        mix_rows(&mut line, texels.row(row), texels.row(row + 1), part, [start, end]);
        resample(run, &line, columns, step_x == 1.0);
        if !look.is_plain() {
            run.iter_mut().for_each(|pixel| *pixel = look.seen(*pixel));
        }
        let target = surface.row(y, bounds.left + first, bounds.left + last);
        let opaque = upper.opaque && (part == 0 || lower.opaque);
        let inner = start >= 1 && end <= texels.width + 1;
        if opaque && inner && target.mask.is_none() && look.alpha == 255 {
            target.pixels.copy_from_slice(run);
        } else {
            blend::pixels(target, run, false);
        }
    }
}

/// Where a pixel reads: between the texels `at` and `at + 1` of a line with one of nothing at either end.
struct Column {
    at: usize,
    /// In 256ths.
    part: u16,
}

impl Column {
    /// Of a place in 65536ths of a texel.
    fn of(place: i64, width: usize) -> Self {
        Self { at: ((place >> 16) + 1).clamp(0, width as i64) as usize, part: (place >> 8 & 255) as u16 }
    }
}

/// `part` / 256 of the way from one row to the next, into `line` between `start` and `end`. A missing row is transparent,
/// and so are the ends of the line.
fn mix_rows(line: &mut [[u8; 4]], upper: &[[u8; 4]], lower: &[[u8; 4]], part: u32, [start, end]: [usize; 2]) {
    let (start, end) = (start.max(1), end.min(line.len() - 1));
    let Some(inner) = line.get_mut(start..end) else { return };
    let upper = upper.get(start - 1..end - 1).unwrap_or_default();
    let lower = lower.get(start - 1..end - 1).unwrap_or_default();
    let (part, left) = (part as u16, 256 - part as u16);
    let faded = |inner: &mut [[u8; 4]], row: &[[u8; 4]], part: u16| {
        for (to, value) in inner.as_flattened_mut().iter_mut().zip(row.as_flattened()) {
            *to = ((u16::from(*value) * part + 128) >> 8) as u8;
        }
    };
    match (upper.is_empty(), lower.is_empty()) {
        (true, true) => inner.fill([0; 4]),
        (false, _) if part == 0 => inner.copy_from_slice(upper),
        (false, true) => faded(inner, upper, left),
        (true, false) => faded(inner, lower, part),
        (false, false) => {
            for ((to, upper), lower) in inner.as_flattened_mut().iter_mut().zip(upper.as_flattened()).zip(lower.as_flattened()) {
                *to = ((u16::from(*upper) * left + u16::from(*lower) * part + 128) >> 8) as u8;
            }
        }
    }
}

/// Reads `line` at `columns`, which lie a texel apart if `even`.
fn resample(run: &mut [[u8; 4]], line: &[[u8; 4]], columns: &[Column], even: bool) {
    if even {
        // Every pixel lies at the same place between two texels.
        let Some(Column { at, part }) = columns.first() else { return };
        let (part, left) = (*part, 256 - *part);
        let texels = line.get(*at..).unwrap_or_default();
        let next = texels.get(1..).unwrap_or_default();
        let (inside, beyond) = run.split_at_mut(run.len().min(next.len()));
        for ((to, texel), next) in inside.as_flattened_mut().iter_mut().zip(texels.as_flattened()).zip(next.as_flattened()) {
            *to = ((u16::from(*texel) * left + u16::from(*next) * part + 128) >> 8) as u8;
        }
        beyond.fill([0; 4]);
        return;
    }
    for (to, column) in run.iter_mut().zip(columns) {
        let Some([one, other]) = line.get(column.at..column.at + 2) else { continue };
        *to = if one == other {
            *one
        } else {
            between(u32::from_le_bytes(*one), u32::from_le_bytes(*other), u32::from(column.part)).to_le_bytes()
        };
    }
}

/// Stretches a picture over a box under a transform that turns or slants it.
pub(super) fn quad(surface: &mut Surface, texels: &Texels, transform: Transform, area: Area, look: &Look) {
    let (width, height) = (texels.width as f32, texels.height as f32);
    // Half a texel more at each side, for the soft border.
    let place = |u: f32, v: f32| {
        let x = area.left + (area.right - area.left) * u / width;
        let y = area.top + (area.bottom - area.top) * v / height;
        Vertex { at: mapped(transform, [x, y]), from: [u, v] }
    };
    let (left, top, right, bottom) = (-0.5, -0.5, width + 0.5, height + 0.5);
    mesh(surface, texels, &[place(left, top), place(right, top), place(left, bottom), place(right, bottom)], 1, 1, look);
}

/// A grid of cells, two triangles each; corners are in pixels.
pub(super) fn mesh(surface: &mut Surface, texels: &Texels, corners: &[Vertex], columns: usize, rows: usize, look: &Look) {
    if look.alpha == 0 || corners.len() < (columns + 1) * (rows + 1) {
        return;
    }
    for row in 0..rows {
        for column in 0..columns {
            let first = row * (columns + 1) + column;
            let below = first + columns + 1;
            for corners in [[first, first + 1, below], [first + 1, below + 1, below]].map(|places| places.map(|place| corners[place])) {
                if look.is_plain() {
                    triangle(surface, texels, corners, |pixel| pixel);
                } else {
                    triangle(surface, texels, corners, |pixel| look.seen(pixel));
                }
            }
        }
    }
}

/// One side of a triangle, from its upper to its lower end: neighbours compute the same numbers for it.
struct Side {
    x: f64,
    y: f64,
    slope: f64,
}

impl Side {
    fn of(upper: [f64; 2], lower: [f64; 2]) -> Self {
        Self { x: upper[0], y: upper[1], slope: (lower[0] - upper[0]) / (lower[1] - upper[1]) }
    }

    fn at(&self, y: f64) -> f64 {
        self.x + (y - self.y) * self.slope
    }
}

/// Draws every pixel whose middle lies inside, or on a left or upper side.
fn triangle(surface: &mut Surface, texels: &Texels, mut corners: [Vertex; 3], look: impl Fn([u8; 4]) -> [u8; 4]) {
    if corners.iter().any(|corner| !(corner.at[0].is_finite() && corner.at[1].is_finite())) {
        return;
    }
    corners.sort_by(|a, b| (a.at[1], a.at[0]).partial_cmp(&(b.at[1], b.at[0])).unwrap_or(std::cmp::Ordering::Equal));
    let [a, b, c] = corners.map(|corner| corner.at.map(f64::from));
    let [(bx, by), (cx, cy)] = [(b[0] - a[0], b[1] - a[1]), (c[0] - a[0], c[1] - a[1])];
    let doubled = bx * cy - by * cx;
    if doubled.abs() < 1e-9 {
        return;
    }
    // The picture's coordinates as planes over the canvas.
    let [fa, fb, fc] = corners.map(|corner| corner.from.map(f64::from));
    let plane = |axis: usize| {
        let (at_b, at_c) = (fb[axis] - fa[axis], fc[axis] - fa[axis]);
        [(at_b * cy - at_c * by) / doubled, (at_c * bx - at_b * cx) / doubled]
    };
    let (along_u, along_v) = (plane(0), plane(1));
    let (step_u, step_v) = ((along_u[0] * 65536.0) as i64, (along_v[0] * 65536.0) as i64);
    let (long, upper, lower) = (Side::of(a, c), Side::of(a, b), Side::of(b, c));
    let bounds = surface.bounds;
    let whole = |value: f64, low: usize, high: usize| (value - 0.5).ceil().clamp(low as f64, high as f64) as usize;
    for y in whole(a[1], bounds.top, bounds.bottom)..whole(c[1], bounds.top, bounds.bottom) {
        let middle = y as f64 + 0.5;
        let other = if middle < b[1] { upper.at(middle) } else { lower.at(middle) };
        let (left, right) = if doubled > 0.0 { (long.at(middle), other) } else { (other, long.at(middle)) };
        let (from, to) = (whole(left, bounds.left, bounds.right), whole(right, bounds.left, bounds.right));
        if from >= to {
            continue;
        }
        let (dx, dy) = (from as f64 + 0.5 - a[0], middle - a[1]);
        let start = |axis: usize, along: [f64; 2]| ((fa[axis] - 0.5 + along[0] * dx + along[1] * dy) * 65536.0).round() as i64;
        let (mut u, mut v) = (start(0, along_u), start(1, along_v));
        let Row { pixels, mask } = surface.row(y, from, to);
        let mut last = (0, [0; 4]); // drawings are flat: mostly the next texel is like the one before
        for (at, under) in pixels.iter_mut().enumerate() {
            let sample = texels.sample(u, v);
            (u, v) = (u.wrapping_add(step_u), v.wrapping_add(step_v));
            if sample == 0 {
                continue;
            }
            if sample != last.0 {
                last = (sample, look(sample.to_le_bytes()));
            }
            let mut pixel = last.1;
            if let Some(mask) = mask {
                pixel = blend::shared(pixel, mask.get(at).copied().unwrap_or_default());
            }
            match pixel[3] {
                255 => *under = pixel,
                _ => blend::one(under, pixel, false),
            }
        }
    }
}

/// A picture of half the width and height: each pixel is the mean of four.
pub(crate) fn halved(picture: &Picture) -> Picture {
    let (width, height) = (picture.width.div_ceil(2).max(1), picture.height.div_ceil(2).max(1));
    let mut pixels = Vec::with_capacity(width * height);
    let texels = Texels { width: picture.width, height: picture.height, pixels: &picture.pixels, rows: None };
    for y in 0..height {
        let (upper, lower) = (texels.row(2 * y as i64), texels.row(2 * y as i64 + 1));
        for x in 0..width {
            let four = [upper.get(2 * x), upper.get(2 * x + 1), lower.get(2 * x), lower.get(2 * x + 1)];
            let sum = |channel: usize| four.iter().flatten().map(|pixel| u16::from(pixel[channel])).sum::<u16>();
            pixels.push(std::array::from_fn(|channel| ((sum(channel) + 2) / 4) as u8));
        }
    }
    Picture { width, height, pixels }
}

/// A smaller version of a picture that is drawn `drawn` pixels wide and high, where that is less than half of its size.
pub(super) fn shrunk(picture: &Picture, drawn: [f32; 2]) -> Option<Picture> {
    let mut smaller: Option<Picture> = None;
    loop {
        let now = smaller.as_ref().unwrap_or(picture);
        let fits = now.width as f32 <= 2.0 * drawn[0].max(1.0) || now.height as f32 <= 2.0 * drawn[1].max(1.0);
        if fits || now.width.min(now.height) <= 1 {
            return smaller;
        }
        smaller = Some(halved(now));
    }
}
