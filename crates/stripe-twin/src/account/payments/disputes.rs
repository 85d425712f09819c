//! Disputes: the owner of a card says that a payment was not theirs. They are opened by the tests alone, and never decided.

use serde_json::{Value, json};

use crate::world::{Fields, World};

const KIND: &str = "dispute";

/// Opens one of the whole of this charge. As at Stripe, it does not say of which customer.
pub fn make(world: &mut World, charge: &Value) {
    let (id, charge_id) = (world.new_id("du_", 24), charge.text("id").unwrap_or_default());
    let created = charge.text("customer").map_or_else(|| world.now(), |customer| world.now_for(customer));
    let dispute = json!({
        "id": id,
        "object": KIND,
        "amount": charge["amount"],
        "balance_transactions": [],
        "charge": charge_id,
        "created": created,
        "currency": charge["currency"],
        "enhanced_eligibility_types": [],
        "evidence": {},
        "evidence_details": {"due_by": null, "enhanced_eligibility": {}, "has_evidence": false, "past_due": false, "submission_count": 0},
        "is_charge_refundable": false,
        "livemode": false,
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "reason": "fraudulent",
        "status": "needs_response",
    });
    world.change("charge", charge_id, |charge| charge["disputed"] = json!(true));
    world.insert(KIND, dispute);
    world.emit("charge.dispute.created", KIND, &id);
}
