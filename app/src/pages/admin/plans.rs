//! Plans: what each gives, changing one or making another, and how it came to be what it is.

use crate::{
    components::{frame::Frame, moment::Moment, table::Table},
    fault::Fault,
    http,
    pages::fault::page,
    session, words,
};
use domain::{
    VideoTime,
    billing::{Currency, Included, Lane, Overage, Plan, REQUESTS_PER_MINUTE_DEFAULT},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use serde::{Deserialize, Serialize};
use service::{PlanVersion, billing::PlanChangeError};

const PAGE: &str = "/admin/plans";
const HEADS: [&str; 6] = ["Plan", "Id", "Includes", "A month", "Lane", "Offered"];
const VERSION_HEADS: [&str; 5] = ["Version", "Since", "Includes", "A month", "Lane"];

/// The fields of a plan as they are typed; lengths in minutes, prices in the currency.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    id: String,
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    is_listed: String,
    #[serde(default)]
    order: String,
    #[serde(default)]
    currency: String,
    #[serde(default)]
    monthly: String,
    #[serde(default)]
    included: String,
    #[serde(default)]
    credit: String,
    #[serde(default)]
    overage: String,
    #[serde(default)]
    overage_limit: String,
    lane: String,
    weight: String,
    open_work: String,
    keys: String,
    #[serde(default)]
    requests: String,
    #[serde(default)]
    models: String,
    /// Not empty: no plan is to be replaced.
    #[serde(default)]
    is_new: String,
}

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
    match plan_of(&typed) {
        Err(problem) => refuse(problem),
        Ok(_) if is_taken => refuse("There is a plan with this id already: change that one, or take another id.".to_owned()),
        Ok(plan) => match services.define_plan(viewer.installation_actor(), &plan, Some(viewer.id)).await {
            Ok(is_new) => {
                let said = if is_new { "Saved. It holds from the next job on." } else { "Nothing was different." };
                session::note(PAGE, &Outcome::Saved(said.to_owned()));
            }
            Err(error @ PlanChangeError::Plan(_)) => refuse(words::mend(&error.to_string()) + "."),
            Err(PlanChangeError::Forbidden(error)) => return Err(error.into()),
            Err(PlanChangeError::Store(error)) => return Err(error.into()),
            Err(error) => return Err(Fault::internal(&error)),
        },
    }
    leptos_axum::redirect(&format!("{PAGE}?plan={}#edit", crate::pages::fault::escaped(&id)));
    Ok(())
}

/// # Errors
/// A sentence about the first field that cannot be read.
fn plan_of(typed: &Typed) -> Result<Plan, String> {
    let currency: Currency = typed.currency.trim().to_owned().try_into().map_err(|error| format!("{error}."))?;
    let money =
        |label: &str, text: &str| optional(text, |text| minor(text, currency).ok_or_else(|| wrong(label, "an amount such as 29 or 0.50")));
    let time = |label: &str, text: &str| minutes(text).ok_or_else(|| wrong(label, "a number of minutes such as 60 or 0.5"));
    let number = |label: &str, text: &str| text.trim().parse::<u32>().map_err(|_| wrong(label, "a whole number"));
    let included = match typed.included.trim() {
        "unlimited" => Included::Unlimited,
        text => Included::MonthlyMs(time("Included", text)?),
    };
    let overage = match money("Price beyond it", &typed.overage)? {
        Some(minor_per_minute) => Some(Overage { minor_per_minute, limit_ms: time("Limit beyond it", &typed.overage_limit)? }),
        None => None,
    };
    Ok(Plan {
        id: typed.id.trim().to_owned(),
        name: typed.name.trim().to_owned(),
        description: typed.description.trim().to_owned(),
        is_listed: !typed.is_listed.is_empty(),
        order: number("Order", &typed.order)?,
        currency,
        monthly_minor: money("A month’s price", &typed.monthly)?,
        included,
        credit_minor_per_minute: money("Price of credit", &typed.credit)?,
        overage,
        lane: Lane::named(&typed.lane).ok_or_else(|| wrong("Lane", "`interactive` or `batch`"))?,
        weight: number("Weight", &typed.weight)?,
        open_work_max_ms: time("Open work", &typed.open_work)?,
        keys_max: number("API keys", &typed.keys)?,
        requests_per_minute: optional(&typed.requests, |text| number("Requests a minute", text))?.unwrap_or(REQUESTS_PER_MINUTE_DEFAULT),
        models: typed.models.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect(),
    })
}

fn wrong(label: &str, wanted: &str) -> String {
    format!("{label}: give {wanted}.")
}

/// Empty: none.
fn optional<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text.trim().is_empty() { Ok(None) } else { read(text.trim()).map(Some) }
}

/// An amount with as many decimals as the currency has, in minor units.
fn minor(text: &str, currency: Currency) -> Option<u32> {
    scaled(text, currency.decimals()).and_then(|minor| u32::try_from(minor).ok())
}

/// Minutes with up to three decimals.
fn minutes(text: &str) -> Option<VideoTime> {
    Some(VideoTime::from_ms(scaled(text.trim(), 3)?.checked_mul(60)?))
}

/// A decimal number times ten to the power of `decimals`.
fn scaled(text: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = !whole.is_empty() && is_digits(whole) && is_digits(fraction) && fraction.len() <= decimals;
    if is_number { format!("{whole}{fraction:0<decimals$}").parse().ok() } else { None }
}

/// The inverse of [`scaled`], without decimals that say nothing.
fn unscaled(number: u64, decimals: usize) -> String {
    let digits = format!("{number:0width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = if fraction.bytes().all(|byte| byte == b'0') { "" } else { fraction };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

impl Typed {
    fn of(plan: &Plan) -> Self {
        let money = |minor: Option<u32>| minor.map(|minor| unscaled(minor.into(), plan.currency.decimals())).unwrap_or_default();
        // A plan of another hand may have lengths that are no thousandth of a minute: rounded to the next.
        let time = |time: VideoTime| unscaled(time.ms().div_ceil(60), 3);
        Self {
            id: plan.id.clone(),
            name: plan.name.clone(),
            description: plan.description.clone(),
            is_listed: if plan.is_listed { "yes".to_owned() } else { String::new() },
            order: plan.order.to_string(),
            currency: plan.currency.code().to_owned(),
            monthly: money(plan.monthly_minor),
            included: if plan.included == Included::Unlimited { "unlimited".to_owned() } else { time(plan.included.monthly()) },
            credit: money(plan.credit_minor_per_minute),
            overage: money(plan.overage.map(|overage| overage.minor_per_minute)),
            overage_limit: plan.overage.map(|overage| time(overage.limit_ms)).unwrap_or_default(),
            lane: plan.lane.as_str().to_owned(),
            weight: plan.weight.to_string(),
            open_work: time(plan.open_work_max_ms),
            keys: plan.keys_max.to_string(),
            requests: plan.requests_per_minute.to_string(),
            models: plan.models.join(", "),
            is_new: String::new(),
        }
    }

    /// Of a plan that is made anew.
    fn fresh() -> Self {
        let text = |text: &str| text.to_owned();
        Self {
            order: text("50"),
            currency: text("usd"),
            included: text("0"),
            lane: text("interactive"),
            weight: text("1"),
            open_work: text("60"),
            keys: text("10"),
            is_new: text("yes"),
            ..Self::default()
        }
    }
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
        let (said, typed, problem) = match outcome {
            Some(Outcome::Saved(said)) => (Some(said), None, None),
            Some(Outcome::Refused { typed, problem }) => (None, Some(*typed), Some(problem)),
            None => (None, None, None),
        };
        let typed = typed.or_else(|| known.map(Typed::of)).or_else(|| chosen.is_some().then(Typed::fresh));
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
                {typed.map(|typed| view! { <Edit typed problem is_known /> })}
                {(!history.is_empty()).then(|| view! { <History history /> })}
            </Frame>
        })
    })
}

#[component]
fn Row(plan: Plan, is_default: bool) -> impl IntoView {
    let price = plan.monthly_price().map_or_else(|| "by agreement".to_owned(), |price| price.to_string());
    let edit = format!("{PAGE}?plan={}#edit", plan.id);
    view! {
        <tr>
            <th scope="row"><a href=edit>{plan.name}</a>{is_default.then(|| view! { " "<span class="badge">"New accounts"</span> })}</th>
            <td data-head="Id"><code>{plan.id}</code></td>
            <td data-head="Includes">{plan.included.to_string()}</td>
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
                <Text name="requests" label="Requests a minute" value=typed.requests required=false hint="Of all keys together." />
                <Text name="models" label="Models" value=typed.models required=false hint="Their ids with commas between them. Empty: all." />
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
                <td data-head="Includes">{plan.included.to_string()}</td>
                <td data-head="A month" class="number">{price}</td>
                <td data-head="Lane">{plan.lane.to_string()}</td>
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_survives_its_form() {
        let plan = domain::billing::testing::plan();
        assert_eq!(plan_of(&Typed::of(&plan)), Ok(plan.clone()));
        let unlimited = Plan { included: Included::Unlimited, overage: None, monthly_minor: None, ..plan };
        assert_eq!(plan_of(&Typed::of(&unlimited)), Ok(unlimited));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let wrong = |change: fn(&mut Typed)| {
            let mut typed = Typed::of(&domain::billing::testing::plan());
            change(&mut typed);
            plan_of(&typed).unwrap_err()
        };
        assert_eq!(wrong(|typed| typed.monthly = "29,00".into()), "A month’s price: give an amount such as 29 or 0.50.");
        assert_eq!(wrong(|typed| typed.included = "-1".into()), "Included: give a number of minutes such as 60 or 0.5.");
        assert_eq!(wrong(|typed| typed.currency = "dollar".into()), "`dollar` is not the code of a currency, such as `usd`.");
        assert_eq!(wrong(|typed| typed.keys = "many".into()), "API keys: give a whole number.");
    }

    #[test]
    fn numbers_with_decimals_are_exact() {
        assert_eq!([scaled("29", 2), scaled("0.5", 2), scaled("1.234", 3)], [Some(2900), Some(50), Some(1234)]);
        assert_eq!([scaled("1.234", 2), scaled(".5", 2), scaled("1e3", 2), scaled("", 2)], [None; 4]);
        assert_eq!([unscaled(2900, 2), unscaled(50, 2), unscaled(1234, 3), unscaled(0, 0)], ["29", "0.50", "1.234", "0"]);
    }
}
