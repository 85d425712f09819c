//! How well the everyday prompts are understood, as Markdown. `cargo run -p flipbook --example understanding`

#[path = "../tests/common/everyday.rs"]
mod everyday;

use everyday::{ASPECTS, measure};

fn main() {
    if std::env::args().any(|a| a == "names") {
        for id in flipbook::sprites::atlas().ids() {
            println!("{}", flipbook::sprites::atlas().get(id).name);
        }
        return;
    }
    if std::env::args().any(|a| a == "dump") {
        let glosses = everyday::Glosses::read();
        let prompts = everyday::prompts();
        let mut nouns: std::collections::BTreeSet<String> = Default::default();
        let mut verbs: std::collections::BTreeSet<String> = Default::default();
        for p in &prompts {
            for t in &p.things {
                nouns.insert(t.gloss.clone());
                verbs.extend(t.verb.map(str::to_owned));
            }
            for (s, g) in &p.scene {
                if *s != "caption" {
                    nouns.insert(format!("{g}"));
                }
            }
        }
        for n in nouns {
            println!("{n} = {:?}", glosses.noun(&n));
        }
        for v in verbs {
            println!("V {v} = {:?}", everyday::alone(&v));
        }
        for p in &prompts {
            let u = flipbook::words::understand(p.text);
            println!("\n{} | {}", p.language, p.text);
            let ts: Vec<_> = u
                .terms
                .iter()
                .map(|t| match &t.reading {
                    flipbook::words::Reading::Understood(m) => format!("[{}={} {}]", t.text, m.sort(), m.value()),
                    flipbook::words::Reading::Guess(m) => format!("?{}={} {}?", t.text, m.sort(), m.value()),
                    flipbook::words::Reading::Filler => t.text.to_string(),
                    flipbook::words::Reading::Ignored => format!("!{}!", t.text),
                })
                .collect();
            println!("   {} {}", u.language, ts.join(" "));
            for s in &u.story.shots {
                let things: Vec<_> = s
                    .things
                    .iter()
                    .map(|t| {
                        format!(
                            "{} {:?} {} {} {:?} {}{:?} {:?}",
                            t.count,
                            t.colour,
                            flipbook::sprites::atlas().get(t.sprite).name,
                            t.motion.name(),
                            t.act,
                            t.relation.name(),
                            t.parent,
                            t.effect
                        )
                    })
                    .collect();
                println!("   {} {} {} {:?} | {}", s.backdrop.name(), s.weather.name(), s.hour.name(), s.caption, things.join("; "));
            }
        }
        return;
    }
    let m = measure();
    for a in ASPECTS {
        println!("{a}: {}", m.share(a));
    }
    println!("wrong: {}", m.claimed());
    for x in &m.missed {
        println!("- {x}");
    }
    println!("WRONG");
    for x in &m.wrong {
        println!("- {x}");
    }
}
