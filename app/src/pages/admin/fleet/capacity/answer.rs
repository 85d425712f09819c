//! What the planner says: the numbers, the waits by how full the fleet is, what begins in time, and when a worker is worth keeping warm.

use crate::{
    components::{
        chart::{Lines, Marked, Missing, Series, Unit},
        table::Table,
    },
    words,
};
use domain::{
    billing::Money,
    scheduling::fleet::{BreakEven, CapacityPlan, WaitPoint},
};
use leptos::prelude::*;
use service::operator::capacity::{
    BegunAt, CapacityAnswer, LiveCapacity, NotSimulated, SIMULATED_JOBS, SIMULATED_WORKERS_MAX, SimulatedWaits,
};

/// Where the curve is told, in hundredths of the workers' time.
const FROM: u32 = 5;
const TO: u32 = 95;
const STEP: u32 = 5;
const BEGUN_HEADS: [&str; 6] = ["Filled", "By", "Within 10 s", "Within 1 min", "Within 5 min", "Within 15 min"];
/// From then on waits are told in minutes.
const MINUTES_FROM_S: f64 = 600.0;
/// From then on hours of a day are told as all of it.
const WHOLE_DAY_FROM: f64 = 23.95;
/// From then on a utilisation is told in times, not in hundredths.
const TIMES_FROM: f64 = 10.0;

#[component]
pub fn Answer(answer: CapacityAnswer, live: LiveCapacity) -> impl IntoView {
    let break_even = answer.break_even.clone();
    let begun = answer.begun.clone();
    view! {
        <section class="stack" aria-labelledby="numbers">
            <h2 id="numbers">"This fleet with this work"</h2>
            {numbers(&answer.plan, answer.knee_permille)}
            {(answer.plan.utilisation >= 1.0).then(|| view! {
                <p class="notice" role="alert">"More comes than the fleet makes: the queue grows for ever. Plan more workers, or less work."</p>
            })}
        </section>
        <section class="stack" aria-labelledby="waits">
            <h2 id="waits">"Waits"</h2>
            {curve(&answer, &live)}
            <p class="hint">{about_simulator(answer.simulated.len(), answer.not_simulated)}</p>
        </section>
        <section class="stack" aria-labelledby="in-time">
            <h2 id="in-time">"What begins in time"</h2>
            <Begun begun />
        </section>
        <section class="stack" aria-labelledby="one-more">
            <h2 id="one-more">"One more worker: kept warm, or on demand"</h2>
            {match break_even {
                Some(compared) => costs(&compared),
                None => view! { <p class="empty small">"Give the price of an hour of the devices to compare them."</p> }.into_any(),
            }}
        </section>
    }
}

fn numbers(plan: &CapacityPlan, knee_permille: u64) -> impl IntoView + use<> {
    let knee = knee_permille as f64 / 1000.0;
    let minutes_per_hour = plan.knee_video_minutes_per_day / 24.0 / plan.knee.max(f64::MIN_POSITIVE) * knee;
    let waits = |of: fn(&WaitPoint) -> f64| plan.waits.as_ref().map_or_else(|| "for ever".to_owned(), |waits| wait(of(waits)));
    let cost = |cost: Option<Money>| cost.map_or_else(|| "no price".to_owned(), |cost| in_cents(cost).to_string());
    let workers = words::count(plan.station.workers.into(), "worker", "workers");
    let of = if plan.utilisation < TIMES_FROM { "of " } else { "" };
    let figures = [
        ("Filled", percent(plan.utilisation), format!("{of}the time of {workers}")),
        ("Wait, P50", waits(|waits| waits.p50_ms), "by the formula".to_owned()),
        ("Wait, P95", waits(|waits| waits.p95_ms), "by the formula".to_owned()),
        (
            "Filled to the knee",
            format!("{minutes_per_hour:.1}"),
            format!(
                "video-minutes an hour, at {} filled. At {} or less, 95 of 100 jobs wait no longer than a job takes on average",
                percent(knee),
                percent(plan.knee)
            ),
        ),
        ("A video-minute", cost(plan.cost_per_video_minute), "with the time in which workers idle".to_owned()),
        ("A day", cost(plan.cost_per_day), "of all workers".to_owned()),
    ];
    let figures = figures.map(|(name, value, what)| {
        view! { <div class="card"><dt>{name}</dt><dd><strong class="figure">{value}</strong><span class="hint">" "{what}</span></dd></div> }
    });
    view! { <dl class="numbers">{figures.collect_view()}</dl> }
}

fn curve(answer: &CapacityAnswer, live: &LiveCapacity) -> AnyView {
    let places: Vec<u32> = (FROM..=TO).step_by(STEP as usize).collect();
    let formula = |of: fn(&WaitPoint) -> f64| -> Vec<Option<f64>> {
        places.iter().map(|percent| answer.at(*percent).map(|waits| of(&waits) / 1000.0)).collect()
    };
    let simulated = |of: fn(&SimulatedWaits) -> f64| -> Vec<Option<f64>> {
        let at = |percent: &u32| answer.simulated.iter().find(|waits| (waits.utilisation * 100.0).round() == f64::from(*percent));
        places.iter().map(|percent| at(percent).map(|waits| of(waits) / 1000.0)).collect()
    };
    let mut lines = vec![
        Series { name: "P50, formula".into(), values: formula(|waits| waits.p50_ms) },
        Series { name: "P95, formula".into(), values: formula(|waits| waits.p95_ms) },
        Series { name: "P50, simulator".into(), values: simulated(|waits| waits.p50_ms) },
        Series { name: "P95, simulator".into(), values: simulated(|waits| waits.p95_ms) },
    ];
    let highest = lines.iter().flat_map(|line| line.values.iter().flatten()).copied().fold(0.0, f64::max);
    let (unit, divisor) = if highest > MINUTES_FROM_S {
        (Unit { name: "minutes", step_min: 0.1 }, 60.0)
    } else {
        (Unit { name: "seconds", step_min: 0.1 }, 1.0)
    };
    lines.iter_mut().for_each(|line| line.values.iter_mut().flatten().for_each(|value| *value /= divisor));
    let marked = marks(answer, live, divisor);
    let summary = summary(&answer.plan, live, answer.knee_permille);
    let labels = places.iter().map(|percent| format!("{percent} %")).collect();
    view! {
        <Lines
            id="wait-curve"
            title="How long jobs wait by how full the workers are"
            summary
            unit
            axis="Of the workers’ time, filled"
            labels
            series=lines
            marked
            top_max=(highest / divisor).max(0.1)
            missing=Missing::Line
        />
    }
    .into_any()
}

/// The knee, what is planned, and what is live.
fn marks(answer: &CapacityAnswer, live: &LiveCapacity, divisor: f64) -> Vec<Marked> {
    let knee = answer.knee_permille as f64 / 1000.0;
    let mut marks = vec![Marked { name: format!("Knee, {}", percent(knee)), at: place(knee), values: Vec::new() }];
    if let Some(utilisation) = live.utilisation {
        let values = live.waited.iter().flat_map(|waited| [waited.p50_ms, waited.p95_ms]).map(|ms| ms as f64 / 1000.0 / divisor);
        let waited = live.waited.map_or_else(String::new, |waited| {
            format!(", waits {} and {}", words::duration(waited.p50_ms), words::duration(waited.p95_ms))
        });
        marks.push(Marked { name: format!("Now, {}{waited}", percent(utilisation)), at: place(utilisation), values: values.collect() });
    }
    if live.utilisation.is_none_or(|utilisation| (utilisation - answer.plan.utilisation).abs() > 0.005) {
        let utilisation = answer.plan.utilisation;
        marks.push(Marked { name: format!("As planned here, {}", percent(utilisation)), at: place(utilisation), values: Vec::new() });
    }
    marks
}

/// Where a utilisation lies among the labels, at the edge where it lies beyond them.
fn place(utilisation: f64) -> f64 {
    let last = f64::from((TO - FROM) / STEP);
    ((utilisation * 100.0 - f64::from(FROM)) / f64::from(STEP)).clamp(-0.5, last + 0.5)
}

fn summary(plan: &CapacityPlan, live: &LiveCapacity, knee_permille: u64) -> String {
    let at = |utilisation: f64| {
        plan.station
            .waits(utilisation)
            .map_or_else(|| "for ever".to_owned(), |waits| format!("{} at P50 and {} at P95", wait(waits.p50_ms), wait(waits.p95_ms)))
    };
    let knee = knee_permille as f64 / 1000.0;
    let now = match (live.utilisation, live.waited) {
        (Some(part), Some(waited)) => format!(
            " Now {} is filled, and the {} of the last hour waited {} at P50 and {} at P95.",
            percent(part),
            words::jobs(waited.jobs),
            words::duration(waited.p50_ms),
            words::duration(waited.p95_ms)
        ),
        (Some(part), None) => format!(" Now {} is filled, and no job was finished in the last hour.", percent(part)),
        (None, _) => " Now no worker takes jobs.".to_owned(),
    };
    format!("By the formula jobs wait {} where {} is filled, and {} at 95 %.{now}", at(knee), percent(knee), at(0.95))
}

/// `loads`: at so many there is something simulated.
fn about_simulator(loads: usize, why_not: Option<NotSimulated>) -> String {
    let formula = "These are waits until a worker begins a job, not until it is done. The formula (M/G/c) has each worker take one job at once and all jobs in one line.";
    let simulator = match why_not {
        None => format!(
            "The simulator runs the rules of the live queue, with lanes, shares and slots, over {} jobs at each of {} loads. Where a worker takes several at once, it begins them sooner, and each takes longer: go by the simulator for when jobs begin, and by the formula for about how much later they are done than a job that is alone.",
            domain::grouped(SIMULATED_JOBS as u64),
            loads
        ),
        Some(NotSimulated::TooManyWorkers) => format!("More than {SIMULATED_WORKERS_MAX} workers are not simulated."),
        Some(NotSimulated::Busy) => "Something else is simulated just now: load the page again in a moment.".to_owned(),
        Some(NotSimulated::TooSlow) => "The simulator did not come to an end in time: load the page again in a moment.".to_owned(),
    };
    format!(
        "{formula} {simulator} In both, jobs come one by one at random: where many come at once, as with a batch, they wait longer, so what is marked as now may lie above both."
    )
}

#[component]
fn Begun(begun: Vec<BegunAt>) -> impl IntoView {
    let rows = begun.into_iter().map(|at| {
        let formula = row(at.utilisation, "Formula", at.formula);
        let simulated = at.simulated.map(|simulated| row(at.utilisation, "Simulator", Some(simulated)));
        view! { {formula}{simulated} }
    });
    view! { <Table label="Jobs that begin in time, by how full the workers are" heads=&BEGUN_HEADS>{rows.collect_view()}</Table> }
}

fn row(utilisation: f64, by: &'static str, parts: Option<[f64; 4]>) -> impl IntoView + use<> {
    let cells = (0..4).map(|at| {
        let text = parts.map_or_else(|| "—".to_owned(), |parts| format!("{:.1} %", parts[at] * 100.0));
        view! { <td data-head=BEGUN_HEADS[at + 2] class="number">{text}</td> }
    });
    view! { <tr><th scope="row" class="number">{percent(utilisation)}</th><td data-head=BEGUN_HEADS[1]>{by}</td>{cells.collect_view()}</tr> }
}

fn costs(compared: &BreakEven) -> AnyView {
    let line = |name: &'static str, of: fn(&domain::scheduling::fleet::CostPoint) -> Money| Series {
        name: name.into(),
        values: compared.points.iter().map(|point| Some(amount(of(point)))).collect(),
    };
    let code = compared.points.first().map(|point| point.reserved.currency.code().to_ascii_uppercase()).unwrap_or_default();
    let summary = format!("In {code}. {}", cheaper(compared.hours_per_day));
    let marked = compared.hours_per_day.map(|hours| Marked { name: format!("Break-even, {hours:.1} h"), at: hours, values: Vec::new() });
    view! {
        <Lines
            id="break-even"
            title="What one worker costs a day by the hours that it works"
            summary
            unit=Unit { name: "cost of a day", step_min: 0.01 }
            axis="Hours of work a day"
            labels=compared.points.iter().map(|point| point.hours_per_day.to_string()).collect()
            series=vec![line("Kept warm", |point| point.reserved), line("On demand", |point| point.on_demand)]
            marked=marked.into_iter().collect()
        />
    }
    .into_any()
}

/// `hours_per_day`: from how long a day on it is worth it to keep a worker warm. `None`: not even where it works all day.
fn cheaper(hours_per_day: Option<f64>) -> String {
    match hours_per_day {
        Some(hours) if hours < WHOLE_DAY_FROM => format!(
            "From {hours:.1} hours of work a day on, a worker that is kept warm costs less than one that is started when it is needed."
        ),
        Some(_) => {
            "A worker that is started when it is needed costs less, unless it works all day: then both cost about the same.".to_owned()
        }
        None => "A worker that is started when it is needed costs less however long it works.".to_owned(),
    }
}

/// In the currency, not in its minor unit.
fn amount(money: Money) -> f64 {
    money.thousandths_of_minor as f64 / 1000.0 / 10_f64.powi(money.currency.decimals() as i32)
}

/// What is a unit of the currency or more, to its minor unit.
fn in_cents(money: Money) -> Money {
    let is_large = amount(money) >= 1.0;
    Money {
        thousandths_of_minor: if is_large { (money.thousandths_of_minor + 500) / 1000 * 1000 } else { money.thousandths_of_minor },
        ..money
    }
}

/// Milliseconds.
fn wait(ms: f64) -> String {
    words::duration(ms.max(0.0).round() as u64)
}

fn percent(part: f64) -> String {
    if part < TIMES_FROM { format!("{:.0} %", part * 100.0) } else { format!("{} times", domain::grouped(part.round() as u64)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Timestamp, billing::Currency, scheduling::fleet::Station};
    use service::operator::capacity::CapacityQuestion;

    #[test]
    fn the_lines_of_the_simulator_go_through_the_loads_that_were_simulated() {
        let plan = CapacityPlan {
            station: Station { workers: 2, service_ms: 1000.0, service_scv: 0.0 },
            utilisation: 0.5,
            waits: None,
            knee: 0.8,
            knee_video_minutes_per_day: 1.0,
            curve: Vec::new(),
            sla: Vec::new(),
            release_rate: None,
            cost_per_day: None,
            cost_per_video_minute: None,
        };
        let at =
            |utilisation| SimulatedWaits { utilisation, jobs: 1, mean_ms: 1.0, p50_ms: 1000.0, p95_ms: 2000.0, begun_within: [1.0; 4] };
        let simulated = [0.5, 0.7].map(at).into();
        let answer = CapacityAnswer { plan, knee_permille: 800, simulated, not_simulated: None, begun: Vec::new(), break_even: None };
        let question = CapacityQuestion {
            fleet: Vec::new(),
            mix: Vec::new(),
            video_minutes_per_hour: 1.0,
            batch_percent: 0.0,
            batch_tenants: 0,
            slots: 1,
            on_demand_per_hour: None,
            cold_start_s: 1.0,
            cold_starts_per_day: 1,
        };
        let live = LiveCapacity { question, at: Timestamp::from_ms(0), utilisation: None, waited: None, guesses: Vec::new() };
        let html = curve(&answer, &live).to_html();
        let mut paths = html.split("d=\"").filter_map(|drawn| drawn.split_once("\" class=\"chart-line third\""));
        assert!(paths.any(|(path, _)| path.starts_with("M50.00 ") && path.contains("L71.05 ")), "{html}");
    }

    #[test]
    fn a_utilisation_has_its_place_on_the_axis_and_what_is_beyond_lies_at_its_edge() {
        assert_eq!([0.05, 0.8, 0.925, 0.0, 3.0].map(place), [0.0, 15.0, 17.5, -0.5, 18.5]);
        assert_eq!([0.8, 5.0, 5166.67].map(percent), ["80 %", "500 %", "5,167 times"]);
    }

    #[test]
    fn money_is_told_in_what_can_be_read() {
        let money = |thousandths_of_minor| Money { thousandths_of_minor, currency: Currency::USD };
        assert_eq!([12_345_678, 41_667].map(|thousandths| in_cents(money(thousandths)).to_string()), ["$123.46", "$0.41667"]);
        assert!((amount(money(250_000)) - 2.5).abs() < 1e-9);
    }

    #[test]
    fn a_worker_is_not_said_to_be_worth_keeping_from_the_end_of_a_day_on() {
        assert!(cheaper(Some(9.0)).starts_with("From 9.0 hours of work a day on, a worker that is kept warm costs less"));
        for hours in [23.96, 24.0] {
            assert!(cheaper(Some(hours)).contains("costs less, unless it works all day"), "{hours}");
        }
        assert!(cheaper(None).ends_with("costs less however long it works."));
    }

    #[test]
    fn why_nothing_was_simulated_is_said() {
        let told = [NotSimulated::TooManyWorkers, NotSimulated::Busy, NotSimulated::TooSlow].map(|why| about_simulator(0, Some(why)));
        assert!(told[0].contains("200") && told[1].contains("just now") && told[2].contains("in time"), "{told:?}");
    }
}
