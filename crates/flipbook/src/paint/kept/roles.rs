//! Who takes part in what, and which slots are drawn as a part of what others do: it follows from the brief alone, so it is found
//! once for a film.

use std::sync::OnceLock;

use crate::paint::practices::Company;

/// By slot; each is found when it is first asked for.
#[derive(Default)]
pub struct Roles {
    pub companies: OnceLock<Vec<Option<Company>>>,
    /// Whether who works at it draws it, or has it in hand as a tool.
    pub worked_on: OnceLock<Vec<bool>>,
    /// Whether an apparatus that is painted shows what the slot is.
    pub apparatus: OnceLock<Vec<bool>>,
}

/// What `find` says of each of so many slots.
pub fn of_each_slot<T>(kept: &OnceLock<Vec<T>>, slots: usize, find: impl Fn(usize) -> T) -> &[T] {
    kept.get_or_init(|| (0..slots).map(find).collect())
}
