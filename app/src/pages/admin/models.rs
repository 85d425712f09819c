//! The models that the database knows: what each makes, under which names, and whether it is on offer.

pub mod registry;

use super::section::{Section, empty, shown};
use crate::{components::table::Table, words};
use domain::catalog::SizeOption;
use leptos::prelude::*;
use service::{OfferedModel, operator::Part};

const HEADS: [&str; 8] = ["Model", "Id", "Family", "Makes", "Sizes", "Usual steps", "Aliases", "On offer"];
const NONE: &str = "No model yet. Put a folder with its weights and a manifest.json among the models, then restart the server.";

#[component]
pub fn ModelsSection(models: Part<Vec<OfferedModel>>) -> impl IntoView {
    let content = shown(models, |models| {
        if models.is_empty() {
            return empty(NONE);
        }
        let rows = models.into_iter().map(|offered| view! { <Row offered /> });
        view! { <Table label="List of models" heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
    });
    view! {
        <Section id="models" title="Models">
            {content}
            <p class="hint"><a href="/admin/models">"Where they are in memory, and how long they stay"</a></p>
        </Section>
    }
}

#[component]
fn Row(offered: OfferedModel) -> impl IntoView {
    let OfferedModel { model, is_offered, aliases } = offered;
    let makes = words::noun(model.makes_images());
    view! {
        <tr>
            <th scope="row">{model.name}</th>
            <td data-head="Id"><code>{model.id}</code></td>
            <td data-head="Family"><code>{model.family}</code></td>
            <td data-head="Makes">{makes}</td>
            <td data-head="Sizes" class="wraps"><Sizes sizes=model.sizes /></td>
            <td data-head="Usual steps" class="number">{model.steps.default}</td>
            <td data-head="Aliases">{listed(aliases.into_iter())}</td>
            <td data-head="On offer">{if is_offered { "yes" } else { "no" }}</td>
        </tr>
    }
}

/// Up to so many are listed.
const FEW: usize = 4;

/// Many are counted, and listed on demand.
#[component]
fn Sizes(sizes: Vec<SizeOption>) -> impl IntoView {
    let all = listed(sizes.iter().map(|option| words::size(option.size)));
    if sizes.len() <= FEW { all.into_any() } else { view! { <details><summary>{counted(&sizes)}</summary>{all}</details> }.into_any() }
}

/// `12 sizes, 360p to 1080p`.
fn counted(sizes: &[SizeOption]) -> String {
    let lines = || sizes.iter().map(|option| option.size.width.min(option.size.height));
    let (least, most) = (lines().min().unwrap_or_default(), lines().max().unwrap_or_default());
    format!("{} sizes, {least}p to {most}p", sizes.len())
}

fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Size;

    #[test]
    fn many_sizes_are_counted_with_their_lines() {
        let sizes = [(640, 360), (1080, 1920), (720, 720)].map(|(width, height)| Size { width, height });
        assert_eq!(counted(&sizes.map(|size| SizeOption { size, weight_permille: 1000 })), "3 sizes, 360p to 1080p");
    }

    #[test]
    fn names_are_listed_and_none_is_said() {
        assert_eq!(listed(["a", "b"].map(str::to_owned).into_iter()), "a, b");
        assert_eq!(listed(std::iter::empty()), "none");
    }
}
