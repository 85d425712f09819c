//! Writes a model of the family `replay` into a folder that is named on the command line, with the times in JSON behind it: for
//! benchmarks of the whole product.

use std::{env, fs, path::PathBuf};

use anyhow::Context;
use diffusion::testing::{ReplayTimes, write_replay};

fn main() -> anyhow::Result<()> {
    let usage = "name the folder and the times: replay_model FOLDER/replay-1 '{\"step_ms\": [12.5], \"decode_ms\": [80], \
                 \"reference\": {\"width\": 32, \"height\": 32, \"frames\": 9}, \"spread\": 0.1}'";
    let mut arguments = env::args().skip(1);
    let (folder, times) = arguments.next().zip(arguments.next()).context(usage)?;
    let (folder, times) = (PathBuf::from(folder), serde_json::from_str::<ReplayTimes>(&times).context(usage)?);
    let id = folder.file_name().and_then(|name| name.to_str()).context("the folder is called like the model")?;
    fs::create_dir_all(&folder)?;
    write_replay(&folder, id, &times);
    Ok(())
}
