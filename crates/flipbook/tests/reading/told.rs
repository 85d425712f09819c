//! What is said of the words of a prompt is what its film shows; what is left out is not in it.

use flipbook::codes::{Act, Backdrop, Colour, Effect, Hour, Motion, Relation, Setting, Style, Weather};
use flipbook::scene::{Program, Thing};
use flipbook::sprites::atlas;
use flipbook::words::{Reading, understand, understand_without};

/// What is said of a word: its reading and what it means.
pub fn said(prompt: &str, word: &str) -> String {
    let terms = understand(prompt).terms;
    let of = |term: &flipbook::words::Term| match &term.reading {
        Reading::Understood(meaning) => format!("{} {}", meaning.sort(), meaning.value()).trim().to_owned(),
        Reading::Guess(meaning) => format!("guess: {} {}", meaning.sort(), meaning.value()),
        Reading::Filler => "filler".to_owned(),
        Reading::Ignored => "ignored".to_owned(),
    };
    terms.iter().find(|term| term.text == word).map_or_else(|| panic!("{word} is no term of {prompt}: {terms:?}"), of)
}

pub fn only(prompt: &str, left_out: &str) -> Program {
    let mut shots = understand_without(prompt, left_out).story.shots;
    assert_eq!(shots.len(), 1, "{prompt}");
    shots.remove(0)
}

pub fn names(program: &Program) -> Vec<&str> {
    program.things.iter().map(|thing| atlas().get(thing.sprite).name.as_str()).collect()
}

#[test]
fn what_is_left_out_is_not_added_and_what_the_prompt_says_is_there_all_the_same() {
    for prompt in ["a beach", "a meadow", "a forest", "a lake", "a city street", "a farm"] {
        let program = only(prompt, "");
        let added: Vec<&str> =
            names(&program).into_iter().zip(&program.things).filter(|(_, thing)| thing.added).map(|(name, _)| name).collect();
        let left_out = added.join(", ").replace("-figure", "").replace('-', " ");
        let without = only(prompt, &left_out);
        assert!(names(&without).iter().all(|name| !added.contains(name)), "{left_out} of {prompt}: {:?}", names(&without));
        assert_eq!(without.backdrop, program.backdrop);
    }
    assert!(names(&only("a beach", "")).len() > names(&only("a beach", "gulls, birds, boats, people")).len());
    assert_eq!(names(&only("a cat on a beach", "cats, beaches")), names(&only("a cat on a beach", "")));
    assert_eq!(only("a cat in the rain", "rain").weather, Weather::Rain);
    assert_eq!(only("a fish underwater", "bubbles").weather, Weather::Clear);
    let steams = |left_out: &str| only("a cup of coffee", left_out).things.iter().any(|thing| thing.effect == Some(Effect::Steam));
    assert!(steams("") && !steams("steam") && !steams("STEAM, ontology"));
}

#[test]
fn what_is_denied_is_not_painted() {
    assert_ne!(only("a fish underwater, no bubbles", "").weather, Weather::Bubbles);
    assert!(only("a cup of coffee, no steam", "").things.iter().all(|thing| thing.effect.is_none()));
    let penguin = "a penguin, no snow";
    let snows = only(penguin, "").weather == Weather::Snow || only(penguin, "").backdrop == Backdrop::Snowfield;
    assert!(!snows || !said(penguin, "snow").starts_with("absent"), "{}", said(penguin, "snow"));
    assert_eq!(only("a penguin in the snow", "").weather, Weather::Snow);
}

#[test]
fn a_denial_reaches_its_word_and_no_further() {
    for prompt in ["a cat, no pixel art", "a dog, not a pencil sketch"] {
        assert_eq!(understand(prompt).story.style, None, "{prompt}");
    }
    let car = "a car that is not red in a city";
    let program = only(car, "");
    assert_eq!((program.things[0].colour, program.backdrop), (None, Backdrop::City));
    assert_eq!(said(car, "city"), "backdrop city");
    assert_eq!(said(car, "red"), "guess: absent ");
    let driven = &only("a car that is not red drives down a road", "").things[0];
    assert_eq!((driven.colour, driven.motion), (None, Motion::Drive));
    for (prompt, left_out) in [("a dog that is not wearing a hat", "hat"), ("a man who is not holding an umbrella", "umbrella")] {
        assert_eq!((only(prompt, "").things.len(), said(prompt, left_out).as_str()), (1, "absent"), "{prompt}");
    }
    assert!(names(&only("a man who is not eating beside a dog", "")).contains(&"dog-figure"));
    let trees = "a cat in a park, no snowy trees";
    assert_eq!((only(trees, "").weather, said(trees, "snowy").as_str()), (Weather::Clear, "absent"));
    assert_eq!(names(&only("a dog without a red ball in a park", "")).len(), names(&only("a dog in a park", "")).len());
}

#[test]
fn what_is_painted_in_any_case_is_not_said_to_be_so_or_to_be_left_out() {
    for (prompt, word, told) in [
        ("a library without books", "books", "guess: absent "),
        ("a fire station, no fire trucks", "fire trucks", "guess: absent "),
        ("a man holds a red hammer", "red", "ignored"),
        ("a man holds a shiny axe", "shiny", "ignored"),
        ("a magical octopus juggles balls", "juggles", "guess: act juggle"),
        ("boxes stack up on a table", "stack up", "guess: act stack"),
    ] {
        assert_eq!(said(prompt, word), told, "{prompt}");
    }
}

#[test]
fn a_verb_means_what_its_object_makes_of_it() {
    let rainbow = only("three unicorns run over a rainbow", "");
    assert_eq!((rainbow.things[0].motion, rainbow.things[0].act), (Motion::Run, None));
    assert!(rainbow.things[0].course.is_some());
    assert_eq!(only("a truck runs over a can", "").things[0].act, Some(Act::Crush));
    assert_eq!(only("a giant crushes a castle", "").things[0].act, Some(Act::Crush));
    assert_eq!(only("a mother rocking a baby", "").things[0].act, Some(Act::Cradle));
    assert_eq!(said("a mother rocking a baby", "rocking"), "act cradle");
    assert_eq!(only("子供が雪だるまを作っている", "").things[0].act, Some(Act::Build));
    assert_eq!(only("子供がケーキを作っている", "").things[0].act, Some(Act::Cook));
    assert_eq!(only("a monkey swinging, a baby laughing", "").things[0].motion, Motion::Swing);
    assert_ne!(only("a hunter shooting at a target", "").things[0].act, Some(Act::Call));
}

#[test]
fn who_is_pushed_on_a_swing_is_on_it() {
    let program = only("a father pushing a girl on a swing", "");
    let at = |name: &str| names(&program).iter().position(|other| *other == name).unwrap();
    assert_eq!(program.things[at("girl")].parent, Some(at("swing")), "{program:?}");
    assert_eq!((program.things[at("man")].act, program.things[at("man")].parent), (Some(Act::Push), Some(at("girl"))), "{program:?}");
}

#[test]
fn clothes_that_are_not_drawn_give_their_colour_to_who_wears_them() {
    for (prompt, wearer, colour) in [
        ("a man in a blue shirt in the park", "man", "blue"),
        ("a girl in a green dress in a meadow", "girl", "green"),
        ("a boy in a red shirt beside a yellow car", "boy", "red"),
    ] {
        let program = only(prompt, "");
        let worn = program.things.iter().find(|thing| atlas().get(thing.sprite).name == wearer).unwrap();
        assert_eq!(worn.colour.map(|colour| colour.name()), Some(colour), "{prompt}: {:?}", program);
        assert_eq!(said(prompt, colour), format!("colour {colour}"), "{prompt}");
    }
    let prompt = "a boy in a red shirt beside a yellow car";
    assert_eq!(said(prompt, "yellow"), "colour yellow");
}

#[test]
fn weather_is_said_to_be_shown_where_it_is_painted() {
    for (prompt, word) in [
        ("a rock concert with fireworks", "fireworks"),
        ("northern lights in space", "northern lights"),
        ("an astronaut on the moon in the rain", "rain"),
        ("a singer on a stage in the rain", "rain"),
        ("a thunderstorm underwater", "thunderstorm"),
    ] {
        assert_eq!(said(prompt, word), "ignored", "{prompt}");
    }
    for (prompt, word, shown) in [
        ("fireworks over a city", "fireworks", "weather fireworks"),
        ("northern lights over a lake", "northern lights", "aurora"),
        ("a cat in a room, rain outside", "rain", "weather rain"),
        ("shooting stars in space", "shooting stars", "weather stars"),
    ] {
        assert_eq!(said(prompt, word), shown, "{prompt}");
    }
}

#[test]
fn joined_emoji_are_each_of_their_persons_or_a_guess() {
    assert_eq!(names(&only("👨‍👩‍👧‍👦 at the beach", "")), ["man", "woman", "girl", "boy"]);
    assert_eq!(names(&only("👩‍🚀", "")), ["astronaut-figure"]);
    let couple = understand("👩‍❤️‍👨").terms;
    assert_eq!(couple.len(), 2, "{couple:?}");
    assert!(matches!(couple[0].reading, Reading::Guess(_)) && matches!(couple[1].reading, Reading::Understood(_)), "{couple:?}");
}

#[test]
fn each_emoji_and_each_person_counts() {
    let counts = |prompt: &str| only(prompt, "").things.iter().map(|thing| thing.count).collect::<Vec<_>>();
    assert_eq!(counts("🐶🐶🐶"), [3]);
    assert_eq!(counts("👨‍👩‍👧‍👧 in a park"), [1, 1, 2]);
    assert_eq!(counts("3人在公园跑步").iter().sum::<usize>(), 3);
    assert_eq!(counts("a corgi puppy"), [1]);
}

#[test]
fn clothes_in_a_list_are_worn_and_a_colour_goes_with_who_wears_it() {
    assert_eq!(names(&only("a man in a white shirt and black trousers", "")), ["man"]);
    assert!(only("a cat in a hat and sunglasses", "").things[1..].iter().all(|thing| thing.relation == Relation::Wear));
    assert_eq!(names(&only("a man in a white shirt and a dog", "")), ["man", "dog-figure"]);
    let crowd = "a cat, a dog, a horse, a cow, a pig, a sheep and a man in a blue shirt in the park";
    assert_eq!((said(crowd, "man"), said(crowd, "blue")), ("ignored".to_owned(), "ignored".to_owned()));
}

#[test]
fn what_the_prompt_says_burns_though_fire_is_left_out() {
    let burns = |prompt: &str| only(prompt, "fire").things[0].effect.is_some();
    assert!(burns("a dragon breathing fire"));
    assert!(only("a dragon breathing fire", "").things[0].effect.is_some());
}

#[test]
fn what_is_done_without_joints_and_what_places_have_may_be_told_as_guesses_only() {
    for (prompt, word) in [("an octopus juggles balls", "juggles"), ("a beach, no crabs", "crabs")] {
        assert!(
            !matches!(understand(prompt).terms.iter().find(|term| term.text == word).unwrap().reading, Reading::Understood(_)),
            "{prompt}"
        );
    }
    assert_eq!(said("a clown juggles balls", "juggles"), "act juggle");
}

#[test]
fn a_noun_of_another_language_is_not_lost_to_a_verb_that_is_spelt_like_it() {
    assert_ne!(said("una casa en el monte", "monte"), "ignored");
}

#[test]
fn things_and_places_that_people_name_most_are_drawn() {
    for (prompt, drawn, relation) in [
        ("a cat on the table", "table", Relation::On),
        ("my dog sleeping under the kitchen table", "table", Relation::Under),
        ("an owl sitting on a branch at night", "branch", Relation::On),
        ("a cat sitting on the roof", "roof", Relation::On),
        ("santa stuck in a chimney", "chimney", Relation::In),
        ("two guys boxing in a boxing ring", "boxing-ring", Relation::In),
        ("a girl sleeping in a hammock", "hammock", Relation::In),
        ("a cat on a shelf", "bookcase", Relation::On),
        ("a pig rolling in the mud", "mud-puddle", Relation::In),
        ("a bird on the wall", "stone-wall", Relation::On),
        ("a bicycle leaning on a wall in paris", "stone-wall", Relation::Beside),
    ] {
        let program = only(prompt, "");
        let at = names(&program).iter().position(|name| *name == drawn).unwrap_or_else(|| panic!("{prompt}: {:?}", names(&program)));
        let stands = |thing: &Thing| (thing.parent == Some(at) || thing.sprite == program.things[at].sprite) && thing.relation == relation;
        assert!(program.things.iter().any(stands), "{prompt}: {program:?}");
        assert!(matches!(program.things[at].motion, Motion::Still | Motion::Idle), "{prompt}");
    }
    assert_eq!(only("a cat sitting on the roof", "").backdrop, Backdrop::City);
    assert_eq!(names(&only("a cabin at night with smoke coming out of the chimney", "")), ["cabin"]);
    assert_eq!(only("my dog sleeping under the kitchen table", "").backdrop, Backdrop::Room);
}

#[test]
fn a_place_is_known_by_its_furniture_unless_that_is_left_out() {
    for (prompt, known_by) in [("a duck in the bathroom", "bathtub"), ("a mouse in a hospital room", "bed")] {
        let program = only(prompt, "");
        let furniture = program.things.iter().find(|thing| atlas().get(thing.sprite).name == known_by).unwrap();
        assert!(furniture.added && program.backdrop == Backdrop::Room, "{prompt}");
        assert!(!names(&only(prompt, "bathtubs, beds")).contains(&known_by), "{prompt}");
    }
    assert_eq!(said("a teacher in a classroom", "classroom"), "setting classroom");
    assert_eq!(only("four cats, three dogs, a cow, a pig and a horse in a bathroom", "").things.len(), 5);
}

#[test]
fn a_mood_and_the_weather_said_again_in_emoji_are_no_things() {
    assert_eq!(names(&only("a baby pulling a cat 😂", "")), names(&only("a baby pulling a cat", "")));
    assert_eq!(names(&only("fireworks over the city 🎆", "")), names(&only("fireworks over the city", "")));
    assert_eq!(said("a cat 😂", "😂"), "ignored");
    assert_eq!(names(&only("😂", "")).len(), 1);
    assert_eq!(names(&only("🎆", "")).len() + usize::from(only("🎆", "").weather == Weather::Fireworks), 1);
}

#[test]
fn sloppy_words_are_read_as_they_are_meant() {
    for (prompt, drawn) in [
        ("a parrot singing on a pirates shoulder", "1 parrot, 1 pirate"),
        ("a baby pulling the cats tail", "1 baby, 1 cat"),
        ("a butterfly sitting on a childs hand", "1 butterfly, 1 boy"),
        ("a goat eating someones hat", "1 goat, 1 top-hat"),
        ("two cats and three dogs", "2 cat, 3 dog"),
        ("the dogs run", "3 dog"),
        ("a cat scaring a dog lol", "1 cat, 1 dog"),
    ] {
        let things = only(prompt, "").things.into_iter();
        let told: Vec<String> =
            things.map(|thing| format!("{} {}", thing.count, atlas().get(thing.sprite).name.replace("-figure", ""))).collect();
        assert_eq!(told.join(", "), drawn, "{prompt}");
    }
    assert_ne!(only("a man walking home in the snow with a bag", "").backdrop, Backdrop::Room);
}

#[test]
fn a_colour_is_told_where_it_is_painted() {
    for (prompt, word) in [("a red windmill", "red"), ("a girl on a red skateboard", "red"), ("a clown juggles two red balls", "red")] {
        assert_eq!(said(prompt, word), "ignored", "{prompt}");
    }
    for prompt in ["a red skateboard", "a red ball", "a red car beside a windmill"] {
        assert_eq!(said(prompt, "red"), "colour red", "{prompt}");
    }
}

#[test]
fn a_style_is_read_in_english_behind_any_language() {
    for prompt in ["ein Igel läuft im Wald", "un gato duerme", "海辺の猫", "кот спит", "Hund", "gato", "kedi uyuyor"] {
        let plain = understand(prompt);
        for (words, style) in [
            ("paper art", Style::Paper),
            ("neon art", Style::Neon),
            ("pencil drawing", Style::Pencil),
            ("pastel colors", Style::Pastel),
            ("pixel art", Style::Pixel),
        ] {
            let styled = understand(&format!("{prompt}, {words}"));
            assert_eq!(styled.story.style, Some(style), "{prompt}, {words}");
            assert_eq!(styled.story.shots, plain.story.shots, "{prompt}, {words}");
        }
    }
}

#[test]
fn what_stands_before_without_stays() {
    for prompt in ["a dog and a cat without", "a dog and a cat, no", "a dog and a cat without, say, a hat"] {
        assert_eq!(names(&only(prompt, ""))[..2], ["dog-figure", "cat-figure"], "{prompt}");
    }
    assert_eq!(names(&only("un chien et un chat sans", "")), ["dog-figure", "cat-figure"]);
}

#[test]
fn a_colour_that_the_sky_has_is_no_colour_of_a_thing() {
    for prompt in ["a blue windmill", "a blue swing", "a man juggles three green balls"] {
        assert_eq!(said(prompt, prompt.split(' ').find(|word| ["blue", "green"].contains(word)).unwrap()), "ignored", "{prompt}");
    }
}

#[test]
fn who_rides_does_with_hands_what_is_said() {
    assert!(said("a boy on a skateboard kneels", "kneels").starts_with("guess"));
    assert!(said("a girl kneels on a horse", "kneels").starts_with("guess"));
}

#[test]
fn words_are_read_as_they_are_meant_together() {
    let rides = |prompt: &str| only(prompt, "").things.iter().any(|thing| thing.relation == Relation::Ride);
    for prompt in [
        "granny racing her motorbike through the desert",
        "an old fisherman rowing his boat",
        "a pilot flying a plane",
        "a slice of pizza surfing a big wave at sunset",
    ] {
        assert!(rides(prompt), "{prompt}");
    }
    assert!(!rides("a turtle racing a rabbit") && !rides("a pirate ship sails the stormy sea"));
    assert_eq!(only("a bee visiting flowers in a school garden", "").backdrop, Backdrop::Meadow);
    assert_eq!(only("two otters floating down a river", "").things[0].motion, Motion::Swim);
    assert_eq!(only("elephant takin a bath", "").things[0].act, Some(Act::Bathe));
    assert_eq!(names(&only("a robin", "")), ["robin"]);
    assert_eq!(only("balloons over lavender fields", "").setting, Some(Setting::LavenderField));
    assert_eq!(names(&only("kids building a snowman infront of their house", "")), ["boy", "girl", "snowman-without-snow", "house"]);
    assert_eq!(names(&only("my daughter riding a unicorn over the rainbow 🦄", "")), ["girl", "unicorn-figure", "rainbow"]);
    assert_eq!(only("a little robot sweeping the floor of an old bookshop", "").setting, Some(Setting::Bookshop));
    assert_eq!(only("firefighters spraying water on a burning barn in the countryside", "").backdrop, Backdrop::Hills);
    assert_eq!(only("a duck in the water", "").backdrop, Backdrop::Sea);
    assert_eq!(names(&only("a student on a late train", ""))[0], "student");
    assert_eq!(only("two bears in caves", "").setting, Some(Setting::Cave));
    assert_eq!(only("a mouse on the kitchen floor", "").backdrop, Backdrop::Kitchen);
    assert_eq!(only("a deer on a forest path", "").backdrop, Backdrop::Forest);
    assert_eq!(names(&only("a woman reads in a train car", "")), ["woman"]);
    for prompt in ["スーパーカーが道を走る", "ein Hund vor einem Laden auf der Straße", "كرسي عليه قطة", "un coche azul marino en la calle"]
    {
        assert_eq!(only(prompt, "").setting, None, "{prompt}");
    }
    let bridge = only("a fire truck racing over a bridge at night", "");
    assert_eq!((bridge.setting, bridge.hour), (Some(Setting::Bridge), Hour::Night));
}

#[test]
fn an_animals_mother_is_of_its_kind_and_its_feathers_are_its_own() {
    let things = |prompt: &str| names(&only(prompt, "")).join(" ");
    assert_eq!(things("a baby elephant following its mom"), "elephant-figure elephant-figure");
    assert_eq!(things("a girl and her mom"), "girl woman");
    let bird = only("a bird with blue feathers", "");
    assert_eq!((names(&bird), bird.things[0].colour), (vec!["songbird"], Some(Colour::Blue)));
    assert_eq!(only("a cat with big green eyes", "").things[0].colour, None);
    assert_eq!(things("a snowman with a carrot nose"), "snowman-without-snow");
    assert_eq!(things("a man with a huge beard eating soup"), "bearded-man steaming-bowl");
}

#[test]
fn compounds_and_words_of_two_senses_are_what_they_are_together() {
    let first = |prompt: &str| names(&only(prompt, "")).first().map(|name| (*name).to_owned());
    for (prompt, drawing) in [
        ("hot air baloon over the hills", "hot-air-balloon"),
        ("a glass on a table", "drinking-glass"),
        ("a blade of grass", "grass-blades"),
        ("a newspaper boy", "boy"),
        ("a rubber duck", "rubber-duck"),
        ("a gingerbread man running away", "gingerbread-man"),
        ("a sea of sunflowers", "sunflower"),
        ("a wizard's tower", "stone-tower"),
        ("my little brother", "boy"),
    ] {
        assert_eq!(first(prompt).as_deref(), Some(drawing), "{prompt}");
    }
    let phone = only("a teenager on her phone", "");
    assert_eq!((phone.things[0].relation, phone.things[0].act), (Relation::Play, Some(Act::Hold)));
    let basket = only("a basket of kittens", "");
    assert_eq!((names(&basket), basket.things[1].relation), (vec!["basket", "cat-figure"], Relation::In));
    let parrot = only("a pirate with a parrot on his shoulder", "");
    assert_eq!((parrot.things[1].relation, parrot.things[1].parent), (Relation::On, Some(0)));
}
