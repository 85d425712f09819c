//! Where spans go, from the environment variables that OpenTelemetry has for every program.

use percent_encoding::percent_decode_str;
use std::{fmt, time::Duration};

const TIMEOUT: Duration = Duration::from_secs(10);

/// Where spans are sent, and which.
#[derive(Clone, PartialEq)]
pub struct TraceOptions {
    /// With its path.
    pub endpoint: String,
    /// Sent with every request; may be secrets.
    pub headers: Vec<(String, String)>,
    pub timeout: Duration,
    /// What the spans' process is.
    pub resource: Vec<(String, String)>,
    /// Of the traces that begin here, so many of 1.
    pub ratio: f64,
    /// Of traces that come from elsewhere the caller decides; else the same share of them as of others.
    pub follows_parent: bool,
}

/// Headers may be secrets.
impl fmt::Debug for TraceOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceOptions").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    #[error("OTEL_EXPORTER_OTLP_PROTOCOL is `{0}`: http/protobuf is spoken here")]
    Protocol(String),
    #[error("OTEL_TRACES_SAMPLER is `{0}`: choose always_on, always_off or traceidratio, each also behind parentbased_")]
    Sampler(String),
    #[error("{0} is not a number that fits there")]
    Number(&'static str),
    #[error("{0} is not a list of name=value")]
    Pairs(&'static str),
}

impl TraceOptions {
    /// `None`: no collector is named, or tracing is switched off. `variable` reads one of the environment; `service` is what the process is called
    /// where nothing else is said.
    ///
    /// # Errors
    /// [`OptionsError`] for what is said and cannot be done.
    pub fn read(variable: impl Fn(&str) -> Option<String>, service: &str) -> Result<Option<Self>, OptionsError> {
        let set = |name: &str| variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let is_off = set("OTEL_SDK_DISABLED").is_some_and(|text| text.eq_ignore_ascii_case("true"))
            || set("OTEL_TRACES_EXPORTER").is_some_and(|text| text == "none");
        let base = set("OTEL_EXPORTER_OTLP_ENDPOINT").map(|base| format!("{}/v1/traces", base.trim_end_matches('/')));
        let Some(endpoint) = set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").or(base).filter(|_| !is_off) else { return Ok(None) };
        let of_traces =
            |name: &str| set(&format!("OTEL_EXPORTER_OTLP_TRACES_{name}")).or_else(|| set(&format!("OTEL_EXPORTER_OTLP_{name}")));
        if let Some(protocol) = of_traces("PROTOCOL").filter(|protocol| protocol != "http/protobuf") {
            return Err(OptionsError::Protocol(protocol));
        }
        let timeout = match of_traces("TIMEOUT") {
            None => TIMEOUT,
            Some(text) => text.parse().map(Duration::from_millis).map_err(|_| OptionsError::Number("OTEL_EXPORTER_OTLP_TIMEOUT"))?,
        };
        let headers = pairs("OTEL_EXPORTER_OTLP_HEADERS", of_traces("HEADERS"))?;
        let mut resource = pairs("OTEL_RESOURCE_ATTRIBUTES", set("OTEL_RESOURCE_ATTRIBUTES"))?;
        let named = set("OTEL_SERVICE_NAME");
        if named.is_some() || !resource.iter().any(|(name, _)| name == "service.name") {
            resource.retain(|(name, _)| name != "service.name");
            resource.insert(0, ("service.name".to_owned(), named.unwrap_or_else(|| service.to_owned())));
        }
        let sampler = set("OTEL_TRACES_SAMPLER");
        let follows_parent = sampler.as_deref().is_none_or(|sampler| sampler.starts_with("parentbased_"));
        let ratio = ratio(sampler, set("OTEL_TRACES_SAMPLER_ARG"))?;
        Ok(Some(Self { endpoint, headers, timeout, resource, ratio, follows_parent }))
    }
}

fn ratio(sampler: Option<String>, argument: Option<String>) -> Result<f64, OptionsError> {
    let Some(sampler) = sampler else { return Ok(1.0) };
    match sampler.strip_prefix("parentbased_").unwrap_or(&sampler) {
        "always_on" => Ok(1.0),
        "always_off" => Ok(0.0),
        "traceidratio" => {
            let ratio = argument.map_or(Ok(1.0), |text| text.parse::<f64>());
            ratio.ok().filter(|ratio| (0.0..=1.0).contains(ratio)).ok_or(OptionsError::Number("OTEL_TRACES_SAMPLER_ARG"))
        }
        _ => Err(OptionsError::Sampler(sampler)),
    }
}

/// `name=value,name=value`, with values escaped as in addresses.
fn pairs(variable: &'static str, text: Option<String>) -> Result<Vec<(String, String)>, OptionsError> {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=')?;
        let value = percent_decode_str(value.trim()).decode_utf8().ok()?;
        Some((name.trim().to_owned(), value.into_owned())).filter(|(name, _)| !name.is_empty())
    };
    let text = text.unwrap_or_default();
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(pair).collect::<Option<_>>().ok_or(OptionsError::Pairs(variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Option<TraceOptions>, OptionsError> {
        let variable = |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
        TraceOptions::read(variable, "reelmill")
    }

    #[test]
    fn nothing_is_sent_unless_a_collector_is_named() {
        for variables in [
            &[][..],
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")],
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318"), ("OTEL_SDK_DISABLED", "true")],
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318"), ("OTEL_TRACES_EXPORTER", "none")],
            &[("OTEL_SERVICE_NAME", "videos")],
        ] {
            assert_eq!(read(variables), Ok(None), "{variables:?}");
        }
    }

    #[test]
    fn what_is_said_of_traces_goes_before_what_is_said_of_all() {
        let options = read(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20a, x-team = videos"),
            ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test"),
            ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
            ("OTEL_TRACES_SAMPLER_ARG", "0.25"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "1500"),
        ]);
        let options = options.unwrap().unwrap();
        let text = |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>();
        assert_eq!(options.endpoint, "http://collector:4318/v1/traces");
        assert_eq!(options.headers, text(&[("authorization", "Bearer a"), ("x-team", "videos")]));
        assert_eq!(options.resource, text(&[("service.name", "reelmill"), ("deployment.environment.name", "test")]));
        assert_eq!((options.ratio, options.timeout), (0.25, Duration::from_millis(1500)));
        let own = read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"), ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b/own")]);
        assert_eq!(own.unwrap().unwrap().endpoint, "http://b/own");
    }

    #[test]
    fn a_caller_decides_only_where_the_sampler_is_based_on_parents() {
        for (sampler, follows) in
            [(" ", true), ("parentbased_always_off", true), ("always_off", false), ("traceidratio", false), ("always_on", false)]
        {
            let options = read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"), ("OTEL_TRACES_SAMPLER", sampler)]).unwrap().unwrap();
            assert_eq!(options.follows_parent, follows, "{sampler}");
        }
    }

    #[test]
    fn what_cannot_be_done_is_refused_before_anything_starts() {
        for (name, value) in [
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_TRACES_SAMPLER", "jaeger_remote"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "secret"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
        ] {
            assert!(read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"), (name, value)]).is_err(), "{name}");
        }
    }
}
