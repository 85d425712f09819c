//! The alien, with big eyes and feelers.

use crate::codes::Kind;
use crate::figures::four_legged::taper;
use crate::figures::pen::{Palette, draw, placed, shade};
use crate::figures::rig::Rig;
use crate::figures::skeleton::{Build, Figure, Joint, Shows};

/// A small green visitor.
pub fn alien() -> Figure {
    let coat = 0x7ed957;
    let palette = Palette::of(&[
        ('M', coat),
        ('D', shade(coat, 0.82)),
        ('E', 0x6c5ce7),
        ('e', 0x5546c4),
        ('A', 0xffd24a),
        ('a', 0xd9a92c),
        ('C', 0xb6f09a),
        ('K', 0x231f33),
        ('W', 0xffffff),
        ('R', 0x3d6b2f),
        ('P', 0xff8a8a),
    ]);
    let mut rig = Rig::new(Build::Upright, palette, "MD");
    let hips = rig.add(Joint::Root, None, [16.0, 22.0], -3, "r 12.9 20.2 6.4 3.6 1.7 E");
    let chest = rig.add(Joint::Chest, Some(hips), [16.0, 21.4], 0, "l D 2 M16 12.4V15.6;p E M13.4 17C13.4 15.6 14.4 15 15.4 15H17C18.2 15 19 15.8 19.2 17L19.6 21.6C19.6 22.8 18.8 23.2 17.8 23.2H14.4C13.4 23.2 12.6 22.6 12.7 21.6z;p e M17.2 15C18.3 15 19 15.8 19.2 17L19.6 21.6C19.6 22.8 18.8 23.2 17.8 23.2H17C18.2 20.6 18.2 17.6 17.2 15z;p A M15.6 16.6L16.2 17.9L17.6 18.1L16.6 19L16.9 20.4L15.6 19.7L14.3 20.4L14.6 19L13.6 18.1L15 17.9z");
    rig.touches(hips, &[[14.0, 23.8], [18.0, 23.8]]);
    rig.touches(chest, &[[19.4, 17.0]]);
    let head = rig.add(Joint::Head, Some(chest), [16.0, 13.0], 10, "l D .8 M13.4 3.4C12.6 1.6 11.6 .8 10.4 .6M18.6 3.4C19.2 1.6 20.2 .6 21.4 .4;o 10.2 .6 1.1 1.1 A;o 21.8 .4 1.1 1.1 A;p M M16 2.2C20.6 2.2 23.4 4.8 23.4 8C23.4 11.2 20 14.4 16 14.4C12 14.4 8.4 11.2 8.4 8C8.4 4.8 11.4 2.2 16 2.2z;p D M19.4 2.9C22 4 23.4 5.8 23.4 8C23.4 11.2 20 14.4 16 14.4C19.4 13 21.2 10.6 21.2 7.6C21.2 5.8 20.6 4.2 19.4 2.9z");
    rig.touches(head, &[[23.2, 8.0]]);
    rig.face(head, 12, Shows::EyesOpen, draw("p K M10 7.2C10.4 5.6 12.8 6.4 13.6 8.2C14.2 9.8 13 10.8 11.8 10.2C10.6 9.6 9.7 8.4 10 7.2z;p K M19.8 7C19.2 5.4 16.8 6.4 16.2 8.2C15.7 9.8 17 10.8 18.2 10.2C19.4 9.4 20.2 8.2 19.8 7z;o 11.4 7.5 .7 .6 W;o 17.6 7.5 .75 .6 W"));
    rig.face(head, 12, Shows::EyesShut, draw("l K .5 M10.4 8.4Q12 9.8 13.6 8.8;l K .5 M16.2 8.8Q18 9.8 19.6 8.2"));
    rig.face(head, 12, Shows::MouthShut, draw("l R .5 M13.6 12Q14.9 12.8 16.2 12"));
    rig.face(head, 12, Shows::MouthOpen, draw("o 14.9 12.2 1.1 .8 R"));
    rig.anchors.head_top = Rig::anchor(head, [16.0, 2.4]);
    rig.anchors.mouth = Rig::anchor(head, [14.9, 12.2]);
    rig.anchors.back = Rig::anchor(chest, [17.4, 15.2]);
    rig.anchors.seat = Rig::anchor(hips, [16.0, 23.8]);
    for (near, x, depth) in [(true, 18.8, 20), (false, 13.5, -20)] {
        let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
        let (c, cloth) = if near { ('M', 'E') } else { ('D', 'e') };
        let shoulder = [x, 16.6];
        let upper = rig.add_svg(
            arm,
            Some(chest),
            shoulder,
            depth,
            placed(&draw(&format!("{}\nl {cloth} 2.3 M0 0V1", taper(c, 3.4, 0.85, 0.75))), shoulder, [1.0, 1.0]),
        );
        let elbow = [x, 20.0];
        let script = format!("{}\no 0 3.6 1.15 1.2 {c};l {c} .8 M-.7 3.8L-1.3 4.9M0 4.2L-.1 5.4M.7 3.9L1.1 4.9", taper(c, 3.2, 0.75, 0.75));
        let lower = rig.add_svg(forearm, Some(upper), elbow, depth + 1, placed(&draw(&script), elbow, [1.0, 1.0]));
        if near {
            rig.anchors.hand = Rig::anchor(lower, [x - 0.2, 24.0]);
        }
    }
    for (near, x, depth) in [(false, 14.4, -10), (true, 17.6, -5)] {
        let (thigh, shin, foot) =
            if near { (Joint::ThighNear, Joint::ShinNear, Joint::FootNear) } else { (Joint::ThighFar, Joint::ShinFar, Joint::FootFar) };
        let cloth = if near { 'E' } else { 'e' };
        let hip = [x, 22.4];
        let upper = rig.add_svg(thigh, Some(hips), hip, depth, placed(&draw(&taper(cloth, 3.4, 1.45, 1.2)), hip, [1.0, 1.0]));
        let knee = [x, 25.8];
        let lower = rig.add_svg(shin, Some(upper), knee, depth - 1, placed(&draw(&taper(cloth, 2.8, 1.2, 1.1)), knee, [1.0, 1.0]));
        let ankle = [x, 28.8];
        let shoe = if near { 'A' } else { 'a' };
        let step = rig.add_svg(
            foot,
            Some(lower),
            ankle,
            depth - 2,
            placed(&draw(&format!("p {shoe} M1.5 2C1.9 .4 1.5 -1 0 -1C-1.4 -1 -3.2 .2 -3.2 2z")), ankle, [1.0, 1.0]),
        );
        rig.touches(step, &[[x - 3.0, 30.8], [x + 1.5, 30.8]]);
        rig.touches(lower, &[[x + 1.2, 26.4]]);
    }
    rig.finish("alien-figure", Kind::Person, 1.2)
}
