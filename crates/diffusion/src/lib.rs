//! Diffusion in Rust: prompts in, clips out. Tensors, samplers, model families and media encoding.
//!
//! A [`Family`] turns a [`Request`] into a [`Sample`], advances any set of samples by one step each,
//! and decodes what comes out into a [`Clip`](media::Clip). The loop over steps is the caller's, so that
//! a request can join, report progress and leave between any two of them. The same seed gives the
//! same bits alone, in any batch and resumed from stored latents.

pub mod media;
pub mod noise;
pub mod sampler;
pub mod vignette;

mod error;
mod family;
mod kernels;
mod latents;
mod request;
mod sample;
mod spec;
mod time_grid;

pub use error::{Error, LatentsError, Result};
pub use family::Family;
pub use request::Request;
pub use sample::{Conditioning, Sample};
pub use spec::Spec;
pub use vignette::{LoadError, Vignette};
