//! Where things are: a word for a place, a building from inside or outside, and where what is done says it.

use super::told::{names, only, said};
use flipbook::codes::{Backdrop, Setting};
use flipbook::words::understand;

#[test]
fn what_has_no_room_is_not_said_to_be_shown_and_its_colour_neither() {
    let prompt = "a cat, a dog, a horse, a cow, a pig, a sheep and a blue balloon in the park";
    assert_eq!((said(prompt, "balloon"), said(prompt, "blue")), ("ignored".to_owned(), "ignored".to_owned()));
}

#[test]
fn a_room_stays_for_the_shots_that_follow() {
    let shots = understand("A girl reads in a library. Then she dances.").story.shots;
    assert!(shots.len() == 2 && shots.iter().all(|shot| shot.setting == Some(Setting::Library)), "{shots:?}");
}

#[test]
fn a_building_is_what_is_in_it_unless_it_is_seen_from_outside() {
    for (prompt, setting) in [
        ("a boy praying in a church", Setting::Church),
        ("kids learning at school", Setting::Classroom),
        ("a cow standing in a barn", Setting::Barn),
        ("family telling stories in a tent", Setting::Tent),
        ("a woman waits in the train station", Setting::Platform),
        ("ein Hund in der Kirche", Setting::Church),
    ] {
        assert_eq!(only(prompt, "").setting, Some(setting), "{prompt}");
    }
    for (prompt, building) in [
        ("a bride throwing a ball outside a church", "church"),
        ("a dog walking to school", "school"),
        ("a girl in front of a barn", "barn"),
        ("a boy in a tent in the forest", "tent"),
        ("bats flying out of a cave", "cave"),
    ] {
        let program = only(prompt, "");
        assert!(program.setting.is_none() && names(&program).contains(&building), "{prompt}: {:?}", names(&program));
    }
}

#[test]
fn who_works_in_a_room_is_there_when_nobody_says_where() {
    assert_eq!(only("a teacher writing on the blackboard", "").setting, Some(Setting::Classroom));
    assert_eq!(only("a judge", "").setting, Some(Setting::Court));
    assert_eq!(only("a boy and a christmas tree", "").setting, Some(Setting::Christmas));
    assert_eq!(only("a teacher on the beach", "").backdrop, Backdrop::Beach);
    for prompt in ["a teacher riding a horse", "a nurse running", "a judge in the rain"] {
        assert_ne!(only(prompt, "").backdrop, Backdrop::Room, "{prompt}");
    }
}

#[test]
fn a_room_is_furnished_as_what_it_is() {
    for (prompt, setting) in [
        ("a spider in an old attic", Setting::Attic),
        ("a man reading a book on the train", Setting::Carriage),
        ("a girl doing a backflip in the gym", Setting::Gym),
        ("a bear sleeping in a cave", Setting::Cave),
        ("a dog in a toy store", Setting::ToyShop),
        ("une souris dans le grenier", Setting::Attic),
        ("ein Hund im Büro", Setting::Office),
        ("кот в поезде", Setting::Carriage),
        ("电车里的猫在咖啡馆", Setting::Cafe),
        ("体育館で踊る女の子", Setting::Gym),
    ] {
        let program = only(prompt, "");
        assert_eq!((program.backdrop, program.setting), (Backdrop::Room, Some(setting)), "{prompt}");
    }
    let shots = understand("A cat runs in the gym. Then it sleeps.").story.shots;
    assert!(shots.iter().all(|shot| shot.setting == Some(Setting::Gym)), "{shots:?}");
    assert_eq!(said("a dog in a cave, snow", "snow"), "ignored");
}

#[test]
fn a_place_outdoors_is_painted_as_what_it_is() {
    for (prompt, setting) in [
        ("a boy on a playground", Setting::Playground),
        ("a goalkeeper catching the ball in a packed stadium", Setting::Stadium),
        ("a woman waits in the train station", Setting::Platform),
        ("a train crossing a stone bridge", Setting::Bridge),
        ("a cat on a rooftop", Setting::Rooftop),
        ("a girl waving in front of the Eiffel Tower", Setting::Paris),
        ("a yellow taxi in traffic in New York", Setting::NewYork),
        ("un gato en el mercado", Setting::Market),
        ("ein Hund auf dem Spielplatz", Setting::Playground),
        ("动物园里的女孩", Setting::Zoo),
    ] {
        assert_eq!(only(prompt, "").setting, Some(setting), "{prompt}");
    }
    assert_eq!(said("a dog in the backyard", "backyard"), "setting backyard");
}

#[test]
fn a_harbour_is_a_quay_to_who_walks_and_water_to_who_floats() {
    let at = |prompt: &str| only(prompt, "").setting;
    assert_eq!((at("a sailor at the harbour"), at("a boat in the harbour")), (Some(Setting::Quay), Some(Setting::Harbour)));
    assert_eq!((at("a girl at the swimming pool"), at("a duck swimming in the pool")), (Some(Setting::Poolside), Some(Setting::Pool)));
    assert_eq!(said("a boat in the harbour", "harbour"), "setting quay");
}

#[test]
fn a_bridge_by_itself_or_in_the_mountains_is_a_thing() {
    assert_eq!((names(&only("a bridge over a river", ""))[0], only("a bridge", "").setting), ("bridge", None));
    let mountains = only("a train going over a bridge in the mountains", "");
    assert_eq!((mountains.backdrop, mountains.setting), (Backdrop::Mountains, None));
}

#[test]
fn where_something_is_done_follows_from_it_unless_a_place_is_said() {
    assert_eq!(only("a girl scoring a goal", "").setting, Some(Setting::Pitch));
    assert_eq!(only("a bear dunking", "").setting, Some(Setting::Hoops));
    assert_eq!(only("a bear dunking on the beach", "").backdrop, Backdrop::Beach);
}

#[test]
fn one_place_is_shown_and_the_other_is_not_said_to_be() {
    assert!(
        said("a girl in a library in a museum", "museum").starts_with("ignored"),
        "{}",
        said("a girl in a library in a museum", "museum")
    );
}

#[test]
fn a_place_is_told_as_what_it_is() {
    for (prompt, word, told) in [
        ("a dog at the lakeside", "lakeside", "setting lakeside"),
        ("a man in a gym", "gym", "setting gym"),
        ("a cow in a meadow", "meadow", "backdrop meadow"),
    ] {
        assert_eq!(said(prompt, word), told, "{prompt}");
    }
}

#[test]
fn a_denial_behind_its_word_takes_all_of_it_back() {
    assert_eq!(understand("kedi, pixel art yok").story.style, None);
    let cat = only("猫、図書館なし", "");
    assert_eq!((cat.things.len(), cat.setting), (1, None), "{cat:?}");
    assert!(only("公園、家族なし", "").things.iter().all(|thing| thing.added), "{:?}", only("公園、家族なし", ""));
}
