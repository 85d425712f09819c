//! The pages of Reelmill.
//!
//! Pages are made on the server and arrive complete: they read and work without JavaScript. What moves
//! in the browser is an **island**, and only islands (and a few `behaviours` of the whole document) are
//! compiled to wasm. So `pages` and `components` exist on the server alone, `islands` in both halves.

// The types of nested views are deep.
#![recursion_limit = "512"]

#[cfg(feature = "ssr")]
mod app;
#[cfg(feature = "hydrate")]
mod behaviours;
#[cfg(feature = "ssr")]
mod components;
#[cfg(feature = "ssr")]
mod fault;
#[cfg(feature = "ssr")]
mod http;
pub mod islands;
mod media;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
mod reading;
#[cfg(feature = "ssr")]
mod sentences;
#[cfg(feature = "ssr")]
mod session;
#[cfg(feature = "ssr")]
mod shell;
#[cfg(test)]
mod testing;
#[cfg(feature = "ssr")]
mod told;
mod words;

#[cfg(feature = "ssr")]
pub use self::components::numbers::{Asked as NumbersAsked, numbers_csv};
#[cfg(feature = "ssr")]
pub use self::pages::{
    account::{
        plan::{OWN_LEDGER_CSV_HEAD, own_ledger_csv_line},
        usage::usage_csv,
    },
    admin::money::ledger::{LEDGER_CSV_HEAD, ledger_csv_line, ledger_filter},
    public::home::GALLERY,
    studio::batches::UploadRefused,
};
#[cfg(feature = "ssr")]
pub use self::{app::App, http::PublicOrigin, pages::public::reference::ApiReference, session::signed_out_sending, shell::shell};

/// What the browser calls once the wasm half has arrived; each island is then hydrated on its own.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    behaviours::start();
    // The islands are hydrated after this function, in one go.
    leptos::prelude::set_timeout(say_ready, std::time::Duration::ZERO);
}

/// From now on, everything that needs the script answers.
#[cfg(feature = "hydrate")]
fn say_ready() {
    if let Some(page) = leptos::prelude::document().document_element() {
        let _ = page.set_attribute("data-ready", "");
    }
}
