//! Rooms that are put together from parts: what a classroom or a barn is made of is a table, and where its parts find
//! room on a wall, beside the window and away from whoever stands before it, is decided here.

mod panes;
mod parts;
mod tables;
mod walls;

use super::Opening;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::codes::{Setting, Weather};
use crate::paint::film::Film;
use crate::sprites::atlas;
use panes::Panes;
use parts::What;
use walls::{Floor, Wall};

/// What a room is made of. Its first part is what it is known by.
struct Room {
    setting: Setting,
    wall: Wall,
    floor: Floor,
    panes: Panes,
    parts: &'static [Part],
}

/// A part and where it would like to be.
#[derive(Clone, Copy, Debug)]
struct Part {
    what: What,
    /// Share of the wall from the side of the window.
    at: f32,
    /// Height of its foot above the floor; from [`CEILING`] on it hangs from above. In shorter sides of the frame, as the next.
    up: f32,
    size: [f32; 2],
}

const CEILING: f32 = 9.0;
/// A wall as high as this has its parts as large as the tables say, in shorter sides of the frame.
const WALL: f32 = 0.66;
/// What hangs lower is on a counter, and stays there on a higher wall.
const REACH: f32 = 0.26;
/// Places along the wall that are tried, and sizes.
const PLACES: usize = 41;
const SIZES: [f32; 5] = [1.0, 0.88, 0.75, 0.66, 0.5];
/// What is not what the room is known by is left out before it is smaller than the first so many of them.
const AS_SMALL: usize = 4;
/// Free at the edges, which the camera may pass over, in widths and heights of the frame.
const EDGE: f32 = 0.025;
const GAP: f32 = 0.012;

/// Hangs on the wall.
const fn hung(what: What, at: f32, up: f32, width: f32, height: f32) -> Part {
    Part { what, at, up, size: [width, height] }
}

/// Stands on the floor, at the wall.
const fn standing(what: What, at: f32, width: f32, height: f32) -> Part {
    Part { what, at, up: 0.0, size: [width, height] }
}

/// From one end of the wall to the other.
const fn across(what: What, up: f32, height: f32) -> Part {
    Part { what, at: 0.5, up, size: [0.0, height] }
}

fn of(setting: Setting) -> Option<&'static Room> {
    tables::ALL.iter().copied().flatten().find(|room| room.setting == setting)
}

impl Film {
    /// Paints a room of the tables; whether there is one.
    pub(super) fn put_together(&self, c: &mut Canvas, setting: Setting) -> bool {
        let Some(room) = of(setting) else { return false };
        self.wall_of(c, room.wall);
        self.floor_of(c, room.floor);
        let (hole, panes) = (self.opening(), self.panes_in(room));
        self.panes_of(c, panes, hole);
        for (part, place) in self.places(room, hole) {
            self.part(c, part.what, place);
        }
        if panes.is_window() {
            self.sunlight(c, hole);
        }
        true
    }

    /// A narrow wall has no room for a window beside what the room is known by; rain and snow need one.
    fn panes_in(&self, room: &Room) -> Panes {
        let falls = matches!(self.brief.weather, Weather::Rain | Weather::Storm | Weather::Snow);
        let wide = room.parts.first().is_some_and(|part| part.size[0] > 0.5 && part.up > 0.0);
        if room.panes.is_window() && wide && !falls && self.is_narrow() { Panes::None } else { room.panes }
    }

    fn is_narrow(&self) -> bool {
        self.width < 1.2 * self.short
    }

    /// The parts that have room, and where.
    fn places(&self, room: &Room, hole: Opening) -> Vec<(Part, Area)> {
        let mut taken: Vec<Area> = self.panes_in(room).blocks(hole).into_iter().collect();
        let busy = self.busy();
        let left = hole.x + hole.width / 2.0 < self.width / 2.0;
        let mut places = Vec::new();
        for part in room.parts.iter().filter(|part| !self.is_there(part.what)) {
            if part.size[0] == 0.0 {
                places.push((*part, self.band(part)));
                continue;
            }
            let wish = if left { part.at } else { 1.0 - part.at };
            let sizes = if places.is_empty() { &SIZES[..] } else { &SIZES[..AS_SMALL] };
            if let Some(place) = self.free_place(part, sizes, wish, [&taken, &busy]) {
                taken.push(place);
                places.push((*part, place));
            }
        }
        places
    }

    /// The prompt names it, so that it is a thing.
    fn is_there(&self, what: What) -> bool {
        what.stands_for().is_some_and(|name| self.brief.slots.iter().any(|slot| atlas().get(slot.sprite).name == name))
    }

    /// Where things are in the middle of the shot, in pixels.
    fn busy(&self) -> Vec<Area> {
        let things = self.brief.slots.iter().zip(&self.layout.objects);
        things
            .map(|(slot, object)| {
                let [w, h] = crate::layout::extent(slot, object.size, self.brief.aspect);
                let (half, bottom) = (w * self.width / 2.0, object.y * self.height);
                let x = object.x * self.width;
                Area { left: x - half, top: bottom - h * self.height, right: x + half, bottom }
            })
            .collect()
    }

    /// How much larger than in the tables the parts are.
    fn grown(&self, part: &Part) -> f32 {
        let most = if self.is_narrow() && part.size[0] > 0.3 { 1.0 } else { 1.25 };
        (self.horizon / (WALL * self.short)).clamp(0.7, most)
    }

    /// The foot of what hangs so high, in pixels from above.
    fn foot(&self, up: f32) -> f32 {
        let stretch = ((self.horizon / self.short - REACH) / (WALL - REACH)).clamp(0.7, 1.8);
        let up = if up > REACH { REACH + (up - REACH) * stretch } else { up };
        if up <= 0.0 { self.horizon + 0.03 * self.short } else { self.horizon - up * self.short }
    }

    fn band(&self, part: &Part) -> Area {
        let high = part.size[1] * self.short * if part.up >= CEILING { 1.0 } else { self.grown(part) };
        let (top, bottom) = if part.up >= CEILING { (0.0, high) } else { (self.foot(part.up) - high, self.foot(part.up)) };
        Area { left: 0.0, top, right: self.width, bottom }
    }

    fn free_place(&self, part: &Part, sizes: &[f32], wish: f32, [taken, busy]: [&[Area]; 2]) -> Option<Area> {
        let shifts: &[f32] = if part.up > REACH && part.up < CEILING { &[0.0, 0.05, -0.05, 0.1, 0.2, 0.3] } else { &[0.0] };
        for scale in sizes {
            let [width, height] = part.size.map(|side| side * scale * self.grown(part) * self.short);
            let mut best: Option<(f32, Area)> = None;
            for shift in shifts {
                let bottom = if part.up >= CEILING { height } else { self.foot(part.up + shift) };
                let top = bottom - height;
                if top < 1.6 * EDGE * self.height && part.up > 0.0 && part.up < CEILING {
                    continue;
                }
                for j in 0..PLACES {
                    let x = self.width * j as f32 / (PLACES - 1) as f32;
                    let place = Area { left: x - width / 2.0, top, right: x + width / 2.0, bottom };
                    let edge = EDGE * self.width;
                    let inside = place.left >= edge && place.right <= self.width - edge;
                    let gap = GAP * self.short;
                    if !inside || taken.iter().any(|other| meet(&place, other, gap)) {
                        continue;
                    }
                    let hidden: f32 = busy.iter().map(|thing| covered(&place, thing)).sum();
                    let cost = (x / self.width - wish).abs() + 1.5 * shift.abs() + 0.7 * hidden.min(1.0);
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, place));
                    }
                }
            }
            if let Some((_, place)) = best {
                return Some(place);
            }
        }
        None
    }

    fn paint(&self, hex: u32) -> Ink {
        Ink::flat(self.wall(hex), 1.0)
    }

    /// Lighter above than below.
    fn shaded(&self, hex: u32, place: Area) -> Ink {
        let colour = self.wall(hex);
        Ink::linear([0.0, place.top], [0.0, place.bottom], &[(colour.mix(Rgb::WHITE, 0.12), 1.0), (colour.times(0.82), 1.0)])
    }

    /// Round from left to right.
    fn rounded(&self, hex: u32, place: Area) -> Ink {
        let colour = self.wall(hex);
        let stops = [(colour.times(0.8), 1.0), (colour.mix(Rgb::WHITE, 0.22), 1.0), (colour, 1.0), (colour.times(0.65), 1.0)];
        Ink::linear([place.left, 0.0], [place.right, 0.0], &stops)
    }
}

fn meet(one: &Area, other: &Area, gap: f32) -> bool {
    one.left < other.right + gap && other.left < one.right + gap && one.top < other.bottom + gap && other.top < one.bottom + gap
}

/// The share of a place that a thing hides.
fn covered(place: &Area, thing: &Area) -> f32 {
    let wide = place.right.min(thing.right) - place.left.max(thing.left);
    let high = place.bottom.min(thing.bottom) - place.top.max(thing.top);
    wide.max(0.0) * high.max(0.0) / ((place.right - place.left) * (place.bottom - place.top)).max(1.0)
}

/// A part of a box, by shares of its sides.
fn share(place: Area, x: f32, y: f32, width: f32, height: f32) -> Area {
    let (w, h) = (place.right - place.left, place.bottom - place.top);
    Area { left: place.left + x * w, top: place.top + y * h, right: place.left + (x + width) * w, bottom: place.top + (y + height) * h }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Backdrop, Hour};
    use crate::layout;
    use crate::random::Random;
    use crate::scene::Program;

    fn film(setting: Setting, [width, height]: [usize; 2], hour: Hour) -> Film {
        let backdrop = setting.backdrop();
        let program =
            Program { things: Vec::new(), backdrop, weather: Weather::Clear, hour, setting: Some(setting), aurora: false, caption: None };
        let brief = layout::brief(&program, width as f32 / height as f32, 2.0);
        let arranged = layout::write(&brief, &mut Random::new(3));
        Film::of_layout(program, brief, arranged, width, height, 24, 3)
    }

    fn rooms() -> impl Iterator<Item = &'static Room> {
        tables::ALL.iter().copied().flatten()
    }

    #[test]
    fn every_drawing_of_the_tables_is_in_the_atlas() {
        for room in rooms() {
            for name in room.parts.iter().flat_map(|part| part.what.names()) {
                assert!(atlas().named(name).is_some(), "{name} in {:?}", room.setting);
            }
        }
    }

    #[test]
    fn a_room_is_described_once_and_shows_the_weather_if_it_has_a_window() {
        for room in rooms() {
            assert_eq!(rooms().filter(|other| other.setting == room.setting).count(), 1, "{:?}", room.setting);
            assert_eq!(room.setting.shows_weather(), room.panes.is_window(), "{:?}", room.setting);
            assert_eq!(room.setting.backdrop(), Backdrop::Room, "{:?}", room.setting);
        }
    }

    #[test]
    fn what_a_room_is_known_by_has_room_in_every_format() {
        for room in rooms() {
            for sides in [[320, 180], [180, 320], [200, 200], [420, 180]] {
                let film = film(room.setting, sides, Hour::Day);
                let places = film.places(room, film.opening());
                let known_by = room.parts.first().expect("a part").what;
                assert!(places.iter().any(|(part, _)| part.what == known_by), "{:?} at {sides:?}", room.setting);
                assert!(places.len() * 2 >= room.parts.len(), "{:?} at {sides:?}: {} of its parts", room.setting, places.len());
            }
        }
    }

    #[test]
    fn parts_do_not_cover_each_other() {
        for room in rooms() {
            for sides in [[320, 180], [180, 320], [200, 200]] {
                let film = film(room.setting, sides, Hour::Day);
                let places: Vec<Area> =
                    film.places(room, film.opening()).into_iter().filter(|(part, _)| part.size[0] > 0.0).map(|(_, place)| place).collect();
                for (index, place) in places.iter().enumerate() {
                    assert!(places[..index].iter().all(|other| !meet(place, other, 0.0)), "{:?} at {sides:?}", room.setting);
                }
            }
        }
    }

    #[test]
    fn no_two_rooms_look_alike_and_each_is_dark_at_night() {
        let mean = |film: &Film| film.frame(0).iter().map(|value| f64::from(*value)).sum::<f64>();
        let pictures: Vec<Vec<u8>> = rooms().map(|room| film(room.setting, [96, 54], Hour::Day).frame(0)).collect();
        for (index, (room, picture)) in rooms().zip(&pictures).enumerate() {
            for other in &pictures[..index] {
                let apart: u32 = picture.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
                assert!(apart / picture.len() as u32 >= 6, "{:?} looks like another", room.setting);
            }
            let night = film(room.setting, [96, 54], Hour::Night);
            assert!(mean(&night) < mean(&film(room.setting, [96, 54], Hour::Day)), "{:?}", room.setting);
        }
    }
}
