//! Rules that fit most installations, to begin with.

use super::{
    number::{Number, Percentile},
    rule::{Condition, Filters, Rule, Severity},
};
use crate::metrics::Phase;

/// Those that wake somebody first.
#[must_use]
pub fn defaults() -> Vec<Rule> {
    use Severity::{Page, Ticket};
    let above = |limit, window| Condition::Threshold { is_above: true, limit, window };
    let below = |limit, window| Condition::Threshold { is_above: false, limit, window };
    // The factors of the Site Reliability Workbook: a fiftieth of a month's budget within an hour, a twentieth within six.
    let burns = |factor, long, short| Condition::BurnRate { objective: 99.0, factor, long, short };
    let rules = [
        ("No worker is alive", Number::Workers, below(1.0, 3), 1, Page),
        ("Nothing is completed while videos wait", Number::Completed, Condition::Absence { window: 20, while_waiting: true }, 0, Page),
        ("Failures burn a month’s budget within two days", Number::FailureRate, burns(14.4, 60, 5), 0, Page),
        ("Failures burn a month’s budget within five days", Number::FailureRate, burns(6.0, 360, 30), 0, Ticket),
        ("Videos wait long", Number::Latency(Phase::Queue, Percentile::P95), above(600.0, 30), 5, Ticket),
        ("Videos wait long for a decoder", Number::Latency(Phase::DecoderWait, Percentile::P95), above(600.0, 30), 5, Ticket),
        ("A video has waited for an hour", Number::OldestWait, above(3600.0, 5), 5, Ticket),
        ("Promised times are not kept", Number::PromisesKept, below(80.0, 1), 30, Ticket),
        ("The last backup is old", Number::BackupAge, above(26.0, 1), 5, Ticket),
    ];
    let rule = |(name, number, condition, hold, severity): (&str, Number, Condition, u32, Severity)| Rule {
        name: name.to_owned(),
        number,
        filters: Filters::default(),
        condition,
        hold,
        severity,
    };
    rules.map(rule).into()
}

/// The same where workers are started as there is work: that none is there is wrong only while something waits for one.
#[must_use]
pub fn defaults_where_none_stays() -> Vec<Rule> {
    let condition = Condition::Absence { window: 10, while_waiting: true };
    let rule = |rule: Rule| if rule.number == Number::Workers { Rule { condition, ..rule } } else { rule };
    defaults().into_iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::{TypedRule, Unit};

    #[test]
    fn each_can_be_typed_and_has_a_name_of_its_own() {
        for rules in [defaults(), defaults_where_none_stays()] {
            for rule in &rules {
                assert_eq!(TypedRule::of(rule).parse().as_ref(), Ok(rule));
                assert_eq!(rules.iter().filter(|other| other.name == rule.name).count(), 1);
            }
        }
    }

    #[test]
    fn both_waits_of_a_video_are_watched_by_names_that_tell_them_apart() {
        let rules = defaults().into_iter().filter(|rule| rule.number.unit() == Unit::Seconds);
        let watched: Vec<_> = rules.map(|rule| rule.number.words()).collect();
        assert_eq!(watched, ["Wait for a worker, P95", "Wait for a decoder, P95", "Oldest wait, for a worker or a decoder"]);
    }

    #[test]
    fn where_no_worker_stays_one_is_missed_only_while_something_waits() {
        let (rules, others) = (defaults_where_none_stays(), defaults());
        let changed: Vec<_> = rules.iter().zip(&others).filter(|(rule, other)| rule != other).map(|(rule, _)| rule.words()).collect();
        assert_eq!(changed, ["Workers alive: none for 10 minutes, while something waits, for a minute"]);
    }
}
