//! Looking at all rules once a minute, by one server at a time.

use super::{AlertRow, measuring::Live, told};
use crate::{AccessError, Services};
use domain::{
    Actor, Permission, Timestamp,
    alerts::{Change, Measured, ToldKind},
};
use std::{error::Error, time::Duration};
use store::{
    alerts::{AlertEntryKind, AlertSilence, AlertStep},
    chance,
    clock::Instant,
    in_time, within,
};

/// Of the reconciler, and of who leads it.
pub(crate) const NAME: &str = "watch alerts";
const WATCH_EVERY: Duration = Duration::from_secs(60);
/// A server that fell silent is replaced by then.
const HELD_MS: i64 = 150_000;
/// All rules together; longer than that, and the next look is due.
const LOOKED_WITHIN: Duration = Duration::from_secs(50);
/// Reading what all rules are about; the rest is for writing down what follows.
const MEASURED_WITHIN: Duration = Duration::from_secs(40);

/// Looks again and again while this server leads. Runs until dropped.
pub(crate) async fn watch(services: Services) {
    let holder = chance::new_id().to_string();
    loop {
        let done = watch_once(&services, &holder).await;
        services.metrics.note_run(NAME, done.is_ok());
        if let Err(error) = done {
            tracing::warn!(error = &error as &dyn Error, "alerts were not looked at; trying again");
        }
        tokio::time::sleep(WATCH_EVERY).await;
    }
}

async fn watch_once(services: &Services, holder: &str) -> Result<(), AccessError> {
    if in_time(services.store.leaders().hold(NAME, holder, HELD_MS)).await? {
        within(LOOKED_WITHIN, Box::pin(services.look_at_alerts(Some((NAME, holder))))).await?;
    }
    Ok(())
}

impl Services {
    /// Looks at every rule now: what follows is written down and told.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer; then nothing was written.
    pub async fn watch_alerts(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        self.look_at_alerts(None).await
    }

    async fn look_at_alerts(&self, leader: Option<(&str, &str)>) -> Result<(), AccessError> {
        let alerts = self.store.alerts();
        let rules = alerts.rules().await?;
        if rules.is_empty() {
            return Ok(());
        }
        let now = self.store.now().await?;
        let audience = Audience { silences: alerts.silences(now).await?, has_addresses: !alerts.addresses().await?.is_empty() };
        let (mut live, mut steps, mut to_do, begun) = (Live::default(), Vec::with_capacity(rules.len()), rules.len(), Instant::now());
        for row in &rules {
            let share = MEASURED_WITHIN.saturating_sub(begun.elapsed()) / u32::try_from(to_do).unwrap_or(u32::MAX);
            let measured = if row.is_enabled { Some(self.measured(row, now, &mut live, share).await) } else { None };
            steps.extend(step(row, measured, &audience, now));
            to_do -= 1;
        }
        alerts.settle(leader, &steps).await?;
        Ok(())
    }

    /// Of a rule that cannot be read, or not within its share of the time, nothing is known; the others are looked at all the same.
    async fn measured(&self, row: &AlertRow, now: Timestamp, live: &mut Live, within_share: Duration) -> Measured {
        within(within_share, Box::pin(self.measure_rule(row, now, live))).await.unwrap_or_else(|error| {
            let name = &row.rule.name;
            tracing::warn!(alert.rule = %row.id, error = &error as &dyn Error, "the rule {name} could not be read, so nothing is known of it");
            Measured::UNKNOWN
        })
    }
}

/// Who hears of alerts, and of which not.
struct Audience {
    silences: Vec<AlertSilence>,
    /// Where there are none, what happens is told as soon as there is one, if it is still so.
    has_addresses: bool,
}

/// What follows for a rule; `measured`: `None`: it is not looked at. `None`: nothing.
fn step(row: &AlertRow, measured: Option<Measured>, audience: &Audience, now: Timestamp) -> Option<AlertStep> {
    let (mut standing, mut entries) = (row.standing.clone(), Vec::new());
    let is_silenced = audience.silences.iter().any(|silence| silence.holds(row.id, now));
    let since = standing.state.since();
    let (hold_ms, clear_ms) = (row.rule.hold_ms(), row.rule.clear_ms());
    let change = measured.and_then(|measured| standing.look(measured, now, hold_ms, clear_ms));
    let value = measured.and_then(|measured| measured.value);
    let tells = standing.tell(is_silenced || !audience.has_addresses, now);
    if measured.is_none() && tells.is_none() {
        return None;
    }
    let not_told = || match (tells, is_silenced) {
        (Some(_), _) => "",
        (None, true) => "silenced",
        (None, false) if !audience.has_addresses => "not told: there is nobody to tell",
        (None, false) if standing.is_held_back() => "not told: it was told too often within the hour",
        (None, false) => "",
    };
    match change {
        Some(Change::Fired) => entries.push((AlertEntryKind::Fired, value, not_told().to_owned())),
        Some(Change::Resolved) => entries.push((AlertEntryKind::Resolved, value, not_told().to_owned())),
        Some(Change::Faded) => entries.push((AlertEntryKind::Resolved, None, "for an hour it was not known to be wrong".to_owned())),
        // Of what changed before, somebody is told now.
        None => {
            if let Some(is_firing) = tells {
                let note = if is_firing { "it fires still" } else { "it does not fire any more" };
                entries.push((AlertEntryKind::Told, value, note.to_owned()));
            }
        }
    }
    let told = tells.map(|is_firing| {
        let (kind, at) = if is_firing { (ToldKind::Fired, standing.state.since()) } else { (ToldKind::Resolved, None) };
        told(row, kind, value, at.or(since.filter(|_| is_firing)).unwrap_or(now))
    });
    let (name, severity) = (row.rule.name.clone(), row.rule.severity.as_str());
    Some(AlertStep { id: row.id, version: row.version, standing, entries, name, severity, told })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        AlertRuleId, AlertSilenceId,
        alerts::{Standing, TOLD_PER_HOUR_MAX, Verdict, defaults},
    };
    use uuid::Uuid;

    const ALL: Audience = Audience { silences: vec![], has_addresses: true };

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_ms(minute * 60_000)
    }

    fn row() -> AlertRow {
        let rule = defaults().remove(0);
        let id = AlertRuleId::from_uuid(Uuid::nil());
        AlertRow { id, rule, is_enabled: true, standing: Standing::default(), version: 1, changed_at: at(0) }
    }

    fn wrong(is_wrong: bool) -> Option<Measured> {
        Some(Measured { value: Some(0.0), verdict: if is_wrong { Verdict::Wrong } else { Verdict::Right } })
    }

    /// One look after the other; what was told, and what was written.
    fn run(row: &mut AlertRow, looks: &[bool], from: i64, audience: &Audience) -> (Vec<ToldKind>, Vec<AlertEntryKind>) {
        let (mut told, mut written) = (vec![], vec![]);
        for (minute, is_wrong) in looks.iter().enumerate() {
            let step = step(row, wrong(*is_wrong), audience, at(from + minute as i64)).unwrap();
            told.extend(step.told.map(|told| told.kind));
            written.extend(step.entries.into_iter().map(|(kind, ..)| kind));
            row.standing = step.standing;
        }
        (told, written)
    }

    #[test]
    fn what_is_silenced_is_written_down_and_told_when_the_silence_is_over() {
        use AlertEntryKind::{Fired, Resolved, Told};
        let mut row = row();
        let id = AlertSilenceId::from_uuid(Uuid::nil());
        let silence = AlertSilence { id, rule: None, from: at(0), until: at(5), reason: "a".into(), by: None };
        let audience = Audience { silences: vec![silence], has_addresses: true };
        assert_eq!(run(&mut row, &[true, true, true], 0, &audience), (vec![], vec![Fired]));
        assert_eq!(run(&mut row, &[true, true, true], 3, &audience), (vec![ToldKind::Fired], vec![Told]));
        assert_eq!(run(&mut row, &[false; 4], 6, &audience), (vec![ToldKind::Resolved], vec![Resolved]));
    }

    #[test]
    fn a_rule_that_flaps_is_told_so_often_within_an_hour() {
        let mut row = row();
        let looks: Vec<bool> = (0..60).map(|minute| minute % 6 < 3).collect();
        let (told, written) = run(&mut row, &looks, 0, &ALL);
        assert_eq!((told.len(), written.len()), (TOLD_PER_HOUR_MAX, 20), "{told:?} {written:?}");
    }

    #[test]
    fn who_was_told_of_a_rule_that_is_disabled_is_told_that_it_is_over() {
        let mut row = row();
        run(&mut row, &[true, true], 0, &ALL);
        assert!(row.standing.told_firing);
        row.standing = row.standing.of_changed_rule();
        let over = step(&row, None, &ALL, at(3)).unwrap();
        assert_eq!(over.told.map(|told| told.kind), Some(ToldKind::Resolved));
        row.standing = over.standing;
        assert!(step(&row, None, &ALL, at(4)).is_none());
    }
}
