//! Numbers over time: of a tenant's own requests, and of the installation for its operator.

use crate::{
    api::{
        ApiError,
        caller::Caller,
        operator::OperatorCaller,
        query::{self, invalid},
    },
    context::Context,
};
use axum::{
    Json,
    extract::{RawQuery, State},
};
use domain::{Permission, TenantId, Timestamp, billing::Lane};
use serde::Serialize;
use service::numbers::{Count, Dimension, Numbers, NumbersError, Phase, Range, Tally, TallyQuery};
use std::collections::BTreeMap;
use utoipa::ToSchema;

const DAY_S: i64 = 24 * 60 * 60;

/// Spans of a time, the oldest first. Times are those of requests that were made, within 1 % of the exact ones.
#[derive(Debug, Serialize, ToSchema)]
pub struct MetricsPage {
    #[schema(example = "page")]
    pub object: &'static str,
    /// How long a span is: `1m`, `1h` or `1d`. The longer the time that is asked for, the longer the spans.
    #[schema(example = "1h")]
    pub bucket_width: &'static str,
    pub data: Vec<MetricsBucket>,
    /// Of all spans together.
    pub total: MetricsResult,
    /// Of the time of the same length before.
    pub previous: MetricsResult,
    /// All of it is on one page.
    #[schema(example = false)]
    pub has_more: bool,
    pub next_page: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MetricsBucket {
    #[schema(example = "bucket")]
    pub object: &'static str,
    /// Unix seconds.
    #[schema(example = 1_795_219_200)]
    pub start_time: i64,
    pub end_time: i64,
    /// One, or one for each group that was asked to be told apart; none where nothing ended.
    pub results: Vec<MetricsResult>,
    /// What was seen of the load; only for the operator, and where anybody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadResult>,
}

/// What ended, and how long it took.
#[derive(Debug, Serialize, ToSchema)]
pub struct MetricsResult {
    #[schema(example = "metrics.result")]
    pub object: &'static str,
    /// By what is told apart; null where nothing is.
    pub group: Option<String>,
    #[schema(example = 12)]
    pub num_succeeded: u64,
    #[schema(example = 1)]
    pub num_failed: u64,
    #[schema(example = 0)]
    pub num_cancelled: u64,
    /// Of those that were not cancelled; null where there were none.
    #[schema(example = 0.92)]
    pub success_rate: Option<f64>,
    /// What was charged.
    #[schema(example = 48.0)]
    pub video_seconds: f64,
    /// Of those that were made, for how many weights were loaded.
    pub cold_start_rate: Option<f64>,
    /// How many samples shared a device on average while they were denoised.
    pub batch_fill: Option<f64>,
    /// How many failed, by the code of the failure.
    pub failures: BTreeMap<String, u64>,
    /// By phase: `total`, `queue` (waiting for a worker), `load`, `encode`, `denoise`, `decoder_wait` (waiting for a decoder), `decode` and `upload`.
    /// Phases of which nothing is known are left out.
    pub latency: BTreeMap<&'static str, Percentiles>,
}

/// Milliseconds that so many of a hundred did not exceed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Percentiles {
    pub count: u64,
    #[schema(example = 8200)]
    pub p50_ms: u64,
    pub p90_ms: u64,
    pub p95_ms: u64,
    pub p99_ms: u64,
    #[serde(rename = "p99_9_ms")]
    pub p999_ms: u64,
    pub max_ms: u64,
}

/// Means of what was seen within a span, of the device, model and lane that were asked for. Workers are of no model, lane or tenant.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoadResult {
    /// Of slots for sampling, how many of one were taken; null where there were none.
    #[schema(example = 0.42)]
    pub utilization: Option<f64>,
    pub workers: f64,
    /// What several kinds of device can make counts once.
    pub waiting_video_seconds: f64,
}

/// How requests fared
///
/// How many ended and how, and how long each phase took, over time.
#[utoipa::path(
    get, path = "/v1/usage/overview", tag = "usage",
    params(
        ("start_time" = Option<i64>, Query, description = "Unix seconds. A day before the end unless given"),
        ("end_time" = Option<i64>, Query, description = "Unix seconds. Now unless given"),
        ("group_by" = Option<String>, Query, description = "`model`, `lane` or `device`")
    ),
    responses((status = 200, description = "A bucket for each span", body = MetricsPage))
)]
pub async fn overview(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Json<MetricsPage>, ApiError> {
    let asked = asked(query.as_deref().unwrap_or_default(), context.services.store.now().await?)?;
    if asked.by == Some(Dimension::Tenant) {
        return Err(invalid("group_by", "`group_by` must be model, lane or device."));
    }
    let numbers = Box::pin(context.services.own_numbers(caller.actor(), asked.range, asked.by)).await?;
    Ok(Json(page(&numbers, asked.by, |_| None)))
}

/// Numbers of the installation
///
/// How the requests of all tenants fared and how long each phase took, with what waited and who worked.
#[utoipa::path(
    get, path = "/v1/operator/metrics", tag = "operator",
    params(
        ("start_time" = Option<i64>, Query, description = "Unix seconds. A day before the end unless given"),
        ("end_time" = Option<i64>, Query, description = "Unix seconds. Now unless given"),
        ("group_by" = Option<String>, Query, description = "`model`, `lane`, `device` or `tenant_id`"),
        ("model" = Option<String>, Query, description = "Only this model"),
        ("lane" = Option<String>, Query, description = "Only `interactive` or `batch`"),
        ("device" = Option<String>, Query, description = "Only this kind of device"),
        ("tenant_id" = Option<String>, Query, description = "Only this tenant")
    ),
    responses((status = 200, description = "A bucket for each span", body = MetricsPage))
)]
pub async fn operator_metrics(
    State(context): State<Context>,
    operator: OperatorCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<MetricsPage>, ApiError> {
    let actor = operator.actor(&context, Permission::InspectInstallation).await?;
    let asked = asked(query.as_deref().unwrap_or_default(), context.services.store.now().await?)?;
    let by = asked.by;
    let seen = Box::pin(context.services.installation_load(actor, &asked)).await?;
    let found = Box::pin(context.services.installation_numbers(actor, asked)).await?;
    let load = |place: usize| {
        let load = seen.get(place).copied().flatten()?;
        Some(LoadResult { utilization: load.utilization, workers: load.workers, waiting_video_seconds: load.waiting_ms / 1000.0 })
    };
    Ok(Json(page(&found.numbers, by, load)))
}

fn page(numbers: &Numbers, by: Option<Dimension>, load: impl Fn(usize) -> Option<LoadResult>) -> MetricsPage {
    let span = numbers.range.span;
    let mut rows = numbers.rows.iter().peekable();
    let buckets = numbers.range.starts().enumerate().map(|(place, start)| {
        let mut results = Vec::new();
        while let Some(row) = rows.next_if(|row| row.start <= start) {
            results.push(result(by.map(|_| row.group.clone()), &row.tally));
        }
        let (start_time, end_time) = (start.unix_seconds(), start.plus_ms(span.ms()).unix_seconds());
        MetricsBucket { object: "bucket", start_time, end_time, results, load: load(place) }
    });
    MetricsPage {
        object: "page",
        bucket_width: match span {
            service::numbers::Span::Minute => "1m",
            service::numbers::Span::Hour => "1h",
            service::numbers::Span::Day => "1d",
        },
        data: buckets.collect(),
        total: result(None, &numbers.total()),
        previous: result(None, &numbers.before),
        has_more: false,
        next_page: None,
    }
}

fn result(group: Option<String>, tally: &Tally) -> MetricsResult {
    let latency = Phase::ALL.into_iter().filter_map(|phase| Some((phase.as_str(), percentiles(tally, phase)?)));
    MetricsResult {
        object: "metrics.result",
        group,
        num_succeeded: tally.count(Count::Succeeded),
        num_failed: tally.count(Count::Failed),
        num_cancelled: tally.count(Count::Cancelled),
        success_rate: tally.success_rate(),
        video_seconds: tally.count(Count::ChargedMs) as f64 / 1000.0,
        cold_start_rate: tally.cold_rate(),
        batch_fill: tally.batch_fill(),
        failures: tally.failures.clone(),
        latency: latency.collect(),
    }
}

/// `None`: nothing is known of it.
fn percentiles(tally: &Tally, phase: Phase) -> Option<Percentiles> {
    let times = tally.times(phase);
    Some(Percentiles {
        count: times.count(),
        p50_ms: times.quantile(5000)?,
        p90_ms: times.quantile(9000)?,
        p95_ms: times.quantile(9500)?,
        p99_ms: times.quantile(9900)?,
        p999_ms: times.quantile(9990)?,
        max_ms: times.max(),
    })
}

fn asked(query: &str, now: Timestamp) -> Result<TallyQuery, ApiError> {
    let (mut start, mut end) = (None, now.unix_seconds() + 1);
    let (mut by, mut model, mut lane, mut device, mut tenant) = (None, None, None, None, None::<TenantId>);
    for (name, value) in query::given(query) {
        match &*name {
            "start_time" => start = Some(query::unix_seconds("start_time", &value)?),
            "end_time" => end = query::unix_seconds("end_time", &value)?,
            "group_by" => {
                by = Some(
                    Dimension::named(&value).ok_or_else(|| invalid("group_by", "`group_by` must be model, lane, device or tenant_id."))?,
                )
            }
            "model" | "device" if value.contains('\0') => {
                return Err(invalid(if name == "model" { "model" } else { "device" }, "There is a zero byte in it."));
            }
            "model" => model = Some(value.into_owned()),
            "lane" => lane = Some(Lane::named(&value).ok_or_else(|| invalid("lane", "`lane` must be interactive or batch."))?),
            "device" => device = Some(value.into_owned()),
            "tenant_id" => tenant = Some(value.parse().map_err(|_| invalid("tenant_id", "`tenant_id` must be the id of a tenant."))?),
            _ => {}
        }
    }
    let at = |seconds: i64| Timestamp::from_ms(seconds.saturating_mul(1000));
    let range = Range::new(at(start.unwrap_or(end - DAY_S)), at(end), now);
    let range = range.ok_or_else(|| invalid("start_time", "`start_time` must be before `end_time`, and at most 400 days."))?;
    Ok(TallyQuery { range, tenant, model, lane, device, by })
}

impl From<NumbersError> for ApiError {
    fn from(error: NumbersError) -> Self {
        match error {
            NumbersError::Forbidden(error) => error.into(),
            NumbersError::TooMuch => invalid("group_by", "This is too much at once: ask for a shorter time, or tell fewer things apart."),
            NumbersError::Store(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::numbers::Span;

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    #[test]
    fn without_times_the_last_day_is_meant() {
        let range = asked("", NOW).unwrap().range;
        assert_eq!((range.span, range.places()), (Span::Hour, 25));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (query, param) in [
            ("start_time=monday", "start_time"),
            ("end_time=-1", "end_time"),
            ("start_time=5&end_time=5", "start_time"),
            ("start_time=1", "start_time"),
            ("group_by=day", "group_by"),
            ("lane=fast", "lane"),
            ("tenant_id=ada", "tenant_id"),
        ] {
            assert!(matches!(asked(query, NOW), Err(ApiError::Invalid { param: Some(named), .. }) if named == param), "{query}");
        }
    }
}
