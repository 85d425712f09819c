//! That frames depend on nothing but the film.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use flipbook::codes::{Backdrop, Hour, Motion, Relation, Weather};
use flipbook::layout;
use flipbook::paint::film::Film;
use flipbook::random::Random;
use flipbook::scene::{Program, Thing};
use flipbook::sprites::SpriteId;

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
        added: false,
    });
    let program = Program { things: things.collect(), backdrop, weather, hour: Hour::Day, aurora: false, caption: None };
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
