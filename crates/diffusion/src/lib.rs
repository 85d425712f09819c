//! Diffusion in Rust: prompts in, clips and pictures out. Tensors, samplers, model families and media encoding.
//!
//! [`open`] reads a folder of weights as the [`Family`] that it names. A family turns a [`Request`] into a [`Sample`],
//! advances any set of samples by one step each, and decodes what comes out into a [`Clip`](media::Clip). The loop over
//! steps is the caller's, so that a request can join, report progress and leave between any two of them. The same seed
//! gives the same bits alone, in any batch and resumed from a checkpoint.

pub mod media;
pub mod noise;
pub mod vignette;

mod error;
mod family;
mod flipbook;
mod guidance;
mod kernels;
mod latents;
mod layers;
mod loading;
mod pictures;
mod registry;
mod replay;
mod request;
mod sample;
mod spec;
#[cfg(feature = "testing")]
pub mod testing;
mod threads;
mod tiny;

pub use ::flipbook::paint::Seen;
pub use error::{Bound, Error, LatentsError, Result};
pub use family::{Family, ShotLayout};
pub use loading::{LoadError, Memory, Source, loading_on_this_thread};
pub use registry::{family_name, open};
pub use request::{Pin, Request};
pub use sample::Sample;
pub use spec::{Size, Spec};
pub use threads::on_decoding_threads;
