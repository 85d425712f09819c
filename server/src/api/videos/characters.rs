//! Characters: somebody out of a video who is to be in others, which no model here can.

use super::derived::Derived;
use crate::{
    api::{ApiError, caller::Caller, fields::Given},
    context::Context,
    error::NotOffered,
};
use axum::{Json, extract::State};
use domain::Permission;
use serde::Serialize;
use utoipa::ToSchema;

const NAME_CHARS_MAX: usize = 80;

/// Somebody who is to be in other videos.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it exists for the document; `Derived` reads what it describes")]
pub struct CreateCharacter {
    /// 1 to 80 characters.
    #[schema(example = "Mossy")]
    pub name: String,
    pub video: super::derived::VideoReference,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Character {
    #[schema(example = "char_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "Mossy")]
    pub name: String,
    #[schema(example = 1_795_219_200)]
    pub created_at: i64,
}

/// Make a character
///
/// No model on offer can: what is asked for is checked, and refused with `unsupported_by_model`.
#[utoipa::path(
    post, path = "/v1/videos/characters", tag = "videos",
    request_body(content((CreateCharacter = "application/json"), (CreateCharacter = "multipart/form-data"))),
    responses(
        (status = 200, description = "The character", body = Character),
        (status = 404, description = "There is no such video, or it belongs to someone else.", body = crate::error::ErrorBody)
    )
)]
pub async fn create_character(State(context): State<Context>, caller: Caller, asked: Derived) -> Result<Json<Character>, ApiError> {
    caller.actor().require(Permission::SubmitJobs)?;
    let has_name = match &asked.name {
        Some(Given::Text(name)) => (1..=NAME_CHARS_MAX).contains(&name.trim().chars().count()),
        None | Some(Given::Null) => asked.has_file(),
        Some(_) => false,
    };
    if !has_name {
        let message = format!("`name` must be a text of 1 to {NAME_CHARS_MAX} characters.");
        return Err(ApiError::Invalid { param: Some("name"), message });
    }
    asked.source(&context, caller).await?;
    Err(NotOffered::ByModels { what: "learn a character", param: "video" }.into())
}

/// Look at a character
///
/// There are none, as no model on offer makes any.
#[utoipa::path(
    get, path = "/v1/videos/characters/{character_id}", tag = "videos",
    params(("character_id" = String, Path, description = "The character")),
    responses((status = 200, description = "The character", body = Character))
)]
pub async fn retrieve_character() -> Result<Json<Character>, ApiError> {
    Err(NotOffered::CharacterUnknown.into())
}
