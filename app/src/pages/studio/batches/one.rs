//! One batch: its quote, how far it is, what was made of it and what was not, and what can be done about it.

use super::{
    COSTS_NOTHING, PAGE,
    changes::{CancelBatch, FORM, RetryBatch, address},
    is_partly_read,
    lines::{SHEET, SHOWN, Sheet, WRONG, Wrong, revision_of},
    progress::Progress,
    quote::{Discard, Promise, Quote},
    revision, state,
};
use crate::{
    components::{
        confirm::{Ask, Confirm},
        frame::Frame,
        moment::Moment,
    },
    fault::Fault,
    http,
    pages::{fault::page, studio::library},
    session::{self, SaidNotice, TEAM_FIELD},
    words,
};
use domain::{
    BatchId, FileId, Permission, TenantId, Timestamp, VideoTime,
    batch::{BatchStatus, LineState, OpenLines, UnmadeLines},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use leptos_router::hooks::use_params_map;
use service::{Batch, BatchView, LinesPage, User};

const NOT_MADE: [LineState; 3] = [LineState::Failed, LineState::Cancelled, LineState::Expired];

#[component]
pub fn BatchPage() -> impl IntoView {
    let id = use_params_map().read_untracked().get("batch_id").unwrap_or_default();
    let (made, wrong) = (http::query().get(SHEET), http::query().get(WRONG));
    page(async move {
        let viewer = session::require_viewer().await?;
        let id: BatchId = id.parse().map_err(|_| Fault::NotFound)?;
        let (services, actor) = (session::services(), viewer.actor());
        let mut view = services.batch(actor, id).await?.ok_or(Fault::NotFound)?;
        // Each may have been deleted, or have expired.
        view.batch.output = kept(&viewer, view.batch.output).await?;
        view.batch.errors = kept(&viewer, view.batch.errors).await?;
        let unmade = services.unmade_lines(actor, id).await?.ok_or(Fault::NotFound)?;
        let input = services.file(actor, view.batch.input).await?;
        let (after_made, after_wrong) = (line(made), line(wrong));
        let sheet = lines(&viewer, id, &[LineState::Succeeded], after_made).await?;
        let states: &[LineState] = if view.batch.status == BatchStatus::Failed { &[LineState::Invalid] } else { &NOT_MADE };
        let not_made = lines(&viewer, id, states, after_wrong).await?;
        let is_quote = view.batch.is_dry_run && view.batch.status == BatchStatus::Completed;
        let balance = if is_quote { Some(services.balance(actor).await?) } else { None };
        let now = services.store.now().await?;
        let said = session::said(&address(id), Some(viewer.id));
        let (has_input, tenant) = (input.is_some(), viewer.tenant);
        let name = input.map_or_else(|| id.to_string(), |file| file.name);
        let [may_submit, may_cancel, may_discard] =
            [Permission::SubmitJobs, Permission::CancelJobs, Permission::DeleteJobs].map(|permission| actor.may(permission));
        let batch = view.batch.clone();
        let is_open = !batch.status.is_final();
        let revision = is_open.then(|| revision(&batch, view.open));
        let sheet_revision = is_open.then(|| revision_of(&sheet));
        let wrong_revision = is_open.then(|| revision_of(&not_made));
        let heading = if batch.status == BatchStatus::Failed { "What is wrong" } else { "Not made" };
        let quote = balance.map(|balance| view! { <Quote view=view.clone() balance tenant now has_input may_submit may_discard /> });
        let is_unquoted = batch.is_dry_run && matches!(batch.status, BatchStatus::Validating | BatchStatus::Failed);
        let discards = is_unquoted && may_discard && has_input && batch.api_key.is_none();
        Ok(view! {
            <Frame title=name.clone() viewer=Some(viewer) class="page wide">
                <Stylesheet href="/batches.css" />
                <SaidNotice said=&said form=FORM />
                // Each is replaced as a whole while the batch goes on, see `behaviours::cards`.
                <div class="stack batch">
                    <div class="stack" id=id.to_string() data-unfinished=revision>
                        <header class="page-head">
                            <p><a href=PAGE>"All batches"</a></p>
                            <h1 dir="auto" class="batch-text">{name}</h1>
                            <p class="lead">{if view.started.is_some() { "Quoted and started.".to_owned() } else { lead(&batch, has_input) }}</p>
                            {batch.retry_of.map(|of| view! { <p class="hint">"Tries again what "<a href=address(of)>"an earlier batch"</a>" did not make."</p> })}
                            {is_open.then(|| view! { <noscript><p class="hint">"Looked at "<Moment at=now />". "<a href=address(id)>"Refresh"</a></p></noscript> })}
                        </header>
                        {batch.first_unknown.as_ref().map(|(line, field)| unknown(batch.unknown_lines, *line, field))}
                        {quote}
                        {(!batch.is_dry_run && batch.status != BatchStatus::Failed).then(|| view! { <Course view=&view unmade now /> })}
                        {discards.then(|| view! {
                            <div class="row">
                                {(!is_open).then(|| view! { <a class="button" href=PAGE>"Send a mended file"</a> })}
                                <Discard id tenant />
                            </div>
                        })}
                        {(!batch.is_dry_run).then(|| view! { <Acts view=&view unmade tenant may_submit may_cancel has_input /> })}
                    </div>
                    <div id=format!("{id}-made") data-unfinished=sheet_revision>
                        {has_lines(&sheet, after_made).then(|| view! { <Sheet id page=sheet after=after_made /> })}
                    </div>
                    <div id=format!("{id}-wrong") data-unfinished=wrong_revision>
                        {has_lines(&not_made, after_wrong).then(|| view! { <Wrong id page=not_made after=after_wrong heading /> })}
                    </div>
                    <p class="hint mono batch-text">{id.to_string()}</p>
                </div>
            </Frame>
        })
    })
}

/// What a query says of a line. What cannot be read was not asked for.
fn line(text: Option<String>) -> Option<u32> {
    text?.parse::<u32>().ok().filter(|line| i32::try_from(*line).is_ok())
}

async fn lines(viewer: &User, id: BatchId, states: &[LineState], after: Option<u32>) -> Result<LinesPage, Fault> {
    session::services().batch_lines(viewer.actor(), id, states, after, SHOWN).await?.ok_or(Fault::NotFound)
}

/// A file that was neither deleted nor has expired.
async fn kept(viewer: &User, id: Option<FileId>) -> Result<Option<FileId>, Fault> {
    let Some(id) = id else { return Ok(None) };
    Ok(session::services().file(viewer.actor(), id).await?.map(|file| file.id))
}

/// A page behind the last line says so by its way back.
fn has_lines(page: &LinesPage, after: Option<u32>) -> bool {
    !page.lines.is_empty() || after.is_some()
}

/// Fields of lines that change nothing: they may be slips of the pen. `line` is the first of these lines, and `field` its field.
fn unknown(lines: u32, line: u32, field: &str) -> AnyView {
    let have = words::count(lines.into(), "line has", "lines have");
    let text = format!("{have} a field that no request has: it is ignored. The first is ");
    let place = format!(", in line {}.", domain::grouped(line.into()));
    view! { <p class="notice plain">{text}<code class="batch-text" dir="auto">{field.to_owned()}</code>{place}</p> }.into_any()
}

/// Where it is, in a sentence or two. `has_input`: whether its file is still there.
fn lead(batch: &Batch, has_input: bool) -> String {
    let read = words::count(batch.read_lines.into(), "line", "lines");
    match (batch.status, batch.is_dry_run) {
        (BatchStatus::Validating, _) => format!("Being read: {read} so far. Nothing is made yet."),
        (BatchStatus::Failed, true) => "Not all lines can be made, so there is no quote. Mend them and send the file again.".to_owned(),
        (BatchStatus::Failed, false) => "Not all lines can be made, so none was, and nothing was charged.".to_owned(),
        (BatchStatus::Completed, true) if !has_input => "Quoted. Its file is not there any more. Send it again to start it.".to_owned(),
        (BatchStatus::Completed, true) => "Quoted. Nothing is made before you start it.".to_owned(),
        (BatchStatus::InProgress, false) => match &batch.wait {
            Some((_, text)) => format!("Running. {text}"),
            None => "Running.".to_owned(),
        },
        (BatchStatus::Cancelled, false) if batch.lines == 0 => {
            "Cancelled before all of it was read: nothing was made or charged.".to_owned()
        }
        (BatchStatus::Cancelled | BatchStatus::Expired, false) if is_partly_read(batch) => {
            let lines = words::count(batch.lines.into(), "line was", "lines were");
            format!(
                "{} before all of it was read: {lines} read, and the rest of the file never was. Nothing was made or charged.",
                state(batch)
            )
        }
        (BatchStatus::Cancelling, false) if is_partly_read(batch) => "Being cancelled while it was read: nothing of it is made.".to_owned(),
        (BatchStatus::Cancelling, false) => "Being cancelled: what a machine is working on may still be finished.".to_owned(),
        _ => format!("{}.", state(batch)),
    }
}

/// How far it is, what it cost so far, and what is promised.
#[component]
fn Course<'a>(view: &'a BatchView, unmade: UnmadeLines, now: Timestamp) -> impl IntoView {
    let (batch, eta) = (&view.batch, view.eta);
    let is_read = batch.status != BatchStatus::Validating && batch.lines > 0;
    let promised = batch.status == BatchStatus::InProgress;
    let is_all_running = is_all_running(batch.lines.saturating_sub(batch.finished), view.open);
    view! {
        <section class="stack" aria-labelledby="course">
            <h2 id="course">"Progress"</h2>
            {is_read.then(|| view! { <Progress view unmade /> })}
            <dl class="facts">
                {is_read.then(|| view! {
                    <div>
                        <dt>{if batch.ended_at.is_some() { "Price" } else { "Price so far" }}</dt>
                        <dd>{format!("{} of {}", words::amount(batch.charged), words::video_seconds(batch.quoted))}</dd>
                    </div>
                })}
                {batch.model.clone().map(|model| view! { <div><dt>"Model"</dt><dd>{model}</dd></div> })}
                <div><dt>"Sent"</dt><dd><Moment at=batch.created_at /></dd></div>
                {match batch.ended_at {
                    Some(at) => view! { <div><dt>"Ended"</dt><dd><Moment at /></dd></div> }.into_any(),
                    None => view! { <div><dt>"To be begun by"</dt><dd><Moment at=batch.expires_at /></dd></div> }.into_any(),
                }}
                {promised.then(|| view! { <div class="facts-wide"><dt>"Promise"</dt><dd><Promise eta now is_all_running /></dd></div> })}
            </dl>
        </section>
    }
}

/// Whether all lines that are left are being made: none waits for a machine, nor for a decoder.
fn is_all_running(left: u32, open: OpenLines) -> bool {
    left <= open.begun.saturating_sub(open.for_decoder)
}

#[component]
fn Acts<'a>(
    view: &'a BatchView,
    unmade: UnmadeLines,
    tenant: TenantId,
    may_submit: bool,
    may_cancel: bool,
    has_input: bool,
) -> impl IntoView {
    let batch = &view.batch;
    let (id, has_ended) = (batch.id, batch.status.is_final());
    let cancels = may_cancel && !has_ended && !matches!(batch.status, BatchStatus::Cancelling | BatchStatus::Finalizing);
    let is_retried = view.retried.is_some();
    let retries = may_submit && has_ended && batch.failed > 0 && !is_retried && has_input && batch.status != BatchStatus::Failed;
    let file = |what: &str| format!("{}/{what}", address(id));
    let has_videos = batch.completed > 0 || view.open.lines > 0;
    let is_part = is_partly_read(batch);
    let asks = retry_offer(batch.failed, is_part);
    let price = retry_price(batch.failed, unmade.billed, is_part);
    let consequence = cancelled(view.open);
    view! {
        {view.retried.map(|again| view! { <p class="notice plain">"What was not made was tried again: "<a href=address(again)>"see what came of it"</a>"."</p> })}
        <div class="row">
            {(batch.completed > 0).then(|| view! { <a class="button quiet" href=file("videos.zip") download>"Download all as a zip"</a> })}
            {has_videos.then(|| view! { <a class="button quiet" href=library::of_batch(id)>"Show in the library"</a> })}
            {batch.output.map(|_| view! { <a class="button quiet" href=file("output.jsonl") download>"Output file"</a> })}
            {batch.errors.map(|_| view! { <a class="button quiet" href=file("errors.jsonl") download>"Error file"</a> })}
            {retries.then(|| view! {
                <Ask id="retry-batch" label=asks.clone()>{asks}</Ask>
                <Confirm
                    id="retry-batch"
                    question="Try them again?"
                    consequence=price
                    yes="Try them again"
                    no="Leave them"
                    yes_class="button"
                    action=RetryBatch::url()
                    fields=vec![("id", id.to_string()), (TEAM_FIELD, tenant.to_string())]
                />
            })}
            {cancels.then(|| view! {
                <Ask id="cancel-batch" label="Cancel the batch">"Cancel the batch"</Ask>
                <Confirm
                    id="cancel-batch"
                    question="Cancel the batch?"
                    consequence
                    yes="Cancel it"
                    no="Keep it"
                    action=CancelBatch::url()
                    fields=vec![("id", id.to_string()), (TEAM_FIELD, tenant.to_string())]
                />
            })}
        </div>
    }
}

/// `is_part`: others of its file were never read.
fn retry_offer(lines: u32, is_part: bool) -> String {
    if is_part {
        return format!("Try the {}", words::count(lines.into(), "line that was read", "lines that were read"));
    }
    format!("Try {} again", words::count(lines.into(), "line", "lines"))
}

/// What trying lines again costs, before it is begun. `is_part`: others of its file were never read.
fn retry_price(lines: u32, billed: VideoTime, is_part: bool) -> String {
    let (lines, price) = (words::count(lines.into(), "line", "lines"), words::video_seconds(billed));
    let rest = if is_part { " The rest of the file is not in it: send the file again to have all of it made." } else { "" };
    format!("A new batch begins with {lines}. It costs at most {price}, by the prices of the quote. {COSTS_NOTHING}{rest}")
}

/// What becomes of a batch that is cancelled now.
fn cancelled(open: OpenLines) -> String {
    let rest = "Videos that a machine is working on may still be finished, and are charged then. All others are not made and cost nothing.";
    let in_hand = open.begun.saturating_sub(open.for_decoder);
    if in_hand == 0 {
        return format!("{rest} Right now no machine is working on any.");
    }
    let (videos, price) = (words::count(in_hand.into(), "video", "videos"), words::video_seconds(open.in_hand_billed));
    format!("{rest} Right now machines are working on {videos}, for {price}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_charged_is_said_before_the_click() {
        let s = |s: u64| VideoTime::from_ms(s * 1000);
        assert!(retry_price(26, s(312), false).starts_with("A new batch begins with 26 lines. It costs at most 312 video-seconds, "));
        assert!(retry_price(26, s(312), false).ends_with(COSTS_NOTHING));
        assert!(retry_price(26, s(312), true).ends_with("The rest of the file is not in it: send the file again to have all of it made."));
        let offers = [retry_offer(1, false), retry_offer(10_000, false), retry_offer(1, true), retry_offer(10_000, true)];
        assert_eq!(
            offers,
            ["Try 1 line again", "Try 10,000 lines again", "Try the 1 line that was read", "Try the 10,000 lines that were read"]
        );
        let open = |begun, billed| OpenLines { lines: 30, begun, for_decoder: 5, in_hand_billed: s(billed) };
        assert!(cancelled(open(25, 240)).ends_with("Right now machines are working on 20 videos, for 240 video-seconds."));
        assert!(cancelled(open(5, 0)).ends_with("Right now no machine is working on any."));
    }

    #[test]
    fn the_last_lines_are_being_made_where_none_of_them_waits() {
        let open = |begun, for_decoder| OpenLines { lines: 4, begun, for_decoder, ..OpenLines::default() };
        let cases = [(4, open(4, 0)), (4, open(0, 0)), (4, open(3, 0)), (4, open(4, 1)), (5, open(4, 0))];
        assert_eq!(cases.map(|(left, open)| is_all_running(left, open)), [true, false, false, false, false]);
    }
}
