//! What an account can take away as a file, by a link of a page.

use crate::{context::Context, error::ApiError, http::sessions::SignedIn, live::Watcher};
use app::NumbersAsked;
use axum::{
    body::{Body, Bytes},
    extract::{RawQuery, State},
    http::header,
    response::IntoResponse,
};
use domain::{
    Timestamp,
    billing::{Day, UsageGroup},
};
use futures::stream::{self, StreamExt};
use service::{AccessError, LedgerEntries, LedgerEntry, LedgerPage, billing::USAGE_DAYS_MAX, numbers::Dimension};
use std::{future, io};
use tokio::time::timeout;
use tower_sessions::Session;

const DAYS_DEFAULT: i32 = 30;

/// The usage of the last days, one line for each day and group.
pub async fn usage(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, ApiError> {
    let query = query.unwrap_or_default();
    let field = |wanted: &str| field(&query, wanted);
    let days = field("days").and_then(|days| days.parse().ok()).filter(|days| (1..=USAGE_DAYS_MAX).contains(days)).unwrap_or(DAYS_DEFAULT);
    let by = field("by").and_then(|by| UsageGroup::named(&by)).unwrap_or(UsageGroup::Model);
    let project = field("project").and_then(|project| project.parse().ok());
    let until = Day::of(context.services.store.now().await?).plus(1);
    let rows = context.services.usage(user.actor(), until.plus(-days), until, &[by], project).await?;
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, "attachment; filename=\"usage.csv\"")];
    Ok((headers, app::usage_csv(&rows, by)))
}

/// How the requests of a tenant fared: a line for each span and model.
pub async fn own_numbers(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, ApiError> {
    let query = query.unwrap_or_default();
    let asked = numbers_asked(&query, context.services.store.now().await?)?;
    let numbers = Box::pin(context.services.own_numbers(user.actor(), asked.range, Some(Dimension::Model))).await?;
    Ok((NUMBERS_HEADERS, app::numbers_csv(&numbers)))
}

/// The same of the installation, told apart and narrowed as its page is.
pub async fn installation_numbers(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, ApiError> {
    let query = query.unwrap_or_default();
    let asked = numbers_asked(&query, context.services.store.now().await?)?;
    if asked.wrong_tenant.is_some() {
        return Err(ApiError::Invalid { param: Some("tenant"), message: "`tenant` is not the id of a tenant.".to_owned() });
    }
    let found = Box::pin(context.services.installation_numbers(user.installation_actor(), asked.tallies())).await?;
    Ok((NUMBERS_HEADERS, app::numbers_csv(&found.numbers)))
}

/// A file of other days than were asked for would be taken for one of these.
fn numbers_asked(query: &str, now: Timestamp) -> Result<NumbersAsked, ApiError> {
    let asked = NumbersAsked::read(|wanted| field(query, wanted), now);
    if asked.is_too_long {
        return Err(ApiError::Invalid { param: Some("from"), message: "`from` and `until` may be at most 400 days apart.".to_owned() });
    }
    Ok(asked)
}

const NUMBERS_HEADERS: [(header::HeaderName, &str); 2] =
    [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, "attachment; filename=\"numbers.csv\"")];

const LEDGER_HEADERS: [(header::HeaderName, &str); 2] =
    [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, "attachment; filename=\"ledger.csv\"")];

/// Read from the database at once.
const ENTRIES_AT_ONCE: u64 = 1000;

/// The ledger of a tenant: a line for each entry, the newest first.
pub async fn own_ledger(State(context): State<Context>, SignedIn(user): SignedIn, session: Session) -> Result<impl IntoResponse, ApiError> {
    let (services, actor) = (context.services.clone(), user.actor());
    let page = move |before| {
        let services = services.clone();
        async move {
            let LedgerPage { rows, has_more } = services.ledger(actor, before, ENTRIES_AT_ONCE).await?;
            let next = rows.last().filter(|_| has_more).map(|last| last.id);
            Ok::<_, AccessError>((rows.iter().map(app::own_ledger_csv_line).collect::<String>(), next))
        }
    };
    let (lines, next) = page(None).await?;
    let watcher = Watcher::Session { id: session.id().ok_or(ApiError::NotSignedIn)?, membership: user.membership(), actor };
    let start = format!("{}{lines}", app::OWN_LEDGER_CSV_HEAD);
    Ok((LEDGER_HEADERS, by_pages(&context, watcher, (start, next), move |before| page(Some(before)))))
}

/// The ledger of all tenants, as far as the query asks for it: a line for each entry, the newest first.
pub async fn ledger(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    session: Session,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, ApiError> {
    let (services, actor, query) = (context.services.clone(), user.installation_actor(), query.unwrap_or_default());
    let filter = app::ledger_filter(|wanted| field(&query, wanted)).ok_or(ApiError::RouteUnknown)?;
    let page = move |place| {
        let services = services.clone();
        async move {
            let LedgerEntries { entries, has_more } = services.ledger_of_all(actor, filter, place, ENTRIES_AT_ONCE).await?;
            let next = entries.last().filter(|_| has_more).map(LedgerEntry::place);
            Ok::<_, AccessError>((entries.iter().map(app::ledger_csv_line).collect::<String>(), next))
        }
    };
    let watcher = Watcher::Session { id: session.id().ok_or(ApiError::NotSignedIn)?, membership: user.membership(), actor };
    let (lines, next) = page(None).await?;
    let start = format!("{}{lines}", app::LEDGER_CSV_HEAD);
    Ok((LEDGER_HEADERS, by_pages(&context, watcher, (start, next), move |place| page(Some(place)))))
}

/// A file that goes on with the page behind each place: no more of it is held than is being sent, and it is cut off once the session
/// has ended.
fn by_pages<P, F>(context: &Context, watcher: Watcher, (start, place): (String, Option<P>), page: impl Fn(P) -> F + Send + 'static) -> Body
where
    P: Send + 'static,
    F: Future<Output = Result<(String, Option<P>), AccessError>> + Send + 'static,
{
    let (services, deadline) = (context.services.clone(), context.limits.request_deadline);
    let rest = stream::try_unfold(place, move |place| {
        let (services, page) = (services.clone(), place.map(&page));
        async move {
            let Some(page) = page else { return Ok(None) };
            let read = async {
                watcher.go_on(&services).await?;
                page.await.map_err(io::Error::other)
            };
            let (lines, next) = timeout(deadline, read).await.map_err(io::Error::other)??;
            Ok::<_, io::Error>(Some((Bytes::from(lines), next)))
        }
    });
    Body::from_stream(stream::once(future::ready(Ok::<_, io::Error>(Bytes::from(start)))).chain(rest))
}

fn field(query: &str, wanted: &str) -> Option<String> {
    form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}
