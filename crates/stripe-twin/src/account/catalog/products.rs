//! Products.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page, pass_through};

const KIND: &str = "product";
const TEXTS: [&str; 6] = ["description", "name", "statement_descriptor", "tax_code", "unit_label", "url"];
const PARAMS: [&str; 12] = [
    "active",
    "default_price",
    "description",
    "images",
    "marketing_features",
    "metadata",
    "name",
    "shippable",
    "statement_descriptor",
    "tax_code",
    "unit_label",
    "url",
];

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&[&PARAMS[..], &["id", "default_price_data", "type"]].concat())?;
    params.required("name")?;
    let id = params.text("id").map_or_else(|| world.new_id("prod_", 14), str::to_owned);
    if world.get(KIND, &id).is_some() {
        return Err(StripeError::coded("resource_already_exists", "Product already exists."));
    }
    let now = world.now();
    let mut product = json!({
        "id": id,
        "object": KIND,
        "active": params.flag("active")?.unwrap_or(true),
        "created": now,
        "default_price": null,
        "description": null,
        "images": params.texts("images"),
        "livemode": false,
        "marketing_features": features(params),
        "metadata": metadata(params),
        "name": null,
        "package_dimensions": null,
        "shippable": params.flag("shippable")?,
        "statement_descriptor": null,
        "tax_code": null,
        "tax_details": null,
        "type": params.text("type").unwrap_or("service"),
        "unit_label": null,
        "updated": now,
        "url": null,
    });
    pass_through(&mut product, params, &TEXTS);
    world.insert(KIND, product);
    world.emit("product.created", KIND, &id);
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    world.require(KIND, id, "id")?;
    if let Some(price) = params.text("default_price") {
        world.require("price", price, "default_price")?;
    }
    let (active, shippable, now) = (params.flag("active")?, params.flag("shippable")?, world.now());
    world.update(KIND, id, "product.updated", |product| {
        pass_through(product, params, &TEXTS);
        pass_through(product, params, &["default_price"]);
        merge_metadata(&mut product["metadata"], params);
        if let Some(active) = active {
            product["active"] = json!(active);
        }
        if let Some(shippable) = shippable {
            product["shippable"] = json!(shippable);
        }
        if params.has("images") {
            product["images"] = json!(params.texts("images"));
        }
        if params.has("marketing_features") {
            product["marketing_features"] = features(params);
        }
        product["updated"] = json!(now);
    });
    retrieve(world, id)
}

/// Only one that has no prices.
pub fn delete(world: &mut World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id")?;
    if world.all("price").iter().any(|price| price.text("product") == Some(id)) {
        return Err(StripeError::refused("This product cannot be deleted because it has one or more user-created prices."));
    }
    if let Some(product) = world.remove(KIND, id) {
        world.emit_object("product.deleted", product, None);
    }
    Ok(json!({"id": id, "object": KIND, "deleted": true}))
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let (active, wanted) = (params.flag("active")?, params.texts("ids"));
    page("/v1/products", params, &["active", "ids"], world.all(KIND), |product| {
        let named = wanted.is_empty() || product.text("id").is_some_and(|id| wanted.contains(&id));
        named && active.is_none_or(|active| product.is("active") == active)
    })
}

fn features(params: &Params) -> Value {
    params.parts("marketing_features").iter().map(|feature| json!({"name": feature.text("name")})).collect()
}
