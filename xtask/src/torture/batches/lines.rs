//! The file of a batch, as it is sent.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use crate::product::models::INSTANT;
use crate::torture::support::random::Random;

/// So long that a file of 50,000 lines does not fit into the memory that a server may need for it.
const PROMPT_CHARS: usize = 1800;
const WORDS: [&str; 8] =
    ["a lighthouse", "at dusk", "in the rain", "over the mountains", "slowly", "a red ball", "rolls", "and northern lights"];
pub const BOUNDARY: &str = "end-of-a-field-of-the-form";

/// A form on the disk: a request's whole body, so that it is never held in memory here either.
pub struct Lines {
    pub form: PathBuf,
    /// Of the lines.
    pub bytes: u64,
    pub count: usize,
}

impl Lines {
    /// Writes it into `folder`.
    pub fn write(folder: &Path, count: usize, seed: u64) -> Result<Self> {
        let form = folder.join("batch.form");
        let mut random = Random::new(seed);
        let mut file = BufWriter::new(File::create(&form).context("no file for the lines")?);
        write!(file, "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n")?;
        write!(file, "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"prompts.jsonl\"\r\n")?;
        write!(file, "Content-Type: application/jsonl\r\n\r\n")?;
        file.flush()?;
        let before = fs::metadata(&form)?.len();
        for number in 0..count {
            let body = json!({
                "model": INSTANT, "prompt": prompt(&mut random), "size": "32x32", "seconds": "0.625", "steps": 4, "seed": number,
            });
            let line = json!({ "custom_id": custom_id(number), "method": "POST", "url": "/v1/videos", "body": body });
            writeln!(file, "{line}")?;
        }
        file.flush()?;
        let bytes = fs::metadata(&form)?.len() - before;
        write!(file, "\r\n--{BOUNDARY}--\r\n")?;
        file.flush()?;
        Ok(Self { form, bytes, count })
    }
}

pub fn custom_id(number: usize) -> String {
    format!("line-{number:06}")
}

fn prompt(random: &mut Random) -> String {
    let mut prompt = String::new();
    while prompt.len() < PROMPT_CHARS {
        prompt.push_str(WORDS[random.below(WORDS.len())]);
        prompt.push(' ');
    }
    prompt.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_each_line_once() {
        let folder = tempfile::tempdir().unwrap();
        let lines = Lines::write(folder.path(), 3, 1).unwrap();
        let text = fs::read_to_string(&lines.form).unwrap();
        assert!((0..3).all(|number| text.matches(&custom_id(number)).count() == 1));
        assert!(text.ends_with(&format!("\r\n--{BOUNDARY}--\r\n")) && lines.bytes > 3 * PROMPT_CHARS as u64);
    }
}
