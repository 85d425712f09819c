//! Keeping numbers over time: jobs that have ended are counted, and what waits and who works is looked at.
//!
//! One server at a time does it, so that nothing is looked at twice; jobs would count once whoever did it.

use crate::Services;
use domain::{Stage, metrics::Gauge};
use std::{error::Error, time::Duration};
use store::{ALIVE_MS, StoreError, chance, clock::Instant, in_time, metrics::Look, within};

/// Of the reconciler.
pub(crate) const NAME: &str = "keep numbers";
const LEADER: &str = "numbers";
const COUNT_EVERY: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_secs(20);
/// A server that fell silent is replaced by then.
const HELD_MS: i64 = 60_000;
/// Counting what ended before this version takes its time.
const COUNTED_WITHIN: Duration = Duration::from_secs(600);

/// Counts and looks again and again while this server leads. Runs until dropped.
pub(crate) async fn keep(services: Services) {
    let (holder, mut looked) = (chance::new_id().to_string(), None::<Instant>);
    loop {
        let is_due = looked.is_none_or(|at| at.elapsed() >= LOOK_EVERY);
        let done = turn(&services, &holder, is_due).await;
        if is_due && done.is_ok() {
            looked = Some(Instant::now());
        }
        if let Err(error) = &done {
            tracing::warn!(error = error as &dyn Error, "numbers are behind; trying again");
        }
        services.metrics.note_run(NAME, done.is_ok());
        tokio::time::sleep(COUNT_EVERY).await;
    }
}

async fn turn(services: &Services, holder: &str, is_due: bool) -> Result<(), StoreError> {
    let kept = services.store.kept_numbers();
    // Where there is nothing to do, nothing is written.
    if !is_due && !in_time(kept.is_any_uncounted()).await? {
        return Ok(());
    }
    if !in_time(services.store.leaders().hold(LEADER, holder, HELD_MS)).await? {
        return Ok(());
    }
    within(COUNTED_WITHIN, kept.count_ended()).await?;
    if is_due {
        in_time(kept.note_version(env!("CARGO_PKG_VERSION"))).await?;
        let seen = in_time(Box::pin(look(services))).await?;
        in_time(kept.note_look(&seen)).await?;
    }
    Ok(())
}

/// What waits, by model, lane and kind of device, and who works, by kind of device.
async fn look(services: &Services) -> Result<Vec<Look>, StoreError> {
    let numbers = services.queue_numbers().await?;
    let now = services.store.now().await?;
    let lines = numbers.lines.into_iter().flat_map(|line| {
        let waited = line.going_on_since.map_or(0, |since| now.ms_since(since));
        let look = |gauge, value| Look {
            gauge,
            model: line.model.clone(),
            lane: line.lane.as_str().to_owned(),
            device: line.device.clone().unwrap_or_default(),
            value,
        };
        [look(Gauge::WaitingMs, line.billed.ms()), look(Gauge::OldestWaitMs, waited)]
    });
    let mut seen: Vec<_> = lines.collect();
    let held = services.store.operator().jobs_by_worker().await?;
    // However many there are, and however they fare.
    for worker in services.store.workers().known(ALIVE_MS).await? {
        let of = |stage: Stage| {
            let slots = worker.slots.of(stage).all() as u64;
            (slots, held.get(&(worker.id, stage)).copied().unwrap_or_default().min(slots))
        };
        let ((slots, busy), (decoding_slots, decoding_busy)) = (of(Stage::Sampling), of(Stage::Decoding));
        for (gauge, value) in [
            (Gauge::Workers, 1),
            (Gauge::Slots, slots),
            (Gauge::Busy, busy),
            (Gauge::DecodingSlots, decoding_slots),
            (Gauge::DecodingBusy, decoding_busy),
        ] {
            seen.push(Look { gauge, model: String::new(), lane: String::new(), device: worker.device.clone(), value });
        }
    }
    Ok(added_up(seen))
}

/// One of each: several workers are of one kind.
fn added_up(seen: Vec<Look>) -> Vec<Look> {
    let mut sums: Vec<Look> = Vec::new();
    for look in seen {
        let same = |sum: &&mut Look| (sum.gauge, &sum.model, &sum.lane, &sum.device) == (look.gauge, &look.model, &look.lane, &look.device);
        match sums.iter_mut().find(same) {
            Some(sum) => sum.value += look.value,
            None => sums.push(look),
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::WorkerId;
    use store::{
        Registration, WorkerRole,
        objects::{ObjectsConfig, open},
        on_both_engines,
        testing::Dial,
    };

    on_both_engines! {
        async fn all_workers_are_counted_and_none_that_was_seen_before_the_clock_was_put_back(database: TempDatabase) {
            let folder = tempfile::tempdir().unwrap();
            let store = database.open_at(&Dial::default()).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            for device in ["gone"].into_iter().chain(["cpu"; 201]) {
                let registration = Registration::new(WorkerRole::All, device, &["m"]);
                services.store.workers().register(WorkerId::from_uuid(chance::new_id()), registration).await.unwrap();
            }
            database.damage("UPDATE workers SET seen_at_ms = seen_at_ms + 3600000 WHERE device = 'gone'").await;
            let seen = look(&services).await.unwrap();
            let of = |gauge: Gauge| seen.iter().filter(|look| look.gauge == gauge).map(|look| (&*look.device, look.value)).collect::<Vec<_>>();
            assert_eq!(of(Gauge::Workers), [("cpu", 201)]);
            let by_stage = [Gauge::Slots, Gauge::Busy, Gauge::DecodingSlots, Gauge::DecodingBusy].map(of);
            assert_eq!(by_stage, [[("cpu", 4 * 201)], [("cpu", 0)], [("cpu", 201)], [("cpu", 0)]]);
        }
    }

    #[test]
    fn workers_of_one_kind_are_added_up() {
        let look = |gauge, device: &str, value| Look { gauge, model: String::new(), lane: String::new(), device: device.to_owned(), value };
        let seen = vec![look(Gauge::Slots, "a", 4), look(Gauge::Slots, "b", 2), look(Gauge::Slots, "a", 4), look(Gauge::Busy, "a", 1)];
        let sums: Vec<_> = added_up(seen).into_iter().map(|sum| (sum.gauge, sum.device, sum.value)).collect();
        assert_eq!(sums, [(Gauge::Slots, "a".to_owned(), 8), (Gauge::Slots, "b".to_owned(), 2), (Gauge::Busy, "a".to_owned(), 1)]);
    }
}
