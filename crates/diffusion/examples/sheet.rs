//! Draws a sheet of what `flipbook-1` makes of prompts, some frames of each, and prints how long each stage takes.
//!
//!     cargo run --release -p diffusion --example sheet -- prompts.txt --out sheet.webp
//!
//! A prompt a line; empty lines and those that begin with `#` are skipped. `--size 384x384` and `--seconds 4` are those of the
//! clips, `--width 256` that of a picture on the sheet, `--columns 6`, `--seed 3` of the first prompt (the next has the next),
//! `--at 0.55` the share of the clip at which the frame lies (`--at 0.1,0.5,0.9`: three of each, side by side), `--quality 88` that of
//! the WebP, `--clip` encodes each clip as well, to time it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use candle_core::Device;
use diffusion::media::{Frame, mp4_and_sheet, resize, webp};
use diffusion::{Memory, Request, Size, Source};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Options {
    prompts: Vec<String>,
    out: PathBuf,
    size: Size,
    seconds: f64,
    width: usize,
    columns: usize,
    seed: u64,
    at: Vec<f64>,
    quality: f32,
    clip: bool,
}

fn options() -> Result<Options> {
    let size = Size { width: 384, height: 384 };
    let mut options = Options {
        prompts: Vec::new(),
        out: "sheet.webp".into(),
        size,
        seconds: 4.0,
        width: 256,
        columns: 6,
        seed: 3,
        at: vec![0.55],
        quality: 88.0,
        clip: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--out" => options.out = value()?.into(),
            "--size" => {
                let text = value()?;
                let (width, height) = text.split_once('x').context("a size is written as 384x384")?;
                options.size = Size { width: width.parse()?, height: height.parse()? };
            }
            "--seconds" => options.seconds = value()?.parse()?,
            "--width" => options.width = value()?.parse()?,
            "--columns" => options.columns = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--at" => options.at = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--quality" => options.quality = value()?.parse()?,
            "--clip" => options.clip = true,
            _ if word.starts_with("--") => bail!("there is no option {word}"),
            _ => {
                let text = std::fs::read_to_string(&word).with_context(|| format!("cannot read {word}"))?;
                options
                    .prompts
                    .extend(text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from));
            }
        }
    }
    Ok(options)
}

fn main() -> Result<()> {
    let options = options()?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/flipbook-1");
    let family = diffusion::open(&Source { folder: &folder, device: &Device::Cpu, memory: &Memory::new(None) })?;
    let pictures = options.prompts.len() * options.at.len();
    let (width, columns) = (options.width, options.columns.clamp(1, pictures.max(1)));
    let height = width * options.size.height / options.size.width;
    let (mut sheet, rows) = (Vec::new(), pictures.div_ceil(columns).max(1));
    sheet.resize(columns * width * rows * height * 3, 255);
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for (index, prompt) in options.prompts.iter().enumerate() {
        let frames = (options.seconds * f64::from(family.spec().fps)).round().max(1.0) as usize;
        let request = Request { size: options.size, frames, ..Request::new(family.spec(), prompt, options.seed + index as u64) };
        let begun = Instant::now();
        let mut sample = family.start(&request)?;
        while !sample.is_done() {
            family.step(&mut [&mut sample])?;
        }
        let latents = family.latents(&sample)?;
        times[0].push(begun.elapsed());
        let begun = Instant::now();
        let clip = family.decode(&latents)?;
        times[1].push(begun.elapsed());
        if options.clip {
            let begun = Instant::now();
            mp4_and_sheet(&clip, 4, 160)?;
            times[2].push(begun.elapsed());
        }
        for (place, at) in options.at.iter().enumerate() {
            let shown = resize(&clip.frame((frames as f64 * at) as usize)?, width, height)?;
            let place = index * options.at.len() + place;
            for (row, pixels) in shown.rgb.chunks_exact(width * 3).enumerate() {
                let at = ((place / columns * height + row) * columns + place % columns) * width * 3;
                sheet[at..at + pixels.len()].copy_from_slice(pixels);
            }
        }
    }
    let sheet = Frame { width: columns * width, height: rows * height, rgb: sheet };
    std::fs::write(&options.out, webp(&sheet, options.quality)?)?;
    for (name, times) in ["understand and denoise", "set up", "draw and encode"].iter().zip(&mut times) {
        times.sort();
        if let Some(median) = times.get(times.len() / 2) {
            println!("{name}: median {:.0} ms, longest {:.0} ms", ms(*median), ms(times.last().copied().unwrap_or_default()));
        }
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
