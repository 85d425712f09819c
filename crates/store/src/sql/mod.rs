//! What statements need that are about several rows at once.

/// As many as the next power of two, the last again and again: the statements of all numbers of rows are few then, and stay prepared.
/// For those that do the same where something stands in them twice.
pub(crate) fn in_steps<T: Clone>(mut items: Vec<T>) -> Vec<T> {
    if let Some(last) = items.last().cloned() {
        items.resize(items.len().next_power_of_two(), last);
    }
    items
}

/// The places of the values of so many rows with so many columns each: `($1, $2), ($3, $4)`.
pub(crate) fn places(rows: usize, columns: usize) -> String {
    (0..rows).map(|row| places_from(row * columns + 1, columns)).collect::<Vec<_>>().join(", ")
}

/// A list of so many values, of which the first stands at this place: `($2, $3)`.
pub(crate) fn places_from(first: usize, count: usize) -> String {
    let places: Vec<_> = (first..first + count).map(|n| format!("${n}")).collect();
    format!("({})", places.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stands_there_until_they_are_a_power_of_two() {
        assert_eq!(in_steps(vec![1, 2, 3, 4, 5]), [1, 2, 3, 4, 5, 5, 5, 5]);
        assert_eq!(in_steps(vec![7]), [7]);
        assert!(in_steps(Vec::<u8>::new()).is_empty());
    }

    #[test]
    fn places_are_counted_row_by_row() {
        assert_eq!(places(2, 3), "($1, $2, $3), ($4, $5, $6)");
    }
}
