//! What an account can take away as a file, by a link of a page.

use crate::{context::Context, error::ApiError, http::sessions::SignedIn};
use axum::{
    extract::{RawQuery, State},
    http::header,
    response::IntoResponse,
};
use domain::billing::{Day, UsageGroup};
use service::billing::USAGE_DAYS_MAX;

const DAYS_DEFAULT: i32 = 30;

/// The usage of the last days, one line for each day and group.
pub async fn usage(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, ApiError> {
    let query = query.unwrap_or_default();
    let field =
        |wanted: &str| form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned());
    let days = field("days").and_then(|days| days.parse().ok()).filter(|days| (1..=USAGE_DAYS_MAX).contains(days)).unwrap_or(DAYS_DEFAULT);
    let by = field("by").and_then(|by| UsageGroup::named(&by)).unwrap_or(UsageGroup::Model);
    let project = field("project").and_then(|project| project.parse().ok());
    let until = Day::of(context.services.store.now().await?).plus(1);
    let rows = context.services.usage(user.actor(), until.plus(-days), until, &[by], project).await?;
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, "attachment; filename=\"usage.csv\"")];
    Ok((headers, app::usage_csv(&rows, by)))
}
