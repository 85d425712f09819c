//! Reading a JSON body field by field: what is unknown is skipped and no more of it kept than one name, so memory stays flat.

use super::{
    ApiError,
    fields::{Fields, Given, Known, unreadable},
};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use std::fmt;

/// The largest whole number that every reader of JSON keeps exact.
const EXACT_MAX: f64 = 9_007_199_254_740_991.0;

pub fn parse(body: &[u8]) -> Result<Fields, ApiError> {
    serde_json::from_slice(body).map_err(|error| unreadable(format!("The body is not a JSON object we can read: {error}.")))
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                while let Some(name) = map.next_key::<String>()? {
                    match Known::find(&name) {
                        Some(known) if known.takes_lists() => fields.insert(known, map.next_value::<List>()?.0),
                        Some(known) => fields.insert(known, map.next_value()?),
                        None => {
                            if map.next_value::<Option<IgnoredAny>>()?.is_some() {
                                fields.skip(&name);
                            }
                        }
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

/// A value that may be a list: that is kept as it was written, and read by whoever knows what is in it.
struct List(Given);

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        if text.get().starts_with('[') {
            return Ok(Self(Given::List(text.get().to_owned())));
        }
        serde_json::from_str(text.get()).map(Self).map_err(D::Error::custom)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Given, E> {
        Ok(Given::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Given, E> {
        Ok(Given::Flag(flag))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Given, E> {
        Ok(Given::Number(number.to_string()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Given, E> {
        Ok(Given::Number(number.to_string()))
    }

    /// `24.0` and `2.4e1` are 24.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Given, E> {
        let whole = number.fract() == 0.0 && number.abs() <= EXACT_MAX;
        Ok(Given::Number(if whole { format!("{}", number as i64) } else { number.to_string() }))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Given, E> {
        Ok(Given::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Given, E> {
        Ok(Given::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Given, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Given::Other("an array"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Given, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Given::Other("an object"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::JobRequest;

    fn request(body: &str) -> JobRequest {
        parse(body.as_bytes()).unwrap().over(JobRequest::default()).unwrap()
    }

    #[test]
    fn numbers_are_taken_in_every_spelling() {
        for spelling in ["24", "24.0", "2.4e1", "240e-1", "\"24\""] {
            assert_eq!(request(&format!("{{\"prompt\":\"a\",\"steps\":{spelling}}}")).steps.as_deref(), Some("24"), "{spelling}");
        }
        assert_eq!(request(r#"{"guidance":3.25}"#).guidance.as_deref(), Some("3.25"));
        assert_eq!(request(r#"{"seed":-0.0}"#).seed.as_deref(), Some("0"));
        assert_eq!(request(r#"{"seed":9007199254740993}"#).seed.as_deref(), Some("9007199254740993"));
    }

    #[test]
    fn a_list_is_kept_as_it_was_written_where_one_is_taken_and_a_text_stands_for_it() {
        let list = r#"[{"slot": 0, "x": 5e-1, "y": 1}]"#;
        assert_eq!(request(&format!(r#"{{"prompt":"a","arrangement":{list}}}"#)).arrangement.as_deref(), Some(list));
        assert_eq!(request(r#"{"arrangement":"[]"}"#).arrangement.as_deref(), Some("[]"));
        assert_eq!(request(r#"{"arrangement":null}"#).arrangement, None);
        for (body, said) in [
            (r#"{"arrangement":{}}"#, "`arrangement` must be an array, not an object."),
            (r#"{"arrangement":1}"#, "`arrangement` must be an array, not a number."),
            (r#"{"seed":[1]}"#, "`seed` must be a number or a string, not an array."),
        ] {
            let refused = parse(body.as_bytes()).unwrap().over(JobRequest::default()).unwrap_err();
            assert!(matches!(refused, ApiError::Invalid { message, param: Some(_) } if message == said), "{body}");
        }
    }

    #[test]
    fn null_is_absent_the_last_duplicate_counts_and_the_unknown_is_skipped() {
        let request = request(r#"{"prompt":"first","size":null,"extra":{"deep":[1,{"er":null}]},"prompt":"last","input_reference":null}"#);
        assert_eq!(request, JobRequest { prompt: "last".into(), ..JobRequest::default() });
    }

    #[test]
    fn the_first_field_that_is_unknown_is_named_unless_it_is_null() {
        let unknown = |body: &str| parse(body.as_bytes()).unwrap().unknown().map(str::to_owned);
        assert_eq!(unknown(r#"{"prompt":"a","quality":null,"sise":{"deep":[1,{"er":null}]},"promt":"b"}"#).as_deref(), Some("sise"));
        assert_eq!(unknown(r#"{"prompt":"a","quality":null,"force":true,"input_reference":null}"#), None);
        assert_eq!(unknown(&format!("{{\"{}\":1}}", "é".repeat(1000))), Some("é".repeat(60)));
    }
}
