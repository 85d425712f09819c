//! The parts of a job's time, and what is counted of a job.

use std::fmt;

/// A part of the time from submitting a job to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// All of it.
    Total,
    /// Until a worker first began it.
    Queue,
    /// Its weights were loaded while it was in a worker's hands.
    Load,
    /// Its texts were encoded.
    Encode,
    /// Denoising, with waits for a place in the batch.
    Denoise,
    Decode,
    /// Latents and files went to the object store.
    Upload,
    /// It was sampled and waited for a decoder, with attempts to decode it that came to nothing.
    DecoderWait,
}

impl Phase {
    /// In the order in which their times are stored: one that is added goes last.
    pub const ALL: [Self; 8] =
        [Self::Total, Self::Queue, Self::Load, Self::Encode, Self::Denoise, Self::Decode, Self::Upload, Self::DecoderWait];

    /// All of them as a job goes through them.
    pub const IN_ORDER: [Self; 8] =
        [Self::Total, Self::Queue, Self::Load, Self::Encode, Self::Denoise, Self::DecoderWait, Self::Decode, Self::Upload];

    /// Its name in addresses and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Queue => "queue",
            Self::Load => "load",
            Self::Encode => "encode",
            Self::Denoise => "denoise",
            Self::Decode => "decode",
            Self::Upload => "upload",
            Self::DecoderWait => "decoder_wait",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.as_str() == name)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A number that is added up over jobs that have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Count {
    Succeeded,
    Failed,
    Cancelled,
    /// Of those that succeeded: for which weights were loaded.
    Cold,
    /// Video time of those that succeeded, in milliseconds.
    MadeMs,
    /// Video time that was charged, in milliseconds.
    ChargedMs,
    /// What sampling took of devices, of those that succeeded.
    SamplingDeviceMs,
    DecodingDeviceMs,
}

impl Count {
    pub const ALL: [Self; 8] = [
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
        Self::Cold,
        Self::MadeMs,
        Self::ChargedMs,
        Self::SamplingDeviceMs,
        Self::DecodingDeviceMs,
    ];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Cold => "cold",
            Self::MadeMs => "made_ms",
            Self::ChargedMs => "charged_ms",
            Self::SamplingDeviceMs => "sampling_device_ms",
            Self::DecodingDeviceMs => "decoding_device_ms",
        }
    }
}

/// By what numbers can be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    Model,
    Lane,
    /// The kind of device that sampled.
    Device,
    Tenant,
}

impl Dimension {
    pub const ALL: [Self; 4] = [Self::Model, Self::Lane, Self::Device, Self::Tenant];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Lane => "lane",
            Self::Device => "device",
            Self::Tenant => "tenant_id",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dimension| dimension.as_str() == name)
    }
}

/// A number of the installation at a moment, sampled again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gauge {
    /// How often the others were looked at.
    Looks,
    /// Video time that waits, in milliseconds, by model, lane and the kind of device that can make it.
    WaitingMs,
    /// By kind of device.
    Workers,
    /// For sampling, by kind of device.
    Slots,
    /// Of those.
    Busy,
    /// For decoding, by kind of device.
    DecodingSlots,
    /// Of those.
    DecodingBusy,
    /// How long the oldest job of a team that is not paused has waited for a worker or a decoder, in milliseconds, by model, lane and
    /// the kind of device that can make it.
    OldestWaitMs,
}

impl Gauge {
    pub const ALL: [Self; 8] =
        [Self::Looks, Self::WaitingMs, Self::Workers, Self::Slots, Self::Busy, Self::DecodingSlots, Self::DecodingBusy, Self::OldestWaitMs];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Looks => "looks",
            Self::WaitingMs => "waiting_ms",
            Self::Workers => "workers",
            Self::Slots => "slots",
            Self::Busy => "busy",
            Self::DecodingSlots => "decoding_slots",
            Self::DecodingBusy => "decoding_busy",
            Self::OldestWaitMs => "oldest_wait_ms",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|gauge| gauge.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_name_and_stands_at_its_place() {
        assert_eq!(Phase::ALL.map(|phase| Phase::named(phase.as_str())), Phase::ALL.map(Some));
        assert_eq!(Dimension::ALL.map(|dimension| Dimension::named(dimension.as_str())), Dimension::ALL.map(Some));
        assert_eq!(Gauge::ALL.map(|gauge| Gauge::named(gauge.as_str())), Gauge::ALL.map(Some));
        assert!(Phase::ALL.iter().enumerate().all(|(at, phase)| *phase as usize == at));
        assert!(Phase::ALL.iter().all(|phase| Phase::IN_ORDER.contains(phase)));
        assert!(Count::ALL.iter().enumerate().all(|(at, count)| *count as usize == at));
        assert_eq!((Phase::named("lunch"), Dimension::named("day"), Gauge::named("")), (None, None, None));
    }
}
