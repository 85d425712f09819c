//! Running other programs: short ones to their end (`command`), long ones under watch (`service`,
//! `supervisor`), and stopping all of them when the person says so (`interrupt`).

pub mod backoff;
pub mod command;
pub mod interrupt;
pub mod service;
pub mod supervisor;

use std::os::unix::process::CommandExt;
use std::process::Command;

/// Has the kernel send `signal` to the program when the thread that starts it is gone, so that
/// nothing survives even a `kill -9` of this one.
pub fn bind_to_us(command: &mut Command, signal: i32) {
    let us = std::process::id();
    // SAFETY: only async-signal-safe system calls run between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, signal);
            let orphaned_already = libc::getppid() as u32 != us;
            if orphaned_already { Err(std::io::Error::from_raw_os_error(libc::ESRCH)) } else { Ok(()) }
        });
    }
}
