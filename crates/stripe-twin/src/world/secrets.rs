//! What Stripe knows of objects and does not show.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use crate::cards::{Decline, TestCard};
use crate::wire::request::Params;

#[derive(Default)]
pub struct Secrets {
    /// Which card a payment method is.
    pub cards: HashMap<String, TestCard>,
    /// Cards that fail from now on: by payment method, by customer, by number, or `all`.
    pub failing: BTreeMap<String, Decline>,
    /// Payment intents, and payment methods, whose next charge the owner of the card has agreed to.
    pub agreed: BTreeSet<String>,
    pub checkout: HashMap<String, CheckoutDetails>,
    /// Usage of a subscription item before this second is billed.
    pub usage_billed_until: HashMap<String, i64>,
    /// What is told once only: of a subscription that its trial ends, say.
    pub told: BTreeSet<(String, &'static str)>,
    /// How many invoices each customer has had, for their numbers.
    pub invoice_numbers: HashMap<String, u64>,
    /// Identifiers of usage, and when they came.
    pub usage_identifiers: HashMap<String, i64>,
}

impl Secrets {
    /// Cards are named without the spaces that people type.
    pub fn set_failing(&mut self, card: &str, decline: Option<Decline>) {
        let card = card.replace(' ', "");
        match decline {
            Some(decline) => self.failing.insert(card, decline),
            None => self.failing.remove(&card),
        };
    }
}

/// What a checkout session was told to make.
#[derive(Clone, Default)]
pub struct CheckoutDetails {
    /// As `line_items` shows them.
    pub line_items: Vec<Value>,
    /// Of a subscription, a payment intent or a setup intent.
    pub data: Params,
    pub discounts: Vec<Value>,
}
