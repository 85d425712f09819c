//! The fields of a request as they were sent, and the request that they make.
//!
//! Everything ends up as text, so that one parser (`domain::JobRequest`) and one set of messages serve all.

use super::ApiError;
use domain::{
    JobRequest, Timestamp,
    catalog::{Field, Kind},
    job::{Deadline, Deadlines},
};
use std::collections::HashMap;

const REFERENCE: &str = "input_reference";
/// Whether a prompt that is not understood is to be made all the same.
pub const FORCE: &str = "force";
/// The model that makes it where its own cannot.
pub const FALLBACK_MODEL: &str = "fallback_model";
/// As much of the name of a field that we do not know is told.
const UNKNOWN_CHARS: usize = 60;
pub const DEADLINES: [Deadline; 2] = [Deadline::StartBy, Deadline::FinishBy];

/// A field that we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Known {
    Field(Field),
    /// A picture to start from, known in order to be refused.
    Reference,
    Force,
    FallbackModel,
    Deadline(Deadline),
}

impl Known {
    pub fn find(name: &str) -> Option<Self> {
        match name {
            REFERENCE => Some(Self::Reference),
            FORCE => Some(Self::Force),
            FALLBACK_MODEL => Some(Self::FallbackModel),
            _ => {
                let deadline = DEADLINES.into_iter().find(|deadline| deadline.as_str() == name);
                deadline.map(Self::Deadline).or_else(|| Field::find(name).map(Self::Field))
            }
        }
    }

    /// Whether programs send a list.
    pub fn takes_lists(self) -> bool {
        matches!(self, Self::Field(field) if field.kind() == Kind::List)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Field(field) => field.name(),
            Self::Reference => REFERENCE,
            Self::Force => FORCE,
            Self::FallbackModel => FALLBACK_MODEL,
            Self::Deadline(deadline) => deadline.as_str(),
        }
    }
}

/// One field as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    Null,
    Text(String),
    /// Spelled the way `domain` reads it.
    Number(String),
    Flag(bool),
    /// As JSON.
    List(String),
    /// Something of the named JSON type, which no field takes.
    Other(&'static str),
}

#[derive(Debug, Clone, Default)]
pub struct Fields {
    given: HashMap<Known, Given>,
    /// The first one in JSON that we do not know.
    unknown: Option<String>,
}

impl Fields {
    pub fn insert(&mut self, known: Known, given: Given) {
        self.given.insert(known, given);
    }

    /// Notes one that we do not know: of the first the name is kept, or as much of it as is told.
    pub fn skip(&mut self, name: &str) {
        self.unknown.get_or_insert_with(|| name.chars().take(UNKNOWN_CHARS).collect());
    }

    /// The first one in JSON that we do not know, which changes nothing.
    pub fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }

    /// The text that was sent for a field.
    pub fn given(&self, field: Field) -> Option<&str> {
        match self.given.get(&Known::Field(field)) {
            Some(Given::Text(text)) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// Whether the client wants what is not understood made as well.
    pub fn force(&self) -> Result<bool, ApiError> {
        match self.given.get(&Known::Force) {
            None | Some(Given::Null) => Ok(false),
            Some(Given::Flag(force)) => Ok(*force),
            Some(Given::Text(text)) if matches!(text.trim(), "true" | "false") => Ok(text.trim() == "true"),
            Some(_) => Err(ApiError::Invalid { param: Some(FORCE), message: "`force` must be true or false.".to_owned() }),
        }
    }

    /// The model that makes it where its own cannot.
    pub fn fallback_model(&self) -> Result<Option<String>, ApiError> {
        match self.given.get(&Known::FallbackModel) {
            None | Some(Given::Null) => Ok(None),
            Some(Given::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(ApiError::Invalid { param: Some(FALLBACK_MODEL), message: "`fallback_model` must be a string.".to_owned() }),
        }
    }

    /// By when the job is to have begun and to have ended.
    pub fn deadlines(&self) -> Result<Deadlines, ApiError> {
        let moment = |deadline: Deadline| match self.given.get(&Known::Deadline(deadline)) {
            None | Some(Given::Null) => Ok(None),
            Some(Given::Number(text) | Given::Text(text)) if text.trim().is_empty() => Ok(None),
            Some(Given::Number(text) | Given::Text(text)) => match text.trim().parse::<u32>() {
                Ok(seconds) => Ok(Some(Timestamp::from_ms(i64::from(seconds) * 1000))),
                Err(_) => Err(not_a_moment(deadline)),
            },
            Some(_) => Err(not_a_moment(deadline)),
        };
        Ok(Deadlines { start_by: moment(Deadline::StartBy)?, finish_by: moment(Deadline::FinishBy)? })
    }

    /// The request these fields make, on top of one that fills what they leave out.
    pub fn over(mut self, base: JobRequest) -> Result<JobRequest, ApiError> {
        if !matches!(self.given.remove(&Known::Reference), None | Some(Given::Null)) {
            return Err(ApiError::ReferenceUnsupported);
        }
        let mut request = base;
        for field in Field::ALL {
            if let Some(text) = self.text(field)? {
                request.set(field, Some(text));
            }
        }
        Ok(request)
    }

    fn text(&mut self, field: Field) -> Result<Option<String>, ApiError> {
        let wants = field.kind();
        match self.given.remove(&Known::Field(field)) {
            None | Some(Given::Null) => Ok(None),
            Some(Given::Text(text)) => Ok(Some(text)),
            Some(Given::Number(text)) if wants.is_numeric() => Ok(Some(text)),
            Some(Given::List(text)) if wants == Kind::List => Ok(Some(text)),
            Some(Given::Flag(flag)) if wants == Kind::Flag => Ok(Some(flag.to_string())),
            Some(given) => {
                let (name, kind) = (
                    field.name(),
                    match given {
                        Given::Other(kind) => kind,
                        Given::Flag(_) => "a boolean",
                        Given::List(_) => "an array",
                        _ => "a number",
                    },
                );
                let wanted = match wants {
                    Kind::Flag => "true or false",
                    Kind::List => "an array",
                    _ if wants.is_numeric() => "a number or a string",
                    _ => "a string",
                };
                Err(ApiError::Invalid { param: Some(name), message: format!("`{name}` must be {wanted}, not {kind}.") })
            }
        }
    }
}

fn not_a_moment(deadline: Deadline) -> ApiError {
    let param = deadline.as_str();
    ApiError::Invalid { param: Some(param), message: format!("`{param}` must be a moment in whole Unix seconds.") }
}

pub fn unreadable(message: impl Into<String>) -> ApiError {
    ApiError::Invalid { param: None, message: message.into() }
}
