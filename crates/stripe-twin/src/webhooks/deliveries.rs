//! What is to be delivered, what was, and what came back.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::endpoints;
use super::faults::Faults;
use crate::world::{Fields, World};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Waits for its time, or for a try that follows a failed one.
    Pending,
    /// Waits to be released.
    Held,
    UnderWay,
    Delivered,
    /// Every try has failed.
    Failed,
    /// Never sent, as a fault wanted it.
    Lost,
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Held => "held",
            Self::UnderWay => "under_way",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Lost => "lost",
        }
    }
}

/// One copy of an event for one endpoint.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub number: u64,
    pub event: String,
    pub event_type: String,
    pub endpoint: String,
    pub url: String,
    pub secret: String,
    pub body: String,
    pub due_ms: i64,
    pub tries: usize,
    pub status: Status,
    /// The last answer: a status of HTTP, or why there was none.
    pub answer: Option<String>,
}

#[derive(Default)]
pub struct Deliveries {
    pub faults: Faults,
    all: BTreeMap<u64, Delivery>,
    /// The times and numbers of those that are pending.
    waiting: BTreeSet<(i64, u64)>,
    under_way: usize,
    events: u64,
}

impl Deliveries {
    pub fn new(faults: Faults) -> Self {
        Self { faults, ..Self::default() }
    }

    /// Plans the deliveries of an event to all who listen.
    pub fn plan(&mut self, world: &World, event: &Value, now_ms: i64) {
        self.events += 1;
        let (number, kind) = (self.events, event.text("type").unwrap_or_default());
        for (place, endpoint) in endpoints::listening(world, kind).into_iter().enumerate() {
            let place = place as u64;
            let lost = self.faults.loses(kind, number, place);
            let copies = if lost { 1 } else { self.faults.copies_of(number, place) };
            for copy in 0..copies {
                let pause = i64::try_from(self.faults.pause_ms(number, place, copy)).unwrap_or(i64::MAX);
                let status = match (lost, self.faults.hold) {
                    (true, _) => Status::Lost,
                    (false, true) => Status::Held,
                    (false, false) => Status::Pending,
                };
                self.add(event, &endpoint, now_ms + pause, status);
            }
        }
    }

    /// Once more, now, whatever the faults say. Answers how many endpoints will hear of it.
    pub fn repeat(&mut self, world: &World, event: &Value, now_ms: i64) -> usize {
        let listening = endpoints::listening(world, event.text("type").unwrap_or_default());
        for endpoint in &listening {
            self.add(event, endpoint, now_ms, Status::Pending);
        }
        listening.len()
    }

    fn add(&mut self, event: &Value, endpoint: &Value, due_ms: i64, status: Status) {
        let number = self.all.len() as u64 + 1;
        let mut sent = event.clone();
        sent["pending_webhooks"] = json!(1);
        let text = |object: &Value, name: &str| object.text(name).unwrap_or_default().to_owned();
        let delivery = Delivery {
            number,
            event: text(event, "id"),
            event_type: text(event, "type"),
            endpoint: text(endpoint, "id"),
            url: text(endpoint, "url"),
            secret: text(endpoint, "secret"),
            body: serde_json::to_string_pretty(&sent).unwrap_or_default(),
            due_ms,
            tries: 0,
            status,
            answer: None,
        };
        if status == Status::Pending {
            self.waiting.insert((due_ms, number));
        }
        self.all.insert(number, delivery);
    }

    /// Takes the one whose time came first, unless as many as may be are under way.
    pub fn take_due(&mut self, now_ms: i64) -> Option<Delivery> {
        if self.under_way >= self.faults.parallel {
            return None;
        }
        let next = self.waiting.first().copied().filter(|(due_ms, _)| *due_ms <= now_ms)?;
        self.waiting.remove(&next);
        let delivery = self.all.get_mut(&next.1)?;
        delivery.status = Status::UnderWay;
        delivery.tries += 1;
        self.under_way += 1;
        Some(delivery.clone())
    }

    /// When the next one is due. `None` also where as many as may be are under way.
    pub fn next_due_ms(&self) -> Option<i64> {
        self.waiting.first().map(|(due_ms, _)| *due_ms).filter(|_| self.under_way < self.faults.parallel)
    }

    /// What came of a try.
    pub fn tried(&mut self, number: u64, answer: Result<u16, String>, now_ms: i64) {
        let retries = self.faults.retries_ms.clone();
        let Some(delivery) = self.all.get_mut(&number) else { return };
        self.under_way -= 1;
        let accepted = matches!(answer, Ok(status) if (200..300).contains(&status));
        delivery.answer = Some(answer.map_or_else(|why| why, |status| status.to_string()));
        delivery.status = match (accepted, retries.get(delivery.tries - 1)) {
            (true, _) => Status::Delivered,
            (false, None) => Status::Failed,
            (false, Some(pause)) => {
                delivery.due_ms = now_ms + i64::try_from(*pause).unwrap_or(i64::MAX);
                self.waiting.insert((delivery.due_ms, number));
                Status::Pending
            }
        };
    }

    /// Lets go what is held. Answers how much it was.
    pub fn release(&mut self, now_ms: i64) -> usize {
        let mut released = 0;
        for delivery in self.all.values_mut().filter(|delivery| delivery.status == Status::Held) {
            delivery.status = Status::Pending;
            delivery.due_ms = delivery.due_ms.max(now_ms);
            self.waiting.insert((delivery.due_ms, delivery.number));
            released += 1;
        }
        released
    }

    /// What waits of this event is lost. Answers how much it was.
    pub fn lose(&mut self, event: &str) -> usize {
        let waits = |delivery: &&mut Delivery| delivery.event == event && matches!(delivery.status, Status::Pending | Status::Held);
        let mut lost = 0;
        for delivery in self.all.values_mut().filter(waits) {
            self.waiting.remove(&(delivery.due_ms, delivery.number));
            delivery.status = Status::Lost;
            lost += 1;
        }
        lost
    }

    /// Nothing waits and nothing is under way; what is held does not count.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way == 0
    }

    pub fn all(&self) -> impl Iterator<Item = &Delivery> {
        self.all.values()
    }

    pub fn counts(&self) -> Value {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for delivery in self.all.values() {
            *counts.entry(delivery.status.name()).or_default() += 1;
        }
        json!(counts)
    }
}

impl Delivery {
    pub fn to_json(&self) -> Value {
        json!({
            "number": self.number,
            "event": self.event,
            "type": self.event_type,
            "endpoint": self.endpoint,
            "url": self.url,
            "tries": self.tries,
            "status": self.status.name(),
            "answer": self.answer,
        })
    }
}
