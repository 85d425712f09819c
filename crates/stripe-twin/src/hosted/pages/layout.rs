//! The frame of every page, and how text becomes HTML.

const STYLE: &str = "
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a4050); --soft: light-dark(#f5f6f8, #1b1f29); --strong: #4b3fe4; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: var(--soft); }
main { max-width: 32rem; margin: 0 auto; padding: 1rem; }
.notice { margin: 0; padding: .5rem 1rem; text-align: center; background: #ffde92; color: #382b00; font-size: .875rem; }
section { background: light-dark(#fff, #11141b); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
h1 { font-size: 1.5rem; margin: 1rem 0 .25rem; } h2 { font-size: 1.125rem; margin: 0 0 .5rem; }
table { width: 100%; border-collapse: collapse; } th, td { text-align: left; padding: .375rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:last-child, th:last-child { text-align: right; } tfoot td { font-weight: 600; border: 0; }
label { display: block; margin: .75rem 0; font-weight: 500; } input, select { display: block; width: 100%; margin-top: .25rem; padding: .625rem; font: inherit; border: 1px solid var(--line); border-radius: .375rem; }
button { width: 100%; min-height: 2.75rem; padding: .625rem 1rem; font: inherit; font-weight: 600; border: 1px solid var(--strong); border-radius: .375rem; background: var(--strong); color: #fff; cursor: pointer; }
button.quiet { background: none; color: inherit; border-color: var(--line); } form + form { margin-top: .5rem; }
.error { border-color: #d4351c; color: light-dark(#b3200a, #ff9d8c); } .small { font-size: .875rem; opacity: .8; }
";

/// A whole page.
pub fn page(title: &str, body: &str) -> String {
    let title = text(title);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\
         <p class=\"notice\">Test payments: no money moves, no card is real.</p><main><h1>{title}</h1>{body}</main></body></html>"
    )
}

/// A page that says one thing.
pub fn message(title: &str, words: &str) -> String {
    page(title, &format!("<section><p>{}</p></section>", text(words)))
}

/// The bank asks the owner of the card about a payment.
pub fn authentication(intent: &str) -> String {
    let button = |answer: &str, class: &str, words: &str| {
        format!(
            "<form method=\"post\" action=\"/authenticate/{}\"><input type=\"hidden\" name=\"answer\" value=\"{answer}\">\
             <button class=\"{class}\" type=\"submit\">{words}</button></form>",
            text(intent)
        )
    };
    let (agree, refuse) = (button("agree", "", "Confirm payment"), button("refuse", "quiet", "Refuse"));
    page("Confirm payment", &format!("<section><p>Your bank asks you to confirm this payment.</p>{agree}{refuse}</section>"))
}

/// What went wrong, where something did.
pub fn error(words: Option<&str>) -> String {
    words.map(|words| format!("<section class=\"error\" role=\"alert\">{}</section>", text(words))).unwrap_or_default()
}

/// Text as HTML, also within quotes.
pub fn text(words: &str) -> String {
    let mut escaped = String::with_capacity(words.len());
    for sign in words.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The address that a client gave, with the session's id where it asked for it.
pub fn place(address: &str, session: &str) -> String {
    address.replace("{CHECKOUT_SESSION_ID}", session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(text("<b a=\"1\">&'"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39;");
    }
}
