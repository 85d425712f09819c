//! What two or more do with each other, in sport and at feasts, and what they feel, is understood as it was said.

use flipbook::codes::{Act, Effect};
use flipbook::scene::Program;
use flipbook::words::understand;

fn told(prompt: &str) -> Program {
    understand(prompt).story.shots.into_iter().next().unwrap_or_else(|| panic!("{prompt} shows something"))
}

fn acts(prompt: &str) -> Vec<Option<Act>> {
    told(prompt).things.iter().map(|thing| thing.act).collect()
}

#[test]
fn both_do_what_two_do_together_and_one_does_it_to_another() {
    for (prompt, act) in [
        ("two men shaking hands", Act::ShakeHands),
        ("a boy and a girl holding hands", Act::HoldHands),
        ("a mom and her daughter walking hand in hand", Act::HoldHands),
        ("a king and a queen dancing a waltz", Act::Waltz),
        ("two old men playing chess", Act::Chess),
        ("a couple arguing", Act::Argue),
        ("children having a snowball fight", Act::SnowballFight),
        ("dos amigos jugando al ajedrez", Act::Chess),
    ] {
        assert!(acts(prompt).iter().all(|own| *own == Some(act)), "{prompt}: {:?}", acts(prompt));
    }
    for (prompt, act) in [
        ("a mother comforting a boy", Act::Comfort),
        ("a man proposing to a woman", Act::Propose),
        ("a woman walking a dog", Act::Lead),
        ("a father carrying his son on his shoulders", Act::Shoulder),
    ] {
        assert_eq!(acts(prompt), [Some(act), None], "{prompt}");
    }
}

#[test]
fn walking_beside_somebody_is_no_leading() {
    assert!(acts("a man walking with a woman").iter().all(Option::is_none));
    assert!(acts("a dog walking a cat").iter().all(Option::is_none));
}

#[test]
fn what_an_act_needs_is_no_thing_of_its_own() {
    for (prompt, act) in [
        ("a boy hitting a baseball with a bat", Act::Bat),
        ("the mayor cutting a ribbon", Act::CutRibbon),
        ("a girl with a hula hoop", Act::Hula),
        ("a magician pulling a rabbit out of a hat", Act::Conjure),
    ] {
        assert_eq!(acts(prompt), [Some(act)], "{prompt}");
    }
}

#[test]
fn a_feeling_is_of_whom_it_is_said() {
    let felt = |prompt: &str| told(prompt).things.iter().map(|thing| thing.effect).collect::<Vec<_>>();
    assert_eq!(felt("an angry man and a happy girl"), [Some(Effect::Anger), Some(Effect::Joy)]);
    assert_eq!(felt("a scared cat"), [Some(Effect::Fear)]);
    assert_eq!(felt("un niño triste"), [Some(Effect::Sadness)]);
    assert_eq!(felt("a man"), [None]);
}
