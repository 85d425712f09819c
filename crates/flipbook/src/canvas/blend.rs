//! What becomes of a row of pixels when something is drawn over it. Everything is premultiplied, 8 bits each.

use super::area::Bounds;

/// Rows that may be drawn on.
pub(super) struct Surface<'a> {
    pub pixels: &'a mut [[u8; 4]],
    /// Pixels from one row to the next.
    pub stride: usize,
    pub bounds: Bounds,
    /// One byte for each pixel.
    pub mask: Option<&'a [u8]>,
}

/// One row of a surface, or a part of it.
pub(super) struct Row<'a> {
    pub pixels: &'a mut [[u8; 4]],
    pub mask: Option<&'a [u8]>,
}

impl Surface<'_> {
    /// Pixels `from..to` of row `y`; nothing where that is empty or outside.
    pub fn row(&mut self, y: usize, from: usize, to: usize) -> Row<'_> {
        let (from, to) = (from.max(self.bounds.left), to.min(self.bounds.right));
        if from >= to || y < self.bounds.top || y >= self.bounds.bottom {
            return Row { pixels: &mut [], mask: None };
        }
        let range = y * self.stride + from..y * self.stride + to;
        let mask = self.mask.and_then(|mask| mask.get(range.clone()));
        Row { pixels: self.pixels.get_mut(range).unwrap_or_default(), mask }
    }
}

/// `value / 255`, rounded.
fn per_255(value: u16) -> u16 {
    let value = value + 128;
    (value + (value >> 8)) >> 8
}

/// `part / 255` of a value.
pub(super) fn share(value: u8, part: u8) -> u8 {
    per_255(u16::from(value) * u16::from(part)) as u8
}

pub(super) fn shared(pixel: [u8; 4], part: u8) -> [u8; 4] {
    pixel.map(|value| share(value, part))
}

fn over_one(under: &mut [u8; 4], pixel: [u8; 4]) {
    let rest = 255 - u16::from(pixel[3]);
    for (under, value) in under.iter_mut().zip(pixel) {
        *under = value.saturating_add(per_255(u16::from(*under) * rest) as u8);
    }
}

fn add_one(under: &mut [u8; 4], pixel: [u8; 4]) {
    for (under, value) in under.iter_mut().zip(pixel) {
        *under = under.saturating_add(value);
    }
}

pub(super) fn one(under: &mut [u8; 4], pixel: [u8; 4], add: bool) {
    if add { add_one(under, pixel) } else { over_one(under, pixel) }
}

/// One colour over a row.
pub(super) fn flat(row: Row, colour: [u8; 4], add: bool) {
    if let Some(mask) = row.mask {
        row.pixels.iter_mut().zip(mask).for_each(|(under, part)| one(under, shared(colour, *part), add));
    } else if add {
        let (blocks, rest) = row.pixels.as_chunks_mut::<4>();
        for block in blocks {
            for (at, under) in block.as_flattened_mut().iter_mut().enumerate() {
                *under = under.saturating_add(colour[at % 4]);
            }
        }
        rest.iter_mut().for_each(|under| add_one(under, colour));
    } else if colour[3] == 255 {
        row.pixels.fill(colour);
    } else if colour[3] > 0 {
        let rest_of = 255 - u16::from(colour[3]);
        let (blocks, rest) = row.pixels.as_chunks_mut::<4>();
        for block in blocks {
            for (at, under) in block.as_flattened_mut().iter_mut().enumerate() {
                *under = colour[at % 4].saturating_add(per_255(u16::from(*under) * rest_of) as u8);
            }
        }
        rest.iter_mut().for_each(|under| over_one(under, colour));
    }
}

/// One colour (red, green, blue, 255) over a row, each pixel with an opacity of its own.
pub(super) fn covered(row: Row, colour: [u8; 4], opacities: &[u8], add: bool) {
    if let Some(mask) = row.mask {
        for ((under, part), mask) in row.pixels.iter_mut().zip(opacities).zip(mask) {
            one(under, shared(colour, share(*part, *mask)), add);
        }
        return;
    }
    let wide: [u16; 16] = std::array::from_fn(|at| u16::from(colour[at % 4]));
    let (blocks, rest) = row.pixels.as_chunks_mut::<4>();
    let (parts, parts_left) = opacities.as_chunks::<4>();
    for (block, parts) in blocks.iter_mut().zip(parts) {
        if *parts == [0; 4] {
            continue;
        }
        let [a, b, c, d] = parts.map(u16::from);
        let parts = [a, a, a, a, b, b, b, b, c, c, c, c, d, d, d, d];
        let bytes = block.as_flattened_mut();
        if add {
            for ((under, colour), part) in bytes.iter_mut().zip(wide).zip(parts) {
                *under = under.saturating_add(per_255(colour * part) as u8);
            }
        } else {
            for ((under, colour), part) in bytes.iter_mut().zip(wide).zip(parts) {
                *under = per_255(colour * part + u16::from(*under) * (255 - part)) as u8;
            }
        }
    }
    let left = parts.get(blocks.len()..).unwrap_or_default().as_flattened().iter().chain(parts_left);
    for (under, part) in rest.iter_mut().zip(left) {
        let part = u16::from(*part);
        for (under, colour) in under.iter_mut().zip(colour) {
            let (above, below) = (u16::from(colour) * part, u16::from(*under));
            *under = if add { under.saturating_add(per_255(above) as u8) } else { per_255(above + below * (255 - part)) as u8 };
        }
    }
}

/// A row over a row.
pub(super) fn pixels(row: Row, from: &[[u8; 4]], add: bool) {
    if let Some(mask) = row.mask {
        for ((under, pixel), part) in row.pixels.iter_mut().zip(from).zip(mask) {
            if *part > 0 {
                one(under, shared(*pixel, *part), add);
            }
        }
        return;
    }
    if add {
        for (under, value) in row.pixels.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
            *under = under.saturating_add(*value);
        }
        return;
    }
    for (under, pixel) in row.pixels.iter_mut().zip(from) {
        match pixel[3] {
            255 => *under = *pixel,
            0 => {}
            _ => over_one(under, *pixel),
        }
    }
}
