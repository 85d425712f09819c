//! What a click does beside what the browser does by itself: copy, open a dialog, close one, leave a menu.

use super::spoken;
use crate::islands::browser;
use leptos::{ev, prelude::*, task::spawn_local};
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Clipboard, Element, HtmlDialogElement, HtmlDocument, HtmlTextAreaElement, MouseEvent};

const SHOWN_FOR: Duration = Duration::from_millis(1600);

pub fn listen() {
    window_event_listener(ev::click, |event: MouseEvent| {
        let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
        close_menu_unless(|menu| menu.contains(Some(&target)));
        if let Ok(Some(button)) = target.closest("[data-copy]") {
            copy(button);
        } else if let Ok(Some(link)) = target.closest("[data-opens]") {
            let dialog = link.get_attribute("data-opens").and_then(|id| document().get_element_by_id(&id));
            if dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()).is_some_and(|dialog| dialog.show_modal().is_ok()) {
                event.prevent_default();
            }
        } else if let Ok(Some(link)) = target.closest("[data-closes]") {
            let dialog = link.closest("dialog").ok().flatten();
            if let Some(dialog) = dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()).filter(HtmlDialogElement::open) {
                event.prevent_default();
                dialog.close();
            }
        } else if let Some(dialog) = target.dyn_ref::<HtmlDialogElement>().filter(|dialog| is_beside(dialog, &event)) {
            dialog.close();
        }
    });
    // A link that acts as a button answers to the space bar as well.
    window_event_listener(ev::keydown, |event| {
        if event.key() == "Escape" {
            leave_menu();
        }
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok());
        if event.key() == " "
            && let Some(link) = target.filter(|target| target.matches("a[role=button]").unwrap_or(false))
        {
            event.prevent_default();
            link.click();
        }
    });
}

/// Whether a click on a modal dialog is a click on what lies around it.
fn is_beside(dialog: &HtmlDialogElement, click: &MouseEvent) -> bool {
    let (edge, x, y) = (dialog.get_bounding_client_rect(), f64::from(click.client_x()), f64::from(click.client_y()));
    dialog.open() && (x < edge.left() || x > edge.right() || y < edge.top() || y > edge.bottom())
}

/// Closes the menu; the focus goes back to what opened it, if it was inside.
fn leave_menu() {
    let Ok(Some(menu)) = document().query_selector("details.menu[open]") else { return };
    if menu.matches(":focus-within").unwrap_or(false) {
        browser::focus(&menu, "summary");
    }
    close_menu_unless(|_| false);
}

fn close_menu_unless(stays: impl Fn(&Element) -> bool) {
    if let Ok(Some(menu)) = document().query_selector("details.menu[open]")
        && !stays(&menu)
    {
        let _ = menu.remove_attribute("open");
    }
}

fn copy(button: Element) {
    let text = button.get_attribute("data-copy").filter(|text| !text.is_empty()).or_else(|| code_of_figure(&button)).unwrap_or_default();
    spawn_local(async move {
        if write(&text).await.is_some() || write_by_selection(&text).is_some_and(|copied| copied) {
            let _ = button.class_list().add_1("copied");
            spoken::say("Copied");
            set_timeout(move || drop(button.class_list().remove_1("copied")), SHOWN_FOR);
        }
    });
}

fn code_of_figure(button: &Element) -> Option<String> {
    button.closest("figure").ok()??.query_selector("code").ok()??.text_content()
}

/// `None`: refused, or not to be had, as on plain HTTP.
async fn write(text: &str) -> Option<()> {
    let clipboard: Clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into()).ok()?.dyn_into().ok()?;
    JsFuture::from(clipboard.write_text(text)).await.ok().map(drop)
}

/// The old way, which works on plain HTTP too.
fn write_by_selection(text: &str) -> Option<bool> {
    let field: HtmlTextAreaElement = document().create_element("textarea").ok()?.dyn_into().ok()?;
    field.set_class_name("unseen");
    field.set_value(text);
    document().body()?.append_child(&field).ok()?;
    field.select();
    let copied = document().dyn_into::<HtmlDocument>().ok()?.exec_command("copy").ok();
    field.remove();
    copied
}
