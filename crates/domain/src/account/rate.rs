//! How many requests a minute are let through: the generic cell rate algorithm, with one timestamp for each who asks.
//!
//! A minute's worth may come at once; after that requests are let through as fast as the limit says, evenly.

/// So many requests a minute; at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestRate {
    per_minute: u64,
}

const MINUTE_NS: u64 = 60_000_000_000;

/// Whether a request is let through, and what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// The theoretical arrival time to be kept, in nanoseconds; `None`: the request is refused, and nothing changes.
    pub arrival_ns: Option<u64>,
    pub limit: u64,
    /// Requests that would be let through at once.
    pub remaining: u64,
    /// Until a whole minute's worth is there again, in nanoseconds.
    pub full_in_ns: u64,
    /// Until the next request is let through, in nanoseconds.
    pub next_in_ns: u64,
}

impl RequestRate {
    #[must_use]
    pub fn per_minute(requests: u32) -> Self {
        Self { per_minute: u64::from(requests.max(1)) }
    }

    /// A request at `now_ns` of somebody whose theoretical arrival time is `arrival_ns`; at first that is nothing.
    #[must_use]
    pub fn ask(self, arrival_ns: u64, now_ns: u64) -> Passage {
        let each_ns = MINUTE_NS.div_ceil(self.per_minute);
        let before = arrival_ns.max(now_ns);
        let after = before.saturating_add(each_ns);
        let latest = now_ns.saturating_add(each_ns * self.per_minute);
        let passes = after <= latest;
        let arrival = if passes { after } else { before };
        let room = latest.saturating_sub(arrival);
        Passage {
            arrival_ns: passes.then_some(after),
            limit: self.per_minute,
            remaining: room / each_ns,
            full_in_ns: arrival.saturating_sub(now_ns),
            next_in_ns: each_ns.saturating_sub(room),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many of requests at these moments, in order, are let through.
    fn passed(rate: RequestRate, moments: impl IntoIterator<Item = u64>) -> u64 {
        let mut arrival_ns = 0;
        let mut count = 0;
        for now in moments {
            if let Some(next) = rate.ask(arrival_ns, now).arrival_ns {
                arrival_ns = next;
                count += 1;
            }
        }
        count
    }

    #[test]
    fn a_minutes_worth_passes_at_once_and_then_one_after_the_other() {
        let rate = RequestRate::per_minute(60);
        assert_eq!(passed(rate, std::iter::repeat_n(5, 1000)), 60);
        let second = 1_000_000_000;
        assert_eq!(passed(rate, std::iter::repeat_n(5, 100).chain([5 + second - 1, 5 + second, 5 + second, 5 + 2 * second])), 62);
    }

    #[test]
    fn who_is_refused_is_told_when_the_next_passes() {
        let rate = RequestRate::per_minute(2);
        let first = rate.ask(0, 1000);
        assert_eq!((first.remaining, first.next_in_ns, first.full_in_ns), (1, 0, 30_000_000_000));
        let second = rate.ask(first.arrival_ns.unwrap(), 1000);
        let refused = rate.ask(second.arrival_ns.unwrap(), 1000);
        assert_eq!((second.remaining, refused.arrival_ns, refused.remaining), (0, None, 0));
        assert!(rate.ask(second.arrival_ns.unwrap(), 1000 + refused.next_in_ns - 1).arrival_ns.is_none());
        assert!(rate.ask(second.arrival_ns.unwrap(), 1000 + refused.next_in_ns).arrival_ns.is_some());
    }

    proptest! {
        #[test]
        fn no_stretch_of_time_lets_more_through_than_two_minutes_worth_of_it(
            per_minute in 1u32..200, mut moments in prop::collection::vec(0u64..2 * MINUTE_NS, 0..600),
        ) {
            moments.sort_unstable();
            prop_assert!(passed(RequestRate::per_minute(per_minute), moments) <= 3 * u64::from(per_minute));
        }
    }
}
