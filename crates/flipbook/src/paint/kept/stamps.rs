//! Pictures of plain sprites, kept in a few sizes for all threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::codes::Colour;
use crate::sprites::{self, Picture, SpriteId};

/// Sides of pictures in pixels: whole steps of the first, between the others.
pub(in crate::paint) const STEP: usize = 16;
pub(in crate::paint) const SIDES: (f32, f32) = (16.0, 512.0);

type Key = (SpriteId, usize, Option<Colour>);

/// Pictures by sprite, side in pixels and colour.
#[derive(Default)]
pub struct Stamps(Mutex<HashMap<Key, Arc<Picture>>>);

impl Stamps {
    /// A picture depends on its key alone: it does not matter which thread draws it.
    pub(in crate::paint) fn picture(&self, key: Key) -> Arc<Picture> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(picture) = kept().get(&key) {
            return Arc::clone(picture);
        }
        let drawn = Arc::new(sprites::picture(key.0, key.1, key.2));
        Arc::clone(kept().entry(key).or_insert(drawn))
    }
}
