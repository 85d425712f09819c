//! What words mean: by their neighbours, together, in other languages, and when they mean nothing.

use flipbook::codes::{Act, Backdrop, Colour, Hour, Motion, Relation, Style, Weather};
use flipbook::scene::{Program, Thing};
use flipbook::sprites::atlas;
use flipbook::words::{Meaning, Reading, understand};

#[test]
fn the_word_lists_have_no_faults() {
    assert_eq!(flipbook::words::lexicon::faults(), Vec::<String>::new());
    assert!(flipbook::words::traits::traits().faults().is_empty());
}

fn reading(prompt: &str, word: &str) -> Reading {
    let terms = understand(prompt).terms;
    terms
        .into_iter()
        .find(|term| term.text.eq_ignore_ascii_case(word))
        .map_or_else(|| panic!("{word} is no term of {prompt}"), |term| term.reading)
}

fn sort(prompt: &str, word: &str) -> String {
    match reading(prompt, word) {
        Reading::Understood(meaning) => format!("{} {}", meaning.sort(), meaning.value()).trim().to_owned(),
        Reading::Guess(meaning) => format!("guess: {} {}", meaning.sort(), meaning.value()),
        Reading::Filler => "filler".to_owned(),
        Reading::Ignored => "ignored".to_owned(),
    }
}

#[test]
fn a_word_is_a_verb_behind_a_subject_and_a_noun_behind_an_article() {
    for (prompt, word, expected) in [
        ("a bat flying over a castle", "bat", "thing bat"),
        ("a fly on a wall", "fly", "thing fly"),
        ("a bird can fly", "fly", "motion fly"),
        ("a seal on a rock", "seal", "thing seal"),
        ("a duck on a pond", "duck", "thing duck-figure"),
        ("an orange on a table", "orange", "thing tangerine"),
        ("an orange truck", "orange", "colour orange"),
        ("a wave", "wave", "backdrop sea"),
        ("two girls wave", "wave", "act wave"),
        ("a watch on a table", "watch", "thing watch"),
        ("people watch a cat", "watch", "relation beside"),
        ("a dog in the park", "park", "backdrop park"),
        ("cars park", "park", "motion idle"),
        ("a red rose in a garden", "red rose", "thing rose"),
        ("the sun rose over a hill", "rose", "motion rise"),
        ("a girl on a swing", "swing", "thing swing"),
        ("monkeys swing", "swing", "motion swing"),
        ("a forest in the fall", "fall", "weather leaves"),
        ("leaves fall", "fall", "motion fall"),
        ("a man fishing", "fishing", "act fish"),
        ("a woman watering a rose", "watering", "act water"),
        ("a chef cooking pasta", "cooking", "act cook"),
        ("a light blue car", "light blue", "colour blue"),
        ("a bear in a cave", "bear", "thing bear-figure"),
        ("a boy eats fish", "fish", "thing fish"),
        ("a ring", "ring", "thing ring"),
    ] {
        let drawn = expected.strip_prefix("thing ").is_none_or(|name| atlas().named(name).is_some());
        assert!(!drawn || sort(prompt, word) == expected, "{word} in {prompt:?} is {}", sort(prompt, word));
    }
}

#[test]
fn compounds_mean_what_they_mean_together() {
    for (prompt, word, expected) in [
        ("new year's eve in tokyo", "new year's eve", "weather fireworks"),
        ("a time lapse of a rose", "time lapse", "filler"),
        ("a hot dog on a plate", "hot dog", "thing hot-dog"),
        ("a polar bear", "polar bear", "thing polar-bear"),
        ("northern lights", "northern lights", "aurora"),
        ("a traffic light", "traffic light", "thing vertical-traffic-light"),
        ("a bride and groom", "groom", "thing groom"),
        ("a squirrel with a nut", "nut", "thing chestnut"),
        ("a chef", "chef", "thing chef"),
        ("an old man", "old man", "thing old-man"),
        ("a close-up of a cat", "close-up of", "filler"),
        ("a cat, 4k, cinematic", "cinematic", "filler"),
        ("a beautiful lake", "beautiful", "filler"),
    ] {
        let drawn = expected.strip_prefix("thing ").is_none_or(|name| atlas().named(name).is_some());
        assert!(!drawn || sort(prompt, word) == expected, "{word} in {prompt:?} is {}", sort(prompt, word));
    }
}

#[test]
fn words_that_cannot_be_drawn_are_ignored() {
    for word in ["freedom", "quantum", "taxes", "wednesday", "xqzvth", "philosophy"] {
        assert_eq!(sort(&format!("a cat and {word}"), word), "ignored");
    }
}

/// What is said of a prompt's words: understood, guessed, ignored or nothing.
fn said(prompt: &str) -> Vec<(String, &'static str)> {
    let terms = understand(prompt).terms.into_iter();
    let said = |reading| match reading {
        Reading::Understood(_) => "understood",
        Reading::Guess(_) => "guess",
        Reading::Ignored => "ignored",
        Reading::Filler => "",
    };
    terms.map(|term| (term.text.to_lowercase(), said(term.reading))).collect()
}

/// Words that say nothing of a picture by themselves, and words about the picture.
const EMPTY: &str = "a an the this that these those and or but as not no without it its is are was be being been has have does do i he she they \
    his her their my your our who which while when where every each some any all just very really also only still again always together \
    up down off away out across against along around at behind below between by during for from full in into near of on onto outside \
    over past through to toward towards under with then appears of make show draw picture video movie scene clip landscape lighting cute \
    beautiful cinematic 4k camera close-up time lapse saying says sign";

#[test]
fn no_word_that_says_something_is_passed_over() {
    let empty: Vec<&str> = EMPTY.split_whitespace().collect();
    let table = include_str!("../data/prompts.txt");
    let prompts = table.lines().filter(|line| !line.starts_with(['#', ' ']));
    let more = "an old fisherman slowly mends his wooden boat in 1950\nseven happy dwarfs and a tall European tower far away";
    let english = prompts.chain(more.lines()).filter(|prompt| understand(prompt).language == "en");
    for prompt in english {
        for (text, _) in said(prompt).into_iter().filter(|(_, said)| said.is_empty()) {
            let passed_over: Vec<&str> = text.split(' ').filter(|word| !empty.contains(word)).collect();
            assert!(passed_over.is_empty(), "nothing is said of {passed_over:?} in {prompt:?}");
        }
    }
}

#[test]
fn what_only_comes_near_is_a_guess() {
    for (prompt, words) in [
        ("a radio tower", "radio tower"),
        ("a family in Italy", "italy"),
        ("a letter on a desk", "letter, desk"),
        ("a boy passes a ball", "passes"),
        ("people talking on Mars", "talking"),
        ("a lynx and a map", "lynx, map"),
        ("bees in grandpa's garden", "grandpa's"),
        ("a man drinking and laughing", "laughing"),
    ] {
        let said = said(prompt);
        for word in words.split(", ") {
            assert!(said.iter().any(|(text, said)| text == word && *said == "guess"), "{word} of {prompt:?}: {said:?}");
        }
    }
}

#[test]
fn families_couples_and_people_are_several_persons() {
    let drawn = |prompt: &str| {
        let things = only(prompt).things.into_iter();
        things.map(|thing| format!("{} {}", thing.count, atlas().get(thing.sprite).name)).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(drawn("a family in a park"), "1 man, 1 woman, 1 boy");
    assert_eq!(drawn("a couple on a beach"), "1 man, 1 woman");
    assert_eq!(drawn("two couples on a beach"), "2 man, 2 woman");
    assert_eq!(drawn("newlyweds"), "1 groom, 1 bride");
    assert_eq!(drawn("five people dancing"), "2 man, 2 woman, 1 girl");
    assert_eq!(drawn("two kids"), "1 boy, 1 girl");
    assert_eq!(drawn("a penguin family"), "3 penguin-figure");
    assert!(only("a couple walking in the rain").things.iter().all(|thing| thing.motion == Motion::Walk));
}

#[test]
fn a_number_that_is_not_drawn_is_a_guess() {
    assert_eq!(sort("five balloons", "five"), "count 5");
    assert_eq!(sort("five balloons, a dog and a cat", "five"), "count 5");
    assert_eq!(sort("ten balloons", "ten"), "count 10");
    assert_eq!(sort("24 birds", "24"), "guess: count 12");
    assert_eq!(sort("twelve balloons and eleven birds", "twelve"), "guess: count 9");
    assert_eq!(sort("3 birds in 1950", "1950"), "ignored");
}

#[test]
fn a_colour_without_its_thing_is_ignored() {
    for (prompt, word) in [
        ("a girl with red shoelaces", "red"),
        ("a car with yellow headlights", "yellow"),
        ("Ein Mädchen mit roten Haaren", "roten"),
        ("un campo verde y un xqzvth rojo", "rojo"),
    ] {
        assert_eq!(sort(prompt, word), "ignored", "{prompt}");
        assert!(only(prompt).things.iter().all(|thing| thing.colour.is_none()), "{prompt}");
    }
    assert_eq!(sort("a green meadow", "green"), "colour green");
    assert_eq!(sort("the car is red", "red"), "colour red");
}

#[test]
fn who_fights_has_an_opponent_and_who_surfs_a_board() {
    let things = only("a cat and a dog fighting").things;
    assert!(things.iter().all(|thing| thing.act == Some(Act::Fight)) && things[1].parent == Some(0));
    let things = only("a girl surfing").things;
    assert_eq!((things[0].relation, atlas().get(things[1].sprite).name.as_str()), (Relation::Ride, "surfboard"));
}

#[test]
fn slips_of_the_pen_are_guesses() {
    assert_eq!(sort("an elephnt", "elephnt").trim_end_matches("-figure"), "guess: thing elephant");
    assert_eq!(sort("a penguni", "penguni").trim_end_matches("-figure"), "guess: thing penguin");
    for (prompt, words) in [
        ("an elephnat riding a bycicle", "elephnat elephant, bycicle bicycle"),
        ("a catt on a skatebord", "catt cat, skatebord skateboard"),
        ("a dgo and a monky", "dgo dog, monky monkey"),
        ("two penguinns and a bananna", "penguinns penguin, bananna banana"),
    ] {
        for (word, meant) in words.split(", ").filter_map(|pair| pair.split_once(' ')) {
            assert_eq!(sort(prompt, word).trim_end_matches("-figure"), format!("guess: thing {meant}"), "{prompt}");
        }
    }
    assert_eq!(sort("un perro en la plaia", "plaia"), "guess: backdrop beach");
}

#[test]
fn a_half_typed_word_is_nothing_until_it_can_be_one_drawing_only() {
    assert_eq!(sort("a cat on a skateb", "skateb"), "guess: thing skateboard");
    assert_eq!(sort("a dog with an umbre", "umbre"), "guess: thing umbrella");
    for word in ["sk", "ska", "moun", "pian"] {
        assert_eq!(sort(&format!("a cat on a {word}"), word), "ignored");
    }
}

fn only(prompt: &str) -> Program {
    let mut shots = understand(prompt).story.shots;
    assert_eq!(shots.len(), 1, "{prompt}");
    shots.remove(0)
}

#[test]
fn colours_sizes_and_counts_go_to_the_next_noun() {
    let program = only("two small red cars and three big blue trucks");
    let told: Vec<_> = program.things.iter().map(|thing| (thing.count, thing.size, thing.colour)).collect();
    assert_eq!(told, [(2, -1, Some(Colour::Red)), (3, 1, Some(Colour::Blue))]);
}

#[test]
fn what_is_negated_is_not_drawn() {
    for prompt in ["a forest without trees", "a beach with no people", "a lake, no boats", "a meadow without any flowers or trees"] {
        assert!(only(prompt).things.iter().all(|thing| thing.added), "{prompt}");
    }
    let program = only("a dog without a hat");
    assert_eq!(program.things.len(), 1);
    assert!(matches!(reading("a dog without a hat", "hat"), Reading::Understood(Meaning::Absent)));
    for (prompt, word) in [
        ("a sky without clouds", "clouds"),
        ("it is not raining", "raining"),
        ("nobody on the street", "nobody"),
        ("a bird that isn't flying", "flying"),
        ("a cat instead of a dog", "dog"),
        ("not a dog but a cat", "dog"),
        ("no dogs and a cat", "dogs"),
        ("ein Himmel ohne Wolken", "Wolken"),
        ("un ciel sans nuages", "nuages"),
        ("un cielo sin nubes", "nubes"),
        ("雲のない空", "雲"),
        ("구름 없는 하늘", "구름"),
    ] {
        assert!(matches!(reading(prompt, word), Reading::Understood(Meaning::Absent) | Reading::Guess(Meaning::Absent)), "{prompt}");
        let program = only(prompt);
        let negated =
            |thing: &Thing| matches!(atlas().get(thing.sprite).name.as_str(), "cloud" | "dog-figure") || thing.motion == Motion::Fly;
        assert!(!program.things.iter().any(negated) && program.weather == Weather::Clear, "{prompt}");
    }
}

#[test]
fn the_passive_turns_subject_and_object_round() {
    let program = only("a mouse being chased by a cat");
    let cat = &program.things[1];
    assert_eq!((cat.relation, cat.parent), (Relation::Chase, Some(0)));
}

#[test]
fn then_and_sentences_make_shots_up_to_three() {
    let shots = |prompt: &str| understand(prompt).story.shots.len();
    assert_eq!(shots("a cat runs, then jumps"), 2);
    assert_eq!(shots("A cat sleeps. A dog runs."), 2);
    assert_eq!(shots("a cat on a hill. It is night."), 1);
    assert_eq!(shots("a cat runs, then jumps, then sleeps, then eats, then swims"), 3);
    let places: Vec<_> = understand("a cat runs in a forest, then swims in the sea").story.shots.iter().map(|shot| shot.backdrop).collect();
    assert_eq!(places, [Backdrop::Forest, Backdrop::Sea]);
    let story = understand("a red cat runs on a beach, then it jumps").story;
    assert_eq!(story.shots[1].things[0].colour, Some(Colour::Red));
    assert_eq!(story.shots[1].things[0].motion, Motion::Jump);
    assert_eq!(story.shots[1].backdrop, Backdrop::Beach);
}

#[test]
fn captions_come_from_quotes_sayings_and_greetings() {
    for (prompt, caption) in [
        ("a cat says \"hello you\"", "hello you"),
        ("a dog saying good morning world", "good morning world"),
        ("happy birthday with balloons", "happy birthday"),
        ("a ghost shouting “boo”", "boo"),
        ("une fleur avec « bonjour »", "bonjour"),
    ] {
        assert_eq!(only(prompt).caption.as_deref(), Some(caption), "{prompt}");
    }
}

#[test]
fn styles_are_of_the_whole_story() {
    for (prompt, style) in [
        ("a cat in paper style", Style::Paper),
        ("pixel art of a knight", Style::Pixel),
        ("a pencil sketch of a house", Style::Pencil),
        ("a neon cat", Style::Neon),
        ("a watercolor fox", Style::Pastel),
    ] {
        assert_eq!(understand(prompt).story.style, Some(style), "{prompt}");
    }
    assert_eq!(understand("a city street with neon lights").story.style, None);
}

#[test]
fn a_dog_runs_on_a_beach_in_twenty_languages() {
    for (prompt, language) in [
        ("a dog running on the beach", "en"),
        ("un perro corriendo en la playa", "es"),
        ("un chien qui court sur la plage", "fr"),
        ("ein Hund rennt am Strand", "de"),
        ("un cane che corre sulla spiaggia", "it"),
        ("um cachorro correndo na praia", "pt"),
        ("een hond rent op het strand", "nl"),
        ("pies biegnie po plaży", "pl"),
        ("собака бежит по пляжу", "ru"),
        ("собака біжить по пляжі", "uk"),
        ("pes běží po pláži", "cs"),
        ("en hund springer på stranden", "sv"),
        ("köpek sahilde koşuyor", "tr"),
        ("كلب يركض على الشاطئ", "ar"),
        ("कुत्ता समुद्र तट पर दौड़ रहा है", "hi"),
        ("seekor anjing berlari di pantai", "id"),
        ("犬が海辺を走っている", "ja"),
        ("개가 해변에서 달리고 있다", "ko"),
        ("一只狗在海滩上奔跑", "zh"),
        ("ένας σκύλος τρέχει στην παραλία", "el"),
    ] {
        let understood = understand(prompt);
        let program = &understood.story.shots[0];
        let dog: Vec<_> =
            program.things.iter().map(|thing| (atlas().get(thing.sprite).name.trim_end_matches("-figure"), thing.motion)).collect();
        assert_eq!(dog, [("dog", Motion::Run)], "{prompt}");
        assert_eq!(program.backdrop, Backdrop::Beach, "{prompt}");
        assert_eq!(understood.language, language, "{prompt}");
    }
}

#[test]
fn a_cat_plays_the_piano_in_many_languages() {
    for prompt in [
        "gato tocando piano",
        "un chat joue du piano",
        "eine Katze spielt Klavier",
        "кошка играет на пианино",
        "kedi piyano çalıyor",
        "قطة تعزف على البيانو",
        "猫がピアノを弾いている",
        "고양이가 피아노를 치고 있다",
        "一只猫在弹钢琴",
        "kot gra na pianinie",
    ] {
        let program = only(prompt);
        assert!(program.things.iter().any(|thing| thing.relation == Relation::Play && thing.motion == Motion::Play), "{prompt}");
        assert_eq!(program.things.len(), 2, "{prompt}");
    }
}

#[test]
fn weather_and_hours_of_other_languages_are_no_things() {
    for (prompt, weather, hour) in [
        ("ein Hund im Regen bei Nacht", Weather::Rain, Hour::Night),
        ("un chat sous la pluie la nuit", Weather::Rain, Hour::Night),
        ("un gato bajo la lluvia de noche", Weather::Rain, Hour::Night),
        ("кот под дождём ночью", Weather::Rain, Hour::Night),
        ("夜の雨の中の猫", Weather::Rain, Hour::Night),
    ] {
        let program = only(prompt);
        assert_eq!((program.weather, program.hour, program.things.len()), (weather, hour, 1), "{prompt}");
    }
}

#[test]
fn an_emoji_names_its_drawing() {
    let program = only("🐈 riding a 🛹");
    assert_eq!(program.things[0].relation, Relation::Ride);
    assert_eq!(atlas().get(program.things[1].sprite).name, "skateboard");
}

#[test]
fn nothing_is_understood_of_nothing() {
    for prompt in ["", "   ", "...", "the of and", "xqzvth wqrtz", "\u{200b}"] {
        let understood = understand(prompt);
        assert!(understood.is_empty(), "{prompt:?}");
        assert_eq!(understood.story.shots.len(), 1);
    }
    assert!(["a cat", "rain"].iter().all(|prompt| !understand(prompt).is_empty()));
}
