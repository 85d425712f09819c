//! Every drawing is there, has its ink where the atlas says, and takes any colour.

use flipbook::codes::{Colour, Kind};
use flipbook::sprites::{Ink, Picture, SpriteId, asked, atlas, measure, picture, raster};

fn named(name: &str) -> SpriteId {
    atlas().named(name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn every_drawing_has_its_ink_where_the_atlas_says() {
    for id in atlas().ids() {
        let sprite = atlas().get(id);
        let measured = measure(sprite.body()).unwrap_or_else(|| panic!("{} has no ink", sprite.name));
        let Ink { left, top, right, bottom } = sprite.ink;
        for (stored, drawn) in [left, top, right, bottom].into_iter().zip(measured.ink) {
            assert!((stored * 64.0 - f32::from(drawn)).abs() <= 2.0, "{}: {stored} but {drawn}/64", sprite.name);
        }
        assert!(left < right && top < bottom, "{} has an empty box", sprite.name);
        assert!((0.0..=1.0).contains(&sprite.head), "{} has its head at {}", sprite.name, sprite.head);
    }
}

#[test]
fn a_name_finds_its_drawing_and_no_other() {
    let ids: Vec<SpriteId> = atlas().ids().collect();
    assert!(ids.len() > 1600, "{} drawings", ids.len());
    for id in ids {
        assert_eq!(atlas().named(&atlas().get(id).name), Some(id));
    }
    assert_eq!(atlas().named("no-such-thing"), None);
    assert_eq!(atlas().named(""), None);
}

#[test]
fn traits_are_within_reason() {
    for sprite in atlas().ids().map(|id| atlas().get(id)) {
        assert!((0.01..=20.0).contains(&sprite.metres), "{}: {} m", sprite.name, sprite.metres);
        assert!((-1..=1).contains(&sprite.facing), "{}", sprite.name);
        let listed = sprite.group == "figure" || sprite.emoji.is_empty() != sprite.words.is_empty();
        assert!(listed, "{}: our own drawings have words, emoji have none", sprite.name);
    }
    assert_eq!(atlas().get(named("cat")).kind, Kind::Animal);
    assert_eq!(atlas().get(named("cat")).facing, -1);
    assert_eq!(atlas().get(named("skateboard")).facing, 1);
    assert_eq!(atlas().get(named("rocket")).heading, Some(45.0));
    assert!(atlas().get(named("campfire")).glows);
    assert!(!atlas().get(named("cat")).glows);
    assert_eq!(atlas().get(named("violin")).group, "musical-instrument");
}

/// Sections of the traits that speak of drawings by name.
const ABOUT_DRAWINGS: [&str; 5] = ["[kind]", "[metres]", "[facing]", "[heading]", "[glows]"];

#[test]
fn every_drawing_that_the_traits_speak_of_exists() {
    let mut section = "";
    let mut told = 0;
    for line in include_str!("../../data/traits.txt").lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with('[') {
            section = line;
        } else if let Some((key, names)) = line.split_once(':') {
            let names: Vec<&str> = match section {
                "[own]" => vec![key],
                _ if ABOUT_DRAWINGS.contains(&section) => names.split_whitespace().collect(),
                _ => continue,
            };
            told += names.len();
            names.into_iter().for_each(|name| assert!(atlas().named(name).is_some(), "{section} speaks of {name}"));
        }
    }
    assert!(told > 300, "{told} traits");
}

#[test]
fn the_same_picture_has_the_same_bytes() {
    for (name, colour) in [("cat", None), ("automobile", Some(Colour::Blue)), ("submarine", Some(Colour::Red))] {
        assert_eq!(picture(named(name), 90, colour), picture(named(name), 90, colour), "{name}");
    }
}

#[test]
fn pixels_are_premultiplied_and_as_many_as_asked() {
    for side in [1, 17, 200] {
        let Picture { width, height, pixels } = picture(named("hot-air-balloon"), side, None);
        assert_eq!((width, height, pixels.len()), (side, side, side * side));
        assert!(pixels.iter().all(|[r, g, b, a]| r.max(g).max(b) <= a), "at {side}");
    }
}

#[test]
fn what_is_no_svg_is_an_empty_picture() {
    for body in ["<path", "</svg>", "", "<g><path d='M0 0h9'/>"] {
        assert!(raster(body, 8).pixels.iter().all(|pixel| *pixel == [0; 4]), "{body}");
        assert_eq!(measure(body), None);
    }
    assert!(raster("<path d='M0 0h32v32H0z'/>", 0).pixels.is_empty());
}

/// Mean colour of the ink, 0 to 1.
fn mean(picture: &Picture) -> [f32; 3] {
    let mut sums = [0.0_f32; 4];
    for pixel in &picture.pixels {
        sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += f32::from(*value));
    }
    [0, 1, 2].map(|channel| sums[channel] / sums[3])
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

const PAINTED: [&str; 10] =
    ["automobile", "balloon", "cat", "butterfly", "house", "rose", "submarine", "elephant", "black-cat", "rose-bush"];

/// Mean colour of what takes colour at all, and its share of the ink.
fn painted(name: &str, colour: Colour) -> ([f32; 3], f32) {
    let [red, blue, shown] = [Colour::Red, Colour::Blue, colour].map(|colour| picture(named(name), 64, Some(colour)));
    let pairs = red.pixels.iter().zip(&blue.pixels).zip(&shown.pixels);
    let moved: Vec<[u8; 4]> = pairs.filter(|((red, blue), pixel)| red != blue && pixel[3] > 250).map(|(_, pixel)| *pixel).collect();
    let ink = shown.pixels.iter().filter(|pixel| pixel[3] > 250).count();
    let share = moved.len() as f32 / ink as f32;
    (mean(&Picture { width: moved.len(), height: 1, pixels: moved }), share)
}

#[test]
fn a_drawing_becomes_the_colour_that_is_asked_for() {
    for name in PAINTED {
        for colour in Colour::ALL.iter().copied() {
            let ((shown, share), asked) = (painted(name, colour), asked(colour));
            assert!(share > 0.2, "{name}: only {share} of it takes colour");
            assert!(distance(shown, asked) < 0.25, "{name} in {}: {shown:?} for {asked:?}", colour.name());
        }
    }
}

#[test]
fn a_colour_moves_the_whole_picture_towards_it() {
    for name in ["automobile", "balloon", "cat", "butterfly", "house", "rose"] {
        let before = mean(&picture(named(name), 64, None));
        for colour in Colour::ALL.iter().copied() {
            let after = mean(&picture(named(name), 64, Some(colour)));
            let (was, is) = (distance(before, asked(colour)), distance(after, asked(colour)));
            assert!(is < was.max(0.3), "{name} in {}: {was} then {is} away", colour.name());
        }
    }
}

#[test]
fn every_two_colours_look_different() {
    for name in PAINTED {
        let colours: Vec<[f32; 3]> = Colour::ALL.iter().map(|colour| mean(&picture(named(name), 64, Some(*colour)))).collect();
        for (index, one) in colours.iter().enumerate() {
            for (other, two) in colours.iter().enumerate().skip(index + 1) {
                let [one_name, two_name] = [index, other].map(|index| Colour::ALL[index].name());
                assert!(distance(*one, *two) > 0.015, "{name}: {one_name} looks like {two_name}: {one:?} {two:?}");
            }
        }
    }
}

#[test]
fn every_drawing_takes_a_colour() {
    let unmoved: Vec<&str> = atlas()
        .ids()
        .filter(|id| Colour::ALL.iter().all(|colour| picture(*id, 24, Some(*colour)) == picture(*id, 24, None)))
        .map(|id| atlas().get(id).name.as_str())
        .collect();
    assert!(unmoved.is_empty(), "{unmoved:?}");
}
