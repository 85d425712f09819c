//! Questions to a local server, and the ports it may listen on.

use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

use anyhow::{Context, Result};
use ureq::Agent;

const PATIENCE: Duration = Duration::from_secs(2);

/// A client that takes every status for an answer.
pub fn agent(patience: Duration) -> Agent {
    Agent::config_builder().timeout_global(Some(patience)).http_status_as_error(false).build().into()
}

/// The status of `GET path`, or nothing while nobody answers.
pub fn status(port: u16, path: &str) -> Option<u16> {
    let answer = agent(PATIENCE).get(format!("http://127.0.0.1:{port}{path}")).call();
    answer.ok().map(|answer| answer.status().as_u16())
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
    use std::io::{BufRead, BufReader, Write};
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
    fn every_status_is_an_answer() {
        for code in [200, 404, 503] {
            assert_eq!(status(stand_in(code), "/readyz"), Some(code));
        }
    }

    #[test]
    fn nobody_listening_is_no_status() {
        assert_eq!(status(free_port().unwrap(), "/healthz"), None);
    }
}
