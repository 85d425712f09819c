//! A key as it is typed into its form, and what that asks for.

use crate::components::moment::day_typed;
use domain::{ProjectId, Scope, Scopes};
use serde::{Deserialize, Serialize};
use service::KeyRequest;

/// A key as it is typed; a form that says nothing but the name asks for one for everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub(super) project: String,
    /// `some`: the scopes below.
    #[serde(default)]
    pub(super) access: String,
    #[serde(default)]
    pub(super) videos_read: String,
    #[serde(default)]
    pub(super) videos_write: String,
    #[serde(default)]
    pub(super) usage_read: String,
    #[serde(default)]
    pub(super) batches_read: String,
    #[serde(default)]
    pub(super) batches_write: String,
    #[serde(default)]
    pub(super) webhooks: String,
    /// The last day, as `2026-12-31`.
    #[serde(default)]
    pub(super) expires: String,
    #[serde(default)]
    pub(super) requests: String,
}

/// A field of the form, by its name, and a sentence about what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    pub(super) field: String,
    pub(super) text: String,
}

impl Wrong {
    pub(super) fn of(field: &str, text: &str) -> Self {
        Self { field: field.to_owned(), text: text.to_owned() }
    }
}

impl Typed {
    /// # Errors
    /// What is wrong with the first field that cannot be read.
    pub(super) fn request(&self) -> Result<KeyRequest, Wrong> {
        let project = match self.project.trim() {
            "" => None,
            id => Some(id.parse::<ProjectId>().map_err(|_| Wrong::of("project", "Choose one of the projects."))?),
        };
        let scopes = if self.access == "some" {
            let names = Scope::EVERY.into_iter().filter(|scope| self.has(*scope)).map(Scope::as_str);
            Some(Scopes::of_names(names).map_err(|_| Wrong::of("access", "Choose at least one thing that the key may do."))?)
        } else {
            None
        };
        let expires_at = match self.expires.trim() {
            "" => None,
            day => {
                let wrong = || Wrong::of("expires", "Give the last day as 2026-12-31.");
                Some(day_typed(day).map(|day| day.plus(1).start()).ok_or_else(wrong)?)
            }
        };
        let requests_per_minute = match self.requests.trim() {
            "" => None,
            number => Some(number.parse().map_err(|_| Wrong::of("requests", "Give the requests a minute as a whole number."))?),
        };
        Ok(KeyRequest { name: self.name.clone(), project, scopes, expires_at, requests_per_minute })
    }

    pub(super) fn has(&self, scope: Scope) -> bool {
        let typed = match scope {
            Scope::VideosRead => &self.videos_read,
            Scope::VideosWrite => &self.videos_write,
            Scope::UsageRead => &self.usage_read,
            Scope::BatchesRead => &self.batches_read,
            Scope::BatchesWrite => &self.batches_write,
            Scope::Webhooks => &self.webhooks,
            Scope::Operator => return false,
        };
        !typed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    fn typed() -> Typed {
        Typed { name: "ci".into(), ..Typed::default() }
    }

    #[test]
    fn a_form_with_a_name_alone_asks_for_a_key_for_everything() {
        let request = typed().request().unwrap();
        assert_eq!((&*request.name, request.scopes, request.expires_at, request.requests_per_minute), ("ci", None, None, None));
    }

    #[test]
    fn a_last_day_is_its_last_moment_and_what_cannot_be_read_is_said() {
        let request =
            Typed { expires: "1970-01-01".into(), access: "some".into(), videos_read: "yes".into(), requests: "5".into(), ..typed() };
        let request = request.request().unwrap();
        assert_eq!((request.expires_at, request.requests_per_minute), (Some(Timestamp::from_ms(86_400_000)), Some(5)));
        assert_eq!(request.scopes.unwrap().to_string(), "videos:read");
        for (field, wrong) in [
            ("expires", Typed { expires: "tomorrow".into(), ..typed() }),
            ("access", Typed { access: "some".into(), ..typed() }),
            ("requests", Typed { requests: "-1".into(), ..typed() }),
            ("project", Typed { project: "x".into(), ..typed() }),
        ] {
            assert_eq!(wrong.request().map_err(|wrong| wrong.field).err().as_deref(), Some(field), "{wrong:?}");
        }
    }
}
