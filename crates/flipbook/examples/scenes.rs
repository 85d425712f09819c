//! A contact sheet of prompts as rules arrange them: what a newcomer would see, without the network.
//!
//!     cargo run --release -p flipbook --example scenes -- --prompts prompts.txt --out sheet.png --size 384x216 --at 0.3
//!
//! A prompt is a line of the file; what is drawn and which rules it breaks is printed.

use std::fs;

use anyhow::{Context, Result, bail};
use flipbook::layout::{brief, judge_drawn, settle, write};
use flipbook::paint::film::Film;
use flipbook::random::Random;
use flipbook::words::understand;

const SECONDS: f32 = 3.0;

fn main() -> Result<()> {
    let (mut prompts, mut out, mut size, mut at, mut seed) = (None, None, [384usize, 216], 0.3f32, 1u64);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--prompts" => prompts = Some(fs::read_to_string(value)?),
            "--out" => out = Some(value),
            "--size" => {
                let (width, height) = value.split_once('x').context("as in 384x216")?;
                size = [width.parse()?, height.parse()?];
            }
            "--at" => at = value.parse()?,
            "--seed" => seed = value.parse()?,
            _ => bail!("there is no option {word}"),
        }
    }
    let (prompts, out) = (prompts.context("say which with --prompts")?, out.context("say where to with --out")?);
    let prompts: Vec<&str> = prompts.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let [width, height] = size;
    let columns = (1600 / width).max(1);
    let rows = prompts.len().div_ceil(columns);
    let mut sheet = vec![255u8; columns * width * rows * height * 3];
    for (index, prompt) in prompts.iter().enumerate() {
        let story = understand(prompt).story;
        let program = story.shots.into_iter().next().context("a shot")?;
        println!("{index:3} {prompt}");
        for thing in &program.things {
            let name = |sprite| &flipbook::sprites::atlas().get(sprite).name;
            let parent = thing.parent.and_then(|parent| program.things.get(parent)).map_or("", |parent| name(parent.sprite));
            let act = thing.act.map_or("", |act| act.name());
            let course = thing.course.map_or_else(String::new, |course| {
                let by = course.by.and_then(|by| program.things.get(by)).map_or("", |by| name(by.sprite));
                format!(", {} {by}", course.way.name())
            });
            println!(
                "    {} {} {} {act}: {} {parent}{course}",
                thing.count,
                name(thing.sprite),
                thing.motion.name(),
                thing.relation.name()
            );
        }
        let brief = brief(&program, width as f32 / height as f32, SECONDS);
        let settled = settle(&brief, write(&brief, &mut Random::of(seed, index as u64)));
        for (rule, kept) in judge_drawn(&program, &brief, &settled.layout) {
            if !kept {
                println!("    broken: {}", rule.name());
            }
        }
        let film = Film::new(program, brief, settled, width, height, 24, seed);
        let frame = film.frame((at * film.frames as f32) as usize);
        let (left, top) = (index % columns * width, index / columns * height);
        for (y, row) in frame.chunks_exact(3 * width).enumerate() {
            let start = ((top + y) * columns * width + left) * 3;
            sheet[start..start + row.len()].copy_from_slice(row);
        }
    }
    let mut encoder = png::Encoder::new(fs::File::create(&out)?, (columns * width) as u32, (rows * height) as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&sheet)?;
    println!("{out}");
    Ok(())
}
