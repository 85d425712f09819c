//! What `serve` is told on its command line or by its environment, checked before anything starts.

use axum::http::{HeaderValue, Uri, uri::Authority};
use clap::{Args, Parser};
use ipnet::IpNet;
use service::{
    account::oidc::OidcOptions, config::ModelsFolder, mail::MailOptions, payment::PaymentOptions, placement::PlacementOptions,
    scaling::ScalingOptions, telemetry::MetricsToken, webhook::WebhookOptions,
};
use std::{net::IpAddr, path::PathBuf, str::FromStr, time::Duration};

#[derive(Debug, Clone, Args)]
pub struct ServeOptions {
    /// Address to listen on
    #[arg(long, env = "REELMILL_HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Port to listen on; 0 takes a free one
    #[arg(long, env = "REELMILL_PORT", default_value_t = 3000)]
    pub port: u16,
    /// Folder of the built pages: wasm, style sheet and pictures
    #[arg(long, env = "REELMILL_SITE", default_value = "target/site")]
    pub site: PathBuf,
    /// Address under which browsers reach this server, such as `https://video.example.com`
    #[arg(long, env = "REELMILL_PUBLIC_URL")]
    pub public_url: Option<PublicUrl>,
    /// Name of its own under which clients of fal's queue API reach this server by https, such as `queue.example.com`
    #[arg(long, env = "REELMILL_FAL_HOST")]
    pub fal_host: Option<HostName>,
    /// Networks of the proxies in front of this server, such as `10.0.0.0/8`; only their `X-Forwarded-For` is believed
    #[arg(long, env = "REELMILL_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,
    /// Secret of at least 16 characters that opens `/metrics` as `Authorization: Bearer`; without it there is no such page
    #[arg(long, env = "REELMILL_METRICS_TOKEN", hide_env_values = true)]
    pub metrics_token: Option<MetricsToken>,
    /// Video-minutes that all teams together may have waiting and running; more is refused for the moment
    #[arg(long, env = "REELMILL_QUEUE_MAX_MINUTES", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub queue_max_minutes: u64,
    /// GiB that the files of one team may take, inputs and results of batches
    #[arg(long, env = "REELMILL_FILES_MAX_GIB", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..1_000_000))]
    pub files_max_gib: u64,
    #[command(flatten)]
    pub scaling: ScalingOptions,
    #[command(flatten)]
    pub placement: PlacementOptions,
    #[command(flatten)]
    pub mail: MailOptions,
    #[command(flatten)]
    pub oidc: OidcOptions,
    #[command(flatten)]
    pub webhooks: WebhookOptions,
    #[command(flatten)]
    pub payments: PaymentOptions,
    #[command(flatten)]
    pub models: ModelsFolder,
    /// Folder of the language model that unknown words of prompts are looked up with, as `cargo xtask models get minilm` makes it;
    /// without it they are left out
    #[cfg(feature = "word-model")]
    #[arg(long, env = "REELMILL_WORD_MODEL")]
    pub word_model: Option<PathBuf>,
    #[command(flatten)]
    pub limits: Limits,
}

/// How much may go on at once, and how long it may take.
#[derive(Debug, Clone, Args)]
pub struct Limits {
    /// Connections at once, in all
    #[arg(long, env = "REELMILL_CONNECTIONS_MAX", default_value_t = Self::default().connections_max)]
    pub connections_max: usize,
    /// Connections at once from one address, at most a quarter of all; behind a trusted proxy, requests at once
    #[arg(long, env = "REELMILL_CONNECTIONS_PER_ADDRESS_MAX", default_value_t = Self::default().connections_per_address_max)]
    pub connections_per_address_max: usize,
    /// Requests of one tenant that are being answered at once, until the last byte is sent
    #[arg(long, env = "REELMILL_REQUESTS_PER_TENANT_MAX", default_value_t = Self::default().requests_per_tenant_max)]
    pub requests_per_tenant_max: usize,
    /// Event streams of one tenant at once
    #[arg(long, env = "REELMILL_STREAMS_PER_TENANT_MAX", default_value_t = Self::default().streams_per_tenant_max)]
    pub streams_per_tenant_max: usize,
    /// Seconds until a request that cannot be answered is answered with 503
    #[arg(long, env = "REELMILL_REQUEST_DEADLINE", value_parser = seconds, default_value = "10")]
    pub request_deadline: Duration,
    /// Seconds for which a client may read nothing of an answer before its connection is closed
    #[arg(long, env = "REELMILL_WRITE_TIMEOUT", value_parser = seconds, default_value = "30")]
    pub write_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 4096,
            connections_per_address_max: 1024,
            requests_per_tenant_max: 64,
            streams_per_tenant_max: 64,
            request_deadline: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or("not a number of seconds above 0")
}

impl ServeOptions {
    /// As the environment says, without a command line.
    #[must_use]
    pub fn of_environment() -> Self {
        #[derive(Parser)]
        struct Nothing {
            #[command(flatten)]
            options: ServeOptions,
        }
        Nothing::parse_from([env!("CARGO_PKG_NAME")]).options
    }
}

/// Scheme, host and port that browsers see: behind a proxy not what this process listens on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
    is_https: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an address such as https://video.example.com: only scheme, host and port belong here")]
pub struct PublicUrlError;

impl PublicUrl {
    #[must_use]
    pub const fn is_https(&self) -> bool {
        self.is_https
    }

    /// As browsers write it: no path, no default port.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether a request's `Origin` is this address.
    #[must_use]
    pub fn is_origin(&self, origin: &HeaderValue) -> bool {
        origin.as_bytes().eq_ignore_ascii_case(self.origin.as_bytes())
    }
}

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<Self, PublicUrlError> {
        let uri: Uri = text.parse().map_err(|_| PublicUrlError)?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(PublicUrlError) };
        let default_port = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => return Err(PublicUrlError),
        };
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() || authority.as_str().contains('@') {
            return Err(PublicUrlError);
        }
        let authority = authority.as_str().to_lowercase();
        let host = authority.strip_suffix(default_port).unwrap_or(&authority);
        Ok(Self { origin: format!("{scheme}://{host}"), is_https: scheme == "https" })
    }
}

/// A host, and its port where that is not the usual one, as requests name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a host such as queue.example.com or queue.example.com:8443")]
pub struct HostNameError;

impl HostName {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a request's `Host` is this one.
    #[must_use]
    pub fn is_host(&self, host: &HeaderValue) -> bool {
        host.as_bytes().eq_ignore_ascii_case(self.0.as_bytes())
    }
}

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<Self, HostNameError> {
        let authority: Authority = text.parse().map_err(|_| HostNameError)?;
        if text.contains('@') || authority.host().is_empty() || (authority.as_str().contains(':') && authority.port_u16().is_none()) {
            return Err(HostNameError);
        }
        Ok(Self(text.to_lowercase().trim_end_matches(":443").to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_as_browsers_write_origins() {
        let url: PublicUrl = "https://Video.Example.com:443/".parse().unwrap();
        assert!(url.is_https() && url.is_origin(&HeaderValue::from_static("https://video.example.com")));
        assert!(!url.is_origin(&HeaderValue::from_static("http://video.example.com")));
        assert!(!url.is_origin(&HeaderValue::from_static("https://video.example.com:8443")));
    }

    #[test]
    fn a_host_is_compared_as_requests_name_it() {
        let host: HostName = "Queue.Example.com:443".parse().unwrap();
        assert_eq!(host.as_str(), "queue.example.com");
        assert!(host.is_host(&HeaderValue::from_static("QUEUE.example.com")) && !host.is_host(&HeaderValue::from_static("example.com")));
        assert!("queue.example.com:8443".parse::<HostName>().unwrap().is_host(&HeaderValue::from_static("queue.example.com:8443")));
        for text in ["", "https://queue.example.com", "queue.example.com/", "a@b", "a b", "queue.example.com:port"] {
            assert_eq!(text.parse::<HostName>(), Err(HostNameError), "{text}");
        }
    }

    #[test]
    fn the_limits_without_options_are_the_default_ones() {
        assert_eq!(format!("{:?}", ServeOptions::of_environment().limits), format!("{:?}", Limits::default()));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(["0", "-1", "NaN", "soon"].into_iter().all(|text| seconds(text).is_err()));
    }

    #[test]
    fn what_is_no_bare_address_is_refused() {
        for text in ["", "video.example.com", "ftp://a.b", "https://a.b/path", "https://a.b/?q", "https://user@a.b"] {
            assert_eq!(text.parse::<PublicUrl>(), Err(PublicUrlError), "{text}");
        }
    }
}
