//! What a rule measures of what was counted and looked at, and whether that is wrong.
//!
//! Missing data is not zero. A count is known where somebody looked in that time, since whoever looks also counts; a rate, a mean and a percentile are
//! known where there is something to take them of.

use super::{
    number::{Number, Unit},
    rule::{Condition, Rule},
};
use crate::{
    Timestamp,
    metrics::{Gauge, Sketch, Span, Tally},
};
use std::collections::BTreeMap;

const MINUTE_MS: i64 = 60_000;
/// Windows up to so many minutes are read by minutes, longer ones by hours.
pub(super) const BY_MINUTES_MAX: u32 = 360;
/// With fewer events in its long window nothing is said of how fast a budget burns: one failure of two is no outage.
const BURN_EVENTS_MIN: u64 = 10;
/// By which it is told whether something waits: what is of a team that is paused waits for nothing but the operator, and does not count in it.
pub const WAITS: Gauge = Gauge::OldestWaitMs;

/// Whether what was measured is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Wrong,
    Right,
    /// There is nothing by which it could be said.
    Unknown,
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// In the unit of the rule. `None`: not known.
    pub value: Option<f64>,
    pub verdict: Verdict,
}

impl Measured {
    /// Nothing could be read.
    pub const UNKNOWN: Self = Self { value: None, verdict: Verdict::Unknown };
}

/// What a rule reads of a span of time. Two are merged by adding them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    times: Sketch,
    part: u64,
    whole: u64,
    looks: u64,
    highest: u64,
    /// Spans in which somebody looked, and those of them in which something waited at a look that no pause of its team held.
    looked: u32,
    waited: u32,
}

impl Place {
    fn merge(&mut self, other: &Self) {
        self.times.merge(&other.times);
        self.part = self.part.saturating_add(other.part);
        self.whole = self.whole.saturating_add(other.whole);
        self.looks += other.looks;
        self.highest = self.highest.max(other.highest);
        self.looked += other.looked;
        self.waited += other.waited;
    }
}

/// What a rule reads of some time, by spans of one length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    span: Span,
    places: BTreeMap<Timestamp, Place>,
}

impl Kept {
    /// In which spans a window of so many minutes is read.
    #[must_use]
    pub const fn span_of(window: u32) -> Span {
        if window <= BY_MINUTES_MAX { Span::Minute } else { Span::Hour }
    }

    #[must_use]
    pub const fn new(span: Span) -> Self {
        Self { span, places: BTreeMap::new() }
    }

    /// The last moment up to `at` of which whole spans are kept.
    pub(super) const fn whole_until(&self, at: Timestamp) -> Timestamp {
        self.span.start(at)
    }

    /// Of `rule`, what jobs that ended within the span from `start` on say.
    pub fn note_tally(&mut self, rule: &Rule, start: Timestamp, tally: &Tally) {
        use crate::metrics::{Count, Phase};
        let place = self.places.entry(start).or_default();
        let (part, whole) = match rule.number {
            Number::Latency(phase, _) => {
                place.times.merge(tally.times(phase));
                (tally.times(phase).count(), 0)
            }
            Number::FailureRate => (tally.count(Count::Failed), tally.count(Count::Failed) + tally.count(Count::Succeeded)),
            Number::Failures => {
                let of_code = |code: &String| tally.failures.get(code).copied().unwrap_or_default();
                (rule.filters.code.as_ref().map_or_else(|| tally.count(Count::Failed), of_code), 0)
            }
            Number::Completed => (tally.count(Count::Succeeded), 0),
            Number::ColdRate => (tally.count(Count::Cold), tally.times(Phase::Load).count()),
            Number::BatchFill => {
                (tally.times(Phase::Denoise).sum() + tally.times(Phase::Encode).sum(), tally.count(Count::SamplingDeviceMs))
            }
            _ => (0, 0),
        };
        place.part = place.part.saturating_add(part);
        place.whole = place.whole.saturating_add(whole);
    }

    /// Of `rule`, what was seen of a gauge within the span from `start` on: the sum of all looks, and the highest.
    pub fn note_gauge(&mut self, rule: &Rule, start: Timestamp, gauge: Gauge, total: u64, highest: u64) {
        let place = self.places.entry(start).or_default();
        if gauge == Gauge::Looks {
            place.looks += total;
            place.looked = 1;
        }
        if gauge == WAITS && total > 0 {
            place.waited = 1;
        }
        let Some((part, whole)) = rule.number.gauges() else { return };
        if gauge == part {
            place.part = place.part.saturating_add(total);
            place.highest = place.highest.max(highest);
        } else if Some(gauge) == whole {
            place.whole = place.whole.saturating_add(total);
        }
    }

    /// Of the minutes before `at`.
    fn window(&self, at: Timestamp, minutes: u32) -> Place {
        let from = self.span.start(at.plus_ms(-i64::from(minutes) * MINUTE_MS));
        let mut sum = Place::default();
        self.places.range(from..at).for_each(|(_, place)| sum.merge(place));
        sum
    }
}

/// What `rule` measures at `at`, the end of a minute, of what is kept. Nothing is known of the time before `since`.
#[must_use]
pub fn judge(rule: &Rule, kept: &Kept, at: Timestamp, since: Timestamp) -> Measured {
    match rule.condition {
        Condition::Threshold { is_above, limit, window } => {
            let value = value(rule.number, &kept.window(at, window));
            let wrong = value.map(|value| if is_above { value > limit } else { value < limit });
            Measured { value, verdict: verdict(wrong) }
        }
        Condition::BurnRate { objective, factor, long, short } => {
            let (long, short) = (kept.window(at, long), kept.window(at, short));
            // Where nothing happened nothing was used up, which is known.
            let burned = |place: &Place| share(place.part, place.whole).unwrap_or_default() * 100.0 / (100.0 - objective).max(f64::EPSILON);
            let value = burned(&long).min(burned(&short));
            Measured { value: Some(value), verdict: verdict(Some(value > factor && long.whole >= BURN_EVENTS_MIN)) }
        }
        Condition::Absence { window, while_waiting } => {
            let place = kept.window(at, window);
            let events = place.part.max(place.whole);
            let begun = at.plus_ms(-i64::from(window) * MINUTE_MS) >= since;
            let waited_all_the_time = place.waited > 0 && place.waited == place.looked;
            let wrong = match (events, place.looked) {
                (1.., _) => Some(false),
                // Nobody looked, so that nobody counted either.
                (0, 0) => None,
                (0, _) => Some(begun && (!while_waiting || waited_all_the_time)),
            };
            Measured { value: wrong.map(|_| events as f64), verdict: verdict(wrong) }
        }
    }
}

/// The same of a number that is not kept: its value now, if it is known.
#[must_use]
pub fn judge_live(rule: &Rule, value: Option<f64>) -> Measured {
    match rule.condition {
        Condition::Threshold { is_above, limit, .. } => {
            Measured { value, verdict: verdict(value.map(|value| if is_above { value > limit } else { value < limit })) }
        }
        Condition::BurnRate { .. } | Condition::Absence { .. } => Measured::UNKNOWN,
    }
}

const fn verdict(wrong: Option<bool>) -> Verdict {
    match wrong {
        Some(true) => Verdict::Wrong,
        Some(false) => Verdict::Right,
        None => Verdict::Unknown,
    }
}

/// In the unit of the number. `None`: there is nothing to take it of.
fn value(number: Number, place: &Place) -> Option<f64> {
    let is_looked_at = place.looks > 0;
    let mean = || is_looked_at.then(|| place.part as f64 / place.looks as f64);
    match number {
        Number::Latency(_, percentile) => place.times.quantile(percentile.parts()).map(|ms| ms as f64 / 1000.0),
        Number::FailureRate | Number::ColdRate | Number::Utilisation => share(place.part, place.whole).map(|share| share * 100.0),
        Number::BatchFill => share(place.part, place.whole).map(|fill| fill.max(1.0)),
        // Something that ended was counted, whoever looked.
        Number::Failures | Number::Completed => (is_looked_at || place.part > 0).then_some(place.part as f64),
        Number::Waiting => mean().map(|ms| ms / MINUTE_MS as f64),
        Number::OldestWait => is_looked_at.then(|| place.highest as f64 / 1000.0),
        Number::Workers => mean(),
        Number::PromisesKept | Number::BackupAge | Number::Cost | Number::Margin => None,
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Whether a threshold in this unit may be below zero.
pub(super) const fn may_be_negative(number: Number) -> bool {
    matches!(number, Number::Margin) && matches!(number.unit(), Unit::Percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::{Filters, Severity};
    use crate::metrics::{EndedJob, HowEnded, PhaseTimes};

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_ms(minute * MINUTE_MS)
    }

    fn rule(number: &str, condition: Condition) -> Rule {
        let number = Number::named(number).unwrap();
        Rule { name: "a".into(), number, filters: Filters::default(), condition, hold: 0, severity: Severity::Page }
    }

    fn above(number: &str, limit: f64, window: u32) -> Rule {
        rule(number, Condition::Threshold { is_above: true, limit, window })
    }

    fn jobs(made: u64, failed: u64, queue_ms: u64) -> Tally {
        let job = |how: HowEnded| EndedJob {
            how,
            billed: crate::VideoTime::from_ms(2000),
            charged: crate::VideoTime::default(),
            paid: None,
            total_ms: queue_ms + 1,
            queue_ms,
            after_sampling_ms: None,
            times: PhaseTimes::default(),
        };
        let mut tally = Tally::default();
        (0..made).for_each(|_| tally.add(&job(HowEnded::Succeeded)));
        (0..failed).for_each(|_| tally.add(&job(HowEnded::Failed("out_of_memory".into()))));
        tally
    }

    fn measured(rule: &Rule, tallies: &[(i64, Tally)], gauges: &[(i64, Gauge, u64)], now: i64) -> (Option<f64>, Verdict) {
        let mut kept = Kept::new(Kept::span_of(rule.condition.window()));
        tallies.iter().for_each(|(minute, tally)| kept.note_tally(rule, at(*minute), tally));
        gauges.iter().for_each(|(minute, gauge, total)| kept.note_gauge(rule, at(*minute), *gauge, *total, *total));
        let Measured { value, verdict } = judge(rule, &kept, at(now), at(0));
        (value, verdict)
    }

    #[test]
    fn a_window_is_the_minutes_before_and_a_percentile_of_nothing_is_not_known() {
        let slow = above("queue_p95", 9.0, 5);
        let tallies = [(4, jobs(1, 0, 60_000)), (5, jobs(1, 0, 2000)), (10, jobs(1, 0, 60_000))];
        let (value, verdict) = measured(&slow, &tallies, &[], 10);
        assert!((value.unwrap() - 2.0).abs() < 0.05 && verdict == Verdict::Right, "minutes 5 to 9: {value:?}");
        assert_eq!(measured(&slow, &tallies, &[], 9).1, Verdict::Wrong, "minutes 4 to 8");
        assert_eq!(measured(&slow, &tallies, &[], 30), (None, Verdict::Unknown));
    }

    #[test]
    fn a_count_is_nothing_only_where_somebody_looked() {
        let few = rule("completed", Condition::Threshold { is_above: false, limit: 1.0, window: 5 });
        assert_eq!(measured(&few, &[], &[], 10), (None, Verdict::Unknown));
        assert_eq!(measured(&few, &[], &[(7, Gauge::Looks, 3)], 10), (Some(0.0), Verdict::Wrong));
        assert_eq!(measured(&few, &[(7, jobs(1, 0, 0))], &[], 10), (Some(1.0), Verdict::Right));
    }

    #[test]
    fn gauges_are_means_of_all_looks_and_shares() {
        let looks = [(8, Gauge::Looks, 3), (9, Gauge::Looks, 3)];
        let with = |more: &[(i64, Gauge, u64)]| [&looks[..], more].concat();
        let (value, _) = measured(&above("workers", 1.0, 5), &[], &with(&[(8, Gauge::Workers, 6)]), 10);
        assert_eq!(value, Some(1.0), "a look at which none was there counts");
        let (value, _) = measured(&above("utilisation", 1.0, 5), &[], &with(&[(8, Gauge::Busy, 3), (8, Gauge::Slots, 12)]), 10);
        assert_eq!(value, Some(25.0));
        assert_eq!(measured(&above("utilisation", 1.0, 5), &[], &looks, 10), (None, Verdict::Unknown), "of no slots there is no share");
        let (value, _) = measured(&above("waiting", 1.0, 5), &[], &with(&[(9, Gauge::WaitingMs, 720_000)]), 10);
        assert_eq!(value, Some(2.0));
        let (value, _) = measured(&above("oldest_wait", 1.0, 5), &[], &with(&[(8, Gauge::OldestWaitMs, 9000)]), 10);
        assert_eq!(value, Some(9.0));
    }

    #[test]
    fn a_budget_burns_only_where_both_windows_say_so_and_enough_happened() {
        let burns = rule("failure_rate", Condition::BurnRate { objective: 99.0, factor: 14.4, long: 60, short: 5 });
        let before = (30, jobs(20, 5, 0));
        let now = (58, jobs(0, 5, 0));
        // A third of all and all of the last minutes: 33 times as fast as allowed at least.
        let (value, verdict) = measured(&burns, &[before.clone(), now.clone()], &[], 60);
        assert!((value.unwrap() - 33.3).abs() < 0.1 && verdict == Verdict::Wrong, "{value:?}");
        assert_eq!(
            measured(&burns, std::slice::from_ref(&before), &[], 60),
            (Some(0.0), Verdict::Right),
            "it is over: the short one is empty"
        );
        assert_eq!(measured(&burns, &[now], &[], 60).1, Verdict::Right, "five of five are too few");
        assert_eq!(measured(&burns, &[], &[], 60), (Some(0.0), Verdict::Right));
    }

    #[test]
    fn absence_waits_for_nothing_but_not_for_nobody() {
        let absent = |while_waiting| rule("completed", Condition::Absence { window: 3, while_waiting });
        let looks = [(7, Gauge::Looks, 3), (8, Gauge::Looks, 3), (9, Gauge::Looks, 3)];
        assert_eq!(measured(&absent(false), &[], &[], 10), (None, Verdict::Unknown), "nobody looked");
        assert_eq!(measured(&absent(false), &[], &looks, 10), (Some(0.0), Verdict::Wrong));
        assert_eq!(measured(&absent(false), &[(8, jobs(1, 0, 0))], &looks, 10), (Some(1.0), Verdict::Right));
        assert_eq!(measured(&absent(true), &[], &looks, 10).1, Verdict::Right, "nothing waits");
        let seen = |gauge: Gauge, minutes: &[i64]| [&looks[..], &minutes.iter().map(|at| (*at, gauge, 5)).collect::<Vec<_>>()].concat();
        let waiting = |minutes: &[i64]| [seen(Gauge::WaitingMs, minutes), seen(Gauge::OldestWaitMs, minutes)].concat();
        assert_eq!(measured(&absent(true), &[], &waiting(&[7, 8, 9]), 10).1, Verdict::Wrong);
        assert_eq!(measured(&absent(true), &[], &waiting(&[7, 9]), 10).1, Verdict::Right, "for a minute nothing did");
        let paused = seen(Gauge::WaitingMs, &[7, 8, 9]);
        assert_eq!(measured(&absent(true), &[], &paused, 10).1, Verdict::Right, "its team is paused");
        let workers = rule("workers", Condition::Absence { window: 3, while_waiting: false });
        assert_eq!(measured(&workers, &[], &looks, 10), (Some(0.0), Verdict::Wrong), "looks alone are no workers");
        let busy = rule("utilisation", Condition::Absence { window: 3, while_waiting: false });
        let idle = [&looks[..], &[(8, Gauge::Slots, 4)]].concat();
        assert_eq!((measured(&busy, &[], &looks, 10).1, measured(&busy, &[], &idle, 10).1), (Verdict::Wrong, Verdict::Right));
        let mut kept = Kept::new(Span::Minute);
        looks.iter().for_each(|(minute, gauge, total)| kept.note_gauge(&absent(false), at(*minute), *gauge, *total, *total));
        assert_eq!(judge(&absent(false), &kept, at(10), at(8)).verdict, Verdict::Right, "a rule that was just made waits its time");
    }

    #[test]
    fn of_live_numbers_only_what_is_known_is_judged() {
        let old = above("backup_age", 26.0, 1);
        assert_eq!(judge_live(&old, Some(30.0)).verdict, Verdict::Wrong);
        assert_eq!((judge_live(&old, Some(1.0)).verdict, judge_live(&old, None)), (Verdict::Right, Measured::UNKNOWN));
    }
}
