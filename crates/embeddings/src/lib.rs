//! Which of many names is nearest in meaning to a word: sentence embeddings by a BERT of the shape of all-MiniLM-L6-v2.
//!
//! A folder has the files `config.json`, `tokenizer.json` and `model.safetensors` as the model was published.

mod bert;
mod encoder;
mod nearest;

pub use encoder::{EmbeddingError, Encoder};
pub use nearest::Nearest;
