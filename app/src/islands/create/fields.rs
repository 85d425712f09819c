//! The form's fields: named so that a plain form post and the script send the same request.

use crate::islands::browser;
use domain::{JobRequest, Seed, SpecError};
use leptos::prelude::document;
use wasm_bindgen::JsCast;

/// The name of a field of the request inside the form.
pub fn name(field: &str) -> String {
    format!("request[{field}]")
}

/// The request as names and values of a form; what is empty is left out.
pub fn fields_of(request: JobRequest) -> Vec<(String, String)> {
    let JobRequest { prompt, negative_prompt, model, size, seconds, steps, guidance, seed } = request;
    let named = [
        ("prompt", Some(prompt)),
        ("negative_prompt", negative_prompt),
        ("model", model),
        ("size", size),
        ("seconds", seconds),
        ("steps", steps),
        ("guidance", guidance),
        ("seed", seed),
    ];
    named.into_iter().filter_map(|(field, value)| Some((name(field), value?))).collect()
}

/// Looks at one field as if the others that can be wrong by themselves were right.
///
/// # Errors
/// What is wrong with it.
pub fn alone(request: &JobRequest, field: &str) -> Result<(), SpecError> {
    let only = |name: &str, value: &Option<String>| value.clone().filter(|_| name == field);
    let typed = field == "prompt" && !request.prompt.trim().is_empty();
    let request = JobRequest {
        prompt: if typed { request.prompt.clone() } else { "-".into() },
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

/// Puts a value in a field, or chooses it among several.
pub fn write(form: &web_sys::HtmlFormElement, field: &str, value: &str) {
    set(form, &name(field), value);
}

/// Fills the whole form.
pub fn fill(form: &web_sys::HtmlFormElement, request: &JobRequest) {
    for (name, value) in fields_of(request.clone()) {
        set(form, &name, &value);
    }
}

fn set(form: &web_sys::HtmlFormElement, name: &str, value: &str) {
    let Ok(elements) = form.query_selector_all(&format!("[name='{name}']")) else { return };
    for element in (0..elements.length()).filter_map(|index| elements.item(index)) {
        if let Some(input) = element.dyn_ref::<web_sys::HtmlInputElement>() {
            if input.type_() == "radio" { input.set_checked(input.value() == value) } else { input.set_value(value) }
        } else if let Some(area) = element.dyn_ref::<web_sys::HtmlTextAreaElement>() {
            area.set_value(value);
        } else if let Some(choice) = element.dyn_ref::<web_sys::HtmlSelectElement>() {
            choice.set_value(value);
        }
    }
}

/// Adds to the prompt as if it had been typed, so that the browser's own undo takes it back.
pub fn add_to_prompt(form: &web_sys::HtmlFormElement, text: &str) {
    let area = form.query_selector("#prompt").ok().flatten().and_then(|element| element.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
    let Some(area) = area else { return };
    let (typed, end) = (area.value(), area.text_length());
    let is_blank = typed.trim().is_empty();
    let added = if is_blank { text.to_owned() } else { format!("{}{text}", separator(&typed)) };
    let _ = area.focus();
    let _ = area.set_selection_range(if is_blank { 0 } else { end }, end);
    let page = document().dyn_into::<web_sys::HtmlDocument>();
    if !page.is_ok_and(|page| page.exec_command_with_show_ui_and_value("insertText", false, &added).unwrap_or(false)) {
        area.set_value(&if is_blank { added } else { typed + &added });
    }
}

/// What comes between what was typed and what is added.
fn separator(typed: &str) -> &'static str {
    match typed.chars().next_back() {
        Some(last) if last.is_whitespace() => "",
        Some(',' | '.' | ';' | ':' | '!' | '?') => " ",
        _ => ", ",
    }
}
