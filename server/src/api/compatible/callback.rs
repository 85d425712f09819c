//! Telling an address of a job: how clients of other services ask for it.

use super::address::Address;
use crate::{
    api::caller::Caller,
    context::Context,
    error::{ApiError, NotOffered},
};
use domain::{
    Scope,
    webhook::{Callback, CallbackEvent, CallbackStyle},
};
use service::webhook::{CallbackRequest, WebhookError};

/// An address as it came with a job, and in which field of the request.
pub struct Asked<'a> {
    pub param: &'static str,
    pub url: &'a str,
    pub style: CallbackStyle,
    pub events: Vec<CallbackEvent>,
}

/// The callback of a job that `caller` is about to submit. Nobody has told what they may not see, and nobody who came with a client token has
/// anything told at all: it is in a browser of somebody else's.
pub fn callback(context: &Context, caller: Caller, address: &Address, asked: Asked<'_>) -> Result<Callback, ApiError> {
    if caller.0.token_until.is_some() {
        return Err(ApiError::KeyNeeded);
    }
    if !caller.0.owner.scopes.has(Scope::VideosRead) {
        return Err(ApiError::ScopeMissing(Scope::VideosRead));
    }
    let Asked { param, url, style, events } = asked;
    let (origin, api) = (address.origin.clone(), address.api.clone());
    let request = CallbackRequest { style, url: url.to_owned(), events, origin, api };
    context.services.callback(caller.actor(), request).map_err(|error| match error {
        WebhookError::Url(why) => NotOffered::WebhookAddress { param, why }.into(),
        error => error.into(),
    })
}
