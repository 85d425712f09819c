//! What figures stand or sit on as they glide: boards, skis and sleds, drawn level under their feet.

use resvg::tiny_skia::Transform;

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::Relation;
use crate::figures::{Build, Gesture};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, area};
use crate::sprites::atlas;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Board {
    Skateboard,
    Skis,
    Snowboard,
    Sled,
}

impl Board {
    fn of(sprite: &str) -> Option<Self> {
        Some(match sprite {
            "skateboard" => Self::Skateboard,
            "skis" => Self::Skis,
            "snowboard" | "snowboarder" => Self::Snowboard,
            "sled" => Self::Sled,
            _ => return None,
        })
    }

    /// How somebody is on it.
    pub fn gesture(self) -> Gesture {
        if self == Self::Sled { Gesture::Sit } else { Gesture::Glide }
    }

    /// How high feet (or who sits) are on it, in heights of the figure.
    fn deck(self) -> f32 {
        match self {
            Self::Skateboard => 0.085,
            Self::Skis | Self::Snowboard => 0.025,
            Self::Sled => 0.13,
        }
    }
}

impl Film {
    /// What a figure rides that is drawn under it, and the slot of that.
    pub(super) fn board_of(&self, place: usize) -> Option<(Board, usize)> {
        let slot = self.brief.slots.get(place)?;
        let parent = slot.parent.filter(|_| matches!(slot.relation, Relation::Ride | Relation::On) && slot.copies == 1)?;
        let board = Board::of(&atlas().get(self.brief.slots.get(parent)?.sprite).name)?;
        (self.cast.figure(place)?.build == Build::Upright).then_some((board, parent))
    }

    /// Whether somebody rides what this slot shows, so that it is drawn with the rider.
    pub(super) fn is_ridden_board(&self, place: usize) -> bool {
        (0..self.brief.slots.len())
            .any(|rider| self.board_of(rider).is_some_and(|(_, board)| board == place) || self.broom_of(rider) == Some(place))
    }

    /// The broom that a figure rides.
    pub(super) fn broom_of(&self, place: usize) -> Option<usize> {
        let slot = self.brief.slots.get(place)?;
        let parent = slot.parent.filter(|_| slot.relation == Relation::Ride)?;
        let broom = atlas().get(self.brief.slots.get(parent)?.sprite).name == "broom";
        (broom && self.cast.figure(place).is_some()).then_some(parent)
    }

    /// Puts a rider onto the board, which is where the slot of the board has its foot.
    pub(super) fn posed_on_a_board(&self, m: &mut Moment, place: usize) {
        let Some((board, parent)) = self.board_of(place) else { return };
        let Some(base) = m.poses.get(parent).copied() else { return };
        if let Some(pose) = m.poses.get_mut(place) {
            let downhill = if board == Board::Skis || board == Board::Snowboard { 0.022 * self.way(place) } else { 0.0 };
            (pose.x, pose.y, pose.turn) = (base.x, base.y - board.deck() * pose.h * pose.scale, downhill);
        }
    }

    /// -1 or 1: to which side a slot faces by its layout.
    pub(super) fn way(&self, place: usize) -> f32 {
        if self.layout.objects.get(place).is_some_and(|object| object.dir > 0.0) { 1.0 } else { -1.0 }
    }

    /// Draws the board under a rider.
    pub(super) fn board(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some((board, _)), Some(pose)) = (self.board_of(place), m.poses.get(place)) else { return };
        let size = pose.h * self.height * pose.scale;
        let (x, deck, way) = (pose.x * self.width, (pose.y - pose.lift) * self.height, self.way(place));
        let ground = (pose.y + board.deck() * pose.h * pose.scale) * self.height;
        c.puff(x, ground, 0.42 * size, 0.05 * size, Rgb([0.05, 0.04, 0.12]), 0.4, Puff::default());
        if self.light.white {
            for j in 0..10 {
                let age = (1.1 * m.t + j as f32 / 10.0).fract();
                let (far, up) = (0.3 + 0.5 * age, 0.10 * (std::f32::consts::PI * age).sin() * (0.5 + 0.5 * (2.3 * j as f32).sin().abs()));
                let radius = size * (0.02 + 0.04 * age);
                c.puff(x - way * far * size, ground - up * size, radius, radius, Rgb::WHITE, 0.7 * (1.0 - age), Puff::default());
            }
        }
        let ink = |hex: u32| Ink::flat(Rgb::hex(hex).tinted(self.light.ambient), 1.0);
        // Units of the rider's height, the nose to the right.
        let frame = Transform::from_translate(x, deck).pre_rotate(pose.turn * 360.0).pre_scale(way * size, size);
        c.within(frame, |c| match board {
            Board::Skateboard => {
                for wheel in [-0.19, 0.19] {
                    c.circle(wheel, 0.052, 0.036, &ink(0xd8344e));
                    c.circle(wheel, 0.052, 0.014, &ink(0xf6d9dd));
                }
                let deck = |low: f32| Pen::at(-0.34, -0.05).quad([-0.30, low], -0.22, low).line(0.22, low).quad([0.30, low], 0.34, -0.05);
                if let Some(path) = deck(0.016).path() {
                    c.stroke(&path, 0.036, &ink(0x5b4fb0));
                }
                if let Some(path) = deck(0.003).path() {
                    c.stroke(&path, 0.012, &ink(0x2f2a4a));
                }
            }
            Board::Skis | Board::Snowboard => {
                let (half, thick) = if board == Board::Skis { (0.58, 0.022) } else { (0.46, 0.034) };
                let colours = if board == Board::Skis { [0xd8344e, 0xa82238] } else { [0x2f8fe0, 0x1f63a8] };
                for (offset, colour) in [(-0.018, colours[1]), (0.010, colours[0])] {
                    let path = Pen::at(-half, offset).line(0.80 * half, offset).quad([0.95 * half, offset], half, offset - 0.08).path();
                    if let Some(path) = path.filter(|_| board == Board::Skis || offset > 0.0) {
                        c.stroke(&path, thick, &ink(colour));
                    }
                }
            }
            Board::Sled => {
                for post in [-0.16, 0.14] {
                    c.rect(area(post, 0.0, 0.025, 0.11), &ink(0x9a5b2c));
                }
                if let Some(path) = Pen::at(-0.36, 0.115).line(0.30, 0.115).quad([0.44, 0.11], 0.42, -0.02).path() {
                    c.stroke(&path, 0.028, &ink(0xd8344e));
                }
                c.round_rect(area(-0.34, -0.02, 0.68, 0.045), 0.015, &ink(0xc98a4b));
                c.rect(area(-0.34, 0.008, 0.68, 0.012), &ink(0xa76c35));
            }
        });
    }
}
