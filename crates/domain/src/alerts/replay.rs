//! When a rule would have fired on what is kept: the same rule and the same states, minute by minute.

use super::{
    measure::{Kept, judge},
    rule::Rule,
    standing::{Change, Standing},
};
use crate::Timestamp;

const MINUTE_MS: i64 = 60_000;
/// A window is looked at in about so many places, so that a long one does not cost more than a short one.
const PLACES_OF_WINDOW: u32 = 60;

/// A time in which a rule would have fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Firing {
    pub from: Timestamp,
    /// `None`: to the end.
    pub until: Option<Timestamp>,
}

/// The times from one moment to another in which `rule` would have fired.
#[must_use]
pub fn replay(rule: &Rule, kept: &Kept, from: Timestamp, until: Timestamp) -> Vec<Firing> {
    let step_ms = i64::from((rule.condition.window() / PLACES_OF_WINDOW).clamp(1, 5)) * MINUTE_MS;
    let (mut standing, mut firings, mut at) = (Standing::default(), Vec::<Firing>::new(), from);
    while at <= until {
        match standing.look(judge(rule, kept, at, from), at, rule.hold_ms(), rule.clear_ms()) {
            Some(Change::Fired) => firings.push(Firing { from: at, until: None }),
            Some(Change::Resolved | Change::Faded) => {
                if let Some(last) = firings.last_mut() {
                    last.until = Some(at);
                }
            }
            None => {}
        }
        at = at.plus_ms(step_ms);
    }
    firings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        alerts::{Condition, Filters, Number, Severity},
        metrics::{Gauge, Span},
    };

    #[test]
    fn a_day_with_two_hours_without_workers_fires_twice() {
        let condition = Condition::Threshold { is_above: false, limit: 1.0, window: 2 };
        let rule =
            Rule { name: "a".into(), number: Number::Workers, filters: Filters::default(), condition, hold: 3, severity: Severity::Page };
        let at = |minute: i64| Timestamp::from_ms(minute * MINUTE_MS);
        let mut kept = Kept::new(Span::Minute);
        for minute in 0..1440 {
            kept.note_gauge(&rule, at(minute), Gauge::Looks, 3, 1);
            if !(100..160).contains(&minute) && !(1380..1440).contains(&minute) {
                kept.note_gauge(&rule, at(minute), Gauge::Workers, 6, 2);
            }
        }
        let firings = replay(&rule, &kept, at(10), at(1440));
        // Two workers over two minutes, of which one is missing, are one on average: that is right.
        assert_eq!(firings, [Firing { from: at(105), until: Some(at(164)) }, Firing { from: at(1385), until: None }]);
    }
}
