//! Refunds, whole or in part, never of more than was paid.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page};

const KIND: &str = "refund";
const REASONS: [&str; 3] = ["duplicate", "fraudulent", "requested_by_customer"];

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["amount", "charge", "metadata", "payment_intent", "reason"])?;
    let reason = params.choice("reason", &REASONS)?;
    let charge = match (params.text("charge"), params.text("payment_intent")) {
        (Some(charge), _) => world.require("charge", charge, "charge")?.clone(),
        (None, Some(intent)) => {
            let intent = world.require("payment_intent", intent, "payment_intent")?;
            let charge = intent.text("latest_charge").and_then(|charge| world.get("charge", charge));
            charge.cloned().ok_or_else(|| StripeError::refused("This PaymentIntent does not have a successful charge to refund."))?
        }
        (None, None) => return Err(StripeError::missing_parameter("charge")),
    };
    let id = make(world, &charge, params.integer("amount")?, reason)?;
    world.change(KIND, &id, |refund| refund["metadata"] = metadata(params));
    retrieve(world, &id)
}

/// Gives back `amount`, or all that is left.
///
/// # Errors
/// When nothing is left, or less.
pub fn make(world: &mut World, charge: &Value, amount: Option<i64>, reason: Option<&str>) -> Result<String, StripeError> {
    let charge_id = charge.text("id").unwrap_or_default();
    if charge.text("status") != Some("succeeded") {
        return Err(StripeError::refused("This charge has not succeeded, so it cannot be refunded."));
    }
    let left = charge.int("amount") - charge.int("amount_refunded");
    if left == 0 {
        return Err(StripeError::coded("charge_already_refunded", &format!("Charge {charge_id} has already been refunded.")));
    }
    let amount = amount.unwrap_or(left);
    if amount < 1 {
        return Err(StripeError::invalid("amount", "Refund amount must be at least 1."));
    }
    if amount > left {
        let message = format!("Refund amount ({amount}) is greater than unrefunded amount on charge ({left})");
        return Err(StripeError::invalid("amount", &message));
    }
    let id = world.new_id("re_", 24);
    let customer = charge.text("customer");
    let refund = json!({
        "id": id,
        "object": KIND,
        "amount": amount,
        "balance_transaction": null,
        "charge": charge_id,
        "created": customer.map_or_else(|| world.now(), |customer| world.now_for(customer)),
        "currency": charge["currency"],
        "customer": customer,
        "customer_account": null,
        "destination_details": {"card": {"type": "refund", "reference_status": "pending", "reference_type": "acquirer_reference_number"}, "type": "card"},
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "payment_method": charge["payment_method"],
        "reason": reason,
        "receipt_number": null,
        "source_transfer_reversal": null,
        "status": "succeeded",
        "transfer_reversal": null,
    });
    world.insert(KIND, refund);
    let refunded = charge.int("amount_refunded") + amount;
    world.emit("refund.created", KIND, &id);
    world.update("charge", charge_id, "charge.refunded", |charge| {
        charge["amount_refunded"] = json!(refunded);
        charge["refunded"] = json!(refunded == charge.int("amount"));
    });
    Ok(id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["metadata"])?;
    world.require(KIND, id, "id")?;
    world.update(KIND, id, "refund.updated", |refund| merge_metadata(&mut refund["metadata"], params));
    retrieve(world, id)
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/refunds", params, &["charge", "payment_intent"], world.all(KIND), |refund| {
        ["charge", "payment_intent"].iter().all(|name| params.text(name).is_none_or(|wanted| refund.text(name) == Some(wanted)))
    })
}
