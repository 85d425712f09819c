//! Refunds: what a video was charged is given back, as a whole or in part, with a reason that its tenant sees.

use super::ledger::Entries;
use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    pages::fault::{escaped, page},
    session::{self, SaidNotice},
    words,
};
use domain::{JobId, VideoTime};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{
    Asked, Refunded,
    billing::{ChargedJob, Refund, RefundError},
    job::new_idempotency_key,
};

const PAGE: &str = "/admin/refunds";

/// `video_seconds`: empty, all that is still charged. `once` names the refund: sent twice, it is made once.
#[server(prefix = "/api", endpoint = "refund-video")]
pub async fn refund_video(
    job: String,
    #[server(default)] video_seconds: String,
    #[server(default)] reason: String,
    #[server(default)] once: String,
) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let outcome = match refund_of(&job, &video_seconds, &reason, &once) {
        Err(problem) => Err(problem),
        Ok(refund) => {
            let address = http::visitor_address();
            let by = Asked { user: viewer.id, address: &address };
            match session::services().refund(viewer.installation_actor(), Some(by), refund).await {
                Ok(refunded) => Ok(told(refunded)),
                Err(RefundError::Forbidden(error)) => return Err(error.into()),
                Err(RefundError::Store(error)) => return Err(error.into()),
                Err(error) => Err(format!("{}. Nothing was given back.", words::sentence(&error.to_string()))),
            }
        }
    };
    session::say_of_fields(PAGE, Some(viewer.id), "refund", outcome, &[("video_seconds", &video_seconds), ("reason", &reason)]);
    leptos_axum::redirect(&format!("{PAGE}?job={}", escaped(job.trim())));
    Ok(())
}

fn refund_of(job: &str, video_seconds: &str, reason: &str, once: &str) -> Result<Refund, String> {
    let job = job.trim().parse::<JobId>().map_err(|_| "Give the id of a video, such as job_0190… Nothing was given back.")?;
    let amount = match video_seconds.trim() {
        "" => None,
        text => Some(text.parse::<VideoTime>().map_err(|_| "Give video-seconds as a number such as 2 or 0.5. Nothing was given back.")?),
    };
    let is_once = (1..=64).contains(&once.len()) && once.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_once {
        return Err("Load the page again, and send the form once more. Nothing was given back.".to_owned());
    }
    Ok(Refund { job, amount, reason: reason.to_owned(), once: Some(once.to_owned()) })
}

fn told(Refunded { time, expired, credited }: Refunded) -> String {
    if time == VideoTime::default() {
        return "Nothing more is given back: this refund was made before, or nothing is charged.".to_owned();
    }
    let money = credited.map(|money| format!(" The payment processor had been told of it: {money} are credited for the next invoice."));
    let expired = (expired > VideoTime::default()).then(|| {
        format!(
            " {expired} of them were included by another plan or in another month. Of this month they count as far as the plan of now includes as much; of a month that is over nothing is used any more. Look at what the tenant has left, and give credit where it is to have more."
        )
    });
    format!("{} are given back.{}{}", words::video_seconds(time), money.unwrap_or_default(), expired.unwrap_or_default())
}

#[component]
pub fn RefundsPage() -> impl IntoView {
    let typed = http::query().get("job").unwrap_or_default();
    page(async move {
        let viewer = session::require_operator().await?;
        let job = typed.trim().parse::<JobId>().ok();
        let charged = match job {
            Some(job) => session::services().charged_job(viewer.installation_actor(), job).await?,
            None => None,
        };
        let said = session::said(PAGE, Some(viewer.id));
        let is_unknown = charged.is_none() && !typed.trim().is_empty();
        let typed_into = |field| said.field("refund", field).unwrap_or_default();
        let (amount, reason) = (typed_into("video_seconds"), typed_into("reason"));
        Ok(view! {
            <Frame title="Refunds" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Refunds"</h1>
                    <p class="lead">"What a video was charged is given back to what it was paid from. The tenant sees the refund and its reason. Credit is given on the page of "<a href="/admin/tenants">"tenants"</a>"."</p>
                </header>
                <SaidNotice said=&said form="refund" />
                <form class="row search" method="get" action=PAGE role="search">
                    <input type="search" name="job" value=typed.clone() aria-label="Id of a video" placeholder="job_…" autocomplete="off" />
                    <button class="button quiet">"Find"</button>
                </form>
                {is_unknown.then(|| view! { <p class="empty small">"Nothing was ever charged for such a video."</p> })}
                {charged.map(|charged| view! { <Charged charged amount reason /> })}
            </Frame>
        })
    })
}

#[component]
fn Charged(charged: ChargedJob, amount: String, reason: String) -> impl IntoView {
    let ChargedJob { job, tenant_name, charged, refunded, entries, .. } = charged;
    let left = charged.saturating_sub(refunded);
    let is_gone = tenant_name.is_none();
    let name = tenant_name.unwrap_or_else(|| "a tenant that is gone".to_owned());
    view! {
        <section class="stack" aria-labelledby="charge">
            <h2 id="charge">"What it was charged"</h2>
            <p>{words::video_seconds(charged)}" of "<bdi>{name}</bdi>{(refunded > VideoTime::default()).then(|| format!("; {} of them are given back already", words::amount(refunded)))}"."</p>
            {if is_gone {
                view! { <p class="empty small">"To a tenant that is gone nothing can be given back."</p> }.into_any()
            } else if left == VideoTime::default() {
                view! { <p class="empty small">"Nothing is left that could be given back."</p> }.into_any()
            } else {
                view! {
                    <form class="card plan-form" method="post" action=RefundVideo::url() data-stays>
                        <input type="hidden" name="job" value=job.to_string() />
                        <input type="hidden" name="once" value=new_idempotency_key() />
                        <div class="field">
                            <label for="video_seconds">"Video-seconds"</label>
                            <input id="video_seconds" name="video_seconds" inputmode="decimal" value=amount autocomplete="off" aria-describedby="video_seconds-hint" />
                            <p class="hint" id="video_seconds-hint">{format!("At most {}. Empty: all of it.", words::amount(left))}</p>
                        </div>
                        <div class="field">
                            <label for="reason">"Reason"</label>
                            <input id="reason" name="reason" required maxlength="200" value=reason autocomplete="off" aria-describedby="reason-hint" />
                            <p class="hint" id="reason-hint">"As the tenant sees it."</p>
                        </div>
                        <p class="wide"><button class="button">"Refund"</button></p>
                    </form>
                }
                .into_any()
            }}
        </section>
        <section class="stack" aria-labelledby="booked">
            <h2 id="booked">"What was booked for it"</h2>
            <Entries entries />
        </section>
    }
}
