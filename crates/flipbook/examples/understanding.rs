//! How well everyday prompts are understood, as Markdown for `docs/understanding.md`.
//!
//!     cargo run -p flipbook --example understanding [FILE]
//!
//! FILE has prompts and what they mean, in the form of `tests/data/everyday.txt`, which is measured without one.

#[path = "../tests/common/everyday.rs"]
mod everyday;

use std::collections::BTreeSet;

use everyday::{ASPECTS, EVERYDAY, Measure, Miss, Share, measure};

fn main() -> std::io::Result<()> {
    let file = std::env::args().nth(1).map(std::fs::read_to_string).transpose()?;
    let measure = measure(file.map_or(EVERYDAY, |text| text.leak()));
    println!("## Figures\n");
    figures(&measure);
    println!("\n## Not understood\n");
    table("what is missing", &measure.missed);
    println!("\n## Shown as understood and wrong\n");
    table("what is shown", &measure.wrong);
    println!("\n## Without a drawing\n");
    println!("{}.", measure.undrawn.iter().cloned().collect::<Vec<_>>().join(", "));
    Ok(())
}

fn figures(measure: &Measure) {
    let languages: BTreeSet<_> = measure.claims.keys().copied().collect();
    println!("| | all | {} |", languages.iter().copied().collect::<Vec<_>>().join(" | "));
    println!("| --- |{}", " ---: |".repeat(languages.len() + 1));
    for aspect in ASPECTS {
        row(aspect, measure.share(aspect), languages.iter().map(|language| measure.shares.get(&(*language, aspect)).copied()));
    }
    row("wrong, of what is shown", measure.claimed(), languages.iter().map(|language| measure.claims.get(language).copied()));
}

fn row(name: &str, all: Share, each: impl Iterator<Item = Option<Share>>) {
    let cells: Vec<_> = each.map(|share| share.map_or_else(|| "-".to_owned(), |share| format!("{}/{}", share.hits, share.of))).collect();
    println!("| {name} | {all} | {} |", cells.join(" | "));
}

fn table(what: &str, misses: &[Miss]) {
    println!("| language | of | {what} | prompt |\n| --- | --- | --- | --- |");
    for miss in misses {
        println!("| {} | {} | {} | {} |", miss.language, miss.aspect, miss.what, miss.prompt);
    }
}
