//! Running other programs: short ones to their end (`command`), long ones under watch (`service`,
//! `supervisor`), several at once (`lanes`), and stopping all of them when the person says so (`interrupt`).

pub mod backoff;
pub mod command;
pub mod interrupt;
pub mod lanes;
pub mod service;
pub mod supervisor;

use std::os::unix::process::CommandExt;
use std::process::Command;

/// Gives the program a process group of its own, so that the terminal's Ctrl-C reaches only xtask
/// and a signal reaches everything the program started, and has the kernel send it `orphaned` when
/// the thread that starts it is gone, so that it does not survive even a `kill -9` of xtask.
pub fn keep_hold_of(command: &mut Command, orphaned: i32) {
    command.process_group(0);
    let us = std::process::id();
    // SAFETY: only async-signal-safe system calls run between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, orphaned);
            let orphaned_already = libc::getppid() as u32 != us;
            if orphaned_already { Err(std::io::Error::from_raw_os_error(libc::ESRCH)) } else { Ok(()) }
        });
    }
}
