//! An operator looks at a tenant's pages: for a reason, for half an hour, and in both their logs.

use crate::harness::Product;
use axum::http::StatusCode;
use domain::{Act, Clock};
use store::{SystemClock, on_both_engines, testing::Dial};

const MINUTE_MS: i64 = 60_000;

on_both_engines! {
    async fn a_look_needs_a_reason_is_said_on_every_page_and_stands_in_both_logs(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (product.customer("operator").await, product.customer("eve").await);
        product.create(&eve, "a secret lantern").await;
        let (cookie, tenant) = (product.cookie(&operator).await, eve.user.tenant);
        let tenants = product.page(&cookie, "/admin/tenants").await;
        assert_eq!(tenants.matches("action=\"/api/begin-viewing\"").count(), 1, "of her own team there is nothing to look at: {tenants}");
        let refused = product.post_form(&cookie, "/api/begin-viewing", &format!("tenant={tenant}&reason=++")).await;
        assert_eq!(refused.header("location"), "/admin/tenants");
        assert!(!product.page(&cookie, "/library").await.contains("a secret lantern"));

        let begun = product.post_form(&cookie, "/api/begin-viewing", &format!("tenant={tenant}&reason=ticket+17")).await;
        assert_eq!(begun.header("location"), "/library");
        let library = product.page(&cookie, "/library").await;
        assert!(library.contains("a secret lantern") && !library.contains("/api/delete-video"), "{library}");
        for page in ["/library", "/team", "/plan", "/usage", "/pricing", "/reference"] {
            let page = product.page(&cookie, page).await;
            assert!(page.contains("/api/end-viewing") && page.contains("Nothing can be changed"), "{page}");
        }
        let team = product.page(&cookie, "/team").await;
        assert!(team.contains("A team of 1.") && !team.contains("Leave this team"), "{team}");
        let hidden = product.open(&cookie, "/admin/tenants").await;
        let text = String::from_utf8_lossy(&hidden.body).into_owned();
        assert!(hidden.status == StatusCode::NOT_FOUND && text.contains("once you end the view"), "{text}");
        let refused = product.post_form(&cookie, "/api/rename-team", "name=mine").await;
        let text = String::from_utf8_lossy(&refused.body).into_owned();
        assert!(refused.status == StatusCode::FORBIDDEN && text.contains("nothing can be changed"), "{text}");

        let ended = product.post_form(&cookie, "/api/end-viewing", "").await;
        assert_eq!(ended.header("location"), "/admin/tenants");
        assert!(!product.page(&cookie, "/library").await.contains("a secret lantern"));
        let acts = |acts: Vec<service::AuditEntry>| -> Vec<_> { acts.into_iter().map(|entry| (entry.act, entry.user, entry.subject)).collect() };
        let who = Some("operator@example.com".to_owned());
        let theirs = acts(product.services().team(eve.user.actor()).await.unwrap().acts);
        assert_eq!(theirs[..2], [(Act::ViewingEnded, who.clone(), String::new()), (Act::ViewingBegan, who.clone(), "ticket 17".into())]);
        assert!(product.page(&product.cookie(&eve).await, "/team").await.contains("ticket 17"));
        let own = acts(product.services().own_acts(operator.user.actor()).await.unwrap());
        assert_eq!(own[..2], [(Act::ViewingEnded, who.clone(), "eve".into()), (Act::ViewingBegan, who, "eve: ticket 17".into())]);
    }

    async fn a_look_is_over_after_half_an_hour_and_changes_nothing_until_that_is_seen(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let product = Product::on(database, &dial).await;
        let (operator, eve) = (product.customer("operator").await, product.customer("eve").await);
        let cookie = product.cookie(&operator).await;
        let form = format!("tenant={}&reason=ticket", eve.user.tenant);
        product.post_form(&cookie, "/api/begin-viewing", &form).await;
        dial.advance_ms(30 * MINUTE_MS - 1);
        assert!(product.page(&cookie, "/team").await.contains("/api/end-viewing"));
        dial.advance_ms(1);
        let late = product.post_form_for("application/json", &cookie, "/api/rename-team", "name=mine").await;
        assert_eq!(late.status, StatusCode::FORBIDDEN, "the page it comes from was another team's");
        assert!(!product.page(&cookie, "/team").await.contains("/api/end-viewing"));
        let acts = product.services().team(eve.user.actor()).await.unwrap().acts;
        assert_eq!(acts[0].act, Act::ViewingEnded);
        let own = product.post_form_for("application/json", &cookie, "/api/rename-team", "name=mine").await;
        assert_eq!(own.status, StatusCode::OK);
    }

    async fn signing_out_ends_both_and_others_begin_nothing(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (product.customer("operator").await, product.customer("eve").await);
        let cookie = product.cookie(&operator).await;
        let form = format!("tenant={}&reason=ticket", eve.user.tenant);
        product.post_form(&cookie, "/api/begin-viewing", &form).await;
        product.post_form(&cookie, "/api/sign-out", "").await;
        assert_eq!(product.open(&cookie, "/library").await.header("location"), "/signin?next=/library");
        assert_eq!(product.services().team(eve.user.actor()).await.unwrap().acts[0].act, Act::ViewingEnded);
        let own = format!("tenant={}&reason=mine", operator.user.tenant);
        let refused = product.post_form_for("application/json", &product.cookie(&eve).await, "/api/begin-viewing", &own).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND);
        assert!(product.services().team(operator.user.actor()).await.unwrap().acts.iter().all(|entry| entry.act != Act::ViewingBegan));
    }
}
