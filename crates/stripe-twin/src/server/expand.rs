//! `expand[]`: ids are replaced by what they name, and what is shown only on demand is added.

use serde_json::{Value, json};

use crate::billing::invoices;
use crate::hosted::checkout;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

/// Expands all that is asked for.
///
/// # Errors
/// When something cannot be expanded.
pub fn expand(world: &World, mut answer: Value, params: &Params) -> Result<Value, StripeError> {
    for path in params.texts("expand") {
        let steps: Vec<_> = path.split('.').collect();
        if steps.len() > 5 {
            return Err(StripeError::invalid("expand", "You cannot expand more than 4 levels of a property."));
        }
        walk(world, &mut answer, &steps, path)?;
    }
    Ok(answer)
}

fn walk(world: &World, node: &mut Value, steps: &[&str], path: &str) -> Result<(), StripeError> {
    if let Value::Array(elements) = node {
        return elements.iter_mut().try_for_each(|element| walk(world, element, steps, path));
    }
    if let Some(named) = node.as_str().and_then(|id| world.find(id)) {
        *node = named.clone();
    }
    let Some((step, rest)) = steps.split_first() else { return Ok(()) };
    if !node.is_object() {
        return if node.is_null() { Ok(()) } else { Err(cannot(path)) };
    }
    if node.get(*step).is_none() {
        let Some(included) = included(world, node, step) else {
            return if may_be_absent(step) { Ok(()) } else { Err(cannot(path)) };
        };
        node[*step] = included;
    }
    walk(world, &mut node[*step], rest, path)
}

/// Fields that only some objects of a kind have.
fn may_be_absent(step: &str) -> bool {
    matches!(step, "tiers" | "charge" | "payment_intent" | "breakdown" | "currency_options" | "applies_to")
}

fn included(world: &World, object: &Value, name: &str) -> Option<Value> {
    let id = object.text("id")?;
    match object.text("object")? {
        "checkout.session" => checkout::included(world, object, name),
        "invoice" => invoices::api::included(world, object, name),
        "customer" if matches!(name, "subscriptions" | "tax_ids" | "sources") => {
            let kind = if name == "subscriptions" { "subscription" } else { "tax_id" };
            let theirs = |row: &&Value| name != "sources" && row.text("customer") == Some(id) && row.text("status") != Some("canceled");
            let rows: Vec<_> = world.all(kind).into_iter().filter(theirs).collect();
            Some(json!({"object": "list", "data": rows, "has_more": false, "url": format!("/v1/customers/{id}/{name}")}))
        }
        "charge" if name == "refunds" => {
            let theirs: Vec<_> = world.all("refund").into_iter().filter(|refund| refund.text("charge") == Some(id)).collect();
            Some(json!({"object": "list", "data": theirs, "has_more": false, "url": format!("/v1/charges/{id}/refunds")}))
        }
        _ => None,
    }
}

fn cannot(path: &str) -> StripeError {
    StripeError::invalid("expand", &format!("This property cannot be expanded ({path})."))
}
