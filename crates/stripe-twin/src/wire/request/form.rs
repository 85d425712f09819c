//! `items[0][price]=price_1&metadata[a]=b&expand[]=customer` to a tree. Every leaf is text: its type is known to whoever reads it.

use serde_json::{Map, Value};

/// The tree of a query or a body; later values replace earlier ones of the same name.
pub fn parse(text: &[u8]) -> Value {
    let mut root = Value::Object(Map::new());
    for (name, value) in form_urlencoded::parse(text) {
        insert(&mut root, &steps(&name), value.into_owned());
    }
    settle(root)
}

/// `a[b][]` as `a`, `b` and the empty step that appends.
fn steps(name: &str) -> Vec<&str> {
    let Some((first, rest)) = name.split_once('[') else { return vec![name] };
    let rest = rest.strip_suffix(']').unwrap_or(rest);
    std::iter::once(first).chain(rest.split("][")).collect()
}

fn insert(node: &mut Value, steps: &[&str], value: String) {
    let Some((step, rest)) = steps.split_first() else {
        *node = Value::String(value);
        return;
    };
    if !node.is_object() {
        *node = Value::Object(Map::new());
    }
    if let Value::Object(fields) = node {
        let key = if step.is_empty() { fields.len().to_string() } else { (*step).to_owned() };
        insert(fields.entry(key).or_insert(Value::Null), rest, value);
    }
}

/// Objects whose names are numbers from zero on are lists.
fn settle(node: Value) -> Value {
    let Value::Object(fields) = node else { return node };
    let mut numbered: Vec<(Option<usize>, String, Value)> =
        fields.into_iter().map(|(name, value)| (name.parse().ok(), name, settle(value))).collect();
    if !numbered.is_empty() && numbered.iter().all(|(number, ..)| number.is_some()) {
        numbered.sort_by_key(|(number, ..)| *number);
        return Value::Array(numbered.into_iter().map(|(.., value)| value).collect());
    }
    Value::Object(numbered.into_iter().map(|(_, name, value)| (name, value)).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn brackets_make_objects_and_lists() {
        let parsed = parse(b"items[0][price]=price_1&items[1][price]=price_2&metadata[a%20b]=c&expand[]=x&expand[]=y.z&empty=");
        let expected = json!({
            "items": [{"price": "price_1"}, {"price": "price_2"}],
            "metadata": {"a b": "c"},
            "expand": ["x", "y.z"],
            "empty": "",
        });
        assert_eq!(parsed, expected);
    }

    #[test]
    fn lists_keep_the_order_of_their_numbers() {
        assert_eq!(parse(b"a[10]=k&a[2]=c"), json!({"a": ["c", "k"]}));
    }
}
