//! The models on offer, as Replicate's clients look at them: each with one version, which describes its inputs.

use super::wire::version_of;
use crate::{
    api::{
        compatible::{
            address::Address,
            moment::rfc3339,
            submit::{OWNER, model as find},
        },
        request,
    },
    context::Context,
    error::{ApiError, NotOffered},
};
use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
};
use domain::{Catalog, Model, Timestamp, catalog::Field};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// From here on schemas say what we say by them, in the words of those who write them.
const SCHEMA_VERSION: &str = "0.3.9";

#[derive(Debug, Serialize)]
pub struct ModelObject {
    url: String,
    owner: &'static str,
    name: String,
    description: String,
    visibility: &'static str,
    github_url: Option<String>,
    paper_url: Option<String>,
    license_url: Option<String>,
    /// Not counted.
    run_count: u64,
    cover_image_url: Option<String>,
    default_example: Option<Value>,
    latest_version: VersionObject,
}

#[derive(Debug, Serialize)]
pub struct VersionObject {
    id: String,
    created_at: String,
    cog_version: &'static str,
    openapi_schema: Value,
}

#[derive(Debug, Serialize)]
pub struct Page<T> {
    next: Option<String>,
    previous: Option<String>,
    results: Vec<T>,
}

impl<T> From<Vec<T>> for Page<T> {
    fn from(results: Vec<T>) -> Self {
        Self { next: None, previous: None, results }
    }
}

impl ModelObject {
    fn new(model: &Model, address: &Address) -> Self {
        Self {
            url: format!("{}/v1/models/{OWNER}/{}", address.api, model.id),
            owner: OWNER,
            name: model.id.clone(),
            description: model.description.clone(),
            visibility: "public",
            github_url: None,
            paper_url: None,
            license_url: None,
            run_count: 0,
            cover_image_url: None,
            default_example: None,
            latest_version: VersionObject::new(model),
        }
    }
}

impl VersionObject {
    fn new(model: &Model) -> Self {
        let created_at = rfc3339(Timestamp::from_ms(model.created.saturating_mul(1000)));
        Self { id: version_of(&model.id), created_at, cog_version: SCHEMA_VERSION, openapi_schema: schema(model) }
    }
}

/// `GET /replicate/v1/models`
pub async fn list(State(context): State<Context>, address: Address) -> Result<Json<Page<ModelObject>>, ApiError> {
    let catalog = context.services.catalog().await?;
    Ok(Json(catalog.models().iter().map(|model| ModelObject::new(model, &address)).collect::<Vec<_>>().into()))
}

/// `GET /replicate/v1/models/{owner}/{model}`
pub async fn retrieve(
    State(context): State<Context>,
    address: Address,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<ModelObject>, ApiError> {
    let Path((owner, name)) = path.map_err(|_| ApiError::ModelUnknown)?;
    let catalog = context.services.catalog().await?;
    Ok(Json(ModelObject::new(find(&catalog, &owner, &name)?, &address)))
}

/// `GET /replicate/v1/models/{owner}/{model}/versions`
pub async fn versions(
    State(context): State<Context>,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<Page<VersionObject>>, ApiError> {
    let Path((owner, name)) = path.map_err(|_| ApiError::ModelUnknown)?;
    let catalog = context.services.catalog().await?;
    Ok(Json(vec![VersionObject::new(find(&catalog, &owner, &name)?)].into()))
}

/// `GET /replicate/v1/models/{owner}/{model}/versions/{version}`
pub async fn version(
    State(context): State<Context>,
    path: Result<Path<(String, String, String)>, PathRejection>,
) -> Result<Json<VersionObject>, ApiError> {
    let Path((owner, name, version)) = path.map_err(|_| ApiError::ModelUnknown)?;
    let catalog = context.services.catalog().await?;
    let found = VersionObject::new(find(&catalog, &owner, &name)?);
    if found.id == version { Ok(Json(found)) } else { Err(NotOffered::VersionUnknown.into()) }
}

/// What the model takes and gives, as the API's document says it of this model alone.
fn schema(model: &Model) -> Value {
    let alone = Catalog::new(vec![model.clone()], BTreeMap::new());
    let [(_, create), _] = request::schemas(&alone);
    let described = serde_json::to_value(create).unwrap_or_default();
    let fields = Field::ALL.into_iter().filter(|field| *field != Field::Model);
    let fields = fields.filter(|field| *field != Field::Enrich || model.can_be_enriched());
    let fields = fields.filter(|field| *field != Field::Seconds || !model.makes_images());
    let of_field = |(place, field): (usize, Field)| {
        let mut property = plain(described["properties"][field.name()].clone());
        property.insert("title".to_owned(), json!(field.label()));
        property.insert("x-order".to_owned(), json!(place));
        (field.name().to_owned(), Value::Object(property))
    };
    let properties: Map<_, _> = fields.enumerate().map(of_field).collect();
    json!({
        "openapi": "3.0.2",
        "info": { "title": model.name, "version": "1" },
        "paths": {},
        "components": { "schemas": {
            "Input": { "title": "Input", "type": "object", "required": [Field::Prompt.name()], "properties": properties },
            "Output": { "title": "Output", "type": "string", "format": "uri" }
        } }
    })
}

/// In the words of OpenAPI 3.0, which has one type for each property, and no references here.
fn plain(property: Value) -> Map<String, Value> {
    let Value::Object(mut property) = property else { return Map::new() };
    if let Some(first) = property.get("type").and_then(Value::as_array).and_then(|types| types.first()).cloned() {
        property.insert("type".to_owned(), first);
    }
    if let Some(values) = property.get_mut("enum").and_then(Value::as_array_mut) {
        values.retain(|value| !value.is_null());
    }
    if property.contains_key("items") {
        property.insert("items".to_owned(), json!({ "type": "object" }));
    }
    property.remove("examples");
    property
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::testing::{image_model, video_model};

    #[test]
    fn a_version_describes_the_inputs_of_its_model() {
        let inputs = |model: &Model| schema(model)["components"]["schemas"]["Input"].clone();
        let video = inputs(&video_model());
        let property = |name: &str| &video["properties"][name];
        assert_eq!(
            (&video["required"], &property("prompt")["type"], &property("prompt")["x-order"]),
            (&json!(["prompt"]), &json!("string"), &json!(0))
        );
        assert_eq!(property("size")["enum"], json!(["96x96", "192x192", "384x384", "768x768"]));
        assert_eq!(
            (&property("steps")["type"], &property("steps")["maximum"], &property("steps")["default"]),
            (&json!("integer"), &json!(200), &json!(24))
        );
        assert!(property("model").is_null() && property("arrangement")["items"]["type"] == "object");
        assert!(inputs(&image_model())["properties"]["seconds"].is_null());
        assert!(!schema(&video_model()).to_string().contains("$ref"));
    }
}
