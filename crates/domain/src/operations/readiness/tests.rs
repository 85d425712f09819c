//! What is seen, and what is said of it.

use super::*;

const ALERTS: AlertsSeen = AlertsSeen { rules: 8, silenced: 0, addresses: 1, by_mail: 0 };

fn fit() -> Seen {
    Seen {
        public_url: Some("https://video.example.com".into()),
        secrets: vec![("the token for metrics", 44), ("the secret of Stripe's webhook", 38)],
        sends_mails: true,
        engine: Engine::Postgres { policies_bind: Some(true) },
        backup_age_ms: Some(Some(HOUR_MS)),
        open_ms: Some(60_000),
        open_max_ms: Some(60_000_000),
        utilisation_permille: Some(Some(500)),
        disk: Some(Some((500 << 30, 1000 << 30))),
        connections_max: Some(4096),
        samplers: Some(2),
        decoders: Some(2),
        workers_come: false,
        models: Some(3),
        broken_models: Some(vec![]),
        plans_cost: Some(true),
        takes_payments: true,
        has_metrics_token: true,
        is_traced: false,
        alerts: Some(ALERTS),
    }
}

/// The verdict on the only thing that is not good.
fn verdict(seen: &Seen) -> (&'static str, Verdict) {
    let bad: Vec<_> = checks(seen).into_iter().filter(|check| check.verdict != Verdict::Good).collect();
    assert_eq!(bad.len(), 1, "{bad:?}");
    assert!(!bad[0].advice.is_empty() && !bad[0].seen.is_empty());
    (bad[0].name, bad[0].verdict)
}

#[test]
fn an_installation_that_is_fit_has_nothing_to_mend() {
    assert!(checks(&fit()).iter().all(|check| check.verdict == Verdict::Good && check.advice.is_empty()));
}

#[test]
fn each_thing_is_judged_by_its_own_number() {
    use Verdict::{Bad, Unknown, Warning};
    let fit = fit();
    for (seen, expected) in [
        (Seen { public_url: None, ..fit.clone() }, ("HTTPS and public address", Bad)),
        (Seen { public_url: Some("http://a.b".into()), ..fit.clone() }, ("HTTPS and public address", Bad)),
        (Seen { secrets: vec![("a", 44), ("b", 15)], ..fit.clone() }, ("Lengths of secrets", Bad)),
        (Seen { secrets: vec![("a", 16)], ..fit.clone() }, ("Lengths of secrets", Warning)),
        (Seen { sends_mails: false, ..fit.clone() }, ("Mails", Warning)),
        (Seen { engine: Engine::Sqlite, ..fit.clone() }, ("Database", Warning)),
        (Seen { engine: Engine::Postgres { policies_bind: Some(false) }, ..fit.clone() }, ("Database", Bad)),
        (Seen { engine: Engine::Postgres { policies_bind: None }, ..fit.clone() }, ("Database", Unknown)),
        (Seen { backup_age_ms: Some(None), ..fit.clone() }, ("Backup", Bad)),
        (Seen { backup_age_ms: Some(Some(27 * HOUR_MS)), ..fit.clone() }, ("Backup", Warning)),
        (Seen { backup_age_ms: Some(Some(200 * HOUR_MS)), ..fit.clone() }, ("Backup", Bad)),
        (Seen { backup_age_ms: None, ..fit.clone() }, ("Backup", Unknown)),
        (Seen { open_ms: Some(30_000_000), ..fit.clone() }, ("Room in the queue", Warning)),
        (Seen { open_ms: Some(60_000_000), ..fit.clone() }, ("Room in the queue", Bad)),
        (Seen { utilisation_permille: Some(Some(801)), ..fit.clone() }, ("Room on the devices", Warning)),
        (Seen { utilisation_permille: Some(None), ..fit.clone() }, ("Room on the devices", Bad)),
        (Seen { disk: Some(Some((29, 1000))), ..fit.clone() }, ("Room for videos", Bad)),
        (Seen { disk: Some(Some((u64::MAX / 11, u64::MAX))), ..fit.clone() }, ("Room for videos", Warning)),
        (Seen { connections_max: Some(8), ..fit.clone() }, ("Limits", Warning)),
        (Seen { samplers: Some(1), ..fit.clone() }, ("Workers of every stage", Warning)),
        (Seen { decoders: Some(0), ..fit.clone() }, ("Workers of every stage", Bad)),
        (Seen { models: Some(0), ..fit.clone() }, ("Models", Bad)),
        (Seen { broken_models: Some(vec!["a".into()]), ..fit.clone() }, ("Models", Bad)),
        (Seen { takes_payments: false, ..fit.clone() }, ("Payments", Warning)),
        (Seen { has_metrics_token: false, ..fit.clone() }, ("Metrics and alerts", Warning)),
        (Seen { alerts: Some(AlertsSeen { rules: 0, ..ALERTS }), ..fit.clone() }, ("Alerts", Warning)),
        (Seen { alerts: Some(AlertsSeen { addresses: 0, ..ALERTS }), ..fit.clone() }, ("Alerts", Warning)),
        (Seen { alerts: Some(AlertsSeen { silenced: 8, ..ALERTS }), ..fit.clone() }, ("Alerts", Warning)),
        (Seen { alerts: None, ..fit.clone() }, ("Alerts", Unknown)),
    ] {
        assert_eq!(verdict(&seen), expected);
    }
    // More may come than is made.
    let crowded = checks(&Seen { utilisation_permille: Some(Some(2450)), ..fit.clone() });
    assert!(crowded.iter().any(|check| check.seen == "What came in the last hour fills 245 % of what the workers make in one"));
    let idle = Seen { workers_come: true, samplers: Some(0), decoders: Some(0), utilisation_permille: Some(None), ..fit.clone() };
    for good in [idle, Seen { takes_payments: false, plans_cost: Some(false), ..fit }] {
        assert!(checks(&good).iter().all(|check| check.verdict == Verdict::Good), "{good:?}");
    }
}

#[test]
fn alerts_are_good_while_somebody_is_told_of_some_rule() {
    let told = |sends_mails: bool, seen: AlertsSeen| {
        let check = alerts(Some(seen), sends_mails);
        (check.verdict, check.seen)
    };
    let by_mail = AlertsSeen { silenced: 3, addresses: 2, by_mail: 2, ..ALERTS };
    let rules = "Rules that are looked at: 8 (3 silenced now)";
    assert_eq!(told(true, by_mail), (Verdict::Good, format!("{rules}; addresses that are told: 2")));
    let lost = format!("{rules}; addresses that are told: 2 (2 by mail, which is sent nowhere)");
    assert_eq!(told(false, by_mail), (Verdict::Warning, lost));
    assert_eq!(told(false, AlertsSeen { by_mail: 1, ..by_mail }).0, Verdict::Good, "a webhook is told");
    assert_eq!(told(true, AlertsSeen { silenced: 8, ..by_mail }).0, Verdict::Warning);
}
