//! The capacity planner: what it begins with, what it refuses, and the release rates that it writes into plans.

use crate::{
    harness::{Product, within},
    process::reelmill,
};
use axum::http::StatusCode;
use domain::{
    Actor, VideoTime, WorkerId,
    billing::{Currency, Lane, Money, Plan},
};
use serde_json::Value;
use std::{process::Stdio, time::Duration};
use store::{Registration, WorkerRole, on_both_engines};
use tokio::{io::AsyncWriteExt, time::sleep};
use uuid::Uuid;

const PAGE: &str = "/admin/capacity";
/// Two workers make 120 video-minutes an hour; 24 of 60 are interactive, and of the 90 that may be filled 3 tenants share 66.
const ASKED: &str = "kind0=h100&workers0=2&speed0=1&price0=3&model0=vignette-1&share0=100&takes0=60&length0=6&spread0=0.5&decoding0=0.1\
     &hour=60&batch=60&tenants=3&slots=1&demand=5&start=60&starts=30&currency=usd";

async fn plan(product: &Product, id: &str) -> Plan {
    product.services().plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == id).unwrap()
}

async fn define(product: &Product, id: &str, change: impl Fn(Plan) -> Plan) {
    let plan = change(Plan { id: id.into(), name: id.into(), ..plan(product, "pro").await });
    product.services().define_plan(Actor::Operator, &plan, None).await.unwrap();
}

/// The page that a form leads to, with what it said.
async fn said(product: &Product, cookie: &str, form: &str) -> String {
    let answer = product.post_form(cookie, "/api/set-release-rates", form).await;
    assert_eq!(answer.status, StatusCode::FOUND, "{form}");
    let noted = answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
    product.page(&format!("{cookie}; {noted}"), answer.header("location").trim_end_matches("#rates")).await
}

on_both_engines! {
    async fn it_begins_with_what_is_live_and_says_what_is_not_known(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        let cookie = product.cookie(&operator).await;
        let empty = product.page(&cookie, PAGE).await;
        for expected in ["No worker takes jobs: one is planned.", "Nothing came within a day", "Now no worker takes jobs.", "Knee, 80 %"] {
            assert!(empty.contains(expected), "{expected}: {empty}");
        }
        let store = &product.services().store;
        let me = WorkerId::from_uuid(Uuid::now_v7());
        store.workers().register(me, Registration::new(WorkerRole::All, "h100", &["vignette-1"])).await.unwrap();
        product.services().set_device_price(Actor::Operator, "h100", Some(Money::of_minor(250, Currency::USD))).await.unwrap();
        product.create(&eve, "a red ball").await;
        product.finish().await;
        // What came is asked for anew after some seconds.
        let seen = async {
            loop {
                let live = product.services().capacity_question(Actor::Operator).await.unwrap();
                if live.waited.is_some() {
                    break live;
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        let live = within(Duration::from_secs(60), seen).await.expect("the job should be seen");
        let asked = &live.question;
        assert_eq!((asked.fleet[0].device_kind.as_str(), asked.fleet[0].workers, asked.slots), ("h100", 1, 4));
        // Two seconds of video took 150 ms.
        assert_eq!((asked.mix[0].model.as_str(), asked.mix[0].device_s_per_video_minute, asked.mix[0].video_s), ("vignette-1", 4.5, 2.0));
        assert!(live.utilisation.is_some_and(|part| part > 0.0 && part < 0.01), "{live:?}");
        let page = product.page(&cookie, PAGE).await;
        for expected in ["value=\"h100\"", "value=\"2.5\"", "value=\"4.5\"", "Break-even", "the 1 job of the last hour waited", "A video-minute"] {
            assert!(page.contains(expected), "{expected}: {page}");
        }
    }

    async fn what_cannot_be_planned_is_said_at_its_field_and_nothing_is_lost(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = product.customer("ada").await;
        let cookie = product.cookie(&operator).await;
        let page = product.page(&cookie, &format!("{PAGE}?{ASKED}")).await;
        for expected in ["50 %", "$0.1", "id=\"wait-curve-title\"", "id=\"break-even-title\"", "Within 15 min"] {
            assert!(page.contains(expected), "{expected}: {page}");
        }
        for (wrong, said) in [
            ("workers0=999999999", "Give at most 10,000 workers in all."),
            ("workers0=many", "Give a whole number."),
            ("hour=1e300", "Give a number above 0, and at most a million."),
            ("hour=NaN", "Give a number above 0, and at most a million."),
            ("batch=-5", "Give a number from 0 to 100."),
            ("slots=100000", "Give a number from 1 to 64."),
            ("takes0=0", "Give the seconds as a number from 0.001 to a million."),
            ("price0=free", "Give the price of an hour as a number"),
            ("currency=dollar", "Give the code of a currency"),
            ("kind0=", "Give at least one worker."),
        ] {
            let page = product.page(&cookie, &format!("{PAGE}?{ASKED}&{wrong}")).await;
            assert!(page.contains(said) && page.contains("Nothing that you typed is lost"), "{wrong}: {page}");
            assert!(!page.contains("wait-curve-title") && page.contains("aria-invalid=\"true\""), "{wrong}: {page}");
            let (name, typed) = wrong.split_once('=').unwrap();
            assert!(page.contains(&format!("name=\"{name}\" value=\"{typed}\"")), "{wrong}: {page}");
        }
        let full = product.page(&cookie, &format!("{PAGE}?{ASKED}&hour=600")).await;
        assert!(full.contains("the queue grows for ever"), "{full}");
    }

    async fn rates_are_set_on_the_plans_that_were_looked_at_and_on_no_others(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = product.customer("ada").await;
        let cookie = product.cookie(&operator).await;
        define(&product, "bulk", |plan| Plan { lane: Lane::Batch, release_rate: None, ..plan }).await;
        define(&product, "night", |plan| Plan { lane: Lane::Batch, release_rate: Some(VideoTime::from_ms(1000)), ..plan }).await;
        let path = format!("{PAGE}?{ASKED}");
        let page = product.page(&cookie, &path).await;
        // 22 of 66 video-minutes an hour.
        for expected in ["bulk from all at once to 22 video-seconds", "night from 1 video-second to 22 video-seconds", "value=\"bulk@1,night@1,enterprise@1\"", "value=\"22000\""] {
            assert!(page.contains(expected), "{expected}: {page}");
        }
        let back = ASKED.replace('&', "%26").replace('=', "%3D");
        let done = said(&product, &cookie, &format!("plans=bulk%401%2Cnight%401&rate_ms=22000&back={back}")).await;
        for expected in ["Set to 22 video-seconds a minute: bulk (it was all at once) and night (it was 1 video-second)", "It is this already.", "name=\"tenants\" value=\"3\""] {
            assert!(done.contains(expected), "{expected}: {done}");
        }
        for id in ["bulk", "night"] {
            assert_eq!(plan(&product, id).await.release_rate, Some(VideoTime::from_ms(22_000)));
            let newest = product.services().plan_history(Actor::Operator, id).await.unwrap().remove(0);
            assert_eq!((newest.version, newest.by), (2, Some(operator.user.id)));
        }

        // Somebody else has changed one of them since.
        let stale = said(&product, &cookie, "plans=night%402%2Cbulk%401&rate_ms=5000&back=").await;
        assert!(stale.contains("The plan bulk was changed since you looked at it: it releases 22 video-seconds a minute now. Nothing was changed."), "{stale}");
        for (form, refused) in [
            ("plans=pro%401&rate_ms=5000", "is not of the batch lane"),
            ("plans=nobodys%401&rate_ms=5000", "There is no plan nobodys"),
            ("plans=&rate_ms=5000", "Choose a plan"),
            ("plans=bulk%402&rate_ms=0", "nothing is left to release"),
            ("plans=bulk%402&rate_ms=99999999999999", "is more than a plan can give"),
        ] {
            let page = said(&product, &cookie, form).await.to_lowercase();
            assert!(page.contains(&refused.to_lowercase()) && page.contains("nothing was changed."), "{form}: {page}");
        }
        for id in ["bulk", "night"] {
            assert_eq!(plan(&product, id).await.release_rate, Some(VideoTime::from_ms(22_000)));
        }
        assert!(said(&product, &cookie, "plans=bulk%402&rate_ms=22000").await.contains("Nothing was different."));
        let malformed = product.post_form_for("application/json", &cookie, "/api/set-release-rates", "plans=bulk%402&rate_ms=-1").await;
        assert_eq!(malformed.status, StatusCode::BAD_REQUEST);
    }

    async fn nobody_else_plans_or_sets_rates(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        define(&product, "bulk", |plan| Plan { lane: Lane::Batch, ..plan }).await;
        let cookie = product.cookie(&eve).await;
        assert_eq!(product.open(&cookie, PAGE).await.status, StatusCode::NOT_FOUND);
        assert_eq!(product.open("", PAGE).await.status, StatusCode::FOUND);
        for cookie in [&*cookie, ""] {
            let form = "plans=bulk%401&rate_ms=1000";
            let answer = product.post_form_for("application/json", cookie, "/api/set-release-rates", form).await;
            assert!(answer.status.is_client_error(), "{answer:?}");
        }
        assert_eq!(plan(&product, "bulk").await.release_rate, None);
        assert!(product.services().capacity_question(eve.user.actor()).await.is_err());
    }

    async fn a_question_is_asked_and_answered_on_the_command_line(database: TempDatabase) {
        let product = Product::new(database).await;
        let asked = reelmill(&product, &["admin", "capacity", "question"]).await;
        assert!(asked.status.success(), "{asked:?}");
        let mut question: Value = serde_json::from_slice(&asked.stdout).unwrap();
        question["video_minutes_per_hour"] = 0.5.into();
        let answer = answered(&product, &question.to_string()).await;
        assert!(answer.status.success(), "{answer:?}");
        let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
        // An hour of a device for a minute of video.
        assert_eq!((&answer["plan"]["utilisation"], &answer["knee_permille"]), (&0.5.into(), &800.into()));
        assert!(answer["begun"].as_array().is_some_and(|loads| loads.len() == 5), "{answer}");
        question["slots"] = 0.into();
        let refused = answered(&product, &question.to_string()).await;
        let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && refused.stdout.is_empty() && complaint.contains("Give a number from 1 to 64."), "{complaint}");
    }
}

async fn answered(product: &Product, question: &str) -> std::process::Output {
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_reelmill"));
    command.args(["admin", "capacity", "plan"]).arg("--data").arg(product.folder()).env("DATABASE_URL", &product.database().url);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(question.as_bytes()).await.unwrap();
    drop(input);
    child.wait_with_output().await.unwrap()
}
