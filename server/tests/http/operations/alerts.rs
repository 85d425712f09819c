//! Alerts at the operator's page and API: rules are made and refused, fire by what was looked at, and are told by mail and webhook, or not while they are
//! silenced.

use crate::{
    forms::cookie_set,
    harness::{Customer, Product},
    webhooks::receiver,
};
use axum::{body::Body, http::StatusCode};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{Act, Actor, Clock, Scopes, metrics::Gauge, webhook::Network};
use ring::hmac;
use serde_json::{Value, json};
use service::{KeyRequest, Mailer, mail::MailOptions, webhook::WebhookOptions};
use store::{
    SystemClock,
    metrics::Look,
    on_both_engines,
    testing::{Dial, TempDatabase},
};

const PAGE: &str = "/admin/alerts";
const RULE: &str = "name=No+workers&number=workers&kind=threshold&side=below&limit=1&window=2&hold=1&severity=page";

struct World {
    product: Product,
    dial: Dial,
    operator: Customer,
    cookie: String,
}

// Boxed, as a test that asks often would outgrow its stack.
impl World {
    async fn new(database: TempDatabase) -> Self {
        // The session is of today. Whole minutes are looked at.
        let now_ms = SystemClock.now().ms();
        let dial = Dial::at(now_ms - now_ms % 60_000);
        let allow: Vec<Network> = vec!["127.0.0.0/8".parse().unwrap()];
        let product = Box::pin(Product::on(database, &dial)).await.changed(|services| {
            let mailer = Mailer::new(&MailOptions::default(), "https://video.test".into());
            services.with_webhooks(&WebhookOptions { webhook_allow: allow }).with_mailer(mailer)
        });
        let (operator, cookie) = Box::pin(product.operator()).await;
        Self { product, dial, operator, cookie }
    }

    async fn page(&self) -> String {
        Box::pin(self.product.page(&self.cookie, PAGE)).await
    }

    /// The page after a form.
    async fn send(&self, path: &str, form: &str) -> String {
        let answer = Box::pin(self.product.post_form(&self.cookie, path, form)).await;
        let location = answer.header("location").to_owned();
        let [note, secret] = ["note-admin-alerts", "flash-admin-alerts"].map(|name| cookie_set(&answer, name).unwrap_or_default());
        assert!(location.starts_with(PAGE), "{answer:?}");
        let location = location.split('#').next().unwrap_or_default().to_owned();
        Box::pin(self.product.page(&format!("{}; {note}; {secret}", self.cookie), &location)).await
    }

    /// So many minutes pass, in each of which so many workers are seen and the rules are looked at; what follows is delivered.
    async fn pass(&self, minutes: u32, workers: u64) {
        let services = self.product.services();
        let seen = Look { gauge: Gauge::Workers, model: String::new(), lane: String::new(), device: "cpu".into(), value: workers };
        for _ in 0..minutes {
            services.store.kept_numbers().note_look(std::slice::from_ref(&seen)).await.unwrap();
            self.dial.advance_ms(60_000);
            Box::pin(services.watch_alerts(Actor::System)).await.unwrap();
        }
        Box::pin(services.deliver_events(Actor::System)).await.unwrap();
    }

    /// Subjects of the mails that stay here, the newest first.
    async fn mails(&self) -> Vec<String> {
        let kept = self.product.services().mails(Actor::Operator).await.unwrap().kept;
        kept.into_iter().map(|mail| mail.subject).collect()
    }

    /// What the readiness page has seen of alerts.
    async fn readiness(&self) -> String {
        let checks = Box::pin(self.product.services().readiness(Actor::Operator)).await.unwrap().checks;
        checks.into_iter().find(|check| check.name == "Alerts").unwrap().seen
    }

    async fn rule_id(&self) -> String {
        let rules = self.product.services().store.alerts().rules().await.unwrap();
        rules[0].id.to_string()
    }

    async fn operators_key(&self) -> Customer {
        let request = KeyRequest { name: "desk".into(), scopes: Scopes::parse("operator").ok(), ..KeyRequest::default() };
        let key = Box::pin(self.product.services().create_key_for(self.operator.user.actor(), request, "")).await.unwrap();
        Customer { user: self.operator.user.clone(), key: key.secret }
    }
}

/// Whether a request that arrived was signed with this secret, as Standard Webhooks says; and its body.
fn signed(request: &str, secret: &str) -> (bool, Value) {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_default().to_owned();
    let key = hmac::Key::new(hmac::HMAC_SHA256, &BASE64_STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap());
    let message = format!("{}.{}.{body}", header("webhook-id"), header("webhook-timestamp"));
    let signature = BASE64_STANDARD.decode(header("webhook-signature").trim_start_matches("v1,")).unwrap();
    (hmac::verify(&key, message.as_bytes(), &signature).is_ok(), serde_json::from_str(body).unwrap())
}

on_both_engines! {
    async fn rules_are_made_tried_changed_and_deleted_at_the_page_and_what_was_refused_is_not_lost(database: TempDatabase) {
        let world = World::new(database).await;
        let empty = world.page().await;
        for said in ["There are no rules yet", "Add the usual rules", "Nothing fires.", "Nobody is told.", "Nothing is silenced.", "Nothing has become of any alert yet."] {
            assert!(empty.contains(said), "{said}: {empty}");
        }
        let usual = world.send("/api/add-usual-alerts", "").await;
        assert!(usual.contains("9 rules added.") && usual.contains("No worker is alive") && usual.contains("Operators, by mail"), "{usual}");
        assert!(world.send("/api/add-usual-alerts", "").await.contains("All of them are there already."));

        let refused = world.send("/api/save-alert", &RULE.replace("limit=1", "limit=lots").replace("No+workers", "A+%3Cb%3E")).await;
        assert!(refused.contains("Give the value as a number from 0") && refused.contains("value=\"A &lt;b&gt;\""), "{refused}");
        assert_eq!(refused.matches("aria-invalid=\"true\"").count(), 1, "the field that is wrong is marked: {refused}");
        let of_none = world.send("/api/save-alert", &format!("{}&model=nosuchmodel", RULE.replace("=workers", "=failures"))).await;
        assert!(of_none.contains("There is no such model"), "{of_none}");
        let taken = world.send("/api/save-alert", &RULE.replace("No+workers", "No+worker+is+alive")).await;
        assert!(taken.contains("There is one of that name already"), "{taken}");
        assert!(world.send("/api/save-alert", RULE).await.contains("The rule is added."));

        world.pass(3, 1).await;
        world.pass(5, 0).await;
        let tried = world.send("/api/save-alert", &format!("{RULE}&act=preview")).await;
        assert!(tried.contains("It would have fired once in the last 7 days.") && tried.contains("value=\"No workers\""), "{tried}");
        let not_kept = world.send("/api/save-alert", "act=preview&name=a&number=backup_age&kind=threshold&side=above&limit=1&severity=page").await;
        assert!(not_kept.contains("nothing is kept on which a rule could be tried"), "{not_kept}");

        let rules = world.product.services().store.alerts().rules().await.unwrap();
        let id = rules.iter().find(|row| row.rule.name == "No workers").unwrap().id.to_string();
        let chosen = Box::pin(world.product.page(&world.cookie, &format!("{PAGE}?rule={id}"))).await;
        assert!(chosen.contains("Change a rule") && chosen.contains("Save the rule"), "{chosen}");
        assert!(world.send("/api/save-alert", &format!("id={id}&{}", RULE.replace("limit=1", "limit=2"))).await.contains("It begins anew."));
        assert!(world.send("/api/change-alert", &format!("id={id}&act=disable")).await.contains("not looked at any more"));
        assert!(world.send("/api/change-alert", &format!("id={id}&act=delete")).await.contains("The rule is deleted."));
        assert!(world.send("/api/change-alert", &format!("id={id}&act=delete")).await.contains("There is no such rule"));
        let unknown = Box::pin(world.product.open(&world.cookie, &format!("{PAGE}?rule={id}"))).await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND);
        assert_eq!(world.readiness().await, "Rules that are looked at: 9; addresses that are told: 1 (1 by mail, which is sent nowhere)");
    }

    async fn all_mistakes_of_a_rule_are_told_at_once_each_beside_its_field_and_nothing_typed_is_lost(database: TempDatabase) {
        let world = World::new(database).await;
        let typed = "name=&number=failures&kind=threshold&side=below&limit=lots&window=&hold=x&severity=ticket&model=nosuchmodel&while_waiting=yes";
        for act in ["save", "preview"] {
            let page = world.send("/api/save-alert", &format!("{typed}&act={act}")).await;
            assert!(page.contains("5 fields are to be mended. Nothing was changed."), "{act}: {page}");
            for (field, said) in [
                ("name", "A rule has a name of 1 to 80 characters"),
                ("limit", "Give the value as a number from 0"),
                ("window", "Give the window in whole minutes, from 1 to 1440."),
                ("hold", "Give in whole minutes, from 0 to 1440, for how long it has to be wrong."),
                ("model", "There is no such model."),
            ] {
                let input = page.split(&format!("id=\"alert-{field}\"")).nth(1).and_then(|rest| rest.split("</div>").next()).expect(field);
                let described = format!("aria-describedby=\"alert-{field}-hint alert-{field}-error\"");
                assert!(input.contains("aria-invalid=\"true\"") && input.contains(&described), "{act}, {field}: {input}");
                assert!(input.contains(&format!("id=\"alert-{field}-error\"")) && input.contains(said), "{act}, {field}: {input}");
            }
            assert_eq!(page.matches("aria-invalid=\"true\"").count(), 5, "{act}: {page}");
            for kept in ["value=\"lots\"", "value=\"x\"", "value=\"nosuchmodel\""] {
                assert!(page.contains(kept), "{act}, {kept}: {page}");
            }
        }
        let empty = world.page().await;
        assert!(empty.matches("aria-required=\"true\"").count() == 6 && empty.matches("Needed").count() == 6, "{empty}");
        assert!(!empty.contains("aria-invalid"), "{empty}");

        let desk = world.operators_key().await;
        let wrong = json!({ "name": "", "number": "workers", "kind": "threshold", "side": "below", "limit": -1, "severity": "page" });
        let refused = Box::pin(world.product.post(&desk, "/v1/operator/alerts", wrong)).await;
        let (status, body) = (refused.status, refused.json());
        let error = &body["error"];
        assert_eq!((status, &error["param"]), (StatusCode::BAD_REQUEST, &json!("name")), "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with("A rule has a name") && message.contains("; give the value as a number from 0"), "{message}");
    }

    async fn what_fires_is_told_once_by_mail_and_signed_webhook_and_so_is_that_it_is_over(database: TempDatabase) {
        let world = World::new(database).await;
        let (url, seen) = receiver().await;
        world.send("/api/save-alert", RULE).await;
        world.send("/api/add-alert-address", "kind=mail&target=duty%40example.com").await;
        world.send("/api/add-alert-address", "kind=operators").await;
        for (target, why) in [("http%3A%2F%2F169.254.169.254%2F", "not on the public internet"), ("ftp%3A%2F%2Fa.example", "begins with https://")] {
            let refused = world.send("/api/add-alert-address", &format!("kind=webhook&target={target}")).await;
            assert!(refused.contains(why), "{refused}");
        }
        let target = url.replace(':', "%3A").replace('/', "%2F");
        let made = world.send("/api/add-alert-address", &format!("kind=webhook&target={target}")).await;
        let secret = format!("whsec_{}", made.split("<code>whsec_").nth(1).and_then(|rest| rest.split('<').next()).expect("it is shown"));
        assert!(!world.page().await.contains(&secret), "this once");

        world.pass(3, 1).await;
        assert_eq!((world.mails().await.len(), seen.lock().unwrap().len()), (0, 0));
        world.pass(5, 0).await;
        assert_eq!(world.mails().await, ["No workers fires", "No workers fires"]);
        let page = world.page().await;
        assert!(page.split("id=\"history\"").nth(1).is_some_and(|history| history.contains("0 workers")), "{page}");
        let request = seen.lock().unwrap().pop().expect("it arrived");
        let (is_signed, body) = signed(&request, &secret);
        assert!(is_signed && !signed(&request, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").0, "{request}");
        assert_eq!((&body["type"], &body["data"]["name"], &body["data"]["value"]), (&json!("alert.fired"), &json!("No workers"), &json!("0 workers")));
        assert_eq!((seen.lock().unwrap().len(), &body["data"]["severity"]), (0, &json!("page")));
        let page = world.page().await;
        assert!(page.contains("One rule fires.") && page.contains("Now 0 workers") && page.contains("it was taken"), "{page}");
        assert!(page.contains("Told."), "the webhook has taken it: {page}");
        let latency = Box::pin(world.product.page(&world.cookie, "/admin/latency?range=1h")).await;
        assert!(latency.contains("Fired: No workers"), "{latency}");

        world.pass(6, 2).await;
        assert_eq!(world.mails().await[..2], ["No workers is resolved", "No workers is resolved"]);
        let (is_signed, body) = signed(&seen.lock().unwrap().pop().unwrap(), &secret);
        assert!(is_signed && body["type"] == "alert.resolved" && seen.lock().unwrap().is_empty(), "{body}");
        let page = world.page().await;
        assert!(page.contains("Nothing fires.") && page.contains("resolved"), "{page}");
    }

    async fn a_silence_holds_back_what_is_told_and_deleting_a_rule_takes_it_back(database: TempDatabase) {
        let world = World::new(database).await;
        world.send("/api/save-alert", RULE).await;
        world.send("/api/add-alert-address", "kind=operators").await;
        for (form, why) in [("minutes=0&reason=a", "for how many minutes"), ("minutes=5&reason=", "say why"), ("minutes=5&reason=a&rule=x", "There is no such rule")] {
            let refused = world.send("/api/silence-alerts", form).await;
            assert!(refused.to_lowercase().contains(&why.to_lowercase()), "{why}: {refused}");
        }
        let id = world.rule_id().await;
        let page = world.send("/api/silence-alerts", &format!("rule={id}&minutes=30&reason=we+move+a+machine")).await;
        assert!(page.contains("we move a machine") && page.contains("operator@example.com"), "{page}");
        assert!(world.readiness().await.starts_with("Rules that are looked at: 1 (1 silenced now);"));
        world.pass(6, 0).await;
        let page = world.page().await;
        assert!(page.contains("Silenced: nobody is told.") && page.contains("silenced"), "{page}");
        assert_eq!(world.mails().await, Vec::<String>::new());
        let silence = world.product.services().alert_desk(Actor::Operator).await.unwrap().silences.remove(0).silence.id;
        assert!(world.send("/api/end-alert-silence", &format!("id={silence}")).await.contains("The silence is over."));
        assert!(world.readiness().await.starts_with("Rules that are looked at: 1;"));
        world.pass(1, 0).await;
        assert_eq!(world.mails().await, ["No workers fires"]);
        world.send("/api/change-alert", &format!("id={id}&act=delete")).await;
        world.pass(1, 0).await;
        assert_eq!(world.mails().await, ["No workers is resolved", "No workers fires"]);
    }

    async fn what_fires_is_told_beside_a_rule_that_cannot_be_read_and_to_who_is_added_after_it_fired(database: TempDatabase) {
        let world = World::new(database).await;
        world.product.services().store.settings().set("device-prices", "{").await.unwrap();
        let dear = "name=Dear&number=cost&kind=threshold&side=above&limit=1&severity=page";
        assert!(world.send("/api/save-alert", dear).await.contains("The rule is added."));
        world.send("/api/save-alert", RULE).await;
        world.pass(5, 0).await;
        let mut rules = world.product.services().store.alerts().rules().await.unwrap();
        rules.sort_by(|one, other| one.rule.name.cmp(&other.rule.name));
        let states: Vec<_> = rules.iter().map(|row| (row.rule.name.as_str(), row.standing.state.as_str(), row.standing.value())).collect();
        assert_eq!(states, [("Dear", "ok", None), ("No workers", "firing", Some(0.0))]);
        let page = world.page().await;
        assert!(page.contains("alert-state unknown\">not known") && !page.contains("alert-state ok"), "{page}");
        let entry = world.product.services().store.alerts().history(None, 1).await.unwrap().remove(0);
        assert_eq!(entry.note, "not told: there is nobody to tell");
        assert_eq!(world.mails().await, Vec::<String>::new());
        world.send("/api/add-alert-address", "kind=operators").await;
        world.pass(2, 0).await;
        assert_eq!(world.mails().await, ["No workers fires"]);
        assert!(world.page().await.contains("It is not known to have reached anybody"), "without a mail server its mail stays here");
    }

    async fn the_api_has_rules_silences_and_history_for_operators_alone(database: TempDatabase) {
        let world = World::new(database).await;
        let (product, desk) = (&world.product, world.operators_key().await);
        let at = "/v1/operator/alerts";
        assert_eq!(Box::pin(product.get(&world.operator, at)).await.status, StatusCode::FORBIDDEN, "an ordinary key");
        let rule = json!({ "name": "No workers", "number": "workers", "kind": "threshold", "side": "below", "limit": 1, "window": 2, "severity": "page" });
        for (change, param) in [(json!({ "number": "mood" }), "number"), (json!({ "limit": -1 }), "limit"), (json!({ "tenant": "x" }), "tenant"), (json!({ "severity": null }), "")] {
            let mut wrong = rule.clone();
            wrong.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let refused = Box::pin(product.post(&desk, at, wrong)).await;
            assert_eq!((refused.status, refused.json()["error"]["param"].as_str().unwrap_or_default()), (StatusCode::BAD_REQUEST, param), "{refused:?}");
        }
        let made = Box::pin(product.post(&desk, at, rule.clone())).await.json();
        assert_eq!((&made["object"], &made["state"], &made["condition"]), (&json!("alert_rule"), &json!("ok"), &json!("Workers alive below 1 worker over 2 minutes")));
        assert_eq!(Box::pin(product.post(&desk, at, rule.clone())).await.code(), "alert_name_taken");
        world.pass(3, 0).await;
        let listed = Box::pin(product.get(&desk, at)).await.json();
        assert_eq!((&listed["data"][0]["state"], &listed["data"][0]["value"]), (&json!("firing"), &json!(0.0)), "{listed}");
        let silenced = Box::pin(product.post(&desk, &format!("{at}/silences"), json!({ "minutes": 5, "reason": "a" }))).await;
        assert_eq!(silenced.status, StatusCode::OK, "{silenced:?}");
        let history = Box::pin(product.get(&desk, &format!("{at}/history?limit=1"))).await.json();
        assert_eq!((&history["data"][0]["event"], &history["has_more"]), (&json!("silenced"), &json!(true)), "{history}");
        let more = Box::pin(product.get(&desk, &format!("{at}/history?after={}", history["last_id"].as_str().unwrap()))).await.json();
        assert_eq!((&more["data"][0]["event"], &more["has_more"]), (&json!("fired"), &json!(false)), "{more}");
        assert_eq!(Box::pin(product.get(&desk, &format!("{at}/history?after=x"))).await.json()["error"]["param"], "after");
        let mut idle = rule.clone();
        idle.as_object_mut().unwrap().extend([("name".to_owned(), json!("Idle")), ("enabled".to_owned(), json!(false))]);
        assert_eq!(Box::pin(product.post(&desk, at, idle)).await.json()["enabled"], json!(false));
        let one = format!("{at}/{}", made["id"].as_str().unwrap());
        let mut off = rule;
        off["enabled"] = json!(false);
        let changed = Box::pin(product.post(&desk, &one, off)).await.json();
        assert_eq!((&changed["enabled"], &changed["state"]), (&json!(false), &json!("ok")), "{changed}");
        let delete = || desk.request("DELETE", &one).body(Body::empty()).unwrap();
        assert_eq!(Box::pin(product.send(delete())).await.json()["deleted"], true);
        let unknown = Box::pin(product.send(delete())).await;
        assert_eq!((unknown.status, unknown.code().as_str()), (StatusCode::NOT_FOUND, "alert_not_found"));
        let acts = product.services().own_acts(world.operator.user.actor()).await.unwrap();
        let subjects: Vec<_> = acts.iter().filter(|act| act.act == Act::AlertsChanged).map(|act| act.subject.as_str()).collect();
        assert_eq!(subjects, ["deleted the rule No workers", "disabled the rule No workers", "made the rule Idle", "silenced all rules for 5 minutes: a", "made the rule No workers"]);
    }

    async fn a_rule_of_all_models_is_known_where_more_are_used_than_are_read_at_once(database: TempDatabase) {
        let world = World::new(database).await;
        let form = RULE.replace("=workers", "=completed").replace("below&limit=1&window=2&hold=1", "above&limit=20500&window=5&hold=0");
        assert!(world.send("/api/save-alert", &form).await.contains("The rule is added."));
        let database = world.product.database();
        let (nil, nothing) = match database.engine {
            store::testing::Engine::Sqlite => ("zeroblob(16)", "X''"),
            store::testing::Engine::Postgres => ("'00000000-0000-0000-0000-000000000000'::uuid", "''::bytea"),
        };
        // Of two minutes.
        let ended = format!(
            "INSERT INTO job_tallies (tenant_id, span, start_ms, model, lane, device, succeeded, failed, cancelled, cold, made_ms, charged_ms, \
             sampling_device_ms, decoding_device_ms, paid, failures, times) SELECT {nil}, 'minute', {} + 60000 * (i % 2), CAST(i AS TEXT), 'batch', '', \
             1, 0, 0, 0, 0, 0, 0, 0, '{{}}', '{{}}', {nothing} FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000) \
             SELECT i FROM n) AS numbers",
            world.dial.now().ms()
        );
        database.damage(&ended).await;
        world.pass(3, 1).await;
        let rules = world.product.services().store.alerts().rules().await.unwrap();
        assert_eq!((rules[0].standing.state.is_firing(), rules[0].standing.value()), (true, Some(21_000.0)));
    }

    async fn a_rule_is_not_called_well_before_it_was_looked_at(database: TempDatabase) {
        let world = World::new(database).await;
        let page = world.send("/api/save-alert", RULE).await;
        assert!(page.contains("not looked at yet") && !page.contains("alert-state ok"), "{page}");
        world.pass(3, 1).await;
        let page = world.page().await;
        assert!(page.contains("alert-state ok") && !page.contains("not looked at yet"), "{page}");
    }
}
