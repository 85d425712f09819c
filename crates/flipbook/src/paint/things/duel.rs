//! Who fights whom: both come within reach and face each other, one strikes while the other parries, and sparks fly where
//! they meet.

use std::f32::consts::{PI, TAU};

use super::tools::Tool;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::Act;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;

/// Blows of each a second.
const PACE: f32 = 0.75;
/// Of a beat: when the blow of [`crate::figures::Gesture::Fence`] and of `Fight` lands, and when its sparks are gone.
const LANDS: f32 = 0.29;
const GONE: f32 = 0.55;
/// Between two that fight with weapons, in their mean height; what two without keep of their width.
const FENCING: f32 = 0.92;
const WRESTLING: f32 = 0.92;
/// A step forward with a blow, and half of it back under one, in heights.
const LUNGE: f32 = 0.07;

impl Film {
    /// Who fights, from left to right.
    fn fighters(&self) -> Vec<usize> {
        let fights = |place: &usize| {
            let thing = self.brief.slots.get(*place).and_then(|slot| self.program.things.get(slot.thing));
            thing.is_some_and(|thing| thing.act == Some(Act::Fight)) && !self.in_a_hand(*place)
        };
        let mut fighters: Vec<usize> = (0..self.brief.slots.len().min(self.layout.objects.len())).filter(fights).collect();
        let x = |place: usize| self.layout.objects.get(place).map_or(0.0, |object| object.x);
        fighters.sort_by(|one, other| x(*one).total_cmp(&x(*other)));
        fighters
    }

    /// Beats since the fight began; the right one of a pair strikes half a beat after the left one.
    pub(super) fn bout(&self, t: f32, place: usize) -> f32 {
        let rank = self.fighters().iter().position(|other| *other == place).unwrap_or(0);
        PACE * t + 0.1 + 0.5 * rank as f32 + 0.17 * (rank / 2) as f32
    }

    /// Brings those who fight each other together.
    pub(super) fn close_in(&self, m: &mut Moment) {
        for pair in self.fighters().chunks_exact(2) {
            let &[left, right] = pair else { continue };
            if self.root(left) == self.root(right) {
                // What bears both would move with each of them.
                self.shift(m, left, [0.0; 2], 1.0);
                self.shift(m, right, [0.0; 2], -1.0);
                continue;
            }
            let (Some(one), Some(other)) = (m.poses.get(left).copied(), m.poses.get(right).copied()) else { continue };
            let armed = self.tool_of(left).is_some() || self.tool_of(right).is_some();
            let high = (one.h * one.scale + other.h * other.scale) / 2.0 * self.height / self.width;
            let wide = (one.w * one.scale + other.w * other.scale) / 2.0;
            let apart = if armed { (FENCING * high).max(0.9 * wide) } else { (WRESTLING * wide).max(0.5 * high) };
            let room = [one.w / 2.0 + 0.02, 1.0 - other.w / 2.0 - 0.02];
            let middle = ((one.x + other.x) / 2.0).clamp((room[0] + apart / 2.0).min(0.5), (room[1] - apart / 2.0).max(0.5));
            let blow = |place| LUNGE * high * thrust(self.bout(m.t, place));
            let (forth, back) = (blow(left) - 0.5 * blow(right), blow(right) - 0.5 * blow(left));
            self.shift(m, left, [middle - apart / 2.0 + forth - one.x, (other.y - one.y) / 2.0], 1.0);
            self.shift(m, right, [middle + apart / 2.0 - back - other.x, (one.y - other.y) / 2.0], -1.0);
        }
    }

    /// Moves a fighter and all that it carries, by shares of the frame, and turns it to a side.
    pub(super) fn shift(&self, m: &mut Moment, place: usize, [dx, dy]: [f32; 2], side: f32) {
        let root = self.root(place);
        for other in 0..m.poses.len() {
            if let Some(pose) = m.poses.get_mut(other).filter(|_| self.root(other) == root) {
                (pose.x, pose.y) = (pose.x + dx, pose.y + dy);
            }
        }
        if let Some(pose) = m.poses.get_mut(place) {
            pose.facing_turn = Some(side);
        }
    }

    /// Sparks of a pair, once its nearer one is drawn.
    pub(super) fn sparks(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let fighters = self.fighters();
        let Some(rank) = fighters.iter().position(|other| *other == place) else { return };
        let Some(&rival) = fighters.get(rank ^ 1) else { return };
        let turn = |place: usize| m.order.iter().position(|other| *other == place);
        if turn(place) < turn(rival) {
            return;
        }
        for (striker, struck) in [(place, rival), (rival, place)] {
            let beat = self.bout(m.t, striker);
            let age = (beat - beat.floor() - LANDS) / (GONE - LANDS);
            if (0.0..1.0).contains(&age)
                && let Some(at) = self.meeting(m, striker, struck)
            {
                self.clash(c, at, age, self.tool_of(striker), beat.floor() + rank as f32);
            }
        }
    }

    /// Where a blow meets, in pixels.
    fn meeting(&self, m: &Moment, striker: usize, struck: usize) -> Option<[f32; 2]> {
        let (one, other) = (m.poses.get(striker)?, m.poses.get(struck)?);
        let between = |a: f32, b: f32| (a + b) / 2.0;
        let (high, way) = (one.h * one.scale * self.height, if other.x < one.x { -1.0 } else { 1.0 });
        Some(match self.tool_of(striker) {
            Some(_) => {
                let top = |pose: &crate::pose::Pose| (pose.y - 0.52 * pose.h * pose.scale) * self.height;
                [between(one.x, other.x) * self.width, between(top(one), top(other))]
            }
            None => {
                [other.x * self.width - way * 0.3 * other.w * self.width, (one.y - 0.5 * one.h * one.scale) * self.height - 0.05 * high]
            }
        })
    }

    /// A flash and, from steel, sparks that fall.
    fn clash(&self, c: &mut Canvas, [x, y]: [f32; 2], age: f32, tool: Option<Tool>, number: f32) {
        let (short, left) = (self.short, (1.0 - age).powi(2));
        let size = short * (0.025 + 0.040 * (age * 4.0).min(1.0)) * (1.0 - 0.5 * age);
        c.puff(x, y, 2.2 * size, 2.2 * size, Rgb([1.0, 0.85, 0.45]), 0.6 * left, Puff { add: true, firm: false });
        let flash = |size: f32| {
            let points: Vec<[f32; 2]> = (0..16)
                .map(|j| (TAU * (j as f32 / 16.0 + 0.13 * number), if j % 2 == 0 { 1.0 } else { 0.45 }))
                .map(|(angle, far)| [x + size * far * angle.cos(), y + size * far * angle.sin()])
                .collect();
            Pen::default().polygon(&points)
        };
        flash(1.25 * size).fill(c, &Ink::flat(Rgb::hex(0xff9f2e), left));
        flash(0.8 * size).fill(c, &Ink::flat(Rgb::hex(0xfff3b8), left));
        if tool == Some(Tool::Sword) {
            let mut sparks = Pen::default();
            for j in 0..11 {
                let angle = TAU * (j as f32 / 11.0 + 0.07 * number) + 0.4 * (3.7 * j as f32).sin();
                let far = short * (0.06 + 0.11 * (0.5 + 0.5 * (2.3 * j as f32 + number).sin()));
                let at = |age: f32| [x + far * age * angle.cos(), y + far * age * angle.sin() + 0.10 * short * age * age];
                sparks = sparks.line_through(&[at((age - 0.14).max(0.0)), at(age)]);
            }
            sparks.stroke(c, 0.0055 * short, &Ink::flat(Rgb::hex(0xffd766), (1.0 - age).min(1.0)));
        }
    }
}

/// 0 to 1 and back while a blow is struck.
fn thrust(beat: f32) -> f32 {
    (PI * ((beat - beat.floor() - 0.12) / 0.40).clamp(0.0, 1.0)).sin()
}
