//! How much may be used in a month: spending limits and alerts, with what is used of them.

use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice, TeamField, same_team},
    words,
};
use domain::{
    Permission, TenantId, VideoTime,
    billing::{Spender, Spending, SpendingLimits},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::spending::{LimitError, SpendingOverview};

const PAGE: &str = "/limits";

/// `hard`, `soft`: video-seconds a month; empty: none. `is_new`, where it is not empty: whoever adds a limit means one.
#[server(prefix = "/api", endpoint = "set-spending-limits")]
pub async fn set_spending_limits(
    spender: String,
    #[server(default)] hard: String,
    #[server(default)] soft: String,
    #[server(default)] is_new: String,
    #[server(default)] tenant: Option<TenantId>,
) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let spender = spender_named(&spender).ok_or(Fault::Malformed)?;
    let outcome = match same_team(&user, tenant).map_err(|switched| switched.to_string()).and_then(|()| limits(&hard, &soft)) {
        Err(problem) => Err(problem),
        Ok(limits) if !is_new.is_empty() && limits == SpendingLimits::default() => Err("Give a limit, an alert, or both.".to_owned()),
        Ok(limits) => match session::services().set_spending_limits(user.actor(), spender, limits, &http::visitor_address()).await {
            Ok(()) if limits == SpendingLimits::default() => Ok("There is no limit of its own now.".to_owned()),
            Ok(()) if limits.hard == Some(VideoTime::default()) => Ok("Saved. Nothing more is taken in for it from now on.".to_owned()),
            Ok(()) => Ok("Saved. It holds from the next video on.".to_owned()),
            Err(LimitError::Forbidden(error)) => return Err(error.into()),
            Err(LimitError::Store(error)) => return Err(error.into()),
            Err(error) => Err(format!("{}.", words::sentence(&error.to_string()))),
        },
    };
    session::say_of_fields(
        PAGE,
        Some(user.id),
        "limits",
        outcome,
        &[("spender", &spender_name(spender)), ("hard", &hard), ("soft", &soft)],
    );
    leptos_axum::redirect(PAGE);
    Ok(())
}

fn limits(hard: &str, soft: &str) -> Result<SpendingLimits, String> {
    Ok(SpendingLimits { hard: video_time(hard)?, soft: video_time(soft)? })
}

/// Video-seconds; empty: none.
fn video_time(text: &str) -> Result<Option<VideoTime>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| "Give video-seconds as a number such as 3600 or 0.5.".to_owned())
}

/// As a form names it.
fn spender_name(spender: Spender) -> String {
    match spender {
        Spender::Tenant => "team".to_owned(),
        Spender::Project(id) => id.to_string(),
        Spender::Key(id) => id.to_string(),
    }
}

fn spender_named(name: &str) -> Option<Spender> {
    let project = || name.parse().ok().map(Spender::Project);
    if name == "team" { Some(Spender::Tenant) } else { project().or_else(|| name.parse().ok().map(Spender::Key)) }
}

#[component]
pub fn LimitsPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        let SpendingOverview { spending, subjects, resets_on } = services.spending(viewer.actor()).await?;
        let requests = services.requests_per_minute(viewer.tenant).await?;
        let tenant = viewer.tenant;
        let may_set = viewer.actor().may(Permission::SetSpendingLimits);
        let said = session::said(PAGE, Some(viewer.id));
        let name = |spender: Spender| subjects.iter().find(|(of, _)| *of == spender).map(|(_, name)| name.clone());
        let without: Vec<_> = subjects.iter().filter(|(of, _)| spending.iter().all(|spending| spending.spender != *of)).cloned().collect();
        // A key that is revoked, or a project that is archived, uses nothing any more.
        let limited: Vec<_> = spending.into_iter().filter_map(|spending| Some((name(spending.spender)?, spending))).collect();
        let is_empty = limited.is_empty();
        // What was refused stands in its form again.
        let typed = said.field("limits", "spender").map(|spender| Typed {
            spender,
            hard: said.field("limits", "hard").unwrap_or_default(),
            soft: said.field("limits", "soft").unwrap_or_default(),
        });
        let typed_anew = typed.clone();
        let cards = limited.into_iter().map(move |(name, spending)| view! { <Limit tenant name spending may_set typed=typed.clone() /> });
        Ok(view! {
            <Frame title="Limits and alerts" viewer=Some(viewer) class="page wide keys-page">
                <Stylesheet href="/keys.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Limits and alerts"</h1>
                    <p class="lead">"How much video time may be used in a calendar month. What open videos hold counts with what was charged; all starts anew on "<time datetime=resets_on.to_string()>{resets_on.to_string()}</time>" (UTC)."</p>
                </header>
                <SaidNotice said=&said form="limits" />
                {is_empty.then(|| view! { <p class="empty small">"There is no limit but what your plan and credit give."</p> })}
                <ul class="grants">{cards.collect_view()}</ul>
                {(may_set && !without.is_empty()).then(|| view! { <Add tenant subjects=without typed=typed_anew /> })}
                <section class="stack" aria-labelledby="requests">
                    <h2 id="requests">"Requests"</h2>
                    <p>{format!("All API keys together may make {} requests a minute. A key can be made for less.", domain::grouped(requests.into()))}</p>
                </section>
            </Frame>
        })
    })
}

/// What was typed and refused.
#[derive(Clone)]
struct Typed {
    spender: String,
    hard: String,
    soft: String,
}

impl Typed {
    fn of(limits: SpendingLimits) -> Self {
        let shown = |limit: Option<VideoTime>| limit.map(|limit| limit.to_string()).unwrap_or_default();
        Self { spender: String::new(), hard: shown(limits.hard), soft: shown(limits.soft) }
    }
}

#[component]
fn Limit(tenant: TenantId, name: String, spending: Spending, may_set: bool, typed: Option<Typed>) -> impl IntoView {
    let (used, limits) = (spending.used(), spending.limits);
    let most = limits.hard.or(limits.soft).unwrap_or_default().ms();
    let part = if most == 0 { 1 } else { used.ms().min(most) };
    let typed = typed.filter(|typed| typed.spender == spender_name(spending.spender));
    let is_refused = typed.is_some();
    let typed = typed.unwrap_or_else(|| Typed::of(limits));
    let of = limits.hard.map_or_else(|| "used; no limit".to_owned(), |hard| format!("of {}", words::video_seconds(hard)));
    let state = match limits {
        SpendingLimits { hard: Some(hard), .. } if used >= hard => Some("Reached"),
        SpendingLimits { soft: Some(soft), .. } if used >= soft => Some("Alert sent"),
        _ => None,
    };
    let alert = limits.soft.map(|soft| format!("Owners and billing members get a mail at {}.", words::video_seconds(soft)));
    let held =
        (spending.held > VideoTime::default()).then(|| format!("{} of it are set aside for open videos.", words::amount(spending.held)));
    view! {
        <li class="card grant">
            <h2 class="limit-name"><bdi>{name.clone()}</bdi>{state.map(|state| view! { " "<span class="badge">{state}</span> })}</h2>
            <p class="grant-left"><span class="figure">{words::amount(used)}</span>" "{of}</p>
            <progress max=most.max(1) value=part aria-label=format!("{} used by {name}", words::video_seconds(used))></progress>
            <p class="hint">{[alert, held].into_iter().flatten().collect::<Vec<_>>().join(" ")}</p>
            {may_set.then(|| view! {
                <details class="fold" open=is_refused>
                    <summary aria-label=format!("Change the limit of {name}")>"Change"</summary>
                    <form class="limit-form" method="post" action=SetSpendingLimits::url() data-stays>
                        <input type="hidden" name="spender" value=spender_name(spending.spender) />
                        <TeamField tenant />
                        <Amounts id=spender_name(spending.spender) typed />
                        <button class="button quiet">"Save"</button>
                    </form>
                </details>
            })}
        </li>
    }
}

#[component]
fn Add(tenant: TenantId, subjects: Vec<(Spender, String)>, typed: Option<Typed>) -> impl IntoView {
    let typed = typed.filter(|typed| subjects.iter().any(|(spender, _)| spender_name(*spender) == typed.spender));
    let typed = typed.unwrap_or_else(|| Typed::of(SpendingLimits::default()));
    let chosen = typed.spender.clone();
    let options = subjects.into_iter().map(|(spender, name)| {
        let value = spender_name(spender);
        view! { <option value=value.clone() selected=value == chosen>{name}</option> }
    });
    view! {
        <section class="stack" aria-labelledby="add">
            <h2 id="add">"Add a limit"</h2>
            <form class="card limit-form" method="post" action=SetSpendingLimits::url() data-stays>
                <TeamField tenant />
                <input type="hidden" name="is_new" value="yes" />
                <div class="field">
                    <label for="spender">"For"</label>
                    <select id="spender" name="spender" autocomplete="off">{options.collect_view()}</select>
                </div>
                <Amounts id="new".to_owned() typed />
                <button class="button">"Add"</button>
            </form>
        </section>
    }
}

#[component]
fn Amounts(id: String, typed: Typed) -> impl IntoView {
    let fields = [
        ("hard", "Limit, in video-seconds a month", "Nothing more is taken in beyond it. Empty: no limit.", typed.hard),
        ("soft", "Alert at, in video-seconds", "Owners and billing members get a mail. Empty: no alert.", typed.soft),
    ];
    let fields = fields.map(|(name, label, hint, value)| {
        let field = format!("{name}-{id}");
        let hint_id = format!("{field}-hint");
        view! {
            <div class="field">
                <label for=field.clone()>{label}</label>
                <input id=field name=name inputmode="decimal" autocomplete="off" aria-describedby=hint_id.clone() value=value />
                <p class="hint" id=hint_id>{hint}</p>
            </div>
        }
    });
    fields.into_iter().collect_view()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_may_be_left_out_and_what_is_none_is_said() {
        assert_eq!(limits("3600", "").unwrap(), SpendingLimits { hard: Some(VideoTime::from_ms(3_600_000)), soft: None });
        assert_eq!(video_time("0.5"), Ok(Some(VideoTime::from_ms(500))));
        assert_eq!(limits("much", "").unwrap_err(), "Give video-seconds as a number such as 3600 or 0.5.");
    }

    #[test]
    fn a_spender_is_found_by_its_name() {
        let hex = "0190aaaabbbb7ccc8dddeeeeffff0001";
        let (project, key) = (format!("project_{hex}").parse().unwrap(), format!("key_{hex}").parse().unwrap());
        for spender in [Spender::Tenant, Spender::Project(project), Spender::Key(key)] {
            assert_eq!(spender_named(&spender_name(spender)), Some(spender));
        }
        assert_eq!(spender_named("x"), None);
    }
}
