//! How well everyday prompts are understood, in ten languages: a person wrote what each means before looking at the word lists.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

#[path = "common/everyday.rs"]
mod measure;

use measure::{ASPECTS, measure, prompts};

/// The share of what has a drawing that is to be understood, of nouns, motions, colours, counts and places each.
const GOAL_UNDERSTOOD: f64 = 0.9;
/// The largest share of what is shown as understood that may be wrong.
const GOAL_WRONG: f64 = 0.02;

#[test]
fn the_set_has_three_hundred_prompts_and_twenty_of_each_language() {
    let prompts = prompts();
    assert_eq!(prompts.len(), 300);
    for language in ["en", "de", "fr", "es", "pt", "it", "ru", "ar", "zh", "ja"] {
        assert!(prompts.iter().filter(|prompt| prompt.language == language).count() >= 20, "{language}");
    }
}

#[test]
fn what_everyday_prompts_say_is_understood_and_what_is_shown_as_understood_is_right() {
    let measure = measure();
    for aspect in ASPECTS {
        println!("{aspect}: {}", measure.share(aspect));
    }
    println!("wrong: {}", measure.claimed());
    for aspect in &ASPECTS[..5] {
        let share = measure.share(aspect);
        assert!(share.value() >= GOAL_UNDERSTOOD, "{aspect}: {share}");
    }
    let wrong: Vec<_> = measure.wrong.iter().map(ToString::to_string).collect();
    assert!(measure.claimed().value() <= GOAL_WRONG, "{} wrong\n{}", measure.claimed(), wrong.join("\n"));
}
