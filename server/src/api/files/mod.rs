//! Files: uploaded piece by piece, listed, fetched and deleted. Inputs of batches, and what came of them.

mod upload;
pub mod wire;

pub use upload::*;

use super::{ApiError, caller::Caller, query};
use crate::{context::Context, error::Batching};
use axum::{
    Json,
    body::Body,
    extract::{FromRequestParts, Path, RawQuery, State},
    http::{HeaderName, HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{Actor, FileId, batch::FilePurpose};
use service::{FileContent, FileQuery};
use wire::{FileDeleted, FileList, FileObject};

const LIMIT_DEFAULT: u64 = 1000;
const LIMIT_MAX: u64 = 10_000;
/// Of one page, whatever is asked for.
const LISTED_MAX: u64 = 1000;

/// The file that the path names. What is no id at all is answered like an id nobody has.
pub struct NamedFile(pub FileId);

impl<S: Send + Sync> FromRequestParts<S> for NamedFile {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let unknown = || ApiError::from(Batching::FileUnknown);
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| unknown())?;
        text.parse().map(Self).map_err(|_| unknown())
    }
}

/// List files
///
/// The newest first. A page has at most 1,000 files, however many are asked for: read on while `has_more` is true.
#[utoipa::path(
    get, path = "/v1/files", tag = "files",
    params(
        ("after" = Option<String>, Query, description = "The `last_id` of the page before"),
        ("limit" = Option<u64>, Query, description = "1 to 10,000, 1,000 unless given"),
        ("order" = Option<String>, Query, description = "`desc`, newest first, or `asc`"),
        ("purpose" = Option<String>, Query, description = "Only those for this purpose: `batch`, `batch_output`, `vision` or `user_data`")
    ),
    responses(
        (status = 200, description = "A page of files", body = FileList),
        (status = 400, description = "A parameter has to be mended; `param` says which", body = crate::error::ErrorBody)
    )
)]
pub async fn list_files(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Json<FileList>, ApiError> {
    let query = page(query.as_deref().unwrap_or_default())?;
    Ok(Json(FileList::from(context.services.files(caller.actor(), query).await?)))
}

/// Look at a file
#[utoipa::path(
    get, path = "/v1/files/{file_id}", tag = "files",
    params(("file_id" = String, Path, description = "The file")),
    responses((status = 200, description = "The file", body = FileObject))
)]
pub async fn retrieve_file(State(context): State<Context>, caller: Caller, NamedFile(id): NamedFile) -> Result<Json<FileObject>, ApiError> {
    let file = context.services.file(caller.actor(), id).await?.ok_or(Batching::FileUnknown)?;
    Ok(Json(FileObject::from(&file)))
}

/// Fetch what is in a file
#[utoipa::path(
    get, path = "/v1/files/{file_id}/content", tag = "files",
    params(("file_id" = String, Path, description = "The file")),
    responses((status = 200, description = "Its bytes", content((Vec<u8> = "application/octet-stream"))))
)]
pub async fn download_file(State(context): State<Context>, caller: Caller, NamedFile(id): NamedFile) -> Result<Response, ApiError> {
    content(&context, caller.actor(), id).await
}

/// The bytes of a file, to be saved.
pub async fn content(context: &Context, actor: Actor, id: FileId) -> Result<Response, ApiError> {
    let FileContent { file, stream } = context.services.file_content(actor, id).await?.ok_or(Batching::FileUnknown)?;
    // What people uploaded is saved, and never shown as a page of ours.
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_LENGTH, HeaderValue::from(file.bytes)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::CONTENT_DISPOSITION, disposition(&file.name)),
    ];
    Ok((headers, Body::from_stream(stream.body)).into_response())
}

/// Delete a file
///
/// Not while a batch reads it that has not ended. What came of a batch is not kept anywhere else.
#[utoipa::path(
    delete, path = "/v1/files/{file_id}", tag = "files",
    params(("file_id" = String, Path, description = "The file")),
    responses(
        (status = 200, description = "It is deleted", body = FileDeleted),
        (status = 409, description = "A batch that has not ended reads it", body = crate::error::ErrorBody)
    )
)]
pub async fn delete_file(State(context): State<Context>, caller: Caller, NamedFile(id): NamedFile) -> Result<Json<FileDeleted>, ApiError> {
    if !context.services.delete_file(caller.actor(), id).await? {
        return Err(Batching::FileUnknown.into());
    }
    Ok(Json(FileDeleted { id: id.to_string(), object: "file", deleted: true }))
}

fn page(query: &str) -> Result<FileQuery, ApiError> {
    let mut page = FileQuery { after: None, limit: LIMIT_DEFAULT, oldest_first: false, purpose: None };
    for (name, value) in query::given(query) {
        match &*name {
            "after" => page.after = Some(query::after(&value, "a file")?),
            "limit" => page.limit = query::limit(&value, LIMIT_MAX)?,
            "order" => page.oldest_first = query::oldest_first(&value)?,
            "purpose" => {
                let purpose = FilePurpose::named(&value);
                let unknown = || query::invalid("purpose", "`purpose` must be `batch`, `batch_output`, `vision` or `user_data`.");
                page.purpose = Some(purpose.ok_or_else(unknown)?);
            }
            _ => {}
        }
    }
    page.limit = page.limit.min(LISTED_MAX);
    Ok(page)
}

/// To be saved under a plain form of its name.
fn disposition(name: &str) -> HeaderValue {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' }).collect();
    let plain = plain.trim_start_matches('.');
    let text = format!("attachment; filename=\"{}\"", if plain.is_empty() { "file" } else { plain });
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_breaks_the_header() {
        for (name, expected) in [
            ("prompts.jsonl", "attachment; filename=\"prompts.jsonl\""),
            ("a \"b\"; c\r\n.jsonl", "attachment; filename=\"a__b___c__.jsonl\""),
            ("..", "attachment; filename=\"file\""),
            ("über.jsonl", "attachment; filename=\"_ber.jsonl\""),
        ] {
            assert_eq!(disposition(name), expected, "{name:?}");
        }
    }

    #[test]
    fn a_page_is_asked_for_by_what_it_has() {
        let asked = page("limit=10000&order=asc&purpose=batch_output").unwrap();
        assert_eq!((asked.limit, asked.oldest_first, asked.purpose), (LISTED_MAX, true, Some(FilePurpose::BatchOutput)));
        for wrong in ["limit=0", "limit=10001", "order=up", "purpose=fine-tune", "after=job_1"] {
            assert!(page(wrong).is_err(), "{wrong}");
        }
    }
}
