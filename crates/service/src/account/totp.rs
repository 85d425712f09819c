//! Codes that change with time, as authenticator apps show them: RFC 6238 over SHA-1, six digits, thirty seconds.

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

pub const STEP_S: i64 = 30;
const DIGITS: usize = 6;
/// Clocks of phones are off by so many steps, either way.
const DRIFT_STEPS: i64 = 1;
/// 160 bits, as the RFC recommends.
pub const SECRET_BYTES: usize = 20;
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The code of a step of time.
pub fn code(secret: &[u8], step: i64) -> Option<String> {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).ok()?;
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let offset = usize::from(hash.last()? & 0xf);
    let four: [u8; 4] = hash.get(offset..offset + 4)?.try_into().ok()?;
    let number = (u32::from_be_bytes(four) & 0x7fff_ffff) % 10_u32.pow(DIGITS as u32);
    Some(format!("{number:0DIGITS$}"))
}

/// The step of which `typed` is the code at `now_s`. One that was used, up to `last_step`, is not.
pub fn step_of(secret: &[u8], typed: &str, now_s: i64, last_step: i64) -> Option<i64> {
    let typed: String = typed.chars().filter(|sign| !sign.is_whitespace()).collect();
    let now = now_s / STEP_S;
    let mut found = None;
    // All are computed, so that time tells nothing.
    for step in now - DRIFT_STEPS..=now + DRIFT_STEPS {
        if step > last_step && code(secret, step).is_some_and(|code| same(&code, &typed)) {
            found = Some(step);
        }
    }
    found
}

/// In a time that tells nothing of where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

pub fn base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in bytes {
        bits = (bits << 8) | u32::from(*byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            text.push(char::from(BASE32[(bits >> count & 31) as usize]));
        }
    }
    if count > 0 {
        text.push(char::from(BASE32[(bits << (5 - count) & 31) as usize]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_rfc() {
        // RFC 6238, appendix B, SHA-1, the last six digits of eight.
        for (seconds, expected) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"), (20_000_000_000, "353130")]
        {
            assert_eq!(code(SECRET, seconds / STEP_S).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_code_is_good_a_step_early_and_a_step_late_and_only_once() {
        let now = 1_111_111_111;
        let step = now / STEP_S;
        for (off, good) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let typed = code(SECRET, step + off).unwrap();
            assert_eq!(step_of(SECRET, &typed, now, 0).is_some(), good, "{off}");
            assert_eq!(step_of(SECRET, &typed, now, step + off), None);
        }
        assert_eq!(step_of(SECRET, "050 471", now, 0), Some(step));
        assert!(["", "05047", "0504711", "050472", "05047é"].iter().all(|typed| step_of(SECRET, typed, now, 0).is_none()));
    }

    #[test]
    fn secrets_are_written_as_apps_read_them() {
        // RFC 4648, section 10, without its padding.
        for (bytes, expected) in [("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foobar", "MZXW6YTBOI")] {
            assert_eq!(base32(bytes.as_bytes()), expected);
        }
    }
}
