//! Each motion as a function of time.

use std::f32::consts::{PI, TAU};

use super::Pose;
use super::drawings::{Habit, habit};
use crate::codes::{Kind, Motion, Relation, Weather};
use crate::layout::extent;
use crate::scene::{Brief, Layout, ObjectToken, Slot};
use crate::sprites::atlas;

/// Who moves, and when.
pub(super) struct Actor<'a> {
    pub brief: &'a Brief,
    pub layout: &'a Layout,
    pub slot: &'a Slot,
    pub object: &'a ObjectToken,
    /// Somebody rides it: it runs smoother.
    pub mount: bool,
    /// Seconds.
    pub t: f32,
    /// Of the clip, 0 to 1 within it.
    pub share: f32,
}

impl Actor<'_> {
    /// `pose` with what the actor's motion does to it.
    pub fn moved(&self, pose: Pose) -> Pose {
        match self.slot.motion {
            Motion::Still | Motion::Idle | Motion::Play | Motion::Swing => self.stay(pose),
            Motion::Walk | Motion::Run => self.step(pose),
            Motion::Jump => self.jump(pose),
            Motion::Bounce => self.bounce(pose),
            Motion::Fly | Motion::Hover | Motion::Orbit | Motion::Rise | Motion::Fall => self.float(pose),
            Motion::Swim => self.swim(pose),
            Motion::Drive => self.drive(pose),
            Motion::Sail => self.sail(pose),
            Motion::Spin => self.spin(pose),
            Motion::Roll => self.roll(pose),
            Motion::Grow => self.grow(pose),
            Motion::Shrink => Pose { scale: 1.0 - 0.75 * smooth(self.share / 0.85), ..pose },
            Motion::Pulse => self.pulse(pose),
            Motion::Dance => self.dance(pose),
            Motion::Launch => self.launch(pose),
            Motion::Explode => self.explode(pose),
            Motion::Shake => self.shake(pose),
            Motion::Approach => Pose { scale: 0.5 + 0.8 * smooth(self.share), ..pose },
        }
    }

    /// Cycles per second.
    fn rate(&self) -> f32 {
        self.object.rate.max(0.1)
    }

    /// Cycles since the beginning, with the phase.
    fn cycles(&self) -> f32 {
        self.rate() * self.t + self.object.phase
    }

    fn amp(&self) -> f32 {
        if self.mount && self.slot.motion != Motion::Jump { self.object.amp * 0.6 } else { self.object.amp }
    }

    /// `sin` of `rate` cycles per second.
    fn sway(&self, rate: f32) -> f32 {
        (TAU * (rate * self.t + self.object.phase)).sin()
    }

    fn habit(&self) -> Option<Habit> {
        habit(&atlas().get(self.slot.sprite).name)
    }

    /// Breathes, sways in the wind, plays, swings, flickers.
    fn stay(&self, mut pose: Pose) -> Pose {
        let (t, motion) = (self.t, self.slot.motion);
        let alive = matches!(self.slot.kind, Kind::Animal | Kind::Person | Kind::Flyer | Kind::Swimmer);
        if alive && motion != Motion::Still {
            let breath = self.sway(0.5);
            (pose.sx, pose.sy) = (1.0 - 0.012 * breath, 1.0 + 0.018 * breath);
            pose.bend = 0.012 * self.sway(0.23);
        } else if self.slot.kind == Kind::Plant {
            pose.bend = 0.05 * self.sway(0.35) * (0.5 + self.layout.frame.wind.abs());
        }
        if motion == Motion::Play {
            let beat = (TAU * 2.0 * t).sin();
            pose.lift = 0.02 * (TAU * t + 1.0).sin().abs();
            pose.turn += 0.018 * (TAU * t).sin();
            pose.sy = 1.0 + 0.03 * beat;
            pose.legs = 0.5 * beat;
        }
        if motion == Motion::Swing {
            let swing = (TAU * self.cycles()).sin();
            pose.turn += 0.5 * self.amp() * swing;
            pose.bend += 0.06 * swing;
        }
        if self.habit() == Some(Habit::Flame) {
            pose.bend = 0.035 * (TAU * 1.7 * t).sin();
            pose.sy = 1.0 + 0.04 * (TAU * 2.3 * t).sin();
        }
        pose
    }

    /// Up and down on each step, legs in turns.
    fn step(&self, mut pose: Pose) -> Pose {
        let runs = self.slot.motion == Motion::Run;
        let (stride, rock, stretch) = if runs { (1.0, 0.016, 0.06) } else { (0.6, 0.01, 0.03) };
        let swing = (PI * self.cycles()).sin();
        let beat = swing.abs();
        pose.lift = self.amp() * beat;
        pose.legs = swing * stride;
        pose.turn += rock * swing + if runs { self.object.dir * 0.012 } else { 0.0 };
        pose.sy = 1.0 + stretch * (beat - 0.5);
        pose.sx = 2.0 - pose.sy;
        pose
    }

    /// Crouch, leap with stretched ends, landing.
    fn jump(&self, mut pose: Pose) -> Pose {
        let u = fraction(self.cycles() * 0.9);
        if u < 0.2 {
            let crouch = (PI * u / 0.2).sin();
            (pose.sx, pose.sy) = (1.0 + 0.14 * crouch, 1.0 - 0.2 * crouch);
        } else if u < 0.8 {
            let v = (u - 0.2) / 0.6;
            let off = smooth(v.min(1.0 - v) / 0.12); // stretch and lean come and go with the ground
            let speed = (1.0 - 2.0 * v).abs() * off;
            pose.lift = self.amp() * 4.0 * v * (1.0 - v);
            (pose.sx, pose.sy) = (1.0 - 0.08 * speed, 1.0 + 0.12 * speed);
            pose.turn += self.object.dir * 0.07 * (2.0 * v - 1.0) * off;
        } else {
            let landing = (PI * (u - 0.8) / 0.2).sin();
            (pose.sx, pose.sy) = (1.0 + 0.12 * landing, 1.0 - 0.16 * landing);
        }
        if self.slot.kind == Kind::Swimmer {
            pose.turn += self.object.dir * 0.1 * (TAU * u).cos();
        }
        pose
    }

    /// A ball's arcs: flat on contact, long on the way; round things turn.
    fn bounce(&self, mut pose: Pose) -> Pose {
        let u = fraction(self.cycles());
        pose.lift = self.amp() * 4.0 * u * (1.0 - u);
        let contact = bell(u.min(1.0 - u) / 0.07);
        let speed = (1.0 - 2.0 * u).abs() * (1.0 - contact);
        (pose.sx, pose.sy) = (1.0 + 0.22 * contact - 0.07 * speed, 1.0 - 0.26 * contact + 0.10 * speed);
        let round = self.slot.kind == Kind::Prop && 0.8 < self.slot.aspect && self.slot.aspect < 1.25;
        if round {
            pose.turn += self.object.dir * 0.06 * self.t;
        }
        pose
    }

    /// In the air: up and down, a little roll, wings.
    fn float(&self, mut pose: Pose) -> Pose {
        let (motion, amp, cycles) = (self.slot.motion, self.amp(), self.cycles());
        let (up, forth) = (TAU * cycles).sin_cos();
        pose.y += amp * up;
        pose.turn += if self.slot.kind == Kind::Aircraft { 0.008 * forth } else { 0.016 * forth };
        match motion {
            Motion::Fly if self.leans() => pose.turn -= self.object.dir * 0.02,
            Motion::Hover | Motion::Rise => {
                pose.turn += 0.012 * (TAU * (cycles * 0.7 + 0.2)).sin();
                pose.x += 0.012 * (TAU * cycles * 0.6).sin();
            }
            Motion::Orbit => {
                pose.x += amp * forth / self.brief.aspect.max(1.0);
                pose.y += amp * 0.55 * up - amp * up;
                pose.scale = 1.0 + 0.15 * up;
            }
            Motion::Fall => {
                pose.x += amp * up;
                pose.turn += 0.06 * up;
            }
            _ => {}
        }
        match self.habit() {
            Some(Habit::Flutters(rate)) => pose.sx = 0.35 + 0.65 * (TAU * rate * self.t + self.object.phase).cos().abs(),
            Some(Habit::Flaps(rate)) => pose.flap = self.sway(rate),
            _ => {}
        }
        pose
    }

    /// Flies nose up: it faces a side, and neither wings nor its drawing say how it lies in the air.
    fn leans(&self) -> bool {
        self.slot.kind != Kind::Flyer && self.slot.facing != 0 && atlas().get(self.slot.sprite).heading.is_none()
    }

    /// Tail and waves; to and fro in a bowl; jellyfish pump.
    fn swim(&self, mut pose: Pose) -> Pose {
        let cycles = self.cycles();
        let (up, forth) = (TAU * cycles).sin_cos();
        pose.y += self.amp() * up * 0.7;
        pose.wag = self.sway(1.6);
        pose.turn -= 0.018 * forth;
        if self.slot.relation == Relation::In {
            let way = TAU * 0.28 * self.t + self.object.phase;
            pose.x += 0.13 * self.carrier_width() * way.sin();
            pose.facing_turn = Some(way.cos());
        }
        if self.slot.aspect < 0.95 && self.slot.facing == 0 {
            let pump = (TAU * fraction(cycles * 1.2)).sin();
            (pose.sx, pose.sy) = (1.0 - 0.10 * pump, 1.0 + 0.12 * pump);
            pose.wag *= 0.4;
        }
        pose
    }

    /// In frame widths; 0 without a carrier.
    fn carrier_width(&self) -> f32 {
        let carrier = self.slot.parent.and_then(|parent| Some((self.brief.slots.get(parent)?, self.layout.objects.get(parent)?)));
        carrier.map_or(0.0, |(slot, object)| extent(slot, object.size, self.brief.aspect)[0])
    }

    fn drive(&self, mut pose: Pose) -> Pose {
        pose.lift = self.amp() * (PI * self.cycles()).sin().abs();
        pose.turn += 0.003 * (TAU * 1.3 * self.t).sin();
        pose
    }

    fn sail(&self, mut pose: Pose) -> Pose {
        let (up, forth) = (TAU * self.cycles()).sin_cos();
        let sea = if self.brief.weather == Weather::Storm { 3.0 } else { 1.0 };
        pose.y += self.amp() * up;
        pose.turn += 0.012 * forth * sea;
        pose
    }

    fn spin(&self, mut pose: Pose) -> Pose {
        pose.turn += self.rate() * self.t * self.object.dir;
        pose.y += self.amp() * (TAU * 0.4 * self.t).sin();
        pose
    }

    /// As far as it travels, without slipping.
    fn roll(&self, mut pose: Pose) -> Pose {
        let way = self.object.dx * (self.share - 0.5) * self.brief.aspect.max(1.0); // frame-short-sides
        pose.turn += way / (PI * self.object.size.max(0.01));
        pose
    }

    /// Up from a quarter, with a wobble.
    fn grow(&self, pose: Pose) -> Pose {
        let grown = smooth((self.share - self.object.entry) / 0.75);
        Pose { scale: 0.25 + 0.75 * grown + 0.06 * (grown * PI * 3.0).sin() * (1.0 - grown), ..pose }
    }

    /// A heart's double beat.
    fn pulse(&self, pose: Pose) -> Pose {
        let u = fraction(self.rate() * self.t);
        let beat = bell(u / 0.10) + 0.6 * bell((u - 0.24) / 0.08) + bell((u - 1.0) / 0.10);
        Pose { scale: 1.0 + self.amp() * beat, ..pose }
    }

    /// From foot to foot, and about every four beats.
    fn dance(&self, mut pose: Pose) -> Pose {
        let cycles = self.cycles();
        let (side, up) = (PI * cycles).sin_cos();
        pose.turn += 0.05 * side;
        pose.lift = self.amp() * up.abs();
        pose.sy = 1.0 + 0.07 * (TAU * cycles).cos();
        pose.sx = 2.0 - pose.sy;
        pose.bend = 0.06 * side;
        pose.flip = fraction(cycles / 4.0) > 0.5;
        pose
    }

    /// Engines start and shake it; then it goes, ever faster.
    fn launch(&self, mut pose: Pose) -> Pose {
        let (t, share) = (self.t, self.share);
        let gone = (share - 0.22).max(0.0) / 0.78;
        let tremble = self.amp() * (1.0 - smooth((share - 0.25) / 0.1));
        pose.y = self.object.y + self.object.dy * gone.powf(2.2);
        pose.x += tremble * (47.0 * t).sin() + 0.001 * (31.0 * t).sin();
        pose.sy = 1.0 + 0.06 * smooth(gone * 3.0);
        pose.burn = smooth(share / 0.2);
        pose
    }

    /// Swells and trembles, then is gone in its own burst.
    fn explode(&self, mut pose: Pose) -> Pose {
        const BURST: f32 = 0.45; // share of the clip
        let tremble = 0.006 * (1.0 - smooth((self.share - BURST + 0.05) / 0.05));
        pose.scale = 1.0 + 0.5 * smooth(self.share.min(BURST) * 2.2);
        pose.alpha = (1.0 - (self.share - BURST).max(0.0) * 6.0).max(0.0);
        pose.x += tremble * (60.0 * self.t).sin();
        pose
    }

    fn shake(&self, mut pose: Pose) -> Pose {
        pose.x += self.amp() * 0.8 * (TAU * 7.0 * self.t).sin();
        pose.turn += 0.01 * (TAU * 6.0 * self.t).sin();
        pose
    }
}

/// 0 to 1 with level ends.
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

fn fraction(x: f32) -> f32 {
    x - x.floor()
}

/// 1 at 0, nothing from 2 on.
fn bell(x: f32) -> f32 {
    (-x * x).exp()
}
