//! The network by itself, for who measures it: a layout for any brief, without words before it or drawings after it.

use std::path::Path;

use candle_core::{Device, Tensor};
use flipbook::layout::conditions;
use flipbook::scene::{Brief, Layout, WIDTH};

use super::config::Config;
use super::denoiser::{Denoiser, Described};
use crate::error::Result;
use crate::guidance::guide;
use crate::loading::{LoadError, Memory, Source, Weights};
use crate::noise;

/// A model of the family with its own number of steps and guidance, on a CPU.
pub struct Arranger {
    denoiser: Denoiser,
    steps: usize,
    guidance: f64,
}

/// A layout on its way from noise.
pub struct Arranging {
    described: Described,
    /// `[1, t, 12]` in units of the data's deviation.
    tokens: Tensor,
    taken: usize,
}

impl Arranger {
    /// # Errors
    /// [`LoadError`] when the folder holds no such model.
    pub fn open(folder: &Path) -> std::result::Result<Self, LoadError> {
        let (device, memory) = (Device::Cpu, Memory::new(None));
        let source = Source { folder, device: &device, memory: &memory };
        let config: Config = source.json("model_index.json")?;
        let spec = config.spec()?;
        let denoiser = Denoiser::load(&config, &Weights::open(&folder.join("transformer/diffusion_pytorch_model.safetensors"), &device)?)?;
        Ok(Self { denoiser, steps: spec.steps, guidance: spec.guidance })
    }

    /// From noise to data.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// # Errors
    /// [`crate::Error::Compute`], as the next two.
    pub fn start(&self, brief: &Brief, seed: u64) -> Result<Arranging> {
        let conditions = conditions(brief);
        let shape = (1, conditions.tokens, WIDTH);
        let tokens = Tensor::from_vec(noise::normals(seed, conditions.tokens * WIDTH), shape, &Device::Cpu)?;
        Ok(Arranging { described: self.denoiser.describe(&conditions, true)?, tokens, taken: 0 })
    }

    /// One Euler step on an even grid, as [`crate::Family::step`] takes it.
    pub fn step(&self, arranging: &mut Arranging) -> Result<()> {
        let time = |taken: usize| (self.steps - taken) as f64 / self.steps as f64;
        let (from, to) = (time(arranging.taken), time(arranging.taken + 1));
        let branches = self.denoiser.velocity(&arranging.tokens, from, &arranging.described)?;
        let velocity = guide(&branches.narrow(0, 0, 1)?, &branches.narrow(0, 1, 1)?, self.guidance)?;
        arranging.tokens = (&arranging.tokens + (velocity * (to - from))?)?;
        arranging.taken += 1;
        Ok(())
    }

    /// The layout that a seed gives a brief, not settled.
    pub fn layout(&self, brief: &Brief, seed: u64) -> Result<Layout> {
        let mut arranging = self.start(brief, seed)?;
        for _ in 0..self.steps {
            self.step(&mut arranging)?;
        }
        Ok(Layout::of_rows(&self.denoiser.rows(&arranging.tokens)?))
    }
}

#[cfg(test)]
mod tests {
    use flipbook::layout::brief;
    use flipbook::scene::SLOTS;
    use flipbook::words::understand;

    use super::*;
    use crate::latents::{self, LATENTS};
    use crate::request::Request;

    #[test]
    fn a_brief_is_arranged_as_the_family_arranges_it() {
        let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("weights/flipbook-1");
        let family = crate::open(&Source { folder: &folder, device: &Device::Cpu, memory: &Memory::new(None) }).unwrap();
        let request = Request::new(family.spec(), "a cat beside two dogs", 7);
        let mut sample = family.start(&request).unwrap();
        while !sample.is_done() {
            family.step(&mut [&mut sample]).unwrap();
        }
        let stored = latents::read(&family.spec().id, &family.latents(&sample).unwrap()).unwrap();
        let values: Vec<f32> = stored.shaped(LATENTS, &[1, 1, 1 + SLOTS, WIDTH]).unwrap().flatten_all().unwrap().to_vec1().unwrap();
        let (aspect, seconds) = (960.0 / 540.0, request.frames as f32 / family.spec().fps as f32);
        let brief = brief(&understand(&request.prompt).story.shots[0], aspect, seconds);
        let layout = Arranger::open(&folder).unwrap().layout(&brief, request.seed).unwrap();
        assert_eq!(layout.objects.len(), 3);
        assert_eq!(Layout::of_rows(&values.as_chunks().0[..4]), layout);
    }
}
