//! Grants: amounts of video time that a tenant may use, and in which order they are drawn on.

use crate::VideoTime;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Credit that comes back after its grant has expired, as its job was not charged, can be used for another day.
pub const GRACE_OF_CREDIT_MS: i64 = 24 * 60 * 60 * 1000;

/// Where a grant comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantKind {
    /// By a plan without a limit.
    Unlimited,
    /// By the plan, for its period.
    Included,
    /// Given by the operator, or for a promotion code.
    Gift,
    /// Paid for in advance.
    Purchase,
    /// By the plan, for its period; what is used of it is paid for afterwards.
    Overage,
}

impl GrantKind {
    pub const ALL: [Self; 5] = [Self::Unlimited, Self::Included, Self::Gift, Self::Purchase, Self::Overage];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unlimited => "unlimited",
            Self::Included => "included",
            Self::Gift => "gift",
            Self::Purchase => "purchase",
            Self::Overage => "overage",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Grants of a lower number are drawn on first, and among them those that expire first: what costs nothing more before what was paid
    /// for, and that before what is still to be paid.
    #[must_use]
    pub const fn draw_order(self) -> u8 {
        match self {
            Self::Unlimited => 0,
            Self::Included => 1,
            Self::Gift | Self::Purchase => 2,
            Self::Overage => 3,
        }
    }

    /// Whether it is the tenant's own, whatever becomes of its plan.
    #[must_use]
    pub const fn is_credit(self) -> bool {
        matches!(self, Self::Gift | Self::Purchase)
    }
}

/// What is drawn from one grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub grant: Uuid,
    pub time: VideoTime,
}

/// Draws `asked` from what `grants` have left, in their order. `None`: all of them together have less.
#[must_use]
pub fn draw(grants: &[Part], asked: VideoTime) -> Option<Vec<Part>> {
    let (mut parts, mut missing) = (Vec::new(), asked.ms());
    for grant in grants {
        let taken = missing.min(grant.time.ms());
        if taken > 0 {
            parts.push(Part { grant: grant.grant, time: VideoTime::from_ms(taken) });
            missing -= taken;
        }
    }
    (missing == 0).then_some(parts)
}

/// Of what is held, in the order in which it was drawn: what is captured of each part, and what is released.
#[must_use]
pub fn capture_first(held: &[Part], charged: VideoTime) -> Vec<(Part, VideoTime)> {
    let mut left = charged.ms();
    let split = |part: &Part| {
        let captured = left.min(part.time.ms());
        left -= captured;
        (Part { time: VideoTime::from_ms(captured), ..*part }, VideoTime::from_ms(part.time.ms() - captured))
    };
    held.iter().map(split).collect()
}

/// Of what is still `charged`, in the order in which it was drawn, what of each part is given back for a refund of `asked`: what was drawn
/// last first, as it costs most.
#[must_use]
pub fn refund_last(charged: &[Part], asked: VideoTime) -> Vec<Part> {
    let mut left = asked.ms();
    let back = |part: &Part| {
        let ms = left.min(part.time.ms());
        left -= ms;
        Part { time: VideoTime::from_ms(ms), ..*part }
    };
    charged.iter().rev().map(back).filter(|part| part.time > VideoTime::default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(ms: &[u64]) -> Vec<Part> {
        let part = |(at, ms): (usize, &u64)| Part { grant: Uuid::from_u128(at as u128), time: VideoTime::from_ms(*ms) };
        ms.iter().enumerate().map(part).collect()
    }

    #[test]
    fn a_kind_is_found_by_the_name_it_is_stored_under() {
        for kind in GrantKind::ALL {
            assert_eq!(GrantKind::named(kind.as_str()), Some(kind));
        }
        assert_eq!(GrantKind::named("loan"), None);
    }

    #[test]
    fn grants_are_drawn_on_one_after_the_other() {
        let drawn = draw(&parts(&[500, 0, 900, 700]), VideoTime::from_ms(1000)).unwrap();
        assert_eq!(drawn.iter().map(|part| (part.grant.as_u128(), part.time.ms())).collect::<Vec<_>>(), [(0, 500), (2, 500)]);
        assert_eq!(draw(&parts(&[500, 400]), VideoTime::from_ms(1000)), None);
    }

    #[test]
    fn what_was_drawn_last_is_given_back_first() {
        let back = |ms| refund_last(&parts(&[500, 900]), VideoTime::from_ms(ms)).iter().map(|part| part.time.ms()).collect::<Vec<_>>();
        assert_eq!([back(300), back(1000), back(5000)], [vec![300], vec![900, 100], vec![900, 500]]);
        assert_eq!(back(0), Vec::<u64>::new());
    }

    proptest! {
        #[test]
        fn what_is_drawn_is_what_was_asked_for_and_is_captured_or_released(
            grants in prop::collection::vec(0u64..1000, 0..6), asked in 0u64..4000, charged in 0u64..4000,
        ) {
            let has = grants.iter().sum::<u64>();
            let Some(held) = draw(&parts(&grants), VideoTime::from_ms(asked)) else {
                prop_assert!(has < asked);
                return Ok(());
            };
            prop_assert_eq!(held.iter().map(|part| part.time.ms()).sum::<u64>(), asked);
            let split = capture_first(&held, VideoTime::from_ms(charged));
            let captured: u64 = split.iter().map(|(part, _)| part.time.ms()).sum();
            let released: u64 = split.iter().map(|(_, released)| released.ms()).sum();
            prop_assert_eq!(captured, charged.min(asked));
            prop_assert_eq!(captured + released, asked);
        }
    }
}
