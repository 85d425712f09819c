//! How good the pictures of `flipbook-1` are, by rule: scenes that it was never trained on are arranged by the network that ships and,
//! beside it, by the rules that wrote its training data; layouts and drawn frames are judged. Prints Markdown; ends with an error
//! where the network's settled scenes keep less than 97 % of what is asked.
//!
//!     cargo run --release -p diffusion --example quality
//!     cargo run --release -p diffusion --example quality -- --look 12,80 --out look.webp
//!
//! `--scenes 600` are judged by their layouts, the first `--drawn 200` of them by their pixels as well. `--look` draws some by their
//! seeds, which misses are listed with: begin, middle and end of each.

mod drawn;
mod report;
mod scene;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use diffusion::media::{Frame, webp};
use diffusion::testing::Arranger;
use flipbook::layout::{Rule, Settled, judge_drawn, settle, write};
use flipbook::scene::Layout;
use rayon::prelude::*;
use report::{By, Judged, print};
use scene::Scene;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Share of what is asked that the network's settled scenes have to keep.
const BAR: f32 = 0.97;

struct Options {
    scenes: u64,
    drawn: u64,
    look: Vec<u64>,
    out: PathBuf,
}

fn options() -> Result<Options> {
    let mut options = Options { scenes: 600, drawn: 200, look: Vec::new(), out: "look.webp".into() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--scenes" => options.scenes = value.parse()?,
            "--drawn" => options.drawn = value.parse()?,
            "--look" => options.look = value.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--out" => options.out = value.into(),
            _ => bail!("there is no option {word}"),
        }
    }
    Ok(options)
}

fn main() -> Result<ExitCode> {
    let options = options()?;
    let arranger = Arranger::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/flipbook-1"))?;
    if !options.look.is_empty() {
        std::fs::write(&options.out, look(&arranger, &options.look)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let judged = |seed: u64| judged(&arranger, &Scene::of(seed), seed < options.drawn);
    let all: Vec<Judged> = (0..options.scenes).into_par_iter().map(judged).collect::<Result<_>>()?;
    let overall = print(&all, options.drawn.min(options.scenes));
    Ok(if overall >= BAR { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A scene as each of [`By::ALL`] arranges it.
fn judged(arranger: &Arranger, scene: &Scene, on_pixels: bool) -> Result<Judged> {
    let (program, brief) = (scene.program(), &scene.brief);
    let network = arranger.layout(brief, scene.seed)?;
    let rules = write(brief, &mut scene.random());
    let found = By::ALL.map(|by| {
        let settled = match by {
            By::Network => as_it_is(network.clone()),
            By::NetworkSettled => settle(brief, network.clone()),
            By::Rules => as_it_is(rules.clone()),
            By::RulesSettled => settle(brief, rules.clone()),
        };
        // As many as were asked for: scenes are made with one slot a thing.
        let judged = judge_drawn(&program, brief, &settled.layout).into_iter().filter(|(rule, _)| *rule != Rule::Counted);
        let mut found: Vec<_> = judged.map(|(rule, kept)| (rule.name(), kept)).collect();
        found.extend(drawn::readable(brief, &settled.layout));
        if on_pixels {
            found.extend(drawn::judge(scene, settled));
        }
        found
    });
    let (things, traits) = (brief.slots.len(), scene.traits());
    Ok(Judged { seed: scene.seed, aspect: scene.aspect, things, traits, said: scene.to_string(), found })
}

/// To be drawn unmended.
fn as_it_is(layout: Layout) -> Settled {
    Settled { layout, focus: 0.5 }
}

/// A sheet of some scenes as the network arranges them, three frames of each, as WebP.
fn look(arranger: &Arranger, seeds: &[u64]) -> Result<Vec<u8>> {
    const SIDE: usize = 320;
    let mut sheet = Frame { width: 3 * SIDE, height: SIDE * seeds.len(), rgb: vec![255; 3 * SIDE * SIDE * seeds.len() * 3] };
    for (row, seed) in seeds.iter().enumerate() {
        let scene = Scene::of(*seed);
        let film = scene.film(settle(&scene.brief, arranger.layout(&scene.brief, *seed)?), SIDE);
        let (width, height) = (film.width as usize, film.height as usize);
        for (column, at) in [0.1, 0.5, 0.9].into_iter().enumerate() {
            let frame = film.frame((film.frames as f32 * at) as usize);
            for (line, pixels) in frame.chunks_exact(width * 3).enumerate().take(height) {
                let at = ((row * SIDE + line) * sheet.width + column * SIDE) * 3;
                sheet.rgb[at..at + pixels.len()].copy_from_slice(pixels);
            }
        }
        println!("{seed}: {scene}");
    }
    Ok(webp(&sheet, 88.0)?)
}
