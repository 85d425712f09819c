//! Who has to wait before the next try. The counts lie in the database, so several servers share them, and a try
//! is counted before the costly look at the password, so that tries made at once cannot outrun it.
//!
//! Whoever has to wait is remembered here as well: a flood costs neither transactions nor password hashes. The tries of
//! one network are counted one after the other, so that however many come at once, others wait for one of them.

use crate::Services;
use domain::{
    Timestamp, UserId,
    account::tries::{ACCOUNT, Allowance, CODES, MAILS, NETWORK, PAIR, PROVIDER_SIGN_INS, SIGN_UPS},
};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};
use store::{CountedTry, StoreError, TrySubject};
use tokio::sync::Mutex as Line;

/// Subjects that are refused from memory; those beyond are refused by the database.
const REMEMBERED_MAX: usize = 20_000;
/// A household or server: the 64 bits of an IPv6 address that providers hand out.
const HOUSEHOLD_BITS: u32 = 64;
/// What one customer of a provider may well hold.
const SITE_BITS: u32 = 48;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("too many tries")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Against whom a try to sign in is counted. A known browser answers for itself alone.
pub(super) fn sign_in(mail: &str, address: &str, known_browser: Option<&str>) -> Vec<TrySubject> {
    if let Some(browser) = known_browser {
        return vec![subject(PAIR, &["browser", browser])];
    }
    vec![
        subject(PAIR, &["pair", mail, &network(address, HOUSEHOLD_BITS)]),
        subject(NETWORK, &["network", &site(address)]),
        subject(ACCOUNT, &["account", mail]),
    ]
}

/// The mail that goes to the address of a new account.
pub(super) fn sign_up_mail(mail: &str) -> Vec<TrySubject> {
    vec![subject(MAILS, &["sign-up-mail", mail])]
}

pub(super) fn sign_up(address: &str) -> Vec<TrySubject> {
    vec![subject(SIGN_UPS, &["sign-up", &site(address)])]
}

/// Of somebody who is sent to a provider to sign in there.
pub(super) fn provider_sign_in(address: &str) -> Vec<TrySubject> {
    vec![subject(PROVIDER_SIGN_INS, &["provider", &site(address)])]
}

/// Against whom a mail is counted that somebody has sent to an address, whether it is known or not.
pub(super) fn mail(mail: &str, address: &str) -> Vec<TrySubject> {
    vec![subject(MAILS, &["mail", mail]), subject(NETWORK, &["mail-network", &site(address)])]
}

/// The same of an invitation: whoever invites an address keeps nobody from setting its password.
pub(super) fn invitation(mail: &str, address: &str) -> Vec<TrySubject> {
    vec![subject(MAILS, &["invitation", mail]), subject(NETWORK, &["mail-network", &site(address)])]
}

/// Of somebody who is signed in and says their password once more.
pub(super) fn confirmation(user: UserId) -> Vec<TrySubject> {
    vec![subject(PAIR, &["confirmation", &user.to_string()])]
}

pub(super) fn code(user: UserId) -> Vec<TrySubject> {
    vec![subject(CODES, &["code", &user.to_string()])]
}

/// Of promo codes, which are not to be guessed.
pub(crate) fn promo_code(user: UserId, address: &str) -> Vec<TrySubject> {
    vec![subject(CODES, &["promo-code", &user.to_string()]), subject(NETWORK, &["promo-code-network", &site(address)])]
}

/// The network of a visitor's provider or company.
pub(super) fn site(address: &str) -> String {
    network(address, SITE_BITS)
}

fn subject(allowance: Allowance, parts: &[&str]) -> TrySubject {
    let digest = Sha256::digest(parts.join("\n"));
    TrySubject { key: format!("{}:{}", parts[0], hex::encode(digest)), allowance }
}

/// An IPv4 address, or so many leading bits of an IPv6 address.
fn network(address: &str, bits: u32) -> String {
    match address.parse().map(|address: IpAddr| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits))).to_string(),
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => address.to_owned(),
    }
}

/// Who has to wait, and until when by this machine's clock.
#[derive(Default)]
pub(crate) struct RefusedTries {
    until: Mutex<HashMap<String, Timestamp>>,
    /// Of those whose tries are counted now.
    lines: Mutex<HashMap<String, Weak<Line<()>>>>,
}

impl RefusedTries {
    /// The longest wait of these subjects. What a clock that was ahead has noted keeps nobody waiting.
    fn wait_ms(&self, subjects: &[TrySubject], now: Timestamp) -> u64 {
        let until = self.lock();
        let wait = |subject: &TrySubject| {
            let wait_ms = until.get(&subject.key)?.ms_since(now);
            (wait_ms <= subject.allowance.longest_wait_ms()).then_some(wait_ms)
        };
        subjects.iter().filter_map(wait).max().unwrap_or(0)
    }

    fn note(&self, key: &str, wait_ms: u64, now: Timestamp) {
        let mut until = self.lock();
        if until.len() >= REMEMBERED_MAX {
            until.retain(|_, until| *until > now);
        }
        if wait_ms > 0 && until.len() < REMEMBERED_MAX {
            until.insert(key.to_owned(), now.plus_ms(i64::try_from(wait_ms).unwrap_or(i64::MAX)));
        }
    }

    fn forget(&self, key: &str) {
        self.lock().remove(key);
    }

    /// Where the tries of this network, or browser, wait for each other.
    fn line(&self, subjects: &[TrySubject]) -> Arc<Line<()>> {
        let network = subjects.iter().find(|subject| subject.allowance == NETWORK).or(subjects.first());
        let key = network.map_or("", |subject| &subject.key);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(key).and_then(Weak::upgrade) {
            return line;
        }
        lines.retain(|_, line| line.strong_count() > 0);
        let line = Arc::default();
        lines.insert(key.to_owned(), Arc::downgrade(&line));
        line
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Timestamp>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Services {
    /// Counts a try as failed until it is forgiven. Who has to wait is refused, and not counted again.
    pub(crate) async fn count_try(&self, subjects: Vec<TrySubject>) -> Result<Vec<CountedTry>, Refused> {
        self.refuse_early(&subjects)?;
        let line = self.refused_tries.line(&subjects);
        let _turn = line.lock().await;
        // Those before it may have used up what the network is allowed.
        self.refuse_early(&subjects)?;
        self.store.tries().count(subjects).await?.map_err(|early| {
            self.refused_tries.note(&early.key, early.wait_ms, self.store.local_now());
            too_many(early.wait_ms)
        })
    }

    fn refuse_early(&self, subjects: &[TrySubject]) -> Result<(), Refused> {
        match self.refused_tries.wait_ms(subjects, self.store.local_now()) {
            0 => Ok(()),
            wait_ms => Err(too_many(wait_ms)),
        }
    }

    /// The try has failed: whoever must wait now is remembered.
    pub(crate) fn hold(&self, counted: &[CountedTry]) {
        let now = self.store.local_now();
        for tried in counted {
            self.refused_tries.note(&tried.subject.key, tried.wait_ms(), now);
        }
    }

    /// A right password: nothing is held against this person here, and this try against nobody. The counts of
    /// the network and of the account stay, else who guesses could clear them with an account of their own.
    pub(crate) async fn forgive(&self, counted: &[CountedTry]) -> Result<(), StoreError> {
        let own: Vec<String> =
            counted.iter().filter(|tried| tried.subject.allowance == PAIR).map(|tried| tried.subject.key.clone()).collect();
        for key in &own {
            self.refused_tries.forget(key);
        }
        self.store.tries().forgive(counted, &own).await
    }
}

fn too_many(wait_ms: u64) -> Refused {
    Refused::TooManyTries { retry_after_s: wait_ms.div_ceil(1000).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_network_are_one_subject() {
        assert_eq!(network("2001:db8:1:2:3:4:5:6", HOUSEHOLD_BITS), "2001:db8:1:2::");
        assert_eq!(network("2001:db8:1:2:3:4:5:6", SITE_BITS), "2001:db8:1::");
        assert_eq!(network("::ffff:192.0.2.7", SITE_BITS), "192.0.2.7");
        assert_eq!(network("192.0.2.7", HOUSEHOLD_BITS), "192.0.2.7");
    }

    #[test]
    fn memory_is_bounded_and_forgets_who_need_not_wait_any_more() {
        let (waiting, start) = (RefusedTries::default(), Timestamp::from_ms(0));
        for n in 0..2 * REMEMBERED_MAX {
            waiting.note(&n.to_string(), 1000, start);
        }
        assert_eq!(waiting.lock().len(), REMEMBERED_MAX);
        let first = [TrySubject { key: "0".into(), allowance: PAIR }];
        assert_eq!((waiting.wait_ms(&first, start), waiting.wait_ms(&first, start.plus_ms(1000))), (1000, 0));
        waiting.note("late", 5, start.plus_ms(1000));
        assert_eq!(waiting.lock().len(), 1);
    }
}
