//! The tables behind the public status page: how each part fares and fared, and what the operator told of trouble. The only place that
//! writes them. Nothing of a tenant is in them.

use super::Operator;
use crate::{ActOfOperator, StoreError, chance, database::write::Write};
use domain::{
    Act, IncidentId, Timestamp,
    billing::Day,
    operations::{
        incident::{Incident, IncidentState, IncidentUpdate, NewIncident, Statement, UPDATES_MAX},
        status::{DAYS, LOOK_EVERY_MS, Part, PartDay, PartState, missed_looks},
    },
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement as Sql, Value};

/// Incidents that are kept.
const INCIDENTS_KEPT: i64 = 200;
/// Days that are kept beyond those that are shown.
const DAYS_KEPT_MORE: i32 = 2;

/// How a part was seen last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartSeen {
    pub part: Part,
    pub state: PartState,
    /// It is so since then.
    pub since: Timestamp,
    pub seen_at: Timestamp,
}

/// What became of something that was to be said of an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    Done,
    /// There is no such incident.
    Unknown,
    /// Enough was said of it.
    Full,
}

#[derive(FromQueryResult)]
struct PartRow {
    part: String,
    state: String,
    since_ms: i64,
    seen_ms: i64,
}

#[derive(FromQueryResult)]
struct DayRow {
    part: String,
    day: i32,
    works: i32,
    degraded: i32,
    down: i32,
}

#[derive(FromQueryResult)]
struct IncidentRow {
    id: String,
    title: String,
    begun_at_ms: i64,
    ended_at_ms: Option<i64>,
}

#[derive(FromQueryResult)]
struct UpdateRow {
    incident_id: String,
    at_ms: i64,
    state: String,
    text: String,
}

/// Along the index `status_incidents_by_time`. One that goes on is told however old it is. `$1`: how many.
const NEWEST: &str = "SELECT id, title, begun_at_ms, ended_at_ms FROM status_incidents WHERE ended_at_ms IS NULL OR id IN \
     (SELECT id FROM status_incidents ORDER BY begun_at_ms DESC, id DESC LIMIT $1) ORDER BY begun_at_ms DESC, id DESC";
/// By the primary key. `$1`: how many incidents.
const UPDATES: &str = "SELECT incident_id, at_ms, state, text FROM status_updates WHERE incident_id IN \
     (SELECT id FROM status_incidents WHERE ended_at_ms IS NULL OR id IN \
     (SELECT id FROM status_incidents ORDER BY begun_at_ms DESC, id DESC LIMIT $1)) ORDER BY incident_id, number DESC";

impl Operator<'_> {
    /// Adds a look to the sums of today. The looks before it that nobody made found the first part down: nobody was there to answer.
    pub async fn note_look(self, states: &[(Part, PartState)]) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let today = Day::of(write.now);
        if let Some(seen_ms) = last_look(&write).await? {
            // Day by day, backwards from this look.
            let mut at = write.now.plus_ms(-LOOK_EVERY_MS);
            let mut missed = missed_looks(seen_ms, write.now.ms());
            while missed > 0 {
                let day = Day::of(at);
                let of_day = u32::try_from(at.ms_since(day.start()) / LOOK_EVERY_MS.unsigned_abs() + 1).unwrap_or(u32::MAX).min(missed);
                add(&write, Part::Api, PartDay { down: of_day, ..PartDay::unseen(day) }).await?;
                missed -= of_day;
                at = day.start().plus_ms(-LOOK_EVERY_MS);
            }
        }
        for (part, state) in states {
            let none = PartDay::unseen(today);
            let look = match state {
                PartState::Works => PartDay { works: 1, ..none },
                PartState::Degraded => PartDay { degraded: 1, ..none },
                PartState::Down => PartDay { down: 1, ..none },
            };
            add(&write, *part, look).await?;
            let sql = "INSERT INTO status_parts (part, state, since_ms, seen_ms) VALUES ($1, $2, $3, $3) ON CONFLICT (part) DO UPDATE SET \
                       since_ms = CASE WHEN status_parts.state = excluded.state THEN status_parts.since_ms ELSE excluded.since_ms END, \
                       state = excluded.state, seen_ms = excluded.seen_ms";
            let values = [part.as_str().into(), state.as_str().into(), write.now.ms().into()];
            write.tx.execute_raw(write.statement(sql, values)).await?;
        }
        let old = today.plus(-i32::from(DAYS) - DAYS_KEPT_MORE).0;
        write.tx.execute_raw(write.statement("DELETE FROM status_days WHERE day < $1", [old.into()])).await?;
        write.commit().await
    }

    /// Nobody looks any more: what comes until somebody does again is nobody's fault.
    pub async fn forget_looks(self) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        write.tx.execute_raw(write.statement("DELETE FROM status_parts", [])).await?;
        write.commit().await
    }

    /// How each part was seen last, and its days.
    pub async fn parts_seen(self) -> Result<(Vec<PartSeen>, Vec<(Part, PartDay)>), StoreError> {
        let parts: Vec<PartRow> = self.read("SELECT part, state, since_ms, seen_ms FROM status_parts", vec![]).await?;
        let days: Vec<DayRow> = self.read("SELECT part, day, works, degraded, down FROM status_days", vec![]).await?;
        let seen = |row: PartRow| {
            let (since, seen_at) = (Timestamp::from_ms(row.since_ms), Timestamp::from_ms(row.seen_ms));
            Some(PartSeen { part: Part::named(&row.part)?, state: PartState::named(&row.state)?, since, seen_at })
        };
        let count = |looks: i32| u32::try_from(looks).unwrap_or_default();
        let day = |row: DayRow| {
            let (works, degraded, down) = (count(row.works), count(row.degraded), count(row.down));
            Some((Part::named(&row.part)?, PartDay { day: Day(row.day), works, degraded, down }))
        };
        Ok((parts.into_iter().filter_map(seen).collect(), days.into_iter().filter_map(day).collect()))
    }

    /// Those that go on and the newest, each with all that was said of it.
    pub async fn incidents(self, limit: u16) -> Result<Vec<Incident>, StoreError> {
        let rows: Vec<IncidentRow> = self.read(NEWEST, vec![i64::from(limit).into()]).await?;
        let said: Vec<UpdateRow> = self.read(UPDATES, vec![i64::from(limit).into()]).await?;
        let updates = |id: &str| {
            let of = said.iter().filter(|update| update.incident_id == id);
            let update = |row: &UpdateRow| {
                Some(IncidentUpdate { at: Timestamp::from_ms(row.at_ms), state: IncidentState::named(&row.state)?, text: row.text.clone() })
            };
            of.filter_map(update).collect()
        };
        let incident = |row: IncidentRow| {
            Some(Incident {
                id: row.id.parse().ok()?,
                updates: updates(&row.id),
                title: row.title,
                begun_at: Timestamp::from_ms(row.begun_at_ms),
                ended_at: row.ended_at_ms.map(Timestamp::from_ms),
            })
        };
        Ok(rows.into_iter().filter_map(incident).collect())
    }

    /// Tells everybody of an incident; the oldest of very many is forgotten.
    pub async fn tell_incident(self, incident: &NewIncident, act: ActOfOperator<'_>) -> Result<IncidentId, StoreError> {
        let write = self.store.write().await?;
        let id = IncidentId::from_uuid(chance::new_id());
        let begun = write.now.plus_ms(-incident.begun_before_ms);
        let ended = (incident.first.state == IncidentState::Resolved).then(|| write.now.ms());
        let sql = "INSERT INTO status_incidents (id, title, begun_at_ms, ended_at_ms) VALUES ($1, $2, $3, $4)";
        let values = [id.to_string().into(), incident.title.as_str().into(), begun.ms().into(), ended.into()];
        write.tx.execute_raw(write.statement(sql, values)).await?;
        say(&write, id, 1, &incident.first).await?;
        let kept = "SELECT id FROM status_incidents ORDER BY begun_at_ms DESC, id DESC LIMIT $1";
        for sql in [
            format!("DELETE FROM status_updates WHERE incident_id NOT IN ({kept})"),
            format!("DELETE FROM status_incidents WHERE id NOT IN ({kept})"),
        ] {
            write.tx.execute_raw(write.statement(&sql, [INCIDENTS_KEPT.into()])).await?;
        }
        act.note(&write, None, Act::StatusPublished, &incident.title).await?;
        write.commit().await?;
        Ok(id)
    }

    /// Says more of an incident. One that is over is over since this was said first.
    pub async fn say_of_incident(self, id: IncidentId, statement: &Statement, act: ActOfOperator<'_>) -> Result<Said, StoreError> {
        let write = self.store.write().await?;
        // Locks the row: two who speak at once speak one after the other.
        let sql = "UPDATE status_incidents SET ended_at_ms = CASE WHEN $2 = 'resolved' THEN COALESCE(ended_at_ms, $3) ELSE NULL END WHERE id = $1 \
                   RETURNING title, ended_at_ms";
        let values = [id.to_string().into(), statement.state.as_str().into(), write.now.ms().into()];
        let Some(row) = write.tx.query_one_raw(write.statement(sql, values)).await? else {
            write.abandon().await?;
            return Ok(Said::Unknown);
        };
        let (title, ended_at_ms): (String, Option<i64>) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        // However much was said of it, it can be over.
        let ends = ended_at_ms == Some(write.now.ms());
        let sql = "SELECT COALESCE(MAX(number), 0) FROM status_updates WHERE incident_id = $1";
        let last = write.tx.query_one_raw(write.statement(sql, [id.to_string().into()])).await?;
        let last: i32 = last.map_or(Ok(0), |row| row.try_get_by_index(0))?;
        if last >= i32::try_from(UPDATES_MAX).unwrap_or(i32::MAX) && !ends {
            write.abandon().await?;
            return Ok(Said::Full);
        }
        say(&write, id, last + 1, statement).await?;
        act.note(&write, None, Act::StatusPublished, format!("{title}: {}", statement.state.as_str())).await?;
        write.commit().await?;
        Ok(Said::Done)
    }

    /// The page is there for everybody, or for nobody.
    pub async fn note_status_page(self, is_on: bool, act: ActOfOperator<'_>) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        act.note(&write, None, Act::StatusPublished, if is_on { "the page is there" } else { "the page is gone" }).await?;
        write.commit().await
    }

    /// Which engine keeps the rows; of PostgreSQL, whether policies bind this process.
    pub async fn engine(self) -> domain::operations::readiness::Engine {
        use domain::operations::readiness::Engine;
        match self.store.shared.get_database_backend() {
            DbBackend::Postgres => {
                Engine::Postgres { policies_bind: self.store.passes_row_level_security().await.ok().map(|passes| !passes) }
            }
            _ => Engine::Sqlite,
        }
    }

    async fn read<T: FromQueryResult>(self, sql: &str, values: Vec<Value>) -> Result<Vec<T>, StoreError> {
        let db = &self.store.shared;
        Ok(T::find_by_statement(Sql::from_sql_and_values(db.get_database_backend(), sql, values)).all(db).await?)
    }
}

/// When somebody looked last. `None`: nobody did since looks were forgotten.
async fn last_look(write: &Write) -> Result<Option<i64>, StoreError> {
    let row = write.tx.query_one_raw(write.statement("SELECT MAX(seen_ms) FROM status_parts", [])).await?;
    Ok(row.map_or(Ok(None), |row| row.try_get_by_index::<Option<i64>>(0))?)
}

async fn add(write: &Write, part: Part, looks: PartDay) -> Result<(), StoreError> {
    let sql = "INSERT INTO status_days (part, day, works, degraded, down) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (part, day) DO UPDATE SET \
               works = status_days.works + excluded.works, degraded = status_days.degraded + excluded.degraded, \
               down = status_days.down + excluded.down";
    let count = |looks: u32| i32::try_from(looks).unwrap_or(i32::MAX).into();
    let values = [part.as_str().into(), looks.day.0.into(), count(looks.works), count(looks.degraded), count(looks.down)];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    Ok(())
}

async fn say(write: &Write, id: IncidentId, number: i32, statement: &Statement) -> Result<(), StoreError> {
    let sql = "INSERT INTO status_updates (incident_id, number, at_ms, state, text) VALUES ($1, $2, $3, $4, $5)";
    let (state, text) = (statement.state.as_str(), statement.text.as_str());
    let values = [id.to_string().into(), number.into(), write.now.ms().into(), state.into(), text.into()];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn incidents_are_looked_at_along_their_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        for sql in [NEWEST, UPDATES] {
            let explained = Sql::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {}", sql.replace("$1", "5")));
            let plan = store.shared.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.iter().any(|step| step.contains("status_incidents_by_time")), "{steps:?}");
            assert!(!steps.iter().any(|step| step == "SCAN status_updates"), "{steps:?}");
        }
    }
}
