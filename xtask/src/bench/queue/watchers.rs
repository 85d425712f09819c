//! Many open event streams, read by one thread for as long as they are open.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};

use super::create;
use crate::bench::api::Api;
use crate::product::Product;

/// As many people watch, each the same number of streams.
const PEOPLE: usize = 10;
const GLANCE: Duration = Duration::from_millis(20);

pub struct Watchers {
    closing: Arc<AtomicBool>,
    reading: JoinHandle<usize>,
    count: usize,
}

impl Watchers {
    pub fn open(product: &Product, count: usize) -> Result<Self> {
        let mut streams = Vec::new();
        for person in 0..PEOPLE {
            let api = Api::new(product, &format!("watcher{person}@example.com"))?;
            let id = create(&api)?.1;
            for _ in 0..count / PEOPLE {
                streams.push(watch(product, &api, &id)?);
            }
        }
        let (closing, count) = (Arc::new(AtomicBool::new(false)), streams.len());
        let until = closing.clone();
        Ok(Self { closing, count, reading: thread::spawn(move || read(streams, &until)) })
    }

    /// Fails when a stream ended while it was watched.
    pub fn close(self) -> Result<()> {
        self.closing.store(true, Ordering::SeqCst);
        let open = self.reading.join().map_err(|_| anyhow!("the watchers' thread failed"))?;
        ensure!(open == self.count, "of {} event streams {open} were still open", self.count);
        Ok(())
    }
}

fn watch(product: &Product, api: &Api, id: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, product.port))?;
    let (host, key) = (format!("127.0.0.1:{}", product.port), &api.authorization);
    write!(stream, "GET /v1/videos/{id}/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: {key}\r\n\r\n")?;
    let mut status = [0; 12];
    stream.read_exact(&mut status)?;
    ensure!(&status == b"HTTP/1.1 200", "no events: {}", String::from_utf8_lossy(&status));
    stream.set_nonblocking(true)?;
    Ok(stream)
}

/// How many were still open when told to close.
fn read(mut streams: Vec<TcpStream>, closing: &AtomicBool) -> usize {
    let mut bytes = [0; 16 * 1024];
    while !closing.load(Ordering::SeqCst) {
        streams.retain_mut(|stream| {
            loop {
                match stream.read(&mut bytes) {
                    Ok(0) => return false,
                    Ok(_) => {}
                    Err(error) => return error.kind() == ErrorKind::WouldBlock,
                }
            }
        });
        thread::sleep(GLANCE);
    }
    streams.len()
}
