//! Which numbers a page is asked for, by its query: a range, what is told apart, and of what.

use crate::components::moment::{clock, day_of_month, day_typed, iso_day};
use domain::{TenantId, Timestamp, billing::Lane};
use service::numbers::{Dimension, Phase, Range, Span, TallyQuery};

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// By name, in words, in milliseconds.
pub const RANGES: [(&str, &str, i64); 6] = [
    ("1h", "the last hour", HOUR_MS),
    ("6h", "the last 6 hours", 6 * HOUR_MS),
    ("24h", "the last 24 hours", DAY_MS),
    ("7d", "the last 7 days", 7 * DAY_MS),
    ("30d", "the last 30 days", 30 * DAY_MS),
    ("365d", "the last year", 365 * DAY_MS),
];
const RANGE_DEFAULT: usize = 2;
const NAME_MAX: usize = 200;

/// As it is asked for. What cannot be read is as if it had not been said, but for whose numbers they are to be: [`Asked::wrong`] tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// One of [`RANGES`]; `None`: from one day to another.
    pub named: Option<&'static str>,
    pub range: Range,
    /// The days that are asked for are more than can be told: the range is another.
    pub is_too_long: bool,
    pub phase: Phase,
    pub by: Option<Dimension>,
    pub model: Option<String>,
    pub lane: Option<Lane>,
    pub device: Option<String>,
    pub tenant: Option<TenantId>,
    /// What was typed in the place of a tenant's id: the numbers of all are not what is asked for.
    pub wrong_tenant: Option<String>,
}

impl Asked {
    pub fn read(get: impl Fn(&str) -> Option<String>, now: Timestamp) -> Self {
        // No database takes a zero byte.
        let is_read = |text: &String| !text.is_empty() && text.len() <= NAME_MAX && !text.contains('\0');
        let text = |name: &str| get(name).map(|text| text.trim().to_owned()).filter(is_read);
        let day = |name: &str| text(name).and_then(|text| day_typed(&text));
        let days = day("from").zip(day("until")).filter(|_| get("range").is_none_or(|range| range.is_empty()));
        let days = days.map(|(from, until)| (from.start(), until.plus(1).start()));
        let (is_in_order, days) =
            (days.is_some_and(|(from, until)| from < until), days.and_then(|(from, until)| Range::new(from, until, now)));
        let (name, _, ms) = RANGES.into_iter().find(|(name, ..)| get("range").as_deref() == Some(*name)).unwrap_or(RANGES[RANGE_DEFAULT]);
        let tenant = text("tenant").map(|tenant| tenant.parse::<TenantId>().map_err(|_| tenant));
        let last = Range::last(ms, now).unwrap_or(Range { span: Span::Hour, from: Span::Hour.start(now), until: now });
        Self {
            named: if days.is_none() { Some(name) } else { None },
            range: days.unwrap_or(last),
            is_too_long: is_in_order && days.is_none(),
            phase: text("phase").and_then(|phase| Phase::named(&phase)).unwrap_or(Phase::Total),
            by: text("by").and_then(|by| Dimension::named(&by)),
            model: text("model"),
            lane: text("lane").and_then(|lane| Lane::named(&lane)),
            device: text("device"),
            tenant: tenant.as_ref().and_then(|tenant| tenant.as_ref().ok().copied()),
            wrong_tenant: tenant.and_then(Result::err),
        }
    }

    /// What of a query cannot be read, and what is shown in its place.
    pub fn wrong(get: impl Fn(&str) -> Option<String>) -> Option<&'static str> {
        let given = |name: &str| get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let range = get("range").filter(|range| !range.is_empty());
        let day = |name: &str| given(name).map(|text| day_typed(&text));
        let are_days = match (day("from"), day("until")) {
            (None, None) => true,
            (Some(Some(from)), Some(Some(until))) => from.start() < until.plus(1).start(),
            _ => false,
        };
        let wrong = [
            (
                range.as_deref().is_some_and(|range| RANGES.iter().all(|(name, ..)| *name != range)),
                "There is no such range of time. Below are the last 24 hours.",
            ),
            (range.is_none() && !are_days, "Give days as 2026-12-31, the first before the last. Below are the last 24 hours."),
            (
                given("phase").is_some_and(|phase| Phase::named(&phase).is_none()),
                "There is no such phase. Below is the time of all of them together.",
            ),
            (
                given("by").is_some_and(|by| Dimension::named(&by).is_none()),
                "Nothing of that name tells requests apart. Below they are told together.",
            ),
            (given("lane").is_some_and(|lane| Lane::named(&lane).is_none()), "There is no such lane. Below is every lane."),
        ];
        wrong.into_iter().find(|(is_wrong, _)| *is_wrong).map(|(_, said)| said)
    }

    pub fn tallies(&self) -> TallyQuery {
        let Self { range, by, model, lane, device, tenant, .. } = self.clone();
        TallyQuery { range, tenant, model, lane, device, by }
    }

    /// The query that asks for the same.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        match self.named {
            Some(named) => query.append_pair("range", named),
            None => query.append_pair("from", &iso_day(self.range.from)).append_pair("until", &iso_day(self.range.until.plus_ms(-1))),
        };
        if self.phase != Phase::Total {
            query.append_pair("phase", self.phase.as_str());
        }
        if let Some(by) = self.by {
            query.append_pair("by", by.as_str());
        }
        self.append_filters(&mut query);
        query.finish()
    }

    /// The query of the log that lists the jobs which ended within so long from `start` on, of `group` where groups are told apart.
    pub fn log_query(&self, start: Timestamp, until: Timestamp, group: Option<&str>) -> String {
        let mut one = self.clone();
        if let Some((by, group)) = self.by.zip(group) {
            one.narrow(by, group);
        }
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("ended_from", &start.ms().to_string()).append_pair("ended_until", &until.ms().to_string());
        one.append_filters(&mut query);
        query.finish()
    }

    /// The same of one group alone.
    pub fn of_group(&self, group: &str) -> Self {
        let mut one = Self { by: None, ..self.clone() };
        if let Some(by) = self.by {
            one.narrow(by, group);
        }
        one
    }

    fn narrow(&mut self, by: Dimension, group: &str) {
        match by {
            Dimension::Model => self.model = Some(group.to_owned()),
            Dimension::Lane => self.lane = Lane::named(group),
            Dimension::Device => self.device = Some(group.to_owned()),
            Dimension::Tenant => self.tenant = group.parse().ok(),
        }
    }

    /// Not all requests of the range are asked for.
    pub fn is_narrowed(&self) -> bool {
        self.model.is_some() || self.lane.is_some() || self.device.is_some() || self.tenant.is_some()
    }

    fn append_filters(&self, query: &mut form_urlencoded::Serializer<'_, String>) {
        let tenant = self.tenant.map(|tenant| tenant.to_string());
        let filters = [
            ("model", self.model.as_deref()),
            ("lane", self.lane.map(Lane::as_str)),
            ("device", self.device.as_deref()),
            ("tenant", tenant.as_deref()),
        ];
        for (name, value) in filters {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
    }

    /// What a span of the range is called.
    pub fn label(&self, start: Timestamp) -> String {
        match self.range.span {
            Span::Day => day_of_month(start),
            Span::Minute => clock(start),
            Span::Hour => format!("{}, {}", day_of_month(start), clock(start)),
        }
    }

    /// What a place of the axis stands for.
    pub const fn axis(&self) -> &'static str {
        match self.range.span {
            Span::Minute => "Minute that begins then, UTC",
            Span::Hour => "Hour that begins then, UTC",
            Span::Day => "Day, UTC",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(20_000 * DAY_MS + 1);

    fn of(query: &'static str) -> Asked {
        let get = move |wanted: &str| {
            form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
        };
        Asked::read(get, NOW)
    }

    #[test]
    fn what_cannot_be_read_is_as_if_it_had_not_been_said() {
        let asked = of("range=forever&phase=lunch&by=day&lane=fast&from=monday&until=2024-01-01");
        assert_eq!((asked.named, asked.phase, asked.by, asked.lane, asked.tenant), (Some("24h"), Phase::Total, None, None, None));
        assert_eq!(asked, of(""));
        assert_eq!(of("model=a%00&device=%00"), of(""));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let wrong = |query: &'static str| {
            Asked::wrong(|wanted| {
                form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
            })
        };
        for (query, said) in [
            ("range=forever", "There is no such range of time."),
            ("from=monday&until=2024-01-01", "Give days as 2026-12-31"),
            ("from=2024-01-01", "Give days as 2026-12-31"),
            ("from=2024-01-02&until=2024-01-01", "Give days as 2026-12-31"),
            ("phase=lunch", "There is no such phase."),
            ("by=day", "Nothing of that name tells requests apart."),
            ("lane=fast", "There is no such lane."),
        ] {
            assert!(wrong(query).is_some_and(|wrong| wrong.starts_with(said)), "{query}");
        }
        for query in
            ["", "range=&phase=&by=&lane=", "range=1h&from=2024-09-01", "from=2024-09-01&until=2024-09-01&phase=decode&by=lane&lane=batch"]
        {
            assert_eq!(wrong(query), None, "{query}");
        }
    }

    #[test]
    fn what_is_no_tenant_is_said_and_not_taken_for_everybody() {
        let asked = of("tenant=+nope+");
        assert_eq!((asked.tenant, asked.wrong_tenant.as_deref(), asked.is_narrowed()), (None, Some("nope"), false));
        let right = of("tenant=tenant_0190aaaabbbb7ccc8dddeeeeffff0001");
        assert_eq!((right.tenant.is_some(), right.wrong_tenant.is_none(), right.is_narrowed()), (true, true, true));
        assert!(of("model=m").is_narrowed() && !of("range=1h&by=lane").is_narrowed());
    }

    #[test]
    fn what_is_longer_than_can_be_told_is_said() {
        assert!(of("from=2023-01-01&until=2024-12-31").is_too_long);
        assert!(!of("from=2024-01-01&until=2024-12-31").is_too_long && !of("from=2024-12-31&until=2024-01-01").is_too_long);
    }

    #[test]
    fn what_was_asked_survives_its_address() {
        for query in
            ["range=1h&phase=decode&by=tenant_id&model=a%26b", "range=30d&lane=batch&device=h100", "from=2024-09-01&until=2024-09-03"]
        {
            let asked = of(query);
            assert_eq!(asked.query(), query);
        }
        assert_eq!(of("from=2024-09-01&until=2024-09-03").named, None);
    }

    #[test]
    fn an_hour_is_called_by_its_day_as_well() {
        let asked = of("range=24h");
        let [first, last] = [asked.range.from, asked.range.until.plus_ms(-HOUR_MS)].map(|start| asked.label(start));
        assert_eq!((&*first, &*last), ("3 Oct, 00:00", "4 Oct, 00:00"));
        assert_eq!(of("range=1h").label(NOW), "00:00");
    }

    #[test]
    fn a_group_leads_to_its_own_jobs() {
        let asked = of("range=1h&by=lane&model=m");
        let log = asked.log_query(Timestamp::from_ms(1), Timestamp::from_ms(2), Some("batch"));
        assert_eq!(log, "ended_from=1&ended_until=2&model=m&lane=batch");
        assert_eq!((asked.of_group("batch").lane, asked.of_group("batch").by), (Some(Lane::Batch), None));
    }
}
