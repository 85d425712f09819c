//! Numbers as people read and type them.

/// `32,000`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

/// So many bytes, in the unit that is read: `512 MiB`, `54.4 GiB`, `1,234 GiB`.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    const GIB: u64 = 1 << 30;
    match bytes / GIB {
        0 => format!("{} MiB", bytes >> 20),
        1..100 => format!("{:.1} GiB", bytes as f64 / GIB as f64),
        gib => format!("{} GiB", grouped(gib)),
    }
}

/// A decimal number of at most `decimals` decimals, times ten to the power of them: `12`, `0.5`. `None`: it is none, or has more.
#[must_use]
pub fn scaled(text: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (text, ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = !whole.is_empty() && is_digits(whole) && is_digits(fraction) && fraction.len() <= decimals;
    if is_number { format!("{whole}{fraction:0<decimals$}").parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!([7, 999, 32_000, 1_234_567].map(grouped), ["7", "999", "32,000", "1,234,567"]);
    }

    #[test]
    fn sizes_are_told_in_the_unit_that_is_read() {
        assert_eq!([900 << 20, 55_733 << 20, 1234 << 30].map(bytes), ["900 MiB", "54.4 GiB", "1,234 GiB"]);
    }

    #[test]
    fn what_is_typed_with_decimals_is_read_exactly() {
        assert_eq!([scaled("29", 2), scaled("0.5", 2), scaled("1.234", 3), scaled("0", 0)], [Some(2900), Some(50), Some(1234), Some(0)]);
        for wrong in ["1.234", ".5", "1.", "1e3", "", "-1", "1,5", "99999999999999999999", "1.-5", "+1"] {
            assert_eq!(scaled(wrong, 2), None, "{wrong}");
        }
    }
}
