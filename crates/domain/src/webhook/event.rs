//! The events that receivers are told of, and why an endpoint is told nothing.

macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $variant:ident, $name:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $type { $($(#[$of])* $variant,)* }

        impl $type {
            pub const EVERY: &'static [Self] = &[$(Self::$variant,)*];

            /// As it is stored.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// `None`: there is none of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::EVERY.iter().copied().find(|one| one.as_str() == name)
            }
        }
    };
}

names! {
    /// Something that happened to a tenant's video or batch, by its name in the API and in the outbox.
    WebhookEvent {
        VideoCompleted, "video.completed";
        VideoFailed, "video.failed";
        BatchCompleted, "batch.completed";
        BatchFailed, "batch.failed";
        BatchExpired, "batch.expired";
        BatchCancelled, "batch.cancelled";
    }
}

names! {
    /// Why an endpoint is told nothing.
    DisabledReason {
        /// Somebody of the team has turned it off.
        ByUser, "by_user";
        /// It has answered 410.
        Gone, "gone";
        /// It has taken nothing for days.
        Failing, "failing";
        /// More waits for it than is kept.
        Backlog, "backlog";
    }
}

names! {
    /// In whose words the course of a job is told.
    CallbackStyle {
        Replicate, "replicate";
        Fal, "fal";
    }
}

names! {
    /// What is told of the course of a job, by the names that Replicate's clients have for it.
    CallbackEvent {
        /// A worker has begun it.
        Start, "start";
        /// There is something to fetch.
        Output, "output";
        /// It is a step further.
        Logs, "logs";
        /// It has ended, however.
        Completed, "completed";
    }
}

names! {
    /// Where a delivery stands.
    DeliveryState {
        /// It waits, or is being sent.
        Pending, "pending";
        Delivered, "delivered";
        /// No try is left.
        Failed, "failed";
    }
}

impl WebhookEvent {
    /// The id that an event which is sent as a test tells of: no video and no batch has it.
    #[must_use]
    pub const fn sample_id(self) -> &'static str {
        match self {
            Self::VideoCompleted | Self::VideoFailed => "job_00000000000000000000000000000000",
            Self::BatchCompleted | Self::BatchFailed | Self::BatchExpired | Self::BatchCancelled => {
                "batch_00000000000000000000000000000000"
            }
        }
    }
}

impl DisabledReason {
    /// As a sentence for its owner.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::ByUser => "Turned off by your team.",
            Self::Gone => "It answered 410: it wants nothing more.",
            Self::Failing => "It has taken nothing for five days.",
            Self::Backlog => "More was waiting for it than is kept.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_and_reasons_are_found_by_the_names_they_are_stored_under() {
        for event in WebhookEvent::EVERY {
            assert_eq!(WebhookEvent::named(event.as_str()), Some(*event));
            assert!(event.as_str().split('.').next() == Some(if event.sample_id().starts_with("job_") { "video" } else { "batch" }));
        }
        for reason in DisabledReason::EVERY {
            assert_eq!(DisabledReason::named(reason.as_str()), Some(*reason));
        }
        assert_eq!((WebhookEvent::EVERY.len(), WebhookEvent::named("response.completed")), (6, None));
    }
}
