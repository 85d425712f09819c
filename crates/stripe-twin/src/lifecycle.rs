//! What happens because time passes: trials end, periods end, drafts are finalized, payments are tried again, sessions expire.

mod clocks;
mod due;

pub use clocks::{advance, advance_real, create, delete, list, retrieve};
use due::{next_due, perform};

use crate::world::World;

/// Does what has fallen due by now for everything that is on no test clock.
pub fn catch_up(world: &mut World) {
    let now = world.now();
    run_until(world, None, now);
}

/// Whether there is something to do.
pub fn is_due(world: &World) -> bool {
    next_due(world, None).is_some_and(|due| due.at <= world.now())
}

/// One thing after the other, each at its own moment.
fn run_until(world: &mut World, clock: Option<&str>, until: i64) {
    while let Some(due) = next_due(world, clock).filter(|due| due.at <= until) {
        let moment = due.at.max(world.now_on(clock).min(until));
        set_present(world, clock, moment.min(until));
        perform(world, &due);
    }
    set_present(world, clock, until);
    if clock.is_none() {
        world.pin(None);
    }
}

fn set_present(world: &mut World, clock: Option<&str>, second: i64) {
    match clock {
        Some(clock) => {
            world.change("test_helpers.test_clock", clock, |clock| clock["frozen_time"] = serde_json::json!(second));
        }
        None => world.pin(Some(second)),
    }
}
