//! A test program that behaves like Stripe, statefully and in memory: what our billing is developed and tested against. Nothing of it
//! runs in production.
//!
//! It speaks the version of the API that the `stripe` packages of autumn 2026 pin (`world::API_VERSION`); other versions are accepted in
//! `Stripe-Version` and answered the same. [`Twin::start`] runs one within a test; the program `stripe-twin` runs one for people.
//!
//! # What it does as Stripe does
//!
//! Customers, tax ids, balances; products, prices (licensed, metered, in tiers), coupons, promotion codes; cards, payment and setup intents,
//! charges, refunds; checkout sessions and the customer portal, with pages; subscriptions with prorations, trials, dunning and every status
//! but `paused`; invoices, invoice items, previews, credit notes; meters; events, webhook endpoints, test clocks; idempotency keys, pages of
//! lists, `expand`. A parameter that it does not know is refused with `parameter_unknown`, also where Stripe knows it: nothing is taken and
//! then ignored, but for `off_session`, `return_url`, `automatic_payment_methods`, and what only changes how Stripe's pages look or what they
//! ask for (`locale`, `submit_type`, `billing_address_collection`, `customer_update`, `saved_payment_method_options`).
//!
//! # What it leaves out
//!
//! * Tax, several currencies of one price, Connect, disputes over the API, payouts, balance transactions, payment links, quotes, subscription schedules,
//!   entitlements, `search`, `/v2`, thin events, files.
//! * Payment methods other than cards, manual capture, payments that are under way for a while. Of 3-D Secure the card that always asks.
//! * Of subscriptions: items with different intervals, `pending_if_incomplete`, `pause_collection` and `paused`, `backdate_start_date`, an
//!   anchor in the future, trials that begin later, thresholds, prebilling, discounts of single items. A classic `billing_mode` counts as the
//!   flexible one does; coupons do not reduce prorations, and previews of new subscriptions take none.
//! * Of checkout: embedded pages, custom fields, shipping, adjustable quantities, recovery. Of the portal: quantities, changes of
//!   address, pausing, retention offers.
//! * Credit notes by line; `invoice.upcoming` and mails; PDFs (the address shows the page).
//! * Advancing a test clock is done when the call returns, though the answer says `advancing`. Events carry the time of their clock.
//! * Webhooks go to `http://` only, and are tried again on a short schedule instead of for three days.
//!
//! # What the `async-stripe` crates (1.0.0-rc.10) make of it
//!
//! Facts for whoever writes the product's client, each kept by `tests/twin/async_stripe.rs`, or found by trying:
//!
//! * All that the tests ask for deserialises, and so do the events of more than forty types that they make: no field is missing, none is of another
//!   type. The crates name the version before this one (`2026-09-30.endive`); an event of another version is read with a warning in the log.
//! * `rustls-ring` alone makes no client: `ClientBuilder` is there only with `rustls-tls-webpki-roots` or `rustls-tls-native` beside it.
//! * `ClientBuilder::url()` takes an address with or without a slash at its end; plain `http` works.
//! * `RequestStrategy::Retry` and `ExponentialBackoff` send no idempotency key unless the feature `uuid` is on: they would do things twice.
//!   `RequestStrategy::Idempotent(key)` sends one and does not try again. `Stripe-Should-Retry: false` ends every strategy.
//! * Code `duplicate_meter_event` is no variant of `ApiErrorsCode`: it comes as `Unknown("duplicate_meter_event")`. A declined card is
//!   `StripeError::Stripe(error, 402)`, with `decline_code` and the payment intent.
//! * An answer that does not fit is an error without a path; `detailed-errors` of the webhook crate helps for events only.
//! * `stripe_webhook::Webhook::construct_event` wants the body as text and the header as it came; it takes any of several `v1` and five minutes
//!   either way. Objects of crates whose feature is off come as `EventObject::Unknown`.
//! * There is no parameter for `payment_method_types` any more, neither there nor in the API of this version.

#![recursion_limit = "256"]

mod account;
mod billing;
mod cards;
mod hosted;
mod lifecycle;
mod options;
mod server;
mod system;
mod twin;
mod webhooks;
mod wire;
mod world;

pub use options::{Options, Webhook};
pub use twin::{Twin, UnknownDecline};
pub use webhooks::{Delivery, Faults, Status, sign};
pub use world::{AfterDunning, Settings};
