//! The queue at this moment: who waits, line by line in the order of the claims, and who runs.

use super::order::{ORDER, behind, in_front_of, in_order, waits_in_line};
use crate::{Job, Store, StoreError, entity::job as table, rows::readable_tuples};
use domain::{
    JobId, Stage, TenantId,
    billing::Lane,
    scheduling::{EXACT, Line, LineOf, Mark, Place, QueueSnapshot, RunningJob, VirtualTime},
};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Select, Statement};
use uuid::Uuid;

/// The head of each line and then every so many-th job, out of one walk along the index `jobs_by_line`. From `$2` on: tenants that are paused,
/// whose jobs are in front of nobody.
fn marks_of_all_lines(paused: usize) -> String {
    let paused: Vec<_> = (2..2 + paused).map(|n| format!("${n}")).collect();
    let aside = VirtualTime::ASIDE.value();
    let going_on = if paused.is_empty() { String::new() } else { format!(" AND tenant_id NOT IN ({})", paused.join(", ")) };
    format!(
        "SELECT waits_for, model, lane, finish_tag, id, place FROM (\
         SELECT waits_for, model, lane, finish_tag, id, ROW_NUMBER() OVER line AS place \
         FROM jobs WHERE waits_for IS NOT NULL AND finish_tag < {aside}{going_on} \
         WINDOW line AS (PARTITION BY waits_for, model, lane ORDER BY {ORDER} ROWS UNBOUNDED PRECEDING)) AS placed \
         WHERE place <= $1 OR place % $1 = 0 ORDER BY waits_for, model, lane, place"
    )
}

#[derive(FromQueryResult)]
struct MarkRow {
    waits_for: String,
    model: String,
    lane: String,
    finish_tag: i64,
    id: Uuid,
    place: i64,
}

pub(super) async fn snapshot(store: &Store) -> Result<QueueSnapshot, StoreError> {
    let exact = i64::try_from(EXACT).unwrap_or(i64::MAX);
    let paused: Vec<_> = store.pauses().await?.tenants().map(TenantId::uuid).collect();
    let values = std::iter::once(exact.into()).chain(paused.iter().map(|tenant| (*tenant).into()));
    let marks = Statement::from_sql_and_values(store.db.get_database_backend(), marks_of_all_lines(paused.len()), values);
    let marks = store.db.query_all_raw(marks).await?;
    let mut marked: Vec<(Stage, Lane, String, Vec<Mark>)> = Vec::new();
    for row in marks.iter().filter_map(|row| MarkRow::from_query_result(row, "").ok()) {
        let stage = if row.waits_for == Stage::Sampling.as_str() { Stage::Sampling } else { Stage::Decoding };
        let (Some(lane), Some(mark)) = (Lane::named(&row.lane), mark(&row)) else { continue };
        match marked.last_mut() {
            Some((of, in_lane, model, line)) if (*of, *in_lane, &*model) == (stage, lane, &row.model) => line.push(mark),
            _ => marked.push((stage, lane, row.model, vec![mark])),
        }
    }
    let mut lines = Vec::with_capacity(marked.len());
    for (stage, lane, model, marks) in marked {
        let line = to_the_end(store, (stage, LineOf { lane, model: &model }), marks, &paused).await?;
        lines.push((stage, lane, model, line));
    }
    Ok(QueueSnapshot::new(lines, running(store).await?))
}

/// `None`: a row that cannot be.
fn mark(row: &MarkRow) -> Option<Mark> {
    Some(Mark {
        place: Place { finish: VirtualTime::new(row.finish_tag), job: JobId::from_uuid(row.id) },
        rank: row.place.try_into().ok()?,
    })
}

/// With a mark for each job behind the last one marked: fewer than [`EXACT`], and those that came meanwhile.
async fn to_the_end(store: &Store, (stage, line): (Stage, LineOf<'_>), mut marks: Vec<Mark>, paused: &[Uuid]) -> Result<Line, StoreError> {
    let Some(mut last) = marks.last().copied().filter(|last| last.rank >= EXACT) else { return Ok(Line::new(marks)) };
    let rest = table::Entity::find()
        .filter(table::Column::TenantId.is_not_in(paused.iter().copied()))
        .filter(waits_in_line(stage))
        .filter(table::Column::Model.eq(line.model))
        .filter(table::Column::Lane.eq(line.lane.as_str()))
        .filter(behind(last.place));
    let rest = in_order(rest).select_only().columns([table::Column::FinishTag, table::Column::Id]);
    let rest: Vec<(i64, Uuid)> = readable_tuples(&store.db, rest).await?;
    for (finish, id) in rest {
        last = Mark { place: Place { finish: VirtualTime::new(finish), job: JobId::from_uuid(id) }, rank: last.rank + 1 };
        marks.push(last);
    }
    Ok(Line::new(marks))
}

/// So many jobs in front of one are counted for it alone.
const COUNTED_MAX: u64 = 1000;

/// Where a job stands that waits, where 1 is next, as its line is now. `None`: it does not wait, or stands further back than is counted.
pub(super) async fn place_of(store: &Store, job: &Job) -> Result<Option<u64>, StoreError> {
    let Some(stage) = job.lifecycle.waits_for() else { return Ok(None) };
    let paused: Vec<_> = store.pauses().await?.tenants().map(TenantId::uuid).collect();
    let before: Vec<(Uuid,)> = readable_tuples(&store.db, in_front(stage, job.place(), &paused)).await?;
    let before = before.len() as u64;
    Ok((before < COUNTED_MAX).then_some(before + 1))
}

fn in_front(stage: Stage, (line, place): (LineOf<'_>, Place), paused: &[Uuid]) -> Select<table::Entity> {
    table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(table::Column::TenantId.is_not_in(paused.iter().copied()))
        .filter(table::Column::WaitsFor.eq(stage.as_str()))
        .filter(table::Column::Model.eq(line.model))
        .filter(table::Column::Lane.eq(line.lane.as_str()))
        .filter(in_front_of(place))
        .limit(COUNTED_MAX)
}

async fn running(store: &Store) -> Result<Vec<RunningJob>, StoreError> {
    let running = table::Entity::find()
        .select_only()
        .columns([table::Column::Id, table::Column::State])
        .filter(table::Column::State.is_in([Stage::Sampling, Stage::Decoding].map(Stage::as_str)));
    let rows: Vec<(Uuid, String)> = readable_tuples(&store.db, running).await?;
    let running = rows.into_iter().map(|(id, state)| {
        let stage = if state == Stage::Sampling.as_str() { Stage::Sampling } else { Stage::Decoding };
        RunningJob { job: JobId::from_uuid(id), stage }
    });
    Ok(running.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, QueryTrait};

    #[tokio::test]
    async fn what_stands_in_front_of_a_job_is_read_along_its_line() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let (line, nil) = (LineOf { lane: Lane::Batch, model: "m" }, Uuid::nil());
        let place = Place { finish: VirtualTime::new(5), job: JobId::from_uuid(nil) };
        let sql = format!("EXPLAIN QUERY PLAN {}", in_front(Stage::Sampling, (line, place), &[nil]).build(DbBackend::Sqlite));
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let along = "jobs_by_line (waits_for=? AND model=? AND lane=? AND (finish_tag,id)<(?,?))";
        assert!(steps.len() == 1 && steps[0].contains(along), "{steps:?}");
    }
}
