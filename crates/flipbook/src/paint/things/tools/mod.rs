//! What lies in a hand and points where the hand points: drawn along the forearm, so that it swings with the blow.

mod holders;
mod implements;

pub(in crate::paint) use holders::Hands;

use super::warp::Lay;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Sword,
    Staff,
    Rod,
    Racket,
    Stick,
    Bat,
    Brush,
    Wand,
    /// Ridden.
    Broom,
    /// Swept with.
    Besom,
    Spade,
    Toothbrush,
    /// Soap bubbles are blown through it.
    Ring,
    /// Of a skier.
    Pole,
    Hammer,
    Axe,
}

/// A tool in a hand, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grip {
    pub hand: [f32; 2],
    /// Along the tool, of length 1.
    along: [f32; 2],
    /// Height of who holds it.
    size: f32,
}

impl Grip {
    /// Height of who holds it, in pixels.
    pub fn size(&self) -> f32 {
        self.size
    }

    /// `u` along the tool and `v` across it, in heights of the holder.
    pub fn at(&self, u: f32, v: f32) -> [f32; 2] {
        let [ax, ay] = self.along;
        [self.hand[0] + self.size * (u * ax - v * ay), self.hand[1] + self.size * (u * ay + v * ax)]
    }

    fn outline(&self, points: &[[f32; 2]]) -> Pen {
        let points: Vec<[f32; 2]> = points.iter().map(|[u, v]| self.at(*u, *v)).collect();
        Pen::default().polygon(&points)
    }

    fn bar(&self, from: f32, to: f32, half: f32) -> Pen {
        self.outline(&[[from, -half], [to, -half], [to, half], [from, half]])
    }
}

impl Tool {
    /// The tool that a drawing shows.
    fn of(sprite: &str) -> Option<Self> {
        Some(match sprite {
            "crossed-swords" | "dagger" | "kitchen-knife" => Self::Sword,
            "crutch" | "white-cane" => Self::Staff,
            "fishing-pole" => Self::Rod,
            "tennis" | "badminton" | "ping-pong" => Self::Racket,
            "ice-hockey" | "field-hockey" => Self::Stick,
            "cricket-game" => Self::Bat,
            "paintbrush" => Self::Brush,
            "magic-wand" => Self::Wand,
            "broom" => Self::Besom,
            "axe" => Self::Axe,
            "hammer" => Self::Hammer,
            _ => return None,
        })
    }

    /// Radians from the forearm forwards.
    fn lean(self) -> f32 {
        match self {
            Self::Sword | Self::Staff => 0.35,
            Self::Rod => 0.75,
            Self::Racket | Self::Bat | Self::Wand => 0.2,
            Self::Stick => 0.6,
            Self::Brush => 0.5,
            Self::Broom | Self::Besom | Self::Spade => 0.0,
            Self::Toothbrush => 0.9,
            Self::Hammer | Self::Axe => 0.7,
            Self::Ring => 1.4,
            Self::Pole => -1.2,
        }
    }
}

impl Film {
    pub(super) fn hands(&self) -> Hands<'_> {
        Hands { program: &self.program, brief: &self.brief }
    }

    /// The tool that a figure has in its hand.
    pub(super) fn tool_of(&self, place: usize) -> Option<Tool> {
        self.hands().grasped(place).map(|(tool, _)| tool)
    }

    /// Whether what this slot shows lies in a hand instead of by itself.
    pub(super) fn in_a_hand(&self, place: usize) -> bool {
        self.hands().hold(place)
    }

    /// Where a figure has its tool.
    pub(super) fn grip(&self, m: &Moment, place: usize, tool: Tool) -> Option<Grip> {
        let (figure, pose) = (self.cast.figure(place)?, m.poses.get(place)?);
        let stance = self.stance(m, place, figure);
        let warp = self.warp_box(m, place, pose, Lay::Upright);
        let (from, to) = if tool == Tool::Broom {
            let [x, y] = figure.seat(&stance);
            ([x, y + 0.02], [x - 0.5, y - 0.04])
        } else {
            figure.grip(&stance, tool.lean())
        };
        let (hand, far) = (warp(from), warp(to));
        let way = [far[0] - hand[0], far[1] - hand[1]];
        let long = way[0].hypot(way[1]);
        let size = pose.h * self.height * pose.scale;
        (long > 1e-3 && size > 0.0).then(|| Grip { hand, along: way.map(|part| part / long), size })
    }

    /// Draws the tool of a figure.
    pub(super) fn draw_tool(&self, c: &mut Canvas, m: &Moment, place: usize, tool: Tool) {
        let Some(grip) = self.grip(m, place, tool) else { return };
        let colour = |hex: u32| Rgb::hex(hex).tinted(self.light.ambient);
        let ink = |hex: u32| Ink::flat(colour(hex), 1.0);
        let (size, wood) = (grip.size, ink(0x8a5a34));
        match tool {
            Tool::Sword => {
                let blade = [[0.03, -0.020], [0.42, -0.017], [0.48, 0.0], [0.42, 0.017], [0.03, 0.020]];
                grip.outline(&blade).stroke(c, 0.012 * size, &ink(0x4c5563));
                grip.outline(&blade).fill(c, &ink(0xeef3f8));
                grip.outline(&[[0.03, 0.0], [0.48, 0.0], [0.42, 0.017], [0.03, 0.020]]).fill(c, &ink(0xb4c0cd));
                grip.bar(-0.06, 0.03, 0.014).fill(c, &ink(0x6b4226));
                grip.bar(0.018, 0.042, 0.062).fill(c, &ink(0xe0a93b));
                let [x, y] = grip.at(-0.065, 0.0);
                c.circle(x, y, 0.02 * size, &ink(0xe0a93b));
            }
            Tool::Staff => {
                grip.bar(-0.36, 0.45, 0.017).fill(c, &wood);
                grip.bar(-0.36, 0.45, 0.006).fill(c, &ink(0xb98250));
            }
            Tool::Rod => self.draw_rod(c, m, &grip),
            Tool::Racket => {
                let ring: Vec<[f32; 2]> = (0..24)
                    .map(|j| (j as f32 * std::f32::consts::TAU / 24.0).sin_cos())
                    .map(|(sin, cos)| grip.at(0.285 + 0.115 * cos, 0.085 * sin))
                    .collect();
                Pen::default().polygon(&ring).fill(c, &Ink::flat(Rgb::WHITE, 0.28));
                let mut strings = Pen::default();
                for j in 1..6 {
                    let along = -1.0 + j as f32 / 3.0;
                    let half = (1.0 - along * along).max(0.0).sqrt();
                    let ends = [grip.at(0.285 + 0.115 * along, -0.085 * half), grip.at(0.285 + 0.115 * along, 0.085 * half)];
                    let across = [grip.at(0.285 - 0.115 * half, 0.085 * along), grip.at(0.285 + 0.115 * half, 0.085 * along)];
                    strings = strings.line_through(&ends).line_through(&across);
                }
                strings.stroke(c, 0.004 * size, &Ink::flat(colour(0xf4f4f4), 0.9));
                Pen::default().polygon(&ring).stroke(c, 0.020 * size, &ink(0xd8333b));
                grip.bar(-0.05, 0.17, 0.013).fill(c, &ink(0x3b3346));
            }
            Tool::Wand => {
                grip.bar(-0.04, 0.20, 0.009).fill(c, &ink(0x3b2f4a));
                let ([x, y], shine) = (grip.at(0.21, 0.0), 0.75 + 0.25 * (9.0 * m.t).sin());
                c.puff(x, y, 0.10 * size, 0.10 * size, Rgb([1.0, 0.9, 0.5]), 0.7 * shine, Puff { add: true, firm: false });
                super::star(Pen::default(), [x, y], 0.055 * size * shine, 0.2 * m.t).fill(c, &Ink::flat(Rgb([1.0, 0.97, 0.75]), 1.0));
            }
            _ => self.draw_implement(c, &grip, tool),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Act, Backdrop, Hour, Motion, Relation, Weather};
    use crate::layout;
    use crate::random::Random;
    use crate::scene::{Program, Thing};
    use crate::sprites::atlas;

    fn thing(sprite: &str, act: Option<Act>) -> Thing {
        Thing {
            sprite: atlas().named(sprite).expect("a drawing"),
            motion: Motion::Idle,
            colour: None,
            size: 0,
            count: 1,
            relation: Relation::None,
            parent: None,
            effect: None,
            act,
            course: None,
            added: false,
        }
    }

    fn film(things: Vec<Thing>, seed: u64) -> Film {
        let program = Program {
            things,
            backdrop: Backdrop::Castle,
            weather: Weather::Clear,
            hour: Hour::Day,
            setting: None,
            aurora: false,
            caption: None,
        };
        let brief = layout::brief(&program, 1.5, 3.0);
        let layout = layout::write(&brief, &mut Random::new(seed));
        Film::of_layout(program, brief, layout, 144, 96, 24, seed)
    }

    #[test]
    fn what_somebody_carries_is_in_no_other_hand() {
        let carried = |second: &str| {
            let things = [("girl", Some(Act::Hold)), ("magic-wand", None), ("boy", None), (second, None)];
            let mut things: Vec<Thing> = things.into_iter().map(|(sprite, act)| thing(sprite, act)).collect();
            (things[0].relation, things[0].parent) = (Relation::Play, Some(1));
            let film = film(things, 3);
            [0, 2].map(|place| film.tool_of(place))
        };
        assert_eq!(carried("dog"), [Some(Tool::Wand), None]);
        assert_eq!(carried("fishing-pole"), [Some(Tool::Wand), Some(Tool::Rod)]);
    }

    #[test]
    fn who_fights_has_a_weapon_in_hand_faces_the_other_and_strikes_in_turn() {
        for seed in 0..6 {
            let fights = Some(Act::Fight);
            let film = film(vec![thing("knight", fights), thing("pirate", fights), thing("crossed-swords", fights)], seed);
            assert!(film.in_a_hand(2) && !film.in_a_hand(0));
            let mut met = [0, 0];
            for frame in 0..film.frames {
                let m = Moment::at(&film, frame);
                let [one, other] = [m.poses[0], m.poses[1]];
                for (place, pose, rival) in [(0, one, other), (1, other, one)] {
                    assert_eq!(film.tool_of(place), Some(Tool::Sword));
                    assert_eq!(pose.facing_turn.map(f32::signum), Some((rival.x - pose.x).signum()), "they face each other");
                    let grip = film.grip(&m, place, Tool::Sword).expect("a grip");
                    let from_middle = (grip.hand[0] - pose.x * film.width).hypot(grip.hand[1] - (pose.y - 0.5 * pose.h) * film.height);
                    assert!(from_middle < 0.75 * pose.h * film.height, "the sword lies in the hand");
                    let half = pose.w / 2.0;
                    assert!(pose.x - half > -0.02 && pose.x + half < 1.02, "nobody fights out of the frame");
                    let beat = film.bout(m.t, place);
                    met[place] += usize::from((0.3..0.4).contains(&(beat - beat.floor())));
                }
                let [a, b] = [0, 1].map(|place| film.bout(m.t, place)).map(|beat| (0.2..0.5).contains(&(beat - beat.floor())));
                assert!(!(a && b), "one strikes, the other parries");
                let apart = (one.x - other.x).abs() * film.width / film.height;
                assert!(apart < 1.6 * one.h.max(other.h), "within reach: {apart}");
            }
            assert!(met.iter().all(|blows| *blows > 2), "both strike: {met:?}");
        }
    }

    #[test]
    fn a_racket_beside_a_player_is_in_the_hand_and_alone_it_is_a_thing() {
        let played = film(vec![thing("boy", None), thing("tennis", None)], 1);
        assert_eq!((played.tool_of(0), played.in_a_hand(1)), (Some(Tool::Racket), true));
        let alone = film(vec![thing("tennis", None)], 1);
        assert!(!alone.in_a_hand(0));
        let busy = film(vec![thing("boy", Some(Act::Sleep)), thing("tennis", None)], 1);
        assert!(!busy.in_a_hand(1));
    }

    #[test]
    fn each_hand_takes_one_of_several_tools() {
        for (act, number) in [(None, 3), (Some(Act::Fight), 3), (Some(Act::Fight), 1)] {
            let film = film(vec![thing("knight", act), Thing { count: number, ..thing("dagger", None) }], 1);
            let in_hand: Vec<bool> = (1..=number).map(|place| film.in_a_hand(place)).collect();
            let one: Vec<bool> = (0..number).map(|place| place == 0).collect();
            assert_eq!(in_hand, one, "{act:?}");
        }
    }

    #[test]
    fn who_fights_on_one_carrier_leaves_it_where_it_is() {
        let on_board = |act| Thing { count: 2, relation: Relation::In, parent: Some(0), ..thing("knight", act) };
        let [calm, fighting] = [None, Some(Act::Fight)].map(|act| film(vec![thing("sailboat", None), on_board(act)], 2));
        for frame in 0..fighting.frames {
            let [there, here] = [&calm, &fighting].map(|film| Moment::at(film, frame).poses[0]);
            assert!((there.x - here.x).abs() < 1e-5 && (there.y - here.y).abs() < 1e-5, "{there:?} {here:?}");
        }
    }
}
