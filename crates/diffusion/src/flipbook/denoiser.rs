//! The diffusion transformer that predicts the velocity of a shot's noisy scene tokens.
//!
//! Shapes: t tokens (the frame's, then one for each object), d width, h heads, n branches (1, or 2 under guidance: with
//! the brief, and without it).

use candle_core::{D, Result, Tensor};
use flipbook::codes::{Backdrop, Hour, Kind, Motion, Relation, Weather};
use flipbook::layout::Conditions;
use flipbook::scene::{SLOTS, WIDTH};

use super::config::Config;
use crate::kernels::{add_gated, norm, silu};
use crate::layers::Linear;
use crate::loading::{LoadError, Scope, Weights};

/// Added to the variance by the norms without weights.
const EPSILON: f32 = 1e-5;
/// Cosines, and as many sines, of the time.
const WAVES: usize = 32;
const TOKENS: usize = 1 + SLOTS;
/// Numbers that describe a token beside its codes.
const NUMBERS: usize = 6;
/// Relative sizes, from tiny to huge.
const SIZES: usize = 5;
/// Tables that have a row for none and one for each token.
const PLACES: usize = TOKENS + 1;
/// Ways in which tokens are linked: to the parent, to the child, to the frame.
const LINKS: usize = 3;

pub(super) struct Denoiser {
    words: Words,
    numbers: Linear,
    slot: Tensor,
    null: Tensor,
    mix: [Linear; 2],
    time: [Linear; 2],
    rows_in: Linear,
    blocks: Vec<Block>,
    last: Linear,
    rows_out: Linear,
    /// What a link adds to the attention, `[links][heads]`.
    links: Vec<Vec<f32>>,
    /// Mean and deviation of the data, `[2, 12]` each: the frame's token, an object's.
    mean: Tensor,
    deviation: Tensor,
    heads: usize,
}

/// The tables of the words of a scene, `[words, d]` each.
struct Words {
    frame: [Tensor; 4],
    object: [Tensor; 5],
}

struct Block {
    attention: Linear,
    out: Linear,
    up: Linear,
    down: Linear,
    modulation: Linear,
}

/// What the denoiser knows of a shot: computed once, valid for every step.
pub(super) struct Described {
    /// `[n, t, d]`.
    tokens: Tensor,
    /// `[n, h, t, t]`.
    bias: Tensor,
}

impl Denoiser {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        let &Config { dim: d, depth, heads, .. } = config;
        let table = |name: &str, rows: usize| weights.get(&format!("{name}.weight"), &[rows, d]);
        let words = Words {
            frame: [
                table("backdrop", Backdrop::ALL.len())?,
                table("weather", Weather::ALL.len())?,
                table("time_of_day", Hour::ALL.len())?,
                table("count", PLACES)?,
            ],
            object: [
                table("kind", Kind::ALL.len())?,
                table("motion", Motion::ALL.len())?,
                table("relation", Relation::ALL.len())?,
                table("parent", PLACES)?,
                table("size", SIZES)?,
            ],
        };
        let pair = |name: &str, inputs: usize| {
            Ok::<_, LoadError>([weights.linear(&format!("{name}.0"), inputs, d)?, weights.linear(&format!("{name}.2"), d, d)?])
        };
        Ok(Self {
            words,
            numbers: weights.linear("numbers", NUMBERS, d)?,
            slot: table("slot", TOKENS)?,
            null: weights.get("null", &[2, d])?,
            mix: pair("mix", d)?,
            time: pair("time", 2 * WAVES)?,
            rows_in: weights.linear("rows_in", WIDTH, d)?,
            blocks: (0..depth).map(|i| Block::load(&weights.at(&format!("blocks.{i}")), d)).collect::<std::result::Result<_, _>>()?,
            last: weights.linear("final", d, 2 * d)?,
            rows_out: weights.linear("rows_out", d, WIDTH)?,
            links: weights.get("heads", &[LINKS, heads])?.to_vec2()?,
            mean: weights.get("mean", &[2, WIDTH])?,
            deviation: weights.get("std", &[2, WIDTH])?,
            heads,
        })
    }

    /// The brief in the network's words; a second branch without it where there is guidance.
    pub fn describe(&self, conditions: &Conditions, guided: bool) -> Result<Described> {
        let t = conditions.tokens;
        let row = |table: &Tensor, code: u32| table.narrow(0, code as usize, 1); // [1, d]
        let sum = |tables: &[Tensor], codes: &[u32]| {
            let mut rows = tables.iter().zip(codes).map(|(table, code)| row(table, *code));
            let first = rows.next().unwrap_or_else(|| self.slot.narrow(0, 0, 1))?;
            rows.try_fold(first, |sum, row| sum + row?)
        };
        let frame = sum(&self.words.frame, &conditions.codes[0])?;
        let half = (&frame * 0.5)?;
        let objects = conditions.codes[1..t].iter().map(|codes| sum(&self.words.object, codes)? + &half);
        let said = Tensor::cat(&std::iter::once(Ok(frame)).chain(objects).collect::<Result<Vec<_>>>()?, 0)?; // [t, d]
        let numbers: Vec<f32> = conditions.numbers[..t].iter().flatten().copied().collect();
        let numbers = Tensor::from_vec(numbers, (1, t, NUMBERS), self.slot.device())?;
        let said = (said.unsqueeze(0)? + self.numbers.forward(&numbers)?)?; // [1, t, d]
        let unsaid = self.by_token(&self.null, t)?.unsqueeze(0)?;
        let branches = if guided { Tensor::cat(&[said, unsaid], 0)? } else { said }; // [n, t, d]
        let placed = branches.broadcast_add(&self.slot.narrow(0, 0, t)?)?;
        let [first, second] = &self.mix;
        let mixed = second.forward(&first.forward_silu(&silu(&placed)?)?)?;
        Ok(Described { tokens: (placed + mixed)?, bias: self.bias(conditions, guided)? })
    }

    /// Two rows `[2, c]`, the frame's and an object's, as one row for each of `t` tokens.
    fn by_token(&self, rows: &Tensor, t: usize) -> Result<Tensor> {
        let objects = rows.narrow(0, 1, 1)?.broadcast_as((t - 1, rows.dim(1)?))?;
        Tensor::cat(&[rows.narrow(0, 0, 1)?, objects.contiguous()?], 0)
    }

    /// `[n, h, t, t]`: who attends more to whom, as far as the brief says how they belong together.
    fn bias(&self, conditions: &Conditions, guided: bool) -> Result<Tensor> {
        let (t, h) = (conditions.tokens, self.heads);
        let branches = if guided { 2 } else { 1 };
        let mut bias = vec![0f32; branches * h * t * t];
        let mut link = |branch: usize, kind: usize, from: usize, to: usize| {
            for (head, weight) in self.links[kind].iter().enumerate() {
                bias[((branch * h + head) * t + from) * t + to] += weight;
            }
        };
        for object in 1..t {
            for branch in 0..branches {
                link(branch, 2, object, 0);
            }
            let parent = conditions.codes[object][3] as usize;
            if (1..t).contains(&parent) {
                link(0, 0, object, parent);
                link(0, 1, parent, object);
            }
        }
        Tensor::from_vec(bias, (branches, h, t, t), self.slot.device())
    }

    /// Velocity (noise - data) `[n, t, 12]` of noisy tokens `[1, t, 12]`, in units of the data's deviation.
    ///
    /// `time` lies in `[0, 1]`, 1 is pure noise.
    pub fn velocity(&self, tokens: &Tensor, time: f64, described: &Described) -> Result<Tensor> {
        let d = described.tokens.dim(2)?;
        let [first, second] = &self.time;
        let time = second.forward(&first.forward_silu(&waves(time, tokens)?)?)?; // [1, d]
        let frame = described.tokens.narrow(1, 0, 1)?.squeeze(1)?; // [n, d]
        let condition = silu(&frame.broadcast_add(&time)?)?;
        let mut x = self.rows_in.forward(tokens)?.broadcast_add(&described.tokens)?; // [n, t, d]
        for block in &self.blocks {
            x = block.forward(&x, &condition, &described.bias, self.heads)?;
        }
        let last = self.last.forward(&condition)?; // [n, 2 d]
        let (shift, gain) = (last.narrow(1, 0, d)?.contiguous()?, (last.narrow(1, d, d)? + 1.0)?.contiguous()?);
        self.rows_out.forward(&norm(&x, &gain, &shift, EPSILON)?)
    }

    /// Tokens `[1, t, 12]` from units of the deviation to those of a scene, a row for each token.
    pub fn rows(&self, tokens: &Tensor) -> Result<Vec<[f32; WIDTH]>> {
        let t = tokens.dim(1)?;
        let raw = tokens.squeeze(0)?.mul(&self.by_token(&self.deviation, t)?)?.add(&self.by_token(&self.mean, t)?)?;
        let values: Vec<f32> = raw.flatten_all()?.to_vec1()?;
        let (rows, _) = values.as_chunks::<WIDTH>();
        Ok(rows.to_vec())
    }
}

impl Denoiser {
    /// A number of an object's token in units of the data's deviation; the inverse of [`Self::rows`].
    pub fn scaled(&self, number: usize, value: f32) -> Result<f32> {
        let of = |table: &Tensor| table.get(1)?.get(number)?.to_scalar::<f32>();
        Ok((value - of(&self.mean)?) / of(&self.deviation)?)
    }
}

impl Block {
    fn load(weights: &Scope, d: usize) -> std::result::Result<Self, LoadError> {
        Ok(Self {
            attention: weights.linear("qkv", d, 3 * d)?,
            out: weights.linear("out", d, d)?,
            up: weights.linear("up", d, 4 * d)?,
            down: weights.linear("down", 4 * d, d)?,
            modulation: weights.linear("ada", d, 6 * d)?,
        })
    }

    /// `x` `[n, t, d]` under `condition` `[n, d]`, attending by `bias` `[n, h, t, t]`.
    fn forward(&self, x: &Tensor, condition: &Tensor, bias: &Tensor, heads: usize) -> Result<Tensor> {
        let (n, t, d) = x.dims3()?;
        let modulation = self.modulation.forward(condition)?; // [n, 6 d]
        let part = |i: usize| modulation.narrow(1, i * d, d)?.contiguous();
        let y = norm(x, &(part(1)? + 1.0)?, &part(0)?, EPSILON)?;
        let qkv = self.attention.forward(&y)?.reshape((n, t, 3, heads, d / heads))?.permute((2, 0, 3, 1, 4))?; // [3, n, h, t, d / h]
        let [q, k, v] = [0, 1, 2].map(|i| qkv.get(i).and_then(|part| part.contiguous()));
        let scores = (q?.matmul(&k?.t()?.contiguous()?)? / ((d / heads) as f64).sqrt())?;
        let weights = softmax(&(scores + bias)?)?; // [n, h, t, t]
        let attended = weights.matmul(&v?)?.transpose(1, 2)?.reshape((n, t, d))?;
        let x = add_gated(x, &part(2)?, &self.out.forward(&attended)?)?;
        let y = norm(&x, &(part(4)? + 1.0)?, &part(3)?, EPSILON)?;
        let y = self.down.forward(&self.up.forward(&y)?.gelu()?)?;
        add_gated(&x, &part(5)?, &y)
    }
}

/// Over the last dimension.
fn softmax(scores: &Tensor) -> Result<Tensor> {
    let powers = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
    powers.broadcast_div(&powers.sum_keepdim(D::Minus1)?)
}

/// `[1, 64]`: cosines, then sines, of 1000 t at 32 frequencies `10000^(-i / 32)`.
fn waves(time: f64, like: &Tensor) -> Result<Tensor> {
    let angle = |i: usize| 1000.0 * time as f32 * (-(10_000f32.ln()) * i as f32 / WAVES as f32).exp();
    let angles: Vec<f32> = (0..WAVES).map(angle).collect();
    let values: Vec<f32> = angles.iter().map(|angle| angle.cos()).chain(angles.iter().map(|angle| angle.sin())).collect();
    Tensor::from_vec(values, (1, 2 * WAVES), like.device())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use candle_core::Device;
    use serde::Deserialize;

    use super::*;
    use crate::guidance::guide;
    use crate::loading::json_of;

    #[derive(Deserialize)]
    struct Golden {
        steps: usize,
        guidance: f64,
        shots: Vec<GoldenShot>,
    }

    #[derive(Deserialize)]
    struct GoldenShot {
        codes: Vec<[u32; 5]>,
        numbers: Vec<[f32; 6]>,
        time: f64,
    }

    impl GoldenShot {
        fn conditions(&self) -> Conditions {
            let (mut codes, mut numbers) = ([[0; 5]; TOKENS], [[0.0; 6]; TOKENS]);
            codes[..self.codes.len()].copy_from_slice(&self.codes);
            numbers[..self.numbers.len()].copy_from_slice(&self.numbers);
            Conditions { codes, numbers, tokens: self.codes.len() }
        }
    }

    /// What `reference.py` beside the weights answers, in f32: another order of summation and nothing else.
    #[test]
    fn velocities_and_layouts_are_the_references() {
        let crate_folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap());
        let (weights, golden) = (crate_folder.join("weights/flipbook-1"), crate_folder.join("tests/golden"));
        let config: Config = json_of(&weights, "model_index.json").unwrap();
        let path = weights.join("transformer/diffusion_pytorch_model.safetensors");
        let denoiser = Denoiser::load(&config, &Weights::open(&path, &Device::Cpu).unwrap()).unwrap();
        let asked: Golden = json_of(&golden, "flipbook.json").unwrap();
        let answers = candle_core::safetensors::load(golden.join("flipbook.safetensors"), &Device::Cpu).unwrap();
        assert_eq!(asked.shots.len(), 6);
        for (i, shot) in asked.shots.iter().enumerate() {
            let described = denoiser.describe(&shot.conditions(), true).unwrap();
            let velocity = |tokens: &Tensor, time: f64| {
                let branches = denoiser.velocity(tokens, time, &described).unwrap();
                guide(&branches.narrow(0, 0, 1).unwrap(), &branches.narrow(0, 1, 1).unwrap(), asked.guidance).unwrap()
            };
            let distance = |found: &Tensor, name: &str| {
                let difference = (found - &answers[&format!("{name}.{i}")]).unwrap().abs().unwrap().flatten_all().unwrap();
                difference.max(0).unwrap().to_scalar::<f32>().unwrap()
            };
            let noise = &answers[&format!("noise.{i}")];
            assert!(distance(&velocity(noise, shot.time), "velocity") < 2e-5);
            let mut tokens = noise.clone();
            for step in 0..asked.steps {
                let time = |step: usize| (asked.steps - step) as f64 / asked.steps as f64;
                tokens = (&tokens + (velocity(&tokens, time(step)) * (time(step + 1) - time(step))).unwrap()).unwrap();
            }
            assert!(distance(&tokens, "tokens") < 1e-4);
        }
    }
}
