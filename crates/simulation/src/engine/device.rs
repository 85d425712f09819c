//! A device that is shared by what runs on it.
//!
//! Every running call has an equal share of the device: each decode is a call, and so is the sampling batch of each model. A batch does a
//! step for each of its members in turn, so each has of the batch's share what its own step costs: where steps cost the same, an
//! equal part. This is what `worker::device::sharing` counts and `worker::batch` does.
//!
//! Processor sharing is followed in the virtual time of each group of jobs that come on equally fast (Kleinrock 1976, vol. 2, section 4.4, for
//! the discipline): what a member has before it is fixed when it joins, so that a change costs as much as finding a place among the members.

use std::collections::BTreeSet;

/// The group of all decodes; those of batches follow.
pub(super) const DECODES: usize = 0;

/// A number that is one, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ordered(pub f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What a device is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Device {
    /// How many milliseconds of a job it does in one.
    pub speed: f64,
    /// How much of a step is saved for each member of a batch but the first: 0 where a batch of `b` takes as long as `b` single ones,
    /// 1 where it takes as long as one.
    pub batch_gain: f64,
}

impl Default for Device {
    fn default() -> Self {
        Self { speed: 1.0, batch_gain: 0.0 }
    }
}

impl Device {
    /// How much more a batch of `members` does than they would one after the other.
    fn gain(self, members: usize) -> f64 {
        let members = members as f64;
        members / (1.0 + (members - 1.0) * (1.0 - self.batch_gain))
    }
}

/// Jobs that come on equally fast, in units of each: steps of a batch, milliseconds of decodes.
#[derive(Debug, Clone, Default)]
struct Group {
    /// Units that each member would have done that was there from the beginning.
    progress: f64,
    /// What a unit of all members costs, in milliseconds.
    cost_ms: f64,
    /// At which progress something is to be done about which job.
    due: BTreeSet<(Ordered, u32)>,
}

/// A device and the jobs on it. Call [`settle`](Self::settle) before a change, and [`plan`](Self::plan) behind it.
#[derive(Debug, Clone)]
pub(super) struct SharedDevice {
    device: Device,
    at_ms: f64,
    groups: Vec<Group>,
    /// In which something is to be done first.
    next: usize,
    /// Counts plans: an event of an older one is none.
    pub plan: u32,
    /// How long anything has run on it until then.
    busy_ms: f64,
    /// What it has done of jobs until then, in milliseconds of theirs.
    pub work_ms: f64,
}

impl SharedDevice {
    pub fn new(device: Device, models: usize, now_ms: f64) -> Self {
        Self { device, at_ms: now_ms, groups: vec![Group::default(); models + 1], next: DECODES, plan: 0, busy_ms: 0.0, work_ms: 0.0 }
    }

    fn calls(&self) -> usize {
        self.groups
            .iter()
            .enumerate()
            .map(|(at, group)| if at == DECODES { group.due.len() } else { usize::from(!group.due.is_empty()) })
            .sum()
    }

    /// How long anything has run on it, if nothing has changed since.
    pub fn busy_until(&self, now_ms: f64) -> f64 {
        self.busy_ms + if self.calls() > 0 { (now_ms - self.at_ms).max(0.0) } else { 0.0 }
    }

    /// Units a millisecond, of each member.
    fn rate(&self, group: usize, calls: usize) -> f64 {
        let (share, members) = (self.device.speed / calls as f64, &self.groups[group]);
        if group == DECODES { share } else { share * self.device.gain(members.due.len()) / members.cost_ms }
    }

    /// Lets all members come on until now.
    pub fn settle(&mut self, now_ms: f64) {
        let passed = now_ms - self.at_ms;
        let calls = self.calls();
        if passed > 0.0 && calls > 0 {
            for at in 0..self.groups.len() {
                if !self.groups[at].due.is_empty() {
                    let units = self.rate(at, calls) * passed;
                    self.groups[at].progress += units;
                    self.work_ms += units * self.groups[at].cost_ms;
                }
            }
            self.busy_ms += passed;
        }
        self.at_ms = now_ms.max(self.at_ms);
    }

    /// At which progress of the group the newcomer has done its `units`, that cost so much each.
    pub fn join(&mut self, group: usize, job: u32, units: f64, cost_ms: f64) -> f64 {
        let group = &mut self.groups[group];
        let due = group.progress + units;
        group.due.insert((Ordered(due), job));
        group.cost_ms += cost_ms;
        due
    }

    /// How many units the member has before it until `due`.
    pub fn left(&self, group: usize, due: f64) -> f64 {
        (due - self.groups[group].progress).max(0.0)
    }

    pub fn leave(&mut self, group: usize, job: u32, due: f64, cost_ms: f64) {
        let group = &mut self.groups[group];
        group.due.remove(&(Ordered(due), job));
        group.cost_ms -= cost_ms;
        if group.due.is_empty() {
            // Nothing adds up that was rounded.
            (group.progress, group.cost_ms) = (0.0, 0.0);
        }
    }

    /// Something else is to be done about the member at another progress.
    pub fn put_off(&mut self, group: usize, job: u32, due: f64, until: f64) {
        let due_of = &mut self.groups[group].due;
        due_of.remove(&(Ordered(due), job));
        due_of.insert((Ordered(until), job));
    }

    /// When something is to be done next, if nothing changes.
    pub fn plan(&mut self) -> Option<f64> {
        self.plan = self.plan.wrapping_add(1);
        let calls = self.calls();
        let mut first: Option<f64> = None;
        for at in 0..self.groups.len() {
            let Some((Ordered(due), _)) = self.groups[at].due.first() else { continue };
            let moment = self.at_ms + self.left(at, *due) / self.rate(at, calls);
            if first.is_none_or(|first| moment < first) {
                (first, self.next) = (Some(moment), at);
            }
        }
        first
    }

    /// The job about which something is to be done now, as was planned.
    pub fn due(&mut self, now_ms: f64) -> Option<u32> {
        self.settle(now_ms);
        let group = &mut self.groups[self.next];
        let (Ordered(due), job) = *group.due.first()?;
        group.progress = group.progress.max(due);
        Some(job)
    }
}
