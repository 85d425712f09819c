//! Tenants: who they are, on which plan, what they have left; their plan is changed here, and credit given.

use crate::{
    components::{frame::Frame, moment::Moment, table::Table},
    fault::Fault,
    http,
    pages::fault::{escaped, page},
    session::{self, Said, SaidNotice},
    words,
};
use domain::{
    Actor, TenantId, UserId, VideoTime,
    billing::{Included, Plan},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{
    Asked, TenantPage, TenantRow,
    account::ViewingError,
    billing::{Gift, GrantError, PlanChangeError},
    job::new_idempotency_key,
};

const SHOWN: u64 = 50;
const HEADS: [&str; 7] = ["Account", "Since", "Left", "Held", "Plan", "Give credit", "View as"];
const PAGE: &str = "/admin/tenants";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[server(prefix = "/api", endpoint = "set-plan")]
pub async fn set_tenant_plan(tenant: TenantId, plan: String, #[server(default)] search: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let outcome = match session::services().set_plan(viewer.installation_actor(), tenant, &plan).await {
        Ok(()) => {
            Ok(format!("The plan is changed. It holds from the next job on.{}", what_goes_on(tenant, viewer.installation_actor()).await?))
        }
        Err(error @ PlanChangeError::Unknown(_)) => Err(words::sentence(&error.to_string())),
        Err(PlanChangeError::Forbidden(error)) => return Err(error.into()),
        Err(PlanChangeError::Store(error)) => return Err(error.into()),
        Err(error) => return Err(Fault::internal(&error)),
    };
    say(viewer.id, &search, "plan", outcome, &[]);
    Ok(())
}

/// What is paid is not changed with the plan.
async fn what_goes_on(tenant: TenantId, actor: Actor) -> Result<&'static str, Fault> {
    let services = session::services();
    // What the plan gives is there when the page is.
    services.balance_of(actor, tenant).await?;
    let is_subscribed = services.store.payments().account(tenant, 0).await?.paid_plan.is_some();
    Ok(if is_subscribed { " Its subscription goes on all the same, and is paid until the tenant cancels it." } else { "" })
}

#[server(prefix = "/api", endpoint = "give-credit")]
pub async fn give_credit(
    tenant: TenantId,
    video_seconds: String,
    #[server(default)] days: String,
    #[server(default)] note: String,
    #[server(default)] once: String,
    #[server(default)] search: String,
) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let typed = [("tenant", &*tenant.to_string()), ("video_seconds", &video_seconds), ("days", &days), ("note", &note)];
    let outcome = match gift_of(&video_seconds, &days, &note, &once).await? {
        Err(wrong) => Err(format!("{wrong} Nothing was given.")),
        Ok(gift) => {
            let address = http::visitor_address();
            let (by, amount) = (Asked { user: viewer.id, address: &address }, gift.amount);
            match session::services().give_credit(viewer.installation_actor(), Some(by), tenant, gift).await {
                Ok(()) => Ok(format!("Given: {} of credit.", words::video_seconds(amount))),
                Err(GrantError::Forbidden(error)) => return Err(error.into()),
                Err(GrantError::Store(error)) => return Err(error.into()),
                Err(error) => Err(format!("{}. Nothing was given.", words::sentence(&error.to_string()))),
            }
        }
    };
    say(viewer.id, &search, "credit", outcome, &typed);
    Ok(())
}

/// As it was typed; else, what is wrong with it. Sent twice, it is given `once`.
async fn gift_of(video_seconds: &str, days: &str, note: &str, once: &str) -> Result<Result<Gift, &'static str>, Fault> {
    let Some(seconds) = video_seconds.trim().parse::<f64>().ok().filter(|seconds| (0.0..1e12).contains(seconds)) else {
        return Ok(Err("Give the credit in video-seconds, such as 120."));
    };
    let expires_at = match days.trim() {
        "" => None,
        days => match days.parse::<u32>() {
            Ok(days) => Some(session::services().store.now().await?.plus_ms(i64::from(days) * DAY_MS)),
            Err(_) => return Ok(Err("Give the days as a whole number.")),
        },
    };
    if !(1..=64).contains(&once.len()) || !once.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(Err("Load the page again, and send the form once more."));
    }
    let amount = VideoTime::from_ms((seconds * 1000.0).round() as u64);
    Ok(Ok(Gift { amount, expires_at, note: Some(note.to_owned()), once: Some(once.to_owned()) }))
}

#[server(prefix = "/api", endpoint = "begin-viewing")]
pub async fn begin_viewing(tenant: TenantId, #[server(default)] reason: String, #[server(default)] search: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (address, actor) = (http::visitor_address(), viewer.installation_actor());
    match session::services().begin_viewing(actor, Asked { user: viewer.id, address: &address }, tenant, &reason).await {
        Ok(viewing) => {
            session::begin_viewing(viewing).await?;
            leptos_axum::redirect("/library");
        }
        Err(error @ (ViewingError::Reason(_) | ViewingError::Gone)) => {
            let typed = [("tenant", &*tenant.to_string()), ("reason", &reason)];
            say(viewer.id, &search, "view", Err(words::sentence(&error.to_string()) + "."), &typed);
        }
        Err(ViewingError::Forbidden(error)) => return Err(error.into()),
        Err(ViewingError::Store(error)) => return Err(error.into()),
    }
    Ok(())
}

fn say(to: UserId, search: &str, form: &str, outcome: Result<String, String>, typed: &[(&str, &str)]) {
    session::say_of_fields(PAGE, Some(to), form, outcome, typed);
    let search = if search.is_empty() { String::new() } else { format!("?search={}", escaped(search)) };
    leptos_axum::redirect(&format!("{PAGE}{search}"));
}

#[component]
pub fn TenantsPage() -> impl IntoView {
    let query = http::query();
    let search = query.get("search").unwrap_or_default();
    let before: Option<TenantId> = query.get("before").and_then(|id| id.parse().ok());
    page(async move {
        let viewer = session::require_operator().await?;
        let (services, actor) = (session::services(), viewer.installation_actor());
        let TenantPage { tenants, has_more } = services.tenants(actor, &search, before, SHOWN).await?;
        let plans = services.plans(actor).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let older = tenants.last().filter(|_| has_more).map(|last| format!("{PAGE}?search={}&before={}", escaped(&search), last.id));
        let is_empty = tenants.is_empty();
        let rows = tenants
            .into_iter()
            .map(|tenant| view! { <Row tenant own=viewer.tenant plans=plans.clone() search=search.clone() said=said.clone() /> })
            .collect_view();
        Ok(view! {
            <Frame title="Tenants" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Tenants"</h1>
                    <p class="lead">"A change holds from the next job on. What an earlier plan included is gone with it; credit stays."</p>
                </header>
                <SaidNotice said=&said form="plan" />
                <SaidNotice said=&said form="credit" />
                <SaidNotice said=&said form="view" />
                <form class="row search" method="get" action=PAGE role="search">
                    <input type="search" name="search" value=search.clone() aria-label="Part of an email address" placeholder="Part of an email address" />
                    <button class="button quiet">"Search"</button>
                </form>
                {if is_empty {
                    view! { <p class="empty small">"No account has such an address."</p> }.into_any()
                } else {
                    view! { <Table label="List of tenants" heads=&HEADS>{rows}</Table> }.into_any()
                }}
                {older.map(|href| view! { <p class="row"><a class="button quiet" href=href>"Older"</a></p> })}
            </Frame>
        })
    })
}

/// `own`: the team of who looks, whose pages are their own.
#[component]
fn Row(tenant: TenantRow, own: TenantId, plans: Vec<Plan>, search: String, said: Said) -> impl IntoView {
    let TenantRow { id, name, email, plan, created_at, held, available, .. } = tenant;
    let left = if plans.iter().any(|offered| offered.id == plan && offered.included == Included::Unlimited) {
        "no limit".to_owned()
    } else {
        words::video_seconds(available)
    };
    let options = plans.into_iter().map(|offered| {
        let selected = offered.id == plan;
        view! { <option value=offered.id selected=selected>{offered.name}</option> }
    });
    let viewed_search = search.clone();
    // What was refused is there to be mended.
    let is_of = |form| said.field(form, "tenant").is_some_and(|of| of == id.to_string());
    let typed = |form, field| if is_of(form) { said.field(form, field) } else { None };
    let (gives, views) = (is_of("credit"), is_of("view"));
    let whose = |what: &str| format!("{what} of {email}");
    view! {
        <tr>
            <th scope="row" class="wraps"><a href=format!("/admin/ledger?tenant={id}")><bdi>{email.clone()}</bdi></a><p class="hint" dir="auto">{name}</p></th>
            <td data-head="Since"><Moment at=created_at /></td>
            <td data-head="Left" class="number">{left}</td>
            <td data-head="Held" class="number">{words::video_seconds(held)}</td>
            <td data-head="Plan">
                <form class="in-row" method="post" action=SetTenantPlan::url()>
                    <input type="hidden" name="tenant" value=id.to_string() />
                    <input type="hidden" name="search" value=search.clone() />
                    <select name="plan" aria-label=whose("Plan") autocomplete="off">{options.collect_view()}</select>
                    <button class="button quiet small">"Set"</button>
                </form>
            </td>
            <td>
                <details open=gives>
                    <summary>"Give credit"</summary>
                    <form class="in-cell" method="post" action=GiveCredit::url()>
                        <input type="hidden" name="tenant" value=id.to_string() />
                        <input type="hidden" name="search" value=search />
                        <input type="hidden" name="once" value=new_idempotency_key() />
                        <input name="video_seconds" inputmode="decimal" required placeholder="Video-seconds" aria-label="Video-seconds" value=typed("credit", "video_seconds") />
                        <input name="days" inputmode="numeric" placeholder="Days, or for ever" aria-label="Days until it expires; empty: never" value=typed("credit", "days") />
                        <input name="note" required maxlength="200" placeholder="What for" aria-label="What for, as the account sees it" value=typed("credit", "note") />
                        <button class="button small">"Give"</button>
                    </form>
                </details>
            </td>
            <td>
                {(id != own).then(|| view! {
                    <details open=views>
                        <summary>"View as"</summary>
                        <form class="in-cell" method="post" action=BeginViewing::url()>
                            <input type="hidden" name="tenant" value=id.to_string() />
                            <input type="hidden" name="search" value=viewed_search />
                            <input name="reason" required maxlength="200" placeholder="Why" aria-label="Why, as the team sees it" value=typed("view", "reason") />
                            <button class="button small">"Look"</button>
                        </form>
                    </details>
                })}
            </td>
        </tr>
    }
}
