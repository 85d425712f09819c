//! What is left of a replay that broke off, and how it is asked for.

use crate::components::moment::day_typed;
use domain::{Timestamp, billing::Day};

/// The days that were asked for, both included, of which a part is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    pub first: Day,
    pub last: Day,
    pub with_delivered: bool,
    /// What was sent since then is passed over.
    pub tried_before: Timestamp,
}

impl Left {
    /// As the query of the page has it, field by field.
    pub fn read(field: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let tried_before = field("tried_before")?.parse().ok()?;
        Some(Self {
            first: day_typed(&field("from")?)?,
            last: day_typed(&field("to")?)?,
            with_delivered: field("delivered").is_some(),
            tried_before: Timestamp::from_ms(tried_before),
        })
    }

    /// The same, behind what else is in the query.
    pub fn query(self) -> String {
        let Self { first, last, tried_before, .. } = self;
        let delivered = if self.with_delivered { "&delivered=yes" } else { "" };
        format!("&from={first}&to={last}{delivered}&tried_before={}", tried_before.ms())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_read_from_its_query() {
        let all = Left { first: Day(20_000), last: Day(20_006), with_delivered: true, tried_before: Timestamp::from_ms(1_800_000_000_123) };
        for left in [all, Left { with_delivered: false, ..all }] {
            let query = left.query();
            let field = |name: &str| {
                let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
                pairs.find(|(of, _)| *of == name).map(|(_, value)| value.to_owned())
            };
            assert_eq!(Left::read(field), Some(left), "{query}");
        }
        assert_eq!(Left::read(|_| None), None);
        assert_eq!(Left::read(|_| Some("x".into())), None);
    }
}
