//! The atlas: emoji of the pack and drawings of our own, with their traits and what is measured of their ink.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use flipbook::figures::{self, Figure, Gesture};
use flipbook::sprites::measure;
use flipbook::sprites::row::Row;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::traits::{Own, Traits};

/// Writes `sprites.json.br` to `out`, where `traits.txt` lies; `own` has the drawings of our own.
pub fn pack(packages: &Path, own: &Path, out: &Path) -> anyhow::Result<()> {
    let traits = Traits::parse(&fs::read_to_string(out.join("traits.txt"))?)?;
    let mut rows = emoji(packages, &traits)?;
    for drawing in &traits.own {
        replace(&mut rows, drawn(drawing, &traits, own)?);
    }
    for figure in figures::names().filter_map(figures::figure) {
        let row = jointed(figure)?;
        replace(&mut rows, row);
    }
    check(&rows, &traits, own)?;
    println!("{} drawings, {} of them our own", rows.len(), traits.own.len());
    crate::write(&out.join("sprites.json.br"), &serde_json::to_vec(&rows)?)
}

/// A drawing that is called like an emoji takes its place, and what is known of its name.
fn replace(rows: &mut Vec<Row>, row: Row) {
    match rows.iter_mut().find(|emoji| emoji.name == row.name) {
        Some(emoji) => *emoji = Row { emoji: std::mem::take(&mut emoji.emoji), words: Vec::new(), ..row },
        None => rows.push(row),
    }
}

#[derive(Deserialize)]
struct Icons {
    icons: BTreeMap<String, Icon>,
}

#[derive(Deserialize)]
struct Icon {
    body: String,
    /// Of the view box, whose width is 32.
    height: Option<f32>,
}

#[derive(Deserialize)]
struct Groups {
    groups: BTreeMap<String, String>,
    subgroups: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Emoji {
    hexcode: String,
    emoji: String,
    group: Option<u8>,
    subgroup: Option<u8>,
}

/// Emoji in their own order, without tones of skin and flags of countries.
fn emoji(packages: &Path, traits: &Traits) -> anyhow::Result<Vec<Row>> {
    let pack = packages.join("@iconify-json/fluent-emoji-flat");
    let Icons { icons } = read(&pack.join("icons.json"))?;
    let names: BTreeMap<String, String> = read(&pack.join("chars.json"))?;
    let groups: Groups = read(&packages.join("emojibase-data/meta/groups.json"))?;
    let emoji: Vec<Emoji> = read(&packages.join("emojibase-data/en/data.json"))?;
    let mut rows = Vec::new();
    let mut seen = BTreeSet::new();
    for Emoji { hexcode, emoji, group, subgroup } in emoji {
        let code = hexcode.to_lowercase();
        let (Some(group), Some(subgroup)) = (group, subgroup) else { continue };
        let Some(name) = names.get(&code.replace("-fe0f", "")).or_else(|| names.get(&code)) else { continue };
        if !seen.insert(name.clone()) {
            continue;
        }
        let icon = icons.get(name).with_context(|| format!("{name} has no drawing"))?;
        let group = groups.groups.get(&group.to_string()).context("a group without a name")?;
        let subgroup = groups.subgroups.get(&subgroup.to_string()).context("a subgroup without a name")?;
        let kind = traits.kind(name, subgroup, group)?;
        let body = square(&plain(&icon.body), icon.height);
        let measured = measure(&body).with_context(|| format!("{name} has no ink"))?;
        rows.push(Row {
            name: name.clone(),
            emoji,
            group: subgroup.clone(),
            kind,
            metres: traits.metres(name, kind)?,
            facing: traits.facing(name, kind)?,
            heading: traits.heading(name)?,
            glows: traits.glows(name),
            ink: measured.ink,
            head: thousandths(measured.head),
            words: Vec::new(),
            body,
        });
    }
    Ok(rows)
}

fn drawn(own: &Own, traits: &Traits, folder: &Path) -> anyhow::Result<Row> {
    let file = folder.join(format!("{}.svg", own.name));
    let svg = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let (_, rest) = svg.split_once('>').with_context(|| format!("{} is no SVG", file.display()))?;
    let (body, _) = rest.rsplit_once("</svg>").with_context(|| format!("{} has no end", file.display()))?;
    let body: String = plain(&body.lines().map(str::trim).collect::<String>());
    let measured = measure(&body).with_context(|| format!("{} has no ink", own.name))?;
    Ok(Row {
        name: own.name.clone(),
        emoji: String::new(),
        group: own.group.clone(),
        kind: own.kind,
        metres: own.metres,
        facing: own.facing,
        heading: traits.heading(&own.name)?,
        glows: traits.glows(&own.name),
        ink: measured.ink,
        head: thousandths(measured.head),
        words: own.words.clone(),
        body,
    })
}

/// A figure: its traits and its ink as it stands; it is drawn when it is asked for.
fn jointed(figure: &Figure) -> anyhow::Result<Row> {
    let body = figure.svg(&figure.stance(Gesture::Stand, 0.0, 0.5));
    let measured = measure(&body).with_context(|| format!("{} has no ink", figure.name))?;
    Ok(Row {
        name: figure.name.to_owned(),
        emoji: String::new(),
        group: "figure".to_owned(),
        kind: figure.kind,
        metres: figure.metres,
        facing: figure.facing,
        heading: None,
        glows: false,
        ink: measured.ink,
        head: thousandths(measured.head),
        words: Vec::new(),
        body: String::new(),
    })
}

/// Names are unique, traits are about drawings that are there, and so are files of our own.
fn check(rows: &[Row], traits: &Traits, folder: &Path) -> anyhow::Result<()> {
    let mut names = BTreeSet::new();
    for row in rows {
        ensure!(names.insert(&row.name), "two drawings are called {}", row.name);
    }
    for name in traits.names() {
        ensure!(names.contains(name), "the traits speak of {name}, which is not drawn");
    }
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        ensure!(traits.own.iter().any(|own| own.name == name), "{} is not among the traits", path.display());
    }
    Ok(())
}

/// A drawing higher than 32 shrunk to the box, its foot in the middle.
fn square(body: &str, height: Option<f32>) -> String {
    match height {
        Some(height) if height > 32.0 => {
            let scale = 32.0 / height;
            format!(r#"<g transform="translate({:.3})scale({scale:.4})">{body}</g>"#, 16.0 * (1.0 - scale))
        }
        _ => body.to_owned(),
    }
}

const PAINTED_BLACK: &str = r##"path fill="#000""##;

/// The same drawing in fewer bytes: short ids (which no colour is mistaken for), no rules for clips without a clip.
fn plain(body: &str) -> String {
    let mut body = body.to_owned();
    if !body.contains("<clipPath") {
        body = body.replace(r#" clip-rule="evenodd""#, "");
    }
    let ids: Vec<String> = body.split(r#"id=""#).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect();
    for (index, id) in ids.iter().enumerate() {
        for [before, after] in [["id=\"", "\""], ["#", "\""], ["#", ")"]] {
            body = body.replace(&format!("{before}{id}{after}"), &format!("{before}i{index}{after}"));
        }
    }
    if !body.contains("<g") {
        // Colours that are said can be found and changed.
        let said =
            |tag: &str| if filled(tag) || !tag.starts_with("path") { tag.to_owned() } else { tag.replacen("path", PAINTED_BLACK, 1) };
        body = body.split('<').map(said).collect::<Vec<_>>().join("<");
    }
    match body.strip_prefix(r#"<g fill="none">"#).and_then(|rest| rest.strip_suffix("</g>")) {
        Some(inner) if inner.split('<').skip(1).all(filled) => inner.to_owned(),
        _ => body,
    }
}

/// Whether a tag says itself how it is filled.
fn filled(tag: &str) -> bool {
    ["path", "circle", "ellipse", "rect"].iter().any(|shape| tag.starts_with(shape)) && tag.contains("fill=\"")
}

fn thousandths(share: f32) -> f32 {
    (share * 1000.0).round() / 1000.0
}

fn read<T: DeserializeOwned>(file: &Path) -> anyhow::Result<T> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("cannot understand {}", file.display()))
}
