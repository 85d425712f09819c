//! A library and a queue that keep up: cards of videos that are not finished, new ones that were asked for elsewhere, and
//! those that are gone. The page itself is asked again and again, so a card is described in one place.

use super::{clips, moments};
use crate::islands::browser;
use leptos::{prelude::*, task::spawn_local};
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, DomParser, Element, SupportedType};

/// While a video on the page is being made.
const PAUSE: Duration = Duration::from_secs(2);
/// While nothing moves, but something new may come.
const IDLE_PAUSE: Duration = Duration::from_secs(5);
/// Its value changes with the card.
const REVISION: &str = "data-unfinished";
/// A card that somebody is at stays as it is.
const IN_USE: &str = ":is(:focus-within, :has(dialog[open]))";
/// The list, on the page where new videos appear.
const NEWEST: &str = ".grid[data-newest]";
/// What has new videos, what waits in its order, or what was asked for.
const FOLLOWED: &str = ".grid[data-newest], #queue, #log";
/// What is replaced as a whole: what else of the page follows the list, the queue, and the log of requests.
const WHOLE: [&str; 4] = ["waiting", "pages", "queue", "log"];

pub fn keep_fresh() {
    if is_wanted() {
        look_later();
        window_event_listener_untyped("visibilitychange", |_| spawn_local(look()));
    }
}

fn is_wanted() -> bool {
    !unfinished().is_empty() || has(FOLLOWED)
}

fn has(selector: &str) -> bool {
    document().query_selector(selector).is_ok_and(|found| found.is_some())
}

fn look_later() {
    let pause = if unfinished().is_empty() { IDLE_PAUSE } else { PAUSE };
    let act = || {
        spawn_local(async {
            look().await;
            if is_wanted() {
                look_later();
            }
        });
    };
    set_timeout(act, pause);
}

/// Without an answer the cards stay, and the next look may get one.
async fn look() {
    if !document().hidden() {
        let _ = exchange().await;
    }
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
            // A copy: the list that it stands in is looked at once more.
            Some(new) => card.replace_with_with_node_1(&new.clone_node_with_deep(true)?)?,
        }
    }
    add_new(&newest)?;
    refresh_whole(&newest)?;
    moments::localise();
    clips::watch();
    Ok(())
}

/// Puts in what was asked for since, and takes out what was deleted elsewhere or pushed off the page.
fn add_new(newest: &Document) -> Result<(), JsValue> {
    let (Some(grid), Some(new_grid)) = (document().query_selector(NEWEST)?, newest.query_selector(NEWEST)?) else { return Ok(()) };
    let cards = children(&new_grid);
    let is_empty = grid.child_element_count() == 0;
    if cards.is_empty() || is_empty {
        if cards.is_empty() != is_empty {
            browser::reload();
        }
        return Ok(());
    }
    for card in children(&grid) {
        if newest.get_element_by_id(&card.id()).is_none() && !card.matches(IN_USE)? {
            card.remove();
        }
    }
    let mut place = grid.first_element_child();
    for card in cards {
        match document().get_element_by_id(&card.id()) {
            Some(own) => place = own.next_element_sibling(),
            None => drop(grid.insert_before(&card, place.as_deref())?),
        }
    }
    Ok(())
}

fn children(grid: &Element) -> Vec<Element> {
    let cards = grid.children();
    (0..cards.length()).filter_map(|index| cards.item(index)).collect()
}

fn refresh_whole(newest: &Document) -> Result<(), JsValue> {
    for id in WHOLE {
        if let (Some(own), Some(new)) = (document().get_element_by_id(id), newest.get_element_by_id(id))
            && own.inner_html() != new.inner_html()
            && !own.matches(IN_USE)?
        {
            own.replace_with_with_node_1(&new)?;
        }
    }
    Ok(())
}
