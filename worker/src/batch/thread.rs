//! The loop over denoising steps: leave, join, step, tell.

use super::{
    Order, SamplingError,
    member::{Member, guarded},
};
use crate::fault::Faults;
use diffusion::{Family, Sample};
use domain::Stage;
use std::{
    mem, slice,
    sync::{Arc, mpsc::Receiver},
    time::Instant,
};

pub struct Batch {
    family: Arc<dyn Family>,
    capacity: usize,
    faults: Faults,
    inbox: Receiver<Order>,
    members: Vec<Member>,
}

impl Batch {
    pub fn new(family: Arc<dyn Family>, capacity: usize, faults: Faults, inbox: Receiver<Order>) -> Self {
        Self { family, capacity, faults, inbox, members: Vec::new() }
    }

    pub fn run(mut self) {
        loop {
            self.members.retain(|member| !member.has_left());
            if !self.let_in() {
                return;
            }
            self.tempt_fate();
            self.step();
            self.tell();
        }
    }

    /// Fills the free places; an empty batch sleeps until somebody comes. `false` when nobody can come any more.
    fn let_in(&mut self) -> bool {
        while self.members.len() < self.capacity {
            let next = if self.members.is_empty() { self.inbox.recv().ok() } else { self.inbox.try_recv().ok() };
            match next {
                Some(order) => self.members.extend(Member::admit(self.family.as_ref(), order)),
                None => return !self.members.is_empty(),
            }
        }
        true
    }

    fn tempt_fate(&self) {
        for member in self.members.iter().filter(|member| member.sample.step_index() == 0) {
            self.faults.strike(Stage::Sampling, &member.request.prompt);
        }
        self.faults.dawdle();
    }

    /// One step for all; if that fails, one step for each alone, so that only those fail that fail alone.
    fn step(&mut self) {
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

/// Moves each member one of its own steps on and shares the time out between them.
fn advance(family: &dyn Family, members: &mut [Member]) -> Result<(), SamplingError> {
    let begun = Instant::now();
    let mut samples: Vec<&mut Sample> = members.iter_mut().map(|member| &mut member.sample).collect();
    let count = samples.len() as u32;
    guarded(|| family.step(&mut samples))?;
    let share = begun.elapsed() / count.max(1);
    members.iter_mut().for_each(|member| member.device += share);
    Ok(())
}
