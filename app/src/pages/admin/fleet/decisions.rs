//! How many workers there should be beside those that are there, and what was decided about it.

use crate::{
    components::{moment::Moment, table::Table},
    pages::admin::section::{Section, empty, shown},
    words,
};
use domain::Timestamp;
use leptos::prelude::*;
use service::{
    ScalingDecision,
    operator::{DECISIONS_SHOWN, Part, ScalingOf},
};

const HEADS: [&str; 5] = ["When", "Device", "Workers", "What was done", "Why"];

/// `live`: workers that take jobs; `None`: that could not be read.
#[component]
pub fn ScalingSection(
    scaling: Option<ScalingOf>,
    decisions: Part<Vec<ScalingDecision>>,
    utilisation: Part<Option<f64>>,
    knee_permille: u64,
    live: Option<usize>,
    now: Timestamp,
) -> impl IntoView {
    let wanted = scaling.as_ref().and_then(|scaling| scaling.wanted);
    let live = live.map_or_else(|| "unknown right now".to_owned(), |live| domain::grouped(live as u64));
    let wanted = wanted.map_or_else(|| "not decided".to_owned(), |wanted| domain::grouped(wanted.into()));
    let about = about(scaling.as_ref());
    let decisions = shown(decisions, |decisions| listed(decisions, now));
    view! {
        <Section id="scaling" title="Scaling">
            <dl class="facts">
                <div><dt>"Workers that take jobs"</dt><dd>{live}</dd></div>
                <div><dt>"Wanted"</dt><dd>{wanted}</dd></div>
                <div><dt>"Came in the last hour, of what the workers make in one"</dt><dd>{filled(utilisation, knee_permille)}</dd></div>
            </dl>
            <p class="hint">{about}</p>
            {decisions}
        </Section>
    }
}

/// Of the workers' time, beside what is to come of it at most. More than all of it comes where the queue grows.
fn filled(utilisation: Part<Option<f64>>, knee_permille: u64) -> String {
    let knee = format!("of {} % at most", knee_permille as f64 / 10.0);
    match utilisation {
        Ok(Some(part)) => format!("{:.0} %, {knee}", part * 100.0),
        Ok(None) => format!("no worker is there; {knee}"),
        Err(_) => format!("unknown right now; {knee}"),
    }
}

fn about(scaling: Option<&ScalingOf>) -> String {
    let Some(ScalingOf { device, limits, .. }) = scaling else {
        return "This server starts no workers: scaling is off. It is turned on with --workers-max.".to_owned();
    };
    format!(
        "This server has workers of the kind {device} started, from {} to {}, with {} beside those that are needed. One is drained when fewer were enough for {}.",
        limits.min,
        limits.max.max(limits.min),
        limits.headroom,
        words::duration(limits.idle_ms)
    )
}

fn listed(decisions: Vec<ScalingDecision>, now: Timestamp) -> AnyView {
    if decisions.is_empty() {
        return empty("Nothing has been decided about the number of workers.");
    }
    let is_all = (decisions.len() as u64) < u64::from(DECISIONS_SHOWN);
    let rows = decisions.into_iter().map(|decision| {
        let (change, done) = (change(&decision), done(&decision));
        view! {
            <tr>
                <th scope="row"><Moment at=decision.at.min(now) /></th>
                <td data-head=HEADS[1]>{decision.device}</td>
                <td data-head=HEADS[2] class="number">{change}</td>
                <td data-head=HEADS[3]>{done}</td>
                <td data-head=HEADS[4] class="wraps">{words::sentence(&decision.reason)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <Table label="Decisions about the number of workers" heads=&HEADS>{rows}</Table>
        {(!is_all).then(|| view! { <p class="hint">{format!("The newest {DECISIONS_SHOWN} are shown.")}</p> })}
    }
    .into_any()
}

/// From those that were there or starting to those that were wanted.
fn change(decision: &ScalingDecision) -> String {
    if decision.workers == decision.wanted { decision.workers.to_string() } else { format!("{} → {}", decision.workers, decision.wanted) }
}

fn done(decision: &ScalingDecision) -> String {
    match (decision.started, decision.drained) {
        (0, 0) => "Nothing".to_owned(),
        (started, 0) => format!("Started {started}"),
        (0, drained) => format!("Drained {drained}"),
        (started, drained) => format!("Started {started}, drained {drained}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(workers: u32, wanted: u32, started: u32, drained: u32) -> ScalingDecision {
        let (at, device, reason) = (Timestamp::from_ms(0), "cpu".to_owned(), String::new());
        ScalingDecision { at, device, workers, wanted, started, drained, reason }
    }

    #[test]
    fn a_decision_is_told_by_its_numbers() {
        let told = [decision(1, 3, 2, 0), decision(3, 1, 0, 2), decision(2, 2, 0, 0)].map(|of| (change(&of), done(&of)));
        let told: Vec<_> = told.iter().map(|(change, done)| (change.as_str(), done.as_str())).collect();
        assert_eq!(told, [("1 → 3", "Started 2"), ("3 → 1", "Drained 2"), ("2", "Nothing")]);
    }

    #[test]
    fn what_is_filled_stands_beside_what_is_at_most() {
        assert_eq!(filled(Ok(Some(0.434)), 800), "43 %, of 80 % at most");
        assert_eq!(filled(Ok(None), 750), "no worker is there; of 75 % at most");
        assert!(about(None).contains("scaling is off"));
    }
}
