//! Which requests are asked for, by the query of a page.

use crate::components::moment::day_typed;
use domain::{FailureCode, JobId, TenantId, Timestamp, billing::Lane};
use service::{MadeBy, RequestFilter, RequestPlace, RequestStatus, Slow, numbers::Phase};

const TEXT_MAX: usize = 200;
const PAUSED: &str = "paused";
const MOMENTS: [&str; 2] = ["ended_from", "ended_until"];
/// What a query may hold, but for the place behind which a page begins.
const NAMES: [&str; 15] = [
    "status",
    "failure",
    "model",
    "lane",
    "device",
    "key",
    "text",
    "tenant",
    "phase",
    "at_least_s",
    "from",
    "until",
    "ended_from",
    "ended_until",
    "range",
];

/// As it is typed, and as it is read. What cannot be read is said, and nothing is listed.
#[derive(Debug, Clone, Default)]
pub struct AskedLog {
    typed: Vec<(&'static str, String)>,
    pub filter: RequestFilter,
    pub after: Option<RequestPlace>,
    /// What is new is not to appear by itself.
    pub is_paused: bool,
    pub wrong: Option<&'static str>,
}

impl AskedLog {
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let field = |name: &'static str| get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let typed: Vec<_> = NAMES.into_iter().filter_map(|name| Some((name, field(name)?))).collect();
        let (after, is_paused) = (get("after").and_then(|after| place(&after)), get(PAUSED).is_some());
        let mut asked = Self { typed, after, is_paused, ..Self::default() };
        match asked.filtered() {
            Ok(filter) => asked.filter = filter,
            Err(wrong) => asked.wrong = Some(wrong),
        }
        asked
    }

    pub fn typed(&self, name: &str) -> String {
        self.typed.iter().find(|(of, _)| *of == name).map(|(_, text)| text.clone()).unwrap_or_default()
    }

    fn filtered(&self) -> Result<RequestFilter, &'static str> {
        if let Some(wrong) = self.typed.iter().find_map(|(_, text)| wrong_text(text)) {
            return Err(wrong);
        }
        let text = |name: &str| Some(self.typed(name)).filter(|text| !text.is_empty());
        let phase = optional(text("phase"), Phase::named).ok_or("There is no such phase.")?;
        let least = optional(text("at_least_s"), |text| text.parse::<f64>().ok().filter(|s| (0.0..=1e7).contains(s)));
        let least = least.ok_or("Give a number of seconds, such as 90.")?.map(|s| (s * 1000.0) as u64);
        Ok(RequestFilter {
            ended: self.ended()?,
            tenant: optional(text("tenant"), |text| text.parse::<TenantId>().ok())
                .ok_or("Give the id of a tenant, such as tenant_0190…")?,
            status: optional(text("status"), RequestStatus::named).ok_or("There is no such status.")?,
            failure: optional(text("failure"), |text| text.parse::<FailureCode>().ok()).ok_or("There is no such reason to fail.")?,
            model: text("model"),
            lane: optional(text("lane"), Lane::named).ok_or("There is no such lane.")?,
            device: text("device"),
            made_by: optional(text("key"), made_by).ok_or("Choose a key, or the browser.")?,
            text: text("text"),
            slow: least.map(|at_least_ms| Slow { phase: phase.unwrap_or(Phase::Total), at_least_ms }),
        })
    }

    /// From moments, as charts lead here, or from days, as people type them.
    fn ended(&self) -> Result<Option<(Timestamp, Timestamp)>, &'static str> {
        const WRONG: &str = "Give days as 2026-12-31, the first before the last.";
        let moment = |ms: &str| ms.parse::<i64>().ok().filter(|ms| (0..=i64::from(u32::MAX) * 1000).contains(ms)).map(Timestamp::from_ms);
        let ms = |name: &str| optional(Some(self.typed(name)).filter(|ms| !ms.is_empty()), moment).ok_or(WRONG);
        let day = |name: &str| optional(Some(self.typed(name)).filter(|day| !day.is_empty()), day_typed).ok_or(WRONG);
        let (from, until) = (day("from")?.map(|day| day.start()), day("until")?.map(|day| day.plus(1).start()));
        let (from, until) = (ms("ended_from")?.or(from), ms("ended_until")?.or(until));
        match (from, until) {
            (None, None) => Ok(None),
            (from, until) => {
                let range = (from.unwrap_or(Timestamp::from_ms(0)), until.unwrap_or(Timestamp::from_ms(i64::MAX)));
                if range.0 < range.1 { Ok(Some(range)) } else { Err(WRONG) }
            }
        }
    }

    /// That of the newest ones, standing still.
    pub fn paused_query(&self) -> String {
        let query = self.query(None);
        if query.is_empty() { format!("{PAUSED}=1") } else { format!("{query}&{PAUSED}=1") }
    }

    /// The query of the page that goes on behind `after`.
    pub fn query(&self, after: Option<RequestPlace>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, text) in &self.typed {
            query.append_pair(name, text);
        }
        if let Some(RequestPlace { ended_at, job }) = after {
            let place = ended_at.map_or_else(|| job.to_string(), |ended_at| format!("{}.{job}", ended_at.ms()));
            query.append_pair("after", &place);
        }
        query.finish()
    }

    /// The moments between which what is listed ended, as a chart leads here with them: no field of the form has them.
    pub fn of_chart(&self) -> Option<(Timestamp, Timestamp)> {
        let is_of_chart = MOMENTS.into_iter().all(|name| !self.typed(name).is_empty());
        self.filter.ended.filter(|_| is_of_chart)
    }

    /// The query of the same at any time.
    pub fn query_at_any_time(&self) -> String {
        let typed = self.typed.iter().filter(|(name, _)| !MOMENTS.contains(name)).cloned().collect();
        Self { typed, ..Self::default() }.query(None)
    }

    /// Whether it was narrowed at all.
    pub fn is_narrowed(&self) -> bool {
        !self.typed.is_empty()
    }
}

/// Why nothing at all is looked for by this text.
pub fn wrong_text(text: &str) -> Option<&'static str> {
    if text.chars().count() > TEXT_MAX {
        return Some("That is too long to be looked for.");
    }
    // No database takes it, and nobody types it.
    text.contains('\0').then_some("There is something in it that cannot be read.")
}

/// `Some(None)`: it is not given.
fn optional<T>(text: Option<String>, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    match text {
        None => Some(None),
        Some(text) => read(&text).map(Some),
    }
}

fn made_by(text: &str) -> Option<MadeBy> {
    if text == "browser" { Some(MadeBy::Browser) } else { text.parse().ok().map(MadeBy::Key) }
}

fn place(text: &str) -> Option<RequestPlace> {
    match text.split_once('.') {
        Some((ms, job)) => Some(RequestPlace { ended_at: Some(Timestamp::from_ms(ms.parse().ok()?)), job: job.parse().ok()? }),
        None => Some(RequestPlace { ended_at: None, job: text.parse::<JobId>().ok()? }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> AskedLog {
        AskedLog::read(|wanted| {
            form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
        })
    }

    #[test]
    fn what_is_typed_is_asked_for_and_survives_the_address() {
        let query = "status=failed&failure=out_of_memory&lane=batch&key=browser&text=50%25&phase=queue&at_least_s=1.5&from=2026-01-01&until=2026-01-02";
        let asked = of(query);
        assert_eq!((asked.wrong, asked.query(None)), (None, query.to_owned()));
        assert_eq!(asked.filter.slow, Some(Slow { phase: Phase::Queue, at_least_ms: 1500 }));
        assert_eq!(asked.filter.ended.map(|(from, until)| until.ms() - from.ms()), Some(2 * 86_400_000));
        assert_eq!((asked.filter.made_by, asked.filter.text.as_deref()), (Some(MadeBy::Browser), Some("50%")));
        assert!(!of("after=nowhere").is_narrowed() && asked.is_narrowed());
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for query in [
            "status=odd",
            "failure=odd",
            "lane=odd",
            "key=odd",
            "phase=odd",
            "at_least_s=soon",
            "from=monday",
            "ended_from=monday",
            "ended_from=1&ended_until=-1",
            "tenant=ada",
            "from=2026-02-01&until=2026-01-01",
            "text=%00",
            "text=a%00b",
            "model=%00",
            "device=m%00",
        ] {
            assert!(of(query).wrong.is_some(), "{query}");
        }
        assert!(of(&format!("text={}", "x".repeat(201))).wrong.is_some());
    }

    #[test]
    fn the_moments_of_a_chart_are_told_and_can_be_left_out() {
        let asked = of("model=m&ended_from=3600000&ended_until=7200000");
        assert_eq!(asked.of_chart(), Some((Timestamp::from_ms(3_600_000), Timestamp::from_ms(7_200_000))));
        assert_eq!(asked.query_at_any_time(), "model=m");
        assert_eq!((of("from=2026-01-01&until=2026-01-02").of_chart(), of("ended_from=1").of_chart()), (None, None));
    }

    #[test]
    fn a_place_survives_the_address() {
        let job = "job_0190aaaabbbb7ccc8dddeeeeffff0001".parse().unwrap();
        for ended_at in [None, Some(Timestamp::from_ms(17))] {
            let place = RequestPlace { ended_at, job };
            assert_eq!(of(&of("").query(Some(place))).after, Some(place));
        }
        assert_eq!(of("after=1.x").after, None);
    }
}
