//! The names with their vectors, which are computed once and kept in a file beside the model.

use std::{collections::HashMap, error::Error, path::Path};

use candle_core::{Device, Tensor};

use crate::{EmbeddingError, Encoder};

/// Of the angle between a word and a name; below it they mean different things. With all-MiniLM-L6-v2, chosen by trying 250 words:
/// docs/decisions/0025-unknown-words-are-guessed-by-their-meaning.md.
const COSINE_MIN: f32 = 0.56;
const VECTORS: &str = "vectors";

/// Names to which others are compared.
pub struct Nearest {
    encoder: Encoder,
    names: Vec<String>,
    /// `[n, d]`
    vectors: Tensor,
    /// Of each name.
    tokens: Vec<Vec<u32>>,
}

impl Nearest {
    /// Computes the vectors of `names`, which takes seconds, where no earlier call has left them in the file.
    ///
    /// # Errors
    /// [`EmbeddingError`] when that cannot be computed.
    pub fn new(encoder: Encoder, names: Vec<String>) -> Result<Self, EmbeddingError> {
        let file = encoder.file_of(&names);
        let vectors = match kept(&file, names.len()) {
            Some(vectors) => vectors,
            None => {
                let vectors = encoder.embed(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
                if let Err(error) = keep(&file, &vectors) {
                    tracing::warn!(error = &*error as &dyn Error, "{} cannot be written: it is computed at each start", file.display());
                }
                vectors
            }
        };
        let tokens = names.iter().map(|name| encoder.word_tokens(name, false)).collect::<Result<_, _>>()?;
        Ok(Self { encoder, names, vectors, tokens })
    }

    /// The name that is nearest to each of `texts`, with the cosine between them; `None` where none is near.
    ///
    /// # Errors
    /// [`EmbeddingError`] when that cannot be computed.
    pub fn nearest(&self, texts: &[&str]) -> Result<Vec<Option<(&str, f32)>>, EmbeddingError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let cosines: Vec<Vec<f32>> = self.encoder.embed(texts)?.matmul(&self.vectors.t()?)?.to_vec2()?;
        texts.iter().zip(cosines).map(|(text, cosines)| self.nearest_by(text, &cosines)).collect()
    }

    /// A rare word is read in parts, and looks like every name that has one of them: `poncho` like `pile of poo`. Such names are
    /// left out.
    fn nearest_by(&self, text: &str, cosines: &[f32]) -> Result<Option<(&str, f32)>, EmbeddingError> {
        let parts = self.encoder.word_tokens(text, true)?;
        let names = self.names.iter().zip(cosines).zip(&self.tokens);
        let apart = names.filter(|(_, tokens)| !tokens.iter().any(|token| parts.contains(token)));
        let nearest = apart.map(|((name, cosine), _)| (name.as_str(), *cosine)).max_by(|one, other| one.1.total_cmp(&other.1));
        Ok(nearest.filter(|(_, cosine)| *cosine >= COSINE_MIN))
    }
}

fn kept(file: &Path, names: usize) -> Option<Tensor> {
    let vectors = candle_core::safetensors::load(file, &Device::Cpu).ok()?.remove(VECTORS)?;
    (vectors.dims2().ok()?.0 == names).then_some(vectors)
}

/// As a whole or not at all.
fn keep(file: &Path, vectors: &Tensor) -> Result<(), Box<dyn Error>> {
    let folder = file.parent().ok_or("no folder")?;
    let written = tempfile::NamedTempFile::new_in(folder)?;
    candle_core::safetensors::save(&HashMap::from([(VECTORS, vectors.clone())]), written.path())?;
    written.persist(file)?;
    Ok(())
}
