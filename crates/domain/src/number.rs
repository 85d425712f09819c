//! Whole numbers as people read them.

/// `32,000`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!([7, 999, 32_000, 1_234_567].map(grouped), ["7", "999", "32,000", "1,234,567"]);
    }
}
