//! Where things of a scene are put, and how that is said: a JSON list of pins.
//!
//! It is kept as the text that is stored, sent and repeated: browsers neither make nor check one, and load no reader of it.

use serde::{Deserialize, Serialize};

/// Pins of one arrangement.
pub const PINS_MAX: usize = 18;
/// Shots of a video, and things of a shot.
pub const SHOTS_MAX: u32 = 6;
pub const SLOTS_MAX: u32 = 6;
/// Of a thing: its longer side in the frame's shorter side.
pub const SIZE_MIN: f32 = 0.05;
pub const SIZE_MAX: f32 = 0.85;

/// Of what a reader of JSON says, which repeats what it was given.
const REASON_CHARS: usize = 160;

/// Where a thing stands in the middle of its shot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Counted from 0, as the slots of a shot.
    #[serde(default)]
    pub shot: u32,
    pub slot: u32,
    /// Its centre in frame widths.
    pub x: f32,
    /// Its foot in frame heights, from above.
    pub y: f32,
    /// Its longer side in the frame's shorter side; left to the model unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<f32>,
}

impl Pin {
    /// What is wrong with it.
    fn problem(&self) -> Option<String> {
        let (in_frame, sizes) = (0.0..=1.0, SIZE_MIN..=SIZE_MAX);
        if self.shot >= SHOTS_MAX || self.slot >= SLOTS_MAX {
            Some(format!("names slot {} of shot {}, and there are 0 to 5 of each", self.slot, self.shot))
        } else if !in_frame.contains(&self.x) || !in_frame.contains(&self.y) {
            Some(format!("puts a thing at ({}, {}), which is not in the frame: x and y are from 0 to 1", self.x, self.y))
        } else {
            let size = self.size.filter(|size| !sizes.contains(size));
            size.map(|size| format!("makes a thing {size} large; sizes are from {SIZE_MIN} to {SIZE_MAX}"))
        }
    }
}

/// Pins that were checked, at least one, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arrangement(String);

impl Arrangement {
    /// `None` where nothing is put anywhere.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence about it.
    pub fn parse(text: &str) -> Result<Option<Self>, String> {
        let unread = |error: serde_json::Error| {
            format!("is no list of pins that can be read: {}", error.to_string().chars().take(REASON_CHARS).collect::<String>())
        };
        let pins: Vec<Pin> = serde_json::from_str(text).map_err(unread)?;
        if pins.len() > PINS_MAX {
            return Err(format!("has {} pins; at most {PINS_MAX} are allowed", pins.len()));
        }
        if let Some(problem) = pins.iter().find_map(Pin::problem) {
            return Err(problem);
        }
        let is_twice = |(index, pin): (usize, &Pin)| pins[..index].iter().any(|other| (other.shot, other.slot) == (pin.shot, pin.slot));
        if let Some(pin) = pins.iter().enumerate().find_map(|(index, pin)| is_twice((index, pin)).then_some(pin)) {
            return Err(format!("puts slot {} of shot {} in two places", pin.slot, pin.shot));
        }
        let text = serde_json::to_string(&pins).map_err(unread)?;
        Ok((!pins.is_empty()).then_some(Self(text)))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn pins(&self) -> Vec<Pin> {
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, JobRequest, JobSpec, Model, Seed, SpecError, Understands, testing};

    fn asked(model: Model, arrangement: &str) -> Result<JobSpec, SpecError> {
        let request = JobRequest { prompt: "a cat".into(), arrangement: Some(arrangement.into()), ..JobRequest::default() };
        let catalog = Catalog::new(vec![model], [].into());
        let (spec, quote) = request.parse_arranged(&catalog, Seed::ZERO)?;
        assert_eq!(spec.request().parse_arranged(&catalog, Seed::ZERO).unwrap(), (spec.clone(), quote), "asked for again it is the same");
        Ok(spec)
    }

    fn of_scenes() -> Model {
        Model { understands: Understands::Scenes, ..testing::video_model() }
    }

    #[test]
    fn a_reason_is_short_however_long_what_was_sent_is() {
        let long = "a".repeat(100_000);
        for text in [format!(r#"[{{"{long}":1}}]"#), format!(r#"[{{"slot":"{long}"}}]"#), long] {
            let reason = Arrangement::parse(&text).unwrap_err();
            assert!(reason.starts_with("is no list of pins") && reason.chars().count() < 250, "{} characters", reason.len());
        }
    }

    #[test]
    fn pins_are_kept_as_they_were_given() {
        let spec = asked(of_scenes(), r#" [{"slot": 1, "x": 0.31, "y": 1}, {"y":0,"x":5e-1,"slot":0,"shot":2,"size":0.3}] "#).unwrap();
        let arrangement = spec.arrangement.unwrap();
        assert_eq!(arrangement.as_str(), r#"[{"shot":0,"slot":1,"x":0.31,"y":1.0},{"shot":2,"slot":0,"x":0.5,"y":0.0,"size":0.3}]"#);
        assert_eq!(arrangement.pins()[1], Pin { shot: 2, slot: 0, x: 0.5, y: 0.0, size: Some(0.3) });
        for nothing in ["", "  ", "[]", " [ ] "] {
            assert_eq!(asked(of_scenes(), nothing).unwrap().arrangement, None, "{nothing:?}");
        }
    }

    #[test]
    fn what_is_no_place_in_a_scene_is_refused_under_its_name() {
        let many: Vec<String> = (0..19).map(|pin| format!(r#"{{"shot":{},"slot":{},"x":0.5,"y":0.5}}"#, pin / 6, pin % 6)).collect();
        let (many, most) = (format!("[{}]", many.join(",")), format!("[{}]", many[..18].join(",")));
        assert!(asked(of_scenes(), &most).is_ok());
        for (wrong, said) in [
            (&*many, "has 19 pins"),
            ("{}", "no list of pins"),
            ("cat", "no list of pins"),
            ("[1]", "no list of pins"),
            (r#"[{"slot":0,"x":0.5}]"#, "missing field `y`"),
            (r#"[{"slot":0,"x":NaN,"y":0}]"#, "no list of pins"),
            (r#"[{"slot":0,"x":0.5,"y":0.5,"z":1}]"#, "unknown field `z`"),
            (r#"[{"slot":-1,"x":0.5,"y":0.5}]"#, "no list of pins"),
            (r#"[{"slot":6,"x":0.5,"y":0.5}]"#, "slot 6 of shot 0"),
            (r#"[{"shot":6,"slot":0,"x":0.5,"y":0.5}]"#, "slot 0 of shot 6"),
            (r#"[{"slot":0,"x":1.01,"y":0.5}]"#, "not in the frame"),
            (r#"[{"slot":0,"x":0.5,"y":1e39}]"#, "arrangement"),
            (r#"[{"slot":0,"x":0.5,"y":0.5,"size":0.9}]"#, "0.9 large"),
            (r#"[{"slot":0,"x":0.5,"y":0.5},{"slot":0,"x":0.6,"y":0.5}]"#, "two places"),
        ] {
            let error = asked(of_scenes(), wrong).unwrap_err();
            assert_eq!((error.field(), error.code()), ("arrangement", "arrangement_invalid"), "{wrong}");
            assert!(error.to_string().contains(said), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_model_that_places_no_things_refuses_an_arrangement_and_takes_an_empty_one() {
        let error = asked(testing::video_model(), r#"[{"slot":0,"x":0.5,"y":0.5}]"#).unwrap_err();
        assert_eq!((error.field(), error.code()), ("arrangement", "arrangement_unsupported"));
        assert!(asked(testing::video_model(), "[]").is_ok());
    }
}
