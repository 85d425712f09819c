//! What a process has in memory, as the kernel counts it.

use std::fs;

use anyhow::{Context, Result};

/// In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub now: u64,
    /// The most that it ever had.
    pub peak: u64,
}

impl Memory {
    pub fn of(process: u32) -> Result<Self> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).with_context(|| format!("the process {process} is gone"))?;
        read(&status).with_context(|| format!("the kernel does not tell the memory of {process}"))
    }
}

fn read(status: &str) -> Option<Memory> {
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    };
    Some(Memory { now: bytes("VmRSS:")?, peak: bytes("VmHWM:")? })
}

/// In words.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_has_now_and_what_it_had_at_most_are_told_apart() {
        let status = "Name:\treelmill\nVmPeak:\t  999 kB\nVmHWM:\t   20480 kB\nVmRSS:\t   10240 kB\n";
        assert_eq!(read(status), Some(Memory { now: 10 << 20, peak: 20 << 20 }));
        assert_eq!(read("Name:\treelmill\n"), None);
        assert!(Memory::of(std::process::id()).unwrap().now > 0);
        assert_eq!(megabytes(1_540_000), "1.5 MB");
    }
}
