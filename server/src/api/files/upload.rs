//! Taking a file in, as it arrives: no more of it is in memory than a piece.

use super::{
    super::{ApiError, caller::Caller},
    wire::{CreateFile, FileObject},
};
use crate::{
    context::Context,
    files::parts::{Unread, parts_of},
};
use axum::{
    Json,
    extract::{
        Multipart, Request, State,
        multipart::{Field, MultipartError},
    },
};
use domain::{
    Permission,
    batch::{FileError, FileExpiry, FilePurpose},
};
use service::{FileUpload, NewFile};

/// Of a field beside the file.
const FIELD_BYTES_MAX: usize = 1024;

/// What has arrived.
#[derive(Default)]
struct Form {
    file: Option<(FileUpload, String)>,
    purpose: Option<String>,
    anchor: Option<String>,
    seconds: Option<String>,
}

/// Upload a file
///
/// As `multipart/form-data`, with fields in any order. It counts when all of it has arrived, and not before.
#[utoipa::path(
    post, path = "/v1/files", tag = "files",
    request_body(content((CreateFile = "multipart/form-data"))),
    responses(
        (status = 200, description = "The file", body = FileObject),
        (status = 403, description = "There is no room for more of your files, or the key lacks the scope `batches:write`.", body = crate::error::ErrorBody),
        (status = 413, description = "The file is larger than 200 MiB.", body = crate::error::ErrorBody)
    )
)]
pub async fn create_file(State(context): State<Context>, caller: Caller, request: Request) -> Result<Json<FileObject>, ApiError> {
    caller.actor().require(Permission::SubmitJobs)?;
    let parts = parts_of(request).await;
    let (multipart, unread) = parts.map_err(|_| invalid(None, "Send the file as multipart/form-data, with a boundary."))?;
    let form = Box::pin(read(&context, caller, (multipart, unread))).await?;
    let purpose = FilePurpose::of_upload(form.purpose.as_deref().ok_or(FileError::Purpose)?)?;
    let expiry = FileExpiry::parse(form.anchor.as_deref(), form.seconds.as_deref())?;
    let (upload, name) = form.file.ok_or_else(|| invalid(Some("file"), "Send the file itself as the part `file`."))?;
    let file = upload.finish(NewFile { name, purpose, expiry }).await?;
    tracing::info!(file.id = %file.id, file.bytes = file.bytes, "a file was uploaded");
    Ok(Json(FileObject::from(&file)))
}

async fn read(context: &Context, caller: Caller, (mut multipart, unread): (Multipart, Unread)) -> Result<Form, ApiError> {
    let mut form = Form::default();
    while let Some(mut part) = multipart.next_field().await.map_err(broken)? {
        unread.clear();
        let field = part.name().unwrap_or_default().to_owned();
        match field.as_str() {
            "file" if form.file.is_some() => return Err(invalid(Some("file"), "Send one file at a time.")),
            "file" => {
                let name = part.file_name().unwrap_or_default().to_owned();
                let mut upload = context.services.begin_file(caller.actor()).await?;
                while let Some(piece) = part.chunk().await.map_err(broken)? {
                    unread.clear();
                    upload.write(piece).await?;
                }
                form.file = Some((upload, name));
            }
            "purpose" => {
                let purpose = text(part, &unread).await?;
                // Who is told before the file arrives need not send it.
                FilePurpose::of_upload(&purpose)?;
                form.purpose = Some(purpose);
            }
            "expires_after[anchor]" => form.anchor = Some(text(part, &unread).await?),
            "expires_after[seconds]" => form.seconds = Some(text(part, &unread).await?),
            _ => {
                while part.chunk().await.map_err(broken)?.is_some() {
                    unread.clear();
                }
            }
        }
    }
    Ok(form)
}

async fn text(mut part: Field<'_>, unread: &Unread) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(broken)? {
        unread.clear();
        bytes.extend_from_slice(&piece);
        if bytes.len() > FIELD_BYTES_MAX {
            return Err(invalid(None, "A field beside the file is too long."));
        }
    }
    String::from_utf8(bytes).map_err(|_| invalid(None, "A field beside the file is not valid UTF-8."))
}

fn broken(_: MultipartError) -> ApiError {
    invalid(None, "The multipart body is malformed, or ended before it was complete.")
}

fn invalid(param: Option<&'static str>, message: &str) -> ApiError {
    ApiError::Invalid { param, message: message.to_owned() }
}
