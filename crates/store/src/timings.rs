//! What the stages really took: the numbers behind every estimate.

use crate::{
    Store, StoreError, chance,
    entity::{signed, stage_timing as table},
};
use domain::{Interval, Shape, Size, Stage, VideoTime, WorkerId, scheduling::StageCosts};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};

const TABLE: &str = "stage_timings";
/// Measurements an estimate is made of.
const WINDOW: u64 = 64;
/// Measurements kept of each model and stage.
const KEPT: i64 = 1000;

/// One stage of one clip, in device time: a step of a batch of four counts a quarter for each.
#[derive(Debug, Clone)]
pub struct StageTiming {
    pub worker: WorkerId,
    pub model: String,
    pub stage: Stage,
    pub shape: Shape,
    /// Denoising steps done; 0 for decoding.
    pub steps: u32,
    pub device_ms: u64,
}

#[derive(Clone, Copy)]
pub struct Timings<'a> {
    store: &'a Store,
}

impl<'a> Timings<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub async fn record(self, timing: StageTiming) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let row = table::ActiveModel {
            id: Set(chance::new_id()),
            worker_id: Set(timing.worker.uuid()),
            model: Set(timing.model),
            stage: Set(timing.stage.as_str().to_owned()),
            width: Set(signed(TABLE, "width", timing.shape.size.width)?),
            height: Set(signed(TABLE, "height", timing.shape.size.height)?),
            steps: Set(signed(TABLE, "steps", timing.steps)?),
            device_ms: Set(signed(TABLE, "device_ms", timing.device_ms)?),
            measured_at_ms: Set(write.now.ms()),
            duration_ms: Set(Some(signed(TABLE, "duration_ms", timing.shape.duration.ms())?)),
        };
        row.insert(&write.tx).await?;
        write.commit().await
    }

    /// Median and 90th percentile over the newest 64 measurements of each stage of `model`; decoding of `shape` where there
    /// are any, else of the nearest one that was measured, longer or shorter by as much as there is more or less to draw.
    /// `None` until both stages were measured.
    pub async fn costs(self, model: &str, shape: Shape) -> Result<Option<StageCosts>, StoreError> {
        let sampled = newest(of_stage(model, Stage::Sampling)).all(&self.store.shared).await?;
        let step = interval(sampled.iter().filter(|row| row.steps > 0).map(|row| row.device_ms as f64 / f64::from(row.steps)).collect());
        let Some(nearest) = self.nearest_decoded(model, shape).await? else { return Ok(None) };
        let factor = shape.volume() / nearest.shape_or(shape).volume();
        let decoded = newest(nearest.rows(model)).all(&self.store.shared).await?;
        let decode = interval(decoded.iter().map(|row| row.device_ms as f64 * factor).collect());
        Ok(step.zip(decode).map(|(step, decode)| StageCosts { step, decode }))
    }

    /// What was decoded whose volume is nearest to that of `shape`, of what is told with its length before the rest.
    async fn nearest_decoded(self, model: &str, shape: Shape) -> Result<Option<Decoded>, StoreError> {
        let decoded: Vec<(i32, i32, Option<i64>)> = of_stage(model, Stage::Decoding)
            .select_only()
            .columns([table::Column::Width, table::Column::Height, table::Column::DurationMs])
            .distinct()
            .into_tuple()
            .all(&self.store.shared)
            .await?;
        let decoded = decoded.into_iter().map(|(width, height, duration_ms)| Decoded { width, height, duration_ms });
        let distance = |decoded: &Decoded| (decoded.shape_or(shape).volume() / shape.volume()).ln().abs();
        let known_first = |decoded: &Decoded| decoded.duration_ms.is_none();
        Ok(decoded.min_by(|one, other| known_first(one).cmp(&known_first(other)).then(distance(one).total_cmp(&distance(other)))))
    }

    /// Drops all but the newest 1,000 rows of each model and stage.
    pub async fn trim(self) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let statement = write.statement(
            "DELETE FROM stage_timings WHERE id IN (SELECT id FROM (SELECT id, ROW_NUMBER() OVER \
             (PARTITION BY model, stage ORDER BY measured_at_ms DESC, id DESC) AS place FROM stage_timings) AS placed WHERE place > $1)",
            [KEPT.into()],
        );
        write.tx.execute_raw(statement).await?;
        write.commit().await
    }
}

/// A shape that was timed, as its rows have it.
struct Decoded {
    width: i32,
    height: i32,
    /// `None`: a server of before, which did not say it.
    duration_ms: Option<i64>,
}

impl Decoded {
    /// As long as `wanted` where that is not known.
    fn shape_or(&self, wanted: Shape) -> Shape {
        let side = |side: i32| u32::try_from(side).unwrap_or_default().max(1);
        let duration = self.duration_ms.and_then(|ms| u64::try_from(ms).ok()).map_or(wanted.duration, VideoTime::from_ms);
        Shape { size: Size { width: side(self.width), height: side(self.height) }, duration }
    }

    fn rows(&self, model: &str) -> Select<table::Entity> {
        let rows =
            of_stage(model, Stage::Decoding).filter(table::Column::Width.eq(self.width)).filter(table::Column::Height.eq(self.height));
        match self.duration_ms {
            Some(ms) => rows.filter(table::Column::DurationMs.eq(ms)),
            None => rows.filter(table::Column::DurationMs.is_null()),
        }
    }
}

fn newest(rows: Select<table::Entity>) -> Select<table::Entity> {
    rows.order_by_desc(table::Column::MeasuredAtMs).order_by_desc(table::Column::Id).limit(WINDOW)
}

fn of_stage(model: &str, stage: Stage) -> Select<table::Entity> {
    table::Entity::find().filter(table::Column::Model.eq(model)).filter(table::Column::Stage.eq(stage.as_str()))
}

/// Median and 90th percentile by the nearest rank; `None` of nothing.
fn interval(mut ms: Vec<f64>) -> Option<Interval> {
    ms.sort_by(f64::total_cmp);
    let rank = |percent: usize| ms.get((ms.len() * percent).div_ceil(100).saturating_sub(1)).map(|ms| ms.round() as u64);
    Some(Interval { p50_ms: rank(50)?, p90_ms: rank(90)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_values() {
        assert_eq!(interval(vec![]), None);
        assert_eq!(interval(vec![7.0]), Some(Interval { p50_ms: 7, p90_ms: 7 }));
        assert_eq!(interval((1..=10).rev().map(f64::from).collect()), Some(Interval { p50_ms: 5, p90_ms: 9 }));
    }
}
