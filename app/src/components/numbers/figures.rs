//! What is shown of a tally: figures with how they came about, percentiles of phases, and lines over time.

use super::Asked;
use crate::{
    components::{
        chart::{Distribution, Lines, Marked, Series, Spark, Unit},
        table::Table,
    },
    words,
};
use domain::grouped;
use leptos::prelude::*;
use service::{
    LATENCY_BOUNDS_MS,
    numbers::{Annotation, AnnotationKind, Count, Numbers, Phase, Range, Tally},
};

const JOBS: Unit = Unit { name: "jobs", step_min: 1.0 };
const SECONDS: Unit = Unit { name: "seconds", step_min: 0.0 };
/// In parts of ten thousand.
pub const PERCENTILES: [(&str, u32); 5] = [("P50", 5000), ("P90", 9000), ("P95", 9500), ("P99", 9900), ("P99.9", 9990)];
const PHASE_HEADS: [&str; 7] = ["Phase", "Videos", "P50", "P90", "P95", "P99", "P99.9"];
/// More marks on one axis cannot be told apart.
const MARKS_MAX: usize = 2;
/// A change that is smaller says nothing: the times that are compared are as long as each other within this part.
const CHANGE_MIN: f64 = 0.01;
/// One that is greater is no longer read as a part of a hundred.
const CHANGE_MAX: f64 = 9.99;

/// A number with what it was before, and how it came about.
pub struct Figure {
    pub name: &'static str,
    pub value: String,
    pub hint: String,
    pub spark: Vec<Option<f64>>,
}

#[component]
pub fn Figures(figures: Vec<Figure>) -> impl IntoView {
    let figures = figures.into_iter().map(|Figure { name, value, hint, spark }| {
        view! {
            <div class="card">
                <dt>{name}</dt>
                <dd><strong class="figure">{value}</strong><span class="hint">{hint}</span><Spark values=spark /></dd>
            </div>
        }
    });
    view! { <dl class="numbers">{figures.collect_view()}</dl> }
}

/// Those that every page of numbers begins with.
pub fn usual_figures(numbers: &Numbers) -> Vec<Figure> {
    let (total, spans) = (numbers.total(), numbers.by_span(None));
    let compared = Compared { now: &total, before: &numbers.as_long_before };
    let spark = |of: &dyn Fn(&Tally) -> Option<f64>| spans.iter().map(|(_, tally)| of(tally)).collect::<Vec<_>>();
    let percentile = |name: &'static str, parts: u32| {
        let of = |tally: &Tally| tally.times(Phase::Total).quantile(parts);
        Figure {
            name,
            value: of(&total).map_or_else(|| "—".to_owned(), words::duration),
            hint: against_before(compared, of, words::duration),
            spark: spark(&|tally| of(tally).map(|ms| ms as f64)),
        }
    };
    vec![
        Figure {
            name: "Requests",
            value: grouped(total.jobs()),
            hint: against_before(compared, |tally| Some(tally.jobs()), grouped),
            spark: spark(&|tally| Some(tally.jobs() as f64)),
        },
        Figure {
            name: "Success rate",
            value: total.success_rate().map_or_else(|| "—".to_owned(), percent),
            hint: format!("{} failed, {} cancelled", grouped(total.count(Count::Failed)), grouped(total.count(Count::Cancelled))),
            spark: spark(&Tally::success_rate),
        },
        percentile("P50", 5000),
        percentile("P95", 9500),
        percentile("P99", 9900),
    ]
}

/// What is over of the range, and as long a time before it.
#[derive(Clone, Copy)]
struct Compared<'a> {
    now: &'a Tally,
    before: &'a Tally,
}

/// What the number above it was in as long a time before, and the change.
fn against_before(compared: Compared<'_>, of: impl Fn(&Tally) -> Option<u64>, told: impl Fn(u64) -> String) -> String {
    let (now, before) = (of(compared.now), of(compared.before).filter(|before| *before > 0));
    let (Some(now), Some(before)) = (now, before) else {
        return "nothing to compare with before".to_owned();
    };
    format!("against {} in as long a time earlier ({})", told(before), change(now as f64, before as f64))
}

/// From what it was before, which is not nothing.
fn change(now: f64, before: f64) -> String {
    let times = now / before;
    let change = times - 1.0;
    if change.abs() < CHANGE_MIN {
        return "no change".to_owned();
    }
    if change > CHANGE_MAX {
        return format!("{} times that", grouped(times.round() as u64));
    }
    let sign = if change > 0.0 { "+" } else { "−" };
    format!("{sign}{:.0} %", change.abs() * 100.0)
}

/// `12.5 %`, `−254.5 %`.
pub fn percent(share: f64) -> String {
    let sign = if share < 0.0 { "−" } else { "" };
    format!("{sign}{:.1} %", share.abs() * 100.0)
}

/// The percentiles of every phase, each with the way to its chart.
#[component]
pub fn Phases(total: Tally, asked: Asked, page: &'static str) -> impl IntoView {
    let rows = Phase::IN_ORDER.map(|phase| {
        let times = total.times(phase);
        let cells = PERCENTILES.map(|(head, parts)| {
            let text = times.quantile(parts).map_or_else(|| "—".to_owned(), words::duration);
            view! { <td data-head=head class="number">{text}</td> }
        });
        let href = format!("{page}?{}#over-time-title", Asked { phase, ..asked.clone() }.query());
        let is_shown = phase == asked.phase;
        view! {
            <tr>
                <th scope="row"><a href=href aria-current=is_shown.then_some("true")>{phase_name(phase)}</a></th>
                <td data-head=PHASE_HEADS[1] class="number">{grouped(times.count())}</td>
                {cells.into_iter().collect_view()}
            </tr>
        }
    });
    view! { <Table label="Percentiles of phases" heads=&PHASE_HEADS>{rows.into_iter().collect_view()}</Table> }
}

pub const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Total => "From submitting to done",
        Phase::Queue => "Waiting for a worker",
        Phase::Load => "Loading weights",
        Phase::Encode => "Encoding the prompt",
        Phase::Denoise => "Denoising",
        Phase::DecoderWait => "Waiting for a decoder",
        Phase::Decode => "Decoding",
        Phase::Upload => "Uploading",
    }
}

/// The newest of what happened within the range, where it lies on the axis, and whether more is left out. A deploy is what is looked for where times
/// change: the newest one is always marked.
fn marked(annotations: &[Annotation], range: Range) -> (Vec<Marked>, bool) {
    let placed: Vec<_> = annotations.iter().filter_map(|annotation| Some((annotation, range.place(annotation.at)?))).collect();
    let deploy = placed.iter().rposition(|(annotation, _)| annotation.kind == AnnotationKind::Version);
    let others = (0..placed.len()).rev().filter(|at| Some(*at) != deploy);
    let mut shown: Vec<_> = deploy.into_iter().chain(others).take(MARKS_MAX).collect();
    shown.sort_unstable();
    let mark =
        |(annotation, at): (&Annotation, usize)| Marked { name: words::sentence(&annotation.what), at: at as f64, values: Vec::new() };
    (shown.into_iter().map(|at| mark(placed[at])).collect(), placed.len() > MARKS_MAX)
}

/// How long a phase took, over time.
#[component]
pub fn PhaseOverTime(
    numbers: Numbers,
    asked: Asked,
    annotations: Vec<Annotation>,
    links: Vec<Option<String>>,
    csv: Option<String>,
) -> impl IntoView {
    let (phase, spans, total) = (asked.phase, numbers.by_span(None), numbers.total());
    let line = |(name, parts): (&'static str, u32)| Series {
        name: name.into(),
        values: spans.iter().map(|(_, tally)| tally.times(phase).quantile(parts).map(|ms| ms as f64 / 1000.0)).collect(),
    };
    let series = [PERCENTILES[0], PERCENTILES[2], PERCENTILES[3], PERCENTILES[4]].map(line).to_vec();
    let times = total.times(phase);
    let (marked, is_more) = marked(&annotations, numbers.range);
    let mut summary = match (times.quantile(5000), times.quantile(9900)) {
        (Some(p50), Some(p99)) => format!("Half took at most {}, 99 of 100 at most {}.", words::duration(p50), words::duration(p99)),
        _ => "Nothing is known of this phase in this time.".to_owned(),
    };
    if is_more {
        summary += " More happened meanwhile than is marked: see below.";
    }
    let labels = spans.iter().map(|(start, _)| asked.label(*start)).collect();
    view! { <Lines id="over-time" title=phase_name(phase) summary unit=SECONDS axis=asked.axis() labels series marked links csv /> }
}

/// How many took how long.
#[component]
pub fn PhaseClasses(numbers: Numbers, phase: Phase) -> impl IntoView {
    let times = numbers.total().times(phase).clone();
    let values = times.by_bounds(&LATENCY_BOUNDS_MS).into_iter().map(|jobs| jobs as f64).collect();
    let bounds = LATENCY_BOUNDS_MS.map(words::about).to_vec();
    let summary = format!("Of {}; the longest took {}.", words::jobs(times.count()), words::duration(times.max()));
    view! { <Distribution id="classes" title=format!("{}: how many took how long", phase_name(phase)) summary unit=JOBS axis="Time it took" bounds values /> }
}

/// How jobs ended, over time. `csv`: where the same is to be had as a file.
#[component]
pub fn Outcomes(numbers: Numbers, asked: Asked, links: Vec<Option<String>>, #[prop(default = None)] csv: Option<String>) -> impl IntoView {
    let (spans, total) = (numbers.by_span(None), numbers.total());
    let line = |(name, count): (&'static str, Count)| Series {
        name: name.into(),
        values: spans.iter().map(|(_, tally)| Some(tally.count(count) as f64)).collect(),
    };
    let series = [("Made", Count::Succeeded), ("Failed", Count::Failed), ("Cancelled", Count::Cancelled)].map(line).to_vec();
    let summary = format!(
        "{} made, {} failed, {} cancelled.",
        grouped(total.count(Count::Succeeded)),
        grouped(total.count(Count::Failed)),
        grouped(total.count(Count::Cancelled))
    );
    let labels = spans.iter().map(|(start, _)| asked.label(*start)).collect();
    let title = format!("Requests by {}", asked.range.span.as_str());
    view! { <Lines id="outcomes" title summary unit=JOBS axis=asked.axis() labels series links csv /> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;
    use service::numbers::Span;

    #[test]
    fn the_number_that_is_shown_is_the_one_that_is_compared() {
        let tally = |jobs| Tally { counts: [jobs, 0, 0, 0, 0, 0, 0, 0], ..Tally::default() };
        let told = |before| against_before(Compared { now: &tally(1100), before: &tally(before) }, |tally| Some(tally.jobs()), grouped);
        assert_eq!(told(1000), "against 1,000 in as long a time earlier (+10 %)");
        assert_eq!(told(0), "nothing to compare with before");
    }

    #[test]
    fn the_newest_deploy_is_marked_however_much_happened_after_it() {
        let range = Range { span: Span::Minute, from: Timestamp::from_ms(0), until: Timestamp::from_ms(600_000) };
        let at = |minute: i64, kind, what: &str| Annotation { at: Timestamp::from_ms(minute * 60_000), kind, what: what.to_owned() };
        let happened = [
            at(0, AnnotationKind::Version, "version 1"),
            at(1, AnnotationKind::Version, "version 2"),
            at(2, AnnotationKind::Scaling, "0 to 1 workers of cpu"),
            at(3, AnnotationKind::Alert, "fired: Slow"),
            at(4, AnnotationKind::Alert, "fired: Slower"),
        ];
        let told = |happened: &[Annotation]| {
            let (marked, is_more) = marked(happened, range);
            (marked.into_iter().map(|mark| (mark.name, mark.at)).collect::<Vec<_>>(), is_more)
        };
        let mark = |name: &str, at: f64| (name.to_owned(), at);
        assert_eq!(told(&happened), (vec![mark("Version 2", 1.0), mark("Fired: Slower", 4.0)], true));
        assert_eq!(told(&happened[3..]), (vec![mark("Fired: Slow", 3.0), mark("Fired: Slower", 4.0)], false));
        assert_eq!(told(&[at(10, AnnotationKind::Version, "version 3")]), (vec![], false), "it is not in the range");
    }

    #[test]
    fn a_change_is_told_in_hundredths_until_it_is_many_times_as_much() {
        assert_eq!(change(110.0, 100.0), "+10 %");
        assert_eq!(change(50.0, 100.0), "−50 %");
        assert_eq!((change(100.1, 100.0), change(99.1, 100.0)), ("no change".to_owned(), "no change".to_owned()));
        assert_eq!(change(1090.0, 100.0), "+990 %");
        assert_eq!(change(1001.0, 3.0), "334 times that");
        assert_eq!([0.125, -2.545].map(percent), ["12.5 %", "−254.5 %"]);
    }
}
