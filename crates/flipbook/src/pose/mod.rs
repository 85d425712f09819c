//! Where and how every object stands at a time: the animator's rules (arcs, easing, squash and stretch), pure functions of time.

mod drawings;
mod motions;

use crate::codes::Relation;
use crate::layout::extent;
use crate::scene::{Brief, Layout};

/// How a cut-out stands at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre, in frame widths.
    pub x: f32,
    /// Foot, in frame heights, without `lift`.
    pub y: f32,
    /// Squash and stretch: factors of width and height.
    pub sx: f32,
    pub sy: f32,
    /// Clockwise, in turns.
    pub turn: f32,
    /// How far the foot is off the ground, in frame heights; the shadow stays.
    pub lift: f32,
    /// Swing of the legs, -1 to 1.
    pub legs: f32,
    /// How far the top leans, as a share of the height.
    pub bend: f32,
    /// Of the tail, -1 to 1.
    pub wag: f32,
    /// Of the wings, -1 to 1.
    pub flap: f32,
    /// 1 is opaque.
    pub alpha: f32,
    /// Factor of width and height.
    pub scale: f32,
    /// Width and height at scale 1, in frame widths and heights.
    pub w: f32,
    pub h: f32,
    /// Cosine of the way something turns about its upright axis (a fish in a bowl): 1 as drawn to face right, -1 left.
    pub facing_turn: Option<f32>,
    /// Faces the other way for now.
    pub flip: bool,
    /// How far engines have started, 0 to 1.
    pub burn: f32,
}

/// The pose of a slot `t` seconds after the clip began. A slot that brief or layout lack is not seen.
pub fn pose(brief: &Brief, layout: &Layout, slot: usize, t: f32) -> Pose {
    posed(brief, layout, slot, t, brief.slots.len())
}

/// `ancestors`: how many carriers to follow at most, so that a circle of them ends.
fn posed(brief: &Brief, layout: &Layout, index: usize, t: f32, ancestors: usize) -> Pose {
    let (Some(slot), Some(object)) = (brief.slots.get(index), layout.objects.get(index)) else { return Pose::UNSEEN };
    let share = t / brief.seconds.max(0.1);
    let [w, h] = extent(slot, object.size, brief.aspect);
    let mut pose = Pose { x: object.x, y: object.y, turn: object.tilt, alpha: 1.0, w, h, ..Pose::UNSEEN };
    let carrier = slot.parent.filter(|_| slot.relation.attached() && ancestors > 0);
    match carrier.and_then(|carrier| Some((carrier, layout.objects.get(carrier)?))) {
        Some((carrier, base)) => {
            let carried_by = posed(brief, layout, carrier, t, ancestors - 1);
            pose.x += carried_by.x - base.x;
            pose.y += carried_by.y - base.y;
            if slot.relation != Relation::Play {
                pose.y -= carried_by.lift;
            }
            if matches!(slot.relation, Relation::Ride | Relation::On | Relation::Wear) {
                pose.turn += carried_by.turn - base.tilt;
                pose.y += (1.0 - carried_by.sy) * (carried_by.y - object.y) * 0.8; // sinks as the carrier is squashed
            }
            if slot.relation == Relation::Wear {
                pose.x += carried_by.bend * carried_by.h * 0.8;
            }
        }
        None => {
            pose.x += object.dx * (share - 0.5);
            pose.y += object.dy * (share - 0.5);
        }
    }
    motions::Actor { brief, layout, slot, object, mount: is_mount(brief, index), t, share }.moved(pose)
    // What a thing does to another (throws, eats, waters: an act) changes the pose here, once briefs tell of it.
}

/// Somebody rides it.
fn is_mount(brief: &Brief, slot: usize) -> bool {
    brief.slots.iter().any(|other| other.relation == Relation::Ride && other.parent == Some(slot))
}

impl Pose {
    const UNSEEN: Self = Self {
        x: 0.5,
        y: 0.5,
        sx: 1.0,
        sy: 1.0,
        turn: 0.0,
        lift: 0.0,
        legs: 0.0,
        bend: 0.0,
        wag: 0.0,
        flap: 0.0,
        alpha: 0.0,
        scale: 1.0,
        w: 0.0,
        h: 0.0,
        facing_turn: None,
        flip: false,
        burn: 1.0,
    };
}
