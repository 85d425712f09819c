//! Packs the data of this crate from the packages it is made of:
//!
//! ```sh
//! npm install --prefix PLACE @iconify-json/fluent-emoji-flat@1.2.6 emojibase-data@17.0.0 cldr-annotations-full@48.2.0
//! cargo run --release --example pack -- PLACE/node_modules
//! ```
//!
//! Same packages, same bytes. Run it again after a change of `data/traits.txt`, `examples/pack/own` or
//! `src/figures`, and once more where the names of drawings have changed: words are packed by the atlas of the last build.

mod sprites;
mod traits;
mod words;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

fn main() -> anyhow::Result<()> {
    let packages = PathBuf::from(std::env::args().nth(1).context("usage: pack PACKAGES_FOLDER")?);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = root.join("data");
    sprites::pack(&packages, &root.join("examples/pack/own"), &out)?;
    words::pack(&packages, &out)?;
    Ok(())
}

/// Writes `bytes` as brotli packs them best.
pub fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut packed = Vec::new();
    let mut brotli = brotli::CompressorWriter::new(&mut packed, 1 << 16, 11, 24);
    brotli.write_all(bytes)?;
    brotli.flush()?;
    drop(brotli);
    std::fs::write(file, &packed).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}: {} bytes of {}", file.display(), packed.len(), bytes.len());
    Ok(())
}
