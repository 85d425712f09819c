//! The queue: what waits and what is at work in each stage, how long a new job would wait, and what was finished lately.

use super::section::{Section, counted, empty, shown};
use crate::{
    components::{
        chart::{Mark, Point, TimeSeries, Unit},
        moment::clock,
        table::Table,
    },
    words,
};
use domain::{Interval, NoEta, VideoTime, billing::Lane, grouped};
use leptos::prelude::*;
use service::{
    COUNTED_MAX, HOURLY_READ_MAX, Hour, Load, StageLoad,
    operator::{HOURS, Part},
};

/// Of a new job, by lane.
type Waits = [(Lane, Result<Interval, NoEta>); 2];

const VIDEO_SECONDS: Unit = Unit { name: "video-seconds", step_min: 1.0 };

#[component]
pub fn QueueSection(load: Part<[StageLoad; 2]>, waits: Waits, finished: Part<Vec<Hour>>) -> impl IntoView {
    let load = shown(load, |stages| view! { <Loads stages waits /> }.into_any());
    let finished = shown(finished, |hours| view! { <Finished hours /> }.into_any());
    view! { <Section id="queue" title="Queue">{load}<p><a href="/admin/queue">"What waits where, and what you can do about it"</a></p>{finished}</Section> }
}

#[component]
fn Loads(stages: [StageLoad; 2], waits: Waits) -> impl IntoView {
    let (waiting, at_work) = (sum(stages.map(|stage| stage.waiting)), sum(stages.map(|stage| stage.at_work)));
    let table = if waiting.jobs + at_work.jobs == 0 {
        empty("Nothing waits, and nothing is at work.")
    } else {
        let rows = stages.into_iter().map(|stage| view! { <Stage stage /> });
        view! {
            <Table label="Load by stage" heads=&["Stage", "Waiting", "Jobs waiting", "At work", "Jobs at work"]>{rows.collect_view()}</Table>
        }
        .into_any()
    };
    view! {
        <dl class="facts">
            {waits.map(|(lane, wait)| view! { <div><dt>{format!("Wait of a new {lane} job")}</dt><dd>{expected_wait(wait)}</dd></div> }).collect_view()}
            <div><dt>"Jobs waiting"</dt><dd>{counted(waiting.jobs, COUNTED_MAX)}</dd></div>
            <div><dt>"Waiting"</dt><dd>{words::video_seconds(waiting.billed)}</dd></div>
            <div><dt>"At work"</dt><dd>{words::video_seconds(at_work.billed)}</dd></div>
        </dl>
        <p class="hint">"The waits are those of a team that has nothing open: a new job of one that has comes after its own."</p>
        {table}
    }
}

#[component]
fn Stage(stage: StageLoad) -> impl IntoView {
    let StageLoad { stage, waiting, at_work } = stage;
    view! {
        <tr>
            <th scope="row">{words::sentence(stage.as_str())}</th>
            <td data-head="Waiting" class="number">{words::video_seconds(waiting.billed)}</td>
            <td data-head="Jobs waiting" class="number">{counted(waiting.jobs, COUNTED_MAX)}</td>
            <td data-head="At work" class="number">{words::video_seconds(at_work.billed)}</td>
            <td data-head="Jobs at work" class="number">{counted(at_work.jobs, COUNTED_MAX)}</td>
        </tr>
    }
}

#[component]
fn Finished(hours: Vec<Hour>) -> impl IntoView {
    let jobs: u64 = hours.iter().map(|hour| hour.jobs).sum();
    if jobs == 0 {
        return empty("No job has been finished within the last 24 hours.");
    }
    let billed = hours.iter().fold(VideoTime::default(), |sum, hour| sum + hour.billed);
    let limit =
        if jobs < HOURLY_READ_MAX { String::new() } else { format!(" Only the newest {} jobs are counted.", grouped(HOURLY_READ_MAX)) };
    let summary =
        format!("{} by {} in {HOURS} hours; the current hour still runs.{limit}", words::video_seconds(billed), words::jobs(jobs));
    let points = hours.into_iter().map(|hour| Point { label: clock(hour.start), value: hour.billed.seconds() }).collect();
    view! {
        <TimeSeries
            id="finished"
            title="Finished by hour"
            summary
            mark=Mark::Bars
            unit=VIDEO_SECONDS
            axis="Hour that begins then, UTC"
            points
        />
    }
    .into_any()
}

fn sum(loads: [Load; 2]) -> Load {
    let [first, second] = loads;
    Load { jobs: first.jobs + second.jobs, billed: first.billed + second.billed }
}

fn expected_wait(wait: Result<Interval, NoEta>) -> String {
    match wait {
        Ok(Interval { p90_ms: 0, .. }) => "none".to_owned(),
        Ok(wait) => words::expected(&wait),
        Err(NoEta::NoWorker) => "unknown: no worker takes jobs".to_owned(),
        Err(NoEta::NotMeasured) => "unknown: no job has been measured yet".to_owned(),
        Err(NoEta::OtherModels) => "unknown: jobs of several models are ahead".to_owned(),
        Err(NoEta::NotAsked) => "unknown right now".to_owned(),
        Err(NoEta::Paused) => "unknown: paused".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_as_an_interval_as_none_or_as_unknown() {
        let wait = |p50_ms, p90_ms| expected_wait(Ok(Interval { p50_ms, p90_ms }));
        assert_eq!([wait(0, 0), wait(3100, 7000)], ["none", "about 4 s, up to 7 s"]);
        assert!(expected_wait(Err(NoEta::NoWorker)).contains("no worker"));
    }
}
