//! How a tenant's requests fare: how many, how many of them were made, how long they took, what they cost, and what of its release rate is used.

use crate::{
    components::{
        frame::Frame,
        numbers::{Asked, Figure, Figures, Outcomes, PhaseClasses, PhaseOverTime, Phases, RANGES, percent, usual_figures},
        table::Table,
    },
    http,
    pages::fault::page,
    session, words,
};
use domain::{
    Actor, Permission, VideoTime,
    billing::{Currency, Money},
    grouped,
};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::numbers::{Count, Dimension, Numbers, NumbersError, Tally};

const PAGE: &str = "/overview";
const LOG: &str = "/requests";
const HEADS: [&str; 6] = ["Model", "Requests", "Success rate", "P50", "P99", "Charged"];

#[component]
pub fn OwnOverviewPage() -> impl IntoView {
    let query = http::query();
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        let get = |name: &str| query.get(name).filter(|_| ["range", "phase"].contains(&name));
        let (wrong, asked) = (Asked::wrong(get), Asked::read(get, services.store.now().await?));
        let numbers = match Box::pin(services.own_numbers(viewer.actor(), asked.range, Some(Dimension::Model))).await {
            Ok(numbers) => Some(numbers),
            Err(NumbersError::TooMuch) => None,
            Err(NumbersError::Forbidden(error)) => return Err(error.into()),
            Err(NumbersError::Store(error)) => return Err(error.into()),
        };
        let release_rate = services.own_release_rate(viewer.actor()).await?;
        let content = match numbers {
            None => view! { <p class="notice" role="alert">"This is too much to be shown at once. Choose a shorter time."</p> }.into_any(),
            Some(numbers) if numbers.total().jobs() == 0 => view! { <Nothing actor=viewer.actor() /> }.into_any(),
            Some(numbers) => view! { <Found numbers asked=asked.clone() release_rate /> }.into_any(),
        };
        let ranges = RANGES.map(|(name, words, _)| view! { <option value=name selected=asked.named == Some(name)>{words}</option> });
        Ok(view! {
            <Frame title="Overview" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Overview"</h1>
                    <p class="lead">"How your requests fare, by when they ended, in UTC. What is shown begins with a whole hour or day: 30 days go back to the day that was 30 days ago. "<a href=LOG>"Requests"</a>" "<a href="/usage">"Usage"</a></p>
                </header>
                <form class="row search" method="get" action=PAGE>
                    <label class="inline">"In "<select name="range" autocomplete="off">{ranges.into_iter().collect_view()}</select></label>
                    <button class="button quiet">"Show"</button>
                </form>
                {wrong.map(|wrong| view! { <p class="notice" role="alert">{wrong}</p> })}
                {content}
            </Frame>
        })
    })
}

/// What one may do about it is offered.
#[component]
fn Nothing(actor: Actor) -> impl IntoView {
    let creates = actor.may(Permission::SubmitJobs).then(|| view! { " "<a href="/create">"Create a video"</a>"." });
    let makes_keys = actor.may(Permission::ManageKeys).then(|| view! { " "<a href="/keys">"Make a key"</a>"." });
    view! { <p class="empty"><span>"No request ended in this time."{creates}{makes_keys}</span></p> }
}

#[component]
fn Found(numbers: Numbers, asked: Asked, release_rate: Option<VideoTime>) -> impl IntoView {
    let total = numbers.total();
    let span_ms = numbers.range.span.ms();
    let links: Vec<_> = numbers
        .by_span(None)
        .into_iter()
        .map(|(start, tally)| (tally.jobs() > 0).then(|| format!("{LOG}?{}", asked.log_query(start, start.plus_ms(span_ms), None))))
        .collect();
    let csv = Some(format!("/numbers.csv?{}", asked.query()));
    let mut figures = usual_figures(&numbers);
    figures.extend([spent(&numbers), charged(&numbers)]);
    figures.extend(release_rate.map(|rate| released(&numbers, rate)));
    view! {
        <Figures figures />
        <section class="stack" aria-labelledby="ends">
            <h2 id="ends">"How requests ended"</h2>
            <Outcomes numbers=numbers.clone() asked=asked.clone() links=links.clone() csv=csv.clone() />
        </section>
        <section class="stack" aria-labelledby="phases">
            <h2 id="phases">"How long they took"</h2>
            <Phases total asked=asked.clone() page=PAGE />
            <PhaseOverTime numbers=numbers.clone() asked=asked.clone() annotations=Vec::new() links csv />
            <PhaseClasses numbers=numbers.clone() phase=asked.phase />
        </section>
        <section class="stack" aria-labelledby="models">
            <h2 id="models">"By model"</h2>
            <Models numbers />
        </section>
    }
}

/// In money, as far as what was used has a price.
fn spent(numbers: &Numbers) -> Figure {
    let paid: Vec<_> = numbers.total().paid.iter().filter_map(money).map(|money| money.to_string()).collect();
    let of = |tally: &Tally| tally.paid.values().next().map(|paid| *paid as f64).or(Some(0.0));
    Figure {
        name: "Spent",
        value: if paid.is_empty() { "—".to_owned() } else { paid.join(" and ") },
        hint: if paid.is_empty() {
            "in money: gifts and what the plan includes cost none".to_owned()
        } else {
            "of credit and overage".to_owned()
        },
        spark: numbers.by_span(None).iter().map(|(_, tally)| of(tally)).collect(),
    }
}

fn money((code, paid): (&String, &i64)) -> Option<Money> {
    let currency: Currency = code.clone().try_into().ok()?;
    Some(Money { thousandths_of_minor: *paid, currency })
}

fn charged(numbers: &Numbers) -> Figure {
    let total = VideoTime::from_ms(numbers.total().count(Count::ChargedMs));
    Figure {
        name: "Charged",
        value: words::video_seconds(total),
        hint: "the price, by length, size and steps".to_owned(),
        spark: numbers.by_span(None).iter().map(|(_, tally)| Some(tally.count(Count::ChargedMs) as f64)).collect(),
    }
}

/// What was made in the span with the most, by what may enter the queue in as long.
fn released(numbers: &Numbers, rate: VideoTime) -> Figure {
    let minutes = numbers.range.span.ms() as f64 / 60_000.0;
    let share = |tally: &Tally| tally.count(Count::MadeMs) as f64 / (rate.ms().max(1) as f64 * minutes);
    let spans: Vec<_> = numbers.by_span(None).iter().map(|(_, tally)| share(tally)).collect();
    let most = spans.iter().copied().fold(0.0, f64::max);
    Figure {
        name: "Release rate used",
        value: percent(most),
        hint: format!("at most, by what was made, of {} a minute", words::video_time(rate)),
        spark: spans.into_iter().map(Some).collect(),
    }
}

#[component]
fn Models(numbers: Numbers) -> impl IntoView {
    let rows = numbers.by_group().into_iter().map(|(model, tally)| {
        let time = |parts| tally.times(service::numbers::Phase::Total).quantile(parts).map_or_else(|| "—".to_owned(), words::duration);
        view! {
            <tr>
                <th scope="row"><code>{model}</code></th>
                <td data-head=HEADS[1] class="number">{grouped(tally.jobs())}</td>
                <td data-head=HEADS[2] class="number">{tally.success_rate().map_or_else(|| "—".to_owned(), percent)}</td>
                <td data-head=HEADS[3] class="number">{time(5000)}</td>
                <td data-head=HEADS[4] class="number">{time(9900)}</td>
                <td data-head=HEADS[5] class="number">{words::video_seconds(VideoTime::from_ms(tally.count(Count::ChargedMs)))}</td>
            </tr>
        }
    });
    view! { <Table label="Requests by model" heads=&HEADS>{rows.collect_view()}</Table> }
}
