//! One sample in the batch and what its owner is told about it.

use super::{Holder, Joining, PreviewFrame, Progress, Sampled, SamplingError, Took, preview};
use crate::trace::Moment;
use diffusion::{Family, Request, Sample, loading_on_this_thread};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};
use tokio::sync::{oneshot, watch};

pub struct Member {
    pub request: Request,
    pub sample: Sample,
    pub holder: Holder,
    pub took: Took,
    /// Since when its prompts are encoded, and what loading parts of the model had taken by then.
    encoded: (Moment, Duration),
    progress: watch::Sender<Progress>,
    reply: oneshot::Sender<Result<Sampled, SamplingError>>,
}

impl Member {
    /// Encodes the prompts; a request that the engine refuses is answered at once.
    pub fn admit(family: &dyn Family, joining: Joining) -> Option<Self> {
        let Joining { request, holder, progress, reply } = joining;
        let (begun, loaded, loaded_here) = (Moment::now(), holder.trace.loading(), loading_on_this_thread());
        match guarded(|| family.start(&request)) {
            Ok(sample) => {
                let loading = loading_on_this_thread() - loaded_here;
                let took = Took { loading, encoding: begun.elapsed().saturating_sub(loading) };
                holder.trace.note_with_loading("text.encode", begun, loaded);
                let encoded = (Moment::now(), holder.trace.loading());
                Some(Self { request, sample, holder, took, encoded, progress, reply })
            }
            Err(error) => {
                let _ = reply.send(Err(error));
                None
            }
        }
    }

    /// Nobody waits for the result any more.
    pub fn has_left(&self) -> bool {
        self.reply.is_closed()
    }

    /// Tells the newest step, with a preview when one is due. A preview that fails is no preview.
    pub fn report(&mut self, family: &dyn Family) {
        let (step, steps) = (self.sample.step_index() as u32, self.sample.steps() as u32);
        let frame = if preview::is_due(step, steps) { guarded(|| family.preview(&self.sample)).ok().flatten() } else { None };
        self.progress.send_modify(|progress| {
            progress.step = step;
            if let Some(frame) = frame {
                progress.preview = Some(PreviewFrame { step, frame: Arc::new(frame) });
            }
        });
    }

    /// Hands the latents to the owner.
    pub fn finish(self, family: &dyn Family) {
        let Self { sample, holder, took, progress, reply, encoded: (begun, loaded), .. } = self;
        let latents = guarded(|| family.latents(&sample));
        holder.trace.note_with_loading("job.denoise", begun, loaded);
        // From here on nothing is computed for it.
        drop((holder.slot, holder.model));
        let _ = reply.send(latents.map(|latents| Sampled { latents, took }));
        drop(progress);
    }

    pub fn fail(self, error: SamplingError) {
        let _ = self.reply.send(Err(error));
    }
}

/// Calls the engine; a panic in it is an error like others and takes no thread with it.
pub fn guarded<T>(call: impl FnOnce() -> diffusion::Result<T>) -> Result<T, SamplingError> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => Ok(result?),
        Err(panic) => Err(SamplingError::Panicked(panic_text(panic.as_ref()))),
    }
}

/// What a panic said.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
