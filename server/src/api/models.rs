//! What can be made: the catalog.

use super::{
    ApiError,
    wire::{ModelList, ModelObject},
};
use crate::context::Context;
use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
};

/// List models
#[utoipa::path(get, path = "/v1/models", tag = "models", responses((status = 200, description = "Every model on offer", body = ModelList)))]
pub async fn list_models(State(context): State<Context>) -> Result<Json<ModelList>, ApiError> {
    let catalog = context.services.catalog().await?;
    let data = catalog.models().iter().map(|model| ModelObject::new(&catalog, model)).collect();
    Ok(Json(ModelList { object: "list", data }))
}

/// Get a model
#[utoipa::path(
    get, path = "/v1/models/{model}", tag = "models",
    params(("model" = String, Path, description = "Its id, or one of its aliases", example = "vignette-1")),
    responses((status = 200, description = "The model, under its own id", body = ModelObject))
)]
pub async fn retrieve_model(
    State(context): State<Context>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Json<ModelObject>, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::ModelUnknown)?;
    let catalog = context.services.catalog().await?;
    let model = catalog.find(&name).ok_or(ApiError::ModelUnknown)?;
    Ok(Json(ModelObject::new(&catalog, model)))
}
