//! Laws that hold for what is understood of any prompt.

use crate::random_words::WORDS;
use flipbook::codes::{Backdrop, Relation};
use flipbook::scene::{MOST_ALIKE, MOST_DRAWN, Program, SLOTS, Thing};
use flipbook::words::{Meaning, Reading, Understanding, understand};
use proptest::prelude::*;

/// Laws for any prompt.
fn check(prompt: &str) -> Understanding {
    let understood = understand(prompt);
    let mut end = 0;
    let mut covered = vec![false; prompt.len()];
    for term in &understood.terms {
        assert!(term.at.start >= end && term.at.end > term.at.start, "terms are in order and apart: {prompt:?}");
        assert_eq!(prompt.get(term.at.clone()), Some(term.text.as_str()));
        covered[term.at.clone()].fill(true);
        end = term.at.end;
    }
    for (at, c) in prompt.char_indices() {
        assert!(covered[at] || !c.is_alphanumeric(), "{c:?} of {prompt:?} is in no term");
    }
    assert!((1..=3).contains(&understood.story.shots.len()));
    for program in &understood.story.shots {
        assert!(program.things.len() <= SLOTS && program.things.iter().all(|thing| thing.count <= MOST_ALIKE), "{prompt:?}");
        assert!(program.things.iter().map(|thing| thing.count).sum::<usize>() <= MOST_DRAWN, "{prompt:?}");
        for (index, thing) in program.things.iter().enumerate() {
            assert!(thing.count >= 1 && (-2..=2).contains(&thing.size));
            assert_eq!(thing.parent.is_none(), thing.relation == Relation::None, "{prompt:?}");
            let (mut above, mut steps) = (thing.parent, 0);
            while let Some(parent) = above {
                steps += 1;
                assert!(parent < program.things.len() && parent != index && steps <= SLOTS, "parents go round in {prompt:?}");
                above = program.things[parent].parent;
            }
        }
    }
    for term in &understood.terms {
        if let Reading::Understood(meaning) = &term.reading {
            assert!(is_shown(&understood.story.shots, meaning), "{:?} of {prompt:?} is not in the picture", term.text);
        }
    }
    understood
}

fn is_shown(shots: &[Program], meaning: &Meaning) -> bool {
    let any = |holds: &dyn Fn(&Thing) -> bool| shots.iter().any(|shot| shot.things.iter().any(holds));
    match meaning {
        Meaning::Thing(sprite) => any(&|thing| thing.sprite == *sprite),
        Meaning::Things(sprites) => sprites.iter().all(|sprite| any(&|thing| thing.sprite == *sprite)),
        Meaning::Act(act) => any(&|thing| thing.act == Some(*act)),
        Meaning::Effect(effect) => any(&|thing| thing.effect == Some(*effect)),
        Meaning::Weather(weather) => shots.iter().any(|shot| shot.weather == *weather),
        Meaning::Hour(hour) => shots.iter().any(|shot| shot.hour == *hour),
        Meaning::Backdrop(place) => *place == Backdrop::Sky || shots.iter().any(|shot| shot.backdrop == *place),
        Meaning::Setting(setting) => shots.iter().any(|shot| shot.setting == Some(*setting)),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_keeps_the_laws(prompt in any::<String>()) {
        check(&prompt);
    }

    #[test]
    fn any_letters_keep_the_laws(prompt in "[ -~äéßñøЖк猫走るがのก็ิ가한😀🐱🏽\u{200d}\u{fe0f}'’\"“”.,!-]{0,80}") {
        check(&prompt);
    }

    #[test]
    fn any_words_keep_the_laws(words in prop::collection::vec(prop::sample::select(WORDS), 0..30)) {
        check(&words.join(" "));
    }

    #[test]
    fn the_same_prompt_is_understood_the_same(words in prop::collection::vec(prop::sample::select(WORDS), 0..12)) {
        let prompt = words.join(" ");
        prop_assert_eq!(understand(&prompt), understand(&prompt));
    }
}
