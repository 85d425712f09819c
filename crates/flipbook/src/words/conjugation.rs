//! Verbs in forms that the word lists do not have: `conjugation` and `preverbs` in `data/grammar.txt` say what may be taken off.

use std::collections::HashMap;

use super::lexicon::{Lexicon, Part, Sense};

/// Letters of the shortest stem of a verb; other scripts need one less.
const SHORTEST_STEM: usize = 4;

impl Lexicon {
    /// Verbs of which only other forms are listed, by the longest stem.
    pub fn conjugated(&self, key: &str) -> impl Iterator<Item = &Sense> {
        let stems = self.stems.get_or_init(|| self.verb_stems());
        let known = self.stems_of(key).into_iter().filter(|stem| *stem != key).filter_map(|stem| Some((stem.len(), stems.get(stem)?)));
        let found = known.max_by_key(|(length, _)| *length).map(|(_, senses)| senses);
        found.into_iter().flatten().filter_map(|index| self.senses.get(*index as usize))
    }

    fn verb_stems(&self) -> HashMap<String, Vec<u32>> {
        let mut stems: HashMap<String, Vec<u32>> = HashMap::new();
        for (word, senses) in &self.words {
            let verbs = senses.iter().filter(|index| self.senses.get(**index as usize).is_some_and(|sense| sense.is(Part::Verb)));
            for (sense, stem) in verbs.flat_map(|sense| self.stems_of(word).into_iter().map(move |stem| (*sense, stem))) {
                let known = stems.entry(stem.to_owned()).or_default();
                if !known.contains(&sense) {
                    known.push(sense);
                }
            }
        }
        stems.values_mut().for_each(|senses| senses.sort_unstable());
        stems
    }

    /// What a word may be without what stands before a verb and behind it.
    fn stems_of<'a>(&self, word: &'a str) -> Vec<&'a str> {
        let least = if word.is_ascii() { SHORTEST_STEM } else { SHORTEST_STEM - 1 };
        let roots = std::iter::once(word).chain(self.preverbs.iter().filter_map(|before| word.strip_prefix(before.as_str())));
        let stems = roots.flat_map(|root| self.conjugation.iter().filter_map(move |end| root.strip_suffix(end.as_str())));
        stems.filter(|stem| stem.chars().count() >= least && !stem.contains(' ')).collect()
    }
}
