//! All that a Stripe account holds, in memory: objects by kind and id, the time they live in, and what has happened to them.
//!
//! Objects are JSON as the API shows them. What Stripe keeps to itself is in [`Secrets`].

mod events;
mod fields;
mod list;
mod merge;
mod secrets;
mod settings;
mod table;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

pub use events::Cause;
pub use fields::Fields;
pub use list::{page, page_of};
pub use merge::{address, merge_metadata, metadata, pass_through};
pub use secrets::{CheckoutDetails, Secrets};
pub use settings::{AfterDunning, Settings};
use table::Table;

use crate::system::{Chance, present_s};
use crate::wire::answer::StripeError;

/// What the API calls itself in objects and in answers.
pub const API_VERSION: &str = "2026-10-28.endive";

type Kind = &'static str;

pub struct World {
    tables: BTreeMap<Kind, Table>,
    kinds: HashMap<String, Kind>,
    chance: Chance,
    /// How far everything that is on no test clock is ahead of the machine.
    ahead_s: i64,
    /// The present of those, while what falls due is worked off.
    pinned_s: Option<i64>,
    /// Events that nobody has taken over for delivery.
    undelivered: Vec<Value>,
    cause: Cause,
    pub secrets: Secrets,
    pub settings: Settings,
    /// Where pages of ours are.
    pub base_url: String,
}

impl World {
    pub fn new(seed: u64, settings: Settings, base_url: String) -> Self {
        Self {
            tables: BTreeMap::new(),
            kinds: HashMap::new(),
            chance: Chance::new(seed),
            ahead_s: 0,
            pinned_s: None,
            undelivered: Vec::new(),
            cause: Cause::default(),
            secrets: Secrets::default(),
            settings,
            base_url,
        }
    }

    /// An id such as `cus_` and so many random letters.
    pub fn new_id(&mut self, prefix: &str, letters: usize) -> String {
        format!("{prefix}{}", self.chance.letters(letters))
    }

    /// The present of what is on no test clock.
    pub fn now(&self) -> i64 {
        self.pinned_s.unwrap_or_else(|| present_s() + self.ahead_s)
    }

    /// The present of the test clock that is named, or of those on none.
    pub fn now_on(&self, clock: Option<&str>) -> i64 {
        let frozen = clock.and_then(|id| self.get("test_helpers.test_clock", id)).map(|clock| clock.int("frozen_time"));
        frozen.unwrap_or_else(|| self.now())
    }

    /// The present in which a customer lives.
    pub fn now_for(&self, customer: &str) -> i64 {
        self.now_on(self.clock_of(customer).as_deref())
    }

    pub fn clock_of(&self, customer: &str) -> Option<String> {
        self.get("customer", customer).and_then(|customer| customer.text("test_clock")).map(str::to_owned)
    }

    /// Holds the present of what is on no test clock at this second, or lets it go again.
    pub fn pin(&mut self, second: Option<i64>) {
        self.pinned_s = second;
    }

    /// From now on it is this second there.
    pub fn move_to(&mut self, second: i64) {
        self.ahead_s = second - present_s();
    }

    /// Stores a new object, under what it says of itself.
    pub fn insert(&mut self, kind: Kind, object: Value) {
        let id = object.text("id").unwrap_or_default().to_owned();
        self.kinds.insert(id.clone(), kind);
        self.tables.entry(kind).or_default().insert(id, object);
    }

    pub fn get(&self, kind: &str, id: &str) -> Option<&Value> {
        self.tables.get(kind)?.get(id)
    }

    /// # Errors
    /// When there is none; `param` is what named it.
    pub fn require(&self, kind: &str, id: &str, param: &str) -> Result<&Value, StripeError> {
        self.get(kind, id).ok_or_else(|| StripeError::missing(kind, id, param))
    }

    /// Whatever has that id.
    pub fn find(&self, id: &str) -> Option<&Value> {
        self.get(self.kinds.get(id)?, id)
    }

    /// Changes an object that there is, and answers what it was before.
    pub fn change(&mut self, kind: &str, id: &str, change: impl FnOnce(&mut Value)) -> Value {
        let Some(object) = self.tables.get_mut(kind).and_then(|table| table.get_mut(id)) else { return Value::Null };
        let before = object.clone();
        change(object);
        before
    }

    /// Changes it, and tells what was changed by an event of this type.
    pub fn update(&mut self, kind: &str, id: &str, event: &str, change: impl FnOnce(&mut Value)) {
        let before = self.change(kind, id, change);
        self.emit_change(event, kind, id, &before);
    }

    pub fn remove(&mut self, kind: &str, id: &str) -> Option<Value> {
        self.kinds.remove(id);
        self.tables.get_mut(kind)?.remove(id)
    }

    /// The newest first.
    pub fn all(&self, kind: &str) -> Vec<&Value> {
        self.tables.get(kind).map(Table::newest_first).unwrap_or_default()
    }

    /// In the order in which they came.
    pub fn ids(&self, kind: &str) -> Vec<String> {
        let oldest_first = self.all(kind).into_iter().rev();
        oldest_first.filter_map(|object| object.text("id")).map(str::to_owned).collect()
    }

    pub fn counts(&self) -> Value {
        self.tables.iter().map(|(kind, table)| ((*kind).to_owned(), json!(table.newest_first().len()))).collect()
    }
}
