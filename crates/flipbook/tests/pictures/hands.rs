//! What hands do is said and seen: the act, and what is worked on near who works.

use flipbook::codes::Act;
use flipbook::layout::{brief, settle, write};
use flipbook::paint::film::{Film, Moment};
use flipbook::random::Random;
use flipbook::scene::Program;
use flipbook::words::{Meaning, Reading, understand};

fn program(prompt: &str) -> Program {
    understand(prompt).story.shots.into_iter().next().expect("a shot")
}

fn film(prompt: &str) -> Film {
    let program = program(prompt);
    let brief = brief(&program, 16.0 / 9.0, 3.0);
    let settled = settle(&brief, write(&brief, &mut Random::new(1)));
    Film::new(program, brief, settled, 320, 180, 24, 1)
}

#[test]
fn what_hands_do_is_understood_with_any_article_and_owner() {
    for (prompt, act) in [
        ("a baker kneading dough", Act::Knead),
        ("a baker kneads the dough", Act::Knead),
        ("a man washing all the dishes", Act::WashUp),
        ("a boy ties his shoes", Act::TieShoes),
        ("a boy tying shoes", Act::TieShoes),
        ("an elf wrapping presents", Act::Wrap),
        ("a welder welding metal", Act::Weld),
        ("una abuela cose un vestido", Act::Sew),
        ("ein Junge pflanzt einen Baum", Act::Plant),
    ] {
        let doing = program(prompt).things.iter().any(|thing| thing.act == Some(act));
        let understood = understand(prompt).terms.iter().any(|term| term.reading == Reading::Understood(Meaning::Act(act)));
        assert!(doing && understood, "{prompt}");
    }
}

#[test]
fn what_is_worked_on_is_near_and_no_larger_than_who_works() {
    for prompt in [
        "a woman slicing bread",
        "a man fixing a bicycle",
        "a girl stirring soup",
        "a boy peeling a banana",
        "a man typing on a laptop",
        "a girl writing on a blackboard",
    ] {
        let film = film(prompt);
        for frame in [0, film.frames / 2, film.frames - 1] {
            let m = Moment::at(&film, frame);
            let [who, what] = [0, 1].map(|place| m.poses[place]);
            let tall = who.h * film.height;
            let apart = (who.x - what.x).abs() * film.width;
            assert!(apart < 1.2 * tall, "{prompt}: {apart} of {tall}");
            assert!(what.h < 1.2 * who.h, "{prompt}: {} of {}", what.h, who.h);
            assert!((0.0..=1.0).contains(&who.x) && (0.0..=1.0).contains(&what.x), "{prompt}");
        }
    }
}

#[test]
fn a_workplace_that_nobody_named_is_painted() {
    for (with, without) in
        [("a man sawing wood", "a man standing"), ("a woman hanging laundry in a meadow", "a woman standing in a meadow")]
    {
        let [with, without] = [with, without].map(|prompt| film(prompt).frame(20));
        let differ = with.iter().zip(&without).filter(|(a, b)| a.abs_diff(**b) > 24).count();
        assert!(differ > with.len() / 100, "{differ}");
    }
}

#[test]
fn who_works_is_nobody_elses_work() {
    for prompt in ["a boy and two turtles catching fish", "two turtles catching fish", "two robots fixing a robot"] {
        // Each drew the other, without end.
        assert_eq!(film(prompt).frame(30).len(), 320 * 180 * 3, "{prompt}");
    }
}
