//! What nobody does any more where a worker is drained: the last one that takes jobs, or jobs of a model.

use crate::words;
use domain::{Stage, Timestamp};
use service::{ALIVE_MS, FleetWorker};
use std::collections::BTreeSet;

/// In a sentence. `None`: another of `all` takes each of its jobs, or it takes none itself.
pub(super) fn missed(worker: &FleetWorker, all: &[FleetWorker], now: Timestamp) -> Option<String> {
    if !takes_jobs(worker, now) {
        return None;
    }
    let others: Vec<_> = all.iter().filter(|other| other.seen.id != worker.seen.id && takes_jobs(other, now)).collect();
    [Stage::Sampling, Stage::Decoding].into_iter().filter(|stage| does(worker, *stage)).find_map(|stage| {
        let others: Vec<_> = others.iter().copied().filter(|other| does(other, stage)).collect();
        missed_among(worker, &others)
    })
}

pub(super) fn takes_jobs(worker: &FleetWorker, now: Timestamp) -> bool {
    is_alive(worker, now) && worker.draining_since.is_none() && worker.seen.condition == "working"
}

pub(super) fn is_alive(worker: &FleetWorker, now: Timestamp) -> bool {
    now.ms_since(worker.seen.seen_at) <= ALIVE_MS.unsigned_abs()
}

fn does(worker: &FleetWorker, stage: Stage) -> bool {
    worker.slots.of(stage).all() > 0
}

/// `others`: those that do the same stage.
fn missed_among(worker: &FleetWorker, others: &[&FleetWorker]) -> Option<String> {
    if others.is_empty() {
        return Some("It is the last one that takes jobs: no video is made until another does.".to_owned());
    }
    if others.iter().any(|other| other.models.is_none()) {
        return None;
    }
    let elsewhere: BTreeSet<&String> = others.iter().filter_map(|other| other.models.as_ref()).flatten().collect();
    let of = match &worker.models {
        None => {
            let elsewhere: Vec<_> = elsewhere.into_iter().cloned().collect();
            format!("of other models than {}", words::list(&elsewhere))
        }
        Some(models) => {
            let alone: Vec<_> = models.iter().filter(|model| !elsewhere.contains(model)).cloned().collect();
            if alone.is_empty() {
                return None;
            }
            format!("of {}", words::list(&alone))
        }
    };
    Some(format!("It is the last one that takes jobs {of}: they wait until another does."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::WorkerId;
    use service::{WorkerSeen, WorkerSlots};

    const NOW: Timestamp = Timestamp::from_ms(1_000_000);

    fn worker(number: usize, models: Option<&[&str]>) -> FleetWorker {
        let seen = WorkerSeen {
            id: format!("worker_0190000000007000800000000000{number:04}").parse::<WorkerId>().expect("an id"),
            role: "all".to_owned(),
            device: "cpu".to_owned(),
            condition: "working".to_owned(),
            started_at: NOW,
            seen_at: NOW,
            is_draining: false,
            sampling: 0,
            decoding: 0,
        };
        let models = models.map(|models| models.iter().map(|model| (*model).to_owned()).collect());
        FleetWorker { seen, slots: WorkerSlots::default(), models, memory_bytes: None, draining_since: None, jobs: Vec::new() }
    }

    fn told(number: usize, all: &[FleetWorker]) -> String {
        missed(&all[number], all, NOW).unwrap_or_default()
    }

    #[test]
    fn the_last_one_that_takes_jobs_is_said_to_be() {
        let leaving = FleetWorker { draining_since: Some(NOW), ..worker(2, None) };
        let all = [worker(1, None), leaving];
        assert!(told(0, &all).contains("the last one that takes jobs: no video"), "{}", told(0, &all));
        assert_eq!((told(1, &all), told(0, &[worker(1, None), worker(2, None)])), (String::new(), String::new()));
    }

    #[test]
    fn so_is_the_last_one_of_a_model() {
        let all = [worker(1, Some(&["a", "b"])), worker(2, Some(&["b", "c"]))];
        assert!(told(0, &all).contains("takes jobs of a: they wait"), "{}", told(0, &all));
        let all = [worker(1, None), worker(2, Some(&["b"]))];
        assert!(told(0, &all).contains("of other models than b:"), "{}", told(0, &all));
        assert_eq!(told(1, &all), "");
    }
}
