//! A section of the overview: what it shows, that there is nothing, or that it could not be read.

use leptos::prelude::*;
use service::operator::Part;

#[component]
pub fn Section(id: &'static str, title: &'static str, children: Children) -> impl IntoView {
    view! {
        <section class="stack" aria-labelledby=id>
            <h2 id=id>{title}</h2>
            {children()}
        </section>
    }
}

/// What could not be read is said in its place; all the rest is shown all the same.
pub fn shown<T>(part: Part<T>, show: impl FnOnce(T) -> AnyView) -> AnyView {
    match part {
        Ok(part) => show(part),
        Err(_) => view! {
            <p class="notice" role="alert">"This could not be read just now; the log says why. Load the page again in a moment."</p>
        }
        .into_any(),
    }
}

pub fn empty(text: &'static str) -> AnyView {
    view! { <p class="empty small">{text}</p> }.into_any()
}

/// How many there are, of those that are counted at all: `1,234`, `10,000 or more`.
pub fn counted(count: u64, counted_max: u64) -> String {
    if count < counted_max { domain::grouped(count) } else { format!("{} or more", domain::grouped(counted_max)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::StoreError;

    #[test]
    fn what_could_not_be_read_is_said_in_its_place() {
        let [read, not_read] = [Ok(()), Err(StoreError::NotMigrated)].map(|part| shown(part, |()| empty("None.")).to_html());
        assert!(read.contains("None.") && !read.contains("could not be read"), "{read}");
        assert!(not_read.contains("could not be read") && not_read.contains("role=\"alert\""), "{not_read}");
    }

    #[test]
    fn what_is_not_counted_to_the_end_says_so() {
        assert_eq!([counted(9999, 10_000), counted(10_000, 10_000)], ["9,999", "10,000 or more"]);
    }
}
