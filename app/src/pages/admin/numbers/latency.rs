//! How long jobs take in each phase, how they end, and what waits and works meanwhile: over any time, told apart by what is asked for.

use super::load::{Depth, Utilisation};
use crate::{
    components::{
        frame::Frame,
        margins::{CostOf, Margins},
        moment::{Moment, Zones, iso_day},
        numbers::{Asked, Figure, Figures, Outcomes, PhaseClasses, PhaseOverTime, Phases, RANGES, percent, phase_name, usual_figures},
        table::Table,
    },
    http,
    pages::{admin::section::empty, fault::page},
    session, words,
};
use domain::{FailureCode, billing::Lane, grouped};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::numbers::{
    Annotation, AnnotationKind, Count, Dimension, GaugeRow, InstallationNumbers, Numbers, NumbersError, Phase, Span, Tally,
};
use std::collections::HashMap;

const PAGE: &str = "/admin/latency";
const LOG: &str = "/admin/requests";
const GROUP_HEADS: [&str; 8] = ["", "Requests", "Success rate", "P50", "P95", "P99", "Cold starts", "Batch fill"];
const FAILURE_HEADS: [&str; 2] = ["Why", "Requests"];
const ANNOTATION_HEADS: [&str; 3] = ["When", "What", "Kind"];
const NONE: &str = "No request ended in this time.";
const NONE_LIKE_THAT: &str =
    "No request ended in this time. Those alone are counted that fit the choices above: a name that nothing has fits none.";
/// Groups that are told one by one.
const GROUPS_SHOWN: usize = 50;

#[component]
pub fn LatencyPage() -> impl IntoView {
    let query = http::query();
    page(async move {
        let viewer = session::require_operator().await?;
        let services = session::services();
        let get = |name: &str| query.get(name);
        let (wrong, asked) = (Asked::wrong(get), Asked::read(get, services.store.now().await?));
        let actor = viewer.installation_actor();
        let found = match Box::pin(services.installation_numbers(actor, asked.tallies())).await {
            Ok(found) => Some((found, Box::pin(services.installation_gauges(actor, &asked.tallies())).await?)),
            Err(NumbersError::TooMuch) => None,
            Err(NumbersError::Forbidden(error)) => return Err(error.into()),
            Err(NumbersError::Store(error)) => return Err(error.into()),
        };
        let (is_too_long, wrong_tenant) = (asked.is_too_long, asked.wrong_tenant.is_some());
        let content = match found {
            _ if wrong_tenant => {
                view! { <p class="notice" role="alert">"Give the id of a tenant, such as tenant_0190…"</p> }.into_any()
            }
            Some((found, gauges)) => view! { <Found found gauges asked=asked.clone() /> }.into_any(),
            None => view! {
                <p class="notice" role="alert">"This is too much to be shown at once. Choose a shorter time, or something else to tell apart."</p>
            }
            .into_any(),
        };
        Ok(view! {
            <Frame title="Latency and load" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Latency and load"</h1>
                    <p class="lead">"Of requests by when they ended, in UTC. What is deleted stays counted, and a job that failed and was tried once more counts by each of its ends. Percentiles are within 1 % of the exact ones."</p>
                </header>
                {is_too_long.then(|| view! { <p class="notice" role="alert">"These days are more than can be told at once, which is 400. Below are the last 24 hours."</p> })}
                {wrong.map(|wrong| view! { <p class="notice" role="alert">{wrong}</p> })}
                <Choices asked />
                {content}
            </Frame>
        })
    })
}

#[component]
fn Choices(asked: Asked) -> impl IntoView {
    let ranges = RANGES.map(|(name, words, _)| view! { <option value=name selected=asked.named == Some(name)>{words}</option> });
    let groups = Dimension::ALL.map(|by| view! { <option value=by.as_str() selected=asked.by == Some(by)>{dimension_name(by)}</option> });
    let phases =
        Phase::IN_ORDER.map(|phase| view! { <option value=phase.as_str() selected=asked.phase == phase>{phase_name(phase)}</option> });
    let lanes = [Lane::Interactive, Lane::Batch]
        .map(|lane| view! { <option value=lane.as_str() selected=asked.lane == Some(lane)>{lane.as_str()}</option> });
    let tenant = asked.tenant.map(|tenant| tenant.to_string()).or(asked.wrong_tenant);
    let days = asked.named.is_none().then(|| {
        let (from, until) = (iso_day(asked.range.from), iso_day(asked.range.until.plus_ms(-1)));
        view! { <input type="hidden" name="from" value=from /><input type="hidden" name="until" value=until /> }
    });
    view! {
        <form class="row search" method="get" action=PAGE role="search" aria-label="Numbers">
            {days}
            <label class="inline">"In "<select name="range" autocomplete="off">
                {asked.named.is_none().then(|| view! { <option value="" selected>"these days"</option> })}
                {ranges.into_iter().collect_view()}
            </select></label>
            <label class="inline">"of "<select name="phase" autocomplete="off">{phases.into_iter().collect_view()}</select></label>
            <label class="inline">"by "<select name="by" autocomplete="off"><option value="">"nothing"</option>{groups.into_iter().collect_view()}</select></label>
            <input name="model" value=asked.model aria-label="Model" placeholder="Every model" autocomplete="off" />
            <select name="lane" aria-label="Lane" autocomplete="off"><option value="">"Every lane"</option>{lanes.into_iter().collect_view()}</select>
            <input name="device" value=asked.device aria-label="Kind of device" placeholder="Every device" autocomplete="off" />
            <input name="tenant" value=tenant aria-label="Id of a tenant" placeholder="Every tenant, or an id" autocomplete="off" />
            <button class="button quiet">"Show"</button>
            <a class="button quiet" href=PAGE>"Everything"</a>
        </form>
    }
}

const fn span_name(span: Span) -> &'static str {
    match span {
        Span::Minute => "minute",
        Span::Hour => "hour",
        Span::Day => "day",
    }
}

const fn dimension_name(by: Dimension) -> &'static str {
    match by {
        Dimension::Model => "model",
        Dimension::Lane => "lane",
        Dimension::Device => "kind of device",
        Dimension::Tenant => "tenant",
    }
}

#[component]
fn Found(
    found: InstallationNumbers,
    /// `None`: they are too many to be told at once.
    gauges: Option<Vec<GaugeRow>>,
    asked: Asked,
) -> impl IntoView {
    let InstallationNumbers { numbers, annotations, tenant_names, margins, currency, is_priced } = found;
    let margins: Vec<_> = margins.into_iter().map(|(start, margin)| (asked.label(start), margin)).collect();
    let (axis, each) = (asked.axis(), span_name(numbers.range.span));
    let total = numbers.total();
    let links = links(&numbers, &asked);
    let csv = Some(format!("/admin/numbers.csv?{}", asked.query()));
    let groups = asked.by.map(|by| view! { <Groups numbers=numbers.clone() asked=asked.clone() by tenant_names /> });
    let jobs = if total.jobs() == 0 {
        empty(if asked.is_narrowed() { NONE_LIKE_THAT } else { NONE })
    } else {
        view! {
            <Figures figures=figures(&numbers) />
            <section class="stack" aria-labelledby="phases">
                <h2 id="phases">"Phases"</h2>
                <p class="hint">"Of requests that were made. Times that were not kept when they ended are left out."</p>
                <Phases total=total.clone() asked=asked.clone() page=PAGE />
                <PhaseOverTime numbers=numbers.clone() asked=asked.clone() annotations=annotations.clone() links=links.clone() csv />
                <PhaseClasses numbers=numbers.clone() phase=asked.phase />
            </section>
            {groups}
            <section class="stack" aria-labelledby="ends">
                <h2 id="ends">"How requests ended"</h2>
                <Outcomes numbers=numbers.clone() asked=asked.clone() links />
                <Failures total=total.clone() asked=asked.clone() />
            </section>
            <section class="stack" aria-labelledby="worth">
                <h2 id="worth">"Cost and margin"</h2>
                <p class="hint">"What videos that were made took of devices, and what requests brought in that have a price of their own: what is paid for plans is not in it. Where nothing was made, the cost of what was charged is not known. With plans, and what devices idled, by the day: "<a href="/admin/costs">"Costs"</a></p>
                <Margins margins axis each of=CostOf::Work currency is_priced />
            </section>
        }
        .into_any()
    };
    let load = match gauges {
        Some(gauges) => view! {
            <Utilisation range=numbers.range gauges=gauges.clone() asked=asked.clone() />
            <Depth range=numbers.range gauges asked />
        }
        .into_any(),
        None => empty("More was seen than can be told at once. Choose a shorter time, or one model or kind of device."),
    };
    view! {
        {jobs}
        <section class="stack" aria-labelledby="load">
            <h2 id="load">"Load"</h2>
            {load}
        </section>
        <Happened annotations />
    }
}

/// Where the jobs are listed that ended in each span.
fn links(numbers: &Numbers, asked: &Asked) -> Vec<Option<String>> {
    let span_ms = numbers.range.span.ms();
    let spans = numbers.by_span(None).into_iter();
    spans
        .map(|(start, tally)| (tally.jobs() > 0).then(|| format!("{LOG}?{}", asked.log_query(start, start.plus_ms(span_ms), None))))
        .collect()
}

fn figures(numbers: &Numbers) -> Vec<Figure> {
    let (total, spans) = (numbers.total(), numbers.by_span(None));
    let mut figures = usual_figures(numbers);
    figures.push(Figure {
        name: "Cold starts",
        value: total.cold_rate().map_or_else(|| "—".to_owned(), percent),
        hint: format!("of the requests made, {} waited for weights", grouped(total.count(Count::Cold))),
        spark: spans.iter().map(|(_, tally)| tally.cold_rate()).collect(),
    });
    figures.push(Figure {
        name: "Batch fill",
        value: total.batch_fill().map_or_else(|| "—".to_owned(), |fill| format!("{fill:.1}")),
        hint: "samples shared a device on average".to_owned(),
        spark: spans.iter().map(|(_, tally)| tally.batch_fill()).collect(),
    });
    figures
}

#[component]
fn Groups(numbers: Numbers, asked: Asked, by: Dimension, tenant_names: HashMap<String, String>) -> impl IntoView {
    let groups = numbers.by_group();
    let left_out = groups.len().saturating_sub(GROUPS_SHOWN);
    let rows = groups.into_iter().take(GROUPS_SHOWN).map(|(group, tally)| {
        let name = match by {
            Dimension::Tenant => tenant_names.get(&group).cloned().unwrap_or_else(|| "gone".to_owned()),
            Dimension::Device if group.is_empty() => "not known".to_owned(),
            _ => group.clone(),
        };
        let href = format!("{PAGE}?{}", asked.of_group(&group).query());
        let time = |parts| tally.times(asked.phase).quantile(parts).map_or_else(|| "—".to_owned(), words::duration);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "—".to_owned());
        view! {
            <tr>
                <th scope="row" class="wraps">{if group.is_empty() { name.into_any() } else { view! { <a href=href dir="auto">{name}</a> }.into_any() }}</th>
                <td data-head=GROUP_HEADS[1] class="number">{grouped(tally.jobs())}</td>
                <td data-head=GROUP_HEADS[2] class="number">{or_dash(tally.success_rate().map(percent))}</td>
                <td data-head=GROUP_HEADS[3] class="number">{time(5000)}</td>
                <td data-head=GROUP_HEADS[4] class="number">{time(9500)}</td>
                <td data-head=GROUP_HEADS[5] class="number">{time(9900)}</td>
                <td data-head=GROUP_HEADS[6] class="number">{or_dash(tally.cold_rate().map(percent))}</td>
                <td data-head=GROUP_HEADS[7] class="number">{or_dash(tally.batch_fill().map(|fill| format!("{fill:.1}")))}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <section class="stack" aria-labelledby="groups">
            <h2 id="groups">{format!("By {}", dimension_name(by))}</h2>
            <p class="hint">{format!("Percentiles are those of “{}”.", phase_name(asked.phase))}</p>
            <Table label="Numbers by group" heads=&GROUP_HEADS>{rows}</Table>
            {(left_out > 0).then(|| view! { <p class="hint">{format!("{} more with fewer requests.", grouped(left_out as u64))}</p> })}
        </section>
    }
}

/// Why requests failed, the most frequent first, each with the way to them.
#[component]
fn Failures(total: Tally, asked: Asked) -> impl IntoView {
    if total.failures.is_empty() {
        return empty("None failed.");
    }
    let mut failures: Vec<_> = total.failures.into_iter().collect();
    failures.sort_by_key(|(_, jobs)| std::cmp::Reverse(*jobs));
    let rows = failures.into_iter().map(move |(code, jobs)| {
        let href = format!("{LOG}?{}&failure={code}", asked.log_query(asked.range.from, asked.range.until, None));
        let name = if code.parse::<FailureCode>().is_ok() {
            view! { <a href=href><code>{code}</code></a> }.into_any()
        } else {
            view! { <code>{code}</code> }.into_any()
        };
        view! { <tr><th scope="row">{name}</th><td data-head=FAILURE_HEADS[1] class="number">{grouped(jobs)}</td></tr> }
    });
    view! { <Table label="Failures by reason" heads=&FAILURE_HEADS>{rows.collect_view()}</Table> }.into_any()
}

/// What charts are read with.
#[component]
fn Happened(annotations: Vec<Annotation>) -> impl IntoView {
    let rows = annotations.into_iter().rev().map(|Annotation { at, kind, what }| {
        let kind = match kind {
            AnnotationKind::Version => "deploy",
            AnnotationKind::Plan => "plan",
            AnnotationKind::Scaling => "scaling",
            AnnotationKind::Alert => "alert",
        };
        view! { <tr><th scope="row"><Moment at /></th><td data-head=ANNOTATION_HEADS[1] class="wraps">{words::sentence(&what)}</td><td data-head=ANNOTATION_HEADS[2]>{kind}</td></tr> }
    });
    let rows: Vec<_> = rows.collect();
    let table = if rows.is_empty() {
        empty("No deploy, no change of a plan, and no worker started or drained in this time.")
    } else {
        view! { <Table label="Changes of plans, versions and the fleet" heads=&ANNOTATION_HEADS>{rows.collect_view()}</Table> }.into_any()
    };
    view! {
        <section class="stack" aria-labelledby="happened">
            <h2 id="happened">"What happened meanwhile"</h2>
            <Zones />
            {table}
        </section>
    }
}
