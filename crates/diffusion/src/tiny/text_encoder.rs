//! Prompts as sixteen tokens: each word hashed, places without a word padded.

use candle_core::{Result, Tensor};

use super::config::Config;
use crate::layers::Linear;
use crate::loading::{LoadError, Weights};

/// Tokens of every prompt.
pub(super) const LENGTH: usize = 16;
const VOCABULARY: usize = 64;
const PAD: u32 = 0;

pub(super) struct TextEncoder {
    tokens: Tensor,
    positions: Tensor,
    mix: Linear,
}

impl TextEncoder {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        let dim = config.text_dim;
        Ok(Self {
            tokens: weights.get("token_embedding", &[VOCABULARY, dim])?,
            positions: weights.get("position_embedding", &[LENGTH, dim])?,
            mix: weights.linear("mix", dim, dim)?,
        })
    }

    /// One vector a token, `[1, 16, e]`. The empty prompt is that of an unguided prediction.
    pub fn forward(&self, prompt: &str) -> Result<Tensor> {
        let ids = Tensor::new(ids(prompt), self.tokens.device())?;
        let tokens = (self.tokens.index_select(&ids, 0)? + &self.positions)?; // [16, e]
        self.mix.forward_silu(&tokens.unsqueeze(0)?)
    }
}

/// Words after the last place are dropped.
fn ids(prompt: &str) -> Vec<u32> {
    let words = prompt.split_whitespace().map(|word| 1 + hash(word) % (VOCABULARY as u32 - 1));
    words.chain(std::iter::repeat(PAD)).take(LENGTH).collect()
}

/// FNV-1a of the word's bytes.
fn hash(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_cut_and_padded_to_sixteen_words_of_the_vocabulary() {
        for prompt in ["", "sea", &"sea ".repeat(1000), "日本の海 🌊"] {
            let ids = ids(prompt);
            let words = prompt.split_whitespace().count().min(LENGTH);
            assert_eq!(ids.len(), LENGTH);
            assert!(ids[..words].iter().all(|id| (1..VOCABULARY as u32).contains(id)) && ids[words..].iter().all(|id| *id == PAD));
        }
    }
}
