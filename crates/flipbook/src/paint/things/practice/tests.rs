//! Those who do something together stand as the table has it, and faces show what is felt.

use crate::codes::{Act, Backdrop, Effect, Hour, Motion, Relation, Weather};
use crate::figures::Figure;
use crate::layout::{brief, write};
use crate::paint::film::{Film, Moment};
use crate::paint::practices::{Stand, practices};
use crate::random::Random;
use crate::scene::{Program, Thing};
use crate::sprites::atlas;

fn thing(name: &str, count: usize, act: Option<Act>) -> Thing {
    Thing {
        course: None,
        sprite: atlas().named(name).expect("a drawing"),
        motion: Motion::Idle,
        colour: None,
        size: 0,
        count,
        relation: Relation::None,
        parent: None,
        effect: None,
        act,
        added: false,
    }
}

fn film(things: Vec<Thing>, seed: u64) -> Film {
    let program =
        Program { things, backdrop: Backdrop::Park, setting: None, weather: Weather::Clear, hour: Hour::Day, aurora: false, caption: None };
    let brief = brief(&program, 16.0 / 9.0, 3.0);
    let layout = write(&brief, &mut Random::of(seed, 0));
    Film::of_layout(program, brief, layout, 320, 180, 24, seed)
}

#[test]
fn those_who_shake_hands_face_each_other_within_reach() {
    for seed in 0..4 {
        let film = film(vec![thing("man", 2, Some(Act::ShakeHands))], seed);
        let m = Moment::at(&film, film.frames / 2);
        let [one, other] = [m.poses[0], m.poses[1]];
        let high = one.h * one.scale * film.height / film.width;
        assert!((other.x - one.x).abs() < 0.75 * high, "{one:?} {other:?}");
        assert!(film.look_of(&m, 0) * (other.x - one.x) > 0.0 && film.look_of(&m, 1) * (one.x - other.x) > 0.0);
    }
}

#[test]
fn all_who_do_something_together_are_in_the_frame() {
    for practice in practices() {
        let film = film(vec![thing("girl", 3, Some(practice.act))], 7);
        for frame in [0, film.frames / 2] {
            let m = Moment::at(&film, frame);
            let spot = film.spot_of(&m, 0);
            if matches!(practice.stand, Stand::Bears(_)) || practice.act == Act::Hug {
                continue;
            }
            assert!(spot.is_some(), "{:?}", practice.act);
            let travels = practice.postures.iter().any(|posture| !posture.path.is_empty());
            assert!(travels || m.poses.iter().all(|pose| (0.0..=1.0).contains(&pose.x)), "{:?}", practice.act);
        }
    }
}

#[test]
fn a_child_on_the_shoulders_is_above_who_carries_it() {
    let child = Thing { relation: Relation::Beside, parent: Some(0), ..thing("boy", 1, None) };
    let film = film(vec![thing("man", 1, Some(Act::Shoulder)), child], 3);
    let m = Moment::at(&film, film.frames / 2);
    let tops = [0, 1].map(|place| film.point(&m, place, Figure::head_top).expect("a figure"));
    assert!(tops[1][1] < tops[0][1] && (tops[1][0] - tops[0][0]).abs() < 0.2 * film.width, "{tops:?}");
}

#[test]
fn a_face_shows_what_is_felt_and_what_is_done() {
    let angry = film(vec![Thing { effect: Some(Effect::Anger), ..thing("man", 1, None) }], 1);
    assert_eq!(angry.feeling_of(0), Some(Effect::Anger));
    assert_eq!(film(vec![thing("man", 2, Some(Act::Argue))], 1).feeling_of(1), Some(Effect::Anger));
    assert_eq!(film(vec![Thing { effect: Some(Effect::Steam), ..thing("man", 1, None) }], 1).feeling_of(0), None);
}

#[test]
fn pairs_that_hold_children_stand_side_by_side() {
    let child = Thing { relation: Relation::Beside, parent: Some(0), ..thing("baby", 1, None) };
    let other = Thing { parent: Some(2), ..child.clone() };
    for seed in 0..4 {
        let film = film(vec![thing("man", 1, Some(Act::Hold)), child.clone(), thing("woman", 1, Some(Act::Hold)), other.clone()], seed);
        let m = Moment::at(&film, film.frames / 2);
        let x = |place: usize| m.poses[place].x;
        assert!((x(0) - x(2)).abs() > 0.15, "{:?}", m.poses);
        assert!((x(1) - x(0)).abs() < (x(1) - x(2)).abs() && (x(3) - x(2)).abs() < (x(3) - x(0)).abs(), "{:?}", m.poses);
        assert_eq!([film.borne_by(1), film.borne_by(3)], [Some(0), Some(2)]);
    }
}

#[test]
fn what_somebody_else_sits_on_is_no_apparatus() {
    for practice in practices().filter(|practice| !practice.shows.is_empty()) {
        let shown = thing(practice.shows.first().copied().unwrap_or_default(), 1, None);
        let sits = Thing { relation: Relation::On, parent: Some(1), ..thing("black-cat", 1, None) };
        let doer = thing("girl", 1, Some(practice.act));
        assert!(!film(vec![doer.clone(), shown.clone(), sits], 1).is_apparatus(1), "{:?}", practice.act);
        let alone = film(vec![doer, shown], 1);
        assert!(alone.company(0).is_none() || alone.is_apparatus(1), "{:?}", practice.act);
    }
}
