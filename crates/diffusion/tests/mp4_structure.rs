//! What players rely on in the MP4: order of boxes, number and length of frames, size, colours.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use diffusion::media::{Clip, Frame, mp4};

/// A light square that crosses a gradient.
fn clip(frames: usize, fps: u32, side: usize) -> Clip {
    let frame = |t: usize| {
        let pixel = |i: usize| {
            let (x, y) = (i % side, i / side);
            let inside = x.abs_diff(t * 3 % side) < side / 8 && y.abs_diff(side / 2) < side / 8;
            if inside { [255, 240, 200] } else { [(x * 255 / side) as u8, (y * 255 / side) as u8, 90] }
        };
        Frame { width: side, height: side, rgb: (0..side * side).flat_map(pixel).collect() }
    };
    Clip::new((0..frames).map(frame).collect(), fps).unwrap()
}

/// The boxes directly inside `bytes`: name and content.
fn boxes(mut bytes: &[u8]) -> Vec<(String, &[u8])> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let length = u32_at(bytes, 0) as usize;
        found.push((String::from_utf8_lossy(&bytes[4..8]).into_owned(), &bytes[8..length]));
        bytes = &bytes[length..];
    }
    found
}

/// The content of the box at `path`.
fn find<'a>(bytes: &'a [u8], path: &[&str]) -> &'a [u8] {
    path.iter()
        .fold(bytes, |bytes, name| boxes(bytes).into_iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {name}")).1)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

const TABLE: [&str; 5] = ["moov", "trak", "mdia", "minf", "stbl"];

fn table<'a>(file: &'a [u8], name: &str) -> &'a [u8] {
    find(find(file, &TABLE), &[name])
}

#[test]
fn the_index_comes_before_the_data() {
    let file = mp4(&clip(16, 8, 96)).unwrap();
    let names: Vec<String> = boxes(&file).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["ftyp", "moov", "mdat"]);
}

#[test]
fn every_frame_is_there_and_lasts_equally_long() {
    for (frames, fps) in [(16, 8), (2, 1), (48, 24), (31, 30)] {
        let file = mp4(&clip(frames, fps, 64)).unwrap();
        assert_eq!(u32_at(table(&file, "stsz"), 8), frames as u32);
        let header = find(&file, &["moov", "trak", "mdia", "mdhd"]);
        let (timescale, duration) = (u32_at(header, 12), u32_at(header, 16));
        assert_eq!(u64::from(duration) * u64::from(fps), frames as u64 * u64::from(timescale));
        let durations = table(&file, "stts");
        assert_eq!((u32_at(durations, 4), u32_at(durations, 8), u32_at(durations, 12)), (1, frames as u32, timescale / fps));
    }
}

#[test]
fn the_first_frame_is_the_one_key_frame() {
    let file = mp4(&clip(16, 8, 96)).unwrap();
    let keys = table(&file, "stss");
    assert_eq!((u32_at(keys, 4), u32_at(keys, 8)), (1, 1));
}

#[test]
fn the_track_has_the_clips_size() {
    let file = mp4(&clip(2, 8, 96)).unwrap();
    let header = find(&file, &["moov", "trak", "tkhd"]);
    assert_eq!((u32_at(header, header.len() - 8) >> 16, u32_at(header, header.len() - 4) >> 16), (96, 96));
}

#[test]
fn equal_clips_give_equal_files() {
    assert!(mp4(&clip(6, 8, 64)).unwrap() == mp4(&clip(6, 8, 64)).unwrap());
}

#[test]
fn sizes_that_are_no_multiple_of_a_macroblock_are_cropped_not_refused() {
    assert_eq!(u32_at(table(&mp4(&clip(3, 8, 50)).unwrap(), "stsz"), 8), 3);
}
