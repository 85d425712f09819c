//! What falls due next, and doing it.

use serde_json::{Value, json};

use crate::billing::invoices::{self, collect::collect};
use crate::billing::standing;
use crate::billing::subscriptions::{end_at_period_end, period_of, renew};
use crate::hosted::checkout;
use crate::world::{Fields, World};

const DAY: i64 = 86_400;
/// How long a first payment may take.
const FIRST_PAYMENT: i64 = 23 * 3600;

/// Those that fall due in the same second happen in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Task {
    TellOfTrialEnd,
    FinalizeInvoice,
    RetryPayment,
    EndSubscription,
    RenewSubscription,
    ExpireIncomplete,
    ExpireSession,
}

#[derive(Clone, Debug)]
pub struct Due {
    pub at: i64,
    task: Task,
    id: String,
}

pub fn next_due(world: &World, clock: Option<&str>) -> Option<Due> {
    let lives = |object: &&Value| object.text("test_clock") == clock;
    let subscriptions = world.all("subscription").into_iter().rev().filter(lives);
    let invoices = world.all("invoice").into_iter().rev().filter(lives);
    let sessions = world.all("checkout.session").into_iter().filter(|_| clock.is_none());
    let all = subscriptions.filter_map(|subscription| of_subscription(world, subscription));
    let all = all.chain(invoices.filter_map(of_invoice)).chain(sessions.filter_map(of_session));
    all.min_by_key(|due| (due.at, due.task))
}

fn due(at: i64, task: Task, object: &Value) -> Option<Due> {
    Some(Due { at, task, id: object.text("id")?.to_owned() })
}

fn of_subscription(world: &World, subscription: &Value) -> Option<Due> {
    let end = period_of(subscription).end;
    let cancel_at = subscription.int_or_none("cancel_at");
    match subscription.text("status")? {
        "canceled" | "incomplete_expired" => None,
        "incomplete" => due(subscription.int("created") + FIRST_PAYMENT, Task::ExpireIncomplete, subscription),
        "trialing" if !is_told(world, subscription) && cancel_at.is_none_or(|at| at > end - 3 * DAY) => {
            due((end - 3 * DAY).max(subscription.int("created")), Task::TellOfTrialEnd, subscription)
        }
        _ => match cancel_at {
            Some(at) if at <= end => due(at, Task::EndSubscription, subscription),
            _ => due(end, Task::RenewSubscription, subscription),
        },
    }
}

fn is_told(world: &World, subscription: &Value) -> bool {
    let id = subscription.text("id").unwrap_or_default().to_owned();
    world.secrets.told.contains(&(id, "trial_will_end"))
}

fn of_invoice(invoice: &Value) -> Option<Due> {
    if !invoice.is("auto_advance") {
        return None;
    }
    match invoice.text("status")? {
        "draft" => due(invoice.int_or_none("automatically_finalizes_at")?, Task::FinalizeInvoice, invoice),
        "open" if invoice.text("collection_method") == Some("charge_automatically") => {
            due(invoice.int_or_none("next_payment_attempt")?, Task::RetryPayment, invoice)
        }
        _ => None,
    }
}

fn of_session(session: &Value) -> Option<Due> {
    (session.text("status") == Some("open")).then(|| due(session.int("expires_at"), Task::ExpireSession, session)).flatten()
}

pub fn perform(world: &mut World, due: &Due) {
    let id = due.id.as_str();
    match due.task {
        Task::TellOfTrialEnd => {
            world.secrets.told.insert((due.id.clone(), "trial_will_end"));
            world.emit("customer.subscription.trial_will_end", "subscription", id);
        }
        Task::FinalizeInvoice => {
            invoices::finalize(world, id);
            if world.get("invoice", id).is_some_and(waits_for_charge) {
                collect(world, id, None);
            }
        }
        Task::RetryPayment => {
            collect(world, id, None);
        }
        Task::EndSubscription => end_at_period_end(world, id),
        Task::RenewSubscription => renew_or_cancel(world, id),
        Task::ExpireIncomplete => expire(world, id),
        Task::ExpireSession => checkout::expire_due(world, id),
    }
}

fn waits_for_charge(invoice: &Value) -> bool {
    invoice.text("status") == Some("open") && invoice.text("collection_method") == Some("charge_automatically")
}

/// A trial may end a subscription that nobody gave a payment method.
fn renew_or_cancel(world: &mut World, id: &str) {
    let Some(subscription) = world.get("subscription", id).cloned() else { return };
    let is_trial = subscription.text("status") == Some("trialing");
    let cancels = subscription["trial_settings"]["end_behavior"].text("missing_payment_method") == Some("cancel");
    let meant = json!({"customer": subscription["customer"], "default_payment_method": subscription["default_payment_method"]});
    if is_trial && cancels && invoices::collect::method_for(world, &meant).is_none() {
        return standing::end(world, id, "payment_failed");
    }
    renew(world, id);
}

/// The first payment never came.
fn expire(world: &mut World, id: &str) {
    let Some(before) = world.get("subscription", id).cloned() else { return };
    let now = world.now_for(before.text("customer").unwrap_or_default());
    world.change("subscription", id, |subscription| {
        subscription["status"] = json!("incomplete_expired");
        subscription["ended_at"] = json!(now);
    });
    world.emit_change("customer.subscription.updated", "subscription", id, &before);
    if let Some(invoice) = before.id_of("latest_invoice") {
        // One that is void or paid already stays as it is.
        let _ = invoices::void(world, invoice);
    }
}
