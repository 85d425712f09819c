//! Moments and progress as texts that these clients read.

use domain::{Status, Timestamp};
use time::OffsetDateTime;

const BAR_CELLS: u32 = 10;

/// As RFC 3339 has it, in UTC.
pub fn rfc3339(moment: Timestamp) -> String {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(moment.ms()) * 1_000_000).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, time) = (at.date(), at.time());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z", time.hour(), time.minute(), time.second(), time.millisecond())
}

/// Of a job that was completed all steps are done, whatever was told of it last.
pub fn steps_done(status: Status, step: u32, steps: u32) -> u32 {
    if status == Status::Completed { steps } else { step }
}

/// A line as `tqdm` writes it, from which clients read how far a job is.
pub fn progress_line(step: u32, steps: u32) -> String {
    let steps = steps.max(1);
    let of = |whole: u32| u64::from(step.min(steps)) * u64::from(whole) / u64::from(steps);
    let done = usize::try_from(of(BAR_CELLS)).unwrap_or_default();
    let bar = "█".repeat(done) + &" ".repeat(BAR_CELLS as usize - done);
    format!("{:3}%|{bar}| {step}/{steps}", of(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_progress_are_written_as_clients_read_them() {
        assert_eq!(rfc3339(Timestamp::from_ms(1_795_219_230_007)), "2026-11-21T00:00:30.007Z");
        assert_eq!(progress_line(0, 24), "  0%|          | 0/24");
        assert_eq!(progress_line(7, 16), " 43%|████      | 7/16");
        assert_eq!(progress_line(16, 16), "100%|██████████| 16/16");
        assert_eq!(progress_line(1, 0), "100%|██████████| 1/1");
    }
}
