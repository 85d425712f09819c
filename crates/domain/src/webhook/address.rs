//! Which addresses a delivery may be sent to: those of the public internet, and those that the operator allows.
//!
//! Asked of each address that a connection is about to be made to, after its name was looked up. The ranges are those of IANA's
//! registries of special addresses, and one that clouds use for their metadata though it looks public.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// A network, such as `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    /// How many bits of it are the network's.
    bits: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a network such as 10.0.0.0/8 or fd00::/8, or an address")]
pub struct NetworkError;

impl Network {
    const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8) -> Self {
        Self { address: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), bits }
    }

    const fn v6(a: u16, b: u16, c: u16, bits: u8) -> Self {
        Self { address: IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)), bits }
    }

    #[must_use]
    pub fn holds(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                (own.to_bits() ^ other.to_bits()) & mask == 0
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                (own.to_bits() ^ other.to_bits()) & mask == 0
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    /// A single address is a network of its own.
    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, bits) = text.trim().split_once('/').map_or((text.trim(), None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| NetworkError)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| NetworkError))?;
        if bits <= most { Ok(Self { address, bits }) } else { Err(NetworkError) }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

/// Of IPv4, those that are not the public internet's.
const SPECIAL_V4: [Network; 18] = [
    Network::v4(0, 0, 0, 0, 8),        // this host
    Network::v4(10, 0, 0, 0, 8),       // private
    Network::v4(100, 64, 0, 0, 10),    // shared by customers of a provider; metadata of a cloud
    Network::v4(127, 0, 0, 0, 8),      // loopback
    Network::v4(168, 63, 129, 16, 32), // metadata of a cloud
    Network::v4(169, 254, 0, 0, 16),   // link local; metadata of clouds
    Network::v4(172, 16, 0, 0, 12),    // private
    Network::v4(192, 0, 0, 0, 24),     // protocols; metadata of a cloud
    Network::v4(192, 0, 2, 0, 24),     // documentation
    Network::v4(192, 31, 196, 0, 24),  // AS112
    Network::v4(192, 52, 193, 0, 24),  // multicast relays
    Network::v4(192, 88, 99, 0, 24),   // 6to4 relays
    Network::v4(192, 168, 0, 0, 16),   // private
    Network::v4(192, 175, 48, 0, 24),  // AS112
    Network::v4(198, 18, 0, 0, 15),    // benchmarks
    Network::v4(198, 51, 100, 0, 24),  // documentation
    Network::v4(203, 0, 113, 0, 24),   // documentation
    Network::v4(224, 0, 0, 0, 3),      // multicast, reserved, broadcast
];

/// Of IPv6, what may be reached at all: mapped, compatible, translated (NAT64), unique local, link local and multicast addresses
/// and the loopback lie outside.
const GLOBAL_V6: Network = Network::v6(0x2000, 0, 0, 3);

/// Within it, what is not the public internet's.
const SPECIAL_V6: [Network; 5] = [
    Network::v6(0x2001, 0, 0, 23),         // protocols: Teredo, benchmarks, ORCHID
    Network::v6(0x2001, 0xdb8, 0, 32),     // documentation
    Network::v6(0x2002, 0, 0, 16),         // 6to4
    Network::v6(0x2620, 0x4f, 0x8000, 48), // AS112
    Network::v6(0x3fff, 0, 0, 20),         // documentation
];

/// Whether anybody on the internet could reach it.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(_) => !SPECIAL_V4.iter().any(|special| special.holds(address)),
        IpAddr::V6(_) => GLOBAL_V6.holds(address) && !SPECIAL_V6.iter().any(|special| special.holds(address)),
    }
}

/// Below this, other services than receivers listen.
const FREE_PORTS_FROM: u16 = 1024;

/// Whether a connection may be made: to what the operator allows in any way; else encrypted, to a public address, and to a port at
/// which receivers listen.
#[must_use]
pub fn may_reach(address: IpAddr, port: u16, is_encrypted: bool, allowed: &[Network]) -> bool {
    let canonical = address.to_canonical();
    let is_allowed = allowed.iter().any(|network| network.holds(canonical) || network.holds(address));
    is_allowed || is_encrypted && is_public(address) && (port == 443 || port >= FREE_PORTS_FROM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HIDDEN: &[&str] = &[
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.1.2.3",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "169.254.170.2",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.0.192",
        "192.0.2.7",
        "192.31.196.1",
        "192.52.193.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.168.255.255",
        "192.175.48.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2620:4f:8000::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd12:3456:789a::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "ffff::1",
    ];
    const PUBLIC: &[&str] = &[
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.1",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.1",
        "126.255.255.255",
        "128.0.0.1",
        "168.63.129.17",
        "169.253.255.255",
        "169.255.0.1",
        "172.15.255.255",
        "172.32.0.1",
        "192.0.1.1",
        "192.167.255.255",
        "192.169.0.1",
        "198.17.255.255",
        "198.20.0.1",
        "223.255.255.255",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2a00:1450::1",
        "2003::1",
        "3ffe::1",
    ];

    #[test]
    fn what_is_not_the_public_internets_is_refused_and_its_neighbours_are_not() {
        for text in HIDDEN {
            let address = text.parse().unwrap();
            assert!(!is_public(address) && !may_reach(address, 443, true, &[]), "{text}");
        }
        for text in PUBLIC {
            let address = text.parse().unwrap();
            assert!(is_public(address) && may_reach(address, 443, true, &[]), "{text}");
            assert!(!may_reach(address, 443, false, &[]), "{text}: not encrypted");
        }
    }

    #[test]
    fn ports_of_other_services_are_left_alone() {
        let reached = [22, 25, 80, 443, 465, 993, 1023, 1024, 8443].map(|port| may_reach("8.8.8.8".parse().unwrap(), port, true, &[]));
        assert_eq!(reached, [false, false, false, true, false, false, false, true, true]);
    }

    #[test]
    fn what_the_operator_allows_is_reached_in_every_way_and_in_every_spelling_and_nothing_beside_it() {
        let allowed = ["127.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap(), "10.1.2.3".parse().unwrap()];
        let reached = |text: &str| may_reach(text.parse().unwrap(), 80, false, &allowed);
        assert!(reached("127.0.0.1") && reached("::ffff:127.0.0.1") && reached("fd00:ec2::254") && reached("10.1.2.3"));
        assert!(!reached("10.1.2.4") && !reached("::1") && !reached("169.254.169.254") && !reached("8.8.8.8") && !reached("fe80::1"));
    }

    #[test]
    fn a_network_is_read_as_it_is_written() {
        for text in ["10.0.0.0/8", "0.0.0.0/0", "127.0.0.1/32", "fd00::/8", "::/0"] {
            assert_eq!(text.parse::<Network>().unwrap().to_string(), text);
        }
        assert_eq!("::1".parse::<Network>().unwrap().to_string(), "::1/128");
        for text in ["", "localhost", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8"] {
            assert_eq!(text.parse::<Network>(), Err(NetworkError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_way_of_writing_an_ipv4_address_into_ipv6_is_reached(bits: u32) {
            let inside = Ipv4Addr::from_bits(bits);
            let [a, b] = [(bits >> 16) as u16, bits as u16];
            for address in [
                inside.to_ipv6_mapped(),
                Ipv6Addr::new(0, 0, 0, 0, 0, 0, a, b),
                Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, a, b),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, a, b),
                Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, a, b),
                Ipv6Addr::new(0x2002, a, b, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, !a, !b),
                Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0x5efe, a, b),
            ] {
                prop_assert!(!may_reach(address.into(), 443, true, &[]), "{address}");
            }
        }

        #[test]
        fn a_network_holds_what_shares_its_bits(bits: u32, other: u32, length in 0_u8..=32) {
            let network = Network { address: IpAddr::V4(Ipv4Addr::from_bits(bits)), bits: length };
            let shares = length == 0 || bits >> (32 - length) == other >> (32 - length);
            prop_assert_eq!(network.holds(Ipv4Addr::from_bits(other).into()), shares);
        }
    }
}
