//! What each room is made of. The first part of a room is what it is known by; what has no room beside it is left out.

mod home;
mod learning;
mod public;
mod shops;
mod tales;
mod travel;
mod work;

use super::Room;

pub(super) const ALL: [&[Room]; 7] = [home::ROOMS, learning::ROOMS, public::ROOMS, shops::ROOMS, tales::ROOMS, travel::ROOMS, work::ROOMS];
