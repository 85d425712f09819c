//! What was sent to an endpoint, and what it answered.

use super::{
    PAGE,
    changes::{ReplayWebhook, ReplayWebhooks},
    left::Left,
};
use crate::{
    components::{
        moment::{Ago, Moment, iso_day},
        table::Table,
    },
    session::{Said, TeamField},
};
use domain::{BatchId, JobId, TenantId, Timestamp, webhook::DeliveryState};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{WebhookAttempt, WebhookDelivery, WebhookEndpoint, webhook::DeliveryPage};

type Shown = (WebhookDelivery, Vec<WebhookAttempt>);

/// `left`: of a replay that broke off. `said`: with the days of one that was refused.
#[component]
pub fn Deliveries(
    tenant: TenantId,
    endpoint: WebhookEndpoint,
    page: DeliveryPage,
    status: Option<DeliveryState>,
    shown: Option<Shown>,
    left: Option<Left>,
    said: Said,
    now: Timestamp,
) -> impl IntoView {
    // Whoever looks whether the others have arrived comes back to what is left.
    let at = format!("{PAGE}?endpoint={}{}", endpoint.id, left.map(Left::query).unwrap_or_default());
    let narrowed = status.map(|state| format!("&status={}", state.as_str())).unwrap_or_default();
    let older = page.deliveries.last().filter(|_| page.has_more).map(|last| format!("{at}{narrowed}&after={}", last.id));
    let links = [None, Some(DeliveryState::Pending), Some(DeliveryState::Delivered), Some(DeliveryState::Failed)].map(|state| {
        let href = state.map_or_else(|| at.clone(), |state| format!("{at}&status={}", state.as_str()));
        view! { <a href=href aria-current=(state == status).then_some("true")>{state.map_or("All", word)}</a> }
    });
    let rows = page.deliveries.into_iter().map(|delivery| view! { <Row at=at.clone() delivery now /> }).collect::<Vec<_>>();
    let table = if rows.is_empty() {
        view! { <p class="empty small">"Nothing was sent that is shown here. What is sent stays here for seven days."</p> }.into_any()
    } else {
        view! { <Table label="Deliveries to this endpoint" heads=&["Event", "About", "State", "Attempts", "Answer", "Made"]>{rows}</Table> }
            .into_any()
    };
    let [first, last] = left.map_or([now, now], |left| [left.first.start(), left.last.start()]).map(iso_day);
    let typed = |name| said.field("webhooks", name);
    let (first, last) = (typed("from").unwrap_or(first), typed("to").unwrap_or(last));
    let with_delivered = typed("delivered").map_or_else(|| left.is_some_and(|left| left.with_delivered), |typed| !typed.is_empty());
    let without = left.map(|Left { tried_before, .. }| {
        view! {
            <label class="check"><input type="checkbox" name="tried_before" value=tried_before.ms().to_string() checked autocomplete="off" /><span>"without what was sent since "<Moment at=tried_before /></span></label>
        }
    });
    let (id, is_enabled) = (endpoint.id.to_string(), endpoint.disabled.is_none());
    view! {
        {shown.map(|shown| view! { <Delivery tenant endpoint_id=id.clone() shown is_enabled /> })}
        <section class="stack deliveries" aria-labelledby="deliveries">
            <h2 id="deliveries">"Deliveries"</h2>
            <nav class="row" aria-label="Which deliveries">{links.into_iter().collect_view()}</nav>
            {table}
            {older.map(|href| view! { <p><a href=href>"Older"</a></p> })}
            {is_enabled.then(|| view! {
                <form class="webhook-acts" method="post" action=ReplayWebhooks::url() data-stays>
                    <TeamField tenant />
                    <input type="hidden" name="id" value=id.clone() />
                    <label class="inline">"From "<input name="from" type="date" value=first autocomplete="off" required /></label>
                    <label class="inline">"to "<input name="to" type="date" value=last autocomplete="off" required /></label>
                    <label class="check"><input type="checkbox" name="delivered" value="yes" checked=with_delivered autocomplete="off" /><span>"also what has arrived"</span></label>
                    {without}
                    <button class="button quiet small">"Replay what failed"</button>
                </form>
            })}
        </section>
    }
}

const fn word(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Pending => "Waiting",
        DeliveryState::Delivered => "Delivered",
        DeliveryState::Failed => "Failed",
    }
}

#[component]
fn Badge(state: DeliveryState) -> impl IntoView {
    view! { <span class=format!("badge {}", state.as_str())>{word(state)}</span> }
}

#[component]
fn Row(at: String, delivery: WebhookDelivery, now: Timestamp) -> impl IntoView {
    let answer = answer(delivery.last_status, delivery.last_error, is_being_sent(delivery.state, delivery.attempts));
    let next = delivery.due_at.filter(|due| delivery.attempts > 0 && *due > now);
    let next = next.map(|at| view! { <p class="hint">"Next attempt "<Moment at />"."</p> });
    let about = about(&delivery.body);
    let told = match page_of(&about).filter(|_| !delivery.is_test) {
        Some(href) => view! { <a href=href>{about}</a> }.into_any(),
        None => about.into_any(),
    };
    view! {
        <tr>
            <th scope="row"><a href=format!("{at}&delivery={}#delivery", delivery.id)>{delivery.event}</a>{delivery.is_test.then_some(" (test)")}</th>
            <td data-head="About" class="wraps"><span class="mono">{told}</span></td>
            <td data-head="State"><Badge state=delivery.state /></td>
            <td data-head="Attempts">{delivery.attempts}</td>
            <td data-head="Answer" class="wraps">{answer}{next}</td>
            <td data-head="Made"><Ago at=delivery.created_at now /></td>
        </tr>
    }
}

/// Whether the attempt goes on that is the first, if there is no answer: it is counted before it is made.
fn is_being_sent(state: DeliveryState, attempts: u32) -> bool {
    state == DeliveryState::Pending && attempts > 0
}

/// What came of the last attempt.
fn answer(status: Option<u16>, error: Option<String>, is_being_sent: bool) -> String {
    match (status, error) {
        (Some(status), _) => status.to_string(),
        (None, Some(error)) => error,
        (None, None) if is_being_sent => "Being sent".to_owned(),
        (None, None) => "Not sent yet".to_owned(),
    }
}

/// The video or batch that an event tells of.
fn about(body: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    body["data"]["id"].as_str().unwrap_or_default().to_owned()
}

/// Where it is looked at. `None`: there is no such page.
fn page_of(id: &str) -> Option<String> {
    let (batch, job) = (id.parse::<BatchId>().ok(), id.parse::<JobId>().ok());
    batch.map(|id| format!("/batches/{id}")).or_else(|| job.map(|id| format!("/videos/{id}")))
}

#[component]
fn Delivery(tenant: TenantId, endpoint_id: String, shown: Shown, is_enabled: bool) -> impl IntoView {
    let (delivery, attempts) = shown;
    let attempts = attempts.into_iter().map(|attempt| view! { <Attempt attempt /> }).collect::<Vec<_>>();
    let none = if is_being_sent(delivery.state, delivery.attempts) { "It is being sent." } else { "It was not sent yet." };
    let none = attempts.is_empty().then(|| view! { <p class="empty small">{none}</p> });
    let next = delivery.due_at.map(|at| view! { " Next attempt "<Moment at />"." });
    let title = format!("{}{}", delivery.event, if delivery.is_test { " (test)" } else { "" });
    // A test tells of nothing that happened: another is sent in its place.
    let replay = (is_enabled && !delivery.is_test).then(|| {
        view! {
            <form method="post" action=ReplayWebhook::url() data-stays>
                <TeamField tenant />
                <input type="hidden" name="id" value=endpoint_id />
                <input type="hidden" name="delivery" value=delivery.id.to_string() />
                <button class="button quiet small">"Replay"</button>
            </form>
        }
    });
    view! {
        <section class="card stack" aria-labelledby="delivery">
            <h2 id="delivery">{title}" "<Badge state=delivery.state /></h2>
            <p>"Sent as "<code>{delivery.event_id}</code>", each time."{next}</p>
            {replay}
            <div class="webhook-attempt">
                <h3>"Body"</h3>
                <pre tabindex="0"><code>{delivery.body}</code></pre>
            </div>
            <h3>"Attempts"</h3>
            {none}
            {attempts}
        </section>
    }
}

/// Behind the moment of an attempt.
fn took(ms: u64) -> String {
    if ms == 0 { " in less than 1 ms".to_owned() } else { format!(" after {ms} ms") }
}

#[component]
fn Attempt(attempt: WebhookAttempt) -> impl IntoView {
    let said = match (attempt.status, attempt.error) {
        (Some(status), _) => format!("Answered {status}"),
        (None, Some(error)) => format!("No answer: {error}"),
        (None, None) => "No answer".to_owned(),
    };
    let answer = [attempt.headers, attempt.answer].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    view! {
        <div class="webhook-attempt">
            <p><strong>{format!("{}. {said}", attempt.number)}</strong>" "<Moment at=attempt.at /><span class="hint">{took(attempt.took_ms)}</span></p>
            {(!answer.is_empty()).then(|| view! { <pre tabindex="0"><code>{answer}</code></pre> })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_for_the_first_time_is_not_said_to_be_not_sent() {
        let first = |attempts| answer(None, None, is_being_sent(DeliveryState::Pending, attempts));
        assert_eq!([0, 1].map(first), ["Not sent yet", "Being sent"]);
        assert!(!is_being_sent(DeliveryState::Failed, 1));
        assert_eq!(answer(Some(202), None, true), "202");
        assert_eq!(answer(None, Some("no such host".into()), true), "no such host");
    }

    #[test]
    fn an_event_leads_to_what_it_tells_of() {
        let id = "0190aaaabbbb7ccc8dddeeeeffff0001";
        let pages = [format!("batch_{id}"), format!("job_{id}"), String::new()].map(|id| page_of(&id));
        assert_eq!(pages, [Some(format!("/batches/batch_{id}")), Some(format!("/videos/job_{id}")), None]);
    }
}
