//! Asking for a prediction: by a model's version, or by a model.

use super::{wait, webhook, wire::version_of};
use crate::{
    api::{
        caller::{Caller, IdempotencyKey},
        compatible::{
            address::{Address, outputs},
            callback::callback,
            inputs::Inputs,
            submit::{Asked, model, submit},
        },
        videos::mark,
    },
    context::Context,
    error::{ApiError, NotOffered},
    shares::AnswerRoom,
};
use axum::{
    Extension,
    body::Bytes,
    extract::{
        Path, State,
        rejection::{BytesRejection, PathRejection},
    },
    http::HeaderMap,
    response::Response,
};
use domain::{Catalog, Model};
use serde::Deserialize;
use serde_json::Value;
use service::deadline::Arrival;
use std::sync::Arc;

/// What else there is in it is skipped.
#[derive(Debug, Default, Deserialize)]
struct NewPrediction {
    version: Option<String>,
    #[serde(default)]
    input: Option<Inputs>,
    webhook: Option<Value>,
    webhook_completed: Option<Value>,
    webhook_events_filter: Option<Value>,
}

impl NewPrediction {
    fn webhook_fields(&self) -> webhook::Fields<'_> {
        let (webhook, webhook_completed) = (self.webhook.as_ref(), self.webhook_completed.as_ref());
        webhook::Fields { webhook, webhook_completed, webhook_events_filter: self.webhook_events_filter.as_ref() }
    }
}

/// `POST /replicate/v1/predictions`
pub async fn by_version(
    State(context): State<Context>,
    address: Address,
    headers: HeaderMap,
    asked: AskedOf,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let new = read(body)?;
    let catalog = context.services.catalog().await?;
    let version = new.version.as_deref().ok_or(NotOffered::Input { message: "`version` is missing: say which model.".to_owned() })?;
    let model = model_of_version(&catalog, version)?.clone();
    Box::pin(create(&context, address, &headers, asked, &model, new)).await
}

/// `POST /replicate/v1/models/{owner}/{model}/predictions`
pub async fn by_model(
    State(context): State<Context>,
    path: Result<Path<(String, String)>, PathRejection>,
    address: Address,
    headers: HeaderMap,
    asked: AskedOf,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let Path((owner, name)) = path.map_err(|_| ApiError::ModelUnknown)?;
    let catalog = context.services.catalog().await?;
    let model = model(&catalog, &owner, &name)?.clone();
    Box::pin(create(&context, address, &headers, asked, &model, read(body)?)).await
}

/// What a submission takes beside its body.
pub type AskedOf = (Caller, IdempotencyKey, Extension<Arc<Arrival>>, Option<Extension<AnswerRoom>>);

async fn create(
    context: &Context,
    address: Address,
    headers: &HeaderMap,
    (caller, key, Extension(arrival), room): AskedOf,
    model: &Model,
    new: NewPrediction,
) -> Result<Response, ApiError> {
    let callback = match webhook::asked(new.webhook_fields())? {
        Some(asked) => Some(callback(context, caller, &address, asked)?),
        None => None,
    };
    if headers.contains_key("cancel-after") {
        let message = "`Cancel-After` is not supported here: set `start_by` or `finish_by` among the inputs, in Unix seconds.";
        return Err(NotOffered::Header { name: "cancel-after", message }.into());
    }
    let wait = wait::wanted(headers);
    let outputs = outputs(context, caller, &address).await?;
    let asked = Asked { caller, key, arrival, room, callback };
    let accepted = submit(context, asked, model, new.input.unwrap_or_default(), None).await?;
    let (room, replayed) = (accepted.room, accepted.replayed);
    let mut response = wait::answer(context, caller, &accepted.job, (address, outputs), wait);
    mark(&mut response, room, replayed);
    Ok(response)
}

fn read(body: Result<Bytes, BytesRejection>) -> Result<NewPrediction, ApiError> {
    let body = body.map_err(|_| ApiError::Invalid { param: None, message: "The body ended before it was complete.".to_owned() })?;
    let unreadable = |error| ApiError::Invalid { param: None, message: format!("The body is not a JSON object we can read: {error}.") };
    serde_json::from_slice(&body).map_err(unreadable)
}

/// A version alone, `owner/name:version`, or `owner/name`.
fn model_of_version<'a>(catalog: &'a Catalog, text: &str) -> Result<&'a Model, ApiError> {
    let unknown = || ApiError::from(NotOffered::VersionUnknown);
    let Some((owner, rest)) = text.split_once('/') else {
        return catalog.models().iter().find(|model| version_of(&model.id) == text).ok_or_else(unknown);
    };
    let (name, version) = rest.split_once(':').map_or((rest, None), |(name, version)| (name, Some(version)));
    let model = model(catalog, owner, name).map_err(|_| unknown())?;
    if version.is_none_or(|version| version == version_of(&model.id)) { Ok(model) } else { Err(unknown()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::testing::catalog;

    #[test]
    fn a_version_is_named_alone_or_behind_its_model() {
        let (catalog, version) = (catalog(), version_of("vignette-1"));
        for text in [&version, &format!("reelmill/vignette-1:{version}"), "reelmill/vignette-1"] {
            assert_eq!(model_of_version(&catalog, text).unwrap().id, "vignette-1", "{text}");
        }
        for text in ["", "vignette-1", "other/vignette-1", "reelmill/other", &format!("reelmill/vignette-1:{version}0"), &version[1..]] {
            assert!(matches!(model_of_version(&catalog, text), Err(ApiError::NotOffered(NotOffered::VersionUnknown))), "{text}");
        }
    }

    #[test]
    fn what_is_null_is_not_there() {
        let new: NewPrediction = serde_json::from_str(r#"{"version":null,"input":null,"webhook":null,"stream":true}"#).unwrap();
        assert!(new.version.is_none() && new.input.is_none() && new.webhook.is_none());
        let new: NewPrediction = serde_json::from_str(r#"{"webhook":{"x":[1]}}"#).unwrap();
        assert!(new.webhook.is_some());
    }
}
