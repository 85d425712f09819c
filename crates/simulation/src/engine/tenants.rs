//! Tenants: what is kept of each, and what keeps their jobs outside of the queue.

use super::Engine;
use domain::{
    TenantId, Timestamp, VideoTime,
    scheduling::{Passage, Place, ReleaseGate, VirtualTime},
};
use std::collections::{BTreeSet, VecDeque};

/// A tenant as its plan has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tenant {
    pub id: TenantId,
    pub weight: u32,
    pub gate: Option<ReleaseGate>,
    /// From when on the release rate lets another job enter.
    pub free_at: Timestamp,
}

impl Tenant {
    /// One whose jobs enter as they come.
    #[must_use]
    pub const fn new(id: TenantId, weight: u32) -> Self {
        Self { id, weight, gate: None, free_at: Timestamp::from_ms(0) }
    }
}

#[derive(Debug, Clone)]
pub(super) struct TenantState {
    pub tenant: Tenant,
    /// In the order in which they came.
    pub throttled: VecDeque<u32>,
    /// In the queue or with a worker.
    in_queue: u64,
    /// Those in each line; those of few lines in all.
    open: Vec<(usize, BTreeSet<Place>)>,
    /// A release is planned.
    pub is_due: bool,
}

impl TenantState {
    pub const fn new(tenant: Tenant) -> Self {
        Self { tenant, throttled: VecDeque::new(), in_queue: 0, open: Vec::new(), is_due: false }
    }

    pub fn passage(&self, now: Timestamp) -> Passage {
        self.tenant.gate.map_or(Passage::Open, |gate| gate.passage(self.tenant.free_at, self.in_queue, now))
    }

    /// A job of so much work has passed the gate. One that has done so before may be counted already.
    pub fn passed(&mut self, now: Timestamp, work: VideoTime) {
        if let Some(gate) = self.tenant.gate {
            let free_at = gate.free_after(ReleaseGate::counts_from(self.tenant.free_at, now), work);
            self.tenant.free_at = free_at.max(self.tenant.free_at);
        }
    }

    /// The finish of the last of its jobs in a line that has not ended.
    pub fn last_of(&self, line: usize) -> Option<VirtualTime> {
        self.open.iter().find(|(of, _)| *of == line).and_then(|(_, places)| places.last()).map(|place| place.finish)
    }

    pub fn entered(&mut self, line: usize, place: Place) {
        self.in_queue += 1;
        match self.open.iter_mut().find(|(of, _)| *of == line) {
            Some((_, places)) => drop(places.insert(place)),
            None => self.open.push((line, BTreeSet::from([place]))),
        }
    }

    pub fn ended(&mut self, line: usize, place: Place) {
        self.in_queue -= 1;
        if let Some((_, places)) = self.open.iter_mut().find(|(of, _)| *of == line) {
            places.remove(&place);
        }
    }
}

impl Engine {
    /// A tenant that was not known; says its number.
    pub fn add_tenant(&mut self, tenant: Tenant) -> usize {
        self.tenants.push(TenantState::new(tenant));
        self.tenants.len() - 1
    }
}
