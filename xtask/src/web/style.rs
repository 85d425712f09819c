//! One style sheet from the files of `style/`, in the order of their names.
//!
//! Comments are for us and are left out; white space costs nothing once it is compressed.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::files;

/// The whole style sheet.
pub fn sheet(folder: &Path) -> Result<String> {
    let mut sheet = String::new();
    for file in files::list(folder)?.iter().filter(|file| file.extension().is_some_and(|e| e == "css")) {
        let text = fs::read_to_string(folder.join(file)).with_context(|| format!("cannot read style/{}", file.display()))?;
        sheet.push_str(&without_comments(&text));
        sheet.push('\n');
    }
    Ok(sheet)
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
    fn files_follow_each_other_by_name() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("20-page.css"), "p {}").unwrap();
        fs::write(folder.path().join("10-base.css"), "a {}").unwrap();
        fs::write(folder.path().join("notes.md"), "no style").unwrap();
        assert_eq!(sheet(folder.path()).unwrap(), "a {}\np {}\n");
    }

    #[test]
    fn comments_go_and_quoted_text_stays() {
        let text = "/* one */a::after{content:'/* \\' two */'}/* three";
        assert_eq!(without_comments(text), "a::after{content:'/* \\' two */'}");
        assert_eq!(without_comments("b{width:calc(1px / 2)}"), "b{width:calc(1px / 2)}");
    }
}
