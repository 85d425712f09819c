//! One operation: what it does, what it takes and what it answers.

use super::schema::{example, fields, inline, prose, resolve};
use crate::components::code::Code;
use leptos::prelude::*;
use serde_json::Value;
use std::sync::Arc;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// What the table of contents needs of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub id: String,
    pub tag: String,
    pub method: String,
    pub path: String,
    pub summary: String,
}

/// Every operation, by path and method, in the document's order.
pub fn operations(document: &Value) -> Vec<Summary> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| METHODS.iter().filter_map(move |method| Some((path, *method, item.get(method)?))));
    all.map(|(path, method, operation)| {
        let named = operation["operationId"].as_str().map_or_else(|| format!("{method}{path}"), ToOwned::to_owned);
        Summary {
            id: named.replace(['/', '{', '}'], "-"),
            tag: operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or("Other").into(),
            method: method.into(),
            path: path.clone(),
            summary: operation["summary"].as_str().unwrap_or(path).trim_end_matches('.').into(),
        }
    })
    .collect()
}

#[component]
pub fn Operation(document: Arc<Value>, summary: Summary) -> impl IntoView {
    let Summary { id, method, path, summary: title, .. } = summary;
    let operation = document["paths"][&path][&method].clone();
    let about = operation["description"].as_str().map(prose);
    let parameters = parameters(&document, &operation);
    let body = operation.get("requestBody").map(|body| bodies(&document, resolve(&document, body), Place::Request));
    let answers = operation["responses"].as_object().into_iter().flatten().map(|(status, answer)| {
        let answer = resolve(&document, answer).clone();
        view! { <Answer document=Arc::clone(&document) status=status.clone() answer /> }
    });
    let answers = answers.collect_view();
    let heading = format!("{id}-heading");
    let labelled = heading.clone();
    view! {
        <article class="operation" id=id.clone() aria-labelledby=labelled>
            <h3 id=heading><a class="anchor" href=format!("#{id}")>{title}</a></h3>
            <p class="route"><span class="method" data-method=method.clone()>{method.clone()}</span><code>{path}</code></p>
            {about}
            {parameters}
            {body}
            <h4>"Answers"</h4>
            <div class="answers">{answers}</div>
        </article>
    }
}

fn parameters(document: &Value, operation: &Value) -> Option<impl IntoView + use<>> {
    let parameters = operation["parameters"].as_array().filter(|list| !list.is_empty())?;
    let fields = parameters.iter().map(|parameter| {
        let parameter = resolve(document, parameter);
        let mut schema = resolve(document, &parameter["schema"]).clone();
        if let (Some(schema), Some(text)) = (schema.as_object_mut(), parameter.get("description")) {
            schema.insert("description".into(), text.clone());
        }
        let place = parameter["in"].as_str().unwrap_or_default();
        (format!("{} ({place})", parameter["name"].as_str().unwrap_or_default()), schema, parameter["required"] == true)
    });
    let fields = super::schema::rows(document, fields.collect(), 0);
    Some(view! { <h4>"Parameters"</h4> {fields} })
}

/// Of a request one needs the fields first, of an answer an example.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Request,
    Answer,
}

/// The bodies of a request or an answer, by kind of content.
fn bodies(document: &Value, holder: &Value, place: Place) -> impl IntoView + use<> {
    let contents = holder["content"].as_object().into_iter().flatten();
    let same = |kind: &str| kind.contains("json") || kind.contains("form");
    let mut drawn: Option<Value> = None;
    let parts = contents.map(|(kind, content)| {
        let repeated = same(kind) && drawn.as_ref() == Some(&content["schema"]);
        drawn = Some(content["schema"].clone());
        let example = (!repeated).then(|| example(document, content)).flatten();
        let fields = (!repeated).then(|| fields(document, &content["schema"]));
        let fields = match place {
            Place::Request => fields.into_any(),
            Place::Answer => fields.map(|fields| view! { <details class="fold"><summary>"Fields"</summary>{fields}</details> }).into_any(),
        };
        let example = example.map(|text| view! { <Code label="Example" text /> });
        let kind = view! { <p class="kind"><code>{kind.clone()}</code>{repeated.then_some(" with the same fields")}</p> };
        match place {
            Place::Request => view! { {kind} {fields} {example} }.into_any(),
            Place::Answer => view! { {kind} {example} {fields} }.into_any(),
        }
    });
    let parts = parts.collect_view();
    view! { {(place == Place::Request).then(|| view! { <h4>"Request"</h4> })} {parts} }
}

#[component]
fn Answer(document: Arc<Value>, status: String, answer: Value) -> impl IntoView {
    let good = status.starts_with('2');
    let about = inline(answer["description"].as_str().unwrap_or_default());
    let head = view! { <span class="status" class:good=good>{status}</span> <span>{about}</span> };
    if answer["content"].as_object().is_none_or(serde_json::Map::is_empty) {
        return view! { <p class="answer plain">{head}</p> }.into_any();
    }
    view! {
        <details class="answer" open=good>
            <summary>{head}</summary>
            <div class="answer-body">{bodies(&document, &answer, Place::Answer)}</div>
        </details>
    }
    .into_any()
}
