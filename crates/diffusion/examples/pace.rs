//! How long `flipbook-1` takes: a step of its denoiser, or a clip by stage. Prints one line of JSON.
//!
//!     cargo run --release -p diffusion --example pace -- --steps
//!     cargo run --release -p diffusion --example pace -- --size 1280x720 --seconds 4 PROMPT ..
//!
//! `--steps`: from the number of tokens to the milliseconds of a step with guidance, one shot at a time, the median of many; as
//! `reference.py --pace` measures PyTorch. Otherwise from each stage to the milliseconds of each prompt, in their order.
//! `RAYON_NUM_THREADS` is how many threads both may use.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use candle_core::Device;
use diffusion::media::{Clip, Frame, mp4_and_sheet};
use diffusion::testing::Arranger;
use diffusion::{Memory, Request, Size, Source};
use flipbook::layout::random_brief;
use flipbook::random::Random;
use rayon::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tokens of a shot: the frame's and those of one, two, four and six things.
const TOKENS: [usize; 4] = [2, 3, 5, 7];
const ROUNDS: usize = 20;

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/flipbook-1");
    let (mut steps, mut size, mut seconds, mut prompts) = (false, Size { width: 384, height: 384 }, 3.0, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--steps" => steps = true,
            "--size" => {
                let text = value()?;
                let (width, height) = text.split_once('x').context("a size is written as 384x384")?;
                size = Size { width: width.parse()?, height: height.parse()? };
            }
            "--seconds" => seconds = value()?.parse()?,
            _ => prompts.push(word),
        }
    }
    let times =
        if steps { serde_json::to_string(&pace(&folder)?)? } else { serde_json::to_string(&stages(&folder, size, seconds, &prompts)?)? };
    println!("{times}");
    Ok(())
}

/// Milliseconds of a step, by tokens.
fn pace(folder: &Path) -> Result<BTreeMap<usize, f64>> {
    let arranger = Arranger::open(folder)?;
    let mut random = Random::new(1);
    let mut paces = BTreeMap::new();
    for tokens in TOKENS {
        let brief =
            std::iter::repeat_with(|| random_brief(&mut random)).find(|brief| 1 + brief.slots.len() == tokens).context("no brief")?;
        let mut all = Vec::with_capacity(ROUNDS * arranger.steps());
        for round in 0..=ROUNDS {
            let mut arranging = arranger.start(&brief, round as u64)?;
            for _ in 0..arranger.steps() {
                let begun = Instant::now();
                arranger.step(&mut arranging)?;
                if round > 0 {
                    all.push(begun.elapsed().as_secs_f64() * 1e3); // the first round warms up
                }
            }
        }
        all.sort_by(f64::total_cmp);
        paces.insert(tokens, all[all.len() / 2]);
    }
    Ok(paces)
}

/// Milliseconds of each stage of a clip, by prompt.
fn stages(folder: &Path, size: Size, seconds: f64, prompts: &[String]) -> Result<BTreeMap<&'static str, Vec<f64>>> {
    let family = diffusion::open(&Source { folder, device: &Device::Cpu, memory: &Memory::new(None) })?;
    let mut times: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    let frames = (seconds * f64::from(family.spec().fps)).round().max(1.0) as usize;
    for (seed, prompt) in prompts.iter().enumerate() {
        let mut begun = Instant::now();
        let mut lap = |stage: &'static str| {
            times.entry(stage).or_default().push(begun.elapsed().as_secs_f64() * 1e3);
            begun = Instant::now();
        };
        let request = Request { size, frames, ..Request::new(family.spec(), prompt, seed as u64) };
        let mut sample = family.start(&request)?;
        lap("1 understand");
        while !sample.is_done() {
            family.step(&mut [&mut sample])?;
        }
        let latents = family.latents(&sample)?;
        lap("2 denoise");
        let clip = family.decode(&latents)?;
        lap("3 settle and set up");
        let drawn = (0..frames).into_par_iter().map(|index| clip.frame(index)).collect::<std::result::Result<Vec<Frame>, _>>()?;
        lap("4 draw");
        mp4_and_sheet(&Clip::new(drawn, clip.fps())?, 4, 160)?;
        lap("5 H.264 and sheet");
    }
    Ok(times)
}
