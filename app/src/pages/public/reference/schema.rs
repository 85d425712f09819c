//! A JSON schema as a list of fields, and the example that goes with it.

use leptos::prelude::*;
use serde_json::{Map, Value};

/// How deep fields of fields are drawn.
const DEPTH: usize = 3;

/// Follows `$ref` to what it names; a union with `null` counts as its other half.
pub fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    if let Some(target) = value["$ref"].as_str().and_then(|name| document.pointer(name.strip_prefix('#')?)) {
        return resolve(document, target);
    }
    let choices = value.get("oneOf").or_else(|| value.get("anyOf")).and_then(Value::as_array);
    let mut real = choices.into_iter().flatten().filter(|choice| choice["type"] != "null");
    match (real.next(), real.next()) {
        (Some(only), None) => resolve(document, only),
        _ => value,
    }
}

/// The fields of a schema, or what it says of itself where it has none.
pub fn fields(document: &Value, schema: &Value) -> AnyView {
    let schema = resolve(document, schema);
    let item = if schema["type"] == "array" { resolve(document, &schema["items"]) } else { schema };
    let fields = properties(item);
    if fields.is_empty() {
        return item["description"].as_str().map(|text| prose(text).into_any()).into_any();
    }
    rows(document, fields, 0)
}

type Field = (String, Value, bool);

fn properties(schema: &Value) -> Vec<Field> {
    let required = |name: &str| schema["required"].as_array().is_some_and(|list| list.iter().any(|entry| entry == name));
    let own = schema["properties"].as_object().into_iter().flatten();
    own.map(|(name, field)| (name.clone(), field.clone(), required(name))).collect()
}

/// Fields as a description list, one inside another where a field has fields.
pub fn rows(document: &Value, fields: Vec<Field>, depth: usize) -> AnyView {
    let rows = fields.into_iter().map(|(name, field, required)| {
        let schema = resolve(document, &field);
        let item = if schema["type"] == "array" { resolve(document, &schema["items"]) } else { schema };
        let inner = if depth < DEPTH { properties(item) } else { Vec::new() };
        let about = field["description"].as_str().or_else(|| schema["description"].as_str()).map(prose);
        let inner = (!inner.is_empty()).then(|| rows(document, inner, depth + 1));
        view! {
            <div>
                <dt>
                    <code>{name}</code>
                    <span class="type">{kind(document, schema)}</span>
                    {required.then(|| view! { <span class="required">"required"</span> })}
                </dt>
                <dd>{about}{inner}</dd>
            </div>
        }
    });
    view! { <dl class="fields">{rows.collect_view()}</dl> }.into_any()
}

/// What a value is, in a few words: `string`, `one of "a", "b"`, `list of video`.
fn kind(document: &Value, schema: &Value) -> String {
    let noted = |lead: &str, key: &str| schema.get(key).filter(|value| !value.is_null()).map(|value| format!("{lead} {value}"));
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().filter(|value| !value.is_null()).map(ToString::to_string).collect::<Vec<_>>().join(" | ");
        return values + &noted(", default", "default").unwrap_or_default();
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(choices) = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array) {
        return choices.iter().map(|choice| kind(document, resolve(document, choice))).collect::<Vec<_>>().join(" or ");
    }
    let names = match &schema["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
        name => name.as_str().into_iter().collect::<Vec<_>>(),
    };
    let mut text = names.join(" or ");
    if text == "array" {
        text = format!("list of {}", kind(document, resolve(document, &schema["items"])));
    }
    let to = if schema["minimum"].is_null() { ", to" } else { " to" };
    let notes = [(", from", "minimum"), (to, "maximum"), (", default", "default")];
    text + &notes.into_iter().filter_map(|(lead, key)| noted(lead, key)).collect::<String>()
}

/// The content's example, or one put together from its fields' examples.
pub fn example(document: &Value, content: &Value) -> Option<String> {
    let named = content["examples"].as_object().and_then(|examples| examples.values().find_map(|example| example.get("value")));
    let value = content.get("example").or(named).cloned().or_else(|| built(document, &content["schema"], 0))?;
    match value {
        Value::String(text) => Some(text),
        value => serde_json::to_string_pretty(&value).ok(),
    }
}

fn built(document: &Value, schema: &Value, depth: usize) -> Option<Value> {
    let direct = |schema: &Value| schema.get("example").or_else(|| schema.pointer("/examples/0")).cloned();
    if let Some(example) = direct(schema) {
        return Some(example);
    }
    let schema = resolve(document, schema);
    if let Some(example) = direct(schema) {
        return Some(example);
    }
    if depth > DEPTH {
        return None;
    }
    if schema["type"] == "array" {
        return built(document, &schema["items"], depth + 1).map(|item| Value::Array(vec![item]));
    }
    let fields = schema["properties"].as_object()?;
    let fields: Map<_, _> = fields.iter().filter_map(|(name, field)| Some((name.clone(), built(document, field, depth + 1)?))).collect();
    (!fields.is_empty()).then_some(Value::Object(fields))
}

/// Paragraphs of [`inline`] text.
pub fn prose(text: &str) -> impl IntoView + use<> {
    text.split("\n\n").map(|paragraph| view! { <p>{inline(paragraph)}</p> }).collect_view()
}

/// Text with `code` in backticks; the little markdown our descriptions use.
pub fn inline(text: &str) -> impl IntoView + use<> {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        let part = part.to_owned();
        if index % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
    });
    parts.collect_view()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_nullable_reference_is_what_it_refers_to() {
        let document = json!({"components": {"schemas": {"Video": {"type": "object", "properties": {"id": {"type": "string"}}}}}});
        let nullable = json!({"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Video"}]});
        assert_eq!(properties(resolve(&document, &nullable)).len(), 1);
    }

    #[test]
    fn types_read_like_a_sentence() {
        let schema = json!({"type": "array", "items": {"type": ["integer", "null"], "minimum": 1, "maximum": 200}});
        assert_eq!(kind(&Value::Null, &schema), "list of integer, from 1 to 200");
        let schema = json!({"type": "number", "maximum": 12, "default": 3});
        assert_eq!(kind(&Value::Null, &schema), "number, to 12, default 3");
        let schema = json!({"type": ["string", "null"], "enum": ["small", "large", null], "default": "small"});
        assert_eq!(kind(&Value::Null, &schema), "\"small\" | \"large\", default \"small\"");
    }

    #[test]
    fn an_example_is_put_together_from_its_fields() {
        let schema = json!({"schema": {"properties": {"id": {"example": "video_1"}, "size": {"type": "string"}}}});
        assert_eq!(example(&Value::Null, &schema).as_deref(), Some("{\n  \"id\": \"video_1\"\n}"));
    }
}
