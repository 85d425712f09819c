//! Jointed full-body characters: people, animals, a robot and an alien, each a set of parts that turn about joints. What a
//! figure does is a [`Gesture`]; a gesture at a moment is a [`Stance`]; a stance places the parts. Drawings are parametric:
//! a character is proportions, colours, an outfit and what is worn.

mod four_legged;
mod gesture;
mod heads;
mod pen;
mod people;
mod person;
mod puppet;
mod reach;
mod rig;
mod skeleton;
mod turning;
mod upright;

use std::sync::OnceLock;

pub use gesture::{Gesture, PACE};
pub use pen::Palette;
pub use puppet::{Placed, Puppet};
pub use skeleton::{Affine, BOX, Build, Figure, GROUND, JOINTS, Joint, Manner, Part, Shows, Stance};
pub use turning::{axis, turned, turning};

use crate::codes::Colour;
use crate::random::Random;
use four_legged::BEASTS;
use people::PEOPLE;
use upright::CREATURES;

/// How a character of the cast is made.
enum Maker {
    Person(&'static person::Person),
    Beast(&'static four_legged::Beast),
    Creature(&'static upright::Creature),
    Own(fn() -> Figure),
}

struct Entry {
    name: &'static str,
    maker: Maker,
    made: OnceLock<Figure>,
}

/// Everyone, each made when first asked for.
fn cast() -> &'static [Entry] {
    static CAST: OnceLock<Vec<Entry>> = OnceLock::new();
    CAST.get_or_init(|| {
        let people = PEOPLE.iter().map(|person| (person.name, Maker::Person(person)));
        let beasts = BEASTS.iter().map(|beast| (beast.name, Maker::Beast(beast)));
        let creatures = CREATURES.iter().map(|creature| (creature.name, Maker::Creature(creature)));
        let own: [(_, fn() -> Figure); 3] =
            [("robot-figure", upright::robot), ("alien-figure", upright::alien), ("dinosaur-figure", upright::dinosaur)];
        let own = own.map(|(name, make)| (name, Maker::Own(make)));
        people.chain(beasts).chain(creatures).chain(own).map(|(name, maker)| Entry { name, maker, made: OnceLock::new() }).collect()
    })
}

/// Of all figures, people first.
pub fn names() -> impl Iterator<Item = &'static str> {
    cast().iter().map(|entry| entry.name)
}

/// `None` for a name that nobody has.
pub fn figure(name: &str) -> Option<&'static Figure> {
    let entry = cast().iter().find(|entry| entry.name == name)?;
    Some(entry.made.get_or_init(|| match &entry.maker {
        Maker::Person(person) => person.figure(),
        Maker::Beast(beast) => beast.figure(),
        Maker::Creature(creature) => creature.figure(),
        Maker::Own(make) => make(),
    }))
}

/// The body of an SVG of the figure of this name as it stands; `None` for a name that nobody has.
pub fn standing(name: &str) -> Option<String> {
    let figure = figure(name)?;
    Some(figure.svg(&figure.stance(Gesture::Stand, 0.0, 0.5)))
}

/// The figure of this name as one of many: everyday people differ in skin, hair and clothes, others in skin alone, by seed
/// and by their number among those who are drawn the same; animals and machines stay as they are.
pub fn varied(name: &str, seed: u64, number: usize) -> Option<Figure> {
    let entry = cast().iter().find(|entry| entry.name == name)?;
    match &entry.maker {
        Maker::Person(person) if person.varied(seed, number) != **person => Some(person.varied(seed, number).figure()),
        _ => Some(figure(name)?.toned(seed ^ number as u64)),
    }
}

impl Figure {
    /// The figure's joints `beat` cycles after the start (a cycle of a walk is two steps), with `vigour` from 0 to 1.
    pub fn stance(&self, gesture: Gesture, beat: f32, vigour: f32) -> Stance {
        gesture::stance(self, gesture, beat, vigour)
    }

    /// Indices into `parts` of what is seen, from back to front.
    pub fn seen<'a>(&'a self, stance: &'a Stance) -> impl Iterator<Item = usize> + 'a {
        self.order.iter().copied().filter(|index| self.parts.get(*index).is_some_and(|part| part.shows.at(stance)))
    }

    /// The body of an SVG with a view box of 32 x 32. What is turned or lifted may reach out of it.
    pub fn svg(&self, stance: &Stance) -> String {
        self.svg_in(stance, &self.palette)
    }

    /// The same with the outfit or the coat in another colour.
    pub fn svg_in_colour(&self, stance: &Stance, colour: Colour) -> String {
        self.svg_in(stance, &self.coloured(colour))
    }

    /// The same person with one of five tones of skin, by seed; animals and machines stay as they are.
    pub fn toned(&self, seed: u64) -> Figure {
        let mut figure = self.clone();
        let worn = person::SKINS.iter().find(|tone| figure.palette.get('S') == Some(tone[0]));
        if let Some(worn) = worn {
            let tone = Random::of(seed, 0x5C1).one(&person::SKINS);
            let hand = |tone: &[u32; 3]| [tone[0], tone[1], tone[2], pen::shade(tone[0], 0.85)];
            figure.palette.exchange(&hand(worn), &hand(&tone));
        }
        figure
    }

    fn svg_in(&self, stance: &Stance, palette: &Palette) -> String {
        let places = self.places(stance);
        let mut out = String::new();
        for index in self.seen(stance) {
            let (Some(part), Some(Affine([a, b, c, d, e, f]))) = (self.parts.get(index), places.get(index)) else { continue };
            out.push_str(&format!("<g transform=\"matrix({a:.5} {b:.5} {c:.5} {d:.5} {e:.4} {f:.4})\">"));
            out.push_str(&palette.paint(&part.svg));
            out.push_str("</g>");
        }
        out
    }

    /// Where the near hand is, in box units (0 to 1, y down): what is held goes there.
    pub fn hand(&self, stance: &Stance) -> [f32; 2] {
        self.anchor(self.anchors.hand, stance)
    }

    /// The near hand, and a point beyond it in the direction in which a tool points that leans `lean` radians forwards from
    /// the forearm, in box units.
    pub fn grip(&self, stance: &Stance, lean: f32) -> ([f32; 2], [f32; 2]) {
        let places = self.places(stance);
        let anchor = self.anchors.hand;
        let (Some(part), Some(place)) = (self.parts.get(anchor.part), places.get(anchor.part)) else { return ([0.5; 2], [0.4, 0.5]) };
        let ([x, y], [ex, ey]) = (anchor.at, part.pivot);
        let (sin, cos) = lean.sin_cos();
        let beyond = [x + cos * (x - ex) - sin * (y - ey), y + sin * (x - ex) + cos * (y - ey)];
        (place.of(anchor.at).map(|value| value / BOX), place.of(beyond).map(|value| value / BOX))
    }

    /// Where the mouth is, in box units.
    pub fn mouth(&self, stance: &Stance) -> [f32; 2] {
        self.anchor(self.anchors.mouth, stance)
    }

    /// Where a rider sits, in box units: on the back of four legs, on the shoulders of two.
    pub fn back(&self, stance: &Stance) -> [f32; 2] {
        self.anchor(self.anchors.back, stance)
    }

    /// The top of the skull, in box units: hats go there.
    pub fn head_top(&self, stance: &Stance) -> [f32; 2] {
        self.anchor(self.anchors.head_top, stance)
    }

    /// What it sits on when it rides, in box units: lay it on the mount's [`Figure::back`].
    pub fn seat(&self, stance: &Stance) -> [f32; 2] {
        self.anchor(self.anchors.seat, stance)
    }
}

/// The colour that is asked for, `0xrrggbb`.
fn hue(colour: Colour) -> u32 {
    match colour {
        Colour::Red => 0xf2383a,
        Colour::Orange => 0xff822d,
        Colour::Yellow => 0xfcd12a,
        Colour::Green => 0x2fb457,
        Colour::Cyan => 0x33d3de,
        Colour::Blue => 0x2b6ff0,
        Colour::Purple => 0x854dd9,
        Colour::Pink => 0xff6eb7,
        Colour::White => 0xf7f7fa,
        Colour::Black => 0x474754,
        Colour::Brown => 0x8c5733,
        Colour::Gold => 0xffbf26,
        Colour::Silver => 0xc7ccd9,
        Colour::Grey => 0x999ea8,
    }
}
