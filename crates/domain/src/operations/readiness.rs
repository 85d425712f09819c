//! Whether an installation is fit for others to rely on: each thing that is looked at, what was seen of it, and what to do about it.

use crate::number::{bytes, grouped};

const HOUR_MS: u64 = 60 * 60 * 1000;
/// A backup that is older is of little use.
const BACKUP_OLD_MS: u64 = 26 * HOUR_MS;
const BACKUP_TOO_OLD_MS: u64 = 7 * 24 * HOUR_MS;
/// Of a secret that somebody might guess.
const SECRET_CHARS_MIN: usize = 16;
const SECRET_CHARS_GOOD: usize = 24;
/// Of the device time that there is, in thousandths: beyond it waits grow fast.
const KNEE_PERMILLE: u64 = 800;
/// Of a disk, in thousandths.
const DISK_LOW_PERMILLE: u64 = 100;
const DISK_OUT_PERMILLE: u64 = 30;
const CONNECTIONS_FEW: u64 = 256;

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Good,
    /// It works, and will not for ever.
    Warning,
    /// Somebody will be hurt.
    Bad,
    /// It could not be seen.
    Unknown,
}

impl Verdict {
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Good => "Good",
            Self::Warning => "Warning",
            Self::Bad => "Bad",
            Self::Unknown => "Unknown",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub verdict: Verdict,
    /// With its number, where it has one.
    pub seen: String,
    /// What to do; empty where nothing is to be done.
    pub advice: &'static str,
}

/// Which engine keeps the rows, and whether it keeps tenants apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    /// `policies_bind`: its role is no superuser and passes no policy. `None`: it could not be asked.
    Postgres {
        policies_bind: Option<bool>,
    },
}

/// Rules of alerts that are looked at, and addresses that are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertsSeen {
    pub rules: u64,
    /// Those of the rules that are silenced now.
    pub silenced: u64,
    pub addresses: u64,
    /// Those of the addresses that are told by mail.
    pub by_mail: u64,
}

/// Numbers of the installation as it is now. `None`, where not said otherwise: it could not be seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Where browsers find it, as the operator says. `None`: nobody has said.
    pub public_url: Option<String>,
    /// The lengths of secrets that were given, by what they are of.
    pub secrets: Vec<(&'static str, usize)>,
    pub sends_mails: bool,
    pub engine: Engine,
    /// How long ago the last backup was made, in milliseconds; within: `None`: none was.
    pub backup_age_ms: Option<Option<u64>>,
    /// What waits, in milliseconds of video, and what may wait.
    pub open_ms: Option<u64>,
    pub open_max_ms: Option<u64>,
    /// Of the time of all workers, what the jobs fill that came in the last hour, in thousandths. Within: `None`: there are no workers.
    pub utilisation_permille: Option<Option<u64>>,
    /// Free and all bytes of the disk on which objects lie. Within: `None`: they lie elsewhere.
    pub disk: Option<Option<(u64, u64)>>,
    pub connections_max: Option<u64>,
    /// Workers that take jobs, of each stage.
    pub samplers: Option<u64>,
    pub decoders: Option<u64>,
    /// Where none is there, one is started with the first job.
    pub workers_come: bool,
    /// Models on offer, and those among them that could not be loaded when that was tried last.
    pub models: Option<u64>,
    pub broken_models: Option<Vec<String>>,
    /// Whether some plan costs money.
    pub plans_cost: Option<bool>,
    pub takes_payments: bool,
    pub has_metrics_token: bool,
    pub is_traced: bool,
    pub alerts: Option<AlertsSeen>,
}

/// All that is looked at, in the order in which it is told.
#[must_use]
pub fn checks(seen: &Seen) -> Vec<Check> {
    let mut checks = vec![address(seen.public_url.as_deref()), secrets(&seen.secrets), mails(seen.sends_mails), engine(seen.engine)];
    checks.extend([
        backup(seen.backup_age_ms),
        queue(seen.open_ms, seen.open_max_ms),
        capacity(seen.utilisation_permille, seen.workers_come),
        disk(seen.disk),
    ]);
    checks.extend([connections(seen.connections_max), workers(seen.samplers, seen.decoders, seen.workers_come)]);
    checks.extend([models(seen.models, seen.broken_models.as_deref()), payments(seen.plans_cost, seen.takes_payments)]);
    checks.extend([metrics(seen.has_metrics_token), alerts(seen.alerts, seen.sends_mails), traces(seen.is_traced)]);
    checks
}

const fn check(name: &'static str, verdict: Verdict, seen: String, advice: &'static str) -> Check {
    let advice = if matches!(verdict, Verdict::Good) { "" } else { advice };
    Check { name, verdict, seen, advice }
}

fn unknown(name: &'static str) -> Check {
    check(name, Verdict::Unknown, "It could not be read just now.".to_owned(), "Load the page again in a moment; the log says why.")
}

fn address(url: Option<&str>) -> Check {
    const NAME: &str = "HTTPS and public address";
    const ADVICE: &str =
        "Put a proxy with a certificate in front, and name the address that people use: REELMILL_PUBLIC_URL=https://video.example.com.";
    match url {
        Some(url) if url.starts_with("https://") => check(NAME, Verdict::Good, url.to_owned(), ADVICE),
        Some(url) => check(NAME, Verdict::Bad, format!("{url}: passwords and keys can be read on the way"), ADVICE),
        None => check(NAME, Verdict::Bad, "No public address is named; cookies are not marked as secure".to_owned(), ADVICE),
    }
}

fn secrets(secrets: &[(&'static str, usize)]) -> Check {
    const NAME: &str = "Lengths of secrets";
    const ADVICE: &str = "Make longer ones, such as `openssl rand -base64 32` does, and start the server with them.";
    let Some((shortest, chars)) = secrets.iter().min_by_key(|(_, chars)| *chars).copied() else {
        return check(NAME, Verdict::Good, "No secret was given that could be guessed".to_owned(), ADVICE);
    };
    let verdict = match chars {
        ..SECRET_CHARS_MIN => Verdict::Bad,
        SECRET_CHARS_MIN..SECRET_CHARS_GOOD => Verdict::Warning,
        _ => Verdict::Good,
    };
    let of = if secrets.len() == 1 { "The only one".to_owned() } else { format!("The shortest of {}", secrets.len()) };
    check(NAME, verdict, format!("{of} is {shortest}, with {chars} characters"), ADVICE)
}

fn mails(sends: bool) -> Check {
    let seen = if sends { "They are sent" } else { "They are sent nowhere, and wait at /admin/mail" };
    let verdict = if sends { Verdict::Good } else { Verdict::Warning };
    check(
        "Mails",
        verdict,
        seen.to_owned(),
        "Name a mail server: SMTP_URL and SMTP_FROM. Without it nobody can set a forgotten password anew.",
    )
}

fn engine(engine: Engine) -> Check {
    const NAME: &str = "Database";
    match engine {
        Engine::Sqlite => check(
            NAME,
            Verdict::Warning,
            "SQLite: one server on one machine; tenants are kept apart by the program alone".to_owned(),
            "Good for one machine. For several servers, and a second wall between tenants, use PostgreSQL: DATABASE_URL.",
        ),
        Engine::Postgres { policies_bind: Some(true) } => {
            check(NAME, Verdict::Good, "PostgreSQL, whose policies bind this server's role".to_owned(), "")
        }
        Engine::Postgres { policies_bind: Some(false) } => check(
            NAME,
            Verdict::Bad,
            "PostgreSQL, and this server's role passes its policies".to_owned(),
            "Connect as a role that is no superuser and has no BYPASSRLS, or tenants are kept apart by the program alone.",
        ),
        Engine::Postgres { policies_bind: None } => unknown(NAME),
    }
}

fn backup(age: Option<Option<u64>>) -> Check {
    const NAME: &str = "Backup";
    const ADVICE: &str = "Have one made every day, kept on another machine, and try once that it can be restored.";
    let verdict = match age {
        None => return unknown(NAME),
        Some(None) => return check(NAME, Verdict::Bad, "None was made that this server knows of".to_owned(), ADVICE),
        Some(Some(..=BACKUP_OLD_MS)) => Verdict::Good,
        Some(Some(..=BACKUP_TOO_OLD_MS)) => Verdict::Warning,
        Some(Some(_)) => Verdict::Bad,
    };
    let hours = age.flatten().unwrap_or_default() / HOUR_MS;
    let seen = if hours < 48 { format!("The last was made {hours} h ago") } else { format!("The last was made {} days ago", hours / 24) };
    check(NAME, verdict, seen, ADVICE)
}

fn queue(open: Option<u64>, max: Option<u64>) -> Check {
    const NAME: &str = "Room in the queue";
    const ADVICE: &str = "Add workers, lower the release rates of plans, or raise REELMILL_QUEUE_MAX_MINUTES if the disk has room for it.";
    let (Some(open), Some(max)) = (open, max) else { return unknown(NAME) };
    let permille = (open.saturating_mul(1000)).checked_div(max).unwrap_or(1000);
    let verdict = match permille {
        ..500 => Verdict::Good,
        500..900 => Verdict::Warning,
        _ => Verdict::Bad,
    };
    let minutes = |ms: u64| grouped(ms / 60_000);
    check(NAME, verdict, format!("{} of {} video-minutes that may wait", minutes(open), minutes(max)), ADVICE)
}

fn capacity(utilisation: Option<Option<u64>>, come: bool) -> Check {
    const NAME: &str = "Room on the devices";
    const ADVICE: &str =
        "Look at /admin/capacity: beyond 80 % waits grow faster than work does. Add workers, or have them started: REELMILL_WORKERS_MAX.";
    match utilisation {
        None => unknown(NAME),
        Some(None) if come => check(NAME, Verdict::Good, "No worker is there: one is started with the first job".to_owned(), ADVICE),
        Some(None) => check(NAME, Verdict::Bad, "No worker is there".to_owned(), ADVICE),
        Some(Some(permille)) => {
            let verdict = match permille {
                ..KNEE_PERMILLE => Verdict::Good,
                KNEE_PERMILLE..950 => Verdict::Warning,
                _ => Verdict::Bad,
            };
            let seen = format!("What came in the last hour fills {} % of what the workers make in one", permille / 10);
            check(NAME, verdict, seen, ADVICE)
        }
    }
}

fn disk(disk: Option<Option<(u64, u64)>>) -> Check {
    const NAME: &str = "Room for videos";
    const ADVICE: &str = "Give the disk more room, have plans keep videos for a shorter time, or keep them in S3: S3_BUCKET.";
    let Some(disk) = disk else { return unknown(NAME) };
    let Some((free, all)) = disk else { return check(NAME, Verdict::Good, "They lie in S3, which has its own limits".to_owned(), ADVICE) };
    let permille = u128::from(free) * 1000 / u128::from(all.max(1));
    let verdict = match permille as u64 {
        ..DISK_OUT_PERMILLE => Verdict::Bad,
        DISK_OUT_PERMILLE..DISK_LOW_PERMILLE => Verdict::Warning,
        _ => Verdict::Good,
    };
    check(NAME, verdict, format!("{} of {} are free", bytes(free), bytes(all)), ADVICE)
}

fn connections(max: Option<u64>) -> Check {
    const NAME: &str = "Limits";
    const ADVICE: &str =
        "Let the process open more files (`ulimit -n 16384`, or LimitNOFILE of its service), so that REELMILL_CONNECTIONS_MAX can hold.";
    let Some(max) = max else { return unknown(NAME) };
    let verdict = if max < CONNECTIONS_FEW { Verdict::Warning } else { Verdict::Good };
    check(NAME, verdict, format!("{} connections at once", grouped(max)), ADVICE)
}

fn workers(samplers: Option<u64>, decoders: Option<u64>, come: bool) -> Check {
    const NAME: &str = "Workers of every stage";
    const ADVICE: &str = "Start workers, and see /admin/fleet. With two of each, one may fail without anybody noticing.";
    let (Some(samplers), Some(decoders)) = (samplers, decoders) else { return unknown(NAME) };
    let verdict = match samplers.min(decoders) {
        0 if come => {
            return check(NAME, Verdict::Good, "None of some stage now: one is started with the first job".to_owned(), ADVICE);
        }
        0 => Verdict::Bad,
        1 => Verdict::Warning,
        _ => Verdict::Good,
    };
    check(NAME, verdict, format!("{samplers} for sampling, {decoders} for decoding"), ADVICE)
}

fn models(offered: Option<u64>, broken: Option<&[String]>) -> Check {
    const NAME: &str = "Models";
    const ADVICE: &str = "See /admin/models: a model that cannot be loaded says why there.";
    let (Some(offered), Some(broken)) = (offered, broken) else { return unknown(NAME) };
    match (offered, broken) {
        (0, _) => check(
            NAME,
            Verdict::Bad,
            "None is on offer".to_owned(),
            "Put a model with its manifest into the folder of models: REELMILL_MODELS.",
        ),
        (_, []) => check(NAME, Verdict::Good, format!("{offered} on offer, none of which failed to load"), ADVICE),
        (_, broken) => {
            check(NAME, Verdict::Bad, format!("{offered} on offer, of which could not be loaded: {}", broken.join(", ")), ADVICE)
        }
    }
}

fn payments(plans_cost: Option<bool>, takes: bool) -> Check {
    const NAME: &str = "Payments";
    const ADVICE: &str = "Connect Stripe (STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET), or give plans and credit yourself at /admin/tenants.";
    match (plans_cost, takes) {
        (None, _) => unknown(NAME),
        (_, true) => check(NAME, Verdict::Good, "They are taken by Stripe".to_owned(), ADVICE),
        (Some(false), false) => check(NAME, Verdict::Good, "No plan costs anything".to_owned(), ADVICE),
        (Some(true), false) => check(NAME, Verdict::Warning, "Plans have a price, and nobody can pay it here".to_owned(), ADVICE),
    }
}

fn metrics(has_token: bool) -> Check {
    let seen = if has_token { "There is a token for /metrics" } else { "/metrics is closed: nobody is told when something fails" };
    let verdict = if has_token { Verdict::Good } else { Verdict::Warning };
    check(
        "Metrics and alerts",
        verdict,
        seen.to_owned(),
        "Set REELMILL_METRICS_TOKEN, and load the rules of docs/deploy/alerts.yml into Prometheus.",
    )
}

fn alerts(alerts: Option<AlertsSeen>, sends_mails: bool) -> Check {
    const NAME: &str = "Alerts";
    let Some(AlertsSeen { rules, silenced, addresses, by_mail }) = alerts else { return unknown(NAME) };
    let lost = if sends_mails { 0 } else { by_mail };
    let (verdict, advice) = if rules == 0 || addresses == 0 {
        (Verdict::Warning, "Add the usual rules at /admin/alerts, and say there whom they are told to.")
    } else if lost >= addresses {
        (Verdict::Warning, "Nobody is told: name a mail server (SMTP_URL and SMTP_FROM), or add a webhook at /admin/alerts.")
    } else if silenced >= rules {
        (Verdict::Warning, "Nobody is told of anything while all rules are silenced: see the silences at /admin/alerts.")
    } else {
        (Verdict::Good, "")
    };
    let of_which = |count: u64, what: &str| if count > 0 { format!(" ({} {what})", grouped(count)) } else { String::new() };
    let (silenced, lost) = (of_which(silenced, "silenced now"), of_which(lost, "by mail, which is sent nowhere"));
    let (rules, addresses) = (grouped(rules), grouped(addresses));
    check(NAME, verdict, format!("Rules that are looked at: {rules}{silenced}; addresses that are told: {addresses}{lost}"), advice)
}

fn traces(is_traced: bool) -> Check {
    // Nobody has to.
    let seen = if is_traced { "Spans are sent to a collector" } else { "Not sent anywhere; OTEL_EXPORTER_OTLP_ENDPOINT names a collector" };
    check("Traces", Verdict::Good, seen.to_owned(), "")
}

#[cfg(test)]
mod tests;
