//! What is chosen among the things on offer: model, size and length.

use super::{Form, controls::Problem, name};
use crate::words;
use domain::{Model, Size, catalog::Field};
use leptos::prelude::*;
use std::fmt::Display;

/// The weight of a usual size.
const USUAL_PERMILLE: u32 = 1000;

/// Model, size and length. Of another model they are drawn anew, as radio buttons keep what was chosen among others; of images there
/// is no length.
#[component]
pub fn Shape(form: Form) -> impl IntoView {
    let first = form.model.with_untracked(|model| model.id.clone());
    let option = |offer: &Model| {
        let selected = offer.id == first;
        view! { <option value=offer.id.clone() selected=selected>{offer.name.clone()}</option> }
    };
    let models = form.catalog.with_value(|catalog| catalog.models().iter().map(option).collect_view());
    let drawn = move |field, draw: fn(&Model, &str) -> String| {
        let chosen = form.request.with_untracked(|request| request.get(field).unwrap_or_default().to_owned());
        form.model.with(|model| draw(model, &chosen))
    };
    view! {
        <div class="shape">
            <div class="field">
                <label for="model">"Model"</label>
                <select id="model" name=name(Field::Model) aria-describedby="model-about model-error">{models}</select>
                <p class="hint" id="model-about">{move || form.model.with(|model| model.description.clone())}</p>
                <Problem form field=Field::Model />
            </div>
            <fieldset class="field" aria-describedby="size-error">
                <legend>"Size, in pixels"</legend>
                <div class="aspects" inner_html=move || drawn(Field::Size, aspects)></div>
                <Problem form field=Field::Size />
            </fieldset>
            <fieldset class="field" aria-describedby="seconds-error" hidden=move || form.model.with(Model::makes_images)>
                <legend>"Length"</legend>
                <div class="choices" inner_html=move || drawn(Field::Seconds, lengths)></div>
            </fieldset>
            <div class="field">
                // A plain form sends a length of the model that it was drawn for, also for an image.
                <Problem form field=Field::Seconds />
                <p class="hint">{move || form.model.with(unit)}</p>
            </div>
        </div>
    }
}

fn lengths(model: &Model, chosen: &str) -> String {
    model.durations().iter().map(|length| choice(Field::Seconds, length, &format!("{length} s"), chosen)).collect()
}

/// The sizes by the proportions of the picture, each with its outline, its lines and its pixels, of which the last are its name. Of a group
/// whose sizes are not quite alike the proportions are about those of all.
fn aspects(model: &Model, chosen: &str) -> String {
    let mut sizes: Vec<Size> = model.sizes.iter().map(|option| option.size).collect();
    let mut html = String::new();
    for lies in ["Square", "Wide", "Tall"] {
        while let Some(&first) = sizes.iter().find(|size| how_it_lies(**size) == lies) {
            let is_exact = sizes.iter().filter(|size| is_alike(**size, first)).all(|size| proportions(*size) == proportions(first));
            let (about, sign) = if is_exact { ("", "") } else { (", about", "≈ ") };
            let proportions = proportions(first);
            html += &format!(
                r#"<div class="aspect" role="group" aria-label="{lies}{about} {proportions}"><span aria-hidden="true">{lies}<small>{sign}{proportions}</small></span><div class="choices">"#
            );
            sizes.retain(|size| {
                let is_alike = is_alike(*size, first);
                if is_alike {
                    html += &choice(Field::Size, size, &picture(*size), chosen);
                }
                !is_alike
            });
            html += "</div></div>";
        }
    }
    html
}

const fn how_it_lies(Size { width, height }: Size) -> &'static str {
    if width == height {
        "Square"
    } else if width > height {
        "Wide"
    } else {
        "Tall"
    }
}

/// Whether nobody sees the difference: 1792 × 1024 is nearly 16:9.
const fn is_alike(one: Size, other: Size) -> bool {
    let (one, other) = (one.width * other.height, other.width * one.height);
    one.abs_diff(other) <= other / 50
}

/// `16:9`.
fn proportions(Size { width, height }: Size) -> String {
    let (mut divisor, mut rest) = (width, height);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    format!("{}:{}", width / divisor, height / divisor)
}

fn picture(size: Size) -> String {
    let (Size { width, height }, shape) = (size, words::shape(size));
    let lines = width.min(height);
    format!(r#"<b aria-hidden="true"><i class="outline {shape}"></i>{lines}p</b><small>{width} × {height}</small>"#)
}

/// A radio button as HTML: the form finds its fields by their names, and a browser has less to load than for a view of each.
fn choice(field: Field, value: &dyn Display, label: &str, chosen: &str) -> String {
    let (name, value) = (name(field), value.to_string());
    let checked = if value == chosen { " checked" } else { "" };
    format!(r#"<label class="choice"><input type="radio" name="{name}" value="{value}"{checked}><span>{label}</span></label>"#)
}

/// What the price of a model counts in.
fn unit(model: &Model) -> String {
    let usual =
        model.size_option(model.size_default).into_iter().chain(&model.sizes).find(|option| option.weight_permille == USUAL_PERMILLE);
    let size = usual.map(|option| format!(" at {} × {}", option.size.width, option.size.height)).unwrap_or_default();
    let steps = model.steps.default;
    if model.makes_images() {
        let price = words::video_seconds(model.counts_as(model.duration_default()));
        format!("The price counts in video-seconds. One image{size} with {steps} steps is {price}.")
    } else {
        format!("The price counts in video-seconds. One is a second of video{size} with {steps} steps.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::{
        SizeOption,
        testing::{image_model, video_model},
    };

    #[test]
    fn sizes_are_grouped_by_their_proportions_which_are_the_name_of_a_group() {
        let mut model = video_model();
        let sizes = ["640x360", "360x640", "480x360", "720x720", "1792x1024", "960x720"];
        model.sizes = sizes.map(|size| SizeOption { size: size.parse().unwrap(), weight_permille: 1000 }).into();
        let html = aspects(&model, "480x360");
        let places = [
            ["\"Square 1:1\"", "720 × 720"].as_slice(),
            &["\"Wide, about 16:9\"", "<small>≈ 16:9</small>", "outline wide", "640 × 360", "1792 × 1024"],
            &["\"Wide 4:3\"", "<small>4:3</small>", "outline classic", "480 × 360", "960 × 720"],
            &["\"Tall 9:16\"", "360 × 640"],
        ];
        assert!(places.concat().into_iter().map(|text| html.find(text).unwrap()).is_sorted(), "{html}");
        assert_eq!((html.matches("role=\"group\"").count(), html.matches("type=\"radio\"").count()), (4, 6));
        assert_eq!((html.matches(" checked").count(), html.matches(r#"value="480x360" checked"#).count()), (1, 1));
    }

    #[test]
    fn sizes_far_from_each_other_are_not_alike() {
        let size = |text: &str| text.parse().unwrap();
        assert!(is_alike(size("1792x1024"), size("640x360")) && is_alike(size("1x1"), size("1x1")));
        assert!(!is_alike(size("480x360"), size("640x360")) && !is_alike(size("64x32"), size("64x64")));
        assert_eq!(["1920x1080", "64x32", "333x77"].map(|text| proportions(size(text))), ["16:9", "2:1", "333:77"]);
    }

    #[test]
    fn the_unit_of_the_price_is_that_of_a_usual_size() {
        assert_eq!(unit(&video_model()), "The price counts in video-seconds. One is a second of video at 384 × 384 with 24 steps.");
        assert_eq!(unit(&image_model()), "The price counts in video-seconds. One image at 32 × 32 with 4 steps is 0.25 video-seconds.");
        let mut model = video_model();
        model.size_default = model.sizes[3].size;
        assert!(unit(&model).contains(" at 384 × 384 "), "not that of the default size, which weighs more");
    }
}
