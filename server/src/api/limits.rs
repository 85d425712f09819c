//! The bounds and defaults of a request's fields in the API's document, taken from the catalog, so that the
//! document never promises what the parser refuses.

use domain::{
    Model, Seed, catalog,
    catalog::{PROMPT_CHARS_MAX, TEXT_BYTES_MAX},
    grouped,
};
use serde_json::{Value, json};
use std::collections::HashSet;
use utoipa::{
    Number,
    openapi::{
        OpenApi, RefOr, Schema,
        schema::{Object, SchemaType, Type},
    },
};

/// The schemas that describe requests.
const REQUESTS: [&str; 2] = ["CreateVideo", "RemixVideo"];

/// Adds to each field of a request what it may be, and what it is when left out. What models differ in is as
/// wide as the widest of them; `/v1/models` says it of each.
pub fn with_limits(mut document: OpenApi) -> OpenApi {
    let schemas = document.components.iter_mut().flat_map(|components| &mut components.schemas);
    for (_, schema) in schemas.filter(|(name, _)| REQUESTS.contains(&name.as_str())) {
        let RefOr::T(Schema::Object(request)) = schema else { continue };
        for (name, field) in &mut request.properties {
            if let RefOr::T(Schema::Object(field)) = field {
                limit(name, field);
            }
        }
    }
    document
}

fn limit(name: &str, field: &mut Object) {
    let default = catalog::default_model();
    match name {
        "prompt" | "negative_prompt" => {
            field.max_length = Some(PROMPT_CHARS_MAX);
            let said = field.description.take().unwrap_or_default();
            let most = format!("At most {} characters and {} KiB of UTF-8.", grouped(PROMPT_CHARS_MAX as u64), TEXT_BYTES_MAX / 1024);
            field.description = Some(format!("{said} {most}").trim().to_owned());
        }
        "model" => choose(field, catalog::models().iter().map(|model| model.id.to_owned()), json!(default.id)),
        "size" => {
            choose(field, each(|model| model.sizes.iter().map(|option| option.size.to_string())), json!(default.size_default.to_string()))
        }
        "seconds" => {
            choose(field, each(|model| model.durations.iter().map(ToString::to_string)), json!(default.duration_default.to_string()))
        }
        "steps" => {
            let (min, max) = (each_number(|model| model.steps_min.into()), each_number(|model| model.steps_max.into()));
            bound(field, Number::UInt(lowest(min) as usize), Number::UInt(highest(max) as usize));
            field.default = Some(json!(default.steps_default));
        }
        "guidance" => {
            let (min, max) = (each_number(|model| model.guidance_min), each_number(|model| model.guidance_max));
            bound(field, Number::Float(lowest(min)), Number::Float(highest(max)));
            field.default = Some(json!(default.guidance_default));
        }
        "seed" => bound(field, Number::UInt(0), Number::UInt(Seed::MAX as usize)),
        _ => {}
    }
}

fn bound(field: &mut Object, minimum: Number, maximum: Number) {
    field.minimum = Some(minimum);
    field.maximum = Some(maximum);
}

/// One of a few texts; null stands for leaving it out, where that is allowed.
fn choose(field: &mut Object, values: impl Iterator<Item = String>, default: Value) {
    let nullable = matches!(&field.schema_type, SchemaType::Array(types) if types.contains(&Type::Null));
    let mut listed = HashSet::new();
    let mut values: Vec<Value> = values.filter(|value| listed.insert(value.clone())).map(Value::from).collect();
    values.extend(nullable.then_some(Value::Null));
    field.enum_values = Some(values);
    field.default = Some(default);
}

fn each<I: Iterator<Item = String>>(values: impl Fn(&'static Model) -> I) -> impl Iterator<Item = String> {
    catalog::models().iter().flat_map(values)
}

fn each_number(number: impl Fn(&'static Model) -> f64) -> Vec<f64> {
    catalog::models().iter().map(number).collect()
}

fn lowest(numbers: Vec<f64>) -> f64 {
    numbers.into_iter().fold(f64::INFINITY, f64::min)
}

fn highest(numbers: Vec<f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, f64::max)
}
