//! The OpenAPI document, made from the handlers; what all operations share is added here.

use super::ErrorBody;
use utoipa::{
    OpenApi, PartialSchema, ToSchema,
    openapi::{
        ContentBuilder, Ref, Response, ResponseBuilder,
        path::Operation,
        security::{Http, HttpAuthScheme, SecurityScheme},
    },
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Reelmill",
        description = "Text to video. The routes, fields and errors are those of OpenAI's Videos API, so its clients work \
                       unchanged, plus some fields of our own. A job that fails is not an error of the request: read `status`."
    ),
    servers((url = "/", description = "This server")),
    security(("api_key" = [])),
    tags(
        (name = "videos", description = "Make videos, watch them come into being, fetch and delete them"),
        (name = "models", description = "What can be made")
    )
)]
struct Document;

/// The document without its operations.
pub fn base() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let components = document.components.get_or_insert_default();
    let bearer = Http::builder().scheme(HttpAuthScheme::Bearer).description(Some("An API key: `rm_live_...`")).build();
    components.security_schemes.insert("api_key".to_owned(), SecurityScheme::Http(bearer).into());
    let mut schemas = vec![(ErrorBody::name().into_owned(), ErrorBody::schema())];
    ErrorBody::schemas(&mut schemas);
    components.schemas.extend(schemas);
    document
}

/// Adds to each operation the errors it can answer with, as far as they follow from its shape.
pub fn with_errors(mut document: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
    for (path, item) in &mut document.paths.paths {
        let has_id = path.contains('{');
        for operation in [&mut item.get, &mut item.post, &mut item.delete].into_iter().flatten() {
            add_errors(operation, has_id);
        }
    }
    document
}

fn add_errors(operation: &mut Operation, has_id: bool) {
    let mut errors = vec![
        ("429", "Too many requests of yours are being answered at the same time; `Retry-After` says when to try again."),
        ("401", "The API key is missing, unknown or revoked."),
        ("500", "Something broke on our side; the message names an incident to report."),
        ("503", "The service cannot answer right now; `Retry-After` says when to try again."),
    ];
    if has_id {
        errors.push(("404", "There is no such thing, or it belongs to someone else."));
    }
    if operation.request_body.is_some() {
        errors.extend([
            ("400", "Something in the request has to be mended; `param` says what."),
            ("408", "The body took too long to arrive."),
            ("413", "The body is larger than 1 MiB."),
            ("415", "The body is neither JSON nor a form."),
            ("422", "The Idempotency-Key was used for a different request."),
            ("429", "Too much work of yours is waiting already, or too many requests at the same time."),
        ]);
    }
    // What is said last of a status is the more particular.
    for (status, description) in errors.into_iter().rev() {
        operation.responses.responses.entry(status.to_owned()).or_insert_with(|| failure(description).into());
    }
}

fn failure(description: &str) -> Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(ErrorBody::name()))).build();
    ResponseBuilder::new().description(description).content("application/json", body).build()
}
