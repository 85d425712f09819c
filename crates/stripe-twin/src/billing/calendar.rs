//! Billing periods: months are those of the calendar, counted from an anchor, and parts of periods are counted in seconds.

use time::{Date, Duration, Month, OffsetDateTime};

const DAY: i64 = 86_400;

/// From its first second up to the first second of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    pub start: i64,
    pub end: i64,
}

/// How often is billed: every `count` of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    pub unit: String,
    pub count: i64,
}

impl Interval {
    /// The anchor, so many intervals later. The 31st becomes the last day of a shorter month, and the 31st again after it.
    pub fn after(&self, anchor: i64, times: i64) -> i64 {
        let steps = self.count.max(1) * times;
        match self.unit.as_str() {
            "day" => anchor + steps * DAY,
            "week" => anchor + steps * 7 * DAY,
            "year" => add_months(anchor, 12 * steps),
            _ => add_months(anchor, steps),
        }
    }

    /// When the period ends that begins with `start`: at the first return of the anchor behind it.
    pub fn end(&self, anchor: i64, start: i64) -> i64 {
        let about = match self.unit.as_str() {
            "day" => DAY,
            "week" => 7 * DAY,
            "year" => 365 * DAY,
            _ => 28 * DAY,
        };
        let mut times = (start - anchor).div_euclid(about * self.count.max(1)).max(0);
        while times > 0 && self.after(anchor, times) > start {
            times -= 1;
        }
        while self.after(anchor, times) <= start {
            times += 1;
        }
        self.after(anchor, times)
    }
}

fn add_months(anchor: i64, months: i64) -> i64 {
    let Ok(moment) = OffsetDateTime::from_unix_timestamp(anchor) else { return anchor };
    let counted = i64::from(moment.year()) * 12 + i64::from(u8::from(moment.month())) - 1 + months;
    let year = i32::try_from(counted.div_euclid(12)).unwrap_or(i32::MAX);
    let month = u8::try_from(counted.rem_euclid(12) + 1).ok().and_then(|month| Month::try_from(month).ok()).unwrap_or(Month::January);
    let day = moment.day().min(month.length(year));
    let date = Date::from_calendar_date(year, month, day).unwrap_or(moment.date());
    let midnight = date.midnight().assume_utc();
    (midnight + (moment.time() - time::Time::MIDNIGHT)).unix_timestamp()
}

impl Period {
    /// What the rest of this period from `at` on costs, if all of it costs `amount`: to the second, and to the cent, halves away from zero.
    pub fn rest_of(self, amount: i64, at: i64) -> i64 {
        let whole = i128::from((self.end - self.start).max(1));
        let rest = i128::from((self.end - at).clamp(0, self.end - self.start));
        divide(i128::from(amount) * rest, whole)
    }
}

fn divide(dividend: i128, divisor: i128) -> i64 {
    let halves = (dividend.abs() * 2 + divisor) / (divisor * 2);
    i64::try_from(halves * dividend.signum()).unwrap_or(i64::MAX)
}

/// As descriptions of invoice lines say it: `25 Nov 2026`.
pub fn day(second: i64) -> String {
    let moment = OffsetDateTime::from_unix_timestamp(second).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let month: String = moment.month().to_string().chars().take(3).collect();
    format!("{} {month} {}", moment.day(), moment.year())
}

/// `YYYY-MM-DD HH:MM UTC`.
pub fn minute(second: i64) -> String {
    let moment = OffsetDateTime::from_unix_timestamp(second).unwrap_or(OffsetDateTime::UNIX_EPOCH) + Duration::ZERO;
    let (month, time) = (u8::from(moment.month()), moment.time());
    format!("{}-{month:02}-{:02} {:02}:{:02} UTC", moment.year(), moment.day(), time.hour(), time.minute())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(unit: &str) -> Interval {
        Interval { unit: unit.to_owned(), count: 1 }
    }

    /// Noon of that day.
    fn at(year: i32, month: u8, day: u8) -> i64 {
        let date = Date::from_calendar_date(year, Month::try_from(month).unwrap(), day).unwrap();
        date.midnight().assume_utc().unix_timestamp() + DAY / 2
    }

    #[test]
    fn the_31st_returns_after_shorter_months() {
        let anchor = at(2027, 1, 31);
        let ends: Vec<_> = (1..=3).map(|times| every("month").after(anchor, times)).collect();
        assert_eq!(ends, [at(2027, 2, 28), at(2027, 3, 31), at(2027, 4, 30)]);
    }

    #[test]
    fn a_period_ends_where_the_anchor_returns() {
        let anchor = at(2026, 1, 31);
        assert_eq!(every("month").end(anchor, anchor), at(2026, 2, 28));
        assert_eq!(every("month").end(anchor, at(2026, 2, 28)), at(2026, 3, 31));
        assert_eq!(every("month").end(anchor, at(2026, 4, 10)), at(2026, 4, 30));
        assert_eq!(every("year").end(at(2024, 2, 29), at(2024, 2, 29)), at(2025, 2, 28));
        assert_eq!(every("week").end(anchor, anchor + 1), anchor + 7 * DAY);
    }

    #[test]
    fn half_a_period_costs_half_and_halves_of_a_cent_are_rounded_away_from_zero() {
        let month = Period { start: 0, end: 30 * DAY };
        assert_eq!(month.rest_of(1000, 15 * DAY), 500);
        assert_eq!(month.rest_of(1001, 15 * DAY), 501);
        assert_eq!(month.rest_of(-1001, 15 * DAY), -501);
        assert_eq!(month.rest_of(1000, 31 * DAY), 0);
    }
}
