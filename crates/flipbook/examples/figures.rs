//! Contact sheets of the figures: all at rest, and twelve in every gesture. `cargo run --example figures [folder]`

use std::{fs, path::Path};

use flipbook::figures::{self, Figure, Gesture, Stance};
use resvg::{tiny_skia, usvg};

const SKY: [u32; 2] = [0xdcecf6, 0xe9f2e4];

/// One SVG of a grid of cells, so that a sheet is one drawing.
fn sheet(path: &Path, cells: &[(&Figure, Stance)], columns: usize, pixels: usize) -> anyhow::Result<()> {
    let rows = cells.len().div_ceil(columns);
    let (width, height) = (columns * pixels, rows * pixels);
    let mut body = String::new();
    for (index, (figure, stance)) in cells.iter().enumerate() {
        let (x, y) = (index % columns * pixels, index / columns * pixels);
        let colour = SKY[(index % columns + index / columns) % 2];
        // Half as much room again around the box.
        let scale = pixels as f32 / 32.0 / 1.3;
        body += &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{pixels}\" height=\"{pixels}\" fill=\"#{colour:06x}\"/>");
        let (left, top) = (x as f32 + 16.0 * scale * 0.3, y as f32 + 16.0 * scale * 0.42);
        body += &format!(
            "<g transform=\"matrix({scale} 0 0 {scale} {left} {top})\"><path d=\"M-4 31H36\" stroke=\"#b9c9b5\" stroke-width=\".3\"/>{}</g>",
            figure.svg(stance)
        );
    }
    let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">{body}</svg>");
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default())?;
    let mut pixmap =
        tiny_skia::Pixmap::new(width as u32, height as u32).ok_or_else(|| anyhow::anyhow!("no room for {width} x {height}"))?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    let mut encoder = png::Encoder::new(fs::File::create(path)?, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixmap.data())?;
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "out".to_owned());
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let named = |names: &[&str]| -> Vec<&'static Figure> { names.iter().filter_map(|name| figures::figure(name)).collect() };
    let everyone: Vec<&Figure> = figures::names().filter_map(figures::figure).collect();
    let rest: Vec<_> = everyone.iter().map(|figure| (*figure, figure.stance(Gesture::Stand, 0.0, 0.5))).collect();
    sheet(&folder.join("rest.png"), &rest, 10, 160)?;
    let some = named(&[
        "woman",
        "boy",
        "king",
        "knight",
        "panda-figure",
        "penguin-figure",
        "robot-figure",
        "cat-figure",
        "horse-figure",
        "elephant-figure",
        "dragon-figure",
        "dinosaur-figure",
    ]);
    for (page, figures) in some.chunks(4).enumerate() {
        let gestures: Vec<_> = Gesture::ALL
            .iter()
            .flat_map(|gesture| {
                figures.iter().flat_map(move |figure| [0.2, 0.55].map(|beat| (*figure, figure.stance(*gesture, beat, 0.6))))
            })
            .collect();
        for (half, cells) in gestures.chunks(14 * figures.len() * 2).enumerate() {
            sheet(&folder.join(format!("gestures-{page}{}.png", ["a", "b"][half.min(1)])), cells, figures.len() * 2, 150)?;
        }
    }
    let moving: Vec<_> = everyone
        .iter()
        .flat_map(|figure| [Gesture::Walk, Gesture::Run].map(|gesture| (*figure, gesture)))
        .flat_map(|(figure, gesture)| [0.0, 0.25, 0.5, 0.75].map(|beat| (figure, figure.stance(gesture, beat, 0.6))))
        .collect();
    for (page, cells) in moving.chunks(16 * 9).enumerate() {
        sheet(&folder.join(format!("moving-{page}.png")), cells, 16, 110)?;
    }
    Ok(())
}
