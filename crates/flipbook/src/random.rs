//! Chance by seed: the same everywhere, and cheap enough to be drawn again for each frame.

use std::f32::consts::TAU;

/// SplitMix64 (Steele et al. 2014, "Fast splittable pseudorandom number generators").
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream of its own for each purpose: `of(seed, 5)` and `of(seed, 9)` have nothing in common.
    pub fn of(seed: u64, purpose: u64) -> Self {
        let mut mixed = Self(seed ^ purpose.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Self(mixed.bits())
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In `[0, 1)`.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// In `[low, high)`.
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn normal(&mut self, mean: f32, deviation: f32) -> f32 {
        let (radius, angle) = (1.0 - self.unit(), TAU * self.unit());
        mean + deviation * (-2.0 * radius.ln()).sqrt() * angle.cos()
    }

    /// Below `count`; 0 when there is nothing to choose from.
    pub fn below(&mut self, count: usize) -> usize {
        (((self.bits() >> 32) * count as u64) >> 32) as usize
    }

    /// True in `share` of all cases.
    pub fn chance(&mut self, share: f32) -> bool {
        self.unit() < share
    }

    /// -1 or 1.
    pub fn side(&mut self) -> f32 {
        if self.chance(0.5) { -1.0 } else { 1.0 }
    }

    /// One of a list that is not empty.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// The place of a weight, chosen in proportion to it.
    pub fn weighted(&mut self, weights: &[f32]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f32>();
        for (place, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return place;
            }
        }
        weights.len().saturating_sub(1)
    }
}
