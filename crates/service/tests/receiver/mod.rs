//! A program on this machine that is told of events, and what it was told.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    time::timeout,
};

/// Soon enough, on however busy a machine.
pub const SOON: Duration = Duration::from_secs(120);
/// No answer, and no end.
pub const HANGS: &str = "";
pub const OK: &str = "HTTP/1.1 204 No Content\r\n\r\n";
pub const BROKEN: &str = "HTTP/1.1 500 Broken\r\nx-why: tired\r\ncontent-length: 5\r\n\r\noops!";
pub const GONE: &str = "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n";

/// A request as a receiver sees it.
pub struct Request {
    pub headers: HashMap<String, String>,
    pub body: serde_json::Value,
}

/// A program on this machine that is told of events.
pub struct Receiver {
    pub url: String,
    answer: Arc<Mutex<&'static str>>,
    requests: UnboundedReceiver<Request>,
}

impl Receiver {
    pub async fn answering(answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let (tell, requests) = unbounded_channel();
        let answer = Arc::new(Mutex::new(answer));
        let answers = Arc::clone(&answer);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (tell, answers) = (tell.clone(), Arc::clone(&answers));
                tokio::spawn(async move {
                    let mut bytes = Vec::new();
                    let request = loop {
                        let mut part = [0; 4096];
                        let length = stream.read(&mut part).await.unwrap_or_default();
                        bytes.extend(&part[..length]);
                        if let Some(request) = parsed(&bytes) {
                            break request;
                        }
                        if length == 0 {
                            return;
                        }
                    };
                    tell.send(request).ok();
                    let answer = *answers.lock().unwrap();
                    if answer == HANGS {
                        std::future::pending::<()>().await;
                    }
                    stream.write_all(answer.as_bytes()).await.ok();
                });
            }
        });
        Self { url, answer, requests }
    }

    pub fn answers(&self, answer: &'static str) {
        *self.answer.lock().unwrap() = answer;
    }

    pub async fn request(&mut self) -> Request {
        timeout(SOON, self.requests.recv()).await.expect("it is told").unwrap()
    }

    pub fn told(&mut self) -> Vec<Request> {
        std::iter::from_fn(|| self.requests.try_recv().ok()).collect()
    }
}

fn parsed(bytes: &[u8]) -> Option<Request> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let headers: HashMap<_, _> = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    Some(Request { headers, body: serde_json::from_str(body).ok()? })
}

impl Request {
    pub fn id(&self) -> &str {
        &self.headers["webhook-id"]
    }
}
