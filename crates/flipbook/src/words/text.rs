//! Cleans a prompt and cuts it into tokens that know which bytes of it they are.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest quotation that is read as a caption, in characters.
const LONGEST_QUOTATION: usize = 120;

/// Words that lose their vowel before another one, as in `l'arbre`.
const ELIDED: &[&str] =
    &["l", "d", "j", "qu", "n", "c", "m", "t", "s", "dell", "nell", "sull", "all", "un", "dall", "quell", "lorsqu", "jusqu"];

/// Words of Chinese and Japanese that follow a number: of animals, people, long or flat things...
const COUNTERS: &str = "匹頭羽台本個枚隻冊杯輪軒機つ只个条头辆朵位名艘架棵张块颗";

/// Whether a word behind a number only counts what follows; in Chinese 人 is who is counted.
fn is_counter(c: char, after: Option<char>) -> bool {
    COUNTERS.contains(c) || c == '人' && after == Some('の')
}

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing: it is glued to the token before.
    None,
    Space,
    Comma,
    /// The end of a sentence.
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Word,
    /// A word with a possessive `'s`, which its key has no more.
    Possessive,
    /// One character of a script without spaces.
    Glyph,
    Emoji,
    /// Text in quotation marks, its key as it was typed.
    Quotation,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// As words are compared.
    pub key: String,
    /// Bytes of the prompt.
    pub at: Range<usize>,
    pub gap: Gap,
    pub shape: Shape,
}

/// How words are compared: compatibility forms and width folded, lower case, without accents of Latin, Greek and Cyrillic
/// letters and without the vowel marks of Arabic and Hebrew.
pub fn key(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase).nfkd() {
        match c {
            '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{640}' | '\u{591}'..='\u{5c7}' => {}
            _ if is_invisible(c) => {}
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ø' => plain.push('o'),
            'đ' | 'ð' => plain.push('d'),
            'ł' => plain.push('l'),
            'ı' => plain.push('i'),
            'ی' | 'ى' => plain.push('ي'),
            'ک' => plain.push('ك'),
            'ة' => plain.push('ه'),
            _ => plain.extend(c.to_lowercase()),
        }
    }
    plain.nfc().collect()
}

/// A line of words as a key: its tokens with spaces between them, but for scripts that have none. `_` is a space.
pub fn phrase_key(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return text.to_owned();
    }
    joined(&tokens(&text.replace('_', " ")))
}

/// Tokens as one key.
pub fn joined(tokens: &[Token]) -> String {
    let mut key = String::new();
    let mut last = None;
    for token in tokens {
        let glued = token.gap == Gap::None && token.shape == Shape::Glyph && last == Some(Shape::Glyph);
        if !glued && last.is_some() {
            key.push(' ');
        }
        key.push_str(&token.key);
        last = Some(token.shape);
    }
    key
}

/// Every letter and digit of the prompt is in exactly one token, in their order.
pub fn tokens(prompt: &str) -> Vec<Token> {
    let quoted = quotations(prompt);
    let mut cutter = Cutter { prompt, tokens: Vec::new(), gap: Gap::Space, word: None };
    let mut quoted = quoted.into_iter().peekable();
    let mut chars = prompt.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if let Some(span) = quoted.next_if(|span| span.at.start == start) {
            cutter.end_word();
            cutter.put(span.inner, span.at.clone(), Shape::Quotation);
            while chars.next_if(|(next, _)| *next < span.at.end).is_some() {}
            continue;
        }
        let mut end = start + c.len_utf8();
        let base = c.is_alphanumeric() || is_emoji(c) || is_combining_mark(c);
        while let Some((next, mark)) = chars.next_if(|(_, mark)| base && (is_combining_mark(*mark) || is_invisible(*mark))) {
            end = next + mark.len_utf8();
        }
        let after = chars.peek().map(|(_, next)| *next);
        cutter.take(c, start..end, after);
    }
    cutter.end_word();
    cutter.tokens
}

/// Of the longest word that loses its vowel before an apostrophe, with room for letters of several bytes.
const ELIDED_BYTES: usize = 24;
/// Of the longest emoji.
const EMOJI_BYTES: usize = 64;

struct Cutter<'a> {
    prompt: &'a str,
    tokens: Vec<Token>,
    gap: Gap,
    /// The word being read.
    word: Option<Range<usize>>,
}

impl Cutter<'_> {
    /// Takes a character with the marks that follow it.
    fn take(&mut self, c: char, at: Range<usize>, after: Option<char>) {
        if is_emoji(c) {
            self.emoji(c, at);
        } else if is_unspaced(c) {
            let is_number = self.word.as_ref().is_some_and(|word| self.text(word).bytes().all(|byte| byte.is_ascii_digit()));
            self.end_word();
            if let Some(number) = self.tokens.last_mut().filter(|_| is_number && is_counter(c, after)) {
                number.at.end = at.end;
                return;
            }
            let key = key(self.text(&at));
            self.put(key, at, Shape::Glyph);
        } else if c.is_alphanumeric() || is_combining_mark(c) {
            match &mut self.word {
                Some(word) => word.end = at.end,
                None => self.word = Some(at),
            }
        } else if is_apostrophe(c) && self.word.is_some() && after.is_some_and(char::is_alphanumeric) {
            let short = self.word.as_ref().filter(|word| word.len() <= ELIDED_BYTES);
            let elided = short.is_some_and(|word| ELIDED.contains(&key(self.text(word)).as_str()));
            if elided && !matches!(after, Some('s' | 't')) {
                self.end_word();
            } else if let Some(word) = &mut self.word {
                word.end = at.end;
            }
        } else if is_invisible(c) && self.word.is_some() {
            // It joins the letters around it.
        } else {
            self.end_word();
            if c == '&' {
                self.put("and".to_owned(), at, Shape::Word);
            }
            self.widen(match c {
                '.' if after.is_some_and(char::is_alphanumeric) => Gap::Space,
                '.' | '!' | '?' | '。' | '！' | '？' | '．' | '\n' | '؟' | '।' | '…' | '｡' => Gap::Stop,
                ',' | ';' | ':' | '(' | ')' | '[' | ']' | '—' | '–' | '、' | '，' | '；' | '：' | '،' | '؛' | '|' | '/' => {
                    Gap::Comma
                }
                _ => Gap::Space,
            });
        }
    }

    /// An emoji with its variation, skin tone and what is joined to it.
    fn emoji(&mut self, c: char, at: Range<usize>) {
        self.end_word();
        let tail = matches!(c, '\u{1f3fb}'..='\u{1f3ff}');
        let glued = self.gap == Gap::None;
        if let Some(last) = self.tokens.last_mut().filter(|last| last.shape == Shape::Emoji && last.at.end == at.start) {
            let joined = self.prompt.get(last.at.clone()).is_some_and(|text| text.ends_with('\u{200d}'));
            // Several persons are told one by one.
            let another = is_person(c) && last.key.starts_with(is_person);
            if glued && (joined && !another || tail) {
                last.at.end = at.end;
                // No emoji is longer; a chain that goes on keeps the key of its beginning.
                if last.at.len() <= EMOJI_BYTES {
                    last.key = emoji_key(self.prompt.get(last.at.clone()).unwrap_or_default());
                }
                return;
            }
        }
        let key = emoji_key(self.text(&at));
        self.put(key, at, Shape::Emoji);
    }

    fn end_word(&mut self) {
        let Some(at) = self.word.take() else { return };
        let mut key = key(self.text(&at));
        let mut shape = Shape::Word;
        for end in ["'s", "’s", "ʼs"] {
            if let Some(owner) = key.strip_suffix(end) {
                (key, shape) = (owner.to_owned(), Shape::Possessive);
                break;
            }
        }
        key.retain(|c| !is_apostrophe(c));
        self.put(key, at, shape);
    }

    fn put(&mut self, key: String, at: Range<usize>, shape: Shape) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        self.tokens.push(Token { key, at, gap, shape });
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    fn text(&self, at: &Range<usize>) -> &str {
        self.prompt.get(at.clone()).unwrap_or_default()
    }
}

/// An emoji as the atlas spells it, without variation and skin tone.
pub fn emoji_key(text: &str) -> String {
    let kept: String = text.chars().filter(|c| !matches!(c, '\u{fe0f}' | '\u{fe0e}' | '\u{1f3fb}'..='\u{1f3ff}')).collect();
    kept.trim_end_matches('\u{200d}').to_owned()
}

struct Quotation {
    inner: String,
    at: Range<usize>,
}

/// Text in quotation marks; none when all of the prompt is quoted.
fn quotations(prompt: &str) -> Vec<Quotation> {
    let mut found = Vec::new();
    let mut rest = 0;
    let mut before = ' ';
    for (start, open) in prompt.char_indices() {
        let closes: &[char] = match open {
            _ if start < rest => &[],
            '"' => &['"'],
            '“' => &['”', '“'],
            '„' => &['“', '”'],
            '«' => &['»'],
            '「' => &['」'],
            '『' => &['』'],
            '\'' | '‘' if !before.is_alphanumeric() => &['\'', '’'],
            _ => &[],
        };
        before = open;
        if closes.is_empty() {
            continue;
        }
        let inner = start + open.len_utf8();
        let single = matches!(open, '\'' | '‘');
        let tail = prompt.get(inner..).unwrap_or_default();
        let closing = tail.char_indices().take(LONGEST_QUOTATION).find(|(place, c)| {
            let next = tail.get(place + c.len_utf8()..).and_then(|after| after.chars().next());
            closes.contains(c) && !(single && next.is_some_and(char::is_alphanumeric))
        });
        let Some((length, close)) = closing else { continue };
        let text = tail.get(..length).unwrap_or_default();
        let at = start..inner + length + close.len_utf8();
        if !text.chars().any(char::is_alphanumeric) {
            continue;
        }
        rest = at.end;
        found.push(Quotation { inner: text.trim().to_owned(), at });
    }
    let inside: usize = found.iter().map(|quotation| quotation.at.len()).sum();
    if inside + 3 >= prompt.trim().len() { Vec::new() } else { found }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '‘' | '＇' | '׳')
}

/// Zero width: it is passed over.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{202a}'..='\u{202e}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e007f}')
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}')
}

fn is_person(c: char) -> bool {
    matches!(c, '👦' | '👧' | '👨' | '👩' | '👴' | '👵' | '👶' | '🧑' | '🧒' | '🧓')
}

/// Of a script that is written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}' | '\u{3005}'..='\u{3007}' | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        && c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(prompt: &str) -> Vec<String> {
        tokens(prompt).into_iter().map(|token| token.key).collect()
    }

    #[test]
    fn words_lose_accents_width_and_case() {
        assert_eq!(keys("Grün ＣＡＴ élan ŁÓDŹ"), ["grun", "cat", "elan", "lodz"]);
    }

    #[test]
    fn zero_width_marks_do_not_part_a_word() {
        assert_eq!(keys("c\u{200b}at\u{ad}s"), ["cats"]);
    }

    #[test]
    fn an_emoji_with_a_skin_tone_is_one_token() {
        assert_eq!(keys("👩🏽‍🚀 hi"), ["👩‍🚀", "hi"]);
    }

    #[test]
    fn two_emoji_are_two_tokens() {
        assert_eq!(keys("🐱🐶"), ["🐱", "🐶"]);
    }

    #[test]
    fn joined_persons_are_a_token_each() {
        assert_eq!(keys("👨‍👩‍👧🏽‍👦 hi"), ["👨", "👩", "👧", "👦", "hi"]);
    }

    #[test]
    fn quoted_text_is_one_token_unless_all_is_quoted() {
        assert_eq!(keys("a cat says \"hello world\""), ["a", "cat", "says", "hello world"]);
        assert_eq!(keys("\"a cat\""), ["a", "cat"]);
    }

    #[test]
    fn elided_articles_stand_alone_and_possessives_lose_their_end() {
        assert_eq!(keys("l'arbre dell'acqua"), ["l", "arbre", "dell", "acqua"]);
        assert_eq!(keys("the woman's cat"), ["the", "woman", "cat"]);
    }
}
