//! How parameters change what is stored: metadata by key, addresses as a whole, plain fields by name.

use serde_json::{Map, Value, json};

use crate::wire::request::Params;

/// The metadata of a new object.
pub fn metadata(params: &Params) -> Value {
    let mut stored = json!({});
    merge_metadata(&mut stored, params);
    stored
}

/// Keys that are named are set, those named with nothing are removed, and `metadata=` removes all of them.
pub fn merge_metadata(stored: &mut Value, params: &Params) {
    if params.is_cleared("metadata") || !stored.is_object() {
        *stored = json!({});
    }
    let (Some(stored), Value::Object(given)) = (stored.as_object_mut(), params.tree("metadata")) else { return };
    for (key, value) in given {
        if value == "" {
            stored.remove(&key);
        } else {
            stored.insert(key, value);
        }
    }
}

/// An address with all of its fields, or null.
pub fn address(params: &Params, name: &str) -> Value {
    let Some(part) = params.part(name) else { return Value::Null };
    let fields = ["city", "country", "line1", "line2", "postal_code", "state"];
    fields.into_iter().map(|field| (field.to_owned(), json!(part.text(field)))).collect::<Map<_, _>>().into()
}

/// Texts that are stored as they come; nothing makes them null.
pub fn pass_through(stored: &mut Value, params: &Params, names: &[&str]) {
    for name in names.iter().filter(|name| params.has(name)) {
        stored[*name] = json!(params.text(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::request::parse;

    #[test]
    fn metadata_is_merged_by_key() {
        let mut stored = json!({"a": "1", "b": "2"});
        merge_metadata(&mut stored, &Params::new(parse(b"metadata[b]=&metadata[c]=3")));
        assert_eq!(stored, json!({"a": "1", "c": "3"}));
        merge_metadata(&mut stored, &Params::new(parse(b"metadata=")));
        assert_eq!(stored, json!({}));
    }
}
