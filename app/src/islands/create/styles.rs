//! The choice of a picture's style: a word that is written into the prompt, which alone is sent.
//!
//! The server draws it and `public/style-choice.js` works it, as what is compiled for the browser is loaded with every first page. How
//! the form reads its prompt tells that script which style is named there.

use super::Form;
use domain::Model;
use leptos::prelude::*;

/// Shown while a model is chosen that has styles.
#[component]
pub fn Styles(form: Form) -> impl IntoView {
    let is_hidden = move || !form.model.with(Model::has_styles);
    view! { <fieldset class="field styles needs-script" hidden=is_hidden aria-describedby="style-about" inner_html=choices()></fieldset> }
}

/// Left as it is in the browser.
#[cfg(not(feature = "ssr"))]
const fn choices() -> &'static str {
    ""
}

#[cfg(feature = "ssr")]
use drawn::choices;

#[cfg(feature = "ssr")]
mod drawn {
    use leptos::prelude::*;
    use service::understanding::STYLES;
    use std::sync::LazyLock;

    /// The same on every page.
    pub(super) fn choices() -> &'static str {
        static CHOICES: LazyLock<String> = LazyLock::new(draw);
        &CHOICES
    }

    fn draw() -> String {
        let named = STYLES.into_iter().map(|(name, words)| choice(name, words)).collect_view();
        view! {
            <legend>"Style"</legend>
            <div class="choices">
                {choice("none", "")}
                {named}
            </div>
            <p class="hint" id="style-about">"Your choice is written into the prompt."</p>
        }
        .to_html()
    }

    /// `words`: what the prompt says then.
    fn choice(name: &'static str, words: &'static str) -> impl IntoView {
        let (label, picture) = swatch(name);
        let checked = words.is_empty();
        view! {
            <label class="choice">
                <input type="radio" name="style" value=name data-words=words checked=checked autocomplete="off" />
                <span><svg viewBox="0 0 36 24" aria-hidden="true" inner_html=picture></svg>{label}</span>
            </label>
        }
    }

    /// What it is called, and the inside of an SVG of 36 x 24.
    fn swatch(style: &str) -> (&'static str, &'static str) {
        match style {
            "paper" => ("Paper", PAPER),
            "neon" => ("Neon", NEON),
            "pencil" => ("Pencil", PENCIL),
            "pastel" => ("Pastel", PASTEL),
            "pixel" => ("Pixel", PIXEL),
            _ => ("None", FLAT),
        }
    }

    const FLAT: &str = r##"<rect width="36" height="24" fill="#8fd0f0"/><circle cx="26" cy="8" r="4" fill="#ffd23f"/>
<path d="M0 17q9-9 18-2t18-3v12H0z" fill="#4fa35f"/>"##;
    const PAPER: &str = r##"<rect width="36" height="24" fill="#bcd3d6"/><circle cx="26.8" cy="8.8" r="4" fill="#0004"/><circle cx="26" cy="8" r="4" fill="#f2b63c"/>
<path d="M0 13q10-6 18 0t18-3v14H0z" fill="#0004"/><path d="M0 14q10-6 18 0t18-3v13H0z" fill="#8eb08a" stroke="#fffa"/>
<path d="M0 17.6q8-4 16 1t20-3v9H0z" fill="#0004"/><path d="M0 18.6q8-4 16 1t20-3v8H0z" fill="#567f55" stroke="#fff8"/>"##;
    const NEON: &str = r##"<rect width="36" height="24" fill="#0b0820"/><g fill="none"><circle cx="26" cy="8" r="4" stroke="#ff4fa366" stroke-width="4"/>
<circle cx="26" cy="8" r="4" stroke="#ffb3da"/><path d="M-2 17q10-9 20-2t20-3" stroke="#35e8ff66" stroke-width="4"/>
<path d="M-2 17q10-9 20-2t20-3" stroke="#b8f7ff"/></g>"##;
    const PENCIL: &str = r##"<rect width="36" height="24" fill="#f6f3ea"/><g fill="none" stroke="#4a4a4e"><circle cx="26" cy="8" r="4"/><path d="M-2 17q10-9 20-2t20-3"/>
<path d="m3 16-4 8m8-11-6 11m10-11-6 11m10-10-5 10m9-9-5 9m9-9-5 9m10-10-5 10m9-10-5 10m9-11-6 11m10-8-4 8" stroke-width=".7"/></g>"##;
    const PASTEL: &str = r##"<rect width="36" height="24" fill="#e4e2f4"/><circle cx="26" cy="8" r="6" fill="#fdeede"/><circle cx="26" cy="8" r="4" fill="#fbd5b5"/>
<path d="M0 15q9-9 18-2t18-3v14H0z" fill="#d3eadb"/><path d="M0 18q9-7 18-1t18-3v10H0z" fill="#b8dcc6"/>"##;
    const PIXEL: &str = r##"<g shape-rendering="crispEdges"><rect width="36" height="24" fill="#6ab7ff"/><path d="M24 3h6v3h3v6h-3v3h-6v-3h-3V6h3z" fill="#ffd23f"/>
<path d="M0 15h3v-3h9v3h3v3h9v-3h6v-3h6v12H0z" fill="#2f9e44"/><path d="M0 18h6v3h12v-3h3v3h15v3H0z" fill="#1f6f33"/></g>"##;
}
