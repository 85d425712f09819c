//! PostgreSQL's own programs for a copy of a whole database.

use super::BackupError;
use percent_encoding::percent_decode_str;
use std::{path::Path, process::Stdio};
use tokio::process::Command;

/// So much of what a program says is told.
const SAID_MAX: usize = 2000;

/// Everything as it is at one moment, in the format that [`load`] reads. Nobody who writes waits for it.
pub(super) async fn dump(url: &str, file: &Path) -> Result<(), BackupError> {
    let mut program = program("pg_dump", url);
    // The policies let only those see all rows who say that they are the system; whom no policy binds sees all of them anyway.
    program.env("PGOPTIONS", "-c reelmill.system=on").args(["--format=custom", "--enable-row-security", "--no-owner", "--no-privileges"]);
    run("pg_dump", program.arg("--file").arg(file)).await
}

/// Into a database that is empty: all of it or nothing.
pub(super) async fn load(url: &str, file: &Path) -> Result<(), BackupError> {
    let mut program = program("pg_restore", url);
    program.args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]);
    run("pg_restore", program.arg(file)).await
}

/// A password is not among its arguments, which everybody on the machine can see.
fn program(name: &'static str, url: &str) -> Command {
    let mut program = Command::new(name);
    let (url, later) = understood(url);
    let (url, password) = without_password(&url);
    program
        .arg("--dbname")
        .arg(url)
        .arg("--no-password")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    // What is said last counts, as in our own library.
    if let Some(password) = later.or(password) {
        program.env("PGPASSWORD", password);
    }
    program
}

async fn run(name: &'static str, program: &mut Command) -> Result<(), BackupError> {
    let started = program.spawn().map_err(|cause| BackupError::ProgramMissing { program: name, cause })?;
    let output = started.wait_with_output().await.map_err(|cause| BackupError::ProgramMissing { program: name, cause })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().chars().take(SAID_MAX).collect();
    Err(BackupError::ProgramFailed { program: name, said })
}

/// The address with what these programs understand of what may stand behind it, by their names: our own library has more names, and more to be said. And the
/// password that stood there.
fn understood(url: &str) -> (String, Option<String>) {
    let Some((address, query)) = url.split_once('?') else { return (url.to_owned(), None) };
    let (mut known, mut password) = (Vec::new(), None);
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        // As in a form: a space may be written as a plus.
        let value = value.replace('+', "%20");
        let name = match name {
            "password" => {
                password = Some(percent_decode_str(&value).decode_utf8_lossy().into_owned());
                continue;
            }
            "ssl-mode" | "sslmode" => {
                known.push(format!("sslmode={}", value.to_ascii_lowercase()));
                continue;
            }
            "ssl-root-cert" | "ssl-ca" => "sslrootcert",
            "ssl-cert" => "sslcert",
            "ssl-key" => "sslkey",
            "connect_timeout" | "dbname" | "host" | "hostaddr" | "port" | "sslcert" | "sslkey" | "sslrootcert" | "user" => name,
            _ => continue,
        };
        known.push(format!("{name}={value}"));
    }
    let known = known.join("&");
    (if known.is_empty() { address.to_owned() } else { format!("{address}?{known}") }, password)
}

/// The address, and the password that stood in it.
fn without_password(url: &str) -> (String, Option<String>) {
    let whole = || (url.to_owned(), None);
    let Some((scheme, rest)) = url.split_once("://") else { return whole() };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let Some((who, host)) = rest[..end].rsplit_once('@') else { return whole() };
    let Some((user, password)) = who.split_once(':') else { return whole() };
    let password = percent_decode_str(password).decode_utf8_lossy().into_owned();
    (format!("{scheme}://{user}@{host}{}", &rest[end..]), Some(password))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_our_library_understands_is_left_out() {
        assert_eq!(understood("postgres://db/r?sslmode=require&statement-cache-capacity=0").0, "postgres://db/r?sslmode=require");
        assert_eq!(understood("postgres://db/r?options[reelmill.system]=on").0, "postgres://db/r");
    }

    #[test]
    fn who_connects_and_how_it_is_verified_is_said_by_the_programs_own_names() {
        for (query, expected) in [
            ("ssl-mode=Verify-Full&ssl-root-cert=/ca.pem", "sslmode=verify-full&sslrootcert=/ca.pem"),
            ("ssl-ca=/ca.pem&ssl-cert=/c.pem&ssl-key=/k.pem", "sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem"),
            ("user=ada&hostaddr=10.0.0.1&host=/my+run", "user=ada&hostaddr=10.0.0.1&host=/my%20run"),
        ] {
            assert_eq!(understood(&format!("postgres://db/r?{query}")), (format!("postgres://db/r?{expected}"), None));
        }
        assert_eq!(
            understood("postgres://db/r?password=p%40+s&user=ada"),
            ("postgres://db/r?user=ada".to_owned(), Some("p@ s".to_owned()))
        );
    }

    #[test]
    fn a_password_is_taken_out_of_an_address_and_nothing_else_is() {
        for (url, expected, password) in [
            ("postgres://ada:p%40ss@db:5432/r?sslmode=require", "postgres://ada@db:5432/r?sslmode=require", Some("p@ss")),
            ("postgres://ada@db/r", "postgres://ada@db/r", None),
            ("postgres://db/r?user=a@b:c", "postgres://db/r?user=a@b:c", None),
        ] {
            assert_eq!(without_password(url), (expected.to_owned(), password.map(str::to_owned)), "{url}");
        }
    }
}
