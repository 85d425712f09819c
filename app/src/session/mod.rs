//! Who is looking, and what is kept for them from one request to the next.
//!
//! Forms are answered with a redirect. What a refused form said is kept until the page that shows it again takes it
//! out, so nothing typed is lost, with or without JavaScript.

mod browser;
pub mod flash;
mod form;
mod note;
mod oidc;
mod pending;
mod refused_sign_in;
mod said;
mod sign_out;
mod switch_team;
mod verification;
mod viewer;
mod viewing;

pub use browser::{known_browser, remember_browser};
pub use form::{keep, keep_in, take};
pub use note::{note, noted, noted_if, noteworthy};
pub use oidc::{OidcPurpose, OidcTry, allow_link, end_link, keep_try, may_link, take_try};
pub use pending::{begin_pending, end_pending, pending};
pub use refused_sign_in::{RefusedSignIn, SignInProblem, say_signed_out, signed_out_sending};
pub use said::{Said, SaidNotice, said, say, say_of_fields};
pub use sign_out::SignOut;
pub use switch_team::{SwitchTeam, SwitchedTeams, TEAM_FIELD, TeamField, same_team};
pub use verification::{SendVerification, mail_is_on_its_way};
pub use viewer::{begin, choose, current, end, require_operator, require_viewer, viewer, viewer_of_form};
pub use viewing::{EndViewing, begin_viewing};

use crate::fault::Fault;
use leptos::prelude::expect_context;
use service::Services;
use tower_sessions::Session;

pub fn services() -> Services {
    expect_context::<Services>()
}

pub async fn session() -> Result<Session, Fault> {
    leptos_axum::extract::<Session>().await.map_err(|error| Fault::internal(&error))
}
