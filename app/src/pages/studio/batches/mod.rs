//! Batches: what was sent, where each is, and a form that has a file quoted.

pub mod changes;
mod lines;
mod one;
mod progress;
mod quote;
mod refused;
mod upload;

pub use one::BatchPage;
pub use refused::UploadRefused;

use crate::{
    components::{frame::Frame, moment::Moment, table::Table},
    http,
    pages::fault::page,
    session::{self, SaidNotice},
    words,
};
use changes::FORM;
use domain::{
    BatchId, Permission,
    batch::{BatchStatus, OpenLines},
};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use refused::Refused;
use service::{Batch, BatchQuery, ListedBatch};
use upload::{Samples, Upload};

pub const PAGE: &str = "/batches";
/// Batches of a page.
const LIMIT: u64 = 20;
/// What of a batch is not charged.
const COSTS_NOTHING: &str = "What fails costs nothing, and so does what is not made because you cancel the batch; a video that you cancel by itself costs what was done of it.";
const HEADS: [&str; 6] = ["File", "Sent", "State", "Progress", "Price", "To be begun by"];

#[component]
pub fn BatchesPage() -> impl IntoView {
    let after: Option<BatchId> = http::query().get("after").and_then(|id| id.parse().ok());
    page(async move {
        let viewer = session::require_viewer().await?;
        let query = BatchQuery { after, limit: LIMIT, oldest_first: false };
        let (listed, has_more) = session::services().listed_batches(viewer.actor(), query).await?;
        let next = listed.last().filter(|_| has_more).map(|last| format!("{PAGE}?after={}", last.batch.id));
        let shown: Vec<_> = listed.into_iter().filter(|listed| !listed.is_discarded() && listed.started.is_none()).collect();
        let said = session::said(PAGE, Some(viewer.id));
        let refused: Option<UploadRefused> = session::take(refused::FORM).await?;
        let (may_submit, tenant) = (viewer.actor().may(Permission::SubmitJobs), viewer.tenant);
        let is_empty = shown.is_empty();
        let rows = shown.into_iter().map(|listed| view! { <Row listed /> }).collect_view();
        Ok(view! {
            <Frame title="Batches" viewer=Some(viewer) class="page wide">
                <Stylesheet href="/batches.css" />
                <header class="page-head">
                    <h1>"Batches"</h1>
                    <p class="lead">"Many videos from one file, made as there is room for them."</p>
                </header>
                <SaidNotice said=&said form=FORM />
                {refused.map(|refused| view! { <Refused refused /> })}
                <div class="stack batches">
                    {may_submit.then(|| view! { <Upload tenant /> })}
                    {is_empty.then(|| view! { <Empty first_page=after.is_none() has_older=next.is_some() may_submit /> })}
                    {(!is_empty).then(|| view! {
                        <section class="stack" aria-labelledby="sent">
                            <h2 id="sent">"What was sent"</h2>
                            <Table label="Batches, the newest first" heads=&HEADS>{rows}</Table>
                        </section>
                    })}
                    <nav class="row center" aria-label="Pages">
                        {after.map(|_| view! { <a class="button quiet" href=PAGE>"Newest"</a> })}
                        {next.map(|next| view! { <a class="button quiet" href=next rel="next">"Older"</a> })}
                    </nav>
                </div>
            </Frame>
        })
    })
}

#[component]
fn Empty(first_page: bool, has_older: bool, may_submit: bool) -> impl IntoView {
    if has_older {
        return view! { <p class="empty small">"Quotes that were discarded or started are not shown here, and these were all such. There are older batches."</p> }.into_any();
    }
    if !first_page {
        return view! { <p class="empty small">"That was the last of them."</p> }.into_any();
    }
    if !may_submit {
        return view! { <p class="empty small">"Your team has no batches. Your role lets you watch them: a member, admin or owner of the team can start one."</p> }.into_any();
    }
    view! {
        <section class="stack" aria-labelledby="how">
            <h2 id="how">"How a file looks"</h2>
            <p>"A batch is a file with a request on each line, or a table with a prompt in each row. You are told its price and when it will be done before anything is made."</p>
            <Samples />
        </section>
    }
    .into_any()
}

#[component]
fn Row(listed: ListedBatch) -> impl IntoView {
    let ListedBatch { batch, input, fault, .. } = listed;
    let name = input.map_or_else(|| batch.id.to_string(), |file| file.name);
    let revision = (!batch.status.is_final()).then(|| revision(&batch, OpenLines::default()));
    let row = format!("row-{}", batch.id);
    let progress = fault.map_or_else(|| done(&batch), |fault| fault.text);
    view! {
        <tr id=row data-unfinished=revision>
            <th scope="row" class="batch-name">
                <a href=format!("{PAGE}/{}", batch.id) dir="auto">{name}</a>
                {batch.retry_of.map(|_| view! { <p class="hint">"Tries lines again"</p> })}
            </th>
            <td data-head="Sent"><Moment at=batch.created_at /></td>
            <td data-head="State">{state(&batch)}</td>
            <td data-head="Progress" class="batch-progress">{progress}</td>
            <td data-head="Price">{price(&batch)}</td>
            <td data-head="To be begun by">{(!batch.is_dry_run && !batch.status.is_final()).then(|| view! { <Moment at=batch.expires_at /> })}</td>
        </tr>
    }
}

/// Another one whenever what is shown of it is.
fn revision(batch: &Batch, open: OpenLines) -> String {
    let wait = batch.wait.as_ref().map_or("", |(wait, _)| wait.as_str());
    let closing = batch.closing.map_or("", |closing| closing.as_str());
    let OpenLines { lines, begun, for_decoder, .. } = open;
    format!("{}{closing}-{}-{}-{lines}-{begun}-{for_decoder}-{wait}", batch.status, batch.read_lines, batch.finished)
}

/// Whether it was closed while its file was read: nobody has looked at what is behind its lines. One that tries lines again reads no file.
fn is_partly_read(batch: &Batch) -> bool {
    !batch.is_dry_run && batch.closing.is_some() && batch.in_progress_at.is_none() && batch.retry_of.is_none()
}

/// Where it is, in a word or two.
fn state(batch: &Batch) -> &'static str {
    match (batch.status, batch.is_dry_run) {
        (BatchStatus::Validating, _) => "Being read",
        (BatchStatus::Failed, _) => "Has errors",
        (BatchStatus::Completed, true) => "Quoted",
        (_, true) => "Discarded",
        (BatchStatus::InProgress, false) if batch.wait.is_some() => "Running, with some waiting",
        (BatchStatus::InProgress, false) => "Running",
        (BatchStatus::Finalizing, false) => "Nearly done",
        (BatchStatus::Completed, false) => "Done",
        (BatchStatus::Expired, false) => "Its time was over",
        (BatchStatus::Cancelling, false) => "Being cancelled",
        (BatchStatus::Cancelled, false) => "Cancelled",
    }
}

fn done(batch: &Batch) -> String {
    let lines = words::count(batch.lines.into(), "line", "lines");
    match (batch.status, batch.is_dry_run) {
        (BatchStatus::Validating, _) => format!("{} read", words::count(batch.read_lines.into(), "line", "lines")),
        (BatchStatus::Failed, _) if batch.lines == 0 => "No lines".to_owned(),
        (BatchStatus::Failed, _) => format!("{} of {lines} wrong", domain::grouped(batch.invalid.into())),
        (_, true) => lines,
        _ => {
            let failed = if batch.failed > 0 { format!(", {} not made", domain::grouped(batch.failed.into())) } else { String::new() };
            let rest = if is_partly_read(batch) { ", the rest not read" } else { "" };
            format!("{} of {lines} made{failed}{rest}", domain::grouped(batch.completed.into()))
        }
    }
}

/// So far, of what it was quoted.
fn price(batch: &Batch) -> String {
    match (batch.status, batch.is_dry_run) {
        (BatchStatus::Validating | BatchStatus::Failed, _) => "–".to_owned(),
        (_, true) => words::video_seconds(batch.quoted),
        _ => format!("{} of {}", words::amount(batch.charged), words::video_seconds(batch.quoted)),
    }
}
