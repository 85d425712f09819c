//! Sends what is due, several at once, each signed when it is sent.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::deliveries::{Deliveries, Delivery};
use super::signature::sign;
use crate::system::{present_ms, present_s};

/// How long a receiver may take.
const PATIENCE: Duration = Duration::from_secs(10);

type Http = Client<HttpConnector, Full<Bytes>>;

/// Runs until it is dropped. `changed` is told whenever there may be something new to send, and tells when something was sent.
pub async fn run(deliveries: Arc<Mutex<Deliveries>>, changed: Arc<Notify>) {
    let client = Client::builder(TokioExecutor::new()).build_http();
    loop {
        let told = changed.notified();
        while let Some(delivery) = with(&deliveries, |all| all.take_due(present_ms())) {
            tokio::spawn(deliver(client.clone(), delivery, deliveries.clone(), changed.clone()));
        }
        let pause = with(&deliveries, |all| all.next_due_ms()).map(|due| (due - present_ms()).clamp(1, 1000));
        wait(told, pause).await;
    }
}

async fn wait(told: impl Future<Output = ()>, pause_ms: Option<i64>) {
    let pause = Duration::from_millis(u64::try_from(pause_ms.unwrap_or(1000)).unwrap_or(1000));
    tokio::select! {
        () = told => {}
        () = sleep(pause) => {}
    }
}

async fn deliver(client: Http, delivery: Delivery, deliveries: Arc<Mutex<Deliveries>>, changed: Arc<Notify>) {
    let answer = timeout(PATIENCE, post(&client, &delivery)).await.unwrap_or_else(|_| Err("no answer in time".to_owned()));
    with(&deliveries, |all| all.tried(delivery.number, answer, present_ms()));
    changed.notify_waiters();
}

async fn post(client: &Http, delivery: &Delivery) -> Result<u16, String> {
    let request = Request::post(&delivery.url)
        .header("content-type", "application/json; charset=utf-8")
        .header("user-agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)")
        .header("stripe-signature", sign(&delivery.secret, &delivery.body, present_s()))
        .body(Full::new(Bytes::from(delivery.body.clone())))
        .map_err(|error| error.to_string())?;
    let response = client.request(request).await.map_err(|error| error.to_string())?;
    let status = response.status().as_u16();
    // The connection is used again once the answer is read.
    let _ = response.into_body().collect().await;
    Ok(status)
}

fn with<T>(deliveries: &Mutex<Deliveries>, act: impl FnOnce(&mut Deliveries) -> T) -> T {
    act(&mut deliveries.lock().unwrap_or_else(PoisonError::into_inner))
}
