//! What the stages really took: the numbers behind every estimate.

use crate::{Store, StoreError, chance, entity::stage_timing as table, rows::signed};
use domain::{Interval, Size, Stage, WorkerId, scheduling::StageCosts};
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
    pub size: Size,
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
            width: Set(signed(TABLE, "width", timing.size.width)?),
            height: Set(signed(TABLE, "height", timing.size.height)?),
            steps: Set(signed(TABLE, "steps", timing.steps)?),
            device_ms: Set(signed(TABLE, "device_ms", timing.device_ms)?),
            measured_at_ms: Set(write.now.ms()),
        };
        row.insert(&write.tx).await?;
        write.commit().await
    }

    /// Median and 90th percentile over the newest 64 measurements of each stage of `model`; decoding at
    /// `size` where there are any, else at the nearest size measured. `None` until both were measured.
    pub async fn costs(self, model: &str, size: Size) -> Result<Option<StageCosts>, StoreError> {
        let sampled = self.newest(model, Stage::Sampling, None).await?;
        let step = interval(sampled.iter().filter(|row| row.steps > 0).map(|row| row.device_ms as f64 / f64::from(row.steps)).collect());
        let Some(nearest) = self.nearest_decoded(model, size).await? else { return Ok(None) };
        let decoded = self.newest(model, Stage::Decoding, Some(nearest)).await?;
        let decode = interval(decoded.iter().map(|row| row.device_ms as f64).collect());
        Ok(step.zip(decode).map(|(step, decode)| StageCosts { step, decode }))
    }

    async fn newest(self, model: &str, stage: Stage, size: Option<(i32, i32)>) -> Result<Vec<table::Model>, StoreError> {
        let mut query = of_stage(model, stage);
        if let Some((width, height)) = size {
            query = query.filter(table::Column::Width.eq(width)).filter(table::Column::Height.eq(height));
        }
        let newest_first = query.order_by_desc(table::Column::MeasuredAtMs).order_by_desc(table::Column::Id);
        Ok(newest_first.limit(WINDOW).all(&self.store.db).await?)
    }

    /// The decoded size whose area is nearest to that of `size`.
    async fn nearest_decoded(self, model: &str, size: Size) -> Result<Option<(i32, i32)>, StoreError> {
        let sizes: Vec<(i32, i32)> = of_stage(model, Stage::Decoding)
            .select_only()
            .columns([table::Column::Width, table::Column::Height])
            .distinct()
            .into_tuple()
            .all(&self.store.db)
            .await?;
        let wanted = i64::from(size.width) * i64::from(size.height);
        Ok(sizes.into_iter().min_by_key(|(width, height)| (i64::from(*width) * i64::from(*height)).abs_diff(wanted)))
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
