//! Alerts: rules and how they stand, what is told of them, silences, and sums of what was looked at.

use domain::{
    AlertAddressId, AlertRuleId,
    alerts::{HISTORY_KEPT_MS, RULES_MAX, Rule, SILENCES_MAX, Standing, Told, ToldKind, TypedRule, defaults},
    metrics::{Gauge, Range, Span},
};
use store::{
    ActOfOperator, Store,
    alerts::{ALERT, AddressKind, AlertEntryKind, AlertEvent, AlertRefusal, AlertRow, AlertStep, NewAlertAddress, NewSilence, RuleChange},
    metrics::{GaugeQuery, Look},
    on_both_engines,
    testing::Dial,
};
use uuid::Uuid;

const NOBODY: ActOfOperator<'_> = ActOfOperator { by: None, reason: "" };

fn rule(name: &str) -> Rule {
    Rule { name: name.into(), ..defaults().remove(0) }
}

fn told(row: &AlertRow, kind: ToldKind) -> Told {
    let (name, severity) = (row.rule.name.clone(), row.rule.severity.as_str().to_owned());
    Told { key: "k".into(), kind, rule: Some(row.id), name, severity, condition: "c".into(), value: None, at_ms: 5 }
}

fn step(row: &AlertRow, told_firing: bool) -> AlertStep {
    let kind = if told_firing { (AlertEntryKind::Fired, ToldKind::Fired) } else { (AlertEntryKind::Resolved, ToldKind::Resolved) };
    let mut standing = Standing::default();
    standing.told_firing = told_firing;
    AlertStep {
        id: row.id,
        version: row.version,
        standing,
        entries: vec![(kind.0, Some(1.5), String::new())],
        name: row.rule.name.clone(),
        severity: "page",
        told: Some(told(row, kind.1)),
    }
}

async fn add_address(store: &Store, number: u128, kind: AddressKind, target: &str) -> Result<AlertAddressId, AlertRefusal> {
    let id = AlertAddressId::from_uuid(Uuid::from_u128(number));
    let new = NewAlertAddress { id, kind, target: target.into(), sealed_secret: None, secret_hint: None };
    store.alerts().add_address(&new, NOBODY).await.map(|()| id)
}

/// What waits in the outbox: of mails how much each tells, of receivers to whom.
async fn waits(store: &Store) -> (Vec<usize>, Vec<AlertAddressId>) {
    let (mut mails, mut receivers) = (vec![], vec![]);
    while let Some(event) = store.outbox().take(&[store::MAIL, ALERT], 60_000).await.unwrap() {
        if event.kind == ALERT {
            receivers.push(serde_json::from_value::<AlertEvent>(event.payload.clone()).unwrap().address);
        } else {
            mails.push(event.payload["told"].as_array().unwrap().len());
        }
        assert!(store.outbox().delivered(&event).await.unwrap());
    }
    (mails, receivers)
}

on_both_engines! {
    async fn rules_are_few_have_names_of_their_own_and_begin_anew_when_they_change(database: TempDatabase) {
        let store = database.open().await.unwrap();
        let alerts = store.alerts();
        let ids = alerts.add_rules(&[rule("a"), rule("b")], true, NOBODY).await.unwrap();
        assert!(matches!(alerts.add_rules(&[rule("c"), rule("b")], true, NOBODY).await, Err(AlertRefusal::Taken)));
        assert_eq!(alerts.rules().await.unwrap().len(), 2, "all or none");
        let row = alerts.rule(ids[0]).await.unwrap().unwrap();
        assert!(alerts.settle(None, &[step(&row, true)]).await.unwrap());
        let same = alerts.change_rule(ids[0], RuleChange { rule: Some(rule("a")), is_enabled: Some(true) }, NOBODY).await.unwrap();
        assert_eq!(same.version, row.version + 1, "nothing was changed since");
        assert!(matches!(alerts.change_rule(ids[0], RuleChange { rule: Some(rule("b")), is_enabled: None }, NOBODY).await, Err(AlertRefusal::Taken)));
        let changed = alerts.change_rule(ids[0], RuleChange { rule: Some(rule("z")), is_enabled: Some(false) }, NOBODY).await.unwrap();
        assert_eq!((changed.rule.name.as_str(), changed.is_enabled, changed.standing.told_firing), ("z", false, true));
        assert_eq!(alerts.rule(ids[0]).await.unwrap().unwrap(), changed);
        let nobody = AlertRuleId::from_uuid(Uuid::nil());
        assert!(matches!(alerts.change_rule(nobody, RuleChange::default(), NOBODY).await, Err(AlertRefusal::Unknown)));
        let many: Vec<_> = (0..RULES_MAX).map(|number| rule(&number.to_string())).collect();
        assert!(matches!(alerts.add_rules(&many, true, NOBODY).await, Err(AlertRefusal::Full)));
        assert_eq!(TypedRule::of(&changed.rule).parse(), Ok(changed.rule));
    }

    async fn what_is_so_and_what_is_told_are_written_at_once_and_only_once(database: TempDatabase) {
        let store = database.open().await.unwrap();
        let alerts = store.alerts();
        let ids = alerts.add_rules(&[rule("a"), rule("b")], true, NOBODY).await.unwrap();
        let hook = add_address(&store, 1, AddressKind::Webhook, "https://a.example/").await.unwrap();
        add_address(&store, 2, AddressKind::Mail, "duty@example.com").await.unwrap();
        add_address(&store, 3, AddressKind::Operators, "").await.unwrap();
        assert!(matches!(add_address(&store, 4, AddressKind::Operators, "").await, Err(AlertRefusal::Taken)));
        let rows = alerts.rules().await.unwrap();
        let steps: Vec<_> = rows.iter().map(|row| step(row, true)).collect();
        assert!(!alerts.settle(Some(("alerts", "me")), &steps).await.unwrap(), "somebody else leads");
        assert_eq!((waits(&store).await, alerts.history(None, 9).await.unwrap().len()), ((vec![], vec![]), 0));
        assert!(store.leaders().hold("alerts", "me", 60_000).await.unwrap());
        assert!(alerts.settle(Some(("alerts", "me")), &steps).await.unwrap());
        // There is no operator, so one mail tells both.
        assert_eq!(waits(&store).await, (vec![2], vec![hook, hook]));
        let standing: Vec<_> = alerts.rules().await.unwrap().into_iter().map(|row| row.standing.told_firing).collect();
        assert_eq!(standing, [true, true]);
        // Who has read before that writes nothing.
        alerts.settle(None, &steps).await.unwrap();
        assert_eq!((waits(&store).await, alerts.history(None, 9).await.unwrap().len()), ((vec![], vec![]), 2));

        alerts.note_try(hook, Some("it answered 500")).await.unwrap();
        assert_eq!(alerts.addresses().await.unwrap()[0].last_error.as_deref(), Some("it answered 500"));
        alerts.delete_address(hook, NOBODY).await.unwrap();
        assert!(matches!(alerts.delete_address(hook, NOBODY).await, Err(AlertRefusal::Unknown)));
        assert!(!alerts.tell_one(hook, &told(&rows[0], ToldKind::Test)).await.unwrap());
        alerts.delete_rule(ids[0], |row, _| told(row, ToldKind::Resolved), NOBODY).await.unwrap();
        assert_eq!((waits(&store).await, alerts.rules().await.unwrap().len()), ((vec![1], vec![]), 1));
        let newest = alerts.history(None, 1).await.unwrap().remove(0);
        let before = alerts.history(Some(newest.id), 9).await.unwrap();
        assert_eq!((newest.kind, newest.value, before.len()), (AlertEntryKind::Fired, Some(1.5), 1));
        alerts.silence(&NewSilence { rule: None, ms: 60_000, reason: "r".into() }, NOBODY).await.unwrap();
        alerts.delete_rule(ids[1], |row, _| told(row, ToldKind::Resolved), NOBODY).await.unwrap();
        assert_eq!((waits(&store).await, alerts.rules().await.unwrap().len()), ((vec![], vec![]), 0), "they wanted to hear nothing");
    }

    async fn silences_end_and_old_history_is_forgotten(database: TempDatabase) {
        let dial = Dial::default();
        let store = database.open_at(&dial).await.unwrap();
        let alerts = store.alerts();
        let id = alerts.add_rules(&[rule("a")], true, NOBODY).await.unwrap()[0];
        let new = |rule: Option<AlertRuleId>| NewSilence { rule: rule.map(|id| (id, "a".into(), "page")), ms: 60_000, reason: "r".into() };
        let first = alerts.silence(&new(Some(id)), NOBODY).await.unwrap();
        let unknown = AlertRuleId::from_uuid(Uuid::nil());
        assert!(matches!(alerts.silence(&new(Some(unknown)), NOBODY).await, Err(AlertRefusal::Unknown)));
        let now = store.now().await.unwrap();
        let silence = alerts.silences(now).await.unwrap().remove(0);
        assert!(silence.holds(id, now) && !silence.holds(unknown, now) && !silence.holds(id, now.plus_ms(60_000)));
        dial.advance_ms(1000);
        alerts.end_silence(first, NOBODY).await.unwrap();
        assert!(matches!(alerts.end_silence(first, NOBODY).await, Err(AlertRefusal::Unknown)));
        for _ in 0..SILENCES_MAX {
            alerts.silence(&new(None), NOBODY).await.unwrap();
        }
        assert!(matches!(alerts.silence(&new(None), NOBODY).await, Err(AlertRefusal::Full)));
        dial.advance_ms(60_000);
        assert!(alerts.silences(store.now().await.unwrap()).await.unwrap().is_empty());
        dial.advance_ms(HISTORY_KEPT_MS);
        let row = alerts.rule(id).await.unwrap().unwrap();
        alerts.settle(None, &[step(&row, true)]).await.unwrap();
        let kinds: Vec<_> = alerts.history(None, 100).await.unwrap().into_iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [AlertEntryKind::Fired]);
    }

    async fn looks_are_summed_up_over_lines_and_a_line_counts_once(database: TempDatabase) {
        let dial = Dial::default();
        let store = database.open_at(&dial).await.unwrap();
        let kept = store.kept_numbers();
        let look = |gauge, model: &str, device: &str, value| Look { gauge, model: model.into(), lane: "batch".into(), device: device.into(), value };
        let seen = [
            look(Gauge::WaitingMs, "m", "h100", 3000),
            look(Gauge::WaitingMs, "m", "h200", 3000),
            look(Gauge::WaitingMs, "n", "h200", 500),
            look(Gauge::Busy, "", "h100", 2),
            look(Gauge::Busy, "", "h200", 3),
        ];
        kept.note_look(&seen).await.unwrap();
        kept.note_look(&[]).await.unwrap();
        let start = Span::Minute.start(store.now().await.unwrap());
        let range = Range { span: Span::Minute, from: start, until: start.plus_ms(60_000) };
        let sums = async |gauges: &[Gauge], model: Option<&str>, device: Option<&str>| {
            let query = GaugeQuery { range, gauges, model, lane: None, device };
            let sums = kept.gauge_sums(&query).await.unwrap();
            sums.into_iter().map(|sum| (sum.gauge, sum.total, sum.highest)).collect::<Vec<_>>()
        };
        let looks = (Gauge::Looks, 2, 1);
        assert_eq!(sums(&[Gauge::WaitingMs], None, None).await, [looks, (Gauge::WaitingMs, 3500, 3000)]);
        assert_eq!(sums(&[Gauge::WaitingMs], Some("n"), None).await, [looks, (Gauge::WaitingMs, 500, 500)]);
        assert_eq!(sums(&[Gauge::Busy], None, None).await, [(Gauge::Busy, 5, 3), looks]);
        assert_eq!(sums(&[Gauge::Busy], None, Some("h100")).await, [(Gauge::Busy, 2, 2), looks]);
        assert_eq!(sums(&[Gauge::Busy], Some("n"), Some("h200")).await, [(Gauge::Busy, 3, 3), looks], "workers are of no model");
        assert_eq!(sums(&[], None, None).await, [looks]);
    }

    async fn a_test_waits_for_no_other_that_did_not_arrive(database: TempDatabase) {
        let store = database.open().await.unwrap();
        let alerts = store.alerts();
        alerts.add_rules(&[rule("a")], true, NOBODY).await.unwrap();
        let row = alerts.rules().await.unwrap().remove(0);
        let hook = add_address(&store, 1, AddressKind::Webhook, "https://a.example/").await.unwrap();
        let duty = add_address(&store, 2, AddressKind::Mail, "duty@example.com").await.unwrap();
        let taken = async || {
            let mut taken = 0;
            // None of them ends.
            while store.outbox().take(&[store::MAIL, ALERT], 60_000).await.unwrap().is_some() {
                taken += 1;
            }
            taken
        };
        for key in ["first", "second"] {
            let test = Told { key: key.into(), rule: None, ..told(&row, ToldKind::Test) };
            assert!(alerts.tell_one(hook, &test).await.unwrap() && alerts.tell_one(duty, &test).await.unwrap());
            assert_eq!(taken().await, 2, "{key}");
        }
        // What is told of a rule keeps its order.
        for key in ["third", "fourth"] {
            assert!(alerts.tell_one(hook, &Told { key: key.into(), ..told(&row, ToldKind::Fired) }).await.unwrap());
        }
        assert_eq!(taken().await, 1);
    }

    async fn the_end_of_a_silence_says_of_which_rule(database: TempDatabase) {
        let store = database.open().await.unwrap();
        let alerts = store.alerts();
        let id = alerts.add_rules(&[rule("a")], true, NOBODY).await.unwrap()[0];
        let ended = async |rule: Option<AlertRuleId>| {
            let new = NewSilence { rule: rule.map(|id| (id, "a".into(), "page")), ms: 60_000, reason: "r".into() };
            let silence = alerts.silence(&new, NOBODY).await.unwrap();
            alerts.end_silence(silence, NOBODY).await.unwrap();
            let mut entries = alerts.history(None, 9).await.unwrap().into_iter();
            let entry = entries.find(|entry| entry.kind == AlertEntryKind::SilenceEnded && entry.rule == rule).unwrap();
            (entry.name, entry.severity)
        };
        let severity = defaults().remove(0).severity.as_str().to_owned();
        assert_eq!(ended(Some(id)).await, ("a".into(), severity));
        assert_eq!(ended(None).await, ("all rules".into(), String::new()));
    }
}
