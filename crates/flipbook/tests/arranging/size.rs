//! Data and weights of `flipbook-1` are baked into the worker: together they are less than five megabytes.

/// Bytes of all files below a folder.
fn bytes(folder: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { bytes(&path) } else { path.metadata().unwrap().len() }).sum()
}

#[test]
fn data_and_weights_are_less_than_five_megabytes() {
    let crates = std::path::PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let together = bytes(&crates.join("data")) + bytes(&crates.join("../diffusion/weights/flipbook-1"));
    assert!(together < 5_000_000, "{together} bytes");
}
