//! How many workers of one kind of device there should be.
//!
//! Six rules each ask for a number and the largest counts, within the limits of the operator. **Break-even**: a worker is started for
//! queued work only where that passes what the others have time for by more than two cold starts, so that at most a third of its time
//! is its start. **Knee**: the work that came lately fills no more than 80 % of the workers, as waits grow steeply beyond. **Forecast**:
//! the same for the work that usually comes in this hour of the week and the one that begins before a worker started now would be ready.
//! **Wait**: where there is none, one is started for a job that has waited for too long. **Room**: one more is started for such a job where pins leave
//! its model no room on those that are there. **Pin**: a model that is to be warm on so many workers needs as many.
//!
//! Workers are drained only to the largest number that was asked for in a window (the stabilisation window of the Kubernetes horizontal pod
//! autoscaler), so work that comes and goes changes nothing.

mod reason;
#[cfg(test)]
mod tests;

use super::week::{HOUR_MS, WeekForecast};
use crate::{Stage, Timestamp, WorkerId};
pub use reason::ScalingReason;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// How many cold starts' worth of queued work a worker must find to be started.
const BREAK_EVEN_STARTS: u64 = 2;

/// What the operator sets for a kind of device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalingLimits {
    /// The reserved baseline: never fewer.
    pub min: u32,
    pub max: u32,
    /// Workers beside those that are needed.
    pub headroom: u32,
    /// How much of the workers' time may be filled, in thousandths.
    pub knee_permille: u64,
    /// For how long fewer workers must have been enough before one is drained.
    pub idle_ms: u64,
    /// After a change no worker is drained for so long.
    pub cooldown_ms: u64,
    /// A job that waits for longer gets a worker where there is none.
    pub wait_max_ms: u64,
    /// How long before it is needed a worker is to be ready.
    pub ahead_ms: u64,
}

impl Default for ScalingLimits {
    fn default() -> Self {
        let (min, max, headroom, knee_permille) = (0, 1, 0, 800);
        Self { min, max, headroom, knee_permille, idle_ms: 10 * 60_000, cooldown_ms: 2 * 60_000, wait_max_ms: 60_000, ahead_ms: 5 * 60_000 }
    }
}

/// The workers of a kind of device, and the work that may run on them, in milliseconds of their device time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScalingView {
    pub device_kind: String,
    pub workers: Vec<ScalingWorker>,
    /// Asked for and not there yet.
    pub starting: u32,
    pub queued_ms: u64,
    /// How long the job has waited that has waited longest; `None`: none waits.
    pub oldest_wait_ms: Option<u64>,
    /// The same of models that no worker has or has room for beside what is pinned there.
    pub without_room_ms: Option<u64>,
    /// Work that came in the last `arrived_over_ms`.
    pub arrived_ms: u64,
    pub arrived_over_ms: u64,
    /// As learned: from asking for a worker until it begins its first job, its model loaded.
    pub cold_start_ms: u64,
    /// On how many workers of this kind a model must stay warm: as many as it is pinned on, and one where it is in demand; without those that have it
    /// on other kinds.
    pub warm_min: BTreeMap<String, u32>,
    /// The workers that pins ask for, without those of other kinds that have the model or can load it.
    pub pinned: BTreeMap<String, u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalingWorker {
    pub worker: WorkerId,
    /// Jobs that run.
    pub running: u32,
    /// When the last one ended, or the worker was ready.
    pub idle_since: Timestamp,
    pub draining: bool,
    /// The stages that it does.
    pub stages: Vec<Stage>,
    pub warm: Vec<String>,
}

/// What earlier decisions asked for. Kept by the caller from one decision to the next, and lost without harm: then nothing is drained for a
/// while.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ScalingHistory {
    /// When, and how many, the largest first: what a later decision exceeds is dropped.
    asked: VecDeque<(Timestamp, u32)>,
    /// Since when decisions were made without a gap.
    since: Option<Timestamp>,
    changed_at: Option<Timestamp>,
}

/// Workers that a provisioner is to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvisionRequest {
    pub kind: String,
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "what", rename_all = "snake_case")]
pub enum ScalingChange {
    None,
    Start(ProvisionRequest),
    /// These finish their jobs, take no more and end.
    Drain(Vec<WorkerId>),
}

/// How many workers there should be, what is done about it, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    pub wanted: u32,
    pub change: ScalingChange,
    pub reason: ScalingReason,
    /// For the next decision.
    #[serde(skip)]
    pub history: ScalingHistory,
}

/// Decides for one kind of device. The same input gives the same decision.
#[must_use]
pub fn decide(view: &ScalingView, limits: &ScalingLimits, forecast: &WeekForecast, history: ScalingHistory, now: Timestamp) -> Decision {
    let there = view.there();
    let (asked, cause) = wanted(view, limits, forecast, now);
    let max = limits.max.max(limits.min);
    let wanted = asked.clamp(limits.min, max);
    let mut history = history.and_asked(wanted, limits.idle_ms, now);
    let (change, reason) = if wanted > there {
        let count = wanted - there;
        let reason = if asked < limits.min { ScalingReason::Baseline { min: limits.min } } else { cause };
        (ScalingChange::Start(ProvisionRequest { kind: view.device_kind.clone(), count }), reason)
    } else if wanted < there {
        scale_in(view, limits, &history, now)
    } else if asked > max {
        (ScalingChange::None, ScalingReason::AtMaximum { asked, max })
    } else {
        (ScalingChange::None, if asked < limits.min { ScalingReason::Baseline { min: limits.min } } else { cause })
    };
    if change != ScalingChange::None {
        history.changed_at = Some(now);
    }
    Decision { wanted, change, reason, history }
}

/// The largest number that a rule asks for, before the limits, and that rule.
fn wanted(view: &ScalingView, limits: &ScalingLimits, forecast: &WeekForecast, now: Timestamp) -> (u32, ScalingReason) {
    let knee_permille = limits.knee_permille.clamp(1, 1000);
    let offered_permille = view.offered_permille();
    let filled = |offered_permille: u64| narrow(offered_permille.div_ceil(knee_permille)).saturating_add(limits.headroom);
    let by_arrivals =
        ScalingReason::Arrivals { offered_permille, workers: filled(offered_permille), knee_permille, headroom: limits.headroom };
    let mut most = (filled(offered_permille), by_arrivals);
    let mut consider = |workers: u32, reason: ScalingReason| {
        if workers > most.0 {
            most = (workers, reason);
        }
    };
    let ahead_ms = i64::try_from(view.cold_start_ms.saturating_add(limits.ahead_ms)).unwrap_or(i64::MAX);
    if let Some(expected_ms) = forecast.most_ms(now, now.plus_ms(ahead_ms)) {
        let expected_permille = expected_ms.saturating_mul(1000) / HOUR_MS.unsigned_abs();
        let workers = filled(expected_permille);
        consider(workers, ScalingReason::Forecast { expected_permille, workers, knee_permille, headroom: limits.headroom });
    }
    let (there, cold_start_ms) = (view.there(), view.cold_start_ms.max(1));
    consider(by_queue(view), ScalingReason::Queue { queued_ms: view.queued_ms, workers: there, cold_start_ms });
    if let Some(oldest_wait_ms) = view.oldest_wait_ms.filter(|wait_ms| *wait_ms > limits.wait_max_ms) {
        consider(1, ScalingReason::Waiting { oldest_wait_ms, wait_max_ms: limits.wait_max_ms });
    }
    if let Some(oldest_wait_ms) = view.without_room_ms.filter(|wait_ms| *wait_ms > limits.wait_max_ms) {
        // One that is starting will have room.
        let one_more = narrow(view.staying().count() as u64).saturating_add(1);
        consider(one_more, ScalingReason::NoRoom { oldest_wait_ms, wait_max_ms: limits.wait_max_ms });
    }
    if let Some((model, workers)) = view.pinned.iter().max_by_key(|(_, workers)| **workers) {
        consider(*workers, ScalingReason::Pinned { model: model.clone(), workers: *workers });
    }
    most
}

/// As many as find two cold starts' worth of queued work each. Where that is no reason to start one, it may be one to keep those that are
/// there.
fn by_queue(view: &ScalingView) -> u32 {
    let worth_ms = view.cold_start_ms.max(1).saturating_mul(BREAK_EVEN_STARTS);
    let attended_ms = worth_ms.saturating_mul(view.there().into());
    if view.queued_ms.saturating_sub(attended_ms) > worth_ms {
        narrow(view.queued_ms / worth_ms)
    } else {
        view.there().min(narrow(view.queued_ms.div_ceil(worth_ms)))
    }
}

/// Fewer would be enough: which go, or why none does.
fn scale_in(view: &ScalingView, limits: &ScalingLimits, history: &ScalingHistory, now: Timestamp) -> (ScalingChange, ScalingReason) {
    let there = view.there();
    let enough = history.most_asked().min(limits.max.max(limits.min));
    let seen_ms = history.since.map_or(0, |since| now.ms_since(since));
    // One that is starting may never come: none is drained in its place.
    let surplus = narrow(view.staying().count() as u64).saturating_sub(enough);
    if surplus == 0 || seen_ms < limits.idle_ms {
        return (ScalingChange::None, ScalingReason::NotForLong { workers: there, enough: enough.min(there), idle_ms: limits.idle_ms });
    }
    let changed_ms = history.changed_at.map_or(u64::MAX, |changed_at| now.ms_since(changed_at));
    if changed_ms < limits.cooldown_ms {
        return (ScalingChange::None, ScalingReason::CoolingDown { changed_ms, cooldown_ms: limits.cooldown_ms });
    }
    let drained = emptiest(view, surplus);
    if drained.is_empty() {
        return (ScalingChange::None, ScalingReason::AllNeeded { workers: there, enough });
    }
    (ScalingChange::Drain(drained), ScalingReason::Surplus { workers: there, enough, idle_ms: limits.idle_ms })
}

/// Up to `count` workers, those with the fewest jobs first, then the longest idle; none without which a model would be warm for a stage on too few,
/// and, where others stay, none that is the last to do a stage.
fn emptiest(view: &ScalingView, count: u32) -> Vec<WorkerId> {
    let there = view.staying().count();
    let drained = emptiest_where(view, count, count as usize >= there);
    if drained.len() < there { emptiest_where(view, count, false) } else { drained }
}

fn emptiest_where(view: &ScalingView, count: u32, all_go: bool) -> Vec<WorkerId> {
    let mut staying: Vec<&ScalingWorker> = view.staying().collect();
    // For each stage, how many do it and how many have a model warm.
    let mut doing: BTreeMap<Stage, u32> = BTreeMap::new();
    let mut warm: BTreeMap<(Stage, &str), u32> = BTreeMap::new();
    for worker in &staying {
        for stage in &worker.stages {
            *doing.entry(*stage).or_default() += 1;
            worker.warm.iter().for_each(|model| *warm.entry((*stage, model)).or_default() += 1);
        }
    }
    staying.sort_by_key(|worker| (worker.running, worker.idle_since, worker.worker));
    let mut drained = Vec::new();
    for worker in staying {
        let is_needed_warm = |stage: &Stage| {
            worker.warm.iter().any(|model| {
                let min = view.warm_min.get(model).copied().unwrap_or(0);
                min > 0 && warm.get(&(*stage, model)).is_none_or(|warm| *warm <= min)
            })
        };
        let is_last = |stage: &Stage| !all_go && doing.get(stage).is_none_or(|doing| *doing <= 1);
        let is_needed = worker.stages.iter().any(|stage| is_last(stage) || is_needed_warm(stage));
        if drained.len() < count as usize && !is_needed {
            for stage in &worker.stages {
                *doing.entry(*stage).or_default() -= 1;
                worker.warm.iter().for_each(|model| *warm.entry((*stage, model)).or_default() -= 1);
            }
            drained.push(worker.worker);
        }
    }
    drained
}

impl ScalingView {
    fn staying(&self) -> impl Iterator<Item = &ScalingWorker> {
        self.workers.iter().filter(|worker| !worker.draining)
    }

    /// Workers that take jobs or will.
    fn there(&self) -> u32 {
        narrow(self.staying().count() as u64).saturating_add(self.starting)
    }

    /// The work that came lately, in thousandths of what one worker does.
    fn offered_permille(&self) -> u64 {
        self.arrived_ms.saturating_mul(1000).checked_div(self.arrived_over_ms).unwrap_or(0)
    }
}

impl ScalingHistory {
    fn and_asked(mut self, wanted: u32, window_ms: u64, now: Timestamp) -> Self {
        let last = self.asked.back().map(|(at, _)| *at);
        // The clock was put back, or nobody decided for a while.
        if last.is_none_or(|last| last > now || now.ms_since(last) > window_ms) {
            self.asked.clear();
            self.since = Some(now);
        }
        self.changed_at = self.changed_at.filter(|changed_at| *changed_at <= now);
        while self.asked.front().is_some_and(|(at, _)| now.ms_since(*at) > window_ms) {
            self.asked.pop_front();
        }
        while self.asked.back().is_some_and(|(_, asked)| *asked <= wanted) {
            self.asked.pop_back();
        }
        self.asked.push_back((now, wanted));
        self
    }

    fn most_asked(&self) -> u32 {
        self.asked.front().map_or(0, |(_, asked)| *asked)
    }
}

fn narrow(workers: u64) -> u32 {
    u32::try_from(workers).unwrap_or(u32::MAX)
}
