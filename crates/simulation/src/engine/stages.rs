//! A job at its worker: the model is loaded, the job is on the device, is paused and goes on, and gives its slot back.

use super::{Engine, jobs::Phase, lines::LANES, timeline::Happening};
use crate::{Event, Observer};
use domain::{Stage, billing::Lane};

impl Engine {
    /// The job goes on the device when its model is loaded.
    pub(super) fn load(&mut self, job: u32, worker: usize, served: usize) {
        let state = &mut self.workers[worker];
        let loaded_at_ms = *state.loaded_at_ms[served].get_or_insert(self.now_ms + state.models[served].load_ms);
        if loaded_at_ms > self.now_ms {
            self.timeline.plan(loaded_at_ms, Happening::Loaded { job });
        } else {
            self.board(job);
        }
    }

    /// The job goes on the device, with all of its stage before it.
    pub(super) fn board(&mut self, job: u32) {
        let (units, _) = self.jobs.of(job).units();
        self.go_on(job, units);
    }

    /// The job goes on with so many units before it, unless it is to make room.
    pub(super) fn go_on(&mut self, job: u32, units: f64) {
        let open = self.jobs.of(job);
        let ((_, cost_ms), group, worker) = (open.units(), open.group(), open.worker);
        if open.is_paused {
            self.jobs.of_mut(job).phase = Phase::Paused { units };
        } else if units * cost_ms > 0.0 {
            let device = &mut self.workers[worker].device;
            device.settle(self.now_ms);
            let due = device.join(group, job, units, cost_ms);
            self.jobs.of_mut(job).phase = Phase::OnDevice { due, pauses_with: None };
            self.touch(worker);
        } else {
            self.finish(job);
        }
    }

    /// What was planned for a device is due: a job has done its stage there, or the step behind which it is paused.
    pub(super) fn device_due(&mut self, worker: usize, observer: &mut impl Observer) {
        self.touch(worker);
        let Some(number) = self.workers[worker].device.due(self.now_ms) else { return };
        let open = *self.jobs.of(number);
        let Phase::OnDevice { due, pauses_with } = open.phase else { return };
        self.workers[worker].device.leave(open.group(), number, due, open.units().1);
        if let Some(units) = pauses_with {
            self.jobs.of_mut(number).phase = Phase::Paused { units };
            observer.observe(self.now_ms, &open.job, Event::Paused);
        } else {
            self.finish(number);
        }
    }

    /// The job does not need the device any more. Its stage is over when the rest is done.
    pub(super) fn finish(&mut self, job: u32) {
        let open = self.jobs.of_mut(job);
        open.phase = Phase::Finishing;
        let overhead_ms = open.job.overhead_ms.of(open.stage).max(0.0);
        self.timeline.plan(self.now_ms + overhead_ms, Happening::StageOver { job });
    }

    /// The job gives its slot back, and waits for decoding, or has ended.
    pub(super) fn end_stage(&mut self, number: u32, observer: &mut impl Observer) {
        let open = *self.jobs.of(number);
        let (worker, tenant) = (open.worker, open.job.tenant);
        self.lines[open.line].taken.remove(&open.place());
        let state = &mut self.workers[worker];
        state.occupancy.release(open.stage, Some(lane_of(open.line)), false);
        state.batch.retain(|other| *other != number);
        if state.is_stopping && state.occupancy.running() == 0 {
            state.stopped_at_ms = Some(self.now_ms);
        }
        self.pause_newest(worker, observer);
        match open.stage {
            Stage::Sampling => {
                self.wait(number, Stage::Decoding, open.tag);
                observer.observe(self.now_ms, &open.job, Event::Sampled);
                self.offer(open.line, Stage::Decoding, observer);
            }
            Stage::Decoding => {
                self.jobs.end(number);
                self.tenants[tenant].ended(open.line, open.place());
                observer.observe(self.now_ms, &open.job, Event::Ended);
                self.release(tenant, observer);
            }
        }
        self.feed(worker, observer);
    }

    /// As many of a worker's batch jobs are paused as its slots say, the newest ones.
    pub(super) fn pause_newest(&mut self, worker: usize, observer: &mut impl Observer) {
        let state = &mut self.workers[worker];
        let paused = state.occupancy.paused_jobs(Stage::Sampling);
        if std::mem::replace(&mut state.told_to_pause, paused).max(paused) == 0 {
            return;
        }
        for (newest, job) in state.batch.clone().into_iter().rev().enumerate() {
            let is_paused = newest < paused;
            if std::mem::replace(&mut self.jobs.of_mut(job).is_paused, is_paused) != is_paused {
                if is_paused { self.pause(job, observer) } else { self.resume(job, observer) }
            }
        }
    }

    /// The job is to make room behind the step that it is in. One that is in its last ends instead.
    fn pause(&mut self, job: u32, observer: &mut impl Observer) {
        /// As much of a step as rounding may leave.
        const ROUNDED: f64 = 1e-6;
        let open = *self.jobs.of(job);
        if open.phase == Phase::Loading {
            return observer.observe(self.now_ms, &open.job, Event::Paused);
        }
        let Phase::OnDevice { due, .. } = open.phase else { return };
        let device = &mut self.workers[open.worker].device;
        device.settle(self.now_ms);
        let left = device.left(open.group(), due);
        let units = (left + ROUNDED).floor();
        if units >= left - ROUNDED && units > 0.0 {
            device.leave(open.group(), job, due, open.units().1);
            self.jobs.of_mut(job).phase = Phase::Paused { units };
            observer.observe(self.now_ms, &open.job, Event::Paused);
        } else if units > 0.0 {
            device.put_off(open.group(), job, due, due - units);
            self.jobs.of_mut(job).phase = Phase::OnDevice { due: due - units, pauses_with: Some(units) };
        }
        self.touch(open.worker);
    }

    fn resume(&mut self, job: u32, observer: &mut impl Observer) {
        let open = *self.jobs.of(job);
        match open.phase {
            Phase::Loading => observer.observe(self.now_ms, &open.job, Event::Resumed),
            Phase::Paused { units } => {
                observer.observe(self.now_ms, &open.job, Event::Resumed);
                self.go_on(job, units);
            }
            // It has not come to the end of its step.
            Phase::OnDevice { due, pauses_with: Some(units) } => {
                self.workers[open.worker].device.put_off(open.group(), job, due, due + units);
                self.jobs.of_mut(job).phase = Phase::OnDevice { due: due + units, pauses_with: None };
                self.touch(open.worker);
            }
            _ => {}
        }
    }
}

const fn lane_of(line: usize) -> Lane {
    LANES[line % 2]
}
