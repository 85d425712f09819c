//! A batch that is asked for again: by its key, or by a client that sends none and says how often it has sent the same before.
//!
//! What such a client makes twice on purpose are two batches, also where the second has to be tried again: a batch that its client knows, as it
//! has asked for it, and one that another such try has found, is another one.

use super::{Batch, BatchRefusal, BatchSource, Batches, NewBatch, TABLE, row::parsed};
use crate::{
    StoreError,
    database::write::Write,
    entity::{batch as table, signed},
};
use domain::{BatchId, retention::RETRIES_EXPECTED_MS};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};

/// A client asks again soon: of more batches than these the last is not looked for.
const LOOKED_AT: u64 = 100;

/// How a batch is known when it comes again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchRepetition {
    /// The client's key for it: a repetition under it finds the first batch, as long as that is kept.
    pub key: Option<String>,
    /// How often a client that sends no key says that it has sent the same before.
    pub retry_count: u32,
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
        let retry_count = new.repetition.retry_count;
        if retry_count == 0 {
            return Ok(None);
        }
        let since_ms = write.now.plus_ms(-RETRIES_EXPECTED_MS).ms();
        let newest = of_tenant.order_by_desc(table::Column::Id).limit(LOOKED_AT).all(&write.tx).await?;
        let lately = newest.into_iter().filter(|row| row.created_at_ms >= since_ms && row.idempotency_key.is_none());
        let lately = lately.map(parsed).collect::<Result<Vec<_>, StoreError>>()?;
        let is_of_try = |batch: &Batch| !batch.is_known && batch.retry_count != retry_count && batch.api_key == new.owner.api_key;
        let found = lately.into_iter().find(|batch| is_of_try(batch) && is_same(batch, new));
        if let Some(batch) = &found {
            // It counts as this try's from now on, or as a later one's that was sooner here.
            let count: i32 = signed(TABLE, "retry_count", batch.retry_count.max(retry_count))?;
            let row = table::Entity::update_many().filter(table::Column::Id.eq(batch.id.uuid()));
            row.col_expr(table::Column::RetryCount, Expr::value(count)).exec(&write.tx).await?;
        }
        Ok(found)
    }

    /// The batch that was asked for under this key.
    pub async fn under_key(self, key: &str) -> Result<Option<Batch>, StoreError> {
        let of_tenant = table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid()));
        of_tenant.filter(table::Column::IdempotencyKey.eq(key)).one(&self.store.of(self.tenant)).await?.map(parsed).transpose()
    }

    /// Its client knows it.
    pub async fn confirm(self, id: BatchId) -> Result<(), StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let row =
            table::Entity::update_many().filter(table::Column::Id.eq(id.uuid())).filter(table::Column::TenantId.eq(self.tenant.uuid()));
        row.col_expr(table::Column::IsKnown, Expr::value(true)).exec(&write.tx).await?;
        write.commit().await
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
