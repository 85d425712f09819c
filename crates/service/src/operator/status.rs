//! The public status page: whether there is one, what it shows, and the looks that it is made of.
//!
//! Everybody who asks within a second is told the same, so that a crowd costs the database one look a second.

use crate::{AccessError, Services};
use domain::{
    Actor, Forbidden, IncidentId, Permission, Timestamp,
    billing::{Day, Lane},
    operations::{
        incident::{Incident, IncidentError, IncidentState, NewIncident, Statement, UPDATES_MAX},
        status::{LOOK_EVERY_MS, Look, Part, PartDay, PartState, every_day, is_current, there_permyriad},
    },
    scheduling::PauseScope,
};
use std::{
    error::Error,
    sync::{Arc, PoisonError, atomic::Ordering},
    time::Duration,
};
use store::{ALIVE_MS, ActOfOperator, Asked, PartSeen, Said, Store, StoreError, chance, clock::Instant, in_time};
use tokio::time::timeout;

/// The name of the reconciler, in logs and metrics, and of who leads it.
pub(crate) const LOOK_AT_STATUS: &str = "look at status";
/// `on`, or there is no such page.
const SETTING: &str = "status_page";
/// More than the time between two looks, and so little more that another server, which looks once a minute, takes over before a look counts as missed.
const HELD_MS: i64 = LOOK_EVERY_MS + 40_000;
/// Nobody waits longer for what may be told without.
const SOON: Duration = Duration::from_secs(2);
const PART_WITHIN: Duration = Duration::from_secs(5);
/// No page waits longer to know whether it leads there.
const LED_WITHIN: Duration = Duration::from_millis(300);
/// Incidents that are shown, with those that go on.
const INCIDENTS_SHOWN: u16 = 20;
/// The oldest incident that is over and still shown to everybody: two weeks.
const OVER_SHOWN_MS: u64 = 14 * 24 * 60 * 60 * 1000;

/// What the page shows.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusSeen {
    pub now: Timestamp,
    pub parts: Vec<PartStatus>,
    /// The newest first.
    pub incidents: Vec<Incident>,
}

/// How a part fares and fared.
#[derive(Debug, Clone, PartialEq)]
pub struct PartStatus {
    pub part: Part,
    /// `None`: nobody has looked lately.
    pub state: Option<PartState>,
    /// The oldest first.
    pub days: Vec<PartDay>,
    /// Of ten thousand looks, those that found it there.
    pub there_permyriad: Option<u32>,
}

/// What the operator sees of it.
#[derive(Debug, Clone)]
pub struct StatusDesk {
    pub is_on: bool,
    pub seen: StatusSeen,
}

/// Why nothing was told.
#[derive(Debug, thiserror::Error)]
pub enum StatusError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Incident(#[from] IncidentError),
    #[error("there is no such incident")]
    Unknown,
    #[error("{UPDATES_MAX} times is enough: tell of a new incident")]
    Full,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What comes of `asked`, for who goes on without where that takes too long, as while the database does not answer.
pub async fn soon<T>(asked: impl Future<Output = T>) -> Option<T> {
    timeout(SOON, asked).await.ok()
}

impl Services {
    /// What everybody may see. `None`: the operator has no such page. While the database does not answer, that is what is told, beside what was
    /// seen last.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer, and has not since this server began.
    pub async fn public_status(&self) -> Result<Option<Arc<StatusSeen>>, StoreError> {
        let last = || self.recent_parts.last_status.lock().unwrap_or_else(PoisonError::into_inner);
        let error = match timeout(SOON, self.status_now()).await {
            Ok(Ok(seen)) => {
                last().clone_from(&seen);
                self.recent_parts.shows_status.store(seen.is_some(), Ordering::Relaxed);
                return Ok(seen);
            }
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        let known = last().clone();
        match (known, error) {
            (Some(seen), _) => Ok(Some(Arc::new(without_database(&seen, self.store.local_now())))),
            (None, Some(error)) => Err(error),
            (None, None) => self.status_now().await,
        }
    }

    /// Whether everybody may see the page, for a page that leads there; no, where that is not known at once.
    pub async fn shows_status(&self) -> bool {
        let Ok(Ok(is_on)) = timeout(LED_WITHIN, is_on(&self.store)).await else { return false };
        self.recent_parts.shows_status.store(is_on, Ordering::Relaxed);
        is_on
    }

    /// The same for every page: as this server last saw it, at the start page, at the page itself, or when it was switched.
    #[must_use]
    pub fn showed_status(&self) -> bool {
        self.recent_parts.shows_status.load(Ordering::Relaxed)
    }

    async fn status_now(&self) -> Result<Option<Arc<StatusSeen>>, StoreError> {
        let store = self.store.clone();
        let ask = || async move {
            if !is_on(&store).await? {
                return Ok(None);
            }
            let mut seen = seen(&store).await?;
            let is_shown = |incident: &Incident| incident.ended_at.is_none_or(|ended| seen.now.ms_since(ended) <= OVER_SHOWN_MS);
            seen.incidents.retain(is_shown);
            Ok(Some(Arc::new(seen)))
        };
        self.recent_parts.status.get((), ask).await
    }

    /// # Errors
    /// [`AccessError`] when `actor` may not look, or the database does not answer.
    pub async fn status_desk(&self, actor: Actor) -> Result<StatusDesk, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        Ok(StatusDesk { is_on: is_on(&self.store).await?, seen: seen(&self.store).await? })
    }

    /// Everybody may see the page from now on, or nobody.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not, or the database does not answer.
    pub async fn show_status(&self, actor: Actor, by: Option<Asked<'_>>, is_on: bool) -> Result<(), AccessError> {
        actor.require(Permission::PublishStatus)?;
        let operator = self.store.operator();
        // Before it is switched off: what nobody looks at from then on is not down. Before it is switched on again as well: a look that was under way may
        // have been written down after it was off.
        let was_off = !self::is_on(&self.store).await?;
        if !is_on || was_off {
            operator.forget_looks().await?;
        }
        self.store.settings().set(SETTING, if is_on { "on" } else { "off" }).await?;
        operator.note_status_page(is_on, ActOfOperator { by, reason: "" }).await?;
        self.recent_parts.status.forget(&());
        self.recent_parts.shows_status.store(is_on, Ordering::Relaxed);
        if is_on && was_off {
            // Or whoever opens it now would read that nobody has looked.
            self.look_at_status(Actor::System).await?;
        }
        Ok(())
    }

    /// Tells everybody of an incident.
    ///
    /// # Errors
    /// [`StatusError`]; nothing was told.
    pub async fn tell_incident(&self, actor: Actor, by: Option<Asked<'_>>, incident: &NewIncident) -> Result<IncidentId, StatusError> {
        actor.require(Permission::PublishStatus)?;
        let id = self.store.operator().tell_incident(incident, ActOfOperator { by, reason: "" }).await?;
        self.recent_parts.status.forget(&());
        Ok(id)
    }

    /// Says more of an incident.
    ///
    /// # Errors
    /// [`StatusError`]; nothing was told.
    pub async fn say_of_incident(
        &self,
        actor: Actor,
        by: Option<Asked<'_>>,
        id: IncidentId,
        statement: &Statement,
    ) -> Result<IncidentState, StatusError> {
        actor.require(Permission::PublishStatus)?;
        match self.store.operator().say_of_incident(id, statement, ActOfOperator { by, reason: "" }).await? {
            Said::Done => {
                self.recent_parts.status.forget(&());
                Ok(statement.state)
            }
            Said::Unknown => Err(StatusError::Unknown),
            Said::Full => Err(StatusError::Full),
        }
    }

    /// Looks at every part and writes down what was seen, if there is a page for it.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn look_at_status(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        if !is_on(&self.store).await? {
            return Ok(());
        }
        let states = self.look().await?.states();
        Ok(self.store.operator().note_look(&states).await?)
    }

    async fn look(&self) -> Result<Look, StoreError> {
        let begun = Instant::now();
        self.store.ping().await?;
        let database_ms = begun.elapsed().as_millis() as u64;
        let (now, numbers, pauses, has_failing_worker, has_workers, objects) = tokio::join!(
            timeout(PART_WITHIN, self.store.now()),
            Box::pin(timeout(PART_WITHIN, self.queue_numbers())),
            timeout(PART_WITHIN, self.store.pauses()),
            timeout(PART_WITHIN, self.store.workers().any_failing(ALIVE_MS)),
            timeout(PART_WITHIN, self.has_workers()),
            timeout(PART_WITHIN, self.objects.ping()),
        );
        let waits = |(numbers, now): (crate::operator::QueueNumbers, Timestamp)| {
            let interactive = numbers.lines.iter().filter(|line| line.lane == Lane::Interactive);
            interactive.filter_map(|line| line.going_on_since).map(|since| now.ms_since(since)).max().unwrap_or(0)
        };
        Ok(Look {
            database_ms,
            is_paused: known(pauses).map(|pauses| pauses.all().iter().any(|pause| pause.scope == PauseScope::Everything)),
            longest_wait_ms: known(numbers).zip(known(now)).map(waits),
            has_workers: known(has_workers),
            has_failing_worker: known(has_failing_worker),
            // One that does not answer is not there for those who want their videos either.
            has_objects: Some(objects.is_ok_and(|answer| answer.is_ok())),
        })
    }

    /// As [`store::Store::operator`] has them, at most once a moment.
    pub(crate) async fn credit_totals(&self) -> Result<(domain::VideoTime, domain::VideoTime), StoreError> {
        let store = self.store.clone();
        self.recent_parts.credit_totals.get((), || async move { store.operator().credit_totals().await }).await
    }
}

/// As it was seen last, of an installation whose database does not answer: pages and API do nothing without it, and of the rest nobody knows.
fn without_database(seen: &StatusSeen, now: Timestamp) -> StatusSeen {
    let part = |part: &PartStatus| PartStatus { state: (part.part == Part::Api).then_some(PartState::Down), ..part.clone() };
    StatusSeen { now, parts: seen.parts.iter().map(part).collect(), incidents: seen.incidents.clone() }
}

fn known<T>(answer: Result<Result<T, StoreError>, tokio::time::error::Elapsed>) -> Option<T> {
    answer.ok()?.ok()
}

async fn is_on(store: &Store) -> Result<bool, StoreError> {
    Ok(store.settings().find(SETTING).await?.as_deref() == Some("on"))
}

async fn seen(store: &Store) -> Result<StatusSeen, StoreError> {
    let (now, operator) = (store.now().await?, store.operator());
    let ((parts, days), incidents) = (operator.parts_seen().await?, operator.incidents(INCIDENTS_SHOWN).await?);
    let today = Day::of(now);
    let status = |part: Part| {
        let own: Vec<PartDay> = days.iter().filter(|(of, _)| *of == part).map(|(_, day)| *day).collect();
        let days = every_day(today, &own);
        let is_lately = |seen: &&PartSeen| seen.part == part && is_current(seen.seen_at.ms(), now.ms());
        let state = parts.iter().find(is_lately).map(|seen| seen.state);
        PartStatus { part, state, there_permyriad: there_permyriad(&days), days }
    };
    Ok(StatusSeen { now, parts: Part::EVERY.map(status).into(), incidents })
}

/// Looks again and again while this server leads and there is a page. Runs until dropped.
pub(crate) async fn follow(services: Services) {
    let holder = chance::new_id().to_string();
    loop {
        let done = follow_once(&services, &holder).await;
        services.metrics.note_run(LOOK_AT_STATUS, done.is_ok());
        if let Err(error) = done {
            tracing::warn!(error = &error as &dyn Error, "how the installation fares was not written down");
        }
        tokio::time::sleep(Duration::from_millis(LOOK_EVERY_MS.unsigned_abs())).await;
    }
}

async fn follow_once(services: &Services, holder: &str) -> Result<(), AccessError> {
    // What it shows is known from then on, should the database go away.
    if services.public_status().await?.is_none() {
        return Ok(());
    }
    if in_time(services.store.leaders().hold(LOOK_AT_STATUS, holder, HELD_MS)).await? {
        services.look_at_status(Actor::System).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_its_database_an_installation_is_down_and_nothing_else_is_known() {
        let part = |part| PartStatus { part, state: Some(PartState::Works), days: vec![], there_permyriad: Some(10_000) };
        let seen = StatusSeen { now: Timestamp::from_ms(5), parts: Part::EVERY.map(part).into(), incidents: vec![] };
        let told = without_database(&seen, Timestamp::from_ms(9));
        let states: Vec<_> = told.parts.iter().map(|part| part.state).collect();
        assert_eq!((states, told.now.ms()), (vec![Some(PartState::Down), None, None, None], 9));
    }
}
