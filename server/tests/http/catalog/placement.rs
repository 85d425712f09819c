//! The operator's page of models: where they are, and how long they stay.

use crate::{harness::Product, process::reelmill};
use axum::http::StatusCode;
use domain::{Act, Timestamp, WorkerId};
use store::{
    DesiredModel, HeldState, ModelReport, ModelRule, ModelsReport, PlacementChange, Registration, SpareTime, WorkerCondition, WorkerRole,
    on_both_engines,
};
use uuid::Uuid;

const PAGE: &str = "/admin/models";

fn report(state: HeldState) -> ModelsReport {
    let (since_ms, used_ms) = (5000, 1000);
    let model = ModelReport {
        model: "vignette-1".into(),
        memory_bytes: 28_000_000,
        state,
        since_ms,
        used_ms,
        running: 0,
        load_ms: None,
        failed: None,
    };
    ModelsReport { memory_max_bytes: Some(76_000_000), models: vec![model] }
}

on_both_engines! {
    async fn the_operator_sees_where_models_are_and_what_was_decided(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (cookie, others) = (product.cookie(&operator).await, product.cookie(&eve).await);
        assert_eq!(product.open(&others, PAGE).await.status, StatusCode::NOT_FOUND);
        assert_eq!(product.open("", PAGE).await.status, StatusCode::FOUND, "strangers sign in first");
        let empty = product.page(&cookie, PAGE).await;
        for said in ["vignette-1", "nowhere", "No worker has a model in its memory.", "No worker has loaded a model yet.", "Nothing was loaded or unloaded"] {
            assert!(empty.contains(said), "{said}: {empty}");
        }
        let (me, store) = (WorkerId::from_uuid(Uuid::now_v7()), &product.services().store);
        store.workers().register(me, Registration::new(WorkerRole::All, "h100", &["vignette-1"])).await.unwrap();
        let loading = report(HeldState::Loading { permille: 412 });
        store.workers().report(me, WorkerCondition::Working, SpareTime::default(), &loading).await.unwrap();
        store.placement().note_load(("vignette-1", "h100"), 12_500, 28_000_000).await.unwrap();
        let (model, reason, device) = ("vignette-1".to_owned(), "pinned on 1 worker".to_owned(), "h100".to_owned());
        let desired = DesiredModel { model: model.clone(), reason: reason.clone(), load_ms: 12_500 };
        let change = PlacementChange { at: Timestamp::from_ms(0), worker: me, device, model, is_load: true, reason: "7 s of <b>work</b> wait".into() };
        store.placement().decide(me, &[desired], &[change]).await.unwrap();
        product.create(&eve, "a red ball").await;
        let page = product.page(&cookie, PAGE).await;
        for said in ["loading on 1", "loading, 41 %", "28 MB", "12.5 s", "pinned on 1 worker", "7 s of &lt;b&gt;work&lt;/b&gt; wait", "after 15 min unused"] {
            assert!(page.contains(said), "{said}: {page}");
        }
        let failed = report(HeldState::Failed { problem: "no weights there".into() });
        store.workers().report(me, WorkerCondition::Working, SpareTime::default(), &failed).await.unwrap();
        let page = product.page(&cookie, PAGE).await;
        assert!(page.contains("could not be loaded") && page.contains("no weights there"), "{page}");
    }

    async fn a_rule_is_changed_on_the_page_and_what_cannot_be_read_is_said_at_its_field(database: TempDatabase) {
        let product = Product::new(database).await;
        let cookie = product.cookie(&product.customer("ada").await).await;
        let rule = async || product.services().store.placement().rules().await.unwrap().get("vignette-1").copied();
        assert!(product.page(&cookie, "/admin/models?model=vignette-1").await.contains("Change Vignette"));
        assert!(product.page(&cookie, "/admin/models?model=none-1").await.contains("There is no such model."));
        let post = async |form: &str| {
            let answer = product.post_form(&cookie, "/api/place-model", form).await;
            assert_eq!(answer.status, StatusCode::FOUND, "{form}");
            let noted = answer.header("set-cookie").split(';').next().unwrap_or_default();
            let shown = answer.header("location").split('#').next().unwrap_or_default();
            product.page(&format!("{cookie}; {noted}"), shown).await
        };
        for (form, field, said) in [
            ("model=vignette-1&pinned=many&keep_warm=15", "pinned", "Give a number of workers from 0 to 10,000"),
            ("model=vignette-1&pinned=1&keep_warm=a+while", "keep_warm", "Give whole minutes from 0 to 525,600, or the word never"),
        ] {
            let page = post(form).await;
            assert!(page.contains(&format!("id=\"{field}-error\"")) && page.contains(said), "{form}: {page}");
            assert!(page.contains("aria-invalid=\"true\"") && page.contains("Nothing was changed."), "{page}");
        }
        assert!(post("model=vignette-1&pinned=7&keep_warm=a+while").await.contains("value=\"7\""), "what was typed stays");
        assert!(post("model=none-1&pinned=1&keep_warm=15").await.contains("There is no model <code>none-1<"));
        assert_eq!(rule().await, None);
        assert!(post("model=vignette-1&pinned=2&keep_warm=never").await.contains("Workers follow within seconds"));
        assert_eq!(rule().await, Some(ModelRule { pinned_workers: 2, keep_warm_ms: None }));
        let page = product.page(&cookie, PAGE).await;
        assert!(page.contains("2 workers") && page.contains("never, while there is room"), "{page}");
        let security = product.page(&cookie, "/security").await;
        let act = &Act::ModelPlaced.words()[1..];
        assert!(security.contains(act) && security.contains("vignette-1: pinned on 2 workers"), "it is in the log of who did it: {security}");
    }

    async fn a_rule_is_changed_on_the_command_line(database: TempDatabase) {
        let product = Product::new(database).await;
        let admin = async |words: &[&str]| {
            let done = reelmill(&product, &[&["admin", "model"][..], words].concat()).await;
            (done.status.success(), String::from_utf8(done.stderr).unwrap())
        };
        let rule = async || product.services().store.placement().rules().await.unwrap()["vignette-1"];
        assert!(admin(&["pin", "--model", "vignette-1", "--workers", "3"]).await.0);
        assert_eq!(rule().await, ModelRule { pinned_workers: 3, keep_warm_ms: Some(900_000) });
        assert!(admin(&["keep-warm", "--model", "vignette-1", "--minutes", "never"]).await.0);
        assert_eq!(rule().await, ModelRule { pinned_workers: 3, keep_warm_ms: None });
        for words in [["pin", "--model", "vignette-1", "--workers", "x"], ["keep-warm", "--model", "none-1", "--minutes", "1"]] {
            let (done, complaint) = admin(&words).await;
            assert!(!done && complaint.contains("error: "), "{words:?} {complaint}");
        }
        assert_eq!(rule().await.pinned_workers, 3);
    }
}
