//! The server's side of the form: who sends it, what is taken in, and where a refused one is led.

use super::{super::offer, Draft, Noted, Refusal};
use crate::{fault::Fault, http, session};
use axum::http::StatusCode;
use domain::{
    Catalog, JobId, JobRequest, UserId, VideoTime,
    catalog::{Field, Kind, PROMPT_CHARS_MAX, TEXT_BYTES_MAX},
    scheduling::AdmissionError,
};
use service::{
    StoreError, Submission, SubmitError, User,
    job::{Besides, fingerprint, new_idempotency_key},
};
use std::sync::Arc;

/// Why a plain form is not left: what was typed would be lost.
#[derive(Debug, Clone, Copy, thiserror::Error)]
pub(super) enum NotKept {
    #[error(
        "The server cannot answer right now, which is not your fault. Load this page again in a moment: that sends your form once more, and you are never charged twice."
    )]
    Unavailable,
    /// A stranger's draft is kept in a cookie.
    #[error(
        "You have been signed out, and what you typed is too long to be kept meanwhile. Leave this page open, sign in in another tab, then load this page again: that sends your form once more."
    )]
    TooLong,
}

impl NotKept {
    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooLong => StatusCode::UNAUTHORIZED,
        }
    }
}

/// What is on offer.
///
/// # Errors
/// [`Refusal::Unavailable`] and [`Refusal::Internal`], with their status.
pub(in super::super) async fn catalog() -> Result<Arc<Catalog>, Refusal> {
    session::services().catalog().await.map_err(|error| {
        refused(match Fault::from(error) {
            Fault::Unavailable => Refusal::Unavailable,
            _ => Refusal::Internal,
        })
    })
}

/// Somebody is signed in.
///
/// # Errors
/// [`Refusal::SignedOut`], and [`Refusal::Unavailable`] where that cannot be known, with their status.
pub(in super::super) async fn require_viewer() -> Result<User, Refusal> {
    match session::viewer().await {
        Ok(Some(viewer)) => Ok(viewer),
        Ok(None) => Err(refused(Refusal::SignedOut)),
        Err(_) => Err(refused(Refusal::Unavailable)),
    }
}

fn refused(refusal: Refusal) -> Refusal {
    http::answer_with(status(&refusal));
    refusal
}

pub(super) async fn submit(
    request: JobRequest,
    [remixed_from, repeats]: [Option<JobId>; 2],
    once: &str,
    quoted_ms: Option<u64>,
    author: Option<UserId>,
    force: bool,
) -> Result<JobId, Refusal> {
    let viewer = session::viewer().await.map_err(|_| Refusal::Unavailable)?;
    let user = viewer.filter(|user| author.is_none_or(|author| author == user.id)).ok_or(Refusal::SignedOut)?;
    // A form that was changed after it was sent is another submission.
    let idempotency_key = is_nonce(once).then(|| format!("page:{once}:{}", fingerprint(&request, remixed_from, Besides::default())));
    let shown_price = quoted_ms.map(VideoTime::from_ms);
    let submission = Submission {
        request,
        sent: None,
        shown_price,
        remixed_from,
        repeats,
        idempotency_key,
        retry_count: None,
        force,
        due: http::due(),
        ..Submission::default()
    };
    let submitted = Box::pin(session::services().submit(user.actor(), submission)).await;
    submitted.map(|accepted| accepted.job.id).map_err(refusal)
}

fn is_nonce(once: &str) -> bool {
    (1..=64).contains(&once.len()) && once.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn refusal(error: SubmitError) -> Refusal {
    match error {
        SubmitError::Spec(error) => Refusal::at_field(&error),
        SubmitError::PriceNotShown(price) => Refusal::PriceNotShown { price },
        SubmitError::Forbidden(_) => Refusal::Forbidden,
        SubmitError::RemixSourceUnknown(_) => Refusal::SourceGone,
        SubmitError::Deleted(_) => Refusal::Deleted,
        SubmitError::NotAdmitted(AdmissionError::OutOfCredit { available, asked }) => Refusal::OutOfCredit { available, asked },
        SubmitError::NotAdmitted(error @ AdmissionError::ModelNotInPlan { .. }) => {
            Refusal::Field { field: Field::Model.name().into(), message: error.to_string(), may_force: false }
        }
        SubmitError::NotAdmitted(error) | SubmitError::NotNow { error, .. } => Refusal::Whole(error.to_string()),
        error => {
            tracing::error!(error = &error as &dyn std::error::Error, "a video could not be submitted");
            if matches!(error, SubmitError::Unknown | SubmitError::Store(StoreError::Database(_))) {
                Refusal::Unavailable
            } else {
                Refusal::Internal
            }
        }
    }
}

pub(super) const fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Field { .. } | Refusal::Shortened | Refusal::Malformed => StatusCode::BAD_REQUEST,
        Refusal::SignedOut => StatusCode::UNAUTHORIZED,
        Refusal::OutOfCredit { .. } => StatusCode::PAYMENT_REQUIRED,
        Refusal::Forbidden => StatusCode::FORBIDDEN,
        Refusal::SourceGone => StatusCode::NOT_FOUND,
        Refusal::Deleted => StatusCode::GONE,
        Refusal::PriceNotShown { .. } => StatusCode::CONFLICT,
        Refusal::Whole(_) | Refusal::Busy => StatusCode::TOO_MANY_REQUESTS,
        Refusal::Unreachable | Refusal::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Refusal::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Keeps the draft of a plain form, a stranger's in their own browser; a script still has its own.
///
/// # Errors
/// The draft could not be kept, and the form is not to be left.
pub(super) async fn lead_back(draft: Draft, author: Option<UserId>, refusal: &Refusal) -> Result<(), NotKept> {
    if !http::is_plain_form() {
        return Ok(());
    }
    let once = draft.once.filter(|once| is_nonce(once) && *refusal != Refusal::Deleted);
    let draft = Draft { once: Some(once.unwrap_or_else(new_idempotency_key)), ..draft };
    if *refusal == Refusal::SignedOut {
        if let Some(author) = author {
            if !session::note("/create", &Noted { author, draft }) {
                return Err(NotKept::TooLong);
            }
            session::say_signed_out();
        }
        leptos_axum::redirect("/signin?next=/create");
        return Ok(());
    }
    let remixed_from = draft.remixed_from.filter(|_| *refusal != Refusal::SourceGone);
    let request = shortened(&draft.request);
    let refusal = if request == draft.request { refusal.clone() } else { Refusal::Shortened };
    let (request, refusal) = match other_choices(&request, &refusal).await {
        Some((request, refusal)) => (request, refusal),
        None => (request, refusal),
    };
    session::keep("create", &Draft { request, remixed_from, refusal: Some(refusal), ..draft }).await.map_err(|_| NotKept::Unavailable)?;
    leptos_axum::redirect("/create");
    Ok(())
}

/// A plain form shows the sizes and lengths of the model that it was drawn for: of another one those are chosen that it has.
async fn other_choices(request: &JobRequest, refusal: &Refusal) -> Option<(JobRequest, Refusal)> {
    let Refusal::Field { field, .. } = refusal else { return None };
    Field::find(field).filter(|field| matches!(field, Field::Size | Field::Seconds))?;
    let catalog = session::services().catalog().await.ok()?;
    let model = catalog.find(request.filled(Field::Model)?)?;
    let request = offer::as_shown(&catalog, request);
    let (name, size) = (&model.name, request.size.as_deref()?.replace('x', " × "));
    let said = format!(
        "{name} has other sizes and lengths: {size} is chosen now. Nothing has been charged: look it over, then press the button once more."
    );
    Some((request, Refusal::Whole(said)))
}

/// Of a list that is kept: as many pins as there may be.
const LIST_BYTES_MAX: usize = 4096;

/// As much of it as a form that can be mended has, so that a session stays small.
fn shortened(request: &JobRequest) -> JobRequest {
    JobRequest::of_fields(|field| {
        let typed = request.get(field)?;
        match field.kind() {
            Kind::Text => Some(allowed(typed)),
            // Cut, it would not be a list any more.
            Kind::List => (typed.len() <= LIST_BYTES_MAX).then(|| typed.to_owned()),
            _ => Some(session::noteworthy(typed)),
        }
    })
}

/// The beginning of a text that is within the limits of a prompt.
fn allowed(text: &str) -> String {
    let fits = |(at, character): &(usize, char)| at + character.len_utf8() <= TEXT_BYTES_MAX;
    text.char_indices().take(PROMPT_CHARS_MAX).take_while(fits).map(|(_, character)| character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_where_either_limit_ends() {
        for (character, chars) in [('a', PROMPT_CHARS_MAX), ('é', PROMPT_CHARS_MAX), ('€', TEXT_BYTES_MAX / 3), ('🎬', TEXT_BYTES_MAX / 4)]
        {
            let text: String = std::iter::repeat_n(character, PROMPT_CHARS_MAX + 1).collect();
            assert_eq!(allowed(&text).chars().count(), chars);
        }
    }

    #[test]
    fn what_is_allowed_is_kept_as_it_is() {
        let request = JobRequest { prompt: "a".repeat(PROMPT_CHARS_MAX), steps: Some("x".into()), ..JobRequest::default() };
        assert_eq!(shortened(&request), request);
        let typed = "a".repeat(1000);
        let request = JobRequest { seed: Some(typed.clone()), negative_prompt: Some(typed.clone()), ..JobRequest::default() };
        let kept = shortened(&request);
        assert!(kept.seed.is_some_and(|seed| seed.len() < 1000), "of what is no text less is kept");
        assert_eq!(kept.negative_prompt, Some(typed));
    }
}
