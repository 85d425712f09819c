//! That a scene shows what was asked for, whoever arranged it: rules, or a network that learnt nothing.

use crate::common::{noise, program, related, thing};
use flipbook::codes::{Act, Backdrop, Motion, Relation};
use flipbook::layout::{Rule, Zone, brief, carried_at, extent, judge_drawn, settle, unfold, write, zone};
use flipbook::random::Random;
use flipbook::scene::{Brief, FrameToken, Layout, ObjectToken, Program, Thing};

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
        let widths = [0, 1].map(|index| extent(&brief.slots[index], layout.objects[index].size, brief.aspect)[0]);
        assert!((a.x - b.x).abs() < 0.58 * (widths[0] + widths[1]), "apart: {told}");
        assert!((b.x - a.x) * a.dir > 0.0 && (a.x - b.x) * b.dir > 0.0, "backs turned: {told}");
    });
}

#[test]
fn a_leap_is_about_as_high_as_the_leaper() {
    let jump = |sprite| program(vec![Thing { motion: Motion::Jump, ..thing(sprite, 1) }]);
    scenes(&[jump("rabbit-figure"), jump("mouse-figure"), jump("horse-figure")], |_, brief, layout, told| {
        let height = extent(&brief.slots[0], layout.objects[0].size, brief.aspect)[1];
        let room = layout.objects[0].y - height;
        let share = layout.objects[0].amp / height;
        assert!(share <= 1.11 && (share >= 0.69 || layout.objects[0].amp > room - 0.04), "{share} of {told}");
    });
}

#[test]
fn what_a_crowd_wears_or_holds_over_it_is_on_its_first() {
    let crowd = |relation| program(vec![thing("sheep-figure", 12), related("top-hat", relation, 0)]);
    scenes(&[crowd(Relation::Wear), crowd(Relation::On)], |_, brief, layout, told| {
        let (members, drawn) = unfold(brief, layout);
        let (index, hat) = members.slots.iter().enumerate().find(|(_, slot)| slot.thing == 1).unwrap();
        let (head, worn) = (hat.parent.unwrap(), &drawn.objects[index]);
        let [x, y] = carried_at(&members, hat, worn, &members.slots[head], &drawn.objects[head]).unwrap();
        assert!((worn.x - x).abs() < 1e-4 && (worn.y - y).abs() < 1e-4, "{told}");
    });
    let under = |relation| program(vec![thing("umbrella", 1), Thing { count: 8, ..related("girl", relation, 0) }]);
    scenes(&[under(Relation::Under), under(Relation::Play)], |_, brief, layout, told| {
        let (members, drawn) = unfold(brief, layout);
        let first = members.slots.iter().position(|slot| slot.thing == 1).unwrap();
        let (umbrella, girl) = (&drawn.objects[0], &drawn.objects[first]);
        assert!((umbrella.x - girl.x).abs() < 1e-4 && umbrella.y < girl.y, "{told}");
    });
}

#[test]
fn who_has_something_over_them_stands_as_low_as_without() {
    let over = |over, relation| program(vec![thing(over, 1), related("girl", relation, 0)]);
    let programs = [over("umbrella", Relation::Play), over("umbrella", Relation::Under), over("full-moon", Relation::Under)];
    for (index, program) in programs.iter().enumerate() {
        for aspect in ASPECTS {
            let brief = brief(program, aspect, 4.0);
            for size in [0.3, 0.4, 0.5, 0.6] {
                let object = ObjectToken { x: 0.5, y: 0.9, size, dir: 1.0, rate: 1.0, ..ObjectToken::default() };
                let frame = FrameToken { horizon: 0.65, ..FrameToken::default() };
                let Layout { objects, .. } = settle(&brief, Layout { frame, objects: vec![object; 2] }).layout;
                assert!((objects[1].y - 0.9).abs() < 0.02, "program {index}, aspect {aspect}, size {size}: {objects:#?}");
            }
        }
    }
}

#[test]
fn who_chases_or_meets_something_in_the_air_stays_on_the_ground() {
    let fly = |sprite, relation| Thing { motion: Motion::Fly, ..related(sprite, relation, 0) };
    let run = |sprite| Thing { motion: Motion::Run, ..thing(sprite, 1) };
    let butterfly = Thing { motion: Motion::Fly, ..thing("butterfly", 1) };
    let programs = [
        program(vec![Thing { relation: Relation::Chase, parent: Some(1), ..run("dog-figure") }, butterfly.clone()]),
        program(vec![Thing { relation: Relation::Beside, parent: Some(1), ..thing("cat-figure", 1) }, butterfly]),
        program(vec![run("dog-figure"), fly("dove", Relation::Chase)]),
    ];
    scenes(&programs, |_, brief, layout, told| {
        assert!(layout.objects[0].y > layout.frame.horizon, "{told}");
        assert_eq!(zone(&brief.slots[1], brief.backdrop), Zone::Air);
    });
}

/// Widths and heights of the first two, and their objects.
fn pair<'a>(brief: &Brief, layout: &'a Layout) -> [([f32; 2], &'a ObjectToken); 2] {
    [0, 1].map(|index| (extent(&brief.slots[index], layout.objects[index].size, brief.aspect), &layout.objects[index]))
}

#[test]
fn what_is_small_by_nature_or_hangs_in_the_sky_does_not_dwarf_who_acts() {
    let hangs = |sprite| Thing { motion: Motion::Hover, ..thing(sprite, 1) };
    let programs = [
        program(vec![thing("man", 1), thing("envelope", 1)]),
        program(vec![thing("clown", 1), thing("soccer-ball", 1)]),
        program(vec![thing("hedgehog-figure", 1), related("red-apple", Relation::On, 0)]),
        program(vec![related("hedgehog-figure", Relation::Play, 1), thing("red-apple", 1)]),
        program(vec![related("squirrel-figure", Relation::Play, 1), thing("chestnut", 1)]),
        program(vec![thing("wolf-figure", 1), hangs("full-moon")]),
        program(vec![related("locomotive", Relation::On, 1), thing("bridge", 1)]),
    ];
    scenes(&programs[..6], |_, brief, layout, told| {
        let [(_, main), (_, other)] = pair(brief, layout);
        let least = if brief.slots[1].kind == flipbook::codes::Kind::Sky { 0.8 } else { 0.6 };
        assert!(other.size < (least * main.size).max(0.14), "{told}");
        assert!(main.size > 0.24, "{told}");
    });
    scenes(&programs[6..], |_, brief, layout, told| {
        let [([train, _], _), ([bridge, _], _)] = pair(brief, layout);
        assert!(train < 0.75 * bridge, "{told}");
    });
}

#[test]
fn who_is_in_a_seat_sits_on_it_and_who_is_on_a_shoulder_leaves_the_face_free() {
    let programs = [
        program(vec![related("old-woman", Relation::In, 1), thing("chair", 1)]),
        program(vec![related("santa-claus", Relation::In, 1), thing("sled", 1)]),
        program(vec![related("parrot", Relation::On, 1), thing("man", 1)]),
    ];
    scenes(&programs, |program, brief, layout, told| {
        let [([width, height], rider), ([_, tall], base)] = pair(brief, layout);
        let [x, y] = carried_at(brief, &brief.slots[0], rider, &brief.slots[1], base).expect("a place");
        assert!((rider.x - x).abs() < 0.05 && (rider.y - y).abs() < 0.01, "{told}");
        let sits = program.things[0].relation == Relation::In;
        assert!(!sits || height > 0.5 * tall, "{told}");
        assert!(sits || (rider.x - base.x).abs() > 0.3 * width, "{told}");
    });
}

#[test]
fn who_swims_under_a_boat_is_below_it_and_what_hangs_with_its_load_is_in_the_frame() {
    let shark = Thing { motion: Motion::Swim, ..related("shark", Relation::Under, 1) };
    let sea = Program { backdrop: Backdrop::Sea, ..program(vec![shark, Thing { motion: Motion::Sail, ..thing("sailboat", 1) }]) };
    scenes(&[sea], |_, brief, layout, told| {
        let [([_, tall], shark), (_, boat)] = pair(brief, layout);
        assert!(shark.y > boat.y + 0.5 * tall && shark.y < 0.99, "{told}");
    });
    let rainbow = program(vec![related("unicorn-figure", Relation::On, 1), Thing { motion: Motion::Still, ..thing("rainbow", 1) }]);
    scenes(&[rainbow], |_, brief, layout, told| {
        let [([_, tall], unicorn), _] = pair(brief, layout);
        assert!(unicorn.y - tall > -0.01 && unicorn.size > 0.09, "{told}");
    });
    let cat = Program { backdrop: Backdrop::Window, ..program(vec![thing("cat-figure", 1)]) };
    scenes(&[cat], |_, _, layout, told| assert!(layout.objects[0].y > 0.9, "{told}"));
}
