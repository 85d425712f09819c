//! That frames depend on nothing but the film.

use flipbook::codes::{Backdrop, Hour, Motion, Relation, Weather};
use flipbook::figures::{Gesture, varied};
use flipbook::layout;
use flipbook::paint::film::{Film, Moment};
use flipbook::paint::seen;
use flipbook::random::Random;
use flipbook::scene::{Program, Thing};
use flipbook::sprites::{SpriteId, atlas};
use flipbook::words::{Meaning, Reading, understand};

fn film(width: usize, height: usize, backdrop: Backdrop, weather: Weather) -> Film {
    let things = [Motion::Run, Motion::Idle, Motion::Rise].iter().enumerate().map(|(place, motion)| Thing {
        sprite: SpriteId(place as u16),
        motion: *motion,
        colour: None,
        size: 0,
        count: 1,
        relation: Relation::None,
        parent: None,
        effect: None,
        act: None,
        course: None,
        added: false,
    });
    let program = Program { things: things.collect(), backdrop, weather, hour: Hour::Day, setting: None, aurora: false, caption: None };
    let brief = layout::brief(&program, width as f32 / height as f32, 4.0);
    let layout = layout::write(&brief, &mut Random::new(5));
    Film::new(program, brief.clone(), layout::settle(&brief, layout), width, height, 24, 3)
}

#[test]
fn frames_are_the_same_bytes_from_any_number_of_threads_and_in_any_order() {
    for (backdrop, weather) in [(Backdrop::Meadow, Weather::Clear), (Backdrop::Sea, Weather::Storm)] {
        let film = film(96, 64, backdrop, weather);
        let alone: Vec<Vec<u8>> = (0..8).map(|frame| film.frame(frame)).collect();
        assert!(alone.iter().all(|frame| frame.len() == 96 * 64 * 3));
        let fresh = self::film(96, 64, backdrop, weather);
        let (even, odd) = std::thread::scope(|scope| {
            let even = scope.spawn(|| (0..4).rev().map(|half| fresh.frame(2 * half)).collect::<Vec<_>>());
            let odd = scope.spawn(|| (0..4).rev().map(|half| fresh.frame(2 * half + 1)).collect::<Vec<_>>());
            (even.join().unwrap(), odd.join().unwrap())
        });
        for half in 0..4 {
            assert!(even[3 - half] == alone[2 * half] && odd[3 - half] == alone[2 * half + 1]);
        }
        assert_ne!(alone[0], alone[7]);
    }
}

/// Mean difference of two frames, in 255ths.
fn change(one: &[u8], other: &[u8]) -> f32 {
    one.iter().zip(other).map(|(a, b)| f32::from(a.abs_diff(*b))).sum::<f32>() / one.len() as f32
}

fn prompted(prompt: &str, seed: u64) -> Film {
    let program = understand(prompt).story.shots[0].clone();
    let brief = layout::brief(&program, 1.0, 3.0);
    let layout = layout::write(&brief, &mut Random::new(seed));
    Film::new(program, brief.clone(), layout::settle(&brief, layout), 128, 128, 24, seed)
}

#[test]
fn a_film_is_under_way_in_its_first_half_second() {
    for prompt in ["a cat", "a man reading a book in a room", "a castle at night", "a cup of coffee", "two knights fighting", "a mountain"]
    {
        let film = prompted(prompt, 2);
        let [first, early, middle, later] = [0, 12, 36, 48].map(|frame| film.frame(frame));
        let (start, course) = (change(&first, &early), change(&middle, &later));
        assert!(start > 0.45 * course, "{prompt}: {start} at first, {course} later");
    }
}

#[test]
fn a_rainbow_is_a_whole_arch() {
    for seed in 0..4 {
        let film = prompted("a rainbow over a meadow", seed);
        let place = film.brief.slots.iter().position(|slot| atlas().get(slot.sprite).name == "rainbow").unwrap();
        let mut bare = film.program.clone();
        bare.things.remove(film.brief.slots[place].thing);
        let mut layout = film.layout.clone();
        layout.objects.remove(place);
        let brief = layout::brief(&bare, 1.0, 3.0);
        let bare = Film::new(bare, brief, layout::Settled { layout, focus: film.focus }, 128, 128, 24, seed);
        let (with, without) = (film.frame(30), bare.frame(30));
        let changed = |x: usize| {
            (0..128).filter(|y| (0..3).any(|k| with[3 * (128 * y + x) + k].abs_diff(without[3 * (128 * y + x) + k]) > 16)).count()
        };
        let columns: Vec<usize> = (0..128).filter(|x| changed(*x) > 3).collect();
        let (left, right) = (columns[0], columns[columns.len() - 1]);
        assert!(right - left > 64 && columns.len() > 50, "from {left} to {right}");
        let half = |from: usize, to: usize| (from..to).map(changed).sum::<usize>() as f32;
        let middle = (left + right) / 2;
        let balance = half(left, middle) / half(middle, right + 1);
        assert!((0.6..1.7).contains(&balance), "as much of it on either side: {balance}");
    }
}

#[test]
fn people_of_one_scene_do_not_look_alike_and_are_the_same_again() {
    for name in ["man", "woman", "girl", "boy"] {
        let looks: Vec<String> = (0..4)
            .map(|number| varied(name, 9, number).unwrap())
            .map(|figure| figure.svg(&figure.stance(Gesture::Stand, 0.0, 0.5)))
            .collect();
        for (place, look) in looks.iter().enumerate() {
            assert!(!looks[..place].contains(look), "{name} {place}");
            let again = varied(name, 9, place).unwrap();
            assert_eq!(*look, again.svg(&again.stance(Gesture::Stand, 0.0, 0.5)));
        }
    }
}

#[test]
fn what_the_font_cannot_write_is_not_said_to_be_written() {
    for (prompt, written) in [("a cat says \"hello\"", true), ("a cat says \"مرحبا\"", false), ("a cat says \"生日快乐\"", false)]
    {
        let captioned = understand(prompt).terms.iter().any(|term| matches!(term.reading, Reading::Understood(Meaning::Caption(_))));
        assert_eq!(captioned, written, "{prompt}");
    }
}

#[test]
fn who_leaps_stays_in_the_frame() {
    for prompt in ["a frog jumping into a pond", "a huge cat jumping", "a boy jumping in the park"] {
        for seed in 0..4 {
            let film = prompted(prompt, seed);
            for frame in 0..film.frames {
                let pose = Moment::at(&film, frame).poses[0];
                assert!(pose.y - pose.lift - pose.h > -0.08, "{prompt}, frame {frame}");
            }
        }
    }
}

/// What is offered to be moved is what is drawn where it stands.
#[test]
fn what_is_seen_is_drawn_where_it_stands() {
    for (prompt, named, shown) in [
        ("a rainbow over a meadow", "rainbow", 0),
        ("a waterfall at a lake", "waterfall", 0),
        ("a knight and three daggers", "dagger", 2),
        ("a rainbow in space", "rainbow", 1),
    ] {
        let Film { program, brief, layout, focus, .. } = prompted(prompt, 3);
        let (_, things) = seen(&program, &brief, &layout::Settled { layout, focus }, 24);
        assert_eq!(things.iter().filter(|thing| thing.name.contains(named)).count(), shown, "{prompt}: {things:?}");
    }
}

#[test]
fn what_is_worn_goes_where_its_wearer_goes() {
    for (prompt, wearer) in [("a girl in a red hat skiing", 0), ("a girl in a hat on a swing", 0), ("a boy in a cap on a skateboard", 0)] {
        for seed in 0..3 {
            let film = prompted(prompt, seed);
            let hat = film.brief.slots.iter().position(|slot| slot.relation == Relation::Wear).expect(prompt);
            for frame in (0..film.frames).step_by(5) {
                let poses = Moment::at(&film, frame).poses;
                let (head, worn) = (poses[wearer], poses[hat]);
                let top = head.y - head.lift - head.h * head.scale;
                let middle = worn.y - worn.lift - 0.5 * worn.h;
                assert!(
                    (middle - top).abs() < 0.35 * head.h && (worn.x - head.x).abs() < 0.5 * head.w,
                    "{prompt}, {seed}, {frame}: {head:?} {worn:?}"
                );
            }
        }
    }
}

#[test]
fn who_share_a_carrier_have_a_place_each_and_copies_share_no_wearer_or_mount() {
    for prompt in ["a cat and a dog in a boat", "an old man and an old woman on a bench", "a boy and a girl riding a horse"] {
        let film = prompted(prompt, 4);
        let borne: Vec<usize> = (0..film.brief.slots.len()).filter(|place| film.brief.slots[*place].parent.is_some()).collect();
        assert_eq!(borne.len(), 2, "{prompt}");
        let poses = Moment::at(&film, 12).poses;
        let (one, two) = (poses[borne[0]], poses[borne[1]]);
        assert!((one.x - two.x).abs() > 0.4 * one.w.min(two.w), "{prompt}: {one:?} {two:?}");
    }
    for prompt in ["three cats wearing hats", "three knights riding horses"] {
        let brief = prompted(prompt, 4).brief;
        let mut carriers: Vec<usize> = brief.slots.iter().filter_map(|slot| slot.parent).collect();
        carriers.sort_unstable();
        carriers.dedup();
        assert!(carriers.len() >= 3, "{prompt}: {carriers:?}");
    }
}

#[test]
fn who_holds_something_before_a_window_stands_on_its_sill() {
    for seed in 0..3 {
        let film = prompted("a girl with a balloon looking out of the window", seed);
        let girl = Moment::at(&film, 12).poses[0];
        assert!((0.9..1.05).contains(&girl.y), "{seed}: {girl:?}");
    }
}
