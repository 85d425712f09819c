//! The question that the live system asks: the workers that are there, what came of late, and what it takes.

use super::{
    super::{HOUR_MS, HOURS},
    CAPACITY_ROWS_MAX, CapacityQuestion, ModelMix,
};
use crate::{Services, costs::Costs};
use domain::{
    Model, Timestamp,
    billing::{Lane, costs::DevicePrices},
    scheduling::{Workload, fleet::FleetKind},
};
use std::collections::BTreeMap;
use store::{ALIVE_MS, Demand, LiveWorker, MeasuredDemand, ModelDemand, StoreError, Waited};

/// Until a worker was seen to start.
const COLD_START_S: f64 = 20.0;
/// Decisions of which starts are counted.
const DECISIONS_READ: u32 = 1000;
/// Of a model that was never measured: an hour of a device for a minute of video.
const DEVICE_S_UNKNOWN: f64 = 3600.0;
/// Of a fleet that nobody asks for anything.
const EXAMPLE_PERCENT: f64 = 60.0;
const HOUR: f64 = 3_600_000.0;

/// What the planner begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveCapacity {
    pub question: CapacityQuestion,
    pub at: Timestamp,
    /// Of the workers' time, of 1, what the jobs of the last hour fill. `None`: no workers are there.
    pub utilisation: Option<f64>,
    /// Jobs that have succeeded in the last hour.
    pub waited: Option<Waited>,
    /// What is not of the live system.
    pub guesses: Vec<Guess>,
}

/// What is not known of the live system, so that something else stands in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// One is planned.
    NoWorkers,
    /// Nothing came within a day.
    NoJobs,
    /// Nothing came within the hour: it is the mean of the day.
    NoJobsLately,
    /// Of a model that came or is on offer, it was never measured what it takes.
    NotMeasured,
    /// More kinds of devices or models than are planned at once.
    TooManyRows,
}

/// Demands of an hour and of a day, and the waits of the hour.
#[derive(Debug, Clone)]
pub(in super::super) struct Lately {
    hour: Demand,
    day: Demand,
    waited: Option<Waited>,
}

impl Services {
    pub(super) async fn lately(&self) -> Result<Lately, StoreError> {
        let store = self.store.clone();
        let ask = || async move {
            let (now, operator) = (store.now().await?, store.operator());
            let hour_ago = now.plus_ms(-HOUR_MS);
            let day = operator.demand(now.plus_ms(-i64::from(HOURS) * HOUR_MS)).await?;
            Ok(Lately { hour: operator.demand(hour_ago).await?, day, waited: operator.waited(hour_ago).await? })
        };
        self.recent_parts.lately.get((), ask).await
    }

    pub(in super::super) async fn live_capacity(&self) -> Result<LiveCapacity, StoreError> {
        self.costs.refresh(&self.store).await?;
        let lately = self.lately().await?;
        let workers = self.store.workers().live(ALIVE_MS).await?;
        let prices = self.store.operator().device_prices().await?;
        let decisions = self.store.scaling().decisions(DECISIONS_READ).await?;
        let now = self.store.now().await?;
        let day_ago = now.plus_ms(-i64::from(HOURS) * HOUR_MS);
        let starts = decisions.iter().filter(|decision| decision.at > day_ago).map(|decision| decision.started).sum();
        let catalog = self.catalog_soon().await;
        let offered = catalog.as_deref().and_then(domain::Catalog::default_model);
        Ok(LiveOf { lately: &lately, workers: &workers, prices: &prices, costs: &self.costs, offered, starts }.capacity(now))
    }
}

/// All that it is made of.
struct LiveOf<'a> {
    lately: &'a Lately,
    workers: &'a [LiveWorker],
    prices: &'a DevicePrices,
    costs: &'a Costs,
    /// The default one.
    offered: Option<&'a Model>,
    /// Of workers, in a day.
    starts: u32,
}

impl LiveOf<'_> {
    fn capacity(&self, at: Timestamp) -> LiveCapacity {
        let mut guesses = Vec::new();
        let reference = self.reference();
        let mix = self.mix(reference, &mut guesses);
        let (fleet, slots) = self.fleet(reference, &mut guesses);
        let Lately { hour, day, waited } = self.lately;
        let (hourly, daily) = (minutes_per_hour(hour), minutes_per_hour(day));
        let batch_of = if hourly > 0.0 { hour } else { day };
        if hourly <= 0.0 {
            guesses.push(if daily > 0.0 { Guess::NoJobsLately } else { Guess::NoJobs });
        }
        let mut question = CapacityQuestion {
            fleet,
            mix,
            video_minutes_per_hour: if hourly > 0.0 { hourly } else { daily },
            batch_percent: batch_percent(batch_of),
            batch_tenants: u32::try_from(day.batch_tenants).unwrap_or(u32::MAX).clamp(1, 10_000),
            slots,
            on_demand_per_hour: None,
            cold_start_s: COLD_START_S,
            cold_starts_per_day: self.starts.min(10_000),
        };
        let full = full_minutes_per_hour(&question);
        let is_there = self.workers.iter().any(takes_jobs);
        let utilisation = is_there.then(|| hourly / full).filter(|part| part.is_finite());
        if question.video_minutes_per_hour <= 0.0 {
            question.video_minutes_per_hour = full * EXAMPLE_PERCENT / 100.0;
        }
        // A number that nobody would type.
        question.video_minutes_per_hour = rounded(question.video_minutes_per_hour).max(0.001);
        guesses.dedup();
        LiveCapacity { question, at, utilisation, waited: *waited, guesses }
    }

    /// How many workers take jobs, by kind of device.
    fn kinds(&self) -> BTreeMap<&str, u32> {
        let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
        for worker in self.workers.iter().filter(|worker| takes_jobs(worker)) {
            *kinds.entry(&worker.device).or_default() += 1;
        }
        kinds
    }

    /// The kind of device with most workers: of it device time is told, and the speed of the others. `None`: no workers are there.
    fn reference(&self) -> Option<&str> {
        self.kinds().into_iter().min_by_key(|(_, workers)| std::cmp::Reverse(*workers)).map(|(device, _)| device)
    }

    /// Kinds of devices with most workers first, and the slots of a worker.
    fn fleet(&self, reference: Option<&str>, guesses: &mut Vec<Guess>) -> (Vec<FleetKind>, u32) {
        let mut kinds = self.kinds();
        let taking: Vec<_> = self.workers.iter().filter(|worker| takes_jobs(worker)).map(|worker| worker.slots.sampling.all()).collect();
        let slots = if taking.is_empty() { 1 } else { taking.iter().sum::<usize>().div_ceil(taking.len()) };
        if kinds.is_empty() {
            guesses.push(Guess::NoWorkers);
            kinds.insert(self.prices.0.keys().next().map_or("cpu", String::as_str), 1);
        }
        let kind = |(device, workers): (&str, u32)| FleetKind {
            device_kind: device.to_owned(),
            workers,
            speed: self.speed(device, reference),
            price_per_hour: self.prices.0.get(device).copied().filter(|price| price.thousandths_of_minor > 0),
        };
        let mut fleet: Vec<_> = kinds.into_iter().map(kind).collect();
        fleet.sort_by_key(|kind| std::cmp::Reverse(kind.workers));
        if fleet.len() > CAPACITY_ROWS_MAX {
            guesses.push(Guess::TooManyRows);
            fleet.truncate(CAPACITY_ROWS_MAX);
        }
        (fleet, u32::try_from(slots).unwrap_or(1).clamp(1, 64))
    }

    /// How many times as fast a kind of device is as that of which device time is told.
    fn speed(&self, device: &str, reference: Option<&str>) -> f64 {
        let took = |device: Option<&str>| {
            let model = self.offered?;
            let costs = self.costs.of_stages(&model.id, device, Workload::default_of(model))?;
            Some(costs.sampling_ms + costs.decoding_ms)
        };
        match (took(reference), took(Some(device))) {
            (Some(of_reference), Some(kind)) if kind > 0.0 => rounded((of_reference / kind).clamp(0.01, 1000.0)),
            _ => 1.0,
        }
    }

    /// What came within a day, the models of which most came first; what is on offer where nothing did.
    fn mix(&self, reference: Option<&str>, guesses: &mut Vec<Guess>) -> Vec<ModelMix> {
        let mut models: BTreeMap<&str, Vec<&ModelDemand>> = BTreeMap::new();
        for of in &self.lately.day.models {
            models.entry(&of.model).or_default().push(of);
        }
        let mix = models.iter().filter_map(|(model, lanes)| self.of_model((*model, lanes.as_slice()), reference, guesses));
        let mut mix: Vec<_> = mix.collect();
        mix.sort_by(|one, other| other.share.total_cmp(&one.share));
        if mix.len() > CAPACITY_ROWS_MAX {
            guesses.push(Guess::TooManyRows);
            mix.truncate(CAPACITY_ROWS_MAX);
        }
        if mix.is_empty() {
            mix.push(self.example(reference, guesses));
        }
        let shares: f64 = mix.iter().map(|of| of.share).sum();
        mix.iter_mut().for_each(|of| of.share = rounded(of.share / shares * 100.0));
        mix
    }

    fn of_model(&self, (model, lanes): (&str, &[&ModelDemand]), reference: Option<&str>, guesses: &mut Vec<Guess>) -> Option<ModelMix> {
        let sum = |of: fn(&ModelDemand) -> f64| lanes.iter().map(|lane| of(lane)).sum::<f64>();
        let (minutes, jobs) = (sum(|lane| minutes(lane.billed)), sum(|lane| lane.jobs as f64));
        if minutes <= 0.0 || jobs <= 0.0 {
            return None;
        }
        let measured = |device: Option<&str>| {
            let is_of = |(kind, _): &(&String, &MeasuredDemand)| device.is_none_or(|device| device == *kind);
            Measured::of(lanes.iter().flat_map(|lane| lane.measured.iter().filter(is_of).map(|(_, measured)| measured)))
        };
        let learned = || {
            let offered = self.offered.filter(|offered| offered.id == model)?;
            let reference = reference.filter(|device| self.costs.pace_is_measured(offered, device))?;
            self.learned_on(model, Some(reference))
        };
        let of_reference = measured(reference).takes().or_else(learned);
        let video_s = rounded((minutes * 60.0 / jobs).clamp(0.01, 3600.0));
        // What another kind of device took says least.
        let takes = of_reference.or_else(|| measured(None).takes());
        let (device_s_per_video_minute, device_scv, decoding) = takes.unwrap_or_else(|| self.learned(model, reference, guesses));
        Some(ModelMix { model: model.to_owned(), share: minutes, device_s_per_video_minute, video_s, device_scv, decoding })
    }

    /// What a video-minute of the default request takes as it was learned, its variance, and the part of decoding.
    fn learned(&self, model: &str, reference: Option<&str>, guesses: &mut Vec<Guess>) -> (f64, f64, f64) {
        self.learned_on(model, reference).unwrap_or_else(|| {
            guesses.push(Guess::NotMeasured);
            (DEVICE_S_UNKNOWN, 0.0, 0.0)
        })
    }

    /// The same on a kind of device; `None` where it was never measured.
    fn learned_on(&self, model: &str, device: Option<&str>) -> Option<(f64, f64, f64)> {
        let offered = self.offered.filter(|offered| offered.id == model)?;
        let costs = self.costs.of_stages(model, device, Workload::default_of(offered))?;
        let (all_ms, minutes) = (costs.sampling_ms + costs.decoding_ms, minutes(offered.counts_as(offered.duration_default())));
        Some((rounded((all_ms / 1000.0 / minutes).clamp(0.001, 1e6)), 0.0, costs.decoding_ms / all_ms.max(1e-9)))
    }

    fn example(&self, reference: Option<&str>, guesses: &mut Vec<Guess>) -> ModelMix {
        let (model, video_s) = match self.offered {
            Some(offered) => (offered.id.clone(), offered.counts_as(offered.duration_default()).seconds()),
            None => ("a model".to_owned(), 2.0),
        };
        let (device_s_per_video_minute, device_scv, decoding) = self.learned(&model, reference, guesses);
        ModelMix { model, share: 100.0, device_s_per_video_minute, video_s: video_s.clamp(0.01, 3600.0), device_scv, decoding }
    }
}

/// What some jobs took, added up.
#[derive(Default)]
struct Measured {
    jobs: f64,
    minutes: f64,
    sampling_ms: f64,
    decoding_ms: f64,
    squares: f64,
}

impl Measured {
    fn of<'a>(parts: impl Iterator<Item = &'a MeasuredDemand>) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            jobs: sum.jobs + part.jobs as f64,
            minutes: sum.minutes + minutes(part.billed),
            sampling_ms: sum.sampling_ms + part.sampling_ms as f64,
            decoding_ms: sum.decoding_ms + part.decoding_ms as f64,
            squares: sum.squares + part.squares,
        })
    }

    /// Seconds of a device for a video-minute, the variance over the square of the mean, and the part of decoding.
    fn takes(&self) -> Option<(f64, f64, f64)> {
        let all_ms = self.sampling_ms + self.decoding_ms;
        let is_known = self.jobs > 0.0 && self.minutes > 0.0 && all_ms > 0.0;
        let mean_ms = all_ms / self.jobs;
        is_known.then(|| {
            let scv = (self.squares / self.jobs / (mean_ms * mean_ms) - 1.0).clamp(0.0, 1e4);
            (rounded((all_ms / 1000.0 / self.minutes).clamp(0.001, 1e6)), scv, self.decoding_ms / all_ms)
        })
    }
}

fn takes_jobs(worker: &LiveWorker) -> bool {
    !worker.is_draining && worker.slots.sampling.all() > 0
}

fn minutes(time: domain::VideoTime) -> f64 {
    time.ms() as f64 / 60_000.0
}

fn minutes_per_hour(demand: &Demand) -> f64 {
    let hours = demand.until.ms_since(demand.since).max(1) as f64 / HOUR;
    demand.models.iter().fold(0.0, |sum, of| sum + minutes(of.billed)) / hours
}

/// Of the video-minutes, in hundredths.
fn batch_percent(demand: &Demand) -> f64 {
    let sum = |of: fn(&ModelDemand) -> bool| demand.models.iter().filter(|model| of(model)).map(|of| minutes(of.billed)).sum::<f64>();
    let all = sum(|_| true);
    if all > 0.0 { rounded(sum(|model| model.lane == Lane::Batch) / all * 100.0) } else { 0.0 }
}

/// What the fleet makes if it does nothing else.
fn full_minutes_per_hour(question: &CapacityQuestion) -> f64 {
    let speed: f64 = question.fleet.iter().map(|kind| f64::from(kind.workers) * kind.speed).sum();
    let shares: f64 = question.mix.iter().map(|of| of.share).sum();
    let device_s = question.mix.iter().map(|of| of.device_s_per_video_minute * of.share).sum::<f64>() / shares;
    speed * 3600.0 / device_s
}

/// To three digits, as people write numbers.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let scale = 10_f64.powi(2 - number.abs().log10().floor() as i32);
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests;
