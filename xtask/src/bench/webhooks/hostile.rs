//! Addresses that lead into the own network, however they are written: none of them may be called.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::{ALLOWED, Client};
use crate::torture::support::receiver::{Manner, Receiver};
use crate::torture::support::report::Report;

/// For a connection that is late.
const SETTLED: Duration = Duration::from_secs(3);

/// Hosts by which this machine, or what clouds have beside it, may be reached.
const HOSTS: [&str; 52] = [
    "127.0.0.1",
    "127.0.0.3",
    "127.255.255.254",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "017700000001",
    "0177.0.0.1",
    "0177.0.0.01",
    "00000177.0.0.1",
    "127.0.0.1.",
    "127.0.0.0x1",
    "0",
    "0.0.0.0",
    "0x0",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "LocalHost",
    "a.localhost",
    "ip6-localhost",
    "ip6-loopback",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[::ffff:0:127.0.0.1]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "169.254.169.254",
    "metadata.google.internal",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.100.100.200",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
];
/// What is not called by http at all. `{port}`: of a listener.
const OTHERS: [&str; 12] = [
    "https://user@127.0.0.1:{port}/",
    "http://127.0.0.2@127.0.0.1:{port}/",
    "http://127.0.0.2:80@127.0.0.1:{port}/",
    "http://127.0.0.2#@127.0.0.1:{port}/",
    "http://127.0.0.2\\@127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/",
    "http:///127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "gopher://127.0.0.1:{port}/_",
    "ftp://127.0.0.1:{port}/",
    "file:///etc/hostname",
    "unix:/run/docker.sock",
];

/// Asks for an endpoint with each of them, and for a test of those that were made; and for one that is allowed and sends on.
pub fn judge(client: &Client, report: &mut Report) -> Result<()> {
    // One is on all of this machine's addresses; not every machine has the other.
    let mut listeners = vec![Receiver::open(Ipv4Addr::UNSPECIFIED.into(), Manner::Takes)?];
    listeners.extend(Receiver::open(Ipv6Addr::LOCALHOST.into(), Manner::Takes));
    let (mut made, mut tried) = (0, 0);
    for listener in &listeners {
        let port = listener.address.port();
        let by_host = HOSTS.iter().flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:{port}/")));
        for url in by_host.chain(OTHERS.iter().map(|url| url.replace("{port}", &port.to_string()))) {
            tried += 1;
            let (status, answer) = client.ask(&url)?;
            if status == 200 {
                made += 1;
                test(client, answer["id"].as_str().unwrap_or_default(), report, &url)?;
            }
        }
    }
    // The same by a receiver that may be called.
    for listener in &listeners {
        let leading = Receiver::open(ALLOWED.into(), Manner::Leads { to: listener.url().replace("0.0.0.0", "127.0.0.1") })?;
        let endpoint = client.create(&leading.url())?;
        test(client, &endpoint, report, "a redirect")?;
        report.expect("the receiver that sends on was called", leading.connections(), 1, leading.connections() == 1);
    }
    thread::sleep(SETTLED);
    report.note("hostile addresses, and redirects to them", format!("{tried}, {}", listeners.len()));
    report.note("of these, endpoints that could be made", made);
    report.expect_none("connections that listeners saw", listeners.iter().map(Receiver::connections).sum());
    Ok(())
}

fn test(client: &Client, endpoint: &str, report: &mut Report, what: &str) -> Result<()> {
    // It is answered with 200 where there was an answer, whatever it was.
    let (status, tested) = client.test(endpoint)?;
    if status == 200 && tested["status_code"].as_u64().is_some_and(|code| code < 300) {
        report.expect(format!("a test sent to {what}"), "delivered", "not delivered", false);
    }
    client.delete(endpoint)
}
