//! What a form said: that it was done, or why not, kept for the next look at its page by the same person.

use super::{note, noted_if};
use crate::sentences::with_code;
use domain::UserId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Said {
    /// To whom; nobody else is to see it.
    author: Option<UserId>,
    form: String,
    done: bool,
    text: String,
    /// What was typed, where it is no secret.
    pub typed: String,
    /// The same, of forms with several fields, by their names.
    #[serde(default)]
    fields: BTreeMap<String, String>,
}

/// Keeps it for the page. `typed`: for the field to show again.
pub fn say(page: &str, author: Option<UserId>, form: &str, outcome: Result<String, String>, typed: &str) {
    let (done, text) = match outcome {
        Ok(text) => (true, text),
        Err(text) => (false, text),
    };
    let typed = super::noteworthy(typed);
    note(page, &Said { author, form: form.into(), done, text, typed, fields: BTreeMap::new() });
}

/// The same of a form with several fields, each with its name.
pub fn say_of_fields(page: &str, author: Option<UserId>, form: &str, outcome: Result<String, String>, fields: &[(&str, &str)]) {
    let (done, text) = match outcome {
        Ok(text) => (true, text),
        Err(text) => (false, text),
    };
    let fields = fields.iter().map(|(name, typed)| ((*name).to_owned(), super::noteworthy(typed))).collect();
    note(page, &Said { author, form: form.into(), done, text, typed: String::new(), fields });
}

/// Takes out what was said.
pub fn said(page: &str, author: Option<UserId>) -> Said {
    noted_if(page, |said: &Said| said.author == author).unwrap_or_default()
}

impl Said {
    /// What was typed into that form, when it was refused.
    pub fn typed_into(&self, form: &str) -> String {
        if self.form == form && !self.done { self.typed.clone() } else { String::new() }
    }

    /// What was typed into a field of that form, when it was refused.
    pub fn field(&self, form: &str, name: &str) -> Option<String> {
        if self.form == form && !self.done { self.fields.get(name).cloned() } else { None }
    }

    pub fn is_said(&self) -> bool {
        !self.text.is_empty()
    }

    pub fn text(&self) -> String {
        self.text.clone()
    }

    pub fn is_done(&self, form: &str) -> bool {
        self.form == form && self.done
    }
}

/// What was said of this form, above it.
#[component]
pub fn SaidNotice<'a>(said: &'a Said, form: &'static str) -> impl IntoView {
    let text = (said.form == form && !said.text.is_empty()).then(|| said.text.clone());
    let done = said.done;
    text.map(|text| {
        if done {
            view! { <p class="notice plain" role="status">{with_code(&text)}</p> }.into_any()
        } else {
            view! { <p class="notice" role="alert">{with_code(&text)}</p> }.into_any()
        }
    })
}
