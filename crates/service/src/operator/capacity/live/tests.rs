//! What the live system would ask, by what is there and what came.

use super::*;
use domain::{
    VideoTime, WorkerId,
    billing::{Currency, Money},
    catalog::testing,
};
use store::{MeasuredDemand, WorkerSlots};
use uuid::Uuid;

const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

fn worker(device: &str, slots: usize) -> LiveWorker {
    LiveWorker {
        id: WorkerId::from_uuid(Uuid::nil()),
        device: device.to_owned(),
        slots: WorkerSlots { sampling: slots.into(), decoding: 1.into() },
        models: None,
        memory_bytes: None,
        held: None,
        desired: None,
        started_at: NOW,
        is_draining: false,
    }
}

fn measured(jobs: u64) -> MeasuredDemand {
    MeasuredDemand {
        jobs,
        billed: VideoTime::from_ms(6000 * jobs),
        sampling_ms: 90_000 * jobs,
        decoding_ms: 30_000 * jobs,
        squares: jobs as f64 * f64::midpoint(60_000_f64.powi(2), 180_000_f64.powi(2)),
    }
}

/// So many jobs of six seconds that took a minute of a device each, but for every second one that took three.
fn demand(hours: i64, parts: &[(&str, Lane, u64)]) -> Demand {
    let of = |(model, lane, jobs): &(&str, Lane, u64)| ModelDemand {
        model: (*model).to_owned(),
        lane: *lane,
        jobs: *jobs,
        billed: VideoTime::from_ms(6000 * jobs),
        measured: [("gone".to_owned(), measured(*jobs))].into(),
    };
    Demand { since: NOW.plus_ms(-hours * 3_600_000), until: NOW, models: parts.iter().map(of).collect(), batch_tenants: 3 }
}

fn capacity(lately: &Lately, workers: &[LiveWorker]) -> LiveCapacity {
    let prices = DevicePrices([("h100".to_owned(), Money::of_minor(250, Currency::USD))].into());
    let (costs, offered) = (Costs::default(), testing::video_model());
    LiveOf { lately, workers, prices: &prices, costs: &costs, offered: Some(&offered), starts: 7 }.capacity(NOW)
}

#[test]
fn workers_that_take_jobs_are_counted_by_kind_and_what_came_by_model() {
    let parts = [("small", Lane::Interactive, 60), ("small", Lane::Batch, 15), ("large", Lane::Batch, 25)];
    let lately = Lately { hour: demand(1, &parts), day: demand(24, &parts), waited: None };
    let draining = LiveWorker { is_draining: true, ..worker("l4", 4) };
    let live = capacity(&lately, &[worker("l4", 2), worker("h100", 4), worker("h100", 4), draining]);
    let asked = &live.question;
    let kinds: Vec<_> = asked.fleet.iter().map(|kind| (&*kind.device_kind, kind.workers, kind.price_per_hour.is_some())).collect();
    assert_eq!(kinds, [("h100", 2, true), ("l4", 1, false)]);
    let mix: Vec<_> = asked.mix.iter().map(|of| (&*of.model, of.share, of.device_s_per_video_minute, of.video_s, of.decoding)).collect();
    assert_eq!(mix, [("small", 75.0, 1200.0, 6.0, 0.25), ("large", 25.0, 1200.0, 6.0, 0.25)]);
    // Of one and three the mean is two, and the variance one.
    assert!((asked.mix[0].device_scv - 0.25).abs() < 1e-9, "{}", asked.mix[0].device_scv);
    assert_eq!((asked.video_minutes_per_hour, asked.batch_percent, asked.batch_tenants, asked.slots), (10.0, 40.0, 3, 4));
    assert_eq!((asked.cold_starts_per_day, live.guesses.as_slice()), (7, &[][..]));
    // Ten minutes of video take 12,000 s, and three workers have 10,800.
    assert!((live.utilisation.unwrap() - 12_000.0 / 10_800.0).abs() < 1e-9);
    assert_eq!(asked.problems(), []);
}

#[test]
fn where_nothing_is_there_and_nothing_came_something_is_guessed_and_said() {
    let nothing = Lately { hour: demand(1, &[]), day: demand(24, &[]), waited: None };
    let live = capacity(&nothing, &[]);
    assert_eq!(live.guesses, [Guess::NotMeasured, Guess::NoWorkers, Guess::NoJobs]);
    assert_eq!((live.utilisation, live.question.fleet[0].workers), (None, 1));
    assert_eq!(live.question.problems(), []);
    let idle = capacity(&nothing, &[worker("cpu", 1)]).utilisation.unwrap();
    assert_eq!(format!("{:.0} %", idle * 100.0), "0 %");
    let earlier = Lately { day: demand(24, &[("small", Lane::Batch, 240)]), ..nothing };
    let live = capacity(&earlier, &[worker("cpu", 1)]);
    assert_eq!((live.guesses.as_slice(), live.question.video_minutes_per_hour), (&[Guess::NoJobsLately][..], 1.0));
    assert_eq!((live.utilisation, live.question.batch_percent), (Some(0.0), 100.0));
}

#[test]
fn device_time_is_that_of_the_kind_with_most_workers_and_of_all_where_it_made_nothing() {
    let mut day = demand(24, &[("small", Lane::Interactive, 10)]);
    let slower = MeasuredDemand { sampling_ms: 3_600_000, decoding_ms: 1_200_000, ..measured(10) };
    day.models[0].measured.insert("cpu".to_owned(), slower);
    let lately = Lately { hour: demand(1, &[]), day, waited: None };
    let takes = |workers: &[LiveWorker]| capacity(&lately, workers).question.mix[0].device_s_per_video_minute;
    let most_are_cpu = takes(&[worker("cpu", 1), worker("cpu", 1), worker("gone", 1)]);
    let [gone, another, none] = [&[worker("gone", 1)][..], &[worker("l4", 1)], &[]].map(takes);
    assert_eq!([most_are_cpu, gone, another, none], [4800.0, 1200.0, 3000.0, 3000.0]);
}

#[test]
fn more_kinds_and_models_than_are_planned_at_once_are_left_out_and_said() {
    let names: Vec<_> = (0..12).map(|number| format!("name-{number}")).collect();
    let parts: Vec<_> = names.iter().zip(1..).map(|(name, jobs)| (name.as_str(), Lane::Interactive, jobs)).collect();
    let lately = Lately { hour: demand(1, &parts), day: demand(24, &parts), waited: None };
    let live = capacity(&lately, &names.iter().map(|name| worker(name, 1)).collect::<Vec<_>>());
    assert_eq!((live.question.fleet.len(), live.question.mix.len()), (CAPACITY_ROWS_MAX, CAPACITY_ROWS_MAX));
    assert_eq!((live.question.mix[0].model.as_str(), live.guesses.as_slice()), ("name-11", &[Guess::TooManyRows][..]));
}

#[test]
fn numbers_have_three_digits() {
    assert_eq!([rounded(0.012_345), rounded(1234.5), rounded(99.96), rounded(0.0)], [0.0123, 1230.0, 100.0, 0.0]);
}
