//! How well everyday prompts are understood, in ten languages: a person wrote what each means before looking at the word lists.

use crate::measure::{ASPECTS, EVERYDAY, FRESH, measure, prompts};
use flipbook::words::understand;

/// The share of what has a drawing that is to be understood, of nouns, motions, colours, counts and places each.
const GOAL_UNDERSTOOD: f64 = 0.9;
/// The largest share of what is shown as understood that may be wrong.
const GOAL_WRONG: f64 = 0.02;

#[test]
fn the_sets_have_as_many_prompts_as_they_say_and_some_of_each_language() {
    for (text, all, each) in [(EVERYDAY, 300, 20), (FRESH, 100, 10)] {
        let prompts = prompts(text);
        assert_eq!(prompts.len(), all);
        for language in ["en", "de", "fr", "es", "pt", "it", "ru", "ar", "zh", "ja"] {
            assert!(prompts.iter().filter(|prompt| prompt.language == language).count() >= each, "{language}");
        }
    }
}

#[test]
fn what_prompts_say_is_understood_and_what_is_shown_as_understood_is_right() {
    for (set, text) in [("everyday", EVERYDAY), ("fresh", FRESH)] {
        let measure = measure(text);
        for aspect in ASPECTS {
            println!("{set}: {aspect}: {}", measure.share(aspect));
        }
        println!("{set}: wrong: {}", measure.claimed());
        for aspect in &ASPECTS[..5] {
            let share = measure.share(aspect);
            assert!(share.value() >= GOAL_UNDERSTOOD, "{set}: {aspect}: {share}");
        }
        let wrong: Vec<_> = measure.wrong.iter().map(ToString::to_string).collect();
        assert!(measure.claimed().value() <= GOAL_WRONG, "{set}: {} wrong\n{}", measure.claimed(), wrong.join("\n"));
    }
}

#[test]
fn verbs_are_understood_in_forms_that_are_not_listed_and_counts_behind_their_noun() {
    for (prompt, motion) in [
        ("los perros galopaban por la playa", "run"),
        ("ein Hund, der über die Wiese galoppierte", "run"),
        ("собаки прыгали в парке", "jump"),
        ("الأولاد يركضان في الغابة", "run"),
    ] {
        let motions: Vec<_> = understand(prompt).story.shots[0].things.iter().map(|thing| thing.motion.name()).collect();
        assert!(motions.contains(&motion), "{prompt}: {motions:?}");
    }
    for (prompt, count) in [("うさぎが二匹、月で踊っている", 2), ("テーブルにろうそく5本", 5), ("3匹の猫", 3), ("七只鸭子在湖里游", 7)]
    {
        let counts: Vec<_> = understand(prompt).story.shots[0].things.iter().map(|thing| thing.count).collect();
        assert!(counts.contains(&count), "{prompt}: {counts:?}");
    }
}
