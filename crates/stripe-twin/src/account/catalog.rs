//! What is sold: products, prices, coupons and promotion codes, and what is metered.

pub mod coupons;
pub mod meters;
pub mod prices;
pub mod products;
pub mod usage;

use serde_json::Value;

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

/// A product, and its default price where there is one with it.
pub fn create_product(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let product = products::create(world, params)?;
    let id = product.text("id").unwrap_or_default().to_owned();
    if let Some(data) = params.part("default_price_data") {
        let price = prices::create_for(world, &id, &data)?;
        world.change("product", &id, |product| product["default_price"] = price["id"].clone());
    }
    products::retrieve(world, &id)
}
