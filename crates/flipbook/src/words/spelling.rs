//! The everyday word that a misspelt one is nearest to.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::lexicon::english;

/// Shorter words are too near to each other.
const SHORTEST: usize = 5;

/// The one everyday English word within one edit (a letter more, less, changed, or two swapped); none when there are more.
/// A word that differs in its first letter counts as another word.
pub fn near(word: &str) -> Option<&'static str> {
    if word.len() < SHORTEST || word.len() > 24 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let index = index();
    let (head, tail) = (word.get(..2)?, word.get(word.len() - 2..)?);
    let same_start = index.heads.get(head).into_iter().flatten();
    let same_end = index.tails.get(tail).into_iter().flatten();
    let mut found: Option<&'static str> = None;
    for other in same_start.chain(same_end).filter(|other| other.as_bytes().first() == word.as_bytes().first() && is_near(word, other)) {
        match found {
            Some(known) if known != *other => return None,
            _ => found = Some(*other),
        }
    }
    found
}

struct Index {
    heads: HashMap<&'static str, Vec<&'static str>>,
    tails: HashMap<&'static str, Vec<&'static str>>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index = Index { heads: HashMap::new(), tails: HashMap::new() };
        for (word, _) in
            english().words().filter(|(word, _)| word.len() + 1 >= SHORTEST && word.bytes().all(|byte| byte.is_ascii_lowercase()))
        {
            if let (Some(head), Some(tail)) = (word.get(..2), word.get(word.len() - 2..)) {
                index.heads.entry(head).or_default().push(word);
                index.tails.entry(tail).or_default().push(word);
            }
        }
        index
    })
}

/// One edit apart, and no less.
fn is_near(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len().abs_diff(other.len()) > 1 || one == other {
        return false;
    }
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    match (one.get(same..).unwrap_or_default(), other.get(same..).unwrap_or_default()) {
        ([_, rest @ ..], tail) | (tail, [_, rest @ ..]) if rest == tail => true,
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([a, b, one @ ..], [c, d, other @ ..]) => a == d && b == c && one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_is_near_and_two_are_not() {
        assert!(is_near("elephnt", "elephant"));
        assert!(is_near("elephnat", "elephant"));
        assert!(is_near("elefhant", "elephant"));
        assert!(!is_near("elefant", "elephant"));
        assert!(!is_near("elephant", "elephant"));
    }
}
