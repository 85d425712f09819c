//! What queries of several routes hold: which part of a list, and moments. What cannot be read is named.

use super::ApiError;
use std::{borrow::Cow, str::FromStr};

/// The last second of the year 9999.
const TIME_MAX_S: i64 = 253_402_300_799;

/// What is empty was not given.
pub fn given(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty())
}

/// The id behind which a page begins. `of`: what it is the id of, such as `a video`.
pub fn after<T: FromStr>(value: &str, of: &str) -> Result<T, ApiError> {
    value.parse().map_err(|_| invalid("after", &format!("`after` must be the id of {of}.")))
}

/// How long a page may be.
pub fn limit(value: &str, max: u64) -> Result<u64, ApiError> {
    let limit = value.parse().ok().filter(|limit| (1..=max).contains(limit));
    limit.ok_or_else(|| invalid("limit", &format!("`limit` must be a whole number from 1 to {max}.")))
}

/// Whether the oldest come first.
pub fn oldest_first(value: &str) -> Result<bool, ApiError> {
    match value {
        "asc" => Ok(true),
        "desc" => Ok(false),
        _ => Err(invalid("order", "`order` must be `asc` or `desc`.")),
    }
}

/// A moment.
pub fn unix_seconds(param: &'static str, value: &str) -> Result<i64, ApiError> {
    let seconds = value.parse().ok().filter(|seconds| (0..=TIME_MAX_S).contains(seconds));
    seconds.ok_or_else(|| invalid(param, &format!("`{param}` must be unix seconds.")))
}

pub fn invalid(param: &'static str, message: &str) -> ApiError {
    ApiError::Invalid { param: Some(param), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::JobId;

    #[test]
    fn values_out_of_range_are_refused_by_their_name() {
        let param = |error: ApiError| if let ApiError::Invalid { param, .. } = error { param } else { None };
        for value in ["0", "101", "-1", "ten", "1e1", ""] {
            assert_eq!(limit(value, 100).map_err(param), Err(Some("limit")), "{value}");
        }
        assert_eq!((limit("1", 100).unwrap(), limit("100", 100).unwrap()), (1, 100));
        assert_eq!((oldest_first("asc").unwrap(), oldest_first("desc").unwrap()), (true, false));
        assert_eq!(oldest_first("up").map_err(param), Err(Some("order")));
        for value in ["x", "tenant_0190aaaabbbb7ccc8dddeeeeffff0001"] {
            assert_eq!(after::<JobId>(value, "a video").map_err(param), Err(Some("after")), "{value}");
        }
        for value in ["monday", "-1", "253402300800"] {
            assert_eq!(unix_seconds("end_time", value).map_err(param), Err(Some("end_time")), "{value}");
        }
        assert_eq!(given("a=1&b=&c=%20").map(|(name, value)| format!("{name}{value}")).collect::<Vec<_>>(), ["a1", "c "]);
    }
}
