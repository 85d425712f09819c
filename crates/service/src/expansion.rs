//! What is added to a short prompt before a model gets it, for models that say which scenes they draw.

use domain::{JobSpec, Model, Seed, catalog::Understands};
use flipbook::words::expand::expanded;
use flipbook::words::replace::{Replaced, Replacement};
use std::ops::Range;

/// A prompt and what was added to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expansion {
    pub text: String,
    /// Bytes of `text` that were not typed, in order.
    pub added: Vec<Range<usize>>,
    /// Names in `text` that stand for words which were typed, in order.
    pub guesses: Vec<Guess>,
}

/// A name in place of a word that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// Bytes of the text.
    pub at: Range<usize>,
    pub typed: String,
}

impl Expansion {
    /// Nothing is added.
    #[must_use]
    pub fn none(prompt: &str) -> Self {
        Self { text: prompt.to_owned(), ..Self::default() }
    }

    /// The same with other words in the place of those that were typed.
    #[must_use]
    pub fn with(self, replaced: Replaced) -> Self {
        let shifted = |at: usize| {
            let before = replaced.replacements.iter().rfind(|replacement| replacement.typed.end <= at);
            before.map_or(at, |replacement| replacement.at.end + (at - replacement.typed.end))
        };
        let added = self.added.iter().map(|added| shifted(added.start)..shifted(added.end)).collect();
        let guess = |replacement: &Replacement| {
            let typed = self.text.get(replacement.typed.clone()).unwrap_or_default().to_owned();
            Guess { at: replacement.at.clone(), typed }
        };
        let guesses = replaced.replacements.iter().map(guess).collect();
        Self { text: replaced.text, added, guesses }
    }
}

/// Makes prompts richer. What was typed stands in the result, and the same seed makes the same of it.
pub trait Expander: Send + Sync {
    /// Adds nothing that `without` names.
    fn expand(&self, prompt: &str, without: &str, seed: Seed) -> Expansion;
}

/// The grammar over the words of scenes.
struct Grammar;

impl Expander for Grammar {
    fn expand(&self, prompt: &str, without: &str, seed: Seed) -> Expansion {
        let made = expanded(prompt, without, seed.value());
        Expansion { text: made.text, added: made.added, ..Expansion::default() }
    }
}

/// Who makes prompts richer for this model; `None`: nobody can.
#[must_use]
pub fn expander(model: &Model) -> Option<&'static dyn Expander> {
    match model.understands {
        Understands::Scenes => Some(&Grammar),
        Understands::Anything | Understands::Words { .. } => None,
    }
}

/// What `model` is to get for this job: the prompt made richer, where that was asked for.
#[must_use]
pub fn expand(model: &Model, spec: &JobSpec) -> Expansion {
    match expander(model).filter(|_| spec.expanded_prompt.is_some()) {
        Some(expander) => expander.expand(&spec.prompt, spec.negative_prompt.as_deref().unwrap_or_default(), spec.seed),
        None => Expansion::none(&spec.prompt),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Catalog, JobRequest, catalog::testing::video_model};

    #[test]
    fn what_can_be_enriched_has_an_expander_and_nothing_else() {
        let words = Understands::Words { known: vec!["ball".to_owned()], most: 24 };
        for understands in [Understands::Anything, words, Understands::Scenes] {
            let model = Model { understands, ..video_model() };
            assert_eq!(expander(&model).is_some(), model.can_be_enriched());
        }
    }

    #[test]
    fn the_seed_of_a_job_is_that_of_its_expansion_and_what_is_left_out_is_not_added() {
        let model = Model { understands: Understands::Scenes, ..video_model() };
        let catalog = Catalog::new(vec![model.clone()], [].into());
        let of = |seed: u64, enrich: &str| {
            let (without, enrich) = (Some("butterflies, birds, flowers".to_owned()), Some(enrich.to_owned()));
            let request = JobRequest { prompt: "a ball".into(), negative_prompt: without, enrich, ..JobRequest::default() };
            expand(&model, &request.parse(&catalog, Seed::new(seed).unwrap()).unwrap().0)
        };
        assert_eq!(of(3, "false"), Expansion::none("a ball"));
        assert_eq!(of(3, "true"), of(3, "true"));
        assert!((0..20).any(|seed| of(seed, "true") != of(3, "true")));
        assert!((0..20).all(|seed| of(seed, "true").added.len() > 1 && !of(seed, "true").text.contains("with")));
    }
}
