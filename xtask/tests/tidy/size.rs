//! How big a file and a folder may grow before they are split.

use std::collections::BTreeMap;

use super::expect_none;
use super::source::RUST;

const LINES: usize = 400;
const FILES: usize = 15;

/// Files allowed to be longer for now, with the length they may not exceed. This list only
/// shrinks: split the file and remove its line.
const LONG_FILES: [(&str, usize); 0] = [];
/// Folders allowed to hold more files for now, in the same way.
const FULL_FOLDERS: [(&str, usize); 0] = [];

#[test]
fn files_are_short_enough_to_be_read_at_once() {
    let lengths = RUST.iter().map(|file| (&*file.path, file.text.lines().count())).collect();
    expect_none(judge(&lengths, LINES, &LONG_FILES, "lines; split it by what changes together"));
}

#[test]
fn folders_hold_a_handful_of_files() {
    let mut counts = BTreeMap::new();
    for file in RUST.iter() {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        *counts.entry(folder).or_default() += 1;
    }
    expect_none(judge(&counts, FILES, &FULL_FOLDERS, "Rust files; give those that belong together a folder"));
}

fn judge(found: &BTreeMap<&str, usize>, limit: usize, exceptions: &[(&str, usize)], instead: &str) -> Vec<String> {
    let allowed = |path: &str| exceptions.iter().find(|(name, _)| *name == path).map_or(limit, |(_, most)| *most);
    let too_big = found.iter().filter(|(path, size)| **size > allowed(path));
    let mut complaints: Vec<_> = too_big.map(|(path, size)| format!("{path}: {size} of at most {} {instead}", allowed(path))).collect();
    for (path, _) in exceptions {
        if found.get(path).is_none_or(|size| *size <= limit) {
            complaints.push(format!("{path}: needs no exception any more; remove its line here"));
        }
    }
    complaints
}
