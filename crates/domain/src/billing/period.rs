//! The months of a plan: they begin on the day of the month on which the plan began.

use crate::Timestamp;
use time::{Date, Duration, Month, OffsetDateTime};

/// The period that holds `now`, of a plan that began at `since`: its first moment, and the first of the next one.
///
/// A plan of the 31st is renewed on the last day of shorter months. Before `since` it is the first period.
#[must_use]
pub fn period_of(since: Timestamp, now: Timestamp) -> (Timestamp, Timestamp) {
    let (Some(start), Some(today)) = (moment(since), moment(now)) else { return (since, since.plus_ms(MONTH_MS)) };
    let months = i64::from(today.year() - start.year()) * 12 + i64::from(u8::from(today.month())) - i64::from(u8::from(start.month()));
    // The renewal of this calendar month may be still to come.
    let passed = if later_by(start, months).is_some_and(|renewal| renewal <= now) { months } else { months - 1 };
    let passed = passed.max(0);
    match (later_by(start, passed), later_by(start, passed + 1)) {
        (Some(from), Some(until)) => (from, until),
        _ => (since, since.plus_ms(MONTH_MS)),
    }
}

const MONTH_MS: i64 = 30 * 24 * 60 * 60 * 1000;

fn moment(at: Timestamp) -> Option<OffsetDateTime> {
    OffsetDateTime::UNIX_EPOCH.checked_add(Duration::milliseconds(at.ms()))
}

fn later_by(start: OffsetDateTime, months: i64) -> Option<Timestamp> {
    let count = i64::from(start.year()) * 12 + i64::from(u8::from(start.month())) - 1 + months;
    let month = Month::try_from(u8::try_from(count.rem_euclid(12) + 1).ok()?).ok()?;
    let year = i32::try_from(count.div_euclid(12)).ok()?;
    let date = Date::from_calendar_date(year, month, start.day().min(month.length(year))).ok()?;
    let ms = (start.replace_date(date) - OffsetDateTime::UNIX_EPOCH).whole_milliseconds();
    Some(Timestamp::from_ms(i64::try_from(ms).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::macros::datetime;

    fn at(moment: OffsetDateTime) -> Timestamp {
        Timestamp::from_ms(moment.unix_timestamp() * 1000)
    }

    #[test]
    fn a_plan_is_renewed_on_its_day_or_on_the_last_of_a_shorter_month() {
        let since = at(datetime!(2026-01-31 10:00 UTC));
        let period = |now| period_of(since, at(now));
        let february = at(datetime!(2026-02-28 10:00 UTC));
        assert_eq!(period(datetime!(2026-01-31 10:00 UTC)), (since, february));
        assert_eq!(period(datetime!(2026-02-28 09:59 UTC)), (since, february));
        assert_eq!(period(datetime!(2026-02-28 10:00 UTC)), (february, at(datetime!(2026-03-31 10:00 UTC))));
        assert_eq!(period(datetime!(2028-02-29 10:00 UTC)).0, at(datetime!(2028-02-29 10:00 UTC)));
    }

    proptest! {
        #[test]
        fn a_period_holds_its_moment_and_the_next_begins_where_it_ends(since in 0..4_000_000_000_000_i64, passed in 0..400_000_000_000_i64) {
            let (since, now) = (Timestamp::from_ms(since), Timestamp::from_ms(since + passed));
            let (from, until) = period_of(since, now);
            prop_assert!(from <= now && now < until);
            prop_assert_eq!(period_of(since, until).0, until);
            prop_assert_eq!(period_of(since, until.plus_ms(-1)), (from, until));
        }
    }
}
