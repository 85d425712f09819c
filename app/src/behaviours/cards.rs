//! Cards of videos that are not finished yet: looked up again and again, and exchanged for what the server
//! makes of them by then. The page itself is asked, so a card is described in one place.

use super::{clips, moments};
use crate::islands::browser;
use leptos::{prelude::*, task::spawn_local};
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DomParser, Element, SupportedType};

const PAUSE: Duration = Duration::from_secs(2);
/// Its value changes with the card.
const REVISION: &str = "data-unfinished";
/// A card that somebody is at stays as it is.
const IN_USE: &str = ":is(:focus-within, :has(dialog[open]))";

pub fn keep_fresh() {
    if unfinished().is_empty() {
        return;
    }
    let look = || {
        spawn_local(async {
            if !document().hidden() {
                // Without an answer the cards stay, and the next look may get one.
                let _ = exchange().await;
            }
            keep_fresh();
        });
    };
    set_timeout(look, PAUSE);
}

fn unfinished() -> Vec<Element> {
    let Ok(cards) = document().query_selector_all(&format!("[{REVISION}]")) else { return Vec::new() };
    (0..cards.length()).filter_map(|index| cards.item(index)?.dyn_into().ok()).collect()
}

async fn exchange() -> Result<(), JsValue> {
    let Some(page) = browser::this_page().await else { return Ok(()) };
    if page.redirected() {
        // Signed out in another tab.
        browser::reload();
    }
    if !page.ok() {
        return Ok(());
    }
    let html = JsFuture::from(page.text()?).await?.as_string().unwrap_or_default();
    let newest = DomParser::new()?.parse_from_string(&html, SupportedType::TextHtml)?;
    for card in unfinished() {
        match newest.get_element_by_id(&card.id()) {
            _ if card.matches(IN_USE)? => {}
            None => card.remove(),
            Some(new) if new.get_attribute(REVISION) == card.get_attribute(REVISION) => {}
            Some(new) => card.replace_with_with_node_1(&new)?,
        }
    }
    moments::localise();
    clips::watch();
    Ok(())
}
