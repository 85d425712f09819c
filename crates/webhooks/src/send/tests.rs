//! Real connections: which are made, which are not, and what is kept of answers.

use super::*;
use futures::{FutureExt, future::BoxFuture};
use std::{
    io,
    net::IpAddr,
    sync::atomic::{AtomicUsize, Ordering},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// Every name leads to these addresses.
struct Leads {
    to: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Leads {
    fn to(addresses: &[&str]) -> Arc<Self> {
        Self::in_turn(&[addresses])
    }

    /// To the first of these, when asked again to the next, and so on around.
    fn in_turn(turns: &[&[&str]]) -> Arc<Self> {
        let to = turns.iter().map(|turn| turn.iter().map(|address| address.parse().unwrap()).collect()).collect();
        Arc::new(Self { to, asked: AtomicUsize::new(0) })
    }
}

impl Resolve for Leads {
    fn resolve(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let found = self.to[self.asked.fetch_add(1, Ordering::SeqCst) % self.to.len()].clone();
        async move { Ok(found) }.boxed()
    }
}

fn networks(allowed: &[&str]) -> Arc<[Network]> {
    allowed.iter().map(|network| network.parse().unwrap()).collect()
}

fn message(secrets: &[Secret]) -> Message<'_> {
    Message { id: "evt_1", body: r#"{"id":"evt_1"}"#, at: Timestamp::from_ms(1_800_000_000_000), signing: Signing::Standard(secrets) }
}

/// One that everything may be told to: what is refused then is refused while connecting, not while reading the address.
fn receiver(text: &str) -> Receiver {
    Receiver::parse(text, &networks(&["0.0.0.0/0", "::/0"])).expect(text)
}

async fn sent(sender: &Sender, text: &str) -> Result<Answer, SendError> {
    sender.send(&receiver(text), message(&[Secret::new([7; 32])])).await
}

/// A server that answers each connection with these bytes and counts them; it gives back what was sent first.
async fn answering(answer: &'static [u8]) -> (u16, Arc<AtomicUsize>, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, seen) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let (tell, told) = tokio::sync::mpsc::unbounded_channel();
    let counting = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counting.fetch_add(1, Ordering::SeqCst);
            let tell = tell.clone();
            tokio::spawn(async move {
                let mut bytes = [0; 4096];
                let length = stream.read(&mut bytes).await.unwrap_or_default();
                tell.send(String::from_utf8_lossy(&bytes[..length]).into_owned()).ok();
                stream.write_all(answer).await.ok();
            });
        }
    });
    (port, seen, told)
}

#[tokio::test]
async fn a_message_is_signed_by_every_secret_and_its_answer_is_kept() {
    let (port, _, mut told) =
        answering(b"HTTP/1.1 429 Too Many\r\nretry-after: 17\r\nx-from: here\r\ncontent-length: 5\r\n\r\nno\0w!").await;
    let sender = Sender::new(networks(&["127.0.0.0/8"]));
    let secrets = [Secret::new([1; 32]), Secret::new([2; 32])];
    let answer = sender.send(&receiver(&format!("http://127.0.0.1:{port}/hook?a=b")), message(&secrets)).await.unwrap();
    assert_eq!((answer.status, answer.retry_after_ms, &*answer.body), (429, Some(17_000), "no\u{fffd}w!"));
    assert!(answer.headers.contains("x-from: here\n"));
    let request = told.recv().await.unwrap();
    let signatures = secrets.map(|secret| secret.sign("evt_1", 1_800_000_000, r#"{"id":"evt_1"}"#)).join(" ");
    for said in [
        "POST /hook?a=b HTTP/1.1",
        "webhook-id: evt_1",
        "webhook-timestamp: 1800000000",
        &format!("webhook-signature: {signatures}\r\n"),
        r#"{"id":"evt_1"}"#,
    ] {
        assert!(request.contains(said), "{said}: {request}");
    }
}

#[tokio::test]
async fn nothing_is_connected_to_that_is_not_public_whatever_it_is_called() {
    let (port, seen, _told) = answering(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let sender = Sender::new(networks(&[]));
    for scheme in ["http", "https"] {
        for host in [
            "127.0.0.1",
            "localhost",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "0.0.0.0",
            "[::]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::1]",
            "127.1.2.3",
        ] {
            assert_eq!(sent(&sender, &format!("{scheme}://{host}:{port}/")).await, Err(SendError::NoAddress), "{scheme} {host}");
        }
    }
    for address in [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "169.254.169.254",
        "10.0.0.1",
        "fd00:ec2::254",
        "64:ff9b::7f00:1",
        "0.0.0.0",
        "100.100.100.200",
        "192.168.1.1",
    ] {
        let leads = Sender::with_resolver(networks(&[]), Leads::to(&[address]));
        assert_eq!(sent(&leads, &format!("https://hooks.example.com:{port}/")).await, Err(SendError::NoAddress), "{address}");
    }
    // The operator's networks are no way to others.
    let elsewhere = Sender::with_resolver(networks(&["10.0.0.0/8"]), Leads::to(&["127.0.0.1"]));
    assert_eq!(sent(&elsewhere, &format!("http://hooks.example.com:{port}/")).await, Err(SendError::NoAddress));
    assert_eq!(seen.load(Ordering::SeqCst), 0, "no connection was seen");
}

/// No name leads anywhere.
struct Unknown;

impl Resolve for Unknown {
    fn resolve(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        async { Err(io::Error::other("there is no such name")) }.boxed()
    }
}

#[tokio::test]
async fn a_name_that_is_not_known_and_one_within_our_network_are_told_in_one_sentence_that_is_true_of_both() {
    let resolvers: [Arc<dyn Resolve>; 2] = [Arc::new(Unknown), Leads::to(&["10.0.0.1"])];
    for resolver in resolvers {
        let told = sent(&Sender::with_resolver(networks(&[]), resolver), "https://hooks.example.com/").await.unwrap_err().to_string();
        assert!(told.contains("may be misspelled, or it may be in a private network") && told == NO_ADDRESS, "{told}");
    }
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_only_what_was_checked_is_connected_to() {
    let (port, seen, _told) = answering(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    // An address of documentation that the operator allows, behind which nobody answers; looked up again, the name leads to this machine.
    let leads = Leads::in_turn(&[&["192.0.2.1"], &["127.0.0.1"]]);
    let sender = Sender::with_resolver(networks(&["192.0.2.0/24"]), Arc::clone(&leads) as Arc<dyn Resolve>);
    assert!(sent(&sender, &format!("http://rebinding.example.com:{port}/")).await.is_err());
    assert_eq!(leads.asked.load(Ordering::SeqCst), 1);
    assert_eq!(sent(&sender, &format!("http://rebinding.example.com:{port}/")).await, Err(SendError::NoAddress));
    // Of several addresses those are left out that may not be reached.
    let mixed = Sender::with_resolver(networks(&["192.0.2.0/24"]), Leads::to(&["127.0.0.1", "::1", "192.0.2.1"]));
    assert!(sent(&mixed, &format!("http://mixed.example.com:{port}/")).await.is_err());
    assert_eq!(seen.load(Ordering::SeqCst), 0, "no connection was seen");
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_leads_nowhere() {
    let (inner, seen, _told) = answering(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let location = format!("HTTP/1.1 307 Temporary\r\nlocation: http://127.0.0.1:{inner}/\r\ncontent-length: 0\r\n\r\n");
    let (port, _, _told) = answering(Box::leak(location.into_bytes().into_boxed_slice())).await;
    let sender = Sender::new(networks(&["127.0.0.0/8"]));
    assert_eq!(sent(&sender, &format!("http://127.0.0.1:{port}/")).await.unwrap().status, 307);
    assert_eq!(seen.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn what_is_no_answer_is_told_apart_and_an_endless_one_is_cut_off() {
    let sender = Sender::new(networks(&["127.0.0.0/8"]));
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    assert_eq!(sent(&sender, &format!("http://127.0.0.1:{nobody}/")).await, Err(SendError::Refused));
    let (closing, ..) = answering(b"").await;
    assert_eq!(sent(&sender, &format!("http://127.0.0.1:{closing}/")).await, Err(SendError::Broken));
    assert_eq!(sent(&sender, &format!("https://127.0.0.1:{closing}/")).await, Err(SendError::Encryption));
    // Told apart here, and by nobody who reads what is said of it.
    let said = [SendError::Refused, SendError::Encryption, SendError::TooSlow, SendError::Broken].map(|error| error.to_string());
    assert!(said.iter().all(|text| *text == said[0]), "{said:?}");
    let head = format!("HTTP/1.1 200 OK\r\nx-long: {}\r\ncontent-length: 0\r\n\r\n", "x".repeat(64 * 1024));
    let (bomb, ..) = answering(Box::leak(head.into_bytes().into_boxed_slice())).await;
    assert_eq!(sent(&sender, &format!("http://127.0.0.1:{bomb}/")).await, Err(SendError::Broken));
    let body = format!("HTTP/1.1 500 No\r\ncontent-length: 99999999\r\nx-a: {}\r\n\r\n{}", "h".repeat(4000), "b".repeat(100_000));
    let (endless, ..) = answering(Box::leak(body.into_bytes().into_boxed_slice())).await;
    let answer = sent(&sender, &format!("http://127.0.0.1:{endless}/")).await.unwrap();
    assert_eq!((answer.status, answer.body.len()), (500, BODY_BYTES_MAX));
    assert!(answer.headers.chars().count() <= HEADERS_CHARS_MAX);
}

#[test]
fn patience_is_asked_for_in_seconds_or_until_a_moment() {
    let now = Timestamp::from_ms(1_795_278_605_000);
    assert_eq!(retry_after_ms("120", now), Some(120_000));
    assert_eq!(retry_after_ms("Sat, 21 Nov 2026 16:31:05 GMT", now), Some(60_000));
    assert_eq!(retry_after_ms("Sat, 21 Nov 2020 16:31:05 GMT", now), Some(0));
    assert_eq!(["soon", "-1", "", "1e9"].map(|asked| retry_after_ms(asked, now)), [None; 4]);
}
