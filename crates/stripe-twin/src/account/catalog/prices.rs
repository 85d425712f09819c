//! Prices: one-time, by period, or by what a meter counts; per unit or in tiers.

use serde_json::{Value, json};

use super::products;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page, pass_through};

const KIND: &str = "price";
const INTERVALS: [&str; 4] = ["day", "week", "month", "year"];
const PARAMS: [&str; 16] = [
    "active",
    "billing_scheme",
    "currency",
    "lookup_key",
    "metadata",
    "nickname",
    "product",
    "product_data",
    "recurring",
    "tax_behavior",
    "tiers",
    "tiers_mode",
    "transfer_lookup_key",
    "transform_quantity",
    "unit_amount",
    "unit_amount_decimal",
];

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    let product = match (params.text("product"), params.part("product_data")) {
        (Some(product), _) => {
            world.require("product", product, "product")?;
            product.to_owned()
        }
        (None, Some(data)) => products::create(world, &data)?.text("id").unwrap_or_default().to_owned(),
        (None, None) => return Err(StripeError::missing_parameter("product")),
    };
    create_for(world, &product, params)
}

/// Of this product; also what `price_data` of other objects makes.
pub fn create_for(world: &mut World, product: &str, params: &Params) -> Result<Value, StripeError> {
    let currency = params.required("currency")?.to_lowercase();
    let recurring = params.part("recurring").map(|part| recurring(world, &part)).transpose()?;
    let unit = unit_amount(params)?;
    let tiers = tiers(params)?;
    if unit.is_none() && tiers.is_empty() {
        let message = "Price creation requires a price attribute. Please provide either unit_amount, unit_amount_decimal, \
                       custom_unit_amount or specify tiers.";
        return Err(StripeError::coded("parameter_missing", message));
    }
    claim_lookup_key(world, params)?;
    let id = world.new_id("price_", 24);
    let scheme = if tiers.is_empty() { "per_unit" } else { "tiered" };
    let mut price = json!({
        "id": id,
        "object": KIND,
        "active": params.flag("active")?.unwrap_or(true),
        "billing_scheme": scheme,
        "created": world.now(),
        "currency": currency,
        "custom_unit_amount": null,
        "livemode": false,
        "lookup_key": params.text("lookup_key"),
        "metadata": metadata(params),
        "nickname": params.text("nickname"),
        "product": product,
        "recurring": recurring,
        "tax_behavior": params.text("tax_behavior").unwrap_or("unspecified"),
        "tiers_mode": params.choice("tiers_mode", &["graduated", "volume"])?,
        "transform_quantity": transform(params)?,
        "type": if recurring.is_some() { "recurring" } else { "one_time" },
        "unit_amount": unit.filter(|unit| unit.fract() == 0.0).map(|unit| unit as i64),
        "unit_amount_decimal": unit.map(decimal),
    });
    if !tiers.is_empty() {
        price["tiers"] = Value::Array(tiers);
    }
    world.insert(KIND, price);
    world.emit("price.created", KIND, &id);
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["active", "lookup_key", "metadata", "nickname", "tax_behavior", "transfer_lookup_key"])?;
    world.require(KIND, id, "id")?;
    let active = params.flag("active")?;
    claim_lookup_key(world, params)?;
    world.update(KIND, id, "price.updated", |price| {
        pass_through(price, params, &["lookup_key", "nickname", "tax_behavior"]);
        merge_metadata(&mut price["metadata"], params);
        if let Some(active) = active {
            price["active"] = json!(active);
        }
    });
    retrieve(world, id)
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let active = params.flag("active")?;
    let keys = params.texts("lookup_keys");
    let recurring = params.part_or_empty("recurring");
    let filters = ["active", "currency", "lookup_keys", "product", "recurring", "type"];
    let same = |wanted: Option<&str>, found: Option<&str>| wanted.is_none_or(|wanted| found == Some(wanted));
    page("/v1/prices", params, &filters, world.all(KIND), |price| {
        active.is_none_or(|active| price.is("active") == active)
            && ["currency", "product", "type"].iter().all(|name| same(params.text(name), price.text(name)))
            && ["interval", "meter", "usage_type"].iter().all(|name| same(recurring.text(name), price["recurring"].text(name)))
            && (keys.is_empty() || price.text("lookup_key").is_some_and(|key| keys.contains(&key)))
    })
}

/// The older view of a recurring price, which subscription items still carry.
pub fn plan(price: &Value) -> Value {
    let recurring = &price["recurring"];
    json!({
        "id": price["id"],
        "object": "plan",
        "active": price["active"],
        "amount": price["unit_amount"],
        "amount_decimal": price["unit_amount_decimal"],
        "billing_scheme": price["billing_scheme"],
        "created": price["created"],
        "currency": price["currency"],
        "interval": recurring["interval"],
        "interval_count": recurring["interval_count"],
        "livemode": false,
        "metadata": price["metadata"],
        "meter": recurring["meter"],
        "nickname": price["nickname"],
        "product": price["product"],
        "tiers_mode": price["tiers_mode"],
        "transform_usage": price["transform_quantity"],
        "trial_period_days": recurring["trial_period_days"],
        "usage_type": recurring["usage_type"],
    })
}

pub fn is_metered(price: &Value) -> bool {
    price["recurring"].text("usage_type") == Some("metered")
}

/// What so many units cost, in whole cents; halves are rounded away from zero.
pub fn amount_of(price: &Value, quantity: i64) -> i64 {
    let unit = |holder: &Value, name: &str| -> f64 { holder.text(name).and_then(|text| text.parse().ok()).unwrap_or(0.0) };
    let quantity = transformed(price, quantity);
    let tiers = price.elements("tiers");
    if tiers.is_empty() {
        return (unit(price, "unit_amount_decimal") * quantity as f64).round() as i64;
    }
    let graduated = price.text("tiers_mode") != Some("volume");
    let (mut total, mut from) = (0.0, 0);
    for tier in tiers {
        let to = tier.int_or_none("up_to").unwrap_or(i64::MAX);
        let within = if graduated { quantity.min(to) - from } else { quantity };
        if graduated || quantity <= to {
            if within > 0 || (from == 0 && !graduated) {
                total += unit(tier, "unit_amount_decimal") * within as f64 + unit(tier, "flat_amount_decimal");
            }
            if quantity <= to {
                break;
            }
        }
        from = to;
    }
    total.round() as i64
}

/// `transform_quantity`: units that are sold by the package.
fn transformed(price: &Value, quantity: i64) -> i64 {
    let by = price["transform_quantity"].int("divide_by");
    match price["transform_quantity"].text("round") {
        Some("up") if by > 0 => quantity.div_euclid(by) + i64::from(quantity.rem_euclid(by) > 0),
        Some(_) if by > 0 => quantity.div_euclid(by),
        _ => quantity,
    }
}

fn recurring(world: &World, part: &Params) -> Result<Value, StripeError> {
    part.only(&["interval", "interval_count", "meter", "trial_period_days", "usage_type"])?;
    let interval = part.choice("interval", &INTERVALS)?.ok_or_else(|| StripeError::missing_parameter(&part.name("interval")))?;
    let usage = part.choice("usage_type", &["licensed", "metered"])?.unwrap_or("licensed");
    match part.text("meter") {
        Some(meter) if world.require("billing.meter", meter, &part.name("meter"))?.text("status") != Some("active") => {
            return Err(StripeError::invalid(&part.name("meter"), "The meter is not active."));
        }
        Some(_) if usage == "licensed" => {
            return Err(StripeError::invalid(&part.name("meter"), "`meter` can only be set when usage_type is `metered`."));
        }
        None if usage == "metered" => return Err(StripeError::missing_parameter(&part.name("meter"))),
        _ => {}
    }
    Ok(json!({
        "interval": interval,
        "interval_count": part.integer("interval_count")?.unwrap_or(1),
        "meter": part.text("meter"),
        "trial_period_days": part.integer("trial_period_days")?,
        "usage_type": usage,
    }))
}

fn unit_amount(params: &Params) -> Result<Option<f64>, StripeError> {
    Ok(params.integer("unit_amount")?.map(|cents| cents as f64).or(params.number("unit_amount_decimal")?))
}

/// As Stripe writes decimals: without a point where there is no fraction.
fn decimal(number: f64) -> String {
    format!("{number}")
}

fn tiers(params: &Params) -> Result<Vec<Value>, StripeError> {
    let tiers = params.parts("tiers");
    let read = |tier: &Params| {
        let amount = |whole: &str, exact: &str| -> Result<Option<f64>, StripeError> {
            Ok(tier.integer(whole)?.map(|cents| cents as f64).or(tier.number(exact)?))
        };
        let (unit, flat) = (amount("unit_amount", "unit_amount_decimal")?, amount("flat_amount", "flat_amount_decimal")?);
        let whole = |number: Option<f64>| number.filter(|number| number.fract() == 0.0).map(|number| number as i64);
        Ok(json!({
            "flat_amount": whole(flat),
            "flat_amount_decimal": flat.map(decimal),
            "unit_amount": whole(unit),
            "unit_amount_decimal": unit.map(decimal),
            "up_to": if tier.text("up_to") == Some("inf") { None } else { tier.integer("up_to")? },
        }))
    };
    tiers.iter().map(read).collect()
}

fn transform(params: &Params) -> Result<Value, StripeError> {
    let Some(part) = params.part("transform_quantity") else { return Ok(Value::Null) };
    let by = part.integer("divide_by")?.ok_or_else(|| StripeError::missing_parameter(&part.name("divide_by")))?;
    Ok(json!({"divide_by": by, "round": part.choice("round", &["up", "down"])?.unwrap_or("up")}))
}

/// A lookup key belongs to one active price; `transfer_lookup_key` takes it from the other.
fn claim_lookup_key(world: &mut World, params: &Params) -> Result<(), StripeError> {
    let Some(key) = params.text("lookup_key") else { return Ok(()) };
    let holder = world.all(KIND).into_iter().find(|price| price.text("lookup_key") == Some(key)).and_then(|price| price.text("id"));
    let Some(holder) = holder.map(str::to_owned) else { return Ok(()) };
    if params.flag("transfer_lookup_key")? != Some(true) {
        return Err(StripeError::invalid("lookup_key", &format!("A price (`{holder}`) already uses that lookup key.")));
    }
    world.update(KIND, &holder, "price.updated", |price| price["lookup_key"] = Value::Null);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graduated_tiers_price_each_unit_by_its_own_tier() {
        let price = json!({"tiers_mode": "graduated", "tiers": [
            {"up_to": 10, "unit_amount_decimal": "100", "flat_amount_decimal": null},
            {"up_to": null, "unit_amount_decimal": "50", "flat_amount_decimal": "7"},
        ]});
        assert_eq!([0, 1, 10, 11, 20].map(|units| amount_of(&price, units)), [0, 100, 1000, 1057, 1507]);
    }

    #[test]
    fn volume_prices_every_unit_by_the_last_tier() {
        let price = json!({"tiers_mode": "volume", "tiers": [
            {"up_to": 10, "unit_amount_decimal": "100"}, {"up_to": null, "unit_amount_decimal": "50"},
        ]});
        assert_eq!([10, 11].map(|units| amount_of(&price, units)), [1000, 550]);
    }

    #[test]
    fn fractions_of_a_cent_add_up_before_they_are_rounded() {
        let price = json!({"unit_amount_decimal": "0.05"});
        assert_eq!([9, 10, 110].map(|units| amount_of(&price, units)), [0, 1, 6]);
    }
}
