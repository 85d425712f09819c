//! Plans: what each gives, changing one or making another, and how it came to be what it is.

mod typed;

use crate::{
    components::{frame::Frame, moment::Moment, table::Table},
    fault::Fault,
    http,
    pages::fault::page,
    session, words,
};
use domain::{
    VideoTime,
    billing::{Included, Plan},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use serde::{Deserialize, Serialize};
use service::{PlanVersion, billing::PlanChangeError};
use typed::plan_of;

pub use typed::Typed;

const PAGE: &str = "/admin/plans";
const HEADS: [&str; 6] = ["Plan", "Id", "Includes", "A month", "Lane", "Offered"];
const VERSION_HEADS: [&str; 6] = ["Version", "Since", "Includes", "A month", "Lane", "Limits"];

/// What became of a form.
#[derive(Serialize, Deserialize)]
enum Outcome {
    Saved(String),
    Refused { typed: Box<Typed>, problem: String },
}

#[server(prefix = "/api", endpoint = "define-plan")]
pub async fn define_plan(plan: Typed) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let typed = plan;
    let id = typed.id.clone();
    let refuse = |problem: String| {
        let outcome = Outcome::Refused { typed: Box::new(typed.clone()), problem };
        if !session::note(PAGE, &outcome) {
            session::note(PAGE, &Outcome::Refused { typed: Box::default(), problem: "That was more than a plan has room for.".into() });
        }
    };
    let services = session::services();
    let is_taken =
        !typed.is_new.is_empty() && services.plans(viewer.installation_actor()).await?.iter().any(|plan| plan.id == typed.id.trim());
    let catalog = services.catalog().await?;
    let unknown = |plan: &Plan| plan.models.iter().find(|model| catalog.models().iter().all(|known| known.id != **model)).cloned();
    match plan_of(&typed) {
        Err(problem) => refuse(problem),
        Ok(plan) if unknown(&plan).is_some() => refuse(format!("There is no model “{}” here.", unknown(&plan).unwrap_or_default())),
        Ok(_) if is_taken => refuse("There is a plan with this id already: change that one, or take another id.".to_owned()),
        Ok(plan) => match services.define_plan(viewer.installation_actor(), &plan, Some(viewer.id)).await {
            Ok(is_new) => {
                let said = if is_new {
                    "Saved. It holds from the next job on. Who subscribes already keeps the price of a month that was agreed on."
                } else {
                    "Nothing was different."
                };
                session::note(PAGE, &Outcome::Saved(said.to_owned()));
            }
            Err(error @ PlanChangeError::Plan(_)) => refuse(words::mend(&error.to_string()) + "."),
            Err(error @ PlanChangeError::Subscribed) => refuse(words::sentence(&error.to_string())),
            Err(PlanChangeError::Forbidden(error)) => return Err(error.into()),
            Err(PlanChangeError::Store(error)) => return Err(error.into()),
            Err(error) => return Err(Fault::internal(&error)),
        },
    }
    leptos_axum::redirect(&format!("{PAGE}?plan={}#edit", crate::pages::fault::escaped(&id)));
    Ok(())
}

#[component]
pub fn PlansPage() -> impl IntoView {
    let chosen = http::query().get("plan");
    page(async move {
        let viewer = session::require_operator().await?;
        let (services, actor) = (session::services(), viewer.installation_actor());
        let plans = services.plans(actor).await?;
        let default = services.default_plan().await?;
        let outcome: Option<Outcome> = session::noted(PAGE);
        let known = chosen.as_ref().and_then(|chosen| plans.iter().find(|plan| plan.id == *chosen));
        let history = match known {
            Some(plan) => services.plan_history(actor, &plan.id).await?,
            None => Vec::new(),
        };
        let is_known = known.is_some();
        let is_missing = !is_known && outcome.is_none() && chosen.as_ref().is_some_and(|chosen| !chosen.is_empty());
        let (said, typed, problem) = match outcome {
            Some(Outcome::Saved(said)) => (Some(said), None, None),
            Some(Outcome::Refused { typed, problem }) => (None, Some(*typed), Some(problem)),
            None => (None, None, None),
        };
        let typed = typed.or_else(|| known.map(Typed::of)).or_else(|| (chosen.is_some() && !is_missing).then(Typed::fresh));
        let rows = plans.into_iter().map(|plan| view! { <Row is_default=plan.id == default plan /> }).collect_view();
        Ok(view! {
            <Frame title="Plans" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Plans"</h1>
                    <p class="lead">"What tenants may use, and what it costs them. A change holds from the next job on, prices beyond what is included from the next month on."</p>
                </header>
                <Table label="List of plans" heads=&HEADS>{rows}</Table>
                <p class="row"><a class="button quiet" href=format!("{PAGE}?plan=#edit")>"New plan"</a></p>
                {said.map(|said| view! { <p class="notice plain" role="status">{said}</p> })}
                {is_missing.then(|| view! { <p class="notice" role="alert">"There is no such plan."</p> })}
                {typed.map(|typed| view! { <Edit typed problem is_known /> })}
                {(!history.is_empty()).then(|| view! { <History history /> })}
            </Frame>
        })
    })
}

/// A month.
fn includes(included: Included) -> String {
    match included {
        Included::MonthlyMs(time) if time > VideoTime::default() => format!("{} a month", words::video_seconds(time)),
        other => other.to_string(),
    }
}

#[component]
fn Row(plan: Plan, is_default: bool) -> impl IntoView {
    let price = plan.monthly_price().map_or_else(|| "by agreement".to_owned(), |price| price.to_string());
    let edit = format!("{PAGE}?plan={}#edit", plan.id);
    view! {
        <tr>
            <th scope="row"><a href=edit>{plan.name}</a>{is_default.then(|| view! { " "<span class="badge">"New accounts"</span> })}</th>
            <td data-head="Id"><code>{plan.id}</code></td>
            <td data-head="Includes">{includes(plan.included)}</td>
            <td data-head="A month" class="number">{price}</td>
            <td data-head="Lane">{plan.lane.to_string()}</td>
            <td data-head="Offered">{if plan.is_listed { "to all" } else { "no" }}</td>
        </tr>
    }
}

#[component]
fn Edit(typed: Typed, problem: Option<String>, is_known: bool) -> impl IntoView {
    let title = if is_known { format!("Change {}", typed.name) } else { "A new plan".to_owned() };
    let lane = typed.lane.clone();
    view! {
        <section class="stack" aria-labelledby="edit">
            <h2 id="edit">{title}</h2>
            <form class="card plan-form" method="post" action=DefinePlan::url() data-stays>
                {problem.map(|problem| view! { <p class="notice wide" role="alert">{problem}" Nothing was changed."</p> })}
                <input type="hidden" name="plan[is_new]" value=typed.is_new />
                <Text name="id" label="Id" value=typed.id hint="For commands and programs, such as pro." readonly=is_known />
                <Text name="name" label="Name" value=typed.name />
                <Text name="description" label="Description" value=typed.description required=false />
                <Text name="order" label="Order" value=typed.order hint="Plans with lower numbers come first." />
                <Text name="currency" label="Currency" value=typed.currency hint="Its code, such as usd." />
                <Text name="monthly" label="A month’s price" value=typed.monthly required=false hint="Empty: by agreement." />
                <Text name="included" label="Included, in video-minutes a month" value=typed.included hint="Or: unlimited." />
                <Text name="credit" label="Price of credit, a video-minute" value=typed.credit required=false hint="Empty: none can be bought." />
                <Text name="overage" label="Price beyond it, a video-minute" value=typed.overage required=false hint="Empty: no more than is included and bought." />
                <Text name="overage_limit" label="Limit beyond it, in video-minutes a month" value=typed.overage_limit required=false />
                <div class="field">
                    <label for="lane">"Lane"</label>
                    <select id="lane" name="plan[lane]" autocomplete="off">
                        <option value="interactive" selected=lane == "interactive">"interactive"</option>
                        <option value="batch" selected=lane == "batch">"batch"</option>
                    </select>
                </div>
                <Text name="weight" label="Weight" value=typed.weight hint="Shares of the machines beside other tenants." />
                <Text name="open_work" label="Open work, in video-minutes" value=typed.open_work hint="The most that may wait and run at once." />
                <Text name="keys" label="API keys" value=typed.keys />
                <Text name="trial" label="Days of trial" value=typed.trial required=false hint="Before the first month is paid. Empty: none." />
                <Text name="requests" label="Requests a minute" value=typed.requests required=false hint="Of all keys together." />
                <Text name="models" label="Models" value=typed.models required=false hint="Their ids with commas between them. Empty: all." />
                <Text name="retention" label="Days that videos are kept" value=typed.retention required=false hint="After they have ended. Empty: until they are deleted. Fewer days remove what is older within minutes." />
                <Text name="concurrency" label="Videos made at once" value=typed.concurrency required=false hint="Empty: no limit." />
                <Text name="batch" label="Videos of a batch" value=typed.batch required=false hint="Empty: no limit." />
                <Text name="release" label="Release rate, in video-minutes a minute" value=typed.release required=false hint="How fast a batch enters the queue. Empty: at once." />
                <label class="check"><input type="checkbox" name="plan[is_listed]" value="yes" checked=!typed.is_listed.is_empty() autocomplete="off" />"Offered to everybody"</label>
                <p class="wide"><button class="button">"Save"</button></p>
            </form>
        </section>
    }
}

#[component]
fn Text(
    name: &'static str,
    label: &'static str,
    value: String,
    #[prop(optional)] hint: &'static str,
    #[prop(default = true)] required: bool,
    #[prop(optional)] readonly: bool,
) -> impl IntoView {
    let described = (!hint.is_empty()).then(|| format!("{name}-hint"));
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input id=name name=format!("plan[{name}]") value=value required=required readonly=readonly autocomplete="off" aria-describedby=described />
            {(!hint.is_empty()).then(|| view! { <p class="hint" id=format!("{name}-hint")>{hint}</p> })}
        </div>
    }
}

#[component]
fn History(history: Vec<PlanVersion>) -> impl IntoView {
    let rows = history.into_iter().map(|PlanVersion { plan, version, since, .. }| {
        let price = plan.monthly_price().map_or_else(|| "by agreement".to_owned(), |price| price.to_string());
        let since = if since.ms() == 0 { "as shipped".into_any() } else { view! { <Moment at=since /> }.into_any() };
        view! {
            <tr>
                <th scope="row" class="number">{version}</th>
                <td data-head="Since">{since}</td>
                <td data-head="Includes">{includes(plan.included)}</td>
                <td data-head="A month" class="number">{price}</td>
                <td data-head="Lane">{plan.lane.to_string()}</td>
                <td data-head="Limits" class="wraps">{limits_of(&plan)}</td>
            </tr>
        }
    });
    view! {
        <section class="stack" aria-labelledby="history">
            <h2 id="history">"Versions"</h2>
            <Table label="Versions of the plan" heads=&VERSION_HEADS>{rows.collect_view()}</Table>
        </section>
    }
}

/// How long, how many and how fast.
fn limits_of(plan: &Plan) -> String {
    let kept = plan.retention_days.map(|days| format!("Kept for {}", words::count(days.into(), "day", "days")));
    let always = [
        format!("{} of video open", words::video_time(plan.open_work_max_ms)),
        format!("{} keys", domain::grouped(plan.keys_max.into())),
        format!("{} requests a minute", domain::grouped(plan.requests_per_minute.into())),
        format!("weight {}", plan.weight),
    ];
    always.into_iter().chain(kept).chain(crate::components::plan::limits(plan)).collect::<Vec<_>>().join("; ")
}
