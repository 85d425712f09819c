//! An identity at the provider belongs to one account: linked by its owner alone, and never the last way in that is taken away.

use super::{ADA, Browser, Installation, PASSWORD, Person, text};
use crate::harness::{Answer, Product};
use axum::http::StatusCode;
use domain::{Act, Actor, Role};
use service::{Asked, KeptMail, Mailer, mail::MailOptions};
use store::{TurnedOn, on_both_engines};

const EVE: Person = Person { subject: "eve-1", email: "eve@example.com", is_verified: true };

/// Mails to somebody, the newest first, as the operator reads them.
async fn mails_to(product: &Product, address: &str) -> Vec<KeptMail> {
    let services = product.services().clone().with_mailer(Mailer::new(&MailOptions::default(), super::ORIGIN.into()));
    services.deliver_events(Actor::System).await.unwrap();
    let mails = services.mails(Actor::Operator).await.unwrap().kept;
    mails.into_iter().filter(|mail| mail.recipient == address).collect()
}

fn token_of(mail: &KeptMail) -> String {
    mail.text.split_once("token=").unwrap().1.chars().take_while(char::is_ascii_alphanumeric).collect()
}

/// Links who is signed in.
async fn link(browser: &Browser<'_>, person: &Person) -> Answer {
    let allowed = browser.post("/api/allow-linking", &format!("current={PASSWORD}")).await;
    assert_eq!(allowed.header("location"), "/security/link");
    assert!(browser.page("/security/link").await.contains("/signin/oidc?link"));
    browser.pass("/signin/oidc?link", person).await
}

on_both_engines! {
    async fn an_account_with_the_address_is_not_taken_over_but_linked_by_who_has_its_password(database: TempDatabase) {
        let installation = Installation::new(database).await;
        let ada = installation.product.customer("ada").await;
        let stranger = installation.browser();
        let answer = stranger.pass("/signin/oidc", &ADA).await;
        assert_eq!(answer.status, StatusCode::CONFLICT);
        assert!(text(&answer).contains("There is an account with the address ada@example.com already") && text(&answer).contains("/signin?next=/security/link"));
        assert!(!stranger.is_signed_in().await);

        let browser = installation.browser();
        browser.sign_in("ada@example.com").await;
        assert_eq!(browser.open("/signin/oidc?link").await.header("location"), "/security/link", "the password is asked for first");
        browser.post("/api/allow-linking", "current=guess").await;
        assert!(browser.page("/security/link").await.contains("That is not your password."));
        assert_eq!(browser.open("/signin/oidc?link").await.header("location"), "/security/link");
        assert_eq!(link(&browser, &ADA).await.header("location"), "/security");
        let page = browser.page("/security").await;
        assert!(page.contains("as ada@example.com") && page.contains("Linked the sign-in by"), "{page}");
        let mails = mails_to(&installation.product, "ada@example.com").await;
        assert!(mails.iter().any(|mail| mail.subject == "Example ID was linked to your account"), "{mails:?}");
        assert_eq!(browser.open("/signin/oidc?link").await.header("location"), "/security/link", "one password, one link");

        assert_eq!(stranger.pass("/signin/oidc", &ADA).await.header("location"), "/create");
        assert!(stranger.page("/security").await.contains("ada@example.com"));
        // It belongs to one account, and the account has one of them.
        installation.product.customer("bob").await;
        let bob = installation.browser();
        bob.sign_in("bob@example.com").await;
        let refused = link(&bob, &ADA).await;
        assert!(refused.status == StatusCode::CONFLICT && text(&refused).contains("is linked to another account here"));
        let again = browser.post("/api/allow-linking", &format!("current={PASSWORD}")).await;
        assert_eq!(again.header("location"), "/security/link");
        let second = browser.pass("/signin/oidc?link", &EVE).await;
        assert!(second.status == StatusCode::CONFLICT && text(&second).contains("is linked to another identity"), "{second:?}");

        browser.post("/api/unlink-identity", "current=guess").await;
        assert!(browser.page("/security/unlink").await.contains("That is not your password."));
        assert_eq!(browser.post("/api/unlink-identity", &format!("current={PASSWORD}")).await.header("location"), "/security");
        assert!(browser.page("/security").await.contains("Not linked."));
        assert_eq!(installation.browser().pass("/signin/oidc", &ADA).await.status, StatusCode::CONFLICT);
        let acts: Vec<_> = installation.product.services().own_acts(ada.user.actor()).await.unwrap().iter().map(|entry| entry.act).collect();
        assert_eq!(acts, [Act::IdentityUnlinked, Act::IdentityLinked]);
    }

    async fn an_account_links_nothing_before_its_address_is_confirmed(database: TempDatabase) {
        let installation = Installation::new(database).await;
        installation.product.services().sign_up_from("198.51.100.7", "ada@example.com", PASSWORD).await.unwrap();
        let browser = installation.browser();
        browser.sign_in("ada@example.com").await;
        let refused = link(&browser, &EVE).await;
        assert!(refused.status == StatusCode::FORBIDDEN && text(&refused).contains("Confirm the email address of your account first"), "{refused:?}");
        assert_eq!(installation.browser().pass("/signin/oidc", &EVE).await.header("location"), "/create", "she has an account of her own");
    }

    async fn a_way_back_for_a_link_is_worth_nothing_to_who_signed_in_meanwhile(database: TempDatabase) {
        let installation = Installation::new(database).await;
        installation.product.customer("ada").await;
        installation.product.customer("bob").await;
        let browser = installation.browser();
        browser.sign_in("ada@example.com").await;
        browser.post("/api/allow-linking", &format!("current={PASSWORD}")).await;
        let request = browser.set_out("/signin/oidc?link").await;
        browser.sign_in("bob@example.com").await;
        let answer = browser.come_back(&request, &installation.provider.admit(&request, &EVE)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(browser.page("/security").await.contains("Not linked."));
    }

    async fn the_last_way_in_stays_until_a_password_is_set_by_mail(database: TempDatabase) {
        let installation = Installation::new(database).await;
        let browser = installation.browser();
        assert_eq!(browser.pass("/signin/oidc", &ADA).await.header("location"), "/create");
        assert!(browser.page("/security/unlink").await.contains("is your only way in"));
        for (path, form, page) in [
            ("/api/unlink-identity", "current=x", "/security/unlink"),
            ("/api/delete-account", "current=x", "/account/delete"),
            ("/api/ask-for-email", "new_email=a@example.com&email_password=x", "/security"),
        ] {
            assert_eq!(browser.post(path, form).await.header("location"), page);
            assert!(browser.page("/security").await.contains("Have a link mailed to set one"), "{path}");
        }
        assert!(installation.browser().pass("/signin/oidc", &ADA).await.header("location") == "/create", "nothing was unlinked");
        // An empty password is none.
        for password in ["", "x", PASSWORD] {
            let answer = installation.browser().post("/api/sign-in", &format!("email=ada@example.com&password={password}")).await;
            assert!(answer.header("location").starts_with("/signin"), "{password}: {answer:?}");
        }

        browser.post("/api/forgot-password", "email=ada@example.com").await;
        let token = token_of(&mails_to(&installation.product, "ada@example.com").await[0]);
        let set = browser.post("/api/reset-password", &format!("token={token}&password={PASSWORD}")).await;
        assert_eq!(set.header("location"), "/signin", "{set:?}");
        let browser = installation.browser();
        browser.sign_in("ada@example.com").await;
        assert!(browser.page("/security").await.contains("as ada@example.com"), "the identity stays");
        assert_eq!(browser.post("/api/unlink-identity", &format!("current={PASSWORD}")).await.header("location"), "/security");
        assert_eq!(link(&browser, &ADA).await.header("location"), "/security");
        // With the account the identity goes.
        assert_eq!(browser.post("/api/delete-account", &format!("current={PASSWORD}")).await.header("location"), "/");
        let before = installation.user("ada@example.com").await;
        assert!(before.is_none() && installation.browser().pass("/signin/oidc", &ADA).await.header("location") == "/create");
        assert!(installation.user("ada@example.com").await.is_some(), "a new one");
    }

    async fn the_second_factor_is_asked_for_and_an_invitation_is_come_back_to(database: TempDatabase) {
        let installation = Installation::new(database).await;
        let host = installation.product.customer("host").await;
        let services = installation.product.services();
        services.invite(host.user.actor(), "ada@example.com", Role::Member, "").await.unwrap();
        let invitation = format!("/invitation?token={}", token_of(&mails_to(&installation.product, "ada@example.com").await[0]));
        let browser = installation.browser();
        let way = "/signin/oidc?next=/invitation%3Ftoken%3D";
        assert!(browser.page(&invitation).await.contains(way));
        let way = format!("{way}{}", invitation.split_once('=').unwrap().1);
        assert_eq!(browser.pass(&way, &ADA).await.header("location"), invitation);
        assert!(browser.page(&invitation).await.contains("/api/accept-invitation"));
        let joined = browser.post("/api/accept-invitation", invitation.split_once('?').unwrap().1).await;
        assert_eq!(joined.header("location"), "/team");
        assert!(browser.page("/team").await.contains("host@example.com"));

        let ada = installation.user("ada@example.com").await.unwrap();
        let factors = services.store.second_factors();
        assert_eq!(factors.propose(ada.id, "sealed").await.unwrap(), TurnedOn::Done);
        assert_eq!(factors.confirm(Asked { user: ada.id, address: "" }, 1, &[]).await.unwrap(), TurnedOn::Done);
        let browser = installation.browser();
        assert_eq!(browser.pass("/signin/oidc?next=/plan", &ADA).await.header("location"), "/signin/code");
        assert!(!browser.is_signed_in().await, "before the code");
        assert!(browser.page("/signin/code").await.contains("One more step"));
    }
}
