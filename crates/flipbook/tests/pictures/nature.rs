//! Places in nature that are something in particular: which words name them, who stands where at the water, that each is painted.

use flipbook::codes::{Backdrop, Hour, Setting};
use flipbook::layout;
use flipbook::paint::film::Film;
use flipbook::random::Random;
use flipbook::scene::Program;
use flipbook::words::{Reading, understand};

fn only(prompt: &str) -> Program {
    let mut shots = understand(prompt).story.shots;
    assert_eq!(shots.len(), 1, "{prompt}");
    shots.remove(0)
}

/// The first frame, and the one in the middle.
fn frames(program: &Program, width: usize, height: usize) -> [Vec<u8>; 2] {
    let brief = layout::brief(program, width as f32 / height as f32, 2.0);
    let settled = layout::settle(&brief, layout::write(&brief, &mut Random::new(7)));
    let film = Film::new(program.clone(), brief, settled, width, height, 24, 7);
    [film.frame(0), film.frame(24)]
}

#[test]
fn a_name_of_a_place_in_nature_sets_it_and_is_understood() {
    for (prompt, word, setting) in [
        ("a lion in the savanna", "savanna", Setting::Savanna),
        ("a donkey in a canyon", "canyon", Setting::Canyon),
        ("a goat on the edge of a cliff", "cliff", Setting::CliffTop),
        ("a pirate on a desert island", "desert island", Setting::Island),
        ("a frog in a swamp", "swamp", Setting::Swamp),
        ("a girl skating on an ice rink", "ice rink", Setting::Ice),
        ("a panda in a bamboo forest", "bamboo forest", Setting::BambooForest),
        ("a woman in a lavender field", "lavender field", Setting::LavenderField),
        ("a robot on mars", "on mars", Setting::Mars),
        ("a fish over a coral reef", "coral reef", Setting::Reef),
        ("a boy in candy land", "candy land", Setting::CandyLand),
        ("a snail on a leaf", "on a leaf", Setting::LeafTop),
        ("un león en la sabana", "sabana", Setting::Savanna),
        ("ein Pinguin auf dem Eisberg", "Eisberg", Setting::Iceberg),
        ("竹林里的熊猫", "竹林", Setting::BambooForest),
    ] {
        let program = only(prompt);
        assert_eq!((program.setting, program.backdrop), (Some(setting), setting.backdrop()), "{prompt}");
        let term = understand(prompt).terms.into_iter().find(|term| term.text == word);
        let term = term.unwrap_or_else(|| panic!("{word} is no term of {prompt}: {:?}", understand(prompt).terms));
        assert!(matches!(term.reading, Reading::Understood(_)), "{prompt}: {term:?}");
    }
    assert_eq!(only("a lavender dress").setting, None);
    assert_eq!(only("a panda eating bamboo").setting, None);
}

#[test]
fn who_is_by_the_water_stands_on_its_bank_and_who_swims_or_sails_is_in_it() {
    for (prompt, setting) in [
        ("an old man feeding ducks by the pond", Setting::PondSide),
        ("a tent by a lake", Setting::Lakeside),
        ("a dog near the river", Setting::Riverside),
        ("a deer drinking from a lake", Setting::Lakeside),
        ("a family camping at a lake", Setting::Lakeside),
    ] {
        assert_eq!(only(prompt).setting, Some(setting), "{prompt}");
    }
    for prompt in
        ["ducks swimming in a pond", "a boat on a lake", "a dog swimming near the shore of a lake", "a man rowing a boat by the river"]
    {
        assert!(matches!(only(prompt).backdrop, Backdrop::Lake | Backdrop::River), "{prompt}: {:?}", only(prompt).setting);
    }
    assert_eq!(only("a ship sailing past icebergs").setting, Some(Setting::IcySea));
    assert_eq!(only("a penguin on an iceberg").setting, Some(Setting::Iceberg));
    assert_eq!(only("a dog running along the beach").backdrop, Backdrop::Beach);
}

#[test]
fn every_setting_is_painted_unlike_its_backdrop_in_every_format_by_day_and_night() {
    for (index, setting) in Setting::ALL.iter().copied().filter(|setting| setting.code() > Setting::Cave.code()).enumerate() {
        let [width, height] = [[96, 54], [54, 96], [64, 64]][index % 3];
        for hour in [Hour::Day, Hour::Night] {
            let program = Program { hour, backdrop: setting.backdrop(), setting: Some(setting), ..only("a dog") };
            let plain = Program { setting: None, ..program.clone() };
            let (one, other) = (frames(&program, width, height), frames(&plain, width, height));
            let differ = one[0].iter().zip(&other[0]).filter(|(a, b)| a.abs_diff(**b) > 12).count();
            assert!(differ > width * height / 8, "{setting:?} by {hour:?}: {differ} of {}", 3 * width * height);
            assert_eq!(one, frames(&program, width, height), "{setting:?}: the same seed, the same picture");
        }
    }
}
