//! The data of `cargo xtask up --demo`: made as a whole beside the data folder, and then put in its place. What was begun and not finished is thrown away.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};

use crate::console::step;
use crate::product::Product;

/// Who can sign in, and by which password; a folder that has it is that of a demo.
const ACCOUNTS: &str = "demo-accounts.txt";

/// Makes the demo where there is none yet.
pub fn require(product: &Product, clips: &Path) -> Result<()> {
    if product.data.join(ACCOUNTS).exists() {
        return Ok(());
    }
    let is_empty = fs::read_dir(&product.data)?.next().is_none();
    ensure!(is_empty, "the folder {} has something else than a demo: name another one with --data", product.data.display());
    let begun = begun(&product.data);
    if begun.exists() {
        fs::remove_dir_all(&begun).with_context(|| format!("{} is in the way", begun.display()))?;
    }
    let making = Product { data: begun.clone(), ..product.clone() };
    step("Making a month of demo videos", || make(&making, clips))?;
    // Onto an empty folder it is put in one move.
    fs::rename(&begun, &product.data).with_context(|| format!("{} cannot be put into its place", begun.display()))
}

/// What a demo says of its accounts; `None`: these data are no demo.
pub fn accounts(product: &Product) -> Option<String> {
    fs::read_to_string(product.data.join(ACCOUNTS)).ok()
}

fn begun(data: &Path) -> PathBuf {
    let mut name = data.file_name().unwrap_or_default().to_owned();
    name.push(".begun");
    data.with_file_name(name)
}

fn make(making: &Product, clips: &Path) -> Result<()> {
    let told = making.demo(clips).stdout(Stdio::piped()).stderr(Stdio::inherit()).output().context("the demo cannot be made")?;
    ensure!(told.status.success(), "the demo was not made; why stands above");
    fs::write(making.data.join(ACCOUNTS), told.stdout).context("the accounts of the demo cannot be written down")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A server that is a shell script, given the data folder as the last argument.
    fn product(folder: &Path, program: &str) -> Product {
        let file = folder.join("reelmill");
        fs::write(&file, format!("#!/bin/sh\nfor data; do :; done\nmkdir -p \"$data\"\n{program}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let data = folder.join("data");
        fs::create_dir_all(&data).unwrap();
        let place = folder.to_path_buf();
        Product {
            binaries: place.clone(),
            data,
            site: place.clone(),
            models: place,
            database_url: None,
            port: 0,
            twin_port: None,
            provider: None,
        }
    }

    #[test]
    fn a_demo_that_was_not_finished_is_made_anew_and_one_that_is_there_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let failing = product(folder.path(), "echo half > \"$data/reelmill.db\"; exit 1");
        let error = require(&failing, folder.path()).unwrap_err();
        assert!(error.to_string().contains("was not made"), "{error}");
        assert!(accounts(&failing).is_none() && fs::read_dir(&failing.data).unwrap().next().is_none());
        let good =
            product(folder.path(), "test ! -e \"$data/reelmill.db\" || exit 1; echo whole > \"$data/reelmill.db\"; echo ada@example.com");
        require(&good, folder.path()).unwrap();
        assert_eq!(accounts(&good).as_deref(), Some("ada@example.com\n"));
        assert_eq!(fs::read_to_string(good.data.join("reelmill.db")).unwrap(), "whole\n");
        require(&product(folder.path(), "exit 1"), folder.path()).unwrap();
    }

    #[test]
    fn a_folder_with_other_data_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let product = product(folder.path(), "echo ada@example.com");
        fs::write(product.data.join("reelmill.db"), "mine").unwrap();
        let error = require(&product, folder.path()).unwrap_err();
        assert!(error.to_string().contains("something else than a demo"), "{error}");
        assert_eq!(fs::read_to_string(product.data.join("reelmill.db")).unwrap(), "mine");
    }
}
