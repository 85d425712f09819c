//! Typed ids. Each prints with its own prefix and refuses every other, so a tenant's id can never
//! be taken for a job's. The hidden decision: a UUIDv7 underneath, so that ids sort by creation.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// The text is not an id of the kind that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {kind} id")]
pub struct IdError {
    pub kind: &'static str,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Uuid);

        impl $name {
            pub const PREFIX: &'static str = $prefix;

            #[must_use]
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0.simple())
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            /// Accepts exactly what `Display` prints: the prefix and 32 lower-case hex digits.
            fn from_str(text: &str) -> Result<Self, IdError> {
                let wrong = IdError { kind: $prefix };
                let hex = text.strip_prefix(concat!($prefix, "_")).ok_or(wrong.clone())?;
                let canonical = hex.len() == 32 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
                if !canonical {
                    return Err(wrong);
                }
                Uuid::try_parse(hex).map(Self).map_err(|_| wrong)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// A customer: the owner of users, keys, jobs and artifacts.
    TenantId, "tenant"
);
id!(
    /// A person who signs in.
    UserId, "user"
);
id!(
    /// One generation request, from submission to its last byte.
    JobId, "job"
);
id!(
    /// A secret by which a program acts for a tenant.
    ApiKeyId, "key"
);
id!(
    /// A part of a tenant's work: keys and jobs belong to one.
    ProjectId, "project"
);
id!(
    /// That somebody is asked by mail to join a tenant.
    InvitationId, "invitation"
);
id!(
    /// Where a tenant wants to be told of events.
    WebhookEndpointId, "webhook"
);
id!(
    /// One event on its way to one endpoint.
    WebhookDeliveryId, "delivery"
);
id!(
    /// Trouble of which the operator tells everybody.
    IncidentId, "incident"
);
id!(
    /// A rule on a number, of which the operator is told.
    AlertRuleId, "alert"
);
id!(
    /// Where alerts are told to.
    AlertAddressId, "alertaddress"
);
id!(
    /// A time in which alerts are not told.
    AlertSilenceId, "silence"
);
id!(
    /// One start of one worker process; a restart is another worker.
    WorkerId, "worker"
);

id!(
    /// Something that a tenant uploaded, or that was made for it to download.
    FileId, "file"
);
id!(
    /// Many requests in one file.
    BatchId, "batch"
);

impl ProjectId {
    /// The project that each tenant has from the beginning: it has the tenant's own id.
    #[must_use]
    pub const fn default_of(tenant: TenantId) -> Self {
        Self(tenant.uuid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_printing_and_parsing() {
        let id = JobId::from_uuid(Uuid::from_u128(0x0190_aaaa_bbbb_7ccc_8ddd_eeee_ffff_0001));
        assert_eq!(id.to_string(), "job_0190aaaabbbb7ccc8dddeeeeffff0001");
        assert_eq!(id.to_string().parse::<JobId>(), Ok(id));
    }

    #[test]
    fn an_id_of_another_kind_or_spelling_is_refused() {
        let hex = "0190aaaabbbb7ccc8dddeeeeffff0001";
        for text in ["", "job_", hex, &format!("tenant_{hex}"), &format!("job_{}", hex.to_uppercase()), &format!("job_{hex}0")] {
            assert!(text.parse::<JobId>().is_err(), "{text}");
        }
    }
}
