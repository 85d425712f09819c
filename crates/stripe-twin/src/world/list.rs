//! Pages of lists, by cursor, the newest first.

use serde_json::{Value, json};

use super::Fields;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;

/// What every list understands beside its own filters.
pub const PAGING: [&str; 4] = ["limit", "starting_after", "ending_before", "created"];

/// One page of `rows` that pass `keep`, as `url` shows it.
///
/// # Errors
/// When a parameter is unknown or no number, or a cursor is not in the list.
pub fn page(url: &str, params: &Params, filters: &[&str], rows: Vec<&Value>, keep: impl Fn(&Value) -> bool) -> Result<Value, StripeError> {
    params.only(&[filters, &PAGING[..]].concat())?;
    let created = Created::read(params)?;
    let kept = rows.into_iter().filter(|row| created.holds(row.int("created")) && keep(row)).cloned().collect();
    page_of(url, params, kept)
}

/// One page of these.
///
/// # Errors
/// When a parameter is no number, or a cursor is not in the list.
pub fn page_of(url: &str, params: &Params, rows: Vec<Value>) -> Result<Value, StripeError> {
    let limit = params.integer("limit")?.unwrap_or(10);
    if !(1..=100).contains(&limit) {
        return Err(StripeError::invalid("limit", "This value must be between 1 and 100."));
    }
    let limit = usize::try_from(limit).unwrap_or(10);
    let place = |name: &str| -> Result<Option<usize>, StripeError> {
        let Some(id) = params.text(name) else { return Ok(None) };
        let at = rows.iter().position(|row| row.text("id") == Some(id));
        at.map(Some).ok_or_else(|| StripeError::missing("object", id, name))
    };
    let (from, to) = match (place("starting_after")?, place("ending_before")?) {
        (Some(after), _) => (after + 1, rows.len().min(after + 1 + limit)),
        (None, Some(before)) => (before.saturating_sub(limit), before),
        (None, None) => (0, rows.len().min(limit)),
    };
    let has_more = if params.text("ending_before").is_some() { from > 0 } else { to < rows.len() };
    Ok(json!({"object": "list", "url": url, "has_more": has_more, "data": &rows[from..to.max(from)]}))
}

/// `created=5` or `created[gte]=5`.
struct Created {
    bounds: Vec<(String, i64)>,
}

impl Created {
    fn read(params: &Params) -> Result<Self, StripeError> {
        let Some(part) = params.part("created") else {
            let exact = params.integer("created")?;
            return Ok(Self { bounds: exact.into_iter().map(|second| ("eq".to_owned(), second)).collect() });
        };
        part.only(&["gt", "gte", "lt", "lte"])?;
        let mut bounds = Vec::new();
        for name in part.names() {
            bounds.extend(part.integer(name)?.map(|second| (name.to_owned(), second)));
        }
        Ok(Self { bounds })
    }

    fn holds(&self, created: i64) -> bool {
        self.bounds.iter().all(|(name, bound)| match name.as_str() {
            "gt" => created > *bound,
            "gte" => created >= *bound,
            "lt" => created < *bound,
            "lte" => created <= *bound,
            _ => created == *bound,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::request::parse;

    fn ids(query: &str) -> (Vec<String>, bool) {
        let rows: Vec<_> = (1..=5).rev().map(|number| json!({"id": format!("x{number}"), "created": number})).collect();
        let list = page("/v1/x", &Params::new(parse(query.as_bytes())), &[], rows.iter().collect(), |_| true).unwrap();
        let ids = list.elements("data").iter().filter_map(|row| row.text("id")).map(str::to_owned).collect();
        (ids, list.is("has_more"))
    }

    #[test]
    fn pages_go_both_ways_and_say_whether_there_is_more() {
        assert_eq!(ids("limit=2"), (vec!["x5".into(), "x4".into()], true));
        assert_eq!(ids("limit=2&starting_after=x4"), (vec!["x3".into(), "x2".into()], true));
        assert_eq!(ids("limit=2&starting_after=x2"), (vec!["x1".into()], false));
        assert_eq!(ids("limit=2&ending_before=x2"), (vec!["x4".into(), "x3".into()], true));
        assert_eq!(ids("ending_before=x4"), (vec!["x5".into()], false));
    }

    #[test]
    fn a_list_can_be_bounded_by_time() {
        assert_eq!(ids("created[gt]=2&created[lte]=4").0, ["x4", "x3"]);
        assert_eq!(ids("created=3").0, ["x3"]);
    }
}
