//! Things that are painted with the sky or the land, and not cut out.

use crate::codes::{Backdrop, Motion, Relation};
use crate::layout::{Medium, place_of};
use crate::scene::Brief;
use crate::sprites::atlas;

/// Whether a slot is the waterfall that is painted with the land: the first one.
pub fn is_falls(brief: &Brief, place: usize) -> bool {
    could_fall(brief, place) && !(0..place).any(|other| could_fall(brief, other))
}

/// Whether a slot is a waterfall that stands by itself where there is land.
fn could_fall(brief: &Brief, place: usize) -> bool {
    let land = matches!(place_of(brief.backdrop).medium, Medium::Ground | Medium::Water)
        && !matches!(
            brief.backdrop,
            Backdrop::Sea | Backdrop::Beach | Backdrop::City | Backdrop::Street | Backdrop::Road | Backdrop::Moon | Backdrop::Volcano
        );
    let carries = brief.slots.iter().any(|slot| slot.parent == Some(place) && slot.relation != Relation::Play && slot.relation.attached());
    brief.slots.get(place).is_some_and(|slot| {
        let alone = !carries && (slot.parent.is_none() || !slot.relation.attached());
        land && alone && atlas().get(slot.sprite).name == "waterfall"
    })
}

/// Whether what a slot shows is painted with sky or land, not cut out.
pub fn in_the_scenery(brief: &Brief, place: usize) -> bool {
    is_sky_bow(brief, place) || is_falls(brief, place)
}

/// Whether a slot is a rainbow that stands in an open sky, where it is painted.
pub fn is_sky_bow(brief: &Brief, place: usize) -> bool {
    let open = matches!(place_of(brief.backdrop).medium, Medium::Ground | Medium::Water | Medium::Air)
        && !matches!(brief.backdrop, Backdrop::Space | Backdrop::Window | Backdrop::Plain);
    let carries = brief
        .slots
        .iter()
        .any(|slot| slot.parent == Some(place) && slot.relation.attached() || slot.course.is_some_and(|course| course.by == Some(place)));
    brief.slots.get(place).is_some_and(|slot| {
        let alone = !carries && (slot.parent.is_none() || !slot.relation.attached());
        open && alone && matches!(slot.motion, Motion::Still | Motion::Idle) && atlas().get(slot.sprite).name == "rainbow"
    })
}
