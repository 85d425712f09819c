//! What the network reads of a brief, what rules write for it, and how layouts are judged.

use std::collections::BTreeMap;

use crate::common::known::{read, read_brief, read_layout};
use crate::common::{all_finite, briefs, program, related, thing};
use flipbook::codes::{Backdrop, Hour, Motion, Relation, Weather};
use flipbook::layout::{Score, brief, conditions, extent, judge, mirror, settle, write};
use flipbook::random::Random;
use flipbook::scene::{Program, Thing};
use flipbook::sprites::atlas;

// ---- what is written by rule

#[test]
fn rules_keep_their_own_rules() {
    let mut score = Score::default();
    for (brief, mut random) in briefs() {
        let layout = write(&brief, &mut random);
        score.add(&judge(&brief, &layout));
    }
    println!("rules: {score}");
    assert!(score.overall() >= 0.97, "{score}");
}

#[test]
fn one_seed_writes_one_layout() {
    let (brief, random) = briefs().next().unwrap();
    assert_eq!(write(&brief, &mut random.clone()), write(&brief, &mut random.clone()));
}

#[test]
fn rules_write_finite_numbers_for_every_kind_motion_and_relation() {
    let mut random = Random::new(3);
    for relation in Relation::ALL {
        for motion in Motion::ALL {
            for backdrop in Backdrop::ALL {
                let thing = |sprite: &str, motion, relation, parent| Thing {
                    sprite: atlas().named(sprite).unwrap(),
                    motion,
                    colour: None,
                    size: 0,
                    count: 2,
                    relation,
                    parent,
                    effect: None,
                    act: None,
                    course: None,
                    added: false,
                };
                let program = Program {
                    things: vec![thing("cat", *motion, *relation, Some(1)), thing("horse", Motion::Walk, Relation::None, None)],
                    backdrop: *backdrop,
                    weather: Weather::Storm,
                    hour: Hour::Dawn,
                    setting: None,
                    aurora: false,
                    caption: None,
                };
                let brief = brief(&program, 1.5, 4.0);
                let layout = write(&brief, &mut random);
                assert!(all_finite(&layout) && layout.objects.iter().all(|object| object.size > 0.0), "{layout:?}");
                assert!(all_finite(&settle(&brief, layout).layout));
            }
        }
    }
}

#[test]
fn a_mirrored_mirror_image_is_the_scene_and_keeps_the_same_rules() {
    for (brief, mut random) in briefs().take(50) {
        let layout = write(&brief, &mut random);
        let back = mirror(&mirror(&layout));
        for (a, b) in back.rows().iter().flatten().zip(layout.rows().iter().flatten()) {
            assert!((a - b).abs() < 1e-5);
        }
        assert_eq!(judge(&brief, &layout).len(), judge(&brief, &mirror(&layout)).len());
    }
}

// ---- briefs

#[test]
fn copies_get_the_room_that_is_left() {
    let brief = brief(&program(vec![thing("cat", 9), thing("dog", 2), thing("horse", 1)]), 1.0, 4.0);
    let of: Vec<(usize, usize, usize)> = brief.slots.iter().map(|slot| (slot.thing, slot.rank, slot.copies)).collect();
    assert_eq!(of, [(0, 0, 4), (0, 1, 4), (0, 2, 4), (0, 3, 4), (1, 0, 1), (2, 0, 1)]);
}

#[test]
fn more_things_than_slots_leave_the_last_ones_out() {
    let brief = brief(&program((0..9).map(|_| thing("cat", 3)).collect()), 1.0, 4.0);
    assert_eq!(brief.slots.len(), 6);
    assert!(brief.slots.iter().all(|slot| slot.copies == 1));
}

#[test]
fn a_parent_is_its_first_copy_and_circles_of_parents_are_none() {
    let of = |things| brief(&program(things), 1.0, 4.0);
    let ridden = of(vec![thing("cat", 2), thing("horse", 2), related("person", Relation::Ride, 1)]);
    assert_eq!(ridden.slots[4].parent, Some(2));
    let circle = of(vec![related("cat", Relation::On, 1), related("dog", Relation::On, 0), related("horse", Relation::On, 0)]);
    assert_eq!(circle.slots.iter().map(|slot| slot.parent).collect::<Vec<_>>(), [None, None, Some(0)]);
    assert_eq!(circle.slots[0].relation, Relation::None);
    let lost = of(vec![related("cat", Relation::On, 7)]);
    assert_eq!((lost.slots[0].parent, lost.slots[0].relation), (None, Relation::None));
}

#[test]
fn the_longer_side_of_an_extent_is_the_size() {
    let mut slot = brief(&program(vec![thing("cat", 1)]), 1.0, 4.0).slots.remove(0);
    slot.aspect = 2.0;
    assert_eq!(extent(&slot, 0.4, 1.0), [0.4, 0.2]);
    assert_eq!(extent(&slot, 0.4, 2.0), [0.2, 0.2]);
    assert_eq!(extent(&slot, 0.4, 0.5), [0.4, 0.1]);
    slot.aspect = 0.5;
    assert_eq!(extent(&slot, 0.4, 1.0), [0.2, 0.4]);
}

// ---- values that are known

#[test]
fn the_network_reads_the_numbers_it_was_trained_on() {
    for case in read("conditions.json") {
        let read = conditions(&read_brief(&case["brief"]));
        let codes: Vec<Vec<u32>> = serde_json::from_value(case["codes"].clone()).unwrap();
        let numbers: Vec<Vec<f32>> = serde_json::from_value(case["numbers"].clone()).unwrap();
        assert_eq!(read.codes.map(Vec::from), codes[..]);
        for (ours, theirs) in read.numbers.iter().flatten().zip(numbers.iter().flatten()) {
            assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
        }
        assert_eq!(read.tokens, case["tokens"].as_u64().unwrap() as usize);
    }
}

#[test]
fn layouts_are_judged_as_those_that_were_measured() {
    for case in read("settle.json") {
        let brief = read_brief(&case["brief"]);
        let mut score = Score::default();
        score.add(&judge(&brief, &read_layout(&case["layout"])));
        let ours: BTreeMap<&str, [usize; 2]> = score.counts().map(|(rule, kept, asked)| (rule.name(), [kept, asked])).collect();
        let known: BTreeMap<String, [usize; 2]> = serde_json::from_value(case["judged"].clone()).unwrap();
        assert_eq!(ours, known.iter().map(|(name, counts)| (name.as_str(), *counts)).collect());
    }
}
