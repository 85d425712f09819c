//! What the operator is told of costs, by the devices' time, their prices, and what was charged.

use crate::harness::Product;
use axum::http::StatusCode;
use domain::{
    Actor, Clock, FailureCode, Stage, VideoTime, WorkerId,
    billing::{Currency, Money},
    job::AttemptFailure,
    scheduling::Suspects,
};
use futures::future::join_all;
use service::billing::Gift;
use store::{Registration, SpareTime, SystemClock, WorkerCondition, WorkerRole, on_both_engines, testing::Dial};
use uuid::Uuid;

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: i64 = 86_400_000;
const WORKED_MS: u64 = 40_000;

on_both_engines! {
    async fn prices_of_devices_that_are_set_at_once_are_all_kept(database: TempDatabase) {
        let product = Product::new(database).await;
        let services = product.services();
        let devices: Vec<String> = (0..8).map(|n| format!("gpu-{n}")).collect();
        let price = Some(Money::of_minor(250, Currency::USD));
        let set = join_all(devices.iter().map(|device| services.set_device_price(Actor::Operator, device, price))).await;
        assert!(set.iter().all(Result::is_ok), "{set:?}");
        let kept = services.store.operator().device_prices().await.unwrap();
        assert!(kept.0.keys().eq(&devices), "{kept:?}");
    }

    async fn costs_are_those_of_all_the_time_of_the_devices(database: TempDatabase) {
        // Early in the day, as an hour passes here and one day is looked at.
        let now_ms = SystemClock.now().ms();
        let dial = Dial::at(now_ms - now_ms % DAY_MS + 1000);
        let product = Product::on(database, &dial).await;
        let (operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        let cookie = product.cookie(&operator).await;
        assert!(product.page(&cookie, "/admin/costs").await.contains("No worker was there in this time."));

        let (store, me) = (&product.services().store, WorkerId::from_uuid(Uuid::now_v7()));
        store.workers().register(me, Registration::new(WorkerRole::All, "h100", &["vignette-1"])).await.unwrap();
        let tenant = eve.user.membership().tenant;
        product.services().set_plan(Actor::Operator, tenant, "payg").await.unwrap();
        let gift = Gift { amount: VideoTime::from_ms(60_000), expires_at: None, note: None, once: None };
        product.services().give_credit(Actor::Operator, None, tenant, gift).await.unwrap();
        // One fails there; another is made by a worker that nobody knows.
        product.create(&eve, "a red ball").await;
        let claimed = store.queue().claim(Stage::Sampling, me, &["vignette-1"], 60_000, Suspects::Take).await.unwrap().unwrap();
        store.queue().note_device_time(&claimed.token, WORKED_MS).await.unwrap();
        store.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        product.create(&eve, "a green ball").await;
        product.finish().await;
        dial.advance_ms((HOUR_MS - 1000).cast_signed());
        // An hour in all: what was worked on, and the rest.
        let spare = SpareTime { idle_ms: HOUR_MS - WORKED_MS - 1000, loading_ms: 1000, unseen_ms: 1000 };
        store.workers().beat(me, WorkerCondition::Working, spare).await.unwrap();

        let unpriced = product.page(&cookie, "/admin/costs?days=1").await;
        assert!(unpriced.contains("No device has a price yet") && unpriced.contains("h100"), "{unpriced}");
        for (form, said) in [
            ("device=h100&price=free&currency=usd", "Give the price of an hour as a number"),
            ("device=h100&price=2.5&currency=dollar", "Give the code of a currency"),
            ("device=h100&price=9999999999&currency=usd", "between nothing and a million"),
            ("device=&price=1&currency=usd", "A device has a name"),
            ("device=h100&price=2.50&currency=usd&days=1", "The price is changed"),
            ("device=cpu&price=1&currency=eur", "The other devices are priced in USD"),
        ] {
            let answer = product.post_form(&cookie, "/api/set-device-price", form).await;
            assert_eq!(answer.status, StatusCode::FOUND);
            let noted = answer.header("set-cookie").split(';').next().unwrap_or_default();
            let page = product.page(&format!("{cookie}; {noted}"), "/admin/costs?days=1").await;
            assert!(page.contains(said), "{form}: {page}");
        }
        let page = product.page(&cookie, "/admin/costs?days=1").await;
        for expected in ["$2.50", "vignette-1", "eve", "Each amount is rounded by itself"] {
            assert!(page.contains(expected), "{expected}: {page}");
        }
        let costs = product.services().costs(Actor::Operator, 1).await.unwrap();
        let [(Some((of, _)), margin)] = &costs.tenants[..] else { panic!("{:?}", costs.tenants) };
        assert_eq!((*of, margin.videos, margin.worked_ms), (tenant, 1, WORKED_MS + 150));
        assert_eq!(costs.report.money(margin.cost), Money::of_minor(250, Currency::USD));
        assert_eq!(product.post_form(&cookie, "/api/set-device-price", "device=h100&price=&currency=usd").await.status, StatusCode::FOUND);
        assert!(product.page(&cookie, "/admin/costs").await.contains("No device has a price yet"));
    }
}
