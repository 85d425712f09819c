//! A moment, in UTC until the browser turns it into the reader's own time, and how long ago one was.

use domain::{Timestamp, billing::Day};
use leptos::prelude::*;
use time::{Date, Month, OffsetDateTime, format_description::BorrowedFormatItem, macros::format_description};

#[component]
pub fn Moment(at: Timestamp) -> impl IntoView {
    view! { <time datetime=iso(at) data-local>{date(at)}</time> }
}

/// Which zones times are of: above what has days or a chart, and moments beside them.
#[component]
pub fn Zones() -> impl IntoView {
    view! { <p class="hint">"Days and charts are in UTC. Times without a zone are your own."</p> }
}

/// How long ago a moment was, seen from `now`; pointed at, it says when that was.
#[component]
pub fn Ago(at: Timestamp, now: Timestamp) -> impl IntoView {
    view! { <time datetime=iso(at) title=date(at)>{ago(now.ms_since(at))}</time> }
}

/// In whole units of the largest kind: `12 s ago`, `5 min ago`.
fn ago(ms: u64) -> String {
    let s = ms / 1000;
    match s {
        0 => "now".into(),
        1..60 => format!("{s} s ago"),
        60..3600 => format!("{} min ago", s / 60),
        3600..172_800 => format!("{} h ago", s / 3600),
        _ => format!("{} days ago", s / 86_400),
    }
}

/// The hour and minute of a moment: `16:30`.
pub fn clock(moment: Timestamp) -> String {
    written(moment, format_description!("[hour]:[minute]"))
}

/// The day of a moment, among those of a year: `21 Nov`.
pub fn day_of_month(moment: Timestamp) -> String {
    written(moment, format_description!("[day padding:none] [month repr:short]"))
}

/// The day of a moment, for programs: `2026-11-21`.
pub fn iso_day(moment: Timestamp) -> String {
    written(moment, format_description!("[year]-[month]-[day]"))
}

/// A moment for `<time datetime>`: `2026-11-21T16:30:05Z`.
pub fn iso(moment: Timestamp) -> String {
    written(moment, format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z"))
}

/// A moment for people, whatever their time zone: `21 Nov 2026, 16:30 UTC`.
pub fn date(moment: Timestamp) -> String {
    written(moment, format_description!("[day padding:none] [month repr:short] [year], [hour]:[minute] UTC"))
}

/// A day as a form gives it: `2026-12-31`.
pub fn day_typed(text: &str) -> Option<Day> {
    let [year, month, day] = <[&str; 3]>::try_from(text.split('-').collect::<Vec<_>>()).ok()?;
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    let date = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    Some(Day::of(Timestamp::from_ms(date.midnight().assume_utc().unix_timestamp() * 1000)))
}

/// Empty where there is no such year.
fn written(moment: Timestamp, format: &[BorrowedFormatItem<'_>]) -> String {
    let moment = OffsetDateTime::from_unix_timestamp(moment.unix_seconds()).ok();
    moment.and_then(|moment| moment.format(format).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(iso(Timestamp::from_ms(951_782_400_000)), "2000-02-29T00:00:00Z");
        assert_eq!(iso(Timestamp::from_ms(-1)), "1969-12-31T23:59:59Z");
        assert_eq!(date(Timestamp::from_ms(1_795_278_605_000)), "21 Nov 2026, 16:30 UTC");
        assert_eq!(clock(Timestamp::from_ms(1_795_278_605_000)), "16:30");
    }

    #[test]
    fn a_day_is_read_as_it_is_written() {
        assert_eq!(day_typed("1970-01-02"), Some(Day(1)));
        assert_eq!(day_typed(&iso_day(Day(20_000).start())), Some(Day(20_000)));
        assert_eq!(["", "today", "2026-13-01", "2026-02-30", "2026-1"].map(day_typed), [None; 5]);
    }

    #[test]
    fn how_long_ago_is_told_in_the_largest_unit_that_fits() {
        let told = [900, 59_999, 60_000, 3_600_000, 172_799_000, 172_800_000].map(ago);
        assert_eq!(told, ["now", "59 s ago", "1 min ago", "1 h ago", "47 h ago", "2 days ago"]);
    }
}
