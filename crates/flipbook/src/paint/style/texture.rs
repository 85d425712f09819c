//! Textures that stand still: fibres of paper, and tooth that chalk catches on.

use crate::random::Random;

/// Side of the tile that is repeated, in pixels.
pub const TILE: usize = 128;

/// Departures from flat, about -`strength` to `strength` levels of 255, that join at the tile's borders.
pub struct Texture(Vec<i16>);

impl Texture {
    /// Soft spots of about `coarse` pixels with fine noise on them.
    pub fn grain(seed: u64, coarse: usize, strength: i16) -> Self {
        let mut random = Random::of(seed, 9600);
        let noise: Vec<i32> = (0..TILE * TILE).map(|_| (random.bits() >> 56) as i32 - 128).collect();
        let soft = smooth(&smooth(&noise, coarse.max(1)), coarse.max(1));
        let strongest = soft.iter().map(|value| value.abs()).max().unwrap_or(1).max(1);
        let mixed = noise.iter().zip(&soft).map(|(fine, soft)| {
            let (fine, soft) = (*fine as f32 / 128.0, *soft as f32 / strongest as f32);
            ((0.35 * fine + 0.75 * soft) * f32::from(strength)) as i16
        });
        Self(mixed.collect())
    }

    /// The row at `y`, as long as the tile.
    pub fn row(&self, y: usize) -> &[i16] {
        let from = y % TILE * TILE;
        self.0.get(from..from + TILE).unwrap_or_default()
    }
}

/// Means over `2 radius + 1` along both axes, across the borders.
fn smooth(from: &[i32], radius: usize) -> Vec<i32> {
    let along = |values: &[i32], step: usize, other: usize| -> Vec<i32> {
        let mut out = vec![0; values.len()];
        for line in 0..TILE {
            let at = |place: usize| values.get(line * other + place % TILE * step).copied().unwrap_or_default();
            for place in 0..TILE {
                let sum: i32 = (0..=2 * radius).map(|offset| at(place + TILE + offset - radius)).sum();
                if let Some(value) = out.get_mut(line * other + place * step) {
                    *value = sum * 4 / (2 * radius as i32 + 1);
                }
            }
        }
        out
    };
    along(&along(from, 1, TILE), TILE, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texture_is_as_strong_as_asked_and_the_same_for_a_seed() {
        let (one, other) = (Texture::grain(5, 2, 10), Texture::grain(5, 2, 10));
        assert_eq!(one.0, other.0);
        assert!(one.0.iter().all(|value| value.abs() <= 11) && one.0.iter().any(|value| value.abs() >= 4));
        assert_eq!(one.row(TILE + 3), one.row(3));
    }
}
