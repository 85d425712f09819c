//! Words to numbers: lower case, a-z and 0-9 kept, everything else a space, at a fixed length.

use std::collections::HashMap;

const PAD: u32 = 0;
const UNKNOWN: u32 = 1;
const NULL: u32 = 2;

/// A vocabulary and the length that every prompt is brought to.
pub(super) struct Tokenizer {
    words: HashMap<String, u32>,
    length: usize,
}

impl Tokenizer {
    pub fn new(words: HashMap<String, u32>, length: usize) -> Self {
        Self { words, length }
    }

    /// `length` ids; words after the last place are dropped, places after the last word are padding.
    pub fn encode(&self, prompt: &str) -> Vec<u32> {
        let kept = |c: char| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { ' ' };
        let text: String = prompt.to_lowercase().chars().map(kept).collect();
        let ids = text.split_whitespace().map(|word| self.words.get(word).copied().unwrap_or(UNKNOWN));
        self.padded(ids)
    }

    /// The unconditional prompt of classifier-free guidance.
    pub fn null(&self) -> Vec<u32> {
        self.padded([NULL].into_iter())
    }

    fn padded(&self, ids: impl Iterator<Item = u32>) -> Vec<u32> {
        ids.chain(std::iter::repeat(PAD)).take(self.length).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer() -> Tokenizer {
        let words = ["red", "ball", "2"].into_iter().zip(3..).map(|(word, id)| (word.to_owned(), id));
        Tokenizer::new(words.collect(), 4)
    }

    #[test]
    fn case_and_punctuation_do_not_matter() {
        assert_eq!(tokenizer().encode("  RED,ball!"), [3, 4, 0, 0]);
        assert_eq!(tokenizer().encode("2-red"), [5, 3, 0, 0]);
    }

    #[test]
    fn an_unknown_word_keeps_its_place() {
        assert_eq!(tokenizer().encode("red zeppelin ball"), [3, 1, 4, 0]);
    }

    #[test]
    fn a_letter_with_an_accent_parts_a_word() {
        assert_eq!(tokenizer().encode("réd"), [1, 1, 0, 0]);
    }

    #[test]
    fn long_prompts_are_cut_and_empty_ones_are_padding() {
        assert_eq!(tokenizer().encode("red red red red ball"), [3; 4]);
        assert_eq!(tokenizer().encode(""), [0; 4]);
    }

    #[test]
    fn the_null_prompt_is_not_the_empty_one() {
        assert_eq!(tokenizer().null(), [2, 0, 0, 0]);
    }
}
