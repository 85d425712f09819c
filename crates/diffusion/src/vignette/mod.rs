//! `vignette`: a small latent text-to-video diffusion transformer, loaded from a folder of weights.
//!
//! `reference.py` beside the weights is the definition of shapes, order and arithmetic; this module is its
//! port, held to it by golden tensors.

mod autoencoder;
mod decoder;
mod denoiser;
mod encoder;
mod layers;
mod sampler;
mod spec;
mod state;
mod text_encoder;
mod time_grid;
mod tokenizer;

use std::collections::HashMap;
use std::sync::Arc;

use candle_core::{DType, Device, Tensor};
use rayon::prelude::*;

use crate::error::{Bound, Result};
use crate::family::Family;
use crate::latents::{self, LATENTS, Taken};
use crate::loading::{LoadError, Part, Source, ensure};
use crate::media::{Clip, Frame};
use crate::noise;
use crate::pictures::pictures;
use crate::request::Request;
use crate::sample::{Sample, states};
use crate::spec::{Size, Spec};
use decoder::Decoder;
use denoiser::{Denoiser, Question};
use encoder::Encoder;
pub use sampler::Row;
use sampler::advance;
pub use state::Conditioning;
use state::State;
use text_encoder::TextEncoder;
use tokenizer::Tokenizer;

/// A model of the family, on one device, in f32.
pub struct Vignette {
    spec: Spec,
    /// How far the time grid leans towards the noise.
    shift: f64,
    /// One sample's latents without the batch, `[groups, channels, height, width]`.
    shape: [usize; 4],
    device: Device,
    tokenizer: Tokenizer,
    text_encoder: Part<TextEncoder>,
    denoiser: Part<Denoiser>,
    encoder: Part<Encoder>,
    decoder: Part<Decoder>,
    /// `raw = latents * scale + shift`, shift per channel `[1, 1, c, 1, 1]`.
    latent_scale: f64,
    latent_shift: Tensor,
}

/// Opens a model for the registry.
pub(crate) fn open(source: &Source) -> std::result::Result<Arc<dyn Family>, LoadError> {
    Ok(Arc::new(Vignette::open(source)?))
}

impl Vignette {
    /// Opens the model of a folder laid out as diffusers lays a pipeline out.
    ///
    /// # Errors
    /// A [`LoadError`] that names the file or setting that is missing or wrong.
    pub fn open(source: &Source) -> std::result::Result<Self, LoadError> {
        let text: text_encoder::Config = source.json("text_encoder/config.json")?;
        let net: denoiser::Config = source.json("transformer/config.json")?;
        let vae: autoencoder::Config = source.json("vae/config.json")?;
        let words: HashMap<String, u32> = source.json("tokenizer/vocab.json")?;
        ensure(words.values().all(|&id| (id as usize) < text.vocab_size), "a word's id lies beyond the vocabulary")?;
        ensure(net.text_dim == text.dim, "text encoder and denoiser differ in the width of text")?;
        vae.check()?;
        let (spec, shift) = spec::read(source, &net, &vae)?;
        Ok(Self {
            text_encoder: source.part("text_encoder/model.safetensors", &text, TextEncoder::load),
            denoiser: source.part("transformer/diffusion_pytorch_model.safetensors", &net, Denoiser::load),
            encoder: source.part("vae/encoder.safetensors", &vae, Encoder::load),
            decoder: source.part("vae/decoder.safetensors", &vae, Decoder::load),
            tokenizer: Tokenizer::new(words, text.length),
            shape: [net.groups, net.latent_channels, net.side, net.side],
            latent_scale: vae.latent_scale,
            latent_shift: Tensor::new(vae.latent_shift, source.device)?.reshape((1, 1, vae.channels, 1, 1))?,
            device: source.device.clone(),
            spec,
            shift,
        })
    }

    /// Loads every part now, to see whether all of them can be.
    ///
    /// # Errors
    /// A [`LoadError`] that names the file or tensor that is missing or wrong.
    pub fn load_all(&self) -> std::result::Result<(), LoadError> {
        self.text_encoder.get()?;
        self.denoiser.get()?;
        self.encoder.get()?;
        self.decoder.get()?;
        Ok(())
    }

    /// A prompt as the denoiser sees it: tokens `[1, l, d]` and their mean `[1, d]`.
    pub fn encode_prompt(&self, prompt: &str) -> Result<Conditioning> {
        Ok(self.text_encoder.get()?.forward(&self.tokenizer.encode(prompt))?)
    }

    /// The velocity of each row, `[1, g, c, s, s]`: on a CPU one row a core, elsewhere as one batch.
    /// On a CPU both give the same bits, since the kernels compute each sample by itself.
    pub fn velocities(&self, rows: &[Row]) -> Result<Vec<Tensor>> {
        let denoiser = self.denoiser.get()?;
        if self.device.is_cpu() {
            let each = rows.par_iter().map(|row| velocity(&denoiser, std::slice::from_ref(row)));
            return Ok(each.collect::<candle_core::Result<_>>()?);
        }
        Ok(velocity(&denoiser, rows)?.chunk(rows.len(), 0)?)
    }

    /// Latents `[1, g, c, s, s]` to frames `[1, t, 3, height, width]` in `[-1, 1]`. Fewer groups give fewer frames.
    pub fn decode_latents(&self, latents: &Tensor) -> Result<Tensor> {
        let raw = (latents * self.latent_scale)?.broadcast_add(&self.latent_shift)?;
        Ok(self.decoder.get()?.forward(&raw)?.clamp(-1f32, 1f32)?)
    }

    /// Frames `[1, t, 3, height, width]` in `[-1, 1]` to latents `[1, g, c, s, s]`.
    pub fn encode_frames(&self, frames: &Tensor) -> Result<Tensor> {
        Ok((self.encoder.get()?.forward(frames)?.broadcast_sub(&self.latent_shift)? / self.latent_scale)?)
    }

    /// A sample before its first step, from noise `[1, g, c, s, s]`.
    ///
    /// # Errors
    /// As [`Family::start`].
    pub fn start_from(&self, request: &Request, noise: Tensor) -> Result<Sample> {
        Ok(Sample::new(self.state(request, noise)?))
    }

    fn state(&self, request: &Request, noise: Tensor) -> Result<State> {
        self.check(request)?;
        let prompt = self.encode_prompt(&request.prompt)?;
        let null = if request.guidance == 1.0 { None } else { Some(self.null(request.negative_prompt.as_deref())?) };
        Ok(State::new(request, self.shift, noise, prompt, null))
    }

    /// The branch that guidance leads away from: the negative prompt, or the absence of one.
    fn null(&self, negative: Option<&str>) -> Result<Conditioning> {
        match negative {
            Some(negative) => self.encode_prompt(negative),
            None => Ok(self.text_encoder.get()?.forward(&self.tokenizer.null())?),
        }
    }

    /// Shape of one sample's latents, `[1, g, c, s, s]`.
    fn latents_shape(&self) -> [usize; 5] {
        let [g, c, h, w] = self.shape;
        [1, g, c, h, w]
    }
}

/// One evaluation of the denoiser for all rows, `[b, g, c, s, s]`.
fn velocity(denoiser: &Denoiser, rows: &[Row]) -> candle_core::Result<Tensor> {
    let cat = |part: fn(&Row) -> Tensor| Tensor::cat(&rows.iter().map(part).collect::<Vec<_>>(), 0);
    denoiser.velocity(&Question {
        latents: &cat(|row| row.latents.clone())?,
        times: &rows.iter().map(|row| row.time).collect::<Vec<_>>(),
        text: &cat(|row| row.prompt.tokens.clone())?,
        pooled: &cat(|row| row.prompt.pooled.clone())?,
    })
}

impl Family for Vignette {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The one size that it makes.
    fn size_for(&self, _shown: Size) -> Size {
        self.spec.size
    }

    fn check(&self, request: &Request) -> Result<()> {
        let Spec { size, frames, .. } = self.spec;
        Bound::Exactly(size.width).check("width", request.size.width)?;
        Bound::Exactly(size.height).check("height", request.size.height)?;
        Bound::Exactly(frames).check("frames", request.frames)?;
        request.check_unarranged()?;
        request.check_sampling()
    }

    fn start(&self, request: &Request) -> Result<Sample> {
        self.check(request)?;
        let noise = noise::normals(request.seed, self.shape.iter().product());
        self.start_from(request, Tensor::from_vec(noise, &self.latents_shape(), &self.device)?)
    }

    fn resume(&self, request: &Request, checkpoint: &[u8]) -> Result<Sample> {
        let stored = latents::read(&self.spec.id, checkpoint)?;
        stored.check_steps(request)?;
        let latents = stored.shaped(LATENTS, &self.latents_shape())?.to_device(&self.device)?;
        Ok(Sample::new(self.state(request, latents)?.at_step(stored.step)))
    }

    fn step(&self, batch: &mut [&mut Sample]) -> Result<()> {
        let mut states = states::<State>(batch)?;
        advance(&mut states, |rows| self.velocities(rows))
    }

    /// Decodes the middle group alone: its first frame is the one in the middle of the clip.
    fn preview(&self, sample: &Sample) -> Result<Option<Frame>> {
        let Some(predicted) = &sample.state::<State>()?.predicted else { return Ok(None) };
        let middle = predicted.narrow(1, self.shape[0] / 2, 1)?;
        Ok(pictures(&self.decode_latents(&middle)?)?.into_iter().next())
    }

    /// The latents are all that a sample needs to go on: an Euler step remembers nothing.
    fn checkpoint(&self, sample: &Sample) -> Result<Vec<u8>> {
        self.latents(sample)
    }

    fn latents(&self, sample: &Sample) -> Result<Vec<u8>> {
        let taken = Taken { step: sample.step_index(), steps: sample.steps() };
        Ok(latents::write(&self.spec.id, taken, &sample.state::<State>()?.latents, &[], None)?)
    }

    fn blank_latents(&self, request: &Request) -> Result<Vec<u8>> {
        self.check(request)?;
        let latents = Tensor::zeros(&self.latents_shape(), DType::F32, &Device::Cpu)?;
        Ok(latents::write(&self.spec.id, Taken { step: request.steps, steps: request.steps }, &latents, &[], None)?)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Clip> {
        let stored = latents::read(&self.spec.id, bytes)?;
        stored.check_finished()?;
        let latents = stored.shaped(LATENTS, &self.latents_shape())?.to_device(&self.device)?;
        Ok(Clip::new(pictures(&self.decode_latents(&latents)?)?, self.spec.fps)?)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::loading::Memory;

    #[test]
    fn one_batched_evaluation_gives_the_bits_of_separate_ones() {
        let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("weights/vignette-1");
        let model = Vignette::open(&Source { folder: &folder, device: &Device::Cpu, memory: &Memory::new(None) }).unwrap();
        let start = |(seed, prompt)| model.start(&Request::new(model.spec(), prompt, seed)).unwrap();
        let samples = [(1, "the sea at night"), (2, "a red ball"), (3, "")].map(start);
        fn row((sample, time): (&Sample, f64)) -> Row<'_> {
            let State { latents, prompt, .. } = sample.state::<State>().unwrap();
            Row { latents, time, prompt }
        }
        let rows: Vec<Row> = samples.iter().zip([1.0, 0.4, 0.01]).map(row).collect();

        let bits = |velocity: &Tensor| velocity.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        let together = velocity(&model.denoiser.get().unwrap(), &rows).unwrap();
        for (i, apart) in model.velocities(&rows).unwrap().iter().enumerate() {
            assert!(bits(&together.narrow(0, i, 1).unwrap()) == bits(apart), "row {i} differs");
        }
    }
}
