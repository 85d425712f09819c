//! One small clip through the whole engine before the first customer's: caches fill, and its time is the
//! first estimate.

use crate::{
    batch::guarded,
    engine::{LoadedModel, decode_units},
    work::files::files,
    work::outcome::WorkError,
};
use diffusion::Request;
use domain::{JobSpec, Seed, Stage};
use std::time::{Duration, Instant};

/// The first step pays for cold caches and is not counted.
const COUNTED_STEPS: u32 = 2;

/// What the stages took, each with the spec that it is a measurement of.
pub struct Measured {
    pub spec: JobSpec,
    pub times: [(Stage, Duration); 2],
}

/// Makes a clip and measures it.
///
/// # Errors
/// [`WorkError`] when the engine cannot do what it is there for.
pub fn warm_up(model: &LoadedModel) -> Result<Measured, WorkError> {
    let (entry, family) = (model.entry, model.family.as_ref());
    let request = Request { steps: 1 + COUNTED_STEPS as usize, ..Request::new(family.spec(), "a red ball over the sea", 1) };
    let spec = JobSpec {
        prompt: request.prompt.clone(),
        negative_prompt: None,
        model: entry.id.to_owned(),
        size: entry.size_default,
        duration: entry.duration_default,
        steps: COUNTED_STEPS,
        guidance: request.guidance,
        seed: Seed::ZERO,
    };
    let (latents, sampling) = guarded(|| {
        let first = Instant::now();
        let mut sample = family.start(&request)?;
        family.step(&mut [&mut sample])?;
        model.step_pace.note(first.elapsed(), 1.0);
        let begun = Instant::now();
        while !sample.is_done() {
            family.step(&mut [&mut sample])?;
        }
        Ok((family.latents(&sample)?, begun.elapsed()))
    })
    .map_err(WorkError::Sampling)?;
    let begun = Instant::now();
    let clip = guarded(|| family.decode(&latents)).map_err(WorkError::Decoding)?;
    files(&clip, spec.size)?;
    model.decode_pace.note(begun.elapsed(), decode_units(&spec));
    Ok(Measured { spec, times: [(Stage::Sampling, sampling), (Stage::Decoding, begun.elapsed())] })
}
