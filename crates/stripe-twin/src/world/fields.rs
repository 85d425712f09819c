//! Reading fields of objects without ceremony: what is absent, null or of another type is nothing.

use serde_json::Value;

pub trait Fields {
    fn text(&self, name: &str) -> Option<&str>;
    /// The id of what is named, also where it is expanded.
    fn id_of(&self, name: &str) -> Option<&str>;
    fn int(&self, name: &str) -> i64;
    fn int_or_none(&self, name: &str) -> Option<i64>;
    fn is(&self, name: &str) -> bool;
    /// The elements of a list, or of a `{"object": "list", "data": [..]}`.
    fn elements(&self, name: &str) -> &[Value];
}

impl Fields for Value {
    fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    fn id_of(&self, name: &str) -> Option<&str> {
        let field = self.get(name)?;
        field.as_str().or_else(|| field.text("id"))
    }

    fn int(&self, name: &str) -> i64 {
        self.int_or_none(name).unwrap_or(0)
    }

    fn int_or_none(&self, name: &str) -> Option<i64> {
        self.get(name)?.as_i64()
    }

    fn is(&self, name: &str) -> bool {
        self.get(name).and_then(Self::as_bool).unwrap_or(false)
    }

    fn elements(&self, name: &str) -> &[Value] {
        let Some(field) = self.get(name) else { return &[] };
        field.get("data").unwrap_or(field).as_array().map_or(&[], Vec::as_slice)
    }
}
