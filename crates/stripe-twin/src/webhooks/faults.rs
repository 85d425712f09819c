//! What goes wrong with deliveries, and with answers of the API, on demand. All of it is drawn from a seed, so that a run can be repeated.

use serde_json::{Value, json};

use crate::system::draw;
use crate::world::Fields;

#[derive(Clone, PartialEq, Debug)]
pub struct Faults {
    pub seed: u64,
    /// Each event is delivered at least once, and at most so many times.
    pub copies: u64,
    /// Deliveries are put off by up to so long, each by another time: that shuffles them.
    pub shuffle_ms: u64,
    /// All are put off by so long.
    pub delay_ms: u64,
    /// So many are under way at once.
    pub parallel: usize,
    /// How likely an event is lost, for an endpoint.
    pub drop_probability: f64,
    /// Of these types all are lost.
    pub drop_types: Vec<String>,
    /// Nothing is delivered until it is released.
    pub hold: bool,
    /// Pauses before the tries that follow a failed one.
    pub retries_ms: Vec<u64>,
    /// Each answer of the API takes so long.
    pub api_latency_ms: u64,
    /// So many of the next changes asked for are answered 500 and not made.
    pub api_fail_before: u64,
    /// So many of the next changes asked for are made and answered 500.
    pub api_fail_after: u64,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            seed: 0,
            copies: 1,
            shuffle_ms: 0,
            delay_ms: 0,
            parallel: 8,
            drop_probability: 0.0,
            drop_types: Vec::new(),
            hold: false,
            retries_ms: vec![200, 1000, 5000],
            api_latency_ms: 0,
            api_fail_before: 0,
            api_fail_after: 0,
        }
    }
}

/// Which draw is which.
const COPIES: u64 = 1;
const LOSS: u64 = 2;
const SHUFFLE: u64 = 3;

impl Faults {
    /// Replaces what is named.
    ///
    /// # Errors
    /// When a name is unknown or a value of the wrong type.
    pub fn change(&mut self, wanted: &Value) -> Result<(), String> {
        let fields = wanted.as_object().ok_or("faults are a JSON object")?;
        for (name, value) in fields {
            let number = || value.as_u64().ok_or_else(|| format!("{name} is a whole number"));
            match name.as_str() {
                "seed" => self.seed = number()?,
                "copies" => self.copies = number()?.max(1),
                "shuffle_ms" => self.shuffle_ms = number()?,
                "delay_ms" => self.delay_ms = number()?,
                "parallel" => self.parallel = usize::try_from(number()?.max(1)).unwrap_or(1),
                "drop_probability" => self.drop_probability = value.as_f64().ok_or("drop_probability is a number")?,
                "drop_types" => self.drop_types = texts(value),
                "hold" => self.hold = value.as_bool().ok_or("hold is true or false")?,
                "retries_ms" => self.retries_ms = wanted.elements(name).iter().filter_map(Value::as_u64).collect(),
                "api_latency_ms" => self.api_latency_ms = number()?,
                "api_fail_before" => self.api_fail_before = number()?,
                "api_fail_after" => self.api_fail_after = number()?,
                _ => return Err(format!("there is no fault called {name}")),
            }
        }
        Ok(())
    }

    pub fn to_json(&self) -> Value {
        json!({
            "seed": self.seed,
            "copies": self.copies,
            "shuffle_ms": self.shuffle_ms,
            "delay_ms": self.delay_ms,
            "parallel": self.parallel,
            "drop_probability": self.drop_probability,
            "drop_types": self.drop_types,
            "hold": self.hold,
            "retries_ms": self.retries_ms,
            "api_latency_ms": self.api_latency_ms,
            "api_fail_before": self.api_fail_before,
            "api_fail_after": self.api_fail_after,
        })
    }

    /// How often the `event`th event goes to the `endpoint`th of its endpoints.
    pub fn copies_of(&self, event: u64, endpoint: u64) -> u64 {
        1 + draw(self.seed, &[COPIES, event, endpoint]) % self.copies.max(1)
    }

    pub fn loses(&self, kind: &str, event: u64, endpoint: u64) -> bool {
        let drawn = draw(self.seed, &[LOSS, event, endpoint]) as f64 / u64::MAX as f64;
        drawn < self.drop_probability || self.drop_types.iter().any(|dropped| dropped == kind)
    }

    /// How long this copy is put off.
    pub fn pause_ms(&self, event: u64, endpoint: u64, copy: u64) -> u64 {
        let shuffled = if self.shuffle_ms == 0 { 0 } else { draw(self.seed, &[SHUFFLE, event, endpoint, copy]) % self.shuffle_ms };
        self.delay_ms + shuffled
    }
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_what_goes_wrong() {
        let faults = Faults { seed: 5, copies: 4, shuffle_ms: 500, drop_probability: 0.3, ..Faults::default() };
        let run = |faults: &Faults| -> Vec<_> {
            (0..50).map(|event| (faults.copies_of(event, 0), faults.loses("x", event, 0), faults.pause_ms(event, 0, 1))).collect()
        };
        assert_eq!(run(&faults), run(&faults.clone()));
        assert_ne!(run(&faults), run(&Faults { seed: 6, ..faults.clone() }));
        let lost = (0..10_000).filter(|event| faults.loses("x", *event, 0)).count();
        assert!((2_700..3_300).contains(&lost), "{lost} of 10000 were lost");
    }

    #[test]
    fn an_unknown_fault_is_refused() {
        assert!(Faults::default().change(&json!({"gremlins": 1})).is_err());
    }
}
