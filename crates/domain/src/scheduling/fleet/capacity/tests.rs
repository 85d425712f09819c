//! Known answers of the capacity planner, and what holds for every fleet and mix.

use super::*;
use proptest::prelude::*;

fn usd(cents: i64) -> Money {
    Money::of_minor(cents, Currency::USD)
}

fn kind(workers: u32, speed: f64, cents: i64) -> FleetKind {
    FleetKind { device_kind: "h100".to_owned(), workers, speed, price_per_hour: Some(usd(cents)) }
}

/// A minute of video takes ten minutes of a device, and a video is six seconds long.
fn entry(lane: Lane, video_minutes_per_day: f64) -> MixEntry {
    MixEntry {
        model: "wan-2.1".to_owned(),
        lane,
        video_minutes_per_day,
        video_minutes_per_job: 0.1,
        device_ms_per_video_minute: 600_000.0,
        device_ms_variance: 0.0,
    }
}

fn input(fleet: Vec<FleetKind>, mix: Vec<MixEntry>) -> CapacityInput {
    CapacityInput { fleet, mix, batch_tenants: 3 }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn a_fleet_is_as_full_as_its_work_and_waits_are_those_of_that_utilisation() {
    // A device makes 144 video-minutes a day.
    let plan = plan_capacity(&input(vec![kind(10, 1.0, 200)], vec![entry(Lane::Interactive, 1152.0)])).unwrap();
    assert!(near(plan.utilisation, 0.8) && near(plan.station.service_ms, 60_000.0) && plan.station.service_scv < 1e-9);
    assert_eq!(plan.waits, plan.station.waits(plan.utilisation));
    assert!(near(plan.knee_video_minutes_per_day, 1440.0 * plan.knee));
    assert_eq!((plan.curve.len(), plan.sla.len(), plan.sla[0].utilisation, plan.sla[9].utilisation), (99, 10, 0.5, 0.95));
    // 480 dollars for 1152 minutes.
    assert_eq!(plan.cost_per_day.unwrap().to_string(), "$480.00");
    assert_eq!(plan.cost_per_video_minute.unwrap().to_string(), "$0.41667");
}

#[test]
fn a_fleet_that_is_too_small_has_no_waits_to_tell() {
    let plan = plan_capacity(&input(vec![kind(1, 1.0, 200)], vec![entry(Lane::Batch, 145.0)])).unwrap();
    assert!(plan.utilisation > 1.0 && plan.waits.is_none());
    // 48 dollars for the 144 minutes that it makes.
    assert_eq!(plan.cost_per_video_minute.unwrap().to_string(), "$0.33333");
}

#[test]
fn twice_as_fast_is_as_full_as_twice_as_many() {
    let plan = |fleet| plan_capacity(&input(fleet, vec![entry(Lane::Batch, 500.0)])).unwrap();
    let (mixed, fast) = (plan(vec![kind(2, 1.0, 100), kind(1, 4.0, 300)]), plan(vec![kind(3, 2.0, 100)]));
    assert!(near(mixed.utilisation, fast.utilisation) && near(mixed.station.service_ms, 30_000.0));
    assert_eq!(mixed.cost_per_day.unwrap().to_string(), "$120.00");
}

#[test]
fn the_variance_of_a_mix_is_that_within_its_entries_and_between_them() {
    // As many jobs of one minute as of three: mean 2, variance 1.
    let long = MixEntry { video_minutes_per_job: 0.3, ..entry(Lane::Batch, 30.0) };
    let plan = plan_capacity(&input(vec![kind(1, 1.0, 1)], vec![entry(Lane::Batch, 10.0), long])).unwrap();
    assert!(near(plan.station.service_ms, 120_000.0) && near(plan.station.service_scv, 0.25));
    let varied = MixEntry { device_ms_variance: 600_000_f64.powi(2), ..entry(Lane::Batch, 10.0) };
    let plan = plan_capacity(&input(vec![kind(1, 1.0, 1)], vec![varied])).unwrap();
    assert!(near(plan.station.service_scv, 1.0), "as exponential times");
}

#[test]
fn batch_tenants_share_three_quarters_of_the_fleet_without_what_interactive_jobs_take() {
    let rate = |mix| plan_capacity(&input(vec![kind(10, 1.0, 1)], mix)).unwrap().release_rate.unwrap();
    // Ten devices make a video-minute a minute; three tenants share 0.75 of it.
    assert_eq!(rate(vec![entry(Lane::Batch, 1.0)]).ms(), 15_000);
    assert_eq!(rate(vec![entry(Lane::Batch, 1.0), entry(Lane::Interactive, 720.0)]).ms(), 5000);
    assert_eq!(rate(vec![entry(Lane::Batch, 1.0), entry(Lane::Interactive, 1300.0)]).ms(), 0);
    let nobody = CapacityInput { batch_tenants: 0, ..input(vec![kind(1, 1.0, 1)], vec![entry(Lane::Batch, 1.0)]) };
    assert_eq!(plan_capacity(&nobody).unwrap().release_rate, None);
}

#[test]
fn what_cannot_be_planned_is_said() {
    let error = |fleet, mix| plan_capacity(&input(fleet, mix)).unwrap_err().to_string();
    let one = || vec![entry(Lane::Batch, 1.0)];
    assert_eq!(error(vec![], one()), "The fleet has no workers.");
    assert_eq!(error(vec![kind(u32::MAX, 1.0, 1), kind(1, 1.0, 1)], one()), "A fleet of more than 100000 workers is not planned.");
    assert_eq!(error(vec![kind(1, f64::NAN, 1)], one()), "The speed of h100 has to be a number above 0.");
    assert_eq!(error(vec![kind(1, 1.0, 1)], vec![entry(Lane::Batch, 0.0)]), "Nothing is asked for.");
    let broken = MixEntry { device_ms_variance: -1.0, ..entry(Lane::Batch, 1.0) };
    assert_eq!(error(vec![kind(1, 1.0, 1)], vec![broken]), "The variance of wan-2.1 has to be a number of at least 0.");
    let euros = Money { currency: Currency::try_from("eur".to_owned()).unwrap(), ..usd(1) };
    let mixed = FleetKind { price_per_hour: Some(euros), ..kind(1, 1.0, 1) };
    assert_eq!(error(vec![kind(1, 1.0, 1), mixed.clone()], one()), "All prices have to be in one currency.");
    let unpriced = FleetKind { price_per_hour: None, ..mixed };
    assert_eq!(plan_capacity(&input(vec![kind(1, 1.0, 1), unpriced], one())).unwrap().cost_per_day, None);
}

fn on_demand(cents: i64, starting_hours_per_day: f64) -> OnDemand {
    OnDemand { per_hour: usd(cents), starting_hours_per_day }
}

#[test]
fn a_reserved_worker_is_cheaper_from_the_hour_on_at_which_both_cost_as_much() {
    let compared = break_even(usd(150), on_demand(400, 0.0)).unwrap();
    assert_eq!((compared.hours_per_day, compared.points.len()), (Some(9.0), 25));
    let costs = |hours: usize| (compared.points[hours].reserved.to_string(), compared.points[hours].on_demand.to_string());
    assert_eq!(costs(9), ("$36.00".to_owned(), "$36.00".to_owned()));
    assert_eq!(costs(0).1, "$0.00");
    assert_eq!(break_even(usd(401), on_demand(400, 0.0)).unwrap().hours_per_day, None);
    assert!(break_even(usd(0), on_demand(400, 0.0)).is_err() && break_even(usd(1), on_demand(400, -1.0)).is_err());
}

#[test]
fn hours_in_which_a_worker_starts_are_paid_for_and_do_no_work() {
    let compared = break_even(usd(150), on_demand(400, 2.0)).unwrap();
    assert_eq!(compared.hours_per_day, Some(7.0));
    let paid = [0, 7].map(|hours: usize| compared.points[hours].on_demand.to_string());
    assert_eq!(paid, ["$0.00", "$36.00"], "nothing is started for no work");
    assert_eq!(break_even(usd(1), on_demand(400, 2.0)).unwrap().hours_per_day, Some(0.0));
}

#[test]
fn a_plan_is_serialised_with_its_units_in_the_names() {
    let plan = plan_capacity(&input(vec![kind(2, 1.0, 200)], vec![entry(Lane::Batch, 144.0)])).unwrap();
    let json = serde_json::to_value(&plan).unwrap();
    assert_eq!((&json["utilisation"], &json["station"]["workers"]), (&0.5.into(), &2.into()));
    assert_eq!(json["sla"].as_array().unwrap().len(), 10);
    assert!(json["waits"]["p95_ms"].is_number());
}

proptest! {
    #[test]
    fn a_larger_fleet_is_less_full_promises_more_and_keeps_nobody_waiting_longer(
        workers in 1_u32..200, more in 1_u32..50, minutes in 1.0_f64..2000.0, interactive in 0.0_f64..500.0, variance in 0.0_f64..1e12,
    ) {
        let mix = vec![MixEntry { device_ms_variance: variance, ..entry(Lane::Batch, minutes) }, entry(Lane::Interactive, interactive)];
        let plan = |workers| plan_capacity(&input(vec![kind(workers, 1.5, 100)], mix.clone())).unwrap();
        let (small, large) = (plan(workers), plan(workers + more));
        prop_assert!(large.utilisation < small.utilisation && large.knee >= small.knee);
        prop_assert!(large.release_rate >= small.release_rate);
        let cost = |plan: &CapacityPlan| plan.cost_per_video_minute.unwrap().thousandths_of_minor;
        prop_assert!(cost(&large) >= cost(&small));
        if let (Some(small), Some(large)) = (small.waits, large.waits) {
            prop_assert!(large.mean_ms <= small.mean_ms && large.p95_ms <= small.p95_ms);
        }
        prop_assert!(small.curve.is_sorted_by(|a, b| a.mean_ms <= b.mean_ms && a.p99_ms <= b.p99_ms));
    }
}
