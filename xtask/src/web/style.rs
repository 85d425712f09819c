//! One style sheet from those that `style/main.css` imports, in its order.
//!
//! Comments are for us and are left out; white space costs nothing once it is compressed.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::files;

const MAIN: &str = "main.css";

/// The whole style sheet.
///
/// # Errors
/// When a file cannot be read, or is imported nowhere.
pub fn sheet(folder: &Path) -> Result<String> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read style/{name}"));
    let main = read(MAIN)?;
    let imported: Vec<_> = main.lines().filter_map(|line| line.strip_prefix("@import \"./")?.strip_suffix("\";")).collect();
    for file in files::list(folder)?.iter().filter_map(|file| file.to_str()) {
        ensure!(file == MAIN || imported.contains(&file), "style/{MAIN} does not import {file}");
    }
    imported.iter().map(|name| Ok(without_comments(&read(name)?) + "\n")).collect()
}

/// The text without `/* … */`, except where that stands in a quoted string.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, here) = rest.split_at(at);
        kept.push_str(before);
        let length = match here.as_bytes() {
            [b'/', b'*', ..] => {
                rest = here[2..].split_once("*/").map_or("", |(_, after)| after);
                continue;
            }
            [b'/', ..] => 1,
            _ => quoted(here),
        };
        kept.push_str(&here[..length]);
        rest = &here[length..];
    }
    kept + rest
}

/// The length of the quoted string that the text starts with.
fn quoted(text: &str) -> usize {
    let mut characters = text.char_indices();
    let Some((_, quote)) = characters.next() else { return 0 };
    while let Some((at, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if character == quote {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_follow_each_other_as_imported_and_none_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("main.css", "/* all */\n@import \"./page.css\";\n@import \"./base.css\";\n");
        write("base.css", "a {}");
        write("page.css", "p {}");
        assert_eq!(sheet(folder.path()).unwrap(), "p {}\na {}\n");
        write("late.css", "b {}");
        assert_eq!(sheet(folder.path()).unwrap_err().to_string(), "style/main.css does not import late.css");
    }

    #[test]
    fn comments_go_and_quoted_text_stays() {
        let text = "/* one */a::after{content:'/* \\' two */'}/* three";
        assert_eq!(without_comments(text), "a::after{content:'/* \\' two */'}");
        assert_eq!(without_comments("b{width:calc(1px / 2)}"), "b{width:calc(1px / 2)}");
    }
}
