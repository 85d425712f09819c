//! What a portal lets customers do.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page, pass_through};

pub const KIND: &str = "billing_portal.configuration";
const PARAMS: [&str; 6] = ["active", "business_profile", "default_return_url", "features", "metadata", "name"];

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    if !params.has("features") {
        return Err(StripeError::missing_parameter("features"));
    }
    let id = store(world, params, false)?;
    world.emit("billing_portal.configuration.created", KIND, &id);
    retrieve(world, &id)
}

/// The one that sessions have which name none.
pub fn default(world: &mut World) -> Result<String, StripeError> {
    let is_default = |configuration: &&Value| configuration.is("is_default");
    if let Some(found) = world.all(KIND).into_iter().find(is_default).and_then(|found| found.text("id")) {
        return Ok(found.to_owned());
    }
    let all = json!({"features": {
        "customer_update": {"enabled": "false"},
        "invoice_history": {"enabled": "true"},
        "payment_method_update": {"enabled": "true"},
        "subscription_cancel": {"enabled": "true", "mode": "at_period_end"},
        "subscription_update": {"enabled": "true", "proration_behavior": "always_invoice"},
    }});
    store(world, &Params::new(all), true)
}

fn store(world: &mut World, params: &Params, is_default: bool) -> Result<String, StripeError> {
    let id = world.new_id("bpc_", 24);
    let now = world.now();
    let mut configuration = json!({
        "id": id,
        "object": KIND,
        "active": params.flag("active")?.unwrap_or(true),
        "application": null,
        "business_profile": {"headline": null, "privacy_policy_url": null, "terms_of_service_url": null},
        "created": now,
        "default_return_url": params.text("default_return_url"),
        "features": features(&json!({}), &params.part_or_empty("features"))?,
        "is_default": is_default,
        "livemode": false,
        "login_page": {"enabled": false, "url": null},
        "metadata": metadata(params),
        "name": params.text("name"),
        "updated": now,
    });
    set_profile(&mut configuration, params);
    world.insert(KIND, configuration);
    Ok(id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    let changed = features(&retrieve(world, id)?["features"], &params.part_or_empty("features"))?;
    let (active, now) = (params.flag("active")?, world.now());
    world.update(KIND, id, "billing_portal.configuration.updated", |configuration| {
        configuration["features"] = changed;
        merge_metadata(&mut configuration["metadata"], params);
        pass_through(configuration, params, &["default_return_url", "name"]);
        set_profile(configuration, params);
        if let Some(active) = active {
            configuration["active"] = json!(active);
        }
        configuration["updated"] = json!(now);
    });
    retrieve(world, id)
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let (active, is_default) = (params.flag("active")?, params.flag("is_default")?);
    page("/v1/billing_portal/configurations", params, &["active", "is_default"], world.all(KIND), |configuration| {
        active.is_none_or(|active| configuration.is("active") == active)
            && is_default.is_none_or(|is_default| configuration.is("is_default") == is_default)
    })
}

fn set_profile(configuration: &mut Value, params: &Params) {
    if let Some(profile) = params.part("business_profile") {
        let names = ["headline", "privacy_policy_url", "terms_of_service_url"];
        pass_through(&mut configuration["business_profile"], &profile, &names);
    }
}

/// What is there, changed by what is given.
fn features(before: &Value, given: &Params) -> Result<Value, StripeError> {
    given.only(&["customer_update", "invoice_history", "payment_method_update", "subscription_cancel", "subscription_update"])?;
    let enabled = |name: &str| -> Result<bool, StripeError> {
        Ok(given.part_or_empty(name).flag("enabled")?.unwrap_or_else(|| before[name].is("enabled")))
    };
    let word = |name: &str, field: &str, default: &str| -> String {
        let given = given.part_or_empty(name).text(field).map(str::to_owned);
        given.or_else(|| before[name].text(field).map(str::to_owned)).unwrap_or_else(|| default.to_owned())
    };
    let update = given.part_or_empty("subscription_update");
    let products = if update.has("products") { read_products(&update) } else { before["subscription_update"]["products"].clone() };
    let customer = given.part_or_empty("customer_update");
    let reason = given.part_or_empty("subscription_cancel").part_or_empty("cancellation_reason");
    Ok(json!({
        "customer_update": {"allowed_updates": customer.texts("allowed_updates"), "enabled": enabled("customer_update")?},
        "invoice_history": {"enabled": enabled("invoice_history")?},
        "payment_method_update": {"enabled": enabled("payment_method_update")?, "payment_method_configuration": null},
        "subscription_cancel": {
            "cancellation_reason": {
                "enabled": reason.flag("enabled")?.unwrap_or(false),
                "feedback_options": null,
                "options": reason.texts("options"),
            },
            "enabled": enabled("subscription_cancel")?,
            "mode": word("subscription_cancel", "mode", "at_period_end"),
            "proration_behavior": word("subscription_cancel", "proration_behavior", "none"),
        },
        "subscription_pause": {"duration": {"interval_options": [], "type": "indefinite"}, "enabled": false},
        "subscription_update": {
            "billing_cycle_anchor": null,
            "default_allowed_updates": if update.has("default_allowed_updates") { update.texts("default_allowed_updates") } else { vec!["price"] },
            "enabled": enabled("subscription_update")?,
            "products": products,
            "proration_behavior": word("subscription_update", "proration_behavior", "none"),
            "schedule_at_period_end": {"conditions": []},
            "trial_update_behavior": word("subscription_update", "trial_update_behavior", "end_trial"),
        },
    }))
}

fn read_products(update: &Params) -> Value {
    let product = |part: &Params| {
        json!({
            "adjustable_quantity": {"enabled": false, "maximum": null, "minimum": 1},
            "prices": part.texts("prices"),
            "product": part.text("product"),
        })
    };
    update.parts("products").iter().map(product).collect()
}
