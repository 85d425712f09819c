//! A program that webhooks are sent to: one that works, or one of those that make trouble.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use serde_json::Value;

/// Longer than any sender waits.
const HANGS_FOR: Duration = Duration::from_secs(60);
const BODY_MAX: u64 = 1024 * 1024;

/// What it does with a request.
#[derive(Clone)]
pub enum Manner {
    /// Takes it, and notes it.
    Takes,
    /// Never answers.
    Hangs,
    /// Answers 500.
    Fails,
    /// Sends it elsewhere.
    Leads { to: String },
}

/// An event that was taken.
#[derive(Clone, Debug)]
pub struct Told {
    pub at: SystemTime,
    /// The same for each time that the same event is sent.
    pub id: String,
    pub kind: String,
    /// The id of the video or batch.
    pub about: String,
}

pub struct Receiver {
    pub address: SocketAddr,
    heard: Arc<Heard>,
}

#[derive(Default)]
struct Heard {
    connections: AtomicUsize,
    told: Mutex<Vec<Told>>,
    is_closed: AtomicBool,
}

impl Receiver {
    /// On a free port of this address, until it is dropped.
    pub fn open(at: IpAddr, manner: Manner) -> Result<Self> {
        let listener = TcpListener::bind((at, 0)).with_context(|| format!("no port of {at} is free"))?;
        let receiver = Self { address: listener.local_addr()?, heard: Arc::default() };
        let heard = Arc::clone(&receiver.heard);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if heard.is_closed.load(Ordering::SeqCst) {
                    return;
                }
                heard.connections.fetch_add(1, Ordering::SeqCst);
                let (heard, manner) = (Arc::clone(&heard), manner.clone());
                // A sender that goes away in the middle of it is none that was heard.
                thread::spawn(move || answer(&stream, &manner, &heard));
            }
        });
        Ok(receiver)
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// How many were opened so far, whatever came of them.
    pub fn connections(&self) -> usize {
        self.heard.connections.load(Ordering::SeqCst)
    }

    /// All that was taken so far.
    pub fn told(&self) -> Vec<Told> {
        self.heard.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.heard.is_closed.store(true, Ordering::SeqCst);
        // So that it looks up.
        let _ = TcpStream::connect(self.address);
    }
}

fn answer(mut stream: &TcpStream, manner: &Manner, heard: &Heard) -> Option<()> {
    let told = read(stream)?;
    let answer = match manner {
        Manner::Takes => {
            heard.told.lock().unwrap_or_else(PoisonError::into_inner).push(told);
            "202 Accepted\r\n".to_owned()
        }
        Manner::Hangs => {
            thread::sleep(HANGS_FOR);
            return None;
        }
        Manner::Fails => "500 Internal Server Error\r\n".to_owned(),
        Manner::Leads { to } => format!("307 Temporary Redirect\r\nLocation: {to}\r\n"),
    };
    write!(stream, "HTTP/1.1 {answer}Content-Length: 0\r\nConnection: close\r\n\r\n").ok()
}

fn read(stream: &TcpStream) -> Option<Told> {
    let mut request = BufReader::new(stream.take(BODY_MAX));
    let (mut id, mut length, mut line) = (String::new(), 0, String::new());
    loop {
        line.clear();
        request.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { if line.trim_end().is_empty() { break } else { continue } };
        match name.to_ascii_lowercase().as_str() {
            "webhook-id" => id = value.to_owned(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    request.read_exact(&mut body).ok()?;
    let event: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(Told { at: SystemTime::now(), id, kind: text(&event["type"]), about: text(&event["data"]["id"]) })
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::product::http;

    fn post(receiver: &Receiver) -> u16 {
        let agent = http::agent(Duration::from_secs(10));
        let event = serde_json::json!({ "type": "video.completed", "data": { "id": "video_1" } });
        let answer = agent.post(receiver.url()).header("webhook-id", "evt_1").send_json(event).unwrap();
        answer.status().as_u16()
    }

    #[test]
    fn what_is_taken_is_noted_with_its_time() {
        let receiver = Receiver::open(Ipv4Addr::LOCALHOST.into(), Manner::Takes).unwrap();
        let before = SystemTime::now();
        assert_eq!((post(&receiver), receiver.connections()), (202, 1));
        let [told] = &receiver.told()[..] else { panic!("{:?}", receiver.told()) };
        assert_eq!((&*told.id, &*told.kind, &*told.about), ("evt_1", "video.completed", "video_1"));
        assert!(told.at >= before);
    }

    #[test]
    fn one_that_fails_has_taken_nothing() {
        let receiver = Receiver::open(Ipv4Addr::LOCALHOST.into(), Manner::Fails).unwrap();
        assert_eq!((post(&receiver), receiver.told().len(), receiver.connections()), (500, 0, 1));
    }
}
