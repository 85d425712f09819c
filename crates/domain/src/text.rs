//! What people write for others to read.

/// A character that is not seen, or that changes the order in which the text around it is shown.
#[must_use]
pub fn is_hidden(sign: char) -> bool {
    sign.is_control() || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_a_name_around_is_hidden_and_the_letters_of_any_script_are_not() {
        assert!("a\u{202e}cba".chars().any(is_hidden) && "a\nb".chars().any(is_hidden));
        assert!(!"Émile — שלום 🎬 日本".chars().any(is_hidden));
    }
}
