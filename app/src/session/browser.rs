//! Browsers that have signed in before: their tries at signing in are counted apart from strangers'.

use super::services;
use crate::http::{cookie, set_cookie};
use service::User;

/// Set when somebody signs in, and not removed when they sign out.
const KNOWN_BROWSER: &str = "reelmill_browser";
/// The longest that browsers keep a cookie: 400 days.
const KNOWN_BROWSER_SECONDS: i64 = 400 * 24 * 60 * 60;

/// The cookie by which this browser says where it has been signed in before.
pub fn known_browser() -> Option<String> {
    cookie(KNOWN_BROWSER)
}

/// Lets this browser be known from now on. Without that it is only treated as a stranger's.
pub async fn remember_browser(user: &User) {
    match services().remember_browser(user, known_browser().as_deref()).await {
        Ok(cookie) => set_cookie(KNOWN_BROWSER, "/api", &cookie, KNOWN_BROWSER_SECONDS),
        Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "a browser is not remembered"),
    }
}
