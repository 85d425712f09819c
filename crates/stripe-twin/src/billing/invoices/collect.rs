//! Taking the money of an invoice, and trying again.

use serde_json::{Value, json};

use super::document::KIND;
use super::finalize::mark_paid;
use super::payments;
use crate::account::payments::{intents, methods};
use crate::billing::standing;
use crate::cards::Decline;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

/// What came of a try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Collected {
    Paid,
    Refused {
        intent: String,
        decline: Decline,
    },
    /// The owner of the card has to agree.
    NeedsAction,
    /// There is nothing to charge.
    NoMethod,
}

/// Charges the payment method that is named, or the one that is meant for this invoice.
pub fn collect(world: &mut World, id: &str, method: Option<&str>) -> Collected {
    let invoice = world.get(KIND, id).cloned().unwrap_or_default();
    let Some(method) = method.map(str::to_owned).or_else(|| method_for(world, &invoice)) else {
        failed(world, id);
        return Collected::NoMethod;
    };
    let intent = payments::intent_of(world, id).unwrap_or_else(|| payments::open(world, id));
    match intents::charge(world, &intent, &method) {
        intents::Outcome::Paid => {
            world.change(KIND, id, |invoice| invoice["attempt_count"] = json!(invoice.int("attempt_count") + 1));
            keep_method(world, &invoice, &method);
            mark_paid(world, id, invoice.int("amount_due"));
            Collected::Paid
        }
        intents::Outcome::Refused(decline) => {
            failed(world, id);
            Collected::Refused { intent, decline }
        }
        intents::Outcome::NeedsAction => {
            world.emit("invoice.payment_action_required", KIND, id);
            failed(world, id);
            Collected::NeedsAction
        }
    }
}

/// `POST /v1/payment_intents/{id}/confirm`: where it is an invoice's, the invoice is paid.
pub fn confirm_intent(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["off_session", "payment_method", "return_url"])?;
    let Some(invoice) = payments::invoice_of(world, id) else { return intents::confirm_as(world, id, params) };
    let method = params.text("payment_method");
    let intent = intents::retrieve(world, id)?;
    if intent.text("status") == Some("succeeded") {
        return Err(StripeError::coded("payment_intent_unexpected_state", "This PaymentIntent has already succeeded."));
    }
    let stored = world.get(KIND, &invoice).cloned().unwrap_or_default();
    let method = match method {
        Some(method) => Some(methods::resolve(world, method, "payment_method")?),
        None => method_for(world, &stored),
    };
    let method = method.ok_or_else(|| StripeError::missing_parameter("payment_method"))?;
    if let Some(customer) = stored.text("customer") {
        methods::attach(world, &method, customer)?;
    }
    match collect(world, &invoice, Some(&method)) {
        Collected::Refused { intent, decline } => Err(intents::refused(world, &intent, decline)),
        Collected::Paid | Collected::NeedsAction | Collected::NoMethod => intents::retrieve(world, id),
    }
}

/// The owner of the card agrees to a payment that waits for that, or does not.
pub fn authenticate(world: &mut World, intent: &str, agrees: bool) {
    let stored = world.get(intents::KIND, intent).cloned().unwrap_or_default();
    let Some(method) = stored.text("payment_method").filter(|_| stored.text("status") == Some("requires_action")) else { return };
    if !agrees {
        return intents::fail(world, intent, Decline::AuthenticationFailed);
    }
    world.secrets.agreed.insert(intent.to_owned());
    match payments::invoice_of(world, intent) {
        Some(invoice) => drop(collect(world, &invoice, Some(method))),
        None => drop(intents::charge(world, intent, method)),
    }
}

/// `save_default_payment_method=on_subscription`: what paid the invoice pays the next ones.
fn keep_method(world: &mut World, invoice: &Value, method: &str) {
    let Some(subscription) = standing::subscription_of(invoice) else { return };
    world.change("subscription", subscription, |subscription| {
        if subscription["payment_settings"].text("save_default_payment_method") == Some("on_subscription") {
            subscription["default_payment_method"] = json!(method);
        }
    });
}

/// The one of the invoice, of its subscription, or of the customer.
pub fn method_for(world: &World, invoice: &Value) -> Option<String> {
    let subscription = standing::subscription_of(invoice).and_then(|id| world.get("subscription", id));
    let customer = invoice.text("customer").and_then(|id| world.get("customer", id));
    let of_subscription = subscription.and_then(|subscription| subscription.id_of("default_payment_method"));
    let of_customer = customer.and_then(|customer| customer["invoice_settings"].id_of("default_payment_method"));
    invoice.id_of("default_payment_method").or(of_subscription).or(of_customer).map(str::to_owned)
}

/// Counts the try, and says when the next one is.
fn failed(world: &mut World, id: &str) {
    let invoice = world.get(KIND, id).cloned().unwrap_or_default();
    let now = world.now_for(invoice.text("customer").unwrap_or_default());
    let tries = invoice.int("attempt_count");
    // The first invoice of a subscription is not tried again: the subscription expires without it.
    let retries = invoice.is("auto_advance") && invoice.text("billing_reason") != Some("subscription_create");
    let pause = usize::try_from(tries).ok().and_then(|tries| world.settings.dunning_s.get(tries).copied()).filter(|_| retries);
    world.change(KIND, id, |invoice| {
        invoice["attempt_count"] = json!(tries + 1);
        invoice["attempted"] = json!(true);
        invoice["next_payment_attempt"] = json!(pause.map(|pause| now + pause));
    });
    world.emit("invoice.payment_failed", KIND, id);
    let is_last = pause.is_none() && invoice.is("auto_advance");
    standing::refused(world, &invoice, is_last);
}
