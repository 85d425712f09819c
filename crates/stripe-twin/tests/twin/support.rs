//! A twin, a client that knows nothing but HTTP, and a receiver of webhooks.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes as Body;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Method, Request};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use stripe_twin::{Options, Twin, Webhook};
use tokio::net::TcpListener;

/// 15 January 2027, 08:00 UTC, in a month of 31 days.
pub const START: i64 = 1_800_000_000;
pub const DAY: i64 = 86_400;
pub const SECRET: &str = "whsec_of_the_tests";

pub type Fields<'a> = &'a [(&'a str, &'a str)];

/// What a merchant with two plans and a customer has.
pub struct Shop {
    pub twin: Twin,
    pub clock: String,
    pub customer: String,
    pub basic: String,
    pub pro: String,
    http: Client<HttpConnector, Full<Bytes>>,
}

impl Shop {
    pub async fn open() -> Self {
        Self::open_with(Options { seed: Some(1), ..Options::default() }).await
    }

    /// With plans for 10 and 30 dollars a month, and a customer on a test clock whose card works.
    pub async fn open_with(options: Options) -> Self {
        let twin = Twin::start(options).await.expect("a port is free");
        let http = Client::builder(TokioExecutor::new()).build_http();
        let mut shop = Self { twin, clock: String::new(), customer: String::new(), basic: String::new(), pro: String::new(), http };
        shop.clock = id(&shop.post("/v1/test_helpers/test_clocks", &[("frozen_time", &START.to_string())]).await);
        shop.customer = shop.new_customer("pm_card_visa").await;
        shop.basic = shop.plan("1000").await;
        shop.pro = shop.plan("3000").await;
        shop
    }

    pub async fn new_customer(&self, card: &str) -> String {
        let customer = id(&self.post("/v1/customers", &[("test_clock", &self.clock), ("email", "ada@example.com")]).await);
        let method = id(&self.post(&format!("/v1/payment_methods/{card}/attach"), &[("customer", &customer)]).await);
        self.post(&format!("/v1/customers/{customer}"), &[("invoice_settings[default_payment_method]", &method)]).await;
        customer
    }

    pub async fn plan(&self, cents: &str) -> String {
        let fields = [("currency", "usd"), ("unit_amount", cents), ("recurring[interval]", "month"), ("product_data[name]", "Plan")];
        id(&self.post("/v1/prices", &fields).await)
    }

    pub async fn subscribe(&self, price: &str) -> Value {
        self.post("/v1/subscriptions", &[("customer", &self.customer), ("items[0][price]", price)]).await
    }

    /// Changes the only item of a subscription.
    pub async fn change(&self, subscription: &Value, price: &str, quantity: i64, behavior: &str) -> Value {
        let fields = [
            ("items[0][id]", subscription["items"]["data"][0]["id"].as_str().unwrap()),
            ("items[0][price]", price),
            ("items[0][quantity]", &quantity.to_string()),
            ("proration_behavior", behavior),
            ("expand[]", "latest_invoice"),
        ];
        self.post(&format!("/v1/subscriptions/{}", id(subscription)), &fields).await
    }

    pub async fn advance(&self, to: i64) {
        self.post(&format!("/v1/test_helpers/test_clocks/{}/advance", self.clock), &[("frozen_time", &to.to_string())]).await;
    }

    pub async fn pending_amounts(&self) -> Vec<i64> {
        let items = self.get(&format!("/v1/invoiceitems?pending=true&limit=100&customer={}", self.customer)).await;
        items["data"].as_array().unwrap().iter().map(|item| item["amount"].as_i64().unwrap()).collect()
    }

    /// # Panics
    /// When the answer is not 200.
    pub async fn post(&self, path: &str, fields: Fields<'_>) -> Value {
        let (status, body) = self.try_post(path, fields, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = self.send(Method::GET, path, String::new(), None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub async fn try_post(&self, path: &str, fields: Fields<'_>, key: Option<&str>) -> (u16, Value) {
        let pairs: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", value.replace('&', "%26"))).collect();
        self.send(Method::POST, path, pairs.join("&"), key).await
    }

    async fn send(&self, method: Method, path: &str, body: String, key: Option<&str>) -> (u16, Value) {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.twin.base_url()));
        request = request.header("authorization", "Bearer sk_test_1").header("content-type", "application/x-www-form-urlencoded");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let response = self.http.request(request.body(Full::new(Bytes::from(body))).unwrap()).await.expect("the twin answers");
        let status = response.status().as_u16();
        let text = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&text).unwrap_or(Value::Null))
    }
}

pub fn id(object: &Value) -> String {
    object["id"].as_str().unwrap_or_else(|| panic!("{object} has an id")).to_owned()
}

/// The amounts of an invoice's lines.
pub fn amounts(invoice: &Value) -> Vec<i64> {
    invoice["lines"]["data"].as_array().unwrap().iter().map(|line| line["amount"].as_i64().unwrap()).collect()
}

/// Body and signature of all that came, in order.
#[derive(Clone, Default)]
pub struct Receiver {
    pub came: Arc<Mutex<Vec<(String, String)>>>,
    /// Taken one by one; then all is well.
    pub answers: Arc<Mutex<Vec<u16>>>,
}

impl Receiver {
    /// Starts it, and says how a twin reaches it.
    pub async fn start() -> (Self, Webhook) {
        let receiver = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let kept = receiver.clone();
        let handler = async move |headers: HeaderMap, body: Body| {
            let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
            kept.came.lock().unwrap().push((String::from_utf8(body.to_vec()).unwrap(), signature));
            StatusCode::from_u16(kept.answers.lock().unwrap().pop().unwrap_or(200)).unwrap()
        };
        tokio::spawn(async { axum::serve(listener, Router::new().route("/hook", post(handler))).await.unwrap() });
        (receiver, Webhook { url, secret: SECRET.to_owned() })
    }

    pub fn events(&self) -> Vec<Value> {
        self.came.lock().unwrap().iter().map(|(body, _)| serde_json::from_str(body).unwrap()).collect()
    }
}
