//! The loop over denoising steps: leave, join, pause, step, tell.

use super::{
    Holder, Joining, SamplingError, Watch,
    member::{Member, guarded},
};
use crate::{
    device::{sharing::Using, watchdog::Watched},
    fault::{Faults, Point},
};
use diffusion::{Family, Sample, loading_on_this_thread};
use domain::Stage;
use std::{
    mem, slice,
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// How soon a sample goes on that was paused, where no other is denoised.
const LOOK_AT_PAUSED_EVERY: Duration = Duration::from_millis(5);

pub struct Batch {
    family: Arc<dyn Family>,
    capacity: usize,
    faults: Faults,
    watch: Watch,
    inbox: Receiver<Joining>,
    members: Vec<Member>,
    /// Those that make room for others.
    paused: Vec<Member>,
}

impl Batch {
    pub fn new(family: Arc<dyn Family>, capacity: usize, faults: Faults, watch: Watch, inbox: Receiver<Joining>) -> Self {
        Self { family, capacity, faults, watch, inbox, members: Vec::new(), paused: Vec::new() }
    }

    pub fn run(mut self) {
        loop {
            self.members.retain(|member| !member.has_left());
            self.paused.retain(|member| !member.has_left());
            self.pause();
            let joining = self.joining();
            if joining.is_empty() && self.members.is_empty() {
                if self.paused.is_empty() {
                    return;
                }
                continue;
            }
            let watched = self.watched(joining.iter().map(|request| &request.holder), self.pixels(&joining));
            let family = self.family.as_ref();
            self.members.extend(joining.into_iter().filter_map(|request| Member::admit(family, request)));
            drop(watched);
            self.inject_holds();
            let pixels = self.pixels(&[]);
            let (watched, _using) = self.watched(self.members.iter().map(|member| &member.holder), pixels);
            self.inject_strikes();
            self.step();
            self.tell();
            if pixels > 0.0 {
                self.watch.pace.note(watched.took(), pixels);
            }
        }
    }

    /// Whose slot was lent and is needed makes room, and goes on when one is free again.
    fn pause(&mut self) {
        self.paused.extend(self.members.extract_if(.., |member| member.holder.is_paused()));
        self.members.extend(self.paused.extract_if(.., |member| !member.holder.is_paused()));
    }

    /// Who fills the free places; an empty batch sleeps until somebody comes, and looks at who is paused meanwhile. Nobody, when nobody can
    /// come any more.
    fn joining(&self) -> Vec<Joining> {
        let mut joining = Vec::new();
        while self.members.len() + joining.len() < self.capacity {
            let idle = self.members.is_empty() && joining.is_empty();
            let next = match (idle, self.paused.is_empty()) {
                (true, true) => self.inbox.recv().ok(),
                (true, false) => self.wait_beside_paused(),
                (false, _) => self.inbox.try_recv().ok(),
            };
            match next {
                Some(request) => joining.push(request),
                None => break,
            }
        }
        joining
    }

    fn wait_beside_paused(&self) -> Option<Joining> {
        let next = self.inbox.recv_timeout(LOOK_AT_PAUSED_EVERY);
        if next.as_ref().is_err_and(|error| *error == RecvTimeoutError::Disconnected) {
            thread::sleep(LOOK_AT_PAUSED_EVERY);
        }
        next.ok()
    }

    /// Watches what the device does from now on for these, with the patience that so many pixels need, and counts it as theirs.
    fn watched<'a>(&self, holders: impl Iterator<Item = &'a Holder>, pixels: f64) -> (Watched, Using) {
        let (jobs, meters) = holders.map(|holder| (holder.hung.clone(), holder.meter.clone())).unzip();
        (self.watch.watchdog.call(self.watch.pace.patience(pixels), jobs), self.watch.sharing.begin(meters))
    }

    /// How much the members and who joins are, as a step's pace counts it.
    fn pixels(&self, joining: &[Joining]) -> f64 {
        let requests = self.members.iter().map(|member| &member.request).chain(joining.iter().map(|joining| &joining.request));
        requests.map(|request| request.pixels() as f64).sum()
    }

    fn inject_holds(&self) {
        for member in &self.members {
            self.faults.hold(Point::Step(member.sample.step_index()));
        }
        self.faults.delay();
    }

    /// What was asked to befall samples before their first step.
    fn inject_strikes(&mut self) {
        for member in mem::take(&mut self.members) {
            let new = member.sample.step_index() == 0;
            match if new { self.faults.strike(Stage::Sampling, &member.request.prompt) } else { Ok(()) } {
                Ok(()) => self.members.push(member),
                Err(error) => member.fail(error.into()),
            }
        }
    }

    /// One step for all; if that fails, one step for each alone, so that only those fail that fail alone.
    fn step(&mut self) {
        if self.members.is_empty() {
            return;
        }
        self.watch.counts.steps.fetch_add(1, Ordering::Relaxed);
        self.watch.counts.samples.fetch_add(self.members.len() as u64, Ordering::Relaxed);
        let Err(error) = advance(self.family.as_ref(), &mut self.members) else { return };
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            batch.size = self.members.len(),
            "a step failed; trying each sample alone"
        );
        for mut member in mem::take(&mut self.members) {
            match advance(self.family.as_ref(), slice::from_mut(&mut member)) {
                Ok(()) => self.members.push(member),
                Err(error) => member.fail(error),
            }
        }
    }

    /// Reports progress and hands out what is finished.
    fn tell(&mut self) {
        let family = self.family.as_ref();
        self.members.iter_mut().for_each(|member| member.report(family));
        for member in self.members.extract_if(.., |member| member.sample.is_done()) {
            member.finish(family);
        }
    }
}

/// Moves each member one of its own steps on.
fn advance(family: &dyn Family, members: &mut [Member]) -> Result<(), SamplingError> {
    let loaded = loading_on_this_thread();
    let mut samples: Vec<&mut Sample> = members.iter_mut().map(|member| &mut member.sample).collect();
    guarded(|| family.step(&mut samples))?;
    let loading = loading_on_this_thread() - loaded;
    members.iter_mut().for_each(|member| member.took.loading += loading);
    Ok(())
}
