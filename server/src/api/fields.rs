//! The fields of a request as they were sent, and the request that they make.
//!
//! Everything ends up as text, so that one parser (`domain::JobRequest`) and one set of messages serve all.

use super::ApiError;
use domain::JobRequest;
use std::collections::HashMap;

/// The fields we know. A picture to start from is known in order to be refused.
pub const KNOWN: [&str; 9] = ["prompt", "negative_prompt", "model", "size", "seconds", "steps", "guidance", "seed", REFERENCE];
const NUMBERS: [&str; 4] = ["seconds", "steps", "guidance", "seed"];
pub const REFERENCE: &str = "input_reference";

/// One field as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    Null,
    Text(String),
    /// Spelled the way `domain` reads it.
    Number(String),
    /// Something of the named JSON type, which no field takes.
    Other(&'static str),
}

#[derive(Debug, Default)]
pub struct Fields(HashMap<&'static str, Given>);

impl Fields {
    pub fn insert(&mut self, name: &'static str, given: Given) {
        self.0.insert(name, given);
    }

    /// The request these fields make, on top of one that fills what they leave out.
    pub fn over(mut self, base: JobRequest) -> Result<JobRequest, ApiError> {
        if !matches!(self.0.remove(REFERENCE), None | Some(Given::Null)) {
            return Err(ApiError::ReferenceUnsupported);
        }
        Ok(JobRequest {
            prompt: self.text("prompt")?.unwrap_or(base.prompt),
            negative_prompt: self.text("negative_prompt")?.or(base.negative_prompt),
            model: self.text("model")?.or(base.model),
            size: self.text("size")?.or(base.size),
            seconds: self.text("seconds")?.or(base.seconds),
            steps: self.text("steps")?.or(base.steps),
            guidance: self.text("guidance")?.or(base.guidance),
            seed: self.text("seed")?.or(base.seed),
        })
    }

    fn text(&mut self, name: &'static str) -> Result<Option<String>, ApiError> {
        let takes_numbers = NUMBERS.contains(&name);
        match self.0.remove(name) {
            None | Some(Given::Null) => Ok(None),
            Some(Given::Text(text)) => Ok(Some(text)),
            Some(Given::Number(text)) if takes_numbers => Ok(Some(text)),
            Some(given) => {
                let kind = if let Given::Other(kind) = given { kind } else { "a number" };
                let wanted = if takes_numbers { "a number or a string" } else { "a string" };
                Err(ApiError::Invalid { param: Some(name), message: format!("`{name}` must be {wanted}, not {kind}.") })
            }
        }
    }
}

pub fn unreadable(message: impl Into<String>) -> ApiError {
    ApiError::Invalid { param: None, message: message.into() }
}
