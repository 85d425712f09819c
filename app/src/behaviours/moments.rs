//! Moments in the reader's own time zone and manner of writing.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

pub fn localise() {
    let Ok(moments) = document().query_selector_all("time[data-local]") else { return };
    for moment in (0..moments.length()).filter_map(|index| moments.item(index)?.dyn_into::<Element>().ok()) {
        let date = js_sys::Date::new(&JsValue::from(moment.get_attribute("datetime").unwrap_or_default()));
        let options = js_sys::Object::new();
        let _ = js_sys::Reflect::set(&options, &"dateStyle".into(), &"medium".into());
        let _ = js_sys::Reflect::set(&options, &"timeStyle".into(), &"short".into());
        moment.set_text_content(date.to_locale_string("default", &options).as_string().as_deref());
    }
}
