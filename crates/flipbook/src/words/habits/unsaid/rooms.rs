//! Which room things are in when nobody said so: a teacher is in a classroom, a bed in a bedroom.

use crate::codes::{Backdrop, Kind, Motion, Relation, Setting, Weather};
use crate::scene::Thing;
use crate::sprites::atlas;

use crate::words::traits::{base, traits};

/// What a room is known by.
const KNOWN_BY: [(&str, Setting); 9] = [
    ("bed", Setting::Bedroom),
    ("crib", Setting::Nursery),
    ("blackboard", Setting::Classroom),
    ("bookcase", Setting::Library),
    ("bathtub", Setting::Bathroom),
    ("toilet", Setting::Bathroom),
    ("christmas-tree", Setting::Christmas),
    ("slot-machine", Setting::Casino),
    ("drum-kit", Setting::MusicStudio),
];

/// The room of things whose place was not said. `home` is where one of them works, `backdrop` where they are at home.
pub fn room(things: &[Thing], home: Option<Setting>, weather: Weather, backdrop: Backdrop) -> Option<Setting> {
    let big = things.iter().any(|thing| traits().has(thing.sprite, "big"));
    let known = |(name, setting): &(&str, Setting)| things.iter().any(|thing| base(thing.sprite) == *name).then_some(*setting);
    let indoors = matches!(weather, Weather::Clear | Weather::Hearts | Weather::Confetti);
    let setting = home.or_else(|| KNOWN_BY.iter().find_map(known).filter(|_| backdrop == Backdrop::Room && !big))?;
    (indoors && things.iter().all(|thing| fits(thing, setting))).then_some(setting)
}

/// It may be indoors, and does nothing that is done outdoors.
fn fits(thing: &Thing, setting: Setting) -> bool {
    let kind = atlas().get(thing.sprite).kind;
    let at_work = setting == Setting::Workshop && kind == Kind::Vehicle;
    let outdoors = matches!(kind, Kind::Vehicle | Kind::Boat | Kind::Aircraft | Kind::Sky)
        || kind == Kind::Building && base(thing.sprite) != "bed"
        || base(thing.sprite) == "roof";
    let away = matches!(thing.motion, Motion::Run | Motion::Drive | Motion::Sail | Motion::Swim | Motion::Fly | Motion::Launch);
    at_work || !outdoors && !away && thing.relation != Relation::Ride
}
