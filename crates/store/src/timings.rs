//! What the stages really took: the numbers behind every estimate.

use crate::{
    Store, StoreError, chance,
    entity::{signed, stage_timing as table},
    rows::this_place,
};
use domain::{Shape, Size, Stage, VideoTime, WorkerId, scheduling::Words};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

const TABLE: &str = "stage_timings";
/// Measurements kept of each model and stage.
const KEPT: i64 = 1000;

/// One stage of one clip, in device time: a step of a batch of four counts a quarter for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageTiming {
    pub worker: WorkerId,
    /// What the kind of device is called.
    pub device: String,
    pub model: String,
    pub stage: Stage,
    pub shape: Shape,
    /// Denoising steps done; 0 for decoding.
    pub steps: u32,
    /// Those of the prompt, as far as they are known.
    pub words: Words,
    pub device_ms: u64,
}

/// A measurement among the others, in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimingPlace(i64, Uuid);

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
            device: Set(Some(timing.device)),
            words: Set(Some(timing.words.to_string())),
        };
        row.insert(&write.tx).await?;
        write.commit().await
    }

    /// What was measured after this place, the oldest first; all that is kept, of `None`.
    pub async fn after(self, place: Option<TimingPlace>, limit: u64) -> Result<Vec<(TimingPlace, StageTiming)>, StoreError> {
        // Servers of before did not say how long the video was.
        let mut rows = table::Entity::find().filter(table::Column::DurationMs.is_not_null());
        if let Some(TimingPlace(measured_at_ms, id)) = place {
            rows = rows.filter(
                Expr::tuple([Expr::col(table::Column::MeasuredAtMs), Expr::col(table::Column::Id)]).gt(this_place((measured_at_ms, id))),
            );
        }
        let rows = rows.order_by_asc(table::Column::MeasuredAtMs).order_by_asc(table::Column::Id).limit(limit);
        let rows = self.store.shared.query_all(&rows.into_query()).await?;
        Ok(rows.iter().filter_map(|row| table::Model::from_query_result(row, "").ok()).filter_map(timing).collect())
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

/// `None`: written by another version.
fn timing(row: table::Model) -> Option<(TimingPlace, StageTiming)> {
    let side = |side: i32| u32::try_from(side).ok();
    let size = Size { width: side(row.width)?, height: side(row.height)? };
    let timing = StageTiming {
        worker: WorkerId::from_uuid(row.worker_id),
        device: row.device.unwrap_or_default(),
        stage: [Stage::Sampling, Stage::Decoding].into_iter().find(|stage| stage.as_str() == row.stage)?,
        model: row.model,
        shape: Shape { size, duration: VideoTime::from_ms(row.duration_ms?.try_into().ok()?) },
        steps: row.steps.try_into().ok()?,
        words: row.words.and_then(|words| words.parse().ok()).unwrap_or(Words::NONE),
        device_ms: row.device_ms.try_into().ok()?,
    };
    Some((TimingPlace(row.measured_at_ms, row.id), timing))
}
