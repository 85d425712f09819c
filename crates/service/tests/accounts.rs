//! What a person does with their own account: a forgotten password, the address, and leaving for good.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod world;

use domain::{
    Act, Actor, Role,
    account::token::{Purpose, SpentToken},
};
use futures::future::join_all;
use service::{
    Asked, InviteError, JoinError, NotOpened, SignIn, SignInError,
    account::{ChangePasswordError, ConfirmError, DeleteError, MailRefused, OwnEmailError, ResetError, SignUpError},
    team::TeamError,
};
use store::{NewToken, SESSION_USER, on_both_engines};
use tower_sessions_core::Session;
use world::{PASSWORD, World};

const HOME: &str = "198.51.100.7";
const OTHER: &str = "another lantern on the hill";
const HOUR_MS: i64 = 3_600_000;

async fn signs_in(world: &World, email: &str, password: &str) -> bool {
    world.dial.advance_ms(20 * 60_000);
    let asked = SignIn { email, password, address: HOME, known_browser: None };
    match world.services.sign_in(asked).await {
        Ok(_) => true,
        Err(SignInError::Wrong) => false,
        Err(error) => panic!("{error:?}"),
    }
}

async fn session_of(world: &World, user: domain::UserId) {
    let session = Session::new(None, std::sync::Arc::new(world.services.store.sessions()), None);
    session.insert(SESSION_USER, user).await.unwrap();
    session.save().await.unwrap();
}

on_both_engines! {
    async fn a_forgotten_password_is_set_once_by_the_link_of_a_mail_and_ends_all_sessions(database: TempDatabase) {
        let world = World::new(database).await;
        session_of(&world, world.ada.id).await;
        world.services.forgot_password(" ADA@example.com", HOME).await.unwrap();
        let mail = world.mail_to("ada@example.com").await;
        assert!(mail.html.contains("https://video.test/reset-password?token=") && mail.text.contains("one hour"), "{}", mail.text);
        let token = world::token_of(&mail);
        assert!(!world.holds_beside(&token, &["mails"]).await, "only its digest is kept");
        let weak = world.services.reset_password(&token, "password1", HOME).await;
        assert!(matches!(weak, Err(ResetError::Password(_))), "{weak:?}");
        world.services.reset_password(&token, OTHER, HOME).await.unwrap();
        assert!(signs_in(&world, "ada@example.com", OTHER).await && !signs_in(&world, "ada@example.com", PASSWORD).await);
        assert!(world.services.sessions(world.ada.actor()).await.unwrap().is_empty());
        let again = world.services.reset_password(&token, PASSWORD, HOME).await;
        assert!(matches!(again, Err(ResetError::Spent(SpentToken::Used))), "{again:?}");
        let acts = world.services.own_acts(world.ada.actor()).await.unwrap();
        assert_eq!((acts[0].act, &*acts[0].address), (Act::PasswordReset, HOME));
        assert_eq!(world.mail_to("ada@example.com").await.subject, "Your password was changed");
    }

    async fn an_unknown_address_is_answered_alike_and_gets_no_mail(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.forgot_password("nobody@example.com", HOME).await.unwrap();
        assert!(world.mails().await.is_empty());
        for email in ["ada@example.com", "nobody@example.com"] {
            world.dial.advance_ms(60 * 60_000);
            for _ in 0..3 {
                world.services.forgot_password(email, HOME).await.unwrap();
            }
            let refused = world.services.forgot_password(email, HOME).await;
            assert!(matches!(refused, Err(MailRefused::TooMany { .. })), "{email}: {refused:?}");
        }
        assert_eq!(world.mails().await.len(), 3);
    }

    async fn links_expire_and_foreign_ones_open_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.forgot_password("ada@example.com", HOME).await.unwrap();
        let token = world::token_of(&world.mail_to("ada@example.com").await);
        assert!(world.services.look_at_reset(&token).await.is_ok());
        assert!(matches!(world.services.verify_email(&token, HOME).await, Err(OwnEmailError::Spent(_))), "of another purpose");
        world.dial.advance_ms(HOUR_MS);
        let late = world.services.reset_password(&token, OTHER, HOME).await;
        assert!(matches!(late, Err(ResetError::Spent(SpentToken::Expired))), "{late:?}");
        let unknown = world.services.reset_password("", OTHER, HOME).await;
        assert!(matches!(unknown, Err(ResetError::Spent(SpentToken::Unknown))), "{unknown:?}");
    }

    async fn a_new_account_is_verified_by_its_mail_and_the_operators_is_without(database: TempDatabase) {
        let world = World::new(database).await;
        assert!(world.ada.is_operator && world.ada.is_verified);
        let eve = world.services.sign_up_from(HOME, "eve@example.com", PASSWORD).await.unwrap();
        assert!(!eve.is_verified);
        let token = world::token_of(&world.mail_to("eve@example.com").await);
        assert_eq!(world.services.look_at_email(&token, Purpose::VerifyEmail).await.unwrap().as_str(), "eve@example.com");
        world.services.verify_email(&token, HOME).await.unwrap();
        assert!(world.services.user(eve.id, None).await.unwrap().unwrap().is_verified);
    }

    async fn an_address_is_changed_where_it_is_confirmed_and_told_where_it_was(database: TempDatabase) {
        let world = World::new(database).await;
        let actor = world.ada.actor();
        let wrong = world.services.ask_for_email(actor, "new@example.com", "guess", HOME).await;
        assert!(matches!(wrong, Err(OwnEmailError::Confirm(ConfirmError::Wrong))), "{wrong:?}");
        world.services.ask_for_email(actor, "new@example.com", PASSWORD, HOME).await.unwrap();
        let token = world::token_of(&world.mail_to("new@example.com").await);
        assert!(signs_in(&world, "ada@example.com", PASSWORD).await, "until then nothing has changed");
        world.services.change_email(&token, HOME).await.unwrap();
        assert!(signs_in(&world, "new@example.com", PASSWORD).await && !signs_in(&world, "ada@example.com", PASSWORD).await);
        let told = world.mail_to("ada@example.com").await;
        assert!(told.text.contains("new@example.com") && !told.text.contains("token="), "{}", told.text);
    }

    async fn a_new_password_takes_back_a_change_of_the_address(database: TempDatabase) {
        let world = World::new(database).await;
        let (actor, email) = (world.ada.actor(), &world.ada.email);
        let spent = |changed: Result<_, OwnEmailError>| assert!(matches!(changed, Err(OwnEmailError::Spent(SpentToken::Used))), "{changed:?}");
        world.services.ask_for_email(actor, "thief@example.com", PASSWORD, HOME).await.unwrap();
        let first = world::token_of(&world.mail_to("thief@example.com").await);
        // This one is in the outbox.
        world.services.ask_for_email(actor, "another-thief@example.com", PASSWORD, HOME).await.unwrap();
        world.services.change_password(actor, email, (PASSWORD, OTHER), HOME, None).await.unwrap();
        spent(world.services.change_email(&first, HOME).await);
        assert!(world.mails().await.iter().all(|mail| mail.recipient != "another-thief@example.com"));
        // And this one was on its way.
        let token = NewToken { sha256: [7; 32], purpose: Purpose::ChangeEmail, email: "late@example.com".parse().unwrap(), user: Some(world.ada.id), invitation: None };
        assert!(!world.services.store.accounts().keep_token(&token).await.unwrap());

        world.services.ask_for_email(actor, "thief@example.com", OTHER, HOME).await.unwrap();
        let second = world::token_of(&world.mail_to("thief@example.com").await);
        world.services.forgot_password("ada@example.com", HOME).await.unwrap();
        let reset = world::token_of(&world.mail_to("ada@example.com").await);
        world.services.reset_password(&reset, PASSWORD, HOME).await.unwrap();
        spent(world.services.change_email(&second, HOME).await);
        assert!(signs_in(&world, "ada@example.com", PASSWORD).await);
    }

    async fn an_address_that_is_not_confirmed_gets_the_mail_that_asks_and_no_other(database: TempDatabase) {
        let world = World::new(database).await;
        let sign_up = async || world.services.sign_up_from(HOME, "eve@example.com", PASSWORD).await;
        let mut eve = sign_up().await.unwrap();
        world.services.change_password(eve.actor(), &eve.email, (PASSWORD, OTHER), HOME, None).await.unwrap();
        world.services.store.second_factors().remove(Asked { user: eve.id, address: HOME }).await.unwrap();
        let subjects: Vec<_> = world.mails().await.into_iter().map(|mail| mail.subject).collect();
        assert_eq!(subjects, ["Confirm your email address"]);
        world.services.change_password(eve.actor(), &eve.email, (OTHER, PASSWORD), HOME, None).await.unwrap();
        for _ in 0..2 {
            world.services.delete_account(eve.actor(), PASSWORD, HOME).await.unwrap();
            eve = sign_up().await.unwrap();
        }
        world.services.delete_account(eve.actor(), PASSWORD, HOME).await.unwrap();
        let refused = sign_up().await;
        assert!(matches!(refused, Err(SignUpError::TooManyWithEmail { .. })), "{refused:?}");
        assert!(matches!(world.services.sign_up_from(HOME, "eve@example.com", "short").await, Err(SignUpError::Password(_))), "that sends none");
    }

    async fn whoever_confirms_an_address_by_a_new_password_has_the_account_alone(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up_from(HOME, "eve@example.com", PASSWORD).await.unwrap();
        let bob = world.services.sign_up("bob@example.com", PASSWORD).await.unwrap();
        let refused = world.services.invite(eve.actor(), "bob@example.com", Role::Owner, HOME).await;
        assert!(matches!(refused, Err(TeamError::Invite(InviteError::Unconfirmed))), "{refused:?}");
        // Versions of before did not ask.
        world.database.damage("UPDATE users SET email_verified_at_ms = 1 WHERE email = 'eve@example.com'").await;
        world.join(&world.ada, &eve, Role::Admin).await;
        world.join(&eve, &bob, Role::Owner).await;
        world.services.invite(eve.actor(), "second@example.com", Role::Owner, HOME).await.unwrap();
        let invitation = world::token_of(&world.mail_to("second@example.com").await);
        let in_adas = world.services.user(eve.id, Some(world.ada.tenant)).await.unwrap().unwrap();
        let keys = [world.services.create_key(eve.actor(), "hers", HOME).await.unwrap(), world.services.create_key(in_adas.actor(), "too", HOME).await.unwrap()];
        let (factors, asked) = (world.services.store.second_factors(), Asked { user: eve.id, address: HOME });
        factors.propose(eve.id, "sealed").await.unwrap();
        factors.confirm(asked, 0, &[]).await.unwrap();
        let bob_there = world.services.user(bob.id, Some(eve.tenant)).await.unwrap().unwrap();
        world.services.change_role(bob_there.actor(), eve.id, Role::Viewer, HOME).await.unwrap();
        world.database.damage("UPDATE users SET email_verified_at_ms = NULL WHERE email = 'eve@example.com'").await;

        world.services.forgot_password("eve@example.com", HOME).await.unwrap();
        let reset = world.mails().await.into_iter().find(|mail| mail.text.contains("/reset-password?")).unwrap();
        world.services.reset_password(&world::token_of(&reset), OTHER, HOME).await.unwrap();
        let now = world.services.user(eve.id, Some(eve.tenant)).await.unwrap().unwrap();
        assert_eq!((now.tenant, now.role, now.is_verified, now.has_second_factor), (eve.tenant, Role::Owner, true, false));
        let team = world.services.team(now.actor()).await.unwrap();
        assert_eq!((team.members.iter().map(|member| member.user).collect::<Vec<_>>(), team.invitations.len()), (vec![eve.id], 0));
        for key in keys {
            assert!(matches!(world.services.open(&key.secret, "").await, Err(NotOpened::Key)), "{}", key.key.name);
        }
        assert!(matches!(world.services.offer(&invitation).await, Err(JoinError::Spent(SpentToken::Used))));
        assert_eq!(world.services.own_tenants(bob.actor()).await.unwrap().len(), 1);
        assert_eq!(world.services.team(world.ada.actor()).await.unwrap().members.len(), 2, "who invited her stays");
    }

    async fn an_address_of_before_is_in_no_log_of_a_team(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        world.join(&world.ada, &eve, Role::Member).await;
        world.services.change_role(world.ada.actor(), eve.id, Role::Viewer, HOME).await.unwrap();
        world.services.ask_for_email(eve.actor(), "new@example.com", PASSWORD, HOME).await.unwrap();
        let token = world::token_of(&world.mail_to("new@example.com").await);
        world.services.change_email(&token, HOME).await.unwrap();
        assert!(!world.holds_beside("eve@example.com", &["mails", "outbox", "one_time_tokens"]).await);
    }

    async fn the_end_of_a_look_is_written_once_however_many_find_out(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        let asked = Asked { user: world.ada.id, address: HOME };
        let ends = async || world.services.team(eve.actor()).await.unwrap().acts.iter().filter(|entry| entry.act == Act::ViewingEnded).count();
        for looks in 1..3 {
            let viewing = world.services.begin_viewing(world.ada.installation_actor(), asked, eve.tenant, "ticket").await.unwrap();
            world.dial.advance_ms(HOUR_MS);
            for ended in join_all((0..4).map(|_| world.services.end_viewing(asked, viewing))).await {
                ended.unwrap();
            }
            assert_eq!(ends().await, looks);
        }
    }

    async fn an_address_that_somebody_took_meanwhile_stays_theirs(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.ask_for_email(world.ada.actor(), "new@example.com", PASSWORD, HOME).await.unwrap();
        let token = world::token_of(&world.mail_to("new@example.com").await);
        world.services.sign_up("new@example.com", OTHER).await.unwrap();
        assert!(matches!(world.services.change_email(&token, HOME).await, Err(OwnEmailError::Taken)));
        assert!(signs_in(&world, "ada@example.com", PASSWORD).await && signs_in(&world, "new@example.com", OTHER).await);
    }

    async fn a_password_is_changed_by_who_knows_it_and_guessing_at_a_desk_takes_time(database: TempDatabase) {
        let world = World::new(database).await;
        let change = |old: &'static str| {
            let (services, ada) = (world.services.clone(), world.ada.clone());
            async move { services.change_password(ada.actor(), &ada.email, (old, OTHER), HOME, None).await }
        };
        for _ in 0..5 {
            assert!(matches!(change("guess").await, Err(ChangePasswordError::Confirm(ConfirmError::Wrong))));
        }
        assert!(matches!(change(PASSWORD).await, Err(ChangePasswordError::Confirm(ConfirmError::TooManyTries { .. }))));
        world.dial.advance_ms(HOUR_MS);
        session_of(&world, world.ada.id).await;
        change(PASSWORD).await.unwrap();
        assert!(world.services.sessions(world.ada.actor()).await.unwrap().is_empty());
        assert!(signs_in(&world, "ada@example.com", OTHER).await);
    }

    async fn of_a_deleted_account_nothing_is_found(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up_from(HOME, "eve@example.com", PASSWORD).await.unwrap();
        let bob = world.services.sign_up("bob@example.com", PASSWORD).await.unwrap();
        let token = world::token_of(&world.mail_to("eve@example.com").await);
        world.services.verify_email(&token, HOME).await.unwrap();
        // Eve is in Ada's team too, and Bob in Eve's.
        world.join(&world.ada, &eve, Role::Member).await;
        world.join(&eve, &bob, Role::Viewer).await;
        let in_adas = world.services.user(eve.id, Some(world.ada.tenant)).await.unwrap().unwrap();
        world.make(&in_adas, "a film for the team").await;
        world.make(&eve, "a film of her own").await;
        world.services.create_key(eve.actor(), "hers", HOME).await.unwrap();
        session_of(&world, eve.id).await;
        let fates = world.services.fates(eve.actor()).await.unwrap();
        let seen: Vec<_> = fates.iter().map(|fate| (fate.goes, fate.other_members, fate.videos, fate.keys)).collect();
        assert_eq!(seen, [(true, 1, 1, 1), (false, 1, 1, 0)]);

        let wrong = world.services.delete_account(eve.actor(), "guess", HOME).await;
        assert!(matches!(wrong, Err(DeleteError::Confirm(ConfirmError::Wrong))), "{wrong:?}");
        world.services.delete_account(eve.actor(), PASSWORD, HOME).await.unwrap();
        assert!(!signs_in(&world, "eve@example.com", PASSWORD).await);
        assert!(world.services.user(eve.id, None).await.unwrap().is_none());
        let bob_now = world.services.user(bob.id, Some(eve.tenant)).await.unwrap().unwrap();
        assert_eq!((bob_now.tenant, bob_now.role), (bob.tenant, Role::Owner), "what was hers is closed to him");
        world.settle().await;
        for text in ["eve@example.com", "a film of her own", &eve.id.uuid().simple().to_string()] {
            assert!(!world.holds(text).await, "{text}");
        }
        // The books stay, and say nothing of anybody.
        assert!(!world.holds_beside(&eve.tenant.uuid().simple().to_string(), &["grants", "ledger_entries", "usage_days"]).await);
        assert!(world.holds("a film for the team").await, "it is the team's");
        world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
    }

    async fn mails_about_somebody_with_a_longer_address_stay(database: TempDatabase) {
        let world = World::new(database).await;
        let (ada, canada) = (world.services.sign_up("ada@example.co", PASSWORD).await.unwrap(), world.services.sign_up("canada@example.co", PASSWORD).await.unwrap());
        for (host, guest) in [(&ada, "bob@example.com"), (&canada, "carol@example.com"), (&world.ada, "dave@example.com")] {
            world.services.invite(host.actor(), guest, Role::Viewer, HOME).await.unwrap();
        }
        assert_eq!(world.mails().await.len(), 3);
        world.services.delete_account(ada.actor(), PASSWORD, HOME).await.unwrap();
        let mut left: Vec<_> = world.mails().await.into_iter().map(|mail| mail.recipient).collect();
        left.sort();
        assert_eq!(left, ["carol@example.com", "dave@example.com"]);
    }

    async fn the_operators_account_stays(database: TempDatabase) {
        let world = World::new(database).await;
        assert!(matches!(world.services.delete_account(world.ada.actor(), PASSWORD, HOME).await, Err(DeleteError::Operator)));
        assert!(signs_in(&world, "ada@example.com", PASSWORD).await);
        let link = world.services.reset_link(Actor::Operator, &world.ada.email).await.unwrap().unwrap();
        let token = link.split_once("token=").unwrap().1;
        world.services.reset_password(token, OTHER, HOME).await.unwrap();
        assert!(signs_in(&world, "ada@example.com", OTHER).await);
    }
}
