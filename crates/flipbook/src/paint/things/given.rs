//! What figures do to another thing: balls leave the foot and the hand, what is pushed is before the hands, what is pulled on a
//! rope behind.

use super::stance::PACE;
use super::warp::Lay;
use crate::codes::{Act, Kind, Motion, Relation};
use crate::figures::{Build, Figure, Stance};
use crate::layout::natural_height;
use crate::paint::film::{Film, Moment};
use crate::pose::Pose;

/// Of a beat of [`crate::figures::Gesture`]: when a kick meets the ball, a throw lets go of it and a catch has it.
const KICKED: f32 = 0.52;
const THROWN: f32 = 0.58;
const CAUGHT: f32 = 0.5;
/// How far a ball goes, and its height, in heights of who plays.
const REACH: f32 = 1.25;
const BALL: f32 = 0.24;

impl Film {
    pub(super) fn act_of(&self, place: usize) -> Option<Act> {
        self.brief.slots.get(place).and_then(|slot| self.program.things.get(slot.thing)).and_then(|thing| thing.act)
    }

    /// A point of a figure as it stands now, in pixels.
    pub(super) fn point(&self, m: &Moment, place: usize, of: impl Fn(&Figure, &Stance) -> [f32; 2]) -> Option<[f32; 2]> {
        let (figure, pose) = (self.cast.figure(place)?, m.poses.get(place)?);
        let stance = self.stance(m, place, figure);
        Some(self.warp_box(m, place, pose, Lay::Upright)(of(figure, &stance)))
    }

    /// The first slot that has this one for its parent and is what it acts on.
    fn object_of(&self, place: usize) -> Option<usize> {
        let beside = |slot: &crate::scene::Slot| matches!(slot.relation, Relation::Beside | Relation::Play | Relation::Front);
        let of_it = self.brief.slots.iter().position(|slot| slot.parent == Some(place) && beside(slot));
        let own = self.brief.slots.get(place)?;
        of_it
            .or(own.parent.filter(|_| beside(own)))
            .filter(|object| self.brief.slots.get(*object).is_some_and(|slot| slot.kind != Kind::Person))
    }

    /// Poses of what figures throw, kick, catch, push and pull.
    pub(super) fn posed_by_deeds(&self, m: &mut Moment, place: usize) {
        let Some(act) = self.act_of(place) else { return };
        let Some(object) = self.object_of(place).filter(|_| self.cast.figure(place).is_some()) else { return };
        match act {
            Act::Throw | Act::Kick | Act::Catch => self.play_ball(m, place, object, act),
            Act::Push | Act::Pull => self.shove(m, place, object, act == Act::Push),
            _ => {}
        }
    }

    fn play_ball(&self, m: &mut Moment, place: usize, object: usize, act: Act) {
        let (Some(slot), Some(thing), Some(own)) =
            (self.brief.slots.get(place), self.brief.slots.get(object), self.layout.objects.get(place))
        else {
            return;
        };
        if self.cast.figure(object).is_some() || natural_height(thing) > 0.6 * natural_height(slot).max(0.5) {
            return;
        }
        let Some(who) = m.poses.get(place).copied() else { return };
        let four = self.cast.figure(place).is_some_and(|figure| figure.build == Build::FourLegged);
        let Some(hand) = self.point(m, place, |figure, stance| if four { figure.mouth(stance) } else { figure.hand(stance) }) else {
            return;
        };
        let Some(ball) = m.poses.get_mut(object) else { return };
        let size = who.h * self.height * who.scale;
        let round = thing.aspect > 0.8 && thing.aspect < 1.25;
        let longest = (ball.h * self.height).max(ball.w * self.width).max(1.0);
        let share = (if round { BALL } else { 1.5 * BALL } * size / longest).min(1.0);
        (ball.w, ball.h, ball.scale) = (ball.w * share, ball.h * share, 1.0);
        let (way, half) = (self.way(place), ball.h * self.height / 2.0);
        let edge = if way > 0.0 { 0.97 - ball.w / 2.0 } else { 0.03 + ball.w / 2.0 };
        let reach = (REACH * size).min(((edge - who.x) * way * self.width).max(0.3 * size));
        let ground = who.y * self.height - half;
        let beat = PACE * m.t + own.phase;
        let u = beat - beat.floor();
        let foot = [who.x * self.width + way * 0.26 * size, ground];
        let far = |v: f32| [who.x * self.width + way * (0.26 * size + v * (reach - 0.26 * size)), ground];
        let arc = |from: [f32; 2], to: [f32; 2], v: f32, high: f32| {
            let v = v.clamp(0.0, 1.0);
            [from[0] + (to[0] - from[0]) * v, from[1] + (to[1] - from[1]) * v - high * size * 4.0 * v * (1.0 - v)]
        };
        let since = |start: f32| (u - start).rem_euclid(1.0);
        let [x, y] = match act {
            Act::Kick if since(KICKED) < 0.38 => arc(foot, far(1.0), since(KICKED) / 0.38, 0.15),
            // It comes back along the ground.
            Act::Kick => arc(far(1.0), foot, (since(KICKED) - 0.38) / 0.5, 0.0),
            Act::Throw if since(THROWN) < 0.3 => arc(hand, far(1.0), since(THROWN) / 0.3, 0.22),
            Act::Throw if since(THROWN) < 0.62 => arc(far(1.0), hand, (since(THROWN) - 0.3) / 0.32, 0.25),
            Act::Throw => hand,
            _ if u < CAUGHT => arc(far(1.0), hand, u / CAUGHT, 0.4),
            _ if u < 0.74 => hand,
            _ => arc(hand, far(1.0), (u - 0.74) / 0.26, 0.3),
        };
        let rolled = (x - foot[0]) / half.max(1.0) / std::f32::consts::TAU;
        *ball = Pose {
            x: x / self.width,
            y: who.y,
            lift: (ground - y) / self.height,
            turn: if round { rolled } else { 0.0 },
            sx: 1.0,
            sy: 1.0,
            bend: 0.0,
            ..*ball
        };
    }

    /// Hands and load go together.
    fn shove(&self, m: &mut Moment, place: usize, object: usize, push: bool) {
        let (Some(who), Some(load)) = (m.poses.get(place).copied(), m.poses.get(object).copied()) else { return };
        let way = self.way(place);
        let high = who.h * who.scale * self.height / self.width;
        let gap = if push { 0.30 * high } else { 0.42 * high + 0.25 * who.w };
        let apart = gap + load.w * load.scale / 2.0 + if push { 0.0 } else { 0.1 * who.w };
        let side = if push { way } else { -way };
        // Both stay in the frame as far as they have room.
        let reach = who.x + side * (apart + load.w * load.scale / 2.0);
        let over = if side > 0.0 { (reach - 0.94).max(0.0) } else { (reach - 0.06).min(0.0) };
        let travels = self.brief.slots.get(place).is_some_and(|slot| matches!(slot.motion, Motion::Walk | Motion::Run));
        for (index, x) in [(place, who.x - over), (object, who.x - over + side * apart)] {
            if let Some(pose) = m.poses.get_mut(index) {
                pose.x = x;
            }
        }
        if let Some(pose) = m.poses.get_mut(object) {
            (pose.y, pose.lift) = (who.y, 0.0);
            pose.facing_turn = Some(way);
            pose.turn = if travels { 0.004 * (9.0 * m.t).sin() } else { 0.0 };
        }
    }

    /// The slot that somebody is drawn before: the slide that is slid down, what is watered.
    pub(super) fn served_by(&self, place: usize) -> Option<usize> {
        let watered = || self.object_of(place).filter(|_| self.act_of(place) == Some(Act::Water));
        self.slide_of(place).or_else(watered)
    }

    /// What a figure pulls, by its slot.
    pub(super) fn load_of(&self, place: usize) -> Option<usize> {
        (self.act_of(place) == Some(Act::Pull) && self.cast.figure(place).is_some()).then(|| self.object_of(place)).flatten()
    }

    /// Who holds what flies on a string.
    pub(super) fn flier_of(&self, place: usize) -> Option<usize> {
        let slot = self.brief.slots.get(place)?;
        let kite = crate::sprites::atlas().get(slot.sprite).name == "kite";
        let holder =
            slot.parent.filter(|_| kite).or_else(|| self.brief.slots.iter().position(|other| kite && other.parent == Some(place)))?;
        self.cast.figure(holder).filter(|figure| figure.build == Build::Upright).map(|_| holder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Backdrop, Hour, Weather};
    use crate::layout;
    use crate::random::Random;
    use crate::scene::{Program, Thing};
    use crate::sprites::atlas;

    fn thing(sprite: &str, motion: Motion, act: Option<Act>) -> Thing {
        Thing {
            sprite: atlas().named(sprite).expect("a drawing"),
            motion,
            colour: None,
            size: 0,
            count: 1,
            relation: Relation::None,
            parent: None,
            effect: None,
            act,
            added: false,
        }
    }

    fn film(things: Vec<Thing>, backdrop: Backdrop, seed: u64) -> Film {
        let program = Program { things, backdrop, weather: Weather::Clear, hour: Hour::Day, aurora: false, caption: None };
        let brief = layout::brief(&program, 1.0, 3.0);
        let layout = layout::write(&brief, &mut Random::new(seed));
        Film::of_layout(program, brief, layout, 96, 96, 8, seed)
    }

    fn beside(object: Thing) -> Thing {
        Thing { relation: Relation::Beside, parent: Some(0), ..object }
    }

    #[test]
    fn what_is_kicked_leaves_the_foot_and_stays_low_and_what_is_pushed_is_before_the_hands() {
        for seed in 0..4 {
            let ball = beside(thing("soccer-ball", Motion::Bounce, None));
            let kicks = film(vec![thing("boy", Motion::Idle, Some(Act::Kick)), ball], Backdrop::Park, seed);
            let mut ways = Vec::new();
            for frame in 0..kicks.frames {
                let m = Moment::at(&kicks, frame);
                let [who, ball] = [m.poses[0], m.poses[1]];
                assert!(ball.lift + ball.h < 0.6 * who.h, "below the head: {ball:?}");
                ways.push((ball.x - who.x).abs() / who.h);
            }
            assert!(ways.iter().any(|far| *far < 0.45) && ways.iter().any(|far| *far > 0.55), "from the foot and away: {ways:?}");
            let cart = beside(thing("shopping-cart", Motion::Still, None));
            let pushes = film(vec![thing("man", Motion::Walk, Some(Act::Push)), cart], Backdrop::Park, seed);
            for frame in 0..pushes.frames {
                let m = Moment::at(&pushes, frame);
                let [who, cart] = [m.poses[0], m.poses[1]];
                let ahead = (cart.x - who.x) * pushes.way(0);
                assert!(ahead > 0.0 && ahead < 0.35 * who.h + 0.51 * cart.w && (cart.y - who.y).abs() < 1e-6, "{who:?} {cart:?}");
            }
        }
    }

    #[test]
    fn who_acts_is_told_from_who_stands() {
        for sprite in ["girl", "dog-figure"] {
            for act in Act::ALL {
                let [stands, acts] = [None, Some(*act)].map(|act| film(vec![thing(sprite, Motion::Idle, act)], Backdrop::Meadow, 3));
                let told = (0..3).any(|part| {
                    let at = (part * 2 + 1) * acts.frames / 6;
                    let (one, other) = (stands.frame(at), acts.frame(at));
                    let pixels = one.chunks(3).zip(other.chunks(3));
                    pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 40)).count() > 40
                });
                assert!(told || sprite == "dog-figure" && *act == Act::Hold, "{sprite} {act:?}");
            }
        }
    }

    #[test]
    fn mills_stand_while_their_sails_turn_and_who_has_feet_stands_beside_water() {
        let mill = film(vec![thing("windmill", Motion::Spin, None)], Backdrop::Farm, 1);
        let turns: Vec<Pose> = (0..mill.frames).map(|frame| Moment::at(&mill, frame).poses[0]).collect();
        assert!(turns.iter().all(|pose| (pose.turn - turns[0].turn).abs() < 1e-6));
        let part = |frame| mill.turn_of_part(&Moment::at(&mill, frame), 0);
        assert!((part(mill.frames - 1) - part(0)).abs() > 0.3);
        for (sprite, motion, ashore) in [
            ("deer-figure", Motion::Idle, true),
            ("man", Motion::Walk, true),
            ("duck-figure", Motion::Idle, false),
            ("man", Motion::Swim, false),
        ] {
            let lake = film(vec![thing(sprite, motion, None)], Backdrop::Lake, 1);
            assert_eq!(lake.is_ashore(0), ashore, "{sprite} {motion:?}");
        }
    }

    #[test]
    fn swimmers_leap_out_of_a_sea_that_stays_and_two_go_down_a_slide_in_turn() {
        let sea = film(vec![thing("dolphin", Motion::Jump, None)], Backdrop::Sea, 2);
        let moments: Vec<Moment> = (0..sea.frames).map(|frame| Moment::at(&sea, frame)).collect();
        let lines: Vec<f32> = moments.iter().map(|m| sea.waterline(m, 0)).collect();
        assert!(lines.iter().all(|line| (line - lines[0]).abs() < 1e-3), "{lines:?}");
        let feet: Vec<f32> = moments.iter().map(|m| (m.poses[0].y - m.poses[0].lift) * sea.height).collect();
        assert!(feet.iter().any(|foot| *foot < lines[0]) && feet.iter().any(|foot| *foot > lines[0] + 0.2 * moments[0].poses[0].h));
        let children = Thing { count: 2, ..thing("girl", Motion::Drive, None) };
        let slide = film(vec![children, thing("slide", Motion::Still, None)], Backdrop::Park, 2);
        for frame in 0..slide.frames {
            let m = Moment::at(&slide, frame);
            let [one, other, chute] = [m.poses[0], m.poses[1], m.poses[2]];
            assert!([one, other].iter().all(|who| (who.x - chute.x).abs() < 0.5 * chute.w && who.y <= chute.y), "{one:?} {other:?}");
        }
        let apart = |m: &Moment| (m.poses[0].x - m.poses[1].x).abs();
        assert!((0..slide.frames).any(|frame| apart(&Moment::at(&slide, frame)) > 0.05));
    }
}
