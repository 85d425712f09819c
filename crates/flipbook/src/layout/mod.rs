//! Where everything stands: what the network is told of a scene, the rules that write plausible scenes, and what is mended in
//! a scene before it is drawn.
//!
//! `program -> brief -> (conditions -> network | rules) -> layout -> settle -> layout that is drawn`

mod brief;
mod conditions;
mod drawn;
mod extent;
mod groups;
mod held;
mod judge;
mod mend;
mod neighbours;
mod places;
mod rules;
mod settle;
mod surfaces;
mod training;

pub use brief::brief;
pub use conditions::{Conditions, NUMBERS, TOKENS, conditions};
pub use drawn::judge_drawn;
pub use extent::extent;
pub use groups::unfold;
pub use held::Held;
pub use judge::{Rule, Score, judge};
pub use mend::{Landmark, landmark, natural_height};
pub use places::{Medium, Place, Zone, place_of, zone};
pub use rules::write;
pub use settle::{Settled, arrange, settle, settle_around, settle_by};
pub use surfaces::{Cover, carried_at, carried_with, cover, hangs_over, rim, sits};
pub use training::{mirror, random_brief};

use crate::codes::{Motion, Relation};
use crate::scene::Brief;

impl Motion {
    /// It leaves its place over the clip, and faces where it goes.
    pub fn travels(self) -> bool {
        matches!(self, Self::Walk | Self::Run | Self::Drive | Self::Fly | Self::Swim | Self::Sail | Self::Jump | Self::Roll)
    }
}

impl Relation {
    /// It goes where its parent goes.
    pub fn attached(self) -> bool {
        matches!(self, Self::On | Self::Ride | Self::In | Self::Wear | Self::Play)
    }
}

/// Slots with their parents before them: first those without one, then those whose parent has none, and so on; in their own
/// order otherwise.
pub(crate) fn parents_first(brief: &Brief) -> Vec<usize> {
    let mut order: Vec<usize> = (0..brief.slots.len()).collect();
    order.sort_by_key(|slot| generation(brief, *slot));
    order
}

/// How many parents, grandparents and so on a slot has.
fn generation(brief: &Brief, slot: usize) -> usize {
    let parent = |slot: &usize| brief.slots.get(*slot).and_then(|slot| slot.parent);
    std::iter::successors(parent(&slot), parent).take(brief.slots.len()).count()
}
