//! A contact sheet of films of prompts, laid out by rule: begin, middle and end of each, and what a frame takes.
//!
//!     cargo run -p flipbook --example film -- prompts.txt --out sheet.png --size 384x384 --seconds 4

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use flipbook::layout::{brief, settle, write};
use flipbook::paint::film::Film;
use flipbook::random::Random;
use flipbook::words::understand;

const FPS: u32 = 24;
/// Where in the clip frames are taken.
const AT: [f32; 3] = [0.1, 0.5, 0.9];
/// Frames of each film that are timed.
const TIMED: usize = 6;

struct Options {
    prompts: Vec<String>,
    out: PathBuf,
    size: (usize, usize),
    seconds: f32,
    seed: u64,
    /// Films side by side.
    columns: usize,
}

fn options() -> Result<Options> {
    let mut words = std::env::args().skip(1);
    let prompts = words.next().context("say which file has the prompts, one a line")?;
    let prompts = std::fs::read_to_string(&prompts).with_context(|| format!("reading {prompts}"))?;
    let prompts = prompts.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let mut options = Options { prompts, out: "sheet.png".into(), size: (384, 384), seconds: 4.0, seed: 1, columns: 2 };
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--out" => options.out = value.into(),
            "--size" => {
                let (width, height) = value.split_once('x').context("a size is WIDTHxHEIGHT")?;
                options.size = (width.parse()?, height.parse()?);
            }
            "--seconds" => options.seconds = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--columns" => options.columns = value.parse::<usize>()?.max(1),
            _ => bail!("there is no option {word}"),
        }
    }
    Ok(options)
}

/// The first shot of a prompt.
fn film(prompt: &str, options: &Options, seed: u64) -> Result<Film> {
    let story = understand(prompt).story;
    let program = story.shots.into_iter().next().context("a story has a shot")?;
    let (width, height) = options.size;
    let brief = brief(&program, width as f32 / height as f32, options.seconds);
    let layout = write(&brief, &mut Random::new(seed));
    let settled = settle(&brief, layout);
    Ok(Film::new(program, brief, settled, width, height, FPS, seed).in_style(story.style))
}

/// What is in the first shot, in the order of its slots.
fn things(prompt: &str) -> String {
    let story = understand(prompt).story;
    let Some(shot) = story.shots.first() else { return String::new() };
    let named = shot.things.iter().map(|thing| {
        let act = thing.act.map_or("", |act| act.name());
        let parent = thing.parent.map_or(String::new(), |parent| format!(" {} {parent}", thing.relation.name()));
        format!("{} {} {} {act}{parent}", thing.count, flipbook::sprites::atlas().get(thing.sprite).name, thing.motion.name())
    });
    format!("{} [{}]", shot.backdrop.name(), named.collect::<Vec<_>>().join(", "))
}

fn main() -> Result<()> {
    let options = options()?;
    let (width, height) = options.size;
    let (across, rows) = (options.columns * AT.len() * width, options.prompts.len().div_ceil(options.columns) * height);
    let mut sheet = vec![255; across * rows * 3];
    let mut times = Vec::new();
    for (index, prompt) in options.prompts.iter().enumerate() {
        let film = film(prompt, &options, options.seed + index as u64)?;
        for (column, at) in AT.iter().enumerate() {
            let frame = film.frame((film.frames as f32 * at) as usize);
            let left = ((index % options.columns) * AT.len() + column) * width;
            for (row, pixels) in frame.chunks_exact(width * 3).enumerate() {
                let at = ((index / options.columns * height + row) * across + left) * 3;
                sheet[at..at + pixels.len()].copy_from_slice(pixels);
            }
        }
        // The best of some frames: other work on the machine can only make one longer.
        let shortest = (0..TIMED).map(|j| {
            let begun = Instant::now();
            std::hint::black_box(film.frame(film.frames * j / TIMED));
            begun.elapsed()
        });
        times.push(shortest.min().unwrap_or_default());
    }
    let mut encoder = png::Encoder::new(std::fs::File::create(&options.out)?, across as u32, rows as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&sheet)?;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    for (prompt, time) in options.prompts.iter().zip(&times) {
        println!("{:6.2} ms  {prompt}: {}", ms(*time), things(prompt));
    }
    println!(
        "{:6.2} ms a frame of {width} x {height}, mean of {} films",
        ms(times.iter().sum::<Duration>()) / times.len().max(1) as f64,
        times.len()
    );
    Ok(())
}
