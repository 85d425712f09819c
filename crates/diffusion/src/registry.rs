//! The families that there are. A folder of weights names its own in `model_index.json`.

use std::sync::Arc;

use serde::Deserialize;

use crate::family::Family;
use crate::loading::{LoadError, Source};
use crate::{flipbook, replay, tiny, vignette};

type Open = fn(&Source) -> Result<Arc<dyn Family>, LoadError>;

/// One line a family: the name that folders call it by, and how such a folder is opened.
const FAMILIES: &[(&str, Open)] = &[
    ("flipbook", flipbook::open),
    ("vignette", vignette::open),
    ("tiny", tiny::open),     // weights made by tests
    ("replay", replay::open), // and by benchmarks
];

const MANIFEST: &str = "model_index.json";

#[derive(Deserialize)]
struct Manifest {
    /// Pipelines as diffusers saves them are named by their class.
    #[serde(alias = "_class_name")]
    family: String,
}

/// What a folder of weights calls its family.
///
/// # Errors
/// [`LoadError`] names the file that is missing or wrong.
pub fn family_name(source: &Source) -> Result<String, LoadError> {
    let Manifest { family } = source.json(MANIFEST)?;
    Ok(family)
}

/// Opens a model: reads its configuration, and none of its tensors before they are needed.
///
/// # Errors
/// [`LoadError::UnknownFamily`], which lists the known ones; else a [`LoadError`] that names the file or setting that is
/// missing or wrong.
pub fn open(source: &Source) -> Result<Arc<dyn Family>, LoadError> {
    let family = family_name(source)?;
    match FAMILIES.iter().find(|(name, _)| *name == family) {
        Some((_, open)) => open(source),
        None => {
            let known = FAMILIES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            Err(LoadError::UnknownFamily { path: source.folder.join(MANIFEST), family, known })
        }
    }
}
