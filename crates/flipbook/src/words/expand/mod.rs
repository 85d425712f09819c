//! Makes a short prompt richer: a grammar, walked by seed, adds what was left open, where and when it is, what it does, in which
//! colour and in what company.
//!
//! Every addition is read back: one by which anything that was typed would be lost, changed or read otherwise is not made. So what
//! was typed stands in the result as it was typed. A language says it in its own words; one without such words gets nothing added.

mod kept;
mod rules;

use std::ops::Range;

use crate::codes::{Backdrop, Hour, Weather};
use crate::random::Random;
use crate::scene::{Program, Thing};
use crate::sprites::atlas;

use super::traits::base;
use super::{Meaning, Reading, Term, Understanding, understand};
use kept::{is_kept, names_place, said, says, shows};
use rules::{Rules, Section, rules};

pub use rules::{faults, phrases};

/// A longer prompt says enough by itself, in characters.
const LONGEST: usize = 240;
/// Ways to add one thing that are tried.
const TRIES: usize = 5;
/// Things and copies beside which there is room for company.
const MOST_FOR_COMPANY: usize = 3;
/// Of company, in natural heights of the first thing: pictures bring sizes closer together.
const SMALL: f32 = 0.5;
/// Draws of one seed, apart from those of the scene.
const PURPOSE: u64 = 0x7269_6368;
const LIST: &[char] = &[',', '、', '，', '،'];
const STOPS: &[char] = &['.', '!', '?', '\n', '。', '！', '？', '؟', '।', '…'];

/// A prompt with what was added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    pub text: String,
    /// Bytes of `text` that were not typed, in order.
    pub added: Vec<Range<usize>>,
}

/// The prompt made richer; itself where nothing can be added.
pub fn expand(prompt: &str, seed: u64) -> String {
    expanded(prompt, "", seed).text
}

/// As [`expand`]; nothing is added that `without` names.
pub fn expanded(prompt: &str, without: &str, seed: u64) -> Expanded {
    let before = understand(prompt);
    let language = rules().language(&before.language);
    let Some(language) = language.filter(|_| !before.is_empty() && !is_full(prompt, &before)) else {
        return Expanded { text: prompt.to_owned(), added: Vec::new() };
    };
    let unwanted = said(&understand(without).terms).cloned().collect();
    let mut writer = Writer::new(prompt, before, language, unwanted, Random::of(seed, PURPOSE));
    writer.colour();
    writer.motion();
    writer.place();
    writer.weather();
    writer.hour();
    writer.company();
    render(prompt, &writer.inserts)
}

/// It says where, when and what happens.
fn is_full(prompt: &str, understanding: &Understanding) -> bool {
    let says = |sort| says(&understanding.terms, sort);
    let several = said(&understanding.terms).filter(|meaning| matches!(meaning, Meaning::Thing(_))).count() > 1;
    let happens = says("motion") || says("act") || several;
    names_place(&understanding.terms) && (says("hour") || says("weather")) && happens || prompt.chars().nth(LONGEST).is_some()
}

/// The texts at their places in the prompt, and where they are then.
fn render(prompt: &str, inserts: &[(usize, String)]) -> Expanded {
    let mut expanded = Expanded { text: String::with_capacity(prompt.len() * 2), added: Vec::new() };
    let mut from = 0;
    for (at, text) in inserts {
        expanded.text.push_str(prompt.get(from..*at).unwrap_or_default());
        let start = expanded.text.len();
        expanded.text.push_str(text);
        expanded.added.push(start..expanded.text.len());
        from = *at;
    }
    expanded.text.push_str(prompt.get(from..).unwrap_or_default());
    expanded
}

/// The prompt while it is added to.
struct Writer<'a> {
    prompt: &'a str,
    rules: &'static Rules,
    language: &'static Section,
    random: Random,
    /// What was typed, as it was understood.
    before: Understanding,
    /// The same with what was added.
    now: Understanding,
    /// Byte of the prompt and what comes there, in order.
    inserts: Vec<(usize, String)>,
    unwanted: Vec<Meaning>,
    /// Of the first sentence, where most is added.
    end: usize,
    /// The term that names the first thing.
    subject: Option<Term>,
}

impl<'a> Writer<'a> {
    fn new(prompt: &'a str, before: Understanding, language: &'static Section, unwanted: Vec<Meaning>, random: Random) -> Self {
        let first = before.story.shots.first().and_then(asked_first);
        let names = |term: &&Term| match (&term.reading, first) {
            (Reading::Understood(Meaning::Thing(sprite)) | Reading::Guess(Meaning::Thing(sprite)), Some(first)) => {
                base(*sprite) == base(first.sprite)
            }
            _ => false,
        };
        let subject = before.terms.iter().find(names).cloned();
        let end = first_end(prompt, &before.terms);
        let now = before.clone();
        Self { prompt, rules: rules(), language, random, before, now, inserts: Vec::new(), unwanted, end, subject }
    }

    fn shot(&self) -> Option<&Program> {
        self.now.story.shots.first()
    }

    fn says(&self, sort: &str) -> bool {
        says(&self.before.terms, sort)
    }

    /// Adds the first of these that can be said at one of these places, each a byte with what comes before and after the phrase.
    fn add(&mut self, mut meanings: Vec<Meaning>, places: &[(usize, &str, &str)]) {
        meanings.retain(|meaning| !self.unwanted.contains(meaning) && !self.language.phrases(meaning).is_empty());
        meanings.truncate(TRIES);
        for meaning in meanings {
            let phrase = self.one(self.language.phrases(&meaning));
            for (at, before, after) in places {
                if self.attempt(&meaning, *at, format!("{before}{phrase}{after}")) {
                    return;
                }
            }
        }
    }

    fn one(&mut self, phrases: &'static [String]) -> &'static str {
        phrases.get(self.random.below(phrases.len())).map_or("", String::as_str)
    }

    fn shuffled(&mut self, mut meanings: Vec<Meaning>) -> Vec<Meaning> {
        for last in (1..meanings.len()).rev() {
            meanings.swap(last, self.random.below(last + 1));
        }
        meanings
    }

    fn attempt(&mut self, meaning: &Meaning, at: usize, text: String) -> bool {
        let behind = self.inserts.partition_point(|(other, _)| *other <= at);
        self.inserts.insert(behind, (at, text));
        let expanded = render(self.prompt, &self.inserts);
        let now = understand(&expanded.text);
        let is_said = now.story.shots.first().is_some_and(|shot| shows(shot, meaning) && self.is_still_shown(shot));
        let is_good = is_said && is_kept(&self.before, &now, &expanded.added);
        if is_good {
            self.now = now;
        } else {
            self.inserts.remove(behind);
        }
        is_good
    }

    /// What was added before is not lost again.
    fn is_still_shown(&self, shot: &Program) -> bool {
        let mut added = said(&self.now.terms).filter(|meaning| !said(&self.before.terms).any(|typed| typed == *meaning));
        added.all(|meaning| shows(shot, meaning) || matches!(meaning, Meaning::Relation(_) | Meaning::Count(_)))
    }

    /// Of a thing of which no more is said than its name.
    fn colour(&mut self) {
        let Some((sprite, at)) =
            self.subject.as_ref().zip(self.shot().and_then(asked_first)).map(|(term, thing)| (thing.sprite, term.at.start))
        else {
            return;
        };
        if ["colour", "size", "effect", "style"].iter().any(|sort| self.says(sort)) || self.random.chance(0.4) {
            return;
        }
        let before = self.prompt.get(..at).unwrap_or_default();
        // The article in front of it stays as it was typed.
        let vowel = match before.to_lowercase().rsplit(' ').nth(1) {
            Some("an") => Some(true),
            Some("a") => Some(false),
            _ => None,
        };
        let mut colours = self.rules.colours(sprite);
        colours.retain(|colour| vowel.is_none_or(|vowel| vowel == colour.value().starts_with(['o', 'a'])));
        let colours = self.shuffled(colours);
        self.add(colours, &[(at, "", " ")]);
    }

    /// Behind the only thing, or behind several that are named one after the other.
    fn motion(&mut self) {
        let Some((sprite, end)) =
            self.subject.as_ref().zip(self.shot().and_then(asked_first)).map(|(term, thing)| (thing.sprite, term.at.end))
        else {
            return;
        };
        if ["motion", "act", "relation", "caption"].iter().any(|sort| self.says(sort)) || self.now.story.shots.len() > 1 {
            return;
        }
        let several = self.shot().is_some_and(|shot| shot.things.iter().filter(|thing| !thing.added).count() > 1);
        let at = if several { self.end } else { end };
        let list = self.prompt.get(end..self.end).unwrap_or_default().contains(LIST);
        if several && (list || self.before.terms.iter().rfind(|term| term.at.end <= at).is_none_or(|term| !is_thing(term))) {
            return;
        }
        let motions = self.shuffled(self.rules.motions(sprite));
        self.add(motions, &[(at, " ", "")]);
    }

    fn place(&mut self) {
        let (Some(shot), false) = (self.shot(), names_place(&self.before.terms)) else { return };
        let (here, aurora) = (shot.backdrop, shot.aurora);
        let shots = &self.now.story.shots;
        if shots.iter().any(|shot| shot.backdrop != here) {
            return;
        }
        let stays = aurora || shots.len() > 1 || self.says("absent");
        let elsewhere = if stays { Vec::new() } else { self.rules.also(here) };
        let mut places = self.shuffled(elsewhere);
        if here != Backdrop::Plain {
            let at = if places.is_empty() || self.random.chance(0.6) { 0 } else { 1 };
            places.insert(at, Meaning::Backdrop(here));
        }
        self.scenery(places);
    }

    fn weather(&mut self) {
        let sunny = said(&self.before.terms).any(|meaning| *meaning == Meaning::Hour(Hour::Day));
        let Some(shot) = self.shot().filter(|shot| shot.weather == Weather::Clear && shot.hour != Hour::Night) else { return };
        let backdrop = shot.backdrop;
        if sunny || self.says("weather") || self.says("absent") || self.random.chance(0.65) {
            return;
        }
        let weathers = self.shuffled(self.rules.weathers(backdrop));
        self.scenery(weathers);
    }

    /// Not where the weather says how light it is.
    fn hour(&mut self) {
        let Some(shot) = self.shot().filter(|shot| matches!(shot.hour, Hour::Day | Hour::Night)) else { return };
        let clear = matches!(shot.weather, Weather::Clear | Weather::Leaves | Weather::Blossom | Weather::Stars | Weather::Hearts);
        let (backdrop, hour) = (shot.backdrop, shot.hour);
        if self.says("hour") || !clear {
            return;
        }
        let hours = if hour == Hour::Night { vec![Meaning::Hour(hour)] } else { self.rules.hours(backdrop) };
        let hours = self.shuffled(hours);
        self.scenery(hours);
    }

    /// A few small things beside what was asked for.
    fn company(&mut self) {
        let Some(shot) = self.shot() else { return };
        let lead = asked_first(shot).map(|thing| thing.sprite);
        let copies: usize = shot.things.iter().filter(|thing| !thing.added).map(|thing| thing.count).sum();
        let fair = matches!(shot.weather, Weather::Clear | Weather::Wind | Weather::Leaves | Weather::Blossom | Weather::Bubbles);
        let lights = shot.hour == Hour::Night;
        let backdrop = shot.backdrop;
        if copies > MOST_FOR_COMPANY || self.says("absent") || self.now.story.shots.len() > 1 {
            return;
        }
        let mut company = self.rules.company(lead, backdrop);
        company.retain(|meaning| match (meaning, lead) {
            (Meaning::Thing(sprite), Some(lead)) => {
                atlas().get(*sprite).metres <= atlas().get(lead).metres * SMALL && base(*sprite) != base(lead)
            }
            _ => true,
        });
        // Butterflies and birds come out in fine weather, by day.
        let indoors = matches!(backdrop, Backdrop::Room | Backdrop::Kitchen | Backdrop::Stage | Backdrop::Underwater);
        if !indoors && (!fair || lights) {
            return;
        }
        let company = self.shuffled(company);
        let end = self.end;
        match self.language.comma() {
            Some(comma) => self.add(company, &[(end, comma, "")]),
            None => self.add(company, &[(end, ", ", ""), (end, " ", "")]),
        }
    }

    fn scenery(&mut self, meanings: Vec<Meaning>) {
        let end = self.end;
        let ended = self.before.terms.iter().rfind(|term| term.at.end <= end);
        let list = self.prompt.get(..end).unwrap_or_default().contains([',', '"', ':', ';', '”', '»']);
        let apart = list
            || ended
                .is_none_or(|term| matches!(term.reading, Reading::Ignored | Reading::Understood(Meaning::Caption(_) | Meaning::Style(_))));
        match self.language.comma() {
            Some(comma) => self.add(meanings, &[(end, comma, "")]),
            None if apart && self.inserts.last().is_none_or(|(at, _)| *at < end) => self.add(meanings, &[(end, ", ", "")]),
            None => self.add(meanings, &[(end, " ", ""), (end, ", ", "")]),
        }
    }
}

fn asked_first(shot: &Program) -> Option<&Thing> {
    shot.things.iter().find(|thing| !thing.added)
}

fn is_thing(term: &Term) -> bool {
    matches!(term.reading, Reading::Understood(Meaning::Thing(_)) | Reading::Guess(Meaning::Thing(_)))
}

/// Where the first sentence ends, without the style and the caption that stand behind a comma, or what comes before another shot.
fn first_end(prompt: &str, terms: &[Term]) -> usize {
    let ends = |pair: &&[Term]| {
        let [term, next] = pair else { return false };
        let between = prompt.get(term.at.end..next.at.start).unwrap_or_default();
        let aside = matches!(next.reading, Reading::Understood(Meaning::Style(_) | Meaning::Caption(_))) && between.contains(LIST);
        aside || next.reading == Reading::Understood(Meaning::Shot) || between.contains(STOPS)
    };
    let last = terms.windows(2).find(ends).and_then(|pair| pair.first()).or(terms.last()).map_or(prompt.len(), |term| term.at.end);
    let is_last = terms.last().is_none_or(|term| term.at.end == last);
    // A bracket behind the last word stays with it.
    if is_last && !prompt.get(last..).unwrap_or_default().contains(STOPS) { prompt.trim_end().len() } else { last }
}
