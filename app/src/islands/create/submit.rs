//! What the form asks the server: how long a job would take, and to take it in.

use super::fields::fields_of;
use crate::{islands::browser, words};
use domain::{Eta, JobId, JobRequest, NoEta, SpecError, UserId, VideoTime};
use leptos::{
    prelude::*,
    server_fn::{
        ServerFn,
        codec::{GetUrl, JsonEncoding},
        error::ServerFnErrorErr,
    },
};
use serde::{Deserialize, Serialize};
use wasm_bindgen_futures::JsFuture;

/// Why a job was not taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    #[error("{message}")]
    Field {
        field: String,
        message: String,
        /// Whether it can be made all the same.
        #[serde(default)]
        may_force: bool,
    },
    /// The queue holds too much of this account already.
    #[error("{0}")]
    Whole(String),
    #[error("You may not make videos here. Nothing has been charged.")]
    Forbidden,
    #[error("The video you remix is gone. Submit again to make this one on its own.")]
    SourceGone,
    #[error("This form has made a video already, and you deleted it. Submit once more to make another.")]
    Deleted,
    #[error("You have been signed out. What you typed is kept: sign in, and you come back to it.")]
    SignedOut,
    /// The form showed another price, or none.
    #[error("With these settings it costs {}. Nothing has been charged: press the button once more if that is fine.", words::video_seconds(*price))]
    PriceNotShown { price: VideoTime },
    #[error("Too many requests at this moment. What you typed is kept: wait a moment, then submit again.")]
    Busy,
    #[error(
        "The server cannot be reached. Check your connection, then submit again: what you typed is kept, and you are never charged twice."
    )]
    Unreachable,
    #[error(
        "The server cannot answer right now, which is not your fault. Submit again in a moment: what you typed is kept, and you are never charged twice."
    )]
    Unavailable,
    /// More was typed than is kept of a plain form.
    #[error("What you typed was longer than allowed and has been shortened. Look it over, then submit again: nothing has been charged.")]
    Shortened,
    #[error("The form was not understood. Load this page again, then submit once more: what you typed is kept.")]
    Malformed,
    #[error(
        "Something broke on our side, not in your form. Submit again in a moment: what you typed is kept, and you are never charged twice."
    )]
    Internal,
}

impl Refusal {
    pub fn at_field(error: &SpecError) -> Self {
        let may_force = matches!(error, SpecError::PromptNotUnderstood { .. });
        Self::Field { field: error.field().into(), message: error.to_string(), may_force }
    }

    /// What an answer means that is not ours: a proxy's, say, or one of a server that is starting.
    const fn of_status(status: u16) -> Self {
        match status {
            401 => Self::SignedOut,
            408 => Self::Unreachable,
            429 => Self::Busy,
            400..=499 => Self::Malformed,
            500 => Self::Internal,
            _ => Self::Unavailable,
        }
    }
}

/// Sends the form from a script. Not by the server function's own client, which calls every answer that is not
/// its own a form that was not understood.
///
/// # Errors
/// What the server said, or what its silence means.
pub async fn send(form: SubmitVideo) -> Result<JobId, Refusal> {
    let SubmitVideo { request, remixed_from, repeats, once, quoted_ms, author, force } = form;
    let mut fields = fields_of(&request);
    fields.extend(remixed_from.map(|id| ("remixed_from".into(), id.to_string())));
    fields.extend(repeats.map(|id| ("repeats".into(), id.to_string())));
    fields.extend(quoted_ms.map(|ms| ("quoted_ms".into(), ms.to_string())));
    fields.extend(author.map(|id| ("author".into(), id.to_string())));
    fields.push(("once".into(), once));
    fields.extend(force.then(|| ("force".into(), force.to_string())));
    let answer = browser::post(SubmitVideo::url(), &fields).await.ok_or(Refusal::Unreachable)?;
    let text = answer.text().map(JsFuture::from).map_err(|_| Refusal::Unreachable)?;
    let json = text.await.map_err(|_| Refusal::Unreachable)?.as_string().unwrap_or_default();
    if answer.ok() {
        serde_json::from_str(&json).map_err(|_| Refusal::Unavailable)
    } else {
        Err(serde_json::from_str(&json).unwrap_or_else(|_| Refusal::of_status(answer.status())))
    }
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Request(_) => Self::Unreachable,
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => {
                #[cfg(feature = "ssr")]
                crate::http::answer_with(axum::http::StatusCode::BAD_REQUEST);
                Self::Malformed
            }
            _ => Self::Internal,
        }
    }
}

/// How long a job of this shape would take from now; of a page of before, which does not say the length, of the usual one.
#[server(prefix = "/api", endpoint = "expected-time", input = GetUrl)]
pub async fn expected_time(
    model: String,
    size: String,
    #[server(default)] duration_ms: Option<u64>,
    steps: u32,
) -> Result<Result<Eta, NoEta>, Refusal> {
    taking_in::require_viewer().await?;
    let catalog = taking_in::catalog().await?;
    let (Some(model), Ok(size)) = (catalog.find(&model), size.parse()) else { return Ok(Err(NoEta::NotAsked)) };
    let shape = domain::Shape { size, duration: duration_ms.map_or(model.duration_default(), VideoTime::from_ms) };
    if model.size_option(size).is_none() || !model.has_duration(shape.duration) || steps > model.steps.max {
        return Ok(Err(NoEta::NotAsked));
    }
    Ok(crate::session::services().expected_time(&model.id, shape, steps).await)
}

/// Takes a job in. A plain form is led to the job's page, or back to its draft with what is to be mended.
/// `once` names the form: what it sends again, by a second click or after an answer that got lost, leads to the
/// first job; what was changed meanwhile makes another. `quoted_ms` is the price that the form showed, 0 when it
/// showed none: no other is charged before it was shown. `author` is for whom the form was drawn: no other account is
/// charged for it, or shown what was typed. `force`: it is to be made even where nothing of the prompt is understood. `repeats`: the
/// job that this one makes once more, read as it was.
#[server(prefix = "/api", endpoint = "submit-video")]
pub async fn submit_video(
    request: JobRequest,
    #[server(default)] remixed_from: Option<JobId>,
    #[server(default)] repeats: Option<JobId>,
    #[server(default)] once: String,
    #[server(default)] quoted_ms: Option<u64>,
    #[server(default)] author: Option<UserId>,
    #[server(default)] force: bool,
) -> Result<JobId, Refusal> {
    let request = super::again::with_plain_lines(&request);
    let outcome = taking_in::submit(request.clone(), [remixed_from, repeats], &once, quoted_ms, author, force).await;
    match &outcome {
        Ok(id) => leptos_axum::redirect(&format!("/videos/{id}")),
        Err(refusal) => {
            crate::http::answer_with(taking_in::status(refusal));
            if let Err(not_kept) =
                taking_in::lead_back(Draft { request, remixed_from, once: Some(once), refusal: None }, author, refusal).await
            {
                crate::http::answer_in_place(not_kept.status());
                // The browser shows it as it is.
                return Err(Refusal::Whole(not_kept.to_string()));
            }
        }
    }
    outcome
}

/// What a refused plain form said, until the page shows it again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub request: JobRequest,
    pub remixed_from: Option<JobId>,
    /// What named it when it was sent.
    #[serde(default)]
    pub once: Option<String>,
    pub refusal: Option<Refusal>,
}

/// A draft in the browser of somebody whose session has ended, for them alone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Noted {
    pub author: UserId,
    pub draft: Draft,
}

/// The server's side.
#[cfg(feature = "ssr")]
pub(super) mod taking_in {
    use super::{super::offer, Draft, Noted, Refusal};
    use crate::{fault::Fault, http, session};
    use axum::http::StatusCode;
    use domain::{
        Catalog, JobId, JobRequest, UserId, VideoTime,
        catalog::{Field, Kind, PROMPT_CHARS_MAX, TEXT_BYTES_MAX},
    };
    use service::{
        StoreError, Submission, SubmitError,
        job::{fingerprint, new_idempotency_key},
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
    pub(in super::super) async fn require_viewer() -> Result<(), Refusal> {
        match session::viewer().await {
            Ok(Some(_)) => Ok(()),
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
        let idempotency_key = is_nonce(once).then(|| format!("page:{once}:{}", fingerprint(&request, remixed_from)));
        let shown_price = quoted_ms.map(VideoTime::from_ms);
        let submission = Submission { request, sent: None, shown_price, remixed_from, repeats, idempotency_key, force, due: http::due() };
        let submitted = session::services().submit(user.actor(), submission).await;
        submitted.map(|(job, _)| job.id).map_err(refusal)
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
            SubmitError::NotAdmitted(error) => Refusal::Whole(error.to_string()),
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
        session::keep("create", &Draft { request, remixed_from, refusal: Some(refusal), ..draft })
            .await
            .map_err(|_| NotKept::Unavailable)?;
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
            for (character, chars) in
                [('a', PROMPT_CHARS_MAX), ('é', PROMPT_CHARS_MAX), ('€', TEXT_BYTES_MAX / 3), ('🎬', TEXT_BYTES_MAX / 4)]
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
}
