//! A collector for tests: a real server of HTTP that reads the protobuf it is sent, field by field as the protocol's files number them, and by
//! nothing of what writes it.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// How the collector answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answering {
    With(u16),
    /// Reads and says nothing.
    Never,
}

/// A span as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Received {
    pub trace: String,
    pub span: String,
    /// Empty: none.
    pub parent: String,
    pub name: String,
    pub kind: u64,
    pub begun_ns: u64,
    pub ended_ns: u64,
    /// Numbers as text.
    pub attributes: BTreeMap<String, String>,
    pub error: Option<String>,
    /// Of the process.
    pub resource: BTreeMap<String, String>,
}

/// A collector; ends when dropped.
pub struct Receiver {
    pub address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    spans: Vec<Received>,
    /// The head of each request, in lower case.
    heads: Vec<String>,
}

impl Receiver {
    /// # Panics
    /// When nobody may listen on this machine.
    pub async fn start(answering: Answering) -> Self {
        #[allow(clippy::expect_used, reason = "a test says so by panicking")]
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        #[allow(clippy::expect_used, reason = "as above")]
        let address = listener.local_addr().expect("it listens");
        let seen = Arc::<Mutex<Seen>>::default();
        let kept = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let kept = Arc::clone(&kept);
                tokio::spawn(async move { serve(stream, answering, &kept).await });
            }
        });
        Self { address, seen, task }
    }

    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    #[must_use]
    pub fn spans(&self) -> Vec<Received> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).spans.clone()
    }

    #[must_use]
    pub fn heads(&self) -> Vec<String> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).heads.clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Request after request of a connection. `None`: it is over.
async fn serve(stream: TcpStream, answering: Answering, seen: &Mutex<Seen>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).await.ok()? == 0 {
                return None;
            }
        }
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.trim().parse().ok()?;
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.heads.push(head);
            if answering == Answering::With(200) {
                seen.spans.extend(spans(&body)?);
            }
        }
        let Answering::With(status) = answering else { return std::future::pending().await };
        let answer = format!("HTTP/1.1 {status} as told\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(answer.as_bytes()).await.ok()?;
    }
}

/// A field of a message: its number, and its bytes or its value.
struct Field<'a> {
    number: u64,
    bytes: &'a [u8],
    value: u64,
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// `None`: this is no message.
fn fields(mut bytes: &[u8]) -> Option<Vec<Field<'_>>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let (value, length) = match key & 7 {
            0 => (varint(&mut bytes)?, 0),
            1 => (u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?), 8),
            2 => (0, usize::try_from(varint(&mut bytes)?).ok()?),
            _ => return None,
        };
        let (own, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        fields.push(Field { number: key >> 3, bytes: own, value });
    }
    Some(fields)
}

fn inner(message: &[u8], number: u64) -> Option<Vec<&[u8]>> {
    Some(fields(message)?.iter().filter(|field| field.number == number).map(|field| field.bytes).collect())
}

fn attributes(pairs: &[&[u8]]) -> Option<BTreeMap<String, String>> {
    let pair = |pair: &&[u8]| {
        let name = text(inner(pair, 1)?.first()?);
        let any = fields(inner(pair, 2)?.first()?)?;
        let value = any.first()?;
        Some((name, if value.number == 1 { text(value.bytes) } else { value.value.cast_signed().to_string() }))
    };
    pairs.iter().map(pair).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn spans(body: &[u8]) -> Option<Vec<Received>> {
    let mut received = Vec::new();
    for of_process in inner(body, 1)? {
        let described: Vec<&[u8]> = inner(of_process, 1)?.first().and_then(|resource| inner(resource, 1)).unwrap_or_default();
        let resource = attributes(&described)?;
        for of_scope in inner(of_process, 2)? {
            for span in inner(of_scope, 2)? {
                received.push(Received { resource: resource.clone(), ..one(span)? });
            }
        }
    }
    Some(received)
}

fn one(message: &[u8]) -> Option<Received> {
    let mut span = Received { attributes: attributes(&inner(message, 9)?)?, ..Received::default() };
    for Field { number, bytes, value } in fields(message)? {
        match number {
            1 => span.trace = hex(bytes),
            2 => span.span = hex(bytes),
            4 => span.parent = hex(bytes),
            5 => span.name = text(bytes),
            6 => span.kind = value,
            7 => span.begun_ns = value,
            8 => span.ended_ns = value,
            15 => span.error = inner(bytes, 2)?.first().map(|message| text(message)),
            _ => {}
        }
    }
    Some(span)
}
