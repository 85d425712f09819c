//! What prompts are understood as: `tests/data/prompts.txt` is a table that people read.

use flipbook::codes::{Act, Colour, Motion, Relation};
use flipbook::scene::{Program, Thing};
use flipbook::sprites::atlas;
use flipbook::words::understand;

/// A shot as the table spells it.
fn line(program: &Program) -> String {
    let caption = program.caption.as_ref().map(|text| format!(" \"{text}\"")).unwrap_or_default();
    let aurora = if program.aurora { " aurora" } else { "" };
    let things: Vec<String> = program.things.iter().map(|thing| words_of(program, thing)).collect();
    let scene = format!("{} {} {}{aurora}{caption}", program.backdrop.name(), program.weather.name(), program.hour.name());
    format!("{scene} | {}", things.join("; ")).trim_end().to_owned()
}

fn words_of(program: &Program, thing: &Thing) -> String {
    let mut words = Vec::new();
    if thing.count > 1 {
        words.push(thing.count.to_string());
    }
    words.extend(thing.colour.map(|colour| colour.name().to_owned()));
    if thing.size != 0 {
        words.push(format!("{:+}", thing.size));
    }
    words.push(atlas().get(thing.sprite).name.clone());
    words.push(thing.motion.name().to_owned());
    if let Some(parent) = thing.parent {
        words.push(thing.relation.name().to_owned());
        words.push(atlas().get(program.things[parent].sprite).name.clone());
    }
    words.extend(thing.act.map(|act| format!("act {}", act.name())));
    words.extend(thing.course.map(|course| {
        let by = course.by.map_or("", |by| atlas().get(program.things[by].sprite).name.as_str());
        format!("way {} {by}", course.way.name()).trim().to_owned()
    }));
    words.extend(thing.effect.map(|effect| format!("gives {}", effect.name())));
    if thing.added {
        words.push("added".to_owned());
    }
    words.join(" ")
}

/// A line of the table, jointed characters that the atlas lacks replaced by their emoji.
fn resolved(line: &str) -> String {
    let word = |word: &str| match word.strip_suffix("-figure") {
        Some(plain) if atlas().named(word).is_none() => plain.to_owned(),
        _ => word.to_owned(),
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Every drawing that a line of the table names is in the atlas.
fn drawable(line: &str) -> bool {
    let (_, things) = line.split_once('|').unwrap_or_default();
    let known = |word: &str| {
        let plain = word.parse::<i32>().is_ok() || Colour::named(word).is_some() || Relation::named(word).is_some();
        plain
            || Motion::named(word).is_some()
            || Act::named(word).is_some()
            || atlas().named(word).is_some()
            || flipbook::codes::Effect::named(word).is_some()
            || flipbook::codes::Way::named(word).is_some()
    };
    things.split([' ', ';']).filter(|word| !word.is_empty() && !matches!(*word, "act" | "gives" | "way" | "added")).all(known)
}

#[test]
fn prompts_are_understood_as_the_table_says() {
    let table = include_str!("../data/prompts.txt");
    let mut lines = table.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).peekable();
    let (mut wrong, mut compared, mut passed_over) = (Vec::new(), 0, 0);
    while let Some(prompt) = lines.next() {
        let mut expected = Vec::new();
        while let Some(shot) = lines.next_if(|line| line.starts_with("    ")) {
            expected.push(resolved(shot.trim()));
        }
        if !expected.iter().all(|line| drawable(line)) {
            passed_over += 1;
            continue;
        }
        let found: Vec<String> = understand(prompt).story.shots.iter().map(line).collect();
        compared += 1;
        if found != expected {
            wrong.push(format!(
                "{prompt}\n    expected {}\n    found    {}",
                expected.join("\n             "),
                found.join("\n             ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(passed_over * 3 < compared, "the atlas lacks drawings for {passed_over} prompts");
}
