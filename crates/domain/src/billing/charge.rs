//! What a job is charged once it has ended: the rule that every customer can check by hand.

use super::{GrantKind, Lane, Money, Part, UnitPrice, capture_first, money::sum};
use crate::VideoTime;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How a job ended, as far as its charge goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Succeeded,
    Failed,
    /// With so much of it done.
    Cancelled {
        /// Denoising steps, of `steps`.
        step: u32,
        steps: u32,
        /// How much of the decoding, in thousandths.
        decoded_permille: u32,
    },
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
        End::Cancelled { step, steps, decoded_permille } => {
            let (steps, decoded) = (u128::from(steps.max(1)), u128::from(decoded_permille.min(1000)));
            let done = u128::from(step).min(steps) * 1000 + decoded * steps;
            let ms = u128::from(price.ms()) * done / (2000 * steps);
            VideoTime::from_ms(u64::try_from(ms).unwrap_or(price.ms()))
        }
    }
}

/// What a job draws from one grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    pub kind: GrantKind,
    pub time: VideoTime,
    /// What the grant was paid with, or is to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<UnitPrice>,
}

/// What a job holds, or was charged, and of what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The plan and the lane under which it was taken in. `None`: before there were plans.
    pub plan: Option<String>,
    pub lane: Option<Lane>,
    /// What was held for it, in the order in which it is charged.
    pub drawn: Vec<Drawn>,
    /// `None`: it has not ended, or ended before anything was charged.
    pub charged: Option<VideoTime>,
}

impl Charge {
    /// What is charged of each grant; of a job that has not ended, what is held.
    #[must_use]
    pub fn parts(&self) -> Vec<Drawn> {
        let Some(charged) = self.charged else { return self.drawn.clone() };
        let held: Vec<_> = self.drawn.iter().map(|drawn| Part { grant: Uuid::nil(), time: drawn.time }).collect();
        let captured = capture_first(&held, charged).into_iter().map(|(captured, _)| captured.time);
        let parts = self.drawn.iter().zip(captured).map(|(drawn, time)| Drawn { time, ..*drawn });
        parts.filter(|part| part.time > VideoTime::default()).collect()
    }

    /// The same in money, as far as grants have a price.
    #[must_use]
    pub fn money(&self) -> Option<Money> {
        self.parts().into_iter().filter_map(|part| Some(part.price?.of(part.time))).map(Some).fold(None, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::Currency;
    use proptest::prelude::*;

    const PRICE: VideoTime = VideoTime::from_ms(2000);

    fn cancelled_after(step: u32, decoded_permille: u32) -> u64 {
        charge(PRICE, End::Cancelled { step, steps: 24, decoded_permille }).ms()
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

    #[test]
    fn what_is_charged_comes_from_what_was_drawn_first_and_has_its_price() {
        let drawn = |kind, ms, minor: Option<u32>| Drawn {
            kind,
            time: VideoTime::from_ms(ms),
            price: minor.map(|minor_per_minute| UnitPrice { minor_per_minute, currency: Currency::USD }),
        };
        let held = vec![drawn(GrantKind::Included, 500, None), drawn(GrantKind::Purchase, 1500, Some(60))];
        let charge = |charged: Option<u64>| Charge { drawn: held.clone(), charged: charged.map(VideoTime::from_ms), ..Charge::default() };
        assert_eq!((charge(None).parts(), charge(None).money().unwrap().to_string()), (held.clone(), "$0.015".into()));
        assert_eq!(charge(Some(900)).parts(), [held[0], drawn(GrantKind::Purchase, 400, Some(60))]);
        assert_eq!((charge(Some(300)).parts(), charge(Some(300)).money()), (vec![drawn(GrantKind::Included, 300, None)], None));
        assert!(charge(Some(0)).parts().is_empty());
    }

    proptest! {
        #[test]
        fn a_charge_never_passes_the_price(ms in 0..u64::MAX, step in 0u32..500, steps in 0u32..500, decoded_permille in 0u32..2000) {
            let (price, end) = (VideoTime::from_ms(ms), End::Cancelled { step, steps, decoded_permille });
            prop_assert!(charge(price, end) <= price);
        }
    }
}
