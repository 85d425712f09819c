//! That a scene shows what was asked for, whoever arranged it: rules, or a network that learnt nothing.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use common::{noise, program, related, thing};
use flipbook::codes::{Act, Backdrop, Motion, Relation};
use flipbook::layout::{Rule, Zone, brief, judge_drawn, settle, unfold, write, zone};
use flipbook::random::Random;
use flipbook::scene::{Brief, Layout, Program, Thing};

const ASPECTS: [f32; 3] = [9.0 / 16.0, 1.0, 16.0 / 9.0];

/// Each program in each frame, arranged by rules and from noise, for some seeds.
fn scenes(programs: &[Program], mut check: impl FnMut(&Program, &Brief, &Layout, &str)) {
    for (index, program) in programs.iter().enumerate() {
        for aspect in ASPECTS {
            let brief = brief(program, aspect, 4.0);
            for seed in 0..12 {
                let mut random = Random::of(seed, index as u64);
                let by_rule = seed % 2 == 0;
                let layout = if by_rule { write(&brief, &mut random) } else { noise(&brief, &mut random) };
                let settled = settle(&brief, layout).layout;
                let told = format!("program {index}, aspect {aspect}, seed {seed}:\n{:#?}\n{settled:#?}", brief.slots);
                check(program, &brief, &settled, &told);
            }
        }
    }
}

fn pairs() -> Vec<Program> {
    use Relation::{Above, Behind, Beside, In, On, Ride, Under, Wear};
    [
        (On, "cat-figure", "bench"),
        (On, "man", "chair"),
        (On, "dove", "house"),
        (On, "frog-figure", "lotus"),
        (On, "girl", "swing"),
        (On, "open-book", "bed"),
        (Under, "girl", "deciduous-tree"),
        (Under, "dog-figure", "bench"),
        (Under, "sailboat", "bridge"),
        (Under, "boy", "umbrella"),
        (Under, "boy", "full-moon"),
        (Above, "dove", "house"),
        (In, "bear-figure", "automobile"),
        (In, "cat-figure", "package"),
        (In, "tropical-fish", "fish-bowl"),
        (Ride, "man", "horse-figure"),
        (Ride, "monkey-figure", "elephant-figure"),
        (Ride, "mouse-figure", "cat-figure"),
        (Ride, "girl", "bicycle"),
        (Ride, "bear-figure", "racing-car"),
        (Wear, "top-hat", "cat-figure"),
        (Wear, "crown", "man"),
        (Behind, "cat-figure", "deciduous-tree"),
        (Beside, "knight", "dragon-figure"),
        (Beside, "mouse-figure", "elephant-figure"),
    ]
    .into_iter()
    .map(|(relation, child, parent)| program(vec![related(child, relation, 1), thing(parent, 1)]))
    .collect()
}

#[test]
fn a_relation_is_drawn_as_it_was_asked_for_in_every_frame() {
    let mut broken = Vec::new();
    scenes(&pairs(), |program, brief, layout, told| {
        let faults = judge_drawn(program, brief, layout).into_iter().filter(|(_, kept)| !kept);
        broken.extend(faults.map(|(rule, _)| format!("{}: {told}", rule.name())));
    });
    assert!(broken.is_empty(), "{} broken: {}", broken.len(), broken.join("\n"));
}

#[test]
fn what_is_taller_by_nature_or_by_word_is_drawn_taller() {
    let rows = [
        ["mouse-figure", "cat-figure", "horse-figure"],
        ["boy", "house", "castle"],
        ["mouse-figure", "elephant-figure", "deciduous-tree"],
        ["chicken-figure", "man", "bus"],
    ];
    let mut programs: Vec<Program> = rows.iter().map(|row| program(row.iter().map(|name| thing(name, 1)).collect())).collect();
    programs.push(program(vec![Thing { size: -2, ..thing("dog-figure", 1) }, Thing { size: 2, ..thing("cat-figure", 1) }]));
    scenes(&programs, |program, brief, layout, told| {
        let judged = judge_drawn(program, brief, layout);
        assert!(judged.iter().any(|(rule, _)| *rule == Rule::Sizes));
        for (rule, kept) in judged {
            assert!(kept, "{} in {told}", rule.name());
        }
    });
    let alone = |size| {
        let program = program(vec![Thing { size, ..thing("cat-figure", 1) }]);
        let brief = brief(&program, 1.0, 4.0);
        settle(&brief, write(&brief, &mut Random::new(1))).layout.objects[0].size
    };
    assert!(alone(2) > 1.4 * alone(0) && alone(0) > 1.4 * alone(-2), "{} {} {}", alone(-2), alone(0), alone(2));
}

#[test]
fn as_many_are_drawn_as_were_asked_for_apart_and_in_the_frame() {
    let fly = |sprite, count| Thing { motion: Motion::Fly, ..thing(sprite, count) };
    let programs = [
        program(vec![Thing { motion: Motion::Rise, ..thing("balloon", 5) }, fly("dove", 2)]),
        program(vec![thing("sheep-figure", 12)]),
        program(vec![thing("chicken-figure", 10), thing("man", 1)]),
        program(vec![fly("dove", 9)]),
        Program { backdrop: Backdrop::Sea, ..program(vec![Thing { motion: Motion::Swim, ..thing("fish", 11) }]) },
    ];
    let mut broken = Vec::new();
    scenes(&programs, |program, brief, layout, told| {
        let faults = judge_drawn(program, brief, layout).into_iter().filter(|(rule, kept)| !kept && *rule != Rule::Readable);
        broken.extend(faults.map(|(rule, _)| format!("{}: {told}", rule.name())));
        let (members, drawn) = unfold(brief, layout);
        assert_eq!(members.slots.len(), program.things.iter().map(|thing| thing.count).sum::<usize>());
        for (slot, object) in members.slots.iter().zip(&drawn.objects) {
            let stands = zone(slot, brief.backdrop) == Zone::Ground;
            assert!(!stands || object.y > drawn.frame.horizon, "feet in {told}");
            assert!(object.size >= 0.05, "size in {told}");
        }
    });
    assert!(broken.is_empty(), "{} broken: {}", broken.len(), broken.join("\n"));
}

#[test]
fn who_fights_faces_the_other_at_arms_length() {
    let fight = |sprite| Thing { act: Some(Act::Fight), ..thing(sprite, 1) };
    let programs = [
        program(vec![fight("knight"), Thing { relation: Relation::Beside, parent: Some(0), ..fight("dragon-figure") }]),
        program(vec![
            Thing { motion: Motion::Run, ..fight("boy") },
            Thing { relation: Relation::Beside, parent: Some(0), ..fight("bear-figure") },
        ]),
    ];
    scenes(&programs, |_, brief, layout, told| {
        let [a, b] = [&layout.objects[0], &layout.objects[1]];
        let widths = [0, 1].map(|index| flipbook::layout::extent(&brief.slots[index], layout.objects[index].size, brief.aspect)[0]);
        assert!((a.x - b.x).abs() < 0.58 * (widths[0] + widths[1]), "apart: {told}");
        assert!((b.x - a.x) * a.dir > 0.0 && (a.x - b.x) * b.dir > 0.0, "backs turned: {told}");
    });
}

#[test]
fn a_leap_is_about_as_high_as_the_leaper() {
    let jump = |sprite| program(vec![Thing { motion: Motion::Jump, ..thing(sprite, 1) }]);
    scenes(&[jump("rabbit-figure"), jump("mouse-figure"), jump("horse-figure")], |_, brief, layout, told| {
        let height = flipbook::layout::extent(&brief.slots[0], layout.objects[0].size, brief.aspect)[1];
        let room = layout.objects[0].y - height;
        let share = layout.objects[0].amp / height;
        assert!(share <= 1.11 && (share >= 0.69 || layout.objects[0].amp > room - 0.04), "{share} of {told}");
    });
}
