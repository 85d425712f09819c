//! Things are given their own ways, who acts is at what is acted on, and nobody moves through another.

use super::*;
use crate::codes::{Backdrop, Hour, Weather};
use crate::layout;
use crate::random::Random;
use crate::scene::{Program, Thing};
use crate::sprites::atlas;

fn thing(sprite: &str, motion: Motion, act: Option<Act>) -> Thing {
    Thing {
        sprite: atlas().named(sprite).expect("a drawing"),
        motion,
        colour: None,
        size: 0,
        count: 1,
        relation: Relation::None,
        parent: None,
        effect: None,
        act,
        course: None,
        added: false,
    }
}

fn film(things: Vec<Thing>, backdrop: Backdrop, seed: u64) -> Film {
    let program = Program { things, backdrop, weather: Weather::Clear, hour: Hour::Day, setting: None, aurora: false, caption: None };
    let brief = layout::brief(&program, 1.0, 3.0);
    let layout = layout::write(&brief, &mut Random::new(seed));
    Film::of_layout(program, brief, layout, 96, 96, 8, seed)
}

fn beside(object: Thing) -> Thing {
    Thing { relation: Relation::Beside, parent: Some(0), ..object }
}

#[test]
fn what_is_kicked_leaves_the_foot_and_stays_low_and_what_is_pushed_is_before_the_hands() {
    for seed in 0..4 {
        let ball = beside(thing("soccer-ball", Motion::Bounce, None));
        let kicks = film(vec![thing("boy", Motion::Idle, Some(Act::Kick)), ball], Backdrop::Park, seed);
        let mut ways = Vec::new();
        for frame in 0..kicks.frames {
            let m = Moment::at(&kicks, frame);
            let [who, ball] = [m.poses[0], m.poses[1]];
            assert!(ball.lift + ball.h < 0.6 * who.h, "below the head: {ball:?}");
            ways.push((ball.x - who.x).abs() / who.h);
        }
        assert!(ways.iter().any(|far| *far < 0.45) && ways.iter().any(|far| *far > 0.55), "from the foot and away: {ways:?}");
        let cart = beside(thing("shopping-cart", Motion::Still, None));
        let pushes = film(vec![thing("man", Motion::Walk, Some(Act::Push)), cart], Backdrop::Park, seed);
        for frame in 0..pushes.frames {
            let m = Moment::at(&pushes, frame);
            let [who, cart] = [m.poses[0], m.poses[1]];
            let ahead = (cart.x - who.x) * pushes.way(0);
            assert!(ahead > 0.0 && ahead < 0.35 * who.h + 0.51 * cart.w && (cart.y - who.y).abs() < 1e-6, "{who:?} {cart:?}");
        }
    }
}

#[test]
fn who_acts_is_told_from_who_stands() {
    for sprite in ["girl", "dog-figure"] {
        for act in Act::ALL {
            let [stands, acts] = [None, Some(*act)].map(|act| film(vec![thing(sprite, Motion::Idle, act)], Backdrop::Meadow, 3));
            let told = (0..3).any(|part| {
                let at = (part * 2 + 1) * acts.frames / 6;
                let (one, other) = (stands.frame(at), acts.frame(at));
                let pixels = one.chunks(3).zip(other.chunks(3));
                pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 40)).count() > 40
            });
            assert!(told || sprite == "dog-figure" && *act == Act::Hold, "{sprite} {act:?}");
        }
    }
}

#[test]
fn mills_stand_while_their_sails_turn_and_who_has_feet_stands_beside_water() {
    let mill = film(vec![thing("windmill", Motion::Spin, None)], Backdrop::Farm, 1);
    let turns: Vec<Pose> = (0..mill.frames).map(|frame| Moment::at(&mill, frame).poses[0]).collect();
    assert!(turns.iter().all(|pose| (pose.turn - turns[0].turn).abs() < 1e-6));
    let part = |frame| mill.turn_of_part(&Moment::at(&mill, frame), 0);
    assert!((part(mill.frames - 1) - part(0)).abs() > 0.3);
    for (sprite, motion, ashore) in [
        ("deer-figure", Motion::Idle, true),
        ("man", Motion::Walk, true),
        ("duck-figure", Motion::Idle, false),
        ("man", Motion::Swim, false),
    ] {
        let lake = film(vec![thing(sprite, motion, None)], Backdrop::Lake, 1);
        assert_eq!(lake.is_ashore(0), ashore, "{sprite} {motion:?}");
    }
}

#[test]
fn swimmers_leap_out_of_a_sea_that_stays_and_two_go_down_a_slide_in_turn() {
    let sea = film(vec![thing("dolphin", Motion::Jump, None)], Backdrop::Sea, 2);
    let moments: Vec<Moment> = (0..sea.frames).map(|frame| Moment::at(&sea, frame)).collect();
    let lines: Vec<f32> = moments.iter().map(|m| sea.waterline(m, 0)).collect();
    assert!(lines.iter().all(|line| (line - lines[0]).abs() < 1e-3), "{lines:?}");
    let feet: Vec<f32> = moments.iter().map(|m| (m.poses[0].y - m.poses[0].lift) * sea.height).collect();
    assert!(feet.iter().any(|foot| *foot < lines[0]) && feet.iter().any(|foot| *foot > lines[0] + 0.2 * moments[0].poses[0].h));
    let children = Thing { count: 2, ..thing("girl", Motion::Drive, None) };
    let slide = film(vec![children, thing("slide", Motion::Still, None)], Backdrop::Park, 2);
    for frame in 0..slide.frames {
        let m = Moment::at(&slide, frame);
        let [one, other, chute] = [m.poses[0], m.poses[1], m.poses[2]];
        assert!([one, other].iter().all(|who| (who.x - chute.x).abs() < 0.5 * chute.w && who.y <= chute.y), "{one:?} {other:?}");
    }
    let apart = |m: &Moment| (m.poses[0].x - m.poses[1].x).abs();
    assert!((0..slide.frames).any(|frame| apart(&Moment::at(&slide, frame)) > 0.05));
}

#[test]
fn who_handles_a_thing_is_at_it_and_faces_it() {
    let acts = [Act::Feed, Act::Groom, Act::Repair, Act::Wash, Act::Milk, Act::Chop];
    for (index, act) in acts.into_iter().enumerate() {
        for (who, what) in [("girl", "horse-figure"), ("man", "automobile"), ("old-woman", "cat-figure"), ("boy", "alarm-clock")] {
            for seed in 0..3 {
                let handled = beside(thing(what, Motion::Idle, None));
                let film = film(vec![thing(who, Motion::Idle, Some(act)), handled], Backdrop::Park, seed + index as u64);
                for frame in [0, film.frames / 2, film.frames - 1] {
                    let m = Moment::at(&film, frame);
                    let [who_is, what_is] = [m.poses[0], m.poses[1]];
                    let gap = ((what_is.x - who_is.x).abs() - 0.5 * (what_is.w + who_is.w)) * film.width / film.height;
                    assert!(gap < 0.25 * who_is.h, "{who} {act:?} {what} {seed}: {gap}");
                    let mouth = film.point(&m, 0, Figure::mouth).expect("a figure")[0] - who_is.x * film.width;
                    assert!(mouth * (what_is.x - who_is.x) >= 0.0, "{who} {act:?} {what} {seed} faces it");
                }
            }
        }
    }
}

#[test]
fn what_is_given_is_between_both_and_what_is_kicked_reaches_who_gets_it() {
    for seed in 0..4 {
        for other in ["woman", "dog-figure"] {
            let things = vec![
                thing("boy", Motion::Idle, Some(Act::Give)),
                beside(thing("tulip", Motion::Still, None)),
                thing(other, Motion::Idle, None),
            ];
            let gives = film(things, Backdrop::Park, seed);
            let m = Moment::at(&gives, gives.frames / 2);
            let [who, gift, whom] = [m.poses[0], m.poses[1], m.poses[2]];
            let apart = (whom.x - who.x) * gives.width / gives.height;
            assert!(apart.abs() < 0.5 * (who.h + whom.h).max(who.w + whom.w), "{other} {seed}: {apart}");
            assert!((gift.x - who.x) * apart > 0.0 && gift.lift > 0.1 * who.h, "{other} {seed}: {gift:?}");
            let ball = beside(thing("soccer-ball", Motion::Bounce, None));
            let kicks =
                film(vec![thing("boy", Motion::Idle, Some(Act::Kick)), ball, thing(other, Motion::Idle, None)], Backdrop::Park, seed);
            let nearest =
                (0..kicks.frames).map(|frame| Moment::at(&kicks, frame).poses).map(|p| (p[1].x - p[2].x).abs() - 0.5 * (p[1].w + p[2].w));
            assert!(nearest.fold(f32::MAX, f32::min) < 0.08, "{other} {seed}");
        }
    }
}

#[test]
fn who_turns_over_does_so_in_the_air_and_who_lands_comes_down_and_stays() {
    for seed in 0..4 {
        for sprite in ["girl", "monkey-figure", "cat-figure"] {
            let tumbles = film(vec![thing(sprite, Motion::Jump, Some(Act::Tumble))], Backdrop::Park, seed);
            let poses: Vec<Pose> = (0..tumbles.frames).map(|frame| Moment::at(&tumbles, frame).poses[0]).collect();
            assert!(
                poses.iter().any(|pose| (pose.turn.abs() - 0.5).abs() < 0.2 && pose.lift > 0.1 * pose.h),
                "{sprite} head down in the air"
            );
            assert!(
                poses.iter().all(|pose| pose.lift > 0.0 || (pose.turn - pose.turn.round()).abs() < 0.06),
                "{sprite} upright on the ground"
            );
        }
        for sprite in ["helicopter", "owl-figure", "gull", "airplane"] {
            let lands = film(vec![thing(sprite, Motion::Hover, Some(Act::Land))], Backdrop::Meadow, seed);
            let poses: Vec<Pose> = (0..lands.frames).map(|frame| Moment::at(&lands, frame).poses[0]).collect();
            let (first, last) = (poses[0], poses[poses.len() - 1]);
            assert!(first.lift > 0.2 && last.lift < 1e-3, "{sprite}: {first:?} {last:?}");
            assert!(poses.windows(2).all(|pair| pair[1].lift <= pair[0].lift + 1e-4), "{sprite} only comes down");
            assert!(last.y * lands.height > lands.horizon, "{sprite} on the ground");
        }
    }
}
