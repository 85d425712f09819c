//! Makes a clip from a prompt and prints how long each stage took.
//!
//!     cargo run --release -p diffusion --example clip -- "campfire at night" --out /tmp/clip --seed 7
//!
//! Into the folder: `clip.mp4`, `poster.webp`, `sheet.webp` and a `preview-NN.webp` every fourth step.
//! `--side 384` sets the size, `--steps` and `--guidance` the sampling, `--repeat 5` measures that many
//! times and prints the medians.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use candle_core::Device;
use diffusion::media::{mp4_and_sheet, poster, webp};
use diffusion::vignette::Vignette;
use diffusion::{Family, Memory, Request, Source};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Options {
    prompt: String,
    out: PathBuf,
    seed: u64,
    side: usize,
    steps: Option<usize>,
    guidance: Option<f64>,
    repeat: usize,
}

fn options() -> Result<Options> {
    let mut options = Options {
        prompt: "a red ball bouncing over the sea at sunset".into(),
        out: "target/clip".into(),
        seed: 0,
        side: 384,
        steps: None,
        guidance: None,
        repeat: 1,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--out" => options.out = value()?.into(),
            "--seed" => options.seed = value()?.parse()?,
            "--side" => options.side = value()?.parse()?,
            "--steps" => options.steps = Some(value()?.parse()?),
            "--guidance" => options.guidance = Some(value()?.parse()?),
            "--repeat" => options.repeat = value()?.parse()?,
            _ => options.prompt = word,
        }
    }
    Ok(options)
}

/// Stage names with the milliseconds of every run.
#[derive(Default)]
struct Stages(Vec<(&'static str, Vec<f64>)>);

impl Stages {
    fn time<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let ms = start.elapsed().as_secs_f64() * 1e3;
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.push(ms),
            None => self.0.push((name, vec![ms])),
        }
        result
    }

    fn print(&mut self) {
        println!("{:<22}{:>10}{:>10}", "stage", "median ms", "best ms");
        for (name, all) in &mut self.0 {
            all.sort_by(f64::total_cmp);
            println!("{name:<22}{:>10.1}{:>10.1}", all[all.len() / 2], all[0]);
        }
    }
}

fn main() -> Result<()> {
    let options = options()?;
    std::fs::create_dir_all(&options.out)?;
    let mut stages = Stages::default();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/vignette-1"));
    let model = Vignette::open(&Source { folder, device: &Device::Cpu, memory: &Memory::new(None) })?;
    stages.time("load", || model.load_all())?;

    let mut request = Request::new(model.spec(), &options.prompt, options.seed);
    request.steps = options.steps.unwrap_or(request.steps);
    request.guidance = options.guidance.unwrap_or(request.guidance);
    for _ in 0..options.repeat {
        run(&model, &request, &options, &mut stages)?;
    }
    stages.print();
    Ok(())
}

fn run(model: &dyn Family, request: &Request, options: &Options, stages: &mut Stages) -> Result<()> {
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(options.out.join(name), bytes);
    let mut sample = stages.time("text and noise", || model.start(request))?;
    stages.time("all steps", || {
        while !sample.is_done() {
            model.step(&mut [&mut sample])?;
        }
        anyhow::Ok(())
    })?;
    let latents = model.latents(&sample)?;
    let clip = stages.time("decode", || model.decode(&latents))?;
    let large = clip.resized(options.side, options.side)?;
    let (video, sheet) = stages.time("resize, mp4 and sheet", || mp4_and_sheet(&large, 4, 96))?;
    write("clip.mp4", video)?;
    write("sheet.webp", sheet)?;
    write("poster.webp", stages.time("poster", || poster(&large))?)?;

    let mut sample = model.start(request)?;
    while !sample.is_done() {
        model.step(&mut [&mut sample])?;
        if sample.step_index() % 4 == 0
            && let Some(frame) = stages.time("preview, decoded", || model.preview(&sample))?
        {
            let name = format!("preview-{:02}.webp", sample.step_index());
            write(&name, stages.time("preview, as webp", || webp(&frame, 80.0))?)?;
        }
    }
    let eight = 8;
    let mut batch: Vec<_> = (0..eight).map(|i| model.start(&Request { seed: i, ..request.clone() })).collect::<Result<_, _>>()?;
    let mut all: Vec<_> = batch.iter_mut().collect();
    stages.time("one step of batch 8", || model.step(&mut all))?;
    Ok(())
}
