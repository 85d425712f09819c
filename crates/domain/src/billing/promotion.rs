//! Promo codes: video time that a tenant is given for a word that it knows.

use crate::{Timestamp, VideoTime};
use std::{fmt, str::FromStr};

pub const PROMO_CODE_CHARS_MIN: usize = 4;
pub const PROMO_CODE_CHARS_MAX: usize = 32;
/// For so long after it was made a tenant is new.
pub const NEW_TENANT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// The word itself: capital letters, digits and hyphens, in whichever case it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoCode(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a promo code has {PROMO_CODE_CHARS_MIN} to {PROMO_CODE_CHARS_MAX} letters, digits and hyphens")]
pub struct PromoCodeError;

impl FromStr for PromoCode {
    type Err = PromoCodeError;

    fn from_str(text: &str) -> Result<Self, PromoCodeError> {
        let code = text.trim().to_ascii_uppercase();
        let is_one = (PROMO_CODE_CHARS_MIN..=PROMO_CODE_CHARS_MAX).contains(&code.len())
            && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_one { Ok(Self(code)) } else { Err(PromoCodeError) }
    }
}

impl PromoCode {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PromoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who may use a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Everybody,
    /// Tenants that were made in the last [`NEW_TENANT_MS`].
    NewTenants,
}

impl Audience {
    pub const ALL: [Self; 2] = [Self::Everybody, Self::NewTenants];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Everybody => "everybody",
            Self::NewTenants => "new",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|audience| audience.as_str() == name)
    }
}

/// What a code gives, to whom, how often and how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoTerms {
    pub amount: VideoTime,
    /// After how many days what it gave can be used no longer; `None`: never.
    pub credit_days: Option<u32>,
    /// `None`: always.
    pub valid_until: Option<Timestamp>,
    /// `None`: any number of tenants may use it.
    pub uses_max: Option<u64>,
    pub audience: Audience,
}

/// Why a code gives nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PromoRefusal {
    #[error("there is no such promo code")]
    Unknown,
    #[error("this promo code is not valid any more")]
    Expired,
    #[error("this promo code was used as often as it may be")]
    UsedUp,
    #[error("you have used this promo code already")]
    UsedAlready,
    #[error("this promo code is for teams that are new here")]
    NotForYou,
}

impl PromoTerms {
    /// Whether a tenant that was made at `tenant_since`, and has not used the code, is given something for it, which `uses` tenants were.
    ///
    /// # Errors
    /// [`PromoRefusal`].
    pub fn admit(&self, uses: u64, tenant_since: Timestamp, now: Timestamp) -> Result<(), PromoRefusal> {
        if self.valid_until.is_some_and(|until| until <= now) {
            return Err(PromoRefusal::Expired);
        }
        if self.audience == Audience::NewTenants && tenant_since.plus_ms(NEW_TENANT_MS) <= now {
            return Err(PromoRefusal::NotForYou);
        }
        if self.uses_max.is_some_and(|max| uses >= max) {
            return Err(PromoRefusal::UsedUp);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_same_in_either_case_and_has_nothing_but_letters_digits_and_hyphens() {
        assert_eq!(" summer-26 ".parse::<PromoCode>().unwrap().as_str(), "SUMMER-26");
        for wrong in ["", "abc", "a b c d", "sümmer", "CODE\0", &"X".repeat(33)] {
            assert_eq!(wrong.parse::<PromoCode>(), Err(PromoCodeError), "{wrong}");
        }
    }

    #[test]
    fn an_audience_is_found_by_its_name() {
        assert_eq!(Audience::ALL.map(|audience| Audience::named(audience.as_str())), Audience::ALL.map(Some));
        assert_eq!(Audience::named("nobody"), None);
    }

    #[test]
    fn a_code_is_refused_when_it_is_over_for_others_or_used_up() {
        let terms = PromoTerms {
            amount: VideoTime::from_minutes(1),
            credit_days: None,
            valid_until: Some(Timestamp::from_ms(NEW_TENANT_MS + 2)),
            uses_max: Some(2),
            audience: Audience::NewTenants,
        };
        let at = |ms| Timestamp::from_ms(ms);
        assert_eq!(terms.admit(1, at(0), at(NEW_TENANT_MS - 1)), Ok(()));
        assert_eq!(terms.admit(2, at(0), at(NEW_TENANT_MS - 1)), Err(PromoRefusal::UsedUp));
        assert_eq!(terms.admit(0, at(0), at(NEW_TENANT_MS)), Err(PromoRefusal::NotForYou));
        assert_eq!(terms.admit(0, at(1), at(NEW_TENANT_MS)), Ok(()));
        assert_eq!(terms.admit(0, at(5), at(NEW_TENANT_MS + 2)), Err(PromoRefusal::Expired));
        let open = PromoTerms { valid_until: None, uses_max: None, audience: Audience::Everybody, ..terms };
        assert_eq!(open.admit(u64::MAX, at(0), at(i64::MAX)), Ok(()));
    }
}
