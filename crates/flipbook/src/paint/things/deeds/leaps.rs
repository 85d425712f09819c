//! Leaps that end somewhere: somersaults, landings, a ball that is put into a basket.

use super::Doer;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::Act;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, area};
use crate::paint::things::stamp::Stamp;

/// Somersaults a second, and dunks.
const TUMBLES: f32 = 0.55;
const DUNKS: f32 = 0.42;
/// Of a dunk: when feet leave the ground, are highest and are back, and when the ball has come down.
const OFF: f32 = 0.15;
const TOP: f32 = 0.42;
const DOWN: f32 = 0.70;
/// From who leaps to the basket, in their heights.
const BASKET: f32 = 0.62;
/// Share of the clip in which somebody comes down from the air.
const LANDS: f32 = 0.7;

fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

impl Film {
    /// Beats of somebody who turns over.
    pub(in crate::paint::things) fn leap_beat(&self, m: &Moment, place: usize) -> f32 {
        TUMBLES * m.t + self.layout.objects.get(place).map_or(0.0, |object| object.phase)
    }

    /// Whether who lands is still in the air.
    pub(in crate::paint::things) fn is_landing(&self, m: &Moment) -> bool {
        m.p < LANDS
    }

    /// The share of a dunk that has passed.
    fn dunk(&self, m: &Moment, place: usize) -> f32 {
        (DUNKS * m.t + 0.1 + self.layout.objects.get(place).map_or(0.0, |object| 0.3 * object.phase)).fract()
    }

    /// How far who dunks is on the way to the basket, 0 to 1.
    fn run_up(u: f32) -> f32 {
        smooth(u / TOP) - smooth((u - 0.78) / 0.22)
    }

    /// Poses of who turns over in the air, comes down from it, or leaps to a basket.
    pub(in crate::paint::things) fn posed_by_a_leap(&self, m: &mut Moment, place: usize) {
        let Some(act @ (Act::Tumble | Act::Land | Act::Dunk)) = self.act_of(place) else { return };
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else { return };
        let (way, horizon) = (self.way(place), self.horizon / self.height);
        let (turned, dunk, lands) = (self.leap_beat(m, place).rem_euclid(1.0), self.dunk(m, place), smooth(m.p / LANDS));
        let Some(pose) = m.poses.get_mut(place) else { return };
        let high = pose.h * pose.scale;
        match act {
            Act::Tumble => {
                let v = ((turned - 0.2) / 0.6).clamp(0.0, 1.0);
                pose.lift = (0.6 * high).min((pose.y - 1.1 * high).max(0.1 * high)) * 4.0 * v * (1.0 - v);
                (pose.turn, pose.sx, pose.sy) = (object.tilt - way * smooth(v), 1.0, 1.0);
            }
            Act::Dunk => {
                let v = ((dunk - OFF) / (DOWN - OFF)).clamp(0.0, 1.0);
                let rim = rim(pose.y, high);
                pose.lift = (rim - 0.98).max(0.15) * high * 4.0 * v * (1.0 - v);
                pose.x += way * 0.42 * Self::run_up(dunk) * high * self.height / self.width;
                (pose.turn, pose.sx, pose.sy) = (object.tilt, 1.0, 1.0);
            }
            _ => {
                if !slot.relation.attached() {
                    pose.y = (horizon + 0.45 * (1.0 - horizon)).clamp((high + 0.05).min(0.94), 0.94);
                }
                // Where the frame has less room it comes in from above.
                pose.lift = (1.0 - lands) * (pose.y - high - 0.04).max(0.3);
                pose.turn = object.tilt + (pose.turn - object.tilt) * (1.0 - lands);
            }
        }
    }

    /// A basket, and the ball: in the hands, through the ring, down and back to the hands.
    pub(super) fn dunked(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let Some(pose) = m.poses.get(place) else { return };
        let (u, way) = (self.dunk(m, place), self.way(place));
        let home = d.x - way * 0.42 * Self::run_up(u) * d.size;
        let [x, y] = [home + way * BASKET * d.size, d.foot - rim(pose.y, pose.h * pose.scale) * d.size];
        let ring = 0.15 * d.size;
        let ink = |hex: u32| Ink::flat(self.colour(hex), 1.0);
        let post = x + way * 0.34 * d.size;
        Pen::at(post, d.foot).line(post, y - 0.1 * d.size).stroke(c, 0.045 * d.size, &ink(0x6b7078));
        Pen::at(post, y).line(x + way * ring, y).stroke(c, 0.03 * d.size, &ink(0x6b7078));
        let board = x + way * (ring + 0.02 * d.size);
        c.round_rect(area(board - 0.025 * d.size, y - 0.38 * d.size, 0.05 * d.size, 0.46 * d.size), 0.01 * d.size, &ink(0xf4f6fa));
        let radius = 0.085 * d.size;
        let fallen = |v: f32| [x, y + (d.foot - radius - y) * v * v];
        let [bx, by] = if u < TOP + 0.04 {
            [d.hand[0], d.hand[1] - 0.8 * radius]
        } else if u < DOWN {
            fallen((u - TOP - 0.04) / (DOWN - TOP - 0.04))
        } else {
            let v = (u - DOWN) / (1.0 - DOWN);
            let to = [home + way * 0.1 * d.size, d.foot - 1.0 * d.size];
            let from = fallen(1.0);
            [from[0] + (to[0] - from[0]) * v, from[1] + (to[1] - from[1]) * v * v]
        };
        self.stamp(c, "basketball", Stamp::at(bx, by + radius, 2.0 * radius));
        let mut net = Pen::default();
        for j in 0..5 {
            let side = -1.0 + 0.5 * j as f32;
            net = net.to(x + side * ring, y).line(x + 0.6 * side * ring, y + 0.22 * d.size);
        }
        net.stroke(c, 0.010 * d.size, &Ink::flat(Rgb::WHITE, 0.9));
        Pen::at(x - ring, y).line(x + ring, y).stroke(c, 0.028 * d.size, &ink(0xe8542a));
    }
}

/// Height of a basket over the ground, in heights of who leaps to it: as high as the frame has room.
fn rim(foot: f32, high: f32) -> f32 {
    (foot / high.max(1e-3) - 0.45).clamp(1.15, 1.6)
}
