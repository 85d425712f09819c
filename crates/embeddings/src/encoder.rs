//! Texts to vectors: the tokens, the padding and the encoder.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use candle_core::{Device, Tensor};
use sha2::{Digest, Sha256};
use tokenizers::{Encoding, Tokenizer, TruncationParams};

use crate::bert::{Bert, Config};

const WEIGHTS: &str = "model.safetensors";
/// Texts that are embedded at once.
const BATCH: usize = 64;
/// Of a text: more are not read.
const TOKENS_MAX: usize = 64;

/// Why there are no embeddings.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddingError {
    #[error("the file {path} cannot be read")]
    Unreadable {
        path: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("the file {path} is not one of a BERT")]
    Malformed {
        path: PathBuf,
        #[source]
        cause: serde_json::Error,
    },
    #[error("the text cannot be cut into tokens")]
    Tokens(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the encoder cannot be computed")]
    Compute(#[from] candle_core::Error),
}

/// A model that was read, ready for use.
pub struct Encoder {
    tokenizer: Tokenizer,
    bert: Bert,
    folder: PathBuf,
}

impl Encoder {
    /// Reads the model in `folder`.
    ///
    /// # Errors
    /// [`EmbeddingError`] names the file that is wrong.
    pub fn open(folder: &Path) -> Result<Self, EmbeddingError> {
        let read = |path: PathBuf| match fs::read(&path) {
            Ok(bytes) => Ok((path, bytes)),
            Err(cause) => Err(EmbeddingError::Unreadable { path, cause }),
        };
        let (path, config) = read(folder.join("config.json"))?;
        let config: Config = serde_json::from_slice(&config).map_err(|cause| EmbeddingError::Malformed { path, cause })?;
        let (_, tokenizer) = read(folder.join("tokenizer.json"))?;
        let mut tokenizer = Tokenizer::from_bytes(tokenizer).map_err(EmbeddingError::Tokens)?;
        let most = TOKENS_MAX.min(config.max_position_embeddings);
        let truncation = TruncationParams { max_length: most, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(EmbeddingError::Tokens)?;
        // The file pads every text to 128 tokens.
        tokenizer.with_padding(None);
        let (_, weights) = read(folder.join(WEIGHTS))?;
        let weights = candle_core::safetensors::load_buffer(&weights, &Device::Cpu)?;
        Ok(Self { tokenizer, bert: Bert::new(&config, &weights)?, folder: folder.to_owned() })
    }

    /// `[n, d]`, f32: one vector of length 1 for each text.
    ///
    /// # Errors
    /// [`EmbeddingError`] when a text cannot be read or computed.
    pub fn embed(&self, texts: &[&str]) -> Result<Tensor, EmbeddingError> {
        let batches = texts.chunks(BATCH).map(|texts| self.embed_batch(texts)).collect::<Result<Vec<_>, _>>()?;
        Ok(Tensor::cat(&batches, 0)?)
    }

    fn embed_batch(&self, texts: &[&str]) -> Result<Tensor, EmbeddingError> {
        let read = texts.iter().map(|text| self.tokens(text)).collect::<Result<Vec<_>, _>>()?;
        let longest = read.iter().map(|tokens| tokens.get_ids().len()).max().unwrap_or(0);
        let (mut ids, mut mask) = (Vec::new(), Vec::new());
        for tokens in &read {
            let (tokens, padding) = (tokens.get_ids(), longest - tokens.get_ids().len());
            ids.extend(tokens.iter().copied().chain((0..padding).map(|_| 0)));
            mask.extend(tokens.iter().map(|_| 1.0_f32).chain((0..padding).map(|_| 0.0)));
        }
        let shape = (texts.len(), longest);
        Ok(self.bert.embed(&Tensor::from_vec(ids, shape, &Device::Cpu)?, &Tensor::from_vec(mask, shape, &Device::Cpu)?)?)
    }

    fn tokens(&self, text: &str) -> Result<Encoding, EmbeddingError> {
        self.tokenizer.encode(text, true).map_err(EmbeddingError::Tokens)
    }

    /// The tokens of its words, without the two at the ends; of words that are not in the vocabulary as a whole, if `parts_only`.
    pub(crate) fn word_tokens(&self, text: &str, parts_only: bool) -> Result<Vec<u32>, EmbeddingError> {
        let tokens = self.tokens(text)?;
        let words = tokens.get_word_ids();
        let is_part = |word: &Option<u32>| words.iter().filter(|other| *other == word).count() > 1;
        let wanted = tokens.get_ids().iter().zip(words).filter(|(_, word)| word.is_some() && (!parts_only || is_part(word)));
        Ok(wanted.map(|(token, _)| *token).collect())
    }

    /// A file beside the model for what it makes of `texts`; another one when the model or a text changes.
    pub(crate) fn file_of(&self, texts: &[String]) -> PathBuf {
        let weights = fs::metadata(self.folder.join(WEIGHTS)).ok();
        let since = weights.as_ref().and_then(|weights| weights.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let mut hash = Sha256::new();
        hash.update(weights.map_or(0, |weights| weights.len()).to_le_bytes());
        hash.update(since.map_or(0, |since| since.as_nanos()).to_le_bytes());
        texts.iter().for_each(|text| hash.update([text.as_bytes(), b"\n"].concat()));
        let digest = hex::encode(hash.finalize());
        self.folder.join(format!("names-{}.safetensors", digest.get(..16).unwrap_or_default()))
    }
}
