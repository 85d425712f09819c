//! What a client asks for, field by field, before anybody has looked at it.

use super::Field;
use serde::{Deserialize, Serialize};

/// What a client asked for, as text. `None` and blank mean "the model's default". [`Field`] lists its fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobRequest {
    pub prompt: String,
    pub negative_prompt: Option<String>,
    pub model: Option<String>,
    pub size: Option<String>,
    pub seconds: Option<String>,
    pub steps: Option<String>,
    pub guidance: Option<String>,
    pub seed: Option<String>,
    pub arrangement: Option<String>,
    pub enrich: Option<String>,
}

impl JobRequest {
    /// What was sent for a field.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&str> {
        match field {
            Field::Prompt => Some(&self.prompt),
            Field::NegativePrompt => self.negative_prompt.as_deref(),
            Field::Model => self.model.as_deref(),
            Field::Size => self.size.as_deref(),
            Field::Seconds => self.seconds.as_deref(),
            Field::Steps => self.steps.as_deref(),
            Field::Guidance => self.guidance.as_deref(),
            Field::Seed => self.seed.as_deref(),
            Field::Arrangement => self.arrangement.as_deref(),
            Field::Enrich => self.enrich.as_deref(),
        }
    }

    /// What was sent for a field, if it says anything.
    #[must_use]
    pub fn filled(&self, field: Field) -> Option<&str> {
        self.get(field).map(str::trim).filter(|text| !text.is_empty())
    }

    pub fn set(&mut self, field: Field, text: Option<String>) {
        let place = match field {
            Field::Prompt => return self.prompt = text.unwrap_or_default(),
            Field::NegativePrompt => &mut self.negative_prompt,
            Field::Model => &mut self.model,
            Field::Size => &mut self.size,
            Field::Seconds => &mut self.seconds,
            Field::Steps => &mut self.steps,
            Field::Guidance => &mut self.guidance,
            Field::Seed => &mut self.seed,
            Field::Arrangement => &mut self.arrangement,
            Field::Enrich => &mut self.enrich,
        };
        *place = text;
    }

    /// The request whose fields say what `text` says of each.
    pub fn of_fields(mut text: impl FnMut(Field) -> Option<String>) -> Self {
        Self::of_each(&mut text)
    }

    /// One for all callers: browsers load each copy.
    fn of_each(text: &mut dyn FnMut(Field) -> Option<String>) -> Self {
        let mut request = Self::default();
        for field in Field::ALL {
            request.set(field, text(field));
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_a_name_of_its_own_and_a_place_in_a_request() {
        let request = JobRequest::of_fields(|field| Some(field.name().to_owned()));
        for field in Field::ALL {
            assert_eq!((request.get(field), Field::find(field.name())), (Some(field.name()), Some(field)));
            assert_eq!(Field::ALL[field as usize], field);
        }
        let json = serde_json::to_value(&request).unwrap();
        assert_eq!(json.as_object().unwrap().len(), Field::ALL.len());
        for (name, value) in json.as_object().unwrap() {
            assert_eq!(value, name, "each field has its name in JSON too");
        }
    }
}
