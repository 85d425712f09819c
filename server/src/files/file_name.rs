//! What a downloaded file is called: after its prompt and the day it was asked for.
//!
//! The prompt is somebody's free text, so only letters and digits of it are kept: nothing of it can end a
//! header's quoted string, name a folder or turn the direction of the writing.

use domain::{JobSpec, Timestamp};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use time::OffsetDateTime;

/// Of the part made from the prompt.
const CHARS_MAX: usize = 60;
/// File systems take names of 255 bytes.
const BYTES_MAX: usize = 200;

/// `attachment` with a name such as `northern-lights-2026-11-21.mp4`.
///
/// A prompt in another script gets a second name beside the plain one, in the encoding of RFC 8187, as
/// RFC 6266, section 4.3, has it.
pub fn attachment(spec: &JobSpec, asked_for: Timestamp, ending: &str) -> String {
    let (plain, full) = (slug(&spec.prompt, |c| c.is_ascii_alphanumeric()), slug(&spec.prompt, is_of_a_word));
    let (date, nameless) = (date(asked_for), if spec.is_image() { "image" } else { "video" });
    let name = |slug: &str| format!("{}-{date}{ending}", if slug.is_empty() { nameless } else { slug });
    let mut text = format!("attachment; filename=\"{}\"", name(&plain));
    if full != plain {
        text += &format!("; filename*=UTF-8''{}", utf8_percent_encode(&name(&full), NON_ALPHANUMERIC));
    }
    text
}

/// The words of a text in small letters, joined by hyphens, as many as there is room for.
fn slug(text: &str, keep: fn(char) -> bool) -> String {
    let small = text.chars().take(20 * CHARS_MAX).flat_map(char::to_lowercase).collect::<String>();
    let mut slug = String::new();
    for word in small.split(|c| !keep(c)).filter(|word| !word.is_empty()) {
        let room = |chars: usize, bytes: usize| chars <= CHARS_MAX && bytes <= BYTES_MAX;
        if slug.is_empty() {
            word.chars().for_each(|c| {
                if room(slug.chars().count() + 1, slug.len() + c.len_utf8()) {
                    slug.push(c)
                }
            });
        } else if room(slug.chars().count() + 1 + word.chars().count(), slug.len() + 1 + word.len()) {
            slug.push('-');
            slug += word;
        } else {
            break;
        }
    }
    slug
}

/// Letters and digits of every script, with the marks that belong to them.
fn is_of_a_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{93c}' | '\u{94d}' | '\u{9cd}' | '\u{a4d}' | '\u{bcd}' | '\u{e31}'..='\u{e4e}')
}

/// The day in UTC, `2026-11-21`.
fn date(moment: Timestamp) -> String {
    OffsetDateTime::from_unix_timestamp(moment.unix_seconds()).map_or_else(|_| String::new(), |moment| moment.date().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use domain::{JobRequest, Seed, VideoTime, catalog::testing};

    const DAY: Timestamp = Timestamp::from_ms(1_795_278_605_000);

    fn spec(prompt: &str) -> JobSpec {
        let request = JobRequest { prompt: "sea".into(), ..JobRequest::default() };
        let (spec, _) = request.parse(&testing::catalog(), Seed::ZERO).unwrap();
        JobSpec { prompt: prompt.to_owned(), ..spec }
    }

    fn named(prompt: &str) -> String {
        attachment(&spec(prompt), DAY, ".mp4")
    }

    #[test]
    fn a_file_is_named_after_its_prompt_and_its_day() {
        let expected = r#"attachment; filename="northern-lights-over-the-mountains-2026-11-21.mp4""#;
        assert_eq!(named("Northern lights, over the mountains!"), expected);
    }

    #[test]
    fn other_scripts_get_a_name_of_their_own_beside_a_plain_one() {
        assert_eq!(
            named("海の夕日"),
            "attachment; filename=\"video-2026-11-21.mp4\"; filename*=UTF-8''%E6%B5%B7%E3%81%AE%E5%A4%95%E6%97%A5%2D2026%2D11%2D21%2Emp4"
        );
        assert!(named("café au lait").starts_with("attachment; filename=\"caf-au-lait-2026-11-21.mp4\"; filename*=UTF-8''caf%C3%A9%2D"));
    }

    #[test]
    fn an_image_without_a_name_is_called_an_image() {
        let image = JobSpec { duration: VideoTime::from_ms(0), ..spec("海") };
        assert!(attachment(&image, DAY, ".webp").starts_with("attachment; filename=\"image-2026-11-21.webp\""));
    }

    #[test]
    fn a_long_prompt_ends_at_a_word() {
        let words = "a lantern on the water ".repeat(2000);
        assert_eq!(named(&words), named("a lantern on the water a lantern on the water a lantern on"));
        let one_word = named(&"x".repeat(5000));
        assert_eq!(one_word, format!("attachment; filename=\"{}-2026-11-21.mp4\"", "x".repeat(60)));
        assert!(named(&"海".repeat(5000)).len() < 800);
    }

    #[test]
    fn a_hostile_prompt_breaks_neither_the_header_nor_the_name() {
        for prompt in [
            "a\r\nSet-Cookie: session=1",
            "\"; filename=\"evil.exe",
            "../../etc/passwd",
            "C:\\windows\\system32",
            "gpj.exe\u{202e}4pm",
            "\u{2066}\u{200f}\u{0}\u{7f}",
            "....",
            "%0d%0a%22",
            "",
        ] {
            let text = named(prompt);
            assert!(HeaderValue::from_str(&text).is_ok_and(|value| value.to_str().is_ok()), "{text:?}");
            let (plain, rest) = text.strip_prefix("attachment; filename=\"").unwrap().split_once('"').unwrap();
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(plain.strip_suffix("-2026-11-21.mp4").is_some_and(|slug| !slug.is_empty() && slug.chars().all(is_plain)), "{plain:?}");
            assert!(rest.is_empty() || rest.starts_with("; filename*=UTF-8''"), "{rest:?}");
        }
    }
}
