//! Over which lengths of time numbers are added up, how long these sums are kept, and which are shown for a range.

use crate::Timestamp;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;
/// A range is told in no more places.
const PLACES_MAX: i64 = 400;

/// A length of time whose sums are kept, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Span {
    Minute,
    Hour,
    Day,
}

impl Span {
    pub const ALL: [Self; 3] = [Self::Minute, Self::Hour, Self::Day];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|span| span.as_str() == name)
    }

    #[must_use]
    pub const fn ms(self) -> i64 {
        match self {
            Self::Minute => MINUTE_MS,
            Self::Hour => HOUR_MS,
            Self::Day => DAY_MS,
        }
    }

    /// How long its sums are kept: a week, thirteen months, five years.
    #[must_use]
    pub const fn kept_ms(self) -> i64 {
        match self {
            Self::Minute => 7 * DAY_MS,
            Self::Hour => 400 * DAY_MS,
            Self::Day => 5 * 366 * DAY_MS,
        }
    }

    /// Where its sums begin that are still kept at `now`.
    const fn kept_since(self, now: Timestamp) -> Timestamp {
        self.start(now.plus_ms(-self.kept_ms()))
    }

    /// The next shorter one.
    const fn finer(self) -> Option<Self> {
        match self {
            Self::Minute => None,
            Self::Hour => Some(Self::Minute),
            Self::Day => Some(Self::Hour),
        }
    }

    /// The beginning of the one that holds a moment.
    #[must_use]
    pub const fn start(self, at: Timestamp) -> Timestamp {
        Timestamp::from_ms(at.ms().div_euclid(self.ms()) * self.ms())
    }
}

/// Times that are looked at, in whole spans. The last moment is not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    pub span: Span,
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Range {
    /// In the finest spans that are still kept, also of the range before, and are not too many to be looked at. `None`: it is empty, or longer
    /// than can be told.
    #[must_use]
    pub fn new(from: Timestamp, until: Timestamp, now: Timestamp) -> Option<Self> {
        Span::ALL.into_iter().find_map(|span| {
            let range = Self { span, from: span.start(from), until: span.start(until.plus_ms(span.ms() - 1)) };
            let is_kept = range.before().from >= span.kept_since(now) || span == Span::Day;
            let fits = from < until && range.places() <= PLACES_MAX && is_kept;
            fits.then_some(range)
        })
    }

    /// The last `ms` before `now`, the span that holds it included.
    #[must_use]
    pub fn last(ms: i64, now: Timestamp) -> Option<Self> {
        if ms > 0 { Self::new(now.plus_ms(-ms), now.plus_ms(1), now) } else { None }
    }

    #[must_use]
    pub const fn ms(&self) -> i64 {
        self.until.ms() - self.from.ms()
    }

    #[must_use]
    pub const fn places(&self) -> i64 {
        self.ms() / self.span.ms()
    }

    /// The range of the same length just before.
    #[must_use]
    pub const fn before(&self) -> Self {
        Self { span: self.span, from: self.from.plus_ms(-self.ms()), until: self.from }
    }

    /// The time just before it that is as long as what is over of it at `now`, to half of the shortest span in it: what is less than one of its
    /// own spans is told in the next finer ones, where these are still kept. Nothing where it has not begun.
    #[must_use]
    pub fn as_long_before(&self, now: Timestamp) -> Vec<Self> {
        let over_ms = (self.until.min(now).ms() - self.from.ms()).max(0);
        let finest = self.span.finer().filter(|finer| self.before().from >= finer.kept_since(now)).unwrap_or(self.span);
        let ms = (over_ms + finest.ms() / 2) / finest.ms() * finest.ms();
        let whole_ms = ms - ms % self.span.ms();
        let whole = Self { from: self.from.plus_ms(-whole_ms), until: self.from, ..*self };
        let rest = Self { span: finest, from: self.from.plus_ms(-ms), until: whole.from };
        [rest, whole].into_iter().filter(|part| part.places() > 0).collect()
    }

    /// One after the other, in whole spans. `None`: it is no more than one.
    #[must_use]
    pub fn halves(&self) -> Option<[Self; 2]> {
        let middle = self.from.plus_ms(self.places() / 2 * self.span.ms());
        (self.places() > 1).then_some([Self { until: middle, ..*self }, Self { from: middle, ..*self }])
    }

    /// The beginnings of its spans.
    pub fn starts(&self) -> impl Iterator<Item = Timestamp> + use<> {
        let (from, ms) = (self.from, self.span.ms());
        (0..self.places()).map(move |place| from.plus_ms(place * ms))
    }

    /// Which of its spans a moment lies in. `None`: in none.
    #[must_use]
    pub fn place(&self, at: Timestamp) -> Option<usize> {
        let is_in = at >= self.from && at < self.until;
        is_in.then(|| usize::try_from((at.ms() - self.from.ms()) / self.span.ms()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(20_000 * DAY_MS + 5 * HOUR_MS + 30_500);

    #[test]
    fn short_ranges_are_told_by_minutes_and_long_ones_by_days() {
        let spans =
            [HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS].map(|ms| Range::last(ms, NOW).map(|range| range.span));
        assert_eq!(spans, [Span::Minute, Span::Minute, Span::Hour, Span::Hour, Span::Day, Span::Day].map(Some));
        assert_eq!((Range::last(0, NOW), Range::last(-1, NOW), Range::last(500 * DAY_MS, NOW)), (None, None, None));
    }

    #[test]
    fn what_is_not_kept_in_minutes_any_more_is_told_by_hours() {
        let long_ago = NOW.plus_ms(-30 * DAY_MS);
        assert_eq!(Range::new(long_ago, long_ago.plus_ms(HOUR_MS), NOW).map(|range| range.span), Some(Span::Hour));
        let years_ago = NOW.plus_ms(-800 * DAY_MS);
        assert_eq!(Range::new(years_ago, years_ago.plus_ms(HOUR_MS), NOW).map(|range| range.span), Some(Span::Day));
    }

    #[test]
    fn what_it_is_compared_with_is_kept_as_well() {
        for (finer, coarser) in [(Span::Minute, Span::Hour), (Span::Hour, Span::Day)] {
            let (whole, oldest) = (6 * finer.ms(), NOW.plus_ms(-finer.kept_ms()));
            let begun = |ms: i64| Range::new(oldest.plus_ms(ms), oldest.plus_ms(ms + whole), NOW).map(|range| range.span);
            assert_eq!((begun(2 * whole), begun(whole / 2)), (Some(finer), Some(coarser)));
        }
    }

    #[test]
    fn what_is_over_of_a_range_is_compared_with_as_long_a_time() {
        // Half a minute and half a second of the minute are over, and of the hour; and five hours of the day.
        let minutes = |ms| {
            let range = Range::last(ms, NOW).unwrap();
            let parts = range.as_long_before(NOW);
            assert_eq!(parts.last().map(|part| part.until), Some(range.from));
            assert!(parts.windows(2).all(|two| two[0].until == two[1].from) && parts[0].from >= range.before().from);
            parts.iter().map(|part| (part.span, part.ms() / MINUTE_MS)).collect::<Vec<_>>()
        };
        assert_eq!(minutes(HOUR_MS), [(Span::Minute, 61)]);
        assert_eq!(minutes(DAY_MS), [(Span::Minute, 1), (Span::Hour, 24 * 60)]);
        assert_eq!(minutes(30 * DAY_MS), [(Span::Hour, 5 * 60), (Span::Day, 30 * 24 * 60)]);
        // Minutes of two weeks ago are not kept any more, nor hours of two years ago.
        assert_eq!(minutes(7 * DAY_MS), [(Span::Hour, 7 * 24 * 60)]);
        assert_eq!(minutes(365 * DAY_MS), [(Span::Day, 365 * 24 * 60)]);
        let range = Range::last(DAY_MS, NOW).unwrap();
        assert_eq!((range.as_long_before(range.until), range.as_long_before(range.from)), (vec![range.before()], vec![]));
    }

    #[test]
    fn a_range_is_its_halves_and_one_span_has_none() {
        for places in [2, 5] {
            let range = Range { span: Span::Hour, from: Timestamp::from_ms(0), until: Timestamp::from_ms(places * HOUR_MS) };
            let [first, second] = range.halves().unwrap();
            assert_eq!((first.from, first.until, second.until), (range.from, second.from, range.until));
            assert_eq!((first.places(), second.places()), (places / 2, places - places / 2));
        }
        let one = Range { span: Span::Hour, from: Timestamp::from_ms(0), until: Timestamp::from_ms(HOUR_MS) };
        assert_eq!(one.halves(), None);
    }

    #[test]
    fn a_range_begins_and_ends_with_spans_and_the_one_before_ends_where_it_begins() {
        let range = Range::last(HOUR_MS, NOW).unwrap();
        assert_eq!((range.from.ms() % MINUTE_MS, range.until.ms() % MINUTE_MS, range.places()), (0, 0, 61));
        assert!(range.from <= NOW.plus_ms(-HOUR_MS) && range.until > NOW);
        // Also where it has just begun.
        let on_the_minute = Span::Minute.start(NOW);
        assert!(Range::last(HOUR_MS, on_the_minute).is_some_and(|range| range.place(on_the_minute).is_some()));
        let before = range.before();
        assert_eq!((before.until, before.places()), (range.from, range.places()));
        assert_eq!(range.starts().last(), Some(range.until.plus_ms(-MINUTE_MS)));
        assert_eq!((range.place(range.from), range.place(range.until), range.place(NOW)), (Some(0), None, Some(60)));
    }
}
