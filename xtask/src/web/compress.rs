//! Compressed twins beside the files of the site, so that the server never compresses the same
//! bytes twice.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};

use super::files;

/// Kinds of file that are text or code; pictures and fonts are compressed by nature.
const COMPRESSIBLE: [&str; 8] = ["css", "html", "js", "json", "svg", "txt", "wasm", "xml"];
/// Below this the answer fits one packet anyway.
const WORTHWHILE: usize = 1000;

/// Makes the twins of every file in the folder that gains by it.
pub fn folder(folder: &Path) -> Result<()> {
    for file in files::list(folder)? {
        let kind = file.extension().unwrap_or_default().to_string_lossy();
        if COMPRESSIBLE.contains(&&*kind) {
            twins(&folder.join(&file))?;
        }
    }
    Ok(())
}

fn twins(file: &Path) -> Result<()> {
    let data = fs::read(file)?;
    if data.len() < WORTHWHILE {
        return Ok(());
    }
    fs::write(beside(file, "br"), brotli(&data)?)?;
    fs::write(beside(file, "gz"), gzip(&data)?)?;
    Ok(())
}

/// `reelmill.js` and `br` make `reelmill.js.br`.
pub fn beside(file: &Path, kind: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(kind);
    PathBuf::from(name)
}

fn brotli(mut data: &[u8]) -> Result<Vec<u8>> {
    let best = BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut data, &mut packed, &best)?;
    Ok(packed)
}

fn gzip(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_are_smaller_and_stand_beside_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("reelmill.css");
        fs::write(&file, "a { color: red }\n".repeat(200)).unwrap();
        super::folder(folder.path()).unwrap();
        for kind in ["br", "gz"] {
            assert!(fs::metadata(beside(&file, kind)).unwrap().len() < 200);
        }
    }

    #[test]
    fn pictures_and_tiny_files_have_no_twins() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("logo.png"), vec![0; 5000]).unwrap();
        fs::write(folder.path().join("tiny.css"), "a{}").unwrap();
        super::folder(folder.path()).unwrap();
        assert_eq!(files::list(folder.path()).unwrap().len(), 2);
    }
}
