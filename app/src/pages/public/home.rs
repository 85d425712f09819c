//! The start page: what Reelmill is, in one screen, with clips the shipped model made.

use crate::{
    components::{clip::Clip, code::Code, frame::Frame},
    http,
    pages::{
        fault::{escaped, page},
        snippets,
    },
    session,
};
use domain::{Catalog, Model, Permission, Size};
use leptos::prelude::*;
use std::sync::Arc;

/// The model and the size of the clips in `public/gallery/`.
const MODEL: &str = "flipbook-1";
const SIZE: Size = Size { width: 384, height: 384 };
/// The clips in `public/gallery/` and the prompts that they were made from.
pub const GALLERY: [(&str, &str); 6] = [
    ("rider", "an astronaut riding a horse on the moon"),
    ("cat-piano", "a cat playing piano"),
    ("penguins", "two penguins dancing on ice"),
    ("balloons", "hot air balloons over mountains at sunrise"),
    ("beach-dog", "a dog running on the beach"),
    ("neon-street", "a city street at night with neon lights"),
];

#[component]
pub fn HomePage() -> impl IntoView {
    page(async move {
        let viewer = session::viewer().await?;
        let signed_in = viewer.is_some();
        let may_submit = viewer.as_ref().is_none_or(|viewer| viewer.actor().may(Permission::SubmitJobs));
        // Nobody needs it for this page: without it, the example says less.
        let catalog = session::services().catalog_soon().await;
        let code = snippets::first_program(&http::origin(), catalog.as_ref().and_then(|catalog| catalog.default_model()));
        let (made, make) = made(catalog.as_deref());
        let status = session::services()
            .shows_status()
            .await
            .then(|| view! { <p class="hint">"Something is wrong? "<a href="/status">"Status of this Reelmill"</a></p> });
        let about = format!(
            "Reelmill makes {made} from text on your own machines: fair queue, honest prices, an API that OpenAI clients already speak."
        );
        let lead = format!(
            "Reelmill makes {made} from text, on machines of your own. Everyone gets a fair turn, and knows the price and the wait before the click."
        );
        Ok(view! {
            <Frame title="" viewer class="page home">
                <leptos_meta::Meta name="description" content=about />
                <section class="hero">
                    <div class="hero-words">
                        <h1>"Words in."<br />"Film out."</h1>
                        <p class="lead">{lead}</p>
                        <p class="row">
                            {if !may_submit {
                                view! { <a class="button large" href="/library">"To the library"</a> }.into_any()
                            } else if signed_in {
                                view! { <a class="button large" href="/create">{make}</a> }.into_any()
                            } else {
                                view! { <a class="button large" href="/signup">{make}</a> <a class="button quiet large" href="/signin">"Sign in"</a> }.into_any()
                            }}
                        </p>
                    </div>
                    <Wall catalog may_submit />
                </section>
                <How />
                <section class="for-programs" aria-labelledby="programs">
                    <div class="stack">
                        <h2 id="programs">"Your programs speak it already"</h2>
                        <p>"The API has the shape of OpenAI’s videos API, so the openai package works as it is: change the address and the key."</p>
                        <p><a href="/reference">"Read the API reference"</a></p>
                    </div>
                    <Code label="Python, with the openai package" text=code />
                </section>
                {status}
            </Frame>
        })
    })
}

/// What is made here, and the button that leads to the form, in which the default model is chosen.
fn made(catalog: Option<&Catalog>) -> (&'static str, &'static str) {
    let made = if catalog.is_some_and(Catalog::makes_images) { "videos and images" } else { "videos" };
    let default = catalog.and_then(Catalog::default_model);
    (made, if default.is_some_and(Model::makes_images) { "Make an image" } else { "Make a video" })
}

/// Each clip leads to the form, filled in as it was made, unless one may not send it.
#[component]
fn Wall(catalog: Option<Arc<Catalog>>, may_submit: bool) -> impl IntoView {
    let clips = GALLERY.map(|(file, prompt)| {
        let clip = view! { <Clip poster=format!("/gallery/{file}.webp") video=Some(format!("/gallery/{file}.mp4")) label="" size=SIZE /> };
        let shown = if may_submit {
            view! {
                <a class="clip-link" href=form_with(prompt, catalog.as_deref())>
                    {clip}
                    <span class="clip-title"><span class="unseen">"Try: "</span>{prompt}</span>
                </a>
            }
            .into_any()
        } else {
            view! { {clip}<span class="clip-title">{prompt}</span> }.into_any()
        };
        view! { <li class="clip">{shown}</li> }
    });
    view! {
        <div class="wall">
            <h2 class="unseen">"Made by the model that ships with it"</h2>
            <ul>{clips.into_iter().collect_view()}</ul>
        </div>
    }
}

/// The address of the form with a prompt of the wall; with its model and size where they are on offer.
fn form_with(prompt: &str, catalog: Option<&Catalog>) -> String {
    let model = catalog.and_then(|catalog| catalog.by_id(MODEL));
    let size = model.and_then(|model| model.size_option(SIZE)).map(|option| format!("&size={}", option.size)).unwrap_or_default();
    let model = model.map(|model| format!("&model={}", escaped(&model.id))).unwrap_or_default();
    // As in a form: the way over the sign-in page takes no blanks.
    format!("/create?prompt={}{model}{size}", escaped(prompt).replace("%20", "+"))
}

#[component]
fn How() -> impl IntoView {
    let points = [
        (
            "An answer at once",
            "You get a job id before any work starts. Close the tab, come back, poll, or follow it live: the work goes on.",
        ),
        (
            "A queue you can see",
            "In fair turns, between teams too. Your place in line and the wait are on the screen, and they are measured, not guessed.",
        ),
        ("A price you can check", "Seconds of video, times size, times steps. You see the sum before the click; what fails costs nothing."),
        ("The same again", "Same seed, same settings, same pixels: alone or in a batch, today or next year."),
    ];
    let points = points.map(|(title, text)| view! { <li><h3>{title}</h3><p>{text}</p></li> });
    view! {
        <section class="how" aria-labelledby="how">
            <h2 id="how">"How it works"</h2>
            <ol>{points.into_iter().collect_view()}</ol>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use domain::catalog::{
        SizeOption,
        testing::{image_model, video_model},
    };
    use std::collections::BTreeMap;

    #[test]
    fn a_clip_of_the_wall_leads_to_the_form_with_what_is_on_offer() {
        let flipbook = |sizes: &[Size]| {
            let sizes = sizes.iter().map(|&size| SizeOption { size, weight_permille: 1000 }).collect();
            Catalog::new(vec![Model { id: MODEL.into(), sizes, ..video_model() }], BTreeMap::new())
        };
        let of = |catalog| form_with("a cat & a dog", Some(&catalog));
        assert_eq!(of(flipbook(&[SIZE])), "/create?prompt=a+cat+%26+a+dog&model=flipbook-1&size=384x384");
        assert_eq!(of(flipbook(&[])), "/create?prompt=a+cat+%26+a+dog&model=flipbook-1");
        assert_eq!(of(testing::catalog()), "/create?prompt=a+cat+%26+a+dog");
    }

    #[test]
    fn images_are_named_where_a_model_makes_them() {
        let of = |model| made(Some(&Catalog::new(vec![model], BTreeMap::new())));
        assert_eq!([made(None), of(video_model())], [("videos", "Make a video"); 2]);
        assert_eq!(made(Some(&testing::catalog())), ("videos and images", "Make a video"));
        assert_eq!(of(image_model()), ("videos and images", "Make an image"));
    }
}
