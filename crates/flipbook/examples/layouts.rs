//! Writes layouts by rule, for the denoiser to learn from.
//!
//!     cargo run --release -p flipbook --example layouts -- --count 60000 --out layouts.safetensors

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use flipbook::layout::{Conditions, conditions, random_brief, write};
use flipbook::random::Random;
use flipbook::scene::WIDTH;
use safetensors::tensor::{Dtype, TensorView, serialize_to_file};

const TOKENS: usize = 7;
/// Layouts for each brief: what is learnt is a distribution.
const EACH: usize = 4;

fn main() -> Result<()> {
    let (mut count, mut out) = (60_000, None::<PathBuf>);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--count" => count = value.parse()?,
            "--out" => out = Some(value.into()),
            _ => bail!("there is no option {word}"),
        }
    }
    let out = out.context("say where to with --out")?;
    let mut random = Random::new(0);
    let (mut rows, mut codes, mut numbers, mut tokens) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    while tokens.len() < count {
        let brief = random_brief(&mut random);
        let Conditions { codes: told, numbers: measured, tokens: used } = conditions(&brief);
        for _ in 0..EACH {
            let mut layout = write(&brief, &mut random).rows();
            layout.resize(TOKENS, [0.0; WIDTH]);
            rows.extend(layout.into_iter().flatten().flat_map(f32::to_le_bytes));
            codes.extend(told.iter().flatten().flat_map(|code| (*code as i32).to_le_bytes()));
            numbers.extend(measured.iter().flatten().flat_map(|number| number.to_le_bytes()));
            tokens.extend([used as i32]);
        }
    }
    let n = tokens.len();
    let tokens: Vec<u8> = tokens.into_iter().flat_map(i32::to_le_bytes).collect();
    let view = |kind, shape: &[usize], bytes| TensorView::new(kind, shape.to_vec(), bytes);
    let tensors = HashMap::from([
        ("rows", view(Dtype::F32, &[n, TOKENS, WIDTH], &rows)?),
        ("codes", view(Dtype::I32, &[n, TOKENS, 5], &codes)?),
        ("numbers", view(Dtype::F32, &[n, TOKENS, 6], &numbers)?),
        ("tokens", view(Dtype::I32, &[n], &tokens)?),
    ]);
    serialize_to_file(tensors, None, &out)?;
    println!("{n} layouts in {}", out.display());
    Ok(())
}
