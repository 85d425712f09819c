//! What may be added and how each language says it: `data/expansion.txt`.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::codes::{Act, Backdrop, Colour, Hour, Motion, Weather};
use crate::sprites::{SpriteId, atlas};
use crate::words::Meaning;
use crate::words::traits::{base, traits};

/// A part of the file: the rules, or one language.
#[derive(Default)]
pub struct Section {
    name: String,
    /// From what a line is about to what it says of that; `_` has become a space.
    lines: HashMap<(String, String), Vec<String>>,
}

impl Section {
    /// In the order of the file.
    fn of(&self, head: &str, name: &str) -> &[String] {
        self.lines.get(&(head.to_owned(), name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// How the language says it.
    pub fn phrases(&self, meaning: &Meaning) -> &[String] {
        match meaning {
            Meaning::Thing(sprite) => self.of("with", base(*sprite)),
            Meaning::Backdrop(_) => self.of("place", &meaning.value()),
            Meaning::Act(_) => self.of("motion", &meaning.value()),
            _ => self.of(meaning.sort(), &meaning.value()),
        }
    }

    /// What stands before each phrase, where that is always the same.
    pub fn comma(&self) -> Option<&str> {
        self.of("comma", "").first().map(String::as_str)
    }
}

pub struct Rules {
    rules: Section,
    languages: Vec<Section>,
}

pub fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| Rules::read(include_str!("../../../data/expansion.txt")))
}

impl Rules {
    fn read(text: &str) -> Self {
        let mut rules = Self { rules: Section::default(), languages: Vec::new() };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some("rules") => {}
                Some(name) => rules.languages.push(Section { name: name.to_owned(), ..Section::default() }),
                None => rules.line(line),
            }
        }
        rules
    }

    fn line(&mut self, line: &str) {
        let section = self.languages.last_mut().unwrap_or(&mut self.rules);
        let (about, said) = line.split_once('=').unwrap_or((line, ""));
        let mut names = about.split_whitespace();
        let head = names.next().unwrap_or_default();
        let said: Vec<String> = said.split_whitespace().map(|word| word.replace('_', " ")).collect();
        let names: Vec<&str> = names.collect();
        for name in if names.is_empty() { &[""] } else { names.as_slice() } {
            section.lines.insert((head.to_owned(), (*name).to_owned()), said.clone());
        }
    }

    pub fn language(&self, name: &str) -> Option<&Section> {
        self.languages.iter().find(|language| language.name == name)
    }

    /// What the rules say of a thing: of itself, else of what it has in common with others.
    fn of_thing(&self, head: &str, sprite: SpriteId) -> Vec<Meaning> {
        let drawing = atlas().get(sprite);
        let ball = traits().has(sprite, "ball").then_some("trait:ball");
        let food = drawing.group.starts_with("food-").then_some("trait:food");
        let kind = format!("kind:{}", drawing.kind.name());
        let names = [Some(base(sprite)), ball, food, Some(kind.as_str())].into_iter().flatten();
        names.map(|name| self.rules.of(head, name)).find(|said| !said.is_empty()).map_or_else(Vec::new, |said| meanings(head, said))
    }

    fn at(&self, head: &str, backdrop: Backdrop) -> Vec<Meaning> {
        meanings(head, self.rules.of(head, backdrop.name()))
    }

    pub fn colours(&self, sprite: SpriteId) -> Vec<Meaning> {
        self.of_thing("colour", sprite)
    }

    pub fn motions(&self, sprite: SpriteId) -> Vec<Meaning> {
        self.of_thing("motion", sprite)
    }

    /// Where else things may be that are here by habit.
    pub fn also(&self, backdrop: Backdrop) -> Vec<Meaning> {
        self.at("also", backdrop)
    }

    pub fn weathers(&self, backdrop: Backdrop) -> Vec<Meaning> {
        self.at("weather", backdrop)
    }

    pub fn hours(&self, backdrop: Backdrop) -> Vec<Meaning> {
        self.at("hour", backdrop)
    }

    /// What keeps a thing company, else what is at home here.
    pub fn company(&self, sprite: Option<SpriteId>, backdrop: Backdrop) -> Vec<Meaning> {
        let own = sprite.map_or_else(Vec::new, |sprite| self.of_thing("with", sprite));
        if own.is_empty() { self.at("with", backdrop) } else { own }
    }
}

fn meanings(head: &str, names: &[String]) -> Vec<Meaning> {
    names.iter().filter_map(|name| meaning(head, name)).collect()
}

fn meaning(head: &str, name: &str) -> Option<Meaning> {
    match head {
        "colour" => Colour::named(name).map(Meaning::Colour),
        "motion" => Motion::named(name).map(Meaning::Motion).or_else(|| Act::named(name).map(Meaning::Act)),
        "place" | "also" => Backdrop::named(name).map(Meaning::Backdrop),
        "weather" => Weather::named(name).map(Meaning::Weather),
        "hour" => Hour::named(name).map(Meaning::Hour),
        "with" => atlas().named(name).map(Meaning::Thing),
        _ => None,
    }
}

/// Lines that name nothing. Empty for the file of this crate.
pub fn faults() -> Vec<String> {
    let Rules { rules, languages } = rules();
    let ruled = rules.lines.iter().flat_map(|((head, _), names)| names.iter().map(move |name| ("rules", head, name)));
    let said = languages.iter().flat_map(|language| language.lines.keys().map(|(head, name)| (language.name.as_str(), head, name)));
    let is_fault = |(_, head, name): &(&str, &String, &String)| *head != "comma" && *name != "-" && meaning(head, name).is_none();
    ruled.chain(said).filter(is_fault).map(|(section, head, name)| format!("{section}: {head} {name}")).collect()
}

/// All that may be said, with its language.
pub fn phrases() -> impl Iterator<Item = (&'static str, Meaning, &'static str)> {
    rules().languages.iter().flat_map(|language| {
        language.lines.iter().filter_map(|((head, name), phrases)| Some((meaning(head, name)?, phrases))).flat_map(
            move |(meaning, phrases)| phrases.iter().map(move |phrase| (language.name.as_str(), meaning.clone(), phrase.as_str())),
        )
    })
}
