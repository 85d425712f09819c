//! What the seam promises of every family, held against the one that draws: the same picture whoever computes it, with whom, and
//! however often it was broken off.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use candle_core::Device;
use common::{MODEL, alone, finish, same_frames};
use diffusion::media::{Clip, Frame, mp4_and_sheet};
use diffusion::{Bound, Error, Family, LatentsError, Memory, Pin, Request, Seen, Size, Source, on_decoding_threads};

static FLIPBOOK: LazyLock<Arc<dyn Family>> = LazyLock::new(|| {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("weights/flipbook-1");
    diffusion::open(&Source { folder: &folder, device: &Device::Cpu, memory: &Memory::new(None) }).unwrap()
});

fn family() -> &'static dyn Family {
    &**FLIPBOOK
}

fn request(prompt: &str, seed: u64, (width, height): (usize, usize), frames: usize) -> Request {
    Request { size: Size { width, height }, frames, steps: 6, ..Request::new(family().spec(), prompt, seed) }
}

/// Several sizes, lengths, numbers of steps, kinds of guidance, numbers of things and of shots.
fn various() -> [Request; 6] {
    [
        request("a cat playing piano", 1, (128, 72), 24),
        Request { guidance: 1.0, ..request("three yellow balloons rising over the city", 2, (64, 64), 1) },
        Request { steps: 9, ..request("an astronaut riding a horse on the moon", 3, (72, 128), 12) },
        Request {
            negative_prompt: Some("rain".into()),
            guidance: 3.0,
            ..request("a dog runs on the beach, then it sleeps", 4, (96, 96), 30)
        },
        Request { prompt: String::new(), ..request("", 5, (66, 64), 2) },
        arranged("a cat beside a dog, then a bird flies", 6, vec![pin(0, 0, 0.8, 0.9), pin(1, 0, 0.2, 0.3)]),
    ]
}

fn pin(shot: usize, slot: usize, x: f32, y: f32) -> Pin {
    Pin { shot, slot, x, y, size: None }
}

fn arranged(prompt: &str, seed: u64, arrangement: Vec<Pin>) -> Request {
    Request { arrangement, ..request(prompt, seed, (160, 90), 24) }
}

/// Where the things of each shot are drawn.
fn seen(request: &Request) -> Vec<Vec<Seen>> {
    let shots = family().layout(&alone(family(), request)).unwrap().unwrap();
    shots.into_iter().map(|shot| shot.things).collect()
}

#[test]
fn a_sample_is_the_same_alone_and_in_a_batch_of_mixed_sizes_frames_steps_and_things() {
    let mut samples = various().map(|request| family().start(&request).unwrap());
    while samples.iter().any(|sample| !sample.is_done()) {
        let mut batch: Vec<_> = samples.iter_mut().filter(|sample| !sample.is_done()).collect();
        family().step(&mut batch).unwrap();
    }
    for (sample, request) in samples.iter().zip(various()) {
        assert!(family().latents(sample).unwrap() == alone(family(), &request), "company changed {request:?}");
    }
}

#[test]
fn a_sample_that_is_resumed_after_any_step_ends_as_if_it_had_never_stopped() {
    for request in various() {
        for taken in 0..=request.steps {
            let mut before = family().start(&request).unwrap();
            (0..taken).for_each(|_| family().step(&mut [&mut before]).unwrap());
            let mut after = family().resume(&request, &family().checkpoint(&before).unwrap()).unwrap();
            assert_eq!((after.step_index(), after.steps()), (taken, request.steps));
            finish(family(), &mut after);
            assert!(family().latents(&after).unwrap() == alone(family(), &request), "after {taken} steps of {request:?}");
        }
    }
}

#[test]
fn one_thread_and_many_give_the_same_pixels_and_the_same_file() {
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for request in various().into_iter().filter(|request| request.frames > 1) {
        let make = || {
            let clip = family().decode(&alone(family(), &request)).unwrap();
            let files = mp4_and_sheet(&clip, 4, 32).unwrap();
            (clip, files)
        };
        let ((one, one_file), (many, many_file)) = (on(1).install(make), on(5).install(make));
        assert!(same_frames(&one, &many) && one_file == many_file, "{request:?}");
        assert_eq!((one.width(), one.height(), one.frames()), (request.size.width, request.size.height, request.frames));
    }
}

#[test]
fn a_step_waits_for_no_frame_of_a_film() {
    const LONG: Duration = Duration::from_secs(120);
    let (begun, seen) = mpsc::channel();
    let held = Arc::new(Mutex::new(()));
    let guard = held.lock().unwrap();
    let (drawing, frames) = (Arc::clone(&held), 2 * rayon::max_num_threads().min(64));
    let film = Clip::drawn(64, 64, frames, 24, move |_| {
        let _ = begun.send(());
        drop(drawing.lock());
        Frame { width: 64, height: 64, rgb: vec![0; 64 * 64 * 3] }
    });
    let film = film.unwrap();
    thread::scope(|scope| {
        let drawn = scope.spawn(|| on_decoding_threads(|| mp4_and_sheet(&film, 4, 32).unwrap()));
        // Each thread that draws is held in a frame.
        (0..rayon::current_num_threads()).for_each(|_| seen.recv_timeout(LONG).unwrap());
        let (stepped, step) = mpsc::channel();
        scope.spawn(move || {
            let mut samples = various().map(|request| family().start(&request).unwrap());
            family().step(&mut samples.each_mut()).unwrap();
            stepped.send(())
        });
        let step = step.recv_timeout(LONG);
        drop(guard);
        drawn.join().unwrap();
        step.expect("a step is done while frames are drawn");
    });
}

#[test]
fn another_seed_is_another_picture_of_the_same_things() {
    let clip = |seed| family().decode(&alone(family(), &request("a cat in the park", seed, (96, 96), 4))).unwrap();
    assert!(!same_frames(&clip(1), &clip(2)));
}

/// Wherever it is put, in the air and at the edge too, and however many are.
#[test]
fn what_is_put_somewhere_stands_exactly_there_and_the_rest_is_arranged_anew() {
    for prompt in ["a cat beside a dog", "an astronaut riding a horse", "three balloons over the city", "a fox and an owl, then a boat"] {
        for seed in 0..4 {
            let free = seen(&arranged(prompt, seed, vec![]));
            let slot = free[0].iter().find(|thing| thing.carried_by.is_none()).unwrap().slot;
            for [x, y] in [[0.15, 0.95], [0.85, 0.4], [0.5, 0.7], [0.0, 1.0]] {
                let size = Some(0.3).filter(|_| x > 0.4);
                let held = seen(&arranged(prompt, seed, vec![Pin { size, ..pin(0, slot, x, y) }]));
                let thing = &held[0][slot];
                assert_eq!((thing.x, thing.y), (x, y), "{prompt}, seed {seed}");
                assert!(size.is_none_or(|size| thing.size == size));
                let others = |shots: &[Vec<Seen>]| {
                    shots[0].iter().filter(|thing| thing.slot != slot).map(|thing| (thing.x, thing.y)).collect::<Vec<_>>()
                };
                assert_ne!(others(&held), others(&free), "{prompt}, seed {seed}: the rest takes note");
                assert_eq!(held[1..], free[1..], "other shots are as they were");
            }
            let all = vec![pin(0, 0, 0.7, 0.9), pin(0, 1, 0.2, 0.85)];
            for (thing, pin) in seen(&arranged(prompt, seed, all.clone()))[0].iter().zip(all) {
                assert_eq!(
                    (thing.x, thing.y) == (pin.x, pin.y),
                    thing.carried_by.is_none(),
                    "{prompt}: what is carried goes with its carrier"
                );
            }
        }
    }
}

#[test]
fn a_rider_goes_where_its_mount_was_put() {
    for x in [0.3, 0.5, 0.7] {
        let things = &seen(&arranged("an astronaut riding a horse", 3, vec![pin(0, 0, x, 0.9), pin(0, 1, x, 0.9)]))[0];
        let rider = things.iter().find(|thing| thing.carried_by.is_some()).unwrap();
        let mount = &things[rider.carried_by.unwrap()];
        assert_eq!((&*mount.name, mount.x, mount.y), ("horse", x, 0.9));
        assert!((rider.x - mount.x).abs() < 0.2 && rider.y < mount.y, "{rider:?} on {mount:?}");
    }
}

#[test]
fn a_thing_that_is_put_where_it_stood_changes_little() {
    let plain = arranged("a cat beside a dog", 5, vec![]);
    let stood = &seen(&plain)[0];
    let again = seen(&Request { arrangement: stood.iter().map(|thing| pin(0, thing.slot, thing.x, thing.y)).collect(), ..plain });
    for (a, b) in stood.iter().zip(&again[0]) {
        assert!((a.x - b.x).abs() < 1e-6 && (a.left - b.left).abs() < 0.1 && (a.size / b.size).log2().abs() < 0.3, "{a:?} {b:?}");
    }
}

#[test]
fn what_is_left_out_is_left_out_of_the_film_and_of_what_a_checkpoint_belongs_to() {
    let plain = request("a beach", 5, (96, 64), 4);
    let without = Request { negative_prompt: Some("gulls, birds, boats, people".into()), ..plain.clone() };
    assert!(seen(&without)[0].len() < seen(&plain)[0].len());
    let mut sample = family().start(&without).unwrap();
    family().step(&mut [&mut sample]).unwrap();
    let checkpoint = family().checkpoint(&sample).unwrap();
    assert!(matches!(family().resume(&plain, &checkpoint), Err(Error::Latents(LatentsError::OtherStory))));
    let mut resumed = family().resume(&without, &checkpoint).unwrap();
    finish(family(), &mut resumed);
    let film = |latents: Vec<u8>| family().decode(&latents).unwrap();
    let again = film(family().latents(&resumed).unwrap());
    assert!(same_frames(&again, &film(alone(family(), &without))) && !same_frames(&again, &film(alone(family(), &plain))));
}

#[test]
fn an_arrangement_is_part_of_what_a_checkpoint_belongs_to_and_other_families_refuse_it() {
    let plain = arranged("a cat beside a dog", 5, vec![]);
    let checkpoint = family().checkpoint(&family().start(&plain).unwrap()).unwrap();
    let moved = Request { arrangement: vec![pin(0, 0, 0.8, 0.9)], ..plain.clone() };
    assert!(matches!(family().resume(&moved, &checkpoint), Err(Error::Latents(LatentsError::OtherStory))));
    let refusal = |family: &dyn Family, request: &Request| family.check(request).unwrap_err().to_string();
    let foreign = Request { arrangement: moved.arrangement.clone(), ..Request::new(MODEL.spec(), "sea", 1) };
    assert!(refusal(&*MODEL, &foreign).starts_with("arrangement "));
    assert!(MODEL.layout(&[]).unwrap().is_none());
    for pin in [pin(0, 0, f32::NAN, 0.5), pin(0, 0, 0.5, 1.1), Pin { size: Some(0.0), ..pin(0, 0, 0.5, 0.5) }] {
        assert!(refusal(family(), &Request { arrangement: vec![pin], ..plain.clone() }).starts_with("arrangement "), "{pin:?}");
    }
    // What the prompt has no place for is passed over: an older arrangement may be of another understanding.
    assert_eq!(seen(&Request { arrangement: vec![pin(2, 5, 0.5, 0.5)], ..plain.clone() }), seen(&plain));
}

#[test]
fn previews_appear_with_the_first_step_and_are_small() {
    let mut sample = family().start(&request("a red balloon", 1, (1280, 720), 48)).unwrap();
    assert_eq!(family().preview(&sample).unwrap(), None);
    family().step(&mut [&mut sample]).unwrap();
    let first = family().preview(&sample).unwrap().unwrap();
    assert_eq!((first.width, first.height), (342, 192));
    finish(family(), &mut sample);
    assert_ne!(family().preview(&sample).unwrap().unwrap(), first);
}

#[test]
fn blank_latents_decode_to_a_clip_of_the_same_shape() {
    for request in various() {
        let clip = family().decode(&family().blank_latents(&request).unwrap()).unwrap();
        assert_eq!((clip.frames(), clip.width(), clip.height()), (request.frames, request.size.width, request.size.height));
        clip.frame(0).unwrap();
    }
}

#[test]
fn what_it_cannot_make_is_refused_by_the_name_of_the_field() {
    let refused = |request: &Request| match family().check(request) {
        Err(Error::OutOfBounds { field, bound, .. }) => (field, bound),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&request("", 0, (63, 64), 2)), ("width", Bound::Between { least: 64, most: 1920 }));
    assert_eq!(refused(&request("", 0, (64, 65), 2)), ("height", Bound::MultipleOf(2)));
    assert_eq!(refused(&request("", 0, (64, 64), 289)), ("frames", Bound::Between { least: 1, most: 288 }));
}

#[test]
fn latents_of_others_unfinished_ones_and_torn_ones_are_refused() {
    let request = request("a cat", 1, (64, 64), 4);
    let finished = alone(family(), &request);
    let foreign = Request { steps: 1, ..Request::new(MODEL.spec(), "sea", 1) };
    assert!(matches!(family().decode(&alone(&*MODEL, &foreign)), Err(Error::Latents(LatentsError::Model { .. }))));
    let sample = family().start(&request).unwrap();
    assert!(matches!(family().decode(&family().latents(&sample).unwrap()), Err(Error::Unfinished { step: 0, steps: 6 })));
    let mut whole = family().start(&request).unwrap();
    finish(family(), &mut whole);
    // A checkpoint has no script: it is what the sampler goes on from, and no film.
    assert!(matches!(family().decode(&family().checkpoint(&whole).unwrap()), Err(Error::Latents(LatentsError::Header))));
    for length in (0..finished.len()).step_by(7) {
        assert!(family().decode(&finished[..length]).is_err(), "{length} bytes");
    }
    let other_story = Request { prompt: "a dog".into(), ..request };
    assert!(matches!(family().resume(&other_story, &family().checkpoint(&whole).unwrap()), Err(Error::Latents(LatentsError::OtherStory))));
}

/// As a version makes them that takes a word for something else.
#[test]
fn latents_of_another_understanding_are_told_from_torn_ones() {
    let mut latents = alone(family(), &request("a cat", 1, (64, 64), 4));
    let at = latents.windows(5).position(|window| window == b"a cat").unwrap();
    latents[at..at + 5].copy_from_slice(b"a dog");
    assert!(matches!(family().decode(&latents), Err(Error::Latents(LatentsError::OtherStory))));
}
