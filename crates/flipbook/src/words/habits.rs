//! Fills in what a prompt leaves unsaid: how things move by themselves, where they are, in which light.

mod unsaid;
mod venues;

use crate::codes::{Act, Backdrop, Effect, Kind, Motion, Relation, Setting, Weather};
use crate::figures::figure;
use crate::scene::{Course, MOST_ALIKE, MOST_DRAWN, Program, SLOTS, Thing};
use crate::sprites::{SpriteId, atlas};

use super::compose::{Draft, Shot};
use super::traits::{base, traits};
use unsaid::{hour, is_wet, place, room};
use venues::venue;

/// Where the things of a program come from.
pub struct Finished {
    /// One for each of the first things.
    pub sources: Vec<Source>,
    /// Units whose things had no room.
    pub crowded: Vec<usize>,
}

/// The units that say what a thing is and how many there are.
pub struct Source {
    pub unit: usize,
    pub counted: Option<usize>,
}

/// Things beside which there is room for furniture.
const MOST_FURNISHED: usize = 4;

/// Turns what was said of a shot into all that a picture needs.
pub fn finish(mut shot: Shot) -> (Program, Finished) {
    let crowded = trim(&mut shot);
    breath(&mut shot.things);
    let mut things: Vec<Thing> = shot.things.iter().map(thing).collect();
    for index in 0..things.len() {
        let said = shot.things.get(index).map(|draft| draft.motions.as_slice()).unwrap_or_default();
        let moves = moves(&things, index, said);
        if let Some(thing) = things.get_mut(index) {
            thing.motion = moves;
        }
    }
    things.iter_mut().for_each(limbed);
    for index in 0..things.len() {
        let is_said = shot.things.get(index).is_some_and(|draft| !draft.motions.is_empty());
        if !is_said
            && is_fed(&things, index)
            && let Some(thing) = things.get_mut(index)
        {
            (thing.motion, thing.act) = (Motion::Idle, thing.act.or(Some(Act::Peck)));
        }
    }
    for index in 0..things.len() {
        let gives = gives(&things, index).filter(|effect| {
            let is_said = shot.things.get(index).is_some_and(|draft| draft.gives_as_said);
            !shot.absent.effects.contains(effect) && (is_said || !shot.left_out.effects.contains(effect))
        });
        if let Some(thing) = things.get_mut(index) {
            thing.effect = gives;
        }
    }
    let weather = shot.weather.unwrap_or(Weather::Clear);
    let kept_out = [&shot.absent, &shot.left_out];
    let without = |weather| kept_out.iter().any(|absent| absent.weathers.contains(&weather));
    // Who hammers on a roof is outdoors.
    if shot.setting == Some(Setting::Workshop) && things.iter().any(|thing| base(thing.sprite) == "roof") {
        (shot.setting, shot.place) = (None, None);
    }
    // In the window of a house that is seen from outside.
    if shot.place == Some(Backdrop::Window) && things.iter().any(|thing| kind(thing.sprite) == Kind::Building) {
        shot.place = None;
    }
    if let Some(setting) = venue(&shot, &things, weather) {
        (shot.setting, shot.place) = (Some(setting), Some(setting.backdrop()));
    }
    let backdrop = shot.place.unwrap_or_else(|| match place(&things, weather, shot.aurora) {
        Backdrop::Snowfield if without(Weather::Snow) => Backdrop::Hills,
        place => place,
    });
    let unsaid = if shot.place.is_none() && !shot.aurora { room(&things, shot.home, weather, backdrop) } else { None };
    let backdrop = unsaid.map_or(backdrop, Setting::backdrop);
    // Who skates on a pond does so on its ice.
    let skates = |thing: &Thing| thing.motion == Motion::Drive && thing.parent.is_none() && kind(thing.sprite) == Kind::Person;
    let backdrop = match backdrop {
        Backdrop::Lake | Backdrop::River if things.first().is_some_and(skates) => Backdrop::Snowfield,
        place => place,
    };
    let (backdrop, setting) = on_the_bank(&shot, &things, backdrop).unwrap_or((backdrop, shot.setting.or(unsaid)));
    let hour = shot.hour.unwrap_or_else(|| hour(&things, weather));
    let bubbles = backdrop == Backdrop::Underwater && weather == Weather::Clear && !without(Weather::Bubbles);
    let weather = if bubbles { Weather::Bubbles } else { weather };
    for (thing, draft) in things.iter_mut().zip(&shot.things) {
        let afloat = matches!(backdrop, Backdrop::Lake | Backdrop::River | Backdrop::Sea) && traits().has(thing.sprite, "floats");
        if afloat && draft.motions.is_empty() && thing.parent.is_none() {
            thing.motion = Motion::Swim;
        }
        thing.motion = fitting(thing, backdrop);
    }
    let is_wanted = |sprite: &SpriteId| !kept_out.iter().any(|absent| absent.sprites.contains(sprite));
    for sprite in shot.furniture.iter().copied().filter(is_wanted) {
        if things.len() < MOST_FURNISHED && things.iter().all(|thing| thing.sprite != sprite) {
            things.push(added(sprite, Motion::Still, 1, 0));
        }
    }
    if things.is_empty() && matches!(weather, Weather::Clear | Weather::Rain | Weather::Bubbles) {
        let unwanted = |life: &Thing| kept_out.iter().any(|absent| absent.sprites.iter().any(|absent| kind(*absent) == kind(life.sprite)));
        things.extend(life(backdrop).filter(|life| !unwanted(life)));
    }
    let sources = shot.things.iter().map(|draft| Source { unit: draft.unit, counted: draft.counted }).collect();
    let setting = setting.filter(|setting| setting.backdrop() == backdrop);
    let program = Program { things, backdrop, setting, weather, hour, aurora: shot.aurora, caption: shot.caption };
    (program, Finished { sources, crowded })
}

/// Who is said to be at a lake or a river stands on its bank, unless something there swims or sails; ships pass icebergs at sea.
fn on_the_bank(shot: &Shot, things: &[Thing], backdrop: Backdrop) -> Option<(Backdrop, Option<Setting>)> {
    let swims = shot.things.iter().any(|draft| draft.motions.iter().any(|motion| matches!(motion, Motion::Swim | Motion::Sail)));
    let floats = things.iter().any(|thing| matches!(kind(thing.sprite), Kind::Boat | Kind::Swimmer));
    if shot.setting == Some(Setting::Iceberg) && things.iter().any(|thing| kind(thing.sprite) == Kind::Boat) {
        return Some((Setting::IcySea.backdrop(), Some(Setting::IcySea)));
    }
    let water = match shot.setting {
        Some(Setting::Lakeside | Setting::PondSide) => Some(Backdrop::Lake),
        Some(Setting::Riverside) => Some(Backdrop::River),
        _ => None,
    };
    if let Some(water) = water.filter(|_| swims || floats) {
        return Some((water, None));
    }
    let bank = match (backdrop, shot.setting) {
        (Backdrop::Lake, Some(Setting::LilyPond)) => Setting::PondSide,
        (Backdrop::Lake, None) => Setting::Lakeside,
        (Backdrop::River, None) => Setting::Riverside,
        _ => return None,
    };
    let drinks = things.iter().any(|thing| kind(thing.sprite) == Kind::Animal && matches!(thing.act, Some(Act::Eat | Act::Drink)));
    ((shot.ashore || drinks) && !swims && !floats).then(|| (bank.backdrop(), Some(bank)))
}

/// Birds that somebody feeds have come down to the ground.
fn is_fed(things: &[Thing], index: usize) -> bool {
    let Some(thing) = things.get(index).filter(|thing| kind(thing.sprite) == Kind::Flyer && thing.motion == Motion::Fly) else {
        return false;
    };
    let feeds = |other: &Thing| other.act == Some(Act::Feed);
    thing.parent.and_then(|parent| things.get(parent)).is_some_and(feeds)
        || things.iter().any(|other| feeds(other) && other.parent == Some(index))
}

/// Who does something with arms and legs has them: `woman-dancing` is drawn dancing whatever she does.
fn limbed(thing: &mut Thing) {
    let name = base(thing.sprite);
    let bound = kind(thing.sprite) == Kind::Person && figure(name).is_none() && thing.act.is_some();
    let plain = ["woman-", "man-", "person-"].into_iter().zip(["woman", "man", "man"]).find(|(part, _)| name.starts_with(part));
    // A `woman-teacher` is a teacher, where there is one with joints.
    let free = plain.filter(|_| bound).map(|(part, free)| name.strip_prefix(part).filter(|trade| figure(trade).is_some()).unwrap_or(free));
    if let Some(free) = free.and_then(|free| atlas().named(free)) {
        thing.sprite = free;
    }
}

fn thing(draft: &Draft) -> Thing {
    Thing {
        sprite: draft.sprite,
        motion: Motion::Idle,
        colour: draft.colour,
        size: draft.size.clamp(-2, 2),
        count: draft.count.max(1),
        relation: draft.relation,
        parent: draft.parent,
        effect: draft.effect,
        act: draft.act,
        course: draft.course,
        added: false,
    }
}

/// Keeps as many things and copies as a scene has room for.
fn trim(shot: &mut Shot) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..shot.things.len()).filter(|index| shot.things.get(*index).is_some_and(|thing| !thing.dropped)).collect();
    let cut = kept.split_off(kept.len().min(SLOTS));
    let units = |places: &[usize]| -> Vec<usize> {
        let things = places.iter().filter_map(|place| shot.things.get(*place));
        things.flat_map(|thing| [thing.unit].into_iter().chain(thing.said.iter().copied())).collect()
    };
    let (cut, left) = (units(&cut), units(&kept));
    let crowded = cut.into_iter().filter(|unit| !left.contains(unit)).collect();
    keep(&mut shot.things, &kept);
    for thing in &mut shot.things {
        thing.count = thing.count.min(MOST_ALIKE);
    }
    while shot.things.iter().map(|thing| thing.count).sum::<usize>() > MOST_DRAWN {
        let Some(most) = shot.things.iter_mut().max_by_key(|thing| thing.count) else { break };
        most.count -= 1;
    }
    crowded
}

/// Only these things, with their parents renumbered.
fn keep(things: &mut Vec<Draft>, kept: &[usize]) {
    let all = std::mem::take(things);
    for index in kept {
        if let Some(thing) = all.get(*index) {
            let mut thing = thing.clone();
            thing.parent = thing.parent.and_then(|parent| kept.iter().position(|other| *other == parent));
            if thing.parent.is_none() {
                thing.relation = Relation::None;
            }
            thing.course = thing.course.and_then(|course| match course.by {
                Some(by) => Some(Course { by: Some(kept.iter().position(|other| *other == by)?), ..course }),
                None => Some(course),
            });
            things.push(thing);
        }
    }
}

/// `a dragon breathing fire`: the fire is breath, and not a thing.
fn breath(things: &mut Vec<Draft>) {
    if things.iter().any(|thing| thing.effect == Some(Effect::Fire)) {
        let kept: Vec<usize> =
            (0..things.len()).filter(|index| things.get(*index).is_some_and(|thing| base(thing.sprite) != "fire")).collect();
        keep(things, &kept);
    }
}

/// The strongest motion that was said, else what the thing does by habit.
fn moves(things: &[Thing], index: usize, said: &[Motion]) -> Motion {
    let Some(thing) = things.get(index) else { return Motion::Still };
    let kind = kind(thing.sprite);
    if let Some(motion) = said.iter().copied().max_by_key(|motion| strength(*motion)) {
        return match motion {
            Motion::Play if thing.relation != Relation::Play => Motion::Jump,
            motion => motion,
        };
    }
    match thing.relation {
        Relation::Ride | Relation::Wear => return Motion::Still,
        Relation::Play => return if thing.act.is_none_or(|act| act == Act::Sing) { Motion::Play } else { Motion::Idle },
        Relation::In if kind == Kind::Swimmer => return Motion::Swim,
        Relation::On | Relation::In => return Motion::Idle,
        Relation::Chase => return chase(kind),
        _ => {}
    }
    let bears = things.iter().any(|other| other.parent == Some(index) && matches!(other.relation, Relation::On | Relation::In));
    if bears && traits().habit(thing.sprite) == Motion::Fall {
        return Motion::Still;
    }
    let parent_of = |relation| things.iter().any(|other| other.parent == Some(index) && other.relation == relation);
    if parent_of(Relation::Chase) {
        return chase(kind);
    }
    if parent_of(Relation::Ride) && kind == Kind::Animal {
        return Motion::Run;
    }
    if thing.act.is_some() {
        return Motion::Idle;
    }
    if parent_of(Relation::Ride) && traits().has(thing.sprite, "mount") {
        return if matches!(base(thing.sprite), "broom" | "flying-carpet") { Motion::Fly } else { Motion::Drive };
    }
    if kind == Kind::Prop
        && [Relation::In, Relation::Under, Relation::On].into_iter().any(parent_of)
        && traits().habit(thing.sprite) != Motion::Swing
    {
        return Motion::Still;
    }
    traits().habit(thing.sprite)
}

fn chase(kind: Kind) -> Motion {
    match kind {
        Kind::Animal | Kind::Person | Kind::Prop => Motion::Run,
        kind => traits().habit_of(kind),
    }
}

/// Which of two motions is shown.
fn strength(motion: Motion) -> u8 {
    match motion {
        Motion::Explode | Motion::Launch => 5,
        Motion::Fly | Motion::Run | Motion::Swim | Motion::Drive | Motion::Sail | Motion::Jump | Motion::Dance => 4,
        Motion::Walk | Motion::Fall | Motion::Rise | Motion::Spin | Motion::Roll | Motion::Orbit | Motion::Bounce => 3,
        Motion::Grow | Motion::Shrink | Motion::Approach | Motion::Shake | Motion::Swing | Motion::Hover | Motion::Pulse | Motion::Play => {
            2
        }
        Motion::Idle => 1,
        Motion::Still => 0,
    }
}

/// What a thing gives off, said or by habit.
fn gives(things: &[Thing], index: usize) -> Option<Effect> {
    let thing = things.get(index)?;
    let name = base(thing.sprite);
    if thing.effect.is_some() {
        return thing.effect;
    }
    let player = thing.relation == Relation::Play && thing.act.is_none();
    let plays =
        player && thing.parent.and_then(|parent| things.get(parent)).is_some_and(|parent| traits().has(parent.sprite, "instrument"));
    match thing.motion {
        _ if plays || thing.act == Some(Act::Sing) => Some(Effect::Notes),
        _ if thing.act == Some(Act::Sleep) => Some(Effect::Sleep),
        _ if name == "hot-beverage" => Some(Effect::Steam),
        Motion::Launch | Motion::Rise | Motion::Fly if name == "rocket" => Some(Effect::Flame),
        Motion::Drive if kind(thing.sprite) == Kind::Vehicle => Some(Effect::Dust),
        _ => None,
    }
}

/// Motions that a thing or a place does not allow become others.
fn fitting(thing: &Thing, backdrop: Backdrop) -> Motion {
    let kind = kind(thing.sprite);
    match (thing.motion, kind) {
        (Motion::Sail, Kind::Swimmer) => Motion::Swim,
        (Motion::Fly, Kind::Plant | Kind::Building) => Motion::Hover,
        (Motion::Walk | Motion::Run | Motion::Jump, Kind::Vehicle) if thing.motion != Motion::Jump => Motion::Drive,
        (Motion::Walk | Motion::Run, _) if traits().has(thing.sprite, "mounted") => Motion::Drive,
        (Motion::Walk | Motion::Run, Kind::Boat) => Motion::Sail,
        (Motion::Walk | Motion::Run, Kind::Aircraft) => Motion::Fly,
        (Motion::Walk | Motion::Run, Kind::Swimmer) if base(thing.sprite) != "turtle" => Motion::Swim,
        (Motion::Walk | Motion::Run, Kind::Sky) => Motion::Hover,
        (Motion::Walk, Kind::Prop) if traits().has(thing.sprite, "ball") => Motion::Bounce,
        (Motion::Drive, Kind::Boat) | (Motion::Swim, Kind::Boat) if backdrop != Backdrop::Underwater => Motion::Sail,
        (Motion::Hover, Kind::Boat) if is_wet(backdrop) => Motion::Sail,
        // Who floats down a river lies in it.
        (Motion::Hover, Kind::Animal | Kind::Person | Kind::Swimmer) if is_wet(backdrop) && thing.parent.is_none() => Motion::Swim,
        (Motion::Fall, Kind::Boat) => Motion::Shrink,
        (Motion::Launch, Kind::Aircraft) if !matches!(base(thing.sprite), "rocket" | "flying-saucer" | "spaceship") => Motion::Fly,
        (Motion::Launch, Kind::Flyer | Kind::Animal | Kind::Person) => Motion::Fly,
        (Motion::Walk | Motion::Run | Motion::Jump | Motion::Drive, Kind::Building | Kind::Plant) => Motion::Still,
        // It would tumble.
        (Motion::Spin, _) if base(thing.sprite) == "carousel" => Motion::Still,
        (Motion::Swim, _) if traits().has(thing.sprite, "floats") && !is_wet(backdrop) => Motion::Walk,
        (motion, _) => motion,
    }
}

/// A little life in an empty place.
fn life(backdrop: Backdrop) -> Option<Thing> {
    let (name, motion, count, size) = match backdrop {
        Backdrop::Street => ("taxi", Motion::Drive, 1, 0),
        Backdrop::Road => ("automobile", Motion::Drive, 1, 0),
        Backdrop::Sea | Backdrop::Beach => ("gull", Motion::Fly, 3, -2),
        Backdrop::Underwater => ("tropical-fish", Motion::Swim, 3, 0),
        Backdrop::Jungle => ("parrot", Motion::Fly, 1, 0),
        _ => return None,
    };
    Some(added(atlas().named(name)?, motion, count, size))
}

/// What nobody named.
fn added(sprite: SpriteId, motion: Motion, count: usize, size: i8) -> Thing {
    Thing {
        sprite,
        motion,
        colour: None,
        size,
        count,
        relation: Relation::None,
        parent: None,
        effect: None,
        act: None,
        course: None,
        added: true,
    }
}

fn kind(sprite: SpriteId) -> Kind {
    atlas().get(sprite).kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explosions_are_stronger_than_steps() {
        assert!(strength(Motion::Explode) > strength(Motion::Walk));
        assert!(Motion::ALL.iter().all(|motion| strength(*motion) <= 5));
    }
}
