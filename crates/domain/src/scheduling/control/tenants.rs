//! The share of the work that tenants had, beside the one that their weights give them.

use crate::{TenantId, VideoTime};

/// What a tenant has of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenantWork {
    pub tenant: TenantId,
    /// Of its plan.
    pub weight: u32,
    /// Made lately, or being made.
    pub had: VideoTime,
    /// Of its jobs that wait now.
    pub waiting: VideoTime,
}

/// Shares of a tenant, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenantShare {
    /// By its weight among those that wait. `None`: it waits for nothing.
    pub wanted_permille: Option<u32>,
    /// Of all that was had.
    pub had_permille: u32,
}

/// In the order of `works`.
#[must_use]
pub fn shares_of(works: &[TenantWork]) -> Vec<TenantShare> {
    let waits = |work: &TenantWork| work.waiting > VideoTime::default();
    let weights: u64 = works.iter().filter(|work| waits(work)).map(|work| u64::from(work.weight.max(1))).sum();
    let had: u64 = works.iter().map(|work| work.had.ms()).sum();
    let share = |work: &TenantWork| TenantShare {
        wanted_permille: waits(work).then(|| permille(work.weight.max(1).into(), weights)),
        had_permille: permille(work.had.ms(), had),
    };
    works.iter().map(share).collect()
}

/// Rounded; nothing of nothing.
fn permille(part: u64, whole: u64) -> u32 {
    let whole = u128::from(whole);
    (u128::from(part) * 1000 + whole / 2).checked_div(whole).and_then(|share| share.try_into().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn work(n: u128, weight: u32, had: u64, waiting: u64) -> TenantWork {
        TenantWork {
            tenant: TenantId::from_uuid(Uuid::from_u128(n)),
            weight,
            had: VideoTime::from_ms(had),
            waiting: VideoTime::from_ms(waiting),
        }
    }

    #[test]
    fn a_share_is_wanted_by_weight_among_those_that_wait_and_had_among_all() {
        let shares = shares_of(&[work(1, 3, 3000, 10), work(2, 1, 1000, 10), work(3, 9, 4000, 0)]);
        let told: Vec<_> = shares.iter().map(|share| (share.wanted_permille, share.had_permille)).collect();
        assert_eq!(told, [(Some(750), 375), (Some(250), 125), (None, 500)]);
    }

    #[test]
    fn where_nothing_was_made_nobody_had_a_share() {
        assert_eq!(shares_of(&[work(1, 0, 0, 5)]), [TenantShare { wanted_permille: Some(1000), had_permille: 0 }]);
        assert!(shares_of(&[]).is_empty());
    }
}
