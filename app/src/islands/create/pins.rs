//! Where things were put holds for the words that say which things there are.

use super::fields::write;
use domain::{JobRequest, catalog::Field};
use leptos::prelude::{GetValue, SetValue, StoredValue};
use web_sys::HtmlFormElement;

/// What was asked for when other words unticked the arrangement.
#[derive(Clone, Copy, Default)]
pub struct Pins(StoredValue<Option<JobRequest>>);

impl Pins {
    /// Unticks the arrangement when other words are typed, and ticks it when its own are back.
    pub fn follow(self, form: &HtmlFormElement, before: &JobRequest, now: &JobRequest) {
        if has_same_words(before, now) {
            return;
        }
        if let Some(own) = self.0.get_value().filter(|own| has_same_words(own, now)) {
            self.0.set_value(None);
            write(form, Field::Arrangement, own.arrangement.as_deref().unwrap_or_default());
        } else if now.filled(Field::Arrangement).is_some() {
            self.0.set_value(Some(JobRequest { arrangement: now.arrangement.clone(), ..before.clone() }));
            write(form, Field::Arrangement, "");
        }
    }
}

/// What is left out makes room for other things.
fn has_same_words(one: &JobRequest, other: &JobRequest) -> bool {
    one.prompt.trim() == other.prompt.trim() && one.filled(Field::NegativePrompt) == other.filled(Field::NegativePrompt)
}
