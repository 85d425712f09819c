//! Answers that are kept for their idempotency keys.

use std::collections::HashMap;

use serde_json::Value;

use crate::wire::answer::StripeError;

/// So long an answer is known.
const KEPT_S: i64 = 24 * 60 * 60;

#[derive(Default)]
pub struct Keys {
    known: HashMap<String, Known>,
}

struct Known {
    /// Method, path and parameters.
    request: String,
    begun: i64,
    /// `None` while it is worked on.
    answer: Option<Kept>,
}

/// An answer, and the request that it was first given to.
#[derive(Clone, Debug)]
pub struct Kept {
    pub status: u16,
    pub body: Value,
    pub request_id: String,
}

impl Keys {
    /// What was answered within the last day, or nothing where the request is to be worked on. `now`: in seconds.
    ///
    /// # Errors
    /// When the key came with other parameters, or a request with it is being worked on.
    pub fn begin(&mut self, key: &str, request: &str, now: i64) -> Result<Option<Kept>, StripeError> {
        match self.known.get(key).filter(|known| known.begun + KEPT_S > now) {
            Some(known) if known.request != request => Err(StripeError::key_reused(key)),
            Some(Known { answer: Some(kept), .. }) => Ok(Some(kept.clone())),
            Some(_) => Err(StripeError::key_in_use(key)),
            None => {
                self.known.insert(key.to_owned(), Known { request: request.to_owned(), begun: now, answer: None });
                Ok(None)
            }
        }
    }

    /// Keeps the answer, or forgets the key where nothing was begun.
    pub fn finish(&mut self, key: &str, answer: Option<Kept>) {
        match answer {
            None => drop(self.known.remove(key)),
            Some(kept) => {
                if let Some(known) = self.known.get_mut(key) {
                    known.answer = Some(kept);
                }
            }
        }
    }
}
