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

/// The times up to `until` in which `rule` would have fired, on what is kept since `since`. It is looked at whole spans alone: within one, what came
/// later would be known.
#[must_use]
pub fn replay(rule: &Rule, kept: &Kept, since: Timestamp, until: Timestamp) -> Vec<Firing> {
    let from = since.plus_ms(i64::from(rule.condition.window()) * MINUTE_MS);
    let step_ms = i64::from((rule.condition.window() / PLACES_OF_WINDOW).clamp(1, 5)) * MINUTE_MS;
    let (mut standing, mut firings, mut at) = (Standing::default(), Vec::<Firing>::new(), from);
    while at <= until {
        match standing.look(judge(rule, kept, kept.whole_until(at), since), at, rule.hold_ms(), rule.clear_ms()) {
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
        let firings = replay(&rule, &kept, at(8), at(1440));
        // Two workers over two minutes, of which one is missing, are one on average: that is right.
        assert_eq!(firings, [Firing { from: at(105), until: Some(at(164)) }, Firing { from: at(1385), until: None }]);
    }

    #[test]
    fn nothing_is_known_of_what_comes_later_and_all_of_the_first_window() {
        let rule = |condition| Rule {
            name: "a".into(),
            number: Number::Workers,
            filters: Filters::default(),
            condition,
            hold: 0,
            severity: Severity::Page,
        };
        let (at, hour) = (|minute: i64| Timestamp::from_ms(minute * MINUTE_MS), 60);
        let few = rule(Condition::Threshold { is_above: false, limit: 1.0, window: 720 });
        let mut kept = Kept::new(Kept::span_of(720));
        for start in (0..48).map(|number| at(number * hour)) {
            kept.note_gauge(&few, start, Gauge::Looks, 180, 1);
            // The last half a day has more than enough of them, from its first hour on.
            kept.note_gauge(&few, start, Gauge::Workers, if start < at(36 * hour) { 90 } else { 9000 }, 1);
        }
        let over = replay(&few, &kept, at(0), at(48 * hour))[0].until.unwrap();
        assert!(over >= at(37 * hour), "{over:?}: the hour was not over");
        let none = rule(Condition::Absence { window: 30, while_waiting: false });
        let mut kept = Kept::new(Span::Minute);
        (0..60).for_each(|minute| kept.note_gauge(&none, at(minute), Gauge::Looks, 3, 1));
        assert_eq!(replay(&none, &kept, at(0), at(60)), [Firing { from: at(30), until: None }]);
    }
}
