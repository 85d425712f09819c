//! The form's fields: named so that a plain form post and the script send the same request.

use crate::islands::browser;
use domain::{JobRequest, catalog::Field};
use leptos::prelude::document;
use wasm_bindgen::JsCast;

/// The name of a field of the request inside the form.
pub fn name(field: Field) -> String {
    format!("request[{}]", field.name())
}

/// The request as names and values of a form; what is not said is left out.
pub fn fields_of(request: &JobRequest) -> Vec<(String, String)> {
    Field::ALL.into_iter().filter_map(|field| Some((name(field), request.get(field)?.to_owned()))).collect()
}

/// Reads what the form says now.
pub fn read(form: &web_sys::HtmlFormElement) -> JobRequest {
    JobRequest::of_fields(|field| {
        let all = form.query_selector_all(&format!("[name='{}']", name(field))).ok()?;
        let elements = (0..all.length()).filter_map(|index| all.item(index)?.dyn_into::<web_sys::Element>().ok());
        let mut chosen = elements.filter(|element| {
            let input = element.dyn_ref::<web_sys::HtmlInputElement>();
            input.is_none_or(|input| !is_ticked(input) || input.checked())
        });
        // A box that is not ticked says as little as an empty field; choices of which none is made are not drawn yet.
        let is_box = || all.item(0)?.dyn_into::<web_sys::HtmlInputElement>().ok().filter(|input| input.type_() == "checkbox");
        chosen.next().map_or_else(|| is_box().map(|_| String::new()), |element| browser::value(&element))
    })
}

/// Whether it is chosen, and not typed into.
fn is_ticked(input: &web_sys::HtmlInputElement) -> bool {
    matches!(&*input.type_(), "radio" | "checkbox")
}

/// Fills the whole form.
pub fn fill(form: &web_sys::HtmlFormElement, request: &JobRequest) {
    for field in Field::ALL {
        write(form, field, request.get(field).unwrap_or_default());
    }
}

/// Puts a value in a field, or chooses it among several.
pub fn write(form: &web_sys::HtmlFormElement, field: Field, value: &str) {
    let Ok(elements) = form.query_selector_all(&format!("[name='{}']", name(field))) else { return };
    for element in (0..elements.length()).filter_map(|index| elements.item(index)) {
        if let Some(input) = element.dyn_ref::<web_sys::HtmlInputElement>() {
            // What the box of an arrangement says is the arrangement.
            if !is_ticked(input) || (field == Field::Arrangement && !value.is_empty()) {
                input.set_value(value);
            }
            if is_ticked(input) {
                input.set_checked(!value.is_empty() && input.value() == value);
            }
        } else if let Some(area) = element.dyn_ref::<web_sys::HtmlTextAreaElement>() {
            replace(area, value);
        } else if let Some(choice) = element.dyn_ref::<web_sys::HtmlSelectElement>() {
            choice.set_value(value);
        }
    }
}

/// Puts another text in its place. Where it has the focus, that is as if it had been typed: the browser's own undo takes it back, and
/// knows nothing of a text that is merely set.
fn replace(area: &web_sys::HtmlTextAreaElement, text: &str) {
    let page = document().dyn_into::<web_sys::HtmlDocument>();
    let is_typed = |page: web_sys::HtmlDocument| {
        area.select();
        page.exec_command_with_show_ui_and_value("insertText", false, text).unwrap_or(false)
    };
    let has_focus = document().active_element().is_some_and(|element| &element == area.as_ref());
    if area.value() != text && !(has_focus && page.is_ok_and(is_typed)) {
        area.set_value(text);
    }
}
