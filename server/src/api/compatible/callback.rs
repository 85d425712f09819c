//! Telling an address of a job: how clients of other services ask for it, and what is told, in their words.

use super::{
    address::Address,
    fal::wire as fal,
    replicate::wire::{Prediction, Unfinished},
};
use crate::{
    api::caller::Caller,
    context::Context,
    error::{ApiError, NotOffered},
    files::outputs::OutputAddresses,
};
use domain::{
    Scope,
    webhook::{Callback, CallbackEvent, CallbackStyle},
};
use service::webhook::{CallbackNews, CallbackRequest, WebhookError};

/// An address as it came with a job, and in which field of the request.
pub struct Asked<'a> {
    pub param: &'static str,
    pub url: &'a str,
    pub style: CallbackStyle,
    pub events: Vec<CallbackEvent>,
}

/// The callback of a job that `caller` is about to submit. Nobody has told what they may not see, and nobody who came with a client token has
/// anything told at all: it is in a browser of somebody else's.
pub async fn callback(context: &Context, caller: Caller, address: &Address, asked: Asked<'_>) -> Result<Callback, ApiError> {
    if caller.0.token_until.is_some() {
        return Err(ApiError::KeyNeeded);
    }
    if !caller.0.owner.scopes.has(Scope::VideosRead) {
        return Err(ApiError::ScopeMissing(Scope::VideosRead));
    }
    let Asked { param, url, style, events } = asked;
    let (origin, api) = (address.origin.clone(), address.api.clone());
    let request = CallbackRequest { style, url: url.to_owned(), events, origin, api };
    context.services.callback(caller.actor(), request).await.map_err(|error| match error {
        WebhookError::Url(why) => NotOffered::WebhookAddress { param, why }.into(),
        error => error.into(),
    })
}

/// # Errors
/// None of what is told here; the one of writing JSON.
pub fn body(news: &CallbackNews) -> Result<String, serde_json::Error> {
    let CallbackNews { event, callback, view, artifact, links } = news;
    let outputs = OutputAddresses::new(callback.origin.clone(), links.clone());
    match callback.style {
        CallbackStyle::Replicate => {
            let address = Address { origin: callback.origin.clone(), api: callback.api.clone() };
            let prediction = Prediction::new(view, &address, Some(&outputs));
            serde_json::to_string(&match event {
                CallbackEvent::Completed => prediction,
                CallbackEvent::Output => prediction.unfinished(Unfinished::WithOutput),
                CallbackEvent::Start | CallbackEvent::Logs => prediction.unfinished(Unfinished::WithoutOutput),
            })
        }
        CallbackStyle::Fal => serde_json::to_string(&fal::Ended::new(view, artifact.as_ref(), &outputs)),
    }
}
