//! The times through which a sample passes on its way from noise to data.

/// `steps + 1` times from 1 to 0; a `shift` above 1 spends more of them near the noise.
///
/// `t -> shift t / (1 + (shift - 1) t)` of evenly spaced times.
pub fn time_grid(steps: usize, shift: f64) -> Vec<f64> {
    let even = (0..=steps).map(|i| 1.0 - i as f64 / steps as f64);
    even.map(|t| shift * t / (1.0 + (shift - 1.0) * t)).collect()
}
