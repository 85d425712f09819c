//! Multi-head attention with RMS-normed queries and keys, inside frames, with text appended.

use candle_core::{CpuStorage, CustomOp2, CustomOp3, D, Device, Layout, Result, Shape, Tensor};

use super::elementwise::exp;
use super::matmul::{Matrix, matmul};
use super::norm::sum;
use super::values;

const EPSILON: f32 = 1e-6;

/// Scaled dot-product attention of packed projections, each head normed, before the output projection.
///
/// | argument  | shape          |                                                               |
/// |-----------|----------------|---------------------------------------------------------------|
/// | `qkv`     | `[b, n, 3 d]`  | queries, keys, values; heads lie side by side in each         |
/// | `norms`   | `[2, d / h]`   | gains of the queries' and the keys' RMS norm                  |
/// | `text_kv` | `[b, l, 2 d]`  | more keys and values, seen by every frame                     |
/// | `heads`   |                | h                                                             |
/// | `frames`  |                | n is that many equal parts, each attending only to itself     |
/// | returns   | `[b, n, d]`    |                                                               |
pub(crate) fn attention(qkv: &Tensor, norms: &Tensor, text_kv: Option<&Tensor>, heads: usize, frames: usize) -> Result<Tensor> {
    let op = Attention { heads, frames };
    match (qkv.device(), text_kv) {
        (Device::Cpu, Some(text)) => qkv.apply_op3_no_bwd(norms, text, &op),
        (Device::Cpu, None) => qkv.apply_op2_no_bwd(norms, &op),
        _ => composed(qkv, norms, text_kv, heads, frames),
    }
}

fn composed(qkv: &Tensor, norms: &Tensor, text_kv: Option<&Tensor>, heads: usize, frames: usize) -> Result<Tensor> {
    let (b, n, d3) = qkv.dims3()?;
    let (d, per) = (d3 / 3, n / frames);
    let split = |packed: &Tensor, i: usize, rows: usize, tokens: usize| -> Result<Tensor> {
        packed.narrow(D::Minus1, i * d, d)?.reshape((rows, tokens, heads, d / heads))?.transpose(1, 2)?.contiguous()
    };
    let qkv = qkv.reshape((b * frames, per, d3))?;
    let q = split(&qkv, 0, b * frames, per)?; // [b frames, heads, per, d / heads]
    let (mut k, mut v) = (split(&qkv, 1, b * frames, per)?, split(&qkv, 2, b * frames, per)?);
    if let Some(text) = text_kv {
        let (_, l, d2) = text.dims3()?;
        let text = text.unsqueeze(1)?.repeat((1, frames, 1, 1))?.reshape((b * frames, l, d2))?;
        k = Tensor::cat(&[k, split(&text, 0, b * frames, l)?], 2)?;
        v = Tensor::cat(&[v, split(&text, 1, b * frames, l)?], 2)?;
    }
    let rms = |x: &Tensor, gain: Tensor| -> Result<Tensor> {
        let size = (x.sqr()?.mean_keepdim(D::Minus1)? + f64::from(EPSILON))?.sqrt()?;
        x.broadcast_div(&size)?.broadcast_mul(&gain)
    };
    let (q, k) = (rms(&q, norms.get(0)?)?, rms(&k, norms.get(1)?)?);
    let scores = (q.matmul(&k.t()?)? / ((d / heads) as f64).sqrt())?;
    let scores = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
    let weights = scores.broadcast_div(&scores.sum_keepdim(D::Minus1)?)?; // [b frames, heads, per, per + l]
    weights.matmul(&v)?.transpose(1, 2)?.reshape((b, n, d))
}

struct Attention {
    heads: usize,
    frames: usize,
}

/// One sample's inputs, and how they are cut into heads and frames.
struct One<'a> {
    qkv: &'a [f32],
    text: &'a [f32],
    q_gain: &'a [f32],
    k_gain: &'a [f32],
    width: usize,
    /// Tokens of one frame and of the text.
    tokens: usize,
    words: usize,
}

impl One<'_> {
    /// One frame's head: `out[token * width ..]` receives the head's columns.
    fn head(&self, frame: usize, head: usize, scratch: &mut Scratch, out: &mut [f32]) {
        let (d, size, keys) = (self.width, self.q_gain.len(), self.tokens + self.words);
        let own = |part: usize| {
            let rows = self.qkv[frame * self.tokens * 3 * d..].chunks_exact(3 * d).take(self.tokens);
            rows.map(move |row| &row[part * d + head * size..][..size])
        };
        let text = |part: usize| self.text.chunks_exact(2 * d).map(move |row| &row[part * d + head * size..][..size]);
        let scale = 1.0 / (size as f32).sqrt();

        let Scratch { q, k, v, scores } = scratch;
        q.clear();
        k.clear();
        v.clear();
        own(0).for_each(|x| push_normed(q, x, self.q_gain, scale));
        own(1).chain(text(0)).for_each(|x| push_normed(k, x, self.k_gain, 1.0));
        own(2).chain(text(1)).for_each(|x| v.extend_from_slice(x));
        scores.resize(self.tokens * keys, 0.0);
        let k = Matrix::new(k, keys, size).transposed();
        matmul(scores, keys, Matrix::new(q, self.tokens, size), k, false);
        scores.chunks_exact_mut(keys).for_each(softmax);
        matmul(out, d, Matrix::new(scores, self.tokens, keys), Matrix::new(v, keys, size), false);
    }
}

#[derive(Default)]
struct Scratch {
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    scores: Vec<f32>,
}

fn push_normed(to: &mut Vec<f32>, x: &[f32], gain: &[f32], scale: f32) {
    let scale = scale / (sum(x, |x| x * x) / x.len() as f32 + EPSILON).sqrt();
    to.extend(x.iter().zip(gain).map(|(x, gain)| x * scale * gain));
}

fn softmax(row: &mut [f32]) {
    let top = row.iter().fold(f32::NEG_INFINITY, |top, &x| if x > top { x } else { top });
    row.iter_mut().for_each(|x| *x = exp(*x - top));
    let scale = 1.0 / sum(row, |x| x);
    row.iter_mut().for_each(|x| *x *= scale);
}

impl Attention {
    fn forward(&self, qkv: &[f32], at: &Layout, norms: &[f32], text: &[f32]) -> Result<(CpuStorage, Shape)> {
        let (b, n, d3) = at.shape().dims3()?;
        let (d, size) = (d3 / 3, norms.len() / 2);
        if size * self.heads != d || !n.is_multiple_of(self.frames) || !text.len().is_multiple_of(2 * d * b) || qkv.is_empty() {
            candle_core::bail!("attention of {:?} in {} heads of {size}", at.dims(), self.heads)
        }
        let words = text.len() / (2 * d * b);
        let (q_gain, k_gain) = norms.split_at(size);
        let (mut scratch, mut y) = (Scratch::default(), vec![0f32; b * n * d]);
        for (sample, y) in y.chunks_exact_mut(n * d).enumerate() {
            let tokens = n / self.frames;
            let (qkv, text) = (&qkv[sample * n * d3..][..n * d3], &text[sample * words * 2 * d..][..words * 2 * d]);
            let one = One { qkv, text, q_gain, k_gain, width: d, tokens, words };
            for (frame, y) in y.chunks_exact_mut(tokens * d).enumerate() {
                for head in 0..self.heads {
                    one.head(frame, head, &mut scratch, &mut y[head * size..]);
                }
            }
        }
        Ok((CpuStorage::F32(y), Shape::from((b, n, d))))
    }
}

impl CustomOp2 for Attention {
    fn name(&self) -> &'static str {
        "attention"
    }

    fn cpu_fwd(&self, qkv: &CpuStorage, qkv_at: &Layout, norms: &CpuStorage, norms_at: &Layout) -> Result<(CpuStorage, Shape)> {
        self.forward(values(qkv, qkv_at)?, qkv_at, values(norms, norms_at)?, &[])
    }
}

impl CustomOp3 for Attention {
    fn name(&self) -> &'static str {
        "attention with text"
    }

    fn cpu_fwd(
        &self,
        qkv: &CpuStorage,
        qkv_at: &Layout,
        norms: &CpuStorage,
        norms_at: &Layout,
        text: &CpuStorage,
        text_at: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        self.forward(values(qkv, qkv_at)?, qkv_at, values(norms, norms_at)?, values(text, text_at)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::{distance, random};

    #[test]
    fn the_kernel_computes_what_candles_operations_compose() {
        let (qkv, norms, text) = (random(&[2, 12, 96], 1), random(&[2, 8], 2), random(&[2, 5, 64], 3));
        for (text, frames) in [(None, 1), (Some(&text), 1), (Some(&text), 3)] {
            let fast = attention(&qkv, &norms, text, 4, frames).unwrap();
            let slow = composed(&qkv, &norms, text, 4, frames).unwrap();
            assert_eq!(fast.dims(), [2, 12, 32]);
            assert!(distance(&fast, &slow) < 1e-5);
        }
    }
}
