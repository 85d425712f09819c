//! What a batch would cost and when it would be done, and the two ways on from there.

use super::{
    COSTS_NOTHING,
    changes::{DiscardQuote, StartBatch, address},
};
use crate::{components::moment::Moment, session::TeamField, words};
use domain::{
    BatchId, NoEta, TenantId, Timestamp, VideoTime,
    billing::{Balance, Outlook},
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{BatchEta, BatchView};

const MINUTE_MS: i64 = 60_000;
/// What is promised for sooner is told as a time from now: a moment says no more than its minute.
const SOON_MS: u64 = 2 * MINUTE_MS.unsigned_abs();
const HOUR_MS: u64 = 3_600_000;

/// `has_input`: whether the file is still there. `may_submit`, `may_discard`: what the role of who looks allows.
#[component]
pub fn Quote(
    view: BatchView,
    balance: Balance,
    tenant: TenantId,
    now: Timestamp,
    has_input: bool,
    may_submit: bool,
    may_discard: bool,
) -> impl IntoView {
    let BatchView { batch, eta, started, .. } = view;
    let (id, is_by_page, is_open) = (batch.id, batch.api_key.is_none(), started.is_none() && has_input);
    let lines = words::count(batch.lines.into(), "video", "videos");
    let warnings = warnings(&balance, batch.quoted, batch.lines, eta.ok(), now.plus_ms(batch.window.ms()));
    let credit = credit(&balance, batch.quoted);
    let warnings = warnings.into_iter().map(|text| view! { <p class="notice plain">{text}</p> }).collect_view();
    view! {
        <section class="stack" aria-labelledby="quote">
            <h2 id="quote">"The quote"</h2>
            <dl class="facts">
                <div><dt>"Would be made"</dt><dd>{lines}</dd></div>
                <div><dt>"Price"</dt><dd>{words::video_seconds(batch.quoted)}</dd></div>
                {batch.model.clone().map(|model| view! { <div><dt>"Model"</dt><dd>{model}</dd></div> })}
                <div><dt>"To be begun within"</dt><dd>{window(batch.window.ms())}</dd></div>
                {is_open.then(|| view! { <div class="facts-wide"><dt>"Promise, if it is started now"</dt><dd><Promise eta now /></dd></div> })}
                {credit.filter(|_| is_open).map(|text| view! { <div class="facts-wide"><dt>"Your credit"</dt><dd>{text}</dd></div> })}
            </dl>
            {is_open.then_some(warnings)}
            {(is_open && !may_submit).then(|| view! { <p class="notice plain">"Your role lets you watch: a member, admin or owner of the team can start it."</p> })}
            {started.map(|started| view! { <p class="notice plain">"It was started: "<a href=address(started)>"see how far it is"</a>"."</p> })}
            <div class="row">
                {(may_submit && is_open).then(|| view! {
                    <form method="post" action=StartBatch::url() data-stays>
                        <TeamField tenant />
                        <input type="hidden" name="id" value=id.to_string() />
                        <button class="button">"Start"</button>
                    </form>
                })}
                {(may_discard && is_by_page && is_open).then(|| view! { <Discard id tenant /> })}
            </div>
            {is_open.then(|| view! { <p class="hint">{format!("Nothing was charged, and the quote is kept for a day. {COSTS_NOTHING}")}</p> })}
        </section>
    }
}

#[component]
pub fn Discard(id: BatchId, tenant: TenantId) -> impl IntoView {
    view! {
        <form method="post" action=DiscardQuote::url() data-stays>
            <TeamField tenant />
            <input type="hidden" name="id" value=id.to_string() />
            <button class="button quiet">"Discard"</button>
        </form>
    }
}

/// As the form says it: `24 hours`, `3 days`.
fn window(ms: i64) -> String {
    let hours = ms.unsigned_abs() / HOUR_MS;
    match (ms.unsigned_abs() % HOUR_MS, hours) {
        (0, 1..=24) => words::count(hours, "hour", "hours"),
        (0, _) if hours.is_multiple_of(24) => words::count(hours / 24, "day", "days"),
        _ => words::duration(ms.unsigned_abs()),
    }
}

/// When half of such batches have ended, and nine of ten. `is_all_running`: no line waits, so that it ends soon though nobody can say when.
#[component]
pub fn Promise(eta: Result<BatchEta, NoEta>, now: Timestamp, #[prop(default = false)] is_all_running: bool) -> impl IntoView {
    match eta {
        Ok(BatchEta { p90_at, .. }) if p90_at.ms_since(now) < SOON_MS => {
            format!("In nine of ten cases in {} or less.", words::about(p90_at.ms_since(now))).into_any()
        }
        // No more than minutes is shown.
        Ok(BatchEta { p50_at, p90_at }) if p50_at.ms() / MINUTE_MS == p90_at.ms() / MINUTE_MS => {
            view! { "In nine of ten cases by "<Moment at=p90_at />"." }.into_any()
        }
        Ok(BatchEta { p50_at, p90_at }) => {
            view! { "Likely by "<Moment at=p50_at />", and in nine of ten cases by "<Moment at=p90_at />"." }.into_any()
        }
        Err(NoEta::NoWorker) => {
            view! { "No machine is running for its model at the moment. What is started waits in line, and goes on when one is back." }
                .into_any()
        }
        Err(NoEta::Paused) => {
            view! { "The operator has paused such videos at the moment. What is started waits in line, and goes on when the operator does." }
                .into_any()
        }
        Err(_) if is_all_running => view! { "The last of it is being made." }.into_any(),
        Err(_) => view! { "That cannot be told at the moment." }.into_any(),
    }
}

/// What all of it takes of what there is. What may be open at once bounds no batch as a whole.
fn credit(balance: &Balance, quoted: VideoTime) -> Option<String> {
    words::outlook(&Outlook { beyond_plan: None, ..balance.outlook(quoted) }).filter(|text| !text.is_empty())
}

/// What stands in the way of all of it, before it is started.
fn warnings(balance: &Balance, quoted: VideoTime, lines: u32, eta: Option<BatchEta>, until: Timestamp) -> Vec<String> {
    let outlook = balance.outlook(quoted);
    let mut warnings = Vec::new();
    if outlook.beyond_limit.is_some() {
        warnings.push("A spending limit of this month is reached before all of it is made: the rest waits until the limit is raised or the month is over.".to_owned());
    }
    if !outlook.is_unlimited && outlook.missing > VideoTime::default() {
        warnings
            .push("Your credit is used up before all of it is made: the rest waits until there is more, and goes on by itself.".to_owned());
    }
    let each = VideoTime::from_ms(quoted.ms() / u64::from(lines.max(1)));
    if each > balance.open_work_max {
        warnings.push(format!(
            "Your plan takes no video that costs more than {}: such lines fail.",
            words::video_seconds(balance.open_work_max)
        ));
    }
    if eta.is_some_and(|eta| eta.p90_at > until) {
        warnings.push("It may not be done within its time: what is not begun by then is not made, and costs nothing.".to_owned());
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_reads_as_in_the_form_and_a_promise_names_no_moment_twice() {
        let hour = 3_600_000;
        assert_eq!([hour, 24 * hour, 72 * hour, 90_000].map(window), ["1 hour", "24 hours", "3 days", "1 min 30 s"]);
        let told = |later_ms: i64| {
            let eta = BatchEta { p50_at: Timestamp::from_ms(600_000), p90_at: Timestamp::from_ms(600_000 + later_ms) };
            view! { <Promise eta=Ok(eta) now=Timestamp::from_ms(0) /> }.to_html()
        };
        assert!(told(59_000).matches("<time").count() == 1 && told(60_000).matches("<time").count() == 2, "{}", told(59_000));
    }

    #[test]
    fn what_is_promised_for_this_minute_or_the_next_is_told_as_a_time_from_now() {
        let told = |now_ms: i64| {
            let eta = BatchEta { p50_at: Timestamp::from_ms(200_000), p90_at: Timestamp::from_ms(230_000) };
            view! { <Promise eta=Ok(eta) now=Timestamp::from_ms(now_ms) /> }.to_html()
        };
        assert!(told(200_000).contains("In nine of ten cases in 30 s or less."), "{}", told(200_000));
        assert!(told(240_000).contains("In nine of ten cases in 1 s or less."), "it is past, and the last of it is about to end");
        assert!(told(110_000).contains("<time"), "{}", told(110_000));
    }

    #[test]
    fn the_last_lines_of_a_batch_are_said_to_be_made_where_nothing_more_is_known() {
        let told = |eta, is_all_running| view! { <Promise eta=Err(eta) now=Timestamp::from_ms(0) is_all_running /> }.to_html();
        let [all, some] = [true, false].map(|is_all_running| told(NoEta::NotMeasured, is_all_running));
        assert!(all.contains("The last of it is being made.") && some.contains("cannot be told"), "{all}");
        for (why, said) in
            [(NoEta::NoWorker, "No machine is running for its model"), (NoEta::Paused, "The operator has paused such videos")]
        {
            let idle = [true, false].map(|is_all_running| told(why, is_all_running));
            assert!(idle.iter().all(|told| told.contains(said)), "{idle:?}");
        }
    }

    #[test]
    fn what_stands_in_the_way_is_said_and_nothing_else() {
        let (s, at) = (|s: u64| VideoTime::from_ms(s * 1000), Timestamp::from_ms);
        let balance =
            Balance { plan: "Free".into(), grants: Vec::new(), held: s(0), renews_at: None, limit_left: Some(s(50)), open_work_max: s(60) };
        let late = Some(BatchEta { p50_at: at(5), p90_at: at(20) });
        let said = warnings(&balance, s(100), 1, late, at(10));
        assert_eq!(said.len(), 4, "{said:?}");
        let free = Balance { limit_left: None, ..balance };
        assert_eq!(warnings(&free, s(100), 100, late, at(30)).len(), 1, "no credit");
        assert_eq!(credit(&free, s(100)).unwrap(), "100 video-seconds more than you have left.");
    }
}
