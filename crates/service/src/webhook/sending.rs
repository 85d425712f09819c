//! The reconciler that sends what waits: each delivery in a task of its own, so many at once that none waits for another.
//!
//! Endpoints that take nothing have a share of the tasks that they cannot leave, and so has each tenant: whoever takes what it is told
//! finds a task free, however many others hang.

use super::{WebhookError, WebhookOptions};
use crate::{AccessError, Services, outbox::random_share, telemetry::Delivered};
use domain::{
    Actor, Permission, TenantId,
    webhook::{Network, Receiver, Verdict, judge, next_try_pause_ms},
};
use std::{
    collections::HashMap,
    error::Error,
    sync::{Arc, OnceLock},
    time::Duration,
};
use store::{AfterAttempt, ClaimedWebhook, StoreError, WebhookAttempt, clock::Instant};
use tokio::{sync::Notify, task::JoinSet, time::timeout};
use webhooks::{Answer, Message, Secret, SendError, Sender};

/// Longer than an attempt may take.
pub(super) const LEASE_MS: i64 = 60_000;
/// Whatever a receiver does.
const ATTEMPTED_WITHIN: Duration = Duration::from_secs(30);
const AT_ONCE: usize = 128;
/// Of these, to endpoints that have not taken the last ones.
const AT_ONCE_OF_FAILING: usize = 48;
const AT_ONCE_OF_A_TENANT: usize = 16;
/// How long a delivery of another process may be due before it is seen while others are on their way.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Then the reconciler looks around, and begins anew.
const TAKES_FOR: Duration = Duration::from_secs(300);
/// By which the metrics call deliveries to receivers.
const KIND: &str = "webhook";

/// What sends, and where it may.
pub struct Sending {
    allowed: Arc<[Network]>,
    sender: OnceLock<Sender>,
    added: Notify,
}

impl Default for Sending {
    fn default() -> Self {
        Self::new(&WebhookOptions::default())
    }
}

impl Sending {
    pub fn new(options: &WebhookOptions) -> Self {
        Self { allowed: options.webhook_allow.as_slice().into(), sender: OnceLock::new(), added: Notify::new() }
    }

    pub fn allowed(&self) -> &[Network] {
        &self.allowed
    }

    fn sender(&self) -> &Sender {
        self.sender.get_or_init(|| Sender::new(Arc::clone(&self.allowed)))
    }
}

impl Services {
    /// Somebody of this process has added deliveries.
    pub(super) fn wake_webhooks(&self) {
        self.webhooks.added.notify_one();
    }

    /// Returns when this process has added deliveries, or after a while.
    pub(crate) async fn webhooks_added(&self, at_most: Duration) {
        // Whoever waited long enough looks as well.
        let _ = timeout(at_most, self.webhooks.added.notified()).await;
    }

    /// Sends what is due, some at once. Any number of processes may. Returns when nothing is, or after some minutes.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer, after what is on its way.
    pub async fn send_webhooks(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        let (begun, mut on_their_way) = (Instant::now(), OnTheirWay::default());
        loop {
            let taken = if begun.elapsed() > TAKES_FOR { Ok(None) } else { self.take_webhook(&on_their_way).await };
            match taken {
                Ok(Some(claimed)) => on_their_way.send(self.clone(), claimed),
                Ok(None) if on_their_way.tasks.is_empty() => return Ok(()),
                Ok(None) => on_their_way.next_or(self.webhooks_added(LOOK_EVERY)).await,
                Err(error) => {
                    while !on_their_way.tasks.is_empty() {
                        on_their_way.next_or(std::future::pending()).await;
                    }
                    return Err(error.into());
                }
            }
        }
    }

    async fn take_webhook(&self, on_their_way: &OnTheirWay) -> Result<Option<ClaimedWebhook>, StoreError> {
        let busy = on_their_way.busy_tenants();
        for failing in [false, true] {
            if on_their_way.has_room(failing)
                && let Some(claimed) = self.store.webhooks().claim(failing, &busy, LEASE_MS).await?
            {
                return Ok(Some(claimed));
            }
        }
        Ok(None)
    }

    /// Sends a delivery, and writes down what became of it: the answer, or why there is none.
    pub(super) async fn attempt(&self, claimed: &ClaimedWebhook, within: Duration) -> Result<Result<Answer, String>, StoreError> {
        let begun = Instant::now();
        let answered = match self.signed(claimed).await {
            Ok(secrets) => {
                timeout(within, self.sent(claimed, &secrets)).await.unwrap_or_else(|_| Err("there was no answer in time".into()))
            }
            Err(WebhookError::Store(error)) => return Err(error),
            Err(error) => Err(error.to_string()),
        };
        let took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (status, retry_after_ms) = answered.as_ref().map_or((None, None), |answer| (Some(answer.status), answer.retry_after_ms));
        let pause_ms = next_try_pause_ms(claimed.tries, random_share(), retry_after_ms).filter(|_| !claimed.is_test);
        let after = match (judge(status), pause_ms) {
            (Verdict::Delivered, _) => AfterAttempt::Delivered,
            (Verdict::Gone, _) => AfterAttempt::Gone,
            (Verdict::Failed, Some(pause_ms)) => AfterAttempt::Again { pause_ms },
            (Verdict::Failed, None) => AfterAttempt::Failed,
        };
        let (headers, answer, error) = match &answered {
            Ok(answer) => (answer.headers.clone(), answer.body.clone(), None),
            Err(error) => (String::new(), String::new(), Some(error.clone())),
        };
        let attempt = WebhookAttempt { number: claimed.number, at: claimed.at, took_ms, status, error, headers, answer };
        if self.store.webhooks().attempted(claimed, &attempt, after).await? {
            self.metrics.note_delivery(KIND, told(after));
        }
        Ok(answered)
    }

    async fn signed(&self, claimed: &ClaimedWebhook) -> Result<Vec<Secret>, WebhookError> {
        let mut secrets = vec![self.opened_secret(claimed.endpoint, &claimed.sealed_secret).await?];
        if let Some(old) = &claimed.old_sealed_secret {
            secrets.push(self.opened_secret(claimed.endpoint, old).await?);
        }
        Ok(secrets)
    }

    async fn sent(&self, claimed: &ClaimedWebhook, secrets: &[Secret]) -> Result<Answer, String> {
        self.send_signed(&claimed.url, Message { id: &claimed.event_id, body: &claimed.body, at: claimed.at, secrets }).await
    }

    /// One try at a receiver, whosever it is.
    ///
    /// # Errors
    /// Why there was no answer, in words for who made the endpoint.
    pub(crate) async fn send_signed(&self, url: &str, message: Message<'_>) -> Result<Answer, String> {
        // The operator may have taken back what was allowed when the endpoint was made.
        let receiver = Receiver::parse(url, self.webhooks.allowed()).map_err(|error| error.to_string())?;
        self.webhooks.sender().send(&receiver, message).await.map_err(|error: SendError| error.to_string())
    }

    /// Removes deliveries that are kept no longer, until none is left.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn forget_webhooks(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        while self.store.webhooks().forget().await? {}
        Ok(())
    }
}

const fn told(after: AfterAttempt) -> Delivered {
    match after {
        AfterAttempt::Delivered => Delivered::Yes,
        AfterAttempt::Again { .. } => Delivered::NotYet,
        AfterAttempt::Failed | AfterAttempt::Gone => Delivered::GivenUp,
    }
}

/// Attempts, each in a task of its own.
#[derive(Default)]
struct OnTheirWay {
    tasks: JoinSet<()>,
    /// Whose each is, and whether its endpoint was failing.
    by_task: HashMap<tokio::task::Id, (TenantId, bool)>,
}

impl OnTheirWay {
    fn has_room(&self, failing: bool) -> bool {
        let all = self.tasks.len() < AT_ONCE;
        all && (!failing || self.by_task.values().filter(|(_, failing)| *failing).count() < AT_ONCE_OF_FAILING)
    }

    fn busy_tenants(&self) -> Vec<TenantId> {
        let mut counts: HashMap<TenantId, usize> = HashMap::new();
        for (tenant, _) in self.by_task.values() {
            *counts.entry(*tenant).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count >= AT_ONCE_OF_A_TENANT).map(|(tenant, _)| tenant).collect()
    }

    fn send(&mut self, services: Services, claimed: ClaimedWebhook) {
        let whose = (claimed.tenant, claimed.is_failing);
        let task = self.tasks.spawn(async move {
            if let Err(error) = services.attempt(&claimed, ATTEMPTED_WITHIN).await {
                tracing::warn!(delivery.id = %claimed.id, error = &error as &dyn Error, "what became of a webhook could not be noted");
            }
        });
        self.by_task.insert(task.id(), whose);
    }

    /// Returns when one has ended, or when there may be others.
    async fn next_or(&mut self, others: impl Future<Output = ()>) {
        let ended = tokio::select! {
            ended = self.tasks.join_next_with_id() => ended,
            () = others => return,
        };
        match ended {
            Some(Ok((id, ()))) => drop(self.by_task.remove(&id)),
            Some(Err(error)) => {
                tracing::error!(error = &error as &dyn Error, "sending a webhook broke");
                self.by_task.remove(&error.id());
            }
            None => {}
        }
    }
}
