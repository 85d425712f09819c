//! Asking for a batch: for real, to be told what it would cost, or for what failed of another.

use super::{
    super::{
        ApiError,
        caller::{Caller, IdempotencyKey},
    },
    NamedBatch,
    wire::{BatchObject, CreateBatch, ExpiresAfter},
};
use crate::{context::Context, error::Batching};
use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
};
use domain::{
    FileId, Permission,
    batch::{CompletionWindow, FileExpiry, Metadata},
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{error::Category, value::RawValue};
use service::BatchRequest;
use std::collections::BTreeMap;

/// What differs by no more letters is misspelt.
const EDITS_MAX: usize = 2;
/// What is longer is no misspelt field.
const NAME_BYTES_MAX: usize = 40;
/// A field of the body, in words.
struct Field {
    name: &'static str,
    expected: &'static str,
    is_expected: fn(&RawValue) -> bool,
}

/// The first ones have to be there.
const FIELDS: [Field; 6] = [
    Field { name: "input_file_id", expected: "a string", is_expected: is::<String> },
    Field { name: "endpoint", expected: "a string", is_expected: is::<String> },
    Field { name: "completion_window", expected: "a string, such as \"24h\"", is_expected: is::<String> },
    Field { name: "metadata", expected: "an object whose values are strings", is_expected: is::<BTreeMap<String, String>> },
    Field {
        name: "output_expires_after",
        expected: "an object with `anchor`, a string, and `seconds`, a whole number",
        is_expected: is::<ExpiresAfter>,
    },
    Field { name: "dry_run", expected: "true or false", is_expected: is::<bool> },
];
const REQUIRED: usize = 3;

/// Make a batch
///
/// Each line of the input file is one request to `endpoint`; the lines are checked first, and where one cannot be made the batch fails, with all
/// that is wrong in `errors` and in its results, and costs nothing. Then lines become videos little by little, always in the batch lane, each
/// charged when it succeeds. With `dry_run` the batch ends with `completed` once its lines are checked: look at `price` and `eta`.
#[utoipa::path(
    post, path = "/v1/batches", tag = "batches",
    params(("Idempotency-Key" = Option<String>, Header, description = "Repeating a request under the same key finds the first batch, as long as that is kept")),
    request_body(content((CreateBatch = "application/json"))),
    responses((status = 200, description = "The batch, whose lines are read next", body = BatchObject))
)]
pub async fn create_batch(
    State(context): State<Context>,
    caller: Caller,
    key: IdempotencyKey,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<BatchObject>, ApiError> {
    caller.actor().require(Permission::SubmitJobs)?;
    let body = body.map_err(|_| invalid(None, "The body ended before it was complete."))?;
    refuse_misspelt(&body)?;
    let asked: CreateBatch = serde_json::from_slice(&body).map_err(|_| unreadable(&body))?;
    let view = context.services.create_batch(caller.actor(), request(asked, key)?).await?;
    Ok(Json(BatchObject::from(&view)))
}

/// Try the failed lines of a batch again
///
/// Makes a new batch of those lines that ended without success, from the same file, with the same window and metadata.
#[utoipa::path(
    post, path = "/v1/batches/{batch_id}/retry", tag = "batches",
    params(
        ("batch_id" = String, Path, description = "A batch that has ended"),
        ("Idempotency-Key" = Option<String>, Header, description = "As for making a batch")
    ),
    responses(
        (status = 200, description = "The new batch; `retry_of` names the other one", body = BatchObject),
        (status = 400, description = "No line of it failed, it was a dry run, or its input file is gone", body = crate::error::ErrorBody),
        (status = 409, description = "It has not ended", body = crate::error::ErrorBody)
    )
)]
pub async fn retry_batch(
    State(context): State<Context>,
    caller: Caller,
    NamedBatch(id): NamedBatch,
    key: IdempotencyKey,
) -> Result<Json<BatchObject>, ApiError> {
    let view = context.services.retry_batch(caller.actor(), id, key.repetition()).await?;
    Ok(Json(BatchObject::from(&view)))
}

fn request(asked: CreateBatch, key: IdempotencyKey) -> Result<BatchRequest, ApiError> {
    let CreateBatch { input_file_id, endpoint, completion_window, metadata, output_expires_after, dry_run } = asked;
    // What is no id at all is answered like an id nobody has.
    let input: FileId = input_file_id.parse().map_err(|_| Batching::InputUnknown)?;
    let window = completion_window.parse::<CompletionWindow>();
    let window = window.map_err(|error| invalid(Some("completion_window"), &error.to_string()))?;
    let metadata = metadata.map(Metadata::new).transpose();
    let metadata = metadata.map_err(|error| invalid(Some("metadata"), &error.to_string()))?;
    let output_expiry = match output_expires_after {
        None => FileExpiry::default(),
        Some(ExpiresAfter { anchor, seconds }) => {
            let expiry = FileExpiry::parse(Some(&anchor), Some(&seconds.to_string()));
            expiry.map_err(|error| invalid(Some("output_expires_after"), &error.to_string()))?
        }
    };
    Ok(BatchRequest {
        input,
        endpoint,
        window,
        metadata,
        output_expiry,
        is_dry_run: dry_run.unwrap_or_default(),
        repetition: key.repetition(),
    })
}

/// A field that no batch has changes nothing, as in other requests; but who misspells one of ours, such as `dry_run`, does not want what comes
/// of a request without it.
fn refuse_misspelt(body: &[u8]) -> Result<(), ApiError> {
    let letters = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let given: BTreeMap<String, IgnoredAny> = serde_json::from_slice(body).unwrap_or_default();
    for name in given.keys().filter(|name| FIELDS.iter().all(|field| field.name != **name) && name.len() <= NAME_BYTES_MAX) {
        let meant = FIELDS.iter().find(|field| strsim::osa_distance(&letters(name), &letters(field.name)) <= EDITS_MAX);
        if let Some(Field { name: meant, .. }) = meant {
            return Err(invalid(Some(meant), &format!("A batch has no `{name}`: did you mean `{meant}`? Nothing was made.")));
        }
    }
    Ok(())
}

/// What is wrong with a body that is no such request, in words that say nothing of how it is read here.
fn unreadable(body: &[u8]) -> ApiError {
    let given: BTreeMap<String, &RawValue> = match serde_json::from_slice(body) {
        Ok(given) => given,
        Err(error) => return invalid(None, &no_object(body, &error)),
    };
    for (at, Field { name, expected, is_expected }) in FIELDS.into_iter().enumerate() {
        match given.get(name).filter(|value| value.get() != "null") {
            Some(value) if !is_expected(value) => return invalid(Some(name), &format!("`{name}` must be {expected}.")),
            None if at < REQUIRED => return invalid(Some(name), &format!("`{name}` is missing.")),
            _ => {}
        }
    }
    invalid(None, "The body has one of its fields twice.")
}

fn no_object(body: &[u8], error: &serde_json::Error) -> String {
    match (body.trim_ascii_start().first(), error.classify()) {
        (Some(b'{'), Category::Eof) => "The body ends before its JSON object does.".to_owned(),
        (Some(b'{'), _) => format!("The body is no JSON: it cannot be read from line {}, column {} on.", error.line(), error.column()),
        (Some(b'['), _) => "The body is a list: send one JSON object.".to_owned(),
        _ => "The body is no JSON object.".to_owned(),
    }
}

fn is<T: DeserializeOwned>(value: &RawValue) -> bool {
    serde_json::from_str::<T>(value.get()).is_ok()
}

fn invalid(param: Option<&'static str>, message: &str) -> ApiError {
    ApiError::Invalid { param, message: message.to_owned() }
}
