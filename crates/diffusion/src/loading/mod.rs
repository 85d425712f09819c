//! Opening a folder of weights: its files, its parts, and how much of them stays in memory.
//!
//! The folder is laid out as diffusers lays a pipeline out: `model_index.json` names the family, and each part has a
//! folder of its own, a json beside its safetensors. Opening a model reads the json alone; a part's tensors are read when
//! the part is first used.

mod budget;
mod memory;
mod source;
mod weights;

pub(crate) use memory::Part;
pub use memory::{Memory, loading_on_this_thread};
pub use source::Source;
pub use weights::LoadError;
#[cfg(test)]
pub(crate) use weights::json as json_of;
pub(crate) use weights::{Scope, Weights, ensure};
