//! What can be made: the catalog.

use super::{
    ApiError,
    wire::{ModelList, ModelObject},
};
use axum::{Json, extract::Path, extract::rejection::PathRejection};

/// List models
#[utoipa::path(get, path = "/v1/models", tag = "models", responses((status = 200, description = "Every model on offer", body = ModelList)))]
pub async fn list_models() -> Json<ModelList> {
    Json(ModelList { object: "list", data: domain::catalog::models().iter().map(ModelObject::from).collect() })
}

/// Get a model
#[utoipa::path(
    get, path = "/v1/models/{model}", tag = "models",
    params(("model" = String, Path, description = "Its id", example = "vignette-1")),
    responses((status = 200, description = "The model", body = ModelObject))
)]
pub async fn retrieve_model(id: Result<Path<String>, PathRejection>) -> Result<Json<ModelObject>, ApiError> {
    let Path(id) = id.map_err(|_| ApiError::ModelUnknown)?;
    let model = domain::catalog::find_model(&id).ok_or(ApiError::ModelUnknown)?;
    Ok(Json(model.into()))
}
