//! The log of all requests, without what anybody wrote: the jobs behind every number.

use crate::{
    components::{
        frame::Frame,
        request_log::{AskedLog, Detail, Followed, Rows, status_chosen},
    },
    fault::Fault,
    http,
    pages::{admin::section::empty, fault::page},
    session,
};
use domain::{JobId, billing::Lane};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::{RequestStatus, numbers::Phase, requests::AllRequests};

const PAGE: &str = "/admin/requests";
const SHOWN: u64 = 50;

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
        let asked = AskedLog::read(|name| query.get(name));
        let found = match asked.wrong {
            Some(_) => None,
            None => Some(Box::pin(services.all_requests(actor, &asked.filter, asked.after, SHOWN)).await?),
        };
        let wrong = asked.wrong.map(|wrong| view! { <p class="notice" role="alert">{wrong}</p> });
        let list = found.map(|AllRequests { page, tenant_names }| {
            let next = page.next.map(|place| format!("{PAGE}?{}", asked.query(Some(place))));
            let shown = if page.rows.is_empty() {
                empty("No request is like that, as far as was looked.")
            } else {
                view! { <Rows rows=page.rows page=PAGE names=tenant_names /> }.into_any()
            };
            let older = next.map(|href| view! { <p class="row"><a class="button quiet" href=href rel="next">"Older"</a></p> });
            view! { <Followed asked=asked.clone() page=PAGE>{shown}{older}</Followed> }
        });
        Ok(view! {
            <Frame title="Requests" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Requests"</h1>
                    <p class="lead">"Of all tenants, the newest first, without what anybody wrote. With times, those that ended then. "<a href="/admin/latency">"Latency and load"</a></p>
                </header>
                <Filter asked=asked.clone() />
                {wrong}
                {list}
            </Frame>
        }
        .into_any())
    })
}

#[component]
fn Filter(asked: AskedLog) -> impl IntoView {
    let (status, lane, phase) = (asked.typed("status"), asked.typed("lane"), asked.typed("phase"));
    let statuses =
        RequestStatus::ALL.map(|of| view! { <option value=of.as_str() selected=of.as_str() == status>{status_chosen(of)}</option> });
    let lanes =
        [Lane::Interactive, Lane::Batch].map(|of| view! { <option value=of.as_str() selected=of.as_str() == lane>{of.as_str()}</option> });
    let phases = Phase::ALL.map(|of| view! { <option value=of.as_str() selected=of.as_str() == phase>{of.as_str()}</option> });
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
            <input name="tenant" value=asked.typed("tenant") aria-label="Id of a tenant" placeholder="Every tenant, or an id" autocomplete="off" />
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
