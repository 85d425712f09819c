//! A moment, in UTC until the browser turns it into the reader's own time.

use domain::Timestamp;
use leptos::prelude::*;

#[component]
pub fn Moment(at: Timestamp) -> impl IntoView {
    view! { <time datetime=iso(at) data-local>{date(at)}</time> }
}

/// A moment for `<time datetime>`: `2026-11-21T16:30:05Z`.
fn iso(moment: Timestamp) -> String {
    let [year, month, day, hour, minute, second] = civil(moment);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// A moment for people without a script to tell their time zone: `21 Nov 2026, 16:30 UTC`.
fn date(moment: Timestamp) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let [year, month, day, hour, minute, _] = civil(moment);
    let month = usize::try_from(month - 1).ok().and_then(|index| MONTHS.get(index)).copied().unwrap_or_default();
    format!("{day} {month} {year}, {hour:02}:{minute:02} UTC")
}

/// Year, month, day, hour, minute and second in UTC.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
const fn civil(moment: Timestamp) -> [i64; 6] {
    let seconds = moment.unix_seconds();
    let (days, of_day) = (seconds.div_euclid(86_400) + 719_468, seconds.rem_euclid(86_400));
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + (month <= 2) as i64;
    [year, month, day, of_day / 3600, of_day / 60 % 60, of_day % 60]
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
