//! The log of all requests, without what anybody wrote: the jobs behind every number.

use crate::{
    components::{
        frame::Frame,
        numbers::phase_name,
        request_log::{AskedLog, Detail, Followed, Rows, status_chosen, wrong_text},
    },
    fault::Fault,
    http,
    pages::{
        admin::{section::empty, which_tenant::WhichTenant},
        fault::page,
    },
    session,
};
use domain::{JobId, TenantId, billing::Lane};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::{RequestStatus, numbers::Phase, requests::AllRequests};

const PAGE: &str = "/admin/requests";
const SHOWN: u64 = 50;
const TENANT: &str = "tenant";

#[component]
pub fn AllRequestsPage() -> impl IntoView {
    let query = http::query();
    page(async move {
        let viewer = session::require_operator().await?;
        let (services, actor) = (session::services(), viewer.installation_actor());
        if let Some(id) = query.get("id") {
            let id: JobId = id.parse().map_err(|_| Fault::NotFound)?;
            let detail = Box::pin(services.any_request_detail(actor, id)).await?.ok_or(Fault::NotFound)?;
            return Ok(view! {
                <Frame title="Request" viewer=Some(viewer) class="page wide admin">
                    <Stylesheet href="/admin.css" />
                    <header class="page-head"><h1>"Request"</h1><p class="lead mono">{id.to_string()}</p></header>
                    <Detail detail is_operators=true />
                    <p class="row"><a class="button quiet" href=PAGE>"All requests"</a></p>
                </Frame>
            }
            .into_any());
        }
        let typed = query.get(TENANT).unwrap_or_default().trim().to_owned();
        let of = |tenant: &str| AskedLog::read(|name| if name == TENANT { Some(tenant.to_owned()) } else { query.get(name) });
        let named = if is_name(&typed) { Some(services.find_tenants(actor, &typed).await?) } else { None };
        let asked = match named.as_deref() {
            Some([one]) => of(&one.id.to_string()),
            // Of a tenant that is not told apart from others nothing is shown.
            Some(_) => of(""),
            None => of(&typed),
        };
        let which = named.filter(|found| found.len() != 1);
        if asked.filter.tenant.is_some() && is_name(&typed) {
            // The page is asked for again and again: its address tells the tenant without a search.
            http::lead(&format!("{PAGE}?{}", asked.query(asked.after)));
        }
        let found = if asked.wrong.is_some() || which.is_some() {
            None
        } else {
            Some(Box::pin(services.all_requests(actor, &asked.filter, asked.after, SHOWN)).await?)
        };
        let which = which.map(|found| {
            let found = found.into_iter().map(|tenant| {
                let href = format!("{PAGE}?{}", of(&tenant.id.to_string()).query(None));
                (tenant, href)
            });
            let found: Vec<_> = found.collect();
            view! { <WhichTenant found /> }
        });
        let wrong = asked.wrong.map(|wrong| view! { <p class="notice" role="alert">{wrong}</p> });
        let list = found.map(|AllRequests { page, tenant_names }| {
            let of_one = asked.filter.tenant.map(|tenant| view! { <OfOne name=tenant_names.get(&tenant).cloned() /> });
            let next = page.next.map(|place| format!("{PAGE}?{}", asked.query(Some(place))));
            let shown = if page.rows.is_empty() {
                empty("No request is like that, as far as was looked.")
            } else {
                view! { <Rows rows=page.rows page=PAGE names=tenant_names /> }.into_any()
            };
            let older = next.map(|href| view! { <p class="row"><a class="button quiet" href=href rel="next">"Older"</a></p> });
            view! { {of_one}<Followed asked=asked.clone() page=PAGE>{shown}{older}</Followed> }
        });
        Ok(view! {
            <Frame title="Requests" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Requests"</h1>
                    <p class="lead">"Of all tenants, the newest first, without what anybody wrote. With times, those that ended then. "<a href="/admin/latency">"Latency and load"</a></p>
                </header>
                <Filter asked=asked.clone() tenant=typed />
                {wrong}
                {which}
                {list}
            </Frame>
        }
        .into_any())
    })
}

/// Whether this is looked for among names and addresses: it is neither an id nor too much.
fn is_name(typed: &str) -> bool {
    !typed.is_empty() && typed.parse::<TenantId>().is_err() && wrong_text(typed).is_none()
}

/// Whose requests these are alone. `name`: none where the tenant is gone.
#[component]
fn OfOne(name: Option<String>) -> impl IntoView {
    match name {
        Some(name) => view! { <p class="hint">"Those of "<bdi>{name}</bdi>" alone."</p> }.into_any(),
        None => view! { <p class="hint">"Those of a tenant that is gone."</p> }.into_any(),
    }
}

/// `tenant`: as it is typed.
#[component]
fn Filter(asked: AskedLog, tenant: String) -> impl IntoView {
    let (status, lane, phase) = (asked.typed("status"), asked.typed("lane"), asked.typed("phase"));
    let statuses =
        RequestStatus::ALL.map(|of| view! { <option value=of.as_str() selected=of.as_str() == status>{status_chosen(of)}</option> });
    let lanes =
        [Lane::Interactive, Lane::Batch].map(|of| view! { <option value=of.as_str() selected=of.as_str() == lane>{of.as_str()}</option> });
    let phases = Phase::IN_ORDER.map(|of| view! { <option value=of.as_str() selected=of.as_str() == phase>{phase_name(of)}</option> });
    let hidden = ["ended_from", "ended_until", "failure"].map(|name| {
        let value = asked.typed(name);
        (!value.is_empty()).then(|| view! { <input type="hidden" name=name value=value /> })
    });
    view! {
        <form class="row search" method="get" action=PAGE role="search" aria-label="Requests">
            {hidden.into_iter().collect_view()}
            <select name="status" aria-label="Status" autocomplete="off"><option value="">"Every status"</option>{statuses.into_iter().collect_view()}</select>
            <input name="model" value=asked.typed("model") aria-label="Model" placeholder="Every model" autocomplete="off" />
            <select name="lane" aria-label="Lane" autocomplete="off"><option value="">"Every lane"</option>{lanes.into_iter().collect_view()}</select>
            <input name="device" value=asked.typed("device") aria-label="Kind of device" placeholder="Every device" autocomplete="off" />
            <input name=TENANT value=tenant aria-label="Tenant: its name, a member’s address, or its id" placeholder="Tenant, address or id" autocomplete="off" />
            <select name="phase" aria-label="Phase that took long" autocomplete="off">{phases.into_iter().collect_view()}</select>
            <label class="inline">"at least "<input name="at_least_s" value=asked.typed("at_least_s") inputmode="decimal" size="6" autocomplete="off" />" s"</label>
            <span class="in-row">
                <label class="inline">"Ended from "<input name="from" type="date" value=asked.typed("from") autocomplete="off" /></label>
                <label class="inline">"to "<input name="until" type="date" value=asked.typed("until") autocomplete="off" /></label>
            </span>
            <button class="button quiet">"Show"</button>
            <a class="button quiet" href=PAGE>"Everything"</a>
        </form>
    }
}
