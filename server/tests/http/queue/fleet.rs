//! The page of the fleet: what each worker has, draining one, and what was decided about their number.

use crate::harness::Product;
use axum::http::StatusCode;
use domain::{Clock, Stage, WorkerId, scheduling::Suspects};
use store::{ALIVE_MS, Registration, ScalingDecision, SystemClock, WorkerRole, on_both_engines, testing::Dial};
use uuid::Uuid;

const PAGE: &str = "/admin/fleet";

async fn register(product: &Product, role: WorkerRole, device: &str) -> WorkerId {
    let id = WorkerId::from_uuid(Uuid::now_v7());
    let registration = Registration { memory_bytes: Some(80 << 30), ..Registration::new(role, device, &["vignette-1"]) };
    product.services().store.workers().register(id, registration).await.unwrap();
    id
}

/// The page, with what a form said.
async fn said(product: &Product, cookie: &str, form: &str) -> String {
    let answer = product.post_form(cookie, "/api/drain-worker", form).await;
    assert_eq!(answer.status, StatusCode::FOUND, "{form}");
    let noted = answer.header("set-cookie").split(';').next().unwrap_or_default();
    product.page(&format!("{cookie}; {noted}"), PAGE).await
}

on_both_engines! {
    async fn the_operator_sees_each_worker_with_its_jobs_and_nothing_of_what_they_are_of(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let product = Product::on(database, &dial).await;
        let (operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        let cookie = product.cookie(&operator).await;
        let empty = product.page(&cookie, PAGE).await;
        for expected in ["No worker is there: none runs", "scaling is off", "Nothing has been decided"] {
            assert!(empty.contains(expected), "{expected}: {empty}");
        }

        let silent = register(&product, WorkerRole::Decoder, "an old device").await;
        dial.advance_ms(ALIVE_MS + 1000);
        let me = register(&product, WorkerRole::All, "h100").await;
        let job = product.create(&eve, "a secret of a ball").await;
        let store = &product.services().store;
        store.queue().claim(Stage::Sampling, me, &["vignette-1"], 60_000, Suspects::Take).await.unwrap().unwrap();
        let decision = |workers, wanted, started, reason: &str| ScalingDecision {
            at: dial.now(),
            device: "h100".into(),
            workers,
            wanted,
            started,
            drained: 0,
            reason: reason.into(),
        };
        store.scaling().note(&decision(1, 3, 2, "4 min of work wait")).await.unwrap();
        let page = product.page(&cookie, PAGE).await;
        let (me, silent, job) = (me.to_string(), silent.to_string(), job.to_string());
        for expected in
            [&*me, &silent, &job, "h100", "80.0 GiB", "1 of 4 (25 %)", "step 0 of 24", "1 of vignette-1", "1 → 3", "Started 2", "4 min of work wait", "silent", "80 %"]
        {
            assert!(page.contains(expected), "{expected}: {page}");
        }
        assert!(page.contains(&format!("/admin/requests?id={job}")), "a job leads to its request: {page}");
        assert!(page.contains("It is the last one that takes jobs: no video is made until another does."), "{page}");
        assert!(!page.contains("secret") && !page.contains("could not be read"), "{page}");
        assert_eq!(page.matches("data-opens=\"drain-worker_").count(), 1, "only who lives is drained: {page}");

        let drained = said(&product, &cookie, &format!("worker={me}")).await;
        assert!(drained.contains("takes no more jobs, and ends") && drained.contains("draining, busy"), "{drained}");
        assert!(drained.contains(&format!("drained, as the operator of this installation, the worker {me} (h100)")), "{drained}");
        assert!(said(&product, &cookie, &format!("worker={me}")).await.contains("was asked before"));
        let nobody = WorkerId::from_uuid(Uuid::now_v7());
        assert!(said(&product, &cookie, &format!("worker={nobody}")).await.contains("is gone. Nothing was changed."));
        let malformed = product.post_form_for("application/json", &cookie, "/api/drain-worker", "worker=all").await;
        assert_eq!(malformed.status, StatusCode::BAD_REQUEST);
        let log = store.accounts().audit_log(operator.user.id, 10).await.unwrap();
        assert_eq!(log.iter().filter(|entry| entry.act == domain::Act::WorkerDrained).count(), 1, "{log:?}");
    }

    async fn nobody_else_sees_or_drains_a_worker(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        let me = register(&product, WorkerRole::All, "h100").await;
        let cookie = product.cookie(&eve).await;
        assert_eq!(product.open(&cookie, PAGE).await.status, StatusCode::NOT_FOUND);
        assert_eq!(product.open("", PAGE).await.status, StatusCode::FOUND);
        for cookie in [&*cookie, ""] {
            let answer = product.post_form_for("application/json", cookie, "/api/drain-worker", &format!("worker={me}")).await;
            assert!(answer.status.is_client_error(), "{answer:?}");
        }
        assert_eq!(product.services().store.operator().fleet().await.unwrap()[0].draining_since, None);
    }
}
