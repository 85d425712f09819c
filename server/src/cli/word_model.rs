//! Unknown words of prompts are looked up among the names of what can be drawn, by a language model in a folder.

use anyhow::{Context, Result};
use embeddings::{EmbeddingError, Encoder, Nearest};
use service::{
    Services,
    word_model::{WordModel, names},
};
use std::{error::Error, path::Path, sync::Arc};
use tokio::task::spawn_blocking;

/// Reads the model in `folder`, if any. Words are looked up once the vectors of all names are there, which takes up to a minute
/// when they are computed for the first time.
///
/// # Errors
/// When the folder has no such model.
pub fn begin(services: &Services, folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let encoder = Encoder::open(folder).with_context(|| format!("the word model in {} cannot be used", folder.display()))?;
    let services = services.clone();
    spawn_blocking(move || match Nearest::new(encoder, names()) {
        Ok(nearest) => {
            services.use_word_model(Arc::new(Names(nearest)));
            tracing::info!("unknown words are looked up");
        }
        Err(error) => tracing::error!(error = &error as &dyn Error, "unknown words are not looked up"),
    });
    Ok(())
}

struct Names(Nearest);

impl WordModel for Names {
    fn nearest(&self, words: &[String]) -> Option<Vec<Option<String>>> {
        let failed = |error: &EmbeddingError| tracing::warn!(error = error as &dyn Error, "words could not be looked up");
        self.look_up(words).inspect_err(failed).ok()
    }
}

impl Names {
    /// Each by itself: the last digits of its vector, and so what is drawn, must not depend on what it is looked up with.
    fn look_up(&self, words: &[String]) -> Result<Vec<Option<String>>, EmbeddingError> {
        let one = |word: &String| {
            let nearest = self.0.nearest(&[word])?.pop().flatten();
            Ok(nearest.map(|(name, _)| name.to_owned()))
        };
        words.iter().map(one).collect()
    }
}
