//! What a key is for: the parts of the API that it opens.

use std::fmt;

/// A part of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Seeing, watching and downloading videos.
    VideosRead,
    /// Making, cancelling and deleting videos.
    VideosWrite,
    /// Seeing what was used and what it cost.
    UsageRead,
    /// Seeing batches and files, and downloading those.
    BatchesRead,
    /// Uploading and deleting files, making and cancelling batches.
    BatchesWrite,
    /// Saying where events are told to, seeing what was told, and telling it again.
    Webhooks = 5,
    /// What the operator does by a program. It opens nothing for anybody else, and has to be named: `all` has it not.
    Operator = 7,
}

impl Scope {
    /// Those that a tenant's keys may have.
    pub const EVERY: [Self; 6] =
        [Self::VideosRead, Self::VideosWrite, Self::UsageRead, Self::BatchesRead, Self::BatchesWrite, Self::Webhooks];

    /// Those that have a name.
    const NAMED: [Self; 7] =
        [Self::VideosRead, Self::VideosWrite, Self::UsageRead, Self::BatchesRead, Self::BatchesWrite, Self::Webhooks, Self::Operator];

    /// Its name in the API, and as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VideosRead => "videos:read",
            Self::VideosWrite => "videos:write",
            Self::UsageRead => "usage:read",
            Self::BatchesRead => "batches:read",
            Self::BatchesWrite => "batches:write",
            Self::Webhooks => "webhooks",
            Self::Operator => "operator",
        }
    }

    /// What it opens, for whoever chooses it.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::VideosRead => "See, watch and download videos",
            Self::VideosWrite => "Make, cancel and delete videos",
            Self::UsageRead => "See usage and costs",
            Self::BatchesRead => "See batches and files, and download those",
            Self::BatchesWrite => "Upload and delete files, make and cancel batches",
            Self::Webhooks => "Manage webhooks",
            Self::Operator => "Look at the queue of this installation, and act upon it",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no scopes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("scopes are `all`, or some of videos:read, videos:write, usage:read, batches:read, batches:write and webhooks")]
pub struct ScopesError;

/// The scopes of a key. `all` also holds those of later versions, but not that of the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    pub const ALL: Self = Self(!Scope::Operator.bit());

    #[must_use]
    pub const fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Those that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether each of these is in `other` too.
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Names with spaces between them.
    ///
    /// # Errors
    /// [`ScopesError`] when there is no name, or one of no scope.
    pub fn parse(text: &str) -> Result<Self, ScopesError> {
        Self::of_names(text.split_ascii_whitespace())
    }

    /// # Errors
    /// As [`Self::parse`].
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, ScopesError> {
        let mut scopes = Self(0);
        for name in names {
            let of_name = match name {
                "all" => Self::ALL,
                name => Scope::NAMED.into_iter().find(|scope| scope.as_str() == name).map(|scope| Self(scope.bit())).ok_or(ScopesError)?,
            };
            scopes = Self(scopes.0 | of_name.0);
        }
        if scopes.0 == 0 { Err(ScopesError) } else { Ok(scopes) }
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all");
        }
        let names: Vec<_> = Scope::NAMED.into_iter().filter(|scope| self.has(*scope)).map(Scope::as_str).collect();
        f.write_str(&names.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_survive_their_text_and_what_names_none_is_refused() {
        for text in ["all", "videos:read", "videos:read videos:write", "usage:read", "videos:read videos:write usage:read", "webhooks"] {
            assert_eq!(Scopes::parse(text).unwrap().to_string(), text);
        }
        for text in ["", " ", "videos", "ALL", "videos:read,videos:write", "keys:write"] {
            assert_eq!(Scopes::parse(text), Err(ScopesError), "{text}");
        }
    }

    #[test]
    fn the_operators_scope_has_to_be_named() {
        let operator = Scopes::parse("operator").unwrap();
        assert!(operator.has(Scope::Operator) && !Scope::EVERY.into_iter().any(|scope| operator.has(scope)));
        assert!(!Scopes::ALL.has(Scope::Operator) && !operator.is_within(Scopes::ALL));
        assert_eq!(operator.to_string(), "operator");
    }

    #[test]
    fn every_scope_by_name_is_less_than_all() {
        let every = Scopes::of_names(Scope::EVERY.map(Scope::as_str)).unwrap();
        assert!(every.is_within(Scopes::ALL) && !Scopes::ALL.is_within(every));
        let read = Scopes::parse("videos:read").unwrap();
        assert!(read.has(Scope::VideosRead) && !read.has(Scope::VideosWrite) && read.and(Scopes::ALL) == read);
    }
}
