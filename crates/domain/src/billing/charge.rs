//! What a job is charged once it has ended: the rule that every customer can check by hand.

use crate::{VideoTime, scheduling::Done};

/// How a job ended, as far as its charge goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Succeeded,
    Failed,
    /// With so much of it done.
    Cancelled(Done),
}

/// What of its `price` a job is charged.
///
/// A video that was made costs its price, one that failed nothing. One that was cancelled costs the part that was done: denoising is one
/// half of the price, by its steps, and decoding the other. An attempt that was lost counts for nothing.
#[must_use]
pub fn charge(price: VideoTime, end: End) -> VideoTime {
    match end {
        End::Succeeded => price,
        End::Failed => VideoTime::default(),
        End::Cancelled(Done { step, steps, decoded_permille, .. }) => {
            let (steps, decoded) = (u128::from(steps.max(1)), u128::from(decoded_permille.min(1000)));
            let done = u128::from(step).min(steps) * 1000 + decoded * steps;
            let ms = u128::from(price.ms()) * done / (2000 * steps);
            VideoTime::from_ms(u64::try_from(ms).unwrap_or(price.ms()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PRICE: VideoTime = VideoTime::from_ms(2000);

    fn cancelled_after(step: u32, decoded_permille: u32) -> u64 {
        charge(PRICE, End::Cancelled(Done { stage: None, step, steps: 24, decoded_permille })).ms()
    }

    #[test]
    fn a_video_costs_its_price_and_a_failure_nothing() {
        assert_eq!(charge(PRICE, End::Succeeded), PRICE);
        assert_eq!(charge(PRICE, End::Failed), VideoTime::default());
    }

    #[test]
    fn a_cancelled_video_costs_the_part_that_was_done() {
        assert_eq!(cancelled_after(0, 0), 0);
        assert_eq!(cancelled_after(6, 0), 250);
        assert_eq!(cancelled_after(24, 0), 1000);
        assert_eq!(cancelled_after(24, 500), 1500);
    }

    proptest! {
        #[test]
        fn a_charge_never_passes_the_price(ms in 0..u64::MAX, step in 0u32..500, steps in 0u32..500, decoded_permille in 0u32..2000) {
            let (price, done) = (VideoTime::from_ms(ms), Done { stage: None, step, steps, decoded_permille });
            prop_assert!(charge(price, End::Cancelled(done)) <= price);
        }
    }
}
