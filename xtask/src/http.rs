//! The one question xtask asks over HTTP: which status does this local page answer with?

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result};

const PATIENCE: Duration = Duration::from_secs(2);

/// The status of `GET path`, or nothing while nobody answers.
pub fn status(port: u16, path: &str) -> Option<u16> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let question = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(question.as_bytes()).ok()?;
    let mut head = [0; 12]; // "HTTP/1.1 200"
    stream.read_exact(&mut head).ok()?;
    std::str::from_utf8(&head).ok()?.rsplit(' ').next()?.parse().ok()
}

/// Whether a server could listen on this port now.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// A port nobody listens on at this moment.
pub fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
    Ok(listener.local_addr()?.port())
}

#[cfg(test)]
pub mod tests {
    use std::io::{BufRead, BufReader};
    use std::thread;

    use super::*;

    /// Answers every request on a port of its own with this status, as long as the test lives.
    pub fn stand_in(status: u16) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let question = BufReader::new(&stream).lines().map_while(Result::ok);
                question.take_while(|line| !line.is_empty()).for_each(drop);
                let _ = write!(stream, "HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n\r\n");
            }
        });
        port
    }

    #[test]
    fn the_status_is_read_from_the_first_line() {
        assert_eq!(status(stand_in(503), "/readyz"), Some(503));
    }

    #[test]
    fn nobody_listening_is_no_status() {
        assert_eq!(status(free_port().unwrap(), "/healthz"), None);
    }
}
