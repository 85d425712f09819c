//! Writes a model of the family `tiny` into a folder that is named on the command line: for tests of the whole product.

use std::{env, fs, path::PathBuf};

fn main() -> anyhow::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or_else(|| anyhow::anyhow!("name the folder: tiny_model FOLDER/tiny-1"))?);
    let id = folder.file_name().and_then(|name| name.to_str()).ok_or_else(|| anyhow::anyhow!("the folder is called like the model"))?;
    fs::create_dir_all(&folder)?;
    diffusion::testing::write_tiny(&folder, id);
    Ok(())
}
