//! Why a job waits: one reason at a time, in the words of pages and API alike.

use super::{Decision, FailureClass};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// That no worker is alive which could make a job.
pub const NO_WORKER: &str = "No machine is running at the moment. Your place is kept; it goes on when one is back.";

/// That a job waits between its two stages.
const FOR_DECODER: &str = "Its steps are done, and it waits for a decoder.";

/// Why a job waits, and until when. The browser gets the words alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Waiting {
    pub sentence: String,
    /// `None`: it was read from what the browser gets.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub reason: Option<WaitReason>,
}

impl Waiting {
    /// Whether it waits between its two stages, and for nothing else.
    #[must_use]
    pub fn is_for_decoder(&self) -> bool {
        self.sentence == FOR_DECODER
    }
}

#[cfg(not(target_family = "wasm"))]
impl Waiting {
    /// For a reason of the operator, in whose words it is told as far as there are any.
    #[must_use]
    pub fn by_operator(reason: WaitReason, words: Option<&str>) -> Self {
        let told = reason.sentence();
        let sentence = match words.map(str::trim).filter(|words| !words.is_empty()) {
            Some(words) => {
                let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
                format!("{}: {words}{end}", told.trim_end_matches('.'))
            }
            None => told,
        };
        Self { sentence, reason: Some(reason) }
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<WaitReason> for Waiting {
    fn from(reason: WaitReason) -> Self {
        Self { sentence: reason.sentence(), reason: Some(reason) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitReason {
    /// By the release rate of its tenant's plan it has not entered the queue. `None`: it is not known when it will.
    ReleaseRate { enters_at: Option<Timestamp> },
    /// Its tenant's plan lets no more videos be made at once.
    Quota { at_once: u32 },
    /// It is tried again after a pause.
    Retry {
        again_at: Timestamp,
        /// What failed and what was decided, where that is known.
        after: Option<(FailureClass, Decision)>,
    },
    /// No worker is alive that could make it.
    NoWorker,
    /// The operator has paused its line, its tenant, or all.
    Paused,
    /// The operator keeps it from being begun.
    Held,
    /// Its model is warm on no worker, and being loaded on one; so many thousandths are done.
    ColdLoad { permille: u32 },
    /// It is sampled, and no decoder has begun it.
    Decoder,
    /// Others are in front of it. 1: it is next.
    Capacity { position: u64 },
}

impl WaitReason {
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::ReleaseRate { .. } => "release_rate",
            Self::Quota { .. } => "quota",
            Self::Retry { .. } => "retry",
            Self::NoWorker => "no_worker",
            Self::Paused => "paused",
            Self::Held => "held",
            Self::ColdLoad { .. } => "cold_load",
            Self::Decoder => "decoder",
            Self::Capacity { .. } => "capacity",
        }
    }

    /// When that ends, where it is known.
    #[must_use]
    pub const fn until(self) -> Option<Timestamp> {
        match self {
            Self::ReleaseRate { enters_at } => enters_at,
            Self::Retry { again_at, .. } => Some(again_at),
            Self::Quota { .. }
            | Self::NoWorker
            | Self::Paused
            | Self::Held
            | Self::ColdLoad { .. }
            | Self::Decoder
            | Self::Capacity { .. } => None,
        }
    }

    /// The reason, and what would change it.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            Self::ReleaseRate { .. } => {
                "It enters the queue by the release rate of your plan: a plan with a higher one lets it enter sooner.".to_owned()
            }
            Self::Quota { at_once } => {
                let videos = if at_once == 1 { "one video is".to_owned() } else { format!("{at_once} videos are") };
                format!("By your plan {videos} made at once: it enters the queue when one of yours has ended, or with a larger plan.")
            }
            Self::Retry { after: Some((class, decision)), .. } => class.told_with(decision),
            Self::Retry { after: None, .. } => "A machine could not finish it: it is tried again in a moment.".to_owned(),
            Self::NoWorker => NO_WORKER.to_owned(),
            Self::Paused => "Paused by the operator.".to_owned(),
            Self::Held => "Held by the operator.".to_owned(),
            Self::ColdLoad { permille } => format!("Its model is being loaded: {} %.", permille / 10),
            Self::Decoder => FOR_DECODER.to_owned(),
            Self::Capacity { position: 1 } => "Next in line.".to_owned(),
            Self::Capacity { position } => format!("Number {position} in line."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::RetryPlace;

    #[test]
    fn each_reason_has_a_code_and_a_sentence_of_its_own() {
        let at = Timestamp::from_ms(5);
        let all = [
            WaitReason::ReleaseRate { enters_at: Some(at) },
            WaitReason::Quota { at_once: 2 },
            WaitReason::Retry { again_at: at, after: None },
            WaitReason::NoWorker,
            WaitReason::Paused,
            WaitReason::Held,
            WaitReason::ColdLoad { permille: 419 },
            WaitReason::Decoder,
            WaitReason::Capacity { position: 3 },
        ];
        for (n, one) in all.into_iter().enumerate() {
            assert!(one.sentence().ends_with('.'));
            assert!(all[..n].iter().all(|other| other.code() != one.code() && other.sentence() != one.sentence()));
            assert_eq!(Waiting::from(one).is_for_decoder(), one == WaitReason::Decoder);
        }
        assert_eq!(all.map(WaitReason::until), [Some(at), None, Some(at), None, None, None, None, None, None]);
        assert_eq!(WaitReason::ColdLoad { permille: 419 }.sentence(), "Its model is being loaded: 41 %.");
        let after = Some((FailureClass::DeviceMemory, Decision::Retry { pause_ms: 1, place: RetryPlace::Alone }));
        let told = WaitReason::Retry { again_at: at, after }.sentence();
        assert_eq!(told, "The machine ran out of memory. It is tried again with a machine for itself.");
        assert!(WaitReason::Quota { at_once: 2 }.sentence().contains("2 videos are made at once"));
        assert!(WaitReason::Quota { at_once: 1 }.sentence().contains("one video is made at once"));
    }

    #[test]
    fn what_the_operator_says_stands_behind_that_it_was_the_operator() {
        let told = |words| Waiting::by_operator(WaitReason::Paused, words).sentence;
        assert_eq!([told(None), told(Some(" "))], ["Paused by the operator.", "Paused by the operator."]);
        assert_eq!(told(Some("we move house")), "Paused by the operator: we move house.");
        let held = Waiting::by_operator(WaitReason::Held, Some("Is this yours?"));
        assert_eq!((held.sentence.as_str(), held.reason), ("Held by the operator: Is this yours?", Some(WaitReason::Held)));
    }
}
