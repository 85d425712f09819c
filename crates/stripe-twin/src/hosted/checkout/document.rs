//! What is the same in every checkout session.

use serde_json::{Value, json};

/// A whole session, of what differs from one to the other.
pub fn with(own: Value) -> Value {
    let mut session = json!({
        "adaptive_pricing": null,
        "after_expiration": null,
        "allowed_payment_method_types": null,
        "automatic_tax": {"enabled": false, "liability": null, "provider": null, "status": null},
        "client_secret": null,
        "collected_information": null,
        "consent": null,
        "consent_collection": null,
        "currency_conversion": null,
        "custom_fields": [],
        "custom_text": {"after_submit": null, "shipping_address": null, "submit": null, "terms_of_service_acceptance": null},
        "customer_account": null,
        "integration_identifier": null,
        "invoice": null,
        "invoice_creation": null,
        "livemode": false,
        "managed_payments": null,
        "origin_context": null,
        "payment_intent": null,
        "payment_link": null,
        "payment_method_configuration_details": null,
        "payment_method_options": {},
        "payment_method_types": ["card"],
        "permissions": null,
        "phone_number_collection": {"enabled": false},
        "recovered_from": null,
        "saved_payment_method_options": null,
        "setup_intent": null,
        "shipping_address_collection": null,
        "shipping_cost": null,
        "shipping_options": [],
        "status": "open",
        "subscription": null,
        "ui_mode": "hosted_page",
        "wallet_options": null,
    });
    if let (Some(session), Value::Object(own)) = (session.as_object_mut(), own) {
        session.extend(own);
    }
    session
}
