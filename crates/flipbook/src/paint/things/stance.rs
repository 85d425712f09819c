//! How figures with joints stand: the gesture of what they do, and how far they are in it.

use super::craft;
use super::tools::Tool;
use crate::codes::{Act, Motion, Relation};
use crate::figures::{Build, Figure, Gesture, Joint, PACE, Stance};
use crate::layout::sits;
use crate::paint::film::{Film, Moment};
use crate::scene::Slot;
use crate::sprites::atlas;

impl Film {
    /// How a figure stands at this moment.
    pub(super) fn stance(&self, m: &Moment, place: usize, figure: &Figure) -> Stance {
        let mut stance = self.practised(m, place, figure).unwrap_or_else(|| self.acted(m, place, figure));
        stance.feeling = self.feeling_of(place);
        stance
    }

    /// The same without what is done with others, and without what the face shows.
    pub(super) fn acted(&self, m: &Moment, place: usize, figure: &Figure) -> Stance {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else {
            return figure.stance(Gesture::Stand, 0.0, 0.5);
        };
        let act = self.program.things.get(slot.thing).and_then(|thing| thing.act);
        let cycles = object.rate.max(0.1) * m.t + object.phase;
        let carrier = slot.parent.and_then(|parent| self.brief.slots.get(parent));
        let seated = act.is_none_or(|act| act == Act::Sit) && carrier.is_some_and(|carrier| sits(slot, carrier));
        let fights = act == Some(Act::Fight) && !matches!(slot.relation, Relation::Ride);
        let ridden = self.broom_of(place).map(|_| Gesture::Ride).or_else(|| self.board_of(place).map(|(board, _)| board.gesture()));
        let riding = ridden.map(|gesture| (gesture, 0.7 * m.t + object.phase));
        // On a board the legs ride, and the arms do what is done.
        let busy = act.is_some() && figure.build == Build::Upright;
        let (gesture, beat) = match (act, slot.relation, slot.motion) {
            _ if let Some(riding) = riding.filter(|_| !busy) => riding,
            _ if let Some(passing) = self.gesture_on_a_course(m, place) => passing,
            _ if self.is_tended(place) => (Gesture::Ride, 0.4 * m.t + object.phase),
            _ if let Some(work) = self.work_of(place) => (work.craft.gesture, PACE * m.t + object.phase),
            _ if seated && carrier.is_some_and(|carrier| self.is_pedalled(carrier)) => (Gesture::Pedal, 1.1 * m.t + object.phase),
            _ if seated => (Gesture::Ride, m.t + object.phase),
            _ if fights && self.tool_of(place).is_some() => (Gesture::Fence, self.bout(m.t, place)),
            _ if fights => (Gesture::Fight, self.bout(m.t, place)),
            (Some(Act::Hold), ..) if self.flies_a_kite(place) => (Gesture::Point, 0.4 * m.t + object.phase),
            (Some(act @ (Act::Push | Act::Pull | Act::Crawl)), _, Motion::Walk | Motion::Run) => (gesture_of(act), 0.5 * cycles),
            (Some(Act::Vacuum | Act::Mow), ..) => (Gesture::Push, 0.5 * cycles),
            (Some(Act::Glide), _, Motion::Drive) if figure.build == Build::Upright && !figure.manner.level => {
                (Gesture::Skate, 0.8 * m.t + object.phase)
            }
            (Some(Act::Glide | Act::Dive), ..) if slot.motion == Motion::Fly => (Gesture::Fly, m.t + object.phase),
            (Some(Act::Scratch), ..) if self.has_company(place) && figure.build == Build::FourLegged => (Gesture::Dance, 0.4 * m.t),
            (Some(Act::ChaseTail), ..) => (Gesture::Run, 1.6 * m.t),
            (Some(Act::Wag | Act::Wallow | Act::ShakeOff), ..) => (gesture_of(act.unwrap_or(Act::Wag)), 0.7 * m.t + object.phase),
            (Some(Act::Yawn | Act::Sneeze), ..) => (gesture_of(act.unwrap_or(Act::Yawn)), 0.5 * m.t + 0.02 * slot.rank as f32 - 0.1),
            (Some(Act::Butt), ..) => (Gesture::Butt, PACE * m.t + 0.42),
            (Some(Act::Tumble), ..) => (Gesture::Jump, self.leap_beat(m, place)),
            (Some(Act::Land), ..) if self.is_landing(m) && figure.manner.wings => (Gesture::Fly, m.t + object.phase),
            (Some(Act::Land), ..) => (Gesture::Stand, 0.5 * m.t + object.phase),
            (Some(Act::Splash), ..) if figure.build == Build::FourLegged => (Gesture::Dig, PACE * m.t + object.phase),
            (Some(Act::Groom), ..) if self.handled_by(place).is_none() => (Gesture::Brush, PACE * m.t + object.phase),
            (Some(Act::Wash), ..) if self.handled_by(place).is_some() => (Gesture::Rub, PACE * m.t + object.phase),
            (Some(Act::Build), ..) if self.builds_high(place) => (Gesture::Strike, PACE * m.t + object.phase),
            (None, Relation::None | Relation::Beside, Motion::Idle | Motion::Still | Motion::Walk) if self.is_fed(place) => {
                (Gesture::Eat, 0.6 * m.t + object.phase)
            }
            (Some(Act::Hide), ..) => (Gesture::Stand, 0.5 * m.t + object.phase),
            (Some(act), ..) => (gesture_of(act), PACE * m.t + object.phase),
            (None, _, Motion::Still | Motion::Idle | Motion::Play) if matches!(self.tool_of(place), Some(Tool::Racket | Tool::Bat)) => {
                (Gesture::Throw, 0.7 * m.t + object.phase)
            }
            (None, Relation::Play, _) | (None, _, Motion::Play) => (Gesture::Play, 2.0 * m.t),
            (.., Motion::Walk) => (Gesture::Walk, 0.5 * cycles),
            (.., Motion::Run) => (Gesture::Run, 0.5 * cycles),
            (.., Motion::Jump) => (Gesture::Jump, 0.9 * cycles),
            (None, Relation::None | Relation::Beside | Relation::Chase, Motion::Drive) if figure.build == Build::FourLegged => {
                (Gesture::Sit, 0.5 * m.t)
            }
            (None, Relation::None | Relation::Beside | Relation::Chase, Motion::Drive) if self.slide_of(place).is_some() => {
                (Gesture::Sit, 0.5 * m.t)
            }
            (None, Relation::None | Relation::Beside | Relation::Chase, Motion::Drive) if figure.manner.level => {
                (Gesture::Stand, 0.8 * m.t)
            }
            (None, Relation::None | Relation::Beside | Relation::Chase, Motion::Drive) => (Gesture::Skate, 0.8 * m.t + object.phase),
            (None, Relation::None | Relation::Beside, Motion::Swing) => (Gesture::Hang, 0.45 * m.t),
            (.., Motion::Dance) => (Gesture::Dance, 0.5 * cycles),
            (.., Motion::Swim) => (Gesture::Swim, 1.6 * m.t + object.phase),
            (.., Motion::Fly) if self.tool_of(place) == Some(Tool::Broom) => (Gesture::Ride, 0.7 * m.t + object.phase),
            (.., Motion::Fly | Motion::Hover | Motion::Rise) => (Gesture::Fly, m.t + object.phase),
            _ => (Gesture::Stand, 0.5 * m.t + object.phase),
        };
        let mut stance = figure.stance(gesture, beat, if slot.motion == Motion::Run { 1.0 } else { 0.6 });
        // Hands are busy, legs ride, rest or go on.
        let on_a_seat = !seated && carrier.is_some_and(|carrier| sits(slot, carrier));
        let seat = on_a_seat.then_some((Gesture::Ride, m.t + object.phase));
        if let Some((gesture, beat)) = riding.or(seat).filter(|_| busy) {
            let legs = figure.stance(gesture, beat, 0.6);
            for joint in LEGS {
                stance[joint] = legs[joint];
            }
            stance.turn = legs.turn;
            return stance;
        }
        if figure.build == Build::Upright
            && matches!(
                gesture,
                Gesture::Hold | Gesture::Read | Gesture::Eat | Gesture::Sing | Gesture::Wave | Gesture::Point | Gesture::Call
            )
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

    /// Whether feet go round on it.
    fn is_pedalled(&self, carrier: &Slot) -> bool {
        atlas().get(carrier.sprite).name == "bicycle"
    }

    fn flies_a_kite(&self, place: usize) -> bool {
        (0..self.brief.slots.len()).any(|other| self.flier_of(other) == Some(place))
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
        Act::Push => Gesture::Push,
        Act::Pull => Gesture::Pull,
        Act::Juggle => Gesture::Juggle,
        Act::Cry => Gesture::Cry,
        Act::Laugh => Gesture::Laugh,
        Act::Call => Gesture::Call,
        Act::Dig => Gesture::Dig,
        Act::Sweep => Gesture::Sweep,
        Act::Knit => Gesture::Read,
        Act::Clap => Gesture::Clap,
        Act::Point => Gesture::Point,
        Act::Crawl => Gesture::Crawl,
        Act::Blow => Gesture::Blow,
        Act::Brush => Gesture::Brush,
        Act::Wash => Gesture::Cook,
        Act::Build => Gesture::Build,
        Act::Stretch => Gesture::Stretch,
        Act::Hide | Act::Land => Gesture::Stand,
        Act::Feed | Act::Give => Gesture::Reach,
        Act::Groom => Gesture::Rub,
        Act::Milk => Gesture::Build,
        Act::Repair | Act::Chop => Gesture::Strike,
        Act::Vacuum | Act::Mow => Gesture::Push,
        Act::Iron => Gesture::Cook,
        Act::Lift | Act::Dunk => Gesture::Raise,
        Act::Tumble | Act::Skip => Gesture::Jump,
        Act::Bathe => Gesture::Sit,
        Act::Splash => Gesture::Juggle,
        Act::Stop => Gesture::Point,
        Act::Score => Gesture::Kick,
        Act::Kneel => Gesture::Kneel,
        Act::Photograph => Gesture::Blow,
        Act::Phone => Gesture::Read,
        Act::ChaseTail => Gesture::Run,
        Act::Wag | Act::ShakeOff => Gesture::Wag,
        Act::Yawn => Gesture::Yawn,
        Act::Sneeze => Gesture::Sneeze,
        Act::Lick => Gesture::Lick,
        Act::Scratch => Gesture::Scratch,
        Act::Wallow => Gesture::Wallow,
        Act::Butt => Gesture::Butt,
        Act::Peck => Gesture::Peck,
        Act::Balance => Gesture::Stretch,
        Act::Knock => Gesture::Reach,
        Act::Weave => Gesture::Build,
        Act::Tongue | Act::Spread => Gesture::Call,
        Act::Dangle => Gesture::Raise,
        _ => craft::gesture(act),
    }
}
