//! What is added up over jobs that have ended: counts, what was paid, why jobs failed, and how long each phase took.

use super::{Count, Phase, Sketch};
use crate::{VideoTime, billing::Money};
use std::collections::BTreeMap;

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HowEnded {
    Succeeded,
    /// The code of the failure.
    Failed(String),
    Cancelled,
}

/// What a job that has ended says of itself. Times are of the attempt that succeeded, in milliseconds; `None`: not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedJob {
    pub how: HowEnded,
    pub billed: VideoTime,
    pub charged: VideoTime,
    pub paid: Option<Money>,
    pub total_ms: u64,
    pub queue_ms: u64,
    /// From the hand-over of its latents to its end.
    pub after_sampling_ms: Option<u64>,
    pub times: PhaseTimes,
}

/// What a job's stages took, as its workers said. Milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PhaseTimes {
    /// From the claim to the hand-over.
    pub sampling_ms: Option<u64>,
    pub load_ms: Option<u64>,
    pub encode_ms: Option<u64>,
    pub latents_upload_ms: Option<u64>,
    /// Of the device.
    pub sampling_device_ms: Option<u64>,
    /// From the claim to the end.
    pub decoding_ms: Option<u64>,
    /// Of the finished files.
    pub upload_ms: Option<u64>,
    pub decoding_device_ms: Option<u64>,
}

impl PhaseTimes {
    /// What denoising took, with waits for a place in the batch.
    #[must_use]
    pub fn denoise_ms(&self) -> Option<u64> {
        let others = self.load_ms? + self.encode_ms? + self.latents_upload_ms?;
        Some(self.sampling_ms?.saturating_sub(others))
    }

    #[must_use]
    pub fn decode_ms(&self) -> Option<u64> {
        Some(self.decoding_ms?.saturating_sub(self.upload_ms?))
    }

    /// Of the time from the hand-over to the end, what passed before the decoder had it that made it.
    #[must_use]
    pub fn decoder_wait_ms(&self, after_sampling_ms: u64) -> Option<u64> {
        Some(after_sampling_ms.saturating_sub(self.decoding_ms?))
    }
}

impl EndedJob {
    /// `None`: not known.
    #[must_use]
    pub fn phase_ms(&self, phase: Phase) -> Option<u64> {
        match phase {
            Phase::Total => Some(self.total_ms),
            Phase::Queue => Some(self.queue_ms),
            Phase::Load => self.times.load_ms,
            Phase::Encode => self.times.encode_ms,
            Phase::Denoise => self.times.denoise_ms(),
            Phase::Decode => self.times.decode_ms(),
            Phase::Upload => Some(self.times.latents_upload_ms? + self.times.upload_ms?),
            Phase::DecoderWait => self.times.decoder_wait_ms(self.after_sampling_ms?),
        }
    }

    fn count(&self, count: Count) -> u64 {
        let (made, one) = (self.how == HowEnded::Succeeded, u64::from);
        match count {
            Count::Succeeded => one(made),
            Count::Failed => one(matches!(self.how, HowEnded::Failed(_))),
            Count::Cancelled => one(self.how == HowEnded::Cancelled),
            Count::Cold => one(made && self.times.load_ms.is_some_and(|ms| ms > 0)),
            Count::MadeMs => {
                if made {
                    self.billed.ms()
                } else {
                    0
                }
            }
            Count::ChargedMs => self.charged.ms(),
            Count::SamplingDeviceMs => self.times.sampling_device_ms.filter(|_| made).unwrap_or(0),
            Count::DecodingDeviceMs => self.times.decoding_device_ms.filter(|_| made).unwrap_or(0),
        }
    }
}

/// So many phases there were at first.
const FIRST_PHASES: usize = Phase::DecoderWait as usize;

/// Of some jobs. Two are merged by adding all of them up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    pub counts: [u64; Count::ALL.len()],
    /// In thousandths of the minor unit, by the code of the currency.
    pub paid: BTreeMap<String, i64>,
    /// By the code of the failure.
    pub failures: BTreeMap<String, u64>,
    /// Of jobs that succeeded, in the order of [`Phase::ALL`].
    pub times: [Sketch; Phase::ALL.len()],
}

impl Tally {
    pub fn add(&mut self, job: &EndedJob) {
        for count in Count::ALL {
            self.counts[count as usize] += job.count(count);
        }
        if let Some(paid) = job.paid.filter(|paid| paid.thousandths_of_minor != 0) {
            let sum = self.paid.entry(paid.currency.code().to_owned()).or_default();
            *sum = sum.saturating_add(paid.thousandths_of_minor);
        }
        match &job.how {
            HowEnded::Succeeded => {
                for (phase, times) in Phase::ALL.into_iter().zip(&mut self.times) {
                    job.phase_ms(phase).into_iter().for_each(|ms| times.add(ms));
                }
            }
            HowEnded::Failed(code) => *self.failures.entry(code.clone()).or_default() += 1,
            HowEnded::Cancelled => {}
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(other.counts).for_each(|(sum, more)| *sum += more);
        for (currency, paid) in &other.paid {
            let sum = self.paid.entry(currency.clone()).or_default();
            *sum = sum.saturating_add(*paid);
        }
        for (code, jobs) in &other.failures {
            *self.failures.entry(code.clone()).or_default() += jobs;
        }
        self.times.iter_mut().zip(&other.times).for_each(|(times, more)| times.merge(more));
    }

    #[must_use]
    pub const fn count(&self, count: Count) -> u64 {
        self.counts[count as usize]
    }

    #[must_use]
    pub const fn times(&self, phase: Phase) -> &Sketch {
        &self.times[phase as usize]
    }

    /// Jobs that ended, however.
    #[must_use]
    pub const fn jobs(&self) -> u64 {
        self.count(Count::Succeeded) + self.count(Count::Failed) + self.count(Count::Cancelled)
    }

    /// Of those that were not cancelled, how many of one succeeded. `None`: there are none.
    #[must_use]
    pub fn success_rate(&self) -> Option<f64> {
        share(self.count(Count::Succeeded), self.count(Count::Succeeded) + self.count(Count::Failed))
    }

    /// Of those that succeeded, for how many of one weights were loaded.
    #[must_use]
    pub fn cold_rate(&self) -> Option<f64> {
        share(self.count(Count::Cold), self.times(Phase::Load).count())
    }

    /// How many samples shared a device on average while they were denoised: the time that passed by the time of the device that each was counted.
    #[must_use]
    pub fn batch_fill(&self) -> Option<f64> {
        let passed = self.times(Phase::Denoise).sum() + self.times(Phase::Encode).sum();
        share(passed, self.count(Count::SamplingDeviceMs)).map(|fill| fill.max(1.0))
    }

    /// The stored form of the times: of the phases that there were at first, and of those that were added. A version that knows the first alone takes
    /// more of them for damaged, and begins them anew; what stands beside them it leaves as it is.
    #[must_use]
    pub fn encode_times(&self) -> [Vec<u8>; 2] {
        let (first, added) = self.times.split_at(FIRST_PHASES);
        [first, added].map(|times| times.iter().flat_map(Sketch::encode).collect())
    }

    /// `None`: of another version, or damaged. Phases that were added since have no times.
    #[must_use]
    pub fn decode_times([first, added]: [&[u8]; 2]) -> Option<[Sketch; Phase::ALL.len()]> {
        let mut times: [Sketch; Phase::ALL.len()] = Default::default();
        let (of_first, of_added) = times.split_at_mut(FIRST_PHASES);
        decode_all(first, of_first)?;
        decode_all(added, of_added)?;
        Some(times)
    }
}

fn decode_all(mut bytes: &[u8], times: &mut [Sketch]) -> Option<()> {
    for of_phase in times {
        if bytes.is_empty() {
            break;
        }
        *of_phase = Sketch::decode(&mut bytes)?;
    }
    bytes.is_empty().then_some(())
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::Currency;

    fn made() -> EndedJob {
        EndedJob {
            how: HowEnded::Succeeded,
            billed: VideoTime::from_ms(2000),
            charged: VideoTime::from_ms(2000),
            paid: Some(Money::of_minor(4, Currency::USD)),
            total_ms: 30_000,
            queue_ms: 10_000,
            after_sampling_ms: Some(8000),
            times: PhaseTimes {
                sampling_ms: Some(12_000),
                load_ms: Some(1000),
                encode_ms: Some(500),
                latents_upload_ms: Some(500),
                sampling_device_ms: Some(3500),
                decoding_ms: Some(5000),
                upload_ms: Some(800),
                decoding_device_ms: Some(4000),
            },
        }
    }

    #[test]
    fn a_job_is_told_in_phases() {
        let phases = Phase::ALL.map(|phase| made().phase_ms(phase).unwrap());
        assert_eq!(phases, [30_000, 10_000, 1000, 500, 10_000, 4200, 1300, 3000]);
        assert_eq!(phases[1..].iter().sum::<u64>(), phases[0], "all of its time is in one of them");
        let of_before = EndedJob { times: PhaseTimes { sampling_ms: Some(1), ..PhaseTimes::default() }, ..made() };
        assert_eq!(Phase::ALL.map(|phase| of_before.phase_ms(phase).is_some()), [true, true, false, false, false, false, false, false]);
    }

    #[test]
    fn a_job_waited_for_a_decoder_for_no_less_than_nothing_and_only_where_it_is_known_when_it_was_sampled() {
        let wait_ms = |after_sampling_ms| EndedJob { after_sampling_ms, ..made() }.phase_ms(Phase::DecoderWait);
        assert_eq!([Some(5001), Some(4999), None].map(wait_ms), [Some(1), Some(0), None]);
    }

    #[test]
    fn a_tally_that_was_kept_before_a_phase_was_added_is_read_without_it() {
        let mut tally = Tally::default();
        tally.add(&made());
        let kept: Vec<u8> = tally.times[..Phase::DecoderWait as usize].iter().flat_map(Sketch::encode).collect();
        let mut read = Tally { times: Tally::decode_times([&kept, &[]]).unwrap(), ..Tally::default() };
        assert_eq!(Phase::ALL.map(|phase| read.times(phase).count()), [1, 1, 1, 1, 1, 1, 1, 0]);
        read.merge(&tally);
        assert_eq!(Phase::ALL.map(|phase| read.times(phase).count()), [2, 2, 2, 2, 2, 2, 2, 1]);
        assert_eq!(tally.encode_times()[0], kept, "a version of before reads no more, and begins nothing anew");
    }

    #[test]
    fn only_what_succeeded_has_times_and_only_what_failed_a_reason() {
        let failed = EndedJob { how: HowEnded::Failed("out_of_memory".into()), charged: VideoTime::default(), paid: None, ..made() };
        let cancelled = EndedJob { how: HowEnded::Cancelled, charged: VideoTime::from_ms(500), paid: None, ..made() };
        let mut tally = Tally::default();
        [made(), failed, cancelled].iter().for_each(|job| tally.add(job));
        assert_eq!(tally.counts, [1, 1, 1, 1, 2000, 2500, 3500, 4000]);
        assert!(tally.times.iter().all(|times| times.count() == 1));
        assert_eq!((tally.failures.len(), tally.paid["usd"], tally.jobs()), (1, 4000, 3));
        assert_eq!((tally.success_rate(), tally.cold_rate(), tally.batch_fill()), (Some(0.5), Some(1.0), Some(3.0)));
    }

    #[test]
    fn merged_is_what_was_added_to_one_and_times_are_read_back() {
        let (mut one, mut all) = (Tally::default(), Tally::default());
        one.add(&made());
        all.add(&made());
        all.add(&made());
        let mut merged = one.clone();
        merged.merge(&one);
        assert_eq!(merged, all);
        assert_eq!(Tally::decode_times(all.encode_times().each_ref().map(Vec::as_slice)), Some(all.times));
        assert_eq!(Tally::decode_times([&[], &[]]), Some(Tally::default().times));
        assert_eq!([Tally::decode_times([&[7], &[]]), Tally::decode_times([&[], &[7]])], [None, None]);
        assert_eq!((Tally::default().success_rate(), Tally::default().batch_fill()), (None, None));
    }
}
