//! The spans of a job in this process: its stage as a whole, below the request that it came with, and what that did one after the other.
//!
//! Each is told when it is over, with the moment at which it began. Where nobody is told, nothing is made of them.

use diffusion::Memory;
use domain::Stage;
use service::telemetry::{Kind, Span, SpanId, TraceContext, Traces, Value, trace};
use std::time::{Duration, SystemTime};
use store::{
    Job,
    clock::{Instant, system_time},
};

/// When something began: by the clock on the wall, and by one to measure with.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    wall: SystemTime,
    at: Instant,
}

impl Moment {
    pub fn now() -> Self {
        Self { wall: system_time(), at: Instant::now() }
    }

    /// A moment before this one.
    pub fn before(self, by: Duration) -> Self {
        Self { wall: self.wall.checked_sub(by).unwrap_or(self.wall), at: self.at.checked_sub(by).unwrap_or(self.at) }
    }

    pub fn elapsed(self) -> Duration {
        self.at.elapsed()
    }
}

/// Where the spans of a job's stage belong. Cheap to clone; the default tells nobody.
#[derive(Clone, Default)]
pub struct JobTrace(Option<Belonging>);

#[derive(Clone)]
struct Belonging {
    traces: Traces,
    /// Of the stage as a whole.
    own: TraceContext,
    parent: Option<SpanId>,
    /// Where the model's parts are, which may have to be loaded.
    memory: Option<Memory>,
}

impl JobTrace {
    /// Of a stage of `job`; `memory`: of its model.
    pub fn of(traces: &Traces, job: &Job, memory: Option<Memory>) -> Self {
        let (own, parent) = trace::continued(job.traceparent.as_deref(), traces);
        Self(Some(Belonging { traces: traces.clone(), own, parent, memory }))
    }

    /// As logs name it. `None`: there is none.
    pub fn id(&self) -> Option<String> {
        self.0.as_ref().map(|belonging| belonging.own.trace_text())
    }

    /// What was done from `begun` until now.
    pub fn note(&self, name: &'static str, begun: Moment) {
        self.note_for(name, begun, begun.elapsed());
    }

    /// What was done from `begun` on, for so long.
    pub fn note_for(&self, name: &'static str, begun: Moment, took: Duration) {
        let Some(Belonging { traces, own, .. }) = &self.0 else { return };
        let context = own.child(trace::new_span());
        traces.tell(&context, || Span {
            name: name.to_owned(),
            kind: Kind::Internal,
            context,
            parent: Some(own.span()),
            begun: begun.wall,
            took,
            attributes: Vec::new(),
            error: None,
        });
    }

    /// The stage as a whole, from its claim until now; `error`: of which class it failed.
    pub fn end(&self, stage: Stage, begun: Moment, job: &Job, error: Option<&str>) {
        let Some(Belonging { traces, own, parent, .. }) = &self.0 else { return };
        traces.tell(own, || Span {
            name: format!("job.{stage}"),
            kind: Kind::Consumer,
            context: *own,
            parent: *parent,
            begun: begun.wall,
            took: begun.elapsed(),
            attributes: attributes(job),
            error: error.map(str::to_owned),
        });
    }

    /// What loading parts of the model has taken so far in this process.
    pub fn loading(&self) -> Duration {
        self.0.as_ref().and_then(|belonging| belonging.memory.as_ref()).map(Memory::load_time).unwrap_or_default()
    }

    /// What was done from `begun` until now with parts that may have had to be loaded: first the loading, then the rest. `loaded`: what loading
    /// had taken by then.
    pub fn note_with_loading(&self, name: &'static str, begun: Moment, loaded: Duration) {
        if self.0.is_none() {
            return;
        }
        let took = begun.elapsed();
        let loading = self.loading().saturating_sub(loaded).min(took);
        self.note_for("model.load", begun, loading);
        self.note_for(name, Moment { wall: begun.wall + loading, at: begun.at + loading }, took - loading);
    }
}

/// No prompt, and nothing else that somebody wrote.
fn attributes(job: &Job) -> Vec<(&'static str, Value)> {
    vec![
        ("job.id", job.id.to_string().into()),
        ("tenant.id", job.tenant.to_string().into()),
        ("model.name", job.spec.model.as_str().into()),
        ("job.attempt", job.lifecycle.attempts.into()),
        ("job.steps", job.spec.steps.into()),
    ]
}
