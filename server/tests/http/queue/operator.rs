//! What the operator does to the queue, at the page, the API and the command line, and what others see of it.

use crate::{
    forms::cookie_set,
    harness::{Answer, Customer, Product},
    process::reelmill,
};
use axum::http::StatusCode;
use domain::{Act, Actor, FailureCode, Scopes, Stage, WorkerId, job::AttemptFailure, scheduling::QueueAct};
use serde_json::{Value, json};
use service::KeyRequest;
use store::{Beat, Registration, SpareTime, WorkerCondition, WorkerRole, on_both_engines};
use uuid::Uuid;

const PAGE: &str = "/admin/queue";

// Boxed, as a test that asks often would outgrow its stack.
impl Product {
    /// The page after a form, with what it says.
    async fn change_queue(&self, cookie: &str, act: &str, subject: &str, reason: &str) -> String {
        let form = format!("act={act}&subject={subject}&reason={}", reason.replace(' ', "+"));
        let answer: Answer = Box::pin(self.post_form(cookie, "/api/change-queue", &form)).await;
        assert_eq!(answer.header("location"), PAGE);
        let note = cookie_set(&answer, "note-admin-queue").unwrap_or_default();
        self.seen(&format!("{cookie}; {note}"), PAGE).await
    }

    async fn seen(&self, cookie: &str, path: &str) -> String {
        Box::pin(self.page(cookie, path)).await
    }

    async fn created(&self, who: &Customer, prompt: &str) -> String {
        Box::pin(self.create(who, prompt)).await.to_string()
    }

    /// Somebody's key for the operator's routes.
    async fn operators_key(&self, who: &Customer) -> Customer {
        let request = KeyRequest { name: "desk".into(), scopes: Scopes::parse("operator").ok(), ..KeyRequest::default() };
        let made = Box::pin(self.services().create_key_for(who.user.actor(), request, "")).await.unwrap();
        Customer { user: who.user.clone(), key: made.secret }
    }

    async fn fail_next(&self) {
        let claimed = Box::pin(self.claim(Stage::Sampling)).await;
        let failure = AttemptFailure::refused(FailureCode::EngineError);
        Box::pin(self.services().store.queue().report_failure(&claimed, failure)).await.unwrap();
    }

    async fn video(&self, who: &Customer, id: &str) -> Value {
        Box::pin(self.get(who, &format!("/v1/videos/{id}"))).await.json()
    }

    /// A worker that is there.
    async fn worker(&self) -> WorkerId {
        let id = WorkerId::from_uuid(Uuid::now_v7());
        let workers = self.services().store.workers();
        Box::pin(workers.register(id, Registration::new(WorkerRole::All, "h100", &["vignette-1"]))).await.unwrap();
        id
    }
}

on_both_engines! {
    async fn the_page_shows_what_waits_where_and_names_no_prompt(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = Box::pin(async { product.cookie(&product.customer("operator").await).await }).await;
        let empty = product.seen(&operator, PAGE).await;
        for said in ["Nothing is paused.", "Nothing waits in the queue.", "Nobody waits", "No plan keeps a video outside", "No video is in quarantine."] {
            assert!(empty.contains(said), "{said}: {empty}");
        }
        let ada = Box::pin(product.customer("ada")).await;
        product.services().rename_team(ada.user.actor(), "<b>Adas", "").await.unwrap();
        product.worker().await;
        let mut ids = Vec::new();
        for _ in 0..27 {
            ids.push(product.created(&ada, "a secret prompt").await);
        }
        let shown = |page: &String| page.contains("27 jobs in the queue") && page.contains(&ids[24]);
        let page = product.soon("all are counted", async || Some(product.seen(&operator, PAGE).await).filter(shown)).await;
        assert!(page.contains("h100, one worker") && page.contains("54 video-seconds") && page.contains("&lt;b&gt;Adas") && page.contains("100 %"), "{page}");
        assert!(!page.contains("a secret prompt") && !page.contains("<b>Adas"), "{page}");
        assert!(page.contains(&ids[0]) && !page.contains(&ids[25]), "a page has 25");
        let more = product.seen(&operator, &format!("{PAGE}?after={}", ids[24])).await;
        assert!(more.contains(&ids[25]) && more.contains(&ids[26]) && !more.contains(&ids[24]), "{more}");
        assert!(product.seen(&operator, "/admin").await.contains("href=\"/admin/queue\""));
        let members = product.cookie(&ada).await;
        assert_eq!(product.open(&members, PAGE).await.status, StatusCode::NOT_FOUND);
        assert_eq!(product.open("", PAGE).await.status, StatusCode::FOUND);
    }

    async fn a_pause_is_said_to_those_who_wait_in_the_operators_words(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = Box::pin(async { product.cookie(&product.customer("operator").await).await }).await;
        let ada = Box::pin(product.customer("ada")).await;
        let id = product.created(&ada, "a red ball").await;
        let page = product.change_queue(&operator, "pause", "model:vignette-1", "we mend a machine").await;
        assert!(page.contains("Paused: the model vignette-1.") && page.contains("we mend a machine"), "{page}");
        let told = "Paused by the operator: we mend a machine.";
        for id in [id.clone(), product.created(&ada, "also while it is paused").await] {
            let video = product.video(&ada, &id).await;
            assert_eq!((&video["status"], &video["waiting"]["reason"], &video["waiting"]["message"]), (&json!("queued"), &json!("paused"), &json!(told)));
            assert_eq!((&video["eta"], &video["queue_position"]), (&Value::Null, &Value::Null));
        }
        let hers = product.seen(&product.cookie(&ada).await, &format!("/videos/{id}")).await;
        assert!(hers.contains(told) && hers.contains("Your place is kept"), "{hers}");
        assert!(product.change_queue(&operator, "resume", "model:vignette-1", "").await.contains("Resumed: the model vignette-1."));
        assert_ne!(product.video(&ada, &id).await["waiting"]["reason"], "paused");
        for (act, subject, said) in [
            ("pause", "model:never-1", "There is no model never-1 here"),
            ("pause", "this", "Say <code>everything<"),
            ("resume", "lane:batch", "That is not paused: lane:batch"),
            ("drain", "worker_00000000000000000000000000000000", "There is no such worker"),
            ("expedite", "job_00000000000000000000000000000000", "There is no such video"),
            ("explode", "everything", "An act is pause"),
        ] {
            let page = product.change_queue(&operator, act, subject, "").await;
            assert!(page.contains(said) && page.contains("Nothing was changed."), "{act} {subject}: {page}");
        }
        let long = product.change_queue(&operator, "pause", "everything", &"x".repeat(201)).await;
        assert!(long.contains("A reason has at most 200 characters"), "{long}");
        let queue_acts = product.services().store.operator().queue_acts(10).await.unwrap();
        assert_eq!(queue_acts.iter().map(|entry| entry.act).collect::<Vec<_>>(), [Act::QueueResumed, Act::QueuePaused], "what was refused is not written down");
        assert_eq!(queue_acts[0].user.as_deref(), Some("operator@example.com"));
    }

    async fn a_video_in_quarantine_says_so_to_its_owner_and_a_failed_one_is_tried_once_more(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = Box::pin(async { product.cookie(&product.customer("operator").await).await }).await;
        let ada = Box::pin(product.customer("ada")).await;
        let id = product.created(&ada, "a red ball").await;
        assert!(product.change_queue(&operator, "quarantine", &id, "").await.contains("Say why: the owner of the video is told."));
        let page = product.change_queue(&operator, "quarantine", &id, "Is this yours?").await;
        assert!(page.contains("is in quarantine") && page.contains("Is this yours?"), "{page}");
        let held = product.video(&ada, &id).await;
        assert_eq!((&held["waiting"]["reason"], &held["waiting"]["message"]), (&json!("held"), &json!("Held by the operator: Is this yours?")));
        assert!(product.change_queue(&operator, "requeue", &id, "").await.contains("Cannot requeue a job that is quarantined"));
        product.change_queue(&operator, "lift", &id, "").await;
        product.fail_next().await;
        assert!(product.seen(&operator, "/admin").await.contains(&format!("/admin/queue?job={id}#job")));
        assert!(product.seen(&operator, &format!("{PAGE}?job={id}")).await.contains(&format!("value=\"{id}\"")));
        product.change_queue(&operator, "quarantine", &id, "We look at it.").await;
        let failed = product.video(&ada, &id).await;
        assert_eq!((&failed["status"], &failed["waiting"]["message"]), (&json!("failed"), &json!("Held by the operator: We look at it.")));
        let hers = product.seen(&product.cookie(&ada).await, &format!("/videos/{id}")).await;
        assert!(hers.contains("Held by the operator: We look at it."), "{hers}");
        product.change_queue(&operator, "lift", &id, "").await;
        assert!(product.change_queue(&operator, "requeue", &id, "our fault").await.contains("is tried once more"));
        let again = product.video(&ada, &id).await;
        assert_eq!((&again["status"], &again["error"], again["failed_attempts"].as_array().unwrap().len()), (&json!("queued"), &Value::Null, 1));
        Box::pin(product.finish()).await;
        assert_eq!(product.video(&ada, &id).await["status"], "completed");
        let acts = Box::pin(product.services().team(ada.user.actor())).await.unwrap().acts;
        let requeued = acts.iter().find(|entry| entry.act == Act::JobRequeued).unwrap();
        assert_eq!(requeued.subject, format!("{id}: our fault"));
        assert!(Box::pin(product.services().verify_ledger(Actor::Operator)).await.unwrap().faults.is_empty());
    }

    async fn what_is_held_stands_in_front_of_nobody_however_often_it_is_looked_at(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = Box::pin(async { product.cookie(&product.customer("operator").await).await }).await;
        let (ada, eve) = (Box::pin(product.customer("ada")).await, Box::pin(product.customer("eve")).await);
        for n in 0..3 {
            let id = product.created(&ada, &format!("ball {n}")).await;
            product.change_queue(&operator, "quarantine", &id, "Is this yours?").await;
        }
        // A snapshot that was taken before knows one of them in its line.
        let first = product.created(&eve, "hers").await;
        let place = async || product.video(&eve, &first).await["queue_position"].as_u64().filter(|place| *place == 1);
        product.soon("it is the next", place).await;
        let queue = product.get(&ada, "/v1/queue").await.json();
        let held = queue["data"].as_array().unwrap().iter().filter(|video| video["waiting"]["reason"] == "held").count();
        assert_eq!(held, 3, "{queue}");
        let second = product.created(&eve, "hers too").await;
        assert_eq!(product.video(&eve, &second).await["queue_position"], 2);
    }

    async fn a_drained_worker_is_told_so_at_its_next_sign_of_life(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = Box::pin(async { product.cookie(&product.customer("operator").await).await }).await;
        let id = product.worker().await;
        assert!(product.seen(&operator, PAGE).await.contains("href=\"/admin/fleet\""));
        let page = product.change_queue(&operator, "drain", &id.to_string(), "its fan").await;
        assert!(page.contains("takes no more jobs") && page.contains("its fan"), "{page}");
        assert!(product.seen(&operator, "/admin/fleet").await.contains("draining"));
        let workers = product.services().store.workers();
        assert_eq!(workers.beat(id, WorkerCondition::Working, SpareTime::default()).await.unwrap(), Beat::Drain);
    }

    async fn the_api_is_for_an_operator_with_a_key_for_it(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, ada) = (product.customer("operator").await, Box::pin(product.customer("ada")).await);
        let id = product.created(&ada, "a secret prompt").await;
        let key = product.operators_key(&operator).await;
        let queue = product.get(&key, "/v1/operator/queue").await;
        assert_eq!(queue.status, StatusCode::OK);
        let queue = queue.json();
        assert_eq!((&queue["object"], &queue["waiting"][0]["id"], &queue["lines"][0]["jobs"]), (&json!("queue"), &json!(id), &json!(1)));
        assert_eq!((&queue["lines"][0]["is_part"], &queue["throttled_is_part"]), (&json!(false), &json!(false)), "all are counted");
        assert!(!queue.to_string().contains("secret"), "{queue}");
        let pause = json!({ "act": "pause", "subject": "everything", "reason": "a drill" });
        let paused = product.post(&key, "/v1/operator/queue", pause.clone()).await;
        assert!(paused.json()["message"].as_str().unwrap().starts_with("Paused: everything."), "{paused:?}");
        assert_eq!(product.get(&key, "/v1/operator/queue").await.json()["paused"][0]["reason"], "a drill");
        for (body, param) in [
            (json!({ "act": "pause", "subject": "nothing" }), "act"),
            (json!({ "act": "quarantine", "subject": id }), "reason"),
            (json!({ "act": "requeue", "subject": id }), "subject"),
        ] {
            let refused = product.post(&key, "/v1/operator/queue", body).await;
            assert_eq!((refused.status, &refused.json()["error"]["param"]), (StatusCode::BAD_REQUEST, &json!(param)), "{refused:?}");
        }
        assert_eq!(product.post(&key, "/v1/operator/queue", json!({ "acts": "pause" })).await.status, StatusCode::BAD_REQUEST);
        // A whole key of the operator is none for this, nor is the same scope of somebody else.
        let others = [(operator, "insufficient_scope"), (product.operators_key(&ada).await, "forbidden"), (ada, "insufficient_scope")];
        for (who, code) in others {
            for answer in [product.get(&who, "/v1/operator/queue").await, product.post(&who, "/v1/operator/queue", pause.clone()).await] {
                assert_eq!((answer.status, answer.code().as_str()), (StatusCode::FORBIDDEN, code));
            }
        }
        assert_eq!(product.get(&key, "/v1/videos").await.status, StatusCode::FORBIDDEN, "and it opens nothing else");
        let acts = product.services().store.operator().queue_acts(10).await.unwrap();
        assert_eq!(acts.iter().map(|entry| (entry.act, entry.user.as_deref())).collect::<Vec<_>>(), [(Act::QueuePaused, Some("operator@example.com"))]);
    }

    async fn nobody_else_changes_the_queue(database: TempDatabase) {
        let product = Product::new(database).await;
        product.customer("operator").await;
        let ada = Box::pin(product.customer("ada")).await;
        for actor in [ada.user.actor(), ada.user.installation_actor(), Actor::System] {
            let act = QueueAct::parse("pause", "everything").unwrap();
            assert!(product.services().change_queue(actor, None, &act, "").await.is_err());
        }
        let cookie = product.cookie(&ada).await;
        let form = "act=pause&subject=everything";
        let refused = product.post_form_for("application/json", &cookie, "/api/change-queue", form).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{refused:?}");
        product.post_form(&cookie, "/api/change-queue", form).await;
        assert!(product.services().store.pauses().await.unwrap().all().is_empty());
        assert!(product.services().store.operator().queue_acts(10).await.unwrap().is_empty());
    }

    async fn the_command_line_does_the_same(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = Box::pin(product.customer("operator")).await;
        let id = product.created(&operator, "a red ball").await;
        let queue = async |words: &[&str]| {
            let done = reelmill(&product, &[&["admin", "queue"][..], words].concat()).await;
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (done.status.success(), text(done.stdout), text(done.stderr))
        };
        assert!(queue(&["pause", "--scope", "lane:batch", "--reason", "a drill"]).await.0);
        assert!(queue(&["quarantine", "--video", &id, "--reason", "Is this yours?"]).await.0);
        let listed = queue(&["list"]).await.1;
        let lines: Vec<_> = listed.lines().map(|line| line.split('\t').collect::<Vec<_>>()).collect();
        assert_eq!(lines.iter().map(|line| (line[0], line[2])).collect::<Vec<_>>(), [("lane:batch", "a drill"), (&*id, "Is this yours?")]);
        assert!(queue(&["lift", "--video", &id]).await.0 && queue(&["expedite", "--video", &id]).await.0 && queue(&["resume", "--scope", "lane:batch"]).await.0);
        assert_eq!(queue(&["list"]).await.1, "");
        for words in [["resume", "--scope", "lane:batch"].as_slice(), &["requeue", "--video", &id], &["drain", "--worker", "worker_00000000000000000000000000000000"]] {
            let (done, said, complaint) = queue(words).await;
            assert!(!done && said.is_empty() && complaint.contains("error: "), "{words:?} {said} {complaint}");
        }
        let made = reelmill(&product, &["admin", "key", "create", "--user", "operator@example.com", "--name", "desk", "--operator"]).await;
        let key = Customer { key: String::from_utf8(made.stdout).unwrap().trim().to_owned(), ..operator };
        assert_eq!(product.get(&key, "/v1/operator/queue").await.status, StatusCode::OK);
        let acts = product.services().store.operator().queue_acts(10).await.unwrap();
        assert!(acts.len() == 5 && acts.iter().all(|entry| entry.user.is_none()), "{acts:?}");
    }
}
