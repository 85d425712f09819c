//! How many tries are allowed: of a password, and of signing up. Counted in the database, so several servers
//! share the count, and before the costly look at the password, so that tries made at once cannot outrun it.

use crate::Services;
use std::net::{IpAddr, Ipv6Addr};
use store::StoreError;

const WINDOW_MS: i64 = 15 * 60 * 1000;
/// Against guessing one person's password.
const FAILURES_PER_MAIL: u32 = 10;
/// Against trying one password on many people; many people can share an address.
const FAILURES_PER_ADDRESS: u32 = 100;
const SIGN_UPS_PER_ADDRESS: u32 = 100;

#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("too many tries")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) struct Subject {
    key: String,
    tries_max: u32,
}

impl Subject {
    pub(super) fn mail(email: &str) -> Self {
        let email: String = email.trim().to_lowercase().replace('\0', "").chars().take(254).collect();
        Self { key: format!("mail:{email}"), tries_max: FAILURES_PER_MAIL }
    }

    pub(super) fn address(address: &str) -> Self {
        Self { key: format!("address:{}", network(address)), tries_max: FAILURES_PER_ADDRESS }
    }

    pub(super) fn sign_ups(address: &str) -> Self {
        Self { key: format!("sign-up:{}", network(address)), tries_max: SIGN_UPS_PER_ADDRESS }
    }
}

/// One household or server: an IPv4 address, or the 64 bits of an IPv6 address that providers hand out.
fn network(address: &str) -> String {
    match address.parse().map(|address: IpAddr| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string(),
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => address.to_owned(),
    }
}

impl Services {
    /// Counts a try; it is over the limit for all tries until the window has ended.
    pub(super) async fn count_try(&self, subject: &Subject) -> Result<(), Refused> {
        let count = self.store.accounts().note_failure(&subject.key, WINDOW_MS).await?;
        if count.failures <= subject.tries_max {
            return Ok(());
        }
        let left_ms = count.window_ends_at.ms_since(self.store.now().await?);
        Err(Refused::TooManyTries { retry_after_s: left_ms.div_ceil(1000).max(1) })
    }

    /// A right password: nothing is held against the person, and this try not against the address.
    pub(super) async fn forgive(&self, mail: &Subject, address: &Subject) -> Result<(), StoreError> {
        self.store.accounts().forget_failures(&mail.key).await?;
        self.store.accounts().take_back_failure(&address.key).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_network_are_one_subject() {
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
    }
}
