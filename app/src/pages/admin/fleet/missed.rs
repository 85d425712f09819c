//! What nobody does any more where a worker is drained: the last one that takes jobs, or jobs of a model.

use crate::words;
use domain::{Stage, WorkerId};
use service::LiveWorker;
use std::collections::BTreeSet;

/// In a sentence. `None`: another of all that are at work takes each of its jobs, or it takes none itself.
pub(super) fn missed(worker: WorkerId, live: &[LiveWorker]) -> Option<String> {
    let worker = live.iter().find(|other| other.id == worker && takes_jobs(other))?;
    let others: Vec<_> = live.iter().filter(|other| other.id != worker.id && takes_jobs(other)).collect();
    [Stage::Sampling, Stage::Decoding].into_iter().filter(|stage| does(worker, *stage)).find_map(|stage| {
        let others: Vec<_> = others.iter().copied().filter(|other| does(other, stage)).collect();
        missed_among(worker, &others)
    })
}

/// One that is at work.
pub(super) const fn takes_jobs(worker: &LiveWorker) -> bool {
    !worker.is_draining
}

fn does(worker: &LiveWorker, stage: Stage) -> bool {
    worker.slots.of(stage).all() > 0
}

/// `others`: those that do the same stage.
fn missed_among(worker: &LiveWorker, others: &[&LiveWorker]) -> Option<String> {
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
    use domain::Timestamp;
    use service::WorkerSlots;

    fn worker(number: usize, models: Option<&[&str]>) -> LiveWorker {
        LiveWorker {
            id: format!("worker_0190000000007000800000000000{number:04}").parse::<WorkerId>().expect("an id"),
            device: "cpu".to_owned(),
            slots: WorkerSlots::default(),
            memory_bytes: None,
            models: models.map(|models| models.iter().map(|model| (*model).to_owned()).collect()),
            held: None,
            desired: None,
            started_at: Timestamp::from_ms(1_000_000),
            is_draining: false,
        }
    }

    fn told(number: usize, all: &[LiveWorker]) -> String {
        missed(all[number].id, all).unwrap_or_default()
    }

    #[test]
    fn the_last_one_that_takes_jobs_is_said_to_be() {
        let leaving = LiveWorker { is_draining: true, ..worker(2, None) };
        let all = [worker(1, None), leaving];
        assert!(told(0, &all).contains("the last one that takes jobs: no video"), "{}", told(0, &all));
        assert_eq!((told(1, &all), told(0, &[worker(1, None), worker(2, None)])), (String::new(), String::new()));
        assert_eq!(missed(worker(3, None).id, &all), None, "it is not at work");
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
