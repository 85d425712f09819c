//! The parameters of one request, or of a part of it, by name and type.

use serde_json::{Map, Value};

use crate::wire::answer::StripeError;

/// A tree of texts, with the name that errors call it by.
#[derive(Clone, Debug, Default)]
pub struct Params {
    fields: Map<String, Value>,
    /// `items[0]`, or nothing for the whole request.
    path: String,
}

type Read<T> = Result<T, StripeError>;

impl Params {
    pub fn new(tree: Value) -> Self {
        Self::within(tree, String::new())
    }

    fn within(tree: Value, path: String) -> Self {
        let fields = match tree {
            Value::Object(fields) => fields,
            Value::Array(values) => values.into_iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
            _ => Map::new(),
        };
        Self { fields, path }
    }

    /// `expand` is understood everywhere.
    ///
    /// # Errors
    /// When there is a parameter that the caller does not understand.
    pub fn only(&self, known: &[&str]) -> Read<()> {
        let unknown = self.fields.keys().find(|name| *name != "expand" && !known.contains(&name.as_str()));
        unknown.map_or(Ok(()), |name| Err(StripeError::unknown_parameter(&self.name(name))))
    }

    /// What errors call a parameter of ours.
    pub fn name(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}[{name}]", self.path) }
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    /// Given as nothing, which takes away what was there.
    pub fn is_cleared(&self, name: &str) -> bool {
        self.fields.get(name).and_then(Value::as_str) == Some("")
    }

    /// `None` also for the empty text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    pub fn required(&self, name: &str) -> Read<&str> {
        self.text(name).ok_or_else(|| StripeError::missing_parameter(&self.name(name)))
    }

    pub fn integer(&self, name: &str) -> Read<Option<i64>> {
        self.text(name).map(|text| text.parse().map_err(|_| StripeError::not_an_integer(&self.name(name), text))).transpose()
    }

    pub fn number(&self, name: &str) -> Read<Option<f64>> {
        let wrong = |text: &str| StripeError::invalid(&self.name(name), &format!("Invalid decimal: {text}"));
        self.text(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }

    pub fn flag(&self, name: &str) -> Read<Option<bool>> {
        match self.text(name) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(StripeError::invalid(&self.name(name), &format!("Invalid boolean: {other}"))),
        }
    }

    /// One of a few words.
    pub fn choice<'a>(&'a self, name: &str, choices: &[&'a str]) -> Read<Option<&'a str>> {
        match self.text(name) {
            Some(word) if !choices.contains(&word) => {
                let all = choices.join(", ");
                Err(StripeError::invalid(&self.name(name), &format!("Invalid {}: must be one of {all}", self.name(name))))
            }
            word => Ok(word),
        }
    }

    /// A part that has parameters of its own.
    pub fn part(&self, name: &str) -> Option<Self> {
        let tree = self.fields.get(name).filter(|tree| tree.is_object() || tree.is_array())?;
        Some(Self::within(tree.clone(), self.name(name)))
    }

    /// The same, empty where it is absent.
    pub fn part_or_empty(&self, name: &str) -> Self {
        self.part(name).unwrap_or_default()
    }

    /// The elements of a list of parts.
    pub fn parts(&self, name: &str) -> Vec<Self> {
        let Some(Value::Array(values)) = self.fields.get(name) else { return Vec::new() };
        let path = self.name(name);
        values.iter().enumerate().map(|(at, value)| Self::within(value.clone(), format!("{path}[{at}]"))).collect()
    }

    /// The elements of a list of texts.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        match self.fields.get(name) {
            Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) if !text.is_empty() => vec![text],
            _ => Vec::new(),
        }
    }

    /// The tree of one parameter as it came.
    pub fn tree(&self, name: &str) -> Value {
        self.fields.get(name).cloned().unwrap_or(Value::Null)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }

    /// The whole, to compare or to keep.
    pub fn to_value(&self) -> Value {
        Value::Object(self.fields.clone())
    }
}
