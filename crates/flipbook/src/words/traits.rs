//! What is known of drawings by name: where they are at home, how they move by themselves, what can be held or worn.
//! All of it is in `data/homes.txt`. Jointed characters share the lines of the animal they are: `fox-figure` is a `fox`.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::codes::{Backdrop, Colour, Kind, Motion};
use crate::sprites::{SpriteId, atlas};

#[derive(Default)]
pub struct Traits {
    homes: HashMap<String, Backdrop>,
    homes_of_kinds: HashMap<Kind, Backdrop>,
    habits: HashMap<String, Motion>,
    habits_of_kinds: HashMap<Kind, Motion>,
    traits: HashMap<String, HashSet<String>>,
    faults: Vec<String>,
}

pub fn traits() -> &'static Traits {
    static TRAITS: OnceLock<Traits> = OnceLock::new();
    TRAITS.get_or_init(|| Traits::read(include_str!("../../data/homes.txt")))
}

impl Traits {
    fn read(text: &str) -> Self {
        let mut traits = Self::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() && traits.line(line).is_none() {
                traits.faults.push(format!("{}: {line}", number + 1));
            }
        }
        traits
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (head, names) = line.split_once('=')?;
        let (what, which) = head.trim().split_once(' ')?;
        for name in names.split_whitespace() {
            let kind = name.strip_prefix("kind:").map(Kind::named);
            let twice = match (what, kind) {
                ("home", None) => self.homes.insert(name.to_owned(), Backdrop::named(which)?).is_some(),
                ("home", Some(kind)) => self.homes_of_kinds.insert(kind?, Backdrop::named(which)?).is_some(),
                ("habit", None) => self.habits.insert(name.to_owned(), Motion::named(which)?).is_some(),
                ("habit", Some(kind)) => self.habits_of_kinds.insert(kind?, Motion::named(which)?).is_some(),
                ("trait", None) => !self.traits.entry(which.to_owned()).or_default().insert(name.to_owned()),
                _ => return None,
            };
            if twice {
                return None;
            }
        }
        Some(())
    }

    /// Lines that could not be read, or that say again what another one says.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    pub fn home(&self, sprite: SpriteId) -> Option<Backdrop> {
        self.homes.get(base(sprite)).copied()
    }

    pub fn home_of(&self, kind: Kind) -> Backdrop {
        self.homes_of_kinds.get(&kind).copied().unwrap_or(Backdrop::Plain)
    }

    pub fn habit(&self, sprite: SpriteId) -> Motion {
        let kind = atlas().get(sprite).kind;
        self.habits.get(base(sprite)).or_else(|| self.habits_of_kinds.get(&kind)).copied().unwrap_or(Motion::Idle)
    }

    pub fn habit_of(&self, kind: Kind) -> Motion {
        self.habits_of_kinds.get(&kind).copied().unwrap_or(Motion::Idle)
    }

    pub fn has(&self, sprite: SpriteId, trait_name: &str) -> bool {
        self.traits.get(trait_name).is_some_and(|names| names.contains(base(sprite)))
    }
}

/// The drawing's name, a jointed animal's as that of the animal.
pub fn base(sprite: SpriteId) -> &'static str {
    let name = atlas().get(sprite).name.as_str();
    name.strip_suffix("-figure").unwrap_or(name)
}

/// A place has this colour by itself.
pub fn is_natural(place: Backdrop, colour: Colour) -> bool {
    use Backdrop::{Beach, Desert, Farm, Forest, Hills, Jungle, Lake, Meadow, Park, River, Sea, Sky, Snowfield, Underwater};
    match colour {
        Colour::Blue | Colour::Cyan => matches!(place, Sea | Lake | River | Sky | Underwater | Beach),
        Colour::Green => matches!(place, Meadow | Hills | Forest | Jungle | Park | Farm),
        Colour::White => place == Snowfield,
        Colour::Yellow | Colour::Gold => matches!(place, Desert | Beach),
        _ => false,
    }
}
