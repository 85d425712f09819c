//! How things stand over time: as they are known to, without jumps, and with what carries them.

use std::collections::BTreeMap;

use crate::common::known::{number, read, read_brief, read_layout};
use crate::common::{briefs, noise, program, related, thing};
use flipbook::codes::{Motion, Relation};
use flipbook::layout::{Settled, brief, settle, write};
use flipbook::pose::{Pose, pose};
use flipbook::random::Random;
use flipbook::scene::{Brief, FrameToken, Layout, ObjectToken};
use serde_json::Value;

/// Jumps, bounces, launches and explosions are smoother than in the known values: only what they have in common is compared.
fn is_smoothed(brief: &Brief, slot: usize) -> bool {
    let own = &brief.slots[slot];
    matches!(own.motion, Motion::Jump | Motion::Bounce | Motion::Launch | Motion::Explode)
        || own.parent.is_some_and(|parent| own.relation.attached() && is_smoothed(brief, parent))
}

#[test]
fn things_move_as_they_are_known_to() {
    for (index, case) in read("settle.json").iter().enumerate() {
        let (brief, layout) = (read_brief(&case["brief"]), read_layout(&case["settled"]));
        for known in case["poses"].as_array().unwrap() {
            let (slot, t) = (known["slot"].as_u64().unwrap() as usize, number(&known["t"]));
            let ours = pose(&brief, &layout, slot, t);
            let fields = fields(&ours);
            for (name, value) in fields.iter().filter(|(name, _)| known.get(*name).is_some()) {
                if is_smoothed(&brief, slot) && matches!(*name, "x" | "y" | "sx" | "sy" | "rot" | "scale") {
                    continue;
                }
                let theirs = number(&known[*name]);
                assert!((value - theirs).abs() < 3e-4, "case {index}, slot {slot}, t {t}: {name} {value} for {theirs}");
            }
            assert_eq!(known.get("turn").is_some(), ours.facing_turn.is_some());
            assert_eq!(known.get("flip").and_then(Value::as_bool).unwrap_or(false), ours.flip);
        }
    }
}

/// All numbers of a pose.
fn fields(pose: &Pose) -> [(&'static str, f32); 16] {
    let Pose { x, y, sx, sy, turn, lift, legs, bend, wag, flap, alpha, scale, w, h, facing_turn, flip: _, burn } = *pose;
    [
        ("x", x),
        ("y", y),
        ("sx", sx),
        ("sy", sy),
        ("rot", turn),
        ("lift", lift),
        ("legs", legs),
        ("bend", bend),
        ("wag", wag),
        ("flap", flap),
        ("alpha", alpha),
        ("scale", scale),
        ("w", w),
        ("h", h),
        ("turn", facing_turn.unwrap_or(0.0)),
        ("burn", burn),
    ]
}

#[test]
fn poses_are_finite_and_move_without_jumps() {
    const STEP: f32 = 1.0 / 4096.0;
    let mut seen = BTreeMap::new();
    for (brief, mut random) in briefs() {
        let Settled { layout, .. } = settle(&brief, write(&brief, &mut random));
        for slot in 0..brief.slots.len() {
            *seen.entry(brief.slots[slot].motion).or_insert(0) += 1;
            // A stretch of time somewhere in the clip, step by step, and the whole of it roughly.
            let from = random.within(0.0, 11.0);
            let mut before = pose(&brief, &layout, slot, from);
            for step in 1..=1024 {
                let now = pose(&brief, &layout, slot, from + step as f32 * STEP);
                for ((name, a), (_, b)) in fields(&before).iter().zip(fields(&now)) {
                    let most = if *name == "y" && from > brief.seconds { 0.05 } else { 0.02 };
                    assert!(
                        (a - b).abs() < most,
                        "{name} from {a} to {b}, {:?} at {}",
                        brief.slots[slot].motion,
                        from + step as f32 * STEP
                    );
                }
                before = now;
            }
            for t in 0..=48 {
                let pose = pose(&brief, &layout, slot, t as f32 * 0.25);
                assert!(fields(&pose).iter().all(|(_, number)| number.is_finite()), "{pose:?}");
                assert!((0.0..=1.0).contains(&pose.alpha) && pose.scale > 0.0 && pose.sx > 0.0 && pose.sy > 0.0);
            }
        }
    }
    assert_eq!(seen.len(), Motion::ALL.len(), "{seen:?}");
}

#[test]
fn poses_of_noise_are_finite() {
    for (brief, mut random) in briefs() {
        let layout = noise(&brief, &mut random);
        for slot in 0..brief.slots.len() + 1 {
            for t in [0.0, 0.5, 12.0] {
                assert!(fields(&pose(&brief, &layout, slot, t)).iter().all(|(_, number)| number.is_finite()));
            }
        }
    }
}

#[test]
fn every_motion_goes_through_its_whole_cycle_without_a_break() {
    let mut things = vec![thing("soccer-ball", 1)];
    for motion in Motion::ALL {
        things[0].motion = *motion;
        let brief = brief(&program(things.clone()), 1.0, 2.0);
        let object = ObjectToken { x: 0.5, y: 0.9, size: 0.3, dir: 1.0, amp: 0.3, rate: 1.0, ..ObjectToken::default() };
        let layout = Layout { frame: FrameToken::default(), objects: vec![object] };
        let at = |t: f32| fields(&pose(&brief, &layout, 0, t));
        for step in 0..16384 {
            let t = step as f32 / 8192.0;
            for ((name, a), (_, b)) in at(t).iter().zip(at(t + 1.0 / 8192.0)) {
                assert!((a - b).abs() < 0.006, "{motion:?} at {t}: {name} from {a} to {b}");
            }
        }
    }
}

#[test]
fn a_rider_goes_where_its_mount_goes() {
    let mut things = vec![thing("horse", 1), related("person", Relation::Ride, 0)];
    (things[0].motion, things[1].motion) = (Motion::Run, Motion::Still);
    let brief = brief(&program(things), 1.0, 4.0);
    let Settled { layout, .. } = settle(&brief, write(&brief, &mut Random::new(8)));
    let at = |slot: usize, t: f32| pose(&brief, &layout, slot, t);
    for t in [0.0, 1.0, 2.5, 4.0] {
        let apart = at(1, t).x - at(0, t).x;
        assert!((apart - (layout.objects[1].x - layout.objects[0].x)).abs() < 1e-5);
    }
}

#[test]
fn a_carrier_that_carries_itself_ends() {
    let mut brief = brief(&program(vec![thing("horse", 1), related("person", Relation::Ride, 0)]), 1.0, 4.0);
    (brief.slots[0].parent, brief.slots[0].relation) = (Some(1), Relation::Ride);
    let layout = settle(&brief, Layout { frame: FrameToken::default(), objects: Vec::new() }).layout;
    assert!(fields(&pose(&brief, &layout, 0, 1.0)).iter().all(|(_, number)| number.is_finite()));
}
