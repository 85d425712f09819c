//! Opens models of the family `tiny`.

use std::sync::Arc;

use candle_core::Device;
use diffusion::{Family, LoadError, Memory, Source, testing::write_tiny};
use tempfile::TempDir;

/// A folder with a model in it.
pub fn folder(id: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_tiny(folder.path(), id);
    folder
}

/// Opens the model of a folder.
pub fn open(folder: &TempDir, memory: &Memory) -> Result<Arc<dyn Family>, LoadError> {
    diffusion::open(&Source { folder: folder.path(), device: &Device::Cpu, memory })
}
