//! How well prompts are understood: a file such as `tests/data/everyday.txt` says what each means, `tests/data/glosses.txt` what
//! shows it.
#![allow(dead_code, reason = "the test and the example use their parts")]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use flipbook::codes::Relation;
use flipbook::scene::{Program, Thing};
use flipbook::words::{Meaning, Reading, Understanding, understand};

/// What is counted, in the order of the report.
pub const ASPECTS: [&str; 9] = ["nouns", "motions", "colours", "counts", "places", "weather and hours", "styles", "captions", "negations"];

/// A prompt and what a person says it means.
pub struct Prompt {
    pub language: &'static str,
    pub text: &'static str,
    pub things: Vec<Named>,
    /// `place`, `weather`, `hour`, `season`, `feast`, `style`, `shot`, `caption`, `without`, each with its gloss.
    pub scene: Vec<(&'static str, &'static str)>,
    /// Glosses of what the prompt names besides.
    pub also: Vec<&'static str>,
}

pub struct Named {
    pub gloss: String,
    pub verb: Option<&'static str>,
    pub colour: Option<&'static str>,
    /// At least 1.
    pub count: usize,
}

/// What shows a gloss, as `sort value` each.
type Shown = BTreeSet<String>;

/// What a person found when looking at each gloss; the others are shown as English has them.
pub struct Glosses {
    nouns: HashMap<&'static str, Shown>,
    drawn: BTreeSet<&'static str>,
    verbs: HashMap<&'static str, Shown>,
}

#[derive(Clone, Copy, Default)]
pub struct Share {
    pub hits: usize,
    pub of: usize,
}

/// Something that a prompt says and that was not understood, or something that was and that it does not say.
pub struct Miss {
    pub language: &'static str,
    pub prompt: &'static str,
    pub aspect: &'static str,
    pub what: String,
}

#[derive(Default)]
pub struct Measure {
    /// By language and aspect.
    pub shares: BTreeMap<(&'static str, &'static str), Share>,
    pub missed: Vec<Miss>,
    /// By language: what is shown as understood, and how much of it is wrong.
    pub claims: BTreeMap<&'static str, Share>,
    pub wrong: Vec<Miss>,
    /// Glosses that have no drawing.
    pub undrawn: BTreeSet<String>,
}

/// Three hundred prompts whose misses were mended.
pub const EVERYDAY: &str = include_str!("../data/everyday.txt");
/// A hundred that were measured before any was mended.
pub const FRESH: &str = include_str!("../data/fresh.txt");

pub fn prompts(text: &'static str) -> Vec<Prompt> {
    lines(text).map(|line| prompt(line).unwrap_or_else(|| panic!("{line} cannot be read"))).collect()
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn prompt(line: &'static str) -> Option<Prompt> {
    let mut fields = line.split(" | ");
    let (language, text) = (fields.next()?, fields.next()?);
    let mut list = |separator: &'static str| {
        let field = fields.next().unwrap_or("-");
        field.split(separator).map(str::trim).filter(|item| *item != "-").collect::<Vec<_>>()
    };
    let things = list(";").into_iter().map(named).collect();
    let scene = list(";").into_iter().map(|item| item.split_once(' ')).collect::<Option<_>>()?;
    Some(Prompt { language, text, things, scene, also: list(";") })
}

/// `3 kite #red ~fly`.
fn named(item: &'static str) -> Named {
    let mut named = Named { gloss: String::new(), verb: None, colour: None, count: 1 };
    let mut gloss = Vec::new();
    for word in item.split(' ') {
        match (word.strip_prefix('~'), word.strip_prefix('#'), word.parse()) {
            (Some(verb), ..) => named.verb = Some(verb),
            (_, Some(colour), _) => named.colour = Some(colour),
            (.., Ok(count)) => named.count = count,
            _ => gloss.push(word),
        }
    }
    named.gloss = gloss.join(" ");
    named
}

impl Glosses {
    pub fn read() -> Self {
        let mut glosses = Self { nouns: HashMap::new(), drawn: BTreeSet::new(), verbs: HashMap::new() };
        for line in lines(include_str!("../data/glosses.txt")) {
            let (sides, shown) = line.split_once('=').unwrap_or_else(|| panic!("no `=` in {line}"));
            let (sort, names) = sides.trim().split_once(' ').unwrap_or_else(|| panic!("no gloss in {line}"));
            let (table, plain) = match sort {
                "noun" | "drawn" => (&mut glosses.nouns, "thing"),
                "verb" => (&mut glosses.verbs, "motion"),
                _ => panic!("{sort} is neither noun nor verb"),
            };
            let shown: Shown = shown.split_whitespace().map(|word| spelt(word, plain)).collect();
            names.split(", ").for_each(|name| drop(table.insert(name, shown.clone())));
            if sort == "drawn" {
                glosses.drawn.extend(names.split(", "));
            }
        }
        glosses
    }

    /// English understands the gloss alone and does not guess, or a person says that it has a drawing.
    pub fn is_drawn(&self, gloss: &str) -> bool {
        self.drawn.contains(gloss) || !alone(gloss).is_empty() && !self.noun(gloss).is_empty()
    }

    /// What shows it.
    pub fn noun(&self, gloss: &str) -> Shown {
        self.nouns.get(gloss).cloned().unwrap_or_else(|| alone(gloss))
    }

    /// Empty: it cannot be shown.
    pub fn verb(&self, gloss: &str) -> Shown {
        self.verbs.get(gloss).cloned().unwrap_or_default()
    }
}

/// `place:sea` is `backdrop sea`, `gull` is `thing gull`.
fn spelt(word: &str, plain: &str) -> String {
    match word.split_once(':') {
        None => format!("{plain} {word}"),
        Some(("place", value)) => format!("backdrop {value}"),
        Some(("gives", value)) => format!("effect {value}"),
        Some((sort, value)) => format!("{sort} {value}"),
    }
}

/// What a gloss by itself is understood as, all of it and without a guess.
pub fn alone(gloss: &str) -> Shown {
    match understand(gloss).terms.as_slice() {
        [term] => match &term.reading {
            Reading::Understood(meaning) if is_picture(meaning) => shown(meaning).collect(),
            _ => Shown::new(),
        },
        _ => Shown::new(),
    }
}

fn is_picture(meaning: &Meaning) -> bool {
    ["thing", "things", "backdrop", "setting", "weather", "hour", "style", "aurora"].contains(&meaning.sort())
}

fn is_doing(meaning: &Meaning) -> bool {
    ["motion", "act", "effect"].contains(&meaning.sort())
}

/// Each as `sort value`; `family` is several things.
fn shown(meaning: &Meaning) -> impl Iterator<Item = String> {
    let (sort, value) = (meaning.sort(), meaning.value());
    let values: Vec<String> = match sort {
        "things" => value.split([' ', ',']).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        _ => vec![value],
    };
    let sort = if sort == "things" { "thing" } else { sort };
    values.into_iter().map(move |value| format!("{sort} {}", value.trim_end_matches("-figure")).trim().to_owned())
}

fn shows(meaning: &Meaning, any: &Shown) -> bool {
    shown(meaning).any(|shown| any.contains(&shown))
}

fn named_of(thing: &Thing) -> String {
    shown(&Meaning::Thing(thing.sprite)).collect()
}

/// What one prompt was made of.
struct Outcome {
    understanding: Understanding,
    understood: Vec<(String, Meaning)>,
    said: Shown,
    /// A negation was understood, or guessed at.
    is_heeded: bool,
}

impl Outcome {
    fn of(text: &str) -> Self {
        let understanding = understand(text);
        let understood: Vec<_> = understanding
            .terms
            .iter()
            .filter_map(|term| match &term.reading {
                Reading::Understood(meaning) => Some((term.text.clone(), meaning.clone())),
                _ => None,
            })
            .collect();
        let said = understood.iter().flat_map(|(_, meaning)| shown(meaning)).collect();
        let absent = |reading: &Reading| matches!(reading, Reading::Understood(Meaning::Absent) | Reading::Guess(Meaning::Absent));
        let is_heeded = understanding.terms.iter().any(|term| absent(&term.reading));
        Self { understanding, understood, said, is_heeded }
    }

    fn says(&self, any: &Shown) -> bool {
        !any.is_disjoint(&self.said)
    }

    /// A shot has this weather or light, said or not.
    fn is_lit(&self, any: &Shown) -> bool {
        let shots = self.understanding.story.shots.iter();
        shots.flat_map(|shot| [Meaning::Weather(shot.weather), Meaning::Hour(shot.hour)]).any(|meaning| shows(&meaning, any))
    }

    /// A thing in the story that is one of these has this property.
    fn has(&self, any: &Shown, property: impl Fn(&Thing) -> bool) -> bool {
        let things = self.understanding.story.shots.iter().flat_map(|shot| &shot.things);
        things.filter(|thing| is_one(thing, any)).any(property)
    }

    /// How many of these a shot has, of one kind or of several.
    fn count(&self, any: &Shown) -> usize {
        let in_shot = |shot: &Program| shot.things.iter().filter(|thing| is_one(thing, any)).map(|thing| thing.count).sum();
        self.understanding.story.shots.iter().map(in_shot).max().unwrap_or(0)
    }

    /// A thing in the story that is one of these does one of those.
    fn acts(&self, any: &Shown, acts: &Shown) -> bool {
        let beside = |shot: &Program, parent: usize| shot.things.get(parent).is_some_and(|thing| is_one(thing, any));
        let kept_company = |shot: &Program| {
            let mut others = shot.things.iter().filter(|thing| thing.relation == Relation::Beside);
            acts.contains("relation beside") && others.any(|other| other.parent.is_some_and(|parent| beside(shot, parent)))
        };
        self.has(any, |thing| does(thing, acts)) || self.understanding.story.shots.iter().any(kept_company)
    }
}

fn is_one(thing: &Thing, any: &Shown) -> bool {
    any.contains(&named_of(thing))
}

fn does(thing: &Thing, any: &Shown) -> bool {
    let related = thing.parent.is_some() && any.contains(&format!("relation {}", thing.relation.name()));
    let told = [Some(Meaning::Motion(thing.motion)), thing.act.map(Meaning::Act), thing.effect.map(Meaning::Effect)];
    related || told.iter().flatten().any(|meaning| shows(meaning, any))
}

pub fn measure(text: &'static str) -> Measure {
    let glosses = Glosses::read();
    let mut measure = Measure::default();
    for prompt in prompts(text) {
        measure.take(&prompt, &glosses);
    }
    measure
}

impl Measure {
    /// Of all languages.
    pub fn share(&self, aspect: &str) -> Share {
        self.shares.iter().filter(|((_, which), _)| *which == aspect).map(|(_, share)| *share).sum()
    }

    pub fn claimed(&self) -> Share {
        self.claims.values().copied().sum()
    }

    fn take(&mut self, prompt: &Prompt, glosses: &Glosses) {
        let outcome = Outcome::of(prompt.text);
        let (mut meant, mut done) = (Shown::new(), Shown::new());
        for named in &prompt.things {
            let any = glosses.noun(&named.gloss);
            let verb = named.verb.map(|verb| (verb, glosses.verb(verb)));
            meant.extend(any.iter().cloned());
            done.extend(verb.iter().flat_map(|(_, any)| any).cloned());
            if !glosses.is_drawn(&named.gloss) {
                self.undrawn.insert(named.gloss.clone());
                continue;
            }
            self.count(prompt, "nouns", outcome.says(&any), || named.gloss.clone());
            if !any.iter().any(|shown| shown.starts_with("thing ")) {
                continue; // The sea does nothing and has no colour of its own.
            }
            if let Some((verb, acts)) = verb.filter(|(_, acts)| !acts.is_empty()) {
                self.count(prompt, "motions", outcome.acts(&any, &acts), || format!("{} {verb}", named.gloss));
            }
            if let Some(colour) = named.colour {
                let drawn = |thing: &Thing| named_of(thing).contains(&format!(" {colour}-"));
                let coloured = outcome.has(&any, |thing| thing.colour.is_some_and(|found| found.name() == colour) || drawn(thing));
                self.count(prompt, "colours", coloured, || format!("{colour} {}", named.gloss));
            }
            if named.count > 1 {
                let counted = outcome.has(&any, |thing| thing.count == named.count) || outcome.count(&any) == named.count;
                self.count(prompt, "counts", counted, || format!("{} {}", named.count, named.gloss));
            }
        }
        for (sort, gloss) in &prompt.scene {
            let any = glosses.noun(gloss);
            let (aspect, found) = match *sort {
                "caption" => ("captions", outcome.said.contains(&format!("caption {gloss}"))),
                "without" => ("negations", outcome.is_heeded && !outcome.has(&any, |_| true)),
                _ if !glosses.is_drawn(gloss) => {
                    self.undrawn.insert((*gloss).to_owned());
                    meant.extend(any);
                    continue;
                }
                "place" => ("places", outcome.says(&any)),
                "style" => ("styles", outcome.says(&any)),
                "feast" => ("nouns", outcome.says(&any)),
                _ => ("weather and hours", outcome.says(&any) || outcome.is_lit(&any)),
            };
            if *sort != "without" {
                meant.extend(any);
            }
            self.count(prompt, aspect, found, || format!("{sort} {gloss}"));
        }
        meant.extend(prompt.also.iter().flat_map(|gloss| glosses.noun(gloss)));
        done.extend(prompt.also.iter().flat_map(|gloss| glosses.verb(gloss)));
        self.claims(prompt, &outcome, &meant, &done);
    }

    fn count(&mut self, prompt: &Prompt, aspect: &'static str, found: bool, what: impl Fn() -> String) {
        let share = self.shares.entry((prompt.language, aspect)).or_default();
        share.of += 1;
        share.hits += usize::from(found);
        if !found {
            self.missed.push(Miss { language: prompt.language, prompt: prompt.text, aspect, what: what() });
        }
    }

    /// Whether the prompt says what is shown as understood.
    fn claims(&mut self, prompt: &Prompt, outcome: &Outcome, meant: &Shown, done: &Shown) {
        let caption = |text: &str| prompt.scene.contains(&("caption", text));
        for (text, meaning) in &outcome.understood {
            let (aspect, right) = match meaning {
                Meaning::Caption(written) => ("captions", caption(written)),
                Meaning::Colour(colour) => {
                    let named = prompt.things.iter().any(|named| named.colour == Some(colour.name()));
                    ("colours", named || prompt.also.contains(&colour.name()))
                }
                Meaning::Count(count) => {
                    let named = prompt.things.iter().any(|named| named.count == *count);
                    ("counts", named || prompt.also.contains(&count.to_string().as_str()))
                }
                Meaning::Absent => ("negations", prompt.scene.iter().any(|(sort, _)| *sort == "without")),
                _ if is_picture(meaning) => ("nouns", shows(meaning, meant)),
                _ if is_doing(meaning) => ("motions", shows(meaning, done) || shows(meaning, meant)),
                _ => continue,
            };
            let share = self.claims.entry(prompt.language).or_default();
            share.of += 1;
            if !right {
                share.hits += 1;
                let what = format!("{text}: {}", shown(meaning).collect::<Vec<_>>().join(", "));
                self.wrong.push(Miss { language: prompt.language, prompt: prompt.text, aspect, what });
            }
        }
    }
}

impl Share {
    /// 0 to 1; 1 of nothing.
    pub fn value(self) -> f64 {
        if self.of == 0 { 1.0 } else { self.hits as f64 / self.of as f64 }
    }
}

impl std::iter::Sum for Share {
    fn sum<I: Iterator<Item = Self>>(shares: I) -> Self {
        shares.fold(Self::default(), |sum, share| Self { hits: sum.hits + share.hits, of: sum.of + share.of })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{:.1} % ({}/{})", self.value() * 100.0, self.hits, self.of)
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} | {} | {} | {}", self.language, self.aspect, self.what, self.prompt)
    }
}
