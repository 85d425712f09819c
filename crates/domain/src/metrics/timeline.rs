//! What became of one job, in the order of time: how long it waited and for what, and what each phase took.

use super::PhaseTimes;
use crate::Timestamp;

/// What is known of one job's times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    pub created_at: Timestamp,
    /// When it last came into the queue from outside. `None`: it stood there at once, or that is not known.
    pub queued_at: Option<Timestamp>,
    /// It has not come into the queue yet.
    pub is_outside: bool,
    /// When a worker first began it.
    pub started_at: Option<Timestamp>,
    /// When its latents were handed over.
    pub sampled_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// A decoder has it, or was the last to have it; since when is known of what was decoded to its end.
    pub is_decoded: bool,
    /// It was begun, and waits for a worker to begin it once more.
    pub waits_again: bool,
    pub times: PhaseTimes,
    /// The kind of device that sampled.
    pub device: Option<String>,
}

/// A stretch of a job's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    pub what: StretchOf,
    pub from: Timestamp,
    pub until: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StretchOf {
    /// Of the queue: kept there by the limits of the plan, or by the operator.
    Outside,
    /// For a worker.
    Waiting,
    /// Attempts that came to nothing, and the waits between them.
    Retrying,
    /// The same of one that waits for its next attempt; since when is not known.
    WaitingAgain,
    Loading,
    Encoding,
    Denoising,
    /// Of the latents.
    HandingOver,
    /// For a decoder.
    WaitingForDecoder,
    /// Waiting for a decoder, and decoding since a moment that is not known.
    AtDecoder,
    Decoding,
    Uploading,
}

impl Timeline {
    /// One after the other, without gaps from what is known; what took no time is left out. Of a job that has not ended, up to `now`.
    #[must_use]
    pub fn stretches(&self, now: Timestamp) -> Vec<Stretch> {
        let mut drawn = Drawn { at: self.created_at, all: Vec::new() };
        let waited_until = self.started_at.or(self.ended_at).unwrap_or(now);
        drawn.until(StretchOf::Outside, self.entered_at(waited_until));
        drawn.until(StretchOf::Waiting, waited_until);
        if self.started_at.is_none() {
            return drawn.all;
        }
        let Some(sampled) = self.sampled_at else {
            let what = match self.times.sampling_ms {
                // One that failed or was cancelled never came further.
                None if self.ended_at.is_some() => StretchOf::Retrying,
                _ if self.waits_again => StretchOf::WaitingAgain,
                _ => StretchOf::Denoising,
            };
            drawn.until(what, self.ended_at.unwrap_or(now));
            return drawn.all;
        };
        let ms = |ms: Option<u64>| i64::try_from(ms.unwrap_or_default()).unwrap_or(i64::MAX);
        let PhaseTimes { sampling_ms, load_ms, encode_ms, latents_upload_ms, upload_ms, .. } = self.times;
        drawn.until(StretchOf::Retrying, sampled.plus_ms(-ms(sampling_ms)).max(drawn.at));
        let denoised = sampled.plus_ms(-ms(latents_upload_ms));
        drawn.until(StretchOf::Loading, drawn.at.plus_ms(ms(load_ms)).min(denoised));
        drawn.until(StretchOf::Encoding, drawn.at.plus_ms(ms(encode_ms)).min(denoised));
        drawn.until(StretchOf::Denoising, denoised);
        drawn.until(StretchOf::HandingOver, sampled);
        let decoded = self.ended_at.and_then(|ended| Some((ended, self.times.decoder_wait_ms(ended.ms_since(sampled))?)));
        let Some((ended, wait_ms)) = decoded else {
            let what = if self.is_decoded { StretchOf::AtDecoder } else { StretchOf::WaitingForDecoder };
            drawn.until(what, self.ended_at.unwrap_or(now));
            return drawn.all;
        };
        drawn.until(StretchOf::WaitingForDecoder, sampled.plus_ms(ms(Some(wait_ms))));
        drawn.until(StretchOf::Decoding, ended.plus_ms(-ms(upload_ms)).max(drawn.at));
        drawn.until(StretchOf::Uploading, ended);
        drawn.all
    }

    /// When it came into the queue in which it waited until then. One that came there later was begun before, and put back.
    fn entered_at(&self, waited_until: Timestamp) -> Timestamp {
        let queued = self.queued_at.filter(|queued| *queued <= waited_until);
        if self.is_outside { waited_until } else { queued.unwrap_or(self.created_at) }
    }

    /// How many samples its device was shared by on average while it was denoised, itself included. `None`: not known.
    #[must_use]
    pub fn shared_by(&self) -> Option<f64> {
        let passed = self.times.denoise_ms()? + self.times.encode_ms?;
        let device = self.times.sampling_device_ms.filter(|ms| *ms > 0)?;
        Some((passed as f64 / device as f64).max(1.0))
    }
}

struct Drawn {
    at: Timestamp,
    all: Vec<Stretch>,
}

impl Drawn {
    fn until(&mut self, what: StretchOf, until: Timestamp) {
        if until > self.at {
            self.all.push(Stretch { what, from: self.at, until });
            self.at = until;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(1_000_000 + ms)
    }

    fn finished() -> Timeline {
        Timeline {
            created_at: at(0),
            queued_at: None,
            is_outside: false,
            started_at: Some(at(1000)),
            sampled_at: Some(at(9000)),
            ended_at: Some(at(14_000)),
            is_decoded: false,
            waits_again: false,
            times: PhaseTimes {
                sampling_ms: Some(6000),
                load_ms: Some(1000),
                encode_ms: Some(500),
                latents_upload_ms: Some(500),
                sampling_device_ms: Some(1500),
                decoding_ms: Some(3000),
                upload_ms: Some(1000),
                decoding_device_ms: Some(2000),
            },
            device: Some("h100".into()),
        }
    }

    #[test]
    fn all_of_a_jobs_time_is_something() {
        let stretches = finished().stretches(at(99_999));
        let told: Vec<_> = stretches.iter().map(|stretch| (stretch.what, stretch.until.ms() - 1_000_000)).collect();
        assert_eq!(
            told,
            [
                (StretchOf::Waiting, 1000),
                (StretchOf::Retrying, 3000),
                (StretchOf::Loading, 4000),
                (StretchOf::Encoding, 4500),
                (StretchOf::Denoising, 8500),
                (StretchOf::HandingOver, 9000),
                (StretchOf::WaitingForDecoder, 11_000),
                (StretchOf::Decoding, 13_000),
                (StretchOf::Uploading, 14_000),
            ]
        );
        assert!(stretches.windows(2).all(|pair| pair[0].until == pair[1].from));
        assert_eq!(finished().shared_by(), Some(3.0));
    }

    #[test]
    fn what_has_not_ended_is_told_up_to_now() {
        let waiting = Timeline { started_at: None, sampled_at: None, ended_at: None, ..finished() };
        assert_eq!(waiting.stretches(at(500)), [Stretch { what: StretchOf::Waiting, from: at(0), until: at(500) }]);
        let sampling = Timeline { sampled_at: None, ended_at: None, times: PhaseTimes::default(), ..finished() };
        assert_eq!(sampling.stretches(at(2000)).last().map(|last| last.what), Some(StretchOf::Denoising));
        assert_eq!((sampling.shared_by(), sampling.stretches(at(-5)).len()), (None, 1));
        let waits_again = Timeline { waits_again: true, ..sampling };
        let again = Stretch { what: StretchOf::WaitingAgain, from: at(1000), until: at(2000) };
        assert_eq!(waits_again.stretches(at(2000)).last(), Some(&again));
        for (is_decoded, what) in [(false, StretchOf::WaitingForDecoder), (true, StretchOf::AtDecoder)] {
            let sampled = Timeline { is_decoded, ended_at: None, ..finished() };
            assert_eq!(sampled.stretches(at(9500)).last(), Some(&Stretch { what, from: at(9000), until: at(9500) }));
        }
    }

    #[test]
    fn what_was_kept_outside_of_the_queue_did_not_wait_for_a_worker_until_it_came_there() {
        let first = |timeline: &Timeline| {
            let told = timeline.stretches(at(5000)).into_iter().map(|stretch| (stretch.what, stretch.until.ms() - 1_000_000));
            told.take(2).collect::<Vec<_>>()
        };
        let begun = Timeline { queued_at: Some(at(400)), ..finished() };
        assert_eq!(first(&begun), [(StretchOf::Outside, 400), (StretchOf::Waiting, 1000)]);
        let put_back = Timeline { queued_at: Some(at(1001)), ..finished() };
        assert_eq!(first(&put_back)[0], (StretchOf::Waiting, 1000), "that was after its first start");
        let entered = Timeline { started_at: None, sampled_at: None, ended_at: None, ..begun };
        assert_eq!(first(&entered), [(StretchOf::Outside, 400), (StretchOf::Waiting, 5000)]);
        let outside = Timeline { queued_at: None, is_outside: true, ..entered };
        assert_eq!(first(&outside), [(StretchOf::Outside, 5000)]);
    }

    #[test]
    fn a_decode_that_came_to_nothing_is_no_wait_alone() {
        for (is_decoded, what) in [(false, StretchOf::WaitingForDecoder), (true, StretchOf::AtDecoder)] {
            let mut ended = Timeline { is_decoded, ..finished() };
            (ended.times.decoding_ms, ended.times.upload_ms, ended.times.decoding_device_ms) = (None, None, None);
            assert_eq!(ended.stretches(at(99_999)).last(), Some(&Stretch { what, from: at(9000), until: at(14_000) }));
        }
    }

    #[test]
    fn clocks_that_were_put_back_make_no_stretch_that_ends_before_it_begins() {
        let odd = Timeline { sampled_at: Some(at(500)), ended_at: Some(at(200)), ..finished() };
        assert!(odd.stretches(at(0)).iter().all(|stretch| stretch.until > stretch.from));
    }
}
