//! Why one has to sign in, or sign in again, kept for the page on which one does.

use super::{note, note::note_cookie};
use crate::words;
use axum::http::HeaderValue;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RefusedSignIn {
    pub email: String,
    pub problem: SignInProblem,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum SignInProblem {
    Wrong,
    TooManyTries {
        retry_after_s: u64,
    },
    Busy,
    /// While something was typed, which waits on the page one comes from.
    SignedOut,
    /// While a file was sent, which is not kept.
    SignedOutSending,
    /// By the link of a mail.
    PasswordSet,
    /// Before the code was given.
    PasswordChanged,
}

impl SignInProblem {
    pub fn text(self) -> String {
        match self {
            Self::Wrong => "Email address or password is wrong.".into(),
            Self::TooManyTries { retry_after_s } => {
                format!("Too many tries. Wait {} and try again.", words::about(retry_after_s * 1000))
            }
            Self::Busy => "Too many people are signing in at this moment. Please try again.".into(),
            Self::PasswordSet => "Your password is set. Sign in with it.".into(),
            Self::PasswordChanged => "Your password was changed while you signed in. Please sign in again.".into(),
            Self::SignedOutSending => "You have been signed out, so the file was not kept. Sign in, and send it again.".into(),
            Self::SignedOut => "You have been signed out. What you typed is kept: sign in, and you come back to it.".into(),
        }
    }
}

/// Lets the next look at this page say that one was signed out, and that what was typed is kept.
pub fn say_signed_out() {
    note("/signin", &RefusedSignIn { email: String::new(), problem: SignInProblem::SignedOut });
}

/// The cookie that lets the next look at the sign-in page say that one was signed out, and that the file which was sent is not kept.
#[must_use]
pub fn signed_out_sending(is_https: bool) -> Option<HeaderValue> {
    note_cookie("/signin", &RefusedSignIn { email: String::new(), problem: SignInProblem::SignedOutSending }, is_https)
}
