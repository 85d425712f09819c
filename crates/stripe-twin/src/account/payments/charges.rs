//! Charges: one for each try to take money from a card.

use serde_json::{Value, json};

use super::methods;
use crate::cards::Decline;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page};

const KIND: &str = "charge";

/// Tries to take the money of an intent from this payment method. Answers the charge, and why it failed if it did.
pub fn attempt(world: &mut World, intent: &Value, method: &str) -> (String, Option<Decline>) {
    let decline = methods::refusal(world, method);
    let id = world.new_id("ch_", 24);
    let details = world.get("payment_method", method).cloned().unwrap_or_default();
    let amount = intent.int("amount");
    let customer = intent.text("customer").map(str::to_owned);
    let succeeded = decline.is_none();
    let charge = json!({
        "id": id,
        "object": KIND,
        "amount": amount,
        "amount_captured": if succeeded { amount } else { 0 },
        "amount_refunded": 0,
        "application": null,
        "application_fee": null,
        "application_fee_amount": null,
        "balance_transaction": null,
        "billing_details": details["billing_details"],
        "calculated_statement_descriptor": "REELMILL TEST",
        "captured": succeeded,
        "created": customer.as_deref().map_or_else(|| world.now(), |customer| world.now_for(customer)),
        "currency": intent["currency"],
        "customer": customer,
        "description": intent["description"],
        "disputed": false,
        "failure_balance_transaction": null,
        "failure_code": decline.map(Decline::code),
        "failure_message": decline.map(Decline::message),
        "fraud_details": {},
        "livemode": false,
        "metadata": intent["metadata"],
        "on_behalf_of": null,
        "outcome": outcome(decline),
        "paid": succeeded,
        "payment_intent": intent["id"],
        "payment_method": method,
        "payment_method_details": {"type": "card", "card": card_of(&details["card"], amount)},
        "receipt_email": intent["receipt_email"],
        "receipt_number": null,
        "receipt_url": null,
        "refunded": false,
        "review": null,
        "shipping": null,
        "source": null,
        "source_transfer": null,
        "statement_descriptor": null,
        "statement_descriptor_suffix": null,
        "status": if succeeded { "succeeded" } else { "failed" },
        "transfer_data": null,
        "transfer_group": null,
    });
    world.insert(KIND, charge);
    world.emit(if succeeded { "charge.succeeded" } else { "charge.failed" }, KIND, &id);
    (id, decline)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

/// Of a customer.
///
/// # Errors
/// When there is none.
pub fn last_paid(world: &World, customer: &str) -> Result<Value, StripeError> {
    let is_paid = |charge: &&Value| charge.text("customer") == Some(customer) && charge.text("status") == Some("succeeded");
    let charge = world.all(KIND).into_iter().find(is_paid).cloned();
    charge.ok_or_else(|| StripeError::refused("This customer has paid nothing."))
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/charges", params, &["customer", "payment_intent"], world.all(KIND), |charge| {
        ["customer", "payment_intent"].iter().all(|name| params.text(name).is_none_or(|wanted| charge.text(name) == Some(wanted)))
    })
}

fn outcome(decline: Option<Decline>) -> Value {
    json!({
        "advice_code": decline.map(|_| "try_again_later"),
        "network_advice_code": null,
        "network_decline_code": null,
        "network_status": if decline.is_some() { "declined_by_network" } else { "approved_by_network" },
        "reason": decline.map(Decline::word),
        "risk_level": "normal",
        "risk_score": 20,
        "seller_message": if decline.is_some() { "The bank did not return any further details with this decline." } else { "Payment complete." },
        "type": if decline.is_some() { "issuer_declined" } else { "authorized" },
    })
}

/// As a charge shows it, with what Stripe knows of the payment beside what it knows of the card.
fn card_of(card: &Value, amount: i64) -> Value {
    json!({
        "amount_authorized": amount,
        "authorization_code": null,
        "brand": card["brand"],
        "checks": card["checks"],
        "country": card["country"],
        "electronic_commerce_indicator": null,
        "exp_month": card["exp_month"],
        "exp_year": card["exp_year"],
        "fingerprint": card["fingerprint"],
        "funding": card["funding"],
        "installments": null,
        "last4": card["last4"],
        "mandate": null,
        "network": card["brand"],
        "network_transaction_id": null,
        "regulated_status": "unregulated",
        "three_d_secure": null,
        "transaction_link_id": null,
        "wallet": null,
    })
}
