//! What is mended in a layout before it is drawn, whoever wrote it.

use crate::common::known::{number, read, read_brief, read_layout};
use crate::common::{all_finite, briefs, noise, program, related, thing};
use flipbook::codes::{Motion, Relation};
use flipbook::layout::{
    Held, Rule, Score, Settled, Zone, arrange, brief, carried_at, extent, hangs_over, judge, place_of, settle, settle_around, write, zone,
};
use flipbook::random::Random;
use flipbook::scene::{Brief, FrameToken, Layout, ObjectToken, SLOTS, Thing};
use flipbook::sprites::atlas;

#[test]
fn layouts_are_arranged_as_those_that_were_measured() {
    for (index, case) in read("settle.json").iter().enumerate() {
        let brief = read_brief(&case["brief"]);
        let known = read_layout(&case["settled"]);
        let Settled { layout, focus } = arrange(&brief, read_layout(&case["layout"]));
        // Hats go where this atlas has the heads.
        let heads = case["heads"].as_array().unwrap().iter().map(number);
        let moved: f32 = heads.zip(&brief.slots).map(|(head, slot)| (head - atlas().get(slot.sprite).head).abs()).sum();
        for (token, (ours, theirs)) in layout.rows().iter().zip(known.rows()).enumerate() {
            for (place, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                assert!((ours - theirs).abs() < 1e-4 + moved, "case {index}, token {token}, number {place}: {ours} for {theirs}");
            }
        }
        assert!((focus - number(&case["focus"])).abs() < 1e-4 + moved, "case {index}: focus {focus}");
    }
}

fn assert_settled(brief: &Brief, settled: &Settled) {
    let Settled { layout, focus } = settled;
    assert!(all_finite(layout) && focus.is_finite());
    assert_eq!(layout.objects.len(), brief.slots.len());
    let boxes: Vec<[f32; 2]> =
        brief.slots.iter().zip(&layout.objects).map(|(slot, object)| extent(slot, object.size, brief.aspect)).collect();
    let [left, right] = layout.objects.iter().zip(&boxes).fold([f32::MAX, f32::MIN], |[left, right], (object, [width, _])| {
        [left.min(object.x - width / 2.0), right.max(object.x + width / 2.0)]
    });
    assert!((left + right) / 2.0 - focus < 1e-4);
    for (index, (slot, object)) in brief.slots.iter().zip(&layout.objects).enumerate() {
        let told = format!("slot {index} of {brief:#?}\n{layout:#?}");
        let [width, height] = boxes[index];
        assert!((0.05..=0.85).contains(&object.size), "size of {told}");
        assert!(object.dir.abs() == 1.0 && object.amp >= 0.0 && (0.0..=10.0).contains(&object.rate), "motion of {told}");
        match slot.parent {
            None if zone(slot, brief.backdrop) == Zone::Ground && !hangs_over(brief, index) && slot.motion != Motion::Launch => {
                let tall = height > 0.9; // its feet go as low as its head needs
                assert!(layout.frame.horizon < object.y && (object.y <= 1.0 || tall), "feet of {told}");
            }
            Some(_) => assert_borne(brief, layout, index),
            None => {}
        }
        if !slot.relation.attached() && width < 1.0 && right - left < 1.3 {
            let seen = ((object.x + width / 2.0).min(1.0) - (object.x - width / 2.0).max(0.0)) / width;
            assert!((0.0..=1.0).contains(&object.x) && seen > 0.8, "x of {told}");
        }
    }
}

/// A slot is where its relation has it on, in or at its parent, if it has one.
fn assert_borne(brief: &Brief, layout: &Layout, index: usize) {
    let (slot, object) = (&brief.slots[index], &layout.objects[index]);
    let Some(parent) = slot.parent else { return };
    let told = format!("slot {index} of {brief:#?}\n{layout:#?}");
    let (carrier, mount) = (&brief.slots[parent], &layout.objects[parent]);
    let [mount_width, mount_height] = extent(carrier, mount.size, brief.aspect);
    let foot = (mount.y - object.y) / mount_height;
    let near = (object.x - mount.x).abs() / mount_width;
    if let Some([x, y]) = carried_at(brief, slot, object, carrier, mount) {
        // The drawings say where: a seat, a back, a head.
        assert!((object.y - y).abs() < 0.01 * mount_height && (object.x - x).abs() < 0.07 * mount_width, "borne: {told}");
        return;
    }
    match slot.relation {
        Relation::Ride => assert!((0.45..0.55).contains(&foot) && near < 0.25, "rider: {told}"),
        Relation::On => assert!((0.87..0.98).contains(&foot) && near < 0.3, "on: {told}"),
        Relation::Wear => assert!((0.89..0.98).contains(&foot) && near <= 0.5, "hat: {told}"),
        Relation::In => assert!(near < 0.3, "in: {told}"),
        Relation::Under if hangs_over(brief, parent) => assert!(mount.y < object.y, "held: {told}"),
        Relation::Under => assert!((object.y - mount.y).abs() < 0.02 && near < 0.3, "under: {told}"),
        _ => {}
    }
}

#[test]
fn a_settled_scene_stands_where_it_should() {
    for (brief, mut random) in briefs() {
        let written = write(&brief, &mut random);
        assert_settled(&brief, &settle(&brief, written));
        let noise = noise(&brief, &mut random);
        assert_settled(&brief, &settle(&brief, noise));
    }
}

#[test]
fn settling_keeps_what_rules_wrote_about_as_good() {
    let (mut written, mut arranged, mut settled, mut noisy, mut noisy_arranged) =
        (Score::default(), Score::default(), Score::default(), Score::default(), Score::default());
    for (brief, mut random) in briefs() {
        let layout = write(&brief, &mut random);
        let noise = noise(&brief, &mut random);
        written.add(&judge(&brief, &layout));
        arranged.add(&judge(&brief, &arrange(&brief, layout.clone()).layout));
        settled.add(&judge(&brief, &settle(&brief, layout).layout));
        noisy_arranged.add(&judge(&brief, &arrange(&brief, noise.clone()).layout));
        noisy.add(&judge(&brief, &settle(&brief, noise).layout));
    }
    println!("written: {written}\narranged: {arranged}\nsettled: {settled}\nnoise, arranged: {noisy_arranged}\nnoise, settled: {noisy}");
    assert!(settled.overall() > 0.97);
    assert!(noisy.overall() > noisy_arranged.overall());
    for relation in [Relation::Beside, Relation::Chase, Relation::Ride, Relation::On, Relation::Wear] {
        assert_eq!(noisy.share(Rule::Stands(relation)), Some(1.0), "{relation:?}");
    }
}

/// Whatever it is, wherever that is, and whoever rides it.
#[test]
fn what_is_held_stays_where_it_is_and_what_it_carries_comes_along() {
    for (brief, mut random) in briefs() {
        let free = |slot: &usize| brief.slots[*slot].parent.is_none() || !brief.slots[*slot].relation.attached();
        let slots = (0..brief.slots.len()).filter(free).filter(|slot| *slot == 0 || random.chance(0.3)).collect::<Vec<_>>();
        let mut random = Random::of(slots.len() as u64, 3);
        let hold = |slot| Held { slot, x: random.within(0.0, 1.0), y: random.within(0.0, 1.0), size: Some(0.3).filter(|_| slot % 2 == 0) };
        let held: Vec<Held> = slots.into_iter().map(hold).collect();
        let settled = settle_around(&brief, noise(&brief, &mut random), &held).layout;
        assert!(all_finite(&settled));
        for held in &held {
            let object = &settled.objects[held.slot];
            assert_eq!((object.x, object.y), (held.x, held.y), "{brief:#?}");
            assert!(held.size.is_none_or(|size| size == object.size));
        }
        for index in (0..brief.slots.len()).filter(|index| {
            let slot = &brief.slots[*index];
            slot.relation.attached() && held.iter().any(|held| slot.parent == Some(held.slot))
        }) {
            assert_borne(&brief, &settled, index);
        }
    }
}

/// Whoever it stands by, and however high it is put.
#[test]
fn what_is_held_leaves_the_sizes_and_the_places_of_the_others_as_good() {
    let settled = |things: Vec<Thing>, held: &[Held], seed: u64| {
        let brief = brief(&program(things), 1.7778, 4.0);
        let layout = write(&brief, &mut Random::new(seed));
        (settle_around(&brief, layout, held).layout, brief)
    };
    let held = |slot, x, y| Held { slot, x, y, size: None };
    for seed in 0..12 {
        for y in [0.3, 0.4, 0.5] {
            let (Layout { objects, .. }, _) =
                settled(vec![thing("dog-figure", 1), related("cat-figure", Relation::Beside, 0)], &[held(0, 0.5, y)], seed);
            assert!(objects[0].size > 0.13 && objects[1].size > 0.1 && objects[1].y > 0.3, "{y}: {objects:#?}");
        }
        let (layout, brief) = settled(
            vec![thing("bench", 1), related("cat-figure", Relation::On, 0), thing("deciduous-tree", 1)],
            &[held(2, 0.7, 0.85)],
            seed,
        );
        assert_borne(&brief, &layout, 1);
        let tree = vec![thing("deciduous-tree", 1), related("cat-figure", Relation::Under, 0), thing("house", 1)];
        let (Layout { objects, .. }, brief) = settled(tree, &[held(0, 0.5, 0.9), held(2, 0.55, 0.9)], seed);
        let [width, _] = extent(&brief.slots[0], objects[0].size, brief.aspect);
        assert!((objects[1].x - objects[0].x).abs() < 0.3 * width, "under it: {objects:#?}");
        let (Layout { objects, .. }, _) =
            settled(vec![thing("dog-figure", 1), related("dove", Relation::Above, 0)], &[held(0, 0.5, 0.0)], seed);
        assert!(objects.iter().all(|object| object.size >= 0.05), "{objects:#?}");
    }
}

#[test]
fn who_has_an_umbrella_is_as_large_as_without() {
    let umbrella = vec![thing("umbrella", 1), related("girl", Relation::Play, 0)];
    let brief = brief(&program(umbrella), 1.7778, 4.0);
    for size in [0.40, 0.45] {
        let object = ObjectToken { x: 0.5, y: 0.9, size, dir: 1.0, rate: 1.0, ..ObjectToken::default() };
        let frame = FrameToken { horizon: 0.65, ..FrameToken::default() };
        let Layout { objects, .. } = settle(&brief, Layout { frame, objects: vec![object; 2] }).layout;
        assert!(objects[1].size > 0.9 * size && objects[1].y > 0.85, "{size}: {objects:#?}");
    }
}

/// In a frame that is full there may be two ways to make room.
#[test]
fn settling_twice_changes_little() {
    let changed = briefs().filter_map(|(brief, mut random)| {
        let once = settle(&brief, write(&brief, &mut random)).layout;
        let twice = settle(&brief, once.clone()).layout;
        let is_near = |(a, b): (&ObjectToken, &ObjectToken)| (a.x - b.x).abs() < 0.12 && (a.y - b.y).abs() < 0.12;
        (!once.objects.iter().zip(&twice.objects).all(is_near)).then_some(brief.slots.len())
    });
    let changed: Vec<usize> = changed.collect();
    assert!(changed.len() <= 1 && changed.iter().all(|slots| *slots == SLOTS), "{changed:?}");
}

#[test]
fn up_to_five_neighbours_of_one_have_room_in_any_frame() {
    for (beside, aspect) in [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (5, 1.0), (2, 0.5625), (5, 0.5625), (5, 1.7778)] {
        let mut things = vec![thing("horse", 1)];
        things.extend((0..beside).map(|_| related("elephant", Relation::Beside, 0)));
        let brief = brief(&program(things), aspect, 4.0);
        for seed in 0..40 {
            let mut random = Random::of(seed, 2);
            let layout = if seed % 2 == 0 { noise(&brief, &mut random) } else { write(&brief, &mut random) };
            let Layout { objects, .. } = settle(&brief, layout).layout;
            let mut row: Vec<(f32, f32)> =
                (objects.iter().zip(&brief.slots)).map(|(object, slot)| (object.x, extent(slot, object.size, aspect)[0])).collect();
            row.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (mut left, mut right) = (f32::MAX, f32::MIN);
            for (x, width) in &row {
                (left, right) = (left.min(x - width / 2.0), right.max(x + width / 2.0));
            }
            assert!(left > -0.2 && right < 1.2, "{left} to {right}");
            for (index, (object, slot)) in objects.iter().zip(&brief.slots).enumerate().skip(1) {
                let [a, b] = [extent(slot, object.size, aspect)[0], extent(&brief.slots[0], objects[0].size, aspect)[0]];
                assert!((object.x - objects[0].x).abs() > 0.5 * (a + b), "{index} of {objects:#?}");
            }
        }
    }
}

#[test]
fn a_rider_stays_on_a_mount_that_makes_room() {
    let brief =
        brief(&program(vec![thing("horse", 1), related("person", Relation::Ride, 0), related("dog", Relation::Beside, 0)]), 1.0, 4.0);
    let object = |x: f32| ObjectToken { x, y: 0.9, size: 0.4, dir: 1.0, rate: 1.0, ..ObjectToken::default() };
    let layout =
        Layout { frame: FrameToken { horizon: 0.65, ..FrameToken::default() }, objects: vec![object(0.5), object(0.5), object(0.52)] };
    let Layout { objects, .. } = settle(&brief, layout).layout;
    let [width, _] = extent(&brief.slots[0], objects[0].size, 1.0);
    assert!((objects[1].x - objects[0].x).abs() < 0.17 * width, "{objects:#?}");
    assert!((objects[2].x - objects[0].x).abs() > 0.5 * width);
}

#[test]
fn several_on_one_carrier_sit_side_by_side() {
    let birds = Thing { count: 3, ..related("dove", Relation::On, 0) };
    let brief = brief(&program(vec![thing("elephant", 1), birds]), 1.0, 4.0);
    let mut random = Random::new(5);
    let Layout { objects, .. } = settle(&brief, write(&brief, &mut random)).layout;
    assert!(objects[1].x < objects[2].x && objects[2].x < objects[3].x);
    let [width, _] = extent(&brief.slots[0], objects[0].size, 1.0);
    assert!(objects[3].x - objects[1].x > 0.3 * width);
}

#[test]
fn a_broken_network_gives_a_scene_that_can_be_drawn() {
    const BROKEN: [f32; 6] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e20];
    for (brief, mut random) in briefs().take(200) {
        let mut rows = noise(&brief, &mut random).rows();
        for number in rows.iter_mut().flatten() {
            if random.chance(0.5) {
                *number = random.one(&BROKEN);
            }
        }
        assert_settled(&brief, &settle(&brief, Layout::of_rows(&rows)));
    }
}

#[test]
fn a_layout_with_too_few_or_too_many_objects_gets_one_for_each_slot() {
    for (brief, mut random) in briefs().take(50) {
        let mut layout = write(&brief, &mut random);
        layout.objects.truncate(1);
        assert_settled(&brief, &settle(&brief, layout.clone()));
        layout.objects = vec![layout.objects[0]; 9];
        assert_settled(&brief, &settle(&brief, layout));
    }
}

#[test]
fn an_empty_scene_looks_ahead() {
    let brief = brief(&program(Vec::new()), 1.0, 4.0);
    let settled = settle(&brief, write(&brief, &mut Random::new(1)));
    assert_eq!((settled.layout.objects.len(), settled.focus), (0, 0.5));
    assert!(judge(&brief, &settled.layout).is_empty());
}

#[test]
fn the_horizon_stays_where_the_backdrop_has_it() {
    for (brief, mut random) in briefs() {
        let [high, low] = place_of(brief.backdrop).horizon;
        let horizon = settle(&brief, noise(&brief, &mut random)).layout.frame.horizon;
        assert!(high - 0.021 < horizon && horizon < low + 0.021);
    }
}
