//! Which texts are object keys: relative, no empty, `.` or `..` parts, a small alphabet.
//!
//! What passes means the same on every file system and gateway, so no store has to look again.

/// The longest key that S3 takes.
const BYTES_MAX: usize = 1024;
/// The longest file name of common file systems, less what a temporary name adds.
const PART_BYTES_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an object key")]
pub struct KeyError;

/// # Errors
/// [`KeyError`] for anything that could leave its prefix on some file system or gateway.
pub fn checked_key(key: &str) -> Result<&str, KeyError> {
    let sound = key.len() <= BYTES_MAX && key.split('/').all(is_part);
    if sound { Ok(key) } else { Err(KeyError) }
}

/// Letters, digits, `-`, `_` and inner dots: neither hidden nor `..`, nothing a file system folds or escapes.
fn is_part(part: &str) -> bool {
    let plain = part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    plain && !part.is_empty() && part.len() <= PART_BYTES_MAX && !part.starts_with('.') && !part.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_keys_pass_unchanged() {
        let key = "tenants/tenant_0190aaaa/jobs/job_0190bbbb/3/video.mp4";
        assert_eq!(checked_key(key), Ok(key));
    }

    #[test]
    fn hostile_keys_are_refused() {
        let long = "a".repeat(201);
        let deep = "a/".repeat(600) + "a";
        for key in [
            "",
            "/",
            "/etc/passwd",
            "a//b",
            "a/",
            "..",
            "../bucket2/x",
            "a/../b",
            "a/./b",
            ".",
            "a/..",
            "a\\b",
            "..\\x",
            "C:x",
            "a\0b",
            "a\nb",
            "%2e%2e/x",
            "a/%2e%2e/b",
            "a b",
            "ä",
            "..\u{2215}x",
            "．．/x",
            "~",
            ".hidden",
            "a/.tmp",
            "x.",
            "a?b",
            "a#b",
            &long,
            &deep,
        ] {
            assert_eq!(checked_key(key), Err(KeyError), "{key:?}");
        }
    }
}
