//! Which job a worker takes: lane by lane as its slots say, and of the lines of a lane that of the tenant that has had least of it. This is
//! `store::queue::claim` without rows, suspects and races.

use super::{
    Engine, ServedModel,
    jobs::Phase,
    lines::{Entry, LANES, STAGES, line_of, number},
    timeline::Happening,
};
use crate::{Event, Observer};
use domain::{
    Stage,
    billing::Lane,
    scheduling::{LOOK_MIN, LaneOrder, Place, VirtualTime, left_for_ms},
};
use std::collections::BTreeMap;

impl Engine {
    /// A job has come to wait in a line: a worker that would take it is asked.
    pub(super) fn offer(&mut self, line: usize, stage: Stage, observer: &mut impl Observer) {
        if let Some(worker) = self.lines[line].taker(stage, self.last_asked) {
            self.last_asked = worker;
            self.feed(worker as usize, observer);
        }
    }

    /// A worker takes what it may have.
    pub(super) fn feed(&mut self, worker: usize, observer: &mut impl Observer) {
        for stage in STAGES {
            while self.waiting[number(stage)] > 0 && self.claim(worker, stage, observer) {}
        }
        self.tell_offers(worker);
    }

    /// Says in its lines whether a worker would take more.
    pub(super) fn tell_offers(&mut self, worker: usize) {
        for stage in STAGES {
            let state = &mut self.workers[worker];
            let offer = state.offer(stage).map(|order| (order, state.occupancy.running() as u32));
            let before = std::mem::replace(&mut state.offered[number(stage)], offer);
            if before == offer {
                continue;
            }
            for lane in LANES {
                let takes =
                    |offer: Option<(LaneOrder, u32)>| offer.filter(|(order, _)| order.lanes().contains(&lane)).map(|(_, jobs)| jobs);
                for served in self.workers[worker].present() {
                    let takers = &mut self.lines[line_of(lane, served.model)].takers[number(stage)];
                    if let Some(jobs) = takes(before) {
                        takers.remove(&(jobs, worker as u32));
                    }
                    if let Some(jobs) = takes(offer) {
                        takers.insert((jobs, worker as u32));
                    }
                }
            }
        }
    }

    /// A model leaves a worker, or is there again.
    pub(super) fn change_away(&mut self, worker: usize, served: usize, observer: &mut impl Observer) {
        let state = &mut self.workers[worker];
        let ServedModel { model, .. } = state.models[served];
        let is_away = state.models[served].is_away(self.now_ms);
        if std::mem::replace(&mut state.is_away[served], is_away) == is_away {
            return;
        }
        for stage in STAGES {
            let Some((order, jobs)) = self.workers[worker].offered[number(stage)] else { continue };
            for lane in order.lanes() {
                let takers = &mut self.lines[line_of(*lane, model)].takers[number(stage)];
                if is_away {
                    takers.remove(&(jobs, worker as u32));
                } else {
                    takers.insert((jobs, worker as u32));
                }
            }
        }
        self.feed(worker, observer);
    }

    fn claim(&mut self, worker: usize, stage: Stage, observer: &mut impl Observer) -> bool {
        let mut occupancy = self.workers[worker].occupancy;
        let Some((_, order)) = occupancy.reserve(stage) else { return false };
        let Some((lane, model, place, least)) = order.lanes().iter().find_map(|lane| self.choose(worker, stage, *lane)) else {
            return false;
        };
        occupancy.start(stage, lane, false);
        self.workers[worker].occupancy = occupancy;
        let line = &mut self.lines[line_of(lane, model)];
        let Some(Entry { job, .. }) = line.waiting[number(stage)].remove(&place) else { return false };
        line.taken.insert(place);
        self.waiting[number(stage)] -= 1;
        self.take(job, (worker, stage, lane), least, observer);
        true
    }

    /// The model and the place of the job that is next of a lane, and what the tenant has had that has had least of those that wait.
    fn choose(&mut self, worker: usize, stage: Stage, lane: Lane) -> Option<(Lane, usize, Place, Option<VirtualTime>)> {
        let worker = &mut self.workers[worker];
        let rotation = worker.rotation[number(stage)].of(lane);
        let mut heads = worker.models.iter().zip(&worker.is_away).filter(|(_, is_away)| !**is_away).filter_map(|(served, _)| {
            let line = &self.lines[line_of(lane, served.model)].waiting[number(stage)];
            line.first_key_value().map(|(place, _)| (served.model, line, *place))
        });
        let tenant = |entry: &Entry| self.tenants[entry.tenant as usize].tenant.id;
        if !self.policy.rotates() {
            return heads.min_by_key(|(.., place)| *place).map(|(model, _, place)| (lane, model, place, None));
        }
        if worker.models.len() == 1 {
            return heads.next().map(|(model, _, place)| (lane, model, place, None));
        }
        let least = |line: &BTreeMap<Place, Entry>| rotation.least_had(line.values().take(LOOK_MIN as usize).map(tenant));
        // Of two that have had the same, the older job.
        let next = heads.map(|(model, line, place)| (least(line), place.job, model, place)).min_by_key(|(least, job, ..)| (*least, *job));
        next.map(|(least, _, model, place)| (lane, model, place, least))
    }

    /// A worker takes a job, which begins when it is claimed.
    fn take(
        &mut self,
        number_of: u32,
        (worker, stage, lane): (usize, Stage, Lane),
        least: Option<VirtualTime>,
        observer: &mut impl Observer,
    ) {
        let open = self.jobs.of_mut(number_of);
        let state = &mut self.workers[worker];
        (open.worker, open.phase, open.is_paused) = (worker, Phase::Loading, false);
        open.served = state.position(open.job.model).unwrap_or(0);
        let (job, tag) = (open.job, open.tag);
        if state.models.len() > 1 {
            state.rotation[number(stage)].of(lane).took(self.tenants[job.tenant].tenant.id, tag, least);
        }
        if (stage, lane) == (Stage::Sampling, Lane::Batch) {
            state.batch.push(number_of);
        }
        if state.claim_ms > 0.0 {
            // Beside this one.
            let jobs = state.occupancy.jobs().saturating_sub(1);
            let claimed_ms = self.now_ms + state.claim_ms + left_for_ms(jobs) as f64;
            self.timeline.plan(claimed_ms, Happening::Claimed { job: number_of });
        } else {
            self.begin(number_of, observer);
        }
        self.pause_newest(worker, observer);
    }

    /// A job has been claimed.
    pub(super) fn begin(&mut self, number: u32, observer: &mut impl Observer) {
        let open = *self.jobs.of(number);
        observer.observe(self.now_ms, &open.job, Event::Begun { stage: open.stage, worker: open.worker });
        self.load(number, open.worker, open.served);
    }
}
