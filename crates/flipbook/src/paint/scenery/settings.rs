//! Outdoors that is something in particular: what a playground, a harbour or a canyon has that a park, a sea or a desert has not.

mod built;
mod natural;

use super::{Layer, Layers};
pub(in crate::paint) use natural::{is_bare, near_line};

impl Layers<'_> {
    /// Paints the setting in place of its backdrop; whether there is one that is painted here.
    pub(super) fn set(&mut self) -> bool {
        let Some(setting) = self.film.program.setting else { return false };
        self.built(setting) || self.set_in_nature(setting)
    }
}
