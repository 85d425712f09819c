//! How good the pictures of the model that draws are: rules over scenes that nobody trained on, and sheets for the eye of prompts
//! that nobody tuned on.

use anyhow::Result;

use super::example;
use crate::console::{kilobytes, step};
use crate::process::command::{run, run_and_read};
use crate::project::Project;

/// Each sheet with the shares of the clips that it shows, its columns and the width of a picture on it.
const SHEETS: [(&str, [&str; 6]); 2] = [
    ("quality-sheet.webp", ["--at", "0.5", "--columns", "8", "--width", "200"]),
    ("quality-motion.webp", ["--at", "0.1,0.5,0.9", "--columns", "12", "--width", "120"]),
];

/// Whether scenes keep as many rules as they should. The sheets take the place of those in `docs/images`.
pub fn measure(project: &Project) -> Result<bool> {
    let (status, _) = run_and_read(&mut example(project, "quality"))?;
    let prompts = project.root.join("crates/diffusion/examples/quality/prompts.txt");
    for (name, shown) in SHEETS {
        let out = project.root.join("docs/images").join(name);
        step(&format!("Drawing {name}"), || {
            let mut sheet = example(project, "sheet");
            sheet.arg(&prompts).arg("--out").arg(&out).args(shown);
            run(sheet.args(["--seed", "1", "--size", "640x360", "--seconds", "4", "--quality", "58"]).stdout(std::io::stderr()))
        })?;
        println!("\n`docs/images/{name}`: {}", kilobytes(std::fs::metadata(&out)?.len()));
    }
    Ok(status.success())
}
