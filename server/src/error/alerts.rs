//! Why nothing was done with alerts.

use super::{Answer, ApiError, StatusCode, answer};
use service::alerts::AlertError;
use store::alerts::AlertRefusal;

pub(super) fn answer_of(refusal: &AlertRefusal) -> Answer {
    match refusal {
        AlertRefusal::Unknown => {
            answer(StatusCode::NOT_FOUND, "alert_not_found", "There is no such rule or silence.").about("alert_rule_id")
        }
        AlertRefusal::Full => answer(StatusCode::BAD_REQUEST, "too_many_alerts", "There are as many as there can be: delete one first."),
        AlertRefusal::Taken => answer(StatusCode::CONFLICT, "alert_name_taken", "There is a rule of that name already.").about("name"),
        // Another error of the API: see below.
        AlertRefusal::Store(_) => answer(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "Something went wrong."),
    }
}

impl From<AlertError> for ApiError {
    fn from(error: AlertError) -> Self {
        let invalid = |param, error: &AlertError| Self::Invalid { param, message: format!("{}.", sentence(&error.to_string())) };
        match error {
            AlertError::Forbidden(error) => error.into(),
            AlertError::Store(error) | AlertError::Refused(AlertRefusal::Store(error)) => error.into(),
            AlertError::Refused(refusal) => Self::Alert(refusal),
            AlertError::Rule(ref wrong) => invalid(wrong.all().first().map(|first| first.field()), &error),
            AlertError::Reason => invalid(Some("reason"), &error),
            AlertError::Minutes => invalid(Some("minutes"), &error),
            AlertError::After => invalid(Some("after"), &error),
            AlertError::NotKept => invalid(Some("number"), &error),
            AlertError::TooMuch => invalid(None, &error),
        }
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}
