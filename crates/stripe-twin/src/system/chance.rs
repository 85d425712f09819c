//! Random numbers that a seed repeats: SplitMix64.
//!
//! Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators".

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Letters and digits, as in Stripe's ids.
    pub fn letters(&mut self, count: usize) -> String {
        const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (0..count).map(|_| char::from(ALPHABET[(self.next() % 62) as usize])).collect()
    }
}

/// The number that belongs to this seed and these coordinates, whatever was drawn before.
pub fn draw(seed: u64, coordinates: &[u64]) -> u64 {
    coordinates.iter().fold(mix(seed), |state, coordinate| mix(state ^ mix(coordinate.wrapping_add(0x9e37_79b9_7f4a_7c15))))
}

fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_letters() {
        assert_eq!(Chance::new(7).letters(24), Chance::new(7).letters(24));
        assert_ne!(Chance::new(7).letters(24), Chance::new(8).letters(24));
    }

    #[test]
    fn what_is_drawn_for_one_place_depends_on_nothing_else() {
        assert_eq!(draw(1, &[2, 3]), draw(1, &[2, 3]));
        assert_ne!(draw(1, &[2, 3]), draw(1, &[3, 2]));
    }
}
