//! How a mail looks, once as text and once as HTML, from the same words. Whatever they contain, they stay words.

/// What a mail says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub subject: String,
    pub paragraphs: Vec<String>,
    /// What the button says, and where it leads.
    pub action: Option<(&'static str, String)>,
    /// Behind the button: for how long it is good, and what to do if one did not ask for it.
    pub note: String,
}

impl Letter {
    pub fn text(&self, origin: &str) -> String {
        let mut parts: Vec<String> = self.paragraphs.iter().map(|paragraph| one_line(paragraph)).collect();
        parts.extend(self.action.as_ref().map(|(label, link)| format!("{label}:\n{link}")));
        parts.push(self.note.clone());
        parts.push(format!("-- \nReelmill, {origin}\n"));
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n")
    }

    pub fn html(&self, origin: &str) -> String {
        let paragraphs: String = self.paragraphs.iter().map(|text| format!("<p style=\"margin:0 0 16px\">{}</p>", escaped(text))).collect();
        let action = self.action.as_ref().map_or_else(String::new, |(label, link)| {
            let link = escaped(link);
            format!(
                "<p style=\"margin:24px 0\"><a href=\"{link}\" style=\"{BUTTON}\">{}</a></p>\
                 <p style=\"{SMALL}\">Or open this address:<br><a href=\"{link}\" style=\"color:#3c3f45;word-break:break-all\">{link}</a></p>",
                escaped(label)
            )
        });
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light\">\
             <title>{subject}</title></head><body style=\"{BODY}\"><div style=\"{CARD}\">\
             <p style=\"margin:0 0 20px;font-weight:700;font-size:20px\">Reelmill</p>{paragraphs}{action}\
             <p style=\"{SMALL}\">{note}</p></div><p style=\"{FOOT}\">Reelmill, {origin}</p></body></html>",
            subject = escaped(&self.subject),
            note = escaped(&self.note),
            origin = escaped(origin),
        )
    }
}

const BODY: &str = "margin:0;padding:24px 12px;background:#f4f3f0;color:#1b1d22;font:16px/1.5 system-ui,sans-serif";
const CARD: &str = "max-width:480px;margin:0 auto;padding:28px;background:#fdfcfa;border:1px solid #dcdad5;border-radius:14px";
const BUTTON: &str =
    "display:inline-block;padding:12px 20px;background:#f6cf46;color:#1b1d22;font-weight:600;text-decoration:none;border-radius:8px";
const SMALL: &str = "margin:0 0 12px;font-size:14px;color:#565960";
const FOOT: &str = "max-width:480px;margin:16px auto 0;font-size:13px;color:#565960;text-align:center";

/// Text as it stands in HTML, also in a quoted attribute.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            sign => html.push(sign),
        }
    }
    html
}

/// What somebody has typed begins no line of its own, which could pass for ours.
pub fn one_line(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(name: &str) -> Letter {
        Letter {
            subject: format!("Join {name}"),
            paragraphs: vec![format!("You are invited to {name}.")],
            action: Some(("Accept", "https://v.test/invitation?token=1&x=\"2".into())),
            note: "It is good for a day.".into(),
        }
    }

    #[test]
    fn both_forms_say_the_same() {
        let (text, html) = (letter("Ada").text("https://v.test"), letter("Ada").html("https://v.test"));
        for words in ["You are invited to Ada.", "Accept", "It is good for a day.", "https://v.test"] {
            assert!(text.contains(words) && html.contains(words), "{words}: {text} {html}");
        }
    }

    #[test]
    fn names_stay_names() {
        let name = "<script>alert(1)</script>\"'&\n\nhttps://evil.test";
        let (text, html) = (letter(name).text("https://v.test"), letter(name).html("https://v.test"));
        assert!(!html.contains("<script") && html.contains("&lt;script&gt;") && html.contains("&#39;"), "{html}");
        assert!(html.contains("token=1&amp;x=&quot;2"), "{html}");
        assert!(!text.contains("\nhttps://evil.test"), "{text}");
    }
}
