//! The log of a tenant's requests: found by key, model, status, time and text, and one of them with all its times.

use crate::{
    components::{
        frame::Frame,
        request_log::{AskedLog, Detail, Followed, Rows, status_chosen},
    },
    fault::Fault,
    http,
    pages::fault::page,
    session, words,
};
use domain::{JobId, Permission};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::{ApiKey, RequestPage, RequestStatus};

const PAGE: &str = "/requests";
const SHOWN: u64 = 50;

#[component]
pub fn RequestsPage() -> impl IntoView {
    let query = http::query();
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        if let Some(id) = query.get("id") {
            let id: JobId = id.parse().map_err(|_| Fault::NotFound)?;
            let detail = Box::pin(services.request_detail(viewer.actor(), id)).await?.ok_or(Fault::NotFound)?;
            let prompt = detail.view.as_ref().map(|view| words::shortened(&view.spec.prompt, 120)).unwrap_or_default();
            return Ok(view! {
                <Frame title="Request" viewer=Some(viewer) class="page wide admin">
                    <Stylesheet href="/admin.css" />
                    <header class="page-head"><h1>"Request"</h1><p class="lead" dir="auto">{prompt}</p></header>
                    <Detail detail is_operators=false />
                    <p class="row">
                        <a class="button quiet" href=format!("/videos/{id}")>"What was asked for, and the video"</a>
                        <a class="button quiet" href=PAGE>"All requests"</a>
                    </p>
                </Frame>
            }
            .into_any());
        }
        let asked = AskedLog::read(|name| query.get(name).filter(|_| name != "tenant"));
        let keys = services.list_keys(viewer.actor()).await.unwrap_or_default();
        let found = match asked.wrong {
            Some(_) => None,
            None => Some(Box::pin(services.requests(viewer.actor(), &asked.filter, asked.after, SHOWN)).await?),
        };
        let wrong = asked.wrong.map(|wrong| view! { <p class="notice" role="alert">{wrong}</p> });
        let list = found.map(|found| {
            let (of_list, may_submit) = (asked.clone(), viewer.actor().may(Permission::SubmitJobs));
            view! { <Followed asked=asked.clone() page=PAGE><Found found asked=of_list may_submit /></Followed> }
        });
        Ok(view! {
            <Frame title="Requests" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Requests"</h1>
                    <p class="lead">"All that was asked for, the newest first, by programs and in the browser. With days, what ended on them. "<a href="/overview">"Overview"</a></p>
                </header>
                <Filter asked=asked.clone() keys />
                {wrong}
                {list}
            </Frame>
        }
        .into_any())
    })
}

#[component]
fn Found(found: RequestPage, asked: AskedLog, may_submit: bool) -> impl IntoView {
    let next = found.next.map(|place| format!("{PAGE}?{}", asked.query(Some(place))));
    let is_all = !asked.is_narrowed() && asked.after.is_none();
    let shown = match (found.rows.is_empty(), is_all) {
        (true, true) => view! {
            <p class="empty"><span>"Nothing was asked for yet."{may_submit.then(|| view! { " "<a href="/create">"Create a video"</a> })}</span></p>
        }
        .into_any(),
        (true, false) if next.is_some() => {
            view! { <p class="empty small">"None of the newest is like that. Older ones may be."</p> }.into_any()
        }
        (true, false) => view! { <p class="empty small">"No request is like that."</p> }.into_any(),
        (false, _) => view! { <Rows rows=found.rows page=PAGE /> }.into_any(),
    };
    view! { {shown}{next.map(|href| view! { <p class="row"><a class="button quiet" href=href rel="next">"Older"</a></p> })} }
}

#[component]
fn Filter(asked: AskedLog, keys: Vec<ApiKey>) -> impl IntoView {
    let (status, key) = (asked.typed("status"), asked.typed("key"));
    let statuses =
        RequestStatus::ALL.map(|of| view! { <option value=of.as_str() selected=of.as_str() == status>{status_chosen(of)}</option> });
    let is_browser = key == "browser";
    let keys = keys.into_iter().map(|of| {
        let id = of.id.to_string();
        let selected = id == key;
        view! { <option value=id selected=selected>{of.name}</option> }
    });
    let keys = keys.collect_view();
    let hidden = ["ended_from", "ended_until", "failure", "lane", "phase", "at_least_s"].map(|name| {
        let value = asked.typed(name);
        (!value.is_empty()).then(|| view! { <input type="hidden" name=name value=value /> })
    });
    view! {
        <form class="row search" method="get" action=PAGE role="search" aria-label="Requests">
            {hidden.into_iter().collect_view()}
            <input type="search" name="text" value=asked.typed("text") aria-label="Words of the prompt" placeholder="Words of the prompt" maxlength="200" />
            <select name="status" aria-label="Status" autocomplete="off"><option value="">"Every status"</option>{statuses.into_iter().collect_view()}</select>
            <select name="key" aria-label="API key" autocomplete="off">
                <option value="">"Every key"</option>
                <option value="browser" selected=is_browser>"In the browser"</option>
                {keys}
            </select>
            <input name="model" value=asked.typed("model") aria-label="Model" placeholder="Every model" autocomplete="off" />
            <span class="in-row">
                <label class="inline">"Ended from "<input name="from" type="date" value=asked.typed("from") autocomplete="off" /></label>
                <label class="inline">"to "<input name="until" type="date" value=asked.typed("until") autocomplete="off" /></label>
            </span>
            <button class="button quiet">"Show"</button>
            <a class="button quiet" href=PAGE>"Everything"</a>
        </form>
    }
}
