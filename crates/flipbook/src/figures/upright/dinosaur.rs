//! The dinosaur, which has proportions that no creature shares.

use crate::codes::Kind;
use crate::figures::four_legged::taper;
use crate::figures::heads;
use crate::figures::pen::{Palette, draw, placed, shade};
use crate::figures::rig::Rig;
use crate::figures::skeleton::{Build, Figure, Joint, Manner};

/// A tyrannosaur: upright, in profile, with a tail that balances it.
pub fn dinosaur() -> Figure {
    let coat = 0x58b368;
    let palette = Palette::of(&[
        ('M', coat),
        ('D', shade(coat, 0.8)),
        ('L', 0xf3efb4),
        ('A', 0xff9a3d),
        ('a', 0xd97a28),
        ('C', 0xff9c94),
        ('K', 0x2c2730),
        ('W', 0xffffff),
        ('R', 0x8d2f3c),
        ('P', 0xff8a8a),
        ('I', 0xf7a8a8),
        ('N', 0x2f6a3c),
    ]);
    let mut rig = Rig::new(Build::Upright, palette, "MD");
    rig.manner = Manner { paws: true, level: true, ..Manner::default() };
    let hips = rig.add(Joint::Root, None, [17.0, 20.6], -3, "o 17 20.4 4 3.6 M");
    let chest = rig.add(
        Joint::Chest,
        Some(hips),
        [17.0, 20.0],
        0,
        "p A M14.6 8.6L17 8.4L16 10.4zM16 11L18.8 11.2L17.6 13.2zM18 13.8L21 14.6L19.4 16.4z
        p M M11.8 8.4C14.4 7.8 15.8 9.8 16.6 12C18.2 14.2 21.6 16 22 19.6C22.2 23 19.8 24.6 17 24.6C13 24.6 11.2 22 10.8 18.6C10.4 15 9.6 9.2 11.8 8.4z
        p L M10.4 13.4C12.6 14.6 14.4 17.4 14.6 20.6C14.7 22.4 14.2 23.6 13.4 23.6C11.8 22.6 11 20.8 10.8 18.6C10.7 17 10.4 15.2 10.4 13.4z;l D .35 M10.8 16.2L13 16.6;l D .35 M11 18.6L14 19;l D .35 M11.6 21L14.4 21.2",
    );
    rig.touches(chest, &[[16.0, 24.6], [21.4, 20.0]]);
    rig.anchors.back = Rig::anchor(chest, [19.0, 15.0]);
    rig.anchors.seat = Rig::anchor(hips, [17.0, 24.4]);
    let at = [11.6, 6.4];
    heads::add(&mut rig, &heads::DINOSAUR, chest, at, 1.02, [12.6, 8.8]);
    let tail = rig.add(
        Joint::Tail,
        Some(hips),
        [19.6, 20.6],
        -4,
        "p A M21.6 16.4L24 16.8L23 18.6zM24.4 18L26.8 18.8L25.4 20.4z;p M M17.6 17C21.6 16.6 25 18.4 28 21.2C28.8 22.4 28 23.6 26.4 23.8C23 24.4 19.6 24.6 16.8 23.6z",
    );
    rig.add(Joint::TailTip, Some(tail), [26.6, 22.4], -5, "p A M28.6 20.6L31 21.6L29.4 23zM31.4 22L33.4 23L31.8 24;p M M25.4 21C28.6 21 32.4 22.6 35.6 25.4C32.4 25.8 28.6 25.2 25.8 23.8C24.8 23 24.6 21.6 25.4 21z");
    for (near, x, depth) in [(true, 14.0, 20), (false, 11.9, -20)] {
        let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
        let c = if near { 'M' } else { 'D' };
        let shoulder = [x, 14.6];
        let upper = rig.add_svg(
            arm,
            Some(chest),
            shoulder,
            depth,
            placed(&draw(&format!("{}\n{}", taper('D', 2.2, 1.15, 1.0), taper(c, 2.0, 0.9, 0.7))), shoulder, [1.0, 1.0]),
        );
        let elbow = [x, 16.7];
        let hand = format!("{}\np W M-1.1 1.8L-1.7 3L-.5 2.5zM.1 2.1L-.2 3.2L.9 2.3z", taper('D', 1.6, 0.95, 0.8));
        let lower = rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&draw(&hand), elbow, [1.0, 1.0]));
        if near {
            rig.anchors.hand = Rig::anchor(lower, [x - 0.4, 19.0]);
        }
    }
    for (near, x, depth) in [(false, 15.2, -10), (true, 18.2, 6)] {
        let (thigh, shin, foot) =
            if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
        let c = if near { 'M' } else { 'D' };
        let hip = [x, 20.8];
        let line = if near { "\nl D .5 M-2.9 -1.2C-2.6 1.4 -1.4 3.4 .2 4.6" } else { "" };
        let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw(&(taper(c, 4.6, 3.1, 1.7) + line)), hip, [1.0, 1.0]));
        let knee = [x, 25.4];
        let lower = rig.add_svg(shin, Some(upper), knee, depth - 1, placed(&draw(&taper(c, 3.2, 1.65, 1.15)), knee, [1.0, 1.0]));
        let ankle = [x, 28.6];
        let script = format!(
            "p {c} M1.6 2C2 .6 1.6 -1 0 -1C-1.6 -1 -2.2 -.2 -3.2 .2C-4.4 .6 -4.6 2 -4 2z;p W M-4.4 2C-4.4 1.2 -3.8 .9 -3.4 1.2L-3 2zM-2.6 2C-2.6 1.3 -2 1 -1.6 1.3L-1.2 2z"
        );
        let step = rig.add_svg(foot, Some(lower), ankle, depth - 2, placed(&draw(&script), ankle, [1.0, 1.0]));
        rig.touches(step, &[[x - 4.2, 30.6], [x + 1.6, 30.6]]);
        rig.touches(lower, &[[x + 1.4, 26.0]]);
    }
    rig.finish("dinosaur-figure", Kind::Animal, 4.0)
}
