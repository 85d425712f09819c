//! The server's program: `reelmill serve`, `migrate` and `admin`.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::cli::run()
}
