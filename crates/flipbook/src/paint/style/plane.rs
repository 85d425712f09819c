//! Small grey or coloured versions of a frame: looks find edges and glows in them at a fraction of the cost.

use super::{Frame, luma};

/// Values row by row.
#[derive(Clone)]
pub struct Plane<T> {
    pub width: usize,
    pub height: usize,
    pub values: Vec<T>,
}

impl<T> Plane<T> {
    /// The rows above, at and below `y`; the border repeats.
    pub fn rows(&self, y: usize) -> [&[T]; 3] {
        let row = |y: usize| self.values.get(y * self.width..(y + 1) * self.width).unwrap_or_default();
        [row(y.saturating_sub(1)), row(y.min(self.height - 1)), row((y + 1).min(self.height - 1))]
    }
}

impl Frame<'_> {
    /// Every `step` x `step` pixels become their mean.
    pub fn shrunk(&self, step: usize) -> Plane<[u8; 3]> {
        let step = step.max(1);
        if step == 1 {
            return Plane { width: self.width, height: self.height, values: self.pixels.to_vec() };
        }
        let (width, height) = (self.width.div_ceil(step), self.height.div_ceil(step));
        let mut values = Vec::with_capacity(width * height);
        let mut sums = vec![[0u32; 4]; width];
        for rows in self.pixels.chunks(step * self.width) {
            sums.fill([0; 4]);
            for row in rows.chunks_exact(self.width) {
                for (sum, cell) in sums.iter_mut().zip(row.chunks(step)) {
                    for [red, green, blue] in cell {
                        sum[0] += u32::from(*red);
                        sum[1] += u32::from(*green);
                        sum[2] += u32::from(*blue);
                    }
                    sum[3] += cell.len() as u32;
                }
            }
            values.extend(sums.iter().map(|[red, green, blue, count]| [red, green, blue].map(|sum| (sum / (*count).max(1)) as u8)));
        }
        Plane { width, height, values }
    }
}

impl Plane<[u8; 3]> {
    /// What `of` makes of each value.
    pub fn map<const N: usize>(&self, of: impl Fn([u8; 3]) -> [u8; N]) -> Plane<[u8; N]> {
        Plane { width: self.width, height: self.height, values: self.values.iter().map(|value| of(*value)).collect() }
    }

    pub fn grey(&self) -> Plane<u8> {
        Plane { width: self.width, height: self.height, values: self.values.iter().map(|pixel| luma(*pixel)).collect() }
    }
}

impl<const N: usize> Plane<[u8; N]> {
    /// The mean of boxes of `2 radius + 1`, twice, along both axes: a soft blur.
    pub fn blurred(&self, radius: usize) -> Self {
        let mut plane = self.clone();
        for _ in 0..2 {
            plane = plane.averaged(radius).averaged(radius);
        }
        plane
    }

    /// Means along rows, turned by a quarter: applied twice, rows are rows again.
    fn averaged(&self, radius: usize) -> Self {
        let mut values = vec![[0u8; N]; self.values.len()];
        let count = 2 * radius as u32 + 1;
        let share = 65_536 / count;
        for (y, row) in self.values.chunks_exact(self.width).enumerate() {
            let at = |x: isize| row.get(x.clamp(0, row.len() as isize - 1) as usize).copied().unwrap_or([0; N]);
            let radius = radius as isize;
            let mut sum = [0u32; N];
            for x in -radius..=radius {
                sum = std::array::from_fn(|k| sum[k] + u32::from(at(x)[k]));
            }
            for x in 0..self.width {
                if let Some(value) = values.get_mut(x * self.height + y) {
                    *value = sum.map(|sum| ((sum * share) >> 16) as u8);
                }
                let (next, last) = (at(x as isize + radius + 1), at(x as isize - radius));
                sum = std::array::from_fn(|k| sum[k] + u32::from(next[k]) - u32::from(last[k]));
            }
        }
        Self { width: self.height, height: self.width, values }
    }

    /// The plane at any size, by linear sampling; `put` gets row, column and value.
    pub fn stretched(&self, width: usize, height: usize, mut put: impl FnMut(usize, &[[u8; N]])) {
        let mut row = vec![[0u8; N]; width];
        let mut mixed = vec![[0u32; N]; self.width + 1];
        let places: Vec<(usize, u32)> = (0..width).map(|x| place(x, width, self.width)).collect();
        for y in 0..height {
            let (top, share) = place(y, height, self.height);
            let [_, above, below] = self.rows(top);
            for ((to, a), b) in mixed.iter_mut().zip(above).zip(below) {
                *to = std::array::from_fn(|k| u32::from(a[k]) * (256 - share) + u32::from(b[k]) * share);
            }
            if let Some([last, beyond]) = mixed.last_chunk_mut() {
                *beyond = *last;
            }
            for (to, (left, share)) in row.iter_mut().zip(&places) {
                if let Some([a, b]) = mixed.get(*left..left + 2) {
                    *to = std::array::from_fn(|k| ((a[k] * (256 - share) + b[k] * share) >> 16) as u8);
                }
            }
            put(y, &row);
        }
    }
}

/// Where pixel `at` of `to` lies among `from`: the cell before it, and how far towards the next in 1/256.
fn place(at: usize, to: usize, from: usize) -> (usize, u32) {
    let spot = ((at as f32 + 0.5) * from as f32 / to as f32 - 0.5).clamp(0.0, from as f32 - 1.0);
    (spot as usize, (spot.fract() * 256.0) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_colour_stays_one_colour() {
        let mut pixels = vec![[10, 200, 30]; 12 * 9];
        let frame = Frame { width: 12, height: 9, scale: 1.0, seed: 0, pixels: &mut pixels };
        let plane = frame.shrunk(4);
        assert_eq!((plane.width, plane.height), (3, 3));
        let near = |value: &[u8; 3]| value.iter().zip([10u8, 200, 30]).all(|(a, b)| a.abs_diff(b) <= 4);
        assert!(plane.blurred(2).values.iter().all(near));
        plane.stretched(12, 9, |_, row| assert!(row.iter().all(near)));
    }

    #[test]
    fn a_blur_keeps_rows_rows() {
        let plane = Plane { width: 5, height: 3, values: (0..15).map(|j| [if j / 5 == 0 { 240 } else { 0 }; 3]).collect() };
        let soft = plane.blurred(1);
        assert_eq!((soft.width, soft.height), (5, 3));
        assert!(soft.values[2][0] > soft.values[12][0]);
    }
}
