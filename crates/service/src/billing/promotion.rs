//! Promo codes: made and archived by the operator, used by whoever looks after a tenant's money.

use super::GRANT_MAX;
use crate::{
    AccessError, Services,
    account::throttle::{self, Refused},
};
use domain::{
    Actor, Forbidden, Membership, Permission, VideoTime,
    billing::{PromoCode, PromoCodeError, PromoRefusal, PromoTerms},
};
use store::{
    Asked, NewPromoCode, PromoCodeRow, PromoError, Redemption, StoreError,
    chance::{self, NoRandomness},
};
use uuid::Uuid;

/// Letters and digits that nobody takes for others.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const DRAWN_CHARS: usize = 10;
const REDEMPTIONS_SHOWN: u64 = 50;
/// The longest that credit of a code is good for.
const CREDIT_DAYS_MAX: u32 = 3650;

/// A code that the operator wants.
#[derive(Debug, Clone)]
pub struct NewPromo {
    /// `None`: one is drawn that nobody guesses.
    pub code: Option<String>,
    pub terms: PromoTerms,
}

#[derive(Debug, thiserror::Error)]
pub enum PromoChangeError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Code(#[from] PromoCodeError),
    #[error("a code gives more than nothing, and at most {} video-seconds", GRANT_MAX)]
    Amount,
    #[error("a code cannot end in the past")]
    Expired,
    #[error("a code can be used at least once, or it is of no use")]
    Uses,
    #[error("what a code gives is good for 1 to {CREDIT_DAYS_MAX} days")]
    CreditDays,
    #[error("there is, or was, a code of this name")]
    Taken,
    #[error("there is no such code, or it is archived already")]
    Unknown,
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a code gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum RedeemError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Code(#[from] PromoCodeError),
    #[error(transparent)]
    Refused(#[from] PromoRefusal),
    #[error("too many tries; try again in {retry_after_s} seconds")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refused> for RedeemError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooManyTries { retry_after_s } => Self::TooManyTries { retry_after_s },
            Refused::Store(error) => error.into(),
        }
    }
}

/// A code, and who has used it last.
#[derive(Debug, Clone)]
pub struct PromoOverview {
    pub code: PromoCodeRow,
    /// The last first; only some where there are many.
    pub redemptions: Vec<Redemption>,
}

impl Services {
    /// Makes a code; `by`: the user who does, unless it is the command line.
    ///
    /// # Errors
    /// [`PromoChangeError`]; no code was made.
    pub async fn create_promo_code(&self, actor: Actor, by: Option<Asked<'_>>, new: NewPromo) -> Result<PromoCode, PromoChangeError> {
        actor.require(Permission::ManagePlans)?;
        let NewPromo { code, terms } = new;
        if terms.amount == VideoTime::default() || terms.amount > GRANT_MAX {
            return Err(PromoChangeError::Amount);
        }
        if terms.uses_max == Some(0) {
            return Err(PromoChangeError::Uses);
        }
        if terms.credit_days.is_some_and(|days| !(1..=CREDIT_DAYS_MAX).contains(&days)) {
            return Err(PromoChangeError::CreditDays);
        }
        if let Some(until) = terms.valid_until
            && until <= self.store.now().await?
        {
            return Err(PromoChangeError::Expired);
        }
        let code: PromoCode = match code.filter(|code| !code.trim().is_empty()) {
            Some(code) => code.parse()?,
            None => drawn()?.parse()?,
        };
        let new = NewPromoCode { code, terms };
        if self.store.promo_codes().create(&new, by).await? { Ok(new.code) } else { Err(PromoChangeError::Taken) }
    }

    /// Nobody uses it any more; what it gave stays.
    ///
    /// # Errors
    /// [`PromoChangeError`]; nothing was changed.
    pub async fn archive_promo_code(&self, actor: Actor, by: Option<Asked<'_>>, code: &str) -> Result<(), PromoChangeError> {
        actor.require(Permission::ManagePlans)?;
        let code = code.parse()?;
        if self.store.promo_codes().archive(&code, by).await? { Ok(()) } else { Err(PromoChangeError::Unknown) }
    }

    /// The newest codes before `before`, with who has used each last.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn promo_codes(&self, actor: Actor, before: Option<Uuid>, limit: u64) -> Result<Vec<PromoOverview>, AccessError> {
        actor.require(Permission::ManagePlans)?;
        let mut overviews = Vec::new();
        for code in self.store.promo_codes().list(before, limit).await? {
            let redemptions =
                if code.uses == 0 { Vec::new() } else { self.store.promo_codes().redemptions(code.id, REDEMPTIONS_SHOWN).await? };
            overviews.push(PromoOverview { code, redemptions });
        }
        Ok(overviews)
    }

    /// Gives the tenant of whoever acts what a code gives, once; says how much that is.
    ///
    /// # Errors
    /// [`RedeemError`]; nothing was given.
    pub async fn redeem(&self, actor: Actor, code: &str, address: &str) -> Result<VideoTime, RedeemError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageBilling)?;
        let code: PromoCode = code.parse()?;
        let counted = self.count_try(throttle::promo_code(user, address)).await?;
        match self.store.tenant(tenant).credits().redeem(&code, Asked { user, address }).await {
            Ok(amount) => {
                self.forgive(&counted).await?;
                Ok(amount)
            }
            Err(PromoError::Refused(refusal)) => {
                self.hold(&counted);
                Err(refusal.into())
            }
            Err(PromoError::Store(error)) => Err(error.into()),
        }
    }
}

/// Fifty bits.
fn drawn() -> Result<String, NoRandomness> {
    let bytes: [u8; DRAWN_CHARS] = chance::random_bytes()?;
    let chars: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    let (first, last) = chars.split_at(DRAWN_CHARS / 2);
    Ok(format!("{first}-{last}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_code_is_one_and_no_other_is_the_same() {
        let codes = [drawn().unwrap(), drawn().unwrap()];
        assert!(codes.iter().all(|code| code.parse::<PromoCode>().is_ok_and(|parsed| parsed.as_str() == code)), "{codes:?}");
        assert_ne!(codes[0], codes[1]);
    }
}
