//! Teams, mails and roles by the forms that a browser without a script posts.

use crate::harness::{Answer, Customer, Product};
use axum::http::StatusCode;
use domain::{Actor, Clock, Role};
use serde_json::json;
use service::{Asked, KeptMail, Mailer, mail::MailOptions};
use sha2::{Digest, Sha256};
use store::{SystemClock, on_both_engines, testing::Dial};
use tower_sessions::{SessionStore, session::Id};

const PASSWORD: &str = "correct horse battery";

/// Mails, as the operator reads them.
async fn mail_to(product: &Product, address: &str) -> KeptMail {
    let services = product.services().clone().with_mailer(Mailer::new(&MailOptions::default(), "https://video.test".into()));
    services.deliver_events(Actor::System).await.unwrap();
    let mails = services.mails(Actor::Operator).await.unwrap().kept;
    mails.into_iter().find(|mail| mail.recipient == address).unwrap_or_else(|| panic!("no mail to {address}"))
}

fn token_of(mail: &KeptMail) -> String {
    mail.text.split_once("token=").unwrap().1.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn cookies_of(answer: &Answer) -> String {
    let set = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().split(';').next().unwrap().to_owned());
    set.collect::<Vec<_>>().join("; ")
}

/// `guest` joins the team of `host`, and looks at it from then on.
async fn join(product: &Product, host: &Customer, guest: &Customer, role: Role) -> String {
    let cookie = product.cookie(host).await;
    let form = format!("email={}&role={}", guest.user.email, role.as_str());
    assert_eq!(product.post_form(&cookie, "/api/invite", &form).await.header("location"), "/team");
    let token = token_of(&mail_to(product, guest.user.email.as_str()).await);
    let cookie = product.cookie(guest).await;
    let page = product.page(&cookie, &format!("/invitation?token={token}")).await;
    assert!(page.contains("action=\"/api/accept-invitation\""), "{page}");
    let joined = product.post_form(&cookie, "/api/accept-invitation", &format!("token={token}")).await;
    assert_eq!(joined.header("location"), "/team");
    cookie
}

on_both_engines! {
    async fn a_viewer_sees_videos_and_is_refused_all_that_makes_or_removes_them(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let id = product.create(&ada, "a red ball").await;
        let cookie = join(&product, &ada, &eve, Role::Viewer).await;
        let library = product.page(&cookie, "/library").await;
        assert!(library.contains("a red ball") && !library.contains("href=\"/create\"") && !library.contains("/api/delete-video"), "{library}");
        let video = product.page(&cookie, &format!("/videos/{id}")).await;
        assert!(video.contains("a red ball") && !video.contains("/api/cancel-video") && !video.contains("/create?from="), "{video}");
        assert_eq!(product.open(&cookie, "/create").await.header("location"), "/library");
        for page in ["/", "/overview", "/requests"] {
            let page = product.page(&cookie, page).await;
            assert!(page.contains("href=\"/library\"") && !page.contains("href=\"/create") && !page.contains("Make a video"), "{page}");
        }
        for (path, form) in [
            ("/api/delete-video", format!("id={id}")),
            ("/api/cancel-video", format!("id={id}")),
            ("/api/cancel-waiting", String::new()),
            ("/api/create-key", "name=mine".into()),
            ("/api/invite", "email=bob@example.com&role=viewer".into()),
            ("/api/rename-team", "name=mine".into()),
        ] {
            let refused = product.post_form_for("application/json", &cookie, path, &form).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}: {refused:?}");
        }
        for page in ["/keys", "/create?prompt=a+cat", &format!("/videos/{id}/arrange")] {
            assert_eq!(product.open(&cookie, page).await.status, StatusCode::FORBIDDEN, "{page}");
        }
        let role = domain::Membership { tenant: ada.user.tenant, user: eve.user.id, role: Role::Admin };
        product.services().change_role(ada.user.actor(), eve.user.id, Role::Admin, "").await.unwrap();
        let key = product.services().create_key(Actor::User(role), "hers", "").await.unwrap().secret;
        product.services().change_role(ada.user.actor(), eve.user.id, Role::Viewer, "").await.unwrap();
        let program = Customer { user: eve.user, key };
        assert_eq!(product.get(&program, "/v1/videos").await.status, StatusCode::OK);
        let refused = product.post(&program, "/v1/videos", json!({ "prompt": "mine" })).await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::FORBIDDEN, "forbidden"));
    }

    async fn who_is_in_two_teams_switches_and_who_is_removed_is_out_at_once(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve, bob) = (product.customer("ada").await, product.customer("eve").await, product.customer("bob").await);
        product.create(&ada, "a red ball").await;
        product.create(&eve, "a blue ball").await;
        let cookie = join(&product, &ada, &eve, Role::Member).await;
        let both = [("a red ball", "a blue ball", ada.user.tenant), ("a blue ball", "a red ball", eve.user.tenant)];
        for (shown, hidden, tenant) in both.into_iter().rev().chain(both) {
            product.post_form(&cookie, "/api/switch-team", &format!("tenant={tenant}")).await;
            let page = product.page(&cookie, "/library").await;
            assert!(page.contains(shown) && !page.contains(hidden) && page.contains("aria-label=\"Teams\""), "{page}");
        }
        product.post_form(&cookie, "/api/switch-team", &format!("tenant={}", bob.user.tenant)).await;
        assert!(product.page(&cookie, "/library").await.contains("a blue ball"), "another's is not to be chosen");
        product.post_form(&cookie, "/api/switch-team", &format!("tenant={}", ada.user.tenant)).await;
        assert!(product.page(&cookie, "/library").await.contains("a red ball"));
        let owner = product.cookie(&ada).await;
        product.post_form(&owner, "/api/remove-member", &format!("member={}", eve.user.id)).await;
        assert!(!product.page(&cookie, "/library").await.contains("a red ball"));
    }

    async fn a_forgotten_password_is_set_again_without_a_script(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let elsewhere = product.cookie(&ada).await;
        let ask = async |email: &str| {
            let answer = product.post_form("", "/api/forgot-password", &format!("email={email}")).await;
            let page = product.page(&cookies_of(&answer), "/forgot-password").await;
            (answer.status, answer.header("location").to_owned(), page.replace(email, "[address]").contains("If there is an account"))
        };
        assert_eq!(ask("ada@example.com").await, ask("nobody@example.com").await);
        let token = token_of(&mail_to(&product, "ada@example.com").await);
        let page = product.page("", &format!("/reset-password?token={token}")).await;
        assert!(page.contains("ada@example.com") && page.contains("name=\"password\""), "{page}");
        let weak = product.post_form("", "/api/reset-password", &format!("token={token}&password=short")).await;
        assert_eq!(weak.header("location"), format!("/reset-password?token={token}"));
        let page = product.page(&cookies_of(&weak), &format!("/reset-password?token={token}")).await;
        assert!(page.contains("at least 8 characters"), "{page}");
        let set = product.post_form("", "/api/reset-password", &format!("token={token}&password=another+lantern+there")).await;
        assert_eq!(set.header("location"), "/signin");
        assert_eq!(product.open(&elsewhere, "/library").await.header("location"), "/signin?next=/library");
        let page = product.page("", &format!("/reset-password?token={token}")).await;
        assert!(page.contains("has been used"), "{page}");
        for (password, lands) in [(PASSWORD, "/signin?next=/library"), ("another+lantern+there", "/library")] {
            let answer = product.post_form("", "/api/sign-in", &format!("email=ada@example.com&password={password}&next=/library")).await;
            assert_eq!(answer.header("location"), lands);
        }
    }

    async fn mails_are_the_operators_and_run_nothing(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let operator = product.cookie(&ada).await;
        let name = "<img src=x onerror=alert(1)>";
        product.services().rename_team(eve.user.actor(), name, "").await.unwrap();
        product.services().invite(eve.user.actor(), "bob@example.com", Role::Viewer, "").await.unwrap();
        let mail = mail_to(&product, "bob@example.com").await;
        let page = product.page(&operator, "/admin/mail").await;
        assert!(page.contains(&format!("href=\"/mails/{}\"", mail.id)) && page.contains("https://video.test/invitation?token="), "{page}");
        assert!(!page.contains("<img src=x") && !mail.html.contains("<img src=x"), "{page}");
        let shown = product.open(&operator, &format!("/mails/{}", mail.id)).await;
        assert!(shown.status == StatusCode::OK && shown.header("content-security-policy").contains("sandbox"), "{shown:?}");
        let foreign = product.open(&product.cookie(&eve).await, &format!("/mails/{}", mail.id)).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    }

    async fn a_form_of_a_page_of_another_team_changes_nothing(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let cookie = join(&product, &ada, &eve, Role::Admin).await;
        for page in ["/team", "/keys", "/limits"] {
            let page = product.page(&cookie, page).await;
            let forms = page.matches("method=\"post\"").count();
            // The header has forms of its own, about no team; a key is of one team.
            let about_none = ["/api/switch-team\"", "/api/sign-out\"", "/api/revoke-key\"", "/api/rotate-key\""].iter().map(|form| page.matches(form).count()).sum::<usize>();
            let field = format!("<input type=\"hidden\" name=\"tenant\" value=\"{}\"", ada.user.tenant);
            // One is that of the form by which the header switches to this team.
            let fields = page.matches(&field).count() - 1;
            assert!(forms > about_none && fields == forms - about_none, "{forms} {about_none} {fields} {page}");
        }
        product.post_form(&cookie, "/api/switch-team", &format!("tenant={}", eve.user.tenant)).await;
        let key = product.services().list_keys(eve.user.actor()).await.unwrap().remove(0).id;
        for (path, form) in [
            ("/api/rename-team", "name=wrong".to_owned()),
            ("/api/invite", "email=wrong@example.com&role=viewer".into()),
            ("/api/leave-team", String::new()),
            ("/api/change-role", format!("member={}&role=viewer", eve.user.id)),
            ("/api/create-key", "name=wrong".into()),
            ("/api/revoke-key", format!("id={key}")),
            ("/api/rotate-key", format!("id={key}&overlap=1")),
            ("/api/limit-key", format!("id={key}&requests=1")),
            ("/api/create-project", "project=wrong".into()),
            ("/api/set-spending-limits", "spender=team&hard=1".into()),
        ] {
            let refused = product.post_form(&cookie, path, &format!("{form}&tenant={}", ada.user.tenant)).await;
            let page = product.page(&format!("{cookie}; {}", cookies_of(&refused)), refused.header("location").split('#').next().unwrap()).await;
            assert!(page.contains("You have switched teams") && page.matches("wrong").count() <= 1, "{path}: {page}");
        }
        let (services, actor) = (product.services(), eve.user.actor());
        let team = services.team(actor).await.unwrap();
        assert_eq!((&*team.name, team.invitations.len()), ("eve", 0));
        let keys = services.list_keys(actor).await.unwrap();
        assert!(keys.len() == 1 && keys[0].revoked_at.is_none() && keys[0].terms.requests_per_minute.is_none(), "{keys:?}");
        assert_eq!((services.projects(actor).await.unwrap().len(), services.spending(actor).await.unwrap().spending.len()), (1, 0));
        product.post_form(&cookie, "/api/rename-team", &format!("name=right&tenant={}", eve.user.tenant)).await;
        assert_eq!(services.team(actor).await.unwrap().name, "right");
    }

    async fn who_has_a_password_and_no_code_leaves_a_session_of_ten_minutes(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let product = Product::on(database, &dial).await;
        let ada = product.customer("ada").await;
        let (factors, asked) = (product.services().store.second_factors(), Asked { user: ada.user.id, address: "" });
        factors.propose(ada.user.id, "sealed").await.unwrap();
        factors.confirm(asked, 0, &[]).await.unwrap();
        let pending = product.post_form("", "/api/sign-in", &format!("email=ada@example.com&password={PASSWORD}&next=/library")).await;
        let cookies = cookies_of(&pending);
        let id: Id = cookies.split("; ").find_map(|cookie| cookie.strip_prefix("reelmill_session=")).unwrap().parse().unwrap();
        let sessions = product.services().store.sessions();
        assert!(sessions.load(&id).await.unwrap().is_some());
        dial.advance_ms(11 * 60_000);
        assert!(sessions.load(&id).await.unwrap().is_none());
    }

    async fn a_sign_in_that_waits_for_its_code_ends_with_the_password_it_began_with(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let (services, asked) = (product.services(), Asked { user: ada.user.id, address: "" });
        services.set_up_second_factor(&ada.user).await.unwrap();
        let sha256 = Sha256::digest(format!("{}:abcdefghij", ada.user.id)).into();
        services.store.second_factors().confirm(asked, 0, &[sha256]).await.unwrap();
        let sign_in = async |password: &str| {
            let answer = product.post_form("", "/api/sign-in", &format!("email=ada@example.com&password={password}&next=/library")).await;
            assert_eq!(answer.header("location"), "/signin/code");
            cookies_of(&answer)
        };
        let begun = sign_in(PASSWORD).await;
        let change = (PASSWORD, "another lantern there");
        services.change_password(ada.user.actor(), &ada.user.email, change, "", None).await.unwrap();
        let late = product.post_form(&begun, "/api/sign-in-code", "code=abcde-fghij").await;
        assert_eq!(late.header("location"), "/signin?next=/library");
        let page = product.page(&format!("{begun}; {}", cookies_of(&late)), "/signin").await;
        assert!(page.contains("Your password was changed while you signed in."), "{page}");
        assert_eq!(services.second_factor(ada.user.actor()).await.unwrap().recovery_codes_left, 1, "the code is not spent");
        assert_eq!(product.open(&begun, "/library").await.header("location"), "/signin?next=/library");
        let anew = sign_in("another+lantern+there").await;
        assert_eq!(product.post_form(&anew, "/api/sign-in-code", "code=abcde-fghij").await.header("location"), "/library");
    }

    async fn a_form_of_another_site_changes_no_team(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let request = axum::http::Request::post("/api/invite").header("cookie", cookie).header("sec-fetch-site", "cross-site");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let answer = product.send(request.body("email=eve@example.com&role=admin".into()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert!(product.services().team(ada.user.actor()).await.unwrap().invitations.is_empty());
    }
}
