//! What is done for the jobs of a model that wait, beyond pins, starvation and larger devices: nothing, as a warm worker has room for them; nothing,
//! as the workers that have the model are through with them sooner; nothing, as a worker is starting that will take them; or the model is loaded on
//! one more worker.
//!
//! Each way is scored by what it costs in milliseconds of a device, and the least wins; of two that cost the same the one earlier in that list.

use super::{
    super::view::LoadedModel,
    builder::{PlanBuilder, Room},
};

/// What can be done, in the order in which one of two that cost the same is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// The model is warm where there is room: its jobs are taken at once.
    Warm,
    /// They wait for the workers that have the model, or for something to change.
    Wait,
    /// A worker that is starting takes them.
    Starting {
        ready_in_ms: u64,
        load_ms: u64,
    },
    Load,
}

/// What each way costs. `None`: there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ways {
    pub(super) warm_has_room: bool,
    /// The share of the work that waits which one more worker would do.
    pub(super) share_ms: u64,
    /// Until a worker that is starting takes jobs, and what loading takes it then.
    pub(super) starting: Option<(u64, u64)>,
    /// The load, with what makes room for it; 0: nobody has the model, and only what nobody wants makes room.
    pub(super) load_ms: u64,
}

impl Ways {
    pub(super) fn best(self) -> Way {
        let starting =
            self.starting.map(|(ready_in_ms, load_ms)| (ready_in_ms.saturating_add(load_ms), Way::Starting { ready_in_ms, load_ms }));
        let warm = self.warm_has_room.then_some((0, Way::Warm));
        let all = [warm, Some((self.share_ms, Way::Wait)), starting, Some((self.load_ms, Way::Load))];
        all.into_iter().flatten().min().map_or(Way::Wait, |(_, way)| way)
    }
}

impl PlanBuilder<'_> {
    /// What can be done for the work that waits for a model, of which the cheapest load is this.
    pub(super) fn ways(&self, model: usize, room: &Room) -> Ways {
        let is_free = self.warm(model) == 0 && room.is_unwanted;
        Ways {
            warm_has_room: self.warm_has_room(model),
            share_ms: self.next_share_ms(model),
            starting: self.starting(model).map(|(_, ready_in_ms, load_ms)| (ready_in_ms, load_ms)),
            load_ms: if is_free { 0 } else { room.price_ms() },
        }
    }

    /// Whether the workers that have a model could take all of its jobs that wait, now.
    fn warm_has_room(&self, model: usize) -> bool {
        let name = self.name(model);
        let jobs = self.input.demand.of(name).map_or(0, |demand| demand.jobs);
        let warm = self.workers.iter().filter(|worker| !worker.view.draining && worker.view.loaded(name).is_some_and(LoadedModel::is_warm));
        let free: u64 = warm.map(|worker| u64::from(worker.view.slots_free)).sum();
        jobs > 0 && jobs <= free
    }

    /// The worker that takes jobs of a model soonest of those that are starting and not counted on by others: which one, when it is ready, and what
    /// loading takes it.
    fn starting(&self, model: usize) -> Option<(usize, u64, u64)> {
        let name = self.name(model);
        let starting = self.input.fleet.starting.iter().enumerate().filter(|(at, _)| !self.counted_on.contains(at));
        let ways = starting
            .filter(|(_, worker)| worker.servable.iter().any(|served| served == name))
            .filter_map(|(at, worker)| Some((at, worker.ready_in_ms, self.input.costs.of(name, &worker.device_kind)?.load_ms)));
        ways.min_by_key(|(at, ready_in_ms, load_ms)| (ready_in_ms.saturating_add(*load_ms), *at))
    }

    /// The worker that is starting and was found for a model is for that one.
    pub(super) fn count_on_starting(&mut self, model: usize) {
        self.counted_on.extend(self.starting(model).map(|(at, ..)| at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: Ways = Ways { warm_has_room: false, share_ms: 50, starting: None, load_ms: 40 };

    #[test]
    fn the_least_is_taken_and_of_two_as_good_the_one_that_does_less() {
        assert_eq!(WAYS.best(), Way::Load);
        assert_eq!(Ways { share_ms: 40, ..WAYS }.best(), Way::Wait);
        assert_eq!(Ways { warm_has_room: true, load_ms: 0, ..WAYS }.best(), Way::Warm);
        let starting = |ready_in_ms, load_ms| Ways { starting: Some((ready_in_ms, load_ms)), ..WAYS }.best();
        assert_eq!(starting(30, 10), Way::Starting { ready_in_ms: 30, load_ms: 10 });
        assert_eq!([starting(31, 10), starting(u64::MAX, 10)], [Way::Load; 2]);
        assert_eq!(Ways { share_ms: 20, starting: Some((15, 10)), ..WAYS }.best(), Way::Wait);
    }
}
