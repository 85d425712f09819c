//! Which models were asked for lately, and which usually follows which: learned from what was submitted.

use domain::{JobId, TenantId, Timestamp, scheduling::Workload, scheduling::fleet::FollowTable};
use std::collections::{BTreeMap, VecDeque};
use store::{Store, StoreError, Submission};

/// What came lately came within so long.
const LATELY_MS: u64 = 60_000;
/// Submissions that are read at once; so many are looked back at first.
const AT_ONCE: u64 = 1000;
/// Reads at one look: what is left is read at the next.
const READS_MAX: usize = 5;
/// Tenants whose last model is remembered.
const TENANTS_MAX: usize = 10_000;

/// What is remembered of submissions between two looks.
#[derive(Default)]
pub(super) struct Arrivals {
    last: Option<JobId>,
    /// Which model each tenant asked for last.
    of_tenant: BTreeMap<TenantId, String>,
    follow: FollowTable,
    lately: VecDeque<(Timestamp, String, Workload)>,
}

impl Arrivals {
    /// Learns what was submitted since; at first, from the newest jobs that are there.
    pub(super) async fn refresh(&mut self, store: &Store, now: Timestamp) -> Result<(), StoreError> {
        for _ in 0..READS_MAX {
            let submitted = store.placement().submissions(self.last, AT_ONCE).await?;
            let is_first = self.last.is_none();
            let count = submitted.len() as u64;
            submitted.into_iter().for_each(|submission| self.note(submission));
            if is_first || count < AT_ONCE {
                break;
            }
        }
        // What lies further ahead came before the clock was put back.
        self.lately.retain(|(at, ..)| now.ms_since(*at) < LATELY_MS && at.ms_since(now) < LATELY_MS);
        Ok(())
    }

    /// The clock was put back by so much.
    pub(super) fn put_back(&mut self, ms: i64) {
        self.lately.iter_mut().for_each(|(at, ..)| *at = at.plus_ms(-ms));
    }

    pub(super) fn note(&mut self, Submission { id, tenant, model, workload, at }: Submission) {
        self.last = Some(id);
        if let Some(previous) = self.of_tenant.insert(tenant, model.clone()) {
            self.follow.observe(&previous, &model);
        }
        if self.of_tenant.len() > TENANTS_MAX {
            self.of_tenant.pop_first();
        }
        self.lately.push_back((at, model, workload));
        if self.lately.len() as u64 > AT_ONCE {
            self.lately.pop_front();
        }
    }

    pub(super) const fn follow(&self) -> &FollowTable {
        &self.follow
    }

    /// Models with what was asked of them lately.
    pub(super) fn lately(&self) -> impl Iterator<Item = (&str, Workload)> {
        self.lately.iter().map(|(_, model, workload)| (model.as_str(), *workload))
    }
}
