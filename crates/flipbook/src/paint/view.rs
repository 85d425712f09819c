//! Where things are seen in the middle of a shot.

use super::film::view;
use super::kept::in_the_scenery;
use super::things::Hands;
use crate::layout::{Settled, unfold};
use crate::pose::pose;
use crate::scene::{Brief, ObjectToken, Program, Slot};
use crate::sprites::atlas;

/// A thing as it is seen in the middle of its shot. The box is in frame widths and heights, as the camera shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Index into the brief's slots.
    pub slot: usize,
    /// Of its drawing, in words.
    pub name: String,
    /// Where it stands in the layout, which is what moves when it is moved.
    pub x: f32,
    pub y: f32,
    /// In the frame's shorter side.
    pub size: f32,
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    /// The slot that carries it and takes it along; `None` of what stands by itself.
    pub carried_by: Option<usize>,
}

/// How near the camera is in the middle of a shot, and what it sees: every thing that is drawn where it stands, turned or bent
/// ones as if they stood upright. A rainbow, a waterfall and a tool in a hand are drawn elsewhere.
pub fn seen(program: &Program, brief: &Brief, settled: &Settled, fps: u32) -> (f32, Vec<Seen>) {
    let fps = fps.max(1) as f32;
    let middle = ((brief.seconds * fps).round().max(1.0) / 2.0).floor() / fps; // seconds, of a frame
    let Settled { layout, focus } = settled;
    let (centre, zoom) = view(layout, *focus, middle / brief.seconds.max(1e-3));
    let thing = |(slot, (told, object)): (usize, (&Slot, &ObjectToken))| {
        let pose = pose(brief, layout, slot, middle);
        let (width, height) = ((pose.w * pose.scale * pose.sx).abs(), (pose.h * pose.scale * pose.sy).abs());
        let at = |place: f32, axis: usize| (place - centre[axis]) * zoom + centre[axis];
        Seen {
            slot,
            name: atlas().get(told.sprite).name.replace("-figure", "").replace('-', " "),
            x: object.x,
            y: object.y,
            size: object.size,
            left: at(pose.x - width / 2.0, 0),
            top: at(pose.y - pose.lift - height, 1),
            width: width * zoom,
            height: height * zoom,
            carried_by: told.parent.filter(|_| told.relation.attached()),
        }
    };
    let (drawn, _) = unfold(brief, layout);
    let hands = Hands { program, brief: &drawn };
    let mut first = 0;
    let stands = |(_, (slot, _)): &(usize, (&Slot, &ObjectToken))| {
        let mut members = first..first + slot.members.max(1);
        first = members.end;
        !members.all(|place| hands.hold(place) || in_the_scenery(&drawn, place))
    };
    (zoom, brief.slots.iter().zip(&layout.objects).enumerate().filter(stands).map(thing).collect())
}
