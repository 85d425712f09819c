//! What a fleet can do with a mix of work: how full it is, how long jobs wait at which utilisation, what a tenant may be promised, and
//! what it costs.
//!
//! Workers of several kinds are counted as equal ones of their mean speed, and the lanes as one queue: an interactive job waits for less
//! than is told here, one of a batch for more. Batching is in the measured times: what a job takes of a device beside others.

use super::queueing::{Station, WaitPoint};
use crate::{
    VideoTime,
    billing::{Currency, Lane, Money},
};
use serde::{Deserialize, Serialize};

const DAY_MS: f64 = 24.0 * 3_600_000.0;
const MINUTE_MS: f64 = 60_000.0;
/// What release rates leave free, for what comes at the same time and for workers that are lost.
const RELEASE_HEADROOM: f64 = 0.25;
/// A plan takes a moment for each hundred thousand.
pub const WORKERS_MAX: u32 = 100_000;

/// Workers with one kind of device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FleetKind {
    pub device_kind: String,
    pub workers: u32,
    /// How many times as fast as the device that the mix was measured on.
    pub speed: f64,
    /// Of one worker.
    pub price_per_hour: Option<Money>,
}

/// What is asked for of a model in a lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixEntry {
    pub model: String,
    pub lane: Lane,
    pub video_minutes_per_day: f64,
    /// The mean length of a video.
    pub video_minutes_per_job: f64,
    /// The mean time that a minute of video takes of a device.
    pub device_ms_per_video_minute: f64,
    /// The variance of that from job to job, in square milliseconds.
    pub device_ms_variance: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapacityInput {
    pub fleet: Vec<FleetKind>,
    pub mix: Vec<MixEntry>,
    /// Tenants whose batches run at the same time.
    pub batch_tenants: u32,
}

/// What a fleet does with a mix.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CapacityPlan {
    /// The fleet as equal workers.
    pub station: Station,
    /// The part of the workers' time that the mix fills; above 1 the queue grows for ever.
    pub utilisation: f64,
    /// At that utilisation. `None`: the queue grows for ever.
    pub waits: Option<WaitPoint>,
    /// The utilisation to stay below: there 95 of 100 jobs wait for no longer than a mean job takes.
    pub knee: f64,
    /// How much of the same mix fills the fleet to the knee.
    pub knee_video_minutes_per_day: f64,
    /// At utilisations of 1 to 99 per cent, for a chart.
    pub curve: Vec<WaitPoint>,
    /// At utilisations of 50 to 95 per cent, by 5.
    pub sla: Vec<WaitPoint>,
    /// What each batch tenant may be given a minute; `None`: there are no such tenants.
    pub release_rate: Option<VideoTime>,
    /// Of all workers, for a day. `None`: a kind has no price.
    pub cost_per_day: Option<Money>,
    /// With what workers cost while they are idle; of what they make where more comes.
    pub cost_per_video_minute: Option<Money>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CapacityError {
    #[error("The fleet has no workers.")]
    NoWorkers,
    #[error("A fleet of more than {max} workers is not planned.")]
    TooManyWorkers { max: u32 },
    #[error("Nothing is asked for.")]
    NoWork,
    /// `of`: a kind of device or a model.
    #[error("The {field} of {of} has to be a number above 0.")]
    NotPositive { field: &'static str, of: String },
    #[error("The variance of {of} has to be a number of at least 0.")]
    NegativeVariance { of: String },
    #[error("All prices have to be in one currency.")]
    Currencies,
}

/// Plans the capacity of a fleet for a mix.
///
/// # Errors
/// [`CapacityError`] says what to mend.
pub fn plan_capacity(input: &CapacityInput) -> Result<CapacityPlan, CapacityError> {
    let (workers, speed) = workers(&input.fleet)?;
    let work = Work::of(&input.mix)?;
    // Speed divides the mean and its square alike, so the variation stays.
    let station = Station { workers, service_ms: work.service_ms / speed, service_scv: work.service_scv };
    let capacity_ms = f64::from(workers) * speed * DAY_MS;
    let utilisation = work.device_ms_per_day / capacity_ms;
    let knee = station.knee();
    let at = |per_cent: u32| station.waits(f64::from(per_cent) / 100.0);
    let cost_per_day = cost_per_day(&input.fleet)?;
    Ok(CapacityPlan {
        station,
        utilisation,
        waits: station.waits(utilisation),
        knee,
        knee_video_minutes_per_day: work.video_minutes_per_day * knee / utilisation,
        curve: (1..=99).filter_map(at).collect(),
        sla: (50..=95).step_by(5).filter_map(at).collect(),
        release_rate: release_rate(&work, capacity_ms, input.batch_tenants),
        cost_per_day,
        // More than all of its time no fleet fills.
        cost_per_video_minute: cost_per_day.map(|cost| scaled(cost, utilisation.max(1.0) / work.video_minutes_per_day)),
    })
}

/// How many, and their mean speed.
fn workers(fleet: &[FleetKind]) -> Result<(u32, f64), CapacityError> {
    let (mut workers, mut speed) = (0_u32, 0.0);
    for kind in fleet.iter().filter(|kind| kind.workers > 0) {
        check_positive(kind.speed, "speed", &kind.device_kind)?;
        workers = workers.saturating_add(kind.workers);
        speed += f64::from(kind.workers) * kind.speed;
    }
    match workers {
        0 => Err(CapacityError::NoWorkers),
        1..=WORKERS_MAX => Ok((workers, speed / f64::from(workers))),
        _ => Err(CapacityError::TooManyWorkers { max: WORKERS_MAX }),
    }
}

/// A mix added up, for a device of speed 1.
#[derive(Debug, Default)]
struct Work {
    video_minutes_per_day: f64,
    device_ms_per_day: f64,
    /// Of that, for interactive jobs.
    interactive_ms_per_day: f64,
    /// What a minute of batch video takes; of all video where there are no batches.
    batch_ms_per_video_minute: f64,
    service_ms: f64,
    service_scv: f64,
}

impl Work {
    fn of(mix: &[MixEntry]) -> Result<Self, CapacityError> {
        let (mut work, mut jobs, mut square, mut batch_minutes) = (Self::default(), 0.0, 0.0, 0.0);
        for entry in mix.iter().filter(|entry| entry.video_minutes_per_day != 0.0) {
            check_positive(entry.video_minutes_per_day, "video-minutes a day", &entry.model)?;
            check_positive(entry.video_minutes_per_job, "length of a video", &entry.model)?;
            check_positive(entry.device_ms_per_video_minute, "device time of a video-minute", &entry.model)?;
            if !(entry.device_ms_variance.is_finite() && entry.device_ms_variance >= 0.0) {
                return Err(CapacityError::NegativeVariance { of: entry.model.clone() });
            }
            let entry_jobs = entry.video_minutes_per_day / entry.video_minutes_per_job;
            let entry_ms = entry.video_minutes_per_day * entry.device_ms_per_video_minute;
            jobs += entry_jobs;
            // The mean of squares is the square of the mean and the variance.
            square +=
                entry_jobs * entry.video_minutes_per_job.powi(2) * (entry.device_ms_per_video_minute.powi(2) + entry.device_ms_variance);
            work.video_minutes_per_day += entry.video_minutes_per_day;
            work.device_ms_per_day += entry_ms;
            match entry.lane {
                Lane::Interactive => work.interactive_ms_per_day += entry_ms,
                Lane::Batch => batch_minutes += entry.video_minutes_per_day,
            }
        }
        if jobs == 0.0 {
            return Err(CapacityError::NoWork);
        }
        work.service_ms = work.device_ms_per_day / jobs;
        // Rounding must not make it negative where all jobs are alike.
        work.service_scv = (square / jobs / work.service_ms.powi(2) - 1.0).max(0.0);
        work.batch_ms_per_video_minute = match batch_minutes {
            0.0 => work.device_ms_per_day / work.video_minutes_per_day,
            minutes => (work.device_ms_per_day - work.interactive_ms_per_day) / minutes,
        };
        Ok(work)
    }
}

/// Three quarters of what the fleet does, without what interactive jobs take of it, in equal parts.
fn release_rate(work: &Work, capacity_ms_per_day: f64, batch_tenants: u32) -> Option<VideoTime> {
    let budget_ms = (capacity_ms_per_day * (1.0 - RELEASE_HEADROOM) - work.interactive_ms_per_day).max(0.0);
    let video_minutes_per_day = budget_ms / work.batch_ms_per_video_minute;
    let video_ms_per_minute = video_minutes_per_day * MINUTE_MS / (DAY_MS / MINUTE_MS);
    (batch_tenants > 0).then(|| VideoTime::from_ms((video_ms_per_minute / f64::from(batch_tenants)) as u64))
}

fn cost_per_day(fleet: &[FleetKind]) -> Result<Option<Money>, CapacityError> {
    let mut sum: Option<Money> = None;
    for kind in fleet.iter().filter(|kind| kind.workers > 0) {
        let Some(price) = kind.price_per_hour else { return Ok(None) };
        let before = sum.map_or(0, |sum| sum.thousandths_of_minor);
        check_currency(sum.map_or(price.currency, |sum| sum.currency), price.currency)?;
        let day = price.thousandths_of_minor.saturating_mul(24).saturating_mul(kind.workers.into());
        sum = Some(Money { thousandths_of_minor: before.saturating_add(day), ..price });
    }
    Ok(sum)
}

fn check_currency(a: Currency, b: Currency) -> Result<(), CapacityError> {
    if a == b { Ok(()) } else { Err(CapacityError::Currencies) }
}

fn check_positive(number: f64, field: &'static str, of: &str) -> Result<(), CapacityError> {
    if number.is_finite() && number > 0.0 { Ok(()) } else { Err(CapacityError::NotPositive { field, of: of.to_owned() }) }
}

/// Rounded to a thousandth of the minor unit.
fn scaled(money: Money, by: f64) -> Money {
    Money { thousandths_of_minor: (money.thousandths_of_minor as f64 * by).round() as i64, ..money }
}

/// A worker that is there only while it is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnDemand {
    pub per_hour: Money,
    /// Hours a day that it starts and loads models, which are paid for and do no work.
    pub starting_hours_per_day: f64,
}

/// What a worker costs a day, kept warm and on demand, by the hours that it works.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BreakEven {
    /// From so many hours a day on a worker that is kept warm is cheaper; `None`: it never is.
    pub hours_per_day: Option<f64>,
    /// For 0 to 24 hours, for a chart.
    pub points: Vec<CostPoint>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CostPoint {
    pub hours_per_day: u32,
    /// Paid for the whole day.
    pub reserved: Money,
    pub on_demand: Money,
}

/// Compares a worker that is one's own or reserved, by what it costs an hour of each day, with one that is started when it is needed and paid
/// for until it ends.
///
/// # Errors
/// [`CapacityError::Currencies`]; [`CapacityError::NotPositive`] of a price that is not above 0, or of starts that take less than nothing.
pub fn break_even(reserved_per_hour: Money, on_demand: OnDemand) -> Result<BreakEven, CapacityError> {
    let OnDemand { per_hour, starting_hours_per_day: starting } = on_demand;
    check_currency(reserved_per_hour.currency, per_hour.currency)?;
    let (reserved, demanded) = (reserved_per_hour.thousandths_of_minor as f64, per_hour.thousandths_of_minor as f64);
    check_positive(reserved, "price", "a reserved worker")?;
    check_positive(demanded, "price", "a worker on demand")?;
    check_positive(1.0 + starting, "starting time", "a worker on demand")?;
    let hours = (24.0 * reserved / demanded - starting).max(0.0);
    let reserved_per_day = Money { thousandths_of_minor: reserved_per_hour.thousandths_of_minor.saturating_mul(24), ..reserved_per_hour };
    let point = |hours_per_day: u32| {
        // Nothing is started for no work.
        let paid_hours = if hours_per_day == 0 { 0.0 } else { f64::from(hours_per_day) + starting };
        CostPoint { hours_per_day, reserved: reserved_per_day, on_demand: scaled(per_hour, paid_hours) }
    };
    Ok(BreakEven { hours_per_day: (hours <= 24.0).then_some(hours), points: (0..=24).map(point).collect() })
}

#[cfg(test)]
mod tests;
