//! Draws frames of a film into files.
//!
//! `film [--frames 0,24,48] [--size 384x384] [--seconds 4] [--seed 3] [--webp] [--time] --out DIR PROMPT...`
//!
//! Files are `DIR/PROMPT-FRAME.png`. With `--time` every frame of the clip is drawn and the mean is printed, in ms.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use flipbook::layout;
use flipbook::paint::film::Film;
use flipbook::random::Random;
use flipbook::words::understand;

struct Wanted {
    frames: Vec<usize>,
    size: (usize, usize),
    seconds: f32,
    seed: u64,
    webp: bool,
    time: bool,
    out: PathBuf,
    prompts: Vec<String>,
}

fn main() -> Result<()> {
    let wanted = wanted()?;
    std::fs::create_dir_all(&wanted.out)?;
    for prompt in &wanted.prompts {
        let begun = Instant::now();
        let film = film(prompt, &wanted)?;
        println!("{prompt}: {} frames, set up in {:.1} ms", film.frames, begun.elapsed().as_secs_f32() * 1e3);
        for &frame in &wanted.frames {
            save(&film, frame, &wanted.out.join(format!("{}-{frame:03}", file_name(prompt))), wanted.webp)?;
        }
        if wanted.time {
            let begun = Instant::now();
            (0..film.frames).for_each(|frame| drop(film.frame(frame)));
            println!("{prompt}: {:.2} ms a frame", begun.elapsed().as_secs_f32() * 1e3 / film.frames as f32);
        }
    }
    Ok(())
}

/// The first shot of the prompt's story, laid out by rule.
fn film(prompt: &str, wanted: &Wanted) -> Result<Film> {
    let (width, height) = wanted.size;
    let story = understand(prompt).story;
    let program = story.shots.into_iter().next().context("a story without a shot")?;
    let brief = layout::brief(&program, width as f32 / height as f32, wanted.seconds);
    let written = layout::write(&brief, &mut Random::of(wanted.seed, 1));
    let settled = layout::settle(&brief, written);
    Ok(Film::new(program, brief, settled, width, height, 24, wanted.seed).in_style(story.style))
}

fn save(film: &Film, frame: usize, path: &Path, webp: bool) -> Result<()> {
    let (width, height, rgb) = (film.width as u32, film.height as u32, film.frame(frame));
    if webp {
        let bytes = webp::Encoder::from_rgb(&rgb, width, height).encode(90.0);
        return Ok(std::fs::write(path.with_extension("webp"), &*bytes)?);
    }
    let mut encoder = png::Encoder::new(std::fs::File::create(path.with_extension("png"))?, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&rgb)?;
    Ok(())
}

fn file_name(prompt: &str) -> String {
    let plain = prompt.to_lowercase().replace(|letter: char| !letter.is_alphanumeric(), "-");
    plain.chars().take(60).collect()
}

fn wanted() -> Result<Wanted> {
    let mut wanted = Wanted {
        frames: vec![0, 24, 48],
        size: (384, 384),
        seconds: 4.0,
        seed: 3,
        webp: false,
        time: false,
        out: PathBuf::from("."),
        prompts: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} wants a value"));
        match word.as_str() {
            "--frames" => wanted.frames = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--size" => {
                wanted.size = value()?.split_once('x').map(|(w, h)| Ok::<_, anyhow::Error>((w.parse()?, h.parse()?))).context("WxH")??
            }
            "--seconds" => wanted.seconds = value()?.parse()?,
            "--seed" => wanted.seed = value()?.parse()?,
            "--out" => wanted.out = value()?.into(),
            "--webp" => wanted.webp = true,
            "--time" => wanted.time = true,
            _ if word.starts_with("--") => bail!("{word} is not known"),
            _ => wanted.prompts.push(word),
        }
    }
    Ok(wanted)
}
