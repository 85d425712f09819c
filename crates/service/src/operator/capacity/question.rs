//! What is asked of the capacity planner: a fleet, what comes to it, and what a worker on demand costs; and what of it cannot be.

use domain::{
    billing::{Lane, Money},
    scheduling::fleet::{CapacityInput, FleetKind, MixEntry, OnDemand},
};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Kinds of devices, and models, that are planned at once.
pub const CAPACITY_ROWS_MAX: usize = 8;
/// Workers that are planned at once.
pub const CAPACITY_WORKERS_MAX: u32 = 10_000;
const SPEED_MAX: f64 = 1000.0;
const VIDEO_MINUTES_PER_HOUR_MAX: f64 = 1e6;
const DEVICE_S_MAX: f64 = 1e6;
const VIDEO_S_MAX: f64 = 3600.0;
const SLOTS_MAX: u32 = 64;
const TENANTS_MAX: u32 = 10_000;
const STARTS_MAX: u32 = 10_000;
const DAY_S: f64 = 86_400.0;
/// A million of the currency an hour.
const PRICE_MAX: i64 = 1_000_000_000_000;
const NAME_CHARS_MAX: usize = 100;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapacityQuestion {
    pub fleet: Vec<FleetKind>,
    pub mix: Vec<ModelMix>,
    pub video_minutes_per_hour: f64,
    /// Of that, what is of batches, in hundredths.
    pub batch_percent: f64,
    /// Tenants whose batches run at the same time.
    pub batch_tenants: u32,
    /// Jobs that a worker samples at once.
    pub slots: u32,
    /// What an hour of a worker costs that is there only while it is needed. `None`: as much as one that is always there.
    pub on_demand_per_hour: Option<Money>,
    /// From asking for a worker until it begins its first job.
    pub cold_start_s: f64,
    pub cold_starts_per_day: u32,
}

/// What is asked for of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelMix {
    pub model: String,
    /// Of all video-minutes, beside the shares of other models; in any unit.
    pub share: f64,
    /// What a video-minute takes of a device of speed 1, in seconds.
    pub device_s_per_video_minute: f64,
    /// The mean length of a video, in seconds.
    pub video_s: f64,
    /// The variance of what a video takes of a device, divided by the square of its mean.
    #[serde(default)]
    pub device_scv: f64,
    /// The part of that, of 1, that is decoding.
    #[serde(default)]
    pub decoding: f64,
}

/// A field of a question, as forms name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "field", content = "row", rename_all = "snake_case")]
pub enum CapacityField {
    /// Of a kind of device.
    Kind(usize),
    Workers(usize),
    Speed(usize),
    Price(usize),
    /// Of a model.
    Model(usize),
    Share(usize),
    DeviceTime(usize),
    Length(usize),
    Load,
    Batch,
    Tenants,
    Slots,
    OnDemandPrice,
    ColdStart,
    ColdStarts,
}

/// What cannot be, in a sentence that says what can.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CapacityProblem {
    #[serde(flatten)]
    pub field: CapacityField,
    pub message: String,
}

struct Problems(Vec<CapacityProblem>);

impl Problems {
    fn unless(&mut self, is_well: bool, field: CapacityField, message: impl Into<String>) {
        if !is_well {
            self.0.push(CapacityProblem { field, message: message.into() });
        }
    }
}

impl CapacityQuestion {
    /// All that is to be mended; nothing: it can be answered.
    #[must_use]
    pub fn problems(&self) -> Vec<CapacityProblem> {
        let mut problems = Problems(Vec::new());
        self.check_fleet(&mut problems);
        self.check_mix(&mut problems);
        let number = |value: f64, max: f64| value.is_finite() && value > 0.0 && value <= max;
        let load = number(self.video_minutes_per_hour, VIDEO_MINUTES_PER_HOUR_MAX);
        problems.unless(load, CapacityField::Load, "Give a number above 0, and at most a million.");
        problems.unless((0.0..=100.0).contains(&self.batch_percent), CapacityField::Batch, "Give a number from 0 to 100.");
        problems.unless(self.batch_tenants <= TENANTS_MAX, CapacityField::Tenants, format!("Give at most {TENANTS_MAX}."));
        problems.unless((1..=SLOTS_MAX).contains(&self.slots), CapacityField::Slots, format!("Give a number from 1 to {SLOTS_MAX}."));
        let price = self.on_demand_per_hour.is_none_or(is_price);
        problems.unless(price, CapacityField::OnDemandPrice, "Give a price above 0, and at most a million.");
        let other = self.currency().zip(self.on_demand_per_hour).is_some_and(|(currency, price)| price.currency != currency);
        problems.unless(!other, CapacityField::OnDemandPrice, "Give it in the currency of the other prices.");
        let is_day = (0.0..=DAY_S).contains(&self.cold_start_s);
        problems.unless(is_day, CapacityField::ColdStart, "Give the seconds as a number, and at most a day of them.");
        problems.unless(self.cold_starts_per_day <= STARTS_MAX, CapacityField::ColdStarts, format!("Give at most {STARTS_MAX}."));
        problems.0
    }

    fn check_fleet(&self, problems: &mut Problems) {
        let workers = self.fleet.iter().map(|kind| u64::from(kind.workers)).sum::<u64>();
        problems.unless(workers > 0, CapacityField::Workers(0), "Give at least one worker.");
        let most = format!("Give at most {} workers in all.", domain::grouped(CAPACITY_WORKERS_MAX.into()));
        problems.unless(workers <= u64::from(CAPACITY_WORKERS_MAX), CapacityField::Workers(0), most);
        let rows = self.fleet.len() <= CAPACITY_ROWS_MAX;
        problems.unless(rows, CapacityField::Kind(0), format!("Give at most {CAPACITY_ROWS_MAX} kinds of devices."));
        for (row, kind) in self.fleet.iter().enumerate().take(CAPACITY_ROWS_MAX) {
            let again = self.fleet[..row].iter().any(|other| other.device_kind == kind.device_kind);
            problems.unless(is_name(&kind.device_kind) && !again, CapacityField::Kind(row), "Give each kind of device a name of its own.");
            let speed = kind.speed.is_finite() && kind.speed > 0.0 && kind.speed <= SPEED_MAX;
            problems.unless(speed, CapacityField::Speed(row), "Give a number above 0, and at most 1000.");
            problems.unless(
                kind.price_per_hour.is_none_or(is_price),
                CapacityField::Price(row),
                "Give a price above 0, and at most a million.",
            );
            let other = self.currency().zip(kind.price_per_hour).is_some_and(|(currency, price)| price.currency != currency);
            problems.unless(!other, CapacityField::Price(row), "Give it in the currency of the other prices.");
        }
    }

    fn check_mix(&self, problems: &mut Problems) {
        let shares: f64 = self.mix.iter().map(|of| of.share).sum();
        problems.unless(shares > 0.0, CapacityField::Share(0), "Give at least one model a share above 0.");
        let rows = self.mix.len() <= CAPACITY_ROWS_MAX;
        problems.unless(rows, CapacityField::Model(0), format!("Give at most {CAPACITY_ROWS_MAX} models."));
        for (row, of) in self.mix.iter().enumerate().take(CAPACITY_ROWS_MAX) {
            let again = self.mix[..row].iter().any(|other| other.model == of.model);
            problems.unless(is_name(&of.model) && !again, CapacityField::Model(row), "Give each model a name of its own.");
            let share = (0.0..=1e9).contains(&of.share);
            problems.unless(share, CapacityField::Share(row), "Give a number of at least 0.");
            let takes = of.device_s_per_video_minute;
            let takes = (0.001..=DEVICE_S_MAX).contains(&takes);
            problems.unless(takes, CapacityField::DeviceTime(row), "Give the seconds as a number from 0.001 to a million.");
            let length = (0.01..=VIDEO_S_MAX).contains(&of.video_s);
            problems.unless(length, CapacityField::Length(row), "Give the seconds as a number from 0.01 to 3600.");
            let spread = (0.0..=1e4).contains(&of.device_scv) && (0.0..=1.0).contains(&of.decoding);
            problems.unless(
                spread,
                CapacityField::DeviceTime(row),
                "Its variance is from 0 to 10,000, and its part of decoding from 0 to 1.",
            );
        }
    }

    fn currency(&self) -> Option<domain::billing::Currency> {
        self.fleet.iter().find_map(|kind| kind.price_per_hour).map(|price| price.currency)
    }

    /// For the planner. A question with problems may have none.
    pub(super) fn input(&self) -> CapacityInput {
        let shares: f64 = self.mix.iter().map(|of| of.share).sum();
        let batch = self.batch_percent / 100.0;
        let entry = |of: &ModelMix, lane: Lane, part: f64| MixEntry {
            model: of.model.clone(),
            lane,
            video_minutes_per_day: self.video_minutes_per_hour * 24.0 * part * of.share / shares,
            video_minutes_per_job: of.video_s / 60.0,
            device_ms_per_video_minute: of.device_s_per_video_minute * 1000.0,
            device_ms_variance: of.device_scv * (of.device_s_per_video_minute * 1000.0).powi(2),
        };
        let entries = self.mix.iter().flat_map(|of| [entry(of, Lane::Interactive, 1.0 - batch), entry(of, Lane::Batch, batch)]);
        CapacityInput { fleet: self.fleet.clone(), mix: entries.collect(), batch_tenants: self.batch_tenants }
    }

    /// What one more worker costs an hour, and one on demand; `None`: that has no price. The kind with most workers, of several the first.
    pub(super) fn prices(&self) -> Option<(Money, OnDemand)> {
        let kind = self.fleet.iter().filter(|kind| kind.workers > 0).min_by_key(|kind| Reverse(kind.workers))?;
        let own = kind.price_per_hour?;
        let starting_hours_per_day = f64::from(self.cold_starts_per_day) * self.cold_start_s / 3600.0;
        Some((own, OnDemand { per_hour: self.on_demand_per_hour.unwrap_or(own), starting_hours_per_day }))
    }
}

fn is_price(price: Money) -> bool {
    (1..=PRICE_MAX).contains(&price.thousandths_of_minor)
}

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= NAME_CHARS_MAX && !name.chars().any(domain::text::is_hidden)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use domain::{billing::Currency, scheduling::fleet::plan_capacity};

    pub(in super::super) fn question() -> CapacityQuestion {
        let price = |cents| Some(Money::of_minor(cents, Currency::USD));
        let kind =
            |name: &str, workers, speed, cents| FleetKind { device_kind: name.to_owned(), workers, speed, price_per_hour: price(cents) };
        let of = |model: &str, share, device_s_per_video_minute| ModelMix {
            model: model.to_owned(),
            share,
            device_s_per_video_minute,
            video_s: 6.0,
            device_scv: 0.5,
            decoding: 0.1,
        };
        CapacityQuestion {
            fleet: vec![kind("h100", 4, 1.0, 250), kind("l4", 2, 0.5, 80)],
            mix: vec![of("small", 75.0, 60.0), of("large", 25.0, 600.0)],
            video_minutes_per_hour: 60.0,
            batch_percent: 40.0,
            batch_tenants: 3,
            slots: 1,
            on_demand_per_hour: price(400),
            cold_start_s: 120.0,
            cold_starts_per_day: 30,
        }
    }

    #[test]
    fn a_mix_is_as_much_as_is_asked_for_and_its_lanes_have_their_parts() {
        let input = question().input();
        let sum = |lane| input.mix.iter().filter(|entry| entry.lane == lane).map(|entry| entry.video_minutes_per_day).sum::<f64>();
        assert!((sum(Lane::Interactive) - 864.0).abs() < 1e-9 && (sum(Lane::Batch) - 576.0).abs() < 1e-9);
        // 45 small minutes an hour take 2700 s, 15 large ones 9000 s; the fleet has 5 * 3600 s.
        let plan = plan_capacity(&input).unwrap();
        assert!((plan.utilisation - 11_700.0 / 18_000.0).abs() < 1e-9, "{}", plan.utilisation);
    }

    #[test]
    fn starts_are_hours_of_a_worker_on_demand() {
        let (own, on_demand) = question().prices().unwrap();
        assert_eq!((own.to_string(), on_demand.per_hour.to_string()), ("$2.50".to_owned(), "$4.00".to_owned()));
        assert!((on_demand.starting_hours_per_day - 1.0).abs() < 1e-9);
        let mut without = CapacityQuestion { on_demand_per_hour: None, ..question() };
        assert_eq!(without.prices().unwrap().1.per_hour, own);
        without.fleet[1].workers = without.fleet[0].workers;
        assert_eq!(without.prices().unwrap().0, own, "of two kinds with as many workers the first");
    }

    #[test]
    fn what_can_be_has_no_problems_and_every_one_of_the_others_is_named() {
        assert_eq!(question().problems(), []);
        let problem = |change: fn(&mut CapacityQuestion)| {
            let mut asked = question();
            change(&mut asked);
            asked.problems().into_iter().map(|problem| problem.field).collect::<Vec<_>>()
        };
        assert_eq!(problem(|asked| asked.fleet.clear()), [CapacityField::Workers(0)]);
        assert_eq!(problem(|asked| asked.fleet[1].workers = u32::MAX), [CapacityField::Workers(0)]);
        assert_eq!(problem(|asked| asked.fleet[1].speed = f64::INFINITY), [CapacityField::Speed(1)]);
        assert_eq!(problem(|asked| asked.fleet[1].device_kind = "h100".into()), [CapacityField::Kind(1)]);
        assert_eq!(problem(|asked| asked.mix.iter_mut().for_each(|of| of.share = 0.0)), [CapacityField::Share(0)]);
        assert_eq!(problem(|asked| asked.mix[1].device_s_per_video_minute = -1.0), [CapacityField::DeviceTime(1)]);
        assert_eq!(problem(|asked| asked.mix[0].video_s = f64::NAN), [CapacityField::Length(0)]);
        assert_eq!(problem(|asked| asked.video_minutes_per_hour = 0.0), [CapacityField::Load]);
        assert_eq!(problem(|asked| asked.batch_percent = 101.0), [CapacityField::Batch]);
        assert_eq!(problem(|asked| asked.slots = 0), [CapacityField::Slots]);
        assert_eq!(problem(|asked| asked.batch_tenants = 10_001), [CapacityField::Tenants]);
        assert_eq!(problem(|asked| asked.cold_start_s = f64::NAN), [CapacityField::ColdStart]);
        let euros = |asked: &mut CapacityQuestion| {
            asked.on_demand_per_hour = Some(Money::of_minor(1, Currency::try_from("eur".to_owned()).unwrap()));
        };
        assert_eq!(problem(euros), [CapacityField::OnDemandPrice]);
    }

    #[test]
    fn a_question_is_read_as_it_is_written() {
        let text = serde_json::to_string(&question()).unwrap();
        assert_eq!(serde_json::from_str::<CapacityQuestion>(&text).unwrap(), question());
        assert!(serde_json::from_str::<CapacityQuestion>(&text.replacen("\"slots\"", "\"slot\"", 1)).is_err());
    }
}
