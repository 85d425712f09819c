//! A batch of 50,000 lines, in which server and worker are killed twenty times each; see `torture/batches.rs`.

use anyhow::Result;

use super::Choice;
use crate::project::Project;
use crate::torture;
pub use crate::torture::batches::Options;

/// Whether every bar was reached on every database.
pub fn measure(project: &Project, options: &Options, choice: &Choice) -> Result<bool> {
    let mut reached = true;
    for database in choice.databases() {
        println!("On {}:\n", database.name());
        reached &= torture::batches(&choice.setting(project, database), *options)?.is_clean();
    }
    Ok(reached)
}
