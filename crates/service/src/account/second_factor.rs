//! Two-step sign-in: turned on with a code of the app, asked for at each sign-in, and turned off with the password.

use super::{ConfirmError, PasswordMark, User, throttle, totp};
use crate::{AccessError, Services, seal::SealKey};
use domain::{Actor, Forbidden, Membership, Permission, UserId};
use qrcode::{QrCode, render::svg};
use sha2::{Digest, Sha256};
use store::{
    Asked, CodeTried, StoreError, TurnedOn,
    chance::{self, NoRandomness},
};

const KEY_SETTING: &str = "second_factor_key";
const ISSUER: &str = "Reelmill";
const RECOVERY_CODES: usize = 10;
/// Of 32 letters and digits each: fifty bits, which nobody guesses at the pace that is allowed.
const RECOVERY_CHARS: usize = 10;

#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    #[error("that code is not right, or was used before")]
    Wrong,
    #[error("two-step sign-in is on already")]
    AlreadyOn,
    #[error("two-step sign-in is off")]
    Off,
    #[error("this account is deleted")]
    AccountGone,
    #[error("the password was changed since it was given")]
    PasswordChanged,
    #[error("too many tries; try again in {retry_after_s} seconds")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error("the secret of a second factor cannot be read")]
    Secret,
}

impl From<Forbidden> for CodeError {
    fn from(forbidden: Forbidden) -> Self {
        ConfirmError::from(forbidden).into()
    }
}

impl From<throttle::Refused> for CodeError {
    fn from(refused: throttle::Refused) -> Self {
        match refused {
            throttle::Refused::TooManyTries { retry_after_s } => Self::TooManyTries { retry_after_s },
            throttle::Refused::Store(error) => error.into(),
        }
    }
}

/// What an app is told, by picture or by hand.
#[derive(Debug, Clone)]
pub struct Setup {
    pub secret: String,
    /// A QR code, as SVG.
    pub picture: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondFactorState {
    pub is_on: bool,
    pub recovery_codes_left: u64,
}

impl Services {
    /// # Errors
    /// [`AccessError`] when the database does not answer.
    pub async fn second_factor(&self, actor: Actor) -> Result<SecondFactorState, AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        let found = self.store.second_factors().find(user).await?.filter(|found| found.is_confirmed);
        Ok(SecondFactorState { is_on: found.is_some(), recovery_codes_left: found.map_or(0, |found| found.codes_left) })
    }

    /// A secret for the app: the one that was shown before, until it is confirmed.
    ///
    /// # Errors
    /// [`CodeError::AlreadyOn`], or the database does not answer.
    pub async fn set_up_second_factor(&self, user: &User) -> Result<Setup, CodeError> {
        user.actor().require(Permission::ManageAccount)?;
        let key = self.second_factor_key().await?;
        let secret = match self.store.second_factors().find(user.id).await? {
            Some(found) if found.is_confirmed => return Err(CodeError::AlreadyOn),
            Some(found) => key.open(&purpose(user.id), &found.secret).ok_or(CodeError::Secret)?,
            None => {
                let secret = chance::random_bytes::<{ totp::SECRET_BYTES }>()?.to_vec();
                let sealed = key.seal(&purpose(user.id), &secret)?;
                is_done(self.store.second_factors().propose(user.id, &sealed).await?)?;
                secret
            }
        };
        let secret = totp::base32(&secret);
        let account: String = user.email.as_str().bytes().map(percent).collect();
        let uri = format!("otpauth://totp/{ISSUER}:{account}?secret={secret}&issuer={ISSUER}");
        let picture = QrCode::new(uri).map_err(|_| CodeError::Secret)?;
        let picture = picture.render::<svg::Color<'_>>().min_dimensions(220, 220).quiet_zone(true).build();
        Ok(Setup { secret, picture })
    }

    /// Turns it on for who shows that the app has the secret, and gives the codes for when it is lost: this once.
    ///
    /// # Errors
    /// [`CodeError::Wrong`], [`CodeError::TooManyTries`], or it is on already.
    pub async fn turn_on_second_factor(&self, actor: Actor, code: &str, address: &str) -> Result<Vec<String>, CodeError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        let counted = self.count_try(throttle::code(user)).await?;
        let found = self.store.second_factors().find(user).await?.ok_or(CodeError::Off)?;
        if found.is_confirmed {
            return Err(CodeError::AlreadyOn);
        }
        let Some(step) = self.step_of(user, &found.secret, code, found.last_step).await? else {
            self.hold(&counted);
            return Err(CodeError::Wrong);
        };
        let (codes, hashes) = recovery_codes(user)?;
        is_done(self.store.second_factors().confirm(Asked { user, address }, step, &hashes).await?)?;
        self.forgive(&counted).await?;
        Ok(codes)
    }

    /// Who has given the right password also gives the right code: of the app, or one for when it is lost. `password`: the one that was given.
    ///
    /// # Errors
    /// [`CodeError::Wrong`], [`CodeError::TooManyTries`] or [`CodeError::PasswordChanged`]; then nobody is signed in.
    pub async fn check_code(&self, user: UserId, password: &PasswordMark, code: &str, address: &str) -> Result<User, CodeError> {
        self.user_with(user, password).await?;
        let counted = self.count_try(throttle::code(user)).await?;
        let found = self.store.second_factors().find(user).await?.filter(|found| found.is_confirmed).ok_or(CodeError::Off)?;
        let tried = match self.step_of(user, &found.secret, code, found.last_step).await? {
            Some(step) => CodeTried::Step(step),
            None => CodeTried::Recovery(hashed(user, code)),
        };
        if !self.store.second_factors().spend(Asked { user, address }, tried).await? {
            self.hold(&counted);
            return Err(CodeError::Wrong);
        }
        self.forgive(&counted).await?;
        // Another password may have been set meanwhile.
        self.user_with(user, password).await
    }

    /// The user, as long as this is their password.
    async fn user_with(&self, user: UserId, password: &PasswordMark) -> Result<User, CodeError> {
        let found = self.store.accounts().by_id(user).await?.map(User::from).ok_or(CodeError::AccountGone)?;
        if found.password == *password { Ok(found) } else { Err(CodeError::PasswordChanged) }
    }

    /// New codes for when the app is lost; those of before are worth nothing.
    ///
    /// # Errors
    /// [`CodeError::Confirm`] when the password is wrong.
    pub async fn renew_recovery_codes(&self, actor: Actor, password: &str, address: &str) -> Result<Vec<String>, CodeError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        self.confirm(user, address, password).await?;
        self.store.second_factors().find(user).await?.filter(|found| found.is_confirmed).ok_or(CodeError::Off)?;
        let (codes, hashes) = recovery_codes(user)?;
        let renewed = self.store.second_factors().renew_codes(Asked { user, address }, &hashes).await?;
        if renewed { Ok(codes) } else { Err(CodeError::AccountGone) }
    }

    /// # Errors
    /// [`CodeError::Confirm`] when the password is wrong.
    pub async fn turn_off_second_factor(&self, actor: Actor, password: &str, address: &str) -> Result<(), CodeError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        self.confirm(user, address, password).await?;
        Ok(self.store.second_factors().remove(Asked { user, address }).await?)
    }

    async fn step_of(&self, user: UserId, sealed: &str, code: &str, last_step: i64) -> Result<Option<i64>, CodeError> {
        let key = self.second_factor_key().await?;
        let secret = key.open(&purpose(user), sealed).ok_or(CodeError::Secret)?;
        Ok(totp::step_of(&secret, code, self.store.now().await?.unix_seconds(), last_step))
    }

    /// Drawn once by whichever server needs it first.
    async fn second_factor_key(&self) -> Result<SealKey, CodeError> {
        let fresh = SealKey::random()?.hex();
        let shared = self.store.settings().settle(KEY_SETTING, &fresh).await?;
        SealKey::of_hex(&shared).ok_or(CodeError::Secret)
    }
}

const fn is_done(turned_on: TurnedOn) -> Result<(), CodeError> {
    match turned_on {
        TurnedOn::Done => Ok(()),
        TurnedOn::Already => Err(CodeError::AlreadyOn),
        TurnedOn::Gone => Err(CodeError::AccountGone),
    }
}

fn purpose(user: UserId) -> String {
    format!("second factor of {user}")
}

/// Codes to be shown once, and what is kept of them.
fn recovery_codes(user: UserId) -> Result<(Vec<String>, Vec<[u8; 32]>), NoRandomness> {
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let text = totp::base32(&chance::random_bytes::<7>()?).to_lowercase();
        let (first, last) = (&text[..RECOVERY_CHARS / 2], &text[RECOVERY_CHARS / 2..RECOVERY_CHARS]);
        codes.push(format!("{first}-{last}"));
    }
    let hashes = codes.iter().map(|code| hashed(user, code)).collect();
    Ok((codes, hashes))
}

/// However it is typed.
fn hashed(user: UserId, code: &str) -> [u8; 32] {
    let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    Sha256::digest(format!("{user}:{code}")).into()
}

fn percent(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Act;
    use store::{
        objects::{ObjectsConfig, open},
        on_both_engines,
        testing::Dial,
    };

    const HOME: &str = "198.51.100.7";
    const PASSWORD: &str = "correct horse battery";

    /// What the app shows, read off the picture's secret as an app does.
    async fn shown(services: &Services, user: UserId, steps_on: i64) -> String {
        let found = services.store.second_factors().find(user).await.unwrap().unwrap();
        let secret = services.second_factor_key().await.unwrap().open(&purpose(user), &found.secret).unwrap();
        let now = services.store.now().await.unwrap().unix_seconds();
        totp::code(&secret, now / totp::STEP_S + steps_on).unwrap()
    }

    on_both_engines! {
        async fn it_is_asked_for_once_confirmed_takes_each_code_once_and_goes_with_the_password(database: TempDatabase) {
            let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
            let store = database.open_at(&dial).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let ada = services.sign_up("ada@example.com", PASSWORD).await.unwrap();
            let setup = services.set_up_second_factor(&ada).await.unwrap();
            assert!(setup.picture.contains("<svg") && setup.secret.len() == 32);
            assert_eq!(services.set_up_second_factor(&ada).await.unwrap().secret, setup.secret, "also after a reload");
            let (user, actor) = (ada.id, ada.actor());
            assert!(!services.user(user, None).await.unwrap().unwrap().has_second_factor);
            assert!(matches!(services.turn_on_second_factor(actor, "000000", HOME).await, Err(CodeError::Wrong)));
            let codes = services.turn_on_second_factor(actor, &shown(&services, user, 0).await, HOME).await.unwrap();
            assert!(services.user(user, None).await.unwrap().unwrap().has_second_factor);
            assert_eq!((codes.len(), services.second_factor(actor).await.unwrap().recovery_codes_left), (10, 10));

            let check = async |code: &str| services.check_code(user, &ada.password, code, HOME).await;
            let used = shown(&services, user, 0).await;
            assert!(matches!(check(&used).await, Err(CodeError::Wrong)), "it turned it on");
            let next = shown(&services, user, 1).await;
            let both = futures::future::join(check(&next), check(&next)).await;
            assert_eq!([both.0, both.1].iter().filter(|checked| checked.is_ok()).count(), 1);
            let typed = codes[0].to_uppercase().replace('-', " ");
            check(&typed).await.unwrap();
            assert!(matches!(check(&typed).await, Err(CodeError::Wrong)));
            assert_eq!(services.second_factor(actor).await.unwrap().recovery_codes_left, 9);
            assert!(services.own_acts(actor).await.unwrap().iter().any(|entry| entry.act == Act::RecoveryCodeUsed));

            let renewed = services.renew_recovery_codes(actor, PASSWORD, HOME).await.unwrap();
            dial.advance_ms(3_600_000);
            assert!(matches!(check(&codes[1]).await, Err(CodeError::Wrong)));
            check(&renewed[1]).await.unwrap();
            assert!(matches!(services.turn_off_second_factor(actor, "guess", HOME).await, Err(CodeError::Confirm(ConfirmError::Wrong))));
            services.turn_off_second_factor(actor, PASSWORD, HOME).await.unwrap();
            assert!(!services.user(user, None).await.unwrap().unwrap().has_second_factor);
        }

        async fn who_gave_the_password_of_before_gets_in_by_no_code_and_spends_none(database: TempDatabase) {
            const OTHER: &str = "another lantern there";
            let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
            let store = database.open_at(&dial).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let ada = services.sign_up("ada@example.com", PASSWORD).await.unwrap();
            services.set_up_second_factor(&ada).await.unwrap();
            let codes = services.turn_on_second_factor(ada.actor(), &shown(&services, ada.id, 0).await, HOME).await.unwrap();
            services.change_password(ada.actor(), &ada.email, (PASSWORD, OTHER), HOME, None).await.unwrap();
            for _ in 0..9 {
                let refused = services.check_code(ada.id, &ada.password, &codes[0], HOME).await;
                assert!(matches!(refused, Err(CodeError::PasswordChanged)), "{refused:?}");
            }
            let now = services.user(ada.id, None).await.unwrap().unwrap();
            services.check_code(ada.id, &now.password, &codes[0], HOME).await.unwrap();
        }

        async fn guessing_codes_takes_longer_and_longer_also_from_many_networks(database: TempDatabase) {
            let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
            let store = database.open_at(&dial).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let ada = services.sign_up("ada@example.com", PASSWORD).await.unwrap();
            services.set_up_second_factor(&ada).await.unwrap();
            services.turn_on_second_factor(ada.actor(), &shown(&services, ada.id, 0).await, HOME).await.unwrap();
            for n in 0..5 {
                let wrong = services.check_code(ada.id, &ada.password, "12345", &format!("203.0.113.{n}")).await;
                assert!(matches!(wrong, Err(CodeError::Wrong)), "{wrong:?}");
            }
            let right = shown(&services, ada.id, 1).await;
            assert!(matches!(services.check_code(ada.id, &ada.password, &right, HOME).await, Err(CodeError::TooManyTries { .. })));
        }
    }
}
