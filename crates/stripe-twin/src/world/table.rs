//! Objects of one kind, in the order in which they came.

use std::collections::HashMap;

use serde_json::Value;

#[derive(Default)]
pub struct Table {
    /// Those that were removed leave a gap.
    rows: Vec<Option<Value>>,
    places: HashMap<String, usize>,
}

impl Table {
    pub fn insert(&mut self, id: String, object: Value) {
        self.places.insert(id, self.rows.len());
        self.rows.push(Some(object));
    }

    pub fn get(&self, id: &str) -> Option<&Value> {
        self.rows[*self.places.get(id)?].as_ref()
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut Value> {
        self.rows[*self.places.get(id)?].as_mut()
    }

    pub fn remove(&mut self, id: &str) -> Option<Value> {
        self.rows[self.places.remove(id)?].take()
    }

    pub fn newest_first(&self) -> Vec<&Value> {
        self.rows.iter().rev().flatten().collect()
    }
}
