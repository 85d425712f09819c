//! The stages: where a backdrop's horizon and ground lie, and which part of it a thing belongs to.

use crate::codes::{Backdrop, Kind, Motion};
use crate::scene::Slot;

/// What things stand on, or hang in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    Floor,
    Ground,
    Water,
    /// No ground anywhere: sky, space, a window.
    Air,
    /// Under water.
    Deep,
}

#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub medium: Medium,
    /// From, to, in frame heights from above; over 1.05 there is none.
    pub horizon: [f32; 2],
    /// Where feet go, far and near: shares of what is left below the horizon.
    pub ground: [f32; 2],
}

/// Which part of the frame a thing belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Anywhere.
    Free,
    /// Above the horizon.
    Air,
    /// Feet on the ground.
    Ground,
    /// In the water, as far as it sinks.
    Surface,
    /// In the middle of a plain backdrop.
    Centre,
}

pub fn place_of(backdrop: Backdrop) -> Place {
    use Medium::{Air, Deep, Floor, Ground, Water};
    let (medium, horizon, ground) = match backdrop {
        Backdrop::Plain => (Floor, [0.74, 0.80], [0.10, 0.5]),
        Backdrop::Meadow => (Ground, [0.60, 0.70], [0.22, 0.75]),
        Backdrop::Hills => (Ground, [0.64, 0.74], [0.25, 0.75]),
        Backdrop::Sea => (Water, [0.50, 0.60], [0.10, 0.55]),
        Backdrop::Beach => (Ground, [0.40, 0.48], [0.55, 0.86]),
        Backdrop::Forest => (Ground, [0.62, 0.70], [0.3, 0.8]),
        Backdrop::Mountains => (Ground, [0.68, 0.78], [0.25, 0.75]),
        Backdrop::City => (Ground, [0.76, 0.82], [0.3, 0.75]),
        Backdrop::Street => (Ground, [0.62, 0.70], [0.35, 0.85]),
        Backdrop::Road => (Ground, [0.56, 0.64], [0.42, 0.66]),
        Backdrop::Desert => (Ground, [0.58, 0.68], [0.25, 0.75]),
        Backdrop::Space | Backdrop::Sky | Backdrop::Window => (Air, [1.1, 1.2], [0.0, 0.0]),
        Backdrop::Underwater => (Deep, [0.86, 0.92], [0.2, 0.8]),
        Backdrop::Room => (Floor, [0.70, 0.76], [0.35, 0.75]),
        Backdrop::Stage => (Floor, [0.70, 0.76], [0.25, 0.65]),
        Backdrop::Snowfield => (Ground, [0.58, 0.68], [0.25, 0.75]),
        Backdrop::Lake => (Water, [0.44, 0.52], [0.2, 0.65]),
        Backdrop::Park => (Ground, [0.60, 0.68], [0.3, 0.78]),
        Backdrop::River => (Water, [0.48, 0.56], [0.3, 0.6]),
        Backdrop::Kitchen => (Floor, [0.70, 0.75], [0.15, 0.5]),
        Backdrop::Jungle => (Ground, [0.66, 0.74], [0.3, 0.8]),
        Backdrop::Volcano => (Ground, [0.68, 0.76], [0.3, 0.75]),
        Backdrop::Moon => (Ground, [0.64, 0.74], [0.25, 0.7]),
        Backdrop::Castle => (Ground, [0.64, 0.72], [0.3, 0.75]),
        Backdrop::Farm => (Ground, [0.58, 0.66], [0.3, 0.75]),
    };
    Place { medium, horizon, ground }
}

pub fn zone(slot: &Slot, backdrop: Backdrop) -> Zone {
    match place_of(backdrop).medium {
        Medium::Air => Zone::Free,
        Medium::Deep if stands_on_the_sea_floor(slot) => Zone::Ground,
        Medium::Deep => Zone::Free,
        _ if is_airborne(slot) => Zone::Air,
        _ if backdrop == Backdrop::Plain && is_for_show(slot) => Zone::Centre,
        Medium::Water => Zone::Surface,
        Medium::Floor | Medium::Ground => Zone::Ground,
    }
}

fn stands_on_the_sea_floor(slot: &Slot) -> bool {
    matches!(slot.kind, Kind::Plant | Kind::Building | Kind::Prop) && matches!(slot.motion, Motion::Still | Motion::Idle | Motion::Swing)
}

fn is_airborne(slot: &Slot) -> bool {
    let lands = matches!(slot.motion, Motion::Still | Motion::Idle | Motion::Launch | Motion::Walk | Motion::Run | Motion::Bounce);
    matches!(slot.motion, Motion::Fly | Motion::Hover | Motion::Rise | Motion::Orbit | Motion::Fall)
        || slot.kind == Kind::Sky
        || matches!(slot.kind, Kind::Flyer | Kind::Aircraft) && !lands
}

/// A symbol, or something whose motion is all there is to see.
fn is_for_show(slot: &Slot) -> bool {
    slot.kind == Kind::Symbol || matches!(slot.motion, Motion::Spin | Motion::Pulse | Motion::Grow | Motion::Shrink | Motion::Explode)
}
