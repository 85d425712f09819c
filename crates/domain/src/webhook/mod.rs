//! Webhooks: which events there are, where a receiver may be, and when a delivery is tried again.

mod address;
mod callback;
mod event;
mod receiver;
mod schedule;
mod secrets;

pub use address::{Network, NetworkError, is_public, may_reach};
pub use callback::{CALLBACK_LINES_MAX, CALLBACKS_WAITING_MAX, Callback, Course, PROGRESS_TOLD_EVERY_MS, Told, to_tell};
pub use event::{CallbackEvent, CallbackStyle, DeliveryState, DisabledReason, WebhookEvent};
pub use receiver::{Host, Receiver, ReceiverError, URL_CHARS_MAX};
pub use schedule::{
    DELIVERY_KEPT_MS, DISABLED_AFTER_MS, OLD_SECRET_KEPT_MS, PAUSE_MAX_MS, RETRY_AFTER_MAX_MS, SLOW_MS, TESTS_KEPT, TRIES_MAX, UNASKED_MS,
    Verdict, at_once, is_to_be_disabled, judge, next_try_pause_ms,
};
pub use secrets::CallbackSecrets;

/// Endpoints of one tenant.
pub const ENDPOINTS_MAX: u64 = 20;
/// Deliveries of one endpoint that wait; with one more it is disabled.
pub const PENDING_MAX: i64 = 100_000;
/// Where so many wait no others are sent again: what happens meanwhile has the rest.
pub const REPLAYS_PENDING_MAX: i64 = PENDING_MAX / 2;
