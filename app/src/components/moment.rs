//! A moment, in UTC until the browser turns it into the reader's own time.

use domain::Timestamp;
use leptos::prelude::*;
use time::{OffsetDateTime, format_description::BorrowedFormatItem, macros::format_description};

#[component]
pub fn Moment(at: Timestamp) -> impl IntoView {
    view! { <time datetime=iso(at) data-local>{date(at)}</time> }
}

/// A moment for `<time datetime>`: `2026-11-21T16:30:05Z`.
fn iso(moment: Timestamp) -> String {
    written(moment, format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z"))
}

/// A moment for people without a script to tell their time zone: `21 Nov 2026, 16:30 UTC`.
fn date(moment: Timestamp) -> String {
    written(moment, format_description!("[day padding:none] [month repr:short] [year], [hour]:[minute] UTC"))
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
    }
}
