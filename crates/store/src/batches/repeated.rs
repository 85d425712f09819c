//! A batch that is asked for again: by its key, or by a client that sends none and says that it has sent the same before.

use super::{Batch, BatchRefusal, BatchSource, Batches, NewBatch, row::parsed};
use crate::{StoreError, database::write::Write, entity::batch as table};
use domain::{BatchId, retention::RETRIES_EXPECTED_MS};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

/// A client asks again soon: of more batches than these the last is not looked for.
const LOOKED_AT: u64 = 100;

/// How a batch is known when it comes again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchRepetition {
    /// The client's key for it: a repetition under it finds the first batch, as long as that is kept.
    pub key: Option<String>,
    /// A client that sends no key says that it has sent the same before.
    pub was_sent: bool,
}

impl Batches<'_> {
    /// What was made of the same request earlier.
    pub(super) async fn earlier(self, write: &Write, new: &NewBatch) -> Result<Option<Batch>, BatchRefusal> {
        let of_tenant = table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid()));
        if let Some(key) = &new.repetition.key {
            let found = of_tenant.filter(table::Column::IdempotencyKey.eq(key)).one(&write.tx).await?;
            let found = found.map(parsed).transpose()?;
            return match found {
                Some(batch) if !is_same(&batch, new) => Err(BatchRefusal::KeyReused),
                found => Ok(found),
            };
        }
        if !new.repetition.was_sent {
            return Ok(None);
        }
        let since_ms = write.now.plus_ms(-RETRIES_EXPECTED_MS).ms();
        let newest = of_tenant.order_by_desc(table::Column::Id).limit(LOOKED_AT).all(&write.tx).await?;
        let lately = newest.into_iter().filter(|row| row.created_at_ms >= since_ms);
        let lately = lately.map(parsed).collect::<Result<Vec<_>, StoreError>>()?;
        Ok(lately.into_iter().find(|batch| batch.api_key == new.owner.api_key && is_same(batch, new)))
    }
}

fn is_same(batch: &Batch, new: &NewBatch) -> bool {
    let source: Option<BatchId> = if let BatchSource::FailedOf(source) = new.source { Some(source) } else { None };
    let is_same_file = if let BatchSource::File(file) = new.source { batch.input == file } else { true };
    is_same_file
        && batch.retry_of == source
        && (&batch.endpoint, &batch.window, &batch.metadata) == (&new.endpoint, &new.window, &new.metadata)
        && (batch.output_expiry, batch.is_dry_run) == (new.output_expiry, new.is_dry_run)
}
