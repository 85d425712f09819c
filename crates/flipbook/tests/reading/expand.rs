//! What is added to a short prompt: it is understood, and nothing that was typed is lost by it.

use crate::random_words::WORDS;
use flipbook::codes::Motion;
use flipbook::layout::{brief, write};
use flipbook::random::Random;
use flipbook::sprites::atlas;
use flipbook::words::expand::{Expanded, expand, expanded, faults, phrases};
use flipbook::words::lexicon::english;
use flipbook::words::traits::base;
use flipbook::words::{Meaning, Reading, Term, understand};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A short prompt in each language that has words for what is added.
const PROMPTS: &[(&str, &str)] = &[
    ("en", "a ball"),
    ("es", "un perro"),
    ("fr", "un chien"),
    ("de", "ein Hund"),
    ("it", "un cane"),
    ("pt", "um cachorro"),
    ("nl", "een hond"),
    ("pl", "duży koń"),
    ("ru", "собака"),
    ("tr", "bir köpek"),
    ("ja", "かわいい犬"),
    ("ko", "강아지"),
    ("zh", "一只狗"),
];

fn meaning(term: &Term) -> Option<&Meaning> {
    match &term.reading {
        Reading::Understood(meaning) | Reading::Guess(meaning) => Some(meaning),
        Reading::Filler | Reading::Ignored => None,
    }
}

/// Laws for any prompt.
fn check(prompt: &str, seed: u64) -> Expanded {
    let made = expanded(prompt, "", seed);
    assert_eq!(made, expanded(prompt, "", seed), "one seed, one text");
    let (before, now) = (understand(prompt), understand(&made.text));
    let mut typed = made.text.clone();
    for range in made.added.iter().rev() {
        typed.replace_range(range.clone(), "");
    }
    assert_eq!(typed, prompt, "what was typed stands as it was typed in {:?}", made.text);
    let is_added = |term: &&Term| made.added.iter().any(|range| range.contains(&term.at.start));
    let (added, kept): (Vec<_>, Vec<_>) = now.terms.iter().partition(is_added);
    assert!(added.iter().all(|term| matches!(term.reading, Reading::Understood(_) | Reading::Filler)), "{:?}: {added:?}", made.text);
    assert!(made.added.is_empty() || added.iter().any(|term| meaning(term).is_some()), "{:?}", made.text);
    assert!(kept.iter().map(|term| &term.reading).eq(before.terms.iter().map(|term| &term.reading)), "{prompt:?} in {:?}", made.text);
    assert_eq!((before.story.shots.len(), before.story.style), (now.story.shots.len(), now.story.style), "{:?}", made.text);
    for (before, now) in before.story.shots.iter().zip(&now.story.shots) {
        let asked: Vec<_> = before.things.iter().filter(|thing| !thing.added).collect();
        let things: Vec<_> = now.things.iter().filter(|thing| !thing.added).collect();
        let looks: Vec<_> = asked.iter().map(|thing| (thing.sprite, thing.count, thing.size, thing.relation, thing.parent)).collect();
        let still: Vec<_> = things.iter().map(|thing| (thing.sprite, thing.count, thing.size, thing.relation, thing.parent)).collect();
        assert!(still.starts_with(&looks), "{:?}", made.text);
        assert_eq!((&before.caption, before.aurora), (&now.caption, now.aurora), "{:?}", made.text);
        for (before, now) in asked.iter().zip(&things).filter(|(before, _)| before.colour.is_some()) {
            assert_eq!(before.colour, now.colour, "{:?}", made.text);
        }
    }
    made
}

fn drawable_nouns() -> BTreeSet<String> {
    let words = english().words().filter_map(|(word, mut senses)| senses.any(|sense| sense.sprite.is_some()).then(|| word.to_owned()));
    words.chain(atlas().ids().map(|id| base(id).replace('-', " "))).collect()
}

#[test]
fn the_rules_have_no_faults_and_every_phrase_is_read_as_it_is_meant() {
    assert_eq!(faults(), Vec::<String>::new());
    let mut misread = Vec::new();
    for (language, meant, phrase) in phrases() {
        let (_, prompt) = PROMPTS.iter().find(|(name, _)| *name == language).unwrap();
        // A ball has no legs, and nothing to wave with.
        let has_limbs = matches!(meant, Meaning::Motion(Motion::Walk) | Meaning::Act(_));
        let prompt = if has_limbs { "a dog" } else { prompt };
        let read = understand(&format!("{prompt}{}{phrase}", if matches!(language, "ja" | "zh") { "、" } else { ", " }));
        let named = |term: &Term| match (meaning(term), &meant) {
            (Some(Meaning::Thing(one)), Meaning::Thing(other)) => base(*one) == base(*other),
            (told, _) => told == Some(&meant),
        };
        let in_a_sentence = matches!(meant, Meaning::Motion(_) | Meaning::Colour(_) | Meaning::Act(_));
        assert_eq!(read.language, language, "{phrase}");
        let is_sure = !read.terms.iter().any(|term| matches!(term.reading, Reading::Ignored | Reading::Guess(_)));
        if !is_sure || !in_a_sentence && !read.terms.iter().any(named) {
            misread.push(format!("{language}: {phrase}, for {meant:?}: {:?}", read.terms));
        }
    }
    assert!(misread.is_empty(), "{}", misread.join("\n"));
}

/// What is added is no larger than what was asked for, but by so little that nobody sees it.
#[test]
fn every_noun_that_can_be_drawn_gets_a_scene_and_stays_its_subject() {
    let nouns = drawable_nouns();
    let (mut richer, mut count, mut smaller) = (0, 0, Vec::new());
    for (place, noun) in nouns.iter().enumerate() {
        let (prompt, seed) = (format!("a {noun}"), place as u64 % 7);
        let typed = understand(&prompt).story.shots.remove(0).things;
        let (asked, subject) = (typed.len(), typed.into_iter().find(|thing| !thing.added));
        let made = check(&prompt, seed);
        count += 1;
        richer += usize::from(!made.added.is_empty());
        let shot = understand(&made.text).story.shots.remove(0);
        let Some(subject) = subject else { continue };
        assert_eq!(shot.things[0].sprite, subject.sprite, "{:?}", made.text);
        if shot.things.len() > asked {
            let brief = brief(&shot, 16.0 / 9.0, 4.0);
            let layout = write(&brief, &mut Random::new(seed));
            let largest = |is_asked: bool| {
                let slots = brief.slots.iter().zip(&layout.objects).filter(|(slot, _)| (slot.thing < asked) == is_asked);
                slots.map(|(_, object)| object.size).fold(0.0, f32::max)
            };
            let (first, others) = (largest(true), largest(false));
            if first < others * 0.95 {
                smaller.push(format!("{:?}: {first} beside {others}", made.text));
            }
        }
    }
    assert_eq!(smaller, Vec::<String>::new());
    println!("{richer} of {count} nouns get more");
    assert!(richer * 100 >= count * 95, "{richer} of {count}");
}

#[test]
fn a_short_prompt_is_made_richer_in_its_own_language() {
    for (language, prompt) in PROMPTS {
        let texts: BTreeSet<String> = (0..12).map(|seed| check(prompt, seed).text).collect();
        assert!(texts.len() > 2 && !texts.contains(*prompt), "{texts:?}");
        assert!(texts.iter().all(|text| understand(text).language == *language), "{texts:?}");
        println!("{}", texts.iter().take(4).cloned().collect::<Vec<_>>().join("\n"));
    }
    for prompt in ["kissa puutarhassa", "con mèo"] {
        assert_eq!(expand(prompt, 3), prompt, "a language without words of its own gets none of another");
    }
}

#[test]
fn what_was_said_is_neither_said_again_nor_contradicted() {
    let full = "a red ball bounces in a meadow on a sunny morning, with butterflies";
    for prompt in [full, "two dogs running on a beach at night", "xqzvth", "", "quantum ontology", "!"] {
        assert_eq!(expand(prompt, 5), prompt);
    }
    for seed in 0..20 {
        let told = |prompt: &str| understand(&check(prompt, seed).text).story.shots.remove(0);
        let forest = told("a forest without trees");
        assert!(forest.things.iter().all(|thing| thing.added) && forest.backdrop.name() == "forest");
        assert_eq!(told("a cat at night").hour.name(), "night");
        assert_eq!(told("a cat in the snow").weather.name(), "snow");
        assert_eq!(told("a green cat").things[0].colour.unwrap().name(), "green");
        assert_eq!(told("a cat sleeping").things[0].act.unwrap().name(), "sleep");
        let apart = check("A dog runs. Then a bird sings.", seed).text;
        assert!(apart.starts_with("A ") && apart.ends_with(". Then a bird sings."), "{apart}");
        let styled = check("a boat, paper cut", seed).text;
        assert!(styled.ends_with(", paper cut") && styled.len() > 20, "{styled}");
        let quoted = check("a cat saying \"hello\"", seed).text;
        assert!(quoted.contains("saying \"hello\"") && !quoted.contains("running"), "{quoted}");
        let without = expanded("a ball", "butterflies, flowers, birds, rain, park", seed).text;
        assert!(["butterfl", "tulip", "bird", "rain", "park"].iter().all(|word| !without.contains(word)), "{without}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_keeps_the_laws(prompt in any::<String>(), seed in any::<u64>()) {
        check(&prompt, seed);
    }

    #[test]
    fn any_words_keep_the_laws(words in prop::collection::vec(prop::sample::select(WORDS), 0..12), seed in any::<u64>()) {
        check(&words.join(" "), seed);
    }
}
