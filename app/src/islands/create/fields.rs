//! The form's fields: named so that a plain form post and the script send the same request.

use crate::islands::browser;
use domain::{JobRequest, Seed, SpecError};
use wasm_bindgen::JsCast;

/// The name of a field of the request inside the form.
pub fn name(field: &str) -> String {
    format!("request[{field}]")
}

/// Looks at one field as if the others that can be wrong by themselves were right.
///
/// # Errors
/// What is wrong with it.
pub fn alone(request: &JobRequest, field: &str) -> Result<(), SpecError> {
    let only = |name: &str, value: &Option<String>| value.clone().filter(|_| name == field);
    let request = JobRequest {
        prompt: "-".into(),
        steps: only("steps", &request.steps),
        guidance: only("guidance", &request.guidance),
        seed: only("seed", &request.seed),
        negative_prompt: only("negative_prompt", &request.negative_prompt),
        ..request.clone()
    };
    request.parse(Seed::ZERO).map(drop)
}

/// Reads what the form says now.
pub fn read(form: &web_sys::HtmlFormElement) -> JobRequest {
    let text = |field: &str| {
        let all = form.query_selector_all(&format!("[name='{}']", name(field))).ok()?;
        let elements = (0..all.length()).filter_map(|index| all.item(index)?.dyn_into::<web_sys::Element>().ok());
        let mut chosen = elements.filter(|element| {
            let input = element.dyn_ref::<web_sys::HtmlInputElement>();
            input.is_none_or(|input| input.type_() != "radio" || input.checked())
        });
        browser::value(&chosen.next()?)
    };
    JobRequest {
        prompt: text("prompt").unwrap_or_default(),
        negative_prompt: text("negative_prompt"),
        model: text("model"),
        size: text("size"),
        seconds: text("seconds"),
        steps: text("steps"),
        guidance: text("guidance"),
        seed: text("seed"),
    }
}

/// Puts a value in a field as if it had been typed.
pub fn write(form: &web_sys::HtmlFormElement, field: &str, value: &str) {
    let Ok(Some(element)) = form.query_selector(&format!("[name='{}']", name(field))) else { return };
    if let Some(input) = element.dyn_ref::<web_sys::HtmlInputElement>() {
        input.set_value(value);
    } else if let Some(area) = element.dyn_ref::<web_sys::HtmlTextAreaElement>() {
        area.set_value(value);
        let _ = area.focus();
    }
}
