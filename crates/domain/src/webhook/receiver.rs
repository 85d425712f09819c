//! The address of a receiver, in the one spelling that is taken.
//!
//! What other programs would read in several ways is refused rather than guessed: addresses in other numbers than decimal ones, parts that
//! are left out, users and passwords, fragments. A name says nothing of where it leads: that is asked when a connection is made.

use super::address::{Network, may_reach};
use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

pub const URL_CHARS_MAX: usize = 2048;
const HOST_CHARS_MAX: usize = 253;
const LABEL_CHARS_MAX: usize = 63;

/// Where deliveries go. Made by [`Receiver::parse`] alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receiver {
    pub is_encrypted: bool,
    pub host: Host,
    pub port: u16,
    /// With what is asked, beginning with a slash.
    path: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    Name(String),
    Address(IpAddr),
}

/// Why nothing is delivered to such an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReceiverError {
    #[error("the address of a receiver begins with https://")]
    Scheme,
    #[error("the address has more than {URL_CHARS_MAX} characters")]
    TooLong,
    #[error("the address has characters that do not belong into one; write them with % and two digits")]
    Characters,
    #[error("the address names a user or password; tell our deliveries by their signature instead")]
    User,
    #[error("the address has a fragment (#), which is never sent")]
    Fragment,
    #[error("the port is a number from 1 to 65535")]
    Port,
    #[error("the host is neither a name such as hooks.example.com nor an address in its usual spelling")]
    Host,
    #[error("nothing is delivered to that host or port: it is not on the public internet")]
    NotPublic,
}

impl Receiver {
    /// # Errors
    /// [`ReceiverError`]. Of a name nobody knows yet where it leads.
    pub fn parse(text: &str, allowed: &[Network]) -> Result<Self, ReceiverError> {
        if text.len() > URL_CHARS_MAX {
            return Err(ReceiverError::TooLong);
        }
        let (scheme, rest) = text.split_once("://").ok_or(ReceiverError::Scheme)?;
        let is_encrypted = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            // Only to where the operator allows it.
            "http" if !allowed.is_empty() => false,
            _ => return Err(ReceiverError::Scheme),
        };
        if !rest.bytes().all(|byte| byte.is_ascii_graphic() && !br#"\"<>^`{|}"#.contains(&byte)) {
            return Err(ReceiverError::Characters);
        }
        if rest.contains('#') {
            return Err(ReceiverError::Fragment);
        }
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err(ReceiverError::User);
        }
        let (host, port) = host_and_port(authority)?;
        let port = port.map_or(Ok(if is_encrypted { 443 } else { 80 }), |port| port.ok_or(ReceiverError::Port))?;
        let receiver = Self { is_encrypted, host, port, path: if path.starts_with('/') { path.to_owned() } else { format!("/{path}") } };
        receiver.check(allowed)?;
        Ok(receiver)
    }

    /// Without its path: those with the same one are answered by the same program.
    #[must_use]
    pub fn origin(&self) -> String {
        let (scheme, usual) = if self.is_encrypted { ("https", 443) } else { ("http", 80) };
        let port = if self.port == usual { String::new() } else { format!(":{}", self.port) };
        format!("{scheme}://{}{port}", self.host)
    }

    fn check(&self, allowed: &[Network]) -> Result<(), ReceiverError> {
        // To a name that has no public address, a port of another service, or one without encryption only the operator's networks can answer.
        let is_imaginable = match &self.host {
            Host::Address(address) => may_reach(*address, self.port, self.is_encrypted, allowed),
            Host::Name(name) => {
                let may_be_public = name.contains('.') && !name.ends_with(".localhost");
                let somewhere = IpAddr::V4(Ipv4Addr::new(1, 1, 1, 1));
                !allowed.is_empty() || may_be_public && may_reach(somewhere, self.port, self.is_encrypted, &[])
            }
        };
        if is_imaginable { Ok(()) } else { Err(ReceiverError::NotPublic) }
    }
}

impl fmt::Display for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.path)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

/// The port: `None` where none is given, `Some(None)` where it is none.
type Port = Option<Option<u16>>;

fn host_and_port(authority: &str) -> Result<(Host, Port), ReceiverError> {
    let port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok().filter(|port| *port > 0)).flatten();
    if let Some(rest) = authority.strip_prefix('[') {
        let (address, behind) = rest.split_once(']').ok_or(ReceiverError::Host)?;
        let address: Ipv6Addr = address.parse().map_err(|_| ReceiverError::Host)?;
        let port = match behind.strip_prefix(':') {
            Some(text) => Some(port(text)),
            None if behind.is_empty() => None,
            None => return Err(ReceiverError::Host),
        };
        return Ok((Host::Address(address.into()), port));
    }
    let (name, port) = authority.split_once(':').map_or((authority, None), |(name, text)| (name, Some(port(text))));
    Ok((host(name)?, port))
}

fn host(name: &str) -> Result<Host, ReceiverError> {
    let name = name.to_ascii_lowercase();
    // Whatever ends in a number is read as an address by some: as 127.1, 0x7f.1, 017700000001 or 2130706433.
    if name.rsplit('.').next().is_some_and(|last| last.starts_with(|first: char| first.is_ascii_digit())) {
        let address: Ipv4Addr = name.parse().map_err(|_| ReceiverError::Host)?;
        return Ok(Host::Address(address.into()));
    }
    let is_label = |label: &str| {
        let is_long_enough = (1..=LABEL_CHARS_MAX).contains(&label.len());
        let is_spelt = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_long_enough && is_spelt && !label.starts_with('-') && !label.ends_with('-')
    };
    if name.len() <= HOST_CHARS_MAX && name.split('.').all(is_label) { Ok(Host::Name(name)) } else { Err(ReceiverError::Host) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> ReceiverError {
        Receiver::parse(text, &[]).expect_err(text)
    }

    #[test]
    fn addresses_of_receivers_are_taken_and_written_in_one_spelling() {
        for (typed, written) in [
            ("https://hooks.example.com/reelmill", "https://hooks.example.com/reelmill"),
            ("HTTPS://Hooks.Example.COM", "https://hooks.example.com/"),
            ("https://hooks.example.com:443?a=b@c", "https://hooks.example.com/?a=b@c"),
            ("https://xn--bcher-kva.example:8443/a%20b", "https://xn--bcher-kva.example:8443/a%20b"),
            ("https://93.184.216.34/", "https://93.184.216.34/"),
            ("https://[2606:4700:0::1111]:8443/x", "https://[2606:4700::1111]:8443/x"),
        ] {
            assert_eq!(Receiver::parse(typed, &[]).expect(typed).to_string(), written);
        }
    }

    #[test]
    fn what_is_no_address_on_the_public_internet_is_refused_in_every_spelling() {
        use ReceiverError as E;
        let corpus: &[(E, &[&str])] = &[
            (
                E::Scheme,
                &[
                    "",
                    "hooks.example.com",
                    "http://hooks.example.com/",
                    "ftp://a.example/",
                    "file:///etc/passwd",
                    "gopher://a.example/",
                    "unix:/run/x",
                    "//a.example/",
                    "javascript:alert(1)",
                    "https:/a.example",
                    "https:a.example",
                    " https://a.example/",
                    "https ://a.example/",
                    "ws://a.example/",
                    "data:,x",
                    "jar:https://a.example!/",
                    "dict://127.0.0.1:6379/info",
                ],
            ),
            (
                E::User,
                &[
                    "https://user@a.example/",
                    "https://user:secret@a.example/",
                    "https://a.example@127.0.0.1/",
                    "https://@a.example/",
                    "https://127.0.0.1:443@a.example/",
                ],
            ),
            (E::Fragment, &["https://a.example/#x", "https://127.0.0.1#@a.example/", "https://a.example#"]),
            (
                E::Characters,
                &[
                    "https://a.example\\@127.0.0.1/",
                    "https://a.example/\r\nHost: b",
                    "https://a.example/ x",
                    "https://\u{ff41}.example/",
                    "https://b\u{fc}cher.example/",
                    "https://\u{24d8}.example/",
                    "https://127\u{3002}0\u{3002}0\u{3002}1/",
                    "https://a.example/\0",
                    "https://a.example\t/",
                    "https://a.example/<x>",
                ],
            ),
            (
                E::Port,
                &[
                    "https://a.example:/",
                    "https://a.example:0/",
                    "https://a.example:65536/",
                    "https://a.example:x/",
                    "https://a.example:+443/",
                    "https://a.example:-1/",
                    "https://[::1]:/",
                ],
            ),
            (
                E::Host,
                &[
                    "https://",
                    "https:///x",
                    "https://?x",
                    "https://.example/",
                    "https://a..example/",
                    "https://a.example./",
                    "https://-a.example/",
                    "https://a_b.example/",
                    "https://a%2eexample/",
                    "https://%31%32%37.0.0.1/",
                    "https://127.1/",
                    "https://127.0.1/",
                    "https://0x7f.1/",
                    "https://0x7f000001/",
                    "https://0x7f.0x0.0x0.0x1/",
                    "https://2130706433/",
                    "https://017700000001/",
                    "https://0177.0.0.1/",
                    "https://127.0.0.01/",
                    "https://0127.0.0.1/",
                    "https://127.0.0.1./",
                    "https://127.0.0.256/",
                    "https://1.2.3.4.5/",
                    "https://a.1/",
                    "https://a.0x1/",
                    "https://3232235777/",
                    "https://0/",
                    "https://1/",
                    "https://[127.0.0.1]/",
                    "https://[::1%25lo]/",
                    "https://[fe80::1%eth0]/",
                    "https://[::1/",
                    "https://[::1]x/",
                    "https://[]/",
                    "https://[v1.a]/",
                    "https://::1/",
                    "https://[::ffff:127.0.0.01]/",
                    "https://[::ffff:0x7f.1]/",
                    "https://[0:0:0:0:0:0:0:0:1]/",
                    "https://a.example,b.example/",
                    "https://a.example;b/",
                ],
            ),
            (
                E::NotPublic,
                &[
                    "https://localhost/",
                    "https://LOCALHOST:8443/",
                    "https://a.localhost/",
                    "https://redis/",
                    "https://metadata/",
                    "https://127.0.0.1/",
                    "https://0.0.0.0/",
                    "https://10.0.0.1/",
                    "https://169.254.169.254/latest/meta-data/",
                    "https://100.100.100.200/",
                    "https://192.168.1.1:8443/",
                    "https://[::1]/",
                    "https://[::]/",
                    "https://[::ffff:127.0.0.1]/",
                    "https://[::ffff:7f00:1]/",
                    "https://[::127.0.0.1]/",
                    "https://[0:0:0:0:0:ffff:7f00:0001]/",
                    "https://[64:ff9b::7f00:1]/",
                    "https://[2002:7f00:1::]/",
                    "https://[fd00:ec2::254]/",
                    "https://[fe80::1]/",
                    "https://[ff02::1]/",
                    "https://255.255.255.255/",
                    "https://224.0.0.1/",
                    "https://a.example:25/",
                    "https://a.example:80/",
                    "https://8.8.8.8:22/",
                ],
            ),
        ];
        for (error, texts) in corpus {
            for text in *texts {
                assert_eq!(refused(text), *error, "{text}");
            }
        }
        assert!(corpus.iter().map(|(_, texts)| texts.len()).sum::<usize>() >= 105);
        assert_eq!(refused(&format!("https://a.example/{}", "x".repeat(URL_CHARS_MAX))), ReceiverError::TooLong);
        assert_eq!(refused(&format!("https://{}.example/", "x".repeat(64))), ReceiverError::Host);
    }

    #[test]
    fn where_the_operator_allows_a_network_its_receivers_need_no_encryption() {
        let allowed = ["127.0.0.0/8".parse().unwrap()];
        for text in ["http://127.0.0.1:8080/", "http://localhost:8080/x", "http://receiver.internal/", "https://127.0.0.1/"] {
            assert!(Receiver::parse(text, &allowed).is_ok(), "{text}");
        }
        for text in ["http://10.0.0.1/", "http://[::1]/", "http://8.8.8.8/", "https://192.168.0.1/", "http://127.1/"] {
            assert!(Receiver::parse(text, &allowed).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_is_taken_again_as_it_is_written(text in "https://[a-zA-Z0-9.:@\\[\\]-]{1,24}(/[ -~]{0,8})?") {
            if let Ok(receiver) = Receiver::parse(&text, &[]) {
                prop_assert_eq!(Receiver::parse(&receiver.to_string(), &[]), Ok(receiver));
            }
        }
    }
}
