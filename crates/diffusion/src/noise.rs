//! The noise that a seed stands for, defined so that any machine and language can draw it again.
//!
//! 1. **Bits**: Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3").
//!    Block `i = 0, 1, ..` has the counter `[i mod 2^32, i / 2^32, 0, 0]` and the key
//!    `[seed mod 2^32, seed / 2^32]`; it gives four 32-bit words `w0 w1 w2 w3`.
//! 2. **Normals**: Box-Muller on `(w0, w1)` and on `(w2, w3)`, in f64:
//!    `u = (w0 + 1) / 2^32` in (0, 1], `a = 2 pi w1 / 2^32`, `r = sqrt(-2 ln u)`; the two normals are
//!    `r cos a` and then `r sin a`, each rounded to f32. A block gives four of them.
//! 3. **Order**: element `n` of a sample's latents (row-major, last dimension fastest) is normal `n`.
//!
//! One seed is one sample's whole stream: nothing depends on who else is in the batch.

/// The first `count` standard normals of `seed`'s stream.
pub fn normals(seed: u64, count: usize) -> Vec<f32> {
    let blocks = count.div_ceil(4) as u64;
    let mut normals: Vec<f32> = (0..blocks).flat_map(|block| normal_block(seed, block)).collect();
    normals.truncate(count);
    normals
}

fn normal_block(seed: u64, block: u64) -> [f32; 4] {
    let [w0, w1, w2, w3] = philox4x32([block as u32, (block >> 32) as u32, 0, 0], [seed as u32, (seed >> 32) as u32]);
    let ([a, b], [c, d]) = (box_muller(w0, w1), box_muller(w2, w3));
    [a, b, c, d]
}

/// Two independent standard normals from two words.
fn box_muller(radius: u32, angle: u32) -> [f32; 2] {
    const WORDS: f64 = 4_294_967_296.0; // 2^32
    let radius = (-2.0 * ((f64::from(radius) + 1.0) / WORDS).ln()).sqrt();
    let angle = std::f64::consts::TAU * f64::from(angle) / WORDS;
    [(radius * angle.cos()) as f32, (radius * angle.sin()) as f32]
}

/// Ten rounds of Philox: a bijection of the counter for each key.
pub fn philox4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut c0, mut c1, mut c2, mut c3], [mut k0, mut k1]) = (counter, key);
    for _ in 0..10 {
        let (a, b) = (u64::from(c0) * 0xD251_1F53, u64::from(c2) * 0xCD9E_8D57);
        (c0, c1, c2, c3) = ((b >> 32) as u32 ^ c1 ^ k0, b as u32, (a >> 32) as u32 ^ c3 ^ k1, a as u32);
        (k0, k1) = (k0.wrapping_add(0x9E37_79B9), k1.wrapping_add(0xBB67_AE85));
    }
    [c0, c1, c2, c3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_gives_the_published_answers() {
        // Random123, tests/kat_vectors, lines "philox4x32 10".
        let known = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ];
        for (counter, key, answer) in known {
            assert_eq!(philox4x32(counter, key), answer);
        }
    }

    #[test]
    fn the_first_normals_of_seed_zero_follow_from_the_published_words() {
        let (r0, a0) = (f64::from(0x6627_e8d5u32), f64::from(0xe169_c58du32));
        let radius = (-2.0 * ((r0 + 1.0) * 2f64.powi(-32)).ln()).sqrt();
        let angle = std::f64::consts::TAU * a0 * 2f64.powi(-32);
        assert_eq!(normals(0, 2), [(radius * angle.cos()) as f32, (radius * angle.sin()) as f32]);
    }

    #[test]
    fn a_longer_stream_begins_with_the_shorter_one() {
        let long = normals(7, 1001);
        assert_eq!(long[..10], normals(7, 10));
        assert_eq!((long.len(), normals(7, 0).len()), (1001, 0));
    }

    #[test]
    fn both_halves_of_the_seed_and_of_the_counter_matter() {
        assert_ne!(normals(1, 4), normals(1 << 32, 4));
        assert_ne!(normal_block(1, 1), normal_block(1, 1 << 32));
    }

    #[test]
    fn extreme_words_stay_finite() {
        for word in [0, u32::MAX] {
            assert!(box_muller(word, word).iter().all(|x| x.is_finite()));
        }
    }

    #[test]
    fn the_stream_has_the_moments_of_a_standard_normal() {
        let xs = normals(42, 400_000);
        let moment = |k: i32| xs.iter().map(|&x| f64::from(x).powi(k)).sum::<f64>() / xs.len() as f64;
        assert!(moment(1).abs() < 0.01 && (moment(2) - 1.0).abs() < 0.01);
        assert!(moment(3).abs() < 0.03 && (moment(4) - 3.0).abs() < 0.06);
    }
}
