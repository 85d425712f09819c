//! From the compiler's wasm to what a browser loads: JavaScript glue and a small wasm file.
//!
//! wasm-bindgen is used as a library, so its version always matches the one compiled in. The
//! result is kept under the fingerprint of its input: unchanged code is not bundled again.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use super::{Mode, OUTPUT, compress, files};
use crate::console::{kilobytes, step};
use crate::packages::npm;
use crate::process::command::run;
use crate::project::Project;

/// Each round finds what the one before has laid bare.
const ROUNDS: [&str; 3] = ["-Oz", "-Os", "-Os"];
/// What wasm-opt may use. Named one by one: with all features it writes encodings that browsers
/// of today refuse.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// A folder with the finished files.
pub struct Bundle {
    pub folder: PathBuf,
    pub fingerprint: String,
}

pub fn bundle(project: &Project, wasm: &Path, mode: Mode) -> Result<Bundle> {
    let code = fs::read(wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let program = |name| match mode {
        Mode::Dev => None,
        Mode::Release => npm::optional(project, name),
    };
    let (optimiser, minifier) = (program("wasm-opt"), program("esbuild"));
    let means = format!("{mode:?} {} {ROUNDS:?} {}", optimiser.is_some(), minifier.is_some());
    let fingerprint = files::fingerprint([&*code, means.as_bytes()]);
    let shelf = project.target.join("bundle").join(format!("{mode:?}").to_lowercase());
    let folder = shelf.join(&fingerprint);
    if !folder.exists() {
        step("Bundling the browser half", || make(wasm, &folder, mode, optimiser.as_deref(), minifier.as_deref()))?;
        forget_others(&shelf, &folder)?;
    }
    Ok(Bundle { folder, fingerprint })
}

fn make(wasm: &Path, folder: &Path, mode: Mode, optimiser: Option<&Path>, minifier: Option<&Path>) -> Result<()> {
    let draft = folder.with_extension("new");
    if draft.exists() {
        fs::remove_dir_all(&draft)?;
    }
    fs::create_dir_all(&draft)?;
    bind(wasm, &draft, mode)?;
    if mode == Mode::Release {
        shrink(&draft.join(format!("{OUTPUT}_bg.wasm")), optimiser)?;
        minify(&draft.join(format!("{OUTPUT}.js")), minifier)?;
        compress::folder(&draft)?;
    }
    files::replace(folder, &draft)
}

fn bind(wasm: &Path, folder: &Path, mode: Mode) -> Result<()> {
    let debug = mode == Mode::Dev;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name(OUTPUT).web(true)?.typescript(false);
    bindgen.debug(debug).keep_debug(debug);
    bindgen.remove_name_section(!debug).remove_producers_section(!debug);
    bindgen.generate(folder).context("cannot make the JavaScript glue")
}

fn shrink(wasm: &Path, optimiser: Option<&Path>) -> Result<()> {
    let Some(optimiser) = optimiser else {
        eprintln!("    npm is not here, so wasm-opt is left out; pages load a little slower");
        return Ok(());
    };
    let before = fs::metadata(wasm)?.len();
    run(Command::new(optimiser).args(ROUNDS).args(FEATURES).arg("-o").arg(wasm).arg(wasm))?;
    let after = fs::metadata(wasm)?.len();
    eprintln!("    wasm-opt: {} to {}", kilobytes(before), kilobytes(after));
    Ok(())
}

/// More than half of the glue are comments and long names.
fn minify(script: &Path, minifier: Option<&Path>) -> Result<()> {
    let Some(minifier) = minifier else { return Ok(()) };
    let mut output = OsString::from("--outfile=");
    output.push(script);
    run(Command::new(minifier).args(["--minify", "--allow-overwrite", "--log-level=warning"]).arg(output).arg(script))
}

fn forget_others(shelf: &Path, kept: &Path) -> Result<()> {
    for entry in fs::read_dir(shelf)? {
        let other = entry?.path();
        if other != kept {
            fs::remove_dir_all(other)?;
        }
    }
    Ok(())
}
