//! What an address is told of a job, in the words of the service whose client asked for it.

use super::{
    address::Address,
    fal::wire::Ended,
    replicate::wire::{Prediction, Unfinished},
};
use crate::files::outputs::OutputAddresses;
use domain::webhook::{CallbackEvent, CallbackStyle};
use service::webhook::CallbackNews;

/// # Errors
/// That it cannot be written as JSON, which it can.
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
        CallbackStyle::Fal => serde_json::to_string(&Ended::new(view, artifact.as_ref(), &outputs)),
    }
}
