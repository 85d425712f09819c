//! Whether a longer prompt still says all that the shorter one said, and nothing that is not understood.

use std::ops::Range;

use crate::codes::{Hour, Weather};
use crate::scene::{Program, Thing};
use crate::words::traits::base;
use crate::words::{Meaning, Reading, Term, Understanding};

/// What was said, understood or guessed.
pub fn said(terms: &[Term]) -> impl Iterator<Item = &Meaning> {
    terms.iter().filter_map(|term| match &term.reading {
        Reading::Understood(meaning) | Reading::Guess(meaning) => Some(meaning),
        Reading::Filler | Reading::Ignored => None,
    })
}

pub fn says(terms: &[Term], sort: &str) -> bool {
    said(terms).any(|meaning| meaning.sort() == sort)
}

pub fn names_place(terms: &[Term]) -> bool {
    says(terms, "backdrop") || says(terms, "setting")
}

/// Everything that was understood before is understood now, in the same pictures, and what was added is understood.
pub fn is_kept(before: &Understanding, now: &Understanding, added: &[Range<usize>]) -> bool {
    let is_added = |term: &&Term| added.iter().any(|range| range.start < term.at.end && term.at.start < range.end);
    let is_read = |term: &Term| matches!(term.reading, Reading::Understood(_) | Reading::Filler);
    let typed = now.terms.iter().filter(|term| !is_added(term)).map(|term| (&term.text, &term.reading));
    before.language == now.language
        && before.story.style == now.story.style
        && before.story.shots.len() == now.story.shots.len()
        && typed.eq(before.terms.iter().map(|term| (&term.text, &term.reading)))
        && now.terms.iter().filter(is_added).all(is_read)
        && before.story.shots.iter().zip(&now.story.shots).all(|(before_shot, now)| is_shot_kept(&before.terms, before_shot, now))
}

fn is_shot_kept(terms: &[Term], before: &Program, now: &Program) -> bool {
    let acts = ["motion", "act", "relation"].iter().any(|sort| says(terms, sort));
    let asked = |program: &Program| program.things.iter().filter(|thing| !thing.added).cloned().collect::<Vec<Thing>>();
    let (things, now_things) = (asked(before), asked(now));
    things.len() <= now_things.len()
        && things.iter().zip(&now_things).all(|(before, now)| is_thing_kept(before, now, acts))
        && (!names_place(terms) || (before.backdrop, before.setting) == (now.backdrop, now.setting))
        && (!says(terms, "hour") && before.hour == Hour::Day || before.hour == now.hour)
        && (matches!(before.weather, Weather::Clear | Weather::Bubbles) && !says(terms, "weather") || before.weather == now.weather)
        && (before.aurora, &before.caption) == (now.aurora, &now.caption)
}

/// `acts`: what is done was said. Otherwise that follows from where it is and from what was added.
fn is_thing_kept(before: &Thing, now: &Thing, acts: bool) -> bool {
    let looks = |thing: &Thing| (thing.sprite, thing.size, thing.count, thing.relation, thing.parent);
    looks(before) == looks(now)
        && (before.colour.is_none() || before.colour == now.colour)
        && (!acts || (before.motion, before.act, before.effect) == (now.motion, now.act, now.effect))
}

/// Whether the picture has it, of the first thing what is said of a thing.
pub fn shows(program: &Program, meaning: &Meaning) -> bool {
    let first = program.things.iter().find(|thing| !thing.added);
    match meaning {
        Meaning::Thing(sprite) => program.things.iter().any(|thing| !thing.added && base(thing.sprite) == base(*sprite)),
        Meaning::Motion(motion) => first.is_some_and(|thing| thing.motion == *motion),
        Meaning::Act(act) => first.is_some_and(|thing| thing.act == Some(*act)),
        Meaning::Colour(colour) => first.is_some_and(|thing| thing.colour == Some(*colour)),
        Meaning::Backdrop(backdrop) => program.backdrop == *backdrop,
        Meaning::Setting(setting) => program.setting == Some(*setting),
        Meaning::Weather(weather) => program.weather == *weather,
        Meaning::Hour(hour) => program.hour == *hour,
        _ => false,
    }
}
