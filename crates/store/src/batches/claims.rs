//! Who has a batch in hand, and until when: one at a time, as long as each is heard of in time.

use super::{Batch, rows::STEP_AHEAD_MAX_MS, steps::BatchSteps};
use crate::StoreError;
use domain::batch::BatchWait;
use sea_orm::ConnectionTrait;

const CLAIM: &str = "UPDATE batches SET step_after_ms = $1 WHERE id = $2 AND tenant_id = $3 AND step_after_ms IS NOT NULL \
     AND (step_after_ms <= $4 OR step_after_ms > $5)";

impl BatchSteps<'_> {
    /// Takes the batch for `lease_ms`, in which nobody else goes on with it. `None`: somebody does already, or nothing is to be done.
    pub async fn claim(self, lease_ms: i64) -> Result<Option<Batch>, StoreError> {
        let write = self.write().await?;
        let now = write.now;
        let [id, tenant] = self.names();
        let values = [now.plus_ms(lease_ms).ms().into(), id, tenant, now.ms().into(), now.plus_ms(STEP_AHEAD_MAX_MS).ms().into()];
        let is_ours = write.tx.execute_raw(write.statement(CLAIM, values)).await?.rows_affected() == 1;
        let batch = if is_ours { self.of.find(&write.tx, self.id, false).await } else { Ok(None) };
        // One that cannot be read is left alone as long: it would be the first of all again.
        write.commit().await?;
        batch
    }

    /// Whoever has it in hand has it still, for `lease_ms` from now on.
    pub async fn renew(self, lease_ms: i64) -> Result<(), StoreError> {
        let write = self.write().await?;
        let update = "UPDATE batches SET step_after_ms = $1 WHERE id = $2 AND tenant_id = $3 AND step_after_ms IS NOT NULL";
        let [id, tenant] = self.names();
        write.tx.execute_raw(write.statement(update, [write.now.plus_ms(lease_ms).ms().into(), id, tenant])).await?;
        write.commit().await
    }

    /// Somebody is to go on with it in `pause_ms`, and its lines wait for this meanwhile.
    pub async fn rest(self, pause_ms: i64, wait: Option<(BatchWait, String)>) -> Result<(), StoreError> {
        let write = self.write().await?;
        let (reason, text) = wait.map(|(wait, text)| (wait.as_str().to_owned(), text)).unzip();
        let update = "UPDATE batches SET step_after_ms = $1, waiting_for = $2, waiting_text = $3 \
             WHERE id = $4 AND tenant_id = $5 AND ended_at_ms IS NULL";
        let [id, tenant] = self.names();
        let values = [write.now.plus_ms(pause_ms).ms().into(), reason.into(), text.into(), id, tenant];
        write.tx.execute_raw(write.statement(update, values)).await?;
        write.commit().await
    }
}
