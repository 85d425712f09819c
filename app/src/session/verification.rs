//! Asking once more for the link by which an address is confirmed: the button is on every page until it is.

use super::{say, services, viewer_of_form};
use crate::{fault::Fault, http, told::Told};
use leptos::prelude::*;

/// Where it is said what came of it.
const PAGE: &str = "/security";

/// What becomes of a mail with a link.
pub fn mail_is_on_its_way() -> &'static str {
    if services().sends_mails {
        "A mail is on its way."
    } else {
        "This Reelmill sends no mails: its operator finds the link in the list of mails."
    }
}

#[server(prefix = "/api", endpoint = "send-verification")]
pub async fn send_verification() -> Result<(), Fault> {
    let Some(user) = viewer_of_form(PAGE).await? else { return Ok(()) };
    let outcome = match services().send_verification(user.actor(), &user.email, &http::visitor_address()).await {
        Ok(()) => Ok(format!("There is another link for {}. {}", user.email, mail_is_on_its_way())),
        Err(refused) => Err(refused.told()?),
    };
    say(PAGE, Some(user.id), "verification", outcome, "");
    leptos_axum::redirect(PAGE);
    Ok(())
}
