//! Opening folders of weights: the family that they name, the parts that are missing, and the memory that parts share.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use std::fs;

use common::tiny;
use common::{alone, finish, same_frames};
use diffusion::testing::{DECODER, DECODER_BYTES, DENOISER, DENOISER_BYTES, TEXT_ENCODER, TEXT_ENCODER_BYTES};
use diffusion::{Error, LoadError, Memory, Request};
use tempfile::TempDir;

const INDEX: &str = "model_index.json";

fn edit(folder: &TempDir, from: &str, to: &str) {
    let path = folder.path().join(INDEX);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text} does not contain {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// Why the folder cannot be opened.
fn refusal(folder: &TempDir) -> Option<LoadError> {
    tiny::open(folder, &Memory::new(None)).err()
}

#[test]
fn an_unknown_family_is_answered_with_the_known_ones() {
    let folder = tiny::folder("a");
    edit(&folder, r#""family": "tiny""#, r#""family": "wan""#);
    let refused = refusal(&folder).unwrap();
    assert!(refused.to_string().ends_with("asks for the family `wan`; there are: flipbook, vignette, tiny, replay"), "{refused}");
    assert!(matches!(refused, LoadError::UnknownFamily { family, .. } if family == "wan"));
}

#[test]
fn a_pipeline_is_named_by_its_class() {
    let folder = tiny::folder("a");
    edit(&folder, r#""family""#, r#""_class_name""#);
    assert!(refusal(&folder).is_none());
}

#[test]
fn a_folder_without_a_readable_manifest_is_refused() {
    let folder = tiny::folder("a");
    edit(&folder, r#""family": "tiny","#, "");
    assert!(matches!(refusal(&folder), Some(LoadError::Json { path, .. }) if path.ends_with(INDEX)));
    fs::remove_file(folder.path().join(INDEX)).unwrap();
    assert!(matches!(refusal(&folder), Some(LoadError::Unreadable { path, .. }) if path.ends_with(INDEX)));
}

#[test]
fn a_configuration_that_cannot_be_is_refused_before_any_tensor_is_read() {
    let folder = tiny::folder("a");
    edit(&folder, r#""dim": 16"#, r#""dim": 0"#);
    assert!(matches!(refusal(&folder), Some(LoadError::Configuration { .. })));
}

#[test]
fn a_part_that_is_missing_or_garbled_is_named_when_it_is_first_needed() {
    for file in [TEXT_ENCODER, DENOISER, DECODER] {
        let whole = fs::read(tiny::folder("a").path().join(file)).unwrap();
        let broken: [Option<&[u8]>; 5] = [None, Some(b""), Some(b"garbage"), Some(&[0xff; 64]), Some(&whole[..whole.len() - 1])];
        for bytes in broken {
            let folder = tiny::folder("a");
            match bytes {
                None => fs::remove_file(folder.path().join(file)).unwrap(),
                Some(bytes) => fs::write(folder.path().join(file), bytes).unwrap(),
            }
            let family = tiny::open(&folder, &Memory::new(None)).unwrap();
            let request = Request { steps: 1, ..Request::new(family.spec(), "sea", 1) };
            let made = family.start(&request).and_then(|mut sample| {
                family.step(&mut [&mut sample])?;
                family.decode(&family.latents(&sample)?)
            });
            let Err(Error::Load(refused)) = made else { panic!("{file} was not needed") };
            match *refused {
                LoadError::Unreadable { path, .. } => assert!(bytes.is_none() && path.ends_with(file)),
                LoadError::Safetensors { path, .. } => assert!(bytes.is_some() && path.ends_with(file)),
                other => panic!("{file}: {other}"),
            }
        }
    }
}

#[test]
fn a_tensor_of_another_shape_is_named() {
    let folder = tiny::folder("a");
    edit(&folder, r#""text_dim": 8"#, r#""text_dim": 9"#);
    let family = tiny::open(&folder, &Memory::new(None)).unwrap();
    let started = family.start(&Request::new(family.spec(), "sea", 1));
    let Err(Error::Load(refused)) = started else { panic!("it was accepted") };
    assert!(matches!(*refused, LoadError::Shape { name, .. } if name == "token_embedding"));
}

#[test]
fn parts_are_loaded_when_first_needed_and_go_with_their_model() {
    let (folder, memory) = (tiny::folder("a"), Memory::new(None));
    let family = tiny::open(&folder, &memory).unwrap();
    assert_eq!(memory.loaded_bytes(), 0);
    let mut sample = family.start(&Request::new(family.spec(), "sea", 1)).unwrap();
    assert_eq!(memory.loaded_bytes(), TEXT_ENCODER_BYTES);
    finish(family.as_ref(), &mut sample);
    assert_eq!(memory.loaded_bytes(), TEXT_ENCODER_BYTES + DENOISER_BYTES);
    family.decode(&family.latents(&sample).unwrap()).unwrap();
    assert_eq!(memory.loaded_bytes(), TEXT_ENCODER_BYTES + DENOISER_BYTES + DECODER_BYTES);
    drop(family);
    assert_eq!(memory.loaded_bytes(), 0);
}

#[test]
fn a_decoder_needs_no_other_part() {
    let (folder, memory) = (tiny::folder("a"), Memory::new(None));
    fs::remove_file(folder.path().join(TEXT_ENCODER)).unwrap();
    fs::remove_file(folder.path().join(DENOISER)).unwrap();
    let family = tiny::open(&folder, &memory).unwrap();
    let request = Request::new(family.spec(), "sea", 1);
    let clip = family.decode(&family.blank_latents(&request).unwrap()).unwrap();
    assert_eq!((clip.frames(), clip.width(), clip.height()), (5, 32, 16));
    assert_eq!(memory.loaded_bytes(), DECODER_BYTES);
}

#[test]
fn models_within_a_budget_make_room_for_each_other_and_make_the_same() {
    let folders = ["a", "b"].map(tiny::folder);
    let free = tiny::open(&folders[0], &Memory::new(None)).unwrap();
    let request = Request::new(free.spec(), "sea", 1);
    let latents = alone(free.as_ref(), &request);
    let clip = free.decode(&latents).unwrap();

    let limit = DENOISER_BYTES.max(DECODER_BYTES) + TEXT_ENCODER_BYTES;
    let memory = Memory::new(Some(limit));
    let [first, second] = [0, 1].map(|i| tiny::open(&folders[i], &memory).unwrap());
    for _ in 0..2 {
        assert!(alone(first.as_ref(), &request) == latents && memory.loaded_bytes() <= limit);
        alone(second.as_ref(), &request);
        assert!(memory.loaded_bytes() <= limit);
        assert!(same_frames(&first.decode(&latents).unwrap(), &clip) && memory.loaded_bytes() <= limit);
    }
}
