//! Fields of files with comma-separated values.

/// A field that a spreadsheet takes for a formula gets a quote before it.
pub fn quoted(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_are_doubled_and_formulas_are_none() {
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
        for formula in ["=1", "+1", "-1", "@a", "\t=1", "\r=1"] {
            assert_eq!(quoted(formula), format!("\"'{formula}\""));
        }
    }
}
