//! The reconciler that sends what waits: each delivery in a task of its own, so many at once that none waits for another.
//!
//! Endpoints that take nothing, or take it slowly, have a share of the tasks that they cannot leave, and so has each tenant: whoever takes
//! what it is told finds a task free, however many others hang. Nor are those left out where the others need every task.

use super::{WebhookError, WebhookOptions};
use crate::{AccessError, Services, outbox::random_share, telemetry::Delivered};
use domain::{
    Actor, Permission, TenantId,
    webhook::{CallbackEvent, Network, Receiver, Verdict, judge, next_try_pause_ms},
};
use std::{
    collections::HashMap,
    error::Error,
    sync::{Arc, OnceLock},
    time::Duration,
};
use store::{AfterAttempt, ClaimedWebhook, StoreError, WebhookAttempt, WebhookRoom, clock::Instant};
use tokio::{
    sync::Notify,
    task::{JoinError, JoinSet},
    time::{sleep, timeout},
};
use webhooks::{ANSWERED_WITHIN, Answer, FalKey, Message, Secret, SendError, Sender, Signing};

/// Longer than an attempt may take.
pub(super) const LEASE_MS: i64 = 60_000;
/// Whatever a receiver does.
const ATTEMPTED_WITHIN: Duration = Duration::from_secs(30);
const AT_ONCE: usize = 128;
/// Of these, to endpoints that have not taken the last ones, or took long over them.
const AT_ONCE_OF_HELD_BACK: usize = 48;
/// Of each of the two kinds.
const AT_ONCE_OF_A_TENANT: usize = 16;
/// How long a delivery of another process may be due before it is seen while others are on their way.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// By which the metrics call deliveries to receivers.
const KIND: &str = "webhook";

/// What is sent, where to, and by what it is signed.
pub(super) struct Prepared {
    url: String,
    body: String,
    by: SignedBy,
}

enum SignedBy {
    Secrets(Vec<Secret>),
    Fal { key: FalKey, request: String, user: String },
}

impl Prepared {
    pub fn signed(url: String, body: String, secrets: Vec<Secret>) -> Self {
        Self { url, body, by: SignedBy::Secrets(secrets) }
    }

    /// `request` and `user`: what the receiver checks beside the body.
    pub fn by_fal_key(url: String, body: String, key: FalKey, (request, user): (String, String)) -> Self {
        Self { url, body, by: SignedBy::Fal { key, request, user } }
    }
}

impl SignedBy {
    fn signing(&self) -> Signing<'_> {
        match self {
            Self::Secrets(secrets) => Signing::Standard(secrets),
            Self::Fal { key, request, user } => Signing::Fal { key, request, user },
        }
    }
}

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

    /// Sends what is due, some at once. Any number of processes may. Returns when nothing is.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer, after what is on its way.
    pub async fn send_webhooks(&self, actor: Actor) -> Result<(), AccessError> {
        let mut on_their_way = WebhooksOnTheirWay::default();
        let sent = self.send_webhooks_for(actor, &mut on_their_way, Duration::MAX).await;
        while !on_their_way.tasks.is_empty() {
            on_their_way.next_or(std::future::pending()).await;
        }
        sent
    }

    /// The same for a while. What is on its way then stays there, and keeps nothing waiting that is sent beside it from the next call on.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn send_webhooks_for(
        &self,
        actor: Actor,
        on_their_way: &mut WebhooksOnTheirWay,
        takes_for: Duration,
    ) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        let begun = Instant::now();
        loop {
            on_their_way.forget_ended();
            let taken = self.take_webhooks(on_their_way).await?;
            if taken.is_empty() {
                if on_their_way.tasks.is_empty() {
                    return Ok(());
                }
                on_their_way.next_or(self.webhooks_added(LOOK_EVERY)).await;
            }
            taken.into_iter().for_each(|claimed| on_their_way.send(self.clone(), claimed));
            if begun.elapsed() >= takes_for {
                return Ok(());
            }
        }
    }

    /// Of one kind, or of the other where none of it is due. Each is looked for first by turns: those that take what they are told may have use
    /// for every task that ends.
    async fn take_webhooks(&self, on_their_way: &mut WebhooksOnTheirWay) -> Result<Vec<ClaimedWebhook>, StoreError> {
        let first = on_their_way.held_back_first;
        on_their_way.held_back_first = !first;
        let taken = self.store.webhooks().claim(first, &on_their_way.room(first), LEASE_MS).await?;
        if taken.is_empty() { self.store.webhooks().claim(!first, &on_their_way.room(!first), LEASE_MS).await } else { Ok(taken) }
    }

    /// Sends a delivery, and writes down what became of it: the answer, or why there is none.
    pub(super) async fn attempt(&self, claimed: &ClaimedWebhook, within: Duration) -> Result<Result<Answer, String>, StoreError> {
        let begun = Instant::now();
        let (mut is_moot, prepared) = (false, self.prepared(claimed).await);
        let answered = match prepared {
            Ok(Some(prepared)) => {
                timeout(within, self.sent(claimed, &prepared)).await.unwrap_or_else(|_| Err(SendError::TooSlow.to_string()))
            }
            Ok(None) => {
                is_moot = true;
                Err("there is nothing to be told of the video any more".into())
            }
            Err(WebhookError::Store(error)) => return Err(error),
            Err(error) => Err(error.to_string()),
        };
        if answered.is_err() && !is_moot && !self.webhooks.allowed.is_empty() {
            // Within the operator's networks nobody is to tell by the time which ports are open.
            sleep(within.min(ANSWERED_WITHIN).saturating_sub(begun.elapsed())).await;
        }
        let took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (status, retry_after_ms) = answered.as_ref().map_or((None, None), |answer| (Some(answer.status), answer.retry_after_ms));
        let pause_ms = next_try_pause_ms(claimed.tries, random_share(), retry_after_ms);
        // What a job went through is overtaken soon, and its end is told again.
        let is_passing = claimed.callback.is_some_and(|(_, event)| event != CallbackEvent::Completed);
        let pause_ms = pause_ms.filter(|_| !claimed.is_test && !is_passing);
        let after = match (judge(status), pause_ms) {
            _ if is_moot => AfterAttempt::Moot,
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

    /// What is sent, and by what it is signed. `None`: there is nothing to be told any more.
    async fn prepared(&self, claimed: &ClaimedWebhook) -> Result<Option<Prepared>, WebhookError> {
        match claimed.callback {
            Some(told) => self.told_of_job(claimed, told).await,
            None => Ok(Some(Prepared::signed(claimed.url.clone(), claimed.body.clone(), self.signed(claimed).await?))),
        }
    }

    async fn sent(&self, claimed: &ClaimedWebhook, prepared: &Prepared) -> Result<Answer, String> {
        let message = Message { id: &claimed.event_id, body: &prepared.body, at: claimed.at, signing: prepared.by.signing() };
        self.send_signed(&prepared.url, message).await
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

    /// Removes deliveries that are kept no longer, until none is left, and has those sent that a clock put back would delay.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn forget_webhooks(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        while self.store.webhooks().forget().await? {}
        while self.store.webhooks().catch_up().await? {}
        Ok(())
    }
}

const fn told(after: AfterAttempt) -> Delivered {
    match after {
        AfterAttempt::Delivered => Delivered::Yes,
        AfterAttempt::Again { .. } => Delivered::NotYet,
        AfterAttempt::Failed | AfterAttempt::Gone | AfterAttempt::Moot => Delivered::GivenUp,
    }
}

/// Attempts, each in a task of its own.
#[derive(Default)]
pub struct WebhooksOnTheirWay {
    tasks: JoinSet<()>,
    /// Whose each is, and whether its endpoint was held back.
    by_task: HashMap<tokio::task::Id, (TenantId, bool)>,
    /// Deliveries to endpoints that are held back are looked for before others the next time.
    held_back_first: bool,
}

impl WebhooksOnTheirWay {
    /// For how many more of one kind there is room.
    fn room(&self, held_back: bool) -> WebhookRoom {
        let mut on_their_way: HashMap<TenantId, usize> = HashMap::new();
        for (tenant, _) in self.by_task.values().filter(|(_, is_held_back)| *is_held_back == held_back) {
            *on_their_way.entry(*tenant).or_default() += 1;
        }
        let all = AT_ONCE.saturating_sub(self.tasks.len());
        let held_back_too = AT_ONCE_OF_HELD_BACK.saturating_sub(on_their_way.values().sum());
        WebhookRoom { all: if held_back { all.min(held_back_too) } else { all }, of_a_tenant: AT_ONCE_OF_A_TENANT, on_their_way }
    }

    fn send(&mut self, services: Services, claimed: ClaimedWebhook) {
        let whose = (claimed.tenant, claimed.is_failing || claimed.is_slow);
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
        ended.into_iter().for_each(|ended| self.forget(ended));
    }

    /// What has ended leaves its room to others, all of it at once: they are taken together.
    fn forget_ended(&mut self) {
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.forget(ended);
        }
    }

    fn forget(&mut self, ended: Result<(tokio::task::Id, ()), JoinError>) {
        let id = match ended {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(error = &error as &dyn Error, "sending a webhook broke");
                error.id()
            }
        };
        self.by_task.remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::WebhookRequest;
    use domain::webhook::WebhookEvent;
    use store::{
        WebhookHappened,
        objects::{ObjectsConfig, open},
        on_both_engines,
        testing::Dial,
    };

    on_both_engines! {
        async fn those_that_are_held_back_have_their_turn_where_others_need_every_task(database: TempDatabase) {
            let folder = tempfile::tempdir().unwrap();
            let store = database.open_at(&Dial::default()).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let ada = services.sign_up("ada@example.com", "a lantern on the water").await.unwrap();
            for name in ["slow", "well", "too"] {
                let (name, url, events) = (name.to_owned(), "https://receiver.example.com/".to_owned(), vec!["video.completed".to_owned()]);
                let request = WebhookRequest { name: Some(name), url: Some(url), events: Some(events), is_enabled: None };
                services.create_webhook(ada.actor(), request, "").await.unwrap();
            }
            let event = WebhookEvent::VideoCompleted;
            let happened = WebhookHappened { tenant: ada.tenant, event, event_id: "evt_1", body: "{}" };
            assert_eq!(services.store.webhooks().fan_out(happened).await.unwrap(), 3);
            database.damage("UPDATE webhook_endpoints SET is_slow = TRUE WHERE name = 'slow'").await;
            let (mut on_their_way, other) = (WebhooksOnTheirWay::default(), TenantId::from_uuid(uuid::Uuid::nil()));
            for _ in 1..AT_ONCE {
                let task = on_their_way.tasks.spawn(std::future::pending());
                on_their_way.by_task.insert(task.id(), (other, false));
            }
            let mut taken = Vec::new();
            for _ in 0..2 {
                taken.extend(services.take_webhooks(&mut on_their_way).await.unwrap());
            }
            let are_slow: Vec<bool> = taken.iter().map(|claimed| claimed.is_slow).collect();
            assert_eq!(are_slow, [false, true], "there is room for one");
        }
    }

    #[tokio::test]
    async fn what_has_ended_leaves_its_room_all_at_once() {
        let (mut on_their_way, tenant) = (WebhooksOnTheirWay::default(), TenantId::from_uuid(uuid::Uuid::nil()));
        let sent: Vec<_> = (0..AT_ONCE_OF_A_TENANT).map(|_| on_their_way.tasks.spawn(std::future::ready(()))).collect();
        on_their_way.by_task.extend(sent.iter().map(|task| (task.id(), (tenant, false))));
        while !sent.iter().all(tokio::task::AbortHandle::is_finished) {
            tokio::task::yield_now().await;
        }
        assert_eq!(on_their_way.room(false).on_their_way.get(&tenant), Some(&AT_ONCE_OF_A_TENANT));
        on_their_way.forget_ended();
        let room = on_their_way.room(false);
        assert_eq!((room.all, room.on_their_way.len()), (AT_ONCE, 0));
    }
}
