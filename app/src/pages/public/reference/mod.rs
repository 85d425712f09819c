//! The API reference, drawn from the OpenAPI document that the server also hands out.

mod operation;
mod schema;

use crate::{
    components::{code::Code, frame::Frame},
    http,
    pages::{fault::page, snippets},
    session,
};
use domain::Catalog;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use operation::{Operation, operations};
use serde_json::Value;
use std::sync::Arc;

/// Makes the OpenAPI 3.1 document of the public API for what is on offer; put into the context by the server.
#[derive(Clone)]
pub struct ApiReference(pub Arc<DocumentOf>);

/// The API's document for a catalog.
pub type DocumentOf = dyn Fn(&Catalog) -> Arc<Value> + Send + Sync;

#[component]
pub fn ReferencePage() -> impl IntoView {
    let reference = use_context::<ApiReference>();
    page(async move {
        let viewer = session::viewer().await?;
        let catalog = session::services().catalog().await?;
        let document = reference.map(|ApiReference(document_of)| document_of(&catalog)).unwrap_or_default();
        let program = snippets::first_program(&http::origin(), catalog.default_model());
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (about, version) = (schema::prose(&text("/info/description")), text("/info/version"));
        let groups = groups(&document);
        let contents = groups.iter().map(|(tag, operations)| {
            let links = operations.iter().map(|operation| {
                view! { <li><a href=format!("#{}", operation.id)><span class="method" data-method=operation.method.clone()>{operation.method.clone()}</span>{operation.summary.clone()}</a></li> }
            });
            view! { <li><p class="contents-tag">{tag.clone()}</p><ul>{links.collect_view()}</ul></li> }
        });
        let contents = contents.collect_view();
        let sections = groups.into_iter().map(|(tag, operations)| view! { <Group document=Arc::clone(&document) tag operations /> });
        let sections = sections.collect_view();
        Ok(view! {
            <Frame title="API reference" viewer class="page wide reference">
                <Stylesheet href="/reference.css" />
                <header class="page-head">
                    <h1>"API reference"</h1>
                    {about}
                    <p class="hint">
                        "Version "{version}". Base address "<code>{http::origin()}"/v1"</code>". The same as a document: "
                        <a href="/openapi.json">"openapi.json"</a>"."
                    </p>
                    <p class="hint">
                        "Programs for Replicate run unchanged at "<code>{http::origin()}"/replicate"</code>", and those for fal's queue at "
                        <code>{http::origin()}"/fal"</code>": models are "<code>"reelmill/NAME"</code>", keys and limits the same."
                    </p>
                </header>
                <nav class="contents" aria-label="On this page">
                    <ul>{contents}</ul>
                </nav>
                <div class="reference-body">
                    <Code label="Python, with the openai package" text=program />
                    {sections}
                </div>
            </Frame>
        })
    })
}

/// Operations by tag, in the document's order.
fn groups(document: &Value) -> Vec<(String, Vec<operation::Summary>)> {
    let mut groups: Vec<(String, Vec<_>)> = Vec::new();
    for operation in operations(document) {
        match groups.iter_mut().find(|(tag, _)| *tag == operation.tag) {
            Some((_, group)) => group.push(operation),
            None => groups.push((operation.tag.clone(), vec![operation])),
        }
    }
    groups
}

#[component]
fn Group(document: Arc<Value>, tag: String, operations: Vec<operation::Summary>) -> impl IntoView {
    let tags = document.get("tags").and_then(Value::as_array).into_iter().flatten();
    let about = tags.filter(|entry| entry["name"] == tag.as_str()).find_map(|entry| entry["description"].as_str());
    let about = about.map(schema::prose);
    let id = format!("tag-{tag}");
    let labelled = id.clone();
    let operations = operations.into_iter().map(|summary| view! { <Operation document=Arc::clone(&document) summary /> }).collect_view();
    view! {
        <section class="tag" aria-labelledby=labelled>
            <h2 id=id>{tag}</h2>
            {about}
            {operations}
        </section>
    }
}
