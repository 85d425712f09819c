//! An endpoint as it is typed into its form, and what that asks for.

use crate::session::Said;
use domain::webhook::WebhookEvent;
use serde::{Deserialize, Serialize};
use service::{WebhookEndpoint, webhook::WebhookRequest};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub(super) video_completed: String,
    #[serde(default)]
    pub(super) video_failed: String,
    #[serde(default)]
    pub(super) batch_completed: String,
    #[serde(default)]
    pub(super) batch_failed: String,
    #[serde(default)]
    pub(super) batch_expired: String,
    #[serde(default)]
    pub(super) batch_cancelled: String,
}

impl Typed {
    /// What was typed into this form, if it was refused.
    pub fn refused(said: &Said, form: &str) -> Option<Self> {
        let field = |name: &str| said.field(form, name);
        let mut typed = Self { name: field("name")?, url: field("url")?, ..Self::default() };
        for event in WebhookEvent::EVERY {
            *typed.chosen(*event) = field(field_of(*event)).unwrap_or_default();
        }
        Some(typed)
    }

    /// Of a form that nobody has typed into: all there is to be told.
    pub fn everything() -> Self {
        let mut typed = Self::default();
        for event in WebhookEvent::EVERY {
            *typed.chosen(*event) = "yes".to_owned();
        }
        typed
    }

    pub fn of_endpoint(endpoint: &WebhookEndpoint) -> Self {
        let mut typed = Self { name: endpoint.name.clone(), url: endpoint.url.clone(), ..Self::default() };
        for event in &endpoint.events {
            *typed.chosen(*event) = "yes".to_owned();
        }
        typed
    }

    pub fn request(mut self) -> WebhookRequest {
        let chosen = WebhookEvent::EVERY.iter().filter(|event| !self.chosen(**event).is_empty());
        let events = chosen.map(|event| event.as_str().to_owned()).collect();
        WebhookRequest { name: Some(self.name), url: Some(self.url), events: Some(events), is_enabled: None }
    }

    /// As a note keeps it.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let mut typed = self.clone();
        let events = WebhookEvent::EVERY.iter().map(|event| (field_of(*event), typed.chosen(*event).clone())).collect::<Vec<_>>();
        [("name", self.name.clone()), ("url", self.url.clone())].into_iter().chain(events).collect()
    }

    /// What its box says; empty: it is not ticked.
    pub(super) fn chosen(&mut self, event: WebhookEvent) -> &mut String {
        match event {
            WebhookEvent::VideoCompleted => &mut self.video_completed,
            WebhookEvent::VideoFailed => &mut self.video_failed,
            WebhookEvent::BatchCompleted => &mut self.batch_completed,
            WebhookEvent::BatchFailed => &mut self.batch_failed,
            WebhookEvent::BatchExpired => &mut self.batch_expired,
            WebhookEvent::BatchCancelled => &mut self.batch_cancelled,
        }
    }
}

pub(super) const fn field_of(event: WebhookEvent) -> &'static str {
    match event {
        WebhookEvent::VideoCompleted => "video_completed",
        WebhookEvent::VideoFailed => "video_failed",
        WebhookEvent::BatchCompleted => "batch_completed",
        WebhookEvent::BatchFailed => "batch_failed",
        WebhookEvent::BatchExpired => "batch_expired",
        WebhookEvent::BatchCancelled => "batch_cancelled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_comes_back_from_a_form_and_its_note() {
        let typed = Typed { name: "ci".into(), url: "https://a.example/".into(), batch_failed: "yes".into(), ..Typed::default() };
        assert_eq!(typed.clone().request().events, Some(vec!["batch.failed".to_owned()]));
        let fields = typed.fields();
        assert_eq!(
            fields.iter().filter(|(_, value)| !value.is_empty()).map(|(name, _)| *name).collect::<Vec<_>>(),
            ["name", "url", "batch_failed"]
        );
        assert_eq!(Typed::everything().request().events.map(|events| events.len()), Some(WebhookEvent::EVERY.len()));
        assert_eq!(Typed::refused(&Said::default(), "create"), None);
    }
}
