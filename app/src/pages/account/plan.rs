//! The plan of an account: what it has left, what was charged lately, and what other plans give.

use crate::{
    components::{
        csv::quoted,
        frame::Frame,
        moment::{Moment, iso},
        plan::PlanCards,
        table::Table,
    },
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice},
    words,
};
use domain::{
    Permission, VideoTime,
    billing::{Balance, EntryKind, GrantKind, Plan, Rest},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{LedgerPage, LedgerRow, billing::RedeemError};

const PAGE: &str = "/plan";
const ENTRIES: u64 = 30;
const HEADS: [&str; 4] = ["When", "What", "Change, in video-seconds", "Video"];

#[server(prefix = "/api", endpoint = "use-promo-code")]
pub async fn use_promo_code(#[server(default)] promo_code: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let outcome = match session::services().redeem(user.actor(), &promo_code, &http::visitor_address()).await {
        Ok(amount) => Ok(format!("{} of credit are yours.", words::video_seconds(amount))),
        Err(RedeemError::Forbidden(error)) => return Err(error.into()),
        Err(RedeemError::Store(error)) => return Err(error.into()),
        Err(RedeemError::TooManyTries { retry_after_s }) => {
            Err(format!("Too many tries. Wait {} and try again.", words::about(retry_after_s * 1000)))
        }
        Err(error) => Err(format!("{}.", words::sentence(&error.to_string()))),
    };
    session::say(PAGE, Some(user.id), "promo", outcome, &promo_code);
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[component]
pub fn PlanPage() -> impl IntoView {
    let before = http::query().get("before").and_then(|before| before.parse().ok());
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        let balance = services.balance(viewer.actor()).await?;
        let kept = kept(&services.plan(viewer.actor()).await?);
        let ledger = services.ledger(viewer.actor(), before, ENTRIES).await?;
        let plans = if balance.is_unlimited() { Vec::new() } else { services.listed_plans().await? };
        let current = Some(balance.plan.clone());
        let manages = viewer.actor().may(Permission::ManageBilling);
        let can_pay = services.can_pay() && manages;
        let has_invoices = manages && !services.bills(viewer.actor()).await.is_ok_and(|bills| bills.account.invoices.is_empty());
        let said = session::said(PAGE, Some(viewer.id));
        let typed = said.typed_into("promo");
        Ok(view! {
            <Frame title="Plan and credit" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/plan.css" />
                <Stylesheet href="/admin.css" />
                <header class="page-head">
                    <h1>"Plan and credit"</h1>
                    <p class="lead">"Your plan is "<strong>{balance.plan.clone()}</strong>"."{renewal(&balance)}{kept}" "<a href="/usage">"Usage by day"</a>{has_invoices.then(|| view! { " "<a href="/billing">"Invoices"</a> })}</p>
                </header>
                <Left balance />
                <SaidNotice said=&said form="promo" />
                {manages.then(|| view! { <Promo typed /> })}
                {(!plans.is_empty()).then(|| view! {
                    <section class="stack" aria-labelledby="plans">
                        <h2 id="plans">"Plans"</h2>
                        <PlanCards plans current />
                        {if can_pay {
                            view! { <p><a class="button" href="/billing">"Change your plan, or buy credit"</a></p> }.into_any()
                        } else if services.can_pay() {
                            view! { <p class="hint">"To change your plan or to buy credit, ask an owner of your team, or a member for billing."</p> }.into_any()
                        } else {
                            view! { <p class="hint">"To change your plan or to buy credit, ask whoever runs this Reelmill."</p> }.into_any()
                        }}
                    </section>
                })}
                <Entries ledger is_first=before.is_none() />
            </Frame>
        })
    })
}

/// Works without a payment processor.
#[component]
fn Promo(typed: String) -> impl IntoView {
    view! {
        <form class="row search" method="post" action=UsePromoCode::url() data-stays>
            <label class="inline" for="promo_code">"Promo code"</label>
            <input id="promo_code" name="promo_code" required maxlength="64" value=typed autocomplete="off" autocapitalize="characters" spellcheck="false" />
            <button class="button quiet">"Redeem"</button>
        </form>
    }
}

/// For how long the plan keeps videos, where that ends.
fn kept(plan: &Plan) -> Option<String> {
    let days = words::count(plan.retention_days?.into(), "day", "days");
    Some(format!(" Videos are kept for {days} after they have ended."))
}

fn renewal(balance: &Balance) -> Option<impl IntoView + use<>> {
    let has_included = balance.grants.iter().any(|grant| grant.kind == GrantKind::Included);
    let at = balance.renews_at.filter(|_| has_included)?;
    Some(view! { " What it includes is given anew on "<Moment at />"." })
}

#[component]
fn Left(balance: Balance) -> impl IntoView {
    let held = balance.held;
    let content = if balance.is_unlimited() {
        view! { <p>"Everything, without a limit. What each video takes is noted all the same."</p> }.into_any()
    } else if balance.grants.is_empty() {
        view! { <p class="notice plain">"Nothing is left. Videos can be made again once there is credit, or a plan that includes more."</p> }.into_any()
    } else {
        let grants = balance.grants.into_iter().map(|grant| view! { <Grant grant /> });
        view! { <ul class="grants">{grants.collect_view()}</ul> }.into_any()
    };
    view! {
        <section class="stack" aria-labelledby="left">
            <h2 id="left">"What is left"</h2>
            {content}
            {(held > VideoTime::default()).then(|| view! { <p class="hint">{words::video_seconds(held)}" are set aside for videos that are being made."</p> })}
        </section>
    }
}

#[component]
fn Grant(grant: Rest) -> impl IntoView {
    let Rest { kind, amount, rest, expires_at, price, note } = grant;
    let worth = price.map(|price| {
        let what = if kind == GrantKind::Overage { "to be paid for when used, at most " } else { "paid for, worth " };
        format!("{what}{}", price.of(rest))
    });
    let label = format!("{} of {} left", words::amount(rest), words::video_seconds(amount));
    view! {
        <li class="card grant">
            <h3>{name(kind)}{note.filter(|_| kind.is_credit()).map(|note| view! { <span class="hint">" "<bdi>{note}</bdi></span> })}</h3>
            <p class="grant-left"><span class="figure">{words::amount(rest)}</span>" of "{words::video_seconds(amount)}</p>
            <progress max=amount.ms() value=rest.ms() aria-label=label></progress>
            <p class="hint">{expires_at.map(|at| view! { "Until "<Moment at />". " })}{worth.map(|worth| words::sentence(&worth) + ".")}</p>
        </li>
    }
}

const fn name(kind: GrantKind) -> &'static str {
    match kind {
        GrantKind::Unlimited => "Without a limit",
        GrantKind::Included => "Included this month",
        GrantKind::Gift => "Credit you were given",
        GrantKind::Purchase => "Credit you bought",
        GrantKind::Overage => "Beyond what is included",
    }
}

#[component]
fn Entries(ledger: LedgerPage, is_first: bool) -> impl IntoView {
    let LedgerPage { rows, has_more } = ledger;
    let older = rows.last().filter(|_| has_more).map(|last| format!("/plan?before={}#entries", last.id));
    let has_file = !rows.is_empty();
    let content = if rows.is_empty() {
        view! { <p class="empty small">"Nothing was granted or charged yet."</p> }.into_any()
    } else {
        let rows = rows.into_iter().map(|row| view! { <Entry row /> });
        view! { <Table label="Entries" heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
    };
    view! {
        <section class="stack" aria-labelledby="entries">
            <h2 id="entries">"What was granted and charged"</h2>
            {content}
            <p class="row">
                {(!is_first).then(|| view! { <a class="button quiet" href="/plan#entries">"Newest"</a> })}
                {older.map(|href| view! { <a class="button quiet" href=href>"Older"</a> })}
                {has_file.then(|| view! { <a class="button quiet" href="/ledger.csv" download>"As a CSV file"</a> })}
            </p>
        </section>
    }
}

#[component]
fn Entry(row: LedgerRow) -> impl IntoView {
    let has_no_limit = has_no_limit(&row);
    let LedgerRow { at, kind, amount, job, grant, note, .. } = row;
    let amount = words::amount(amount);
    // By how much more or less is left.
    let change = match kind {
        _ if has_no_limit => "no limit".to_owned(),
        EntryKind::Grant | EntryKind::Release | EntryKind::Refund => format!("+{amount}"),
        EntryKind::Hold | EntryKind::Expire => format!("−{amount}"),
        EntryKind::Capture | EntryKind::ReleaseExpired => "–".to_owned(),
    };
    let of_held = match kind {
        EntryKind::Capture => Some(format!(": {amount} of what was set aside")),
        EntryKind::ReleaseExpired => Some(format!(": {amount}")),
        _ => None,
    };
    let of_what = grant.filter(|_| matches!(kind, EntryKind::Grant | EntryKind::Expire));
    let of_what = of_what.map(|grant| format!(": {}", name(grant)));
    let note = note.map(|note| view! { <span class="hint">" "<bdi>{words::ending(&note).to_owned()}</bdi></span> });
    view! {
        <tr>
            <th scope="row"><Moment at /></th>
            <td data-head="What" class="wraps">{what(kind)}{of_what}{of_held}{note}</td>
            <td data-head="Change" class="number">{change}</td>
            <td>{job.map(|id| view! { <a href=format!("/videos/{id}")>"Show"</a> })}</td>
        </tr>
    }
}

/// Whether it is about what a plan without a limit gives: its amount is no number to read.
fn has_no_limit(row: &LedgerRow) -> bool {
    row.grant == Some(GrantKind::Unlimited) && row.job.is_none()
}

pub const OWN_LEDGER_CSV_HEAD: &str = "time,kind,video_seconds,grant,note,video\n";

/// An entry as a line of a file: without an amount where there is no limit.
#[must_use]
pub fn own_ledger_csv_line(row: &LedgerRow) -> String {
    let amount = if has_no_limit(row) { String::new() } else { row.amount.to_string() };
    let (grant, note) = (row.grant.map_or("", GrantKind::as_str), row.note.as_deref().unwrap_or_default());
    let job = row.job.map(|job| job.to_string()).unwrap_or_default();
    format!("{},{},{amount},{grant},{},{job}\n", iso(row.at), row.kind.as_str(), quoted(note))
}

pub const fn what(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Grant => "Granted",
        EntryKind::Hold => "Set aside",
        EntryKind::Capture => "Charged",
        EntryKind::Release => "Given back",
        EntryKind::ReleaseExpired => "Not charged, and expired",
        EntryKind::Expire => "Expired",
        EntryKind::Refund => "Refunded",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    #[test]
    fn a_line_of_the_file_holds_no_formula_and_no_amount_without_a_limit() {
        let row = LedgerRow {
            id: "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001".parse().unwrap(),
            at: Timestamp::from_ms(0),
            kind: EntryKind::Grant,
            amount: VideoTime::from_ms(12_500),
            job: None,
            grant: Some(GrantKind::Gift),
            note: Some("=cmd|' /C calc'!A0".into()),
        };
        assert_eq!(own_ledger_csv_line(&row), "1970-01-01T00:00:00Z,grant,12.5,gift,\"'=cmd|' /C calc'!A0\",\n");
        let unlimited = LedgerRow { grant: Some(GrantKind::Unlimited), note: None, ..row };
        assert_eq!(own_ledger_csv_line(&unlimited), "1970-01-01T00:00:00Z,grant,,unlimited,\"\",\n");
        let charged = LedgerRow { kind: EntryKind::Capture, job: "job_0190aaaabbbb7ccc8dddeeeeffff0001".parse().ok(), ..unlimited };
        assert!(own_ledger_csv_line(&charged).ends_with(",capture,12.5,unlimited,\"\",job_0190aaaabbbb7ccc8dddeeeeffff0001\n"));
    }
}
