//! Where things are, and in which light, when nobody said so.

mod rooms;

pub use rooms::room;

use crate::codes::{Act, Backdrop, Effect, Hour, Kind, Motion, Relation, Weather};
use crate::scene::Thing;
use crate::sprites::{SpriteId, atlas};

use crate::words::traits::{base, traits};

pub fn is_wet(backdrop: Backdrop) -> bool {
    matches!(backdrop, Backdrop::Sea | Backdrop::Lake | Backdrop::River | Backdrop::Underwater | Backdrop::Beach)
}

/// Where things are when no place was said.
pub fn place(things: &[Thing], weather: Weather, aurora: bool) -> Backdrop {
    let known = traits();
    // No elephants indoors.
    let lead = things.iter().find(|thing| known.has(thing.sprite, "big")).or_else(|| things.first());
    // Who is on, in or under something that has a home is there.
    let by = |thing: &Thing| matches!(thing.relation, Relation::On | Relation::In | Relation::Under);
    let bearer = lead
        .filter(|lead| by(lead) && !known.has(lead.sprite, "big"))
        .and_then(|lead| things.get(lead.parent?))
        .filter(|bearer| known.home(bearer.sprite).is_some());
    let lead = bearer.or(lead);
    if aurora {
        return Backdrop::Mountains;
    }
    let Some(lead) = lead else {
        return match weather {
            Weather::Clear | Weather::Hearts | Weather::Wind => Backdrop::Sky,
            Weather::Fireworks => Backdrop::City,
            Weather::Blossom => Backdrop::Park,
            Weather::Leaves => Backdrop::Forest,
            Weather::Snow => Backdrop::Snowfield,
            Weather::Confetti => Backdrop::Stage,
            _ => Backdrop::Hills,
        };
    };
    let (name, kind, motion) = (base(lead.sprite), kind_of(lead.sprite), lead.motion);
    let any = |names: &[&str]| things.iter().any(|thing| names.contains(&base(thing.sprite)));
    let music = things
        .iter()
        .any(|thing| thing.effect == Some(Effect::Notes) && (thing.act != Some(Act::Sing) || kind_of(thing.sprite) == Kind::Person));
    let home = match weather {
        Weather::Fireworks => Backdrop::City,
        Weather::Blossom => Backdrop::Park,
        Weather::Confetti => return Backdrop::Stage,
        // People and rainbows go where the other things are.
        _ => known
            .home(lead.sprite)
            .or_else(|| {
                things.iter().skip(1).filter(|_| matches!(kind, Kind::Person | Kind::Sky)).find_map(|other| known.home(other.sprite))
            })
            .unwrap_or_else(|| known.home_of(kind)),
    };
    let wet = matches!(weather, Weather::Rain | Weather::Snow | Weather::Storm);
    let rides = lead.relation == Relation::Ride
        && lead.parent.and_then(|parent| things.get(parent)).is_some_and(|mount| known.has(mount.sprite, "mount"));
    let mount = lead.parent.and_then(|parent| things.get(parent)).filter(|_| rides).and_then(|mount| known.home(mount.sprite));
    let flies = lead.relation == Relation::Ride
        && lead.parent.and_then(|parent| things.get(parent)).is_some_and(|mount| kind_of(mount.sprite) == Kind::Aircraft);
    let place = if flies {
        Backdrop::Sky
    } else if matches!(home, Backdrop::Lake | Backdrop::Underwater | Backdrop::Room | Backdrop::Plain) && rides {
        mount.unwrap_or(Backdrop::Park)
    } else if mount == Some(Backdrop::Beach) {
        Backdrop::Sea
    } else if matches!(name, "rocket" | "flying-saucer" | "spaceship" | "satellite" | "ringed-planet") {
        if motion == Motion::Launch { Backdrop::Meadow } else { Backdrop::Space }
    } else if any(&["piano"]) || music && !wet && !any(&["campfire"]) {
        Backdrop::Room
    } else if things
        .iter()
        .any(|thing| thing.course.is_some_and(|course| course.by.and_then(|by| things.get(by)).is_some_and(grows_outdoors)))
        && matches!(home, Backdrop::Room | Backdrop::Kitchen | Backdrop::Plain)
    {
        Backdrop::Park
    } else if things.iter().any(|thing| thing.act == Some(Act::Fish)) {
        Backdrop::Lake
    } else if any(&["full-moon", "crescent-moon", "glowing-star", "star"]) && matches!(motion, Motion::Launch | Motion::Orbit) {
        Backdrop::Space
    } else if things.iter().any(|thing| thing.act == Some(Act::Cook)) {
        Backdrop::Kitchen
    } else if home == Backdrop::Room && matches!(motion, Motion::Run | Motion::Jump | Motion::Fly | Motion::Launch | Motion::Walk) {
        Backdrop::Park
    } else if home == Backdrop::Lake && matches!(motion, Motion::Run | Motion::Walk) && kind != Kind::Boat {
        Backdrop::Meadow
    } else if matches!(name, "duck" | "swan" | "goose") && motion == Motion::Swim {
        Backdrop::Lake
    } else if motion == Motion::Dance {
        if wet { Backdrop::Street } else { Backdrop::Stage }
    } else if home == Backdrop::Underwater
        && name != "submarine"
        && things.iter().any(|thing| kind_of(thing.sprite) == Kind::Boat && base(thing.sprite) != "submarine")
    {
        Backdrop::Sea
    } else if home == Backdrop::Underwater && things.iter().any(|thing| kind_of(thing.sprite) == Kind::Building) {
        Backdrop::Beach
    } else if any(&["fish-bowl"]) {
        Backdrop::Kitchen
    } else if any(&["roof"]) {
        Backdrop::City
    } else if home != Backdrop::Underwater && matches!(motion, Motion::Sail | Motion::Swim) && !matches!(kind, Kind::Swimmer | Kind::Boat) {
        Backdrop::Sea
    } else if wet && home == Backdrop::Plain {
        Backdrop::Park
    } else if kind == Kind::Plant && name.contains("tree") {
        if name == "palm-tree" {
            Backdrop::Beach
        } else if name == "christmas-tree" {
            home
        } else {
            Backdrop::Hills
        }
    } else if matches!(kind, Kind::Aircraft) && things.len() == 1 && home != Backdrop::Hills {
        Backdrop::Sky
    } else {
        home
    };
    let place = if place == Backdrop::Room && wet && !any(&["piano"]) && !music { Backdrop::Park } else { place };
    let place = if place == Backdrop::Castle && any(&["castle", "japanese-castle"]) { Backdrop::Hills } else { place };
    if weather == Weather::Snow && matches!(place, Backdrop::Meadow | Backdrop::Park | Backdrop::Hills | Backdrop::Plain) {
        Backdrop::Snowfield
    } else {
        place
    }
}

/// The light when no hour was said.
pub fn hour(things: &[Thing], weather: Weather) -> Hour {
    match weather {
        Weather::Fireworks | Weather::Stars => Hour::Night,
        _ if things.iter().any(|thing| base(thing.sprite) == "campfire" || traits().has(thing.sprite, "moon")) => Hour::Night,
        Weather::Rain | Weather::Storm | Weather::Fog => Hour::Overcast,
        _ => Hour::Day,
    }
}

fn kind_of(sprite: SpriteId) -> Kind {
    atlas().get(sprite).kind
}

fn grows_outdoors(thing: &Thing) -> bool {
    base(thing.sprite).ends_with("-tree")
}
