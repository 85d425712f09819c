//! The queue between who has a span to tell and the task that sends them: bounded, and never waited for.
//!
//! A span for which there is no room is dropped and counted, as are those that the collector does not take in a few tries.

use crate::{Span, TraceContext, TraceOptions, encoding::encoded, http::Collector, http::Sent, http::SetupError};
use bytes::Bytes;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};

/// Spans that wait to be sent; each is some hundred bytes.
const WAITING_MAX: usize = 2048;
const SENT_AT_ONCE: usize = 256;
/// Spans wait so long for others to be sent with.
const GATHERED_WITHIN: Duration = Duration::from_secs(1);
const TRIES: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Of the batches that are given up in a row, one in so many is in the log.
const COMPLAINTS_EVERY: u64 = 60;

/// What spans are told to. Cheap to clone; the default tells nobody.
#[derive(Clone, Default)]
pub struct Traces(Option<Arc<Running>>);

struct Running {
    queue: mpsc::Sender<Told>,
    ratio: f64,
    follows_parent: bool,
    dropped: Arc<AtomicU64>,
}

enum Told {
    Span(Box<Span>),
    /// Answered when all that was told before is sent or given up.
    Flush(oneshot::Sender<()>),
}

impl Traces {
    /// Sends from now on to the collector that `options` name, in a task of the runtime that this is called in.
    ///
    /// # Errors
    /// [`SetupError`] when nothing can be sent there.
    pub fn start(options: &TraceOptions) -> Result<Self, SetupError> {
        let collector = Collector::new(options)?;
        let (queue, spans) = mpsc::channel(WAITING_MAX);
        let dropped = Arc::<AtomicU64>::default();
        let sending = Sending { collector, resource: options.resource.clone(), dropped: Arc::clone(&dropped), given_up: 0 };
        tokio::spawn(sending.run(spans));
        Ok(Self(Some(Arc::new(Running { queue, ratio: options.ratio, follows_parent: options.follows_parent, dropped }))))
    }

    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a trace that begins with this id is told. It is the same in every process.
    #[must_use]
    pub fn samples(&self, trace: &[u8; 16]) -> bool {
        let Some(running) = &self.0 else { return false };
        let mut low = [0; 8];
        low.copy_from_slice(&trace[8..]);
        // Of the id's random half, the 56 bits that the recommendation promises to be random.
        let drawn = (u64::from_be_bytes(low) & 0x00ff_ffff_ffff_ffff) as f64 / (1_u64 << 56) as f64;
        drawn < running.ratio
    }

    /// The context of a trace that came from elsewhere, told or not as this process is to decide.
    #[must_use]
    pub fn judged(&self, context: TraceContext) -> TraceContext {
        match &self.0 {
            Some(running) if !running.follows_parent => TraceContext::root(*context.trace(), context.span(), self.samples(context.trace())),
            _ => context,
        }
    }

    /// Tells what `span` makes, if anybody is to hear of it. Returns at once, whatever becomes of it.
    pub fn tell(&self, context: &TraceContext, span: impl FnOnce() -> Span) {
        let Some(running) = self.0.as_ref().filter(|_| context.is_sampled()) else { return };
        // Where there is no room it is not even made.
        match running.queue.try_reserve() {
            Ok(place) => place.send(Told::Span(Box::new(span()))),
            Err(_) => {
                running.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Spans that nobody heard of.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.0.as_ref().map_or(0, |running| running.dropped.load(Ordering::Relaxed))
    }

    /// Waits until all that was told is sent, and no longer than this.
    pub async fn flush(&self, within: Duration) {
        let Some(running) = &self.0 else { return };
        let (done, waiting) = oneshot::channel();
        let flushed = async {
            if running.queue.send(Told::Flush(done)).await.is_ok() {
                let _ = waiting.await;
            }
        };
        let _ = timeout(within, flushed).await;
    }
}

impl fmt::Debug for Traces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_on() { "Traces(on)" } else { "Traces(off)" })
    }
}

struct Sending {
    collector: Collector,
    resource: Vec<(String, String)>,
    dropped: Arc<AtomicU64>,
    /// Batches that were given up in a row.
    given_up: u64,
}

impl Sending {
    async fn run(mut self, mut queue: mpsc::Receiver<Told>) {
        let mut is_open = true;
        while is_open {
            let (mut spans, mut flushed) = (Vec::new(), Vec::new());
            is_open = gather(&mut queue, &mut spans, &mut flushed).await;
            if !spans.is_empty() {
                self.send(&spans).await;
            }
            for done in flushed {
                let _ = done.send(());
            }
        }
    }

    async fn send(&mut self, spans: &[Span]) {
        let body = Bytes::from(encoded(&self.resource, spans));
        let mut pause = FIRST_PAUSE;
        for attempt in 1..=TRIES {
            let reason = match self.collector.send(body.clone()).await {
                Sent::Taken => return self.given_up = 0,
                Sent::NotNow(_) if attempt < TRIES => {
                    sleep(pause).await;
                    pause *= 2;
                    continue;
                }
                Sent::NotNow(reason) | Sent::Refused(reason) => reason,
            };
            self.dropped.fetch_add(spans.len() as u64, Ordering::Relaxed);
            if self.given_up.is_multiple_of(COMPLAINTS_EVERY) {
                tracing::warn!(spans = spans.len(), "spans are not taken by the collector and were dropped: {reason}");
            }
            self.given_up += 1;
            return;
        }
    }
}

/// Takes what is there, and waits a moment for more to come. `false`: nobody tells anything any more.
async fn gather(queue: &mut mpsc::Receiver<Told>, spans: &mut Vec<Span>, flushed: &mut Vec<oneshot::Sender<()>>) -> bool {
    let Some(first) = queue.recv().await else { return false };
    let mut next = Some(first);
    let enough = sleep(GATHERED_WITHIN);
    tokio::pin!(enough);
    loop {
        match next.take() {
            Some(Told::Span(span)) => spans.push(*span),
            Some(Told::Flush(done)) => {
                flushed.push(done);
                return true;
            }
            None => {}
        }
        if spans.len() >= SENT_AT_ONCE {
            return true;
        }
        tokio::select! {
            told = queue.recv() => match told {
                Some(told) => next = Some(told),
                None => return false,
            },
            () = &mut enough => return true,
        }
    }
}
