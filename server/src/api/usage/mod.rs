//! What was used and what it cost, by day, in the shapes of OpenAI's usage and costs.

pub mod numbers;

use crate::{
    api::{ApiError, caller::Caller, query},
    context::Context,
};
use axum::{
    Json,
    extract::{RawQuery, State},
};
use domain::{
    ApiKeyId, ProjectId, Timestamp, UserId, VideoTime,
    billing::{Day, Lane, Usage, UsageGroup},
};
use serde::Serialize;
use service::billing::{USAGE_DAYS_MAX, USAGE_ROWS_MAX, UsageError};
use utoipa::ToSchema;

const DAYS_DEFAULT: i32 = 30;

/// Days, the oldest first; each has what was used on it.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsagePage {
    #[schema(example = "page")]
    pub object: &'static str,
    pub data: Vec<UsageBucket>,
    /// All of it is on one page.
    #[schema(example = false)]
    pub has_more: bool,
    pub next_page: Option<String>,
}

/// A day in UTC.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageBucket {
    #[schema(example = "bucket")]
    pub object: &'static str,
    /// Unix seconds.
    #[schema(example = 1_795_219_200)]
    pub start_time: i64,
    pub end_time: i64,
    /// One, or one for each model, project, key, user and lane that was asked to be told apart; none where nothing was used.
    pub results: Vec<UsageResult>,
}

/// What was used. What was not asked to be told apart is null.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageResult {
    #[schema(example = "organization.usage.videos.result")]
    pub object: &'static str,
    pub model: Option<String>,
    pub project_id: Option<String>,
    /// Null also for what was made in the browser.
    pub api_key_id: Option<String>,
    pub user_id: Option<String>,
    pub lane: Option<&'static str>,
    /// Videos and images that were made.
    #[schema(example = 12)]
    pub num_succeeded: u64,
    #[schema(example = 1)]
    pub num_failed: u64,
    #[schema(example = 0)]
    pub num_cancelled: u64,
    /// What was charged.
    #[schema(example = 48.0)]
    pub video_seconds: f64,
}

/// Days, the oldest first; each has what was charged on it in money.
#[derive(Debug, Serialize, ToSchema)]
pub struct CostsPage {
    #[schema(example = "page")]
    pub object: &'static str,
    pub data: Vec<CostsBucket>,
    /// All of it is on one page.
    #[schema(example = false)]
    pub has_more: bool,
    pub next_page: Option<String>,
}

/// A day in UTC.
#[derive(Debug, Serialize, ToSchema)]
pub struct CostsBucket {
    #[schema(example = "bucket")]
    pub object: &'static str,
    /// Unix seconds.
    #[schema(example = 1_795_219_200)]
    pub start_time: i64,
    pub end_time: i64,
    pub results: Vec<CostsResult>,
}

/// What was paid, before or afterwards. What a plan includes is not in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CostsResult {
    #[schema(example = "organization.costs.result")]
    pub object: &'static str,
    pub amount: Amount,
    /// The model, where models were asked to be told apart.
    pub line_item: Option<String>,
    pub project_id: Option<String>,
    pub api_key_id: Option<String>,
    pub user_id: Option<String>,
    pub lane: Option<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Amount {
    /// In the currency, not in its minor unit.
    #[schema(example = 0.48)]
    pub value: f64,
    #[schema(example = "usd")]
    pub currency: String,
}

/// Usage by day
///
/// What was charged on each day, in video-seconds, with how many videos were made, failed and cancelled. It stays when videos are deleted.
#[utoipa::path(
    get, path = "/v1/usage", tag = "usage",
    params(
        ("start_time" = Option<i64>, Query, description = "Unix seconds; the day that holds it is the first. 30 days ago unless given"),
        ("end_time" = Option<i64>, Query, description = "Unix seconds; the day that holds the second before it is the last. Now unless given"),
        ("group_by" = Option<String>, Query, description = "What is told apart: `model`, `project_id`, `api_key_id`, `user_id` and `lane`, with commas between them or given several times. More than 20,000 results are refused"),
        ("project_id" = Option<String>, Query, description = "Only what was made in this project")
    ),
    responses((status = 200, description = "A bucket for each day", body = UsagePage))
)]
pub async fn usage(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Json<UsagePage>, ApiError> {
    let asked = Asked::of(query.as_deref().unwrap_or_default(), context.services.store.now().await?)?;
    let rows = context.services.usage(caller.actor(), asked.from, asked.until, &asked.groups, asked.project).await?;
    let bucket = |day: Day, rows: Vec<Usage>| {
        let results = rows.into_iter().map(UsageResult::from).collect();
        UsageBucket { object: "bucket", start_time: start(day), end_time: start(day.plus(1)), results }
    };
    Ok(Json(UsagePage { object: "page", data: asked.by_day(rows, bucket), has_more: false, next_page: None }))
}

/// Costs by day
///
/// What was paid on each day, in money: of credit what it was bought for, and what is paid afterwards.
#[utoipa::path(
    get, path = "/v1/costs", tag = "usage",
    params(
        ("start_time" = Option<i64>, Query, description = "As for usage"),
        ("end_time" = Option<i64>, Query, description = "As for usage"),
        ("group_by" = Option<String>, Query, description = "As for usage; `model` is told as `line_item`"),
        ("project_id" = Option<String>, Query, description = "As for usage")
    ),
    responses((status = 200, description = "A bucket for each day", body = CostsPage))
)]
pub async fn costs(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Json<CostsPage>, ApiError> {
    let asked = Asked::of(query.as_deref().unwrap_or_default(), context.services.store.now().await?)?;
    let rows = context.services.usage(caller.actor(), asked.from, asked.until, &asked.groups, asked.project).await?;
    let bucket = |day: Day, rows: Vec<Usage>| {
        let results = rows.into_iter().filter_map(CostsResult::of).collect();
        CostsBucket { object: "bucket", start_time: start(day), end_time: start(day.plus(1)), results }
    };
    Ok(Json(CostsPage { object: "page", data: asked.by_day(rows, bucket), has_more: false, next_page: None }))
}

fn start(day: Day) -> i64 {
    day.start().unix_seconds()
}

/// What a query asks for.
struct Asked {
    from: Day,
    /// The first day that is not asked for.
    until: Day,
    groups: Vec<UsageGroup>,
    /// `None`: all.
    project: Option<ProjectId>,
}

impl Asked {
    fn of(query: &str, now: Timestamp) -> Result<Self, ApiError> {
        let (mut start_time, mut end_time, mut groups, mut project) = (None, now.unix_seconds() + 1, Vec::new(), None);
        for (name, value) in query::given(query) {
            match &*name {
                "start_time" => start_time = Some(query::unix_seconds("start_time", &value)?),
                "end_time" => end_time = query::unix_seconds("end_time", &value)?,
                "project_id" => {
                    let id = value.parse().map_err(|_| query::invalid("project_id", "`project_id` must be the id of a project."));
                    project = Some(id?);
                }
                "group_by" | "group_by[]" => groups.extend(value.split(',').map(group).collect::<Result<Vec<_>, _>>()?),
                _ => {}
            }
        }
        if start_time.is_some_and(|start| start >= end_time) {
            return Err(UsageError::Days.into());
        }
        let day = |at: i64| Day::of(Timestamp::from_ms(at.saturating_mul(1000)));
        let until = day(end_time.saturating_sub(1)).plus(1);
        Ok(Self { from: start_time.map_or(until.plus(-DAYS_DEFAULT), day), until, groups, project })
    }

    /// A bucket for each day, also where there is nothing.
    fn by_day<T>(&self, rows: Vec<Usage>, bucket: impl Fn(Day, Vec<Usage>) -> T) -> Vec<T> {
        let mut rows = rows.into_iter().peekable();
        let mut buckets = Vec::new();
        let mut day = self.from;
        while day < self.until {
            let mut of_day = Vec::new();
            while let Some(row) = rows.next_if(|row| row.day == day) {
                of_day.push(row);
            }
            buckets.push(bucket(day, of_day));
            day = day.plus(1);
        }
        buckets
    }
}

fn group(text: &str) -> Result<UsageGroup, ApiError> {
    let known = UsageGroup::named(text.trim());
    known.ok_or_else(|| query::invalid("group_by", "`group_by` must be some of model, project_id, api_key_id, user_id and lane."))
}

impl From<UsageError> for ApiError {
    fn from(error: UsageError) -> Self {
        match error {
            UsageError::Forbidden(error) => error.into(),
            UsageError::Days => Self::Invalid {
                param: Some("start_time"),
                message: format!("Ask for at least one day and at most {USAGE_DAYS_MAX}: `start_time` must be before `end_time`."),
            },
            UsageError::Rows => Self::Invalid {
                param: Some("group_by"),
                message: format!("These are more than {} results: ask for fewer days or groups.", domain::grouped(USAGE_ROWS_MAX as u64)),
            },
            UsageError::Store(error) => error.into(),
        }
    }
}

impl From<Usage> for UsageResult {
    fn from(usage: Usage) -> Self {
        Self {
            object: "organization.usage.videos.result",
            api_key_id: usage.api_key.flatten().map(|id: ApiKeyId| id.to_string()),
            user_id: usage.user.map(|id: UserId| id.to_string()),
            lane: usage.lane.map(Lane::as_str),
            project_id: usage.project.map(|id| id.to_string()),
            model: usage.model,
            num_succeeded: usage.succeeded,
            num_failed: usage.failed,
            num_cancelled: usage.cancelled,
            video_seconds: VideoTime::seconds(usage.charged),
        }
    }
}

impl CostsResult {
    /// `None`: nothing of it has a price.
    fn of(usage: Usage) -> Option<Self> {
        let cost = usage.cost?;
        let scale = 1000.0 * 10_f64.powi(i32::try_from(cost.currency.decimals()).unwrap_or_default());
        Some(Self {
            object: "organization.costs.result",
            amount: Amount { value: cost.thousandths_of_minor as f64 / scale, currency: cost.currency.code().to_owned() },
            project_id: usage.project.map(|id| id.to_string()),
            line_item: usage.model,
            api_key_id: usage.api_key.flatten().map(|id| id.to_string()),
            user_id: usage.user.map(|id| id.to_string()),
            lane: usage.lane.map(Lane::as_str),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_000 * 86_400_000 + 5);

    #[test]
    fn without_times_the_last_thirty_days_are_meant() {
        let asked = Asked::of("", NOW).unwrap();
        assert_eq!((asked.from, asked.until, asked.groups.len()), (Day(971), Day(1001), 0));
    }

    #[test]
    fn a_day_is_asked_for_by_any_second_of_it_and_the_end_is_not_in_it() {
        let asked = Asked::of("start_time=86401&end_time=172800&group_by=model,lane&group_by=user_id", NOW).unwrap();
        assert_eq!((asked.from, asked.until), (Day(1), Day(2)));
        assert_eq!(asked.groups, [UsageGroup::Model, UsageGroup::Lane, UsageGroup::User]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (query, param) in [("start_time=monday", "start_time"), ("end_time=-1", "end_time"), ("group_by=day", "group_by")] {
            assert!(matches!(Asked::of(query, NOW), Err(ApiError::Invalid { param: Some(named), .. }) if named == param), "{query}");
        }
    }
}
