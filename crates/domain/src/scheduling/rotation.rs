//! From which of its lines a worker takes next that serves several models: from the one whose next job is of the tenant that has had
//! least of this worker. So whoever waits in two lines gets no more than who waits in one.

use super::{Tag, VirtualTime};
use crate::{TenantId, billing::Lane};
use std::collections::HashMap;

/// How many jobs at the head of each line are looked at first, to see whose turn it is.
pub const LOOK_MIN: u64 = 16;

/// What tenants have had of one worker, for as long as they have had more than who has had least.
#[derive(Debug, Clone, Default)]
pub struct Rotation {
    now: VirtualTime,
    had: HashMap<TenantId, VirtualTime>,
}

impl Rotation {
    /// Who has had less comes first.
    #[must_use]
    pub fn had_by(&self, tenant: TenantId) -> VirtualTime {
        self.had.get(&tenant).copied().unwrap_or_default().max(self.now)
    }

    /// Of those whose jobs are at the head of a line, what the one has had that has had least: the line where that is less comes first.
    pub fn least_had(&self, tenants: impl IntoIterator<Item = TenantId>) -> Option<VirtualTime> {
        tenants.into_iter().map(|tenant| self.had_by(tenant)).min()
    }

    /// A job with this tag was taken. `least`: of those that waited, what the one has had that has had least, which may stand behind the tenant of
    /// this job in its line, and has not had its turn by that.
    pub fn took(&mut self, tenant: TenantId, tag: Tag, least: Option<VirtualTime>) {
        let begins = self.had_by(tenant);
        self.now = self.now.max(least.unwrap_or(begins).min(begins));
        self.had.insert(tenant, begins.plus(tag.length()));
        let now = self.now;
        self.had.retain(|_, had| *had > now);
    }
}

/// One for each lane, as the lanes have slots of their own.
#[derive(Debug, Clone, Default)]
pub struct LaneRotations {
    interactive: Rotation,
    batch: Rotation,
}

impl LaneRotations {
    pub const fn of(&mut self, lane: Lane) -> &mut Rotation {
        match lane {
            Lane::Interactive => &mut self.interactive,
            Lane::Batch => &mut self.batch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn tenant(n: u128) -> TenantId {
        TenantId::from_uuid(Uuid::from_u128(n))
    }

    fn long(length: i64) -> Tag {
        Tag { start: VirtualTime::new(7), finish: VirtualTime::new(7 + length) }
    }

    /// Takes from lines whose next jobs are always of these tenants; says how often each had its turn.
    fn turns(lines: &[(u128, i64)], takes: usize) -> HashMap<u128, i64> {
        let (mut rotation, mut had) = (Rotation::default(), HashMap::new());
        for _ in 0..takes {
            let (next, length) = *lines.iter().min_by_key(|(of, _)| rotation.had_by(tenant(*of))).unwrap();
            let least = rotation.least_had(lines.iter().map(|(of, _)| tenant(*of)));
            rotation.took(tenant(next), long(length), least);
            *had.entry(next).or_default() += length;
        }
        had
    }

    #[test]
    fn two_lines_of_different_tenants_get_as_much_however_long_their_jobs_are() {
        let had = turns(&[(1, 10), (2, 30)], 40);
        assert_eq!((had[&1], had[&2]), (300, 300));
    }

    #[test]
    fn who_waits_in_two_lines_gets_no_more() {
        let had = turns(&[(1, 10), (2, 10), (1, 10)], 100);
        assert_eq!((had[&1], had[&2]), (500, 500));
    }

    #[test]
    fn a_line_is_as_far_as_the_tenant_in_it_that_has_had_least() {
        let mut rotation = Rotation::default();
        rotation.took(tenant(1), long(10), None);
        rotation.took(tenant(2), long(30), None);
        let least = |tenants: &[u128]| rotation.least_had(tenants.iter().map(|n| tenant(*n)));
        assert_eq!([least(&[2]), least(&[2, 1]), least(&[])], [Some(VirtualTime::new(30)), Some(VirtualTime::new(10)), None]);
    }

    #[test]
    fn who_comes_later_has_saved_nothing_up_and_nothing_is_kept_of_who_has_gone() {
        let mut rotation = Rotation::default();
        (0..50).for_each(|_| rotation.took(tenant(1), long(10), None));
        assert!(rotation.had_by(tenant(2)) >= VirtualTime::new(490));
        for n in 2..100 {
            rotation.took(tenant(n), long(10), None);
        }
        assert!(rotation.had.len() < 100, "{}", rotation.had.len());
    }

    /// One line has jobs of the first tenant alone, the other those of both in turns.
    #[test]
    fn who_stands_behind_another_in_its_only_line_keeps_its_turn() {
        let (mut rotation, mut behind, mut had) = (Rotation::default(), 0, [0; 3]);
        for _ in 0..40 {
            let shared = [1, 2].map(|n: u128| if behind % 2 == 0 { n } else { 3 - n });
            let [alone, both] = [&[1][..], &shared].map(|line| rotation.least_had(line.iter().map(|n| tenant(*n))));
            let next = if both <= alone { shared[0] } else { 1 };
            behind += usize::from(both <= alone);
            rotation.took(tenant(next), long(10), alone.min(both));
            had[next as usize] += 1;
        }
        assert!(had[2] >= 19, "{had:?}");
    }
}
