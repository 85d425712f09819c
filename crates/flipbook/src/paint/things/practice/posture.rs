//! How those who take part hold themselves: a gesture with some joints bent otherwise, and hands led to where they have to be.

use std::f32::consts::TAU;

use crate::figures::{Build, Figure, Gesture, Joint, Stance};
use crate::paint::film::{Film, Moment};
use crate::paint::practices::{Company, Posture, Touch};
use crate::paint::things::warp::Lay;

const LEGS: [Joint; 7] =
    [Joint::ThighNear, Joint::ThighFar, Joint::ShinNear, Joint::ShinFar, Joint::FootNear, Joint::FootFar, Joint::Skirt];

impl Film {
    /// How somebody stands who does what the table has.
    pub(in crate::paint::things) fn practised(&self, m: &Moment, place: usize, figure: &Figure) -> Option<Stance> {
        let company = self.company(place)?;
        let posture = company.posture()?;
        let mut stance = self.bent(m, place, figure, posture);
        if figure.build == Build::Upright && !figure.manner.wings && !figure.manner.paws {
            for (touch, near) in [(posture.near, true), (posture.far, false)] {
                if let Some(target) = self.touched(m, place, company, &stance, figure, touch)
                    && let Some(target) = self.boxed(m, place, target)
                {
                    figure.reach(&mut stance, near, target);
                }
            }
        }
        Some(stance)
    }

    /// The posture without its hands.
    fn bent(&self, m: &Moment, place: usize, figure: &Figure, posture: &Posture) -> Stance {
        let phase = self.layout.objects.get(place).map_or(0.0, |object| object.phase);
        let beat = posture.pace * m.t + phase;
        let mut stance = figure.stance(posture.base, beat, 0.6);
        if figure.build != Build::Upright {
            let low = posture.bends.iter().any(|(joint, angle, ..)| *joint == Joint::Chest && *angle < -0.5) || posture.turn.0 < -1.0;
            return match (low, posture.mouth) {
                (true, _) => figure.stance(Gesture::Stretch, beat, 0.6),
                (_, Some(true)) => figure.stance(Gesture::Call, beat, 0.6),
                _ => stance,
            };
        }
        for (joint, angle, swing, late) in posture.bends {
            stance[*joint] = angle + swing * (TAU * (beat + late)).sin();
        }
        stance.turn += posture.turn.0 + posture.turn.1 * (TAU * beat).sin();
        stance.afloat |= posture.turn.0.abs() > 1.2;
        if let Some(open) = posture.mouth {
            stance.mouth_open = open && (2.0 * beat).fract() < 0.7;
        }
        if self.walks(place) && posture.base == Gesture::Stand {
            let cycles = self.layout.objects.get(place).map_or(0.0, |object| object.rate.max(0.1) * m.t + object.phase);
            let legs = figure.stance(Gesture::Walk, 0.5 * cycles, 0.6);
            for joint in LEGS {
                stance[joint] = legs[joint];
            }
        }
        stance
    }

    /// Where a hand has to be, in pixels.
    fn touched(&self, m: &Moment, place: usize, company: &Company, stance: &Stance, figure: &Figure, touch: Touch) -> Option<[f32; 2]> {
        let own = m.poses.get(place)?;
        let spot = self.spot_of(m, place)?;
        let look = self.look_of(m, place);
        let size = own.h * own.scale * self.height;
        let foot = (own.y - own.lift) * self.height;
        let other = company.other().and_then(|other| m.poses.get(other));
        match touch {
            Touch::Free => None,
            Touch::Middle(up, swing) => {
                let other = other?;
                let low = size.min(other.h * other.scale * self.height);
                let moved = up + swing * (TAU * 1.4 * m.t).sin();
                Some([(own.x + other.x) / 2.0 * self.width, (own.y.min(other.y)) * self.height - moved * low])
            }
            Touch::Other(nearer, up) => {
                let other = other?;
                let side = if other.x < own.x { -1.0 } else { 1.0 };
                let tall = other.h * other.scale * self.height;
                Some([other.x * self.width - side * nearer * tall, (other.y - other.lift) * self.height - up * tall])
            }
            Touch::Own(ahead, up) => Some([own.x * self.width + look * ahead * size, foot - up * size]),
            Touch::Face(ahead, up) => {
                let [x, y] = self.warp_box(m, place, own, Lay::Upright)(figure.mouth(stance));
                Some([x + look * ahead * size, y - up * size])
            }
            Touch::Place(ahead, up) => Some(spot.at(ahead, up)),
        }
    }

    /// A point of the frame in the box of a figure.
    fn boxed(&self, m: &Moment, place: usize, [x, y]: [f32; 2]) -> Option<[f32; 2]> {
        let pose = m.poses.get(place)?;
        let warp = self.warp_box(m, place, pose, Lay::Upright);
        let ([ox, oy], [ax, ay], [bx, by]) = (warp([0.0, 0.0]), warp([1.0, 0.0]), warp([0.0, 1.0]));
        let (ux, uy, vx, vy) = (ax - ox, ay - oy, bx - ox, by - oy);
        let area = ux * vy - uy * vx;
        let (dx, dy) = (x - ox, y - oy);
        (area.abs() > 1e-3).then(|| [(dx * vy - dy * vx) / area, (ux * dy - uy * dx) / area])
    }
}
