//! Numbers as a file: a line for each span and group.

use super::PERCENTILES;
use crate::components::{csv::quoted, moment::iso};
use service::numbers::{Count, Numbers, Phase};

#[must_use]
pub fn numbers_csv(numbers: &Numbers) -> String {
    let counts = Count::ALL.map(Count::as_str).join(",");
    let of_phase = |phase: Phase| PERCENTILES.map(|(name, _)| format!("{phase}_{}_ms", name.to_lowercase().replace('.', "_"))).join(",");
    let mut text = format!("time,group,{counts},{}\n", Phase::ALL.map(of_phase).join(","));
    for row in numbers.rows.iter() {
        let counts = row.tally.counts.map(|count| count.to_string()).join(",");
        let times = Phase::ALL.map(|phase| {
            let of = |(_, parts)| row.tally.times(phase).quantile(parts).map(|ms| ms.to_string()).unwrap_or_default();
            PERCENTILES.map(of).join(",")
        });
        text += &format!("{},{},{counts},{}\n", iso(row.start), quoted(&row.group), times.join(","));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;
    use service::numbers::{Compared, Range, Span, Tally, TallyRow};

    #[test]
    fn each_line_has_a_value_for_each_head_and_no_formula() {
        let row = TallyRow { start: Timestamp::from_ms(0), group: "=1".into(), tally: Tally::default() };
        let range = Range { span: Span::Day, from: Timestamp::from_ms(0), until: Timestamp::from_ms(86_400_000) };
        let csv =
            numbers_csv(&Numbers { range, rows: std::sync::Arc::new(vec![row]), before: Tally::default(), compared: Compared::default() });
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[0].matches(',').count(), lines[1].matches(',').count());
        assert!(lines[0].contains("upload_p50_ms,") && lines[0].ends_with("decoder_wait_p99_9_ms"), "what is added goes last: {csv}");
        assert!(lines[0].contains("total_p99_9_ms") && lines[1].starts_with("1970-01-01T00:00:00Z,\"'=1\",0,"), "{csv}");
    }
}
