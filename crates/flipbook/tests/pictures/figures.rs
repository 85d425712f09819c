//! The figures: everyone is there, stands on the ground, stays in one piece and in its box.

use flipbook::codes::Colour;
use flipbook::figures::{self, BOX, Figure, GROUND, Gesture, Joint, Puppet, Shows, Stance};
use resvg::{tiny_skia, usvg};

const NAMES: &str = "woman man girl boy baby old-woman old-man chef astronaut-figure knight wizard witch-figure pirate king queen \
    princess-figure doctor farmer firefighter police-officer ballerina bride groom surfer skater cyclist-rider clown ninja \
    superhero-figure santa mermaid-figure robot-figure alien-figure cat-figure dog-figure fox-figure panda-figure bear-figure \
    koala-figure rabbit-figure mouse-figure hamster-figure squirrel-figure lion-figure tiger-figure elephant-figure horse-figure \
    cow-figure pig-figure sheep-figure wolf-figure deer-figure monkey-figure penguin-figure owl-figure frog-figure chicken-figure \
    duck-figure dragon-figure dinosaur-figure unicorn-figure kangaroo-figure giraffe-figure zebra-figure raccoon-figure \
    hedgehog-figure goat-figure camel-figure";

fn everyone() -> impl Iterator<Item = &'static Figure> {
    figures::names().filter_map(figures::figure)
}

/// `[r, g, b, a]` of a square of `side` pixels that shows `around` boxes, the box in its middle.
fn raster(svg: &str, side: u32, around: f32) -> Vec<[u8; 4]> {
    let (low, size) = (BOX * (1.0 - around) / 2.0, BOX * around);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" viewBox=\"{low} {low} {size} {size}\">{svg}</svg>"
    );
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
    let mut pixmap = tiny_skia::Pixmap::new(side, side).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    pixmap.pixels().iter().map(|p| [p.red(), p.green(), p.blue(), p.alpha()]).collect()
}

/// Left, top, right, bottom of the ink, in units of the box of 32.
fn ink(svg: &str) -> [f32; 4] {
    const SIDE: u32 = 150;
    const AROUND: f32 = 2.5;
    let unit = BOX * AROUND / SIDE as f32;
    let low = BOX * (1.0 - AROUND) / 2.0;
    let mut found = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    for (index, pixel) in raster(svg, SIDE, AROUND).iter().enumerate() {
        if pixel[3] > 60 {
            let (x, y) = ((index % SIDE as usize) as f32 * unit + low, (index / SIDE as usize) as f32 * unit + low);
            found = [found[0].min(x), found[1].min(y), found[2].max(x + unit), found[3].max(y + unit)];
        }
    }
    found
}

fn rest(figure: &Figure) -> Stance {
    figure.stance(Gesture::Stand, 0.0, 0.5)
}

#[test]
fn everyone_in_the_lexicon_has_a_figure() {
    let missing: Vec<_> = NAMES.split_whitespace().filter(|name| figures::figure(name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(figures::figure("nobody").is_none());
    let mut names: Vec<_> = figures::names().collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), figures::names().count());
}

#[test]
fn at_rest_a_figure_fills_its_box_and_stands_on_the_ground() {
    for figure in everyone() {
        let [left, top, right, bottom] = ink(&figure.svg(&rest(figure)));
        assert!(left > 0.0 && top > 0.0 && right < 32.0 && bottom < 32.0, "{} {:?}", figure.name, [left, top, right, bottom]);
        assert!((right - left).max(bottom - top) > 27.5, "{} is small", figure.name);
        assert!((bottom - GROUND).abs() < 0.9, "{} stands at {bottom}", figure.name);
    }
}

#[test]
fn every_gesture_keeps_its_ink_within_one_and_a_half_boxes() {
    for (index, figure) in everyone().enumerate() {
        for gesture in Gesture::ALL {
            // Of each gesture every eighth of a beat, over all figures.
            for eighth in [0, 3, 6].map(|eighth| (eighth + index) % 8) {
                let beat = eighth as f32 / 8.0;
                let [left, top, right, bottom] = ink(&figure.svg(&figure.stance(*gesture, beat, 0.7)));
                let what = format!("{} {gesture:?} {beat} {:?}", figure.name, [left, top, right, bottom]);
                assert!(right > left, "nothing is drawn: {what}");
                // 1.6 times the rest box about the same middle.
                assert!(left > -10.6 && right < 42.6 && top > -10.6 && bottom < 42.6, "{what}");
                assert!(right - left < 48.0 && bottom - top < 48.0, "{what}");
            }
        }
    }
}

/// Height of the lowest point that touches the ground, in units of the box.
fn lowest(figure: &Figure, stance: &Stance) -> f32 {
    let places = figure.places(stance);
    figure.parts.iter().zip(&places).flat_map(|(part, place)| part.contacts.iter().map(|at| place.of(*at)[1])).fold(f32::MIN, f32::max)
}

#[test]
fn who_stands_or_walks_has_a_foot_on_the_ground_at_every_beat() {
    let mut floating = Vec::new();
    for figure in everyone() {
        for gesture in [Gesture::Stand, Gesture::Walk, Gesture::Wave, Gesture::Play, Gesture::Kick, Gesture::Fight] {
            for step in 0..16 {
                let stance = figure.stance(gesture, step as f32 / 16.0, 0.8);
                let feet = lowest(figure, &stance);
                if (feet - GROUND).abs() > 0.02 * 30.0 {
                    floating.push(format!("{} {gesture:?} {step}: {feet}", figure.name));
                }
            }
        }
    }
    assert!(floating.is_empty(), "{floating:#?}");
}

/// A joint is the one point that its part and the part above share at every angle: when both have ink there at rest, no
/// angle opens a gap.
#[test]
fn every_joint_lies_in_the_ink_of_both_its_parts() {
    let mut gaps = Vec::new();
    for figure in everyone() {
        let bare = |index: usize| {
            let part = &figure.parts[index];
            let flat = figure.palette.paint(&part.svg);
            let [x, y] = [-24.0, -24.0];
            let svg =
                format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"640\" viewBox=\"{x} {y} 80 80\">{flat}</svg>");
            let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
            let mut pixmap = tiny_skia::Pixmap::new(640, 640).unwrap();
            resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
            pixmap
        };
        for (index, part) in figure.parts.iter().enumerate() {
            let Some(parent) = part.parent else { continue };
            if part.shows != Shows::Always || part.joint == Joint::Fixed {
                continue;
            }
            let pixel = |index: usize| {
                let [x, y] = part.pivot.map(|value| ((value + 24.0) * 8.0) as u32);
                bare(index).pixel(x, y).map_or(0, |pixel| pixel.alpha())
            };
            if pixel(index) < 200 {
                gaps.push(format!("{}: {:?} has no ink at its own joint {:?}", figure.name, part.joint, part.pivot));
            }
            if pixel(parent) < 200 {
                gaps.push(format!("{}: nothing under the joint of {:?} {:?}", figure.name, part.joint, part.pivot));
            }
        }
    }
    assert!(gaps.is_empty(), "{gaps:#?}");
}

/// Separate islands of ink, small specks left out: pixels and one of them.
fn islands(svg: &str) -> Vec<(usize, [usize; 2])> {
    const SIDE: usize = 200;
    let solid: Vec<bool> = raster(svg, SIDE as u32, 1.8).iter().map(|pixel| pixel[3] > 90).collect();
    let mut seen = vec![false; SIDE * SIDE];
    let mut found = Vec::new();
    for start in 0..SIDE * SIDE {
        if !solid[start] || seen[start] {
            continue;
        }
        let (mut stack, mut area) = (vec![start], 0);
        seen[start] = true;
        while let Some(at) = stack.pop() {
            area += 1;
            let (x, y) = (at % SIDE, at / SIDE);
            for (nx, ny) in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
                if nx < SIDE && ny < SIDE && solid[ny * SIDE + nx] && !seen[ny * SIDE + nx] {
                    seen[ny * SIDE + nx] = true;
                    stack.push(ny * SIDE + nx);
                }
            }
        }
        if area > 9 {
            found.push((area, [start % SIDE, start / SIDE]));
        }
    }
    found
}

#[test]
fn nobody_falls_apart() {
    let mut broken = Vec::new();
    for name in [
        "woman",
        "king",
        "ballerina",
        "mermaid-figure",
        "panda-figure",
        "penguin-figure",
        "robot-figure",
        "cat-figure",
        "giraffe-figure",
        "dragon-figure",
        "dinosaur-figure",
    ] {
        let figure = figures::figure(name).unwrap();
        for gesture in Gesture::ALL {
            for beat in [0.1, 0.45, 0.8] {
                let found = islands(&figure.svg(&figure.stance(*gesture, beat, 0.9)));
                if found.len() != 1 {
                    broken.push(format!("{name} {gesture:?} {beat} {found:?}"));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_same_moment_gives_the_same_bytes() {
    for figure in everyone() {
        let stance = || figure.stance(Gesture::Dance, 0.37, 0.6);
        assert_eq!(stance(), stance());
        assert_eq!(figure.svg(&stance()), figure.svg(&stance()));
    }
}

#[test]
fn a_gesture_moves() {
    for figure in everyone() {
        for gesture in [Gesture::Walk, Gesture::Run, Gesture::Dance, Gesture::Jump, Gesture::Wave, Gesture::Eat, Gesture::Stand] {
            let at = |beat| figure.stance(gesture, beat, 0.6);
            assert_ne!(at(0.1), at(0.35), "{} {gesture:?}", figure.name);
        }
    }
}

#[test]
fn a_walk_goes_round_without_a_jolt() {
    for figure in everyone() {
        for gesture in
            [Gesture::Walk, Gesture::Run, Gesture::Dance, Gesture::Swim, Gesture::Throw, Gesture::Kick, Gesture::Jump, Gesture::Cast]
        {
            for step in 0..48 {
                let at = |step: i32| figure.stance(gesture, step as f32 / 48.0, 0.6);
                let (now, then) = (at(step), at(step + 1));
                for (a, b) in now.angles.iter().zip(then.angles) {
                    let turn = (a - b).rem_euclid(std::f32::consts::TAU);
                    assert!(turn.min(std::f32::consts::TAU - turn) < 0.75, "{} {gesture:?} {step}: {a} to {b}", figure.name);
                }
            }
        }
    }
}

#[test]
fn things_go_where_the_body_is() {
    for figure in everyone() {
        let stance = rest(figure);
        let [left, top, right, bottom] = ink(&figure.svg(&stance)).map(|value| value / BOX);
        for (what, [x, y]) in [
            ("hand", figure.hand(&stance)),
            ("mouth", figure.mouth(&stance)),
            ("back", figure.back(&stance)),
            ("top of the head", figure.head_top(&stance)),
            ("seat", figure.seat(&stance)),
        ] {
            let inside = x > left - 0.04 && x < right + 0.04 && y > top - 0.04 && y < bottom + 0.04;
            assert!(inside, "{}: {what} at {:?}", figure.name, [x, y]);
        }
        assert!(figure.head_top(&stance)[1] < figure.mouth(&stance)[1], "{}", figure.name);
    }
}

#[test]
fn an_eater_brings_its_hand_to_its_mouth() {
    for name in ["woman", "boy", "baby", "king", "panda-figure", "monkey-figure", "robot-figure"] {
        let figure = figures::figure(name).unwrap();
        let gap = |beat: f32| {
            let stance = figure.stance(Gesture::Eat, beat, 0.5);
            let ([hx, hy], [mx, my]) = (figure.hand(&stance), figure.mouth(&stance));
            (hx - mx).hypot(hy - my)
        };
        assert!(gap(0.42) < 0.13, "{name}: {}", gap(0.42));
        assert!(gap(0.0) > gap(0.42) + 0.03, "{name}");
    }
}

#[test]
fn a_colour_goes_to_the_outfit_and_leaves_the_face() {
    let woman = figures::figure("woman").unwrap();
    let (plain, green) = (woman.svg(&rest(woman)), woman.svg_in_colour(&rest(woman), Colour::Green));
    assert_ne!(plain, green);
    let skin = format!("#{:06x}", woman.palette.get('S').unwrap());
    assert_eq!(plain.matches(&skin).count(), green.matches(&skin).count());
}

#[test]
fn a_seed_chooses_the_skin_of_people_alone() {
    let skins = |name: &str| {
        let figure = figures::figure(name).unwrap();
        let mut seen: Vec<_> = (0..40).map(|seed| figure.toned(seed).svg(&rest(figure))).collect();
        assert_eq!(seen[3], figure.toned(3).svg(&rest(figure)));
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    };
    assert_eq!(skins("woman"), 5);
    assert_eq!(skins("cat-figure"), 1);
}

/// The puppet's pictures, put where its meshes put them, are the drawing.
#[test]
fn a_puppet_shows_what_the_drawing_shows() {
    const SIDE: usize = 128;
    for name in ["woman", "robot-figure", "horse-figure"] {
        let figure = figures::figure(name).unwrap();
        for gesture in [Gesture::Stand, Gesture::Run, Gesture::Dance] {
            let stance = figure.stance(gesture, 0.3, 0.6);
            let drawn = raster(&figure.svg(&stance), SIDE as u32, 1.0);
            let mut canvas = tiny_skia::Pixmap::new(SIDE as u32, SIDE as u32).unwrap();
            let puppet = Puppet::of(figure, SIDE, None);
            for layer in puppet.layers(&stance) {
                let mut picture = tiny_skia::Pixmap::new(layer.picture.width as u32, layer.picture.height as u32).unwrap();
                picture.data_mut().copy_from_slice(layer.picture.pixels.as_flattened());
                let [a, b, c, d, e, f] = layer.place.0.map(|value| value * SIDE as f32);
                let paint = tiny_skia::PixmapPaint { quality: tiny_skia::FilterQuality::Bilinear, ..Default::default() };
                canvas.draw_pixmap(0, 0, picture.as_ref(), &paint, tiny_skia::Transform::from_row(a, b, c, d, e, f), None);
                // The mesh agrees with the transform at its corners.
                let (vertices, columns, rows) = layer.mesh(|at| at);
                assert_eq!(vertices.len(), (columns + 1) * (rows + 1));
                let last = vertices.last().unwrap();
                assert_eq!(last.from, [layer.picture.width as f32, layer.picture.height as f32]);
                assert_eq!(last.at, layer.place.of(last.from));
            }
            let apart: u64 = canvas.data().iter().zip(drawn.as_flattened()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            let mean = apart as f32 / (SIDE * SIDE * 4) as f32;
            assert!(mean < 2.5, "{name} {gesture:?}: {mean}");
        }
    }
}

/// Also between the moments that others look at, and before the clip begins.
#[test]
fn every_gesture_at_every_moment_is_made_of_numbers() {
    for figure in figures::names().filter_map(figures::figure) {
        for gesture in Gesture::ALL {
            for moment in -40..80 {
                let stance = figure.stance(*gesture, moment as f32 / 37.0, 0.8);
                let finite = figure.places(&stance).iter().all(|place| place.0.iter().all(|number| number.is_finite()));
                assert!(finite, "{} {gesture:?} at {moment}", figure.name);
            }
        }
    }
}
