//! How figures with joints stand: the gesture of what they do, and how far they are in it.

use super::tools::Tool;
use crate::codes::{Act, Motion, Relation};
use crate::figures::{Build, Figure, Gesture, Joint, Stance};
use crate::layout::sits;
use crate::paint::film::{Film, Moment};

impl Film {
    /// How a figure stands at this moment.
    pub(super) fn stance(&self, m: &Moment, place: usize, figure: &Figure) -> Stance {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else {
            return figure.stance(Gesture::Stand, 0.0, 0.5);
        };
        let act = self.program.things.get(slot.thing).and_then(|thing| thing.act);
        let cycles = object.rate.max(0.1) * m.t + object.phase;
        let carrier = slot.parent.and_then(|parent| self.brief.slots.get(parent));
        let seated = act.is_none_or(|act| act == Act::Sit) && carrier.is_some_and(|carrier| sits(slot, carrier));
        let fights = act == Some(Act::Fight) && !matches!(slot.relation, Relation::Ride);
        let (gesture, beat) = match (act, slot.relation, slot.motion) {
            _ if seated => (Gesture::Ride, m.t + object.phase),
            _ if fights && self.tool_of(place).is_some() => (Gesture::Fence, self.bout(m.t, place)),
            _ if fights => (Gesture::Fight, self.bout(m.t, place)),
            (Some(act), ..) => (gesture_of(act), 0.6 * m.t + object.phase),
            (None, _, Motion::Still | Motion::Idle | Motion::Play) if matches!(self.tool_of(place), Some(Tool::Racket | Tool::Bat)) => {
                (Gesture::Throw, 0.7 * m.t + object.phase)
            }
            (None, Relation::Play, _) | (None, _, Motion::Play) => (Gesture::Play, 2.0 * m.t),
            (.., Motion::Walk) => (Gesture::Walk, 0.5 * cycles),
            (.., Motion::Run) => (Gesture::Run, 0.5 * cycles),
            (.., Motion::Jump) => (Gesture::Jump, 0.9 * cycles),
            (.., Motion::Dance) => (Gesture::Dance, 0.5 * cycles),
            (.., Motion::Swim) => (Gesture::Swim, 1.6 * m.t + object.phase),
            (.., Motion::Fly) if self.tool_of(place) == Some(Tool::Broom) => (Gesture::Ride, 0.7 * m.t + object.phase),
            (.., Motion::Fly | Motion::Hover | Motion::Rise) => (Gesture::Fly, m.t + object.phase),
            _ => (Gesture::Stand, 0.5 * m.t + object.phase),
        };
        let mut stance = figure.stance(gesture, beat, if slot.motion == Motion::Run { 1.0 } else { 0.6 });
        // Hands are busy, legs go on.
        if figure.build == Build::Upright && matches!(gesture, Gesture::Hold | Gesture::Read | Gesture::Eat | Gesture::Sing | Gesture::Wave)
        {
            let stepping = match slot.motion {
                Motion::Walk => figure.stance(Gesture::Walk, 0.5 * cycles, 0.6),
                Motion::Run => figure.stance(Gesture::Run, 0.5 * cycles, 1.0),
                _ => return stance,
            };
            for joint in LEGS {
                stance[joint] = stepping[joint];
            }
            stance.lift = stepping.lift;
        }
        stance
    }
}

const LEGS: [Joint; 7] =
    [Joint::ThighNear, Joint::ThighFar, Joint::ShinNear, Joint::ShinFar, Joint::FootNear, Joint::FootFar, Joint::Skirt];

/// What somebody does who does this.
fn gesture_of(act: Act) -> Gesture {
    match act {
        Act::Throw => Gesture::Throw,
        Act::Catch => Gesture::Catch,
        Act::Kick => Gesture::Kick,
        Act::Eat => Gesture::Eat,
        Act::Hug => Gesture::Hug,
        Act::Water => Gesture::Water,
        Act::Pour => Gesture::Pour,
        Act::Hold | Act::Paint => Gesture::Hold,
        Act::Read => Gesture::Read,
        Act::Cook => Gesture::Cook,
        Act::Cast => Gesture::Cast,
        Act::Fish => Gesture::Fish,
        Act::Sing => Gesture::Sing,
        Act::Wave => Gesture::Wave,
        Act::Sleep => Gesture::Sleep,
        Act::Sit => Gesture::Sit,
        Act::Climb => Gesture::Climb,
        Act::Fight => Gesture::Fight,
    }
}
