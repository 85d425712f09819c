//! The OpenAPI document, made from the handlers and the catalog; what all operations share is added here.

use super::{
    ApiError, ErrorBody, request,
    scopes::{self, Need},
};
use axum::{Json, http::Method};
use domain::Catalog;
use serde_json::Value;
use service::Services;
use std::sync::{Arc, Mutex, PoisonError};
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
        (name = "files", description = "Upload the input of batches, and fetch what came of them"),
        (name = "batches", description = "Hand over many requests at once, in one file"),
        (name = "queue", description = "What you have waiting, in your own order"),
        (name = "client tokens", description = "Using the API from a browser, without a key"),
        (name = "usage", description = "What was used, and what it cost"),
        (name = "webhooks", description = "Being told of what has happened, in place of asking"),
        (name = "models", description = "What can be made"),
        (name = "operator", description = "For whoever runs this installation, by a key with the scope `operator`")
    )
)]
struct Document;

/// The document for each catalog that there is while the server runs.
pub struct Documents {
    /// Without what the catalog allows.
    base: utoipa::openapi::OpenApi,
    last: Mutex<Option<(Catalog, Arc<Value>)>>,
}

impl Documents {
    pub(super) fn new(base: utoipa::openapi::OpenApi) -> Self {
        Self { base, last: Mutex::default() }
    }

    /// `GET /openapi.json`.
    pub(crate) async fn current(&self, services: &Services) -> Result<Json<Arc<Value>>, ApiError> {
        let catalog = services.catalog().await?;
        Ok(Json(self.of(&catalog)))
    }

    /// The document while this is the catalog. The last one is kept, as the catalog seldom changes.
    pub(crate) fn of(&self, catalog: &Catalog) -> Arc<Value> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, document)) = last.as_ref().filter(|(made_for, _)| made_for == catalog) {
            return Arc::clone(document);
        }
        let document = Arc::new(self.made_for(catalog));
        *last = Some((catalog.clone(), Arc::clone(&document)));
        document
    }

    fn made_for(&self, catalog: &Catalog) -> Value {
        let mut document = self.base.clone();
        if catalog.makes_images() {
            name_images(&mut document);
        }
        document.components.get_or_insert_default().schemas.extend(request::schemas(catalog));
        serde_json::to_value(document).unwrap_or_default()
    }
}

/// Says of images too what is said of videos alone.
fn name_images(document: &mut utoipa::openapi::OpenApi) {
    let tags = document.tags.iter_mut().flatten().map(|tag| &mut tag.description);
    for text in tags.chain([&mut document.info.description]).flatten() {
        *text = text.replace("Text to video.", "Text to videos and images.").replace("Make videos,", "Make videos and images,");
    }
}

/// The document without its operations.
pub fn base() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let components = document.components.get_or_insert_default();
    let bearer = Http::builder().scheme(HttpAuthScheme::Bearer).description(Some("An API key, `rm_live_...`, or a client token")).build();
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
        for (method, operation) in [(Method::GET, &mut item.get), (Method::POST, &mut item.post), (Method::DELETE, &mut item.delete)] {
            if let Some(operation) = operation {
                add_errors(operation, has_id);
                add_need(operation, scopes::need(&method, path));
            }
        }
    }
    document
}

fn add_errors(operation: &mut Operation, has_id: bool) {
    let mut errors = vec![
        ("429", "Too many requests in a minute, or being answered at the same time; `Retry-After` says when to try again."),
        ("401", "The API key or client token is missing, unknown, revoked or expired."),
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

/// What a key has to be for.
fn add_need(operation: &mut Operation, need: Option<Need>) {
    let description = match need {
        Some(Need::Scopes([scope])) => format!("The key or client token lacks the scope `{scope}`, which this needs."),
        Some(Need::Scopes(scopes)) => {
            let names: Vec<_> = scopes.iter().map(|scope| format!("`{scope}`")).collect();
            format!("The key or client token lacks one of the scopes {}, which this needs.", names.join(" and "))
        }
        Some(Need::KeyWith(scope)) => format!("The key lacks the scope `{scope}`, or a client token was sent where an API key is needed."),
        Some(Need::Key) => "A client token was sent where an API key is needed.".to_owned(),
        Some(Need::Any) | None => return,
    };
    operation.responses.responses.entry("403".to_owned()).or_insert_with(|| failure(&description).into());
}

fn failure(description: &str) -> Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(ErrorBody::name()))).build();
    ResponseBuilder::new().description(description).content("application/json", body).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::testing::{catalog, image_model, video_model};
    use serde_json::json;
    use std::collections::BTreeMap;

    fn property(document: &Value, name: &str) -> Value {
        document["components"]["schemas"]["CreateVideo"]["properties"][name].clone()
    }

    #[test]
    fn a_document_is_made_once_for_each_catalog() {
        let documents = Documents::new(base());
        let first = documents.of(&catalog());
        assert!(Arc::ptr_eq(&first, &documents.of(&catalog())));
        let other = documents.of(&Catalog::new(vec![video_model(), image_model()], BTreeMap::new()));
        assert_ne!(property(&first, "model"), property(&other, "model"));
        assert_eq!(documents.of(&catalog()), first);
    }

    #[test]
    fn what_models_differ_in_is_as_wide_as_the_widest_and_an_alias_may_be_asked_for() {
        let aliases = BTreeMap::from([("sora-2".to_owned(), "tiny-1".to_owned()), ("gone".to_owned(), "retired-1".to_owned())]);
        let document = Documents::new(base()).of(&Catalog::new(vec![video_model(), image_model()], aliases));
        let values = |name: &str| property(&document, name)["enum"].clone();
        assert_eq!(values("model"), json!(["vignette-1", "tiny-1", "sora-2", null]));
        assert_eq!(values("size"), json!(["96x96", "192x192", "384x384", "768x768", "32x32", "64x32", null]));
        assert_eq!(values("seconds"), json!(["2", null]));
        assert_eq!(
            (&property(&document, "steps")["maximum"], &property(&document, "model")["default"]),
            (&json!(200), &json!("vignette-1"))
        );
    }

    #[test]
    fn images_are_named_where_a_model_makes_them() {
        let said = |models| {
            let document = Documents::new(base()).of(&Catalog::new(models, BTreeMap::new()));
            let texts = [&document["info"]["description"], &document["tags"][0]["description"]];
            texts.map(|text| text.as_str().unwrap().split_inclusive(['.', ',']).next().unwrap().to_owned())
        };
        assert_eq!(said(vec![video_model()]), ["Text to video.", "Make videos,"]);
        assert_eq!(said(vec![video_model(), image_model()]), ["Text to videos and images.", "Make videos and images,"]);
    }

    #[test]
    fn with_nothing_on_offer_nothing_is_said_of_what_models_decide() {
        let document = Documents::new(base()).of(&Catalog::default());
        for name in ["model", "size", "seconds", "steps", "guidance"] {
            let said = property(&document, name);
            assert!(said["type"].is_array() && said["description"].is_string(), "{name}: {said}");
            for limit in ["enum", "default", "example", "minimum", "maximum"] {
                assert!(said[limit].is_null(), "{name}: {said}");
            }
        }
        assert_eq!(property(&document, "seed")["minimum"], 0);
    }

    #[test]
    fn a_prompt_alone_is_required_and_a_remix_says_what_it_does_not_take_over() {
        let document = Documents::new(base()).of(&catalog());
        let schemas = &document["components"]["schemas"];
        for name in ["CreateVideo", "RemixVideo"] {
            assert_eq!((&schemas[name]["type"], &schemas[name]["required"]), (&json!("object"), &json!(["prompt"])));
            assert_eq!(schemas[name]["properties"]["prompt"]["type"], "string");
            assert_eq!(schemas[name]["properties"]["seed"]["type"], json!(["integer", "null"]));
        }
        let names: Vec<_> = schemas["RemixVideo"]["properties"].as_object().into_iter().flat_map(|fields| fields.keys()).collect();
        assert_eq!(names, ["fallback_model", "finish_by", "force", "prompt", "seed", "start_by"]);
    }
}
