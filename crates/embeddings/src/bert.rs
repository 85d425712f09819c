//! The encoder of BERT, in f32 on the processor.
//!
//! Source: Devlin et al. 2018 (arXiv:1810.04805), as Hugging Face's `BertModel` computes it. Shapes: b texts, l tokens, d channels,
//! h heads.

use std::collections::HashMap;

use candle_core::{D, Error, Result, Tensor};
use serde::Deserialize;

/// Added to the attention to padding.
const FAR_BELOW: f64 = -1e9;

/// The part of `config.json` that the encoder needs.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub layer_norm_eps: f64,
    pub max_position_embeddings: usize,
}

pub struct Bert {
    words: Tensor,
    positions: Tensor,
    /// Of the first segment; there is no second.
    segment: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: Norm,
    widen: Linear,
    narrow: Linear,
    norm: Norm,
}

/// `weight` is `[out, in]`, as PyTorch keeps it.
struct Linear {
    weight: Tensor,
    bias: Tensor,
}

struct Norm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f64,
}

impl Bert {
    pub fn new(config: &Config, weights: &HashMap<String, Tensor>) -> Result<Self> {
        let parts = Parts { weights, epsilon: config.layer_norm_eps };
        let layer = |number: usize| {
            let at = |part: &str| format!("encoder.layer.{number}.{part}");
            Ok(Layer {
                heads: config.num_attention_heads,
                query: parts.linear(&at("attention.self.query"))?,
                key: parts.linear(&at("attention.self.key"))?,
                value: parts.linear(&at("attention.self.value"))?,
                attended: parts.linear(&at("attention.output.dense"))?,
                attended_norm: parts.norm(&at("attention.output.LayerNorm"))?,
                widen: parts.linear(&at("intermediate.dense"))?,
                narrow: parts.linear(&at("output.dense"))?,
                norm: parts.norm(&at("output.LayerNorm"))?,
            })
        };
        Ok(Self {
            words: parts.tensor("embeddings.word_embeddings.weight")?,
            positions: parts.tensor("embeddings.position_embeddings.weight")?,
            segment: parts.tensor("embeddings.token_type_embeddings.weight")?.get(0)?,
            norm: parts.norm("embeddings.LayerNorm")?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
        })
    }

    /// The mean over the tokens of each text, of length 1.
    ///
    /// | argument | shape    | unit                                |
    /// |----------|----------|-------------------------------------|
    /// | `ids`    | `[b, l]` | numbers of tokens, u32              |
    /// | `mask`   | `[b, l]` | 1 of a token and 0 of padding, f32  |
    /// | answer   | `[b, d]` | f32                                 |
    pub fn embed(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (b, l) = ids.dims2()?;
        let words = self.words.index_select(&ids.flatten_all()?, 0)?.reshape((b, l, ()))?; // [b, l, d]
        let x = words.broadcast_add(&self.positions.narrow(0, 0, l)?)?.broadcast_add(&self.segment)?;
        let away = mask.affine(-FAR_BELOW, FAR_BELOW)?.reshape((b, 1, 1, l))?;
        let mut x = self.norm.forward(&x)?;
        for layer in &self.layers {
            x = layer.forward(&x, &away)?;
        }
        let weights = mask.unsqueeze(2)?; // [b, l, 1]
        let mean = x.broadcast_mul(&weights)?.sum(1)?.broadcast_div(&weights.sum(1)?)?; // [b, d]
        mean.broadcast_div(&mean.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?)
    }
}

impl Layer {
    /// `[b, l, d] -> [b, l, d]`; `away`, `[b, 1, 1, l]`, is added to what each token attends to.
    fn forward(&self, x: &Tensor, away: &Tensor) -> Result<Tensor> {
        let (b, l, d) = x.dims3()?;
        let split = |x: Tensor| x.reshape((b, l, self.heads, d / self.heads))?.transpose(1, 2)?.contiguous(); // [b, h, l, d / h]
        let (query, key, value) = (split(self.query.forward(x)?)?, split(self.key.forward(x)?)?, split(self.value.forward(x)?)?);
        let scale = ((d / self.heads) as f64).powf(-0.5);
        let scores = (query.matmul(&key.t()?)? * scale)?.broadcast_add(away)?; // [b, h, l, l]
        let shares = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
        let shares = shares.broadcast_div(&shares.sum_keepdim(D::Minus1)?)?;
        let attended = shares.matmul(&value)?.transpose(1, 2)?.reshape((b, l, d))?;
        let x = self.attended_norm.forward(&(self.attended.forward(&attended)? + x)?)?;
        self.norm.forward(&(self.narrow.forward(&self.widen.forward(&x)?.gelu_erf()?)? + &x)?)
    }
}

impl Linear {
    /// `[b, l, in] -> [b, l, out]`
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (b, l, channels) = x.dims3()?;
        x.reshape((b * l, channels))?.matmul(&self.weight.t()?)?.broadcast_add(&self.bias)?.reshape((b, l, ()))
    }
}

impl Norm {
    /// Over the last dimension.
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let x = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let variance = x.sqr()?.mean_keepdim(D::Minus1)?;
        x.broadcast_div(&(variance + self.epsilon)?.sqrt()?)?.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)
    }
}

struct Parts<'a> {
    weights: &'a HashMap<String, Tensor>,
    epsilon: f64,
}

impl Parts<'_> {
    fn tensor(&self, name: &str) -> Result<Tensor> {
        self.weights.get(name).cloned().ok_or_else(|| Error::Msg(format!("there is no tensor `{name}`")))
    }

    fn linear(&self, name: &str) -> Result<Linear> {
        Ok(Linear { weight: self.tensor(&format!("{name}.weight"))?, bias: self.tensor(&format!("{name}.bias"))? })
    }

    fn norm(&self, name: &str) -> Result<Norm> {
        let Linear { weight, bias } = self.linear(name)?;
        Ok(Norm { weight, bias, epsilon: self.epsilon })
    }
}
