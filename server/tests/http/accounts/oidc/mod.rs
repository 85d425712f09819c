//! Signing in by an OpenID provider: who gets in, and as whom.

mod linking;
mod provider;

use crate::harness::{Answer, Product};
use axum::{Router, extract::Request as HttpRequest, http::StatusCode, response::Redirect};
use domain::Actor;
use provider::{ADA, CALLBACK, CLIENT, ORIGIN, Person, Provider, Request, Signed, options};
use serde_json::{Value, json};
use service::User;
use std::{cell::RefCell, collections::BTreeMap};
use store::{on_both_engines, testing::TempDatabase};
use tokio::net::TcpListener;

const PASSWORD: &str = "correct horse battery";

/// A product that knows a provider.
struct Installation {
    product: Product,
    provider: Provider,
}

/// A browser that keeps what it is told to.
struct Browser<'a> {
    product: &'a Product,
    provider: &'a Provider,
    cookies: RefCell<BTreeMap<String, String>>,
}

impl Installation {
    async fn new(database: TempDatabase) -> Self {
        let provider = Provider::start().await;
        let product = Product::new(database).await.changed(|services| services.with_oidc(&provider.options(), ORIGIN).unwrap());
        // The first account of all is the operator's.
        product.customer("operator").await;
        Self { product, provider }
    }

    fn browser(&self) -> Browser<'_> {
        Browser { product: &self.product, provider: &self.provider, cookies: RefCell::default() }
    }

    async fn user(&self, email: &str) -> Option<User> {
        self.product.services().user_by_email(Actor::Operator, &email.parse().unwrap()).await.unwrap()
    }
}

impl Browser<'_> {
    fn cookie(&self) -> String {
        self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn session(&self) -> String {
        self.cookies.borrow().get("reelmill_session").cloned().unwrap_or_default()
    }

    fn keep(&self, answer: Answer) -> Answer {
        for set in answer.headers.get_all("set-cookie") {
            let (name, value) = set.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
        }
        answer
    }

    async fn open(&self, path: &str) -> Answer {
        self.keep(self.product.open(&self.cookie(), path).await)
    }

    async fn page(&self, path: &str) -> String {
        let answer = self.open(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
        text(&answer)
    }

    async fn post(&self, path: &str, form: &str) -> Answer {
        self.keep(self.product.post_form(&self.cookie(), path, form).await)
    }

    async fn sign_in(&self, email: &str) {
        let answer = self.post("/api/sign-in", &format!("email={email}&password={PASSWORD}")).await;
        assert_eq!(answer.header("location"), "/create");
    }

    /// Goes to the provider.
    async fn set_out(&self, path: &str) -> Request {
        let answer = self.open(path).await;
        assert_eq!(answer.status, StatusCode::FOUND, "{answer:?}");
        assert!(answer.header("location").starts_with(&format!("{}/authorize?", self.provider.issuer())), "{answer:?}");
        Request::of(answer.header("location"))
    }

    /// Comes back from there.
    async fn come_back(&self, request: &Request, code: &str) -> Answer {
        self.open(&format!("/signin/oidc/callback?code={code}&state={}", request.get("state"))).await
    }

    /// There and back.
    async fn pass(&self, path: &str, person: &Person) -> Answer {
        let request = self.set_out(path).await;
        self.come_back(&request, &self.provider.admit(&request, person)).await
    }

    async fn is_signed_in(&self) -> bool {
        self.open("/library").await.status == StatusCode::OK
    }
}

/// Without the marks between texts.
fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).replace("<!>", "")
}

on_both_engines! {
    async fn somebody_signs_up_and_in_again_and_comes_back_to_where_they_were(database: TempDatabase) {
        let installation = Installation::new(database).await;
        let browser = installation.browser();
        for door in ["/signin", "/signup"] {
            let page = browser.page(&format!("{door}?next=/create%3Fprompt%3Da")).await;
            assert!(page.contains("Continue with Example ID") && page.contains("/signin/oidc?next=/create%3Fprompt%3Da"), "{page}");
        }
        let request = browser.set_out("/signin/oidc?next=/create%3Fprompt%3Da").await;
        let asked = ["response_type", "client_id", "redirect_uri", "scope", "code_challenge_method"].map(|name| request.get(name).to_owned());
        assert_eq!(asked, ["code", CLIENT, CALLBACK, "openid email profile", "S256"]);
        assert!(request.get("state").len() >= 43 && request.get("nonce").len() >= 43 && request.get("state") != request.get("nonce"));
        let before = browser.session();
        let answer = browser.come_back(&request, &installation.provider.admit(&request, &ADA)).await;
        assert_eq!((answer.status, answer.header("location")), (StatusCode::FOUND, "/create?prompt=a"), "{answer:?}");
        assert!(!before.is_empty() && browser.session() != before, "the session has a new name");
        let user = installation.user("ada@example.com").await.unwrap();
        assert!(user.is_verified && !user.is_operator);
        let page = browser.page("/security").await;
        assert!(page.contains("Sign-in with <bdi>Example ID</bdi>") && page.contains("</strong> has none.") && page.contains("Linked the sign-in by"), "{page}");

        browser.post("/api/sign-out", "").await;
        assert!(!browser.is_signed_in().await);
        // Whatever the provider says of the address later.
        let moved = Person { email: "ada@elsewhere.example", is_verified: false, ..ADA };
        assert_eq!(browser.pass("/signin/oidc", &moved).await.header("location"), "/create");
        assert!(browser.is_signed_in().await && installation.user("ada@elsewhere.example").await.is_none());
        // Nobody is led off this server, and who is signed in already needs no provider.
        assert_eq!(browser.open("/signin/oidc?next=//evil.example").await.header("location"), "/create");
    }

    async fn a_token_that_is_not_the_providers_word_lets_nobody_in(database: TempDatabase) {
        let installation = Installation::new(database).await;
        type Change = fn(&mut Value);
        let hostile: [(&str, Signed, Change); 11] = [
            ("another audience", Signed::Properly, |claims| claims["aud"] = json!("somebody else")),
            ("more audiences", Signed::Properly, |claims| claims["aud"] = json!([CLIENT, "somebody else"])),
            ("another issuer", Signed::Properly, |claims| claims["iss"] = json!("https://evil.example")),
            ("another nonce", Signed::Properly, |claims| claims["nonce"] = json!("replayed")),
            ("no nonce", Signed::Properly, |claims| { claims.as_object_mut().unwrap().remove("nonce"); }),
            ("expired", Signed::Properly, |claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 1)),
            ("no expiry", Signed::Properly, |claims| { claims.as_object_mut().unwrap().remove("exp"); }),
            ("no subject", Signed::Properly, |claims| { claims.as_object_mut().unwrap().remove("sub"); }),
            ("another key", Signed::ByAnotherKey, |_| ()),
            ("the client's secret", Signed::BySecret, |_| ()),
            ("no signature", Signed::Not, |_| ()),
        ];
        for (what, signed, change) in hostile {
            let browser = installation.browser();
            let request = browser.set_out("/signin/oidc").await;
            let code = installation.provider.admit_with(&request, &ADA, signed, change);
            let answer = browser.come_back(&request, &code).await;
            assert!(answer.status.is_client_error() || answer.status == StatusCode::SERVICE_UNAVAILABLE, "{what}: {answer:?}");
            assert!(text(&answer).contains("Try again") && text(&answer).contains("Sign in with a password"), "{what}: {}", text(&answer));
            assert!(!browser.is_signed_in().await, "{what}");
        }
        assert!(installation.user("ada@example.com").await.is_none());
        // A new key of the provider's own is looked up.
        let browser = installation.browser();
        assert_eq!(browser.pass("/signin/oidc", &ADA).await.header("location"), "/create");
        installation.provider.change_key();
        let browser = installation.browser();
        assert_eq!(browser.pass("/signin/oidc", &ADA).await.header("location"), "/create");
    }

    async fn who_comes_back_is_let_in_once_and_by_the_browser_that_set_out(database: TempDatabase) {
        let installation = Installation::new(database).await;
        let (browser, other) = (installation.browser(), installation.browser());
        let request = browser.set_out("/signin/oidc?next=/plan").await;
        let code = installation.provider.admit(&request, &ADA);
        for (who, path) in [
            (&other, format!("/signin/oidc/callback?code={code}&state={}", request.get("state"))),
            (&browser, format!("/signin/oidc/callback?code={code}&state=guessed")),
            (&browser, format!("/signin/oidc/callback?code={code}")),
            (&browser, "/signin/oidc/callback".into()),
        ] {
            let answer = who.open(&path).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
            assert!(text(&answer).contains("This sign-in is over") && text(&answer).contains("href=\"/signin\""), "{}", text(&answer));
        }
        // Another tab does not disturb it.
        browser.set_out("/signin/oidc").await;
        assert_eq!(browser.come_back(&request, &code).await.header("location"), "/plan");
        assert_eq!(browser.come_back(&request, &code).await.status, StatusCode::BAD_REQUEST, "a second time");
        assert!(browser.is_signed_in().await, "and stays in");

        for (query, says) in [
            ("error=access_denied", "you did not agree"),
            ("error=server_error&error_description=%3Cscript%3E", "did not say who you are"),
            ("code=code-0&iss=https://evil.example", "did not say who you are"),
            ("code=made-up", "could not be checked"),
            ("", "did not say who you are"),
        ] {
            let state = other.set_out("/signin/oidc?next=/plan").await;
            let answer = other.open(&format!("/signin/oidc/callback?state={}&{query}", state.get("state"))).await;
            let said = text(&answer);
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
            assert!(said.contains(says) && said.contains("/signin/oidc?next=/plan") && said.contains("/signin?next=/plan") && !said.contains("<script>&"), "{query}: {said}");
            assert!(!other.is_signed_in().await, "{query}");
        }
    }

    async fn an_account_is_made_only_for_an_address_that_the_provider_confirms(database: TempDatabase) {
        let installation = Installation::new(database).await;
        for person in [Person { is_verified: false, ..ADA }, Person { email: "nonsense", ..ADA }] {
            let browser = installation.browser();
            let answer = browser.pass("/signin/oidc", &person).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN);
            assert!(text(&answer).contains("does not confirm that your email address is yours"), "{}", text(&answer));
            assert!(!browser.is_signed_in().await);
        }
        assert!(installation.user("ada@example.com").await.is_none());
        // Many say it beside the token.
        let browser = installation.browser();
        let request = browser.set_out("/signin/oidc").await;
        let code = installation.provider.admit_with(&request, &ADA, Signed::Properly, |claims| {
            claims.as_object_mut().unwrap().retain(|name, _| !name.starts_with("email"));
        });
        assert_eq!(browser.come_back(&request, &code).await.header("location"), "/create");
        assert!(installation.user("ada@example.com").await.is_some());
        // And some say it in words.
        let (browser, eve) = (installation.browser(), Person { subject: "eve-1", email: "eve@example.com", is_verified: true });
        let request = browser.set_out("/signin/oidc").await;
        let code = installation.provider.admit_with(&request, &eve, Signed::Properly, |claims| claims["email_verified"] = json!("true"));
        assert_eq!(browser.come_back(&request, &code).await.header("location"), "/create");
    }

    async fn without_a_provider_there_is_nothing_and_one_that_is_away_is_found_later(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for path in ["/signin/oidc", "/signin/oidc/callback?code=1&state=2", "/security/link", "/security/unlink"] {
            assert_eq!(product.open(&cookie, path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert!(!product.page("", "/signin").await.contains("Continue with") && !product.page(&cookie, "/security").await.contains("Sign-in with"));

        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let product = product.changed(|services| services.with_oidc(&options(&format!("http://{address}")), ORIGIN).unwrap());
        product.services().find_oidc_provider().await;
        let answer = product.open("", "/signin/oidc?next=/plan").await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(text(&answer).contains("Example ID is away") && text(&answer).contains("/signin?next=/plan"), "{}", text(&answer));
        // What leads elsewhere is not followed.
        let elsewhere = Provider::start().await;
        let leading = Router::new().fallback(move |request: HttpRequest| {
            let to = format!("{}{}", elsewhere.issuer(), request.uri());
            async move { Redirect::temporary(&to) }
        });
        let listener = TcpListener::bind(address).await.unwrap();
        let led = tokio::spawn(async move { axum::serve(listener, leading).await.unwrap() });
        assert_eq!(product.open("", "/signin/oidc").await.status, StatusCode::SERVICE_UNAVAILABLE);
        led.abort();
        assert!(led.await.unwrap_err().is_cancelled());
        let provider = Provider::start_on(TcpListener::bind(address).await.unwrap());
        let browser = Browser { product: &product, provider: &provider, cookies: RefCell::default() };
        let eve = Person { subject: "eve-1", email: "eve@example.com", is_verified: true };
        assert_eq!(browser.pass("/signin/oidc?next=/plan", &eve).await.header("location"), "/plan");
    }
}
