//! Balls, goals and ropes that nobody named and that somebody's act needs.

use std::f32::consts::TAU;

use super::Doer;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::Act;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::paint::things::stamp::Stamp;

/// Of a ball that nobody named, in heights of who plays.
const BALL: f32 = 0.17;

impl Film {
    pub(super) fn sport(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize, act: Act) {
        match act {
            Act::Dunk => self.dunked(c, m, d, place),
            Act::Skip => self.skipped(c, m, d, place),
            _ => {
                let half = 0.5 * BALL * d.size;
                let Some([x, y]) = self.ball_at(m, place, act, half) else { return };
                if act == Act::Score {
                    self.goal(c, m, d, place);
                }
                if self.has_no_ball(place) {
                    self.stamp(c, "soccer-ball", Stamp::at(x, y + half, 2.0 * half));
                }
            }
        }
    }

    /// Two posts, a bar and a net where the ball goes.
    fn goal(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let Some([x, _]) = self.ball_end(m, place, Act::Score) else { return };
        let (half, high) = (0.42 * d.size, 0.72 * d.size);
        let (foot, top) = (d.foot - 0.04 * d.size, d.foot - 0.04 * d.size - high);
        let mut net = Pen::default();
        for j in 1..8 {
            let share = j as f32 / 8.0;
            net = net.to(x - half + 2.0 * half * share, top).line(x - half + 2.0 * half * share, foot);
            net = net.to(x - half, top + high * share).line(x + half, top + high * share);
        }
        net.stroke(c, 0.008 * d.size, &Ink::flat(Rgb::WHITE, 0.6));
        let posts = Pen::at(x - half, foot).line(x - half, top).line(x + half, top).line(x + half, foot);
        posts.stroke(c, 0.045 * d.size, &Ink::flat(self.colour(0xfafafa), 1.0));
    }

    /// A rope that goes round, from hand to hand, and is below the feet while these are off the ground.
    fn skipped(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let (Some(object), Some(pose)) = (self.layout.objects.get(place), m.poses.get(place)) else { return };
        let (sin, cos) = (TAU * 0.9 * (object.rate.max(0.1) * m.t + object.phase)).sin_cos();
        let wide = 0.62 * d.size;
        let middle = d.foot - pose.lift * self.height - 0.46 * d.size;
        let far = [d.x + 0.25 * wide * sin, middle - if cos < 0.0 { 0.74 } else { 1.0 } * d.size * cos];
        let ends = [[d.x - 0.5 * wide, middle], [d.x + 0.5 * wide, middle]];
        let rope = Pen::at(ends[0][0], ends[0][1]).cubic([far[0] - wide, far[1]], [far[0] + wide, far[1]], ends[1][0], ends[1][1]);
        rope.stroke(c, 0.022 * d.size, &Ink::flat(self.colour(0xe8413c), 1.0));
    }
}
