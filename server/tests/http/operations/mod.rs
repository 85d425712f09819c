//! What the operator tells everybody of the installation, what it tells the operator of itself, and what a request leaves in logs and traces.

mod alerts;
mod backup;
mod log;

use crate::{
    forms::cookie_set,
    harness::{Answer, Customer, Product},
};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Actor, VideoTime,
    operations::{
        readiness::Verdict,
        status::{Part, PartState},
    },
    scheduling::QueueAct,
};
use serde_json::{Value, json};
use service::{
    operator::Setup,
    telemetry::{TraceContext, Traces},
};
use std::{
    collections::BTreeMap,
    fs,
    sync::{Mutex, Once},
    time::Duration,
};
use store::{
    on_both_engines,
    testing::{Dial, TempDatabase},
};
use tempfile::NamedTempFile;
use traces::{
    TraceOptions,
    testing::{Answering, Received, Receiver},
};
use tracing::{
    Event, Level, Metadata, Subscriber,
    span::{Attributes, Id, Record},
};

const DESK: &str = "/admin/status";
const GIVEN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

// Boxed, as a test that asks often would outgrow its stack.
impl Product {
    async fn operator(&self) -> (Customer, String) {
        let operator = Box::pin(self.customer("operator")).await;
        let cookie = Box::pin(self.cookie(&operator)).await;
        (operator, cookie)
    }

    /// The desk after a form.
    async fn tell(&self, cookie: &str, path: &str, form: &str) -> String {
        let answer: Answer = Box::pin(self.post_form(cookie, path, form)).await;
        assert_eq!(answer.header("location"), DESK, "{answer:?}");
        let note = cookie_set(&answer, "note-admin-status").unwrap_or_default();
        Box::pin(self.page(&format!("{cookie}; {note}"), DESK)).await
    }

    async fn look(&self) {
        Box::pin(self.services().look_at_status(Actor::System)).await.unwrap();
    }

    async fn public(&self) -> Answer {
        Box::pin(self.open("", "/status")).await
    }

    /// The public page once it says so: it is kept for a second.
    async fn public_soon(&self, text: &str) -> String {
        let shown = async || Some(html(&self.public().await)).filter(|page| page.contains(text));
        Box::pin(self.soon(text, shown)).await
    }
}

fn html(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// What is the same for all who ask for a page that there is not.
fn without_nonce(answer: &Answer) -> String {
    let html = html(answer);
    let nonce = html.split("nonce=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("scripts have one").to_owned();
    html.replace(&nonce, "").replace("/status", "/no-such-page")
}

fn traces_to(receiver: &Receiver) -> Traces {
    let variables = BTreeMap::from([("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint())]);
    let options = TraceOptions::read(|name| variables.get(name).cloned(), "reelmill").unwrap().unwrap();
    Traces::start(&options).unwrap()
}

static LISTENING: Once = Once::new();

/// Listens to every thread and keeps nothing. Who meets a line of the log first decides whether anybody listens to it, and that could be another test, just
/// while the test of the log begins to listen: where somebody always may, it is asked at each line who does. It knows no spans: a registry here would be told
/// of the end of those that the registry of that test has counted, and breaks off at what it does not know.
struct Everywhere;

impl Subscriber for Everywhere {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::INFO
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

on_both_engines! {
    async fn there_is_a_status_page_only_where_the_operator_wants_one(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_, operator) = product.operator().await;
        let unknown = Box::pin(product.open("", "/no-such-page")).await;
        let off = product.public().await;
        assert_eq!((off.status, without_nonce(&off)), (unknown.status, without_nonce(&unknown)), "as if there were none");
        product.look().await;
        assert!(product.services().store.operator().parts_seen().await.unwrap().0.is_empty(), "nobody looks for nothing");

        assert!(!product.page("", "/").await.contains("href=\"/status\""), "the start page leads to no page that is not there");
        let page = product.tell(&operator, "/api/show-status", "shown=on").await;
        assert!(product.page("", "/").await.contains("href=\"/status\""), "the start page leads there");
        assert!(product.page(&operator, "/library").await.contains("href=\"/status\""), "and every other one");
        assert!(page.contains("Everybody sees /status now."), "{page}");
        assert!(!product.services().store.operator().parts_seen().await.unwrap().0.is_empty(), "it was looked at when it was switched on");
        product.look().await;
        let page = product.public_soon("Something does not work.").await;
        for said in ["Website and API", "Queue", "Workers", "Video storage", "100 % of the time it was there", "No incident that is over."] {
            assert!(page.contains(said), "{said}: {page}");
        }
        let (parts, _) = product.services().store.operator().parts_seen().await.unwrap();
        let states: Vec<_> = parts.iter().map(|seen| (seen.part.as_str(), seen.state)).collect();
        assert!(states.contains(&("workers", PartState::Down)) && states.contains(&("objects", PartState::Works)), "{states:?}");
        let answer = product.public().await;
        assert!(answer.header("cache-control").starts_with("public, max-age=") && answer.header("set-cookie").is_empty(), "{answer:?}");

        assert!(answer.header("vary").contains("cookie"), "{answer:?}");
        let own = Box::pin(product.open(&operator, "/status")).await;
        assert_eq!(own.header("cache-control"), "private, no-store");
        assert!(String::from_utf8_lossy(&own.body).contains("Sign out"), "who is signed in does not seem to be signed out");

        product.tell(&operator, "/api/show-status", "shown=off").await;
        product.soon("it is gone", async || Some(product.public().await).filter(|answer| answer.status == StatusCode::NOT_FOUND)).await;
    }

    async fn what_was_off_is_nobodys_fault_though_a_look_was_under_way_when_it_was_switched_off(database: TempDatabase) {
        let dial = Dial::default();
        let product = Product::on(database, &dial).await;
        let services = product.services();
        services.show_status(Actor::Operator, None, true).await.unwrap();
        product.look().await;
        services.show_status(Actor::Operator, None, false).await.unwrap();
        services.store.operator().note_look(&[(Part::Api, PartState::Works)]).await.unwrap();
        dial.advance_ms(30 * 24 * 60 * 60 * 1000);
        services.show_status(Actor::Operator, None, true).await.unwrap();
        product.look().await;
        dial.advance_ms(5 * 60_000);
        // Whoever switches it on once more takes nothing away.
        services.show_status(Actor::Operator, None, true).await.unwrap();
        dial.advance_ms(5 * 60_000);
        product.look().await;
        let (_, days) = services.store.operator().parts_seen().await.unwrap();
        let down: u32 = days.iter().filter(|(part, _)| *part == Part::Api).map(|(_, day)| day.down).sum();
        assert_eq!(down, 9, "the minutes between the last two looks");
    }

    async fn everybody_is_told_of_long_waits_but_not_of_those_of_a_team_that_is_paused(database: TempDatabase) {
        let dial = Dial::default();
        let product = Product::on(database, &dial).await;
        let ada = Box::pin(product.customer("ada")).await;
        Box::pin(product.create(&ada, "a red ball")).await;
        let services = product.services();
        services.show_status(Actor::Operator, None, true).await.unwrap();
        let change = async |act: &str| {
            let act = QueueAct::parse(act, &format!("tenant:{}", ada.user.tenant)).unwrap();
            Box::pin(services.change_queue(Actor::Operator, None, &act, "")).await.unwrap();
            product.look().await;
            let (parts, _) = services.store.operator().parts_seen().await.unwrap();
            parts.iter().find(|seen| seen.part == Part::Queue).map(|seen| seen.state)
        };
        dial.advance_ms(20 * 60_000);
        assert_eq!(change("pause").await, Some(PartState::Works), "nobody waits for a machine");
        assert_eq!(change("resume").await, Some(PartState::Degraded));
    }

    async fn an_incident_is_told_as_it_goes_on_and_what_was_refused_is_not_lost(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_, operator) = product.operator().await;
        product.tell(&operator, "/api/show-status", "shown=on").await;
        let refused = product.tell(&operator, "/api/tell-incident", "title=&minutes=5&state=identified&text=%3C%2Ftextarea%3E%3Cscript%3E").await;
        assert!(refused.contains("An incident has a title") && refused.contains("Nothing was told."), "{refused}");
        assert!(refused.contains("&lt;/textarea>&lt;script>") && refused.contains("value=\"5\""), "{refused}");
        let form = "title=Videos+%3Cb%3Eslow&minutes=90&state=investigating&text=We+look+into+it.";
        assert!(product.tell(&operator, "/api/tell-incident", form).await.contains("It stands on the page"));
        let page = product.public_soon("What goes on").await;
        assert!(page.contains("Videos &lt;b&gt;slow") && page.contains("We look into it.") && page.contains("Looking into it"), "{page}");
        assert!(!page.contains("operator@example.com"), "who wrote it is nobody's business");
        let incident = product.services().status_desk(Actor::Operator).await.unwrap().seen.incidents.remove(0);
        let update = |state: &str, text: &str| format!("id={}&state={state}&text={text}", incident.id);
        assert!(product.tell(&operator, "/api/update-incident", &update("odd", "x")).await.contains("Choose where it stands"));
        assert!(product.tell(&operator, "/api/update-incident", "id=incident_0&state=resolved&text=x").await.contains("There is no such incident"));
        product.tell(&operator, "/api/update-incident", &update("resolved", "Over.")).await;
        let page = product.public_soon("Over.").await;
        assert!(!page.contains("What goes on") && page.contains("until "), "{page}");
        let own = product.services().status_desk(Actor::Operator).await.unwrap().seen.incidents.remove(0);
        assert_eq!((own.updates.len(), own.ended_at.is_some(), own.updates[0].at.ms_since(own.begun_at) >= 90 * 60_000), (2, true, true));
    }

    async fn the_readiness_page_judges_what_it_sees(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_, operator) = product.operator().await;
        let checks = Box::pin(product.services().readiness(Actor::Operator)).await.unwrap().checks;
        let verdict = |name: &str| checks.iter().find(|check| check.name == name).unwrap_or_else(|| panic!("{name}")).clone();
        assert_eq!(verdict("HTTPS and public address").verdict, Verdict::Bad);
        assert_eq!(verdict("Workers of every stage").verdict, Verdict::Bad);
        assert!(["Room for videos", "Database", "Models", "Payments"].iter().all(|name| verdict(name).verdict != Verdict::Unknown), "{checks:?}");
        assert_eq!(verdict("Backup").verdict, Verdict::Bad);
        let page = Box::pin(product.page(&operator, "/admin/readiness")).await;
        for said in ["to be mended before others rely on it", "No public address is named", "REELMILL_PUBLIC_URL", "0 for sampling, 0 for decoding", "None was made"] {
            assert!(page.contains(said), "{said}: {page}");
        }
        product.services().store.settings().set("backup_made_at_ms", &product.services().store.now().await.unwrap().ms().to_string()).await.unwrap();
        let setup = Setup {
            public_url: Some("https://video.example.com".into()),
            secrets: vec![("the token for metrics", 12)],
            connections_max: Some(4096),
            has_metrics_token: true,
        };
        let services = product.services().clone().with_setup(setup).with_queue_max(VideoTime::from_minutes(1000));
        let checks = Box::pin(services.readiness(Actor::Operator)).await.unwrap().checks;
        let verdict = |name: &str| checks.iter().find(|check| check.name == name).map(|check| (check.verdict, check.seen.clone())).unwrap();
        assert_eq!(verdict("HTTPS and public address").0, Verdict::Good);
        assert_eq!(verdict("Lengths of secrets"), (Verdict::Bad, "The only one is the token for metrics, with 12 characters".into()));
        assert_eq!(verdict("Backup"), (Verdict::Good, "The last was made 0 h ago".into()));
        assert_eq!(verdict("Room in the queue"), (Verdict::Good, "0 of 1,000 video-minutes that may wait".into()));
        assert!([verdict("Limits"), verdict("Metrics and alerts")].iter().all(|(verdict, _)| *verdict == Verdict::Good));
    }

    async fn the_trace_of_a_request_goes_on_with_its_job(database: TempDatabase) {
        let receiver = Receiver::start(Answering::With(200)).await;
        let traces = traces_to(&receiver);
        let product = Product::new(database).await.changed(|services| services.with_traces(traces.clone()));
        let ada = Box::pin(product.customer("ada")).await;
        let request = ada.request("POST", "/v1/videos").header("content-type", "application/json").header("traceparent", GIVEN);
        let body = json!({ "prompt": "a secret prompt" }).to_string();
        let made = Box::pin(product.send(request.header("x-request-id", "req_of_a_client").body(Body::from(body)).unwrap())).await;
        assert_eq!(made.status, StatusCode::OK, "{made:?}");
        let id = made.json()["id"].as_str().unwrap().parse().unwrap();
        let job = product.services().store.tenant(ada.user.tenant).jobs().get(id).await.unwrap().unwrap();
        let written: TraceContext = job.traceparent.unwrap().parse().unwrap();
        product.get(&ada, "/v1/videos").await;
        Box::pin(product.open("", "/livez")).await;
        traces.flush(Duration::from_secs(60)).await;
        let spans = receiver.spans();
        let named = |name: &str| spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name}: {spans:?}"));
        let span = named("POST /v1/videos");
        assert_eq!((span.trace.as_str(), span.parent.as_str(), span.kind), (&GIVEN[3..35], &GIVEN[36..52], 2));
        assert_eq!(written.to_string(), format!("00-{}-{}-01", span.trace, span.span), "the job is below the request");
        assert_eq!((span.attributes["http.response.status_code"].as_str(), span.attributes["request.id"].as_str()), ("200", "req_of_a_client"));
        let begun: &Received = named("GET /v1/videos");
        assert!(begun.parent.is_empty() && begun.trace != span.trace);
        assert!(!spans.iter().any(|span| span.name.contains("livez") || format!("{span:?}").contains("a secret prompt")), "{spans:?}");
    }

    async fn what_is_logged_says_whose_request_it_was_and_holds_no_secret(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = Box::pin(product.customer("ada")).await;
        LISTENING.call_once(|| tracing::subscriber::set_global_default(Everywhere).unwrap());
        Box::pin(product.create(&ada, "a red ball")).await;
        let log = NamedTempFile::new().unwrap();
        let subscriber = tracing_subscriber::fmt().json().with_max_level(Level::TRACE).with_writer(Mutex::new(log.reopen().unwrap()));
        let logged = tracing::subscriber::set_default(subscriber.finish());
        // Other tests may have been the first at a line of the log, while nobody listened.
        tracing::callsite::rebuild_interest_cache();
        let request = ada.request("POST", "/v1/videos").header("content-type", "application/json").header("traceparent", GIVEN);
        let body = json!({ "prompt": "xylophone in a thunderstorm" }).to_string();
        let made = Box::pin(product.send(request.header("x-request-id", "req_of_a_client").body(Body::from(body)).unwrap())).await;
        drop(logged);
        let id = made.json()["id"].as_str().unwrap().to_owned();
        let text = fs::read_to_string(log.path()).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
        let submitted = lines.iter().find(|line| line["fields"]["message"] == "submitted").unwrap_or_else(|| panic!("{text}"));
        assert_eq!((&submitted["fields"]["job.id"], &submitted["fields"]["tenant.id"]), (&json!(id), &json!(ada.user.tenant.to_string())));
        let span = &submitted["spans"][0];
        assert_eq!((&span["request.id"], &span["trace.id"]), (&json!("req_of_a_client"), &json!(&GIVEN[3..35])));
        assert_eq!(span["http.path"], "/v1/videos");
        for secret in ["xylophone", ada.key.as_str(), "correct horse battery"] {
            let told: Vec<_> = text.lines().filter(|line| line.contains(secret) && !is_of_library(line)).collect();
            assert!(told.is_empty(), "{secret}: {told:?}");
        }
    }
}

/// What libraries say at levels that nobody switches on.
fn is_of_library(line: &str) -> bool {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let target = line["target"].as_str().unwrap_or_default();
    !["app", "domain", "server", "service", "store"].iter().any(|own| target == *own || target.starts_with(&format!("{own}::")))
}

#[tokio::test]
async fn a_server_is_alive_as_long_as_it_answers() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let answer = product.send(Request::get("/livez").body(Body::empty()).unwrap()).await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "status": "ok" })));
    product.context.stopping.cancel();
    let answer = product.send(Request::get("/livez").body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK, "it stops in good order");
}
