//! The setting that is unsaid: where a goal is scored, where a carousel stands; and what a setting is to who floats in it.

use crate::codes::{Act, Kind, Motion, Relation, Setting, Weather};
use crate::scene::Thing;
use crate::sprites::atlas;
use crate::words::compose::Shot;
use crate::words::traits::base;

/// Where things are found that were named without a place.
const FOUND: [(Setting, &[&str]); 12] = [
    (Setting::Pitch, &["soccer-player", "goal-net", "rugby-football", "american-football"]),
    (Setting::Hoops, &["basketball-player", "basketball"]),
    (Setting::Ballpark, &["baseball", "softball"]),
    (Setting::Tennis, &["tennis"]),
    (Setting::Golf, &["golfer", "flag-in-hole"]),
    (Setting::Racetrack, &["chequered-flag"]),
    (Setting::Fairground, &["ferris-wheel", "roller-coaster", "carousel-horse"]),
    (Setting::Playground, &["playground-slide", "playground-swing"]),
    (Setting::Graveyard, &["headstone", "coffin"]),
    (Setting::PetrolStation, &["fuel-pump"]),
    (Setting::Cornfield, &["scarecrow"]),
    (Setting::Campsite, &["tent", "camping"]),
];

/// The setting of a shot, if it is another than was said.
pub fn venue(shot: &Shot, things: &[Thing], weather: Weather) -> Option<Setting> {
    if shot.place.is_some() {
        return shot.setting?.afloat().filter(|_| floats(things));
    }
    let plain = matches!(weather, Weather::Clear | Weather::Rain | Weather::Wind | Weather::Leaves | Weather::Blossom);
    if !plain || shot.aurora {
        return None;
    }
    let does = |act: Act| things.iter().any(|thing| thing.act == Some(act));
    let found = |names: &[&str]| things.iter().any(|thing| names.contains(&base(thing.sprite)));
    let done = if does(Act::Score) {
        Some(Setting::Pitch)
    } else if does(Act::Dunk) {
        Some(Setting::Hoops)
    } else {
        None
    };
    done.or_else(|| FOUND.iter().find(|(_, names)| found(names)).map(|(setting, _)| *setting))
}

/// Who a shot is about is in the water, or a boat on it.
fn floats(things: &[Thing]) -> bool {
    let lead = things.iter().find(|thing| !matches!(thing.relation, Relation::Wear));
    lead.is_some_and(|lead| {
        let carrier = lead.parent.and_then(|parent| things.get(parent)).filter(|_| lead.relation == Relation::Ride).unwrap_or(lead);
        let kind = atlas().get(carrier.sprite).kind;
        let wet = matches!(carrier.motion, Motion::Swim | Motion::Sail) || carrier.act == Some(Act::Splash);
        matches!(kind, Kind::Boat | Kind::Swimmer) || wet || base(carrier.sprite) == "surfboard"
    })
}
