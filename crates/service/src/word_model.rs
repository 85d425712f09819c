//! What unknown words of a prompt are taken for, where a language model is there to tell: a guess, never understood.
//!
//! Names stand in the place of such words in what is read and drawn, so workers need no such model. A prompt does not wait for
//! long: where the answer comes late the words stay unknown, and the next prompt finds it.

use crate::{Services, expansion::Expansion};
use domain::{Model, catalog::Understands};
pub use flipbook::words::replace::names;
use flipbook::words::replace::{replaced, unknown};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

/// For who is typing.
pub const WHILE_TYPED: Duration = Duration::from_millis(60);
/// For a prompt that is submitted.
pub const WHEN_SUBMITTED: Duration = Duration::from_secs(1);
/// Unknown words of one prompt that are looked up.
const WORDS_MAX: usize = 12;
/// Of one word, in bytes.
const BYTES_MAX: usize = 48;
/// Words whose answer is kept.
const KEPT_MAX: usize = 4096;
/// Behind the last letter of the Latin script.
const LATIN_END: char = '\u{250}';

/// Knows what words mean.
pub trait WordModel: Send + Sync {
    /// For each of these words, in lower case, the name of what can be drawn that is nearest to it; `None` where none is near. It
    /// answers the same each time. Nothing where the model fails: it is asked again.
    fn nearest(&self, words: &[String]) -> Option<Vec<Option<String>>>;
}

/// The model, once it is there, and what it said.
pub(crate) struct WordModels {
    model: OnceLock<Arc<dyn WordModel>>,
    said: Arc<Mutex<Said>>,
    /// One question at a time: it keeps the processor busy.
    turn: Arc<Semaphore>,
}

type Said = HashMap<String, Option<String>>;

impl Default for WordModels {
    fn default() -> Self {
        Self { model: OnceLock::new(), said: Arc::default(), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl Services {
    /// From now on unknown words are looked up. Of several models the first one stays.
    pub fn use_word_model(&self, model: Arc<dyn WordModel>) {
        // There is one already.
        let _ = self.word_models.model.set(model);
    }

    /// The prompt as `model` is to read it: with names for what it does not know, as far as they are found in this time.
    pub async fn guess(&self, model: &Model, prompt: Expansion, within: Duration) -> Expansion {
        let (Some(words), Understands::Scenes) = (self.word_models.model.get(), &model.understands) else { return prompt };
        let asked = looked_up(&prompt);
        if asked.is_empty() {
            return prompt;
        }
        let said = match self.word_models.ask(words, asked, within).await {
            Some(said) => said,
            None => return prompt,
        };
        let text = prompt.text.clone();
        // Each name is read with the whole of it.
        let replacing = spawn_blocking(move || replaced(&text, |word| said.get(&word.to_lowercase())?.as_deref()));
        match replacing.await {
            Ok(replaced) => prompt.with(replaced),
            Err(_) => prompt,
        }
    }
}

/// The words that nobody knows, in lower case.
fn looked_up(prompt: &Expansion) -> Vec<String> {
    let words = unknown(&prompt.text).into_iter().filter_map(|at| prompt.text.get(at));
    let words = words.filter(|word| word.len() <= BYTES_MAX && word.chars().all(|letter| letter < LATIN_END));
    let mut once = HashSet::new();
    words.map(str::to_lowercase).filter(|word| once.insert(word.clone())).take(WORDS_MAX).collect()
}

impl WordModels {
    /// `None` where not all of it is known in this time, or the model fails.
    async fn ask(&self, model: &Arc<dyn WordModel>, words: Vec<String>, within: Duration) -> Option<Said> {
        if !self.missing(&words).is_empty() {
            timeout(within, self.look_up(Arc::clone(model), &words)).await.ok()??;
        }
        let said = lock(&self.said);
        words.into_iter().map(|word| said.get(&word).cloned().map(|name| (word, name))).collect()
    }

    fn missing(&self, words: &[String]) -> Vec<String> {
        let said = lock(&self.said);
        words.iter().filter(|word| !said.contains_key(*word)).cloned().collect()
    }

    /// Once it has begun it ends, whether it is waited for or not.
    async fn look_up(&self, model: Arc<dyn WordModel>, words: &[String]) -> Option<()> {
        let turn = Arc::clone(&self.turn).acquire_owned().await.ok()?;
        // Whoever had the turn before may have asked for the same.
        let asked = words.to_vec();
        let words = self.missing(words);
        if words.is_empty() {
            return Some(());
        }
        let said = Arc::clone(&self.said);
        let looking = spawn_blocking(move || {
            let Some(names) = model.nearest(&words) else { return };
            let mut said = lock(&said);
            if said.len() + words.len() > KEPT_MAX {
                said.retain(|word, _| asked.contains(word));
            }
            said.extend(words.into_iter().zip(names));
            drop(turn);
        });
        looking.await.ok()
    }
}

fn lock(said: &Mutex<Said>) -> MutexGuard<'_, Said> {
    said.lock().unwrap_or_else(PoisonError::into_inner)
}
