//! `data/traits.txt`: what the drawings are like.

use std::collections::BTreeMap;

use anyhow::{Context, bail, ensure};
use flipbook::codes::Kind;

/// Values by name.
type Section = BTreeMap<String, String>;

#[derive(Debug)]
pub struct Traits {
    sections: BTreeMap<String, Section>,
    pub own: Vec<Own>,
}

/// A drawing of our own.
#[derive(Debug)]
pub struct Own {
    pub name: String,
    pub kind: Kind,
    pub metres: f32,
    pub group: String,
    pub facing: i8,
    pub words: Vec<String>,
}

impl Traits {
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let (mut sections, mut own) = (BTreeMap::<String, Section>::new(), Vec::new());
        let mut title = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(next) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                title = next.to_owned();
                continue;
            }
            let (key, rest) = line.split_once(':').with_context(|| format!("no colon in: {line}"))?;
            if title == "own" {
                own.push(Own::parse(key, rest).with_context(|| format!("cannot read: {line}"))?);
                continue;
            }
            let section = sections.entry(title.clone()).or_default();
            for name in rest.split_whitespace() {
                ensure!(section.insert(name.to_owned(), key.trim().to_owned()).is_none(), "[{title}] says {name} twice");
            }
        }
        Ok(Self { sections, own })
    }

    fn value(&self, section: &str, name: &str) -> Option<&str> {
        self.sections.get(section)?.get(name).map(String::as_str)
    }

    /// Names that stand in a section about drawings.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let about_drawings = ["kind", "metres", "facing", "heading", "glows"];
        about_drawings.into_iter().filter_map(|title| self.sections.get(title)).flat_map(|section| section.keys())
    }

    /// Of the emoji `name` in `subgroup` of `group`.
    pub fn kind(&self, name: &str, subgroup: &str, group: &str) -> anyhow::Result<Kind> {
        if let Some(kind) = self.value("kind", name) {
            return kind_named(kind);
        }
        let of_group = self.value("kind of a group", subgroup).or_else(|| self.value("kind of a group", group));
        let kind = of_group.map_or(Ok(Kind::Prop), kind_named)?;
        Ok(if kind == Kind::Animal && name.contains("face") { Kind::Prop } else { kind })
    }

    pub fn metres(&self, name: &str, kind: Kind) -> anyhow::Result<f32> {
        let metres = self.value("metres", name).or_else(|| self.value("default metres", kind.name()));
        Ok(metres.with_context(|| format!("no height of a {}", kind.name()))?.parse()?)
    }

    pub fn facing(&self, name: &str, kind: Kind) -> anyhow::Result<i8> {
        if let Some(way) = self.value("facing", name) {
            return facing_named(way);
        }
        let turns = matches!(kind, Kind::Animal | Kind::Flyer | Kind::Swimmer | Kind::Vehicle | Kind::Boat | Kind::Aircraft);
        let face = name.contains("face") && !name.contains("facing");
        Ok(if name.ends_with("facing-right") { 1 } else { -i8::from(turns && !face) })
    }

    pub fn heading(&self, name: &str) -> anyhow::Result<Option<f32>> {
        Ok(self.value("heading", name).map(str::parse).transpose()?)
    }

    pub fn glows(&self, name: &str) -> bool {
        self.value("glows", name).is_some()
    }
}

impl Own {
    fn parse(name: &str, rest: &str) -> anyhow::Result<Self> {
        let parts: Vec<&str> = rest.splitn(5, ',').map(str::trim).collect();
        let [kind, metres, group, facing, words] = parts.as_slice() else { bail!("it has five parts") };
        Ok(Self {
            name: name.to_owned(),
            kind: kind_named(kind)?,
            metres: metres.parse()?,
            group: (*group).to_owned(),
            facing: facing_named(facing)?,
            words: words.split(';').map(|word| word.trim().to_owned()).collect(),
        })
    }
}

fn kind_named(name: &str) -> anyhow::Result<Kind> {
    Kind::named(name).with_context(|| format!("no kind {name}"))
}

fn facing_named(way: &str) -> anyhow::Result<i8> {
    match way {
        "left" => Ok(-1),
        "right" => Ok(1),
        "none" => Ok(0),
        _ => bail!("nothing faces {way}"),
    }
}
