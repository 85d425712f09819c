//! `vignette`: a small latent text-to-video diffusion transformer, loaded from a folder of weights.
//!
//! `reference.py` beside the weights is the definition of shapes, order and arithmetic; this module is its
//! port, held to it by golden tensors.

mod autoencoder;
mod decoder;
mod denoiser;
mod encoder;
mod layers;
mod spec;
mod text_encoder;
mod tokenizer;
mod weights;

use std::collections::HashMap;
use std::path::Path;

use candle_core::{Device, Tensor};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::family::Family;
use crate::media::{Clip, Frame};
use crate::request::Request;
use crate::sample::{Conditioning, Sample};
use crate::sampler::{Row, advance};
use crate::spec::Spec;
use crate::{latents, noise};
use decoder::Decoder;
use denoiser::{Denoiser, Question};
use encoder::Encoder;
use text_encoder::TextEncoder;
use tokenizer::Tokenizer;
pub use weights::LoadError;
use weights::{Weights, ensure, json};

/// The loaded family: every part of it, on one device, in f32.
pub struct Vignette {
    spec: Spec,
    device: Device,
    tokenizer: Tokenizer,
    text_encoder: TextEncoder,
    denoiser: Denoiser,
    encoder: Encoder,
    decoder: Decoder,
    /// `raw = latents * scale + shift`, shift per channel `[1, 1, c, 1, 1]`.
    latent_scale: f64,
    latent_shift: Tensor,
    /// The empty prompt of classifier-free guidance.
    null: Conditioning,
}

impl Vignette {
    /// Loads the model from a folder laid out as diffusers lays a pipeline out.
    ///
    /// # Errors
    /// A [`LoadError`] that names the file, tensor or setting that is missing or wrong.
    pub fn load(folder: &Path, device: &Device) -> std::result::Result<Self, LoadError> {
        let text: text_encoder::Config = json(folder, "text_encoder/config.json")?;
        let net: denoiser::Config = json(folder, "transformer/config.json")?;
        let vae: autoencoder::Config = json(folder, "vae/config.json")?;
        let words: HashMap<String, u32> = json(folder, "tokenizer/vocab.json")?;
        ensure(words.values().all(|&id| (id as usize) < text.vocab_size), "a word's id lies beyond the vocabulary")?;
        ensure(net.text_dim == text.dim, "text encoder and denoiser differ in the width of text")?;
        let spec = spec::read(folder, &net, &vae)?;

        let open = |file: &str| Weights::open(folder, file, device);
        let text_encoder = TextEncoder::load(&text, &open("text_encoder/model.safetensors")?, device)?;
        let tokenizer = Tokenizer::new(words, text.length);
        Ok(Self {
            null: text_encoder.forward(&tokenizer.null())?,
            denoiser: Denoiser::load(&net, &open("transformer/diffusion_pytorch_model.safetensors")?)?,
            encoder: Encoder::load(&vae, &open("vae/encoder.safetensors")?)?,
            decoder: Decoder::load(&vae, &open("vae/decoder.safetensors")?)?,
            latent_scale: vae.latent_scale,
            latent_shift: Tensor::new(vae.latent_shift, device)?.reshape((1, 1, vae.channels, 1, 1))?,
            device: device.clone(),
            spec,
            tokenizer,
            text_encoder,
        })
    }

    /// A prompt as the denoiser sees it: tokens `[1, l, d]` and their mean `[1, d]`.
    pub fn encode_prompt(&self, prompt: &str) -> candle_core::Result<Conditioning> {
        self.text_encoder.forward(&self.tokenizer.encode(prompt))
    }

    /// The velocity of each row, `[1, g, c, s, s]`: on a CPU one row a core, elsewhere as one batch.
    /// On a CPU both give the same bits, since the kernels compute each sample by itself.
    pub fn velocities(&self, rows: &[Row]) -> candle_core::Result<Vec<Tensor>> {
        if self.device.is_cpu() {
            return rows.par_iter().map(|row| self.velocity(std::slice::from_ref(row))).collect();
        }
        self.velocity(rows)?.chunk(rows.len(), 0)
    }

    /// One evaluation of the denoiser for all rows, `[b, g, c, s, s]`.
    fn velocity(&self, rows: &[Row]) -> candle_core::Result<Tensor> {
        let cat = |part: fn(&Row) -> Tensor| Tensor::cat(&rows.iter().map(part).collect::<Vec<_>>(), 0);
        self.denoiser.velocity(&Question {
            latents: &cat(|row| row.latents.clone())?,
            times: &rows.iter().map(|row| row.time).collect::<Vec<_>>(),
            text: &cat(|row| row.prompt.tokens.clone())?,
            pooled: &cat(|row| row.prompt.pooled.clone())?,
        })
    }

    /// Latents `[1, g, c, s, s]` to frames `[1, t, 3, height, width]` in `[-1, 1]`. Fewer groups give fewer frames.
    pub fn decode_latents(&self, latents: &Tensor) -> candle_core::Result<Tensor> {
        let raw = (latents * self.latent_scale)?.broadcast_add(&self.latent_shift)?;
        self.decoder.forward(&raw)?.clamp(-1f32, 1f32)
    }

    /// Frames `[1, t, 3, height, width]` in `[-1, 1]` to latents `[1, g, c, s, s]`.
    pub fn encode_frames(&self, frames: &Tensor) -> candle_core::Result<Tensor> {
        self.encoder.forward(frames)?.broadcast_sub(&self.latent_shift)? / self.latent_scale
    }

    /// A sample before its first step, from noise `[1, g, c, s, s]`.
    pub fn start_from(&self, request: &Request, noise: Tensor) -> Result<Sample> {
        request.check()?;
        let null = match &request.negative_prompt {
            Some(negative) => self.encode_prompt(negative)?,
            None => self.null.clone(),
        };
        Ok(Sample::new(request, self.spec.shift, noise, self.encode_prompt(&request.prompt)?, || null))
    }

    /// Frames `[1, t, 3, height, width]` in `[-1, 1]` as pictures.
    fn pictures(&self, frames: &Tensor) -> candle_core::Result<Vec<Frame>> {
        let (_, t, _, height, width) = frames.dims5()?;
        let values: Vec<f32> = frames.permute((0, 1, 3, 4, 2))?.flatten_all()?.to_vec1()?; // [t, height, width, 3]
        if values.iter().any(|value| !value.is_finite()) {
            return Err(candle_core::Error::Msg("the pictures are no numbers: the sample has run away".into()));
        }
        let rgb: Vec<u8> = values.iter().map(|x| ((x + 1.0) * 127.5).round() as u8).collect();
        Ok(rgb.chunks_exact(rgb.len() / t).map(|rgb| Frame { width, height, rgb: rgb.to_vec() }).collect())
    }
}

impl Family for Vignette {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self, request: &Request) -> Result<Sample> {
        let [g, c, h, w] = self.spec.latents;
        let noise = noise::normals(request.seed, g * c * h * w);
        self.start_from(request, Tensor::from_vec(noise, (1, g, c, h, w), &self.device)?)
    }

    fn resume(&self, request: &Request, bytes: &[u8]) -> Result<Sample> {
        let stored = latents::read(&self.spec, bytes)?;
        if stored.steps != request.steps {
            return Err(Error::OtherSteps { stored: stored.steps, asked: request.steps });
        }
        let latents = stored.latents.to_device(&self.device)?;
        Ok(self.start_from(request, latents.clone())?.at_step(stored.step, latents))
    }

    fn step(&self, batch: &mut [&mut Sample]) -> Result<()> {
        advance(batch, |rows| self.velocities(rows))
    }

    /// Decodes the middle group alone: its first frame is the one in the middle of the clip.
    fn preview(&self, sample: &Sample) -> Result<Option<Frame>> {
        let Some(foreseen) = &sample.foreseen else { return Ok(None) };
        let middle = foreseen.narrow(1, self.spec.latents[0] / 2, 1)?;
        Ok(self.pictures(&self.decode_latents(&middle)?)?.into_iter().next())
    }

    fn latents(&self, sample: &Sample) -> Result<Vec<u8>> {
        Ok(latents::write(&self.spec, sample)?)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Clip> {
        let stored = latents::read(&self.spec, bytes)?;
        if stored.step < stored.steps {
            return Err(Error::Unfinished { step: stored.step, steps: stored.steps });
        }
        let frames = self.decode_latents(&stored.latents.to_device(&self.device)?)?;
        Ok(Clip { frames: self.pictures(&frames)?, fps: self.spec.fps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_batched_evaluation_gives_the_bits_of_separate_ones() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/vignette-1"));
        let model = Vignette::load(folder, &Device::Cpu).unwrap();
        let start = |(seed, prompt)| model.start(&Request::new(model.spec(), prompt, seed)).unwrap();
        let samples = [(1, "the sea at night"), (2, "a red ball"), (3, "")].map(start);
        fn row((sample, time): (&Sample, f64)) -> Row<'_> {
            Row { latents: sample.latents(), time, prompt: &sample.prompt }
        }
        let rows: Vec<Row> = samples.iter().zip([1.0, 0.4, 0.01]).map(row).collect();

        let bits = |velocity: &Tensor| velocity.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        let together = model.velocity(&rows).unwrap();
        for (i, apart) in model.velocities(&rows).unwrap().iter().enumerate() {
            assert!(bits(&together.narrow(0, i, 1).unwrap()) == bits(apart), "row {i} differs");
        }
    }
}
