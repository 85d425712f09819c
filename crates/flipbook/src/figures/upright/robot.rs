//! The robot, whose limbs are boxes on bare rods.

use crate::codes::Kind;
use crate::figures::pen::{Palette, draw, placed};
use crate::figures::rig::Rig;
use crate::figures::skeleton::{Build, Figure, Joint, Shows};

/// A robot of rounded boxes.
pub fn robot() -> Figure {
    let palette = Palette::of(&[
        ('M', 0x8fb4d9),
        ('D', 0x6b8fb8),
        ('L', 0xdbe7f3),
        ('A', 0xff8a3d),
        ('a', 0xd96c26),
        ('E', 0x2f3a54),
        ('e', 0x56637f),
        ('C', 0x4ff0e0),
        ('K', 0x2c2730),
        ('W', 0xffffff),
        ('R', 0xff5a5a),
        ('G', 0x7a869c),
    ]);
    let mut rig = Rig::new(Build::Upright, palette, "MD");
    let hips = rig.add(Joint::Root, None, [16.0, 21.4], -3, "r 11.8 19.8 8.4 3.4 1.4 G;r 13 20.6 6 1.2 .6 e");
    let chest = rig.add(
        Joint::Chest,
        Some(hips),
        [16.0, 20.6],
        0,
        "r 14.4 10 3.4 3.6 .6 G;r 10.2 12 11.8 9.4 2.4 M;p D M18.6 12H19.6C21 12 22 13 22 14.4V19C22 20.4 21 21.4 19.6 21.4H18.6z;r 11.8 13.8 6.6 4.6 1 L;o 13.6 15.4 .8 .8 R;o 15.6 15.4 .8 .8 #ffc83d;r 12.8 16.8 4.6 .8 .4 C;o 12.2 20 .4 .4 D;o 17.6 20 .4 .4 D",
    );
    rig.touches(hips, &[[13.0, 23.2], [19.0, 23.2]]);
    rig.touches(chest, &[[22.0, 16.0], [10.2, 16.0]]);
    let head = rig.add(
        Joint::Head,
        Some(chest),
        [16.2, 10.6],
        10,
        "l G .7 M16.4 3.2V.6;o 16.4 .4 1 1 A;r 20.6 5.2 2.2 3.6 1 A;r 9.4 5.4 1.6 3.2 .8 a;r 10 2.4 12 9 2.8 M;p D M19 2.4H19.2C20.8 2.4 22 3.6 22 5.2V8.6C22 10.2 20.8 11.4 19.2 11.4H18.4C19.6 8.6 19.8 5.2 19 2.4z;r 10.8 4 8 5.6 1.8 E",
    );
    rig.touches(head, &[[22.6, 7.0]]);
    rig.face(head, 12, Shows::EyesOpen, draw("o 12.9 6.3 1 1.15 C;o 16.5 6.3 1.1 1.2 C;o 12.6 5.9 .3 .35 W;o 16.2 5.9 .32 .38 W"));
    rig.face(head, 12, Shows::EyesShut, draw("l C .6 M12 6.4H13.8;l C .6 M15.6 6.4H17.4"));
    rig.face(head, 12, Shows::MouthShut, draw("l C .5 M13.4 8.3Q14.6 9 15.9 8.3"));
    rig.face(head, 12, Shows::MouthOpen, draw("r 13.2 8 2.8 1.1 .5 C"));
    rig.anchors.head_top = Rig::anchor(head, [16.2, 2.4]);
    rig.anchors.mouth = Rig::anchor(head, [14.4, 8.6]);
    rig.anchors.back = Rig::anchor(chest, [18.0, 12.2]);
    rig.anchors.seat = Rig::anchor(hips, [16.0, 23.2]);
    for (near, x, depth) in [(true, 21.3, 20), (false, 10.9, -20)] {
        let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
        let (c, claw) = if near { ("M", "A") } else { ("D", "a") };
        let shoulder = [x, 14.0];
        let upper = rig.add_svg(
            arm,
            Some(chest),
            shoulder,
            depth,
            placed(&draw(&format!("l G 1.4 M0 0V3.6;o 0 0 1.7 1.7 {c};o 0 3.6 .9 .9 e")), shoulder, [1.0, 1.0]),
        );
        let elbow = [x, 17.6];
        let script = format!(
            "r -1.4 .2 2.8 3 1 {c};o 0 0 1 1 {c};p {claw} M-1.2 3.2H1.2C2 4 1.8 5.6 .8 6.2L.4 4.8H-.4L-.8 6.2C-1.8 5.6 -2 4 -1.2 3.2z"
        );
        let lower = rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&draw(&script), elbow, [1.0, 1.0]));
        if near {
            rig.anchors.hand = Rig::anchor(lower, [x, 22.6]);
        }
    }
    for (near, x, depth) in [(false, 13.6, -10), (true, 18.4, -5)] {
        let (thigh, shin, foot) =
            if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
        let (c, shoe) = if near { ("M", "A") } else { ("D", "a") };
        let hip = [x, 22.0];
        let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw("l G 1.7 M0 0V3.4;o 0 3.4 1.2 1.2 e"), hip, [1.0, 1.0]));
        let knee = [x, 25.4];
        let lower = rig.add_svg(shin, Some(upper), knee, depth + 1, placed(&draw(&format!("r -1.6 -.6 3.2 4 1.2 {c}")), knee, [1.0, 1.0]));
        let ankle = [x, 28.4];
        let step = rig.add_svg(
            foot,
            Some(lower),
            ankle,
            depth,
            placed(&draw(&format!("p {shoe} M2 2.4V1C2 -.4 1.2 -1 0 -1C-2 -1 -3.4 .2 -3.4 2.4z")), ankle, [1.0, 1.0]),
        );
        rig.touches(step, &[[x - 3.2, 30.8], [x + 2.0, 30.8]]);
        rig.touches(lower, &[[x + 1.4, 26.0]]);
    }
    rig.finish("robot-figure", Kind::Person, 1.6)
}
