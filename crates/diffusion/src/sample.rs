//! One request between two steps, as everyone sees it but its family.

use std::any::Any;

use crate::error::{Error, Result};

/// A sample on its way from noise to data. It says how far it has come; latents, time grid, conditioning and what a
/// solver remembers are its family's own.
pub struct Sample(Box<dyn State>);

/// What a family keeps of a sample between two steps.
pub(crate) trait State: Any + Send {
    fn step_index(&self) -> usize;
    fn steps(&self) -> usize;
}

impl Sample {
    pub(crate) fn new(state: impl State) -> Self {
        Self(Box::new(state))
    }

    /// Steps taken so far: also the number, counted from zero, of the next one.
    pub fn step_index(&self) -> usize {
        self.0.step_index()
    }

    /// Steps from noise to data.
    pub fn steps(&self) -> usize {
        self.0.steps()
    }

    pub fn is_done(&self) -> bool {
        self.step_index() >= self.steps()
    }

    /// What the family keeps of it.
    ///
    /// # Errors
    /// [`Error::OtherFamily`] when another family made the sample.
    pub(crate) fn state<S: State>(&self) -> Result<&S> {
        let state: &dyn Any = &*self.0;
        state.downcast_ref().ok_or(Error::OtherFamily)
    }

    fn state_mut<S: State>(&mut self) -> Result<&mut S> {
        let state: &mut dyn Any = &mut *self.0;
        state.downcast_mut().ok_or(Error::OtherFamily)
    }
}

/// What the family keeps of each sample of a batch.
///
/// # Errors
/// [`Error::OtherFamily`] when another family made one of them.
pub(crate) fn states<'a, S: State>(batch: &'a mut [&mut Sample]) -> Result<Vec<&'a mut S>> {
    batch.iter_mut().map(|sample| sample.state_mut()).collect()
}
